//! The question that a plan answers.

use std::sync::Arc;

use crate::character::Character;
use crate::configuration::Configuration;
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
    /// From here.
    pub start: Configuration,
    /// To here.
    pub goal: Configuration,
}
