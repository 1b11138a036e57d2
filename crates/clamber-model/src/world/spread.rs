//! Spreads holds over the surfaces of obstacles, with the type from the surface's normal (thesis 4.1).

use super::hold::{Hold, HoldShape, HoldType};
use super::{Obstacle, World};
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
pub fn spread_holds(world: &World, obstacle: usize, how: Spread, types: &[HoldType], is_planar: bool) -> Vec<Hold> {
    let obstacle = &world.obstacles[obstacle];
    let mut holds = Vec::new();
    let mut add = |shape: HoldShape, normal: Vec3| {
        let hold_type = HoldType::of_normal(normal);
        let name = format!("{} {}", obstacle.name, holds.len() + 1);
        holds.push(Hold { name, hold_type, normal, shape });
    };
    let wanted = |normal: Vec3| types.contains(&HoldType::of_normal(normal));
    let is_open = |point: Vec3, normal: Vec3| {
        let center = point + normal * (1.5 * SMALLEST_EFFECTOR);
        world.point_distance(center).distance > SMALLEST_EFFECTOR
    };
    if is_planar {
        for Side { ends: [a, b], normal } in section(obstacle).into_iter().filter(|side| wanted(side.normal)) {
            match how {
                Spread::Everywhere => add(HoldShape::Segment([a, b]), normal),
                Spread::Every(spacing) => {
                    // Half a spacing is kept from the ends, or less on sides that are shorter.
                    let count = ((b - a).length() / spacing).round().max(1.0) as usize;
                    for i in 0..count {
                        let point = a + (b - a) * ((i as f32 + 0.5) / count as f32);
                        if is_open(point, normal) {
                            add(HoldShape::Point(point), normal);
                        }
                    }
                }
            }
        }
        return holds;
    }
    for corners in obstacle.triangles() {
        let Some(normal) = normal_of(corners).filter(|normal| wanted(*normal)) else { continue };
        match how {
            Spread::Everywhere => add(HoldShape::Triangle(corners), normal),
            Spread::Every(spacing) => {
                for_lattice_points(corners, normal, spacing, |point| {
                    if is_open(point, normal) {
                        add(HoldShape::Point(point), normal);
                    }
                });
            }
        }
    }
    holds
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
    let mut sides: Vec<Side> = obstacle.triangles().into_iter().filter_map(cut).collect();
    let mut index = 0;
    while index < sides.len() {
        let continues = (0..sides.len()).filter(|&other| other != index).find_map(|other| {
            let joined = join(&sides[index], &sides[other])?;
            Some((other, joined))
        });
        match continues {
            Some((other, joined)) => {
                sides[index] = joined;
                sides.remove(other);
                index -= usize::from(other < index);
            }
            None => index += 1,
        }
    }
    sides
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

fn join(one: &Side, other: &Side) -> Option<Side> {
    let [a, b] = one.ends;
    let [c, d] = other.ends;
    let touches = |p: Vec3, q: Vec3| (p - q).length() < 1e-5;
    if one.normal.dot(other.normal) < 1.0 - 1e-6 {
        return None;
    }
    match () {
        () if touches(b, c) => Some(Side { ends: [a, d], normal: one.normal }),
        () if touches(d, a) => Some(Side { ends: [c, b], normal: one.normal }),
        () => None,
    }
}

/// Calls `visit` with the points of a triangle above a square lattice in the plane of the axes that it faces least.
///
/// The lattice belongs to the world, so that triangles that continue each other share it.
fn for_lattice_points(corners: [Vec3; 3], normal: Vec3, spacing: f32, mut visit: impl FnMut(Vec3)) {
    let across = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(1);
    let (u, v) = ((across + 1) % 3, (across + 2) % 3);
    // Off the axes by a share that is not a round number, so that round edges do not lie on the lattice.
    let cell = |x: f32| (x / spacing - 0.482_37).ceil() as i64;
    let place = |k: i64| (k as f32 + 0.482_37) * spacing;
    let range = |axis: usize| {
        let values = corners.map(|corner| corner[axis]);
        let (low, high) = (values[0].min(values[1]).min(values[2]), values[0].max(values[1]).max(values[2]));
        cell(low)..cell(high)
    };
    for i in range(u) {
        for j in range(v) {
            let mut point = Vec3::ZERO;
            point[u] = place(i);
            point[v] = place(j);
            point[across] = corners[0][across]
                - (normal[u] * (point[u] - corners[0][u]) + normal[v] * (point[v] - corners[0][v])) / normal[across];
            let inside = (0..3).all(|k| {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                normal.dot((to - from).cross(point - from)) >= 0.0
            });
            if inside {
                visit(point);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::world::FieldSettings;

    fn table() -> World {
        let ground = Obstacle::polygon("ground", &[[0.0, -1.0], [4.0, -1.0], [4.0, 0.0], [0.0, 0.0]], -1.0, 1.0);
        let block = Obstacle::cuboid("block", Pose::translation(3.0, 0.5, 0.0), Vec3::new(1.0, 1.0, 1.0));
        World::new(vec![ground.unwrap(), block.unwrap()], Vec3::ZERO, Vec3::splat(4.0), &FieldSettings::default())
    }

    fn points(holds: &[Hold]) -> Vec<Vec3> {
        holds.iter().map(|hold| hold.at(0.0, 0.0)).collect()
    }

    #[test]
    fn a_side_has_its_points_evenly_and_none_under_what_stands_on_it() {
        let holds = spread_holds(&table(), 0, Spread::Every(0.5), &[HoldType::LoadBearing], true);
        let xs: Vec<f32> = points(&holds).iter().map(|point| point.x).collect();
        // 2.75 and 3.25 are under the block.
        let expected = [3.75, 2.25, 1.75, 1.25, 0.75, 0.25];
        assert_eq!(xs.len(), expected.len(), "{xs:?}");
        assert!(xs.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-4), "{xs:?}");
        assert!(points(&holds).iter().all(|point| point.y.abs() < 1e-6 && point.z == 0.0));
    }

    #[test]
    fn every_side_of_a_block_is_one_surface_with_the_type_of_its_normal() {
        let holds = spread_holds(&table(), 1, Spread::Everywhere, &HoldType::ALL, true);
        assert_eq!(holds.len(), 4, "{holds:?}");
        let count = |wanted| holds.iter().filter(|hold| hold.hold_type == wanted).count();
        assert_eq!(HoldType::ALL.map(count), [1, 1, 2]);
        let top = holds.iter().find(|hold| hold.hold_type == HoldType::LoadBearing).unwrap();
        assert!((top.at(0.0, 0.0) - top.at(1.0, 0.0)).length() > 0.999);
    }

    #[test]
    fn in_space_a_face_has_the_points_of_one_lattice() {
        let holds = spread_holds(&table(), 1, Spread::Every(0.25), &[HoldType::LoadBearing], false);
        // A square metre has 4 by 4 points a quarter metre apart, on both of its triangles together.
        assert_eq!(holds.len(), 16);
        assert!(points(&holds).iter().all(|point| (point.y - 1.0).abs() < 1e-5));
    }
}
