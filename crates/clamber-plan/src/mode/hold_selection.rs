//! Finds the holds that an edge takes (the existence conditions of thesis 5.3).

use std::f32::consts::TAU;
use std::sync::Arc;

use clamber_model::character::{Capsule, REFERENCE_BODY_SIZE, Side};
use clamber_model::id::{EffectorId, GroupId};
use clamber_model::kinematics::forward;
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::mode_table::HoldToTake;
use clamber_model::world::{Hold, HoldShape, MeshInterior, UP};
use clamber_model::{Configuration, Contact};

use crate::cost_to_go_guide::Guide;
use crate::local_planner::LocalPlanner;
use crate::max_contact_distances::Reach;

/// Most holds tried for one step or transition.
pub(crate) const MAX_HOLDS: usize = 4;
/// Points sampled on a hold that is a surface.
const SURFACE_POINTS: usize = 6;
/// Surfaces tried for one place.
const SURFACES_PER_PLACE: usize = 3;
/// Least cosine between the normals of two holds, and greatest distance from each other's planes in body sizes, that are parts of one surface.
const SAME_NORMAL: f32 = 0.98;
const SAME_LEVEL: f32 = 0.03 / REFERENCE_BODY_SIZE;
/// How far to a side of a place a contact may be, in body sizes.
const MAX_ASIDE: f32 = 0.15 / REFERENCE_BODY_SIZE;
/// How far an effector may overlap obstacles on a hold, in body sizes, and how many points are tried on one.
const OBSTRUCTION: f32 = 0.002 / REFERENCE_BODY_SIZE;
const OBSTRUCTED_TRIES: usize = 3;
/// How far around what is in the middle of a limb a surface goes on, how much it may rise or fall there, and how thick the probe is that
/// looks for it, in body sizes.
const WIDTH: f32 = 0.07 / REFERENCE_BODY_SIZE;
const WIDTH_DEPTH: f32 = 0.05 / REFERENCE_BODY_SIZE;
const WIDTH_PROBE: f32 = 0.005 / REFERENCE_BODY_SIZE;
/// In how many directions that is looked for, in how many at least it is so, and how often the point moves away from an edge.
const WIDTH_DIRECTIONS: usize = 8;
const LEAST_WIDTH_DIRECTIONS: usize = 3;
const WIDTH_TRIES: usize = 2;
/// Contacts of an effector that are nearer to each other count as one, in body sizes.
const SAME_PLACE: f32 = 0.04 / REFERENCE_BODY_SIZE;
/// Cosine of the angle between the directions that the body and a surface face, above which the body has its back to the surface.
const BACK_TO_SURFACE: f32 = 0.5;
/// Cosine of the angle between the normal of a surface and the direction to the body below which the body is behind the surface. Over an
/// edge it is a little.
const BEHIND_SURFACE: f32 = -0.45;
/// Distance by which a limb may cross the middle of the body, in body sizes (0.1 mm for the shipped figure).
const SIDE_TOLERANCE: f32 = 1e-4 / REFERENCE_BODY_SIZE;

/// The range in which holds are searched.
#[derive(Clone, Copy)]
pub(crate) enum SearchRange<'r> {
    /// Around the first joint of the limb: a multiple of the limb's reach.
    Limb(f32),
    /// Around the contacts: as far as a body with these limbs reaches, however it moves.
    Body(&'r Reach),
    /// Around given places of effectors, up to a distance in meters, as far as a body with these limbs reaches. Scattered holds may be on
    /// one surface and in any direction.
    Places {
        reach: &'r Reach,
        places: &'r [(EffectorId, Vec3)],
        within: f32,
        is_scattered: bool,
        /// Whether effectors stay off edges: the ends of limbs that may come from any side do not fit right beside them.
        stays_off_edges: bool,
    },
}

/// What the holds of one take have to satisfy.
struct HoldQuery<'a> {
    take: &'a HoldToTake,
    stance: &'a [Contact],
    range: SearchRange<'a>,
    guide: &'a dyn Guide,
    /// Heights that limit a hold from below and above.
    heights: [Option<f32>; 2],
    /// A point of the median plane of the body, the direction to its right, and the one that it faces.
    middle: Vec3,
    right: Vec3,
    heading: Vec3,
}

/// The part of the search for one effector.
struct EffectorQuery {
    effector: EffectorId,
    /// The first joint of its limb.
    root: Vec3,
    /// The sphere that is searched.
    center: Vec3,
    radius: f32,
    /// Direction to the effector's side of the body; zero in the middle.
    outward: Vec3,
    /// The distance to the goal of the rearmost sibling in contact.
    rear: f32,
}

impl LocalPlanner {
    /// The contacts that satisfy a take, nearest to the goal first. Does not check whether the limb gets there.
    pub fn candidates(
        &mut self,
        take: &HoldToTake,
        configuration: &Configuration,
        stance: &[Contact],
        left: Option<&Contact>,
        range: SearchRange,
        guide: &dyn Guide,
    ) -> Vec<Contact> {
        forward(&self.problem.character, configuration, &mut self.projection.link_frames);
        let frames = &self.projection.link_frames;
        let heights = [&take.above_landmark, &take.below_landmark]
            .map(|landmark| landmark.as_ref().map(|landmark| UP.dot(self.anatomy.landmark_position(landmark, frames))));
        let (middle, right) = (self.anatomy.trunk_position(frames), self.anatomy.right_direction(frames));
        let heading = self.anatomy.heading_direction(frames);
        let query = HoldQuery { take, stance, range, guide, heights, middle, right, heading };
        let mut candidates: Vec<(f32, Contact)> = Vec::new();
        for &group in &take.groups {
            for effector in self.free_effectors(&query, group) {
                match left {
                    Some(left) => candidates.push((0.0, Contact { effector: effector.effector, ..*left })),
                    None => self.push_candidates(&query, &effector, &mut candidates),
                }
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.into_iter().map(|(_, contact)| contact).collect()
    }

    /// The effectors of a group whose limbs have no contact.
    fn free_effectors(&self, query: &HoldQuery, group: GroupId) -> Vec<EffectorQuery> {
        let HoldQuery { stance, range, guide, right, .. } = *query;
        let character = &self.problem.character;
        let siblings = self.of_group(group, stance).map(|contact| guide.cost_to_go(contact));
        let rear = siblings.fold(f32::NEG_INFINITY, f32::max);
        let free = |&effector: &EffectorId| {
            let limb = character.effectors[effector].limb?;
            // A limb reaches one place at a time: its heel and its ball do not take holds of their own.
            if stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(limb)) {
                return None;
            }
            let first = character.limbs[limb].links[0];
            let root = self.projection.link_frames.world_from_link[first].translation;
            let (center, radius) = match (range, stance.first()) {
                (SearchRange::Limb(share), _) => (root, share * character.subtree_reach(first)),
                (SearchRange::Body(reach), Some(held)) => {
                    (held.point, reach.max_hold_distance(held.effector, effector))
                }
                (SearchRange::Body(_) | SearchRange::Places { .. }, None) => (root, character.subtree_reach(first)),
                (SearchRange::Places { reach, .. }, Some(held)) => {
                    (held.point, reach.max_hold_distance(held.effector, effector))
                }
            };
            let outward = match character.limbs[limb].side {
                Side::Left => -right,
                Side::Middle => Vec3::ZERO,
                Side::Right => right,
            };
            Some(EffectorQuery { effector, root, center, radius, outward, rear })
        };
        self.table.effector_groups[group].effectors.iter().filter_map(free).collect()
    }

    /// Appends the contacts of one effector, each with its distance to the goal.
    fn push_candidates(&mut self, query: &HoldQuery, effector: &EffectorQuery, candidates: &mut Vec<(f32, Contact)>) {
        if let SearchRange::Places { places, .. } = query.range {
            let own = places.iter().filter(|(owner, _)| *owner == effector.effector);
            own.for_each(|(_, place)| self.push_nearest(query, effector, *place, candidates));
            return;
        }
        let world = &*Arc::clone(&self.problem.world);
        let mut near = Vec::new();
        world.holds_near(effector.center, effector.radius, &mut near);
        for &hold in &near {
            let Hold { normal, hold_type, .. } = world.holds[hold];
            if !query.take.types.contains(&hold_type) || self.problem.forbids_hold(hold) {
                continue;
            }
            let points = if world.holds[hold].has_extent() { SURFACE_POINTS } else { 1 };
            for index in 0..points {
                let point = self.sample_point(&world.holds[hold], effector.center, effector.radius, index);
                let contact = Contact { effector: effector.effector, hold, point, normal };
                let distance = query.guide.cost_to_go(&contact);
                if self.satisfies(query, effector, &contact, distance) && distance.is_finite() {
                    candidates.push((distance, contact));
                }
            }
        }
    }

    /// Appends the points of the holds around a place that are nearest to it.
    fn push_nearest(
        &self,
        query: &HoldQuery,
        effector: &EffectorQuery,
        place: Vec3,
        candidates: &mut Vec<(f32, Contact)>,
    ) {
        let SearchRange::Places { within, is_scattered, stays_off_edges, .. } = query.range else { return };
        let world = &self.problem.world;
        let mut near = Vec::new();
        world.holds_near(place, within, &mut near);
        let mut points: Vec<(f32, Contact)> = Vec::new();
        for &hold in &near {
            let Hold { normal, hold_type, .. } = world.holds[hold];
            if !query.take.types.contains(&hold_type) || self.problem.forbids_hold(hold) {
                continue;
            }
            let point = match is_scattered {
                true => self.free_point(effector.effector, &world.holds[hold], place),
                false => Some(world.holds[hold].nearest_point(place)),
            };
            let point = match stays_off_edges || query.take.must_be_wide || self.is_mid_limb(effector.effector) {
                true => point.and_then(|point| self.wide_point(&world.holds[hold], point)),
                false => point,
            };
            let Some(point) = point else { continue };
            let toward_body = (query.middle - point).normalize_or_zero();
            if stays_off_edges && toward_body.dot(normal) < BEHIND_SURFACE {
                continue;
            }
            let offset = point - place;
            if !is_scattered && (offset - UP * UP.dot(offset)).length() > MAX_ASIDE * self.settings.size {
                continue;
            }
            points.push((point.distance(place), Contact { effector: effector.effector, hold, point, normal }));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.hold.cmp(&b.1.hold)));
        let mut surfaces: Vec<Contact> = Vec::new();
        for (_, contact) in points {
            // The nearest point of a surface will do, which may consist of many holds.
            let is_in_plane = |other: &Contact| {
                !is_scattered
                    && other.normal.dot(contact.normal) > SAME_NORMAL
                    && other.normal.dot(contact.point - other.point).abs() < SAME_LEVEL * self.settings.size
            };
            if surfaces.len() == SURFACES_PER_PLACE || surfaces.iter().any(is_in_plane) {
                continue;
            }
            surfaces.push(contact);
            let is_known = candidates.iter().any(|(_, known)| {
                known.effector == contact.effector
                    && known.point.distance(contact.point) < SAME_PLACE * self.settings.size
            });
            let distance = query.guide.cost_to_go(&contact);
            if !is_known && distance.is_finite() && self.satisfies(query, effector, &contact, distance) {
                candidates.push((distance, contact));
            }
        }
    }

    /// The point of a hold nearest to a place where there is room for an effector: not right beside the wall that a ledge is on.
    fn free_point(&self, effector: EffectorId, hold: &Hold, place: Vec3) -> Option<Vec3> {
        let world = &self.problem.world;
        let radius = self.problem.character.effectors[effector].radius;
        let tolerance = OBSTRUCTION * self.settings.size;
        let mut point = hold.nearest_point(place);
        for _ in 0..OBSTRUCTED_TRIES {
            let center = point + hold.normal * radius;
            let sphere = Capsule { a: center, b: center, radius };
            let overlap = -world.capsule_distance(&sphere, tolerance, MeshInterior::Solid).distance;
            if overlap <= tolerance {
                return Some(point);
            }
            let away = world.distance_field.estimate_gradient(center);
            let along = (away - hold.normal * hold.normal.dot(away)).try_normalize()?;
            point = hold.nearest_point(point + along * (overlap + tolerance));
        }
        None
    }

    /// A point of a hold near another where the surface goes on around it: what is in the middle of a limb, as a knee, does not rest on a rung
    /// or right on an edge, and neither does a hand that presses the body up.
    fn wide_point(&self, hold: &Hold, near: Vec3) -> Option<Vec3> {
        let width = WIDTH * self.settings.size;
        let across = hold.normal.any_orthonormal_vector();
        let directions: [Vec3; WIDTH_DIRECTIONS] = std::array::from_fn(|number| {
            rotation_about(hold.normal, number as f32 * TAU / WIDTH_DIRECTIONS as f32) * (across * width)
        });
        let mut point = near;
        for _ in 0..WIDTH_TRIES {
            let goes_on = |direction: &&Vec3| self.is_surface_at(point + **direction, hold.normal);
            let supported: Vec<&Vec3> = directions.iter().filter(goes_on).collect();
            if supported.len() == WIDTH_DIRECTIONS {
                return Some(point);
            }
            if supported.len() < LEAST_WIDTH_DIRECTIONS {
                return None;
            }
            let inward = supported.into_iter().sum::<Vec3>().try_normalize()?;
            point = hold.nearest_point(point + inward * width);
        }
        Some(point)
    }

    /// Whether a surface that faces along a normal is near a point, in front of it or behind.
    pub fn is_surface_at(&self, point: Vec3, normal: Vec3) -> bool {
        let [depth, radius] = [WIDTH_DEPTH, WIDTH_PROBE].map(|length| length * self.settings.size);
        let probe = Capsule { a: point + normal * depth, b: point - normal * depth, radius };
        self.problem.world.capsule_distance(&probe, 0.0, MeshInterior::Solid).distance < 0.0
    }

    /// Whether a contact satisfies the take and is within reach.
    fn satisfies(&self, query: &HoldQuery, effector: &EffectorQuery, contact: &Contact, distance: f32) -> bool {
        let HoldQuery { take, stance, range, heights, middle, .. } = *query;
        let character = &self.problem.character;
        let point = contact.point;
        let height = UP.dot(point);
        let is_apart = take.min_separations.iter().all(|apart| {
            let mut others = self.of_group(apart.from_group, stance);
            others.all(|held| (held.point - point).length() > apart.by)
        });
        let is_close = take.max_separations.iter().all(|close| {
            let mut held = self.of_group(close.to_group, stance);
            held.any(|held| (held.point - point).length() <= close.by)
        });
        // Without a sibling in contact, any hold is nearer.
        let is_nearer = !take.must_pass_siblings || effector.rear == f32::NEG_INFINITY || distance < effector.rear;
        let is_faced = !take.must_be_faced || contact.normal.dot(query.heading) < BACK_TO_SURFACE;
        let is_above = heights[0].is_none_or(|least| height > least);
        let is_below = heights[1].is_none_or(|most| height < most);
        let is_in_reach = match range {
            SearchRange::Limb(_) => (contact.effector_center(character) - effector.root).length() < effector.radius,
            SearchRange::Body(reach) | SearchRange::Places { reach, .. } => reach.allows(character, stance, contact),
        };
        // Limbs do not cross. In the plane every point is in the middle.
        let is_on_its_side = matches!(range, SearchRange::Places { .. })
            || effector.outward.dot(point - middle) > -SIDE_TOLERANCE * self.settings.size;
        is_apart && is_close && is_nearer && is_faced && is_above && is_below && is_in_reach && is_on_its_side
    }

    /// A point of a hold; on a surface, a sample of the region within reach (thesis 6.2.2).
    fn sample_point(&mut self, hold: &Hold, root: Vec3, reach: f32, index: usize) -> Vec3 {
        match hold.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => {
                let nearest = hold.nearest_point(root);
                let along = (b - a).normalize_or_zero();
                let half = (reach * reach - (nearest - root).length_squared()).max(0.0).sqrt();
                let t = (index as f32 + self.random.uniform()) / SURFACE_POINTS as f32;
                hold.nearest_point(nearest + along * (half * (2.0 * t - 1.0)))
            }
            HoldShape::Triangle(_) => {
                let sample = hold.point_at(self.random.uniform(), self.random.uniform());
                // Most points of a large triangle are out of reach: those are drawn nearer.
                let offset = sample - root;
                let share = self.random.uniform();
                if offset.length() > reach {
                    hold.nearest_point(root + offset * (reach * share / offset.length()))
                } else {
                    sample
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance_to_goal_map::DistanceMap;
    use crate::local_planner::testing::with_local_planner;
    use crate::resumable_search::run_to_end;
    use crate::settings::OccupancyRule;
    use clamber_model::Problem;
    use clamber_model::id::{GroupId, LimbId};
    use clamber_model::mode_table::{MaxSeparation, MinSeparation};
    use clamber_model::world::HoldType::{self, Hybrid, LoadBearing, Pendent};
    use clamber_model::world::{DEFAULT_FRICTION, Grid};
    use clamber_testing::{figure_on_ground, figure_without_feet, hold, landmark, on_ground, standing};

    const HANDS: GroupId = GroupId::new(0);
    const FEET: GroupId = GroupId::new(1);

    /// Holds every 0.15 m on the ground, of which ankles below the hips reach three; two on a wall, one of them below the hip; and
    /// a bar above the head.
    fn problem() -> Problem {
        let ground = (-4..=4).map(|i| hold(&format!("ground {i}"), [0.15 * i as f32, 0.0], Vec3::Y, LoadBearing));
        let others = [
            hold("high on the wall", [0.5, 1.6], Vec3::NEG_X, Hybrid),
            hold("low on the wall", [0.2, 0.75], Vec3::NEG_X, Hybrid),
            hold("bar", [-0.1, 1.9], Vec3::NEG_Y, Pendent),
        ];
        figure_on_ground(figure_without_feet(), ground.chain(others).collect())
    }

    fn take(group: GroupId, types: &[HoldType]) -> HoldToTake {
        HoldToTake {
            groups: vec![group],
            together: false,
            types: types.to_vec(),
            must_pass_siblings: false,
            must_be_faced: false,
            must_be_wide: false,
            min_separations: Vec::new(),
            max_separations: Vec::new(),
            above_landmark: None,
            below_landmark: None,
            held_before_retracing_by: None,
        }
    }

    /// A contact of an effector on a hold.
    fn on(problem: &Problem, effector: &str, name: &str) -> Contact {
        let hold = problem.world.holds.position(|hold| hold.name == name).unwrap();
        let Hold { normal, .. } = problem.world.holds[hold];
        let point = problem.world.holds[hold].nearest_point(Vec3::ZERO);
        Contact { effector: problem.character.find_effector(effector).unwrap(), hold, point, normal }
    }

    fn candidates(problem: &Problem, take: &HoldToTake, stance: &[Contact], left: Option<&Contact>) -> Vec<Contact> {
        let world = &problem.world;
        let grid = Grid::covering(world.min, world.max, 0.1, 1_000_000);
        let at = |x: f32| Vec3::new(x, 1.0, 0.0);
        let guide = run_to_end(DistanceMap::new(world, grid, OccupancyRule::MajorityInside, at(0.0), at(3.0)));
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
    fn a_body_with_its_back_to_a_wall_does_not_take_a_hold_there_that_must_be_faced() {
        let mut problem = problem();
        let high = take(HANDS, &[Hybrid]);
        let faced = HoldToTake { must_be_faced: true, ..high.clone() };
        let count = |problem: &Problem, take: &HoldToTake| candidates(problem, take, &[], None).len();
        assert!(count(&problem, &high) > 0);
        assert_eq!(count(&problem, &faced), count(&problem, &high));
        let world = Arc::get_mut(&mut problem.world).expect("the only owner");
        world.holds.iter_mut().for_each(|hold| hold.normal.x = -hold.normal.x);
        assert!(count(&problem, &high) > 0);
        assert_eq!(count(&problem, &faced), 0);
    }

    #[test]
    fn candidates_have_a_wanted_type_and_are_sorted_by_distance_to_the_goal() {
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
    fn only_free_effectors_of_the_groups_are_candidates() {
        let problem = problem();
        let both = HoldToTake { groups: vec![HANDS, FEET], ..take(HANDS, &[LoadBearing, Pendent]) };
        let stance = [on(&problem, "left_hand", "bar"), on(&problem, "right_foot", "ground 0")];
        let found = words(&problem, &candidates(&problem, &both, &stance, None));
        assert!(found.iter().all(|word| word.starts_with("right_hand") || word.starts_with("left_foot")), "{found:?}");
        assert_eq!(found.len(), 4, "{found:?}");
        // All effectors have contacts.
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "right_foot", "ground 1")];
        assert_eq!(candidates(&problem, &take(FEET, &[LoadBearing]), &stance, None), []);
    }

    #[test]
    fn nearer_means_nearer_to_the_goal_than_the_siblings() {
        let problem = problem();
        let nearer = HoldToTake { must_pass_siblings: true, ..take(FEET, &[LoadBearing]) };
        let stance = [on(&problem, "left_foot", "ground 0")];
        assert_eq!(words(&problem, &candidates(&problem, &nearer, &stance, None)), ["right_foot on ground 1"]);
        // Contacts of other groups do not matter, and without a sibling in contact any hold is nearer.
        let stance = [on(&problem, "left_hand", "high on the wall")];
        assert_eq!(candidates(&problem, &nearer, &stance, None).len(), 6);
        assert_eq!(candidates(&problem, &nearer, &[], None).len(), 6);
    }

    #[test]
    fn apart_means_farther_from_the_holds_of_a_group() {
        let problem = problem();
        let apart = |group: GroupId, by: f32| HoldToTake {
            min_separations: vec![MinSeparation { from_group: group, by }],
            ..take(FEET, &[LoadBearing])
        };
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "left_hand", "low on the wall")];
        let found = |group, by| words(&problem, &candidates(&problem, &apart(group, by), &stance, None));
        assert_eq!(found(FEET, 0.0), ["right_foot on ground 1", "right_foot on ground -1"]);
        assert_eq!(found(FEET, 0.14), ["right_foot on ground 1", "right_foot on ground -1"]);
        assert_eq!(found(FEET, 0.16), [""; 0]);
        // The hand is 0.752 m from ground 1, 0.776 m from ground 0 and 0.828 m from ground -1.
        assert_eq!(found(HANDS, 0.77), ["right_foot on ground 0", "right_foot on ground -1"]);
    }

    #[test]
    fn close_means_within_a_distance_of_a_hold_of_a_group() {
        let problem = problem();
        let close = |group: GroupId, by: f32| HoldToTake {
            max_separations: vec![MaxSeparation { to_group: group, by }],
            ..take(FEET, &[LoadBearing])
        };
        let stance = [on(&problem, "left_foot", "ground 0"), on(&problem, "left_hand", "low on the wall")];
        let found =
            |stance: &[Contact], group, by| words(&problem, &candidates(&problem, &close(group, by), stance, None));
        assert_eq!(found(&stance, FEET, 0.14), ["right_foot on ground 0"]);
        // Distances as in the test above. Nothing is close to a group without contacts.
        assert_eq!(found(&stance, HANDS, 0.77), ["right_foot on ground 1"]);
        assert_eq!(found(&stance[..1], HANDS, 9.0), [""; 0]);
    }

    #[test]
    fn marks_of_the_body_limit_the_height() {
        let problem = problem();
        let marked = |above: Option<&str>, below: Option<&str>| {
            let [above_landmark, below_landmark] =
                [above, below].map(|name| name.map(|name| landmark(&problem.character, name)));
            let take = HoldToTake { above_landmark, below_landmark, ..take(HANDS, &[Hybrid, Pendent]) };
            words(&problem, &candidates(&problem, &take, &[on(&problem, "left_hand", "bar")], None))
        };
        let (high, low, bar) = ("right_hand on high on the wall", "right_hand on low on the wall", "right_hand on bar");
        assert_eq!(marked(Some("head"), None), [high, bar]);
        assert_eq!(marked(Some("hip"), None), [high, bar]);
        assert_eq!(marked(None, Some("hip")), [low]);
        assert_eq!(marked(None, Some("head")), [low]);
    }

    #[test]
    fn a_released_contact_is_the_only_candidate() {
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
            let (name, friction) = ("ground".to_owned(), DEFAULT_FRICTION);
            let ground = Hold { name, hold_type: LoadBearing, normal: Vec3::Y, shape, friction };
            let problem = on_ground(vec![ground.clone()]);
            let character = &problem.character;
            let found = candidates(&problem, &take(FEET, &[LoadBearing]), &[], None);
            // Of the six points of each foot, some may be out of reach or on the other foot's side.
            assert!((2..=12).contains(&found.len()), "{shape:?}: {}", found.len());
            for contact in &found {
                let side = if contact.effector == character.find_effector("left_foot").unwrap() { -1.0 } else { 1.0 };
                assert!(side * contact.point.z > -1e-3, "{shape:?}: {contact:?}");
            }
            let hip = standing(character, 0.0).root.translation;
            for contact in &found {
                assert!(
                    (ground.nearest_point(contact.point) - contact.point).length() < 1e-5,
                    "{shape:?}: {contact:?}"
                );
                let reach = character.subtree_reach(character.limbs[LimbId::new(2)].links[0]);
                assert!((contact.effector_center(character) - hip).length() < reach, "{shape:?}: {contact:?}");
            }
            // The points differ.
            let spread = found.iter().map(|contact| (contact.point - found[0].point).length()).fold(0.0, f32::max);
            assert!(spread > 0.05, "{shape:?}: {spread}");
        }
    }
}
