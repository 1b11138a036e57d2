//! The question that a plan answers.

use std::sync::Arc;

use crate::character::{Character, CharacterError};
use crate::configuration::Configuration;
use crate::contact::{Contact, Stance};
use crate::id::{EffectorId, HoldId};
use crate::math::Vec3;
use crate::mode_table::ModeTable;
use crate::motion::{FLYING, Motion};
use crate::scaling::Scale;
use crate::world::World;

/// A character in a world, where it is and where it should be. World and character are shared, so that many plans may
/// be made at once.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The scene's name.
    pub name: String,
    /// Where.
    pub world: Arc<World>,
    /// Who.
    pub character: Arc<Character>,
    /// How it may move; without a table it can only fly.
    pub modes: Option<Arc<ModeTable>>,
    /// From here.
    pub start: Posture,
    /// Through these, in order.
    pub passages: Vec<Passage>,
    /// To here.
    pub goal: Posture,
    /// What is to be held on to on the way, in whatever order.
    pub pins: Vec<Pin>,
    /// What nothing may hold on to: in ascending order.
    pub forbidden: Vec<HoldId>,
}

impl Problem {
    /// Returns the problem at another size: world, character, modes, postures, passages and pins. A motion that solves it is
    /// the scaled motion ([`Motion::scaled`]) of one that solves this problem.
    pub fn scaled(&self, factor: f32) -> Result<Self, CharacterError> {
        let scale = Scale::new(factor)?;
        let mut problem = self.clone();
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

    /// Whether nothing may hold on to this hold.
    pub fn is_forbidden(&self, hold: HoldId) -> bool {
        self.forbidden.binary_search(&hold).is_ok()
    }
}

/// A configuration, what holds it, and the way of moving it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Posture {
    /// Where the character is and how it is bent.
    pub configuration: Configuration,
    /// What it holds on to, in the order of the effectors.
    pub stance: Stance,
    /// The mode's name; [`FLYING`] without a stance.
    pub mode_name: String,
}

impl Posture {
    /// A posture in the air.
    pub fn flying(configuration: Configuration) -> Self {
        Self { configuration, stance: Stance::new(), mode_name: FLYING.to_owned() }
    }

    /// The posture at a frame of a motion.
    pub fn at_frame(motion: &Motion, frame: usize) -> Self {
        Self {
            configuration: motion.frames[frame].configuration.clone(),
            stance: motion.stance(frame),
            mode_name: motion.mode_at_frame(frame).to_owned(),
        }
    }
}

/// A ready-made piece that the motion must contain (thesis 5.4.4): a milestone has one frame, a sequence several.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// As reports name it.
    pub name: String,
    /// What is to be passed through, frame by frame.
    pub motion: Motion,
}

/// A hold that the motion must make use of: at some moment an effector holds on to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// Any effector will do when not given.
    pub effector: Option<EffectorId>,
    /// The hold.
    pub hold: HoldId,
    /// The point of a hold surface; any point will do when not given.
    pub point: Option<Vec3>,
}

impl Pin {
    /// Points of a hold surface that are nearer to each other are the same point, in metres: files round.
    pub const SAME_POINT: f32 = 1e-3;

    /// Whether this contact is the one that is wanted.
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
        let anyhow = Pin { effector: None, hold: HoldId::from(5), point: None };
        assert!(anyhow.is_held_by(&contact));
        assert!(!Pin { hold: HoldId::from(4), ..anyhow }.is_held_by(&contact));
        assert!(Pin { effector: Some(EffectorId::from(2)), ..anyhow }.is_held_by(&contact));
        assert!(!Pin { effector: Some(EffectorId::from(1)), ..anyhow }.is_held_by(&contact));
        assert!(Pin { point: Some(Vec3::X * 1.0005), ..anyhow }.is_held_by(&contact));
        assert!(!Pin { point: Some(Vec3::X * 1.01), ..anyhow }.is_held_by(&contact));
    }
}
