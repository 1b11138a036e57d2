//! What the contacts lack to carry the body where the search cannot continue: friction, strength, or a center of mass that is nearer.
//!
//! Each is raised alone, first as far as it goes. Where that lets the search continue, the least amount follows by bisection: the
//! search continues with what is reported, and not with a little less.

use std::collections::BTreeSet;
use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::id::{EffectorId, GroupId, HoldId};
use clamber_model::world::Hold;

use super::counterfactual_search::Counterfactual;
use super::search_state::StanceSearch;
use super::tuning::{COUNTERFACTUAL_BISECTIONS, MAX_HELPFUL_FRICTION, MAX_HELPFUL_STRENGTH, MIN_FRICTION};
use crate::failure::{Impasse, ImpasseCause, MissingSupport, round_up};
use crate::waypoint::Waypoint;

/// Something that would let the search continue.
struct Remedy {
    missing: MissingSupport,
    /// How much would have to change, as a factor.
    extent: f32,
    /// Where the contacts do not carry the body without it.
    unsupported: Waypoint,
}

/// The least change with which the search continues.
struct LeastChange {
    amount: f32,
    /// The first waypoint on its path that the given contacts do not carry.
    unsupported: Waypoint,
}

impl StanceSearch {
    /// The impasse at the best node if the next contacts cannot carry the body; `None` where equilibrium is not required or
    /// something else is the reason.
    pub(super) async fn unsupported_impasse(&mut self) -> Option<Impasse> {
        if !self.local.settings.equilibrium {
            return None;
        }
        if let Some(known) = self.known_unsupported_impasse() {
            return Some(known);
        }
        let path = self.path_if(&Counterfactual::Weightless).await?;
        let first = self.first_unsupported(&path)?;
        if self.path_if(&Counterfactual::AsGiven).await.is_some() {
            // It was a matter of chance.
            return None;
        }
        let remedies = [self.more_friction().await, self.more_strength().await, self.center_nearer().await];
        let mut remedies: Vec<Remedy> = remedies.into_iter().flatten().collect();
        remedies.sort_by(|a, b| a.extent.total_cmp(&b.extent));
        let unsupported = remedies.first().map_or(first, |remedy| remedy.unsupported.clone());
        let missing = remedies.into_iter().map(|remedy| remedy.missing).collect();
        Some(self.unsupported_at(&unsupported, missing))
    }

    /// What was found after an earlier attempt that ended about as near to the goal.
    fn known_unsupported_impasse(&self) -> Option<Impasse> {
        let attempt = self.earlier.best.as_ref()?;
        let is_near = attempt.cost_to_go - self.subproblem.least_cost_to_go < self.lengths.counterfactual_progress;
        let is_unsupported = matches!(attempt.impasse.cause, ImpasseCause::NotCarried { .. });
        (is_near && is_unsupported).then(|| attempt.impasse.clone())
    }

    fn unsupported_at(&self, waypoint: &Waypoint, missing: Vec<MissingSupport>) -> Impasse {
        let (world, character) = (&self.local.problem.world, &self.local.problem.character);
        let stance = &waypoint.stance;
        let effectors = stance.iter().map(|contact| character.effectors[contact.effector].name.clone()).collect();
        let holds = stance.iter().map(|contact| world.holds[contact.hold].name.clone()).collect();
        let nearest = stance.iter().min_by(|a, b| self.guide().cost_to_go(a).total_cmp(&self.guide().cost_to_go(b)));
        let position = nearest.map_or(waypoint.configuration.root.translation, |contact| contact.point);
        let mode = waypoint.locomotion.name(&self.local.table).to_owned();
        let cause = ImpasseCause::NotCarried { effectors, holds, missing };
        Impasse { blocked_position: position, mode, cause, is_proved: false }
    }

    /// The first waypoint whose contacts, as they are, do not carry the body.
    fn first_unsupported(&mut self, path: &[Waypoint]) -> Option<Waypoint> {
        let is_unsupported = |waypoint: &&Waypoint| {
            let allowance = self.center_allowance(waypoint.locomotion, true);
            !self.local.is_carried(&waypoint.configuration, &waypoint.stance, allowance)
        };
        path.iter().find(is_unsupported).cloned()
    }

    /// The least change between two amounts with which the search continues; `None` if the greatest does not suffice.
    async fn least_change(
        &mut self,
        [mut low, mut high]: [f32; 2],
        change: impl Fn(f32) -> Counterfactual,
    ) -> Option<LeastChange> {
        let mut path = self.path_if(&change(high)).await?;
        for _ in 0..COUNTERFACTUAL_BISECTIONS {
            let middle = (low * high).sqrt();
            match self.path_if(&change(middle)).await {
                Some(found) => (high, path) = (middle, found),
                None => low = middle,
            }
        }
        let unsupported = self.first_unsupported(&path)?;
        Some(LeastChange { amount: high, unsupported })
    }

    /// The friction that would do: of the surfaces that do not carry the body, otherwise of all.
    async fn more_friction(&mut self) -> Option<Remedy> {
        let is_slippery = |hold: &Hold| hold.hold_type.allows_pressing() && hold.friction < MAX_HELPFUL_FRICTION;
        let (world, here) = (&self.local.problem.world, self.subproblem.best_node().configuration.root.translation);
        let mut all: Vec<HoldId> = Vec::new();
        world.holds_near(here, self.lengths.trial_world, &mut all);
        all.retain(|hold| is_slippery(&world.holds[*hold]));
        let path = self.path_if(&Counterfactual::Friction(all.clone(), MAX_HELPFUL_FRICTION)).await?;
        let touched = self.first_unsupported(&path)?.stance;
        let own: BTreeSet<String> = touched.iter().map(|contact| self.surface_name(contact.hold)).collect();
        let own: Vec<HoldId> = all.iter().copied().filter(|hold| own.contains(&self.surface_name(*hold))).collect();
        for holds in [own, all] {
            let friction = |hold: &HoldId| self.local.problem.world.holds[*hold].friction;
            let least = holds.iter().map(friction).fold(MAX_HELPFUL_FRICTION, f32::min);
            let change = |friction| Counterfactual::Friction(holds.clone(), friction);
            let range = [least.max(MIN_FRICTION), MAX_HELPFUL_FRICTION];
            let Some(LeastChange { amount, unsupported }) = self.least_change(range, change).await else { continue };
            let slippery = |contact: &&Contact| {
                holds.contains(&contact.hold) && self.local.problem.world.holds[contact.hold].friction < amount
            };
            let slippery: Vec<&Contact> = unsupported.stance.iter().filter(slippery).collect();
            if slippery.is_empty() {
                continue;
            }
            let surfaces: BTreeSet<String> = slippery.iter().map(|contact| self.surface_name(contact.hold)).collect();
            let friction = slippery.iter().map(|contact| self.local.problem.world.holds[contact.hold].friction);
            let friction = friction.fold(amount, f32::min);
            let extent = amount / friction.max(MIN_FRICTION);
            let surfaces = surfaces.into_iter().collect();
            let missing = MissingSupport::Friction { surfaces, friction, sufficient: round_up(amount) };
            return Some(Remedy { missing, extent, unsupported });
        }
        None
    }

    /// The obstacle whose surface a hold is, if it has the friction of the obstacle; otherwise the hold.
    fn surface_name(&self, hold: HoldId) -> String {
        let world = &self.local.problem.world;
        let hold = &world.holds[hold];
        let surface = world.nearest_surface_point(hold.point_at(0.5, 0.5), self.lengths.min_overlap);
        let obstacle = surface.map(|surface| &world.obstacles[surface.obstacle]);
        let obstacle = obstacle.filter(|obstacle| obstacle.friction == hold.friction);
        obstacle.map_or(&hold.name, |obstacle| &obstacle.name).clone()
    }

    /// The strength that would do: of a group in contact, otherwise of all effectors.
    async fn more_strength(&mut self) -> Option<Remedy> {
        let all: Vec<EffectorId> = self.local.problem.character.effectors.keys().collect();
        let path = self.path_if(&Counterfactual::Strength(all.clone(), MAX_HELPFUL_STRENGTH)).await?;
        let stance = self.first_unsupported(&path)?.stance;
        let table = Arc::clone(&self.local.table);
        let groups: BTreeSet<GroupId> =
            stance.iter().filter_map(|contact| table.group_of_effector(contact.effector)).collect();
        let sets = groups.into_iter().map(|group| table.effector_groups[group].effectors.clone());
        for effectors in sets.chain([all]) {
            let change = |factor| Counterfactual::Strength(effectors.clone(), factor);
            let range = [1.0, MAX_HELPFUL_STRENGTH];
            let Some(LeastChange { amount, unsupported }) = self.least_change(range, change).await else { continue };
            let weak = unsupported.stance.iter().filter(|contact| effectors.contains(&contact.effector));
            if weak.clone().next().is_none() {
                continue;
            }
            let groups: BTreeSet<GroupId> =
                weak.clone().filter_map(|contact| table.group_of_effector(contact.effector)).collect();
            let groups = groups.into_iter().map(|group| table.effector_groups[group].name.clone()).collect();
            let force = weak.map(|contact| self.max_force(contact)).fold(f32::INFINITY, f32::min);
            let missing = MissingSupport::Strength { groups, force, factor: round_up(amount) };
            return Some(Remedy { missing, extent: amount, unsupported });
        }
        None
    }

    /// The greatest force that a contact bears, in newtons.
    fn max_force(&self, contact: &Contact) -> f32 {
        let ability = self.local.problem.character.effectors[contact.effector].ability;
        let hold_type = self.local.problem.world.holds[contact.hold].hold_type;
        ability.grip.filter(|_| hold_type.allows_grip()).map_or(ability.max_push, |grip| grip.max_force)
    }

    /// How much nearer to the holds the center of mass would have to be.
    async fn center_nearer(&mut self) -> Option<Remedy> {
        let [low, high] = [self.lengths.min_center_change, self.lengths.max_center_change];
        let LeastChange { amount, unsupported } = self.least_change([low, high], Counterfactual::CenterOutside).await?;
        let missing = MissingSupport::Balance { distance: amount };
        Some(Remedy { missing, extent: 1.0 + amount / self.lengths.doubling_center_change, unsupported })
    }
}
