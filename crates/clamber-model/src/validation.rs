//! Validation of motions, mode tables and problems, so that algorithms can index without checks.
//!
//! Fields are public, so a value may be changed after a builder validated it. Every entry point validates what it gets.

use crate::character::{Character, Landmark, MAX_ANGLE};
use crate::contact::Contact;
use crate::id::{EffectorId, GroupId, HingeId, HoldId, LimbId, LinkId, ModeId};
use crate::math::Vec3;
use crate::mode_table::{
    BodyLine, Condition, Edge, Effect, HoldToTake, Mode, ModeTable, PostureHeuristic, ReferencePosture,
};
use crate::motion::{ContactSpan, FLYING_MODE, Frame, Motion};
use crate::problem::{Passage, Posture, Problem};
use crate::world::{MAX_CONTACT_TOLERANCE, World};

/// The greatest coordinate of a root, in meters: beyond it, single precision does not resolve a step.
const MAX_COORDINATE: f32 = 1e6;

/// A motion is not one of the character in the world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// The motion has no frames.
    #[error("it has no frames")]
    Empty,
    /// The motion belongs to another character.
    #[error("it belongs to character `{found}`, not to `{expected}`")]
    WrongCharacter {
        /// The name of the problem's character.
        expected: String,
        /// The name in the motion.
        found: String,
    },
    /// A frame has a wrong number of angles, a value that is not finite, or a time before the previous one.
    #[error(
        "frame {frame} has a wrong number of angles, a value that is not finite, or a time before the previous frame"
    )]
    InvalidFrame {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// A mode span does not begin where the previous one ends, or the last does not end with the motion.
    #[error("mode span {index} does not follow the previous one, or does not end with the motion")]
    InvalidModeSpan {
        /// The span, counted from 0.
        index: usize,
    },
    /// A contact refers to an effector, a hold or a frame that does not exist, is not finite, or begins before the previous one.
    #[error(
        "contact {index} refers to an effector, a hold or a frame that does not exist, is not finite, has no unit normal, or begins \
         before the previous contact"
    )]
    InvalidContact {
        /// The contact, counted from 0.
        index: usize,
    },
}

/// A mode table does not fit the character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModeTableError {
    /// An entry refers to a link, limb, effector, group, mode or edge that does not exist.
    #[error(
        "{entry} refers to a link, limb, effector, group, mode or edge that does not exist; is the table of another character?"
    )]
    DanglingReference {
        /// The entry.
        entry: String,
    },
    /// A group of effectors is empty.
    #[error("{entry} has no effectors")]
    EmptyGroup {
        /// The group.
        entry: String,
    },
    /// An entry has a number that is not finite.
    #[error("{entry} has a number that is not finite")]
    NotFinite {
        /// The entry.
        entry: String,
    },
}

/// A problem that no planner can take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The world's contact tolerance is negative, not finite, or too great for the character.
    #[error("the contact tolerance must be from 0 to {limit} m for this character")]
    InvalidContactTolerance {
        /// The greatest tolerance, in meters.
        limit: String,
    },
    /// The start or the goal is missing.
    #[error("the problem has no {posture}")]
    MissingPosture {
        /// `start` or `goal`.
        posture: &'static str,
    },
    /// A configuration is invalid for the character.
    #[error("invalid {posture} configuration: {reason}")]
    InvalidConfiguration {
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
    /// A contact, pin or forbidden hold refers to an effector or a hold that does not exist, or is not finite.
    #[error("{entry} refers to an effector or a hold that does not exist, or is not finite")]
    DanglingReference {
        /// The entry.
        entry: String,
    },
    /// Two contacts of a posture are of one effector.
    #[error("the {posture} has two contacts of effector `{effector}`")]
    DuplicateContact {
        /// `start` or `goal`.
        posture: &'static str,
        /// The effector's name.
        effector: String,
    },
    /// Forbidden holds are not in ascending order.
    #[error("the forbidden holds are not in ascending order")]
    UnsortedForbiddenHolds,
    /// A passage is not a motion of the character.
    #[error("passage `{passage}`: {reason}")]
    InvalidPassage {
        /// The passage's name.
        passage: String,
        /// What is wrong with its motion.
        reason: MotionError,
    },
    /// A passage leaves the region of the world.
    #[error("passage `{passage}` is outside the world's bounds; enlarge `bounds` or move the passage")]
    PassageOutsideWorld {
        /// The passage's name.
        passage: String,
    },
    /// The mode table does not fit the character.
    #[error("mode table: {0}")]
    InvalidModeTable(#[from] ModeTableError),
    /// The character is not valid, or was changed after it was built.
    #[error("the character: {reason}")]
    InvalidCharacter {
        /// What is wrong with it.
        reason: String,
    },
    /// The world was changed after it was built.
    #[error("the world's holds, obstacles or bounds were changed after it was built; build it again")]
    WorldChangedAfterBuild,
    /// The world is so large that positions are not exact.
    #[error("the world's bounds or holds are farther than {MAX_COORDINATE} m from the origin")]
    WorldTooLarge,
    /// No hold of the world has this name.
    #[error("there is no hold `{hold}`")]
    UnknownHold {
        /// The name.
        hold: String,
    },
}

/// Checks that a character and a world are as they were built, since their fields are public.
pub fn validate_character_and_world(character: &Character, world: &World) -> Result<(), ProblemError> {
    character.validate().map_err(|error| ProblemError::InvalidCharacter { reason: error.to_string() })?;
    if !world.is_consistent() {
        return Err(ProblemError::WorldChangedAfterBuild);
    }
    if world.greatest_coordinate() <= MAX_COORDINATE { Ok(()) } else { Err(ProblemError::WorldTooLarge) }
}

impl Motion {
    /// Checks that this is a motion of a character on the holds of a world: frames in the order of time, with as many angles as
    /// hinges, all finite; mode spans that cover it; contacts of existing effectors and holds, in the order of their first frames.
    pub fn validate(&self, character: &Character, world: &World) -> Result<(), MotionError> {
        if self.character != character.name {
            let (expected, found) = (character.name.clone(), self.character.clone());
            return Err(MotionError::WrongCharacter { expected, found });
        }
        let last_frame = self.frames.len().checked_sub(1).ok_or(MotionError::Empty)?;
        self.validate_frames(character)?;
        let mut begin = 0;
        for (index, span) in self.mode_spans.iter().enumerate() {
            let is_last = index + 1 == self.mode_spans.len();
            if span.first_frame != begin
                || span.last_frame < span.first_frame
                || span.last_frame > last_frame
                || (is_last && span.last_frame != last_frame)
            {
                return Err(MotionError::InvalidModeSpan { index });
            }
            begin = span.last_frame;
        }
        if self.mode_spans.is_empty() {
            return Err(MotionError::InvalidModeSpan { index: 0 });
        }
        let mut begin = 0;
        let mut is_valid = |ContactSpan { first_frame: first, last_frame: last, contact }: &ContactSpan| {
            let is_later = std::mem::replace(&mut begin, *first) <= *first;
            is_later && first <= last && *last <= last_frame && is_contact(contact, character, world)
        };
        match self.contacts.iter().position(|span| !is_valid(span)) {
            Some(index) => Err(MotionError::InvalidContact { index }),
            None => Ok(()),
        }
    }

    fn validate_frames(&self, character: &Character) -> Result<(), MotionError> {
        let mut before = f32::NEG_INFINITY;
        for (frame, Frame { time, configuration }) in self.frames.iter().enumerate() {
            let root = &configuration.root;
            let is_valid = configuration.angles.len() == character.hinges.len()
                && configuration.angles.iter().all(|angle| angle.abs() <= MAX_ANGLE)
                && root.translation.abs().max_element() <= MAX_COORDINATE
                && root.rotation.is_normalized()
                && time.is_finite()
                && *time >= before;
            if !is_valid {
                return Err(MotionError::InvalidFrame { frame });
            }
            before = *time;
        }
        Ok(())
    }
}

fn is_contact(contact: &Contact, character: &Character, world: &World) -> bool {
    character.effectors.get(contact.effector).is_some()
        && world.holds.get(contact.hold).is_some()
        && contact.point.abs().max_element() <= MAX_COORDINATE
        && contact.normal.is_normalized()
}

/// The number of a heuristic, beside its weight.
fn backward_factor(heuristic: &PostureHeuristic) -> f32 {
    match heuristic {
        PostureHeuristic::Upright { backward, .. } => *backward,
        _ => 1.0,
    }
}

impl ModeTable {
    /// Checks that every reference of the table exists, in it and in the character, and that its numbers are finite.
    pub fn validate(&self, character: &Character) -> Result<(), ModeTableError> {
        let body = BodyReferences(character);
        let has_span = self.span_limbs.iter().all(|limbs| body.has_limbs(limbs));
        check_references(body.has_link(self.trunk_link) && has_span, || "the body".to_owned())?;
        for group in &self.effector_groups {
            if group.effectors.is_empty() {
                return Err(ModeTableError::EmptyGroup { entry: format!("group `{}`", group.name) });
            }
            let has_effectors = group.effectors.iter().all(|&effector| character.effectors.get(effector).is_some());
            check_references(has_effectors, || format!("group `{}`", group.name))?;
        }
        for mode in &self.modes {
            self.validate_mode(mode, body)?;
        }
        self.edges.iter().try_for_each(|edge| self.validate_edge(edge, body))
    }

    fn validate_mode(&self, mode: &Mode, body: BodyReferences) -> Result<(), ModeTableError> {
        let entry = || format!("mode `{}`", mode.name);
        let mut groups =
            mode.supporting_groups.iter().map(|carrier| carrier.group).chain(mode.balance.map(|balance| balance.group));
        let has_heuristics =
            mode.posture_heuristics.iter().all(|(heuristic, _)| body.has_those_of_heuristic(heuristic));
        let has_gait = mode.walking_gait.as_ref().is_none_or(|gait| {
            body.has_limbs(&gait.swinging_limbs) && gait.level_links.iter().all(|&link| body.has_link(link))
        });
        let ReferencePosture { pitch, angles, turns_with_surface: _ } = &mode.reference_posture;
        let has_hinges = angles.iter().all(|&(hinge, _)| body.has_hinge(hinge));
        let has_body = has_heuristics && has_gait && has_hinges;
        check_references(has_body && groups.all(|group| self.has_group(group)), entry)?;
        let mut numbers = mode
            .posture_heuristics
            .iter()
            .flat_map(|(heuristic, weight)| [*weight, backward_factor(heuristic)])
            .chain([mode.acceptable_discomfort, mode.max_center_offset, mode.effort, *pitch])
            .chain(angles.iter().map(|&(_, angle)| angle))
            .chain(mode.speed);
        let is_finite = numbers.all(f32::is_finite) && mode.balance.is_none_or(|balance| balance.within.is_finite());
        if is_finite { Ok(()) } else { Err(ModeTableError::NotFinite { entry: entry() }) }
    }

    fn validate_edge(&self, edge: &Edge, body: BodyReferences) -> Result<(), ModeTableError> {
        let entry = || format!("edge `{}`", edge.name);
        let mut conditions = edge.preconditions.iter().chain(&edge.postconditions);
        let has_references = self.has_mode(edge.from)
            && self.has_mode(edge.to)
            && edge.holds_to_take.iter().all(|take| self.has_groups_of(take) && body.has_those_of_take(take))
            && edge.effects.iter().all(|effect| self.has_references_of_effect(*effect))
            && conditions
                .all(|condition| self.has_references_of_condition(condition) && body.has_those_of_condition(condition));
        check_references(has_references, entry)?;
        let is_finite = |take: &HoldToTake| {
            let lengths = take
                .min_separations
                .iter()
                .map(|apart| apart.by)
                .chain(take.max_separations.iter().map(|close| close.by));
            lengths.into_iter().all(f32::is_finite)
        };
        if edge.holds_to_take.iter().all(is_finite) {
            Ok(())
        } else {
            Err(ModeTableError::NotFinite { entry: entry() })
        }
    }

    fn has_groups_of(&self, take: &HoldToTake) -> bool {
        let others = take
            .min_separations
            .iter()
            .map(|apart| apart.from_group)
            .chain(take.max_separations.iter().map(|close| close.to_group));
        let mut groups = take.groups.iter().copied().chain(others).chain(take.held_before_retracing_by);
        groups.all(|group| self.has_group(group))
    }

    fn has_references_of_effect(&self, effect: Effect) -> bool {
        match effect {
            Effect::CorrectPosture(mode) => self.has_mode(mode),
            Effect::Detach(group) | Effect::DetachRear(group) | Effect::RetracePath(group) => self.has_group(group),
            Effect::DetachRearBySpan { if_stretched, if_bent, .. } => {
                self.has_group(if_stretched) && self.has_group(if_bent)
            }
            Effect::Attach | Effect::WanderIntoReach | Effect::TurnAround => true,
        }
    }

    fn has_references_of_condition(&self, condition: &Condition) -> bool {
        match condition {
            Condition::AllInContact(group) | Condition::AnyInContact(group) => self.has_group(*group),
            Condition::CenterBetween(balance) => self.has_group(balance.group),
            Condition::EdgeFailed { edge, .. } => self.edges.get(*edge).is_some(),
            _ => true,
        }
    }

    fn has_group(&self, group: GroupId) -> bool {
        self.effector_groups.get(group).is_some()
    }

    fn has_mode(&self, mode: ModeId) -> bool {
        self.modes.get(mode).is_some()
    }
}

/// Answers whether links and limbs that a table refers to exist in a character.
#[derive(Clone, Copy)]
struct BodyReferences<'a>(&'a Character);

impl BodyReferences<'_> {
    fn has_link(self, link: LinkId) -> bool {
        self.0.links.get(link).is_some()
    }

    fn has_hinge(self, hinge: HingeId) -> bool {
        self.0.hinges.get(hinge).is_some()
    }

    fn has_limbs(self, limbs: &[LimbId]) -> bool {
        limbs.iter().all(|&limb| self.0.limbs.get(limb).is_some())
    }

    fn has_landmark(self, landmark: &Landmark) -> bool {
        landmark.is_within(self.0.links.len(), self.0.limbs.len())
    }

    fn has_line(self, line: &BodyLine) -> bool {
        self.has_landmark(&line.from) && self.has_landmark(&line.to)
    }

    fn has_those_of_heuristic(self, heuristic: &PostureHeuristic) -> bool {
        match heuristic {
            PostureHeuristic::Balance => true,
            PostureHeuristic::AlignedWithParent(link) => self.has_link(*link),
            PostureHeuristic::BendsNearRest(limbs) | PostureHeuristic::LevelTips(limbs) => self.has_limbs(limbs),
            PostureHeuristic::Upright { line, .. } => self.has_line(line),
            PostureHeuristic::OppositeSwing { limbs, against } => self.has_limbs(limbs) && self.has_limbs(against),
            PostureHeuristic::HangDown { holding, below_holding, hanging, above_hanging } => {
                self.has_limbs(holding)
                    && self.has_limbs(hanging)
                    && self.has_landmark(below_holding)
                    && self.has_landmark(above_hanging)
            }
        }
    }

    fn has_those_of_condition(self, condition: &Condition) -> bool {
        match condition {
            Condition::RoomToStand { on, or_at } => self.has_limbs(on) && self.has_landmark(or_at),
            Condition::Higher { landmark, than } => self.has_landmark(landmark) && self.has_landmark(than),
            Condition::Upright { line, .. } => self.has_line(line),
            Condition::Stretched { limbs, .. } => self.has_limbs(limbs),
            _ => true,
        }
    }

    fn has_those_of_take(self, take: &HoldToTake) -> bool {
        take.above_landmark.iter().chain(&take.below_landmark).all(|landmark| self.has_landmark(landmark))
    }
}

fn check_references(exist: bool, entry: impl Fn() -> String) -> Result<(), ModeTableError> {
    if exist { Ok(()) } else { Err(ModeTableError::DanglingReference { entry: entry() }) }
}

impl Problem {
    /// Checks that everything the problem refers to exists and is finite, and that start and goal are postures of the character in
    /// modes of its table. Builders and readers do this, and so does every planner, since fields can be changed afterwards.
    pub fn validate(&self) -> Result<(), ProblemError> {
        self.validate_references()?;
        self.validate_posture("start", &self.start)?;
        self.validate_posture("goal", &self.goal)?;
        if self.forbidden_holds.is_sorted() { Ok(()) } else { Err(ProblemError::UnsortedForbiddenHolds) }
    }

    /// Checks only that everything the problem refers to exists and is finite, so that nothing indexes out of range.
    pub fn validate_references(&self) -> Result<(), ProblemError> {
        validate_character_and_world(&self.character, &self.world)?;
        let limit = MAX_CONTACT_TOLERANCE * self.character.body_size();
        if !(0.0..=limit).contains(&self.world.contact_tolerance) {
            return Err(ProblemError::InvalidContactTolerance { limit: format!("{limit:.4}") });
        }
        if let Some(table) = &self.modes {
            table.validate(&self.character)?;
        }
        self.validate_contacts("start", &self.start)?;
        self.validate_contacts("goal", &self.goal)?;
        self.passages.iter().try_for_each(|passage| self.validate_passage(passage))?;
        for pin in &self.pins {
            let is_valid = self.has_hold(pin.hold)
                && pin.effector.is_none_or(|effector| self.has_effector(effector))
                && pin.point.is_none_or(|point| point.is_finite());
            self.check_references(is_valid, || format!("the pin of hold {}", pin.hold.index()))?;
        }
        self.check_references(self.forbidden_holds.iter().all(|&hold| self.has_hold(hold)), || {
            "a forbidden hold".to_owned()
        })
    }

    /// Checks the number of angles and the contacts.
    fn validate_contacts(&self, name: &'static str, posture: &Posture) -> Result<(), ProblemError> {
        let (angles, hinges) = (posture.configuration.angles.len(), self.character.hinges.len());
        if angles != hinges {
            let reason = format!("it has {angles} angles for {hinges} hinges");
            return Err(ProblemError::InvalidConfiguration { posture: name, reason });
        }
        for (index, contact) in posture.stance.iter().enumerate() {
            let is_valid = is_contact(contact, &self.character, &self.world);
            self.check_references(is_valid, || format!("contact {index} of the {name}"))?;
        }
        Ok(())
    }

    /// Checks the configuration, the mode, and that no effector has two contacts.
    fn validate_posture(&self, name: &'static str, posture: &Posture) -> Result<(), ProblemError> {
        let invalid = |reason| ProblemError::InvalidConfiguration { posture: name, reason };
        posture.configuration.check(&self.character).map_err(invalid)?;
        let is_known = posture.mode_name == FLYING_MODE
            || self.modes.as_ref().is_some_and(|modes| modes.find_mode(&posture.mode_name).is_some());
        if !is_known {
            return Err(ProblemError::UnknownMode { posture: name, mode: posture.mode_name.clone() });
        }
        let is_repeated = |(index, contact): &(usize, &Contact)| {
            posture.stance[..*index].iter().any(|other| other.effector == contact.effector)
        };
        match posture.stance.iter().enumerate().find(is_repeated) {
            Some((_, contact)) => {
                let effector = self.character.effectors[contact.effector].name.clone();
                Err(ProblemError::DuplicateContact { posture: name, effector })
            }
            None => Ok(()),
        }
    }

    fn validate_passage(&self, passage: &Passage) -> Result<(), ProblemError> {
        let failed = |reason| ProblemError::InvalidPassage { passage: passage.name.clone(), reason };
        passage.motion.validate(&self.character, &self.world).map_err(failed)?;
        let margin = Vec3::splat(self.character.body_size());
        let (min, max) = (self.world.min - margin, self.world.max + margin);
        let is_inside = |frame: &Frame| {
            let place = frame.configuration.root.translation;
            min.cmple(place).all() && place.cmple(max).all()
        };
        match passage.motion.frames.iter().all(is_inside) {
            true => Ok(()),
            false => Err(ProblemError::PassageOutsideWorld { passage: passage.name.clone() }),
        }
    }

    fn check_references(&self, exist: bool, entry: impl Fn() -> String) -> Result<(), ProblemError> {
        if exist { Ok(()) } else { Err(ProblemError::DanglingReference { entry: entry() }) }
    }

    fn has_hold(&self, hold: HoldId) -> bool {
        self.world.holds.get(hold).is_some()
    }

    fn has_effector(&self, effector: EffectorId) -> bool {
        self.character.effectors.get(effector).is_some()
    }
}
