//! What a plan returns.

use clamber_model::Motion;
use clamber_model::math::Vec3;
use clamber_model::world::HoldType;

/// A motion, or why there is none; with statistics in either case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The motion from start to goal; where there is a failure, as far as it got.
    pub motion: Motion,
    /// Why the goal was not reached, if it was not.
    pub failure: Option<Failure>,
    /// What it took.
    pub statistics: Statistics,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A setting is outside its limits.
    #[error("the setting `{setting}` must be {limit}")]
    BadSetting {
        /// The field of [`PlanSettings`](crate::PlanSettings).
        setting: &'static str,
        /// What it may be.
        limit: &'static str,
    },
    /// The start or the goal is too near to an obstacle, or inside.
    #[error(
        "the {posture} posture {}: link `{link}`, obstacle `{obstacle}`",
        touching(*.distance)
    )]
    Collides {
        /// `start`, `goal`, or which frame of which passage.
        posture: String,
        /// The link that is worst off.
        link: String,
        /// What it is too near to.
        obstacle: String,
        /// In metres; negative is how deep it is inside.
        distance: f32,
    },
    /// The start or the goal is not a configuration of the character.
    #[error("the {posture} posture is not one of the character's: {reason}")]
    BadPosture {
        /// `start` or `goal`.
        posture: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A search on contacts needs to know how the character may move.
    #[error("the character has no mode table, so it cannot move on holds; write one beside its file, or let it fly")]
    NoModes,
    /// A search on contacts begins and ends with some.
    #[error("the {posture} posture holds on to nothing; give it `contacts`, or let the character fly")]
    NoContacts {
        /// `start` or `goal`.
        posture: &'static str,
    },
    /// A hold is pinned, and the search does not see to it that such are held.
    #[error(
        "hold `{hold}` is pinned, and this search does not look for pinned holds; \
         plan with the stance planner (`--planner stance`), or leave the pin out"
    )]
    NoPins {
        /// The first such hold's name.
        hold: String,
    },
    /// The centre of mass is outside the region.
    #[error("the {posture} posture's centre of mass is outside the scene's bounds, at ({x:.2}, {y:.2}, {z:.2})")]
    OutOfBounds {
        /// `start` or `goal`.
        posture: &'static str,
        /// In metres.
        x: f32,
        /// In metres.
        y: f32,
        /// In metres.
        z: f32,
    },
    /// The map of free cells does not connect start and goal.
    #[error("obstacles close every way from the start to the goal, as seen at cells of {cell:.2} m")]
    NoWay {
        /// The side of a cell, in metres.
        cell: f32,
    },
    /// The budget was spent.
    #[error(
        "no way was found after {expansions} configurations and {backtracks} times going back; \
         the nearest was {remaining:.2} m of way from the goal"
    )]
    BudgetSpent {
        /// Configurations tried.
        expansions: u64,
        /// Times the search went back.
        backtracks: u64,
        /// The least distance to the goal, along the guide, at which a way ended, in metres.
        remaining: f32,
    },
    /// Every way ends somewhere.
    #[error("{0}")]
    Impasse(Impasse),
    /// The observer stopped it.
    #[error("the plan was stopped")]
    Cancelled,
}

/// Where the best way ends, and what would have to change for it to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Impasse {
    /// Where, in metres: the hold that is out of reach, or the place that is blocked.
    pub place: Vec3,
    /// The mode's name in which the character got there.
    pub mode: String,
    /// What is in the way or missing.
    pub cause: Cause,
}

/// What is in the way or missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The next hold on the way is farther than the character reaches.
    TooFar {
        /// The group whose effectors would have to take it, as the mode table names it.
        group: String,
        /// The hold from which it would be reached.
        from: String,
        /// The hold that is too far.
        to: String,
        /// Its type.
        hold_type: HoldType,
        /// From hold to hold, in metres.
        distance: f32,
        /// What the character reaches from there, in metres.
        reach: f32,
    },
    /// A hold is near enough, but an obstacle leaves no room for the body to get to it.
    Blocked {
        /// The obstacle.
        obstacle: String,
        /// The link that does not get past it.
        link: String,
        /// How deep the link would be inside in the best posture found, in metres.
        by: f32,
        /// The hold beyond.
        to: String,
    },
    /// Holds are in reach and nothing is in the way, but no posture on them lets the character go on.
    NoPosture {
        /// The hold from which it would go on.
        from: String,
        /// The next hold on the way.
        to: String,
    },
}

impl std::fmt::Display for Impasse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (x, y) = (self.place.x, self.place.y);
        write!(f, "no way on at ({x:.2}, {y:.2}), {}: ", self.mode)?;
        match &self.cause {
            Cause::TooFar { group, from, to, hold_type, distance, reach } => write!(
                f,
                "the next {} hold, `{to}`, is {distance:.2} m from `{from}`, and the {group} reach {reach:.2} m",
                hold_type.word()
            ),
            Cause::Blocked { obstacle, link, by, to } => write!(
                f,
                "obstacle `{obstacle}` is in the way of the {link} by {by:.2} m, so that hold `{to}` is not reached"
            ),
            Cause::NoPosture { from, to } => {
                write!(f, "no posture was found in which the character gets from hold `{from}` to hold `{to}`")
            }
        }
    }
}

fn touching(distance: f32) -> String {
    if distance < 0.0 {
        format!("is {:.1} mm inside an obstacle", -1000.0 * distance)
    } else {
        format!("is only {:.1} mm away from an obstacle", 1000.0 * distance)
    }
}

/// Counts of what a plan took. They are part of the answer: the same seed gives the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Configurations tried.
    pub expansions: u64,
    /// Configurations looked at by the collision check, those between others included.
    pub collision_checks: u64,
    /// Capsules for which the collision engine had to be asked.
    pub engine_queries: u64,
    /// Edges of the mode table taken.
    pub edges: u64,
    /// Steps of descent taken.
    pub descents: u64,
    /// Random walks begun.
    pub walks: u64,
    /// Random walks that led lower than where they began.
    pub walks_escaped: u64,
    /// Times the search went back to an earlier configuration.
    pub backtracks: u64,
    /// Configurations of the way as it was found.
    pub raw_frames: u64,
    /// Frames of the motion.
    pub frames: u64,
}

impl Statistics {
    /// Adds what an earlier try took, whose motion was given up.
    pub(crate) fn add_effort(&mut self, earlier: &Self) {
        let Self {
            expansions,
            collision_checks,
            engine_queries,
            edges,
            descents,
            walks,
            walks_escaped,
            backtracks,
            raw_frames: _,
            frames: _,
        } = *earlier;
        self.expansions += expansions;
        self.collision_checks += collision_checks;
        self.engine_queries += engine_queries;
        self.edges += edges;
        self.descents += descents;
        self.walks += walks;
        self.walks_escaped += walks_escaped;
        self.backtracks += backtracks;
    }
}
