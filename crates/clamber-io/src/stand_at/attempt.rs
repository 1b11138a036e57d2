//! One placement of the body, and whether there is a posture in it.

use clamber_model::character::RootJoint;
use clamber_model::contact::Stance;
use clamber_model::id::ModeId;
use clamber_model::math::angle_between_rotations;
use clamber_model::obstacle_collision::{Clearance, CollisionWorkspace, Hit, worst_hit};
use clamber_model::problem::Posture;
use clamber_model::{Character, Configuration, ModeTable, World};
use clamber_posture::solver::{ContactTarget, StanceSolver};
use clamber_posture::{StandRequest, stand};

use super::error::StandAtError;
use super::footing::contacts_below;
use super::ground::ground_at;
use super::placed_body::ReferenceBody;
use super::placements::Placement;
use super::tuning;

/// The body on the contacts of a placement.
pub(super) struct Attempt {
    /// The reference configuration above the place.
    reference: Configuration,
    stance: Stance,
    /// The deepest collision of the reference configuration after it has moved onto its contacts.
    hit: Option<Hit>,
}

impl Attempt {
    pub fn new(
        world: &World,
        character: &Character,
        body: &ReferenceBody,
        placement: &Placement,
    ) -> Result<Self, StandAtError> {
        let types = body.hold_types();
        let ground = ground_at(world, character, placement.at, &types)
            .ok_or_else(|| StandAtError::nothing_to_stand_on(world, character, placement.at, &types))?;
        let placed = body.placed(character, ground.point, placement);
        let stance = contacts_below(world, character, body, &placed)?;
        let targets: Vec<ContactTarget> = stance.iter().map(|contact| ContactTarget::on(character, contact)).collect();
        let mut settled = placed.configuration.clone();
        // Even a body that misses its contacts shows how much room there is.
        StanceSolver::new(character).settle(character, &mut settled, &targets);
        let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
        let hit = worst_hit(world, character, &settled, margin, &mut CollisionWorkspace::default());
        Ok(Self { reference: placed.configuration, stance, hit })
    }

    /// Checks that the body is so little inside of obstacles that it may bend out of them.
    pub fn check_room(&self, world: &World, character: &Character) -> Result<(), StandAtError> {
        match self.hit.filter(|hit| -hit.distance > tuning::BENDS_OUT * character.body_size()) {
            Some(hit) => Err(no_room(world, character, hit)),
            None => Ok(()),
        }
    }

    /// Whether the trunk of a posture is about where it is in the reference configuration.
    pub fn is_like_reference(&self, character: &Character, posture: &Posture) -> bool {
        let (found, wanted) = (posture.configuration.root, self.reference.root);
        let distance = (found.translation - wanted.translation).length();
        distance <= tuning::LIKE_REFERENCE * character.body_size()
            && angle_between_rotations(found.rotation, wanted.rotation) <= tuning::LIKE_REFERENCE_TURN
    }

    /// Finds the posture.
    pub fn posture(
        &self,
        world: &World,
        character: &Character,
        modes: &ModeTable,
        mode: ModeId,
    ) -> Result<Posture, StandAtError> {
        let request = StandRequest::new().mode(&modes.modes[mode].name).reference(self.reference.clone());
        let mut request = request.in_equilibrium();
        for contact in &self.stance {
            request = request.contact_at(contact.effector, contact.hold, contact.point);
        }
        let mut posture = stand(world, character, modes, &request).map_err(|error| match self.hit {
            // A body that bends around an obstacle may fail in any way, but the obstacle is to blame.
            Some(hit) => no_room(world, character, hit),
            None => error.into(),
        })?;
        if character.root_joint == RootJoint::Planar {
            posture.configuration.root.translation.z = 0.0;
        }
        Ok(posture)
    }
}

fn no_room(world: &World, character: &Character, hit: Hit) -> StandAtError {
    StandAtError::NoRoom {
        link: character.links[hit.link].name.clone(),
        obstacle: world.obstacles[hit.obstacle].name.clone(),
        depth: -hit.distance,
    }
}
