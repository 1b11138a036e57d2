//! Roles, landmarks and the symmetry map of the shipped characters.

mod shipped;

use std::path::Path;

use clamber_io::{builtin, parse_character};
use clamber_model::character::{Character, CharacterDescription, CharacterError, Landmark};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::{Configuration, math::Rotation};

fn frames_of(character: &Character, configuration: &Configuration) -> LinkFrames {
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    frames
}

fn mirrored(point: Vec3) -> Vec3 {
    point * Vec3::new(1.0, 1.0, -1.0)
}

#[test]
fn every_shipped_character_is_symmetric_and_its_rest_posture_its_own_mirror_image() {
    for name in builtin::character_names() {
        let character = shipped::character(name);
        let symmetry = character.symmetry().unwrap_or_else(|| panic!("{name} states its symmetry"));
        let rest = Configuration::rest(&character);
        assert_eq!(rest.mirrored(&character).unwrap(), rest, "{name}");
        for (index, limb) in character.limbs.iter_enumerated() {
            let image = symmetry.limbs[index];
            assert_ne!(index, image, "{name}: {}", limb.name);
            assert_ne!(limb.side, character.limbs[image].side, "{name}: {}", limb.name);
        }
        for (index, link) in character.links.iter_enumerated() {
            let image = &character.links[symmetry.links[index]].name;
            let expected = link.name.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right");
            assert_eq!(*image, expected, "{name}");
        }
    }
}

/// A random posture, mirrored, has its effectors at the mirrored places of their mirror images.
#[test]
fn a_mirrored_posture_is_the_reflection_of_the_posture() {
    for name in builtin::character_names() {
        let character = shipped::character(name);
        let symmetry = character.symmetry().unwrap();
        let mut stream = Stream::new(1, "mirror");
        for _ in 0..20 {
            let mut posture = Configuration::rest(&character);
            for (angle, hinge) in posture.angles.iter_mut().zip(&character.hinges) {
                *angle = stream.between(hinge.min, hinge.max);
            }
            if character.root_joint == clamber_model::character::RootJoint::Free {
                let rotation: Rotation = rotation_about(Vec3::Y, stream.between(-3.0, 3.0))
                    * rotation_about(Vec3::X, stream.between(-1.0, 1.0))
                    * rotation_about(Vec3::Z, stream.between(-1.0, 1.0));
                posture.root = Pose::from_parts(Vec3::new(0.3, 1.0, 0.7), rotation);
            }
            let image = posture.mirrored(&character).unwrap();
            image.check(&character).unwrap();
            let (here, there) = (frames_of(&character, &posture), frames_of(&character, &image));
            for (index, effector) in character.effectors.iter_enumerated() {
                let expected = mirrored(effector_position(&character, &here, index));
                let found = effector_position(&character, &there, symmetry.effectors[index]);
                assert!((expected - found).length() < 1e-5, "{name}: {}: {expected} {found}", effector.name);
            }
            let expected = mirrored(center_of_mass(&character, &here));
            assert!((expected - center_of_mass(&character, &there)).length() < 1e-5, "{name}");
            let again = image.mirrored(&character).unwrap();
            assert_eq!(again.angles, posture.angles, "{name}");
        }
    }
}

#[test]
fn characters_on_legs_stand_on_one_plane_at_rest() {
    for (name, feet) in [("dog", 4), ("insect", 6), ("spider", 8)] {
        let character = shipped::character(name);
        let frames = frames_of(&character, &Configuration::rest(&character));
        assert_eq!(character.effectors.len(), feet, "{name}");
        let sole = |(index, effector): (_, &clamber_model::character::Effector)| {
            effector_position(&character, &frames, index).y - effector.radius
        };
        let soles: Vec<f32> = character.effectors.iter_enumerated().map(sole).collect();
        let (low, high) =
            (soles.iter().copied().fold(f32::MAX, f32::min), soles.iter().copied().fold(f32::MIN, f32::max));
        assert!(high - low < 1e-3, "{name}: {soles:?}");
        for index in 0..character.capsules.len() {
            let capsule = clamber_model::kinematics::capsule_in_world(&character, &frames, index);
            assert!(capsule.a.y.min(capsule.b.y) - capsule.radius > low - 1e-3, "{name}: capsule {index}");
        }
    }
    let dog = shipped::character("dog");
    assert!((dog.total_mass - 30.0).abs() < 0.01, "{}", dog.total_mass);
}

/// Version 1 states no roles and no self-collision. Everything else is equal.
#[test]
fn both_versions_of_a_character_give_the_same_body() {
    for name in ["figure", "human", "insect"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/version-1/{name}.toml"));
        let old = parse_character(&file, &std::fs::read(&file).unwrap()).unwrap();
        let new = shipped::with_body_of_version_1(name);
        assert_eq!(old.roles.trunk_link, new.roles.trunk_link, "{name}");
        assert_eq!(old.roles.gaze_link, new.roles.gaze_link, "{name}");
        assert!(old.roles.limb_roles.is_empty() && old.roles.landmarks.is_empty() && old.symmetry().is_none());
        // Version 2 states what effectors can do, and the human has more of them.
        let (roles, effectors) = (new.roles.clone(), new.effectors.clone());
        let self_collision = new.self_collision.clone();
        assert!(old.self_collision_pairs().is_empty());
        let old =
            CharacterDescription { name: new.name.clone(), roles, effectors, self_collision, ..old.description() };
        assert_eq!(old, new.description(), "{name}");
    }
}

#[test]
fn a_scaled_character_keeps_its_roles_and_symmetry() {
    for name in builtin::character_names() {
        let character = shipped::character(name);
        let scaled = character.scaled(3.0).unwrap();
        assert_eq!(scaled.roles, character.roles, "{name}");
        assert_eq!(scaled.symmetry(), character.symmetry(), "{name}");
    }
}

#[test]
fn a_body_that_is_not_symmetric_is_refused() {
    type Damage = fn(&mut CharacterDescription);
    let cases: [(Damage, &str); 9] = [
        (
            |human| human.links[LinkId::new(6)].mass += 1.0,
            "`left_hand` is not symmetric: its mirror image has another mass",
        ),
        (
            |human| human.links[LinkId::ROOT].center_of_mass.z = 0.1,
            "`pelvis` is not symmetric: its mirror image has anoth",
        ),
        (|human| human.capsules[0].b.z += 0.05, "`pelvis` is not symmetric: its mirror image has other capsules"),
        (
            |human| human.links[LinkId::new(4)].parent_from_joint.translation.y += 0.1,
            "`left_upper_arm` is not symmetric: no",
        ),
        (
            |human| human.hinges.raw[9].max -= 0.5,
            "`left_shoulder_swing` is not symmetric: its mirror image has other limits",
        ),
        (
            |human| human.hinges.raw[9].axis = Vec3::X,
            "`left_shoulder_swing` is not symmetric: its mirror image has another",
        ),
        (|human| human.effectors.raw[0].radius *= 2.0, "`left_hand` is not symmetric: no effector is its mirror image"),
        (
            |human| human.roles.mirrored_limbs = Some(Vec::new()),
            "`left_arm` is not symmetric: its links are mirrored to th",
        ),
        (
            |human| human.roles.mirrored_limbs = Some(vec![[LimbId::new(0), LimbId::new(3)]]),
            "`left_arm` is not symmetric: its mirror image has another number of links",
        ),
    ];
    for (damage, expected) in cases {
        let mut description = shipped::character("human").description();
        damage(&mut description);
        let error = Character::new(description).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}\nnot\n{expected}");
    }
}

#[test]
fn roles_and_landmarks_refer_to_parts_that_exist() {
    type Damage = fn(&mut CharacterDescription);
    let cases: [(Damage, &str); 7] = [
        (|human| human.roles.trunk_link = LinkId::new(99), "trunk"),
        (|human| human.roles.gaze_link = Some(LinkId::new(99)), "gaze"),
        (|human| human.roles.limb_roles[0].limbs.clear(), "arms"),
        (|human| human.roles.limb_roles[1].name = "arms".to_owned(), "arms"),
        (|human| human.roles.landmarks[0].landmark = Landmark::Joint(LinkId::new(99)), "head"),
        (|human| human.roles.landmarks[1].landmark = Landmark::MeanOfFirstJoints(Vec::new()), "hip"),
        (|human| human.roles.mirrored_limbs = Some(vec![[LimbId::new(0); 2]]), "symmetry"),
    ];
    for (damage, name) in cases {
        let mut description = shipped::character("human").description();
        damage(&mut description);
        let error = Character::new(description).unwrap_err();
        assert_eq!(error, CharacterError::InvalidRole { name: name.to_owned() });
    }
}
