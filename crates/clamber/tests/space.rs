//! Walking in space: the scenes of `scenes/space` are solved, and the body walks as a person would.

use std::path::{Path, PathBuf};

use clamber::check::CheckSettings;
use clamber::model::id::EffectorId;
use clamber::model::kinematics::{LinkFrames, forward};
use clamber::model::math::Vec3;
use clamber::model::motion::{ContactSpan, Frame};
use clamber::model::{Motion, Problem};
use clamber::{Planner, io};

fn scene(name: &str) -> Problem {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/space");
    let file: PathBuf = folder.join(format!("{name}.toml"));
    io::read_scene(&file).unwrap_or_else(|error| panic!("{error}")).problem
}

/// Plans with a seed; the planner's façade checks the motion, with equilibrium and self-collision.
fn plan(name: &str, seed: u64) -> (Problem, Motion) {
    let problem = scene(name);
    let plan = Planner::new(problem.clone()).seed(seed).run();
    let plan = plan.unwrap_or_else(|error| panic!("{name}, seed {seed}: {}", error.reason));
    assert!(plan.motion.in_equilibrium);
    let report = clamber::check::check_motion(&problem, &plan.motion, &CheckSettings::default());
    assert!(report.passed(), "{name}, seed {seed}: {report:?}");
    (problem, plan.motion)
}

/// The angle between the line from the pelvis to the head and the vertical in each frame, in degrees.
fn leans(problem: &Problem, motion: &Motion) -> Vec<f32> {
    angles_to_vertical(problem, motion, ["pelvis", "head"])
}

/// The angle between the line from a joint to another and the vertical in each frame, in degrees.
fn angles_to_vertical(problem: &Problem, motion: &Motion, links: [&str; 2]) -> Vec<f32> {
    let places = links.map(|link| joint_places(problem, motion, link));
    places[0].iter().zip(&places[1]).map(|(from, to)| (to - from).angle_between(Vec3::Y).to_degrees()).collect()
}

/// Where the joint of a link is in each frame.
fn joint_places(problem: &Problem, motion: &Motion, link: &str) -> Vec<Vec3> {
    let link = problem.character.find_link(link).unwrap();
    let mut frames = LinkFrames::default();
    let place = |frame: &Frame| {
        forward(&problem.character, &frame.configuration, &mut frames);
        frames.world_from_link[link].translation
    };
    motion.frames.iter().map(place).collect()
}

/// Where contacts begin, in order.
fn feet_in_order(motion: &Motion) -> Vec<Vec3> {
    let mut contacts: Vec<_> = motion.contacts.iter().map(|span| (span.first_frame, span.contact)).collect();
    contacts.sort_by_key(|(first, _)| *first);
    contacts.iter().map(|(_, contact)| contact.point).collect()
}

#[test]
fn on_open_ground_a_human_walks_upright_in_long_steps() {
    let (problem, motion) = plan("straight-human", 1);
    let worst = leans(&problem, &motion).into_iter().fold(0.0, f32::max);
    assert!(worst < 25.0, "{worst}");
    let points = feet_in_order(&motion);
    // The first two and the last two contacts are those of the start and the goal.
    let steps: Vec<f32> = points[1..points.len() - 1].windows(2).map(|pair| pair[1].x - pair[0].x).collect();
    let long = steps.iter().filter(|step| **step >= 0.5).count();
    assert!(long + 3 >= steps.len(), "{steps:?}");
}

#[test]
fn a_human_walks_around_a_corner_and_to_a_place_behind_it() {
    for (name, seed) in [("corner-human", 1), ("behind-human", 2)] {
        let (problem, motion) = plan(name, seed);
        let worst = leans(&problem, &motion).into_iter().fold(0.0, f32::max);
        assert!(worst < 25.0, "{name}: {worst}");
        // Also to the sides and onto the goal's contacts, a step is no longer than a stride.
        let points = feet_in_order(&motion);
        let longest = points.windows(2).map(|pair| (pair[1] - pair[0]).length()).fold(0.0, f32::max);
        assert!(longest < 0.75, "{name}: {longest}");
    }
}

#[test]
fn a_human_takes_stairs_up_and_down() {
    let (_, motion) = plan("stairs-up-human", 1);
    let points = feet_in_order(&motion);
    // One by one, with alternating feet.
    let rises: Vec<f32> = points.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
    assert!(rises.iter().all(|rise| *rise < 0.2), "{rises:?}");
    plan("stairs-down-human", 1);
}

#[test]
fn a_human_balances_on_a_beam() {
    let (problem, motion) = plan("beam-human", 1);
    let beam = problem.world.holds.iter().filter(|hold| hold.name.starts_with("beam")).count();
    assert!(beam > 0);
    let on_beam = |span: &&ContactSpan| problem.world.holds[span.contact.hold].name.starts_with("beam");
    assert!(motion.contacts.iter().filter(on_beam).count() >= 4);
}

/// The feet that are lifted in each frame.
fn lifted_feet(problem: &Problem, motion: &Motion) -> Vec<Vec<String>> {
    let is_lifted = |frame: usize, effector: EffectorId| {
        let holds = |span: &ContactSpan| (span.first_frame..=span.last_frame).contains(&frame);
        !motion.contacts.iter().any(|span| span.contact.effector == effector && holds(span))
    };
    let lifted = |frame: usize| {
        let effectors = problem.character.effectors.iter_enumerated();
        effectors.filter(|(id, _)| is_lifted(frame, *id)).map(|(_, effector)| effector.name.clone()).collect()
    };
    (0..motion.frames.len()).map(lifted).collect()
}

#[test]
fn on_open_ground_an_insect_walks_on_tripods() {
    let (problem, motion) = plan("straight-insect", 1);
    let lifted = lifted_feet(&problem, &motion);
    let tripods = [
        ["left_fore_foot", "left_hind_foot", "right_mid_foot"],
        ["left_mid_foot", "right_fore_foot", "right_hind_foot"],
    ];
    // Always three feet of a tripod or none, and most of the time three.
    assert!(lifted.iter().all(|feet| feet.is_empty() || tripods.iter().any(|tripod| feet == tripod)), "{lifted:?}");
    for tripod in tripods {
        let swings = lifted.iter().filter(|feet| *feet == &tripod).count();
        assert!(4 * swings > lifted.len(), "{tripod:?}: {swings} of {} frames", lifted.len());
    }
    // It stays level, at about the height that it has at rest.
    let heights = motion.frames.iter().map(|frame| frame.configuration.root.translation.y);
    let lowest = heights.fold(f32::INFINITY, f32::min);
    assert!(lowest > 0.12, "{lowest}");
}

#[test]
fn an_insect_walks_over_books_and_rubble() {
    for name in ["insect-books", "insect-rubble"] {
        let (problem, motion) = plan(name, 1);
        let is_on_ground = |span: &&ContactSpan| {
            let hold = &problem.world.holds[span.contact.hold].name;
            hold.starts_with("ground") || hold.starts_with("table")
        };
        let others = motion.contacts.len() - motion.contacts.iter().filter(is_on_ground).count();
        assert!(others >= 8, "{name}: {others}");
    }
}

#[test]
fn a_dog_walks_over_rubble_and_along_a_plank_on_three_paws_or_four() {
    for (name, surface) in [("dog-rubble", "stone"), ("dog-plank", "plank")] {
        let (problem, motion) = plan(name, 1);
        let is_on = |span: &&ContactSpan| problem.world.holds[span.contact.hold].name.starts_with(surface);
        let count = motion.contacts.iter().filter(is_on).count();
        assert!(count >= 8, "{name}: {count}");
        // One paw moves at a time.
        assert!(lifted_feet(&problem, &motion).iter().all(|paws| paws.len() <= 1), "{name}");
        // It does not crawl: at rest, its chest is 0.48 m above the ground.
        let chest = joint_places(&problem, &motion, "chest").into_iter().map(|place| place.y);
        let lowest = chest.fold(f32::INFINITY, f32::min);
        assert!(lowest > 0.35, "{name}: {lowest}");
    }
}

#[test]
fn a_human_crawls_through_a_duct_and_walks_before_and_behind_it() {
    let (problem, motion) = plan("duct-human", 1);
    let modes: Vec<&str> = motion.mode_spans.iter().map(|span| span.mode.as_str()).collect();
    assert_eq!(modes, ["walking", "kneeling", "crawling", "kneeling", "walking"]);
    let crawling = &motion.mode_spans[2];
    // The back is level, but for where the body goes down and comes up.
    let leans = &leans(&problem, &motion)[crawling.first_frame..crawling.last_frame];
    let level = leans.iter().filter(|lean| (60.0..110.0).contains(*lean)).count();
    assert!(10 * level >= 9 * leans.len(), "{level} of {}", leans.len());
    // Shins stay near the ground, also those of knees that swing.
    for shin in [["left_shin", "left_foot"], ["right_shin", "right_foot"]] {
        let angles = &angles_to_vertical(&problem, &motion, shin)[crawling.first_frame..crawling.last_frame];
        let most = angles.iter().map(|angle| 90.0 - angle).fold(f32::NEG_INFINITY, f32::max);
        assert!(most < 25.0, "{shin:?}: {most} degrees above the ground");
        let knees = &joint_places(&problem, &motion, shin[0])[crawling.first_frame..crawling.last_frame];
        let highest = knees.iter().map(|knee| knee.y).fold(0.0, f32::max);
        assert!(highest < 0.2, "{shin:?}: {highest} m above the ground");
    }
    // The limbs take turns: hands and knees seldom move twice in a row.
    let effector = |span: &&ContactSpan| problem.character.effectors[span.contact.effector].name.clone();
    let mut made: Vec<&ContactSpan> = motion.contacts.iter().collect();
    made.retain(|span| (crawling.first_frame + 1..crawling.last_frame).contains(&span.first_frame));
    made.sort_by_key(|span| span.first_frame);
    let names: Vec<String> = made.iter().map(effector).collect();
    for kind in ["hand", "knee"] {
        let of_kind: Vec<&String> = names.iter().filter(|name| name.ends_with(kind)).collect();
        let repeated = of_kind.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(4 * repeated <= of_kind.len(), "{names:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_motion_in_space() {
    let problem = scene("beam-human");
    let [first, second] = [(); 2].map(|()| Planner::new(problem.clone()).seed(3).run().unwrap().motion);
    assert_eq!(first, second);
}
