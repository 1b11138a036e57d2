//! The body as spheres, for obstacle avoidance by the distance field.

use clamber_model::id::{EffectorId, LinkId, TiVec};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::{Character, Contact};

use super::tuning;

/// The body as chains of spheres, and which of them avoid obstacles.
pub(super) struct BodySpheres {
    pub chains: Vec<SphereChain>,
    /// For each link, its clearance from obstacles in addition to [`Self::clearance`], in meters; minus infinity for links
    /// that ignore obstacles.
    pub extra_clearance: TiVec<LinkId, f32>,
    /// The clearance that every link aims for, in meters.
    pub clearance: f32,
    /// For each sphere, whether the present stance lets it touch obstacles.
    pub may_touch: Vec<bool>,
    /// For each effector, the spheres that touch what it touches.
    touching: TiVec<EffectorId, Vec<usize>>,
}

/// Evenly spaced spheres along the axis of a capsule, from end to end.
pub(super) struct SphereChain {
    pub link: LinkId,
    /// The center of the first sphere, in the link.
    pub first: Vec3,
    /// From each center to the next, in the link.
    pub spacing: Vec3,
    /// Spheres per meter.
    pub density: f32,
    pub count: usize,
    pub radius: f32,
    /// The index of the first sphere among all spheres of the body.
    pub offset: usize,
}

impl BodySpheres {
    pub fn new(character: &Character) -> Self {
        let size = character.body_size();
        let mut chains = Vec::new();
        let mut spheres: Vec<(LinkId, Vec3)> = Vec::new();
        for (capsule, &link) in character.capsules.iter().zip(&character.link_of_capsule) {
            let axis = capsule.b - capsule.a;
            let intervals = (axis.length() / (tuning::SPHERE_SPACING * size)).ceil();
            let spacing = axis / intervals.max(1.0);
            let density = 1.0 / spacing.length().max(tuning::MIN_SPACING * size);
            let (first, count, offset) = (capsule.a, intervals as usize + 1, spheres.len());
            spheres.extend((0..count).map(|index| (link, first + spacing * index as f32)));
            chains.push(SphereChain { link, first, spacing, density, count, radius: capsule.radius, offset });
        }
        let radius = tuning::TOUCH_RADIUS * size;
        let touching = character.effectors.keys().map(|effector| spheres_at(character, effector, &spheres, radius));
        Self {
            touching: touching.collect(),
            may_touch: vec![false; spheres.len()],
            chains,
            extra_clearance: vec![0.0; character.links.len()].into(),
            clearance: tuning::CLEARANCE * size,
        }
    }

    /// Makes these links avoid obstacles and the others ignore them; resets all extra clearances.
    pub fn set_links(&mut self, links: CheckedLinks) {
        for (link, clearance) in self.extra_clearance.iter_mut_enumerated() {
            *clearance = if links.has(link) { 0.0 } else { f32::NEG_INFINITY };
        }
    }

    /// Lets the spheres around the stance's effectors touch obstacles.
    pub fn allow_contacts(&mut self, stance: &[Contact]) {
        self.may_touch.fill(false);
        for contact in stance {
            for &sphere in &self.touching[contact.effector] {
                self.may_touch[sphere] = true;
            }
        }
    }
}

/// The spheres, each given by its link and its center there, within `radius` meters of an effector.
fn spheres_at(character: &Character, effector: EffectorId, spheres: &[(LinkId, Vec3)], radius: f32) -> Vec<usize> {
    let effector = &character.effectors[effector];
    let link = &character.links[effector.link];
    let touches = |&(sphere_link, center): &(LinkId, Vec3)| {
        // The whole sole may touch.
        let is_near = effector.ability.patch.is_some() || (effector.center - center).length() < radius;
        let on_link = effector.link == sphere_link && is_near;
        // A knee is where two links meet.
        let on_parent =
            link.parent == Some(sphere_link) && (link.parent_from_joint * effector.center - center).length() < radius;
        // Toes lie beyond a flat sole.
        let is_beyond = character.links[sphere_link].parent == Some(effector.link) && effector.limb.is_some();
        on_link || on_parent || is_beyond && effector.ability.patch.is_some()
    };
    (0..spheres.len()).filter(|&index| touches(&spheres[index])).collect()
}
