//! What a posture is solved for.

use clamber_model::id::ModeId;
use clamber_model::math::Vec3;
use clamber_model::mode_table::{Balance, Condition};
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use super::contact_target::{ContactTarget, PatchHeading};
use crate::anatomy::Anatomy;

/// The tasks of a posture: contacts to keep, balance, and a reference for everything else.
#[derive(Clone, Copy)]
pub struct PostureTasks<'a> {
    /// The contacts.
    pub stance: &'a [Contact],
    /// Which way patches of the stance point; those that are not listed may turn.
    pub patch_headings: &'a [PatchHeading],
    /// What the posture resembles as far as the other tasks allow.
    pub reference: PostureReference<'a>,
    /// Conditions on the center of mass and on landmarks; others are left out.
    pub conditions: &'a [Condition],
    /// Where else the center of mass must be, such as in the support regions of stances.
    pub center_regions: &'a [CenterRegion],
    /// Contacts that the body is to be carried by with little effort.
    pub effort: Option<EffortTask<'a>>,
}

impl PostureTasks<'_> {
    /// The target of one of the contacts.
    pub(super) fn target_on(&self, character: &Character, contact: &Contact) -> ContactTarget {
        let heading = self.patch_headings.iter().find(|heading| heading.effector == contact.effector);
        let on = ContactTarget::on(character, contact);
        // A body that goes on from patches that stand also puts down level what has no patch, such as a heel.
        let facing = if self.patch_headings.is_empty() { on.facing } else { contact.level_facing(character) };
        ContactTarget { facing, forward: heading.map(|heading| heading.forward), ..on }
    }

    /// The conditions on the center of mass.
    pub(crate) fn balances(&self) -> impl Iterator<Item = &Balance> {
        self.conditions.iter().filter_map(|condition| match condition {
            Condition::CenterBetween(balance) => Some(balance),
            _ => None,
        })
    }

    /// Whether any task concerns the center of mass.
    pub(super) fn constrains_center(&self) -> bool {
        !self.center_regions.is_empty() || self.balances().next().is_some()
    }
}

/// The torques that hinges need in equilibrium, relative to their strength, are to be small.
#[derive(Clone, Copy)]
pub struct EffortTask<'a> {
    /// The contacts that carry the body.
    pub carried_by: &'a [Contact],
    /// The weight of the largest ratio.
    pub weight: f32,
}

/// Horizontal positions for the center of mass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CenterRegion {
    /// The region is their convex hull. Heights do not matter; an empty region requires nothing.
    pub corners: Vec<Vec3>,
    /// Distance from the hull that needs no correction, in meters.
    pub within: f32,
}

/// What a posture resembles as far as its contacts, balance and obstacles allow.
#[derive(Clone, Copy)]
pub enum PostureReference<'a> {
    /// The most comfortable posture by the heuristics of a mode, an index into `ModeTable::modes`.
    Comfort(ModeId),
    /// This configuration.
    Configuration(&'a Configuration),
}

/// The character and the world that a posture is solved in.
#[derive(Clone, Copy)]
pub struct SolverContext<'a> {
    /// The world, whose distance field the posture avoids.
    pub world: &'a World,
    /// The character.
    pub character: &'a Character,
    /// Its mode table.
    pub mode_table: &'a ModeTable,
    /// Its body parts.
    pub anatomy: &'a Anatomy,
}
