//! A bare "average" in a prompt, a choice or a reason: the word that the argument was about. *Weighted average* is fine, and so is the
//! word itself where it is quoted or emphasised, as in a question about that very word.

use std::ops::Range;

use super::Case;
use crate::quiz::fault::QuizFault;
use crate::quiz::template::{Setting, Template, settings};

pub(super) fn check(case: &mut Case<'_>) {
    let source = case.quiz.source.clone();
    for text in case.question.texts() {
        for range in bare_averages(text) {
            let word = text
                .text()
                .get(range.clone())
                .unwrap_or_default()
                .to_owned();
            case.tell(
                &QuizFault::BareAverage { word },
                text.place(&source.text, range),
            );
        }
    }
}

/// The word in all its forms.
const FORMS: [&str; 4] = ["average", "averages", "averaged", "averaging"];

/// Where "average" stands alone.
fn bare_averages(template: &Template) -> Vec<Range<usize>> {
    let text = template.text();
    if !text.contains("verag") && !text.contains("VERAG") {
        return Vec::new();
    }
    let settings = settings(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_word(text, at) {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default().to_lowercase();
        let before = text.get(..start).unwrap_or_default();
        at = start + length;
        if FORMS.contains(&word.as_str())
            && settings
                .iter()
                .rfind(|(from, _)| *from <= start)
                .is_none_or(|(_, s)| *s == Setting::Prose)
            && !template
                .holes()
                .iter()
                .any(|hole| hole.range.contains(&start))
            && !follows_weighted(before)
            && !is_quoted(before)
        {
            found.push(start..at);
        }
    }
    found
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The next beginning of a word from a byte on.
fn next_word(text: &str, from: usize) -> Option<usize> {
    text.get(from..)?
        .find(is_of_word)
        .map(|offset| from + offset)
}

/// "weighted average", "*weighted* average", "weighted-average", over a line's end too.
fn follows_weighted(before: &str) -> bool {
    let before = before
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '-' | '“' | '"'));
    before.to_lowercase().ends_with("weighted")
}

/// Whether the text up to here has opened an emphasis or a quotation, within the paragraph, that it has not closed.
fn is_quoted(before: &str) -> bool {
    let paragraph = before.rsplit("\n\n").next().unwrap_or_default();
    let mut stars = 0;
    let mut was_star = false;
    for c in paragraph.chars() {
        stars += usize::from(c == '*' && !was_star);
        was_star = c == '*';
    }
    let odd = |mark: char| paragraph.matches(mark).count() % 2 == 1;
    let open = |opening: char, closing: char| {
        paragraph.matches(opening).count() > paragraph.matches(closing).count()
    };
    stars % 2 == 1
        || odd('"')
        || open('“', '”')
        || open('„', '“')
        || paragraph.ends_with(['\'', '‘', '_', '«'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::testing::{exam, template_of};

    #[test]
    fn only_a_bare_average_is_found() {
        for (text, found) in [
            ("Is it an average?", vec!["average"]),
            (
                "Average them; averages differ.",
                vec!["Average", "averages"],
            ),
            (
                "the weighted average, a *weighted* average, a weighted\naverage",
                vec![],
            ),
            (
                "*average* them, or “average”, or \"average\" or `average`",
                vec![],
            ),
            ("*so* an average", vec!["average"]),
            ("{=weighted_average} of coverage", vec![]),
        ] {
            let template = template_of(text, &exam()).unwrap();
            let words: Vec<&str> = bare_averages(&template)
                .into_iter()
                .map(|r| &text[r])
                .collect();
            assert_eq!(words, found, "{text}");
        }
    }
}
