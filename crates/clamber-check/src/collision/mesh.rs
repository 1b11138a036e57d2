//! Triangle meshes.

use clamber_model::math::Vec3 as SingleVec3;
use clamber_model::math::double::Vec3;

use super::box_tree::{Bounds, BoxTree};
use super::mesh_topology::{Component, ComponentTriangle, split};
use super::segment::to_triangle;

/// A mesh whose closed components are solid.
///
/// A point is inside a solid if a ray from it leaves the solid's surface more often than it enters it, or less often where
/// the surface faces inward: its winding number is not 0. So blocks that touch or overlap are solid in any case. A closed
/// component that faces inward and lies inside another one is a cavity of it.
pub(super) struct Mesh {
    triangles: Vec<ComponentTriangle>,
    /// For each component, the solid that it bounds; `None` if it is open.
    solids: Vec<Option<u32>>,
    tree: BoxTree,
}

/// Directions of rays, tried in turn until one passes through no edge.
const RAYS: [Vec3; 4] = [
    Vec3::new(0.531_716_9, 0.786_151_3, 0.314_986_7),
    Vec3::new(-0.413_921_7, 0.610_083_9, -0.675_482_1),
    Vec3::new(0.271_828_1, -0.833_315_7, 0.481_324_9),
    Vec3::new(-0.707_930_3, -0.141_421_9, 0.691_983_1),
];

/// Most vertices of an inward component that are tested for being inside another one.
const CAVITY_SAMPLES: usize = 64;
/// Points of a segment whose depth is measured.
const DEPTH_SAMPLES: usize = 9;

impl Mesh {
    pub fn new(vertices: &[SingleVec3], triangles: &[[u32; 3]]) -> Self {
        let (triangles, components) = split(vertices, triangles);
        let boxes: Vec<Bounds> = triangles.iter().map(|triangle| Bounds::of_points(triangle.corners)).collect();
        let solids =
            components.iter().zip(0..).map(|(component, index)| component.is_closed.then_some(index)).collect();
        let mut mesh = Self { triangles, solids, tree: BoxTree::new(boxes) };
        mesh.find_cavities(&components);
        mesh
    }

    pub fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// Returns the distance of a segment from the surface, if it is less than `bound`; 0 if they intersect.
    pub fn segment_distance(&self, segment: [Vec3; 2], bound: f64) -> Option<f64> {
        let distance = |index: usize| to_triangle(segment, self.triangles[index].corners);
        self.tree.least_distance(&Bounds::of_points(segment), bound, distance)
    }

    /// Whether a point is inside a solid.
    pub fn contains(&self, point: Vec3) -> bool {
        !self.solids_around(point).is_empty()
    }

    /// Returns the depth of a point: its distance from the surface of the solid that it is deepest in; 0 outside.
    pub fn depth(&self, point: Vec3) -> f64 {
        let depth = |solid: u32| {
            let distance = |index: usize| {
                let ComponentTriangle { corners, component } = self.triangles[index];
                let is_surface = self.solids[component as usize] == Some(solid);
                if is_surface { to_triangle([point; 2], corners) } else { f64::INFINITY }
            };
            self.tree.least_distance(&Bounds::of_points([point]), f64::INFINITY, distance)
        };
        self.solids_around(point).into_iter().filter_map(depth).fold(0.0, f64::max)
    }

    /// The solids that contain a point.
    fn solids_around(&self, point: Vec3) -> Vec<u32> {
        let crossings = self.crossings(point, |component| self.solids[component as usize]);
        crossings.into_iter().filter(|(_, winding)| *winding != 0).map(|(solid, _)| solid).collect()
    }

    /// The winding number of each solid that a ray from a point crosses. `solid_of` maps components to solids.
    fn crossings(&self, point: Vec3, solid_of: impl Fn(u32) -> Option<u32>) -> Vec<(u32, i32)> {
        let mut windings: Vec<(u32, i32)> = Vec::new();
        for ray in RAYS {
            windings.clear();
            let mut is_certain = true;
            let inverse = ray.recip();
            self.tree.visit(
                |bounds| bounds.is_hit_by_ray(point, inverse),
                |index| {
                    let ComponentTriangle { corners, component } = self.triangles[index];
                    let Some(solid) = solid_of(component) else { return };
                    let Some(crossing) = ray_crossing(point, ray, corners) else {
                        is_certain = false;
                        return;
                    };
                    match windings.iter_mut().find(|(other, _)| *other == solid) {
                        Some((_, winding)) => *winding += crossing,
                        None if crossing != 0 => windings.push((solid, crossing)),
                        None => {}
                    }
                },
            );
            if is_certain {
                break;
            }
        }
        windings
    }

    /// Joins each closed component that faces inward and lies inside others to the smallest of them.
    fn find_cavities(&mut self, components: &[Component]) {
        let is_outer = |component: u32| {
            let Component { is_closed, volume } = components[component as usize];
            (is_closed && volume >= 0.0).then_some(component)
        };
        let is_inward = |component: u32| {
            let Component { is_closed, volume } = components[component as usize];
            is_closed && volume < 0.0
        };
        let inward = self.triangles.iter().filter(|triangle| is_inward(triangle.component));
        let mut inward: Vec<(u32, Vec3)> = inward.map(|triangle| (triangle.component, triangle.corners[0])).collect();
        inward.sort_by_key(|(component, _)| *component);
        for corners in inward.chunk_by(|a, b| a.0 == b.0) {
            let mut around: Option<Vec<u32>> = None;
            for (_, corner) in corners.iter().step_by(corners.len().div_ceil(CAVITY_SAMPLES)) {
                let crossings = self.crossings(*corner, is_outer);
                let inside: Vec<u32> =
                    crossings.into_iter().filter(|(_, winding)| *winding != 0).map(|(outer, _)| outer).collect();
                let both = |earlier: Vec<u32>| earlier.into_iter().filter(|outer| inside.contains(outer)).collect();
                around = Some(around.map_or_else(|| inside.clone(), both));
            }
            let volume = |outer: &u32| components[*outer as usize].volume;
            let smallest = around.into_iter().flatten().min_by(|a, b| volume(a).total_cmp(&volume(b)).then(a.cmp(b)));
            if let Some(outer) = smallest {
                self.solids[corners[0].0 as usize] = Some(outer);
            }
        }
    }
}

/// The greatest depth of a few points of a segment.
pub(super) fn deepest(segment: [Vec3; 2], depth: impl Fn(Vec3) -> f64) -> f64 {
    let point = |index: usize| segment[0].lerp(segment[1], index as f64 / (DEPTH_SAMPLES - 1) as f64);
    (0..DEPTH_SAMPLES).map(|index| depth(point(index))).fold(0.0, f64::max)
}

/// Returns 1 where a ray leaves through a triangle that faces its direction, -1 where it enters through one that faces it, 0
/// where it misses; `None` if it passes through an edge within rounding, where adjacent triangles may disagree.
fn ray_crossing(from: Vec3, ray: Vec3, corners: [Vec3; 3]) -> Option<i32> {
    let [a, b, c] = corners.map(|corner| corner - from);
    // The volume that each edge spans with the ray. It is exactly opposite for the triangle on the other side of the edge.
    let sides = [ray.dot(a.cross(b)), ray.dot(b.cross(c)), ray.dot(c.cross(a))];
    let (least, greatest) = (sides[0].min(sides[1]).min(sides[2]), sides[0].max(sides[1]).max(sides[2]));
    if least < 0.0 && greatest > 0.0 {
        return Some(0);
    }
    let normal = (b - a).cross(c - a);
    if !(normal.dot(a) * normal.dot(ray) > 0.0) {
        // Behind the start of the ray, or parallel to it.
        return if least == 0.0 && greatest == 0.0 { None } else { Some(0) };
    }
    if least > 0.0 {
        Some(1)
    } else if greatest < 0.0 {
        Some(-1)
    } else {
        None
    }
}
