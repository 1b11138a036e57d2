//! glTF 2.0, text and binary: the triangles of the default scene, placed by its nodes.

use std::path::Path;

use clamber_model::math::Vec3;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;

use super::{Mesh, ReadFile, is_sensible};
use crate::error::FileError;

/// Nodes nested deeper than this are refused, so that a file cannot exhaust the stack.
const MAX_DEPTH: usize = 64;

/// Meshes of more triangles than this are refused, so that a small file that repeats a mesh cannot exhaust memory.
const MAX_TRIANGLES: usize = 20_000_000;

pub(super) fn parse(file: &Path, bytes: &[u8], read: &ReadFile) -> Result<Mesh, FileError> {
    let gltf =
        gltf::Gltf::from_slice(bytes).map_err(|error| FileError::whole(file, format!("not valid glTF: {error}")))?;
    let gltf::Gltf { document, blob } = gltf;
    let buffers = document
        .buffers()
        .map(|buffer| buffer_bytes(file, &buffer, blob.as_deref(), read))
        .collect::<Result<Vec<_>, _>>()?;
    let mut mesh = Mesh::default();
    let scene = document.default_scene().or_else(|| document.scenes().next());
    let Some(scene) = scene else { return Err(FileError::whole(file, "the file has no scene")) };
    for node in scene.nodes() {
        add_node(file, &node, IDENTITY, &buffers, &mut mesh, 0)?;
    }
    Ok(mesh)
}

fn buffer_bytes(
    file: &Path,
    buffer: &gltf::Buffer,
    blob: Option<&[u8]>,
    read: &ReadFile,
) -> Result<Vec<u8>, FileError> {
    let about = |message: String| FileError::whole(file, format!("buffer {}: {message}", buffer.index()));
    let bytes = match buffer.source() {
        gltf::buffer::Source::Bin => blob.ok_or_else(|| about("the file has no binary part".to_owned()))?.to_vec(),
        gltf::buffer::Source::Uri(uri) => match uri.split_once(";base64,") {
            Some((kind, data)) if kind.starts_with("data:") => {
                decode_base64(data).ok_or_else(|| about("its base64 data is broken".to_owned()))?
            }
            _ => {
                let path = file.parent().unwrap_or(Path::new("")).join(uri);
                read(&path).map_err(|error| about(format!("cannot read {}: {error}", path.display())))?
            }
        },
    };
    if bytes.len() < buffer.length() {
        return Err(about(format!("it has {} bytes and should have {}", bytes.len(), buffer.length())));
    }
    Ok(bytes)
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// Columns of a 4x4 matrix, as glTF lists them.
type Matrix = [[f32; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum()))
}

fn place(matrix: &Matrix, [x, y, z]: [f32; 3]) -> Vec3 {
    let row = |r: usize| matrix[0][r] * x + matrix[1][r] * y + matrix[2][r] * z + matrix[3][r];
    Vec3::new(row(0), row(1), row(2))
}

fn add_node(
    file: &Path,
    node: &gltf::Node,
    world_from_parent: Matrix,
    buffers: &[Vec<u8>],
    mesh: &mut Mesh,
    depth: usize,
) -> Result<(), FileError> {
    if depth > MAX_DEPTH {
        return Err(FileError::whole(file, format!("node {} is nested deeper than {MAX_DEPTH}", node.index())));
    }
    let world_from_node = product(&world_from_parent, &node.transform().matrix());
    if let Some(part) = node.mesh() {
        for primitive in part.primitives() {
            let about = |message: &str| {
                FileError::whole(file, format!("mesh {}, primitive {}: {message}", part.index(), primitive.index()))
            };
            if primitive.mode() != Mode::Triangles {
                return Err(
                    about("only lists of triangles can be read").with_help("export triangles, not strips or lines")
                );
            }
            add_primitive(&primitive, &world_from_node, buffers, mesh).map_err(|message| about(&message))?;
        }
    }
    for child in node.children() {
        add_node(file, &child, world_from_node, buffers, mesh, depth + 1)?;
    }
    Ok(())
}

fn add_primitive(
    primitive: &gltf::Primitive,
    world_from_node: &Matrix,
    buffers: &[Vec<u8>],
    mesh: &mut Mesh,
) -> Result<(), String> {
    let positions = primitive.get(&gltf::Semantic::Positions).ok_or("it has no positions")?;
    let first = mesh.vertices.len();
    for element in elements(&positions, (DataType::F32, Dimensions::Vec3), buffers)? {
        let number = |k: usize| f32::from_le_bytes([element[k], element[k + 1], element[k + 2], element[k + 3]]);
        let vertex = place(world_from_node, [number(0), number(4), number(8)]);
        if !is_sensible(vertex) {
            return Err(format!("vertex {} is not at a usable place", mesh.vertices.len() - first));
        }
        mesh.vertices.push(vertex);
    }
    let count = mesh.vertices.len() - first;
    let indices: Vec<u32> = match primitive.indices() {
        None => (0..count as u32).collect(),
        Some(accessor) => {
            let kind = accessor.data_type();
            elements(&accessor, (kind, Dimensions::Scalar), buffers)?
                .map(|element| element.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
                .collect()
        }
    };
    if mesh.triangles.len() + indices.len() / 3 > MAX_TRIANGLES {
        return Err(format!("the scene has more than {MAX_TRIANGLES} triangles"));
    }
    for corners in indices.chunks_exact(3) {
        if let Some(bad) = corners.iter().find(|&&corner| corner as usize >= count) {
            return Err(format!("it names vertex {bad} of {count}"));
        }
        mesh.triangles.push([corners[0], corners[1], corners[2]].map(|corner| first as u32 + corner));
    }
    Ok(())
}

/// The bytes of each element of an accessor, every bound checked: the file is not to be trusted.
fn elements<'a>(
    accessor: &gltf::Accessor,
    (data_type, dimensions): (DataType, Dimensions),
    buffers: &'a [Vec<u8>],
) -> Result<impl Iterator<Item = &'a [u8]>, String> {
    if accessor.data_type() != data_type || accessor.dimensions() != dimensions {
        return Err(format!("accessor {} is not of the kind that glTF asks for", accessor.index()));
    }
    if accessor.sparse().is_some() {
        return Err(format!("accessor {} is sparse, which cannot be read", accessor.index()));
    }
    let view = accessor.view().ok_or_else(|| format!("accessor {} has no data", accessor.index()))?;
    let buffer = buffers.get(view.buffer().index()).ok_or("a view names a buffer that is not there")?;
    let size = accessor.size();
    let stride = view.stride().unwrap_or(size);
    let range = || {
        let start = view.offset().checked_add(accessor.offset())?;
        let length = accessor.count().checked_sub(1)?.checked_mul(stride)?.checked_add(size)?;
        let end = start.checked_add(length)?;
        let view_end = view.offset().checked_add(view.length())?;
        (end <= view_end.min(buffer.len())).then_some(start..end)
    };
    let range = range().ok_or_else(|| format!("accessor {} reaches past its data", accessor.index()))?;
    Ok(buffer[range].chunks(stride.max(1)).map(move |chunk| &chunk[..size]))
}
