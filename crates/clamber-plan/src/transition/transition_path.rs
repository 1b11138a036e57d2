//! The path from one posture to another on given contacts while limbs swing to new ones.
//!
//! First the path of the body with the limbs in contact, without the others; then, one by one, the paths of the free limbs. Each
//! of these searches has three coordinates, where the whole body has a dozen.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, LimbId, TiVec};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::{Configuration, Contact};
use clamber_posture::solver::{PostureReference, PostureTasks};

use super::transition_problem::{PostureChange, Thoroughness};
use super::tuning;
use crate::local_planner::LocalPlanner;

impl LocalPlanner {
    /// A free path for a change of posture, in steps of at most a frame, without the first configuration.
    pub async fn swing(&mut self, change: PostureChange<'_>, thoroughness: Thoroughness) -> Option<Vec<Configuration>> {
        self.plant(change.from, change.held);
        if let Some(path) = self.swing_straight(change, thoroughness).await {
            return Some(path);
        }
        if let Some(leaning) = change.leaning()
            && let Some(path) = self.swing_straight(leaning, thoroughness).await
        {
            return Some(path);
        }
        if thoroughness == Thoroughness::Quick && self.problem.character.root_joint == RootJoint::Free {
            return None;
        }
        // A limb may need the body to make room for it half-way.
        let middle = self.lifted(change).await?;
        let mut path =
            self.swing_straight(PostureChange { to: &middle, adds: &[], ..change.straight() }, thoroughness).await?;
        let middle = path.last().cloned().unwrap_or(middle);
        path.extend(self.swing_straight(PostureChange { from: &middle, ..change.straight() }, thoroughness).await?);
        Some(path)
    }

    /// A posture half-way of a change in which the swinging effectors are away from all obstacles.
    async fn lifted(&mut self, change: PostureChange<'_>) -> Option<Configuration> {
        if change.adds.is_empty() {
            return None;
        }
        let mut stance = change.held.to_vec();
        stance.extend(change.adds.iter().map(|contact| self.lifted_place(change.from, contact)));
        let mut between = change.from.clone();
        between.interpolate(change.from, change.to, 0.5);
        let mut middle = change.from.clone();
        let region = change.region_to_aim_for(self);
        let tasks = PostureTasks {
            patch_headings: &[],
            stance: &stance,
            reference: PostureReference::Configuration(&between),
            conditions: &[],
            center_regions: region.as_slice(),
            effort: None,
        };
        self.solve_links_free(&mut middle, tasks, CheckedLinks::All, change.held).await.then_some(middle)
    }

    /// A place half-way to a contact in which its effector is away from all obstacles.
    fn lifted_place(&mut self, from: &Configuration, contact: &Contact) -> Contact {
        let size = self.settings.size;
        let lift = tuning::LIFT_CLEARANCE * size;
        let character = &*Arc::clone(&self.problem.character);
        let field = &Arc::clone(&self.problem.world).distance_field;
        let begins = self.effector_of(from, contact.effector);
        let ends = contact.effector_center(character);
        let leaving = self.problem.world.distance_field.estimate_gradient(begins);
        let away = (leaving + contact.normal).try_normalize().unwrap_or(contact.normal);
        let enough = lift + character.effectors[contact.effector].radius;
        let mut place = begins.lerp(ends, 0.5) + 0.5 * lift * away;
        for _ in 0..tuning::LIFT_STEPS {
            let missing = enough - field.estimate(place);
            if missing <= 0.0 {
                break;
            }
            place += away * (missing + tuning::LIFT_EXTRA * size);
        }
        Contact { point: place, normal: Vec3::ZERO, ..*contact }
    }

    /// The body first, then each free limb, then the whole.
    async fn swing_straight(
        &mut self,
        change: PostureChange<'_>,
        thoroughness: Thoroughness,
    ) -> Option<Vec<Configuration>> {
        let character = &*Arc::clone(&self.problem.character);
        let limb_of = |contact: &Contact| character.effectors[contact.effector].limb;
        let is_free = |limb: LimbId| change.held.iter().all(|contact| limb_of(contact) != Some(limb));
        let mut free: Vec<LimbId> = character.limbs.keys().filter(|&limb| is_free(limb)).collect();
        // In space, the others make room for the limb that makes a contact.
        let makes_room = |limb: &LimbId| {
            self.limbs[*limb].is_none() && change.adds.iter().all(|contact| limb_of(contact) != Some(*limb))
        };
        free.sort_by_key(makes_room);
        let mut body = TiVec::from(vec![true; character.links.len()]);
        for &limb in &free {
            character.limbs[limb].links.iter().for_each(|&link| body[link] = false);
        }
        let mut keyframes = self.body_path(change, &body, thoroughness).await?;
        for limb in free {
            let adds = change.adds.iter().find(|contact| limb_of(contact) == Some(limb));
            if !self.pass_limb(&mut keyframes, limb, adds, change.is_loose, &body).await {
                return None;
            }
            character.limbs[limb].links.iter().for_each(|&link| body[link] = true);
        }
        self.follow(&keyframes, change, thoroughness).await
    }

    /// Bends the knee or elbow of a limb, its second joint, almost to its limit.
    pub fn tuck(&self, configuration: &mut Configuration, effector: EffectorId) {
        let character = &self.problem.character;
        let Some(limb) = character.effectors[effector].limb else { return };
        let second = character.limbs[limb].links.get(1);
        for &index in &character.limbs[limb].hinges {
            let hinge = &character.hinges[index];
            if Some(&hinge.link) == second {
                let bent = if hinge.max > -hinge.min { hinge.max } else { hinge.min };
                configuration.angles[index] += tuning::TUCK * (bent - configuration.angles[index]);
            }
        }
    }
}
