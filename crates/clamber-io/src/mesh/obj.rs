//! Wavefront OBJ: the `v` and `f` lines, which are all that collision needs.
//!
//! Read here rather than by a library, because the errors must name the line.

use std::path::Path;

use clamber_model::math::Vec3;

use super::{MAX_TRIANGLES, Mesh, is_sensible};
use crate::error::{FileError, Source};
use crate::parse::brief;

pub(super) fn parse(file: &Path, bytes: &[u8]) -> Result<Mesh, FileError> {
    let source = Source::new(file, bytes)?;
    let mut mesh = Mesh::default();
    for (index, line) in source.text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let result = match words.next() {
            Some("v") => vertex(words).map(|vertex| mesh.vertices.push(vertex)),
            Some("f") => face(words, &mut mesh),
            // Normals, texture coordinates, groups, materials and comments do not shape the obstacle.
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

const FACE_HELP: &str = "a face is `f a b c ...`, each a vertex counted from 1, or from -1 backwards";

/// A problem and what would be right.
type Problem = (String, &'static str);

fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec3, Problem> {
    const HELP: &str = "a vertex is `v x y z`, in metres, within 100 km of the origin";
    let mut xyz = [0.0; 3];
    let mut count = 0;
    // A fourth number is a weight, three more are a colour: both are common and harmless.
    for (place, word) in xyz.iter_mut().zip(words) {
        *place = word.parse().map_err(|_| (format!("`{}` is not a number", brief(word)), HELP))?;
        count += 1;
    }
    let vertex = Vec3::from_array(xyz);
    if count < 3 {
        return Err((format!("the vertex has {count} coordinates"), HELP));
    }
    if !is_sensible(vertex) {
        return Err(("the vertex is not at a usable place".to_owned(), HELP));
    }
    Ok(vertex)
}

/// Adds a face, cut into a fan of triangles.
fn face<'a>(words: impl Iterator<Item = &'a str>, mesh: &mut Mesh) -> Result<(), Problem> {
    const HELP: &str = FACE_HELP;
    let known = mesh.vertices.len() as i64;
    let mut first = None;
    let mut previous = None;
    let mut triangles = 0;
    for word in words {
        let number = word.split('/').next().unwrap_or("");
        let index: i64 =
            number.parse().map_err(|_| (format!("`{}` is not the number of a vertex", brief(word)), HELP))?;
        let index = if index < 0 { known.saturating_add(index) } else { index - 1 };
        if !(0..known).contains(&index) {
            let message = format!("`{}` names a vertex that is not there: {known} come before this line", brief(word));
            return Err((message, HELP));
        }
        let index = index as u32;
        if let (Some(first), Some(previous)) = (first, previous) {
            if mesh.triangles.len() == MAX_TRIANGLES {
                return Err((format!("this is more than {MAX_TRIANGLES} triangles"), "use a simpler mesh"));
            }
            mesh.triangles.push([first, previous, index]);
            triangles += 1;
        }
        if first.is_none() {
            first = Some(index);
        } else {
            previous = Some(index);
        }
    }
    if triangles == 0 { Err(("the face has fewer than three corners".to_owned(), HELP)) } else { Ok(()) }
}
