//! Where a posture faces: left or right in the plane, a direction, or a heading in degrees.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use clamber_model::character::RootJoint;
use clamber_model::math::{Vec3, atan2, sin_cos};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use toml::Spanned;

use crate::common_field_types::{Number, Point};
use crate::error::{FileError, Source};

/// The value of `facing`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FacingEntry {
    /// Along -x.
    Left,
    /// Along +x.
    Right,
    /// Along the horizontal part of a direction.
    Direction(Point),
}

impl<'de> Deserialize<'de> for FacingEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Facings;
        impl<'de> Visitor<'de> for Facings {
            type Value = FacingEntry;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("\"left\", \"right\" or a direction (such as [1, 0, 0])")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<FacingEntry, E> {
                match word {
                    "left" => Ok(FacingEntry::Left),
                    "right" => Ok(FacingEntry::Right),
                    _ => Err(E::unknown_variant(word, &["left", "right"])),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<FacingEntry, A::Error> {
                Point::deserialize(SeqAccessDeserializer::new(sequence)).map(FacingEntry::Direction)
            }
        }
        deserializer.deserialize_any(Facings)
    }
}

impl JsonSchema for FacingEntry {
    fn schema_name() -> Cow<'static, str> {
        "FacingEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let direction = generator.subschema_for::<Point>();
        json_schema!({
            "description": "Left or right for a planar character, or a direction.",
            "anyOf": [{ "type": "string", "enum": ["left", "right"] }, direction]
        })
    }
}

/// Returns the horizontal unit vector that a posture faces along; +x unless it says otherwise.
pub(super) fn direction(
    source: &Source,
    facing: Option<&Spanned<FacingEntry>>,
    heading: Option<&Spanned<Number>>,
    root: RootJoint,
) -> Result<Vec3, FileError> {
    match (facing, heading) {
        (Some(_), Some(heading)) if root == RootJoint::Free => {
            let message = "both `facing` and `heading` say where the character faces";
            Err(source.error(heading.span(), message).with_help("keep one of the two"))
        }
        (Some(facing), _) => match (*facing.get_ref(), root) {
            (FacingEntry::Direction(along), _) => horizontal(source, facing.span(), along.xyz, root),
            (_, RootJoint::Free) => {
                let message = "only planar characters face \"left\" or \"right\"";
                let help = "write a direction, such as [1, 0, 0], or use `heading`, in degrees";
                Err(source.error(facing.span(), message).with_help(help))
            }
            (FacingEntry::Left, RootJoint::Planar) => Ok(Vec3::NEG_X),
            (FacingEntry::Right, RootJoint::Planar) => Ok(Vec3::X),
        },
        (None, Some(heading)) => {
            let (sin, cos) = sin_cos(heading.get_ref().radians());
            Ok(Vec3::new(cos, 0.0, -sin))
        }
        (None, None) => Ok(Vec3::X),
    }
}

/// Returns the heading of a horizontal direction in degrees.
pub(super) fn heading_of(direction: Vec3) -> Number {
    Number(atan2(-direction.z, direction.x).to_degrees())
}

fn horizontal(source: &Source, place: Range<usize>, along: Vec3, root: RootJoint) -> Result<Vec3, FileError> {
    let (part, help) = match root {
        RootJoint::Planar => (Vec3::new(along.x, 0.0, 0.0), "write \"left\", \"right\", or a direction such as [1, 0]"),
        RootJoint::Free => (along.with_y(0.0), "write a direction along the ground, such as [1, 0, 0]; y is up"),
    };
    part.try_normalize()
        .ok_or_else(|| source.error(place, "nobody can face a direction without a horizontal part").with_help(help))
}
