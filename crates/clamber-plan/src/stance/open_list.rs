//! The open list: candidates by priority, with a penalty on classes that were tried often without progress.
//!
//! On hands and knees, a few meters of floor have thousands of stances at nearly the same cost-to-go. Without the penalty, a
//! search that needs another action there, such as to turn and climb down, would try them all first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::candidate::ActionType;
use super::tuning::FREE_REPETITIONS;
use crate::ordered_f32::OrderedF32;

/// Candidates that tend to succeed or fail alike: the action, and whether the character faces left.
pub(super) type CandidateClass = (ActionType, bool);

type Heap = BinaryHeap<(Reverse<OrderedF32>, Reverse<usize>)>;

/// Indices of candidates, in each class by priority and then in order of insertion.
#[derive(Default)]
pub(super) struct OpenList {
    classes: BTreeMap<CandidateClass, Heap>,
    /// Candidates of each class that were popped since the last progress.
    popped: BTreeMap<CandidateClass, u32>,
}

impl OpenList {
    pub fn push(&mut self, class: CandidateClass, priority: f32, candidate: usize) {
        self.classes.entry(class).or_default().push((Reverse(OrderedF32(priority)), Reverse(candidate)));
    }

    /// Removes the best candidate and returns it with its priority. `repetition_penalty` is in meters.
    pub fn pop(&mut self, repetition_penalty: f32) -> Option<(f32, usize)> {
        let penalized = |(class, heap): (&CandidateClass, &Heap)| {
            let &(Reverse(OrderedF32(priority)), Reverse(candidate)) = heap.peek()?;
            let popped = self.popped.get(class).copied().unwrap_or(0);
            let penalty = repetition_penalty * popped.saturating_sub(FREE_REPETITIONS) as f32;
            Some((OrderedF32(priority + penalty), candidate, *class))
        };
        let (_, _, class) = self.classes.iter().filter_map(penalized).min()?;
        *self.popped.entry(class).or_default() += 1;
        let (Reverse(OrderedF32(priority)), Reverse(candidate)) = self.classes.get_mut(&class)?.pop()?;
        Some((priority, candidate))
    }

    /// Removes the penalties of all classes, after progress.
    pub fn reset_repetitions(&mut self) {
        self.popped.clear();
    }

    /// Removes all candidates and keeps the penalties.
    pub fn clear(&mut self) {
        self.classes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::EdgeId;

    const PENALTY: f32 = 0.16;

    #[test]
    fn pops_by_priority_and_equals_in_order_of_insertion() {
        let mut open = OpenList::default();
        let (one, other) = ((ActionType::Edge(EdgeId::new(1)), false), (ActionType::Edge(EdgeId::new(0)), true));
        for (candidate, (class, priority)) in
            [(one, 2.0), (other, 1.0), (one, 1.0), (other, 3.0)].into_iter().enumerate()
        {
            open.push(class, priority, candidate);
        }
        let order: Vec<_> = std::iter::from_fn(|| open.pop(PENALTY)).collect();
        assert_eq!(order, [(1.0, 1), (1.0, 2), (2.0, 0), (3.0, 3)]);
    }

    #[test]
    fn a_class_that_is_tried_often_without_progress_yields_to_another() {
        const MANY: usize = 1000;
        let turn_of_the_other = |makes_progress: bool| {
            let mut open = OpenList::default();
            open.push((ActionType::Turn, false), 5.0, MANY);
            for candidate in 0..MANY {
                open.push((ActionType::Edge(EdgeId::new(0)), false), 1.0, candidate);
            }
            (0..=MANY).position(|_| {
                if makes_progress {
                    open.reset_repetitions();
                }
                open.pop(PENALTY).is_some_and(|(_, candidate)| candidate == MANY)
            })
        };
        assert!(turn_of_the_other(false).is_some_and(|turn| (10..200).contains(&turn)));
        assert_eq!(turn_of_the_other(true), Some(MANY));
    }
}
