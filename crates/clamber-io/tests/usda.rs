//! A .usda file reproduces the motion by the rules of UsdSkel; `tools/formats.sh` checks it with USD itself.

mod arbitrary;
mod shipped;

use arbitrary::{arbitrary_motion, characters, places};
use clamber_io::{ExportError, to_usda};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::ContactSpan;
use clamber_model::{Character, Contact, Motion};

fn usda(character: &Character, motion: &Motion) -> String {
    let room = shipped::in_room("figure");
    to_usda(character, &room.world, motion).unwrap_or_else(|error| panic!("{}: {error}", character.name))
}

/// The words after a key on its line.
fn after<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap_or_else(|| panic!("no {key}"))
}

fn names(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

fn numbers(list: &str) -> Vec<f32> {
    let words = list.split(|letter: char| !(letter.is_ascii_digit() || "+-.e".contains(letter)));
    words.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

/// The time codes and numbers of an attribute's samples.
fn samples(text: &str, attribute: &str) -> Vec<(f64, Vec<f32>)> {
    let (_, block) = text.split_once(&format!("{attribute}.timeSamples = {{\n")).unwrap();
    let lines = block.lines().take_while(|line| line.trim() != "}");
    let sample = |line: &str| {
        let (code, values) = line.split_once(':').unwrap();
        (code.trim().parse().unwrap(), numbers(values))
    };
    lines.map(sample).collect()
}

#[test]
fn samples_reproduce_every_joint_of_the_motion() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 100);
        let text = usda(&character, &motion);
        let joints = names(after(&text, "uniform token[] joints = "));
        assert_eq!(joints.len(), character.links.len());
        let parent = |joint: &str| {
            let (carrier, _) = joint.rsplit_once('/')?;
            Some(joints.iter().position(|other| *other == carrier).unwrap_or_else(|| panic!("no {carrier}")))
        };
        let (turns, moves) = (samples(&text, "rotations"), samples(&text, "translations"));
        assert_eq!((turns.len(), moves.len()), (100, 100));
        for (frame, expected) in places(&character, &motion).iter().enumerate() {
            assert_eq!((turns[frame].0, moves[frame].0), (frame as f64, frame as f64));
            let mut world: Vec<Pose> = Vec::new();
            for (joint, (turn, place)) in
                joints.iter().zip(turns[frame].1.as_chunks::<4>().0.iter().zip(moves[frame].1.as_chunks::<3>().0))
            {
                let [w, x, y, z] = *turn;
                let local = Pose::from_parts(Vec3::from_array(*place), Rotation::from_xyzw(x, y, z, w));
                world.push(parent(joint).map_or(local, |parent| world[parent] * local));
            }
            for (joint, (expected, found)) in joints.iter().zip(expected.iter().zip(&world)) {
                let away = (*expected * Vec3::ONE - *found * Vec3::ONE).length();
                assert!(away < 1e-4, "{}: {joint} is {away} m away in frame {frame}", character.name);
            }
        }
    }
}

#[test]
fn names_are_identifiers_and_braces_balance() {
    for character in characters() {
        let text = usda(&character, &arbitrary_motion(&character, 3));
        let mut joints = names(after(&text, "uniform token[] joints = "));
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '/';
        assert!(joints.iter().all(|joint| joint.chars().all(is_plain)), "{joints:?}");
        joints.sort_unstable();
        joints.dedup();
        assert_eq!(joints.len(), character.links.len());
        for [open, close] in [['{', '}'], ['(', ')'], ['[', ']']] {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{}", character.name);
        }
    }
}

#[test]
fn times_contacts_and_modes_are_in_the_file() {
    let room = shipped::in_room("figure");
    let mut motion = arbitrary_motion(&room.character, 31);
    let contact = Contact {
        effector: EffectorId::from(1),
        hold: HoldId::from(2),
        point: Vec3::new(0.1, 0.0, 0.0),
        normal: Vec3::Y,
    };
    motion.contacts = vec![ContactSpan { first_frame: 3, last_frame: 15, contact }];
    let text = to_usda(&room.character, &room.world, &motion).unwrap();
    assert_eq!(after(&text, "timeCodesPerSecond = "), "30");
    assert_eq!(after(&text, "endTimeCode = "), "30");
    assert_eq!(names(after(&text, "string[] effector = ")), [room.character.effectors.raw[1].name.as_str()]);
    assert_eq!(names(after(&text, "string[] hold = ")), [room.world.holds.raw[2].name.as_str()]);
    assert_eq!(after(&text, "float3[] point = "), "[(0.1, 0, 0)]");
    assert_eq!(names(after(&text, "string[] mode = ")), ["climbing"]);
    assert!(text.contains("def Mesh \"floor\" ("));

    // Frames that are not uniformly timed keep their times.
    motion.frames[30].time += 0.5;
    let uneven = to_usda(&room.character, &room.world, &motion).unwrap();
    assert_eq!(after(&uneven, "timeCodesPerSecond = "), "30");
    assert_eq!(after(&uneven, "endTimeCode = "), "45");
    motion.frames.clear();
    assert_eq!(to_usda(&room.character, &room.world, &motion), Err(ExportError::Empty));
}
