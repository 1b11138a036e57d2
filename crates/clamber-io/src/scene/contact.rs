//! What a posture holds on to: finds the holds, says which way of moving that is, and brings the effectors there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use clamber_model::character::Root;
use clamber_model::contact::Stance;
use clamber_model::kinematics::{IkSettings, IkWorkspace, Target, Workspace, effector_in_world, forward, solve};
use clamber_model::math::Vec3;
use clamber_model::mode::Mode;
use clamber_model::motion::FLYING;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use toml::Spanned;

use crate::edit::{self, NO_HOLDS};
use crate::error::{FileError, Source};
use crate::fields::{Place, place_text};
use crate::parse::{brief, find_named};

/// A contact's point must be this near to a hold, in metres.
const NEAR_HOLD: f32 = 0.2;

/// An effector must come this near to the place where it touches, in metres.
const REACHED: f32 = 1e-4;

/// No more contacts in a posture than this: the time to reach them grows with the square.
const MOST_CONTACTS: usize = 50;

/// What an effector holds on to: a hold's name, or a point that a hold is at.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ContactEntry {
    Name(String),
    Point(Place),
}

impl<'de> Deserialize<'de> for ContactEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Contacts;
        impl<'de> Visitor<'de> for Contacts {
            type Value = ContactEntry;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a hold's name in quotes, or a point (such as [1.0, 2.5])")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ContactEntry, E> {
                Ok(ContactEntry::Name(name.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<ContactEntry, A::Error> {
                Place::deserialize(SeqAccessDeserializer::new(sequence)).map(ContactEntry::Point)
            }
        }
        deserializer.deserialize_any(Contacts)
    }
}

impl JsonSchema for ContactEntry {
    fn schema_name() -> Cow<'static, str> {
        "ContactEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let place = generator.subschema_for::<Place>();
        json_schema!({
            "description": "A hold's name, or a point that a hold is at.",
            "anyOf": [{ "type": "string" }, place]
        })
    }
}

/// Contacts by the names of the effectors.
pub(super) type Contacts = Spanned<BTreeMap<Spanned<String>, Spanned<ContactEntry>>>;

/// What contacts are read with.
pub(super) struct Surroundings<'a> {
    pub source: &'a Source<'a>,
    pub character: &'a Character,
    pub world: &'a World,
    pub modes: Option<&'a ModeTable>,
    /// The world's holds by their names.
    pub holds: BTreeMap<&'a str, usize>,
}

/// The contacts of a posture, in the order of the effectors.
pub(super) fn stance(
    around: &Surroundings,
    contacts: &Contacts,
    configuration: &Configuration,
) -> Result<Stance, FileError> {
    let Surroundings { source, character, world, .. } = around;
    if contacts.get_ref().len() > MOST_CONTACTS {
        let message = format!("the posture has {} contacts, and {MOST_CONTACTS} is the most", contacts.get_ref().len());
        return Err(source.error(contacts.span(), message));
    }
    let mut frames = Workspace::default();
    forward(character, configuration, &mut frames);
    let effectors: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let mut stance = Stance::new();
    for (name, wanted) in contacts.get_ref() {
        let effector = find_named(source, "effector", name, &effectors)?;
        let (hold, point) = match wanted.get_ref() {
            ContactEntry::Name(name) => {
                let hold = hold_named(around, name, wanted.span(), "; or give a point")?;
                // Of a surface, the point that the effector is nearest to as the posture is written.
                (hold, world.holds[hold].nearest(effector_in_world(character, &frames, effector)))
            }
            ContactEntry::Point(place) => {
                let hold = hold_at(around, *place, wanted.span())?;
                (hold, world.holds[hold].nearest(place.xyz))
            }
        };
        stance.push(Contact { effector, hold, point, normal: world.holds[hold].normal });
    }
    stance.sort_by_key(|contact| contact.effector);
    Ok(stance)
}

/// The hold of this name, which stands at a place of the file; `otherwise` is what else could be given.
pub(super) fn hold_named(
    around: &Surroundings,
    name: &str,
    place: Range<usize>,
    otherwise: &str,
) -> Result<usize, FileError> {
    edit::hold_named(around.world, &around.holds, name, otherwise)
        .map_err(|error| around.source.error(place, error.message).with_help(error.help))
}

/// The hold that is nearest to a point.
pub(super) fn hold_at(around: &Surroundings, place: Place, entry: Range<usize>) -> Result<usize, FileError> {
    let Surroundings { source, character, world, .. } = around;
    if character.root == Root::Planar && place.xyz.z != 0.0 {
        let message = "the holds of a planar character are in the plane z = 0";
        return Err(source.error(entry, message).with_help("give two numbers"));
    }
    let mut near = Vec::new();
    world.holds_near(place.xyz, NEAR_HOLD, &mut near);
    if let Some((hold, _)) = nearest(world, &near, place.xyz) {
        return Ok(hold);
    }
    let all: Vec<usize> = (0..world.holds.len()).collect();
    match nearest(world, &all, place.xyz) {
        Some((hold, distance)) => {
            let (name, at) = (brief(&world.holds[hold].name), world.holds[hold].nearest(place.xyz));
            let at = place_text(at, character.root);
            let message = format!("no hold is here: the nearest, `{name}` at {at}, is {distance:.3} m away");
            let help = format!("give a point within {NEAR_HOLD} m of a hold, or add one");
            Err(source.error(entry, message).with_help(help))
        }
        None => Err(source.error(entry, "the scene has no holds").with_help(NO_HOLDS)),
    }
}

/// The nearest of some holds and its distance; the first of equals.
fn nearest(world: &World, holds: &[usize], point: Vec3) -> Option<(usize, f32)> {
    let distances = holds.iter().map(|&hold| (hold, (world.holds[hold].nearest(point) - point).length()));
    distances.reduce(|best, other| if other.1 < best.1 { other } else { best })
}

/// The way of moving that a posture belongs to, by its name if it is given and by its contacts if not.
pub(super) fn mode_of(
    around: &Surroundings,
    given: Option<&Spanned<String>>,
    contacts: Option<&Contacts>,
    stance: &Stance,
) -> Result<String, FileError> {
    let Surroundings { source, modes, .. } = around;
    let place = given.map(Spanned::span).or(contacts.map(Spanned::span)).unwrap_or_default();
    match (given, *modes) {
        (None, _) if stance.is_empty() => Ok(FLYING.to_owned()),
        (Some(name), _) if name.get_ref() == FLYING && stance.is_empty() => Ok(FLYING.to_owned()),
        (Some(name), _) if name.get_ref() == FLYING => {
            let message = format!("what is `{FLYING}` holds on to nothing");
            Err(source.error(place, message).with_help("leave `mode` out, or `contacts`"))
        }
        (Some(name), Some(table)) => {
            let known: Vec<&String> = table.modes.iter().map(|mode| &mode.name).collect();
            let mode = &table.modes[find_named(source, "mode", name, &known)?];
            match objection(around, table, mode, stance) {
                None => Ok(mode.name.clone()),
                Some(message) => Err(source.error(name.span(), message).with_help("look at the mode table")),
            }
        }
        (None, Some(table)) => {
            let allowing = |mode: &&Mode| objection(around, table, mode, stance).is_none();
            table.modes.iter().find(allowing).map(|mode| mode.name.clone()).ok_or_else(|| {
                let objections = table.modes.iter().filter_map(|mode| objection(around, table, mode, stance));
                let help = objections.collect::<Vec<String>>().join("; ");
                source.error(place, "no mode allows these contacts").with_help(help)
            })
        }
        (_, None) => {
            let message = "contacts and modes need a mode table, and this character has none";
            let help = "name one with `modes`, or put one beside the character's file, as in figure.modes.toml";
            Err(source.error(place, message).with_help(help))
        }
    }
}

/// Why a mode does not allow a stance.
fn objection(around: &Surroundings, table: &ModeTable, mode: &Mode, stance: &Stance) -> Option<String> {
    let Surroundings { character, world, .. } = around;
    let name = brief(&mode.name);
    if stance.is_empty() != mode.carriers.is_empty() {
        return Some(match stance.is_empty() {
            true => format!("`{name}` needs contacts"),
            false => format!("`{name}` is without contacts"),
        });
    }
    for contact in stance {
        let effector = brief(&character.effectors[contact.effector].name);
        let hold = &world.holds[contact.hold];
        let of_effector = |group: usize| table.groups[group].effectors.contains(&contact.effector);
        let mut carriers = mode.carriers.iter().filter(|carrier| of_effector(carrier.group)).peekable();
        if carriers.peek().is_none() {
            return Some(format!("in `{name}`, `{effector}` holds on to nothing"));
        }
        if !carriers.any(|carrier| carrier.types.contains(&hold.hold_type)) {
            let (hold, word) = (brief(&hold.name), hold.hold_type.word());
            return Some(format!("in `{name}`, `{effector}` holds on to nothing {word}, as `{hold}` is"));
        }
    }
    let (least, count) = (mode.least_contacts, stance.len());
    (count < least).then(|| format!("`{name}` needs at least {least} contacts, not {count}"))
}

/// Brings the effectors to what they hold on to, near the posture as it is written.
pub(super) fn reach(
    around: &Surroundings,
    contacts: &Contacts,
    stance: &Stance,
    configuration: &mut Configuration,
    what: &str,
) -> Result<(), FileError> {
    let Surroundings { source, character, .. } = around;
    let target = |contact: &Contact| {
        let center = contact.center(character);
        Target { effector: contact.effector, center, facing: None }
    };
    let targets: Vec<Target> = stance.iter().map(target).collect();
    let movable: Vec<usize> = (0..character.degrees_of_freedom()).collect();
    let mut workspace = IkWorkspace::default();
    let settings = IkSettings { max_iterations: 300, restarts: 10, tolerance: REACHED, ..IkSettings::default() };
    if solve(character, configuration, &targets, &movable, &settings, &mut workspace).reached {
        // What is left of the tolerance is for those who measure later; a few steps more make it rounding errors.
        let settings = IkSettings { max_iterations: 6, tolerance: 1e-6, ..IkSettings::default() };
        solve(character, configuration, &targets, &movable, &settings, &mut workspace);
        return Ok(());
    }
    let miss =
        |target: &Target| (effector_in_world(character, &workspace.frames, target.effector) - target.center).length();
    let misses = targets.iter().map(|target| (miss(target), &character.effectors[target.effector].name));
    let Some((miss, name)) = misses.max_by(|a, b| a.0.total_cmp(&b.0)) else { return Ok(()) };
    let key = contacts.get_ref().keys().find(|key| key.get_ref() == name);
    let place = key.map_or(contacts.span(), Spanned::span);
    let message = format!("{what} does not reach its contacts: `{}` misses by {miss:.3} m", brief(name));
    let help = "move `position` nearer, or choose holds that are nearer to each other";
    Err(source.error(place, message).with_help(help))
}
