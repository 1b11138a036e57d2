//! The surfaces near nodes of the tree of samples.

use clamber_model::math::Vec3;

use super::surface_tree::SurfaceNode;
use super::tuning;

/// Lists of nodes of the surface tree, one for each visited node of the sample tree: the surfaces near it.
#[derive(Default)]
pub(super) struct Frontiers {
    nodes: Vec<u32>,
    unrefined: Vec<u32>,
}

impl Frontiers {
    /// Begins with the root of the surface tree and returns its frontier.
    pub fn begin(&mut self) -> [u32; 2] {
        self.nodes.clear();
        self.nodes.push(0);
        [0, 1]
    }

    /// Appends the surfaces of a range that are near a sphere of samples, and returns their range. Surfaces larger than the sphere are
    /// divided unless they are flat: the box around a flat part of a scan bounds distances as well as the boxes around its triangles.
    pub fn refine(
        &mut self,
        surfaces: &[SurfaceNode],
        [start, end]: [u32; 2],
        (center, radius): (Vec3, f32),
        (effector_radius, gap): (f32, f32),
    ) -> [u32; 2] {
        let Self { nodes, unrefined, .. } = self;
        let first = nodes.len() as u32;
        let size_squared = 4.0 * radius * radius;
        let thickness = tuning::FLAT_THICKNESS * radius;
        for old in start..end {
            unrefined.push(nodes[old as usize]);
            while let Some(index) = unrefined.pop() {
                let node = &surfaces[index as usize];
                if !node.is_near(center, effector_radius, radius + gap) {
                    continue;
                }
                let is_large = (node.max - node.min).length_squared() > size_squared;
                if node.count == 0 && is_large && !node.is_flat(thickness) {
                    unrefined.extend([node.right, index + 1]);
                } else {
                    nodes.push(index);
                }
            }
        }
        [first, nodes.len() as u32]
    }

    /// The nodes of a frontier.
    pub fn nodes(&self, [start, end]: [u32; 2]) -> &[u32] {
        &self.nodes[start as usize..end as usize]
    }

    /// Returns an upper bound on the cosine between a direction and the normals of the surfaces of a frontier that `is_meant`; `None` if
    /// there are none.
    #[inline]
    pub fn max_alignment(
        &self,
        surfaces: &[SurfaceNode],
        frontier: [u32; 2],
        wanted_normal: Vec3,
        is_meant: impl Fn(&SurfaceNode) -> bool,
    ) -> Option<f32> {
        let mut best: Option<f32> = None;
        for node in self.nodes(frontier).iter().map(|&index| &surfaces[index as usize]) {
            let cosine = node.normals.max_cosine(wanted_normal);
            // Most nodes are no better than the best so far, which is quicker to see than whether they are meant.
            if best.is_none_or(|best| cosine > best) && is_meant(node) {
                best = Some(cosine);
            }
        }
        best
    }
}
