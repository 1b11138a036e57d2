//! The closed-form solution for the planar figure's limbs agrees with forward kinematics.

mod shipped;

use clamber_model::id::{EffectorId, HingeId};
use clamber_model::kinematics::{
    LinkFrames, TwoLink, effector_position, forward, solve_two_link, solve_two_link_facing, turn_tip_toward,
};
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration};

const CASES: usize = 1000;
const TIPS: [&str; 4] = ["left_hand", "right_hand", "left_foot", "right_foot"];
const FEET: [&str; 2] = ["left_foot", "right_foot"];

fn random_configuration(figure: &Character, stream: &mut Stream) -> Configuration {
    let (x, y, pitch) = (stream.between(-2.0, 2.0), stream.between(-2.0, 2.0), stream.between(-3.0, 3.0));
    let looks_right = stream.below(2) == 0;
    let root = Configuration::planar_root_pose(x, y, pitch, looks_right);
    let angles = figure.hinges.iter().map(|hinge| stream.between(hinge.min, hinge.max)).collect();
    Configuration { root, angles }
}

/// Turns the lower hinge of a limb so that its effector is as far as possible from the upper one.
fn stretch(figure: &Character, configuration: &mut Configuration, effector: EffectorId, hinges: &[HingeId]) {
    configuration.angles[hinges[1]] = 0.0;
    let mut frames = LinkFrames::default();
    forward(figure, configuration, &mut frames);
    let [upper, lower] = [0, 1].map(|i| frames.world_from_link[figure.hinges[hinges[i]].link]);
    let along = lower.translation - upper.translation;
    let beyond = effector_position(figure, &frames, effector) - lower.translation;
    let axis = lower.rotation * figure.hinges[hinges[1]].axis;
    let bend = clamber_model::math::atan2(axis.dot(along.cross(beyond)), along.dot(beyond));
    let hinge = &figure.hinges[hinges[1]];
    assert!((hinge.min..=hinge.max).contains(&-bend) || bend.abs() < 1e-5, "{bend}");
    configuration.angles[hinges[1]] = (-bend).clamp(hinge.min, hinge.max);
}

/// The direction that an effector faces, in the world.
fn facing_of(figure: &Character, configuration: &Configuration, effector: EffectorId) -> Vec3 {
    let mut frames = LinkFrames::default();
    forward(figure, configuration, &mut frames);
    let effector = &figure.effectors[effector];
    frames.world_from_link[effector.link].rotation * effector.facing.unwrap()
}

/// Asserts that only some hinges moved, within their limits.
fn assert_moved_only(figure: &Character, hinges: &[HingeId], [before, after]: [&Configuration; 2]) {
    assert_eq!(after.root, before.root);
    for (index, hinge) in figure.hinges.iter_enumerated() {
        let angle = after.angles[index];
        assert!((hinge.min..=hinge.max).contains(&angle), "{}: {angle}", hinge.name);
        assert!(hinges.contains(&index) || angle == before.angles[index], "{} moved", hinge.name);
    }
}

#[test]
fn reachable_targets_are_reached_within_the_limits() {
    let figure = shipped::character("figure");
    let mut frames = LinkFrames::default();
    let mut worst = 0.0f32;
    for tip in TIPS {
        let effector = figure.find_effector(tip).unwrap();
        let limb = TwoLink::of(&figure, effector).expect("the figure's limbs are of two links");
        // A foot keeps its angle.
        let hinges = &figure.limbs[figure.effectors[effector].limb.unwrap()].hinges[..2];
        let mut stream = Stream::new(1, tip);
        for case in 0..CASES {
            let mut goal = random_configuration(&figure, &mut stream);
            // Every tenth limb is stretched to its limit, where rounding decides whether it is in reach.
            if case % 10 == 0 {
                stretch(&figure, &mut goal, effector, hinges);
            }
            forward(&figure, &goal, &mut frames);
            let center = effector_position(&figure, &frames, effector);

            let mut found = goal.clone();
            for &hinge in hinges {
                found.angles[hinge] = stream.between(figure.hinges[hinge].min, figure.hinges[hinge].max);
            }
            let before = found.clone();
            assert!(solve_two_link(&figure, limb, center, &mut found), "{tip}, {case}: {goal:?}");

            forward(&figure, &found, &mut frames);
            worst = worst.max(effector_position(&figure, &frames, effector).distance(center));
            assert_moved_only(&figure, hinges, [&before, &found]);
        }
    }
    println!("worst miss: {worst} m");
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn unreachable_targets_move_nothing() {
    let figure = shipped::character("figure");
    let mut frames = LinkFrames::default();
    let mut stream = Stream::new(2, "out of reach");
    for tip in TIPS {
        let effector = figure.find_effector(tip).unwrap();
        let limb = TwoLink::of(&figure, effector).unwrap();
        let hinges = &figure.limbs[figure.effectors[effector].limb.unwrap()].hinges;
        for _ in 0..CASES {
            let mut configuration = random_configuration(&figure, &mut stream);
            let before = configuration.clone();
            forward(&figure, &configuration, &mut frames);
            let [joint, lower] = [0, 1].map(|i| frames.world_from_link[figure.hinges[hinges[i]].link].translation);
            let tip = effector_position(&figure, &frames, effector);
            let length = joint.distance(lower) + lower.distance(tip);
            // Beyond the stretched limb, and closer to its joint than the fully bent limb.
            let too_far = joint + (tip - joint).normalize() * (length + stream.between(0.0005, 1.0));
            let too_near = joint + (tip - joint).normalize() * stream.between(0.0, 0.1);
            for center in [too_far, too_near] {
                assert!(!solve_two_link(&figure, limb, center, &mut configuration));
                assert_eq!(configuration, before);
            }
        }
    }
}

#[test]
fn of_two_solutions_the_one_within_the_limits_is_chosen() {
    let figure = shipped::character("figure");
    let mut configuration = Configuration::rest(&figure);
    // In front of the hips: reachable with the knee bent back or, without limits, forward.
    let foot = figure.find_effector("left_foot").unwrap();
    let limb = TwoLink::of(&figure, foot).unwrap();
    let center = Vec3::new(0.5, -0.3, 0.0);
    assert!(solve_two_link(&figure, limb, center, &mut configuration));
    assert!(configuration.angles[figure.find_hinge("left_knee").unwrap()] < -0.5);
}

#[test]
fn a_knee_is_not_the_end_of_two_links() {
    let figure = shipped::character("figure");
    assert_eq!(TwoLink::of(&figure, figure.find_effector("left_knee").unwrap()), None);
    let human = shipped::character("human");
    assert_eq!(TwoLink::of(&human, human.find_effector("left_hand").unwrap()), None);
}

#[test]
fn a_foot_reaches_its_place_and_facing_within_the_limits() {
    let figure = shipped::character("figure");
    let mut frames = LinkFrames::default();
    let mut worst = [0.0f32; 2];
    for foot in FEET {
        let effector = figure.find_effector(foot).unwrap();
        let limb = TwoLink::of(&figure, effector).unwrap();
        let hinges = &figure.limbs[figure.effectors[effector].limb.unwrap()].hinges;
        assert_eq!((hinges.len(), limb.tip_hinge()), (3, Some(hinges[2])));
        let mut stream = Stream::new(3, foot);
        for case in 0..CASES {
            let mut goal = random_configuration(&figure, &mut stream);
            // Every tenth leg is stretched to its limit.
            if case % 10 == 0 {
                goal.angles[hinges[1]] = 0.0;
            }
            forward(&figure, &goal, &mut frames);
            let center = effector_position(&figure, &frames, effector);
            let facing = facing_of(&figure, &goal, effector);

            let mut found = goal.clone();
            for &hinge in hinges {
                found.angles[hinge] = stream.between(figure.hinges[hinge].min, figure.hinges[hinge].max);
            }
            let before = found.clone();
            let is_reached = solve_two_link_facing(&figure, limb, [center, facing], &mut found);
            assert!(is_reached, "{foot}, {case}: {goal:?}");
            assert_moved_only(&figure, hinges, [&before, &found]);
            forward(&figure, &found, &mut frames);
            worst[0] = worst[0].max(effector_position(&figure, &frames, effector).distance(center));
            worst[1] = worst[1].max(facing_of(&figure, &found, effector).distance(facing));
        }
    }
    println!("worst miss: {} m, facing {}", worst[0], worst[1]);
    assert!(worst[0] < 1e-5 && worst[1] < 2e-5, "{worst:?}");
}

#[test]
fn places_and_facings_out_of_reach_move_nothing() {
    let figure = shipped::character("figure");
    let mut stream = Stream::new(4, "out of reach");
    for foot in FEET {
        let effector = figure.find_effector(foot).unwrap();
        let limb = TwoLink::of(&figure, effector).unwrap();
        for _ in 0..CASES {
            let mut configuration = random_configuration(&figure, &mut stream);
            let before = configuration.clone();
            let facing = facing_of(&figure, &configuration, effector);
            // Thigh, shin and foot in one line are 0.98 m long.
            let away = rotation_about(Vec3::Z, stream.between(-3.0, 3.0)) * Vec3::X;
            let center = configuration.root.translation + away * stream.between(0.981, 2.0);
            assert!(!solve_two_link_facing(&figure, limb, [center, facing], &mut configuration));
            assert_eq!(configuration, before);
        }
    }
    // The ankle does not bend enough to stand on the heel with the knee bent, though the leg reaches the place.
    let foot = figure.find_effector("left_foot").unwrap();
    let limb = TwoLink::of(&figure, foot).unwrap();
    let rest = Configuration::rest(&figure);
    let mut configuration = rest.clone();
    let place = rest.root.translation + Vec3::new(0.05, -0.48, 0.0);
    assert!(!solve_two_link_facing(&figure, limb, [place, Vec3::X], &mut configuration));
    assert_eq!(configuration, rest);
    assert!(solve_two_link(&figure, limb, place, &mut configuration));
    // A hand has no tip.
    let hand = TwoLink::of(&figure, figure.find_effector("left_hand").unwrap()).unwrap();
    assert!(!hand.has_tip());
    let mut configuration = rest.clone();
    let place = rest.root.translation + Vec3::new(0.4, 0.4, 0.0);
    assert!(!solve_two_link_facing(&figure, hand, [place, Vec3::X], &mut configuration));
    turn_tip_toward(&figure, hand, Vec3::X, &mut configuration);
    assert_eq!(configuration, rest);
}

#[test]
fn a_tip_turns_toward_a_facing_as_far_as_its_hinge_allows() {
    let figure = shipped::character("figure");
    let mut stream = Stream::new(5, "turns");
    let (mut reached, mut limited) = (0, 0);
    for foot in FEET {
        let effector = figure.find_effector(foot).unwrap();
        let limb = TwoLink::of(&figure, effector).unwrap();
        let tip = limb.tip_hinge().unwrap();
        let hinge = &figure.hinges[tip];
        for _ in 0..CASES {
            let before = random_configuration(&figure, &mut stream);
            let wanted = rotation_about(Vec3::Z, stream.between(-3.0, 3.0)) * Vec3::NEG_Y;
            let mut after = before.clone();
            turn_tip_toward(&figure, limb, wanted, &mut after);
            assert_moved_only(&figure, &[tip], [&before, &after]);
            let miss = |at: &Configuration| facing_of(&figure, at, effector).distance(wanted);
            assert!(miss(&after) <= miss(&before) + 1e-5);
            if [hinge.min, hinge.max].contains(&after.angles[tip]) {
                limited += 1;
            } else {
                assert!(miss(&after) < 1e-5, "{}", miss(&after));
                reached += 1;
            }
        }
    }
    assert!(reached > 100 && limited > 100, "{reached} {limited}");
}
