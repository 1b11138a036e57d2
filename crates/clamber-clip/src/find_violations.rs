//! Finds violations in a path while it is smoothed: collisions, slip, lost balance, missed passages.

use clamber_model::configuration::max_motion_bound;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::obstacle_collision::{CollisionWorkspace, is_free, worst_hit};
use clamber_model::self_collision::is_free_on_checked_path;
use clamber_model::{Configuration, Contact, Problem};

use crate::blend_contact_phases::PhaseBlender;
use crate::body_units::BodyScale;
use crate::contact_projection::ContactProjector;
use crate::error::ClipError;
use crate::knot_path::read_row;
use crate::limb_swing::Swing;
use crate::motion_on_knot_grid::{KnotMotion, LiftOff};
use crate::progress::ProgressReporter;
use crate::settings::ClipSettings;
use crate::tuning::{BEND, MAX_PASSAGE_ERROR, MAX_SLIP};

/// A knot at which the path is not valid.
pub(crate) struct Violation {
    pub knot: usize,
    /// The swing whose limb collides, as an index into [`PhaseBlender::swings`].
    pub swing: Option<usize>,
}

/// Finds violations, with the workspace for it.
pub(crate) struct ViolationFinder<'a> {
    problem: &'a Problem,
    knot_motion: &'a KnotMotion,
    settings: &'a ClipSettings,
    /// In meters.
    size: f32,
    collision: CollisionWorkspace,
    frames: LinkFrames,
    projector: ContactProjector,
    row: Vec<f32>,
    bounds: TiVec<LinkId, f32>,
    here: Configuration,
    middle: Configuration,
    there: Configuration,
}

impl<'a> ViolationFinder<'a> {
    pub fn new(problem: &'a Problem, knot_motion: &'a KnotMotion, settings: &'a ClipSettings) -> Self {
        let rest = Configuration::rest(&problem.character);
        Self {
            problem,
            knot_motion,
            settings,
            size: BodyScale::of(&problem.character).length,
            collision: CollisionWorkspace::default(),
            frames: LinkFrames::default(),
            projector: ContactProjector::new(&problem.character),
            row: Vec::new(),
            bounds: TiVec::new(),
            here: rest.clone(),
            middle: rest.clone(),
            there: rest,
        }
    }

    /// The collisions and slips of the dirty phases, then all missed passages and unbalanced lift-offs.
    ///
    /// # Errors
    /// When the observer cancels.
    pub fn find(
        &mut self,
        blender: &PhaseBlender,
        dirty: &[bool],
        progress: &mut ProgressReporter,
    ) -> Result<Vec<Violation>, ClipError> {
        let mut violations = Vec::new();
        for (index, phase) in self.knot_motion.phases.iter().enumerate().filter(|(index, _)| dirty[*index]) {
            let in_contact = !phase.stance.is_empty();
            let margin = match in_contact {
                true => {
                    self.settings.stance_clearance * self.problem.character.body_size()
                        - self.problem.world.contact_tolerance
                }
                false => self.settings.flight_clearance * self.problem.character.body_size(),
            };
            blender.path.get(phase.first, &mut self.here);
            for knot in phase.first..phase.last {
                progress.step()?;
                blender.path.get(knot + 1, &mut self.there);
                if !phase.is_prescribed && !self.is_free(blender, knot, &phase.stance, margin) {
                    let swing = self.colliding_swing(blender, index, knot, margin);
                    violations.push(Violation { knot, swing });
                } else if blender.residuals[knot] > MAX_SLIP * self.size {
                    violations.push(Violation { knot, swing: None });
                }
                std::mem::swap(&mut self.here, &mut self.there);
            }
        }
        let knot_motion = self.knot_motion;
        for (index, &knot) in knot_motion.passage_knots.iter().enumerate() {
            progress.poll_at(index)?;
            if self.is_missed(blender, knot) {
                violations.push(Violation { knot, swing: None });
            }
        }
        for (index, lift_off) in knot_motion.lift_offs.iter().enumerate() {
            progress.poll_at(index)?;
            let unbalanced = self.unbalanced_knot(blender, lift_off);
            violations.extend(unbalanced.map(|knot| Violation { knot, swing: None }));
        }
        Ok(violations)
    }

    /// Whether the body is free at the next knot and, where the path bends, halfway to it. Knots are a centimeter or two
    /// apart, so the body cannot pass through anything, and the clip's frames are checked once more in the end.
    fn is_free(&mut self, blender: &PhaseBlender, knot: usize, stance: &[Contact], margin: f32) -> bool {
        let Problem { world, character, .. } = self.problem;
        if !is_free(world, character, &self.there, margin, &mut self.collision)
            || !is_free_on_checked_path(character, &self.there, &mut self.collision.self_collision)
        {
            return false;
        }
        if !blender.path.bends_along(knot, [BEND[0] * self.size, BEND[1]]) {
            return true;
        }
        blender.path.interpolate(knot as f32 + 0.5, &self.knot_motion.rests, &mut self.row);
        read_row(&self.row, &mut self.middle);
        self.projector.project(character, &mut self.middle, stance, self.knot_motion.gait_weights[knot]);
        is_free(world, character, &self.middle, margin, &mut self.collision)
            && is_free_on_checked_path(character, &self.middle, &mut self.collision.self_collision)
    }

    /// The swing whose limb collides between a knot and the next.
    fn colliding_swing(&mut self, blender: &PhaseBlender, phase: usize, knot: usize, margin: f32) -> Option<usize> {
        let Problem { world, character, .. } = self.problem;
        let hits = [&self.there, &self.here].map(|at| worst_hit(world, character, at, margin, &mut self.collision));
        // If both ends are free, the limb that swings is the most likely to collide halfway.
        let limb = hits.into_iter().flatten().next().map(|hit| character.limb_of_link(hit.link));
        let is_during = |swing: &Swing| swing.first <= knot && knot < swing.last;
        let collides = |swing: &Swing| is_during(swing) && limb.is_none_or(|limb| limb == Some(swing.limb));
        blender.phase_swings[phase].iter().copied().find(|&swing| collides(&blender.swings[swing]))
    }

    fn is_missed(&mut self, blender: &PhaseBlender, knot: usize) -> bool {
        blender.path.get(knot, &mut self.here);
        self.knot_motion.path.get(knot, &mut self.there);
        let distance = max_motion_bound(&self.problem.character, &self.here, &self.there, &mut self.bounds);
        distance > MAX_PASSAGE_ERROR * self.size
    }

    /// A knot at which a contact may be left off balance.
    fn unbalanced_knot(&mut self, blender: &PhaseBlender, lift_off: &LiftOff) -> Option<usize> {
        let mut is_unbalanced = |knot: &usize| {
            blender.path.get(*knot, &mut self.here);
            forward(&self.problem.character, &self.here, &mut self.frames);
            !lift_off.is_balanced(&self.problem.character, &self.frames)
        };
        lift_off.knots.clone().find(&mut is_unbalanced)
    }
}
