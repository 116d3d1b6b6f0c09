//! What can be wrong with a quiz beyond its form, in one table: the message, its code (Q050 on; below are the reader's), how much it stands
//! in the way, and what to do about it. A code, once given, keeps its meaning for ever.

use super::expression::ExpressionMsg;
use super::names::NameMsg;
use crate::words::diagnostic::Severity::{self, Error, Note, Warning};
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
        // Kinds.
        NoRightChoice,
        SeveralRight { right: usize },
        TooFewChoices { choices: usize },
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
        // What a learner would read.
        BareAverage { word: String },
        FormulaBad { why: String },
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
        SameWidth,
        WritePositive,
        BetweenZeroAndOne,
        WriteText,
        KnownNames,
        ClosePlaceholder,
        EscapePlaceholder,
        GiveExample,
        KnownQuantities,
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
    }
}

impl QuizFault {
    /// The code, how much it stands in the way, and what to do.
    #[must_use]
    pub fn row(&self) -> (&'static str, Severity, QuizRemedy) {
        use QuizRemedy as R;
        match self {
            Self::FormatTooNew { .. } => ("Q050", Error, R::UpdateProgram),
            Self::FormatUnknown { .. } => ("Q051", Error, R::WriteFormat),
            Self::NoQuestions => ("Q052", Warning, R::AddQuestion),
            Self::IdEmpty => ("Q053", Error, R::WriteId),
            Self::IdWithSpace { .. } => ("Q054", Error, R::IdWithoutSpaces),
            Self::QuestionIdTwice { .. } => ("Q055", Error, R::OtherId),
            Self::ChoiceIdTwice { .. } => ("Q056", Error, R::OtherId),
            Self::UnknownExample { .. } | Self::UnknownExampleDidYouMean { .. } => ("Q057", Error, R::WriteExampleName),
            Self::ExampleUnused { .. } => ("Q058", Warning, R::UseOrRemove),
            Self::FocusWithoutAttention | Self::FocusOneQuery => ("Q059", Error, R::RemoveFocus),
            Self::FocusUnknown { .. } => ("Q060", Error, R::WriteToken),
            Self::Expression { .. } => ("Q061", Error, R::WriteLiteral),
            Self::NotFinite => ("Q062", Error, R::WriteFinite),
            Self::Example { .. } => ("Q063", Error, R::MendExample),
            Self::RowsDiffer { .. } => ("Q064", Error, R::SameWidth),
            Self::ToleranceNegative => ("Q065", Error, R::WritePositive),
            Self::CloseOutside => ("Q066", Error, R::BetweenZeroAndOne),
            Self::TextEmpty => ("Q067", Error, R::WriteText),
            Self::Placeholder { .. } => ("Q068", Error, R::KnownNames),
            Self::PlaceholderUnclosed => ("Q069", Error, R::ClosePlaceholder),
            Self::PlaceholderWithoutExample { .. } => ("Q070", Error, R::EscapePlaceholder),
            Self::Quantity { .. } => ("Q071", Error, R::KnownQuantities),
            Self::QuantityWithoutExample => ("Q072", Error, R::GiveExample),
            Self::NoRightChoice => ("Q073", Error, R::MarkOneRight),
            Self::SeveralRight { .. } => ("Q074", Error, R::OnlyOneRight),
            Self::TooFewChoices { .. } => ("Q075", Error, R::AddChoice),
            Self::ChoicesSameText => ("Q076", Error, R::OtherText),
            Self::NothingRight => ("Q077", Error, R::GiveRightOrAsks),
            Self::WholeVectorAsNumber { .. } => ("Q078", Error, R::NameComponent),
            Self::KindWithoutExample => ("Q079", Error, R::GiveExample),
            Self::OfferWithoutReading => ("Q080", Error, R::AddReading),
            Self::PredictOneItem => ("Q081", Error, R::AskMoreItems),
            Self::Unreadable { .. } => ("Q090", Error, R::CheckFile),
            Self::TooLarge { .. } => ("Q091", Error, R::SplitFile),
            Self::NotUtf8 { .. } => ("Q092", Error, R::SaveUtf8),
            Self::ByteOrderMark => ("Q093", Note, R::SaveWithoutMark),
            Self::FolderEmpty => ("Q094", Warning, R::PutQuizIn),
            Self::QuizIdTwice { .. } => ("Q095", Warning, R::RenameOne),
            Self::RightDisproved { .. } => ("Q100", Error, R::TrustEngine),
            Self::RightChoiceDisproved { .. } => ("Q101", Error, R::MendClaim),
            Self::WrongChoiceIsRight { .. } => ("Q102", Error, R::MarkRight),
            Self::ClaimsAlike { .. } => ("Q103", Error, R::OtherNumbers),
            Self::NothingProved => ("Q104", Note, R::AddAsks),
            Self::ClaimUncited => ("Q105", Note, R::CiteNumber),
            Self::ToleranceSwallows { .. } => ("Q106", Error, R::LowerTolerance),
            Self::BareAverage { .. } => ("Q107", Warning, R::SayWhichAverage),
            Self::FormulaBad { .. } => ("Q108", Error, R::MendFormula),
        }
    }
}
