//! Steps: a new posture, and the path to it.
//!
//! The checks go from cheap to expensive: the posture solver, balance and the trunk's conditions, then the path. The solver
//! starts from the current posture, then with the moving limb tucked, since a straight limb may not find the direction in which
//! it bends. A thorough attempt starts from the likeliest of many random postures instead. A step without a mode changes the
//! posture as little as possible: drawn to comfort, a climber would hang down from every hold.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::mode_table::{Balance, Condition};
use clamber_model::{Configuration, Contact};

use super::node::add_contacts;
use super::search_state::StanceSearch;
use crate::transition::transition_problem::{Effort, PostureChange};
use crate::waypoint::{Locomotion, Waypoint};
use clamber_posture::solver::{PostureReference, PostureTasks};

/// A change of posture, with or without a new contact.
pub(super) struct Step<'a> {
    /// The contacts held throughout.
    pub stance: &'a [Contact],
    /// The contact that the step makes.
    pub adds: Option<Contact>,
    /// The mode whose comfort the posture aims for; without one, the posture changes as little as possible.
    pub mode: Option<ModeId>,
    /// Balance required at the end.
    pub balances: &'a [Balance],
    /// Other conditions at the end; only those of the trunk are checked.
    pub after: &'a [Condition],
    /// Whether to try random initial postures and a thorough path search.
    pub is_thorough: bool,
}

impl StanceSearch {
    /// Finds the end posture of a step and a path to it. On success, updates the configuration and appends the path.
    pub(super) async fn step(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        locomotion: Locomotion,
        step: Step<'_>,
    ) -> Option<()> {
        if step.adds.is_none() && self.is_posture_good(configuration, &step) {
            return Some(());
        }
        let mut stance = step.stance.to_vec();
        if let Some(contact) = step.adds {
            add_contacts(&mut stance, &[contact]);
        }
        let before = configuration.clone();
        let reference = step.mode.map_or(PostureReference::Configuration(&before), PostureReference::Comfort);
        let tasks = PostureTasks { stance: &stance, reference, balance_requirements: step.balances };
        let mut failed: Vec<Configuration> = Vec::new();
        for mut posture in self.initial_postures(&before, &step, tasks).await {
            let is_solved = self.local.solve_free(&mut posture, tasks).await;
            self.local.center_of(&posture);
            let is_balanced = step.balances.iter().all(|balance| self.local.is_between(balance, &stance));
            if !is_solved || !is_balanced || !self.are_trunk_conditions_met(step.after) {
                continue;
            }
            // Several initial postures often lead to one solution, and a path that was not found once is not found again.
            if failed.iter().any(|failed| self.local.is_similar(failed, &posture)) {
                continue;
            }
            let effort = if step.is_thorough { Effort::Thorough } else { Effort::Quick };
            let (held, adds) = (step.stance, step.adds.as_ref());
            let change = PostureChange { from: &before, to: &posture, held, adds, is_loose: true };
            let Some(between) = self.local.swing(change, effort).await else {
                failed.push(posture);
                continue;
            };
            *configuration = between.last().cloned().unwrap_or(posture);
            let held: Arc<[Contact]> = step.stance.into();
            path.extend(
                between.into_iter().map(|configuration| Waypoint::found(configuration, held.clone(), locomotion)),
            );
            if step.adds.is_some()
                && let Some(last) = path.last_mut()
            {
                last.stance = stance.into();
            }
            return Some(());
        }
        None
    }

    /// The postures from which the solver starts.
    async fn initial_postures(
        &mut self,
        from: &Configuration,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
    ) -> Vec<Configuration> {
        let mut postures = Vec::new();
        if step.is_thorough {
            self.local.sample_starts(from, tasks, &mut postures).await;
        } else {
            postures.push(from.clone());
            if let Some(contact) = step.adds {
                let mut tucked = from.clone();
                self.local.tuck(&mut tucked, contact.effector);
                postures.push(tucked);
            }
        }
        postures
    }

    /// Whether the conditions on the trunk hold for the configuration whose frames were computed last. The path does not
    /// change where the trunk ends, so they are checked before it is searched for.
    fn are_trunk_conditions_met(&self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| match condition {
            Condition::Higher { landmark, than } => self.local.is_higher(landmark, than),
            Condition::Upright { line, max_lean } => self.local.is_upright(line, *max_lean),
            _ => true,
        })
    }

    /// Whether a posture needs no correction.
    fn is_posture_good(&mut self, configuration: &Configuration, step: &Step) -> bool {
        self.local.center_of(configuration);
        let Some(mode) = step.mode else { return true };
        let comfort = self.local.table.modes[mode].acceptable_discomfort;
        step.balances.iter().all(|balance| self.local.is_between(balance, step.stance))
            && self.local.discomfort_here(configuration, step.stance, mode) <= comfort
    }
}
