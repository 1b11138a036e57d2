//! Single postures that exert force for a task, in the scenes of Tonneau, Pettré and Multon (2014).

mod common;
#[path = "common/valid_pose.rs"]
mod valid_pose;

use std::sync::Arc;

use clamber::model::math::Vec3;
use clamber::model::motion::ContactSpan;
use clamber::posture::limb_contacts::PathEnd;
use clamber::{Contact, Motion, Pose, PoseError, PoseOutcome, PoseRequest, PoseTask, Problem, pose};
use valid_pose::assert_valid;

fn of(task: PoseTask) -> PoseRequest {
    let mut request = PoseRequest::new(task);
    request.samples = 20_000;
    request
}

fn request(direction: Vec3) -> PoseRequest {
    of(PoseTask::Move { direction })
}

/// The contact of an effector.
fn contact_of<'a>(problem: &Problem, found: &'a Pose, effector: &str) -> Option<&'a Contact> {
    let effector = problem.character.find_effector(effector).unwrap();
    found.stance.iter().find(|contact| contact.effector == effector)
}

fn force(found: &Pose) -> f64 {
    match found.outcome {
        PoseOutcome::Exerts(Some(force)) if found.imbalance == Some(0.0) => force,
        _ => 0.0,
    }
}

#[test]
fn who_gets_up_from_a_chair_beside_a_table_leans_on_the_table_top() {
    let problem = common::scene("poses/chair").problem;
    let found = pose(&problem, &request(Vec3::Y)).unwrap();
    let hand = contact_of(&problem, &found, "left_hand").expect("the left hand makes contact");
    assert!(problem.world.holds[hand.hold].name.starts_with("table "), "{found:?}");
    assert!(hand.normal.y > 0.99, "{found:?}");
    assert!(force(&found) > 500.0, "{:?}", found.outcome);
    found.motion.validate(&problem.character, &problem.world).unwrap();
}

#[test]
fn postures_pass_the_checks_of_contacts_collisions_and_equilibrium() {
    let push = PoseTask::Push { direction: Vec3::X, object: "cupboard".to_owned() };
    let up = || PoseTask::Move { direction: Vec3::Y };
    for (name, task) in [("sofa", up()), ("chair", up()), ("push", push), ("climbing-wall", up())] {
        let problem = common::scene(&format!("poses/{name}")).problem;
        let found = pose(&problem, &of(task)).unwrap();
        assert_eq!(found.imbalance, Some(0.0), "{name}");
        assert_valid(&problem, &found.motion);
    }
}

#[test]
fn one_arm_helps_to_get_up() {
    let mut problem = common::scene("poses/sofa").problem;
    let (two_armed, one_armed) = (problem.character.clone(), clamber_testing::one_armed_human());
    let mut start = problem.start.configuration.clone();
    start.angles = one_armed
        .hinges
        .iter()
        .map(|hinge| problem.start.configuration.angles[two_armed.find_hinge(&hinge.name).unwrap()])
        .collect();
    problem.character = Arc::new(one_armed);
    problem.modes = None;
    problem.start.configuration = start;
    problem.goal = problem.start.clone();
    let with_arm = pose(&problem, &request(Vec3::Y)).unwrap();
    assert!(contact_of(&problem, &with_arm, "right_hand").is_some(), "{with_arm:?}");
    let mut of_legs = request(Vec3::Y);
    of_legs.limbs = ["left_leg", "right_leg"].map(str::to_owned).to_vec();
    let with_legs = pose(&problem, &of_legs).unwrap();
    assert!(force(&with_arm) > force(&with_legs) + 100.0, "{:?} {:?}", with_arm.outcome, with_legs.outcome);
}

#[test]
fn an_insect_crosses_books_and_is_carried_at_every_step() {
    let problem = common::scene("poses/books").problem;
    let path = [[0.15, 0.3, 0.0], [0.6, 0.32, 0.0]].map(Vec3::from_array).to_vec();
    let found = pose(&problem, &of(PoseTask::Follow { path })).unwrap();
    let PoseOutcome::Follows(distance, end) = found.outcome else { panic!("{:?}", found.outcome) };
    assert!(end == PathEnd::Arrived && (0.7..0.75).contains(&distance), "{end:?} {distance}");
    let motion = &found.motion;
    motion.validate(&problem.character, &problem.world).unwrap();
    let stance_at = |frame: usize| -> Vec<Contact> {
        let spans = motion.contacts.iter().filter(|span| (span.first_frame..=span.last_frame).contains(&frame));
        spans.map(|span| span.contact).collect()
    };
    let mut changes = 0;
    for frame in 0..motion.frames.len() {
        let stance = stance_at(frame);
        if frame > 0 {
            let before = stance_at(frame - 1);
            let changed = before.iter().filter(|contact| !stance.contains(contact)).count()
                + stance.iter().filter(|contact| !before.contains(contact)).count();
            assert!(changed <= 1, "frame {frame}");
            changes += changed;
        }
        let configuration = motion.frames[frame].configuration.clone();
        let mut still = Motion::from_configurations(&problem.character.name, "", vec![configuration], 1.0);
        let span = |contact| ContactSpan { contact, first_frame: 0, last_frame: 0 };
        still.contacts = stance.into_iter().map(span).collect();
        still.in_equilibrium = true;
        assert_valid(&problem, &still);
    }
    assert!(changes >= 8, "{changes}");
}

#[test]
fn paths_that_are_no_paths_are_refused() {
    let problem = common::scene("poses/books").problem;
    let follow = |path: Vec<Vec3>| pose(&problem, &of(PoseTask::Follow { path }));
    assert_eq!(follow(Vec::new()).unwrap_err(), PoseError::NoDirection);
    for point in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e9)] {
        assert_eq!(follow(vec![point]).unwrap_err(), PoseError::PathTooLong);
    }
    let into_the_shelf = follow(vec![Vec3::new(0.5, -0.5, 0.0)]).unwrap();
    assert!(
        !matches!(into_the_shelf.outcome, PoseOutcome::Follows(_, PathEnd::Arrived)),
        "{:?}",
        into_the_shelf.outcome
    );
}

#[test]
fn a_low_wall_helps_to_pull_a_cupboard() {
    let [plain, with_wall] = ["pull", "pull-wall"].map(|name| {
        let problem = common::scene(&format!("poses/{name}")).problem;
        let pull = PoseTask::Pull { direction: Vec3::NEG_X, object: "handle".to_owned() };
        force(&pose(&problem, &PoseRequest::new(pull)).unwrap())
    });
    assert!(plain > 100.0 && with_wall > 1.3 * plain, "{plain} {with_wall}");
}

#[test]
fn invalid_requests_are_refused() {
    let problem = common::scene("poses/chair").problem;
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
        assert_eq!(pose(&problem, &request(direction)).unwrap_err(), PoseError::NoDirection);
    }
    let mut of_tail = request(Vec3::Y);
    of_tail.limbs = vec!["tail".to_owned()];
    assert!(matches!(pose(&problem, &of_tail), Err(PoseError::UnknownLimb { .. })));
    let mut twice = request(Vec3::Y);
    twice.limbs = ["left_arm", "left_hand"].map(str::to_owned).to_vec();
    let expected = PoseError::SameLimb { name: "left_hand".to_owned(), other: "left_arm".to_owned() };
    assert_eq!(pose(&problem, &twice).unwrap_err(), expected);
    let mut changed = problem.clone();
    changed.start.configuration.angles.pop();
    assert!(matches!(pose(&changed, &request(Vec3::Y)), Err(PoseError::InvalidProblem(_))));
    let object = "moon".to_owned();
    let expected = PoseError::UnknownObject { name: object.clone() };
    for task in
        [PoseTask::Push { direction: Vec3::X, object: object.clone() }, PoseTask::Pull { direction: Vec3::X, object }]
    {
        assert_eq!(pose(&problem, &of(task)).unwrap_err(), expected);
    }
}
