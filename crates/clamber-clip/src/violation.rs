//! Judges a way while it is made: is it free, on its contacts, balanced, and where ready-made passages want it.

use clamber_model::collision::{CollisionWorkspace, is_free, worst_hit};
use clamber_model::configuration::longest_way;
use clamber_model::id::TiVec;
use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::support::horizontal_distance_to_hull;
use clamber_model::{Configuration, Contact, Problem};

use crate::blend::Maker;
use crate::projection::{Projector, root_ease};
use crate::schedule::{Leaving, Schedule};
use crate::settings::ClipSettings;
use crate::swing_arc::Swing;
use crate::track::read_row;

/// A moment at which something is wrong.
pub(crate) struct Fault {
    pub moment: usize,
    /// The swing, an index into [`Maker::swings`], whose limb is in the way of something.
    pub swing: Option<usize>,
}

/// An effector may be this far off its hold, in metres.
const SLIP: f32 = 2e-4;
/// A way bends where its numbers change by so much more in one moment than in the one before.
const BEND: f32 = 0.02;
/// A ready-made posture may be missed by this much, in metres.
const MISS: f32 = 5e-4;

/// The memory that judging needs.
pub(crate) struct Judge<'a> {
    problem: &'a Problem,
    schedule: &'a Schedule,
    settings: &'a ClipSettings,
    collision: CollisionWorkspace,
    frames: Workspace,
    projector: Projector,
    row: Vec<f32>,
    here: Configuration,
    middle: Configuration,
    there: Configuration,
}

impl<'a> Judge<'a> {
    pub fn new(problem: &'a Problem, schedule: &'a Schedule, settings: &'a ClipSettings) -> Self {
        let rest = Configuration::rest(&problem.character);
        Self {
            problem,
            schedule,
            settings,
            collision: CollisionWorkspace::default(),
            frames: Workspace::default(),
            projector: Projector::default(),
            row: Vec::new(),
            here: rest.clone(),
            middle: rest.clone(),
            there: rest,
        }
    }

    /// What is wrong in the phases that are dirty, in the order of the moments.
    pub fn faults(&mut self, maker: &Maker, dirty: &[bool]) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (index, phase) in self.schedule.phases.iter().enumerate().filter(|(index, _)| dirty[*index]) {
            let holds_on = !phase.stance.is_empty();
            let margin = if holds_on { self.settings.contact_clearance.margin } else { self.settings.clearance.margin };
            maker.track.get(phase.first, &mut self.here);
            for moment in phase.first..phase.last {
                maker.track.get(moment + 1, &mut self.there);
                if !phase.is_fixed && !self.is_free(maker, moment, &phase.stance, margin) {
                    let swing = self.swing_in_the_way(maker, index, moment, margin);
                    faults.push(Fault { moment, swing });
                } else if maker.residuals[moment] > SLIP {
                    faults.push(Fault { moment, swing: None });
                }
                std::mem::swap(&mut self.here, &mut self.there);
            }
        }
        let schedule = self.schedule;
        let is_missed = |moment: &&usize| self.is_missed(maker, **moment);
        let missed: Vec<usize> = schedule.fixed.iter().filter(is_missed).copied().collect();
        let is_unbalanced = |leaving: &&Leaving| self.is_unbalanced(maker, leaving);
        let unbalanced: Vec<usize> =
            schedule.leavings.iter().filter(is_unbalanced).map(|leaving| leaving.moment).collect();
        faults.extend(missed.into_iter().chain(unbalanced).map(|moment| Fault { moment, swing: None }));
        faults
    }

    /// Whether the body is free there, and half-way from here to there where the way bends. Moments are a centimetre or two
    /// apart, so nothing is passed through, and frames are looked at once more in the end.
    fn is_free(&mut self, maker: &Maker, moment: usize, stance: &[Contact], margin: f32) -> bool {
        let Problem { world, character, .. } = self.problem;
        if !is_free(world, character, &self.there, margin, &mut self.collision) {
            return false;
        }
        if !maker.track.bends(moment, BEND) {
            return true;
        }
        maker.track.between(moment as f32 + 0.5, &self.schedule.rests, &mut self.row);
        read_row(&self.row, &mut self.middle);
        self.projector.project(character, &mut self.middle, stance, root_ease(self.schedule.gait[moment]));
        is_free(world, character, &self.middle, margin, &mut self.collision)
    }

    /// The swing whose limb is not free on the step from here to there.
    fn swing_in_the_way(&mut self, maker: &Maker, phase: usize, moment: usize, margin: f32) -> Option<usize> {
        let Problem { world, character, .. } = self.problem;
        let hits = [&self.there, &self.here].map(|at| worst_hit(world, character, at, margin, &mut self.collision));
        // Half-way it is most likely the limb that moves.
        let limb = hits.into_iter().flatten().next().map(|hit| character.limb_of(hit.link));
        let in_it = |swing: &Swing| swing.first <= moment && moment < swing.last;
        let is_it = |swing: &Swing| in_it(swing) && limb.is_none_or(|limb| limb == Some(swing.limb));
        maker.swings_of[phase].iter().copied().find(|&swing| is_it(&maker.swings[swing]))
    }

    fn is_missed(&mut self, maker: &Maker, moment: usize) -> bool {
        maker.track.get(moment, &mut self.here);
        self.schedule.raw.get(moment, &mut self.there);
        longest_way(&self.problem.character, &self.here, &self.there, &mut TiVec::new()) > MISS
    }

    fn is_unbalanced(&mut self, maker: &Maker, leaving: &Leaving) -> bool {
        maker.track.get(leaving.moment, &mut self.here);
        forward(&self.problem.character, &self.here, &mut self.frames);
        let center = center_of_mass(&self.problem.character, &self.frames);
        horizontal_distance_to_hull(center, &leaving.points) > leaving.within
    }
}
