//! Where a clip leaves static equilibrium: smoothing and gait move the center of mass.

use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::motion::{FLYING_MODE, TURNING_MODE};
use clamber_model::{Configuration, Contact, Motion, Problem};
use clamber_posture::equilibrium::SupportRegionCache;

use crate::error::ClipError;
use crate::progress::ProgressReporter;
use crate::tuning::{MAX_CENTER_EXCESS, ROLL_SAMPLES};

/// Returns the indices of the frames before or after which the center of mass is farther outside of where the contacts carry
/// the body than the mode allows.
pub(crate) fn frames_out_of_equilibrium(
    problem: &Problem,
    clip: &Motion,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    let allowances = interval_allowances(problem, clip);
    let mut judge = Judge { problem, regions: SupportRegionCache::default(), frames: LinkFrames::default() };
    let mut between = Configuration::rest(&problem.character);
    let mut is_outside = vec![false; clip.frames.len()];
    for (interval, pair) in clip.frames.windows(2).enumerate() {
        progress.step()?;
        let Some(allowance) = allowances[interval] else { continue };
        let lasting = clip.contacts.iter().filter(|span| span.first_frame <= interval && span.last_frame > interval);
        let stance: Vec<Contact> = lasting.map(|span| span.contact).collect();
        let [from, to] = [&pair[0].configuration, &pair[1].configuration];
        for (frame, configuration) in [(interval, from), (interval + 1, to)] {
            is_outside[frame] |= judge.is_outside(configuration, &stance, allowance);
        }
        // A sole that rolls onto its ball carries less from one moment to the next.
        if judge.flat_patches(from, &stance) != judge.flat_patches(to, &stance) {
            is_outside[interval] |= (1..=ROLL_SAMPLES).any(|sample| {
                between.interpolate(from, to, sample as f32 / (ROLL_SAMPLES + 1) as f32);
                judge.is_outside(&between, &stance, allowance)
            });
        }
    }
    Ok((0..clip.frames.len()).filter(|&frame| is_outside[frame]).collect())
}

/// Judges single postures.
struct Judge<'a> {
    problem: &'a Problem,
    regions: SupportRegionCache,
    frames: LinkFrames,
}

impl Judge<'_> {
    /// Whether the center of mass is farther outside of where the contacts carry the body than allowed.
    fn is_outside(&mut self, configuration: &Configuration, stance: &[Contact], allowance: f32) -> bool {
        let Problem { character, world, .. } = self.problem;
        forward(character, configuration, &mut self.frames);
        let center = center_of_mass(character, &self.frames);
        let region = self.regions.region(character, world, &self.frames, stance);
        let tolerance = MAX_CENTER_EXCESS * character.body_size();
        !(region.displacement_from(center).length() <= allowance + tolerance)
    }

    /// The number of contacts that press with a whole patch.
    fn flat_patches(&mut self, configuration: &Configuration, stance: &[Contact]) -> usize {
        let character = &self.problem.character;
        forward(character, configuration, &mut self.frames);
        let is_flat = |contact: &&Contact| {
            let [front, back] = contact.pressing_ends(character, &self.frames);
            front != back
        };
        stance.iter().filter(is_flat).count()
    }
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
    fn a_sole_that_rolls_too_soon_is_found_between_two_frames() {
        let (problem, mut motion) = leaning(-0.29);
        motion.frames[0].configuration.root.translation.x -= 0.45;
        let ankle = problem.character.find_hinge("left_ankle").unwrap();
        let mut observer = ignore_progress;
        let mut progress = ProgressReporter::new(&mut observer);
        // At rest the legs are bent and the heels up. The heel carries a body that is behind the ball, and the ball one that is nearer to it.
        motion.frames.iter_mut().for_each(|frame| frame.configuration.angles[ankle] += 0.35);
        assert_eq!(frames_out_of_equilibrium(&problem, &motion, &mut progress).unwrap(), [0; 0]);
        motion.frames[1].configuration.angles[ankle] -= 0.35;
        assert_eq!(frames_out_of_equilibrium(&problem, &motion, &mut progress).unwrap(), [0]);
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
