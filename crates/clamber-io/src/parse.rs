//! TOML and JSON into typed values, with errors that name their place and suggest the nearest known word.

use serde::de::DeserializeOwned;

use crate::error::{FileError, Source};

pub(crate) fn parse_toml<T: DeserializeOwned>(source: &Source) -> Result<T, FileError> {
    toml::from_str(source.text).map_err(|error| {
        let message = error.message().trim();
        source.error(error.span().unwrap_or(0..0), message).with_suggestion(message)
    })
}

pub(crate) fn parse_json<T: DeserializeOwned>(source: &Source) -> Result<T, FileError> {
    serde_json::from_str(source.text).map_err(|error| {
        let full = error.to_string();
        let message = full.split(" at line ").next().unwrap_or(&full);
        source.error_at_line(error.line(), error.column(), message).with_suggestion(message)
    })
}

impl FileError {
    /// Turns "unknown field `a`, expected one of `b`, `c`" into a suggestion of the nearest.
    fn with_suggestion(mut self, message: &str) -> Self {
        let mut words = message.split('`').skip(1).step_by(2);
        let rest = ["unknown field", "unknown variant"].iter().find(|kind| message.starts_with(*kind));
        if let (Some(kind), Some(found)) = (rest, words.next()) {
            let known: Vec<&str> = words.collect();
            let what = if *kind == "unknown field" { "key" } else { "value" };
            self.message = format!("unknown {what} `{found}`");
            self.help = Some(suggest(found, &known));
        }
        self
    }
}

/// "did you mean `x`?" when a known word is near, the list of known words otherwise.
pub(crate) fn suggest<S: AsRef<str>>(found: &str, known: &[S]) -> String {
    let near = known
        .iter()
        .map(|word| (edit_distance(found, word.as_ref()), word.as_ref()))
        .min()
        .filter(|(distance, word)| *distance <= 1 + word.chars().count().min(found.chars().count()) / 3);
    match near {
        Some((_, word)) => format!("did you mean `{word}`?"),
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
        assert_eq!(suggest("xyzzy", &known), "known here: `obstacle`, `bounds`, `start`");
    }
}
