//! The checker on stances, facing and edges: planned motions and their clips pass; each property fails once the motion or the
//! mode table is changed.

mod common;

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use clamber::check::{CheckSettings, Report, check_motion};
use clamber::clip::{ClipSettings, refine};
use clamber::model::mode_table::{Condition, Effect};
use clamber::model::motion::TURNING_MODE;
use clamber::model::world::HoldType;
use clamber::model::{ModeTable, Motion, Problem};
use clamber::plan::{Algorithm, PlanSettings};
use common::{plan, read, scene, settings};

type Solved = (Problem, Motion);

fn solved(problem: Problem, settings: &PlanSettings) -> Solved {
    let outcome = plan(&problem, settings, 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None, "{}", problem.name);
    (problem, outcome.motion)
}

static WALK: LazyLock<Solved> = LazyLock::new(|| solved(scene("walk").problem, &PlanSettings::default()));
/// Planned without equilibrium: with it, the table has more edges that let go of a hand or take another hold.
static CLIMB: LazyLock<Solved> = LazyLock::new(|| {
    let mut settings = PlanSettings::default();
    settings.equilibrium = false;
    solved(scene("climb").problem, &settings)
});

/// A walk that begins with the back to the goal.
static TURN: LazyLock<Solved> = LazyLock::new(|| {
    let problem = walk_scene("[start]\n", "[start]\nfacing = \"left\"\n");
    solved(problem, &PlanSettings::default())
});

/// A walk through a deep bend and a hop with given contacts.
static HOP: LazyLock<Solved> = LazyLock::new(|| {
    let passages = r#"
[[passage]]
name = "a deep bend"
postures = [
    { position = [2.1, 0.7], contacts = { left_foot = [1.92, 0], right_foot = [2.27, 0] }, angles = { left_hip = 60, right_hip = 60, left_knee = -90, right_knee = -90 } },
]

[[passage]]
name = "hop"
mode = "sliding"
seconds = 1
postures = [
    { position = [3.5, 0.85], contacts = { left_foot = [3.32, 0], right_foot = [3.67, 0] }, mode = "walking" },
    { position = [4.0, 1.2], angles = { left_knee = -50, right_knee = -50, left_hip = 30, right_hip = 40 } },
    { position = [4.5, 0.85], contacts = { left_foot = [4.37, 0], right_foot = [4.72, 0] }, mode = "walking" },
]

[goal]
"#;
    solved(walk_scene("[goal]\n", passages), &PlanSettings::default())
});

fn walk_scene(part: &str, other: &str) -> Problem {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/walk.toml");
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(part).count(), 1);
    let character = |text: String| text.replace("../characters/", "");
    read(&character(text.replace(part, other))).problem
}

fn report((problem, motion): &Solved) -> Report {
    check_motion(problem, motion, &CheckSettings::default())
}

/// Requires that a property fails, and that its place contains the text.
fn fails(case: &Solved, property: &str, place: &str) {
    let report = report(case);
    let result = report.property(property).unwrap();
    assert!(!result.passed && result.worst_place.contains(place), "{report}");
}

/// A solved problem with another mode table.
fn with_table((problem, motion): &Solved, change: impl FnOnce(&mut ModeTable)) -> Solved {
    let mut problem = problem.clone();
    change(Arc::make_mut(problem.modes.as_mut().unwrap()));
    (problem, motion.clone())
}

/// A solved problem with another motion.
fn with_motion((problem, motion): &Solved, change: impl FnOnce(&mut Motion)) -> Solved {
    let mut motion = motion.clone();
    change(&mut motion);
    (problem.clone(), motion)
}

fn edge<'t>(table: &'t mut ModeTable, name: &str) -> &'t mut clamber::model::mode_table::Edge {
    table.edges.iter_mut().find(|edge| edge.name == name).unwrap()
}

fn foot_steps(motion: &Motion) -> Vec<usize> {
    (0..motion.contacts.len()).filter(|&index| motion.contacts[index].first_frame > 0).collect()
}

#[test]
fn planned_motions_and_their_clips_pass() {
    for case in [&*WALK, &*CLIMB, &*TURN, &*HOP] {
        let clip = refine(&case.0, &case.1, &ClipSettings::default()).unwrap().motion;
        for motion in [&case.1, &clip] {
            let report = check_motion(&case.0, motion, &CheckSettings::default());
            for property in ["start-stance", "goal-stance", "facing", "edges"] {
                assert!(report.property(property).is_some_and(|result| result.passed), "{report}");
            }
        }
    }
    assert!(TURN.1.mode_spans.iter().any(|span| span.mode == TURNING_MODE));
    assert!(report(&HOP).property("passage-stance").unwrap().passed);
    assert_eq!(report(&WALK).property("passage-stance"), None);
}

#[test]
fn motions_of_the_published_planner_pass() {
    for name in ["walk", "climb", "swing", "crawl"] {
        let rpp = settings(|settings| settings.algorithm = Algorithm::Rpp);
        let report = report(&solved(scene(name).problem, &rpp));
        assert!(report.property("edges").is_some_and(|result| result.passed), "{name}: {report}");
    }
}

#[test]
fn start_stance_and_goal_stance_fail_when_a_contact_is_missing_or_another() {
    let late = with_motion(&WALK, |motion| motion.contacts[0].first_frame = 1);
    fails(&late, "start-stance", "is missing");
    let last = |motion: &Motion| {
        let end = motion.frames.len() - 1;
        motion.contacts.iter().rposition(|span| span.last_frame == end).unwrap()
    };
    let early = with_motion(&WALK, |motion| {
        let contact = last(motion);
        motion.contacts[contact].last_frame -= 1;
    });
    fails(&early, "goal-stance", "is missing");
    let moved = with_motion(&WALK, |motion| {
        let contact = last(motion);
        motion.contacts[contact].contact.point.x += 0.01;
    });
    fails(&moved, "goal-stance", "");
    let other = with_motion(&WALK, |motion| {
        let surplus = clamber::model::Contact { hold: motion.contacts[0].contact.hold, ..motion.contacts[2].contact };
        let end = motion.frames.len() - 1;
        motion.contacts.push(clamber::model::motion::ContactSpan {
            first_frame: end,
            last_frame: end,
            contact: surplus,
        });
    });
    fails(&other, "edges", "takes");
}

#[test]
fn start_stance_fails_for_a_motion_that_only_flies() {
    let flight = with_motion(&WALK, |motion| {
        motion.contacts.clear();
        motion.mode_spans = vec![clamber::model::motion::ModeSpan {
            first_frame: 0,
            last_frame: motion.frames.len() - 1,
            mode: "flying".to_owned(),
        }];
    });
    fails(&flight, "start-stance", "left_foot");
}

#[test]
fn passage_stance_fails_when_a_contact_is_not_kept() {
    // The contacts of the bend end before it.
    let (problem, motion) = &*HOP;
    let bend = &problem.passages[0].motion;
    let frame = motion.frames.iter().position(|frame| frame.configuration == bend.frames[0].configuration).unwrap();
    let early = with_motion(&HOP, |motion| {
        for span in motion.contacts.iter_mut().filter(|span| span.first_frame < frame && span.last_frame >= frame) {
            span.last_frame = frame - 1;
        }
    });
    fails(&early, "passage-stance", "frame 0 of passage `a deep bend`");
    // The landing is on other contacts than those of the hop.
    let end = problem.passages[1].motion.stance_at_frame(problem.passages[1].motion.frames.len() - 1);
    let elsewhere = with_motion(&HOP, |motion| {
        for span in motion.contacts.iter_mut().filter(|span| span.contact.point == end[0].point) {
            span.contact.point.x += 0.05;
        }
    });
    fails(&elsewhere, "passage-stance", "passage `hop`");
}

#[test]
fn facing_fails_when_the_body_turns_outside_a_turn_or_not_by_half_a_revolution() {
    let unnamed = with_motion(&TURN, |motion| {
        motion.mode_spans.iter_mut().for_each(|span| span.mode = "walking".to_owned());
    });
    fails(&unnamed, "facing", "the facing changes");
    // There and back.
    let back = with_motion(&TURN, |motion| {
        let turn = motion.mode_spans.iter().find(|span| span.mode == TURNING_MODE).unwrap().clone();
        let rotations: Vec<_> = motion.frames[turn.first_frame..=turn.last_frame]
            .iter()
            .map(|frame| frame.configuration.root.rotation)
            .collect();
        for (index, frame) in motion.frames[turn.first_frame..=turn.last_frame].iter_mut().enumerate() {
            let mirrored = index.min(rotations.len() - 1 - index);
            frame.configuration.root.rotation = rotations[mirrored];
        }
    });
    fails(&back, "facing", "instead of 180");
}

#[test]
fn edges_fails_without_the_edge_that_a_motion_takes() {
    let without = |case: &Solved, name: &str| {
        with_table(case, |table| {
            let edge = edge(table, name);
            // An edge that changes nothing.
            edge.holds_to_take.clear();
            edge.effects.clear();
        })
    };
    fails(&without(&WALK, "step"), "edges", "takes effector `");
    fails(&without(&CLIMB, "hand up"), "edges", "_hand` on hold `");
    // The turn is one of the last steps. With a goal elsewhere it needs an edge.
    let mut elsewhere = TURN.clone();
    elsewhere.0.goal.stance.iter_mut().for_each(|contact| contact.point.x += 20.0);
    let without_turn = with_table(&elsewhere, |table| {
        table.edges.iter_mut().for_each(|edge| edge.effects.retain(|effect| *effect != Effect::TurnAround));
    });
    fails(&without_turn, "edges", "goes on in mode `turning`");
    assert!(!report(&elsewhere).property("edges").unwrap().worst_place.contains("`turning`"));
}

#[test]
fn edges_fails_when_a_hold_is_not_one_that_the_edge_takes() {
    let step = |change: fn(&mut clamber::model::mode_table::HoldToTake)| {
        with_table(&WALK, |table| change(&mut edge(table, "step").holds_to_take[0]))
    };
    assert!(report(&step(|_| ())).property("edges").unwrap().passed);
    fails(&step(|take| take.types = vec![HoldType::Pendent]), "edges", "takes");
    fails(&step(|take| take.min_separations[0].by = 3.0), "edges", "takes");
    let groups = with_table(&WALK, |table| {
        let hands = table.find_effector_group("hands").unwrap();
        edge(table, "step").holds_to_take[0].groups = vec![hands];
    });
    fails(&groups, "edges", "takes");
}

#[test]
fn edges_fails_when_a_precondition_on_contacts_is_not_met() {
    let stuck = with_table(&WALK, |table| {
        let knees = table.find_effector_group("knees").unwrap();
        edge(table, "step").preconditions.push(Condition::AllInContact(knees));
    });
    fails(&stuck, "edges", "takes");
    let stuck = with_table(&WALK, |table| {
        edge(table, "step").preconditions.push(Condition::AnyContactOnType(HoldType::Pendent));
    });
    fails(&stuck, "edges", "takes");
}

#[test]
fn edges_fails_when_a_contact_is_released_without_an_edge() {
    // A hand lets go of the wall before the next hold is taken.
    let (_, motion) = &*CLIMB;
    let climbing = motion.mode_spans.iter().find(|span| span.mode == "climbing").unwrap();
    let hand = |span: &clamber::model::motion::ContactSpan| {
        CLIMB.0.character.effectors[span.contact.effector].name.ends_with("hand")
    };
    let held = motion.contacts.iter().position(|span| {
        hand(span)
            && span.first_frame > climbing.first_frame
            && span.last_frame < climbing.last_frame
            && span.last_frame > span.first_frame + 4
    });
    let dropped = with_motion(&CLIMB, |motion| {
        let span = &mut motion.contacts[held.unwrap()];
        span.last_frame = (span.first_frame + span.last_frame) / 2;
    });
    fails(&dropped, "edges", "releases effector `");
}

#[test]
fn edges_fails_when_the_mode_changes_without_an_edge() {
    let renamed = with_motion(&WALK, |motion| {
        let last = motion.frames.len() - 1;
        let span = |first: usize, last: usize, mode: &str| clamber::model::motion::ModeSpan {
            first_frame: first,
            last_frame: last,
            mode: mode.to_owned(),
        };
        let steps = foot_steps(motion);
        let middle = motion.contacts[steps[steps.len() / 2]].first_frame + 1;
        motion.mode_spans = vec![span(0, middle, "walking"), span(middle, last, "climbing")];
    });
    fails(&renamed, "edges", "goes on in mode `climbing`");
    let started_otherwise = with_motion(&WALK, |motion| {
        motion.mode_spans.iter_mut().for_each(|span| span.mode = "crawling".to_owned());
    });
    fails(&started_otherwise, "edges", "`crawling`");
}
