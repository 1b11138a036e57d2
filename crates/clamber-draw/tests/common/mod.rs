//! Scenes and motions for the tests of pictures.

use std::path::Path;

use clamber_io::parse_scene;
use clamber_model::{Configuration, Motion, Problem};

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

/// The problem that a scene asks, with characters from the repository.
pub fn problem(scene: &str) -> Problem {
    let characters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../characters");
    let read = |path: &Path| std::fs::read(characters.join(path.file_name().unwrap_or_default()));
    parse_scene(Path::new("scene.toml"), scene.as_bytes(), &read).expect("the scene is right").problem
}

/// Straight from start to goal in so many seconds.
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

/// These configurations, 30 a second.
pub fn motion(problem: &Problem, configurations: Vec<Configuration>) -> Motion {
    Motion::evenly_timed(&problem.character.name, "flying", configurations, 30.0)
}

/// Whether a colour is one of the body's: blue.
pub fn is_body([red, _, blue]: [u8; 3]) -> bool {
    i32::from(blue) > i32::from(red) + 25
}
