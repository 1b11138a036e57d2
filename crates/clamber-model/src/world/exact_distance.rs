//! Exact distances and intersections of shapes with the world, by the collision engine.

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::BvhNode;
use parry3d::query::{self, PointQuery};
use parry3d::shape::{Capsule as EngineCapsule, Cuboid, Segment, Shape, TriMesh};

use super::obstacle::ObstacleShape;
use super::polygon_distance::gap_between;
use super::separation::SeparatedSegment;
use super::world_data::World;
use crate::character::Capsule;
use crate::id::ObstacleId;
use crate::math::{Pose, Vec3};

/// The nearest obstacle and its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestObstacle {
    /// Distance in meters; negative is the depth of the deepest point inside.
    pub distance: f32,
    /// The obstacle; `None` when none is within the range of the query.
    pub obstacle: Option<ObstacleId>,
}

/// Whether closed meshes are solid in a query. Solid costs a second query per mesh, which is needless for a shape that is known
/// not to be deep inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshInterior {
    /// Closed meshes are solid.
    Solid,
    /// Only the surfaces of meshes count.
    Hollow,
}

impl World {
    /// Returns the distance from a capsule to the nearest obstacle, up to `range`.
    ///
    /// A capsule that overlaps an obstacle has a negative distance: the depth of its deepest point if its axis is outside, and at
    /// least its radius otherwise.
    pub fn capsule_distance(&self, capsule: &Capsule, range: f32, interior: MeshInterior) -> NearestObstacle {
        let segment = Segment::new(capsule.a, capsule.b);
        let aabb = bounding_box(capsule).loosened(range.max(0.0));
        let mut nearest = NearestObstacle { distance: range, obstacle: None };
        for (obstacle, shape) in self.shapes_near(&aabb) {
            // Never zero, so that a shape that intersects the axis is still found after a shallower one.
            let bound = (nearest.distance + capsule.radius).max(f32::MIN_POSITIVE);
            let mut distance = axis_distance(&segment, shape, bound) - capsule.radius;
            let axis_touches = distance <= -capsule.radius;
            let may_be_inside = interior == MeshInterior::Solid && shape.is_solid;
            if axis_touches || (may_be_inside && contains(shape, capsule.a)) {
                distance = -capsule.radius - axis_depth(&segment, shape);
            }
            if distance < nearest.distance {
                nearest = NearestObstacle { distance, obstacle: Some(obstacle) };
            }
        }
        nearest
    }

    /// Returns whether a capsule touches an obstacle's surface or the inside of a box: the engine's fastest query.
    pub fn capsule_touches(&self, capsule: &Capsule) -> bool {
        let aabb = bounding_box(capsule);
        let capsule = EngineCapsule::new(capsule.a, capsule.b, capsule.radius);
        self.shapes_near(&aabb).any(|(_, shape)| capsule_touches_shape(&capsule, shape))
    }

    /// Returns the signed distance from a point to the nearest obstacle, negative inside solids.
    pub fn point_distance(&self, point: Vec3) -> NearestObstacle {
        self.point_distance_within(point, f32::MAX)
    }

    /// Like [`Self::point_distance`], if the nearest surface and, for a point inside a solid, the surface of that solid are known to
    /// be within `bound`. Much faster for large meshes.
    pub(super) fn point_distance_within(&self, point: Vec3, bound: f32) -> NearestObstacle {
        let found = self.bvh.find_best(
            bound,
            |node, _| least_signed_distance(&node.aabb(), point),
            |leaf, _| signed_distance(self.leaf(leaf).1, point, bound),
        );
        match found {
            Some((leaf, distance)) => NearestObstacle { distance, obstacle: Some(self.leaf(leaf).0) },
            None => NearestObstacle { distance: bound, obstacle: None },
        }
    }

    /// Returns whether an obstacle is within `range` of a point or contains it. `reach` is at least the range; much faster for large
    /// meshes whose surface is within reach.
    pub(super) fn is_within(&self, point: Vec3, range: f32, reach: f32) -> bool {
        let near = Aabb::from_half_extents(point, Vec3::splat(range));
        self.shapes_near(&near).any(|(_, shape)| match signed_distance(shape, point, reach) {
            Some(distance) => distance <= range,
            None => shape.is_solid && contains(shape, point),
        })
    }

    /// Returns whether a solid obstacle contains a point. Much faster for large meshes whose surface is within `reach`.
    pub(super) fn is_inside_solid(&self, point: Vec3, reach: f32) -> bool {
        let mut shapes = self.shapes_near(&Aabb::new(point, point)).filter(|(_, shape)| shape.is_solid);
        shapes.any(|(_, shape)| match signed_distance(shape, point, reach) {
            Some(distance) => distance < 0.0,
            None => contains(shape, point),
        })
    }

    /// Returns whether an axis-aligned box touches an obstacle's surface or the inside of a solid one.
    pub fn box_touches(&self, center: Vec3, half_size: Vec3) -> bool {
        let aabb = Aabb::from_half_extents(center, half_size);
        let cuboid = Cuboid::new(half_size);
        let at = Pose::from_translation(center);
        self.shapes_near(&aabb).any(|(_, shape)| {
            let geometry = shape.geometry.as_ref();
            query::intersection_test(&at, &cuboid, &shape.world_from_shape, geometry).is_ok_and(|hit| hit.intersecting)
                || (shape.is_solid && contains(shape, center))
        })
    }
}

/// Returns whether the engine's capsule touches a shape.
#[inline]
fn capsule_touches_shape(capsule: &EngineCapsule, shape: &ObstacleShape) -> bool {
    if let Some(outline) = &shape.outline
        && outline.is_beside(&capsule.segment)
    {
        return outline.distance(&capsule.segment, capsule.radius).is_some();
    }
    match shape.geometry.as_trimesh() {
        // Meshes are stored in world coordinates.
        Some(mesh) if shape.world_from_shape == Pose::IDENTITY => capsule_touches_mesh(capsule, mesh),
        _ => engine_intersects(capsule, &shape.world_from_shape, shape.geometry.as_ref()),
    }
}

/// The engine's test, without the triangles of a fine mesh that are surely apart from the capsule.
fn capsule_touches_mesh(capsule: &EngineCapsule, mesh: &TriMesh) -> bool {
    let near = BvhNode::leaf(capsule.local_aabb(), 0);
    let axis = SeparatedSegment::new(capsule.segment);
    let mut leaves = mesh.bvh().leaves(|node| node.intersects(&near) && axis.gap_to_box(node) <= capsule.radius);
    leaves.any(|index| {
        let triangle = mesh.triangle(index);
        axis.gap_to_triangle(&triangle) <= capsule.radius && engine_intersects(&triangle, &Pose::IDENTITY, capsule)
    })
}

/// Returns whether two shapes touch, by the engine. The first is in the world.
fn engine_intersects(one: &dyn Shape, world_from_other: &Pose, other: &dyn Shape) -> bool {
    query::intersection_test(&Pose::IDENTITY, one, world_from_other, other).is_ok_and(|hit| hit.intersecting)
}

fn bounding_box(capsule: &Capsule) -> Aabb {
    let thick = Vec3::splat(capsule.radius);
    Aabb::new(capsule.a.min(capsule.b) - thick, capsule.a.max(capsule.b) + thick)
}

/// Returns the distance from a segment to a shape, if it is less than `bound`; infinite otherwise.
///
/// For meshes, this is the engine's search through its tree of triangles, started with the bound. The engine's own query takes no
/// bound and visits ten times as many triangles when the mesh is far or its triangles are long.
fn axis_distance(segment: &Segment, shape: &ObstacleShape, bound: f32) -> f32 {
    if let Some(outline) = &shape.outline
        && outline.is_beside(segment)
    {
        return outline.distance(segment, bound).unwrap_or(f32::INFINITY);
    }
    let (world_from_shape, geometry) = (&shape.world_from_shape, shape.geometry.as_ref());
    if let Some(cuboid) = shape.geometry.as_cuboid() {
        let [a, b] = [segment.a, segment.b].map(|end| world_from_shape.inverse() * end);
        return (1.0 - ENGINE_ERROR) * box_distance(cuboid.half_extents, [a, b]);
    }
    let distance = match shape.geometry.as_trimesh() {
        None => query::distance(&Pose::IDENTITY, segment, world_from_shape, geometry).ok(),
        Some(mesh) => {
            let (shape_from_world, aabb) = (world_from_shape.inverse(), segment.aabb(&world_from_shape.inverse()));
            let in_shape = Segment::new(shape_from_world * segment.a, shape_from_world * segment.b);
            let separated = SeparatedSegment::new(in_shape);
            let nearest = mesh.bvh().find_best(
                bound,
                |node, _| gap_between(&node.aabb(), &aabb).max(separated.gap_to_box(node)),
                |index, best| {
                    let triangle = mesh.triangle(index);
                    let may_be_nearer = separated.gap_to_triangle(&triangle) <= best;
                    let distance = || query::distance(&shape_from_world, segment, &Pose::IDENTITY, &triangle).ok();
                    may_be_nearer.then(distance).flatten()
                },
            );
            nearest.map(|(_, found)| found)
        }
    };
    distance.map_or(f32::INFINITY, |found| (1.0 - ENGINE_ERROR) * found.distance)
}

/// Returns the distance from a segment to a box around the origin, in the box's frame.
///
/// The engine's iteration may stop early for short segments beside thin boxes and return a distance that is a centimeter too long. Along a
/// line, the squared distance to a box is convex, so a bisection of its slope finds the nearest point.
fn box_distance(half_extents: Vec3, [a, b]: [Vec3; 2]) -> f32 {
    const BISECTIONS: usize = 24;
    let along = b - a;
    let outside = |t: f32| {
        let point = a + along * t;
        point - point.clamp(-half_extents, half_extents)
    };
    let rises_at = |t: f32| outside(t).dot(along) >= 0.0;
    let [mut low, mut high] = [0.0, 1.0];
    if rises_at(low) {
        return outside(low).length();
    }
    if !rises_at(high) {
        return outside(high).length();
    }
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if rises_at(middle) { high = middle } else { low = middle }
    }
    outside(low).length().min(outside(high).length())
}

/// Relative error of the engine's distances (GJK in single precision stops at the square root of ten times the rounding error).
/// They may be too long by this share, so distances here are reduced by it.
const ENGINE_ERROR: f32 = 1.2e-3;

/// Returns a lower bound on the signed distance from a point to anything in a box.
fn least_signed_distance(aabb: &Aabb, point: Vec3) -> f32 {
    let depth = (point - aabb.mins).min(aabb.maxs - point).min_element();
    if depth > 0.0 { -depth } else { aabb.distance_to_local_point(point, true) }
}

fn contains(shape: &ObstacleShape, point: Vec3) -> bool {
    shape.geometry.contains_point(&shape.world_from_shape, point)
}

/// Returns the depth of a segment in a solid, at the deepest of a few of its points.
fn axis_depth(segment: &Segment, shape: &ObstacleShape) -> f32 {
    if !shape.is_solid {
        return 0.0;
    }
    const POINTS: usize = 5;
    (0..POINTS)
        .map(|i| segment.a + (segment.b - segment.a) * (i as f32 / (POINTS - 1) as f32))
        .filter_map(|point| signed_distance(shape, point, f32::MAX))
        .fold(0.0, |deepest, distance| deepest.max(-distance))
}

fn signed_distance(shape: &ObstacleShape, point: Vec3, bound: f32) -> Option<f32> {
    let projection = shape.geometry.project_point_with_max_dist(&shape.world_from_shape, point, false, bound)?;
    let distance = (projection.point - point).length();
    Some(if shape.is_solid && projection.is_inside { -distance } else { distance })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// The engine's distance of such segments was a centimeter too long, so that hands cut through ledges.
    #[test]
    fn short_segments_beside_thin_boxes_are_as_far_as_their_nearest_point() {
        const SAMPLES: usize = 200;
        let mut stream = Stream::new(1, "box distance");
        for _ in 0..2_000 {
            let mut draw = |by: f32| Vec3::from_array(std::array::from_fn(|_| stream.between(-by, by)));
            let half_extents = Vec3::new(0.035, 0.025, 0.1) + draw(0.01);
            let a = draw(0.15);
            let b = a + draw(0.03);
            let distance = box_distance(half_extents, [a, b]);
            let to_box = |sample: usize| {
                let point = a.lerp(b, sample as f32 / SAMPLES as f32);
                (point - point.clamp(-half_extents, half_extents)).length()
            };
            let sampled = (0..=SAMPLES).map(to_box).fold(f32::INFINITY, f32::min);
            assert!((distance - sampled).abs() < 3e-4, "{half_extents} {a} {b}: {distance} {sampled}");
        }
    }
}
