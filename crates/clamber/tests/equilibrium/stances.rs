//! Random stances for tests of equilibrium: a body in a random posture, on random contacts.
//!
//! Nothing here solves for equilibrium. To get stances on both sides of its border and near it, the body is moved
//! horizontally: over a point between its contacts, over a place next to the line between two of them, or anywhere near.

use clamber::Character;
use clamber::model::character::{Effector, RootJoint};
use clamber::model::contact::Stance;
use clamber::model::id::{EffectorId, HoldId};
use clamber::model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber::model::math::{Vec3, rotation_about};
use clamber::model::rng::Stream;
use clamber::model::world::{Hold, HoldShape, HoldType, Space, UP};
use clamber::model::{Configuration, Contact, World};

/// A body on contacts.
pub struct DrawnStance {
    pub configuration: Configuration,
    pub world: World,
    pub stance: Stance,
}

/// Most contacts of a stance.
const MAX_CONTACTS: usize = 6;

/// A world without obstacles, to which [`draw`] adds holds.
pub fn empty_world(character: &Character) -> World {
    let space = if character.root_joint == RootJoint::Planar { Space::Planar } else { Space::Spatial };
    let depth = if space == Space::Planar { 0.0 } else { 10.0 };
    let corner = Vec3::new(10.0, 10.0, depth);
    World::from_obstacles(space, Vec::new(), -corner, corner, &Default::default())
}

/// Draws the stance of this number.
pub fn draw(character: &Character, empty: &World, number: u64) -> DrawnStance {
    let mut stream = Stream::new(number, "stances");
    let mut configuration = random_posture(character, &mut stream);
    let mut frames = LinkFrames::default();
    forward(character, &configuration, &mut frames);
    // On most stances nothing can be gripped.
    let is_level = stream.uniform() < 0.7;
    let (mut stance, mut holds) = (Stance::new(), Vec::new());
    for effector in random_effectors(character, &mut stream) {
        let hold_type = random_hold_type(&character.effectors[effector], is_level, &mut stream);
        let hold = HoldId::from(holds.len());
        let (contact, hold) = random_contact(character, &frames, (effector, hold), hold_type, &mut stream);
        stance.push(contact);
        holds.push(hold);
    }
    let center = center_of_mass(character, &frames);
    let offset = random_center(character, &stance, center, &mut stream) - center;
    configuration.root.translation += offset - UP * UP.dot(offset);
    DrawnStance { configuration, world: empty.clone().with_holds(holds), stance }
}

fn random_posture(character: &Character, stream: &mut Stream) -> Configuration {
    let mut configuration = Configuration::rest(character);
    let away = stream.uniform();
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle += away * (stream.between(hinge.min, hinge.max) - *angle);
    }
    let tilt = stream.between(-1.2, 1.2) * stream.uniform();
    configuration.root = match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, tilt, stream.uniform() < 0.5),
        RootJoint::Free => {
            let heading = rotation_about(UP, stream.between(-3.1, 3.1));
            let lean = rotation_about(rotation_about(UP, stream.between(-3.1, 3.1)) * Vec3::X, tilt);
            let mut root = configuration.root;
            root.rotation = lean * heading;
            root
        }
    };
    configuration
}

/// One to six different effectors, in their order.
fn random_effectors(character: &Character, stream: &mut Stream) -> Vec<EffectorId> {
    let mut all: Vec<EffectorId> = character.effectors.keys().collect();
    let most = MAX_CONTACTS.min(all.len());
    // In space a few points carry little, so the greater of two draws counts; in the plane and on patches the lesser.
    let draws = [stream.below(most), stream.below(most)];
    let has_patches = character.effectors.iter().any(|effector| effector.ability.patch.is_some());
    let needs_few = has_patches || character.root_joint == RootJoint::Planar;
    let count = 1 + if needs_few { draws[0].min(draws[1]) } else { draws[0].max(draws[1]) };
    let mut chosen: Vec<EffectorId> = (0..count).map(|_| all.swap_remove(stream.below(all.len()))).collect();
    chosen.sort();
    chosen
}

/// Mostly a hold that bears the effector: only one with a grip can hang.
fn random_hold_type(effector: &Effector, is_level: bool, stream: &mut Stream) -> HoldType {
    match stream.below(10) {
        _ if is_level => HoldType::LoadBearing,
        0..6 => HoldType::LoadBearing,
        6..8 => HoldType::Hybrid,
        _ if effector.ability.grip.is_none() => HoldType::LoadBearing,
        _ => HoldType::Pendent,
    }
}

fn random_contact(
    character: &Character,
    frames: &LinkFrames,
    (id, hold): (EffectorId, HoldId),
    hold_type: HoldType,
    stream: &mut Stream,
) -> (Contact, Hold) {
    let effector = &character.effectors[id];
    let normal = random_normal(character, frames, effector, hold_type, stream);
    let point = frames.world_from_link[effector.link] * effector.center - normal * effector.radius;
    let (name, shape) = (format!("hold {}", hold.index() + 1), HoldShape::Point(point));
    let friction = stream.between(0.2, 1.2);
    (Contact { effector: id, hold, point, normal }, Hold { name, hold_type, normal, shape, friction })
}

/// Where the effector has a patch, mostly a surface on which it lies flat, or nearly so; otherwise any that suits the type.
fn random_normal(
    character: &Character,
    frames: &LinkFrames,
    effector: &Effector,
    hold_type: HoldType,
    stream: &mut Stream,
) -> Vec3 {
    let is_planar = character.root_joint == RootJoint::Planar;
    let side =
        |stream: &mut Stream| if is_planar { Vec3::Z } else { rotation_about(UP, stream.between(-3.1, 3.1)) * Vec3::X };
    if let Some(facing) = effector.facing.filter(|_| stream.uniform() < 0.8) {
        let off = rotation_about(side(stream), stream.between(-0.12, 0.12));
        return (off * (frames.world_from_link[effector.link].rotation * -facing)).normalize();
    }
    let lean = match hold_type {
        HoldType::LoadBearing => stream.between(-0.7, 0.7) * stream.uniform(),
        HoldType::Hybrid => stream.between(0.8, 2.3) * if stream.uniform() < 0.5 { 1.0 } else { -1.0 },
        HoldType::Pendent => std::f32::consts::PI + stream.between(-0.7, 0.7),
    };
    (rotation_about(side(stream), lean) * UP).normalize()
}

/// A position for the center of mass: between the contacts, near the outline of their convex hull, or anywhere near.
fn random_center(character: &Character, stance: &[Contact], center: Vec3, stream: &mut Stream) -> Vec3 {
    let size = character.body_size();
    let is_planar = character.root_joint == RootJoint::Planar;
    let mut aside = |distance: f32| {
        let sideways = stream.between(-distance, distance);
        Vec3::new(stream.between(-distance, distance), 0.0, if is_planar { 0.0 } else { sideways })
    };
    let (near, far) = (aside(0.05 * size), aside(1.2 * size));
    match stream.below(10) {
        0..3 => {
            let weights: Vec<f32> = stance.iter().map(|_| stream.uniform() + 1e-3).collect();
            let total: f32 = weights.iter().sum();
            stance.iter().zip(&weights).map(|(contact, weight)| contact.point * (weight / total)).sum()
        }
        3..9 => {
            // The contacts that are farthest in two directions that differ little are often the ends of a side of the hull.
            let turn = stream.between(-3.1, 3.1);
            let farthest = |angle: f32| {
                let direction = if is_planar { Vec3::X * turn } else { rotation_about(UP, angle) * Vec3::X };
                let along = |contact: &&Contact| direction.dot(contact.point);
                let contact = stance.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
                // A patch reaches beyond its contact point.
                let reach = |contact: &Contact| {
                    let patch = character.effectors[contact.effector].ability.patch;
                    patch.map_or(0.0, |patch| 0.5 * (patch.front.min(patch.back) + 0.5 * patch.width))
                };
                contact.map_or(center, |contact| contact.point + direction.normalize_or_zero() * reach(contact))
            };
            farthest(turn).lerp(farthest(turn + 0.8), stream.uniform()) + near
        }
        _ => center + far,
    }
}
