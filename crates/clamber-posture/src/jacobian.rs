//! How numbers that depend on a posture change with its degrees of freedom.

use clamber_model::character::RootAxis;
use clamber_model::kinematics::Workspace;
use clamber_model::math::{Vec3, add_products, add_scaled};
use clamber_model::{Character, Configuration};

/// What a number changes with.
#[derive(Clone, Copy)]
pub enum JacobianRow {
    /// With a point of a link, given in the world: by so much a metre along each axis.
    Point { link: usize, at: Vec3, along: Vec3 },
    /// With the direction of a link: by so much a radian about each axis.
    Turn { link: usize, about: Vec3 },
    /// With the centre of mass: by so much a metre along each axis.
    Center(Vec3),
    /// With a hinge: by so much a radian.
    Hinge { hinge: usize, by: f32 },
}

/// The slopes of some numbers: one row a number, one column a degree of freedom.
pub struct Jacobian {
    /// For each link, the degrees of freedom that move it.
    moved_by: Vec<Vec<usize>>,
    root_dofs: usize,
    /// How each degree of freedom moves what it moves.
    motions: Vec<RigidMotion>,
    /// How far each degree of freedom moves the centre of mass.
    centers: Vec<Vec3>,
    /// For each link, the mass of all that it carries and its moment about the world's origin.
    burdens: Vec<(f32, Vec3)>,
    rows: Vec<f32>,
}

/// A move, or a turn about a point, with a change of one.
struct RigidMotion {
    way: Vec3,
    turn: Vec3,
    origin: Vec3,
}

impl RigidMotion {
    /// The way of a point.
    fn at(&self, point: Vec3) -> Vec3 {
        self.way + self.turn.cross(point - self.origin)
    }
}

impl Jacobian {
    pub fn new(character: &Character) -> Self {
        let root_dofs = character.root.axes().len();
        let mut moved_by: Vec<Vec<usize>> = Vec::with_capacity(character.links.len());
        for link in &character.links {
            let carried = link.parent.map_or_else(|| (0..root_dofs).collect(), |parent| moved_by[parent].clone());
            moved_by.push(carried.into_iter().chain(link.hinges.clone().map(|hinge| root_dofs + hinge)).collect());
        }
        let (motions, centers, burdens, rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { moved_by, root_dofs, motions, centers, burdens, rows }
    }

    /// Forgets all rows; the next ones are of this configuration.
    pub fn begin(&mut self, character: &Character, at: &Configuration, frames: &Workspace) {
        let Self { motions, centers, burdens, rows, .. } = self;
        rows.clear();
        motions.clear();
        motions.extend(character.root.axes().iter().map(|axis| match *axis {
            RootAxis::Move(way) => RigidMotion { way, turn: Vec3::ZERO, origin: Vec3::ZERO },
            RootAxis::Turn(turn) => RigidMotion { way: Vec3::ZERO, turn, origin: at.root.translation },
        }));
        motions.extend(character.hinges.iter().enumerate().map(|(index, hinge)| {
            let origin = frames.world_from_link[hinge.link].translation;
            RigidMotion { way: Vec3::ZERO, turn: frames.hinge_axis(character, index), origin }
        }));

        burdens.clear();
        burdens.extend(
            character
                .links
                .iter()
                .zip(&frames.world_from_link)
                .map(|(link, world_from_link)| (link.mass, (*world_from_link * link.center_of_mass) * link.mass)),
        );
        for index in (1..burdens.len()).rev() {
            let Some(parent) = character.links[index].parent else { continue };
            let (mass, moment) = burdens[index];
            burdens[parent].0 += mass;
            burdens[parent].1 += moment;
        }
        let links = std::iter::repeat_n(0, self.root_dofs).chain(character.hinges.iter().map(|hinge| hinge.link));
        centers.clear();
        centers.extend(motions.iter().zip(links).map(|(motion, link)| {
            let (mass, moment) = burdens[link];
            (motion.way * mass + motion.turn.cross(moment - motion.origin * mass)) / character.total_mass
        }));
    }

    /// Begins the row of another number, which changes with nothing yet.
    pub fn push(&mut self) {
        self.rows.resize(self.rows.len() + self.motions.len(), 0.0);
    }

    /// Adds a multiple of a slope to the last row.
    pub fn add(&mut self, weight: f32, slope: JacobianRow) {
        let begins = self.rows.len() - self.motions.len();
        let row = &mut self.rows[begins..];
        match slope {
            JacobianRow::Point { link, at, along } => {
                let along = along * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += along.dot(self.motions[dof].at(at));
                }
            }
            JacobianRow::Turn { link, about } => {
                let about = about * weight;
                for &dof in &self.moved_by[link] {
                    row[dof] += about.dot(self.motions[dof].turn);
                }
            }
            JacobianRow::Center(along) => {
                let along = along * weight;
                for (entry, center) in row.iter_mut().zip(&self.centers) {
                    *entry += along.dot(*center);
                }
            }
            JacobianRow::Hinge { hinge, by } => row[self.root_dofs + hinge] += weight * by,
        }
    }

    /// Adds a multiple of a degree of freedom itself to the last row.
    pub fn add_dof(&mut self, weight: f32, dof: usize) {
        let begins = self.rows.len() - self.motions.len();
        self.rows[begins + dof] += weight;
    }

    /// The rows, each as long as there are degrees of freedom.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.rows.chunks_exact(self.motions.len().max(1))
    }

    /// Fills the normal equations of numbers that are to become 0: the products of the columns with each other, of which the
    /// upper triangle is enough, and with the numbers.
    pub fn fill_normal_equations(&self, numbers: &[f32], gram: &mut Vec<f32>, gradient: &mut Vec<f32>) {
        let count = self.motions.len();
        gram.clear();
        gram.resize(count * count, 0.0);
        gradient.clear();
        gradient.resize(count, 0.0);
        for (row, number) in self.rows().zip(numbers) {
            add_scaled(gradient, -number, row);
        }
        add_products(&self.rows, gram);
    }
}
