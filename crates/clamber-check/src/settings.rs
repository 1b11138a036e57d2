//! What is tolerated.

/// Tolerances of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckSettings {
    /// The deepest that any point may be inside an obstacle, contacts included, in metres. Default 0.002. Between two
    /// looks it may be deeper by half the spacing.
    pub penetration: f32,
    /// The most that a hinge may be beyond its limits, in degrees. Default 0.1.
    pub limits: f32,
    /// The most that any point may move between two frames, in metres. Default 0.15.
    pub jump: f32,
    /// The least time between two frames, in seconds. Default 0.001.
    pub time_step: f32,
    /// The most that any point may be away from where start, passages and goal put it, in metres. Default 0.001.
    pub ends: f32,
    /// The most that a planar character may leave its plane, in metres; while it turns around, the most that the tip of an
    /// arm of a metre across it may rise or sink. Default 0.001.
    pub plane: f32,
    /// The most that the root's rotation, when it is not quite of length 1, may displace any point, in metres. Default
    /// 0.001.
    pub rotation: f32,
    /// The most that the centre of mass may be outside the scene's bounds, in metres. Default 0.02.
    pub bounds: f32,
    /// The most that an effector's centre may be away from where its contact keeps it, in metres. Default 0.001. Between
    /// two looks it may be more by half the spacing.
    pub slip: f32,
    /// The most that a contact's point may be off its hold, in metres, and its normal off the hold's, in radians. Default
    /// 0.001.
    pub holds: f32,
    /// The most that the centre of mass may be farther from the contacts than the mode's balance allows, in metres.
    /// Default 0.
    pub balance: f32,
    /// Between two frames, the motion is looked at so often that no point moves farther than this, in metres; less than
    /// 0.0001 is taken as that. Default 0.002.
    pub spacing: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            penetration: 0.002,
            limits: 0.1,
            jump: 0.15,
            time_step: 0.001,
            ends: 0.001,
            plane: 0.001,
            rotation: 0.001,
            bounds: 0.02,
            slip: 0.001,
            holds: 0.001,
            balance: 0.0,
            spacing: 0.002,
        }
    }
}
