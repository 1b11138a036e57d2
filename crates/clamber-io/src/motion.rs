//! Motions as JSON, a frame or a contact a line.

use std::collections::BTreeMap;
use std::path::Path;

use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::{ContactSpan, Frame, Span};
use clamber_model::{Character, Configuration, Contact, Motion, Problem, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{FileError, Source};
use crate::fields::{Degrees, Number, Numbers, vec3};
use crate::file::read_file;
use crate::parse::{brief, nearest_word, parse_json, parse_part, suggest};

/// The version that is written; those before it are still read. Contacts came with the second.
const VERSION: u32 = 2;

// Its parts are read one by one, so that what is wrong with a frame can be said of that frame's line.
/// A motion: timed configurations of one character.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a motion in braces")]
#[schemars(title = "Clamber motion")]
pub(crate) struct MotionFile<'a> {
    /// The version of this format: 2, or 1, which is without contacts.
    #[schemars(extend("minimum" = 1, "maximum" = VERSION))]
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
    /// Which effector holds on to what, and how long.
    #[serde(borrow, default)]
    #[schemars(with = "Vec<ContactEntry>")]
    contacts: Vec<&'a RawValue>,
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
#[serde(deny_unknown_fields, expecting = "a contact in braces")]
struct ContactEntry {
    /// The effector's name.
    effector: String,
    /// The hold's name in the scene.
    hold: String,
    /// The point of the hold that is touched, in metres.
    point: Numbers<3>,
    /// The outer unit normal there.
    normal: Numbers<3>,
    /// The first frame in which it touches, counted from 0.
    first: usize,
    /// The last frame in which it touches.
    last: usize,
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

/// The text of the file of a motion that answers this problem.
pub fn write_motion(problem: &Problem, motion: &Motion) -> String {
    let Problem { character, world, .. } = problem;
    let frames: Vec<String> = motion.frames.iter().map(|frame| line(&frame_entry(frame))).collect();
    let spans: Vec<String> = motion
        .spans
        .iter()
        .map(|span| line(&SpanEntry { first: span.first, last: span.last, mode: span.mode.clone() }))
        .collect();
    let contacts: Vec<String> =
        motion.contacts.iter().map(|span| line(&contact_entry(character, world, span))).collect();
    let hinges: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
    let list = |lines: &[String]| match lines.is_empty() {
        true => "[]".to_owned(),
        false => format!("[\n{}\n]", lines.join(",\n")),
    };
    format!(
        "{{\n\"version\": {VERSION},\n\"character\": {},\n\"hinges\": {},\n\"spans\": {},\n\"contacts\": {},\n\
         \"frames\": {}\n}}\n",
        line(&motion.character),
        line(&hinges),
        list(&spans),
        list(&contacts),
        list(&frames),
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

fn contact_entry(character: &Character, world: &World, span: &ContactSpan) -> ContactEntry {
    let ContactSpan { first, last, contact } = *span;
    ContactEntry {
        effector: character.effectors[contact.effector].name.clone(),
        hold: world.holds[contact.hold].name.clone(),
        point: Numbers(contact.point.to_array()),
        normal: Numbers(contact.normal.to_array()),
        first,
        last,
    }
}

/// Reads a motion of the problem's character, on the holds of its world, from disk.
pub fn read_motion(file: &Path, problem: &Problem) -> Result<Motion, FileError> {
    let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the motion", &error))?;
    parse_motion(file, &bytes, problem)
}

/// Reads a motion of the problem's character, on the holds of its world, from the bytes of a file.
pub fn parse_motion(file: &Path, bytes: &[u8], problem: &Problem) -> Result<Motion, FileError> {
    motion_in(file, bytes, &problem.character, &problem.world)
}

/// Reads a motion of a character in a world.
pub(crate) fn motion_in(file: &Path, bytes: &[u8], character: &Character, world: &World) -> Result<Motion, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: MotionFile = parse_json(&source, 1..=VERSION)?;
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
    let contacts = contacts(&source, &entries, frames.len(), character, world)?;
    Ok(Motion { character: name, frames, spans, contacts })
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

/// The contacts, in the order of their first frames, then of the effectors.
fn contacts(
    source: &Source,
    entries: &MotionFile,
    frames: usize,
    character: &Character,
    world: &World,
) -> Result<Vec<ContactSpan>, FileError> {
    if entries.contacts.is_empty() {
        return Ok(Vec::new());
    }
    let holds: BTreeMap<&str, usize> =
        world.holds.iter().enumerate().map(|(index, hold)| (hold.name.as_str(), index)).collect();
    let mut contacts = Vec::with_capacity(entries.contacts.len());
    for (index, part) in entries.contacts.iter().enumerate() {
        let entry: ContactEntry = parse_part(source, part)?;
        let contact = contact(&entry, frames, character, world, &holds).map_err(|(problem, help)| {
            source.error(source.range_of(part.get()), format!("contact {index}: {problem}")).with_help(help)
        })?;
        contacts.push(contact);
    }
    contacts.sort_by_key(|span: &ContactSpan| (span.first, span.contact.effector));
    Ok(contacts)
}

fn contact(
    entry: &ContactEntry,
    frames: usize,
    character: &Character,
    world: &World,
    holds: &BTreeMap<&str, usize>,
) -> Result<ContactSpan, Complaint> {
    let ContactEntry { first, last, .. } = *entry;
    let Some(effector) = character.effectors.iter().position(|effector| effector.name == entry.effector) else {
        let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
        let message = format!("there is no effector `{}`", brief(&entry.effector));
        return Err((message, suggest(&entry.effector, &known)));
    };
    let Some(&hold) = holds.get(entry.hold.as_str()) else {
        // Of very many, a few will do: the names of one obstacle's holds differ by their numbers alone.
        let known: Vec<&String> = world.holds.iter().take(1000).map(|hold| &hold.name).collect();
        let help = match nearest_word(&entry.hold, &known) {
            Some(word) => format!("did you mean `{word}`? If the scene has changed since, plan again"),
            None => "give the scene that the motion was planned for; if it has changed since, plan again".to_owned(),
        };
        return Err((format!("the scene has no hold `{}`", brief(&entry.hold)), help));
    };
    if last < first || last >= frames {
        let message = format!("it lasts from frame {first} to frame {last}, and the motion has {frames} frames");
        return Err((message, "frames are counted from 0, and the last is not before the first".to_owned()));
    }
    let normal = vec3(entry.normal);
    if (normal.length() - 1.0).abs() > 1e-3 {
        let message = format!("the normal has the length {:.3}", normal.length());
        return Err((message, "a normal has the length 1".to_owned()));
    }
    let contact = Contact { effector, hold, point: vec3(entry.point), normal };
    Ok(ContactSpan { first, last, contact })
}

/// What is wrong, and what would be right.
type Complaint = (String, String);

fn frame(entry: &FrameEntry, character: &Character) -> Result<Frame, Complaint> {
    let (angles, hinges) = (entry.angles.len(), character.hinges.len());
    if angles != hinges {
        let help = "a frame has one angle for each of `hinges`";
        return Err((format!("{angles} angles for {hinges} hinges"), help.to_owned()));
    }
    let Numbers([x, y, z, w]) = entry.rotation;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if (length - 1.0).abs() > 1e-3 {
        let message = format!("the rotation is a quaternion of length {length:.3}");
        return Err((message, "the squares of its four numbers x, y, z, w must add up to 1".to_owned()));
    }
    let root = Pose::from_parts(Vec3::from_array(entry.position.0), Rotation::from_xyzw(x, y, z, w));
    let angles = entry.angles.iter().map(|angle| angle.radians()).collect();
    Ok(Frame { time: entry.time.0, configuration: Configuration { root, angles } })
}
