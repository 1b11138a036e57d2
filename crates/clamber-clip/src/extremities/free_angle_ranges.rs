//! The angles at which a hand or a foot is free of collisions.

use clamber_model::character::{Capsule, Hinge};
use clamber_model::id::LinkId;
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::world::MeshInterior;
use clamber_model::{Character, World};

use super::character_with_extremities::ExtremityLinks;
use super::target_angles::AngleTarget;
use super::tuning::{ANGLE_GRID, EXACT_TOUCH, RANGE_BISECTIONS, RANGE_STEP, RANGE_STEPS, TOUCH};
use crate::body_units::BodyScale;

/// One link in the world that turns about z at its joint.
pub(crate) struct HingeClearance<'a> {
    world: &'a World,
    world_from_joint: Pose,
    capsules: &'a [Capsule],
    /// The shapes of the link that hangs on this one, at each of a few angles to which it may bend.
    carried: Vec<Vec<Capsule>>,
    /// The distance of the farthest point from the joint, in meters.
    reach: f32,
    /// Penetration that counts as touching, in meters.
    touch: f32,
    /// Penetration up to which an exact target is kept, in meters.
    exact_touch: f32,
}

impl<'a> HingeClearance<'a> {
    /// For the foot or the palm; the toes or fingers bend to the best of these angles.
    pub fn first(
        world: &'a World,
        character: &'a Character,
        scale: BodyScale,
        extremity: &ExtremityLinks,
        world_from_joint: Pose,
        carried_angles: &[f32],
    ) -> Self {
        let [first, second] = extremity.links;
        let carried = carried_angles.iter().map(|angle| {
            let turn = Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, *angle));
            let first_from_second = character.links[second].parent_from_joint * turn;
            let capsules = &character.capsules[character.links[second].capsules.clone()];
            capsules.iter().map(|capsule| placed(&first_from_second, capsule)).collect()
        });
        Self { carried: carried.collect(), ..Self::new(world, character, scale, first, world_from_joint) }
    }

    /// For the toes or the fingers, given the pose of the foot or the palm.
    pub fn second(
        world: &'a World,
        character: &'a Character,
        scale: BodyScale,
        extremity: &ExtremityLinks,
        world_from_first: Pose,
    ) -> Self {
        let link = extremity.links[1];
        let world_from_joint = world_from_first * character.links[link].parent_from_joint;
        Self::new(world, character, scale, link, world_from_joint)
    }

    fn new(world: &'a World, character: &'a Character, scale: BodyScale, link: LinkId, world_from_joint: Pose) -> Self {
        Self {
            world,
            world_from_joint,
            capsules: &character.capsules[character.links[link].capsules.clone()],
            carried: Vec::new(),
            reach: character.subtree_reach(link),
            touch: TOUCH * scale.length + world.contact_tolerance,
            exact_touch: EXACT_TOUCH * scale.length + world.contact_tolerance,
        }
    }

    /// Whether nothing is within reach.
    pub fn is_open(&self) -> bool {
        self.world.distance_field.lower_bound(self.world_from_joint.translation) > self.reach
    }

    /// Whether obstacles cannot affect the route here: nothing is within reach, or the target is exact and free.
    pub fn is_settled(&self, target: &AngleTarget, hinge: &Hinge) -> bool {
        let is_kept = |angle: f32| self.distance(angle) >= -self.exact_touch;
        self.is_open() || (target.is_exact && is_kept(target.angle.clamp(hinge.min, hinge.max)))
    }

    /// The penetration at an angle, in meters.
    pub fn depth(&self, angle: f32) -> f32 {
        (-self.touch - self.distance(angle)).max(0.0)
    }

    /// The free range around an angle of the route, or beside it; the angle itself if there is none.
    pub fn range_around(&self, angle: f32, target: &AngleTarget, hinge: &Hinge) -> [f32; 2] {
        let wanted = target.angle.clamp(hinge.min, hinge.max);
        let is_near = |other: f32| (other - angle).abs() <= 1.5 * ANGLE_GRID;
        if target.is_exact && is_near(wanted) && self.is_settled(target, hinge) {
            return [wanted; 2];
        }
        if self.is_open() {
            return [hinge.min, hinge.max];
        }
        let is_free = |angle: f32| self.distance(angle) >= -self.touch;
        let fallback = Some(target.fallback.clamp(hinge.min, hinge.max)).filter(|angle| is_near(*angle));
        let beside = [1.0, -1.0, 2.0, -2.0].map(|steps| (angle + 0.7 * steps * ANGLE_GRID).clamp(hinge.min, hinge.max));
        let mut candidates = [angle].into_iter().chain(fallback).chain(beside);
        match candidates.find(|angle| is_free(*angle)) {
            Some(free) => [
                end_of_range(free, -RANGE_STEP, hinge.min, &is_free),
                end_of_range(free, RANGE_STEP, hinge.max, &is_free),
            ],
            None => [angle; 2],
        }
    }

    /// The distance to all obstacles at an angle, in meters, no more than a touch; negative inside.
    fn distance(&self, angle: f32) -> f32 {
        let pose = self.world_from_joint * Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, angle));
        let of = |capsules: &[Capsule]| {
            capsules.iter().fold(self.touch, |least: f32, capsule| {
                let capsule = placed(&pose, capsule);
                if self.world.distance_field.proves_clearance(&capsule, self.touch) {
                    return least;
                }
                least.min(self.world.capsule_distance(&capsule, self.touch, MeshInterior::Solid).distance)
            })
        };
        let own = of(self.capsules);
        if own < -self.exact_touch || self.carried.is_empty() {
            return own;
        }
        // The carried link bends; it need not have more room than the link itself.
        let mut most = f32::NEG_INFINITY;
        for carried in &self.carried {
            most = most.max(of(carried));
            if most >= own {
                return own;
            }
        }
        most
    }
}

/// The last free angle from a free one toward a limit.
fn end_of_range(from: f32, step: f32, limit: f32, is_free: &impl Fn(f32) -> bool) -> f32 {
    let within = |angle: f32| if step < 0.0 { angle.max(limit) } else { angle.min(limit) };
    let mut free = from;
    for _ in 0..RANGE_STEPS {
        let next = within(free + step);
        if next == free {
            return free;
        }
        if !is_free(next) {
            let mut blocked = next;
            for _ in 0..RANGE_BISECTIONS {
                let middle = 0.5 * (free + blocked);
                *(if is_free(middle) { &mut free } else { &mut blocked }) = middle;
            }
            return free;
        }
        free = next;
    }
    free
}

fn placed(pose: &Pose, capsule: &Capsule) -> Capsule {
    Capsule { a: *pose * capsule.a, b: *pose * capsule.b, radius: capsule.radius }
}
