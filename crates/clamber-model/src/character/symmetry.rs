//! The symmetry map: which part of a body is the mirror image of which.
//!
//! The median plane of a character at rest is z = 0. A character states only which limbs mirror each other; links, hinges and
//! effectors follow by reflection and are compared with the geometry, so a body that is not symmetric is refused.

use typed_index_collections::TiVec;

use super::description::{Capsule, CharacterDescription, Effector, Hinge, Link};
use super::validation::CharacterError;
use crate::id::{EffectorId, HingeId, LimbId, LinkId};
use crate::math::{Pose, Rotation, Vec3};

/// Greatest deviation of a position from its mirror image, as a fraction of the length of the body.
const POSITION_TOLERANCE: f32 = 1e-4;
/// Greatest deviation of an angle, in radians, and of the components of a unit vector or a unit quaternion.
const ANGLE_TOLERANCE: f32 = 1e-4;
/// Greatest deviation of a mass, as a fraction of it.
const MASS_TOLERANCE: f32 = 1e-4;

/// The mirror images of the parts of a body. Each map is its own inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetryMap {
    /// The mirror image of each link; a link in the middle is its own.
    pub links: TiVec<LinkId, LinkId>,
    /// The mirror image of each hinge.
    pub hinges: TiVec<HingeId, MirroredHinge>,
    /// The mirror image of each limb.
    pub limbs: TiVec<LimbId, LimbId>,
    /// The mirror image of each effector.
    pub effectors: TiVec<EffectorId, EffectorId>,
}

/// The mirror image of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirroredHinge {
    /// The hinge on the other side.
    pub hinge: HingeId,
    /// Its angle in the mirrored posture as a multiple of this hinge's angle: 1 or -1.
    pub sign: f32,
}

/// A point or direction reflected at the plane z = 0.
fn mirrored_vector(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, vector.y, -vector.z)
}

/// A pose seen in a mirror in the plane z = 0: M T M, where M is the reflection.
pub(crate) fn mirrored_pose(pose: &Pose) -> Pose {
    // The axis of a rotation is a pseudovector: its components in the plane change sign, the one across it does not.
    let [x, y, z, w] = pose.rotation.to_array();
    Pose::from_parts(mirrored_vector(pose.translation), Rotation::from_xyzw(-x, -y, z, w))
}

impl SymmetryMap {
    /// The map that follows from pairs of mirrored limbs; limbs in no pair are in the middle. The description's references are
    /// valid.
    pub(super) fn new(description: &CharacterDescription, pairs: &[[LimbId; 2]]) -> Result<Self, CharacterError> {
        let body = MirroredBody::new(description, pairs)?;
        let links = body.links()?;
        body.compare_limbs(&links)?;
        let mut hinges = TiVec::new();
        for (link, &image) in description.links.iter().zip(&links) {
            body.compare_links(link, &description.links[image])?;
            for (hinge, image) in link.hinges.iter().zip(description.links[image].hinges.iter()) {
                let sign = mirrored_hinge_sign(&description.hinges[hinge], &description.hinges[image])?;
                hinges.push(MirroredHinge { hinge: image, sign });
            }
        }
        let effectors = body.effectors(&links)?;
        body.compare_extremities(&effectors)?;
        Ok(Self { links, hinges, limbs: body.limbs, effectors })
    }
}

/// A body whose parts are compared with their mirror images.
struct MirroredBody<'a> {
    description: &'a CharacterDescription,
    limbs: TiVec<LimbId, LimbId>,
    /// Greatest deviation of a position, in meters.
    tolerance: f32,
}

fn not_symmetric<T>(part: &str, reason: &'static str) -> Result<T, CharacterError> {
    Err(CharacterError::NotSymmetric { part: part.to_owned(), reason })
}

impl<'a> MirroredBody<'a> {
    fn new(description: &'a CharacterDescription, pairs: &[[LimbId; 2]]) -> Result<Self, CharacterError> {
        let mut limbs: TiVec<LimbId, LimbId> = description.limbs.keys().collect();
        for &[one, other] in pairs {
            if description.limbs[one].links.len() != description.limbs[other].links.len() {
                return not_symmetric(&description.limbs[one].name, "its mirror image has another number of links");
            }
            (limbs[one], limbs[other]) = (other, one);
        }
        let length: f32 = description.links.iter().map(|link| link.parent_from_joint.translation.length()).sum();
        Ok(Self { description, limbs, tolerance: POSITION_TOLERANCE * length })
    }

    fn is_near(&self, point: Vec3, image: Vec3) -> bool {
        (mirrored_vector(point) - image).length() <= self.tolerance
    }

    /// The mirror image of each link: given by the limbs where these are paired, otherwise the link at the mirrored joint.
    fn links(&self) -> Result<TiVec<LinkId, LinkId>, CharacterError> {
        let links = &self.description.links;
        let mut images: TiVec<LinkId, Option<LinkId>> = vec![None; links.len()].into();
        for (limb, &image) in self.limbs.iter_enumerated().filter(|(limb, image)| limb != *image) {
            let (of, to) = (&self.description.limbs[limb].links, &self.description.limbs[image].links);
            of.iter().zip(to).for_each(|(&link, &image)| images[link] = Some(image));
        }
        let mut is_taken: TiVec<LinkId, bool> = vec![false; links.len()].into();
        images.iter().flatten().for_each(|&image| is_taken[image] = true);
        for link in links.keys() {
            let parent_image = links[link].parent.and_then(|parent| images[parent]);
            let is_image =
                |image: &LinkId| links[*image].parent == parent_image && self.has_mirrored_joint(link, *image);
            let free = |image: &LinkId| !is_taken[*image] && is_image(image);
            // In a planar body everything is its own mirror image, so a link in the middle comes first.
            let found = match images[link] {
                Some(image) => Some(image).filter(is_image),
                None => std::iter::once(link).chain(links.keys()).find(free),
            };
            let Some(image) = found else {
                return not_symmetric(&links[link].name, "no link has the mirrored joint");
            };
            (images[link], is_taken[image]) = (Some(image), true);
        }
        let images: TiVec<LinkId, LinkId> = images.into_iter().flatten().collect();
        match images.iter_enumerated().find(|(link, image)| images[**image] != *link) {
            Some((link, _)) => not_symmetric(&links[link].name, "its mirror image is that of another link, too"),
            None => Ok(images),
        }
    }

    fn has_mirrored_joint(&self, link: LinkId, image: LinkId) -> bool {
        let (joint, found) =
            (&self.description.links[link].parent_from_joint, &self.description.links[image].parent_from_joint);
        let expected = mirrored_pose(joint);
        self.is_near(joint.translation, found.translation)
            && expected.rotation.dot(found.rotation).abs() > 1.0 - ANGLE_TOLERANCE
    }

    /// Checks that the links of a limb are mirrored to those of its mirror image.
    fn compare_limbs(&self, links: &TiVec<LinkId, LinkId>) -> Result<(), CharacterError> {
        for (limb, &image) in self.description.limbs.iter().zip(&self.limbs) {
            let images = limb.links.iter().map(|&link| links[link]);
            if !images.eq(self.description.limbs[image].links.iter().copied()) {
                return not_symmetric(
                    &limb.name,
                    "its links are mirrored to those of a limb that is not paired with it",
                );
            }
        }
        Ok(())
    }

    fn compare_links(&self, link: &Link, image: &Link) -> Result<(), CharacterError> {
        if link.hinges.len() != image.hinges.len() {
            return not_symmetric(&link.name, "its mirror image has another number of hinges");
        }
        if (link.mass - image.mass).abs() > MASS_TOLERANCE * link.mass
            || !self.is_near(link.center_of_mass, image.center_of_mass)
        {
            return not_symmetric(&link.name, "its mirror image has another mass or center of mass");
        }
        let capsules = |link: &Link| &self.description.capsules[link.capsules.clone()];
        let is_image = |capsule: &Capsule, image: &Capsule| {
            let has_ends = |a: Vec3, b: Vec3| self.is_near(capsule.a, a) && self.is_near(capsule.b, b);
            (capsule.radius - image.radius).abs() <= self.tolerance
                && (has_ends(image.a, image.b) || has_ends(image.b, image.a))
        };
        let has_image = |capsule: &Capsule| capsules(image).iter().any(|image| is_image(capsule, image));
        match capsules(link).len() == capsules(image).len() && capsules(link).iter().all(has_image) {
            true => Ok(()),
            false => not_symmetric(&link.name, "its mirror image has other capsules"),
        }
    }

    fn effectors(&self, links: &TiVec<LinkId, LinkId>) -> Result<TiVec<EffectorId, EffectorId>, CharacterError> {
        let effectors = &self.description.effectors;
        let mut images: TiVec<EffectorId, EffectorId> = TiVec::new();
        for effector in effectors {
            let is_image = |(index, image): &(EffectorId, &Effector)| {
                image.link == links[effector.link]
                    && self.is_near(effector.center, image.center)
                    && (effector.radius - image.radius).abs() <= self.tolerance
                    && has_mirrored_facing(effector.facing, image.facing)
                    && !images.contains(index)
            };
            match effectors.iter_enumerated().find(is_image) {
                Some((image, _)) => images.push(image),
                None => return not_symmetric(&effector.name, "no effector is its mirror image"),
            }
        }
        Ok(images)
    }

    fn compare_extremities(&self, effectors: &TiVec<EffectorId, EffectorId>) -> Result<(), CharacterError> {
        let extremities = &self.description.extremities;
        for extremity in extremities {
            let image = effectors[extremity.effector];
            if !extremities.iter().any(|other| other.effector == image && other.shape == extremity.shape) {
                let name = &self.description.effectors[extremity.effector].name;
                return not_symmetric(name, "its mirror image has another extremity, or none");
            }
        }
        Ok(())
    }
}

fn has_mirrored_facing(facing: Option<Vec3>, image: Option<Vec3>) -> bool {
    match (facing, image) {
        (None, None) => true,
        (Some(facing), Some(image)) => (mirrored_vector(facing) - image).length() <= ANGLE_TOLERANCE,
        _ => false,
    }
}

/// The sign by which a mirrored angle is multiplied. The axis is a pseudovector, as in [`mirrored_pose`].
fn mirrored_hinge_sign(hinge: &Hinge, image: &Hinge) -> Result<f32, CharacterError> {
    let axis = -mirrored_vector(hinge.axis);
    let sign = if axis.dot(image.axis) < 0.0 { -1.0 } else { 1.0 };
    if (axis * sign - image.axis).length() > ANGLE_TOLERANCE {
        return not_symmetric(&hinge.name, "its mirror image has another axis");
    }
    let range = if sign > 0.0 { [hinge.min, hinge.max] } else { [-hinge.max, -hinge.min] };
    let pairs = [(range[0], image.min), (range[1], image.max), (sign * hinge.rest, image.rest)];
    match pairs.into_iter().all(|(expected, found)| (expected - found).abs() <= ANGLE_TOLERANCE) {
        true => Ok(sign),
        false => not_symmetric(&hinge.name, "its mirror image has other limits or another rest angle"),
    }
}
