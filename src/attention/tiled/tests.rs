//! The tiled path against f64, on shapes, conventions and numbers of every kind.

use ndarray::{Array3, ArrayView3, Axis, s};
use proptest::prelude::*;
use pulp::Simd;

use super::lanes::{exp2, tanh};
use super::*;
use crate::attention::{
    Alignment, HeadOrder, Inputs, Positions, Rotary, RotaryPairs, Window, attend,
};

/// Arrays of some heads that own their numbers.
#[derive(Clone, Debug)]
struct Case {
    q: Array3<f32>,
    k: Array3<f32>,
    v: Array3<f32>,
    past: Option<(Array3<f32>, Array3<f32>)>,
    keep: Option<Array3<bool>>,
    bias: Option<Array3<f32>>,
    spec: Spec,
}

impl Case {
    fn heads(&self) -> Heads<'_, f32> {
        Heads {
            past: self.past.as_ref().map(|(k, v)| (k.view(), v.view())),
            keep: self.keep.as_ref().map(|keep| keep.view()),
            bias: self.bias.as_ref().map(|bias| bias.view()),
            ..Heads::new(self.q.view(), self.k.view(), self.v.view())
        }
    }

    fn tiled(&self, threads: usize, set: InstructionSet) -> Tiled {
        attend_tiled_with(&self.heads(), &self.spec, threads, set).unwrap()
    }

    /// Every row in f64, and the largest |scaled score| of a visible key.
    fn exact(&self) -> (Array3<f32>, Array2<f64>, f64) {
        let heads = self.heads();
        let placed = Placed::new(&heads, &self.spec).unwrap();
        let ((count, _), (n, _), (_, dv)) = (placed.counts, placed.rows, placed.widths);
        let (mut output, mut log_sum_exp) =
            (Array3::zeros((count, n, dv)), Array2::zeros((count, n)));
        let mut largest = 0.0f64;
        for head in 0..count {
            let exact = placed.exact(head);
            for query in 0..n {
                let mut row = vec![0.0; dv];
                log_sum_exp[[head, query]] = exact.row(query, &mut row);
                output
                    .slice_mut(s![head, query, ..])
                    .assign(&ndarray::arr1(&row));
                for key in self
                    .spec
                    .sight(n, placed.rows.1, placed.rows.1 - self.k.len_of(Axis(1)))
                    .keys(query)
                {
                    let of_head = |x: usize| head.min(x - 1);
                    let is_hidden = exact.arrays.keep.is_some_and(|keep| !keep[(query, key)])
                        || self.bias.as_ref().is_some_and(|b| {
                            b[[of_head(b.len_of(Axis(0))), query, key]] == f32::NEG_INFINITY
                        });
                    if !is_hidden {
                        largest = largest.max(
                            (exact.arrays.q.row(query).dot(&exact.arrays.k.row(key))
                                * placed.factor)
                                .abs(),
                        );
                    }
                }
            }
        }
        (output, log_sum_exp, largest)
    }

    /// How far the tiled path is from f64, in units of the promise: at most 1 where it is kept. Infinite where one is a number and the other not.
    fn error(&self, set: InstructionSet) -> f64 {
        let tiled = self.tiled(2, set);
        let (output, log_sum_exp, largest) = self.exact();
        let values = self.v.iter().chain(self.past.iter().flat_map(|(_, v)| v));
        let value = values.fold(0.0f64, |most, v| {
            if v.is_finite() {
                most.max(f64::from(v.abs()))
            } else {
                most
            }
        });
        let apart = |a: f64, b: f64| match (a - b).abs() {
            _ if a == b || (a.is_nan() && b.is_nan()) => 0.0,
            apart if apart.is_nan() => f64::INFINITY,
            apart => apart,
        };
        let promise = 1e-6 * (1.0 + largest);
        let outputs = tiled
            .output
            .iter()
            .zip(&output)
            .map(|(a, b)| apart(f64::from(*a), f64::from(*b)) / (promise * value.max(1e-300)));
        let sums = tiled.log_sum_exp.iter().zip(&log_sum_exp).map(|(a, b)| {
            let biased = if b.is_finite() { b.abs() } else { 0.0 };
            apart(*a, *b) / (promise / self.spec.temperature.min(1.0) + 1e-6 * biased)
        });
        outputs.chain(sums).fold(0.0, f64::max)
    }
}

/// Normal numbers, the same for the same seed.
fn normal(shape: (usize, usize, usize), seed: u64) -> Array3<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    Array3::from_shape_simple_fn(shape, || {
        let radius = (-2.0 * uniform().max(1e-300).ln()).sqrt();
        (radius * (std::f64::consts::TAU * uniform()).cos()) as f32
    })
}

fn case(heads: usize, n: usize, m: usize, d: usize, seed: u64) -> Case {
    Case {
        q: normal((heads, n, d), seed + 1),
        k: normal((heads, m, d), seed + 2),
        v: normal((heads, m, d), seed + 3),
        past: None,
        keep: None,
        bias: None,
        spec: Spec::default(),
    }
}

struct Each<'a>(&'a [f32], &'a mut Vec<[f32; 2]>);

impl lanes::Tiled for Each<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) {
        let Self(numbers, out) = self;
        for x in numbers {
            let vector = simd.splat_f32s(*x);
            out.push([
                simd.reduce_max_f32s(exp2(simd, vector)),
                simd.reduce_max_f32s(tanh(simd, vector)),
            ]);
        }
    }
}

#[test]
fn powers_and_cap_are_as_near_as_they_say() {
    let numbers: Vec<f32> = (-1280..1270)
        .map(|i| i as f32 * 0.1)
        .chain((-999..1000).map(|i| i as f32 * 1e-3))
        .collect();
    for set in InstructionSet::available() {
        let mut found = Vec::new();
        set.run(Each(&numbers, &mut found));
        let (mut power, mut cap) = (0.0f64, 0.0f64);
        for (x, [p, t]) in numbers.iter().zip(&found) {
            let (x, p, t) = (f64::from(*x), f64::from(*p), f64::from(*t));
            if x < -126.5 {
                assert_eq!(p, 0.0, "2^{x}");
            } else if x > -126.0 {
                power = power.max((p / x.exp2() - 1.0).abs());
            }
            cap = cap.max(if x == 0.0 {
                t.abs()
            } else {
                (t / x.tanh() - 1.0).abs()
            });
        }
        println!("{set:?}: 2^x within {power:.2e}, tanh within {cap:.2e}, relatively");
        assert!(power < 1.2e-7 && cap < 3e-7, "{set:?}: {power:e} {cap:e}");
        let mut found = Vec::new();
        set.run(Each(&[f32::NEG_INFINITY, -0.0, 0.0, 1.0], &mut found));
        assert_eq!(
            found.iter().map(|[p, _]| *p).collect::<Vec<_>>(),
            [0.0, 1.0, 1.0, 2.0],
            "{set:?}"
        );
    }
}

#[test]
fn the_f64_rows_are_those_of_the_trace() {
    for (n, m, d) in [(1, 1, 1), (3, 5, 2), (70, 65, 8)] {
        let case = case(1, n, m, d, 5);
        let of = |x: &Array3<f32>| x.index_axis(Axis(0), 0).mapv(f64::from);
        let trace = attend(
            &Inputs::new(of(&case.q), of(&case.k), of(&case.v)),
            &case.spec,
        )
        .unwrap();
        let (output, log_sum_exp, _) = case.exact();
        for (a, b) in output.iter().zip(&trace.output) {
            assert!((f64::from(*a) - b).abs() < 1e-7 * (1.0 + b.abs()));
        }
        for (a, b) in log_sum_exp.iter().zip(&trace.log_sum_exp) {
            assert!((a - b).abs() < 1e-12);
        }
    }
}

#[test]
fn normal_numbers_stay_on_the_fast_path() {
    for (d, n) in [(16, 130), (64, 130), (128, 130), (256, 130), (64, 700)] {
        for causal in [None, Some(Alignment::TopLeft)] {
            let mut case = case(1, n, n, d, 11);
            case.spec.causal = causal;
            assert_eq!(
                case.tiled(1, InstructionSet::best()).handed_over,
                [],
                "d = {d}, {causal:?}"
            );
        }
    }
}

#[test]
fn every_width_and_length_comes_out() {
    for set in InstructionSet::available() {
        for size in [1, 2, 3, 5, 6, 7, 13, 15, 16, 17, 31, 63, 64, 65] {
            for causal in [None, Some(Alignment::TopLeft), Some(Alignment::BottomRight)] {
                let mut case = case(1, size, 66 - size, size, 3);
                case.v = normal((1, 66 - size, 66 - size), 9);
                case.spec.causal = causal;
                let error = case.error(set);
                assert!(error < 1.0, "{set:?} {size} {causal:?}: {error}");
            }
        }
    }
}

#[test]
fn groups_of_keys_are_put_together() {
    for window in [
        Window::default(),
        Window {
            left: Some(70),
            right: Some(3),
        },
        Window {
            left: Some(300),
            right: Some(0),
        },
    ] {
        let mut case = case(1, 130, 600, 4, 8);
        case.spec = Spec {
            window,
            causal: Some(Alignment::BottomRight),
            ..case.spec
        };
        let error = case.error(InstructionSet::best());
        assert!(error < 1.0, "{window:?}: {error}");
        case.spec.causal = None;
        let error = case.error(InstructionSet::best());
        assert!(error < 1.0, "{window:?}: {error}");
    }
}

#[test]
fn threads_change_no_number() {
    let mut case = case(3, 150, 200, 8, 21);
    case.q.slice_mut(s![1, 3, ..]).fill(1e20);
    let one = case.tiled(1, InstructionSet::best());
    assert_eq!(one.handed_over, [(Reason::OutOfReach, 1)]);
    for threads in [0, 2, 5] {
        assert_eq!(
            case.tiled(threads, InstructionSet::best()),
            one,
            "{threads} threads"
        );
    }
}

#[test]
fn arrays_of_any_layout_are_taken() {
    let case = case(2, 20, 30, 6, 4);
    let plain = case.tiled(1, InstructionSet::best());
    // (rows, heads, width), as a projection leaves them.
    let turned = |x: &Array3<f32>| {
        x.view()
            .permuted_axes([1, 0, 2])
            .as_standard_layout()
            .into_owned()
    };
    let [q, k, v] = [&case.q, &case.k, &case.v].map(turned);
    fn back(x: &Array3<f32>) -> ArrayView3<'_, f32> {
        x.view().permuted_axes([1, 0, 2])
    }
    let again = attend_tiled(&Heads::new(back(&q), back(&k), back(&v)), &case.spec, 1).unwrap();
    assert_eq!(again, plain);
}

#[test]
fn what_is_hidden_never_reaches_the_output() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let clean = {
            let mut case = case(1, 70, 70, 8, 2);
            case.keep = Some(Array3::from_shape_fn((1, 70, 70), |(_, _, j)| j != 5));
            case
        };
        let mut dirty = clean.clone();
        dirty.k.slice_mut(s![0, 5, ..]).fill(bad);
        dirty.v.slice_mut(s![0, 5, ..]).fill(bad);
        let (clean, dirty) = (clean.exact().0, dirty.tiled(1, InstructionSet::best()));
        assert!(
            clean
                .iter()
                .zip(&dirty.output)
                .all(|(a, b)| (a - b).abs() < 1e-5),
            "{bad}"
        );
        assert!(!dirty.handed_over.is_empty());
    }
}

#[test]
fn masks_of_large_finite_numbers_mean_what_they_say() {
    for low in [-1e4, -1e9, -3e38, f32::MIN, f32::NEG_INFINITY] {
        let mut case = case(1, 80, 90, 16, 6);
        // Row 70 sees nothing else.
        case.bias = Some(Array3::from_shape_fn((1, 80, 90), |(_, i, j)| {
            if i == 70 || j > i { low } else { 0.25 }
        }));
        let error = case.error(InstructionSet::best());
        assert!(error < 1.0, "{low}: {error}");
        let over = case.tiled(1, InstructionSet::best()).handed_over;
        let expected: &[(Reason, usize)] = if low.is_finite() {
            &[(Reason::LargeBias, 1)]
        } else {
            &[]
        };
        assert_eq!(over, expected, "{low}");
    }
}

#[test]
fn empty_arrays_and_empty_rows_follow_their_policy() {
    for (n, m, d, dv) in [
        (0, 3, 2, 2),
        (2, 0, 2, 2),
        (2, 3, 0, 2),
        (2, 3, 2, 0),
        (0, 0, 0, 0),
    ] {
        let mut case = case(2, n, m, d, 1);
        case.v = normal((2, m, dv), 1);
        case.spec.scale = Some(1.0);
        assert!(case.error(InstructionSet::best()) < 1.0, "{n} {m} {d} {dv}");
        assert_eq!(
            case.tiled(1, InstructionSet::best()).output.dim(),
            (2, n, dv)
        );
    }
    for (policy, expected) in [
        (EmptyRow::Zeros, 0.0),
        (EmptyRow::Mean, 2.0),
        (EmptyRow::NaN, f32::NAN),
    ] {
        let mut case = case(1, 2, 3, 1, 1);
        case.v = ndarray::array![[[1.0], [2.0], [3.0]]];
        case.keep = Some(Array3::from_shape_fn((1, 2, 3), |(_, i, _)| i == 0));
        case.spec.empty_row = policy;
        let tiled = case.tiled(1, InstructionSet::best());
        assert_eq!(
            tiled.output[[0, 1, 0]].to_bits() << 1,
            expected.to_bits() << 1
        );
        assert_eq!(tiled.log_sum_exp[[0, 1]], f64::NEG_INFINITY);
        assert!(tiled.output[[0, 0, 0]].is_finite());
    }
}

#[test]
fn arrays_that_do_not_fit_are_named() {
    let fits = case(2, 3, 4, 2, 1);
    let fault = |change: &dyn Fn(&mut Case)| {
        let mut case = fits.clone();
        change(&mut case);
        attend_tiled(&case.heads(), &case.spec, 1).unwrap_err()
    };
    let of = |h, n, d| Array3::zeros((h, n, d));
    assert_eq!(
        fault(&|c| c.k = of(2, 4, 3)),
        AttentionError::Widths {
            q: (3, 2),
            k: (4, 3)
        }
    );
    assert_eq!(
        fault(&|c| c.v = of(2, 5, 2)),
        AttentionError::Rows {
            k: (4, 2),
            v: (5, 2)
        }
    );
    assert_eq!(
        fault(&|c| c.v = of(1, 4, 2)),
        AttentionError::Heads { q: 2, k: 2, v: 1 }
    );
    assert_eq!(
        fault(&|c| c.bias = Some(of(3, 3, 4))),
        AttentionError::MaskHeads { given: 3, heads: 2 }
    );
    assert_eq!(
        fault(&|c| c.bias = Some(of(1, 4, 3))),
        AttentionError::Mask {
            given: (4, 3),
            scores: (3, 4)
        }
    );
    assert_eq!(
        fault(&|c| c.past = Some((of(1, 1, 2), of(1, 1, 2)))),
        AttentionError::Past {
            past: (1, 1, 2),
            new: (2, 4, 2)
        }
    );
    assert_eq!(
        fault(&|c| c.spec.positions = Positions::Sinusoidal),
        AttentionError::NoX
    );
    assert_eq!(
        fault(&|c| c.spec.temperature = 0.0),
        AttentionError::Temperature(0.0)
    );
}

#[test]
fn a_window_of_the_weights_is_that_of_the_rows() {
    for causal in [None, Some(Alignment::TopLeft)] {
        let mut case = case(2, 150, 300, 8, 31);
        case.spec.causal = causal;
        let tiled = case.tiled(1, InstructionSet::best());
        let of = |keys: std::ops::Range<usize>| {
            let ranges = (10..150, keys);
            weight_window(
                &case.heads(),
                &case.spec,
                tiled.log_sum_exp.view(),
                1,
                ranges,
                2,
            )
            .unwrap()
        };
        let all = of(0..300);
        for sum in all.sum_axis(Axis(1)) {
            assert!((sum - 1.0).abs() < 4e-6, "{sum}");
        }
        let output = all.dot(&case.v.index_axis(Axis(0), 1));
        let expected = tiled.output.slice(s![1, 10.., ..]);
        assert!(
            output
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-5)
        );
        let part = of(40..77);
        assert!(
            part.iter()
                .zip(all.slice(s![.., 40..77]))
                .all(|(a, b)| (a - b).abs() < 1e-7)
        );
    }
}

prop_compose! {
    fn conventions()(
        scale in prop_oneof![Just(None), (-2.0..2.0f64).prop_map(Some), Just(Some(0.0))],
        temperature in prop_oneof![3 => Just(1.0), 1 => 0.05..5.0f64],
        softcap in prop_oneof![2 => Just(None), 1 => (0.5..60.0f64).prop_map(Some)],
        causal in prop_oneof![Just(None), Just(Some(Alignment::TopLeft)), Just(Some(Alignment::BottomRight))],
        left in prop_oneof![2 => Just(None), 1 => (0..80usize).prop_map(Some)],
        right in prop_oneof![2 => Just(None), 1 => (0..80usize).prop_map(Some)],
        empty_row in prop_oneof![Just(EmptyRow::Zeros), Just(EmptyRow::Mean), Just(EmptyRow::NaN)],
        positions in prop_oneof![
            3 => Just(Positions::None),
            1 => Just(Positions::Alibi),
            1 => Just(Positions::Rotary(Rotary { pairs: RotaryPairs::Halves, base: 1e4 })),
            1 => Just(Positions::Rotary(Rotary { pairs: RotaryPairs::Interleaved, base: 500.0 })),
        ],
        head_order in prop_oneof![Just(HeadOrder::Interleaved), Just(HeadOrder::Tiled)],
    ) -> Spec {
        Spec { scale, temperature, softcap, causal, window: Window { left, right }, empty_row, positions, head_order, ..Spec::default() }
    }
}

prop_compose! {
    fn cases()(
        spec in conventions(),
        groups in 1..3usize,
        per_group in 1..3usize,
        (n, m, past) in (1..100usize, 0..90usize, prop_oneof![Just(None), (0..20usize).prop_map(Some)]),
        (half, dv) in (1..10usize, 1..10usize),
        (seed, hidden, biased) in (any::<u32>(), 0..3u8, 0..4u8),
        (q_size, k_size, shift) in (-2..3i32, -2..3i32, prop_oneof![3 => Just(0.0f32), 1 => -20.0..20.0f32]),
    ) -> Case {
        let (heads, d, seed) = (groups * per_group, 2 * half, u64::from(seed));
        let rows = m + past.unwrap_or(0);
        let sized = |x: Array3<f32>, size: i32| x * 4f32.powi(size);
        let noise = |heads| normal((heads, n, rows), seed + 9);
        Case {
            q: sized(normal((heads, n, d), seed), q_size),
            // A common part of all keys cancels in softmax, and leaves its rounding.
            k: sized(normal((groups, m, d), seed + 1) + shift, k_size),
            v: normal((groups, m, dv), seed + 2),
            past: past.map(|p| (normal((groups, p, d), seed + 3), normal((groups, p, dv), seed + 4))),
            keep: match hidden { 0 => None, 1 => Some(noise(1).mapv(|x| x > 0.0)), _ => Some(noise(heads).mapv(|x| x > -1.0)) },
            bias: match biased {
                0 | 1 => None,
                2 => Some(noise(heads).mapv(|x| if x > 1.0 { f32::NEG_INFINITY } else { x })),
                _ => Some(noise(1).mapv(|x| if x > 0.5 { -1e9 } else { 30.0 * x })),
            },
            spec,
        }
    }
}

/// Few where the kernel is not optimised; `PROPTEST_CASES` asks for more.
fn cases_to_try() -> u32 {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    asked.unwrap_or(60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases_to_try()))]

    #[test]
    fn the_promise_is_kept(case in cases()) {
        for set in InstructionSet::available() {
            let error = case.error(set);
            prop_assert!(error <= 1.0, "{set:?}: {error} of what is promised");
        }
    }

    /// Scores that are differences of large numbers, in vectors of few kinds of components, so that roundings go one way.
    #[test]
    fn cancellation_is_seen(
        (n, m, half) in (1..5usize, 2..40usize, 1..40usize),
        (a, b) in (-3.0..3.0f32, -3.0..3.0f32),
        size in -3..6i32,
        seed in any::<u32>(),
    ) {
        let mut case = case(1, n, m, 2 * half, u64::from(seed));
        case.q = Array3::from_elem((1, n, 2 * half), a);
        let noise = case.k.clone();
        case.k = Array3::from_shape_fn((1, m, 2 * half), |(_, j, c)| {
            let size = 2f32.powi(size) * (b + 0.1 * j as f32);
            if c < half { size } else { -size + 0.1 * noise[[0, j, c]] }
        });
        for set in InstructionSet::available() {
            let error = case.error(set);
            prop_assert!(error <= 1.0, "{set:?}: {error} of what is promised");
        }
    }
}
