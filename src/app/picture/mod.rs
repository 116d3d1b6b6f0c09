//! A screen as a picture, made on the CPU: for the `picture` command, for *Copy picture*, and for tests.
//!
//! egui hands over triangles and textures; [`CpuRenderer`] fills them as `egui_glow` does on a graphics card: premultiplied
//! colours, multiplied and blended in gamma space. Two roads were not taken. *wgpu with a software driver* paints the same, but
//! needs a driver, a minute and a half of compiling, and gives slightly other pixels on other processors; this one gives the
//! same bytes everywhere. *Dithering*, which the window does, is left out, so that a flat colour is one colour in a test.

mod raster;
mod renderer;

use std::time::Duration;

use egui::{Context, RawInput, Rect, Theme, Ui, Vec2, ViewportId};

use super::theme::{self, Ink, Motion};

pub use renderer::{CpuRenderer, MOST_PIXELS};

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// `height * width * 4` bytes, row by row from the top: red, green, blue, and alpha that is *not* multiplied in.
    pub rgba: Vec<u8>,
}

impl Image {
    /// The picture as the bytes of a PNG file.
    ///
    /// # Errors
    /// When `rgba` does not hold as many bytes as the size says, or a side is zero.
    pub fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width), side(self.height));
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// The pixel in column `x` of row `y`, if there is one.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 4]> {
        let (pixels, _) = self.rgba.as_chunks::<4>();
        pixels
            .chunks_exact(self.width.max(1))
            .nth(y)?
            .get(x)
            .copied()
    }
}

/// Draws `ui` without any window, in our theme with motion off, once it has settled or after `max_passes` passes.
///
/// The picture is `size_points * pixels_per_point` pixels; it is empty when those are more than [`MOST_PIXELS`].
pub fn draw(
    size_points: Vec2,
    pixels_per_point: f32,
    theme: Theme,
    max_passes: usize,
    ui: impl FnMut(&mut Ui),
) -> Image {
    let ctx = Context::default();
    theme::install(&ctx, Motion::Off);
    ctx.set_theme(theme);
    draw_in(&ctx, size_points, pixels_per_point, max_passes, ui)
}

/// As [`draw`], in a context that the caller has set up: fonts, theme, zoom, what is shown.
///
/// The context must be new: its textures go to the renderer of this one picture.
pub fn draw_in(
    ctx: &Context,
    size_points: Vec2,
    pixels_per_point: f32,
    max_passes: usize,
    mut ui: impl FnMut(&mut Ui),
) -> Image {
    let mut renderer = CpuRenderer::new();
    let mut passes_left = max_passes.max(1);
    loop {
        let mut output = ctx.run_ui(
            input(size_points, pixels_per_point, ctx.zoom_factor()),
            &mut ui,
        );
        renderer.apply(&output.textures_delta);
        output.textures_delta.clear();
        passes_left -= 1;
        let settled = !ctx.has_pending_images()
            && output
                .viewport_output
                .get(&ViewportId::ROOT)
                .is_none_or(|viewport| viewport.repaint_delay > Duration::ZERO);
        if settled || passes_left == 0 {
            let clipped = ctx.tessellate(output.shapes, output.pixels_per_point);
            let pixels = (size_points * pixels_per_point).round();
            let background = theme::ink(ctx, Ink::Paper);
            return renderer.paint(
                &clipped,
                [pixels.x as usize, pixels.y as usize],
                output.pixels_per_point,
                background,
            );
        }
    }
}

fn input(size_points: Vec2, pixels_per_point: f32, zoom_factor: f32) -> RawInput {
    let mut input = RawInput {
        screen_rect: Some(Rect::from_min_size(
            egui::Pos2::ZERO,
            size_points / zoom_factor,
        )),
        focused: true,
        ..RawInput::default()
    };
    if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
        viewport.native_pixels_per_point = Some(pixels_per_point);
    }
    input
}
