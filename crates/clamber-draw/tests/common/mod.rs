//! Scenes and motions for the drawing tests.

use std::path::Path;
use std::sync::Arc;

use clamber_draw::DrawSettings;
use clamber_io::parse_scene;
use clamber_model::id::HoldId;
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::motion::{ContactSpan, ModeSpan};
use clamber_model::world::{DistanceFieldSettings, HoldSpread, HoldType, Obstacle, Space, spread_holds};
use clamber_model::{Configuration, Contact, Motion, Problem, World};

/// A planar room of 6 m by 3 m with a floor 0.5 m and a roof 0.3 m thick, and the figure in it.
pub const ROOM: &str = r#"
version = 1
name = "room <1> & more"
character = "figure.toml"
bounds = { min = [0, 0], max = [6, 3] }

[[obstacle]]
name = "floor"
polygon = [[-1, -1], [7, -1], [7, 0.5], [-1, 0.5]]

[[obstacle]]
name = "a \"low\" roof"
box = { center = [3, 3.2], size = [8, 1] }

[start]
position = [1, 1.5]
angles = { left_shoulder = 100, left_elbow = 0, right_shoulder = -60, right_elbow = 0 }

[goal]
position = [5, 1.5]
angles = { left_shoulder = 100, left_elbow = 0, right_shoulder = -60, right_elbow = 0 }
"#;

/// A corridor of 6 m with a floor and two walls, and the human in it.
pub const CORRIDOR: &str = r#"
version = 1
name = "corridor"
character = "human.toml"
bounds = { min = [0, 0, -1], max = [6, 2.5, 1] }

[[obstacle]]
name = "floor"
box = { center = [3, -0.1, 0], size = [6, 0.2, 2] }

[[obstacle]]
name = "far wall"
box = { center = [3, 1.25, -1.1], size = [6, 2.5, 0.2] }

[[obstacle]]
name = "near wall"
box = { center = [3, 1.25, 1.1], size = [6, 2.5, 0.2] }

[start]
position = [1, 1.2, 0]

[goal]
position = [5, 1.2, 0]
"#;

/// Parses a scene; characters come from the repository.
pub fn problem(scene: &str) -> Problem {
    let characters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../characters");
    let read = |path: &Path| std::fs::read(characters.join(path.file_name().unwrap_or_default()));
    parse_scene(Path::new("scene.toml"), scene.as_bytes(), &read).expect("the scene is right").problem
}

/// Returns a motion straight from start to goal with this duration.
pub fn straight(problem: &Problem, seconds: f32) -> Motion {
    let steps = (30.0 * seconds).round() as usize;
    let at = |step: usize| {
        let mut configuration = problem.start.configuration.clone();
        configuration.interpolate(
            &problem.start.configuration,
            &problem.goal.configuration,
            step as f32 / steps as f32,
        );
        configuration
    };
    motion(problem, (0..=steps).map(at).collect())
}

/// A course of 30 m by 6 m with holds of all types: on the ground at a height of 0.5 m, under the beam at 5 m, and on
/// the wall at x = 26 m. The figure walks to the wall, turns in place and climbs.
pub fn course() -> (Problem, Motion) {
    let outline = |name: &str, [left, low]: [f32; 2], [right, high]: [f32; 2]| {
        let corners = [[left, low], [right, low], [right, high], [left, high]];
        Obstacle::polygon(name, &corners, -1.0, 1.0).expect("is a polygon")
    };
    let obstacles = vec![
        outline("ground", [-1.0, -1.0], [31.0, 0.5]),
        outline("beam", [10.0, 5.0], [16.0, 7.0]),
        outline("wall", [26.0, 0.5], [31.0, 7.0]),
    ];
    let world = World::from_obstacles(
        Space::Planar,
        obstacles,
        Vec3::ZERO,
        Vec3::new(30.0, 6.0, 0.0),
        &DistanceFieldSettings::default(),
    );
    let holds = world
        .obstacles
        .keys()
        .flat_map(|obstacle| {
            spread_holds(&world, obstacle, HoldSpread::Spaced(0.25), &HoldType::ALL, true, 1000).expect("a few holds")
        })
        .collect();
    let problem = Problem { world: Arc::new(world.with_holds(holds)), ..problem(ROOM) };

    // Feet on the ground, then hands on the wall.
    let at = |x: f32, y: f32, heading: f32| {
        let root = Pose::from_parts(Vec3::new(x, y, 0.0), rotation_about(Vec3::Y, heading));
        Configuration { root, ..Configuration::rest(&problem.character) }
    };
    let half_turn = std::f32::consts::PI;
    let mut configurations: Vec<Configuration> = (0..=600).map(|k| at(1.0 + 0.04 * k as f32, 1.4, 0.0)).collect();
    configurations.extend((1..=60).map(|k| at(25.0, 1.4, half_turn * k as f32 / 60.0)));
    configurations.extend((1..=60).map(|k| at(25.0, 1.4 + 0.05 * k as f32, half_turn)));
    let mut motion = motion(&problem, configurations);
    let span = |first, last, mode: &str| ModeSpan { first_frame: first, last_frame: last, mode: mode.to_owned() };
    motion.mode_spans = vec![span(0, 600, "walking"), span(600, 660, "turning"), span(660, 720, "climbing")];
    let mut touch = |first: usize, last: usize, effector: &str, near: Vec3| {
        let effector = problem.character.find_effector(effector).expect("is there");
        let from = |hold: HoldId| (problem.world.holds[hold].nearest_point(near) - near).length();
        let hold = problem.world.holds.keys().min_by(|a, b| from(*a).total_cmp(&from(*b))).expect("there are holds");
        let held = &problem.world.holds[hold];
        let contact = Contact { effector, hold, point: held.nearest_point(near), normal: held.normal };
        motion.contacts.push(ContactSpan { first_frame: first, last_frame: last, contact });
    };
    for step in 0..20 {
        let foot = if step % 2 == 0 { "left_foot" } else { "right_foot" };
        touch(30 * step, 30 * step + 45, foot, Vec3::new(1.0 + 1.2 * step as f32, 0.5, 0.0));
    }
    touch(600, 660, "left_foot", Vec3::new(25.0, 0.5, 0.0));
    touch(660, 690, "left_hand", Vec3::new(26.0, 2.0, 0.0));
    touch(690, 720, "right_hand", Vec3::new(26.0, 3.5, 0.0));
    (problem, motion)
}

/// Returns a motion through these configurations, 30 per second.
pub fn motion(problem: &Problem, configurations: Vec<Configuration>) -> Motion {
    Motion::from_configurations(&problem.character.name, "flying", configurations, 30.0)
}

/// Whether a color is blue, like the body.
pub fn is_body([red, _, blue]: [u8; 3]) -> bool {
    i32::from(blue) > i32::from(red) + 25
}

/// Returns the settings with some fields changed.
pub fn with(mut settings: DrawSettings, change: impl FnOnce(&mut DrawSettings)) -> DrawSettings {
    change(&mut settings);
    settings
}
