//! Which links of a body must stay apart.
//!
//! Links joined directly overlap at their joint and are never checked; their hinge limits keep them apart. Of the other pairs, a
//! character may allow some to overlap: where the body is soft, or several links meet. Links in different layers pass each
//! other: a planar body is seen from the side, where an arm lies beside the trunk and not in it.

use crate::id::{LimbId, LinkId};

/// Which pairs of links are checked for collisions with each other: all except links that are joined directly, may overlap or
/// lie in different layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfCollisionRules {
    /// Pairs of links that may overlap. With a [symmetry](super::Character::symmetry), their mirror images may, too.
    pub allowed_overlaps: Vec<[LinkId; 2]>,
    /// The limbs of each layer beside that of the trunk, in which the links of no listed limb lie. A limb lies in one layer.
    pub layers: Vec<Vec<LimbId>>,
}

impl SelfCollisionRules {
    /// The rules of a planar body that states none: each limb in a layer of its own, so that it collides only with itself.
    pub fn with_layer_per_limb(limbs: usize) -> Self {
        let layers = (0..limbs).map(|limb| vec![LimbId::new(limb)]).collect();
        Self { allowed_overlaps: Vec::new(), layers }
    }
}
