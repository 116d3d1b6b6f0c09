//! A formula that cannot be typeset would be shown to the learner as its source.

use super::Case;
use crate::quiz::fault::QuizFault;
use crate::quiz::template::{Setting, settings};
use crate::text::formula;

/// Whether it can be set does not depend on its size.
const SIZE_PT: f32 = 16.0;

pub(super) fn check(case: &mut Case<'_>) {
    let source = case.quiz.source.clone();
    for text in case
        .question
        .texts()
        .into_iter()
        .filter(|t| t.text().contains('$'))
    {
        let changes = settings(text.text());
        for (number, (start, _)) in changes
            .iter()
            .enumerate()
            .filter(|(_, (_, s))| *s == Setting::Math)
        {
            let end = changes
                .get(number + 1)
                .map_or(text.text().len(), |(end, _)| *end);
            let before = text.text().get(..*start).unwrap_or_default();
            let dollars = before.len() - before.trim_end_matches('$').len();
            // The next change lies behind the closing dollars.
            let end = end.saturating_sub(dollars).max(*start);
            let tex = case
                .question
                .filling(case.computed, case.words)
                .part(text, *start..end);
            let Err(error) = formula::layout(tex.trim(), SIZE_PT, dollars == 2) else {
                continue;
            };
            let is_as_written = text.text().get(*start..end) == Some(tex.as_str());
            let indent = tex.len() - tex.trim_start().len();
            let at = if is_as_written {
                indent + byte_of_column(tex.trim_start(), error.column)
            } else {
                0
            };
            let place = text.place(&source.text, *start + at..end);
            case.tell(&QuizFault::FormulaBad { why: error.why }, place);
        }
    }
}

fn byte_of_column(text: &str, column: usize) -> usize {
    text.char_indices()
        .nth(column.saturating_sub(1))
        .map_or(text.len(), |(byte, _)| byte)
}
