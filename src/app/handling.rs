//! What every command and every change does to the state. Nothing else changes it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::Command;
use super::figures;
use super::jobs::Told;
use super::messages::AppMsg;
use super::outbox::{Change, FocusWish, Sent};
use super::paths::PathForm;
use super::reply;
use super::settings::ThemeChoice;
use super::state::{AppState, Effect, Overlay, Run, SaveWhat, Saving, Screen};
use crate::quiz::{Form, Origin, Verdict};
use crate::study::{Session, results_markdown};
use crate::worked_example::Edit;

impl AppState {
    /// Does what a screen or a key sent.
    pub fn receive(&mut self, sent: Sent) {
        match sent {
            Sent::Command(command) if self.can(command) => self.command(command),
            Sent::Command(_) => {}
            Sent::Change(change) => self.change(change),
        }
    }

    /// Takes in what a background job told.
    pub fn hear(&mut self, told: Told) {
        match told {
            Told::Loaded { library, paths } => {
                // An answer to an older question is late: another load is under way.
                if paths == self.paths {
                    self.loading = false;
                    self.take_library(*library);
                    if std::mem::take(&mut self.tells_reading) {
                        self.tell(&AppMsg::ReadAgain {
                            n: self.library.diagnostics.len(),
                        });
                    }
                }
            }
            Told::FilesChanged => self.read_again(),
            Told::Saved(path) => self.tell(&AppMsg::Saved {
                path: path.display().to_string(),
            }),
            Told::NotSaved { path, why } => self.tell(&AppMsg::NotSaved {
                path: path.display().to_string(),
                why,
            }),
            Told::Fell(job) => {
                self.loading = false;
                self.tell(&AppMsg::JobFell { job });
            }
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Begin => {
                if let Some(id) = self.first_quiz().map(|quiz| quiz.id.clone()) {
                    self.begin(&id);
                }
            }
            Command::Open => self.go_over(Screen::Open(PathForm::in_folder(&self.start_folder()))),
            Command::Learn => self.go_learn(),
            Command::Settings => self.go_over(Screen::Settings),
            Command::Problems => self.go_over(Screen::Problems),
            Command::Palette => {
                let open = matches!(self.overlay, Some(Overlay::Palette { .. }));
                self.overlay = (!open).then(|| Overlay::Palette {
                    filter: String::new(),
                    selected: 0,
                });
                self.focus = Some(FocusWish::Field);
            }
            Command::Keys => {
                let open = self.overlay == Some(Overlay::Keys);
                self.overlay = (!open).then_some(Overlay::Keys);
            }
            Command::Back => self.back(),
            Command::Reload => self.read_again(),
            Command::Pick(number) => self.pick(number),
            Command::Submit => self.submit(),
            Command::Next => self.next(),
            Command::PreviousQuestion => self.go_to_place(|at| at.saturating_sub(1)),
            Command::NextQuestion => self.go_to_place(|at| at + 1),
            Command::Hint => {
                if let Some(asking) = self.asking_mut() {
                    asking.hints_open += 1;
                }
            }
            Command::OtherNumbers => self.ask_again(),
            Command::Reset => self.live(|live, _| {
                live.reset();
                Ok(())
            }),
            Command::Undo => self.live(|live, _| {
                live.undo();
                Ok(())
            }),
            Command::Redo => self.live(|live, _| {
                live.redo();
                Ok(())
            }),
            Command::WriteOut => self.live(|live, _| {
                live.written_out = !live.written_out;
                Ok(())
            }),
            Command::EqualWeights => {
                self.live(|live, words| live.edit(Edit::EqualWeights, false, words))
            }
            Command::DrawTen => self.draw(10),
            Command::DrawHundred => self.draw(100),
            Command::DrawThousand => self.draw(1000),
            Command::Table => {
                if let Some(asking) = self.asking_mut() {
                    asking.as_table = !asking.as_table;
                }
            }
            Command::NextFigure => {
                if let Some(asking) = self.asking_mut() {
                    asking.figure = (asking.figure + 1) % asking.figures().len().max(1);
                }
            }
            Command::CopyReply => {
                if let Some(text) = self
                    .asking()
                    .and_then(|asking| reply::markdown(asking, &self.words))
                {
                    self.effects.push(Effect::CopyText(text));
                    self.tell(&AppMsg::ReplyCopied);
                }
            }
            Command::CopyPicture => {
                if let Some(picture) = self
                    .asking()
                    .and_then(|asking| figures::picture(asking, &self.words, self.dark))
                {
                    self.effects.push(Effect::CopyPicture(picture));
                    self.tell(&AppMsg::PictureCopied);
                }
            }
            Command::SavePicture => {
                let Some(asking) = self.asking() else { return };
                let name = format!("{}.png", asking.question.id);
                let path = self.save_folder().join(name);
                self.go_over(Screen::Save(Saving {
                    what: SaveWhat::Figure,
                    path: PathForm::of_file(&path),
                }));
            }
            Command::SaveResults => {
                let Some(quiz) = &self.quiz else { return };
                let path = self.save_folder().join(format!("{quiz}.md"));
                self.go_over(Screen::Save(Saving {
                    what: SaveWhat::Results,
                    path: PathForm::of_file(&path),
                }));
            }
            Command::AgainThose => {
                let words = Arc::clone(&self.words);
                if let Some(run) = self.run_mut() {
                    *run = Run::new(run.session.again_those(), &words);
                    self.screen = Screen::Question;
                    self.focus = Some(FocusWish::Choice(0));
                }
            }
            Command::StartAgain => {
                if let Some(id) = self.quiz.clone() {
                    self.start_again(&id);
                }
            }
            Command::CopyProblems => {
                let text = super::screens::problems_text(self);
                self.effects.push(Effect::CopyText(text));
                self.tell(&AppMsg::ProblemsCopied);
            }
            Command::ToggleTheme => {
                self.settings.theme = if self.dark {
                    ThemeChoice::Light
                } else {
                    ThemeChoice::Dark
                };
                self.effects.push(Effect::WriteSettings);
            }
        }
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Set {
                target,
                value,
                continuing,
            } => {
                self.live(|live, words| live.set(target, value, continuing, words));
            }
            Change::Typed(text) => {
                if let Some(asking) = self.asking_mut() {
                    asking.typed = text;
                    asking.not_counted = None;
                }
            }
            Change::BeginQuiz(id) => self.begin(&id),
            Change::StartAgain(id) => self.start_again(&id),
            Change::GoTo { quiz, question } => {
                self.overlay = None;
                self.begin(&quiz);
                // A run through what was missed does not hold every question: then the whole quiz is gone through.
                if self.place_in_run(&question).is_none() {
                    self.start_again(&quiz);
                }
                if let Some(place) = self.place_in_run(&question) {
                    self.go_to_place(|_| place);
                }
            }
            Change::GoToPlace(place) => self.go_to_place(|_| place),
            Change::ShowFigure(place) => {
                if let Some(asking) = self.asking_mut() {
                    asking.figure = place;
                }
            }
            Change::Focus(token) => {
                let words = Arc::clone(&self.words);
                let changed = self
                    .asking_mut()
                    .map(|asking| asking.focus_on(token, &words));
                if let Some(Err(why)) = changed {
                    self.toasts.push(why);
                }
            }
            Change::Settings(settings) => {
                let decimal = settings.decimal;
                self.settings = *settings;
                Arc::make_mut(&mut self.words).decimal = decimal.into();
                self.prompts.take();
                for run in self.runs.values_mut() {
                    run.say_again(&self.words);
                }
                self.effects.push(Effect::WriteSettings);
            }
            Change::ReplaceSettings => {
                self.data.problem = None;
                self.effects.push(Effect::WriteSettings);
            }
            Change::PathTyped(text) => {
                if let Some(form) = self.path_form() {
                    form.type_text(text);
                }
            }
            Change::EnterFolder(folder) => {
                if let Some(form) = self.path_form() {
                    form.enter(&folder);
                }
                self.focus = Some(FocusWish::Field);
            }
            Change::OpenPath(path) => self.open(path),
            Change::SaveHere => self.save(),
            Change::Filter(text) => {
                self.overlay = Some(Overlay::Palette {
                    filter: text,
                    selected: 0,
                })
            }
            Change::Select(line) => {
                if let Some(Overlay::Palette { selected, .. }) = &mut self.overlay {
                    *selected = line;
                }
            }
        }
    }

    fn read_again(&mut self) {
        self.tells_reading = true;
        self.effects.push(Effect::Load);
    }

    /// Begins a quiz, or goes on where its run stands; a run that is over begins anew.
    fn begin(&mut self, id: &str) {
        let over = self
            .runs
            .get(id)
            .is_none_or(|run| run.session.question().is_none());
        if over {
            self.start_again(id);
        } else {
            self.show_run(id);
        }
    }

    /// A new run through the whole quiz. One without a question that could be read has none: its window would be blank.
    fn start_again(&mut self, id: &str) {
        let quiz = self.find_quiz(id).filter(|quiz| !quiz.questions.is_empty());
        let Some(quiz) = quiz.cloned() else { return };
        let run = Run::new(Session::new(quiz), &self.words);
        self.runs.insert(id.to_owned(), run);
        self.show_run(id);
    }

    fn show_run(&mut self, id: &str) {
        self.quiz = Some(id.to_owned());
        self.before.clear();
        self.screen = Screen::Question;
        self.focus_on_question();
    }

    fn place_in_run(&self, question: &str) -> Option<usize> {
        let order = self.run()?.session.order();
        order.iter().position(|id| id == question)
    }

    fn pick(&mut self, number: u8) {
        let Some(asking) = self.asking_mut() else {
            return;
        };
        let Some(id) = asking.choice_at(number).map(str::to_owned) else {
            return;
        };
        if asking.is_answered() {
            if !asking.opened.remove(&id) {
                asking.opened.insert(id);
            }
        } else {
            asking.picked = Some(id);
            asking.not_counted = None;
            self.focus = Some(FocusWish::Choice(usize::from(number) - 1));
        }
    }

    fn submit(&mut self) {
        let (words, motion, now) = (
            Arc::clone(&self.words),
            self.settings.motion,
            self.now_seconds,
        );
        let Some(run) = self.run_mut() else { return };
        let Some(asking) = run.asking_mut() else {
            return;
        };
        let hints = asking.hints_open;
        let Some((answer, marking)) = asking.submit(&words) else {
            self.focus = Some(FocusWish::Field);
            return;
        };
        if let Some(live) = &mut asking.live {
            live.let_go_seconds = (motion && live.released.is_some()).then_some(now);
        }
        let question = asking.question.id.clone();
        let asked_with = asking
            .live
            .as_ref()
            .map(|live| live.asked_with().example().clone());
        run.session
            .keep(asked_with.as_ref(), &answer, &marking, hints);
        if let Some(quiz) = self.quiz.clone() {
            self.answered.entry(quiz).or_default().insert(question);
        }
        self.focus = Some(FocusWish::Main);
    }

    fn next(&mut self) {
        if self.screen == Screen::Summary {
            if self.can(Command::AgainThose) {
                self.command(Command::AgainThose);
            } else {
                self.go_learn();
            }
            return;
        }
        self.go_to_place(|at| at + 1);
        if self
            .run()
            .is_some_and(|run| run.session.question().is_none())
        {
            self.screen = Screen::Summary;
            self.focus = Some(FocusWish::Main);
        }
    }

    fn go_to_place(&mut self, place: impl FnOnce(usize) -> usize) {
        let words = Arc::clone(&self.words);
        if let Some(run) = self.run_mut() {
            run.go_to(place(run.session.at()), &words);
            self.screen = Screen::Question;
            self.focus_on_question();
        }
    }

    /// A new question begins at its first choice or field; an answered one at the way on.
    fn focus_on_question(&mut self) {
        self.focus = self.asking().map(|asking| match asking.asked().form {
            _ if asking.is_answered() => FocusWish::Main,
            Form::Number { .. } => FocusWish::Field,
            Form::Choices(_) => FocusWish::Choice(0),
            Form::Weights { .. } => FocusWish::Main,
        });
    }

    fn ask_again(&mut self) {
        let words = Arc::clone(&self.words);
        if let Some(run) = self.run_mut()
            && let Some(again) = run.asking().map(|asking| asking.renumbered(&words))
        {
            run.ask_again(again);
            self.focus_on_question();
        }
    }

    fn draw(&mut self, more: u64) {
        self.live(|live, _| {
            // The seed is a constant on purpose: two learners who draw a hundred see, and can talk about, the same hundred.
            live.draw(more, 1);
            Ok(())
        });
    }

    /// Changes the live example; a reason why not is shown.
    fn live(
        &mut self,
        change: impl FnOnce(&mut super::live::Live, &crate::words::Words) -> Result<(), String>,
    ) {
        let words = Arc::clone(&self.words);
        let changed = self
            .asking_mut()
            .map(|asking| asking.change(&words, |live| change(live, &words)));
        if let Some(Err(why)) = changed {
            self.toasts.push(why);
        }
    }

    fn go_learn(&mut self) {
        self.overlay = None;
        self.before.clear();
        self.screen = Screen::Learn;
    }

    /// Shows a screen that *Back* leads away from, to where one was.
    fn go_over(&mut self, screen: Screen) {
        self.overlay = None;
        if std::mem::discriminant(&self.screen) != std::mem::discriminant(&screen) {
            let here = std::mem::replace(&mut self.screen, screen);
            self.before
                .retain(|known| std::mem::discriminant(known) != std::mem::discriminant(&here));
            self.before.push(here);
            self.focus = Some(FocusWish::Field);
        }
    }

    fn back(&mut self) {
        if self.overlay.take().is_some() {
            return;
        }
        self.screen = self.before.pop().unwrap_or(Screen::Learn);
    }

    fn path_form(&mut self) -> Option<&mut PathForm> {
        match &mut self.screen {
            Screen::Open(form) => Some(form),
            Screen::Save(saving) => Some(&mut saving.path),
            _ => None,
        }
    }

    /// Opens a file or folder: it is read in the background, and remembered.
    fn open(&mut self, path: PathBuf) {
        let path = path.canonicalize().unwrap_or(path);
        if let Err(error) = std::fs::metadata(&path) {
            let why = error.to_string();
            match self.path_form() {
                Some(form) => form.problem = Some(why),
                None => self.tell(&AppMsg::NotOpened {
                    path: path.display().to_string(),
                    why,
                }),
            }
            return;
        }
        self.paths.retain(|known| *known != path);
        self.paths.insert(0, path.clone());
        self.settings.remember(&path);
        self.effects.extend([Effect::WriteSettings, Effect::Load]);
        self.go_learn();
    }

    fn save(&mut self) {
        let Screen::Save(saving) = &self.screen else {
            return;
        };
        let path = saving.path.path();
        // Making a folder for a slip of the pen would hide the file where nobody looks.
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
            let why = self.words.say(&AppMsg::NoSuchFolder {
                folder: missing.display().to_string(),
            });
            if let Some(form) = self.path_form() {
                form.problem = Some(why);
            }
            return;
        }
        let content = match saving.what {
            SaveWhat::Results => self
                .run()
                .map(|run| results_markdown(&run.session, &self.words).into_bytes()),
            SaveWhat::Figure => self
                .run()
                .and_then(Run::asking)
                .and_then(|asking| figures::file(asking, &self.words, self.dark, &path)),
        };
        match content {
            Some(bytes) => {
                self.effects.push(Effect::Write { path, bytes });
                self.back();
            }
            None => {
                let why = self.words.say(&AppMsg::UnknownEnding);
                if let Some(form) = self.path_form() {
                    form.problem = Some(why);
                }
            }
        }
    }

    /// Where opening begins: at the folder of what was opened last, else the working folder.
    fn start_folder(&self) -> PathBuf {
        let recent = self.settings.recent.first().map(|path| {
            if path.is_dir() {
                path.clone()
            } else {
                path.parent().unwrap_or(Path::new("/")).to_owned()
            }
        });
        recent
            .or_else(|| std::env::current_dir().ok())
            .unwrap_or_else(|| PathBuf::from("/"))
    }

    /// Where saving begins: beside an opened quiz, else at home.
    fn save_folder(&self) -> PathBuf {
        let beside = self
            .quiz
            .as_ref()
            .and_then(|id| self.find_quiz(id))
            .and_then(|quiz| match &quiz.origin {
                Origin::Opened(path) => path.parent().map(Path::to_owned),
                Origin::Own(_) | Origin::BuiltIn(_) => None,
            });
        beside
            .or_else(|| etcetera::home_dir().ok())
            .unwrap_or_else(|| PathBuf::from("."))
    }

    /// How one question of the run at hand stands: for the dots.
    #[must_use]
    pub fn verdict_of(&self, question: &str) -> Option<Verdict> {
        self.run()?
            .session
            .attempt(question)
            .map(|attempt| attempt.verdict)
    }
}
