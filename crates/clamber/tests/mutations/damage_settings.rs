//! Damage to settings.

use clamber::draw::{DrawSettings, View};
use clamber::{CheckSettings, ClipSettings, PlanSettings};

use crate::random_damage::Damage;

/// The settings of a case.
#[derive(Default)]
pub struct Settings {
    pub plan: PlanSettings,
    pub check: CheckSettings,
    pub clip: ClipSettings,
    pub draw: DrawSettings,
}

/// Damages one setting.
pub fn damage_settings(damage: &mut Damage, settings: &mut Settings) {
    match damage.below(4) {
        0 => damage_plan_settings(damage, &mut settings.plan),
        1 => damage_check_settings(damage, &mut settings.check),
        2 => damage_clip_settings(damage, &mut settings.clip),
        _ => damage_draw_settings(damage, &mut settings.draw),
    }
}

fn damage_plan_settings(damage: &mut Damage, plan: &mut PlanSettings) {
    let numbers = [
        &mut plan.cell_size,
        &mut plan.flight_clearance.margin,
        &mut plan.flight_clearance.interpolation_tolerance,
        &mut plan.stance_clearance.margin,
        &mut plan.stance_clearance.interpolation_tolerance,
        &mut plan.max_frame_displacement,
        &mut plan.frames_per_second,
    ];
    let index = damage.below(numbers.len());
    damage.number(&format!("plan setting {index}"), numbers[index]);
}

fn damage_check_settings(damage: &mut Damage, check: &mut CheckSettings) {
    let numbers = [
        &mut check.max_penetration,
        &mut check.max_hinge_excess_degrees,
        &mut check.max_point_speed,
        &mut check.max_joint_speed,
        &mut check.min_frame_interval,
        &mut check.max_start_goal_error,
        &mut check.max_out_of_plane_distance,
        &mut check.max_quaternion_error,
        &mut check.max_distance_out_of_bounds,
        &mut check.max_slip,
        &mut check.interpolation_error_acceleration,
        &mut check.max_hold_distance,
        &mut check.max_balance_excess,
        &mut check.max_equilibrium_excess,
        &mut check.max_sample_spacing,
    ];
    let index = damage.below(numbers.len());
    damage.number(&format!("check setting {index}"), numbers[index]);
}

fn damage_clip_settings(damage: &mut Damage, clip: &mut ClipSettings) {
    match damage.below(6) {
        0 => damage.number("frames_per_second of the clip", &mut clip.frames_per_second),
        1 => damage.list("speed_curve", &mut clip.speed_curve),
        2 => {
            clip.speed_curve.push((damage.bad_number(0.5), damage.bad_number(1.0)));
            damage.note(format!("{:?}", clip.speed_curve));
        }
        3 => damage.number("flight_clearance of the clip", &mut clip.flight_clearance),
        4 => damage.number("stance_clearance of the clip", &mut clip.stance_clearance),
        _ => clip.add_gait = false,
    }
}

fn damage_draw_settings(damage: &mut Damage, draw: &mut DrawSettings) {
    match damage.below(7) {
        0 => draw.view = Some(View { azimuth: damage.bad_number(1.0), elevation: damage.bad_number(1.0) }),
        1 => draw.width = Some([0, 1, 63, 300][damage.below(4)]),
        2 => draw.pose_count = Some(damage.index(5)),
        3 => draw.start_time = Some(damage.bad_number(1.0)),
        4 => draw.end_time = Some(damage.bad_number(1.0)),
        5 => damage.number("frames_per_second of the animation", &mut draw.frames_per_second),
        _ => {
            draw.poses_at_contacts = true;
            draw.show_obstacle_names = true;
        }
    }
    damage.note(format!("{draw:?}"));
}
