//! Names as formats with narrower rules than ours can hold them.

use std::collections::BTreeSet;

/// The names with `_` for each letter that may not be in one; where that makes two the same, the later gets a number.
pub(crate) fn plain_names<'a>(
    names: impl IntoIterator<Item = &'a str>,
    is_barred: impl Fn(char) -> bool,
) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut plain_names = Vec::new();
    for name in names {
        let plain = if name.is_empty() { "_".to_owned() } else { name.replace(&is_barred, "_") };
        let mut name = plain.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        plain_names.push(name);
    }
    plain_names
}
