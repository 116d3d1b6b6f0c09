//! The conventions as they are named in files and flags: one table of fields and one of words each, for files, flags and help alike.

use crate::attention::{
    Alignment, EmptyRow, HeadOrder, Normaliser, Positions, Precision, Rotary, RotaryPairs, Spec,
};
use crate::words::{messages, nearest};

messages! {
    /// What is wrong with a convention that was given.
    pub enum FieldMsg {
        UnknownWord { field: &'static str, written: String, words: String },
        UnknownWordDidYouMean { field: &'static str, written: String, nearest: &'static str, words: String },
        NotANumber { field: &'static str },
        NotACount { field: &'static str, least: usize },
        NotAWord { field: &'static str, words: String },
        UnknownField { name: String, fields: String },
        UnknownFieldDidYouMean { name: String, nearest: &'static str, fields: String },
    }
}

/// A value as a file or a flag gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number.
    Number(f64),
    /// A word; where a number is wanted, its digits.
    Text(String),
    /// `true` or `false`.
    Truth(bool),
    /// `null`, `None`, an empty cell: as if the field were not there.
    Nothing,
    /// Anything else.
    Other,
}

/// The conventions that were given. `None` = not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "as in Spec, where each is explained")]
pub struct SpecFields {
    pub scale: Option<f64>,
    pub temperature: Option<f64>,
    pub softcap: Option<f64>,
    pub causal: Option<Alignment>,
    pub window_left: Option<usize>,
    pub window_right: Option<usize>,
    pub empty_row: Option<EmptyRow>,
    pub normaliser: Option<Normaliser>,
    /// Into how many heads a projected width is split.
    pub heads: Option<usize>,
    /// Into how many heads projected keys and values are split.
    pub kv_heads: Option<usize>,
    pub head_order: Option<HeadOrder>,
    pub positions: Option<PositionsWord>,
    /// The base of rotary positions; 10,000 where it is not given.
    pub rope_base: Option<f64>,
    pub precision: Option<Precision>,
}

impl SpecFields {
    /// The names of the fields, in files and (with hyphens) as flags.
    pub const NAMES: [&'static str; 14] = [
        "scale",
        "temperature",
        "softcap",
        "causal",
        "window_left",
        "window_right",
        "empty_row",
        "normaliser",
        "heads",
        "kv_heads",
        "head_order",
        "positions",
        "rope_base",
        "precision",
    ];

    /// The field with this name; capitals do not matter, nor whether `_` or `-` joins.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static str> {
        let name = name.replace('-', "_");
        Self::NAMES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(&name))
    }

    /// Sets the field of this name.
    ///
    /// # Errors
    /// What is wrong with the name or the value; nothing is set then.
    pub fn set(&mut self, name: &str, value: &FieldValue) -> Result<(), FieldMsg> {
        let Some(field) = Self::named(name) else {
            let (name, fields) = (name.to_owned(), Self::NAMES.join(", "));
            return Err(match nearest(&name, Self::NAMES) {
                None => FieldMsg::UnknownField { name, fields },
                Some(nearest) => FieldMsg::UnknownFieldDidYouMean {
                    name,
                    nearest,
                    fields,
                },
            });
        };
        match field {
            "scale" => self.scale = number(field, value)?,
            "temperature" => self.temperature = number(field, value)?,
            "softcap" => self.softcap = number(field, value)?,
            "causal" if *value == FieldValue::Truth(false) => self.causal = None,
            "causal" => self.causal = word(field, value)?,
            "window_left" => self.window_left = count(field, value, 0)?,
            "window_right" => self.window_right = count(field, value, 0)?,
            "empty_row" => self.empty_row = word(field, value)?,
            "normaliser" => self.normaliser = word(field, value)?,
            "heads" => self.heads = count(field, value, 1)?,
            "kv_heads" => self.kv_heads = count(field, value, 1)?,
            "head_order" => self.head_order = word(field, value)?,
            "positions" => self.positions = word(field, value)?,
            "rope_base" => self.rope_base = number(field, value)?,
            _ => self.precision = word(field, value)?,
        }
        Ok(())
    }

    /// Both together; where both give a field, `over` wins.
    #[must_use]
    pub fn merge(self, over: Self) -> Self {
        Self {
            scale: over.scale.or(self.scale),
            temperature: over.temperature.or(self.temperature),
            softcap: over.softcap.or(self.softcap),
            causal: over.causal.or(self.causal),
            window_left: over.window_left.or(self.window_left),
            window_right: over.window_right.or(self.window_right),
            empty_row: over.empty_row.or(self.empty_row),
            normaliser: over.normaliser.or(self.normaliser),
            heads: over.heads.or(self.heads),
            kv_heads: over.kv_heads.or(self.kv_heads),
            head_order: over.head_order.or(self.head_order),
            positions: over.positions.or(self.positions),
            rope_base: over.rope_base.or(self.rope_base),
            precision: over.precision.or(self.precision),
        }
    }

    /// The conventions, those not given as the textbook has them. Whether the numbers can be computed with is for the engine to say.
    #[must_use]
    pub fn spec(&self) -> Spec {
        let default = Spec::default();
        let rotary = |pairs| {
            Positions::Rotary(Rotary {
                pairs,
                base: self.rope_base.unwrap_or(10_000.0),
            })
        };
        Spec {
            scale: self.scale,
            temperature: self.temperature.unwrap_or(default.temperature),
            softcap: self.softcap,
            causal: self.causal,
            window: crate::attention::Window {
                left: self.window_left,
                right: self.window_right,
            },
            empty_row: self.empty_row.unwrap_or_default(),
            normaliser: self.normaliser.unwrap_or_default(),
            positions: match self.positions.unwrap_or_default() {
                PositionsWord::None => Positions::None,
                PositionsWord::Sinusoidal => Positions::Sinusoidal,
                PositionsWord::RotaryHalves => rotary(RotaryPairs::Halves),
                PositionsWord::RotaryInterleaved => rotary(RotaryPairs::Interleaved),
                PositionsWord::Alibi => Positions::Alibi,
            },
            head_order: self.head_order.unwrap_or_default(),
            precision: self.precision.unwrap_or_default(),
        }
    }
}

/// [`Positions`] by one word: the base of the rotation is a field of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in Positions and RotaryPairs")]
pub enum PositionsWord {
    #[default]
    None,
    Sinusoidal,
    RotaryHalves,
    RotaryInterleaved,
    Alibi,
}

/// A convention that is chosen by a word.
pub trait Word: Copy + PartialEq + 'static {
    /// Every word, with what it means.
    const WORDS: &'static [(&'static str, Self)];

    /// The word for it.
    #[must_use]
    fn word(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(_, meaning)| *meaning == self)
            .map_or("", |(word, _)| word)
    }

    /// All words, as a list.
    #[must_use]
    fn all_words() -> String {
        let words: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
        words.join(", ")
    }
}

/// A word that is none of the allowed ones.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("“{written}” is none of: {words}{}", nearest.map(|n| format!(" (did you mean {n}?)")).unwrap_or_default())]
pub struct UnknownWord {
    /// What was written.
    pub written: String,
    /// The nearest word, where one is near.
    pub nearest: Option<&'static str>,
    /// All of them.
    pub words: String,
}

/// What a word means; capitals do not matter, nor how its parts are joined (`top-left`, `top_left`, `TopLeft`). RoPE is rotary.
///
/// # Errors
/// The nearest word and all of them.
pub fn read_word<W: Word>(written: &str) -> Result<W, UnknownWord> {
    let plain = |word: &str| {
        let word = word.trim().to_lowercase();
        word.replace(['-', '_', ' '], "").replace("rope", "rotary")
    };
    let sought = plain(written);
    let found = W::WORDS.iter().find(|(word, _)| plain(word) == sought);
    found
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| UnknownWord {
            written: written.to_owned(),
            nearest: nearest(written, W::WORDS.iter().map(|(word, _)| *word)),
            words: W::all_words(),
        })
}

/// Makes the table of words of a type.
macro_rules! words_of {
    ($type:ty: $($word:literal $meaning:ident),*) => {
        impl Word for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$meaning)),*];
        }
    };
}

words_of!(Alignment: "top-left" TopLeft, "bottom-right" BottomRight);
words_of!(EmptyRow: "zeros" Zeros, "mean" Mean, "nan" NaN);
words_of!(Normaliser: "softmax" Softmax, "hard-max" HardMax, "uniform" Uniform, "sparsemax" Sparsemax, "sigmoid" Sigmoid,
    "softmax-plus-one" SoftmaxPlusOne, "unnormalised" Unnormalised);
words_of!(HeadOrder: "interleaved" Interleaved, "tiled" Tiled);
words_of!(PositionsWord: "none" None, "sinusoidal" Sinusoidal, "rotary-halves" RotaryHalves,
    "rotary-interleaved" RotaryInterleaved, "alibi" Alibi);
words_of!(Precision: "f64" F64, "f32" F32, "f16" F16, "bf16" Bf16);

/// A number, or the digits of one.
fn number(field: &'static str, value: &FieldValue) -> Result<Option<f64>, FieldMsg> {
    match value {
        FieldValue::Number(number) => Ok(Some(*number)),
        FieldValue::Text(text) => match text.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(FieldMsg::NotANumber { field }),
        },
        FieldValue::Nothing => Ok(None),
        FieldValue::Truth(_) | FieldValue::Other => Err(FieldMsg::NotANumber { field }),
    }
}

/// A whole number that is at least `least`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "looked at before: whole, not negative and small"
)]
fn count(field: &'static str, value: &FieldValue, least: usize) -> Result<Option<usize>, FieldMsg> {
    let Ok(given) = number(field, value) else {
        return Err(FieldMsg::NotACount { field, least });
    };
    match given {
        None => Ok(None),
        Some(x) if x.fract() == 0.0 && x >= least as f64 && x < 2f64.powi(31) => {
            Ok(Some(x as usize))
        }
        Some(_) => Err(FieldMsg::NotACount { field, least }),
    }
}

/// One of the words of the type.
fn word<W: Word>(field: &'static str, value: &FieldValue) -> Result<Option<W>, FieldMsg> {
    match value {
        FieldValue::Nothing => Ok(None),
        FieldValue::Text(text) => read_word(text).map(Some).map_err(|unknown| {
            let UnknownWord {
                written,
                nearest,
                words,
            } = unknown;
            match nearest {
                None => FieldMsg::UnknownWord {
                    field,
                    written,
                    words,
                },
                Some(nearest) => FieldMsg::UnknownWordDidYouMean {
                    field,
                    written,
                    nearest,
                    words,
                },
            }
        }),
        FieldValue::Number(_) | FieldValue::Truth(_) | FieldValue::Other => {
            Err(FieldMsg::NotAWord {
                field,
                words: W::all_words(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> FieldValue {
        FieldValue::Text(text.to_owned())
    }

    #[test]
    fn every_field_is_set_by_its_name_and_wins_over_a_file() {
        let given = [
            "0.5",
            "2",
            "30",
            "bottom-right",
            "1",
            "2",
            "mean",
            "sigmoid",
            "4",
            "2",
            "tiled",
            "rotary-halves",
            "500",
            "bf16",
        ];
        let mut fields = SpecFields::default();
        for (name, value) in SpecFields::NAMES.into_iter().zip(given) {
            let before = fields;
            fields
                .set(&name.replace('_', "-").to_uppercase(), &text(value))
                .unwrap();
            assert_ne!(fields, before, "{name} sets something");
            fields.set(name, &FieldValue::Nothing).unwrap();
            assert_eq!(fields, before, "{name}: nothing takes it back");
            fields.set(name, &text(value)).unwrap();
        }
        assert_eq!(SpecFields::default().merge(fields), fields);
        assert_eq!(fields.merge(SpecFields::default()), fields);
        let spec = fields.spec();
        let base = 500.0;
        let pairs = RotaryPairs::Halves;
        assert_eq!(spec.positions, Positions::Rotary(Rotary { pairs, base }));
        assert_eq!(
            (spec.scale, spec.temperature, spec.softcap),
            (Some(0.5), 2.0, Some(30.0))
        );
        assert_eq!(SpecFields::default().spec(), Spec::default());
    }

    #[test]
    fn every_word_reads_back_and_a_misspelt_one_gets_its_neighbour() {
        fn all<W: Word + std::fmt::Debug>() {
            for (word, meaning) in W::WORDS {
                assert_eq!(
                    read_word::<W>(&word.to_uppercase().replace('-', "_")),
                    Ok(*meaning)
                );
                assert_eq!(meaning.word(), *word);
            }
        }
        all::<Alignment>();
        all::<EmptyRow>();
        all::<Normaliser>();
        all::<HeadOrder>();
        all::<PositionsWord>();
        all::<Precision>();
        assert_eq!(Normaliser::WORDS.len(), Normaliser::ALL.len());
        let unknown = read_word::<Normaliser>("sofmax").unwrap_err();
        assert_eq!(unknown.nearest, Some("softmax"));
        assert!(
            unknown.to_string().contains("sparsemax"),
            "all are listed: {unknown}"
        );
        assert_eq!(
            read_word::<Normaliser>("argmax2d").unwrap_err().nearest,
            None
        );
    }

    #[test]
    fn values_of_the_wrong_kind_are_refused() {
        let set = |name: &str, value: FieldValue| SpecFields::default().set(name, &value);
        for value in [
            FieldValue::Number(0.0),
            FieldValue::Number(1.5),
            text("two"),
            FieldValue::Other,
        ] {
            assert_eq!(
                set("heads", value),
                Err(FieldMsg::NotACount {
                    field: "heads",
                    least: 1
                })
            );
        }
        assert_eq!(set("window_left", FieldValue::Number(0.0)), Ok(()));
        assert_eq!(set("causal", FieldValue::Truth(false)), Ok(()));
        assert!(matches!(
            set("causal", FieldValue::Truth(true)),
            Err(FieldMsg::NotAWord { .. })
        ));
        assert_eq!(
            set("scale", text("half")),
            Err(FieldMsg::NotANumber { field: "scale" })
        );
    }
}
