//! Quality metrics of synthetic motions with known values.

mod common;

use std::ops::ControlFlow;

use clamber::check::quality::{GaitMetric, Quality, compare_with_reference, quality, with_evenly_spaced_times};
use clamber::model::id::{EffectorId, HoldId};
use clamber::model::math::{Vec3, sin_cos};
use clamber::model::motion::{ContactSpan, Frame, ModeSpan, Motion};
use clamber::model::{Configuration, Contact, Problem};
use clamber::plan::PlanSettings;
use clamber::problem_with_hands_and_feet;
use common::{ground, plan, scene_without_feet};

const RATE: f32 = 60.0;
const STEP_LENGTH: f32 = 0.6;
const STEP_TIME: f32 = 0.5;
const DUTY: f32 = 0.62;

fn problem() -> Problem {
    let places: Vec<f32> = (0..24).map(|i| STEP_LENGTH * i as f32).collect();
    ground(&places, "").problem
}

fn frame_at(time: f32) -> usize {
    (time * RATE).round() as usize
}

/// Walks at 1.2 m/s: the root rises and falls by 4 cm with each step, hip joints swing through 40 degrees, knees through 60.
fn walk(problem: &Problem, steps: usize) -> Motion {
    let character = &problem.character;
    let count = frame_at(STEP_TIME * (steps + 1) as f32);
    let hinge = |name: &str| character.find_hinge(name).unwrap();
    let frame = |index: usize| {
        let time = index as f32 / RATE;
        let (phase, _) = sin_cos(std::f32::consts::TAU * time / (2.0 * STEP_TIME));
        let (bounce, _) = sin_cos(std::f32::consts::TAU * time / STEP_TIME);
        let mut configuration = Configuration::rest(character);
        configuration.root.translation = Vec3::new(STEP_LENGTH / STEP_TIME * time, 0.9 + 0.02 * bounce, 0.0);
        configuration.angles[hinge("left_hip")] = (20.0 * phase).to_radians();
        configuration.angles[hinge("right_hip")] = (-20.0 * phase).to_radians();
        configuration.angles[hinge("left_knee")] = (-35.0 + 30.0 * phase).to_radians();
        configuration.angles[hinge("right_knee")] = (-35.0 - 30.0 * phase).to_radians();
        Frame { time, configuration }
    };
    let contact = |step: usize| {
        let effector =
            character.find_effector(if step.is_multiple_of(2) { "left_foot" } else { "right_foot" }).unwrap();
        let first = frame_at(STEP_TIME * step as f32);
        let last = frame_at(STEP_TIME * (step as f32 + 2.0 * DUTY)).min(count);
        let point = Vec3::new(STEP_LENGTH * step as f32, 0.0, 0.0);
        ContactSpan {
            first_frame: first,
            last_frame: last,
            contact: Contact { effector, hold: HoldId::new(step), point, normal: Vec3::Y },
        }
    };
    Motion {
        character: character.name.clone(),
        frames: (0..=count).map(frame).collect(),
        mode_spans: vec![ModeSpan { first_frame: 0, last_frame: count, mode: "walking".to_owned() }],
        contacts: (0..=steps).map(contact).collect(),
        is_clip: false,
        in_equilibrium: false,
    }
}

fn metric<'a>(quality: &'a Quality, name: &str) -> &'a GaitMetric {
    quality.gait.metrics.iter().find(|metric| metric.name == name).unwrap()
}

fn value(quality: &Quality, name: &str) -> f32 {
    metric(quality, name).value.unwrap()
}

#[test]
fn gait_metrics_match_known_steps() {
    let problem = problem();
    let quality = quality(&problem, &walk(&problem, 12)).unwrap();
    // Of twelve steps, the first and the last are left out.
    assert_eq!(quality.gait.steps, 10);
    let near = |name: &str, expected: f32, within: f32| {
        let value = value(&quality, name);
        assert!((value - expected).abs() <= within, "{name}: {value}, not {expected}\n{quality}");
    };
    near("step length", STEP_LENGTH, 1e-4);
    near("cadence", 120.0, 0.1);
    near("speed", 1.2, 1e-3);
    near("duty factor", DUTY, 0.02);
    near("knee range", 60.0, 0.1);
    near("hip range", 40.0, 0.1);
    // The root's four centimeters, and the contribution of the legs.
    near("rise", 4.0, 1.0);
}

#[test]
fn gait_metrics_come_with_normative_ranges_at_that_speed() {
    let problem = problem();
    let normal = quality(&problem, &walk(&problem, 12)).unwrap();
    for name in ["cadence", "speed", "duty factor", "knee range", "hip range", "rise"] {
        let metric = metric(&normal, name);
        let adults = metric.adults.unwrap_or_else(|| panic!("{name}: nothing is published"));
        assert!(adults.contains(metric.value.unwrap()) && !adults.source.is_empty(), "{metric:?}");
    }
    // The same steps in twice the time: the cadence is unusual for such long steps, and knees have no published range.
    let walked = walk(&problem, 12);
    let slow = quality(&problem, &with_evenly_spaced_times(&walked, 2.0 * walked.duration())).unwrap();
    assert!(!metric(&slow, "cadence").adults.is_some_and(|adults| adults.contains(value(&slow, "cadence"))));
    assert_eq!(metric(&slow, "knee range").adults, None);
}

#[test]
fn too_few_steps_give_no_gait() {
    let problem = problem();
    let quality = quality(&problem, &walk(&problem, 4)).unwrap();
    assert_eq!(quality.gait.steps, 2);
    assert!(quality.gait.metrics.iter().all(|metric| metric.value.is_none()), "{quality}");
    assert!(quality.to_string().contains("n/a"));
}

#[test]
fn root_metrics_do_not_depend_on_frame_times() {
    let problem = problem();
    let motion = walk(&problem, 12);
    let mut uneven = motion.clone();
    // Drops every fifth frame; spans and contacts do not matter here.
    uneven.contacts.clear();
    let mut index = 0;
    uneven.frames.retain(|_| {
        index += 1;
        index % 5 != 3
    });
    uneven.mode_spans[0].last_frame = uneven.frames.len() - 1;
    let [even, uneven] = [&motion, &uneven].map(|motion| quality(&problem, motion).unwrap().modes.remove(0));
    // A sine of 2 cm at 2 Hz has an RMS jerk of 0.02 (2 tau)^3 / sqrt(2).
    let rate = 2.0 * std::f32::consts::TAU;
    let expected = 0.02 * rate * rate * rate / 2f32.sqrt();
    assert!((even.root_jerk_rms.unwrap() / expected - 1.0).abs() < 0.1, "{:?}, not {expected}", even.root_jerk_rms);
    assert!((even.root_mean_speed - 1.2).abs() < 0.05 && even.root_top_speed < 1.3, "{even:?}");
    assert!((uneven.root_top_speed / even.root_top_speed - 1.0).abs() < 0.02, "{uneven:?}");
}

#[test]
fn compare_reports_more_jerk_for_a_jerky_reference() {
    let problem = problem();
    let smooth = walk(&problem, 12);
    let mut jerky = smooth.clone();
    for (index, frame) in jerky.frames.iter_mut().enumerate() {
        frame.configuration.root.translation.y += if index % 20 < 10 { 0.01 } else { 0.0 };
    }
    let this = quality(&problem, &smooth).unwrap();
    let comparison = compare_with_reference(&problem, &this, smooth.duration(), &jerky).unwrap();
    let ratio = comparison.ratios[0].jerk.unwrap();
    assert!(ratio < 0.5, "{comparison}");
    assert!(comparison.to_string().contains("walking"));
}

/// A body that flies along x for two seconds at this frame rate; `position` is its x at a time.
fn flight(problem: &Problem, rate: f32, position: impl Fn(f32) -> f32) -> Motion {
    let configuration = |index: usize| {
        let mut configuration = Configuration::rest(&problem.character);
        configuration.root.translation = Vec3::new(position(index as f32 / rate), 1.5, 0.0);
        configuration
    };
    let configurations = (0..=(2.0 * rate) as usize).map(configuration).collect();
    Motion::from_configurations(&problem.character.name, "flying", configurations, rate)
}

fn jump(problem: &Problem, motion: &Motion) -> f32 {
    quality(problem, motion).unwrap().modes.remove(0).velocity_jump
}

#[test]
fn jumps_measure_changes_of_velocity_at_frames() {
    let problem = problem();
    let near = |motion: &Motion, expected: f32| {
        let jump = jump(&problem, motion);
        assert!((jump - expected).abs() < 0.01, "{jump}, not {expected}");
    };
    // A step from one meter per second to three, at any frame rate.
    let sudden = |time: f32| if time < 1.0 { time } else { 3.0 * time - 2.0 };
    near(&flight(&problem, 30.0, sudden), 2.0);
    near(&flight(&problem, 120.0, sudden), 2.0);
    near(&flight(&problem, 480.0, sudden), 2.0);
    // Acceleration of 6 m/s2: per frame at low frame rates, per 1/120 s at high ones.
    let steady = |time: f32| 3.0 * time * time;
    near(&flight(&problem, 30.0, steady), 6.0 / 30.0);
    near(&flight(&problem, 120.0, steady), 6.0 / 120.0);
    near(&flight(&problem, 480.0, steady), 6.0 / 120.0);
    // Uneven frames of a uniform motion have no jumps.
    let mut uneven = flight(&problem, 120.0, |time| time);
    let mut index = 0;
    uneven.frames.retain(|_| {
        index += 1;
        index % 5 != 3
    });
    uneven.mode_spans[0].last_frame = uneven.frames.len() - 1;
    near(&uneven, 0.0);
}

#[test]
fn impacts_are_no_jumps_and_any_point_counts() {
    let problem = problem();
    let mut motion = flight(&problem, 120.0, |time| if time < 1.0 { time } else { 1.0 });
    assert!(jump(&problem, &motion) > 0.9);
    let contact = Contact { effector: EffectorId::new(0), hold: HoldId::new(0), point: Vec3::ZERO, normal: Vec3::Y };
    motion.contacts.push(ContactSpan { first_frame: 120, last_frame: 240, contact });
    assert!(jump(&problem, &motion) < 0.01, "{}", jump(&problem, &motion));
    // An arm begins to turn while the root rests.
    let shoulder = problem.character.find_hinge("left_shoulder").unwrap();
    for (index, frame) in motion.frames.iter_mut().enumerate().skip(180) {
        frame.configuration.angles[shoulder] += 0.01 * (index - 180) as f32;
    }
    // At 1.2 radians per second, about 0.6 m from the hand.
    let quality = quality(&problem, &motion).unwrap();
    let mode = &quality.modes[0];
    assert!((0.4..1.0).contains(&mode.velocity_jump), "{mode:?}");
    assert_eq!((mode.velocity_jump_time, mode.velocity_jump_link.as_str()), (1.5, "left_forearm"));
}

/// Feet roll: heels land before the ankles touch down, and toes leave after them.
#[test]
fn the_duty_factor_of_feet_exceeds_that_of_ankles() {
    let problem = scene_without_feet("walk").problem;
    let motion = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(())).motion;
    let ankles = quality(&problem, &motion).unwrap();
    let (whole, shown) = problem_with_hands_and_feet(&problem, &motion);
    let feet = ankles.clone().with_gait_of_motion(&whole, &shown);
    let [ankles_duty, feet_duty] = [&ankles, &feet].map(|quality| value(quality, "duty factor"));
    assert!(feet_duty > ankles_duty && feet_duty < 1.0, "{ankles_duty} and {feet_duty}");
    for name in ["step length", "cadence", "knee range", "hip range", "rise"] {
        assert!((value(&ankles, name) - value(&feet, name)).abs() < 1e-3, "{name}");
    }
    // With the ground half a meter lower, only the contact counts.
    let mut lifted = shown.clone();
    for span in &mut lifted.contacts {
        span.contact.point.y -= 0.5;
    }
    let lifted = ankles.clone().with_gait_of_motion(&whole, &lifted);
    assert_eq!(value(&lifted, "duty factor"), ankles_duty);
}

#[test]
fn slip_and_clearance_are_measured() {
    let problem = problem();
    let mut motion = walk(&problem, 6);
    let quality_of = |motion: &Motion| quality(&problem, motion).unwrap().modes.remove(0);
    // The legs' angles are synthetic, so feet slip.
    assert!(quality_of(&motion).max_slip_mm > 10.0);
    motion.contacts.clear();
    for frame in &mut motion.frames {
        frame.configuration.root.translation.y += 1.0;
    }
    let high = quality_of(&motion);
    assert!(high.max_slip_mm == 0.0 && high.min_clearance_mm > 800.0, "{high:?}");
}
