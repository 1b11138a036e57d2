//! Reads motions from BVH.

use std::path::Path;

use clamber_model::id::LinkId;
use clamber_model::math::double::{self, rotation_about};
use clamber_model::math::{Pose, Vec3};
use clamber_model::motion::{FLYING_MODE, Frame, ModeSpan};
use clamber_model::{Character, Configuration, Motion};

use super::euler_angles::{decompose, rotation_by};
use super::skeleton::Skeleton;
use crate::common_field_types::LARGEST;
use crate::error::{FileError, Source};
use crate::read_from_disk::read_file;
use crate::suggest_name::{abbreviate, suggest};

/// Tolerance of joint offsets, in meters: other programs round.
const OFFSET_TOLERANCE: f32 = 1e-3;

/// Tolerance of joint rotations that the hinges cannot produce, in degrees.
const ROTATION_TOLERANCE: f64 = 0.1;

/// Most numbers in a motion: a short line may expand to many angles.
const MAX_NUMBERS: usize = 50_000_000;

/// Channels by name.
const CHANNELS: [(&str, Channel); 6] = [
    ("Xposition", Channel::Position(0)),
    ("Yposition", Channel::Position(1)),
    ("Zposition", Channel::Position(2)),
    ("Xrotation", Channel::Rotation(0)),
    ("Yrotation", Channel::Rotation(1)),
    ("Zrotation", Channel::Rotation(2)),
];

/// A translation along, or rotation about, axis 0 (x), 1 (y) or 2 (z).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Position(usize),
    Rotation(usize),
}

/// A joint in the file.
struct Joint<'a> {
    link: LinkId,
    /// The name in the file.
    name: &'a str,
    has_offset: bool,
    channels: Option<Vec<Channel>>,
}

/// Reads a BVH file from disk as a motion of this character.
pub fn read_bvh(file: &Path, character: &Character) -> Result<Motion, FileError> {
    let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the motion", &error))?;
    parse_bvh(file, &bytes, character)
}

/// Parses a BVH file, in meters, as a motion of this character.
///
/// The joints must match the character's links by name, parent and offset; channels may be in any order. Angles stay
/// within the hinge limits if such angles exist. BVH has no modes and no contacts: the motion is one span of flying.
pub fn parse_bvh(file: &Path, bytes: &[u8], character: &Character) -> Result<Motion, FileError> {
    let source = Source::new(file, bytes)?;
    let skeleton = Skeleton::new(character);
    let mut words = Words { source, at: 0 };
    let joints = hierarchy(&mut words, character, &skeleton)?;
    let (count, step) = timing(&mut words, character)?;
    let frames = Frames { source, character, skeleton: &skeleton, joints: &joints, count, step };
    let frames = frames.read(&source.text[words.at..])?;
    let spans = vec![ModeSpan { first_frame: 0, last_frame: frames.len() - 1, mode: FLYING_MODE.to_owned() }];
    Ok(Motion {
        character: character.name.clone(),
        frames,
        mode_spans: spans,
        contacts: Vec::new(),
        is_clip: false,
        in_equilibrium: false,
    })
}

/// The words of a file in order.
struct Words<'a> {
    source: Source<'a>,
    /// Byte offset of the unread text.
    at: usize,
}

impl<'a> Words<'a> {
    /// Returns the next word, or an error that names `wanted` at the end of the file.
    fn next(&mut self, wanted: &str) -> Result<&'a str, FileError> {
        let text = self.source.text;
        let rest = text[self.at..].trim_start();
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        if word.is_empty() {
            let end = text.trim_end().len();
            return Err(self.source.error(end..end, format!("expected {wanted}, found the end of the file")));
        }
        self.at = text.len() - rest.len() + word.len();
        Ok(word)
    }

    fn error(&self, word: &str, message: impl Into<String>) -> FileError {
        self.source.error(self.source.range_of(word), message)
    }

    /// Consumes a keyword.
    fn expect(&mut self, wanted: &str) -> Result<&'a str, FileError> {
        let word = self.next(&format!("`{wanted}`"))?;
        if word.eq_ignore_ascii_case(wanted) {
            return Ok(word);
        }
        Err(self.error(word, format!("expected `{wanted}`, found `{}`", abbreviate(word))))
    }

    fn number(&mut self) -> Result<f64, FileError> {
        let word = self.next("a number")?;
        number(&self.source, word)
    }

    fn whole_number(&mut self) -> Result<(&'a str, usize), FileError> {
        let word = self.next("a whole number")?;
        let number = word.parse();
        number.map(|number| (word, number)).map_err(|_| {
            self.error(word, format!("expected a whole number that is not negative, found `{}`", abbreviate(word)))
        })
    }

    fn offset(&mut self) -> Result<Vec3, FileError> {
        Ok(Vec3::new(self.number()? as f32, self.number()? as f32, self.number()? as f32))
    }
}

/// A finite number within [`LARGEST`].
fn number(source: &Source, word: &str) -> Result<f64, FileError> {
    // This comparison also rejects NaN.
    word.parse().ok().filter(|number: &f64| number.abs() <= LARGEST).ok_or_else(|| {
        let message = format!("expected a number from -{LARGEST} to {LARGEST}, found `{}`", abbreviate(word));
        source.error(source.range_of(word), message)
    })
}

/// Returns the joints in file order, which is also the order of a frame's numbers. Consumes all words up to `MOTION`.
fn hierarchy<'a>(
    words: &mut Words<'a>,
    character: &Character,
    skeleton: &Skeleton,
) -> Result<Vec<Joint<'a>>, FileError> {
    words.expect("HIERARCHY")?;
    words.expect("ROOT")?;
    let mut joints = Vec::new();
    // Each joint is a different link, so the file cannot nest deeper than the character.
    let mut open = vec![begin_joint(words, character, skeleton, None, &mut joints)?];
    while let Some(&current) = open.last() {
        let word = words.next("`}`")?;
        match word.to_ascii_uppercase().as_str() {
            "OFFSET" => {
                if joints[current].has_offset {
                    return Err(words
                        .error(word, "this joint already has an offset")
                        .with_help("remove one of the two"));
                }
                joints[current].has_offset = true;
                check_offset(words, word, skeleton, joints[current].link)?;
            }
            "CHANNELS" => {
                if joints[current].channels.is_some() {
                    return Err(words
                        .error(word, "this joint already has channels")
                        .with_help("remove one of the two"));
                }
                joints[current].channels = Some(channels(words, word, open.len() == 1)?);
            }
            "JOINT" => {
                let parent = Some(joints[current].link);
                open.push(begin_joint(words, character, skeleton, parent, &mut joints)?);
            }
            "END" => {
                // The character defines where a limb ends; the value is ignored.
                words.expect("Site")?;
                words.expect("{")?;
                words.expect("OFFSET")?;
                words.offset()?;
                words.expect("}")?;
            }
            "}" => {
                let Joint { name, has_offset, ref channels, .. } = joints[current];
                let missing = [(has_offset, "OFFSET"), (channels.is_some(), "CHANNELS")];
                if let Some((_, line)) = missing.into_iter().find(|(is_there, _)| !is_there) {
                    let message = format!("joint `{}` has no `{line}`", abbreviate(name));
                    return Err(words.error(word, message).with_help(format!("add a line `{line}` above")));
                }
                open.pop();
            }
            _ => {
                let known = ["OFFSET", "CHANNELS", "JOINT", "End", "}"];
                let error = words.error(word, format!("unknown keyword `{}`", abbreviate(word)));
                return Err(error.with_help(suggest(word, &known)));
            }
        }
    }
    let word = words.expect("MOTION")?;
    let is_missing = |link: &LinkId| joints.iter().all(|joint| joint.link != *link);
    if let Some(link) = character.links.keys().find(is_missing) {
        let message = format!("the hierarchy has no joint `{}`", abbreviate(&skeleton.joints[link].name));
        let help =
            format!("add a joint for each link of `{}`, including links that do not move", abbreviate(&character.name));
        return Err(words.error(word, message).with_help(help));
    }
    Ok(joints)
}

/// Reads a joint's name and opening brace, and returns its index in `joints`.
fn begin_joint<'a>(
    words: &mut Words<'a>,
    character: &Character,
    skeleton: &Skeleton,
    parent: Option<LinkId>,
    joints: &mut Vec<Joint<'a>>,
) -> Result<usize, FileError> {
    let name = words.next("a joint's name")?;
    let Some(link) = skeleton.joints.position(|joint| joint.name == name) else {
        let message = format!("`{}` has no link `{}`", abbreviate(&character.name), abbreviate(name));
        let known: Vec<&str> = skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
        return Err(words.error(name, message).with_help(suggest(name, &known)));
    };
    if joints.iter().any(|joint| joint.link == link) {
        return Err(words
            .error(name, format!("joint `{}` appears twice", abbreviate(name)))
            .with_help("remove one of the two"));
    }
    if character.links[link].parent != parent {
        let named = |link: Option<LinkId>| {
            link.map_or("no joint".to_owned(), |link| format!("`{}`", abbreviate(&skeleton.joints[link].name)))
        };
        let message = format!("joint `{}` has {} as its parent here", abbreviate(name), named(parent));
        let help =
            format!("in `{}` its parent is {}", abbreviate(&character.name), named(character.links[link].parent));
        return Err(words.error(name, message).with_help(help));
    }
    words.expect("{")?;
    joints.push(Joint { link, name, has_offset: false, channels: None });
    Ok(joints.len() - 1)
}

fn check_offset(words: &mut Words, word: &str, skeleton: &Skeleton, link: LinkId) -> Result<(), FileError> {
    let (found, joint) = (words.offset()?, &skeleton.joints[link]);
    if (found - joint.offset).length() <= OFFSET_TOLERANCE {
        return Ok(());
    }
    let [x, y, z] = joint.offset.to_array();
    let message = format!("the offset of joint `{}` differs from the character", abbreviate(&joint.name));
    let help = format!("it should be {x:.4} {y:.4} {z:.4}, in meters along the world axes (y up)");
    Err(words.error(word, message).with_help(help))
}

fn channels(words: &mut Words, first: &str, is_root: bool) -> Result<Vec<Channel>, FileError> {
    let (word, count) = words.whole_number()?;
    if count > CHANNELS.len() {
        let message = format!("{count} channels; a joint has at most {}", CHANNELS.len());
        return Err(words.error(word, message).with_help("write the number of channels that follow"));
    }
    let mut channels = Vec::with_capacity(count);
    for _ in 0..count {
        let word = words.next("a channel")?;
        let Some((_, channel)) = CHANNELS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)) else {
            let error = words.error(word, format!("unknown channel `{}`", abbreviate(word)));
            return Err(error.with_help(suggest(word, &CHANNELS.map(|(name, _)| name))));
        };
        if channels.contains(channel) {
            return Err(words.error(word, "this channel appears twice").with_help("remove one of the two"));
        }
        if matches!(channel, Channel::Position(_)) && !is_root {
            let help = "links have fixed offsets: write positions only for the root";
            return Err(words.error(word, "only the root can have position channels").with_help(help));
        }
        channels.push(*channel);
    }
    let positions = channels.iter().filter(|channel| matches!(channel, Channel::Position(_))).count();
    if is_root && positions < 3 {
        let help = "give it Xposition Yposition Zposition and three rotations";
        return Err(words.error(first, "the root lacks position channels").with_help(help));
    }
    Ok(channels)
}

/// Returns the number of frames and the frame time in seconds.
fn timing(words: &mut Words, character: &Character) -> Result<(usize, f64), FileError> {
    words.expect("Frames:")?;
    let (word, count) = words.whole_number()?;
    if count == 0 {
        return Err(words.error(word, "the motion has no frames").with_help("export at least one frame"));
    }
    let numbers = count.saturating_mul(character.hinges.len() + 8);
    if numbers > MAX_NUMBERS {
        let message = format!("{count} frames of {} hinges exceed the limit", character.hinges.len());
        return Err(words.error(word, message).with_help("split the motion into shorter ones"));
    }
    words.expect("Frame")?;
    words.expect("Time:")?;
    let word = words.next("the frame time")?;
    let step = number(&words.source, word)?;
    if !(step > 0.0) {
        let message = "the frame time must be greater than 0";
        return Err(words.error(word, message).with_help("write seconds, such as 0.0333333"));
    }
    Ok((count, step))
}

/// Reads the frames after the frame time.
struct Frames<'a> {
    source: Source<'a>,
    character: &'a Character,
    skeleton: &'a Skeleton,
    joints: &'a [Joint<'a>],
    count: usize,
    step: f64,
}

impl Frames<'_> {
    /// Reads one frame per line.
    fn read(&self, text: &str) -> Result<Vec<Frame>, FileError> {
        let channels: usize = self.joints.iter().flat_map(|joint| &joint.channels).map(Vec::len).sum();
        let mut numbers = Vec::with_capacity(channels);
        // Grows with the lines present, not with the number that the file claims.
        let mut frames: Vec<Frame> = Vec::new();
        let mut configuration = Configuration::rest(self.character);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let index = frames.len();
            let about = |message: String| self.source.error(self.source.range_of(line), message);
            if index == self.count {
                let message = format!("the file has more frames than the {} after `Frames:`", self.count);
                return Err(about(message).with_help("`Frames:` must be the number of lines after the frame time"));
            }
            let words = line.split_whitespace().count();
            if words != channels {
                let message = format!("frame {index} has {words} numbers for {channels} channels");
                return Err(about(message).with_help("write each frame on one line with one number per channel"));
            }
            numbers.clear();
            for word in line.split_whitespace() {
                numbers.push(number(&self.source, word)?);
            }
            // The search for angles starts at the previous frame's.
            self.pose(&numbers, &mut configuration).map_err(|problem| self.rotation_error(index, line, &problem))?;
            let time = (index as f64 * self.step) as f32;
            frames.push(Frame { time, configuration: configuration.clone() });
        }
        if frames.len() < self.count {
            let end = self.source.text.trim_end().len();
            let message = format!("the file ends after {} of {} frames", frames.len(), self.count);
            let help = "`Frames:` must be the number of lines after the frame time";
            return Err(self.source.error(end..end, message).with_help(help));
        }
        Ok(frames)
    }

    /// Sets the configuration to a frame.
    fn pose(&self, numbers: &[f64], configuration: &mut Configuration) -> Result<(), UnreachableRotation> {
        let mut next = 0;
        let mut found = Vec::new();
        for (joint, channels) in self.joints.iter().filter_map(|joint| Some((joint, joint.channels.as_ref()?))) {
            let first = next;
            next += channels.len();
            let mut place = [0.0; 3];
            let mut rotation = double::Rotation::IDENTITY;
            for (channel, number) in channels.iter().zip(&numbers[first..next]) {
                match channel {
                    Channel::Position(axis) => place[*axis] = *number as f32,
                    Channel::Rotation(axis) => {
                        rotation *= rotation_about(double::Vec3::AXES[*axis], number.to_radians());
                    }
                }
            }
            let link = &self.character.links[joint.link];
            let rest = &self.skeleton.joints[joint.link];
            let angles = &mut configuration.angles[link.hinges.range()];
            if link.parent.is_none() {
                // Root hinges and root rotation are redundant: keep the hinges at rest.
                let by_hinges = rotation_by(&rest.hinges, angles.iter().copied().map(f64::from));
                let rotation = (rotation * by_hinges.inverse()).as_quat().normalize();
                configuration.root = Pose::from_parts(Vec3::from_array(place), rotation);
                continue;
            }
            let by_hinges = rest.rest_from_link.inverse() * rotation * rest.rest_from_link;
            found.clear();
            found.extend(angles.iter().copied().map(f64::from));
            let left = decompose(&rest.hinges, by_hinges, &mut found).to_degrees();
            for (angle, found) in angles.iter_mut().zip(&found) {
                *angle = *found as f32;
            }
            // This comparison also rejects NaN.
            if !(left <= ROTATION_TOLERANCE) {
                return Err(UnreachableRotation { link: joint.link, number: first, degrees: left });
            }
        }
        Ok(())
    }

    fn rotation_error(&self, index: usize, line: &str, problem: &UnreachableRotation) -> FileError {
        let joint = &self.skeleton.joints[problem.link];
        let word = line.split_whitespace().nth(problem.number).unwrap_or(line);
        let message = format!(
            "frame {index}: joint `{}` is {:.2} degrees away from any rotation of its hinges",
            abbreviate(&joint.name),
            problem.degrees
        );
        let hinges = self.character.hinges[self.character.links[problem.link].hinges.range()].iter();
        let hinges: Vec<String> = hinges
            .map(|hinge| {
                let [x, y, z] = (joint.rest_from_link * hinge.axis.as_dvec3()).to_array().map(|x| x + 0.0);
                format!("`{}` about {x:.3} {y:.3} {z:.3}", abbreviate(&hinge.name))
            })
            .collect();
        let help = match hinges.as_slice() {
            [] => "the joint has no hinges; set its rotations to 0".to_owned(),
            hinges => format!("use only rotations of its hinges, in this order: {}", hinges.join(", ")),
        };
        self.source.error(self.source.range_of(word), message).with_help(help)
    }
}

/// A joint rotation that its hinges cannot produce.
struct UnreachableRotation {
    link: LinkId,
    /// Index of the joint's first number in the line.
    number: usize,
    /// Residual rotation.
    degrees: f64,
}
