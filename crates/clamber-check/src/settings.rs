//! Tolerances of a check.

/// Tolerances of a check.
///
/// Start from [`Default`] and change fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckSettings {
    /// Largest depth of any point inside an obstacle, contacts included, in meters. Default 0.002. Between two samples the
    /// depth may be greater by half of `sample_spacing`.
    pub penetration: f32,
    /// Largest excess of a hinge angle beyond its limits, in degrees. Default 0.1.
    pub hinge_limits: f32,
    /// Largest displacement of any point between two frames, in meters. Default 0.15.
    pub jump: f32,
    /// Shortest time between two frames, in seconds. Default 0.001.
    pub min_time_step: f32,
    /// Largest distance of any point from its position in the start, goal and passage poses, in meters. Default 0.001.
    pub pose: f32,
    /// Largest distance of a planar character from its plane, in meters. During a turn: largest change in height of the
    /// tip of a one-meter arm perpendicular to the body. Default 0.001.
    pub plane: f32,
    /// Largest displacement of any point caused by a root quaternion whose length is not 1, in meters. Default 0.001.
    pub rotation: f32,
    /// Largest distance of the center of mass outside the scene's bounds, in meters. Default 0.02.
    pub bounds: f32,
    /// Largest distance of an effector's center from the position that its contact fixes, in meters. Default 0.001. Between
    /// two samples the distance may be greater by half of `sample_spacing`.
    pub slip: f32,
    /// Largest distance of a contact point from its hold, in meters, and of its normal from the hold's, in radians.
    /// Default 0.001.
    pub holds: f32,
    /// Largest distance of the center of mass beyond what the mode's balance allows, in meters. Default 0.
    pub balance: f32,
    /// Between two frames, the motion is sampled so densely that no point moves farther than this from one sample to the
    /// next, in meters. At least 0.0001; smaller values are raised to that. Default 0.002.
    pub sample_spacing: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            penetration: 0.002,
            hinge_limits: 0.1,
            jump: 0.15,
            min_time_step: 0.001,
            pose: 0.001,
            plane: 0.001,
            rotation: 0.001,
            bounds: 0.02,
            slip: 0.001,
            holds: 0.001,
            balance: 0.0,
            sample_spacing: 0.002,
        }
    }
}
