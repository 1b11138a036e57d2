//! Values that all file formats share: bounded numbers, points, angles, orientations, hold types.

use std::borrow::Cow;
use std::fmt;

use clamber_model::character::RootJoint;
use clamber_model::math::{Pose, Rotation, Vec3, rotation_about};
use clamber_model::world::{HoldType, MAX_FRICTION};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use toml::Spanned;

use crate::error::{FileError, Source};

/// Largest absolute value of a number. Far beyond it, single precision no longer resolves millimeters.
pub(crate) const LARGEST: f64 = 1e5;

/// A finite number within [`LARGEST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub(crate) struct Number(pub f32);

impl Number {
    /// Converts degrees to radians.
    pub fn radians(self) -> f32 {
        self.0.to_radians()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        sensible_number(deserializer).map(|number| Self(number as f32))
    }
}

/// Accepts integers and floats.
fn sensible_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    struct Numbers;
    impl Visitor<'_> for Numbers {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "a number from -{LARGEST} to {LARGEST}")
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
            // This comparison also rejects NaN.
            if number.abs() <= LARGEST { Ok(number) } else { Err(E::invalid_value(Unexpected::Float(number), &self)) }
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
            self.visit_f64(number as f64)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
            self.visit_f64(number as f64)
        }
    }
    deserializer.deserialize_f64(Numbers)
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
pub(crate) struct Point {
    pub xyz: Vec3,
    pub is_planar: bool,
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Places;
        impl<'de> Visitor<'de> for Places {
            type Value = Point;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("two or three numbers in brackets (such as [1.0, 2.5])")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Point, A::Error> {
                let mut numbers = [0.0; 3];
                let count = read_numbers(sequence, &mut numbers)?;
                if !(2..=3).contains(&count) {
                    return Err(A::Error::invalid_length(count, &self));
                }
                Ok(Point { xyz: Vec3::from_array(numbers), is_planar: count == 2 })
            }
        }
        deserializer.deserialize_seq(Places)
    }
}

impl JsonSchema for Point {
    fn schema_name() -> Cow<'static, str> {
        "Point".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = generator.subschema_for::<Number>();
        json_schema!({
            "type": "array", "items": number, "minItems": 2, "maxItems": 3,
            "description": "Coordinates in meters; two lie in the plane z = 0."
        })
    }
}

/// Exactly `COUNT` numbers. For a plain array, the TOML reader ignores surplus elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers<const COUNT: usize>(pub [f32; COUNT]);

impl<const COUNT: usize> Serialize for Numbers<COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

/// Three coordinates.
pub(crate) type Triple = Numbers<3>;

impl<const COUNT: usize> Default for Numbers<COUNT> {
    fn default() -> Self {
        Self([0.0; COUNT])
    }
}

impl<'de, const COUNT: usize> Deserialize<'de> for Numbers<COUNT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lists<const COUNT: usize>;
        impl<'de, const COUNT: usize> Visitor<'de> for Lists<COUNT> {
            type Value = Numbers<COUNT>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a list of {COUNT} numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Numbers<COUNT>, A::Error> {
                let mut numbers = Numbers::default();
                let count = read_numbers(sequence, &mut numbers.0)?;
                if count == COUNT { Ok(numbers) } else { Err(A::Error::invalid_length(count, &self)) }
            }
        }
        deserializer.deserialize_seq(Lists)
    }
}

impl<const COUNT: usize> JsonSchema for Numbers<COUNT> {
    fn schema_name() -> Cow<'static, str> {
        format!("Numbers{COUNT}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = generator.subschema_for::<Number>();
        json_schema!({ "type": "array", "items": number, "minItems": COUNT, "maxItems": COUNT })
    }
}

/// Fills `numbers` from the sequence and returns the length of the sequence.
fn read_numbers<'de, A: SeqAccess<'de>>(mut sequence: A, numbers: &mut [f32]) -> Result<usize, A::Error> {
    let mut count = 0;
    while count < numbers.len() {
        let Some(Number(number)) = sequence.next_element()? else { return Ok(count) };
        numbers[count] = number;
        count += 1;
    }
    while sequence.next_element::<IgnoredAny>()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// Formats a point as the scene file of this kind of character writes it.
pub(crate) fn point_text(place: Vec3, root: RootJoint) -> String {
    match root {
        RootJoint::Planar => format!("[{:.3}, {:.3}]", place.x, place.y),
        RootJoint::Free => format!("[{:.3}, {:.3}, {:.3}]", place.x, place.y, place.z),
    }
}

pub(crate) fn vec3(Numbers(xyz): Triple) -> Vec3 {
    Vec3::from_array(xyz)
}

/// An angle of a motion in degrees.
///
/// Double precision and nine digits, so that single-precision radians survive a round trip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Degrees(f64);

impl Degrees {
    pub fn from_radians(radians: f32) -> Self {
        let degrees = f64::from(radians).to_degrees();
        Self(format!("{degrees:.8e}").parse().unwrap_or(degrees))
    }

    pub fn radians(self) -> f32 {
        self.0.to_radians() as f32
    }
}

impl<'de> Deserialize<'de> for Degrees {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        sensible_number(deserializer).map(Self)
    }
}

impl JsonSchema for Degrees {
    fn schema_name() -> Cow<'static, str> {
        Number::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Number::json_schema(generator)
    }
}

/// An orientation in degrees: `roll` about x, then `pitch` about z, then `heading` about y.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "a table such as { heading = 90 }")]
pub(crate) struct Orientation {
    /// About y, counter-clockwise seen from above.
    pub heading: Number,
    /// About z; positive raises the x axis.
    pub pitch: Number,
    /// About x.
    pub roll: Number,
}

impl Orientation {
    pub fn rotation(&self) -> Rotation {
        rotation_about(Vec3::Y, self.heading.radians())
            * rotation_about(Vec3::Z, self.pitch.radians())
            * rotation_about(Vec3::X, self.roll.radians())
    }

    pub fn at(&self, place: Vec3) -> Pose {
        Pose::from_parts(place, self.rotation())
    }
}

/// How a hold can bear weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum HoldTypeEntry {
    /// For standing on.
    LoadBearing,
    /// For hanging from.
    Pendent,
    /// Either.
    Hybrid,
}

impl HoldTypeEntry {
    pub fn hold_type(self) -> HoldType {
        match self {
            Self::LoadBearing => HoldType::LoadBearing,
            Self::Pendent => HoldType::Pendent,
            Self::Hybrid => HoldType::Hybrid,
        }
    }
}

/// Returns each listed type once, in the order of [`HoldType::ALL`].
pub(crate) fn hold_types(entries: &[HoldTypeEntry]) -> Vec<HoldType> {
    HoldType::ALL.into_iter().filter(|known| entries.iter().any(|entry| entry.hold_type() == *known)).collect()
}

/// Like [`hold_types`], but rejects an empty list.
pub(crate) fn nonempty_hold_types(
    source: &Source,
    types: &Spanned<Vec<HoldTypeEntry>>,
) -> Result<Vec<HoldType>, FileError> {
    if types.get_ref().is_empty() {
        let help = "list at least one of `load-bearing`, `pendent`, `hybrid`";
        return Err(source.error(types.span(), "the list of hold types is empty").with_help(help));
    }
    Ok(hold_types(types.get_ref()))
}

pub(crate) fn non_negative(source: &Source, number: &Spanned<Number>, what: &str) -> Result<f32, FileError> {
    let Number(value) = *number.get_ref();
    if value >= 0.0 {
        Ok(value)
    } else {
        Err(source.error(number.span(), format!("{what} must not be negative")).with_help("write 0 or more"))
    }
}

/// Returns a fraction, from 0 to 1. `help` says what 1 is.
pub(crate) fn fraction(source: &Source, number: &Spanned<Number>, help: &str) -> Result<f32, FileError> {
    let Number(value) = *number.get_ref();
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(source.error(number.span(), "a fraction must be from 0 to 1").with_help(help))
    }
}

/// Returns a coefficient of friction, from 0 to [`MAX_FRICTION`].
pub(crate) fn coefficient_of_friction(source: &Source, given: &Spanned<Number>) -> Result<f32, FileError> {
    let Number(friction) = *given.get_ref();
    if (0.0..=MAX_FRICTION).contains(&friction) {
        return Ok(friction);
    }
    let message = format!("a coefficient of friction of {friction} is out of range");
    Err(source.error(given.span(), message).with_help(format!("use 0 (ice) to {MAX_FRICTION}; dry rock has about 0.8")))
}

/// Rejects numbers up to 0. Errors call the number `what`.
pub(crate) fn positive(source: &Source, number: &Spanned<Number>, what: &str) -> Result<f32, FileError> {
    let Number(value) = *number.get_ref();
    if value > 0.0 {
        Ok(value)
    } else {
        Err(source.error(number.span(), format!("{what} must be greater than 0")).with_help("write a positive number"))
    }
}
