//! Good files to make mistakes in.

use std::io;
use std::path::Path;

use clamber_io::{FileError, parse_motion, parse_scene};

const SCENE: &str = r#"version = 1
name = "gate"
character = "figure.toml"
bounds = { min = [0, 0], max = [4, 3] }

[[obstacle]]
name = "beam"
box = { center = [2, 2], size = [1, 0.2] }

[[obstacle]]
name = "hill"
polygon = [[0, 0], [4, 0], [2, 1]]

[[obstacle]]
name = "rock"
mesh = { file = "rocks.obj", position = [3, 0] }

[start]
position = [0.5, 1.5]
angles = { knee = -20 }

[goal]
position = [3.5, 1.5]
"#;

const CHARACTER: &str = r#"version = 1
name = "hopper"
root = "planar"

[[link]]
name = "thigh"
mass = 5
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.1 }]

[[link]]
name = "shin"
parent = "thigh"
at = [0, -0.4, 0]
hinges = [{ name = "knee", axis = "z", min = -150, max = 0 }]
mass = 3
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.05 }]

[[limb]]
name = "leg"
from = "thigh"
to = "shin"

[[effector]]
name = "foot"
link = "shin"
center = [0, -0.4, 0]
radius = 0.05
"#;

const MESH: &str = "\
v 0 0 0
v 1 0 0
v 0 1 0
f 1 2 3
";

const MOTION: &str = r#"{
"version": 1,
"character": "hopper",
"hinges": ["knee"],
"spans": [
{"first":0,"last":1,"mode":"flying"},
{"first":1,"last":2,"mode":"flying"}
],
"frames": [
{"time":0.0,"position":[0.5,1.5,0.0],"rotation":[0.0,0.0,0.0,1.0],"angles":[-20.0]},
{"time":0.1,"position":[0.6,1.5,0.0],"rotation":[0.0,0.0,0.0,1.0],"angles":[-10.0]},
{"time":0.2,"position":[0.7,1.5,0.0],"rotation":[0.0,0.0,0.0,1.0],"angles":[0.0]}
]
}
"#;

/// A biped whose feet and left shin can make contact, and whose belly belongs to no limb.
const WALKER: &str = r#"version = 1
name = "walker"
root = "planar"

[[link]]
name = "trunk"
mass = 30
capsules = [{ from = [0, 0, 0], to = [0, 0.5, 0], radius = 0.1 }]

[[link]]
name = "left_thigh"
parent = "trunk"
hinges = [{ name = "left_hip", axis = "z", min = -60, max = 120 }]
mass = 5
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.05 }]

[[link]]
name = "left_shin"
parent = "left_thigh"
at = [0, -0.4, 0]
hinges = [{ name = "left_knee", axis = "z", min = -150, max = 0, rest = -10 }]
mass = 3
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.05 }]

[[link]]
name = "right_thigh"
parent = "trunk"
hinges = [{ name = "right_hip", axis = "z", min = -60, max = 120 }]
mass = 5
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.05 }]

[[link]]
name = "right_shin"
parent = "right_thigh"
at = [0, -0.4, 0]
hinges = [{ name = "right_knee", axis = "z", min = -150, max = 0, rest = -10 }]
mass = 3
capsules = [{ from = [0, 0, 0], to = [0, -0.4, 0], radius = 0.05 }]

[[limb]]
name = "left_leg"
from = "left_thigh"
to = "left_shin"

[[limb]]
name = "right_leg"
from = "right_thigh"
to = "right_shin"

[[effector]]
name = "left_foot"
link = "left_shin"
center = [0, -0.4, 0]
radius = 0.05

[[effector]]
name = "right_foot"
link = "right_shin"
center = [0, -0.4, 0]
radius = 0.05

[[effector]]
name = "left_shin_bone"
link = "left_shin"
center = [0, 0, 0]
radius = 0.05

[[effector]]
name = "belly"
link = "trunk"
center = [0, 0.2, 0]
radius = 0.1
"#;

const MODES: &str = r#"version = 1
character = "walker.toml"

[body]
trunk = "trunk"
head = "trunk"
legs = ["left_leg", "right_leg"]

[groups]
feet = ["left_foot", "right_foot"]
bones = ["left_shin_bone"]

[[mode]]
name = "walking"
carry = { feet = ["load-bearing"] }
least_contacts = 1
heuristics = { balance = 1, upright-spine = 2 }
comfort = 1.5
balance = { between = "feet", within = 0.05 }

[[mode]]
name = "kneeling"
carry = { feet = ["load-bearing", "hybrid"], bones = ["load-bearing"] }
least_contacts = 2

[[mode]]
name = "sliding"

[[edge]]
name = "step"
from = "walking"
to = "walking"
take = [{ with = ["feet"], on = ["load-bearing"], nearer = true, apart = { feet = 0.2 }, below = "hip" }]
do = ["attach", { correct = "walking" }, { detach = "feet" }]
after = [{ center_between = "feet", within = 0.02 }]

[[edge]]
name = "kneel"
from = "walking"
to = "kneeling"
when = [{ failed = "step", times = 2 }, { no_progress = 10 }, "head_over_hip"]
take = [{ with = ["bones"], on = ["load-bearing"], left_by = "feet" }]
do = [{ back_up = "feet" }, "wander", "attach"]

[[edge]]
name = "rise"
from = "kneeling"
to = "walking"
when = [{ advanced = 0.5 }, { all_hold = "feet" }, { holds_on = "load-bearing" }, { way_is_behind = 0.3 }]
do = [{ detach_stretched = 0.7, then = "bones", otherwise = "feet" }, { detach_rear = "feet" }]
"#;

const WALK: &str = r#"version = 1
name = "walk"
character = "walker.toml"
modes = "walker.modes.toml"
bounds = { min = [0, 0], max = [6, 3] }
forbidden = ["floor 5", { near = [5.3, 0.1] }]

[[obstacle]]
name = "floor"
box = { center = [3, -0.5], size = [6, 1] }
holds = { every = 0.5, types = ["load-bearing"] }

[[hold]]
name = "stone"
at = [1, 0.01]

[[hold]]
at = [1.5, 1]
normal = [-1, 0]

[[hold]]
name = "rail"
from = [4, 0]
to = [5, 0]
type = "hybrid"

[start]
position = [1, 0.8]
contacts = { left_foot = "stone", right_foot = [1.2, 0] }

[[passage]]
name = "glide"
mode = "sliding"
seconds = 1
postures = [
    { position = [2, 0.8], contacts = { left_foot = [2.2, 0] } },
    { position = [3, 0.8] },
]

[[passage]]
name = "ready-made"
motion = "ready.json"

[goal]
position = [4, 0.8]
contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }
mode = "kneeling"

[[pin]]
hold = "floor 7"
effector = "right_foot"

[[pin]]
near = [4.5, 0]
"#;

const READY: &str = r#"{
"version": 2,
"character": "walker",
"hinges": ["left_hip","left_knee","right_hip","right_knee"],
"spans": [
{"first":0,"last":1,"mode":"walking"}
],
"contacts": [
{"effector":"left_foot","hold":"floor 1","point":[5.75,0.0,0.0],"normal":[0.0,1.0,0.0],"first":0,"last":0},
{"effector":"right_foot","hold":"stone","point":[1.0,0.0,0.0],"normal":[0.0,1.0,0.0],"first":0,"last":1}
],
"frames": [
{"time":0.0,"position":[1.0,0.9,0.0],"rotation":[0.0,0.0,0.0,1.0],"angles":[0.0,-10.0,0.0,-10.0]},
{"time":0.1,"position":[1.0,0.9,0.0],"rotation":[0.0,0.0,0.0,1.0],"angles":[0.0,-10.0,0.0,-10.0]}
]
}
"#;

/// One good file of each kind. The scene `walk` has holds, contacts and passages.
pub struct Files {
    pub scene: String,
    pub character: String,
    pub mesh: String,
    pub motion: String,
    pub walk: String,
    pub walker: String,
    pub modes: String,
    pub ready: String,
}

impl Files {
    pub fn good() -> Self {
        let [scene, character, mesh, motion] = [SCENE, CHARACTER, MESH, MOTION].map(str::to_owned);
        let [walk, walker, modes, ready] = [WALK, WALKER, MODES, READY].map(str::to_owned);
        Self { scene, character, mesh, motion, walk, walker, modes, ready }
    }

    pub fn read(&self) -> Result<(), FileError> {
        let read = |path: &Path| match path.to_str() {
            Some("scenes/figure.toml") => Ok(self.character.clone().into_bytes()),
            Some("scenes/rocks.obj") => Ok(self.mesh.clone().into_bytes()),
            Some("scenes/walker.toml") => Ok(self.walker.clone().into_bytes()),
            Some("scenes/walker.modes.toml") => Ok(self.modes.clone().into_bytes()),
            Some("scenes/ready.json") => Ok(self.ready.clone().into_bytes()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let scene = parse_scene(Path::new("scenes/gate.toml"), self.scene.as_bytes(), &read)?;
        parse_motion(Path::new("gate.json"), self.motion.as_bytes(), &scene.problem)?;
        parse_scene(Path::new("scenes/walk.toml"), self.walk.as_bytes(), &read)?;
        Ok(())
    }
}

/// The text to replace, its replacement, and the expected error.
pub type Mistake = (&'static str, &'static str, &'static str);

pub fn check(which: fn(&mut Files) -> &mut String, mistakes: &[Mistake]) {
    for (good, bad, answer) in mistakes {
        let mut files = Files::good();
        let text = which(&mut files);
        assert_eq!(text.matches(good).count(), 1, "`{good}` must occur in the file once");
        *text = text.replace(good, bad);
        let error = files.read().expect_err(bad);
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        assert_eq!(format!("{error}{help}"), *answer, "`{bad}` for `{good}`");
    }
}
