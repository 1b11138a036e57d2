//! Places that outlive a search, for the next search in the same world or in one that was edited.
//!
//! What is known of a place follows from the shapes of the modes, the distances to obstacles around it and the allowed holds around it.
//! After an edit, [`changed_bounds`] tells where obstacles or holds differ, and the places from which something there can be felt are
//! forgotten. The others are kept, with the same contents as if they were evaluated anew. Costs-to-go belong to a search and are not kept.
//! A search counts a place that it asks for as evaluated even if it was kept, so that a memory changes the time of a plan and nothing else.

use std::sync::{Arc, Mutex, PoisonError};

use clamber_model::Problem;

use super::mode_shape::ModeShape;
use super::places::Places;
use super::world_edits::changed_bounds;

/// What searches in space learn about a world, for later searches: [`Planner::guide_memory`](crate::Planner::guide_memory).
///
/// Clones share what they know. It keeps the last problem alive.
#[derive(Clone, Default)]
pub struct GuideMemory(Arc<Mutex<Option<Remembered>>>);

struct Remembered {
    problem: Arc<Problem>,
    places: Places,
}

impl GuideMemory {
    /// Takes the places that are the same in another problem; none if the bodies differ. Until places are put back, there are none.
    pub(super) fn take(&self, problem: &Problem, shapes: &[ModeShape]) -> Option<Places> {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        if remembered.places.shapes != shapes {
            return None;
        }
        remembered.places.forget_near(&problem.world.distance_field, &changed_bounds(&remembered.problem, problem)?);
        Some(remembered.places)
    }

    /// Remembers the places of a problem.
    pub(super) fn put(&self, problem: Arc<Problem>, places: Places) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Remembered { problem, places });
    }
}

impl std::fmt::Debug for GuideMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("GuideMemory")
    }
}

#[cfg(test)]
mod tests {
    use super::super::guide::{GuidePoint, TrunkGuide};
    use super::super::places::Places;
    use super::super::test_world::{TestBox, problem_with};
    use super::*;
    use crate::max_contact_distances::Reach;
    use crate::resumable_search::run_to_end;
    use clamber_model::math::Vec3;
    use clamber_model::rng::Stream;

    const LENGTH: f32 = 36.0;

    fn random_box(random: &mut Stream) -> TestBox {
        let mut within = |[low, high]: [f32; 2]| low + (high - low) * random.uniform();
        let size = Vec3::new(within([0.1, 0.8]), within([0.2, 1.8]), within([0.2, 2.0]));
        (Vec3::new(within([2.0, LENGTH - 2.0]), 0.5 * size.y, within([-2.0, 2.0])), size)
    }

    /// Adds, moves or removes a box.
    fn edit(boxes: &mut Vec<(usize, TestBox)>, number: usize, random: &mut Stream) {
        let at = random.below(boxes.len());
        match random.below(3) {
            0 => boxes.insert(at, (number, random_box(random))),
            1 => boxes[at].1 = random_box(random),
            _ if boxes.len() > 1 => drop(boxes.remove(at)),
            _ => {}
        }
    }

    /// Asserts that all that is known of places is what an evaluation from nothing gives.
    fn assert_as_from_nothing(places: &Places, problem: &Problem) {
        let mut anew = places.emptied();
        for id in places.known_places() {
            let expected = *anew.evaluate(problem, id);
            let place = places.stored(id);
            assert_eq!((place.status, place.factors), (expected.status, expected.factors), "{id:?}");
        }
    }

    #[test]
    fn after_random_edits_kept_places_are_as_from_nothing_and_most_are_kept() {
        let mut random = Stream::new(5, "edits");
        let mut boxes: Vec<_> = (1..6).map(|number| (number, random_box(&mut random))).collect();
        let memory = GuideMemory::default();
        let (mut asked, mut computed) = (0, 0);
        for number in 0..4 {
            let (problem, table) = problem_with(LENGTH, &boxes);
            let reach = Reach::new(&problem.character);
            let mode = table.find_mode("walking").unwrap();
            let ends = [1.0, LENGTH - 1.0].map(|x| GuidePoint { position: Vec3::new(x, 0.92, 0.0), mode });
            let plan = |memory: &GuideMemory| {
                let mut guide = TrunkGuide::new(Arc::clone(&problem), &table, &reach, memory);
                run_to_end(guide.set_goal(ends[0], &ends[1..], None));
                guide
            };
            let (guide, from_nothing) = (plan(&memory), plan(&GuideMemory::default()));
            assert_eq!(guide.cost_to_go_at(ends[0]), from_nothing.cost_to_go_at(ends[0]));
            assert_eq!(guide.evaluated_places(), from_nothing.evaluated_places());
            if number > 0 {
                (asked, computed) = (asked + guide.evaluated_places(), computed + guide.computed_places());
            }
            guide.remember(&memory);
            let places = memory.take(&problem, from_nothing.shapes()).unwrap();
            assert_as_from_nothing(&places, &problem);
            memory.put(problem, places);
            edit(&mut boxes, 100 + number, &mut random);
        }
        assert!(2 * computed < asked, "{computed} of {asked} places were evaluated again");
    }
}
