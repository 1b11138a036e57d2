//! Taking an edge of the mode table: carries out its effects and returns the successor.
//!
//! `back_up` starts from the stance before the last contacts were released. `wander` does nothing here: each step moves the
//! whole body to where the hold can be reached.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::id::{EdgeId, ModeId};
use clamber_model::mode_table::{Condition, Edge, Effect};

use super::candidate::Candidate;
use super::edge_execution_state::{EdgeProgress, final_conditions, mode_after_releases};
use super::learned_failure_rates::StepKeys;
use super::node::Node;
use super::search_state::StanceSearch;
use super::solve_step::{NextSupport, Step};
use crate::mode::released_contacts::is_leaving;
use crate::turn_around::turn_around;
use crate::waypoint::Locomotion;

impl StanceSearch {
    /// Takes an edge with the contacts of its first take. Returns the successor, if the edge is feasible.
    pub(super) async fn take_edge(&mut self, candidate: &Candidate, number: EdgeId, first: &[Contact]) -> Option<Node> {
        let edge = &Arc::clone(&self.local.table).edges[number];
        let node = &self.subproblem.nodes[candidate.node];
        let back_up_stance = node.stance_before_release.clone();
        let before = node.stance.to_vec();
        let mut progress = EdgeProgress {
            configuration: node.configuration.clone(),
            stance: before.clone(),
            before_release: before.clone(),
            made: Vec::new(),
            path: Vec::new(),
            locomotion: Locomotion::Mode(node.mode),
            is_thorough: candidate.is_thorough,
        };
        let result = self.carry_out_effects(edge, &mut progress, &back_up_stance, first).await;
        if !first.is_empty() {
            let heading = self.heading_of(&self.subproblem.nodes[candidate.node].configuration);
            let heading = self.learned_heading(heading);
            let during = self.stance_during(edge, &before);
            let keys = StepKeys::new(&self.local.table, &self.lengths, number, heading, &during, first);
            self.subproblem.failure_rates.record(keys, result.is_none());
        }
        // In the plane, candidates of one edge are many and seldom fail like this.
        if self.trunk_guide.is_some()
            && result.is_none()
            && edge.effects.first().is_some_and(is_leaving)
            && progress.stance == before
        {
            self.subproblem.failed_releases.insert((candidate.node, number, candidate.is_thorough));
        }
        result?;
        let mut node = self.successor(candidate, edge, progress)?;
        node.cost += self.contact_cost(&node.configuration, &before, first, edge.to);
        Some(node)
    }

    fn successor(&mut self, candidate: &Candidate, edge: &Edge, progress: EdgeProgress) -> Option<Node> {
        let mode = edge.to;
        let EdgeProgress { configuration, stance, before_release, path, .. } = progress;
        if stance.len() < self.local.table.modes[mode].least_contacts {
            return None;
        }
        if self.keeps_foreign_contact(candidate.node, edge, &stance) {
            return None;
        }
        let from = self.subproblem.nodes[candidate.node].configuration.clone();
        let posture_cost = self.posture_cost([&from, &configuration], &before_release, mode);
        let begin = self.subproblem.nodes[candidate.node].waypoint();
        let effort_penalty = self.effort_penalty(&begin, &path, mode);
        let slow_cost = self.slow_cost(candidate.node, mode);
        let parent = &self.subproblem.nodes[candidate.node];
        let cost_to_go = self.cost_to_go(&stance, self.heading_of(&configuration), mode);
        let is_same_mode = mode == parent.mode;
        Some(Node {
            parent: Some(candidate.node),
            cost: parent.cost + self.lengths.step_cost + posture_cost + slow_cost,
            effort_penalty,
            has_room_for_faster: false,
            cost_to_go_at_mode_start: if is_same_mode { parent.cost_to_go_at_mode_start } else { cost_to_go },
            cost_to_go,
            path,
            configuration,
            stance: stance.into(),
            stance_before_release: before_release.into(),
            mode,
        })
    }

    /// Whether a body that takes an edge to another mode keeps a contact that the mode does not allow and that it did not hold in the one
    /// before: contacts last into a neighboring mode, and no farther. An edge that makes no contact changes the mode at once, and a mode in
    /// which the body does not move has no time.
    fn keeps_foreign_contact(&self, from: usize, edge: &Edge, stance: &[Contact]) -> bool {
        let (table, world) = (&self.local.table, &self.local.problem.world);
        let node = &self.subproblem.nodes[from];
        let parent = node.parent.map(|parent| &self.subproblem.nodes[parent]);
        let changes_at_once = edge.holds_to_take.is_empty();
        let lasts = !node.path.is_empty() || parent.is_none_or(|parent| parent.mode == node.mode);
        let is_foreign = |contact: &Contact| {
            let allows = |mode| table.mode_allows_contact(&table.modes[mode], contact, world);
            let was_held = || !changes_at_once || parent.is_none_or(|parent| parent.stance.contains(contact));
            !(allows(edge.to) || lasts && allows(node.mode) && was_held())
        };
        node.mode != edge.to && stance.iter().any(is_foreign)
    }

    async fn carry_out_effects(
        &mut self,
        edge: &Edge,
        progress: &mut EdgeProgress,
        back_up_stance: &[Contact],
        first: &[Contact],
    ) -> Option<()> {
        let mut index = 0;
        while let Some(&effect) = edge.effects.get(index) {
            let is_first_release = is_leaving(&effect) && (index == 0 || !is_leaving(&edge.effects[index - 1]));
            let is_end = edge.effects[index..].iter().all(is_leaving);
            if is_first_release {
                self.shift_before_releases(edge, progress, index).await?;
            }
            if is_first_release && is_end && !self.are_final_conditions_met(edge, progress) {
                return None;
            }
            index += 1;
            match effect {
                Effect::Attach => {
                    let corrects = match edge.effects.get(index) {
                        Some(Effect::CorrectPosture(mode)) => Some(*mode),
                        _ => None,
                    };
                    index += usize::from(corrects.is_some());
                    self.attach(edge, progress, first, corrects, index).await?;
                }
                Effect::CorrectPosture(mode) => self.correct_posture(edge, progress, mode, index).await?,
                Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachRearBySpan { .. } => {
                    let (mode, kept) = (
                        mode_after_releases(edge, index),
                        self.local.kept(effect, &progress.stance, &progress.made, self.guide()),
                    );
                    if kept.len() < self.local.table.modes[mode].least_contacts {
                        return None;
                    }
                    progress.stance = kept;
                    progress.push_waypoint(mode);
                }
                Effect::RetracePath(_) => {
                    // The stance before may be of another mode, such as a foot on the wall that was climbed.
                    let world = &self.local.problem.world;
                    if !self.local.table.mode_allows_stance(&self.local.table.modes[edge.from], back_up_stance, world) {
                        return None;
                    }
                    progress.stance = back_up_stance.to_vec();
                    // The contacts must not be missing until the next waypoint.
                    progress.push_waypoint(edge.from);
                }
                Effect::WanderIntoReach => {}
                Effect::TurnAround => self.turn_around(progress).await?,
            }
        }
        if !edge.effects.iter().any(is_leaving) && !self.are_final_conditions_met(edge, progress) {
            return None;
        }
        if progress.locomotion != Locomotion::Mode(edge.to) {
            progress.push_waypoint(edge.to);
        }
        Some(())
    }

    /// Moves into a comfortable posture of a mode.
    async fn correct_posture(
        &mut self,
        edge: &Edge,
        progress: &mut EdgeProgress,
        mode: ModeId,
        index: usize,
    ) -> Option<()> {
        let remaining = self.remaining(edge, index, &progress.stance, &progress.made);
        let allowance = self.local.center_allowance(edge.to, progress.is_thorough);
        let EdgeProgress { configuration, stance, before_release, path, locomotion, is_thorough, .. } = progress;
        let step = Step {
            stance,
            adds: &[],
            mode: Some(mode),
            after: final_conditions(edge, index),
            next: allowance.map(|allowance| NextSupport {
                stance: &remaining,
                allowance,
                is_required: false,
                pivot: None,
            }),
            is_thorough: *is_thorough,
        };
        *locomotion = Locomotion::Mode(edge.to);
        self.step(configuration, path, *locomotion, step).await?;
        before_release.clone_from(stance);
        Some(())
    }

    async fn turn_around(&mut self, progress: &mut EdgeProgress) -> Option<()> {
        let pivot = self.pivot(&progress.stance)?;
        let EdgeProgress { configuration, stance, path, locomotion, is_thorough, .. } = progress;
        self.shift_above(configuration, path, (stance, pivot), *locomotion, *is_thorough).await?;
        let turn = turn_around(&mut self.local, &progress.waypoint(), pivot).await.ok()??;
        progress.path.extend(turn);
        let last = &progress.path[progress.path.len() - 1];
        progress.configuration.clone_from(&last.configuration);
        progress.stance = last.stance.to_vec();
        progress.before_release.clone_from(&progress.stance);
        Some(())
    }

    /// The contact to turn on: the one nearest to the goal.
    pub(super) fn pivot(&self, stance: &[Contact]) -> Option<Contact> {
        stance.iter().min_by(|a, b| self.guide().cost_to_go(a).total_cmp(&self.guide().cost_to_go(b))).copied()
    }

    fn are_final_conditions_met(&mut self, edge: &Edge, progress: &EdgeProgress) -> bool {
        self.local.center_of(&progress.configuration);
        let has_room = edge.postconditions.iter().all(|condition| match condition {
            Condition::RoomToStand { on, or_at } => self.local.has_room_to_stand(on, or_at),
            _ => true,
        });
        has_room && self.are_body_conditions_met(&edge.postconditions, &progress.stance)
    }
}
