//! The examples of a quiz file: read, computed once to see that they can be, and kept with their hashes for the questions that name them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::fault::QuizFault;
use super::file::{
    AttentionFile, Cells, ExampleFile, Num, PositionsName, QuestionFile, RawNum, Rows, Text,
    WeightedValuesFile,
};
use super::names;
use super::reading::Reading;
use super::tree::{self, Entries, Items, OrMinusInfinity, Spanned, Tree};
use super::version::{ExampleHash, example_hash};
use crate::attention::{Positions, Rotary, Spec, Window};
use crate::worked_example::{
    AttentionExample, Computed, ExampleMsg, ExampleProblem, Field, WeightedValues, WorkedExample,
};

/// An example has at most so many items, and rows at most so wide: it is there to be looked at, and its table of weights grows with the square.
pub const MOST: usize = 256;

/// The examples of a file.
pub(super) struct Examples {
    good: BTreeMap<String, Known>,
    /// Every name that is written, with those at fault: a question that names one of these is left out without another word.
    named: HashSet<String>,
    /// Those with another focus word, made once for all questions that want them.
    focused: HashMap<(String, usize), Known>,
}

/// An example that can be computed.
#[derive(Clone)]
pub(super) struct Known {
    pub example: Arc<WorkedExample>,
    pub hash: ExampleHash,
}

impl Known {
    fn new(example: WorkedExample) -> Self {
        Self {
            hash: example_hash(&example),
            example: Arc::new(example),
        }
    }
}

impl Examples {
    /// Reads all of them; what is at fault is told.
    pub fn read(
        file: &Entries<ExampleFile>,
        questions: &Items<QuestionFile>,
        tree: &Tree,
        reading: &mut Reading<'_>,
    ) -> Self {
        let mut good = BTreeMap::new();
        for (name, example) in file.iter() {
            let id = reading.id(name);
            let computable = read_example(&example.value, &example.range, reading);
            if let (Some(id), Some(computable)) = (id, computable) {
                good.insert(id, Known::new(computable));
            }
        }
        // A question that could not be read may be the one that uses an example.
        if questions.dropped == 0 {
            tell_unused(file, questions, reading);
        }
        Self {
            good,
            named: names_in_file(file, tree),
            focused: HashMap::new(),
        }
    }

    /// The good ones by id.
    pub fn into_good(self) -> BTreeMap<String, Arc<WorkedExample>> {
        self.good
            .into_iter()
            .map(|(name, known)| (name, known.example))
            .collect()
    }

    /// The example that a question names, from its own focus word where it has one; `None` where that is at fault, which is told.
    pub fn find(
        &mut self,
        name: &Text,
        focus: Option<&Text>,
        reading: &mut Reading<'_>,
    ) -> Option<Known> {
        let Some(known) = self.good.get(&name.value) else {
            if !self.named.contains(&name.value) {
                reading.tell(self.unknown(&name.value), name.range.clone());
            }
            return None;
        };
        let Some(focus) = focus else {
            return Some(known.clone());
        };
        match focus_at(&known.example, &focus.value) {
            Ok(at) => {
                let make = || Known::new(known.example.with_focus(at));
                Some(
                    self.focused
                        .entry((name.value.clone(), at))
                        .or_insert_with(make)
                        .clone(),
                )
            }
            Err(fault) => {
                reading.tell(fault, focus.range.clone());
                None
            }
        }
    }

    fn unknown(&self, name: &str) -> QuizFault {
        let name_owned = name.to_owned();
        match tree::nearest(name, self.named.iter().map(String::as_str)) {
            Some(nearest) => QuizFault::UnknownExampleDidYouMean {
                name: name_owned,
                nearest: nearest.to_owned(),
            },
            None => QuizFault::UnknownExample { name: name_owned },
        }
    }
}

/// Every name of an example, also of those that could not be read.
fn names_in_file(file: &Entries<ExampleFile>, tree: &Tree) -> HashSet<String> {
    let mut named: HashSet<String> = file.iter().map(|(name, _)| name.value.clone()).collect();
    if file.dropped > 0 {
        let map = tree
            .root()
            .children()
            .find(|node| node.name() == Some("examples"));
        let entries = map.and_then(|field| field.value());
        let keys = entries
            .iter()
            .flat_map(|map| map.children())
            .filter_map(|entry| entry.children().next())
            .map(|key| key.text().unwrap_or_else(|| key.source_text().into()));
        named.extend(keys.map(|key| key.into_owned()));
    }
    named
}

fn tell_unused(
    file: &Entries<ExampleFile>,
    questions: &Items<QuestionFile>,
    reading: &mut Reading<'_>,
) {
    let used: HashSet<&str> = questions
        .iter()
        .filter_map(|q| q.example.as_ref())
        .map(|e| e.value.as_str())
        .collect();
    for (name, _) in file
        .iter()
        .filter(|(name, _)| !used.contains(name.value.as_str()) && !name.value.is_empty())
    {
        reading.tell(
            QuizFault::ExampleUnused {
                name: name.value.clone(),
            },
            name.range.clone(),
        );
    }
}

/// Where the focus word that a question wants stands among the tokens.
fn focus_at(example: &WorkedExample, focus: &str) -> Result<usize, QuizFault> {
    let WorkedExample::Attention(attention) = example else {
        return Err(QuizFault::FocusWithoutAttention);
    };
    let at =
        names::token(focus, &attention.tokens).map_err(|said| QuizFault::FocusUnknown { said })?;
    if attention.q.nrows() == 1 && at != attention.focus {
        return Err(QuizFault::FocusOneQuery);
    }
    Ok(at)
}

/// The widest row of an example.
fn width(example: &WorkedExample) -> usize {
    match example {
        WorkedExample::WeightedValues(_) => 1,
        WorkedExample::Attention(AttentionExample { q, k, v, .. }) => {
            q.ncols().max(k.ncols()).max(v.ncols())
        }
    }
}

fn read_example(
    file: &ExampleFile,
    range: &Range<usize>,
    reading: &mut Reading<'_>,
) -> Option<WorkedExample> {
    let before = reading.errors;
    let example = match file {
        ExampleFile::WeightedValues(file) => read_weighted(file, reading)?,
        ExampleFile::Attention(file) => read_attention(file, reading)?,
    };
    let (items, width) = (names::item_count(&example), width(&example));
    if items > MOST || width > MOST {
        let fault = QuizFault::ExampleTooLarge {
            items,
            width,
            limit: MOST,
        };
        reading.tell(fault, range.start..range.start + 1);
        return None;
    }
    match Computed::new(&example) {
        Ok(_) => Some(example).filter(|_| reading.errors == before),
        Err(problem) => {
            let said = reading.words.say(&problem.message());
            reading.tell(
                QuizFault::Example { said },
                item_range(file, &problem)
                    .or_else(|| field_range(file, problem.field))
                    .unwrap_or_else(|| range.clone()),
            );
            None
        }
    }
}

/// Where the very number at fault stands, where it is one of a list.
fn item_range(file: &ExampleFile, problem: &ExampleProblem) -> Option<Range<usize>> {
    let item = match problem.what {
        ExampleMsg::NegativeCount { item }
        | ExampleMsg::TooLarge { item }
        | ExampleMsg::NotFinite { item } => item.checked_sub(1)?,
        _ => return None,
    };
    let ExampleFile::WeightedValues(file) = file else {
        return None;
    };
    let numbers = match problem.field {
        Field::Values => &file.values,
        Field::Counts => &file.counts,
        _ => return None,
    };
    numbers.value.get(item).map(|number| number.range.clone())
}

/// Where the field at fault stands.
fn field_range(file: &ExampleFile, field: Field) -> Option<Range<usize>> {
    match (file, field) {
        (ExampleFile::WeightedValues(file), Field::Values) => Some(file.values.range.clone()),
        (ExampleFile::WeightedValues(file), Field::Counts) => Some(file.counts.range.clone()),
        (ExampleFile::WeightedValues(_), _) => None,
        (ExampleFile::Attention(file), field) => match field {
            Field::Tokens => Some(file.tokens.range.clone()),
            Field::Q => Some(file.q.range.clone()),
            Field::K => Some(file.k.range.clone()),
            Field::V => Some(file.v.range.clone()),
            Field::Scale => file.scale.as_ref().map(|s| s.range.clone()),
            Field::Focus => file.focus.as_ref().map(|f| f.range.clone()),
            Field::Keep => file.keep.as_ref().map(|keep| keep.range.clone()),
            Field::Bias => file.bias.as_ref().map(|bias| bias.range.clone()),
            Field::Temperature => file.temperature.as_ref().map(|t| t.range.clone()),
            Field::Softcap => file.softcap.as_ref().map(|cap| cap.range.clone()),
            Field::Positions => file.positions.as_ref().map(|p| p.range.clone()),
            Field::Values | Field::Counts => None,
        },
    }
}

fn read_weighted(file: &WeightedValuesFile, reading: &mut Reading<'_>) -> Option<WorkedExample> {
    let WeightedValuesFile {
        unit,
        holders,
        values,
        counts,
    } = file;
    let (values, counts) = (
        numbers(&values.value, reading),
        numbers(&counts.value, reading),
    );
    Some(WorkedExample::WeightedValues(WeightedValues {
        unit: unit.clone(),
        holders: holders.clone(),
        values: values?,
        counts: counts?,
    }))
}

fn read_attention(file: &AttentionFile, reading: &mut Reading<'_>) -> Option<WorkedExample> {
    let AttentionFile {
        tokens,
        focus,
        q,
        k,
        v,
        keep,
        bias,
        ..
    } = file;
    // With an unknown focus word the rest is computed from the first one, to tell what else is wrong.
    let focus = focus.as_ref().map_or(0, |focus| {
        names::token(&focus.value, &tokens.value)
            .map_err(|said| reading.tell(QuizFault::FocusUnknown { said }, focus.range.clone()))
            .unwrap_or(0)
    });
    let (q, k, v) = (array(q, reading), array(k, reading), array(v, reading));
    let keep = keep
        .as_ref()
        .map(|keep| cells(keep, reading, |row, _| Some(row.to_vec())));
    let bias = bias.as_ref().map(|bias| cells(bias, reading, biases));
    let spec = read_spec(file, reading);
    let q = q?;
    let queries = q.nrows();
    Some(WorkedExample::Attention(AttentionExample {
        tokens: tokens.value.clone(),
        q,
        k: k?,
        v: v?,
        keep: given(keep)?.map(|keep| for_all(keep, queries)),
        bias: given(bias)?.map(|bias| for_all(bias, queries)),
        spec: spec?,
        focus,
    }))
}

/// One row is for all queries, as in files of arrays.
fn for_all<T: Clone>(rows: Array2<T>, queries: usize) -> Array2<T> {
    match rows.broadcast((queries, rows.ncols())) {
        Some(wide) if rows.nrows() == 1 => wide.to_owned(),
        _ => rows,
    }
}

/// The conventions; nothing where one of their numbers is at fault.
fn read_spec(file: &AttentionFile, reading: &mut Reading<'_>) -> Option<Spec> {
    let AttentionFile {
        scale,
        temperature,
        softcap,
        causal,
        window_left,
        window_right,
        empty_row,
        normaliser,
        positions,
        ..
    } = file;
    let [scale, temperature, softcap] =
        [scale, temperature, softcap].map(|number| number.as_ref().map(|n| reading.number(n)));
    let positions = positions.as_ref().map(|of| match &of.value {
        PositionsName::Alibi => Some(Positions::Alibi),
        PositionsName::Rotary { pairs, base } => {
            let base = given(base.as_ref().map(|base| reading.number(base)))?;
            Some(Positions::Rotary(Rotary {
                pairs: (*pairs).into(),
                base: base.unwrap_or(ROTARY_BASE),
            }))
        }
    });
    let usual = Spec::default();
    Some(Spec {
        scale: given(scale)?,
        temperature: given(temperature)?.unwrap_or(usual.temperature),
        softcap: given(softcap)?,
        causal: causal.map(Into::into),
        window: Window {
            left: *window_left,
            right: *window_right,
        },
        empty_row: empty_row.map_or(usual.empty_row, Into::into),
        normaliser: normaliser.map_or(usual.normaliser, Into::into),
        positions: given(positions)?.unwrap_or(usual.positions),
        ..usual
    })
}

/// The base of rotary positions in their paper.
const ROTARY_BASE: f64 = 10_000.0;

/// What may be left out: nothing where it is at fault.
fn given<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        Some(None) => None,
        Some(given) => Some(given),
        None => Some(None),
    }
}

/// Numbers of which `-inf`, which hides a key, is one.
fn biases(
    written: &[Spanned<OrMinusInfinity<RawNum>>],
    reading: &mut Reading<'_>,
) -> Option<Vec<f64>> {
    let read: Vec<Option<f64>> = written
        .iter()
        .map(|cell| match &cell.value {
            OrMinusInfinity::MinusInfinity => Some(f64::NEG_INFINITY),
            OrMinusInfinity::Value(number) => reading.number(&Spanned {
                value: number.clone(),
                range: cell.range.clone(),
                is_flawed: cell.is_flawed,
            }),
        })
        .collect();
    read.into_iter().collect()
}

/// All numbers, or nothing where one of them is at fault; each fault is told.
fn numbers(written: &[Num], reading: &mut Reading<'_>) -> Option<Vec<f64>> {
    let read: Vec<Option<f64>> = written
        .iter()
        .map(|number| reading.number(number))
        .collect();
    read.into_iter().collect()
}

/// Rows of equal width as an array of numbers.
fn array(rows: &Rows, reading: &mut Reading<'_>) -> Option<Array2<f64>> {
    cells(rows, reading, numbers)
}

/// Rows of equal width as an array, each read by `read`.
fn cells<T, Cell>(
    rows: &Cells<T>,
    reading: &mut Reading<'_>,
    read: impl Fn(&[T], &mut Reading<'_>) -> Option<Vec<Cell>>,
) -> Option<Array2<Cell>> {
    let first = rows.value.first().map_or(0, |row| row.value.len());
    let mut flat = Vec::with_capacity(rows.value.len() * first);
    let mut good = true;
    for row in &rows.value {
        if row.value.len() != first {
            reading.tell(
                QuizFault::RowsDiffer {
                    first,
                    here: row.value.len(),
                },
                row.range.clone(),
            );
            good = false;
        }
        match read(&row.value, reading) {
            Some(row) => flat.extend(row),
            None => good = false,
        }
    }
    let array = good.then(|| Array2::from_shape_vec((rows.value.len(), first), flat).ok());
    array.flatten()
}
