//! Words of the table: a bare word, or a table of which one key says what it is.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use crate::error::{FileError, Source};

/// What edges may name.
pub(super) struct Names<'a> {
    pub groups: Vec<&'a str>,
    pub modes: Vec<&'a str>,
    pub edges: Vec<&'a str>,
}

/// A word, or a table for what needs more.
#[derive(Debug)]
pub(super) enum WordOr<W, T> {
    Word(W),
    Table(Box<T>),
}

/// A table of which exactly one key says what it is; further keys belong to it.
pub(super) trait Table {
    const KEYS: &[&str];
}

impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + Table> Deserialize<'de> for WordOr<W, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<W, T>(PhantomData<(W, T)>);
        impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + Table> Visitor<'de> for Either<W, T> {
            type Value = WordOr<W, T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a word in quotes or a table in braces")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
                if T::KEYS.contains(&word) {
                    return Err(E::custom(format!("`{word}` needs braces, as in {{ {word} = ... }}")));
                }
                W::deserialize(StrDeserializer::new(word)).map(WordOr::Word)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|table| WordOr::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<W: JsonSchema, T: JsonSchema> JsonSchema for WordOr<W, T> {
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

/// Refuses a table of which not exactly one key is given.
pub(super) fn refuse_all_but_one(
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
            let message = format!("this says no {what}");
            Err(source.error(place, message).with_help(format!("known here: {}", list(keys))))
        }
        several => {
            let message = format!("these are several {what}s: {}", list(several));
            Err(source.error(place, message).with_help("give each braces of its own"))
        }
    }
}

/// A key that belongs to another one: there with it, and not without.
pub(super) fn companion<'a, T>(
    source: &Source,
    place: Range<usize>,
    [key, of]: [&str; 2],
    is_wanted: bool,
    given: Option<&'a Spanned<T>>,
) -> Result<Option<&'a Spanned<T>>, FileError> {
    match given {
        None if is_wanted => {
            let message = format!("`{of}` needs `{key}`");
            Err(source.error(place, message).with_help(format!("add `{key}` within the braces")))
        }
        Some(given) if !is_wanted => {
            let message = format!("`{key}` belongs to `{of}`, which is not here");
            Err(source.error(given.span(), message).with_help("leave it out"))
        }
        given => Ok(given),
    }
}
