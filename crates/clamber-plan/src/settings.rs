//! Settings of a plan.

use clamber_model::Problem;
use clamber_model::character::{REFERENCE_BODY_SIZE, RootJoint};
use clamber_model::obstacle_collision::Clearance;

use crate::search_tuning;

/// When a cell of the guide's map counts as occupied (thesis 3.4). Collisions are checked exactly in either case; the map
/// only guides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OccupancyRule {
    /// When more than half of it is inside obstacles. Narrow gaps stay open. Walls thinner than half a cell and open meshes
    /// go unseen; the search then learns them as dead ends.
    MajorityInside,
    /// When an obstacle touches it. The guide avoids narrow gaps.
    AnyOverlap,
}

/// Which algorithm searches for the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// [`Algorithm::Flight`] where the start has no contacts, otherwise [`Algorithm::Stance`] in the plane and
    /// [`Algorithm::Rpp`] in space.
    Auto,
    /// Free space, without contacts.
    Flight,
    /// Best-first search over stances.
    Stance,
    /// The published grasp-based planner: modes, descent, random walks, backtracking.
    Rpp,
    /// A yardstick for [`Algorithm::Stance`]: the same search with straight distances to the goal instead of the guide's costs, and
    /// without lazy evaluation. Expanding a node computes the postures and paths of all its successors.
    PlainStance,
}

/// Settings of the planner.
///
/// Lengths are in body sizes ([`Character::body_size`](clamber_model::Character::body_size)), so the defaults suit characters of any
/// size. Start from the default and change fields:
///
/// ```
/// use clamber_plan::{Algorithm, PlanSettings};
///
/// let mut settings = PlanSettings::default();
/// settings.algorithm = Algorithm::Rpp;
/// settings.smooth = false;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlanSettings {
    /// Which algorithm searches for the motion. Default [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Configurations tried before the planner gives up. Default 6 million.
    pub max_expansions: u64,
    /// Backtracks before the flight planner or the published planner gives up; 0 leaves descents and random walks only.
    /// Default unlimited.
    pub max_backtracks: u64,
    /// The side of a cell of the guide's map, in body sizes; at least 0.001. Large worlds get larger cells, since a map has at
    /// most 4 million. Default 0.099, which is 0.1 m for the shipped figure.
    pub cell_size: f32,
    /// When a cell counts as occupied. Default [`OccupancyRule::MajorityInside`].
    pub occupancy_rule: OccupancyRule,
    /// The distance kept from obstacles in flight, in body sizes. Default [`Clearance::default`].
    pub flight_clearance: Clearance,
    /// The distance kept from obstacles on contacts, in body sizes. Default [`Clearance::ON_CONTACTS`].
    pub stance_clearance: Clearance,
    /// The farthest that any point moves between two frames, in body sizes; at least 0.001. Default 0.119, which is 0.12 m for
    /// the shipped figure.
    pub max_frame_displacement: f32,
    /// Frames per second of the motion; at least 0.001. Lowered if points that move by `max_frame_displacement` in a frame would
    /// be faster than 0.8 of the root's speed limit ([`RootMotionLimits::speed`](clamber_model::character::RootMotionLimits::speed)), which
    /// is 4.8 m/s for the shipped figure. Default 30.
    pub frames_per_second: f32,
    /// Whether the path is shortened and evened after it was found. Default true.
    pub smooth: bool,
    /// Whether the contacts carry the body at every moment, within what its mode allows
    /// ([`Mode::max_center_offset`](clamber_model::mode_table::Mode::max_center_offset)). Only the stance search keeps it; what it
    /// plans claims it ([`Motion::in_equilibrium`](clamber_model::Motion::in_equilibrium)). Default true: without it, planning is two
    /// to three times faster, and bodies lean where nobody could.
    pub equilibrium: bool,
    /// How much seeds differ, from 0 to 1: holds get random costs of up to this share of a long step's gain. Only the stance search has
    /// it. Default 0: all seeds look for the best motion, and many find the same.
    pub variety: f32,
    /// Whether each contact of the goal is made with its own effector only, at a place that no other occupies. At the end of a motion,
    /// another effector of the group may stand in and then hand over its place; inside a motion, no edge of a mode table allows it.
    pub(crate) exact_arrival: bool,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            max_expansions: 6_000_000,
            max_backtracks: u64::MAX,
            cell_size: 0.1 / REFERENCE_BODY_SIZE,
            occupancy_rule: OccupancyRule::MajorityInside,
            flight_clearance: Clearance::default(),
            stance_clearance: Clearance::ON_CONTACTS,
            max_frame_displacement: 0.12 / REFERENCE_BODY_SIZE,
            frames_per_second: 30.0,
            smooth: true,
            equilibrium: true,
            variety: 0.0,
            exact_arrival: false,
        }
    }
}

impl Algorithm {
    /// Whether it is a best-first search over stances, the default one or its yardstick.
    pub(crate) fn searches_stances(self) -> bool {
        matches!(self, Self::Stance | Self::PlainStance)
    }
}

impl PlanSettings {
    /// The algorithm that solves a problem: resolves [`Algorithm::Auto`].
    pub fn algorithm_for(&self, problem: &Problem) -> Algorithm {
        match self.algorithm {
            Algorithm::Auto if problem.start.stance.is_empty() => Algorithm::Flight,
            Algorithm::Auto => Algorithm::Stance,
            named => named,
        }
    }

    /// The first setting that is outside its limits, and the limit.
    pub(crate) fn out_of_limits(&self) -> Option<(&'static str, &'static str)> {
        // Written so that not-a-number is out of limits too.
        let at_least = |value: f32, least: f32| value >= least && value.is_finite();
        let settings = [
            (at_least(self.cell_size, 0.001), "cell_size", "at least 0.001"),
            (self.flight_clearance.margin.is_finite(), "flight_clearance.margin", "a finite number"),
            (
                at_least(self.flight_clearance.interpolation_tolerance, 1e-5),
                "flight_clearance.interpolation_tolerance",
                "at least 0.00001",
            ),
            (self.stance_clearance.margin.is_finite(), "stance_clearance.margin", "a finite number"),
            (
                at_least(self.stance_clearance.interpolation_tolerance, 1e-5),
                "stance_clearance.interpolation_tolerance",
                "at least 0.00001",
            ),
            (at_least(self.max_frame_displacement, 0.001), "max_frame_displacement", "at least 0.001"),
            (at_least(self.frames_per_second, 0.001), "frames_per_second", "at least 0.001"),
            ((0.0..=1.0).contains(&self.variety), "variety", "from 0 to 1"),
        ];
        settings.into_iter().find(|(within, ..)| !within).map(|(_, name, limit)| (name, limit))
    }

    /// The clearance of a body on contacts, in meters. In the plane all paths of a limb pass an edge on the same side, so a coarse check
    /// between two configurations is enough; in space a hand can cut through the corner of a thin plate.
    fn contact_clearance(&self, problem: &Problem) -> Clearance {
        let Problem { world, character, .. } = problem;
        let mut clearance = self.stance_clearance.for_contacts_in(world, character);
        if character.root_joint == RootJoint::Free {
            let finest = search_tuning::TOLERANCE_IN_SPACE * character.body_size();
            clearance.interpolation_tolerance = clearance.interpolation_tolerance.min(finest);
        }
        clearance
    }

    /// The settings for one character in one world, lengths in meters.
    pub(crate) fn resolve(&self, problem: &Problem) -> ResolvedSettings {
        let character = &problem.character;
        let size = character.body_size();
        let max_speed = search_tuning::MAX_SPEED * character.root_motion_limits.speed;
        ResolvedSettings {
            size,
            max_backtracks: self.max_backtracks,
            cell_size: size * self.cell_size,
            occupancy: self.occupancy_rule,
            flight_clearance: self.flight_clearance.scaled(size),
            stance_clearance: self.contact_clearance(problem),
            step: size * search_tuning::STEP,
            max_frame_displacement: size * self.max_frame_displacement,
            frames_per_second: self.frames_per_second.min(max_speed / (size * self.max_frame_displacement)),
            smooth: self.smooth,
            equilibrium: self.equilibrium && self.algorithm_for(problem).searches_stances(),
            is_plain: self.algorithm == Algorithm::PlainStance,
            variety: self.variety,
            exact_arrival: self.exact_arrival,
        }
    }
}

/// The settings for one character, lengths in meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolvedSettings {
    /// [`Character::body_size`], the unit of the tuning lengths.
    pub size: f32,
    pub max_backtracks: u64,
    pub cell_size: f32,
    pub occupancy: OccupancyRule,
    pub flight_clearance: Clearance,
    pub stance_clearance: Clearance,
    /// The farthest that a sampled change of one coordinate moves any point.
    pub step: f32,
    pub max_frame_displacement: f32,
    pub frames_per_second: f32,
    pub smooth: bool,
    pub equilibrium: bool,
    /// Whether the stance search is the plain one ([`Algorithm::PlainStance`]).
    pub is_plain: bool,
    pub variety: f32,
    pub exact_arrival: bool,
}
