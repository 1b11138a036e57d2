//! Errors of BVH files: the line, the problem and the fix.

use std::path::Path;

use clamber_io::{parse_bvh, parse_character, to_bvh};
use clamber_model::id::HingeId;
use clamber_model::{Character, Motion};

fn parse(text: &str, character: &Character) -> Result<Motion, clamber_io::FileError> {
    parse_bvh(Path::new("motion.bvh"), text.as_bytes(), character)
}

const SHIN: &str = "\tJOINT shin\n\t{\n\t\tOFFSET 0 -0.4 0\n\t\tCHANNELS 3 ";

/// A good file.
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
fn the_good_file_equals_the_written_one() {
    let character = hopper();
    let motion = parse(GOOD, &character).unwrap();
    let written = to_bvh(&character, &motion).unwrap();
    let (head, frames) = written.split_at(written.find("0.5 1.5").unwrap());
    assert!(GOOD.starts_with(head), "{head}");
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<f64>>();
    for (written, good) in numbers(frames).iter().zip(numbers(&GOOD[head.len()..])) {
        assert!((written - good).abs() < 2e-6, "{frames}");
    }
    let angles: Vec<f32> =
        motion.frames.iter().map(|frame| frame.configuration.angles[HingeId::new(0)].to_degrees()).collect();
    assert!((angles[0] + 20.0).abs() < 1e-4 && (angles[1] + 30.0).abs() < 1e-4, "{angles:?}");
}

/// The text to replace in [`GOOD`], its replacement, and the expected error. ` | ` precedes the help.
type Mistake = (&'static str, &'static str, &'static str);

fn check(mistakes: &[Mistake]) {
    let character = hopper();
    for (good, bad, expected) in mistakes {
        assert_eq!(GOOD.matches(good).count(), 1, "`{good}` must occur in the file once");
        let error = parse(&GOOD.replace(good, bad), &character).expect_err(bad);
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        assert_eq!(format!("{error}{help}"), format!("motion.bvh:{expected}"), "`{bad}` for `{good}`");
    }
}

#[test]
fn joints_must_match_the_character() {
    check(&[
        ("HIERARCHY", "version = 1", "1:1: expected `HIERARCHY`, found `version`"),
        ("ROOT thigh", "ROOT hip", "2:6: `hopper` has no link `hip` | did you mean `shin`?"),
        (
            "ROOT thigh",
            "ROOT shin",
            "2:6: joint `shin` has no joint as its parent here | in `hopper` its parent is `thigh`",
        ),
        ("JOINT foot", "JOINT shin", "10:9: joint `shin` appears twice | remove one of the two"),
        ("JOINT foot", "JOINTS foot", "10:3: unknown keyword `JOINTS` | did you mean `JOINT`?"),
        ("OFFSET 0.1 0 0", "OFFSET 0.1 nan 0", "16:16: expected a number from -100000 to 100000, found `nan`"),
        (
            "-0.4 0\n\t\tCHANNELS",
            "-40 0\n\t\tCHANNELS",
            "8:3: the offset of joint `shin` differs from the character | it should be 0.0000 -0.4000 0.0000, in \
             meters along the world axes (y up)",
        ),
        (
            "\tOFFSET 0 0 0\n",
            "\tOFFSET 0 0.9 0\n",
            "4:2: the offset of joint `thigh` differs from the character | it should be 0.0000 0.0000 0.0000, in \
             meters along the world axes (y up)",
        ),
        ("\tOFFSET 0 0 0\n", "", "19:1: joint `thigh` has no `OFFSET` | add a line `OFFSET` above"),
        (
            "\tOFFSET 0 0 0\n",
            "\tOFFSET 0 0 0\n\tOFFSET 0 0 0\n",
            "5:2: this joint already has an offset | remove one of the two",
        ),
    ]);
}

#[test]
fn channels_must_be_known_and_only_the_root_has_positions() {
    check(&[
        ("Zposition Zrotation", "Zposition Wrotation", "5:43: unknown channel `Wrotation` | did you mean `Xrotation`?"),
        ("Zposition Zrotation", "Zposition Zposition", "5:43: this channel appears twice | remove one of the two"),
        (
            "CHANNELS 6 Xposition Yposition Zposition",
            "CHANNELS 3",
            "5:2: the root lacks position channels | give it Xposition Yposition Zposition and three rotations",
        ),
        (
            "CHANNELS 6",
            "CHANNELS 7000000000000",
            "5:11: 7000000000000 channels; a joint has at most 6 | write the number of channels that follow",
        ),
        ("CHANNELS 6", "CHANNELS -6", "5:11: expected a whole number that is not negative, found `-6`"),
        (
            SHIN,
            "\tJOINT shin\n\t{\n\t\tOFFSET 0 -0.4 0\n\t\tCHANNELS 4 Xposition ",
            "9:14: only the root can have position channels | links have fixed offsets: write positions only for the \
             root",
        ),
    ]);
}

#[test]
fn frames_must_match_their_count_and_the_hinges() {
    check(&[
        ("Frames: 2", "Frames: 0", "22:9: the motion has no frames | export at least one frame"),
        ("Frames: 2", "Frames: two", "22:9: expected a whole number that is not negative, found `two`"),
        (
            "Frames: 2",
            "Frames: 3",
            "25:31: the file ends after 2 of 3 frames | `Frames:` must be the number of lines after the frame time",
        ),
        (
            "Frames: 2",
            "Frames: 1",
            "25:1: the file has more frames than the 1 after `Frames:` | `Frames:` must be the number of lines after \
             the frame time",
        ),
        (
            "Frames: 2",
            "Frames: 18446744073709551615",
            "22:9: 18446744073709551615 frames of 1 hinges exceed the limit | split the motion into shorter \
             ones",
        ),
        (
            "Frame Time: 0.1",
            "Frame Time: 0",
            "23:13: the frame time must be greater than 0 | write seconds, such as 0.0333333",
        ),
        ("Frame Time: 0.1", "Frame Time: inf", "23:13: expected a number from -100000 to 100000, found `inf`"),
        (
            "0 0 0 90",
            "0 0 90",
            "25:1: frame 1 has 11 numbers for 12 channels | write each frame on one line with one number per channel",
        ),
        ("0 0 0 90", "0 NaN 0 90", "25:11: expected a number from -100000 to 100000, found `NaN`"),
        (
            "-30 0 0 0 0 0",
            "-30 5 0 0 0 0",
            "25:18: frame 1: joint `shin` is 5.00 degrees away from any rotation of its hinges | use only rotations of \
             its hinges, in this order: `knee` about 0.000 0.000 1.000",
        ),
        (
            "-30 0 0 0 0 0",
            "-30 0 0 0 0 1",
            "25:26: frame 1: joint `foot` is 1.00 degrees away from any rotation of its hinges | the joint has no \
             hinges; set its rotations to 0",
        ),
    ]);
}

#[test]
fn every_link_needs_a_joint() {
    let foot = GOOD.find("\t\tJOINT foot").unwrap()..GOOD.find("\t}\n}").unwrap();
    let without_foot = format!("{}{}", &GOOD[..foot.start], &GOOD[foot.end..]);
    let error = parse(&without_foot, &hopper()).unwrap_err();
    assert_eq!(error.to_string(), "motion.bvh:12:1: the hierarchy has no joint `foot`");
}

#[test]
fn whole_turns_bring_angles_within_limits() {
    let character = hopper();
    let text = GOOD.replace(" -20 0 0 ", " 340 0 0 ").replace(" -30 0 0 ", " -750.05 0.05 0 ");
    let motion = parse(&text, &character).unwrap();
    for (frame, expected) in motion.frames.iter().zip([-20.0, -30.05]) {
        let angle = frame.configuration.angles[HingeId::new(0)].to_degrees();
        assert!((angle - expected).abs() < 1e-3, "{angle}");
    }
    // If no whole turn helps, the checker reports it.
    let motion = parse(&GOOD.replace(" -20 0 0 ", " 20 0 0 "), &character).unwrap();
    assert!((motion.frames[0].configuration.angles[HingeId::new(0)].to_degrees() - 20.0).abs() < 1e-3);
}

#[test]
fn hostile_files_are_rejected_with_their_line() {
    let character = hopper();
    let mut hostile: Vec<String> = (0..GOOD.len() - 30).map(|length| GOOD[..length].to_owned()).collect();
    hostile.push(format!("HIERARCHY ROOT thigh {{ {}", "JOINT shin { ".repeat(1_000_000)));
    hostile.push(format!("HIERARCHY ROOT thigh {{ {}", "End Site { OFFSET 0 0 0 } ".repeat(300_000)));
    hostile.push(format!("HIERARCHY ROOT {}", "x".repeat(5_000_000)));
    hostile.push(GOOD.replace("Frames: 2", "Frames: 5000000"));
    hostile.push(GOOD.replace("0.6", &"9".repeat(1_000_000)));
    hostile.push(format!("{GOOD}{}", "0 ".repeat(3_000_000)));
    for text in hostile {
        let error = parse(&text, &character).expect_err("the file is bad");
        let lines = 1 + text.matches('\n').count();
        assert!(error.line.is_some_and(|line| (1..=lines).contains(&line)), "{error}");
        assert!(error.to_string().len() < 1200);
    }
    assert!(parse_bvh(Path::new("x.bvh"), b"HIERARCHY\n\xff", &character).unwrap_err().line == Some(2));
}
