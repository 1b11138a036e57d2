//! Forbids a hold that a motion uses, and repairs the motion around it.
//!
//! Run: `cargo run --release -p clamber --example edit_and_replan`. Look at how much of the motion stays as it was.

use clamber::io::{HoldEdit, apply_hold_edits};
use clamber::{Motion, Planner, Problem, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = Scene::builtin("gauntlet")?.problem;
    let before = Planner::new(problem.clone()).seed(1).run()?;

    let (hold, edited) = forbid_a_late_hold(&problem, &before.motion).expect("the motion has a contact to forbid");
    let after = Planner::new(edited).seed(1).replan(&before.motion)?;

    println!("forbade `{hold}`");
    println!("planned: {} configurations tried", before.statistics.expansions);
    println!("replanned: {} configurations tried", after.statistics.expansions);
    let kept = shared_frames(&before.motion, &after.motion);
    println!("{kept} of {} frames are untouched", before.motion.frames.len());
    Ok(())
}

/// Forbids the last hold that the motion takes a while before its end. A hold that a ready-made passage needs cannot be forbidden.
fn forbid_a_late_hold(problem: &Problem, motion: &Motion) -> Option<(String, Problem)> {
    let early = motion.contacts.iter().filter(|span| span.last_frame + 300 < motion.frames.len());
    early.rev().find_map(|span| {
        let hold = problem.world.holds[span.contact.hold].name.clone();
        let edited = apply_hold_edits(problem, &[HoldEdit::Forbid { hold: hold.clone() }]).ok()?;
        Some((hold, edited))
    })
}

/// Frames at the beginning that two motions share.
fn shared_frames(a: &Motion, b: &Motion) -> usize {
    a.frames.iter().zip(&b.frames).take_while(|(a, b)| a.configuration == b.configuration).count()
}
