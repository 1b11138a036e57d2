//! Single postures for a task, in the scenes of Tonneau, Pettré and Multon (2014).

mod common;

use clamber::check::{CheckSettings, check_motion};
use clamber::model::math::Vec3;
use clamber::{Contact, Pose, PoseError, PoseRequest, Problem, pose};

fn request(direction: Vec3) -> PoseRequest {
    let mut request = PoseRequest::new(direction);
    request.samples = 20_000;
    request
}

/// The contact of an effector.
fn contact_of<'a>(problem: &Problem, found: &'a Pose, effector: &str) -> Option<&'a Contact> {
    let effector = problem.character.find_effector(effector).unwrap();
    found.stance.iter().find(|contact| contact.effector == effector)
}

fn force(found: &Pose) -> f64 {
    found.force.filter(|force| force.imbalance == 0.0).map_or(0.0, |force| force.force)
}

#[test]
fn who_gets_up_from_a_chair_beside_a_table_leans_on_the_table_top() {
    let problem = common::scene("poses/chair").problem;
    let found = pose(&problem, &request(Vec3::Y)).unwrap();
    let hand = contact_of(&problem, &found, "left_hand").expect("the left hand makes contact");
    assert!(problem.world.holds[hand.hold].name.starts_with("table "), "{found:?}");
    assert!(hand.normal.y > 0.99, "{found:?}");
    assert!(force(&found) > 500.0, "{:?}", found.force);
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
        let mut request = PoseRequest::new(Vec3::NEG_X);
        request.object = Some("handle".to_owned());
        force(&pose(&problem, &request).unwrap())
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
    let mut of_nothing = request(Vec3::X);
    of_nothing.pushes = true;
    assert_eq!(pose(&problem, &of_nothing).unwrap_err(), PoseError::NoObject);
    let mut changed = problem.clone();
    changed.start.configuration.angles.pop();
    assert!(matches!(pose(&changed, &request(Vec3::Y)), Err(PoseError::InvalidProblem(_))));
    let mut of_moon = request(Vec3::Y);
    of_moon.object = Some("moon".to_owned());
    assert_eq!(pose(&problem, &of_moon).unwrap_err(), PoseError::UnknownObject { name: "moon".to_owned() });
}
