//! Stances that a mode table has no edge for.

use clamber_model::id::{GroupId, ModeId};
use clamber_model::mode_table::{Condition, Edge, Effect};
use clamber_model::{Contact, ModeTable, World};

use super::released_contacts::is_leaving;
use crate::failure::ImpasseCause;

/// The cause of an impasse if no edge of a mode can ever be taken with these contacts, whatever the posture and the holds.
pub(crate) fn no_edge(table: &ModeTable, mode: ModeId, stance: &[Contact], world: &World) -> Option<ImpasseCause> {
    let (mut edges, mut groups) = (Vec::new(), Vec::new());
    for edge in table.edges.iter().filter(|edge| edge.from == mode) {
        let occupied = occupied_groups(table, edge, stance);
        if occupied.is_empty() && edge.preconditions.iter().all(|condition| may_hold(table, condition, stance, world)) {
            return None;
        }
        edges.push(edge.name.clone());
        for group in occupied {
            let name = &table.effector_groups[group].name;
            if !groups.contains(name) {
                groups.push(name.clone());
            }
        }
    }
    Some(ImpasseCause::NoModeEdge { inapplicable_edges: edges, groups_in_contact: groups })
}

/// The groups of the first hold that an edge takes, if all their effectors are in contact and the edge releases none before.
fn occupied_groups(table: &ModeTable, edge: &Edge, stance: &[Contact]) -> Vec<GroupId> {
    let is_before_attach = |effect: &&Effect| !matches!(effect, Effect::Attach);
    let releases = |effect: &Effect| is_leaving(effect) || matches!(effect, Effect::RetracePath(_));
    if edge.effects.iter().take_while(is_before_attach).any(releases) {
        return Vec::new();
    }
    let groups = edge.holds_to_take.first().map_or(&[][..], |take| &take.groups);
    let is_occupied = |&group: &GroupId| are_all_in_contact(table, group, stance);
    if groups.iter().all(is_occupied) { groups.to_vec() } else { Vec::new() }
}

/// Whether a condition holds or may come to hold while the contacts stay.
fn may_hold(table: &ModeTable, condition: &Condition, stance: &[Contact], world: &World) -> bool {
    match condition {
        Condition::AllInContact(group) => are_all_in_contact(table, *group, stance),
        Condition::AnyInContact(group) => {
            let effectors = &table.effector_groups[*group].effectors;
            stance.iter().any(|contact| effectors.contains(&contact.effector))
        }
        Condition::AnyContactOnType(hold_type) => {
            stance.iter().any(|contact| world.holds[contact.hold].hold_type == *hold_type)
        }
        _ => true,
    }
}

fn are_all_in_contact(table: &ModeTable, group: GroupId, stance: &[Contact]) -> bool {
    let is_in_contact = |effector| stance.iter().any(|contact| contact.effector == effector);
    table.effector_groups[group].effectors.iter().all(|&effector| is_in_contact(effector))
}
