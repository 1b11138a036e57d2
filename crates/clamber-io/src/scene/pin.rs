//! What must be held on to on the way, and what must not.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use clamber_model::Problem;
use clamber_model::problem::Pin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::contact::{Surroundings, hold_at, hold_named};
use crate::edit::{refuse_clash, refuse_useless};
use crate::error::{FileError, Source};
use crate::fields::Place;
use crate::parse::find_named;

/// No more pins than this, and no more holds that are forbidden by a place: each looks at all the holds around.
const MOST_PINS: usize = 1000;

/// What else says which hold is meant.
const OR_NEAR: &str = "; or say where it is with `near`";

/// A hold that an effector must hold on to at some moment: exactly one of `hold` and `near`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { hold = \"ground 7\" }")]
#[schemars(extend("oneOf" = [{ "required": ["hold"] }, { "required": ["near"] }]))]
pub(super) struct PinEntry {
    /// The hold's name; any point of it if it is a surface.
    #[schemars(with = "Option<String>")]
    hold: Option<Spanned<String>>,
    /// A place: the nearest hold, and of a surface the nearest point.
    #[schemars(with = "Option<Place>")]
    near: Option<Spanned<Place>>,
    /// The effector's name; any effector will do when not given.
    #[schemars(with = "Option<String>")]
    effector: Option<Spanned<String>>,
}

/// A hold that nothing may hold on to: its name, or a place that it is near to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ForbiddenEntry {
    Name(String),
    Near(Place),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NearEntry {
    /// A place: the nearest hold, and of a surface all of it.
    near: Place,
}

impl<'de> Deserialize<'de> for ForbiddenEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = ForbiddenEntry;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a hold's name in quotes, or a table such as { near = [1.0, 2.5] }")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ForbiddenEntry, E> {
                Ok(ForbiddenEntry::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ForbiddenEntry, A::Error> {
                let NearEntry { near } = NearEntry::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ForbiddenEntry::Near(near))
            }
        }
        deserializer.deserialize_any(Entries)
    }
}

impl JsonSchema for ForbiddenEntry {
    fn schema_name() -> Cow<'static, str> {
        "ForbiddenEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let near = generator.subschema_for::<NearEntry>();
        json_schema!({
            "description": "A hold's name, or a place that the hold is near to.",
            "anyOf": [{ "type": "string" }, near]
        })
    }
}

/// The pins of a scene.
pub(super) fn pins(around: &Surroundings, entries: &[Spanned<PinEntry>]) -> Result<Vec<Pin>, FileError> {
    let Surroundings { source, character, world, .. } = around;
    if let Some(entry) = entries.get(MOST_PINS) {
        let message = format!("the scene has {} pins, and {MOST_PINS} is the most", entries.len());
        return Err(source.error(entry.span(), message).with_help("leave some out"));
    }
    let effectors: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let pin = |entry: &Spanned<PinEntry>| {
        let PinEntry { hold, near, effector } = entry.get_ref();
        let (hold, point) = match (hold, near) {
            (Some(name), None) => (hold_named(around, name.get_ref(), name.span(), OR_NEAR)?, None),
            (None, Some(place)) => {
                let hold = hold_at(around, *place.get_ref(), place.span())?;
                let is_surface = world.holds[hold].is_surface();
                (hold, is_surface.then(|| world.holds[hold].nearest(place.get_ref().xyz)))
            }
            _ => {
                let message = "a pin needs exactly one of `hold` and `near`";
                let help = "`hold` is a hold's name, `near` a place";
                return Err(source.error(entry.span(), message).with_help(help));
            }
        };
        let place = effector.as_ref().map_or(entry.span(), Spanned::span);
        let effector = effector.as_ref().map(|name| find_named(source, "effector", name, &effectors)).transpose()?;
        let pin = Pin { effector, hold, point };
        refuse_useless(&pin, character, world, around.modes)
            .map_err(|error| source.error(place, error.message).with_help(error.help))?;
        Ok(pin)
    };
    entries.iter().map(pin).collect()
}

/// The forbidden holds of a scene, each with its place in the file.
pub(super) fn forbidden(
    around: &Surroundings,
    entries: &[Spanned<ForbiddenEntry>],
) -> Result<Vec<(usize, Range<usize>)>, FileError> {
    let places = entries.iter().filter(|entry| matches!(entry.get_ref(), ForbiddenEntry::Near(_)));
    if let Some(entry) = places.clone().nth(MOST_PINS) {
        let message = format!("{} holds are forbidden by a place, and {MOST_PINS} is the most", places.count());
        return Err(around.source.error(entry.span(), message).with_help("use their names"));
    }
    let hold = |entry: &Spanned<ForbiddenEntry>| {
        let hold = match entry.get_ref() {
            ForbiddenEntry::Name(name) => hold_named(around, name, entry.span(), OR_NEAR),
            ForbiddenEntry::Near(place) => hold_at(around, *place, entry.span()),
        };
        hold.map(|hold| (hold, entry.span()))
    };
    entries.iter().map(hold).collect()
}

/// Forbids these holds, unless they are wanted elsewhere.
pub(super) fn forbid(
    source: &Source,
    problem: &mut Problem,
    forbidden: &[(usize, Range<usize>)],
) -> Result<(), FileError> {
    problem.forbidden = forbidden.iter().map(|(hold, _)| *hold).collect();
    problem.forbidden.sort_unstable();
    problem.forbidden.dedup();
    refuse_clash(problem).map_err(|(hold, error)| {
        let place = forbidden.iter().find(|(forbidden, _)| *forbidden == hold).map(|(_, place)| place.clone());
        source.error(place.unwrap_or_default(), error.message).with_help(error.help)
    })
}
