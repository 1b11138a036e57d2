//! Costs of edges and steps, in meters.
//!
//! The published planner takes some edges only after others have failed (conditions `no_progress` and `failed`). Here such
//! edges are always allowed but cost more, so that others are tried first.

use std::sync::Arc;

use clamber_model::id::{EdgeId, EffectorId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::mode_table::{Condition, Edge};
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::learned_failure_rates::StepKeys;
use super::node::Node;
use super::search_state::StanceSearch;
use super::tuning::{
    BEHIND_COSINE, EASY, EASY_REACH, EASY_SPREAD, HEURISTIC_WEIGHT, MAX_DISCOMFORT, MAX_EFFORT, MAX_SLOWNESS,
    PREFERRED_STRIDE, REACH_WEIGHT, SPRAWLING_STRIDE, SPREAD_WEIGHT, STRIDE_WEIGHT,
};
use crate::cost_to_go_guide::Guide;
use crate::trunk_guide::GuidePoint;
use crate::waypoint::Waypoint;

impl StanceSearch {
    /// The cost of an edge's conditions; none when one of them is false.
    pub(super) fn condition_cost(&mut self, node: usize, edge: &Edge, stance: &[Contact]) -> Option<f32> {
        let node = &self.subproblem.nodes[node];
        self.local.center_of(&node.configuration);
        let (local, world) = (&self.local, &self.local.problem.world);
        // Where the guide is penalized, its former path may still be the right one.
        let either = |is_true: &dyn Fn(&dyn Guide) -> bool| match (&self.straight_guide, &self.trunk_guide) {
            (Some(guide), _) => is_true(guide),
            (None, Some(guide)) => is_true(guide),
            (None, None) => is_true(&self.graph) || is_true(&self.graph.unpenalized()),
        };
        let mut cost = 0.0;
        for condition in &edge.preconditions {
            let is_true = match condition {
                Condition::NoProgress(steps) => {
                    cost += self.lengths.no_progress_cost * *steps as f32;
                    true
                }
                Condition::EdgeFailed { .. } => {
                    cost += self.lengths.failed_cost;
                    true
                }
                Condition::AdvancedSinceModeBegan(far) => node.cost_to_go_at_mode_start - node.cost_to_go >= *far,
                Condition::AllInContact(group) => {
                    local.of_group(*group, stance).count() == local.table.effector_groups[*group].effectors.len()
                }
                Condition::AnyInContact(group) => local.of_group(*group, stance).next().is_some(),
                Condition::AnyContactOnType(wanted) => {
                    stance.iter().any(|contact| world.holds[contact.hold].hold_type == *wanted)
                }
                Condition::RoomToStand { on, or_at } => local.has_room_to_stand(on, or_at),
                Condition::Higher { landmark, than } => local.is_higher(landmark, than),
                Condition::Upright { line, max_lean } => local.is_upright(line, *max_lean),
                Condition::Stretched { limbs, share } => local.is_any_stretched(limbs, *share, stance),
                Condition::RouteIsBehind(far) => either(&|guide| local.leads_backward(guide, *far)),
                Condition::RouteGoesDown(far) => either(&|guide| local.leads_down(guide, *far)),
                Condition::CenterBetween(balance) => local.is_between(balance, stance),
                Condition::EquilibriumRequired => local.settings.equilibrium,
                Condition::EquilibriumNotRequired => !local.settings.equilibrium,
            };
            if !is_true {
                return None;
            }
        }
        Some(cost)
    }

    /// The cost of a step that failed elsewhere.
    pub(super) fn failure_cost(&self, edge: EdgeId, heading: Vec3, stance: &[Contact], made: &[Contact]) -> f32 {
        let keys = StepKeys::new(&self.local.table, &self.lengths, edge, self.learned_heading(heading), stance, made);
        let rates = &self.subproblem.failure_rates;
        match self.leads_onto_wall(edge) {
            true => self.lengths.failure_cost_on_walls * rates.rate_anywhere(&keys),
            false => self.lengths.failure_cost * rates.rate(&keys),
        }
    }

    /// Whether an edge leads to a mode in which a body in space does not only stand.
    pub(super) fn leads_onto_wall(&self, edge: EdgeId) -> bool {
        let to = self.local.table.edges[edge].to;
        self.trunk_guide.as_ref().is_some_and(|guide| !guide.only_stands(to))
    }

    /// The direction that offsets of steps are relative to, of a body with a heading. In the plane it is always +x: the guide leads one way
    /// there, whichever way the figure faces.
    pub(super) fn learned_heading(&self, heading: Vec3) -> Vec3 {
        if self.trunk_guide.is_some() { heading } else { Vec3::X }
    }

    /// The costs of making contacts in a posture, on the way to a mode: those of the costliest.
    pub(super) fn contact_cost(
        &self,
        posture: &Configuration,
        stance: &[Contact],
        made: &[Contact],
        to: ModeId,
    ) -> f32 {
        let heading = self.local.anatomy.heading_of_configuration(&self.local.problem.character, posture);
        let cost = |contact: &Contact| {
            self.stride_cost(stance, contact)
                + self.behind_cost(heading, contact, to)
                + self.smear_cost(contact)
                + self.backward_cost(heading, stance, contact, to)
        };
        made.iter().map(cost).fold(0.0, f32::max)
    }

    /// What a way costs per length on a stance: costs that outweigh what a step brings nearer are relative to it.
    pub(super) fn cost_per_length(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> f32 {
        let guide = self.trunk_guide.as_ref().filter(|_| self.straight_guide.is_none());
        let at = guide.and_then(|guide| Some((guide, guide.trunk_place(stance, heading, mode)?)));
        at.map_or(1.0, |(guide, position)| guide.cost_per_length_at(GuidePoint { position, mode }))
    }

    /// The cost of a contact that is farther from those of its group than the preferred stride (Kalisiak and van de Panne
    /// 2001). Without it, the figure walks in splits.
    pub(super) fn stride_cost(&self, stance: &[Contact], contact: &Contact) -> f32 {
        let Some(group) = self.local.table.group_of_effector(contact.effector) else { return 0.0 };
        let effectors = &self.local.problem.character.effectors;
        let length = |contact: &Contact| {
            let limb = effectors[contact.effector].limb;
            let whole = limb.map_or(0.0, |limb| self.local.anatomy.limbs[limb].length);
            match self.trunk_guide {
                // A knee is in the middle of its limb. In the plane, the figure crawls with longer steps.
                Some(_) => whole.min(self.reach.limb_length(contact.effector)),
                None => whole,
            }
        };
        let excess = |held: &Contact| {
            let preferred = PREFERRED_STRIDE * (length(held) + length(contact));
            let preferred = self.stride_apart(preferred, [held.effector, contact.effector]);
            (held.point - contact.point).length() - preferred
        };
        STRIDE_WEIGHT * self.local.of_group(group, stance).map(excess).fold(0.0, f32::max)
    }

    /// The distance between the contacts of two effectors for a stride of some length. In space, effectors that are far apart at rest, such as
    /// the feet of sprawling legs, are farther apart.
    pub(super) fn stride_apart(&self, stride: f32, effectors: [EffectorId; 2]) -> f32 {
        match self.trunk_guide {
            Some(_) => stride.max(self.reach.rest_distance(effectors) + SPRAWLING_STRIDE * stride),
            None => stride,
        }
    }

    /// The cost of a stance in space whose contacts are far from where they are in the reference posture above all of them: beyond a
    /// stride, and to the sides. A body goes down for a long step as for a step of a stair. One that does not only stand before or afterward
    /// reaches for holds where they are.
    pub(super) fn spread_cost(&self, before: &[Contact], stance: &[Contact], heading: Vec3, mode: ModeId) -> f32 {
        let Some(guide) = &self.trunk_guide else { return 0.0 };
        let Some((shape, mean)) = guide.shape(mode).zip(guide.trunk_place(stance, heading, mode)) else { return 0.0 };
        let easy = EASY_SPREAD * guide.stride_share(shape) * self.reach.body_size;
        let reaches = !guide.stands_on(stance, mode) || !guide.stands_on(before, mode);
        let off = |contact: &Contact| {
            let place = guide.trunk_place_by(contact, stance, heading, mode).unwrap_or(mean);
            if reaches {
                return REACH_WEIGHT * ((place - mean).length() - EASY_REACH * self.reach.body_size).max(0.0);
            }
            let easy = easy.min(shape.easy_strides[contact.effector]);
            let [along, up, aside] =
                [heading, UP, heading.cross(UP)].map(|direction| direction.dot(place - mean).abs());
            SPREAD_WEIGHT * (along + up + aside - easy).max(0.0) + aside
        };
        HEURISTIC_WEIGHT * stance.iter().map(off).fold(0.0, f32::max)
    }

    /// The cost of a contact in space that presses on a surface on which nothing stands: on a wall, feet go to ledges first.
    fn smear_cost(&self, contact: &Contact) -> f32 {
        let character = &self.local.problem.character;
        let effector = &character.effectors[contact.effector];
        let smears =
            effector.facing.is_some() && effector.ability.grip.is_none() && contact.level_facing(character).is_none();
        if smears && self.trunk_guide.is_some() { self.lengths.smear_cost } else { 0.0 }
    }

    /// The cost of a contact on a wall behind the back. Such a wall can be climbed, but turning around first leads farther and
    /// is found sooner.
    fn behind_cost(&self, heading: Vec3, contact: &Contact, to: ModeId) -> f32 {
        let is_any_side_down = self.trunk_guide.as_ref().is_some_and(|guide| guide.turns_with_surface(to));
        if !is_any_side_down && contact.normal.dot(heading) > BEHIND_COSINE { self.lengths.behind_cost } else { 0.0 }
    }

    /// The cost of a step in a gait to behind all contacts: as much as it may bring nearer, so that turning around comes first.
    fn backward_cost(&self, heading: Vec3, stance: &[Contact], contact: &Contact, to: ModeId) -> f32 {
        let has_gait = self.local.table.modes[to].walking_gait.is_some();
        let behind = stance.iter().map(|held| heading.dot(held.point - contact.point)).fold(f32::INFINITY, f32::min);
        if has_gait && behind.is_finite() { HEURISTIC_WEIGHT * behind.max(0.0) } else { 0.0 }
    }

    /// The cost of locomotion from one posture to another: the displacement of the center of mass, more in slow modes, and more where the new
    /// posture is uncomfortable.
    pub(super) fn posture_cost(&mut self, ends: [&Configuration; 2], stance: &[Contact], mode: ModeId) -> f32 {
        let [begin, end] = ends.map(|configuration| self.local.center_of(configuration));
        let discomfort =
            self.local.discomfort_here(ends[1], stance, mode) - self.local.table.modes[mode].acceptable_discomfort;
        (end - begin).length() * self.slowness(mode).min(MAX_SLOWNESS)
            + self.lengths.discomfort_cost * discomfort.clamp(0.0, MAX_DISCOMFORT)
    }

    /// How many times as long a way takes in a mode as in the fastest one.
    fn slowness(&self, mode: ModeId) -> f32 {
        let modes = &self.local.table.modes;
        let fastest = modes.iter().filter_map(|mode| mode.speed).fold(0.0, f32::max);
        modes[mode].speed.map_or(1.0, |speed| fastest / speed)
    }

    /// Whether a node may take an edge to a faster mode that needs room, and has it.
    pub(super) fn has_room_for_faster(&mut self, node: usize) -> bool {
        let table = &*Arc::clone(&self.local.table);
        let Node { mode, stance, .. } = &self.subproblem.nodes[node];
        let (mode, stance) = (*mode, Arc::clone(stance));
        let needs_room = |edge: &Edge| edge.preconditions.iter().any(|it| matches!(it, Condition::RoomToStand { .. }));
        let mut edges = table.edges.iter().filter(|edge| edge.from == mode && needs_room(edge));
        edges.any(|edge| self.is_faster(edge.to, mode) && self.condition_cost(node, edge, &stance).is_some())
    }

    fn is_faster(&self, mode: ModeId, than: ModeId) -> bool {
        self.slowness(mode) < self.slowness(than)
    }

    /// The cost of an edge that goes on in a slow mode where there is room for a faster one.
    pub(super) fn slow_cost(&self, node: usize, to: ModeId) -> f32 {
        let node = &self.subproblem.nodes[node];
        if node.has_room_for_faster && !self.is_faster(to, node.mode) { self.lengths.slow_cost } else { 0.0 }
    }

    /// What the effort along the path to a node adds to the priority of what follows: that of the contacts that last, whenever
    /// others are made or released.
    pub(super) fn effort_penalty(&mut self, begin: &Waypoint, path: &[Waypoint], mode: ModeId) -> f32 {
        let weight = self.local.table.modes[mode].effort;
        if !self.local.settings.equilibrium || weight == 0.0 {
            return 0.0;
        }
        let mut greatest = EASY;
        let mut before = begin;
        for waypoint in path {
            if waypoint.stance != before.stance {
                let lasts = |contact: &&Contact| waypoint.stance.contains(contact);
                let lasting: Vec<Contact> = before.stance.iter().filter(lasts).copied().collect();
                greatest = greatest.max(self.local.effort(&waypoint.configuration, &lasting).unwrap_or(MAX_EFFORT));
            }
            before = waypoint;
        }
        weight * self.lengths.effort_penalty * (greatest.min(MAX_EFFORT) - EASY)
    }
}
