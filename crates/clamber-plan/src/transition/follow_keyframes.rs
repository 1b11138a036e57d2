//! Follows keyframes with the whole body in steps of a frame, and yields where that collides.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::kinematics::max_displacement;
use clamber_model::{Configuration, Contact};
use clamber_posture::solver::{PostureReference, PostureTasks};

use super::transition_problem::{PostureChange, Thoroughness};
use super::tuning;
use crate::local_planner::LocalPlanner;

impl LocalPlanner {
    /// The path through the keyframes without the first; `None` when it is not free. Where it collides, the whole body yields:
    /// it moves as near to the next keyframe as obstacles allow.
    pub(super) async fn follow(
        &mut self,
        keyframes: &[Configuration],
        change: PostureChange<'_>,
        thoroughness: Thoroughness,
    ) -> Option<Vec<Configuration>> {
        let held = change.held;
        let max_yields = match thoroughness {
            Thoroughness::Quick => tuning::YIELDS_QUICK,
            Thoroughness::Thorough => tuning::YIELDS_THOROUGH,
        };
        let from = &keyframes[0];
        let mut path: Vec<Configuration> = Vec::with_capacity(keyframes.len());
        let (mut late, mut yielded, mut index) = (0, 0, 1);
        while let Some(keyframe) = keyframes.get(index) {
            let here = path.last().unwrap_or(from).clone();
            if !self.append_steps(&here, keyframe, change, &mut path).await {
                yielded += 1;
                if yielded > max_yields {
                    return None;
                }
                let region = change.region_to_aim_for(self);
                let tasks = PostureTasks {
                    patch_headings: &[],
                    stance: held,
                    reference: PostureReference::Configuration(keyframe),
                    conditions: &[],
                    center_regions: region.as_slice(),
                    effort: None,
                };
                let mut next = here.clone();
                if !self.solve_free(&mut next, tasks).await || !self.append_steps(&here, &next, change, &mut path).await
                {
                    return None;
                }
                if index + 1 == keyframes.len() {
                    late += 1;
                    if late > tuning::MAX_LATE {
                        return None;
                    }
                    continue;
                }
            }
            index += 1;
        }
        Some(path)
    }

    /// Appends the straight path on the contacts from one configuration to another, in steps of at most a frame; false when it
    /// is not free.
    async fn append_steps(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        change: PostureChange<'_>,
        path: &mut Vec<Configuration>,
    ) -> bool {
        let held = change.held;
        let (max_slip, max_leap) = (tuning::MAX_SLIP * self.settings.size, tuning::MAX_LEAP * self.settings.size);
        let character = &*Arc::clone(&self.problem.character);
        let length = path.len();
        let distance = max_displacement(character, [from, to], &mut self.collision.end_link_frames);
        let (mut t, mut stride) = (0.0f32, 1.0 / (distance / self.settings.max_frame_displacement).ceil().max(1.0));
        // A stretched leg that swings forward lowers its foot before it has bent: evenly changing angles lead it through the ground
        // that it leaves. There the effector moves straight.
        let mut swings_straight = false;
        while t < 1.0 {
            let there = if t + 1.01 * stride >= 1.0 { 1.0 } else { t + stride };
            let mut next = to.clone();
            let is_kept = (there == 1.0
                || self.projection.interpolate_bending_limbs(character, [from, to], there, held, &mut next))
                && (!swings_straight || self.straighten_swing([from, to], there, change, &mut next))
                && self.move_over_contacts(&mut next, change);
            let here = path[length..].last().unwrap_or(from);
            let slip =
                if is_kept { self.projection.midpoint_slip(character, [here, &next], held) } else { f32::INFINITY };
            if is_kept && slip > max_slip && stride > tuning::MIN_STRIDE {
                stride *= 0.5;
                continue;
            }
            let is_first = path.is_empty();
            let is_free = |local: &mut Self, here: &Configuration| match is_first {
                true => local.is_step_free(here, &next),
                false => local.is_step_free_from_free_start(here, &next),
            };
            if slip > max_leap || !is_free(self, here) {
                if is_kept && slip <= max_leap && !change.adds.is_empty() && stride > tuning::MIN_STRIDE {
                    (swings_straight, stride) = (true, 0.5 * stride);
                    continue;
                }
                path.truncate(length);
                return false;
            }
            path.push(next);
            t = there;
            self.budget.checkpoint().await;
        }
        true
    }

    /// Puts the swinging effectors on the straight lines between their places in two configurations; false when a limb is too short.
    fn straighten_swing(
        &mut self,
        ends: [&Configuration; 2],
        t: f32,
        change: PostureChange<'_>,
        configuration: &mut Configuration,
    ) -> bool {
        let character = &*Arc::clone(&self.problem.character);
        change.adds.iter().all(|&Contact { effector, .. }| {
            let [from, to] = ends.map(|end| self.effector_of(end, effector));
            let target = self.swing_target(ends, effector, from.lerp(to, t), t);
            // A knee moves around the hip, and not straight.
            let is_stiff = character.root_joint == RootJoint::Free && self.is_mid_limb(effector);
            is_stiff || self.projection.swing_limb_to_target(character, configuration, target)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use crate::resumable_search::run_to_end;
    use clamber_model::math::Vec3;
    use clamber_model::world::HoldType;
    use clamber_posture::contact_projection::SoleRoll;
    use clamber_testing::{figure_on_ground, figure_without_feet, hold, slip, touching};

    #[test]
    fn a_flip_between_two_postures_on_the_same_contacts_is_not_a_path() {
        // Leg and arm are stretched in both postures. Between them the leg is slightly too short, so the body can only flip.
        let ground = hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing);
        let problem = figure_on_ground(figure_without_feet(), vec![ground]);
        let character = &problem.character;
        let configuration = |pitch: f32, angles: [f32; 9]| Configuration {
            root: Configuration::planar_root_pose(1.81297, 2.67594, pitch, true),
            angles: angles.to_vec().into(),
        };
        let from = [0.0, 0.21140692, 0.02647704, -0.45327568, 1.0358493, 2.161468, -0.00660692, 1.9271427, -2.6179938];
        let to = [0.0, -0.22561032, 0.00170313, -0.4533681, 1.0357622, 0.82361484, 0.0, 0.592637, -2.6179938];
        let [from, mut to] = [configuration(-0.8425754, from), configuration(0.4919039, to)];
        let stance = ["right_knee", "left_foot", "left_hand"].map(|effector| touching(character, &from, effector));
        with_local_planner(&problem, |local| {
            assert!(local.projection.project_bending_limbs(character, &mut to, &stance, SoleRoll::Least));
            assert!(slip(character, &to, &stance) < 2e-4);
            let mut path = Vec::new();
            let (held, center_allowance) = (&stance[..], None);
            let change = PostureChange {
                from: &from,
                to: &to,
                held,
                adds: &[],
                center_allowance,
                bulge: Vec3::ZERO,
                lean: Vec3::ZERO,
                is_loose: true,
            };
            let is_way = run_to_end(local.append_steps(&from, &to, change, &mut path));
            let leap = |path: &[Configuration]| {
                let pairs = std::iter::once(&from).chain(path).zip(path);
                let mut ends = Default::default();
                pairs.map(|(a, b)| max_displacement(character, [a, b], &mut ends)).fold(0.0, f32::max)
            };
            assert!(!is_way || leap(&path) < 0.2, "a point leaps by {} m", leap(&path));
        });
    }
}
