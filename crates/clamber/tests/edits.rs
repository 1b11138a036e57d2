//! Replanning after edits: forbidden holds, pins, and the parts of a motion that are kept.

mod common;

use std::ops::ControlFlow;
use std::path::Path;

use clamber::check::check_motion;
use clamber::io::{parse_motion, parse_scene, to_motion_json};
use clamber::model::id::HoldId;
use clamber::model::motion::ContactSpan;
use clamber::model::problem::Pin;
use clamber::model::{Motion, Problem};
use clamber::plan::{Algorithm, Failure, PlanOutcome, PlanSettings, Planner, Progress};
use common::{ground, places, plan, replan, scene, settings};

/// A seed with which the grasp-based planner continues from the middle of a climb, so that little is replanned.
const SEED: u64 = 2;

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn continued(problem: &Problem, motion: &Motion, time: f32) -> PlanOutcome {
    Planner::new(problem.clone()).settings(rpp()).seed(SEED).replan_from_time(motion, time).into()
}

fn rpp() -> PlanSettings {
    settings(|settings| settings.algorithm = Algorithm::Rpp)
}

/// A shipped scene with a replacement in its text.
fn changed(name: &str, part: &str, other: &str) -> Problem {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{name}.toml"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches(part).count(), 1, "`{part}` should be in {name} once");
    let scene = parse_scene(&file, text.replace(part, other).as_bytes(), &|path| std::fs::read(path));
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem
}

fn good(problem: &Problem, PlanOutcome { motion, failure, .. }: PlanOutcome) -> Motion {
    assert_eq!(failure, None);
    let report = check_motion(problem, &motion, &Default::default());
    assert!(report.passed(), "{report}");
    motion
}

fn planned(problem: &Problem) -> Motion {
    good(problem, plan(problem, &rpp(), SEED, &mut go_on))
}

fn replanned(problem: &Problem, motion: &Motion) -> Motion {
    good(problem, replan(problem, motion, &rpp(), SEED, &mut go_on))
}

/// The number of leading frames in which two motions agree, as files store them, byte for byte.
fn kept(problem: &Problem, one: &Motion, other: &Motion) -> usize {
    let [one, other] = [one, other].map(|motion| {
        let text = to_motion_json(problem, motion).unwrap();
        text.lines().filter(|line| line.starts_with("{\"time\"")).map(ToOwned::to_owned).collect::<Vec<String>>()
    });
    let trimmed = |line: &str| line.trim_end_matches(',').to_owned();
    one.iter().zip(&other).take_while(|(one, other)| trimmed(one) == trimmed(other)).count()
}

/// The last contact on a hold that is used only in the last third of the motion and not by the goal.
fn late_contact(problem: &Problem, motion: &Motion) -> ContactSpan {
    let is_needed = |hold: HoldId| problem.goal.stance.iter().any(|held| held.hold == hold);
    let is_late = |span: &ContactSpan| 3 * span.first_frame > 2 * motion.frames.len();
    let on = |hold: HoldId| motion.contacts.iter().filter(move |span| span.contact.hold == hold);
    let would_do = |span: &&ContactSpan| !is_needed(span.contact.hold) && on(span.contact.hold).all(is_late);
    *motion.contacts.iter().rfind(would_do).expect("it holds on to something there")
}

#[test]
fn forbidden_holds_are_not_used() {
    let mut problem = scene("climb").problem;
    let motion = planned(&problem);
    problem.forbidden_holds = vec![late_contact(&problem, &motion).contact.hold];
    let other = planned(&problem);
    assert!(other.contacts.iter().all(|span| span.contact.hold != problem.forbidden_holds[0]));
}

#[test]
fn a_valid_motion_is_returned_unchanged() {
    for name in ["climb", "crawl"] {
        let problem = scene(name).problem;
        let motion = planned(&problem);
        let outcome = replan(&problem, &motion, &rpp(), SEED, &mut go_on);
        assert_eq!((outcome.failure, outcome.statistics.expansions), (None, 0));
        assert!(outcome.motion == motion);
        // Also after a round trip through a file.
        let read =
            parse_motion(Path::new("m.json"), to_motion_json(&problem, &motion).unwrap().as_bytes(), &problem).unwrap();
        assert!(replan(&problem, &read, &rpp(), SEED, &mut go_on).motion == read, "{name}");
    }
}

#[test]
fn forbidding_a_hold_keeps_the_motion_before_it() {
    let mut problem = scene("climb").problem;
    let motion = planned(&problem);
    let span = late_contact(&problem, &motion);
    problem.forbidden_holds = vec![span.contact.hold];
    let other = replanned(&problem, &motion);
    let kept = kept(&problem, &motion, &other);
    assert!(2 * kept > motion.frames.len() && kept < span.first_frame, "{kept} of {}", motion.frames.len());
    // Contacts that end before the edit are the same.
    let over = |motion: &Motion| -> Vec<ContactSpan> {
        motion.contacts.iter().filter(|span| span.last_frame + 1 < kept).copied().collect()
    };
    assert_eq!(over(&motion), over(&other));
    assert!(!over(&motion).is_empty());
}

#[test]
fn a_new_goal_changes_only_the_end() {
    let problem = scene("walk").problem;
    let motion = planned(&problem);
    let mut nearer = problem.clone();
    // A stance of the motion.
    let frame =
        (0..motion.frames.len()).rev().find(|&frame| motion.frames[frame].configuration.root.translation.x < 5.0);
    nearer.goal = clamber::model::problem::Posture::from_motion_frame(&motion, frame.unwrap());
    let other = replanned(&nearer, &motion);
    let kept = kept(&problem, &motion, &other);
    assert!(2 * kept > frame.unwrap() && kept <= frame.unwrap() + 1, "{kept} of {frame:?}");
    let back = replanned(&problem, &other);
    assert!(self::kept(&problem, &other, &back) > kept / 2);
}

#[test]
fn a_new_start_changes_everything() {
    let problem = scene("walk").problem;
    let motion = planned(&problem);
    let mut later = problem.clone();
    let stands = |frame: &usize| motion.stance_at_frame(*frame).len() == 2;
    let frame = (motion.frames.len() / 2..motion.frames.len()).find(stands).unwrap();
    later.start = clamber::model::problem::Posture::from_motion_frame(&motion, frame);
    let other = replanned(&later, &motion);
    assert_eq!(other.frames[0].configuration, later.start.configuration);
}

#[test]
fn an_added_milestone_is_passed() {
    let milestone = "[[passage]]\nname = \"a deep bend\"\npostures = [{ position = [5.6, 0.7], contacts = { \
                     left_foot = [5.42, 0], right_foot = [5.77, 0] }, angles = { left_hip = 60, right_hip = 60, \
                     left_knee = -90, right_knee = -90 } }]\n\n[goal]";
    let problem = changed("walk", "[goal]", milestone);
    let before = scene("walk").problem;
    let motion = planned(&before);
    let other = replanned(&problem, &motion);
    let kept = kept(&before, &motion, &other);
    let x = motion.frames[kept - 1].configuration.root.translation.x;
    assert!((3.0..5.6).contains(&x), "{x}");
    // Passages that were passed already are not required again.
    assert!(replan(&problem, &other, &rpp(), SEED, &mut go_on).motion == other);
    let before = changed("walk", "[goal]", &milestone.replace("position = [5.6, 0.7]", "position = [5.6, 0.72]"));
    assert!(self::kept(&before, &other, &replanned(&before, &other)) > 10);
}

#[test]
fn a_new_obstacle_on_the_path_is_avoided() {
    let before = scene("walk").problem;
    let motion = planned(&before);
    let bump = "[[obstacle]]\nname = \"bump\"\nbox = { center = [5.2, 0.0], size = [0.1, 0.14] }\n\n[goal]";
    let problem = changed("walk", "[goal]", bump);
    assert!(!check_motion(&problem, &motion, &Default::default()).passed());
    let other = replanned(&problem, &motion);
    let kept = kept(&before, &motion, &other);
    let x = motion.frames[kept - 1].configuration.root.translation.x;
    assert!((2.5..5.2).contains(&x), "{x}");
}

#[test]
fn the_grasp_based_planner_refuses_pins_that_are_not_held() {
    let mut problem = scene("climb").problem;
    let motion = planned(&problem);
    let late = late_contact(&problem, &motion).contact;
    let of =
        |contact: &clamber::model::Contact| Pin { effector: Some(contact.effector), hold: contact.hold, point: None };
    // Pins on contacts of the start and goal need no search.
    problem.pins = vec![of(&problem.start.stance[0]), of(&problem.goal.stance[0])];
    planned(&problem);
    problem.pins.push(of(&late));
    let outcome = plan(&problem, &rpp(), SEED, &mut go_on);
    let hold = problem.world.holds[late.hold].name.clone();
    assert_eq!(outcome.failure, Some(Failure::RequiredHoldsUnsupported { hold }));
    assert!(outcome.failure.unwrap().to_string().contains("--planner stance"));
    // The motion uses the pinned hold.
    assert!(replan(&problem, &motion, &rpp(), SEED, &mut go_on).motion == motion);
    // The kept part uses the pin, so the rest has none and can be planned.
    let early = motion.contacts.iter().find(|span| 4 * span.first_frame > motion.frames.len()).unwrap();
    problem.pins = vec![of(&early.contact)];
    problem.forbidden_holds = vec![late.hold];
    replanned(&problem, &motion);
    let seconds = 0.7 * motion.duration();
    problem.forbidden_holds.clear();
    good(&problem, continued(&problem, &motion, seconds));
    let refused = continued(&problem, &motion, 0.0).failure;
    assert!(matches!(refused, Some(Failure::RequiredHoldsUnsupported { .. })), "{refused:?}");
}

#[test]
fn failed_replanning_attempts_share_one_budget() {
    let mut problem = scene("climb").problem;
    let motion = planned(&problem);
    // The remaining ground has a gap that no foot can cross.
    let is_far = |x: f32| (1.3..2.95).contains(&x);
    let holds = problem.world.holds.iter_enumerated();
    let forbidden = holds.filter(|(_, hold)| is_far(hold.nearest_point(hold.point_at(0.5, 0.5)).x));
    problem.forbidden_holds = forbidden.map(|(index, _)| index).collect();
    let mut settings = rpp();
    settings.max_expansions = 40_000;
    let outcome = replan(&problem, &motion, &settings, SEED, &mut go_on);
    assert!(matches!(outcome.failure, Some(Failure::BudgetSpent { .. })), "{:?}", outcome.failure);
    let spent = outcome.statistics.expansions;
    assert!((39_000..45_000).contains(&spent), "{spent}");
    // A cancelled plan does not start another attempt.
    let mut reports = 0;
    let outcome = replan(&problem, &motion, &settings, SEED, &mut |_| {
        reports += 1;
        ControlFlow::Break(())
    });
    assert_eq!((outcome.failure, reports), (Some(Failure::Cancelled), 1));
}

#[test]
fn a_cancelled_replan_does_not_try_again() {
    let mut problem = scene("gauntlet").problem;
    let motion = good(&problem, plan(&problem, &PlanSettings::default(), SEED, &mut go_on));
    problem.forbidden_holds = vec![motion.contacts[motion.contacts.len() / 2].contact.hold];
    let mut reports = 0;
    let outcome = replan(&problem, &motion, &PlanSettings::default(), SEED, &mut |_| {
        reports += 1;
        ControlFlow::Break(())
    });
    assert_eq!((&outcome.failure, reports), (&Some(Failure::Cancelled), 1));
    assert_eq!(outcome.motion.frames[0], motion.frames[0]);
    let planner = Planner::new(problem).seed(SEED);
    planner.cancel_token().cancel();
    assert_eq!(planner.replan(&motion).unwrap_err().reason, Failure::Cancelled);
}

#[test]
fn a_motion_cut_at_a_time_is_completed() {
    let problem = scene("climb").problem;
    let motion = good(&problem, plan(&problem, &PlanSettings::default(), SEED, &mut go_on));
    for frame in [0, 1, 57, motion.contacts[4].first_frame, motion.contacts[4].last_frame, motion.frames.len() - 1] {
        let mut whole = motion.prefix_to_frame(frame);
        whole.append(&motion.suffix_from_frame(frame));
        assert_eq!(whole.contacts, motion.contacts, "cut at {frame}");
        assert_eq!(whole.mode_spans, motion.mode_spans, "cut at {frame}");
        assert_eq!(whole.frames.len(), motion.frames.len());
        for (one, other) in whole.frames.iter().zip(&motion.frames) {
            assert!(one.configuration == other.configuration && (one.time - other.time).abs() < 1e-4);
        }
    }
}

#[test]
fn the_motion_after_an_edit_is_kept() {
    let mut problem = ground(&places(90, 0.3), "").problem;
    let before = good(&problem, plan(&problem, &PlanSettings::default(), SEED, &mut go_on));
    let span = before.contacts[before.contacts.len() / 2];
    problem.forbidden_holds = vec![span.contact.hold];
    let after = good(&problem, replan(&problem, &before, &PlanSettings::default(), SEED, &mut go_on));
    let pairs = before.frames.iter().rev().zip(after.frames.iter().rev());
    let same = pairs.take_while(|(one, other)| one.configuration == other.configuration).count();
    let rest = before.frames.len() - span.last_frame;
    assert!(2 * same > rest, "of {rest} frames after the edit {same} are as they were");
    assert!(kept(&problem, &before, &after) > span.first_frame / 3);
}
