//! An effector can touch a surface without overlap, whatever the angle of its limb.

mod shipped;

use clamber_model::character::{Effector, RootJoint};
use clamber_model::contact::{MAX_PATCH_TILT, center_when_touching};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::{Pose, Rotation, Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::world::{DistanceFieldSettings, MeshInterior, Obstacle, Space};
use clamber_model::{Character, Configuration, Contact, World};

/// Trials per effector and box.
const TOUCHES: usize = 100;

/// The capsules that end in an effector's sphere, with their other end.
fn capsules_at(character: &Character, frames: &LinkFrames, center: Vec3) -> Vec<(usize, Vec3)> {
    (0..character.capsules.len())
        .filter_map(|index| {
            let capsule = capsule_in_world(character, frames, index);
            let [a, b] = [capsule.a, capsule.b].map(|end| end.distance(center) < 1e-5);
            (a || b).then_some((index, if a { capsule.b } else { capsule.a }))
        })
        .collect()
}

/// A box whose top, in its own frame, is at y = 0.
fn box_world(world_from_top: Pose) -> World {
    let size = Vec3::splat(6.0);
    let center = world_from_top * Pose::from_translation(Vec3::new(0.0, -0.5 * size.y, 0.0));
    let obstacle = Obstacle::cuboid("box", center, size).unwrap();
    let mut coarse = DistanceFieldSettings::default();
    coarse.cell_size = 1.0;
    World::from_obstacles(Space::Spatial, vec![obstacle], Vec3::splat(-1.0), Vec3::splat(1.0), &coarse)
}

fn random_configuration(character: &Character, stream: &mut Stream) -> Configuration {
    let mut configuration = Configuration::rest(character);
    configuration.root = match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, stream.between(-3.0, 3.0), stream.below(2) == 0),
        RootJoint::Free => {
            let rotation = Rotation::from_array(std::array::from_fn(|_| stream.between(-1.0, 1.0))).normalize();
            Pose::from_parts(Vec3::ZERO, rotation)
        }
    };
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle = stream.between(hinge.min, hinge.max);
    }
    configuration
}

/// Places an effector on the box in random postures with the limb outside, and measures contact and overlap.
fn assert_touches_without_overlap(character: &Character, effector: EffectorId, world: &World, world_from_top: Pose) {
    let mut stream = Stream::new(1, &character.effectors[effector].name);
    let mut frames = LinkFrames::default();
    let normal = world_from_top.rotation * Vec3::Y;
    let mut touches = 0;
    while touches < TOUCHES {
        let mut configuration = random_configuration(character, &mut stream);
        forward(character, &configuration, &mut frames);
        let off_plane = if character.root_joint == RootJoint::Planar { 0.0 } else { 1.0 };
        let aside = Vec3::new(stream.between(-0.5, 0.5), 0.0, stream.between(-0.5, 0.5) * off_plane);
        let center = center_when_touching(&character.effectors[effector], world_from_top * aside, normal);
        configuration.root.translation += center - effector_position(character, &frames, effector);
        forward(character, &configuration, &mut frames);

        let capsules = capsules_at(character, &frames, center);
        if capsules.iter().any(|(_, other)| (*other - center).dot(normal) < 0.0) {
            continue;
        }
        touches += 1;
        let distances = capsules.iter().map(|&(index, _)| {
            let capsule = capsule_in_world(character, &frames, index);
            world.capsule_distance(&capsule, 1.0, MeshInterior::Solid).distance
        });
        let nearest = distances.fold(f32::INFINITY, f32::min);
        let name = &character.effectors[effector].name;
        assert!(nearest.abs() <= 1e-4, "{}: {name} is {nearest} from the surface: {configuration:?}", character.name);
    }
}

#[test]
fn hands_feet_and_knees_touch_a_box_without_overlap() {
    let tilts = [0.0, 0.5, 1.5, -2.2].map(|tilt| rotation_about(Vec3::Z, tilt));
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let character = shipped::character(name);
        for tilt in tilts {
            let world_from_top = Pose::from_parts(Vec3::new(0.3, -0.2, 0.0), tilt);
            let world = box_world(world_from_top);
            // A patch lies flat; at other angles its edges would overlap. The figure's feet roll onto their balls.
            let can_tilt = |effector: &Effector| effector.ability.patch.is_none() || name == "figure";
            for (effector, _) in character.effectors.iter_enumerated().filter(|(_, effector)| can_tilt(effector)) {
                assert_touches_without_overlap(&character, effector, &world, world_from_top);
            }
        }
    }
}

fn contact(character: &Character, effector: &str, normal: Vec3) -> Contact {
    let effector = character.find_effector(effector).unwrap();
    Contact { effector, hold: HoldId::new(0), point: Vec3::new(0.3, 0.2, 0.0), normal }
}

#[test]
fn soles_lie_flat_on_surfaces_to_stand_on() {
    let figure = shipped::character("figure");
    let normal = |slope: f32| rotation_about(Vec3::Z, slope) * Vec3::Y;
    for slope in [0.0, 0.5, -0.7] {
        assert_eq!(contact(&figure, "left_foot", normal(slope)).flat_facing(&figure), Some(-normal(slope)));
        for other in ["left_hand", "left_knee"] {
            assert_eq!(contact(&figure, other, normal(slope)).flat_facing(&figure), None, "{other}");
        }
    }
    // Too steep, a wall, an overhang and a ceiling.
    for slope in [0.9, -0.9, 1.57, 2.0, 3.1] {
        assert_eq!(contact(&figure, "left_foot", normal(slope)).flat_facing(&figure), None, "{slope}");
    }
    let ankles = shipped::figure_without_feet();
    assert_eq!(contact(&ankles, "left_foot", Vec3::Y).flat_facing(&ankles), None);
}

#[test]
fn a_foot_presses_with_its_sole_when_flat_and_with_its_ball_when_tilted() {
    let figure = shipped::character("figure");
    let ends = |contact: &Contact, ankle: f32, looks_right: bool| {
        let mut configuration = Configuration::rest(&figure);
        configuration.root = Configuration::planar_root_pose(0.0, 1.0, 0.0, looks_right);
        configuration.angles.fill(0.0);
        configuration.angles[figure.find_hinge("left_ankle").unwrap()] = ankle;
        let mut frames = LinkFrames::default();
        forward(&figure, &configuration, &mut frames);
        contact.pressing_ends(&figure, &frames)
    };
    for (slope, looks_right) in [(0.0, true), (0.0, false), (0.3, true), (-0.4, true)] {
        let contact = contact(&figure, "left_foot", rotation_about(Vec3::Z, slope) * Vec3::Y);
        let ahead = rotation_about(Vec3::Z, slope) * if looks_right { Vec3::X } else { Vec3::NEG_X };
        for tilt in [0.0, 0.8 * MAX_PATCH_TILT, -0.8 * MAX_PATCH_TILT] {
            let [front, back] = ends(&contact, slope + tilt, looks_right);
            assert!(front.distance(contact.point + ahead * 0.03) < 1e-5, "{slope}, {tilt}: {front}");
            assert!(back.distance(contact.point - ahead * 0.16) < 1e-5, "{slope}, {tilt}: {back}");
        }
        for tilt in [1.3 * MAX_PATCH_TILT, -1.3 * MAX_PATCH_TILT, -0.45] {
            assert_eq!(ends(&contact, slope + tilt, looks_right), [contact.point; 2], "{slope}, {tilt}");
        }
    }
    let knee = contact(&figure, "left_knee", Vec3::Y);
    assert_eq!(ends(&knee, 0.0, true), [knee.point; 2]);
}
