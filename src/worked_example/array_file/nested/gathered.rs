//! Nested lists gathered flat: the numbers in a row, a counter for each open list, and the shape that comes of it.

use ndarray::{ArrayD, IxDyn};

use super::super::MOST_AXES;
use super::super::fault::ArrayFault;
use super::super::reading::{Found, Reading};

/// Numbers out of nested lists, flat, and the lengths of the lists at each depth.
pub(super) struct Gathered {
    start: usize,
    pub numbers: Vec<f64>,
    truths: usize,
    /// The length of the first list at each depth.
    shape: Vec<Option<usize>>,
    /// The open lists: how many items so far, and where each began.
    open: Vec<(usize, usize)>,
    /// How deep the numbers are.
    depth: Option<usize>,
    /// Numbers and lists stand side by side.
    mixed: bool,
    usable: bool,
}

impl Gathered {
    pub fn new(start: usize) -> Self {
        Self {
            start,
            numbers: Vec::new(),
            truths: 0,
            shape: vec![None],
            open: vec![(0, start)],
            depth: None,
            mixed: false,
            usable: true,
        }
    }

    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Where the innermost open list begins.
    pub fn innermost(&self) -> usize {
        self.open.last().map_or(self.start, |(_, start)| *start)
    }

    /// A list opens; false where it is too deep, so that it is to be passed over.
    pub fn open(&mut self, at: usize) -> bool {
        if self.open.len() == MOST_AXES {
            self.spoil();
            return false;
        }
        self.mixed |= self.depth.is_some_and(|depth| depth <= self.open.len());
        self.open.push((0, at));
        if self.shape.len() < self.open.len() {
            self.shape.push(None);
        }
        true
    }

    /// The innermost list closes. What is wrong with its length, and where it began.
    pub fn close(&mut self) -> Option<(ArrayFault, usize)> {
        let (here, start) = self.open.pop()?;
        if let Some((count, _)) = self.open.last_mut() {
            *count += 1;
        }
        let first = self.shape.get_mut(self.open.len())?;
        let first = *first.get_or_insert(here);
        if first == here || !self.usable && here == 0 {
            return None;
        }
        self.usable = false;
        let row: Vec<String> = self.open.iter().map(|(n, _)| n.to_string()).collect();
        let row = row.join(".");
        Some((ArrayFault::Ragged { row, here, first }, start))
    }

    pub fn number(&mut self, number: f64) {
        self.mixed |= *self.depth.get_or_insert(self.open.len()) != self.open.len();
        self.numbers.push(number);
        if let Some((count, _)) = self.open.last_mut() {
            *count += 1;
        }
    }

    pub fn truth(&mut self, truth: bool) {
        self.truths += 1;
        self.number(f64::from(u8::from(truth)));
    }

    /// Something stood there that is no number: it counts as an item, and the array cannot be used.
    pub fn spoil(&mut self) {
        self.usable = false;
        if let Some((count, _)) = self.open.last_mut() {
            *count += 1;
        }
    }

    /// Gives the memory back: the array is not wanted any more.
    pub fn forget(&mut self) {
        self.usable = false;
        self.numbers = Vec::new();
    }

    pub fn into_found(self, end: usize, reading: &mut Reading<'_>) -> Option<Found> {
        let at = self.start..end;
        let mixed = self.mixed || self.depth.is_some_and(|depth| depth != self.shape.len());
        if mixed && self.usable {
            reading.tell(ArrayFault::Mixed, at);
            return None;
        }
        let shape: Vec<usize> = self.shape.iter().map(|n| n.unwrap_or(0)).collect();
        let truths = self.truths > 0 && self.truths == self.numbers.len();
        if !self.usable || self.truths > 0 && !truths {
            if self.usable {
                reading.tell(ArrayFault::Mixed, at);
            }
            return None;
        }
        let values = ArrayD::from_shape_vec(IxDyn(&shape), self.numbers).ok()?;
        Some(Found { values, truths, at })
    }
}
