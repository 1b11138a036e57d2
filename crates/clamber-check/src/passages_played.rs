//! Whether the motion plays the problem's passages.

use clamber_model::math::Vec3;
use clamber_model::motion::Frame;
use clamber_model::{Motion, Problem};

use crate::dense_sampling::body_points;
use crate::kinematics::LinkFrames;
use crate::progress::ProgressReporter;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the largest distance of a body point from its position in a passage's frame, or returns `None` if the problem
/// has no passages.
///
/// The motion must match all frames of all passages in order, at any time and with any frames between them. The matching
/// with the smallest error is measured (a dynamic program over the motion's frames).
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Option<PropertyResult> {
    if problem.passages.is_empty() {
        return None;
    }
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let body = |frame: &Frame, frames: &mut LinkFrames| {
        let mut points = Vec::new();
        body_points(character, &frame.configuration, frames, &mut points);
        points
    };
    let mut actual: Vec<Vec<Vec3>> = Vec::with_capacity(motion.frames.len());
    for frame in &motion.frames {
        if !progress.step(0.0) {
            return None;
        }
        actual.push(body(frame, &mut frames));
    }
    let mut worst = WorstValue::new();
    // For each frame of the motion, the smallest error of matching the passage frames so far with frames up to this one.
    let mut errors = vec![0.0f32; actual.len()];
    for passage in &problem.passages {
        for (index, required) in passage.motion.frames.iter().enumerate() {
            let required = body(required, &mut frames);
            let (mut least, mut best) = (f32::INFINITY, 0);
            for (frame, error) in errors.iter_mut().enumerate() {
                if !progress.step(0.0) {
                    return None;
                }
                if *error < least {
                    let here = largest_distance(&required, &actual[frame]).max(*error);
                    if here < least {
                        (least, best) = (here, frame);
                    }
                }
                *error = least;
            }
            let place = || format!("frame {index} of passage `{}`", passage.name);
            worst.record(least, motion.frames[best].time, place);
        }
    }
    Some(worst.into_result("passages", settings.max_start_goal_error, "m"))
}

/// The largest distance between corresponding points. NaN counts as infinite.
fn largest_distance(required: &[Vec3], actual: &[Vec3]) -> f32 {
    let distances = required.iter().zip(actual).map(|(required, actual)| (*actual - *required).length());
    distances.fold(0.0, |largest: f32, distance| if distance.is_nan() { f32::INFINITY } else { largest.max(distance) })
}
