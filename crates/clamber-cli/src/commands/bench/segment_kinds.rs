//! How many segments of each kind were passed in generated courses: it shows which kinds fail.

use std::collections::BTreeMap;

use clamber::model::Problem;
use clamber::plan::{Failure, PlanOutcome};
use serde::Serialize;

/// The segments of one kind, in all courses that are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindCount {
    pub passed: usize,
    /// Those passed and those at which a course ended. Segments after them were not tried.
    pub tried: usize,
}

/// The kinds of a course, and the segment at which it ended.
#[derive(Clone, Debug)]
pub struct TriedSegments {
    pub kinds: Vec<&'static str>,
    /// Counted from 1; `None` if the goal was reached.
    pub ended_at: Option<usize>,
}

impl TriedSegments {
    pub fn new(kinds: Vec<&'static str>, problem: &Problem, outcome: &PlanOutcome) -> Self {
        let ended_at = outcome.failure.as_ref().map(|failure| segment_of_failure(failure, problem, outcome));
        Self { ended_at: ended_at.map(|segment| segment.clamp(1, kinds.len())), kinds }
    }
}

/// Counts segments by kind.
pub fn count_by_kind<'a>(courses: impl IntoIterator<Item = &'a TriedSegments>) -> BTreeMap<&'static str, KindCount> {
    let mut counts: BTreeMap<&'static str, KindCount> = BTreeMap::new();
    for TriedSegments { kinds, ended_at } in courses {
        for (segment, kind) in (1..=ended_at.unwrap_or(kinds.len())).zip(kinds) {
            let count = counts.entry(kind).or_default();
            count.tried += 1;
            count.passed += usize::from(Some(segment) != *ended_at);
        }
    }
    counts
}

/// The segment near which a course ended: that of the obstacle nearest to the blocked place or, without one, to where the motion that came
/// nearest to the goal ends. It may be the segment before or after the one that is to blame.
fn segment_of_failure(failure: &Failure, problem: &Problem, outcome: &PlanOutcome) -> usize {
    let end = outcome.motion.frames.last().map_or(&problem.start.configuration, |frame| &frame.configuration);
    let place = match failure {
        Failure::Impasse(impasse) => impasse.blocked_position,
        _ => end.root.translation,
    };
    let nearest = problem.world.point_distance(place).obstacle;
    nearest.map_or(0, |obstacle| segment_number(&problem.world.obstacles[obstacle].name))
}

/// The number of the segment to which an obstacle belongs: 0 for the floor of the start, the largest number for that of the goal.
fn segment_number(obstacle: &str) -> usize {
    match obstacle.split(' ').next().and_then(|word| word.parse().ok()) {
        Some(number) => number,
        None if obstacle.starts_with("goal") => usize::MAX,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_before_the_end_are_passed_and_those_after_it_are_not_tried() {
        let kinds = vec!["beam", "ladder-up", "beam"];
        let solved = TriedSegments { kinds: kinds.clone(), ended_at: None };
        let unsolved = TriedSegments { kinds, ended_at: Some(2) };
        let counts = count_by_kind([&solved, &unsolved]);
        assert_eq!(counts["beam"], KindCount { passed: 3, tried: 3 });
        assert_eq!(counts["ladder-up"], KindCount { passed: 1, tried: 2 });
    }

    #[test]
    fn names_of_obstacles_begin_with_their_segment() {
        assert_eq!(segment_number("12 ladder-up rung 3"), 12);
        assert_eq!(segment_number("start floor"), 0);
        assert_eq!(segment_number("goal floor"), usize::MAX);
    }
}
