//! Unique names for formats that allow fewer characters than our files.

use std::collections::BTreeSet;

/// Replaces each disallowed character with `_` and appends a number to later duplicates.
pub(crate) fn unique_names<'a>(
    names: impl IntoIterator<Item = &'a str>,
    is_disallowed: impl Fn(char) -> bool,
) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut unique_names = Vec::new();
    for name in names {
        let plain = if name.is_empty() { "_".to_owned() } else { name.replace(&is_disallowed, "_") };
        let mut name = plain.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        unique_names.push(name);
    }
    unique_names
}
