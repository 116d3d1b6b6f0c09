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
use super::tree::codes::MISSING_FIELD;
use super::tree::{self, Items, Lenient, ReadMsg, Spanned, Tree};
use super::version::version;
use crate::figure::FigureKind;
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
    let quiz = file.map(|file| read_file(file, &tree, origin, &mut reading));
    told.append(&mut reading.told);
    told.sort_by_key(|d| d.range.start);
    (quiz, told)
}

fn read_file(file: QuizFile, tree: &Tree, origin: Origin, reading: &mut Reading<'_>) -> Quiz {
    tell_missing(tree, reading);
    if let Some(format) = file
        .format
        .0
        .as_ref()
        .filter(|format| format.value < FORMAT)
    {
        reading.tell(
            QuizFault::FormatUnknown {
                format: format.value,
            },
            format.range.clone(),
        );
    }
    let questions = file.questions;
    let has_list = tree
        .root()
        .children()
        .any(|node| node.name() == Some("questions"));
    if has_list && questions.is_empty() && questions.dropped == 0 {
        reading.tell(QuizFault::NoQuestions, tree.root().head());
    }
    let mut examples = Examples::read(&file.examples, &questions, tree, reading);
    let questions = read_questions(&questions, &mut examples, reading);
    let text = |text: Lenient<String>| text.0.map(|text| text.value).unwrap_or_default();
    let id = file
        .id
        .0
        .and_then(|id| reading.id(&id).or_else(|| Some(slug(&id.value))))
        .unwrap_or_default();
    let title = text(file.title);
    let language = text(file.language);
    Quiz {
        // A quiz without an id is told as such; until it has one it can be looked at all the same.
        id: [id, slug(&title), slug(&reading.source.name)]
            .into_iter()
            .find(|id| !id.is_empty())
            .unwrap_or_default(),
        title,
        promise: text(file.promise),
        language: if language.is_empty() {
            "en".to_owned()
        } else {
            language
        },
        minutes: file.minutes.0.map(|minutes| minutes.value),
        examples: examples.into_good(),
        questions,
        origin,
        source: Arc::clone(reading.source),
    }
}

/// Tells the fields that a quiz must have and has not. The head is read leniently, so the reader does not.
fn tell_missing(tree: &Tree, reading: &mut Reading<'_>) {
    let root = tree.root();
    let has = |field: &str| {
        root.children().any(|node| {
            node.name()
                .is_some_and(|name| tree::nearest(name, [field]).is_some())
        })
    };
    for name in ["format", "id", "title", "questions"]
        .into_iter()
        .filter(|name| !has(name))
    {
        let what = ReadMsg::MissingField {
            name: name.to_owned(),
            owner: "Quiz".to_owned(),
        };
        let source = Some(Arc::clone(reading.source));
        let told = Diagnostic::new(
            reading.words,
            MISSING_FIELD.id,
            Severity::Error,
            source,
            root.head(),
            &what,
        );
        reading.told.push(told.with_remedy(
            reading.words,
            &ReadMsg::AddField {
                name: name.to_owned(),
            },
        ));
        reading.errors += 1;
    }
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

/// The questions that can be asked; all others are told.
fn read_questions(
    file: &Items<QuestionFile>,
    examples: &mut Examples,
    reading: &mut Reading<'_>,
) -> Vec<Arc<Question>> {
    let mut first_places: HashMap<&str, Range<usize>> = HashMap::new();
    let mut questions = Vec::with_capacity(file.len());
    for question in file.iter() {
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
    let usable = good && reading.errors == 0;
    outer.told.append(&mut reading.told);
    outer.errors += reading.errors;
    let kind = kind.filter(|_| usable)?;
    let asks = named.map(|named| named.quantity);
    let of_known = known.as_ref().map(|known| known.example.as_ref());
    Some(Question {
        id: id?,
        version: version(&kind, asks, known.as_ref().map(|known| &known.hash)),
        figures: figures.clone().unwrap_or_else(|| default_figures(of_known)),
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
