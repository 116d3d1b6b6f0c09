//! *Copy as a reply*: the explanation as Markdown with its table, to be posted where the argument was.

use super::asking::Asking;
use super::figures;
use super::messages::AppMsg;
use crate::figure;
use crate::quiz::{ChoiceState, ReadingsTable};
use crate::text::to_markdown;
use crate::words::Words;

/// The size does not matter to the table that is taken from the figure.
const ANY_SIZE: [f32; 2] = [640.0, 420.0];

/// The question, its readings or the choices that matter with their reasons, the statement and the figure's table; `None` before the answer.
#[must_use]
pub fn markdown(asking: &Asking, words: &Words) -> Option<String> {
    let explanation = asking.explanation()?;
    let mut parts = vec![quoted(&to_markdown(&asking.asked().prompt))];
    if let Some(table) = &explanation.readings {
        parts.push(readings(table, words));
    }
    let choices: Vec<String> = explanation
        .choices
        .iter()
        .filter(|choice| choice.state != ChoiceState::Other)
        .map(|choice| {
            let sign = match choice.state {
                ChoiceState::YoursRight | ChoiceState::Right => "✓",
                ChoiceState::YoursWrong => "✗",
                ChoiceState::Yours | ChoiceState::Other => "·",
            };
            let number = choice
                .number
                .as_ref()
                .map(|(number, _)| format!(" {number}"))
                .unwrap_or_default();
            let text = to_markdown(&choice.text);
            format!(
                "- {sign} **{}**{number}. {}",
                text.trim(),
                to_markdown(&choice.why).trim()
            )
        })
        .collect();
    if !choices.is_empty() {
        parts.push(choices.join("\n"));
    }
    parts.push(to_markdown(&explanation.reply));
    if let Some(right) = &explanation.right {
        parts.push(words.say(&AppMsg::RightAnswer {
            answer: right.clone(),
        }));
    }
    parts.push(to_markdown(&explanation.statement));
    if explanation.readings.is_none()
        && let Some(drawing) = figures::drawing(asking, words, ANY_SIZE, 1.0)
        && !drawing.table.rows.is_empty()
    {
        parts.push(figure::markdown_table(&drawing.table));
    }
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    Some(parts.join("\n\n") + "\n")
}

/// The table of readings as a Markdown table; what agrees is bold.
fn readings(table: &ReadingsTable, words: &Words) -> String {
    let ReadingsTable { columns, rows } = table;
    let mut lines = vec![
        format!(
            "| {} | {} |",
            words.say(&AppMsg::OfferColumn),
            columns.join(" | ")
        ),
        format!("|---{}|", "|---".repeat(columns.len())),
    ];
    for row in rows {
        let cells: Vec<String> = row
            .cells
            .iter()
            .map(|cells| {
                let said = cells.iter().map(|cell| {
                    let number = if cell.agrees {
                        format!("**{}**", cell.number)
                    } else {
                        cell.number.clone()
                    };
                    let note = if cell.note.is_empty() {
                        String::new()
                    } else {
                        format!("({})", cell.note)
                    };
                    let parts = [number.as_str(), cell.with.as_str(), note.as_str()];
                    parts
                        .into_iter()
                        .filter(|part| !part.is_empty())
                        .collect::<Vec<_>>()
                        .join(" ")
                });
                said.collect::<Vec<_>>().join("; ")
            })
            .collect();
        let mut offer = to_markdown(&row.offer).trim().to_owned();
        if row.yours {
            offer = format!("{offer} ({})", words.say(&AppMsg::YourPick));
        }
        lines.push(format!("| {offer} | {} |", cells.join(" | ")));
    }
    lines.join("\n")
}

fn quoted(text: &str) -> String {
    text.trim()
        .lines()
        .map(|line| format!("> {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
