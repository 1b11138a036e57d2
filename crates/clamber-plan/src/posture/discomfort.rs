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

use super::anatomy::{Anatomy, LimbShape};

/// A posture to be judged.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub character: &'a Character,
    pub anatomy: &'a Anatomy,
    pub configuration: &'a Configuration,
    /// The frames of the configuration.
    pub frames: &'a Workspace,
    pub stance: &'a [Contact],
}

/// The product of a mode's heuristics, each to the power of its weight.
pub(crate) fn discomfort(mode: &Mode, posture: Judged) -> f32 {
    let factor = |&(heuristic, weight): &(Heuristic, f32)| {
        let value = match heuristic {
            Heuristic::HeadUp => head_up(posture),
            Heuristic::ComfyLimbs => comfy_limbs(posture),
            Heuristic::Balance => balance(posture),
            Heuristic::UprightSpine => upright_spine(posture),
            Heuristic::LimbCounterBalance => limb_counter_balance(posture),
            Heuristic::HangDown => hang_down(posture),
            Heuristic::KneesDown => knees_down(posture),
        };
        if weight == 1.0 { value } else { pow(value, weight) }
    };
    mode.heuristics.iter().map(factor).product()
}

/// 1 + |neck| / 180.
fn head_up(Judged { character, anatomy, frames, .. }: Judged) -> f32 {
    1.0 + anatomy.head_turn(character, frames) / PI
}

/// 1 + the sum over elbows and knees of |angle - rest| / 720, for four limbs; 180 a limb for any number.
fn comfy_limbs(Judged { character, anatomy, configuration, .. }: Judged) -> f32 {
    let limbs = || anatomy.arms.iter().chain(&anatomy.legs);
    let off_rest = |hinge: &usize| (configuration.angles[*hinge] - character.hinges[*hinge].rest).abs();
    let sum: f32 = limbs().flat_map(|limb| &limb.bends).map(off_rest).sum();
    1.0 + sum / (PI * limbs().count().max(1) as f32)
}

/// 1 + the square of the horizontal way from the centre of mass to the mean of the contacts.
fn balance(Judged { character, anatomy, frames, stance, .. }: Judged) -> f32 {
    if stance.is_empty() {
        return 1.0;
    }
    let mean = stance.iter().map(|contact| contact.point).sum::<Vec3>() / stance.len() as f32;
    let way = center_of_mass(character, frames) - mean;
    let across = (way - UP * UP.dot(way)) / anatomy.unit;
    1.0 + across.length_squared()
}

/// 1 + the angle between the spine and the vertical / 90.
fn upright_spine(Judged { anatomy, frames, .. }: Judged) -> f32 {
    let spine = anatomy.neck(frames) - anatomy.hip(frames);
    let rise = UP.dot(spine);
    1.0 + atan2((spine - UP * rise).length(), rise) / FRAC_PI_2
}

/// 1 + (|left arm + left leg| + |right arm + right leg|) / 90, of the angles between the vertical and the lines from hand to
/// shoulder and from foot to hip.
///
/// The text speaks of the opposite leg and the formula of the same side's. An arm that swings against the leg of its own
/// side is what people do, so the formula is right.
fn limb_counter_balance(Judged { character, anatomy, frames, .. }: Judged) -> f32 {
    let heading = anatomy.heading(frames);
    let swing = |limb: &LimbShape| {
        let way = limb.tip(frames) - limb.root(frames);
        atan2(heading.dot(way), -UP.dot(way))
    };
    let side = |limb: &LimbShape| character.limbs[limb.limb].side;
    let mut sum = 0.0;
    for arm in anatomy.arms.iter().filter(|arm| side(arm) != Side::Middle) {
        if let Some(leg) = anatomy.legs.iter().find(|leg| side(leg) == side(arm)) {
            sum += (swing(arm) + swing(leg)).abs();
        }
    }
    1.0 + sum / FRAC_PI_2
}

/// 1 + ((arm's length - drop from the highest hand in contact to the neck) + (leg's length - drop from the hip to the
/// middle of the feet)) / 4.
fn hang_down(Judged { character, anatomy, frames, stance, .. }: Judged) -> f32 {
    let length = |limbs: &[LimbShape]| limbs.iter().map(|limb| limb.length).fold(0.0, f32::max);
    let holding =
        |arm: &&LimbShape| stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(arm.limb));
    let highest = anatomy.arms.iter().filter(holding).map(|arm| UP.dot(arm.tip(frames))).reduce(f32::max);
    let mut missing = 0.0;
    if let Some(hand) = highest {
        missing += length(&anatomy.arms) - (hand - UP.dot(anatomy.neck(frames)));
    }
    if !anatomy.legs.is_empty() {
        let feet: f32 = anatomy.legs.iter().map(|leg| UP.dot(leg.tip(frames))).sum::<f32>() / anatomy.legs.len() as f32;
        missing += length(&anatomy.legs) - (UP.dot(anatomy.hip(frames)) - feet);
    }
    // The neck is a little above the shoulders, so that an arm may seem longer than it is.
    1.0 + (missing / anatomy.unit).max(0.0) / 4.0
}

/// 1 + the square of the sum over the legs of |height of the foot - height of the knee|.
fn knees_down(Judged { anatomy, frames, .. }: Judged) -> f32 {
    let rise = |leg: &LimbShape| leg.bend(frames).map_or(0.0, |knee| UP.dot(leg.tip(frames) - knee).abs());
    let sum: f32 = anatomy.legs.iter().map(rise).sum::<f32>() / anatomy.unit;
    1.0 + sum * sum
}
