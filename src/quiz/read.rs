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
use super::tree::{self, Spanned, Tree};
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
    let quiz = file.map(|file| {
        if file.format.value < FORMAT {
            let fault = QuizFault::FormatUnknown {
                format: file.format.value,
            };
            reading.tell(fault, file.format.range.clone());
        }
        let mut examples = Examples::read(&file, &tree, &mut reading);
        let questions = read_questions(&file, &mut examples, &mut reading);
        let id = reading.id(&file.id).unwrap_or_else(|| slug(&file.id.value));
        Quiz {
            id,
            title: file.title.value,
            promise: file.promise,
            language: file.language,
            minutes: file.minutes,
            examples: examples.into_good(),
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

/// The questions that can be asked; all others are told.
fn read_questions(
    file: &QuizFile,
    examples: &mut Examples,
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
