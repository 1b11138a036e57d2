//! Whether the motion is continuous: no jumps between frames, and increasing times.

use clamber_model::math::Vec3;
use clamber_model::{Motion, Problem};

use crate::dense_sampling::{body_points, link_of_point};
use crate::kinematics::LinkFrames;
use crate::report::{LimitKind, PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the largest displacement of a body point between two frames.
pub(crate) fn measure_jumps(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let (mut before, mut now): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    let mut worst = WorstValue::new();
    for frame in &motion.frames {
        body_points(character, &frame.configuration, &mut frames, &mut now);
        for (index, (before, now)) in before.iter().zip(&now).enumerate() {
            let place = || format!("link `{}`", link_of_point(character, index));
            worst.record((*now - *before).length(), frame.time, place);
        }
        std::mem::swap(&mut before, &mut now);
    }
    worst.into_result("jumps", settings.max_frame_displacement, "m")
}

/// Measures the shortest time between two frames. The first frame must be at time 0.
pub(crate) fn measure_time(motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let limit = settings.min_frame_interval;
    // A motion of one frame has no time steps and passes.
    let mut worst = PropertyResult {
        property: "time",
        passed: true,
        worst: limit,
        limit,
        unit: "s",
        time: 0.0,
        description: String::new(),
        limit_kind: LimitKind::Minimum,
    };
    let mut record = |step: f32, time: f32, frame: usize| {
        let step = if step.is_finite() { step } else { f32::NEG_INFINITY };
        if worst.description.is_empty() || step < worst.worst {
            let description = format!("frame {frame}");
            worst = PropertyResult { passed: step >= limit, worst: step, time, description, ..worst.clone() };
        }
    };
    if let Some(first) = motion.frames.first().filter(|first| first.time != 0.0) {
        record(f32::NEG_INFINITY, first.time, 0);
    }
    for (index, pair) in motion.frames.windows(2).enumerate() {
        record(pair[1].time - pair[0].time, pair[1].time, index + 1);
    }
    worst
}
