//! What can be wrong with a file of arrays, in one table: the message, its code (A001 on), how much it stands in the way, and what to do.
//! A code, once given, keeps its meaning for ever.

use super::spec_fields::FieldMsg;
use crate::words::diagnostic::Severity;
use crate::words::messages;

messages! {
    /// What is wrong with a file of arrays.
    pub enum ArrayFault {
        // The file.
        UnknownFormat { formats: String },
        OtherFormat { ending: &'static str, found: &'static str },
        Truncated { needed: u64, there: u64 },
        TooLong { name: String },
        TooLarge { limit: usize },
        NotUtf8 { byte: usize },
        Utf16,
        Utf16Broken,
        Binary,
        NoArrays,
        More { count: usize },
        // Names.
        UnknownName { name: String },
        UnknownNameDidYouMean { name: String, nearest: &'static str },
        NameTwice { name: String },
        Nameless,
        NotTheArray { name: &'static str, there: String },
        Field { said: FieldMsg },
        NestedSpec,
        TokensNotTexts,
        // The form of a text.
        Unexpected { written: String },
        Unclosed { bracket: String },
        UnclosedText,
        BadText,
        MissingComma,
        ExtraComma,
        MissingColon { name: String },
        MissingValue { name: String },
        AfterTheEnd,
        JsonComment,
        JsonBareWord { written: String },
        NotAnObject,
        // Numbers and shapes.
        NotANumber { written: String },
        OutOfRange { written: String },
        Ragged { row: String, here: usize, first: usize },
        Mixed,
        TooDeep { limit: usize },
        Rank { name: String, rank: usize },
        RankOfList { name: String, rank: usize },
        Truths { name: String },
        NotTruths { value: f64 },
        NotExact { name: String },
        // CSV.
        DecimalCommas,
        EmptyCell,
        TwoCommas { written: String },
        NotAHeading { written: String },
        PartMissing { name: String, part: String },
        PartTwice { name: String },
        PartDiffers { name: String, rows: usize, columns: usize, first_rows: usize, first_columns: usize },
        // Binary heads.
        NotNumpy,
        NumpyVersion { major: usize, minor: usize },
        NumpyHead { wanted: &'static str },
        Pickled,
        NumberType { written: String },
        Archive { why: String },
        HeadLength { length: u64 },
        HeadUnreadable { why: String },
        Offsets { name: String, from: u64, to: u64, needed: u64 },
        OffsetsOutside { name: String, to: u64, there: u64 },
        Overlap { name: String },
    }
}

messages! {
    /// What to do about it.
    pub enum ArrayRemedy {
        OneOfTheFormats,
        RenameFile,
        CopyAgain,
        SmallerFile,
        SaveUtf8,
        GiveNames,
        KnownNames,
        OneOnly,
        NameTheFile,
        MendField,
        WriteTokens,
        MendText,
        CloseBracket,
        PutComma,
        TakeComma,
        PutColon,
        PutValue,
        RemoveRest,
        RemoveComment,
        QuoteNonFinite,
        NamesAndValues,
        WriteNumber,
        SameLength,
        NumbersOrLists,
        TwoToFour,
        OneRow,
        OneList,
        CallItKeep,
        TrueOrFalse,
        MendOthers,
        FillCell,
        HeadingAlone,
        AllParts,
        SaveWithNumpy,
        SaveAsFloat,
        SaveAgain,
    }
}

messages! {
    /// Where a binary file is at fault.
    pub enum ArrayPlaceMsg {
        Byte { file: String, byte: usize, said: String },
        Member { file: String, member: String, byte: usize, said: String },
    }
}

/// A remedy, or none.
macro_rules! remedy {
    () => {
        None
    };
    ($remedy:ident) => {
        Some(ArrayRemedy::$remedy)
    };
}

/// Makes the table: from it, what belongs to a fault, and the list of codes.
macro_rules! table {
    ($($fault:pat => $code:literal, $severity:ident $(, $remedy:ident)?;)*) => {
        /// Every code of this table, in its order; a code stands here once.
        pub const CODES: &[&str] = &[$($code),*];

        impl ArrayFault {
            /// The code, how much it stands in the way, and what to do, where there is something.
            #[must_use]
            pub fn row(&self) -> (&'static str, Severity, Option<ArrayRemedy>) {
                match self {
                    $($fault => ($code, Severity::$severity, remedy!($($remedy)?))),*
                }
            }
        }
    };
}

table! {
    ArrayFault::UnknownFormat { .. } => "A001", Error, OneOfTheFormats;
    ArrayFault::OtherFormat { .. } => "A002", Warning, RenameFile;
    ArrayFault::Truncated { .. } => "A003", Error, CopyAgain;
    ArrayFault::TooLong { .. } => "A004", Error, CopyAgain;
    ArrayFault::TooLarge { .. } => "A005", Error, SmallerFile;
    ArrayFault::NotUtf8 { .. } | ArrayFault::Utf16Broken | ArrayFault::Binary => "A006", Error, SaveUtf8;
    ArrayFault::Utf16 => "A007", Note;
    ArrayFault::NoArrays => "A008", Error, GiveNames;
    ArrayFault::More { .. } => "A009", Error, MendOthers;
    ArrayFault::UnknownName { .. } | ArrayFault::UnknownNameDidYouMean { .. } => "A010", Warning, KnownNames;
    ArrayFault::NameTwice { .. } | ArrayFault::PartTwice { .. } => "A011", Error, OneOnly;
    ArrayFault::Nameless => "A012", Error, NameTheFile;
    ArrayFault::NotTheArray { .. } => "A013", Error, NameTheFile;
    ArrayFault::Field { .. } => "A014", Error, MendField;
    ArrayFault::NestedSpec => "A015", Error, NamesAndValues;
    ArrayFault::TokensNotTexts => "A016", Error, WriteTokens;
    ArrayFault::Unexpected { .. } => "A020", Error, MendText;
    ArrayFault::Unclosed { .. } => "A021", Error, CloseBracket;
    ArrayFault::UnclosedText | ArrayFault::BadText => "A022", Error, MendText;
    ArrayFault::MissingComma => "A023", Error, PutComma;
    ArrayFault::ExtraComma => "A024", Error, TakeComma;
    ArrayFault::MissingColon { .. } => "A025", Error, PutColon;
    ArrayFault::MissingValue { .. } => "A026", Error, PutValue;
    ArrayFault::AfterTheEnd => "A027", Error, RemoveRest;
    ArrayFault::JsonComment => "A028", Warning, RemoveComment;
    ArrayFault::JsonBareWord { .. } => "A029", Note, QuoteNonFinite;
    ArrayFault::NotAnObject => "A030", Error, NamesAndValues;
    ArrayFault::NotANumber { .. } | ArrayFault::OutOfRange { .. } | ArrayFault::TwoCommas { .. } => "A040", Error, WriteNumber;
    ArrayFault::Ragged { .. } => "A041", Error, SameLength;
    ArrayFault::Mixed => "A042", Error, NumbersOrLists;
    ArrayFault::TooDeep { .. } => "A043", Error, TwoToFour;
    ArrayFault::Rank { rank: 0 | 1, .. } => "A044", Error, OneRow;
    ArrayFault::Rank { .. } => "A045", Error, TwoToFour;
    ArrayFault::RankOfList { .. } => "A046", Error, OneList;
    ArrayFault::Truths { .. } => "A047", Error, CallItKeep;
    ArrayFault::NotTruths { .. } => "A048", Error, TrueOrFalse;
    ArrayFault::NotExact { .. } => "A049", Warning;
    ArrayFault::DecimalCommas => "A060", Note;
    ArrayFault::EmptyCell => "A061", Error, FillCell;
    ArrayFault::NotAHeading { .. } => "A062", Error, HeadingAlone;
    ArrayFault::PartMissing { .. } => "A063", Error, AllParts;
    ArrayFault::PartDiffers { .. } => "A064", Error, SameLength;
    ArrayFault::NotNumpy => "A070", Error, SaveWithNumpy;
    ArrayFault::NumpyVersion { .. } => "A071", Error, SaveWithNumpy;
    ArrayFault::NumpyHead { .. } => "A072", Error, SaveWithNumpy;
    ArrayFault::Pickled => "A073", Error, SaveAsFloat;
    ArrayFault::NumberType { .. } => "A074", Error, SaveAsFloat;
    ArrayFault::Archive { .. } => "A075", Error, SaveAgain;
    ArrayFault::HeadLength { .. } => "A076", Error, CopyAgain;
    ArrayFault::HeadUnreadable { .. } => "A077", Error, SaveAgain;
    ArrayFault::Offsets { .. } => "A078", Error, SaveAgain;
    ArrayFault::OffsetsOutside { .. } => "A079", Error, CopyAgain;
    ArrayFault::Overlap { .. } => "A080", Error, SaveAgain;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_in_order_and_each_once() {
        let mut codes = CODES.to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes, CODES);
        assert!(
            codes
                .iter()
                .all(|code| code.len() == 4 && code.starts_with('A'))
        );
    }
}
