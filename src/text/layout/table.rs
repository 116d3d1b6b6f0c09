//! Tables: columns as wide as their widest cell while there is room, else shared out fairly; a hairline under each row but the last.

use super::lines::{Line, break_lines};
use super::{Flow, HAIRLINE_PT, Laid, Rule, Style};
use crate::text::document::{Align, Inline, Table};
use crate::text::palette::Ink;

/// Between columns, in type sizes.
const COLUMN_GAP: f32 = 1.5;
/// Above and below a row's words, in type sizes.
const ROW_PAD: f32 = 0.3;

/// Places a table under what is placed already.
pub(super) fn place(flow: &mut Flow, table: &Table, style: &Style, x: f32, width: f32) {
    let rows: Vec<(&Vec<Vec<Inline>>, Style)> = std::iter::once((&table.head, style.strong()))
        .chain(table.rows.iter().map(|row| (row, *style)))
        .filter(|(row, _)| !row.is_empty())
        .collect();
    let columns = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0);
    if columns == 0 {
        return;
    }
    let gap = (style.size_pt * COLUMN_GAP).min(width / (2.0 * columns as f32));
    let room = width - gap * (columns - 1) as f32;
    let mut natural = vec![0.0_f32; columns];
    for (row, style) in &rows {
        for (cell, widest) in row.iter().zip(&mut natural) {
            // What goes wrong here is told when the cell is laid out for good.
            let lines = break_lines(cell, style, f32::MAX, &mut Laid::default());
            *widest = lines.iter().map(|line| line.width).fold(*widest, f32::max);
        }
    }
    let widths = share(&natural, room);
    let total: f32 = widths.iter().sum::<f32>() + gap * (columns - 1) as f32;

    let pad = (style.size_pt * ROW_PAD).round();
    let count = rows.len();
    for (i, (row, style)) in rows.iter().enumerate() {
        let top = flow.y + if i == 0 { 0.0 } else { pad };
        let mut bottom = top + style.line();
        let mut left = x;
        for ((cell, column), align) in row
            .iter()
            .zip(&widths)
            .zip(table.align.iter().chain(std::iter::repeat(&Align::Left)))
        {
            let mut y = top;
            for line in break_lines(cell, style, *column, &mut flow.laid) {
                y = line.put(
                    &mut flow.laid,
                    style,
                    left + shift(*align, &line, *column),
                    y,
                );
            }
            bottom = bottom.max(y);
            left += column + gap;
        }
        flow.y = bottom;
        if i + 1 < count {
            flow.y += pad;
            flow.laid.put_rule(Rule {
                x,
                y: flow.y,
                width: total,
                height: HAIRLINE_PT,
                ink: Ink::Line,
            });
            flow.y += HAIRLINE_PT;
        }
    }
}

fn shift(align: Align, line: &Line, column: f32) -> f32 {
    let free = (column - line.width).max(0.0);
    match align {
        Align::Left => 0.0,
        Align::Centre => (free / 2.0).round(),
        Align::Right => free,
    }
}

/// The columns' widths: what they want where there is room; else those that want less than their share keep it, and the others share the rest.
fn share(natural: &[f32], room: f32) -> Vec<f32> {
    // A hair more than measured, so that what fits exactly is not broken by rounding.
    let mut widths: Vec<f32> = natural.iter().map(|w| w + 0.05).collect();
    if widths.iter().sum::<f32>() <= room {
        return widths;
    }
    let (mut left, mut open) = (room, natural.len());
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by(|a, b| {
        natural
            .get(*a)
            .partial_cmp(&natural.get(*b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    for i in order {
        if let Some(width) = widths.get_mut(i) {
            *width = width.min(left / open as f32).max(1.0);
            left -= *width;
            open -= 1;
        }
    }
    widths
}
