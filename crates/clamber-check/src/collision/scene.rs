//! All obstacles of a world.

use clamber_model::World;
use clamber_model::id::ObstacleId;
use clamber_model::math::double::{Rotation, Vec3};
use clamber_model::world::ObstacleGeometry;

use super::box_tree::{Bounds, BoxTree};
use super::mesh::{Mesh, deepest};
use super::prism::Prism;

enum Shape<'a> {
    Prism(Prism),
    Mesh(Mesh<'a>),
}

/// The obstacles of a world, as the checker sees them.
pub(crate) struct CollisionScene<'a> {
    /// One per obstacle.
    shapes: Vec<Shape<'a>>,
    tree: BoxTree,
}

/// The nearest obstacle and its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    /// In meters; negative is the depth of the deepest point inside.
    pub distance: f64,
    /// `None` if no obstacle is within the range of the query.
    pub obstacle: Option<ObstacleId>,
}

impl<'a> CollisionScene<'a> {
    pub fn new(world: &'a World) -> Self {
        let shapes: Vec<Shape> = world.obstacles.iter().map(|obstacle| Shape::new(obstacle.geometry())).collect();
        let boxes: Vec<Bounds> = shapes.iter().map(Shape::bounds).collect();
        Self { shapes, tree: BoxTree::new(boxes) }
    }

    /// Returns the distance from a capsule to the nearest obstacle, up to `range`.
    ///
    /// The distance of a capsule that overlaps an obstacle is the depth of its deepest point if its axis is outside, and at
    /// least its radius otherwise.
    pub fn capsule_distance(&self, axis: [Vec3; 2], radius: f64, range: f64) -> Nearest {
        let mut nearest = Nearest { distance: range, obstacle: None };
        let bounds = Bounds::of_points(axis);
        self.tree.visit(
            |shape| shape.distance(&bounds) <= range + radius,
            |index| {
                // Positive, so that a shape that the axis touches is found also after a shallower one.
                let bound = (nearest.distance + radius).max(f64::MIN_POSITIVE);
                if self.tree.items()[index].distance(&bounds) >= bound {
                    return;
                }
                let distance = self.shapes[index].axis_distance(axis, bound);
                if let Some(distance) = distance.map(|distance| distance - radius)
                    && distance < nearest.distance
                {
                    nearest = Nearest { distance, obstacle: Some(ObstacleId::from(index)) };
                }
            },
        );
        nearest
    }
}

impl<'a> Shape<'a> {
    fn new(geometry: &'a ObstacleGeometry) -> Self {
        match geometry {
            ObstacleGeometry::Cuboid { world_from_box, size } => {
                // Half of a single-precision size is exact.
                let half = 0.5 * size.as_dvec3();
                let corners = [[-half.x, -half.y], [half.x, -half.y], [half.x, half.y], [-half.x, half.y]];
                let (origin, rotation) = (world_from_box.translation.as_dvec3(), world_from_box.rotation.as_dquat());
                Self::Prism(Prism::new(origin, rotation.normalize(), &corners, [-half.z, half.z]))
            }
            ObstacleGeometry::ExtrudedPolygon { corners, depth_min: low, depth_max: high } => {
                let corners: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
                let ends = [*low, *high].map(f64::from);
                Self::Prism(Prism::new(Vec3::ZERO, Rotation::IDENTITY, &corners, ends))
            }
            ObstacleGeometry::Mesh { vertices, triangles } => Self::Mesh(Mesh::new(vertices, triangles)),
        }
    }

    fn bounds(&self) -> Bounds {
        match self {
            Self::Prism(prism) => prism.bounds(),
            Self::Mesh(mesh) => mesh.bounds(),
        }
    }

    /// Returns the distance of a segment, if it is less than `bound`; the negative depth of its deepest point, or 0, if it
    /// touches the shape or is inside.
    fn axis_distance(&self, axis: [Vec3; 2], bound: f64) -> Option<f64> {
        match self {
            Self::Prism(prism) => match prism.segment_distance(axis, bound) {
                Some(distance) if distance <= 0.0 => Some(-deepest(axis, |point| prism.depth(point))),
                distance => distance,
            },
            Self::Mesh(mesh) => match mesh.segment_distance(axis, bound) {
                Some(distance) if distance <= 0.0 => Some(-deepest(axis, |point| mesh.depth(point))),
                _ if mesh.contains(axis[0]) => Some(-deepest(axis, |point| mesh.depth(point))),
                distance => distance,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::character::Capsule;
    use clamber_model::math::{Pose, Vec3 as SingleVec3, rotation_from_rotation_vector, sin_cos};
    use clamber_model::rng::Stream;
    use clamber_model::world::{DistanceFieldSettings, MeshInterior, Obstacle, Space};

    fn world_of(obstacles: Vec<Obstacle>) -> World {
        let far = SingleVec3::splat(4.0);
        let mut settings = DistanceFieldSettings::default();
        settings.cell_size = 1.0;
        World::from_obstacles(Space::Spatial, obstacles, -far, far, &settings)
    }

    fn point(random: &mut Stream, range: f32) -> SingleVec3 {
        let mut draw = || random.between(-range, range);
        SingleVec3::new(draw(), draw(), draw())
    }

    /// A star with a number of corners, extruded.
    fn star(random: &mut Stream, corners: usize) -> Obstacle {
        let [x, y, z] = point(random, 2.0).to_array();
        let corners: Vec<[f32; 2]> = (0..corners)
            .map(|index| {
                let (sin, cos) = sin_cos(index as f32 * std::f32::consts::TAU / corners as f32);
                let radius = random.between(0.3, 1.5);
                [x + radius * cos, y + radius * sin]
            })
            .collect();
        Obstacle::polygon("star", &corners, z - random.between(0.1, 0.8), z + 0.3).unwrap()
    }

    fn cuboid(random: &mut Stream) -> Obstacle {
        let pose = Pose::from_parts(point(random, 2.0), rotation_from_rotation_vector(point(random, 2.0)));
        Obstacle::cuboid("box", pose, point(random, 0.8).abs() + SingleVec3::splat(0.1)).unwrap()
    }

    /// The corners and triangles of an octahedron-like solid, facing outward or inward.
    fn solid(center: SingleVec3, radius: f32, faces_outward: bool) -> (Vec<SingleVec3>, Vec<[u32; 3]>) {
        let axes = [SingleVec3::X, SingleVec3::Y, SingleVec3::Z];
        let vertices = axes.iter().flat_map(|axis| [center + *axis * radius, center - *axis * radius]).collect();
        let mut triangles =
            vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        if !faces_outward {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        (vertices, triangles)
    }

    fn joined(parts: Vec<(Vec<SingleVec3>, Vec<[u32; 3]>)>) -> Obstacle {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for (part, faces) in parts {
            let first = vertices.len() as u32;
            vertices.extend(part);
            triangles.extend(faces.into_iter().map(|face| face.map(|vertex| vertex + first)));
        }
        Obstacle::mesh("mesh", vertices, triangles).unwrap()
    }

    /// A solid with a cavity, an overlapping solid, one that faces inward, and an open sheet.
    fn mesh(random: &mut Stream) -> Obstacle {
        let center = point(random, 1.5);
        let mut sheet = solid(point(random, 2.0), 0.7, true);
        sheet.1.truncate(5);
        joined(vec![
            solid(center, 1.5, true),
            solid(center, 0.6, false),
            solid(center + SingleVec3::X * 1.2, 0.8, true),
            solid(point(random, 3.5), 0.5, false),
            sheet,
        ])
    }

    /// Compares the checker's distances with those of the world that planners query, for random capsules. Returns how many
    /// were outside, overlapping, and with the axis inside.
    fn compare(world: &World, random: &mut Stream, is_planar: bool) -> [usize; 3] {
        let scene = CollisionScene::new(world);
        let mut counts = [0; 3];
        for _ in 0..400 {
            let a = point(random, 2.5);
            let b = a + point(random, 0.6);
            let [a, b] = if is_planar { [a.with_z(0.0), b.with_z(0.0)] } else { [a, b] };
            let capsule = Capsule { a, b, radius: random.between(0.02, 0.2) };
            let radius = f64::from(capsule.radius);
            let theirs = world.capsule_distance(&capsule, 1.0, MeshInterior::Solid);
            let ours = scene.capsule_distance([a.as_dvec3(), b.as_dvec3()], radius, 1.0);
            let (expected, distance) = (f64::from(theirs.distance), ours.distance);
            if distance > -radius {
                counts[usize::from(distance < 0.0)] += 1;
                // The engine's distances of the axis have an error of a thousandth.
                let tolerance = 2.5e-3 * (distance + radius) + 1e-5;
                assert!((expected - distance).abs() < tolerance, "{capsule:?}: {theirs:?} and {ours:?}");
                if distance < 0.9 {
                    assert!(ours.obstacle.is_some(), "{capsule:?}");
                }
            } else {
                counts[2] += 1;
                // Depths are those of a few points of the axis, and not the same ones. Where rounding puts the crossing of
                // the axis and a surface a little beside the surface, the world's depth is the radius alone.
                let tolerance = 0.13 * f64::from((b - a).length()) + 1e-4;
                let is_rounded = (expected + radius).abs() < 1e-5;
                assert!(is_rounded || (expected - distance).abs() < tolerance, "{capsule:?}: {theirs:?} and {ours:?}");
            }
        }
        counts
    }

    #[test]
    fn distances_agree_with_the_world_in_the_plane_and_in_space() {
        let mut random = Stream::new(1, "scenes");
        let mut totals = [0; 3];
        for round in 0..24 {
            let is_planar = round % 2 == 0;
            let mut obstacles = vec![star(&mut random, 5), star(&mut random, 40), cuboid(&mut random)];
            if round % 4 >= 2 {
                obstacles.push(mesh(&mut random));
            }
            for (total, count) in totals.iter_mut().zip(compare(&world_of(obstacles), &mut random, is_planar)) {
                *total += count;
            }
        }
        assert!(totals.iter().all(|total| *total > 300), "{totals:?}");
    }

    #[test]
    fn a_scaled_world_has_scaled_distances() {
        let mut random = Stream::new(2, "scenes");
        let world = world_of(vec![star(&mut random, 7), cuboid(&mut random), mesh(&mut random)]);
        let large = world.scaled(10.0).unwrap();
        let (scene, tenfold) = (CollisionScene::new(&world), CollisionScene::new(&large));
        for _ in 0..100 {
            let axis = [point(&mut random, 2.0), point(&mut random, 2.0)].map(|end| end.as_dvec3());
            let distance = scene.capsule_distance(axis, 0.1, 1.0).distance;
            let scaled = tenfold.capsule_distance(axis.map(|end| 10.0 * end), 1.0, 10.0).distance;
            assert!((10.0 * distance - scaled).abs() < 1e-4, "{distance} and {scaled}");
        }
    }

    #[test]
    fn an_obstacle_that_the_world_lost_is_found() {
        // The trees of a world are built once. Exchanging an obstacle afterward is a mistake that its queries cannot see.
        let at = |x: f32| Obstacle::cuboid("rock", Pose::translation(x, 0.0, 0.0), SingleVec3::splat(1.0)).unwrap();
        let mut world = world_of(vec![at(-3.0)]);
        world.obstacles[ObstacleId::from(0)] = at(2.0);
        let capsule = Capsule { a: SingleVec3::X * 2.0, b: SingleVec3::X * 2.1, radius: 0.1 };
        assert_eq!(world.capsule_distance(&capsule, 0.0, MeshInterior::Solid).obstacle, None);
        let axis = [capsule.a, capsule.b].map(|end| end.as_dvec3());
        let found = CollisionScene::new(&world).capsule_distance(axis, 0.1, 0.0);
        assert_eq!(found.obstacle, Some(ObstacleId::from(0)));
        assert!((found.distance + 0.6).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn solids_that_touch_overlap_or_face_inward_are_solid_and_cavities_are_not() {
        let center = SingleVec3::new(0.1, 0.2, 0.3);
        let inside = |parts, at: SingleVec3| {
            let world = world_of(vec![joined(parts)]);
            let scene = CollisionScene::new(&world);
            scene.capsule_distance([at.as_dvec3(); 2], 0.001, 0.0).obstacle.is_some()
        };
        let next = center + SingleVec3::new(1.0, 1.0, 0.0);
        // Both share the edge between center + X and center + Y.
        let touching = || vec![solid(center, 1.0, true), solid(next, 1.0, true)];
        assert!(inside(touching(), center) && inside(touching(), next));
        let overlapping = || vec![solid(center, 1.0, true), solid(center + SingleVec3::X * 0.5, 1.0, true)];
        assert!(inside(overlapping(), center + SingleVec3::X * 0.25));
        assert!(inside(vec![solid(center, 1.0, false)], center), "a solid that faces inward is flipped");
        let hollow = || vec![solid(center, 1.0, true), solid(center, 0.5, false)];
        assert!(!inside(hollow(), center) && inside(hollow(), center + SingleVec3::X * 0.7));
        let mut open = solid(center, 1.0, true);
        open.1.pop();
        assert!(!inside(vec![open], center), "an open surface has no inside");
    }
}
