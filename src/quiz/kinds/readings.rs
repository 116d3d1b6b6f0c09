//! Pick an offer; then every reading of every offer is computed, and those that come to the number in dispute are marked as alike.
//!
//! Nothing is right until a reading is chosen: that is the point, so the answer stands open, with full credit.

use std::ops::Range;

use super::{KindMsg, Place, QuestionKind, Wanted, empty_explanation, ids, ink_of};
use crate::quiz::fault::QuizFault;
use crate::quiz::file::{NumberName, Text};
use crate::quiz::fill::{Filling, come_out_alike};
use crate::quiz::form::{
    Answer, Form, FormChoice, Marking, ReadingCell, ReadingRow, ReadingsTable, Verdict,
};
use crate::quiz::reading::Reading;
use crate::quiz::template::{List, Setting, Template};
use crate::quiz::tree::Spanned;
use crate::worked_example::{Basis, Computed, Operation, Quantity};

/// What stands in a file: `Readings(disputed: WeightedAverage, offers: [Offer(…)])`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Readings", deny_unknown_fields)]
pub struct File {
    disputed: NumberName,
    offers: Vec<Spanned<OfferFile>>,
}

/// An offer as it stands in a file.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Offer", deny_unknown_fields)]
pub struct OfferFile {
    text: Text,
    #[serde(default)]
    id: Option<Text>,
    #[serde(default)]
    values: Vec<ReadsFile>,
    #[serde(default)]
    weighted_values: Vec<ReadsFile>,
}

/// A reading as it stands in a file.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Reads", deny_unknown_fields)]
pub struct ReadsFile {
    operation: Operation,
    #[serde(default)]
    with: Option<Text>,
    #[serde(default)]
    note: Option<Text>,
}

/// The number in dispute, and the offers.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The number in dispute.
    pub disputed: Quantity,
    /// The offers in the order of the file.
    pub offers: Vec<Offer>,
}

/// An offer with its readings.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Stable id within the question.
    pub id: String,
    /// Its words.
    pub text: Template,
    /// Its readings, of the values and of the weighted values.
    pub reads: Vec<Reads>,
}

/// A reading.
#[derive(Clone, Debug)]
pub struct Reads {
    /// What it computes.
    pub operation: Operation,
    /// Of what.
    pub basis: Basis,
    /// What follows the number ("with equal shares").
    pub with: Option<Template>,
    /// Who meant it.
    pub note: Option<Template>,
}

/// The columns of the table.
const COLUMNS: [(Basis, List); 2] = [
    (Basis::Values, List::Values),
    (Basis::WeightedValues, List::WeightedValues),
];

impl Readings {
    pub(super) fn read(file: &File, place: &Place, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.errors;
        reading.lacks_example(&place.range);
        let disputed = reading.quantity(&file.disputed).map(|n| n.quantity);
        if file.offers.len() < 2 {
            reading.tell(
                QuizFault::TooFewOffers {
                    offers: file.offers.len(),
                },
                place.range.clone(),
            );
        }
        let range_of = |offer: &Spanned<OfferFile>| -> Range<usize> {
            offer
                .value
                .id
                .as_ref()
                .map_or_else(|| offer.range.clone(), |id| id.range.clone())
        };
        let wanted: Vec<Wanted<'_>> = file
            .offers
            .iter()
            .map(|o| Wanted {
                id: o.value.id.as_ref(),
                claim: None,
                text: &o.value.text.value,
                range: range_of(o),
            })
            .collect();
        let ids = ids(&wanted, reading);
        let offers: Vec<Offer> = file
            .offers
            .iter()
            .zip(ids)
            .filter_map(|(offer, id)| read_offer(offer, id, reading))
            .collect();
        (reading.errors == before).then_some(Self {
            disputed: disputed?,
            offers,
        })
    }

    fn agrees(&self, reads: &Reads, example: &Computed) -> bool {
        come_out_alike(example, reads.quantity(), self.disputed)
    }

    fn row(&self, offer: &Offer, yours: bool, filling: &Filling<'_>) -> ReadingRow {
        let agrees = |reads: &Reads| {
            let example = filling.example;
            example.is_some_and(|example| self.agrees(reads, example))
        };
        let cell = |reads: &Reads| ReadingCell {
            number: filling.quantity(reads.quantity()).unwrap_or_default(),
            // What agrees is the same calculation, and has its colour.
            ink: ink_of(if agrees(reads) {
                self.disputed
            } else {
                reads.quantity()
            }),
            agrees: agrees(reads),
            with: reads
                .with
                .as_ref()
                .map(|t| filling.text(t))
                .unwrap_or_default(),
            note: reads
                .note
                .as_ref()
                .map(|t| filling.text(t))
                .unwrap_or_default(),
        };
        let column = |basis: Basis| {
            offer
                .reads
                .iter()
                .filter(|r| r.basis == basis)
                .map(cell)
                .collect()
        };
        ReadingRow {
            id: offer.id.clone(),
            offer: filling.document(&offer.text),
            yours,
            cells: COLUMNS.iter().map(|(basis, _)| column(*basis)).collect(),
        }
    }

    fn table(&self, picked: &str, filling: &Filling<'_>) -> ReadingsTable {
        let column = |(basis, list): &(Basis, List)| {
            let values = filling.list(*list, Setting::Prose);
            filling.words.say(&match basis {
                Basis::Values => KindMsg::OfTheValues { values },
                Basis::WeightedValues => KindMsg::OfTheWeightedValues { values },
            })
        };
        ReadingsTable {
            columns: COLUMNS.iter().map(column).collect(),
            rows: self
                .offers
                .iter()
                .map(|o| self.row(o, o.id == picked, filling))
                .collect(),
        }
    }
}

impl Reads {
    /// The number it comes to.
    #[must_use]
    pub fn quantity(&self) -> Quantity {
        Quantity::Operation(self.operation, self.basis, 0)
    }
}

fn read_offer(offer: &Spanned<OfferFile>, id: String, reading: &mut Reading<'_>) -> Option<Offer> {
    let OfferFile {
        text,
        id: _,
        values,
        weighted_values,
    } = &offer.value;
    let text = reading.template(text);
    let of = |file: &[ReadsFile], basis: Basis, reading: &mut Reading<'_>| -> Vec<Reads> {
        file.iter()
            .map(|r| Reads {
                operation: r.operation,
                basis,
                with: reading.optional(r.with.as_ref()),
                note: reading.optional(r.note.as_ref()),
            })
            .collect()
    };
    let mut reads = of(values, Basis::Values, reading);
    reads.extend(of(weighted_values, Basis::WeightedValues, reading));
    if reads.is_empty() {
        reading.tell(QuizFault::OfferWithoutReading, offer.range.clone());
    }
    Some(Offer {
        id,
        text: text?,
        reads,
    })
}

impl QuestionKind for Readings {
    fn form(&self, filling: &Filling<'_>) -> Form {
        let choice = |o: &Offer| FormChoice {
            id: o.id.clone(),
            text: filling.document(&o.text),
        };
        Form::Choices(self.offers.iter().map(choice).collect())
    }

    fn mark(&self, answer: &Answer, filling: &Filling<'_>) -> Marking {
        let picked = match answer {
            Answer::Choice(id) => self.offers.iter().find(|o| o.id == *id),
            _ => None,
        };
        let Some(picked) = picked else {
            return Marking::NotCounted(filling.words.say(&KindMsg::PickAChoice));
        };
        let mut explanation = empty_explanation();
        explanation.readings = Some(self.table(&picked.id, filling));
        explanation.released = picked
            .reads
            .first()
            .and_then(|r| filling.example?.number(r.quantity()));
        Marking::Marked {
            verdict: Verdict::Open,
            credit: 1.0,
            mistakes: Vec::new(),
            explanation: Box::new(explanation),
        }
    }

    fn right_answer(&self, _: &Filling<'_>) -> Option<String> {
        None
    }

    fn texts(&self) -> Vec<&Template> {
        let offers = self.offers.iter();
        offers
            .flat_map(|o| {
                std::iter::once(&o.text)
                    .chain(o.reads.iter().flat_map(|r| r.with.iter().chain(&r.note)))
            })
            .collect()
    }

    fn follows_numbers(&self, _: Option<Quantity>) -> bool {
        true
    }

    fn matters(&self, out: &mut String) {
        out.push_str(&format!("{:?}\n", self.disputed));
        for offer in &self.offers {
            let reads: Vec<Quantity> = offer.reads.iter().map(Reads::quantity).collect();
            out.push_str(&format!("{reads:?}\n"));
        }
    }

    fn agreeing(&self, example: &Computed) -> usize {
        self.offers
            .iter()
            .flat_map(|o| &o.reads)
            .filter(|r| self.agrees(r, example))
            .count()
    }
}
