//! How quick planning is beside what it is for: the motion that plays, the checks it cannot do without, another planner.

use serde::Serialize;

use super::figures::{digits, quantile_of, seconds};
use super::run::Run;

/// Contacts whose planning time is told.
const CONTACTS: f64 = 30.0;

pub const HEADER: &str = "scene                plays (s)  plays/planned (median, 90%)  collision check  planned/check (median, 90%)  \
                          30 contacts (median, 90%)  against (solved, median, ratio)";

/// Figures of the solved seeds, but for `against`. At 90% stand the figures that are as good or better in 9 of 10 motions.
#[derive(Serialize)]
pub struct Speed {
    /// Seconds that the motion is long.
    plays_median: Option<f64>,
    /// How many times longer the motion is than its planning took.
    plays_by_planned_median: Option<f64>,
    plays_by_planned_90: Option<f64>,
    /// Seconds of one collision check of every frame of the motion.
    collision_check_median: Option<f64>,
    /// How many times longer planning took than that.
    planned_by_collision_check_median: Option<f64>,
    planned_by_collision_check_90: Option<f64>,
    /// Seconds of planning for 30 contacts.
    contacts_30_median: Option<f64>,
    contacts_30_90: Option<f64>,
    against: Option<Against>,
}

/// The other planner on the same seeds, solved or not.
#[derive(Serialize)]
struct Against {
    solved: u64,
    seconds_median: f64,
    /// How many times longer it took at the median.
    ratio: f64,
}

impl Speed {
    pub fn new(runs: &[Run]) -> Self {
        let solved = || runs.iter().filter(|run| run.solved);
        let planned_by_played = |share| quantile_of(solved().map(|run| run.seconds / run.plays.max(1e-9)), share);
        let planned_by_collision_check =
            |share| quantile_of(solved().map(|run| run.seconds / run.collision_check.max(1e-9)), share);
        let for_contacts = |share| {
            let holding = solved().filter(|run| run.contacts > 0);
            quantile_of(holding.map(|run| run.seconds * CONTACTS / run.contacts as f64), share)
        };
        Self {
            plays_median: quantile_of(solved().map(|run| run.plays), 0.5),
            plays_by_planned_median: planned_by_played(0.5).map(|ratio| 1.0 / ratio),
            plays_by_planned_90: planned_by_played(0.9).map(|ratio| 1.0 / ratio),
            collision_check_median: quantile_of(solved().map(|run| run.collision_check), 0.5),
            planned_by_collision_check_median: planned_by_collision_check(0.5),
            planned_by_collision_check_90: planned_by_collision_check(0.9),
            contacts_30_median: for_contacts(0.5),
            contacts_30_90: for_contacts(0.9),
            against: Against::new(runs),
        }
    }

    /// Its line of the second table.
    pub fn text(&self, scene: &str) -> String {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), digits);
        let time = |value: Option<f64>| value.map_or("-".to_owned(), seconds);
        format!(
            "{scene:<20}{:>10}{:>20}{:>9}{:>17}{:>20}{:>9}{:>16}{:>11}{:>16}{:>11}{:>8}",
            number(self.plays_median),
            number(self.plays_by_planned_median),
            number(self.plays_by_planned_90),
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

impl Against {
    fn new(runs: &[Run]) -> Option<Self> {
        let others = || runs.iter().filter_map(|run| run.against.as_ref());
        let seconds_median = quantile_of(others().map(|other| other.seconds), 0.5)?;
        let own = quantile_of(runs.iter().map(|run| run.seconds), 0.5)?;
        let solved = others().filter(|other| other.solved).count() as u64;
        Some(Self { solved, seconds_median, ratio: seconds_median / own.max(1e-9) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clamber::check::Report;

    use super::super::run::Against as Other;
    use super::*;

    fn run(seed: u64, seconds: f64) -> Run {
        Run {
            seed,
            solved: true,
            valid: true,
            seconds,
            backtracks: 0,
            expansions: 0,
            frames: 0,
            digest: 0,
            report: Report::default(),
            transitions: BTreeSet::new(),
            plays: 10.0,
            collision_check: 0.001,
            contacts: 15,
            against: Some(Other { solved: seed > 1, seconds: 8.0 }),
        }
    }

    #[test]
    fn ratios_are_those_of_the_slow_tenth() {
        let mut runs: Vec<Run> = (1..=10).map(|seed| run(seed, 0.1 * seed as f64)).collect();
        let close = |value: Option<f64>, expected: f64| {
            assert!((value.unwrap() - expected).abs() < 1e-9 * expected, "{value:?}")
        };
        let speed = Speed::new(&runs);
        close(speed.plays_median, 10.0);
        close(speed.plays_by_planned_median, 20.0);
        close(speed.plays_by_planned_90, 10.0 / 0.9);
        close(speed.collision_check_median, 0.001);
        close(speed.planned_by_collision_check_median, 500.0);
        close(speed.planned_by_collision_check_90, 900.0);
        close(speed.contacts_30_median, 1.0);
        close(speed.contacts_30_90, 1.8);
        let against = speed.against.unwrap();
        assert_eq!((against.solved, against.seconds_median, against.ratio), (9, 8.0, 16.0));

        // What is not solved has no motion to be compared with, and what makes no contacts has no time for them.
        runs[9].solved = false;
        runs[8].contacts = 0;
        close(Speed::new(&runs).planned_by_collision_check_90, 900.0);
        close(Speed::new(&runs).contacts_30_90, 1.6);
    }

    #[test]
    fn nothing_solved_is_a_line_of_dashes() {
        let runs = [Run { solved: false, against: None, ..run(1, 1.0) }];
        let line = Speed::new(&runs).text("cave");
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), [&["cave"][..], &["-"; 11]].concat());
    }
}
