//! What the window shows, as plain data: the quizzes, the runs through them, the screen, what lies over it. Changed only in `handling.rs`.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::asking::Asking;
use super::command::{Command, Context};
use super::messages::AppMsg;
use super::outbox::FocusWish;
use super::paths::PathForm;
use super::picture::Image;
use super::settings::{DataFolder, Settings};
use super::widgets::Toasts;
use crate::quiz::{Library, Quiz};
use crate::study::Session;
use crate::text::spoken;
use crate::words::{Message, Words};
use crate::worked_example::{Computed, WorkedExample};

/// The screen that is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Screen {
    /// The quizzes.
    Learn,
    /// The question of the run at hand.
    Question,
    /// The end of the run at hand.
    Summary,
    /// What was found in opened files.
    Problems,
    /// The settings.
    Settings,
    /// Opening a file or folder.
    Open(PathForm),
    /// Saving something.
    Save(Saving),
}

/// What is about to be saved.
#[derive(Clone, Debug, PartialEq)]
pub enum SaveWhat {
    /// The results of this run, as Markdown.
    Results,
    /// The figure: a picture (PNG, SVG) or its table (CSV), by the ending of the name.
    Figure,
}

/// Saving: what, where to.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    /// What.
    pub what: SaveWhat,
    /// Where to.
    pub path: PathForm,
}

/// What lies over the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The list of commands and questions.
    Palette {
        /// What was typed.
        filter: String,
        /// The line that Enter takes.
        selected: usize,
    },
    /// The list of keys.
    Keys,
}

/// One run through a quiz, with its questions as they stand.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was asked and answered.
    pub session: Session,
    /// The questions that were on the screen, by id.
    askings: BTreeMap<String, Asking>,
}

impl Run {
    /// A run that begins.
    #[must_use]
    pub fn new(session: Session, words: &Words) -> Self {
        let mut run = Self {
            session,
            askings: BTreeMap::new(),
        };
        run.put(words);
        run
    }

    /// The question at hand.
    #[must_use]
    pub fn asking(&self) -> Option<&Asking> {
        self.askings.get(&self.session.question()?.id)
    }

    /// The question at hand, to be changed.
    pub fn asking_mut(&mut self) -> Option<&mut Asking> {
        let id = &self.session.question()?.id;
        self.askings.get_mut(id)
    }

    /// Goes to a question by its place; past the last one is the summary.
    pub fn go_to(&mut self, place: usize, words: &Words) {
        self.session.go_to(place);
        self.put(words);
    }

    /// Asks the question at hand anew.
    pub fn ask_again(&mut self, asking: Asking) {
        self.askings.insert(asking.question.id.clone(), asking);
    }

    /// The same run over a newer reading of its quiz.
    pub fn reread(&mut self, quiz: &Arc<Quiz>, words: &Words) {
        self.session = self.session.with_quiz(Arc::clone(quiz));
        let old = std::mem::take(&mut self.askings);
        for question in &quiz.questions {
            if let Some(asking) = old.get(&question.id) {
                self.askings.insert(
                    question.id.clone(),
                    asking.reread(Arc::clone(question), words),
                );
            }
        }
        self.put(words);
    }

    /// Fills every text anew: the words, or how numbers are written, changed.
    pub fn say_again(&mut self, words: &Words) {
        for asking in self.askings.values_mut() {
            asking.fill(words);
        }
    }

    /// Makes sure that the question at hand can be shown.
    fn put(&mut self, words: &Words) {
        if let Some(question) = self.session.question() {
            let question = Arc::clone(question);
            self.askings
                .entry(question.id.clone())
                .or_insert_with(|| Asking::new(question, words));
        }
    }
}

/// What the state cannot do itself: it needs the window, the disk or another thread. Done by [`super::App`] after the frame's changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Puts text on the clipboard.
    CopyText(String),
    /// Puts a picture on the clipboard.
    CopyPicture(Image),
    /// Reads all files again.
    Load,
    /// Writes a file.
    Write {
        /// Where to.
        path: PathBuf,
        /// What.
        bytes: Vec<u8>,
    },
    /// Writes the settings.
    WriteSettings,
}

/// A question as the palette lists it.
#[derive(Clone, Debug)]
pub struct ListedQuestion {
    /// Its id.
    pub id: String,
    /// Its quiz's id.
    pub quiz: String,
    /// Its quiz's title.
    pub title: String,
    /// Its prompt, as text.
    pub prompt: String,
    /// In what a search looks: prompt, title and id in small letters.
    pub searched: String,
}

/// The whole state.
pub struct AppState {
    /// The words of the interface.
    pub words: Arc<Words>,
    /// The learner's settings.
    pub settings: Settings,
    /// Where they lie.
    pub data: DataFolder,
    /// Files and folders that were opened, the latest first.
    pub paths: Vec<PathBuf>,
    /// The quizzes and what was found in their files.
    pub library: Library,
    /// The questions as the palette lists them: filled once, when they are first looked for.
    pub(super) prompts: OnceCell<Vec<ListedQuestion>>,
    /// Whether files are being read.
    pub loading: bool,
    /// Whether to say so when they have been read: they were read before.
    pub tells_reading: bool,
    /// The screen.
    pub screen: Screen,
    /// The screen that *Back* leads to from settings, problems, opening and saving.
    pub before: Vec<Screen>,
    /// What lies over it.
    pub overlay: Option<Overlay>,
    /// The quiz of the run at hand.
    pub quiz: Option<String>,
    /// The runs by quiz.
    pub runs: BTreeMap<String, Run>,
    /// What was answered since the program started, by quiz and question.
    pub answered: BTreeMap<String, BTreeSet<String>>,
    /// Short messages on the screen.
    pub toasts: Toasts,
    /// Where the focus should go next.
    pub focus: Option<FocusWish>,
    /// What is to be done outside.
    pub effects: Vec<Effect>,
    /// The clock of the frames.
    pub now_seconds: f64,
    /// Whether the theme shown is dark; pictures to be copied are drawn in it.
    pub dark: bool,
}

impl AppState {
    /// The state at the start, with the built-in quizzes.
    #[must_use]
    pub fn new(mut data: DataFolder, paths: Vec<PathBuf>) -> Self {
        let settings = data.read_settings();
        let mut words = Words::english();
        words.decimal = settings.decimal.into();
        let library = Library::load(&[], None, &words);
        let mut state = Self {
            words: Arc::new(words),
            settings,
            data,
            paths,
            library,
            prompts: OnceCell::new(),
            loading: false,
            tells_reading: false,
            screen: Screen::Learn,
            before: Vec::new(),
            overlay: None,
            quiz: None,
            runs: BTreeMap::new(),
            answered: BTreeMap::new(),
            toasts: Toasts::default(),
            focus: None,
            effects: Vec::new(),
            now_seconds: 0.0,
            dark: false,
        };
        if state.data.problem.is_some() {
            state.tell(&AppMsg::SettingsNotRead);
        }
        state
    }

    /// Shows a short message.
    pub fn tell(&mut self, message: &impl Message) {
        self.toasts.push(self.words.say(message));
    }

    /// The quiz with this id.
    #[must_use]
    pub fn find_quiz(&self, id: &str) -> Option<&Arc<Quiz>> {
        self.library.quizzes.iter().find(|quiz| quiz.id == id)
    }

    /// Every question of every quiz, with its prompt filled.
    #[must_use]
    pub fn listed_questions(&self) -> &[ListedQuestion] {
        self.prompts.get_or_init(|| {
            let questions = self
                .library
                .quizzes
                .iter()
                .flat_map(|quiz| quiz.questions.iter().map(move |question| (quiz, question)));
            let listed = questions.map(|(quiz, question)| {
                let example = question.example.as_ref();
                let computed = example.and_then(|(_, example)| Computed::new(example).ok());
                let asked = question.ask(computed.as_ref(), &self.words);
                let prompt = spoken::spoken(&asked.prompt, &self.words);
                ListedQuestion {
                    searched: format!("{prompt} {} {}", quiz.title, question.id).to_lowercase(),
                    id: question.id.clone(),
                    quiz: quiz.id.clone(),
                    title: quiz.title.clone(),
                    prompt,
                }
            });
            listed.collect()
        })
    }

    /// The run at hand.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.runs.get(self.quiz.as_ref()?)
    }

    /// The run at hand, to be changed.
    pub fn run_mut(&mut self) -> Option<&mut Run> {
        self.runs.get_mut(self.quiz.as_ref()?)
    }

    /// The question on the screen.
    #[must_use]
    pub fn asking(&self) -> Option<&Asking> {
        if self.screen == Screen::Question {
            self.run()?.asking()
        } else {
            None
        }
    }

    /// The question on the screen, to be changed.
    pub fn asking_mut(&mut self) -> Option<&mut Asking> {
        if self.screen == Screen::Question {
            self.run_mut()?.asking_mut()
        } else {
            None
        }
    }

    /// The quizzes that can be gone through, the one whose run is under way first: one goes on where one stopped.
    #[must_use]
    pub fn quizzes_to_learn(&self) -> Vec<&Arc<Quiz>> {
        let begun = self
            .quiz
            .as_ref()
            .filter(|id| self.stopped_at(id).is_some());
        let mut quizzes: Vec<&Arc<Quiz>> = self
            .library
            .quizzes
            .iter()
            .filter(|quiz| !quiz.questions.is_empty())
            .collect();
        quizzes.sort_by_key(|quiz| Some(&quiz.id) != begun);
        quizzes
    }

    /// The quiz that *Begin* begins or goes on with.
    #[must_use]
    pub fn first_quiz(&self) -> Option<&Arc<Quiz>> {
        self.quizzes_to_learn().first().copied()
    }

    /// Where the run of a quiz stands (from 1) and of how many; `None` where none is under way.
    #[must_use]
    pub fn stopped_at(&self, quiz: &str) -> Option<(usize, usize)> {
        let session = &self.runs.get(quiz)?.session;
        let questions = session.order().len();
        let begun = session.at() > 0 || session.summary().unanswered < questions;
        (begun && session.question().is_some()).then_some((session.at() + 1, questions))
    }

    /// How much of a quiz was answered since the program started, 0 to 1.
    #[must_use]
    pub fn share_answered(&self, quiz: &Quiz) -> f32 {
        let answered = self.answered.get(&quiz.id);
        let is_done = |id: &String| answered.is_some_and(|answered| answered.contains(id));
        let done = quiz.questions.iter().filter(|q| is_done(&q.id)).count();
        done as f32 / quiz.questions.len().max(1) as f32
    }

    /// What a key means just now.
    #[must_use]
    pub fn context(&self) -> Context {
        match &self.screen {
            Screen::Learn => Context::Learn,
            Screen::Question if self.asking().is_some_and(Asking::is_answered) => {
                Context::Explained
            }
            Screen::Question => Context::Asking,
            Screen::Summary => Context::Summary,
            Screen::Problems => Context::Problems,
            Screen::Settings => Context::Settings,
            Screen::Open(_) | Screen::Save(_) => Context::Path,
        }
    }

    /// Whether a command can be done just now.
    #[must_use]
    pub fn can(&self, command: Command) -> bool {
        if !command.contexts().contains(&self.context()) {
            return false;
        }
        let asking = self.asking();
        let live = asking.and_then(|asking| asking.live.as_ref());
        let shown = asking.and_then(Asking::figure_shown);
        use crate::figure::FigureKind;
        match command {
            Command::Begin => self.first_quiz().is_some(),
            Command::Pick(number) => {
                asking.is_some_and(|asking| asking.choice_at(number).is_some())
            }
            Command::Submit => asking.is_some_and(Asking::can_submit),
            Command::Next => true,
            Command::PreviousQuestion => self.run().is_some_and(|run| run.session.at() > 0),
            Command::NextQuestion => self
                .run()
                .is_some_and(|run| run.session.at() + 1 < run.session.order().len()),
            Command::Hint => {
                asking.is_some_and(|asking| asking.hints_open < asking.asked().hints.len())
            }
            Command::OtherNumbers => asking.is_some_and(|asking| asking.question.renumberable()),
            Command::Reset => live.is_some_and(|live| {
                live.is_changed() || live.written_out || live.draws().is_some()
            }),
            Command::Undo => live.is_some_and(super::live::Live::can_undo),
            Command::Redo => live.is_some_and(super::live::Live::can_redo),
            Command::Table => shown.is_some(),
            Command::NextFigure => asking.is_some_and(|asking| asking.figures().len() > 1),
            Command::WriteOut => {
                shown == Some(FigureKind::Balance)
                    && live.is_some_and(|live| {
                        matches!(live.now().example(), WorkedExample::WeightedValues(_))
                            && live.now().example().whole_counts()
                    })
            }
            Command::EqualWeights => {
                matches!(shown, Some(FigureKind::Balance | FigureKind::Weights))
            }
            Command::DrawTen | Command::DrawHundred | Command::DrawThousand => {
                shown == Some(FigureKind::Sampler)
            }
            Command::CopyPicture | Command::SavePicture => shown.is_some(),
            Command::CopyReply => asking.is_some(),
            Command::AgainThose => self
                .run()
                .is_some_and(|run| !run.session.summary().missed.is_empty()),
            Command::SaveResults | Command::StartAgain => self.run().is_some(),
            Command::Problems | Command::CopyProblems => !self.library.diagnostics.is_empty(),
            Command::Back => self.overlay.is_some() || self.screen != Screen::Learn,
            Command::Reload
            | Command::Open
            | Command::Learn
            | Command::Settings
            | Command::Palette
            | Command::Keys
            | Command::ToggleTheme => true,
        }
    }
}
