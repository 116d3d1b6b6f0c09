//! From a file's text to a quiz: every fault told at its place, a bad question left out, the others kept.
//!
//! This is the fast half, for the window: no Markdown is read and no claim is computed. The slow half is [`super::check`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::examples::Examples;
use super::fault::QuizFault;
use super::file::{FORMAT, QuestionFile, QuizFile};
use super::kinds::{Kind, Place};
use super::model::{Origin, Question, Quiz};
use super::reading::{Reading, slug};
use super::tree::{self, Items, Node, NodeKind, Spanned, Tree};
use super::version::version;
use crate::figure::{self, FigureKind};
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::worked_example::WorkedExample;

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
        let Head { id, title } = Head::read(&file, &source, &mut reading);
        let mut examples = Examples::read(&file.examples, &file.questions, &tree, &mut reading);
        let questions = read_questions(&file.questions, &tree, &mut examples, &told, &mut reading);
        Quiz {
            id,
            title,
            promise: file.promise.value().unwrap_or_default(),
            language: file.language.value().unwrap_or_else(|| "en".to_owned()),
            minutes: file.minutes.value(),
            examples: examples.into_good(),
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

/// A field of the file.
fn field_of<'a>(tree: &'a Tree, name: &str) -> Option<Node<'a>> {
    tree.root()
        .children()
        .find(|node| node.name() == Some(name))
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

/// The questions that can be asked; all others are told. One whose form is at fault is read too, for what else is wrong with it.
fn read_questions(
    file: &Items<QuestionFile>,
    tree: &Tree,
    examples: &mut Examples,
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
    examples: &mut Examples,
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
    let known = example
        .as_ref()
        .map(|name| examples.find(name, focus.as_ref(), outer));
    if let (Some(focus), None) = (focus, example) {
        outer.tell(QuizFault::FocusWithoutAttention, focus.range.clone());
    }
    let good = known.as_ref().is_none_or(Option::is_some) && (focus.is_none() || example.is_some());
    let known = known.flatten();
    let mut reading = Reading::new(
        outer.source,
        outer.words,
        known.as_ref().map(|known| known.example.as_ref()),
    );
    reading.example_at_fault = example.is_some() && known.is_none();
    let id = reading.id(id);
    let prompt = reading.template(prompt);
    let asks = asks.as_ref().map(|asks| reading.quantity(asks));
    let named = asks.flatten();
    let place = Place {
        range: kind.range.clone(),
        asks: named,
        is_asked: asks.is_some(),
    };
    let kind = Kind::read(&kind.value, &place, &mut reading);
    let hints: Vec<_> = hints
        .iter()
        .filter_map(|hint| reading.template(hint))
        .collect();
    let explanation = reading.optional(explanation.as_ref());
    for figure in figures.iter().flatten().filter(|_| good) {
        let applies = |example| figure::applies(figure.value, example);
        if !reading.example.is_some_and(applies) {
            let fault = QuizFault::FigureDoesNotApply {
                figure: figure::name(figure.value, reading.words),
            };
            reading.tell(fault, figure.range.clone());
        }
    }
    let usable = good && reading.errors == 0;
    outer.told.append(&mut reading.told);
    outer.errors += reading.errors;
    let kind = kind.filter(|_| usable)?;
    let asks = named.map(|named| named.quantity);
    let of_known = known.as_ref().map(|known| known.example.as_ref());
    Some(Question {
        id: id?,
        version: version(&kind, asks, known.as_ref().map(|known| &known.hash)),
        figures: figures.as_ref().map_or_else(
            || default_figures(of_known),
            |figures| figures.iter().map(|figure| figure.value).collect(),
        ),
        example: example
            .as_ref()
            .zip(known)
            .map(|(name, known)| (name.value.clone(), known.example)),
        prompt: prompt?,
        asks,
        kind,
        hints,
        explanation,
        range: file.range.clone(),
    })
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
