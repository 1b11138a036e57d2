//! `clamber bench --growth`: time per segment in short and in long courses.

use std::path::Path;
use std::time::Instant;

use clamber::check::check_motion;
use clamber::course::SegmentKind;
use serde::Serialize;

use super::super::generated_course::{CourseMaker, CourseShape};
use super::settings::{plan_settings, stop_after};
use super::statistics::{format_digits, format_seconds};
use crate::args::BenchArgs;
use crate::exit_status::Status;
use crate::process_memory::{in_use, peak, reset_peak};
use crate::run_planner::{Settings, plan};

/// The default kinds of segments: those that are planned in milliseconds, so that a thousand can be planned.
const KINDS: [SegmentKind; 6] = [
    SegmentKind::Flat,
    SegmentKind::SlopeUp,
    SegmentKind::SlopeDown,
    SegmentKind::StepUp,
    SegmentKind::StepDown,
    SegmentKind::Gap,
];

/// Difficulty of the courses.
const DIFFICULTY: f32 = 0.5;

/// The number of segments that others are compared with.
const BASELINE: u64 = 10;

/// Each length gets as many courses as make up the longest one, so that all rows have equally many segments, but at most
/// this many.
const MAX_COURSES: u64 = 100;

/// Every measurement is repeated this often, all lengths in turn, and the shortest time counts: other load on the machine only
/// makes it slower.
const ROUNDS: usize = 3;

pub fn run(args: &BenchArgs, lengths: &[u64]) -> miette::Result<Status> {
    let mut lengths = lengths.to_vec();
    // Shortest first: memory that a longer course leaves allocated would hide the need of a shorter one.
    lengths.sort_unstable();
    lengths.dedup();
    let longest = lengths.last().copied().unwrap_or(BASELINE);
    let default_kinds = || KINDS.map(|kind| kind.keyword().to_owned()).to_vec();
    let kinds = if args.kinds.is_empty() { default_kinds() } else { args.kinds.clone() };
    let bench = GrowthBench {
        settings: plan_settings(args),
        max_seconds: args.max_seconds,
        maker: CourseMaker::new(Path::new("."), &args.character, &kinds, false)?,
    };
    let mut courses: Vec<Vec<CourseCost>> = Vec::new();
    for round in 0..ROUNDS {
        for (row, &segments) in lengths.iter().enumerate() {
            let seeds = args.seeds_from..args.seeds_from + (longest / segments).clamp(1, MAX_COURSES);
            let costs: Vec<CourseCost> =
                seeds.map(|seed| bench.measure(segments, seed, round == 0)).collect::<Result<_, miette::Report>>()?;
            match courses.get_mut(row) {
                None => courses.push(costs),
                Some(best) => best.iter_mut().zip(&costs).for_each(|(best, cost)| best.keep_shorter(cost)),
            }
        }
    }
    let rows = lengths.iter().zip(&courses).map(|(&segments, costs)| GrowthRow::new(segments, costs));
    let mut rows: Vec<GrowthRow> = rows.collect();
    compare_with_baseline(&mut rows);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data serializes"));
    } else {
        println!("{HEADER}");
        rows.iter().for_each(|row| println!("{}", row.text()));
    }
    let all_valid = rows.iter().all(|row| row.valid == row.solved);
    let all_solved = rows.iter().all(|row| row.solved == row.courses);
    Ok(match (all_valid, all_solved) {
        (false, _) => Status::InvalidMotion,
        (true, false) => Status::NoPlan,
        (true, true) => Status::Success,
    })
}

/// What all courses share.
struct GrowthBench {
    settings: Settings,
    max_seconds: Option<f64>,
    maker: CourseMaker,
}

/// Time and memory of one course.
struct CourseCost {
    is_solved: bool,
    is_valid: bool,
    expansions: u64,
    world_seconds: f64,
    plan_seconds: f64,
    check_seconds: f64,
    world_bytes: Option<u64>,
    peak_bytes: Option<u64>,
}

impl GrowthBench {
    /// Checking takes longest and its time varies little, so it runs only if `checks` is set.
    fn measure(&self, segments: u64, seed: u64, checks: bool) -> miette::Result<CourseCost> {
        let segment_count = segments as usize;
        let shape = CourseShape { segment_count, difficulty: DIFFICULTY, impossible: false, surroundings: None };
        let course = self.maker.make(seed, &shape);
        let (scene, world_seconds) = timed(|| course.scene(Path::new("course.toml")));
        let problem = scene?.problem;
        let world_bytes = in_use();
        reset_peak();
        let (outcome, plan_seconds) =
            timed(|| plan(&problem, &self.settings.plan, seed, &mut stop_after(self.max_seconds)));
        let peak_bytes = peak();
        let (passed, check_seconds) =
            timed(|| !checks || check_motion(&problem, &outcome.motion, &self.settings.check).passed());
        Ok(CourseCost {
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

impl CourseCost {
    /// Takes the times of another round where they are shorter.
    fn keep_shorter(&mut self, other: &Self) {
        self.world_seconds = self.world_seconds.min(other.world_seconds);
        self.plan_seconds = self.plan_seconds.min(other.plan_seconds);
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

const HEADER: &str = "segments courses solved  valid     world (s, ms/segment, ratio)      plan (s, ms/segment, ratio)     \
                      check (s, ms/segment, ratio)  expansions/segment       memory (MB with world, MB peak, kB/segment)";

/// All courses of one length.
#[derive(Serialize)]
struct GrowthRow {
    segments: u64,
    courses: u64,
    solved: u64,
    valid: u64,
    /// Reading the scene: obstacles, distance field, holds.
    world: StageCost,
    plan: StageCost,
    check: StageCost,
    /// Expanded configurations per segment.
    tried_a_segment: f64,
    /// Largest memory in use after reading a course, in bytes.
    world_bytes: Option<u64>,
    /// Largest memory in use while planning, the motion included, in bytes.
    peak_bytes: Option<u64>,
}

/// The time of one stage.
#[derive(Serialize)]
struct StageCost {
    seconds: f64,
    seconds_a_segment: f64,
    /// Time per segment divided by that of the baseline courses.
    ratio: Option<f64>,
}

impl GrowthRow {
    fn new(segments: u64, costs: &[CourseCost]) -> Self {
        let courses = costs.len() as u64;
        let all_segments = (courses * segments) as f64;
        let stage = |seconds: fn(&CourseCost) -> f64| {
            let seconds = costs.iter().map(seconds).sum::<f64>();
            StageCost { seconds, seconds_a_segment: seconds / all_segments, ratio: None }
        };
        Self {
            segments,
            courses,
            solved: costs.iter().filter(|cost| cost.is_solved).count() as u64,
            valid: costs.iter().filter(|cost| cost.is_valid).count() as u64,
            world: stage(|cost| cost.world_seconds),
            plan: stage(|cost| cost.plan_seconds),
            check: stage(|cost| cost.check_seconds),
            tried_a_segment: costs.iter().map(|cost| cost.expansions).sum::<u64>() as f64 / all_segments,
            world_bytes: costs.iter().filter_map(|cost| cost.world_bytes).max(),
            peak_bytes: costs.iter().filter_map(|cost| cost.peak_bytes).max(),
        }
    }

    fn text(&self) -> String {
        let stage = |cost: &StageCost| {
            let ratio = cost.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            let milliseconds = format_digits(1000.0 * cost.seconds_a_segment);
            format!("{:>14}{milliseconds:>12}{ratio:>7}", format_seconds(cost.seconds))
        };
        let unit =
            |bytes: Option<u64>, unit: f64| bytes.map_or("-".to_owned(), |bytes| format_digits(bytes as f64 / unit));
        format!(
            "{:>8}{:>8}{:>7}{:>7}{}{}{}{:>20}{:>27}{:>9}{:>14}",
            self.segments,
            self.courses,
            self.solved,
            self.valid,
            stage(&self.world),
            stage(&self.plan),
            stage(&self.check),
            format_digits(self.tried_a_segment),
            unit(self.world_bytes, 1e6),
            unit(self.peak_bytes, 1e6),
            unit(self.peak_bytes, 1e3 * self.segments as f64),
        )
    }
}

/// Fills in the ratios.
fn compare_with_baseline(rows: &mut [GrowthRow]) {
    let Some(baseline) = rows.iter().position(|row| row.segments == BASELINE) else { return };
    let stages: [fn(&mut GrowthRow) -> &mut StageCost; 3] =
        [|row| &mut row.world, |row| &mut row.plan, |row| &mut row.check];
    for stage in stages {
        let seconds = stage(&mut rows[baseline]).seconds_a_segment.max(1e-12);
        rows.iter_mut().map(stage).for_each(|cost| cost.ratio = Some(cost.seconds_a_segment / seconds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(seconds: f64) -> CourseCost {
        CourseCost {
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
    fn ratios_compare_time_per_segment() {
        let mut rows = [
            GrowthRow::new(1, &[cost(1.0), cost(2.0)]),
            GrowthRow::new(10, &[cost(5.0)]),
            GrowthRow::new(100, &[cost(60.0)]),
        ];
        compare_with_baseline(&mut rows);
        let ratios = |stage: fn(&GrowthRow) -> &StageCost| rows.each_ref().map(|row| stage(row).ratio.unwrap());
        assert_eq!(ratios(|row| &row.world), [3.0, 1.0, 1.2]);
        assert_eq!(ratios(|row| &row.plan), [3.0, 1.0, 1.2]);
        assert_eq!((rows[0].courses, rows[0].tried_a_segment, rows[2].tried_a_segment), (2, 40.0, 0.4));
    }

    #[test]
    fn without_the_baseline_there_are_no_ratios() {
        let mut rows = [GrowthRow::new(1, &[cost(1.0)]), GrowthRow::new(100, &[cost(60.0)])];
        compare_with_baseline(&mut rows);
        assert!(rows.iter().all(|row| row.plan.ratio.is_none()));
        let line = rows[1].text();
        let expected = "100 1 1 1 60.00 600 - 120.00 1200 - 180.00 1800 - 0.400 25.0 - -";
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn the_shortest_time_of_all_rounds_counts() {
        let mut first = cost(2.0);
        first.keep_shorter(&cost(1.0));
        first.keep_shorter(&cost(3.0));
        assert_eq!((first.world_seconds, first.plan_seconds, first.check_seconds), (1.0, 2.0, 6.0));
    }
}
