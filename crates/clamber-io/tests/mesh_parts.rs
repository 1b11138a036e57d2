//! Parts of mesh files become obstacles, and no holds lie inside solids that touch or overlap.

use std::fmt::Write;
use std::io::{Error, ErrorKind};
use std::path::Path;

use clamber_io::{FileError, Scene, parse_scene};
use clamber_model::World;
use clamber_model::math::Vec3;

/// A level of stairs: a floor and four nested steps that share its far edge, from (2.5, 0) to (5.5, 0.72).
const STAIRS: [(&str, [f32; 2], [f32; 2]); 5] = [
    ("Floor", [-1.0, -1.0], [5.5, 0.0]),
    ("Step.000", [2.5, 0.0], [5.5, 0.18]),
    ("Step.001", [2.8, 0.0], [5.5, 0.36]),
    ("Step.002", [3.1, 0.0], [5.5, 0.54]),
    ("Step.003", [3.4, 0.0], [5.5, 0.72]),
];

/// An OBJ file with boxes, each after the line that `header` returns.
fn boxes(boxes: &[(&str, [f32; 2], [f32; 2])], header: impl Fn(&str, usize) -> String) -> String {
    let mut text = String::new();
    for (number, (name, [x, y], [right, top])) in boxes.iter().enumerate() {
        for z in [-1.0, 1.0] {
            for [x, y] in [[x, y], [right, y], [right, top], [x, top]] {
                writeln!(text, "v {x} {y} {z}").unwrap();
            }
        }
        let sides = [[4, 3, 2, 1], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]];
        for (side, corners) in sides.iter().enumerate() {
            text.push_str(&header(name, side));
            let [a, b, c, d] = corners.map(|corner| corner + 8 * number);
            writeln!(text, "f {a} {b} {c} {d}").unwrap();
        }
    }
    text
}

fn object(name: &str, side: usize) -> String {
    if side == 0 { format!("o {name}\n") } else { String::new() }
}

fn scene_with(mesh: &[u8], file: &str, more: &str) -> Result<Scene, FileError> {
    let scene = format!(
        r#"
version = 1
name = "level"
character = "figure"
bounds = {{ min = [-1, -1], max = [6, 4] }}
{more}
[[obstacle]]
name = "level"
mesh = {{ file = "{file}" }}
holds = {{ every = 0.2 }}
[start]
position = [1.0, 0.91]
contacts = {{ left_foot = [0.9, 0.0], right_foot = [1.1, 0.0] }}
mode = "walking"
[goal]
position = [4.5, 1.63]
contacts = {{ left_foot = [4.4, 0.72], right_foot = [4.6, 0.72] }}
mode = "walking"
"#
    );
    let read = |path: &Path| match path.ends_with(file) {
        true => Ok(mesh.to_vec()),
        false => Err(Error::from(ErrorKind::NotFound)),
    };
    parse_scene(Path::new("level.toml"), scene.as_bytes(), &read)
}

fn world_of(obj: &str) -> std::sync::Arc<World> {
    scene_with(obj.as_bytes(), "level.obj", "").unwrap_or_else(|error| panic!("{error} {:?}", error.help)).problem.world
}

fn names(world: &World) -> Vec<&str> {
    world.obstacles.iter().map(|obstacle| obstacle.name.as_str()).collect()
}

/// Whether a point of the section is deeper than a millimeter in a box of the stairs.
fn is_in_stairs(point: Vec3) -> bool {
    let is_in = |(_, [x, y], [right, top]): &(&str, [f32; 2], [f32; 2])| {
        let deep = 1e-3;
        point.x > x + deep && point.x < right - deep && point.y > y + deep && point.y < top - deep
    };
    STAIRS.iter().any(is_in)
}

fn assert_solid_with_holds_outside(world: &World, what: &str) {
    assert!(world.obstacles.iter().all(|obstacle| obstacle.is_solid()), "{what}: {:?}", world.obstacles);
    assert!(world.point_distance(Vec3::new(4.9, 0.36, 0.0)).distance < -0.3, "{what}");
    let tops = [(1.0, 0.0), (2.65, 0.18), (2.95, 0.36), (3.25, 0.54), (4.5, 0.72)];
    for (x, y) in tops {
        let hold = world.nearest_hold(Vec3::new(x, y, 0.0)).unwrap();
        let place = world.holds[hold].nearest_point(Vec3::ZERO);
        assert!((place - Vec3::new(x, y, 0.0)).length() < 0.11, "{what}: {place}");
    }
    for hold in &world.holds {
        // Just off the surface, along the normal.
        let off = hold.nearest_point(Vec3::ZERO) + hold.normal * 0.02;
        assert!(!is_in_stairs(off), "{what}: `{}` at {off} is in the rock", hold.name);
    }
}

#[test]
fn objects_of_an_obj_file_become_obstacles() {
    let world = world_of(&boxes(&STAIRS, object));
    let expected = ["level/Floor", "level/Step.000", "level/Step.001", "level/Step.002", "level/Step.003"];
    assert_eq!(names(&world), expected);
    assert_solid_with_holds_outside(&world, "objects");
    assert!(world.holds.iter().any(|hold| hold.name == "level/Step.003 1"));
}

#[test]
fn touching_and_nested_boxes_in_one_object_are_solid() {
    let world = world_of(&boxes(&STAIRS, |_, _| String::new()));
    assert_eq!(names(&world), ["level"]);
    assert_solid_with_holds_outside(&world, "one object");
}

#[test]
fn groups_become_obstacles_only_in_a_file_without_objects() {
    let group = |name: &str, side: usize| if side == 0 { format!("g {name}\n") } else { String::new() };
    assert_eq!(names(&world_of(&boxes(&STAIRS, group))).len(), 5);
    let both = |name: &str, side: usize| format!("{}g side {side}\n", object(name, side));
    assert_eq!(names(&world_of(&boxes(&STAIRS, both))).len(), 5);
    // The sides of one box are in groups of their own: apart, they would be surfaces.
    let sides = world_of(&boxes(&STAIRS, |name, side| format!("g {name} side {side}\n")));
    assert_eq!(names(&sides), ["level"]);
    assert_solid_with_holds_outside(&sides, "sides");
    // A single object keeps the plain name.
    let one = format!("o Everything\n{}", boxes(&STAIRS, |_, _| String::new()));
    assert_eq!(names(&world_of(&one)), ["level"]);
}

#[test]
fn names_of_parts_are_unique_and_printable() {
    let world = world_of(&boxes(&STAIRS, |name, side| match (name, side) {
        ("Floor", 0) => "o a\tb\u{7}\n".to_owned(),
        ("Step.000", 0) => format!("o {}\n", "long".repeat(100)),
        ("Step.001", 0) => "o a b\u{7}\n".to_owned(),
        _ => String::new(),
    }));
    assert_eq!(names(&world), ["level/a b_", &format!("level/{}", "long".repeat(20))]);
    let taken = "[[obstacle]]\nname = \"level/Floor\"\nbox = { center = [0, 3], size = [1, 1] }\n";
    let error = scene_with(boxes(&STAIRS, object).as_bytes(), "level.obj", taken).unwrap_err();
    assert!(error.message.contains("`level/Floor` is already in use"), "{error}");
}

#[test]
fn nodes_of_a_gltf_file_become_obstacles() {
    // A tetrahedron, used by four nodes.
    let corners: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let triangles: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(triangles.iter().flatten().flat_map(|index| index.to_le_bytes()));
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2,3,4]}],
        "nodes":[{"name":"Rock","mesh":0},{"name":"Rock","mesh":0,"translation":[2,0,0]},
            {"mesh":0,"translation":[4,0,0]},{"name":"empty"},{"name":"Floor","mesh":0,"translation":[0,-1,0],"scale":[9,1,1]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
            {"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
        "buffers":[{"byteLength":72,"uri":"rocks.bin"}]}"#;
    let scene = r#"
version = 1
name = "rocks"
character = "insect"
bounds = { min = [-1, -1, -1], max = [9, 4, 4] }
[[obstacle]]
name = "rocks"
mesh = { file = "rocks.gltf" }
[start]
position = [0, 3, 2]
[goal]
position = [8, 3, 2]
"#;
    let read = |path: &Path| match path.extension().and_then(|ending| ending.to_str()) {
        Some("gltf") => Ok(json.as_bytes().to_vec()),
        Some("bin") => Ok(bytes.clone()),
        _ => Err(Error::from(ErrorKind::NotFound)),
    };
    let scene = parse_scene(Path::new("rocks.toml"), scene.as_bytes(), &read).unwrap();
    let world = &scene.problem.world;
    assert_eq!(names(world), ["rocks/Rock", "rocks/Rock 1", "rocks/node 2", "rocks/Floor"]);
    assert!(world.obstacles.iter().all(|obstacle| obstacle.is_solid()));
}

#[test]
fn pins_and_placed_holds_inside_rock_are_refused() {
    let obj = boxes(&STAIRS, object);
    let error = |more: &str| match scene_with(obj.as_bytes(), "level.obj", more) {
        Ok(_) => panic!("accepted: {more}"),
        Err(error) => error.to_string(),
    };
    let near = error("[[pin]]\nnear = [4.9, 0.36]\n");
    assert!(near.contains("no hold is near this point"), "{near}");
    // A face of a step that another step contains.
    let placed = error("[[hold]]\nname = \"low\"\nat = [4.9, 0.36]\n");
    assert!(placed.contains("`low` is inside an obstacle"), "{placed}");
    let inward = error("[[hold]]\nat = [4.9, 0.72]\nnormal = [0, -1]\n");
    assert!(inward.contains("`hold 1` is inside an obstacle"), "{inward}");
    // A surface that is partly inside: the floor under the steps.
    let bare =
        "[[obstacle]]\nname = \"slab\"\nbox = { center = [2, -0.5], size = [8, 1] }\nholds = { everywhere = true }\n";
    let under = error(&format!("{bare}[[pin]]\nnear = [4.9, 0.0]\n"));
    assert!(under.contains("this place on hold") && under.contains("is inside an obstacle"), "{under}");
}
