//! egui's textures and clipped meshes, painted onto a canvas.

use std::collections::{HashMap, HashSet};

use egui::{
    ClippedPrimitive, Color32, ImageData, Mesh, Rect, TextureId, TexturesDelta,
    epaint::{ImageDelta, Primitive},
};

use super::Image;
use super::raster::{Canvas, Clip, Corner, Texture};

/// A picture of more pixels than this is refused: it would take a quarter of a gigabyte.
pub const MOST_PIXELS: usize = 1 << 26;

/// Paints what egui hands over. Keeps egui's textures between pictures.
#[derive(Default)]
pub struct CpuRenderer {
    textures: HashMap<TextureId, Texture>,
    /// Freed by egui, but the output that freed them may still show them.
    to_free: HashSet<TextureId>,
}

impl CpuRenderer {
    /// A renderer that knows no textures yet; the first output of a new context brings them all.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes over the changed textures of one output. To be called for every output, painted or not, in their order.
    ///
    /// Textures that `delta` frees can be painted until the next call.
    pub fn apply(&mut self, delta: &TexturesDelta) {
        let Self { textures, to_free } = self;
        for id in to_free.drain() {
            textures.remove(&id);
        }
        to_free.extend(delta.free.iter().copied());
        for (&id, changes) in &delta.set {
            for change in changes {
                let ImageDelta {
                    image,
                    options,
                    pos,
                } = change;
                let ImageData::Color(image) = image;
                let pixels = image.pixels.iter().map(Color32::to_array).collect();
                let patch = Texture::new(image.size, pixels, *options);
                match (pos, textures.get_mut(&id)) {
                    (None, _) => {
                        textures.insert(id, patch);
                    }
                    (Some(at), Some(texture)) => texture.patch(*at, &patch),
                    (Some(_), None) => log::warn!("a part of the unknown texture {id:?} changed"),
                }
            }
        }
    }

    /// One picture of `size_px` pixels (width, height), on `background`.
    ///
    /// Paint callbacks need a graphics card; they are left out, and logged. Of more than [`MOST_PIXELS`] nothing is painted.
    #[must_use]
    pub fn paint(
        &self,
        clipped: &[ClippedPrimitive],
        size_px: [usize; 2],
        pixels_per_point: f32,
        background: Color32,
    ) -> Image {
        let [width, height] = match size_px {
            [width, height] if width.saturating_mul(height) <= MOST_PIXELS => size_px,
            [width, height] => {
                log::error!("a picture of {width} by {height} pixels is too large");
                [0, 0]
            }
        };
        let mut canvas = Canvas::new(width, height, background.to_array());
        for ClippedPrimitive {
            clip_rect,
            primitive,
        } in clipped
        {
            match primitive {
                Primitive::Mesh(mesh) => {
                    let clip = whole_pixels(*clip_rect, pixels_per_point, &canvas);
                    self.paint_mesh(&mut canvas, clip, mesh, pixels_per_point);
                }
                Primitive::Callback(_) => {
                    log::warn!("a paint callback cannot be painted on the CPU")
                }
            }
        }
        Image {
            width,
            height,
            rgba: canvas.into_straight_rgba(),
        }
    }

    fn paint_mesh(&self, canvas: &mut Canvas, clip: Clip, mesh: &Mesh, pixels_per_point: f32) {
        let Some(texture) = self.textures.get(&mesh.texture_id) else {
            log::warn!("the texture {:?} is unknown", mesh.texture_id);
            return;
        };
        let corner = |index: u32| {
            let vertex = mesh.vertices.get(usize::try_from(index).ok()?)?;
            Corner::new(
                vertex.pos * pixels_per_point,
                vertex.uv,
                vertex.color.to_array(),
                texture,
            )
        };
        let (triangles, _) = mesh.indices.as_chunks::<3>();
        for &[a, b, c] in triangles {
            if let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) {
                canvas.fill_triangle(clip, [a, b, c], texture);
            }
        }
    }
}

/// Rounds as `egui_glow` rounds its scissor rectangle.
fn whole_pixels(rect: Rect, pixels_per_point: f32, canvas: &Canvas) -> Clip {
    let [width, height] = canvas.size();
    let whole =
        |points: f32, limit: i64| ((points * pixels_per_point).round() as i64).clamp(0, limit);
    Clip {
        left: whole(rect.left(), width),
        top: whole(rect.top(), height),
        right: whole(rect.right(), width),
        bottom: whole(rect.bottom(), height),
    }
}
