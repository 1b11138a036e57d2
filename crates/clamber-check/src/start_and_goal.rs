//! Whether the motion begins at the start and ends at the goal.

use clamber_model::motion::Frame;
use clamber_model::{Configuration, Motion, Problem};

use crate::dense_sampling::{body_points, link_of_point};
use crate::kinematics::LinkFrames;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

pub(crate) fn measure_start(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    measure(problem, "start", &problem.start.configuration, motion.frames.first(), settings)
}

pub(crate) fn measure_goal(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    measure(problem, "goal", &problem.goal.configuration, motion.frames.last(), settings)
}

/// Measures the largest distance of a body point from its position in the required configuration.
fn measure(
    problem: &Problem,
    property: &'static str,
    required: &Configuration,
    frame: Option<&Frame>,
    settings: &CheckSettings,
) -> PropertyResult {
    let character = &problem.character;
    let mut worst = WorstValue::new();
    match frame {
        None => worst.record(f32::INFINITY, 0.0, || "the motion has no frames".to_owned()),
        Some(frame) => {
            let mut frames = LinkFrames::default();
            let (mut required_points, mut points) = (Vec::new(), Vec::new());
            body_points(character, required, &mut frames, &mut required_points);
            body_points(character, &frame.configuration, &mut frames, &mut points);
            for (index, (required, actual)) in required_points.iter().zip(&points).enumerate() {
                let place = || format!("link `{}`", link_of_point(character, index));
                worst.record((*actual - *required).length(), frame.time, place);
            }
        }
    }
    worst.into_result(property, settings.max_start_goal_error, "m")
}
