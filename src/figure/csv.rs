//! A table as CSV (RFC 4180, for programs) and as Markdown (for a reply where the argument was).

use super::{Row, Table};
use crate::words::number::MINUS;

/// The table as CSV: a row of heads, then one line a row; the result is the last column, headed "=". Minus signs are those of programs.
#[must_use]
pub fn csv(table: &Table) -> String {
    let width = width(table);
    let head = std::iter::once(String::new())
        .chain(padded(table.columns.clone(), width))
        .chain(std::iter::once("=".to_owned()));
    let mut out = line(head);
    for row in &table.rows {
        out += &line(
            fields(row, width)
                .into_iter()
                .map(|f| f.replace(MINUS, "-")),
        );
    }
    out
}

/// The table in Markdown.
#[must_use]
pub fn markdown_table(table: &Table) -> String {
    let width = width(table);
    let bar = |fields: Vec<String>| {
        format!(
            "| {} |\n",
            fields
                .iter()
                .map(|f| f.replace('|', "\\|").replace('\n', " "))
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let mut head = vec![String::new()];
    head.extend(padded(table.columns.clone(), width));
    head.push(String::new());
    let rule = format!("|:--|{}--:|\n", "--:|".repeat(width));
    let rows: String = table
        .rows
        .iter()
        .map(|row| bar(fields(row, width)))
        .collect();
    bar(head) + &rule + &rows
}

/// As many columns as the widest row has.
fn width(table: &Table) -> usize {
    table
        .rows
        .iter()
        .map(|r| r.cells.len())
        .chain([table.columns.len()])
        .max()
        .unwrap_or(0)
}

fn padded(mut fields: Vec<String>, width: usize) -> Vec<String> {
    fields.resize(width, String::new());
    fields
}

/// Name, cells and result.
fn fields(row: &Row, width: usize) -> Vec<String> {
    let cells = padded(row.cells.iter().map(|c| c.text.clone()).collect(), width);
    std::iter::once(row.name.clone())
        .chain(cells)
        .chain(std::iter::once(row.result.clone()))
        .collect()
}

fn line(fields: impl Iterator<Item = String>) -> String {
    let fields: Vec<String> = fields.map(quoted).collect();
    fields.join(",") + "\r\n"
}

/// In quotes where the field holds a sign that means something in CSV.
fn quoted(field: String) -> String {
    if field.contains([',', '"', '\n', '\r', ';']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}
