//! The shortest way over what separates start and goal, where no path connects them.
//!
//! The guide then leads as far as that, and the search ends there: what is on the bridge explains what the scene lacks.

use std::collections::BTreeMap;

use clamber_model::math::Vec3;

use super::place::PlaceId;
use super::places::Places;
use super::tuning;

/// A straight line between two places that no path connects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlaceBridge {
    pub from: PlaceId,
    pub to: PlaceId,
}

/// A cube of some cells.
type Block = [i32; 3];

/// The shortest bridge from one set of places to another. Places where limbs hardly reach the ground count as farther away: the search
/// does not get to them.
pub(super) fn shortest_bridge(
    places: &Places,
    from: &[PlaceId],
    to: &[PlaceId],
    body_size: f32,
) -> Option<PlaceBridge> {
    let strain_cost = |id: PlaceId| {
        let factor = places.known(id).least_factor();
        tuning::BRIDGE_STRAIN * body_size * (factor - 1.0).max(0.0)
    };
    let (from, to) = (blocks(from), blocks(to));
    let side = tuning::BRIDGE_BLOCK as f32;
    // Cells of two blocks are no nearer to each other than this.
    let bound = |a: &Block, b: &Block| {
        let apart = Vec3::from_array(std::array::from_fn(|axis| (a[axis] - b[axis]).unsigned_abs() as f32 - 1.0));
        (apart.max(Vec3::ZERO) * side).length()
    };
    let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
    let mut pairs: Vec<_> = pairs.map(|(a, b)| (bound(a.0, b.0), a, b)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.0, a.2.0).cmp(&(b.1.0, b.2.0))));
    let mut best: Option<(f32, PlaceBridge)> = None;
    for (bound, (_, from), (_, to)) in pairs {
        if best.is_some_and(|(least, _)| bound * places.side >= least) {
            break;
        }
        let to: Vec<(PlaceId, f32)> = to.iter().map(|&to| (to, strain_cost(to))).collect();
        for &from in from {
            let strain = strain_cost(from);
            for &(to, strain_beyond) in &to {
                let length = (places.position(to) - places.position(from)).length() + strain + strain_beyond;
                if best.is_none_or(|(least, _)| length < least) {
                    best = Some((length, PlaceBridge { from, to }));
                }
            }
        }
    }
    best.map(|(_, bridge)| bridge)
}

/// The places of each block.
fn blocks(places: &[PlaceId]) -> BTreeMap<Block, Vec<PlaceId>> {
    let mut blocks: BTreeMap<Block, Vec<PlaceId>> = BTreeMap::new();
    for place in places {
        let block = place.cell.0.map(|at| at.div_euclid(tuning::BRIDGE_BLOCK));
        blocks.entry(block).or_default().push(*place);
    }
    blocks
}
