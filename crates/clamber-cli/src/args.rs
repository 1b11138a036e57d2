//! What the command understands.

use std::path::PathBuf;
use std::str::FromStr;

use clamber::course::Kind;
use clamber::draw::View;
use clamber::plan::Algorithm;
use clap::{Parser, Subcommand, ValueEnum};

/// Give it a world, a character and a goal, and it returns a motion.
#[derive(Debug, Parser)]
#[command(
    name = "clamber",
    version,
    after_help = "Exit status: 0 done, 1 the motion is invalid, 2 bad use or input, 3 no plan."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a motion from the scene's start to its goal.
    Plan(PlanArgs),
    /// Judge a motion, independently of the planner.
    Check(CheckArgs),
    /// Make a clip of a motion: with flow, the gait of a walk, and time.
    Refine(RefineArgs),
    /// Write a motion in another format: .json, .bvh, .glb or .usda.
    Convert(ConvertArgs),
    /// Draw a motion as .svg, .png or .gif.
    Draw(DrawArgs),
    /// Make a course for the figure and write it as a scene.
    Generate(GenerateArgs),
    /// Plan scenes for many seeds and print a table.
    Bench(BenchArgs),
}

/// Which search looks for the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlannerArg {
    /// `flight` where the start holds on to nothing, otherwise `stance`, or `rpp` for characters that move in space.
    Auto,
    /// Through the air, without contacts.
    Flight,
    /// On holds, by an informed search over stances.
    Stance,
    /// On holds, by the published grasp-based algorithm.
    Rpp,
}

impl From<PlannerArg> for Algorithm {
    fn from(planner: PlannerArg) -> Self {
        match planner {
            PlannerArg::Auto => Self::Auto,
            PlannerArg::Flight => Self::Flight,
            PlannerArg::Stance => Self::Stance,
            PlannerArg::Rpp => Self::Rpp,
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The scene to plan in, a .toml file.
    pub scene: PathBuf,
    /// Where to write: .json or .bvh for the motion, .glb or .usda for body, motion and level, .svg or .png for a
    /// filmstrip, .gif for an animation. May be repeated.
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
    /// One seed, one motion.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Which search looks for the motion.
    #[arg(long, value_enum, default_value_t = PlannerArg::Auto)]
    pub planner: PlannerArg,
    /// Let nothing hold on to the hold of this name. May be repeated.
    #[arg(long = "forbid", value_name = "HOLD")]
    pub forbidden: Vec<String>,
    /// Have an effector, this one if given, hold on to the hold of this name at some moment. May be repeated.
    #[arg(long = "pin", value_name = "[EFFECTOR=]HOLD")]
    pub pins: Vec<String>,
    /// Keep what is still good of this motion, which was made before the scene was edited, and plan the rest anew; with
    /// --at, keep it up to that moment.
    #[arg(long, value_name = "MOTION")]
    pub from: Option<PathBuf>,
    /// The moment, in seconds, up to which the motion of --from is kept.
    #[arg(long, value_name = "SECONDS", requires = "from")]
    pub at: Option<f32>,
    /// Leave the motion as it was found, without the filters that smooth it.
    #[arg(long)]
    pub raw: bool,
    /// Make a clip of the motion, with flow, the gait of a walk, and time: 120 frames a second.
    #[arg(long, conflicts_with = "raw")]
    pub refine: bool,
    /// How fast the clip is, as a multiple of the natural pace: a number, or a curve along the way such as 0:1,0.5:2,1:1.
    #[arg(long, value_name = "SPEED", default_value = "1", requires = "refine")]
    pub speed: SpeedCurve,
    /// Print the outcome as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write the outputs also when the goal was not reached, as far as the motion got.
    #[arg(long)]
    pub partial: bool,
    /// Draw no picture of the place where every way ends. It is drawn beside the first output: for out.json, out.why.png.
    #[arg(long)]
    pub no_picture: bool,
    /// Configurations to try before giving up.
    #[arg(long, value_name = "N")]
    pub max_expansions: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The scene that the motion was planned for.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Say how good the motion is besides: slip, clearance, speed, jerk and jumps for each mode, and how it walks beside what is
    /// published of adults.
    #[arg(long)]
    pub quality: bool,
    /// Measure this motion too, played evenly in the same time, and compare: mostly one of `plan --raw`.
    #[arg(long, value_name = "MOTION", requires = "quality")]
    pub against: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct RefineArgs {
    /// The scene that the motion was planned for.
    pub scene: PathBuf,
    /// The motion, a .json file.
    pub motion: PathBuf,
    /// Where to write: .json, .bvh, .glb or .usda for the clip, .svg or .png for a filmstrip, .gif for an animation. May be
    /// repeated.
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
    /// How fast, as a multiple of the natural pace: a number, or a curve along the way such as 0:1,0.5:2,1:1.
    #[arg(long, value_name = "SPEED", default_value = "1")]
    pub speed: SpeedCurve,
    /// How many frames make a second.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FRAMES_PER_SECOND, value_parser = frames_per_second)]
    pub frames_per_second: f32,
}

/// How many frames of a clip make a second.
pub const DEFAULT_FRAMES_PER_SECOND: f32 = 120.0;

fn frames_per_second(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (1.0..=1000.0).contains(number));
    number.ok_or_else(|| "it is a number from 1 to 1000".to_owned())
}

/// Pairs of a share of the way and the speed there.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedCurve(pub Vec<(f32, f32)>);

impl FromStr for SpeedCurve {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "it is a number from 0.05 to 20, or pairs such as 0:1,0.5:2 whose shares rise from 0 to 1".to_owned();
        let number = |text: &str| text.trim().parse::<f32>().ok();
        let speed = |text: &str| number(text).filter(|speed| (0.05..=20.0).contains(speed));
        if let Some(speed) = speed(text) {
            return Ok(Self(vec![(0.0, speed)]));
        }
        let pair = |pair: &str| {
            let (share, at) = pair.split_once(':')?;
            Some((number(share).filter(|share| (0.0..=1.0).contains(share))?, speed(at)?))
        };
        let curve: Vec<(f32, f32)> = text.split(',').map(pair).collect::<Option<_>>().ok_or_else(wrong)?;
        if curve.windows(2).all(|pair| pair[0].0 < pair[1].0) { Ok(Self(curve)) } else { Err(wrong()) }
    }
}

#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// A scene of the character that moves; .glb and .usda show its obstacles.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Where to write: .json or .bvh for the motion, .glb or .usda for body, motion and level. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The scene that the motion was planned for.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Where to write: .svg or .png for a filmstrip or a contact sheet, .gif for an animation. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
    /// The side to look from: right, left, front, back, top, oblique, or HEADING,ELEVATION in degrees.
    #[arg(long, value_name = "SIDE", allow_hyphen_values = true)]
    pub view: Option<View>,
    /// The picture's width in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=4096))]
    pub width: Option<u32>,
    /// The number of poses in a filmstrip or a contact sheet.
    #[arg(long, value_name = "N")]
    pub poses: Option<usize>,
    /// Show the poses at the moments when contacts begin; --poses picks among them.
    #[arg(long)]
    pub at_contacts: bool,
    /// Do not mark the holds.
    #[arg(long)]
    pub no_holds: bool,
    /// Name the obstacles.
    #[arg(long)]
    pub labels: bool,
    /// Draw a contact sheet: poses in panels, and below them the modes and the contacts over time. As .svg or .png.
    #[arg(long)]
    pub sheet: bool,
    /// Show the motion from this moment on.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = moment)]
    pub from: Option<f32>,
    /// Show the motion up to this moment.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = moment)]
    pub to: Option<f32>,
    /// Show all of the way in every picture of an animation, however long it is, rather than to go along with the body.
    #[arg(long)]
    pub whole: bool,
}

fn moment(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "it is a number of seconds from the motion's beginning".to_owned())
}

/// The built-in character that courses are made for.
const CHARACTER: &str = "figure";

/// The most segments of a course: the file of one with more could not be read.
const MOST_SEGMENTS: u64 = 2000;

#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    /// One seed, one course.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many segments it has.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=MOST_SEGMENTS))]
    pub segments: u64,
    /// From 0, easy, to 1, hard.
    #[arg(long, default_value_t = 0.5, value_parser = difficulty)]
    pub difficulty: f32,
    /// Break one segment, a gap, crawl, wall-up or bars, so that there is no way; the scene's table `broken` says where.
    #[arg(long)]
    pub impossible: bool,
    /// Choose from these kinds of segments only, with commas between.
    #[arg(long, value_delimiter = ',')]
    pub kinds: Vec<Kind>,
    /// The character of the scene: a built-in name or a file.
    #[arg(long, value_name = "CHARACTER", default_value = CHARACTER)]
    pub character: PathBuf,
    /// Where to write the scene, a .toml file.
    #[arg(short, long, value_name = "SCENE")]
    pub output: PathBuf,
}

fn difficulty(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

/// How many segments courses have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRange {
    pub least: usize,
    pub most: usize,
}

impl FromStr for SegmentRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 1 <= least && least <= most && most as u64 <= MOST_SEGMENTS => {
                Ok(Self { least, most })
            }
            _ => Err(format!("it is a number, or two such as 5..20, from 1 to {MOST_SEGMENTS}")),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// The scenes to plan in.
    #[arg(required_unless_present = "courses", conflicts_with = "courses")]
    pub scenes: Vec<PathBuf>,
    /// Plan once in each of so many generated courses instead, every fifth of which cannot be solved.
    #[arg(long, value_name = "N", group = "courses", value_parser = clap::value_parser!(u64).range(1..))]
    pub generated: Option<u64>,
    /// Plan in generated courses of so many segments instead, and print what one segment takes in each length, beside that
    /// in courses of 10.
    #[arg(long, value_name = "SEGMENTS", group = "courses", num_args = 0..=1, value_delimiter = ',')]
    #[arg(default_missing_value = "1,10,100,1000", value_parser = clap::value_parser!(u64).range(1..=MOST_SEGMENTS))]
    pub growth: Option<Vec<u64>>,
    /// How many segments generated courses have: from one number to another, both included.
    #[arg(long, value_name = "FROM..TO", default_value = "5..20", requires = "generated")]
    pub segments: SegmentRange,
    /// The seed of the first generated course.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "courses")]
    pub seeds_from: u64,
    /// Generate courses of these kinds of segments only, with commas between.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', requires = "courses")]
    pub kinds: Vec<Kind>,
    /// The figure's file, for generated courses.
    #[arg(long, value_name = "FILE", default_value = CHARACTER, requires = "courses")]
    pub character: PathBuf,
    /// Write the generated courses into this folder.
    #[arg(long, value_name = "FOLDER", requires = "generated")]
    pub keep: Option<PathBuf>,
    /// Which search looks for the motions.
    #[arg(long, value_enum, default_value_t = PlannerArg::Auto)]
    pub planner: PlannerArg,
    /// How many seeds, from 1.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,
    /// Plans at once; they share one world.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Allow no going back: descent and random walks alone.
    #[arg(long)]
    pub no_backtracking: bool,
    /// Configurations to try before giving up.
    #[arg(long, value_name = "N")]
    pub max_expansions: Option<u64>,
    /// Stop a plan that takes longer, and count it as unsolved. Which seeds that meets depends on the machine.
    #[arg(long, value_name = "SECONDS")]
    pub max_seconds: Option<f64>,
    /// Have the stance planner try so many configurations at a time; the motions are the same. Other planners take no
    /// notice.
    #[arg(long, value_name = "N", conflicts_with = "courses", value_parser = clap::value_parser!(u64).range(1..))]
    pub slices: Option<u64>,
    /// Refine every motion that is found, check the clips, and print how long that takes beside planning.
    #[arg(long, conflicts_with = "growth")]
    pub clips: bool,
    /// Print a second table: how long motions play, and what planning takes beside that, beside the collision checks of
    /// their frames, and for 30 contacts.
    #[arg(long)]
    pub speed: bool,
    /// Plan each seed with this planner too, right after the other, and print how many times longer it takes, at the
    /// median, in the second table.
    #[arg(long, value_enum, value_name = "PLANNER")]
    pub against: Option<PlannerArg>,
    /// Print, below each row, what the checker found at worst, and which mode follows which in how many motions.
    #[arg(long)]
    pub report: bool,
    /// Print the rows as JSON.
    #[arg(long)]
    pub json: bool,
}
