//! Where an effector has to be.

use clamber_model::id::EffectorId;
use clamber_model::math::Vec3;
use clamber_model::{Character, Contact};

/// The place that an effector has to be at, and the direction that it has to face there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTarget {
    /// The effector.
    pub effector: EffectorId,
    /// Of its center, in the world.
    pub center: Vec3,
    /// A unit vector in the world; `None` if any direction will do. Ignored if the effector has no facing.
    pub facing: Option<Vec3>,
}

impl ContactTarget {
    /// On a contact, with a flat patch where there has to be one.
    pub fn on(character: &Character, contact: &Contact) -> Self {
        Self {
            effector: contact.effector,
            center: contact.effector_center(character),
            facing: contact.flat_facing(character),
        }
    }
}
