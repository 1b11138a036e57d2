//! Feet beside the risers of stairs: a foothold has room for the whole foot.

mod common;

use clamber::Planner;
use clamber::model::Problem;
use clamber::model::kinematics::{LinkFrames, capsule_in_world, forward};
use clamber::model::world::MeshInterior;
use common::read;

/// Three steps up, each 0.17 m high and 0.34 m deep, a landing and three steps down.
fn stairs() -> Problem {
    let mut outline = vec![[0.0f32, -1.0], [8.0, -1.0], [8.0, 0.0], [5.02, 0.0]];
    for step in 0..3 {
        let (x, y) = (5.02 - 0.34 * step as f32, 0.17 * (step + 1) as f32);
        outline.extend([[x, y], [x - 0.34, y]]);
    }
    for step in (0..3).rev() {
        let (x, y) = (2.0 + 0.34 * step as f32, 0.17 * (step + 1) as f32);
        outline.extend([[x + 0.34, y], [x, y]]);
    }
    outline.extend([[2.0, 0.0], [0.0, 0.0]]);
    let outline: Vec<String> = outline.iter().map(|[x, y]| format!("[{x}, {y}]")).collect();
    read(&format!(
        r#"
version = 1
name = "stairs"
character = "figure.toml"
bounds = {{ min = [0, 0], max = [8, 3] }}
[[obstacle]]
name = "stairs"
polygon = [{}]
holds = {{ everywhere = true, types = ["load-bearing"] }}
[start]
position = [1.0, 0.9]
contacts = {{ left_foot = [0.95, 0], right_foot = [1.2, 0] }}
mode = "walking"
[goal]
position = [6.5, 0.9]
contacts = {{ left_foot = [6.45, 0], right_foot = [6.7, 0] }}
mode = "walking"
"#,
        outline.join(", ")
    ))
    .problem
}

#[test]
fn no_foot_enters_a_riser_up_or_down() {
    let problem = stairs();
    let character = &problem.character;
    let feet = ["left_foot", "right_foot"].map(|foot| character.find_link(foot).unwrap());
    let mut frames = LinkFrames::default();
    for seed in 1..=3 {
        let plan = Planner::new(problem.clone()).seed(seed).run().unwrap();
        assert!(plan.check_report.passed(), "{}", plan.check_report);
        let mut on_steps = 0;
        for (index, frame) in plan.motion.frames.iter().enumerate() {
            forward(character, &frame.configuration, &mut frames);
            for capsule in feet.iter().flat_map(|&foot| character.links[foot].capsules.clone()) {
                let placed = capsule_in_world(character, &frames, capsule);
                let nearest = problem.world.capsule_distance(&placed, 0.0, MeshInterior::Solid);
                assert!(nearest.distance > -2e-3, "seed {seed}, at {}: {}", frame.time, nearest.distance);
            }
            let stance = plan.motion.stance_at_frame(index);
            on_steps += usize::from(stance.iter().any(|contact| (0.1..0.4).contains(&contact.point.y)));
        }
        assert!(on_steps > 20, "seed {seed}: {on_steps} frames on steps");
    }
}
