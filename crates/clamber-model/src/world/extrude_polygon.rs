//! Triangulates and extrudes simple polygons.

use crate::math::Vec3;

/// Why a list of points is not a simple polygon.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// There are fewer than three corners, or two consecutive ones coincide.
    #[error("a polygon needs at least three different corners")]
    TooFewCorners,
    /// Two sides cross or touch.
    #[error("sides {first} and {second} of the polygon cross or touch (the first side is 1)")]
    SidesCross {
        /// A side, counted from 1.
        first: usize,
        /// The other side, counted from 1.
        second: usize,
    },
}

/// Returns the vertices and the outward triangles of a simple polygon extruded from `low` to `high` along z.
///
/// Corners may be in clockwise or counterclockwise order.
pub(super) fn extrude(corners: &[[f32; 2]], low: f32, high: f32) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), PolygonError> {
    let mut corners = corners.to_vec();
    check_simple(&corners)?;
    if signed_area(&corners) < 0.0 {
        corners.reverse();
    }
    let count = corners.len() as u32;
    let layer = |z: f32| corners.iter().map(move |[x, y]| Vec3::new(*x, *y, z));
    let vertices: Vec<Vec3> = layer(low).chain(layer(high)).collect();

    let mut triangles = Vec::with_capacity(4 * corners.len());
    for [a, b, c] in triangulate(&corners) {
        triangles.push([a + count, b + count, c + count]);
        triangles.push([a, c, b]);
    }
    for a in 0..count {
        let b = (a + 1) % count;
        triangles.push([a, b, b + count]);
        triangles.push([a, b + count, a + count]);
    }
    Ok((vertices, triangles))
}

fn signed_area(corners: &[[f32; 2]]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let twice: f64 = corners
        .iter()
        .zip(next)
        .map(|([ax, ay], [bx, by])| f64::from(*ax) * f64::from(*by) - f64::from(*bx) * f64::from(*ay))
        .sum();
    0.5 * twice
}

/// Returns twice the signed area of a triangle, positive if it is counterclockwise.
fn signed_double_area([ax, ay]: [f32; 2], [bx, by]: [f32; 2], [cx, cy]: [f32; 2]) -> f64 {
    let [ax, ay, bx, by, cx, cy] = [ax, ay, bx, by, cx, cy].map(f64::from);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn check_simple(corners: &[[f32; 2]]) -> Result<(), PolygonError> {
    let count = corners.len();
    let repeated = (0..count).any(|i| corners[i] == corners[(i + 1) % count]);
    if count < 3 || repeated {
        return Err(PolygonError::TooFewCorners);
    }
    for i in 0..count {
        for j in i + 1..count {
            let (a, b) = (corners[i], corners[(i + 1) % count]);
            let (c, d) = (corners[j], corners[(j + 1) % count]);
            let adjacent = j == i + 1 || (i == 0 && j == count - 1);
            let touch = if adjacent { folds_back(a, b, c, d, j == i + 1) } else { segments_touch(a, b, c, d) };
            if touch {
                return Err(PolygonError::SidesCross { first: i + 1, second: j + 1 });
            }
        }
    }
    Ok(())
}

/// Returns whether two sides that share a corner overlap.
fn folds_back(a: [f32; 2], b: [f32; 2], c: [f32; 2], d: [f32; 2], second_follows: bool) -> bool {
    let (tip, corner, other) = if second_follows { (a, b, d) } else { (b, a, c) };
    let along = |p: [f32; 2]| [f64::from(p[0] - corner[0]), f64::from(p[1] - corner[1])];
    let (u, v) = (along(tip), along(other));
    signed_double_area(tip, corner, other) == 0.0 && u[0] * v[0] + u[1] * v[1] > 0.0
}

fn segments_touch(a: [f32; 2], b: [f32; 2], c: [f32; 2], d: [f32; 2]) -> bool {
    let (ab_c, ab_d, cd_a, cd_b) = (
        signed_double_area(a, b, c),
        signed_double_area(a, b, d),
        signed_double_area(c, d, a),
        signed_double_area(c, d, b),
    );
    if ab_c * ab_d < 0.0 && cd_a * cd_b < 0.0 {
        return true;
    }
    let within =
        |p: [f32; 2], q: [f32; 2], r: [f32; 2]| (0..2).all(|k| p[k].min(q[k]) <= r[k] && r[k] <= p[k].max(q[k]));
    (ab_c == 0.0 && within(a, b, c))
        || (ab_d == 0.0 && within(a, b, d))
        || (cd_a == 0.0 && within(c, d, a))
        || (cd_b == 0.0 && within(c, d, b))
}

/// Triangulates a simple counterclockwise polygon by ear clipping.
fn triangulate(corners: &[[f32; 2]]) -> Vec<[u32; 3]> {
    let mut remaining: Vec<u32> = (0..corners.len() as u32).collect();
    let mut triangles = Vec::with_capacity(corners.len() - 2);
    let at = |index: u32| corners[index as usize];
    while remaining.len() > 3 {
        let count = remaining.len();
        let ear = (0..count).find(|&i| {
            let [a, b, c] = [remaining[(i + count - 1) % count], remaining[i], remaining[(i + 1) % count]];
            let inside = |p: [f32; 2]| {
                signed_double_area(at(a), at(b), p) >= 0.0
                    && signed_double_area(at(b), at(c), p) >= 0.0
                    && signed_double_area(at(c), at(a), p) >= 0.0
            };
            signed_double_area(at(a), at(b), at(c)) > 0.0
                && !remaining.iter().any(|&p| ![a, b, c].contains(&p) && inside(at(p)))
        });
        // With collinear corners there may be no strict ear; any flat corner can then be cut.
        let ear = ear.unwrap_or(0);
        triangles.push([remaining[(ear + count - 1) % count], remaining[ear], remaining[(ear + 1) % count]]);
        remaining.remove(ear);
    }
    triangles.push([remaining[0], remaining[1], remaining[2]]);
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELL: [[f32; 2]; 6] = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];

    fn volume(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
        let six: f32 =
            triangles.iter().map(|t| t.map(|i| vertices[i as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum();
        six / 6.0
    }

    #[test]
    fn the_volume_of_an_extrusion_does_not_depend_on_the_order_of_corners() {
        for corners in [ELL.to_vec(), ELL.iter().rev().copied().collect()] {
            let (vertices, triangles) = extrude(&corners, -1.0, 1.0).unwrap();
            assert!((volume(&vertices, &triangles) - 10.0).abs() < 1e-4);
        }
    }

    #[test]
    fn crossing_sides_are_reported() {
        let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        assert_eq!(extrude(&bow_tie, 0.0, 1.0).unwrap_err(), PolygonError::SidesCross { first: 1, second: 3 });
        let spike = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        assert!(matches!(extrude(&spike, 0.0, 1.0), Err(PolygonError::SidesCross { .. })));
    }
}
