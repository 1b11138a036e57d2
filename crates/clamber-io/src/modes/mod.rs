//! Mode tables as TOML: which effectors carry in which way of moving, and how one way leads to the next.

mod word;
mod condition;
mod effect;
mod edge;

use std::collections::BTreeMap;
use std::path::Path;

use clamber_model::character::Character;
use clamber_model::mode::{Balance, Body, Carrier, Edge, Group, Heuristic, Mode, ModeTable};
use clamber_model::motion::{FLYING, TURNING};
use clamber_model::world::HoldType;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use toml::Spanned;

use self::edge::EdgeEntry;
use self::word::Names;
use crate::error::{FileError, Source};
use crate::fields::{HoldTypeEntry, Number, hold_types};
use crate::parse::{brief, find_named, in_order, parse_toml, refuse_repeated, suggest};

const VERSION: u32 = 1;

/// The most groups and modes.
const MOST: usize = 100;

/// The most edges.
const MOST_EDGES: usize = 1000;

/// The comfort of modes that do not say it.
const COMFORT: f32 = 1.25;

/// How a character may move: modes, and the edges by which one leads to the next.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber mode table")]
pub(crate) struct ModesFile {
    /// The version of this format: 1.
    #[schemars(extend("const" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// The character that it is for: its file's name, or its own.
    #[schemars(with = "String")]
    character: Spanned<String>,
    /// What the parts of the body are to the heuristics.
    body: BodyEntry,
    /// Effectors that stand in for each other, such as the two feet, by a name for all of them.
    #[schemars(with = "BTreeMap<String, Vec<String>>", extend("maxProperties" = MOST))]
    groups: BTreeMap<Spanned<String>, Spanned<Vec<Spanned<String>>>>,
    /// The ways of moving.
    #[schemars(extend("maxItems" = MOST))]
    mode: Vec<ModeEntry>,
    /// Steps and transitions, in the order in which they are tried.
    #[serde(default)]
    #[schemars(extend("maxItems" = MOST_EDGES))]
    edge: Vec<EdgeEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a body")]
struct BodyEntry {
    /// The link that the spine is in.
    #[schemars(with = "String")]
    trunk: Spanned<String>,
    /// The link that is held up.
    #[schemars(with = "String")]
    head: Spanned<String>,
    /// The limbs that are arms.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    arms: Vec<Spanned<String>>,
    /// The limbs that are legs.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    legs: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a mode")]
struct ModeEntry {
    /// Unique among the modes.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// Which groups of effectors hold on, and to which types of hold; none makes a mode without contacts.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Vec<HoldTypeEntry>>")]
    carry: BTreeMap<Spanned<String>, Spanned<Vec<HoldTypeEntry>>>,
    /// The fewest contacts at any moment; 1 when not given.
    #[schemars(with = "Option<usize>")]
    least_contacts: Option<Spanned<usize>>,
    /// What makes a posture comfortable, and how much it weighs.
    #[serde(default)]
    #[schemars(schema_with = "heuristics_schema")]
    heuristics: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// The discomfort that is good enough; 1.25 when not given.
    #[schemars(with = "Option<Number>", extend("minimum" = 1))]
    comfort: Option<Spanned<Number>>,
    /// Where the centre of mass must be each time a contact is made and a former one left.
    balance: Option<BalanceEntry>,
    /// Whether clips of it get the gait of a walk, on the legs that `balance` names; not when not given.
    #[serde(default)]
    gait: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { between = \"feet\", within = 0.02 }")]
struct BalanceEntry {
    /// The group of effectors between whose contacts it is.
    #[schemars(with = "String")]
    between: Spanned<String>,
    /// How far outside it may be, in metres.
    #[schemars(with = "Number", extend("minimum" = 0))]
    within: Spanned<Number>,
}

fn heuristics_schema(generator: &mut SchemaGenerator) -> Schema {
    let number = generator.subschema_for::<Number>();
    let properties: serde_json::Map<String, serde_json::Value> =
        Heuristic::ALL.iter().map(|(_, word)| ((*word).to_owned(), number.clone().to_value())).collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Reads the mode table of a character from the bytes of a file. `file` is named in errors; `character_file` is what the
/// table's key `character` may name.
pub fn parse_modes(
    file: &Path,
    bytes: &[u8],
    character: &Character,
    character_file: &Path,
) -> Result<ModeTable, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: ModesFile = parse_toml(&source, VERSION)?;
    refuse_another(&source, &entries.character, character, character_file)?;
    refuse_too_many(&source, &entries)?;
    let body = body(&source, &entries.body, character)?;
    let groups = in_order(&entries.groups)
        .into_iter()
        .map(|(name, effectors)| group(&source, name, effectors, character))
        .collect::<Result<Vec<Group>, FileError>>()?;
    let mut modes: Vec<Mode> = Vec::new();
    for entry in &entries.mode {
        refuse_repeated(&source, &entry.name, modes.iter().map(|mode| &mode.name))?;
        modes.push(mode(&source, entry, &groups)?);
    }
    let names = Names {
        groups: groups.iter().map(|group| group.name.as_str()).collect(),
        modes: modes.iter().map(|mode| mode.name.as_str()).collect(),
        edges: entries.edge.iter().map(|edge| edge.name.get_ref().as_str()).collect(),
    };
    let mut edges: Vec<Edge> = Vec::new();
    for entry in &entries.edge {
        refuse_repeated(&source, &entry.name, edges.iter().map(|edge| &edge.name))?;
        edges.push(entry.edge(&source, &names)?);
    }
    Ok(ModeTable { body, groups, modes, edges })
}

/// Refuses the table of another character.
fn refuse_another(
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
        format!("the table is for `{}`, and the character is `{}`", brief(given_name), brief(&character.name));
    Err(source.error(given.span(), message).with_help("give the character's name, or that of its file"))
}

fn refuse_too_many(source: &Source, entries: &ModesFile) -> Result<(), FileError> {
    let counts = [
        ("groups", entries.groups.len(), MOST),
        ("modes", entries.mode.len(), MOST),
        ("edges", entries.edge.len(), MOST_EDGES),
    ];
    match counts.into_iter().find(|(_, count, most)| count > most) {
        None => Ok(()),
        Some((what, count, most)) => {
            let message = format!("the table has {count} {what}, and {most} is the most");
            Err(source.error(entries.character.span(), message))
        }
    }
}

fn body(source: &Source, entry: &BodyEntry, character: &Character) -> Result<Body, FileError> {
    let links: Vec<&String> = character.links.iter().map(|link| &link.name).collect();
    let known: Vec<&String> = character.limbs.iter().map(|limb| &limb.name).collect();
    let mut taken: Vec<usize> = Vec::new();
    let mut limbs = |names: &[Spanned<String>]| {
        let mut limbs = Vec::new();
        for name in names {
            let limb = find_named(source, "limb", name, &known)?;
            if taken.contains(&limb) {
                let message = format!("the limb `{}` is named already", brief(name.get_ref()));
                return Err(source.error(name.span(), message).with_help("a limb is an arm or a leg, and only once"));
            }
            taken.push(limb);
            limbs.push(limb);
        }
        Ok(limbs)
    };
    Ok(Body {
        trunk: find_named(source, "link", &entry.trunk, &links)?,
        head: find_named(source, "link", &entry.head, &links)?,
        arms: limbs(&entry.arms)?,
        legs: limbs(&entry.legs)?,
    })
}

fn group(
    source: &Source,
    name: &Spanned<String>,
    members: &Spanned<Vec<Spanned<String>>>,
    character: &Character,
) -> Result<Group, FileError> {
    refuse_repeated(source, name, std::iter::empty())?;
    let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let mut effectors: Vec<usize> = Vec::new();
    for member in members.get_ref() {
        let effector = find_named(source, "effector", member, &known)?;
        let Some(limb) = character.effectors[effector].limb else {
            let message = format!("the effector `{}` is on no limb", brief(member.get_ref()));
            let help = "a group is of effectors at the ends of limbs, which reach for holds";
            return Err(source.error(member.span(), message).with_help(help));
        };
        let same_limb = |&&other: &&usize| character.effectors[other].limb == Some(limb);
        if let Some(&other) = effectors.iter().find(same_limb) {
            let (one, two) = (brief(&character.effectors[other].name), brief(member.get_ref()));
            let message = match other == effector {
                true => format!("the effector `{one}` is named twice"),
                false => format!("the effectors `{one}` and `{two}` are on one limb"),
            };
            let help = "effectors of a group stand in for each other; put them into groups of their own";
            return Err(source.error(member.span(), message).with_help(help));
        }
        effectors.push(effector);
    }
    if effectors.is_empty() {
        let message = format!("the group `{}` is empty", brief(name.get_ref()));
        return Err(source.error(members.span(), message).with_help("name its effectors, or leave it out"));
    }
    Ok(Group { name: name.get_ref().clone(), effectors })
}

fn mode(source: &Source, entry: &ModeEntry, groups: &[Group]) -> Result<Mode, FileError> {
    let name = entry.name.get_ref();
    if [FLYING, TURNING].contains(&name.as_str()) {
        let message = format!("`{name}` is a mode that every character has");
        return Err(source.error(entry.name.span(), message).with_help("give it another name"));
    }
    let known: Vec<&String> = groups.iter().map(|group| &group.name).collect();
    let mut carriers = Vec::new();
    for (group, types) in in_order(&entry.carry) {
        let group = find_named(source, "group", group, &known)?;
        carriers.push(Carrier { group, types: some_types(source, types)? });
    }
    let mut heuristics = Vec::new();
    for (word, weight) in in_order(&entry.heuristics) {
        let Some((heuristic, _)) = Heuristic::ALL.into_iter().find(|(_, known)| known == word.get_ref()) else {
            let words = Heuristic::ALL.map(|(_, word)| word);
            let message = format!("there is no heuristic `{}`", brief(word.get_ref()));
            return Err(source.error(word.span(), message).with_help(suggest(word.get_ref(), &words)));
        };
        heuristics.push((heuristic, not_negative(source, weight, "a weight")?));
    }
    let comfort = match &entry.comfort {
        None => COMFORT,
        Some(given) if given.get_ref().0 < 1.0 => {
            let help = "the discomfort of the most comfortable posture is 1";
            return Err(source.error(given.span(), "`comfort` must not be less than 1").with_help(help));
        }
        Some(given) => given.get_ref().0,
    };
    let balance = match &entry.balance {
        None => None,
        Some(BalanceEntry { between, within }) => {
            let group = find_named(source, "group", between, &known)?;
            if !carriers.iter().any(|carrier| carrier.group == group) {
                let message = format!("`{}` do not carry in this mode", brief(between.get_ref()));
                let help = "the centre of mass is balanced between groups that `carry` names";
                return Err(source.error(between.span(), message).with_help(help));
            }
            Some(Balance { group, within: not_negative(source, within, "a distance")? })
        }
    };
    let least_contacts = least_contacts(source, entry, &carriers, groups)?;
    Ok(Mode { name: name.clone(), carriers, least_contacts, heuristics, comfort, balance, gait: entry.gait })
}

fn least_contacts(
    source: &Source,
    entry: &ModeEntry,
    carriers: &[Carrier],
    groups: &[Group],
) -> Result<usize, FileError> {
    let mut effectors: Vec<usize> =
        carriers.iter().flat_map(|carrier| groups[carrier.group].effectors.iter().copied()).collect();
    effectors.sort_unstable();
    effectors.dedup();
    let (fewest, most) = (usize::from(!carriers.is_empty()), effectors.len());
    match &entry.least_contacts {
        None => Ok(fewest),
        Some(given) if (fewest..=most).contains(given.get_ref()) => Ok(*given.get_ref()),
        Some(given) => {
            let message = format!("{} contacts cannot be the fewest", given.get_ref());
            let help = match most {
                0 => "a mode without `carry` has none; leave `least_contacts` out".to_owned(),
                most => format!("what `carry` names can hold on with {fewest} to {most} effectors"),
            };
            Err(source.error(given.span(), message).with_help(help))
        }
    }
}

/// At least one type of hold.
fn some_types(source: &Source, types: &Spanned<Vec<HoldTypeEntry>>) -> Result<Vec<HoldType>, FileError> {
    if types.get_ref().is_empty() {
        let help = "name at least one of `load-bearing`, `pendent`, `hybrid`";
        return Err(source.error(types.span(), "no type of hold is named").with_help(help));
    }
    Ok(hold_types(types.get_ref()))
}

fn not_negative(source: &Source, number: &Spanned<Number>, what: &str) -> Result<f32, FileError> {
    let Number(value) = *number.get_ref();
    if value >= 0.0 { Ok(value) } else { Err(source.error(number.span(), format!("{what} must not be less than 0"))) }
}
