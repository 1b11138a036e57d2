//! Motions come back from files as they went in, and files of the first version stay readable.

mod shipped;

use std::path::Path;

use clamber_io::{parse_character, parse_motion, write_motion};
use clamber_model::character::{Character, Root};
use clamber_model::math::{Pose, Vec3, rotation_from_turn};
use clamber_model::motion::{Frame, Span};
use clamber_model::rng::Stream;
use clamber_model::{Configuration, Motion};

/// A motion of arbitrary configurations, with spans that share their ends.
fn arbitrary_motion(character: &Character, frames: usize) -> Motion {
    let mut stream = Stream::new(3, &character.name);
    let mut draw = |size: f32| Vec3::new(stream.between(-size, size), stream.between(-size, size), stream.unit());
    let mut angles = Stream::new(4, &character.name);
    let frame = |index: usize| {
        let (place, turn) = match character.root {
            Root::Planar => (draw(10.0).with_z(0.0), Vec3::Z * draw(3.0).x),
            Root::Free => (draw(1000.0), draw(3.0)),
        };
        let root = Pose::from_parts(place, rotation_from_turn(turn));
        let angles = character.hinges.iter().map(|hinge| angles.between(hinge.min, hinge.max)).collect();
        Frame { time: index as f32 / 30.0, configuration: Configuration { root, angles } }
    };
    let middle = frames / 3;
    let spans = vec![
        Span { first: 0, last: middle, mode: "flying".to_owned() },
        Span { first: middle, last: frames - 1, mode: "a mode with \"quotes\"".to_owned() },
    ];
    Motion { character: character.name.clone(), frames: (0..frames).map(frame).collect(), spans, contacts: Vec::new() }
}

#[test]
fn a_motion_is_read_as_it_was_written() {
    for name in ["figure", "human", "insect"] {
        let character = shipped::character(name);
        let motion = arbitrary_motion(&character, 100);
        let text = write_motion(&character, &motion);
        let read = parse_motion(Path::new("motion.json"), text.as_bytes(), &character).unwrap();

        assert_eq!(read.spans, motion.spans, "{name}");
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            assert_eq!(read.time, written.time, "{name}");
            assert_eq!(read.configuration.root, written.configuration.root, "{name}");
            for (read, written) in read.configuration.angles.iter().zip(&written.configuration.angles) {
                assert!((read - written).abs() <= 1e-5, "{name}: {read} was {written}");
            }
        }
        // More than is promised, and what makes the next line true.
        assert_eq!(read, motion, "{name}");
        assert_eq!(write_motion(&character, &read), text, "{name}");
    }
}

#[test]
fn a_written_motion_has_a_frame_a_line() {
    let character = shipped::character("figure");
    let text = write_motion(&character, &arbitrary_motion(&character, 10));
    assert_eq!(text.lines().filter(|line| line.starts_with("{\"time\":")).count(), 10);
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
"#;

/// A file as the first version of the format has them. It must stay readable, whatever becomes of the format.
#[test]
fn files_of_version_1_stay_readable() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/motion-v1.json");
    let character = parse_character(Path::new("hopper.toml"), HOPPER.as_bytes()).unwrap();
    let motion = parse_motion(&file, &std::fs::read(&file).unwrap(), &character).unwrap();

    assert_eq!(motion.character, "hopper");
    let spans = [(0, 2, "flying"), (2, 3, "standing")];
    assert_eq!(motion.spans, spans.map(|(first, last, mode)| Span { first, last, mode: mode.to_owned() }));
    let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
    assert_eq!(times, [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1]);
    let Configuration { root, angles } = &motion.frames[2].configuration;
    assert_eq!(root.translation, Vec3::new(1.45, 1.8125, 0.0));
    assert_eq!(root.rotation.to_array(), [0.0, 0.0, 0.6, 0.8]);
    assert_eq!(angles, &[12.5f64, -61.0].map(|degrees| degrees.to_radians() as f32));
}
