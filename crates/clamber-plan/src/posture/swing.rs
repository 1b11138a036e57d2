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
        let begins = swings.map_or(Vec3::ZERO, |contact| self.effector_of(from, contact.effector));
        let moments = self.moments(from, to, held, swings.map(|contact| (contact, begins)))?;
        let Some(contact) = swings else { return self.follow(from, &moments, held, None, care) };
        let center = contact.center(&self.problem.character);
        // Away from what is held last and next, which leads round an edge between the two.
        let leaves = self.problem.world.field.estimate_gradient(begins);
        let between = (leaves + contact.normal).try_normalize().unwrap_or(contact.normal);
        let swing = |off| Swing { effector: contact.effector, style: Style::Arc { ends: [begins, center], off } };
        let tucked = Swing { effector: contact.effector, style: Style::Tucked };
        let quick = [swing(0.07 * contact.normal), tucked, swing(0.25 * between)];
        let thorough = [swing(0.2 * UP), swing(0.5 * between), swing(0.4 * contact.normal), swing(0.8 * between)];
        let mut swings = quick.iter().chain(thorough.iter().filter(|_| care == Care::Thorough));
        swings.find_map(|swing| self.follow(from, &moments, held, Some(swing), care))
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
            if there < 1.0 && !self.holding.interpolate_in_place(character, [from, to], there, held, &mut body) {
                return None;
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

    /// Bends a limb at its knee or elbow, most in the middle of the way.
    pub fn tuck(&self, configuration: &mut Configuration, effector: usize, t: f32) {
        // Almost as far as it bends, for most of the way.
        const MOST: f32 = 0.85;
        const SOON: f32 = 5.0;
        let character = &self.problem.character;
        let Some(limb) = character.effectors[effector].limb else { return };
        let first = character.limbs[limb].links[0];
        let share = MOST * (SOON * t).min(SOON * (1.0 - t)).clamp(0.0, 1.0);
        for &index in &character.limbs[limb].hinges {
            let hinge = &character.hinges[index];
            if hinge.link != first {
                let bent = if hinge.max > -hinge.min { hinge.max } else { hinge.min };
                configuration.angles[index] += share * (bent - configuration.angles[index]);
            }
        }
    }

    /// The body's way with the limb on its way, if it is free.
    ///
    /// Where it would touch something, the whole body gives way: from where it is now, it moves as near to where it should be as
    /// obstacles let it.
    fn follow(
        &mut self,
        from: &Configuration,
        moments: &[Moment],
        held: &[Contact],
        swing: Option<&Swing>,
        care: Care,
    ) -> Option<Vec<Configuration>> {
        // Steps that may be needed to catch up with the way after giving way.
        const LATE: usize = 6;
        let most = match care {
            Care::Quick => 12,
            Care::Thorough => 40,
        };
        let character = &self.problem.character;
        let mut way: Vec<Configuration> = Vec::with_capacity(moments.len());
        let (mut late, mut gave_way) = (0, 0);
        let mut index = 0;
        while let Some(moment) = moments.get(index) {
            let mut next = moment.body.clone();
            match swing.map(|swing| (swing.effector, &swing.style)) {
                Some((effector, Style::Arc { ends, off })) if moment.t < 1.0 => {
                    let t = moment.t;
                    let place = ends[0].lerp(ends[1], t) + *off * (4.0 * t * (1.0 - t));
                    // Where the limb is too short for the arc, it moves as its hinges would.
                    self.holding.reach(character, &mut next, effector, place);
                }
                Some((effector, Style::Tucked)) => self.tuck(&mut next, effector, moment.t),
                _ => {}
            }
            let here = way.last().unwrap_or(from).clone();
            if !self.is_free(&next) || !self.creep(&here, &next, held, &mut way) {
                gave_way += 1;
                if gave_way > most {
                    return None;
                }
                let wish = Wish { stance: held, like: Like::Other(&next.clone()), balances: &[] };
                next.clone_from(&here);
                if !self.fit_free(&mut next, wish) || !self.creep(&here, &next, held, &mut way) {
                    return None;
                }
                if moment.t == 1.0 {
                    late += 1;
                    if late > LATE {
                        return None;
                    }
                    continue;
                }
            }
            index += 1;
        }
        Some(way)
    }

    /// Appends the straight way on the contacts from one configuration to another, if it is free. One that is next to the other
    /// is come to in one step.
    fn creep(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        held: &[Contact],
        way: &mut Vec<Configuration>,
    ) -> bool {
        const SHORTEST: f32 = 0.05;
        let character = &self.problem.character;
        let length = way.len();
        let (mut t, mut stride) = (0.0f32, 1.0f32);
        while t < 1.0 {
            let there = if t + 1.01 * stride >= 1.0 { 1.0 } else { t + stride };
            let mut next = to.clone();
            let is_kept =
                there == 1.0 || self.holding.interpolate_in_place(character, [from, to], there, held, &mut next);
            let here = way[length..].last().unwrap_or(from);
            if is_kept && self.holding.slip(character, [here, &next], held) > MOST_SLIP && stride > SHORTEST {
                stride *= 0.5;
                continue;
            }
            if !is_kept || !self.is_step_free(here, &next) {
                way.truncate(length);
                return false;
            }
            way.push(next);
            t = there;
        }
        true
    }
}

/// How a limb goes to its contact.
struct Swing {
    effector: usize,
    style: Style,
}

enum Style {
    /// Its effector on a bow, so far off the straight line half-way.
    Arc { ends: [Vec3; 2], off: Vec3 },
    /// Bent on the way.
    Tucked,
}
