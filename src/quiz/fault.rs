//! What can be wrong with a quiz beyond its form, in one table: the message, its code (Q050 on; below are the reader's), how much it stands
//! in the way, and what to do about it. A code, once given, keeps its meaning for ever.

use super::expression::ExpressionMsg;
use super::names::NameMsg;
use crate::words::diagnostic::Severity;
use crate::words::messages;

messages! {
    /// What is wrong with a quiz, for its author.
    pub enum QuizFault {
        // The file.
        FormatTooNew { format: u64 },
        FormatUnknown { format: u64 },
        NoQuestions,
        // Ids and references.
        IdEmpty,
        IdWithSpace { id: String },
        QuestionIdTwice { id: String },
        ChoiceIdTwice { id: String },
        UnknownExample { name: String },
        UnknownExampleDidYouMean { name: String, nearest: String },
        ExampleUnused { name: String },
        FocusWithoutAttention,
        FocusOneQuery,
        FocusUnknown { said: NameMsg },
        // Numbers and examples.
        Expression { said: ExpressionMsg },
        NotFinite,
        Example { said: String },
        ExampleTooLarge { items: usize, width: usize, limit: usize },
        RightDisprovedNamed { written: String, engine: f64, mistake: String },
        RowsDiffer { first: usize, here: usize },
        ToleranceNegative,
        CloseOutside,
        // Texts.
        TextEmpty,
        Placeholder { said: NameMsg },
        PlaceholderUnclosed,
        PlaceholderWithoutExample { name: String },
        // What is asked.
        Quantity { said: NameMsg },
        QuantityWithoutExample,
        QuantityQuoted,
        // Kinds.
        NoRightChoice,
        SeveralRight { right: usize },
        TooFewChoices { choices: usize },
        TooFewOffers { offers: usize },
        ChoicesSameText,
        NothingRight,
        WholeVectorAsNumber { width: usize },
        KindWithoutExample,
        OfferWithoutReading,
        PredictOneItem,
        // Where quizzes come from.
        Unreadable { why: String },
        TooLarge { megabytes: f64, limit: usize },
        NotUtf8 { byte: usize },
        Utf16,
        ByteOrderMark,
        FolderEmpty,
        QuizIdTwice { id: String, first: String },
        // What the engine says.
        RightDisproved { written: String, engine: f64 },
        RightChoiceDisproved { claimed: f64, engine: f64 },
        WrongChoiceIsRight { engine: f64 },
        ClaimsAlike { number: f64 },
        NothingProved,
        ClaimUncited,
        ToleranceSwallows { mistake: String, safe: f64 },
        AskedIsNoNumber,
        PredictNoShares { sum: f64 },
        // What a learner would read.
        BareAverage { word: String },
        FormulaBad { why: String },
        PlaceholderWithoutEquals { name: String },
        FigureDoesNotApply { figure: String },
    }
}

messages! {
    /// What to do about a fault, and second places.
    pub enum QuizRemedy {
        UpdateProgram,
        WriteFormat,
        AddQuestion,
        WriteId,
        IdWithoutSpaces,
        OtherId,
        FirstHere,
        WriteExampleName,
        UseOrRemove,
        RemoveFocus,
        WriteToken,
        WriteLiteral,
        WriteFinite,
        MendExample,
        SmallerExample,
        SameWidth,
        WritePositive,
        BetweenZeroAndOne,
        WriteText,
        KnownNames,
        ClosePlaceholder,
        EscapePlaceholder,
        GiveExample,
        KnownQuantities,
        NamesOfNumbers { names: String },
        WithoutQuotes,
        MarkOneRight,
        OnlyOneRight,
        AddChoice,
        OtherText,
        GiveRightOrAsks,
        NameComponent,
        AddReading,
        AskMoreItems,
        CheckFile,
        SplitFile,
        SaveUtf8,
        SaveWithoutMark,
        PutQuizIn,
        RenameOne,
        TrustEngine,
        MendClaim,
        MarkRight,
        OtherNumbers,
        AddAsks,
        CiteNumber,
        LowerTolerance,
        SayWhichAverage,
        MendFormula,
        WriteEquals,
        OtherFigure,
        AskWhatIsThere,
    }
}

impl QuizFault {
    /// What was written and what was most likely meant, where a name is misspelt.
    #[must_use]
    pub fn misspelling(&self) -> Option<(&str, &str)> {
        match self {
            Self::UnknownExampleDidYouMean { name, nearest }
            | Self::Placeholder {
                said: NameMsg::UnknownDidYouMean { name, nearest },
            }
            | Self::Quantity {
                said: NameMsg::UnknownDidYouMean { name, nearest },
            } => Some((name, nearest)),
            Self::Placeholder {
                said: NameMsg::NoSuchItemDidYouMean { given, nearest },
            }
            | Self::Quantity {
                said: NameMsg::NoSuchItemDidYouMean { given, nearest },
            }
            | Self::FocusUnknown {
                said: NameMsg::NoSuchItemDidYouMean { given, nearest },
            } => Some((given, nearest)),
            _ => None,
        }
    }
}

/// Makes the table: from it, what belongs to a fault, and the list of codes.
macro_rules! table {
    ($($fault:pat => $code:literal, $severity:ident, $remedy:ident;)*) => {
        /// Every code of this table, in its order; a code stands here once.
        pub const CODES: &[&str] = &[$($code),*];

        impl QuizFault {
            /// The code, how much it stands in the way, and what to do.
            #[must_use]
            pub fn row(&self) -> (&'static str, Severity, QuizRemedy) {
                match self {
                    $($fault => ($code, Severity::$severity, QuizRemedy::$remedy)),*
                }
            }
        }
    };
}

table! {
    QuizFault::FormatTooNew { .. } => "Q050", Error, UpdateProgram;
    QuizFault::FormatUnknown { .. } => "Q051", Error, WriteFormat;
    QuizFault::NoQuestions => "Q052", Warning, AddQuestion;
    QuizFault::IdEmpty => "Q053", Error, WriteId;
    QuizFault::IdWithSpace { .. } => "Q054", Error, IdWithoutSpaces;
    QuizFault::QuestionIdTwice { .. } => "Q055", Error, OtherId;
    QuizFault::ChoiceIdTwice { .. } => "Q056", Error, OtherId;
    QuizFault::UnknownExample { .. } | QuizFault::UnknownExampleDidYouMean { .. } => "Q057", Error, WriteExampleName;
    QuizFault::ExampleUnused { .. } => "Q058", Warning, UseOrRemove;
    QuizFault::FocusWithoutAttention | QuizFault::FocusOneQuery => "Q059", Error, RemoveFocus;
    QuizFault::FocusUnknown { .. } => "Q060", Error, WriteToken;
    QuizFault::Expression { .. } => "Q061", Error, WriteLiteral;
    QuizFault::NotFinite => "Q062", Error, WriteFinite;
    QuizFault::Example { .. } => "Q063", Error, MendExample;
    QuizFault::RowsDiffer { .. } => "Q064", Error, SameWidth;
    QuizFault::ToleranceNegative => "Q065", Error, WritePositive;
    QuizFault::CloseOutside => "Q066", Error, BetweenZeroAndOne;
    QuizFault::TextEmpty => "Q067", Error, WriteText;
    QuizFault::Placeholder { .. } => "Q068", Error, KnownNames;
    QuizFault::PlaceholderUnclosed => "Q069", Error, ClosePlaceholder;
    QuizFault::PlaceholderWithoutExample { .. } => "Q070", Error, EscapePlaceholder;
    QuizFault::Quantity { .. } | QuizFault::QuantityQuoted => "Q071", Error, KnownQuantities;
    QuizFault::QuantityWithoutExample => "Q072", Error, GiveExample;
    QuizFault::NoRightChoice => "Q073", Error, MarkOneRight;
    QuizFault::SeveralRight { .. } => "Q074", Error, OnlyOneRight;
    QuizFault::TooFewChoices { .. } | QuizFault::TooFewOffers { .. } => "Q075", Error, AddChoice;
    QuizFault::ChoicesSameText => "Q076", Error, OtherText;
    QuizFault::NothingRight => "Q077", Error, GiveRightOrAsks;
    QuizFault::WholeVectorAsNumber { .. } => "Q078", Error, NameComponent;
    QuizFault::KindWithoutExample => "Q079", Error, GiveExample;
    QuizFault::OfferWithoutReading => "Q080", Error, AddReading;
    QuizFault::PredictOneItem => "Q081", Error, AskMoreItems;
    QuizFault::ExampleTooLarge { .. } => "Q082", Error, SmallerExample;
    QuizFault::Unreadable { .. } => "Q090", Error, CheckFile;
    QuizFault::TooLarge { .. } => "Q091", Error, SplitFile;
    QuizFault::NotUtf8 { .. } | QuizFault::Utf16 => "Q092", Error, SaveUtf8;
    QuizFault::ByteOrderMark => "Q093", Note, SaveWithoutMark;
    QuizFault::FolderEmpty => "Q094", Warning, PutQuizIn;
    QuizFault::QuizIdTwice { .. } => "Q095", Warning, RenameOne;
    QuizFault::RightDisproved { .. } | QuizFault::RightDisprovedNamed { .. } => "Q100", Error, TrustEngine;
    QuizFault::RightChoiceDisproved { .. } => "Q101", Error, MendClaim;
    QuizFault::WrongChoiceIsRight { .. } => "Q102", Error, MarkRight;
    QuizFault::ClaimsAlike { .. } => "Q103", Error, OtherNumbers;
    QuizFault::NothingProved => "Q104", Note, AddAsks;
    QuizFault::ClaimUncited => "Q105", Note, CiteNumber;
    QuizFault::ToleranceSwallows { .. } => "Q106", Error, LowerTolerance;
    QuizFault::BareAverage { .. } => "Q107", Warning, SayWhichAverage;
    QuizFault::FormulaBad { .. } => "Q108", Error, MendFormula;
    QuizFault::PlaceholderWithoutEquals { .. } => "Q109", Warning, WriteEquals;
    QuizFault::FigureDoesNotApply { .. } => "Q110", Warning, OtherFigure;
    QuizFault::AskedIsNoNumber | QuizFault::PredictNoShares { .. } => "Q111", Error, AskWhatIsThere;
}
