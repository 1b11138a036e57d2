//! Judges a motion independently of the planner that found it.
//!
//! The crate cannot see the planner: it knows the model, and each property is measured from the motion alone, one
//! property a file. [`check`] returns a [`Report`] with the worst value of each property, when it occurs and where.

// The order of this list is the order of the layers: a module uses only the ones above it.
mod report;
mod settings;
mod sample;
mod contacts;
mod form;
mod penetration;
mod limits;
mod plane;
mod rotation;
mod bounds;
mod continuity;
mod ends;
mod passages;
mod pins;
mod forbidden;
mod slip;
mod holds;
mod support;
mod balance;
pub mod quality;

pub use report::{Finding, Report};
pub use settings::CheckSettings;

use clamber_model::motion::FLYING;
use clamber_model::{Motion, Problem};

/// Measures every property of a motion that answers a problem.
///
/// A motion that is malformed, such as one of another character, has the one finding `form`: nothing else could be
/// measured.
pub fn check(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Report {
    let form = form::measure(problem, motion);
    if !form.passed {
        return Report { findings: vec![form] };
    }
    let mut findings = vec![
        form,
        penetration::measure(problem, motion, settings),
        limits::measure(problem, motion, settings),
        rotation::measure(problem, motion, settings),
        continuity::measure_jumps(problem, motion, settings),
        continuity::measure_time(motion, settings),
        bounds::measure(problem, motion, settings),
        ends::measure_start(problem, motion, settings),
        ends::measure_goal(problem, motion, settings),
    ];
    findings.extend(plane::measure(problem, motion, settings));
    findings.extend(passages::measure(problem, motion, settings));
    findings.extend(pins::measure(problem, motion));
    findings.extend(forbidden::measure(problem, motion));
    // A motion that only flies is judged by what it meets alone.
    if !motion.contacts.is_empty() || motion.spans.iter().any(|span| span.mode != FLYING) {
        findings.extend([
            slip::measure(problem, motion, settings),
            holds::measure(problem, motion, settings),
            support::measure(problem, motion),
            balance::measure(problem, motion, settings),
        ]);
    }
    Report { findings }
}
