//! Moves the body on its contacts until a limb reaches its next hold.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::mode_table::Edge;

use super::search_state::{EdgeContacts, RppSearch};
use super::tuning;
use crate::budget::Interrupt;
use crate::cost_to_go_guide::Guide;
use crate::mode::hold_selection::SearchRange;
use crate::waypoint::Waypoint;

impl RppSearch {
    /// Moves on the contacts until a limb reaches a hold of the edge's first take.
    ///
    /// The thesis uses Brownian motion and calls that poor. Here a sample is accepted unless it moves the limb's root farther
    /// from the hold than the best so far plus a slack, which needs a fraction of the samples.
    pub(super) async fn wander(&mut self, edge: &Edge, contacts: &EdgeContacts) -> Result<bool, Interrupt> {
        let Some((target, holds)) = self.wander_holds(edge, contacts) else { return Ok(false) };
        let character = &*Arc::clone(&self.local.problem.character);
        let Some(limb) = character.effectors[target.effector].limb else { return Ok(false) };
        let first = character.limbs[limb].links[0];
        let reach = character.subtree_reach(first);
        let center = target.effector_center(character);
        let miss =
            |search: &Self| (search.local.projection.link_frames.world_from_link[first].translation - center).length();
        let slack = tuning::WANDER_SLACK * self.local.settings.size;
        self.distance_here();
        let mut least = miss(self);
        let Waypoint { configuration: mut next, stance, .. } = self.here().clone();
        for _ in 0..tuning::WANDER_SAMPLES {
            self.local.budget.spend(1).await?;
            let here = self.here().configuration.clone();
            let is_on_contacts =
                self.local.projection.sample_neighbor(character, &here, &stance, &mut self.local.random, &mut next);
            let farthest = least.max(tuning::WANDER_REACH * reach) + slack;
            if !is_on_contacts || miss(self) > farthest || !self.local.is_step_free(&here, &next) {
                continue;
            }
            self.local.center_of(&next);
            let missed = miss(self);
            least = least.min(missed);
            self.push(next.clone(), true);
            if missed < reach {
                for contact in &holds {
                    if self.local.path_to_hold(&next, contact).await?.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Contacts ahead that bending the body brings within reach, nearest first, and the nearest, which is the easiest.
    fn wander_holds(&mut self, edge: &Edge, contacts: &EdgeContacts) -> Option<(Contact, Vec<Contact>)> {
        let take = edge.holds_to_take.first()?;
        let left = take.held_before_retracing_by.and(contacts.left.as_ref());
        let Waypoint { configuration, stance, .. } = self.here().clone();
        let range = SearchRange::Limb(tuning::WANDER_RANGE);
        let mut candidates = self.local.candidates(take, &configuration, &stance, left, range, &self.guide);
        let distance = |contact: &Contact| self.guide.cost_to_go(contact);
        let foremost = stance.iter().map(distance).fold(f32::INFINITY, f32::min);
        candidates.retain(|contact| left.is_some() || distance(contact) < foremost);
        let root = self.local.limb_root(candidates.first()?.effector)?;
        candidates.sort_by(|a, b| (a.point - root).length().total_cmp(&(b.point - root).length()));
        candidates.truncate(tuning::WANDER_HOLDS);
        Some((*candidates.first()?, candidates))
    }
}
