//! How large the parts of the beam are: compact in a small box, roomier the more height and width there is, all in proportion.

use super::super::place::LABEL_PT;

/// The sizes of the parts, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// A person with the gap over her, where there is room for all.
    pub block: f32,
    /// A block's greatest width.
    pub block_width: f32,
    /// The beam's thickness.
    pub beam: f32,
    /// A wedge's width and height.
    pub wedge: [f32; 2],
    /// From one computed wedge to the next.
    pub lane: f32,
    /// The lane of the learner's wedge.
    pub own_lane: f32,
    /// From the top of the numbers' lane to their baseline.
    pub number_base: f32,
    /// The height of the numbers' lane.
    pub number_lane: f32,
    /// From the numbers' baseline to their captions'.
    pub caption: f32,
    /// Over the columns, for their labels.
    pub over_columns: f32,
    /// The type size of the numbers on the beam.
    pub number: f32,
    /// The type size of all other labels.
    pub label: f32,
}

impl Sizes {
    /// Between compact (0) and roomy (1).
    pub fn between(roominess: f32) -> Self {
        let of = |compact: f32, roomy: f32| compact + roominess.clamp(0.0, 1.0) * (roomy - compact);
        Self {
            block: of(16.0, 26.0),
            block_width: of(44.0, 68.0),
            beam: of(5.0, 7.0),
            wedge: [of(18.0, 24.0), of(15.0, 20.0)],
            lane: of(22.0, 31.0),
            own_lane: of(22.0, 30.0),
            number_base: of(14.0, 18.0),
            number_lane: of(20.0, 25.0),
            caption: of(16.5, 19.0),
            over_columns: of(18.0, 24.0),
            number: of(LABEL_PT, 17.0),
            label: of(LABEL_PT, 15.0),
        }
    }
}

/// The roominess at which something as high as `height` says fills the room. `height` bends upwards if at all (it adds up parts that
/// grow evenly, and takes the greater of some), so that between its ends it lies below the straight line used here: never too high.
pub(super) fn roominess(height: impl Fn(Sizes) -> f32, room: f32, width: f32) -> f32 {
    /// Widths between which labels may grow: in a narrow box large ones would be in each other's way.
    const WIDTHS_PT: (f32, f32) = (360.0, 500.0);
    let (compact, roomy) = (height(Sizes::between(0.0)), height(Sizes::between(1.0)));
    let by_height = (room - compact) / (roomy - compact).max(1.0);
    let by_width = (width - WIDTHS_PT.0) / (WIDTHS_PT.1 - WIDTHS_PT.0);
    by_height.min(by_width).clamp(0.0, 1.0)
}
