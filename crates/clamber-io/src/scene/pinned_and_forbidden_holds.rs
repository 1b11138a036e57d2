//! Pinned and forbidden holds of a scene.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use clamber_model::Problem;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::problem::Pin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::resolve_contacts::{SceneContext, hold_at, hold_named};
use crate::common_field_types::Point;
use crate::error::{FileError, Source};
use crate::pin_or_forbid_holds::{reject_conflicts, reject_unusable_pin};
use crate::suggest_name::find_named;

/// Most pins, and most holds forbidden by a point: each entry searches all holds.
const MAX_PINS: usize = 1000;

/// Alternative to a hold's name, appended to help.
const OR_NEAR: &str = "; or give a point with `near`";

/// A hold that an effector must use at some time: exactly one of `hold` and `near`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { hold = \"ground 7\" }")]
#[schemars(extend("oneOf" = [{ "required": ["hold"] }, { "required": ["near"] }]))]
pub(super) struct PinEntry {
    /// The hold's name; any point of a hold surface.
    #[schemars(with = "Option<String>")]
    hold: Option<Spanned<String>>,
    /// A point: selects the nearest hold, and the nearest point of a hold surface.
    #[schemars(with = "Option<Point>")]
    near: Option<Spanned<Point>>,
    /// The effector's name. Default: any effector.
    #[schemars(with = "Option<String>")]
    effector: Option<Spanned<String>>,
}

impl PinEntry {
    /// Moves the point.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        if let Some(near) = &mut self.near {
            map(&mut near.get_mut().xyz);
        }
    }
}

/// A hold that no effector may use: its name, or a point near it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ForbiddenEntry {
    Name(String),
    Near(Point),
}

impl ForbiddenEntry {
    /// Moves the point.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        if let Self::Near(point) = self {
            map(&mut point.xyz);
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NearEntry {
    /// A point: selects the nearest hold, as a whole if it is a surface.
    near: Point,
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
            "description": "The name of a hold, or a point near it.",
            "anyOf": [{ "type": "string" }, near]
        })
    }
}

/// Returns the pins of a scene.
pub(super) fn pins(context: &SceneContext, entries: &[Spanned<PinEntry>]) -> Result<Vec<Pin>, FileError> {
    let SceneContext { source, character, world, .. } = context;
    if let Some(entry) = entries.get(MAX_PINS) {
        let message = format!("the scene has {} pins; at most {MAX_PINS} are allowed", entries.len());
        return Err(source.error(entry.span(), message).with_help("remove some pins"));
    }
    let effectors: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
    let pin = |entry: &Spanned<PinEntry>| {
        let PinEntry { hold, near, effector } = entry.get_ref();
        let (hold, point) = match (hold, near) {
            (Some(name), None) => (hold_named(context, name.get_ref(), name.span(), OR_NEAR)?, None),
            (None, Some(place)) => {
                let hold = hold_at(context, *place.get_ref(), place.span())?;
                let is_surface = world.holds[hold].has_extent();
                (hold, is_surface.then(|| world.holds[hold].nearest_point(place.get_ref().xyz)))
            }
            _ => {
                let message = "a pin needs exactly one of `hold` and `near`";
                let help = "`hold` is the name of a hold, `near` a point";
                return Err(source.error(entry.span(), message).with_help(help));
            }
        };
        let place = effector.as_ref().map_or(entry.span(), Spanned::span);
        let effector = effector.as_ref().map(|name| find_named(source, "effector", name, &effectors)).transpose()?;
        let pin = Pin { effector, hold, point };
        reject_unusable_pin(&pin, character, world, context.modes)
            .map_err(|error| source.error(place, error.message).with_help(error.help))?;
        Ok(pin)
    };
    entries.iter().map(pin).collect()
}

/// Returns the forbidden holds of a scene, each with its location in the file.
pub(super) fn forbidden(
    context: &SceneContext,
    entries: &[Spanned<ForbiddenEntry>],
) -> Result<Vec<(HoldId, Range<usize>)>, FileError> {
    let places = entries.iter().filter(|entry| matches!(entry.get_ref(), ForbiddenEntry::Near(_)));
    if let Some(entry) = places.clone().nth(MAX_PINS) {
        let message = format!("{} holds are forbidden by a point; at most {MAX_PINS} are allowed", places.count());
        return Err(context.source.error(entry.span(), message).with_help("forbid holds by name"));
    }
    let hold = |entry: &Spanned<ForbiddenEntry>| {
        let hold = match entry.get_ref() {
            ForbiddenEntry::Name(name) => hold_named(context, name, entry.span(), OR_NEAR),
            ForbiddenEntry::Near(place) => hold_at(context, *place, entry.span()),
        };
        hold.map(|hold| (hold, entry.span()))
    };
    entries.iter().map(hold).collect()
}

/// Forbids these holds, unless they are pinned or in contact elsewhere.
pub(super) fn forbid(
    source: &Source,
    problem: &mut Problem,
    forbidden: &[(HoldId, Range<usize>)],
) -> Result<(), FileError> {
    problem.forbidden_holds = forbidden.iter().map(|(hold, _)| *hold).collect();
    problem.forbidden_holds.sort_unstable();
    problem.forbidden_holds.dedup();
    reject_conflicts(problem).map_err(|(hold, error)| {
        let place = forbidden.iter().find(|(forbidden, _)| *forbidden == hold).map(|(_, place)| place.clone());
        source.error(place.unwrap_or_default(), error.message).with_help(error.help)
    })
}
