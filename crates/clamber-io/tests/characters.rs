//! Properties of the shipped characters: symmetry, hinges, and shapes that let their effectors touch a surface.

mod shipped;

use std::path::Path;

use clamber_io::{parse_character, read_scene};
use clamber_model::character::{Character, ContactAbility, Effector, GRAVITY};
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::world::DEFAULT_FRICTION;
use clamber_model::{Configuration, math::Vec3};

fn at_rest(character: &Character) -> LinkFrames {
    let mut frames = LinkFrames::default();
    forward(character, &Configuration::rest(character), &mut frames);
    frames
}

fn lowest(character: &Character, frames: &LinkFrames) -> f32 {
    (0..character.capsules.len())
        .map(|index| capsule_in_world(character, frames, index))
        .map(|capsule| capsule.a.y.min(capsule.b.y) - capsule.radius)
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn every_limb_has_a_mirror_image_on_the_other_side() {
    for name in ["human", "insect", "dog", "spider"] {
        let character = shipped::character(name);
        let frames = at_rest(&character);
        let mirror = Vec3::new(1.0, 1.0, -1.0);
        for (index, effector) in character.effectors.iter_enumerated() {
            let Some(rest) = effector.name.strip_prefix("left_") else { continue };
            let other = character.find_effector(&format!("right_{rest}")).unwrap();
            let (left, right) =
                (effector_position(&character, &frames, index), effector_position(&character, &frames, other));
            assert!((left * mirror - right).length() < 1e-6, "{name}: {rest}: {left} {right}");
        }
        for hinge in &character.hinges {
            let Some(rest) = hinge.name.strip_prefix("left_") else { continue };
            let other = &character.hinges[character.find_hinge(&format!("right_{rest}")).unwrap()];
            // A mirror keeps turns about its normal and turns the others round.
            let mirrored = if hinge.axis == Vec3::Z { [hinge.min, hinge.max] } else { [-hinge.max, -hinge.min] };
            assert_eq!([other.min, other.max], mirrored, "{name}: {rest}");
        }
    }
}

/// An effector without a patch can only touch a surface without overlap if no capsule of its link, nor of the next links that bend
/// about its center, would protrude from its sphere there.
#[test]
fn capsules_are_no_thicker_than_the_effector_at_their_end() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let character = shipped::character(name);
        let frames = at_rest(&character);
        // The figure's feet roll onto their balls.
        let touches_at_a_point =
            |(_, effector): &(EffectorId, &Effector)| effector.ability.patch.is_none() || name == "figure";
        for (index, effector) in character.effectors.iter_enumerated().filter(touches_at_a_point) {
            let center = effector_position(&character, &frames, index);
            let ends_here = (0..character.capsules.len())
                .map(|capsule| capsule_in_world(&character, &frames, capsule))
                .filter(|capsule| capsule.a.distance(center).min(capsule.b.distance(center)) < 1e-6);
            let radii: Vec<f32> = ends_here.map(|capsule| capsule.radius).collect();
            assert!(!radii.is_empty(), "{name}: no capsule ends at {}", effector.name);
            assert!(radii.iter().all(|&radius| radius <= effector.radius), "{name}: {}: {radii:?}", effector.name);
        }
    }
}

#[test]
fn the_human_stands_on_flat_soles_at_rest() {
    let human = shipped::character("human");
    assert!(human.hinges.len() >= 30, "{}", human.hinges.len());
    assert!((human.total_mass - 75.0).abs() < 0.01, "{}", human.total_mass);
    let frames = at_rest(&human);
    let ground = lowest(&human, &frames);
    let on_soles = |effector: &&Effector| ["heel", "ball", "sole"].iter().any(|end| effector.name.ends_with(end));
    for effector in human.effectors.iter().filter(on_soles) {
        let world_from_link = &frames.world_from_link[effector.link];
        let bottom = (*world_from_link * effector.center).y - effector.radius;
        assert!((bottom - ground).abs() < 1e-5, "{}: {bottom} against {ground}", effector.name);
        let facing = world_from_link.rotation * effector.facing.unwrap();
        assert!((facing - Vec3::NEG_Y).length() < 1e-5, "{}: {facing}", effector.name);
    }
    // Straight, it is 1.75 m tall; slightly bent knees take a few millimetres.
    let top = human.capsules[human.links[human.find_link("head").unwrap()].capsules.clone()]
        .iter()
        .map(|capsule| capsule.a.y.max(capsule.b.y) + capsule.radius)
        .fold(0.0, f32::max);
    let height = frames.world_from_link[human.find_link("head").unwrap()].translation.y + top - ground;
    assert!((1.74..=1.75).contains(&height), "{height}");
}

#[test]
fn the_insect_stands_on_six_legs_of_five_hinges() {
    let insect = shipped::character("insect");
    assert_eq!(insect.limbs.len(), 6);
    assert!(insect.limbs.iter().all(|limb| limb.hinges.len() == 5));
    assert!((insect.total_mass - 12.0).abs() < 0.01, "{}", insect.total_mass);
    let frames = at_rest(&insect);
    let ground = lowest(&insect, &frames);
    for (index, effector) in insect.effectors.iter_enumerated() {
        let bottom = effector_position(&insect, &frames, index).y - effector.radius;
        assert!((bottom - ground).abs() < 1e-5, "{}: {bottom} against {ground}", effector.name);
    }
    for knee in insect.links.iter_enumerated().filter(|(_, link)| link.name.ends_with("tibia")) {
        let height = frames.world_from_link[knee.0].translation.y;
        assert!(height > 0.1, "{}: {height}", knee.1.name);
    }
}

/// Files of version 1 state no patches, grips, forces and friction.
#[test]
fn files_of_version_1_load_with_the_stated_defaults() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-1");
    for name in ["figure", "human", "insect"] {
        let file = fixtures.join(format!("{name}.toml"));
        let old = parse_character(&file, &std::fs::read(&file).unwrap()).unwrap();
        let new = shipped::with_body_of_version_1(name);
        assert_eq!((&old.links, &old.hinges, &old.limbs), (&new.links, &new.hinges, &new.limbs), "{name}");
        for effector in &old.effectors {
            let ContactAbility { patch, grip, max_push } = effector.ability;
            let default = 3.0 * GRAVITY * old.total_mass;
            assert_eq!(patch, None, "{name}: {}", effector.name);
            assert!((max_push - default).abs() < 1e-3 * default, "{name}: {}: {max_push}", effector.name);
            assert_eq!(grip.unwrap().max_force, max_push, "{name}: {}", effector.name);
        }
    }
    let scene = read_scene(&fixtures.join("climb.toml")).unwrap();
    assert!(scene.problem.world.holds.iter().all(|hold| hold.friction == DEFAULT_FRICTION));
}

#[test]
fn invalid_patches_grips_and_frictions_are_errors_that_name_the_effector() {
    let file = Path::new("it.toml");
    let text = include_str!("../../../characters/human.toml");
    for (from, to, message) in [
        ("grip = { axis = [1.0, 0.0, 0.0]", "grip = { axis = [0.0, 0.0, 0.0]", "has no direction"),
        ("force = 900", "force = 0", "a force must be greater than 0"),
        (
            "patch = { forward = [1.0, 0.0, 0.0], front = 0.0825",
            "patch = { forward = [0.0, 1.0, 0.0], front = 0.0825",
            "left_sole",
        ),
        ("front = 0.0825", "front = -1", "left_sole"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = parse_character(file, text.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.to_string().contains(message), "{to}: {error}");
    }
}
