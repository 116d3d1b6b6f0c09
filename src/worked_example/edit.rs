//! What a learner can change in an example by taking hold of it; each change makes a new example.

use ndarray::{Array1, Axis};

use super::{
    AttentionExample, Computed, ExampleMsg, ExampleProblem, Quantity, WeightedValues, WorkedExample,
};
use crate::attention::{Normaliser, Positions, Spec, Stage, log_sum_exp, rotate};
use crate::words::{Message, messages};

/// One change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Value i of weighted values becomes this.
    Value(usize, f64),
    /// Count i becomes this (not negative).
    Count(usize, f64),
    /// One person goes from one number to another.
    MovePerson {
        /// From this column.
        from: usize,
        /// To this column.
        to: usize,
    },
    /// The weight of item i becomes this (0 to 1): its score alone moves, the others shrink or grow in proportion.
    Weight(usize, f64),
    /// q[row, column] becomes this.
    Query(usize, usize, f64),
    /// k[row, column] becomes this.
    Key(usize, usize, f64),
    /// v[row, column] becomes this.
    ValueCell(usize, usize, f64),
    /// Another word asks.
    Focus(usize),
    /// All weights equal (equal counts; for attention a zero query).
    EqualWeights,
}

messages! {
    /// Why a change cannot be made.
    pub enum EditMsg {
        NothingThere,
        NobodyToMove,
        PeopleAreWhole,
        WeightOutOfRange,
        NeverOne,
        NeverZero,
        OthersHaveNone,
        QueryIsZero,
        ScaleIsZero,
        KeyIsHidden,
        NotSoftmax,
        TemperatureIsInfinite,
        BeyondCap { cap: f64 },
        BiasStays,
        OneQueryOnly,
        Refused { why: ExampleMsg },
    }
}

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub struct EditProblem(EditMsg);

impl EditProblem {
    /// Why, to be said.
    #[must_use]
    pub fn message(&self) -> impl Message + use<> {
        self.0.clone()
    }
}

impl From<EditMsg> for EditProblem {
    fn from(why: EditMsg) -> Self {
        Self(why)
    }
}

impl From<ExampleProblem> for EditProblem {
    fn from(problem: ExampleProblem) -> Self {
        Self(EditMsg::Refused { why: problem.what })
    }
}

impl WorkedExample {
    /// The example with one thing changed. What comes back can be computed.
    ///
    /// # Errors
    /// Where the change cannot be made: nothing there, a number that is not finite, a weight that softmax cannot reach, nobody to move.
    pub fn edited(&self, edit: &Edit) -> Result<Self, EditProblem> {
        let mut new = self.clone();
        match &mut new {
            Self::WeightedValues(weighted) => edit_weighted(weighted, edit, self.whole_counts())?,
            Self::Attention(attention) => edit_attention(attention, edit)?,
        }
        Computed::new(&new)?;
        Ok(new)
    }

    /// The same with another focus word; unchanged where there is no such word, or only one query.
    #[must_use]
    pub fn with_focus(&self, token: usize) -> Self {
        self.edited(&Edit::Focus(token))
            .unwrap_or_else(|_| self.clone())
    }

    /// Whether whole people hold the numbers; false for attention.
    #[must_use]
    pub fn whole_counts(&self) -> bool {
        match self {
            Self::WeightedValues(weighted) => {
                weighted.counts.iter().all(|count| count.fract() == 0.0)
            }
            Self::Attention(_) => false,
        }
    }
}

fn edit_weighted(
    weighted: &mut WeightedValues,
    edit: &Edit,
    whole: bool,
) -> Result<(), EditProblem> {
    let WeightedValues { values, counts, .. } = weighted;
    match *edit {
        Edit::Value(i, x) | Edit::ValueCell(i, 0, x) => set(values.get_mut(i), x),
        Edit::Count(i, x) => set(counts.get_mut(i), x),
        Edit::MovePerson { .. } if !whole => Err(EditMsg::PeopleAreWhole.into()),
        Edit::MovePerson { from, to } => {
            if to >= counts.len() {
                return Err(EditMsg::NothingThere.into());
            }
            let leaving = counts
                .get_mut(from)
                .filter(|count| **count >= 1.0)
                .ok_or(EditMsg::NobodyToMove)?;
            *leaving -= 1.0;
            counts
                .get_mut(to)
                .map(|count| *count += 1.0)
                .ok_or_else(|| EditMsg::NothingThere.into())
        }
        Edit::Weight(i, weight) => {
            let total: f64 = counts.iter().sum();
            let count = counts.get_mut(i).ok_or(EditMsg::NothingThere)?;
            let others = total - *count;
            match reachable(weight, others > 0.0)? {
                Reach::AsItIs => Ok(()),
                Reach::Below => set(Some(count), weight / (1.0 - weight) * others),
            }
        }
        Edit::EqualWeights => {
            let share = counts.iter().sum::<f64>() / counts.len().max(1) as f64;
            counts.fill(if whole { share.round().max(1.0) } else { share });
            Ok(())
        }
        Edit::Query(..) | Edit::Key(..) | Edit::ValueCell(..) | Edit::Focus(_) => {
            Err(EditMsg::NothingThere.into())
        }
    }
}

fn edit_attention(attention: &mut AttentionExample, edit: &Edit) -> Result<(), EditProblem> {
    match *edit {
        Edit::Query(row, column, x) => set(attention.q.get_mut((row, column)), x),
        Edit::Key(row, column, x) => set(attention.k.get_mut((row, column)), x),
        Edit::ValueCell(row, column, x) => set(attention.v.get_mut((row, column)), x),
        Edit::Value(i, x) if attention.v.ncols() == 1 => set(attention.v.get_mut((i, 0)), x),
        Edit::Focus(token) if token == attention.focus => Ok(()),
        Edit::Focus(_) if attention.q.nrows() == 1 => Err(EditMsg::OneQueryOnly.into()),
        Edit::Focus(token) if token < attention.tokens.len() => {
            attention.focus = token;
            Ok(())
        }
        Edit::Weight(i, weight) => move_key(attention, i, weight),
        Edit::EqualWeights => ask_nothing(attention),
        Edit::Value(..) | Edit::Count(..) | Edit::MovePerson { .. } | Edit::Focus(_) => {
            Err(EditMsg::NothingThere.into())
        }
    }
}

/// The query becomes zero, and with it every score; a bias may stand in the way of equal weights.
fn ask_nothing(attention: &mut AttentionExample) -> Result<(), EditProblem> {
    let row = attention.row();
    attention.q.row_mut(row).fill(0.0);
    let computed = Computed::new(&WorkedExample::Attention(attention.clone()))?;
    let weights = computed.seen(computed.weights());
    let alike = |pair: &[&f64]| matches!(pair, [a, b] if (**a - **b).abs() <= 1e-12);
    if weights.windows(2).all(alike) {
        Ok(())
    } else {
        Err(EditMsg::BiasStays.into())
    }
}

/// Moves key i along the query, so that its score alone moves and its weight becomes the one wished: with L the log-sum-exp of what softmax sees
/// of the others, softmax must see L + ln(w / (1 − w)) of it, and from there it goes back stage by stage: temperature, bias, cap, scale.
fn move_key(attention: &mut AttentionExample, i: usize, weight: f64) -> Result<(), EditProblem> {
    let computed = Computed::new(&WorkedExample::Attention(attention.clone()))?;
    let at = |stage| {
        let number = computed.number(Quantity::at_stage(stage, i));
        number.ok_or(EditMsg::NothingThere)
    };
    let (scaled, capped, biased) = (at(Stage::Scaled)?, at(Stage::Capped)?, at(Stage::Biased)?);
    if computed.visible().get(i) != Some(&true) {
        return Err(EditMsg::KeyIsHidden.into());
    }
    let Spec {
        normaliser,
        softcap,
        temperature,
        ..
    } = attention.spec;
    if normaliser != Normaliser::Softmax {
        return Err(EditMsg::NotSoftmax.into());
    }
    let mut others = computed.stage(Stage::Masked);
    others.remove(i);
    let others = log_sum_exp(&others);
    if let Reach::AsItIs = reachable(weight, others > f64::NEG_INFINITY)? {
        return Ok(());
    }
    if weight == 0.0 {
        return Err(EditMsg::NeverZero.into());
    }
    // What a key must be moved along is the query as that key sees it: rotary positions turn it.
    let query = seen_from(&computed, i);
    let (length_squared, scale) = (query.dot(&query), computed.scale());
    if length_squared == 0.0 {
        return Err(EditMsg::QueryIsZero.into());
    }
    if scale == 0.0 {
        return Err(EditMsg::ScaleIsZero.into());
    }
    if temperature.is_infinite() {
        return Err(EditMsg::TemperatureIsInfinite.into());
    }
    let seen = others + (weight / (1.0 - weight)).ln();
    let before_bias = seen * temperature - (biased - capped);
    let wished = match softcap {
        Some(cap) if before_bias.abs() >= cap => return Err(EditMsg::BeyondCap { cap }.into()),
        Some(cap) => cap * (before_bias / cap).atanh(),
        None => before_bias,
    };
    (attention.k.row_mut(i)).scaled_add((wished - scaled) / (scale * length_squared), &query);
    Ok(())
}

/// (d): the focus word's query, turned by as many places as it stands after key i where positions are rotary.
fn seen_from(computed: &Computed, i: usize) -> Array1<f64> {
    let Computed {
        inputs, spec, row, ..
    } = computed;
    let mut query = inputs.q.row(*row).to_owned();
    if let Positions::Rotary(rotary) = spec.positions {
        let place = spec
            .sight(inputs.q.nrows(), inputs.k.nrows(), 0)
            .place(*row);
        let distance = place.saturating_sub(isize::try_from(i).unwrap_or(isize::MAX));
        rotate(query.view_mut().insert_axis(Axis(0)), distance, rotary);
    }
    query
}

/// Whether a weight can be set by moving one score.
enum Reach {
    /// It is so already.
    AsItIs,
    /// 0 ≤ weight < 1, and others have the rest.
    Below,
}

fn reachable(weight: f64, others_have_weight: bool) -> Result<Reach, EditProblem> {
    match (weight, others_have_weight) {
        (w, _) if !(0.0..=1.0).contains(&w) => Err(EditMsg::WeightOutOfRange.into()),
        (1.0, false) => Ok(Reach::AsItIs),
        (1.0, true) => Err(EditMsg::NeverOne.into()),
        (_, false) => Err(EditMsg::OthersHaveNone.into()),
        (_, true) => Ok(Reach::Below),
    }
}

fn set(place: Option<&mut f64>, number: f64) -> Result<(), EditProblem> {
    place
        .map(|place| *place = number)
        .ok_or_else(|| EditMsg::NothingThere.into())
}
