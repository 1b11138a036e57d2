//! What a plan may be told.

use clamber_model::Problem;
use clamber_model::character::Root;
use clamber_model::collision::Clearance;

/// When a cell of the guide's map counts as occupied (thesis 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// When more than half of it is inside obstacles: narrow bounds stay open. Walls thinner than half a cell and open
    /// meshes have no inside to speak of and go unseen; the search then learns of them as dead ends. Collisions are
    /// judged exactly in either case; the map only guides.
    Area,
    /// When an obstacle touches it at all: the guide keeps away from narrow bounds.
    Conservative,
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
}

/// Settings of the planners. The defaults suit characters of 0.5 to 3 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanSettings {
    /// Which algorithm searches for the motion. Default [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// The side of a cell of the guide's map, in meters; at least 0.001. Default 0.1.
    pub cell: f32,
    /// The most cells of the map, at least 1; beyond, cells are made larger. Default 4 million.
    pub max_cells: usize,
    /// When a cell counts as occupied. Default [`Occupancy::Area`].
    pub occupancy: Occupancy,
    /// The most that a change of one coordinate moves any point of the character, in meters; at least 0.001.
    /// Default 0.1.
    pub step: f32,
    /// How much more often a hinge turns toward its rest angle than away from it, from 0 (equally often, as
    /// published) to 1 (always). Planar characters that hold on to something have it at 0. Default 0.3.
    pub relax: f32,
    /// Neighbours looked at for one step of the descent, at least 1. Default 40.
    pub max_neighbors: usize,
    /// Random walks tried at a local minimum before the search goes back. Default 12.
    pub max_walks: usize,
    /// The most steps of a random walk. Default 120.
    pub walk_length: usize,
    /// Whether the guide remembers where the search got stuck and comes to prefer other bounds; the published planner's
    /// does not. Default true.
    pub mark_dead_ends: bool,
    /// Times that the search may go back. Default unlimited.
    pub max_backtracks: u64,
    /// Configurations tried before giving up. Default 6 million.
    pub max_expansions: u64,
    /// The distance kept from obstacles while flying. Default [`Clearance::default`].
    pub clearance: Clearance,
    /// The distance kept from obstacles while projection on, which lets contacts touch. Capsules are round, so that between
    /// two looks a body that slides over an edge dips far less than the slack. Default -0.0005 with a slack of 0.01.
    pub contact_clearance: Clearance,
    /// Neighbours looked at for one step of posture correction, at least 1. Default 60.
    pub max_samples: usize,
    /// Random walks tried at a local minimum of the discomfort. Default 3.
    pub comfort_walks: usize,
    /// Steps of such a walk. Default 8.
    pub comfort_walk_length: usize,
    /// Holds tried for one step or transition, at least 1. Default 4.
    pub max_holds: usize,
    /// How far from the goal, along the guide, the last steps into the goal's own contacts are tried, in meters. Default
    /// 0.6.
    pub arrival: f32,
    /// The most that any point moves between two frames, in meters; at least 0.001. Default 0.12.
    pub frame_step: f32,
    /// How many frames of the motion make a second; at least 0.001. Default 30.
    pub frames_per_second: f32,
    /// Whether the path is straightened after it was found. Default true.
    pub smooth: bool,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            cell: 0.1,
            max_cells: 4_000_000,
            occupancy: Occupancy::Area,
            step: 0.1,
            relax: 0.3,
            max_neighbors: 40,
            max_walks: 12,
            walk_length: 120,
            mark_dead_ends: true,
            max_backtracks: u64::MAX,
            max_expansions: 6_000_000,
            clearance: Clearance::default(),
            contact_clearance: Clearance::IN_CONTACT,
            max_samples: 60,
            comfort_walks: 3,
            comfort_walk_length: 8,
            max_holds: 4,
            arrival: 0.6,
            frame_step: 0.12,
            frames_per_second: 30.0,
            smooth: true,
        }
    }
}

impl PlanSettings {
    /// The algorithm that solves a problem.
    pub(crate) fn algorithm_for(&self, problem: &Problem) -> Algorithm {
        match self.algorithm {
            Algorithm::Auto if problem.start.stance.is_empty() => Algorithm::Flight,
            // In space, solved postures have no heading to keep yet, and few paths are found.
            Algorithm::Auto if problem.character.root != Root::Planar => Algorithm::Rpp,
            Algorithm::Auto => Algorithm::Stance,
            named => named,
        }
    }

    /// The first setting that is outside its limits, and the limit.
    pub(crate) fn out_of_limits(&self) -> Option<(&'static str, &'static str)> {
        // Written so that not-a-number is out of limits too.
        let at_least = |value: f32, least: f32| value >= least && value.is_finite();
        let settings = [
            (at_least(self.cell, 0.001), "cell", "at least 0.001"),
            (self.max_cells >= 1, "max_cells", "at least 1"),
            (at_least(self.step, 0.001), "step", "at least 0.001"),
            ((0.0..=1.0).contains(&self.relax), "relax", "from 0 to 1"),
            (self.max_neighbors >= 1, "max_neighbors", "at least 1"),
            (self.clearance.margin.is_finite(), "clearance.margin", "a finite number"),
            (at_least(self.clearance.slack, 1e-5), "clearance.slack", "at least 0.00001"),
            (self.contact_clearance.margin.is_finite(), "contact_clearance.margin", "a finite number"),
            (at_least(self.contact_clearance.slack, 1e-5), "contact_clearance.slack", "at least 0.00001"),
            (self.max_samples >= 1, "max_samples", "at least 1"),
            (self.max_holds >= 1, "max_holds", "at least 1"),
            (at_least(self.arrival, 0.0), "arrival", "at least 0"),
            (at_least(self.frame_step, 0.001), "frame_step", "at least 0.001"),
            (at_least(self.frames_per_second, 0.001), "frames_per_second", "at least 0.001"),
        ];
        settings.into_iter().find(|(within, ..)| !within).map(|(_, name, limit)| (name, limit))
    }
}
