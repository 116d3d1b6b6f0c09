//! Every reading of every offer, computed: a table as wide as the page, what agrees standing out.

use egui::{Align, Layout, Margin, Rect, Ui, UiBuilder, pos2, vec2};

use crate::app::messages::AppMsg;
use crate::app::screens::prose::{document_with_ui, say_ui};
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type};
use crate::app::widgets::Card;
use crate::quiz::{ReadingCell, ReadingsTable};
use crate::text::{Document, Span, Style};
use crate::words::Words;

/// Narrower than this, an offer's readings stand below it.
const AS_TABLE_FROM: f32 = 600.0;
/// The columns' shares: offer, of the values, of the weighted values.
const SHARES: [f32; 3] = [0.2, 0.53, 0.27];
const PADDING: f32 = 19.0;
const LEAST_ROW_HEIGHT: f32 = 50.0;

/// The table.
pub fn readings_ui(ui: &mut Ui, state: &AppState, table: &ReadingsTable) {
    if ui.available_width() < AS_TABLE_FROM || table.columns.len() != 2 {
        stacked_ui(ui, state, table);
        return;
    }
    let words = &state.words;
    Card::new().margin(Margin::ZERO).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = ui.available_width();
        ui.set_width(width);
        let heads =
            std::iter::once(words.say(&AppMsg::OfferColumn)).chain(table.columns.iter().cloned());
        let heads: Vec<Document> = heads
            .map(|head| Document::line([Span::plain(head).ink(Ink::Quiet)]))
            .collect();
        line_ui(ui, width, &heads, &Style::quiet(), 44.0, words);
        for row in &table.rows {
            let left = ui.cursor().left();
            ui.painter().hline(
                left..=left + width,
                ui.cursor().top(),
                theme::hairline(ui, Ink::Line),
            );
            let mut offer = row.offer.clone();
            if row.yours {
                let mark =
                    Span::plain(format!(" {}", words.say(&AppMsg::YourPick))).ink(Ink::Quiet);
                if let Some(crate::text::Block::Paragraph(inlines)) = offer.blocks.last_mut() {
                    inlines.push(mark.into());
                }
            }
            let cells: Vec<Document> = std::iter::once(offer)
                .chain(row.cells.iter().map(|cells| cells_document(cells)))
                .collect();
            line_ui(ui, width, &cells, &Style::body(), LEAST_ROW_HEIGHT, words);
        }
    });
}

/// One line of the table: its cells side by side, their middles on one line.
fn line_ui(
    ui: &mut Ui,
    width: f32,
    cells: &[Document],
    style: &Style,
    least_height: f32,
    words: &Words,
) {
    let widths = SHARES.map(|share| (share * width).floor() - PADDING);
    let needs = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| crate::text::layout(cell, style, width).size[1]);
    let tallest = needs.fold(0.0, f32::max);
    let height = (tallest + 24.0).max(least_height).ceil();
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), egui::Sense::hover());
    let mut left = rect.left() + PADDING;
    for (cell, width) in cells.iter().zip(widths) {
        let own = crate::text::layout(cell, style, width).size[1];
        let top = (rect.center().y - own / 2.0).round();
        let place = Rect::from_min_size(pos2(left, top), vec2(width, own));
        let layout = Layout::top_down(Align::Min);
        // A child of its own: it must not move where the next row begins.
        let mut cell_ui = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
        document_with_ui(&mut cell_ui, cell, Vec::new(), style, words);
        left += width + PADDING;
    }
}

/// Each reading on a line of its own: "**79** with shares 0.3, 0.5, 0.2  what the objection meant".
fn cells_document(cells: &[ReadingCell]) -> Document {
    Document {
        blocks: cells
            .iter()
            .flat_map(|cell| Document::line(cell_spans(cell)).blocks)
            .collect(),
    }
}

fn cell_spans(cell: &ReadingCell) -> Vec<Span> {
    let ReadingCell {
        number,
        ink,
        agrees,
        with,
        note,
    } = cell;
    let number = Span::plain(number.clone());
    let mut spans = vec![if *agrees {
        number.strong().ink(*ink)
    } else {
        number
    }];
    if !with.is_empty() {
        spans.push(Span::plain(format!(" {with}")));
    }
    if !note.is_empty() {
        spans.push(Span::plain(format!("  {note}")).ink(Ink::Quiet));
    }
    spans
}

/// The same where there is no room for columns.
fn stacked_ui(ui: &mut Ui, state: &AppState, table: &ReadingsTable) {
    let words = &state.words;
    for row in &table.rows {
        Card::new()
            .margin(Margin::symmetric(16, 12))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let yours = row.yours.then(|| {
                    Span::plain(format!(" {}", words.say(&AppMsg::YourPick))).ink(Ink::Quiet)
                });
                document_with_ui(
                    ui,
                    &row.offer,
                    yours.into_iter().collect(),
                    &Style::body().strong(),
                    words,
                );
                for (column, cells) in table.columns.iter().zip(&row.cells) {
                    say_ui(ui, column, Type::Small, Ink::Quiet);
                    document_with_ui(
                        ui,
                        &cells_document(cells),
                        Vec::new(),
                        &Style::body(),
                        words,
                    );
                }
            });
    }
}
