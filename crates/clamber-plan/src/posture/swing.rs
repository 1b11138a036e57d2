//! The way from one posture to another while some contacts are held and a limb swings to a new one.

use clamber_model::kinematics::travel;
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::fit::{Like, Wish};
use super::mover::Mover;

/// How far a contact may slip between two frames, in metres.
const MOST_SLIP: f32 = 3e-4;

/// A moment of the way.
struct Moment {
    /// The share of the way that is behind.
    t: f32,
    /// Where the swinging limb is not looked at.
    body: Configuration,
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// What mostly works.
    Quick,
    /// Whatever may work.
    Thorough,
}

impl Mover<'_, '_> {
    /// The way of the whole body between two postures that both keep the contacts in `held`, in steps no longer than a
    /// frame's, if one is free; without where it began. The effector of `swings` goes to its contact in an arc.
    ///
    /// Each posture on the way is interpolated and its held limbs are put back, so the body moves evenly and nothing slips.
    pub fn swing(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        swings: Option<&Contact>,
        care: Care,
    ) -> Option<Vec<Configuration>> {
        let lifts = match care {
            Care::Quick => &[0.07, 0.25][..],
            Care::Thorough => &[0.07, 0.2, 0.4, 0.7],
        };
        let begins = swings.map_or(Vec3::ZERO, |contact| self.effector_of(from, contact.effector));
        let moments = self.moments(from, to, held, swings.map(|contact| (contact, begins)))?;
        if let Some(contact) = swings {
            let center = contact.center(&self.problem.character);
            // Away from what is held last and next, which leads round an edge between the two.
            let leaves = self.problem.world.field.estimate_gradient(begins);
            let between = (leaves + contact.normal).try_normalize().unwrap_or(contact.normal);
            for (index, &lift) in lifts.iter().enumerate() {
                let directions = match care {
                    Care::Quick if index == 0 => &[contact.normal][..],
                    Care::Quick => &[between],
                    Care::Thorough => &[contact.normal, between, UP],
                };
                for (index, direction) in directions.iter().enumerate() {
                    if directions[..index].iter().any(|other| other.dot(*direction) > 0.95) {
                        continue;
                    }
                    let arc = Arc { effector: contact.effector, ends: [begins, center], off: *direction * lift };
                    let way = self.follow(from, &moments, held, Some(&arc));
                    if way.is_some() {
                        return way;
                    }
                }
            }
            if care == Care::Quick {
                return None;
            }
        }
        // As the hinges would turn by themselves.
        self.follow(from, &moments, held, None)
    }

    /// The body's way, as if there were no obstacles.
    fn moments(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        swings: Option<(&Contact, Vec3)>,
    ) -> Option<Vec<Moment>> {
        // The shortest part of a frame's step that is made.
        const SHORTEST: f32 = 0.02;
        let character = &self.problem.character;
        let mut length = travel(character, [from, to], [&mut self.holding.frames, &mut self.collision.frames]);
        if let Some((contact, begins)) = swings {
            length = length.max((contact.center(character) - begins).length());
        }
        let count = (length / self.settings.frame_step).ceil().max(1.0);
        let mut moments: Vec<Moment> = Vec::with_capacity(count as usize);
        let (mut t, mut stride) = (0.0f32, 1.0 / count);
        while t < 1.0 {
            // A stride that rounding leaves over is not worth a frame.
            let there = if t + 1.01 * stride >= 1.0 { 1.0 } else { t + stride };
            let mut body = to.clone();
            if there < 1.0 {
                body.interpolate(from, to, there);
                if !self.holding.restore_in_place(character, &mut body, held) {
                    return None;
                }
            }
            let here = moments.last().map_or(from, |moment| &moment.body);
            // Near full stretch a limb bends fast, and leaves its place between two frames that are too far apart.
            if stride * count > SHORTEST && self.holding.slip(character, [here, &body], held) > MOST_SLIP {
                stride *= 0.5;
                continue;
            }
            moments.push(Moment { t: there, body });
            t = there;
            stride = (2.0 * stride).min(1.0 / count);
        }
        Some(moments)
    }

    /// The body's way with the limb on its arc, if it is free.
    ///
    /// Where it would touch something, the whole body gives way: from where it is now, it moves as near to where it should be as
    /// obstacles let it.
    fn follow(
        &mut self,
        from: &Configuration,
        moments: &[Moment],
        held: &[Contact],
        arc: Option<&Arc>,
    ) -> Option<Vec<Configuration>> {
        // Steps that may be needed to catch up with the way after giving way.
        const LATE: usize = 6;
        let character = &self.problem.character;
        let mut way: Vec<Configuration> = Vec::with_capacity(moments.len());
        let mut late = 0;
        let mut index = 0;
        while let Some(moment) = moments.get(index) {
            let mut next = moment.body.clone();
            if let Some(arc) = arc.filter(|_| moment.t < 1.0) {
                // Where the limb is too short for the arc, it moves as its hinges would.
                self.holding.reach(character, &mut next, arc.effector, arc.at(moment.t));
            }
            let here = way.last().unwrap_or(from);
            if !self.is_step_free(here, &next) {
                let wish = Wish { stance: held, like: Like::Other(&next.clone()), balances: &[] };
                next.clone_from(here);
                if !self.fit_free(&mut next, wish) || !self.is_step_free(here, &next) {
                    return None;
                }
                if moment.t == 1.0 {
                    late += 1;
                    index -= 1;
                    if late > LATE {
                        return None;
                    }
                }
            }
            way.push(next);
            index += 1;
        }
        Some(way)
    }
}

/// The way of an effector.
struct Arc {
    effector: usize,
    ends: [Vec3; 2],
    /// How far off the straight line it is half-way.
    off: Vec3,
}

impl Arc {
    fn at(&self, t: f32) -> Vec3 {
        self.ends[0].lerp(self.ends[1], t) + self.off * (4.0 * t * (1.0 - t))
    }
}
