//! The files to mutate, in memory.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use clamber_io::{parse_scene, to_bvh, to_motion_json};
use clamber_model::motion::ContactSpan;
use clamber_model::{Configuration, Motion, Problem};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Scene,
    Character,
    Modes,
    Mesh,
    Motion,
}

/// A file to mutate, and the scene that reads it.
#[derive(Clone, Debug)]
pub struct Seed {
    pub kind: Kind,
    pub file: PathBuf,
    pub scene: PathBuf,
    pub mutants: usize,
}

/// Files by their path, without any `.` or `..`.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns a file, or a not-found error.
pub fn read(files: &Files, path: &Path) -> std::io::Result<Vec<u8>> {
    files.get(&plain_path(path)).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
}

/// Returns the path without `a/../`.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            component => plain.push(component),
        }
    }
    plain
}

/// Returns all files, and the seeds with their number of mutants, ten thousand in all.
pub fn seeds() -> (Files, Vec<Seed>) {
    let mut files = shipped();
    files.insert("scenes/meshes/cube.obj".into(), CUBE_OBJ.into());
    files.insert("scenes/meshes/cube.gltf".into(), cube_gltf());
    files.insert("scenes/meshes/cube.glb".into(), cube_glb());
    for (character, place) in [
        ("figure", "[2.0, 1.2]"),
        ("human", "[2.0, 1.2, 0.0]"),
        ("insect", "[2.0, 1.2, 0.0]"),
        ("dog", "[2.0, 1.2, 0.0]"),
    ] {
        files.insert(format!("scenes/small-{character}.toml").into(), small_scene(character, place).into());
    }
    for mesh in ["cube.obj", "cube.gltf", "cube.glb"] {
        files.insert(format!("scenes/{mesh}.toml").into(), mesh_scene(mesh).into());
    }
    files.insert("scenes/level.toml".into(), level_scene().into());
    files.insert("scenes/holds.toml".into(), holds_scene().into());
    for (name, scene) in [("figure", "scenes/holds.toml"), ("human", "scenes/small-human.toml")] {
        let (json, bvh) = motion_texts(&files, scene);
        files.insert(format!("{name}.json").into(), json.into());
        files.insert(format!("{name}.bvh").into(), bvh.into());
    }
    // This scene needs the motion above as a passage.
    files.insert("scenes/holds.toml".into(), format!("{}{}", holds_scene(), READY_MADE).into());

    let mut seeds = Vec::new();
    let mut add = |kind, file: &str, scene: &str, mutants| {
        seeds.push(Seed { kind, file: file.into(), scene: scene.into(), mutants });
    };
    let shipped_scenes: Vec<PathBuf> = shipped().into_keys().filter(|file| is_shipped_scene(file)).collect();
    // Small scenes, which are faster to read, get the rest of two thousand mutants.
    let of_each = 1000 / shipped_scenes.len();
    for scene in &shipped_scenes {
        let scene = scene.to_str().unwrap();
        add(Kind::Scene, scene, scene, of_each);
    }
    add(Kind::Scene, "scenes/small-figure.toml", "scenes/small-figure.toml", 300);
    add(Kind::Scene, "scenes/holds.toml", "scenes/holds.toml", 800);
    add(Kind::Scene, "scenes/cube.gltf.toml", "scenes/cube.gltf.toml", 1300 - of_each * shipped_scenes.len());
    add(Kind::Scene, "scenes/level.toml", "scenes/level.toml", 200);
    for character in ["figure", "human", "insect", "dog"] {
        add(Kind::Character, &format!("characters/{character}.toml"), &format!("scenes/small-{character}.toml"), 450);
    }
    add(Kind::Modes, "characters/figure.modes.toml", "scenes/holds.toml", 600);
    add(Kind::Modes, "characters/dog.modes.toml", "scenes/small-dog.toml", 400);
    add(Kind::Mesh, "scenes/meshes/boulders.obj", "scenes/flight-insect.toml", 300);
    for (mesh, mutants) in [("cube.obj", 800), ("cube.gltf", 400), ("cube.glb", 800)] {
        add(Kind::Mesh, &format!("scenes/meshes/{mesh}"), &format!("scenes/{mesh}.toml"), mutants);
    }
    add(Kind::Mesh, "scenes/meshes/cube.gltf", "scenes/level.toml", 400);
    add(Kind::Motion, "figure.json", "scenes/holds.toml", 600);
    add(Kind::Motion, "human.json", "scenes/small-human.toml", 400);
    add(Kind::Motion, "figure.bvh", "scenes/small-figure.toml", 500);
    add(Kind::Motion, "human.bvh", "scenes/small-human.toml", 400);
    (files, seeds)
}

fn is_shipped_scene(file: &Path) -> bool {
    file.starts_with("scenes") && file.extension().is_some_and(|ending| ending == "toml")
}

/// The project's scenes, meshes and characters.
fn shipped() -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Files::new();
    for folder in ["scenes", "scenes/meshes", "characters"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                files.insert(Path::new(folder).join(path.file_name().unwrap()), std::fs::read(path).unwrap());
            }
        }
    }
    files
}

fn small_scene(character: &str, goal: &str) -> String {
    format!(
        r#"# A character between a wall and a mound.
version = 1
name = "small"
character = "../characters/{character}.toml"
bounds = {{ min = [0.0, 0.0, -1.0], max = [3.0, 2.0, 1.0] }}

[[obstacle]]
name = "wall"
box = {{ center = [1.5, 0.2, 0.0], size = [0.2, 0.4, 1.0], turn = {{ heading = 10, roll = 5 }} }}

[[obstacle]]
name = "mound"
polygon = [[0.0, -0.1], [3.0, -0.1], [3.0, 0.1], [1.2, 0.3], [0.0, 0.1]]
depth = [-0.5, 0.5]

[start]
position = [0.5, 1.2]
pitch = 5

[goal]
position = {goal}
"#
    )
}

/// The same cube as a level, with its markers.
fn level_scene() -> String {
    let obstacle = mesh_scene("cube.gltf");
    let (before, after) = obstacle.split_once("[[obstacle]]").unwrap();
    let (_, after) = after.split_once("[start]").unwrap();
    let level = "[[level]]\nfile = \"meshes/cube.gltf\"\nposition = [1.5, 0.4, 0.0]\nscale = 0.5\nholds = { every = 0.1 }\nfriction = 0.6\n";
    format!("{before}{level}\n[start]{after}")
}

fn mesh_scene(mesh: &str) -> String {
    format!(
        r#"version = 1
name = "mesh"
character = "../characters/human.toml"
bounds = {{ min = [0.0, 0.0, -1.0], max = [3.0, 2.0, 1.0] }}

[[obstacle]]
name = "cube"
mesh = {{ file = "meshes/{mesh}", position = [1.5, 0.4, 0.0], turn = {{ heading = 30 }}, scale = 0.5 }}
holds = {{ every = 0.1, types = ["load-bearing", "hybrid"] }}

[start]
position = [0.5, 1.2, 0.0]
heading = 10
angles = {{ neck_bend = 10 }}

[goal]
position = [2.5, 1.2, 0.0]
roll = -10
"#
    )
}

fn holds_scene() -> String {
    r#"# A figure that holds on to the ground, to a wall and to a bar.
version = 1
name = "holds"
character = "../characters/figure.toml"
modes = "../characters/figure.modes.toml"
bounds = { min = [0.0, 0.0], max = [3.0, 2.5] }
forbidden = ["ground 3", { near = [2.8, 0.4] }]

[[obstacle]]
name = "ground"
polygon = [[0.0, -0.5], [3.0, -0.5], [3.0, 0.0], [2.2, 0.1], [1.2, 0.0], [0.0, 0.0]]
holds = { every = 0.25, types = ["load-bearing"] }

[[obstacle]]
name = "wall"
box = { center = [2.9, 1.0], size = [0.2, 2.0] }
holds = { everywhere = true }

[[hold]]
at = [2.8, 1.3]

[[hold]]
name = "bar"
at = [1.5, 2.2]
normal = [0.0, -1.0]
type = "pendent"

[[hold]]
name = "beam"
from = [0.3, 0.005]
to = [0.9, 0.0]

[start]
position = [0.6, 0.85]
contacts = { left_foot = "beam", right_foot = [0.7, 0.0] }

[goal]
position = [1.6, 1.2]
pitch = 5
angles = { left_shoulder = 150, right_knee = -40 }
contacts = { left_hand = "bar" }
mode = "swinging"

[[passage]]
name = "milestone"
postures = [{ position = [1.1, 0.9], contacts = { left_foot = [1.15, 0.05] } }]

[[passage]]
name = "slide"
mode = "sliding"
seconds = 0.5
postures = [
    { position = [1.2, 0.85], contacts = { right_foot = [1.4, 0.05] } },
    { position = [1.3, 0.75], angles = { left_hip = 60 } },
    { position = [1.4, 0.85] },
]

[[pin]]
hold = "ground 5"
effector = "left_foot"

[[pin]]
near = [0.8, 0.0]
"#
    .to_owned()
}

const READY_MADE: &str = r#"
[[passage]]
name = "ready-made"
motion = "../figure.json"
"#;

/// A motion straight from a scene's start to its goal, as JSON and as BVH.
fn motion_texts(files: &Files, scene: &str) -> (String, String) {
    let scene = parse_scene(Path::new(scene), &files[Path::new(scene)], &|path| read(files, path)).unwrap();
    let problem = scene.problem;
    let motion = straight(&problem, 12);
    (to_motion_json(&problem, &motion).unwrap(), to_bvh(&problem.character, &motion).unwrap())
}

/// A straight motion from start to goal that ignores obstacles.
pub fn straight(problem: &Problem, frames: usize) -> Motion {
    let between = |index: usize| {
        let mut configuration = Configuration::rest(&problem.character);
        configuration.interpolate(
            &problem.start.configuration,
            &problem.goal.configuration,
            index as f32 / (frames - 1) as f32,
        );
        configuration
    };
    let motion =
        Motion::from_configurations(&problem.character.name, "flying", (0..frames).map(between).collect(), 30.0);
    let ends = [(0, &problem.start), (frames - 1, &problem.goal)];
    let contacts = ends.into_iter().flat_map(|(frame, posture)| {
        posture.stance.iter().map(move |contact| ContactSpan {
            first_frame: frame,
            last_frame: frame,
            contact: *contact,
        })
    });
    Motion { contacts: contacts.collect(), ..motion }
}

const CUBE_OBJ: &str = "\
# A cube of one metre.
o cube
v 0.0 0.0 0.0
v 1.0 0.0 0.0
v 1.0 1.0 0.0
v 0.0 1.0 0.0
v 0.0 0.0 1.0
v 1.0 0.0 1.0
v 1.0 1.0 1.0
v 0.0 1.0 1.0
vn 0 0 -1
vt 0 0
f 1//1 4//1 3//1 2//1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f -8 -4 -1 -5
f 2/1 3/1 7/1 6/1
";

const CORNERS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

const TRIANGLES: [[u16; 3]; 12] = [
    [0, 3, 2],
    [0, 2, 1],
    [4, 5, 6],
    [4, 6, 7],
    [0, 1, 5],
    [0, 5, 4],
    [2, 3, 7],
    [2, 7, 6],
    [0, 4, 7],
    [0, 7, 3],
    [1, 2, 6],
    [1, 6, 5],
];

/// Vertex positions, then triangle indices.
fn cube_buffer() -> Vec<u8> {
    let positions = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes());
    positions.chain(TRIANGLES.iter().flatten().flat_map(|index| index.to_le_bytes())).collect()
}

fn cube_json(buffer: &str) -> String {
    format!(
        r#"{{
  "asset": {{ "version": "2.0" }},
  "scene": 0,
  "scenes": [{{ "nodes": [0] }}],
  "nodes": [
    {{ "children": [1], "translation": [0.5, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0],
      "extras": {{ "clamber_friction": 0.5, "clamber_types": "load-bearing, hybrid" }} }},
    {{ "name": "cube-hybrid", "mesh": 0, "scale": [1.0, 2.0, 1.0], "extras": {{ "clamber": {{ "holds": true, "every": 0.2 }} }} }}
  ],
  "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }}, "indices": 1, "mode": 4 }}] }}],
  "accessors": [
    {{ "bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] }},
    {{ "bufferView": 1, "byteOffset": 0, "componentType": 5123, "count": 36, "type": "SCALAR" }}
  ],
  "bufferViews": [
    {{ "buffer": 0, "byteOffset": 0, "byteLength": 96, "byteStride": 12 }},
    {{ "buffer": 0, "byteOffset": 96, "byteLength": 72 }}
  ],
  "buffers": [{{ {buffer}"byteLength": 168 }}]
}}
"#
    )
}

fn cube_gltf() -> Vec<u8> {
    let data = base64(&cube_buffer());
    cube_json(&format!("\"uri\": \"data:application/octet-stream;base64,{data}\", ")).into()
}

fn cube_glb() -> Vec<u8> {
    pack_glb(cube_json("").as_bytes(), &cube_buffer())
}

/// Returns a binary glTF with these JSON and binary chunks.
pub fn pack_glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, binary) = (padded(json, b' '), padded(binary, 0));
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, part) in [(b"JSON", json), (b"BIN\0", binary)] {
        glb.extend((part.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(part);
    }
    glb
}

/// Returns the JSON and binary chunks of a binary glTF from [`pack_glb`].
pub fn unpack_glb(glb: &[u8]) -> (&[u8], &[u8]) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (&glb[20..20 + length], &glb[28 + length..])
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * place)) as usize & 63]));
        }
        text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    text
}
