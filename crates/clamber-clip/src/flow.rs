//! Flow: a way whose speeds and accelerations are continuous, on the same contacts and as free of obstacles (thesis 6.2.8).
//!
//! The planner's way, which has corners, is averaged over a window around each moment; the stance of each phase is then put
//! back to its holds. Where contacts are made or left, the phase with fewer contacts takes over place, speed and
//! acceleration from the one with more: so effectors arrive and leave at rest, and the body does not notice ([`Maker`]).
//! Where a limb on its way touches something, it is lifted off farther; where anything else is wrong, the window is
//! narrowed, down to what is hardly more than the planner's way.

use clamber_model::Problem;

use crate::blend::{Maker, phases_in};
use crate::schedule::Schedule;
use crate::settings::ClipSettings;
use crate::track::Track;
use crate::violation::{Fault, Judge};

/// How often what is wrong is mended.
const ROUNDS: usize = 9;
/// By how much windows are narrowed each time.
const NARROWER: f32 = 0.35;
/// Windows narrower than this, in moments, are closed.
const NARROWEST: f32 = 0.5;

/// A way that flows.
pub(crate) struct Flow<'a> {
    schedule: &'a Schedule,
    maker: Maker<'a>,
    judge: Judge<'a>,
    /// For each moment, how wide its window may be.
    limits: Vec<f32>,
}

impl<'a> Flow<'a> {
    pub fn new(problem: &'a Problem, schedule: &'a Schedule, settings: &'a ClipSettings) -> Self {
        let (maker, judge) = (Maker::new(problem, schedule), Judge::new(problem, schedule, settings));
        let mut flow = Self { schedule, maker, judge, limits: schedule.widths.clone() };
        flow.settle(vec![true; schedule.phases.len()]);
        flow
    }

    pub fn track(&self) -> &Track {
        &self.maker.track
    }

    /// The share of moments whose window was narrowed.
    pub fn stiff(&self) -> f32 {
        let narrowed = self.limits.iter().zip(&self.schedule.widths).filter(|(now, wanted)| now < wanted).count();
        narrowed as f32 / self.limits.len() as f32
    }

    /// Narrows the windows around moments at which something was found wrong later, and lifts no limb there any more.
    pub fn stiffen(&mut self, moments: &[usize]) {
        let faults: Vec<Fault> = moments.iter().map(|&moment| Fault { moment, swing: None }).collect();
        let phases = &self.schedule.phases;
        let mut dirty = vec![false; phases.len()];
        mend(self.schedule, &faults, &mut self.maker, &mut self.limits, &mut dirty);
        for swing in &mut self.maker.swings {
            let from = moments.partition_point(|&moment| moment < swing.first);
            if swing.is_lifted() && moments.get(from).is_some_and(|&moment| moment <= swing.last) {
                swing.give_up();
                dirty[phases_in(phases, swing.first, swing.last)].fill(true);
            }
        }
        self.settle(dirty);
    }

    /// Makes the phases that are dirty, and mends them for as long as something is wrong.
    fn settle(&mut self, mut dirty: Vec<bool>) {
        for round in 0..=ROUNDS {
            self.maker.make(&soften(&self.limits), &mut dirty);
            let faults = self.judge.faults(&self.maker, &dirty);
            if faults.is_empty() || round == ROUNDS {
                break;
            }
            dirty.fill(false);
            mend(self.schedule, &faults, &mut self.maker, &mut self.limits, &mut dirty);
        }
    }
}

/// Lifts limbs farther and narrows windows, and marks the phases that are to be made anew.
fn mend(schedule: &Schedule, faults: &[Fault], maker: &mut Maker, limits: &mut [f32], dirty: &mut [bool]) {
    let phases = &schedule.phases;
    let before = limits.to_vec();
    let mut lifted = vec![false; maker.swings.len()];
    for fault in faults {
        if let Some(swing) = fault.swing {
            if lifted[swing] {
                continue;
            }
            if maker.swings[swing].is_lifted() {
                lifted[swing] = true;
                let is_higher = maker.swings[swing].lift_farther();
                dirty[phases_in(phases, maker.swings[swing].first, maker.swings[swing].last)].fill(true);
                if is_higher {
                    continue;
                }
            }
        }
        let reach = (before[fault.moment] as usize).max(4);
        let (from, to) = (fault.moment.saturating_sub(reach), (fault.moment + reach + 1).min(limits.len()));
        for (limit, before) in limits[from..to].iter_mut().zip(&before[from..to]) {
            let narrower = if NARROWER * before < NARROWEST { 0.0 } else { NARROWER * before };
            *limit = limit.min(narrower);
        }
        // A neighbour with fewer contacts takes over from one that changes.
        let touched = phases_in(phases, from.saturating_sub(2 * SOFT), to + 2 * SOFT);
        dirty[touched.start.saturating_sub(1)..(touched.end + 1).min(phases.len())].fill(true);
    }
}

/// How far a change of the windows is spread, in moments.
const SOFT: usize = 8;

/// Windows that change gradually and are nowhere wider than allowed: else the way would jump where they do.
fn soften(limits: &[f32]) -> Vec<f32> {
    let least = |moment: usize| {
        let near = &limits[moment.saturating_sub(SOFT)..(moment + SOFT + 1).min(limits.len())];
        near.iter().copied().fold(f32::INFINITY, f32::min)
    };
    let least: Vec<f32> = (0..limits.len()).map(least).collect();
    let mut soft = least;
    for _ in 0..2 {
        let sums: Vec<f32> = std::iter::once(0.0)
            .chain(soft.iter().scan(0.0, |sum, width| {
                *sum += width;
                Some(*sum)
            }))
            .collect();
        let half = SOFT / 2;
        soft = (0..soft.len())
            .map(|moment| {
                let (from, to) = (moment.saturating_sub(half), (moment + half + 1).min(soft.len()));
                (sums[to] - sums[from]) / (to - from) as f32
            })
            .collect();
    }
    soft
}
