//! The question that a plan answers.

use std::sync::Arc;

use crate::character::Character;
use crate::configuration::Configuration;
use crate::contact::Stance;
use crate::mode::ModeTable;
use crate::motion::{FLYING, Motion};
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
}

/// A configuration, what holds it, and the way of moving it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Posture {
    /// Where the character is and how it is bent.
    pub configuration: Configuration,
    /// What it holds on to, in the order of the effectors.
    pub stance: Stance,
    /// The mode's name; [`FLYING`] without a stance.
    pub mode: String,
}

impl Posture {
    /// A posture in the air.
    pub fn flying(configuration: Configuration) -> Self {
        Self { configuration, stance: Stance::new(), mode: FLYING.to_owned() }
    }

    /// The posture at a frame of a motion.
    pub fn at_frame(motion: &Motion, frame: usize) -> Self {
        Self {
            configuration: motion.frames[frame].configuration.clone(),
            stance: motion.stance(frame),
            mode: motion.mode(frame).to_owned(),
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
