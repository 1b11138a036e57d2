//! Single postures that exert force for a task, in the scenes of Tonneau, Pettré and Multon (2014).

mod common;

use clamber::check::{CheckSettings, check_motion};
use clamber::model::math::Vec3;
use clamber::{Contact, Pose, PoseError, PoseOutcome, PoseRequest, PoseTask, Problem, pose};

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
    for (name, direction) in [("sofa", Vec3::Y), ("chair", Vec3::Y), ("push", Vec3::X)] {
        let problem = common::scene(&format!("poses/{name}")).problem;
        let found = pose(&problem, &request(direction)).unwrap();
        let report = check_motion(&problem, &found.motion, &CheckSettings::default());
        for property in ["penetration", "slip", "self-collision", "equilibrium"] {
            let result = report.property(property).unwrap_or_else(|| panic!("{name}: no {property} in {report}"));
            assert!(result.passed, "{name}: {result}");
        }
    }
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
