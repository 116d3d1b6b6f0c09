//! This example's numbers as TeX: written as on the screen, so that formula and table agree to the digit.

use crate::words::number::{self, MINUS};
use crate::words::{Words, messages};

messages! {
    /// Small whole numbers in words.
    pub enum NumeralMsg {
        One,
        Two,
        Three,
        Four,
        Five,
        Six,
        Seven,
        Eight,
        Nine,
        Ten,
        Eleven,
        Twelve,
        More { n: usize },
    }
}

/// A whole number in words up to twelve, in digits above.
#[must_use]
pub fn numeral(n: usize) -> NumeralMsg {
    use NumeralMsg::{Eight, Eleven, Five, Four, Nine, One, Seven, Six, Ten, Three, Twelve, Two};
    let small = [
        One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve,
    ];
    n.checked_sub(1)
        .and_then(|i| small.get(i))
        .cloned()
        .unwrap_or(NumeralMsg::More { n })
}

/// Writes numbers and sums as TeX.
#[derive(Clone, Copy)]
pub(super) struct Tex<'a>(pub &'a Words);

/// Longer sums are told by their first three terms and the last.
const MOST_TERMS: usize = 6;

impl Tex<'_> {
    /// A number as the screens write it.
    pub fn number(self, x: f64) -> String {
        let text = self
            .0
            .number(x)
            .replace(MINUS, "-")
            .replace('∞', r"\infty")
            .replace(',', "{,}");
        match text.split_once('e') {
            Some((digits, exponent)) => format!(r"{digits} \cdot 10^{{{exponent}}}"),
            None => text,
        }
    }

    /// A number that can stand after a sign.
    pub fn term(self, x: f64) -> String {
        if x < 0.0 {
            format!("({})", self.number(x))
        } else {
            self.number(x)
        }
    }

    /// `a + b + c`.
    pub fn sum(self, numbers: impl IntoIterator<Item = f64>) -> String {
        listed(numbers.into_iter().map(|x| self.term(x)).collect(), " + ")
    }

    /// `w₁ · v₁ + w₂ · v₂`.
    pub fn products(
        self,
        left: impl IntoIterator<Item = f64>,
        right: impl IntoIterator<Item = f64>,
    ) -> String {
        let products = left
            .into_iter()
            .zip(right)
            .map(|(a, b)| format!(r"{} \cdot {}", self.term(a), self.term(b)));
        listed(products.collect(), " + ")
    }

    /// `(a, b, c)`.
    pub fn tuple(self, numbers: impl IntoIterator<Item = f64>) -> String {
        format!("({})", self.list(numbers))
    }

    /// `a, b, c`.
    pub fn list(self, numbers: impl IntoIterator<Item = f64>) -> String {
        listed(
            numbers.into_iter().map(|x| self.number(x)).collect(),
            r",\; ",
        )
    }

    /// `left = x`, or `left ≈ x` where x is shown rounded.
    pub fn equation(self, left: &str, x: f64) -> String {
        let sign = if number::show(x, self.0.decimal).exact {
            "="
        } else {
            r"\approx"
        };
        format!("{left} {sign} {}", self.number(x))
    }
}

/// The terms with something between; in the middle of a long list, dots.
pub(super) fn listed(mut terms: Vec<String>, between: &str) -> String {
    if terms.len() > MOST_TERMS {
        let last = terms.len() - 1;
        terms.splice(3..last, [r"\dots".to_owned()]);
    }
    terms.join(between)
}
