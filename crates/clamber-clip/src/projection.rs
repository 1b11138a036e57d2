//! Puts the effectors of a stance back to their places with the least change of the whole body.

use clamber_model::character::{Root, RootAxis};
use clamber_model::kinematics::{Jacobian, Workspace, effector_in_world, forward, point_jacobian};
use clamber_model::math::solve_cholesky;
use clamber_model::{Character, Configuration, Contact};

/// The memory that it needs.
#[derive(Default)]
pub(crate) struct Projector {
    frames: Workspace,
    jacobian: Jacobian,
    /// One row a number to be made up for, one column a degree of freedom.
    rows: Vec<f32>,
    errors: Vec<f32>,
    gram: Vec<f32>,
    /// How willingly each degree of freedom changes.
    ease: Vec<f32>,
    displacement: Vec<f32>,
}

/// How willingly the body moves when contacts are put back. Limbs of climbers may be stretched, and then it must; hips that
/// walk are where they should be already.
const ROOT_EASE: f32 = 1e-2;
const GAIT_ROOT_EASE: f32 = 1e-3;

/// How willingly the body moves in a posture that is so much of it gait.
pub(crate) fn root_ease(gait: f32) -> f32 {
    ROOT_EASE + (GAIT_ROOT_EASE - ROOT_EASE) * gait
}

/// Near enough, in metres.
const NEAR: f32 = 3e-6;
const MAX_ITERATIONS: usize = 8;

impl Projector {
    /// Returns how far the farthest effector is from its place in the end, in metres. Being a function of the
    /// configuration alone, it makes smooth tracks of smooth tracks.
    ///
    /// `root_ease` says how willingly the root moves beside the hinges: when hardly, limbs make up for all they can.
    pub fn project(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        root_ease: f32,
    ) -> f32 {
        if stance.is_empty() {
            return 0.0;
        }
        let dofs = character.degrees_of_freedom();
        let root = character.root.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => root_ease,
            RootAxis::Turn(_) => 10.0 * root_ease,
        });
        self.ease.clear();
        self.ease.extend(root);
        self.ease.resize(dofs, 1.0);
        let mut farthest = f32::INFINITY;
        for iteration in 0..=MAX_ITERATIONS {
            farthest = self.measure(character, configuration, stance);
            if farthest < NEAR || iteration == MAX_ITERATIONS || !self.step(character, configuration) {
                break;
            }
        }
        farthest
    }

    /// Moves the body as a whole, so that the contact's effector is in its place.
    pub fn shift(&mut self, character: &Character, configuration: &mut Configuration, contact: &Contact) {
        forward(character, configuration, &mut self.frames);
        configuration.root.translation +=
            contact.center(character) - effector_in_world(character, &self.frames, contact.effector);
    }

    /// Fills the rows and errors.
    fn measure(&mut self, character: &Character, configuration: &Configuration, stance: &[Contact]) -> f32 {
        let axes = if character.root == Root::Planar { 2 } else { 3 };
        forward(character, configuration, &mut self.frames);
        self.rows.clear();
        self.errors.clear();
        let mut farthest: f32 = 0.0;
        for contact in stance {
            let here = effector_in_world(character, &self.frames, contact.effector);
            let off = contact.center(character) - here;
            farthest = farthest.max(off.length());
            let link = character.effectors[contact.effector].link;
            point_jacobian(character, &self.frames, link, here, &mut self.jacobian);
            for axis in 0..axes {
                self.errors.push(off[axis]);
                self.rows.extend(self.jacobian.iter().map(|column| column[axis]));
            }
        }
        farthest
    }

    /// A step of least weighted length that makes up for the errors; hinges that would pass their limits stay behind in the
    /// steps that follow.
    fn step(&mut self, character: &Character, configuration: &mut Configuration) -> bool {
        let (count, dofs) = (self.errors.len(), self.ease.len());
        self.gram.clear();
        self.gram.resize(count * count, 0.0);
        for (i, row) in self.rows.chunks_exact(dofs).enumerate() {
            for (j, other) in self.rows.chunks_exact(dofs).enumerate().skip(i) {
                self.gram[i * count + j] =
                    row.iter().zip(other).zip(&self.ease).map(|((a, b), ease)| a * b * ease).sum();
            }
            // Stretched limbs have no step sideways; a millionth keeps what is left of it bounded.
            self.gram[i * count + i] += 1e-6;
        }
        if !solve_cholesky(&mut self.gram, &mut self.errors) {
            return false;
        }
        self.displacement.clear();
        self.displacement.resize(dofs, 0.0);
        for (row, pull) in self.rows.chunks_exact(dofs).zip(&self.errors) {
            for ((sum, entry), ease) in self.displacement.iter_mut().zip(row).zip(&self.ease) {
                *sum += entry * pull * ease;
            }
        }
        let first = character.root.axes().len();
        for (hinge, limits) in character.hinges.iter_enumerated() {
            let change = self.displacement[first + hinge.index()];
            let to = configuration.angles[hinge] + change;
            if (to < limits.min && change < 0.0) || (to > limits.max && change > 0.0) {
                self.ease[first + hinge.index()] = 0.0;
            }
        }
        configuration.displace(character, &self.displacement);
        true
    }
}
