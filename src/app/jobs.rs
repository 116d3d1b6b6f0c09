//! Work in the background: each job is a named thread that sends one message back to the one state and asks for one repaint.
//!
//! A job that panics is caught and told, so that nothing waits for it for ever.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use egui::Context;

use crate::quiz::Library;

/// What a job has to tell.
#[derive(Debug)]
pub enum Told {
    /// The files were read; the paths that were read are those that were asked for.
    Loaded {
        /// What they hold.
        library: Box<Library>,
        /// Of which paths.
        paths: Vec<PathBuf>,
    },
    /// A watched file changed.
    FilesChanged,
    /// A file was written.
    Saved(PathBuf),
    /// A file could not be written.
    NotSaved {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A job fell over.
    Fell(&'static str),
}

/// The jobs under way, and their way back.
pub struct Jobs {
    ctx: Context,
    sender: Sender<Told>,
    receiver: Receiver<Told>,
}

impl Jobs {
    /// No jobs yet; they will wake `ctx`.
    #[must_use]
    pub fn new(ctx: Context) -> Self {
        let (sender, receiver) = channel();
        Self {
            ctx,
            sender,
            receiver,
        }
    }

    /// Does `work` on a thread of this name.
    pub fn spawn(&self, name: &'static str, work: impl FnOnce() -> Told + Send + 'static) {
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        let job = move || {
            let told = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Told::Fell(name));
            // Nobody listens any more where the window has closed.
            if sender.send(told).is_ok() {
                ctx.request_repaint();
            }
        };
        if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(job) {
            log::error!("no thread for {name}: {error}");
            let told = self.sender.send(Told::Fell(name));
            debug_assert!(told.is_ok(), "the receiver lives as long as the sender");
        }
    }

    /// A function that tells, from any thread, that files changed.
    pub fn on_files_changed(&self) -> impl Fn() + Send + 'static {
        let (sender, ctx) = (self.sender.clone(), self.ctx.clone());
        move || {
            if sender.send(Told::FilesChanged).is_ok() {
                ctx.request_repaint();
            }
        }
    }

    /// What was told since last asked.
    pub fn told(&self) -> Vec<Told> {
        self.receiver.try_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_falls_over_is_told() {
        let jobs = Jobs::new(Context::default());
        jobs.spawn("falls over", || panic!("on purpose"));
        let told = jobs
            .receiver
            .recv_timeout(std::time::Duration::from_secs(10))
            .unwrap();
        assert!(matches!(told, Told::Fell("falls over")), "{told:?}");
    }
}
