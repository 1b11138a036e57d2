//! The chain of hinges that moves an effector relative to the trunk, and one sample of it.

use clamber_model::Character;
use clamber_model::character::Capsule;
use clamber_model::id::{EffectorId, HingeId, LinkId};
use clamber_model::math::{Pose, Rotation, Vec3, compose_axis_rotation};
use clamber_model::segment_distance::nearest_points;

use super::sequence::Sequence;

/// The part of a limb from the trunk to an effector.
#[derive(Clone, Debug)]
pub(super) struct LimbChain {
    /// The link that the limb is attached to. Samples are in its frame.
    pub base: LinkId,
    /// The links of the chain, from the base outward.
    pub links: Vec<LinkId>,
    /// The hinges of these links, in the same order.
    pub hinges: Vec<HingeId>,
    /// Points inside the limb, to see whether a sample is inside an obstacle.
    pub probes: Vec<Probe>,
    sequence: Sequence,
}

/// A point on the axis of a capsule that leads from one joint to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// The link of the chain, counted from the base.
    pub link: usize,
    /// The share of the way from its joint to the next one, or to the effector.
    pub share: f32,
    /// The capsule's radius, in meters.
    pub radius: f32,
}

/// Shares of the way between two joints at which limbs are probed.
const PROBED_SHARES: [f32; 3] = [0.3, 0.65, 1.0];
/// How far a joint may be from the axis of a capsule, in radii.
const MAX_OFF_AXIS: f32 = 0.05;

/// An effector in the frame of its limb's base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LimbSample {
    /// Of the effector's center, in meters.
    pub position: Vec3,
    /// Of the effector's link.
    pub rotation: Rotation,
    pub product: JacobianProduct,
}

/// The product `J Jᵀ` of the Jacobian of an effector's position with its transpose: xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JacobianProduct([f32; 6]);

impl JacobianProduct {
    const ZERO: Self = Self([0.0; 6]);

    fn add_column(&mut self, v: Vec3) {
        let Self(sums) = self;
        let terms = [v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }

    fn entrywise(self, other: Self, pick: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|entry| pick(self.0[entry], other.0[entry])))
    }

    /// Returns the force transmission ratio `(vᵀ J Jᵀ v)^(-1/2)` in the direction of a unit vector (Chiu 1987), in 1/m: the length
    /// of the force manipulability ellipsoid. It has an upper limit, which a stretched limb reaches along its axis.
    #[inline]
    pub fn force_transmission(&self, v: Vec3, limit: f32) -> f32 {
        let square = self.0.iter().zip(coefficients(v)).map(|(entry, coefficient)| coefficient * entry).sum();
        transmission(square, limit)
    }
}

/// What the entries of a product are multiplied with in `vᵀ J Jᵀ v`.
#[inline]
fn coefficients(v: Vec3) -> [f32; 6] {
    [v.x * v.x, v.y * v.y, v.z * v.z, 2.0 * v.x * v.y, 2.0 * v.x * v.z, 2.0 * v.y * v.z]
}

#[inline]
fn transmission(square: f32, limit: f32) -> f32 {
    1.0 / square.max(1.0 / (limit * limit)).sqrt()
}

/// Bounds of the entries of several products.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProductBounds {
    least: JacobianProduct,
    greatest: JacobianProduct,
}

impl ProductBounds {
    pub fn of(product: JacobianProduct) -> Self {
        Self { least: product, greatest: product }
    }

    /// Bounds of the products of both.
    pub fn union(self, other: Self) -> Self {
        Self {
            least: self.least.entrywise(other.least, f32::min),
            greatest: self.greatest.entrywise(other.greatest, f32::max),
        }
    }

    /// Returns the least and the greatest [force transmission ratio](JacobianProduct::force_transmission) that the products can have.
    pub fn force_transmission(&self, v: Vec3, limit: f32) -> [f32; 2] {
        let (mut low, mut high) = (0.0, 0.0);
        for ((coefficient, least), greatest) in coefficients(v).into_iter().zip(self.least.0).zip(self.greatest.0) {
            let [a, b] = [coefficient * least, coefficient * greatest];
            low += a.min(b);
            high += a.max(b);
        }
        [transmission(high, limit), transmission(low, limit)]
    }
}

impl LimbChain {
    /// Returns the chain of an effector; `None` if the effector is on no limb or no hinge moves it.
    pub fn new(character: &Character, effector: EffectorId) -> Option<Self> {
        let effector = &character.effectors[effector];
        let limb = &character.limbs[effector.limb?];
        let mut links = Vec::new();
        let mut link = effector.link;
        let base = loop {
            links.push(link);
            let parent = character.links[link].parent?;
            if !limb.links.contains(&parent) {
                break parent;
            }
            link = parent;
        };
        links.reverse();
        let hinges: Vec<HingeId> = links.iter().flat_map(|&link| character.links[link].hinges.iter()).collect();
        let sequence = Sequence::new(hinges.len());
        let probes = probes(character, &links, effector.center);
        (!hinges.is_empty()).then_some(Self { base, links, hinges, probes, sequence })
    }

    /// The position of the first joint, in the frame of the base.
    pub fn first_joint(&self, character: &Character) -> Vec3 {
        character.links[self.links[0]].parent_from_joint.translation
    }

    /// The number of joints of a sample that [`Self::sample`] returns: all but the first.
    pub fn joint_count(&self) -> usize {
        self.links.len() - 1
    }

    /// Returns the angle of the chain's hinge of this position in a sample.
    #[inline]
    pub fn angle(&self, character: &Character, sample: u32, position: usize) -> f32 {
        let hinge = &character.hinges[self.hinges[position]];
        hinge.min + (hinge.max - hinge.min) * self.sequence.coordinate(sample, position)
    }

    /// Computes a sample and appends the positions of its joints but the first. `columns` is memory of the function.
    pub fn sample(
        &self,
        character: &Character,
        effector: EffectorId,
        number: u32,
        columns: &mut Vec<[Vec3; 2]>,
        joints: &mut Vec<Vec3>,
    ) -> LimbSample {
        columns.clear();
        let mut base_from_link = Pose::IDENTITY;
        for (place, &link) in self.links.iter().enumerate() {
            let link = &character.links[link];
            base_from_link *= link.parent_from_joint;
            if place > 0 {
                joints.push(base_from_link.translation);
            }
            for hinge in link.hinges.iter() {
                let axis = character.hinges[hinge].axis;
                let angle = self.angle(character, number, columns.len());
                columns.push([base_from_link.rotation * axis, base_from_link.translation]);
                base_from_link.rotation = compose_axis_rotation(base_from_link.rotation, axis, angle);
            }
        }
        let position = base_from_link * character.effectors[effector].center;
        let mut product = JacobianProduct::ZERO;
        for [axis, origin] in columns {
            product.add_column(axis.cross(position - *origin));
        }
        LimbSample { position, rotation: base_from_link.rotation, product }
    }
}

/// Finds points on the axes of capsules that lead from joint to joint.
fn probes(character: &Character, links: &[LinkId], effector_center: Vec3) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (place, &link) in links.iter().enumerate() {
        let next = links.get(place + 1);
        let end = next.map_or(effector_center, |&next| character.links[next].parent_from_joint.translation);
        let capsules = &character.capsules[character.links[link].capsules.clone()];
        let is_along = |capsule: &&Capsule| {
            [Vec3::ZERO, end].into_iter().all(|joint| {
                let [nearest, _] = nearest_points([capsule.a, capsule.b], [joint, joint]);
                (nearest - joint).length() <= MAX_OFF_AXIS * capsule.radius
            })
        };
        if let Some(&Capsule { radius, .. }) = capsules.iter().find(is_along) {
            // Where the effector is, the limb touches a surface.
            let shares = PROBED_SHARES.into_iter().filter(|share| next.is_some() || *share < 1.0);
            probes.extend(shares.map(|share| Probe { link: place, share, radius }));
        }
    }
    probes
}
