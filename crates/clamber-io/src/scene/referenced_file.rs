//! Reads the files that a scene refers to.

use toml::Spanned;

use crate::error::{FileError, Source, reason};
use crate::read_from_disk::ReadFile;
use crate::suggest_name::abbreviate;

/// Returns the bytes of a file that the scene refers to.
pub(super) fn read_referenced(source: &Source, name: &Spanned<String>, read: &ReadFile) -> Result<Vec<u8>, FileError> {
    let path = source.beside(name.get_ref());
    read(&path).map_err(|error| {
        let message = format!("cannot read {}: {}", abbreviate(&path.display().to_string()), reason(&error));
        source.error(name.span(), message).with_help("paths are relative to the folder of this file")
    })
}
