//! Looks names up, rejects duplicates and suggests the nearest known name.

use toml::Spanned;

use crate::error::{FileError, Source};

/// Shortens a quotation from a file so that the rest of the message stays visible.
pub(crate) fn abbreviate(text: &str) -> String {
    const LETTERS: usize = 60;
    let mut short: String = text.chars().take(LETTERS).collect();
    if text.chars().nth(LETTERS).is_some() {
        short.push_str("...");
    }
    short
}

/// Returns the index of a name in a list, or an error that suggests the nearest name.
pub(crate) fn find_named<Id: From<usize>, S: AsRef<str>>(
    source: &Source,
    what: &str,
    name: &Spanned<String>,
    known: &[S],
) -> Result<Id, FileError> {
    known.iter().position(|word| word.as_ref() == name.get_ref()).map(Id::from).ok_or_else(|| {
        let message = format!("there is no {what} `{}`", abbreviate(name.get_ref()));
        source.error(name.span(), message).with_help(suggest(name.get_ref(), known))
    })
}

/// Refuses a name that is empty or among the known ones.
pub(crate) fn reject_duplicate_name<'a>(
    source: &Source,
    name: &Spanned<String>,
    mut known: impl Iterator<Item = &'a String>,
) -> Result<(), FileError> {
    if name.get_ref().is_empty() {
        return Err(source.error(name.span(), "the name is empty").with_help("write a name between the quotes"));
    }
    if known.any(|known| known == name.get_ref()) {
        let message = format!("the name `{}` is already in use", abbreviate(name.get_ref()));
        return Err(source.error(name.span(), message).with_help("choose a unique name"));
    }
    Ok(())
}

/// Returns the known word that was probably meant by a misspelled one.
pub fn nearest_word<'a, S: AsRef<str>>(found: &str, known: &'a [S]) -> Option<&'a str> {
    let letters = found.chars().count();
    let near = known.iter().map(|word| (edit_distance(found, word.as_ref()), word.as_ref())).min().filter(
        // Some letters may differ, but not all.
        |(distance, word)| {
            let count = word.chars().count();
            *distance <= 1 + count.min(letters) / 3 && *distance < count.max(letters)
        },
    );
    near.map(|(_, word)| word)
}

/// Returns "did you mean `x`?" if a known word is close, otherwise the list of known words.
pub(crate) fn suggest<S: AsRef<str>>(found: &str, known: &[S]) -> String {
    match nearest_word(found, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None if known.is_empty() => "nothing can be named here".to_owned(),
        None => {
            let list: Vec<String> = known.iter().map(|word| format!("`{}`", word.as_ref())).collect();
            format!("expected one of {}", list.join(", "))
        }
    }
}

/// Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent letters.
fn edit_distance(a: &str, b: &str) -> usize {
    // A hostile file may hold long words; nothing that long is a misspelling.
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
    fn suggests_the_nearest_word() {
        let known = ["obstacle", "bounds", "start"];
        assert_eq!(suggest("obstcale", &known), "did you mean `obstacle`?");
        assert_eq!(suggest("bound", &known), "did you mean `bounds`?");
        assert_eq!(suggest("w", &["x", "y", "z"]), "expected one of `x`, `y`, `z`");
        assert_eq!(suggest("xyzzy", &known), "expected one of `obstacle`, `bounds`, `start`");
    }
}
