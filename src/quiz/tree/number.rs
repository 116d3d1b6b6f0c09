//! Number literals of RON: `79`, `-1_000`, `0x1F`, `7.9e1`, `.5`, `5i32`, `inf`.

/// The whole number that a literal writes, if it writes one.
#[must_use]
pub fn integer(literal: &str) -> Option<i128> {
    const SUFFIXES: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
    let (negative, digits) = match literal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, literal.strip_prefix('+').unwrap_or(literal)),
    };
    let digits = SUFFIXES
        .iter()
        .find_map(|suffix| digits.strip_suffix(suffix))
        .unwrap_or(digits);
    let (base, digits) = match digits.get(..2) {
        Some("0b") => (2, digits.get(2..)?),
        Some("0o") => (8, digits.get(2..)?),
        Some("0x") => (16, digits.get(2..)?),
        _ => (10, digits),
    };
    if digits.is_empty() || digits.starts_with('_') {
        return None;
    }
    let mut value = 0_i128;
    for c in digits.chars().filter(|c| *c != '_') {
        value = value
            .checked_mul(base)?
            .checked_add(i128::from(c.to_digit(u32::try_from(base).ok()?)?))?;
    }
    Some(if negative { -value } else { value })
}

/// The number that a literal writes, possibly infinite or no number at all (`inf`, `NaN`, `1e400`); `None` if it is malformed.
#[must_use]
pub fn float(literal: &str) -> Option<f64> {
    let plain = literal
        .strip_suffix("f32")
        .or_else(|| literal.strip_suffix("f64"))
        .unwrap_or(literal);
    if matches!(plain.trim_start_matches(['+', '-']), "inf" | "NaN") && plain.len() <= 4 {
        return plain.parse().ok();
    }
    let mut digits = String::new();
    let mut may_underscore = false;
    for c in plain.chars() {
        match c {
            '_' if may_underscore => continue,
            '0'..='9' | 'e' | 'E' => may_underscore = true,
            '.' => may_underscore = false,
            '+' | '-' => {}
            _ => return None,
        }
        digits.push(c);
    }
    digits.parse().ok()
}

/// Whether a literal writes a number at all.
#[must_use]
pub fn is_number(literal: &str) -> bool {
    literal.bytes().all(|b| b.is_ascii_digit())
        || float(literal).is_some()
        || integer(literal).is_some()
}
