//! Deserializes TOML and JSON, and translates the parsers' errors into located, plain messages with suggestions.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use toml::Spanned;
use toml::de::DeTable;

use crate::error::{FileError, Source};
use crate::reject_control_characters::reject_in_table;
use crate::suggest_name::{abbreviate, suggest};

/// Longest TOML file, in bytes. The parser may need 250 bytes of memory for each.
const LONGEST_TOML: usize = 3_000_000;

/// Parses a TOML file and checks its `version`.
pub(crate) fn parse_toml<T: DeserializeOwned>(source: &Source, versions: RangeInclusive<u32>) -> Result<T, FileError> {
    if source.text.len() > LONGEST_TOML {
        let message = format!("the file is longer than {LONGEST_TOML} bytes");
        let help = "move large geometry into mesh files";
        return Err(source.error(LONGEST_TOML..LONGEST_TOML, message).with_help(help));
    }
    #[derive(Deserialize)]
    struct Versioned {
        version: Spanned<u32>,
    }
    // Checked first: a file of another version may have keys that are unknown in this one.
    if let Ok(found) = toml::from_str::<Versioned>(source.text) {
        check_version(source, found.version.span(), *found.version.get_ref(), versions)?;
    }
    let plain = |error: toml::de::Error| plain_error(source, error.span().unwrap_or(0..0), error.message());
    let document = DeTable::parse(source.text).map_err(plain)?;
    reject_in_table(source, document.get_ref())?;
    T::deserialize(toml::de::Deserializer::from(document)).map_err(plain)
}

/// Parses a JSON file and checks its `version`. Values whose errors need their own location stay [`RawValue`]s for
/// [`parse_raw`].
pub(crate) fn parse_json<'a, T: Deserialize<'a>>(
    source: &Source<'a>,
    versions: RangeInclusive<u32>,
) -> Result<T, FileError> {
    #[derive(Deserialize)]
    struct Versioned<'a> {
        #[serde(borrow)]
        version: &'a RawValue,
    }
    if let Ok(Versioned { version: part }) = serde_json::from_str(source.text)
        && let Ok(found) = serde_json::from_str(part.get())
    {
        check_version(source, source.range_of(part.get()), found, versions)?;
    }
    serde_json::from_str(source.text).map_err(|error| json_error(source, 0, &error))
}

/// Parses a raw value of a JSON file.
pub(crate) fn parse_raw<'a, T: Deserialize<'a>>(source: &Source<'a>, part: &'a RawValue) -> Result<T, FileError> {
    serde_json::from_str(part.get()).map_err(|error| json_error(source, source.range_of(part.get()).start, &error))
}

/// Creates an error for the JSON value that begins at byte `part`.
fn json_error(source: &Source, part: usize, error: &serde_json::Error) -> FileError {
    let full = error.to_string();
    let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message);
    let line_start: usize = source.text[part..].split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
    let at = part + line_start + error.column().max(1) - 1;
    plain_error(source, at..at + 1, message)
}

/// Rejects unsupported format versions.
fn check_version(
    source: &Source,
    place: Range<usize>,
    found: u32,
    known: RangeInclusive<u32>,
) -> Result<(), FileError> {
    if known.contains(&found) {
        return Ok(());
    }
    let message = format!("version {found} of this format is not supported");
    let help = match (known.start(), known.end()) {
        (first, last) if first == last => format!("this program reads version {last}"),
        (first, last) => format!("this program reads versions {first} to {last}"),
    };
    Err(source.error(place, message).with_help(help))
}

/// Rewrites a parser's message for people who know the file but not this program.
fn plain_error(source: &Source, place: Range<usize>, message: &str) -> FileError {
    let message = message.trim();
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| message.starts_with(beginning));
    // The quoted words come in order: "unknown field `a`, expected one of `b`, `c`".
    let mut quoted = message.split('`').skip(1).step_by(2);
    if begins(&["unknown field", "unknown variant"]) {
        let what = if begins(&["unknown field"]) { "key" } else { "value" };
        let found = quoted.next().unwrap_or("");
        let known: Vec<&str> = quoted.collect();
        source.error(place, format!("unknown {what} `{}`", abbreviate(found))).with_help(suggest(found, &known))
    } else if begins(&["missing field"]) {
        let key = quoted.next().unwrap_or("");
        source.error(place, format!("the key `{key}` is missing")).with_help(format!("add `{key} = ...` here"))
    } else if begins(&["duplicate"]) {
        source.error(place, "this key appears twice").with_help("remove one of the two")
    } else if begins(&["cannot recurse", "recursion limit"]) {
        source.error(place, "lists or tables are nested too deeply").with_help("use fewer levels of brackets or braces")
    } else if begins(&["string values must be quoted", "invalid boolean"]) {
        source
            .error(place, "this is neither a number nor text in quotes")
            .with_help("put quotes around text, as in name = \"cave\"")
    } else if begins(&["invalid type: map, expected a sequence"]) {
        source
            .error(place, "expected a list, found a table")
            .with_help("a list of tables has double brackets, as in [[obstacle]]")
    } else {
        source.error(place, wrong_kind(message).unwrap_or_else(|| message.to_owned()))
    }
}

/// Rewrites messages such as "invalid type: integer `3`, expected a map".
fn wrong_kind(message: &str) -> Option<String> {
    if message == "wanted string or table" {
        return Some("expected text in quotes".to_owned());
    }
    let (found, wanted) = message.strip_prefix("invalid ")?.rsplit_once(", expected ")?;
    let wanted = match wanted {
        "u32" | "usize" => "a whole number that is not negative",
        "a string" => "text in quotes",
        "a sequence" => "a list",
        "a map" => "a table",
        wanted => wanted,
    };
    let found = if let Some(count) = found.strip_prefix("length ") {
        format!("a list of {count}")
    } else {
        let found = found.strip_prefix("type: ").or_else(|| found.strip_prefix("value: "))?;
        match found.split_once(' ') {
            Some(("integer" | "floating" | "number", _)) => format!("the number {}", found.split('`').nth(1)?),
            Some(("string", text)) => format!("the text {}", abbreviate(text)),
            _ if found == "sequence" => "a list".to_owned(),
            _ if found == "map" => "a table".to_owned(),
            _ => abbreviate(found),
        }
    };
    Some(format!("expected {wanted}, found {found}"))
}

/// Returns the entries of a table in file order.
pub(crate) fn in_order<T>(table: &BTreeMap<Spanned<String>, T>) -> Vec<(&Spanned<String>, &T)> {
    let mut entries: Vec<(&Spanned<String>, &T)> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}
