//! A scene with inexact surfaces declares a contact tolerance, which planners and checks share.

mod common;

use std::path::Path;

use clamber::check::{CheckSettings, check_motion};
use clamber::io::{FileError, Scene, parse_scene};
use clamber::{Failure, Planner};

/// A floor with teeth 2 mm high and 2 cm apart, as a scanner leaves them.
fn rough_floor(contact_tolerance: &str) -> Result<Scene, FileError> {
    let top = (0..=400).map(|i| format!("[{}, {}]", 0.02 * f64::from(400 - i), if i % 2 == 0 { 0.0 } else { 0.002 }));
    let top: Vec<String> = top.collect();
    let scene = format!(
        r#"
version = 1
name = "scan"
character = "figure"
bounds = {{ min = [0, -0.5], max = [8, 4] }}
{contact_tolerance}
[[obstacle]]
name = "floor"
polygon = [[0, -0.5], [8, -0.5], {}]
[[hold]]
name = "near"
from = [0.2, 0]
to = [7.8, 0]
normal = [0, 1]
[start]
position = [1.0, 0.9]
contacts = {{ left_foot = [0.9, 0], right_foot = [1.1, 0] }}
mode = "walking"
[goal]
position = [3.0, 0.9]
contacts = {{ left_foot = [2.9, 0], right_foot = [3.1, 0] }}
mode = "walking"
"#,
        top.join(", ")
    );
    let missing = |_: &Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    parse_scene(Path::new("scan.toml"), scene.as_bytes(), &missing)
}

#[test]
fn a_rough_floor_needs_a_contact_tolerance() {
    let exact = rough_floor("").unwrap().problem;
    let error = Planner::new(exact.clone()).run().unwrap_err();
    assert!(
        matches!(&error.reason, Failure::Collides { posture_name, .. } if posture_name == "start"),
        "{}",
        error.reason
    );

    let tolerant = rough_floor("contact_tolerance = 0.003").unwrap().problem;
    let plan = Planner::new(tolerant.clone()).run().unwrap();
    let settings = CheckSettings::default();
    let report = check_motion(&tolerant, &plan.motion, &settings);
    let penetration = report.property("penetration").unwrap();
    assert!(report.passed(), "{report}");
    let usual = settings.max_penetration * tolerant.character.body_size();
    assert!((penetration.limit - (usual + 0.003)).abs() < 1e-6, "the report states the limit: {penetration}");
    assert!(penetration.worst > 0.0015, "{penetration}");
    // The check of the exact scene has the usual limit.
    let limit = check_motion(&exact, &plan.motion, &settings).property("penetration").unwrap().limit;
    assert!((limit - usual).abs() < 1e-6);
    // A clip keeps the tolerance too.
    let clip = clamber::refine(&tolerant, &plan.motion, &clamber::ClipSettings::default()).unwrap();
    let report = check_motion(&tolerant, &clip.motion, &settings);
    assert!(report.property("penetration").unwrap().passed, "{report}");
}

#[test]
fn the_tolerance_scales_with_the_problem() {
    let problem = rough_floor("contact_tolerance = 0.003").unwrap().problem;
    assert_eq!(problem.scaled(2.0).unwrap().world.contact_tolerance, 0.006);
}

#[test]
fn a_tolerance_beyond_the_body_is_refused() {
    for given in ["-0.001", "0.03"] {
        let error = rough_floor(&format!("contact_tolerance = {given}")).unwrap_err();
        assert!(error.message.contains("does not suit `figure`"), "{error}");
        assert_eq!(error.line, Some(6));
        assert_eq!(error.help.as_deref(), Some("use 0 to 0.0202 m"));
    }
    let mut problem = rough_floor("").unwrap().problem;
    for tolerance in [-1.0, 1.0, f32::NAN] {
        problem.world = std::sync::Arc::new((*problem.world).clone().with_contact_tolerance(tolerance));
        let error = Planner::new(problem.clone()).run().unwrap_err();
        assert!(error.reason.to_string().contains("contact tolerance"), "{}", error.reason);
    }
}
