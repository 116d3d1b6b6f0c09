//! The wedges: the learner's own at the beam, and the computed ones below it, each in its lane.

use super::super::place::{Area, LABEL_PT, Label, fine_step};
use super::super::said::{FigureMsg as M, in_words};
use super::super::{Align, Axis, Handle, Mark, Moment, Place, Target};
use super::{Beam, Numbers};
use crate::text::Ink;

impl Beam<'_> {
    /// The learner's wedge before the answer: where she set it, or parked at the end of the beam with an invitation.
    pub(super) fn guess_wedge(&mut self) {
        let guess = self.input.guess.wedge;
        let value = self.scale.clamp(guess.unwrap_or(self.scale.domain.0));
        let x = self.scale.at(value);
        let top = self.pivot[1] + self.sizes.beam + 1.0;
        let ink = if guess.is_some() {
            Ink::Text
        } else {
            Ink::Quiet
        };
        self.wedge([x, top], Ink::Card, ink);
        let said = guess.map_or_else(
            || self.words.say(&M::PlaceTheWedge),
            |at| self.words.say(&M::YourGuess { at }),
        );
        let label = if guess.is_some() {
            self.label(said, ink).strong()
        } else {
            self.label(said, ink)
        };
        self.beside([x, top], &[label], true, None);
        let [wide, high] = self.sizes.wedge;
        self.handles.push(Handle {
            id: "guess".to_owned(),
            name: self.words.say(&M::GuessHandle),
            said: guess.map_or_else(|| self.words.say(&M::NotSet), |at| self.words.number(at)),
            min: [x - wide / 2.0 - 5.0, top - 3.0],
            size: [wide + 10.0, high + 8.0],
            value,
            range: self.scale.domain,
            step: fine_step(self.scale.domain),
            axis: Axis::X,
            per_unit: self.scale.per_point(),
            stops: Vec::new(),
            grip: None,
            target: Target::GuessWedge,
        });
    }

    /// The wedge at the learner's number, after the answer.
    pub(super) fn released_wedge(&mut self) {
        let Some(at) = self.input.released else {
            return;
        };
        let place = [self.pivot[0], self.pivot[1] + self.sizes.beam + 1.0];
        self.wedge(place, Ink::Card, Ink::Text);
        let on_scale = self.scale.holds(at);
        let said = self.words.say(&if on_scale {
            M::YourAnswer { at }
        } else {
            M::YourAnswerOff { at }
        });
        let number = self.words.number(at);
        let short = match (on_scale, at > self.scale.domain.1) {
            (true, _) => number,
            (false, true) => format!("{number} →"),
            (false, false) => format!("← {number}"),
        };
        let labels = [said, short].map(|text| self.label(text, Ink::Text).strong());
        // On the side where the beam rises there is room.
        let lowest = self.number_lane() - 7.0;
        self.beside(place, &labels, self.tilt.0 <= 0.0, Some(lowest));
    }

    /// The filled wedge and the hollow ones, each in its lane, then their leaders.
    pub(super) fn computed_wedges(&mut self) {
        let Numbers {
            weighted_average,
            plain_mean,
            mean_of_all,
            ..
        } = *self.numbers;
        let n = in_words(self.example.values.len(), self.words);
        let top = self.number_lane() + self.sizes.number_lane + self.sizes.caption;
        let (average_x, mean_x) = (self.scale.at(weighted_average), self.scale.at(plain_mean));
        let label = |text: String, ink| self.label(text, ink).strong();
        let strong = |message: &M, ink| label(self.words.say(message), ink);
        let average = [
            strong(
                &M::WeightedAverageIs {
                    at: weighted_average,
                },
                Ink::WeightedAverage,
            ),
            label(self.words.number(weighted_average), Ink::WeightedAverage),
        ];
        let mean = [
            strong(&M::PlainMeanOfThe { n, at: plain_mean }, Ink::PlainMean),
            strong(&M::PlainMeanIs { at: plain_mean }, Ink::PlainMean),
            label(self.words.number(plain_mean), Ink::PlainMean),
        ];
        let total: f64 = self.example.counts.iter().sum();
        let all = strong(
            &M::PlainMeanOfAll {
                n: in_words(total.round().max(0.0) as usize, self.words),
                at: mean_of_all,
            },
            Ink::PlainMean,
        );
        let all = [all, label(self.words.number(mean_of_all), Ink::PlainMean)];

        let left = mean_x < average_x;
        self.wedge([average_x, top], Ink::WeightedAverage, Ink::WeightedAverage);
        self.beside([average_x, top], &average, left, None);
        let mut lane = top + self.sizes.lane;
        if self.input.written_out {
            self.hollow_wedge([average_x, lane]);
            self.beside([average_x, lane], &all, left, None);
            lane += self.sizes.lane;
        }
        self.hollow_wedge([mean_x, lane]);
        self.beside([mean_x, lane], &mean, !left, None);
        let under = |beam: &Self, x: f32| {
            beam.under_beam(x)
                + if beam.input.released.is_some() && (x - beam.pivot[0]).abs() < 10.0 {
                    beam.sizes.wedge[1] + 3.0
                } else {
                    2.0
                }
        };
        let from = under(self, average_x);
        self.canvas
            .leader(average_x, from, top, Ink::WeightedAverage, false);
        let from = under(self, mean_x);
        self.canvas.leader(mean_x, from, lane, Ink::PlainMean, true);
    }

    /// A wedge with its tip at the place.
    fn wedge(&mut self, place: Place, fill: Ink, line: Ink) {
        self.triangle(place, fill, line, false);
    }

    /// The hollow wedge of the plain mean: dashed, as its leader is.
    fn hollow_wedge(&mut self, place: Place) {
        self.triangle(place, Ink::Card, Ink::PlainMean, true);
    }

    fn triangle(&mut self, [x, y]: Place, fill: Ink, line: Ink, dashed: bool) {
        let [wide, high] = self.sizes.wedge;
        let points = vec![
            [x, y],
            [x + wide / 2.0, y + high],
            [x - wide / 2.0, y + high],
        ];
        self.canvas.mark(Mark::Polygon {
            points,
            fill: Some(fill),
            stroke: Some((line, 1.75)),
            dashed,
        });
        self.canvas.keep_free(Area::new(
            [x - wide / 2.0 - 1.0, y],
            [wide + 2.0, high + 2.0],
        ));
    }

    /// A label beside a wedge: the longest that fits, on the preferred side if it can; else lower, where `lower` is the lowest baseline.
    fn beside(&mut self, [x, y]: Place, labels: &[Label], right: bool, lower: Option<f32>) {
        let base = y + self.sizes.wedge[1] - 1.0;
        // A wedge that can be moved is outlined when it has the focus.
        let clear = if self.input.moment == Moment::Before {
            12.0
        } else {
            6.0
        };
        let away = self.sizes.wedge[0] / 2.0 + clear;
        let sides = |base: f32| {
            let sides = [
                ([x + away, base], Align::Left),
                ([x - away, base], Align::Right),
            ];
            if right { sides } else { [sides[1], sides[0]] }
        };
        let mut places = sides(base).to_vec();
        places.extend(lower.into_iter().flat_map(sides));
        // Said in full in the smallest size rather than in short in a larger one.
        let labels: Vec<Label> = (labels.iter().cloned())
            .flat_map(|label| [label.clone(), label.sized(LABEL_PT)])
            .collect();
        if self.canvas.write_any(&labels, |_| places.clone()).is_none()
            && let (Some(lower), Some(label)) = (lower, labels.last())
        {
            let x = self.canvas.clamped(x, label.width());
            self.canvas.write(label, &[([x, lower], Align::Centre)]);
        }
    }
}
