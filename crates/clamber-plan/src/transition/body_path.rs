//! The path of the body and of the limbs in contact, without the free limbs.

use clamber_model::id::{LinkId, TiSlice};
use clamber_model::kinematics::{effector_position_at, max_displacement};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{CheckedLinks, are_links_free};
use clamber_model::self_collision;
use clamber_model::{Configuration, Contact};
use clamber_posture::solver::{PostureReference, PostureTasks};

use super::transition_problem::{PostureChange, Thoroughness};
use super::tuning;
use crate::local_planner::LocalPlanner;

impl LocalPlanner {
    /// The keyframes of a path on which the links of `body` are free, with the first configuration: straight, yielding to
    /// obstacles, or by random trees.
    pub(super) async fn body_path(
        &mut self,
        change: PostureChange<'_>,
        body: &TiSlice<LinkId, bool>,
        thoroughness: Thoroughness,
    ) -> Option<Vec<Configuration>> {
        let mut keyframes = vec![change.from.clone()];
        let straight = change.straight();
        let is_leaning = change.leaning().is_some() && change.bulge == change.lean;
        if self.append_straight(&mut keyframes, change, body).await {
            return Some(keyframes);
        }
        if is_leaning {
            return None;
        }
        if change.bulge != Vec3::ZERO && self.append_straight(&mut keyframes, straight, body).await
            || self.append_yielding(&mut keyframes, change, body, thoroughness).await
        {
            return Some(keyframes);
        }
        let growths = match thoroughness {
            Thoroughness::Quick => return None,
            Thoroughness::Thorough => tuning::TREE_GROWTHS,
        };
        let path = self.connect(change, body, growths).await?;
        // Shortcuts from keyframe to keyframe as far ahead as the straight path is free.
        let mut here = 0;
        let corners: Vec<&Configuration> = std::iter::once(change.from).chain(&path).collect();
        while here + 1 < corners.len() {
            let mut ahead = corners.len() - 1 - here;
            loop {
                let shortcut = PostureChange { from: corners[here], to: corners[here + ahead], ..straight };
                if ahead == 1 || self.append_straight(&mut keyframes, shortcut, body).await {
                    break;
                }
                ahead = (ahead / 2).max(1);
            }
            here += ahead;
            if ahead == 1 {
                keyframes.push(corners[here].clone());
            }
        }
        Some(keyframes)
    }

    /// The number of keyframes of a straight path.
    fn count_of(&mut self, change: PostureChange) -> usize {
        let character = &self.problem.character;
        let PostureChange { from, to, adds, .. } = change;
        let mut length = max_displacement(character, [from, to], &mut self.collision.end_link_frames);
        for contact in adds {
            let begins = effector_position_at(character, from, contact.effector);
            length = length.max(tuning::SWING_ARC * (contact.effector_center(character) - begins).length());
        }
        (length / self.settings.max_frame_displacement).ceil().clamp(1.0, tuning::MAX_KEYFRAMES) as usize
    }

    /// Appends the straight path of the body, or one that bulges between its ends; false when it is not free.
    async fn append_straight(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        change: PostureChange<'_>,
        body: &TiSlice<LinkId, bool>,
    ) -> bool {
        let (length, count) = (keyframes.len(), self.count_of(change));
        let mut between = change.from.clone();
        let mut raised = [change.from.clone(), change.to.clone()];
        for index in 1..=2 * count {
            let t = index as f32 / (2 * count) as f32;
            let character = &self.problem.character;
            for (raised, end) in raised.iter_mut().zip([change.from, change.to]) {
                raised.root.translation = end.root.translation + change.bulge * (4.0 * t * (1.0 - t));
            }
            if index == 2 * count {
                between.clone_from(change.to);
            } else if !self.projection.interpolate_bending_limbs(
                character,
                raised.each_ref(),
                t,
                change.held,
                &mut between,
            ) || !self.move_over_contacts(&mut between, change)
                || !self.is_body_free(&between, body)
            {
                keyframes.truncate(length);
                return false;
            }
            if index % 2 == 0 {
                keyframes.push(between.clone());
                self.budget.checkpoint().await;
            }
        }
        self.budget.count(1).await;
        true
    }

    /// Appends a path of the body that yields to obstacles: where the straight path collides, the body stays as near to it as
    /// it can.
    async fn append_yielding(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        change: PostureChange<'_>,
        body: &TiSlice<LinkId, bool>,
        thoroughness: Thoroughness,
    ) -> bool {
        let max_yields = match thoroughness {
            Thoroughness::Quick => tuning::BODY_YIELDS_QUICK,
            Thoroughness::Thorough => tuning::BODY_YIELDS_THOROUGH,
        };
        let count = self.count_of(change);
        let (mut index, mut late, mut yielded) = (1, 0, 0);
        while index <= count {
            self.budget.checkpoint().await;
            let mut next = change.to.clone();
            let character = &self.problem.character;
            let mut is_good = index == count
                || self.projection.interpolate_bending_limbs(
                    character,
                    [change.from, change.to],
                    index as f32 / count as f32,
                    change.held,
                    &mut next,
                ) && self.is_body_free(&next, body);
            let here = keyframes[keyframes.len() - 1].clone();
            is_good = is_good && self.is_between_free(&here, &next, change.held, body);
            if !is_good {
                yielded += 1;
                if yielded > max_yields {
                    return false;
                }
                let region = change.region_to_aim_for(self);
                let tasks = PostureTasks {
                    patch_headings: &[],
                    stance: change.held,
                    reference: PostureReference::Configuration(&next.clone()),
                    conditions: &[],
                    center_regions: region.as_slice(),
                    effort: None,
                };
                next.clone_from(&here);
                if !self.solve_links_free(&mut next, tasks, CheckedLinks::Only(body), change.held).await
                    || !self.is_between_free(&here, &next, change.held, body)
                {
                    return false;
                }
                if index == count {
                    late += 1;
                    if late > tuning::MAX_LATE {
                        return false;
                    }
                    keyframes.push(next);
                    continue;
                }
            }
            keyframes.push(next);
            index += 1;
        }
        true
    }

    /// Whether the body is free half-way between two configurations.
    fn is_between_free(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        body: &TiSlice<LinkId, bool>,
    ) -> bool {
        let mut between = to.clone();
        let character = &self.problem.character;
        self.projection.interpolate_bending_limbs(character, [from, to], 0.5, held, &mut between)
            && self.is_body_free(&between, body)
    }

    fn is_body_free(&mut self, configuration: &Configuration, body: &TiSlice<LinkId, bool>) -> bool {
        let (world, character) = (&self.problem.world, &self.problem.character);
        let margin = self.settings.stance_clearance.margin;
        let links = CheckedLinks::Only(body);
        are_links_free(world, character, configuration, links, margin, &mut self.collision)
            && self_collision::is_free(character, configuration, links, &mut self.collision.self_collision)
    }
}
