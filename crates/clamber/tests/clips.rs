//! Clips: properties of refined motions.

mod common;

use std::ops::ControlFlow;

use clamber::check::quality::quality;
use clamber::check::{CheckSettings, check_motion};
use clamber::clip::{ClipSettings, refine};
use clamber::io::to_motion_json;
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
}

fn planned() -> impl Iterator<Item = Planned> {
    SCENES.into_iter().map(|(name, seed)| {
        let problem = scene(name).problem;
        let outcome = plan(&problem, &PlanSettings::default(), seed, &mut |_| ControlFlow::Continue(()));
        assert_eq!(outcome.failure, None, "{name}");
        Planned { name, problem, motion: outcome.motion }
    })
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

#[test]
fn frames_are_evenly_timed() {
    for planned in planned() {
        let clip = planned.clip(1.0);
        let steps: Vec<f32> = clip.frames.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
        // The last frame is at the end of the motion.
        let (last, even) = steps.split_last().unwrap();
        assert!(even.iter().all(|step| (step - 1.0 / 120.0).abs() < 1e-4), "{}: {even:?}", planned.name);
        assert!(*last > 0.001 && *last < 1.0 / 60.0, "{}: {last}", planned.name);
        assert_eq!(clip.frames[0].time, 0.0);
    }
}

#[test]
fn contacts_are_those_of_the_plan_in_the_same_order() {
    let contacts = |motion: &Motion| -> Vec<Contact> { motion.contacts.iter().map(|span| span.contact).collect() };
    for planned in planned() {
        let clip = planned.clip(1.0);
        assert_eq!(contacts(&clip), contacts(&planned.motion), "{}", planned.name);
        let begin: Vec<usize> = clip.contacts.iter().map(|span: &ContactSpan| span.first).collect();
        assert!(begin.is_sorted(), "{}: {begin:?}", planned.name);
        let modes = |motion: &Motion| motion.spans.iter().map(|span| span.mode.clone()).collect::<Vec<_>>();
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
        let [a, b] = [0, 1].map(|_| to_motion_json(&planned.problem, &planned.clip(1.0)));
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
        assert_eq!((&scaled.spans, scaled.frames.len()), (&clip.spans, clip.frames.len()), "{}", planned.name);
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
