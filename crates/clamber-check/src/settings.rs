//! What is tolerated.

/// Tolerances of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckSettings {
    /// The deepest that any point may be inside an obstacle, contacts included, in metres. Default 0.002.
    pub penetration: f32,
    /// The most that a hinge may be beyond its limits, in degrees. Default 0.1.
    pub limits: f32,
    /// The most that any point may move between two frames, in metres. Default 0.15.
    pub jump: f32,
    /// The least time between two frames, in seconds. Default 0.001.
    pub time_step: f32,
    /// The most that any point may be away from where start and goal put it, in metres. Default 0.001.
    pub ends: f32,
    /// The most that a planar character may leave its plane, in metres. Default 0.001.
    pub plane: f32,
    /// Between two frames, the motion is looked at so often that no point moves farther than this, in metres; greater
    /// than 0. Default 0.01.
    pub spacing: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self { penetration: 0.002, limits: 0.1, jump: 0.15, time_step: 0.001, ends: 0.001, plane: 0.001, spacing: 0.01 }
    }
}
