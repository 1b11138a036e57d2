//! The queue of samples and of parts of their tree, the best first.

use std::cmp::Reverse;
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

/// An entry of the heap: integers in the order of what they stand for, which compare quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// The extended force transmission ratio, or an upper bound of it, before the plain one, which decides between equals.
    ratios: u64,
    /// Of equals, bounds come first: what they bound may be equal too, and its number smaller. Then come smaller numbers.
    is_bound: bool,
    number: Reverse<u32>,
    state: u32,
}

/// A number in the order of [`f32::total_cmp`].
#[inline]
fn ordered(number: f32) -> u32 {
    let bits = number.to_bits();
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// The number that [`ordered`] stands for.
#[inline]
fn number(ordered: u32) -> f32 {
    f32::from_bits(ordered ^ if ordered >> 31 == 1 { 1 << 31 } else { u32::MAX })
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
        let ratios = u64::from(ordered(ratio)) << 32 | u64::from(ordered(transmission));
        self.heap.push(Entry { ratios, is_bound, number: Reverse(number), state: self.states.len() as u32 });
        self.states.push(state);
    }

    /// Returns the best sample or node.
    #[inline]
    pub fn pop(&mut self) -> Option<([f32; 2], SampleState)> {
        let Entry { ratios, state, .. } = self.heap.pop()?;
        Some(([(ratios >> 32) as u32, ratios as u32].map(number), self.states[state as usize]))
    }
}
