//! What the tests of the window share: a harness that paints with our own CPU renderer, in our theme.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod window;

use attention_tutor::app::picture::CpuRenderer;
use attention_tutor::app::theme::{self, Ink, Motion};
use egui::{Context, FullOutput, TexturesDelta, Theme, Ui, Vec2};
use egui_kittest::{Harness, HarnessBuilder, SnapshotOptions, TestRenderer};
use image::RgbaImage;

/// A harness of `size_points` at one pixel a point. Pictures go to `tests/pictures/` and must be the same to the byte.
pub fn harness<'a>(size_points: Vec2, theme: Theme, ui: impl FnMut(&mut Ui) + 'a) -> Harness<'a> {
    harness_at(1.0, size_points, theme, ui)
}

/// As [`harness`], at any number of pixels a point.
pub fn harness_at<'a>(
    pixels_per_point: f32,
    size_points: Vec2,
    theme: Theme,
    ui: impl FnMut(&mut Ui) + 'a,
) -> Harness<'a> {
    builder(pixels_per_point, size_points, theme).build_ui(ui)
}

/// As [`harness`], for a `ui` with a state that the test looks into.
pub fn harness_with_state<'a, S>(
    size_points: Vec2,
    theme: Theme,
    ui: impl FnMut(&mut Ui, &mut S) + 'a,
    state: S,
) -> Harness<'a, S> {
    builder(1.0, size_points, theme).build_ui_state(ui, state)
}

fn builder<S>(pixels_per_point: f32, size_points: Vec2, theme: Theme) -> HarnessBuilder<S> {
    Harness::<S>::builder()
        .with_size(size_points)
        .with_pixels_per_point(pixels_per_point)
        .with_theme(theme)
        .with_context_setup(|ctx| theme::install(ctx, Motion::Off))
        .with_render_cursor(false)
        .with_options(
            // The renderer is ours and the same everywhere; letters are drawn by a library that picks its instructions by processor, and a
            // last bit may differ.
            SnapshotOptions::new()
                .threshold(0.6)
                .max_failed_pixels(20)
                .output_path("tests/pictures"),
        )
        .renderer(CpuTestRenderer::default())
}

/// [`CpuRenderer`] as `egui_kittest` wants it.
#[derive(Default)]
struct CpuTestRenderer(CpuRenderer);

impl TestRenderer for CpuTestRenderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.0.apply(delta);
        delta.clear();
    }

    fn render(&mut self, ctx: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let clipped = ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let pixels = (ctx.content_rect().size() * output.pixels_per_point).round();
        let picture = self.0.paint(
            &clipped,
            [pixels.x as usize, pixels.y as usize],
            output.pixels_per_point,
            theme::ink(ctx, Ink::Paper),
        );
        let (width, height) = (picture.width as u32, picture.height as u32);
        RgbaImage::from_raw(width, height, picture.rgba)
            .ok_or_else(|| "the picture has holes".to_owned())
    }
}
