//! Takes triangle meshes apart into shells, and tells which of them are solid.

use std::collections::BTreeMap;

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::PointQuery;
use parry3d::shape::{TriMesh, TriMeshFlags};

use crate::math::{Vec3, atan2};

/// Triangles that hang together.
pub(super) struct Shell {
    triangles: Vec<[u32; 3]>,
    pub is_closed: bool,
    /// Negative when it faces inwards; meaningless when it is open.
    volume: f64,
    aabb: Aabb,
}

impl Shell {
    fn new(vertices: &[Vec3], triangles: Vec<[u32; 3]>, is_closed: bool) -> Self {
        let points = triangles.iter().flatten().map(|&index| vertices[index as usize]);
        let aabb = Aabb::from_points(points);
        Self { is_closed, volume: volume(vertices, &triangles), aabb, triangles }
    }

    /// The engine's mesh, facing outwards where it is closed; `None` when it has no triangles.
    pub fn mesh(&self, vertices: &[Vec3]) -> Option<TriMesh> {
        let flags = if self.is_closed { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        // A mesh keeps the vertices that it names, and no others.
        let own: Vec<Vec3> = self.triangles.iter().flatten().map(|&index| vertices[index as usize]).collect();
        let turned = self.is_closed && self.volume < 0.0;
        let corners = |t: u32| if turned { [3 * t, 3 * t + 2, 3 * t + 1] } else { [3 * t, 3 * t + 1, 3 * t + 2] };
        let apart: Vec<[u32; 3]> = (0..self.triangles.len() as u32).map(corners).collect();
        let (own, triangles) = merge_vertices(&own, &apart);
        // Without a request for topology, no triangles is all that can be wrong.
        TriMesh::with_flags(own, triangles, flags).ok()
    }
}

/// Takes a mesh apart into shells; hollows stay with the shell around them, and all open shells stay together, since
/// what has no inside need not be told apart.
pub(super) fn shells(vertices: &[Vec3], triangles: Vec<[u32; 3]>) -> Vec<Shell> {
    let sides = Sides::new(vertices, &triangles);
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut leader: Vec<u32> = (0..triangles.len() as u32).collect();
    for (side, partner) in sides.partners.iter().enumerate() {
        if let Some(partner) = partner {
            let (a, b) = (find_leader(&mut leader, side as u32 / 3), find_leader(&mut leader, partner / 3));
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    for triangle in 0..triangles.len() as u32 {
        groups.entry(find_leader(&mut leader, triangle)).or_default().push(triangle);
    }
    let all = groups.into_values().map(|group| {
        let is_closed = group.iter().all(|&triangle| sides.of(triangle).iter().all(Option::is_some));
        Shell::new(vertices, group.iter().map(|&triangle| triangles[triangle as usize]).collect(), is_closed)
    });
    let (closed, open): (Vec<Shell>, Vec<Shell>) = all.partition(|shell| shell.is_closed);
    let (mut outer, inward): (Vec<Shell>, Vec<Shell>) = closed.into_iter().partition(|shell| shell.volume >= 0.0);
    let mut loose = Vec::new();
    // A heap of gravel may be a hundred thousand shells: too many to compare pair by pair.
    let boxes: Vec<Aabb> = outer.iter().map(|shell| shell.aabb).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut solids: BTreeMap<usize, Option<TriMesh>> = BTreeMap::new();
    for shell in inward {
        let corner = vertices[shell.triangles[0][0] as usize];
        let near: Vec<usize> = tree.intersect_aabb(&shell.aabb).map(|index| index as usize).collect();
        let around = near.into_iter().filter(|&index| boxes[index].contains(&shell.aabb)).filter(|&index| {
            let solid = solids.entry(index).or_insert_with(|| outer[index].mesh(vertices));
            solid.as_ref().is_some_and(|mesh| mesh.contains_local_point(corner))
        });
        match around.min_by(|&a, &b| outer[a].volume.total_cmp(&outer[b].volume).then(a.cmp(&b))) {
            Some(around) => outer[around].triangles.extend(&shell.triangles),
            None => loose.push(shell),
        }
    }
    outer.extend(loose);
    if !open.is_empty() {
        let triangles = open.into_iter().flat_map(|shell| shell.triangles).collect();
        outer.push(Shell::new(vertices, triangles, false));
    }
    outer
}

/// Solids that share an edge are told apart up to this many; more are a fan of sheets, made to hurt.
const MOST_AT_AN_EDGE: usize = 16;

/// Which side of which triangle each side of a triangle is joined to: side `k` of triangle `t` is `3 t + k`.
struct Sides {
    partners: Vec<Option<u32>>,
}

impl Sides {
    /// Joins each side to one that runs the other way between the same vertices.
    ///
    /// Where solids share an edge there are several; a side is then joined to the first that is met on the way round
    /// the edge through the inside of its own solid, so that blocks that stand face to face stay apart.
    fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let ends = |side: u32| {
            let triangle = triangles[side as usize / 3];
            (triangle[side as usize % 3], triangle[(side as usize + 1) % 3])
        };
        let mut order: Vec<u32> = (0..3 * triangles.len() as u32).collect();
        order.sort_unstable_by_key(|&side| (ends(side), side));
        let running = |from: u32, to: u32| {
            let first = order.partition_point(|&side| ends(side) < (from, to));
            let end = order.partition_point(|&side| ends(side) <= (from, to));
            &order[first..end]
        };
        let partner = |side: u32| {
            let (from, to) = ends(side);
            let (there, back) = (running(from, to), running(to, from));
            match (there.len(), back.len()) {
                (1, 1) => Some(back[0]),
                (there, count) if there == count && count <= MOST_AT_AN_EDGE => {
                    let along = (vertices[to as usize] - vertices[from as usize]).normalize_or_zero();
                    let start = angle_around(vertices, triangles, side, along, None);
                    let inwards = |other: &u32| angle_around(vertices, triangles, *other, along, Some(start));
                    back.iter().copied().min_by(|a, b| inwards(a).total_cmp(&inwards(b)).then(a.cmp(b)))
                }
                _ => None,
            }
        };
        let partners: Vec<Option<u32>> = (0..3 * triangles.len() as u32).map(partner).collect();
        // A joint that only one of the two sides sees is none.
        let mutual = |side: u32| partners[side as usize].filter(|&other| partners[other as usize] == Some(side));
        Self { partners: (0..partners.len() as u32).map(mutual).collect() }
    }

    fn of(&self, triangle: u32) -> &[Option<u32>] {
        &self.partners[3 * triangle as usize..3 * triangle as usize + 3]
    }
}

/// The angle about an edge at which a side's triangle lies; or, with a `start`, how far it is from there to the triangle
/// going clockwise, which is through the inside of a triangle that runs along the edge and faces outwards.
fn angle_around(vertices: &[Vec3], triangles: &[[u32; 3]], side: u32, along: Vec3, start: Option<f32>) -> f32 {
    let triangle = triangles[side as usize / 3];
    let [from, apex] = [side % 3, (side + 2) % 3].map(|corner| vertices[triangle[corner as usize] as usize]);
    let across = along.any_orthonormal_vector();
    let arm = apex - from;
    let angle = atan2(arm.dot(along.cross(across)), arm.dot(across));
    match start {
        None => angle,
        Some(start) => {
            let clockwise = (start - angle).rem_euclid(std::f32::consts::TAU);
            // A triangle in the same place belongs to another solid: it is met last.
            if clockwise < 1e-4 { std::f32::consts::TAU } else { clockwise }
        }
    }
}

fn find_leader(leader: &mut [u32], mut vertex: u32) -> u32 {
    while leader[vertex as usize] != vertex {
        // Halving the way keeps all later look-ups short.
        leader[vertex as usize] = leader[leader[vertex as usize] as usize];
        vertex = leader[vertex as usize];
    }
    vertex
}

/// Joins vertices at the same place, and leaves out triangles that this flattens and vertices no one names: files
/// often give each triangle corners of its own, which would make every mesh look open.
pub(super) fn merge_vertices(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut index_at: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut merged = Vec::new();
    let mut kept = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let corners = triangle.map(|index| {
            let vertex = vertices[index as usize];
            // Adding zero makes -0 and 0 the same place.
            *index_at.entry(vertex.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                merged.push(vertex);
                merged.len() as u32 - 1
            })
        });
        if corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0] {
            kept.push(corners);
        }
    }
    (merged, kept)
}

fn volume(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |index: u32| vertices[index as usize].to_array().map(f64::from);
    let six: f64 = triangles
        .iter()
        .map(|t| t.map(corner))
        .map(|[a, b, c]| {
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    six / 6.0
}
