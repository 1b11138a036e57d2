//! Describes a character of your own, and lets it fly through a window.
//!
//! Run: `cargo run --release -p clamber --example custom_character`. Angles and names are yours; nothing in the planner knows
//! about arms or legs.

use std::io::ErrorKind;
use std::path::Path;

use clamber::io::parse_scene;
use clamber::{CheckSettings, Planner, check_motion};

/// Three links in a row, as in a file `worm.toml`. Angles are in degrees, lengths in meters.
const WORM: &str = r#"
version = 2
name = "worm"
root = "planar"

[body]
gaze = "head"

[[link]]
name = "middle"
mass = 1.0
capsules = [{ from = [-0.2, 0, 0], to = [0.2, 0, 0], radius = 0.06 }]

[[link]]
name = "head"
parent = "middle"
at = [0.2, 0, 0]
hinges = [{ name = "neck", axis = "z", min = -100, max = 100 }]
mass = 0.5
capsules = [{ from = [0, 0, 0], to = [0.3, 0, 0], radius = 0.06 }]

[[link]]
name = "tail"
parent = "middle"
at = [-0.2, 0, 0]
hinges = [{ name = "hip", axis = "z", min = -100, max = 100 }]
mass = 0.5
capsules = [{ from = [0, 0, 0], to = [-0.3, 0, 0], radius = 0.06 }]
"#;

const SCENE: &str = r#"
version = 1
name = "window"
character = "worm.toml"
bounds = { min = [0, 0], max = [6, 4] }
start = { position = [1, 1] }
goal = { position = [5, 3] }
obstacle = [
    { name = "below", box = { center = [3, 0.8], size = [0.4, 1.6] } },
    { name = "above", box = { center = [3, 3.1], size = [0.4, 1.8] } },
]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The scene asks for its files through this function, so nothing needs to be on disk. There is no mode table: it flies.
    let read = |path: &Path| match path.ends_with("worm.toml") {
        true => Ok(WORM.into()),
        false => Err(ErrorKind::NotFound.into()),
    };
    let problem = parse_scene("window.toml".as_ref(), SCENE.as_bytes(), &read)?.problem;
    let plan = Planner::new(problem.clone()).seed(1).run()?;
    let report = check_motion(&problem, &plan.motion, &CheckSettings::default());
    println!("{} frames, valid: {}", plan.motion.frames.len(), report.passed());
    Ok(())
}
