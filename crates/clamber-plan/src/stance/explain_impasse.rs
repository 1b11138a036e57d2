//! Explains why the search cannot continue.
//!
//! Two causes are proofs, so the search checks them as soon as it stalls. Where the hold graph does not connect start and
//! goal, the guide leads over the smallest gaps that would connect them, and the first gap is the cause. Where holds
//! connect them, the trunk may not fit through: the widest path of a ball as thick as the trunk shows where and by how much.
//! Otherwise the next step is tried on its own: at shorter and shorter distances in an empty world, which gives the practical
//! reach, and among the obstacles, which gives the one that obstructs it.

use std::collections::BTreeSet;

use clamber_model::Contact;
use clamber_model::id::GroupId;
use clamber_model::math::Vec3;
use clamber_model::mode_table::HoldToTake;
use clamber_model::world::HoldType;

use super::search_state::StanceSearch;
use super::tuning::{BRIDGE_CHECK, IMPASSE_CHECK};
use crate::failure::{Impasse, ImpasseCause};
use crate::hold_graph::Gap;
use crate::mode::stances_without_edges::no_edge;
use crate::ordered_f32::OrderedF32;

impl StanceSearch {
    /// The cause that makes the subgoal unreachable, if there is a proof.
    pub(super) async fn certain_impasse(&mut self) -> Option<Impasse> {
        // While the root is the only node, every candidate of it failed.
        if self.subproblem.nodes.len() == 1
            && let Some(impasse) = self.no_edge_impasse()
        {
            return Some(impasse);
        }
        if self.trunk_guide.is_some() {
            return self.certain_impasse_in_space().await;
        }
        self.gap_or_bottleneck().await
    }

    /// Whether the search should look for a certain impasse now.
    pub(super) fn is_impasse_check_due(&self) -> bool {
        match self.subproblem.since_progress {
            1 => self.is_at_gap(),
            BRIDGE_CHECK => self.is_at_bridge(),
            since_progress => since_progress == IMPASSE_CHECK,
        }
    }

    /// In space, the impasse is certain where it is proved that there is no way. Where the guide finds none, enough is tried at the place to
    /// which it leads.
    async fn certain_impasse_in_space(&mut self) -> Option<Impasse> {
        self.trunk_guide.as_ref().and_then(|guide| guide.bridge())?;
        let is_stuck = self.subproblem.since_progress >= BRIDGE_CHECK && self.is_at_bridge();
        if !self.is_no_way_proved().await && !is_stuck {
            return None;
        }
        self.build_explanation_graph().await;
        if self.gap_ahead().is_none_or(|gap| !gap.is_too_far)
            && let Some(impasse) = self.blocked_bridge()
        {
            return Some(impasse);
        }
        match self.gap_or_bottleneck().await {
            Some(impasse) => Some(impasse),
            None => Some(self.likely_impasse().await),
        }
    }

    /// The first gap on the path over holds, or the first place that is too narrow for the trunk.
    async fn gap_or_bottleneck(&mut self) -> Option<Impasse> {
        match self.gap_ahead() {
            Some(gap) if gap.is_too_far => Some(self.out_of_reach([gap.from, gap.to]).await),
            Some(gap) => Some(self.bottleneck_impasse().await.unwrap_or_else(|| self.obstructed_gap(gap))),
            None => self.bottleneck_impasse().await,
        }
    }

    /// The likeliest cause.
    pub(super) async fn likely_impasse(&mut self) -> Impasse {
        if let Some(impasse) = self.no_edge_impasse() {
            return impasse;
        }
        if let Some(impasse) = self.unsupported_impasse().await {
            return impasse;
        }
        self.build_explanation_graph().await;
        if self.graph.vertices.is_empty() {
            return self.impasse_without_holds();
        }
        let [from, to] = self.frontier();
        let transfer = self.transfers([from, to]).into_iter().next();
        // Along one surface there is always a nearer point.
        let is_one_hold = self.graph.vertices[from].hold == self.graph.vertices[to].hold;
        if let Some(transfer) = transfer.as_ref().filter(|_| !is_one_hold) {
            let reach = self.practical_reach(transfer, [from, to]).await;
            // Zero means that the edge cannot be tried on its own.
            if reach > 0.0 && self.graph.distance_between(from, to) > reach {
                return self.out_of_reach([from, to]).await;
            }
        }
        let hit = match transfer {
            Some(transfer) => self.least_hit(&transfer, [from, to]).await,
            None => None,
        };
        let cause = match hit {
            Some(hit) => self.blocked_by(&hit, to),
            None => ImpasseCause::NoPosture { from_hold: self.hold_name(from), to_hold: self.hold_name(to) },
        };
        self.impasse_at(self.graph.vertices[to].point, cause)
    }

    fn impasse_without_holds(&self) -> Impasse {
        let node = self.subproblem.best_node();
        let name = |contact: &Contact| self.local.problem.world.holds[contact.hold].name.clone();
        let hold = node.stance.first().map_or_else(String::new, name);
        let cause = ImpasseCause::NoPosture { from_hold: hold.clone(), to_hold: hold };
        self.impasse_at(node.configuration.root.translation, cause)
    }

    /// The impasse at the best node if the mode table has no edge for its contacts.
    fn no_edge_impasse(&self) -> Option<Impasse> {
        let node = self.subproblem.best_node();
        let cause = no_edge(&self.local.table, node.mode, &node.stance, &self.local.problem.world)?;
        Some(self.impasse_at(node.configuration.root.translation, cause))
    }

    pub(super) fn impasse_at(&self, place: Vec3, cause: ImpasseCause) -> Impasse {
        let mode = self.subproblem.best_node().mode;
        let mode = self.local.table.modes[mode].name.clone();
        Impasse { blocked_position: place, mode, cause, is_proved: false }
    }

    pub(super) fn hold_name(&self, vertex: usize) -> String {
        self.local.problem.world.holds[self.graph.vertices[vertex].hold].name.clone()
    }

    pub(super) fn hold_type(&self, vertex: usize) -> HoldType {
        self.local.problem.world.holds[self.graph.vertices[vertex].hold].hold_type
    }

    /// Whether the next step of the guide's path is a gap.
    pub(super) fn is_at_gap(&self) -> bool {
        if self.trunk_guide.is_some() {
            return self.is_at_bridge();
        }
        let mut path = self.guide_path();
        let (here, next) = (path.next(), path.next());
        here.zip(next).is_some_and(|(here, next)| self.graph.gap(here, next).is_some())
    }

    /// The first gap on the guide's path.
    fn gap_ahead(&self) -> Option<Gap> {
        let mut path = self.guide_path();
        let mut here = path.next()?;
        path.find_map(|next| self.graph.gap(std::mem::replace(&mut here, next), next))
    }

    async fn out_of_reach(&self, [from, to]: [usize; 2]) -> Impasse {
        let hold_type = self.hold_type(to);
        let table = &*self.local.table;
        let mut found = None;
        for transfer in self.transfers([from, to]) {
            let reach = self.practical_reach(&transfer, [from, to]).await;
            if reach > 0.0 {
                found = Some((transfer.group, reach));
                break;
            }
        }
        let (group, reach) = match found {
            Some(found) => found,
            // No edge can be tried on its own.
            None => {
                let takes_type = |take: &&HoldToTake| take.types.contains(&hold_type);
                let take = table.edges.iter().flat_map(|edge| &edge.holds_to_take).find(takes_type);
                let group = take.and_then(|take| take.groups.first()).copied().unwrap_or(GroupId::new(0));
                (group, self.reach.max_between_types(table, self.hold_type(from), hold_type))
            }
        };
        let cause = ImpasseCause::TooFar {
            group: table.effector_groups[group].name.clone(),
            from_hold: self.hold_name(from),
            to_hold: self.hold_name(to),
            hold_type,
            distance: self.graph.distance_between(from, to),
            reach,
        };
        self.impasse_at(self.graph.vertices[to].point, cause)
    }

    /// The step that the search was missing: of all steps from a vertex that was held to one nearer to the goal than any of
    /// these, the shortest. If it is infeasible, so is every other continuation.
    fn frontier(&self) -> [usize; 2] {
        let nodes = self.subproblem.nodes.iter();
        let held = nodes.flat_map(|node| node.stance.iter().chain(node.stance_before_release.iter()));
        let held: BTreeSet<usize> = held.filter_map(|contact| self.graph.nearest_vertex(contact)).collect();
        let cost_to_go = |vertex: usize| OrderedF32(self.graph.vertex_cost_to_go(vertex));
        let Some(&first) = held.iter().min_by_key(|vertex| cost_to_go(**vertex)) else { return [0; 2] };
        let length = |[from, to]: [usize; 2]| self.graph.distance_between(from, to);
        let steps = held.iter().flat_map(|&from| self.graph.neighbors(from).map(move |to| [from, to]));
        let is_forward = |&[from, to]: &[usize; 2]| {
            cost_to_go(to) < cost_to_go(first) && length([from, to]) > self.lengths.min_explained_step
        };
        let shortest = steps.filter(is_forward).min_by_key(|step| OrderedF32(length(*step)));
        // Where all holds of the goal were held, the missing step is between two of them.
        let goal = self.goal().into_iter().flat_map(|goal| &goal.stance);
        let mut goal = goal.filter_map(|contact| self.graph.nearest_vertex(contact));
        shortest.unwrap_or_else(|| [first, goal.find(|vertex| *vertex != first).unwrap_or(first)])
    }
}
