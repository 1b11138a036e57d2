//! The last steps: into the goal's own contacts, and into its posture (thesis 5.4.2).

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::problem::Posture;
use clamber_model::{Configuration, Contact};

use super::search_state::RppSearch;
use super::tuning;
use crate::budget::Interrupt;
use crate::waypoint::Waypoint;

impl RppSearch {
    /// Changes the contacts and then the posture into the goal's. On failure, the path stays unchanged.
    ///
    /// If the goal faces the other side, the character turns around first. Then the thesis has two cases: a free effector
    /// attaches to its contact of the goal ("simple"), and one that carries alone at the wrong place is first relieved by a
    /// sibling, which takes the other's place ("wrong-footed").
    pub(super) async fn arrive(&mut self, goal: &Posture) -> Result<bool, Interrupt> {
        let length = self.path.len();
        if self.faces_away(goal) && !self.turn_around().await? {
            self.path.truncate(length);
            return Ok(false);
        }
        self.face(goal).await?;
        if self.restep(goal).await? && self.settle(&goal.configuration).await? {
            return Ok(true);
        }
        self.path.truncate(length);
        Ok(false)
    }

    /// Whether a planar character faces the other side than the goal.
    fn faces_away(&self, goal: &Posture) -> bool {
        let facing = |configuration: &Configuration| (configuration.root.rotation * Vec3::Z).z;
        let is_planar = self.local.problem.character.root_joint == RootJoint::Planar;
        is_planar && facing(&self.here().configuration) * facing(&goal.configuration) < 0.0
    }

    /// Turns the body on its contacts toward the goal's heading as far as they allow, since feet cannot reach places side by
    /// side across each other. In the plane there is nothing to turn.
    async fn face(&mut self, goal: &Posture) -> Result<(), Interrupt> {
        if self.local.problem.character.root_joint == RootJoint::Planar {
            return Ok(());
        }
        let heading = |search: &mut Self, configuration: &Configuration| {
            search.local.center_of(configuration);
            search.local.anatomy.heading_direction(&search.local.projection.link_frames)
        };
        let wanted = heading(self, &goal.configuration);
        let Waypoint { configuration: mut here, stance, .. } = self.here().clone();
        let mut alignment = wanted.dot(heading(self, &here));
        let mut next = here.clone();
        for _ in 0..tuning::HEADING_SAMPLES {
            if alignment > tuning::HEADING_COSINE {
                break;
            }
            self.local.budget.spend(1).await?;
            if !self.local.sample_free(&here, &stance, &mut next) {
                continue;
            }
            let drawn = wanted.dot(heading(self, &next));
            if drawn > alignment {
                alignment = drawn;
                std::mem::swap(&mut here, &mut next);
                self.push(here.clone(), false);
            }
        }
        Ok(())
    }

    async fn restep(&mut self, goal: &Posture) -> Result<bool, Interrupt> {
        let table = &*Arc::clone(&self.local.table);
        let Some(mode) = table.find_mode(&goal.mode_name) else { return Ok(false) };
        let is_at =
            |contact: &Contact, other: &Contact| contact.effector == other.effector && contact.point == other.point;
        // The effector attached last is not released next.
        let mut attached = None;
        for _ in 0..tuning::MAX_REGRASPS {
            let stance = self.here().stance.clone();
            let is_wrong = |contact: &&Contact| !goal.stance.iter().any(|goal| is_at(goal, contact));
            let is_missing = |goal: &&Contact| !stance.iter().any(|contact| is_at(goal, contact));
            let wrong: Vec<Contact> = stance.iter().filter(is_wrong).copied().collect();
            let missing: Vec<Contact> = goal.stance.iter().filter(is_missing).copied().collect();
            if missing.is_empty() && wrong.is_empty() {
                return Ok(true);
            }
            let oldest = wrong.iter().find(|contact| Some(contact.effector) != attached).or(wrong.first());
            if let Some(oldest) = oldest.filter(|_| stance.len() > table.modes[mode].least_contacts) {
                if !self.release_balanced(oldest, mode).await? {
                    return Ok(false);
                }
                continue;
            }
            attached = None;
            for goal_contact in &missing {
                // Its own effector if that is free, otherwise a sibling.
                let siblings =
                    table.group_of_effector(goal_contact.effector).map(|group| &table.effector_groups[group].effectors);
                let candidates = std::iter::once(&goal_contact.effector).chain(siblings.into_iter().flatten());
                let is_free = |effector: &EffectorId| stance.iter().all(|contact| contact.effector != *effector);
                let Some(effector) = candidates.copied().find(is_free) else { continue };
                if self.step_to(Contact { effector, ..*goal_contact }, mode).await? {
                    attached = Some(effector);
                    break;
                }
            }
            if attached.is_none() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Releases a contact once the body is balanced on all of them; false when it cannot be balanced.
    async fn release_balanced(&mut self, contact: &Contact, mode: ModeId) -> Result<bool, Interrupt> {
        if !self.is_balanced(mode) {
            self.correct(mode).await?;
            if !self.is_balanced(mode) {
                return Ok(false);
            }
        }
        let here = self.here();
        let stance = here.stance.iter().filter(|other| *other != contact).copied().collect();
        let waypoint = Waypoint { stance, ..here.clone() };
        self.path.push(waypoint);
        Ok(true)
    }

    fn is_balanced(&mut self, mode: ModeId) -> bool {
        self.distance_here();
        let balance = self.local.table.modes[mode].balance;
        balance.is_none_or(|balance| self.local.is_between(&balance, &self.here().stance))
    }

    /// Attaches a free effector and corrects the posture; false when it does not reach from any posture tried.
    async fn step_to(&mut self, contact: Contact, mode: ModeId) -> Result<bool, Interrupt> {
        let length = self.path.len();
        for attempt in 0..tuning::STEP_TRIES {
            let Waypoint { configuration, stance, .. } = self.here().clone();
            if let Some(path) = self.local.path_to_hold(&configuration, &contact).await? {
                for configuration in path {
                    self.push(configuration, false);
                }
                self.attach(&stance, contact);
                self.correct(mode).await?;
                if self.is_balanced(mode) {
                    return Ok(true);
                }
            }
            self.path.truncate(length);
            self.walk(tuning::STEP_WALK * (attempt + 1), f32::NEG_INFINITY).await?;
        }
        self.path.truncate(length);
        Ok(false)
    }

    /// Moves into the goal's configuration on the contacts.
    async fn settle(&mut self, goal: &Configuration) -> Result<bool, Interrupt> {
        let mut next = goal.clone();
        for sample in 0..tuning::SETTLE_SAMPLES {
            let Waypoint { configuration, stance, .. } = self.here().clone();
            if sample % tuning::SETTLE_INTERVAL == 0
                && let Some(path) = self.local.path_on_contacts(&configuration, goal, &stance).await
            {
                for configuration in path {
                    self.push(configuration, false);
                }
                return Ok(true);
            }
            // Where the straight path is blocked: any free neighbor nearer to the goal.
            self.local.budget.spend(1).await?;
            let difference = |from: &Configuration| -> f32 {
                let turns: f32 = from.angles.iter().zip(&goal.angles).map(|(a, b)| (a - b).abs()).sum();
                turns + clamber_model::math::angle_between_rotations(from.root.rotation, goal.root.rotation)
            };
            if self.local.sample_free(&configuration, &stance, &mut next)
                && difference(&next) < difference(&configuration)
            {
                self.push(next.clone(), false);
            }
        }
        Ok(false)
    }
}
