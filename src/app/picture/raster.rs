//! Filling triangles: which pixels, with which colour, blended how.
//!
//! Corners are snapped to 1/256 pixel and the edges computed in whole numbers, as graphics cards do. So two triangles with a
//! common edge share its pixels out exactly, by the top-left rule: no seam, and no pixel blended twice. Each row's first and
//! last pixel are solved for, not searched, which makes long thin triangles (all of egui's feathering) cheap.

use egui::{Pos2, TextureFilter, TextureOptions, TextureWrapMode};

/// Sub-pixel steps in one pixel, as a power of two.
const SUBPIXEL_BITS: u32 = 8;
const SUBPIXELS: i64 = 1 << SUBPIXEL_BITS;
/// Corners further out than this many pixels are pulled in, so that no product of two lengths can overflow.
const FAR_PX: f32 = 1_048_576.0;

/// The pixels being painted: red, green, blue, alpha, with alpha multiplied in; row by row.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

/// The pixels that may be painted; `right` and `bottom` are the first that may not.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

/// One corner of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    /// In sub-pixels.
    x: i64,
    /// In sub-pixels.
    y: i64,
    /// Red, green, blue, alpha from 0 to 255, then the place in the texture, in texels.
    values: [f32; 6],
}

/// One of egui's textures, alpha multiplied in.
pub(super) struct Texture {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
    options: TextureOptions,
}

impl Canvas {
    /// `background` has its alpha multiplied in.
    pub fn new(width: usize, height: usize, background: [u8; 4]) -> Self {
        Self {
            width,
            height,
            pixels: vec![background; width * height],
        }
    }

    /// Width and height.
    pub fn size(&self) -> [i64; 2] {
        [self.width, self.height].map(|side| i64::try_from(side).unwrap_or(i64::MAX))
    }

    /// The pixels as a file holds them: alpha not multiplied in.
    pub fn into_straight_rgba(mut self) -> Vec<u8> {
        for pixel in &mut self.pixels {
            let [r, g, b, a] = *pixel;
            if a != 255 && a != 0 {
                let straight = |c: u8| {
                    let whole = (u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a);
                    u8::try_from(whole).unwrap_or(255)
                };
                *pixel = [straight(r), straight(g), straight(b), a];
            }
        }
        self.pixels.into_flattened()
    }

    /// Blends one triangle onto the canvas. Its turning direction does not matter.
    pub fn fill_triangle(&mut self, clip: Clip, corners: [Corner; 3], texture: &Texture) {
        let Some(triangle) = Triangle::new(corners) else {
            return;
        };
        let shade = Shade::new(&triangle, texture);
        if let Shade::Flat([0, 0, 0, 0]) = shade {
            return;
        }
        for y in triangle.rows(clip) {
            let edges = triangle.edges_in_row(y);
            let (from, to) = span(&edges, clip);
            let Some(row) = self.span_mut(y, from, to) else {
                continue;
            };
            match &shade {
                Shade::Flat(color @ [_, _, _, 255]) => row.fill(*color),
                Shade::Flat(color) => row.iter_mut().for_each(|pixel| blend(pixel, *color)),
                Shade::Blended { texel } => {
                    let ramp = triangle.ramp(&edges, from);
                    for (pixel, values) in row.iter_mut().zip(ramp) {
                        blend(pixel, tint(*texel, &values));
                    }
                }
                Shade::Textured { filter } => {
                    let ramp = triangle.ramp(&edges, from);
                    for (pixel, values) in row.iter_mut().zip(ramp) {
                        let [.., u, v] = values;
                        blend(pixel, tint(texture.sample(u, v, *filter), &values));
                    }
                }
            }
        }
    }

    fn span_mut(&mut self, y: i64, from: i64, to: i64) -> Option<&mut [[u8; 4]]> {
        let row = usize::try_from(y).ok()?.checked_mul(self.width)?;
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        self.pixels.get_mut(row + from..row + to)
    }
}

impl Corner {
    /// `None` where egui gave no finite position.
    pub fn new(at_px: Pos2, uv: Pos2, color: [u8; 4], texture: &Texture) -> Option<Self> {
        let snap = |px: f32| (px.clamp(-FAR_PX, FAR_PX) * SUBPIXELS as f32).round() as i64;
        let [r, g, b, a] = color.map(f32::from);
        let (u, v) = (uv.x * texture.width as f32, uv.y * texture.height as f32);
        (at_px.is_finite() && uv.is_finite()).then(|| Self {
            x: snap(at_px.x),
            y: snap(at_px.y),
            values: [r, g, b, a, u, v],
        })
    }
}

/// What a triangle's pixels are filled with, the cheapest way that does.
enum Shade {
    /// One colour.
    Flat([u8; 4]),
    /// The corners' colours mixed, times one texel.
    Blended { texel: [f32; 4] },
    /// The corners' colours mixed, times the texture.
    Textured { filter: TextureFilter },
}

impl Shade {
    fn new(triangle: &Triangle, texture: &Texture) -> Self {
        let [a, b, c] = &triangle.corners;
        let filter = texture.filter_for(triangle);
        let [.., u, v] = a.values;
        let same = |of: fn(&[f32; 6]) -> &[f32]| {
            of(&a.values) == of(&b.values) && of(&b.values) == of(&c.values)
        };
        if !same(|[_, _, _, _, place @ ..]| place) {
            return Self::Textured { filter };
        }
        let texel = texture.sample(u, v, filter);
        if same(|[color @ .., _, _]| color) {
            Self::Flat(tint(texel, &a.values))
        } else {
            Self::Blended { texel }
        }
    }
}

/// A triangle whose edges all have its inside at their right hand, as seen on the screen.
struct Triangle {
    corners: [Corner; 3],
    /// Each opposite the corner of the same place.
    edges: [Edge; 3],
    /// Twice, in square sub-pixels; above zero.
    area: i64,
}

/// The edge function: zero on the edge, growing towards the inside.
#[derive(Clone, Copy)]
struct Edge {
    /// At the centre of the pixel 0, 0.
    at_origin: i64,
    per_column: i64,
    per_row: i64,
    /// Whether pixel centres on the edge itself belong to the triangle.
    owns_its_pixels: bool,
}

/// An edge function along one row of pixels.
#[derive(Clone, Copy)]
struct RowEdge {
    at_start: i64,
    per_column: i64,
    owns_its_pixels: bool,
}

impl Triangle {
    /// `None` when the corners lie on one line.
    fn new([a, b, c]: [Corner; 3]) -> Option<Self> {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let [a, b, c] = if area < 0 { [a, c, b] } else { [a, b, c] };
        (area != 0).then(|| Self {
            corners: [a, b, c],
            edges: [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)],
            area: area.abs(),
        })
    }

    /// The rows that have a pixel centre between the top and the bottom corner.
    fn rows(&self, clip: Clip) -> std::ops::Range<i64> {
        let ys = self.corners.map(|corner| corner.y);
        let [top, bottom] = [ys.iter().min(), ys.iter().max()].map(|y| y.copied().unwrap_or(0));
        let half = SUBPIXELS / 2;
        let first = (top + half - 1) >> SUBPIXEL_BITS;
        let last = (bottom - half) >> SUBPIXEL_BITS;
        first.max(clip.top)..(last + 1).min(clip.bottom)
    }

    fn edges_in_row(&self, y: i64) -> [RowEdge; 3] {
        self.edges.map(|edge| RowEdge {
            at_start: edge.at_origin + edge.per_row * y,
            per_column: edge.per_column,
            owns_its_pixels: edge.owns_its_pixels,
        })
    }

    /// The corners' values mixed for each pixel of a row, from column `x` on.
    fn ramp(&self, edges: &[RowEdge; 3], x: i64) -> impl Iterator<Item = [f32; 6]> {
        let area = self.area as f64;
        let mut start = [0.0_f64; 6];
        let mut step = [0.0_f64; 6];
        for (edge, corner) in edges.iter().zip(&self.corners) {
            let share = (edge.at_start + edge.per_column * x) as f64 / area;
            let share_step = edge.per_column as f64 / area;
            for ((start, step), value) in start.iter_mut().zip(&mut step).zip(corner.values) {
                *start += share * f64::from(value);
                *step += share_step * f64::from(value);
            }
        }
        let (start, step) = (start.map(|v| v as f32), step.map(|v| v as f32));
        let [r, g, b, a, u, v] = start;
        let [dr, dg, db, da, du, dv] = step;
        (0_u32..).map(move |column| {
            let n = column as f32;
            [
                r + dr * n,
                g + dg * n,
                b + db * n,
                a + da * n,
                u + du * n,
                v + dv * n,
            ]
        })
    }
}

impl Edge {
    fn new(from: Corner, to: Corner) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let half = SUBPIXELS / 2;
        Self {
            at_origin: dx * (half - from.y) - dy * (half - from.x),
            per_column: -dy * SUBPIXELS,
            per_row: dx * SUBPIXELS,
            owns_its_pixels: dy < 0 || (dy == 0 && dx > 0),
        }
    }
}

/// The columns inside all three edges and the clip, the second not included.
fn span(edges: &[RowEdge; 3], clip: Clip) -> (i64, i64) {
    let (mut from, mut to) = (clip.left, clip.right);
    for RowEdge {
        at_start,
        per_column,
        owns_its_pixels,
    } in edges
    {
        let at_start = at_start - i64::from(!owns_its_pixels);
        match per_column {
            0 if at_start < 0 => return (0, 0),
            0 => {}
            1.. => from = from.max(-at_start.div_euclid(*per_column)),
            _ => to = to.min(at_start.div_euclid(-per_column) + 1),
        }
    }
    (from, to.max(from))
}

impl Texture {
    /// `texels` are `size[0]` by `size[1]`, with alpha multiplied in.
    pub fn new(size: [usize; 2], texels: Vec<[u8; 4]>, options: TextureOptions) -> Self {
        let [width, height] = size;
        Self {
            width,
            height,
            texels,
            options,
        }
    }

    /// Puts `patch` over this texture with its first texel at column, row `at`. What sticks out is left out.
    pub fn patch(&mut self, at: [usize; 2], patch: &Self) {
        let [x, y] = at;
        let shown = patch.width.min(self.width.saturating_sub(x));
        let rows = self.texels.chunks_exact_mut(self.width.max(1)).skip(y);
        for (row, new) in rows.zip(patch.texels.chunks_exact(patch.width.max(1))) {
            if let (Some(row), Some(new)) = (row.get_mut(x..x + shown), new.get(..shown)) {
                row.copy_from_slice(new);
            }
        }
    }

    /// Texels smaller than pixels are filtered one way, texels larger another.
    fn filter_for(&self, triangle: &Triangle) -> TextureFilter {
        let TextureOptions {
            magnification,
            minification,
            ..
        } = self.options;
        if magnification == minification {
            return magnification;
        }
        let [a, b, c] = &triangle.corners;
        let texels = |p: &Corner, q: &Corner| {
            let ([.., pu, pv], [.., qu, qv]) = (p.values, q.values);
            (pu - qu).hypot(pv - qv)
        };
        let pixels = |p: &Corner, q: &Corner| {
            ((p.x - q.x) as f32).hypot((p.y - q.y) as f32) / SUBPIXELS as f32
        };
        let minified = [(a, b), (b, c), (c, a)]
            .iter()
            .any(|(p, q)| texels(p, q) > pixels(p, q) * 1.001);
        if minified {
            minification
        } else {
            magnification
        }
    }

    /// The colour at `u`, `v` texels from the left and the top, 0 to 255.
    fn sample(&self, u: f32, v: f32, filter: TextureFilter) -> [f32; 4] {
        match filter {
            TextureFilter::Nearest => self.texel(u.floor() as i64, v.floor() as i64),
            TextureFilter::Linear => {
                // Weights in steps of 1/256, as on graphics cards: a texel that covers a pixel exactly is taken exactly.
                let fine = |t: f32| (t * 256.0).round() as i64 - 128;
                let (u, v) = (fine(u), fine(v));
                let (x, y) = (u >> 8, v >> 8);
                let (right, down) = ((u & 255) as f32 / 256.0, (v & 255) as f32 / 256.0);
                if right == 0.0 && down == 0.0 {
                    return self.texel(x, y);
                }
                let above = mix(self.texel(x, y), self.texel(x + 1, y), right);
                let below = mix(self.texel(x, y + 1), self.texel(x + 1, y + 1), right);
                mix(above, below, down)
            }
        }
    }

    fn texel(&self, x: i64, y: i64) -> [f32; 4] {
        let mode = self.options.wrap_mode;
        let (x, y) = (wrap(x, self.width, mode), wrap(y, self.height, mode));
        let texel = self.texels.get(y * self.width + x);
        texel.copied().unwrap_or_default().map(f32::from)
    }
}

fn wrap(at: i64, len: usize, mode: TextureWrapMode) -> usize {
    let len = i64::try_from(len).unwrap_or(i64::MAX / 2).max(1);
    let inside = match mode {
        TextureWrapMode::ClampToEdge => at.clamp(0, len - 1),
        TextureWrapMode::Repeat => at.rem_euclid(len),
        TextureWrapMode::MirroredRepeat => {
            let there_and_back = at.rem_euclid(2 * len);
            there_and_back.min(2 * len - 1 - there_and_back)
        }
    };
    usize::try_from(inside).unwrap_or(0)
}

fn mix(a: [f32; 4], b: [f32; 4], share_of_b: f32) -> [f32; 4] {
    let ([ar, ag, ab, aa], [br, bg, bb, ba]) = (a, b);
    let one = |a: f32, b: f32| a + (b - a) * share_of_b;
    [one(ar, br), one(ag, bg), one(ab, bb), one(aa, ba)]
}

/// The texel's colour times the corners' mixed colour, both 0 to 255.
fn tint([tr, tg, tb, ta]: [f32; 4], [r, g, b, a, ..]: &[f32; 6]) -> [u8; 4] {
    // A cast to u8 saturates; a half is added to round.
    let one = |t: f32, c: f32| (t * c / 255.0 + 0.5) as u8;
    [one(tr, *r), one(tg, *g), one(tb, *b), one(ta, *a)]
}

/// Lays `over` on `under`, both with alpha multiplied in: over + under · (1 − alpha), in gamma space.
fn blend(under: &mut [u8; 4], over: [u8; 4]) {
    let [r, g, b, a] = over;
    let keep = 255 - u32::from(a);
    let one = |under: u8, over: u8| {
        let product = u32::from(under) * keep + 128;
        let rounded = (product + (product >> 8)) >> 8;
        (u32::from(over) + rounded).min(255) as u8
    };
    let [ur, ug, ub, ua] = *under;
    *under = [one(ur, r), one(ug, g), one(ub, b), one(ua, a)];
}
