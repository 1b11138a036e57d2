//! Planning time compared with the duration of the motion, with collision checks of its frames and with another planner.

use serde::Serialize;

use super::seed_result::SeedResult;
use super::statistics::{format_digits, format_seconds, quantile_of};

/// Planning time is reported per this many contacts.
const CONTACTS: f64 = 30.0;

pub const HEADER: &str = "scene                plays (s)  plays/planned (median, 90%)  plays/planned and checked (median, 90%)  collision check  planned/check (median, 90%)  \
                          30 contacts (median, 90%)  against (solved, median, ratio)";

/// Statistics of the solved seeds; of all seeds in `against`. 9 of 10 motions are as good as the 90% values or better.
#[derive(Serialize)]
pub struct SpeedSummary {
    /// Duration of the motion, in seconds.
    plays_median: Option<f64>,
    /// Duration of the motion divided by planning time.
    plays_by_planned_median: Option<f64>,
    plays_by_planned_90: Option<f64>,
    /// Duration of the motion divided by the time to plan and to check it.
    plays_by_planned_and_checked_median: Option<f64>,
    plays_by_planned_and_checked_90: Option<f64>,
    /// Seconds to check every frame of the motion for collisions once.
    collision_check_median: Option<f64>,
    /// Planning time divided by that.
    planned_by_collision_check_median: Option<f64>,
    planned_by_collision_check_90: Option<f64>,
    /// Planning time per 30 contacts, in seconds.
    contacts_30_median: Option<f64>,
    contacts_30_90: Option<f64>,
    against: Option<PlannerComparison>,
}

/// The second planner on the same seeds, solved or not.
#[derive(Serialize)]
struct PlannerComparison {
    solved: u64,
    seconds_median: f64,
    /// Its median time divided by the first planner's.
    ratio: f64,
}

impl SpeedSummary {
    pub fn new(results: &[SeedResult]) -> Self {
        let solved = || results.iter().filter(|result| result.solved);
        let planned_by_played =
            |fraction| quantile_of(solved().map(|result| result.seconds / result.duration.max(1e-9)), fraction);
        let checked_by_played =
            |fraction| quantile_of(solved().map(|result| result.checked_seconds / result.duration.max(1e-9)), fraction);
        let planned_by_collision_check =
            |fraction| quantile_of(solved().map(|result| result.seconds / result.collision_check.max(1e-9)), fraction);
        let for_contacts = |fraction| {
            let with_contacts = solved().filter(|result| result.contacts > 0);
            quantile_of(with_contacts.map(|result| result.seconds * CONTACTS / result.contacts as f64), fraction)
        };
        Self {
            plays_median: quantile_of(solved().map(|result| result.duration), 0.5),
            plays_by_planned_median: planned_by_played(0.5).map(|ratio| 1.0 / ratio),
            plays_by_planned_90: planned_by_played(0.9).map(|ratio| 1.0 / ratio),
            plays_by_planned_and_checked_median: checked_by_played(0.5).map(|ratio| 1.0 / ratio),
            plays_by_planned_and_checked_90: checked_by_played(0.9).map(|ratio| 1.0 / ratio),
            collision_check_median: quantile_of(solved().map(|result| result.collision_check), 0.5),
            planned_by_collision_check_median: planned_by_collision_check(0.5),
            planned_by_collision_check_90: planned_by_collision_check(0.9),
            contacts_30_median: for_contacts(0.5),
            contacts_30_90: for_contacts(0.9),
            against: PlannerComparison::new(results),
        }
    }

    /// The row of the second table as text.
    pub fn text(&self, scene: &str) -> String {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), format_digits);
        let time = |value: Option<f64>| value.map_or("-".to_owned(), format_seconds);
        format!(
            "{scene:<20}{:>10}{:>20}{:>9}{:>32}{:>9}{:>17}{:>20}{:>9}{:>16}{:>11}{:>16}{:>11}{:>8}",
            number(self.plays_median),
            number(self.plays_by_planned_median),
            number(self.plays_by_planned_90),
            number(self.plays_by_planned_and_checked_median),
            number(self.plays_by_planned_and_checked_90),
            time(self.collision_check_median),
            number(self.planned_by_collision_check_median),
            number(self.planned_by_collision_check_90),
            time(self.contacts_30_median),
            time(self.contacts_30_90),
            self.against.as_ref().map_or("-".to_owned(), |against| against.solved.to_string()),
            time(self.against.as_ref().map(|against| against.seconds_median)),
            self.against.as_ref().map_or("-".to_owned(), |against| format!("{:.2}", against.ratio)),
        )
    }
}

impl PlannerComparison {
    fn new(results: &[SeedResult]) -> Option<Self> {
        let others = || results.iter().filter_map(|result| result.against.as_ref());
        let seconds_median = quantile_of(others().map(|other| other.seconds), 0.5)?;
        let own = quantile_of(results.iter().map(|result| result.seconds), 0.5)?;
        let solved = others().filter(|other| other.solved).count() as u64;
        Some(Self { solved, seconds_median, ratio: seconds_median / own.max(1e-9) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clamber::check::Report;

    use super::super::seed_result::OtherPlannerResult;
    use super::*;

    fn result(seed: u64, seconds: f64) -> SeedResult {
        SeedResult {
            seed,
            solved: true,
            valid: true,
            seconds,
            checked_seconds: 2.0 * seconds,
            backtracks: 0,
            expansions: 0,
            frames: 0,
            digest: 0,
            report: Report::default(),
            transitions: BTreeSet::new(),
            duration: 10.0,
            collision_check: 0.001,
            contacts: 15,
            contact_sequence: Vec::new(),
            against: Some(OtherPlannerResult { solved: seed > 1, seconds: 8.0 }),
        }
    }

    #[test]
    fn the_90_percent_values_exclude_the_slowest_tenth() {
        let mut results: Vec<SeedResult> = (1..=10).map(|seed| result(seed, 0.1 * seed as f64)).collect();
        let close = |value: Option<f64>, expected: f64| {
            assert!((value.unwrap() - expected).abs() < 1e-9 * expected, "{value:?}")
        };
        let speed = SpeedSummary::new(&results);
        close(speed.plays_median, 10.0);
        close(speed.plays_by_planned_median, 20.0);
        close(speed.plays_by_planned_90, 10.0 / 0.9);
        close(speed.plays_by_planned_and_checked_median, 10.0);
        close(speed.plays_by_planned_and_checked_90, 5.0 / 0.9);
        close(speed.collision_check_median, 0.001);
        close(speed.planned_by_collision_check_median, 500.0);
        close(speed.planned_by_collision_check_90, 900.0);
        close(speed.contacts_30_median, 1.0);
        close(speed.contacts_30_90, 1.8);
        let against = speed.against.unwrap();
        assert_eq!((against.solved, against.seconds_median, against.ratio), (9, 8.0, 16.0));

        // Unsolved seeds have no motion to compare with. Motions without contacts have no time per contact.
        results[9].solved = false;
        results[8].contacts = 0;
        close(SpeedSummary::new(&results).planned_by_collision_check_90, 900.0);
        close(SpeedSummary::new(&results).contacts_30_90, 1.6);
    }

    #[test]
    fn without_solved_seeds_the_row_has_dashes() {
        let results = [SeedResult { solved: false, against: None, ..result(1, 1.0) }];
        let line = SpeedSummary::new(&results).text("cave");
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), [&["cave"][..], &["-"; 13]].concat());
    }
}
