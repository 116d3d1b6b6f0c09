//! How fast attention is, one row a shape: milliseconds, GFLOP/s (4·n·m·d a head, half of that where causal), the share of this processor's own
//! roofline (measured in the same run), memory beyond inputs and output.
//!
//! `cargo bench --bench attention` prints the table, then divan's rows. To stand beside other programs in `peers.py --ext`:
//! `cargo bench --bench attention -- --one HEADS N D CAUSAL THREADS SECONDS` prints one line of its CSV.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use attention_tutor::attention::tiled::{
    InstructionSet, Roofline, attend_tiled, attend_tiled_with, weight_window,
};
use attention_tutor::attention::{Alignment, Heads, Spec, attend_heads};
use ndarray::Array3;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "--one" => println!("{}", one(rest)),
        Some(_) => divan::main(),
        None => {
            table();
            divan::main();
        }
    }
}

/// Heads, rows, width; causal; threads.
#[derive(Clone, Copy)]
struct Row {
    shape: (usize, usize, usize),
    is_causal: bool,
    threads: usize,
}

const SHAPES: [(usize, usize, usize); 5] = [
    (1, 512, 64),
    (8, 512, 64),
    (1, 2048, 64),
    (8, 2048, 64),
    (1, 8192, 64),
];

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            shape: (heads, n, d),
            is_causal,
            threads,
        } = self;
        let kind = if *is_causal { "causal" } else { "full" };
        write!(f, "{heads}x{n}x{d} {kind} {threads}t")
    }
}

impl Row {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for shape in SHAPES {
            for is_causal in [false, true] {
                for threads in [1, 2] {
                    all.push(Self {
                        shape,
                        is_causal,
                        threads,
                    });
                }
            }
        }
        all
    }

    fn spec(&self) -> Spec {
        Spec {
            causal: self.is_causal.then_some(Alignment::TopLeft),
            ..Spec::default()
        }
    }

    fn inputs(&self) -> [Array3<f32>; 3] {
        [1, 2, 3].map(|seed| normal(self.shape, seed))
    }

    /// Scores that are computed at least.
    fn pairs(&self) -> f64 {
        let (heads, n, _) = self.shape;
        (if self.is_causal {
            heads * n * (n + 1) / 2
        } else {
            heads * n * n
        }) as f64
    }

    fn flops(&self) -> f64 {
        self.pairs() * 4.0 * self.shape.2 as f64
    }
}

/// What was measured of a row.
struct Measured {
    /// Sorted.
    milliseconds: Vec<f64>,
    peak_extra_megabytes: f64,
    error: f64,
}

impl Measured {
    fn of(row: &Row, set: InstructionSet, seconds: f64) -> Self {
        let [q, k, v] = row.inputs();
        let (heads, spec) = (Heads::new(q.view(), k.view(), v.view()), row.spec());
        let run = || attend_tiled_with(&heads, &spec, row.threads, set).unwrap();
        // Other systems have no such counter; the column is then 0.
        let _ = fs::write("/proc/self/clear_refs", "5");
        let before = status_megabytes("VmRSS");
        let first = run();
        let peak_extra_megabytes = (status_megabytes("VmHWM") - before).max(0.0);
        assert_eq!(first.handed_over, [], "{row}");
        let error = error(row, [&q, &k, &v], &first.output);
        drop(first);
        let mut milliseconds = Vec::new();
        let begun = Instant::now();
        while milliseconds.len() < 5
            || (begun.elapsed().as_secs_f64() < seconds && milliseconds.len() < 400)
        {
            let start = Instant::now();
            black_box(run());
            milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        }
        milliseconds.sort_by(f64::total_cmp);
        Self {
            milliseconds,
            peak_extra_megabytes,
            error,
        }
    }

    fn median(&self) -> f64 {
        self.milliseconds[self.milliseconds.len() / 2]
    }

    fn least(&self) -> f64 {
        self.milliseconds[0]
    }
}

/// One line: peer,heads,n,d,causal,threads,median_ms,min_ms,reps,gflops_min,peak_extra_mb,max_abs_err,load1,version.
fn one(arguments: &[String]) -> String {
    let [heads, n, d, causal, threads, seconds] = arguments else {
        return "--one HEADS N D CAUSAL THREADS SECONDS".to_owned();
    };
    let whole = |text: &str| text.parse::<usize>().unwrap();
    let row = Row {
        shape: (whole(heads), whole(n), whole(d)),
        is_causal: whole(causal) != 0,
        threads: whole(threads),
    };
    let set = InstructionSet::best();
    let measured = Measured::of(&row, set, seconds.parse().unwrap());
    let (median, least) = (measured.median(), measured.least());
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "ours,{heads},{n},{d},{causal},{threads},{median:.3},{least:.3},{},{:.1},{:.1},{:.2e},{},attention-tutor {} {set:?}",
        measured.milliseconds.len(),
        row.flops() / least / 1e6,
        measured.peak_extra_megabytes,
        measured.error,
        load.split(' ').next().unwrap_or("0"),
        env!("CARGO_PKG_VERSION"),
    )
}

fn table() {
    println!("{}", processor());
    for set in InstructionSet::available() {
        let roofline = Roofline::measured(set);
        println!(
            "\n{set:?}: roofline of one thread {:.1} GFLOP/s, {:.1} G powers/s",
            roofline.flops / 1e9,
            roofline.powers / 1e9
        );
        println!(
            "heads x n x d           median ms     min ms  GFLOP/s  of roofline  extra MB  max error"
        );
        for row in Row::all() {
            if set == InstructionSet::Baseline && row.pairs() > 3e5 {
                continue;
            }
            let measured = Measured::of(&row, set, 0.3);
            let least = roofline.seconds(row.flops(), row.pairs()) / row.threads as f64 * 1e3;
            let (heads, n, d) = row.shape;
            println!(
                "{:22} {:10.3} {:10.3} {:8.1} {:10.0} % {:9.1} {:10.1e}",
                row.to_string(),
                measured.median(),
                measured.least(),
                row.flops() / measured.least() / 1e6,
                100.0 * least / measured.least(),
                (measured.peak_extra_megabytes - (heads * n * d * 4) as f64 / 1e6).max(0.0),
                measured.error
            );
        }
    }
    let large = Row {
        shape: (8, 8192, 64),
        is_causal: false,
        threads: 2,
    };
    let measured = Measured::of(&large, InstructionSet::best(), 0.0);
    let output_megabytes = (8 * 8192 * 64 * 4) as f64 / 1e6;
    println!(
        "\n{large}: {:.0} ms, {:.1} MB beyond inputs and output",
        measured.median(),
        (measured.peak_extra_megabytes - output_megabytes).max(0.0)
    );
    println!();
}

fn processor() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of = |name: &str| {
        let line = about.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split(": ").nth(1))
            .unwrap_or("unknown")
            .to_owned()
    };
    format!(
        "processor: {} (family {}, model {}); instruction set taken: {:?}",
        of("model name"),
        of("cpu family"),
        of("model\t"),
        InstructionSet::best()
    )
}

fn status_megabytes(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// The largest difference from f64 on some rows of every head.
fn error(row: &Row, [q, k, v]: [&Array3<f32>; 3], output: &Array3<f32>) -> f64 {
    let (heads, n, d) = row.shape;
    let mut worst = 0.0f64;
    for head in 0..heads {
        for i in [0, 1, n / 7, n / 3, n / 2, n.saturating_sub(2), n - 1]
            .into_iter()
            .filter(|i| *i < n)
        {
            let seen = if row.is_causal { i + 1 } else { n };
            let score = |j: usize| {
                let terms = (0..d).map(|c| f64::from(q[[head, i, c]]) * f64::from(k[[head, j, c]]));
                terms.sum::<f64>() / (d as f64).sqrt()
            };
            let powers: Vec<f64> = (0..seen).map(|j| score(j).exp()).collect();
            let sum: f64 = powers.iter().sum();
            for c in 0..d {
                let terms = powers
                    .iter()
                    .enumerate()
                    .map(|(j, power)| power * f64::from(v[[head, j, c]]));
                worst =
                    worst.max((terms.sum::<f64>() / sum - f64::from(output[[head, i, c]])).abs());
            }
        }
    }
    worst
}

/// Standard normal numbers, the same for the same seed.
fn normal(shape: (usize, usize, usize), seed: u64) -> Array3<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
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

#[divan::bench(args = Row::all(), max_time = 0.5)]
fn tiled(bencher: divan::Bencher<'_, '_>, row: &Row) {
    let [q, k, v] = row.inputs();
    let (heads, spec) = (Heads::new(q.view(), k.view(), v.view()), row.spec());
    bencher
        .counter(divan::counter::ItemsCount::new(row.flops() as u64))
        .bench_local(|| attend_tiled(&heads, &spec, row.threads).unwrap());
}

/// 600 × 1000 weights out of n × n, as a picture shows them.
#[divan::bench(args = [2048, 8192], max_time = 0.5)]
fn window_of_the_weights(bencher: divan::Bencher<'_, '_>, n: usize) {
    let row = Row {
        shape: (1, n, 64),
        is_causal: false,
        threads: 1,
    };
    let [q, k, v] = row.inputs();
    let (heads, spec) = (Heads::new(q.view(), k.view(), v.view()), row.spec());
    let log_sum_exp = attend_tiled(&heads, &spec, 0).unwrap().log_sum_exp;
    bencher.bench_local(|| {
        weight_window(
            &heads,
            &spec,
            log_sum_exp.view(),
            0,
            (n / 2..n / 2 + 600, 500..1500),
            1,
        )
        .unwrap()
    });
}

/// The trace path: what a drag recomputes (64 tokens), and a whole layer to look into (12 heads of 512 tokens), scores and weights kept.
#[divan::bench(args = [(1, 64, 64), (12, 512, 64)], max_time = 1.0)]
fn trace(bencher: divan::Bencher<'_, '_>, shape: &(usize, usize, usize)) {
    let [q, k, v] = [1, 2, 3].map(|seed| normal(*shape, seed).mapv(f64::from));
    let heads = Heads::new(q.view(), k.view(), v.view());
    bencher.bench_local(|| attend_heads(&heads, &Spec::default()).unwrap());
}
