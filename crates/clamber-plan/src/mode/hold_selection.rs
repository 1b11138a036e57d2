//! Finds the holds that an edge wants to take (the existence conditions of thesis 5.3).

use std::sync::Arc;

use clamber_model::character::Side;
use clamber_model::kinematics::forward;
use clamber_model::math::Vec3;
use clamber_model::mode::Take;
use clamber_model::world::{Hold, HoldShape, UP};
use clamber_model::{Configuration, Contact};

use crate::guide::Guide;
use crate::local_planner::LocalPlanner;
use crate::reach::Reach;

/// How many points of a hold surface are looked at for one step.
const POINTS_OF_SURFACE: usize = 6;

/// How far away holds are looked for.
#[derive(Clone, Copy)]
pub(crate) enum SearchRange<'r> {
    /// From where the limb begins now: this many times what the limb reaches.
    Limb(f32),
    /// From what is held: as far as a body with these limbs reaches, wherever it moves.
    Body(&'r Reach),
}

impl LocalPlanner {
    /// The contacts that satisfy a take, the nearest to the goal first. Whether the limb's path to them is free is left to be
    /// tried.
    pub fn candidates(
        &mut self,
        take: &Take,
        configuration: &Configuration,
        stance: &[Contact],
        left: Option<&Contact>,
        within: SearchRange,
        guide: &dyn Guide,
    ) -> Vec<Contact> {
        let (character, world) = (&*Arc::clone(&self.problem.character), &*Arc::clone(&self.problem.world));
        forward(character, configuration, &mut self.projection.frames);
        let heights = [take.above, take.below]
            .map(|mark| mark.map(|mark| UP.dot(self.anatomy.mark(mark, &self.projection.frames))));
        let (middle, right) = (self.anatomy.hip(&self.projection.frames), self.anatomy.right(&self.projection.frames));
        let mut near = Vec::new();
        let mut candidates: Vec<(f32, Contact)> = Vec::new();
        for &group in &take.groups {
            let siblings = &Arc::clone(&self.table).groups[group].effectors;
            let of_group = |contact: &&Contact| siblings.contains(&contact.effector);
            let rear = stance.iter().filter(of_group).map(|contact| guide.cost_to_go(contact));
            let rear = rear.fold(f32::NEG_INFINITY, f32::max);
            for &effector in siblings {
                let Some(limb) = character.effectors[effector].limb else { continue };
                // A limb is bent to one place: a heel and a ball do not take holds of their own.
                if stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(limb)) {
                    continue;
                }
                let first = character.limbs[limb].links[0];
                let root = self.projection.frames.world_from_link[first].translation;
                let (around, reach) = match (within, stance.first()) {
                    (SearchRange::Limb(share), _) => (root, share * character.reach_from(first)),
                    (SearchRange::Body(reach), Some(held)) => {
                        (held.point, reach.max_hold_distance(held.effector, effector))
                    }
                    (SearchRange::Body(_), None) => (root, character.reach_from(first)),
                };
                let outwards = match character.limbs[limb].side {
                    Side::Left => -right,
                    Side::Middle => Vec3::ZERO,
                    Side::Right => right,
                };
                if let Some(left) = left {
                    candidates.push((0.0, Contact { effector, ..*left }));
                    continue;
                }
                world.holds_near(around, reach, &mut near);
                for &hold in &near {
                    let Hold { normal, hold_type, .. } = world.holds[hold];
                    if !take.types.contains(&hold_type) || self.problem.is_forbidden(hold) {
                        continue;
                    }
                    let points = match world.holds[hold].is_surface() {
                        false => 1,
                        true => POINTS_OF_SURFACE,
                    };
                    for index in 0..points {
                        let point = self.point_of(&world.holds[hold], around, reach, index);
                        let contact = Contact { effector, hold, point, normal };
                        let distance = guide.cost_to_go(&contact);
                        let height = UP.dot(point);
                        let is_apart = take.apart.iter().all(|apart| {
                            let group = &self.table.groups[apart.group].effectors;
                            let other = |held: &&Contact| group.contains(&held.effector);
                            stance.iter().filter(other).all(|held| (held.point - point).length() > apart.by)
                        });
                        let is_close = take.close.iter().all(|close| {
                            let mut held = self.of_group(close.group, stance);
                            held.any(|held| (held.point - point).length() <= close.by)
                        });
                        // Without a sibling in contact, any hold is nearer.
                        let is_nearer = !take.nearer || rear == f32::NEG_INFINITY || distance < rear;
                        let is_above = heights[0].is_none_or(|least| height > least);
                        let is_below = heights[1].is_none_or(|most| height < most);
                        let is_in_reach = match within {
                            SearchRange::Limb(_) => (contact.center(character) - root).length() < reach,
                            SearchRange::Body(reach) => reach.allows(character, stance, &contact),
                        };
                        // Limbs do not cross. In the plane nothing is beside the middle.
                        let is_on_its_side = outwards.dot(point - middle) > -1e-4;
                        let is_good =
                            is_apart && is_close && is_nearer && is_above && is_below && is_in_reach && is_on_its_side;
                        if is_good && distance.is_finite() {
                            candidates.push((distance, contact));
                        }
                    }
                }
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.into_iter().map(|(_, contact)| contact).collect()
    }

    /// A point of a hold; of a surface, one drawn from the part that is within reach (thesis 6.2.2).
    fn point_of(&mut self, hold: &Hold, root: Vec3, reach: f32, index: usize) -> Vec3 {
        match hold.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => {
                let nearest = hold.nearest(root);
                let along = (b - a).normalize_or_zero();
                let half = (reach * reach - (nearest - root).length_squared()).max(0.0).sqrt();
                let drawn = (index as f32 + self.random.unit()) / POINTS_OF_SURFACE as f32;
                hold.nearest(nearest + along * (half * (2.0 * drawn - 1.0)))
            }
            HoldShape::Triangle(_) => {
                let drawn = hold.at(self.random.unit(), self.random.unit());
                // Large triangles have most of their points out of reach: those are drawn in.
                let path = drawn - root;
                let share = self.random.unit();
                if path.length() > reach { hold.nearest(root + path * (reach * share / path.length())) } else { drawn }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance_map::DistanceMap;
    use crate::local_planner::testing::with_local_planner;
    use crate::settings::Occupancy;
    use clamber_model::Problem;
    use clamber_model::id::{GroupId, LimbId};
    use clamber_model::mode::{Apart, Close, Mark};
    use clamber_model::world::Grid;
    use clamber_model::world::HoldType::{self, Hybrid, LoadBearing, Pendent};
    use clamber_testing::{hold, on_ground, standing};

    const HANDS: GroupId = GroupId::new(0);
    const FEET: GroupId = GroupId::new(1);

    /// The ground has a hold every 0.15 m, of which feet below the hips reach three; there are two on a wall, one of them below the hip, and a bar above the head.
    fn problem() -> Problem {
        let ground = (-4..=4).map(|i| hold(&format!("ground {i}"), [0.15 * i as f32, 0.0], Vec3::Y, LoadBearing));
        let others = [
            hold("high on the wall", [0.5, 1.6], Vec3::NEG_X, Hybrid),
            hold("low on the wall", [0.2, 0.75], Vec3::NEG_X, Hybrid),
            hold("bar", [-0.1, 1.9], Vec3::NEG_Y, Pendent),
        ];
        on_ground(ground.chain(others).collect())
    }

    fn take(group: GroupId, types: &[HoldType]) -> Take {
        Take {
            groups: vec![group],
            types: types.to_vec(),
            nearer: false,
            apart: Vec::new(),
            close: Vec::new(),
            above: None,
            below: None,
            left_by: None,
        }
    }

    /// A contact of an effector on a hold.
    fn on(problem: &Problem, effector: &str, name: &str) -> Contact {
        let hold = problem.world.holds.position(|hold| hold.name == name).unwrap();
        let Hold { normal, .. } = problem.world.holds[hold];
        let point = problem.world.holds[hold].nearest(Vec3::ZERO);
        Contact { effector: problem.character.effector(effector).unwrap(), hold, point, normal }
    }

    fn candidates(problem: &Problem, take: &Take, stance: &[Contact], left: Option<&Contact>) -> Vec<Contact> {
        let world = &problem.world;
        let grid = Grid::covering(world.min, world.max, 0.1, 1_000_000);
        let at = |x: f32| Vec3::new(x, 1.0, 0.0);
        let guide = DistanceMap::new(world, grid, Occupancy::Area, at(0.0), at(3.0));
        let configuration = standing(&problem.character, 0.0);
        with_local_planner(problem, |local| {
            local.candidates(take, &configuration, stance, left, SearchRange::Limb(1.0), &guide)
        })
    }

    /// As words, such as "left_foot on ground 1".
    fn words(problem: &Problem, contacts: &[Contact]) -> Vec<String> {
        let Problem { character, world, .. } = problem;
        let word = |contact: &Contact| {
            format!("{} on {}", character.effectors[contact.effector].name, world.holds[contact.hold].name)
        };
        contacts.iter().map(word).collect()
    }

    #[test]
    fn holds_are_of_a_wanted_type_and_the_nearest_to_the_goal_comes_first() {
        let problem = problem();
        let stance = [on(&problem, "left_hand", "bar")];
        let free = |types: &[HoldType]| words(&problem, &candidates(&problem, &take(HANDS, types), &stance, None));
        assert_eq!(free(&[Hybrid]), ["right_hand on high on the wall", "right_hand on low on the wall"]);
        assert_eq!(free(&[Pendent]), ["right_hand on bar"]);
        assert_eq!(free(&[LoadBearing]), [""; 0]);
        assert_eq!(
            free(&[Pendent, Hybrid]),
            ["right_hand on high on the wall", "right_hand on low on the wall", "right_hand on bar"]
        );
    }

    #[test]
    fn only_free_effectors_of_the_groups_take_holds() {
        let problem = problem();
        let both = Take { groups: vec![HANDS, FEET], ..take(HANDS, &[LoadBearing, Pendent]) };
        let stance = [on(&problem, "left_hand", "bar"), on(&problem, "right_foot", "ground 0")];
        let found = words(&problem, &candidates(&problem, &both, &stance, None));
        assert!(found.iter().all(|word| word.starts_with("right_hand") || word.starts_with("left_foot")), "{found:?}");
        assert_eq!(found.len(), 4, "{found:?}");
        // Everything holds on already.
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "right_foot", "ground 1")];
        assert_eq!(candidates(&problem, &take(FEET, &[LoadBearing]), &stance, None), []);
    }

    #[test]
    fn nearer_is_nearer_to_the_goal_than_the_siblings() {
        let problem = problem();
        let nearer = Take { nearer: true, ..take(FEET, &[LoadBearing]) };
        let stance = [on(&problem, "left_foot", "ground 0")];
        assert_eq!(words(&problem, &candidates(&problem, &nearer, &stance, None)), ["right_foot on ground 1"]);
        // What other groups hold on to does not matter, and without a sibling in contact any hold will do.
        let stance = [on(&problem, "left_hand", "high on the wall")];
        assert_eq!(candidates(&problem, &nearer, &stance, None).len(), 6);
        assert_eq!(candidates(&problem, &nearer, &[], None).len(), 6);
    }

    #[test]
    fn apart_is_farther_than_that_from_what_a_group_holds() {
        let problem = problem();
        let apart = |group: GroupId, by: f32| Take { apart: vec![Apart { group, by }], ..take(FEET, &[LoadBearing]) };
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "left_hand", "low on the wall")];
        let found = |group, by| words(&problem, &candidates(&problem, &apart(group, by), &stance, None));
        assert_eq!(found(FEET, 0.0), ["right_foot on ground 1", "right_foot on ground -1"]);
        assert_eq!(found(FEET, 0.14), ["right_foot on ground 1", "right_foot on ground -1"]);
        assert_eq!(found(FEET, 0.16), [""; 0]);
        // The hand is 0.752 m from ground 1, 0.776 m from ground 0 and 0.828 m from ground -1.
        assert_eq!(found(HANDS, 0.77), ["right_foot on ground 0", "right_foot on ground -1"]);
    }

    #[test]
    fn close_is_no_farther_than_that_from_something_a_group_holds() {
        let problem = problem();
        let close = |group: GroupId, by: f32| Take { close: vec![Close { group, by }], ..take(FEET, &[LoadBearing]) };
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "left_hand", "low on the wall")];
        let found =
            |stance: &[Contact], group, by| words(&problem, &candidates(&problem, &close(group, by), stance, None));
        assert_eq!(found(&stance, FEET, 0.14), ["right_foot on ground 0"]);
        // As in the test above; where the group holds on to nothing, nothing is close to it.
        assert_eq!(found(&stance, HANDS, 0.77), ["right_foot on ground 1"]);
        assert_eq!(found(&stance[..1], HANDS, 9.0), [""; 0]);
    }

    #[test]
    fn marks_of_the_body_bound_the_height() {
        let problem = problem();
        let marked = |above, below| {
            let take = Take { above, below, ..take(HANDS, &[Hybrid, Pendent]) };
            words(&problem, &candidates(&problem, &take, &[on(&problem, "left_hand", "bar")], None))
        };
        let (high, low, bar) = ("right_hand on high on the wall", "right_hand on low on the wall", "right_hand on bar");
        assert_eq!(marked(Some(Mark::Head), None), [high, bar]);
        assert_eq!(marked(Some(Mark::Hip), None), [high, bar]);
        assert_eq!(marked(None, Some(Mark::Hip)), [low]);
        assert_eq!(marked(None, Some(Mark::Head)), [low]);
    }

    #[test]
    fn what_was_left_is_taken_whatever_else_is_there() {
        let problem = problem();
        let left = on(&problem, "left_foot", "ground 4");
        let stance = [on(&problem, "left_hand", "bar")];
        let found = candidates(&problem, &take(HANDS, &[LoadBearing]), &stance, Some(&left));
        assert_eq!(words(&problem, &found), ["right_hand on ground 4"]);
    }

    #[test]
    fn points_of_surfaces_lie_on_them_and_within_reach() {
        let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        let shapes = [
            HoldShape::Segment([corner(-3.5, 0.0), corner(3.5, 0.0)]),
            HoldShape::Segment([corner(0.1, 0.0), corner(0.3, 0.0)]),
            HoldShape::Triangle([corner(-3.5, -1.0), corner(3.5, -1.0), corner(0.0, 1.0)]),
            HoldShape::Triangle([corner(-0.1, 0.0), corner(0.2, 0.0), corner(0.1, 0.2)]),
        ];
        for shape in shapes {
            let ground = Hold { name: "ground".to_owned(), hold_type: LoadBearing, normal: Vec3::Y, shape };
            let problem = on_ground(vec![ground.clone()]);
            let character = &problem.character;
            let found = candidates(&problem, &take(FEET, &[LoadBearing]), &[], None);
            // Of the six points of each foot some may be out of reach, or on the other foot's side.
            assert!((2..=12).contains(&found.len()), "{shape:?}: {}", found.len());
            for contact in &found {
                let side = if contact.effector == character.effector("left_foot").unwrap() { -1.0 } else { 1.0 };
                assert!(side * contact.point.z > -1e-3, "{shape:?}: {contact:?}");
            }
            let hip = standing(character, 0.0).root.translation;
            for contact in &found {
                assert!((ground.nearest(contact.point) - contact.point).length() < 1e-5, "{shape:?}: {contact:?}");
                let reach = character.reach_from(character.limbs[LimbId::new(2)].links[0]);
                assert!((contact.center(character) - hip).length() < reach, "{shape:?}: {contact:?}");
            }
            // They are not one and the same.
            let spread = found.iter().map(|contact| (contact.point - found[0].point).length()).fold(0.0, f32::max);
            assert!(spread > 0.05, "{shape:?}: {spread}");
        }
    }
}
