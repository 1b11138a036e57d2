//! Whether the motion begins at the start and ends at the goal.

use clamber_model::kinematics::Workspace;
use clamber_model::motion::Frame;
use clamber_model::{Configuration, Motion, Problem};

use crate::report::{Finding, Worst};
use crate::sample::{body_points, link_of_point};
use crate::settings::CheckSettings;

pub(crate) fn measure_start(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    measure(problem, "start", &problem.start.configuration, motion.frames.first(), settings)
}

pub(crate) fn measure_goal(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    measure(problem, "goal", &problem.goal.configuration, motion.frames.last(), settings)
}

/// The farthest that a point of the body is from where it should be.
fn measure(
    problem: &Problem,
    property: &'static str,
    wanted: &Configuration,
    frame: Option<&Frame>,
    settings: &CheckSettings,
) -> Finding {
    let character = &problem.character;
    let mut worst = Worst::new();
    match frame {
        None => worst.note(f32::INFINITY, 0.0, || "the motion has no frames".to_owned()),
        Some(frame) => {
            let mut frames = Workspace::default();
            let (mut there, mut here) = (Vec::new(), Vec::new());
            body_points(character, wanted, &mut frames, &mut there);
            body_points(character, &frame.configuration, &mut frames, &mut here);
            for (index, (there, here)) in there.iter().zip(&here).enumerate() {
                let place = || format!("link `{}`", link_of_point(character, index));
                worst.note((*here - *there).length(), frame.time, place);
            }
        }
    }
    worst.finding(property, settings.ends, "m")
}
