//! Ready-made pieces that the motion must contain: a milestone, a few postures, or a motion from a file.

use clamber_model::character::Root;
use clamber_model::motion::{ContactSpan, FLYING, Frame, Span, TURNING};
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Configuration, Motion};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::contact::Surroundings;
use super::posture::{PostureEntry, posture};
use super::read_named;
use crate::error::FileError;
use crate::fields::Number;
use crate::mesh::ReadFile;
use crate::motion::motion_in;
use crate::parse::{brief, find_named, refuse_repeated};

/// Frames between postures are this many a second.
const FRAMES_PER_SECOND: f32 = 30.0;

/// Scenes whose passages have more frames or postures than this are refused: a small file can ask for many.
const MOST_FRAMES: usize = 20_000;
const MOST_POSTURES: usize = 1000;

/// A piece that the motion must contain: exactly one of `motion` and `postures`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a passage")]
#[schemars(extend("oneOf" = [{ "required": ["motion"] }, { "required": ["postures"] }]))]
pub(super) struct PassageEntry {
    /// As reports name it; unique among the passages.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// A motion file of the same character, as seen from this file.
    #[schemars(with = "Option<String>")]
    motion: Option<Spanned<String>>,
    /// One posture is a milestone; between several, the configuration changes evenly.
    #[schemars(with = "Option<Vec<PostureEntry>>", extend("minItems" = 1, "maxItems" = MOST_POSTURES))]
    postures: Option<Spanned<Vec<PostureEntry>>>,
    /// The way of moving between the postures; when not given, that of the postures.
    #[schemars(with = "Option<String>")]
    mode: Option<Spanned<String>>,
    /// How long the way from the first posture to the last takes; a second from one to the next when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    seconds: Option<Spanned<Number>>,
}

/// The passages of a scene.
pub(super) fn passages(
    around: &Surroundings,
    entries: &[PassageEntry],
    read: &ReadFile,
) -> Result<Vec<Passage>, FileError> {
    let postures: usize =
        entries.iter().filter_map(|entry| entry.postures.as_ref()).map(|list| list.get_ref().len()).sum();
    if let (Some(first), true) = (entries.first(), postures > MOST_POSTURES) {
        let message = format!("the passages have {postures} postures, and {MOST_POSTURES} is the most");
        return Err(around.source.error(first.name.span(), message).with_help("keep what is so long in motion files"));
    }
    let mut passages: Vec<Passage> = Vec::new();
    let mut frames = 0;
    for entry in entries {
        refuse_repeated(around.source, &entry.name, passages.iter().map(|passage| &passage.name))?;
        let motion = match (&entry.motion, &entry.postures) {
            (Some(file), None) => from_file(around, entry, file, read)?,
            (None, Some(postures)) => from_postures(around, entry, postures, MOST_FRAMES - frames)?,
            _ => {
                let name = brief(entry.name.get_ref());
                let message = format!("passage `{name}` needs exactly one of `motion` and `postures`");
                return Err(around.source.error(entry.name.span(), message));
            }
        };
        frames += motion.frames.len();
        if frames > MOST_FRAMES {
            return Err(too_long(around, entry));
        }
        passages.push(Passage { name: entry.name.get_ref().clone(), motion });
    }
    Ok(passages)
}

fn too_long(around: &Surroundings, entry: &PassageEntry) -> FileError {
    let message = format!("up to here the passages have more than {MOST_FRAMES} frames");
    around.source.error(entry.name.span(), message).with_help("make them shorter")
}

fn from_file(
    around: &Surroundings,
    entry: &PassageEntry,
    file: &Spanned<String>,
    read: &ReadFile,
) -> Result<Motion, FileError> {
    let Surroundings { source, character, world, modes, .. } = around;
    let mode = entry.mode.as_ref().map(|mode| ("mode", mode.span()));
    if let Some((key, place)) = mode.or(entry.seconds.as_ref().map(|seconds| ("seconds", seconds.span()))) {
        let message = format!("`{key}` belongs to `postures`; a motion file has its own");
        return Err(source.error(place, message).with_help("leave it out"));
    }
    let bytes = read_named(source, file, read)?;
    let motion = motion_in(&source.beside(file.get_ref()), &bytes, character, world)?;
    let is_known = |span: &&Span| {
        [FLYING, TURNING].contains(&span.mode.as_str()) || modes.is_some_and(|table| table.mode(&span.mode).is_some())
    };
    if let Some(span) = motion.spans.iter().find(|span| !is_known(span)) {
        let message = format!("the motion has the mode `{}`, which the mode table does not have", brief(&span.mode));
        return Err(source
            .error(file.span(), message)
            .with_help("add the mode to the table; it may be without contacts"));
    }
    Ok(motion)
}

fn from_postures(
    around: &Surroundings,
    entry: &PassageEntry,
    postures: &Spanned<Vec<PostureEntry>>,
    most_frames: usize,
) -> Result<Motion, FileError> {
    let name = brief(entry.name.get_ref());
    let read = |(index, entry)| posture(around, entry, &format!("posture {} of passage `{name}`", index + 1));
    let list: Vec<Posture> = postures.get_ref().iter().enumerate().map(read).collect::<Result<_, FileError>>()?;
    let Some((first, others)) = list.split_first() else {
        let message = format!("passage `{name}` has no postures");
        return Err(around.source.error(postures.span(), message).with_help("one is a milestone, several a sequence"));
    };
    if others.is_empty() {
        let mode = entry.mode.as_ref().map(|mode| ("mode", mode.span()));
        if let Some((key, place)) = mode.or(entry.seconds.as_ref().map(|seconds| ("seconds", seconds.span()))) {
            let message = format!("`{key}` is about the way between postures, and there is only one");
            let help = "leave it out; a posture may have a `mode` of its own";
            return Err(around.source.error(place, message).with_help(help));
        }
    }
    let mode = mode_between(around, entry, &list, postures)?;
    let Pace { frames: per_step, seconds } = pace(around, entry, others.len())?;
    let count = 1 + others.len() * per_step;
    if count > most_frames {
        return Err(too_long(around, entry));
    }
    let mut frames = vec![Frame { time: 0.0, configuration: first.configuration.clone() }];
    for (step, ends) in list.windows(2).enumerate() {
        for index in 1..=per_step {
            let share = index as f32 / per_step as f32;
            let time = (step as f32 + share) * seconds;
            // The postures themselves come out as they went in, not as interpolation rounds them.
            let configuration = match index == per_step {
                true => ends[1].configuration.clone(),
                false => between(&ends[0].configuration, &ends[1].configuration, share),
            };
            frames.push(Frame { time, configuration });
        }
    }
    // What the first and the last posture hold on to joins the sequence to what is before and after. Between them, contacts
    // only help to place the body.
    let ends = [(0, list.first()), (count - 1, list.last())];
    let contacts = ends[..list.len().min(2)].iter().flat_map(|&(frame, posture)| {
        posture.into_iter().flat_map(|posture| &posture.stance).map(move |contact| ContactSpan {
            first: frame,
            last: frame,
            contact: *contact,
        })
    });
    let contacts = contacts.collect();
    let spans = vec![Span { first: 0, last: count - 1, mode }];
    Ok(Motion { character: around.character.name.clone(), frames, spans, contacts })
}

fn between(from: &Configuration, to: &Configuration, share: f32) -> Configuration {
    let mut configuration = from.clone();
    configuration.interpolate(from, to, share);
    configuration
}

/// The way from one posture to the next.
struct Pace {
    frames: usize,
    seconds: f32,
}

fn pace(around: &Surroundings, entry: &PassageEntry, steps: usize) -> Result<Pace, FileError> {
    let seconds = match &entry.seconds {
        None => 1.0,
        Some(given) if given.get_ref().0 > 0.0 => given.get_ref().0 / steps.max(1) as f32,
        Some(given) => return Err(around.source.error(given.span(), "a passage takes more than 0 seconds")),
    };
    Ok(Pace { frames: ((seconds * FRAMES_PER_SECOND).round() as usize).max(1), seconds })
}

/// The mode of the frames between the postures, or of the only posture.
fn mode_between(
    around: &Surroundings,
    entry: &PassageEntry,
    list: &[Posture],
    postures: &Spanned<Vec<PostureEntry>>,
) -> Result<String, FileError> {
    let Surroundings { source, modes, .. } = around;
    let mode = match &entry.mode {
        Some(given) => {
            let known: Vec<&str> = modes.iter().flat_map(|table| &table.modes).map(|mode| mode.name.as_str()).collect();
            let known = [known.as_slice(), &[FLYING, TURNING]].concat();
            known[find_named(source, "mode", given, &known)?]
        }
        None => match list.iter().find(|posture| posture.mode != list[0].mode) {
            None => list[0].mode.as_str(),
            Some(other) => {
                let (one, other) = (brief(&list[0].mode), brief(&other.mode));
                let message = format!("the postures are of different modes, `{one}` and `{other}`");
                let help = "say with the passage's `mode` how the character moves from one to the next";
                return Err(source.error(postures.span(), message).with_help(help));
            }
        },
    };
    // That is half a turn, which leads through the third dimension.
    let turns = |ends: &[Posture]| looks_right(&ends[0].configuration) != looks_right(&ends[1].configuration);
    if around.character.root == Root::Planar && mode != TURNING && list.windows(2).any(turns) {
        let message =
            "the postures look different ways, and a planar character turns around only in the mode `turning`";
        let help = "make the turn a passage of its own with `mode = \"turning\"`, or let the postures look one way";
        return Err(source.error(postures.span(), message).with_help(help));
    }
    Ok(mode.to_owned())
}

/// Whether a planar character looks along +x: its rotation is about z then, and has no other part.
fn looks_right(configuration: &Configuration) -> bool {
    let [_, _, z, w] = configuration.root.rotation.to_array();
    z * z + w * w > 0.5
}
