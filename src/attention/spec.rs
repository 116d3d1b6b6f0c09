//! What attention is told: every convention by name, and the errors when arrays do not fit each other.

use std::ops::Range;

/// Every convention of attention. `Default` is what a textbook means: 1/√d, softmax, nothing hidden, no positions, exact numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The factor on the scores; `None` = 1/√d. Any finite number; 0 makes the weights equal.
    pub scale: Option<f64>,
    /// What the biased scores are divided by before softmax: greater than 0; ∞ makes the weights equal.
    pub temperature: f64,
    /// c: scaled scores become c · tanh(score / c), before bias and mask. Greater than 0.
    pub softcap: Option<f64>,
    /// Whether a query is kept from seeing keys after its own place, and how the two are lined up.
    pub causal: Option<Alignment>,
    /// How far a query sees.
    pub window: Window,
    /// What comes out where nothing has weight.
    pub empty_row: EmptyRow,
    /// How what is masked becomes weights.
    pub normaliser: Normaliser,
    /// How a token's place enters.
    pub positions: Positions,
    /// Which key head a query head asks, where there are fewer of them.
    pub head_order: HeadOrder,
    /// The numbers that are computed with.
    pub precision: Precision,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            scale: None,
            temperature: 1.0,
            softcap: None,
            causal: None,
            window: Window::default(),
            empty_row: EmptyRow::Zeros,
            normaliser: Normaliser::Softmax,
            positions: Positions::None,
            head_order: HeadOrder::Interleaved,
            precision: Precision::F64,
        }
    }
}

/// Where query i stands among the keys, which decides what is before and after it. With past keys, both count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// At key i of the new keys: the first query is the first new key's word. (PyTorch, ONNX.)
    TopLeft,
    /// At key i + m − n: the last query is the last key's word. (FlashAttention, a cache of keys.)
    BottomRight,
}

/// How many keys before and after its own place a query sees; `None` = all of them. Its own place is always in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Keys before.
    pub left: Option<usize>,
    /// Keys after.
    pub right: Option<usize>,
}

/// What comes out of a query that gives no key any weight: all are hidden, or all visible scores are −∞. (Where there are no keys at all, 0.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyRow {
    /// Weights and output are 0.
    #[default]
    Zeros,
    /// The plain mean of all values, hidden ones too (what a mask of large finite numbers comes to).
    Mean,
    /// Not a number, as 0/0 is.
    NaN,
}

/// How the scores of the visible keys become weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normaliser {
    /// e^s / Σ e^s: attention.
    #[default]
    Softmax,
    /// All weight to the greatest score; ties share it.
    HardMax,
    /// All alike: the plain mean.
    Uniform,
    /// The nearest weights to the scores that sum to 1: small ones become exactly 0 (Martins and Astudillo 2016).
    Sparsemax,
    /// 1 / (1 + e^−s), each for itself: the weights need not sum to 1.
    Sigmoid,
    /// e^s / (1 + Σ e^s): weights that may sum to nearly nothing.
    SoftmaxPlusOne,
    /// e^s, not divided by anything.
    Unnormalised,
}

impl Normaliser {
    /// Every one.
    pub const ALL: [Self; 7] = [
        Self::Softmax,
        Self::HardMax,
        Self::Uniform,
        Self::Sparsemax,
        Self::Sigmoid,
        Self::SoftmaxPlusOne,
        Self::Unnormalised,
    ];
}

/// Which of G key heads each of H query heads asks (G divides H).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadOrder {
    /// 0 0 1 1: neighbours share a key head.
    #[default]
    Interleaved,
    /// 0 1 0 1: key heads are dealt out in turn.
    Tiled,
}

impl HeadOrder {
    /// The key head that query head `head` asks, of `heads` and `kv_heads`.
    #[must_use]
    pub fn key_head(self, head: usize, heads: usize, kv_heads: usize) -> usize {
        match self {
            Self::Interleaved => head / (heads / kv_heads.max(1)).max(1),
            Self::Tiled => head % kv_heads.max(1),
        }
    }
}

/// How a token's place enters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Positions {
    /// Not at all: attention of a set.
    #[default]
    None,
    /// Sines and cosines added to x (Vaswani et al. 2017, section 3.5); needs x, not q and k.
    Sinusoidal,
    /// q and k turned by their place (Su et al. 2021).
    Rotary(Rotary),
    /// A bias of −slope · distance, the slopes by head (Press et al. 2021).
    Alibi,
}

/// Which components of q and k are turned together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotary {
    /// How components are paired.
    pub pairs: RotaryPairs,
    /// Pair i of a width w turns by base^(−2i/w) a place; 10,000 in the paper. Greater than 0.
    pub base: f64,
}

/// How the components that are turned together are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotaryPairs {
    /// Component i with i + d/2. (GPT-NeoX, Llama in Hugging Face's files.)
    Halves,
    /// Component 2i with 2i + 1. (The paper.)
    Interleaved,
}

/// The numbers that are computed with. All but `F64` are simulated: each product, sum, power and quotient is rounded to the format's nearest number
/// (ties to even), so that what overflows or is swallowed there does so here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 53 bits: what everything else in this program means.
    #[default]
    F64,
    /// 24 bits.
    F32,
    /// 11 bits, at most 65,504.
    F16,
    /// 8 bits, with the reach of f32.
    Bf16,
}

impl Precision {
    /// The nearest number of this format.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked")]
    pub fn round(self, x: f64) -> f64 {
        match self {
            Self::F64 => x,
            Self::F32 => f64::from(x as f32),
            Self::F16 => half::f16::from_f64(x).to_f64(),
            Self::Bf16 => half::bf16::from_f64(x).to_f64(),
        }
    }
}

impl Spec {
    /// The factor between scores and scaled scores, for queries and keys of width d; the numbers of the spec are looked at on the way.
    ///
    /// # Errors
    /// [`AttentionError::NoWidth`] where `scale` is `None` and d = 0; [`AttentionError::Scale`], [`AttentionError::Temperature`],
    /// [`AttentionError::Softcap`], [`AttentionError::RotaryBase`].
    pub fn factor(&self, q: Shape) -> Result<f64, AttentionError> {
        if self.temperature.is_nan() || self.temperature <= 0.0 {
            return Err(AttentionError::Temperature(self.temperature));
        }
        if let Some(cap) = self.softcap.filter(|cap| !(*cap > 0.0 && cap.is_finite())) {
            return Err(AttentionError::Softcap(cap));
        }
        if let Positions::Rotary(Rotary { base, .. }) = self.positions {
            if !(base > 0.0 && base.is_finite()) {
                return Err(AttentionError::RotaryBase(base));
            }
            if q.1 % 2 == 1 {
                return Err(AttentionError::OddWidth { q });
            }
        }
        match self.scale {
            Some(scale) if scale.is_finite() => Ok(scale),
            Some(scale) => Err(AttentionError::Scale(scale)),
            None if q.1 == 0 => Err(AttentionError::NoWidth { q }),
            None => Ok(1.0 / (q.1 as f64).sqrt()),
        }
    }

    /// What n queries may see of m keys, the first `past` of which came before: causal rule and window, without masks.
    #[must_use]
    pub fn sight(&self, n: usize, m: usize, past: usize) -> Sight {
        let signed = |count: usize| isize::try_from(count).unwrap_or(isize::MAX);
        let first = match self.causal {
            Some(Alignment::BottomRight) => signed(m) - signed(n),
            Some(Alignment::TopLeft) | None => signed(past),
        };
        let right = if self.causal.is_some() {
            Some(0)
        } else {
            self.window.right
        };
        Sight {
            first,
            left: self.window.left.map(signed),
            right: right.map(signed),
            keys: signed(m),
        }
    }
}

/// What each query may see by the causal rule and the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The place of query 0 among the keys; below 0 where it stands before the first.
    first: isize,
    left: Option<isize>,
    right: Option<isize>,
    keys: isize,
}

impl Sight {
    /// The place of a query among the keys.
    #[must_use]
    pub fn place(&self, query: usize) -> isize {
        self.first
            .saturating_add(isize::try_from(query).unwrap_or(isize::MAX))
    }

    /// The keys that a query may see; perhaps none.
    #[must_use]
    pub fn keys(&self, query: usize) -> Range<usize> {
        let place = self.place(query);
        let from = self.left.map_or(0, |left| place.saturating_sub(left));
        let to = self.right.map_or(self.keys, |right| {
            place.saturating_add(right).saturating_add(1)
        });
        let to = to.clamp(0, self.keys);
        let from = from.clamp(0, to);
        from.unsigned_abs()..to.unsigned_abs()
    }

    /// The same of the queries from this one on, each at its place.
    pub(super) fn from_query(self, query: usize) -> Self {
        Self {
            first: self.place(query),
            ..self
        }
    }

    /// The same without a query's own place, where nothing after it is seen (an off-by-one that mistakes make).
    pub(super) fn without_itself(self) -> Self {
        Self {
            right: self.right.map(|right| right - 1),
            ..self
        }
    }

    /// Whether every query sees every key.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.left.is_none() && self.right.is_none()
    }
}

/// Rows and columns.
pub type Shape = (usize, usize);

/// Why attention cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttentionError {
    /// q·k needs queries and keys of one width.
    #[error("queries {q:?} and keys {k:?} must be equally wide")]
    Widths {
        /// Shape of the queries.
        q: Shape,
        /// Shape of the keys.
        k: Shape,
    },
    /// Each key needs its value.
    #[error("keys {k:?} and values {v:?} must have equally many rows")]
    Rows {
        /// Shape of the keys.
        k: Shape,
        /// Shape of the values.
        v: Shape,
    },
    /// Mask or bias needs a cell for each query and key.
    #[error("mask or bias {given:?} must have the shape of the scores {scores:?}")]
    Mask {
        /// Its shape.
        given: Shape,
        /// (n, m).
        scores: Shape,
    },
    /// Grouped heads share evenly: key and value heads must be as many, and divide the query heads.
    #[error("{q} query heads cannot be shared among {k} key and {v} value heads")]
    Heads {
        /// Query heads.
        q: usize,
        /// Key heads.
        k: usize,
        /// Value heads.
        v: usize,
    },
    /// A mask or bias for several heads is for all of them or for each.
    #[error("a mask or bias for {given} heads does not fit {heads} heads")]
    MaskHeads {
        /// How many it is for.
        given: usize,
        /// Query heads.
        heads: usize,
    },
    /// Past keys and values must be as wide, and of as many heads, as the new ones.
    #[error("past {past:?} and new {new:?} (heads, rows, width) must agree but in rows")]
    Past {
        /// Shape of the past array.
        past: (usize, usize, usize),
        /// Shape of the new one.
        new: (usize, usize, usize),
    },
    /// X·W needs as many rows of W as columns of X.
    #[error("x {x:?} cannot be multiplied by the learned matrix {w:?}")]
    Projection {
        /// Shape of x.
        x: Shape,
        /// Shape of the learned matrix.
        w: Shape,
    },
    /// A projected width must divide into heads.
    #[error("a width of {width} does not divide into {heads} heads")]
    SplitHeads {
        /// The projected width.
        width: usize,
        /// How many heads.
        heads: usize,
    },
    /// A bias added to a projection needs a number for each column.
    #[error("{given} numbers cannot be added to {width} columns")]
    Offset {
        /// How many were given.
        given: usize,
        /// How many columns there are.
        width: usize,
    },
    /// Sines and cosines are added to x, and here is none.
    #[error(
        "sinusoidal positions are added to x, before the projections: q and k alone cannot take them"
    )]
    NoX,
    /// Rotation turns pairs.
    #[error("rotary positions turn pairs of components: a width of {} is odd", q.1)]
    OddWidth {
        /// Shape of the queries.
        q: Shape,
    },
    /// 1/√d of queries without width.
    #[error("queries {q:?} have no width, so that 1/√d is not a number: give a scale")]
    NoWidth {
        /// Shape of the queries.
        q: Shape,
    },
    /// The scale is not finite.
    #[error("the scale {0} is not a finite number")]
    Scale(f64),
    /// The temperature is not greater than 0.
    #[error("the temperature {0} must be greater than 0")]
    Temperature(f64),
    /// The softcap is not a number greater than 0.
    #[error("the softcap {0} must be a number greater than 0")]
    Softcap(f64),
    /// The base of the rotation is not a number greater than 0.
    #[error("the base {0} of the rotation must be a number greater than 0")]
    RotaryBase(f64),
}
