//! The card: the ground that things stand on, with an edge in colour where it carries a verdict.

use egui::{
    CornerRadius, InnerResponse, Margin, Painter, Rect, Stroke, StrokeKind, Ui, epaint::RectShape,
    pos2,
};

use crate::app::theme::{self, Ink, radius, space};

/// The width of a verdict's edge, in points.
const EDGE: u8 = 4;

/// A card to be filled.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Card {
    margin: Margin,
    edge: Option<Ink>,
}

impl Default for Card {
    fn default() -> Self {
        Self {
            margin: Margin::same(space::LARGE as i8),
            edge: None,
        }
    }
}

impl Card {
    /// A card with the usual margin and no edge.
    pub fn new() -> Self {
        Self::default()
    }

    /// The distance from the card's outline to its content.
    pub fn margin(mut self, margin: impl Into<Margin>) -> Self {
        self.margin = margin.into();
        self
    }

    /// A thin edge at the left: [`Ink::Right`] or [`Ink::Wrong`].
    pub fn edge(mut self, edge: impl Into<Option<Ink>>) -> Self {
        self.edge = edge.into();
        self
    }

    /// Shows the card as wide as its content needs; `ui.set_width` inside makes it wider.
    pub fn show<R>(self, ui: &mut Ui, add_contents: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
        let Self { margin, edge } = self;
        let places = [(); 3].map(|()| ui.painter().add(egui::Shape::Noop));
        let shown = egui::Frame::new()
            .inner_margin(margin)
            .show(ui, add_contents);
        for (place, (painter, shape)) in
            places
                .into_iter()
                .zip(ground(ui, shown.response.rect, edge))
        {
            painter.set(place, shape);
        }
        shown
    }
}

/// The card's ground as shapes, each with the painter that cuts it to where it belongs.
fn ground(ui: &Ui, rect: Rect, edge: Option<Ink>) -> Vec<(Painter, RectShape)> {
    let painter = ui.painter().clone();
    let card = theme::ink(ui, Ink::Card);
    let outer = CornerRadius::same(radius::CARD);
    let Some(edge) = edge else {
        let outline = theme::hairline(ui, Ink::Line);
        return vec![(
            painter,
            RectShape::new(rect, outer, card, outline, StrokeKind::Inside),
        )];
    };
    // Two filled shapes of the whole card, cut side by side where the edge has thinned to a hairline in the corner's turn,
    // and the card's own ground laid into them. Its left corners turn tighter, which makes the edge run out along the turn.
    let thin = f32::from(EDGE);
    let turn = rect.left() + 2.0 * thin;
    let (mut left, mut right) = (ui.clip_rect(), ui.clip_rect());
    left.max.x = left.max.x.min(turn);
    right.min.x = right.min.x.max(turn);
    let inside = Rect::from_min_max(
        rect.min + egui::vec2(thin, 1.0),
        pos2(rect.right() - 1.0, rect.bottom() - 1.0),
    );
    let tight = radius::CARD - EDGE + 1;
    let inner = CornerRadius {
        nw: tight,
        sw: tight,
        ne: radius::CARD - 1,
        se: radius::CARD - 1,
    };
    let filled = |rect, corners, color| {
        RectShape::new(rect, corners, color, Stroke::NONE, StrokeKind::Inside)
    };
    vec![
        (
            painter.with_clip_rect(left),
            filled(rect, outer, theme::ink(ui, edge)),
        ),
        (
            painter.with_clip_rect(right),
            filled(rect, outer, theme::ink(ui, Ink::Line)),
        ),
        (painter, filled(inside, inner, card)),
    ]
}
