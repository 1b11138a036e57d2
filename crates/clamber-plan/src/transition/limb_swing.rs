//! The path of a free limb while the body moves: an arc, or a search over its angles.

use std::sync::Arc;

use clamber_model::id::{EffectorId, LimbId};
use clamber_model::kinematics::link_pose;
use clamber_model::math::Vec3;
use clamber_model::{Configuration, Contact};

use super::tuning;
use crate::limb_search::{LimbGoal, LimbSearch, LimbState, TwoHingeLimb};
use crate::local_planner::LocalPlanner;

impl LocalPlanner {
    /// Moves a limb past obstacles while the body moves, replacing its angles in the keyframes; false when it cannot. An
    /// effector that moves to a contact takes an arc if that is free.
    pub(super) async fn pass_limb(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        limb: LimbId,
        adds: Option<&Contact>,
        is_loose: bool,
    ) -> bool {
        let Some(model) = self.limbs[limb].take() else {
            // Only limbs of two hinges can be searched. The arc mostly works.
            if let Some(contact) = adds {
                self.arc(keyframes, contact, tuning::LIFTS[0]);
            }
            return true;
        };
        let mut search = std::mem::take(&mut self.limb_search);
        search.set_keyframes(&self.problem.character, &model, keyframes);
        let mut is_free = self.try_arcs(&mut search, &model, keyframes, adds);
        if !is_free {
            if let Some((_, [between @ .., _])) = keyframes.split_first_mut().filter(|_| adds.is_some()) {
                between.iter_mut().for_each(|keyframe| model.rest_tip(keyframe));
                search.set_keyframes(&self.problem.character, &model, keyframes);
            }
            is_free = self.search_limb(&mut search, &model, keyframes, adds.is_none() && is_loose).await;
        }
        self.limb_search = search;
        self.limbs[limb] = Some(model);
        is_free
    }

    /// Tries the limb as it is, or arcs to its contact.
    fn try_arcs(
        &mut self,
        search: &mut LimbSearch,
        limb: &TwoHingeLimb,
        keyframes: &mut [Configuration],
        adds: Option<&Contact>,
    ) -> bool {
        let field = &Arc::clone(&self.problem.world).distance_field;
        let path_of = |keyframes: &[Configuration]| -> Vec<LimbState> {
            keyframes.iter().map(|keyframe| angles(limb, keyframe)).enumerate().collect()
        };
        let Some(contact) = adds else { return search.is_free(limb, field, &path_of(keyframes)) };
        self.lifts().iter().any(|&lift| {
            self.arc(keyframes, contact, lift);
            search.set_keyframes(&self.problem.character, limb, keyframes);
            search.is_free(limb, field, &path_of(keyframes))
        })
    }

    /// The heights of arcs that are tried. A body that stays over its contacts cannot lean away from an obstacle below the arc.
    fn lifts(&self) -> &'static [f32] {
        if self.settings.equilibrium { &tuning::LIFTS } else { &tuning::LIFTS[..tuning::LEANING_LIFTS] }
    }

    /// Searches over the limb's angles. A loose limb may end elsewhere.
    async fn search_limb(
        &mut self,
        search: &mut LimbSearch,
        limb: &TwoHingeLimb,
        keyframes: &mut Vec<Configuration>,
        is_loose: bool,
    ) -> bool {
        let last = keyframes.len() - 1;
        let [begins, ends] = [0, last].map(|index| angles(limb, &keyframes[index]));
        let world = &self.problem.world;
        let (path, expansions) = if is_loose {
            search.find(limb, world, begins, LimbGoal::Near(ends)).await
        } else {
            // Places next to a hold are tighter than those that the limb leaves, so searching from there ends sooner.
            search.reverse();
            let (path, expansions) = search.find(limb, world, ends, LimbGoal::At(begins)).await;
            let reverse =
                |path: Vec<LimbState>| path.into_iter().rev().map(|(at, angles)| (last - at, angles)).collect();
            (path.map(reverse), expansions)
        };
        self.budget.count((expansions / tuning::LIMB_STATES_PER_EXPANSION) as u64).await;
        let Some(path) = path else { return false };
        let at = |(keyframe, angles): LimbState| {
            let mut configuration = keyframes[keyframe].clone();
            limb.hinges.iter().zip(angles).for_each(|(&hinge, angle)| configuration.angles[hinge] = angle);
            configuration
        };
        *keyframes = path.into_iter().map(at).collect();
        true
    }

    /// Moves an effector along an arc from its place in the first keyframe to its contact. `lift` is the height of the arc in body
    /// sizes. Where the limb is too short, it stays.
    fn arc(&mut self, keyframes: &mut [Configuration], contact: &Contact, lift: f32) {
        let character = &*Arc::clone(&self.problem.character);
        let begins = self.effector_of(&keyframes[0], contact.effector);
        let ends = contact.effector_center(character);
        // Away from the surfaces at both ends, which leads around an edge between the two.
        let leaving = self.problem.world.distance_field.estimate_gradient(begins);
        let off: Vec3 =
            lift * self.settings.size * (leaving + contact.normal).try_normalize().unwrap_or(contact.normal);
        let count = keyframes.len();
        let [first, last] = [0, count - 1].map(|index| self.facing_of(&keyframes[index], contact.effector));
        for (index, keyframe) in keyframes.iter_mut().enumerate().take(count - 1).skip(1) {
            let t = index as f32 / (count - 1) as f32;
            let place = begins.lerp(ends, t) + off * (4.0 * t * (1.0 - t));
            // The foot turns evenly in the world, so that it does not drag its toes.
            let facing = first.zip(last).map(|(first, last)| first.lerp(last, t));
            self.projection.bend_limb_facing(character, keyframe, contact.effector, place, facing);
        }
    }

    /// The direction that an effector faces, in the world.
    pub(super) fn facing_of(&self, configuration: &Configuration, effector: EffectorId) -> Option<Vec3> {
        let effector = &self.problem.character.effectors[effector];
        Some(link_pose(&self.problem.character, configuration, effector.link).rotation * effector.facing?)
    }
}

fn angles(limb: &TwoHingeLimb, configuration: &Configuration) -> [f32; 2] {
    limb.hinges.map(|hinge| configuration.angles[hinge])
}
