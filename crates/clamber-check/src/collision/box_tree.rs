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
/// The least share of a node's boxes that a child has: one third. Otherwise the node is split at the median.
const LEAST_SHARE: usize = 3;
/// Nodes that wait during a traversal: at most one more than the levels, and 2^32 boxes have 55 levels of two thirds each.
const MAX_DEPTH: usize = 60;

#[derive(Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Its boxes, as a range in `order`.
    first: u32,
    end: u32,
    /// The first of its two children, which follow each other; 0 for a leaf, and for a node that no query has split yet.
    children: u32,
}

/// Items of a tree: each is in a box.
pub(crate) trait Boxed {
    fn count(&self) -> usize;
    fn bounds_of(&self, item: u32) -> Bounds;
}

impl Boxed for Vec<Bounds> {
    fn count(&self) -> usize {
        self.len()
    }

    fn bounds_of(&self, item: u32) -> Bounds {
        self[item as usize]
    }
}

/// A binary tree over boxes, split in the middle of the longest side.
///
/// Nodes are split when a query first enters them: a motion visits a small part of a large world.
pub(crate) struct BoxTree<Items = Vec<Bounds>> {
    items: Items,
    parts: RefCell<Parts>,
}

struct Parts {
    nodes: Vec<Node>,
    /// The numbers of the items, those of a node together.
    order: Vec<u32>,
    /// For [`split`].
    scratch: Vec<u32>,
}

impl<Items: Boxed> BoxTree<Items> {
    pub fn new(items: Items) -> Self {
        let order: Vec<u32> = (0..items.count() as u32).collect();
        let root = Node { bounds: union_of(&items, &order), first: 0, end: order.len() as u32, children: 0 };
        Self { items, parts: RefCell::new(Parts { nodes: vec![root], order, scratch: Vec::new() }) }
    }

    pub fn items(&self) -> &Items {
        &self.items
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
            match parts.children(&self.items, index) {
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
            match parts.children(&self.items, index) {
                Some(first) => {
                    let child = |child: u32| (parts.nodes[child as usize].bounds.distance(query), child);
                    let (first, second) = (child(first), child(first + 1));
                    // The nearer child is popped first.
                    let children = if first.0 <= second.0 { [second, first] } else { [first, second] };
                    stack[height..height + 2].copy_from_slice(&children);
                    height += 2;
                }
                None => {
                    let is_nearer = |item: u32, least: f64| self.items.bounds_of(item).distance(query) < least;
                    for &item in parts.items_of(index) {
                        if !is_nearer(item, least) {
                            continue;
                        }
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
        &self.order[first as usize..end as usize]
    }

    /// Returns the first child of a node, which is split if it is none yet; `None` for a leaf.
    fn children(&mut self, items: &impl Boxed, index: u32) -> Option<u32> {
        let Node { bounds, first, end, children } = self.nodes[index as usize];
        if children > 0 {
            return Some(children);
        }
        let order = &mut self.order[first as usize..end as usize];
        if order.len() <= LEAF_SIZE {
            return None;
        }
        let Split { lower_count, lower, upper } = split(order, items, bounds, &mut self.scratch);
        let middle = first + lower_count as u32;
        let children = self.nodes.len() as u32;
        self.nodes.push(Node { bounds: lower, first, end: middle, children: 0 });
        self.nodes.push(Node { bounds: upper, first: middle, end, children: 0 });
        self.nodes[index as usize].children = children;
        Some(children)
    }
}

/// The two parts of a node.
struct Split {
    lower_count: usize,
    lower: Bounds,
    upper: Bounds,
}

/// Reorders the items of a node so that those of the first child come first.
///
/// The middle of the longest side takes one pass and keeps the order, which is that of memory. The median takes several, and
/// is used where the middle would make one child much larger.
fn split(order: &mut [u32], items: &impl Boxed, bounds: Bounds, scratch: &mut Vec<u32>) -> Split {
    let size = bounds.max - bounds.min;
    let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
    let middle = bounds.min[axis] + bounds.max[axis];
    scratch.clear();
    let mut split = Split { lower_count: 0, lower: Bounds::EMPTY, upper: Bounds::EMPTY };
    for index in 0..order.len() {
        let item = order[index];
        let bounds = items.bounds_of(item);
        if bounds.min[axis] + bounds.max[axis] < middle {
            order[split.lower_count] = item;
            split.lower_count += 1;
            split.lower = split.lower.union(bounds);
        } else {
            scratch.push(item);
            split.upper = split.upper.union(bounds);
        }
    }
    order[split.lower_count..].copy_from_slice(scratch);
    if split.lower_count.min(scratch.len()) >= order.len() / LEAST_SHARE {
        return split;
    }
    let half = order.len() / 2;
    let doubled_center = |item: u32| {
        let bounds = items.bounds_of(item);
        bounds.min[axis] + bounds.max[axis]
    };
    order.select_nth_unstable_by(half, |&a, &b| doubled_center(a).total_cmp(&doubled_center(b)).then(a.cmp(&b)));
    Split { lower_count: half, lower: union_of(items, &order[..half]), upper: union_of(items, &order[half..]) }
}

fn union_of(items: &impl Boxed, some: &[u32]) -> Bounds {
    some.iter().fold(Bounds::EMPTY, |all, &item| all.union(items.bounds_of(item)))
}
