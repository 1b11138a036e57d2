//! Motion files: JSON with one frame or contact per line.

use std::collections::BTreeMap;
use std::path::Path;

use clamber_model::id::HoldId;
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::{ContactSpan, Frame, ModeSpan};
use clamber_model::{Character, Configuration, Contact, Motion, Problem, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::common_field_types::{Degrees, Number, Numbers, vec3};
use crate::error::{FileError, Source};
use crate::export_error::ExportError;
use crate::parse::{parse_json, parse_raw};
use crate::read_from_disk::read_file;
use crate::reject_control_characters::reject_control_characters;
use crate::suggest_name::{abbreviate, nearest_word, suggest};

/// The version that is written. Version 1, which has no contacts, can still be read.
const VERSION: u32 = 2;

// Elements stay raw and are parsed one by one, so that an error names the line of its frame.
/// A motion: timed configurations of one character.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a motion in braces")]
#[schemars(title = "Clamber motion")]
pub(crate) struct MotionFile<'a> {
    /// The version of this format: 2, or 1 for files without contacts.
    #[schemars(extend("minimum" = 1, "maximum" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// The character's name.
    #[serde(borrow)]
    #[schemars(with = "String")]
    character: &'a RawValue,
    /// Hinge names, in the order of each frame's angles.
    #[schemars(with = "Vec<String>")]
    hinges: &'a RawValue,
    /// Whether the motion is a clip, which `refine` has made: smooth, and timed within the character's speed limits.
    #[serde(default)]
    clip: bool,
    /// Whether the motion claims static equilibrium at every moment, within what its modes allow. `check` judges what is claimed.
    #[serde(default)]
    equilibrium: bool,
    /// Consecutive frames in one mode; each span begins with the last frame of the previous one.
    #[schemars(with = "Vec<SpanEntry>")]
    spans: Vec<&'a RawValue>,
    /// Contacts between effectors and holds.
    #[serde(borrow, default)]
    #[schemars(with = "Vec<ContactEntry>")]
    contacts: Vec<&'a RawValue>,
    /// Frames in order of time; the configuration is interpolated between them.
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
    /// The mode's name.
    mode: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a contact in braces")]
struct ContactEntry {
    /// The effector's name.
    effector: String,
    /// The hold's name in the scene.
    hold: String,
    /// The contact point on the hold, in meters.
    point: Numbers<3>,
    /// The outward unit normal at that point.
    normal: Numbers<3>,
    /// The first frame in contact, counted from 0.
    first: usize,
    /// The last frame in contact.
    last: usize,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a frame in braces")]
struct FrameEntry {
    /// Time in seconds.
    time: Number,
    /// Position of the root link's joint, in meters.
    position: Numbers<3>,
    /// Rotation of the root link: a unit quaternion x, y, z, w.
    rotation: Numbers<4>,
    /// Hinge angles in degrees.
    angles: Vec<Degrees>,
}

/// Returns a motion of this problem's character as the text of a motion file.
///
/// # Errors
/// When a contact names an effector or a hold that does not exist, or a number is not finite, for which JSON has no form.
pub fn to_motion_json(problem: &Problem, motion: &Motion) -> Result<String, ExportError> {
    check_for_json(problem, motion)?;
    let Problem { character, world, .. } = problem;
    let frames: Vec<String> = motion.frames.iter().map(|frame| line(&frame_entry(frame))).collect();
    let spans: Vec<String> = motion
        .mode_spans
        .iter()
        .map(|span| line(&SpanEntry { first: span.first_frame, last: span.last_frame, mode: span.mode.clone() }))
        .collect();
    let contacts: Vec<String> =
        motion.contacts.iter().map(|span| line(&contact_entry(character, world, span))).collect();
    let hinges: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
    let list = |lines: &[String]| match lines.is_empty() {
        true => "[]".to_owned(),
        false => format!("[\n{}\n]", lines.join(",\n")),
    };
    Ok(format!(
        "{{\n\"version\": {VERSION},\n\"character\": {},\n\"hinges\": {},\n{}{}\"spans\": {},\n\"contacts\": {},\n\
         \"frames\": {}\n}}\n",
        line(&motion.character),
        line(&hinges),
        // Left out of other motions, so that their files stay readable by earlier readers.
        if motion.is_clip { "\"clip\": true,\n" } else { "" },
        if motion.in_equilibrium { "\"equilibrium\": true,\n" } else { "" },
        list(&spans),
        list(&contacts),
        list(&frames),
    ))
}

fn check_for_json(problem: &Problem, motion: &Motion) -> Result<(), ExportError> {
    let is_finite = |frame: &Frame| {
        let Configuration { root, angles } = &frame.configuration;
        frame.time.is_finite()
            && root.translation.is_finite()
            && root.rotation.is_finite()
            && angles.iter().all(|angle| angle.to_degrees().is_finite())
    };
    if let Some(frame) = motion.frames.iter().position(|frame| !is_finite(frame)) {
        return Err(ExportError::InvalidFrame { frame });
    }
    let is_valid = |ContactSpan { contact, .. }: &ContactSpan| {
        problem.character.effectors.get(contact.effector).is_some()
            && problem.world.holds.get(contact.hold).is_some()
            && contact.point.is_finite()
            && contact.normal.is_finite()
    };
    match motion.contacts.iter().position(|span| !is_valid(span)) {
        Some(index) => Err(ExportError::DanglingReference { referrer: "contact", index }),
        None => Ok(()),
    }
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
    let ContactSpan { first_frame: first, last_frame: last, contact } = *span;
    ContactEntry {
        effector: character.effectors[contact.effector].name.clone(),
        hold: world.holds[contact.hold].name.clone(),
        point: Numbers(contact.point.to_array()),
        normal: Numbers(contact.normal.to_array()),
        first,
        last,
    }
}

/// Reads a motion file from disk, for the character and holds of this problem.
pub fn read_motion(file: &Path, problem: &Problem) -> Result<Motion, FileError> {
    let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the motion", &error))?;
    parse_motion(file, &bytes, problem)
}

/// Parses a motion file for the character and holds of this problem.
pub fn parse_motion(file: &Path, bytes: &[u8], problem: &Problem) -> Result<Motion, FileError> {
    parse_motion_in(file, bytes, &problem.character, &problem.world)
}

/// Parses a motion file for a character in a world.
pub(crate) fn parse_motion_in(
    file: &Path,
    bytes: &[u8],
    character: &Character,
    world: &World,
) -> Result<Motion, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: MotionFile = parse_json(&source, 1..=VERSION)?;
    let about = |part: &RawValue, message: String| source.error(source.range_of(part.get()), message);

    let name: String = parse_raw(&source, entries.character)?;
    if name != character.name {
        let message = format!(
            "the motion is for character `{}`, but the scene has `{}`",
            abbreviate(&name),
            abbreviate(&character.name)
        );
        return Err(about(entries.character, message).with_help("use the scene that the motion was planned for"));
    }
    let hinges: Vec<String> = parse_raw(&source, entries.hinges)?;
    if !hinges.iter().eq(character.hinges.iter().map(|hinge| &hinge.name)) {
        let message = format!("the motion's hinges differ from those of `{}`", abbreviate(&character.name));
        let help = "the character has changed since the motion was planned; plan it again";
        return Err(about(entries.hinges, message).with_help(help));
    }
    let mut frames = Vec::with_capacity(entries.frames.len());
    for (index, part) in entries.frames.iter().enumerate() {
        let entry: FrameEntry = parse_raw(&source, part)?;
        let frame = frame(&entry, character)
            .map_err(|(problem, help)| about(part, format!("frame {index}: {problem}")).with_help(help))?;
        frames.push(frame);
    }
    let spans = spans(&source, &entries, frames.len())?;
    let contacts = contacts(&source, &entries, frames.len(), character, world)?;
    let (is_clip, in_equilibrium) = (entries.clip, entries.equilibrium);
    Ok(Motion { character: name, frames, mode_spans: spans, contacts, is_clip, in_equilibrium })
}

fn spans(source: &Source, entries: &MotionFile, frames: usize) -> Result<Vec<ModeSpan>, FileError> {
    const HELP: &str = "spans must cover all frames; each begins with the last frame of the previous one";
    let about = |part: Option<&&RawValue>, message: String| {
        // A missing list is reported at the end of the file.
        let end = source.text.trim_end().len();
        let place = part.map_or(end..end, |part| source.range_of(part.get()));
        Err(source.error(place, message).with_help(HELP))
    };
    if frames == 0 {
        return about(None, "the motion has no frames".to_owned());
    }
    let mut spans: Vec<ModeSpan> = Vec::with_capacity(entries.spans.len());
    for (index, part) in entries.spans.iter().enumerate() {
        let SpanEntry { first, last, mode } = parse_raw(source, part)?;
        let next = spans.last().map_or(0, |span| span.last_frame);
        if first != next {
            return about(Some(part), format!("span {index} begins with frame {first}, expected frame {next}"));
        }
        if last < first || last >= frames {
            let message = format!("span {index} ends with frame {last}, but the motion has {frames} frames");
            return about(Some(part), message);
        }
        reject_control_characters(source, source.range_of(part.get()), &mode)?;
        spans.push(ModeSpan { first_frame: first, last_frame: last, mode });
    }
    match spans.last() {
        None => about(None, "the motion has no spans".to_owned()),
        Some(span) if span.last_frame + 1 < frames => {
            let message =
                format!("the spans end with frame {}, but the motion ends with frame {}", span.last_frame, frames - 1);
            about(entries.spans.last(), message)
        }
        Some(_) => Ok(spans),
    }
}

/// Returns the contacts, sorted by first frame, then by effector.
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
    let holds: BTreeMap<&str, HoldId> =
        world.holds.iter_enumerated().map(|(index, hold)| (hold.name.as_str(), index)).collect();
    let mut contacts = Vec::with_capacity(entries.contacts.len());
    for (index, part) in entries.contacts.iter().enumerate() {
        let entry: ContactEntry = parse_raw(source, part)?;
        let contact = contact(&entry, frames, character, world, &holds).map_err(|(problem, help)| {
            source.error(source.range_of(part.get()), format!("contact {index}: {problem}")).with_help(help)
        })?;
        contacts.push(contact);
    }
    contacts.sort_by_key(|span: &ContactSpan| (span.first_frame, span.contact.effector));
    Ok(contacts)
}

fn contact(
    entry: &ContactEntry,
    frames: usize,
    character: &Character,
    world: &World,
    holds: &BTreeMap<&str, HoldId>,
) -> Result<ContactSpan, MessageAndHelp> {
    let ContactEntry { first, last, .. } = *entry;
    let Some(effector) = character.find_effector(&entry.effector) else {
        let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
        let message = format!("there is no effector `{}`", abbreviate(&entry.effector));
        return Err((message, suggest(&entry.effector, &known)));
    };
    let Some(&hold) = holds.get(entry.hold.as_str()) else {
        // The first thousand suffice: names of one obstacle's holds differ only by a number.
        let known: Vec<&String> = world.holds.iter().take(1000).map(|hold| &hold.name).collect();
        let help = match nearest_word(&entry.hold, &known) {
            Some(word) => format!("did you mean `{word}`? If the scene has changed, plan again"),
            None => "use the scene that the motion was planned for; if it has changed, plan again".to_owned(),
        };
        return Err((format!("the scene has no hold `{}`", abbreviate(&entry.hold)), help));
    };
    if last < first || last >= frames {
        let message = format!("it lasts from frame {first} to frame {last}, but the motion has {frames} frames");
        return Err((message, "count frames from 0, with `last` at or after `first`".to_owned()));
    }
    let normal = vec3(entry.normal);
    if (normal.length() - 1.0).abs() > 1e-3 {
        let message = format!("the normal has length {:.3}", normal.length());
        return Err((message, "scale the normal to length 1".to_owned()));
    }
    let contact = Contact { effector, hold, point: vec3(entry.point), normal };
    Ok(ContactSpan { first_frame: first, last_frame: last, contact })
}

/// A message and its help.
type MessageAndHelp = (String, String);

fn frame(entry: &FrameEntry, character: &Character) -> Result<Frame, MessageAndHelp> {
    let (angles, hinges) = (entry.angles.len(), character.hinges.len());
    if angles != hinges {
        let help = "list one angle for each of `hinges`";
        return Err((format!("{angles} angles for {hinges} hinges"), help.to_owned()));
    }
    let Numbers([x, y, z, w]) = entry.rotation;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if (length - 1.0).abs() > 1e-3 {
        let message = format!("the rotation is a quaternion of length {length:.3}");
        return Err((message, "normalize it: the squares of x, y, z and w must add up to 1".to_owned()));
    }
    let root = Pose::from_parts(Vec3::from_array(entry.position.0), Rotation::from_xyzw(x, y, z, w));
    let angles = entry.angles.iter().map(|angle| angle.radians()).collect();
    Ok(Frame { time: entry.time.0, configuration: Configuration { root, angles } })
}
