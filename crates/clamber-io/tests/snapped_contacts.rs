//! Contacts given as points go to holds that the body fits on, and the scene says how far they moved.

use std::path::Path;

use clamber_io::{Scene, builtin, parse_scene};
use clamber_model::obstacle_collision::{Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::Posture;

fn read(scene: &str) -> Scene {
    let missing = |_: &Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    parse_scene(Path::new("scene.toml"), scene.as_bytes(), &missing)
        .unwrap_or_else(|error| panic!("{error} | {:?}", error.help))
}

fn is_free(scene: &Scene, posture: &Posture) -> bool {
    let (world, character) = (&scene.problem.world, &scene.problem.character);
    let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
    worst_hit(world, character, &posture.configuration, margin, &mut CollisionWorkspace::default()).is_none()
}

fn notes(scene: &Scene) -> Vec<String> {
    scene.snapped_contacts.iter().map(ToString::to_string).collect()
}

/// A figure before a wall at x = 2, with holds of the left foot at `holds`.
fn before_a_wall(holds: &[f32], left_foot: &str) -> Scene {
    let holds: String = holds.iter().map(|x| format!("[[hold]]\nname = \"at {x}\"\nat = [{x}, 0]\n")).collect();
    read(&format!(
        r#"
version = 1
name = "wall"
character = "figure"
bounds = {{ min = [0, -1], max = [4, 4] }}
[[obstacle]]
name = "floor"
box = {{ center = [2, -0.5], size = [4, 1] }}
[[obstacle]]
name = "wall"
box = {{ center = [3, 1], size = [2, 2] }}
{holds}
[start]
position = [1.5, 0.9]
contacts = {{ left_foot = {left_foot}, right_foot = [1.4, 0.01] }}
[goal]
position = [1.5, 0.9]
contacts = {{ right_foot = "at 1.4" }}
"#
    ))
}

#[test]
fn a_contact_goes_to_the_nearest_hold_that_the_body_fits_on() {
    // The ball of a foot at 1.98 enters the wall.
    let scene = before_a_wall(&[1.4, 1.98, 1.8], "[1.9, 0]");
    assert!(is_free(&scene, &scene.problem.start));
    assert_eq!(notes(&scene), ["start: `left_foot` snapped 0.10 m to `at 1.8`"]);
    // Where the nearest hold is good, it is taken.
    let scene = before_a_wall(&[1.4, 1.85, 1.8], "[1.86, 0]");
    assert!(is_free(&scene, &scene.problem.start));
    assert!(notes(&scene).is_empty(), "a centimeter is rounding: {:?}", notes(&scene));
}

#[test]
fn a_contact_that_names_its_hold_stays_there() {
    for given in ["\"at 1.98\"", "[1.985, 0]"] {
        let scene = before_a_wall(&[1.4, 1.98, 1.8], given);
        assert!(!is_free(&scene, &scene.problem.start), "{given}");
        assert!(notes(&scene).is_empty(), "{given}");
    }
}

#[test]
fn where_no_hold_fits_the_nearest_is_taken() {
    let scene = before_a_wall(&[1.4, 1.98, 1.99], "[1.9, 0]");
    assert_eq!(notes(&scene), ["start: `left_foot` snapped 0.08 m to `at 1.98`"]);
}

#[test]
fn a_human_on_a_tower_stands_on_holds_that_suit_both_feet() {
    let scene = read(
        r#"
version = 1
name = "tower"
character = "human"
bounds = { min = [0, 0, -1.5], max = [7, 5, 1.5] }
[[obstacle]]
name = "ground"
box = { center = [3.5, -0.1, 0], size = [8, 0.2, 3] }
holds = { everywhere = true, types = ["load-bearing"] }
[[obstacle]]
name = "tower"
box = { center = [5.5, 1.25, 0], size = [2, 2.5, 3] }
holds = { every = 0.3, types = ["load-bearing"] }
[start]
position = [3.635, 0.927, 0]
contacts = { left_heel = [3.6, 0, -0.09], right_heel = [3.6, 0, 0.09] }
mode = "walking"
[goal]
position = [5.335, 3.427, 0]
contacts = { left_heel = [5.3, 2.5, -0.09], right_heel = [5.3, 2.5, 0.09] }
mode = "walking"
"#,
    );
    assert!(is_free(&scene, &scene.problem.goal), "{:?}", notes(&scene));
    assert_eq!(scene.snapped_contacts.len(), 2, "{:?}", notes(&scene));
    assert!(
        scene.snapped_contacts.iter().all(|snapped| snapped.posture == "goal" && snapped.hold.starts_with("tower "))
    );
}

#[test]
fn the_contacts_of_shipped_scenes_are_where_their_files_say() {
    let notes: Vec<String> =
        builtin::scene_names().iter().flat_map(|name| notes(&Scene::builtin(name).unwrap())).collect();
    assert!(notes.is_empty(), "{notes:?}");
}
