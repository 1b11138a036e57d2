//! Plans a built-in scene, makes a clip of the motion, and samples it.
//!
//! Run: `cargo run --release -p clamber --example quickstart`. Try other names: `walk`, `swing`, `crawl`, `gauntlet`.

use clamber::{ClipSettings, Planner, Scene, refine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = Scene::builtin("climb")?.problem;
    let plan = Planner::new(problem.clone()).seed(1).run()?;
    let motion = refine(&problem, &plan.motion, &ClipSettings::default())?.motion;
    let sample = motion.sample(&problem.character, 2.0);
    println!("{:.1} s long; at 2 s {} on {} contacts", motion.duration(), sample.mode, sample.contacts.len());
    Ok(())
}
