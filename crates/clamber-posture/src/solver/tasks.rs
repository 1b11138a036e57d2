//! What a posture is solved for.

use clamber_model::id::ModeId;
use clamber_model::mode_table::Balance;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use crate::anatomy::Anatomy;

/// The tasks of a posture: contacts to keep, balance, and a reference for everything else.
#[derive(Clone, Copy)]
pub struct PostureTasks<'a> {
    /// The contacts.
    pub stance: &'a [Contact],
    /// What the posture resembles as far as the other tasks allow.
    pub reference: PostureReference<'a>,
    /// Where the center of mass must be.
    pub balance_requirements: &'a [Balance],
}

/// What a posture resembles as far as its contacts, balance and obstacles allow.
#[derive(Clone, Copy)]
pub enum PostureReference<'a> {
    /// The most comfortable posture by the heuristics of a mode, an index into `ModeTable::modes`.
    Comfort(ModeId),
    /// This configuration.
    Configuration(&'a Configuration),
}

/// The character and the world that a posture is solved in.
#[derive(Clone, Copy)]
pub struct SolverContext<'a> {
    /// The world, whose distance field the posture avoids.
    pub world: &'a World,
    /// The character.
    pub character: &'a Character,
    /// Its mode table.
    pub mode_table: &'a ModeTable,
    /// Its body parts.
    pub anatomy: &'a Anatomy,
}
