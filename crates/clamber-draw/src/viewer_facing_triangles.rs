//! Triangles that face the viewer, grouped into facets and into units that are cut away together.

use std::collections::BTreeMap;

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

use crate::camera::Camera;

/// A triangle that faces the viewer.
pub(crate) struct Face {
    pub obstacle: u32,
    /// Index into [`Faces::facets`].
    pub facet: u32,
    pub normal: Vec3,
    /// Bit k is set if path point k is behind the plane of the face.
    pub path_points_behind: u64,
    /// In subsamples of the picture.
    pub corners: [[f64; 2]; 3],
    /// Nearness at subsample (0, 0), and its change per subsample to the right and down, in meters.
    pub nearness: [f64; 3],
}

impl Face {
    /// Calls back with every subsample that the face covers on a picture of this size, and the nearness there.
    pub fn visit(&self, [width, height]: [usize; 2], mut at_sample: impl FnMut([usize; 2], f32)) {
        let limits = |axis: usize, most: usize| {
            let along = self.corners.map(|corner| corner[axis]);
            let low = along.into_iter().fold(f64::INFINITY, f64::min);
            let high = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
            // Casts saturate: NaN and coordinates far outside give an empty range.
            ((low - 0.5).ceil().max(0.0) as usize, ((high - 0.5).floor() + 1.0).clamp(0.0, most as f64) as usize)
        };
        let (left, right) = limits(0, width);
        let (top, bottom) = limits(1, height);
        let [a, b, c] = self.corners;
        let orientation = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let sides = [(a, b), (b, c), (c, a)];
        for y in top..bottom {
            for x in left..right {
                let (at_x, at_y) = (x as f64 + 0.5, y as f64 + 0.5);
                let inside = sides.iter().all(|(from, to)| {
                    orientation * ((to[0] - from[0]) * (at_y - from[1]) - (to[1] - from[1]) * (at_x - from[0])) >= 0.0
                });
                if inside {
                    let [zero, by_x, by_y] = self.nearness;
                    at_sample([x, y], (zero + by_x * at_x + by_y * at_y) as f32);
                }
            }
        }
    }
}

/// All triangles of an obstacle in one plane.
pub(crate) struct Facet {
    /// Unit that is cut away as a whole: a convex obstacle, or else the facet alone.
    pub cut_group: u32,
    pub is_of_convex: bool,
    /// Projected area, in square meters.
    pub seen_area: f32,
}

/// All faces of a world.
#[derive(Default)]
pub(crate) struct Faces {
    pub faces: Vec<Face>,
    pub facets: Vec<Facet>,
    pub cut_groups: u32,
}

impl Faces {
    /// Collects the faces for a picture with this many subsamples per pixel along each axis.
    pub fn new(world: &World, camera: &Camera, subsamples: usize, path_points: &[Vec3]) -> Self {
        let mut found = Self::default();
        for (index, obstacle) in world.obstacles.iter_enumerated() {
            found.add(index.index() as u32, obstacle, camera, subsamples as f64, path_points);
        }
        found
    }

    fn add(&mut self, index: u32, obstacle: &Obstacle, camera: &Camera, subsamples: f64, path_points: &[Vec3]) {
        let triangles = obstacle.triangles();
        let is_of_convex = is_convex(&triangles);
        let first_group = self.cut_groups;
        let samples = f64::from(camera.scale) * subsamples;
        let mut facet_of_plane: BTreeMap<[i32; 4], u32> = BTreeMap::new();
        for [a, b, c] in triangles {
            let twice_area = (b - a).cross(c - a);
            let mut normal = twice_area.normalize_or_zero();
            // Surfaces without volume are visible from both sides.
            if normal.dot(camera.axes.toward) < 0.0 && !obstacle.is_solid() {
                normal = -normal;
            }
            let [right, up, toward] = camera.axes.coordinates(normal).map(f64::from);
            // Faces seen edge-on are invisible.
            if toward < 1e-3 {
                continue;
            }
            let [x, y, z] = normal.to_array().map(|x| (200.0 * x).round() as i32);
            let plane = [x, y, z, (50.0 * normal.dot(a)).round() as i32];
            let facet = *facet_of_plane.entry(plane).or_insert_with(|| {
                let cut_group = if is_of_convex { first_group } else { self.cut_groups };
                self.cut_groups = cut_group + 1;
                self.facets.push(Facet { cut_group, is_of_convex, seen_area: 0.0 });
                self.facets.len() as u32 - 1
            });
            self.facets[facet as usize].seen_area += 0.5 * twice_area.length() * toward as f32;
            let path_points_behind = (path_points.iter().enumerate())
                .fold(0, |mask, (k, point)| mask | u64::from((*point - a).dot(normal) < 0.0) << k);
            let corners = [a, b, c].map(|corner| camera.project(corner).map(|x| f64::from(x) * subsamples));
            let (by_x, by_y) = (-right / toward / samples, up / toward / samples);
            let near = f64::from(a.dot(camera.axes.toward));
            let nearness = [near - by_x * corners[0][0] - by_y * corners[0][1], by_x, by_y];
            self.faces.push(Face { obstacle: index, facet, normal, path_points_behind, corners, nearness });
        }
    }
}

/// Whether every corner is behind every triangle. Only tested for simple shapes; others count as nonconvex.
fn is_convex(triangles: &[[Vec3; 3]]) -> bool {
    triangles.len() <= 100
        && triangles.iter().all(|[a, b, c]| {
            let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
            triangles.iter().flatten().all(|corner| (*corner - *a).dot(normal) < 1e-3)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_convex_and_l_shapes_are_not() {
        let block = Obstacle::polygon("block", &[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]], 0.0, 1.0).unwrap();
        assert!(is_convex(&block.triangles()));
        let ell = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let ell = Obstacle::polygon("ell", &ell, 0.0, 1.0).unwrap();
        assert!(!is_convex(&ell.triangles()));
    }
}
