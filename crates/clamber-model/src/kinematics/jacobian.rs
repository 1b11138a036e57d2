//! Analytic Jacobians of scalars that depend on a configuration.

use typed_index_collections::TiVec;

use crate::character::{Character, RootAxis};
use crate::id::{HingeId, LinkId};
use crate::kinematics::LinkFrames;
use crate::math::Vec3;

/// One term of the derivative of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JacobianTerm {
    /// The scalar changes by `gradient` per meter that the world point `at`, fixed in a link, moves.
    Point {
        /// The link.
        link: LinkId,
        /// The point.
        at: Vec3,
        /// Per meter along each world axis.
        gradient: Vec3,
    },
    /// The scalar changes by `gradient` per radian that a link turns.
    Rotation {
        /// The link.
        link: LinkId,
        /// Per radian about each world axis.
        gradient: Vec3,
    },
    /// The scalar changes by this gradient per meter that the center of mass moves.
    CenterOfMass(Vec3),
    /// The scalar changes by `slope` per radian of a hinge.
    Hinge {
        /// The hinge.
        hinge: HingeId,
        /// Per radian.
        slope: f32,
    },
}

/// The Jacobian of a list of scalars: one row per scalar, one column per degree of freedom (the root's axes first, then the hinges).
/// Owns its memory: fill it again for each configuration of the character.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// For each link, the degrees of freedom that move it.
    moved_by: TiVec<LinkId, Vec<usize>>,
    root_dofs: usize,
    total_mass: f32,
    /// The rigid motion that each degree of freedom gives the links it moves.
    motions: Vec<RigidMotion>,
    /// For each link, the mass of its subtree and that mass times its center.
    subtrees: TiVec<LinkId, (f32, Vec3)>,
    /// Row by row.
    entries: Vec<f32>,
}

/// The velocity field of a rigid body for a unit rate of one degree of freedom.
#[derive(Clone, Copy, Debug)]
struct RigidMotion {
    linear: Vec3,
    angular: Vec3,
    /// A point on the rotation axis.
    origin: Vec3,
    /// The link whose subtree moves.
    link: LinkId,
}

impl RigidMotion {
    fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.origin)
    }
}

impl Jacobian {
    /// A Jacobian without rows, to be [linearized](Self::linearize) first.
    pub fn new(character: &Character) -> Self {
        let root_dofs = character.root_joint.axes().len();
        let mut moved_by: TiVec<LinkId, Vec<usize>> = TiVec::with_capacity(character.links.len());
        for link in &character.links {
            let inherited = link.parent.map_or_else(|| (0..root_dofs).collect(), |parent| moved_by[parent].clone());
            moved_by
                .push(inherited.into_iter().chain(link.hinges.iter().map(|hinge| root_dofs + hinge.index())).collect());
        }
        let (motions, subtrees, entries) = (Vec::new(), TiVec::new(), Vec::new());
        Self { moved_by, root_dofs, total_mass: character.total_mass, motions, subtrees, entries }
    }

    /// Removes all rows and linearizes at the configuration of these frames.
    pub fn linearize(&mut self, character: &Character, frames: &LinkFrames) {
        let Self { motions, subtrees, entries, .. } = self;
        entries.clear();
        let place = |link: LinkId| frames.world_from_link[link].translation;
        motions.clear();
        motions.extend(character.root_joint.axes().iter().map(|axis| {
            let (linear, angular) = match *axis {
                RootAxis::Move(linear) => (linear, Vec3::ZERO),
                RootAxis::Turn(angular) => (Vec3::ZERO, angular),
            };
            RigidMotion { linear, angular, origin: place(LinkId::ROOT), link: LinkId::ROOT }
        }));
        motions.extend(character.hinges.iter_enumerated().map(|(index, hinge)| {
            let angular = frames.hinge_axis(character, index);
            RigidMotion { linear: Vec3::ZERO, angular, origin: place(hinge.link), link: hinge.link }
        }));
        subtrees.clear();
        let links = character.links.iter().zip(&frames.world_from_link);
        subtrees.extend(
            links.map(|(link, world_from_link)| (link.mass, (*world_from_link * link.center_of_mass) * link.mass)),
        );
        for index in (1..subtrees.len()).rev().map(LinkId::from) {
            let Some(parent) = character.links[index].parent else { continue };
            let (mass, moment) = subtrees[index];
            subtrees[parent].0 += mass;
            subtrees[parent].1 += moment;
        }
    }

    /// Appends a row of zeros.
    #[inline]
    pub fn push_row(&mut self) {
        self.entries.resize(self.entries.len() + self.motions.len(), 0.0);
    }

    /// Adds a multiple of a term to the last row.
    #[inline]
    pub fn add_term(&mut self, weight: f32, term: JacobianTerm) {
        let Self { motions, subtrees, entries, .. } = self;
        let start = entries.len() - motions.len();
        let row = &mut entries[start..];
        match term {
            JacobianTerm::Point { link, at, gradient } => {
                let gradient = gradient * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += gradient.dot(motions[dof].velocity_at(at));
                }
            }
            JacobianTerm::Rotation { link, gradient } => {
                let gradient = gradient * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += gradient.dot(motions[dof].angular);
                }
            }
            JacobianTerm::CenterOfMass(gradient) => {
                let gradient = gradient * weight;
                for (entry, motion) in row.iter_mut().zip(motions.iter()) {
                    let (mass, moment) = subtrees[motion.link];
                    let momentum = motion.linear * mass + motion.angular.cross(moment - motion.origin * mass);
                    *entry += gradient.dot(momentum / self.total_mass);
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
    #[inline]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> + Clone {
        self.entries.chunks_exact(self.motions.len().max(1))
    }

    /// All entries, row by row.
    #[inline]
    pub fn entries(&self) -> &[f32] {
        &self.entries
    }
}
