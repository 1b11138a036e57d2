//! What is to be tried, in line: the best first, but what is of a kind that was tried often and led no nearer comes later.
//!
//! On hands and knees a few metres of floor have thousands of stances, all of them about as near to the goal. Without this, a
//! search that has to go another way from there, such as to turn and climb down, would look at them all first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::GREED;
use crate::hold_graph::Metres;

/// What attempts have in common that fare alike: which edge or last step it is, and which side of the character is shown.
pub(super) type Kind = (usize, bool);

type Heap = BinaryHeap<(Reverse<Metres>, Reverse<usize>)>;

/// Indices of attempts, each kind by priority and then in the order in which they were put in line.
#[derive(Default)]
pub(super) struct Line {
    kinds: BTreeMap<Kind, Heap>,
    /// How often each kind was tried since anything led nearer to the goal.
    tried: BTreeMap<Kind, u32>,
}

impl Line {
    pub fn push(&mut self, kind: Kind, priority: f32, attempt: usize) {
        self.kinds.entry(kind).or_default().push((Reverse(Metres(priority)), Reverse(attempt)));
    }

    /// The next attempt with its priority.
    pub fn pop(&mut self) -> Option<(f32, usize)> {
        // So often is not often yet; beyond that, how much later each time, in metres of effort.
        const FREE: u32 = 40;
        const LATER: f32 = 0.02 * GREED;
        let turn = |(kind, heap): (&Kind, &Heap)| {
            let &(Reverse(Metres(priority)), Reverse(attempt)) = heap.peek()?;
            let tried = self.tried.get(kind).copied().unwrap_or(0);
            Some((Metres(priority + LATER * tried.saturating_sub(FREE) as f32), attempt, *kind))
        };
        let (_, _, kind) = self.kinds.iter().filter_map(turn).min()?;
        *self.tried.entry(kind).or_default() += 1;
        let (Reverse(Metres(priority)), Reverse(attempt)) = self.kinds.get_mut(&kind)?.pop()?;
        Some((priority, attempt))
    }

    /// Every kind is as good as another again.
    pub fn forget_tried(&mut self) {
        self.tried.clear();
    }

    /// Takes everything out of the line; what was tried is still known.
    pub fn clear(&mut self) {
        self.kinds.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_and_of_equals_the_one_that_waited_longer() {
        let mut line = Line::default();
        let (one, other) = ((1, false), (0, true));
        for (attempt, (kind, priority)) in [(one, 2.0), (other, 1.0), (one, 1.0), (other, 3.0)].into_iter().enumerate()
        {
            line.push(kind, priority, attempt);
        }
        let order: Vec<_> = std::iter::from_fn(|| line.pop()).collect();
        assert_eq!(order, [(1.0, 1), (1.0, 2), (2.0, 0), (3.0, 3)]);
    }

    #[test]
    fn what_is_tried_often_lets_another_kind_pass() {
        const MANY: usize = 1000;
        let turn_of_the_other = |forgets: bool| {
            let mut line = Line::default();
            line.push((1, false), 5.0, MANY);
            for attempt in 0..MANY {
                line.push((0, false), 1.0, attempt);
            }
            (0..=MANY).position(|_| {
                if forgets {
                    line.forget_tried();
                }
                line.pop().is_some_and(|(_, attempt)| attempt == MANY)
            })
        };
        assert!(turn_of_the_other(false).is_some_and(|turn| (10..200).contains(&turn)));
        assert_eq!(turn_of_the_other(true), Some(MANY), "each that led nearer makes its kind as good as any");
    }
}
