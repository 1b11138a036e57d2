//! A ball inside the trunk, which goes wherever the trunk goes.

use clamber_model::id::LinkId;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration};

/// The largest ball inside the trunk's thickest capsule.
pub(crate) struct TrunkBall {
    pub link: LinkId,
    pub center_in_link: Vec3,
    pub radius: f32,
}

impl TrunkBall {
    pub fn new(character: &Character, trunk: LinkId) -> Option<Self> {
        let capsules = &character.capsules[character.links[trunk].capsules.clone()];
        let capsule = capsules.iter().max_by(|a, b| a.radius.total_cmp(&b.radius))?;
        Some(Self { link: trunk, center_in_link: 0.5 * (capsule.a + capsule.b), radius: capsule.radius })
    }

    pub fn center(&self, character: &Character, configuration: &Configuration) -> Vec3 {
        let mut frames = LinkFrames::default();
        forward(character, configuration, &mut frames);
        frames.world_from_link[self.link] * self.center_in_link
    }
}
