//! Whether the motion is continuous: no point is too fast for the time between two frames, and times increase.

use clamber_model::math::{Vec3, angle_between_rotations};
use clamber_model::{Motion, Problem};

use crate::dense_sampling::{body_points, link_of_point};
use crate::kinematics::LinkFrames;
use crate::report::{LimitComparison, PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the speeds of a motion: of hinges and root in a clip, of body points in any other.
pub(crate) fn measure_speed(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    if motion.is_clip {
        measure_joint_speed(problem, motion, settings)
    } else {
        measure_point_speed(problem, motion, settings)
    }
}

/// Measures the largest speed of a body point from one frame to the next, in motions that are no clips: their times are not
/// final, so that hinges have no speeds yet, but a body that leaps is too fast at any pace. Pairs of frames whose times are out of
/// order fail `time` and have no speed.
fn measure_point_speed(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let (mut before, mut now): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    let mut worst = WorstValue::new();
    let mut time = 0.0;
    for frame in &motion.frames {
        body_points(character, &frame.configuration, &mut frames, &mut now);
        if let Some(seconds) = seconds_between(time, frame.time, settings) {
            for (index, (before, now)) in before.iter().zip(&now).enumerate() {
                let place = || format!("link `{}`", link_of_point(character, index));
                worst.record((*now - *before).length() / seconds, frame.time, place);
            }
        }
        time = frame.time;
        std::mem::swap(&mut before, &mut now);
    }
    let limit = settings.max_point_speed * character.root_motion_limits.speed;
    worst.into_result("speed", limit, "m/s")
}

/// Measures the largest speed of a hinge or of the root of a clip from one frame to the next, in percent of the character's limit.
fn measure_joint_speed(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let character = &problem.character;
    let root_limits = &character.root_motion_limits;
    let mut worst = WorstValue::new();
    for pair in motion.frames.windows(2) {
        let (from, to) = (&pair[0].configuration, &pair[1].configuration);
        let Some(seconds) = seconds_between(pair[0].time, pair[1].time, settings) else { continue };
        let mut record = |change: f32, limit: f32, place: &dyn Fn() -> String| {
            worst.record(100.0 * change / (seconds * limit), pair[1].time, place);
        };
        let root = || "the root".to_owned();
        record((to.root.translation - from.root.translation).abs().max_element(), root_limits.speed, &root);
        record(angle_between_rotations(from.root.rotation, to.root.rotation), root_limits.turn_speed, &root);
        for ((from, to), hinge) in from.angles.iter().zip(&to.angles).zip(&character.hinges) {
            record((to - from).abs(), hinge.max_speed, &|| format!("hinge `{}`", hinge.name));
        }
    }
    worst.into_result("joint-speed", 100.0 * settings.max_joint_speed, "%")
}

/// The time from one frame to the next, plus the rounding of times far from 0. Returns `None` if it is too short.
fn seconds_between(from: f32, to: f32, settings: &CheckSettings) -> Option<f32> {
    let seconds = to - from;
    (seconds >= settings.min_frame_interval).then_some(seconds + to * f32::EPSILON)
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
        worst_place: String::new(),
        limit_comparison: LimitComparison::Minimum,
    };
    let mut record = |step: f32, time: f32, frame: usize| {
        let step = if step.is_finite() { step } else { f32::NEG_INFINITY };
        if worst.worst_place.is_empty() || step < worst.worst {
            let description = format!("frame {frame}");
            worst =
                PropertyResult { passed: step >= limit, worst: step, time, worst_place: description, ..worst.clone() };
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
