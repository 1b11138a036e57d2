//! Asks why there is no path, and what to change.
//!
//! Run: `cargo run --release -p clamber --example explain_failure`. The course has a gap that is too wide to step over.

use clamber::course::{CourseSettings, generate};
use clamber::io::parse_scene;
use clamber::plan::ImpasseCause;
use clamber::{Failure, Planner};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = CourseSettings::default();
    settings.impossible = true;
    let course = generate(4, &settings);
    let scene = parse_scene("impossible.toml".as_ref(), course.scene_text.as_bytes(), &|path| std::fs::read(path))?;

    let error = Planner::new(scene.problem).seed(1).run().expect_err("the course is impossible");
    println!("no plan: {error}");
    println!("suggestion: {}", error.reason.suggestion().unwrap_or_default());
    println!("planned as far as {:.1} s", error.partial_motion.duration());
    if let Failure::Impasse(impasse) = &error.reason
        && let ImpasseCause::TooFar { distance, reach, .. } = &impasse.cause
    {
        println!("as data: {distance:.2} m at {:?}, and {reach:.2} m are reached", impasse.blocked_position);
    }
    Ok(())
}
