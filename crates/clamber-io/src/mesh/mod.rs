//! Triangle meshes from files.

mod obj;
mod gltf_file;

use std::path::Path;

use clamber_model::math::Vec3;

use crate::error::FileError;

/// Worlds of more triangles than this are refused. They would take minutes and gigabytes, and a small file can ask for
/// many: a scene may name a mesh, and a mesh a part of itself, again and again.
pub(crate) const MAX_TRIANGLES: usize = 1_000_000;

/// Vertices, and the triangles between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeshKind {
    Obj,
    Gltf,
}

impl MeshKind {
    /// What a file's ending says it is.
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "obj" => Some(Self::Obj),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// Reads a mesh of at least one triangle. `read` brings the further files that it names.
pub(crate) fn parse_mesh(kind: MeshKind, file: &Path, bytes: &[u8], read: &ReadFile) -> Result<Mesh, FileError> {
    match kind {
        MeshKind::Obj => obj::parse(file, bytes),
        MeshKind::Gltf => gltf_file::parse(file, bytes, read),
    }
}

/// Brings the bytes of a file: from disk, or from wherever the caller keeps them.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> std::io::Result<Vec<u8>> + 'a;

/// A coordinate is usable when it is finite and not absurdly large.
pub(crate) fn is_sensible(vertex: Vec3) -> bool {
    vertex.is_finite() && vertex.abs().max_element() <= 1e5
}
