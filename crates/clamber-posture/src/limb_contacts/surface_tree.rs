//! A tree of bounding boxes around the holds of a world. Nodes also know which way their surfaces face, so that a query that looks for
//! some direction leaves the others out.

use std::ops::ControlFlow;

use clamber_model::World;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape};

use super::tuning;

/// Most holds of a leaf. With one, the normal of a leaf is known.
const LEAF_SIZE: usize = 1;

/// The holds of a world, indexed for contact queries. Shared between threads.
#[derive(Clone, Debug, Default)]
pub struct SurfaceTree {
    pub(super) nodes: Vec<SurfaceNode>,
    /// The holds in the order of the tree.
    pub(super) holds: Vec<HoldId>,
}

/// A node of the tree. Its left child follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceNode {
    pub min: Vec3,
    pub max: Vec3,
    pub normals: NormalCone,
    /// The first hold in the order of the tree.
    pub first: u32,
    /// The number of holds of a leaf; 0 for an inner node.
    pub count: u32,
    /// The index of the right child of an inner node.
    pub right: u32,
}

impl SurfaceNode {
    /// Whether the box is no thicker than this and its normals are about the same.
    #[inline]
    pub fn is_flat(&self, thickness: f32) -> bool {
        let NormalCone { axis, deviation, .. } = self.normals;
        deviation <= tuning::FLAT_DEVIATION && (self.max - self.min).dot(axis.abs()) <= thickness
    }

    /// Whether an effector of this radius whose center is within a gap of a point may touch one of the surfaces: whether its center may be
    /// one radius off a surface, along its normal.
    #[inline]
    pub fn is_near(&self, center: Vec3, radius: f32, gap: f32) -> bool {
        // Displaced by the axis, the box is off by no more than normals are off the axis.
        let point = center - self.normals.axis * radius;
        let distance = gap + radius * self.normals.deviation;
        (point - point.clamp(self.min, self.max)).length_squared() <= distance * distance
    }
}

impl SurfaceTree {
    /// Indexes the holds of a world.
    pub fn new(world: &World) -> Self {
        let boxes: Vec<[Vec3; 2]> = world.holds.iter().map(bounding_box).collect();
        let mut tree = Self { nodes: Vec::new(), holds: world.holds.keys().collect() };
        if !tree.holds.is_empty() {
            let Self { nodes, holds } = &mut tree;
            add_node(world, &boxes, holds, 0, nodes);
        }
        tree
    }

    /// Visits the holds below some nodes that an effector of this radius may touch.
    pub(super) fn visit_near(
        &self,
        nodes: &[u32],
        (center, radius, gap): (Vec3, f32, f32),
        visitor: &mut impl HoldVisitor,
    ) {
        let mut open = [0; MAX_OPEN];
        for &top in nodes {
            let mut count = 1;
            open[0] = top;
            while count > 0 {
                count -= 1;
                let index = open[count];
                let Some(node) = self.nodes.get(index as usize) else { continue };
                if !visitor.wants(&node.normals) || !node.is_near(center, radius, gap) {
                    continue;
                }
                if node.count == 0 {
                    open[count] = node.right;
                    open[count + 1] = index + 1;
                    count += 2;
                } else {
                    for &hold in &self.holds[node.first as usize..][..node.count as usize] {
                        if visitor.visit(hold).is_break() {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// What looks for holds in the tree.
pub(super) trait HoldVisitor {
    /// Whether holds with these normals are of interest.
    fn wants(&self, normals: &NormalCone) -> bool;

    /// Visits a hold. May end the visit.
    fn visit(&mut self, hold: HoldId) -> ControlFlow<()>;
}

/// Room for the nodes that wait during a descent: one for each level, and the tree halves its holds at each.
const MAX_OPEN: usize = 64;

fn bounding_box(hold: &Hold) -> [Vec3; 2] {
    match hold.shape {
        HoldShape::Point(at) => [at, at],
        HoldShape::Segment([a, b]) => [a.min(b), a.max(b)],
        HoldShape::Triangle([a, b, c]) => [a.min(b).min(c), a.max(b).max(c)],
    }
}

fn add_node(world: &World, boxes: &[[Vec3; 2]], holds: &mut [HoldId], first: usize, nodes: &mut Vec<SurfaceNode>) {
    let own = |hold: &HoldId| boxes[hold.index()];
    let middle_of = |hold: &HoldId| own(hold)[0] + own(hold)[1];
    let min = holds.iter().map(|hold| own(hold)[0]).fold(Vec3::INFINITY, Vec3::min);
    let max = holds.iter().map(|hold| own(hold)[1]).fold(Vec3::NEG_INFINITY, Vec3::max);
    let normals = NormalCone::around(holds.iter().map(|hold| world.holds[*hold].normal));
    let node = nodes.len();
    nodes.push(SurfaceNode { min, max, normals, first: first as u32, count: holds.len() as u32, right: 0 });
    if holds.len() <= LEAF_SIZE {
        holds.sort_unstable();
        return;
    }
    let low = holds.iter().map(middle_of).fold(Vec3::INFINITY, Vec3::min);
    let high = holds.iter().map(middle_of).fold(Vec3::NEG_INFINITY, Vec3::max);
    let axis = (high - low).max_position();
    let half = holds.len() / 2;
    holds.select_nth_unstable_by(half, |a, b| middle_of(a)[axis].total_cmp(&middle_of(b)[axis]).then(a.cmp(b)));
    let (left, right) = holds.split_at_mut(half);
    add_node(world, boxes, left, first, nodes);
    nodes[node].count = 0;
    nodes[node].right = nodes.len() as u32;
    add_node(world, boxes, right, first + half, nodes);
}

/// A cone of directions around an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct NormalCone {
    axis: Vec3,
    /// The cosine and the sine of the greatest angle between the axis and a direction.
    spread: [f32; 2],
    /// The greatest length of the difference between the axis and a direction.
    deviation: f32,
}

/// Room for rounding in bounds of cosines.
const ROUNDING: f32 = 1e-4;

impl NormalCone {
    fn around(normals: impl Iterator<Item = Vec3> + Clone) -> Self {
        let first = normals.clone().next().unwrap_or(Vec3::Y);
        if normals.clone().all(|normal| normal == first) {
            return Self { axis: first, spread: [1.0, 0.0], deviation: 0.0 };
        }
        let sum: Vec3 = normals.clone().sum();
        let axis = sum.normalize_or(Vec3::Y);
        let cosine = normals.clone().map(|normal| axis.dot(normal)).fold(1.0, f32::min).max(-1.0);
        let deviation = normals.map(|normal| (normal - axis).length()).fold(0.0, f32::max);
        Self { axis, spread: [cosine, (1.0 - cosine * cosine).sqrt()], deviation: deviation + ROUNDING }
    }

    /// Returns an upper bound on the cosine between a direction and the directions of the cone; exact if they are all the same. Rounding
    /// would matter there: many samples on level ground have the same ratio, and a bound above it would have all of them looked at.
    #[inline]
    pub fn max_cosine(&self, direction: Vec3) -> f32 {
        let cosine = direction.dot(self.axis) + 0.0;
        let [cos_spread, sin_spread] = self.spread;
        if self.deviation == 0.0 {
            return cosine;
        }
        let cosine = cosine.clamp(-1.0, 1.0);
        if cosine >= cos_spread {
            return 1.0;
        }
        // The cosine of the angle less the spread.
        cosine * cos_spread + (1.0 - cosine * cosine).sqrt() * sin_spread + ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::rng::Stream;

    #[test]
    fn bounds_hold_for_any_normals() {
        let mut stream = Stream::new(1, "directions");
        let mut draw = || Vec3::from_array(std::array::from_fn(|_| stream.between(-1.0, 1.0))).normalize_or(Vec3::X);
        for count in [1, 2, 5] {
            for _ in 0..1000 {
                let normals: Vec<Vec3> = (0..count).map(|_| draw()).collect();
                let (cone, wanted) = (NormalCone::around(normals.iter().copied()), draw());
                let greatest = normals.iter().map(|normal| wanted.dot(*normal)).fold(-1.0, f32::max);
                let bound = cone.max_cosine(wanted);
                assert!(greatest <= bound, "{wanted} {normals:?} {bound}");
                assert!(count > 1 || bound < greatest + 0.01 || greatest > 0.99, "{bound} {greatest}");
            }
        }
        for normals in [vec![Vec3::X, -Vec3::X], vec![Vec3::X, Vec3::X, -Vec3::X]] {
            let opposite = NormalCone::around(normals.iter().copied());
            assert!([Vec3::X, -Vec3::X].into_iter().all(|direction| opposite.max_cosine(direction) >= 1.0));
        }
    }
}
