//! Which way bodies face: along their path, where they fit better, or what carries them.

use std::f32::consts::{FRAC_PI_4, TAU};

use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::world::UP;

use super::guide::{GuidePoint, TrunkGuide};
use super::mode_shape::{AXES, ModeShape, heading};
use super::shortest_paths::heading_cost;
use super::tuning;
use clamber_posture::anatomy::turn_between;

impl TrunkGuide {
    /// The horizontal direction that a body should face at a place: along the path, or where it fits better. If that is across the path, it
    /// faces the side that it faces already.
    pub fn heading(&self, at: GuidePoint, facing: Vec3) -> Option<Vec3> {
        if self.shape(at.mode).is_some_and(ModeShape::faces_surfaces) {
            return self.faced_heading(at);
        }
        if self.shape(at.mode).is_some_and(ModeShape::turns_with_surface) {
            return self.heading_on_surface(at, facing);
        }
        if let Some((goal, heading)) = self.goal_heading
            && (goal - at.position).length() < tuning::GOAL_HEADING_DISTANCE * self.body_size
        {
            return Some(heading);
        }
        if let Some((heading, _)) = self.heading_before_change(at) {
            return Some(heading);
        }
        let [from, ahead] = self.heading_segment(at)?;
        let offset = ahead - from;
        let direction = (offset - UP * UP.dot(offset)).try_normalize()?;
        // A body turns before a place where it has to.
        let factors_at = |position: Vec3| {
            let place = self.least(GuidePoint { position, ..at }, |cost, _| cost);
            place.map(|(id, _)| self.places.known(id).factors)
        };
        let here = factors_at(at.position)?;
        let there = factors_at(ahead).unwrap_or(here);
        let factors: [f32; AXES] = std::array::from_fn(|axis| here[axis].max(there[axis]));
        let along = atan2(-direction.z, direction.x);
        let cost = |axis: usize| factors[axis] * heading_cost(along - axis as f32 * FRAC_PI_4);
        let best = (0..AXES).min_by(|&a, &b| cost(a).total_cmp(&cost(b)))?;
        let axis = best as f32 * FRAC_PI_4;
        // Where the body fits along the path, it faces exactly along it.
        let turn = (along - axis + 0.25 * TAU).rem_euclid(0.5 * TAU) - 0.25 * TAU;
        if turn.abs() <= 0.5 * FRAC_PI_4 + 1e-3 {
            return Some(direction);
        }
        let wanted = rotation_about(UP, along - turn) * Vec3::X;
        let is_across = turn.abs() > 1.5 * FRAC_PI_4;
        Some(if is_across && wanted.dot(facing) < 0.0 { -wanted } else { wanted })
    }

    /// The ends of the part of a path along which the body faces at its beginning: as long as it looks ahead, and from the last change to a
    /// slower mode on, since bodies turn before they kneel down.
    fn heading_segment(&self, from: GuidePoint) -> Option<[Vec3; 2]> {
        let (mut begin, mut end) = (from, None);
        for point in self.path(from) {
            if self.slowness(point.mode) > self.slowness(begin.mode) {
                begin = point;
            }
            end = Some(point.position);
            let offset = point.position - begin.position;
            if (offset - UP * UP.dot(offset)).length() >= self.shape(begin.mode)?.heading_lookahead {
                break;
            }
        }
        Some([begin.position, end?])
    }

    /// The horizontal direction of a body that faces what carries it: that of the place, turned to the surfaces around its limbs.
    fn faced_heading(&self, at: GuidePoint) -> Option<Vec3> {
        let (id, _) = self.least(at, |cost, _| cost)?;
        let coarse = heading(usize::from(self.places.known(id).facing));
        let shape = &self.places.shapes[id.shape];
        let world = &self.problem.world;
        let (mut inward, mut near) = (Vec3::ZERO, Vec::new());
        for &effector in shape.carriers() {
            let place = shape.effector_place(at.position, coarse, UP, effector);
            world.holds_near(place, tuning::FACED_RANGE * self.body_size, &mut near);
            for &hold in &near {
                let normal = world.holds[hold].normal;
                let horizontal = normal - UP * UP.dot(normal);
                if horizontal.dot(coarse) < -tuning::FACED_COSINE {
                    inward -= horizontal;
                }
            }
        }
        let turn = turn_between(coarse, inward.try_normalize().unwrap_or(coarse));
        Some(rotation_about(UP, turn.clamp(-0.5 * FRAC_PI_4, 0.5 * FRAC_PI_4)) * coarse)
    }

    /// The heading of the next mode on the path in which the body faces what carries it, and how near that is, from 0 where a body begins to
    /// turn to 1: bodies turn before they climb, and before they get down on their hands to climb down.
    pub fn heading_before_change(&self, at: GuidePoint) -> Option<(Vec3, f32)> {
        let mut lookahead = tuning::TURN_LOOKAHEAD * self.body_size;
        for point in self.path(at) {
            let distance = (point.position - at.position).length();
            if distance > lookahead {
                return None;
            }
            let shape = self.shape(point.mode)?;
            if shape.faces_surfaces() {
                return Some((self.faced_heading(point)?, 1.0 - distance / lookahead));
            }
            lookahead = lookahead.max(shape.heading_lookahead);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::GuideMemory;
    use super::super::test_world::problem_with_ledges;
    use super::*;
    use crate::max_contact_distances::Reach;
    use crate::resumable_search::run_to_end;
    use clamber_model::id::ModeId;

    #[test]
    fn a_body_turns_around_above_an_edge_that_it_climbs_down_from() {
        let (problem, table) = problem_with_ledges();
        let reach = Reach::new(&problem.character);
        let mut guide = TrunkGuide::new(problem, &table, &reach, &GuideMemory::default());
        let mode = |name: &str| table.find_mode(name).unwrap();
        let point = |x: f32, y: f32| GuidePoint { position: Vec3::new(x, y, 0.0), mode: mode("walking") };
        // The top is behind 4 m, 2 m above the ground.
        let [start, goal] = [point(6.5, 2.92), point(1.0, 0.92)];
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let modes: Vec<ModeId> = guide.path(start).map(|point| point.mode).collect();
        for name in ["kneeling", "crawling", "mantling", "climbing"] {
            assert!(modes.contains(&mode(name)), "{name}");
        }
        // Its knees are not beyond the edge.
        let mut knees = guide.path(start).filter(|point| point.mode == mode("kneeling"));
        assert!(knees.all(|point| point.position.x > 3.9));
        assert!(guide.heading(start, Vec3::NEG_X).unwrap().dot(Vec3::NEG_X) > 0.9);
        let near = point(4.3, 2.92);
        assert!(guide.heading(near, Vec3::NEG_X).unwrap().dot(Vec3::X) > 0.9);
        let nearness = |x: f32| guide.heading_before_change(point(x, 2.92)).map_or(0.0, |(_, nearness)| nearness);
        assert!(nearness(4.1) > nearness(4.6) && nearness(4.6) > nearness(6.5));
    }
}
