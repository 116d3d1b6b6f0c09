//! What can be told: the [`Message`] trait, its arguments, and the macro that makes the enums of messages.

use super::Words;

/// One argument of a message, still a value: how it is written is the language's affair.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A whole number of things; plural forms are chosen by it.
    Count(i64),
    /// A computed number, written as [`super::number::show`] does.
    Number(f64),
    /// Text that stands as it is: a name, a piece of a file, a formula.
    Text(String),
    /// Text in the interface's own words, already said.
    Said(String),
}

/// A value that can be an argument of a message.
pub trait ToArg {
    /// The argument, said with `words` where it is a message itself.
    fn to_arg(&self, words: &Words) -> Arg;
}

impl ToArg for usize {
    fn to_arg(&self, _: &Words) -> Arg {
        Arg::Count(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl ToArg for u64 {
    fn to_arg(&self, _: &Words) -> Arg {
        Arg::Count(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl ToArg for f64 {
    fn to_arg(&self, _: &Words) -> Arg {
        Arg::Number(*self)
    }
}

impl ToArg for String {
    fn to_arg(&self, _: &Words) -> Arg {
        Arg::Text(self.clone())
    }
}

impl ToArg for &'static str {
    fn to_arg(&self, _: &Words) -> Arg {
        Arg::Text((*self).to_owned())
    }
}

impl<M: Message> ToArg for M {
    fn to_arg(&self, words: &Words) -> Arg {
        Arg::Said(words.say(self))
    }
}

/// The name of a message and of its arguments, for the test that holds language files against the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageShape {
    /// `Enum.Variant`, the message's key in a language file.
    pub key: &'static str,
    /// The names that its text may (and must) use in braces.
    pub args: &'static [&'static str],
}

/// Something that can be said to a person in every language the program has.
pub trait Message {
    /// Every message of this enum.
    const SHAPES: &'static [MessageShape];

    /// `Enum.Variant`, the key in a language file.
    fn key(&self) -> &'static str;

    /// The arguments by name.
    fn args(&self, words: &Words) -> Vec<(&'static str, Arg)>;
}

/// Makes an enum of messages: variants without fields, or with named fields whose types are [`ToArg`].
///
/// ```text
/// messages! {
///     /// What the learn screen says.
///     pub enum LearnMsg {
///         Begin,
///         QuestionOf { number: usize, of: usize },
///     }
/// }
/// ```
macro_rules! messages {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $( $(#[$vmeta:meta])* $variant:ident $( { $( $field:ident : $ty:ty ),* $(,)? } )? ),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the words stand in assets/words/*.ron")]
        $vis enum $name {
            $( $(#[$vmeta])* $variant $( { $( $field : $ty ),* } )? ),*
        }

        impl $crate::words::Message for $name {
            const SHAPES: &'static [$crate::words::MessageShape] = &[
                $( $crate::words::MessageShape {
                    key: concat!(stringify!($name), ".", stringify!($variant)),
                    args: &[ $( $( stringify!($field) ),* )? ],
                } ),*
            ];

            fn key(&self) -> &'static str {
                match self {
                    $( Self::$variant $( { $( $field: _ ),* } )? =>
                        concat!(stringify!($name), ".", stringify!($variant)) ),*
                }
            }

            #[allow(unused_variables, reason = "messages without arguments use no words")]
            fn args(&self, words: &$crate::words::Words) -> Vec<(&'static str, $crate::words::Arg)> {
                match self {
                    $( Self::$variant $( { $( $field ),* } )? => vec![
                        $( $( (stringify!($field), $crate::words::ToArg::to_arg($field, words)) ),* )?
                    ] ),*
                }
            }
        }
    };
}
pub(crate) use messages;
