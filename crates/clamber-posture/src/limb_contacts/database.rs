//! Samples of the limbs of a character, in trees.

use clamber_model::Character;
use clamber_model::id::{EffectorId, TiVec};
use clamber_model::math::{Rotation, Vec3};

use super::limb_chain::{JacobianProduct, LimbChain, LimbSample, ProductBounds};
use super::sample_tree::{SampleNode, build, fold_nodes};

/// The most samples of an effector.
pub const MAX_SAMPLES: usize = 1_000_000;

/// For each effector of a character, samples of its limb: where it is, how it is turned and what force it transmits.
///
/// It depends on the character alone. Share it between threads, worlds and queries.
#[derive(Clone, Debug)]
pub struct LimbDatabase {
    /// The numbers of links, hinges and effectors of the character.
    sizes: [usize; 3],
    effectors: TiVec<EffectorId, Option<EffectorSamples>>,
}

/// The samples of one effector, in the order of their tree.
#[derive(Clone, Debug)]
pub(super) struct EffectorSamples {
    pub chain: LimbChain,
    pub nodes: Vec<SampleNode>,
    /// For each node, bounds of the products of its samples.
    pub product_bounds: Vec<ProductBounds>,
    /// For each sample, its number, from which the angles of its hinges follow.
    pub numbers: Vec<u32>,
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Rotation>,
    pub products: Vec<JacobianProduct>,
    /// For each sample, the positions of its joints but the first.
    pub joints: Vec<Vec3>,
}

impl LimbDatabase {
    /// Samples every limb of a character. More than [`MAX_SAMPLES`] are not made.
    ///
    /// The first samples are the same whatever their number, so a larger database contains a smaller one.
    pub fn new(character: &Character, samples_per_effector: usize) -> Self {
        let count = samples_per_effector.min(MAX_SAMPLES) as u32;
        let samples = |effector| EffectorSamples::new(character, effector, count);
        let sizes = [character.links.len(), character.hinges.len(), character.effectors.len()];
        Self { sizes, effectors: character.effectors.keys().map(samples).collect() }
    }

    /// The samples of an effector; `None` if it is on no limb or the character is another one.
    pub(super) fn samples_of(&self, character: &Character, effector: EffectorId) -> Option<&EffectorSamples> {
        let sizes = [character.links.len(), character.hinges.len(), character.effectors.len()];
        self.effectors.get(effector).filter(|_| sizes == self.sizes)?.as_ref()
    }

    /// Returns the number of samples of an effector: 0 if it is on no limb.
    pub fn sample_count(&self, effector: EffectorId) -> usize {
        let samples = self.effectors.get(effector).and_then(Option::as_ref);
        samples.map_or(0, |samples| samples.numbers.len())
    }
}

impl EffectorSamples {
    fn new(character: &Character, effector: EffectorId, count: u32) -> Option<Self> {
        let chain = LimbChain::new(character, effector)?;
        let (mut columns, mut unsorted_joints) = (Vec::new(), Vec::new());
        let sample = |number| chain.sample(character, effector, number, &mut columns, &mut unsorted_joints);
        let samples: Vec<LimbSample> = (0..count).map(sample).collect();
        let points: Vec<Vec3> = samples.iter().map(|sample| sample.position).collect();
        let (numbers, nodes) = build(&points);
        let in_order = || numbers.iter().map(|&number| &samples[number as usize]);
        let positions = in_order().map(|sample| sample.position).collect();
        let rotations = in_order().map(|sample| sample.rotation).collect();
        let products: Vec<JacobianProduct> = in_order().map(|sample| sample.product).collect();
        let product_bounds = fold_nodes(&nodes, &products, ProductBounds::of, ProductBounds::union);
        let joint_count = chain.joint_count();
        let joints_of = |&number: &u32| &unsorted_joints[number as usize * joint_count..][..joint_count];
        let joints = numbers.iter().flat_map(joints_of).copied().collect();
        Some(Self { chain, nodes, product_bounds, numbers, positions, rotations, products, joints })
    }
}
