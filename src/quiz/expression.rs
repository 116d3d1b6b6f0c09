//! Numbers written as expressions in quotes ("2 * sqrt(3)"): `+ − * / ^ ( )`, `sqrt`, `ln`, `exp`, read by descent with places.
//!
//! `$a` is kept for parameters of a later format and told so, kindly, instead of being a syntax error.

use std::ops::Range;

use crate::words::messages;

messages! {
    /// What is wrong with an expression.
    pub enum ExpressionMsg {
        Empty,
        Parameter { name: String },
        UnknownName { name: String },
        Unexpected { found: String },
        DecimalComma,
        RootSign,
        Unfinished,
        NotClosed,
        TooDeep,
    }
}

/// Where an expression cannot be read, in bytes of its text, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressionProblem {
    /// Bytes of the expression.
    pub at: Range<usize>,
    /// Why.
    pub why: ExpressionMsg,
}

/// What an expression comes to; it may be infinite or no number ("1 / 0"), which is the caller's affair.
pub fn evaluate(text: &str) -> Result<f64, ExpressionProblem> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    if reader.peek().is_none() {
        return Err(ExpressionProblem {
            at: 0..text.len(),
            why: ExpressionMsg::Empty,
        });
    }
    let value = reader.sum()?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.unexpected()),
    }
}

/// Brackets and signs may stand this deep.
const DEPTH: usize = 64;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    /// a + b − c
    fn sum(&mut self) -> Result<f64, ExpressionProblem> {
        let mut value = self.product()?;
        loop {
            match self.peek() {
                Some('+') => {
                    self.step();
                    value += self.product()?;
                }
                Some('-' | '−' | '–') => {
                    self.step();
                    value -= self.product()?;
                }
                _ => return Ok(value),
            }
        }
    }

    /// a * b / c
    fn product(&mut self) -> Result<f64, ExpressionProblem> {
        let mut value = self.signed()?;
        loop {
            match self.peek() {
                Some('*' | '·' | '×') => {
                    self.step();
                    value *= self.signed()?;
                }
                Some('/') => {
                    self.step();
                    value /= self.signed()?;
                }
                _ => return Ok(value),
            }
        }
    }

    /// −a, weaker than the power: −2^2 = −4.
    fn signed(&mut self) -> Result<f64, ExpressionProblem> {
        match self.peek() {
            Some('-' | '−' | '–') => {
                self.step();
                self.deeper(Self::signed).map(|x| -x)
            }
            Some('+') => {
                self.step();
                self.deeper(Self::signed)
            }
            _ => self.power(),
        }
    }

    /// a ^ b ^ c, from the right.
    fn power(&mut self) -> Result<f64, ExpressionProblem> {
        let base = self.atom()?;
        if self.peek() != Some('^') {
            return Ok(base);
        }
        self.step();
        self.deeper(Self::signed)
            .map(|exponent| base.powf(exponent))
    }

    fn atom(&mut self) -> Result<f64, ExpressionProblem> {
        match self.peek() {
            None => Err(ExpressionProblem {
                at: self.text.len()..self.text.len(),
                why: ExpressionMsg::Unfinished,
            }),
            Some('(') => self.bracket(),
            Some('$') => {
                let start = self.at;
                self.step();
                let name = self.take(|c| c.is_alphanumeric() || c == '_').to_owned();
                Err(ExpressionProblem {
                    at: start..self.at,
                    why: ExpressionMsg::Parameter { name },
                })
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => {
                let start = self.at;
                let function: fn(f64) -> f64 = match self.take(char::is_alphanumeric) {
                    "sqrt" => f64::sqrt,
                    "ln" => f64::ln,
                    "exp" => f64::exp,
                    other => {
                        let why = ExpressionMsg::UnknownName {
                            name: other.to_owned(),
                        };
                        return Err(ExpressionProblem {
                            at: start..self.at,
                            why,
                        });
                    }
                };
                match self.peek() {
                    Some('(') => self.bracket().map(function),
                    _ => Err(self.unexpected()),
                }
            }
            Some(_) => Err(self.unexpected()),
        }
    }

    fn bracket(&mut self) -> Result<f64, ExpressionProblem> {
        let start = self.at;
        self.step();
        let value = self.deeper(Self::sum)?;
        match self.peek() {
            Some(')') => {
                self.step();
                Ok(value)
            }
            None => Err(ExpressionProblem {
                at: start..start + 1,
                why: ExpressionMsg::NotClosed,
            }),
            Some(_) => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Result<f64, ExpressionProblem> {
        let start = self.at;
        self.take(|c| c.is_ascii_digit() || c == '.');
        let rest = self.text.get(self.at..).unwrap_or_default();
        let exponent = rest
            .strip_prefix(['e', 'E'])
            .map(|r| r.strip_prefix(['-', '+']).unwrap_or(r));
        if let Some(digits) = exponent.filter(|r| r.starts_with(|c: char| c.is_ascii_digit())) {
            self.at = self.text.len() - digits.len();
            self.take(|c| c.is_ascii_digit());
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        written.parse().map_err(|_| ExpressionProblem {
            at: start..self.at,
            why: ExpressionMsg::Unexpected {
                found: written.to_owned(),
            },
        })
    }

    /// Reads one level further in, and refuses to go on for ever.
    fn deeper(
        &mut self,
        read: fn(&mut Self) -> Result<f64, ExpressionProblem>,
    ) -> Result<f64, ExpressionProblem> {
        if self.depth >= DEPTH {
            return Err(ExpressionProblem {
                at: self.at..self.text.len(),
                why: ExpressionMsg::TooDeep,
            });
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// The next character that is no space, which is stepped over.
    fn peek(&mut self) -> Option<char> {
        self.take(char::is_whitespace);
        self.text.get(self.at..)?.chars().next()
    }

    fn step(&mut self) {
        self.at += self
            .text
            .get(self.at..)
            .and_then(|r| r.chars().next())
            .map_or(0, char::len_utf8);
    }

    /// The characters from here on that are wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn unexpected(&mut self) -> ExpressionProblem {
        match self.peek() {
            None => ExpressionProblem {
                at: self.at..self.at,
                why: ExpressionMsg::Unfinished,
            },
            Some(c) => ExpressionProblem {
                at: self.at..self.at + c.len_utf8(),
                why: match c {
                    ',' => ExpressionMsg::DecimalComma,
                    '√' => ExpressionMsg::RootSign,
                    c => ExpressionMsg::Unexpected {
                        found: c.to_string(),
                    },
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_come_to_what_they_say() {
        for (text, value) in [
            ("79", 79.0),
            ("2 * sqrt(3)", 2.0 * 3f64.sqrt()),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("(70*3 + 80*5 + 90*2) / 10", 79.0),
            ("1 − 2 – 3", -4.0),
            ("exp(ln(5))", 5.0),
            ("1e-3 * 2.5E2", 0.25),
            (" .5 ", 0.5),
        ] {
            let got = evaluate(text).unwrap();
            assert!((got - value).abs() < 1e-12, "{text}: {got}");
        }
        assert!(evaluate("1 / 0").unwrap().is_infinite());
    }

    #[test]
    fn a_bad_expression_is_told_at_its_byte() {
        for (text, at, key) in [
            ("", 0, "ExpressionMsg.Empty"),
            ("2 * $a", 4, "ExpressionMsg.Parameter"),
            ("2 + foo(1)", 4, "ExpressionMsg.UnknownName"),
            ("2 +", 3, "ExpressionMsg.Unfinished"),
            ("(1 + 2", 0, "ExpressionMsg.NotClosed"),
            ("1 2", 2, "ExpressionMsg.Unexpected"),
            ("1.2.3", 0, "ExpressionMsg.Unexpected"),
            ("sqrt 2", 5, "ExpressionMsg.Unexpected"),
        ] {
            let problem = evaluate(text).unwrap_err();
            assert_eq!(
                (problem.at.start, crate::words::Message::key(&problem.why)),
                (at, key),
                "{text}"
            );
        }
        assert!(matches!(
            evaluate(&"(".repeat(100_000)),
            Err(ExpressionProblem {
                why: ExpressionMsg::TooDeep,
                ..
            })
        ));
        assert!(matches!(
            evaluate(&"-".repeat(100_000)),
            Err(ExpressionProblem {
                why: ExpressionMsg::TooDeep,
                ..
            })
        ));
    }
}
