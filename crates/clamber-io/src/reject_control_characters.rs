//! Control characters in files: line breaks, tabs and escape codes in names would garble terminals, reports and pictures.
//!
//! Readers refuse them, so that nothing that prints a name needs to escape it.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::error::{FileError, Source};

const HELP: &str = "remove it, or replace it with a space";

/// Whether a character is a control character, or a line or paragraph separator.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Rejects text with a control character. `range` is its byte range in the source.
pub(crate) fn reject_control_characters(source: &Source, range: Range<usize>, text: &str) -> Result<(), FileError> {
    match text.chars().find(|c| is_control(*c)) {
        None => Ok(()),
        Some(c) => {
            let message = format!("the text contains the control character {}", c.escape_default());
            Err(source.error(range, message).with_help(HELP))
        }
    }
}

/// Rejects control characters in all keys and strings of a table.
pub(crate) fn reject_in_table(source: &Source, table: &DeTable) -> Result<(), FileError> {
    for (key, value) in table {
        reject_control_characters(source, key.span(), key.get_ref())?;
        reject_in_value(source, value.span(), value.get_ref())?;
    }
    Ok(())
}

fn reject_in_value(source: &Source, range: Range<usize>, value: &DeValue) -> Result<(), FileError> {
    match value {
        DeValue::String(text) => reject_control_characters(source, range, text),
        DeValue::Array(values) => {
            values.iter().try_for_each(|value| reject_in_value(source, value.span(), value.get_ref()))
        }
        DeValue::Table(table) => reject_in_table(source, table),
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => Ok(()),
    }
}
