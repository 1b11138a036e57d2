//! The state of the published search, and the steps that its stages share.

use std::sync::Arc;

use clamber_model::id::{EdgeId, ModeId, TiVec};
use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::problem::Posture;
use clamber_model::world::Grid;
use clamber_model::{Configuration, Contact, Problem};

use super::tuning;
use crate::budget::Interrupt;
use crate::distance_to_goal_map::DistanceMap;
use crate::failure::Failure;
use crate::local_planner::LocalPlanner;
use crate::plan::Statistics;
use crate::search_tuning::MAX_CELLS;
use crate::settings::ResolvedSettings;
use crate::waypoint::Waypoint;

/// The state of the published search.
pub(crate) struct RppSearch {
    pub local: LocalPlanner,
    /// Distances to the goal of the current subproblem.
    pub(super) guide: DistanceMap,
    pub(super) path: Vec<Waypoint>,
    /// Index of the first waypoint of the current subproblem; backtracking stays behind it.
    pub(super) subproblem_start: usize,
    /// The path that ended nearest to the goal of the current subproblem, and its distance.
    pub(super) nearest: (f32, Vec<Waypoint>),
    /// For each edge, how often in a row it found its holds but failed its final conditions.
    pub(super) failures: TiVec<EdgeId, usize>,
    /// Steps since the distance to the goal last reached a new minimum, and that minimum.
    pub(super) since_progress: (usize, f32),
    /// Backtracks since then, and the minimum when they were first counted.
    pub(super) recent_backtracks: (u32, f32),
    pub(super) statistics: Statistics,
    pub(super) neighbors: Vec<Configuration>,
    pub(super) order: Vec<(f32, usize)>,
    /// The current subproblem: its index among the passages, with the goal last, and the posture that ends it.
    pub(super) subproblem: usize,
    pub(super) goal: Posture,
    /// Distance to that goal at the start of the subproblem and after the last step.
    pub(super) start_distance: f32,
    pub(super) distance: f32,
    /// The stance from which the goal's own contacts were last tried.
    pub(super) arrival_tried: Option<Arc<[Contact]>>,
    pub(super) result: Option<Result<(), Failure>>,
}

/// The contacts of an edge whose effects run.
#[derive(Clone, Default)]
pub(super) struct EdgeContacts {
    /// Those just made for its takes.
    pub found: Vec<Contact>,
    /// The contact that a group released when the character backed up.
    pub left: Option<Contact>,
}

impl RppSearch {
    pub(super) fn here(&self) -> &Waypoint {
        &self.path[self.path.len() - 1]
    }

    /// The distance to the goal along the guide. Updates the frames of the projection to the end of the path.
    pub(super) fn distance_here(&mut self) -> f32 {
        let center = self.local.center_of(&self.path[self.path.len() - 1].configuration);
        self.guide.distance(center)
    }

    pub(super) fn note_progress(&mut self, here: f32) {
        let (steps, least) = &mut self.since_progress;
        if here < *least - tuning::MIN_PROGRESS * self.local.settings.size {
            (*steps, *least) = (0, here);
        } else {
            *steps += 1;
        }
    }

    /// Appends a configuration on the same contacts.
    pub(super) fn push(&mut self, configuration: Configuration, is_random: bool) {
        let waypoint = Waypoint { configuration, is_random, is_fixed: false, ..self.here().clone() };
        self.path.push(waypoint);
    }

    /// Gives the last waypoint, where a limb reached its hold, the stance before and the new contact.
    pub(super) fn attach(&mut self, stance: &[Contact], contact: Contact) {
        let mut stance = stance.to_vec();
        stance.push(contact);
        stance.sort_by_key(|contact| contact.effector);
        let last = self.path.len() - 1;
        self.path[last].stance = stance.into();
    }

    /// Posture correction by the heuristics of a mode.
    pub(super) async fn correct(&mut self, mode: ModeId) -> Result<(), Interrupt> {
        let Waypoint { configuration, stance, .. } = self.here().clone();
        for configuration in self.local.correct(&configuration, &stance, mode).await? {
            self.push(configuration, false);
        }
        Ok(())
    }

    /// A random walk on the contacts that stops once it is nearer to the goal than `until_below`; returns the distance at its
    /// end.
    pub(super) async fn walk(&mut self, draws: usize, until_below: f32) -> Result<f32, Interrupt> {
        let mut distance = self.distance_here();
        let mut next = self.here().configuration.clone();
        for _ in 0..draws {
            self.local.budget.spend(1).await?;
            let Waypoint { configuration, stance, .. } = &self.path[self.path.len() - 1];
            if self.local.sample_free(configuration, stance, &mut next) {
                self.push(next.clone(), true);
                distance = self.distance_here();
                if distance < until_below {
                    break;
                }
            }
        }
        Ok(distance)
    }

    pub(super) fn remember_nearest(&mut self) {
        let here = self.distance_here();
        if here < self.nearest.0 || self.nearest.1.is_empty() {
            self.nearest = (here, self.path.clone());
        }
    }
}

/// The guide between the centers of mass of two postures.
pub(super) async fn guide_to(problem: &Problem, settings: &ResolvedSettings, postures: [&Posture; 2]) -> DistanceMap {
    let Problem { world, character, .. } = problem;
    let mut frames = LinkFrames::default();
    let [start, goal] = postures.map(|posture| {
        forward(character, &posture.configuration, &mut frames);
        center_of_mass(character, &frames)
    });
    let grid = Grid::covering(world.min, world.max, settings.cell_size, MAX_CELLS);
    DistanceMap::new(world, grid, settings.occupancy, start, goal).await
}
