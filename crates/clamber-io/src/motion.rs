//! Motions as JSON, a frame a line.

use std::path::Path;

use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::{Frame, Span};
use clamber_model::{Character, Configuration, Motion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{FileError, Source};
use crate::fields::{Degrees, Number, Numbers};
use crate::file::read_file;
use crate::parse::{brief, parse_json, parse_part};

const VERSION: u32 = 1;

// Its parts are read one by one, so that what is wrong with a frame can be said of that frame's line.
/// A motion: timed configurations of one character.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a motion in braces")]
#[schemars(title = "Clamber motion")]
pub(crate) struct MotionFile<'a> {
    /// The version of this format: 1.
    #[schemars(extend("const" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// The name of the character that moves.
    #[serde(borrow)]
    #[schemars(with = "String")]
    character: &'a RawValue,
    /// The names of the hinges, in the order in which frames list their angles.
    #[schemars(with = "Vec<String>")]
    hinges: &'a RawValue,
    /// Consecutive frames in one mode of moving; each span begins with the last frame of the one before.
    #[schemars(with = "Vec<SpanEntry>")]
    spans: Vec<&'a RawValue>,
    /// In the order of time; between two frames the configuration is interpolated.
    #[schemars(with = "Vec<FrameEntry>")]
    frames: Vec<&'a RawValue>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a span in braces")]
struct SpanEntry {
    /// The first frame, counted from 0.
    first: usize,
    /// The last frame.
    last: usize,
    /// The way of moving.
    mode: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a frame in braces")]
struct FrameEntry {
    /// In seconds.
    time: Number,
    /// Where the first link's joint is, in metres.
    position: Numbers<3>,
    /// How the first link is turned: a unit quaternion x, y, z, w.
    rotation: Numbers<4>,
    /// Hinge angles in degrees.
    angles: Vec<Degrees>,
}

/// The text of a motion file.
pub fn write_motion(character: &Character, motion: &Motion) -> String {
    let frames: Vec<String> = motion.frames.iter().map(|frame| line(&frame_entry(frame))).collect();
    let spans: Vec<String> = motion
        .spans
        .iter()
        .map(|span| line(&SpanEntry { first: span.first, last: span.last, mode: span.mode.clone() }))
        .collect();
    let hinges: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
    format!(
        "{{\n\"version\": {VERSION},\n\"character\": {},\n\"hinges\": {},\n\"spans\": [\n{}\n],\n\"frames\": [\n{}\n]\n}}\n",
        line(&motion.character),
        line(&hinges),
        spans.join(",\n"),
        frames.join(",\n"),
    )
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn frame_entry(frame: &Frame) -> FrameEntry {
    let Configuration { root, angles } = &frame.configuration;
    FrameEntry {
        time: Number(frame.time),
        position: Numbers(root.translation.to_array()),
        rotation: Numbers(root.rotation.to_array()),
        angles: angles.iter().copied().map(Degrees::from_radians).collect(),
    }
}

/// Reads a motion of this character from disk.
pub fn read_motion(file: &Path, character: &Character) -> Result<Motion, FileError> {
    let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the motion", &error))?;
    parse_motion(file, &bytes, character)
}

/// Reads a motion of this character from the bytes of a file.
pub fn parse_motion(file: &Path, bytes: &[u8], character: &Character) -> Result<Motion, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: MotionFile = parse_json(&source, VERSION)?;
    let about = |part: &RawValue, message: String| source.error(source.range_of(part.get()), message);

    let name: String = parse_part(&source, entries.character)?;
    if name != character.name {
        let message =
            format!("the motion is of `{}`, and the scene's character is `{}`", brief(&name), brief(&character.name));
        return Err(about(entries.character, message).with_help("give the scene that the motion was planned for"));
    }
    let hinges: Vec<String> = parse_part(&source, entries.hinges)?;
    if !hinges.iter().eq(character.hinges.iter().map(|hinge| &hinge.name)) {
        let message = format!("the motion's hinges are not those of `{}`", brief(&character.name));
        let help = "the character has changed since; plan the motion again";
        return Err(about(entries.hinges, message).with_help(help));
    }
    let mut frames = Vec::with_capacity(entries.frames.len());
    for (index, part) in entries.frames.iter().enumerate() {
        let entry: FrameEntry = parse_part(&source, part)?;
        let frame = frame(&entry, character)
            .map_err(|(problem, help)| about(part, format!("frame {index}: {problem}")).with_help(help))?;
        frames.push(frame);
    }
    let spans = spans(&source, &entries, frames.len())?;
    Ok(Motion { character: name, frames, spans, contacts: Vec::new() })
}

fn spans(source: &Source, entries: &MotionFile, frames: usize) -> Result<Vec<Span>, FileError> {
    const HELP: &str = "spans cover all frames; each begins with the last frame of the one before";
    let about = |part: Option<&&RawValue>, message: String| {
        // What is missing altogether has no place but the file's end.
        let end = source.text.trim_end().len();
        let place = part.map_or(end..end, |part| source.range_of(part.get()));
        Err(source.error(place, message).with_help(HELP))
    };
    if frames == 0 {
        return about(None, "the motion has no frames".to_owned());
    }
    let mut spans: Vec<Span> = Vec::with_capacity(entries.spans.len());
    for (index, part) in entries.spans.iter().enumerate() {
        let SpanEntry { first, last, mode } = parse_part(source, part)?;
        let next = spans.last().map_or(0, |span| span.last);
        if first != next {
            return about(Some(part), format!("span {index} begins with frame {first}, and should with {next}"));
        }
        if last < first || last >= frames {
            let message = format!("span {index} ends with frame {last}, and the motion has {frames} frames");
            return about(Some(part), message);
        }
        spans.push(Span { first, last, mode });
    }
    match spans.last() {
        None => about(None, "the motion has no spans".to_owned()),
        Some(span) if span.last + 1 < frames => {
            let message = format!("the spans end with frame {}, and the motion with {}", span.last, frames - 1);
            about(entries.spans.last(), message)
        }
        Some(_) => Ok(spans),
    }
}

/// A problem and what would be right.
type Problem = (String, &'static str);

fn frame(entry: &FrameEntry, character: &Character) -> Result<Frame, Problem> {
    let (angles, hinges) = (entry.angles.len(), character.hinges.len());
    if angles != hinges {
        return Err((format!("{angles} angles for {hinges} hinges"), "a frame has one angle for each of `hinges`"));
    }
    let Numbers([x, y, z, w]) = entry.rotation;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if (length - 1.0).abs() > 1e-3 {
        let message = format!("the rotation is a quaternion of length {length:.3}");
        return Err((message, "the squares of its four numbers x, y, z, w must add up to 1"));
    }
    let root = Pose::from_parts(Vec3::from_array(entry.position.0), Rotation::from_xyzw(x, y, z, w));
    let angles = entry.angles.iter().map(|angle| angle.radians()).collect();
    Ok(Frame { time: entry.time.0, configuration: Configuration { root, angles } })
}
