//! Arbitrary motions of diverse characters, for the export formats.

use std::path::Path;

use clamber_io::parse_character;
use clamber_model::character::RootJoint;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Vec3, rotation_from_rotation_vector};
use clamber_model::motion::Frame;
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration, Motion};

use crate::shipped;

/// Features that the shipped characters lack: nested rotated joints, hinges that share an axis, four hinges in a joint,
/// root hinges, a rigid link, links in mixed order, names with spaces.
const ODD: &str = r#"
version = 1
name = "odd"
root = "free"

[[link]]
name = "trunk"
hinges = [{ name = "trunk", axis = "y", min = -40, max = 40, rest = 10 }]
mass = 5
capsules = [{ from = [0, 0, 0], to = [0, 0.4, 0], radius = 0.1 }]

[[link]]
name = "left arm"
parent = "trunk"
at = [0.1, 0.4, -0.2]
turn = { heading = 50, pitch = -20, roll = 75 }
hinges = [
    { name = "left 1", axis = "x", min = -100, max = 100 },
    { name = "left 2", axis = "z", min = -150, max = 150 },
    { name = "left 3", axis = "x", min = -80, max = 90 },
]
mass = 1
capsules = [{ from = [0, 0, 0], to = [0.3, 0, 0], radius = 0.05 }]

[[link]]
name = "right arm"
parent = "trunk"
at = [0.1, 0.4, 0.2]
turn = { heading = -130 }
hinges = [
    { name = "right 1", axis = "y", min = -100, max = 100 },
    { name = "right 2", axis = "y", min = -30, max = 50 },
    { name = "right 3", axis = "z", min = -80, max = 90 },
    { name = "right 4", axis = "x", min = -80, max = 90 },
]
mass = 1
capsules = [{ from = [0, 0, 0], to = [0.3, 0, 0], radius = 0.05 }]

[[link]]
name = "left hand"
parent = "left arm"
at = [0.3, 0.0, 0.1]
turn = { roll = -60 }
mass = 1

[[link]]
name = "left_hand"
parent = "left hand"
at = [0.1, 0.0, 0.0]
turn = { pitch = 90, roll = 10 }
hinges = [{ name = "left finger", axis = "y", min = 100, max = 400, rest = 200 }]
mass = 1
"#;

/// The shipped characters and an unusual one.
pub fn characters() -> Vec<Character> {
    let odd = parse_character(Path::new("odd.toml"), ODD.as_bytes()).unwrap();
    ["figure", "human", "insect", "dog", "spider"].map(shipped::character).into_iter().chain([odd]).collect()
}

/// Random angles within the limits, often at a limit or in gimbal lock.
pub fn arbitrary_motion(character: &Character, frames: usize) -> Motion {
    let mut stream = Stream::new(5, &character.name);
    let configurations = (0..frames).map(|_| {
        let root = match character.root_joint {
            RootJoint::Planar => {
                let (x, y, pitch) = (stream.between(-9.0, 9.0), stream.between(0.0, 9.0), stream.between(-3.1, 3.1));
                Configuration::planar_root_pose(x, y, pitch, stream.below(2) == 0)
            }
            RootJoint::Free => {
                let mut place = || stream.between(-9.0, 9.0);
                let (place, turn) = (Vec3::new(place(), place(), place()), Vec3::new(place(), place(), place()));
                Pose::from_parts(place, rotation_from_rotation_vector(turn * 0.3))
            }
        };
        let angle = |stream: &mut Stream, min: f32, max: f32| {
            let quarter = [-90.0f32, 90.0][stream.below(2)].to_radians();
            match stream.below(6) {
                0 => [min, max][stream.below(2)],
                1 | 2 => (quarter + [0.0, 1e-6, -1e-4, 1e-3][stream.below(4)]).clamp(min, max),
                _ => stream.between(min, max),
            }
        };
        let angles = character.hinges.iter().map(|hinge| angle(&mut stream, hinge.min, hinge.max)).collect();
        Configuration { root, angles }
    });
    Motion::from_configurations(&character.name, "climbing", configurations.collect(), 30.0)
}

/// Returns the poses of all links in each frame.
pub fn places(character: &Character, motion: &Motion) -> Vec<TiVec<LinkId, Pose>> {
    let mut workspace = LinkFrames::default();
    let frame = |frame: &Frame| {
        forward(character, &frame.configuration, &mut workspace);
        workspace.world_from_link.clone()
    };
    motion.frames.iter().map(frame).collect()
}
