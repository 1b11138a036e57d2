//! The state of the local planner: a character in its world, checks of single steps, and short paths on contacts.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::configuration::max_motion_bound;
use clamber_model::id::{EffectorId, LimbId, LinkId, TiVec};
use clamber_model::kinematics::{center_of_mass, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{
    CheckedLinks, CollisionWorkspace, are_links_free_between, is_free, is_free_after_checked_start,
};
use clamber_model::rng::Stream;
use clamber_model::self_collision;
use clamber_model::{Configuration, Contact, ModeTable, Problem};

use super::equilibrium_workspace::EquilibriumWorkspace;
use super::tuning::{MAX_SLIP, STEPS_PER_CHECKPOINT};
use crate::budget::{Budget, Interrupt};
use crate::center_of_mass_in_scene_bounds::stays_in_bounds;
use crate::limb_search::{LimbSearch, TwoHingeLimb};
use crate::search_tuning::RELAX;
use crate::settings::ResolvedSettings;
use clamber_posture::anatomy::Anatomy;
use clamber_posture::contact_projection::ContactProjection;
use clamber_posture::solver::{PatchHeading, PostureSolver};

/// Moves a character in its world by short paths. Every search over contacts uses it.
pub(crate) struct LocalPlanner {
    pub problem: Arc<Problem>,
    pub table: Arc<ModeTable>,
    pub settings: ResolvedSettings,
    pub anatomy: Anatomy,
    pub projection: ContactProjection,
    pub solver: PostureSolver,
    /// For each limb, its model for the limb search, if it has two hinges.
    pub limbs: TiVec<LimbId, Option<TwoHingeLimb>>,
    pub limb_search: LimbSearch,
    pub collision: CollisionWorkspace,
    pub equilibrium: EquilibriumWorkspace,
    pub random: Stream,
    pub bounds: TiVec<LinkId, f32>,
    pub budget: Budget,
}

impl LocalPlanner {
    pub fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: ResolvedSettings,
        random: Stream,
        budget: Budget,
    ) -> Self {
        let anatomy = Anatomy::new(&problem.character, &table);
        let projection = ContactProjection::new(&problem.character, settings.step, RELAX);
        let solver = PostureSolver::new(&problem.character);
        let equilibrium = EquilibriumWorkspace::new(&problem.character);
        let limbs = problem.character.limbs.keys().map(|limb| TwoHingeLimb::of(&problem.character, limb)).collect();
        Self {
            problem,
            table,
            settings,
            anatomy,
            projection,
            solver,
            limbs,
            limb_search: LimbSearch::default(),
            collision: CollisionWorkspace::default(),
            equilibrium,
            random,
            bounds: TiVec::new(),
            budget,
        }
    }

    /// Keeps the patches of contacts from turning on their surfaces: from now on they point as in a configuration. In the plane they cannot
    /// turn.
    pub fn plant(&mut self, configuration: &Configuration, held: &[Contact]) {
        let character = &*self.problem.character;
        self.projection.patch_headings.clear();
        if character.root_joint == RootJoint::Free {
            let heading = |contact| PatchHeading::of_contact(character, configuration, contact);
            self.projection.patch_headings.extend(held.iter().filter_map(heading));
        }
    }

    /// The center of mass of a configuration. Updates [`ContactProjection::link_frames`] to it.
    pub fn center_of(&mut self, configuration: &Configuration) -> Vec3 {
        forward(&self.problem.character, configuration, &mut self.projection.link_frames);
        center_of_mass(&self.problem.character, &self.projection.link_frames)
    }

    /// The center of an effector in the world. Updates [`ContactProjection::link_frames`].
    pub fn effector_of(&mut self, configuration: &Configuration, effector: EffectorId) -> Vec3 {
        forward(&self.problem.character, configuration, &mut self.projection.link_frames);
        effector_position(&self.problem.character, &self.projection.link_frames, effector)
    }

    /// The first joint of an effector's limb in the world, by [`ContactProjection::link_frames`].
    pub fn limb_root(&self, effector: EffectorId) -> Option<Vec3> {
        let character = &self.problem.character;
        let first = character.limbs[character.effectors[effector].limb?].links[0];
        Some(self.projection.link_frames.world_from_link[first].translation)
    }

    /// Whether a small step does not collide, neither with obstacles nor with the body itself, and stays in bounds.
    pub fn is_step_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        self.is_step_of_links_free([from, to], CheckedLinks::All)
    }

    /// The same for some of the links.
    pub fn is_step_of_links_free(&mut self, ends: [&Configuration; 2], links: CheckedLinks) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        are_links_free_between(world, character, ends, links, &self.settings.stance_clearance, &mut self.collision)
            && self_collision::is_free_between(character, ends, links, &mut self.collision.self_collision)
            && stays_in_bounds(&self.problem, ends[0], ends[1], &mut self.collision.end_link_frames)
    }

    /// The same for all links, where `from` is the end of a free step.
    pub fn is_step_free_from_free_start(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        is_free_after_checked_start(world, character, [from, to], &self.settings.stance_clearance, &mut self.collision)
            && self_collision::is_free_between(
                character,
                [from, to],
                CheckedLinks::All,
                &mut self.collision.self_collision,
            )
            && stays_in_bounds(&self.problem, from, to, &mut self.collision.end_link_frames)
    }

    pub fn is_free(&mut self, configuration: &Configuration) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        is_free(world, character, configuration, self.settings.stance_clearance.margin, &mut self.collision)
            && self_collision::is_free(character, configuration, CheckedLinks::All, &mut self.collision.self_collision)
    }

    /// Samples a neighbor on the contacts into `to`; false when it leaves them or the step is not free.
    pub fn sample_free(&mut self, from: &Configuration, stance: &[Contact], to: &mut Configuration) -> bool {
        let character = &self.problem.character;
        self.projection.sample_neighbor(character, from, stance, &mut self.random, to) && self.is_step_free(from, to)
    }

    /// Appends a random walk on the contacts to a path.
    pub async fn walk(
        &mut self,
        path: &mut Vec<Configuration>,
        stance: &[Contact],
        samples: usize,
    ) -> Result<(), Interrupt> {
        let mut here = path[path.len() - 1].clone();
        let mut next = here.clone();
        for _ in 0..samples {
            self.budget.spend(1).await?;
            if self.sample_free(&here, stance, &mut next) {
                std::mem::swap(&mut here, &mut next);
                path.push(here.clone());
            }
        }
        Ok(())
    }

    /// The straight path on the contacts between two configurations, without the first; `None` when it is not free or a contact slips.
    pub async fn path_on_contacts(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        stance: &[Contact],
    ) -> Option<Vec<Configuration>> {
        let Problem { character, .. } = &*Arc::clone(&self.problem);
        let mut bounds = TiVec::new();
        let length = max_motion_bound(character, from, to, &mut bounds);
        let count = (length / self.settings.step).ceil().max(1.0) as usize;
        let mut path: Vec<Configuration> = Vec::with_capacity(count);
        for i in 1..=count {
            let mut next = to.clone();
            if i < count {
                let t = i as f32 / count as f32;
                if !self.projection.interpolate(character, [from, to], t, stance, &mut next) {
                    return None;
                }
            }
            let here = path.last().unwrap_or(from);
            let slip = self.projection.midpoint_slip(character, [here, &next], stance);
            if slip > MAX_SLIP * self.settings.size || !self.is_step_free(here, &next) {
                return None;
            }
            path.push(next);
            if i % STEPS_PER_CHECKPOINT == 0 {
                self.budget.checkpoint().await;
            }
        }
        Some(path)
    }
}
