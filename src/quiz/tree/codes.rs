//! The codes of what the reader tells, Q001 to Q049: a code, once given, keeps its meaning for ever.

/// A code and its name in plain letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `Q001`.
    pub id: &'static str,
    /// `missing-comma`.
    pub name: &'static str,
}

/// Makes the constants and the table of them.
macro_rules! codes {
    ($($constant:ident = $id:literal $name:literal),* $(,)?) => {
        $(
            #[doc = concat!("`", $id, "`, ", $name, ".")]
            pub const $constant: Code = Code { id: $id, name: $name };
        )*
        /// Every code of the reader.
        pub const ALL: &[Code] = &[$($constant),*];
    };
}

codes! {
    MISSING_COMMA = "Q001" "missing-comma",
    UNCLOSED_BRACKET = "Q002" "unclosed-bracket",
    UNCLOSED_TEXT = "Q003" "unclosed-text",
    UNCLOSED_COMMENT = "Q004" "unclosed-comment",
    STRAY = "Q005" "stray-character",
    STRAY_CLOSER = "Q006" "stray-closing-bracket",
    CURLY_QUOTES = "Q007" "curly-quotes",
    SINGLE_QUOTES = "Q008" "single-quotes",
    QUOTE_IN_TEXT = "Q009" "quote-in-text",
    UNKNOWN_ESCAPE = "Q010" "unknown-escape",
    SWALLOWED_LATEX = "Q011" "swallowed-latex",
    NOT_FINITE = "Q012" "not-finite",
    DECIMAL_COMMA = "Q013" "decimal-comma",
    BAD_NUMBER = "Q014" "malformed-number",
    DUPLICATE_KEY = "Q015" "duplicate-key",
    DUPLICATE_FIELD = "Q016" "duplicate-field",
    MISSING_COLON = "Q017" "missing-colon",
    MISSING_VALUE = "Q018" "missing-value",
    EXTRA_COMMA = "Q019" "extra-comma",
    AFTER_THE_END = "Q020" "after-the-end",
    TOO_DEEP = "Q021" "too-deep",
    TOO_LARGE = "Q022" "too-large",
    EMPTY = "Q023" "empty",
    BYTES = "Q024" "bytes",
    SWITCH = "Q025" "unknown-switch",
    QUOTED_NAME = "Q026" "quoted-field-name",
    NAMELESS = "Q027" "field-without-name",
    COLON_IN_LIST = "Q028" "colon-in-list",
    UNKNOWN_FIELD = "Q029" "unknown-field",
    UNKNOWN_VARIANT = "Q030" "unknown-variant",
    MISSING_FIELD = "Q031" "missing-field",
    WRONG_TYPE = "Q032" "wrong-type",
    WRONG_NAME = "Q033" "wrong-name",
    OUT_OF_RANGE = "Q034" "out-of-range",
    WRONG_LENGTH = "Q035" "wrong-length",
    NO_CONTENT = "Q036" "no-content-expected",
    REFUSED = "Q037" "refused-value",
    MORE = "Q038" "more-faults",
    WRONG_BRACKET = "Q039" "wrong-bracket",
    MISSING_OPENING = "Q040" "missing-opening-bracket",
}
