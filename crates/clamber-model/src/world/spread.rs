//! Spreads holds over the surfaces of obstacles, with the type from the surface's normal (thesis 4.1).

use std::collections::BTreeMap;

use super::hold::{Hold, HoldShape, HoldType};
use super::obstacle::Obstacle;
use super::world_data::World;
use crate::id::ObstacleId;
use crate::math::Vec3;

/// How an obstacle's surface is made into holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Points, this far apart in metres.
    Every(f32),
    /// Every point of the surface.
    Everywhere,
}

/// Points of the sides where no effector of this radius fits, because something else is there, are left out.
const SMALLEST_EFFECTOR: f32 = 0.03;

/// The holds of one obstacle's surface of the given types; on its section with the plane z = 0 for a planar character.
///
/// They are named after the obstacle and counted from 1.
pub fn spread_holds(
    world: &World,
    obstacle: ObstacleId,
    how: Spread,
    types: &[HoldType],
    is_planar: bool,
) -> Vec<Hold> {
    spread_holds_up_to(world, obstacle, how, types, is_planar, usize::MAX).unwrap_or_default()
}

/// The same, or `None` as soon as it is known that they are more than `most`, or would be if nothing were in front of
/// them.
pub fn spread_holds_up_to(
    world: &World,
    obstacle: ObstacleId,
    how: Spread,
    types: &[HoldType],
    is_planar: bool,
    most: usize,
) -> Option<Vec<Hold>> {
    let obstacle = &world.obstacles[obstacle];
    let mut holds = Holds { world, name: &obstacle.name, list: Vec::new(), left: most };
    let wanted = |normal: Vec3| types.contains(&HoldType::of_normal(normal));
    if is_planar {
        for Side { ends: [a, b], normal } in section(obstacle).into_iter().filter(|side| wanted(side.normal)) {
            match how {
                Spread::Everywhere => holds.add(HoldShape::Segment([a, b]), normal)?,
                Spread::Every(spacing) => {
                    // Half a spacing is kept from the ends, or less on sides that are shorter.
                    let count = ((b - a).length() / spacing).round().max(1.0) as usize;
                    for i in 0..count {
                        holds.add_if_open(a + (b - a) * ((i as f32 + 0.5) / count as f32), normal)?;
                    }
                }
            }
        }
        return Some(holds.list);
    }
    // Rows of a lattice are cheap, but a long thin triangle may have very many without a single point.
    let mut rows = most.saturating_mul(100);
    for corners in obstacle.triangles() {
        let Some(normal) = normal_of(corners).filter(|normal| wanted(*normal)) else { continue };
        match how {
            Spread::Everywhere => holds.add(HoldShape::Triangle(corners), normal)?,
            Spread::Every(spacing) => {
                for_lattice_points(corners, normal, spacing, &mut rows, |point| holds.add_if_open(point, normal))?;
            }
        }
    }
    Some(holds.list)
}

/// Holds of one obstacle, as they are found.
struct Holds<'a> {
    world: &'a World,
    name: &'a str,
    list: Vec<Hold>,
    /// How many more there may be.
    left: usize,
}

impl Holds<'_> {
    fn add(&mut self, shape: HoldShape, normal: Vec3) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.push(shape, normal);
        Some(())
    }

    /// Adds a point unless something else is in front of it. It counts all the same.
    fn add_if_open(&mut self, point: Vec3, normal: Vec3) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if !self.world.is_within(point + normal * (1.5 * SMALLEST_EFFECTOR), SMALLEST_EFFECTOR) {
            self.push(HoldShape::Point(point), normal);
        }
        Some(())
    }

    fn push(&mut self, shape: HoldShape, normal: Vec3) {
        let name = format!("{} {}", self.name, self.list.len() + 1);
        self.list.push(Hold { name, hold_type: HoldType::of_normal(normal), normal, shape });
    }
}

fn normal_of([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    (b - a).cross(c - a).try_normalize()
}

/// A side of an obstacle's section.
#[derive(Clone, Copy, Debug)]
struct Side {
    ends: [Vec3; 2],
    normal: Vec3,
}

/// The outline of an obstacle in the plane z = 0; sides that continue each other are joined.
fn section(obstacle: &Obstacle) -> Vec<Side> {
    let mut sides: Vec<Option<Side>> = obstacle.triangles().into_iter().map(cut).filter(Option::is_some).collect();
    // By where they begin and by where they end, so that a mesh of many triangles is not compared pair by pair.
    let mut beginnings: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    let mut ends: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, side) in sides.iter().flatten().enumerate() {
        beginnings.entry(key(side.ends[0], side.normal, [0; 3])).or_default().push(index);
        ends.entry(key(side.ends[1], side.normal, [0; 3])).or_default().push(index);
    }
    let mut joined = Vec::new();
    for index in 0..sides.len() {
        let Some(mut side) = sides[index].take() else { continue };
        while let Some(next) = take_near(&beginnings, &mut sides, side.ends[1], side.normal, 0) {
            side.ends[1] = next.ends[1];
        }
        while let Some(before) = take_near(&ends, &mut sides, side.ends[0], side.normal, 1) {
            side.ends[0] = before.ends[0];
        }
        joined.push(side);
    }
    joined
}

/// StepFrames that are nearer to each other than this are one place, in metres.
const SAME_PLACE: f32 = 1e-5;

/// A cell of places and of normals.
type Key = [i64; 3];

/// The cell of a place and a normal, or of those a little to the side.
fn key(place: Vec3, normal: Vec3, aside: [i8; 3]) -> Key {
    const CELL: f32 = 10.0 * SAME_PLACE;
    let cell = |x: f32, aside: i8| ((x + f32::from(aside) * SAME_PLACE) / CELL).floor() as i64;
    // Normals that count as the same differ by no more than 0.0015.
    let lean = (normal.x + 0.0015 * f32::from(aside[2])) / 0.02;
    [cell(place.x, aside[0]), cell(place.y, aside[1]), lean.floor() as i64]
}

/// Takes a side with this normal out of the list, one of whose ends is at this place.
fn take_near(
    known: &BTreeMap<Key, Vec<usize>>,
    sides: &mut [Option<Side>],
    place: Vec3,
    normal: Vec3,
    end: usize,
) -> Option<Side> {
    // Mostly one cell, as all these are the same one.
    let mut keys: Vec<Key> = Vec::with_capacity(8);
    for x in [-1, 1] {
        for y in [-1, 1] {
            for turn in [-1, 1] {
                keys.push(key(place, normal, [x, y, turn]));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let fits = |side: &Side| (side.ends[end] - place).length() < SAME_PLACE && side.normal.dot(normal) > 1.0 - 1e-6;
    let near = keys.iter().filter_map(|key| known.get(key)).flatten();
    let first = near.copied().filter(|&index| sides[index].as_ref().is_some_and(fits)).min()?;
    sides[first].take()
}

/// Where a triangle cuts the plane z = 0.
fn cut(corners: [Vec3; 3]) -> Option<Side> {
    // A corner in the plane counts as above it, so that neighbouring triangles cut the plane exactly once between them.
    let mut ends = Vec::new();
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (corners[from], corners[to]);
        if (a.z < 0.0) != (b.z < 0.0) {
            let point = a + (b - a) * (a.z / (a.z - b.z));
            ends.push(point.with_z(0.0));
        }
    }
    let normal = normal_of(corners)?.with_z(0.0).try_normalize()?;
    let &[a, b] = ends.as_slice() else { return None };
    // All sides run the same way round the outline, so that spread points do not depend on the triangles.
    let [a, b] = if normal.cross(b - a).z > 0.0 { [a, b] } else { [b, a] };
    ((b - a).length() > 1e-5).then_some(Side { ends: [a, b], normal })
}

/// Calls `visit` with the points of a triangle above a square lattice in the plane of the axes that it faces least,
/// until it returns `None` or more than so many `rows` of the lattice have been looked at.
///
/// The lattice belongs to the world, so that triangles that continue each other share it.
fn for_lattice_points(
    corners: [Vec3; 3],
    normal: Vec3,
    spacing: f32,
    rows: &mut usize,
    mut visit: impl FnMut(Vec3) -> Option<()>,
) -> Option<()> {
    let across = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(1);
    let (u, v) = ((across + 1) % 3, (across + 2) % 3);
    // Off the axes by a share that is not a round number, so that round edges do not lie on the lattice.
    let cell = |x: f32| (x / spacing - 0.482_37).ceil() as i64;
    let place = |k: i64| (k as f32 + 0.482_37) * spacing;
    let sides = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| (corners[from], corners[to]));
    let range = |values: &[f32]| {
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        (low, values.iter().copied().fold(f32::NEG_INFINITY, f32::max))
    };
    let (low, high) = range(&corners.map(|corner| corner[u]));
    for i in cell(low)..cell(high) {
        *rows = rows.checked_sub(1)?;
        let row = place(i);
        // Where the row enters the triangle and where it leaves it; a cell more on both sides, for rounding errors.
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
            point[v] = place(j);
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
    use super::*;
    use crate::math::Pose;
    use crate::world::FieldSettings;
    use crate::world::Space;

    fn table() -> World {
        let ground = Obstacle::polygon("ground", &[[0.0, -1.0], [4.0, -1.0], [4.0, 0.0], [0.0, 0.0]], -1.0, 1.0);
        let block = Obstacle::cuboid("block", Pose::translation(3.0, 0.5, 0.0), Vec3::new(1.0, 1.0, 1.0));
        World::from_obstacles(
            Space::Spatial,
            vec![ground.unwrap(), block.unwrap()],
            Vec3::ZERO,
            Vec3::splat(4.0),
            &FieldSettings::default(),
        )
    }

    fn points(holds: &[Hold]) -> Vec<Vec3> {
        holds.iter().map(|hold| hold.point_at(0.0, 0.0)).collect()
    }

    #[test]
    fn a_side_has_its_points_evenly_and_none_under_what_stands_on_it() {
        let holds = spread_holds(&table(), ObstacleId::from(0), Spread::Every(0.5), &[HoldType::LoadBearing], true);
        let xs: Vec<f32> = points(&holds).iter().map(|point| point.x).collect();
        // 2.75 and 3.25 are under the block.
        let expected = [3.75, 2.25, 1.75, 1.25, 0.75, 0.25];
        assert_eq!(xs.len(), expected.len(), "{xs:?}");
        assert!(xs.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-4), "{xs:?}");
        assert!(points(&holds).iter().all(|point| point.y.abs() < 1e-6 && point.z == 0.0));
    }

    #[test]
    fn every_side_of_a_block_is_one_surface_with_the_type_of_its_normal() {
        let holds = spread_holds(&table(), ObstacleId::from(1), Spread::Everywhere, &HoldType::ALL, true);
        assert_eq!(holds.len(), 4, "{holds:?}");
        let count = |wanted| holds.iter().filter(|hold| hold.hold_type == wanted).count();
        assert_eq!(HoldType::ALL.map(count), [1, 1, 2]);
        let top = holds.iter().find(|hold| hold.hold_type == HoldType::LoadBearing).unwrap();
        assert!((top.point_at(0.0, 0.0) - top.point_at(1.0, 0.0)).length() > 0.999);
    }

    #[test]
    fn in_space_a_face_has_the_points_of_one_lattice() {
        let holds = spread_holds(&table(), ObstacleId::from(1), Spread::Every(0.25), &[HoldType::LoadBearing], false);
        // A square metre has 4 by 4 points a quarter metre apart, on both of its triangles together.
        assert_eq!(holds.len(), 16);
        assert!(points(&holds).iter().all(|point| (point.y - 1.0).abs() < 1e-5));
    }

    #[test]
    fn too_many_are_not_even_made() {
        let everything = Obstacle::cuboid("everything", Pose::IDENTITY, Vec3::splat(1e5)).unwrap();
        // As long as the world and so thin that no point of the lattice need be on it.
        let needle = [Vec3::new(-1e5, 0.0, -1e5), Vec3::new(1e5, 0.0, 1e5), Vec3::new(1e5, 0.0, 1.00001e5)];
        let needle = Obstacle::mesh("needle", needle.to_vec(), vec![[0, 1, 2]]).unwrap();
        let world = World::from_obstacles(
            Space::Spatial,
            vec![everything, needle],
            Vec3::ZERO,
            Vec3::splat(4.0),
            &FieldSettings::default(),
        );
        for (obstacle, is_planar) in [(0, false), (0, true), (1, false)] {
            let spread = spread_holds_up_to(
                &world,
                ObstacleId::from(obstacle),
                Spread::Every(0.02),
                &HoldType::ALL,
                is_planar,
                10_000,
            );
            assert_eq!(spread, None, "{obstacle} {is_planar}");
        }
        let least = spread_holds_up_to(&table(), ObstacleId::from(1), Spread::Everywhere, &HoldType::ALL, true, 4);
        assert_eq!(least.map(|holds| holds.len()), Some(4));
        assert_eq!(
            spread_holds_up_to(&table(), ObstacleId::from(1), Spread::Everywhere, &HoldType::ALL, true, 3),
            None
        );
    }

    #[test]
    fn the_sides_of_a_cut_mesh_of_many_triangles_are_joined() {
        // A strip of a floor in many pieces, each of two triangles.
        let mut vertices = Vec::new();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for i in 0..2000u32 {
            let x = i as f32 * 0.01;
            vertices.extend([Vec3::new(x, 0.0, -1.0), Vec3::new(x, 0.0, 1.0)]);
            if i > 0 {
                let first = 2 * i - 2;
                triangles.extend([[first, first + 1, first + 3], [first, first + 3, first + 2]]);
            }
        }
        let strip = Obstacle::mesh("strip", vertices, triangles).unwrap();
        let sides = section(&strip);
        assert_eq!(sides.len(), 1, "{sides:?}");
        let length = (sides[0].ends[1] - sides[0].ends[0]).length();
        assert!((length - 19.99).abs() < 1e-3, "{length}");
    }
}
