//! Hands and feet that are added to a motion: their contacts, speeds and clearance.

mod common;

use std::ops::ControlFlow;

use clamber::clip::{ClipSettings, refine};
use clamber::model::character::Capsule;
use clamber::model::kinematics::{LinkFrames, capsule_in_world, forward};
use clamber::model::math::{Pose, Rotation, Vec3, acos};
use clamber::model::motion::ContactSpan;
use clamber::model::world::MeshInterior;
use clamber::model::{Motion, Problem};
use clamber::plan::PlanSettings;
use clamber::problem_with_hands_and_feet;
use common::{plan, scene, scene_without_feet};

struct WithHandsAndFeet {
    planned: Motion,
    problem: Problem,
    motion: Motion,
}

/// A planned scene of the figure without feet, to which hands and feet are added.
fn extended_motion(name: &str) -> WithHandsAndFeet {
    extended(scene_without_feet(name).problem)
}

fn extended(problem: Problem) -> WithHandsAndFeet {
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    let (problem, motion) = problem_with_hands_and_feet(&problem, &outcome.motion);
    WithHandsAndFeet { planned: outcome.motion, problem, motion }
}

impl WithHandsAndFeet {
    /// The pose of a link in a frame of the motion.
    fn link(&self, frame: usize, name: &str) -> Pose {
        let mut workspace = LinkFrames::default();
        forward(&self.problem.character, &self.motion.frames[frame].configuration, &mut workspace);
        workspace.world_from_link[self.problem.character.find_link(name).unwrap()]
    }

    /// The lowest points of the heel and of the ball of a foot.
    fn heel_and_ball(&self, frame: usize, foot: &str) -> [f32; 2] {
        let character = &self.problem.character;
        let link = &character.links[character.find_link(foot).unwrap()];
        let Capsule { a, b, radius } = character.capsules[link.capsules.start];
        let pose = self.link(frame, foot);
        [a, b].map(|end| (pose * end).y - radius)
    }

    /// The contacts of feet on level ground.
    fn stands(&self) -> Vec<(ContactSpan, &'static str)> {
        let name = |span: &ContactSpan| self.problem.character.effectors[span.contact.effector].name.clone();
        let feet = ["left_foot", "right_foot"];
        let stand = |span: &ContactSpan| Some((*span, *feet.iter().find(|foot| **foot == name(span))?));
        let level = self.motion.contacts.iter().filter(|span| span.contact.normal.y > 0.99);
        level.filter_map(stand).filter(|(span, _)| self.motion.mode_at_frame(span.first_frame) == "walking").collect()
    }

    /// The greatest penetration of hands and feet, in meters, and its place: during contacts, and at any time.
    fn depths(&self) -> [(f32, String); 2] {
        let character = &self.problem.character;
        let own = scene_links(&self.planned, &self.problem);
        let mut workspace = LinkFrames::default();
        let mut deepest = [(0.0, String::new()), (0.0, String::new())];
        for (index, frame) in self.motion.frames.iter().enumerate() {
            forward(character, &frame.configuration, &mut workspace);
            let stance = self.motion.stance_at_frame(index);
            for link in character.links.keys().skip(own) {
                let held = stance.iter().any(|contact| {
                    let name = &character.effectors[contact.effector].name;
                    character.links[link].name.starts_with(name.as_str())
                });
                for capsule in character.links[link].capsules.clone() {
                    let placed = capsule_in_world(character, &workspace, capsule);
                    let nearest = self.problem.world.capsule_distance(&placed, 0.0, MeshInterior::Solid);
                    for (at, counts) in deepest.iter_mut().zip([held, true]) {
                        if counts && -nearest.distance > at.0 {
                            *at = (-nearest.distance, format!("{} at {}", character.links[link].name, frame.time));
                        }
                    }
                }
            }
        }
        deepest
    }

    /// The greatest speed of an added hinge, in radians per second.
    fn fastest(&self) -> f32 {
        let added = self.planned.frames[0].configuration.angles.len();
        let pairs = self.motion.frames.windows(2);
        pairs.fold(0.0, |fastest, pair| {
            let [from, to] = [&pair[0].configuration.angles.raw[added..], &pair[1].configuration.angles.raw[added..]];
            let turn = from.iter().zip(to).map(|(a, b)| (b - a).abs()).fold(0.0, f32::max);
            fastest.max(turn / (pair[1].time - pair[0].time))
        })
    }
}

/// The number of links without hands and feet.
fn scene_links(planned: &Motion, extended: &Problem) -> usize {
    let added = extended.character.hinges.len() - planned.frames[0].configuration.angles.len();
    extended.character.links.len() - added
}

#[test]
fn soles_are_flat_while_feet_stand() {
    for name in ["walk", "climb"] {
        let extended = extended_motion(name);
        let mut looked = 0;
        for (span, foot) in extended.stands() {
            for frame in span.first_frame..=span.last_frame {
                let sole = extended.link(frame, foot).rotation * Vec3::Y;
                assert!(acos(sole.y) < 1f32.to_radians(), "{name}: {foot} at frame {frame} stands on {sole}");
                looked += 1;
            }
        }
        assert!(looked > 50, "{name}: {looked}");
    }
}

#[test]
fn the_heel_comes_down_first_and_the_ball_leaves_last() {
    let extended = extended_motion("walk");
    let time = |frame: usize| extended.motion.frames[frame].time;
    let (mut downs, mut ups) = (0, 0);
    for (span, foot) in extended.stands() {
        // 0.05 s before the contact and after it.
        let before = (0..span.first_frame).rev().find(|frame| time(span.first_frame) - time(*frame) > 0.049);
        if let Some(frame) = before {
            let [heel, ball] = extended.heel_and_ball(frame, foot);
            assert!(heel < ball, "{foot} comes down at {}: heel {heel}, ball {ball}", time(frame));
            downs += 1;
        }
        let after = (span.last_frame + 1..extended.motion.frames.len())
            .find(|frame| time(*frame) - time(span.last_frame) > 0.049);
        if let Some(frame) = after.filter(|_| span.last_frame + 1 < extended.motion.frames.len()) {
            let [heel, ball] = extended.heel_and_ball(frame, foot);
            assert!(ball < heel, "{foot} leaves at {}: heel {heel}, ball {ball}", time(frame));
            ups += 1;
        }
    }
    assert!(downs > 5 && ups > 5, "{downs} {ups}");
}

#[test]
fn hands_and_feet_do_not_penetrate_or_jump() {
    for name in ["walk", "climb", "swing", "crawl"] {
        let extended = extended_motion(name);
        let [in_contact, anywhere] = extended.depths();
        assert!(in_contact.0 < 0.01, "{name}: {in_contact:?} inside in contact");
        assert!(anywhere.0 < 0.02, "{name}: {anywhere:?} inside");
        let fastest = extended.fastest();
        assert!(fastest < 12.0, "{name}: {fastest} rad/s");
    }
}

/// Obstacles are not queried in every frame of a clip, yet all frames must be clear.
#[test]
fn hands_and_feet_do_not_penetrate_in_clips() {
    for name in ["walk", "climb", "crawl"] {
        let problem = scene_without_feet(name).problem;
        let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
        let clip = refine(&problem, &outcome.motion, &ClipSettings::default()).unwrap().motion;
        let (problem, motion) = problem_with_hands_and_feet(&problem, &clip);
        let extended = WithHandsAndFeet { planned: clip, problem, motion };
        let [in_contact, anywhere] = extended.depths();
        assert!(in_contact.0 < 0.01, "{name}: {in_contact:?} inside in contact");
        assert!(anywhere.0 < 0.02, "{name}: {anywhere:?} inside");
        assert!(extended.fastest() < 12.0, "{name}: {} rad/s", extended.fastest());
    }
}

/// The same motion with four times as many frames.
fn four_times(motion: &Motion) -> Motion {
    let mut fine = motion.clone();
    fine.frames.clear();
    for pair in motion.frames.windows(2) {
        for quarter in 0..4 {
            let share = 0.25 * quarter as f32;
            let mut frame = pair[0].clone();
            frame.configuration.interpolate(&pair[0].configuration, &pair[1].configuration, share);
            frame.time += (pair[1].time - pair[0].time) * share;
            fine.frames.push(frame);
        }
    }
    fine.frames.extend(motion.frames.last().cloned());
    for span in &mut fine.mode_spans {
        (span.first_frame, span.last_frame) = (4 * span.first_frame, 4 * span.last_frame);
    }
    for span in &mut fine.contacts {
        (span.first_frame, span.last_frame) = (4 * span.first_frame, 4 * span.last_frame);
    }
    fine
}

#[test]
fn angles_depend_on_times_and_not_on_the_frame_rate() {
    let WithHandsAndFeet { planned, motion, .. } = extended_motion("walk");
    let problem = scene_without_feet("walk").problem;
    let (whole, fine) = problem_with_hands_and_feet(&problem, &four_times(&planned));
    let fine = WithHandsAndFeet { planned: planned.clone(), problem: whole, motion: fine };
    assert!(fine.fastest() < 12.0, "{} rad/s", fine.fastest());
    let added = planned.frames[0].configuration.angles.len();
    for (index, frame) in motion.frames.iter().enumerate() {
        let fine = &fine.motion.frames[4 * index].configuration.angles.raw[added..];
        for (a, b) in frame.configuration.angles.raw[added..].iter().zip(fine) {
            assert!((a - b).abs() < 0.25, "at {}: {a} and {b}", frame.time);
        }
    }
}

#[test]
fn planned_links_and_angles_do_not_change() {
    let WithHandsAndFeet { planned, problem, motion } = extended_motion("swing");
    assert_eq!((&motion.contacts, &motion.mode_spans), (&planned.contacts, &planned.mode_spans));
    for (before, after) in planned.frames.iter().zip(&motion.frames) {
        let own = before.configuration.angles.len();
        assert_eq!((before.time, before.configuration.root), (after.time, after.configuration.root));
        assert_eq!(before.configuration.angles.raw, after.configuration.angles.raw[..own]);
        after.configuration.check_hinges(&problem.character).unwrap();
    }
    let total: f32 = problem.character.total_mass;
    assert_eq!(total, scene_without_feet("swing").problem.character.total_mass);
}

#[test]
fn a_mirrored_motion_has_the_same_angles() {
    let problem = scene_without_feet("walk").problem;
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
    // The mirror image on the same ground: x becomes -x.
    let mut mirrored = outcome.motion.clone();
    let half_turn = Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0);
    for frame in &mut mirrored.frames {
        let root = &mut frame.configuration.root;
        root.rotation = half_turn * root.rotation;
        root.translation.x = 6.0 - root.translation.x;
    }
    for span in &mut mirrored.contacts {
        span.contact.point.x = 6.0 - span.contact.point.x;
    }
    let [right, left] = [&outcome.motion, &mirrored].map(|motion| problem_with_hands_and_feet(&problem, motion).1);
    for (right, left) in right.frames.iter().zip(&left.frames) {
        for (a, b) in right.configuration.angles.iter().zip(&left.configuration.angles) {
            assert!((a - b).abs() < 0.02, "at {}: {a} and {b}", right.time);
        }
    }
}

/// The figure's feet are planned with: only hands are added to it.
#[test]
fn the_figure_gets_hands_and_keeps_its_feet() {
    for name in ["climb", "swing"] {
        let extended = extended(scene(name).problem);
        let own = scene(name).problem.character.links.len();
        let added = extended.problem.character.links.iter().skip(own);
        assert!(added.clone().all(|link| link.name.contains("hand")), "{name}");
        assert_eq!(added.clone().filter(|link| link.name.starts_with("left")).count() * 2, added.count(), "{name}");
        let [in_contact, anywhere] = extended.depths();
        assert!(in_contact.0 < 0.01, "{name}: {in_contact:?} inside in contact");
        assert!(anywhere.0 < 0.02, "{name}: {anywhere:?} inside");
        assert!(extended.fastest() < 12.0, "{name}: {} rad/s", extended.fastest());
    }
}

#[test]
fn characters_without_extremities_do_not_change() {
    let problem = scene("flight-insect").problem;
    let motion =
        Motion::from_configurations(&problem.character.name, "flying", vec![problem.start.configuration.clone()], 30.0);
    let (same, unchanged) = problem_with_hands_and_feet(&problem, &motion);
    assert_eq!((same.character.links.len(), &unchanged), (problem.character.links.len(), &motion));
}
