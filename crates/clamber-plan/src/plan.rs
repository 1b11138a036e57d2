//! The result of planning.

use clamber_model::Motion;

use crate::failure::Failure;

/// A motion that reaches the goal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The motion from the start to the goal.
    pub motion: Motion,
    /// The work it took.
    pub statistics: Statistics,
}

/// Why the planner did not reach the goal, and how far it got.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct PlanError {
    /// Why there is no plan.
    pub reason: Failure,
    /// The work that was done.
    pub statistics: Statistics,
    /// The motion that ended nearest to the goal. It begins at the start, and may be the start alone.
    pub partial_motion: Box<Motion>,
}

/// A [`Plan`] or [`PlanError`] as one type, for callers that use the motion in either case.
#[derive(Clone, Debug)]
pub struct PlanOutcome {
    /// From the start to the goal; on failure, the motion that ended nearest to it.
    pub motion: Motion,
    /// Why there is no plan; `None` if there is one.
    pub failure: Option<Failure>,
    /// The work that was done.
    pub statistics: Statistics,
}

impl PlanOutcome {
    pub(crate) fn into_result(self) -> Result<Plan, PlanError> {
        let Self { motion, failure, statistics } = self;
        match failure {
            None => Ok(Plan { motion, statistics }),
            Some(reason) => Err(PlanError { reason, statistics, partial_motion: Box::new(motion) }),
        }
    }
}

impl From<Result<Plan, PlanError>> for PlanOutcome {
    fn from(result: Result<Plan, PlanError>) -> Self {
        match result {
            Ok(Plan { motion, statistics }) => Self { motion, failure: None, statistics },
            Err(PlanError { reason, statistics, partial_motion: partial }) => {
                Self { motion: *partial, failure: Some(reason), statistics }
            }
        }
    }
}

/// Counts of the work done. The same problem, settings and seed give the same counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Statistics {
    /// Configurations tried.
    pub expansions: u64,
    /// Configurations checked for collisions, including those between two others.
    pub collision_checks: u64,
    /// Exact distance queries of single capsules; the distance field decides the other ones.
    pub engine_queries: u64,
    /// Edges of the mode table taken.
    pub mode_edges_taken: u64,
    /// Steps of descent taken.
    pub descent_steps: u64,
    /// Random walks begun.
    pub walks: u64,
    /// Random walks that escaped their local minimum.
    pub walks_escaped: u64,
    /// Backtracks to an earlier configuration.
    pub backtracks: u64,
    /// Configurations of the path before smoothing and resampling.
    pub raw_frames: u64,
    /// Frames of the motion.
    pub frames: u64,
}

impl Statistics {
    /// Adds the work of an earlier try whose motion was discarded.
    pub fn add_effort(&mut self, earlier: &Self) {
        let Self {
            expansions,
            collision_checks,
            engine_queries,
            mode_edges_taken,
            descent_steps,
            walks,
            walks_escaped,
            backtracks,
            raw_frames: _,
            frames: _,
        } = *earlier;
        self.expansions += expansions;
        self.collision_checks += collision_checks;
        self.engine_queries += engine_queries;
        self.mode_edges_taken += mode_edges_taken;
        self.descent_steps += descent_steps;
        self.walks += walks;
        self.walks_escaped += walks_escaped;
        self.backtracks += backtracks;
    }
}
