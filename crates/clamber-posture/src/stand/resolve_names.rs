//! From names to contacts: checks a request against the world, the character and the mode table.

use clamber_model::character::RootJoint;
use clamber_model::contact::Stance;
use clamber_model::id::{EffectorId, HoldId, ModeId};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::world::{Hold, HoldShape, HoldType, UP};
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use super::error::StandError;
use super::request::{ContactRequest, IdOrName, StandRequest};
use super::tuning;
use crate::solver::rest_on_contacts;

/// A request whose names and values are resolved and valid.
pub(crate) struct ResolvedRequest {
    pub stance: Stance,
    pub mode: ModeId,
    /// Start configurations: the reference, or the rest posture at the contacts for each heading.
    pub bases: Vec<Configuration>,
}

/// A contact whose point may still be open.
struct Placement {
    effector: EffectorId,
    hold: HoldId,
    point: Option<Vec3>,
}

pub(crate) fn resolve(
    world: &World,
    character: &Character,
    table: &ModeTable,
    request: &StandRequest,
) -> Result<ResolvedRequest, StandError> {
    if table.validate(character).is_err() {
        return Err(StandError::ForeignModeTable);
    }
    check_vectors(request)?;
    if let Some(reference) = &request.reference {
        reference.check(character).map_err(|reason| StandError::InvalidReferenceConfiguration { reason })?;
    }
    let contacts = find_contacts(world, character, request)?;
    let bases = bases(world, character, request, &contacts);
    let mut frames = LinkFrames::default();
    forward(character, &bases[0], &mut frames);
    let contact = |&Placement { effector, hold, point }: &Placement| {
        let near = point.unwrap_or_else(|| effector_position(character, &frames, effector));
        Contact { effector, hold, point: world.holds[hold].nearest_point(near), normal: world.holds[hold].normal }
    };
    let mut stance: Stance = contacts.iter().map(contact).collect();
    stance.sort_by_key(|contact| contact.effector);
    let mode = find_mode(world, table, request, &stance)?;
    Ok(ResolvedRequest { stance, mode, bases })
}

fn check_vectors(request: &StandRequest) -> Result<(), StandError> {
    if !request.gaze.is_none_or(Vec3::is_finite) {
        return Err(StandError::InvalidVector { field: "gaze" });
    }
    if !request.root_position.is_none_or(Vec3::is_finite) {
        return Err(StandError::InvalidVector { field: "root_position" });
    }
    if request.heading.is_some_and(|heading| heading.with_y(0.0).try_normalize().is_none()) {
        return Err(StandError::InvalidVector { field: "heading" });
    }
    if !request.contacts.iter().all(|contact| contact.point.is_none_or(Vec3::is_finite)) {
        return Err(StandError::InvalidVector { field: "point" });
    }
    Ok(())
}

/// The contacts, with names resolved.
fn find_contacts(world: &World, character: &Character, request: &StandRequest) -> Result<Vec<Placement>, StandError> {
    if request.contacts.is_empty() {
        return Err(StandError::NoContacts);
    }
    let mut contacts: Vec<Placement> = Vec::with_capacity(request.contacts.len());
    for ContactRequest { effector, hold, point } in &request.contacts {
        let found = find(effector, character.effectors.len(), |name| character.find_effector(name));
        let effector = found.ok_or_else(|| StandError::UnknownEffector { effector: effector.to_string() })?;
        let by_name = |name: &str| world.holds.iter().position(|hold| hold.name == name).map(HoldId::from);
        let found = find(hold, world.holds.len(), by_name);
        let hold = found.ok_or_else(|| StandError::UnknownHold { hold: hold.to_string() })?;
        if contacts.iter().any(|other| other.effector == effector) {
            return Err(StandError::DuplicateEffector { effector: character.effectors[effector].name.clone() });
        }
        contacts.push(Placement { effector, hold, point: *point });
    }
    Ok(contacts)
}

/// Resolves a selector among `count` entries.
fn find<Id: Copy + Into<usize>>(
    selector: &IdOrName<Id>,
    count: usize,
    by_name: impl FnOnce(&str) -> Option<Id>,
) -> Option<Id> {
    match selector {
        IdOrName::Id(id) => (Into::<usize>::into(*id) < count).then_some(*id),
        IdOrName::Name(name) => by_name(name),
    }
}

fn find_mode(
    world: &World,
    table: &ModeTable,
    request: &StandRequest,
    stance: &[Contact],
) -> Result<ModeId, StandError> {
    let Some(name) = &request.mode_name else {
        return table.first_mode_allowing_stance(stance, world).ok_or(StandError::NoModeAllowsContacts);
    };
    let mode = table.find_mode(name).ok_or_else(|| StandError::UnknownMode { mode: name.clone() })?;
    if !table.mode_allows_stance(&table.modes[mode], stance, world) {
        return Err(StandError::ModeMismatch { mode: name.clone() });
    }
    Ok(mode)
}

/// The start configurations, of which there is at least one.
fn bases(world: &World, character: &Character, request: &StandRequest, contacts: &[Placement]) -> Vec<Configuration> {
    if let Some(reference) = &request.reference {
        return vec![reference.clone()];
    }
    let contact = |&Placement { effector, hold, point }: &Placement| {
        let Hold { shape, normal, .. } = &world.holds[hold];
        Contact { effector, hold, point: point.unwrap_or_else(|| middle(shape)), normal: *normal }
    };
    let stance: Stance = contacts.iter().map(contact).collect();
    let headings = match required_heading(request, &stance) {
        Some(heading) => vec![heading],
        None => headings(character, &stance),
    };
    let targets = stance.iter().map(|contact| contact.effector_center(character));
    let mean_target = targets.sum::<Vec3>() / contacts.len() as f32;
    let mut frames = LinkFrames::default();
    let mut base = |heading: &Vec3| {
        let mut base = Configuration::rest(character);
        base.root = match character.root_joint {
            RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, 0.0, heading.x >= 0.0),
            RootJoint::Free => {
                let mut root = base.root;
                root.rotation = rotation_about(UP, atan2(-heading.z, heading.x)) * root.rotation;
                root
            }
        };
        forward(character, &base, &mut frames);
        let centers = contacts.iter().map(|contact| effector_position(character, &frames, contact.effector));
        let mean = centers.sum::<Vec3>() / contacts.len() as f32;
        base.root.translation = request.root_position.unwrap_or(mean_target - mean + in_front(character, &stance));
        if character.root_joint == RootJoint::Planar {
            base.root.translation.z = 0.0;
        }
        base
    };
    headings.iter().map(&mut base).collect()
}

/// The direction that the body has to face: as requested, or toward the holds where at least half of them are steep.
pub(super) fn required_heading(request: &StandRequest, stance: &[Contact]) -> Option<Vec3> {
    let steep = stance.iter().filter(|contact| is_steep(contact)).count();
    request.heading.or_else(|| outward(stance).filter(|_| 2 * steep >= stance.len()).map(|outward| -outward))
}

fn is_steep(contact: &Contact) -> bool {
    HoldType::of_normal(contact.normal) == HoldType::Hybrid
}

/// The horizontal direction that steep holds face.
fn outward(stance: &[Contact]) -> Option<Vec3> {
    let normals = stance.iter().filter(|contact| is_steep(contact)).map(|contact| contact.normal.with_y(0.0));
    normals.sum::<Vec3>().try_normalize()
}

/// From the middle of the contacts to a place in front of those that are steep, where a body climbs.
pub(super) fn in_front(character: &Character, stance: &[Contact]) -> Vec3 {
    outward(stance).unwrap_or(Vec3::ZERO) * (tuning::IN_FRONT * character.body_size())
}

/// The headings to try: the one that fits the contacts best and its quarter turns, or both ways in the plane.
fn headings(character: &Character, stance: &[Contact]) -> Vec<Vec3> {
    match character.root_joint {
        RootJoint::Planar => vec![Vec3::X, -Vec3::X],
        RootJoint::Free => {
            let ahead = rest_on_contacts(character, stance).root.rotation * Vec3::X;
            let right = ahead.cross(UP);
            vec![ahead, -ahead, right, -right]
        }
    }
}

/// The middle of a hold.
fn middle(shape: &HoldShape) -> Vec3 {
    match *shape {
        HoldShape::Point(point) => point,
        HoldShape::Segment([a, b]) => 0.5 * (a + b),
        HoldShape::Triangle([a, b, c]) => (a + b + c) / 3.0,
    }
}
