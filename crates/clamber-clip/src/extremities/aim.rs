//! What a hand or a foot should do in each frame: hold on, come down, leave, or nothing in particular.

use std::f32::consts::PI;

use clamber_model::character::ExtremityShape;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::{Pose, Vec3, atan2};
use clamber_model::motion::ContactSpan;
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Motion, World};

use super::grow::{ANKLE_REST, FINGERS_REST, Member, TOES_REST, WRIST_REST};

/// For how long before a touch and after it an extremity is still about it, in seconds.
const BEFORE: f32 = 0.22;
const AFTER: f32 = 0.18;

/// Contacts at the same point, to within so many metres, are one when less time than this is between them, in seconds.
const BRIEF: f32 = 0.1;
const SAME_POINT: f32 = 0.01;

/// How much a foot that comes down lifts its toes, and how much one that leaves lifts its heel, in degrees: as much as there
/// is room for above the ground.
const HEEL_FIRST: f32 = 22.0;
const TOES_LAST: f32 = 55.0;

/// A foot whose ankle would have to bend by more than this, in degrees, to lie flat as long as it holds on, lies on its
/// instep instead: on a shin that lies on the ground, or goes up along a wall.
const POINTED_FROM: f32 = 62.0;

/// How steeply such a foot points at the face, in degrees; how far it gets is for the face to say.
const POINTED: f32 = 30.0;

/// A hand under a bar goes up behind it and closes around it: in degrees, from where it would lie along the face.
const HOOKED: f32 = 42.0;

/// Fingers that are about to hold on, or have just let go, in degrees.
const OPEN: f32 = -15.0;

/// What an angle should be in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim {
    /// In radians.
    pub angle: f32,
    /// What is surely clear close to a hold, where there is hardly room.
    pub else_angle: f32,
    /// Exactly so, unless it is inside something.
    pub is_firm: bool,
}

impl Aim {
    fn loose(angle: f32) -> Self {
        Self { angle, else_angle: angle, is_firm: false }
    }
}

/// How an effector holds on to something.
#[derive(Clone, Copy, Debug)]
struct Hold {
    normal: Vec3,
    hold_type: HoldType,
    /// A foot that lies on its instep.
    is_pointed: bool,
}

/// What an effector is about in a frame.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Holds(Hold),
    Comes(Hold),
    Leaves(Hold),
    Free,
}

/// What one extremity is about in each frame.
pub(crate) struct Phases {
    shape: ExtremityShape,
    /// How much a palm slopes towards a face that it leans on: the effector is a radius off, and the knuckles touch.
    arch: f32,
    phases: Vec<Phase>,
}

impl Phases {
    pub fn new(character: &Character, world: &World, motion: &Motion, member: &Member) -> Self {
        let spans = touches(motion, member.effector).into_iter();
        let own: Vec<(ContactSpan, Hold)> =
            spans.map(|span| (span, hold(character, world, motion, member, &span))).collect();
        let time = |frame: usize| motion.frames.get(frame).map_or(0.0, |frame| frame.time);
        let phase = |frame: usize| {
            // Of two contacts that share a frame, the later one.
            if let Some((_, hold)) = own.iter().rev().find(|(span, _)| (span.first..=span.last).contains(&frame)) {
                return Phase::Holds(*hold);
            }
            let left = own.iter().rev().find(|(span, _)| span.last < frame);
            let next = own.iter().find(|(span, _)| span.first > frame);
            let since = left.map(|(span, hold)| ((time(frame) - time(span.last)) / AFTER, hold));
            let until = next.map(|(span, hold)| ((time(span.first) - time(frame)) / BEFORE, hold));
            match (since, until) {
                (Some((since, hold)), until) if since <= until.map_or(1.0, |(until, _)| until.min(1.0)) => {
                    Phase::Leaves(*hold)
                }
                (_, Some((until, hold))) if until <= 1.0 => Phase::Comes(*hold),
                _ => Phase::Free,
            }
        };
        let arch = match member.shape {
            ExtremityShape::Hand { palm, thickness, .. } => {
                atan2(character.effectors[member.effector].radius - 0.5 * thickness, palm)
            }
            ExtremityShape::Foot { .. } => 0.0,
        };
        Self { shape: member.shape, arch, phases: (0..motion.frames.len()).map(phase).collect() }
    }

    /// The angle of the ankle or the wrist; `limb` is the joint in the world before it turns.
    pub fn of_first(&self, limb: &Pose, frame: usize) -> Aim {
        let phase = self.phases[frame];
        match self.shape {
            ExtremityShape::Foot { .. } => foot(phase, limb),
            ExtremityShape::Hand { .. } => hand(phase, limb, self.arch),
        }
    }

    /// The angle of the toes or the fingers, with the angle of the ankle or the wrist.
    pub fn of_second(&self, limb: &Pose, frame: usize, first: f32) -> Aim {
        let phase = self.phases[frame];
        match self.shape {
            ExtremityShape::Foot { .. } => toes(phase, limb, first),
            ExtremityShape::Hand { .. } => fingers(phase, self.arch),
        }
    }
}

/// The contacts of an effector in the order of time. Those at one point that hardly anything is between are one: a foot that is
/// lifted for a frame does not roll.
fn touches(motion: &Motion, effector: EffectorId) -> Vec<ContactSpan> {
    let mut own: Vec<ContactSpan> =
        motion.contacts.iter().filter(|span| span.contact.effector == effector).copied().collect();
    own.sort_by_key(|span| span.first);
    let time = |frame: usize| motion.frames.get(frame).map_or(0.0, |frame| frame.time);
    let mut touches: Vec<ContactSpan> = Vec::new();
    for span in own {
        match touches.last_mut() {
            Some(last)
                if time(span.first) - time(last.last) < BRIEF
                    && (span.contact.point - last.contact.point).length() < SAME_POINT =>
            {
                last.last = last.last.max(span.last);
            }
            _ => touches.push(span),
        }
    }
    touches
}

fn hold(character: &Character, world: &World, motion: &Motion, member: &Member, span: &ContactSpan) -> Hold {
    let normal = span.contact.normal;
    let mut workspace = Workspace::default();
    let link = character.effectors[member.effector].link;
    let frames = motion.frames.iter().take(span.last + 1).skip(span.first);
    let least = frames.fold(f32::INFINITY, |least, frame| {
        forward(character, &frame.configuration, &mut workspace);
        least.min(flat_sole(normal, &workspace.world_from_link[link]))
    });
    let hold_type = world.holds.get(span.contact.hold).map_or(HoldType::of_normal(normal), |hold| hold.hold_type);
    Hold { normal, hold_type, is_pointed: least > POINTED_FROM.to_radians() }
}

/// The ankle's angle with which the sole lies along a face.
fn flat_sole(normal: Vec3, limb: &Pose) -> f32 {
    let normal = limb.rotation.inverse() * normal;
    atan2(-normal.x, normal.y)
}

/// The wrist's angle with which the palm lies along a face.
fn flat_palm(normal: Vec3, limb: &Pose) -> f32 {
    let normal = limb.rotation.inverse() * normal;
    atan2(normal.y, normal.x)
}

fn foot(phase: Phase, limb: &Pose) -> Aim {
    let (Phase::Holds(hold) | Phase::Comes(hold) | Phase::Leaves(hold)) = phase else {
        return Aim::loose(ANKLE_REST.to_radians());
    };
    let flat = flat_sole(hold.normal, limb);
    if hold.is_pointed {
        return Aim::loose(flat - PI + POINTED.to_radians());
    }
    let is_ground = HoldType::of_normal(hold.normal) == HoldType::LoadBearing && UP.dot(hold.normal) > 0.0;
    let off: f32 = match phase {
        Phase::Comes(_) if is_ground => HEEL_FIRST,
        Phase::Leaves(_) if is_ground => -TOES_LAST,
        _ => 0.0,
    };
    Aim { angle: flat + off.to_radians(), else_angle: flat, is_firm: matches!(phase, Phase::Holds(_)) }
}

fn toes(phase: Phase, limb: &Pose, ankle: f32) -> Aim {
    match phase {
        Phase::Holds(_) => Aim::loose(0.0),
        // They stay on the ground while the heel rises.
        Phase::Leaves(hold) if !hold.is_pointed => Aim::loose((flat_sole(hold.normal, limb) - ankle).max(0.0)),
        _ => Aim::loose(TOES_REST.to_radians()),
    }
}

fn hand(phase: Phase, limb: &Pose, arch: f32) -> Aim {
    let (Phase::Holds(hold) | Phase::Comes(hold) | Phase::Leaves(hold)) = phase else {
        return Aim::loose(WRIST_REST.to_radians());
    };
    let flat = flat_palm(hold.normal, limb);
    let off = if hold.hold_type == HoldType::Pendent { HOOKED.to_radians() } else { arch };
    Aim { else_angle: flat, ..Aim::loose(flat - off) }
}

fn fingers(phase: Phase, arch: f32) -> Aim {
    let angle = match phase {
        // They close until they touch.
        Phase::Holds(hold) if hold.hold_type == HoldType::Pendent => (-110f32).to_radians(),
        Phase::Holds(_) => arch,
        Phase::Comes(_) | Phase::Leaves(_) => OPEN.to_radians(),
        Phase::Free => FINGERS_REST.to_radians(),
    };
    Aim { else_angle: 0.0, ..Aim::loose(angle) }
}
