//! A tree of bounding spheres around points. Spheres stay spheres when the body turns.

use clamber_model::math::Vec3;

/// Most points of a leaf.
const LEAF_SIZE: usize = 16;

/// A node of the tree. Its left child follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleNode {
    pub center: Vec3,
    pub radius: f32,
    /// The first point in the order of the tree.
    pub first: u32,
    /// The number of points of a leaf; 0 for an inner node.
    pub count: u32,
    /// The index of the right child of an inner node.
    pub right: u32,
}

/// For each node, combines the values of its points, which are in the order of the tree.
pub(super) fn fold_nodes<V: Copy, R: Copy>(
    nodes: &[SampleNode],
    values: &[V],
    of_one: impl Fn(V) -> R,
    combine: impl Fn(R, R) -> R,
) -> Vec<R> {
    let mut folded: Vec<Option<R>> = vec![None; nodes.len()];
    // Children follow their parents.
    for (index, node) in nodes.iter().enumerate().rev() {
        let own = values[node.first as usize..][..node.count as usize].iter().map(|&value| of_one(value));
        let children = [index + 1, node.right as usize].into_iter().filter(|_| node.count == 0);
        folded[index] = own.chain(children.filter_map(|child| folded[child])).reduce(&combine);
    }
    folded.into_iter().flatten().collect()
}

/// Returns the order of the points in the tree, and its nodes, the root first.
pub(super) fn build(points: &[Vec3]) -> (Vec<u32>, Vec<SampleNode>) {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let mut nodes = Vec::new();
    if !points.is_empty() {
        add_node(points, &mut order, 0, &mut nodes);
    }
    (order, nodes)
}

fn add_node(points: &[Vec3], order: &mut [u32], first: usize, nodes: &mut Vec<SampleNode>) {
    let point = |index: &u32| points[*index as usize];
    let low = order.iter().map(point).fold(Vec3::INFINITY, Vec3::min);
    let high = order.iter().map(point).fold(Vec3::NEG_INFINITY, Vec3::max);
    let center = 0.5 * (low + high);
    let radius = order.iter().map(|index| (point(index) - center).length()).fold(0.0, f32::max);
    let node = nodes.len();
    nodes.push(SampleNode { center, radius, first: first as u32, count: order.len() as u32, right: 0 });
    if order.len() <= LEAF_SIZE {
        return;
    }
    let middle = order.len() / 2;
    let axis = (high - low).max_position();
    let key = |index: &u32| (point(index)[axis], *index);
    order.select_nth_unstable_by(middle, |a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    });
    let (left, right) = order.split_at_mut(middle);
    add_node(points, left, first, nodes);
    nodes[node].count = 0;
    nodes[node].right = nodes.len() as u32;
    add_node(points, right, first + middle, nodes);
}
