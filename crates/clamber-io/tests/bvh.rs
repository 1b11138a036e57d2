//! BVH files say what the motion does, by the rules of the format, and come back as they went.
//!
//! The rules are applied here once more, by a reader that knows nothing of characters: a file that is only
//! understood by the one who wrote it is of no use.

#![allow(clippy::disallowed_methods, reason = "the second reader shares nothing with the first, not even its sines")]

mod arbitrary;
mod shipped;

use std::path::Path;

use arbitrary::{arbitrary_motion, characters, places};
use clamber_io::{parse_bvh, parse_character, write_bvh};
use clamber_model::math::{Pose, Vec3, rotation_from_turn};
use clamber_model::motion::Span;
use clamber_model::{Character, Configuration, Motion};

/// In metres.
const TOLERANCE: f32 = 1e-4;

/// Fails where a link's frame, or a point a metre away in it, is elsewhere.
fn assert_same_places(character: &Character, motion: &Motion, read: &Motion, what: &str) {
    assert_eq!(motion.frames.len(), read.frames.len(), "{what}");
    for (frame, (there, here)) in places(character, motion).iter().zip(places(character, read)).enumerate() {
        for (link, (there, here)) in there.iter().zip(here).enumerate() {
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
fn a_motion_comes_back_to_the_same_places() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 500);
        let read = parse(&write_bvh(&character, &motion), &character).unwrap();
        assert_same_places(&character, &motion, &read, &character.name);
        assert_eq!(read.character, character.name);
        assert_eq!(read.spans, [Span { first: 0, last: 499, mode: "flying".to_owned() }]);
        assert!(read.contacts.is_empty());
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            assert!((read.time - written.time).abs() <= 1e-6, "{} was {}", read.time, written.time);
            assert_eq!(read.configuration.root.translation, written.configuration.root.translation);
            read.configuration.check(&character).unwrap_or_else(|problem| panic!("{}: {problem}", character.name));
        }
    }
}

#[test]
fn angles_that_are_the_only_ones_come_back() {
    for name in ["figure", "insect"] {
        let character = shipped::character(name);
        let motion = arbitrary_motion(&character, 200);
        let read = parse(&write_bvh(&character, &motion), &character).unwrap();
        for (read, written) in read.frames.iter().zip(&motion.frames) {
            for (read, written) in read.configuration.angles.iter().zip(&written.configuration.angles) {
                assert!((read - written).abs() < 3e-6, "{name}: {read} was {written}");
            }
        }
    }
}

#[test]
fn a_character_that_faces_left_is_turned_about_y_and_z_alone() {
    let character = shipped::character("figure");
    let mut configuration = Configuration::rest(&character);
    configuration.root = Configuration::planar_root(1.5, 2.0, 0.5, false);
    let motion = Motion::evenly_timed("figure", "flying", vec![configuration], 30.0);
    let text = write_bvh(&character, &motion);
    let line = text.lines().last().unwrap();
    assert!(line.starts_with("1.5 2 0 -28.64789 0 180 "), "{line}");
    let read = parse(&text, &character).unwrap();
    assert!(read.frames[0].configuration.check(&character).is_ok(), "it stays in its plane");
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

/// A joint as a program that knows nothing but the format sees it.
struct Bone {
    name: String,
    parent: Option<usize>,
    offset: [f64; 3],
    channels: Vec<String>,
}

struct Played {
    bones: Vec<Bone>,
    step: f64,
    /// For each frame and bone, the rotation against the parent, and the place of the joint in the world.
    frames: Vec<Vec<(Matrix, [f64; 3])>>,
}

/// Plays a file by the book: a joint's frame is its parent's, moved by the offset, turned about the channels' axes from
/// left to right; the root's position is the sum of its offset and its channels.
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
                let way = applied(&parent, offset);
                let place = std::array::from_fn(|axis| at[axis] + way[axis]);
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
fn a_reader_that_knows_the_format_alone_sees_the_same_joints() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 200);
        let played = play(&write_bvh(&character, &motion));
        assert_eq!(played.bones.len(), character.links.len());
        assert_eq!(played.frames.len(), 200);
        assert!((played.step - 1.0 / 30.0).abs() < 1e-9);
        for (expected, frame) in places(&character, &motion).iter().zip(&played.frames) {
            for (bone, (_, place)) in played.bones.iter().zip(frame) {
                let named = |name: &str| character.link(name);
                // Of `left hand` and `left_hand`, the second gives way.
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
fn the_skeleton_of_the_file_is_the_character_with_all_hinges_at_zero() {
    for character in characters() {
        let configuration = Configuration { root: Pose::IDENTITY, angles: vec![0.0; character.hinges.len()] };
        let motion = Motion::evenly_timed(&character.name, "flying", vec![configuration], 30.0);
        let played = play(&write_bvh(&character, &motion));
        let standing = &places(&character, &motion)[0];
        for (bone, (turn, place)) in played.bones.iter().zip(&played.frames[0]) {
            assert_eq!(turn, &UNTURNED, "{}", bone.name);
            let place = Vec3::from_array(place.map(|x| x as f32));
            assert!(standing.iter().any(|pose| (pose.translation - place).length() < 1e-6), "{}", bone.name);
        }
    }
}

/// The same motion with other channels: the angles of a rotation about these axes, one after the other.
fn with_order(text: &str, order: [usize; 3]) -> String {
    let played = play(text);
    let [i, j, k] = order;
    let names = order.map(|axis| ["Xrotation", "Yrotation", "Zrotation"][axis]).join(" ");
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let (head, _) = text.split_once("MOTION").unwrap();
    // Positions after rotations are as good.
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
fn channels_may_be_in_any_order() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 60);
        let text = write_bvh(&character, &motion);
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let read = parse(&with_order(&text, order), &character).unwrap();
            assert_same_places(&character, &motion, &read, &format!("{} {order:?}", character.name));
        }
    }
}

#[test]
fn other_ends_of_lines_and_other_indents_are_read_too() {
    let character = shipped::character("human");
    let motion = arbitrary_motion(&character, 3);
    let text = write_bvh(&character, &motion);
    let read = parse(&text, &character).unwrap();
    for other in
        [text.replace('\n', "\r\n"), text.replace('\t', "  "), text.replace('\t', ""), format!("\u{feff}{text}\n\n")]
    {
        assert_eq!(parse(&other, &character).unwrap(), read);
    }
}

#[test]
fn channels_follow_a_motion_without_leaps() {
    let character = shipped::character("human");
    let spread = character.hinge("left_shoulder_spread").unwrap();
    let swing = character.hinge("left_shoulder_swing").unwrap();
    let configurations = (0..121).map(|index| {
        let mut configuration = Configuration::rest(&character);
        // Through 90 degrees and beyond, where another triple of angles would do; and once around with the whole body.
        configuration.angles[spread] = (index as f32).to_radians();
        configuration.angles[swing] = (0.5 * index as f32).to_radians();
        configuration.root.rotation = rotation_from_turn(Vec3::Y * (6.0 * index as f32).to_radians());
        configuration
    });
    let motion = Motion::evenly_timed("human", "flying", configurations.collect(), 30.0);
    let text = write_bvh(&character, &motion);
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
fn uneven_frames_are_resampled_and_even_ones_are_kept() {
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
        motion.spans[0].last = times.len() - 1;
        motion
    };
    let read = |times: &[f32]| {
        let text = write_bvh(&character, &with_times(times));
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
    // Kept, from wherever they begin.
    assert_near(&read(&[2.0, 2.1, 2.2, 2.3]), &[(0.0, 2.0), (0.1, 2.1), (0.2, 2.2), (0.3, 2.3)]);
    // The median step is 0.1 s; the last frame is kept.
    assert_near(
        &read(&[0.0, 0.1, 0.2, 0.4, 0.5, 0.52]),
        &[(0.0, 0.0), (0.104, 0.104), (0.208, 0.208), (0.312, 0.312), (0.416, 0.416), (0.52, 0.52)],
    );
    // No step at all, or none that is of use.
    assert_near(&read(&[1.0]), &[(0.0, 1.0)]);
    assert_near(&read(&[1.0, 1.0]), &[(0.0, 1.0), (1.0 / 30.0, 1.0)]);
    assert_near(&read(&[0.0, 0.0, 1.0]), &[(0.0, 0.0), (1.0, 1.0)]);
    assert!(read(&[0.0, 1e-30, 2e-30, 1000.0]).len() <= 100_001);
    assert!(read(&[0.0, 5.0, 3.0, 4.0]).len() <= 5);
}

/// A file that is right, to be spoilt.
const GOOD: &str = "\
HIERARCHY
ROOT thigh
{
\tOFFSET 0 0 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT shin
\t{
\t\tOFFSET 0 -0.4 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tJOINT foot
\t\t{
\t\t\tOFFSET 0 -0.4 0
\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0.1 0 0
\t\t\t}
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.1
0.5 1.5 0 0 0 0 -20 0 0 0 0 0
0.6 1.5 0 0 0 90 -30 0 0 0 0 0
";

const HOPPER: &str = r#"
version = 1
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

[[link]]
name = "foot"
parent = "shin"
at = [0, -0.4, 0]
mass = 1
capsules = [{ from = [0, 0, 0], to = [0.1, 0, 0], radius = 0.05 }]
"#;

fn hopper() -> Character {
    parse_character(Path::new("hopper.toml"), HOPPER.as_bytes()).unwrap()
}

#[test]
fn the_file_is_the_one_that_is_written() {
    let character = hopper();
    let motion = parse(GOOD, &character).unwrap();
    let written = write_bvh(&character, &motion);
    let (head, frames) = written.split_at(written.find("0.5 1.5").unwrap());
    assert!(GOOD.starts_with(head), "{head}");
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<f64>>();
    for (written, good) in numbers(frames).iter().zip(numbers(&GOOD[head.len()..])) {
        assert!((written - good).abs() < 2e-6, "{frames}");
    }
    let angles: Vec<f32> = motion.frames.iter().map(|frame| frame.configuration.angles[0].to_degrees()).collect();
    assert!((angles[0] + 20.0).abs() < 1e-4 && (angles[1] + 30.0).abs() < 1e-4, "{angles:?}");
}

#[test]
fn bad_files_are_answered_with_their_line_and_the_mend() {
    let character = hopper();
    let shin = "\tJOINT shin\n\t{\n\t\tOFFSET 0 -0.4 0\n\t\tCHANNELS 3 ";
    // What is changed, into what, and the answer; ` | ` stands before the help.
    let mistakes = [
        ("HIERARCHY", "version = 1", "1:1: found `version` where `HIERARCHY` should be"),
        ("ROOT thigh", "ROOT hip", "2:6: `hopper` has no link `hip` | did you mean `shin`?"),
        ("ROOT thigh", "ROOT shin", "2:6: joint `shin` hangs on nothing here | in `hopper` it hangs on `thigh`"),
        ("JOINT foot", "JOINT shin", "10:9: joint `shin` is there twice"),
        ("JOINT foot", "JOINTS foot", "10:3: unknown word `JOINTS` | did you mean `JOINT`?"),
        ("OFFSET 0.1 0 0", "OFFSET 0.1 nan 0", "16:16: found `nan` where a number from -100000 to 100000 should be"),
        (
            "-0.4 0\n\t\tCHANNELS",
            "-40 0\n\t\tCHANNELS",
            "8:3: the offset of joint `shin` is not the character's | it should be 0.0000 -0.4000 0.0000, in metres \
             along the axes of the world (y up)",
        ),
        (
            "\tOFFSET 0 0 0\n",
            "\tOFFSET 0 0.9 0\n",
            "4:2: the offset of joint `thigh` is not the character's | it should be 0.0000 0.0000 0.0000, in metres \
             along the axes of the world (y up)",
        ),
        ("\tOFFSET 0 0 0\n", "", "19:1: joint `thigh` ends without its `OFFSET` | add a line `OFFSET` before this"),
        (
            "\tOFFSET 0 0 0\n",
            "\tOFFSET 0 0 0\n\tOFFSET 0 0 0\n",
            "5:2: this joint has an offset already | keep one of the two",
        ),
        ("Zposition Zrotation", "Zposition Wrotation", "5:43: unknown channel `Wrotation` | did you mean `Xrotation`?"),
        ("Zposition Zrotation", "Zposition Zposition", "5:43: this channel is given twice | keep one of the two"),
        (
            "CHANNELS 6 Xposition Yposition Zposition",
            "CHANNELS 3",
            "5:2: the root has no position | its channels are Xposition Yposition Zposition and three rotations",
        ),
        ("CHANNELS 6", "CHANNELS 7000000000000", "5:11: 7000000000000 channels, and a joint has at most 6"),
        ("CHANNELS 6", "CHANNELS -6", "5:11: found `-6` where a whole number from 0 up should be"),
        (
            shin,
            "\tJOINT shin\n\t{\n\t\tOFFSET 0 -0.4 0\n\t\tCHANNELS 4 Xposition ",
            "9:14: a joint that is not the root has no position | links do not come apart: write the place of the root \
             alone, and rotations of the others",
        ),
        ("Frames: 2", "Frames: 0", "22:9: the motion has no frames"),
        ("Frames: 2", "Frames: two", "22:9: found `two` where a whole number from 0 up should be"),
        (
            "Frames: 2",
            "Frames: 3",
            "25:31: the file ends after 2 of 3 frames | the number after `Frames:` should be that of the lines after \
             the frame time",
        ),
        (
            "Frames: 2",
            "Frames: 1",
            "25:1: there are more frames than the 1 after `Frames:` | the number should be that of the lines after the \
             frame time",
        ),
        (
            "Frames: 2",
            "Frames: 18446744073709551615",
            "22:9: 18446744073709551615 frames of 1 hinges are more than can be kept | cut the motion into shorter ones",
        ),
        (
            "Frame Time: 0.1",
            "Frame Time: 0",
            "23:13: the frame time must be greater than 0 | in seconds, such as 0.0333333",
        ),
        ("Frame Time: 0.1", "Frame Time: inf", "23:13: found `inf` where a number from -100000 to 100000 should be"),
        (
            "0 0 0 90",
            "0 0 90",
            "25:1: frame 1 has 11 numbers for 12 channels | a frame is one line, with a number for each channel",
        ),
        ("0 0 0 90", "0 NaN 0 90", "25:11: found `NaN` where a number from -100000 to 100000 should be"),
        (
            "-30 0 0 0 0 0",
            "-30 5 0 0 0 0",
            "25:18: frame 1: joint `shin` is turned 5.00 degrees away from what its hinges can do | its hinges turn \
             one after the other: `knee` about 0.000 0.000 1.000",
        ),
        (
            "-30 0 0 0 0 0",
            "-30 0 0 0 0 1",
            "25:26: frame 1: joint `foot` is turned 1.00 degrees away from what its hinges can do | it has no hinges: \
             its rotations must be 0",
        ),
    ];
    for (good, bad, answer) in mistakes {
        assert_eq!(GOOD.matches(good).count(), 1, "`{good}` should be in the file once");
        let error = parse(&GOOD.replace(good, bad), &character).expect_err(bad);
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        assert_eq!(format!("{error}{help}"), format!("motion.bvh:{answer}"), "`{bad}` for `{good}`");
    }
    let foot = GOOD.find("\t\tJOINT foot").unwrap()..GOOD.find("\t}\n}").unwrap();
    let without_foot = format!("{}{}", &GOOD[..foot.start], &GOOD[foot.end..]);
    let error = parse(&without_foot, &character).unwrap_err();
    assert_eq!(error.to_string(), "motion.bvh:12:1: the hierarchy has no joint `foot`");
}

#[test]
fn angles_are_brought_within_limits_by_whole_turns() {
    let character = hopper();
    let text = GOOD.replace(" -20 0 0 ", " 340 0 0 ").replace(" -30 0 0 ", " -750.05 0.05 0 ");
    let motion = parse(&text, &character).unwrap();
    for (frame, expected) in motion.frames.iter().zip([-20.0, -30.05]) {
        let angle = frame.configuration.angles[0].to_degrees();
        assert!((angle - expected).abs() < 1e-3, "{angle}");
    }
    // Where no whole turn helps, it is for the checker to say.
    let motion = parse(&GOOD.replace(" -20 0 0 ", " 20 0 0 "), &character).unwrap();
    assert!((motion.frames[0].configuration.angles[0].to_degrees() - 20.0).abs() < 1e-3);
}

#[test]
fn hostile_files_are_refused_quickly_and_with_their_line() {
    let character = hopper();
    let mut hostile: Vec<String> = (0..GOOD.len() - 30).map(|length| GOOD[..length].to_owned()).collect();
    hostile.push(format!("HIERARCHY ROOT thigh {{ {}", "JOINT shin { ".repeat(1_000_000)));
    hostile.push(format!("HIERARCHY ROOT thigh {{ {}", "End Site { OFFSET 0 0 0 } ".repeat(300_000)));
    hostile.push(format!("HIERARCHY ROOT {}", "x".repeat(5_000_000)));
    hostile.push(GOOD.replace("Frames: 2", "Frames: 5000000"));
    hostile.push(GOOD.replace("0.6", &"9".repeat(1_000_000)));
    hostile.push(format!("{GOOD}{}", "0 ".repeat(3_000_000)));
    for text in hostile {
        let error = parse(&text, &character).expect_err("it is spoilt");
        let lines = 1 + text.matches('\n').count();
        assert!(error.line.is_some_and(|line| (1..=lines).contains(&line)), "{error}");
        assert!(error.to_string().len() < 1200);
    }
    assert!(parse_bvh(Path::new("x.bvh"), b"HIERARCHY\n\xff", &character).unwrap_err().line == Some(2));
}
