//! A tree of axis-aligned bounding boxes.

use clamber_model::math::double::Vec3;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |bounds, point| Self { min: bounds.min.min(point), max: bounds.max.max(point) })
    }

    fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The distance between two boxes; 0 if they intersect.
    pub fn distance(&self, other: &Self) -> f64 {
        (self.min - other.max).max(other.min - self.max).max(Vec3::ZERO).length()
    }

    /// Whether a ray from a point enters the box. `inverse` has the reciprocals of the ray's direction.
    pub fn is_hit_by_ray(&self, from: Vec3, inverse: Vec3) -> bool {
        let (a, b) = ((self.min - from) * inverse, (self.max - from) * inverse);
        let (enters, leaves) = (a.min(b).max_element(), a.max(b).min_element());
        // A little wider, so that rounding loses no triangle.
        enters <= leaves + 1e-9 * leaves.abs() && leaves >= 0.0
    }
}

/// Boxes per leaf.
const LEAF_SIZE: usize = 4;
/// Nodes that wait during a traversal: at most one more than the levels, and halving 2^32 boxes gives 32 levels.
const MAX_DEPTH: usize = 40;

struct Node {
    bounds: Bounds,
    /// The items of a leaf, as a range in `items`; empty for inner nodes.
    items: std::ops::Range<u32>,
    /// The second child of an inner node; the first one follows the node.
    second: u32,
}

/// A binary tree over boxes, split at the median along the longest side.
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl BoxTree {
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut tree = Self { nodes: Vec::new(), items: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            tree.build(boxes, 0, boxes.len());
        }
        tree
    }

    fn build(&mut self, boxes: &[Bounds], first: usize, end: usize) {
        let bounds = self.items[first..end].iter().fold(Bounds::EMPTY, |all, &item| all.union(boxes[item as usize]));
        let index = self.nodes.len();
        let is_leaf = end - first <= LEAF_SIZE;
        let items = if is_leaf { first as u32..end as u32 } else { 0..0 };
        self.nodes.push(Node { bounds, items, second: 0 });
        if is_leaf {
            return;
        }
        let size = bounds.max - bounds.min;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
        let middle = (first + end) / 2;
        let center = |item: u32| boxes[item as usize].min[axis] + boxes[item as usize].max[axis];
        self.items[first..end]
            .select_nth_unstable_by(middle - first, |&a, &b| center(a).total_cmp(&center(b)).then(a.cmp(&b)));
        self.build(boxes, first, middle);
        self.nodes[index].second = self.nodes.len() as u32;
        self.build(boxes, middle, end);
    }

    /// Calls `visit` with each item of the leaves that `is_near` accepts with all their ancestors.
    pub fn visit(&self, mut is_near: impl FnMut(&Bounds) -> bool, mut visit: impl FnMut(usize)) {
        let mut stack = [0u32; MAX_DEPTH];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let index = stack[height];
            let node = &self.nodes[index as usize];
            if !is_near(&node.bounds) {
                continue;
            }
            if node.items.is_empty() {
                stack[height..height + 2].copy_from_slice(&[node.second, index + 1]);
                height += 2;
            }
            for &item in &self.items[node.items.start as usize..node.items.end as usize] {
                visit(item as usize);
            }
        }
    }

    /// Returns the least distance of an item, if it is less than `bound`. `distance` computes it exactly; distances to boxes
    /// are measured from `query`.
    pub fn least_distance(&self, query: &Bounds, bound: f64, mut distance: impl FnMut(usize) -> f64) -> Option<f64> {
        let mut least = bound;
        let mut stack = [(0.0, 0u32); MAX_DEPTH];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let (box_distance, index) = stack[height];
            if box_distance >= least {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.items.is_empty() {
                let child = |child: u32| (self.nodes[child as usize].bounds.distance(query), child);
                let (first, second) = (child(index + 1), child(node.second));
                // The nearer child is popped first.
                let children = if first.0 <= second.0 { [second, first] } else { [first, second] };
                stack[height..height + 2].copy_from_slice(&children);
                height += 2;
            }
            for &item in &self.items[node.items.start as usize..node.items.end as usize] {
                least = least.min(distance(item as usize));
            }
        }
        (least < bound).then_some(least)
    }
}
