//! Random bodies, each placed where its effectors are nearest to given contacts.

use clamber_model::character::RootJoint;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Rotation, Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::world::UP;
use clamber_model::{Character, Configuration};

use super::contact_target::ContactTarget;
use super::placement::TargetFit;
use super::stance_residuals::{StanceGoal, StanceResiduals};
use super::stance_tuning as tuning;

/// Returns the one of some random bodies that fits the contacts best. Bodies face about as a rotation does; in the plane, either way.
pub(super) fn best_drawn_body(
    character: &Character,
    targets: &[ContactTarget],
    facing: Rotation,
    stream: &mut Stream,
) -> Configuration {
    let goal = StanceGoal { avoids_itself: true, ..StanceGoal::of(targets) };
    let (mut residuals, mut frames) = (StanceResiduals::default(), LinkFrames::default());
    let mut drawn = Configuration::rest(character);
    let mut best = drawn.clone();
    let mut least = f32::INFINITY;
    for _ in 0..tuning::DRAWS {
        draw(character, targets, facing, &mut frames, stream, &mut drawn);
        let cost = residuals.evaluate(character, &drawn, goal);
        if cost < least {
            least = cost;
            best.clone_from(&drawn);
        }
    }
    best
}

/// Draws angles between rest and any within the limits, and places the body on the contacts.
fn draw(
    character: &Character,
    targets: &[ContactTarget],
    facing: Rotation,
    frames: &mut LinkFrames,
    stream: &mut Stream,
    drawn: &mut Configuration,
) {
    let away = stream.uniform();
    for (angle, hinge) in drawn.angles.iter_mut().zip(&character.hinges) {
        *angle = hinge.rest + away * (stream.between(hinge.min, hinge.max) - hinge.rest);
    }
    drawn.root = Pose::IDENTITY;
    forward(character, drawn, frames);
    let guess = random_rotation(character, facing, stream);
    drawn.root = place(character, targets, frames, guess);
}

/// The rotation of an upright body, tilted, that faces about as another rotation does or, in the plane, either way.
fn random_rotation(character: &Character, facing: Rotation, stream: &mut Stream) -> Rotation {
    let tilt = tuning::MAX_DRAWN_TILT * stream.between(-1.0, 1.0) * stream.uniform();
    let turn = stream.between(-1.0, 1.0);
    match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, tilt, turn < 0.0).rotation,
        RootJoint::Free => {
            let axis = rotation_about(UP, stream.between(-3.1, 3.1)) * Vec3::X;
            rotation_about(axis, tilt) * rotation_about(UP, tuning::MAX_DRAWN_TURN * turn) * facing
        }
    }
}

/// Where a body whose root is at the origin has to be so that its effectors are nearest to their contacts. What the contacts do not
/// tell, a guess does.
fn place(character: &Character, targets: &[ContactTarget], frames: &LinkFrames, guess: Rotation) -> Pose {
    let size = character.body_size();
    let mut fit = TargetFit::new(character, frames, targets);
    fit.alignment.add(Vec3::Y, guess * Vec3::Y, tuning::PLACED_UPRIGHT_WEIGHT * size * size);
    fit.alignment.add(Vec3::X, guess * Vec3::X, tuning::PLACED_HEADING_WEIGHT * size * size);
    fit.pose(fit.alignment.best_rotation(character.root_joint, guess))
}
