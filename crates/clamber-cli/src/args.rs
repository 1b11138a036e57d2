//! The command line: each flag with its help and its parser.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::str::FromStr;

use clamber::draw::View;
use clamber::plan::Algorithm;
use clap::{Parser, Subcommand, ValueEnum};

/// Plans motions of animated characters: give it a scene, get a motion.
#[derive(Debug, Parser)]
#[command(
    name = "clamber",
    version,
    after_help = "Exit status: 0 success, 1 the motion is invalid, 2 usage or input error, 3 no plan, 130 cancelled."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a motion from the scene's start to its goal.
    Plan(PlanArgs),
    /// Check a motion, independently of the planner.
    Check(CheckArgs),
    /// Turn a motion into an animation clip: smooth it, add the gait of a walk, and time it.
    Refine(RefineArgs),
    /// Write a motion in another format: .json, .bvh, .glb or .usda.
    Convert(ConvertArgs),
    /// Draw a motion as .svg, .png or .gif.
    Draw(DrawArgs),
    /// Generate a course, for the planar figure or in space for the human, and write it as a scene.
    Generate(GenerateArgs),
    /// Find a single posture: to exert force (get up, push this, pull that), to reach a hold, or to lean.
    Pose(PoseArgs),
    /// Plan scenes with many seeds and print a table.
    Bench(BenchArgs),
}

/// The planners, as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlannerArg {
    /// `flight` if the start has no contacts; otherwise `stance`.
    Auto,
    /// Moves through the air, without contacts.
    Flight,
    /// Moves on holds: best-first search over stances.
    Stance,
    /// Moves on holds: the published grasp-based algorithm.
    Rpp,
    /// A yardstick for `stance`: straight distances instead of its guides' costs, and no lazy evaluation.
    PlainStance,
}

impl From<PlannerArg> for Algorithm {
    fn from(planner: PlannerArg) -> Self {
        match planner {
            PlannerArg::Auto => Self::Auto,
            PlannerArg::Flight => Self::Flight,
            PlannerArg::Stance => Self::Stance,
            PlannerArg::Rpp => Self::Rpp,
            PlannerArg::PlainStance => Self::PlainStance,
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The scene to plan in, a .toml file.
    pub scene: PathBuf,
    /// Output file: .json or .bvh for the motion, .glb or .usda for body, motion and level, .svg or .png for a filmstrip,
    /// .gif for an animation. May be repeated.
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
    /// Seed of the random numbers. The same seed gives the same motion.
    #[arg(long, default_value_t = 1, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// How much seeds differ, from 0 to 1. At 0, all look for the best motion, and many find the same.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number(0.0..=1.0), allow_negative_numbers = true)]
    pub variety: f32,
    /// Plan this many times, with seeds that derive from --seed, and keep the motion of least cost: its seconds, those of crawling,
    /// raised hands, leans backward and deep hips twice, and two for each meter backward.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "from", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number::<u32>(1..=10_000))]
    pub best_of: u32,
    /// The planner to use.
    #[arg(long, value_enum, default_value_t = PlannerArg::Auto)]
    pub planner: PlannerArg,
    /// Forbid contacts with this hold. May be repeated.
    #[arg(long = "forbid", value_name = "HOLD")]
    pub forbidden: Vec<String>,
    /// Require a contact with this hold at some time, of this effector if given. May be repeated.
    #[arg(long = "pin", value_name = "[EFFECTOR=]HOLD")]
    pub pins: Vec<String>,
    /// Replan this motion after an edit of the scene: keep what is still valid and plan the rest. With --at, keep the motion
    /// up to that time.
    #[arg(long, value_name = "MOTION")]
    pub from: Option<PathBuf>,
    /// Time up to which the motion of --from is kept, from 0 to the motion's duration.
    #[arg(long, value_name = "SECONDS", requires = "from", allow_negative_numbers = true)]
    pub at: Option<f32>,
    /// Skip smoothing. Not for the stance planner, which does not smooth.
    #[arg(long)]
    pub raw: bool,
    /// Turn the motion into a clip of 120 frames per second: smooth it, add the gait of a walk, and time it.
    #[arg(long, conflicts_with = "raw")]
    pub refine: bool,
    /// Speed of the clip as a multiple of the natural pace: a number, or a curve over the path such as 0:1,0.5:2,1:1.
    #[arg(long, value_name = "SPEED", default_value = "1", requires = "refine", allow_hyphen_values = true)]
    pub speed: SpeedCurve,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// Do not keep static equilibrium: two to three times faster, but the body leans where nobody could.
    #[arg(long)]
    pub no_equilibrium: bool,
    /// If the goal is not reached, write the partial motion.
    #[arg(long)]
    pub partial: bool,
    /// Do not draw where and why planning failed. The picture is written beside the first output: for out.json, out.why.png.
    #[arg(long)]
    pub no_picture: bool,
    /// Give up after expanding this many configurations.
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub max_expansions: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The scene of the motion.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Judge static equilibrium at every moment, whether the forces that the contacts can bear carry the body, also of motions that
    /// do not claim it.
    #[arg(long)]
    pub equilibrium: bool,
    /// Also measure quality: slip, clearance, speed, jerk and velocity jumps per mode, and the gait beside published data of
    /// adults.
    #[arg(long)]
    pub quality: bool,
    /// Compare with this reference motion, played evenly in the same time; usually a result of `plan --raw`.
    #[arg(long, value_name = "MOTION", requires = "quality")]
    pub against: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct RefineArgs {
    /// The scene of the motion.
    pub scene: PathBuf,
    /// The motion, a .json file.
    pub motion: PathBuf,
    /// Output file: .json, .bvh, .glb or .usda for the clip, .svg or .png for a filmstrip, .gif for an animation. May be
    /// repeated.
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
    /// Speed as a multiple of the natural pace: a number, or a curve over the path such as 0:1,0.5:2,1:1.
    #[arg(long, value_name = "SPEED", default_value = "1", allow_hyphen_values = true)]
    pub speed: SpeedCurve,
    /// Frame rate of the clip.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FRAMES_PER_SECOND)]
    #[arg(value_parser = number(1.0..=1000.0), allow_negative_numbers = true)]
    pub frames_per_second: f32,
}

/// Frame rate of clips.
pub const DEFAULT_FRAMES_PER_SECOND: f32 = 120.0;

/// A speed curve: pairs of a fraction of the path and the speed there.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedCurve(pub Vec<(f32, f32)>);

impl FromStr for SpeedCurve {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || {
            "must be a number from 0.05 to 20, or pairs FRACTION:SPEED such as 0:1,0.5:2 with increasing fractions from 0 to 1"
                .to_owned()
        };
        let number = |text: &str| text.trim().parse::<f32>().ok();
        let speed = |text: &str| number(text).filter(|speed| (0.05..=20.0).contains(speed));
        if let Some(speed) = speed(text) {
            return Ok(Self(vec![(0.0, speed)]));
        }
        let pair = |pair: &str| {
            let (fraction, at) = pair.split_once(':')?;
            Some((number(fraction).filter(|fraction| (0.0..=1.0).contains(fraction))?, speed(at)?))
        };
        let curve: Vec<(f32, f32)> = text.split(',').map(pair).collect::<Option<_>>().ok_or_else(error)?;
        if curve.windows(2).all(|pair| pair[0].0 < pair[1].0) { Ok(Self(curve)) } else { Err(error()) }
    }
}

#[derive(Debug, clap::Args)]
pub struct PoseArgs {
    /// The scene, a .toml file. The body begins where its start is; a goal is not needed.
    pub scene: PathBuf,
    /// Find the contacts with which the body exerts the most force in a direction: up, down, forward, backward, left or right, as the body
    /// faces, or three numbers such as 1,0,0. The root stays where it is.
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["reach", "lean", "through"], conflicts_with_all = ["reach", "lean", "through"])]
    pub task: Option<String>,
    /// Put a limb on a hold, or on a hold of an obstacle; the whole body moves and keeps the contacts of the start.
    #[arg(long, value_name = "NAME", conflicts_with = "lean")]
    pub reach: Option<String>,
    /// Keep the contacts of the start and lean as far as they carry the body, in a direction such as for --task.
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true)]
    pub lean: Option<String>,
    /// Move the root in straight lines through points x,y,z of the world, and make and break contacts on the way. May be repeated.
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, conflicts_with_all = ["reach", "lean"])]
    pub through: Vec<String>,
    /// Push the object in the direction of the task. Without this, an object is pulled.
    #[arg(long, requires = "object")]
    pub push: bool,
    /// The obstacle or hold to push or pull in the direction of the task.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["reach", "lean", "through"])]
    pub object: Option<String>,
    /// The limbs or effectors that may make contact, separated by commas. By default all limbs without contact at the start.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "lean")]
    pub limbs: Vec<String>,
    /// How much ease counts: with 1, a limb at rest is worth 2.7 times the force. 0 gives the greatest force.
    #[arg(long, value_name = "FACTOR", default_value_t = 2.5, value_parser = number(0.0..=100.0), allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["reach", "lean"])]
    pub comfort: f32,
    /// Samples of each limb. More find contacts in narrower places.
    #[arg(long, default_value_t = 100_000, value_parser = whole_number(1..=1_000_000_usize), allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["reach", "lean"])]
    pub samples: usize,
    /// Output file: .json or .bvh for the posture, .glb or .usda for body and level, .svg, .png or .gif for a picture. May be
    /// repeated.
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// A scene with the motion's character. Its obstacles are written to .glb and .usda.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Output file: .json or .bvh for the motion, .glb or .usda for body, motion and level. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The scene of the motion.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Output file: .svg or .png for a filmstrip or a contact sheet, .gif for an animation. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
    /// View direction: right, left, front, back, top, oblique, or HEADING,ELEVATION in degrees.
    #[arg(long, value_name = "SIDE", allow_hyphen_values = true)]
    pub view: Option<View>,
    /// Width of the picture in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = whole_number::<u32>(64..=4096), allow_negative_numbers = true)]
    pub width: Option<u32>,
    /// Number of poses in a filmstrip or a contact sheet.
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>(1..=10_000), allow_negative_numbers = true)]
    pub poses: Option<usize>,
    /// Show poses at the times when contacts begin. --poses selects among them.
    #[arg(long)]
    pub at_contacts: bool,
    /// Do not mark the holds.
    #[arg(long)]
    pub no_holds: bool,
    /// Label the obstacles.
    #[arg(long)]
    pub labels: bool,
    /// Draw a contact sheet (.svg or .png): poses in panels above a timeline of modes and contacts.
    #[arg(long)]
    pub sheet: bool,
    /// Show the motion from this time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::<f32>, allow_negative_numbers = true)]
    pub from: Option<f32>,
    /// Show the motion up to this time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::<f32>, allow_negative_numbers = true)]
    pub to: Option<f32>,
    /// Show the whole path in every picture of an animation instead of following the body.
    #[arg(long)]
    pub whole: bool,
}

/// The built-in character that courses in the plane are made for.
const COURSE_CHARACTER: &str = "figure";

/// The built-in character that courses in space are made for.
const SPATIAL_COURSE_CHARACTER: &str = "human";

/// Most triangles of the land around a course in space.
const MAX_SURROUNDINGS: usize = 1_000_000;

/// Longest course: a scene file with more segments is too large to be read.
const MAX_SEGMENTS: u64 = 2000;

#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    /// Seed of the random numbers. The same seed gives the same course.
    #[arg(long, default_value_t = 1, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Number of segments.
    #[arg(long, default_value_t = 8, value_parser = whole_number(1..=MAX_SEGMENTS), allow_negative_numbers = true)]
    pub segments: u64,
    /// Generate a course in space, for the human: its segments turn, rise and fall.
    #[arg(long)]
    pub space: bool,
    /// From 0 (easy) to 1 (hard). Courses in space have none.
    #[arg(long, default_value_t = 0.5, value_parser = number(0.0..=1.0), allow_negative_numbers = true)]
    #[arg(conflicts_with = "space")]
    pub difficulty: f32,
    /// Make one segment impassable (in the plane gap, crawl, wall-up or bars; in space stairs-up, beam, crawl or sidle). The
    /// scene's table `broken` says which.
    #[arg(long)]
    pub impossible: bool,
    /// Kinds of segments to choose from, separated by commas. All by default. In space, `walking` and `climbing` stand for all
    /// kinds without and with climbing.
    #[arg(long, value_delimiter = ',')]
    pub kinds: Vec<String>,
    /// The character of the scene: a built-in name or a file.
    #[arg(long, value_name = "CHARACTER", default_value = COURSE_CHARACTER)]
    #[arg(default_value_if("space", "true", SPATIAL_COURSE_CHARACTER))]
    pub character: PathBuf,
    /// Put land of this many triangles around a course in space. Its mesh is written beside the scene: for out.toml,
    /// out-surroundings.obj.
    #[arg(long, value_name = "TRIANGLES", requires = "space", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number::<usize>(2..=MAX_SURROUNDINGS))]
    pub surroundings: Option<usize>,
    /// Output file, a .toml scene.
    #[arg(short, long, value_name = "SCENE")]
    pub output: PathBuf,
}

/// Numbers of segments, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRange {
    pub min: usize,
    pub max: usize,
}

impl FromStr for SegmentRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        match (min.parse(), max.parse()) {
            (Ok(min), Ok(max)) if 1 <= min && min <= max && max as u64 <= MAX_SEGMENTS => Ok(Self { min, max }),
            _ => Err(format!("must be a whole number or a range such as 5..20, from 1 to {MAX_SEGMENTS}")),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// The scenes to plan.
    #[arg(required_unless_present = "courses", conflicts_with = "courses")]
    pub scenes: Vec<PathBuf>,
    /// Plan this many generated courses instead, once each. Every fifth of them is impossible.
    #[arg(long, value_name = "N", group = "courses", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number(1..=u64::MAX))]
    pub generated: Option<u64>,
    /// Plan generated courses of these numbers of segments instead, and compare time per segment with courses of 10
    /// segments.
    #[arg(long, value_name = "SEGMENTS", group = "courses", num_args = 0..=1, value_delimiter = ',')]
    #[arg(default_missing_value = "1,10,100,1000", value_parser = whole_number(1..=MAX_SEGMENTS))]
    #[arg(allow_negative_numbers = true)]
    pub growth: Option<Vec<u64>>,
    /// Generate courses in space, for the human.
    #[arg(long, requires = "generated")]
    pub space: bool,
    /// Numbers of segments of generated courses, both ends included. In space 5..10 by default.
    #[arg(long, value_name = "FROM..TO", default_value = "5..20", requires = "generated", allow_hyphen_values = true)]
    #[arg(default_value_if("space", "true", "5..10"))]
    pub segments: SegmentRange,
    /// The first seed: of a scene, or of the generated courses.
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number(0..=u64::MAX))]
    pub seeds_from: u64,
    /// Kinds of segments of generated courses, separated by commas. In space, `walking` and `climbing` stand for all kinds without
    /// and with climbing.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', requires = "courses")]
    pub kinds: Vec<String>,
    /// The character of generated courses: a built-in name or a file.
    #[arg(long, value_name = "CHARACTER", default_value = COURSE_CHARACTER, requires = "courses")]
    #[arg(default_value_if("space", "true", SPATIAL_COURSE_CHARACTER))]
    pub character: PathBuf,
    /// Write the generated courses into this folder.
    #[arg(long, value_name = "FOLDER", requires = "generated")]
    pub keep: Option<PathBuf>,
    /// The planner to use.
    #[arg(long, value_enum, default_value_t = PlannerArg::Auto)]
    pub planner: PlannerArg,
    /// Number of seeds.
    #[arg(long, default_value_t = 100, conflicts_with = "courses", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number(1..=u64::MAX))]
    pub seeds: u64,
    /// Scale characters and worlds by this factor first.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, conflicts_with = "courses")]
    #[arg(value_parser = number(0.01..=100.0), allow_negative_numbers = true)]
    pub scale: f32,
    /// Change the scene at random for each seed: sizes by up to 3%, start and goal by up to 5 cm, holds by up to 5 cm along their
    /// surface. Scenes that the reader rejects are listed; more than 1% of them count as unsolved.
    #[arg(long, conflicts_with_all = ["courses", "clips", "slice_time"])]
    pub jitter: bool,
    /// Do not keep static equilibrium: two to three times faster, but the body leans where nobody could.
    #[arg(long)]
    pub no_equilibrium: bool,
    /// How much seeds differ, from 0 to 1. At 0, all look for the best motion, and many find the same.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number(0.0..=1.0), allow_negative_numbers = true)]
    pub variety: f32,
    /// Number of plans that run in parallel.
    #[arg(long, default_value_t = 1, conflicts_with = "growth", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number::<usize>(1..=1024))]
    pub threads: usize,
    /// Disable backtracking: descents and random walks only.
    #[arg(long)]
    pub no_backtracking: bool,
    /// Give up after expanding this many configurations.
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub max_expansions: Option<u64>,
    /// Stop a plan after this time and count it as unsolved. Which seeds are affected depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::<f64>, allow_negative_numbers = true)]
    pub max_seconds: Option<f64>,
    /// Plan in slices of this many expansions. The motions are the same.
    #[arg(long, value_name = "N", conflicts_with_all = ["courses", "clips"], allow_negative_numbers = true)]
    #[arg(value_parser = whole_number(1..=u64::MAX))]
    pub slices: Option<u64>,
    /// Plan in slices of this many milliseconds, and measure the thread time that each takes. The motions are the same.
    #[arg(long, value_name = "MS", conflicts_with_all = ["courses", "clips", "slices", "speed", "against", "report"])]
    #[arg(value_parser = number(0.1..=1000.0), allow_negative_numbers = true)]
    pub slice_time: Option<f32>,
    /// Turn every motion into a clip, check the clips, and compare the time with planning.
    #[arg(long, conflicts_with = "growth")]
    pub clips: bool,
    /// Frame rate of the clips.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FRAMES_PER_SECOND, requires = "clips")]
    #[arg(value_parser = number(1.0..=1000.0), allow_negative_numbers = true)]
    pub frames_per_second: f32,
    /// Turn every motion into a clip and measure how the body carries itself: raised hands, leans, deep hips, steps backward, stops.
    #[arg(long, conflicts_with_all = ["courses", "jitter", "clips", "slices", "slice_time", "speed", "against", "report"])]
    pub quality: bool,
    /// Print a second table: planning time compared with the duration of the motion and with collision checks of its frames,
    /// and per 30 contacts.
    #[arg(long, conflicts_with_all = ["courses", "clips"])]
    pub speed: bool,
    /// Plan each seed with this planner too, and add the ratio of the median times to the second table.
    #[arg(long, value_enum, value_name = "PLANNER", conflicts_with_all = ["courses", "clips"])]
    pub against: Option<PlannerArg>,
    /// Print, below each row, the worst value of each checked property and the number of mode transitions.
    #[arg(long, conflicts_with = "growth")]
    pub report: bool,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
}

impl BenchArgs {
    /// The seeds of a scene.
    pub fn seed_range(&self) -> Range<u64> {
        self.seeds_from..self.seeds_from.saturating_add(self.seeds)
    }
}

/// Parses a number of seconds.
fn seconds<T: Copy + FromStr + Into<f64>>(text: &str) -> Result<T, String> {
    let seconds = text.parse().ok().filter(|seconds: &T| (0.0..f64::INFINITY).contains(&(*seconds).into()));
    seconds.ok_or_else(|| "must be a number of seconds, 0 or more".to_owned())
}

/// A parser of numbers in a range.
fn number(range: RangeInclusive<f32>) -> impl Fn(&str) -> Result<f32, String> + Clone {
    in_range("number", range)
}

/// A parser of whole numbers in a range.
fn whole_number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    in_range("whole number", range)
}

fn in_range<T>(noun: &'static str, range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    move |text| {
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| format!("must be a {noun} from {} to {}", range.start(), range.end()))
    }
}
