//! How the body carries itself: leans, raised hands, deep hips, steps backward, limbs and bodies that stand still.
//!
//! Everything is measured from what touches and how the body moves; names of modes do not matter. Roles come from the mode table: its
//! first mode with a walking gait names the feet, which `balance` is between, and the arms, which swing. Motions are sampled every
//! 1/60 s. Lengths are those of the reference body and scale with the character.

use clamber_model::character::REFERENCE_BODY_SIZE;
use clamber_model::id::{EffectorId, HingeId, LimbId, LinkId};
use clamber_model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::{Vec3, atan2};
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Configuration, Contact, Motion, MotionSample, Problem};

use crate::equilibrium::Effort;

/// Samples per second.
const RATE: f32 = 60.0;
/// Efforts are computed in every so many samples.
const EFFORT_STRIDE: usize = 6;
/// Longer motions are not measured, in seconds: their samples would not fit into memory.
const MAX_DURATION: f32 = 4.0 * 3600.0;
/// A hand that is nearer in time than this to one of its contacts may be raised, in seconds.
const NEAR_CONTACT: f32 = 0.8;
/// A trunk farther behind the vertical than this leans back, in radians.
const LEANING_BACK: f32 = 15.0 * std::f32::consts::PI / 180.0;
/// A hip bent farther than this is deep, in radians.
const DEEP_HIP: f32 = 120.0 * std::f32::consts::PI / 180.0;
/// The center of mass moves backward from this speed on, in meters per second.
const BACKWARD_SPEED: f32 = 0.1;
/// The center of mass is off its support beyond this distance, in meters.
const OFF_SUPPORT: f32 = 0.2;
/// A limb is frozen if its hinges change by less than these angles in a second, in degrees, while the root moves this far, in meters.
const FROZEN: [f32; 2] = [3.0, 6.0];
const FROZEN_TRAVEL: f32 = 0.15;
/// The body has stopped if its center of mass moves slower than this, in meters per second, except near the ends, in seconds.
const STOPPED: [f32; 2] = [0.05, 0.10];
const ENDS: f32 = 0.3;

/// How the body carries itself in a motion. In seconds unless stated.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Bearing {
    /// Duration of the motion.
    pub plays: f32,
    /// Only feet touch.
    pub walking: f32,
    /// A leg touches with another part than its foot.
    pub crawling: f32,
    /// A hand touches, and a surface that is steep or overhangs is touched; not by hands alone, as on bars.
    pub climbing: f32,
    /// Contacts made, without those of the start.
    pub contacts: f32,
    /// Walking with a free hand above its shoulder, well before and after its contacts.
    pub hand_raised: f32,
    /// Walking with the trunk more than 15 degrees behind the vertical.
    pub leaning_back: f32,
    /// Walking with a hip bent by more than 120 degrees.
    pub hip_over_120: f32,
    /// Meters walked against the direction that the body faces.
    pub backwards_m: f32,
    /// Walking with the center of mass more than 20 cm outside the soles that carry it.
    pub off_support_20cm: f32,
    /// The farthest that it is outside, in meters, negative.
    pub worst_margin_m: f32,
    /// Limb-seconds in which a free limb changes by less than 3 and 6 degrees in a second while the root moves more than 15 cm.
    pub frozen_3deg: f32,
    /// See [`Self::frozen_3deg`].
    pub frozen_6deg: f32,
    /// The center of mass moves slower than 5 and 10 cm per second.
    pub stops_5cm: f32,
    /// See [`Self::stops_5cm`].
    pub stops_10cm: f32,
    /// Length of the path of the center of mass relative to the straight line.
    pub com_path_ratio: f32,
    /// While climbing, the largest ratio of a hinge's torque to its strength in each moment: the root mean square.
    pub effort_rms: f32,
    /// The greatest of these ratios.
    pub effort_max: f32,
}

/// How a column of several motions becomes one number.
#[derive(Clone, Copy)]
enum Totals {
    Sum,
    Mean,
    Least,
    Greatest,
    /// The root mean square over the time that the bodies climb.
    WhileClimbing,
}

impl Bearing {
    /// The number of columns.
    const COUNT: usize = 18;

    /// Each column with its name.
    fn columns(&mut self) -> [(&'static str, &mut f32, Totals); Self::COUNT] {
        [
            ("plays", &mut self.plays, Totals::Sum),
            ("walking", &mut self.walking, Totals::Sum),
            ("crawling", &mut self.crawling, Totals::Sum),
            ("climbing", &mut self.climbing, Totals::Sum),
            ("contacts", &mut self.contacts, Totals::Sum),
            ("hand_raised", &mut self.hand_raised, Totals::Sum),
            ("leaning_back", &mut self.leaning_back, Totals::Sum),
            ("hip_over_120", &mut self.hip_over_120, Totals::Sum),
            ("backwards_m", &mut self.backwards_m, Totals::Sum),
            ("off_support_20cm", &mut self.off_support_20cm, Totals::Sum),
            ("worst_margin_m", &mut self.worst_margin_m, Totals::Least),
            ("frozen_3deg", &mut self.frozen_3deg, Totals::Sum),
            ("frozen_6deg", &mut self.frozen_6deg, Totals::Sum),
            ("stops_5cm", &mut self.stops_5cm, Totals::Sum),
            ("stops_10cm", &mut self.stops_10cm, Totals::Sum),
            ("com_path_ratio", &mut self.com_path_ratio, Totals::Mean),
            ("effort_rms", &mut self.effort_rms, Totals::WhileClimbing),
            ("effort_max", &mut self.effort_max, Totals::Greatest),
        ]
    }

    /// The columns' names and values.
    pub fn values(&self) -> [(&'static str, f32); Self::COUNT] {
        self.clone().columns().map(|(name, value, _)| (name, *value))
    }

    /// What a motion costs, in seconds: those of crawling, raised hands, leans backward and deep hips count twice, and a meter
    /// backward counts like two seconds.
    pub fn cost(&self) -> f32 {
        let awkward = self.crawling + self.hand_raised + self.leaning_back + self.hip_over_120;
        self.plays + awkward + 2.0 * self.backwards_m
    }

    /// Divides the sums over some motions by their number.
    pub fn divide(&mut self, count: usize) {
        for (_, value, totals) in self.columns() {
            if matches!(totals, Totals::Sum) {
                *value /= count.max(1) as f32;
            }
        }
    }

    /// The sum over motions; of margins the worst, of path ratios the mean, of efforts the root mean square and the greatest.
    pub fn total(all: &[Self]) -> Self {
        let climbing = all.iter().map(|one| one.climbing).sum::<f32>();
        let mut total = Self::default();
        for (index, (_, value, totals)) in total.columns().into_iter().enumerate() {
            let each = || all.iter().map(|one| (one.climbing, one.values()[index].1));
            *value = match totals {
                Totals::Sum => each().map(|(_, value)| value).sum(),
                Totals::Mean => each().map(|(_, value)| value).sum::<f32>() / all.len().max(1) as f32,
                Totals::Least => each().map(|(_, value)| value).fold(0.0, f32::min),
                Totals::Greatest => each().map(|(_, value)| value).fold(0.0, f32::max),
                Totals::WhileClimbing => {
                    let squares = each().map(|(seconds, value)| seconds * value * value).sum::<f32>();
                    (squares / climbing.max(1.0 / RATE)).sqrt()
                }
            };
        }
        total
    }
}

/// The parts of a body that the measures refer to.
struct Parts {
    feet: Vec<EffectorId>,
    legs: Vec<LimbId>,
    /// Arms, each with its hand.
    hands: Vec<(LimbId, EffectorId)>,
    /// Up in the frame of the trunk, in the rest posture.
    trunk_up: Vec3,
    trunk: LinkId,
}

impl Parts {
    fn of(problem: &Problem) -> Option<Self> {
        let (character, table) = (&*problem.character, problem.modes.as_ref()?);
        let walking = table.modes.iter().find_map(|mode| Some((mode.walking_gait.as_ref()?, mode.balance?)));
        let feet = walking.map_or(Vec::new(), |(_, balance)| table.effector_groups[balance.group].effectors.clone());
        let legs: Vec<LimbId> = feet.iter().filter_map(|&foot| character.effectors[foot].limb).collect();
        let arms = walking.map_or(&[][..], |(gait, _)| &gait.swinging_limbs);
        let hand = |&arm: &LimbId| Some((arm, character.effectors.position(|effector| effector.limb == Some(arm))?));
        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let trunk = table.trunk_link;
        let trunk_up = frames.world_from_link[trunk].rotation.inverse() * UP;
        Some(Self { feet, legs, hands: arms.iter().filter_map(hand).collect(), trunk_up, trunk })
    }
}

/// One sample of a motion.
struct Moment {
    center: Vec3,
    root: Vec3,
    heading: Vec3,
    /// The lean of the trunk toward the heading, in radians.
    lean: f32,
    /// The most that a hip is bent, in radians.
    hip: f32,
    is_walking: bool,
    is_crawling: bool,
    is_climbing: bool,
    /// The largest ratio of torque to strength, in some of the moments of climbing.
    effort: Option<f32>,
    /// For each of [`Parts::hands`], whether it is above its shoulder.
    raised: Vec<bool>,
    /// How far the center of mass is outside of the soles, in meters.
    outside: f32,
    /// For each limb, whether it holds.
    holds: Vec<bool>,
    angles: Vec<f32>,
}

/// Measures a well-formed motion; `None` without a mode table, and if the motion has no duration or lasts for hours.
pub(super) fn measure(problem: &Problem, motion: &Motion) -> Option<Bearing> {
    let parts = Parts::of(problem)?;
    let character = &*problem.character;
    let (first, last) = (motion.frames.first()?.time, motion.frames.last()?.time);
    let duration = last - first;
    if !(1.0 / RATE..=MAX_DURATION).contains(&duration) {
        return None;
    }
    let intervals = (duration * RATE) as usize;
    let (count, step) = (intervals + 1, duration / intervals as f32);
    let mut sample = MotionSample::new(character);
    let mut moments = Vec::with_capacity(count);
    let mut effort = Effort::default();
    for index in 0..count {
        motion.sample_into(character, first + index as f32 * step, &mut sample);
        let mut moment = Moment::new(problem, &parts, &sample);
        if moment.is_climbing && index % EFFORT_STRIDE == 0 {
            let ratio = effort.largest_ratio(character, &problem.world, &sample.configuration, &sample.contacts);
            moment.effort = ratio.map(|ratio| ratio as f32);
        }
        moments.push(moment);
    }
    Some(Measures { character, parts: &parts, motion, moments: &moments, step }.bearing())
}

impl Moment {
    fn new(problem: &Problem, parts: &Parts, sample: &MotionSample) -> Self {
        let character = &*problem.character;
        let frames = &sample.link_poses;
        let touches = |is_meant: &dyn Fn(&Contact) -> bool| sample.contacts.iter().any(is_meant);
        let is_foot = |contact: &Contact| parts.feet.contains(&contact.effector);
        let limb_of = |contact: &Contact| character.effectors[contact.effector].limb;
        let is_on_leg = |contact: &Contact| limb_of(contact).is_some_and(|limb| parts.legs.contains(&limb));
        let trunk = frames.world_from_link[parts.trunk].rotation;
        let heading = UP.cross(trunk * Vec3::Z).try_normalize().unwrap_or(Vec3::X);
        let up = trunk * parts.trunk_up;
        let is_walking = !sample.contacts.is_empty() && sample.contacts.iter().all(is_foot);
        let is_hand = |contact: &Contact| parts.hands.iter().any(|&(_, hand)| hand == contact.effector);
        let is_steep = |contact: &Contact| HoldType::of_normal(contact.normal) != HoldType::LoadBearing;
        let is_climbing = touches(&is_hand) && touches(&|contact| !is_hand(contact)) && touches(&is_steep);
        let soles: Vec<Vec3> =
            sample.contacts.iter().flat_map(|contact| sole_ends(character, frames, contact)).collect();
        let center = center_of_mass(character, frames);
        let shoulder = |arm: LimbId| frames.world_from_link[character.limbs[arm].links[0]].translation;
        let raised = |&(arm, hand): &(LimbId, EffectorId)| {
            UP.dot(effector_position(character, frames, hand)) > UP.dot(shoulder(arm))
        };
        Self {
            center,
            root: sample.configuration.root.translation,
            heading,
            lean: atan2(heading.dot(up), UP.dot(up)),
            hip: parts.legs.iter().map(|&leg| hip_angle(character, frames, leg)).fold(0.0, f32::max),
            is_walking,
            is_climbing,
            effort: None,
            is_crawling: touches(&|contact| is_on_leg(contact) && !is_foot(contact)),
            raised: parts.hands.iter().map(raised).collect(),
            outside: if is_walking { horizontal_distance_to_hull(center, &soles) } else { 0.0 },
            holds: character.limbs.keys().map(|limb| touches(&|contact| limb_of(contact) == Some(limb))).collect(),
            angles: sample.configuration.angles.iter().copied().collect(),
        }
    }
}

/// The front and the back end of a sole, whether its heel is raised or not.
fn sole_ends(character: &Character, frames: &LinkFrames, contact: &Contact) -> [Vec3; 2] {
    let effector = &character.effectors[contact.effector];
    let Some(patch) = effector.ability.patch else { return [contact.point; 2] };
    let forward = frames.world_from_link[effector.link].rotation * patch.forward;
    let along = (forward - contact.normal * contact.normal.dot(forward)).normalize_or_zero();
    [contact.point + along * patch.front, contact.point - along * patch.back]
}

/// The angle by which the first link of a limb is turned from where it points with all hinges at zero.
fn hip_angle(character: &Character, frames: &LinkFrames, leg: LimbId) -> f32 {
    let links = &character.limbs[leg].links;
    let (Some(&second), Some(parent)) = (links.get(1), character.links[links[0]].parent) else { return 0.0 };
    let joint = |link: LinkId| frames.world_from_link[link].translation;
    let along = frames.world_from_link[parent].rotation.inverse() * (joint(second) - joint(links[0]));
    let at_zero =
        character.links[links[0]].parent_from_joint.rotation * character.links[second].parent_from_joint.translation;
    if along.length() > 0.0 && at_zero.length() > 0.0 { along.angle_between(at_zero) } else { 0.0 }
}

/// A sampled motion.
struct Measures<'a> {
    character: &'a Character,
    parts: &'a Parts,
    motion: &'a Motion,
    moments: &'a [Moment],
    /// Between two samples, in seconds.
    step: f32,
}

impl Measures<'_> {
    fn bearing(&self) -> Bearing {
        let scale = self.character.body_size() / REFERENCE_BODY_SIZE;
        let speeds: Vec<Vec3> = (0..self.moments.len()).map(|index| self.velocity(index)).collect();
        let backward_speed = |index: usize| {
            let across = speeds[index] - UP * UP.dot(speeds[index]);
            let is_fast = across.length() > BACKWARD_SPEED * scale;
            if is_fast && across.dot(self.moments[index].heading) < 0.0 { across.length() } else { 0.0 }
        };
        let walking_indices = || (0..self.moments.len()).filter(|&index| self.moments[index].is_walking);
        let walking =
            |is_meant: &dyn Fn(usize) -> bool| self.seconds(walking_indices().filter(|&index| is_meant(index)).count());
        let stops = |limit: f32| {
            let margin = (ENDS / self.step).floor() as usize;
            let inner = (margin + 1).min(speeds.len())..speeds.len().saturating_sub(margin + 1).max(margin + 1);
            speeds.get(inner).map_or(0, |inner| inner.iter().filter(|speed| speed.length() < limit * scale).count())
        };
        let raised = self.raised();
        let efforts = || self.moments.iter().filter_map(|moment| moment.effort);
        let path = self.moments.windows(2).map(|pair| (pair[1].center - pair[0].center).length()).sum::<f32>();
        let straight = (self.moments[self.moments.len() - 1].center - self.moments[0].center).length();
        Bearing {
            plays: self.step * (self.moments.len() - 1) as f32,
            walking: walking(&|_| true),
            crawling: self.seconds(self.moments.iter().filter(|moment| moment.is_crawling).count()),
            climbing: self.seconds(self.moments.iter().filter(|moment| moment.is_climbing).count()),
            contacts: self.motion.contacts.iter().filter(|span| span.first_frame > 0).count() as f32,
            hand_raised: walking(&|index| raised[index]),
            leaning_back: walking(&|index| self.moments[index].lean < -LEANING_BACK),
            hip_over_120: walking(&|index| self.moments[index].hip > DEEP_HIP),
            backwards_m: walking_indices().map(backward_speed).fold(0.0, |sum, speed| sum + speed) * self.step,
            off_support_20cm: walking(&|index| self.moments[index].outside > OFF_SUPPORT * scale),
            worst_margin_m: -self.moments.iter().map(|moment| moment.outside).fold(0.0, f32::max),
            frozen_3deg: self.frozen(FROZEN[0], scale),
            frozen_6deg: self.frozen(FROZEN[1], scale),
            stops_5cm: self.seconds(stops(STOPPED[0])),
            stops_10cm: self.seconds(stops(STOPPED[1])),
            com_path_ratio: path / straight.max(0.1 * scale),
            effort_rms: (efforts().map(|ratio| ratio * ratio).sum::<f32>() / efforts().count().max(1) as f32).sqrt(),
            effort_max: efforts().fold(0.0, f32::max),
        }
    }

    fn seconds(&self, samples: usize) -> f32 {
        samples as f32 * self.step
    }

    /// The velocity of the center of mass, by central differences.
    fn velocity(&self, index: usize) -> Vec3 {
        let (before, after) = (index.saturating_sub(1), (index + 1).min(self.moments.len() - 1));
        let span = (after - before) as f32 * self.step;
        if span > 0.0 { (self.moments[after].center - self.moments[before].center) / span } else { Vec3::ZERO }
    }

    /// For each sample, whether a hand is raised and not near one of its contacts in time.
    fn raised(&self) -> Vec<bool> {
        let mut raised = vec![false; self.moments.len()];
        for (number, &(arm, _)) in self.parts.hands.iter().enumerate() {
            let reach = (NEAR_CONTACT / self.step) as usize;
            let mut since = usize::MAX;
            let mut since_contact: Vec<usize> = Vec::with_capacity(raised.len());
            for moment in self.moments {
                since = if moment.holds[arm.index()] { 0 } else { since.saturating_add(1) };
                since_contact.push(since);
            }
            let mut until = usize::MAX;
            for index in (0..raised.len()).rev() {
                until = if self.moments[index].holds[arm.index()] { 0 } else { until.saturating_add(1) };
                let is_near = since_contact[index].min(until) <= reach;
                raised[index] |= self.moments[index].raised[number] && !is_near;
            }
        }
        raised
    }

    /// Limb-seconds in which a free limb hardly changes while the root moves.
    fn frozen(&self, degrees: f32, scale: f32) -> f32 {
        let window = RATE as usize;
        let mut samples = 0;
        for (number, limb) in self.character.limbs.iter().enumerate() {
            let joints = &limb.links[..limb.links.len().min(2)];
            let is_inner = |hinge: &&HingeId| joints.contains(&self.character.hinges[**hinge].link);
            let hinges: Vec<usize> = limb.hinges.iter().filter(is_inner).map(|hinge| hinge.index()).collect();
            let mut frozen_until = 0;
            for begin in 0..self.moments.len().saturating_sub(window) {
                let during = &self.moments[begin..=begin + window];
                let is_frozen = (during[window].root - during[0].root).length() > FROZEN_TRAVEL * scale
                    && during.iter().all(|moment| !moment.holds[number])
                    && hinges.iter().all(|&hinge| range(during, hinge) < degrees.to_radians());
                if is_frozen {
                    samples += begin + window - frozen_until.max(begin);
                    frozen_until = begin + window;
                }
            }
        }
        self.seconds(samples)
    }
}

/// The range of a hinge's angle, in radians.
fn range(moments: &[Moment], hinge: usize) -> f32 {
    let angles = || moments.iter().map(|moment| moment.angles[hinge]);
    angles().fold(f32::NEG_INFINITY, f32::max) - angles().fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::motion::ContactSpan;
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, standing, touching};

    /// Two seconds on both feet, at 60 frames per second, each changed by a function of the time.
    fn bearing_of(change: impl Fn(&Character, f32, &mut Configuration)) -> Bearing {
        let problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let character = &*problem.character;
        let stand = standing(character, 0.0);
        let at = |frame: usize| {
            let mut configuration = stand.clone();
            change(character, frame as f32 / RATE, &mut configuration);
            configuration
        };
        let frames: Vec<Configuration> = (0..=120).map(at).collect();
        let mut motion = Motion::from_configurations(&character.name, "walking", frames, RATE);
        motion.contacts = ["left_foot", "right_foot"]
            .map(|foot| ContactSpan { contact: touching(character, &stand, foot), first_frame: 0, last_frame: 120 })
            .to_vec();
        measure(&problem, &motion).unwrap()
    }

    #[test]
    fn motions_without_duration_and_endless_ones_are_not_measured() {
        let problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let stand = standing(&problem.character, 0.0);
        let motion = |frames: usize, rate: f32| {
            Motion::from_configurations(&problem.character.name, "walking", vec![stand.clone(); frames], rate)
        };
        assert_eq!(measure(&problem, &motion(1, RATE)), None);
        assert_eq!(measure(&problem, &motion(2, 1e-6)), None);
        assert!(measure(&problem, &motion(2, 1.0)).is_some());
    }

    fn turn(character: &Character, configuration: &mut Configuration, hinge: &str, degrees: f32) {
        configuration.angles[character.find_hinge(hinge).unwrap()] = degrees.to_radians();
    }

    fn assert_near(value: f32, expected: f32) {
        assert!((value - expected).abs() < 0.03, "{value}, not {expected}");
    }

    #[test]
    fn a_body_that_stands_has_only_stopped() {
        let bearing = bearing_of(|_, _, _| {});
        assert_near(bearing.plays, 2.0);
        assert_near(bearing.walking, 2.0);
        assert_near(bearing.stops_5cm, 2.0 - 2.0 * ENDS);
        let faults = [bearing.hand_raised, bearing.leaning_back, bearing.hip_over_120, bearing.backwards_m];
        assert_eq!(faults, [0.0; 4]);
        assert_eq!([bearing.crawling, bearing.off_support_20cm, bearing.frozen_6deg, bearing.contacts], [0.0; 4]);
    }

    #[test]
    fn raised_hands_and_deep_hips_are_timed() {
        let bearing = bearing_of(|character, time, configuration| {
            turn(character, configuration, "left_shoulder", if time < 0.5 { 150.0 } else { 10.0 });
            turn(character, configuration, "right_hip", if time > 1.25 { 130.0 } else { 0.0 });
        });
        assert_near(bearing.hand_raised, 0.5);
        assert_near(bearing.hip_over_120, 0.75);
    }

    #[test]
    fn leans_count_backward_only_and_for_either_heading() {
        for (degrees, expected) in [(20.0, 2.0), (-20.0, 0.0), (10.0, 0.0)] {
            for faces_right in [true, false] {
                let bearing = bearing_of(|_, _, configuration| {
                    let at = configuration.root.translation;
                    configuration.root =
                        Configuration::planar_root_pose(at.x, at.y, f32::to_radians(degrees), faces_right);
                });
                assert_near(bearing.leaning_back, expected);
            }
        }
    }

    #[test]
    fn steps_backward_are_measured_in_meters_and_frozen_limbs_in_limb_seconds() {
        let bearing = bearing_of(|_, time, configuration| configuration.root.translation.x -= 0.3 * time);
        assert_near(bearing.backwards_m, 0.6);
        // The legs touch; both arms are frozen.
        assert_near(bearing.frozen_3deg, 4.0);
        assert_eq!(bearing.stops_10cm, 0.0);
        assert_near(bearing.com_path_ratio, 1.0);
        assert!(bearing.off_support_20cm > 0.5 && bearing.worst_margin_m < -0.3, "{bearing:?}");
        let ahead = bearing_of(|_, time, configuration| configuration.root.translation.x += 0.3 * time);
        assert_eq!(ahead.backwards_m, 0.0);
    }
}
