//! Contacts that a scene gives as points near holds: chooses holds that the body fits on, and records how far they moved.

use clamber_model::Contact;
use clamber_model::contact::Stance;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::Posture;

use super::resolve_contacts::{ContactEntry, Contacts, MAX_HOLD_DISTANCE, SceneContext};
use super::snapped_contact::SnappedContact;

/// Contacts that moved farther than this, in body sizes, are reported. Rounding in a file explains less.
const NOTEWORTHY: f32 = 0.05;

/// Most combinations of holds that are listed, and that are tried: each of those is solved for a posture.
const MAX_LISTED: usize = 4096;
const MAX_TRIED: usize = 32;

/// Returns whether a posture on its contacts is free of collisions.
pub(super) fn fits(context: &SceneContext, posture: &Posture) -> bool {
    let SceneContext { character, world, .. } = context;
    let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
    worst_hit(world, character, &posture.configuration, margin, &mut CollisionWorkspace::default()).is_none()
}

/// Returns the first posture on other holds that `fitting` finds, if there is one. Contacts given by name or exactly on a
/// hold stay; the others take holds near their points, those with the least sum of distances first.
pub(super) fn on_other_holds(
    context: &SceneContext,
    contacts: &Contacts,
    stance: &Stance,
    fitting: impl Fn(Stance) -> Option<Posture>,
) -> Option<Posture> {
    let choices: Vec<Vec<(f32, Contact)>> = stance.iter().map(|contact| choices(context, contacts, contact)).collect();
    let free = choices.iter().filter(|choices| choices.len() > 1).count();
    let most = (1..).take_while(|&most| usize::pow(most, free as u32) <= MAX_LISTED).take(MAX_LISTED).last();
    let mut listed: Vec<(f32, Stance)> = vec![(0.0, Stance::new())];
    for choices in &choices {
        let with = |(sum, stance): &(f32, Stance)| {
            let extend = |(distance, contact): &(f32, Contact)| {
                (sum + distance, stance.iter().copied().chain([*contact]).collect())
            };
            choices.iter().take(most.unwrap_or(1)).map(extend).collect::<Vec<(f32, Stance)>>()
        };
        listed = listed.iter().flat_map(with).collect();
    }
    listed.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The first is the nearest, which does not fit.
    let others = listed.into_iter().skip(1).map(|(_, stance)| stance).filter(|stance| !shares_a_point(context, stance));
    others.take(MAX_TRIED).find_map(fitting)
}

/// Returns the contacts that an effector may make instead, nearest first, with their distances.
fn choices(context: &SceneContext, contacts: &Contacts, contact: &Contact) -> Vec<(f32, Contact)> {
    let Some(point) = given_point(context, contacts, contact) else { return vec![(0.0, *contact)] };
    let distance = (contact.point - point).length();
    if distance <= NOTEWORTHY * context.character.body_size() {
        return vec![(distance, *contact)];
    }
    let mut near: Vec<HoldId> = Vec::new();
    context.world.holds_near(point, MAX_HOLD_DISTANCE, &mut near);
    let on = |hold: HoldId| {
        let at = &context.world.holds[hold];
        let place = at.nearest_point(point);
        ((place - point).length(), Contact { effector: contact.effector, hold, point: place, normal: at.normal })
    };
    let mut choices: Vec<(f32, Contact)> = near.into_iter().map(on).collect();
    choices.sort_by(|a, b| a.0.total_cmp(&b.0));
    choices
}

/// Returns the point that the scene gives for a contact; `None` if it gives a name.
fn given_point(context: &SceneContext, contacts: &Contacts, contact: &Contact) -> Option<Vec3> {
    let name = &context.character.effectors[contact.effector].name;
    let (_, entry) = contacts.get_ref().iter().find(|(key, _)| key.get_ref() == name)?;
    match entry.get_ref() {
        ContactEntry::Point(point) => Some(point.xyz),
        ContactEntry::Name(_) => None,
    }
}

/// Returns whether two effectors are at one point.
fn shares_a_point(context: &SceneContext, stance: &Stance) -> bool {
    let is_same = |a: &Contact, b: &Contact| a.hold == b.hold && !context.world.holds[a.hold].has_extent();
    stance.iter().enumerate().any(|(index, a)| stance[..index].iter().any(|b| is_same(a, b)))
}

/// Records the contacts of a posture that are far from the points that the scene gives.
pub(super) fn record(context: &SceneContext, contacts: &Contacts, stance: &Stance, what: &str) {
    for contact in stance {
        let Some(point) = given_point(context, contacts, contact) else { continue };
        let distance = (contact.point - point).length();
        if distance > NOTEWORTHY * context.character.body_size() {
            let posture = what.strip_prefix("the ").unwrap_or(what).to_owned();
            let effector = context.character.effectors[contact.effector].name.clone();
            let hold = context.world.holds[contact.hold].name.clone();
            context.snapped.borrow_mut().push(SnappedContact { posture, effector, hold, distance });
        }
    }
}
