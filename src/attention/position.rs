//! How a token's place enters: sines and cosines added to x, pairs of q and k turned, slopes against distance.
//!
//! Angles, sines and cosines are always f64, for the f32 path too: at place 8,192 an f32 angle would be off by up to half a thousandth.

use ndarray::{Array1, Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, Axis, Zip, s};

use super::{Rotary, RotaryPairs, Shape};

/// Wavelengths of the sinusoidal table go from 2π to nearly 10,000 · 2π.
const SINUSOIDAL_BASE: f64 = 10_000.0;

/// (n, width): sines and cosines of places 0 to n − 1. Columns 2i and 2i + 1 are sine and cosine of place · 10,000^(−2i/width); an odd width ends
/// with a sine. (Vaswani et al. 2017, section 3.5.)
#[must_use]
pub fn sinusoidal(n: usize, width: usize) -> Array2<f64> {
    let mut table = Array2::zeros((n, width));
    add_sinusoidal(table.view_mut(), 0);
    table
}

/// Adds the rows of the [`sinusoidal`] table from `first_place` on to x (n, width).
pub fn add_sinusoidal(mut x: ArrayViewMut2<'_, f64>, first_place: usize) {
    let width = x.ncols();
    for (column, mut x) in x.columns_mut().into_iter().enumerate() {
        let frequency = frequency(SINUSOIDAL_BASE, column / 2, width);
        for (row, x) in x.iter_mut().enumerate() {
            let angle = (first_place as f64 + row as f64) * frequency;
            let (sin, cos) = angle.sin_cos();
            *x += if column % 2 == 0 { sin } else { cos };
        }
    }
}

/// Turns the pairs of x (n, d): row i stands at `first_place` + i, and pair p turns by base^(−2p/d) a place. Of an odd width the last component
/// has no partner and stays. (Su et al. 2021.)
pub fn rotate(x: ArrayViewMut2<'_, f64>, first_place: isize, rotary: Rotary) {
    let turns = Turns::new(first_place, x.nrows(), x.ncols(), rotary.base);
    turn_rows(x, &turns, rotary.pairs);
}

/// Several heads (H, n, d) at the same places, each turned as by [`rotate`], in f64.
pub(super) fn rotated<T: Copy + Into<f64>>(
    x: ArrayView3<'_, T>,
    first_place: isize,
    rotary: Rotary,
) -> Array3<f64> {
    let (_, rows, width) = x.dim();
    let turns = Turns::new(first_place, rows, width, rotary.base);
    let mut x = x.mapv(Into::into);
    for head in x.outer_iter_mut() {
        turn_rows(head, &turns, rotary.pairs);
    }
    x
}

/// How far each pair of each row is turned: what ONNX's RotaryEmbedding (opset 23) is given as caches.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// (rows, pairs).
    cos: Array2<f64>,
    /// (rows, pairs).
    sin: Array2<f64>,
}

impl Turns {
    /// The turns of `rows` rows from `first_place` on, over the first `width` components (an odd one stays): pair p by base^(−2p/width) a place.
    #[must_use]
    pub fn new(first_place: isize, rows: usize, width: usize, base: f64) -> Self {
        let places = Array2::from_shape_fn((rows, 1), |(row, _)| first_place as f64 + row as f64);
        let frequencies = Array1::from_shape_fn(width / 2, |pair| frequency(base, pair, width));
        let angles = places * frequencies;
        Self {
            cos: angles.mapv(f64::cos),
            sin: angles.mapv(f64::sin),
        }
    }

    /// The turns whose cosines and sines are given, both (rows, pairs).
    ///
    /// # Errors
    /// [`TurnError::Caches`] where these shapes differ.
    pub fn of_caches(
        cos: ArrayView2<'_, f64>,
        sin: ArrayView2<'_, f64>,
    ) -> Result<Self, TurnError> {
        if cos.dim() != sin.dim() {
            return Err(TurnError::Caches {
                cos: cos.dim(),
                sin: sin.dim(),
            });
        }
        Ok(Self {
            cos: cos.to_owned(),
            sin: sin.to_owned(),
        })
    }

    /// Those of the rows that are named, in that order: for tokens that stand at these places (ONNX's `position_ids`).
    ///
    /// # Errors
    /// [`TurnError::Place`] where there is no such row.
    pub fn at(&self, places: &[usize]) -> Result<Self, TurnError> {
        let Self { cos, sin } = self;
        let rows = cos.nrows();
        match places.iter().find(|place| **place >= rows) {
            Some(&place) => Err(TurnError::Place { place, rows }),
            None => Ok(Self {
                cos: cos.select(Axis(0), places),
                sin: sin.select(Axis(0), places),
            }),
        }
    }

    /// Turns x (rows, d), of which the components after the pairs stay as they are.
    ///
    /// # Errors
    /// [`TurnError::Rows`] where x has another number of rows, or is narrower than the pairs are.
    pub fn turn(&self, x: ArrayViewMut2<'_, f64>, pairs: RotaryPairs) -> Result<(), TurnError> {
        self.fits(x.dim())?;
        turn_rows(x, self, pairs);
        Ok(())
    }

    fn fits(&self, x: Shape) -> Result<(), TurnError> {
        let turns = self.cos.dim();
        if x.0 == turns.0 && x.1 / 2 >= turns.1 {
            Ok(())
        } else {
            Err(TurnError::Rows { x, turns })
        }
    }
}

/// Why pairs cannot be turned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// Each angle has a cosine and a sine.
    #[error("cosines {cos:?} and sines {sin:?} must have one shape")]
    Caches {
        /// Shape of the cosines.
        cos: Shape,
        /// Shape of the sines.
        sin: Shape,
    },
    /// A place that the caches do not reach.
    #[error("place {place} is not among the {rows} rows of cosines and sines")]
    Place {
        /// The place asked for.
        place: usize,
        /// How many there are.
        rows: usize,
    },
    /// A row of angles for each row of x, two components for each angle.
    #[error(
        "{x:?} cannot be turned by {turns:?} angles: as many rows, and two components for each angle, are needed"
    )]
    Rows {
        /// Shape of what should be turned.
        x: Shape,
        /// Rows and pairs.
        turns: Shape,
    },
}

/// What a place costs by distance, head by head: head h of H (a power of two) has the slope 2^(−8(h+1)/H). For another number, the greatest power
/// of two below comes first, and then every other slope of the next power. (Press et al. 2021, and the rule of its code.)
#[must_use]
pub fn alibi_slopes(heads: usize) -> Vec<f64> {
    let whole = heads.checked_ilog2().map_or(0, |log| 1_usize << log);
    let first = (0..whole).map(|head| (head as f64 + 1.0) / whole as f64);
    let between = (0..heads - whole).map(|head| (head as f64 + 0.5) / whole as f64);
    let shares = first.chain(between);
    shares.map(|share| (-8.0 * share).exp2()).collect()
}

/// base^(−2 · pair / width): radians a place.
fn frequency(base: f64, pair: usize, width: usize) -> f64 {
    base.powf(-2.0 * pair as f64 / width as f64)
}

/// The turning itself. `turns` has as many rows as x, and at most half as many columns.
fn turn_rows(mut x: ArrayViewMut2<'_, f64>, turns: &Turns, pairs: RotaryPairs) {
    let Turns { cos, sin } = turns;
    let count = cos.ncols();
    if count == 0 {
        return;
    }
    let (first, second) = match pairs {
        RotaryPairs::Halves => x.multi_slice_mut((s![.., ..count], s![.., count..2 * count])),
        RotaryPairs::Interleaved => {
            x.multi_slice_mut((s![.., ..2 * count;2], s![.., 1..2 * count;2]))
        }
    };
    Zip::from(first)
        .and(second)
        .and(cos)
        .and(sin)
        .for_each(|a, b, cos, sin| {
            (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
        });
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use proptest::prelude::*;

    use super::*;

    const BOTH: [RotaryPairs; 2] = [RotaryPairs::Halves, RotaryPairs::Interleaved];

    fn assert_near(found: &[f64], expected: &[f64]) {
        let near = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(
            found.len() == expected.len() && near,
            "{found:?} is not {expected:?}"
        );
    }

    #[test]
    fn the_sinusoidal_table_is_the_papers() {
        let table = sinusoidal(3, 4);
        assert_eq!(table.row(0).to_vec(), [0.0, 1.0, 0.0, 1.0]);
        let at_2 = [2f64.sin(), 2f64.cos(), 0.02f64.sin(), 0.02f64.cos()];
        assert_near(&table.row(2).to_vec(), &at_2);
        assert_near(
            &sinusoidal(2, 3).row(1).to_vec(),
            &[1f64.sin(), 1f64.cos(), 10_000f64.powf(-2.0 / 3.0).sin()],
        );
        let mut x = Array2::from_elem((1, 4), 5.0);
        add_sinusoidal(x.view_mut(), 2);
        assert_near(&x.row(0).to_vec(), &at_2.map(|x| x + 5.0));
        assert_eq!(
            (sinusoidal(0, 3).dim(), sinusoidal(3, 0).dim()),
            ((0, 3), (3, 0))
        );
    }

    #[test]
    fn pairs_turn_by_their_place_and_frequency() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let cos = array![[0.0, 1.0], [quarter.cos(), -1.0]];
        let sin = array![[1.0, 0.0], [quarter.sin(), 0.0]];
        let turns = Turns::of_caches(cos.view(), sin.view())
            .unwrap()
            .at(&[1])
            .unwrap();
        for (pairs, expected) in [
            (RotaryPairs::Halves, [-3.0, -2.0, 1.0, -4.0, 5.0]),
            (RotaryPairs::Interleaved, [-2.0, 1.0, -3.0, -4.0, 5.0]),
        ] {
            let mut x = array![[1.0, 2.0, 3.0, 4.0, 5.0]];
            turns.turn(x.view_mut(), pairs).unwrap();
            assert_near(&x.row(0).to_vec(), &expected);
        }
        let mut x = array![[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]];
        let base = 100.0;
        rotate(
            x.view_mut(),
            -1,
            Rotary {
                pairs: RotaryPairs::Interleaved,
                base,
            },
        );
        let (slow, fast) = (0.1f64, 1f64);
        assert_near(
            &x.row(0).to_vec(),
            &[fast.cos(), -fast.sin(), slow.cos(), -slow.sin()],
        );
        assert_eq!(x.row(1).to_vec(), [1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn what_does_not_fit_is_named_and_empty_arrays_do_no_harm() {
        let turns = Turns::new(0, 2, 4, 10_000.0);
        let turn =
            |rows, width| turns.turn(Array2::zeros((rows, width)).view_mut(), RotaryPairs::Halves);
        assert_eq!(
            turn(2, 3),
            Err(TurnError::Rows {
                x: (2, 3),
                turns: (2, 2)
            })
        );
        assert_eq!(
            turn(3, 4),
            Err(TurnError::Rows {
                x: (3, 4),
                turns: (2, 2)
            })
        );
        assert_eq!(
            turns.at(&[1, 2]),
            Err(TurnError::Place { place: 2, rows: 2 })
        );
        let (cos, sin) = (Array2::zeros((2, 1)), Array2::zeros((1, 2)));
        let caches = TurnError::Caches {
            cos: (2, 1),
            sin: (1, 2),
        };
        assert_eq!(Turns::of_caches(cos.view(), sin.view()), Err(caches));
        for (n, d) in [(0, 4), (3, 0), (3, 1)] {
            for pairs in BOTH {
                let mut x = Array2::from_elem((n, d), 2.0);
                rotate(
                    x.view_mut(),
                    7,
                    Rotary {
                        pairs,
                        base: 10_000.0,
                    },
                );
                assert_eq!(x, Array2::from_elem((n, d), 2.0));
            }
        }
    }

    #[test]
    fn slopes_are_the_papers_for_any_number_of_heads() {
        assert_eq!(alibi_slopes(0), [0.0; 0]);
        assert_eq!(alibi_slopes(1), [2f64.powi(-8)]);
        assert_near(
            &alibi_slopes(8),
            &[1, 2, 3, 4, 5, 6, 7, 8].map(|i| 2f64.powi(-i)),
        );
        let sixteen = |steps: [i32; 12]| steps.map(|i| 2f64.powf(-f64::from(i) / 2.0));
        assert_near(
            &alibi_slopes(12),
            &sixteen([2, 4, 6, 8, 10, 12, 14, 16, 1, 3, 5, 7]),
        );
        for heads in 1..=64 {
            let slopes = alibi_slopes(heads);
            assert_eq!(slopes.len(), heads);
            assert!(slopes.iter().all(|slope| *slope > 0.0 && *slope < 1.0));
            let (first, between) = slopes.split_at(1 << heads.ilog2());
            for part in [first, between] {
                assert!(part.is_sorted_by(|a, b| a > b), "{heads}: {slopes:?}");
            }
            let twice = alibi_slopes(2 * first.len());
            assert!(slopes.iter().all(|slope| twice.contains(slope)), "{heads}");
        }
    }

    fn turned(x: &[f64], place: isize, rotary: Rotary) -> Array1<f64> {
        let mut x = Array2::from_shape_vec((1, x.len()), x.to_vec()).unwrap();
        rotate(x.view_mut(), place, rotary);
        x.row(0).to_owned()
    }

    prop_compose! {
        fn any_pair()(d in 1usize..9)(q in numbers(d), k in numbers(d), halves in any::<bool>(), base in 1.0..1e6f64)
            -> (Vec<f64>, Vec<f64>, Rotary) {
            let pairs = BOTH[usize::from(halves)];
            (q, k, Rotary { pairs, base })
        }
    }

    fn numbers(d: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-4.0..4.0f64, d)
    }

    proptest! {
        #[test]
        fn turning_keeps_lengths_and_a_score_depends_on_the_distance_only(
            (q, k, rotary) in any_pair(), place in -500isize..500, other in -500isize..500, step in -500isize..500,
        ) {
            let (x, y) = (turned(&q, place, rotary), turned(&k, other, rotary));
            let length: f64 = q.iter().map(|x| x * x).sum();
            prop_assert!((x.dot(&x) - length).abs() < 1e-10);
            let moved = turned(&q, place + step, rotary).dot(&turned(&k, other + step, rotary));
            prop_assert!((x.dot(&y) - moved).abs() < 1e-9, "{} {moved}", x.dot(&y));
        }

        #[test]
        fn heads_are_turned_alike((q, k, rotary) in any_pair(), place in 0isize..100_000) {
            let heads = Array3::from_shape_fn((2, 1, q.len()), |(head, _, c)| if head == 0 { q[c] } else { k[c] });
            let together = rotated(heads.view(), place, rotary);
            for (head, alone) in together.outer_iter().zip([q, k]) {
                prop_assert_eq!(head.row(0), turned(&alone, place, rotary));
            }
        }
    }
}
