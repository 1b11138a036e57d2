//! Spreads a plan over the frames of a game, and plays the motion when it is there.
//!
//! Run: `cargo run --release -p clamber --example game_loop`. Look at how little of each frame planning takes.

use std::time::{Duration, Instant};

use clamber::{Motion, PlanError, Planner, Scene};

/// Seconds between two frames of the game.
const FRAME_SECS: f32 = 1.0 / 60.0;

/// Time for planning in one frame. For slices that do not depend on the machine, count configurations with `advance`.
const PLANNING_TIME: Duration = Duration::from_millis(2);

/// A component: it owns all of its data and may move between threads.
enum Climber {
    Planning(Box<Planner>),
    Moving { motion: Motion, time: f32 },
    Stuck(PlanError),
}

impl Climber {
    /// One frame of the game.
    fn update(self) -> Self {
        match self {
            Self::Planning(mut planner) => {
                if !planner.advance_for(PLANNING_TIME) {
                    return Self::Planning(planner);
                }
                match planner.into_result() {
                    Ok(plan) => Self::Moving { motion: plan.motion, time: 0.0 },
                    Err(error) => Self::Stuck(error),
                }
            }
            Self::Moving { motion, time } => Self::Moving { motion, time: time + FRAME_SECS },
            stuck @ Self::Stuck(_) => stuck,
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = Scene::builtin("crawl")?.problem;
    let character = problem.character.clone();
    let mut climber = Climber::Planning(Box::new(Planner::new(problem).seed(1).budget(100_000)));
    for frame in 0..120 {
        let began = Instant::now();
        climber = climber.update();
        match &climber {
            Climber::Planning(_) => println!("frame {frame}: planned for {:.1?}", began.elapsed()),
            Climber::Moving { motion, time } if frame % 20 == 0 => {
                println!("frame {frame}: {} after {time:.2} s", motion.sample(&character, *time).mode);
            }
            Climber::Moving { .. } => {}
            Climber::Stuck(error) => println!("frame {frame}: {error}"),
        }
    }
    Ok(())
}
