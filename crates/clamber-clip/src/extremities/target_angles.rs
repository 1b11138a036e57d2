//! The angles that a hand or a foot should have in each frame: while it holds on, lands, leaves, or is free.

use std::f32::consts::PI;

use clamber_model::character::ExtremityShape;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Vec3, atan2};
use clamber_model::motion::ContactSpan;
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Motion, World};

use super::character_with_extremities::ExtremityLinks;
use super::tuning::{
    ANKLE_REST, APPROACH_TIME, FINGERS, FINGERS_REST, HEEL_FIRST, HOOK, INSTEP, INSTEP_FROM, LEAVE_TIME, MIN_GAP,
    OPEN_FINGERS, SAME_POINT, TOES_LAST, TOES_REST, WRIST_REST,
};
use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::progress::ProgressReporter;

/// The target of a hinge in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AngleTarget {
    /// In radians.
    pub angle: f32,
    /// An angle that is free close to a hold, where there is hardly room, in radians.
    pub fallback: f32,
    /// The angle must be met exactly unless it collides.
    pub is_exact: bool,
}

impl AngleTarget {
    fn approximate(angle: f32) -> Self {
        Self { angle, fallback: angle, is_exact: false }
    }
}

/// A contact of an extremity.
#[derive(Clone, Copy, Debug)]
struct Touch {
    normal: Vec3,
    hold_type: HoldType,
    /// A foot that lies on its instep.
    is_on_instep: bool,
}

/// The state of an extremity in a frame.
#[derive(Clone, Copy, Debug)]
enum ContactState {
    Holding(Touch),
    Approaching(Touch),
    Leaving(Touch),
    Free,
}

/// The targets of one extremity.
pub(crate) struct ExtremityTargets {
    shape: ExtremityShape,
    /// The angle by which a flat palm tilts toward the face, in radians: the effector is a radius off it, and the knuckles
    /// touch.
    palm_tilt: f32,
    /// One for each frame.
    states: Vec<ContactState>,
}

impl ExtremityTargets {
    /// # Errors
    /// When the observer cancels.
    pub fn new(
        character: &Character,
        world: &World,
        motion: &Motion,
        extremity: &ExtremityLinks,
        progress: &mut ProgressReporter,
    ) -> Result<Self, ClipError> {
        let scale = BodyScale::of(character);
        let mut touches: Vec<(ContactSpan, Touch)> = Vec::new();
        for span in merged_contacts(motion, extremity.effector, scale) {
            touches.push((span, touch(character, world, motion, extremity, &span, progress)?));
        }
        let [approach_time, leave_time] = [APPROACH_TIME, LEAVE_TIME].map(|time| time * scale.time);
        let time = |frame: usize| motion.frames.get(frame).map_or(0.0, |frame| frame.time);
        let state = |frame: usize| {
            // Of two contacts that share a frame, the later one counts.
            if let Some((_, touch)) =
                touches.iter().rev().find(|(span, _)| (span.first_frame..=span.last_frame).contains(&frame))
            {
                return ContactState::Holding(*touch);
            }
            let left = touches.iter().rev().find(|(span, _)| span.last_frame < frame);
            let next = touches.iter().find(|(span, _)| span.first_frame > frame);
            let since = left.map(|(span, touch)| ((time(frame) - time(span.last_frame)) / leave_time, touch));
            let until = next.map(|(span, touch)| ((time(span.first_frame) - time(frame)) / approach_time, touch));
            match (since, until) {
                (Some((since, touch)), until) if since <= until.map_or(1.0, |(until, _)| until.min(1.0)) => {
                    ContactState::Leaving(*touch)
                }
                (_, Some((until, touch))) if until <= 1.0 => ContactState::Approaching(*touch),
                _ => ContactState::Free,
            }
        };
        let palm_tilt = match extremity.shape {
            ExtremityShape::Hand { palm_length: palm, thickness, .. } => {
                atan2(character.effectors[extremity.effector].radius - 0.5 * thickness, palm)
            }
            ExtremityShape::Foot { .. } => 0.0,
        };
        let mut states = Vec::with_capacity(motion.frames.len());
        for frame in 0..motion.frames.len() {
            progress.step()?;
            states.push(state(frame));
        }
        Ok(Self { shape: extremity.shape, palm_tilt, states })
    }

    /// The target of the ankle or the wrist; `limb` is the pose of the joint before it turns.
    pub fn first_hinge(&self, limb: &Pose, frame: usize) -> AngleTarget {
        let state = self.states[frame];
        match self.shape {
            ExtremityShape::Foot { .. } => ankle(state, limb),
            ExtremityShape::Hand { .. } => wrist(state, limb, self.palm_tilt),
        }
    }

    /// The target of the toes or the fingers, given the angle of the ankle or the wrist.
    pub fn second_hinge(&self, limb: &Pose, frame: usize, first_angle: f32) -> AngleTarget {
        let state = self.states[frame];
        match self.shape {
            ExtremityShape::Foot { .. } => toes(state, limb, first_angle),
            ExtremityShape::Hand { .. } => fingers(state, self.palm_tilt),
        }
    }
}

/// The contacts of an effector in the order of time. Contacts at one point with a brief gap are merged: a foot that is lifted
/// for a frame does not roll.
fn merged_contacts(motion: &Motion, effector: EffectorId, scale: BodyScale) -> Vec<ContactSpan> {
    let mut contacts: Vec<ContactSpan> =
        motion.contacts.iter().filter(|span| span.contact.effector == effector).copied().collect();
    contacts.sort_by_key(|span| span.first_frame);
    let time = |frame: usize| motion.frames.get(frame).map_or(0.0, |frame| frame.time);
    let mut merged: Vec<ContactSpan> = Vec::new();
    for span in contacts {
        match merged.last_mut() {
            Some(last)
                if time(span.first_frame) - time(last.last_frame) < MIN_GAP * scale.time
                    && (span.contact.point - last.contact.point).length() < SAME_POINT * scale.length =>
            {
                last.last_frame = last.last_frame.max(span.last_frame);
            }
            _ => merged.push(span),
        }
    }
    merged
}

fn touch(
    character: &Character,
    world: &World,
    motion: &Motion,
    extremity: &ExtremityLinks,
    span: &ContactSpan,
    progress: &mut ProgressReporter,
) -> Result<Touch, ClipError> {
    let normal = span.contact.normal;
    let mut workspace = LinkFrames::default();
    let link = character.effectors[extremity.effector].link;
    let mut least = f32::INFINITY;
    for (index, frame) in motion.frames.iter().enumerate().take(span.last_frame + 1).skip(span.first_frame) {
        progress.poll_at(index)?;
        forward(character, &frame.configuration, &mut workspace);
        least = least.min(flat_sole(normal, &workspace.world_from_link[link]));
    }
    let hold_type = world.holds.get(span.contact.hold).map_or(HoldType::of_normal(normal), |hold| hold.hold_type);
    Ok(Touch { normal, hold_type, is_on_instep: least > INSTEP_FROM.to_radians() })
}

/// The ankle's angle at which the sole lies along a face.
fn flat_sole(normal: Vec3, limb: &Pose) -> f32 {
    let normal = limb.rotation.inverse() * normal;
    atan2(-normal.x, normal.y)
}

/// The wrist's angle at which the palm lies along a face.
fn flat_palm(normal: Vec3, limb: &Pose) -> f32 {
    let normal = limb.rotation.inverse() * normal;
    atan2(normal.y, normal.x)
}

fn ankle(state: ContactState, limb: &Pose) -> AngleTarget {
    let (ContactState::Holding(touch) | ContactState::Approaching(touch) | ContactState::Leaving(touch)) = state else {
        return AngleTarget::approximate(ANKLE_REST.to_radians());
    };
    let flat = flat_sole(touch.normal, limb);
    if touch.is_on_instep {
        return AngleTarget::approximate(flat - PI + INSTEP.to_radians());
    }
    let is_ground = HoldType::of_normal(touch.normal) == HoldType::LoadBearing && UP.dot(touch.normal) > 0.0;
    let offset: f32 = match state {
        ContactState::Approaching(_) if is_ground => HEEL_FIRST,
        ContactState::Leaving(_) if is_ground => -TOES_LAST,
        _ => 0.0,
    };
    let is_exact = matches!(state, ContactState::Holding(_));
    AngleTarget { angle: flat + offset.to_radians(), fallback: flat, is_exact }
}

fn toes(state: ContactState, limb: &Pose, ankle: f32) -> AngleTarget {
    match state {
        ContactState::Holding(_) => AngleTarget::approximate(0.0),
        // The toes stay on the ground while the heel rises.
        ContactState::Leaving(touch) if !touch.is_on_instep => {
            AngleTarget::approximate((flat_sole(touch.normal, limb) - ankle).max(0.0))
        }
        _ => AngleTarget::approximate(TOES_REST.to_radians()),
    }
}

fn wrist(state: ContactState, limb: &Pose, palm_tilt: f32) -> AngleTarget {
    let (ContactState::Holding(touch) | ContactState::Approaching(touch) | ContactState::Leaving(touch)) = state else {
        return AngleTarget::approximate(WRIST_REST.to_radians());
    };
    let flat = flat_palm(touch.normal, limb);
    let offset = if touch.hold_type == HoldType::Pendent { HOOK.to_radians() } else { palm_tilt };
    AngleTarget { fallback: flat, ..AngleTarget::approximate(flat - offset) }
}

fn fingers(state: ContactState, palm_tilt: f32) -> AngleTarget {
    let angle = match state {
        // They close until they touch.
        ContactState::Holding(touch) if touch.hold_type == HoldType::Pendent => FINGERS[0].to_radians(),
        ContactState::Holding(_) => palm_tilt,
        ContactState::Approaching(_) | ContactState::Leaving(_) => OPEN_FINGERS.to_radians(),
        ContactState::Free => FINGERS_REST.to_radians(),
    };
    AngleTarget { fallback: 0.0, ..AngleTarget::approximate(angle) }
}
