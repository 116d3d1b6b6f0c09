//! A placeholder without its equals sign, `{sum}`, which a learner would read as it stands.

use std::ops::Range;

use super::Case;
use crate::quiz::fault::{QuizFault, QuizRemedy};
use crate::quiz::template::{Setting, Template, is_known, settings};

pub(super) fn check(case: &mut Case<'_>) {
    let source = case.quiz.source.clone();
    for text in case.question.texts() {
        for (range, meant) in unfilled(text) {
            let name = text
                .text()
                .get(range.clone())
                .unwrap_or_default()
                .to_owned();
            let place = text.place(&source.text, range);
            let fault = QuizFault::PlaceholderWithoutEquals { name };
            case.tell_with_fix(&fault, place, &QuizRemedy::WriteEquals, meant);
        }
    }
}

/// Where `{name}` stands in prose, and what was meant; in formulas curly brackets are TeX, in code they are themselves.
fn unfilled(template: &Template) -> Vec<(Range<usize>, String)> {
    let text = template.text();
    let settings = settings(text);
    let is_prose = |byte: usize| {
        let before = settings.iter().rfind(|(from, _)| *from <= byte);
        before.is_none_or(|(_, setting)| *setting == Setting::Prose)
    };
    let opened = text.match_indices('{').map(|(start, _)| start);
    opened
        .filter(|start| {
            is_prose(*start) && !text.get(start + 1..).unwrap_or_default().starts_with('=')
        })
        .filter_map(|start| {
            let inside = text.get(start + 1..)?.split_once('}')?.0;
            let meant = inside.trim().trim_start_matches('=').trim();
            let name = meant.split_whitespace().next()?.to_lowercase();
            is_known(&name).then(|| (start..start + inside.len() + 2, format!("{{={meant}}}")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::unfilled;
    use crate::quiz::testing::{exam, template_of};

    #[test]
    fn a_placeholder_without_its_sign_is_found_in_prose_alone() {
        for (text, meant) in [
            ("It is {sum}.", vec!["{=sum}"]),
            (
                "{ =count 1 in words} and {Values}",
                vec!["{=count 1 in words}", "{=Values}"],
            ),
            ("{=sum} and {nothing} and {", vec![]),
            (r"$\frac{sum}{2}$ and `{sum}`", vec![]),
        ] {
            let found = unfilled(&template_of(text, &exam()).unwrap());
            let found: Vec<_> = found.iter().map(|(_, meant)| meant.as_str()).collect();
            assert_eq!(found, meant, "{text}");
        }
    }
}
