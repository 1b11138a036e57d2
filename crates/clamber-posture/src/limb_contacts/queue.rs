//! The queue of samples and of parts of their tree, the best first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;

/// Samples and nodes of their tree, in the order of their ratio.
#[derive(Default)]
pub(super) struct SampleQueue {
    heap: BinaryHeap<Entry>,
    /// What is known about each sample; entries of the heap are small.
    states: Vec<SampleState>,
}

/// What is known about a sample or several.
#[derive(Clone, Copy, Debug)]
pub(super) enum SampleState {
    /// All samples below a node of the tree. The surfaces near it are those of a frontier.
    Subtree { node: u32, frontier: [u32; 2] },
    /// A sample of the database near the surfaces of a frontier.
    Near { index: u32, frontier: [u32; 2] },
    /// A sample on a hold. `index` is `None` beyond the database.
    Touching { number: u32, index: Option<u32>, hold: HoldId, point: Vec3 },
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The extended force transmission ratio, or an upper bound of it.
    ratio: f32,
    /// The force transmission ratio, or an upper bound of it, which decides between equal ratios.
    transmission: f32,
    is_bound: bool,
    number: u32,
    state: u32,
}

impl SampleQueue {
    pub fn clear(&mut self) {
        self.heap.clear();
        self.states.clear();
    }

    /// Queues a sample with its extended and its plain force transmission ratio, or a node with upper bounds of those of its samples.
    #[inline]
    pub fn push(&mut self, [ratio, transmission]: [f32; 2], state: SampleState) {
        let (is_bound, number) = match state {
            SampleState::Touching { number, .. } => (false, number),
            _ => (true, 0),
        };
        self.heap.push(Entry { ratio, transmission, is_bound, number, state: self.states.len() as u32 });
        self.states.push(state);
    }

    /// Returns the best sample or node.
    #[inline]
    pub fn pop(&mut self) -> Option<([f32; 2], SampleState)> {
        self.heap.pop().map(|entry| ([entry.ratio, entry.transmission], self.states[entry.state as usize]))
    }
}

impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equals, bounds come first: what they bound may be equal too, and its number smaller.
        let by_ratio = self.ratio.total_cmp(&other.ratio).then(self.transmission.total_cmp(&other.transmission));
        by_ratio.then(self.is_bound.cmp(&other.is_bound)).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}
