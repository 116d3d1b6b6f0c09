//! Everything the learner can do by name: one enum that feeds the keys, the buttons, the palette and the help screen.
//!
//! What carries a value that she set (an edit of a number, a typed text, a path) is a [`super::outbox::Change`]; both travel through the
//! [`super::outbox::Outbox`]. Screens never change the state: they send, and `handling.rs` says what each command does.
//!
//! Road not taken: shortcuts beside the buttons that they belong to: nobody could then list them, or find two that clash.

use egui::{Key, Modifiers};

use crate::words::{Words, messages};

messages! {
    /// What each command is called, on its button and in the palette.
    pub enum CommandMsg {
        Begin,
        Open,
        Learn,
        Settings,
        Problems,
        Palette,
        Keys,
        Back,
        Reload,
        Pick { number: usize },
        Submit,
        Next,
        PreviousQuestion,
        NextQuestion,
        Hint,
        OtherNumbers,
        Reset,
        Undo,
        Redo,
        Table,
        NextFigure,
        WriteOut,
        EqualWeights,
        DrawTen,
        DrawHundred,
        DrawThousand,
        CopyReply,
        CopyPicture,
        SavePicture,
        AgainThose,
        StartAgain,
        SaveResults,
        CopyProblems,
        ToggleTheme,
    }
}

/// One thing that can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Command {
    /// Begins (or goes on with) the first quiz.
    Begin,
    /// Opens the screen that opens files.
    Open,
    /// Goes to the quizzes.
    Learn,
    /// Goes to the settings.
    Settings,
    /// Goes to what was found in opened files.
    Problems,
    /// Opens the list of all commands and questions.
    Palette,
    /// Opens the list of all keys.
    Keys,
    /// Closes what lies on top, or goes back.
    Back,
    /// Reads all files again.
    Reload,
    /// Picks a choice before the answer; opens or closes its reason afterwards. From 1.
    Pick(u8),
    /// Gives the answer.
    Submit,
    /// Goes on after the explanation.
    Next,
    /// The question before this one.
    PreviousQuestion,
    /// The question after this one, answered or not.
    NextQuestion,
    /// Opens a hint.
    Hint,
    /// Asks the same question again with other numbers.
    OtherNumbers,
    /// Back to the question's own numbers.
    Reset,
    /// Takes back the last change of the example.
    Undo,
    /// Makes it again.
    Redo,
    /// Shows the figure as a table, or as a picture again.
    Table,
    /// The next figure of this example.
    NextFigure,
    /// Writes out every person in one list, or not.
    WriteOut,
    /// Makes all weights equal.
    EqualWeights,
    /// Draws ten by lot.
    DrawTen,
    /// Draws a hundred.
    DrawHundred,
    /// Draws a thousand.
    DrawThousand,
    /// Copies the explanation as Markdown.
    CopyReply,
    /// Copies the figure as a picture.
    CopyPicture,
    /// Saves the figure to a file.
    SavePicture,
    /// A new run through what was missed.
    AgainThose,
    /// A new run through the whole quiz at hand.
    StartAgain,
    /// Shows the results and saves them.
    SaveResults,
    /// Copies everything that was found in the files.
    CopyProblems,
    /// Light to dark and back.
    ToggleTheme,
}

/// Where in the program one is, as far as keys go: a key has one meaning in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The quizzes.
    Learn,
    /// A question, not yet answered.
    Asking,
    /// A question with its explanation.
    Explained,
    /// The end of a run.
    Summary,
    /// What was found in the files.
    Problems,
    /// The settings.
    Settings,
    /// Opening a file, or saving one: a path is typed.
    Path,
}

impl Context {
    /// Every context.
    pub const ALL: [Self; 7] = [
        Self::Learn,
        Self::Asking,
        Self::Explained,
        Self::Summary,
        Self::Problems,
        Self::Settings,
        Self::Path,
    ];
}

/// A key with what is held down with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// Ctrl (⌘ on a Mac) is held.
    pub ctrl: bool,
    /// Shift is held.
    pub shift: bool,
    /// The key.
    pub key: Key,
}

impl KeyBinding {
    const fn plain(key: Key) -> Self {
        Self {
            ctrl: false,
            shift: false,
            key,
        }
    }

    const fn ctrl(key: Key) -> Self {
        Self {
            ctrl: true,
            shift: false,
            key,
        }
    }

    const fn ctrl_shift(key: Key) -> Self {
        Self {
            ctrl: true,
            shift: true,
            key,
        }
    }

    /// Whether a press of `key` with `held` is this binding. Digits and signs are found where the keyboard has them, with Shift or without.
    #[must_use]
    pub fn matches(self, key: Key, held: Modifiers) -> bool {
        let Self {
            ctrl,
            shift,
            key: own,
        } = self;
        let anywhere = !ctrl && (own == Key::Questionmark || DIGITS.contains(&own));
        own == key && held.command == ctrl && !held.alt && (anywhere || held.shift == shift)
    }

    /// As it stands on the keycap: "Ctrl+Shift+Z".
    #[must_use]
    pub fn cap(self) -> String {
        let Self { ctrl, shift, key } = self;
        let mut cap = String::new();
        if ctrl {
            cap.push_str(if cfg!(target_os = "macos") {
                "⌘"
            } else {
                "Ctrl+"
            });
        }
        if shift {
            cap.push_str("Shift+");
        }
        cap.push_str(match key {
            Key::Escape => "Esc",
            Key::Questionmark => "?",
            Key::Comma => ",",
            Key::PageUp => "Page up",
            Key::PageDown => "Page down",
            other => other.name(),
        });
        cap
    }

    /// Whether it is a letter or digit that goes into a text field which has the focus.
    #[must_use]
    pub fn types_text(self) -> bool {
        !self.ctrl && self.key.name().chars().count() == 1
    }

    /// Whether it may fire while text is being typed.
    #[must_use]
    pub fn is_safe_while_typing(self) -> bool {
        let belongs_to_text = matches!(
            self.key,
            Key::Z | Key::Y | Key::A | Key::C | Key::V | Key::X
        );
        (self.ctrl && !belongs_to_text) || SAFE_KEYS.contains(&self.key)
    }
}

/// Keys that mean nothing in a line of text.
const SAFE_KEYS: [Key; 5] = [Key::F1, Key::F5, Key::Escape, Key::PageUp, Key::PageDown];

const DIGITS: [Key; 9] = [
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

impl Command {
    /// Every command, in the order in which they are listed.
    pub const ALL: [Self; 42] = [
        Self::Begin,
        Self::Pick(1),
        Self::Pick(2),
        Self::Pick(3),
        Self::Pick(4),
        Self::Pick(5),
        Self::Pick(6),
        Self::Pick(7),
        Self::Pick(8),
        Self::Pick(9),
        Self::Submit,
        Self::Next,
        Self::Hint,
        Self::OtherNumbers,
        Self::Reset,
        Self::Undo,
        Self::Redo,
        Self::Table,
        Self::NextFigure,
        Self::WriteOut,
        Self::EqualWeights,
        Self::DrawTen,
        Self::DrawHundred,
        Self::DrawThousand,
        Self::CopyReply,
        Self::CopyPicture,
        Self::SavePicture,
        Self::PreviousQuestion,
        Self::NextQuestion,
        Self::AgainThose,
        Self::StartAgain,
        Self::SaveResults,
        Self::CopyProblems,
        Self::Reload,
        Self::Open,
        Self::Learn,
        Self::Problems,
        Self::Settings,
        Self::ToggleTheme,
        Self::Palette,
        Self::Keys,
        Self::Back,
    ];

    /// What it is called.
    #[must_use]
    pub fn label(self, words: &Words) -> String {
        words.say(&match self {
            Self::Begin => CommandMsg::Begin,
            Self::Open => CommandMsg::Open,
            Self::Learn => CommandMsg::Learn,
            Self::Settings => CommandMsg::Settings,
            Self::Problems => CommandMsg::Problems,
            Self::Palette => CommandMsg::Palette,
            Self::Keys => CommandMsg::Keys,
            Self::Back => CommandMsg::Back,
            Self::Reload => CommandMsg::Reload,
            Self::Pick(number) => CommandMsg::Pick {
                number: usize::from(number),
            },
            Self::Submit => CommandMsg::Submit,
            Self::Next => CommandMsg::Next,
            Self::PreviousQuestion => CommandMsg::PreviousQuestion,
            Self::NextQuestion => CommandMsg::NextQuestion,
            Self::Hint => CommandMsg::Hint,
            Self::OtherNumbers => CommandMsg::OtherNumbers,
            Self::Reset => CommandMsg::Reset,
            Self::Undo => CommandMsg::Undo,
            Self::Redo => CommandMsg::Redo,
            Self::Table => CommandMsg::Table,
            Self::NextFigure => CommandMsg::NextFigure,
            Self::WriteOut => CommandMsg::WriteOut,
            Self::EqualWeights => CommandMsg::EqualWeights,
            Self::DrawTen => CommandMsg::DrawTen,
            Self::DrawHundred => CommandMsg::DrawHundred,
            Self::DrawThousand => CommandMsg::DrawThousand,
            Self::CopyReply => CommandMsg::CopyReply,
            Self::CopyPicture => CommandMsg::CopyPicture,
            Self::SavePicture => CommandMsg::SavePicture,
            Self::AgainThose => CommandMsg::AgainThose,
            Self::StartAgain => CommandMsg::StartAgain,
            Self::SaveResults => CommandMsg::SaveResults,
            Self::CopyProblems => CommandMsg::CopyProblems,
            Self::ToggleTheme => CommandMsg::ToggleTheme,
        })
    }

    /// The keys that do it; the first one stands on its keycap.
    #[must_use]
    pub fn bindings(self) -> Vec<KeyBinding> {
        match self {
            Self::Begin | Self::Submit | Self::Next => vec![KeyBinding::plain(Key::Enter)],
            Self::Pick(number) => DIGITS
                .get(usize::from(number).wrapping_sub(1))
                .map(|key| KeyBinding::plain(*key))
                .into_iter()
                .collect(),
            Self::Open => vec![KeyBinding::ctrl(Key::O)],
            Self::Settings => vec![KeyBinding::ctrl(Key::Comma)],
            Self::Palette => vec![KeyBinding::ctrl(Key::K)],
            Self::Keys => vec![
                KeyBinding::plain(Key::F1),
                KeyBinding::plain(Key::Questionmark),
            ],
            Self::Back => vec![KeyBinding::plain(Key::Escape)],
            Self::Reload => vec![KeyBinding::plain(Key::F5)],
            Self::PreviousQuestion => vec![KeyBinding::plain(Key::PageUp)],
            Self::NextQuestion => vec![KeyBinding::plain(Key::PageDown)],
            Self::Hint => vec![KeyBinding::plain(Key::H)],
            Self::OtherNumbers => vec![KeyBinding::plain(Key::N)],
            Self::Reset => vec![KeyBinding::plain(Key::R)],
            Self::Undo => vec![KeyBinding::ctrl(Key::Z)],
            Self::Redo => vec![KeyBinding::ctrl_shift(Key::Z), KeyBinding::ctrl(Key::Y)],
            Self::Table => vec![KeyBinding::plain(Key::T)],
            Self::NextFigure => vec![KeyBinding::plain(Key::F)],
            Self::WriteOut => vec![KeyBinding::plain(Key::W)],
            Self::EqualWeights => vec![KeyBinding::plain(Key::E)],
            // The Roman numerals of ten, a hundred, a thousand.
            Self::DrawTen => vec![KeyBinding::plain(Key::X)],
            Self::DrawHundred => vec![KeyBinding::plain(Key::C)],
            Self::DrawThousand => vec![KeyBinding::plain(Key::M)],
            Self::CopyReply => vec![KeyBinding::plain(Key::Y)],
            Self::CopyPicture => vec![KeyBinding::plain(Key::P)],
            Self::SavePicture | Self::SaveResults => vec![KeyBinding::ctrl(Key::S)],
            Self::AgainThose => vec![KeyBinding::plain(Key::A)],
            Self::CopyProblems => vec![KeyBinding::plain(Key::Y)],
            Self::StartAgain | Self::Learn | Self::Problems | Self::ToggleTheme => Vec::new(),
        }
    }

    /// The key on its keycap.
    #[must_use]
    pub fn cap(self) -> Option<String> {
        self.bindings().first().map(|binding| binding.cap())
    }

    /// The contexts in which its keys mean it. Whether it can be done there just now, the state knows.
    #[must_use]
    pub fn contexts(self) -> &'static [Context] {
        use Context::{Asking, Explained, Learn, Problems, Summary};
        match self {
            Self::Begin => &[Learn],
            Self::Submit | Self::Hint => &[Asking],
            Self::Pick(_) | Self::PreviousQuestion | Self::NextQuestion | Self::NextFigure => {
                &[Asking, Explained]
            }
            Self::Next => &[Explained, Summary],
            Self::OtherNumbers
            | Self::Reset
            | Self::Undo
            | Self::Redo
            | Self::Table
            | Self::WriteOut
            | Self::EqualWeights
            | Self::DrawTen
            | Self::DrawHundred
            | Self::DrawThousand
            | Self::CopyReply
            | Self::CopyPicture
            | Self::SavePicture => &[Explained],
            Self::AgainThose | Self::SaveResults => &[Summary],
            Self::StartAgain => &[Asking, Explained, Summary],
            Self::CopyProblems => &[Problems],
            Self::Open
            | Self::Learn
            | Self::Settings
            | Self::Problems
            | Self::Palette
            | Self::Keys
            | Self::Back
            | Self::Reload
            | Self::ToggleTheme => &Context::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for (at, one) in Command::ALL.iter().enumerate() {
            for other in &Command::ALL[at + 1..] {
                let meet = one
                    .contexts()
                    .iter()
                    .any(|context| other.contexts().contains(context));
                let shared = one
                    .bindings()
                    .into_iter()
                    .find(|binding| other.bindings().contains(binding));
                assert!(
                    !meet || shared.is_none(),
                    "{one:?} and {other:?} share {shared:?}"
                );
            }
        }
    }

    #[test]
    fn every_command_is_listed_once_and_has_a_name() {
        let words = Words::english();
        let mut labels: Vec<String> = Command::ALL
            .iter()
            .map(|command| command.label(&words))
            .collect();
        assert!(
            labels
                .iter()
                .all(|label| !label.is_empty() && !label.starts_with('[')),
            "{labels:?}"
        );
        labels.sort();
        labels.dedup();
        assert_eq!(
            labels.len(),
            Command::ALL.len(),
            "two commands have one name: {labels:?}"
        );
    }

    #[test]
    fn letters_and_digits_never_fire_while_typing() {
        for command in Command::ALL {
            for binding in command
                .bindings()
                .into_iter()
                .filter(|binding| !binding.ctrl)
            {
                let may = matches!(
                    binding.key,
                    Key::F1 | Key::F5 | Key::Escape | Key::PageUp | Key::PageDown
                );
                assert_eq!(binding.is_safe_while_typing(), may, "{command:?}");
            }
        }
        assert!(!KeyBinding::ctrl(Key::Z).is_safe_while_typing());
        assert!(KeyBinding::ctrl(Key::K).is_safe_while_typing());
    }

    #[test]
    fn a_digit_is_found_with_shift_too_but_a_letter_is_not() {
        let shift = Modifiers {
            shift: true,
            ..Modifiers::NONE
        };
        assert!(Command::Pick(2).bindings()[0].matches(Key::Num2, shift));
        assert!(!Command::Hint.bindings()[0].matches(Key::H, shift));
        let ctrl_shift = Modifiers {
            shift: true,
            ctrl: true,
            command: true,
            ..Modifiers::NONE
        };
        assert!(!Command::Undo.bindings()[0].matches(Key::Z, ctrl_shift));
        assert!(Command::Redo.bindings()[0].matches(Key::Z, ctrl_shift));
    }
}
