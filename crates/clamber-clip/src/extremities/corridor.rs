//! In which range of angles a hand or a foot is inside nothing.

use clamber_model::character::{Capsule, Hinge};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::world::SolidDistance;
use clamber_model::{Character, World};

use super::aim::Aim;
use super::grow::Member;
use super::route::GRID;

/// Depths that pass for a touch, in metres: what rests on a face is inside it by a rounding.
const TOUCH: f32 = 0.002;

/// What holds on may be inside by this much before it gives way, in metres.
const FIRM_TOUCH: f32 = 0.006;

/// Angles are tried in steps of this size, and the end of a range is then halved so often.
const STEP: f32 = 0.12;
const HALVINGS: u32 = 5;

/// Steps to either side: a range needs to be no wider, since the curve stays near the aims.
const MOST_STEPS: i32 = 9;

/// One link that turns about z at a joint, in a world.
pub(crate) struct Corridor<'a> {
    world: &'a World,
    /// The joint in the world.
    joint: Pose,
    capsules: &'a [Capsule],
    /// What hangs on the link, at each of the few angles that it may give way to.
    carried: Vec<Vec<Capsule>>,
    /// The farthest that anything of it is from the joint.
    reach: f32,
}

impl<'a> Corridor<'a> {
    /// Of the foot or the palm; the toes or fingers may bend as they must.
    pub fn of_first(world: &'a World, whole: &'a Character, member: &Member, joint: Pose) -> Self {
        let [first, second] = member.links;
        let hinge = &whole.hinges[member.hinges[1]];
        let carried = [0.0, 0.5 * hinge.min, 0.5 * hinge.max].map(|angle| {
            let first_from_second =
                whole.links[second].parent_from_joint * Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, angle));
            let own = &whole.capsules[whole.links[second].capsules.clone()];
            own.iter().map(|capsule| placed(&first_from_second, capsule)).collect()
        });
        let capsules = &whole.capsules[whole.links[first].capsules.clone()];
        Self { world, joint, capsules, carried: carried.into(), reach: whole.reach_from(first) }
    }

    /// Of the toes or the fingers; `first` is where the foot or palm is.
    pub fn of_second(world: &'a World, whole: &'a Character, member: &Member, first: Pose) -> Self {
        let link = &whole.links[member.links[1]];
        let joint = first * link.parent_from_joint;
        let capsules = &whole.capsules[link.capsules.clone()];
        Self { world, joint, capsules, carried: Vec::new(), reach: whole.reach_from(member.links[1]) }
    }

    /// Whether it can be inside something at all.
    pub fn is_open(&self) -> bool {
        self.world.field.lower_bound(self.joint.translation) > self.reach
    }

    /// Whether obstacles have no say in its route: nothing is near, or it is firm and may be, and anything else costs more than
    /// being inside.
    pub fn is_settled(&self, aim: &Aim, hinge: &Hinge) -> bool {
        self.is_open() || (aim.is_firm && self.clearance(aim.angle.clamp(hinge.min, hinge.max)) >= -FIRM_TOUCH)
    }

    /// How deep the link is inside something at an angle, in metres.
    pub fn depth(&self, angle: f32) -> f32 {
        (-TOUCH - self.clearance(angle)).max(0.0)
    }

    /// The clear range around an angle of the route, or beside it; the angle itself where there is none.
    pub fn around(&self, angle: f32, aim: &Aim, hinge: &Hinge) -> [f32; 2] {
        let wanted = aim.angle.clamp(hinge.min, hinge.max);
        let is_near = |other: f32| (other - angle).abs() <= 1.5 * GRID;
        if aim.is_firm && is_near(wanted) && self.is_settled(aim, hinge) {
            return [wanted; 2];
        }
        if self.is_open() {
            return [hinge.min, hinge.max];
        }
        let is_clear = |angle: f32| self.clearance(angle) >= -TOUCH;
        let otherwise = Some(aim.else_angle.clamp(hinge.min, hinge.max)).filter(|angle| is_near(*angle));
        let beside = [1.0, -1.0, 2.0, -2.0].map(|steps| (angle + 0.7 * steps * GRID).clamp(hinge.min, hinge.max));
        let mut tries = [angle].into_iter().chain(otherwise).chain(beside);
        match tries.find(|angle| is_clear(*angle)) {
            Some(clear) => {
                [end_of_range(clear, -STEP, hinge.min, &is_clear), end_of_range(clear, STEP, hinge.max, &is_clear)]
            }
            None => [angle; 2],
        }
    }

    /// How far the link is from everything at an angle, up to what matters; negative is how deep it is inside.
    fn clearance(&self, angle: f32) -> f32 {
        let pose = self.joint * Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, angle));
        let of = |capsules: &[Capsule]| {
            capsules.iter().fold(TOUCH, |least: f32, capsule| {
                let capsule = placed(&pose, capsule);
                if self.world.field.clears(&capsule, TOUCH) {
                    return least;
                }
                least.min(self.world.capsule_distance(&capsule, TOUCH, SolidDistance::Inside).distance)
            })
        };
        let own = of(self.capsules);
        if own < -FIRM_TOUCH || self.carried.is_empty() {
            return own;
        }
        // What is carried gives way; more than the link itself has is not needed.
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

/// The last clear angle from one that is clear towards a limit.
fn end_of_range(from: f32, step: f32, limit: f32, is_clear: &impl Fn(f32) -> bool) -> f32 {
    let within = |angle: f32| if step < 0.0 { angle.max(limit) } else { angle.min(limit) };
    let mut clear = from;
    for _ in 0..MOST_STEPS {
        let next = within(clear + step);
        if next == clear {
            return clear;
        }
        if !is_clear(next) {
            let mut blocked = next;
            for _ in 0..HALVINGS {
                let middle = 0.5 * (clear + blocked);
                *(if is_clear(middle) { &mut clear } else { &mut blocked }) = middle;
            }
            return clear;
        }
        clear = next;
    }
    clear
}

fn placed(pose: &Pose, capsule: &Capsule) -> Capsule {
    Capsule { a: *pose * capsule.a, b: *pose * capsule.b, radius: capsule.radius }
}
