//! Whether the motion is one motion: no jumps, and time goes on.

use clamber_model::kinematics::Workspace;
use clamber_model::math::Vec3;
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::sample::{body_points, link_of_point};
use crate::settings::CheckSettings;

/// The farthest that a point of the body moves between two frames.
pub(crate) fn measure_jumps(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let character = &problem.character;
    let mut frames = Workspace::default();
    let (mut before, mut now): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    let mut worst = Worst::new();
    for frame in &motion.frames {
        body_points(character, &frame.configuration, &mut frames, &mut now);
        for (index, (before, now)) in before.iter().zip(&now).enumerate() {
            let place = || format!("link `{}`", link_of_point(character, index));
            worst.note((*now - *before).length(), frame.time, place);
        }
        std::mem::swap(&mut before, &mut now);
    }
    worst.finding("jumps", settings.jump, "m")
}

/// The least time between two frames, the first of which is at 0.
pub(crate) fn measure_time(motion: &Motion, settings: &CheckSettings) -> Finding {
    let limit = settings.time_step;
    // A motion of one frame has no steps that could be wrong.
    let mut worst =
        Finding { property: "time", passed: true, worst: limit, limit, unit: "s", time: 0.0, place: String::new() };
    let mut note = |step: f32, time: f32, frame: usize| {
        let step = if step.is_finite() { step } else { f32::NEG_INFINITY };
        if worst.place.is_empty() || step < worst.worst {
            let place = format!("frame {frame}");
            worst = Finding { passed: step >= limit, worst: step, time, place, ..worst.clone() };
        }
    };
    if let Some(first) = motion.frames.first().filter(|first| first.time != 0.0) {
        note(f32::NEG_INFINITY, first.time, 0);
    }
    for (index, pair) in motion.frames.windows(2).enumerate() {
        note(pair[1].time - pair[0].time, pair[1].time, index + 1);
    }
    worst
}
