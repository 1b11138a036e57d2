//! Where a clip leaves static equilibrium: smoothing and gait move the center of mass.

use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::motion::{FLYING_MODE, TURNING_MODE};
use clamber_model::{Contact, Motion, Problem};
use clamber_posture::equilibrium::SupportRegionCache;

use crate::error::ClipError;
use crate::progress::ProgressReporter;
use crate::tuning::MAX_CENTER_EXCESS;

/// Returns the indices of the frames before or after which the center of mass is farther outside of where the contacts carry
/// the body than the mode allows.
pub(crate) fn frames_out_of_equilibrium(
    problem: &Problem,
    clip: &Motion,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    let Problem { character, world, .. } = problem;
    let allowances = interval_allowances(problem, clip);
    let tolerance = MAX_CENTER_EXCESS * character.body_size();
    let mut regions = SupportRegionCache::default();
    let mut frames = LinkFrames::default();
    let mut stance: Vec<Contact> = Vec::new();
    let mut found = Vec::new();
    for (index, frame) in clip.frames.iter().enumerate() {
        progress.step()?;
        forward(character, &frame.configuration, &mut frames);
        let center = center_of_mass(character, &frames);
        // A frame belongs to the intervals before and after it, each with its own contacts.
        let is_outside = (index.saturating_sub(1)..=index).any(|interval| {
            let Some(allowance) = allowances.get(interval).copied().flatten() else { return false };
            let lasting =
                clip.contacts.iter().filter(|span| span.first_frame <= interval && span.last_frame > interval);
            stance.clear();
            stance.extend(lasting.map(|span| span.contact));
            let region = regions.region(character, world, &frames, &stance);
            !(region.displacement_from(center).length() <= allowance + tolerance)
        });
        if is_outside {
            found.push(index);
        }
    }
    Ok(found)
}

/// For each interval between two frames, how far the center of mass may be outside, in meters; `None` where nothing carries the body.
fn interval_allowances(problem: &Problem, clip: &Motion) -> Vec<Option<f32>> {
    let mut allowances = vec![None; clip.frames.len().saturating_sub(1)];
    let Some(table) = &problem.modes else { return allowances };
    for span in &clip.mode_spans {
        let mode = table.find_mode(&span.mode).map(|mode| &table.modes[mode]);
        let carries = ![FLYING_MODE, TURNING_MODE].contains(&span.mode.as_str());
        let mode = mode.filter(|mode| carries && !mode.supporting_groups.is_empty());
        let allowance = mode.map(|mode| mode.max_center_offset * problem.character.body_size());
        allowances[span.first_frame..span.last_frame].fill(allowance);
    }
    allowances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::ignore_progress;
    use clamber_model::math::Vec3;
    use clamber_model::motion::{ContactSpan, ModeSpan};
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, standing, touching};

    /// The figure stands on one foot and leans forward by `lean` meters in its second frame.
    fn leaning(lean: f32) -> (Problem, Motion) {
        let problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let character = &problem.character;
        let upright = standing(character, 0.0);
        let contact = touching(character, &upright, "left_foot");
        let mut over = upright.clone();
        over.root.translation.x += lean;
        let mut motion = Motion::from_configurations(&character.name, "walking", vec![upright, over], 30.0);
        motion.mode_spans = vec![ModeSpan { first_frame: 0, last_frame: 1, mode: "walking".to_owned() }];
        motion.contacts = vec![ContactSpan { first_frame: 0, last_frame: 1, contact }];
        (problem, motion)
    }

    #[test]
    fn a_body_that_leans_beyond_its_foot_is_found() {
        for (lean, expected) in [(0.0, vec![]), (0.2, vec![]), (0.6, vec![1])] {
            let (problem, motion) = leaning(lean);
            let mut observer = ignore_progress;
            let mut progress = ProgressReporter::new(&mut observer);
            let found = frames_out_of_equilibrium(&problem, &motion, &mut progress).unwrap();
            assert_eq!(found, expected, "{lean}");
        }
    }

    #[test]
    fn nothing_carries_a_body_that_flies() {
        let (problem, mut motion) = leaning(0.6);
        motion.mode_spans[0].mode = FLYING_MODE.to_owned();
        let mut observer = ignore_progress;
        let mut progress = ProgressReporter::new(&mut observer);
        assert_eq!(frames_out_of_equilibrium(&problem, &motion, &mut progress).unwrap(), Vec::<usize>::new());
    }
}
