//! The way from one posture to another while some contacts are held and a limb swings to a new one.
//!
//! First the way of the body with the limbs that hold on, as if the others were not there; then, one by one, the ways of the
//! limbs that are free. Each of these is a question in three coordinates, where the whole has a dozen.

use std::sync::Arc;

use clamber_model::collision::{Links, are_links_free};
use clamber_model::id::{EffectorId, LimbId, LinkId, TiSlice, TiVec};
use clamber_model::kinematics::{effector_place, link_in_world, travel};
use clamber_model::math::Vec3;
use clamber_model::{Configuration, Contact};

use super::posture_change::{Effort, PostureChange};
use crate::limb_search::{End, LimbMoment};
use crate::local_planner::LocalPlanner;
use clamber_posture::solver::{PostureReference, PostureTasks};

/// How far a contact may slip between two frames, in metres.
const MOST_SLIP: f32 = 3e-4;

impl LocalPlanner {
    /// The way of a change, in steps no longer than a frame's, if one is free; without where it began.
    pub fn swing(&mut self, change: PostureChange, effort: Effort) -> Option<Vec<Configuration>> {
        if let Some(way) = self.swing_straight(change, effort) {
            return Some(way);
        }
        // A limb may need the body to make room for it half-way.
        let middle = self.lifted(change)?;
        let mut way = self.swing_straight(PostureChange { to: &middle, adds: None, ..change }, effort)?;
        let middle = way.last().cloned().unwrap_or(middle);
        way.extend(self.swing_straight(PostureChange { from: &middle, ..change }, effort)?);
        Some(way)
    }

    /// A posture half-way of a change in which the effector that swings is off everything.
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
        let wish =
            PostureTasks { stance: &stance, reference: PostureReference::Configuration(&between), balances: &[] };
        self.fit_links_free(&mut middle, wish, Links::All, change.held).then_some(middle)
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
        let mut moments = self.body_way(change, &body, effort)?;
        for limb in free {
            let adds = change.adds.filter(|contact| limb_of(contact) == Some(limb));
            if !self.pass_limb(&mut moments, limb, adds, change.is_loose) {
                return None;
            }
        }
        self.follow(&moments, change.held, effort)
    }

    /// The way of the body and of the limbs that hold on, as far as the links that are said to be the body show; with where
    /// it begins.
    fn body_way(
        &mut self,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
        effort: Effort,
    ) -> Option<Vec<Configuration>> {
        let mut moments = vec![change.from.clone()];
        if self.append_straight(&mut moments, change, body) || self.append_yielding(&mut moments, change, body, effort)
        {
            return Some(moments);
        }
        let attempts = match effort {
            Effort::Quick => return None,
            Effort::Thorough => 40,
        };
        let way = self.connect(change, body, attempts)?;
        // Straight from moment to moment, as far ahead as there is nothing in between.
        let mut here = 0;
        let corners: Vec<&Configuration> = std::iter::once(change.from).chain(&way).collect();
        while here + 1 < corners.len() {
            let mut ahead = corners.len() - 1 - here;
            loop {
                let part = PostureChange { from: corners[here], to: corners[here + ahead], ..change };
                if ahead == 1 || self.append_straight(&mut moments, part, body) {
                    break;
                }
                ahead = (ahead / 2).max(1);
            }
            here += ahead;
            if ahead == 1 {
                moments.push(corners[here].clone());
            }
        }
        Some(moments)
    }

    /// How many moments a change has.
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

    /// Appends the straight way of the body, if it is free.
    fn append_straight(
        &mut self,
        moments: &mut Vec<Configuration>,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
    ) -> bool {
        let (length, count) = (moments.len(), self.count_of(change));
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
                moments.truncate(length);
                return false;
            }
            if index % 2 == 0 {
                moments.push(between.clone());
            }
        }
        self.budget.expansions += 1;
        true
    }

    /// Appends a way of the body that yields to obstacles: where it would touch one, it moves as near to the straight way as
    /// it can.
    fn append_yielding(
        &mut self,
        moments: &mut Vec<Configuration>,
        change: PostureChange,
        body: &TiSlice<LinkId, bool>,
        effort: Effort,
    ) -> bool {
        // Moments that may be needed to catch up with the straight way after yielding.
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
            let here = moments[moments.len() - 1].clone();
            is_good = is_good && self.is_between_free(&here, &next, change.held, body);
            if !is_good {
                yielded += 1;
                if yielded > most {
                    return false;
                }
                let wish = PostureTasks {
                    stance: change.held,
                    reference: PostureReference::Configuration(&next.clone()),
                    balances: &[],
                };
                next.clone_from(&here);
                if !self.fit_links_free(&mut next, wish, Links::Only(body), change.held)
                    || !self.is_between_free(&here, &next, change.held, body)
                {
                    return false;
                }
                if index == count {
                    late += 1;
                    if late > LATE {
                        return false;
                    }
                    moments.push(next);
                    continue;
                }
            }
            moments.push(next);
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
        self.projection.interpolate_in_place(character, [from, to], 0.5, held, &mut between)
            && self.is_body_free(&between, body)
    }

    fn is_body_free(&mut self, configuration: &Configuration, body: &TiSlice<LinkId, bool>) -> bool {
        let (world, character) = (&self.problem.world, &self.problem.character);
        let margin = self.settings.contact_clearance.margin;
        are_links_free(world, character, configuration, Links::Only(body), margin, &mut self.collision)
    }

    /// Makes a limb pass obstacles while the body moves, in place of where it is in the moments; false when it cannot. An
    /// effector that goes to a contact goes there in an arc if it can.
    fn pass_limb(
        &mut self,
        moments: &mut Vec<Configuration>,
        limb: LimbId,
        adds: Option<&Contact>,
        is_loose: bool,
    ) -> bool {
        const LIFTS: [f32; 2] = [0.07, 0.2];
        let character = &self.problem.character;
        let Some(hinges) = self.limbs[limb].take() else {
            // Nothing is known of its kind; the arc is what mostly works.
            if let Some(contact) = adds {
                self.arc(moments, contact, LIFTS[0]);
            }
            return true;
        };
        let mut search = std::mem::take(&mut self.limb_search);
        search.hang(&hinges, moments.iter().map(|moment| link_in_world(character, moment, hinges.parent)));
        let field = &Arc::clone(&self.problem.world).field;
        let angles = |moment: &Configuration| hinges.hinges.map(|hinge| moment.angles[hinge]);
        let way_of =
            |moments: &[Configuration]| -> Vec<LimbMoment> { moments.iter().map(angles).enumerate().collect() };
        let mut is_clear = false;
        match adds {
            None => is_clear = search.is_clear(&hinges, field, &way_of(moments)),
            Some(contact) => {
                for lift in LIFTS {
                    self.arc(moments, contact, lift);
                    is_clear = search.is_clear(&hinges, field, &way_of(moments));
                    if is_clear {
                        break;
                    }
                }
            }
        }
        if !is_clear {
            let [begins, ends] = [0, moments.len() - 1].map(|index| angles(&moments[index]));
            let (way, looked_at) = if adds.is_none() && is_loose {
                search.find(&hinges, &self.problem.world, begins, End::Near(ends))
            } else {
                // Places to hold on to are tighter than the places that are left, so that looking from there is sooner done.
                search.turn_back();
                let (way, looked_at) = search.find(&hinges, &self.problem.world, ends, End::At(begins));
                let last = moments.len() - 1;
                let back =
                    |way: Vec<LimbMoment>| way.into_iter().rev().map(|(at, angles)| (last - at, angles)).collect();
                (way.map(back), looked_at)
            };
            self.budget.expansions += looked_at as u64 / 8;
            if let Some(way) = way {
                let at = |(moment, angles): LimbMoment| {
                    let mut configuration = moments[moment].clone();
                    hinges.hinges.iter().zip(angles).for_each(|(&hinge, angle)| configuration.angles[hinge] = angle);
                    configuration
                };
                *moments = way.into_iter().map(at).collect();
                is_clear = true;
            }
        }
        self.limb_search = search;
        self.limbs[limb] = Some(hinges);
        is_clear
    }

    /// Puts an effector onto an arc from where it is in the first moment to its contact; where the limb is too short for it, it
    /// stays where it is.
    fn arc(&mut self, moments: &mut [Configuration], contact: &Contact, lift: f32) {
        let character = &*Arc::clone(&self.problem.character);
        let begins = self.effector_of(&moments[0], contact.effector);
        let ends = contact.center(character);
        // Away from what is held last and next, which leads round an edge between the two.
        let leaves = self.problem.world.field.estimate_gradient(begins);
        let off: Vec3 = lift * (leaves + contact.normal).try_normalize().unwrap_or(contact.normal);
        let count = moments.len();
        for (index, moment) in moments.iter_mut().enumerate().take(count - 1).skip(1) {
            let t = index as f32 / (count - 1) as f32;
            let place = begins.lerp(ends, t) + off * (4.0 * t * (1.0 - t));
            self.projection.reach(character, moment, contact.effector, place);
        }
    }

    /// The way through the moments, if it is free.
    ///
    /// Where it would touch something, the whole body yields: from where it is now, it moves as near to where it should be as
    /// obstacles let it.
    fn follow(&mut self, moments: &[Configuration], held: &[Contact], effort: Effort) -> Option<Vec<Configuration>> {
        // Steps that may be needed to catch up with the way after yielding.
        const LATE: usize = 4;
        let most = match effort {
            Effort::Quick => 4,
            Effort::Thorough => 12,
        };
        let from = &moments[0];
        let mut way: Vec<Configuration> = Vec::with_capacity(moments.len());
        let (mut late, mut yielded, mut index) = (0, 0, 1);
        while let Some(moment) = moments.get(index) {
            let here = way.last().unwrap_or(from).clone();
            if !self.creep(&here, moment, held, &mut way) {
                yielded += 1;
                if yielded > most {
                    return None;
                }
                let wish =
                    PostureTasks { stance: held, reference: PostureReference::Configuration(moment), balances: &[] };
                let mut next = here.clone();
                if !self.fit_free(&mut next, wish) || !self.creep(&here, &next, held, &mut way) {
                    return None;
                }
                if index + 1 == moments.len() {
                    late += 1;
                    if late > LATE {
                        return None;
                    }
                    continue;
                }
            }
            index += 1;
        }
        Some(way)
    }

    /// Appends the straight way on the contacts from one configuration to another, in steps no longer than a frame's, if it is
    /// free.
    fn creep(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        way: &mut Vec<Configuration>,
    ) -> bool {
        const SHORTEST: f32 = 0.05;
        // Beyond this, the ends of a shortest step are not neighbours: a stretched limb lets the body flip from one posture to
        // another, both on the contacts.
        const LEAP: f32 = 1e-3;
        let character = &*Arc::clone(&self.problem.character);
        let length = way.len();
        let far = travel(character, [from, to], &mut self.collision.ends);
        let (mut t, mut stride) = (0.0f32, 1.0 / (far / self.settings.frame_step).ceil().max(1.0));
        while t < 1.0 {
            let there = if t + 1.01 * stride >= 1.0 { 1.0 } else { t + stride };
            let mut next = to.clone();
            let is_kept =
                there == 1.0 || self.projection.interpolate_in_place(character, [from, to], there, held, &mut next);
            let here = way[length..].last().unwrap_or(from);
            let slip =
                if is_kept { self.projection.midpoint_slip(character, [here, &next], held) } else { f32::INFINITY };
            if is_kept && slip > MOST_SLIP && stride > SHORTEST {
                stride *= 0.5;
                continue;
            }
            let is_first = way.is_empty();
            let is_free = |local: &mut Self, here: &Configuration| match is_first {
                true => local.is_step_free(here, &next),
                false => local.is_next_step_free(here, &next),
            };
            if slip > LEAP || !is_free(self, here) {
                way.truncate(length);
                return false;
            }
            way.push(next);
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
            let mut way = Vec::new();
            let is_way = local.creep(&from, &to, &stance, &mut way);
            let leap = |way: &[Configuration]| {
                let pairs = std::iter::once(&from).chain(way).zip(way);
                let mut ends = Default::default();
                pairs.map(|(a, b)| travel(character, [a, b], &mut ends)).fold(0.0, f32::max)
            };
            assert!(!is_way || leap(&way) < 0.2, "a point leaps by {} m", leap(&way));
        });
    }
}
