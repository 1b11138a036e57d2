//! What makes a posture a solution of a stance. Equilibrium is the checker's, which shares no code with the solver.

use clamber::check::equilibrium;
use clamber::model::kinematics::{LinkFrames, effector_position, forward};
use clamber::model::obstacle_collision::CheckedLinks;
use clamber::model::self_collision::{self, SelfCollisionWorkspace};
use clamber::model::{Character, Configuration, Contact, World};

/// Greatest distance of an effector from its contact, in body sizes.
pub const CONTACT_TOLERANCE: f32 = 1e-4;
/// Greatest angle between a patch and the surface that it has to lie flat on, in radians.
pub const TILT_TOLERANCE: f32 = 0.01;
/// Greatest distance of the center of mass from where the contacts carry the body, in body sizes.
pub const EQUILIBRIUM_TOLERANCE: f64 = 1e-3;

/// What a posture lacks; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// An effector misses its contact.
    Contact,
    /// A hinge is beyond its limits.
    Limit,
    /// A patch does not lie flat.
    Tilt,
    /// Two links are deeper in each other than `self_collision::MARGIN`.
    SelfCollision,
    /// The contacts do not carry the body.
    Equilibrium,
}

/// Returns what a posture lacks; `None` for a solution.
pub fn lack(character: &Character, world: &World, posture: &Configuration, stance: &[Contact]) -> Option<Lack> {
    let mut frames = LinkFrames::default();
    forward(character, posture, &mut frames);
    let misses = |contact: &Contact| {
        let miss = effector_position(character, &frames, contact.effector) - contact.effector_center(character);
        !(miss.length() <= CONTACT_TOLERANCE * character.body_size())
    };
    let tilts = |contact: &Contact| {
        let effector = &character.effectors[contact.effector];
        let Some((flat, facing)) = contact.flat_facing(character).zip(effector.facing) else { return false };
        !((frames.world_from_link[effector.link].rotation * facing).angle_between(flat) <= TILT_TOLERANCE)
    };
    let mut collision = SelfCollisionWorkspace::default();
    let outside = EQUILIBRIUM_TOLERANCE * f64::from(character.body_size());
    if stance.iter().any(misses) {
        Some(Lack::Contact)
    } else if posture.check(character).is_err() {
        Some(Lack::Limit)
    } else if stance.iter().any(tilts) {
        Some(Lack::Tilt)
    } else if !self_collision::is_free(character, posture, CheckedLinks::All, &mut collision) {
        Some(Lack::SelfCollision)
    } else if !equilibrium::is_in_equilibrium(character, world, posture, stance, outside) {
        Some(Lack::Equilibrium)
    } else {
        None
    }
}
