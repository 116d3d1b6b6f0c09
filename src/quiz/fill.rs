//! Filling templates with the engine's numbers: as prose, as TeX, as words.

use std::cell::Cell;
use std::ops::Range;

use super::names::{Named, item_count};
use super::template::{Cited, Hole, List, Setting, Template, Terms};
use crate::text::{Document, markdown};
use crate::words::number::{DecimalSign, MINUS, show};
use crate::words::{Words, messages};
use crate::worked_example::{Computed, Quantity, WorkedExample};

messages! {
    /// Whole numbers as words, for the beginnings of sentences and for small counts.
    pub enum NumberWord {
        Zero, One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve,
    }
}

/// All that a text is filled from, and what was seen while filling.
pub struct Filling<'a> {
    /// The example's numbers.
    pub example: Option<&'a Computed>,
    /// What the question asks.
    pub asks: Option<Quantity>,
    /// How many readings come to the number in dispute.
    pub agreeing: usize,
    /// The words of the interface.
    pub words: &'a Words,
    /// The most decimals to which a number was rounded.
    rounded_to: Cell<Option<usize>>,
}

impl<'a> Filling<'a> {
    /// Filling from one example.
    #[must_use]
    pub fn new(example: Option<&'a Computed>, asks: Option<Quantity>, words: &'a Words) -> Self {
        Self {
            example,
            asks,
            agreeing: 0,
            words,
            rounded_to: Cell::new(None),
        }
    }

    /// The template as a document.
    #[must_use]
    pub fn document(&self, template: &Template) -> Document {
        markdown::parse(&self.text(template))
    }

    /// The template as a document; an empty one where there is none.
    #[must_use]
    pub fn optional(&self, template: Option<&Template>) -> Document {
        template.map(|t| self.document(t)).unwrap_or_default()
    }

    /// The template as Markdown, every placeholder filled.
    #[must_use]
    pub fn text(&self, template: &Template) -> String {
        self.part(template, 0..template.text().len())
    }

    /// A part of the template as Markdown; it begins and ends in no placeholder.
    pub(super) fn part(&self, template: &Template, part: Range<usize>) -> String {
        let source = template.text();
        let mut out = String::with_capacity(part.len() + 16);
        let mut at = part.start;
        for hole in template
            .holes()
            .iter()
            .filter(|h| part.start <= h.range.start && h.range.end <= part.end)
        {
            out.push_str(source.get(at..hole.range.start).unwrap_or_default());
            out.push_str(&self.hole(hole));
            at = hole.range.end;
        }
        out.push_str(source.get(at..part.end).unwrap_or_default());
        if out.contains("\\{=") {
            out.replace("\\{=", "{=")
        } else {
            out
        }
    }

    /// A number as it stands on the screen; that it was rounded is remembered.
    pub fn number(&self, value: f64) -> String {
        let shown = show(value, self.words.decimal);
        if !shown.exact {
            self.rounded_to
                .set(self.rounded_to.get().max(Some(shown.places)));
        }
        shown.text
    }

    /// A quantity as it stands on the screen; nothing where the example has not got it.
    pub fn quantity(&self, quantity: Quantity) -> Option<String> {
        self.example?.number(quantity).map(|x| self.number(x))
    }

    /// What a quantity comes to, with its sign: `= 80`, or `≈ 76.67` where it is rounded.
    pub fn comes_to(&self, quantity: Quantity) -> Option<String> {
        let value = self.example?.number(quantity)?;
        self.number(value);
        Some(self.words.equals(value))
    }

    /// The most decimals to which a number was rounded so far.
    #[must_use]
    pub fn rounded_to(&self) -> Option<usize> {
        self.rounded_to.get()
    }

    /// The numbers of a list, joined.
    pub(super) fn list(&self, list: List, setting: Setting) -> String {
        let Some(example) = self.example else {
            return String::new();
        };
        let items = item_count(example.example());
        let texts: Vec<String> = (0..items)
            .map(|i| self.of_list(example, list, i, setting))
            .collect();
        texts.join(self.separator())
    }

    /// What stands between the items of a list: never the sign within its numbers.
    pub(super) fn separator(&self) -> &'static str {
        match self.words.decimal {
            DecimalSign::Point => ", ",
            DecimalSign::Comma => "; ",
        }
    }

    fn hole(&self, hole: &Hole) -> String {
        let Hole {
            cited,
            in_words,
            capital,
            setting,
            ..
        } = hole;
        let text = match *cited {
            Cited::Named(named) => self.named(named, *in_words, *setting),
            Cited::Answer => match self.asks {
                Some(quantity) => self.named(
                    Named {
                        quantity,
                        whole: false,
                    },
                    *in_words,
                    *setting,
                ),
                None => String::new(),
            },
            Cited::Agreeing => self.counted(self.agreeing as f64, *in_words, *setting),
            Cited::List(list) => self.list(list, *setting),
            Cited::Terms(terms) => self.terms(terms, *setting),
            Cited::Tokens => self.described(*setting, |example| match example {
                WorkedExample::Attention(a) => a.tokens.join(", "),
                WorkedExample::WeightedValues(_) => String::new(),
            }),
            Cited::Focus => self.described(*setting, |example| match example {
                WorkedExample::Attention(a) => a.tokens.get(a.focus).cloned().unwrap_or_default(),
                WorkedExample::WeightedValues(_) => String::new(),
            }),
            Cited::Unit => self.described(*setting, |example| match example {
                WorkedExample::WeightedValues(w) => w.unit.clone(),
                WorkedExample::Attention(_) => String::new(),
            }),
            Cited::Holders => self.described(*setting, |example| match example {
                WorkedExample::WeightedValues(w) => w.holders.clone(),
                WorkedExample::Attention(_) => String::new(),
            }),
        };
        if *capital { capitalised(&text) } else { text }
    }

    fn named(&self, named: Named, in_words: bool, setting: Setting) -> String {
        let Some(example) = self.example else {
            return String::new();
        };
        if named.whole {
            return self.vector(example, named.quantity, setting);
        }
        match example.number(named.quantity) {
            Some(value) => self.counted(value, in_words, setting),
            None => String::new(),
        }
    }

    /// A number, as a word where that is wanted and there is one.
    fn counted(&self, value: f64, in_words: bool, setting: Setting) -> String {
        match number_word(value).filter(|_| in_words) {
            Some(word) => dressed_text(&self.words.say(&word), setting),
            None => dressed_number(&self.number(value), setting),
        }
    }

    /// A quantity of each component: "(0.5, 1)", or the number alone where there is one component.
    fn vector(&self, example: &Computed, first: Quantity, setting: Setting) -> String {
        let numbers: Vec<String> = components(example, first)
            .into_iter()
            .map(|x| dressed_number(&self.number(x), setting))
            .collect();
        match numbers.as_slice() {
            [one] => one.clone(),
            _ => format!("({})", numbers.join(self.separator())),
        }
    }

    fn of_list(&self, example: &Computed, list: List, item: usize, setting: Setting) -> String {
        let quantity = match list {
            List::Values => return self.vector(example, Quantity::Value(item, 0), setting),
            List::WeightedValues => {
                return self.vector(example, Quantity::WeightedValue(item, 0), setting);
            }
            List::Counts => Quantity::Count(item),
            List::Weights => Quantity::Weight(item),
            List::Scores => Quantity::Score(item),
            List::ScaledScores => Quantity::ScaledScore(item),
            List::MaskedScores => Quantity::MaskedScore(item),
        };
        self.named(
            Named {
                quantity,
                whole: false,
            },
            false,
            setting,
        )
    }

    /// "0.3 · 70 + 0.5 · 80 + 0.2 · 90"
    fn terms(&self, terms: Terms, setting: Setting) -> String {
        let Some(example) = self.example else {
            return String::new();
        };
        let dot = if setting == Setting::Math {
            r" \cdot "
        } else {
            " · "
        };
        let items = item_count(example.example());
        let bracketed = |text: String, first: bool| {
            if !first && text.starts_with(['-', MINUS]) {
                format!("({text})")
            } else {
                text
            }
        };
        // What is hidden has no part in a sum.
        let visible = (0..items).zip(example.visible());
        let seen: Vec<usize> = visible.filter(|(_, seen)| **seen).map(|(i, _)| i).collect();
        let first = seen.first().copied();
        let term = |item: usize| {
            let value = self.of_list(example, List::Values, item, setting);
            let factor = match terms {
                Terms::Sum => return bracketed(value, Some(item) == first),
                Terms::Weighted => self.of_list(example, List::Weights, item, setting),
                Terms::Count => self.of_list(example, List::Counts, item, setting),
            };
            format!("{factor}{dot}{}", bracketed(value, false))
        };
        match seen.as_slice() {
            [] => "0".to_owned(),
            _ => seen.into_iter().map(term).collect::<Vec<_>>().join(" + "),
        }
    }

    fn described(&self, setting: Setting, of: impl Fn(&WorkedExample) -> String) -> String {
        self.example
            .map(|e| dressed_text(&of(e.example()), setting))
            .unwrap_or_default()
    }
}

/// The numbers of a quantity: one, or one for each component where the quantity is the first of a vector's.
#[must_use]
pub fn components(example: &Computed, first: Quantity) -> Vec<f64> {
    let of: Box<dyn Fn(usize) -> Quantity> = match first {
        Quantity::Operation(operation, basis, 0) => {
            Box::new(move |c| Quantity::Operation(operation, basis, c))
        }
        Quantity::Output(0) => Box::new(Quantity::Output),
        Quantity::Value(item, 0) => Box::new(move |c| Quantity::Value(item, c)),
        Quantity::WeightedValue(item, 0) => Box::new(move |c| Quantity::WeightedValue(item, c)),
        other => return example.number(other).into_iter().collect(),
    };
    (0..example.value_width())
        .filter_map(|c| example.number(of(c)))
        .collect()
}

/// Whether two quantities of an example come out alike: 1e-9 relative, in every component.
#[must_use]
pub fn come_out_alike(example: &Computed, a: Quantity, b: Quantity) -> bool {
    let (a, b) = (components(example, a), components(example, b));
    !a.is_empty() && a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| alike(*x, *y))
}

/// Whether two computed numbers are the same: 1e-9 relative.
#[must_use]
pub fn alike(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// With a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// The word of a small whole number.
fn number_word(value: f64) -> Option<NumberWord> {
    use NumberWord::{
        Eight, Eleven, Five, Four, Nine, One, Seven, Six, Ten, Three, Twelve, Two, Zero,
    };
    let words = [
        Zero, One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve,
    ];
    words
        .into_iter()
        .enumerate()
        .find(|(i, _)| alike(*i as f64, value))
        .map(|(_, word)| word)
}

/// A shown number as its surroundings want it: in formulas as TeX.
fn dressed_number(shown: &str, setting: Setting) -> String {
    if setting != Setting::Math {
        return shown.to_owned();
    }
    let mut out = String::with_capacity(shown.len());
    let (mantissa, exponent) = match shown.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (shown, None),
    };
    let tex = |part: &str, out: &mut String| {
        for c in part.chars() {
            match c {
                MINUS => out.push('-'),
                '∞' => out.push_str(r"\infty"),
                ',' => out.push_str("{,}"),
                c => out.push(c),
            }
        }
    };
    tex(mantissa, &mut out);
    if let Some(exponent) = exponent {
        out.push_str(r" \times 10^{");
        tex(exponent, &mut out);
        out.push('}');
    }
    out
}

/// Words of the example as their surroundings want them: never read as Markdown or TeX.
fn dressed_text(text: &str, setting: Setting) -> String {
    match setting {
        Setting::Code => text.to_owned(),
        Setting::Math if text.is_empty() => String::new(),
        Setting::Math => format!(r"\text{{{}}}", escaped(text, r"\{}$%#&_^~")),
        Setting::Prose => escaped(text, r"\`*_{}[]<>#$|~"),
    }
}

fn escaped(text: &str, special: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::testing::{exam, jane, template_of};

    fn filled(text: &str, example: &WorkedExample) -> String {
        let words = Words::english();
        let computed = Computed::new(example).unwrap();
        let asks = Some(Quantity::Output(0));
        Filling::new(Some(&computed), asks, &words).text(&template_of(text, example).unwrap())
    }

    #[test]
    fn placeholders_become_the_engines_numbers() {
        for (text, out) in [
            (
                "{=Count 1 in words} people got {=value 1} {=unit}.",
                "Three people got 70 points.",
            ),
            (
                "{=weighted_terms} = {=answer}",
                "0.3 · 70 + 0.5 · 80 + 0.2 · 90 = 79",
            ),
            (
                "{=count_terms} over {=total}",
                "3 · 70 + 5 · 80 + 2 · 90 over 10",
            ),
            (
                "{=sum_terms} = {=sum}, not {=plain_mean}",
                "70 + 80 + 90 = 240, not 80",
            ),
            (
                "{=sum of weighted_values} and {=plain_mean of weighted_values}",
                "79 and 26.33",
            ),
            (
                "{=weights} of {=values}; {=weighted_values}",
                "0.3, 0.5, 0.2 of 70, 80, 90; 21, 40, 18",
            ),
            ("{=items in words} {=holders}", "three people"),
            (r"\{=sum} stands for itself", "{=sum} stands for itself"),
            (
                "$\\sum = {=weighted_terms}$",
                "$\\sum = 0.3 \\cdot 70 + 0.5 \\cdot 80 + 0.2 \\cdot 90$",
            ),
        ] {
            assert_eq!(filled(text, &exam()), out, "{text}");
        }
    }

    #[test]
    fn words_of_the_example_keep_their_letters_in_prose_formulas_and_code() {
        let mut example = jane();
        if let WorkedExample::Attention(a) = &mut example {
            a.tokens = ["Jane", "go_to", "*x*", "in", "May"]
                .map(str::to_owned)
                .to_vec();
            a.focus = 1;
        }
        assert_eq!(
            filled("{=focus} `{=focus}` $w_{=focus}$", &example),
            r"go\_to `go_to` $w_\text{go\_to}$"
        );
        let words = Words::english();
        let computed = Computed::new(&example).unwrap();
        let template = template_of("{=tokens}", &example).unwrap();
        let document = Filling::new(Some(&computed), None, &words).document(&template);
        assert_eq!(document, Document::plain("Jane, go_to, *x*, in, May"));
    }

    #[test]
    fn a_minus_is_a_minus_in_both_worlds() {
        let WorkedExample::WeightedValues(mut values) = exam() else {
            return;
        };
        values.values = vec![-70.0, -80.0, -90.0];
        let example = WorkedExample::WeightedValues(values);
        assert_eq!(
            filled("{=sum} ${=sum}$ {=sum_terms}", &example),
            "−240 $-240$ −70 + (−80) + (−90)"
        );
    }

    #[test]
    fn rounding_is_remembered() {
        let words = Words::english();
        let computed = Computed::new(&exam()).unwrap();
        let filling = Filling::new(Some(&computed), None, &words);
        let _ = filling.text(&template_of("{=sum}", &exam()).unwrap());
        assert_eq!(filling.rounded_to(), None);
        let _ = filling.text(&template_of("{=plain_mean of weighted_values}", &exam()).unwrap());
        assert_eq!(filling.rounded_to(), Some(2));
    }
}
