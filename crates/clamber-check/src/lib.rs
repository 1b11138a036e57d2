//! Checks a motion independently of the planner that found it.
//!
//! The crate depends on the model only, so it cannot repeat a planner's mistake. Each property is measured from the
//! motion alone, one property per file. [`check_motion`] returns a [`Report`] with the worst value of each property,
//! its time and its place. [`quality`] measures how good a valid motion is.

// Listed from the lowest layer up: a module uses only the ones above it.
mod progress;
mod kinematics;
mod motion_bound;
mod collision;
pub mod equilibrium;
mod report;
mod settings;
mod dense_sampling;
mod worst_sampled_distance;
mod active_contacts;
mod well_formed;
mod penetration;
mod self_collision;
mod hinge_limits;
mod stays_in_plane;
mod unit_quaternion;
mod center_of_mass_in_scene_bounds;
mod continuity;
mod start_and_goal;
mod passages_played;
mod passage_matching;
mod required_contacts;
mod planar_half_turns;
mod pinned_holds_used;
mod forbidden_holds;
mod slip;
mod contacts_on_allowed_holds;
mod enough_supporting_contacts;
mod edges;
mod release_balance;
mod equilibrium_at_every_moment;
pub mod quality;

pub use progress::{CheckObserver, CheckProgress};
pub use report::{LimitComparison, PropertyResult, Report};
pub use settings::CheckSettings;

use std::ops::ControlFlow;

use clamber_model::motion::FLYING_MODE;
use clamber_model::{Motion, Problem};

use passage_matching::match_passages;
use progress::ProgressReporter;

/// Measures every property of a motion planned for a problem.
///
/// The report on a malformed motion, such as one of another character, has `form` as its single property: nothing else
/// can be measured.
pub fn check_motion(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Report {
    let observer = &mut |_: &CheckProgress| ControlFlow::Continue(());
    // Nothing cancels this check.
    check_motion_with_progress(problem, motion, settings, observer).unwrap_or_default()
}

/// Like [`check_motion`], and reports progress. The observer cancels by returning [`ControlFlow::Break`]; there is no report
/// then.
pub fn check_motion_with_progress(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    observer: &mut CheckObserver,
) -> Option<Report> {
    let form = well_formed::measure(problem, motion);
    if !form.passed {
        return Some(Report { properties: vec![form] });
    }
    let mut settings = settings.in_meters(problem.character.body_size());
    settings.equilibrium |= motion.in_equilibrium;
    let settings = &settings;
    let mut checks = Checks { properties: vec![form], progress: ProgressReporter::new(observer) };
    checks.add(|progress| penetration::measure(problem, motion, settings, progress));
    if settings.self_collision {
        checks.add(|progress| self_collision::measure(problem, motion, settings, progress));
    }
    checks.add(|_| Some(hinge_limits::measure(problem, motion, settings)));
    checks.add(|_| Some(unit_quaternion::measure(problem, motion, settings)));
    checks.add(|_| Some(continuity::measure_speed(problem, motion, settings)));
    checks.add(|_| Some(continuity::measure_time(motion, settings)));
    checks.add(|_| Some(center_of_mass_in_scene_bounds::measure(problem, motion, settings)));
    checks.add(|_| Some(start_and_goal::measure_start(problem, motion, settings)));
    checks.add(|_| Some(start_and_goal::measure_goal(problem, motion, settings)));
    checks.add(|progress| stays_in_plane::measure(problem, motion, settings, progress));
    checks.add(|progress| passages_played::measure(problem, motion, settings, progress));
    let passages = match_passages(problem, motion, settings, &mut checks.progress);
    checks.add(|_| planar_half_turns::measure(problem, motion, &passages));
    checks.add(|_| pinned_holds_used::measure(problem, motion));
    checks.add(|_| forbidden_holds::measure(problem, motion));
    let has_stance = !problem.start.stance.is_empty() || !problem.goal.stance.is_empty();
    // A motion that only flies, from no contact to no contact, has no contacts to check.
    if has_stance || !motion.contacts.is_empty() || motion.mode_spans.iter().any(|span| span.mode != FLYING_MODE) {
        checks.add(|progress| slip::measure(problem, motion, settings, progress));
        checks.add(|_| Some(contacts_on_allowed_holds::measure(problem, motion, settings)));
        checks.add(|_| Some(enough_supporting_contacts::measure(problem, motion)));
        checks.add(|_| Some(release_balance::measure(problem, motion, settings)));
        if settings.equilibrium {
            checks.add(|progress| equilibrium_at_every_moment::measure(problem, motion, settings, &passages, progress));
        }
        checks.add(|_| Some(required_contacts::measure_start(problem, motion, settings)));
        checks.add(|_| Some(required_contacts::measure_goal(problem, motion, settings)));
        checks.add(|_| required_contacts::measure_passages(problem, motion, &passages));
        checks.add(|progress| edges::measure(problem, motion, settings, &passages, progress));
    }
    checks.finish()
}

/// The properties measured so far.
struct Checks<'a, 'o> {
    properties: Vec<PropertyResult>,
    progress: ProgressReporter<'a, 'o>,
}

impl Checks<'_, '_> {
    /// Measures a property, unless the check is cancelled.
    fn add<Results: IntoIterator<Item = PropertyResult>>(
        &mut self,
        measure: impl FnOnce(&mut ProgressReporter) -> Results,
    ) {
        if self.progress.poll() {
            self.properties.extend(measure(&mut self.progress));
        }
    }

    fn finish(mut self) -> Option<Report> {
        self.progress.finish();
        (!self.progress.is_cancelled()).then_some(Report { properties: self.properties })
    }
}
