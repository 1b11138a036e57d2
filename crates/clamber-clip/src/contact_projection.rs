//! Puts the effectors of a stance back on their contacts with the least change of the whole body.
//!
//! A sole on a surface to stand on keeps its roll onto its effector, but its back end does not enter the surface.

use clamber_model::character::{RootAxis, RootJoint};
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, effector_position, forward};
use clamber_model::math::{Vec3, solve_cholesky};
use clamber_model::{Character, Configuration, Contact};
use clamber_posture::contact_projection::sole_roll;

use crate::body_units::BodyScale;
use crate::tuning::{
    PROJECTION_DAMPING, PROJECTION_ITERATIONS, PROJECTION_TOLERANCE, ROLL_DAMPING, ROOT_ROTATION_MOBILITY,
    ROOT_TRANSLATION_MOBILITY,
};

/// Weighted Gauss-Newton steps over all degrees of freedom, with its workspace.
pub(crate) struct ContactProjector {
    /// In meters.
    size: f32,
    frames: LinkFrames,
    /// One row per equation.
    jacobian: Jacobian,
    errors: Vec<f32>,
    /// For each equation, what is added to the diagonal: rolls are only approximated.
    damping: Vec<f32>,
    /// For each contact, the roll that its sole is to have, in radians, if it has one there.
    rolls: Vec<Option<f32>>,
    gram: Vec<f32>,
    /// For each degree of freedom, its inverse weight.
    mobility: Vec<f32>,
    displacement: Vec<f32>,
}

impl ContactProjector {
    pub fn new(character: &Character) -> Self {
        Self {
            size: BodyScale::of(character).length,
            frames: LinkFrames::default(),
            jacobian: Jacobian::new(character),
            errors: Vec::new(),
            damping: Vec::new(),
            rolls: Vec::new(),
            gram: Vec::new(),
            mobility: Vec::new(),
            displacement: Vec::new(),
        }
    }

    /// Projects a configuration onto its contacts and returns the greatest remaining distance, in meters. The result depends
    /// on the configuration alone, so a smooth path stays smooth.
    ///
    /// `gait_weight` says how much of the posture is gait: then the root hardly moves and limbs do all they can.
    pub fn project(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        gait_weight: f32,
    ) -> f32 {
        if stance.is_empty() {
            return 0.0;
        }
        let mix = |[without, with]: [f32; 2]| without + (with - without) * gait_weight;
        let translation = mix(ROOT_TRANSLATION_MOBILITY) * self.size * self.size;
        let rotation = mix(ROOT_ROTATION_MOBILITY);
        let root = character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => translation,
            RootAxis::Turn(_) => rotation,
        });
        self.mobility.clear();
        self.mobility.extend(root);
        self.mobility.resize(character.degrees_of_freedom(), 1.0);
        forward(character, configuration, &mut self.frames);
        // As it is, but not below the surface. In the plane, the average of flat soles is flat.
        let wanted = |contact: &Contact| Roll::of(character, &self.frames, contact).map(|roll| roll.angle.max(0.0));
        self.rolls.clear();
        self.rolls.extend(stance.iter().map(wanted));
        let mut farthest = f32::INFINITY;
        for iteration in 0..=PROJECTION_ITERATIONS {
            farthest = self.measure(character, configuration, stance);
            let is_done = farthest < PROJECTION_TOLERANCE * self.size || iteration == PROJECTION_ITERATIONS;
            if is_done || !self.step(character, configuration) {
                break;
            }
        }
        farthest
    }

    /// Moves the whole body so that the contact's effector is in its place.
    pub fn translate(&mut self, character: &Character, configuration: &mut Configuration, contact: &Contact) {
        forward(character, configuration, &mut self.frames);
        configuration.root.translation +=
            contact.effector_center(character) - effector_position(character, &self.frames, contact.effector);
    }

    /// Fills the Jacobian and the errors. Returns the greatest error, in meters.
    fn measure(&mut self, character: &Character, configuration: &Configuration, stance: &[Contact]) -> f32 {
        let axes = if character.root_joint == RootJoint::Planar { 2 } else { 3 };
        forward(character, configuration, &mut self.frames);
        self.jacobian.linearize(character, &self.frames);
        self.errors.clear();
        self.damping.clear();
        let mut farthest: f32 = 0.0;
        for (contact, wanted) in stance.iter().zip(&self.rolls) {
            let here = effector_position(character, &self.frames, contact.effector);
            let error = contact.effector_center(character) - here;
            farthest = farthest.max(error.length());
            let link = character.effectors[contact.effector].link;
            for gradient in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().take(axes) {
                self.errors.push(error.dot(gradient));
                self.damping.push(PROJECTION_DAMPING * self.size * self.size);
                self.jacobian.push_row();
                self.jacobian.add_term(1.0, JacobianTerm::Point { link, at: here, gradient });
            }
            if let (Some(wanted), Some(roll)) = (wanted, Roll::of(character, &self.frames, contact)) {
                let error = roll.length * (wanted - roll.angle);
                self.errors.push(error);
                self.damping.push(ROLL_DAMPING * roll.length * roll.length);
                // The turn is weighted by the length of the sole, so that all numbers scale with the body.
                let [flat, backward] = roll.directions;
                self.jacobian.push_row();
                self.jacobian.add_term(roll.length, JacobianTerm::Rotation { link, gradient: flat.cross(backward) });
            }
        }
        farthest
    }

    /// Takes the step of least weighted length that removes the errors to first order. Hinges that would pass their limits
    /// are left out of the steps that follow.
    fn step(&mut self, character: &Character, configuration: &mut Configuration) -> bool {
        let (count, dofs) = (self.errors.len(), self.mobility.len());
        self.gram.clear();
        self.gram.resize(count * count, 0.0);
        for (i, row) in self.jacobian.rows().enumerate() {
            for (j, other) in self.jacobian.rows().enumerate().skip(i) {
                self.gram[i * count + j] =
                    row.iter().zip(other).zip(&self.mobility).map(|((a, b), mobility)| a * b * mobility).sum();
            }
            self.gram[i * count + i] += self.damping[i];
        }
        if !solve_cholesky(&mut self.gram, &mut self.errors) {
            return false;
        }
        self.displacement.clear();
        self.displacement.resize(dofs, 0.0);
        for (row, multiplier) in self.jacobian.rows().zip(&self.errors) {
            for ((sum, entry), mobility) in self.displacement.iter_mut().zip(row).zip(&self.mobility) {
                *sum += entry * multiplier * mobility;
            }
        }
        let first = character.root_joint.axes().len();
        for (hinge, limits) in character.hinges.iter_enumerated() {
            let change = self.displacement[first + hinge.index()];
            let to = configuration.angles[hinge] + change;
            if (to < limits.min && change < 0.0) || (to > limits.max && change > 0.0) {
                self.mobility[first + hinge.index()] = 0.0;
            }
        }
        configuration.displace(character, &self.displacement);
        true
    }
}

/// The roll of a sole onto its effector.
struct Roll {
    /// In radians; negative if the back end is below the surface.
    angle: f32,
    /// When the sole lies flat, it faces the first of these directions; as it rolls, it turns toward the second.
    directions: [Vec3; 2],
    /// From the effector to the back end of the sole, in meters.
    length: f32,
}

impl Roll {
    /// `None` if the effector has no patch, or is on a surface that is too steep to stand on.
    fn of(character: &Character, frames: &LinkFrames, contact: &Contact) -> Option<Self> {
        let effector = &character.effectors[contact.effector];
        let world_from_link = frames.world_from_link[effector.link].rotation;
        let (angle, backward) = sole_roll(character, world_from_link, contact)?;
        let directions = [contact.flat_facing(character)?, backward];
        Some(Self { angle, directions, length: effector.ability.patch?.back })
    }
}
