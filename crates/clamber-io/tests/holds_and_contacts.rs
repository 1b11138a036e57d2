//! Scenes with holds, contacts, modes and passages are read correctly.

use std::path::{Path, PathBuf};

use clamber_io::{HoldEdit, apply_hold_edits, parse_scene, to_motion_json};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::ModeSpan;
use clamber_model::problem::{Passage, Pin, Posture};
use clamber_model::world::{HoldShape, HoldType};
use clamber_model::{Character, Problem};

/// A figure on a floor with a step, a wall and a bar.
const SCENE: &str = r#"
version = 1
name = "yard"
character = "../characters/figure.toml"
bounds = { min = [0, 0], max = [8, 4] }

[[obstacle]]
name = "floor"
box = { center = [4, -0.5], size = [8, 1] }
holds = { every = 0.25, types = ["load-bearing"] }

[[obstacle]]
name = "wall"
polygon = [[7, 0], [8, 0], [8, 3], [7, 3]]
holds = { everywhere = true }

[[hold]]
at = [7, 1.01]

[[hold]]
name = "bar"
at = [4, 2.5]
normal = [0, -2]

[[hold]]
name = "ledge"
from = [7.1, 3.0]
to = [7.9, 3.01]

[[hold]]
name = "edge"
at = [7, 3]
type = "hybrid"

[start]
position = [1.0, 0.85]
contacts = { left_foot = [0.9, 0], right_foot = [1.1, 0.0] }

[goal]
position = [6.5, 0.9]
facing = "left"
contacts = { left_foot = [6.4, 0.05] }
mode = "walking"
"#;

/// The folder of the scene file.
fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn problem(scene: &str) -> Problem {
    let read = |path: &Path| std::fs::read(scenes().join(path));
    let scene = parse_scene(Path::new("yard.toml"), scene.as_bytes(), &read);
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem
}

fn assert_touches(problem: &Problem, posture: &Posture) {
    let character: &Character = &problem.character;
    posture.configuration.check(character).unwrap();
    let mut frames = LinkFrames::default();
    forward(character, &posture.configuration, &mut frames);
    for contact in &posture.stance {
        let miss =
            (effector_position(character, &frames, contact.effector) - contact.effector_center(character)).length();
        assert!(miss < 1e-5, "{contact:?} is off by {miss}");
        let hold = &problem.world.holds[contact.hold];
        assert!((hold.nearest_point(contact.point) - contact.point).length() < 1e-6);
        assert_eq!(hold.normal, contact.normal);
    }
}

#[test]
fn holds_of_obstacles_precede_placed_holds() {
    let problem = problem(SCENE);
    let holds = &problem.world.holds;
    let named = |name: &str| holds.iter().find(|hold| hold.name == name).unwrap_or_else(|| panic!("{name}"));
    // The floor is 8 m long, and the wall covers one meter of it.
    let of_floor = holds.iter().filter(|hold| hold.name.starts_with("floor ")).count();
    assert_eq!(of_floor, 28);
    assert!(holds.raw[..of_floor].iter().all(|hold| hold.name.starts_with("floor ")));
    assert!(named("wall 4").has_extent());
    // Its underside is on the floor; the others keep their numbers.
    let of_wall: Vec<&str> =
        holds.iter().map(|hold| hold.name.as_str()).filter(|name| name.starts_with("wall ")).collect();
    assert_eq!(of_wall, ["wall 2", "wall 3", "wall 4"]);

    // Moved onto the wall, from a small distance.
    let first = named("hold 1");
    assert_eq!((first.normal, first.hold_type), (Vec3::NEG_X, HoldType::Hybrid));
    assert_eq!(first.shape, HoldShape::Point(Vec3::new(7.0, 1.01, 0.0)));
    let bar = named("bar");
    assert_eq!((bar.normal, bar.hold_type), (Vec3::NEG_Y, HoldType::Pendent));
    let ledge = named("ledge");
    assert_eq!((ledge.normal, ledge.hold_type), (Vec3::Y, HoldType::LoadBearing));
    assert!(matches!(ledge.shape, HoldShape::Segment([a, b]) if a.y == 3.0 && b.y == 3.0));
    let edge = named("edge");
    assert_eq!((edge.normal, edge.hold_type), (Vec3::Y, HoldType::Hybrid));
}

#[test]
fn contacts_are_reached_close_to_the_given_posture() {
    let problem = problem(SCENE);
    assert_touches(&problem, &problem.start);
    assert_touches(&problem, &problem.goal);
    assert_eq!((problem.start.stance.len(), problem.goal.stance.len()), (2, 1));
    assert_eq!([&problem.start.mode_name, &problem.goal.mode_name], ["walking", "walking"]);
    let root = problem.start.configuration.root.translation;
    assert!((root - Vec3::new(1.0, 0.85, 0.0)).length() < 0.15, "{root}");
    // Sorted by effector.
    assert!(problem.start.stance[0].effector < problem.start.stance[1].effector);
}

#[test]
fn the_mode_defaults_to_the_first_that_allows_the_contacts() {
    let hanging = SCENE
        .replace("contacts = { left_foot = [0.9, 0], right_foot = [1.1, 0.0] }", "contacts = { left_hand = \"bar\" }");
    let hanging = hanging.replace("position = [1.0, 0.85]", "position = [4.0, 1.4]");
    // Climbing comes before swinging and also uses pendent holds.
    assert_eq!(problem(&hanging).start.mode_name, "climbing");
    let swinging = hanging.replace("contacts = { left_hand", "mode = \"swinging\"\ncontacts = { left_hand");
    let swinging = problem(&swinging);
    assert_eq!(swinging.start.mode_name, "swinging");
    assert_touches(&swinging, &swinging.start);
}

#[test]
fn a_named_surface_is_touched_at_the_point_nearest_to_the_effector() {
    let climbing = SCENE.replace(
        "contacts = { left_foot = [6.4, 0.05] }\nmode = \"walking\"",
        "contacts = { right_hand = \"wall 4\" }",
    );
    let climbing = climbing.replace("facing = \"left\"", "angles = { right_shoulder = 80 }");
    let problem = problem(&climbing);
    let contact = problem.goal.stance[0];
    assert_touches(&problem, &problem.goal);
    assert_eq!(contact.normal, Vec3::NEG_X, "{}", problem.world.holds[contact.hold].name);
    assert!((contact.point.y - 1.3).abs() < 0.4, "{contact:?}");
}

#[test]
fn a_posture_without_contacts_flies_or_uses_a_mode_without_contacts() {
    let flying = SCENE.replace("contacts = { left_foot = [0.9, 0], right_foot = [1.1, 0.0] }", "");
    assert_eq!(problem(&flying).start.mode_name, "flying");
    let sliding = flying.replace("position = [1.0, 0.85]", "position = [1.0, 0.85]\nmode = \"sliding\"");
    assert_eq!(problem(&sliding).start.mode_name, "sliding");
}

#[test]
fn shipped_scenes_use_the_mode_table_next_to_their_character() {
    let problem = problem(SCENE);
    let table = problem.modes.as_ref().unwrap();
    let names: Vec<&str> = table.modes.iter().map(|mode| mode.name.as_str()).collect();
    assert_eq!(names, ["walking", "climbing", "swinging", "crawling", "sliding"]);
}

const PASSAGES: &str = r#"
[[passage]]
name = "over there"
postures = [{ position = [2, 0.9], contacts = { right_foot = [2.1, 0] } }]

[[passage]]
name = "slide"
mode = "sliding"
seconds = 1.5
postures = [
    { position = [3, 0.85], contacts = { left_foot = [2.85, 0], right_foot = [3.1, 0] } },
    { position = [4, 0.7], angles = { left_knee = -60 } },
    { position = [5, 0.85], contacts = { left_foot = [5.1, 0] } },
    { position = [5.5, 0.85], contacts = { right_foot = [5.6, 0] } },
]
"#;

#[test]
fn one_posture_is_a_milestone() {
    let problem = problem(&format!("{SCENE}{PASSAGES}"));
    let Passage { name, motion } = &problem.passages[0];
    assert_eq!((name.as_str(), motion.character.as_str()), ("over there", "figure"));
    assert_eq!(motion.frames.len(), 1);
    assert_eq!(motion.mode_spans, [ModeSpan { first_frame: 0, last_frame: 0, mode: "walking".to_owned() }]);
    let configuration = motion.frames[0].configuration.clone();
    let posture = Posture { configuration, stance: motion.stance_at_frame(0), mode_name: "walking".to_owned() };
    assert_eq!(posture.stance.len(), 1);
    assert_touches(&problem, &posture);
}

#[test]
fn several_postures_are_interpolated_with_contacts_at_the_first_and_last() {
    let problem = problem(&format!("{SCENE}{PASSAGES}"));
    let motion = &problem.passages[1].motion;
    // Half a second from one posture to the next.
    assert_eq!(motion.frames.len(), 46);
    assert_eq!(motion.mode_spans, [ModeSpan { first_frame: 0, last_frame: 45, mode: "sliding".to_owned() }]);
    assert!((motion.duration() - 1.5).abs() < 1e-6);
    assert!(motion.frames.windows(2).all(|pair| (pair[1].time - pair[0].time - 1.0 / 30.0).abs() < 1e-5));
    let spans: Vec<(usize, usize)> = motion.contacts.iter().map(|span| (span.first_frame, span.last_frame)).collect();
    assert_eq!(spans, [(0, 0), (0, 0), (45, 45)]);
    let at = |frame: usize| motion.frames[frame].configuration.clone();
    for frame in [0, 45] {
        assert_touches(
            &problem,
            &Posture { configuration: at(frame), stance: motion.stance_at_frame(frame), mode_name: String::new() },
        );
    }
    // In between, a contact only places the body: the foot is at a hold, but not in contact.
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    forward(character, &at(30), &mut frames);
    let foot = character.find_effector("left_foot").unwrap();
    let sole = effector_position(character, &frames, foot) - Vec3::Y * character.effectors[foot].radius;
    let hold = problem.world.holds.iter().map(|hold| (hold.nearest_point(sole) - sole).length()).fold(1.0, f32::min);
    assert!(hold < 1e-5 && (sole.x - 5.1).abs() < 0.1, "{sole}");
    assert_eq!(motion.stance_at_frame(30), []);
    // Unchanged if there are no contacts to reach.
    assert_eq!(at(15).root.translation, Vec3::new(4.0, 0.7, 0.0));
    let halfway = (at(22).root.translation, 0.5 * (at(15).root.translation + at(30).root.translation));
    assert!((halfway.0 - halfway.1).length() < 0.05, "{halfway:?}");
}

#[test]
fn a_passage_can_be_a_motion_file() {
    let made = problem(SCENE);
    let mut motion = problem(&format!("{SCENE}{PASSAGES}")).passages.remove(1).motion;
    let text = to_motion_json(&made, &motion).unwrap();
    let scene = format!("{SCENE}[[passage]]\nname = \"slide\"\nmotion = \"slide.json\"\n");
    let read = |path: &Path| match path.to_str() {
        Some("slide.json") => Ok(text.clone().into_bytes()),
        _ => std::fs::read(scenes().join(path)),
    };
    let problem = parse_scene(Path::new("yard.toml"), scene.as_bytes(), &read).unwrap().problem;
    let read = &problem.passages[0].motion;
    assert_eq!(read.mode_spans, motion.mode_spans);
    assert_eq!(read.contacts, motion.contacts);
    motion.mode_spans[0].mode = "skating".to_owned();
    let text = to_motion_json(&made, &motion).unwrap();
    let read = |path: &Path| match path.to_str() {
        Some("slide.json") => Ok(text.clone().into_bytes()),
        _ => std::fs::read(scenes().join(path)),
    };
    let error = parse_scene(Path::new("yard.toml"), scene.as_bytes(), &read).unwrap_err();
    assert!(error.to_string().contains("the mode `skating`, which is not in the mode table"), "{error}");
}

#[test]
fn pins_and_forbidden_holds_resolve_to_the_right_holds() {
    let forbidden = "forbidden = [\"bar\", { near = [7.0, 2.2] }, \"floor 9\", \"bar\"]\nbounds =";
    let pins = "[[pin]]\nhold = \"ledge\"\n[[pin]]\nnear = [7.5, 3.1]\neffector = \"left_hand\"\n\
                [[pin]]\nnear = [5.1, 0.1]\n";
    let problem = problem(&format!("{}{pins}", SCENE.replace("bounds =", forbidden)));
    let names: Vec<&str> =
        problem.forbidden_holds.iter().map(|&hold| problem.world.holds[hold].name.as_str()).collect();
    let hold = |name: &str| problem.world.holds.position(|hold| hold.name == name).unwrap();
    assert!(problem.forbidden_holds.is_sorted());
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains(&"bar") && names.contains(&"floor 9"), "{names:?}");
    // The whole side of the wall.
    let side =
        problem.forbidden_holds.iter().map(|&hold| &problem.world.holds[hold]).find(|hold| hold.has_extent()).unwrap();
    assert!(side.name.starts_with("wall") && side.normal == Vec3::NEG_X, "{side:?}");
    assert!(problem.forbids_hold(hold("bar")) && !problem.forbids_hold(hold("ledge")));
    // A name allows any point of a surface, a point selects the nearest one; point holds have no choice.
    let [named, near, point] = problem.pins[..] else { panic!("{:?}", problem.pins) };
    assert_eq!(named, Pin { effector: None, hold: hold("ledge"), point: None });
    assert_eq!(near.effector, problem.character.find_effector("left_hand"));
    let at = near.point.unwrap();
    assert!((at - Vec3::new(7.5, 3.0, 0.0)).length() < 0.02, "{at}");
    assert!(problem.world.holds[near.hold].has_extent());
    assert_eq!((point.effector, point.point), (None, None));
    let at = problem.world.holds[point.hold].nearest_point(Vec3::ZERO);
    assert!((at - Vec3::new(5.1, 0.0, 0.0)).length() < 0.126, "{at}");
}

#[test]
fn edits_equal_the_same_entries_in_a_file() {
    let plain = problem(SCENE);
    let forbid = |hold: &str| HoldEdit::Forbid { hold: hold.to_owned() };
    let pin = |effector: Option<&str>, hold: &str| HoldEdit::Pin {
        effector: effector.map(ToOwned::to_owned),
        hold: hold.to_owned(),
    };
    let edited = apply_hold_edits(&plain, &[forbid("bar"), pin(Some("left_hand"), "edge"), forbid("floor 9")]).unwrap();
    let written = "[[pin]]\nhold = \"edge\"\neffector = \"left_hand\"\n";
    let scene = SCENE.replace("bounds =", "forbidden = [\"floor 9\", \"bar\"]\nbounds =");
    let read = problem(&format!("{scene}{written}"));
    assert_eq!((&edited.pins, &edited.forbidden_holds), (&read.pins, &read.forbidden_holds));
    let start = &plain.world.holds[plain.start.stance[0].hold].name;
    for (edits, answer) in [
        (vec![forbid("bra")], "there is no hold `bra` | did you mean `bar`?"),
        (vec![forbid("anything")], "there is no hold `anything` | hold names look like `floor 1`"),
        (vec![pin(Some("left_hnd"), "edge")], "there is no effector `left_hnd` | did you mean `left_hand`?"),
        (vec![pin(None, "edge"), forbid("edge")], "hold `edge` is pinned and forbidden | remove one of the two"),
        (
            vec![forbid(start)],
            "is forbidden, but the start has `left_foot` on it | allow the hold, or choose another contact",
        ),
    ] {
        let error = apply_hold_edits(&plain, &edits).unwrap_err();
        let said = format!("{error} | {}", error.help);
        assert!(said.ends_with(answer), "{said}");
    }
}
