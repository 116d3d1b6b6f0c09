//! The signs of TeX: how each stands in a line, and what it is called aloud.

use super::walk::Manner;
use crate::text::messages::TextMsg;

/// A sign by its TeX name.
pub(super) fn sign(name: &str, manner: &Manner<'_>) -> String {
    let bare = name.trim_start_matches('\\');
    match (
        SIGNS.iter().find(|(names, ..)| names.contains(&name)),
        manner,
    ) {
        (Some((.., called)), Manner::Spoken(words)) => words.say(called),
        (Some((_, shown, _)), Manner::Linear)
            if name.starts_with('\\') || !shown.starts_with(['(', ')', ',']) =>
        {
            (*shown).to_owned()
        }
        (_, Manner::Linear) => GREEK
            .iter()
            .find(|(n, _)| *n == bare)
            .map_or(bare, |(_, shown)| shown)
            .to_owned(),
        (None, Manner::Spoken(_)) => bare.to_owned(),
    }
}

/// Characters and their raised or lowered forms, in the same order.
pub(super) type Script = (&'static str, &'static str);

/// What can be raised.
pub(super) const SUPERSCRIPTS: Script = ("0123456789+−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ");

/// What can be lowered.
pub(super) const SUBSCRIPTS: Script = ("0123456789+−ijaeox", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₐₑₒₓ");

/// A sign of TeX: its commands, how it stands in a line, and what it is called.
type Sign = (&'static [&'static str], &'static str, TextMsg);

/// The signs that are not simply read by their name.
const SIGNS: &[Sign] = &[
    (&["=", "\\equiv"], "=", TextMsg::Equals),
    (&["\\ne", "\\neq", "≠"], "≠", TextMsg::NotEqual),
    (&["\\approx", "\\sim", "≈"], "≈", TextMsg::Approximately),
    (&["<", "\\lt"], "<", TextMsg::Less),
    (&[">", "\\gt"], ">", TextMsg::Greater),
    (&["\\le", "\\leq", "≤"], "≤", TextMsg::AtMost),
    (&["\\ge", "\\geq", "≥"], "≥", TextMsg::AtLeast),
    (&["+"], "+", TextMsg::Plus),
    (&["-", "−"], "−", TextMsg::Minus),
    (&["\\pm", "±"], "±", TextMsg::PlusMinus),
    (&["\\cdot", "⋅", "·", "*", "\\ast"], "·", TextMsg::Times),
    (&["\\times", "×"], "×", TextMsg::Times),
    (&["/", "\\div", "÷"], "/", TextMsg::DividedBy),
    (&["\\to", "\\rightarrow", "→", "\\mapsto"], "→", TextMsg::To),
    (&["\\infty", "∞"], "∞", TextMsg::Infinity),
    (&["\\in", "∈"], "∈", TextMsg::In),
    (
        &[
            "\\ldots", "\\cdots", "\\dots", "\\dotsc", "…", "\\@cdots", "\\vdots", "\\ddots",
        ],
        "…",
        TextMsg::AndSoOn,
    ),
    (&["\\propto"], "∝", TextMsg::Proportional),
    (&["\\Rightarrow", "\\implies"], "⇒", TextMsg::Implies),
    (&["\\Leftarrow"], "⇐", TextMsg::If),
    (&[",", ";"], ",", TextMsg::Comma),
    (&["\\sum", "∑"], "Σ", TextMsg::Sum),
    (&["\\prod", "∏"], "Π", TextMsg::Product),
    (
        &[
            "|", "\\vert", "\\mid", "∣", "\\lvert", "\\rvert", "\\|", "\\Vert", "\\lVert",
            "\\rVert",
        ],
        "|",
        TextMsg::Bar,
    ),
    (&["\\{", "\\lbrace"], "{", TextMsg::OpenBracket),
    (&["\\}", "\\rbrace"], "}", TextMsg::CloseBracket),
    (
        &["(", "[", "\\langle", "\\lbrack"],
        "(",
        TextMsg::OpenBracket,
    ),
    (
        &[")", "]", "\\rangle", "\\rbrack"],
        ")",
        TextMsg::CloseBracket,
    ),
];

/// Greek letters as they stand in a line; aloud they are read by their name.
const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("omega", "ω"),
    ("Delta", "Δ"),
    ("Sigma", "Σ"),
    ("Omega", "Ω"),
    ("top", "⊤"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("circ", "∘"),
    ("odot", "⊙"),
    ("forall", "∀"),
    ("prime", "′"),
];
