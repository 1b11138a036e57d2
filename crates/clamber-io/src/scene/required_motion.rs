//! Passages: given pieces that the motion must contain, as one posture, several postures or a motion file.

use clamber_model::character::RootJoint;
use clamber_model::motion::{ContactSpan, FLYING_MODE, Frame, ModeSpan, TURNING_MODE};
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Configuration, Motion};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::posture::{PostureEntry, posture};
use super::referenced_file::read_referenced;
use super::resolve_contacts::SceneContext;
use crate::common_field_types::Number;
use crate::error::FileError;
use crate::motion::parse_motion_in;
use crate::read_from_disk::ReadFile;
use crate::suggest_name::{abbreviate, find_named, reject_duplicate_name};

/// Frame rate between postures.
const FRAMES_PER_SECOND: f32 = 30.0;

/// Limits on the frames and postures of all passages: a small file can ask for many.
const MAX_FRAMES: usize = 20_000;
const MAX_POSTURES: usize = 1000;

/// A given piece that the motion must contain: exactly one of `motion` and `postures`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a passage")]
#[schemars(extend("oneOf" = [{ "required": ["motion"] }, { "required": ["postures"] }]))]
pub(super) struct PassageEntry {
    /// Name for reports, unique among the passages.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The path of a motion file of the same character, relative to this file.
    #[schemars(with = "Option<String>")]
    motion: Option<Spanned<String>>,
    /// One posture is a milestone; several are interpolated.
    #[schemars(with = "Option<Vec<PostureEntry>>", extend("minItems" = 1, "maxItems" = MAX_POSTURES))]
    postures: Option<Spanned<Vec<PostureEntry>>>,
    /// The mode between the postures. Default: the mode of the postures.
    #[schemars(with = "Option<String>")]
    mode: Option<Spanned<String>>,
    /// Duration from the first posture to the last, in seconds. Default: one second per step.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    seconds: Option<Spanned<Number>>,
}

impl PassageEntry {
    /// Whether it is a motion file, which has its own coordinates.
    pub(super) fn is_from_file(&self) -> bool {
        self.motion.is_some()
    }

    pub(super) fn postures(&self) -> impl Iterator<Item = &PostureEntry> {
        self.postures.iter().flat_map(|postures| postures.get_ref())
    }

    pub(super) fn postures_mut(&mut self) -> impl Iterator<Item = &mut PostureEntry> {
        self.postures.iter_mut().flat_map(|postures| postures.get_mut())
    }
}

/// Returns the passages of a scene.
pub(super) fn passages(
    context: &SceneContext,
    entries: &[PassageEntry],
    read: &ReadFile,
) -> Result<Vec<Passage>, FileError> {
    let postures: usize =
        entries.iter().filter_map(|entry| entry.postures.as_ref()).map(|list| list.get_ref().len()).sum();
    if let (Some(first), true) = (entries.first(), postures > MAX_POSTURES) {
        let message = format!("the passages have {postures} postures; at most {MAX_POSTURES} are allowed");
        return Err(context.source.error(first.name.span(), message).with_help("put long passages into motion files"));
    }
    let mut passages: Vec<Passage> = Vec::new();
    let mut frames = 0;
    for entry in entries {
        reject_duplicate_name(context.source, &entry.name, passages.iter().map(|passage| &passage.name))?;
        let motion = match (&entry.motion, &entry.postures) {
            (Some(file), None) => from_file(context, entry, file, read)?,
            (None, Some(postures)) => from_postures(context, entry, postures, MAX_FRAMES - frames)?,
            _ => {
                let name = abbreviate(entry.name.get_ref());
                let message = format!("passage `{name}` needs exactly one of `motion` and `postures`");
                return Err(context.source.error(entry.name.span(), message).with_help("keep one of the two keys"));
            }
        };
        frames += motion.frames.len();
        if frames > MAX_FRAMES {
            return Err(too_long(context, entry));
        }
        passages.push(Passage { name: entry.name.get_ref().clone(), motion });
    }
    Ok(passages)
}

fn too_long(context: &SceneContext, entry: &PassageEntry) -> FileError {
    let message = format!("with this passage the scene has more than {MAX_FRAMES} passage frames");
    context.source.error(entry.name.span(), message).with_help("shorten the passages")
}

fn from_file(
    context: &SceneContext,
    entry: &PassageEntry,
    file: &Spanned<String>,
    read: &ReadFile,
) -> Result<Motion, FileError> {
    let SceneContext { source, character, world, modes, .. } = context;
    let mode = entry.mode.as_ref().map(|mode| ("mode", mode.span()));
    if let Some((key, place)) = mode.or(entry.seconds.as_ref().map(|seconds| ("seconds", seconds.span()))) {
        let message = format!("`{key}` applies to `postures`; a motion file has its own");
        return Err(source.error(place, message).with_help("remove it"));
    }
    let bytes = read_referenced(source, file, read)?;
    let motion = parse_motion_in(&source.beside(file.get_ref()), &bytes, character, world)?;
    let is_known = |span: &&ModeSpan| {
        [FLYING_MODE, TURNING_MODE].contains(&span.mode.as_str())
            || modes.is_some_and(|table| table.find_mode(&span.mode).is_some())
    };
    if let Some(span) = motion.mode_spans.iter().find(|span| !is_known(span)) {
        let message = format!("the motion uses the mode `{}`, which is not in the mode table", abbreviate(&span.mode));
        return Err(source.error(file.span(), message).with_help("add the mode to the table; it may have no contacts"));
    }
    Ok(motion)
}

fn from_postures(
    context: &SceneContext,
    entry: &PassageEntry,
    postures: &Spanned<Vec<PostureEntry>>,
    max_frames: usize,
) -> Result<Motion, FileError> {
    let name = abbreviate(entry.name.get_ref());
    // There may be a thousand, and to find one posture takes a while.
    if let Some(at) = postures.get_ref().iter().find_map(PostureEntry::at) {
        let message = "only the start and the goal can be places to stand at";
        return Err(context.source.error(at.span(), message).with_help("give `position` and `contacts`"));
    }
    let read = |(index, entry)| posture(context, entry, &format!("posture {} of passage `{name}`", index + 1));
    let list: Vec<Posture> = postures.get_ref().iter().enumerate().map(read).collect::<Result<_, FileError>>()?;
    let Some((first, others)) = list.split_first() else {
        let message = format!("passage `{name}` has no postures");
        return Err(context
            .source
            .error(postures.span(), message)
            .with_help("list one posture for a milestone or several for a sequence"));
    };
    if others.is_empty() {
        let mode = entry.mode.as_ref().map(|mode| ("mode", mode.span()));
        if let Some((key, place)) = mode.or(entry.seconds.as_ref().map(|seconds| ("seconds", seconds.span()))) {
            let message = format!("`{key}` applies between postures, but there is only one");
            let help = "remove it; a posture can have its own `mode`";
            return Err(context.source.error(place, message).with_help(help));
        }
    }
    let mode = mode_between(context, entry, &list, postures)?;
    let StepTiming { frames: per_step, seconds } = step_timing(context, entry, others.len())?;
    let count = 1 + others.len() * per_step;
    if count > max_frames {
        return Err(too_long(context, entry));
    }
    let mut frames = vec![Frame { time: 0.0, configuration: first.configuration.clone() }];
    for (step, ends) in list.windows(2).enumerate() {
        for index in 1..=per_step {
            let share = index as f32 / per_step as f32;
            let time = (step as f32 + share) * seconds;
            // Keep the given postures exactly; interpolation would round them.
            let configuration = match index == per_step {
                true => ends[1].configuration.clone(),
                false => between(&ends[0].configuration, &ends[1].configuration, share),
            };
            frames.push(Frame { time, configuration });
        }
    }
    // The contacts of the first and last posture connect the passage to the rest of the motion. Contacts in between
    // only help to place the body.
    let ends = [(0, list.first()), (count - 1, list.last())];
    let contacts = ends[..list.len().min(2)].iter().flat_map(|&(frame, posture)| {
        posture.into_iter().flat_map(|posture| &posture.stance).map(move |contact| ContactSpan {
            first_frame: frame,
            last_frame: frame,
            contact: *contact,
        })
    });
    let contacts = contacts.collect();
    let spans = vec![ModeSpan { first_frame: 0, last_frame: count - 1, mode }];
    Ok(Motion {
        character: context.character.name.clone(),
        frames,
        mode_spans: spans,
        contacts,
        is_clip: false,
        in_equilibrium: false,
    })
}

fn between(from: &Configuration, to: &Configuration, share: f32) -> Configuration {
    let mut configuration = from.clone();
    configuration.interpolate(from, to, share);
    configuration
}

/// Frames and duration from one posture to the next.
struct StepTiming {
    frames: usize,
    seconds: f32,
}

fn step_timing(context: &SceneContext, entry: &PassageEntry, steps: usize) -> Result<StepTiming, FileError> {
    let seconds = match &entry.seconds {
        None => 1.0,
        Some(given) if given.get_ref().0 > 0.0 => given.get_ref().0 / steps.max(1) as f32,
        Some(given) => {
            return Err(context
                .source
                .error(given.span(), "`seconds` must be greater than 0")
                .with_help("write a positive number"));
        }
    };
    Ok(StepTiming { frames: ((seconds * FRAMES_PER_SECOND).round() as usize).max(1), seconds })
}

/// Returns the mode between the postures, or the mode of the only posture.
fn mode_between(
    context: &SceneContext,
    entry: &PassageEntry,
    list: &[Posture],
    postures: &Spanned<Vec<PostureEntry>>,
) -> Result<String, FileError> {
    let SceneContext { source, modes, .. } = context;
    let mode = match &entry.mode {
        Some(given) => {
            let known: Vec<&str> = modes.iter().flat_map(|table| &table.modes).map(|mode| mode.name.as_str()).collect();
            let known = [known.as_slice(), &[FLYING_MODE, TURNING_MODE]].concat();
            known[find_named::<usize, _>(source, "mode", given, &known)?]
        }
        None => match list.iter().find(|posture| posture.mode_name != list[0].mode_name) {
            None => list[0].mode_name.as_str(),
            Some(other) => {
                let (one, other) = (abbreviate(&list[0].mode_name), abbreviate(&other.mode_name));
                let message = format!("the postures have different modes, `{one}` and `{other}`");
                let help = "set the passage's `mode`";
                return Err(source.error(postures.span(), message).with_help(help));
            }
        },
    };
    // That is a half turn through the third dimension.
    let turns = |ends: &[Posture]| faces_right(&ends[0].configuration) != faces_right(&ends[1].configuration);
    if context.character.root_joint == RootJoint::Planar && mode != TURNING_MODE && list.windows(2).any(turns) {
        let message =
            "the postures face different directions, but a planar character turns around only in mode `turning`";
        let help = "make the turn a separate passage with `mode = \"turning\"`, or use one facing direction";
        return Err(source.error(postures.span(), message).with_help(help));
    }
    Ok(mode.to_owned())
}

/// Whether a planar character faces +x: its rotation then has only a z component.
fn faces_right(configuration: &Configuration) -> bool {
    let [_, _, z, w] = configuration.root.rotation.to_array();
    z * z + w * w > 0.5
}
