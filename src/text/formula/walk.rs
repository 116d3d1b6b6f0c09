//! A formula as a line of text: in words to be heard, or in signs for a terminal. Both walk the same tree.

use ratex_parser::ParseNode;
use ratex_parser::parse_node::AtomFamily;

use super::read;
use super::signs::{SUBSCRIPTS, SUPERSCRIPTS, Script, sign};
use crate::text::messages::TextMsg;
use crate::words::Words;

/// How a formula becomes a line.
#[derive(Clone, Copy, Debug)]
pub enum Manner<'w> {
    /// In words: "q sub i transposed".
    Spoken(&'w Words),
    /// In signs: "qᵢᵀ", "(a + b)/√d".
    Linear,
}

/// A formula as a line of text. A formula that does not read is given as its TeX, without backslashes and braces.
#[must_use]
pub fn written(tex: &str, manner: &Manner<'_>) -> String {
    match read(tex) {
        Ok(nodes) => tidy(&line(&nodes, manner)),
        Err(_) => tidy(&tex.replace(['\\', '{', '}'], " ")),
    }
}

/// The pieces of a row, and whether the last bracket opened stands for "of".
struct Row<'m, 'w> {
    manner: &'m Manner<'w>,
    out: String,
    /// One for each open bracket: whether it was said as "of".
    brackets: Vec<bool>,
    /// The last piece named a function.
    after_function: bool,
    /// The last piece was a digit or a decimal point.
    in_number: bool,
}

impl Row<'_, '_> {
    fn push(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if matches!(self.manner, Manner::Spoken(_)) && !piece.starts_with(',') {
            self.out.push(' ');
        }
        self.out.push_str(piece);
    }

    fn take(&mut self, node: &ParseNode) {
        let function = std::mem::take(&mut self.after_function);
        let number = std::mem::take(&mut self.in_number);
        if function && matches!(self.manner, Manner::Linear) && !stands_close(node) {
            self.out.push(' ');
        }
        match (node, self.manner) {
            (ParseNode::TextOrd { text, .. }, _)
                if text.chars().all(|c| c.is_ascii_digit() || c == '.') =>
            {
                if number {
                    self.out.push_str(text);
                } else {
                    self.push(text);
                }
                self.in_number = true;
            }
            (
                ParseNode::Atom {
                    family: AtomFamily::Open,
                    ..
                },
                Manner::Spoken(words),
            ) => {
                self.brackets.push(function);
                let said = if function {
                    words.say(&TextMsg::Of)
                } else {
                    one(node, self.manner)
                };
                self.push(&said);
            }
            (
                ParseNode::Atom {
                    family: AtomFamily::Close,
                    ..
                },
                Manner::Spoken(words),
            ) => {
                let said = if self.brackets.pop() == Some(true) {
                    words.say(&TextMsg::Comma)
                } else {
                    one(node, self.manner)
                };
                self.push(&said);
            }
            (ParseNode::LeftRight { body, .. }, Manner::Spoken(words)) if function => {
                self.push(&words.say(&TextMsg::Of));
                self.push(&line(body, self.manner));
                self.push(&words.say(&TextMsg::Comma));
            }
            (
                ParseNode::Atom {
                    family: AtomFamily::Rel | AtomFamily::Bin,
                    ..
                },
                Manner::Linear,
            ) => {
                let sign = one(node, self.manner);
                // After what opens or separates, or after another such sign, a sign belongs to what follows.
                let before = self.out.trim_end();
                let leads = before.is_empty() || before.ends_with(LEADERS);
                let tight = sign == "·" || sign == "/" || leads;
                self.push(&if tight { sign } else { format!(" {sign} ") });
            }
            (
                ParseNode::Atom {
                    family: AtomFamily::Punct,
                    ..
                },
                Manner::Linear,
            ) => {
                let sign = one(node, self.manner);
                self.push(&format!("{sign} "));
            }
            (ParseNode::SpacingNode { .. } | ParseNode::Kern { .. }, _) => {
                self.after_function = function;
                if matches!(self.manner, Manner::Linear)
                    && matches!(node, ParseNode::SpacingNode { .. })
                {
                    self.out.push(' ');
                }
            }
            (ParseNode::OperatorName { .. }, _) => {
                if matches!(self.manner, Manner::Linear)
                    && self.out.ends_with(char::is_alphanumeric)
                {
                    self.out.push(' ');
                }
                self.push(&one(node, self.manner));
                self.after_function = true;
            }
            (ParseNode::Op { symbol: false, .. }, _) => {
                if matches!(self.manner, Manner::Linear)
                    && self.out.ends_with(char::is_alphanumeric)
                {
                    self.out.push(' ');
                }
                self.push(&one(node, self.manner));
                self.after_function = true;
            }
            (
                ParseNode::SupSub {
                    base: Some(base), ..
                },
                Manner::Linear,
            ) => {
                self.push(&one(node, self.manner));
                self.after_function = matches!(
                    **base,
                    ParseNode::Op { symbol: false, .. } | ParseNode::OperatorName { .. }
                );
            }
            _ => self.push(&one(node, self.manner)),
        }
    }
}

/// Before these a sign cannot stand between two things.
const LEADERS: [char; 14] = [
    '(', '[', '{', ',', '=', '≈', '≠', '<', '>', '∈', '⇒', '⇐', '+', '−',
];

/// Whether a node follows a function's name without a space: its brackets do, and what is a space itself.
fn stands_close(node: &ParseNode) -> bool {
    matches!(
        node,
        ParseNode::Atom {
            family: AtomFamily::Open | AtomFamily::Rel | AtomFamily::Bin | AtomFamily::Punct,
            ..
        } | ParseNode::LeftRight { .. }
            | ParseNode::SpacingNode { .. }
            | ParseNode::Kern { .. }
    )
}

/// A row of nodes as text.
fn line(nodes: &[ParseNode], manner: &Manner<'_>) -> String {
    let mut row = Row {
        manner,
        out: String::new(),
        brackets: Vec::new(),
        after_function: false,
        in_number: false,
    };
    for node in nodes {
        row.take(node);
    }
    row.out.trim().to_owned()
}

/// One node as text.
fn one(node: &ParseNode, manner: &Manner<'_>) -> String {
    let inside = |nodes: &[ParseNode]| line(nodes, manner);
    match node {
        ParseNode::Atom { text, .. }
        | ParseNode::MathOrd { text, .. }
        | ParseNode::TextOrd { text, .. }
        | ParseNode::OpToken { text, .. }
        | ParseNode::AccentToken { text, .. } => sign(text, manner),
        ParseNode::OrdGroup { body, .. }
        | ParseNode::Styling { body, .. }
        | ParseNode::Sizing { body, .. }
        | ParseNode::Color { body, .. }
        | ParseNode::MClass { body, .. }
        | ParseNode::Pmb { body, .. }
        | ParseNode::Href { body, .. }
        | ParseNode::Html { body, .. }
        | ParseNode::HtmlMathMl { html: body, .. }
        | ParseNode::MathChoice { text: body, .. }
        | ParseNode::Tag { body, .. } => inside(body),
        ParseNode::Font { body, .. }
        | ParseNode::Overline { body, .. }
        | ParseNode::Underline { body, .. }
        | ParseNode::Smash { body, .. }
        | ParseNode::Enclose { body, .. }
        | ParseNode::Lap { body, .. }
        | ParseNode::RaiseBox { body, .. }
        | ParseNode::VCenter { body, .. }
        | ParseNode::HorizBrace { base: body, .. } => one(body, manner),
        ParseNode::Text { body, .. } | ParseNode::HBox { body, .. } => letters(body),
        ParseNode::OperatorName { body, .. } => letters(body),
        ParseNode::Op {
            name: Some(name), ..
        } => sign(name, manner),
        ParseNode::Op {
            body: Some(body), ..
        } => inside(body),
        ParseNode::GenFrac { numer, denom, .. } => {
            fraction(&one(numer, manner), &one(denom, manner), manner)
        }
        ParseNode::Sqrt { body, index, .. } => {
            let of = one(body, manner);
            match (manner, index.as_ref().map(|i| one(i, manner))) {
                (Manner::Spoken(words), None) => words.say(&TextMsg::Root { of }),
                (Manner::Spoken(words), Some(index)) => words.say(&TextMsg::NthRoot { index, of }),
                (Manner::Linear, index) => {
                    format!(
                        "{}√{}",
                        index
                            .map(|i| scripted(&i, SUPERSCRIPTS, '^'))
                            .unwrap_or_default(),
                        grouped(&of)
                    )
                }
            }
        }
        ParseNode::SupSub { base, sup, sub, .. } => {
            scripts(base.as_deref(), sup.as_deref(), sub.as_deref(), manner)
        }
        ParseNode::Accent { label, base, .. } | ParseNode::AccentUnder { label, base, .. } => {
            accented(&one(base, manner), label.trim_start_matches('\\'), manner)
        }
        ParseNode::LeftRight {
            body, left, right, ..
        } => {
            let delimiter = |d: &str| {
                if d == "." {
                    String::new()
                } else {
                    sign(d, manner)
                }
            };
            match (manner, body.as_slice()) {
                (Manner::Spoken(_), [only @ ParseNode::Array { .. }]) => one(only, manner),
                (Manner::Spoken(_), _) => {
                    format!("{} {} {}", delimiter(left), inside(body), delimiter(right))
                }
                (Manner::Linear, _) => {
                    format!("{}{}{}", delimiter(left), inside(body), delimiter(right))
                }
            }
        }
        ParseNode::Middle { delim, .. } | ParseNode::DelimSizing { delim, .. } => {
            sign(delim, manner)
        }
        ParseNode::Array { body, .. } => array(body, manner),
        ParseNode::XArrow { label, body, .. } => {
            format!("{} {}", sign(label, manner), one(body, manner))
        }
        ParseNode::Verb { body, .. } => body.clone(),
        ParseNode::Url { url, .. } => url.clone(),
        ParseNode::Raw { string, .. } => string.clone(),
        ParseNode::SpacingNode { .. } => " ".to_owned(),
        _ => String::new(),
    }
}

/// Letters that stand together: of an operator's name, or of words among a formula.
fn letters(nodes: &[ParseNode]) -> String {
    nodes
        .iter()
        .map(|node| match node {
            ParseNode::SpacingNode { .. } | ParseNode::Kern { .. } => " ".to_owned(),
            node => match node.symbol_text() {
                Some(text) => text.trim_start_matches('\\').to_owned(),
                None => one(node, &Manner::Linear),
            },
        })
        .collect()
}

fn fraction(top: &str, bottom: &str, manner: &Manner<'_>) -> String {
    let (top, bottom) = (top.trim().to_owned(), bottom.trim().to_owned());
    match manner {
        Manner::Linear => format!("{}/{}", grouped(&top), grouped(&bottom)),
        Manner::Spoken(words) if top.contains(' ') => words.say(&TextMsg::Fraction { top, bottom }),
        Manner::Spoken(words) => words.say(&TextMsg::Over { top, bottom }),
    }
}

fn scripts(
    base: Option<&ParseNode>,
    sup: Option<&ParseNode>,
    sub: Option<&ParseNode>,
    manner: &Manner<'_>,
) -> String {
    let text = |node: Option<&ParseNode>| node.map(|n| one(n, manner).trim().to_owned());
    let (mut out, sup, sub) = (text(base).unwrap_or_default(), text(sup), text(sub));
    match manner {
        Manner::Linear => {
            if let Some(sub) = sub {
                out.push_str(&scripted(&sub, SUBSCRIPTS, '_'));
            }
            match sup.as_deref() {
                None => {}
                Some("⊤" | "T") => out.push('ᵀ'),
                Some("′") => out.push('′'),
                Some(sup) => out.push_str(&scripted(sup, SUPERSCRIPTS, '^')),
            }
            out
        }
        Manner::Spoken(words) => {
            let operates = matches!(
                base,
                Some(ParseNode::Op { .. } | ParseNode::OperatorName { .. })
            );
            match (operates, sub, sup) {
                (true, Some(from), Some(to)) => words.say(&TextMsg::FromTo {
                    operation: out,
                    from,
                    to,
                }),
                (true, Some(index), None) => words.say(&TextMsg::OverIndex {
                    operation: out,
                    index,
                }),
                (_, sub, sup) => {
                    if let Some(index) = sub {
                        out = words.say(&TextMsg::Sub { base: out, index });
                    }
                    match sup.as_deref() {
                        None => out,
                        Some("2") => words.say(&TextMsg::Squared { base: out }),
                        Some("3") => words.say(&TextMsg::Cubed { base: out }),
                        Some("top" | "T") => words.say(&TextMsg::Transposed { base: out }),
                        Some("prime") => words.say(&TextMsg::Prime { base: out }),
                        Some(exponent) => words.say(&TextMsg::Power {
                            base: out,
                            exponent: exponent.to_owned(),
                        }),
                    }
                }
            }
        }
    }
}

/// An accented letter: aloud by the accent's own name, in a line by a combining mark.
fn accented(base: &str, accent: &str, manner: &Manner<'_>) -> String {
    let mark = match accent {
        "hat" | "widehat" => '\u{0302}',
        "tilde" | "widetilde" => '\u{0303}',
        "bar" | "overline" => '\u{0304}',
        "dot" => '\u{0307}',
        "vec" => '\u{20D7}',
        _ => return format!("{accent} {base}"),
    };
    match manner {
        Manner::Linear if base.chars().count() == 1 => format!("{base}{mark}"),
        Manner::Linear => format!("{accent}({base})"),
        Manner::Spoken(_) => format!("{base} {}", accent.trim_start_matches("wide")),
    }
}

/// A table of cells: a matrix, cases, or lines that are aligned.
fn array(rows: &[Vec<ParseNode>], manner: &Manner<'_>) -> String {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| one(cell, manner).trim().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|row| row.iter().any(|cell| !cell.is_empty()))
        .collect();
    match manner {
        Manner::Linear => rows
            .iter()
            .map(|row| row.join(", "))
            .collect::<Vec<_>>()
            .join("; "),
        Manner::Spoken(words) => {
            let cells = rows.iter().enumerate().map(|(i, row)| match rows.len() {
                1 => row.join(", "),
                _ => words.say(&TextMsg::Row {
                    number: i + 1,
                    cells: row.join(", "),
                }),
            });
            let cells = cells.collect::<Vec<_>>().join(" ");
            words.say(&TextMsg::Matrix {
                rows: rows.len(),
                cells: cells.trim_end_matches(';').to_owned(),
            })
        }
    }
}

/// In brackets, where it is more than one word or number.
fn grouped(text: &str) -> String {
    let simple = text
        .chars()
        .all(|c| c.is_alphanumeric() || "._′ᵀ√".contains(c) || SUBSCRIPTS.1.contains(c));
    if simple {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Raised or lowered, where every character can be; else after `mark`, in brackets where need be.
fn scripted(text: &str, (plain, script): Script, mark: char) -> String {
    let of = |c: char| {
        plain
            .chars()
            .zip(script.chars())
            .find(|(p, _)| *p == c)
            .map(|(_, s)| s)
    };
    match text
        .chars()
        .filter(|c| *c != ' ')
        .map(of)
        .collect::<Option<String>>()
    {
        Some(scripted) => scripted,
        None => format!("{mark}{}", grouped(text)),
    }
}

/// Single spaces, none before a comma, none and no comma at the ends.
fn tidy(text: &str) -> String {
    let mut out = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [(" ,", ","), (",,", ","), (" ;", ";"), (",;", ";")] {
        while out.contains(from) {
            out = out.replace(from, to);
        }
    }
    out.trim_matches([' ', ',']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_aloud() {
        let words = Words::english();
        for (tex, said) in [
            (r"\sqrt{d}", "the square root of d"),
            (r"q^\top k", "q transposed k"),
            (r"\frac{1}{2}", "1 over 2"),
            (
                r"A = \sum_i p_i \cdot v_i",
                "A equals the sum over i of p sub i times v sub i",
            ),
            (
                r"\sum_{j=1}^{m} w_j = 1",
                "the sum from j equals 1 to m of w sub j equals 1",
            ),
            (
                r"\softmax\left(\frac{q \cdot k}{\sqrt{d}}\right) V",
                "softmax of the fraction q times k, over the square root of d, V",
            ),
            (r"0.3 \cdot 70 \le 79", "0.3 times 70 is at most 79"),
            (r"x^2 + \alpha^{n}", "x squared plus alpha to the power n"),
            (r"1 \text{ if it rains}", "1 if it rains"),
            (
                r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
                "a table of 2 rows: row 1: 1, 2; row 2: 3, 4",
            ),
            (r"\max(a, b)", "max of a, b"),
            (r"\hat{y} \to \infty", "y hat to infinity"),
            (r"\nonsense{x}", "nonsense x"),
        ] {
            assert_eq!(written(tex, &Manner::Spoken(&words)), said, "{tex}");
        }
    }

    #[test]
    fn formulas_stand_in_a_line_of_a_terminal() {
        for (tex, shown) in [
            (r"A = \sum_i p_i \cdot v_i", "A = Σᵢpᵢ·vᵢ"),
            (r"\frac{q k^\top}{\sqrt{d_k}}", "qkᵀ/√d_k"),
            (
                r"\softmax\left(\frac{q \cdot k}{\sqrt{d}}\right)V",
                "softmax((q·k)/√d)V",
            ),
            (r"x^2 + 10^{-3}", "x² + 10⁻³"),
            (r"e^{s_i/T}", "e^(sᵢ/T)"),
            (r"0.3 \cdot 70 = 21", "0.3·70 = 21"),
            (r"w \ge 0,\ \alpha \in \mathbb{R}", "w ≥ 0, α ∈ R"),
        ] {
            assert_eq!(written(tex, &Manner::Linear), shown, "{tex}");
        }
    }
}
