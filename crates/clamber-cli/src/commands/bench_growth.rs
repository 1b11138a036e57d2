//! `clamber bench --growth`: what one segment takes in short courses and in long ones.

use std::path::Path;
use std::time::Instant;

use clamber::check::check;
use clamber::course::{CourseSettings, Kind, generate};

use serde::Serialize;

use super::bench::{digits, plan_settings, seconds, stop_after};
use super::generate::{character_from, scene_of};
use crate::args::BenchArgs;
use crate::outcome::{Settings, plan};
use crate::{Status, memory};

/// What a course is made of unless kinds are named: those that are planned in milliseconds, of which a thousand can be.
const KINDS: [Kind; 6] = [Kind::Flat, Kind::SlopeUp, Kind::SlopeDown, Kind::StepUp, Kind::StepDown, Kind::Gap];

/// Neither easy nor hard.
const DIFFICULTY: f32 = 0.5;

/// The length that others are compared with.
const BASE: u64 = 10;

/// As many courses of each length as make up the longest one, so that all rows have as many segments; at most these.
const MOST_COURSES: u64 = 100;

/// Everything is done so often, one length after the other, and the least time counts: what else the machine does comes and
/// goes, and makes nothing quicker.
const ROUNDS: usize = 3;

pub fn run(args: &BenchArgs, lengths: &[u64]) -> miette::Result<Status> {
    let mut lengths = lengths.to_vec();
    // From the shortest up: what a longer course left behind would hide what a shorter one needs.
    lengths.sort_unstable();
    lengths.dedup();
    let longest = lengths.last().copied().unwrap_or(BASE);
    let bench = Bench {
        settings: plan_settings(args),
        max_seconds: args.max_seconds,
        kinds: if args.kinds.is_empty() { KINDS.to_vec() } else { args.kinds.clone() },
        character: character_from(Path::new("."), &args.character)?,
    };
    let mut courses: Vec<Vec<Run>> = Vec::new();
    for round in 0..ROUNDS {
        for (row, &segments) in lengths.iter().enumerate() {
            let seeds = args.seeds_from..args.seeds_from + (longest / segments).clamp(1, MOST_COURSES);
            let runs: Vec<Run> =
                seeds.map(|seed| bench.run(segments, seed, round == 0)).collect::<Result<_, miette::Report>>()?;
            match courses.get_mut(row) {
                None => courses.push(runs),
                Some(before) => before.iter_mut().zip(&runs).for_each(|(before, run)| before.improve(run)),
            }
        }
    }
    let mut rows: Vec<Row> = lengths.iter().zip(&courses).map(|(&segments, runs)| Row::new(segments, runs)).collect();
    compare(&mut rows);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data has a JSON form"));
    } else {
        println!("{HEADER}");
        rows.iter().for_each(|row| println!("{}", row.text()));
    }
    let all = |count: &dyn Fn(&Row) -> u64| rows.iter().all(|row| count(row) == row.courses);
    Ok(match (all(&|row| row.courses - row.solved + row.valid), all(&|row| row.solved)) {
        (false, _) => Status::Invalid,
        (true, false) => Status::NoPlan,
        (true, true) => Status::Done,
    })
}

/// What all runs share.
struct Bench {
    settings: Settings,
    max_seconds: Option<f64>,
    kinds: Vec<Kind>,
    character: String,
}

/// What one course took.
struct Run {
    is_solved: bool,
    is_valid: bool,
    expansions: u64,
    world_seconds: f64,
    plan_seconds: f64,
    check_seconds: f64,
    world_bytes: Option<u64>,
    peak_bytes: Option<u64>,
}

impl Bench {
    /// Checking takes longest and knows of no luck: once is enough for it.
    fn run(&self, segments: u64, seed: u64, checks: bool) -> miette::Result<Run> {
        let settings = CourseSettings {
            segments: segments as usize,
            difficulty: DIFFICULTY,
            impossible: false,
            kinds: self.kinds.clone(),
            character: self.character.clone(),
        };
        let course = generate(seed, &settings);
        let (scene, world_seconds) = timed(|| scene_of(&course, Path::new("course.toml")));
        let problem = scene?.problem;
        let world_bytes = memory::in_use();
        memory::forget_peak();
        let (outcome, plan_seconds) =
            timed(|| plan(&problem, &self.settings.plan, seed, &mut stop_after(self.max_seconds)));
        let peak_bytes = memory::peak();
        let (passed, check_seconds) =
            timed(|| !checks || check(&problem, &outcome.motion, &self.settings.check).passed());
        Ok(Run {
            is_solved: outcome.failure.is_none(),
            is_valid: outcome.failure.is_none() && passed,
            expansions: outcome.statistics.expansions,
            world_seconds,
            plan_seconds,
            check_seconds,
            world_bytes,
            peak_bytes,
        })
    }
}

impl Run {
    /// Takes the times of another round where they are less.
    fn improve(&mut self, other: &Self) {
        self.world_seconds = self.world_seconds.min(other.world_seconds);
        self.plan_seconds = self.plan_seconds.min(other.plan_seconds);
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let made = work();
    (made, began.elapsed().as_secs_f64())
}

const HEADER: &str = "segments courses solved  valid   world (s, ms a segment, ratio)    plan (s, ms a segment, ratio)   \
                      check (s, ms a segment, ratio)  tried a segment  memory (MB with the world, at most, kB a segment)";

/// All courses of one length.
#[derive(Serialize)]
struct Row {
    segments: u64,
    courses: u64,
    solved: u64,
    valid: u64,
    /// Reading the scene: obstacles, the field of distances, holds.
    world: Share,
    plan: Share,
    check: Share,
    /// Configurations that were tried, for each segment.
    tried_a_segment: f64,
    /// The most memory that the command had in use when the world of a course was ready, in bytes.
    world_bytes: Option<u64>,
    /// The most that it had while planning, the motion included.
    peak_bytes: Option<u64>,
}

/// One of the things that are done.
#[derive(Serialize)]
struct Share {
    seconds: f64,
    seconds_a_segment: f64,
    /// How many times longer a segment takes than in courses of the length that others are compared with.
    ratio: Option<f64>,
}

impl Row {
    fn new(segments: u64, runs: &[Run]) -> Self {
        let courses = runs.len() as u64;
        let all = (courses * segments) as f64;
        let share = |of: fn(&Run) -> f64| {
            let seconds = runs.iter().map(of).sum::<f64>();
            Share { seconds, seconds_a_segment: seconds / all, ratio: None }
        };
        Self {
            segments,
            courses,
            solved: runs.iter().filter(|run| run.is_solved).count() as u64,
            valid: runs.iter().filter(|run| run.is_valid).count() as u64,
            world: share(|run| run.world_seconds),
            plan: share(|run| run.plan_seconds),
            check: share(|run| run.check_seconds),
            tried_a_segment: runs.iter().map(|run| run.expansions).sum::<u64>() as f64 / all,
            world_bytes: runs.iter().filter_map(|run| run.world_bytes).max(),
            peak_bytes: runs.iter().filter_map(|run| run.peak_bytes).max(),
        }
    }

    fn text(&self) -> String {
        let share = |share: &Share| {
            let ratio = share.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            format!("{:>14}{:>12}{:>7}", seconds(share.seconds), digits(1000.0 * share.seconds_a_segment), ratio)
        };
        let unit = |bytes: Option<u64>, unit: f64| bytes.map_or("-".to_owned(), |bytes| digits(bytes as f64 / unit));
        format!(
            "{:>8}{:>8}{:>7}{:>7}{}{}{}{:>17}{:>27}{:>9}{:>14}",
            self.segments,
            self.courses,
            self.solved,
            self.valid,
            share(&self.world),
            share(&self.plan),
            share(&self.check),
            digits(self.tried_a_segment),
            unit(self.world_bytes, 1e6),
            unit(self.peak_bytes, 1e6),
            unit(self.peak_bytes, 1e3 * self.segments as f64),
        )
    }
}

/// Fills in the ratios.
fn compare(rows: &mut [Row]) {
    let Some(base) = rows.iter().position(|row| row.segments == BASE) else { return };
    let parts: [fn(&mut Row) -> &mut Share; 3] = [|row| &mut row.world, |row| &mut row.plan, |row| &mut row.check];
    for part in parts {
        let least = part(&mut rows[base]).seconds_a_segment.max(1e-12);
        rows.iter_mut().map(part).for_each(|share| share.ratio = Some(share.seconds_a_segment / least));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64) -> Run {
        Run {
            is_solved: true,
            is_valid: true,
            expansions: 40,
            world_seconds: seconds,
            plan_seconds: 2.0 * seconds,
            check_seconds: 3.0 * seconds,
            world_bytes: Some(25_000_000),
            peak_bytes: None,
        }
    }

    #[test]
    fn ratios_are_of_what_a_segment_takes() {
        let mut rows = [Row::new(1, &[run(1.0), run(2.0)]), Row::new(10, &[run(5.0)]), Row::new(100, &[run(60.0)])];
        compare(&mut rows);
        let ratios = |share: fn(&Row) -> &Share| rows.each_ref().map(|row| share(row).ratio.unwrap());
        assert_eq!(ratios(|row| &row.world), [3.0, 1.0, 1.2]);
        assert_eq!(ratios(|row| &row.plan), [3.0, 1.0, 1.2]);
        assert_eq!((rows[0].courses, rows[0].tried_a_segment, rows[2].tried_a_segment), (2, 40.0, 0.4));
    }

    #[test]
    fn without_the_length_to_compare_with_there_are_no_ratios() {
        let mut rows = [Row::new(1, &[run(1.0)]), Row::new(100, &[run(60.0)])];
        compare(&mut rows);
        assert!(rows.iter().all(|row| row.plan.ratio.is_none()));
        let line = rows[1].text();
        let expected = "100 1 1 1 60.00 600 - 120.00 1200 - 180.00 1800 - 0.400 25.0 - -";
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn the_least_time_of_all_rounds_counts() {
        let mut first = run(2.0);
        first.improve(&run(1.0));
        first.improve(&run(3.0));
        assert_eq!((first.world_seconds, first.plan_seconds, first.check_seconds), (1.0, 2.0, 6.0));
    }
}
