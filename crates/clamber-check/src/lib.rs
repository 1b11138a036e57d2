//! Checks a motion independently of the planner that found it.
//!
//! The crate depends on the model only, so it cannot repeat a planner's mistake. Each property is measured from the
//! motion alone, one property per file. [`check_motion`] returns a [`Report`] with the worst value of each property,
//! its time and its place. [`quality`] measures how good a valid motion is.

// Listed from the lowest layer up: a module uses only the ones above it.
mod kinematics;
mod motion_bound;
mod collision;
mod report;
mod settings;
mod dense_sampling;
mod sampled_property;
mod active_contacts;
mod well_formed;
mod penetration;
mod hinge_limits;
mod stays_in_plane;
mod unit_quaternion;
mod center_of_mass_bounds;
mod continuity;
mod start_and_goal;
mod required_motions;
mod pinned_holds;
mod forbidden_holds;
mod slip;
mod contacts_on_holds;
mod enough_support;
mod release_balance;
pub mod quality;

pub use report::{LimitKind, PropertyResult, Report};
pub use settings::CheckSettings;

use clamber_model::motion::FLYING;
use clamber_model::{Motion, Problem};

/// Measures every property of a motion planned for a problem.
///
/// The report on a malformed motion, such as one of another character, has `form` as its single property: nothing else
/// can be measured.
pub fn check_motion(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Report {
    let form = well_formed::measure(problem, motion);
    if !form.passed {
        return Report { properties: vec![form] };
    }
    let settings = &settings.in_meters(problem.character.body_size());
    let mut properties = vec![form];
    properties.extend(penetration::measure(problem, motion, settings));
    properties.extend([
        hinge_limits::measure(problem, motion, settings),
        unit_quaternion::measure(problem, motion, settings),
        continuity::measure_speed(problem, motion, settings),
        continuity::measure_time(motion, settings),
        center_of_mass_bounds::measure(problem, motion, settings),
        start_and_goal::measure_start(problem, motion, settings),
        start_and_goal::measure_goal(problem, motion, settings),
    ]);
    properties.extend(stays_in_plane::measure(problem, motion, settings));
    properties.extend(required_motions::measure(problem, motion, settings));
    properties.extend(pinned_holds::measure(problem, motion));
    properties.extend(forbidden_holds::measure(problem, motion));
    // A motion that only flies has no contacts to check.
    if !motion.contacts.is_empty() || motion.spans.iter().any(|span| span.mode != FLYING) {
        properties.extend(slip::measure(problem, motion, settings));
        properties.extend([
            contacts_on_holds::measure(problem, motion, settings),
            enough_support::measure(problem, motion),
            release_balance::measure(problem, motion, settings),
        ]);
    }
    Report { properties }
}
