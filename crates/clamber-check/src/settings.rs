//! Tolerances of a check.

/// Tolerances of a check.
///
/// Start from [`Default`] and change fields. Lengths are in body sizes ([`Character::body_size`](clamber_model::Character::body_size)),
/// so that one set of tolerances suits an insect and a giant; the leg of an adult is about 0.9 m long.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckSettings {
    /// Largest depth of any point inside an obstacle, contacts included, in body sizes. Default 0.002. Between two samples the
    /// depth may be greater by half of `sample_spacing`.
    pub penetration: f32,
    /// Largest excess of a hinge angle beyond its limits, in degrees. Default 0.1.
    pub hinge_limits: f32,
    /// Largest displacement of any point between two frames, in body sizes. Default 0.161.
    pub jump: f32,
    /// Shortest time between two frames, in seconds. Default 0.001.
    pub min_time_step: f32,
    /// Largest distance of any point from its position in the start, goal and passage poses, in body sizes. Default 0.001.
    pub pose: f32,
    /// Largest distance of a planar character from its plane, in body sizes. During a turn: largest change in height of the
    /// tip of an arm of one body size perpendicular to the body. Default 0.001.
    pub plane: f32,
    /// Largest displacement of any point caused by a root quaternion whose length is not 1, in body sizes. Default 0.001.
    pub rotation: f32,
    /// Largest distance of the center of mass outside the scene's bounds, in body sizes. Default 0.02.
    pub bounds: f32,
    /// Largest distance of an effector's center from the position that its contact fixes, in body sizes. Default 0.001. Between
    /// two samples the distance may be greater by half of `sample_spacing`.
    pub slip: f32,
    /// Largest distance of a contact point from its hold, in body sizes. Default 0.001.
    pub holds: f32,
    /// Largest distance of the center of mass beyond what the mode's balance allows, in body sizes. Default 0.
    pub balance: f32,
    /// Between two frames, the motion is sampled so densely that no point moves farther than this from one sample to the
    /// next, in body sizes. At least 0.0001; smaller values are raised to that. Default 0.0021.
    pub sample_spacing: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            penetration: 0.002,
            hinge_limits: 0.1,
            jump: 0.161,
            min_time_step: 0.001,
            pose: 0.001,
            plane: 0.001,
            rotation: 0.001,
            bounds: 0.02,
            slip: 0.001,
            holds: 0.001,
            balance: 0.0,
            sample_spacing: 0.0021,
        }
    }
}

impl CheckSettings {
    /// The same tolerances with lengths in meters, for a body of this size.
    pub(crate) fn in_meters(&self, body_size: f32) -> Self {
        Self {
            penetration: body_size * self.penetration,
            hinge_limits: self.hinge_limits,
            jump: body_size * self.jump,
            min_time_step: self.min_time_step,
            pose: body_size * self.pose,
            plane: body_size * self.plane,
            rotation: body_size * self.rotation,
            bounds: body_size * self.bounds,
            slip: body_size * self.slip,
            holds: body_size * self.holds,
            balance: body_size * self.balance,
            sample_spacing: body_size * self.sample_spacing.max(MIN_SAMPLE_SPACING),
        }
    }
}

/// Lower bound of the sample spacing, in body sizes. It bounds the work.
const MIN_SAMPLE_SPACING: f32 = 1e-4;
