//! What the command understands.

use std::path::PathBuf;

use clamber::draw::View;
use clamber::plan::Planner;
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
    /// Write a motion in another format: .json or .bvh.
    Convert(ConvertArgs),
    /// Draw a motion as .svg, .png or .gif.
    Draw(DrawArgs),
    /// Plan scenes for many seeds and print a table.
    Bench(BenchArgs),
}

/// Which search looks for the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlannerArg {
    /// `rpp` where the start holds on to something, `flight` where it does not.
    Auto,
    /// Through the air, without contacts.
    Flight,
    /// On holds, by the published grasp-based algorithm.
    Rpp,
}

impl From<PlannerArg> for Planner {
    fn from(planner: PlannerArg) -> Self {
        match planner {
            PlannerArg::Auto => Self::Auto,
            PlannerArg::Flight => Self::Flight,
            PlannerArg::Rpp => Self::Rpp,
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The scene to plan in, a .toml file.
    pub scene: PathBuf,
    /// Where to write: .json or .bvh for the motion, .svg or .png for a filmstrip, .gif for an animation. May be
    /// repeated.
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
    /// Print the outcome as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write the outputs also when the goal was not reached, as far as the motion got.
    #[arg(long)]
    pub partial: bool,
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
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// A scene of the character that moves.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Where to write: .json or .bvh. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The scene that the motion was planned for.
    pub scene: PathBuf,
    /// The motion, a .json or .bvh file.
    pub motion: PathBuf,
    /// Where to write: .svg or .png for a filmstrip, .gif for an animation. May be repeated.
    #[arg(short, long = "output", value_name = "FILE", required = true)]
    pub outputs: Vec<PathBuf>,
    /// The side to look from: right, left, front, back, top, oblique, or HEADING,ELEVATION in degrees.
    #[arg(long, value_name = "SIDE", allow_hyphen_values = true)]
    pub view: Option<View>,
    /// The picture's width in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=4096))]
    pub width: Option<u32>,
    /// The number of poses in a filmstrip.
    #[arg(long, value_name = "N")]
    pub poses: Option<usize>,
    /// Show the poses of a filmstrip at the moments when contacts begin; --poses picks among them.
    #[arg(long)]
    pub at_contacts: bool,
    /// Do not mark the holds.
    #[arg(long)]
    pub no_holds: bool,
    /// Name the obstacles.
    #[arg(long)]
    pub labels: bool,
}

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// The scenes to plan in.
    #[arg(required = true)]
    pub scenes: Vec<PathBuf>,
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
    /// Print, below each row, what the checker found at worst, and which mode follows which in how many motions.
    #[arg(long)]
    pub report: bool,
    /// Print the rows as JSON.
    #[arg(long)]
    pub json: bool,
}
