//! Forbids a hold that a motion uses, and repairs the motion around it.
//!
//! Run: `cargo run --release -p clamber --example edit_and_replan`. Look at how much of the motion stays as it was.

use clamber::io::{HoldEdit, apply_hold_edits};
use clamber::{Motion, Planner, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = Scene::builtin("gauntlet")?.problem;
    let before = Planner::new(problem.clone()).seed(1).run()?;

    let last_new_contact =
        before.motion.contacts.iter().rfind(|span| span.last_frame + 300 < before.motion.frames.len());
    let hold = &problem.world.holds[last_new_contact.expect("the motion has contacts").contact.hold].name;
    let edited = apply_hold_edits(&problem, &[HoldEdit::Forbid { hold: hold.clone() }])?;
    let after = Planner::new(edited).seed(1).replan(&before.motion)?;

    println!("forbade `{hold}`");
    println!("planned: {} configurations tried", before.statistics.expansions);
    println!("replanned: {} configurations tried", after.statistics.expansions);
    let kept = shared_frames(&before.motion, &after.motion);
    println!("{kept} of {} frames are untouched", before.motion.frames.len());
    Ok(())
}

/// Frames at the beginning that two motions share.
fn shared_frames(a: &Motion, b: &Motion) -> usize {
    a.frames.iter().zip(&b.frames).take_while(|(a, b)| a.configuration == b.configuration).count()
}
