//! Builds a smooth path: averages the planner's path, puts every phase on its contacts and blends the phases.
//!
//! Averaging over a window and projecting onto contacts both depend on the knot alone, so what is smooth stays smooth. Splines
//! through key poses would have to be fitted around obstacles; a window is narrowed until nothing collides, and a closed
//! window is the planner's path.
//!
//! Where contacts change, the phase with fewer contacts continues its neighbor's position, velocity and acceleration and lets
//! the difference decay (games call this inertialization; Bollo, GDC 2018). So the path is continuous up to its second
//! derivative, effectors make and leave contacts at rest, and the body need not stop.

use std::cmp::Reverse;

use clamber_model::kinematics::LinkFrames;
use clamber_model::{Configuration, Contact, Problem};

use crate::contact_projection::ContactProjector;
use crate::error::ClipError;
use crate::knot_path::{KnotPath, clamp_angles, read_row};
use crate::limb_swing::{Swing, swings};
use crate::motion_on_knot_grid::{ContactPhase, KnotMotion};
use crate::progress::ProgressReporter;

/// The smooth path as far as it is built.
pub(crate) struct PhaseBlender<'a> {
    problem: &'a Problem,
    knot_motion: &'a KnotMotion,
    /// The planner's path, averaged and with swings lifted.
    averaged: KnotPath,
    /// The result.
    pub path: KnotPath,
    /// For each knot, the greatest distance of an effector from its contact, in meters.
    pub residuals: Vec<f32>,
    pub swings: Vec<Swing>,
    /// For each phase, the indices of the swings in it.
    pub phase_swings: Vec<Vec<usize>>,
    frames: LinkFrames,
    projector: ContactProjector,
    sum: Vec<f32>,
}

impl<'a> PhaseBlender<'a> {
    pub fn new(problem: &'a Problem, knot_motion: &'a KnotMotion) -> Self {
        let swings = swings(&problem.character, &knot_motion.contacts, &knot_motion.rests);
        let mut phase_swings = vec![Vec::new(); knot_motion.phases.len()];
        for (index, swing) in swings.iter().enumerate() {
            for phase in knot_motion.phases_between(swing.first, swing.last) {
                phase_swings[phase].push(index);
            }
        }
        Self {
            problem,
            knot_motion,
            averaged: knot_motion.path.clone(),
            path: knot_motion.path.clone(),
            residuals: vec![0.0; knot_motion.path.len()],
            swings,
            phase_swings,
            frames: LinkFrames::default(),
            projector: ContactProjector::new(&problem.character),
            sum: vec![0.0; knot_motion.path.width()],
        }
    }

    /// Rebuilds the dirty phases, those with more contacts first. Marks more phases dirty where a swing is given up.
    ///
    /// # Errors
    /// When the observer cancels.
    pub fn rebuild(
        &mut self,
        half_widths: &[f32],
        dirty: &mut [bool],
        progress: &mut ProgressReporter,
    ) -> Result<(), ClipError> {
        let phases = &self.knot_motion.phases;
        loop {
            let mut failed = Vec::new();
            let mut configuration = Configuration::rest(&self.problem.character);
            for (index, phase) in phases.iter().enumerate().filter(|(index, _)| dirty[*index]) {
                for (knot, &half_width) in (phase.first..).zip(&half_widths[phase.first..=phase.last]) {
                    progress.step()?;
                    self.average(knot, half_width);
                    if !phase.is_prescribed {
                        failed.extend(self.lift(index, knot, &mut configuration));
                    }
                }
            }
            if failed.is_empty() {
                break;
            }
            // A limb that cannot be lifted at every knot is not lifted at all: it would drop in the middle.
            for swing in failed {
                let swing = &mut self.swings[swing];
                swing.give_up();
                dirty[self.knot_motion.phases_between(swing.first, swing.last)].fill(true);
            }
        }
        let mut order: Vec<usize> = (0..phases.len()).filter(|&index| dirty[index]).collect();
        order.sort_by_key(|&index| (Reverse(phases[index].stance.len()), index));
        let mut is_built: Vec<bool> = dirty.iter().map(|is_dirty| !is_dirty).collect();
        for index in order {
            self.build_phase(index, &is_built, half_widths, progress)?;
            is_built[index] = true;
        }
        Ok(())
    }

    /// Averages the planner's path around a knot. Beyond a rest the path is mirrored, so that the rest stays where it is.
    fn average(&mut self, knot: usize, half_width: f32) {
        let KnotMotion { path, rests, .. } = self.knot_motion;
        let reach = half_width as usize;
        if reach == 0 {
            self.averaged.row_mut(knot).copy_from_slice(path.row(knot));
            return;
        }
        let after = rests.partition_point(|&rest| rest <= knot);
        let (from, to) = (rests[after - 1], rests.get(after).copied().unwrap_or(rests[after - 1]));
        let (from, to) = if knot == from { (from, from) } else { (from, to) };
        self.sum.iter_mut().for_each(|sum| *sum = 0.0);
        let mut total = 0.0;
        for offset in -(reach as isize)..=reach as isize {
            let u = offset as f32 / (half_width + 1.0);
            let weight = (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u);
            total += weight;
            let other = knot as isize + offset;
            let (mirror, other) = if other < from as isize {
                (Some(from), ((2 * from) as isize - other).min(to as isize) as usize)
            } else if other > to as isize {
                (Some(to), ((2 * to) as isize - other).max(from as isize) as usize)
            } else {
                (None, other as usize)
            };
            match mirror {
                None => self.sum.iter_mut().zip(path.row(other)).for_each(|(sum, number)| *sum += weight * number),
                Some(mirror) => {
                    let rows = path.row(mirror).iter().zip(path.row(other));
                    self.sum.iter_mut().zip(rows).for_each(|(sum, (at, of))| *sum += weight * (2.0 * at - of));
                }
            }
        }
        let row = self.averaged.row_mut(knot);
        row.iter_mut().zip(&self.sum).for_each(|(number, sum)| *number = sum / total);
    }

    /// Lifts the limbs that swing at a knot of a phase. Returns a swing whose limb cannot be lifted.
    fn lift(&mut self, phase: usize, knot: usize, configuration: &mut Configuration) -> Option<usize> {
        let is_under_way = |swing: &&usize| {
            let swing = &self.swings[**swing];
            swing.is_lifted() && swing.first < knot && knot < swing.last
        };
        let mut swings = self.phase_swings[phase].iter().filter(is_under_way).peekable();
        swings.peek()?;
        self.averaged.get(knot, configuration);
        for &index in swings {
            if !self.swings[index].lift(&self.problem.character, knot, configuration, &mut self.frames) {
                return Some(index);
            }
        }
        self.averaged.set(knot, configuration);
        None
    }

    /// Puts a phase on its contacts, blending it with neighbors that have more contacts and are built.
    fn build_phase(
        &mut self,
        index: usize,
        is_built: &[bool],
        half_widths: &[f32],
        progress: &mut ProgressReporter,
    ) -> Result<(), ClipError> {
        let phase = &self.knot_motion.phases[index];
        // Prescribed motion rests at its ends and is not blended.
        let is_leading =
            |other: usize| !phase.is_prescribed && is_built[other] && has_more(&self.knot_motion.phases[other], phase);
        let before = index.checked_sub(1).filter(|&before| is_leading(before));
        let after = Some(index + 1).filter(|&after| after < is_built.len() && is_leading(after));
        let half_widths = &half_widths[phase.first..=phase.last];
        let decays = [decay_length(&mut half_widths.iter()), decay_length(&mut half_widths.iter().rev())];
        let offsets = [before.map(|_| self.offset(phase.first, -1)), after.map(|_| self.offset(phase.last, 1))];
        let mut configuration = Configuration::rest(&self.problem.character);
        let skip = [usize::from(before.is_some()), usize::from(after.is_some())];
        for knot in phase.first + skip[0]..=phase.last - skip[1] {
            progress.step()?;
            self.sum.copy_from_slice(self.averaged.row(knot));
            let distances = [knot - phase.first, phase.last - knot];
            for ((offset, distance), decay) in offsets.iter().zip(distances).zip(decays) {
                if let Some(offset) = offset {
                    offset.add(distance as f32, decay, &mut self.sum);
                }
            }
            read_row(&self.sum, &mut configuration);
            clamp_angles(&self.problem.character, &mut configuration);
            // A turn leaves the plane in which the projection works.
            self.residuals[knot] = if phase.is_prescribed {
                0.0
            } else {
                let gait_weight = self.knot_motion.gait_weights[knot];
                self.projector.project(&self.problem.character, &mut configuration, &phase.stance, gait_weight)
            };
            self.path.set(knot, &configuration);
        }
        Ok(())
    }

    /// The offset of the path from the average at the border of a phase, with its derivatives, by finite differences on the
    /// neighbor's side (-1 or 1). The unit of time is a knot interval, and time runs into the phase.
    fn offset(&self, border: usize, side: isize) -> BorderOffset {
        let offset = |distance: isize| {
            // Prescribed phases may be shorter than the stencil.
            let knot = (border as isize + side * distance).clamp(0, self.path.len() as isize - 1) as usize;
            self.path.row(knot).iter().zip(self.averaged.row(knot)).map(|(built, averaged)| built - averaged)
        };
        let position: Vec<f32> = offset(0).collect();
        let mut border = BorderOffset { position, velocity: Vec::new(), acceleration: Vec::new() };
        for (((a, b), c), d) in offset(0).zip(offset(1)).zip(offset(2)).zip(offset(3)) {
            border.velocity.push((11.0 * a - 18.0 * b + 9.0 * c - 2.0 * d) / 6.0);
            border.acceleration.push(2.0 * a - 5.0 * b + 4.0 * c - d);
        }
        border
    }
}

/// What a phase takes over at its border: an offset and its first two derivatives, for each number of a row.
struct BorderOffset {
    position: Vec<f32>,
    velocity: Vec<f32>,
    acceleration: Vec<f32>,
}

impl BorderOffset {
    /// Adds what remains of the offset at a distance from the border; after `decay` knots nothing does. The polynomials are
    /// of degree 5, with the given derivatives at one end and zero at the other.
    fn add(&self, distance: f32, decay: f32, row: &mut [f32]) {
        let u = distance / decay;
        if u >= 1.0 {
            return;
        }
        let v = 1.0 - u;
        let cube = v * v * v;
        let position = cube * (1.0 + 3.0 * u + 6.0 * u * u);
        let velocity = decay * cube * (u + 3.0 * u * u);
        let acceleration = 0.5 * decay * decay * cube * u * u;
        for (index, number) in row.iter_mut().enumerate() {
            *number += position * self.position[index]
                + velocity * self.velocity[index]
                + acceleration * self.acceleration[index];
        }
    }
}

/// Whether one phase has all contacts of another, and more.
fn has_more(phase: &ContactPhase, other: &ContactPhase) -> bool {
    let has = |contact: &Contact| phase.stance.contains(contact);
    phase.stance.len() > other.stance.len() && other.stance.iter().all(has)
}

/// The number of knots in which a border's offset decays, from the smoothing windows from the border on: about a window's
/// width, and before the windows become narrow.
fn decay_length(half_widths: &mut dyn ExactSizeIterator<Item = &f32>) -> f32 {
    let mut decay = half_widths.len() as f32 - 1.0;
    for (distance, half_width) in half_widths.enumerate() {
        if distance as f32 >= decay {
            break;
        }
        decay = decay.min(distance as f32 + 2.0 * half_width + 4.0);
    }
    decay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_begins_with_its_derivatives_and_decays_to_nothing() {
        let offset = BorderOffset { position: vec![0.3], velocity: vec![-0.02], acceleration: vec![0.004] };
        let at = |distance: f32| {
            let mut row = [0.0];
            offset.add(distance, 20.0, &mut row);
            f64::from(row[0])
        };
        let step = 0.25;
        let velocity = |since: f32| (at(since + step) - at(since - step)) / (2.0 * f64::from(step));
        let acceleration =
            |since: f32| (at(since + step) - 2.0 * at(since) + at(since - step)) / f64::from(step * step);
        assert!((at(0.0) - 0.3).abs() < 1e-6);
        assert!((velocity(step) + 0.02 - 0.004 * f64::from(step)).abs() < 1e-3, "{}", velocity(step));
        assert!((acceleration(step) - 0.004).abs() < 2e-3, "{}", acceleration(step));
        assert!(at(20.0) == 0.0 && velocity(20.0 - step).abs() < 1e-4 && acceleration(20.0 - step).abs() < 1e-3);
    }

    #[test]
    fn an_offset_decays_before_the_window_closes() {
        let wide = [10.0; 60];
        assert_eq!(decay_length(&mut wide.iter()), 24.0);
        let mut closed = wide;
        closed[5..].fill(0.0);
        assert_eq!(decay_length(&mut closed.iter()), 9.0);
        assert_eq!(decay_length(&mut wide[..7].iter()), 6.0);
    }
}
