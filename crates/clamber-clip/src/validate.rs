//! Checks settings and motions at the entry points, so that the algorithms behind them can index without checks.

use clamber_model::id::HoldId;
use clamber_model::motion::{ContactSpan, Frame};
use clamber_model::{Character, Motion, Problem};

use crate::error::ClipError;
use crate::settings::ClipSettings;

/// The greatest coordinate of a root, in meters: beyond it, single precision does not resolve a step.
const MAX_COORDINATE: f32 = 1e6;

/// Checks that every setting is in its range.
pub(crate) fn check_settings(settings: &ClipSettings) -> Result<(), ClipError> {
    let ClipSettings { frames_per_second, speed_curve, flight_clearance, stance_clearance, .. } = settings;
    if !(1.0..=1000.0).contains(frames_per_second) {
        return Err(ClipError::InvalidFramesPerSecond { value: *frames_per_second });
    }
    let is_bad = |index: &usize| {
        let (position, multiple) = speed_curve[*index];
        let is_later = *index == 0 || speed_curve[*index - 1].0 < position;
        !(is_later && (0.0..=1.0).contains(&position) && (0.05..=20.0).contains(&multiple))
    };
    if let Some(index) = (0..speed_curve.len()).find(is_bad) {
        return Err(ClipError::InvalidSpeedCurve { index });
    }
    if flight_clearance.is_finite() && stance_clearance.is_finite() { Ok(()) } else { Err(ClipError::InvalidClearance) }
}

/// Checks that a motion is one of the problem's character, in its world.
pub(crate) fn check_motion(problem: &Problem, motion: &Motion) -> Result<(), ClipError> {
    check_frames(&problem.character, motion)?;
    check_contacts(&problem.character, motion)?;
    let holds = problem.world.holds.len();
    if let Some(index) = motion.contacts.iter().position(|span| span.contact.hold >= HoldId::new(holds)) {
        return Err(ClipError::InvalidContact { index });
    }
    let mut begin = 0;
    for (index, span) in motion.spans.iter().enumerate() {
        let is_last = index + 1 == motion.spans.len();
        if span.first != begin || span.last < span.first || (is_last && span.last + 1 != motion.frames.len()) {
            return Err(ClipError::InvalidModeSpan { index });
        }
        begin = span.last;
    }
    Ok(())
}

/// Checks that all frames are configurations of the character, in the order of time.
pub(crate) fn check_frames(character: &Character, motion: &Motion) -> Result<(), ClipError> {
    if motion.character != character.name {
        return Err(ClipError::WrongCharacter { expected: character.name.clone(), found: motion.character.clone() });
    }
    let mut before = f32::NEG_INFINITY;
    for (frame, Frame { time, configuration }) in motion.frames.iter().enumerate() {
        let (expected, found) = (character.hinges.len(), configuration.angles.len());
        if found != expected {
            return Err(ClipError::InvalidAngleCount { frame, expected, found });
        }
        let root = &configuration.root;
        let is_valid = root.translation.abs().max_element() <= MAX_COORDINATE
            && root.rotation.is_normalized()
            && configuration.angles.iter().all(|angle| angle.is_finite());
        if !is_valid || !time.is_finite() || *time < before {
            return Err(ClipError::InvalidFrame { frame });
        }
        before = *time;
    }
    Ok(())
}

/// Checks that all contacts are of existing effectors in existing frames, in the order of their first frames.
pub(crate) fn check_contacts(character: &Character, motion: &Motion) -> Result<(), ClipError> {
    let mut before = 0;
    for (index, ContactSpan { first, last, contact }) in motion.contacts.iter().enumerate() {
        let is_good = before <= *first
            && first <= last
            && *last < motion.frames.len()
            && contact.effector < character.effectors.next_key()
            && contact.point.is_finite()
            && contact.normal.is_finite();
        if !is_good {
            return Err(ClipError::InvalidContact { index });
        }
        before = *first;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::id::HingeId;
    use clamber_testing::on_ground;

    fn still(problem: &Problem) -> Motion {
        let frames = vec![Configuration::rest(&problem.character); 3];
        Motion::from_configurations(&problem.character.name, "flying", frames, 30.0)
    }

    #[test]
    fn default_settings_and_motions_of_the_character_pass() {
        let problem = on_ground(Vec::new());
        assert_eq!(check_settings(&ClipSettings::default()), Ok(()));
        assert_eq!(check_motion(&problem, &still(&problem)), Ok(()));
    }

    #[test]
    fn settings_out_of_range_fail() {
        let with = |change: &dyn Fn(&mut ClipSettings)| {
            let mut settings = ClipSettings::default();
            change(&mut settings);
            check_settings(&settings)
        };
        for value in [0.0, f32::INFINITY] {
            assert_eq!(with(&|s| s.frames_per_second = value), Err(ClipError::InvalidFramesPerSecond { value }));
        }
        assert!(matches!(with(&|s| s.frames_per_second = f32::NAN), Err(ClipError::InvalidFramesPerSecond { .. })));
        assert_eq!(
            with(&|s| s.speed_curve = vec![(0.0, 1.0), (0.0, 2.0)]),
            Err(ClipError::InvalidSpeedCurve { index: 1 })
        );
        assert_eq!(with(&|s| s.speed_curve = vec![(0.0, 0.0)]), Err(ClipError::InvalidSpeedCurve { index: 0 }));
        assert_eq!(with(&|s| s.flight_clearance = f32::NAN), Err(ClipError::InvalidClearance));
    }

    #[test]
    fn motions_that_do_not_belong_to_the_problem_fail() {
        let problem = on_ground(Vec::new());
        let with = |change: &dyn Fn(&mut Motion)| {
            let mut motion = still(&problem);
            change(&mut motion);
            check_motion(&problem, &motion)
        };
        assert!(matches!(with(&|m| m.character = "insect".to_owned()), Err(ClipError::WrongCharacter { .. })));
        let angles = with(&|m| m.frames[1].configuration.angles.truncate(2));
        assert!(matches!(angles, Err(ClipError::InvalidAngleCount { frame: 1, found: 2, .. })));
        assert_eq!(with(&|m| m.frames[2].time = 0.0), Err(ClipError::InvalidFrame { frame: 2 }));
        assert_eq!(
            with(&|m| m.frames[2].configuration.angles[HingeId::new(0)] = f32::NAN),
            Err(ClipError::InvalidFrame { frame: 2 })
        );
        let far = with(&|m| m.frames[1].configuration.root.translation.x = 1e30);
        assert_eq!(far, Err(ClipError::InvalidFrame { frame: 1 }));
        assert_eq!(with(&|m| m.spans[0].last = 9), Err(ClipError::InvalidModeSpan { index: 0 }));
    }
}
