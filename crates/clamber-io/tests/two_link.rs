//! The closed-form solution for the planar figure's limbs agrees with forward kinematics.

mod shipped;

use clamber_model::kinematics::{LinkFrames, TwoLink, effector_position, forward, solve_two_link};
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration};

const CASES: usize = 1000;
const TIPS: [&str; 4] = ["left_hand", "right_hand", "left_foot", "right_foot"];

fn random_configuration(figure: &Character, stream: &mut Stream) -> Configuration {
    let (x, y, pitch) = (stream.between(-2.0, 2.0), stream.between(-2.0, 2.0), stream.between(-3.0, 3.0));
    let looks_right = stream.below(2) == 0;
    let root = Configuration::planar_root_pose(x, y, pitch, looks_right);
    let angles = figure.hinges.iter().map(|hinge| stream.between(hinge.min, hinge.max)).collect();
    Configuration { root, angles }
}

#[test]
fn reachable_targets_are_reached_within_the_limits() {
    let figure = shipped::character("figure");
    let mut frames = LinkFrames::default();
    let mut worst = 0.0f32;
    for tip in TIPS {
        let effector = figure.find_effector(tip).unwrap();
        let limb = TwoLink::of(&figure, effector).expect("the figure's limbs are of two links");
        let hinges = &figure.limbs[figure.effectors[effector].limb.unwrap()].hinges;
        let mut stream = Stream::new(1, tip);
        for case in 0..CASES {
            let mut goal = random_configuration(&figure, &mut stream);
            // Every tenth limb is stretched to its limit, where rounding decides whether it is in reach.
            if case % 10 == 0 {
                goal.angles[hinges[1]] = 0.0;
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
            assert_eq!(found.root, before.root);
            for (index, hinge) in figure.hinges.iter_enumerated() {
                let angle = found.angles[index];
                assert!((hinge.min..=hinge.max).contains(&angle), "{}: {angle}", hinge.name);
                assert!(hinges.contains(&index) || angle == before.angles[index], "{} moved", hinge.name);
            }
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
    let center = clamber_model::math::Vec3::new(0.5, -0.3, 0.0);
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
