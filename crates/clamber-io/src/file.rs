//! Files from disk.

use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Files of more bytes than this are refused: a scene may name anything, such as a device that never ends.
const MOST_BYTES: u64 = 1 << 30;

/// The bytes of a file.
pub(crate) fn read_file(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}
