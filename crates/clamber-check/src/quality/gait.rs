//! The gait metrics of walking, as gait laboratories measure them.
//!
//! A mode counts as walking if its only supporting groups are one group of two effectors on load-bearing holds. A step goes from one
//! touch-down to the next, of the other foot and at the same height; a stride is two steps. In each span of walking, turns
//! included, only steady steps are measured: the first step, from standing, and the last, to a stand, are left out.

use clamber_model::character::{Capsule, Character};
use clamber_model::id::{EffectorId, HingeId, LinkId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, ModeSpan, TURNING_MODE};
use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};

use super::normative_adult_gait::{self, NormativeRange};

/// A gait is measured only from at least this many steps.
const MIN_STEPS: usize = 3;

/// Largest difference in height of the touch-downs of a step, in meters.
const MAX_HEIGHT_DIFFERENCE: f32 = 0.02;

/// The gait of all walking in a motion.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Gait {
    /// Number of steps measured.
    pub steps: usize,
    /// The metrics.
    #[cfg_attr(feature = "serde", serde(rename = "figures"))]
    pub metrics: Vec<GaitMetric>,
}

/// One metric of a gait.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GaitMetric {
    /// `step length`, `cadence`, `speed`, `duty factor`, `knee range`, `hip range` or `rise`.
    #[cfg_attr(feature = "serde", serde(rename = "figure"))]
    pub name: &'static str,
    /// The mean, in `unit`; `None` if there were too few steps.
    pub value: Option<f32>,
    /// `m`, `/min`, `m/s`, `deg` or `cm`; empty for fractions.
    pub unit: &'static str,
    /// The normative range of adults at the same speed; `None` if no source covers it.
    pub adults: Option<NormativeRange>,
}

/// A foot is on the ground up to this height above the hold's surface, in meters.
const GROUND_HEIGHT: f32 = 0.01;

/// A contact that a foot makes while walking.
#[derive(Clone, Copy)]
struct TouchDown {
    effector: EffectorId,
    point: Vec3,
    normal: Vec3,
    first: usize,
    last: usize,
}

/// The measurements of all steps and strides.
#[derive(Default)]
struct Measurements {
    step_lengths: Vec<f32>,
    step_times: Vec<f32>,
    duty_factors: Vec<f32>,
    knee_ranges: Vec<f32>,
    hip_ranges: Vec<f32>,
    rises: Vec<f32>,
}

pub(super) fn measure(problem: &Problem, motion: &Motion) -> Gait {
    let mut measurements = Measurements::default();
    for (walk, feet) in walks(problem, motion) {
        let downs = touch_downs(motion, &walk, feet);
        // The step to the first touch-down starts from standing, and the step to the last one ends in a stand.
        let steady = &downs[..downs.len().saturating_sub(1)];
        steady.windows(2).for_each(|pair| measurements.add_step(motion, pair));
        steady.windows(3).for_each(|three| measurements.add_stride(problem, motion, three));
    }
    measurements.into_gait()
}

impl Measurements {
    fn add_step(&mut self, motion: &Motion, pair: &[TouchDown]) {
        if is_step(&pair[0], &pair[1]) {
            let displacement = pair[1].point - pair[0].point;
            self.step_lengths.push(displacement.with_y(0.0).length());
            self.step_times.push(motion.frames[pair[1].first].time - motion.frames[pair[0].first].time);
        }
    }

    /// Measures the foot that touches down at both ends of two steps.
    fn add_stride(&mut self, problem: &Problem, motion: &Motion, three: &[TouchDown]) {
        let [from, between, to] = [three[0], three[1], three[2]];
        if !is_step(&from, &between) || !is_step(&between, &to) || from.effector != to.effector {
            return;
        }
        let character = &problem.character;
        let time = |frame: usize| motion.frames[frame].time;
        let [down, up] = ground_frames(character, motion, &from, to.first);
        self.duty_factors.push((time(up) - time(down)) / (time(to.first) - time(from.first)));
        let frames = &motion.frames[from.first..=to.first];
        let range_of_motion = |link: usize| {
            let hinge = lateral_hinge(character, from.effector, link)?;
            Some(spread(frames.iter().map(|frame| frame.configuration.angles[hinge].to_degrees())))
        };
        self.hip_ranges.extend(range_of_motion(0));
        self.knee_ranges.extend(range_of_motion(1));
        let mut workspace = LinkFrames::default();
        let heights = frames.iter().map(|frame| {
            forward(character, &frame.configuration, &mut workspace);
            center_of_mass(character, &workspace).y
        });
        self.rises.push(100.0 * spread(heights));
    }

    fn into_gait(self) -> Gait {
        let steps = self.step_lengths.len();
        let is_enough = steps >= MIN_STEPS;
        let mean = |values: &[f32]| {
            (is_enough && !values.is_empty()).then(|| values.iter().sum::<f32>() / values.len() as f32)
        };
        let step_time = mean(&self.step_times).filter(|time| *time > 0.0);
        let length = mean(&self.step_lengths);
        let speed = length.zip(step_time).map(|(length, time)| length / time);
        let at_speed = |range: fn(f32) -> Option<NormativeRange>| speed.and_then(range);
        let metric = |name, value, unit, adults| GaitMetric { name, value, unit, adults };
        let metrics = vec![
            metric("step length", length, "m", at_speed(normative_adult_gait::step_length)),
            metric("cadence", step_time.map(|time| 60.0 / time), "/min", at_speed(normative_adult_gait::cadence)),
            metric("speed", speed, "m/s", Some(normative_adult_gait::speed())),
            metric("duty factor", mean(&self.duty_factors), "", at_speed(normative_adult_gait::duty_factor)),
            metric("knee range", mean(&self.knee_ranges), "deg", at_speed(normative_adult_gait::knee_range)),
            metric("hip range", mean(&self.hip_ranges), "deg", at_speed(normative_adult_gait::hip_range)),
            metric("rise", mean(&self.rises), "cm", at_speed(normative_adult_gait::rise)),
        ];
        Gait { steps, metrics }
    }
}

/// The spans of walking, with their feet. Spans separated only by a turn are merged.
fn walks<'a>(problem: &'a Problem, motion: &Motion) -> Vec<(ModeSpan, &'a [EffectorId])> {
    let mut walks: Vec<(ModeSpan, &[EffectorId])> = Vec::new();
    for span in motion.mode_spans.iter().filter(|span| span.first_frame < span.last_frame) {
        let continues = walks.last().is_some_and(|(walk, _)| walk.last_frame == span.first_frame);
        match (walking_feet(problem, &span.mode), walks.last_mut()) {
            (Some(_), Some((walk, _))) if continues && walk.mode == span.mode => walk.last_frame = span.last_frame,
            (None, Some((walk, _))) if continues && span.mode == TURNING_MODE => walk.last_frame = span.last_frame,
            (Some(feet), _) => walks.push((span.clone(), feet)),
            (None, _) => {}
        }
    }
    walks
}

/// The two effectors that a mode walks on; `None` if it is not walking.
fn walking_feet<'a>(problem: &'a Problem, mode: &str) -> Option<&'a [EffectorId]> {
    let table = problem.modes.as_ref()?;
    let [carrier] = table.modes[table.find_mode(mode)?].supporting_groups.as_slice() else { return None };
    let feet = &table.effector_groups[carrier.group].effectors;
    (feet.len() == 2 && carrier.types == [HoldType::LoadBearing]).then_some(feet)
}

/// The touch-downs in a span of walking, in the order of time, without the contacts at its beginning.
fn touch_downs(motion: &Motion, walk: &ModeSpan, feet: &[EffectorId]) -> Vec<TouchDown> {
    let is_in = |span: &&ContactSpan| {
        feet.contains(&span.contact.effector)
            && span.first_frame > walk.first_frame
            && span.first_frame <= walk.last_frame
    };
    let down = |span: &ContactSpan| TouchDown {
        effector: span.contact.effector,
        point: span.contact.point,
        normal: span.contact.normal,
        first: span.first_frame,
        last: span.last_frame,
    };
    let mut downs: Vec<TouchDown> = motion.contacts.iter().filter(is_in).map(down).collect();
    downs.sort_by_key(|down| down.first);
    downs
}

fn is_step(from: &TouchDown, to: &TouchDown) -> bool {
    from.effector != to.effector && (to.point.y - from.point.y).abs() <= MAX_HEIGHT_DIFFERENCE
}

/// The first and the last frame in which any point of a foot is on the ground: the heel lands before the effector, which is
/// the ankle, and the toes leave after it. Without feet, these are the contact's frames. The foot leaves before frame `next`.
fn ground_frames(character: &Character, motion: &Motion, touch: &TouchDown, next: usize) -> [usize; 2] {
    let feet = descendants(character, character.effectors[touch.effector].link);
    let mut workspace = LinkFrames::default();
    let mut is_on = |frame: &usize| {
        forward(character, &motion.frames[*frame].configuration, &mut workspace);
        let capsules = feet.iter().flat_map(|link| character.links[*link].capsules.clone());
        let mut heights = capsules.map(|capsule| {
            let Capsule { a, b, radius } = capsule_in_world(character, &workspace, capsule);
            [a, b].map(|end| (end - touch.point).dot(touch.normal) - radius).into_iter().fold(f32::INFINITY, f32::min)
        });
        heights.any(|height| height <= GROUND_HEIGHT)
    };
    let down = (0..touch.first).rev().take_while(&mut is_on).last().unwrap_or(touch.first);
    let up = (touch.last + 1..next).take_while(&mut is_on).last().unwrap_or(touch.last);
    [down, up]
}

/// The links that descend from a link, in the order of the tree.
fn descendants(character: &Character, link: LinkId) -> Vec<LinkId> {
    let mut found = Vec::new();
    for (index, other) in character.links.iter_enumerated() {
        if other.parent.is_some_and(|parent| parent == link || found.contains(&parent)) {
            found.push(index);
        }
    }
    found
}

/// The hinge about the body's lateral axis (z) of a link of an effector's limb. Links count from the trunk.
fn lateral_hinge(character: &Character, effector: EffectorId, link: usize) -> Option<HingeId> {
    let limb = &character.limbs[character.effectors[effector].limb?];
    let mut hinges = character.links[*limb.links.get(link)?].hinges.iter();
    hinges.find(|hinge| character.hinges[*hinge].axis == Vec3::Z)
}

/// The difference of the greatest and the least value.
fn spread(values: impl Iterator<Item = f32>) -> f32 {
    let (low, high) =
        values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    high - low
}
