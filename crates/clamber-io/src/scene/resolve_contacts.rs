//! Contacts of a posture: finds the holds, chooses the mode and solves for the configuration.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use clamber_model::character::RootJoint;
use clamber_model::contact::Stance;
use clamber_model::id::{EffectorId, GroupId, HoldId, ModeId};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::Mode;
use clamber_model::motion::FLYING_MODE;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};
use clamber_posture::solver::{ContactTarget, StanceSolver};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use toml::Spanned;

use super::snapped_contact::SnappedContact;
use crate::common_field_types::{Point, point_text};
use crate::error::{FileError, Source};
use crate::pin_or_forbid_holds::{self, NO_HOLDS};
use crate::suggest_name::{abbreviate, find_named};

/// Largest distance between a contact point and its hold, in meters.
pub(super) const MAX_HOLD_DISTANCE: f32 = 0.2;

/// Most contacts per posture: the cost of solving grows with the square.
const MAX_CONTACTS: usize = 50;

/// The target of a contact: the name of a hold, or a point near one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ContactEntry {
    Name(String),
    Point(Point),
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
                Point::deserialize(SeqAccessDeserializer::new(sequence)).map(ContactEntry::Point)
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
        let place = generator.subschema_for::<Point>();
        json_schema!({
            "description": "The name of a hold, or a point near one.",
            "anyOf": [{ "type": "string" }, place]
        })
    }
}

/// Contacts by effector name.
pub(super) type Contacts = Spanned<BTreeMap<Spanned<String>, Spanned<ContactEntry>>>;

/// The scene so far, for reading postures, passages and pins.
pub(super) struct SceneContext<'a> {
    pub source: &'a Source<'a>,
    pub character: &'a Character,
    pub world: &'a World,
    pub modes: Option<&'a ModeTable>,
    /// Whether the scene has a goal or passages, so that contacts need a mode that allows them.
    pub needs_modes: bool,
    /// Indices of the world's holds by name.
    pub holds: BTreeMap<&'a str, HoldId>,
    /// Contacts that were moved to holds, as far as rounding does not explain it.
    pub snapped: RefCell<Vec<SnappedContact>>,
}

/// Returns the contacts of a posture, sorted by effector.
pub(super) fn stance(
    context: &SceneContext,
    contacts: &Contacts,
    configuration: &Configuration,
) -> Result<Stance, FileError> {
    let SceneContext { source, character, world, .. } = context;
    if contacts.get_ref().len() > MAX_CONTACTS {
        let message =
            format!("the posture has {} contacts; at most {MAX_CONTACTS} are allowed", contacts.get_ref().len());
        return Err(source.error(contacts.span(), message));
    }
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    let effectors: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let mut stance = Stance::new();
    for (name, wanted) in contacts.get_ref() {
        let effector: EffectorId = find_named(source, "effector", name, &effectors)?;
        let (hold, point) = match wanted.get_ref() {
            ContactEntry::Name(name) => {
                let hold = hold_named(context, name, wanted.span(), "; or give a point")?;
                // On a hold surface, take the point nearest to the effector in the given posture.
                (hold, world.holds[hold].nearest_point(effector_position(character, &frames, effector)))
            }
            ContactEntry::Point(place) => {
                let hold = hold_at(context, *place, wanted.span())?;
                (hold, world.holds[hold].nearest_point(place.xyz))
            }
        };
        stance.push(Contact { effector, hold, point, normal: world.holds[hold].normal });
    }
    stance.sort_by_key(|contact| contact.effector);
    Ok(stance)
}

/// Returns the hold with this name. `place` locates errors; `otherwise` is appended to their help.
pub(super) fn hold_named(
    context: &SceneContext,
    name: &str,
    place: Range<usize>,
    otherwise: &str,
) -> Result<HoldId, FileError> {
    pin_or_forbid_holds::hold_named(context.world, &context.holds, name, otherwise)
        .map_err(|error| context.source.error(place, error.message).with_help(error.help))
}

/// Returns the hold nearest to a point.
pub(super) fn hold_at(context: &SceneContext, place: Point, entry: Range<usize>) -> Result<HoldId, FileError> {
    let SceneContext { source, character, world, .. } = context;
    if character.root_joint == RootJoint::Planar && place.xyz.z != 0.0 {
        let message = "holds of a planar character lie in the plane z = 0";
        return Err(source.error(entry, message).with_help("give two coordinates"));
    }
    let mut near = Vec::new();
    world.holds_near(place.xyz, MAX_HOLD_DISTANCE, &mut near);
    if let Some((hold, _)) = nearest(world, &near, place.xyz) {
        return Ok(hold);
    }
    let all: Vec<HoldId> = world.holds.keys().collect();
    match nearest(world, &all, place.xyz) {
        Some((hold, distance)) => {
            let (name, at) = (abbreviate(&world.holds[hold].name), world.holds[hold].nearest_point(place.xyz));
            let at = point_text(at, character.root_joint);
            let message = format!("no hold is near this point: the nearest, `{name}` at {at}, is {distance:.3} m away");
            let help = format!("give a point within {MAX_HOLD_DISTANCE} m of a hold, or add a hold");
            Err(source.error(entry, message).with_help(help))
        }
        None => Err(source.error(entry, "the scene has no holds").with_help(NO_HOLDS)),
    }
}

/// Returns the nearest of these holds and its distance; the first one on a tie.
fn nearest(world: &World, holds: &[HoldId], point: Vec3) -> Option<(HoldId, f32)> {
    let distances = holds.iter().map(|&hold| (hold, (world.holds[hold].nearest_point(point) - point).length()));
    distances.reduce(|best, other| if other.1 < best.1 { other } else { best })
}

/// Returns the mode of a posture: the given one, or the first one that allows its contacts.
pub(super) fn mode_of(
    context: &SceneContext,
    given: Option<&Spanned<String>>,
    contacts: Option<&Contacts>,
    stance: &Stance,
    configuration: &Configuration,
) -> Result<String, FileError> {
    let SceneContext { source, modes, .. } = context;
    if given.is_none() && !context.needs_modes {
        let allowing = modes.and_then(|table| Some((table, table.first_mode_allowing_stance(stance, context.world)?)));
        return Ok(allowing.map_or(FLYING_MODE, |(table, mode)| &table.modes[mode].name).to_owned());
    }
    let place = given.map(Spanned::span).or(contacts.map(Spanned::span)).unwrap_or_default();
    match (given, *modes) {
        (None, _) if stance.is_empty() => Ok(FLYING_MODE.to_owned()),
        (Some(name), _) if name.get_ref() == FLYING_MODE && stance.is_empty() => Ok(FLYING_MODE.to_owned()),
        (Some(name), _) if name.get_ref() == FLYING_MODE => {
            let message = format!("mode `{FLYING_MODE}` has no contacts");
            Err(source.error(place, message).with_help("remove `mode` or `contacts`"))
        }
        (Some(name), Some(table)) => {
            let known: Vec<&String> = table.modes.iter().map(|mode| &mode.name).collect();
            let mode = &table.modes[find_named::<ModeId, _>(source, "mode", name, &known)?];
            match why_not_allowed(context, table, mode, stance) {
                None => Ok(mode.name.clone()),
                Some(message) => {
                    let change = || "change the contacts, the mode, or `carry` in the mode table".to_owned();
                    let example = stance.is_empty().then(|| example_contacts(context, table, mode, configuration));
                    Err(source.error(name.span(), message).with_help(example.flatten().unwrap_or_else(change)))
                }
            }
        }
        (None, Some(table)) => {
            let allowing = |mode: &&Mode| why_not_allowed(context, table, mode, stance).is_none();
            table.modes.iter().find(allowing).map(|mode| mode.name.clone()).ok_or_else(|| {
                let reasons = table.modes.iter().filter_map(|mode| why_not_allowed(context, table, mode, stance));
                let help = reasons.collect::<Vec<String>>().join("; ");
                source.error(place, "no mode allows these contacts").with_help(help)
            })
        }
        (_, None) => {
            let message = "contacts and modes need a mode table, but this character has none";
            let help = "set `modes` to the path of a mode table, or save one next to the character file, as in figure.modes.toml";
            Err(source.error(place, message).with_help(help))
        }
    }
}

/// Returns help that shows a line with contacts for a mode: those of its first group, each on the nearest hold that it may
/// use. `None` if the mode uses no contacts.
fn example_contacts(
    context: &SceneContext,
    table: &ModeTable,
    mode: &Mode,
    configuration: &Configuration,
) -> Option<String> {
    let SceneContext { character, world, .. } = context;
    let carrier = mode.supporting_groups.first()?;
    let usable = |hold: &HoldId| carrier.types.contains(&world.holds[*hold].hold_type);
    let holds: Vec<HoldId> = world.holds.keys().filter(usable).collect();
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    let mut free = holds.clone();
    let entry = |&effector: &EffectorId| {
        let center = effector_position(character, &frames, effector);
        // Effectors share a hold only if there are too few.
        let hold = nearest(world, &free, center).or_else(|| nearest(world, &holds, center)).map(|(hold, _)| hold);
        free.retain(|other| Some(*other) != hold);
        let at = hold.map_or(center, |hold| world.holds[hold].nearest_point(center));
        format!("{} = {}", abbreviate(&character.effectors[effector].name), point_text(at, character.root_joint))
    };
    let entries: Vec<String> = table.effector_groups[carrier.group].effectors.iter().map(entry).collect();
    let line = format!("`contacts = {{ {} }}`", entries.join(", "));
    Some(match holds.is_empty() {
        true => format!("the scene has no holds for it: {NO_HOLDS}; then add a line such as {line}"),
        false => format!("add a line such as {line}"),
    })
}

/// Returns why a mode does not allow a stance, or `None` if it does.
fn why_not_allowed(context: &SceneContext, table: &ModeTable, mode: &Mode, stance: &Stance) -> Option<String> {
    let SceneContext { character, world, .. } = context;
    let name = abbreviate(&mode.name);
    if stance.is_empty() != mode.supporting_groups.is_empty() {
        return Some(match stance.is_empty() {
            true => format!("`{name}` needs contacts"),
            false => format!("`{name}` has no contacts"),
        });
    }
    for contact in stance {
        let effector = abbreviate(&character.effectors[contact.effector].name);
        let hold = &world.holds[contact.hold];
        let of_effector = |group: GroupId| table.effector_groups[group].effectors.contains(&contact.effector);
        let mut supporting_groups =
            mode.supporting_groups.iter().filter(|carrier| of_effector(carrier.group)).peekable();
        if supporting_groups.peek().is_none() {
            return Some(format!("in `{name}`, `{effector}` makes no contact"));
        }
        if !supporting_groups.any(|carrier| carrier.types.contains(&hold.hold_type)) {
            let (hold, word) = (abbreviate(&hold.name), hold.hold_type.keyword());
            return Some(format!("in `{name}`, `{effector}` cannot use {word} holds such as `{hold}`"));
        }
    }
    let (least, count) = (mode.least_contacts, stance.len());
    (count < least).then(|| format!("`{name}` needs at least {least} contacts, not {count}"))
}

/// How effectors that face a direction, such as soles and palms, meet their holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Soles {
    /// As the given posture turns them, but patches flat on surfaces to stand on.
    FlatPatches,
    /// As the given posture turns them.
    AsGiven,
    /// Flat on the surface.
    Flat,
}

/// Solves for the configuration nearest to the given one in which all effectors reach their contacts.
pub(super) fn reach(
    context: &SceneContext,
    contacts: &Contacts,
    stance: &Stance,
    (configuration, soles): (&mut Configuration, Soles),
    what: &str,
) -> Result<(), FileError> {
    let SceneContext { source, character, .. } = context;
    let target = |contact: &Contact| {
        let center = contact.effector_center(character);
        let facing = match soles {
            Soles::FlatPatches => contact.flat_facing(character),
            Soles::AsGiven => None,
            Soles::Flat => Some(-contact.normal),
        };
        ContactTarget { effector: contact.effector, center, facing, forward: None }
    };
    let targets: Vec<ContactTarget> = stance.iter().map(target).collect();
    if StanceSolver::new(character).settle(character, configuration, &targets) {
        return Ok(());
    }
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    let miss =
        |target: &ContactTarget| (effector_position(character, &frames, target.effector) - target.center).length();
    let misses = targets.iter().map(|target| (miss(target), &character.effectors[target.effector].name));
    let Some((miss, name)) = misses.max_by(|a, b| a.0.total_cmp(&b.0)) else { return Ok(()) };
    let key = contacts.get_ref().keys().find(|key| key.get_ref() == name);
    let place = key.map_or(contacts.span(), Spanned::span);
    let message = format!("{what} does not reach its contacts: `{}` is off by {miss:.3} m", abbreviate(name));
    let help = "move `position` closer, or choose holds that are closer together";
    Err(source.error(place, message).with_help(help))
}
