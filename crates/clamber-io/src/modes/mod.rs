//! Mode tables: TOML with modes (which effectors bear weight on which holds) and the edges between them.

mod body_names;
mod version_1;
mod keyword_or_table;
mod heuristic;
mod edge_condition;
mod edge_effect;
mod edge;

use std::collections::BTreeMap;
use std::path::Path;

use clamber_model::character::Character;
use clamber_model::id::{EdgeId, EffectorId, GroupId, HingeId, ModeId, TiSlice, TiVec};
use clamber_model::mode_table::{
    Balance, Edge, EffectorGroup, Mode, ModeTable, PostureHeuristic, ReferencePosture, SupportingGroup, WalkingGait,
};
use clamber_model::motion::{FLYING_MODE, TURNING_MODE};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use self::body_names::BodyNames;
use self::edge::EdgeEntry;
use self::heuristic::{AnyHeuristic, heuristic};
use self::keyword_or_table::KnownNames;
use self::version_1::{BodyEntry, Version1};
use crate::common_field_types::{HoldTypeEntry, Number, non_negative, nonempty_hold_types, positive};
use crate::error::{FileError, Source};
use crate::parse::{in_order, parse_toml};
use crate::suggest_name::{abbreviate, find_named, reject_duplicate_name, suggest};

const VERSION: u32 = 2;

/// Most groups, and most modes.
const MAX_MODES: usize = 100;

/// Most edges.
const MAX_EDGES: usize = 1000;

/// Comfort threshold of modes without `comfort`.
const DEFAULT_COMFORT: f32 = 1.25;

/// How a character may move: modes, and the edges between them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber mode table")]
pub(crate) struct ModesFile {
    /// The version of this format: 1 or 2.
    #[schemars(with = "u32", extend("minimum" = 1, "maximum" = VERSION))]
    version: Spanned<u32>,
    /// The character's name, or the name of its file.
    #[schemars(with = "String")]
    character: Spanned<String>,
    /// Version 1 only.
    #[schemars(with = "Option<BodyEntry>")]
    body: Option<Spanned<BodyEntry>>,
    /// The heuristics that modes give weights to, by name. Version 1 predefines its own.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, AnyHeuristic>", extend("maxProperties" = MAX_MODES))]
    heuristics: BTreeMap<Spanned<String>, Spanned<AnyHeuristic>>,
    /// Named groups of interchangeable effectors, such as the two feet.
    #[schemars(with = "BTreeMap<String, Vec<String>>", extend("maxProperties" = MAX_MODES))]
    groups: BTreeMap<Spanned<String>, Spanned<Vec<Spanned<String>>>>,
    /// The modes.
    #[schemars(extend("maxItems" = MAX_MODES))]
    mode: Vec<ModeEntry>,
    /// Steps and transitions, in order of preference.
    #[serde(default)]
    #[schemars(extend("maxItems" = MAX_EDGES))]
    edge: Vec<EdgeEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a mode")]
struct ModeEntry {
    /// Unique among the modes.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The groups that bear weight, each with the hold types it can use. Empty for a mode without contacts.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Vec<HoldTypeEntry>>")]
    carry: BTreeMap<Spanned<String>, Spanned<Vec<HoldTypeEntry>>>,
    /// Fewest contacts at any time. Default 1, or 0 without `carry`.
    #[schemars(with = "Option<usize>")]
    least_contacts: Option<Spanned<usize>>,
    /// Names of heuristics and their weights.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    heuristics: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// Discomfort below which posture correction stops; 1 is the minimum. Default 1.25.
    #[schemars(with = "Option<Number>", extend("minimum" = 1))]
    comfort: Option<Spanned<Number>>,
    /// Where the center of mass must be whenever one contact replaces another.
    balance: Option<BalanceEntry>,
    /// How far the center of mass may be outside of static equilibrium during a step, in body sizes. Default 0.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    center_offset: Option<Spanned<Number>>,
    /// How much effort counts: the torques that hinges need in equilibrium relative to their strength. Default 0.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    effort: Option<Spanned<Number>>,
    /// The natural speed of the body, in meters per second. Default: slow.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    speed: Option<Spanned<Number>>,
    /// Version 1: whether clips of this mode get a walking gait on the limbs that `balance` names. Default false.
    #[schemars(with = "Option<bool>")]
    gait: Option<Spanned<bool>>,
    /// The walking gait that clips of this mode get on the limbs that `balance` names. Default: none.
    #[schemars(with = "Option<WalkingGaitEntry>")]
    walking_gait: Option<Spanned<WalkingGaitEntry>>,
    /// The posture on level ground that the body resembles in this mode. Default: the rest posture.
    posture: Option<ReferencePostureEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { pitch = 80, angles = { left_knee = -90 } }")]
struct ReferencePostureEntry {
    /// How far the root is turned forward, in degrees. Default 0.
    #[schemars(with = "Option<Number>")]
    pitch: Option<Spanned<Number>>,
    /// Angles of hinges, in degrees; the others are at rest.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    angles: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// Whether the posture turns with the surface that carries the body, as on walls, ceilings and edges. Default false.
    #[serde(default)]
    turns_with_surface: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { swing = \"arms\", level = [\"head\"] }")]
struct WalkingGaitEntry {
    /// The role of the limbs that swing against the walking ones.
    #[schemars(with = "Option<String>")]
    swing: Option<Spanned<String>>,
    /// Links that face ahead while the trunk leans.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    level: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { between = \"feet\", within = 0.02 }")]
struct BalanceEntry {
    /// The group whose contacts span the support.
    #[schemars(with = "String")]
    between: Spanned<String>,
    /// Largest distance outside the support, in meters.
    #[schemars(with = "Number", extend("minimum" = 0))]
    within: Spanned<Number>,
}

/// Parses the mode table of a character. Errors name `file`; the key `character` must match the character's name or
/// `character_file`.
pub fn parse_modes(
    file: &Path,
    bytes: &[u8],
    character: &Character,
    character_file: &Path,
) -> Result<ModeTable, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: ModesFile = parse_toml(&source, 1..=VERSION)?;
    reject_other_character(&source, &entries.character, character, character_file)?;
    reject_oversized(&source, &entries)?;
    let version_1 = version_1(&source, &entries, character)?;
    let stated = BodyNames::of(character);
    let body = version_1.as_ref().map_or(&stated, |version_1| &version_1.names);
    let mut heuristics = version_1.as_ref().map_or(Vec::new(), Version1::heuristics);
    for (name, entry) in in_order(&entries.heuristics) {
        heuristics.push((name.get_ref().clone(), heuristic(&source, entry, body)?));
    }
    let groups = in_order(&entries.groups)
        .into_iter()
        .map(|(name, effectors)| group(&source, name, effectors, character))
        .collect::<Result<TiVec<GroupId, EffectorGroup>, FileError>>()?;
    let mut modes: TiVec<ModeId, Mode> = TiVec::new();
    for entry in &entries.mode {
        reject_duplicate_name(&source, &entry.name, modes.iter().map(|mode| &mode.name))?;
        let walking_gait = walking_gait(&source, entry, body, version_1.as_ref())?;
        let reference_posture = reference_posture(&source, entry, character)?;
        let mode = Mode { walking_gait, reference_posture, ..mode(&source, entry, &groups, &heuristics)? };
        let max_center_offset = match (&version_1, &entry.center_offset) {
            (Some(_), None) => version_1::center_offset(character, &mode),
            _ => mode.max_center_offset,
        };
        modes.push(Mode { max_center_offset, ..mode });
    }
    let names = KnownNames {
        body,
        version_1: version_1.as_ref(),
        groups: groups.iter().map(|group| group.name.as_str()).collect(),
        group_sizes: groups.iter().map(|group| group.effectors.len()).collect(),
        modes: modes.iter().map(|mode| mode.name.as_str()).collect(),
        edges: entries.edge.iter().map(|edge| edge.name.get_ref().as_str()).collect(),
    };
    let mut edges: TiVec<EdgeId, Edge> = TiVec::new();
    for entry in &entries.edge {
        reject_duplicate_name(&source, &entry.name, edges.iter().map(|edge| &edge.name))?;
        edges.push(entry.edge(&source, &names)?);
    }
    let span_limbs = body.span_limbs.clone();
    Ok(ModeTable { trunk_link: body.trunk_link, span_limbs, effector_groups: groups, modes, edges })
}

/// The vocabulary of version 1; `None` for a later version. Rejects keys of the other version.
fn version_1(source: &Source, entries: &ModesFile, character: &Character) -> Result<Option<Version1>, FileError> {
    let is_version_1 = *entries.version.get_ref() == 1;
    match (&entries.body, entries.heuristics.keys().next()) {
        (Some(body), _) if !is_version_1 => {
            let help = "move it to [body], [roles] and [landmarks] of the character's file";
            Err(source.error(body.span(), "`body` is a key of version 1").with_help(help))
        }
        (None, _) if is_version_1 => {
            let help = "add [body], or set `version` to 2 and state the body in the character's file";
            Err(source.error(entries.version.span(), "the key `body` is missing").with_help(help))
        }
        (_, Some(name)) if is_version_1 => {
            Err(source.error(name.span(), "`heuristics` is a key of version 2").with_help("set `version` to 2"))
        }
        (Some(body), _) => Version1::new(source, body.get_ref(), character).map(Some),
        (None, _) => Ok(None),
    }
}

/// Rejects the table of another character.
fn reject_other_character(
    source: &Source,
    given: &Spanned<String>,
    character: &Character,
    character_file: &Path,
) -> Result<(), FileError> {
    let given_name = given.get_ref().as_str();
    let file_name = character_file.file_name().and_then(|name| name.to_str());
    let is_file = Path::new(given_name).file_name().and_then(|name| name.to_str()) == file_name;
    if is_file || given_name.strip_suffix(".toml").unwrap_or(given_name) == character.name {
        return Ok(());
    }
    let message =
        format!("the table is for character `{}`, not `{}`", abbreviate(given_name), abbreviate(&character.name));
    Err(source.error(given.span(), message).with_help("set `character` to the name of the character or of its file"))
}

fn reject_oversized(source: &Source, entries: &ModesFile) -> Result<(), FileError> {
    let counts = [
        ("groups", entries.groups.len(), MAX_MODES),
        ("heuristics", entries.heuristics.len(), MAX_MODES),
        ("modes", entries.mode.len(), MAX_MODES),
        ("edges", entries.edge.len(), MAX_EDGES),
    ];
    match counts.into_iter().find(|(_, count, most)| count > most) {
        None => Ok(()),
        Some((what, count, most)) => {
            let message = format!("the table has {count} {what}; at most {most} are allowed");
            Err(source.error(entries.character.span(), message))
        }
    }
}

fn group(
    source: &Source,
    name: &Spanned<String>,
    members: &Spanned<Vec<Spanned<String>>>,
    character: &Character,
) -> Result<EffectorGroup, FileError> {
    reject_duplicate_name(source, name, std::iter::empty())?;
    let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let mut effectors: Vec<EffectorId> = Vec::new();
    for member in members.get_ref() {
        let effector: EffectorId = find_named(source, "effector", member, &known)?;
        let Some(limb) = character.effectors[effector].limb else {
            let message = format!("the effector `{}` belongs to no limb", abbreviate(member.get_ref()));
            let help = "use effectors on limbs: only limbs reach for holds";
            return Err(source.error(member.span(), message).with_help(help));
        };
        let same_limb = |&&other: &&EffectorId| character.effectors[other].limb == Some(limb);
        if let Some(&other) = effectors.iter().find(same_limb) {
            let (one, two) = (abbreviate(&character.effectors[other].name), abbreviate(member.get_ref()));
            let message = match other == effector {
                true => format!("the effector `{one}` appears twice"),
                false => format!("the effectors `{one}` and `{two}` are on the same limb"),
            };
            let help = "effectors of a group are interchangeable and on different limbs; use separate groups";
            return Err(source.error(member.span(), message).with_help(help));
        }
        effectors.push(effector);
    }
    if effectors.is_empty() {
        let message = format!("the group `{}` is empty", abbreviate(name.get_ref()));
        return Err(source.error(members.span(), message).with_help("list its effectors, or remove the group"));
    }
    Ok(EffectorGroup { name: name.get_ref().clone(), effectors })
}

/// The gait of a mode, in the words of either version.
fn walking_gait(
    source: &Source,
    entry: &ModeEntry,
    body: &BodyNames,
    version_1: Option<&Version1>,
) -> Result<Option<WalkingGait>, FileError> {
    match (&entry.gait, &entry.walking_gait, version_1) {
        (Some(gait), _, None) => {
            let help =
                "write walking_gait = { swing = \"arms\", level = [\"head\"] }, with a role and links of the character";
            Err(source.error(gait.span(), "`gait` is a key of version 1").with_help(help))
        }
        (_, Some(gait), Some(_)) => {
            Err(source.error(gait.span(), "`walking_gait` is a key of version 2").with_help("write gait = true"))
        }
        (Some(gait), None, Some(version_1)) => Ok(gait.get_ref().then(|| version_1.walking_gait())),
        (None, Some(gait), None) => {
            let WalkingGaitEntry { swing, level } = gait.get_ref();
            let swinging_limbs = swing.as_ref().map_or(Ok(Vec::new()), |role| body.limbs(source, role))?;
            let level_links = level.iter().map(|name| body.link(source, name)).collect::<Result<_, _>>()?;
            Ok(Some(WalkingGait { swinging_limbs, level_links }))
        }
        (None, None, _) => Ok(None),
    }
}

/// A mode without its gait and its reference posture.
fn mode(
    source: &Source,
    entry: &ModeEntry,
    groups: &TiSlice<GroupId, EffectorGroup>,
    known_heuristics: &[(String, PostureHeuristic)],
) -> Result<Mode, FileError> {
    let name = entry.name.get_ref();
    if [FLYING_MODE, TURNING_MODE].contains(&name.as_str()) {
        let message = format!("`{name}` is a predefined mode");
        return Err(source.error(entry.name.span(), message).with_help("choose another name"));
    }
    let known: Vec<&String> = groups.iter().map(|group| &group.name).collect();
    let mut supporting_groups = Vec::new();
    for (group, types) in in_order(&entry.carry) {
        let group = find_named(source, "group", group, &known)?;
        supporting_groups.push(SupportingGroup { group, types: nonempty_hold_types(source, types)? });
    }
    let mut heuristics = Vec::new();
    for (word, weight) in in_order(&entry.heuristics) {
        let Some((_, heuristic)) = known_heuristics.iter().find(|(known, _)| known == word.get_ref()) else {
            let words: Vec<&String> = known_heuristics.iter().map(|(word, _)| word).collect();
            let message = format!("there is no heuristic `{}`", abbreviate(word.get_ref()));
            let help =
                if words.is_empty() { "define it in [heuristics]".to_owned() } else { suggest(word.get_ref(), &words) };
            return Err(source.error(word.span(), message).with_help(help));
        };
        heuristics.push((heuristic.clone(), non_negative(source, weight, "a weight")?));
    }
    let comfort = match &entry.comfort {
        None => DEFAULT_COMFORT,
        Some(given) if given.get_ref().0 < 1.0 => {
            let help = "the most comfortable posture has discomfort 1";
            return Err(source.error(given.span(), "`comfort` must not be less than 1").with_help(help));
        }
        Some(given) => given.get_ref().0,
    };
    let balance = match &entry.balance {
        None => None,
        Some(BalanceEntry { between, within }) => {
            let group = find_named(source, "group", between, &known)?;
            if !supporting_groups.iter().any(|carrier| carrier.group == group) {
                let message = format!("the group `{}` is not in `carry`", abbreviate(between.get_ref()));
                let help = "balance on a group that `carry` lists";
                return Err(source.error(between.span(), message).with_help(help));
            }
            Some(Balance { group, within: non_negative(source, within, "a distance")? })
        }
    };
    let center_offset =
        entry.center_offset.as_ref().map(|offset| non_negative(source, offset, "a distance")).transpose()?;
    let effort = entry.effort.as_ref().map(|effort| non_negative(source, effort, "a weight")).transpose()?;
    let least_contacts = least_contacts(source, entry, &supporting_groups, groups)?;
    Ok(Mode {
        name: name.clone(),
        supporting_groups,
        least_contacts,
        posture_heuristics: heuristics,
        acceptable_discomfort: comfort,
        balance,
        max_center_offset: center_offset.unwrap_or(0.0),
        effort: effort.unwrap_or(0.0),
        speed: entry.speed.as_ref().map(|speed| positive(source, speed, "a speed")).transpose()?,
        walking_gait: None,
        reference_posture: ReferencePosture::default(),
    })
}

fn reference_posture(source: &Source, entry: &ModeEntry, character: &Character) -> Result<ReferencePosture, FileError> {
    let Some(entry) = &entry.posture else { return Ok(ReferencePosture::default()) };
    let ReferencePostureEntry { pitch, angles, turns_with_surface } = entry;
    let known: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
    let pitch = pitch.as_ref().map_or(0.0, degrees);
    let mut posture = ReferencePosture { pitch, angles: Vec::new(), turns_with_surface: *turns_with_surface };
    for (name, angle) in in_order(angles) {
        let id: HingeId = find_named(source, "hinge", name, &known)?;
        let hinge = &character.hinges[id];
        if !(hinge.min..=hinge.max).contains(&degrees(angle)) {
            let message = format!("the angle of `{}` is beyond its limits", abbreviate(name.get_ref()));
            let [min, max] = [hinge.min, hinge.max].map(f32::to_degrees);
            return Err(source.error(angle.span(), message).with_help(format!("use {min:.0} to {max:.0} degrees")));
        }
        posture.angles.push((id, degrees(angle)));
    }
    Ok(posture)
}

fn degrees(angle: &Spanned<Number>) -> f32 {
    angle.get_ref().0.to_radians()
}

fn least_contacts(
    source: &Source,
    entry: &ModeEntry,
    supporting_groups: &[SupportingGroup],
    groups: &TiSlice<GroupId, EffectorGroup>,
) -> Result<usize, FileError> {
    let mut effectors: Vec<EffectorId> =
        supporting_groups.iter().flat_map(|carrier| groups[carrier.group].effectors.iter().copied()).collect();
    effectors.sort_unstable();
    effectors.dedup();
    let (fewest, most) = (usize::from(!supporting_groups.is_empty()), effectors.len());
    match &entry.least_contacts {
        None => Ok(fewest),
        Some(given) if (fewest..=most).contains(given.get_ref()) => Ok(*given.get_ref()),
        Some(given) => {
            let message = format!("`least_contacts` cannot be {}", given.get_ref());
            let help = match most {
                0 => "a mode without `carry` has no contacts; remove `least_contacts`".to_owned(),
                most => format!("the groups in `carry` allow {fewest} to {most} contacts"),
            };
            Err(source.error(given.span(), message).with_help(help))
        }
    }
}
