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
use clamber::model::world::{Hold, HoldShape, HoldType, UP};
use clamber::model::{Configuration, Contact, World};

use crate::random_body::{
    level_axis, normal_of_type, random_contact_count, random_effectors, random_hold_type, random_posture,
};

/// A body on contacts.
pub struct DrawnStance {
    pub configuration: Configuration,
    pub world: World,
    pub stance: Stance,
}

/// Draws the stance of this number.
pub fn draw(character: &Character, empty: &World, number: u64) -> DrawnStance {
    let mut stream = Stream::new(number, "stances");
    let away = stream.uniform();
    let mut configuration = random_posture(character, away, &mut stream);
    let mut frames = LinkFrames::default();
    forward(character, &configuration, &mut frames);
    // On most stances nothing can be gripped.
    let is_level = stream.uniform() < 0.7;
    let (mut stance, mut holds) = (Stance::new(), Vec::new());
    let count = random_contact_count(character, &mut stream);
    for effector in random_effectors(character, count, &mut stream) {
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
    if let Some(facing) = effector.facing.filter(|_| stream.uniform() < 0.8) {
        let off = rotation_about(level_axis(character, stream), stream.between(-0.12, 0.12));
        return (off * (frames.world_from_link[effector.link].rotation * -facing)).normalize();
    }
    normal_of_type(hold_type, level_axis(character, stream), stream)
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
