//! Levels: each node of a glTF file becomes an obstacle with holds, as its markers say.

use std::io::{Error, ErrorKind};
use std::path::Path;

use clamber_io::{FileError, Scene, parse_scene, read_scene};
use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{Clearance, CollisionWorkspace, worst_hit};
use clamber_model::world::HoldType;

/// A binary glTF file with these nodes; mesh 0 is a box from -0.5 to 0.5.
fn glb(nodes: &str, roots: &str) -> Vec<u8> {
    let corners = (0..8).flat_map(|corner: usize| [4, 2, 1].map(|bit| if corner & bit == 0 { -0.5f32 } else { 0.5 }));
    let sides = [[0u16, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let indices = sides.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    let mut binary: Vec<u8> = corners.flat_map(f32::to_le_bytes).collect();
    binary.extend(indices.flat_map(u16::to_le_bytes));
    let mut json = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": {roots}}}], "nodes": [{nodes}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}},
            {{"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}}
        ],
        "bufferViews": [
            {{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 72}}
        ],
        "buffers": [{{"byteLength": 168}}]}}"#
    )
    .into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &binary)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn parse(file: (&str, &[u8]), level: &str, more: &str) -> Result<Scene, FileError> {
    let scene = format!(
        "version = 2\nname = \"level\"\ncharacter = \"human\"\nbounds = {{ min = [-9, -9, -9], max = [9, 9, 9] }}\n{more}\n\
         [[level]]\nfile = \"{}\"\n{level}\n[start]\nposition = [5, 5, 5]\n",
        file.0
    );
    let read = |path: &Path| match path.ends_with(file.0) {
        true => Ok(file.1.to_vec()),
        false => Err(Error::from(ErrorKind::NotFound)),
    };
    parse_scene(Path::new("level.toml"), scene.as_bytes(), &read)
}

fn world(nodes: &str, roots: &str, level: &str) -> std::sync::Arc<World> {
    let scene = parse(("room.glb", &glb(nodes, roots)), level, "");
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem.world
}

fn names(world: &World) -> Vec<&str> {
    world.obstacles.iter().map(|obstacle| obstacle.name.as_str()).collect()
}

/// The types of the holds of an obstacle.
fn types(world: &World, obstacle: &str) -> Vec<HoldType> {
    let of_obstacle = |name: &str| name.rsplit_once(' ').is_some_and(|(name, _)| name == obstacle);
    let mut types: Vec<HoldType> =
        world.holds.iter().filter(|hold| of_obstacle(&hold.name)).map(|hold| hold.hold_type).collect();
    types.sort_unstable();
    types.dedup();
    types
}

#[test]
fn every_node_is_an_obstacle_whose_load_bearing_sides_are_holds() {
    let nodes = r#"
        {"name": "floor", "mesh": 0, "scale": [8, 1, 8]},
        {"name": "box", "mesh": 0, "translation": [0, 3, 0]},
        {"mesh": 0, "translation": [3, 3, 0]},
        {"name": "box", "mesh": 0, "translation": [-3, 3, 0]}"#;
    let world = world(nodes, "[0, 1, 2, 3]", "");
    assert_eq!(names(&world), ["floor", "box", "node 2", "box 3"]);
    for name in names(&world) {
        assert_eq!(types(&world, name), [HoldType::LoadBearing], "{name}");
    }
    assert!(world.holds.iter().all(|hold| hold.has_extent() && hold.normal.y > 0.99 && hold.friction == 0.8));
    assert!(world.obstacles.iter().all(clamber_model::world::Obstacle::is_solid));
}

#[test]
fn the_scene_gives_defaults_for_all_nodes_and_places_the_level() {
    let nodes = r#"{"name": "a", "mesh": 0}, {"name": "b", "mesh": 0, "translation": [2, 0, 0], "extras": {"clamber_friction": 0.1}}"#;
    let level = "position = [0, 1, 0]\nscale = 2\nturn = { heading = 90 }\nfriction = 0.4\n\
                 holds = { every = 0.3, types = [\"pendent\"] }";
    let world = world(nodes, "[0, 1]", level);
    assert_eq!(world.obstacles.iter().map(|obstacle| obstacle.friction).collect::<Vec<f32>>(), [0.4, 0.1]);
    assert!(world.holds.iter().all(|hold| !hold.has_extent() && hold.hold_type == HoldType::Pendent));
    assert!(world.point_distance(Vec3::new(0.0, 1.0, -4.0)).distance < -0.9, "b is at (0, 1, -4)");
}

#[test]
fn markers_forbid_choose_and_leave_out() {
    let nodes = r#"
        {"name": "plain", "mesh": 0, "extras": {"maker": "me"}},
        {"name": "lamp-noholds", "mesh": 0, "translation": [2, 0, 0]},
        {"name": "rail-pendent.001", "mesh": 0, "translation": [4, 0, 0]},
        {"name": "plant-ignore", "mesh": 0, "translation": [6, 0, 0]},
        {"name": "ice", "mesh": 0, "translation": [0, 0, 2], "extras": {"clamber": {"types": ["load-bearing", "hybrid"], "friction": 0.05}}},
        {"name": "glass", "mesh": 0, "translation": [0, 0, 4], "extras": {"clamber_holds": false}},
        {"name": "points", "mesh": 0, "translation": [0, 0, 6], "extras": {"clamber_every": 0.4, "clamber_types": "pendent"}},
        {"name": "air", "mesh": 0, "translation": [0, 4, 0], "extras": {"clamber_ignore": 1}},
        {"name": "kept-noholds", "mesh": 0, "translation": [0, 6, 0], "extras": {"clamber_holds": true}}"#;
    let world = world(nodes, "[0, 1, 2, 3, 4, 5, 6, 7, 8]", "");
    assert_eq!(names(&world), ["plain", "lamp-noholds", "rail-pendent.001", "ice", "glass", "points", "kept-noholds"]);
    use HoldType::{Hybrid, LoadBearing, Pendent};
    for (name, expected) in [
        ("plain", &[LoadBearing][..]),
        ("lamp-noholds", &[]),
        ("rail-pendent.001", &[Pendent]),
        ("ice", &[LoadBearing, Hybrid]),
        ("glass", &[]),
        ("points", &[Pendent]),
        ("kept-noholds", &[LoadBearing]),
    ] {
        assert_eq!(types(&world, name), expected, "{name}");
    }
    let points = world.holds.iter().filter(|hold| hold.name.starts_with("points "));
    assert!(points.clone().count() >= 4 && points.clone().all(|hold| !hold.has_extent()));
    assert!(world.holds.iter().all(|hold| (hold.friction == 0.05) == hold.name.starts_with("ice ")));
}

#[test]
fn transforms_and_markers_are_inherited() {
    // Nested, scaled and mirrored: the child is a box from (2, 0, 0) to (4, 4, 2).
    let nodes = r#"
        {"name": "group-noholds", "scale": [-2, 2, 2], "translation": [4, 1, 0], "children": [1, 2]},
        {"name": "tall", "mesh": 0, "scale": [1, 2, 1], "translation": [0.5, 0.5, 0.5]},
        {"name": "step", "mesh": 0, "translation": [0.5, 0.5, -2], "extras": {"clamber_holds": true}}"#;
    let world = world(nodes, "[0]", "");
    assert_eq!(names(&world), ["tall", "step"]);
    assert_eq!((types(&world, "tall"), types(&world, "step")), (vec![], vec![HoldType::LoadBearing]));
    assert!(world.obstacles.iter().all(clamber_model::world::Obstacle::is_solid));
    assert!(world.point_distance(Vec3::new(3.0, 2.0, 1.0)).distance < -0.99);
    assert!(world.point_distance(Vec3::new(3.0, 4.5, 1.0)).distance > 0.49);
    let top =
        |y: f32| world.holds.iter().all(|hold| (hold.nearest_point(Vec3::new(3.0, 9.0, -4.0)).y - y).abs() < 1e-5);
    assert!(top(3.0), "mirrored triangles still face outward: {:?}", world.holds);
}

#[test]
fn open_nodes_stay_apart_and_mirroring_turns_them() {
    // Two planes, one of them mirrored. Both face up.
    let text = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "plane", "mesh": 0}, {"name": "mirrored", "mesh": 0, "scale": [-1, 1, 1], "translation": [0, 2, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 0, 1]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAAAA"}]}"#;
    let scene = parse(("room.gltf", text.as_bytes()), "", "");
    let world = scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem.world;
    assert_eq!(names(&world), ["plane", "mirrored"]);
    assert_eq!(types(&world, "plane"), [HoldType::LoadBearing]);
    assert_eq!(types(&world, "mirrored"), [HoldType::LoadBearing]);
}

#[test]
fn objects_of_obj_files_are_marked_by_name() {
    let object = |name: &str, x: f32| format!("o {name}\nv {x} 0 0\nv {x} 0 1\nv {} 0 0\nf -3 -2 -1\n", x + 1.0);
    let text = object("slab", 0.0) + &object("glass-noholds", 2.0) + &object("plant-ignore", 4.0);
    let scene = parse(("room.obj", text.as_bytes()), "", "");
    let world = scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem.world;
    assert_eq!(names(&world), ["slab", "glass-noholds"]);
    assert_eq!((types(&world, "slab"), types(&world, "glass-noholds")), (vec![HoldType::LoadBearing], vec![]));
    // Without objects, the obstacle has the name of the file.
    let scene = parse(("room.obj", b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n"), "", "").unwrap();
    assert_eq!(names(&scene.problem.world), ["room"]);
}

#[test]
fn errors_name_the_file_and_the_node() {
    let node = |extras: &str| format!("{{\"name\": \"shelf\", \"mesh\": 0, \"extras\": {extras}}}");
    for (extras, expected) in [
        ("{\"clamber\": 3}", "room.glb: node `shelf`: `clamber` in its extras is not a table | write"),
        (
            "{\"clamber_hold\": true}",
            "room.glb: node `shelf`: there is no marker `clamber_hold` | did you mean `holds`?",
        ),
        (
            "{\"clamber_holds\": \"maybe\"}",
            "room.glb: node `shelf`: `clamber_holds` is `\"maybe\"` | write true or false",
        ),
        (
            "{\"clamber_types\": \"bearing\"}",
            "room.glb: node `shelf`: `clamber_types` has the unknown type `bearing` |",
        ),
        (
            "{\"clamber_friction\": -1}",
            "room.glb: node `shelf`: a coefficient of friction of -1 is out of range | use 0",
        ),
        ("{\"clamber_every\": 0.001}", "room.glb: node `shelf`: holds cannot be 0.001 m apart | use at least 0.02 m"),
    ] {
        let error = parse(("room.glb", &glb(&node(extras), "[0]")), "", "").unwrap_err();
        let text = format!("{error} | {}", error.help.as_deref().unwrap_or(""));
        assert!(text.contains(expected), "{extras}: {text}");
    }
    let plain = glb("{\"name\": \"shelf\", \"mesh\": 0}", "[0]");
    let message = |level: &str, more: &str| {
        let error = parse(("room.glb", &plain), level, more).unwrap_err();
        format!("{error} | {}", error.help.as_deref().unwrap_or(""))
    };
    let same = "[[obstacle]]\nname = \"shelf\"\nbox = { center = [0, 0, 0], size = [1, 1, 1] }";
    assert!(message("", same).contains("node `shelf` of this level has the name of another obstacle | rename"));
    assert!(message("scale = 0", "").contains("a scale must be greater than 0"));
    assert!(message("hold = 3", "").contains("unknown key `hold` | did you mean `holds`?"));
    let all_ignored = glb("{\"name\": \"shelf-ignore\", \"mesh\": 0}", "[0]");
    let error = parse(("room.glb", &all_ignored), "", "").unwrap_err();
    assert!(error.message.contains("no triangles"), "{error}");
    // As a plain mesh, a node has no markers.
    let mesh = "[[obstacle]]\nname = \"plain\"\nmesh = { file = \"room.glb\" }\nholds = { everywhere = true }";
    let marked = glb(&node("{\"clamber_holds\": \"maybe\"}"), "[0]");
    let text = format!(
        "version = 2\nname = \"level\"\ncharacter = \"human\"\nbounds = {{ min = [-9, -9, -9], max = [9, 9, 9] }}\n{mesh}\n\
         [start]\nposition = [5, 5, 5]\n"
    );
    let scene = parse_scene(Path::new("level.toml"), text.as_bytes(), &|_: &Path| Ok(marked.clone())).unwrap();
    assert_eq!(names(&scene.problem.world), ["plain"]);
}

#[test]
fn the_furnished_room_has_its_furniture_and_the_human_stands_at_both_ends() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/space/furnished-room.toml");
    let scene = read_scene(&file).unwrap_or_else(|error| panic!("{error} | {:?}", error.help));
    let (world, character) = (&scene.problem.world, &scene.problem.character);
    assert_eq!(
        names(world),
        [
            "floor",
            "stage",
            "north wall",
            "south wall",
            "east wall",
            "corridor wall",
            "door wall",
            "carpet",
            "table",
            "chair",
            "chair.001",
            "chair.002",
            "chair.003",
            "sofa",
            "shelf",
            "bed",
            "nightstand",
            "lamp",
            "box"
        ]
    );
    assert!(world.obstacles.iter().all(clamber_model::world::Obstacle::is_solid));
    for name in ["floor", "stage", "carpet", "table", "chair", "chair.003", "sofa", "bed", "nightstand", "box"] {
        assert_eq!(types(world, name), [HoldType::LoadBearing], "{name}");
    }
    for name in ["north wall", "door wall", "shelf", "lamp"] {
        assert_eq!(types(world, name), [], "{name}");
    }
    let friction = |name: &str| world.obstacles.iter().find(|obstacle| obstacle.name == name).unwrap().friction;
    assert_eq!((friction("sofa"), friction("bed"), friction("table")), (0.6, 0.5, 0.8));
    // Through the door, but not through the wall beside it.
    assert!(world.point_distance(Vec3::new(-0.05, 1.0, 3.65)).distance > 0.4);
    assert!(world.point_distance(Vec3::new(-0.05, 1.0, 2.0)).distance < 0.0);
    let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
    for (posture, x, height) in [(&scene.problem.start, -0.8, 0.0), (&scene.problem.goal, 5.7, 0.15)] {
        let configuration = &posture.configuration;
        assert_eq!(posture.mode_name, "walking");
        assert!((configuration.root.translation.x - x).abs() < 0.1, "{:?}", configuration.root);
        assert!(posture.stance.iter().all(|contact| (contact.point.y - height).abs() < 1e-5));
        assert!(worst_hit(world, character, configuration, margin, &mut CollisionWorkspace::default()).is_none());
    }
}
