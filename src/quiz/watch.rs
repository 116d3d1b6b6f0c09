//! Watching files and folders for changes, by looking every now and then on a thread of its own.
//!
//! Road not taken: the system's own notices (inotify and its kin): they miss network folders, and an editor that saves by renaming
//! takes the watched file away. A look at some files' dates twice a second costs nothing, and no frame is drawn for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

/// Time between two looks.
const EVERY: Duration = Duration::from_millis(500);

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    /// Dropping it tells the thread to end.
    _alive: Sender<()>,
}

/// What a look sees: each file with its size and date.
type Seen = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// Calls `on_change` after any of the files, or any `*.ron` in one of the folders, was changed, added or removed. A file being written is
/// told once it rests.
pub fn spawn(paths: Vec<PathBuf>, on_change: impl Fn() + Send + 'static) -> Watcher {
    spawn_every(EVERY, paths, on_change)
}

fn spawn_every(
    every: Duration,
    paths: Vec<PathBuf>,
    on_change: impl Fn() + Send + 'static,
) -> Watcher {
    let (alive, ended) = channel();
    let watch = move || {
        let mut told = look(&paths);
        let mut before = told.clone();
        while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            let now = look(&paths);
            if now == before && now != told {
                told = now.clone();
                on_change();
            }
            before = now;
        }
    };
    if let Err(error) = thread::Builder::new().name("watch".to_owned()).spawn(watch) {
        log::error!("files are not watched: {error}");
    }
    Watcher { _alive: alive }
}

fn look(paths: &[PathBuf]) -> Seen {
    let mut seen = Seen::new();
    for path in paths {
        look_at(path, true, 0, &mut seen);
    }
    seen
}

/// A path given is looked at whatever its name; in folders, only what could be a quiz.
fn look_at(path: &Path, is_given: bool, depth: usize, seen: &mut Seen) {
    let Ok(metadata) = fs::metadata(path) else {
        return;
    };
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    if !is_given && is_hidden {
        return;
    }
    if metadata.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.filter(|_| depth <= 8) {
            look_at(&entry.path(), false, depth + 1, seen);
        }
    } else if is_given
        || path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("ron"))
    {
        seen.insert(path.to_owned(), (metadata.len(), metadata.modified().ok()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_until_the_watcher_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.ron");
        fs::write(&file, "one").unwrap();
        let (sender, changes) = channel();
        let every = Duration::from_millis(10);
        let watcher = spawn_every(every, vec![folder.path().to_owned()], move || {
            let _sent = sender.send(());
        });
        thread::sleep(Duration::from_millis(50));
        assert!(changes.try_recv().is_err(), "nothing changed yet");
        fs::write(&file, "another").unwrap();
        assert!(
            changes.recv_timeout(Duration::from_secs(10)).is_ok(),
            "changed"
        );
        fs::write(folder.path().join("b.ron"), "new").unwrap();
        assert!(
            changes.recv_timeout(Duration::from_secs(10)).is_ok(),
            "added"
        );
        fs::remove_file(&file).unwrap();
        assert!(
            changes.recv_timeout(Duration::from_secs(10)).is_ok(),
            "removed"
        );
        drop(watcher);
        assert_eq!(
            changes.recv_timeout(Duration::from_secs(10)),
            Err(RecvTimeoutError::Disconnected)
        );
    }
}
