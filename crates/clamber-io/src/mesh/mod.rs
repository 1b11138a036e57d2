//! Reads triangle meshes from OBJ and glTF files.

mod node_markers;
mod triangle_mesh;
mod read_obj;
mod read_gltf;

use std::path::Path;

pub(crate) use self::node_markers::{Markers, NodeMarkers};
pub(crate) use self::triangle_mesh::{MAX_TRIANGLES, MeshPart, TriangleMesh, is_sensible};

use crate::error::FileError;
use crate::read_from_disk::ReadFile;

/// The supported formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeshFormat {
    Obj,
    Gltf,
}

impl MeshFormat {
    /// Returns the format for a file extension.
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "obj" => Some(Self::Obj),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// Parses a mesh with at least one triangle. `read` returns the bytes of files that it refers to.
pub(crate) fn parse_mesh(
    kind: MeshFormat,
    file: &Path,
    bytes: &[u8],
    (read, markers): (&ReadFile, Markers),
) -> Result<TriangleMesh, FileError> {
    match kind {
        MeshFormat::Obj => read_obj::parse(file, bytes, markers),
        MeshFormat::Gltf => read_gltf::parse(file, bytes, (read, markers)),
    }
}
