//! Numbers and strings of scene files.

use std::fmt::Write;

/// Formats a number to the millimeter, without trailing zeros.
pub(super) fn number(value: f64) -> String {
    number_with(value, 3)
}

/// Formats a number with at most this many decimals, at least one of them, without trailing zeros.
pub(super) fn number_with(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0');
    match text.strip_suffix('.') {
        Some("-0") => "0.0".to_owned(),
        Some(_) => format!("{text}0"),
        None => text.to_owned(),
    }
}

/// Formats a TOML string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {
                write!(quoted, "\\u{:04x}", u32::from(character)).expect("writing to a string cannot fail")
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
