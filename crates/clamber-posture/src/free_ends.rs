//! The free end of a limb: what lies beyond the effector in contact, such as the shin and the foot of a leg on its knee.
//!
//! It can turn without moving any contact. A least-squares step does not get it out of a wall when the nearest way out is
//! through another part of the wall, so its angles are chosen by trial.

use clamber_model::id::{HingeId, LinkId};
use clamber_model::obstacle_collision::{CheckedLinks, CollisionWorkspace, worst_hit_of_links};
use clamber_model::{Character, Configuration, Contact, World};

/// Angles that are tried per hinge, evenly over its range.
const ANGLES: usize = 9;

/// Turns the hinges beyond a contact of the link's limb until the links there are free, or as nearly as possible. Returns false if
/// the link is not beyond a contact or nothing is better than the present angles.
pub(crate) fn free_end_of_link(
    world: &World,
    character: &Character,
    configuration: &mut Configuration,
    (stance, link): (&[Contact], LinkId),
    margin: f32,
    collision: &mut CollisionWorkspace,
) -> bool {
    let Some(limb) = character.limb_of_link(link) else { return false };
    let of_limb = |contact: &&Contact| character.effectors[contact.effector].limb == Some(limb);
    let links = &character.limbs[limb].links;
    // The outermost contact of the limb bounds its free end.
    let beyond = stance.iter().filter(of_limb).map(|contact| first_free_link(character, contact, links)).max();
    let Some(first) = beyond.filter(|&first| links[first..].contains(&link)) else { return false };
    let mut is_better = false;
    for (index, &link) in links.iter().enumerate().skip(first) {
        for hinge in character.limbs[limb].hinges.iter().filter(|hinge| character.hinges[**hinge].link == link) {
            let end = (*hinge, &links[index..]);
            is_better |= turn_to_best_angle(world, character, configuration, end, margin, collision);
        }
    }
    is_better
}

/// The position in its limb of the first link that can turn without moving the contact.
fn first_free_link(character: &Character, contact: &Contact, links: &[LinkId]) -> usize {
    let effector = &character.effectors[contact.effector];
    let own = links.iter().position(|link| *link == effector.link).unwrap_or(links.len());
    // An effector at the joint of its link stays in place when the link turns.
    let is_at_joint = effector.center.length() <= f32::EPSILON * character.body_size();
    if is_at_joint { own } else { own + 1 }
}

/// Turns one hinge to the angle at which the links beyond it are least in obstacles; of several free angles, to the nearest.
fn turn_to_best_angle(
    world: &World,
    character: &Character,
    configuration: &mut Configuration,
    (hinge, links): (HingeId, &[LinkId]),
    margin: f32,
    collision: &mut CollisionWorkspace,
) -> bool {
    let present = configuration.angles[hinge];
    let [min, max] = [character.hinges[hinge].min, character.hinges[hinge].max];
    let mut distance_at = |angle: f32| {
        configuration.angles[hinge] = angle;
        let hit = worst_hit_of_links(world, character, configuration, CheckedLinks::Among(links), margin, collision);
        hit.map_or(margin, |hit| hit.distance)
    };
    let mut best = (distance_at(present), present);
    for number in 0..ANGLES {
        let angle = min + (max - min) * number as f32 / (ANGLES - 1) as f32;
        let distance = distance_at(angle);
        let is_nearer = (angle - present).abs() < (best.1 - present).abs();
        if distance > best.0 || distance == best.0 && is_nearer {
            best = (distance, angle);
        }
    }
    configuration.angles[hinge] = best.1;
    best.1 != present
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;
    use clamber_model::math::Vec3;
    use clamber_model::obstacle_collision::worst_hit;

    /// The figure kneels at the edge of a ledge with a shin in the rock below; returns the ledge, and the figure on one contact.
    fn kneeling(effector: &str) -> (World, Character, Configuration, Contact) {
        let figure = clamber_testing::character("figure");
        let ledge = ("ledge", [[0.0, 0.0], [2.0, 1.0]]);
        let world = clamber_testing::ground_world(vec![ledge], Vec::new(), 1.0);
        let effector = figure.find_effector(effector).unwrap();
        let point = Vec3::new(0.1, 1.0, 0.0);
        let contact = Contact { effector, hold: HoldId::new(0), point, normal: Vec3::Y };
        let mut configuration = clamber_testing::standing(&figure, 0.0);
        let at = clamber_model::kinematics::effector_position_at(&figure, &configuration, effector);
        configuration.root.translation += contact.effector_center(&figure) - at;
        (world, figure, configuration, contact)
    }

    #[test]
    fn a_shin_in_the_rock_below_a_knee_folds_back() {
        let (world, figure, mut configuration, contact) = kneeling("left_knee");
        let mut collision = CollisionWorkspace::default();
        let shin = figure.find_link("left_shin").unwrap();
        let leg = &figure.limbs[figure.limb_of_link(shin).unwrap()].links[1..];
        let among = CheckedLinks::Among(leg);
        let before = worst_hit_of_links(&world, &figure, &configuration, among, 0.0, &mut collision);
        assert!(before.is_some_and(|hit| hit.distance < -0.05), "{before:?}");
        let end = ([contact], shin);
        assert!(free_end_of_link(&world, &figure, &mut configuration, (&end.0, end.1), 0.0, &mut collision));
        assert_eq!(worst_hit_of_links(&world, &figure, &configuration, among, 0.0, &mut collision), None);
        assert!(clamber_testing::slip(&figure, &configuration, &[contact]) < 1e-5);
    }

    #[test]
    fn a_limb_in_contact_with_its_tip_has_no_free_end() {
        let (world, figure, mut configuration, contact) = kneeling("left_foot");
        let before = configuration.clone();
        let mut collision = CollisionWorkspace::default();
        let hit = worst_hit(&world, &figure, &configuration, 0.0, &mut collision);
        for link in figure.links.keys().filter(|link| hit.is_none_or(|hit| hit.link != *link)) {
            assert!(!free_end_of_link(&world, &figure, &mut configuration, (&[contact], link), 0.0, &mut collision));
        }
        assert_eq!(configuration, before);
    }
}
