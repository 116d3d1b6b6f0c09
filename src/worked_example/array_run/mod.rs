//! A file of arrays run through the engine: heads split, batches one after the other, each stage as one array in the file's own rank.
//!
//! Two ways, as the engine has: all stages, kept; or, where that would not fit in memory and only the output is wanted, tile by tile.

mod fault;
mod gather;
mod notice;

pub use fault::{CODES as RUN_CODES, RunFault};
pub use notice::{NoticeKind, NoticeMsg, RunNotice};

use ndarray::{Array2, Array4, ArrayD, Axis, Ix4};

use super::{ArrayFile, AttentionExample};
use crate::attention::{
    AttentionError, Heads, HeadsTrace, LayerInputs, LayerTrace, Positions, Spec, Stage, Tiled,
    Trace, attend_heads, attend_layer, attend_tiled,
};
use crate::words::Words;
use crate::words::diagnostic::Diagnostic;
use gather::{Asked, Gathered};

/// What is kept of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every stage; refused where that would take more than [`MOST_CELLS`].
    Stages,
    /// The output; where the stages would not fit, it is computed in 32-bit numbers, tile by tile.
    Output,
}

/// The most cells (batches · heads · queries · keys) whose stages are kept: half a gigabyte of scores and weights. Weighted values have a number for
/// each cell and component, and are shown of as many numbers.
pub const MOST_CELLS: usize = 1 << 25;

/// A file of arrays and what came of it.
#[derive(Clone, Debug)]
pub struct ArrayRun {
    /// The conventions it was run with.
    pub spec: Spec,
    /// What there is to say: conventions applied, and what looks unintended.
    pub notices: Vec<RunNotice>,
    /// (m): the words, where the file names them.
    pub tokens: Option<Vec<String>>,
    batches: Vec<Batch>,
    /// Whether arrays have an axis of batches, and of heads.
    axes: (bool, bool),
}

#[derive(Clone, Debug)]
enum Batch {
    Heads(Box<HeadsTrace>),
    Layer(Box<LayerTrace>),
    /// The output alone: (H, n, dᵥ), or (n, e′) of a layer.
    Output(ArrayD<f64>),
}

/// An array that a run can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// (…, n, e): x, sinusoidal positions in it.
    X,
    /// (…, n, d): the queries, rotary positions in them.
    Q,
    /// (…, p + m, d): past and new keys, rotary positions in them.
    K,
    /// (…, p + m, dᵥ): past and new values.
    V,
    /// (…, n, p + m): a stage of the pipeline.
    Stage(Stage),
    /// (…, n, p + m): 1 where a query sees a key.
    Visible,
    /// (…, n, p + m, dᵥ): weight times value.
    WeightedValues,
    /// (…, n, dᵥ): each head's output, before it is joined and projected.
    HeadOutput,
    /// (…, n, dᵥ), or (…, n, e′) after the output projection.
    Output,
    /// (…, n): ln Σ e^(what softmax sees).
    LogSumExp,
    /// (…, n): in nats.
    Entropy,
    /// (…, n): e^entropy.
    EffectiveWords,
}

impl Shown {
    /// Every array, by its name in files and flags.
    pub const ALL: [(&'static str, Self); 17] = [
        ("x", Self::X),
        ("q", Self::Q),
        ("k", Self::K),
        ("v", Self::V),
        ("scores", Self::Stage(Stage::Scores)),
        ("scaled", Self::Stage(Stage::Scaled)),
        ("capped", Self::Stage(Stage::Capped)),
        ("biased", Self::Stage(Stage::Biased)),
        ("masked", Self::Stage(Stage::Masked)),
        ("weights", Self::Stage(Stage::Weights)),
        ("visible", Self::Visible),
        ("weighted_values", Self::WeightedValues),
        ("head_output", Self::HeadOutput),
        ("output", Self::Output),
        ("log_sum_exp", Self::LogSumExp),
        ("entropy", Self::Entropy),
        ("effective_words", Self::EffectiveWords),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, shown)| *shown == self);
        named.map_or("", |(name, _)| name)
    }
}

/// Runs what a file holds.
///
/// # Errors
/// Everything that keeps it from being run, each finding at the place of the array it is about.
pub fn run_arrays(
    words: &Words,
    file: &ArrayFile,
    keep: Keep,
) -> Result<ArrayRun, Vec<Diagnostic>> {
    let gathered = Gathered::new(words, file)?;
    let spec = file.spec.spec();
    let cells = gathered.cells();
    let fits = cells <= MOST_CELLS;
    if !fits && keep == Keep::Stages {
        let fault = RunFault::TooManyCells {
            cells,
            most: MOST_CELLS,
        };
        return Err(vec![fault::told(words, file, &fault)]);
    }
    let batches: Result<Vec<Batch>, AttentionError> = (0..gathered.batches())
        .map(|batch| run_batch(&gathered, batch, &spec, fits))
        .collect();
    let batches = batches.map_err(|problem| vec![fault::told(words, file, &problem.into())])?;
    let mut notices = notice::of_file(file, &gathered);
    let mut run = ArrayRun {
        spec,
        notices: Vec::new(),
        tokens: file.tokens.clone(),
        batches,
        axes: gathered.axes(),
    };
    notices.extend(notice::of_engine(&run));
    notices.extend(notice::of_tiles(&run, gathered.key_width()));
    run.notices = notices;
    Ok(run)
}

fn run_batch(
    gathered: &Gathered,
    batch: usize,
    spec: &Spec,
    fits: bool,
) -> Result<Batch, AttentionError> {
    let asked = gathered.batch(batch);
    let keep = asked.keep.as_ref().map(|keep| keep.view());
    let bias = asked.bias.as_ref().map(|bias| bias.view());
    let past = asked.past.as_ref().map(|(k, v)| (k.view(), v.view()));
    match &asked.of {
        Asked::Heads { q, k, v } => {
            let heads = Heads {
                past,
                keep,
                bias,
                ..Heads::new(q.view(), k.view(), v.view())
            };
            if fits {
                return Ok(Batch::Heads(Box::new(attend_heads(&heads, spec)?)));
            }
            let tiled = tiled(&heads, spec)?;
            Ok(Batch::Output(tiled.output.mapv(f64::from).into_dyn()))
        }
        Asked::Layer { layer, x, context } => {
            let inputs = LayerInputs {
                context: context.as_ref().map(|context| context.view()),
                past,
                keep,
                bias,
                ..LayerInputs::new(x.view())
            };
            if fits {
                return Ok(Batch::Layer(Box::new(attend_layer(layer, &inputs, spec)?)));
            }
            let projected = layer.project(&inputs, spec)?;
            let tiled = tiled(&projected.heads(&inputs), &projected.spec)?;
            let (heads, n, dv) = tiled.output.dim();
            let joined = Array2::from_shape_fn((n, heads * dv), |(i, column)| {
                f64::from(tiled.output[[column / dv, i, column % dv]])
            });
            Ok(Batch::Output(layer.output(joined, spec)?.into_dyn()))
        }
    }
}

/// The same heads in 32-bit numbers.
#[expect(clippy::cast_possible_truncation, reason = "that is what 32 bits are")]
fn tiled(heads: &Heads<'_, f64>, spec: &Spec) -> Result<Tiled, AttentionError> {
    let short = |array: ndarray::ArrayView3<'_, f64>| array.mapv(|x| x as f32);
    let (q, k, v) = (short(heads.q), short(heads.k), short(heads.v));
    let past = heads.past.map(|(k, v)| (short(k), short(v)));
    let bias = heads.bias.map(short);
    let short = Heads {
        past: past.as_ref().map(|(k, v)| (k.view(), v.view())),
        keep: heads.keep,
        bias: bias.as_ref().map(|bias| bias.view()),
        ..Heads::new(q.view(), k.view(), v.view())
    };
    attend_tiled(&short, spec, 0)
}

impl ArrayRun {
    /// An array of all batches and heads, in the rank of what went in: without the axes that the file does not have. `None` where the run has
    /// none (x where q was given; stages where only the output was kept).
    #[must_use]
    pub fn array(&self, shown: Shown) -> Option<ArrayD<f64>> {
        let width = self.trace(0, 0).map_or(0, |trace| trace.output.ncols());
        let numbers = self.size().into_iter().fold(width, usize::saturating_mul);
        if shown == Shown::WeightedValues && numbers > MOST_CELLS {
            return None;
        }
        let parts: Option<Vec<ArrayD<f64>>> = self
            .batches
            .iter()
            .map(|batch| batch.array(shown))
            .collect();
        let parts = parts?;
        let views: Vec<_> = parts.iter().map(|part| part.view()).collect();
        let mut all = ndarray::stack(Axis(0), &views).ok()?;
        let (has_batches, has_heads) = self.axes;
        let is_joined = match shown {
            Shown::X => true,
            Shown::Output => self.batches.iter().any(Batch::is_joined),
            _ => false,
        };
        if !is_joined && !has_heads && all.len_of(Axis(1)) == 1 {
            all = all.index_axis_move(Axis(1), 0);
        }
        if !has_batches && all.len_of(Axis(0)) == 1 {
            all = all.index_axis_move(Axis(0), 0);
        }
        Some(all)
    }

    /// How many batches, heads, queries and keys there are; of a run that kept its output alone, the batches only.
    #[must_use]
    pub fn size(&self) -> [usize; 4] {
        let (heads, n, m) = self.batches.first().map_or((0, 0, 0), Batch::size);
        [self.batches.len(), heads, n, m]
    }

    /// Whether every stage was kept.
    #[must_use]
    pub fn has_stages(&self) -> bool {
        !self
            .batches
            .iter()
            .any(|batch| matches!(batch, Batch::Output(_)))
    }

    /// The trace of one head.
    #[must_use]
    pub fn trace(&self, batch: usize, head: usize) -> Option<&Trace> {
        self.batches.get(batch)?.heads()?.heads.get(head)
    }

    /// One query of one head as a worked example, to be told step by step: positions are in its queries, keys and bias.
    #[must_use]
    pub fn example(&self, batch: usize, head: usize, query: usize) -> Option<AttentionExample> {
        let heads = self.batches.get(batch)?.heads()?;
        let trace = heads.heads.get(head)?;
        let group = self
            .spec
            .head_order
            .key_head(head, heads.heads.len(), heads.k.len_of(Axis(0)));
        let of_head = |array: &ndarray::Array3<f64>, head: usize| {
            (head < array.len_of(Axis(0))).then(|| array.index_axis(Axis(0), head).to_owned())
        };
        let q = of_head(&heads.q, head)?;
        let (k, v) = (of_head(&heads.k, group)?, of_head(&heads.v, group)?);
        if query >= q.nrows() {
            return None;
        }
        let m = k.nrows();
        let one_row = |row: Vec<f64>| Array2::from_shape_vec((1, m), row).ok();
        // What was added to the capped scores, bias and distance together.
        let (capped, biased) = (
            trace.row(Stage::Capped, query),
            trace.row(Stage::Biased, query),
        );
        let added: Vec<f64> = biased.iter().zip(&capped).map(|(b, c)| b - c).collect();
        let added = added.iter().any(|x| *x != 0.0).then_some(added);
        let seen = trace.visible.row(query).insert_axis(Axis(0)).to_owned();
        let tokens = match &self.tokens {
            Some(tokens) if tokens.len() == m => tokens.clone(),
            _ => (1..=m).map(|key| key.to_string()).collect(),
        };
        Some(AttentionExample {
            tokens,
            q: q.row(query).insert_axis(Axis(0)).to_owned(),
            k,
            v,
            keep: (!seen.iter().all(|seen| *seen)).then_some(seen),
            bias: match added {
                Some(added) => Some(one_row(added)?),
                None => None,
            },
            spec: Spec {
                causal: None,
                window: Default::default(),
                positions: Positions::None,
                ..self.spec
            },
            focus: 0,
        })
    }

    fn traces(&self) -> impl Iterator<Item = (usize, usize, &Trace)> {
        let heads = self.batches.iter().enumerate();
        heads.flat_map(|(batch, of)| {
            let heads = of.heads().map_or(&[][..], |heads| &heads.heads);
            heads
                .iter()
                .enumerate()
                .map(move |(head, trace)| (batch, head, trace))
        })
    }
}

impl Batch {
    fn heads(&self) -> Option<&HeadsTrace> {
        match self {
            Self::Heads(heads) => Some(heads),
            Self::Layer(layer) => Some(&layer.heads),
            Self::Output(_) => None,
        }
    }

    /// Whether its output is of all heads together.
    fn is_joined(&self) -> bool {
        match self {
            Self::Heads(_) => false,
            Self::Layer(_) => true,
            Self::Output(output) => output.ndim() == 2,
        }
    }

    /// Heads, queries, keys; nothing where only the output was kept.
    fn size(&self) -> (usize, usize, usize) {
        self.heads().map_or((0, 0, 0), |heads| {
            let (count, n, _) = heads.q.dim();
            (count, n, heads.k.len_of(Axis(1)))
        })
    }

    /// Of every head, heads first; x and a projected output without heads.
    fn array(&self, shown: Shown) -> Option<ArrayD<f64>> {
        if let (Self::Output(output), Shown::Output) = (self, shown) {
            return Some(output.clone());
        }
        let heads = self.heads()?;
        let of_heads = |part: &dyn Fn(&Trace) -> ArrayD<f64>| {
            let parts: Vec<ArrayD<f64>> = heads.heads.iter().map(part).collect();
            let views: Vec<_> = parts.iter().map(|part| part.view()).collect();
            ndarray::stack(Axis(0), &views).ok()
        };
        let of_rows = |row: &dyn Fn(&Trace, usize) -> f64| {
            of_heads(&|trace| {
                let rows = 0..trace.weights.nrows();
                rows.map(|i| row(trace, i))
                    .collect::<ndarray::Array1<f64>>()
                    .into_dyn()
            })
        };
        match (shown, self) {
            (Shown::X, Self::Layer(layer)) => Some(layer.x.clone().into_dyn()),
            (Shown::X, _) => None,
            (Shown::Output, Self::Layer(layer)) => Some(layer.output.clone().into_dyn()),
            (Shown::Q, _) => Some(heads.q.clone().into_dyn()),
            (Shown::K, _) => Some(heads.k.clone().into_dyn()),
            (Shown::V, _) => Some(heads.v.clone().into_dyn()),
            (Shown::Stage(stage), _) => of_heads(&|trace| trace.stage(stage).into_dyn()),
            (Shown::Visible, _) => of_heads(&|trace| {
                trace
                    .visible
                    .mapv(|seen| f64::from(u8::from(seen)))
                    .into_dyn()
            }),
            (Shown::WeightedValues, _) => of_heads(&weighted_values),
            (Shown::Output | Shown::HeadOutput, _) => {
                of_heads(&|trace| trace.output.clone().into_dyn())
            }
            (Shown::LogSumExp, _) => of_heads(&|trace| trace.log_sum_exp.clone().into_dyn()),
            (Shown::Entropy, _) => of_rows(&|trace, i| trace.entropy(i).unwrap_or(f64::NAN)),
            (Shown::EffectiveWords, _) => {
                of_rows(&|trace, i| trace.effective_words(i).unwrap_or(f64::NAN))
            }
        }
    }
}

fn weighted_values(trace: &Trace) -> ArrayD<f64> {
    let rows: Vec<Array2<f64>> = (0..trace.weights.nrows())
        .map(|i| trace.weighted_values(i))
        .collect();
    let views: Vec<_> = rows.iter().map(|row| row.view()).collect();
    let (n, m) = trace.weights.dim();
    let nothing = || ndarray::Array3::zeros((n, m, trace.output.ncols()));
    ndarray::stack(Axis(0), &views)
        .unwrap_or_else(|_| nothing())
        .into_dyn()
}

/// An array of rank 4 where it is one.
fn rank_four(array: ArrayD<f64>) -> Option<Array4<f64>> {
    array.into_dimensionality::<Ix4>().ok()
}
