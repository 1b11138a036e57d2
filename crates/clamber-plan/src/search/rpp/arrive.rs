//! The last steps: into the goal's own contacts, and into its posture (thesis 5.4.2).

use clamber_model::problem::Posture;
use clamber_model::{Configuration, Contact};

use super::Search;
use crate::observe::Stop;
use crate::trail::Waypoint;

/// Regrasps before the last steps are given up.
const MAX_REGRASPS: usize = 8;

impl Search<'_, '_, '_> {
    /// Changes the contacts into the goal's and the posture into the goal's; the way is left as it was when that fails.
    ///
    /// The thesis has two cases. A free effector that the goal wants somewhere is attached there ("simple"). One that
    /// carries alone and at the wrong place is relieved by a sibling first, which takes the other's place ("wrong-footed").
    pub(super) fn arrive(&mut self, goal: &Posture) -> Result<bool, Stop> {
        let length = self.way.len();
        let stepped = self.restep(goal)?;
        if std::env::var_os("TRACE").is_some() {
            eprintln!(
                "restep {stepped} stance {:?} goal {:?}",
                self.here().stance.iter().map(|c| (c.effector, c.point.x, c.point.y)).collect::<Vec<_>>(),
                goal.stance.iter().map(|c| (c.effector, c.point.x, c.point.y)).collect::<Vec<_>>()
            );
        }
        if stepped && self.settle(&goal.configuration)? {
            return Ok(true);
        }
        self.way.truncate(length);
        Ok(false)
    }

    fn restep(&mut self, goal: &Posture) -> Result<bool, Stop> {
        let table = self.mover.table;
        let Some(mode) = table.mode(&goal.mode) else { return Ok(false) };
        for _ in 0..MAX_REGRASPS {
            let stance = self.here().stance.clone();
            let of = |stance: &[Contact], effector: usize| stance.iter().find(|c| c.effector == effector).copied();
            let is_right =
                |contact: &Contact| of(&goal.stance, contact.effector).is_some_and(|goal| goal.point == contact.point);
            let missing: Vec<Contact> = goal
                .stance
                .iter()
                .filter(|goal| !stance.iter().any(|c| c.effector == goal.effector && c.point == goal.point))
                .copied()
                .collect();
            let wrong: Vec<Contact> = stance.iter().filter(|contact| !is_right(contact)).copied().collect();
            if missing.is_empty() && wrong.is_empty() {
                return Ok(true);
            }
            let right = stance.len() - wrong.len();
            // What is wrong is left as soon as something else carries.
            if let Some(wrong) = wrong.first().filter(|_| right > 0 || stance.len() > 1) {
                let rest: Vec<Contact> = stance.iter().filter(|contact| *contact != wrong).copied().collect();
                if missing.is_empty() || rest.len() >= table.modes[mode].least_contacts {
                    let waypoint = Waypoint { stance: rest.into(), ..self.here().clone() };
                    self.way.push(waypoint);
                    continue;
                }
            }
            let mut stepped = false;
            for goal_contact in &missing {
                // Its own effector if that is free, a sibling of it otherwise.
                let group = table.group_of(goal_contact.effector);
                let siblings = group.map_or(&[][..], |group| &table.groups[group].effectors);
                let own = std::iter::once(&goal_contact.effector);
                let free = own.chain(siblings).copied().find(|&effector| of(&stance, effector).is_none());
                let Some(effector) = free else { continue };
                if self.step_to(Contact { effector, ..*goal_contact }, mode)? {
                    stepped = true;
                    break;
                }
            }
            if !stepped {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Attaches a free effector and corrects the posture; false when it does not reach, also after other postures.
    fn step_to(&mut self, contact: Contact, mode: usize) -> Result<bool, Stop> {
        const ATTEMPTS: usize = 4;
        let length = self.way.len();
        for attempt in 0..ATTEMPTS {
            let Waypoint { configuration, stance, .. } = self.here().clone();
            if let Some(way) = self.mover.way_to_hold(&configuration, &contact)? {
                for configuration in way {
                    self.push(configuration, false);
                }
                let mut stance = stance.to_vec();
                stance.push(contact);
                stance.sort_by_key(|contact| contact.effector);
                let last = self.way.len() - 1;
                self.way[last].stance = stance.clone().into();
                let configuration = self.here().configuration.clone();
                for configuration in self.mover.correct(&configuration, &stance, mode)? {
                    self.push(configuration, false);
                }
                self.distance_here();
                let balance = self.mover.table.modes[mode].balance;
                if balance.is_none_or(|balance| self.mover.is_between(&balance, &stance)) {
                    return Ok(true);
                }
            }
            self.way.truncate(length);
            self.walk(10 * (attempt + 1), f32::NEG_INFINITY)?;
        }
        self.way.truncate(length);
        Ok(false)
    }

    /// Bends the body into the goal's configuration, keeping the contacts.
    fn settle(&mut self, goal: &Configuration) -> Result<bool, Stop> {
        const DRAWS: usize = 3000;
        let mut next = goal.clone();
        for draw in 0..DRAWS {
            let Waypoint { configuration, stance, .. } = self.here().clone();
            if draw % 20 == 0
                && let Some(way) = self.mover.way_on_contacts(&configuration, goal, &stance)
            {
                for configuration in way {
                    self.push(configuration, false);
                }
                return Ok(true);
            }
            // Where the straight way is blocked: any free neighbour that is more like the goal.
            self.mover.meter.spend(1)?;
            let unlike = |from: &Configuration| -> f32 {
                let turns: f32 = from.angles.iter().zip(&goal.angles).map(|(a, b)| (a - b).abs()).sum();
                turns + clamber_model::math::angle_between(from.root.rotation, goal.root.rotation)
            };
            if self.mover.draw_free(&configuration, &stance, &mut next) && unlike(&next) < unlike(&configuration) {
                self.push(next.clone(), false);
            }
        }
        Ok(false)
    }
}
