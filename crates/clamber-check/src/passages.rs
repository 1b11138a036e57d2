//! Whether the motion passes through what the problem wants passed.

use clamber_model::kinematics::Workspace;
use clamber_model::math::Vec3;
use clamber_model::motion::Frame;
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::sample::body_points;
use crate::settings::CheckSettings;

/// The farthest that a point of the body is from where a passage's frame puts it, for the frames of the motion that are
/// nearest to the passages; nothing where there are none.
///
/// All frames of all passages must be met in order, whenever that is and whatever frames are between. Of all ways to
/// match them with frames of the motion, the one with the least miss is taken.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Option<Finding> {
    if problem.passages.is_empty() {
        return None;
    }
    let character = &problem.character;
    let mut frames = Workspace::default();
    let body = |frame: &Frame, frames: &mut Workspace| {
        let mut points = Vec::new();
        body_points(character, &frame.configuration, frames, &mut points);
        points
    };
    let met: Vec<Vec<Vec3>> = motion.frames.iter().map(|frame| body(frame, &mut frames)).collect();
    let mut worst = Worst::new();
    // For each frame of the motion, the least miss when what was wanted so far is met up to it.
    let mut misses = vec![0.0f32; met.len()];
    for passage in &problem.passages {
        for (index, wanted) in passage.motion.frames.iter().enumerate() {
            let wanted = body(wanted, &mut frames);
            let (mut least, mut best) = (f32::INFINITY, 0);
            for (frame, miss) in misses.iter_mut().enumerate() {
                if *miss < least {
                    let here = farthest(&wanted, &met[frame]).max(*miss);
                    if here < least {
                        (least, best) = (here, frame);
                    }
                }
                *miss = least;
            }
            let place = || format!("frame {index} of passage `{}`", passage.name);
            worst.note(least, motion.frames[best].time, place);
        }
    }
    Some(worst.finding("passages", settings.ends, "m"))
}

/// The farthest that two points of the same place in the lists are apart; infinite when that is not a number.
fn farthest(there: &[Vec3], here: &[Vec3]) -> f32 {
    let apart = |(there, here): (&Vec3, &Vec3)| (*here - *there).length();
    let longer = |most: f32, way: f32| if way.is_nan() { f32::INFINITY } else { most.max(way) };
    there.iter().zip(here).map(apart).fold(0.0, longer)
}
