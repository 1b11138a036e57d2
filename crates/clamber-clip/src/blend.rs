//! Makes a way flow: averages it, and puts every phase on its contacts.

use std::cmp::Reverse;

use clamber_model::kinematics::Workspace;
use clamber_model::{Configuration, Contact, Problem};

use crate::projection::{Projector, root_ease};
use crate::schedule::{Phase, Schedule};
use crate::swing_arc::{Swing, swings};
use crate::track::{Track, read_row};

/// The way as far as it is made, and the memory that this needs.
pub(crate) struct Maker<'a> {
    problem: &'a Problem,
    schedule: &'a Schedule,
    averaged: Track,
    pub track: Track,
    /// For each moment, how far the farthest effector is off its hold.
    pub residuals: Vec<f32>,
    pub swings: Vec<Swing>,
    /// For each phase, the swings in it.
    pub swings_of: Vec<Vec<usize>>,
    frames: Workspace,
    projector: Projector,
    sum: Vec<f32>,
}

impl<'a> Maker<'a> {
    pub fn new(problem: &'a Problem, schedule: &'a Schedule) -> Self {
        let swings = swings(&problem.character, &schedule.contacts, &schedule.rests);
        let mut swings_of = vec![Vec::new(); schedule.phases.len()];
        for (index, swing) in swings.iter().enumerate() {
            for phase in phases_in(&schedule.phases, swing.first, swing.last) {
                swings_of[phase].push(index);
            }
        }
        Self {
            problem,
            schedule,
            averaged: schedule.raw.clone(),
            track: schedule.raw.clone(),
            residuals: vec![0.0; schedule.raw.len()],
            swings,
            swings_of,
            frames: Workspace::default(),
            projector: Projector::default(),
            sum: vec![0.0; schedule.raw.width()],
        }
    }

    /// Makes the phases that are dirty anew, those with more contacts first; more of them may become so.
    pub fn make(&mut self, widths: &[f32], dirty: &mut [bool]) {
        let phases = &self.schedule.phases;
        loop {
            let mut failed = Vec::new();
            let mut configuration = Configuration::rest(&self.problem.character);
            for (index, phase) in phases.iter().enumerate().filter(|(index, _)| dirty[*index]) {
                for (moment, &width) in (phase.first..).zip(&widths[phase.first..=phase.last]) {
                    self.average(moment, width);
                    if !phase.is_fixed {
                        failed.extend(self.lift(index, moment, &mut configuration));
                    }
                }
            }
            if failed.is_empty() {
                break;
            }
            // A limb that cannot be lifted all the way is not lifted at all: it would drop in the middle.
            for swing in failed {
                let swing = &mut self.swings[swing];
                swing.give_up();
                dirty[phases_in(phases, swing.first, swing.last)].fill(true);
            }
        }
        let mut order: Vec<usize> = (0..phases.len()).filter(|&index| dirty[index]).collect();
        order.sort_by_key(|&index| (Reverse(phases[index].stance.len()), index));
        let mut is_made: Vec<bool> = dirty.iter().map(|is_dirty| !is_dirty).collect();
        for index in order {
            self.make_phase(index, &is_made, widths);
            is_made[index] = true;
        }
    }

    /// Averages the planner's way around a moment. Beyond a rest, the way is the mirror image of what is before it, so that
    /// the rest stays where it is.
    fn average(&mut self, moment: usize, width: f32) {
        let Schedule { raw, rests, .. } = self.schedule;
        let reach = width as usize;
        if reach == 0 {
            self.averaged.row_mut(moment).copy_from_slice(raw.row(moment));
            return;
        }
        let after = rests.partition_point(|&rest| rest <= moment);
        let (from, to) = (rests[after - 1], rests.get(after).copied().unwrap_or(rests[after - 1]));
        let (from, to) = if moment == from { (from, from) } else { (from, to) };
        self.sum.iter_mut().for_each(|sum| *sum = 0.0);
        let mut total = 0.0;
        for offset in -(reach as isize)..=reach as isize {
            let u = offset as f32 / (width + 1.0);
            let weight = (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u);
            total += weight;
            let other = moment as isize + offset;
            let (mirror, other) = if other < from as isize {
                (Some(from), ((2 * from) as isize - other).min(to as isize) as usize)
            } else if other > to as isize {
                (Some(to), ((2 * to) as isize - other).max(from as isize) as usize)
            } else {
                (None, other as usize)
            };
            match mirror {
                None => self.sum.iter_mut().zip(raw.row(other)).for_each(|(sum, number)| *sum += weight * number),
                Some(mirror) => {
                    let rows = raw.row(mirror).iter().zip(raw.row(other));
                    self.sum.iter_mut().zip(rows).for_each(|(sum, (at, of))| *sum += weight * (2.0 * at - of));
                }
            }
        }
        let row = self.averaged.row_mut(moment);
        row.iter_mut().zip(&self.sum).for_each(|(number, sum)| *number = sum / total);
    }

    /// Lifts the limbs that are on their way at a moment of a phase. Returns a swing for which that cannot be done.
    fn lift(&mut self, phase: usize, moment: usize, configuration: &mut Configuration) -> Option<usize> {
        let is_under_way = |swing: &&usize| {
            let swing = &self.swings[**swing];
            swing.is_lifted() && swing.first < moment && moment < swing.last
        };
        let mut swings = self.swings_of[phase].iter().filter(is_under_way).peekable();
        swings.peek()?;
        self.averaged.get(moment, configuration);
        for &index in swings {
            if !self.swings[index].lift(&self.problem.character, moment, configuration, &mut self.frames) {
                return Some(index);
            }
        }
        self.averaged.set(moment, configuration);
        None
    }

    /// Puts a phase on its contacts, taking over from neighbours with more contacts.
    fn make_phase(&mut self, index: usize, is_made: &[bool], widths: &[f32]) {
        let phase = &self.schedule.phases[index];
        // What is ready-made rests at its ends and takes nothing over.
        let anchors = |other: usize| !phase.is_fixed && is_made[other] && has_more(&self.schedule.phases[other], phase);
        let before = index.checked_sub(1).filter(|&before| anchors(before));
        let after = Some(index + 1).filter(|&after| after < is_made.len() && anchors(after));
        let forget = [
            forget(&mut widths[phase.first..=phase.last].iter()),
            forget(&mut widths[phase.first..=phase.last].iter().rev()),
        ];
        let jets = [before.map(|_| self.jet(phase.first, -1)), after.map(|_| self.jet(phase.last, 1))];
        let mut configuration = Configuration::rest(&self.problem.character);
        let skip = [usize::from(before.is_some()), usize::from(after.is_some())];
        for moment in phase.first + skip[0]..=phase.last - skip[1] {
            self.sum.copy_from_slice(self.averaged.row(moment));
            let since = [moment - phase.first, phase.last - moment];
            for ((jet, since), forget) in jets.iter().zip(since).zip(forget) {
                if let Some(jet) = jet {
                    jet.add(since as f32, forget, &mut self.sum);
                }
            }
            read_row(&self.sum, &mut configuration);
            for (angle, hinge) in configuration.angles.iter_mut().zip(&self.problem.character.hinges) {
                *angle = angle.clamp(hinge.min, hinge.max);
            }
            // A turn leaves the plane in which contacts are put back.
            self.residuals[moment] = if phase.is_fixed {
                0.0
            } else {
                let root_ease = root_ease(self.schedule.gait[moment]);
                self.projector.project(&self.problem.character, &mut configuration, &phase.stance, root_ease)
            };
            self.track.set(moment, &configuration);
        }
    }

    /// By how much the track is ahead of the average at the border of a phase, how fast that changes, and how fast that
    /// does, seen from the phase's neighbour on the given side. A moment is the unit of time, and it runs into the phase.
    fn jet(&self, border: usize, side: isize) -> Jet {
        let off = |distance: isize| {
            let moment = (border as isize + side * distance) as usize;
            self.track.row(moment).iter().zip(self.averaged.row(moment)).map(|(made, averaged)| made - averaged)
        };
        let near: Vec<f32> = off(0).collect();
        let mut jet = Jet { place: near, speed: Vec::new(), change: Vec::new() };
        for (((a, b), c), d) in off(0).zip(off(1)).zip(off(2)).zip(off(3)) {
            jet.speed.push((11.0 * a - 18.0 * b + 9.0 * c - 2.0 * d) / 6.0);
            jet.change.push(2.0 * a - 5.0 * b + 4.0 * c - d);
        }
        jet
    }
}

/// What a phase takes over at its border: a place, a speed and its change, for each number of a row.
struct Jet {
    place: Vec<f32>,
    speed: Vec<f32>,
    change: Vec<f32>,
}

impl Jet {
    /// Adds what is left of it some moments later; after `forget` moments nothing is, and neither of its speed nor of its
    /// change. The polynomials are those of a fifth-degree curve with the given derivatives at one end and none at the other.
    fn add(&self, since: f32, forget: f32, row: &mut [f32]) {
        let u = since / forget;
        if u >= 1.0 {
            return;
        }
        let v = 1.0 - u;
        let fading = v * v * v;
        let place = fading * (1.0 + 3.0 * u + 6.0 * u * u);
        let speed = forget * fading * (u + 3.0 * u * u);
        let change = 0.5 * forget * forget * fading * u * u;
        for (index, number) in row.iter_mut().enumerate() {
            *number += place * self.place[index] + speed * self.speed[index] + change * self.change[index];
        }
    }
}

/// Whether one phase has all contacts of another, and more.
fn has_more(phase: &Phase, other: &Phase) -> bool {
    let has = |contact: &Contact| phase.stance.contains(contact);
    phase.stance.len() > other.stance.len() && other.stance.iter().all(has)
}

/// The phases that have moments between two.
pub(crate) fn phases_in(phases: &[Phase], from: usize, to: usize) -> std::ops::Range<usize> {
    phases.partition_point(|phase| phase.last <= from)..phases.partition_point(|phase| phase.first < to)
}

/// How long a phase takes to forget what it has taken over, in moments, by the windows from its border on: about as long as
/// the window is wide there, but where one is narrow, it must be forgotten.
fn forget(widths: &mut dyn ExactSizeIterator<Item = &f32>) -> f32 {
    let length = widths.len() as f32 - 1.0;
    let mut forget = length;
    for (since, width) in widths.enumerate() {
        if since as f32 >= forget {
            break;
        }
        forget = forget.min(since as f32 + 2.0 * width + 4.0);
    }
    forget
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_over_is_there_at_first_and_forgotten_in_the_end() {
        let jet = Jet { place: vec![0.3], speed: vec![-0.02], change: vec![0.004] };
        let at = |since: f32| {
            let mut row = [0.0];
            jet.add(since, 20.0, &mut row);
            f64::from(row[0])
        };
        let step = 0.25;
        let speed = |since: f32| (at(since + step) - at(since - step)) / (2.0 * f64::from(step));
        let change = |since: f32| (at(since + step) - 2.0 * at(since) + at(since - step)) / f64::from(step * step);
        assert!((at(0.0) - 0.3).abs() < 1e-6);
        assert!((speed(step) + 0.02 - 0.004 * f64::from(step)).abs() < 1e-3, "{}", speed(step));
        assert!((change(step) - 0.004).abs() < 2e-3, "{}", change(step));
        assert!(at(20.0) == 0.0 && speed(20.0 - step).abs() < 1e-4 && change(20.0 - step).abs() < 1e-3);
    }

    #[test]
    fn it_is_forgotten_before_a_window_is_closed() {
        let wide = [10.0; 60];
        assert_eq!(forget(&mut wide.iter()), 24.0);
        let mut closed = wide;
        closed[5..].fill(0.0);
        assert_eq!(forget(&mut closed.iter()), 9.0);
        assert_eq!(forget(&mut wide[..7].iter()), 6.0);
    }
}
