//! Motions round-trip through files, and files of every version stay readable.

mod shipped;

use std::path::Path;

use clamber_io::{parse_motion, parse_scene, to_motion_json};
use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::{Pose, Vec3, rotation_from_rotation_vector};
use clamber_model::motion::{ContactSpan, Frame, ModeSpan};
use clamber_model::rng::Stream;
use clamber_model::{Configuration, Contact, Motion, Problem};

/// A motion of arbitrary configurations, with spans that share their end frames, and one or two contacts per frame.
fn arbitrary_motion(problem: &Problem, frames: usize) -> Motion {
    let character = &problem.character;
    let mut stream = Stream::new(3, &character.name);
    let mut draw = |size: f32| Vec3::new(stream.between(-size, size), stream.between(-size, size), stream.uniform());
    let mut angles = Stream::new(4, &character.name);
    let frame = |index: usize| {
        let (place, turn) = match character.root_joint {
            RootJoint::Planar => (draw(10.0).with_z(0.0), Vec3::Z * draw(3.0).x),
            RootJoint::Free => (draw(1000.0), draw(3.0)),
        };
        let root = Pose::from_parts(place, rotation_from_rotation_vector(turn));
        let angles = character.hinges.iter().map(|hinge| angles.between(hinge.min, hinge.max)).collect();
        Frame { time: index as f32 / 30.0, configuration: Configuration { root, angles } }
    };
    let middle = frames / 3;
    let spans = vec![
        ModeSpan { first_frame: 0, last_frame: middle, mode: "flying".to_owned() },
        ModeSpan { first_frame: middle, last_frame: frames - 1, mode: "a mode with \"quotes\"".to_owned() },
    ];
    let mut contacts: Vec<ContactSpan> = Vec::new();
    for first in 0..frames {
        let effector = EffectorId::from(first % character.effectors.len());
        let hold = HoldId::from(first % problem.world.holds.len());
        let normal = problem.world.holds[hold].normal;
        let contact = Contact { effector, hold, point: problem.world.holds[hold].point_at(0.0, 0.0), normal };
        contacts.push(ContactSpan { first_frame: first, last_frame: (first + first % 4).min(frames - 1), contact });
    }
    Motion {
        character: character.name.clone(),
        frames: (0..frames).map(frame).collect(),
        mode_spans: spans,
        contacts,
        is_clip: true,
        in_equilibrium: true,
    }
}

#[test]
fn motions_round_trip_exactly() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let problem = shipped::in_room(name);
        let motion = arbitrary_motion(&problem, 100);
        let text = to_motion_json(&problem, &motion).unwrap();
        let read = parse_motion(Path::new("motion.json"), text.as_bytes(), &problem).unwrap();

        assert_eq!(read.mode_spans, motion.mode_spans, "{name}");
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            assert_eq!(read.time, written.time, "{name}");
            assert_eq!(read.configuration.root, written.configuration.root, "{name}");
            for (read, written) in read.configuration.angles.iter().zip(&written.configuration.angles) {
                assert!((read - written).abs() <= 1e-5, "{name}: {read} was {written}");
            }
        }
        // Exact equality, which the next assertion needs.
        assert_eq!(read, motion, "{name}");
        assert_eq!(to_motion_json(&problem, &read).unwrap(), text, "{name}");
    }
}

#[test]
fn a_motion_file_has_one_frame_or_contact_per_line() {
    let problem = shipped::in_room("figure");
    let text = to_motion_json(&problem, &arbitrary_motion(&problem, 10)).unwrap();
    for beginning in ["{\"time\":", "{\"effector\":"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(beginning)).count(), 10, "{beginning}");
    }
}

const HOPPER: &str = r#"
version = 1
name = "hopper"
root = "planar"

[[link]]
name = "trunk"
mass = 5
capsules = [{ from = [0, 0, 0], to = [0, 0.4, 0], radius = 0.1 }]

[[link]]
name = "leg"
parent = "trunk"
hinges = [
    { name = "hip", axis = "z", min = -90, max = 90 },
    { name = "knee", axis = "z", min = -150, max = 0 },
]
mass = 3

[[limb]]
name = "leg"
from = "leg"
to = "leg"

[[effector]]
name = "foot"
link = "leg"
center = [0, -0.4, 0]
radius = 0.05
"#;

const FIELD: &str = r#"
version = 1
name = "field"
character = "hopper.toml"
bounds = { min = [0, 0], max = [4, 3] }

[[hold]]
name = "stone"
at = [1.25, 0.5]
normal = [0, 1]

[[hold]]
name = "stump"
at = [1.5, 0.75]
normal = [0.6, 0.8]

[start]
position = [1, 1.5]

[goal]
position = [3, 1.5]
"#;

/// A problem with the hopper, and a motion of it from the fixtures.
fn fixture(name: &str) -> (Problem, Motion) {
    let read = |path: &Path| match path.to_str() {
        Some("hopper.toml") => Ok(HOPPER.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let problem = parse_scene(Path::new("field.toml"), FIELD.as_bytes(), &read).unwrap().problem;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let motion = parse_motion(&file, &std::fs::read(&file).unwrap(), &problem).unwrap();
    (problem, motion)
}

/// A version 1 file, which must stay readable.
#[test]
fn version_1_files_can_be_read() {
    let (_, motion) = fixture("motion-v1.json");

    assert_eq!(motion.character, "hopper");
    let spans = [(0, 2, "flying"), (2, 3, "standing")];
    assert_eq!(
        motion.mode_spans,
        spans.map(|(first, last, mode)| ModeSpan { first_frame: first, last_frame: last, mode: mode.to_owned() })
    );
    let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
    assert_eq!(times, [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1]);
    let Configuration { root, angles } = &motion.frames[2].configuration;
    assert_eq!(root.translation, Vec3::new(1.45, 1.8125, 0.0));
    assert_eq!(root.rotation.to_array(), [0.0, 0.0, 0.6, 0.8]);
    assert_eq!(angles.raw, [12.5f64, -61.0].map(|degrees| degrees.to_radians() as f32));
    assert_eq!(motion.contacts, []);
}

/// A version 2 file, with contacts.
#[test]
fn version_2_files_can_be_read() {
    let (problem, motion) = fixture("motion-v2.json");
    let holds = &problem.world.holds;
    let contact =
        |hold: HoldId, point| Contact { effector: EffectorId::from(0), hold, point, normal: holds[hold].normal };
    let (stone, stump) =
        (contact(HoldId::from(0), Vec3::new(1.25, 0.5, 0.0)), contact(HoldId::from(1), Vec3::new(1.5, 0.75, 0.0)));
    // Sorted by time, although the file has the opposite order.
    let expected = [
        ContactSpan { first_frame: 0, last_frame: 1, contact: stone },
        ContactSpan { first_frame: 1, last_frame: 3, contact: stump },
    ];
    assert_eq!(motion.contacts, expected);
    assert_eq!(motion.stance_at_frame(1), [stone, stump]);
    assert_eq!(motion.mode_spans.len(), 2);
    assert_eq!(motion.frames.len(), 4);
}
