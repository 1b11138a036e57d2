//! Limits of speed and acceleration for the numbers of a path, and which of them slows a clip.

use std::fmt;

use clamber_model::Character;

use crate::knot_path::ROOT_WIDTH;
use crate::tuning::SPEED_HEADROOM;

/// The limit that slows a clip down most.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindingLimit {
    /// The speed limit of a hinge.
    HingeSpeed {
        /// The hinge's name.
        hinge: String,
    },
    /// The acceleration limit of a hinge.
    HingeAcceleration {
        /// The hinge's name.
        hinge: String,
    },
    /// The root's speed limit.
    RootSpeed,
    /// The root's acceleration limit.
    RootAcceleration,
    /// The root's angular speed limit.
    RootTurnSpeed,
    /// The root's angular acceleration limit.
    RootTurnAcceleration,
}

impl fmt::Display for BindingLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HingeSpeed { hinge } => write!(f, "the speed of {hinge}"),
            Self::HingeAcceleration { hinge } => write!(f, "the acceleration of {hinge}"),
            Self::RootSpeed => f.write_str("the speed of the root"),
            Self::RootAcceleration => f.write_str("the acceleration of the root"),
            Self::RootTurnSpeed => f.write_str("the turning speed of the root"),
            Self::RootTurnAcceleration => f.write_str("the turning acceleration of the root"),
        }
    }
}

/// For each number of a row, the limits of its speed and acceleration.
pub(crate) struct RowLimits {
    pub speeds: Vec<f32>,
    pub accelerations: Vec<f32>,
}

impl RowLimits {
    pub fn of(character: &Character) -> Self {
        let root = &character.root_motion_limits;
        // The components of a quaternion change half as fast as the angle.
        let mut speeds = vec![root.speed; 3];
        speeds.resize(ROOT_WIDTH, 0.5 * root.turn_speed);
        let mut accelerations = vec![root.acceleration; 3];
        accelerations.resize(ROOT_WIDTH, 0.5 * root.turn_acceleration);
        speeds.extend(character.hinges.iter().map(|hinge| hinge.max_speed));
        accelerations.extend(character.hinges.iter().map(|hinge| hinge.max_acceleration));
        speeds.iter_mut().for_each(|speed| *speed *= SPEED_HEADROOM);
        Self { speeds, accelerations }
    }
}

/// The time that each limit costs, in seconds.
pub(crate) struct LostTime {
    /// For each number of a row, the time lost to its speed limit and to its acceleration limit.
    seconds: Vec<[f64; 2]>,
}

impl LostTime {
    pub fn new(limits: &RowLimits) -> Self {
        Self { seconds: vec![[0.0; 2]; limits.speeds.len()] }
    }

    /// Adds time lost to a limit of a number: of its speed or of its acceleration.
    pub fn add(&mut self, index: usize, is_acceleration: bool, seconds: f64) {
        self.seconds[index][usize::from(is_acceleration)] += seconds;
    }

    /// The limit that costs most time. The components of the root count together.
    pub fn binding_limit(&self, character: &Character) -> Option<BindingLimit> {
        let sum = |range: std::ops::Range<usize>, kind: usize| -> f64 {
            self.seconds[range].iter().map(|seconds| seconds[kind]).sum()
        };
        let mut lost = vec![
            (sum(0..3, 0), BindingLimit::RootSpeed),
            (sum(0..3, 1), BindingLimit::RootAcceleration),
            (sum(3..ROOT_WIDTH, 0), BindingLimit::RootTurnSpeed),
            (sum(3..ROOT_WIDTH, 1), BindingLimit::RootTurnAcceleration),
        ];
        for (hinge, [speed, acceleration]) in character.hinges.iter().zip(&self.seconds[ROOT_WIDTH..]) {
            lost.push((*speed, BindingLimit::HingeSpeed { hinge: hinge.name.clone() }));
            lost.push((*acceleration, BindingLimit::HingeAcceleration { hinge: hinge.name.clone() }));
        }
        let most = lost.into_iter().max_by(|(a, _), (b, _)| a.total_cmp(b));
        most.filter(|(seconds, _)| *seconds > 0.0).map(|(_, limit)| limit)
    }
}
