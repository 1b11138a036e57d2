//! TOML and JSON into typed values, with errors that name their place, speak plainly and suggest the nearest known word.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use toml::Spanned;

use crate::error::{FileError, Source};

/// Longer TOML files are refused, in bytes: while one is read, each of its bytes may take 250 of memory.
const LONGEST_TOML: usize = 3_000_000;

/// Reads a TOML file whose key `version` has this value.
pub(crate) fn parse_toml<T: DeserializeOwned>(source: &Source, version: u32) -> Result<T, FileError> {
    if source.text.len() > LONGEST_TOML {
        let message = format!("the file is longer than {LONGEST_TOML} bytes");
        let help = "what is so large is better kept in meshes, which the scene names";
        return Err(source.error(LONGEST_TOML..LONGEST_TOML, message).with_help(help));
    }
    #[derive(Deserialize)]
    struct Versioned {
        version: Spanned<u32>,
    }
    // Before the rest, because a file of another version may have keys that are unknown in this one.
    if let Ok(found) = toml::from_str::<Versioned>(source.text) {
        check_version(source, found.version.span(), *found.version.get_ref(), version..=version)?;
    }
    toml::from_str(source.text).map_err(|error| plain_error(source, error.span().unwrap_or(0..0), error.message()))
}

/// Reads a JSON file whose key `version` has one of these values. Parts that are to be placed in errors are left as
/// [`RawValue`]s, for [`parse_part`].
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

/// Reads a part of a JSON file.
pub(crate) fn parse_part<'a, T: Deserialize<'a>>(source: &Source<'a>, part: &'a RawValue) -> Result<T, FileError> {
    serde_json::from_str(part.get()).map_err(|error| json_error(source, source.range_of(part.get()).start, &error))
}

/// An error of the part of the file that begins at this byte.
fn json_error(source: &Source, part: usize, error: &serde_json::Error) -> FileError {
    let full = error.to_string();
    let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message);
    let line_start: usize = source.text[part..].split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
    let at = part + line_start + error.column().max(1) - 1;
    plain_error(source, at..at + 1, message)
}

/// Refuses versions of a format that are not read here.
fn check_version(
    source: &Source,
    place: Range<usize>,
    found: u32,
    known: RangeInclusive<u32>,
) -> Result<(), FileError> {
    if known.contains(&found) {
        return Ok(());
    }
    let message = format!("version {found} of this format is not known");
    let help = match (known.start(), known.end()) {
        (first, last) if first == last => format!("this program reads version {last}"),
        (first, last) => format!("this program reads versions {first} to {last}"),
    };
    Err(source.error(place, message).with_help(help))
}

/// An error in words for people who know the file, not the program that reads it.
fn plain_error(source: &Source, place: Range<usize>, message: &str) -> FileError {
    let message = message.trim();
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| message.starts_with(beginning));
    // What the parsers quote comes in order: "unknown field `a`, expected one of `b`, `c`".
    let mut quoted = message.split('`').skip(1).step_by(2);
    if begins(&["unknown field", "unknown variant"]) {
        let what = if begins(&["unknown field"]) { "key" } else { "value" };
        let found = quoted.next().unwrap_or("");
        let known: Vec<&str> = quoted.collect();
        source.error(place, format!("unknown {what} `{}`", brief(found))).with_help(suggest(found, &known))
    } else if begins(&["missing field"]) {
        let key = quoted.next().unwrap_or("");
        source.error(place, format!("the key `{key}` is missing")).with_help(format!("add `{key}` here"))
    } else if begins(&["duplicate"]) {
        source.error(place, "this key is given twice").with_help("keep one of the two")
    } else if begins(&["cannot recurse", "recursion limit"]) {
        source.error(place, "lists or tables are nested too deeply")
    } else if begins(&["string values must be quoted", "invalid boolean"]) {
        source
            .error(place, "this is neither a number nor text in quotes")
            .with_help("put quotes around text, as in name = \"cave\"")
    } else if begins(&["invalid type: map, expected a sequence"]) {
        source
            .error(place, "found a table where a list should be")
            .with_help("a list of tables has double brackets, as in [[obstacle]]")
    } else {
        source.error(place, wrong_kind(message).unwrap_or_else(|| message.to_owned()))
    }
}

/// "invalid type: integer `3`, expected a map" in plain words.
fn wrong_kind(message: &str) -> Option<String> {
    if message == "wanted string or table" {
        return Some("this should be text in quotes".to_owned());
    }
    let (found, wanted) = message.strip_prefix("invalid ")?.rsplit_once(", expected ")?;
    let wanted = match wanted {
        "u32" | "usize" => "a whole number from 0 up",
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
            Some(("string", text)) => format!("the text {}", brief(text)),
            _ if found == "sequence" => "a list".to_owned(),
            _ if found == "map" => "a table".to_owned(),
            _ => brief(found),
        }
    };
    Some(format!("found {found} where {wanted} should be"))
}

/// What is quoted from a file is cut where it is no longer of use, so that the rest of the message stays in sight.
pub(crate) fn brief(text: &str) -> String {
    const LETTERS: usize = 60;
    let mut short: String = text.chars().take(LETTERS).collect();
    if text.chars().nth(LETTERS).is_some() {
        short.push_str("...");
    }
    short
}

/// The entries of a table in the order of the file.
pub(crate) fn in_order<T>(table: &BTreeMap<Spanned<String>, T>) -> Vec<(&Spanned<String>, &T)> {
    let mut entries: Vec<(&Spanned<String>, &T)> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// The place of a name in a list of known ones, or an error that suggests the nearest.
pub(crate) fn find_named<S: AsRef<str>>(
    source: &Source,
    what: &str,
    name: &Spanned<String>,
    known: &[S],
) -> Result<usize, FileError> {
    known.iter().position(|word| word.as_ref() == name.get_ref()).ok_or_else(|| {
        let message = format!("there is no {what} `{}`", brief(name.get_ref()));
        source.error(name.span(), message).with_help(suggest(name.get_ref(), known))
    })
}

/// Refuses a name that is empty or among the known ones.
pub(crate) fn refuse_repeated<'a>(
    source: &Source,
    name: &Spanned<String>,
    mut known: impl Iterator<Item = &'a String>,
) -> Result<(), FileError> {
    if name.get_ref().is_empty() {
        return Err(source.error(name.span(), "a name must not be empty"));
    }
    if known.any(|known| known == name.get_ref()) {
        let message = format!("the name `{}` is taken already", brief(name.get_ref()));
        return Err(source.error(name.span(), message).with_help("give each a name of its own"));
    }
    Ok(())
}

/// The known word that is so near that it was probably meant.
pub(crate) fn nearest_word<'a, S: AsRef<str>>(found: &str, known: &'a [S]) -> Option<&'a str> {
    let letters = found.chars().count();
    let near = known.iter().map(|word| (edit_distance(found, word.as_ref()), word.as_ref())).min().filter(
        // A few letters may be wrong, but not all.
        |(distance, word)| {
            let count = word.chars().count();
            *distance <= 1 + count.min(letters) / 3 && *distance < count.max(letters)
        },
    );
    near.map(|(_, word)| word)
}

/// "did you mean `x`?" when a known word is near, the list of known words otherwise.
pub(crate) fn suggest<S: AsRef<str>>(found: &str, known: &[S]) -> String {
    match nearest_word(found, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None if known.is_empty() => "there is nothing to name here".to_owned(),
        None => {
            let list: Vec<String> = known.iter().map(|word| format!("`{}`", word.as_ref())).collect();
            format!("known here: {}", list.join(", "))
        }
    }
}

/// How many letters to add, drop, change or swap with their neighbour to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    // Words of a hostile file may be long; nothing that long is a misspelling.
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swap = if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    rows[i - 2][j - 2] + 1
                } else {
                    usize::MAX
                };
                change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested() {
        let known = ["obstacle", "bounds", "start"];
        assert_eq!(suggest("obstcale", &known), "did you mean `obstacle`?");
        assert_eq!(suggest("bound", &known), "did you mean `bounds`?");
        assert_eq!(suggest("w", &["x", "y", "z"]), "known here: `x`, `y`, `z`");
        assert_eq!(suggest("xyzzy", &known), "known here: `obstacle`, `bounds`, `start`");
    }
}
