//! Support regions, and distances of a center of mass from them.

use clamber_model::character::RootJoint;
use clamber_model::kinematics::LinkFrames;
use clamber_model::math::{Vec3, double};
use clamber_model::simplex::Tableau;
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::{Character, Contact, World};

use super::contact_loads::ContactLoads;

/// Directions in which the support region of a spatial stance is measured. The region between them is not used.
const REGION_DIRECTIONS: usize = 16;

/// What may be missing in the equations of an equilibrium, in body weights and body weights times body sizes: rounding.
pub(super) const MAX_MISSING: f64 = 1e-6;

/// The horizontal positions of the center of mass at which a stance carries the body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportRegion {
    /// The region is their convex hull. Heights do not matter. Empty if the stance cannot carry the body at all.
    pub corners: Vec<Vec3>,
}

impl SupportRegion {
    /// Returns the horizontal displacement from a position to the nearest position in the region: zero inside, infinite if the
    /// region is empty.
    pub fn displacement_from(&self, center_of_mass: Vec3) -> Vec3 {
        horizontal_displacement_to_hull(center_of_mass, &self.corners)
    }
}

/// Computes equilibria. Reused for any number of stances.
#[derive(Default)]
pub struct EquilibriumSolver {
    pub(super) loads: ContactLoads,
    pub(super) tableau: Tableau,
}

impl EquilibriumSolver {
    /// Returns the support region of a stance. The frames give the directions of patches and grips.
    pub fn support_region(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
    ) -> SupportRegion {
        self.loads.fill(character, world, frames, stance, 1.0);
        let directions: Vec<double::Vec3> = displacement_directions(character, REGION_DIRECTIONS).collect();
        // The displacement is free in sign: a column along each axis and one against it.
        let axes: Vec<double::Vec3> = displacement_directions(character, 4).collect();
        let columns = self.fill_tableau(character, self.loads.reference, &axes, None);
        let mut region = SupportRegion::default();
        if self.tableau.find_feasible() > MAX_MISSING {
            return region;
        }
        for direction in &directions {
            let along = |column: usize| axes.get(column.wrapping_sub(columns)).map_or(0.0, |axis| axis.dot(*direction));
            if !self.tableau.maximize(along).is_finite() {
                continue;
            }
            let displacement: double::Vec3 =
                axes.iter().enumerate().map(|(index, axis)| *axis * self.tableau.value(columns + index)).sum();
            region.corners.push((self.loads.reference + displacement * self.loads.length).as_vec3());
        }
        region
    }

    /// Returns the least horizontal displacement of the center of mass, in meters, with which a stance carries the body: 0 if it
    /// does, infinite if it cannot. In space the displacement is a sum of displacements along 16 directions.
    pub fn distance_outside(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
        center_of_mass: Vec3,
    ) -> f64 {
        self.loads.fill(character, world, frames, stance, 1.0);
        let directions: Vec<double::Vec3> = displacement_directions(character, REGION_DIRECTIONS).collect();
        let columns = self.fill_tableau(character, center_of_mass.as_dvec3(), &directions, None);
        if !center_of_mass.is_finite() || self.tableau.find_feasible() > MAX_MISSING {
            return f64::INFINITY;
        }
        let is_displacement = |column: usize| (columns..columns + directions.len()).contains(&column);
        let least = -self.tableau.maximize(|column| if is_displacement(column) { -1.0 } else { 0.0 });
        least.max(0.0) * self.loads.length
    }

    /// Fills the tableau: loads, displacements of the center of mass, slacks of the limits. `more_rows` adds so many rows, a column that
    /// they have in common, and a slack for each. Returns the first column of the displacements.
    pub(super) fn fill_tableau(
        &mut self,
        character: &Character,
        center: double::Vec3,
        displacements: &[double::Vec3],
        more_rows: Option<usize>,
    ) -> usize {
        let Self { loads, tableau } = self;
        let (equations, limits) = (loads.equations, loads.limits.len());
        let first_displacement = loads.columns.len();
        let first_slack = first_displacement + displacements.len();
        let more_columns = more_rows.map_or(0, |rows| rows + 1);
        tableau.reset(equations + limits + more_rows.unwrap_or(0), first_slack + limits + more_columns);
        for (column, load) in loads.columns.iter().enumerate() {
            for (row, &entry) in load.wrench[..equations].iter().enumerate() {
                tableau.set(row, column, entry);
            }
            tableau.set(equations + load.limit, column, 1.0);
        }
        for (index, direction) in displacements.iter().enumerate() {
            let change = loads.carrying_per_displacement(character.root_joint, *direction);
            for (row, &entry) in change[..equations].iter().enumerate() {
                tableau.set(row, first_displacement + index, -entry);
            }
        }
        let carrying = loads.carrying(character.root_joint, center);
        for (row, &entry) in carrying[..equations].iter().enumerate() {
            tableau.set_right_hand_side(row, entry);
        }
        for (limit, &greatest) in loads.limits.iter().enumerate() {
            tableau.set_slack(equations + limit, first_slack + limit);
            tableau.set_right_hand_side(equations + limit, greatest);
        }
        first_displacement
    }
}

/// Evenly spaced horizontal unit vectors; in the plane, the two along it.
pub(super) fn displacement_directions(
    character: &Character,
    count: usize,
) -> impl Iterator<Item = double::Vec3> + use<> {
    let is_planar = character.root_joint == RootJoint::Planar;
    let count = if is_planar { 2 } else { count };
    (0..count).map(move |index| {
        if is_planar {
            return if index == 0 { double::Vec3::X } else { -double::Vec3::X };
        }
        let (sin, cos) = double::sin_cos(std::f64::consts::TAU * index as f64 / count as f64);
        double::Vec3::new(cos, 0.0, sin)
    })
}
