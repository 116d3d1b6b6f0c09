//! CSV, as a spreadsheet can hold it: a line with an array's name alone, its rows below; a convention and its value on one line.
//!
//! ```text
//! # one head
//! q
//! 1, 0
//! 0, 1
//! k[0]             (heads: k[0], k[1] …; batches of heads: k[0][0] …)
//! 1, 0
//! scale, 0.5
//! tokens, Jane, visits
//! ```
//!
//! Blank lines do not matter; `#` at the beginning of a line or after a space begins a comment. The sign between cells is what the file uses: semicolon, tab, comma or spaces, the first of
//! these that stands anywhere. With semicolons or tabs a comma is a decimal comma, as German spreadsheets write it. A file without a name is
//! one array. Not taken: the `csv` crate, which does not say where in its line a cell stands; quotes around a cell are all we need of it.

use std::collections::BTreeMap;
use std::ops::Range;

use ndarray::{ArrayD, IxDyn};

use super::Format;
use super::fault::ArrayFault;
use super::name::ArrayName;
use super::nested::short;
use super::reading::{Found, Reading};
use super::spec_fields::{FieldValue, SpecFields};
use super::text::decode;

pub(super) const FORMAT: Format = Format {
    name: "CSV",
    endings: &["csv", "tsv", "txt"],
    is_plainly: |_| false,
    read: |reading, bytes| {
        let source = decode(reading, bytes);
        if let Some(source) = &source {
            Csv::new(reading, &source.text).file(&source.text);
        }
        source.is_some()
    },
};

/// A cell's text without its quotes, and where it stands.
type Cell<'t> = (&'t str, Range<usize>);

/// The rows below one heading.
struct Part {
    numbers: Vec<f64>,
    rows: usize,
    columns: usize,
    /// Every cell is true or false.
    truths: bool,
    usable: bool,
    at: Range<usize>,
}

impl Part {
    fn new(at: Range<usize>) -> Self {
        Self {
            numbers: Vec::new(),
            rows: 0,
            columns: 0,
            truths: true,
            usable: true,
            at,
        }
    }
}

/// A file being read.
struct Csv<'r, 'a> {
    reading: &'r mut Reading<'a>,
    separator: char,
    said_decimal_commas: bool,
    /// The parts by name (`""` = none was given) and place among the heads, in that order.
    parts: BTreeMap<String, BTreeMap<Vec<usize>, Part>>,
    /// The part that rows belong to; `None` where they are passed over.
    open: Option<(String, Vec<usize>)>,
}

impl<'r, 'a> Csv<'r, 'a> {
    fn new(reading: &'r mut Reading<'a>, text: &str) -> Self {
        let lines = || text.lines().filter(|line| !is_comment(line));
        let separator = [';', '\t', ',']
            .into_iter()
            .find(|sign| lines().any(|line| line.contains(*sign)))
            .unwrap_or(' ');
        Self {
            reading,
            separator,
            said_decimal_commas: false,
            parts: BTreeMap::new(),
            open: Some((String::new(), Vec::new())),
        }
    }

    fn file(mut self, text: &str) {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let body = line.trim_end_matches(['\n', '\r']);
            if !is_comment(body) {
                let cells = cells(without_comment(body), start, self.separator);
                if !cells.is_empty() {
                    self.line(&cells);
                }
            }
            start += line.len();
        }
        for (name, parts) in std::mem::take(&mut self.parts) {
            self.array(&name, parts);
        }
    }

    /// A heading, a convention, or a row of numbers.
    fn line(&mut self, cells: &[Cell<'_>]) {
        let Some(((first, at), rest)) = cells.split_first() else {
            return;
        };
        let heading = heading(first);
        match (heading, rest) {
            (Some((name, index)), []) if ArrayName::named(name).is_some() => {
                self.heading(name, index, at);
            }
            _ if SpecFields::named(first).is_some() => self.field(first, rest, at),
            _ if first.eq_ignore_ascii_case("tokens") => {
                let tokens = rest.iter().map(|(text, _)| (*text).to_owned()).collect();
                self.reading.tokens(tokens);
            }
            (Some((name, index)), []) if number(first, self.separator).is_none() => {
                if self.reading.wants(name, at.clone()) {
                    self.heading(name, index, at);
                } else {
                    self.open = None;
                }
            }
            _ => self.row(cells, at),
        }
    }

    /// A part begins.
    fn heading(&mut self, name: &str, index: Vec<usize>, at: &Range<usize>) {
        let name = name.to_lowercase();
        let parts = self.parts.entry(name.clone()).or_default();
        if parts.contains_key(&index) {
            self.reading.tell(
                ArrayFault::PartTwice {
                    name: titled(&name, &index),
                },
                at.clone(),
            );
            self.open = None;
            return;
        }
        parts.insert(index.clone(), Part::new(at.clone()));
        self.open = Some((name, index));
    }

    fn field(&mut self, name: &str, rest: &[Cell<'_>], at: &Range<usize>) {
        let value = match rest {
            [] => {
                let name = name.to_owned();
                return self
                    .reading
                    .tell(ArrayFault::MissingValue { name }, at.clone());
            }
            [(text, _)] => match number(text, self.separator) {
                Some(Read::Number(x) | Read::DecimalComma(x)) => FieldValue::Number(x),
                Some(Read::Truth(truth)) => FieldValue::Truth(truth),
                _ => FieldValue::Text((*text).to_owned()),
            },
            _ => FieldValue::Other,
        };
        let end = rest.last().map_or(at.end, |(_, at)| at.end);
        self.reading.field(name, &value, at.start..end);
    }

    /// A row of numbers of the open part.
    fn row(&mut self, cells: &[Cell<'_>], at: &Range<usize>) {
        let Some((name, index)) = self.open.clone() else {
            return;
        };
        let numbers: Vec<_> = cells
            .iter()
            .map(|(text, _)| number(text, self.separator))
            .collect();
        if numbers.iter().all(Option::is_none) {
            let written = short(cells.first().map_or("", |(text, _)| text));
            let fault = ArrayFault::NotAHeading { written };
            return self.reading.tell(fault, at.clone());
        }
        let parts = self.parts.entry(name).or_default();
        let part = parts.entry(index).or_insert_with(|| Part::new(at.clone()));
        let end = cells.last().map_or(at.end, |(_, at)| at.end);
        part.at.end = end;
        part.rows += 1;
        if part.rows == 1 {
            part.columns = cells.len();
        } else if part.columns != cells.len() {
            part.usable = false;
            let fault = ArrayFault::Ragged {
                row: part.rows.to_string(),
                here: cells.len(),
                first: part.columns,
            };
            self.reading.tell(fault, at.start..end);
        }
        if part.numbers.len() + cells.len() > self.reading.room() {
            let limit = super::MOST_NUMBERS;
            self.reading
                .tell(ArrayFault::TooLarge { limit }, at.clone());
            part.numbers = Vec::new();
            self.open = None;
            part.usable = false;
            return;
        }
        for ((text, at), number) in cells.iter().zip(numbers) {
            let written = short(text);
            let fault = match number {
                Some(Read::Number(x)) => {
                    part.numbers.push(x);
                    part.truths = false;
                    continue;
                }
                Some(Read::Truth(truth)) => {
                    part.numbers.push(f64::from(u8::from(truth)));
                    continue;
                }
                Some(Read::DecimalComma(x)) => {
                    part.numbers.push(x);
                    part.truths = false;
                    if !std::mem::replace(&mut self.said_decimal_commas, true) {
                        self.reading.tell(ArrayFault::DecimalCommas, at.clone());
                    }
                    continue;
                }
                Some(Read::TwoCommas) => ArrayFault::TwoCommas { written },
                Some(Read::TooLarge) => ArrayFault::OutOfRange { written },
                None if text.is_empty() => ArrayFault::EmptyCell,
                None => ArrayFault::NotANumber { written },
            };
            part.usable = false;
            self.reading.tell(fault, at.clone());
        }
    }

    /// An array out of its parts.
    fn array(&mut self, name: &str, parts: BTreeMap<Vec<usize>, Part>) {
        let Some((first_index, first)) = parts.first_key_value() else {
            return;
        };
        let (rows, columns, depth) = (first.rows, first.columns, first_index.len());
        let at = first.at.clone();
        let mut shape = vec![0; depth];
        for (index, part) in &parts {
            if part.usable && (part.rows, part.columns) != (rows, columns) && first.usable {
                let fault = ArrayFault::PartDiffers {
                    name: titled(name, index),
                    rows: part.rows,
                    columns: part.columns,
                    first_rows: rows,
                    first_columns: columns,
                };
                return self.reading.tell(fault, part.at.clone());
            }
            for (most, here) in shape.iter_mut().zip(index) {
                *most = (*most).max(here.saturating_add(1));
            }
        }
        // Every place among the heads has its part: the parts, in order, count through them.
        let mut wanted = vec![0; depth];
        for index in parts.keys() {
            if *index != wanted {
                let (name, part) = (name.to_owned(), titled(name, &wanted));
                return self
                    .reading
                    .tell(ArrayFault::PartMissing { name, part }, at);
            }
            for (here, most) in wanted.iter_mut().zip(&shape).rev() {
                *here += 1;
                if *here < *most {
                    break;
                }
                *here = 0;
            }
        }
        if wanted.iter().any(|here| *here != 0) {
            let (name, part) = (name.to_owned(), titled(name, &wanted));
            return self
                .reading
                .tell(ArrayFault::PartMissing { name, part }, at);
        }
        if parts.values().any(|part| !part.usable) {
            return;
        }
        shape.extend([rows, columns]);
        let truths = parts.values().all(|part| part.truths && part.rows > 0);
        let mut parts = parts.into_values();
        let mut numbers = parts.next().map(|part| part.numbers).unwrap_or_default();
        for part in parts {
            numbers.extend(part.numbers);
        }
        if !self.reading.take_room(numbers.len(), at.clone()) {
            return;
        }
        if let Ok(values) = ArrayD::from_shape_vec(IxDyn(&shape), numbers) {
            let name = Some(name).filter(|name| !name.is_empty());
            self.reading.array(name, Found { values, truths, at });
        }
    }
}

/// What a cell holds.
enum Read {
    Number(f64),
    DecimalComma(f64),
    Truth(bool),
    TwoCommas,
    TooLarge,
}

/// The number in a cell.
fn number(text: &str, separator: char) -> Option<Read> {
    // The common case, first.
    if let Ok(x) = text.parse::<f64>()
        && x.is_finite()
    {
        return Some(Read::Number(x));
    }
    let plain = text.trim().replace('\u{2212}', "-");
    match plain.to_lowercase().as_str() {
        "true" | "wahr" => return Some(Read::Truth(true)),
        "false" | "falsch" => return Some(Read::Truth(false)),
        "∞" | "+∞" => return Some(Read::Number(f64::INFINITY)),
        "-∞" => return Some(Read::Number(f64::NEG_INFINITY)),
        _ => {}
    }
    let has_comma = separator != ',' && plain.contains(',');
    let number = if has_comma {
        let digits = plain.chars().filter(|c| !"+-eE".contains(*c));
        if !digits
            .clone()
            .all(|c| c.is_ascii_digit() || ",.".contains(c))
        {
            return None;
        }
        if digits.filter(|c| ",.".contains(*c)).count() > 1 {
            return Some(Read::TwoCommas);
        }
        plain.replace(',', ".").parse::<f64>()
    } else {
        plain.parse()
    };
    let x = number.ok()?;
    // Digits that come to ∞ were meant to be a number.
    if x.is_infinite() && plain.contains(|c: char| c.is_ascii_digit()) {
        return Some(Read::TooLarge);
    }
    Some(if has_comma {
        Read::DecimalComma(x)
    } else {
        Read::Number(x)
    })
}

/// A line up to a comment after its cells.
fn without_comment(line: &str) -> &str {
    match line.split_once(" #") {
        Some((cells, _)) if !cells.contains('"') => cells,
        _ => line,
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The cells of a line; those at its end that are empty (a spreadsheet fills its lines up) are left out.
fn cells(line: &str, start: usize, separator: char) -> Vec<Cell<'_>> {
    let mut cells = Vec::new();
    let mut from = 0;
    let mut quoted = false;
    let ends = line.char_indices().filter_map(|(at, sign)| {
        quoted ^= sign == '"';
        let separates = sign == separator || separator == ' ' && sign.is_whitespace();
        (separates && !quoted).then_some((at, sign.len_utf8()))
    });
    for (to, width) in ends.chain([(line.len(), 0)]) {
        let raw = line.get(from..to).unwrap_or_default();
        let trimmed = raw.trim();
        let begins = start + from + raw.len() - raw.trim_start().len();
        let at = begins..begins + trimmed.len();
        let inner = trimmed.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        if separator != ' ' || !trimmed.is_empty() {
            cells.push((inner.unwrap_or(trimmed).trim(), at));
        }
        from = to + width;
    }
    while cells.last().is_some_and(|(text, _)| text.is_empty()) {
        cells.pop();
    }
    cells
}

/// `q`, `q[0]`, `q[0][1]`: a name and the place among the heads.
fn heading(text: &str) -> Option<(&str, Vec<usize>)> {
    let (name, mut rest) = text.split_at(text.find('[').unwrap_or(text.len()));
    let mut index = Vec::new();
    while !rest.is_empty() {
        let (digits, after) = rest.strip_prefix('[')?.split_once(']')?;
        index.push(digits.trim().parse().ok()?);
        rest = after;
    }
    let name = name.trim();
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && index.len() + 2 <= super::MOST_AXES).then_some((name, index))
}

/// A name with its place among the heads.
fn titled(name: &str, index: &[usize]) -> String {
    let index: String = index.iter().map(|i| format!("[{i}]")).collect();
    format!("{name}{index}")
}
