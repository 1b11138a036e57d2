//! Analytic Jacobians of scalars that depend on a configuration.

use clamber_model::character::RootAxis;
use clamber_model::id::{HingeId, LinkId, TiVec};
use clamber_model::kinematics::LinkFrames;
use clamber_model::math::{Vec3, add_gram, add_scaled};
use clamber_model::{Character, Configuration};

/// One term of the derivative of a scalar.
#[derive(Clone, Copy)]
pub(crate) enum JacobianTerm {
    /// The scalar changes by `gradient` per meter that the world point `at`, fixed in a link, moves.
    Point { link: LinkId, at: Vec3, gradient: Vec3 },
    /// The scalar changes by `gradient` per radian that a link turns, about each world axis.
    Rotation { link: LinkId, gradient: Vec3 },
    /// The scalar changes by this gradient per meter that the center of mass moves.
    CenterOfMass(Vec3),
    /// The scalar changes by `slope` per radian of a hinge.
    Hinge { hinge: HingeId, slope: f32 },
}

/// The Jacobian of a list of scalars: one row per scalar, one column per degree of freedom.
pub(crate) struct Jacobian {
    /// For each link, the degrees of freedom that move it.
    moved_by: TiVec<LinkId, Vec<usize>>,
    root_dofs: usize,
    /// The rigid motion that each degree of freedom gives the links it moves.
    motions: Vec<RigidMotion>,
    /// The velocity of the center of mass per unit of each degree of freedom.
    center_velocities: Vec<Vec3>,
    /// For each link, the mass of its subtree and that mass times its center.
    subtrees: TiVec<LinkId, (f32, Vec3)>,
    /// Row by row.
    entries: Vec<f32>,
}

/// The velocity field of a rigid body for a unit rate of one degree of freedom.
struct RigidMotion {
    linear: Vec3,
    angular: Vec3,
    /// A point on the rotation axis.
    origin: Vec3,
}

impl RigidMotion {
    fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.origin)
    }
}

impl Jacobian {
    pub fn new(character: &Character) -> Self {
        let root_dofs = character.root_joint.axes().len();
        let mut moved_by: TiVec<LinkId, Vec<usize>> = TiVec::with_capacity(character.links.len());
        for link in &character.links {
            let inherited = link.parent.map_or_else(|| (0..root_dofs).collect(), |parent| moved_by[parent].clone());
            moved_by
                .push(inherited.into_iter().chain(link.hinges.iter().map(|hinge| root_dofs + hinge.index())).collect());
        }
        let (motions, center_velocities, subtrees, entries) = (Vec::new(), Vec::new(), TiVec::new(), Vec::new());
        Self { moved_by, root_dofs, motions, center_velocities, subtrees, entries }
    }

    /// Removes all rows and linearizes at a configuration.
    pub fn linearize_at(&mut self, character: &Character, at: &Configuration, frames: &LinkFrames) {
        let Self { motions, entries, .. } = self;
        entries.clear();
        motions.clear();
        motions.extend(character.root_joint.axes().iter().map(|axis| match *axis {
            RootAxis::Move(linear) => RigidMotion { linear, angular: Vec3::ZERO, origin: Vec3::ZERO },
            RootAxis::Turn(angular) => RigidMotion { linear: Vec3::ZERO, angular, origin: at.root.translation },
        }));
        motions.extend(character.hinges.iter_enumerated().map(|(index, hinge)| {
            let origin = frames.world_from_link[hinge.link].translation;
            RigidMotion { linear: Vec3::ZERO, angular: frames.hinge_axis(character, index), origin }
        }));
        self.fill_center_velocities(character, frames);
    }

    fn fill_center_velocities(&mut self, character: &Character, frames: &LinkFrames) {
        let Self { motions, center_velocities, subtrees, .. } = self;
        subtrees.clear();
        subtrees.extend(
            character
                .links
                .iter()
                .zip(&frames.world_from_link)
                .map(|(link, world_from_link)| (link.mass, (*world_from_link * link.center_of_mass) * link.mass)),
        );
        for index in (1..subtrees.len()).rev().map(LinkId::from) {
            let Some(parent) = character.links[index].parent else { continue };
            let (mass, moment) = subtrees[index];
            subtrees[parent].0 += mass;
            subtrees[parent].1 += moment;
        }
        let links =
            std::iter::repeat_n(LinkId::ROOT, self.root_dofs).chain(character.hinges.iter().map(|hinge| hinge.link));
        center_velocities.clear();
        center_velocities.extend(motions.iter().zip(links).map(|(motion, link)| {
            let (mass, moment) = subtrees[link];
            (motion.linear * mass + motion.angular.cross(moment - motion.origin * mass)) / character.total_mass
        }));
    }

    /// Appends a row of zeros.
    pub fn push_row(&mut self) {
        self.entries.resize(self.entries.len() + self.motions.len(), 0.0);
    }

    /// Adds a multiple of a term to the last row.
    pub fn add_term(&mut self, weight: f32, term: JacobianTerm) {
        let start = self.entries.len() - self.motions.len();
        let row = &mut self.entries[start..];
        match term {
            JacobianTerm::Point { link, at, gradient } => {
                let gradient = gradient * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += gradient.dot(self.motions[dof].velocity_at(at));
                }
            }
            JacobianTerm::Rotation { link, gradient } => {
                let gradient = gradient * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += gradient.dot(self.motions[dof].angular);
                }
            }
            JacobianTerm::CenterOfMass(gradient) => {
                let gradient = gradient * weight;
                for (entry, velocity) in row.iter_mut().zip(&self.center_velocities) {
                    *entry += gradient.dot(*velocity);
                }
            }
            JacobianTerm::Hinge { hinge, slope } => row[self.root_dofs + hinge.index()] += weight * slope,
        }
    }

    /// Adds `weight` to the entry of one degree of freedom in the last row.
    pub fn add_dof(&mut self, weight: f32, dof: usize) {
        let start = self.entries.len() - self.motions.len();
        self.entries[start + dof] += weight;
    }

    /// The rows, one entry per degree of freedom.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.entries.chunks_exact(self.motions.len().max(1))
    }

    /// Fills the normal equations for these residuals: `gram` is JᵀJ, of which the upper triangle is enough, and `gradient`
    /// is -Jᵀr.
    pub fn fill_normal_equations(&self, residuals: &[f32], gram: &mut Vec<f32>, gradient: &mut Vec<f32>) {
        let count = self.motions.len();
        gram.clear();
        gram.resize(count * count, 0.0);
        gradient.clear();
        gradient.resize(count, 0.0);
        for (row, residual) in self.rows().zip(residuals) {
            add_scaled(gradient, -residual, row);
        }
        add_gram(&self.entries, gram);
    }
}
