//! Checks that settings are in range.

use crate::error::ClipError;
use crate::settings::ClipSettings;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_settings_pass() {
        assert_eq!(check_settings(&ClipSettings::default()), Ok(()));
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
}
