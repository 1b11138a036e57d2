//! Wavefront OBJ: reads the `v` and `f` lines, which are all that collision needs, and the names of objects: the `o` lines, or
//! the `g` lines of a file without objects.
//!
//! Parsed here and not by a library, because errors must name the line.

use std::path::Path;

use clamber_model::math::Vec3;

use super::node_markers::{Markers, NodeMarkers};
use super::triangle_mesh::{MAX_TRIANGLES, TriangleMesh, is_sensible};
use crate::error::{FileError, Source};
use crate::suggest_name::abbreviate;

pub(super) fn parse(file: &Path, bytes: &[u8], markers: Markers) -> Result<TriangleMesh, FileError> {
    let source = Source::new(file, bytes)?;
    let mut mesh = TriangleMesh::default();
    let has_objects = source.text.lines().any(|line| line.split_whitespace().next() == Some("o"));
    let part_keyword = if has_objects { "o" } else { "g" };
    let mut part = mesh.part("", NodeMarkers::default());
    let mut is_ignored = false;
    for (index, line) in source.text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let result = match words.next() {
            Some("v") => vertex(words).map(|vertex| mesh.vertices.push(vertex)),
            Some("f") if is_ignored => Ok(()),
            Some("f") => face(words, part, &mut mesh),
            Some(word) if word == part_keyword => {
                let name = words.collect::<Vec<&str>>().join(" ");
                let marked =
                    if markers == Markers::Read { NodeMarkers::of_name(&name) } else { NodeMarkers::default() };
                is_ignored = marked.ignore == Some(true);
                part = mesh.part(&name, marked);
                Ok(())
            }
            // Normals, texture coordinates, materials and comments do not shape the obstacle.
            _ => Ok(()),
        };
        result.map_err(|(message, help)| source.error_at_line(index + 1, 1, message).with_help(help))?;
    }
    if mesh.triangles.is_empty() {
        let end = source.text.trim_end().len();
        return Err(source.error(end..end, "the file ends without a face").with_help(FACE_HELP));
    }
    Ok(mesh)
}

const FACE_HELP: &str = "a face is `f a b c ...` with vertex numbers from 1, or negative numbers from the end";

/// A message and its help.
type MessageAndHelp = (String, &'static str);

fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec3, MessageAndHelp> {
    const HELP: &str = "a vertex is `v x y z` in meters, within 100 km of the origin";
    let mut xyz = [0.0; 3];
    let mut count = 0;
    // A fourth number is a weight and three more are a color: both are common and ignored.
    for (place, word) in xyz.iter_mut().zip(words) {
        *place = word.parse().map_err(|_| (format!("`{}` is not a number", abbreviate(word)), HELP))?;
        count += 1;
    }
    let vertex = Vec3::from_array(xyz);
    if count < 3 {
        return Err((format!("the vertex has {count} coordinates"), HELP));
    }
    if !is_sensible(vertex) {
        return Err(("the vertex is not finite, or is too far away".to_owned(), HELP));
    }
    Ok(vertex)
}

/// Adds a face to a part, as a fan of triangles.
fn face<'a>(words: impl Iterator<Item = &'a str>, part: u32, mesh: &mut TriangleMesh) -> Result<(), MessageAndHelp> {
    const HELP: &str = FACE_HELP;
    let known = mesh.vertices.len() as i64;
    let mut first = None;
    let mut previous = None;
    let mut triangles = 0;
    for word in words {
        let number = word.split('/').next().unwrap_or("");
        let index: i64 =
            number.parse().map_err(|_| (format!("`{}` is not a vertex number", abbreviate(word)), HELP))?;
        let index = if index < 0 { known.saturating_add(index) } else { index - 1 };
        if !(0..known).contains(&index) {
            let message = format!("`{}` refers to a missing vertex: {known} precede this line", abbreviate(word));
            return Err((message, HELP));
        }
        let index = index as u32;
        if let (Some(first), Some(previous)) = (first, previous) {
            if mesh.triangles.len() == MAX_TRIANGLES {
                return Err((format!("the mesh has more than {MAX_TRIANGLES} triangles"), "use a simpler mesh"));
            }
            mesh.push([first, previous, index], part);
            triangles += 1;
        }
        if first.is_none() {
            first = Some(index);
        } else {
            previous = Some(index);
        }
    }
    if triangles == 0 { Err(("the face has fewer than three vertices".to_owned(), HELP)) } else { Ok(()) }
}
