//! Reads files from disk.

use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Largest file, in bytes. A scene may refer to anything, such as an endless device.
const MAX_BYTES: u64 = 1 << 30;

/// Returns the bytes of a file.
pub(crate) fn read_file(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Returns the bytes of a file, from disk or from wherever the caller keeps them.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> std::io::Result<Vec<u8>> + 'a;
