//! glTF 2.0, text and binary: reads the triangles of the default scene with their node transforms and names.

use std::path::Path;

use clamber_model::math::Vec3;
use gltf::accessor::{DataType, Dimensions};
use gltf::json::validation;
use gltf::mesh::Mode;

use super::node_markers::{Markers, NodeMarkers};
use super::triangle_mesh::{MAX_TRIANGLES, TriangleMesh, is_sensible};
use crate::error::{FileError, Source, reason};
use crate::read_from_disk::ReadFile;
use crate::suggest_name::abbreviate;

/// Most vertices, for the same reason as [`MAX_TRIANGLES`]: a node repeats a mesh in a few bytes.
const MAX_VERTICES: usize = 3 * MAX_TRIANGLES;

/// Most bytes in all buffers: a file may refer to the same large buffer many times.
const MAX_BUFFER_BYTES: usize = 1 << 29;

/// Most JSON objects: the library needs up to a kilobyte for an empty one.
const MAX_OBJECTS: usize = 300_000;

pub(super) fn parse(
    file: &Path,
    bytes: &[u8],
    (read, markers): (&ReadFile, Markers),
) -> Result<TriangleMesh, FileError> {
    let (document, blob) = if bytes.starts_with(b"glTF") {
        let (json, blob) = split_binary(bytes).map_err(|message| FileError::without_location(file, message))?;
        (parse_document(file, json, None)?, blob)
    } else {
        let source = Source::new(file, bytes)?;
        (parse_document(file, source.text.as_bytes(), Some(&source))?, None)
    };
    let mut buffers = Vec::new();
    let mut total = 0;
    for buffer in document.buffers() {
        let bytes = buffer_bytes(file, &buffer, blob, read)?;
        total += bytes.len();
        if total > MAX_BUFFER_BYTES {
            let message = format!("with buffer {} the file has more than {MAX_BUFFER_BYTES} bytes", buffer.index());
            return Err(FileError::without_location(file, message));
        }
        buffers.push(bytes);
    }
    let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) else {
        return Err(
            FileError::without_location(file, "the file has no scene").with_help("export a scene with the mesh in it")
        );
    };
    let mesh = collect(file, (&document, &scene), &buffers, markers)?;
    if mesh.triangles.is_empty() {
        let message = format!("scene {} has no triangles", scene.index());
        return Err(FileError::without_location(file, message).with_help("export a scene with the mesh in it"));
    }
    Ok(mesh)
}

/// Returns the JSON and binary chunks of a .glb file. Done here because the library trusts the chunk lengths.
fn split_binary(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let word = |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    match word(4) {
        Some(2) => {}
        Some(version) => return Err(format!("the header says glTF version {version}; only version 2 is supported")),
        None => return Err("the header is truncated".to_owned()),
    }
    let chunk = |at: usize, kind: &[u8; 4], what: &str| {
        let start = at + 8;
        let found = bytes.get(at + 4..start).ok_or_else(|| format!("the file is truncated before its {what} part"))?;
        if found != kind {
            return Err(format!("expected the {what} part of binary glTF at byte {at}"));
        }
        let length = word(at).unwrap_or(0) as usize;
        let content = bytes.get(start..).and_then(|rest| rest.get(..length));
        content.ok_or_else(|| format!("the {what} part should have {length} bytes, but the file is truncated"))
    };
    let json = chunk(12, b"JSON", "JSON")?;
    let next = 20 + json.len();
    let blob = if next < bytes.len() { Some(chunk(next, b"BIN\0", "binary")?) } else { None };
    Ok((json, blob))
}

fn parse_document(file: &Path, json: &[u8], source: Option<&Source>) -> Result<gltf::Document, FileError> {
    let mut objects = json.iter().enumerate().filter(|(_, byte)| **byte == b'{').map(|(at, _)| at);
    if let Some(at) = objects.nth(MAX_OBJECTS) {
        let message = format!("the JSON part has more than {MAX_OBJECTS} objects");
        return Err(match source {
            Some(source) => source.error(at..at + 1, message),
            None => FileError::without_location(file, message),
        });
    }
    let root = gltf::json::Root::from_slice(json)
        .map_err(|error| invalid_gltf(file, source, gltf::Error::Deserialize(error)))?;
    // The library's validation below would index these without a bounds check.
    for (index, mesh) in root.meshes.iter().enumerate() {
        let mut accessors = mesh.primitives.iter().flat_map(|primitive| primitive.attributes.values());
        if let Some(missing) = accessors.find(|accessor| accessor.value() >= root.accessors.len()) {
            let message = format!("mesh {index} refers to accessor {}, which does not exist", missing.value());
            return Err(FileError::without_location(file, message));
        }
    }
    gltf::Document::from_json(root).map_err(|error| invalid_gltf(file, source, error))
}

/// Converts an error of the library; with a line if the JSON is its own file.
fn invalid_gltf(file: &Path, source: Option<&Source>, error: gltf::Error) -> FileError {
    match error {
        gltf::Error::Deserialize(error) => {
            let full = error.to_string();
            let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message);
            match source {
                Some(source) => {
                    source.error_at_line(error.line(), error.column(), format!("not valid glTF: {message}"))
                }
                None => FileError::without_location(file, format!("the JSON part is not valid glTF: {full}")),
            }
        }
        gltf::Error::Validation(errors) => {
            let Some((path, error)) = errors.first() else {
                return FileError::without_location(file, "not valid glTF");
            };
            let problem = match error {
                validation::Error::IndexOutOfBounds => "refers to something that does not exist",
                validation::Error::Invalid => "has a value that glTF does not allow",
                validation::Error::Missing => "is missing",
                validation::Error::Oversize => "is too large a number",
                validation::Error::Unsupported => "is an unsupported extension",
            };
            FileError::without_location(file, format!("not valid glTF: `{}` {problem}", abbreviate(path.as_str())))
        }
        error => FileError::without_location(file, format!("not valid glTF: {error}")),
    }
}

fn buffer_bytes(
    file: &Path,
    buffer: &gltf::Buffer,
    blob: Option<&[u8]>,
    read: &ReadFile,
) -> Result<Vec<u8>, FileError> {
    let about = |message: String| FileError::without_location(file, format!("buffer {}: {message}", buffer.index()));
    let bytes = match buffer.source() {
        gltf::buffer::Source::Bin => blob.ok_or_else(|| about("the file has no binary part".to_owned()))?.to_vec(),
        gltf::buffer::Source::Uri(uri) => match uri.split_once(";base64,") {
            Some((kind, data)) if kind.starts_with("data:") => {
                decode_base64(data).ok_or_else(|| about("its base64 data is invalid".to_owned()))?
            }
            _ => {
                let path = file.parent().unwrap_or(Path::new("")).join(decode_percent(uri));
                let name = abbreviate(&path.display().to_string());
                read(&path).map_err(|error| about(format!("cannot read {name}: {}", reason(&error))))?
            }
        },
    };
    if bytes.len() < buffer.length() {
        return Err(about(format!("it has {} bytes, expected {}", bytes.len(), buffer.length())));
    }
    Ok(bytes)
}

/// Decodes percent-encoded bytes: `my%20mesh.bin` is `my mesh.bin`.
fn decode_percent(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let decoded = code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| byte == b'%');
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
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

/// Whether a transform mirrors, which turns triangles inside out.
fn mirrors(matrix: &Matrix) -> bool {
    let [x, y, z] = [0, 1, 2].map(|column| Vec3::new(matrix[column][0], matrix[column][1], matrix[column][2]));
    x.cross(y).dot(z) < 0.0
}

/// What a node inherits.
#[derive(Clone)]
struct FromParent {
    world_from_parent: Matrix,
    markers: NodeMarkers,
}

/// Collects the triangles of a scene's nodes and their descendants.
fn collect(
    file: &Path,
    (document, scene): (&gltf::Document, &gltf::Scene),
    buffers: &[Vec<u8>],
    markers: Markers,
) -> Result<TriangleMesh, FileError> {
    let mut mesh = TriangleMesh::default();
    // glTF nodes form a tree. Without this check a cycle would never end.
    let mut seen = vec![false; document.nodes().len()];
    let root = FromParent { world_from_parent: IDENTITY, markers: NodeMarkers::default() };
    let mut waiting: Vec<(gltf::Node, FromParent)> = scene.nodes().map(|node| (node, root.clone())).collect();
    waiting.reverse();
    while let Some((node, from_parent)) = waiting.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            let message = format!("node {} has two parents or is its own ancestor", node.index());
            return Err(FileError::without_location(file, message)
                .with_help("glTF nodes must form a tree: give each node one parent"));
        }
        let of_node = FromParent {
            world_from_parent: product(&from_parent.world_from_parent, &node.transform().matrix()),
            markers: if markers == Markers::Read {
                markers_of(file, &node)?.or(&from_parent.markers)
            } else {
                NodeMarkers::default()
            },
        };
        if of_node.markers.ignore != Some(true) {
            add_node(file, &node, &of_node, buffers, &mut mesh)?;
        }
        let children = waiting.len();
        waiting.extend(node.children().map(|child| (child, of_node.clone())));
        waiting[children..].reverse();
    }
    Ok(mesh)
}

/// Returns the markers in the extras and the name of a node.
fn markers_of(file: &Path, node: &gltf::Node) -> Result<NodeMarkers, FileError> {
    let of_name = NodeMarkers::of_name(node.name().unwrap_or(""));
    let Some(extras) = node.extras() else { return Ok(of_name) };
    let of_extras = NodeMarkers::of_extras(extras).map_err(|(message, help)| {
        let name = match node.name() {
            Some(name) => format!("`{}`", abbreviate(name)),
            None => node.index().to_string(),
        };
        FileError::without_location(file, format!("node {name}: {message}")).with_help(help)
    })?;
    Ok(of_extras.or(&of_name))
}

/// Adds the mesh of a node.
fn add_node(
    file: &Path,
    node: &gltf::Node,
    FromParent { world_from_parent: world_from_node, markers }: &FromParent,
    buffers: &[Vec<u8>],
    mesh: &mut TriangleMesh,
) -> Result<(), FileError> {
    let Some(part) = node.mesh() else { return Ok(()) };
    let index = node.index();
    let object = match node.name().filter(|name| !name.trim().is_empty()) {
        Some(name) => mesh.numbered_part(name, index, markers.clone()),
        None => mesh.numbered_part(&format!("node {index}"), index, markers.clone()),
    };
    for primitive in part.primitives() {
        add_primitive(&primitive, (world_from_node, object), buffers, mesh).map_err(|message| {
            let (part, primitive) = (part.index(), primitive.index());
            FileError::without_location(file, format!("node {index}, mesh {part}, primitive {primitive}: {message}"))
        })?;
    }
    Ok(())
}

/// Adds the triangles of a primitive to a part of the mesh.
fn add_primitive(
    primitive: &gltf::Primitive,
    (world_from_node, part): (&Matrix, u32),
    buffers: &[Vec<u8>],
    mesh: &mut TriangleMesh,
) -> Result<(), String> {
    if primitive.mode() != Mode::Triangles {
        return Err("only triangle lists are supported; export triangles, not strips, lines or points".to_owned());
    }
    let positions = primitive.get(&gltf::Semantic::Positions).ok_or("it has no positions")?;
    let first = mesh.vertices.len();
    if first.saturating_add(positions.count()) > MAX_VERTICES {
        return Err(format!("the scene has more than {MAX_VERTICES} vertices so far"));
    }
    for element in elements(&positions, &[DataType::F32], Dimensions::Vec3, buffers)? {
        let number = |k: usize| f32::from_le_bytes([element[k], element[k + 1], element[k + 2], element[k + 3]]);
        let vertex = place(world_from_node, [number(0), number(4), number(8)]);
        if !is_sensible(vertex) {
            let index = mesh.vertices.len() - first;
            return Err(format!("vertex {index} is not finite, or more than 100 km from the origin"));
        }
        mesh.vertices.push(vertex);
    }
    let count = mesh.vertices.len() - first;
    let indices: Vec<u32> = match primitive.indices() {
        None => (0..count as u32).collect(),
        Some(accessor) if accessor.count() > 3 * MAX_TRIANGLES => {
            return Err(format!("it has more than {MAX_TRIANGLES} triangles"));
        }
        Some(accessor) => {
            elements(&accessor, &[DataType::U8, DataType::U16, DataType::U32], Dimensions::Scalar, buffers)?
                .map(|element| element.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
                .collect()
        }
    };
    if !indices.len().is_multiple_of(3) {
        return Err(format!("it has {} indices, which is not a multiple of 3", indices.len()));
    }
    if mesh.triangles.len() + indices.len() / 3 > MAX_TRIANGLES {
        return Err(format!("the scene has more than {MAX_TRIANGLES} triangles so far"));
    }
    let is_mirrored = mirrors(world_from_node);
    for corners in indices.chunks_exact(3) {
        if let Some(bad) = corners.iter().find(|&&corner| corner as usize >= count) {
            return Err(format!("it refers to vertex {bad}, but has {count}, counted from 0"));
        }
        let [a, b, c] = [corners[0], corners[1], corners[2]].map(|corner| first as u32 + corner);
        mesh.push(if is_mirrored { [a, c, b] } else { [a, b, c] }, part);
    }
    Ok(())
}

/// Returns the bytes of each element of an accessor, with all bounds checked: the file is untrusted.
fn elements<'a>(
    accessor: &gltf::Accessor,
    data_types: &[DataType],
    dimensions: Dimensions,
    buffers: &'a [Vec<u8>],
) -> Result<impl Iterator<Item = &'a [u8]>, String> {
    let about = |message: &str| format!("accessor {} {message}", accessor.index());
    if !data_types.contains(&accessor.data_type()) || accessor.dimensions() != dimensions {
        return Err(about("has the wrong component type or dimension"));
    }
    if accessor.sparse().is_some() {
        return Err(about("is sparse, which is not supported"));
    }
    let view = accessor.view().ok_or_else(|| about("has no data"))?;
    let buffer = buffers.get(view.buffer().index()).ok_or_else(|| about("refers to a buffer that does not exist"))?;
    let size = accessor.size();
    let stride = view.stride().unwrap_or(size);
    if stride < size {
        return Err(about("has elements that overlap: the stride of its view is too short"));
    }
    let range = || {
        let start = view.offset().checked_add(accessor.offset())?;
        let length = accessor.count().checked_sub(1)?.checked_mul(stride)?.checked_add(size)?;
        let end = start.checked_add(length)?;
        let view_end = view.offset().checked_add(view.length())?;
        (end <= view_end.min(buffer.len())).then_some(start..end)
    };
    let range = range().ok_or_else(|| about("is empty or exceeds its buffer view"))?;
    Ok(buffer[range].chunks(stride).map(move |chunk| &chunk[..size]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoded_uris_are_decoded() {
        assert_eq!(decode_percent("my%20mesh.bin"), "my mesh.bin");
        assert_eq!(decode_percent("100%.bin"), "100%.bin");
        assert_eq!(decode_percent("%c3%a9%"), "é%");
    }

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decode_base64("aGVsbG8=").unwrap(), b"hello");
        assert_eq!(decode_base64("aGVs\nbG8="), None);
    }
}
