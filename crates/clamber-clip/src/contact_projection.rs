//! Puts the effectors of a stance back on their contacts with the least change of the whole body.
//!
//! A sole that is nearly flat on a surface to stand on becomes flat; one that has rolled onto its effector stays as it is.

use clamber_model::character::{RootAxis, RootJoint};
use clamber_model::kinematics::{Jacobian, LinkFrames, effector_position, forward, point_jacobian};
use clamber_model::math::{Vec3, solve_cholesky};
use clamber_model::{Character, Configuration, Contact};

use crate::body_units::BodyScale;
use crate::ease::ease;
use crate::tuning::{
    FLAT_AND_ROLLED, PROJECTION_DAMPING, PROJECTION_ITERATIONS, PROJECTION_TOLERANCE, ROOT_ROTATION_MOBILITY,
    ROOT_TRANSLATION_MOBILITY,
};

/// Weighted Gauss-Newton steps over all degrees of freedom, with its workspace.
pub(crate) struct ContactProjector {
    /// In meters.
    size: f32,
    frames: LinkFrames,
    jacobian: Jacobian,
    /// One row per equation, one column per degree of freedom.
    rows: Vec<f32>,
    errors: Vec<f32>,
    /// For each contact, the height of the back end of its sole above the surface, in meters, if it has one there.
    heel_heights: Vec<Option<f32>>,
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
            jacobian: Jacobian::default(),
            rows: Vec::new(),
            errors: Vec::new(),
            heel_heights: Vec::new(),
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
        self.heel_heights.clear();
        let wanted = |contact: &Contact| Heel::of(character, &self.frames, contact).map(|heel| heel.wanted_height());
        self.heel_heights.extend(stance.iter().map(wanted));
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

    /// Fills the rows and errors. Returns the greatest error, in meters.
    fn measure(&mut self, character: &Character, configuration: &Configuration, stance: &[Contact]) -> f32 {
        let axes = if character.root_joint == RootJoint::Planar { 2 } else { 3 };
        forward(character, configuration, &mut self.frames);
        self.rows.clear();
        self.errors.clear();
        let mut farthest: f32 = 0.0;
        for (contact, heel_height) in stance.iter().zip(&self.heel_heights) {
            let here = effector_position(character, &self.frames, contact.effector);
            let error = contact.effector_center(character) - here;
            farthest = farthest.max(error.length());
            let link = character.effectors[contact.effector].link;
            point_jacobian(character, &self.frames, link, here, &mut self.jacobian);
            for axis in 0..axes {
                self.errors.push(error[axis]);
                self.rows.extend(self.jacobian.iter().map(|column| column[axis]));
            }
            if let (Some(wanted), Some(heel)) = (heel_height, Heel::of(character, &self.frames, contact)) {
                farthest = farthest.max((wanted - heel.height).abs());
                point_jacobian(character, &self.frames, link, heel.position, &mut self.jacobian);
                self.errors.push(wanted - heel.height);
                self.rows.extend(self.jacobian.iter().map(|column| column.dot(contact.normal)));
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
        for (i, row) in self.rows.chunks_exact(dofs).enumerate() {
            for (j, other) in self.rows.chunks_exact(dofs).enumerate().skip(i) {
                self.gram[i * count + j] =
                    row.iter().zip(other).zip(&self.mobility).map(|((a, b), mobility)| a * b * mobility).sum();
            }
            self.gram[i * count + i] += PROJECTION_DAMPING * self.size * self.size;
        }
        if !solve_cholesky(&mut self.gram, &mut self.errors) {
            return false;
        }
        self.displacement.clear();
        self.displacement.resize(dofs, 0.0);
        for (row, multiplier) in self.rows.chunks_exact(dofs).zip(&self.errors) {
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

/// The back end of a sole.
struct Heel {
    position: Vec3,
    /// Above where it is when the sole lies flat, in meters.
    height: f32,
    /// From the effector to the back end, in meters.
    length: f32,
}

impl Heel {
    /// `None` if the effector has no patch, or is on a surface that is too steep to stand on.
    fn of(character: &Character, frames: &LinkFrames, contact: &Contact) -> Option<Self> {
        contact.flat_facing(character)?;
        let effector = &character.effectors[contact.effector];
        let patch = effector.ability.patch?;
        let position = frames.world_from_link[effector.link] * (effector.center - patch.forward * patch.back);
        let height = contact.normal.dot(position - contact.effector_center(character));
        Some(Self { position, height, length: patch.back })
    }

    /// The height that it is to have: 0 up to a small roll, its own from a larger one on, and a smooth curve between the two.
    fn wanted_height(&self) -> f32 {
        let [flat, rolled] = FLAT_AND_ROLLED.map(|roll| roll * self.length);
        let share = ((self.height - flat) / (rolled - flat).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.height * ease(share)
    }
}
