//! Planning problems: a world, a character, a start and a goal.

use std::sync::Arc;

use crate::character::{Character, CharacterError};
use crate::configuration::Configuration;
use crate::contact::{Contact, Stance};
use crate::id::{EffectorId, HoldId};
use crate::math::Vec3;
use crate::mode_table::ModeTable;
use crate::motion::{FLYING_MODE, Motion};
use crate::scaling::Scale;
use crate::world::World;

/// A planning problem: a character in a world, with a start and a goal. World and character are shared, so that many plans can
/// run at once.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The scene's name.
    pub name: String,
    /// The obstacles and holds.
    pub world: Arc<World>,
    /// The character.
    pub character: Arc<Character>,
    /// The locomotion modes; without a table the character can only fly.
    pub modes: Option<Arc<ModeTable>>,
    /// The start.
    pub start: Posture,
    /// Given pieces that the motion must contain, in order.
    pub passages: Vec<Passage>,
    /// The goal.
    pub goal: Posture,
    /// Holds that the motion must use, in any order.
    pub pins: Vec<Pin>,
    /// Holds that must not be used, in ascending order.
    pub forbidden_holds: Vec<HoldId>,
}

impl Problem {
    /// Returns the problem at another size: world, character, modes, postures, passages and pins. A motion that solves it is
    /// the scaled motion ([`Motion::scaled`]) of one that solves this problem.
    pub fn scaled(&self, factor: f32) -> Result<Self, CharacterError> {
        let scale = Scale::new(factor)?;
        let mut problem = self.clone();
        if factor == 1.0 {
            return Ok(problem);
        }
        problem.world = Arc::new(self.world.scaled(factor)?);
        problem.character = Arc::new(self.character.scaled(factor)?);
        problem.modes = self.modes.as_ref().map(|table| table.scaled(factor)).transpose()?.map(Arc::new);
        for posture in [&mut problem.start, &mut problem.goal] {
            posture.configuration = posture.configuration.scaled(scale.length);
            posture.stance.iter_mut().for_each(|contact| *contact = contact.scaled(scale.length));
        }
        for passage in &mut problem.passages {
            passage.motion = passage.motion.scaled(factor)?;
        }
        for point in problem.pins.iter_mut().filter_map(|pin| pin.point.as_mut()) {
            *point *= scale.length;
        }
        Ok(problem)
    }

    /// Returns whether a hold must not be used.
    pub fn forbids_hold(&self, hold: HoldId) -> bool {
        self.forbidden_holds.binary_search(&hold).is_ok()
    }

    /// Returns whether a motion may hold on to a hold. The start may be on a forbidden one; nothing takes it again.
    pub fn may_hold(&self, hold: HoldId) -> bool {
        !self.forbids_hold(hold) || self.start.stance.iter().any(|contact| contact.hold == hold)
    }
}

/// A configuration with its contacts and mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Posture {
    /// The root's pose and the hinge angles.
    pub configuration: Configuration,
    /// The contacts, in the order of the effectors.
    pub stance: Stance,
    /// The mode's name; [`FLYING_MODE`] without a stance.
    pub mode_name: String,
}

impl Posture {
    /// Returns a posture without contacts.
    pub fn without_contacts(configuration: Configuration) -> Self {
        Self { configuration, stance: Stance::new(), mode_name: FLYING_MODE.to_owned() }
    }

    /// Returns the posture at a frame of a motion.
    pub fn from_motion_frame(motion: &Motion, frame: usize) -> Self {
        Self {
            configuration: motion.frames[frame].configuration.clone(),
            stance: motion.stance_at_frame(frame),
            mode_name: motion.mode_at_frame(frame).to_owned(),
        }
    }
}

/// A given piece that the motion must contain (thesis 5.4.4): a milestone has one frame, a sequence several.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The name in reports.
    pub name: String,
    /// The frames that the motion must contain.
    pub motion: Motion,
}

/// A hold that the motion must use: an effector is in contact with it at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The effector; `None` for any.
    pub effector: Option<EffectorId>,
    /// The hold.
    pub hold: HoldId,
    /// The point of a hold surface; `None` for any.
    pub point: Option<Vec3>,
}

impl Pin {
    /// Points of a hold surface closer than this count as the same, in meters: files round.
    const SAME_POINT: f32 = 1e-3;

    /// Returns whether a contact satisfies the pin.
    pub fn is_held_by(&self, contact: &Contact) -> bool {
        self.hold == contact.hold
            && self.effector.is_none_or(|effector| effector == contact.effector)
            && self.point.is_none_or(|point| (point - contact.point).length() <= Self::SAME_POINT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_held_by_its_effector_at_its_point() {
        let contact = Contact { effector: EffectorId::from(2), hold: HoldId::from(5), point: Vec3::X, normal: Vec3::Y };
        let any = Pin { effector: None, hold: HoldId::from(5), point: None };
        assert!(any.is_held_by(&contact));
        assert!(!Pin { hold: HoldId::from(4), ..any }.is_held_by(&contact));
        assert!(Pin { effector: Some(EffectorId::from(2)), ..any }.is_held_by(&contact));
        assert!(!Pin { effector: Some(EffectorId::from(1)), ..any }.is_held_by(&contact));
        assert!(Pin { point: Some(Vec3::X * 1.0005), ..any }.is_held_by(&contact));
        assert!(!Pin { point: Some(Vec3::X * 1.01), ..any }.is_held_by(&contact));
    }
}
