//! What a learner or an author waits for: from the answer to the explanation's frame, and the reading of many questions.
//!
//! `cargo bench --bench spine`. Goals: the frame's median under 4 ms and none above 16 ms; 10,000 questions under 200 ms.

use std::cell::RefCell;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use attention_tutor::app::asking::Asking;
use attention_tutor::app::picture_screens::state_for;
use attention_tutor::app::theme::{self, Motion};
use attention_tutor::app::{App, AppState};
use attention_tutor::quiz::{Form, Library, Origin, check_quiz, read_quiz};
use attention_tutor::words::Words;
use attention_tutor::words::diagnostic::Source;
use egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, Theme, Vec2};

fn main() {
    divan::main();
}

/// A window of 1280×800 points without a window system.
struct Desk {
    ctx: Context,
    app: App,
}

impl Desk {
    fn new(state: AppState) -> Self {
        let ctx = Context::default();
        theme::install(&ctx, Motion::Off);
        ctx.set_theme(Theme::Light);
        let app = App::new(&ctx, state);
        let mut desk = Self { ctx, app };
        for _ in 0..4 {
            desk.frame(Vec::new());
        }
        desk
    }

    /// On from an explanation; false at the end of the quiz.
    fn to_next_question(&self) -> bool {
        self.app
            .state
            .run()
            .is_some_and(|run| run.session.at() + 1 < run.session.order().len())
    }

    /// Goes on to the next question, where this one is answered, and gives an answer to it, all but the last Enter.
    fn prepare_answer(&mut self) {
        if self.app.state.asking().is_some_and(Asking::is_answered) {
            self.frame(press(Key::Enter));
            self.frame(Vec::new());
        }
        let form = &self.app.state.asking().unwrap().asked().form;
        let answer = match form {
            Form::Choices(_) => press(Key::Num2),
            Form::Number { .. } => vec![Event::Text("80".to_owned())],
            Form::Weights { .. } => Vec::new(),
        };
        for _ in 0..3 {
            self.frame(Vec::new());
        }
        self.frame(answer);
        for _ in 0..3 {
            self.frame(Vec::new());
        }
        assert!(self.app.state.asking().unwrap().can_submit());
    }

    /// One pass and its tessellation: what the processor does for a frame; returns the number of triangles' vertices.
    fn frame(&mut self, events: Vec<Event>) -> usize {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1280.0, 800.0))),
            focused: true,
            events,
            ..RawInput::default()
        };
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| app.show(ui));
        output.textures_delta.clear();
        let clipped = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        clipped.len()
    }
}

fn press(key: Key) -> Vec<Event> {
    [true, false]
        .map(|pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        })
        .into()
}

/// The first quiz as a learner goes through it, ten times: from each Enter to the frame on which its explanation stands (two passes: the key's own,
/// and the one that draws what it changed). The median is that of the 14 questions; the slowest is the first answer of a fresh window.
#[divan::bench(sample_count = 140)]
fn answer_to_explanation(bencher: divan::Bencher<'_, '_>) {
    let desk = RefCell::new(None::<Desk>);
    bencher
        .with_inputs(|| {
            let mut slot = desk.borrow_mut();
            let mut at_hand = slot
                .take()
                .filter(|desk: &Desk| desk.to_next_question())
                .unwrap_or_else(|| Desk::new(state_for("question:1", None).unwrap()));
            at_hand.prepare_answer();
            *slot = Some(at_hand);
        })
        .bench_local_values(|()| {
            let mut slot = desk.borrow_mut();
            let desk = slot.as_mut().unwrap();
            black_box(desk.frame(press(Key::Enter)) + desk.frame(Vec::new()))
        });
}

/// The same for the very first answer in a fresh window, when no letter of it was drawn before.
#[divan::bench(args = ["question:1:picked=2", "question:2:picked=2", "question:10"], sample_count = 100)]
fn first_answer_to_explanation(bencher: divan::Bencher<'_, '_>, screen: &str) {
    bencher
        .with_inputs(|| Desk::new(state_for(screen, None).unwrap()))
        .bench_local_refs(|desk| black_box(desk.frame(press(Key::Enter)) + desk.frame(Vec::new())));
}

/// A frame of the explanation as it stands, such as one while a block is dragged.
#[divan::bench(sample_count = 300)]
fn a_frame_of_the_explanation(bencher: divan::Bencher<'_, '_>) {
    let mut desk = Desk::new(state_for("question:2:answered=2", None).unwrap());
    bencher.bench_local(|| black_box(desk.frame(Vec::new())));
}

/// A quiz of `questions` questions, each with its own numbers.
fn quiz_of(questions: usize, id: usize) -> String {
    let mut text = format!("Quiz(format: 1, id: \"many-{id}\", title: \"Many\", examples: {{\n");
    for n in 0..questions {
        let (a, b) = (n % 50, n % 7 + 1);
        text += &format!(
            "  \"e{n}\": WeightedValues(unit: \"points\", holders: \"people\", values: [{a}, {}, {}], counts: [{b}, 9, 2]),\n",
            a + 10,
            a + 30
        );
    }
    text += "}, questions: [\n";
    for n in 0..questions {
        text += &format!(
            "  Question(id: \"q{n}\", example: \"e{n}\", asks: WeightedAverage,\n    prompt: r\"{{=Counts}} people got {{=values}} points. Which \
             operation gives the mean of all?\",\n    kind: OneOf([\n      Wrong(text: r\"their sum\", claims: Sum, why: r\"It is {{=sum}}.\"),\n      \
             Right(text: r\"their weighted average\", claims: WeightedAverage, why: r\"{{=weighted_terms}} = {{=weighted_average}}\"),\n      \
             Wrong(text: r\"the highest\", claims: Highest, why: r\"It is {{=highest}}.\"),\n    ]), hints: [r\"Think of the beam.\"]),\n"
        );
    }
    text + "])\n"
}

/// 10,000 questions in one text.
#[divan::bench(sample_count = 20)]
fn read_10_000_questions_in_one_file(bencher: divan::Bencher<'_, '_>) {
    let words = Words::english();
    let source = Arc::new(Source {
        name: "many.ron".to_owned(),
        path: None,
        text: quiz_of(10_000, 0),
    });
    bencher.bench_local(|| {
        let (quiz, told) = read_quiz(Arc::clone(&source), Origin::BuiltIn("many"), &words);
        assert_eq!(quiz.unwrap().questions.len(), 10_000, "{told:?}");
    });
}

/// 10,000 questions in 100 files of a folder, from disk.
#[divan::bench(sample_count = 20)]
fn read_10_000_questions_in_100_files(bencher: divan::Bencher<'_, '_>) {
    let words = Words::english();
    let folder = tempfile::tempdir().unwrap();
    for id in 0..100 {
        fs::write(
            folder.path().join(format!("many-{id}.ron")),
            quiz_of(100, id),
        )
        .unwrap();
    }
    let paths: Vec<PathBuf> = vec![folder.path().to_owned()];
    bencher.bench_local(|| {
        let library = Library::opened(&paths, &words);
        assert_eq!(
            library
                .quizzes
                .iter()
                .map(|quiz| quiz.questions.len())
                .sum::<usize>(),
            10_000
        );
    });
}

/// The proofs of 10,000 questions by the engine.
#[divan::bench(sample_count = 5)]
fn check_10_000_questions(bencher: divan::Bencher<'_, '_>) {
    let words = Words::english();
    let source = Arc::new(Source {
        name: "many.ron".to_owned(),
        path: None,
        text: quiz_of(10_000, 0),
    });
    let quiz = read_quiz(source, Origin::BuiltIn("many"), &words)
        .0
        .unwrap();
    bencher.bench_local(|| black_box(check_quiz(&quiz, &words).proved.len()));
}
