//! A tree of axis-aligned bounding boxes.

use std::cell::RefCell;

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

#[derive(Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Its boxes, as a range in `items`.
    first: u32,
    end: u32,
    /// The first of its two children, which follow each other; 0 for a leaf, and for a node that no query has split yet.
    children: u32,
}

/// A binary tree over boxes, split at the median along the longest side.
///
/// Nodes are split when a query first enters them: a motion visits a small part of a large world.
pub(crate) struct BoxTree {
    boxes: Vec<Bounds>,
    parts: RefCell<Parts>,
}

struct Parts {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl BoxTree {
    pub fn new(boxes: Vec<Bounds>) -> Self {
        let items: Vec<u32> = (0..boxes.len() as u32).collect();
        let root = Node { bounds: Bounds::EMPTY, first: 0, end: items.len() as u32, children: 0 };
        let nodes = vec![Node { bounds: union_of(&boxes, &items), ..root }];
        Self { boxes, parts: RefCell::new(Parts { nodes, items }) }
    }

    /// The box around all boxes.
    pub fn bounds(&self) -> Bounds {
        self.parts.borrow().nodes[0].bounds
    }

    /// Calls `visit` with each item of the leaves that `is_near` accepts with all their ancestors.
    pub fn visit(&self, mut is_near: impl FnMut(&Bounds) -> bool, mut visit: impl FnMut(usize)) {
        let parts = &mut *self.parts.borrow_mut();
        let mut stack = [0u32; MAX_DEPTH];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let index = stack[height];
            if !is_near(&parts.nodes[index as usize].bounds) {
                continue;
            }
            match parts.children(&self.boxes, index) {
                Some(first) => {
                    stack[height..height + 2].copy_from_slice(&[first + 1, first]);
                    height += 2;
                }
                None => parts.items_of(index).iter().for_each(|&item| visit(item as usize)),
            }
        }
    }

    /// Returns the least distance of an item, if it is less than `bound`. `distance` computes it exactly; distances to boxes
    /// are measured from `query`.
    pub fn least_distance(&self, query: &Bounds, bound: f64, mut distance: impl FnMut(usize) -> f64) -> Option<f64> {
        let parts = &mut *self.parts.borrow_mut();
        let mut least = bound;
        let mut stack = [(0.0, 0u32); MAX_DEPTH];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (box_distance, index) = stack[height];
            if box_distance >= least {
                continue;
            }
            match parts.children(&self.boxes, index) {
                Some(first) => {
                    let child = |child: u32| (parts.nodes[child as usize].bounds.distance(query), child);
                    let (first, second) = (child(first), child(first + 1));
                    // The nearer child is popped first.
                    let children = if first.0 <= second.0 { [second, first] } else { [first, second] };
                    stack[height..height + 2].copy_from_slice(&children);
                    height += 2;
                }
                None => {
                    for &item in parts.items_of(index) {
                        least = least.min(distance(item as usize));
                    }
                }
            }
        }
        (least < bound).then_some(least)
    }
}

impl Parts {
    /// The boxes of a leaf.
    fn items_of(&self, leaf: u32) -> &[u32] {
        let Node { first, end, .. } = self.nodes[leaf as usize];
        &self.items[first as usize..end as usize]
    }

    /// Returns the first child of a node, which is split if it is none yet; `None` for a leaf.
    fn children(&mut self, boxes: &[Bounds], index: u32) -> Option<u32> {
        let Node { bounds, first, end, children } = self.nodes[index as usize];
        if children > 0 {
            return Some(children);
        }
        let items = &mut self.items[first as usize..end as usize];
        if items.len() <= LEAF_SIZE {
            return None;
        }
        let size = bounds.max - bounds.min;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
        let center = |item: u32| boxes[item as usize].min[axis] + boxes[item as usize].max[axis];
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&a, &b| center(a).total_cmp(&center(b)).then(a.cmp(&b)));
        let middle = first + half as u32;
        let [lower, upper] = [&items[..half], &items[half..]].map(|items| union_of(boxes, items));
        let children = self.nodes.len() as u32;
        self.nodes.push(Node { bounds: lower, first, end: middle, children: 0 });
        self.nodes.push(Node { bounds: upper, first: middle, end, children: 0 });
        self.nodes[index as usize].children = children;
        Some(children)
    }
}

fn union_of(boxes: &[Bounds], items: &[u32]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |all, &item| all.union(boxes[item as usize]))
}
