//! The gait of a walk: what makes steps that are merely correct read as walking.
//!
//! Footholds and their order stay the planner's. The hips glide over the feet at an even pace and rise and fall with the legs
//! that carry them, feet swing in arcs, arms swing against the legs, the trunk leans forward a little and the head looks
//! ahead. Where that meets an obstacle, the planner's own postures are kept, and it fades from one to the other.

use std::f32::consts::PI;

use clamber_model::character::Side;
use clamber_model::collision::{CollisionWorkspace, is_free};
use clamber_model::id::{EffectorId, HingeId};
use clamber_model::kinematics::{TwoLink, Workspace, center_of_mass, effector_in_world, forward, solve_two_link};
use clamber_model::math::{Vec3, pow, sin_cos};
use clamber_model::mode::ModeTable;
use clamber_model::motion::{ContactSpan, Span};
use clamber_model::support::horizontal_distance_to_hull;
use clamber_model::{Character, Configuration, Problem};

use crate::projection::{Projector, root_ease};
use crate::schedule::{RATE, Schedule, has_gait};
use crate::settings::ClipSettings;
use crate::swing_arc::length;

/// How high a foot swings, in metres; the next is tried where the one before touches something.
const LIFTS: [f32; 3] = [0.14, 0.24, 0.4];
/// The trunk leans forward by this much, in radians.
const LEAN: f32 = 0.05;
/// How far a shoulder swings forward when the opposite foot is a metre ahead of the hips, in radians.
const ARM_SWING: f32 = 1.0;
const MAX_ARM_SWING: f32 = 0.5;
const ELBOW: f32 = 0.35;
/// A leg that carries is stretched to this share of its length.
const STRETCH: f32 = 0.985;
/// The same for a moment, where its way is rounded.
const MOST_STRETCH: f32 = 0.996;
/// How far the hips rise between two steps at most, in metres.
const RISE: f32 = 0.065;
/// How often what it fades through is looked at again.
const MIXES: usize = 4;
/// Over how many moments to either side the rise is averaged.
const RISE_WIDTH: usize = (0.12 * RATE) as usize;
/// From the planner's postures to the gait and back, in moments.
const FADE: usize = (0.25 * RATE) as usize;

/// Gives every walk of a schedule its gait.
pub(crate) fn walk(problem: &Problem, schedule: &mut Schedule, settings: &ClipSettings) {
    let Some(table) = &problem.modes else { return };
    let spans: Vec<Span> = schedule.spans.iter().filter(|span| has_gait(problem, &span.mode)).cloned().collect();
    for span in spans {
        let Some(walker) = Walker::new(problem, table, schedule, &span) else { continue };
        walker.walk(schedule, settings);
    }
}

/// A leg, and what it stands on when.
struct Leg {
    effector: EffectorId,
    two_link: TwoLink,
    side: Side,
    length: f32,
    /// Its contacts in the walk.
    contacts: Vec<ContactSpan>,
    /// For each moment of the walk, where the ankle would be without lifting it.
    along: Vec<Vec3>,
    /// For each moment, the share of its swing that is behind it; `None` while it carries.
    swing: Vec<Option<f32>>,
}

struct Walker<'a> {
    problem: &'a Problem,
    table: &'a ModeTable,
    first: usize,
    last: usize,
    legs: Vec<Leg>,
}

impl<'a> Walker<'a> {
    fn new(problem: &'a Problem, table: &'a ModeTable, schedule: &Schedule, span: &Span) -> Option<Self> {
        let group = table.modes[table.mode(&span.mode)?].balance?.group;
        let (first, last) = (span.first, span.last);
        let legs: Option<Vec<Leg>> = table.groups[group]
            .effectors
            .iter()
            .map(|&effector| Leg::new(&problem.character, schedule, effector, first, last))
            .collect();
        let legs = legs.filter(|legs| legs.len() == 2 && last > first + 2 * FADE)?;
        Some(Self { problem, table, first, last, legs })
    }

    fn walk(&self, schedule: &mut Schedule, settings: &ClipSettings) {
        let margin = settings.contact_clearance.margin;
        let mut memory = Memory::default();
        let (postures, mut is_good) = self.proposal(schedule, margin, &mut memory);
        let refused = schedule.refused[self.first..=self.last].iter_mut();
        refused.zip(&is_good).for_each(|(refused, is_good)| *refused = !is_good);
        // What is to be met, where the body rests, and what is done with care stays as it is.
        let careful = schedule.arrives.iter().zip(&schedule.careful).filter(|(_, careful)| **careful).map(|(at, _)| at);
        let stays = schedule.fixed.iter().chain(&schedule.rests).chain(careful);
        for &moment in stays.filter(|at| (self.first..=self.last).contains(at)) {
            is_good[moment - self.first] = false;
        }
        let weights = self.weights(schedule, &postures, is_good, margin, &mut memory);
        let mut mixed = Configuration::rest(&self.problem.character);
        for (moment, (posture, weight)) in postures.iter().zip(weights).enumerate().filter(|(_, (_, w))| *w > 0.0) {
            self.mix(schedule, moment, posture, weight, &mut mixed, &mut memory.projector);
            schedule.raw.set(self.first + moment, &mixed);
            schedule.gait[self.first + moment] = weight;
        }
    }

    /// The gait's postures at each moment, and whether they are free, reached and balanced.
    fn proposal(&self, schedule: &Schedule, margin: f32, memory: &mut Memory) -> (Vec<Configuration>, Vec<bool>) {
        let Problem { world, character, .. } = self.problem;
        let hips = self.hips();
        let mut postures = vec![Configuration::rest(character); hips.len()];
        for (posture, moment) in postures.iter_mut().zip(self.first..) {
            schedule.raw.get(moment, posture);
        }
        let mut is_good = vec![true; hips.len()];
        // What hands do before and after is theirs too: a hand that reaches for a bar does not swing along.
        let is_on_legs = |index: usize| {
            let stance = schedule.phases.get(index).map_or(&[][..], |phase| &phase.stance);
            stance.iter().all(|contact| self.legs.iter().any(|leg| leg.effector == contact.effector))
        };
        let first = schedule.phases.partition_point(|phase| phase.first < self.first);
        let last = schedule.phases.partition_point(|phase| phase.last <= self.last);
        for index in first..last {
            let phase = &schedule.phases[index];
            let range = phase.first - self.first..phase.last - self.first + 1;
            let mut is_walked = |lift: f32| {
                range.clone().all(|moment| {
                    let posture = &mut postures[moment];
                    self.pose(moment, hips[moment], lift, posture)
                        && is_free(world, character, posture, margin, &mut memory.collision)
                })
            };
            let is_ours = (index.saturating_sub(1)..=index + 1).all(is_on_legs);
            if !(is_ours && LIFTS.into_iter().any(&mut is_walked)) {
                is_good[range].fill(false);
            }
        }
        for leaving in schedule.leavings.iter().filter(|leaving| (self.first..self.last).contains(&leaving.moment)) {
            let moment = leaving.moment - self.first;
            forward(character, &postures[moment], &mut memory.frames);
            let center = center_of_mass(character, &memory.frames);
            is_good[moment] &= horizontal_distance_to_hull(center, &leaving.points) <= leaving.within;
        }
        (postures, is_good)
    }

    /// How much of the gait each moment gets. Half one and half the other may be in the way too; then the gait begins later.
    fn weights(
        &self,
        schedule: &Schedule,
        postures: &[Configuration],
        mut is_good: Vec<bool>,
        margin: f32,
        memory: &mut Memory,
    ) -> Vec<f32> {
        let Problem { world, character, .. } = self.problem;
        let mut mixed = Configuration::rest(character);
        let mut weights = fade(&is_good);
        for _ in 0..MIXES {
            let is_fading = |moment: &usize| weights[*moment] > 0.0 && weights[*moment] < 1.0;
            let mut is_inside = |moment: &usize| {
                let (posture, weight) = (&postures[*moment], weights[*moment]);
                self.mix(schedule, *moment, posture, weight, &mut mixed, &mut memory.projector);
                !is_free(world, character, &mixed, margin, &mut memory.collision)
            };
            let faults: Vec<usize> = (0..postures.len()).filter(is_fading).filter(|moment| is_inside(moment)).collect();
            if faults.is_empty() {
                break;
            }
            faults.into_iter().for_each(|moment| is_good[moment] = false);
            weights = fade(&is_good);
        }
        weights
    }

    /// Makes `mixed` the planner's posture with so much of the gait's, on the contacts of the moment.
    fn mix(
        &self,
        schedule: &Schedule,
        moment: usize,
        gait: &Configuration,
        weight: f32,
        mixed: &mut Configuration,
        projector: &mut Projector,
    ) {
        let moment = self.first + moment;
        schedule.raw.get(moment, mixed);
        let raw = mixed.clone();
        mixed.interpolate(&raw, gait, weight);
        if weight < 1.0 {
            let phase = schedule.phases.partition_point(|phase| phase.last < moment);
            projector.project(&self.problem.character, mixed, &schedule.phases[phase].stance, root_ease(weight));
        }
    }

    /// Where the hips are at each moment.
    fn hips(&self) -> Vec<Vec3> {
        let count = self.last - self.first + 1;
        let middle: Vec<Vec3> =
            (0..count).map(|moment| 0.5 * (self.legs[0].along[moment] + self.legs[1].along[moment])).collect();
        // About as wide as a step is long, so that its own speed is hardly felt.
        let mut hips = soften(&middle, (0.5 * RATE) as usize);
        let allowed = self.allowed(&hips, STRETCH);
        let near = |moment: usize| {
            let near = (0.3 * RATE) as usize;
            allowed[moment.saturating_sub(near)..(moment + near + 1).min(count)]
                .iter()
                .copied()
                .filter(|y| y.is_finite())
        };
        let heights: Vec<Vec3> = (0..count)
            .map(|moment| {
                let (low, high) =
                    near(moment).fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
                let share = (allowed[moment].min(high) - low) / (high - low).max(1e-3);
                let height = if low.is_finite() { low + share * (high - low).min(RISE) } else { hips[moment].y };
                Vec3::new(0.0, height, 0.0)
            })
            .collect();
        for (hip, height) in hips.iter_mut().zip(soften(&heights, RISE_WIDTH)) {
            hip.y = height.y;
        }
        // Averaged, they may be higher than the legs can reach; they are lowered for a while by as much as that.
        let allowed = self.allowed(&hips, MOST_STRETCH);
        let excess = |moment: usize| {
            let near = moment.saturating_sub(RISE_WIDTH)..(moment + RISE_WIDTH + 1).min(count);
            let excess = near.map(|moment| hips[moment].y - allowed[moment]).fold(0.0, f32::max);
            Vec3::new(0.0, excess, 0.0)
        };
        let excess: Vec<Vec3> = (0..count).map(excess).collect();
        for (hip, excess) in hips.iter_mut().zip(soften(&excess, RISE_WIDTH)) {
            hip.y -= excess.y;
        }
        hips
    }

    /// How high the hips may be at each moment for the legs that carry to be stretched no more than this.
    fn allowed(&self, hips: &[Vec3], stretch: f32) -> Vec<f32> {
        let allows = |leg: &Leg, moment: usize| {
            let ankle = leg.along[moment];
            let up = leg.swing[moment].map_or(0.0, |share| LIFTS[0] * bump(share));
            let (reach, away) = (stretch * leg.length, hips[moment].x - ankle.x);
            up + ankle.y + (reach * reach - away * away).max(0.09).sqrt()
        };
        let least = |moment: usize| {
            // A foot that is about to come down, or has just left, is reached for like one that is down.
            let is_near = |share: f32| !(0.15..=0.65).contains(&share);
            let carrying = self.legs.iter().filter(|leg| leg.swing[moment].is_none_or(is_near));
            carrying.map(|leg| allows(leg, moment)).fold(f32::INFINITY, f32::min)
        };
        (0..hips.len()).map(least).collect()
    }

    /// Makes a posture that of the gait at a moment; false when a leg does not reach.
    fn pose(&self, moment: usize, hip: Vec3, lift: f32, posture: &mut Configuration) -> bool {
        let character = &self.problem.character;
        let looks_right = (posture.root.rotation * Vec3::Z).z > 0.0;
        let ahead = if looks_right { 1.0 } else { -1.0 };
        posture.root = Configuration::planar_root(hip.x, hip.y, -LEAN, looks_right);
        for &arm in &self.table.body.arms {
            let limb = &character.limbs[arm];
            let Some(other) = self.legs.iter().find(|leg| leg.side != limb.side) else { continue };
            let swing = ARM_SWING * ahead * (other.along[moment].x - hip.x);
            set(character, posture, limb.hinges[0], swing.clamp(-MAX_ARM_SWING, MAX_ARM_SWING));
            if let Some(&elbow) = limb.hinges.get(1) {
                set(character, posture, elbow, ELBOW + 0.3 * swing);
            }
        }
        for hinge in character.links[self.table.body.head].hinges.iter() {
            set(character, posture, hinge, LEAN);
        }
        self.legs.iter().all(|leg| {
            let mut ankle = leg.along[moment];
            if let Some(share) = leg.swing[moment] {
                ankle.y += lift * bump(share);
                ankle = hip + within_reach(ankle - hip, leg.length);
            }
            solve_two_link(character, leg.two_link, ankle, posture)
        })
    }
}

/// What making postures needs.
#[derive(Default)]
struct Memory {
    frames: Workspace,
    collision: CollisionWorkspace,
    projector: Projector,
}

impl Leg {
    fn new(
        character: &Character,
        schedule: &Schedule,
        effector: EffectorId,
        first: usize,
        last: usize,
    ) -> Option<Self> {
        let two_link = TwoLink::of(character, effector)?;
        let limb = &character.limbs[character.effectors[effector].limb?];
        let length = length(character, character.effectors[effector].limb?, effector);
        let is_here = |span: &&ContactSpan| {
            span.contact.effector == effector && span.last >= first && span.first <= last && span.last > span.first
        };
        let contacts: Vec<ContactSpan> = schedule.contacts.iter().filter(is_here).copied().collect();
        let mut leg =
            Self { effector, two_link, side: limb.side, length, contacts, along: Vec::new(), swing: Vec::new() };
        let mut frames = Workspace::default();
        let mut posture = Configuration::rest(character);
        for moment in first..=last {
            let after = leg.contacts.partition_point(|span| span.last < moment);
            let next = leg.contacts.get(after);
            let before = after.checked_sub(1).map(|before| &leg.contacts[before]);
            let (along, swing) = match (before, next) {
                (_, Some(next)) if next.first <= moment => (next.contact.center(character), None),
                (Some(before), Some(next)) => {
                    let share = (moment - before.last) as f32 / (next.first - before.last) as f32;
                    let [from, to] = [before.contact.center(character), next.contact.center(character)];
                    (from + (to - from) * ease(share), Some(share))
                }
                _ => {
                    schedule.raw.get(moment, &mut posture);
                    forward(character, &posture, &mut frames);
                    (effector_in_world(character, &frames, effector), Some(0.0))
                }
            };
            leg.along.push(along);
            leg.swing.push(swing);
        }
        Some(leg)
    }
}

fn set(character: &Character, posture: &mut Configuration, hinge: HingeId, angle: f32) {
    let limits = &character.hinges[hinge];
    posture.angles[hinge] = angle.clamp(limits.min, limits.max);
}

/// A way that a leg can be stretched along: what is too far is brought nearer, gradually, so that no knee snaps.
fn within_reach(off: Vec3, length: f32) -> Vec3 {
    let (bent, straight) = (0.96 * length, 0.996 * length);
    let far = off.length();
    if far <= bent {
        return off;
    }
    // Rises by one at first and not at all in the end, with no jump of its bend in between.
    let over = (far - bent) / (straight - bent);
    let shorter = over / pow(1.0 + over * over * over, 1.0 / 3.0);
    off * ((bent + (straight - bent) * shorter) / far)
}

/// From 0 to 1 at rest at both ends, accelerations included.
fn ease(share: f32) -> f32 {
    share * share * share * (10.0 + share * (6.0 * share - 15.0))
}

/// How high a foot is on its way, beside the most: the heel comes up behind, then the foot swings low over the ground.
fn bump(share: f32) -> f32 {
    const HEEL_UP: f32 = 3.0 / 11.0;
    const CLEAR: f32 = 0.32;
    let rest = 1.0 - share;
    let late = |v: f32| v * v * v * v * v * v * v * v;
    let cube = |u: f32| u * u * u;
    let heel = cube(share) * late(rest) / (cube(HEEL_UP) * late(1.0 - HEEL_UP));
    heel + CLEAR * cube(4.0 * share * rest)
}

/// Averages places over so many moments to either side; beyond the ends they are mirrored.
fn soften(places: &[Vec3], width: usize) -> Vec<Vec3> {
    let last = places.len() as isize - 1;
    let at = |moment: isize| match moment {
        before if before < 0 => 2.0 * places[0] - places[(-before).min(last) as usize],
        after if after > last => 2.0 * places[last as usize] - places[(2 * last - after).max(0) as usize],
        inside => places[inside as usize],
    };
    let weights: Vec<f32> =
        (0..=2 * width).map(|index| 1.0 - sin_cos(PI * (index + 1) as f32 / (width + 1) as f32).1).collect();
    let total: f32 = weights.iter().sum();
    (0..=last)
        .map(|moment| {
            let terms = weights.iter().zip(moment - width as isize..);
            terms.map(|(weight, other)| *weight * at(other)).fold(Vec3::ZERO, |sum, term| sum + term) / total
        })
        .collect()
}

/// For each moment, how much of the gait it gets: none where it is not good, nor at the ends, and a gradual share between.
fn fade(is_good: &[bool]) -> Vec<f32> {
    let count = is_good.len();
    // Moments to the nearest one that gets nothing.
    let mut away = vec![0usize; count];
    for moment in 1..count {
        away[moment] = if is_good[moment] { away[moment - 1] + 1 } else { 0 };
    }
    let mut after = 0;
    for moment in (0..count).rev() {
        after = if is_good[moment] && moment + 1 < count { after + 1 } else { 0 };
        away[moment] = away[moment].min(after);
    }
    away.into_iter().map(|away| ease((away as f32 / (2 * FADE) as f32).min(1.0))).collect()
}
