//! Where quizzes come from: paths opened, the learner's own folder, and the built-in ones; of two with the same id the first of these wins.
//!
//! Whatever a file system can do (no such path, no permission, too large, not text, gone between two looks) is told, and the rest loads.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::builtin::BUILT_IN;
use super::check::{Checked, check_quiz};
use super::fault::QuizFault;
use super::model::{Origin, Quiz};
use super::read::read_quiz;
use super::reading::told;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Source};

/// A file holds at most this much: more is no quiz, but a mistake.
pub const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// All quizzes there are, and all that was wrong on the way.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Opened ones first, then the learner's own, then the built-in.
    pub quizzes: Vec<Arc<Quiz>>,
    /// What was told while reading; [`Library::check`] tells the rest.
    pub diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// Reads the files and folders in `paths`, the folder `own` (told only where it is there and cannot be read), and the built-in quizzes.
    #[must_use]
    pub fn load(paths: &[PathBuf], own: Option<&Path>, words: &Words) -> Self {
        let mut library = Self::opened(paths, words);
        let own = own.filter(|folder| folder.exists());
        let files = own
            .map(|folder| ron_files(folder, words))
            .unwrap_or_default();
        library.add_files(files.paths, Origin::Own, words);
        library.diagnostics.extend(files.told);
        let built_in = BUILT_IN.iter().map(|(name, text)| {
            let source = Source {
                name: (*name).to_owned(),
                path: None,
                text: (*text).to_owned(),
            };
            read_quiz(Arc::new(source), Origin::BuiltIn(name), words)
        });
        for (quiz, told) in built_in {
            library.diagnostics.extend(told);
            library.add(quiz, words);
        }
        library
    }

    /// Reads the files and folders in `paths` and nothing else.
    #[must_use]
    pub fn opened(paths: &[PathBuf], words: &Words) -> Self {
        let mut library = Self::default();
        for path in paths {
            if path.is_dir() {
                let files = ron_files(path, words);
                if files.paths.is_empty() && files.told.is_empty() {
                    library
                        .diagnostics
                        .push(about_path(path, &QuizFault::FolderEmpty, words));
                }
                library.diagnostics.extend(files.told);
                library.add_files(files.paths, Origin::Opened, words);
            } else {
                library.add_files(vec![path.clone()], Origin::Opened, words);
            }
        }
        library
    }

    /// Checks every quiz: what reading alone does not find, and what was proved.
    #[must_use]
    pub fn check(&self, words: &Words) -> Checked {
        let each = in_parallel(&self.quizzes, |quiz| check_quiz(quiz, words));
        let mut all = Checked::default();
        for Checked {
            diagnostics,
            proved,
        } in each
        {
            all.diagnostics.extend(diagnostics);
            all.proved.extend(proved);
        }
        all
    }

    /// The same library with all that a check finds among what was told, for those who need not be quick.
    #[must_use]
    pub fn checked(mut self, words: &Words) -> Self {
        self.diagnostics.extend(self.check(words).diagnostics);
        let place = |d: &Diagnostic| (d.source.as_ref().map(|s| s.name.clone()), d.range.start);
        self.diagnostics.sort_by_key(place);
        self
    }

    /// The quiz with this id.
    #[must_use]
    pub fn quiz(&self, id: &str) -> Option<&Arc<Quiz>> {
        self.quizzes.iter().find(|quiz| quiz.id == id)
    }

    fn add_files(&mut self, files: Vec<PathBuf>, origin: fn(PathBuf) -> Origin, words: &Words) {
        let read = in_parallel(&files, |path| read_file(path, origin(path.clone()), words));
        for (quiz, told) in read {
            self.diagnostics.extend(told);
            self.add(quiz, words);
        }
    }

    /// Keeps a quiz, unless one of the same id is here already, which is told; the same file come upon twice is one quiz.
    fn add(&mut self, quiz: Option<Quiz>, words: &Words) {
        let Some(quiz) = quiz else { return };
        let Some(first) = self.quiz(&quiz.id) else {
            self.quizzes.push(Arc::new(quiz));
            return;
        };
        let same_file = first.source.path.is_some() && first.source.path == quiz.source.path;
        if !same_file {
            let fault = QuizFault::QuizIdTwice {
                id: quiz.id.clone(),
                first: first.source.name.clone(),
            };
            let start = quiz
                .source
                .text
                .find(&format!("\"{}\"", quiz.id))
                .unwrap_or(0);
            let end = (start + quiz.id.len() + 2).min(quiz.source.text.len());
            self.diagnostics
                .push(told(words, Some(&quiz.source), start..end, &fault));
        }
    }
}

/// Reads one file as a quiz.
#[must_use]
pub fn read_file(path: &Path, origin: Origin, words: &Words) -> (Option<Quiz>, Vec<Diagnostic>) {
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(fault) => return (None, vec![about_path(path, &fault, words)]),
    };
    let name = path.display().to_string();
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let byte = error.utf8_error().valid_up_to();
            let is_utf16 = matches!(error.as_bytes(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let source = Arc::new(Source {
                name,
                path: Some(path.to_owned()),
                text,
            });
            // Up to the first bad byte the lossy text is the same.
            return (
                None,
                vec![told(
                    words,
                    Some(&source),
                    byte..byte,
                    &if is_utf16 {
                        QuizFault::Utf16
                    } else {
                        QuizFault::NotUtf8 { byte }
                    },
                )],
            );
        }
    };
    let (text, had_mark) = match text.strip_prefix('\u{feff}') {
        Some(rest) => (rest.to_owned(), true),
        None => (text, false),
    };
    let source = Arc::new(Source {
        name,
        path: Some(path.to_owned()),
        text,
    });
    let (quiz, mut diagnostics) = read_quiz(Arc::clone(&source), origin, words);
    if had_mark {
        diagnostics.insert(
            0,
            told(words, Some(&source), 0..0, &QuizFault::ByteOrderMark),
        );
    }
    (quiz, diagnostics)
}

/// The bytes of a file that is not too large; its size is asked first, so that nothing large is ever held.
fn read_bytes(path: &Path) -> Result<Vec<u8>, QuizFault> {
    use io::Read as _;
    let unreadable = |error: io::Error| QuizFault::Unreadable {
        why: error.to_string(),
    };
    let too_large = |bytes: u64| QuizFault::TooLarge {
        megabytes: (bytes as f64 / (1024.0 * 1024.0) * 10.0).ceil() / 10.0,
        limit: usize::try_from(MOST_BYTES / (1024 * 1024)).unwrap_or(0),
    };
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MOST_BYTES {
        return Err(too_large(size));
    }
    // A pipe or a file that grows has no honest size: reading stops there too.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if read > MOST_BYTES {
        Err(too_large(read))
    } else {
        Ok(bytes)
    }
}

/// A finding about a path, at its very beginning.
fn about_path(path: &Path, fault: &QuizFault, words: &Words) -> Diagnostic {
    let source = Source {
        name: path.display().to_string(),
        path: Some(path.to_owned()),
        text: String::new(),
    };
    told(words, Some(&Arc::new(source)), 0..0, fault)
}

/// The files of a folder.
#[derive(Default)]
struct RonFiles {
    paths: Vec<PathBuf>,
    told: Vec<Diagnostic>,
}

/// The `*.ron` files of a folder by name, those of its folders after them; hidden folders are left alone.
fn ron_files(folder: &Path, words: &Words) -> RonFiles {
    let mut found = RonFiles::default();
    walk(folder, 0, words, &mut found);
    found
}

/// Folders within folders, but not for ever: a link may lead back.
const DEEPEST: usize = 8;

fn walk(folder: &Path, depth: usize, words: &Words, found: &mut RonFiles) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let fault = QuizFault::Unreadable {
                why: error.to_string(),
            };
            found.told.push(about_path(folder, &fault, words));
            return;
        }
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            Err(error) => {
                let fault = QuizFault::Unreadable {
                    why: error.to_string(),
                };
                found.told.push(about_path(folder, &fault, words));
            }
        }
    }
    paths.sort();
    let is_hidden = |path: &Path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    };
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths
        .into_iter()
        .filter(|path| !is_hidden(path))
        .partition(|path| path.is_dir());
    found.paths.extend(files.into_iter().filter(|path| {
        path.extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("ron"))
    }));
    for folder in folders.iter().filter(|_| depth < DEEPEST) {
        walk(folder, depth + 1, words, found);
    }
}

/// Does the work for each, on as many threads as the machine has; the results stand in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(items.len());
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, work(item))),
                None => return done,
            }
        }
    };
    let mut done: HashMap<usize, R> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    (0..items.len()).filter_map(|at| done.remove(&at)).collect()
}
