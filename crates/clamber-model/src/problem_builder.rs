//! Builds and validates problems.

use std::sync::Arc;

use crate::character::Character;
use crate::id::{EffectorId, HoldId};
use crate::mode_table::ModeTable;
use crate::problem::{Passage, Pin, Posture, Problem};
use crate::validation::ProblemError;
use crate::world::World;

/// Builds a [`Problem`]: a world and a character, then a start and a goal.
#[derive(Clone, Debug)]
#[must_use]
pub struct ProblemBuilder {
    name: String,
    world: Arc<World>,
    character: Arc<Character>,
    modes: Option<Arc<ModeTable>>,
    start: Option<Posture>,
    goal: Option<Posture>,
    passages: Vec<Passage>,
    pins: Vec<(Option<EffectorId>, String)>,
    forbidden: Vec<String>,
}

impl Problem {
    /// Starts a problem for a character in a world. Both may be shared.
    pub fn builder(world: impl Into<Arc<World>>, character: impl Into<Arc<Character>>) -> ProblemBuilder {
        ProblemBuilder {
            name: "problem".to_owned(),
            world: world.into(),
            character: character.into(),
            modes: None,
            start: None,
            goal: None,
            passages: Vec::new(),
            pins: Vec::new(),
            forbidden: Vec::new(),
        }
    }
}

impl ProblemBuilder {
    /// Sets the name that reports use. Default `problem`.
    pub fn name(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Sets how the character may move. Without a mode table it can only fly.
    pub fn modes(self, modes: impl Into<Arc<ModeTable>>) -> Self {
        Self { modes: Some(modes.into()), ..self }
    }

    /// Sets the posture to start from.
    pub fn start(self, posture: Posture) -> Self {
        Self { start: Some(posture), ..self }
    }

    /// Sets the posture to reach.
    pub fn goal(self, posture: Posture) -> Self {
        Self { goal: Some(posture), ..self }
    }

    /// Adds a given piece that the motion must contain, after those added before.
    pub fn passage(mut self, passage: Passage) -> Self {
        self.passages.push(passage);
        self
    }

    /// Requires that an effector (`None` for any) is in contact with a hold at some time.
    pub fn require_hold(mut self, effector: Option<EffectorId>, hold: &str) -> Self {
        self.pins.push((effector, hold.to_owned()));
        self
    }

    /// Forbids a hold.
    pub fn forbid_hold(mut self, hold: &str) -> Self {
        self.forbidden.push(hold.to_owned());
        self
    }

    /// Validates everything and builds the problem.
    pub fn build(self) -> Result<Problem, ProblemError> {
        let pin = |(effector, hold): &(Option<EffectorId>, String)| {
            Ok(Pin { effector: *effector, hold: self.hold(hold)?, point: None })
        };
        let pins = self.pins.iter().map(pin).collect::<Result<Vec<Pin>, ProblemError>>()?;
        let forbidden = self.forbidden.iter().map(|hold| self.hold(hold));
        let mut forbidden = forbidden.collect::<Result<Vec<HoldId>, ProblemError>>()?;
        forbidden.sort_unstable();
        forbidden.dedup();
        let Self { name, world, character, modes, start, goal, passages, .. } = self;
        let start = start.ok_or(ProblemError::MissingPosture { posture: "start" })?;
        let goal = goal.ok_or(ProblemError::MissingPosture { posture: "goal" })?;
        let problem =
            Problem { name, world, character, modes, start, passages, goal, pins, forbidden_holds: forbidden };
        problem.validate()?;
        Ok(problem)
    }

    fn hold(&self, name: &str) -> Result<HoldId, ProblemError> {
        let found = self.world.holds.iter_enumerated().find(|(_, hold)| hold.name == name);
        found.map(|(id, _)| id).ok_or_else(|| ProblemError::UnknownHold { hold: name.to_owned() })
    }
}
