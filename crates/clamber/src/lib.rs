//! Give Clamber a world, a character and a goal. It returns a motion: which hand, foot or knee goes where, in which posture,
//! and when.
//!
//! ```
//! use clamber::{Planner, Scene};
//!
//! let scene = Scene::builtin("walk")?;
//! let plan = Planner::new(scene.problem).seed(1).run()?;
//! assert!(plan.check_report.passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - A [`Problem`] holds a [`World`], a [`Character`], a start and a goal. Read it with a [`Scene`], or build it in code.
//! - A [`Planner`] solves it, in one run or in counted slices, and returns a [`Plan`] or a [`PlanError`] that says why.
//!   It returns only motions that pass the check; `plan::Planner` leaves the check out.
//! - [`refine`] turns the planned [`Motion`] into a [`Clip`] with flow, gait and timing.
//! - [`pose`] finds a single posture: to get up, to push or to pull with the most force, to reach a hold, or to lean.
//! - [`check_motion`] judges a motion without seeing the planner, and returns a [`Report`].
//!
//! Worlds and characters are immutable and shared, so any number of plans may run at once, each on its own thread. The
//! same problem, settings and seed give the same motion, byte for byte.
//!
//! # Features
//!
//! - `io` (default): scene, character and motion files, glTF, USD and BVH; the built-in scenes; generated courses.
//! - `draw` (default): pose overlays, contact timelines and animations.
//! - `serde`: `Serialize` for reports and statistics.

#[cfg(feature = "io")]
pub mod course;
mod add_hands_and_feet;
#[cfg(feature = "draw")]
mod draw_impasse;
mod planner;
mod pose;

pub use clamber_check as check;
pub use clamber_clip as clip;
#[cfg(feature = "draw")]
pub use clamber_draw as draw;
#[cfg(feature = "io")]
pub use clamber_io as io;
pub use clamber_model as model;
pub use clamber_plan as plan;
pub use clamber_posture as posture;

#[cfg(feature = "io")]
pub use add_hands_and_feet::read_bvh_without_hands_and_feet;
pub use add_hands_and_feet::{problem_with_hands_and_feet, problem_with_hands_and_feet_with_progress};
pub use clamber_check::{CheckSettings, Report, check_motion};
pub use clamber_clip::{Clip, ClipError, ClipObserver, ClipProgress, ClipSettings, refine, refine_with_progress};
#[cfg(feature = "io")]
pub use clamber_io::{FileError, Scene};
pub use clamber_model::{Character, Configuration, Contact, ModeTable, Motion, Problem, World};
pub use clamber_plan::{Algorithm, CancelToken, Failure, GuideMemory, PlanSettings, Progress, Statistics};
#[cfg(feature = "draw")]
pub use draw_impasse::draw_impasse;
pub use planner::{Plan, PlanError, Planner};
pub use pose::{Pose, PoseError, PoseOutcome, PoseRequest, PoseTask, pose};
