//! Tolerances of a check.

use clamber_model::character::GRAVITY;

/// Tolerances of a check.
///
/// Start from [`Default`] and change fields. Lengths are in body sizes ([`Character::body_size`](clamber_model::Character::body_size)),
/// so that one set of tolerances suits an insect and a giant; the leg of an adult is about 0.9 m long.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckSettings {
    /// Largest depth of any point inside an obstacle, contacts included, in body sizes. Default 0.002. Between two
    /// frames of a clip the limit is greater, see `max_interpolated_acceleration`. Between two samples the depth may be
    /// greater by half of `max_sample_displacement`. A world with inexact surfaces adds its
    /// [contact tolerance](clamber_model::World::contact_tolerance).
    pub max_penetration: f32,
    /// Judge whether links of the body enter each other by more than `max_penetration`, without a contact tolerance. Which links
    /// must stay apart is the character's ([`SelfCollisionRules`](clamber_model::character::SelfCollisionRules)). Default true.
    pub self_collision: bool,
    /// Largest excess of a hinge angle beyond its limits, in degrees. Default 0.1.
    pub max_hinge_excess_degrees: f32,
    /// Largest speed of any point from one frame to the next in a motion that is no clip, as a fraction of the root's
    /// speed limit ([`RootMotionLimits::speed`](clamber_model::character::RootMotionLimits::speed)). Default 1.
    pub max_point_speed: f32,
    /// Largest speed of a hinge or of the root from one frame of a clip to the next, as a fraction of its own limit in the
    /// character. Default 1. Only clips promise to keep these limits.
    pub max_joint_speed: f32,
    /// Shortest time between two frames, in seconds. Default 0.001.
    pub min_frame_interval: f32,
    /// Largest distance of any point from its position in the start, goal and passage poses, in body sizes. Default 0.001.
    pub max_start_goal_error: f32,
    /// Largest distance of a planar character from its plane, in body sizes. During a turn: largest change in height of the
    /// tip of an arm of one body size perpendicular to the body. Default 0.001.
    pub max_out_of_plane_distance: f32,
    /// Largest displacement of any point caused by a root quaternion whose length is not 1, in body sizes. Default 0.001.
    pub max_quaternion_error: f32,
    /// Largest distance of the center of mass outside the scene's bounds, in body sizes. Default 0.02.
    pub max_distance_out_of_bounds: f32,
    /// Largest distance of an effector's center from the position that its contact fixes, in body sizes. Default 0.001.
    /// Between two frames of a clip the limit is greater, see `max_interpolated_acceleration`. Between two samples the distance
    /// may be greater by half of `max_sample_displacement`.
    pub max_slip: f32,
    /// Between two frames, linear interpolation of the angles cuts the corners of curved motion: a point with the acceleration
    /// `a` is off by up to `a t² / 8` halfway through the time `t` between the frames. Between two frames of a clip, slip and
    /// penetration may be greater by this, with `a` in multiples of gravity. Default 1: 0.09 mm at 120 frames per second, 1.4
    /// mm at 30, 8.5 mm at 12. Other motions get no such allowance.
    pub interpolation_error_acceleration: f32,
    /// Largest distance of a contact point from its hold, in body sizes. Default 0.001.
    pub max_hold_distance: f32,
    /// Largest distance of the center of mass beyond what the mode's balance allows, in body sizes. Default 0.
    pub max_balance_excess: f32,
    /// Judge static equilibrium at every moment, whether the forces that the contacts can bear ([`clamber_model::contact`])
    /// carry the body, also of motions that do not claim it ([`Motion::in_equilibrium`](clamber_model::Motion::in_equilibrium)).
    /// Default false.
    pub equilibrium: bool,
    /// Largest distance of the center of mass outside of where the contacts carry the body, beyond the mode's
    /// [`max_center_offset`](clamber_model::mode_table::Mode::max_center_offset), in body sizes. Default 0.005.
    pub max_equilibrium_excess: f32,
    /// Between two frames, the motion is sampled so densely that no point moves farther than this from one sample to the
    /// next, in body sizes. At least 0.0001; smaller values are raised to that. Default 0.0021.
    pub max_sample_spacing: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            max_penetration: 0.002,
            self_collision: true,
            max_hinge_excess_degrees: 0.1,
            max_point_speed: 1.0,
            max_joint_speed: 1.0,
            min_frame_interval: 0.001,
            max_start_goal_error: 0.001,
            max_out_of_plane_distance: 0.001,
            max_quaternion_error: 0.001,
            max_distance_out_of_bounds: 0.02,
            max_slip: 0.001,
            interpolation_error_acceleration: 1.0,
            max_hold_distance: 0.001,
            max_balance_excess: 0.0,
            equilibrium: false,
            max_equilibrium_excess: 0.005,
            max_sample_spacing: 0.0021,
        }
    }
}

impl CheckSettings {
    /// The same tolerances in meters and seconds, for a body of this size.
    pub(crate) fn in_meters(&self, body_size: f32) -> Self {
        Self {
            max_penetration: body_size * self.max_penetration,
            self_collision: self.self_collision,
            max_hinge_excess_degrees: self.max_hinge_excess_degrees,
            max_point_speed: self.max_point_speed,
            max_joint_speed: self.max_joint_speed,
            min_frame_interval: self.min_frame_interval,
            max_start_goal_error: body_size * self.max_start_goal_error,
            max_out_of_plane_distance: body_size * self.max_out_of_plane_distance,
            max_quaternion_error: body_size * self.max_quaternion_error,
            max_distance_out_of_bounds: body_size * self.max_distance_out_of_bounds,
            max_slip: body_size * self.max_slip,
            interpolation_error_acceleration: GRAVITY * self.interpolation_error_acceleration,
            max_hold_distance: body_size * self.max_hold_distance,
            max_balance_excess: body_size * self.max_balance_excess,
            equilibrium: self.equilibrium,
            max_equilibrium_excess: body_size * self.max_equilibrium_excess,
            max_sample_spacing: body_size * self.max_sample_spacing.max(MIN_SAMPLE_DISPLACEMENT),
        }
    }
}

/// Lower bound of `max_sample_displacement`, in body sizes. It bounds the work.
const MIN_SAMPLE_DISPLACEMENT: f32 = 1e-4;
