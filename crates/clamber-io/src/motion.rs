//! Motions as JSON, a frame a line.

use std::path::Path;

use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::{Frame, Span};
use clamber_model::{Character, Configuration, Motion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{FileError, Source};
use crate::fields::Number;
use crate::parse::parse_json;

const VERSION: u32 = 1;

/// A motion: timed configurations of one character.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MotionFile {
    /// The version of this format: 1.
    version: u32,
    /// The name of the character that moves.
    character: String,
    /// The names of the hinges, in the order in which frames list their angles.
    hinges: Vec<String>,
    /// Consecutive frames in one mode of moving; each span begins with the last frame of the one before.
    spans: Vec<SpanEntry>,
    /// In the order of time; between two frames the configuration is interpolated.
    frames: Vec<FrameEntry>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpanEntry {
    /// The first frame, counted from 0.
    first: usize,
    /// The last frame.
    last: usize,
    /// The way of moving.
    mode: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FrameEntry {
    /// In seconds.
    time: Number,
    /// Where the first link's joint is, in metres.
    position: [Number; 3],
    /// How the first link is turned: a unit quaternion x, y, z, w.
    rotation: [Number; 4],
    /// Hinge angles in degrees.
    angles: Vec<Number>,
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
        position: root.translation.to_array().map(Number),
        rotation: root.rotation.to_array().map(Number),
        angles: angles.iter().map(|angle| Number(angle.to_degrees())).collect(),
    }
}

/// Reads a motion of this character from disk.
pub fn read_motion(file: &Path, character: &Character) -> Result<Motion, FileError> {
    let bytes =
        std::fs::read(file).map_err(|error| FileError::whole(file, format!("cannot read the motion: {error}")))?;
    parse_motion(file, &bytes, character)
}

/// Reads a motion of this character from the bytes of a file.
pub fn parse_motion(file: &Path, bytes: &[u8], character: &Character) -> Result<Motion, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: MotionFile = parse_json(&source)?;
    // JSON values carry no place, so the key that they stand behind is what is pointed at.
    let about = |key: &str, message: String| {
        let at = source.text.find(&format!("\"{key}\"")).unwrap_or(0);
        source.error(at..at + key.len() + 2, message)
    };
    if entries.version != VERSION {
        let message = format!("version {} of this format is not known", entries.version);
        return Err(about("version", message).with_help(format!("this program reads version {VERSION}")));
    }
    if entries.character != character.name {
        let message =
            format!("the motion is of `{}`, and the scene's character is `{}`", entries.character, character.name);
        return Err(about("character", message).with_help("give the scene that the motion was planned for"));
    }
    if !entries.hinges.iter().eq(character.hinges.iter().map(|hinge| &hinge.name)) {
        let message = format!("the motion's hinges are not those of `{}`", character.name);
        return Err(about("hinges", message).with_help("the character has changed since; plan the motion again"));
    }
    let mut frames = Vec::with_capacity(entries.frames.len());
    for (index, entry) in entries.frames.iter().enumerate() {
        let frame = frame(entry, character).map_err(|problem| about("frames", format!("frame {index}: {problem}")))?;
        frames.push(frame);
    }
    if frames.is_empty() {
        return Err(about("frames", "the motion has no frames".to_owned()));
    }
    let mut next = 0;
    for (index, span) in entries.spans.iter().enumerate() {
        if span.first != next || span.last < span.first || span.last >= frames.len() {
            let message = format!(
                "span {index} goes from frame {} to {}, and should continue from {next}",
                span.first, span.last
            );
            return Err(about("spans", message));
        }
        next = span.last;
    }
    if next + 1 != frames.len() {
        return Err(about(
            "spans",
            format!("the spans end with frame {next}, and the motion with {}", frames.len() - 1),
        ));
    }
    let spans = entries.spans.into_iter().map(|SpanEntry { first, last, mode }| Span { first, last, mode }).collect();
    Ok(Motion { character: entries.character, frames, spans })
}

fn frame(entry: &FrameEntry, character: &Character) -> Result<Frame, String> {
    if entry.angles.len() != character.hinges.len() {
        return Err(format!("{} angles for {} hinges", entry.angles.len(), character.hinges.len()));
    }
    let [x, y, z, w] = entry.rotation.map(|Number(number)| number);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if (length - 1.0).abs() > 1e-3 {
        return Err(format!("the rotation is a quaternion of length {length}, and should be of length 1"));
    }
    let [px, py, pz] = entry.position.map(|Number(number)| number);
    let root = Pose::from_parts(Vec3::new(px, py, pz), Rotation::from_xyzw(x, y, z, w));
    let angles = entry.angles.iter().map(|angle| angle.radians()).collect();
    Ok(Frame { time: entry.time.0, configuration: Configuration { root, angles } })
}
