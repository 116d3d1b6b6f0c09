//! Outlines as triangles, since a painter that fills outlines as fans fills concave ones wrongly.

use lyon_tessellation::geometry_builder::{BuffersBuilder, VertexBuffers};
use lyon_tessellation::math::{Point, point};
use lyon_tessellation::path::Path;
use lyon_tessellation::{
    FillOptions, FillRule, FillTessellator, FillVertex, StrokeOptions, StrokeTessellator,
    StrokeVertex,
};
use ratex_types::path_command::PathCommand;

/// Curves are followed to this share of an em.
const TOLERANCE_EM: f32 = 0.004;

/// The triangles of a path: filled, or drawn along with a line of `stroke` thickness. Lengths in em.
/// A path that cannot be cut into triangles gives none, and is logged.
pub fn triangles(commands: &[PathCommand], stroke: Option<f64>) -> Vec<[[f64; 2]; 3]> {
    let path = path_of(commands);
    let mut out: VertexBuffers<Point, u32> = VertexBuffers::new();
    let result = match stroke {
        None => FillTessellator::new().tessellate_path(
            &path,
            &FillOptions::tolerance(TOLERANCE_EM).with_fill_rule(FillRule::NonZero),
            &mut BuffersBuilder::new(&mut out, |v: FillVertex<'_>| v.position()),
        ),
        Some(thickness) => StrokeTessellator::new().tessellate_path(
            &path,
            &StrokeOptions::tolerance(TOLERANCE_EM).with_line_width(thickness as f32),
            &mut BuffersBuilder::new(&mut out, |v: StrokeVertex<'_, '_>| v.position()),
        ),
    };
    if let Err(error) = result {
        log::warn!("a shape of a formula is left out: {error}");
        return Vec::new();
    }
    let corner = |i: &u32| {
        out.vertices
            .get(*i as usize)
            .map(|p| [f64::from(p.x), f64::from(p.y)])
    };
    out.indices
        .chunks_exact(3)
        .filter_map(|three| match three {
            [a, b, c] => Some([corner(a)?, corner(b)?, corner(c)?]),
            _ => None,
        })
        .collect()
}

/// The commands as a path; a figure that was begun is ended before the next begins.
fn path_of(commands: &[PathCommand]) -> Path {
    let at = |x: f64, y: f64| point(x as f32, y as f32);
    let mut builder = Path::builder();
    let mut open = false;
    let mut last = at(0.0, 0.0);
    for command in commands {
        if !open && !matches!(command, PathCommand::MoveTo { .. } | PathCommand::Close) {
            builder.begin(last);
            open = true;
        }
        match *command {
            PathCommand::MoveTo { x, y } => {
                if open {
                    builder.end(false);
                }
                last = at(x, y);
                builder.begin(last);
                open = true;
            }
            PathCommand::LineTo { x, y } => {
                last = at(x, y);
                builder.line_to(last);
            }
            PathCommand::QuadTo { x1, y1, x, y } => {
                last = at(x, y);
                builder.quadratic_bezier_to(at(x1, y1), last);
            }
            PathCommand::CubicTo {
                x1,
                y1,
                x2,
                y2,
                x,
                y,
            } => {
                last = at(x, y);
                builder.cubic_bezier_to(at(x1, y1), at(x2, y2), last);
            }
            PathCommand::Close => {
                if open {
                    builder.end(true);
                }
                open = false;
            }
        }
    }
    if open {
        builder.end(false);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_concave_shape_is_filled_and_its_dent_is_not() {
        // A square of side 2 with a dent down to its middle.
        let corners = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let mut path: Vec<_> = corners
            .iter()
            .map(|(x, y)| PathCommand::LineTo { x: *x, y: *y })
            .collect();
        path[0] = PathCommand::MoveTo { x: 0.0, y: 0.0 };
        path.push(PathCommand::Close);
        let area: f64 = triangles(&path, None)
            .iter()
            .map(|[a, b, c]| {
                ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs() / 2.0
            })
            .sum();
        assert!((area - 3.0).abs() < 1e-6, "{area}");
    }

    #[test]
    fn a_line_without_area_is_drawn_along() {
        let line = [
            PathCommand::MoveTo { x: 0.0, y: 0.0 },
            PathCommand::LineTo { x: 1.0, y: 0.0 },
        ];
        assert!(triangles(&line, None).is_empty());
        assert_eq!(triangles(&line, Some(0.04)).len(), 2);
    }
}
