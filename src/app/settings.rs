//! The learner's settings: a small RON file in the data folder, written atomically, never overwritten while it cannot be read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};

use super::store;
use crate::words::number::DecimalSign;

/// The environment variable that names another data folder.
pub const DATA_VARIABLE: &str = "ATTENTION_TUTOR_DATA";

/// Text sizes one can choose, as factors.
pub const TEXT_SIZES: [f32; 6] = [0.9, 1.0, 1.15, 1.3, 1.5, 2.0];

/// How many opened paths are remembered.
const MOST_RECENT: usize = 8;

/// Which theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The sign between the whole and the part of a number, as it stands in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decimal {
    /// 0.5
    #[default]
    Point,
    /// 0,5
    Comma,
}

impl From<Decimal> for DecimalSign {
    fn from(decimal: Decimal) -> Self {
        match decimal {
            Decimal::Point => Self::Point,
            Decimal::Comma => Self::Comma,
        }
    }
}

/// What can be set. A field that a file lacks has its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The version of this file's form.
    pub format: u32,
    /// The theme.
    pub theme: ThemeChoice,
    /// How large everything is drawn; 1 is the design's size.
    pub text_size: f32,
    /// Whether things may move.
    pub motion: bool,
    /// How numbers are written.
    pub decimal: Decimal,
    /// What was opened, the latest first.
    pub recent: Vec<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: 1,
            theme: ThemeChoice::System,
            text_size: 1.0,
            motion: true,
            decimal: Decimal::Point,
            recent: Vec::new(),
        }
    }
}

impl Settings {
    /// Puts a path first among those opened.
    pub fn remember(&mut self, path: &Path) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(MOST_RECENT);
    }
}

/// Where the learner's things lie, and what was found there.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFolder {
    /// The folder; `None` for a run that keeps nothing (tests, pictures).
    pub folder: Option<PathBuf>,
    /// Why the settings could not be read; while it stands, they are not written.
    pub problem: Option<String>,
}

impl DataFolder {
    /// The folder named by the option, the environment variable or the platform, in this order.
    #[must_use]
    pub fn find(option: Option<PathBuf>) -> Self {
        let folder = option
            .or_else(|| {
                std::env::var_os(DATA_VARIABLE)
                    .filter(|value| !value.is_empty())
                    .map(PathBuf::from)
            })
            .or_else(|| {
                etcetera::choose_base_strategy()
                    .ok()
                    .map(|base| base.data_dir().join("attention-tutor"))
            });
        Self {
            folder,
            problem: None,
        }
    }

    /// A run that keeps nothing.
    #[must_use]
    pub fn none() -> Self {
        Self {
            folder: None,
            problem: None,
        }
    }

    /// The learner's own quizzes.
    #[must_use]
    pub fn own_quizzes(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join("quizzes"))
    }

    /// The settings file.
    #[must_use]
    pub fn settings_file(&self) -> Option<PathBuf> {
        self.folder
            .as_ref()
            .map(|folder| folder.join("settings.ron"))
    }

    /// Reads the settings. What cannot be read leaves the defaults, is told in `problem`, and stays as it is on the disk.
    pub fn read_settings(&mut self) -> Settings {
        let Some(file) = self.settings_file() else {
            return Settings::default();
        };
        let read = match fs::read_to_string(&file) {
            Ok(text) => ron::from_str::<Settings>(&text)
                .map_err(|e| e.to_string())
                .and_then(|settings| {
                    let newer = settings.format > Settings::default().format;
                    if newer {
                        Err(format!("format {}", settings.format))
                    } else {
                        Ok(settings)
                    }
                }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok(mut settings) => {
                let largest = TEXT_SIZES.last().copied().unwrap_or(1.0);
                settings.text_size = if settings.text_size.is_finite() {
                    settings.text_size.clamp(0.5, largest * 2.0)
                } else {
                    1.0
                };
                settings
            }
            Err(why) => {
                self.problem = Some(why);
                Settings::default()
            }
        }
    }

    /// Writes the settings, unless there is no folder or what lies there could not be read.
    pub fn write_settings(&self, settings: &Settings) -> io::Result<()> {
        let (Some(file), None) = (self.settings_file(), &self.problem) else {
            return Ok(());
        };
        let text = ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default())
            .map_err(io::Error::other)?;
        store::write_atomically(&file, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, DataFolder) {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::find(Some(dir.path().join("tutor")));
        (dir, data)
    }

    #[test]
    fn settings_come_back_as_they_were_written() {
        let (_dir, mut data) = folder();
        let mut settings = data.read_settings();
        assert_eq!(settings, Settings::default());
        settings.theme = ThemeChoice::Dark;
        settings.remember(Path::new("/quizzes/mine.ron"));
        data.write_settings(&settings).unwrap();
        assert_eq!(data.read_settings(), settings);
    }

    #[test]
    fn what_cannot_be_read_is_told_and_left_alone() {
        let (_dir, mut data) = folder();
        let file = data.settings_file().unwrap();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "(theme: Purple)").unwrap();
        let settings = data.read_settings();
        assert!(data.problem.is_some());
        data.write_settings(&settings).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "(theme: Purple)");
    }
}
