//! Pictures of the reasons for failure.
//!
//! If `CLAMBER_PICTURES` names a folder, the pictures are written there for review.

mod common;

use std::ops::ControlFlow;

use clamber::draw::{DrawSettings, Picture, Shape};
use clamber::draw_impasse;
use clamber::model::math::Vec3;
use clamber::model::world::Hold;
use clamber::model::{Motion, Problem};
use clamber::plan::{Algorithm, Impasse, ImpasseCause, MissingSupport, PlanSettings};
use common::{plan, scene};

/// A scene with the first part of a planned motion.
fn partial_motion(name: &str, fraction: f32) -> (Problem, Motion) {
    let problem = scene(name).problem;
    let mut settings = PlanSettings::default();
    settings.algorithm = Algorithm::Rpp;
    let outcome = plan(&problem, &settings, 1, &mut |_| ControlFlow::Continue(()));
    let motion = outcome.motion.prefix_to_frame((fraction * outcome.motion.frames.len() as f32) as usize);
    (problem, motion)
}

/// The highest hold in use at the end of the motion, and the hold nearest to a point at this offset from it.
fn holds<'a>(problem: &'a Problem, motion: &Motion, offset: Vec3) -> [&'a Hold; 2] {
    let stance = motion.stance_at_frame(motion.frames.len() - 1);
    let contact = stance.iter().max_by(|a, b| a.point.y.total_cmp(&b.point.y)).expect("the motion ends with contacts");
    let wanted = contact.point + offset;
    let distance = |hold: &Hold| (hold.nearest_point(wanted) - wanted).length();
    let to = problem.world.holds.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("there are holds");
    [&problem.world.holds[contact.hold], to]
}

fn draw(problem: &Problem, motion: &Motion, place: Vec3, cause: ImpasseCause, file: &str) -> Picture {
    let mode = motion.mode_at_frame(motion.frames.len() - 1).to_owned();
    let picture = draw_impasse(
        problem,
        motion,
        &Impasse { blocked_position: place, mode, cause, is_proved: false },
        &DrawSettings::default(),
    )
    .unwrap();
    if let Ok(folder) = std::env::var("CLAMBER_PICTURES") {
        std::fs::write(format!("{folder}/{file}.png"), picture.to_png()).expect("the folder is there");
        std::fs::write(format!("{folder}/{file}.svg"), picture.to_svg()).expect("the folder is there");
    }
    picture
}

fn words(picture: &Picture) -> Vec<String> {
    let trouble = picture.shapes.iter().find_map(|shape| match shape {
        Shape::Group { name: "trouble", shapes } => Some(shapes),
        _ => None,
    });
    let text = |shape: &Shape| if let Shape::Text { text, .. } = shape { Some(text.clone()) } else { None };
    trouble.expect("something is marked").iter().filter_map(text).collect()
}

/// An impasse whose second hold is a third farther from the first than the reach.
fn too_far([from, to]: [&Hold; 2]) -> (Vec3, ImpasseCause, [f32; 2]) {
    let (here, there) = (from.nearest_point(Vec3::ZERO), to.nearest_point(Vec3::ZERO));
    let distance = (there - here).length();
    let reach = 0.75 * distance;
    let [from_name, to_name] = [from, to].map(|hold| hold.name.clone());
    let (group, hold_type) = ("feet".to_owned(), to.hold_type);
    (
        there,
        ImpasseCause::TooFar { group, from_hold: from_name, to_hold: to_name, hold_type, distance, reach },
        [distance, reach],
    )
}

#[test]
fn each_cause_is_drawn_with_its_holds_and_obstacles() {
    for (name, share, offset) in [("walk", 0.5, Vec3::new(1.3, 0.0, 0.0)), ("climb", 0.32, Vec3::new(0.0, 1.1, 0.0))] {
        let (problem, motion) = partial_motion(name, share);
        let [from, to] = holds(&problem, &motion, offset);
        let (place, cause, [distance, reach]) = too_far([from, to]);
        let said = words(&draw(&problem, &motion, place, cause, &format!("{name}-too-far")));
        for expected in [&format!("{distance:.2} m"), &format!("reach {reach:.2} m"), &from.name, &to.name] {
            assert!(said.iter().any(|words| words == expected), "{expected} is not in {said:?}");
        }

        let (from_name, to_name) = (from.name.clone(), to.name.clone());
        let cause = ImpasseCause::NoPosture { from_hold: from_name, to_hold: to_name.clone() };
        let said = words(&draw(&problem, &motion, place, cause, &format!("{name}-no-posture")));
        assert_eq!(said, [from.name.as_str(), to.name.as_str()]);

        let obstacle = problem.world.obstacles.last().expect("there are obstacles").name.clone();
        let expected = format!("{obstacle}: 0.21 m");
        let cause =
            ImpasseCause::Blocked { obstacle, link: "head".to_owned(), penetration_depth: 0.21, to_hold: to_name };
        let at = motion.frames[motion.frames.len() - 1].configuration.root.translation + Vec3::new(0.5, 0.4, 0.0);
        let said = words(&draw(&problem, &motion, at, cause, &format!("{name}-blocked")));
        assert_eq!(said, [expected, to.name.clone()]);

        let missing = MissingSupport::Friction { surfaces: vec!["ground".to_owned()], friction: 0.3, sufficient: 0.52 };
        let (effectors, holds) = (vec!["left_foot".to_owned()], vec![to.name.clone()]);
        let cause = ImpasseCause::NotCarried { effectors, holds, missing: vec![missing] };
        let said = words(&draw(&problem, &motion, place, cause, &format!("{name}-not-carried")));
        assert_eq!(said, [format!("{}: friction 0.30, 0.52 would do", to.name)]);
    }
}

#[test]
fn an_impasse_of_a_3d_character_is_drawn() {
    let (problem, motion) = partial_motion("walk-human", 0.5);
    let obstacle = problem.world.obstacles.raw[0].name.clone();
    let cause = ImpasseCause::Blocked {
        obstacle,
        link: "head".to_owned(),
        penetration_depth: 0.21,
        to_hold: problem.world.holds.raw[0].name.clone(),
    };
    let place = motion.frames[motion.frames.len() - 1].configuration.root.translation;
    assert_eq!(words(&draw(&problem, &motion, place, cause, "human-blocked")).len(), 2);
}

#[test]
fn unknown_holds_leave_only_the_ring() {
    let problem = scene("walk").problem;
    let motion = Motion::from_configurations("figure", "walking", vec![problem.start.configuration.clone()], 30.0);
    let place = Vec3::new(1.0, 0.0, 0.0);
    let cause = ImpasseCause::NoPosture { from_hold: "nowhere 1".to_owned(), to_hold: "nowhere 2".to_owned() };
    let picture = draw(&problem, &motion, place, cause, "ringed");
    assert!(words(&picture).is_empty());
    // A motion of one frame shows the body, with its hands.
    let is_pose = |shape: &&Shape| matches!(shape, Shape::Group { name: "pose", .. });
    assert_eq!(picture.shapes.iter().filter(is_pose).count(), 1);
}
