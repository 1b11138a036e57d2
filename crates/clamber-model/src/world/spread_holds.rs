//! Spreads holds over the surfaces of obstacles; their type follows from the surface normal (thesis 4.1).

use super::cross_section::{Side, normal_of, section, smooth_runs};
use super::faces_between_sharp_edges::{Face, faces};
use super::hold::{Hold, HoldShape, HoldType};
use super::world_data::World;
use crate::id::ObstacleId;
use crate::math::Vec3;

/// How holds are spread over an obstacle's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldSpread {
    /// Point holds, this far apart in meters.
    Spaced(f32),
    /// Surface holds that cover the whole surface.
    Everywhere,
}

/// Most holds of a world that is built or read, and most that one call makes: as many as a large scan has triangles. More would exhaust
/// memory.
pub const MAX_HOLDS: usize = 1_000_000;

/// Returns holds of the given types over an obstacle's surface; over its section with the plane z = 0 for a planar character.
///
/// They are named after the obstacle and numbered from 1; what obstacles cover gets no hold. `None` if there would be more than
/// `max_count` or [`MAX_HOLDS`], including those that an obstacle covers, if there is no such obstacle, or if the spacing is not a
/// positive number.
pub fn spread_holds(
    world: &World,
    obstacle: ObstacleId,
    how: HoldSpread,
    types: &[HoldType],
    is_planar: bool,
    max_count: usize,
) -> Option<Vec<Hold>> {
    let max_count = max_count.min(MAX_HOLDS);
    if matches!(how, HoldSpread::Spaced(spacing) if !(spacing.is_finite() && spacing > 0.0)) {
        return None;
    }
    let obstacle = world.obstacles.get(obstacle)?;
    let mut holds = Holds {
        world,
        name: &obstacle.name,
        friction: obstacle.friction,
        list: Vec::new(),
        last_number: 0,
        remaining: max_count,
    };
    let has_type = |normal: Vec3| types.contains(&HoldType::of_normal(normal));
    if is_planar {
        let sides: Vec<Side> = section(obstacle).into_iter().filter(|side| has_type(side.normal)).collect();
        match how {
            HoldSpread::Everywhere => {
                for Side { ends, normal } in sides {
                    holds.add(HoldShape::Segment(ends), normal)?;
                }
            }
            HoldSpread::Spaced(spacing) => {
                for run in smooth_runs(sides, spacing) {
                    holds.add_along_run(&run, spacing)?;
                }
            }
        }
        return Some(holds.list);
    }
    match how {
        HoldSpread::Everywhere => {
            for corners in obstacle.triangles() {
                let Some(normal) = normal_of(corners).filter(|normal| has_type(*normal)) else { continue };
                holds.add(HoldShape::Triangle(corners), normal)?;
            }
        }
        HoldSpread::Spaced(spacing) => {
            let type_of =
                |normal: Vec3| Some(HoldType::of_normal(normal)).filter(|of_normal| types.contains(of_normal));
            // Lattice rows are cheap, but a long thin triangle may have very many without a single point.
            let mut rows = max_count.saturating_mul(100);
            for face in obstacle.shapes.iter().flat_map(|shape| faces(shape, type_of)) {
                holds.add_over_face(&face, spacing, &mut rows)?;
            }
        }
    }
    Some(holds.list)
}

/// Collects the holds of one obstacle.
struct Holds<'a> {
    world: &'a World,
    name: &'a str,
    friction: f32,
    list: Vec<Hold>,
    /// The number in the name of the last hold.
    last_number: usize,
    /// Number of holds that may still be added.
    remaining: usize,
}

impl Holds<'_> {
    /// Adds a hold unless obstacles cover all of it. It counts in either case.
    fn add(&mut self, shape: HoldShape, normal: Vec3) -> Option<()> {
        self.remaining = self.remaining.checked_sub(1)?;
        let is_covered = self.world.is_wholly_covered(&shape, normal);
        // A covered side keeps its number: the names of sides do not depend on what stands next to them.
        if !is_covered || !matches!(shape, HoldShape::Point(_)) {
            self.last_number += 1;
        }
        if !is_covered {
            let name = format!("{} {}", self.name, self.last_number);
            let (hold_type, friction) = (HoldType::of_normal(normal), self.friction);
            self.list.push(Hold { name, hold_type, normal, shape, friction });
        }
        Some(())
    }

    /// Adds points along a run of sides.
    fn add_along_run(&mut self, run: &[Side], spacing: f32) -> Option<()> {
        let length: f32 = run.iter().map(Side::length).sum();
        // The end points are half a spacing from the ends, or less on short runs.
        let count = (length / spacing).round().max(1.0) as usize;
        let (mut sides, mut passed) = (run.iter(), 0.0);
        let mut side = sides.next()?;
        for i in 0..count {
            let share = (i as f32 + 0.5) / count as f32;
            while passed + side.length() < share * length
                && let Some(next) = sides.next()
            {
                passed += side.length();
                side = next;
            }
            // A single side is divided by shares, which are exact where lengths are rounded.
            let along =
                if run.len() == 1 { share } else { ((share * length - passed) / side.length()).clamp(0.0, 1.0) };
            let [a, b] = side.ends;
            self.add(HoldShape::Point(a + (b - a) * along), side.normal)?;
        }
        Some(())
    }

    /// Adds points of a lattice, or a row along the middle of a face that is too narrow for one, such as the side of a rung.
    fn add_over_face(&mut self, face: &Face, spacing: f32, rows: &mut usize) -> Option<()> {
        let mut has_points = false;
        if !face.is_narrower_than(spacing) {
            for &(corners, normal) in &face.triangles {
                for_lattice_points(corners, normal, spacing, rows, |point| {
                    has_points = true;
                    self.add(HoldShape::Point(point), normal)
                })?;
            }
        }
        if !has_points {
            for (point, normal) in face.middle_row(spacing, rows)? {
                self.add(HoldShape::Point(point), normal)?;
            }
        }
        Some(())
    }
}

/// Calls `visit` with the points of a triangle that project onto a square lattice in the coordinate plane most parallel to it,
/// until `visit` returns `None` or `rows` lattice rows have been visited.
///
/// The lattice is fixed in the world, so that adjacent triangles share it.
fn for_lattice_points(
    corners: [Vec3; 3],
    normal: Vec3,
    spacing: f32,
    rows: &mut usize,
    mut visit: impl FnMut(Vec3) -> Option<()>,
) -> Option<()> {
    let across = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(1);
    let (u, v) = ((across + 1) % 3, (across + 2) % 3);
    // An offset that is not a round number, so that edges at round coordinates do not lie on the lattice.
    let cell = |x: f32| (x / spacing - 0.482_37).ceil() as i64;
    let coordinate = |k: i64| (k as f32 + 0.482_37) * spacing;
    let sides = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| (corners[from], corners[to]));
    let range = |values: &[f32]| {
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        (low, values.iter().copied().fold(f32::NEG_INFINITY, f32::max))
    };
    let (low, high) = range(&corners.map(|corner| corner[u]));
    for i in cell(low)..cell(high) {
        *rows = rows.checked_sub(1)?;
        let row = coordinate(i);
        // Where the row enters and leaves the triangle, with one more cell on both sides for rounding errors.
        let crossings = sides.map(|(a, b)| a[v] + (b[v] - a[v]) * ((row - a[u]) / (b[u] - a[u])).clamp(0.0, 1.0));
        let crosses = sides.map(|(a, b)| (a[u] <= row) != (b[u] <= row));
        let crossed: Vec<f32> = (0..3).filter(|&side| crosses[side]).map(|side| crossings[side]).collect();
        let (low, high) = range(&crossed);
        if low > high {
            continue;
        }
        for j in cell(low) - 1..cell(high) + 1 {
            let mut point = Vec3::ZERO;
            point[u] = row;
            point[v] = coordinate(j);
            point[across] = corners[0][across]
                - (normal[u] * (point[u] - corners[0][u]) + normal[v] * (point[v] - corners[0][v])) / normal[across];
            if sides.iter().all(|(from, to)| normal.dot((to - from).cross(point - from)) >= 0.0) {
                visit(point)?;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::obstacle::Obstacle;
    use super::*;

    fn spread(world: &World, obstacle: ObstacleId, how: HoldSpread, types: &[HoldType], is_planar: bool) -> Vec<Hold> {
        spread_holds(world, obstacle, how, types, is_planar, usize::MAX).unwrap()
    }

    #[test]
    fn invalid_spacings_and_obstacles_give_no_holds() {
        for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
            let spread = HoldSpread::Spaced(spacing);
            let holds = spread_holds(&table(), ObstacleId::from(0), spread, &HoldType::ALL, true, usize::MAX);
            assert!(holds.is_none(), "{spacing}");
        }
        let holds =
            spread_holds(&table(), ObstacleId::from(99), HoldSpread::Everywhere, &HoldType::ALL, true, usize::MAX);
        assert!(holds.is_none());
    }
    use crate::math::Pose;
    use crate::world::DistanceFieldSettings;
    use crate::world::Space;

    fn table() -> World {
        let ground = Obstacle::polygon("ground", &[[0.0, -1.0], [4.0, -1.0], [4.0, 0.0], [0.0, 0.0]], -1.0, 1.0);
        let block = Obstacle::cuboid("block", Pose::translation(3.0, 0.5, 0.0), Vec3::new(1.0, 1.0, 1.0));
        World::from_obstacles(
            Space::Spatial,
            vec![ground.unwrap(), block.unwrap()],
            Vec3::ZERO,
            Vec3::splat(4.0),
            &DistanceFieldSettings::default(),
        )
    }

    fn points(holds: &[Hold]) -> Vec<Vec3> {
        holds.iter().map(|hold| hold.point_at(0.0, 0.0)).collect()
    }

    #[test]
    fn points_are_even_along_a_side_and_absent_where_an_obstacle_covers_it() {
        let holds = spread(&table(), ObstacleId::from(0), HoldSpread::Spaced(0.5), &[HoldType::LoadBearing], true);
        let xs: Vec<f32> = points(&holds).iter().map(|point| point.x).collect();
        // 2.75 and 3.25 are under the block.
        let expected = [3.75, 2.25, 1.75, 1.25, 0.75, 0.25];
        assert_eq!(xs.len(), expected.len(), "{xs:?}");
        assert!(xs.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-4), "{xs:?}");
        assert!(points(&holds).iter().all(|point| point.y.abs() < 1e-6 && point.z == 0.0));
    }

    #[test]
    fn each_side_of_a_block_is_one_hold_with_the_type_of_its_normal() {
        let holds = spread(&table(), ObstacleId::from(1), HoldSpread::Everywhere, &HoldType::ALL, true);
        // The underside is on the ground. It leaves a gap in the numbers.
        let names: Vec<&str> = holds.iter().map(|hold| hold.name.as_str()).collect();
        assert_eq!(names, ["block 1", "block 2", "block 4"], "{holds:?}");
        let count = |wanted| holds.iter().filter(|hold| hold.hold_type == wanted).count();
        assert_eq!(HoldType::ALL.map(count), [1, 0, 2]);
        let top = holds.iter().find(|hold| hold.hold_type == HoldType::LoadBearing).unwrap();
        assert!((top.point_at(0.0, 0.0) - top.point_at(1.0, 0.0)).length() > 0.999);
    }

    #[test]
    fn the_triangles_of_a_face_share_one_lattice() {
        let holds = spread(&table(), ObstacleId::from(1), HoldSpread::Spaced(0.25), &[HoldType::LoadBearing], false);
        // A square meter has 4 by 4 points a quarter meter apart, on both of its triangles together.
        assert_eq!(holds.len(), 16);
        assert!(points(&holds).iter().all(|point| (point.y - 1.0).abs() < 1e-5));
    }

    #[test]
    fn faces_narrower_than_the_spacing_have_holds_along_their_middle() {
        // At a place that no lattice point is near, along an axis and askew.
        for heading in [0.0, 0.5] {
            let pose = Pose::from_parts(Vec3::new(1.3, 0.9, 0.0), crate::math::rotation_about(Vec3::Y, heading));
            let rung = Obstacle::cuboid("rung", pose, Vec3::new(0.04, 0.04, 0.6)).unwrap();
            let settings = DistanceFieldSettings::default();
            let world = World::from_obstacles(Space::Spatial, vec![rung], Vec3::ZERO, Vec3::splat(2.0), &settings);
            let top = spread(&world, ObstacleId::from(0), HoldSpread::Spaced(0.15), &[HoldType::LoadBearing], false);
            let mut along: Vec<f32> = points(&top).iter().map(|point| (pose.inverse() * *point).z).collect();
            along.sort_by(f32::total_cmp);
            assert!(along.iter().zip([-0.225, -0.075, 0.075, 0.225]).all(|(z, expected)| (z - expected).abs() < 1e-3));
            assert_eq!(along.len(), 4, "{along:?}");
            for point in points(&top).into_iter().map(|point| pose.inverse() * point) {
                assert!(point.x.abs() < 1e-3 && (point.y - 0.02).abs() < 1e-4, "{point}");
            }
            let all = spread(&world, ObstacleId::from(0), HoldSpread::Spaced(0.15), &HoldType::ALL, false);
            // The four long faces, and one hold at each end.
            assert_eq!(all.len(), 18);
            let planar = spread(&world, ObstacleId::from(0), HoldSpread::Spaced(0.15), &[HoldType::LoadBearing], true);
            assert_eq!(planar.len(), 1);
        }
    }

    #[test]
    fn a_finely_triangulated_face_has_no_more_holds_than_a_plain_one() {
        // A floor of a scanner: a grid with 5 mm cells and a tenth of a millimeter of noise.
        let (side, cell) = (100u32, 0.005);
        let noise = |i: u32, j: u32| 1e-4 * ((i * 7 + j * 13) % 11) as f32;
        let vertex = |k: u32| Vec3::new((k % side) as f32 * cell, noise(k % side, k / side), (k / side) as f32 * cell);
        let vertices: Vec<Vec3> = (0..side * side).map(vertex).collect();
        let cells = (0..(side - 1) * (side - 1)).map(|k| k % (side - 1) + k / (side - 1) * side);
        let triangles: Vec<[u32; 3]> =
            cells.flat_map(|k| [[k, k + side, k + 1], [k + 1, k + side, k + side + 1]]).collect();
        let floor = Obstacle::mesh("floor", vertices, triangles).unwrap();
        let settings = DistanceFieldSettings::default();
        let world = World::from_obstacles(Space::Spatial, vec![floor], Vec3::ZERO, Vec3::splat(1.0), &settings);
        let holds = spread(&world, ObstacleId::from(0), HoldSpread::Spaced(0.1), &HoldType::ALL, false);
        assert_eq!(holds.len(), 25);
    }

    #[test]
    fn the_outline_of_a_scan_has_evenly_spaced_points() {
        let noise = (0..=100).map(|i| [2.0 - 0.02 * i as f32, 0.001 * (i * 7 % 3) as f32]);
        let scan: Vec<[f32; 2]> = [[0.0, -1.0], [2.0, -1.0]].into_iter().chain(noise).collect();
        let scan = Obstacle::polygon("scan", &scan, -1.0, 1.0).unwrap();
        let settings = DistanceFieldSettings::default();
        let world = World::from_obstacles(Space::Planar, vec![scan], Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0), &settings);
        let holds = spread(&world, ObstacleId::from(0), HoldSpread::Spaced(0.25), &[HoldType::LoadBearing], true);
        let mut xs: Vec<f32> = points(&holds).iter().map(|point| point.x).collect();
        xs.sort_by(f32::total_cmp);
        assert_eq!(xs.len(), 8, "{xs:?}");
        assert!(xs.windows(2).all(|pair| (pair[1] - pair[0] - 0.25).abs() < 0.005), "{xs:?}");
    }

    #[test]
    fn too_many_holds_return_none() {
        let everything = Obstacle::cuboid("everything", Pose::IDENTITY, Vec3::splat(1e5)).unwrap();
        // As long as the world and so thin that no point of the lattice need be on it.
        let needle = [Vec3::new(-1e5, 0.0, -1e5), Vec3::new(1e5, 0.0, 1e5), Vec3::new(1e5, 0.0, 1.00001e5)];
        let needle = Obstacle::mesh("needle", needle.to_vec(), vec![[0, 1, 2]]).unwrap();
        let world = World::from_obstacles(
            Space::Spatial,
            vec![everything, needle],
            Vec3::ZERO,
            Vec3::splat(4.0),
            &DistanceFieldSettings::default(),
        );
        for (obstacle, is_planar) in [(0, false), (0, true), (1, false)] {
            let spread = spread_holds(
                &world,
                ObstacleId::from(obstacle),
                HoldSpread::Spaced(0.02),
                &HoldType::ALL,
                is_planar,
                10_000,
            );
            assert_eq!(spread, None, "{obstacle} {is_planar}");
        }
        let least = spread_holds(&table(), ObstacleId::from(1), HoldSpread::Everywhere, &HoldType::ALL, true, 4);
        assert_eq!(least.map(|holds| holds.len()), Some(3));
        assert_eq!(spread_holds(&table(), ObstacleId::from(1), HoldSpread::Everywhere, &HoldType::ALL, true, 3), None);
    }
}
