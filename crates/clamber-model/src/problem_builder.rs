//! Builds and validates problems.

use std::sync::Arc;

use crate::character::Character;
use crate::contact::Contact;
use crate::id::{EffectorId, HoldId};
use crate::mode_table::ModeTable;
use crate::motion::FLYING;
use crate::problem::{Passage, Pin, Posture, Problem};
use crate::world::World;

/// Why a problem cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The start or the goal is missing.
    #[error("the problem has no {posture}")]
    Missing {
        /// `start` or `goal`.
        posture: &'static str,
    },
    /// A configuration is invalid for the character.
    #[error("invalid {posture} configuration: {reason}")]
    Configuration {
        /// `start` or `goal`.
        posture: &'static str,
        /// The violation.
        reason: String,
    },
    /// The mode of a posture is not in the mode table.
    #[error("the {posture} has mode `{mode}`, which is not in the mode table")]
    UnknownMode {
        /// `start` or `goal`.
        posture: &'static str,
        /// The mode's name.
        mode: String,
    },
    /// A contact, pin or passage refers to an effector or a hold that does not exist, or is not finite.
    #[error("{place} refers to an effector or a hold that does not exist")]
    Reference {
        /// The place of the reference.
        place: String,
    },
    /// A passage has no frames, or frames of another character.
    #[error("passage `{passage}` has no frames, or frames of another character")]
    Passage {
        /// The passage's name.
        passage: String,
    },
    /// No hold of the world has this name.
    #[error("there is no hold `{hold}`")]
    UnknownHold {
        /// The name.
        hold: String,
    },
}

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
    pub fn pin(mut self, effector: Option<EffectorId>, hold: &str) -> Self {
        self.pins.push((effector, hold.to_owned()));
        self
    }

    /// Forbids a hold.
    pub fn forbid(mut self, hold: &str) -> Self {
        self.forbidden.push(hold.to_owned());
        self
    }

    /// Validates everything and builds the problem.
    pub fn build(self) -> Result<Problem, ProblemError> {
        let start = self.posture("start", self.start.as_ref())?;
        let goal = self.posture("goal", self.goal.as_ref())?;
        for passage in &self.passages {
            self.check_passage(passage)?;
        }
        let pin = |(effector, hold): &(Option<EffectorId>, String)| {
            self.check_effector(*effector, || format!("the pin of `{hold}`"))?;
            Ok(Pin { effector: *effector, hold: self.hold(hold)?, point: None })
        };
        let pins = self.pins.iter().map(pin).collect::<Result<Vec<Pin>, ProblemError>>()?;
        let forbidden = self.forbidden.iter().map(|hold| self.hold(hold));
        let mut forbidden = forbidden.collect::<Result<Vec<HoldId>, ProblemError>>()?;
        forbidden.sort_unstable();
        forbidden.dedup();
        let Self { name, world, character, modes, passages, .. } = self;
        Ok(Problem { name, world, character, modes, start, passages, goal, pins, forbidden })
    }

    fn posture(&self, name: &'static str, posture: Option<&Posture>) -> Result<Posture, ProblemError> {
        let posture = posture.ok_or(ProblemError::Missing { posture: name })?;
        let invalid = |reason| ProblemError::Configuration { posture: name, reason };
        posture.configuration.check(&self.character).map_err(invalid)?;
        let is_known = posture.mode_name == FLYING
            || self.modes.as_ref().is_some_and(|modes| modes.find_mode(&posture.mode_name).is_some());
        if !is_known {
            return Err(ProblemError::UnknownMode { posture: name, mode: posture.mode_name.clone() });
        }
        for contact in &posture.stance {
            self.check_contact(contact, || format!("a contact of the {name}"))?;
        }
        Ok(posture.clone())
    }

    fn check_contact(&self, contact: &Contact, place: impl Fn() -> String) -> Result<(), ProblemError> {
        let is_valid =
            self.world.holds.get(contact.hold).is_some() && contact.point.is_finite() && contact.normal.is_finite();
        self.check_effector(Some(contact.effector), &place)?;
        if is_valid { Ok(()) } else { Err(ProblemError::Reference { place: place() }) }
    }

    fn check_effector(&self, effector: Option<EffectorId>, place: impl Fn() -> String) -> Result<(), ProblemError> {
        let is_known = effector.is_none_or(|effector| self.character.effectors.get(effector).is_some());
        if is_known { Ok(()) } else { Err(ProblemError::Reference { place: place() }) }
    }

    fn check_passage(&self, passage: &Passage) -> Result<(), ProblemError> {
        let motion = &passage.motion;
        let is_valid = !motion.frames.is_empty()
            && motion.frames.iter().all(|frame| frame.configuration.check_hinges(&self.character).is_ok());
        if !is_valid {
            return Err(ProblemError::Passage { passage: passage.name.clone() });
        }
        let mut contacts = motion.contacts.iter().map(|span| &span.contact);
        contacts.try_for_each(|contact| self.check_contact(contact, || format!("passage `{}`", passage.name)))
    }

    fn hold(&self, name: &str) -> Result<HoldId, ProblemError> {
        let found = self.world.holds.iter_enumerated().find(|(_, hold)| hold.name == name);
        found.map(|(id, _)| id).ok_or_else(|| ProblemError::UnknownHold { hold: name.to_owned() })
    }
}
