//! The contacts that an edge releases.

use clamber_model::Contact;
use clamber_model::contact::Stance;
use clamber_model::mode_table::Effect;

use crate::cost_to_go_guide::Guide;
use crate::local_planner::LocalPlanner;

/// Whether an effect only releases contacts.
pub(crate) fn is_leaving(effect: &Effect) -> bool {
    matches!(effect, Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachRearBySpan { .. })
}

impl LocalPlanner {
    /// The contacts that remain after an effect that releases some; `found` are those just made.
    pub fn kept(&self, effect: Effect, stance: &[Contact], found: &[Contact], guide: &dyn Guide) -> Stance {
        match effect {
            Effect::Detach(group) => {
                let effectors = &self.table.effector_groups[group].effectors;
                let leaves = |contact: &&Contact| effectors.contains(&contact.effector) && !found.contains(contact);
                stance.iter().filter(|contact| !leaves(contact)).copied().collect()
            }
            Effect::DetachRear(group) => {
                // The one that is farthest from the goal.
                let of_group = self.of_group(group, stance);
                let rear = of_group.max_by(|a, b| guide.cost_to_go(a).total_cmp(&guide.cost_to_go(b)));
                stance.iter().filter(|contact| Some(*contact) != rear).copied().collect()
            }
            Effect::DetachRearBySpan { span_fraction: share, if_stretched: then, if_bent: otherwise } => {
                let group = if self.is_stretched(share, stance) { then } else { otherwise };
                self.kept(Effect::DetachRear(group), stance, found, guide)
            }
            _ => stance.to_vec(),
        }
    }
}
