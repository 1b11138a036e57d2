//! Soles of projected postures: flat where the leg allows it, rolled onto the ball where it does not.

use clamber_model::id::HoldId;
use clamber_model::kinematics::{TwoLink, link_pose, solve_two_link_facing};
use clamber_model::math::{Vec3, atan2, rotation_about, sin_cos};
use clamber_model::{Character, Configuration, Contact};
use clamber_posture::contact_projection::{ContactProjection, SoleRoll};
use clamber_testing::{character, slip};

/// The figure with its hips at a place, and contacts of both feet `apart` ahead of a point below them, on a slope through the
/// origin.
fn above_slope(figure: &Character, slope: f32, apart: [f32; 2]) -> (Configuration, Vec<Contact>) {
    let mut configuration = Configuration::rest(figure);
    configuration.root.translation = Vec3::new(0.0, 0.9, 0.0);
    let turn = rotation_about(Vec3::Z, slope);
    let contact = |(effector, along): (&str, f32)| Contact {
        effector: figure.find_effector(effector).unwrap(),
        hold: HoldId::new(0),
        point: turn * (Vec3::X * along),
        normal: turn * Vec3::Y,
    };
    (configuration, ["left_foot", "right_foot"].into_iter().zip(apart).map(contact).collect())
}

/// The roll of a sole onto its ball, in radians, negative onto the heel, and the height of the heel above the surface.
fn roll_and_heel(figure: &Character, configuration: &Configuration, contact: &Contact) -> (f32, f32) {
    let effector = &figure.effectors[contact.effector];
    let (patch, facing) = (effector.ability.patch.unwrap(), effector.facing.unwrap());
    let pose = link_pose(figure, configuration, effector.link);
    let heel = pose * (effector.center - patch.forward * (patch.back - effector.radius));
    let height = (heel - contact.point).dot(contact.normal) - effector.radius;
    let along = pose.rotation * patch.forward;
    (atan2(-along.dot(contact.normal), -(pose.rotation * facing).dot(contact.normal)), height)
}

#[test]
fn soles_lie_flat_on_level_ground_and_on_slopes() {
    let figure = character("figure");
    let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
    for slope in [0.0, 0.15, -0.15] {
        let (mut configuration, stance) = above_slope(&figure, slope, [0.05, 0.15]);
        let before = configuration.root;
        assert!(projection.project_bending_limbs(&figure, &mut configuration, &stance, SoleRoll::Least));
        assert_eq!(configuration.root, before);
        assert!(slip(&figure, &configuration, &stance) < 1e-4);
        for contact in &stance {
            let (roll, heel) = roll_and_heel(&figure, &configuration, contact);
            assert!(roll.abs() < 1e-3 && heel.abs() < 1e-4, "{slope}: roll {roll}, heel {heel}");
        }
        // Alone, a foot turns at its ankle, and the body follows.
        let (mut configuration, stance) = above_slope(&figure, slope, [0.05, 0.15]);
        assert!(projection.project(&figure, &mut configuration, &stance[..1], SoleRoll::Least));
        assert!(roll_and_heel(&figure, &configuration, &stance[0]).0.abs() < 1e-3, "{slope}");
    }
}

#[test]
fn a_foot_far_behind_rolls_onto_its_ball_by_the_least_angle_that_reaches() {
    let figure = character("figure");
    let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
    let (mut configuration, stance) = above_slope(&figure, 0.0, [0.05, 0.15]);
    let behind = &stance[0];
    let limb = TwoLink::of(&figure, behind.effector).unwrap();
    let center = behind.effector_center(&figure);
    let mut rolls: Vec<f32> = Vec::new();
    while projection.bend_limb_to_contact(&figure, &mut configuration, behind, SoleRoll::Least) {
        let (roll, heel) = roll_and_heel(&figure, &configuration, behind);
        assert!(slip(&figure, &configuration, &stance[..1]) < 1e-4);
        assert!(roll > -1e-3 && heel > -1e-4, "roll {roll}, heel {heel}");
        if roll > 0.02 {
            let (sin, cos) = sin_cos(roll - 0.01);
            let mut flatter = configuration.clone();
            let facing = Vec3::new(-sin, -cos, 0.0);
            assert!(!solve_two_link_facing(&figure, limb, [center, facing], &mut flatter), "{roll} is too much");
        }
        rolls.push(roll);
        configuration.root.translation.x += 0.002;
    }
    let (first, last) = (rolls[0], rolls[rolls.len() - 1]);
    assert!(first.abs() < 1e-3 && last > 0.3, "from {first} to {last}");
    // As the body moves on, the sole neither jumps nor flaps.
    for pair in rolls.windows(2).filter(|pair| pair[1] < 0.8) {
        assert!((-1e-3..0.06).contains(&(pair[1] - pair[0])), "{pair:?}");
    }
}

#[test]
fn a_given_roll_is_kept() {
    let figure = character("figure");
    let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
    let (mut given, stance) = above_slope(&figure, 0.1, [0.05, 0.15]);
    for contact in &stance {
        let limb = TwoLink::of(&figure, contact.effector).unwrap();
        let facing = rotation_about(Vec3::Z, 0.1 - 0.4) * Vec3::NEG_Y;
        let targets = [contact.effector_center(&figure), facing];
        assert!(solve_two_link_facing(&figure, limb, targets, &mut given));
        assert!((roll_and_heel(&figure, &given, contact).0 - 0.4).abs() < 1e-3);
    }
    given.root.translation += Vec3::new(-0.02, -0.01, 0.0);
    for (kept, expected) in [(SoleRoll::AsGiven, 0.4), (SoleRoll::Least, 0.0)] {
        let mut configuration = given.clone();
        assert!(projection.project_bending_limbs(&figure, &mut configuration, &stance, kept));
        assert!(slip(&figure, &configuration, &stance) < 1e-4);
        for contact in &stance {
            let roll = roll_and_heel(&figure, &configuration, contact).0;
            assert!((roll - expected).abs() < 1e-3, "{kept:?}: {roll}");
        }
    }
}

#[test]
fn a_foot_on_a_wall_keeps_the_angle_of_its_ankle() {
    let figure = character("figure");
    let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
    let (start, stance) = above_slope(&figure, 0.0, [0.05, 0.15]);
    let on_wall = Contact { point: Vec3::new(0.5, 0.4, 0.0), normal: Vec3::NEG_X, ..stance[0] };
    let ankle = figure.find_hinge("left_ankle").unwrap();
    for angle in [-0.5, 0.0, 0.4] {
        for roll in [SoleRoll::Least, SoleRoll::AsGiven] {
            let mut configuration = start.clone();
            configuration.angles[ankle] = angle;
            assert!(projection.bend_limb_to_contact(&figure, &mut configuration, &on_wall, roll));
            assert!(slip(&figure, &configuration, &[on_wall]) < 1e-4);
            assert_eq!(configuration.angles[ankle], angle);
        }
    }
}
