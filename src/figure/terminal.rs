//! A drawing in characters: weights as bars against the uniform line, a scene as a small text picture, a table in columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::said::FigureMsg;
use super::{Align, Chart, Drawing, Mark, Picture, Place, Scene, Table};
use crate::words::Words;

/// How many points of a scene one character is wide and high: draw with `columns * POINTS_A_COLUMN` for a terminal of so many columns.
pub const POINTS_A_COLUMN: f32 = 7.5;
const POINTS_A_ROW: f32 = 16.0;
/// Eighths of a block, from the left.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// The headline and the picture, no line wider than `columns` characters. A scene of formulas is told by its table.
#[must_use]
pub fn terminal(drawing: &Drawing, columns: usize, words: &Words) -> String {
    let headline: String = drawing
        .headline
        .iter()
        .map(|span| span.text.as_str())
        .collect();
    let picture = match &drawing.picture {
        Picture::Chart(chart) => bars(chart, columns, words),
        Picture::Scene(scene) if scene.marks.iter().any(|m| matches!(m, Mark::Rich { .. })) => {
            terminal_table(&drawing.table, columns)
        }
        Picture::Scene(scene) => characters(scene, columns),
    };
    format!("{}\n\n{picture}", wrapped(&headline, columns))
}

/// The table in columns; where it is too wide, its cells go one a line.
#[must_use]
pub fn terminal_table(table: &Table, columns: usize) -> String {
    let names = table.rows.iter().map(|r| r.name.width()).max().unwrap_or(0);
    let count = table.width();
    let widths: Vec<usize> = (0..count)
        .map(|c| {
            let cells = table
                .rows
                .iter()
                .filter_map(|r| r.cells.get(c))
                .map(|cell| cell.text.width());
            cells
                .chain(table.columns.get(c).map(|t| t.width()))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let results = table
        .rows
        .iter()
        .map(|r| r.result.width())
        .max()
        .unwrap_or(0);
    let whole = names + widths.iter().map(|w| w + 2).sum::<usize>() + results + 2;
    let mut out = String::new();
    if whole <= columns {
        let row = |name: &str, cells: Vec<&str>, result: &str| {
            let cells: String = (0..count)
                .zip(&widths)
                .map(|(c, w)| format!("  {}", right(cells.get(c).copied().unwrap_or(""), *w)))
                .collect();
            format!("{}{cells}  {}", left(name, names), right(result, results))
                .trim_end()
                .to_owned()
                + "\n"
        };
        out += &row("", table.columns.iter().map(String::as_str).collect(), "");
        for r in &table.rows {
            out += &row(
                &r.name,
                r.cells.iter().map(|c| c.text.as_str()).collect(),
                &r.result,
            );
        }
        return out;
    }
    for r in &table.rows {
        out += &wrapped(&r.name, columns);
        out.push('\n');
        for (cell, column) in r.cells.iter().zip(&table.columns) {
            out += &wrapped(&format!("  {column}: {}", cell.text), columns);
            out.push('\n');
        }
        if !r.result.is_empty() {
            out += &wrapped(&format!("  {}", r.result), columns);
            out.push('\n');
        }
    }
    out
}

/// Bars lying down, from 0 to 1, with the uniform line through them.
fn bars(chart: &Chart, columns: usize, words: &Words) -> String {
    let names = chart
        .bars
        .iter()
        .map(|b| b.label.width())
        .max()
        .unwrap_or(0)
        .min(columns / 3);
    let numbers = chart.bars.iter().map(|b| b.said.width()).max().unwrap_or(0);
    let room = columns.saturating_sub(names + numbers + 3).clamp(8, 60);
    let (least, most) = chart.y_range;
    let place =
        |y: f64| ((y - least) / (most - least).max(1e-12) * room as f64).clamp(0.0, room as f64);
    let line = chart
        .references
        .first()
        .map(|r| (place(r.at).round() as usize).min(room.saturating_sub(1)));
    let mut out = String::new();
    for bar in &chart.bars {
        let eighths = (place(bar.height) * 8.0).round() as usize;
        let (full, part) = (eighths / 8, eighths % 8);
        let body: String = (0..room)
            .map(|i| match (i < full, Some(i) == line) {
                _ if bar.hatched && i % 3 == 0 => '╱',
                _ if bar.hatched => ' ',
                (true, true) => '▓',
                (true, false) => '█',
                (false, true) => '┊',
                (false, false) if i == full && part > 0 => {
                    EIGHTHS.get(part - 1).copied().unwrap_or(' ')
                }
                _ => ' ',
            })
            .collect();
        let name: String = cut(&bar.label, names);
        out += &format!(
            "{} {body} {}\n",
            left(&name, names),
            right(&bar.said, numbers)
        );
    }
    if let (Some(at), Some(reference)) = (line, chart.references.first()) {
        let said = words.say(&FigureMsg::UniformMark {
            share: reference.label.clone(),
        });
        let lead = (names + 1 + at).min(columns.saturating_sub(said.width()));
        out += &format!("{}{said}\n", " ".repeat(lead));
    }
    out
}

/// A scene on a grid of characters.
fn characters(scene: &Scene, columns: usize) -> String {
    let columns = columns.max(8);
    let cell = [(scene.size[0] / columns as f32).max(1.0), POINTS_A_ROW];
    let rows = (scene.size[1] / cell[1]).ceil() as usize + 1;
    let mut grid = Grid {
        cells: vec![vec![(' ', false); columns]; rows],
        cell,
    };
    for mark in &scene.marks {
        grid.shape(mark);
    }
    for mark in &scene.marks {
        if let Mark::Text {
            at, align, text, ..
        } = mark
        {
            grid.text(*at, *align, text);
        }
    }
    let lines = grid.cells.iter().map(|row| {
        row.iter()
            .map(|(c, _)| *c)
            .filter(|c| *c != WIDE)
            .collect::<String>()
            .trim_end()
            .to_owned()
    });
    let lines: Vec<String> = lines.collect();
    let last = lines
        .iter()
        .rposition(|l| !l.is_empty())
        .map_or(0, |i| i + 1);
    lines.into_iter().take(last).map(|l| l + "\n").collect()
}

/// Stands in the second cell of a wide character.
const WIDE: char = '\u{e000}';

/// Characters, and whether each belongs to a text.
struct Grid {
    cells: Vec<Vec<(char, bool)>>,
    cell: [f32; 2],
}

impl Grid {
    fn at(&self, [x, y]: Place) -> (usize, usize) {
        (
            (x / self.cell[0]).floor().max(0.0) as usize,
            (y / self.cell[1]).floor().max(0.0) as usize,
        )
    }

    fn put(&mut self, column: usize, row: usize, c: char, over: bool) {
        if let Some(cell) = self.cells.get_mut(row).and_then(|r| r.get_mut(column))
            && (over || cell.0 == ' ')
        {
            *cell = (c, cell.1);
        }
    }

    fn shape(&mut self, mark: &Mark) {
        match mark {
            Mark::Line {
                from, to, dashed, ..
            } => {
                let (a, b) = (self.at(*from), self.at(*to));
                let level = (to[1] - from[1]).abs() < (to[0] - from[0]).abs();
                let sign = match (level, dashed) {
                    (true, false) => '─',
                    (true, true) => '╌',
                    (false, false) => '│',
                    (false, true) => '┊',
                };
                // A tick is too short for a character.
                if (to[0] - from[0]).abs().max((to[1] - from[1]).abs()) < self.cell[1] * 0.7 {
                    return;
                }
                let n = a.0.abs_diff(b.0).max(a.1.abs_diff(b.1));
                for i in 0..=n {
                    let t = i as f32 / n.max(1) as f32;
                    let (column, row) = self.at([
                        from[0] + t * (to[0] - from[0]),
                        from[1] + t * (to[1] - from[1]),
                    ]);
                    self.put(column, row, sign, false);
                }
            }
            Mark::Rect {
                min, size, fill, ..
            } => {
                if fill.is_some() && !matches!(fill, Some(crate::text::Ink::Card)) {
                    self.fill(*min, [min[0] + size[0], min[1] + size[1]], '█');
                }
            }
            Mark::Polygon { points, fill, .. } if points.len() == 3 => {
                if let Some([x, y]) = points.first().copied() {
                    let sign = if matches!(fill, None | Some(crate::text::Ink::Card)) {
                        '△'
                    } else {
                        '▲'
                    };
                    let (column, row) = self.at([x, y + 0.5 * self.cell[1]]);
                    self.put(column, row, sign, true);
                }
            }
            Mark::Polygon { points, .. } => {
                let (mut min, mut max) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
                for [x, y] in points {
                    min = [min[0].min(*x), min[1].min(*y)];
                    max = [max[0].max(*x), max[1].max(*y)];
                }
                if max[0] - min[0]
                    > 0.5 * self.cell[0] * self.cells.first().map_or(0, Vec::len) as f32
                {
                    self.beam(points, min[0], max[0]);
                } else {
                    self.fill(min, max, '▇');
                }
            }
            Mark::Circle { centre, .. } => {
                let (column, row) = self.at(*centre);
                self.put(column, row, '●', true);
            }
            Mark::Text { .. } | Mark::Rich { .. } => {}
        }
    }

    /// Fills the cells whose middle lies inside, and at least one row.
    fn fill(&mut self, min: Place, max: Place, sign: char) {
        let (from, to) = (self.at(min), self.at([max[0] - 0.01, max[1] - 0.01]));
        let middle = self
            .at([(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0])
            .1;
        let tall = max[1] - min[1] > 1.5 * self.cell[1];
        for column in from.0..=to.0 {
            if tall {
                for row in from.1..=to.1 {
                    let middle = (row as f32 + 0.5) * self.cell[1];
                    if (min[1]..max[1]).contains(&middle) {
                        self.put(column, row, sign, true);
                    }
                }
            } else if max[1] - min[1] > 1.0 {
                self.put(column, middle, sign, true);
            }
        }
    }

    /// The beam, which may be tipped.
    fn beam(&mut self, points: &[Place], left: f32, right: f32) {
        let near = |x: f32| {
            let ys: Vec<f32> = points
                .iter()
                .filter(|p| (p[0] - x).abs() < 12.0)
                .map(|p| p[1])
                .collect();
            ys.iter().sum::<f32>() / ys.len().max(1) as f32
        };
        let (from, to) = (near(left), near(right));
        let columns = self.cells.first().map_or(0, Vec::len);
        for column in 0..columns {
            let x = (column as f32 + 0.5) * self.cell[0];
            if (left..=right).contains(&x) {
                let row = self
                    .at([x, from + (to - from) * (x - left) / (right - left).max(1.0)])
                    .1;
                self.put(column, row, '━', true);
            }
        }
    }

    /// A text, moved a little where another stands, left out where there is no room.
    fn text(&mut self, [x, y]: Place, align: Align, text: &str) {
        let wide = text.width();
        let columns = self.cells.first().map_or(0, Vec::len);
        let at = (x / self.cell[0]).round() as isize;
        let start = match align {
            Align::Left => at,
            Align::Centre => at - (wide / 2) as isize,
            Align::Right => at - wide as isize,
        };
        let row = self.at([x, y - 5.0]).1;
        let free = |from: isize| {
            usize::try_from(from)
                .ok()
                .filter(|from| from + wide <= columns)
                .filter(|from| {
                    let cells = self.cells.get(row).and_then(|r| r.get(*from..from + wide));
                    cells.is_some_and(|cells| cells.iter().all(|(_, text)| !text))
                })
        };
        let most = columns as isize - wide as isize;
        let Some(from) = [0, 1, -1, 2, -2, 3, -3]
            .into_iter()
            .find_map(|d| free((start + d).clamp(0, most.max(0))))
        else {
            return;
        };
        let mut column = from;
        for c in text.chars() {
            for (i, c) in std::iter::once(c)
                .chain((1..c.width().unwrap_or(0)).map(|_| WIDE))
                .enumerate()
            {
                if let Some(cell) = self.cells.get_mut(row).and_then(|r| r.get_mut(column + i)) {
                    *cell = (c, true);
                }
            }
            column += c.width().unwrap_or(0);
        }
        // A gap after it, so that the next text does not run on.
        if let Some(cell) = self.cells.get_mut(row).and_then(|r| r.get_mut(column)) {
            cell.1 = true;
        }
    }
}

fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

/// Cut to a width, with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        if out.width() + c.width().unwrap_or(0) + 1 > width {
            break;
        }
        out.push(c);
    }
    out + "…"
}

/// Broken at spaces; a word wider than the line goes on.
fn wrapped(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let Some(last) = lines.last_mut() else {
            continue;
        };
        if !last.is_empty() && last.width() + 1 + word.width() > columns {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines.join("\n")
}
