//! Clips: properties of refined motions.

mod common;

use std::ops::ControlFlow;
use std::path::Path;

use clamber::check::quality::quality;
use clamber::check::{CheckSettings, check_motion};
use clamber::clip::{ClipError, ClipSettings, refine};
use clamber::io::{parse_motion, parse_scene, to_bvh, to_motion_json};
use clamber::model::motion::ContactSpan;
use clamber::model::{Contact, Motion, Problem};
use clamber::plan::PlanSettings;
use common::{plan, scene};

const SCENES: [(&str, u64); 3] = [("walk", 1), ("climb", 1), ("swing", 2)];

struct Planned {
    name: &'static str,
    problem: Problem,
    motion: Motion,
}

impl Planned {
    fn clip(&self, speed: f32) -> Motion {
        let mut settings = ClipSettings::default();
        settings.speed_curve = vec![(0.0, speed)];
        refine(&self.problem, &self.motion, &settings).unwrap().motion
    }

    fn clip_at(&self, frames_per_second: f32) -> Motion {
        let mut settings = ClipSettings::default();
        settings.frames_per_second = frames_per_second;
        refine(&self.problem, &self.motion, &settings).unwrap().motion
    }
}

fn planned() -> impl Iterator<Item = Planned> {
    SCENES.into_iter().map(|(name, seed)| planned_problem(name, scene(name).problem, seed))
}

fn planned_problem(name: &'static str, problem: Problem, seed: u64) -> Planned {
    let outcome = plan(&problem, &PlanSettings::default(), seed, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None, "{name}");
    Planned { name, problem, motion: outcome.motion }
}

#[test]
fn clips_are_valid_and_do_not_slip() {
    for planned in planned() {
        let clip = planned.clip(1.0);
        let report = check_motion(&planned.problem, &clip, &CheckSettings::default());
        assert!(report.passed(), "{}:\n{report}", planned.name);
        for mode in quality(&planned.problem, &clip).unwrap().modes {
            assert!(mode.max_slip_mm < 1.0, "{}: {} slips by {} mm", planned.name, mode.mode, mode.max_slip_mm);
        }
    }
}

/// Frame rates of stop motion, film, video, screens and fast screens.
const FRAME_RATES: [f32; 6] = [12.0, 24.0, 25.0, 30.0, 60.0, 240.0];

#[test]
fn clips_of_any_frame_rate_are_valid_and_last_equally_long() {
    for planned in planned() {
        let duration = planned.clip(1.0).duration();
        for rate in FRAME_RATES {
            let clip = planned.clip_at(rate);
            let report = check_motion(&planned.problem, &clip, &CheckSettings::default());
            assert!(report.passed(), "{} at {rate}:\n{report}", planned.name);
            // The last frame is the first one at or after the end.
            let longer = (clip.duration() - duration).abs();
            assert!(longer < 1.0 / rate + 0.05 * duration, "{} at {rate}: {longer} s", planned.name);
        }
    }
}

#[test]
fn a_clip_keeps_equilibrium_if_its_motion_does() {
    for name in ["walk", "climb", "crawl"] {
        let problem = scene(name).problem;
        let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
        assert_eq!(outcome.failure, None, "{name}");
        assert!(outcome.motion.in_equilibrium, "{name}");
        let planned = Planned { name, problem, motion: outcome.motion };
        // At low rates the last frame of a contact is well before its end.
        for rate in [24.0, 120.0] {
            let report = check_motion(&planned.problem, &planned.clip_at(rate), &CheckSettings::default());
            assert!(report.property("equilibrium").is_some(), "{name}");
            assert!(report.passed(), "{name} at {rate}:\n{report}");
        }
    }
}

#[test]
fn clips_of_stairs_are_valid_at_the_rates_of_film_and_video() {
    let stairs = r#"
version = 1
name = "stairs"
character = "figure"
bounds = { min = [0, -1], max = [6, 4] }
[[obstacle]]
name = "stairs"
polygon = [
    [-1, -1], [-1, 0], [2.5, 0], [2.5, 0.18], [2.8, 0.18], [2.8, 0.36], [3.1, 0.36], [3.1, 0.54], [3.4, 0.54], [3.4, 0.72],
    [7, 0.72], [7, -1],
]
holds = { every = 0.15, types = ["load-bearing"] }
[start]
position = [1.0, 0.91]
contacts = { left_foot = [0.9, 0], right_foot = [1.2, 0] }
mode = "walking"
[goal]
position = [4.6, 1.63]
contacts = { left_foot = [4.5, 0.72], right_foot = [4.8, 0.72] }
mode = "walking"
"#;
    let missing = |_: &Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    let problem = parse_scene(Path::new("stairs.toml"), stairs.as_bytes(), &missing).unwrap().problem;
    let planned = planned_problem("stairs", problem, 1);
    for rate in [24.0, 30.0] {
        let report = check_motion(&planned.problem, &planned.clip_at(rate), &CheckSettings::default());
        assert!(report.passed(), "at {rate}:\n{report}");
    }
}

#[test]
fn a_contact_is_released_in_a_frame_in_which_the_body_is_balanced() {
    // The human shifts its weight for as long as it must, and lifts the foot at once.
    let planned = planned_problem("walk-human", scene("walk-human").problem, 1);
    for rate in [12.0, 24.0] {
        let report = check_motion(&planned.problem, &planned.clip_at(rate), &CheckSettings::default());
        assert!(report.passed(), "at {rate}:\n{report}");
    }
}

#[test]
fn what_interpolation_adds_between_frames_is_reported_apart() {
    for planned in planned() {
        let mut clip = planned.clip_at(12.0);
        let report = |clip: &Motion| check_motion(&planned.problem, clip, &CheckSettings::default());
        let apart = |at_frames: &str, between: &str, clip: &Motion| {
            let report = report(clip);
            [at_frames, between].map(|property| report.property(property).unwrap().clone())
        };
        for (at_frames, between) in [("slip", "slip-between"), ("penetration", "penetration-between")] {
            let [at_frames, between] = apart(at_frames, between, &clip);
            // At 12 frames per second, the limit between frames is greater by g t² / 8.
            assert!((between.limit - at_frames.limit - 9.81 / 144.0 / 8.0).abs() < 1e-4, "{between}");
            assert!(between.worst >= at_frames.worst, "{at_frames}\n{between}");
        }
        let [at_frames, between] = apart("slip", "slip-between", &clip);
        assert!(at_frames.worst < 1e-4 && between.worst > 1e-3, "{}: {at_frames}\n{between}", planned.name);
        // The same frames in a twentieth of the time leave no room for it.
        clip.frames.iter_mut().for_each(|frame| frame.time /= 20.0);
        let [at_frames, between] = apart("slip", "slip-between", &clip);
        assert!(at_frames.passed && !between.passed, "{}: {between}", planned.name);
        // A plan gets no such allowance.
        clip.is_clip = false;
        let report = report(&clip);
        assert!(!report.property("slip").unwrap().passed && report.property("slip-between").is_none(), "{report}");
    }
}

#[test]
fn frame_times_are_multiples_of_the_frame_interval() {
    for planned in planned() {
        for rate in FRAME_RATES {
            let clip = planned.clip_at(rate);
            for (index, frame) in clip.frames.iter().enumerate() {
                let time = (index as f64 / f64::from(rate)) as f32;
                assert_eq!(frame.time, time, "{} at {rate}, frame {index}", planned.name);
            }
        }
    }
}

#[test]
fn a_bvh_file_has_the_exact_frame_time_of_the_clip() {
    for planned in planned() {
        for rate in FRAME_RATES {
            let clip = planned.clip_at(rate);
            let text = to_bvh(&planned.problem.character, &clip).unwrap();
            let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim();
            let frame_time: f64 = value("Frame Time:").parse().unwrap();
            assert_eq!(frame_time, 1.0 / f64::from(rate), "{} at {rate}", planned.name);
            assert_eq!(value("Frames:"), clip.frames.len().to_string(), "{} at {rate}", planned.name);
        }
    }
}

#[test]
fn a_clip_is_not_refined_again() {
    for planned in planned() {
        let clip = planned.clip(1.0);
        assert!(clip.is_clip && !planned.motion.is_clip);
        let again = refine(&planned.problem, &clip, &ClipSettings::default());
        assert_eq!(again, Err(ClipError::AlreadyRefined));
        // Also after it was written to a file.
        let json = to_motion_json(&planned.problem, &clip).unwrap();
        let read = parse_motion(Path::new("clip.json"), json.as_bytes(), &planned.problem).unwrap();
        assert!(read.is_clip, "{}", planned.name);
    }
}

#[test]
fn the_limit_that_slows_a_fast_clip_is_reported() {
    for planned in planned() {
        let mut settings = ClipSettings::default();
        settings.speed_curve = vec![(0.0, 20.0)];
        let clip = refine(&planned.problem, &planned.motion, &settings).unwrap();
        assert!(clip.motion.duration() > 2.0 * clip.duration_without_limits, "{}", planned.name);
        assert!(clip.binding_limit.is_some(), "{}", planned.name);
        settings.speed_curve = vec![(0.0, 0.1)];
        let clip = refine(&planned.problem, &planned.motion, &settings).unwrap();
        assert!(clip.motion.duration() < 1.1 * clip.duration_without_limits, "{}", planned.name);
    }
}

#[test]
fn contacts_are_those_of_the_plan_in_the_same_order() {
    let contacts = |motion: &Motion| -> Vec<Contact> { motion.contacts.iter().map(|span| span.contact).collect() };
    for planned in planned() {
        let clip = planned.clip(1.0);
        assert_eq!(contacts(&clip), contacts(&planned.motion), "{}", planned.name);
        let begin: Vec<usize> = clip.contacts.iter().map(|span: &ContactSpan| span.first_frame).collect();
        assert!(begin.is_sorted(), "{}: {begin:?}", planned.name);
        let modes = |motion: &Motion| motion.mode_spans.iter().map(|span| span.mode.clone()).collect::<Vec<_>>();
        assert_eq!(modes(&clip), modes(&planned.motion), "{}", planned.name);
    }
}

#[test]
fn twice_the_speed_is_shorter_and_half_the_speed_longer() {
    for planned in planned() {
        let [slow, natural, fast] = [0.5, 1.0, 2.0].map(|speed| planned.clip(speed).duration());
        // Speed and acceleration limits may prevent twice the speed but not half.
        assert!(fast < natural && slow > 1.6 * natural, "{}: {slow} {natural} {fast}", planned.name);
    }
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    for planned in planned() {
        let [a, b] = [0, 1].map(|_| to_motion_json(&planned.problem, &planned.clip(1.0)).unwrap());
        assert!(a == b, "{}", planned.name);
    }
}

#[test]
fn a_motion_of_one_frame_is_returned_unchanged() {
    for mut planned in planned() {
        planned.motion = planned.motion.prefix_to_frame(0);
        assert_eq!(planned.motion.frames.len(), 1);
        assert_eq!(planned.clip(1.0), planned.motion, "{}", planned.name);
    }
}

/// Lengths scale with the body and times with the square root of its size (dynamic similarity).
#[test]
fn a_motion_scaled_by_four_gives_the_clip_scaled_by_four_in_twice_the_time() {
    for planned in planned() {
        let clip = planned.clip(1.0);
        let (problem, motion) = (planned.problem.scaled(4.0).unwrap(), planned.motion.scaled(4.0).unwrap());
        let mut settings = ClipSettings::default();
        settings.frames_per_second /= 2.0;
        let scaled = refine(&problem, &motion, &settings).unwrap().motion;
        assert_eq!(
            (&scaled.mode_spans, scaled.frames.len()),
            (&clip.mode_spans, clip.frames.len()),
            "{}",
            planned.name
        );
        for (small, large) in clip.frames.iter().zip(&scaled.frames) {
            assert!((large.time - 2.0 * small.time).abs() < 1e-4, "{}: {} {}", planned.name, small.time, large.time);
            let (small, large) = (&small.configuration, &large.configuration);
            let offset = (large.root.translation - 4.0 * small.root.translation).length();
            assert!(offset < 1e-4, "{}: {offset} m", planned.name);
            for (small, large) in small.angles.iter().zip(&large.angles) {
                assert!((small - large).abs() < 1e-4, "{}: {small} {large}", planned.name);
            }
        }
    }
}
