//! Bodies that differ from the human are data, a character file and a mode table each. They move as they can, and where they cannot go
//! on, the reason is theirs.

use std::path::{Path, PathBuf};

use clamber::model::{Motion, Problem};
use clamber::plan::{Failure, Impasse, ImpasseCause};
use clamber::{PlanError, Planner, io};
use clamber_testing::bodies::{self, BodyFiles};

fn scene_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/space/{name}-human.toml"))
}

/// A scene for a body; `change` changes its text.
fn changed_scene(name: &str, body: &BodyFiles, change: impl Fn(String) -> String) -> Problem {
    let file = scene_file(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let text = change(bodies::scene_for(&text, body));
    let scene = io::parse_scene(&file, text.as_bytes(), &|path| {
        let is_table = path.to_string_lossy().ends_with(".modes.toml");
        Ok(if is_table { body.modes.clone() } else { body.character.clone() }.into_bytes())
    });
    scene.unwrap_or_else(|error| panic!("{name}, {}: {error}", body.name)).problem
}

fn scene(name: &str, body: &BodyFiles) -> Problem {
    changed_scene(name, body, |text| text)
}

/// Plans; the planner's façade checks the motion.
fn plan(problem: &Problem) -> Result<Motion, PlanError> {
    Planner::new(problem.clone()).seed(1).run().map(|plan| plan.motion)
}

#[track_caller]
fn assert_walks(name: &str, body: &BodyFiles) {
    let motion = plan(&scene(name, body)).unwrap_or_else(|error| panic!("{name}, {}: {}", body.name, error.reason));
    let modes: Vec<&str> = motion.mode_spans.iter().map(|span| span.mode.as_str()).collect();
    assert_eq!(modes, ["walking"], "{name}, {}", body.name);
}

#[test]
fn with_one_arm_and_with_a_rucksack_a_human_walks() {
    assert_walks("straight", &bodies::one_armed());
    assert_walks("straight", &bodies::with_rucksack());
}

#[test]
fn a_tall_and_a_small_human_take_stairs() {
    assert_walks("stairs-up", &bodies::tall());
    assert_walks("stairs-up", &bodies::small());
}

#[test]
fn the_tall_and_the_small_human_are_the_human_at_another_size() {
    let human = bodies::human().character();
    for (body, factor) in [(bodies::tall(), 1.95 / 1.75), (bodies::small(), 1.5 / 1.75)] {
        let (found, expected) = (body.character(), human.scaled(factor).unwrap());
        let close = |a: f32, b: f32| assert!((a - b).abs() <= 1e-4 * b.abs().max(1e-3), "{}: {a} and {b}", body.name);
        close(found.body_size(), expected.body_size());
        for (found, expected) in found.links.iter().zip(&expected.links) {
            close(found.mass, expected.mass);
            close(found.center_of_mass.y, expected.center_of_mass.y);
            close(found.parent_from_joint.translation.length(), expected.parent_from_joint.translation.length());
        }
        for (found, expected) in found.capsules.iter().zip(&expected.capsules) {
            close((found.b - found.a).length(), (expected.b - expected.a).length());
            close(found.radius, expected.radius);
        }
        for (found, expected) in found.effectors.iter().zip(&expected.effectors) {
            close(found.center.length(), expected.center.length());
            close(found.ability.max_push, expected.ability.max_push);
            let grips = [found.ability.grip, expected.ability.grip];
            if let [Some(found), Some(expected)] = grips {
                close(found.width, expected.width);
                close(found.max_force, expected.max_force);
            }
            let patches = [found.ability.patch, expected.ability.patch];
            if let [Some(found), Some(expected)] = patches {
                close(found.front + found.back, expected.front + expected.back);
            }
        }
        for (found, expected) in found.hinges.iter().zip(&expected.hinges) {
            if let [Some(found), Some(expected)] = [found.strength, expected.strength] {
                close(found[0], expected[0]);
            }
        }
    }
}

#[test]
fn the_one_armed_human_has_no_left_hand_to_use() {
    let body = bodies::one_armed();
    let (character, table) = (body.character(), body.table());
    assert!(character.links.iter().all(|link| !link.name.contains("left_forearm")));
    let hands = table.effector_groups.iter().find(|group| group.name == "hands").unwrap();
    let names: Vec<&str> = hands.effectors.iter().map(|&id| character.effectors[id].name.as_str()).collect();
    assert_eq!(names, ["right_hand"]);
    // Only what the left hand alone does is gone.
    let human = bodies::human().table();
    let name = |table: &clamber::model::ModeTable| table.edges.iter().map(|edge| edge.name.clone()).collect::<Vec<_>>();
    let (kept, all) = (name(&table), name(&human));
    let gone: Vec<&String> = all.iter().filter(|edge| !kept.contains(edge)).collect();
    let of_left_hand: Vec<&String> = all.iter().filter(|edge| edge.contains("left hand")).collect();
    assert_eq!(gone, of_left_hand);
    assert_eq!(table.modes.len(), human.modes.len());
}

#[test]
fn the_rucksack_is_carried_and_wide() {
    let [human, body] = [bodies::human(), bodies::with_rucksack()].map(|body| body.character());
    assert!((body.total_mass - human.total_mass - 12.0).abs() < 1e-3);
    let reach_back = |character: &clamber::model::Character| {
        let chest = &character.links[character.find_link("chest").unwrap()];
        let capsules = &character.capsules[chest.capsules.clone()];
        capsules.iter().map(|capsule| capsule.radius - capsule.a.x.min(capsule.b.x)).fold(0.0, f32::max)
    };
    assert!((reach_back(&body) - 0.34).abs() < 1e-6 && reach_back(&human) < 0.12);
}

/// Why a body does not get to the goal.
fn impasse(problem: &Problem) -> Impasse {
    match plan(problem).map_err(|error| error.reason) {
        Err(Failure::Impasse(impasse)) => impasse,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_pit_is_measured_with_the_reach_of_the_body() {
    let pit = |text: String| {
        let ground = "box = { center = [3.5, -0.1, 0], size = [9, 0.2, 6] }";
        assert!(text.contains(ground));
        let far = "[[obstacle]]\nname = \"far\"\nbox = { center = [6.6, -0.1, 0], size = [3.2, 0.2, 6] }\n\
                   holds = { everywhere = true, types = [\"load-bearing\"] }\n\n[start]";
        text.replace(ground, "box = { center = [1, -0.1, 0], size = [4, 0.2, 6] }").replace("[start]", far)
    };
    let found = impasse(&changed_scene("straight", &bodies::small(), pit));
    let ImpasseCause::TooFar { group, to_hold, distance, reach, .. } = &found.cause else { panic!("{found}") };
    assert!(group == "feet" && to_hold.starts_with("far"), "{found}");
    // The human reaches 0.94 m from there.
    assert!((distance - 2.0).abs() < 0.01 && (0.5..0.8).contains(reach), "{found}");
}

#[test]
fn the_roof_of_a_low_duct_blocks_the_rucksack() {
    let low = |text: String| {
        let roof = "center = [3.5, 1.6, 0]";
        assert!(text.contains(roof));
        text.replace(roof, "center = [3.5, 1.2, 0]")
    };
    let found = impasse(&changed_scene("duct", &bodies::with_rucksack(), low));
    let ImpasseCause::Blocked { obstacle, .. } = &found.cause else { panic!("{found}") };
    assert_eq!(obstacle, "duct roof", "{found}");
}
