//! The last steps: onto the goal's own contacts and into its posture (thesis 5.4.2).

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::contact::Stance;
use clamber_model::id::{EffectorId, GroupId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::mode_table::{Condition, Effect, EffectorGroup};
use clamber_model::{Configuration, Contact};

use super::candidate::{Action, Candidate};
use super::node::{Node, add_contacts};
use super::search_state::StanceSearch;
use super::solve_step::{NextSupport, Step};
use super::tuning::MAX_LAST_STRIDE;
use crate::transition::transition_problem::{PostureChange, Thoroughness};
use crate::turn_around::turn_around;
use crate::waypoint::{Locomotion, Waypoint};

impl StanceSearch {
    /// Puts the last steps from a node near the goal on the open list.
    pub(super) fn push_arrival(&mut self, index: usize) {
        let Some(goal) = self.goal().map(|goal| goal.stance.clone()) else { return };
        let node = &self.subproblem.nodes[index];
        let (stance, cost, cost_to_go, mode) = (node.stance.clone(), node.cost, node.cost_to_go, node.mode);
        if Some(node.mode) != self.goal_mode() || cost_to_go > self.lengths.arrival_range {
            return;
        }
        if self.is_facing_away(index) {
            self.push(Candidate::new(index, Action::Turn, cost + self.lengths.turn_cost), cost_to_go);
            return;
        }
        if stance.len() == goal.len() && stance.iter().all(|contact| goal.iter().any(|goal| is_same(goal, contact))) {
            self.push(Candidate::new(index, Action::Settle, 0.0), 0.0);
            return;
        }
        for (contact, substitute_cost) in self.reachable_goal_contacts(&goal, &stance, mode) {
            let cost = cost + self.lengths.step_cost + (substitute_cost + self.last_step_cost(index, &[contact]));
            self.push(Candidate::new(index, Action::GoalContacts(Arc::new([contact])), cost), 0.0);
        }
        for set in self.goal_contacts_together(&goal, index) {
            let cost = cost + self.lengths.step_cost + self.last_step_cost(index, &set);
            self.push(Candidate::new(index, Action::GoalContacts(set.into()), cost), 0.0);
        }
    }

    /// The cost of making contacts of the goal that are far from those of a node.
    fn last_step_cost(&self, node: usize, made: &[Contact]) -> f32 {
        let Node { stance, configuration, mode, .. } = &self.subproblem.nodes[node];
        let stride_cost = made.iter().map(|contact| self.stride_cost(stance, contact)).fold(0.0, f32::max);
        let mut both = stance.to_vec();
        add_contacts(&mut both, made);
        stride_cost + self.spread_cost(stance, &both, self.heading_of(configuration), *mode)
    }

    /// The missing contacts of the goal that effectors which move together make at once: for each group that an edge takes holds with together,
    /// those of its free effectors, if the goal has all of them and all are in reach.
    fn goal_contacts_together(&mut self, goal: &[Contact], node: usize) -> Vec<Vec<Contact>> {
        let Node { stance, configuration, mode, .. } = &self.subproblem.nodes[node];
        let (stance, heading, mode) = (Arc::clone(stance), self.heading_of(configuration), *mode);
        let (stance, places) = (&stance[..], self.reference_places(heading, mode));
        let mut sets: Vec<Vec<Contact>> = Vec::new();
        for group in self.groups_together() {
            let free = self.free_effectors(&group.effectors, stance);
            let of_goal = |effector: &EffectorId| goal.iter().find(|contact| contact.effector == *effector).copied();
            let set: Option<Vec<Contact>> = free.iter().map(of_goal).collect();
            let is_in_reach = |contact: &Contact| {
                self.is_last_stride(stance, contact)
                    && stance.iter().all(|held| self.keeps_order(contact, held, &places))
                    && self.reach.allows(&self.local.problem.character, stance, contact)
            };
            let set = set.filter(|set| set.len() > 1 && set.iter().all(is_in_reach) && !sets.contains(set));
            sets.extend(set);
        }
        sets
    }

    /// The missing contacts of the goal that are in reach, each with its effector and with the others of the group, and
    /// what the latter cost more.
    fn reachable_goal_contacts(&self, goal: &[Contact], stance: &[Contact], mode: ModeId) -> Vec<(Contact, f32)> {
        let character = &self.local.problem.character;
        let limb = |contact: &Contact| character.effectors[contact.effector].limb;
        let least = self.local.table.modes[mode].least_contacts;
        let mut found = Vec::new();
        let is_missing = |wanted: &&Contact| !stance.iter().any(|contact| is_same(wanted, contact));
        // Effectors that move together do so to the goal: alone, they would leave a stance that others cannot leave.
        let is_alone = |wanted: &&Contact| !self.moves_with_others(wanted.effector, goal, stance);
        for wanted in goal.iter().filter(is_missing).filter(is_alone) {
            let group = self.local.table.group_of_effector(wanted.effector);
            let effectors = group.map_or(&[][..], |group| &self.local.table.effector_groups[group].effectors);
            for &effector in effectors {
                let contact = Contact { effector, ..*wanted };
                let is_own = effector == wanted.effector;
                let is_free = stance.iter().all(|held| limb(held) != limb(&contact))
                    || is_own && stance.len() > least && self.is_moved_by_an_edge(effector, mode);
                let is_shared = stance.iter().any(|held| held.point == contact.point);
                if is_free
                    && (is_own || self.are_siblings_equivalent())
                    && self.is_last_stride(stance, &contact)
                    && (!self.local.settings.exact_arrival || is_own && !is_shared)
                    && self.reach.allows(character, stance, &contact)
                {
                    let substitute = if is_own { 0.0 } else { self.lengths.substitute_cost };
                    found.push((contact, substitute));
                }
            }
        }
        found
    }

    /// Whether an edge within a mode of a body in space moves an effector from one contact to another: it releases the one before it makes the
    /// other.
    fn is_moved_by_an_edge(&self, effector: EffectorId, mode: ModeId) -> bool {
        if self.trunk_guide.is_none() {
            return false;
        }
        let table = &self.local.table;
        let has_effector = |group: &GroupId| table.effector_groups[*group].effectors.contains(&effector);
        table.edges.iter().filter(|edge| edge.from == mode && edge.to == mode).any(|edge| {
            let takes = edge.holds_to_take.iter().any(|take| take.groups.iter().any(has_effector));
            takes && matches!(edge.effects.first(), Some(Effect::Detach(group)) if has_effector(group))
        })
    }

    /// The groups whose effectors take holds together.
    fn groups_together(&self) -> impl Iterator<Item = &EffectorGroup> {
        let table = &self.local.table;
        let takes = table.edges.iter().flat_map(|edge| &edge.holds_to_take).filter(|take| take.together);
        takes.flat_map(|take| &take.groups).map(|&group| &table.effector_groups[group])
    }

    /// Whether an effector takes holds together with others that are free and have contacts in the goal.
    fn moves_with_others(&self, effector: EffectorId, goal: &[Contact], stance: &[Contact]) -> bool {
        let mut groups = self.groups_together().filter(|group| group.effectors.contains(&effector));
        let has_contact = |other: &EffectorId| goal.iter().any(|contact| contact.effector == *other);
        groups.any(|group| {
            let free = self.free_effectors(&group.effectors, stance);
            free.len() > 1 && free.iter().all(has_contact)
        })
    }

    /// Whether a contact of the goal is near enough to the others of its group to be made next. In the plane, all that are in reach are tried.
    fn is_last_stride(&self, stance: &[Contact], contact: &Contact) -> bool {
        let Some(group) = self.local.table.group_of_effector(contact.effector) else { return true };
        let farthest = MAX_LAST_STRIDE * self.reach.body_size;
        let is_near = |held: &Contact| {
            (held.point - contact.point).length() <= self.stride_apart(farthest, [held.effector, contact.effector])
        };
        self.trunk_guide.is_none() || self.local.of_group(group, stance).all(is_near)
    }

    /// Whether a planar character must turn half around to face as the goal does.
    fn is_facing_away(&self, index: usize) -> bool {
        let side = |configuration: &Configuration| (configuration.root.rotation * Vec3::Z).z;
        let is_planar = self.local.problem.character.root_joint == RootJoint::Planar;
        let here = &self.subproblem.nodes[index].configuration;
        is_planar && self.goal().is_some_and(|goal| side(here) * side(&goal.configuration) < 0.0)
    }

    /// Turns to face as the goal does.
    pub(super) async fn turn_to_goal(&mut self, candidate: &Candidate) -> Option<Node> {
        let node = &self.subproblem.nodes[candidate.node];
        let before = node.waypoint();
        let (mode, cost) = (node.mode, node.cost);
        let pivot = self.pivot(&before.stance)?;
        let mut path = Vec::new();
        let mut before = before;
        let (locomotion, is_thorough) = (before.locomotion, candidate.is_thorough);
        let stance = before.stance.clone();
        self.shift_above(&mut before.configuration, &mut path, (&stance, pivot), locomotion, is_thorough).await?;
        path.extend(turn_around(&mut self.local, &before, pivot).await.ok()??);
        let last = path[path.len() - 1].clone();
        let cost_to_go = self.cost_to_go(&last.stance, self.heading_of(&last.configuration), mode);
        Some(Node {
            parent: Some(candidate.node),
            path,
            configuration: last.configuration,
            stance_before_release: last.stance.clone(),
            stance: last.stance,
            mode,
            cost: cost + self.lengths.turn_cost,
            effort_penalty: 0.0,
            has_room_for_faster: false,
            cost_to_go,
            cost_to_go_at_mode_start: cost_to_go,
        })
    }

    /// Makes contacts of the goal and releases those that the goal does not have, as far as the mode allows.
    pub(super) async fn take_goal_contacts(&mut self, candidate: &Candidate, made: &[Contact]) -> Option<Node> {
        let node = &self.subproblem.nodes[candidate.node];
        let (mode, cost, cost_to_go_at_mode_start) = (node.mode, node.cost, node.cost_to_go_at_mode_start);
        let (from, before) = (node.configuration.clone(), node.waypoint());
        let mut configuration = from.clone();
        let mut path = Vec::new();
        let held = self.release_moved(&mut configuration, &mut path, before, made, candidate.is_thorough).await?;
        let conditions = self.local.table.modes[mode].balance.map(Condition::CenterBetween);
        let mut before_release = held.to_vec();
        add_contacts(&mut before_release, made);
        let stance = self.without_surplus(&before_release, made, mode)?;
        let allowance = self.local.center_allowance(mode, candidate.is_thorough);
        let step = Step {
            stance: &held,
            adds: made,
            mode: Some(mode),
            after: conditions.as_slice(),
            next: allowance.map(|allowance| NextSupport {
                stance: &stance,
                allowance,
                is_required: false,
                pivot: None,
            }),
            is_thorough: candidate.is_thorough,
        };
        let locomotion = Locomotion::Mode(mode);
        self.step(&mut configuration, &mut path, locomotion, step).await?;
        let stances = [&before_release[..], &stance];
        self.shift_onto(&mut configuration, &mut path, stances, locomotion, candidate.is_thorough).await?;
        if stance.len() < before_release.len() {
            // The shift onto what stays may have led too far from what is left.
            self.local.center_of(&configuration);
            if !self.are_body_conditions_met(conditions.as_slice(), &before_release) {
                return None;
            }
            let last = path[path.len() - 1].clone();
            path.push(Waypoint { stance: stance.as_slice().into(), ..last });
        }
        let posture_cost = self.posture_cost([&from, &configuration], &before_release, mode);
        let stride_cost = made.iter().map(|contact| self.stride_cost(&held, contact)).fold(0.0, f32::max);
        let cost_to_go = self.cost_to_go(&stance, self.heading_of(&configuration), mode);
        Some(Node {
            parent: Some(candidate.node),
            path,
            configuration,
            stance: stance.into(),
            stance_before_release: before_release.into(),
            mode,
            cost: cost + self.lengths.step_cost + (posture_cost + stride_cost),
            effort_penalty: 0.0,
            has_room_for_faster: false,
            cost_to_go,
            cost_to_go_at_mode_start,
        })
    }

    /// Releases the contacts of limbs that make others, and returns those that are held.
    async fn release_moved(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        before: Waypoint,
        made: &[Contact],
        is_thorough: bool,
    ) -> Option<Stance> {
        let limb = |contact: &Contact| self.local.problem.character.effectors[contact.effector].limb;
        let moves = |held: &&Contact| made.iter().all(|contact| limb(contact) != limb(held));
        let held: Stance = before.stance.iter().filter(moves).copied().collect();
        if held.len() < before.stance.len() {
            self.shift_onto(configuration, path, [&before.stance, &held], before.locomotion, is_thorough).await?;
            let last = path.last().cloned().unwrap_or(before);
            path.push(Waypoint { stance: held.as_slice().into(), ..last });
        }
        Some(held)
    }

    /// A stance without contacts that the goal does not have, down to the mode's least number. Keeps the `made` contacts.
    fn without_surplus(&self, stance: &[Contact], made: &[Contact], mode: ModeId) -> Option<Vec<Contact>> {
        let goal = &self.goal()?.stance;
        let least = self.local.table.modes[mode].least_contacts.max(1);
        let is_surplus = |held: &Contact| !made.contains(held) && !goal.iter().any(|goal| is_same(goal, held));
        let mut stance = stance.to_vec();
        while stance.len() > least {
            let Some(surplus) = stance.iter().position(is_surplus) else { break };
            stance.remove(surplus);
        }
        Some(stance)
    }

    /// Moves into the goal's posture.
    pub(super) async fn settle(&mut self, candidate: &Candidate) -> Option<Vec<Waypoint>> {
        let from = self.subproblem.nodes[candidate.node].waypoint();
        let goal = self.goal()?.configuration.clone();
        // A given posture may be farther out than its mode allows: then the way to it may be, too.
        let center_allowance = self.center_allowance(from.locomotion, true).map(|allowance| {
            let mut outside = |configuration| self.local.distance_outside(configuration, &from.stance);
            allowance.max(outside(&from.configuration)).max(outside(&goal))
        });
        let change = PostureChange {
            from: &from.configuration,
            to: &goal,
            held: &from.stance,
            adds: &[],
            center_allowance,
            bulge: Vec3::ZERO,
            lean: Vec3::ZERO,
            is_loose: false,
        };
        let path = self.local.swing(change, Thoroughness::Thorough).await?;
        Some(path.into_iter().map(|configuration| Waypoint { configuration, ..from.clone() }).collect())
    }
}

fn is_same(contact: &Contact, other: &Contact) -> bool {
    contact.effector == other.effector && contact.point == other.point
}
