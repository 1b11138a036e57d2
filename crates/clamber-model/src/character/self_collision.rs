//! The pairs of links that must stay apart, resolved from a character's rules.

use typed_index_collections::{TiSlice, TiVec};

use super::description::{Capsule, CharacterDescription, Link};
use super::self_collision_rules::SelfCollisionRules;
use super::symmetry::SymmetryMap;
use super::validation::CharacterError;
use crate::id::{HingeId, LimbId, LinkId};
use crate::math::{Pose, Vec3, rotation_about};
use crate::segment_distance::nearest_points;

/// Overlap at rest that rounding may cause, as a fraction of the sum of the radii.
const REST_TOLERANCE: f32 = 1e-4;
/// Most pairs that an error names.
const MAX_REPORTED_PAIRS: usize = 20;

/// Two links that must stay apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkPair {
    /// The links, in the order of their ids.
    pub links: [LinkId; 2],
    /// For each of them, the number of its lever arms below the nearest common ancestor: the joints that move it relative to the
    /// other.
    pub(crate) joints_apart: [usize; 2],
}

/// A sphere around the capsules of a link, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoundingSphere {
    pub center: Vec3,
    /// Negative for a link without capsules.
    pub radius: f32,
}

/// What the rules come to: the pairs to check, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SelfCollisionPairs {
    pub pairs: Vec<LinkPair>,
    pub spheres: TiVec<LinkId, BoundingSphere>,
}

impl SelfCollisionPairs {
    /// Resolves the rules of a valid description, and refuses pairs that overlap at rest.
    pub fn new(description: &CharacterDescription, symmetry: Option<&SymmetryMap>) -> Result<Self, CharacterError> {
        let links = &description.links;
        let spheres = links.iter().map(|link| bounding_sphere(&description.capsules[link.capsules.clone()])).collect();
        let Some(rules) = &description.self_collision else { return Ok(Self { pairs: Vec::new(), spheres }) };
        check_rules(description, rules)?;
        let layers = layers_of_links(description, rules);
        let allowed = allowed_pairs(rules, symmetry);
        let has_shape = |link: LinkId| !links[link].capsules.is_empty();
        let mut pairs = Vec::new();
        for second in links.keys().filter(|&link| has_shape(link)) {
            for first in (0..second.index()).map(LinkId::new).filter(|&link| has_shape(link)) {
                let is_joined = links[second].parent == Some(first) || links[first].parent == Some(second);
                let is_allowed = allowed.binary_search(&[first, second]).is_ok();
                if !is_joined && !is_allowed && layers[first] == layers[second] {
                    pairs.push(link_pair(links, [first, second]));
                }
            }
        }
        pairs.sort_by_key(|pair| pair.links);
        refuse_overlaps_at_rest(description, &pairs)?;
        Ok(Self { pairs, spheres })
    }
}

/// Checks that the rules refer to links and limbs that exist, and that a limb lies in one layer.
fn check_rules(description: &CharacterDescription, rules: &SelfCollisionRules) -> Result<(), CharacterError> {
    let invalid = |reason| Err(CharacterError::InvalidSelfCollision { reason });
    let (links, limbs) = (description.links.next_key(), description.limbs.next_key());
    if rules.allowed_overlaps.iter().any(|[one, other]| *one >= links || *other >= links || one == other) {
        return invalid("an allowed overlap needs two links that exist");
    }
    let mut is_listed: TiVec<LimbId, bool> = vec![false; description.limbs.len()].into();
    for &limb in rules.layers.iter().flatten() {
        if limb >= limbs || std::mem::replace(&mut is_listed[limb], true) {
            return invalid("a layer needs limbs that exist, each in one layer");
        }
    }
    Ok(())
}

/// The layer of each link: 0 is the trunk's.
fn layers_of_links(description: &CharacterDescription, rules: &SelfCollisionRules) -> TiVec<LinkId, usize> {
    let mut layers: TiVec<LinkId, usize> = vec![0; description.links.len()].into();
    for (index, layer) in rules.layers.iter().enumerate() {
        for &link in layer.iter().flat_map(|&limb| &description.limbs[limb].links) {
            layers[link] = index + 1;
        }
    }
    layers
}

/// The allowed pairs and their mirror images, sorted.
fn allowed_pairs(rules: &SelfCollisionRules, symmetry: Option<&SymmetryMap>) -> Vec<[LinkId; 2]> {
    let stated = rules.allowed_overlaps.iter().copied();
    let mirrored = symmetry
        .into_iter()
        .flat_map(|symmetry| rules.allowed_overlaps.iter().map(|pair| pair.map(|link| symmetry.links[link])));
    let mut allowed: Vec<[LinkId; 2]> =
        stated.chain(mirrored).map(|[one, other]| [one.min(other), one.max(other)]).collect();
    allowed.sort();
    allowed
}

fn link_pair(links: &TiSlice<LinkId, Link>, pair: [LinkId; 2]) -> LinkPair {
    let (mut ends, mut joints_apart) = (pair, [0, 0]);
    // Parents come first: of two different links, the later one is not an ancestor of the other.
    while ends[0] != ends[1] {
        let later = usize::from(ends[1] > ends[0]);
        let Some(parent) = links[ends[later]].parent else { break };
        ends[later] = parent;
        joints_apart[later] += 1;
    }
    LinkPair { links: pair, joints_apart }
}

fn bounding_sphere(capsules: &[Capsule]) -> BoundingSphere {
    let ends = || capsules.iter().flat_map(|capsule| [(capsule.a, capsule.radius), (capsule.b, capsule.radius)]);
    let least = ends().map(|(end, radius)| end - radius).reduce(Vec3::min);
    let greatest = ends().map(|(end, radius)| end + radius).reduce(Vec3::max);
    let center = least.zip(greatest).map_or(Vec3::ZERO, |(least, greatest)| 0.5 * (least + greatest));
    let radius = ends().map(|(end, radius)| (end - center).length() + radius).fold(-1.0, f32::max);
    BoundingSphere { center, radius }
}

/// The distance between two capsules in one frame; negative is their overlap.
fn capsule_distance(one: &Capsule, other: &Capsule) -> f32 {
    let [near, far] = nearest_points([one.a, one.b], [other.a, other.b]);
    (near - far).length() - (one.radius + other.radius)
}

fn refuse_overlaps_at_rest(description: &CharacterDescription, pairs: &[LinkPair]) -> Result<(), CharacterError> {
    let CharacterDescription { links, capsules, .. } = description;
    let frames = rest_frames(description);
    let placed = |link: LinkId| {
        let frame = frames[link];
        capsules[links[link].capsules.clone()].iter().map(move |capsule| Capsule {
            a: frame * capsule.a,
            b: frame * capsule.b,
            radius: capsule.radius,
        })
    };
    let overlap = |[first, second]: [LinkId; 2]| {
        let pairs = placed(first).flat_map(|one| placed(second).map(move |other| (one, other)));
        let overlaps =
            pairs.map(|(one, other)| -capsule_distance(&one, &other) - REST_TOLERANCE * (one.radius + other.radius));
        overlaps.fold(0.0, f32::max)
    };
    let mut overlaps: Vec<(f32, [LinkId; 2])> =
        pairs.iter().map(|pair| (overlap(pair.links), pair.links)).filter(|(overlap, _)| *overlap > 0.0).collect();
    overlaps.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    match overlaps.first() {
        None => Ok(()),
        Some(&(overlap, deepest)) => {
            let names = |pair: [LinkId; 2]| pair.map(|link| links[link].name.clone());
            let [link, other] = names(deepest);
            let deepest_pairs = overlaps.iter().take(MAX_REPORTED_PAIRS).map(|(_, pair)| names(*pair)).collect();
            Err(CharacterError::OverlapAtRest { link, other, overlap, deepest_pairs })
        }
    }
}

/// The frame of each link in the rest posture, with the root at the origin.
fn rest_frames(description: &CharacterDescription) -> TiVec<LinkId, Pose> {
    let mut frames: TiVec<LinkId, Pose> = TiVec::with_capacity(description.links.len());
    for link in &description.links {
        let joint = match link.parent {
            None => Pose::IDENTITY,
            Some(parent) => frames[parent] * link.parent_from_joint,
        };
        let turn = |rotation, hinge: HingeId| {
            let hinge = &description.hinges[hinge];
            rotation * rotation_about(hinge.axis, hinge.rest)
        };
        frames.push(Pose::from_parts(joint.translation, link.hinges.iter().fold(joint.rotation, turn)));
    }
    frames
}
