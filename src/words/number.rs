//! How numbers are written for people and read from them: one rule for every screen, so that what is shown can be typed back.
//!
//! Shown: whole numbers without a point; else two decimals, and where a number is so small that these would say next to nothing (below
//! 0.01), as many decimals as give two digits (0.0012). Zeros at the end are cut where nothing was rounded. So the same number has the same digits in
//! a sentence, over a bar and in a table. Thousands are not grouped: 1,000 is one and nothing to half the world, and a space would break
//! tables, formulas and what is typed back. The minus is U+2212. What was cut is known ([`Shown::exact`]),
//! so that a screen can say "rounded to 2 places". The road not taken, significant digits alone, would write 79.28 (softmax of the counts) as
//! 79.3 and 79.70 (softmax twice) as 79.7: too near to be told apart from 79.3 by a learner who types what she sees.

/// The sign between the whole and the part of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalSign {
    /// 0.5
    #[default]
    Point,
    /// 0,5
    Comma,
}

/// A number as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The text on the screen.
    pub text: String,
    /// Decimals shown.
    pub places: usize,
    /// Whether nothing was cut (to 1e-9 relative).
    pub exact: bool,
}

impl Shown {
    /// Half a unit of the last digit shown: how far a typed number may be from the computed one.
    #[must_use]
    pub fn half_unit(&self) -> f64 {
        0.5 * 10f64.powi(-i32::try_from(self.places).unwrap_or(0))
    }
}

/// The minus of typography.
pub const MINUS: char = '\u{2212}';

/// A number as people read it.
#[must_use]
pub fn show(value: f64, decimal: DecimalSign) -> Shown {
    if value.is_nan() {
        return Shown {
            text: "NaN".to_owned(),
            places: 0,
            exact: true,
        };
    }
    if value.is_infinite() {
        let text = if value > 0.0 {
            "∞".to_owned()
        } else {
            format!("{MINUS}∞")
        };
        return Shown {
            text,
            places: 0,
            exact: true,
        };
    }
    let size = value.abs();
    if size >= 1e9 || (size > 0.0 && size < 1e-6) {
        return scientific(value, decimal);
    }
    let close = 1e-9 * size.max(1e-300);
    if (value - value.round()).abs() <= close {
        return Shown {
            text: dress(&format!("{:.0}", value.round()), decimal),
            places: 0,
            exact: true,
        };
    }
    let places = places_of(size);
    let text = format!("{value:.places$}");
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    let exact = trimmed
        .parse::<f64>()
        .is_ok_and(|back| (back - value).abs() <= close);
    // A number that was rounded keeps its zeros: "79.70" says that more digits were there.
    let kept = if exact { trimmed } else { text.as_str() };
    let places = kept.split_once('.').map_or(0, |(_, part)| part.len());
    Shown {
        text: dress(kept, decimal),
        places,
        exact,
    }
}

/// A number with exactly so many decimals.
#[must_use]
pub fn show_places(value: f64, places: usize, decimal: DecimalSign) -> String {
    if value.is_finite() {
        dress(&format!("{value:.places$}"), decimal)
    } else {
        show(value, decimal).text
    }
}

/// A whole number.
#[must_use]
pub fn whole(value: i64) -> String {
    dress(&value.to_string(), DecimalSign::Point)
}

/// Decimals for a number of this size: two, or more where it is below 0.01.
fn places_of(size: f64) -> usize {
    if size >= 0.01 {
        return 2;
    }
    // 0.0099 has two zeros behind the point and needs 4 decimals for two digits.
    let zeros = (-size.log10()).ceil() as usize - 1;
    (zeros + 2).clamp(2, 8)
}

/// Very large and very small numbers: 1.23e9.
fn scientific(value: f64, decimal: DecimalSign) -> Shown {
    let text = format!("{value:.2e}");
    let exact = text.parse::<f64>().is_ok_and(|back| back == value);
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let places = usize::try_from((2 - exponent).max(0)).unwrap_or(0);
    Shown {
        text: dress(&text, decimal),
        places,
        exact,
    }
}

/// The typographic minus, the decimal sign, and no "minus zero".
fn dress(text: &str, decimal: DecimalSign) -> String {
    let negative_zero = text.starts_with('-') && text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    let text = if negative_zero { &text[1..] } else { text };
    text.chars()
        .map(|c| match (c, decimal) {
            ('-', _) => MINUS,
            ('.', DecimalSign::Comma) => ',',
            (c, _) => c,
        })
        .collect()
}

/// Why what was typed is not a number.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedProblem {
    /// Nothing was typed.
    Empty,
    /// `1,234` may be a thousand and more, or one and a part: asked, never guessed.
    Ambiguous {
        /// Read with the comma as decimal sign.
        as_decimal: f64,
        /// Read with the comma between thousands.
        as_thousands: f64,
    },
    /// No reading makes it a number.
    NotANumber,
    /// Too large to be held, or a word such as "inf".
    NotFinite,
}

/// What a person typed, as a number: `79`, `79.0`, `79,0`, ` 79 `, `7.9e1`, `−3`, `1 234`, `3/4`, `30 %`.
pub fn read_typed(typed: &str) -> Result<f64, TypedProblem> {
    let folded: String = typed.chars().filter_map(fold).collect();
    if folded.is_empty() {
        return Err(TypedProblem::Empty);
    }
    if let Some(part) = folded.strip_suffix('%') {
        return read_plain(part).map(|x| x / 100.0);
    }
    if let Some((above, below)) = folded.split_once('/') {
        let (above, below) = (read_plain(above)?, read_plain(below)?);
        let value = above / below;
        return if value.is_finite() {
            Ok(value)
        } else {
            Err(TypedProblem::NotFinite)
        };
    }
    read_plain(&folded)
}

/// One character as the reader takes it: spaces of every width fall away, dashes become minus, wide digits narrow.
fn fold(c: char) -> Option<char> {
    match c {
        c if c.is_whitespace()
            || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\'' | '_') =>
        {
            None
        }
        '\u{2212}' | '\u{2010}'..='\u{2015}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        '\u{ff10}'..='\u{ff19}' => char::from_u32(u32::from(c) - 0xff10 + u32::from('0')),
        '\u{ff0e}' => Some('.'),
        '\u{ff0c}' | '\u{066b}' => Some(','),
        '\u{ff0b}' => Some('+'),
        '\u{2044}' | '\u{2215}' => Some('/'),
        'E' => Some('e'),
        c => Some(c),
    }
}

fn read_plain(text: &str) -> Result<f64, TypedProblem> {
    let (commas, points) = (text.matches(',').count(), text.matches('.').count());
    let normal = match (commas, points) {
        (0, _) => text.to_owned(),
        (1, 0) => {
            let (whole, part) = text.split_once(',').unwrap_or((text, ""));
            let digits = whole.trim_start_matches(['-', '+']);
            let grouped = part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit());
            if grouped && (1..=3).contains(&digits.len()) && !digits.starts_with('0') {
                let as_decimal = parse(&text.replace(',', "."))?;
                let as_thousands = parse(&text.replace(',', ""))?;
                return Err(TypedProblem::Ambiguous {
                    as_decimal,
                    as_thousands,
                });
            }
            text.replace(',', ".")
        }
        // 1.234,5 and 1,234.5: the last sign is the decimal one, the others stand between thousands.
        (_, 1) if text.rfind('.') > text.rfind(',') => thousands(text, ',', '.')?,
        (1, _) if text.rfind(',') > text.rfind('.') => thousands(text, '.', ',')?,
        (_, 0) => thousands(text, ',', '.')?,
        _ => return Err(TypedProblem::NotANumber),
    };
    parse(&normal)
}

/// Takes the signs between thousands out, where they stand three digits apart.
fn thousands(text: &str, between: char, decimal: char) -> Result<String, TypedProblem> {
    let (whole, part) = text.rsplit_once(decimal).unwrap_or((text, ""));
    let mut groups = whole.split(between);
    let first = groups.next().unwrap_or("").trim_start_matches(['-', '+']);
    if first.is_empty() || first.len() > 3 || !groups.all(|g| g.len() == 3) {
        return Err(TypedProblem::NotANumber);
    }
    let whole = whole.replace(between, "");
    Ok(if part.is_empty() {
        whole
    } else {
        format!("{whole}.{part}")
    })
}

fn parse(text: &str) -> Result<f64, TypedProblem> {
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e'));
    match text.parse::<f64>() {
        Ok(x) if plain && x.is_finite() => Ok(x),
        Ok(_) => Err(TypedProblem::NotFinite),
        Err(_) => Err(TypedProblem::NotANumber),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(x: f64) -> String {
        show(x, DecimalSign::Point).text
    }

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        for (x, text) in [
            (79.0, "79"),
            (0.3, "0.3"),
            (26.333333, "26.33"),
            (79.7012, "79.70"),
            (1.0 / 3.0, "0.33"),
            (-2.5, "−2.5"),
            (0.00123, "0.0012"),
            (0.0775, "0.08"),
            (0.0099, "0.0099"),
            (0.01, "0.01"),
            (0.001, "0.001"),
            (-0.0, "0"),
            (f64::NEG_INFINITY, "−∞"),
            (0.1 + 0.2, "0.3"),
            (78.99999999999999, "79"),
        ] {
            assert_eq!(shown(x), text);
        }
        assert_eq!(show(0.5, DecimalSign::Comma).text, "0,5");
        assert!(!show(1.0 / 3.0, DecimalSign::Point).exact);
    }

    #[test]
    fn typed_numbers_are_read_generously() {
        for (typed, x) in [
            ("79", 79.0),
            ("79.0", 79.0),
            ("79,0", 79.0),
            (" 79 ", 79.0),
            ("7.9e1", 79.0),
            ("7,9E1", 79.0),
            ("−3", -3.0),
            ("–3", -3.0),
            ("1 234,5", 1234.5),
            ("1.234,5", 1234.5),
            ("1,234.5", 1234.5),
            ("1,234,567", 1_234_567.0),
            ("3/4", 0.75),
            ("30 %", 0.3),
            ("+5", 5.0),
            (".5", 0.5),
            ("0,300", 0.3),
            ("７９", 79.0),
            ("79.", 79.0),
        ] {
            assert_eq!(read_typed(typed), Ok(x), "{typed:?}");
        }
        assert!(matches!(
            read_typed("1,234"),
            Err(TypedProblem::Ambiguous { .. })
        ));
        for bad in [
            "", "  ", "abc", "1,2,3", "inf", "NaN", "1e999", "--3", "7 9 x", "0x10", "1/0",
        ] {
            assert!(read_typed(bad).is_err(), "{bad:?}");
        }
    }
}
