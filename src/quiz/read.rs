//! From a file's text to a quiz: every fault told at its place, a bad question left out, the others kept.
//!
//! This is the fast half, for the window: no Markdown is read and no claim is computed. The slow half is [`super::check`].

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::fault::QuizFault;
use super::file::{
    AttentionFile, ExampleFile, FORMAT, Num, QuestionFile, QuizFile, Rows, Text, WeightedValuesFile,
};
use super::kinds::{Kind, Place};
use super::model::{Origin, Question, Quiz};
use super::names::{self, NameMsg};
use super::reading::{Reading, slug};
use super::tree::{self, Items, Node, NodeKind, Spanned, Tree};
use super::version::version;
use crate::figure::{self, FigureKind};
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::worked_example::{
    AttentionExample, Computed, ExampleMsg, ExampleProblem, Field, WeightedValues, WorkedExample,
};

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
        if let Some(format) = file.format.0.as_ref().filter(|f| f.value < FORMAT) {
            let fault = QuizFault::FormatUnknown {
                format: format.value,
            };
            reading.tell(fault, format.range.clone());
        }
        let head = Head::read(&file, &source, &mut reading);
        let examples = Examples::read(&file, &tree, &mut reading);
        let questions = read_questions(&file.questions, &tree, &examples, &told, &mut reading);
        Quiz {
            id: head.id,
            title: head.title,
            promise: file.promise.value().unwrap_or_default(),
            language: file.language.value().unwrap_or_else(|| "en".to_owned()),
            minutes: file.minutes.value(),
            examples: examples.good,
            questions,
            origin,
            source: Arc::clone(&source),
        }
    });
    told.append(&mut reading.told);
    blame_decimal_commas(&mut told);
    told.sort_by_key(|d| d.range.start);
    (quiz, told)
}

/// What a quiz is known by; where that cannot be read, which is told, the name of its file has to do.
struct Head {
    id: String,
    title: String,
}

impl Head {
    fn read(file: &QuizFile, source: &Source, reading: &mut Reading<'_>) -> Self {
        let file_name = std::path::Path::new(&source.name).file_stem();
        let file_name = file_name.unwrap_or_default().to_string_lossy();
        let title = file.title.0.as_ref();
        let id = file.id.0.as_ref();
        Self {
            id: id
                .and_then(|id| reading.id(id).or_else(|| Some(slug(&id.value))))
                .unwrap_or_else(|| slug(&file_name)),
            title: title.map_or_else(|| file_name.clone().into_owned(), |t| t.value.clone()),
        }
    }
}

/// Where numbers do not fit together because a decimal comma made two of one, the comma is the fault, and the only one told.
fn blame_decimal_commas(told: &mut Vec<Diagnostic>) {
    let misfits = [
        QuizFault::Example {
            said: String::new(),
        },
        QuizFault::RowsDiffer { first: 0, here: 0 },
    ]
    .map(|fault| fault.row().0);
    let (misfit, mut others): (Vec<_>, Vec<_>) = std::mem::take(told)
        .into_iter()
        .partition(|d| misfits.contains(&d.code));
    for misfit in misfit {
        let line_of = |byte: usize| {
            let text = misfit.source.as_ref().and_then(|s| s.text.get(..byte));
            text.map_or(0, |t| t.rfind('\n').map_or(0, |n| n + 1))
        };
        let line = line_of(misfit.range.start);
        let mut blamed = false;
        for comma in others
            .iter_mut()
            .filter(|d| d.code == tree::codes::DECIMAL_COMMA.id)
        {
            if comma.range.start >= line && comma.range.start <= misfit.range.end {
                comma.severity = Severity::Error;
                blamed = true;
            }
        }
        if !blamed {
            others.push(misfit);
        }
    }
    *told = others;
}

/// The format a file says it is written in, before anything else is asked of it.
fn format_of(tree: &Tree) -> Option<(u64, Range<usize>)> {
    let value = field_of(tree, "format")?.value()?;
    value
        .source_text()
        .parse()
        .ok()
        .map(|format| (format, value.range()))
}

/// A field of the file.
fn field_of<'a>(tree: &'a Tree, name: &str) -> Option<Node<'a>> {
    tree.root()
        .children()
        .find(|node| node.name() == Some(name))
}

/// The examples of a file.
struct Examples {
    good: BTreeMap<String, Arc<WorkedExample>>,
    /// Every name that is written, with those at fault: a question that names one of these is left out without another word.
    named: HashSet<String>,
}

impl Examples {
    fn read(file: &QuizFile, tree: &Tree, reading: &mut Reading<'_>) -> Self {
        let QuizFile {
            examples,
            questions,
            ..
        } = file;
        let mut good = BTreeMap::new();
        let mut named: HashSet<String> = examples
            .iter()
            .map(|(name, _)| name.value.clone())
            .collect();
        if examples.dropped > 0 {
            let map = field_of(tree, "examples");
            let entries = map.and_then(|field| field.value());
            let keys = entries
                .iter()
                .flat_map(|map| map.children())
                .filter_map(|entry| entry.children().next())
                .map(|key| key.text().unwrap_or_else(|| key.source_text().into()));
            named.extend(keys.map(|key| key.into_owned()));
        }
        for (name, example) in examples.iter() {
            let id = reading.id(name);
            let computable = read_example(&example.value, &example.range, reading);
            if let (Some(id), Some(computable)) = (id, computable) {
                good.insert(id, Arc::new(computable));
            }
        }
        if questions.dropped == 0 {
            let used: HashSet<&str> = questions
                .iter()
                .filter_map(|q| q.example.as_ref())
                .map(|e| e.value.as_str())
                .collect();
            let is_unused = |name: &str| !used.contains(name) && !name.is_empty();
            for (name, _) in examples.iter().filter(|(name, _)| is_unused(&name.value)) {
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
    let before = reading.errors;
    let example = match file {
        ExampleFile::WeightedValues(file) => read_weighted(file, reading)?,
        ExampleFile::Attention(file) => read_attention(file, reading)?,
    };
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
    // With an unknown focus word the rest is computed from the first one, to tell what else is wrong.
    let focus = focus.as_ref().map_or(0, |focus| {
        names::token(&focus.value, &tokens.value)
            .map_err(|said| focus_unknown(said, focus, reading))
            .unwrap_or(0)
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
        focus,
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

/// The questions that can be asked; all others are told. One whose form is at fault is read too, for what else is wrong with it.
fn read_questions(
    file: &Items<QuestionFile>,
    tree: &Tree,
    examples: &Examples,
    told: &[Diagnostic],
    reading: &mut Reading<'_>,
) -> Vec<Arc<Question>> {
    let written = field_of(tree, "questions").and_then(|field| field.value());
    if let Some(list) = written.filter(|list| list.kind() == NodeKind::List)
        && list.children().next().is_none()
    {
        reading.tell(QuizFault::NoQuestions, list.range());
    }
    let mut all: Vec<&Spanned<QuestionFile>> = file.items.iter().chain(&file.flawed).collect();
    all.sort_by_key(|question| question.range.start);
    let mut first_places: HashMap<&str, Range<usize>> = HashMap::new();
    let mut questions = Vec::with_capacity(file.len());
    for question in all {
        let id = &question.value.id;
        // A missing id is papered over by an empty one at no place of its own.
        let has_id = !question.is_flawed || !id.value.is_empty();
        let first = first_places
            .get(id.value.as_str())
            .filter(|_| has_id)
            .cloned();
        let is_first = first.is_none();
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
        if question.is_flawed {
            let mut more = Reading::new(reading.source, reading.words, None);
            let _ = read_question(question, examples, &mut more);
            more.told.retain(|found| stands_beside(found, told));
            reading.told.append(&mut more.told);
        } else {
            questions.extend(
                read_question(question, examples, reading)
                    .filter(|_| is_first)
                    .map(Arc::new),
            );
        }
    }
    questions
}

/// Whether a fault found in a question whose form is at fault is one of its own: it is about something that is written, and not about
/// what was papered over.
fn stands_beside(found: &Diagnostic, told: &[Diagnostic]) -> bool {
    let about_what_is_written = [
        "Q054", "Q057", "Q059", "Q060", "Q061", "Q062", "Q065", "Q066", "Q068", "Q069", "Q071",
        "Q074", "Q076",
    ];
    let overlaps = |other: &Diagnostic| {
        other.range.start < found.range.end.max(found.range.start + 1)
            && found.range.start < other.range.end.max(other.range.start + 1)
    };
    about_what_is_written.contains(&found.code) && !told.iter().any(overlaps)
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
                    tell_unknown_example(name, examples, outer);
                }
                good = false;
                None
            }
        },
    };
    let example = match (focus, example) {
        (Some(focus), Some((name, example))) => {
            let focused = with_focus(&example, &focus.value).map_err(|fault| match fault {
                QuizFault::FocusUnknown { said } => focus_unknown(said, focus, outer),
                fault => outer.tell(fault, focus.range.clone()),
            });
            good &= focused.is_ok();
            Some((name, focused.map_or(example, Arc::new)))
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
    let before_kind = reading.told.len();
    let kind = Kind::read(&kind.value, &place, &mut reading);
    if asks == Some(None) {
        // What is wrong with `asks` is told already, not once more as if there were none.
        let nothing_right = QuizFault::NothingRight.row().0;
        let of_kind = reading.told.split_off(before_kind);
        let others = of_kind.into_iter().filter(|d| d.code != nothing_right);
        reading.told.extend(others);
    }
    let hints: Vec<_> = hints
        .iter()
        .filter_map(|hint| reading.template(hint))
        .collect();
    let explanation = reading.optional(explanation.as_ref());
    let drawn_for = reading.example.filter(|_| good);
    for figure in figures.iter().flatten().filter(|_| good) {
        if !drawn_for.is_some_and(|example| figure::applies(figure.value, example)) {
            let fault = QuizFault::FigureDoesNotApply {
                figure: figure::name(figure.value, reading.words),
            };
            reading.tell(fault, figure.range.clone());
        }
    }
    let usable = good && reading.errors == 0;
    // Without its example, which is told, all that needs one would be told as well: only what stands by itself is.
    let has_example = example.is_some();
    outer.told.extend(
        reading
            .told
            .into_iter()
            .filter(|told| good || has_example || stands_by_itself(told)),
    );
    outer.errors += reading.errors;
    let kind = kind.filter(|_| usable)?;
    let asks = named.map(|named| named.quantity);
    let figures = figures.as_ref().map_or_else(
        || default_figures(example.as_ref().map(|(_, e)| e.as_ref())),
        |figures| figures.iter().map(|figure| figure.value).collect(),
    );
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

fn tell_unknown_example(name: &Text, examples: &Examples, reading: &mut Reading<'_>) {
    let Spanned { value, range, .. } = name;
    let name = value.clone();
    match tree::nearest(value, examples.named.iter().map(String::as_str)) {
        Some(nearest) => {
            let nearest = nearest.to_owned();
            let quoted = format!("\"{nearest}\"");
            reading.tell(
                QuizFault::UnknownExampleDidYouMean { name, nearest },
                range.clone(),
            );
            reading.mend_last(range.clone(), quoted);
        }
        None => reading.tell(QuizFault::UnknownExample { name }, range.clone()),
    }
}

fn focus_unknown(said: NameMsg, focus: &Text, reading: &mut Reading<'_>) {
    let fault = QuizFault::FocusUnknown { said: said.clone() };
    reading.tell_name(fault, &said, focus.range.clone());
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
