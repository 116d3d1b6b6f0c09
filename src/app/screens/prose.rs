//! Words on the screen: plain lines by kind and ink, and documents with formulas by style.

use egui::{Response, RichText, Ui};

use crate::app::theme::{self, Ink, Type};
use crate::app::widgets::rich;
use crate::text::{Document, Inline, Span, Style};
use crate::words::Words;

/// A line or paragraph of plain words.
pub fn say_ui(ui: &mut Ui, text: impl Into<String>, kind: Type, ink: Ink) -> Response {
    let color = theme::ink(ui, ink);
    ui.label(RichText::new(text).font(kind.font()).color(color))
}

/// The one title of a screen.
pub fn title_ui(ui: &mut Ui, text: &str) -> Response {
    let response = say_ui(ui, text, Type::Title, Ink::Text);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(egui::accesskit::Role::Heading);
        node.set_level(1);
    });
    response
}

/// A document, as wide as there is room.
pub fn document_ui(
    ui: &mut Ui,
    document: &Document,
    style: &Style,
    words: &Words,
) -> Option<Response> {
    (!document.is_empty()).then(|| rich_document_ui(ui, document, style, words))
}

/// A document followed by some words on its last line.
pub fn document_with_ui(
    ui: &mut Ui,
    document: &Document,
    end: Vec<Span>,
    style: &Style,
    words: &Words,
) -> Response {
    let mut document = document.clone();
    if let Some(crate::text::Block::Paragraph(inlines)) = document.blocks.last_mut() {
        inlines.extend(end.into_iter().map(Inline::Span));
    } else if !end.is_empty() {
        document.blocks.push(crate::text::Block::Paragraph(
            end.into_iter().map(Inline::Span).collect(),
        ));
    }
    rich_document_ui(ui, &document, style, words)
}

/// A headline over a figure.
pub fn spans_ui(ui: &mut Ui, spans: &[Span], words: &Words) -> Option<Response> {
    if spans.is_empty() {
        return None;
    }
    let style = Style::body().size(18.0).strong();
    Some(rich_document_ui(
        ui,
        &Document::line(spans.iter().cloned()),
        &style,
        words,
    ))
}

fn rich_document_ui(ui: &mut Ui, document: &Document, style: &Style, words: &Words) -> Response {
    let theme = ui.theme();
    rich::rich_ui(ui, document, style, |ink| theme::ink_of(theme, ink), words)
}
