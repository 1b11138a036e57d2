//! The mesh files of a scene: each is read once, and together they have a limit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clamber_model::math::{Pose, Vec3};
use toml::Spanned;

use super::referenced_file::read_referenced;
use crate::common_field_types::Number;
use crate::error::{FileError, Source};
use crate::mesh::{MAX_TRIANGLES, Markers, MeshFormat, TriangleMesh, is_sensible, parse_mesh};
use crate::read_from_disk::ReadFile;
use crate::suggest_name::abbreviate;

/// Meshes by path: a scene may use one many times.
pub(super) struct MeshFiles<'a> {
    read: &'a ReadFile<'a>,
    meshes: BTreeMap<(PathBuf, Markers), TriangleMesh>,
    /// Of all uses so far.
    triangles: usize,
}

impl<'a> MeshFiles<'a> {
    pub fn new(read: &'a ReadFile<'a>) -> Self {
        Self { read, meshes: BTreeMap::new(), triangles: 0 }
    }

    /// Reads a file unless it is known, and counts one more use of its triangles.
    pub fn read(&mut self, source: &Source, file: &Spanned<String>, markers: Markers) -> Result<(), FileError> {
        let Some(kind) = MeshFormat::of(Path::new(file.get_ref())) else {
            let message = format!("`{}` is not a supported mesh format", abbreviate(file.get_ref()));
            return Err(source.error(file.span(), message).with_help("use an .obj, .gltf or .glb file"));
        };
        let key = (source.beside(file.get_ref()), markers);
        if !self.meshes.contains_key(&key) {
            let bytes = read_referenced(source, file, self.read)?;
            let mesh = parse_mesh(kind, &key.0, &bytes, (self.read, markers))?;
            self.meshes.insert(key.clone(), mesh);
        }
        let TriangleMesh { vertices, triangles, .. } = &self.meshes[&key];
        // Vertices count too: some may have no triangle.
        self.triangles += triangles.len().max(vertices.len() / 3);
        if self.triangles > MAX_TRIANGLES {
            let message = format!("with this mesh the scene has more than {MAX_TRIANGLES} triangles");
            return Err(source.error(file.span(), message).with_help("use simpler meshes"));
        }
        Ok(())
    }

    /// Returns a mesh that was read.
    pub fn get(&self, source: &Source, file: &Spanned<String>, markers: Markers) -> &TriangleMesh {
        &self.meshes[&(source.beside(file.get_ref()), markers)]
    }
}

/// Moves the vertices of a mesh into the world.
pub(super) fn place_vertices(
    source: &Source,
    file: &Spanned<String>,
    (world_from_mesh, scale): (Pose, Option<&Spanned<Number>>),
    vertices: &mut [Vec3],
) -> Result<(), FileError> {
    let factor = scale.map_or(1.0, |scale| scale.get_ref().0);
    if let Some(given) = scale
        && factor <= 0.0
    {
        return Err(source.error(given.span(), "a scale must be greater than 0").with_help("write a positive number"));
    }
    for vertex in vertices {
        *vertex = world_from_mesh * (*vertex * factor);
        if !is_sensible(*vertex) {
            let message = "with this placement the mesh extends more than 100 km from the origin";
            return Err(source.error(file.span(), message).with_help("check `position` and `scale`"));
        }
    }
    Ok(())
}
