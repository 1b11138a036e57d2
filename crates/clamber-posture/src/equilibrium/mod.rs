//! Static equilibrium: whether contact forces inside their friction cones and limits can carry the body.
//!
//! The contacts of a stance carry the body if non-negative multiples of their unit loads add up to a wrench that balances its weight
//! (a linear program). The wrench of the weight depends on the horizontal position of the center of mass alone. So a stance
//! has a [support region](SupportRegion) of positions at which it carries the body, which generalizes the support polygon to
//! slopes, friction, grips and limited forces (Bretl and Lall, "Testing static equilibrium for legged robots", 2008). It is
//! convex, and in the plane it is an interval. A search computes it once per stance and then compares positions.

mod contact_loads;
mod shortfall;
mod simplex;

use clamber_model::character::RootJoint;
use clamber_model::kinematics::LinkFrames;
use clamber_model::math::{Vec3, double};
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::{Character, Contact, World};

use contact_loads::ContactLoads;
pub use shortfall::Shortfall;
use simplex::Tableau;

/// Directions in which the support region of a spatial stance is measured. The region between them is not used.
const REGION_DIRECTIONS: usize = 16;

/// What may be missing in the equations of an equilibrium, in body weights and body weights times body sizes: rounding.
const MAX_MISSING: f64 = 1e-8;

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
    loads: ContactLoads,
    tableau: Tableau,
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
        let directions = displacement_directions(character, REGION_DIRECTIONS);
        // The displacement is free in sign: a column along each axis and one against it.
        let axes = displacement_directions(character, 4);
        let columns = self.fill_tableau(character, self.loads.reference, &axes);
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
        let directions = displacement_directions(character, REGION_DIRECTIONS);
        let columns = self.fill_tableau(character, center_of_mass.as_dvec3(), &directions);
        if !center_of_mass.is_finite() || self.tableau.find_feasible() > MAX_MISSING {
            return f64::INFINITY;
        }
        let is_displacement = |column: usize| (columns..columns + directions.len()).contains(&column);
        let least = -self.tableau.maximize(|column| if is_displacement(column) { -1.0 } else { 0.0 });
        least.max(0.0) * self.loads.length
    }

    /// Fills the tableau: loads, displacements of the center of mass, slacks of the limits. Returns the first column of the
    /// displacements.
    fn fill_tableau(&mut self, character: &Character, center: double::Vec3, displacements: &[double::Vec3]) -> usize {
        let Self { loads, tableau } = self;
        let (equations, limits) = (loads.equations, loads.limits.len());
        let first_displacement = loads.columns.len();
        let first_slack = first_displacement + displacements.len();
        tableau.reset(equations + limits, first_slack + limits);
        for (column, load) in loads.columns.iter().enumerate() {
            for row in 0..equations {
                tableau.set(row, column, load.wrench[row]);
            }
            tableau.set(equations + load.limit, column, 1.0);
        }
        for (index, direction) in displacements.iter().enumerate() {
            let change = loads.carrying_per_displacement(character.root_joint, *direction);
            for row in 0..equations {
                tableau.set(row, first_displacement + index, -change[row]);
            }
        }
        let carrying = loads.carrying(character.root_joint, center);
        for row in 0..equations {
            tableau.set_right_hand_side(row, carrying[row]);
        }
        for (limit, &greatest) in loads.limits.iter().enumerate() {
            tableau.set(equations + limit, first_slack + limit, 1.0);
            tableau.set_right_hand_side(equations + limit, greatest);
        }
        first_displacement
    }
}

/// Evenly spaced horizontal unit vectors; in the plane, the two along it.
fn displacement_directions(character: &Character, count: usize) -> Vec<double::Vec3> {
    if character.root_joint == RootJoint::Planar {
        return vec![double::Vec3::X, -double::Vec3::X];
    }
    let at = |index: usize| {
        let (sin, cos) = double::sin_cos(std::f64::consts::TAU * index as f64 / count as f64);
        double::Vec3::new(cos, 0.0, sin)
    };
    (0..count).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::{center_of_mass, forward};
    use clamber_model::world::HoldType;
    use clamber_testing::{ground_world, hold, touching};

    /// The figure on one foot on a hold of this type and friction, its center of mass moved ahead.
    fn on_one_foot(normal: Vec3, hold_type: HoldType, friction: f32, ahead: f32) -> (f64, Option<Shortfall>) {
        let character = clamber_testing::character("figure");
        let mut configuration = Configuration::rest(&character);
        configuration.root.translation.y = 0.9;
        let mut contact = touching(&character, &configuration, "left_foot");
        let foothold = hold("foothold", [contact.point.x, contact.point.y], normal, hold_type);
        let world = ground_world(Vec::new(), vec![clamber_model::world::Hold { friction, ..foothold }], 1.0);
        contact.normal = normal;
        let mut frames = LinkFrames::default();
        forward(&character, &configuration, &mut frames);
        let center = center_of_mass(&character, &frames).with_x(contact.point.x + ahead);
        let mut solver = EquilibriumSolver::default();
        let distance = solver.distance_outside(&character, &world, &frames, &[contact], center);
        (distance, solver.shortfall(&character, &world, &frames, &[contact], center))
    }

    #[test]
    fn a_foot_on_level_ground_carries_the_body_above_it() {
        let (distance, shortfall) = on_one_foot(Vec3::Y, HoldType::LoadBearing, 0.8, 0.0);
        assert!(distance < 1e-9 && shortfall.is_none(), "{distance} {shortfall:?}");
        let (distance, shortfall) = on_one_foot(Vec3::Y, HoldType::LoadBearing, 0.8, 0.2);
        assert!((distance - 0.2).abs() < 1e-6, "{distance}");
        // Neither strength nor friction helps a body that tips over.
        let shortfall = shortfall.unwrap();
        assert!((shortfall.balance.unwrap() - 0.2).abs() < 1e-6, "{shortfall:?}");
        assert_eq!((shortfall.strength, shortfall.friction), (None, None));
    }

    #[test]
    fn a_slope_needs_its_tangent_as_friction() {
        let slope = Vec3::new(-0.6, 0.8, 0.0);
        let (distance, _) = on_one_foot(slope, HoldType::LoadBearing, 0.751, 0.0);
        assert!(distance < 1e-9, "{distance}");
        let (distance, shortfall) = on_one_foot(slope, HoldType::LoadBearing, 0.5, 0.0);
        assert!(distance.is_infinite());
        let shortfall = shortfall.unwrap();
        assert!((shortfall.friction.unwrap() - 1.5).abs() < 0.01, "{shortfall:?}");
        assert_eq!((shortfall.balance, shortfall.strength), (None, None));
    }

    #[test]
    fn a_foot_cannot_hang_and_an_empty_stance_carries_nothing() {
        let (distance, shortfall) = on_one_foot(Vec3::NEG_Y, HoldType::Pendent, 0.8, 0.0);
        assert!(distance.is_infinite());
        assert_eq!(shortfall.unwrap(), Shortfall { balance: None, strength: None, friction: None });
        let character = clamber_testing::character("figure");
        let mut frames = LinkFrames::default();
        forward(&character, &Configuration::rest(&character), &mut frames);
        let world = ground_world(Vec::new(), Vec::new(), 1.0);
        let mut solver = EquilibriumSolver::default();
        assert!(solver.support_region(&character, &world, &frames, &[]).corners.is_empty());
        assert!(solver.distance_outside(&character, &world, &frames, &[], Vec3::ZERO).is_infinite());
    }
}
