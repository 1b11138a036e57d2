//! Conditions and effects are keywords, or tables in which one key selects the variant.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::body_names::BodyNames;
use super::version_1::Version1;
use crate::error::{FileError, Source};

/// Names that edges can refer to.
pub(super) struct KnownNames<'a> {
    pub body: &'a BodyNames,
    /// The words of version 1; `None` in later versions.
    pub version_1: Option<&'a Version1>,
    pub groups: Vec<&'a str>,
    /// The number of effectors of each group.
    pub group_sizes: Vec<usize>,
    pub modes: Vec<&'a str>,
    pub edges: Vec<&'a str>,
}

/// A keyword, or a table for variants with parameters.
#[derive(Debug)]
pub(super) enum KeywordOrTable<W, T> {
    Keyword(W),
    Table(Box<T>),
}

/// A table in which exactly one of `KEYS` selects the variant; other keys are its parameters.
pub(super) trait VariantTable {
    const KEYS: &[&str];
}

impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + VariantTable> Deserialize<'de> for KeywordOrTable<W, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<W, T>(PhantomData<(W, T)>);
        impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + VariantTable> Visitor<'de> for Either<W, T> {
            type Value = KeywordOrTable<W, T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a keyword in quotes or a table in braces")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
                if T::KEYS.contains(&word) {
                    return Err(E::custom(format!("`{word}` needs braces, as in {{ {word} = ... }}")));
                }
                W::deserialize(StrDeserializer::new(word)).map(KeywordOrTable::Keyword)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|table| KeywordOrTable::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<W: JsonSchema, T: JsonSchema> JsonSchema for KeywordOrTable<W, T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Or{}", W::schema_name(), T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (word, table) = (generator.subschema_for::<W>(), generator.subschema_for::<T>());
        json_schema!({ "anyOf": [word, table] })
    }
}

/// Rejects a table that does not have exactly one of these keys.
pub(super) fn require_one_key(
    source: &Source,
    place: Range<usize>,
    what: &str,
    keys: &[&str],
    given: &[bool],
) -> Result<(), FileError> {
    let list = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<String>>().join(", ");
    let found: Vec<&str> = keys.iter().zip(given).filter(|(_, given)| **given).map(|(key, _)| *key).collect();
    match found.as_slice() {
        [_] => Ok(()),
        [] => {
            let message = format!("the {what} is empty");
            Err(source.error(place, message).with_help(format!("expected one of {}", list(keys))))
        }
        several => {
            let message = format!("several {what}s in one table: {}", list(several));
            Err(source.error(place, message).with_help("put each into its own braces"))
        }
    }
}

/// Returns a key that must be present exactly if another one is.
pub(super) fn require_companion<'a, T>(
    source: &Source,
    place: Range<usize>,
    [key, of]: [&str; 2],
    is_wanted: bool,
    given: Option<&'a Spanned<T>>,
) -> Result<Option<&'a Spanned<T>>, FileError> {
    match given {
        None if is_wanted => {
            let message = format!("`{of}` needs `{key}`");
            Err(source.error(place, message).with_help(format!("add `{key}` inside the braces")))
        }
        Some(given) if !is_wanted => {
            let message = format!("`{key}` belongs to `{of}`, which is missing");
            Err(source.error(given.span(), message).with_help("remove it"))
        }
        given => Ok(given),
    }
}
