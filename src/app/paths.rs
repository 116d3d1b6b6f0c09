//! A path being typed: the text, the folder it stands in and what lies there, with completion. No dialog of the system is needed.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder with more entries is cut here: nobody reads further, and reading must not freeze the window.
const MOST_ENTRIES: usize = 2000;

/// One thing in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// A file rather than a folder; folders are listed first.
    pub is_file: bool,
    /// Its name.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// A path being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct PathForm {
    /// As typed.
    pub text: String,
    /// The folder whose content is listed.
    pub folder: PathBuf,
    /// Its folders and quiz files.
    pub entries: Vec<Entry>,
    /// Why it could not be read, or what is wrong with what was typed.
    pub problem: Option<String>,
}

impl PathForm {
    /// A form that begins in a folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        let mut form = Self {
            text: String::new(),
            folder: folder.to_owned(),
            entries: Vec::new(),
            problem: None,
        };
        form.enter(folder);
        form
    }

    /// A form that begins with a file to be written.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let mut form = Self::in_folder(path.parent().unwrap_or(Path::new(".")));
        form.text = path.display().to_string();
        form
    }

    /// Shows a folder's content.
    pub fn enter(&mut self, folder: &Path) {
        self.folder = folder.to_owned();
        self.text = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
        self.list();
    }

    /// The text was changed: the folder it stands in is listed.
    pub fn type_text(&mut self, text: String) {
        self.text = text;
        self.problem = None;
        let typed = self.path();
        let ends_open = self.text.ends_with(std::path::is_separator);
        let folder = if ends_open {
            Some(typed.as_path())
        } else {
            typed.parent()
        };
        if let Some(folder) = folder.filter(|folder| *folder != self.folder && folder.is_dir()) {
            self.folder = folder.to_owned();
            self.list();
        }
    }

    /// The path that is meant; `~` is the home folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let text = self.text.trim();
        match text
            .strip_prefix('~')
            .map(|rest| (etcetera::home_dir(), rest))
        {
            Some((Ok(home), rest)) => home.join(rest.trim_start_matches(std::path::is_separator)),
            _ => PathBuf::from(text),
        }
    }

    /// The entries that what is typed can still become.
    #[must_use]
    pub fn matching(&self) -> Vec<&Entry> {
        let typed = self.path();
        let begun = if self.text.ends_with(std::path::is_separator) || typed == self.folder {
            String::new()
        } else {
            typed
                .file_name()
                .map(|name| name.to_string_lossy().to_lowercase())
                .unwrap_or_default()
        };
        self.entries
            .iter()
            .filter(|entry| entry.name.to_lowercase().starts_with(&begun))
            .collect()
    }

    fn list(&mut self) {
        self.entries.clear();
        self.problem = None;
        match fs::read_dir(&self.folder) {
            Err(error) => self.problem = Some(error.to_string()),
            Ok(entries) => {
                for entry in entries.flatten().take(MOST_ENTRIES) {
                    let path = entry.path();
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let is_file = !path.is_dir();
                    let is_quiz = path.extension().is_some_and(|extension| extension == "ron");
                    if !name.starts_with('.') && (!is_file || is_quiz) {
                        self.entries.push(Entry {
                            is_file,
                            name,
                            path,
                        });
                    }
                }
                self.entries.sort();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_its_folders_and_quizzes_and_completes_what_is_typed() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("week one")).unwrap();
        for name in ["softmax.ron", "masks.ron", "notes.txt", ".hidden.ron"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let mut form = PathForm::in_folder(dir.path());
        let names = |form: &PathForm| {
            form.matching()
                .iter()
                .map(|e| e.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&form), ["week one", "masks.ron", "softmax.ron"]);
        form.type_text(dir.path().join("So").display().to_string());
        assert_eq!(names(&form), ["softmax.ron"]);
        form.type_text(format!("{}/", dir.path().join("week one").display()));
        assert!(names(&form).is_empty());
        form.enter(Path::new("/no/such/folder"));
        assert!(form.problem.is_some());
    }
}
