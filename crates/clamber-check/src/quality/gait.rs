//! How it walks: what gait laboratories measure of people.
//!
//! A mode is walking when one group of two effectors carries, on load-bearing holds alone. A step is from one touch-down to
//! the next, of the other foot and on the same level; a stride is two steps. Of each span of walking, turns included, the
//! steady middle is measured: the first step, from standing, and the last, to a stand, are left out.

use clamber_model::character::{Capsule, Character};
use clamber_model::kinematics::{Workspace, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Span, TURNING};
use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};
use serde::Serialize;

use super::adults::{self, Published};

/// Fewer steps than this are no gait.
const FEWEST_STEPS: usize = 3;

/// Feet on the same level differ by this much in height at most, in metres.
const LEVEL: f32 = 0.02;

/// What was measured of walking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gait {
    /// How many steps were measured.
    pub steps: usize,
    /// The figures.
    pub figures: Vec<GaitFigure>,
}

/// One figure of a gait.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GaitFigure {
    /// `step length`, `cadence`, `speed`, `duty factor`, `knee range`, `hip range` or `rise`.
    pub figure: &'static str,
    /// The mean of what was measured, in the unit; `None` where there were too few steps.
    pub value: Option<f32>,
    /// `m`, `/min`, `m/s`, `deg`, `cm`, or nothing for shares.
    pub unit: &'static str,
    /// What is published of adults at the same speed; `None` where nothing is.
    pub adults: Option<Published>,
}

/// What is at most so far above a hold's face, in metres, is on it.
const ON_GROUND: f32 = 0.01;

/// A foot that comes down.
#[derive(Clone, Copy)]
struct TouchDown {
    effector: usize,
    point: Vec3,
    normal: Vec3,
    first: usize,
    last: usize,
}

/// What is measured, step by step and stride by stride.
#[derive(Default)]
struct Measured {
    lengths: Vec<f32>,
    times: Vec<f32>,
    duties: Vec<f32>,
    knees: Vec<f32>,
    hips: Vec<f32>,
    rises: Vec<f32>,
}

pub(super) fn measure(problem: &Problem, motion: &Motion) -> Gait {
    let mut measured = Measured::default();
    for (walk, feet) in walks(problem, motion) {
        let downs = touch_downs(motion, &walk, feet);
        // The step to the first of them is from standing, the one to the last is to a stand.
        let steady = &downs[..downs.len().saturating_sub(1)];
        steady.windows(2).for_each(|pair| measured.note_step(motion, pair));
        steady.windows(3).for_each(|three| measured.note_stride(problem, motion, three));
    }
    measured.gait()
}

impl Measured {
    fn note_step(&mut self, motion: &Motion, pair: &[TouchDown]) {
        if is_step(&pair[0], &pair[1]) {
            let way = pair[1].point - pair[0].point;
            self.lengths.push(way.with_y(0.0).length());
            self.times.push(motion.frames[pair[1].first].time - motion.frames[pair[0].first].time);
        }
    }

    /// Of the foot that comes down at both ends of two steps.
    fn note_stride(&mut self, problem: &Problem, motion: &Motion, three: &[TouchDown]) {
        let [from, between, to] = [three[0], three[1], three[2]];
        if !is_step(&from, &between) || !is_step(&between, &to) || from.effector != to.effector {
            return;
        }
        let character = &problem.character;
        let time = |frame: usize| motion.frames[frame].time;
        let [down, up] = on_ground(character, motion, &from, to.first);
        self.duties.push((time(up) - time(down)) / (time(to.first) - time(from.first)));
        let frames = &motion.frames[from.first..=to.first];
        let bends = |link: usize| {
            let hinge = hinge_across(character, from.effector, link)?;
            Some(extent(frames.iter().map(|frame| frame.configuration.angles[hinge].to_degrees())))
        };
        self.hips.extend(bends(0));
        self.knees.extend(bends(1));
        let mut workspace = Workspace::default();
        let heights = frames.iter().map(|frame| {
            forward(character, &frame.configuration, &mut workspace);
            center_of_mass(character, &workspace).y
        });
        self.rises.push(100.0 * extent(heights));
    }

    fn gait(self) -> Gait {
        let steps = self.lengths.len();
        let is_enough = steps >= FEWEST_STEPS;
        let mean = |values: &[f32]| {
            (is_enough && !values.is_empty()).then(|| values.iter().sum::<f32>() / values.len() as f32)
        };
        let step_time = mean(&self.times).filter(|time| *time > 0.0);
        let length = mean(&self.lengths);
        let speed = length.zip(step_time).map(|(length, time)| length / time);
        let at_speed = |adults: fn(f32) -> Option<Published>| speed.and_then(adults);
        let figure = |figure, value, unit, adults| GaitFigure { figure, value, unit, adults };
        let figures = vec![
            figure("step length", length, "m", at_speed(adults::step_length)),
            figure("cadence", step_time.map(|time| 60.0 / time), "/min", at_speed(adults::cadence)),
            figure("speed", speed, "m/s", Some(adults::speed())),
            figure("duty factor", mean(&self.duties), "", at_speed(adults::duty_factor)),
            figure("knee range", mean(&self.knees), "deg", at_speed(adults::knee_range)),
            figure("hip range", mean(&self.hips), "deg", at_speed(adults::hip_range)),
            figure("rise", mean(&self.rises), "cm", at_speed(adults::rise)),
        ];
        Gait { steps, figures }
    }
}

/// Spans of walking with the effectors that walk; those that only a turn is between are one.
fn walks<'a>(problem: &'a Problem, motion: &Motion) -> Vec<(Span, &'a [usize])> {
    let mut walks: Vec<(Span, &[usize])> = Vec::new();
    for span in motion.spans.iter().filter(|span| span.first < span.last) {
        let goes_on = walks.last().is_some_and(|(walk, _)| walk.last == span.first);
        match (walking_feet(problem, &span.mode), walks.last_mut()) {
            (Some(_), Some((walk, _))) if goes_on && walk.mode == span.mode => walk.last = span.last,
            (None, Some((walk, _))) if goes_on && span.mode == TURNING => walk.last = span.last,
            (Some(feet), _) => walks.push((span.clone(), feet)),
            (None, _) => {}
        }
    }
    walks
}

/// The two effectors that a mode walks on, if it is walking.
fn walking_feet<'a>(problem: &'a Problem, mode: &str) -> Option<&'a [usize]> {
    let table = problem.modes.as_ref()?;
    let [carrier] = table.modes[table.mode(mode)?].carriers.as_slice() else { return None };
    let feet = &table.groups[carrier.group].effectors;
    (feet.len() == 2 && carrier.types == [HoldType::LoadBearing]).then_some(feet)
}

/// The touch-downs in a span of walking, in the order of time, but for what it begins with.
fn touch_downs(motion: &Motion, walk: &Span, feet: &[usize]) -> Vec<TouchDown> {
    let is_in = |span: &&ContactSpan| {
        feet.contains(&span.contact.effector) && span.first > walk.first && span.first <= walk.last
    };
    let down = |span: &ContactSpan| TouchDown {
        effector: span.contact.effector,
        point: span.contact.point,
        normal: span.contact.normal,
        first: span.first,
        last: span.last,
    };
    let mut downs: Vec<TouchDown> = motion.contacts.iter().filter(is_in).map(down).collect();
    downs.sort_by_key(|down| down.first);
    downs
}

fn is_step(from: &TouchDown, to: &TouchDown) -> bool {
    from.effector != to.effector && (to.point.y - from.point.y).abs() <= LEVEL
}

/// The first and the last frame in which anything of a foot is on the ground: the heel before the effector, which is the ankle,
/// and the toes after it; of a character without feet, the effector alone. Before `next` it has left.
fn on_ground(character: &Character, motion: &Motion, touch: &TouchDown, next: usize) -> [usize; 2] {
    let feet = carried_by(character, character.effectors[touch.effector].link);
    let mut workspace = Workspace::default();
    let mut is_on = |frame: &usize| {
        forward(character, &motion.frames[*frame].configuration, &mut workspace);
        let capsules = feet.iter().flat_map(|link| character.links[*link].capsules.clone());
        let mut heights = capsules.map(|capsule| {
            let Capsule { a, b, radius } = capsule_in_world(character, &workspace, capsule);
            [a, b].map(|end| (end - touch.point).dot(touch.normal) - radius).into_iter().fold(f32::INFINITY, f32::min)
        });
        heights.any(|height| height <= ON_GROUND)
    };
    let down = (0..touch.first).rev().take_while(&mut is_on).last().unwrap_or(touch.first);
    let up = (touch.last + 1..next).take_while(&mut is_on).last().unwrap_or(touch.last);
    [down, up]
}

/// The links beyond a link, outwards.
fn carried_by(character: &Character, link: usize) -> Vec<usize> {
    let mut carried = Vec::new();
    for (index, other) in character.links.iter().enumerate() {
        if other.parent.is_some_and(|parent| parent == link || carried.contains(&parent)) {
            carried.push(index);
        }
    }
    carried
}

/// The hinge about the body's own crosswise axis that turns a link of an effector's limb, counted from the trunk.
fn hinge_across(character: &Character, effector: usize, link: usize) -> Option<usize> {
    let limb = &character.limbs[character.effectors[effector].limb?];
    let mut hinges = character.links[*limb.links.get(link)?].hinges.clone();
    hinges.find(|hinge| character.hinges[*hinge].axis == Vec3::Z)
}

/// From the least to the greatest.
fn extent(values: impl Iterator<Item = f32>) -> f32 {
    let (low, high) =
        values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    high - low
}
