//! A start given by a place and a direction: the body stands there, in balance, without collisions.

use std::path::Path;

use clamber_io::{Scene, parse_scene};
use clamber_model::character::RootJoint;
use clamber_model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::{Vec3, sin_cos};
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::Posture;
use clamber_model::self_collision::{SelfCollisionWorkspace, is_free};
use clamber_posture::equilibrium::EquilibriumSolver;

const GROUND: &str = r#"
[[obstacle]]
name = "ground"
box = { center = [0, -0.5, 0], size = [8, 1, 8] }
holds = { everywhere = true, types = ["load-bearing"] }
"#;

fn scene_text(character: &str, obstacles: &str, start: &str) -> String {
    let bounds = match character {
        "figure" => "{ min = [-4, -1], max = [4, 4] }",
        _ => "{ min = [-4, -1, -4], max = [4, 4, 4] }",
    };
    format!(
        "version = 2\nname = \"place\"\ncharacter = \"{character}\"\nbounds = {bounds}\n{obstacles}\n[start]\n{start}\n"
    )
}

fn parse(text: &str) -> Result<Scene, clamber_io::FileError> {
    let missing = |_: &Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    parse_scene(Path::new("scene.toml"), text.as_bytes(), &missing)
}

/// Reads a start and checks that it is valid, near its place and facing about where it should.
fn stands(character: &str, obstacles: &str, start: &str, at: [f32; 3], facing: [f32; 3]) -> Scene {
    let scene = parse(&scene_text(character, obstacles, start))
        .unwrap_or_else(|error| panic!("{character}: {error} | {:?}", error.help));
    check(&scene, &scene.problem.start, Vec3::from_array(at), Vec3::from_array(facing));
    scene
}

fn check(scene: &Scene, posture: &Posture, at: Vec3, facing: Vec3) {
    let (world, character) = (&scene.problem.world, &scene.problem.character);
    let size = character.body_size();
    let Posture { configuration, stance, mode_name } = posture;
    assert_eq!(mode_name, "walking");
    configuration.check(character).unwrap();
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
    let hit = worst_hit(world, character, configuration, margin, &mut CollisionWorkspace::default());
    assert!(hit.is_none(), "{hit:?}");
    assert!(is_free(character, configuration, CheckedLinks::All, &mut SelfCollisionWorkspace::default()));
    for contact in stance {
        let miss = effector_position(character, &frames, contact.effector) - contact.effector_center(character);
        assert!(miss.length() < 1e-3 * size, "{} m", miss.length());
    }
    let center = center_of_mass(character, &frames);
    let outside = EquilibriumSolver::default().distance_outside(character, world, &frames, stance, center);
    assert!(outside <= 3e-3 * f64::from(size), "{outside} m");
    let from_place = (center - at).with_y(0.0).length();
    assert!(from_place <= 0.35 * size, "{from_place} m from the place");
    assert!(center.y > at.y);
    let ahead = (configuration.root.rotation * Vec3::X).with_y(0.0);
    let turned = ahead.angle_between(facing.with_y(0.0)).to_degrees();
    assert!(turned < 25.0, "turned by {turned} degrees");
}

#[test]
fn every_character_stands_on_level_ground_where_it_is_told() {
    for (character, feet) in [("human", 2), ("dog", 4), ("insect", 6), ("spider", 8)] {
        let scene =
            stands(character, GROUND, "at = [1, 0, -0.5]\nfacing = [1, 0, -1]", [1.0, 0.0, -0.5], [1.0, 0.0, -1.0]);
        assert_eq!(scene.problem.start.stance.len(), feet, "{character}");
        let center = scene.problem.start.configuration.root.translation;
        assert!((center - Vec3::new(1.0, 0.0, -0.5)).with_y(0.0).length() < 0.2 * scene.problem.character.body_size());
        assert!(scene.problem.start.stance.iter().all(|contact| contact.point.y.abs() < 1e-6));
    }
}

#[test]
fn the_figure_stands_in_its_plane_and_faces_left_or_right() {
    for (facing, x) in [("\"left\"", -1.0), ("\"right\"", 1.0), ("[-1, 2]", -1.0)] {
        let start = format!("at = [0.5, 0.05]\nfacing = {facing}");
        let scene = stands("figure", GROUND, &start, [0.5, 0.0, 0.0], [x, 0.0, 0.0]);
        assert_eq!(scene.problem.character.root_joint, RootJoint::Planar);
        assert_eq!(scene.problem.start.configuration.root.translation.z, 0.0);
        assert_eq!(scene.problem.start.stance.len(), 2);
    }
    // Point holds: each foot has its own.
    let points = GROUND.replace("everywhere = true", "every = 0.35");
    let scene = stands("figure", &points, "at = [0.5, 0.1]", [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let stance = &scene.problem.start.stance;
    assert_ne!(stance[0].hold, stance[1].hold);
}

#[test]
fn a_human_stands_on_stairs_and_on_slopes() {
    let step = |index: usize| {
        let height = 0.17 * index as f32;
        format!(
            "[[obstacle]]\nname = \"step {index}\"\nbox = {{ center = [{}, {}, 0], size = [0.3, {height}, 2] }}\n\
             holds = {{ everywhere = true, types = [\"load-bearing\"] }}\n",
            0.3 * index as f32,
            0.5 * height
        )
    };
    let stairs = format!("{GROUND}{}", (1..8).map(step).collect::<String>());
    for facing in ["[1, 0, 0]", "[-1, 0, 0]", "[0, 0, 1]"] {
        let direction: Vec<f32> =
            facing.trim_matches(['[', ']']).split(", ").map(|word| word.parse().unwrap()).collect();
        let start = format!("at = [0.9, 0.6, 0.2]\nfacing = {facing}");
        stands("human", &stairs, &start, [0.9, 0.51, 0.2], [direction[0], direction[1], direction[2]]);
    }
    let slope = r#"
[[obstacle]]
name = "slope"
box = { center = [0, -0.5, 0], size = [8, 1, 8], turn = { pitch = 20 } }
holds = { everywhere = true, types = ["load-bearing"] }
"#;
    for character in ["human", "dog", "insect"] {
        for heading in [0, 90, 180, 225] {
            let (sin, cos) = sin_cos((heading as f32).to_radians());
            let start = format!("at = [0.5, 0.2, 0]\nheading = {heading}");
            stands(character, slope, &start, [0.5, 0.15, 0.0], [cos, 0.0, -sin]);
        }
    }
}

#[test]
fn a_place_too_close_to_a_wall_moves_away_from_it() {
    let wall = format!("{GROUND}[[obstacle]]\nname = \"wall\"\nbox = {{ center = [1, 1.5, 0], size = [0.2, 3, 8] }}\n");
    // Beside it, facing it, and almost in it.
    for start in ["at = [0.6, 0, 0]\nfacing = [0, 0, 1]", "at = [0.6, 0, 0]", "at = [0.8, 0, 0]\nfacing = [0, 0, 1]"] {
        let facing = if start.contains("facing") { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let x = if start.contains("0.8") { 0.8 } else { 0.6 };
        stands("human", &wall, start, [x, 0.0, 0.0], facing);
    }
}

#[test]
fn errors_say_what_is_wrong_with_a_place() {
    let low = format!("{GROUND}[[obstacle]]\nname = \"slab\"\nbox = {{ center = [0, 0.5, 0], size = [8, 0.4, 8] }}\n");
    let spaceless = GROUND.replace("holds", "# holds");
    let error = |character: &str, obstacles: &str, start: &str| {
        let error = parse(&scene_text(character, obstacles, start)).unwrap_err();
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        (error.line.unwrap_or(0), format!("{}{help}", error.message))
    };
    let cases = [
        ("human", GROUND, "at = [0, 1.5, 0]", "there is nothing to stand on within"),
        (
            "human",
            GROUND,
            "at = [0, 1.5, 0]",
            "`ground 1`, is 1.50 m away | move `at` to a place on a hold, such as [0.000, 0.000, 0.000]",
        ),
        ("human", &spaceless, "at = [0, 0, 0]", "add `holds` to an obstacle"),
        ("human", &low, "at = [0, 0, 0]", "inside `slab` | move `at` away from `slab`"),
        (
            "human",
            GROUND,
            "at = [0, 0, 0]\nfacing = [0, 1, 0]",
            "without a horizontal part | write a direction along the ground",
        ),
        ("figure", GROUND, "at = [0, 0]\nfacing = [0, 1]", "without a horizontal part | write \"left\", \"right\""),
        ("human", GROUND, "at = [0, 0, 0]\nfacing = \"left\"", "only planar characters"),
        ("human", GROUND, "at = [0, 0, 0]\nfacing = \"up\"", "unknown value `up`"),
        ("human", GROUND, "at = [0, 0, 0]\nfacing = [1, 0, 0]\nheading = 3", "keep one of the two"),
        ("human", GROUND, "at = [0, 0, 0]\nposition = [0, 1, 0]", "`position` and `at` exclude each other"),
        ("human", GROUND, "facing = [1, 0, 0]", "a posture needs `position`, or `at`"),
        ("human", GROUND, "at = [0, 0, 0]\npitch = 3", "`pitch` has no use | remove it"),
        ("human", GROUND, "at = [0, 0, 0]\nangles = { left_knee = 3 }", "`angles` has no use"),
        ("human", GROUND, "at = [0, 0, 0]\ncontacts = { left_heel = [0, 0, 0] }", "`contacts` has no use"),
        ("human", GROUND, "at = [0, 0, 0]\nmode = \"walkin\"", "did you mean `walking`?"),
        ("human", GROUND, "at = [0, 0, 0]\nmode = \"sliding\"", "mode `sliding` has no contacts"),
        ("figure", GROUND, "at = [0, 0, 1]", "give `at` two coordinates"),
        ("figure", GROUND, "at = [0, 0]\nheading = 20", "no `heading` or `roll`"),
    ];
    let first =
        |obstacles: &str| scene_text("human", obstacles, "").lines().position(|line| line == "[start]").unwrap() + 1;
    for (character, obstacles, start, expected) in cases {
        let (line, text) = error(character, obstacles, start);
        assert!(text.contains(expected), "{start}: {text}");
        assert!(line >= first(obstacles), "{start}: line {line}");
    }
}

#[test]
fn a_mode_with_more_contacts_reaches_down_with_its_hands() {
    let text = scene_text("human", GROUND, "at = [0, 0, 0]\nmode = \"crawling\"");
    let scene = parse(&text).unwrap_or_else(|error| panic!("{error} | {:?}", error.help));
    assert_eq!(scene.problem.start.mode_name, "crawling");
    assert_eq!(scene.problem.start.stance.len(), 4);
}

#[test]
fn the_goal_and_faced_positions_work_too() {
    let text = scene_text(
        "human",
        GROUND,
        "position = [0, 0.927, 0]\nfacing = [0, 0, -2]\ncontacts = { left_heel = [-0.09, 0, 0.035], right_heel = [0.09, 0, 0.035] }\n[goal]\nat = [2, 0, 2]\nheading = 90",
    );
    let scene = parse(&text).unwrap_or_else(|error| panic!("{error} | {:?}", error.help));
    let ahead = scene.problem.start.configuration.root.rotation * Vec3::X;
    assert!((ahead - Vec3::NEG_Z).length() < 0.1, "{ahead}");
    check(&scene, &scene.problem.goal, Vec3::new(2.0, 0.0, 2.0), Vec3::NEG_Z);
    let passage =
        "at = [0, 0, 0]\n[goal]\nat = [1, 0, 0]\n[[passage]]\nname = \"here\"\npostures = [{ at = [0.5, 0, 0] }]";
    let error = parse(&scene_text("human", GROUND, passage)).unwrap_err();
    assert!(error.message.contains("only the start and the goal"), "{error}");
}
