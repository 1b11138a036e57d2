//! Triangle meshes from files.

mod obj;
mod gltf_file;

use std::path::Path;

use clamber_model::math::Vec3;

use crate::error::FileError;

/// Vertices, and the triangles between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Reads a mesh; its kind follows from the file's ending. `read` brings the further files that it names.
pub(crate) fn parse_mesh(file: &Path, bytes: &[u8], read: &ReadFile) -> Result<Mesh, FileError> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    let mesh = match ending.as_str() {
        "obj" => obj::parse(file, bytes)?,
        "gltf" | "glb" => gltf_file::parse(file, bytes, read)?,
        _ => {
            let message = format!("meshes ending in `.{ending}` cannot be read");
            return Err(FileError::whole(file, message).with_help("meshes are read from .obj, .gltf and .glb"));
        }
    };
    if mesh.triangles.is_empty() {
        return Err(FileError::whole(file, "the mesh has no triangles"));
    }
    Ok(mesh)
}

/// Brings the bytes of a file: from disk, or from wherever the caller keeps them.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> std::io::Result<Vec<u8>> + 'a;

/// A coordinate is usable when it is finite and not absurdly large.
pub(crate) fn is_sensible(vertex: Vec3) -> bool {
    vertex.is_finite() && vertex.abs().max_element() <= 1e5
}
