//! Whether an example can be computed; what is at fault is told with its field, so that a reader can place it.

use super::{AttentionExample, WeightedValues};
use crate::attention::{AttentionError, Inputs, Positions, Spec};
use crate::words::{Message, messages};

/// Which field of an example is at fault, so that a reader can place it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields of the file format, by name")]
pub enum Field {
    Values,
    Counts,
    Tokens,
    Q,
    K,
    V,
    Scale,
    Focus,
    Keep,
    Bias,
    Temperature,
    Softcap,
    Positions,
}

messages! {
    /// Why an example cannot be computed.
    pub enum ExampleMsg {
        NoItems,
        NoWidth,
        NotFinite { item: usize },
        TooLarge { item: usize },
        AsManyCounts { counts: usize, values: usize },
        NegativeCount { item: usize },
        NobodyCounted,
        RowsAsTokens { rows: usize, tokens: usize },
        QueryRows { rows: usize, tokens: usize },
        KeyAsWideAsQuery { keys: usize, queries: usize },
        ScaleNotFinite,
        NoSuchFocus { focus: usize, tokens: usize },
        MaskShape { rows: usize, columns: usize, queries: usize, keys: usize },
        BiasNotFinite { row: usize },
        TemperatureNotPositive,
        SoftcapNotPositive,
        RotaryBaseNotPositive,
        RotaryOddWidth { width: usize },
        SinusoidalNeedsX,
        LoneQueryElsewhere { focus: usize },
        CannotCompute,
    }
}

/// Why an example cannot be computed, and which field is at fault.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleProblem {
    /// The field.
    pub field: Field,
    /// What is wrong with it.
    pub what: ExampleMsg,
}

impl ExampleProblem {
    pub(super) fn no_items() -> Self {
        Self {
            field: Field::Tokens,
            what: ExampleMsg::NoItems,
        }
    }

    /// What is wrong, to be said.
    #[must_use]
    pub fn message(&self) -> impl Message + use<> {
        self.what.clone()
    }
}

/// Numbers above this could overflow on their way through the pipeline.
const LARGEST: f64 = 1e100;

pub(super) fn check_weighted(weighted: &WeightedValues) -> Result<(), ExampleProblem> {
    let WeightedValues { values, counts, .. } = weighted;
    check(Field::Values, !values.is_empty(), || ExampleMsg::NoItems)?;
    check(Field::Counts, counts.len() == values.len(), || {
        ExampleMsg::AsManyCounts {
            counts: counts.len(),
            values: values.len(),
        }
    })?;
    check_numbers(Field::Values, values.iter(), 1)?;
    check_numbers(Field::Counts, counts.iter(), 1)?;
    let negative = counts.iter().position(|count| *count < 0.0);
    check(Field::Counts, negative.is_none(), || {
        ExampleMsg::NegativeCount {
            item: negative.map_or(0, |i| i + 1),
        }
    })?;
    check(
        Field::Counts,
        counts.iter().any(|count| *count > 0.0),
        || ExampleMsg::NobodyCounted,
    )
}

pub(super) fn check_attention(attention: &AttentionExample) -> Result<(), ExampleProblem> {
    let AttentionExample {
        tokens,
        q,
        k,
        v,
        keep,
        bias,
        spec,
        focus,
    } = attention;
    let items = tokens.len();
    check(Field::Tokens, items > 0, || ExampleMsg::NoItems)?;
    for (field, array) in [(Field::K, k), (Field::V, v)] {
        check(field, array.nrows() == items, || ExampleMsg::RowsAsTokens {
            rows: array.nrows(),
            tokens: items,
        })?;
    }
    check(Field::Q, q.nrows() == items || q.nrows() == 1, || {
        ExampleMsg::QueryRows {
            rows: q.nrows(),
            tokens: items,
        }
    })?;
    check(Field::K, k.ncols() == q.ncols(), || {
        ExampleMsg::KeyAsWideAsQuery {
            keys: k.ncols(),
            queries: q.ncols(),
        }
    })?;
    for (field, array) in [(Field::Q, q), (Field::K, k), (Field::V, v)] {
        check(field, array.ncols() > 0, || ExampleMsg::NoWidth)?;
        check_numbers(field, array.iter(), array.ncols())?;
    }
    let (queries, keys) = (q.nrows(), k.nrows());
    let masks = [
        (Field::Keep, keep.as_ref().map(|keep| keep.dim())),
        (Field::Bias, bias.as_ref().map(|bias| bias.dim())),
    ];
    for (field, shape) in masks {
        let (rows, columns) = shape.unwrap_or((queries, keys));
        check(field, (rows, columns) == (queries, keys), || {
            ExampleMsg::MaskShape {
                rows,
                columns,
                queries,
                keys,
            }
        })?;
    }
    for (place, bias) in bias.iter().flatten().enumerate() {
        let hides = *bias == f64::NEG_INFINITY;
        check(Field::Bias, hides || bias.abs() <= LARGEST, || {
            let row = place / keys + 1;
            ExampleMsg::BiasNotFinite { row }
        })?;
    }
    check(
        Field::Scale,
        spec.scale.is_none_or(|scale| scale.abs() <= LARGEST),
        || ExampleMsg::ScaleNotFinite,
    )?;
    check(Field::Focus, *focus < items, || ExampleMsg::NoSuchFocus {
        focus: focus + 1,
        tokens: items,
    })?;
    // Where places matter, the query must stand at its word; a lone one stands where the conventions put it.
    let place = spec.sight(queries, keys, 0).place(attention.row());
    let at_its_word = usize::try_from(place) == Ok(*focus);
    check(Field::Q, at_its_word || !attention.places_matter(), || {
        ExampleMsg::LoneQueryElsewhere { focus: focus + 1 }
    })
}

/// What the engine refused, with the field at fault.
pub(super) fn unfit(error: &AttentionError) -> ExampleProblem {
    use AttentionError as E;
    let (field, what) = match error {
        E::Temperature(_) => (Field::Temperature, ExampleMsg::TemperatureNotPositive),
        E::Softcap(_) => (Field::Softcap, ExampleMsg::SoftcapNotPositive),
        E::Scale(_) => (Field::Scale, ExampleMsg::ScaleNotFinite),
        E::NoWidth { .. } => (Field::Q, ExampleMsg::NoWidth),
        E::RotaryBase(_) => (Field::Positions, ExampleMsg::RotaryBaseNotPositive),
        E::OddWidth { q } => {
            let (_, width) = *q;
            (Field::Positions, ExampleMsg::RotaryOddWidth { width })
        }
        E::NoX => (Field::Positions, ExampleMsg::SinusoidalNeedsX),
        E::Widths { q, k } => (
            Field::K,
            ExampleMsg::KeyAsWideAsQuery {
                keys: k.1,
                queries: q.1,
            },
        ),
        E::Rows { k, v } => (
            Field::V,
            ExampleMsg::RowsAsTokens {
                rows: v.0,
                tokens: k.0,
            },
        ),
        E::Mask { given, scores } => (
            Field::Keep,
            ExampleMsg::MaskShape {
                rows: given.0,
                columns: given.1,
                queries: scores.0,
                keys: scores.1,
            },
        ),
        // Of several heads, past keys and projections, which an example has not.
        E::Heads { .. }
        | E::MaskHeads { .. }
        | E::Past { .. }
        | E::Projection { .. }
        | E::SplitHeads { .. }
        | E::Offset { .. } => (Field::Q, ExampleMsg::CannotCompute),
    };
    ExampleProblem { field, what }
}

impl AttentionExample {
    /// The row of `q` that belongs to the focus word.
    pub(super) fn row(&self) -> usize {
        if self.q.nrows() == 1 { 0 } else { self.focus }
    }

    /// Whether it matters where a query stands among the keys.
    fn places_matter(&self) -> bool {
        let Spec { window, .. } = self.spec;
        self.spec.causal.is_some()
            || window.left.is_some()
            || window.right.is_some()
            || self.spec.positions != Positions::None
    }

    /// The arrays, for the engine.
    pub(super) fn inputs(&self) -> Inputs {
        Inputs {
            keep: self.keep.clone(),
            bias: self.bias.clone(),
            ..Inputs::new(self.q.clone(), self.k.clone(), self.v.clone())
        }
    }
}

/// Every number finite and not too large; the first that is not is told by its item (row).
fn check_numbers<'a>(
    field: Field,
    numbers: impl Iterator<Item = &'a f64>,
    width: usize,
) -> Result<(), ExampleProblem> {
    for (place, number) in numbers.enumerate() {
        let item = place / width + 1;
        check(field, number.is_finite(), || ExampleMsg::NotFinite { item })?;
        check(field, number.abs() <= LARGEST, || ExampleMsg::TooLarge {
            item,
        })?;
    }
    Ok(())
}

fn check(
    field: Field,
    holds: bool,
    what: impl FnOnce() -> ExampleMsg,
) -> Result<(), ExampleProblem> {
    if holds {
        Ok(())
    } else {
        Err(ExampleProblem {
            field,
            what: what(),
        })
    }
}
