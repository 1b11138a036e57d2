//! Single postures that keep the contacts of the start: to reach a hold, and to lean.

mod common;
#[path = "common/valid_pose.rs"]
mod valid_pose;

use clamber::model::kinematics::effector_position_at;
use clamber::model::math::Vec3;
use clamber::posture::{LeanError, StandError};
use clamber::{Configuration, Contact, Pose, PoseError, PoseOutcome, PoseRequest, PoseTask, Problem, pose};
use valid_pose::assert_valid;

fn lean(problem: &Problem, direction: Vec3) -> Result<Pose, PoseError> {
    pose(problem, &PoseRequest::new(PoseTask::Lean { direction }))
}

fn leaned(problem: &Problem, direction: Vec3) -> f32 {
    let found = lean(problem, direction).unwrap();
    assert_valid(problem, &found.motion);
    let PoseOutcome::Leans(distance) = found.outcome else { panic!("{:?}", found.outcome) };
    distance
}

fn reach(problem: &Problem, hold: &str, limbs: &[&str]) -> Result<Pose, PoseError> {
    let mut request = PoseRequest::new(PoseTask::Reach { hold: hold.to_owned() });
    request.limbs = limbs.iter().map(|&limb| limb.to_owned()).collect();
    pose(problem, &request)
}

/// The contact of a valid pose that reaches a hold.
fn reached(problem: &Problem, hold: &str, limbs: &[&str]) -> Contact {
    let found = reach(problem, hold, limbs).unwrap_or_else(|error| panic!("{}, {hold}: {error}", problem.name));
    assert_eq!(found.imbalance, Some(0.0), "{}, {hold}", problem.name);
    assert_valid(problem, &found.motion);
    let PoseOutcome::Reaches(contact) = found.outcome else { panic!("{:?}", found.outcome) };
    assert!(found.stance.contains(&contact), "{found:?}");
    contact
}

#[test]
fn a_human_leans_as_far_as_its_soles_carry_it() {
    let problem = common::scene("poses/lean").problem;
    let [ahead, back, left, right] =
        [Vec3::X, Vec3::NEG_X, Vec3::NEG_Z, Vec3::Z].map(|direction| leaned(&problem, direction));
    // The soles are 0.165 m long and reach 0.155 m to either side.
    assert!(ahead > 0.03 && back > 0.03 && (0.155..0.166).contains(&(ahead + back)), "{ahead} {back}");
    assert!([left, right].iter().all(|aside| (0.14..0.16).contains(aside)), "{left} {right}");
    let oblique = leaned(&problem, Vec3::new(1.0, 0.0, 1.0));
    assert!(oblique > 0.03, "{oblique}");
    assert_eq!(leaned(&problem, Vec3::new(5.0, 2.0, 0.0)), ahead, "only the horizontal part counts");
}

#[test]
fn who_leans_forward_turns_the_ankles_and_keeps_both_sides_alike() {
    let problem = common::scene("poses/lean").problem;
    let found = lean(&problem, Vec3::X).unwrap();
    let angles = |posture: &Configuration, joint: &str| {
        ["left", "right"].map(|side| posture.angles[problem.character.find_hinge(&format!("{side}_{joint}")).unwrap()])
    };
    let posture = &found.motion.frames[0].configuration;
    for joint in ["ankle_bend", "hip_swing", "knee", "shoulder_swing", "elbow"] {
        let [left, right] = angles(posture, joint);
        assert!((left - right).abs() < 0.01, "{joint}: {left} {right}");
    }
    let [before, after] = [&problem.start.configuration, posture].map(|posture| angles(posture, "ankle_bend")[0]);
    assert!((after - before).abs() > 0.05, "{before} {after}");
}

#[test]
fn hands_on_a_wall_let_a_human_lean_farther() {
    let [free, with_wall] = ["lean", "lean-wall"].map(|name| {
        let problem = common::scene(&format!("poses/{name}")).problem;
        leaned(&problem, Vec3::X)
    });
    assert!(with_wall > 1.5 * free, "{free} {with_wall}");
}

#[test]
fn a_human_reaches_points_and_surfaces_with_the_hand_that_is_nearer_to_comfort() {
    let problem = common::scene("poses/reach").problem;
    let name_of = |contact: Contact| problem.character.effectors[contact.effector].name.as_str();
    assert_eq!(name_of(reached(&problem, "cup", &[])), "left_hand");
    assert_eq!(name_of(reached(&problem, "far cup", &[])), "right_hand");
    assert_eq!(name_of(reached(&problem, "cup", &["right_arm"])), "right_hand");
    // The hand lies on the table top, inside of its edges.
    let on_table = reached(&problem, "table", &["left_hand"]);
    assert!(on_table.normal.y > 0.99 && on_table.point.x > 0.44, "{on_table:?}");
}

#[test]
fn a_limb_in_contact_lets_go_of_its_hold() {
    let mut problem = common::scene("poses/lean-wall").problem;
    problem.name = "let go".to_owned();
    let found = reach(&problem, "floor", &["left_leg"]).unwrap();
    let PoseOutcome::Reaches(contact) = found.outcome else { panic!("{:?}", found.outcome) };
    assert_eq!(problem.character.effectors[contact.effector].name, "left_sole");
    assert_eq!(found.stance.len(), problem.start.stance.len());
}

/// A body at rest on a floor with a block before it, and the contacts of all of its feet.
fn standing_before_block(name: &str) -> Problem {
    let character = clamber_testing::character(name);
    let rest = Configuration::rest(&character);
    let centers: Vec<Vec3> = character.effectors.keys().map(|id| effector_position_at(&character, &rest, id)).collect();
    let lowest = |(center, effector): (&Vec3, &clamber::model::character::Effector)| center.y - effector.radius;
    let bottom = centers.iter().zip(&character.effectors).map(lowest).fold(f32::INFINITY, f32::min);
    let contacts = centers
        .iter()
        .zip(&character.effectors)
        .map(|(center, effector)| format!("{} = [{}, 0, {}]", effector.name, center.x, center.z));
    let contacts = contacts.collect::<Vec<String>>().join(", ");
    let front = centers.iter().map(|center| center.x).fold(f32::NEG_INFINITY, f32::max);
    let size = character.body_size();
    let [middle, height] = [front + 0.7 * size, 0.25 * size];
    common::read(&format!(
        "version = 2\nname = \"{name}\"\ncharacter = \"{name}.toml\"\n\
         bounds = {{ min = [-9, -1, -9], max = [9, 9, 9] }}\n\
         [[obstacle]]\nname = \"floor\"\nbox = {{ center = [0, -0.5, 0], size = [18, 1, 18] }}\n\
         holds = {{ everywhere = true, types = [\"load-bearing\"] }}\n\
         [[obstacle]]\nname = \"block\"\nbox = {{ center = [{middle}, {}, 0], size = [{size}, {height}, {}] }}\n\
         holds = {{ everywhere = true }}\n\
         [start]\nposition = [0, {}, 0]\ncontacts = {{ {contacts} }}\n",
        0.5 * height,
        4.0 * size,
        -bottom,
    ))
    .problem
}

#[test]
fn bodies_with_four_six_and_eight_legs_reach_and_lean() {
    for name in ["dog", "insect", "spider"] {
        let problem = standing_before_block(name);
        let contact = reached(&problem, "block", &[]);
        assert!(problem.world.holds[contact.hold].name.starts_with("block "), "{name}: {contact:?}");
        let size = problem.character.body_size();
        for direction in [Vec3::X, Vec3::NEG_Z] {
            let distance = leaned(&problem, direction);
            assert!((0.05 * size..size).contains(&distance), "{name}: {distance}");
        }
    }
}

#[test]
fn a_hold_out_of_reach_is_named_with_its_distance() {
    let problem = common::scene("poses/reach").problem;
    let error = reach(&problem, "hook", &["left_hand"]).unwrap_err();
    assert!(error.is_infeasible(), "{error}");
    let PoseError::OutOfReach { effector, hold, distance } = &error else { panic!("{error}") };
    // The hook is 1.9 m from the shoulders of who stands upright.
    assert!(effector == "left_hand" && hold == "hook" && (0.2..1.3).contains(distance), "{error}");
    let unusable = reach(&problem, "hook", &["left_leg"]).unwrap_err();
    assert_eq!(unusable, PoseError::Unusable { hold: "hook".to_owned() });
}

#[test]
fn a_hold_behind_a_cupboard_is_reached_in_no_posture() {
    let cupboard = common::scene("poses/push").problem;
    let problem = Problem { world: cupboard.world, ..common::scene("poses/lean").problem };
    let behind = problem.world.holds.iter().find(|hold| hold.normal.x > 0.9).unwrap().name.clone();
    let error = reach(&problem, &behind, &["left_hand"]).unwrap_err();
    assert!(matches!(error, PoseError::NoPosture { .. }) && error.is_infeasible(), "{error}");
}

#[test]
fn invalid_requests_are_refused() {
    let problem = common::scene("poses/lean").problem;
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::Y] {
        assert_eq!(lean(&problem, direction).unwrap_err(), PoseError::CannotLean(LeanError::NoDirection));
    }
    let error = reach(&problem, "moon", &[]).unwrap_err();
    assert_eq!(error, PoseError::UnknownObject { name: "moon".to_owned() });
    assert!(matches!(reach(&problem, "floor", &["tail"]), Err(PoseError::UnknownLimb { .. })));
    let mut flying = problem.clone();
    flying.start.stance.clear();
    for error in [lean(&flying, Vec3::X).unwrap_err(), reach(&flying, "floor", &[]).unwrap_err()] {
        assert!(matches!(error, PoseError::NoStance { .. }), "{error}");
        assert!(error.to_string().contains("[start]"), "{error}");
    }
    let mut twice = problem.clone();
    twice.start.stance.push(twice.start.stance[0]);
    let error = lean(&twice, Vec3::X).unwrap_err();
    let is_duplicate = |reason: &LeanError| matches!(reason, LeanError::Start(StandError::DuplicateEffector { .. }));
    assert!(matches!(&error, PoseError::CannotLean(reason) if is_duplicate(reason)), "{error}");
}
