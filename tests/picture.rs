//! Pixels worked out by hand, against what the renderer paints.

use egui::epaint::{ImageDelta, Primitive, Vertex};
use egui::{
    ClippedPrimitive, Color32, ColorImage, Label, Mesh, Pos2, Rect, RichText, TextureId,
    TextureOptions, TexturesDelta, Theme, pos2, vec2,
};
use proptest::prelude::*;

use attention_tutor::app::icons;
use attention_tutor::app::picture::{CpuRenderer, Image, draw};
use attention_tutor::app::theme::{Ink, Type, ink_of};

const WHITE: Color32 = Color32::WHITE;
const BLACK: Color32 = Color32::BLACK;
const EVERYWHERE: Rect = Rect::EVERYTHING;

/// A renderer whose one texture is `texels` in a row.
fn renderer(texels: &[Color32], options: TextureOptions) -> CpuRenderer {
    let mut renderer = CpuRenderer::new();
    let image = ColorImage::new([texels.len(), 1], texels.to_vec());
    send(&mut renderer, ImageDelta::full(image, options));
    renderer
}

fn send(renderer: &mut CpuRenderer, change: ImageDelta) {
    let mut delta = TexturesDelta::default();
    delta.push(TextureId::default(), change);
    renderer.apply(&delta);
    delta.clear();
}

fn paint_on(
    background: Color32,
    size: [usize; 2],
    pixels_per_point: f32,
    clip_rect: Rect,
    mesh: Mesh,
) -> Image {
    let clipped = [ClippedPrimitive {
        clip_rect,
        primitive: Primitive::Mesh(mesh),
    }];
    renderer(&[WHITE], TextureOptions::LINEAR).paint(&clipped, size, pixels_per_point, background)
}

fn solid(rect: Rect, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(rect, color);
    mesh
}

fn rect(left: f32, top: f32, right: f32, bottom: f32) -> Rect {
    Rect::from_min_max(pos2(left, top), pos2(right, bottom))
}

/// Which pixels are not black, as text.
fn lit(image: &Image) -> Vec<String> {
    let (pixels, _) = image.rgba.as_chunks::<4>();
    let rows = pixels.chunks(image.width);
    rows.map(|row| {
        row.iter()
            .map(|p| if p[0] > 0 { '#' } else { '.' })
            .collect()
    })
    .collect()
}

#[test]
fn a_solid_rectangle_covers_exactly_its_pixels() {
    let image = paint_on(
        BLACK,
        [5, 4],
        1.0,
        EVERYWHERE,
        solid(rect(1.0, 1.0, 4.0, 3.0), WHITE),
    );
    assert_eq!(lit(&image), [".....", ".###.", ".###.", "....."]);
}

#[test]
fn points_are_scaled_to_pixels() {
    let image = paint_on(
        BLACK,
        [5, 4],
        2.0,
        EVERYWHERE,
        solid(rect(0.5, 0.5, 2.0, 1.5), WHITE),
    );
    assert_eq!(lit(&image), [".....", ".###.", ".###.", "....."]);
}

#[test]
fn a_pixel_belongs_to_the_rectangle_that_covers_its_centre_the_left_and_the_top_edge_included() {
    let image = paint_on(
        BLACK,
        [4, 3],
        1.0,
        EVERYWHERE,
        solid(rect(0.5, 0.5, 2.5, 1.5), WHITE),
    );
    assert_eq!(lit(&image), ["##..", "....", "...."]);
}

#[test]
fn half_transparent_black_on_white_is_the_middle_grey_in_gamma_space() {
    let half = Color32::from_black_alpha(128);
    let image = paint_on(
        WHITE,
        [1, 1],
        1.0,
        EVERYWHERE,
        solid(rect(0.0, 0.0, 1.0, 1.0), half),
    );
    assert_eq!(image.rgba, [127, 127, 127, 255]);
}

#[test]
fn colours_are_premultiplied_and_additive_ones_add() {
    let glow = Color32::from_rgba_premultiplied(100, 0, 200, 0);
    let ground = Color32::from_rgb(50, 60, 100);
    let image = paint_on(
        ground,
        [1, 1],
        1.0,
        EVERYWHERE,
        solid(rect(0.0, 0.0, 1.0, 1.0), glow),
    );
    assert_eq!(image.rgba, [150, 60, 255, 255]);
}

#[test]
fn on_a_transparent_ground_the_alpha_is_taken_out_of_the_colours() {
    let half_red = Color32::from_rgba_premultiplied(128, 0, 0, 128);
    let shape = solid(rect(0.0, 0.0, 1.0, 1.0), half_red);
    let image = paint_on(Color32::TRANSPARENT, [1, 1], 1.0, EVERYWHERE, shape);
    assert_eq!(image.rgba, [255, 0, 0, 128]);
}

#[test]
fn nothing_is_painted_outside_the_clip_rectangle() {
    let shape = solid(rect(-9.0, -9.0, 9.0, 9.0), WHITE);
    let image = paint_on(BLACK, [5, 4], 1.0, rect(1.0, 2.0, 3.4, 9.0), shape);
    assert_eq!(lit(&image), [".....", ".....", ".##..", ".##.."]);
}

#[test]
fn an_edge_between_two_colours_is_mixed_evenly() {
    let mut mesh = Mesh::default();
    for (x, color) in [(0.0, BLACK), (4.0, WHITE)] {
        for y in [0.0, 1.0] {
            mesh.vertices.push(Vertex::untextured(pos2(x, y), color));
        }
    }
    mesh.indices = vec![0, 1, 2, 2, 1, 3];
    let image = paint_on(BLACK, [4, 1], 1.0, EVERYWHERE, mesh);
    let greys: Vec<u8> = image.rgba.chunks(4).map(|p| p[0]).collect();
    // At 1/8, 3/8, 5/8 and 7/8 of 255.
    assert_eq!(greys, [32, 96, 159, 223]);
}

#[test]
fn a_texture_is_sampled_linearly_or_at_the_nearest_texel_as_it_asks() {
    let texels = [BLACK, WHITE];
    let mut mesh = Mesh::default();
    mesh.add_rect_with_uv(rect(0.0, 0.0, 4.0, 1.0), rect(0.0, 0.0, 1.0, 1.0), WHITE);
    let greys = |options| -> Vec<u8> {
        let clipped = [ClippedPrimitive {
            clip_rect: EVERYWHERE,
            primitive: Primitive::Mesh(mesh.clone()),
        }];
        let image = renderer(&texels, options).paint(&clipped, [4, 1], 1.0, BLACK);
        image.rgba.chunks(4).map(|p| p[0]).collect()
    };
    assert_eq!(greys(TextureOptions::NEAREST), [0, 0, 255, 255]);
    // Half a texel in from each side is the texel itself; between, a quarter and three quarters.
    assert_eq!(greys(TextureOptions::LINEAR), [0, 64, 191, 255]);
}

#[test]
fn outside_a_texture_its_edge_goes_on_or_it_begins_anew_or_is_mirrored() {
    let texels = [WHITE, BLACK, BLACK];
    let mut mesh = Mesh::default();
    mesh.add_rect_with_uv(rect(0.0, 0.0, 9.0, 1.0), rect(-1.0, 0.0, 2.0, 1.0), WHITE);
    let row = |options| -> String {
        let clipped = [ClippedPrimitive {
            clip_rect: EVERYWHERE,
            primitive: Primitive::Mesh(mesh.clone()),
        }];
        lit(&renderer(&texels, options).paint(&clipped, [9, 1], 1.0, BLACK)).concat()
    };
    assert_eq!(row(TextureOptions::NEAREST), "####.....");
    assert_eq!(row(TextureOptions::NEAREST_REPEAT), "#..#..#..");
    assert_eq!(row(TextureOptions::NEAREST_MIRRORED_REPEAT), "..##....#");
}

#[test]
fn a_part_of_a_texture_can_change() {
    let mut renderer = renderer(&[BLACK; 4], TextureOptions::NEAREST);
    let patch = ColorImage::new([2, 1], vec![WHITE; 2]);
    send(
        &mut renderer,
        ImageDelta::partial([1, 0], patch, TextureOptions::NEAREST),
    );
    let mut mesh = Mesh::default();
    mesh.add_rect_with_uv(rect(0.0, 0.0, 4.0, 1.0), rect(0.0, 0.0, 1.0, 1.0), WHITE);
    let clipped = [ClippedPrimitive {
        clip_rect: EVERYWHERE,
        primitive: Primitive::Mesh(mesh),
    }];
    assert_eq!(lit(&renderer.paint(&clipped, [4, 1], 1.0, BLACK)), [".##."]);
}

#[test]
fn what_cannot_be_painted_is_left_out() {
    let mut mesh = solid(rect(0.0, 0.0, 1.0, 1.0), WHITE);
    mesh.vertices[1].pos.x = f32::NAN;
    mesh.indices.extend([7, 8, 9]);
    assert_eq!(lit(&paint_on(BLACK, [1, 1], 1.0, EVERYWHERE, mesh)), ["."]);
    assert!(
        paint_on(BLACK, [0, 0], 1.0, EVERYWHERE, solid(EVERYWHERE, WHITE))
            .rgba
            .is_empty()
    );
}

proptest! {
    /// A fan around an inner point covers a square: with half-transparent triangles, a pixel missed stays black,
    /// and one painted twice gets lighter than once.
    #[test]
    fn triangles_that_share_edges_leave_no_seam_and_paint_no_pixel_twice(
        x in 1.0_f32..15.0, y in 1.0_f32..15.0, turned in any::<bool>(), pixels_per_point in 0.5_f32..3.0,
    ) {
        let half = Color32::from_white_alpha(128);
        let corners = [pos2(0.0, 0.0), pos2(16.0, 0.0), pos2(16.0, 16.0), pos2(0.0, 16.0), pos2(x, y)];
        let mut mesh = Mesh {
            vertices: corners.map(|at| Vertex::untextured(at, half)).to_vec(),
            ..Mesh::default()
        };
        for [a, b] in [[0, 1], [1, 2], [2, 3], [3, 0]] {
            mesh.indices.extend(if turned { [b, a, 4] } else { [a, b, 4] });
        }
        let side = (16.0 * pixels_per_point).floor() as usize;
        let image = paint_on(BLACK, [side, side], pixels_per_point, EVERYWHERE, mesh);
        for pixel in image.rgba.chunks(4) {
            prop_assert_eq!(pixel, &[128, 128, 128, 255][..]);
        }
    }

    #[test]
    fn no_triangle_is_too_odd_to_paint(points in prop::collection::vec((any::<f32>(), any::<f32>()), 3..30)) {
        let mesh = Mesh {
            indices: (0..points.len() as u32 / 3 * 3).collect(),
            vertices: points.iter().map(|&(x, y)| Vertex::untextured(Pos2::new(x, y), WHITE)).collect(),
            ..Mesh::default()
        };
        prop_assert_eq!(paint_on(BLACK, [8, 8], 1.5, EVERYWHERE, mesh).rgba.len(), 256);
    }
}

#[test]
fn the_same_screen_drawn_twice_is_the_same_to_the_byte_and_shows_its_words() {
    let words = || {
        draw(vec2(200.0, 40.0), 1.5, Theme::Light, 8, |ui| {
            ui.add(Label::new(
                RichText::new("Weighted average").font(Type::Body.font()),
            ));
        })
    };
    let image = words();
    assert_eq!((image.width, image.height), (300, 60));
    assert_eq!(image, words());
    let dark = image.rgba.chunks(4).filter(|pixel| pixel[0] < 100).count();
    assert!((200..4000).contains(&dark), "{dark} dark pixels");
}

#[test]
fn a_picture_becomes_a_png_that_reads_back() {
    let image = draw(vec2(30.0, 20.0), 1.0, Theme::Dark, 1, |_| {});
    let png = image.to_png().expect("a PNG");
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .expect("a header");
    let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut rgba).expect("pixels");
    assert_eq!(rgba, image.rgba);
    let [r, g, b, _] = ink_of(Theme::Dark, Ink::Paper).to_array();
    assert_eq!(image.pixel(29, 19), Some([r, g, b, 255]));
    assert_eq!(image.pixel(30, 0), None);
    let broken = Image { width: 2, ..image };
    assert!(broken.to_png().is_err());
}

#[test]
fn a_picture_too_large_is_empty_and_no_png() {
    let image = CpuRenderer::new().paint(&[], [1 << 20, 1 << 20], 1.0, BLACK);
    assert!(image.rgba.is_empty() && image.to_png().is_err());
}

#[test]
fn icons_are_there_in_the_first_settled_picture() {
    for pixels_per_point in [1.0, 2.0] {
        for icon in icons::Icon::ALL {
            let image = draw(vec2(24.0, 24.0), pixels_per_point, Theme::Light, 4, |ui| {
                icons::paint_icon(ui, rect(0.0, 0.0, 24.0, 24.0), icon, BLACK);
            });
            // The darkest pixels are the line's own ink: its middle is covered wholly.
            let darkest = image.rgba.chunks(4).map(|pixel| pixel[0]).min();
            assert!(
                darkest.is_some_and(|grey| grey < 60),
                "{icon:?} at {pixels_per_point}: {darkest:?}"
            );
        }
    }
}
