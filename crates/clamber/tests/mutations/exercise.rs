//! Gives a case to the library: plan, refine, add hands and feet, check, draw and export.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use clamber::clip::refine_with_progress;
use clamber::draw::{contact_timeline, draw_failure, pose_overlay, render_gif};
use clamber::io::{parse_motion, to_bvh, to_glb, to_motion_json, to_usda};
use clamber::{Algorithm, Motion, Planner, Problem, check_motion, problem_with_hands_and_feet};

use crate::damage_settings::Settings;
use crate::resources::processor_seconds;

/// Processor time that a call may take, in seconds.
const MAX_SECONDS: f64 = 2.0;

/// Configurations that a planner may try.
const BUDGET: u64 = 300;

const ALGORITHMS: [Algorithm; 4] = [Algorithm::Stance, Algorithm::Rpp, Algorithm::Flight, Algorithm::Auto];

/// The input of the library in one case.
pub struct Input {
    pub problem: Problem,
    pub motion: Motion,
    pub settings: Settings,
}

thread_local! {
    /// Where the last panic of this thread was; `None` while panics are not expected.
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Gives the input to every entry point and returns the panics and what took too long.
pub fn exercise(case: u64, input: &Input) -> Vec<String> {
    catch_quietly();
    let Input { problem, motion, settings } = input;
    let mut failures = Vec::new();
    let mut run = |what: &str, call: &mut dyn FnMut()| {
        let mut seconds = f64::INFINITY;
        // Once more where it takes too long: a busy neighbor slows a processor down.
        for _ in 0..2 {
            LAST_PANIC.set(Some(String::new()));
            let start = processor_seconds();
            let result = catch_unwind(AssertUnwindSafe(&mut *call));
            let place = LAST_PANIC.take().unwrap_or_default();
            seconds = seconds.min(processor_seconds() - start);
            if result.is_err() {
                failures.push(format!("{what}: {place}"));
            }
            if seconds <= MAX_SECONDS {
                return;
            }
        }
        failures.push(format!("{what} took {seconds:.1} s"));
    };
    run("plan", &mut || plan(case, input));
    run("refine", &mut || refine_for_a_second(input));
    let mut check = settings.check;
    check.equilibrium = true;
    run("check_motion", &mut || drop(check_motion(problem, motion, &check).to_string()));
    let mut displayed = (problem.clone(), motion.clone());
    run("problem_with_hands_and_feet", &mut || displayed = problem_with_hands_and_feet(problem, motion));
    run("draw", &mut || draw(case, &displayed.0, &displayed.1, settings));
    run("export", &mut || export(case, problem, &displayed.0, &displayed.1, motion));
    failures
}

/// Records panics of this thread instead of printing them.
fn catch_quietly() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if LAST_PANIC.with_borrow(Option::is_none) {
                print(info);
            } else {
                LAST_PANIC.set(Some(info.to_string()));
            }
        }));
    });
}

fn plan(case: u64, input: &Input) {
    let mut settings = input.settings.plan;
    settings.algorithm = ALGORITHMS[case as usize % ALGORITHMS.len()];
    settings.max_expansions = BUDGET;
    let planner =
        Planner::new(input.problem.clone()).settings(settings).check_settings(input.settings.check).seed(case);
    let result = match case / 4 % 3 {
        0 => planner.run(),
        1 => planner.replan(&input.motion),
        _ => planner.replan_from_time(&input.motion, 0.5),
    };
    if let Err(error) = result {
        drop((error.to_string(), error.reason.suggestion()));
    }
}

/// Refines, and cancels after a second: clips of slow or giant bodies are long.
fn refine_for_a_second(input: &Input) {
    let start = processor_seconds();
    drop(refine_with_progress(&input.problem, &input.motion, &input.settings.clip, &mut |_| {
        if processor_seconds() - start < 1.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }));
}

fn draw(case: u64, problem: &Problem, motion: &Motion, settings: &Settings) {
    let mut settings = settings.draw.clone();
    settings.width = settings.width.or(Some(64));
    match case % 4 {
        0 => drop(pose_overlay(problem, motion, &settings).map(|picture| picture.to_svg())),
        1 => drop(contact_timeline(problem, motion, &settings).map(|picture| picture.to_svg())),
        2 => {
            let place = problem.goal.configuration.root.translation;
            drop(draw_failure(problem, motion, place, None, &settings).map(|picture| picture.to_png()));
        }
        _ => {
            // A few frames.
            let mut frames = 0;
            drop(render_gif(problem, motion, &settings, &mut |_| {
                frames += 1;
                if frames < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }));
        }
    }
}

fn export(case: u64, problem: &Problem, displayed: &Problem, motion: &Motion, planned: &Motion) {
    let (character, world) = (&displayed.character, &displayed.world);
    match case % 4 {
        0 => {
            if let Ok(text) = to_motion_json(problem, planned) {
                drop(parse_motion(Path::new("motion.json"), text.as_bytes(), problem));
            }
        }
        1 => drop(to_glb(character, world, motion)),
        2 => drop(to_usda(character, world, motion)),
        _ => drop(to_bvh(character, motion)),
    }
}
