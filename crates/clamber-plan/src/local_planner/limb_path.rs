//! The path of a free limb to a hold while the body stays.

use std::sync::Arc;

use clamber_model::id::EffectorId;
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};
use clamber_posture::contact_projection::SoleRoll;

use super::local_planner_state::LocalPlanner;
use super::tuning;
use crate::budget::Interrupt;

impl LocalPlanner {
    /// The path of a free limb to a hold, without its first configuration: straight if possible, otherwise lifted off the
    /// surfaces between.
    ///
    /// The thesis moves straight and does not say what happens when that is blocked, as it is for a foot that steps along
    /// the ground.
    pub async fn path_to_hold(
        &mut self,
        from: &Configuration,
        contact: &Contact,
    ) -> Result<Option<Vec<Configuration>>, Interrupt> {
        let character = &self.problem.character;
        let (effector, there) = (contact.effector, contact.effector_center(character));
        self.budget.spend(1).await?;
        let mut goal = from.clone();
        if !self.projection.bend_limb_to_contact(character, &mut goal, contact, SoleRoll::Least) || !self.is_free(&goal)
        {
            return Ok(None);
        }
        let here = self.effector_of(from, effector);
        if let Some(path) = self.path_via([from, &goal], effector, &[]).await? {
            return Ok(Some(path));
        }
        let directions = if UP.dot(contact.normal) > 0.9 { &[UP][..] } else { &[contact.normal, UP][..] };
        for lift in tuning::LIFTS.map(|lift| lift * self.settings.size) {
            for &direction in directions {
                let off = direction * lift;
                let middle = 0.5 * (here + there) + off;
                for places in [&[middle][..], &[here + off, there + off], &[here + off, middle, there + off]] {
                    if let Some(path) = self.path_via([from, &goal], effector, places).await? {
                        return Ok(Some(path));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The path of a limb to a configuration, its effector passing these places, without the first configuration; `None` when it is not
    /// free.
    async fn path_via(
        &mut self,
        [from, to]: [&Configuration; 2],
        effector: EffectorId,
        places: &[Vec3],
    ) -> Result<Option<Vec<Configuration>>, Interrupt> {
        let character = &*Arc::clone(&self.problem.character);
        let mut path: Vec<Configuration> = Vec::with_capacity(places.len() + 1);
        for place in places.iter().copied().map(Some).chain([None]) {
            self.budget.spend(1).await?;
            let mut next = path.last().unwrap_or(from).clone();
            match place {
                Some(place) if !self.projection.bend_limb_to(character, &mut next, effector, place) => return Ok(None),
                Some(_) => {}
                None => next.clone_from(to),
            }
            let here = path.last().unwrap_or(from);
            if !self.is_step_free(here, &next) {
                return Ok(None);
            }
            path.push(next);
        }
        Ok(Some(path))
    }
}
