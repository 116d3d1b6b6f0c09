//! The figure of the question on the screen: described once, for the screen, the clipboard and the three kinds of file.

use std::path::Path;

use egui::{Margin, Theme, Vec2};

use super::asking::Asking;
use super::live::Live;
use super::picture::{self, Image};
use super::screens::prose;
use super::theme::space;
use super::widgets::figure::{FigureView, figure_ui};
use crate::figure::{self, Drawing, FigureInput, FigureKind, Mark, Moment, Picture, Target};
use crate::text::Palette;
use crate::words::Words;

/// The width of a saved or copied figure and the height it is drawn into, in points; at [`PIXELS_PER_POINT`]. It is cut to the height it takes.
const SAVED_SIZE: [f32; 2] = [640.0, 560.0];
/// Its headline's share of the height.
const HEADLINE_HEIGHT: f32 = 40.0;
const PIXELS_PER_POINT: f32 = 2.0;

/// The figure that is shown, drawn into `size` points; `None` where the question has no example.
#[must_use]
pub fn drawing(asking: &Asking, words: &Words, size: [f32; 2], motion: f32) -> Option<Drawing> {
    let moment = if asking.is_answered() {
        Moment::After
    } else {
        Moment::Before
    };
    drawing_of(
        asking.figure_shown()?,
        asking.live.as_ref()?,
        moment,
        words,
        size,
        motion,
    )
}

/// One figure of a live example.
#[must_use]
pub fn drawing_of(
    kind: FigureKind,
    live: &Live,
    moment: Moment,
    words: &Words,
    size: [f32; 2],
    motion: f32,
) -> Option<Drawing> {
    let computed = live.now();
    figure::draw(
        kind,
        &FigureInput {
            example: computed.example(),
            computed,
            moment,
            guess: &live.guess,
            released: live.released,
            written_out: live.written_out,
            draws: live.draws(),
            motion,
            words,
            size,
        },
    )
}

/// A drawing from before the answer without the learner's own wedge and what is said about it: a picture and no more.
#[must_use]
pub fn without_guess(mut drawing: Drawing) -> Drawing {
    if let Picture::Scene(scene) = &mut drawing.picture {
        let lanes: Vec<(f32, f32)> = scene
            .handles
            .iter()
            .filter(|handle| handle.target == Target::GuessWedge)
            .map(|handle| (handle.min[1], handle.min[1] + handle.size[1]))
            .collect();
        let in_lane = |y: f32| {
            lanes
                .iter()
                .any(|(top, bottom)| (*top..=*bottom).contains(&y))
        };
        scene.marks.retain(|mark| match mark {
            Mark::Text { at, .. } => !in_lane(at[1]),
            Mark::Polygon { points, .. } => !points.iter().all(|point| in_lane(point[1])),
            _ => true,
        });
        scene.handles.clear();
    }
    drawing
}

/// The figure as a picture, with its headline, in the theme that is shown.
#[must_use]
pub fn picture(asking: &Asking, words: &Words, dark: bool) -> Option<Image> {
    let drawing = drawing(asking, words, SAVED_SIZE, 1.0)?;
    let margin = space::LARGE;
    let [width, height] = match &drawing.picture {
        Picture::Chart(chart) => chart.size,
        Picture::Scene(scene) => scene.size,
    };
    let size = Vec2::new(width, height + HEADLINE_HEIGHT) + Vec2::splat(2.0 * margin);
    let theme = if dark { Theme::Dark } else { Theme::Light };
    Some(picture::draw(size, PIXELS_PER_POINT, theme, 8, |ui| {
        egui::Frame::new()
            .inner_margin(Margin::same(margin as i8))
            .show(ui, |ui| {
                prose::spans_ui(ui, &drawing.headline, words);
                figure_ui(ui, &drawing, FigureView::Still);
            });
    }))
}

/// The figure as the bytes of a file, of the kind that the name's ending says; `None` for other endings.
#[must_use]
pub fn file(asking: &Asking, words: &Words, dark: bool, path: &Path) -> Option<Vec<u8>> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    let drawing = || drawing(asking, words, SAVED_SIZE, 1.0);
    match ending.as_str() {
        "png" => match picture(asking, words, dark)?.to_png() {
            Ok(bytes) => Some(bytes),
            Err(problem) => {
                log::error!("the picture could not be encoded: {problem}");
                None
            }
        },
        "svg" => {
            let palette = if dark {
                Palette::dark()
            } else {
                Palette::light()
            };
            Some(figure::svg(&drawing()?, &palette).into_bytes())
        }
        "csv" => Some(figure::csv(&drawing()?.table).into_bytes()),
        _ => None,
    }
}
