//! Discomfort: the product of posture heuristics, 1 at best (thesis 4.3 and 5.2).
//!
//! The thesis' angles are in degrees; a formula with a plain number of degrees below the line has the same number in
//! radians here. Heights are along the up direction and angles of limbs are in the plane of up and the heading, so that
//! nothing assumes a plane.

use std::f32::consts::{FRAC_PI_2, PI};

use clamber_model::character::Side;
use clamber_model::kinematics::{Workspace, center_of_mass};
use clamber_model::math::{Vec3, atan2, pow};
use clamber_model::mode::{Heuristic, Mode};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact};

use crate::anatomy::{Anatomy, Landmark, LimbShape};
use crate::jacobian::JacobianRow;

/// A posture to be judged.
#[derive(Clone, Copy)]
pub struct PostureState<'a> {
    pub character: &'a Character,
    pub anatomy: &'a Anatomy,
    pub configuration: &'a Configuration,
    /// The frames of the configuration.
    pub frames: &'a Workspace,
    pub stance: &'a [Contact],
}

/// The product of a mode's heuristics, each to the power of its weight.
pub fn discomfort(mode: &Mode, posture: PostureState) -> f32 {
    let factor = |&(heuristic, weight): &(Heuristic, f32)| {
        let value = value(heuristic, posture);
        if weight == 1.0 { value } else { pow(value, weight) }
    };
    mode.heuristics.iter().map(factor).product()
}

/// A heuristic's value, from the ways in which a posture deviates from what it wants.
fn value(heuristic: Heuristic, posture: PostureState) -> f32 {
    let mut sums = Sums::default();
    deviations(heuristic, posture, &mut sums);
    let Sums { sum, squares } = sums;
    match heuristic {
        // 1 + |neck| / 180.
        Heuristic::HeadUp => 1.0 + squares.sqrt() / PI,
        // 1 + the sum over elbows and knees of |angle - rest| / 720, for four limbs; 180 a limb for any number.
        Heuristic::ComfyLimbs => {
            1.0 + sum / (PI * (posture.anatomy.arms.len() + posture.anatomy.legs.len()).max(1) as f32)
        }
        // 1 + the square of the horizontal way from the centre of mass to the mean of the contacts.
        Heuristic::Balance => 1.0 + squares,
        // 1 + the angle between the spine and the vertical / 90.
        Heuristic::UprightSpine => 1.0 + squares.sqrt() / FRAC_PI_2,
        // 1 + (|left arm + left leg| + |right arm + right leg|) / 90.
        Heuristic::LimbCounterBalance => 1.0 + sum / FRAC_PI_2,
        // 1 + what is missing / 4.
        Heuristic::HangDown => 1.0 + sum / 4.0,
        // 1 + the square of the sum over the legs of |height of the foot - height of the knee|.
        Heuristic::KneesDown => 1.0 + sum * sum,
    }
}

/// Who is told of deviations.
pub trait Listener {
    fn deviation(&mut self, value: f32);

    /// Something that the last deviation changes with. Whoever needs no slopes does not pay for them.
    fn slope(&mut self, _slope: impl FnOnce() -> JacobianRow) {}
}

#[derive(Default)]
struct Sums {
    sum: f32,
    squares: f32,
}

impl Listener for Sums {
    fn deviation(&mut self, value: f32) {
        self.sum += value.abs();
        self.squares += value * value;
    }
}

/// Tells how a posture deviates from what a heuristic wants: numbers that are 0 at best, always as many for one stance, in
/// radians or in units of length, with their signs where there are two sides to be wrong on. A solver drives them to 0.
pub fn deviations(heuristic: Heuristic, posture: PostureState, listener: &mut impl Listener) {
    let PostureState { character, anatomy, configuration, frames, stance } = posture;
    match heuristic {
        Heuristic::HeadUp => {
            let Some([head, carrier]) = anatomy.head(character) else { return };
            let turn = anatomy.head_turn(character, frames);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                listener.deviation(axis.dot(turn));
                // Turns about different axes do not add up; this is the series of what they make, as far as it matters.
                let across = turn.cross(axis);
                let about = axis + turn.cross(across) / 12.0;
                listener.slope(|| JacobianRow::Turn { link: head, about: about + 0.5 * across });
                listener.slope(|| JacobianRow::Turn { link: carrier, about: 0.5 * across - about });
            }
        }
        Heuristic::ComfyLimbs => {
            for &hinge in anatomy.arms.iter().chain(&anatomy.legs).flat_map(|limb| &limb.bends) {
                listener.deviation(configuration.angles[hinge] - character.hinges[hinge].rest);
                listener.slope(|| JacobianRow::Hinge { hinge, by: 1.0 });
            }
        }
        Heuristic::Balance if stance.is_empty() => {}
        Heuristic::Balance => {
            let mean = stance.iter().map(|contact| contact.point).sum::<Vec3>() / stance.len() as f32;
            let way = center_of_mass(character, frames) - mean;
            for axis in ACROSS {
                listener.deviation(axis.dot(way) / anatomy.unit);
                listener.slope(|| JacobianRow::Center(axis / anatomy.unit));
            }
        }
        Heuristic::UprightSpine => upright_spine(posture, listener),
        Heuristic::LimbCounterBalance => limb_counter_balance(posture, listener),
        Heuristic::HangDown => hang_down(posture, listener),
        Heuristic::KneesDown => {
            for leg in &anatomy.legs {
                let Some(knee) = leg.bend_of(frames) else { continue };
                let foot = leg.tip_of(frames);
                listener.deviation(UP.dot(foot.place - knee.place) / anatomy.unit);
                tell_point(listener, foot, UP / anatomy.unit);
                tell_point(listener, knee, -UP / anatomy.unit);
            }
        }
    }
}

/// The two horizontal axes.
const ACROSS: [Vec3; 2] = [Vec3::X, Vec3::Z];

/// The last deviation changes with a point, by so much a metre along each axis.
fn tell_point(listener: &mut impl Listener, Landmark { link, place }: Landmark, along: Vec3) {
    listener.slope(|| JacobianRow::Point { link, at: place, along });
}

/// The last deviation changes with the middle of the hip.
fn tell_hip(PostureState { anatomy, frames, .. }: PostureState, listener: &mut impl Listener, along: Vec3) {
    if anatomy.legs.is_empty() {
        let (link, place) = (anatomy.trunk(), anatomy.hip(frames));
        tell_point(listener, Landmark { link, place }, along);
    }
    for leg in &anatomy.legs {
        tell_point(listener, leg.root_of(frames), along / anatomy.legs.len() as f32);
    }
}

/// The angle between the spine and the vertical, in the direction in which it leans.
fn upright_spine(posture: PostureState, listener: &mut impl Listener) {
    // In metres: a spine that leans by less has no direction to speak of.
    const UPRIGHT: f32 = 1e-3;
    let PostureState { anatomy, frames, .. } = posture;
    let neck = anatomy.neck_of(frames);
    let spine = neck.place - anatomy.hip(frames);
    let rise = UP.dot(spine);
    let across = spine - UP * rise;
    let (length, square) = (across.length(), spine.length_squared().max(UPRIGHT * UPRIGHT));
    let angle = atan2(length, rise);
    // Upside down there is no direction in which it leans.
    let direction = across.try_normalize().unwrap_or(Vec3::X);
    let lean = direction * angle;
    let sideways = if length > UPRIGHT { angle / length } else { 1.0 / rise.abs().max(UPRIGHT) };
    for axis in ACROSS {
        listener.deviation(axis.dot(lean));
        // Along the lean the angle changes, across it the direction does.
        let along =
            axis * sideways + (direction * (rise / square - sideways) - UP * (length / square)) * axis.dot(direction);
        tell_point(listener, neck, along);
        tell_hip(posture, listener, -along);
    }
}

/// The angles between the vertical and the lines from hand to shoulder and from foot to hip, arm and leg together.
///
/// The text speaks of the opposite leg and the formula of the same side's. An arm that swings against the leg of its own
/// side is what people do, so the formula is right.
fn limb_counter_balance(PostureState { character, anatomy, frames, .. }: PostureState, listener: &mut impl Listener) {
    let heading = anatomy.heading(frames);
    let left = UP.cross(heading);
    // The heading follows the trunk, mostly as that turns about the vertical.
    let right = frames.world_from_link[anatomy.trunk()].rotation * Vec3::Z;
    let turning = UP - left * (UP.dot(right) / left.dot(right).min(-1e-3));
    let way = |limb: &LimbShape| limb.tip(frames) - limb.root(frames);
    let swing = |limb: &LimbShape| atan2(heading.dot(way(limb)), -UP.dot(way(limb)));
    let side = |limb: &LimbShape| character.limbs[limb.limb].side;
    for arm in anatomy.arms.iter().filter(|arm| side(arm) != Side::Middle) {
        let Some(leg) = anatomy.legs.iter().find(|leg| side(leg) == side(arm)) else { continue };
        listener.deviation(swing(arm) + swing(leg));
        for limb in [arm, leg] {
            let way = way(limb);
            let (ahead, down) = (heading.dot(way), -UP.dot(way));
            let square = (ahead * ahead + down * down).max(1e-6);
            let along = (heading * down + UP * ahead) / square;
            tell_point(listener, limb.tip_of(frames), along);
            tell_point(listener, limb.root_of(frames), -along);
            let about = turning * (left.dot(way) * down / square);
            listener.slope(|| JacobianRow::Turn { link: anatomy.trunk(), about });
        }
    }
}

/// (Arm's length - drop from the highest hand in contact to the neck) + (leg's length - drop from the hip to the middle of
/// the feet).
fn hang_down(posture: PostureState, listener: &mut impl Listener) {
    let PostureState { character, anatomy, frames, stance, .. } = posture;
    let length = |limbs: &[LimbShape]| limbs.iter().map(|limb| limb.length).fold(0.0, f32::max);
    let holding =
        |arm: &&LimbShape| stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(arm.limb));
    let higher = |a: Landmark, b: Landmark| if UP.dot(b.place) > UP.dot(a.place) { b } else { a };
    let highest = anatomy.arms.iter().filter(holding).map(|arm| arm.tip_of(frames)).reduce(higher);
    let mut missing = 0.0;
    if let Some(hand) = highest {
        missing += length(&anatomy.arms) - UP.dot(hand.place - anatomy.neck(frames));
    }
    if !anatomy.legs.is_empty() {
        let feet: f32 = anatomy.legs.iter().map(|leg| UP.dot(leg.tip(frames))).sum::<f32>() / anatomy.legs.len() as f32;
        missing += length(&anatomy.legs) - (UP.dot(anatomy.hip(frames)) - feet);
    }
    // The neck is a little above the shoulders: at full stretch that little is still missing. Never less than nothing.
    listener.deviation((missing / anatomy.unit).max(0.0));
    if missing <= 0.0 {
        return;
    }
    let along = UP / anatomy.unit;
    if let Some(hand) = highest {
        tell_point(listener, hand, -along);
        tell_point(listener, anatomy.neck_of(frames), along);
    }
    if !anatomy.legs.is_empty() {
        tell_hip(posture, listener, -along);
        for leg in &anatomy.legs {
            tell_point(listener, leg.tip_of(frames), along / anatomy.legs.len() as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::ModeTable;
    use clamber_model::contact::Stance;
    use clamber_model::kinematics::forward;

    /// A posture of the figure, whose hinges not named are at 0: the limbs hang straight down.
    struct Figure {
        character: Character,
        table: ModeTable,
        pitch: f32,
        /// In degrees.
        angles: Vec<(&'static str, f32)>,
        /// Where effectors hold on, in metres ahead of the root.
        holds: Vec<(&'static str, f32)>,
    }

    /// The figure's hands and feet can be 0.665 + 0.46 + 0.875 metres apart.
    const UNIT: f32 = 2.0 / 4.3;

    fn figure() -> Figure {
        let character = clamber_testing::character("figure");
        let table = clamber_testing::table(&character);
        Figure { character, table, pitch: 0.0, angles: Vec::new(), holds: Vec::new() }
    }

    impl Figure {
        fn angles(self, angles: &[(&'static str, f32)]) -> Self {
            Self { angles: angles.to_vec(), ..self }
        }

        fn pitch(self, pitch: f32) -> Self {
            Self { pitch, ..self }
        }

        fn holds(self, holds: &[(&'static str, f32)]) -> Self {
            Self { holds: holds.to_vec(), ..self }
        }

        fn looking(&self, right: bool, heuristics: &[(Heuristic, f32)]) -> f32 {
            let (x, y) = (2.0, 0.9);
            let mut configuration = Configuration::rest(&self.character);
            configuration.root = Configuration::planar_root(x, y, self.pitch.to_radians(), right);
            configuration.angles.fill(0.0);
            for (hinge, angle) in &self.angles {
                configuration.angles[self.character.hinge(hinge).unwrap()] = angle.to_radians();
            }
            configuration.check(&self.character).unwrap();
            let ahead = if right { 1.0 } else { -1.0 };
            let contact = |(effector, way): &(&str, f32)| Contact {
                effector: self.character.effector(effector).unwrap(),
                hold: 0,
                point: Vec3::new(x + ahead * way, 0.3, 0.0),
                normal: Vec3::Y,
            };
            let stance: Stance = self.holds.iter().map(contact).collect();
            let mut frames = Workspace::default();
            forward(&self.character, &configuration, &mut frames);
            let anatomy = Anatomy::new(&self.character, &self.table);
            let mode = Mode { heuristics: heuristics.to_vec(), ..self.table.modes[0].clone() };
            let (character, anatomy) = (&self.character, &anatomy);
            let judged =
                PostureState { character, anatomy, configuration: &configuration, frames: &frames, stance: &stance };
            discomfort(&mode, judged)
        }

        /// Of one heuristic, whichever way it looks.
        fn is(self, heuristic: Heuristic, expected: f32) {
            for right in [true, false] {
                let value = self.looking(right, &[(heuristic, 1.0)]);
                assert!((value - expected).abs() < 1e-4, "{heuristic:?}, right {right}: {value}, not {expected}");
            }
        }
    }

    #[test]
    fn a_head_in_line_with_the_spine_is_comfortable_however_the_spine_leans() {
        figure().is(Heuristic::HeadUp, 1.0);
        figure().pitch(-40.0).is(Heuristic::HeadUp, 1.0);
        figure().angles(&[("neck", -45.0)]).is(Heuristic::HeadUp, 1.0 + 45.0 / 180.0);
        figure().pitch(20.0).angles(&[("neck", 30.0)]).is(Heuristic::HeadUp, 1.0 + 30.0 / 180.0);
    }

    #[test]
    fn limbs_are_comfortable_a_little_bent() {
        let rest = [("left_elbow", 20.0), ("right_elbow", 20.0), ("left_knee", -20.0), ("right_knee", -20.0)];
        figure().angles(&rest).is(Heuristic::ComfyLimbs, 1.0);
        // Four limbs, each 20 degrees too straight.
        figure().is(Heuristic::ComfyLimbs, 1.0 + 80.0 / 720.0);
        let mut bent = rest;
        (bent[0].1, bent[3].1) = (110.0, -65.0);
        figure().angles(&bent).is(Heuristic::ComfyLimbs, 1.0 + (90.0 + 45.0) / 720.0);
        // Shoulders and hips are not bends.
        let swung = [&rest[..], &[("left_shoulder", 70.0), ("right_hip", 50.0)]].concat();
        figure().angles(&swung).is(Heuristic::ComfyLimbs, 1.0);
    }

    #[test]
    fn balance_is_the_square_of_the_way_in_the_thesis_unit() {
        // With all limbs hanging straight down, the centre of mass is above the root.
        figure().is(Heuristic::Balance, 1.0);
        figure().holds(&[("left_foot", -0.2), ("right_foot", 0.2)]).is(Heuristic::Balance, 1.0);
        figure().holds(&[("left_foot", UNIT)]).is(Heuristic::Balance, 2.0);
        figure().holds(&[("left_foot", UNIT), ("right_foot", -2.0 * UNIT)]).is(Heuristic::Balance, 1.25);
        figure().holds(&[("left_foot", 3.0 * UNIT)]).is(Heuristic::Balance, 10.0);
    }

    #[test]
    fn a_spine_is_comfortable_upright() {
        figure().is(Heuristic::UprightSpine, 1.0);
        figure().pitch(30.0).is(Heuristic::UprightSpine, 1.0 + 30.0 / 90.0);
        figure().pitch(-30.0).is(Heuristic::UprightSpine, 1.0 + 30.0 / 90.0);
        figure().pitch(-90.0).is(Heuristic::UprightSpine, 2.0);
        figure().pitch(180.0).is(Heuristic::UprightSpine, 3.0);
        // What hangs on it does not matter.
        figure().angles(&[("left_hip", 90.0), ("neck", 20.0)]).is(Heuristic::UprightSpine, 1.0);
    }

    #[test]
    fn an_arm_swings_against_the_leg_of_its_side() {
        let heuristic = Heuristic::LimbCounterBalance;
        figure().is(heuristic, 1.0);
        let against = [("left_shoulder", 25.0), ("left_hip", -25.0), ("right_shoulder", -20.0), ("right_hip", 20.0)];
        figure().angles(&against).is(heuristic, 1.0);
        figure().angles(&[("left_shoulder", 30.0), ("left_hip", 20.0)]).is(heuristic, 1.0 + 50.0 / 90.0);
        // The leg of the other side is no help.
        figure().angles(&[("left_shoulder", 30.0), ("right_hip", -20.0)]).is(heuristic, 1.0 + 50.0 / 90.0);
        // Angles are to the vertical, not to the trunk.
        let level = [("left_shoulder", 10.0), ("left_hip", 10.0), ("right_shoulder", 10.0), ("right_hip", 10.0)];
        figure().pitch(-10.0).angles(&level).is(heuristic, 1.0);
    }

    #[test]
    fn hanging_is_comfortable_below_the_hands_with_the_legs_down() {
        let heuristic = Heuristic::HangDown;
        let up = [("left_shoulder", 180.0), ("right_shoulder", 180.0)];
        let hands = [("left_hand", 0.0), ("right_hand", 0.0)];
        // The neck is 0.05 above the shoulders, so that this much of an arm's length is missing at best.
        let neck = 0.05 / UNIT / 4.0;
        figure().angles(&up).holds(&hands).is(heuristic, 1.0 + neck);
        // Straight ahead, all of an arm and of the way from the shoulder to the neck is missing.
        let ahead = [("left_shoulder", 90.0), ("right_shoulder", 90.0)];
        figure().angles(&ahead).holds(&hands).is(heuristic, 1.0 + (0.665 + 0.05) / UNIT / 4.0);
        // The higher of two hands counts, and none that does not hold on.
        let one = [up[0], ("right_shoulder", 90.0)];
        figure().angles(&one).holds(&hands).is(heuristic, 1.0 + neck);
        figure().angles(&one).holds(&hands[..1]).is(heuristic, 1.0 + neck);
        figure().angles(&one).holds(&hands[1..]).is(heuristic, 1.0 + (0.665 + 0.05) / UNIT / 4.0);
        // A leg drawn up to the level of the hip lifts the middle of the feet by half its length.
        let sitting = [up[0], up[1], ("left_hip", 90.0)];
        figure().angles(&sitting).holds(&hands).is(heuristic, 1.0 + neck + 0.5 * 0.875 / UNIT / 4.0);
    }

    #[test]
    fn knees_are_down_when_the_shins_are_level() {
        let level = [("left_knee", -90.0), ("right_knee", -90.0)];
        figure().angles(&level).is(Heuristic::KneesDown, 1.0);
        let rise = 0.445 / UNIT;
        figure().angles(&level[..1]).is(Heuristic::KneesDown, 1.0 + rise * rise);
        figure().is(Heuristic::KneesDown, 1.0 + 4.0 * rise * rise);
        // A foot above its knee is as bad as one below.
        figure().angles(&[("left_knee", -120.0), level[1]]).is(Heuristic::KneesDown, 1.0 + 0.25 * rise * rise);
    }

    #[test]
    fn discomfort_is_a_product_and_a_weight_an_exponent() {
        let leaning = figure().pitch(45.0).angles(&[("neck", -36.0)]);
        let near = |heuristics: &[(Heuristic, f32)], expected: f32| {
            let value = leaning.looking(true, heuristics);
            assert!((value - expected).abs() < 1e-4, "{heuristics:?}: {value}, not {expected}");
        };
        let (head, spine) = (Heuristic::HeadUp, Heuristic::UprightSpine);
        near(&[], 1.0);
        near(&[(head, 1.0)], 1.2);
        near(&[(head, 2.0)], 1.44);
        near(&[(spine, 3.0)], 3.375);
        near(&[(spine, 0.0)], 1.0);
        near(&[(head, 1.0), (spine, 1.0)], 1.8);
        near(&[(head, 2.0), (spine, 3.0)], 1.44 * 3.375);
    }
}
