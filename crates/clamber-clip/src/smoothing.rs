//! Smooths a path: continuous velocity and acceleration, on the same contacts and as free of collisions (thesis 6.2.8).
//!
//! The path is built by [`PhaseBlender`] and checked by [`ViolationFinder`]. Where a swinging limb collides, it is lifted
//! higher; at any other violation, the smoothing window is narrowed, down to the planner's own path.

use clamber_model::Problem;

use crate::blend_contact_phases::PhaseBlender;
use crate::error::ClipError;
use crate::find_violations::{Violation, ViolationFinder};
use crate::knot_path::KnotPath;
use crate::limb_swing::Swing;
use crate::motion_on_knot_grid::KnotMotion;
use crate::progress::ProgressReporter;
use crate::settings::ClipSettings;
use crate::tuning::{MIN_HALF_WIDTH, NARROWING, SMOOTHING_ROUNDS, WIDTH_SPREAD};

/// A path that is smoothed as far as obstacles allow.
pub(crate) struct PathSmoother<'a> {
    knot_motion: &'a KnotMotion,
    blender: PhaseBlender<'a>,
    finder: ViolationFinder<'a>,
    /// For each knot, the widest half window that is allowed now.
    half_widths: Vec<f32>,
}

impl<'a> PathSmoother<'a> {
    /// # Errors
    /// When the observer cancels.
    pub fn new(
        problem: &'a Problem,
        knot_motion: &'a KnotMotion,
        settings: &'a ClipSettings,
        progress: &mut ProgressReporter,
    ) -> Result<Self, ClipError> {
        let blender = PhaseBlender::new(problem, knot_motion);
        let finder = ViolationFinder::new(problem, knot_motion, settings);
        let mut smoother = Self { knot_motion, blender, finder, half_widths: knot_motion.half_widths.clone() };
        smoother.smooth(vec![true; knot_motion.phases.len()], progress)?;
        Ok(smoother)
    }

    pub fn path(&self) -> &KnotPath {
        &self.blender.path
    }

    /// The fraction of knots whose window was narrowed.
    pub fn narrowed_fraction(&self) -> f32 {
        let windows = self.half_widths.iter().zip(&self.knot_motion.half_widths);
        windows.filter(|(now, wanted)| now < wanted).count() as f32 / self.half_widths.len() as f32
    }

    /// Narrows the windows around these knots, in ascending order, and stops lifting the limbs that swing there.
    ///
    /// # Errors
    /// When the observer cancels.
    pub fn reduce_at(&mut self, knots: &[usize], progress: &mut ProgressReporter) -> Result<(), ClipError> {
        let violations: Vec<Violation> = knots.iter().map(|&knot| Violation { knot, swing: None }).collect();
        let mut dirty = vec![false; self.knot_motion.phases.len()];
        self.resolve(&violations, &mut dirty);
        for swing in &mut self.blender.swings {
            let from = knots.partition_point(|&knot| knot < swing.first);
            if swing.is_lifted() && knots.get(from).is_some_and(|&knot| knot <= swing.last) {
                swing.give_up();
                dirty[self.knot_motion.phases_between(swing.first, swing.last)].fill(true);
            }
        }
        self.smooth(dirty, progress)
    }

    /// Builds the dirty phases, and resolves violations until there are none or the rounds are used up.
    fn smooth(&mut self, mut dirty: Vec<bool>, progress: &mut ProgressReporter) -> Result<(), ClipError> {
        for round in 0..=SMOOTHING_ROUNDS {
            let phases = self.knot_motion.phases.iter().zip(&dirty).filter(|(_, is_dirty)| **is_dirty);
            let knots: usize = phases.map(|(phase, _)| phase.last - phase.first).sum();
            // Each knot is averaged, built and checked.
            progress.begin_share_of_rest(0.4 * knots as f32 / self.half_widths.len() as f32, 3 * knots)?;
            self.blender.rebuild(&spread(&self.half_widths), &mut dirty, progress)?;
            let violations = self.finder.find(&self.blender, &dirty, progress)?;
            if violations.is_empty() || round == SMOOTHING_ROUNDS {
                break;
            }
            dirty.fill(false);
            self.resolve(&violations, &mut dirty);
        }
        Ok(())
    }

    /// Lifts limbs higher or narrows windows, and marks the phases that must be rebuilt.
    fn resolve(&mut self, violations: &[Violation], dirty: &mut [bool]) {
        let Self { knot_motion, blender, half_widths, .. } = self;
        let before = half_widths.clone();
        let mut is_lifted = vec![false; blender.swings.len()];
        for violation in violations {
            if let Some(index) = violation.swing {
                if is_lifted[index] {
                    continue;
                }
                let swing = &mut blender.swings[index];
                if swing.is_lifted() {
                    is_lifted[index] = true;
                    dirty[knot_motion.phases_between(swing.first, swing.last)].fill(true);
                    if swing.lift_higher() {
                        continue;
                    }
                }
            }
            // Where the window is closed, only limbs that are lifted can still move the center of mass.
            if before[violation.knot] == 0.0 {
                let is_under_way = |swing: &&mut Swing| swing.first <= violation.knot && violation.knot <= swing.last;
                for swing in blender.swings.iter_mut().filter(is_under_way).filter(|swing| swing.is_lifted()) {
                    swing.give_up();
                    dirty[knot_motion.phases_between(swing.first, swing.last)].fill(true);
                }
            }
            let reach = (before[violation.knot] as usize).max(4);
            let from = violation.knot.saturating_sub(reach);
            let to = (violation.knot + reach + 1).min(half_widths.len());
            for (half_width, before) in half_widths[from..to].iter_mut().zip(&before[from..to]) {
                let narrower = if NARROWING * before < MIN_HALF_WIDTH { 0.0 } else { NARROWING * before };
                *half_width = half_width.min(narrower);
            }
            // A neighbor with fewer contacts is blended with the phase that changes.
            let touched = knot_motion.phases_between(from.saturating_sub(2 * WIDTH_SPREAD), to + 2 * WIDTH_SPREAD);
            dirty[touched.start.saturating_sub(1)..(touched.end + 1).min(knot_motion.phases.len())].fill(true);
        }
    }
}

/// Half widths that change gradually and nowhere exceed the given ones. The path would jump where they jump.
fn spread(half_widths: &[f32]) -> Vec<f32> {
    let least = |knot: usize| {
        let near = &half_widths[knot.saturating_sub(WIDTH_SPREAD)..(knot + WIDTH_SPREAD + 1).min(half_widths.len())];
        near.iter().copied().fold(f32::INFINITY, f32::min)
    };
    let mut spread: Vec<f32> = (0..half_widths.len()).map(least).collect();
    for _ in 0..2 {
        let sums: Vec<f32> = std::iter::once(0.0)
            .chain(spread.iter().scan(0.0, |sum, width| {
                *sum += width;
                Some(*sum)
            }))
            .collect();
        let half = WIDTH_SPREAD / 2;
        spread = (0..spread.len())
            .map(|knot| {
                let (from, to) = (knot.saturating_sub(half), (knot + half + 1).min(spread.len()));
                (sums[to] - sums[from]) / (to - from) as f32
            })
            .collect();
    }
    spread
}
