//! How far contacts are along the guide, for bodies that do not only stand: relative to where their effectors are in the reference posture.

use clamber_model::Contact;
use clamber_model::id::ModeId;
use clamber_model::math::Vec3;

use super::tuning::PROGRESS_DISTANCE;
use crate::cost_to_go_guide::Guide;
use crate::trunk_guide::{GuidePoint, TrunkGuide};

/// Compares contacts of a body with its trunk at a place.
pub(super) struct ContactProgress<'a> {
    guide: &'a TrunkGuide,
    trunk: GuidePoint,
    heading: Vec3,
    stance: &'a [Contact],
    /// Where the path leads.
    direction: Vec3,
}

impl<'a> ContactProgress<'a> {
    /// How contacts are compared in a mode in which the body does not only stand; `None` in others.
    pub fn new(
        guide: &'a TrunkGuide,
        stance: &'a [Contact],
        heading: Vec3,
        mode: ModeId,
        body_size: f32,
    ) -> Option<Self> {
        if guide.only_stands(mode) {
            return None;
        }
        let trunk = GuidePoint { position: guide.trunk_place(stance, heading, mode)?, mode };
        let direction = guide.displacement_ahead(trunk, PROGRESS_DISTANCE * body_size).normalize_or_zero();
        Some(Self { guide, trunk, heading, stance, direction })
    }
}

impl Guide for ContactProgress<'_> {
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        let place = self.guide.effector_place(self.trunk, self.heading, contact.effector, self.stance);
        place.map_or(f32::INFINITY, |place| -self.direction.dot(contact.point - place))
    }

    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        self.guide.follow(from, length, visit);
    }
}
