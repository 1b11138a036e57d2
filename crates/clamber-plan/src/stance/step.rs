//! From one posture to the next: cheap tests first, then the posture, then what it touches, then the way there.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::mode::{Balance, Condition};
use clamber_model::{Configuration, Contact};

use super::StanceSearch;
use super::successors::add;
use crate::transition::posture_change::{Effort, PostureChange};
use crate::waypoint::{Locomotion, Waypoint};
use clamber_posture::solver::{PostureReference, PostureTasks};

/// A change of posture, with or without a new contact.
pub(super) struct Step<'a> {
    /// What is held all the way.
    pub stance: &'a [Contact],
    /// What is held at its end, too.
    pub adds: Option<Contact>,
    /// The mode whose heuristics say what is comfortable; without one, the posture changes as little as it can.
    pub mode: Option<ModeId>,
    /// What must be true of the centre of mass at its end.
    pub balances: &'a [Balance],
    /// What else must be true at its end, as far as the trunk tells.
    pub after: &'a [Condition],
}

impl StanceSearch {
    /// Finds a posture for a step and the way to it; makes the configuration the posture and appends the way.
    pub(super) fn step(
        &mut self,
        configuration: &mut Configuration,
        way: &mut Vec<Waypoint>,
        locomotion: Locomotion,
        step: Step,
        is_second: bool,
    ) -> Option<()> {
        let mut stance = step.stance.to_vec();
        if let Some(contact) = step.adds {
            add(&mut stance, &[contact]);
        }
        let before = configuration.clone();
        let reference = step.mode.map_or(PostureReference::Configuration(&before), PostureReference::Comfort);
        let wish = PostureTasks { stance: &stance, reference, balances: step.balances };
        if step.adds.is_none() && self.is_good(configuration, &step) {
            return Some(());
        }
        let mut starts = Vec::new();
        if is_second {
            self.local.sample_starts(configuration, wish, &mut starts);
        } else {
            starts.push(configuration.clone());
            if let Some(contact) = step.adds {
                // A straight limb may not find the way in which it bends.
                let mut tucked = configuration.clone();
                self.local.tuck(&mut tucked, contact.effector);
                starts.push(tucked);
            }
        }
        let mut failed: Vec<Configuration> = Vec::new();
        for mut posture in starts {
            let fits = self.local.solve_free(&mut posture, wish);
            self.local.center_of(&posture);
            let is_balanced = step.balances.iter().all(|balance| self.local.is_between(balance, &stance));
            if !fits || !is_balanced || !self.is_trunk_right(step.after) {
                continue;
            }
            // Two starts often lead to one posture, and what does not lead there once does not the second time.
            if failed.iter().any(|failed| self.local.is_similar(failed, &posture)) {
                continue;
            }
            let care = if is_second { Effort::Thorough } else { Effort::Quick };
            let change = PostureChange {
                from: configuration,
                to: &posture,
                held: step.stance,
                adds: step.adds.as_ref(),
                is_loose: true,
            };
            let Some(between) = self.local.swing(change, care) else {
                failed.push(posture);
                continue;
            };
            if let Some(last) = between.last() {
                posture.clone_from(last);
            }
            let held: Arc<[Contact]> = step.stance.into();
            way.extend(
                between.into_iter().map(|configuration| Waypoint::found(configuration, held.clone(), locomotion)),
            );
            if step.adds.is_some()
                && let Some(last) = way.last_mut()
            {
                last.stance = stance.into();
            }
            *configuration = posture;
            return Some(());
        }
        None
    }

    /// Whether what must be true after a step is, as far as only the trunk matters, which ends where it is to end whatever way
    /// there is. Of the configuration that was last looked at.
    fn is_trunk_right(&self, after: &[Condition]) -> bool {
        after.iter().all(|condition| match condition {
            Condition::HeadOverHip => self.local.has_head_over_hip(),
            Condition::Upright(most) => self.local.is_upright(*most),
            _ => true,
        })
    }

    /// Whether a posture needs no correction.
    fn is_good(&mut self, configuration: &Configuration, step: &Step) -> bool {
        self.local.center_of(configuration);
        let Some(mode) = step.mode else { return true };
        let comfort = self.local.table.modes[mode].comfort;
        step.balances.iter().all(|balance| self.local.is_between(balance, step.stance))
            && self.local.discomfort_here(configuration, step.stance, mode) <= comfort
    }
}
