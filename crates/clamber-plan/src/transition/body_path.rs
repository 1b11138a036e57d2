//! The path from one posture to another while some contacts are held and a limb swings to a new one.
//!
//! First the path of the body with the limbs that hold on, as if the others were not there; then, one by one, the bounds of the
//! limbs that are free. Each of these is a question in three coordinates, where the whole has a dozen.

use std::sync::Arc;

use clamber_model::collision::{Links, are_links_free};
use clamber_model::id::{EffectorId, LimbId, LinkId, TiSlice, TiVec};
use clamber_model::kinematics::{effector_place, link_in_world, travel};
use clamber_model::math::Vec3;
use clamber_model::{Configuration, Contact};

use super::posture_change::{Effort, PostureChange};
use crate::limb_search::{LimbGoal, LimbState};
use crate::local_planner::LocalPlanner;
use clamber_posture::solver::{PostureReference, PostureTasks};

/// How far a contact may slip between two frames, in meters.
const MOST_SLIP: f32 = 3e-4;

impl LocalPlanner {
    /// The path of a change, in steps no longer than a frame's, if one is free; without where it began.
    pub fn swing(&mut self, change: PostureChange, effort: Effort) -> Option<Vec<Configuration>> {
        if let Some(path) = self.swing_straight(change, effort) {
            return Some(path);
        }
        // A limb may need the body to make room for it half-path.
        let middle = self.lifted(change)?;
        let mut path = self.swing_straight(PostureChange { to: &middle, adds: None, ..change }, effort)?;
        let middle = path.last().cloned().unwrap_or(middle);
        path.extend(self.swing_straight(PostureChange { from: &middle, ..change }, effort)?);
        Some(path)
    }

    /// A posture half-path of a change in which the effector that swings is off everything.
    fn lifted(&mut self, change: PostureChange) -> Option<Configuration> {
        const ROOM: f32 = 0.12;
        const STEPS: usize = 6;
        let contact = change.adds?;
        let character = &*Arc::clone(&self.problem.character);
        let field = &Arc::clone(&self.problem.world).field;
        let begins = self.effector_of(change.from, contact.effector);
        let ends = contact.center(character);
        let leaves = self.problem.world.field.estimate_gradient(begins);
        let away = (leaves + contact.normal).try_normalize().unwrap_or(contact.normal);
        let enough = ROOM + character.effectors[contact.effector].radius;
        let mut place = begins.lerp(ends, 0.5) + 0.5 * ROOM * away;
        for _ in 0..STEPS {
            let lack = enough - field.estimate(place);
            if lack <= 0.0 {
                break;
            }
            place += away * (lack + 0.02);
        }
        let mut stance = change.held.to_vec();
        stance.push(Contact { point: place, normal: Vec3::ZERO, ..*contact });
        let mut between = change.from.clone();
        between.interpolate(change.from, change.to, 0.5);
        let mut middle = change.from.clone();
        let tasks =
            PostureTasks { stance: &stance, reference: PostureReference::Configuration(&between), balances: &[] };
        self.solve_links_free(&mut middle, tasks, Links::All, change.held).then_some(middle)
    }

    fn swing_straight(&mut self, change: PostureChange, effort: Effort) -> Option<Vec<Configuration>> {
        let character = &*Arc::clone(&self.problem.character);
        let limb_of = |contact: &Contact| character.effectors[contact.effector].limb;
        let is_free = |limb: LimbId| change.held.iter().all(|contact| limb_of(contact) != Some(limb));
        let free: Vec<LimbId> = character.limbs.keys().filter(|&limb| is_free(limb)).collect();
        let mut body = TiVec::from(vec![true; character.links.len()]);
        for &limb in &free {
            character.limbs[limb].links.iter().for_each(|&link| body[link] = false);
        }
        let mut keyframes = self.body_path(change, &body, effort)?;
        for limb in free {
            let adds = change.adds.filter(|contact| limb_of(contact) == Some(limb));
            if !self.pass_limb(&mut keyframes, limb, adds, change.is_loose) {
                return None;
            }
        }
        self.follow(&keyframes, change.held, effort)
    }

    /// The path of the body and of the limbs that hold on, as far as the links that are said to be the body show; with where
    /// it begins.
    fn body_path(
        &mut self,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
        effort: Effort,
    ) -> Option<Vec<Configuration>> {
        let mut keyframes = vec![change.from.clone()];
        if self.append_straight(&mut keyframes, change, body)
            || self.append_yielding(&mut keyframes, change, body, effort)
        {
            return Some(keyframes);
        }
        let attempts = match effort {
            Effort::Quick => return None,
            Effort::Thorough => 40,
        };
        let path = self.connect(change, body, attempts)?;
        // Straight from keyframe to keyframe, as far ahead as there is nothing in between.
        let mut here = 0;
        let corners: Vec<&Configuration> = std::iter::once(change.from).chain(&path).collect();
        while here + 1 < corners.len() {
            let mut ahead = corners.len() - 1 - here;
            loop {
                let part = PostureChange { from: corners[here], to: corners[here + ahead], ..change };
                if ahead == 1 || self.append_straight(&mut keyframes, part, body) {
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

    /// How many keyframes a change has.
    fn count_of(&mut self, change: PostureChange) -> usize {
        const MOST: f32 = 16.0;
        let character = &self.problem.character;
        let PostureChange { from, to, adds, .. } = change;
        let mut length = travel(character, [from, to], &mut self.collision.ends);
        if let Some(contact) = adds {
            let begins = effector_place(character, from, contact.effector);
            length = length.max(1.2 * (contact.center(character) - begins).length());
        }
        (length / self.settings.frame_step).ceil().clamp(1.0, MOST) as usize
    }

    /// Appends the straight path of the body, if it is free.
    fn append_straight(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
    ) -> bool {
        let (length, count) = (keyframes.len(), self.count_of(change));
        let mut between = change.from.clone();
        for index in 1..=2 * count {
            let t = index as f32 / (2 * count) as f32;
            let character = &self.problem.character;
            let ends = [change.from, change.to];
            if index == 2 * count {
                between.clone_from(change.to);
            } else if !self.projection.interpolate_in_place(character, ends, t, change.held, &mut between)
                || !self.is_body_free(&between, body)
            {
                keyframes.truncate(length);
                return false;
            }
            if index % 2 == 0 {
                keyframes.push(between.clone());
            }
        }
        self.budget.expansions += 1;
        true
    }

    /// Appends a path of the body that yields to obstacles: where it would touch one, it moves as near to the straight path as
    /// it can.
    fn append_yielding(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
        effort: Effort,
    ) -> bool {
        // Moments that may be needed to catch up with the straight path after yielding.
        const LATE: usize = 4;
        let most = match effort {
            Effort::Quick => 6,
            Effort::Thorough => 16,
        };
        let count = self.count_of(change);
        let (mut index, mut late, mut yielded) = (1, 0, 0);
        while index <= count {
            let mut next = change.to.clone();
            let character = &self.problem.character;
            let mut is_good = index == count
                || self.projection.interpolate_in_place(
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
                if yielded > most {
                    return false;
                }
                let tasks = PostureTasks {
                    stance: change.held,
                    reference: PostureReference::Configuration(&next.clone()),
                    balances: &[],
                };
                next.clone_from(&here);
                if !self.solve_links_free(&mut next, tasks, Links::Only(body), change.held)
                    || !self.is_between_free(&here, &next, change.held, body)
                {
                    return false;
                }
                if index == count {
                    late += 1;
                    if late > LATE {
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

    /// Whether the body is free half-path between two configurations.
    fn is_between_free(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        body: &TiSlice<LinkId, bool>,
    ) -> bool {
        let mut between = to.clone();
        let character = &self.problem.character;
        self.projection.interpolate_in_place(character, [from, to], 0.5, held, &mut between)
            && self.is_body_free(&between, body)
    }

    fn is_body_free(&mut self, configuration: &Configuration, body: &TiSlice<LinkId, bool>) -> bool {
        let (world, character) = (&self.problem.world, &self.problem.character);
        let margin = self.settings.contact_clearance.margin;
        are_links_free(world, character, configuration, Links::Only(body), margin, &mut self.collision)
    }

    /// Makes a limb pass obstacles while the body moves, in place of where it is in the keyframes; false when it cannot. An
    /// effector that goes to a contact goes there in an arc if it can.
    fn pass_limb(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        limb: LimbId,
        adds: Option<&Contact>,
        is_loose: bool,
    ) -> bool {
        const LIFTS: [f32; 2] = [0.07, 0.2];
        let character = &self.problem.character;
        let Some(hinges) = self.limbs[limb].take() else {
            // Nothing is known of its kind; the arc is what mostly works.
            if let Some(contact) = adds {
                self.arc(keyframes, contact, LIFTS[0]);
            }
            return true;
        };
        let mut search = std::mem::take(&mut self.limb_search);
        search.hang(&hinges, keyframes.iter().map(|keyframe| link_in_world(character, keyframe, hinges.parent)));
        let field = &Arc::clone(&self.problem.world).field;
        let angles = |keyframe: &Configuration| hinges.hinges.map(|hinge| keyframe.angles[hinge]);
        let way_of =
            |keyframes: &[Configuration]| -> Vec<LimbState> { keyframes.iter().map(angles).enumerate().collect() };
        let mut is_clear = false;
        match adds {
            None => is_clear = search.is_clear(&hinges, field, &way_of(keyframes)),
            Some(contact) => {
                for lift in LIFTS {
                    self.arc(keyframes, contact, lift);
                    is_clear = search.is_clear(&hinges, field, &way_of(keyframes));
                    if is_clear {
                        break;
                    }
                }
            }
        }
        if !is_clear {
            let [begins, ends] = [0, keyframes.len() - 1].map(|index| angles(&keyframes[index]));
            let (path, looked_at) = if adds.is_none() && is_loose {
                search.find(&hinges, &self.problem.world, begins, LimbGoal::Near(ends))
            } else {
                // Places to hold on to are tighter than the places that are left, so that looking from there is sooner done.
                search.turn_back();
                let (path, looked_at) = search.find(&hinges, &self.problem.world, ends, LimbGoal::At(begins));
                let last = keyframes.len() - 1;
                let back =
                    |path: Vec<LimbState>| path.into_iter().rev().map(|(at, angles)| (last - at, angles)).collect();
                (path.map(back), looked_at)
            };
            self.budget.expansions += looked_at as u64 / 8;
            if let Some(path) = path {
                let at = |(keyframe, angles): LimbState| {
                    let mut configuration = keyframes[keyframe].clone();
                    hinges.hinges.iter().zip(angles).for_each(|(&hinge, angle)| configuration.angles[hinge] = angle);
                    configuration
                };
                *keyframes = path.into_iter().map(at).collect();
                is_clear = true;
            }
        }
        self.limb_search = search;
        self.limbs[limb] = Some(hinges);
        is_clear
    }

    /// Puts an effector onto an arc from where it is in the first keyframe to its contact; where the limb is too short for it, it
    /// stays where it is.
    fn arc(&mut self, keyframes: &mut [Configuration], contact: &Contact, lift: f32) {
        let character = &*Arc::clone(&self.problem.character);
        let begins = self.effector_of(&keyframes[0], contact.effector);
        let ends = contact.center(character);
        // Away from what is held last and next, which leads round an edge between the two.
        let leaves = self.problem.world.field.estimate_gradient(begins);
        let off: Vec3 = lift * (leaves + contact.normal).try_normalize().unwrap_or(contact.normal);
        let count = keyframes.len();
        for (index, keyframe) in keyframes.iter_mut().enumerate().take(count - 1).skip(1) {
            let t = index as f32 / (count - 1) as f32;
            let place = begins.lerp(ends, t) + off * (4.0 * t * (1.0 - t));
            self.projection.reach(character, keyframe, contact.effector, place);
        }
    }

    /// The path through the keyframes, if it is free.
    ///
    /// Where it would touch something, the whole body yields: from where it is now, it moves as near to where it should be as
    /// obstacles let it.
    fn follow(&mut self, keyframes: &[Configuration], held: &[Contact], effort: Effort) -> Option<Vec<Configuration>> {
        // Steps that may be needed to catch up with the path after yielding.
        const LATE: usize = 4;
        let most = match effort {
            Effort::Quick => 4,
            Effort::Thorough => 12,
        };
        let from = &keyframes[0];
        let mut path: Vec<Configuration> = Vec::with_capacity(keyframes.len());
        let (mut late, mut yielded, mut index) = (0, 0, 1);
        while let Some(keyframe) = keyframes.get(index) {
            let here = path.last().unwrap_or(from).clone();
            if !self.append_steps(&here, keyframe, held, &mut path) {
                yielded += 1;
                if yielded > most {
                    return None;
                }
                let tasks =
                    PostureTasks { stance: held, reference: PostureReference::Configuration(keyframe), balances: &[] };
                let mut next = here.clone();
                if !self.solve_free(&mut next, tasks) || !self.append_steps(&here, &next, held, &mut path) {
                    return None;
                }
                if index + 1 == keyframes.len() {
                    late += 1;
                    if late > LATE {
                        return None;
                    }
                    continue;
                }
            }
            index += 1;
        }
        Some(path)
    }

    /// Appends the straight path on the contacts from one configuration to another, in steps no longer than a frame's, if it is
    /// free.
    fn append_steps(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        path: &mut Vec<Configuration>,
    ) -> bool {
        const SHORTEST: f32 = 0.05;
        // Beyond this, the ends of a shortest step are not neighbors: a stretched limb lets the body flip from one posture to
        // another, both on the contacts.
        const LEAP: f32 = 1e-3;
        let character = &*Arc::clone(&self.problem.character);
        let length = path.len();
        let far = travel(character, [from, to], &mut self.collision.ends);
        let (mut t, mut stride) = (0.0f32, 1.0 / (far / self.settings.frame_step).ceil().max(1.0));
        while t < 1.0 {
            let there = if t + 1.01 * stride >= 1.0 { 1.0 } else { t + stride };
            let mut next = to.clone();
            let is_kept =
                there == 1.0 || self.projection.interpolate_in_place(character, [from, to], there, held, &mut next);
            let here = path[length..].last().unwrap_or(from);
            let slip =
                if is_kept { self.projection.midpoint_slip(character, [here, &next], held) } else { f32::INFINITY };
            if is_kept && slip > MOST_SLIP && stride > SHORTEST {
                stride *= 0.5;
                continue;
            }
            let is_first = path.is_empty();
            let is_free = |local: &mut Self, here: &Configuration| match is_first {
                true => local.is_step_free(here, &next),
                false => local.is_next_step_free(here, &next),
            };
            if slip > LEAP || !is_free(self, here) {
                path.truncate(length);
                return false;
            }
            path.push(next);
            t = there;
        }
        true
    }

    /// Bends a limb at its knee or elbow, almost as far as it goes.
    pub fn tuck(&self, configuration: &mut Configuration, effector: EffectorId) {
        const MOST: f32 = 0.85;
        let character = &self.problem.character;
        let Some(limb) = character.effectors[effector].limb else { return };
        let first = character.limbs[limb].links[0];
        for &index in &character.limbs[limb].hinges {
            let hinge = &character.hinges[index];
            if hinge.link != first {
                let bent = if hinge.max > -hinge.min { hinge.max } else { hinge.min };
                configuration.angles[index] += MOST * (bent - configuration.angles[index]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, slip, touching};

    #[test]
    fn a_leap_from_one_posture_on_the_contacts_to_another_is_no_way() {
        // Leg and arm are stretched in both, and between them the leg is a hair too short: the body can only flip.
        let problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let character = &problem.character;
        let configuration = |pitch: f32, angles: [f32; 9]| Configuration {
            root: Configuration::planar_root(1.81297, 2.67594, pitch, true),
            angles: angles.to_vec().into(),
        };
        let from = [0.0, 0.21140692, 0.02647704, -0.45327568, 1.0358493, 2.161468, -0.00660692, 1.9271427, -2.6179938];
        let to = [0.0, -0.22561032, 0.00170313, -0.4533681, 1.0357622, 0.82361484, 0.0, 0.592637, -2.6179938];
        let [from, mut to] = [configuration(-0.8425754, from), configuration(0.4919039, to)];
        let stance = ["right_knee", "left_foot", "left_hand"].map(|effector| touching(character, &from, effector));
        with_local_planner(&problem, |local| {
            assert!(local.projection.project_in_place(character, &mut to, &stance));
            assert!(slip(character, &to, &stance) < 2e-4);
            let mut path = Vec::new();
            let is_way = local.append_steps(&from, &to, &stance, &mut path);
            let leap = |path: &[Configuration]| {
                let pairs = std::iter::once(&from).chain(path).zip(path);
                let mut ends = Default::default();
                pairs.map(|(a, b)| travel(character, [a, b], &mut ends)).fold(0.0, f32::max)
            };
            assert!(!is_way || leap(&path) < 0.2, "a point leaps by {} m", leap(&path));
        });
    }
}
