//! What the reader says about a text: its messages, the sink that collects them, and the nearest of the allowed names.

use std::ops::Range;
use std::sync::Arc;

use super::codes::{self, Code};
use crate::words::diagnostic::{Diagnostic, Severity, Source};
pub(in crate::quiz) use crate::words::nearest;
use crate::words::{Words, messages};

messages! {
    /// What the reader says about the text of a file, and what to do about it.
    pub enum ReadMsg {
        MissingComma,
        Semicolon,
        AddComma,
        WrongOpening { name: String },
        WrongClosing { bracket: String, text: String },
        OpenedHere,
        MissingOpening { bracket: String },
        OpenBracket { bracket: String },
        UnopenedText,
        OpenText,
        UnquotedExpression { text: String },
        QuoteExpression,
        Percent { text: String },
        WriteShare { share: String },
        UnclosedBracket { bracket: String },
        CloseBracket { closer: String },
        UnclosedText,
        CloseText,
        UnclosedComment,
        CloseComment,
        Stray { text: String },
        RemoveStray,
        StrayCloser { text: String },
        RemoveCloser,
        CurlyQuotes,
        StraightQuotes,
        SingleQuotes,
        DoubleQuotes,
        QuoteInText,
        UseRawText,
        UnknownEscape { escape: String },
        SwallowedLatex { command: String },
        NotFinite { text: String },
        WriteFinite,
        DecimalComma { text: String },
        DecimalPoint { text: String },
        BadNumber { text: String },
        WriteNumber,
        DuplicateKey { key: String },
        DuplicateField { name: String },
        FirstHere,
        RemoveOne,
        MissingColon { name: String },
        EqualsForColon,
        AddColon,
        MissingValue { name: String },
        WriteValue,
        ExtraComma,
        RemoveComma,
        AfterTheEnd,
        RemoveRest,
        TooDeep { limit: usize },
        FlattenIt,
        TooLarge { megabytes: usize, limit: usize },
        SplitFile,
        Empty,
        BeginWithExample,
        BytesLiteral,
        WriteText,
        UnknownSwitch,
        RemoveSwitch,
        QuotedName { name: String },
        Unquote,
        Nameless,
        NameIt,
        ColonInList,
        UseMap,
        UnknownField { name: String, owner: String },
        UnknownVariant { name: String },
        DidYouMean { name: String },
        AllowedNames { names: String },
        NoNamesAllowed,
        MissingField { name: String, owner: String },
        AddField { name: String },
        WrongType { expected: ReadThing, found: ReadThing },
        WrongName { name: String, expected: String },
        OutOfRange { text: String },
        NotWhole { text: String },
        WriteWhole,
        WrongLength { expected: usize, found: usize },
        ListInside { name: String },
        PutInList { name: String },
        WriteList,
        WriteFields { name: String },
        Unnamed { name: String },
        NameEach { names: String },
        NoContent { name: String },
        RemoveContent,
        NeedsContent { name: String },
        AddContent { name: String },
        Refused { why: String },
        More { count: usize },
    }
}

messages! {
    /// A thing that a file holds, as it is named to people.
    pub enum ReadThing {
        Number,
        WholeNumber,
        Text,
        Character,
        TrueOrFalse,
        List,
        Map,
        Fields,
        FieldsOf { name: String },
        Name { name: String },
        AName,
        OneOf { names: String },
        Tuple { count: usize },
        Values,
        Nothing,
        Unreadable,
        Other { what: String },
    }
}

/// What to do about a fault.
pub(super) enum Cure {
    /// Nothing to say.
    None,
    /// In words.
    Say(ReadMsg),
    /// In words, and the change that does it.
    Fix(ReadMsg, Range<usize>, String),
}

/// More are not told of one file: who sees so many knows enough.
const MOST_FAULTS: usize = 500;

/// Collects what is told.
pub(super) struct Faults<'a> {
    words: &'a Words,
    source: &'a Arc<Source>,
    told: Vec<Diagnostic>,
    untold: usize,
}

impl<'a> Faults<'a> {
    pub fn new(words: &'a Words, source: &'a Arc<Source>) -> Self {
        Self {
            words,
            source,
            told: Vec::new(),
            untold: 0,
        }
    }

    /// Tells an error.
    pub fn tell(&mut self, code: Code, range: Range<usize>, what: &ReadMsg, cure: Cure) {
        self.tell_as(Severity::Error, code, range, what, cure);
    }

    /// Tells something of this severity.
    pub fn tell_as(
        &mut self,
        severity: Severity,
        code: Code,
        range: Range<usize>,
        what: &ReadMsg,
        cure: Cure,
    ) {
        if self.told.len() >= MOST_FAULTS {
            self.untold += 1;
            return;
        }
        let found = Diagnostic::new(
            self.words,
            code.id,
            severity,
            Some(Arc::clone(self.source)),
            range,
            what,
        );
        self.told.push(match cure {
            Cure::None => found,
            Cure::Say(remedy) => found.with_remedy(self.words, &remedy),
            Cure::Fix(remedy, range, new) => found.with_fix(self.words, &remedy, range, new),
        });
    }

    /// Gives the last one told a second place.
    pub fn also(&mut self, range: Range<usize>, what: &ReadMsg) {
        if let Some(last) = self.told.pop() {
            self.told.push(last.with_also(self.words, range, what));
        }
    }

    /// Tells once more what was told and taken back.
    pub fn repeat(&mut self, found: Diagnostic) {
        self.told.push(found);
    }

    /// Whether the last fault told is a bracket never closed, to be closed at this byte.
    pub fn ends_with_edit_at(&self, byte: usize) -> bool {
        let last = self.told.last();
        last.filter(|d| d.code == codes::UNCLOSED_BRACKET.id)
            .and_then(|d| d.remedy.as_ref()?.edit.as_ref())
            .is_some_and(|(range, _)| *range == (byte..byte))
    }

    /// Adds to what the last fault's change puts in.
    pub fn extend_edit(&mut self, more: &str) {
        let edit = self
            .told
            .last_mut()
            .and_then(|d| d.remedy.as_mut()?.edit.as_mut());
        if let Some((_, new)) = edit {
            new.push_str(more);
        }
    }

    pub fn last(&self) -> Option<&Diagnostic> {
        self.told.last()
    }

    pub fn mark(&self) -> (usize, usize) {
        (self.told.len(), self.untold)
    }

    /// Takes back what was told since the mark.
    pub fn take_back(&mut self, (told, untold): (usize, usize)) {
        self.told.truncate(told);
        self.untold = untold;
    }

    /// All that was told, in the order of the text.
    pub fn into_told(mut self) -> Vec<Diagnostic> {
        if self.untold > 0 {
            let end = self.source.text.len();
            let more = ReadMsg::More { count: self.untold };
            let source = Some(Arc::clone(self.source));
            self.told.push(Diagnostic::new(
                self.words,
                codes::MORE.id,
                Severity::Note,
                source,
                end..end,
                &more,
            ));
        }
        self.told.sort_by_key(|d| d.range.start);
        self.told
    }
}
