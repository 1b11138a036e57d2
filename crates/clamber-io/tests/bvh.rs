//! BVH files reproduce the motion and round-trip.
//!
//! A second reader that knows only the format, not the characters, checks that other programs see the same motion.

#![allow(clippy::disallowed_methods, reason = "the second reader shares no code with the first, not even its sines")]

mod arbitrary;
mod shipped;

use std::path::Path;

use arbitrary::{arbitrary_motion, characters, places};
use clamber_io::{parse_bvh, to_bvh};
use clamber_model::math::{Pose, Vec3, rotation_from_rotation_vector};
use clamber_model::motion::ModeSpan;
use clamber_model::{Character, Configuration, Motion};

/// In meters.
const TOLERANCE: f32 = 1e-4;

/// Panics if a link's origin, or a point one meter along one of its axes, differs.
fn assert_same_places(character: &Character, motion: &Motion, read: &Motion, what: &str) {
    assert_eq!(motion.frames.len(), read.frames.len(), "{what}");
    for (frame, (there, here)) in places(character, motion).iter().zip(places(character, read)).enumerate() {
        for ((link, there), here) in there.iter_enumerated().zip(here) {
            for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let away = (*there * point - here * point).length();
                let name = &character.links[link].name;
                assert!(away < TOLERANCE, "{what}, frame {frame}: `{name}` is {away} m away");
            }
        }
    }
}

fn parse(text: &str, character: &Character) -> Result<Motion, clamber_io::FileError> {
    parse_bvh(Path::new("motion.bvh"), text.as_bytes(), character)
}

#[test]
fn motions_round_trip_to_the_same_link_poses() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 500);
        let read = parse(&to_bvh(&character, &motion).unwrap(), &character).unwrap();
        assert_same_places(&character, &motion, &read, &character.name);
        assert_eq!(read.character, character.name);
        assert_eq!(read.mode_spans, [ModeSpan { first_frame: 0, last_frame: 499, mode: "flying".to_owned() }]);
        assert!(read.contacts.is_empty());
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            assert!((read.time - written.time).abs() <= 1e-6, "{} was {}", read.time, written.time);
            assert_eq!(read.configuration.root.translation, written.configuration.root.translation);
            read.configuration.check(&character).unwrap_or_else(|problem| panic!("{}: {problem}", character.name));
        }
    }
}

#[test]
fn unique_angles_round_trip() {
    for name in ["figure", "insect"] {
        let character = shipped::character(name);
        let motion = arbitrary_motion(&character, 200);
        let read = parse(&to_bvh(&character, &motion).unwrap(), &character).unwrap();
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            for (read, written) in read.configuration.angles.iter().zip(&written.configuration.angles) {
                assert!((read - written).abs() < 3e-6, "{name}: {read} was {written}");
            }
        }
    }
}

#[test]
fn a_character_that_faces_left_rotates_about_y_and_z_only() {
    let character = shipped::character("figure");
    let mut configuration = Configuration::rest(&character);
    configuration.root = Configuration::planar_root_pose(1.5, 2.0, 0.5, false);
    let motion = Motion::from_configurations("figure", "flying", vec![configuration], 30.0);
    let text = to_bvh(&character, &motion).unwrap();
    let line = text.lines().last().unwrap();
    assert!(line.starts_with("1.5 2 0 -28.64789 0 180 "), "{line}");
    let read = parse(&text, &character).unwrap();
    assert!(read.frames[0].configuration.check(&character).is_ok(), "the character leaves its plane");
}

/// A matrix, by rows.
type Matrix = [[f64; 3]; 3];

const UNTURNED: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}

fn applied(a: &Matrix, x: [f64; 3]) -> [f64; 3] {
    a.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
}

fn turned_about(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = [[0.0; 3]; 3];
    matrix[axis][axis] = 1.0;
    (matrix[next][next], matrix[next][last], matrix[last][next], matrix[last][last]) = (cos, -sin, sin, cos);
    matrix
}

/// A joint as an independent reader sees it.
struct Bone {
    name: String,
    parent: Option<usize>,
    offset: [f64; 3],
    channels: Vec<String>,
}

struct Played {
    bones: Vec<Bone>,
    step: f64,
    /// For each frame and bone, its rotation relative to the parent and its position in the world.
    frames: Vec<Vec<(Matrix, [f64; 3])>>,
}

/// Plays a file as the format prescribes: a joint's frame is its parent's, translated by the offset and rotated about
/// the channels' axes from left to right; the root's position is the sum of its offset and its channels.
fn play(text: &str) -> Played {
    let mut words = text.split_whitespace();
    let mut bones: Vec<Bone> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        match words.next().unwrap() {
            "HIERARCHY" | "{" => {}
            "ROOT" | "JOINT" => {
                let parent = open.last().copied().flatten();
                open.push(Some(bones.len()));
                let name = words.next().unwrap().to_owned();
                bones.push(Bone { name, parent, offset: [0.0; 3], channels: Vec::new() });
            }
            "End" => {
                assert_eq!(words.next(), Some("Site"));
                open.push(None);
            }
            "OFFSET" => {
                let offset = [(); 3].map(|()| words.next().unwrap().parse().unwrap());
                if let Some(bone) = open.last().unwrap() {
                    bones[*bone].offset = offset;
                }
            }
            "CHANNELS" => {
                let count: usize = words.next().unwrap().parse().unwrap();
                let channels = words.by_ref().take(count).map(str::to_owned).collect();
                bones[open.last().unwrap().unwrap()].channels = channels;
            }
            "}" => drop(open.pop().unwrap()),
            "MOTION" => break,
            word => panic!("{word}"),
        }
    }
    assert!(open.is_empty());
    assert_eq!(words.next(), Some("Frames:"));
    let count: usize = words.next().unwrap().parse().unwrap();
    assert_eq!((words.next(), words.next()), (Some("Frame"), Some("Time:")));
    let step = words.next().unwrap().parse().unwrap();
    let mut numbers = words.map(|word| word.parse::<f64>().unwrap());
    let frames = (0..count)
        .map(|_| {
            let mut world: Vec<(Matrix, [f64; 3])> = Vec::new();
            let mut local = Vec::new();
            for bone in &bones {
                let (parent, at) = bone.parent.map_or((UNTURNED, [0.0; 3]), |parent| world[parent]);
                let (mut turn, mut offset) = (UNTURNED, bone.offset);
                for channel in &bone.channels {
                    let number = numbers.next().unwrap();
                    let axis = "XYZ".find(&channel[..1]).unwrap();
                    match &channel[1..] {
                        "position" => offset[axis] += number,
                        "rotation" => turn = product(&turn, &turned_about(axis, number)),
                        _ => panic!("{channel}"),
                    }
                }
                let step = applied(&parent, offset);
                let place = std::array::from_fn(|axis| at[axis] + step[axis]);
                world.push((product(&parent, &turn), place));
                local.push((turn, place));
            }
            local
        })
        .collect();
    assert!(numbers.next().is_none());
    Played { bones, step, frames }
}

#[test]
fn an_independent_reader_finds_the_same_joints() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 200);
        let played = play(&to_bvh(&character, &motion).unwrap());
        assert_eq!(played.bones.len(), character.links.len());
        assert_eq!(played.frames.len(), 200);
        assert!((played.step - 1.0 / 30.0).abs() < 1e-9);
        for (expected, frame) in places(&character, &motion).iter().zip(&played.frames) {
            for (bone, (_, place)) in played.bones.iter().zip(frame) {
                let named = |name: &str| character.find_link(name);
                // Of `left hand` and `left_hand`, the second is renamed.
                let link = match bone.name.as_str() {
                    "left_hand_2" => named("left_hand"),
                    "left_hand" if character.name == "odd" => named("left hand"),
                    name => named(name).or_else(|| named(&name.replace('_', " "))),
                };
                let link = link.unwrap_or_else(|| panic!("`{}` is no link", bone.name));
                let away = Vec3::from_array(place.map(|x| x as f32)) - expected[link].translation;
                assert!(away.length() < TOLERANCE, "{}: {} is {away} away", character.name, bone.name);
            }
        }
    }
}

#[test]
fn the_rest_pose_of_the_file_has_all_hinges_at_zero() {
    for character in characters() {
        let configuration = Configuration { root: Pose::IDENTITY, angles: vec![0.0; character.hinges.len()].into() };
        let motion = Motion::from_configurations(&character.name, "flying", vec![configuration], 30.0);
        let played = play(&to_bvh(&character, &motion).unwrap());
        let standing = &places(&character, &motion)[0];
        for (bone, (turn, place)) in played.bones.iter().zip(&played.frames[0]) {
            assert_eq!(turn, &UNTURNED, "{}", bone.name);
            let place = Vec3::from_array(place.map(|x| x as f32));
            assert!(standing.iter().any(|pose| (pose.translation - place).length() < 1e-6), "{}", bone.name);
        }
    }
}

/// The same motion with another order of rotation channels.
fn with_order(text: &str, order: [usize; 3]) -> String {
    let played = play(text);
    let [i, j, k] = order;
    let names = order.map(|axis| ["Xrotation", "Yrotation", "Zrotation"][axis]).join(" ");
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let (head, _) = text.split_once("MOTION").unwrap();
    // Positions may follow rotations.
    let head = head
        .replace(
            "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
            &format!("{names} Zposition Xposition Yposition"),
        )
        .replace("Zrotation Xrotation Yrotation", &names);
    let mut text = format!("{head}MOTION\nFrames: {}\nFrame Time: {}\n", played.frames.len(), played.step);
    for frame in &played.frames {
        for (bone, (turn, [x, y, z])) in played.bones.iter().zip(frame) {
            let angles = [
                (-sign * turn[j][k]).atan2(turn[k][k]),
                (sign * turn[i][k]).clamp(-1.0, 1.0).asin(),
                (-sign * turn[i][j]).atan2(turn[i][i]),
            ];
            text += &angles.map(|angle| format!("{:.9} ", angle.to_degrees())).concat();
            if bone.parent.is_none() {
                text += &format!("{z} {x} {y} ");
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn channels_can_be_in_any_order() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 60);
        let text = to_bvh(&character, &motion).unwrap();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let read = parse(&with_order(&text, order), &character).unwrap();
            assert_same_places(&character, &motion, &read, &format!("{} {order:?}", character.name));
        }
    }
}

#[test]
fn other_line_endings_and_indentation_are_read() {
    let character = shipped::character("human");
    let motion = arbitrary_motion(&character, 3);
    let text = to_bvh(&character, &motion).unwrap();
    let read = parse(&text, &character).unwrap();
    for other in
        [text.replace('\n', "\r\n"), text.replace('\t', "  "), text.replace('\t', ""), format!("\u{feff}{text}\n\n")]
    {
        assert_eq!(parse(&other, &character).unwrap(), read);
    }
}

#[test]
fn channels_are_continuous() {
    let character = shipped::character("human");
    let spread = character.find_hinge("left_shoulder_spread").unwrap();
    let swing = character.find_hinge("left_shoulder_swing").unwrap();
    let configurations = (0..121).map(|index| {
        let mut configuration = Configuration::rest(&character);
        // Beyond 90 degrees, where another triple of angles gives the same rotation, while the body turns around twice.
        configuration.angles[spread] = (index as f32).to_radians();
        configuration.angles[swing] = (0.5 * index as f32).to_radians();
        configuration.root.rotation = rotation_from_rotation_vector(Vec3::Y * (6.0 * index as f32).to_radians());
        configuration
    });
    let motion = Motion::from_configurations("human", "flying", configurations.collect(), 30.0);
    let text = to_bvh(&character, &motion).unwrap();
    let lines: Vec<Vec<f32>> = text
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .skip(1)
        .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
        .collect();
    for pair in lines.windows(2) {
        let leap = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(leap < 6.01, "{leap} degrees from frame to frame");
    }
    assert!((lines[120][5] - 720.0).abs() < 1e-2, "twice around is {} degrees", lines[120][5]);
}

#[test]
fn nonuniform_frames_are_resampled_and_uniform_ones_are_kept() {
    let character = shipped::character("figure");
    let with_times = |times: &[f32]| {
        let mut motion = arbitrary_motion(&character, 1);
        let frame = motion.frames.pop().unwrap();
        motion.frames = times
            .iter()
            .map(|time| {
                let mut frame = frame.clone();
                frame.time = *time;
                frame.configuration.root.translation.x = *time;
                frame
            })
            .collect();
        motion.mode_spans[0].last_frame = times.len() - 1;
        motion
    };
    let read = |times: &[f32]| {
        let text = to_bvh(&character, &with_times(times)).unwrap();
        let frames = parse(&text, &character).unwrap().frames;
        frames.iter().map(|frame| (frame.time, frame.configuration.root.translation.x)).collect::<Vec<_>>()
    };
    let assert_near = |found: &[(f32, f32)], expected: &[(f32, f32)]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found.0 - expected.0).abs() < 1e-5 && (found.1 - expected.1).abs() < 1e-5,
                "{found:?} {expected:?}"
            );
        }
    };
    // Kept, whatever the first time.
    assert_near(&read(&[2.0, 2.1, 2.2, 2.3]), &[(0.0, 2.0), (0.1, 2.1), (0.2, 2.2), (0.3, 2.3)]);
    // The median step is 0.1 s; the last frame is kept.
    assert_near(
        &read(&[0.0, 0.1, 0.2, 0.4, 0.5, 0.52]),
        &[(0.0, 0.0), (0.104, 0.104), (0.208, 0.208), (0.312, 0.312), (0.416, 0.416), (0.52, 0.52)],
    );
    // No step, or a useless one.
    assert_near(&read(&[1.0]), &[(0.0, 1.0)]);
    assert_near(&read(&[1.0, 1.0]), &[(0.0, 1.0), (1.0 / 30.0, 1.0)]);
    assert_near(&read(&[0.0, 0.0, 1.0]), &[(0.0, 0.0), (1.0, 1.0)]);
    assert!(read(&[0.0, 1e-30, 2e-30, 1000.0]).len() <= 50_001);
    let backward = to_bvh(&character, &with_times(&[0.0, 5.0, 3.0, 4.0]));
    assert_eq!(backward.unwrap_err().to_string(), "frame 2 is earlier than the frame before it");
}
