//! A plan that is made a little at a time.

use clamber_model::collision::CollisionWorkspace;
use clamber_model::kinematics::{Ends, travel};
use clamber_model::{Configuration, ModeTable, Motion, Problem};

use super::{outcome, refuse};
use crate::budget::{Phase, Progress};
use crate::failure::{Failure, Outcome};
use crate::local_planner::LocalPlanner;
use crate::settings::{PlanSettings, Planner};
use crate::smoothing::body;
use crate::stance::StanceSearch;
use crate::waypoint::{Waypoint, motion_of};

/// A plan on holds that is made a little at a time, so that a game can spread it over frames, or keep it in a task of its own.
///
/// However it is sliced, the outcome is the one that [`plan`](crate::plan) returns with [`Planner::Stance`].
///
/// ```no_run
/// # fn example(problem: &clamber_model::Problem) -> Result<(), clamber_plan::Failure> {
/// use clamber_plan::{PlanSettings, StancePlan};
/// let settings = PlanSettings::default();
/// let mut plan = StancePlan::new(problem, &settings, 1)?;
/// while !plan.advance(200) {
///     println!("{:.0}% of the way", 100.0 * plan.progress().share);
/// }
/// let outcome = plan.finish();
/// # Ok(())
/// # }
/// ```
pub struct StancePlan<'a> {
    search: StanceSearch<'a>,
}

impl<'a> StancePlan<'a> {
    /// Begins a plan; fails where no search is worth beginning: a setting is senseless, or the start or the goal is itself
    /// impossible. Whichever planner the settings name, it is [`Planner::Stance`].
    pub fn new(problem: &'a Problem, settings: &'a PlanSettings, seed: u64) -> Result<Self, Failure> {
        let on_stances = PlanSettings { planner: Planner::Stance, ..*settings };
        match (refuse(problem, &on_stances, &mut CollisionWorkspace::default()), problem.modes.as_deref()) {
            (Some(failure), _) => Err(failure),
            (None, None) => Err(Failure::NoModes),
            (None, Some(table)) => Ok(Self::begin(problem, table, settings, seed)),
        }
    }

    /// Begins a plan that was not refused.
    pub(super) fn begin(problem: &'a Problem, table: &'a ModeTable, settings: &'a PlanSettings, seed: u64) -> Self {
        Self { search: StanceSearch::new(problem, table, settings, seed) }
    }

    /// Goes on until about this many configurations more were tried, at least one; true when the plan is done. What is begun is
    /// brought to its end, so that it may be some hundreds more.
    pub fn advance(&mut self, expansions: u64) -> bool {
        let until = self.search.mover.meter.expansions.saturating_add(expansions.max(1));
        loop {
            if self.search.advance(1) {
                return true;
            }
            if self.search.mover.meter.expansions >= until {
                return false;
            }
        }
    }

    /// How it is going.
    pub fn progress(&self) -> Progress {
        let expansions = self.search.mover.meter.expansions;
        Progress { phase: Phase::Search, share: self.search.share(), expansions, backtracks: 0 }
    }

    /// The motion that leads nearest to the goal, of all that were found so far; it begins at the start. When the plan is done and
    /// did not fail, it is the motion to the goal.
    pub fn best(&self) -> Motion {
        let LocalPlanner { problem, table, settings, .. } = self.search.mover;
        motion_on(problem, table, settings, self.search.best())
    }

    /// What came of it; a plan that is not done was [cancelled](Failure::Cancelled).
    pub fn finish(mut self) -> Outcome {
        let failure = match self.search.result() {
            None => Some(Failure::Cancelled),
            Some(result) => result.clone().err(),
        };
        let mut statistics = self.search.statistics();
        let way = self.search.take_best();
        statistics.raw_frames = way.len() as u64;
        let LocalPlanner { problem, table, settings, ref collision, .. } = self.search.mover;
        outcome(motion_on(problem, table, settings, way), failure, statistics, collision)
    }
}

/// The motion along a way that was found. What a way of many frames takes is given back as soon as it is not needed.
fn motion_on(problem: &Problem, table: &ModeTable, settings: &PlanSettings, way: Vec<Waypoint>) -> Motion {
    // The search's own steps are no longer than a frame's but for their arcs.
    let spacing = 1.15 * settings.frame_step;
    let mut ends = Ends::default();
    let mut measure = |step: [&Configuration; 2]| travel(&problem.character, step, &mut ends);
    let sampled = body::resample(&problem.character, &way, spacing, &mut measure);
    drop(way);
    motion_of(&problem.character, table, &sampled, settings.frames_per_second)
}

/// A plan may be made on any thread, and on another one at a time.
const _: () = {
    const fn can_be_sent<T: Send>() {}
    can_be_sent::<StancePlan<'static>>();
};
