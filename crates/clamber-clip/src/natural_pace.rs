//! The natural pace of a motion.

use clamber_model::Problem;
use clamber_model::character::RootJoint;

/// How fast a character moves by nature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Speed of hands and feet that change their holds, in the unit of [`BodyScale::speed`](crate::body_units::BodyScale::speed).
    pub limb_speed: f32,
    /// Speed of the root, in the same unit.
    pub body_speed: f32,
    /// How long both contacts are held when one takes over from another, in knots.
    pub handover: usize,
    /// Half width of the smoothing window, in knots.
    pub half_width: f32,
}

impl Pace {
    /// Motion that keeps its own timing: passages and turns.
    pub const PRESCRIBED: Self = Self { limb_speed: 0.0, body_speed: 0.0, handover: 0, half_width: 0.0 };

    /// The pace at which everything takes less time by a factor. The window that evens out the body's speed keeps its width.
    pub fn faster(self, by: f32) -> Self {
        let handover = (self.handover as f32 / by).round() as usize;
        Self { limb_speed: self.limb_speed * by, body_speed: self.body_speed * by, handover, ..self }
    }
}

/// Whether clips of a mode get a gait.
pub(crate) fn adds_walking_gait(problem: &Problem, mode: &str) -> bool {
    let table = problem.modes.as_ref();
    let mode = table.and_then(|table| Some(&table.modes[table.find_mode(mode)?]));
    problem.character.root_joint == RootJoint::Planar && mode.is_some_and(|mode| mode.walking_gait.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faster_pace_has_shorter_handovers_and_the_same_window() {
        let pace = Pace { limb_speed: 0.5, body_speed: 0.2, handover: 9, half_width: 17.0 };
        assert_eq!(pace.faster(1.0), pace);
        assert_eq!(pace.faster(2.0), Pace { limb_speed: 1.0, body_speed: 0.4, handover: 5, half_width: 17.0 });
    }
}
