//! The columns of the beam: people as blocks, or bars as heavy as the weight, with their labels and handles.

use super::super::place::{Area, Label, Scale, fine_step, round_up};
use super::super::said::FigureMsg as M;
use super::super::{Align, Axis, Handle, Mark, Moment, Target};
use super::{Beam, rounded};
use crate::text::{Face, Ink};
use crate::worked_example::{Edit, WeightedValues};

/// One column: its item's blocks, standing on those of the items at (nearly) the same number.
pub(super) struct Column {
    pub item: usize,
    pub x: f32,
    /// How many hold the items below it.
    pub below: f64,
    pub count: f64,
}

/// The columns and the least distance between two that do not stand on one another, in points.
pub(super) fn columns(example: &WeightedValues, scale: Scale) -> (Vec<Column>, f32) {
    let mut columns: Vec<Column> = (example.values.iter().zip(&example.counts).enumerate())
        .map(|(item, (value, count))| Column {
            item,
            x: scale.at(*value),
            below: 0.0,
            count: *count,
        })
        .collect();
    columns.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut nearest = f32::INFINITY;
    let mut stack: Option<(f32, f64)> = None;
    for column in &mut columns {
        match stack {
            Some((x, height)) if column.x - x < 12.0 => {
                column.below = height;
                stack = Some((x, height + column.count));
            }
            Some((x, _)) => {
                nearest = nearest.min(column.x - x);
                stack = Some((column.x, column.count));
            }
            None => stack = Some((column.x, column.count)),
        }
    }
    (columns, nearest)
}

impl Beam<'_> {
    /// The columns with their labels and handles.
    pub(super) fn draw_columns(&mut self) {
        let gap = if self.unit > 7.0 { 2.0 } else { 1.0 };
        let total: f64 = self.example.counts.iter().sum();
        let each = format!("1/{}", self.words.number(total));
        let written_out =
            self.input.written_out && self.example.counts.iter().all(|c| c.fract() == 0.0);
        let in_blocks = written_out && self.blocks && self.unit >= 13.0 && self.block_width >= 30.0;
        let half = self.block_width / 2.0;
        let stops = self.stops();
        for i in 0..self.columns.len() {
            let Some(&Column {
                item,
                x,
                below,
                count,
            }) = self.columns.get(i)
            else {
                continue;
            };
            let (pieces, piece) = if self.blocks {
                (count as usize, 1.0)
            } else {
                (1, count)
            };
            let fill = (count > 0.0).then_some(Ink::Block);
            for k in 0..pieces {
                let bottom = self.pivot[1] - (below + k as f64) as f32 * self.unit - 1.0;
                let high = (piece as f32 * self.unit - gap).max(1.5);
                let [left, top] = [x - half, bottom - high];
                let corners = rounded(Area::new([left, top], [self.block_width, high]), 3.0);
                let points = corners.into_iter().map(|p| self.turned(p)).collect();
                self.canvas.mark(Mark::Polygon {
                    points,
                    fill,
                    stroke: None,
                    dashed: false,
                });
                let middle = self.turned([x, top + high / 2.0]);
                self.canvas.keep_free(Area::new(
                    [middle[0] - half, middle[1] - high / 2.0],
                    [self.block_width, high],
                ));
                if in_blocks {
                    let size = (0.62 * self.unit).clamp(11.0, 14.0);
                    let (text, face) = (each.clone(), Face::Sans);
                    self.canvas.mark(Mark::Text {
                        at: [middle[0], middle[1] + 0.36 * size],
                        align: Align::Centre,
                        text,
                        face,
                        size,
                        ink: Ink::Text,
                    });
                }
                if self.input.moment == Moment::After {
                    let area = Area::new(
                        [middle[0] - half, middle[1] - high / 2.0],
                        [self.block_width, high],
                    );
                    self.handles.push(if self.blocks {
                        self.person(item, k, area, &stops)
                    } else {
                        self.bar(item, area)
                    });
                }
            }
        }
        self.column_labels(written_out && !in_blocks, &each);
    }

    /// "5 people" over each stack; numbers alone where that is too wide for any of them.
    fn column_labels(&mut self, written_out: bool, each: &str) {
        let tops: Vec<(f32, f64, f32)> = {
            let mut tops: Vec<(f32, f64, f32)> = Vec::new();
            for c in &self.columns {
                let top = self.pivot[1] - (c.below + c.count) as f32 * self.unit;
                match tops.last_mut() {
                    Some(last) if c.below > 0.0 => *last = (c.x, c.below + c.count, top),
                    _ => tops.push((c.x, c.count, top)),
                }
            }
            tops
        };
        let long: Vec<Label> = tops
            .iter()
            .map(|(_, n, _)| self.label(self.holders(*n, written_out, each), Ink::Quiet))
            .collect();
        let fits = tops
            .windows(2)
            .zip(long.windows(2))
            .all(|(t, l)| match (t, l) {
                ([a, b], [la, lb]) => (b.0 - a.0) > (la.width() + lb.width()) / 2.0 + 6.0,
                _ => true,
            });
        for ((x, n, top), long) in tops.into_iter().zip(long) {
            let at = self.turned([x, top - 6.0]);
            let label = if fits {
                long
            } else {
                self.label(self.words.number(n), Ink::Quiet)
            };
            let x = self.canvas.clamped(at[0], label.width());
            self.canvas.write(&label, &[([x, at[1]], Align::Centre)]);
        }
    }

    /// How many hold a number, as said over its column.
    pub(super) fn holders(&self, n: f64, written_out: bool, each: &str) -> String {
        let (words, holders) = (self.words, &self.example.holders);
        let number = words.number(n);
        if written_out {
            format!("{number} × {each}")
        } else if holders.is_empty() {
            number
        } else if n == 1.0 && holders == "people" {
            words.say(&M::OnePerson)
        } else {
            words.say(&M::Holders {
                n: number,
                holders: holders.clone(),
            })
        }
    }

    /// Where a person can be dropped: the place of each item and the item, left to right.
    fn stops(&self) -> Vec<(f32, f64)> {
        let mut stops: Vec<(f32, f64)> =
            self.columns.iter().map(|c| (c.x, c.item as f64)).collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        stops
    }

    fn person(&self, item: usize, k: usize, area: Area, stops: &[(f32, f64)]) -> Handle {
        Handle {
            id: format!("person-{item}-{k}"),
            name: self.words.say(&M::PersonHandle {
                value: self.value(item),
            }),
            said: self.words.number(self.value(item)),
            min: area.min,
            size: area.size(),
            value: item as f64,
            range: (0.0, self.example.values.len().saturating_sub(1) as f64),
            step: 1.0,
            axis: Axis::X,
            per_unit: 0.0,
            stops: stops.to_vec(),
            grip: None,
            target: Target::Person { column: item },
        }
    }

    fn bar(&self, item: usize, area: Area) -> Handle {
        let count = self.example.counts.get(item).copied().unwrap_or_default();
        let most = self.example.counts.iter().copied().fold(0.0, f64::max);
        let whole = self.example.counts.iter().all(|c| c.fract() == 0.0);
        Handle {
            id: format!("count-{item}"),
            name: self.words.say(&M::CountHandle {
                value: self.value(item),
            }),
            said: self.words.number(count),
            min: [area.min[0], area.min[1] - 6.0],
            size: [area.size()[0], area.size()[1].max(6.0) + 6.0],
            value: count,
            range: (0.0, round_up(2.0 * most)),
            step: if whole { 1.0 } else { fine_step((0.0, most)) },
            axis: Axis::Y,
            per_unit: 1.0 / f64::from(self.unit.max(1e-6)),
            stops: Vec::new(),
            grip: Some([(area.min[0] + area.max[0]) / 2.0, area.min[1]]),
            target: Target::Edit(Edit::Count(item, count)),
        }
    }
}
