//! From a file's text to a quiz: every fault told at its place, a bad question left out, the others kept.
//!
//! This is the fast half, for the window: no Markdown is read and no claim is computed. The slow half is [`super::check`].

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::fault::QuizFault;
use super::file::{
    AttentionFile, ExampleFile, FORMAT, Num, QuestionFile, QuizFile, Rows, WeightedValuesFile,
};
use super::kinds::{Kind, Place};
use super::model::{Origin, Question, Quiz};
use super::names;
use super::reading::{Reading, slug};
use super::tree::{self, Spanned, Tree};
use super::version::version;
use crate::figure::FigureKind;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::worked_example::{AttentionExample, Computed, Field, WeightedValues, WorkedExample};

/// Reads a quiz: the best that can be made of the text, and all that is wrong with it, in the order of the text.
#[must_use]
pub fn read_quiz(
    source: Arc<Source>,
    origin: Origin,
    words: &Words,
) -> (Option<Quiz>, Vec<Diagnostic>) {
    let (tree, told) = tree::parse(Arc::clone(&source), words);
    let mut reading = Reading::new(&source, words, None);
    if let Some((format, range)) = format_of(&tree).filter(|(format, _)| *format > FORMAT) {
        reading.tell(QuizFault::FormatTooNew { format }, range);
        return (None, reading.told);
    }
    let (file, mut told) = tree::read_tree::<QuizFile>(&tree, told, words);
    let quiz = file.map(|file| {
        if file.format.value < FORMAT {
            let fault = QuizFault::FormatUnknown {
                format: file.format.value,
            };
            reading.tell(fault, file.format.range.clone());
        }
        let examples = Examples::read(&file, &tree, &mut reading);
        let questions = read_questions(&file, &examples, &mut reading);
        let id = reading.id(&file.id).unwrap_or_else(|| slug(&file.id.value));
        Quiz {
            id,
            title: file.title.value,
            promise: file.promise,
            language: file.language,
            minutes: file.minutes,
            examples: examples.good,
            questions,
            origin,
            source: Arc::clone(&source),
        }
    });
    told.append(&mut reading.told);
    told.sort_by_key(|d| d.range.start);
    (quiz, told)
}

/// The format a file says it is written in, before anything else is asked of it.
fn format_of(tree: &Tree) -> Option<(u64, Range<usize>)> {
    let field = tree
        .root()
        .children()
        .find(|node| node.name() == Some("format"))?;
    let value = field.value()?;
    value
        .source_text()
        .parse()
        .ok()
        .map(|format| (format, value.range()))
}

/// The examples of a file.
struct Examples {
    good: BTreeMap<String, Arc<WorkedExample>>,
    /// Every name that is written, with those at fault: a question that names one of these is left out without another word.
    named: HashSet<String>,
}

impl Examples {
    fn read(file: &QuizFile, tree: &Tree, reading: &mut Reading<'_>) -> Self {
        let mut good = BTreeMap::new();
        let mut named: HashSet<String> = file
            .examples
            .iter()
            .map(|(name, _)| name.value.clone())
            .collect();
        if file.examples.dropped > 0 {
            let map = tree
                .root()
                .children()
                .find(|node| node.name() == Some("examples"));
            let entries = map.and_then(|field| field.value());
            let keys = entries
                .iter()
                .flat_map(|map| map.children())
                .filter_map(|entry| entry.children().next()?.text());
            named.extend(keys.map(|key| key.into_owned()));
        }
        for (name, example) in file.examples.iter() {
            let id = reading.id(name);
            let computable = read_example(&example.value, &example.range, reading);
            if let (Some(id), Some(computable)) = (id, computable) {
                good.insert(id, Arc::new(computable));
            }
        }
        if file.questions.dropped == 0 {
            let used: HashSet<&str> = file
                .questions
                .iter()
                .filter_map(|q| q.example.as_ref())
                .map(|e| e.value.as_str())
                .collect();
            for (name, _) in file
                .examples
                .iter()
                .filter(|(name, _)| !used.contains(name.value.as_str()))
            {
                reading.tell(
                    QuizFault::ExampleUnused {
                        name: name.value.clone(),
                    },
                    name.range.clone(),
                );
            }
        }
        Self { good, named }
    }
}

fn read_example(
    file: &ExampleFile,
    range: &Range<usize>,
    reading: &mut Reading<'_>,
) -> Option<WorkedExample> {
    let example = match file {
        ExampleFile::WeightedValues(file) => read_weighted(file, reading)?,
        ExampleFile::Attention(file) => read_attention(file, reading)?,
    };
    match Computed::new(&example) {
        Ok(_) => Some(example),
        Err(problem) => {
            let said = reading.words.say(&problem.message());
            reading.tell(
                QuizFault::Example { said },
                field_range(file, problem.field).unwrap_or_else(|| range.clone()),
            );
            None
        }
    }
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
        scale,
    } = file;
    let focus = focus.as_ref().map_or(Some(0), |focus| {
        names::token(&focus.value, &tokens.value)
            .map_err(|said| reading.tell(QuizFault::FocusUnknown { said }, focus.range.clone()))
            .ok()
    });
    let (q, k, v) = (array(q, reading), array(k, reading), array(v, reading));
    let scale = match scale {
        Some(scale) => reading.number(scale).map(Some),
        None => Some(None),
    };
    Some(WorkedExample::Attention(AttentionExample {
        tokens: tokens.value.clone(),
        q: q?,
        k: k?,
        v: v?,
        scale: scale?,
        focus: focus?,
    }))
}

/// All numbers, or nothing where one of them is at fault; each fault is told.
fn numbers(written: &[Num], reading: &mut Reading<'_>) -> Option<Vec<f64>> {
    let read: Vec<Option<f64>> = written
        .iter()
        .map(|number| reading.number(number))
        .collect();
    read.into_iter().collect()
}

/// Rows of equal width as an array.
fn array(rows: &Rows, reading: &mut Reading<'_>) -> Option<Array2<f64>> {
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
        match numbers(&row.value, reading) {
            Some(row) => flat.extend(row),
            None => good = false,
        }
    }
    let array = good.then(|| Array2::from_shape_vec((rows.value.len(), first), flat).ok());
    array.flatten()
}

/// The questions that can be asked; all others are told.
fn read_questions(
    file: &QuizFile,
    examples: &Examples,
    reading: &mut Reading<'_>,
) -> Vec<Arc<Question>> {
    if file.questions.is_empty() && file.questions.dropped == 0 {
        reading.tell(QuizFault::NoQuestions, file.title.range.clone());
    }
    let mut first_places: HashMap<&str, Range<usize>> = HashMap::new();
    let mut questions = Vec::with_capacity(file.questions.len());
    for question in file.questions.iter() {
        let id = &question.value.id;
        let first = first_places.get(id.value.as_str()).cloned();
        match first {
            Some(first) => {
                let fault = QuizFault::QuestionIdTwice {
                    id: id.value.clone(),
                };
                reading.tell_with_first(fault, id.range.clone(), first);
            }
            None => {
                first_places.insert(&id.value, id.range.clone());
            }
        }
        let is_first = first_places.get(id.value.as_str()) == Some(&id.range);
        questions.extend(
            read_question(question, examples, reading)
                .filter(|_| is_first)
                .map(Arc::new),
        );
    }
    questions
}

fn read_question(
    file: &Spanned<QuestionFile>,
    examples: &Examples,
    outer: &mut Reading<'_>,
) -> Option<Question> {
    let QuestionFile {
        id,
        example,
        focus,
        prompt,
        asks,
        kind,
        hints,
        explanation,
        figures,
    } = &file.value;
    let mut good = true;
    let example = match example {
        None => None,
        Some(name) => match examples.good.get(&name.value) {
            Some(example) => Some((name.value.clone(), Arc::clone(example))),
            None => {
                if !examples.named.contains(&name.value) {
                    outer.tell(unknown_example(&name.value, examples), name.range.clone());
                }
                good = false;
                None
            }
        },
    };
    let example = match (focus, example) {
        (Some(focus), Some((name, example))) => {
            let focused = with_focus(&example, &focus.value)
                .map_err(|fault| outer.tell(fault, focus.range.clone()));
            good &= focused.is_ok();
            focused.ok().map(|focused| (name, Arc::new(focused)))
        }
        (Some(focus), None) if good => {
            outer.tell(QuizFault::FocusWithoutAttention, focus.range.clone());
            good = false;
            None
        }
        (_, example) => example,
    };
    let mut reading = Reading::new(
        outer.source,
        outer.words,
        example.as_ref().map(|(_, e)| e.as_ref()),
    );
    let id = reading.id(id);
    let prompt = reading.template(prompt);
    let asks = asks.as_ref().map(|asks| reading.quantity(asks));
    let named = asks.flatten();
    let place = Place {
        range: kind.range.clone(),
        asks: named,
    };
    // What is wrong with `asks` is told already; the kind must not tell that there is none.
    let kind = match asks {
        Some(None) => Kind::read(&kind.value, &place, &mut reading).filter(|_| false),
        _ => Kind::read(&kind.value, &place, &mut reading),
    };
    let hints: Vec<_> = hints
        .iter()
        .filter_map(|hint| reading.template(hint))
        .collect();
    let explanation = reading.optional(explanation.as_ref());
    let usable = good && reading.errors == 0;
    // Without its example, which is told, all that needs one would be told as well: only what stands by itself is.
    outer.told.extend(
        reading
            .told
            .into_iter()
            .filter(|told| good || stands_by_itself(told)),
    );
    outer.errors += reading.errors;
    let kind = kind.filter(|_| usable)?;
    let asks = named.map(|named| named.quantity);
    let figures = figures
        .clone()
        .unwrap_or_else(|| default_figures(example.as_ref().map(|(_, e)| e.as_ref())));
    Some(Question {
        id: id?,
        version: version(&kind, asks, example.as_ref().map(|(_, e)| e.as_ref())),
        example,
        prompt: prompt?,
        asks,
        kind,
        hints,
        explanation,
        figures,
        range: file.range.clone(),
    })
}

/// Whether a fault does not come from there being no example.
fn stands_by_itself(told: &Diagnostic) -> bool {
    let needs_example = [
        QuizFault::PlaceholderWithoutExample {
            name: String::new(),
        },
        QuizFault::QuantityWithoutExample,
        QuizFault::KindWithoutExample,
        QuizFault::NothingRight,
    ];
    told.severity != Severity::Error
        || !needs_example.iter().any(|fault| fault.row().0 == told.code)
}

fn unknown_example(name: &str, examples: &Examples) -> QuizFault {
    let name_owned = name.to_owned();
    match tree::nearest(name, examples.named.iter().map(String::as_str)) {
        Some(nearest) => QuizFault::UnknownExampleDidYouMean {
            name: name_owned,
            nearest: nearest.to_owned(),
        },
        None => QuizFault::UnknownExample { name: name_owned },
    }
}

/// The example with another focus word.
fn with_focus(example: &WorkedExample, focus: &str) -> Result<WorkedExample, QuizFault> {
    let WorkedExample::Attention(attention) = example else {
        return Err(QuizFault::FocusWithoutAttention);
    };
    let at =
        names::token(focus, &attention.tokens).map_err(|said| QuizFault::FocusUnknown { said })?;
    if attention.q.nrows() == 1 && at != attention.focus {
        return Err(QuizFault::FocusOneQuery);
    }
    Ok(example.with_focus(at))
}

fn default_figures(example: Option<&WorkedExample>) -> Vec<FigureKind> {
    match example {
        None => Vec::new(),
        Some(WorkedExample::WeightedValues(_)) => vec![
            FigureKind::Balance,
            FigureKind::Weights,
            FigureKind::Sampler,
        ],
        Some(WorkedExample::Attention(_)) => vec![FigureKind::Weights, FigureKind::Steps],
    }
}
