//! The small values that files are made of: numbers, places, angles, turned frames.

use std::borrow::Cow;
use std::fmt;

use clamber_model::math::{Pose, Rotation, Vec3, rotation_about};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The greatest number a file may hold: beyond, single precision could not tell millimetres apart by far.
const LARGEST: f64 = 1e5;

/// A finite number of a sensible size.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub(crate) struct Number(pub f32);

impl Number {
    /// Read as degrees.
    pub fn radians(self) -> f32 {
        self.0.to_radians()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl Visitor<'_> for Numbers {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a number from -{LARGEST} to {LARGEST}")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
                if number.abs() <= LARGEST {
                    Ok(Number(number as f32))
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Float(number), &self))
                }
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                self.visit_f64(number as f64)
            }
        }
        deserializer.deserialize_f64(Numbers)
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": -LARGEST, "maximum": LARGEST })
    }
}

/// Two or three coordinates; two lie in the plane z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub xyz: Vec3,
    pub is_planar: bool,
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Places;
        impl<'de> Visitor<'de> for Places {
            type Value = Place;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("two or three numbers in brackets, such as [1.0, 2.5]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Place, A::Error> {
                let mut numbers = [0.0; 3];
                let mut count = 0;
                while let Some(Number(number)) = sequence.next_element()? {
                    if count == 3 {
                        return Err(A::Error::invalid_length(4, &self));
                    }
                    numbers[count] = number;
                    count += 1;
                }
                if count < 2 {
                    return Err(A::Error::invalid_length(count, &self));
                }
                Ok(Place { xyz: Vec3::from_array(numbers), is_planar: count == 2 })
            }
        }
        deserializer.deserialize_seq(Places)
    }
}

impl JsonSchema for Place {
    fn schema_name() -> Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = generator.subschema_for::<Number>();
        json_schema!({
            "type": "array", "items": number, "minItems": 2, "maxItems": 3,
            "description": "Coordinates in metres; two lie in the plane z = 0."
        })
    }
}

/// Three coordinates.
pub(crate) type Triple = [Number; 3];

pub(crate) fn vec3(triple: Triple) -> Vec3 {
    Vec3::from_array(triple.map(|Number(number)| number))
}

/// How something is turned, in degrees: `roll` about x, then `pitch` about z, then `heading` about y.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Turn {
    /// About the vertical, counter-clockwise seen from above.
    pub heading: Number,
    /// About z: lifts what points along x.
    pub pitch: Number,
    /// About x.
    pub roll: Number,
}

impl Turn {
    pub fn rotation(&self) -> Rotation {
        rotation_about(Vec3::Y, self.heading.radians())
            * rotation_about(Vec3::Z, self.pitch.radians())
            * rotation_about(Vec3::X, self.roll.radians())
    }

    pub fn at(&self, place: Vec3) -> Pose {
        Pose::from_parts(place, self.rotation())
    }
}
