//! Triangle meshes.

use std::borrow::Cow;
use std::cell::OnceCell;

use clamber_model::math::Vec3 as SingleVec3;
use clamber_model::math::double::Vec3;

use super::box_tree::{Bounds, BoxTree, Boxed};
use super::mesh_components::{Component, split};
use super::segment_distance::to_triangle;

/// A mesh whose closed components are solid.
///
/// A point is inside a solid if a ray from it leaves the solid's surface more often than it enters it, or less often where
/// the surface faces inward: its winding number is not 0. So blocks that touch or overlap are solid in any case. A closed
/// component that faces inward and lies inside another one is a cavity of it.
///
/// Most points are outside because a ray from them meets no surface, which takes no topology; it is computed when a ray first meets
/// one.
pub(super) struct Mesh<'a> {
    topology: OnceCell<Topology>,
    tree: BoxTree<Triangles<'a>>,
}

/// The triangles that have three different corners. Large meshes are not copied.
struct Triangles<'a> {
    vertices: &'a [SingleVec3],
    indices: Cow<'a, [[u32; 3]]>,
}

impl Triangles<'_> {
    fn corners(&self, index: usize) -> [Vec3; 3] {
        self.indices[index].map(|vertex| self.vertices[vertex as usize].as_dvec3())
    }
}

impl Boxed for Triangles<'_> {
    fn count(&self) -> usize {
        self.indices.len()
    }

    fn bounds_of(&self, item: u32) -> Bounds {
        Bounds::of_points(self.corners(item as usize))
    }
}

struct Topology {
    /// The component of each triangle.
    component_of: Vec<u32>,
    /// For each component, the solid that it bounds; `None` if it is open.
    solids: Vec<Option<u32>>,
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

impl<'a> Mesh<'a> {
    pub fn new(vertices: &'a [SingleVec3], indices: &'a [[u32; 3]]) -> Self {
        let is_distinct = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
            a != b && b != c && c != a
        };
        let indices = match indices.iter().all(is_distinct) {
            true => Cow::Borrowed(indices),
            false => Cow::Owned(indices.iter().copied().filter(is_distinct).collect()),
        };
        Self { topology: OnceCell::new(), tree: BoxTree::new(Triangles { vertices, indices }) }
    }

    fn topology(&self) -> &Topology {
        self.topology.get_or_init(|| {
            let Triangles { vertices, indices } = self.tree.items();
            let (component_of, components) = split(vertices, indices);
            let solids = components.iter().zip(0..).map(|(component, index)| component.is_closed.then_some(index));
            let mut topology = Topology { component_of, solids: solids.collect() };
            self.find_cavities(&mut topology, &components);
            topology
        })
    }

    pub fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// Returns the distance of a segment from the surface, if it is less than `bound`; 0 if they intersect.
    pub fn segment_distance(&self, segment: [Vec3; 2], bound: f64) -> Option<f64> {
        let distance = |index: usize| to_triangle(segment, self.tree.items().corners(index));
        self.tree.least_distance(&Bounds::of_points(segment), bound, distance)
    }

    /// Whether a point is inside a solid.
    pub fn contains(&self, point: Vec3) -> bool {
        !self.solids_around(point).is_empty()
    }

    /// Returns the depth of a point: its distance from the surface of the solid that it is deepest in; 0 outside.
    pub fn depth(&self, point: Vec3) -> f64 {
        let around = self.solids_around(point);
        if around.is_empty() {
            return 0.0;
        }
        let Topology { component_of, solids } = self.topology();
        let depth = |solid: u32| {
            let distance = |index: usize| {
                let is_surface = solids[component_of[index] as usize] == Some(solid);
                if is_surface { to_triangle([point; 2], self.tree.items().corners(index)) } else { f64::INFINITY }
            };
            self.tree.least_distance(&Bounds::of_points([point]), f64::INFINITY, distance)
        };
        around.into_iter().filter_map(depth).fold(0.0, f64::max)
    }

    /// The solids that contain a point.
    fn solids_around(&self, point: Vec3) -> Vec<u32> {
        if self.misses_all(point) {
            return Vec::new();
        }
        let Topology { component_of, solids } = self.topology();
        let crossings = self.crossings(point, |triangle| solids[component_of[triangle] as usize]);
        crossings.into_iter().filter(|(_, winding)| *winding != 0).map(|(solid, _)| solid).collect()
    }

    /// Whether a ray from a point meets no triangle, so that the point is outside whatever is closed.
    fn misses_all(&self, point: Vec3) -> bool {
        let (ray, mut misses) = (RAYS[0], true);
        let inverse = ray.recip();
        let is_hit = |index: usize| ray_crossing(point, ray, self.tree.items().corners(index)) != Some(0);
        self.tree.visit(|bounds| bounds.is_hit_by_ray(point, inverse), |index| misses = misses && !is_hit(index));
        misses
    }

    /// The winding number of each solid that a ray from a point crosses, in the order of the solids. `solid_of` maps triangles to
    /// solids.
    fn crossings(&self, point: Vec3, solid_of: impl Fn(usize) -> Option<u32>) -> Vec<(u32, i32)> {
        let mut windings: Vec<(u32, i32)> = Vec::new();
        for ray in RAYS {
            windings.clear();
            let mut is_certain = true;
            let inverse = ray.recip();
            self.tree.visit(
                |bounds| bounds.is_hit_by_ray(point, inverse),
                |index| {
                    let Some(solid) = solid_of(index) else { return };
                    let Some(crossing) = ray_crossing(point, ray, self.tree.items().corners(index)) else {
                        is_certain = false;
                        return;
                    };
                    if crossing != 0 {
                        windings.push((solid, crossing));
                    }
                },
            );
            if is_certain {
                break;
            }
        }
        // A ray may cross thousands of nested shells, so they are not searched for one by one.
        windings.sort_unstable();
        windings
            .chunk_by(|a, b| a.0 == b.0)
            .map(|all| (all[0].0, all.iter().map(|(_, crossing)| crossing).sum()))
            .collect()
    }

    /// Joins each closed component that faces inward and lies inside others to the smallest of them.
    fn find_cavities(&self, topology: &mut Topology, components: &[Component]) {
        let Topology { component_of, solids } = topology;
        let is_outer = |triangle: usize| {
            let Component { is_closed, volume } = components[component_of[triangle] as usize];
            (is_closed && volume >= 0.0).then_some(component_of[triangle])
        };
        let is_inward = |component: u32| {
            let Component { is_closed, volume } = components[component as usize];
            is_closed && volume < 0.0
        };
        let corners = component_of
            .iter()
            .copied()
            .enumerate()
            .map(|(index, component)| (component, self.tree.items().corners(index)[0]));
        let mut inward: Vec<(u32, Vec3)> = corners.filter(|(component, _)| is_inward(*component)).collect();
        inward.sort_by_key(|(component, _)| *component);
        for corners in inward.chunk_by(|a, b| a.0 == b.0) {
            let mut around: Option<Vec<u32>> = None;
            for (_, corner) in corners.iter().step_by(corners.len().div_ceil(CAVITY_SAMPLES)) {
                let crossings = self.crossings(*corner, is_outer);
                let inside: Vec<u32> =
                    crossings.into_iter().filter(|(_, winding)| *winding != 0).map(|(outer, _)| outer).collect();
                let both = |earlier: Vec<u32>| {
                    earlier.into_iter().filter(|outer| inside.binary_search(outer).is_ok()).collect()
                };
                around = Some(around.map_or_else(|| inside.clone(), both));
            }
            let volume = |outer: &u32| components[*outer as usize].volume;
            let smallest = around.into_iter().flatten().min_by(|a, b| volume(a).total_cmp(&volume(b)).then(a.cmp(b)));
            if let Some(outer) = smallest {
                solids[corners[0].0 as usize] = Some(outer);
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
