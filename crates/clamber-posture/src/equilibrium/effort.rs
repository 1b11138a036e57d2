//! The effort of a posture: the torques that its hinges need for equilibrium, relative to their strength.
//!
//! The contacts share the weight so that the largest of these ratios is as small as possible, a linear program: the same loads as
//! for equilibrium, with two rows more for each hinge that they turn. Where they do not carry the body, its center of mass is
//! displaced at a cost. How the ratio changes with the posture follows from the dual values: a change of the posture changes
//! the coefficients, and at the optimum the loads need not be computed again for that.

use clamber_model::character::RootAxis;
use clamber_model::kinematics::{JacobianTerm, LinkFrames, center_of_mass};
use clamber_model::math::double;
use clamber_model::{Character, Contact, World};

use super::loaded_hinge::{LoadedHinge, TorqueLimit, find_loaded_hinges, moves, weights_beyond};
use super::solver::{EquilibriumSolver, MAX_MISSING, displacement_directions};

/// What a displacement of the center of mass by one body size costs, in ratios of torque.
const DISPLACEMENT_COST: f64 = 30.0;
/// Directions of displacements in space.
const DIRECTIONS: usize = 8;

/// Computes efforts and their gradients. Reused for any number of postures.
#[derive(Default)]
pub struct EffortSolver {
    equilibrium: EquilibriumSolver,
    hinges: Vec<LoadedHinge>,
    directions: Vec<double::Vec3>,
    /// For each equation of equilibrium and each hinge, how the effort changes with its right-hand side or moment.
    slopes: Vec<f64>,
}

impl EffortSolver {
    /// Returns the largest ratio of torque to strength of the hinges that the contacts turn, with the cost of a displacement; `None`
    /// if the contacts cannot carry the body, or no strength is known.
    pub fn effort(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
    ) -> Option<f64> {
        self.equilibrium.loads.fill(character, world, frames, stance, 1.0);
        self.slopes.clear();
        find_loaded_hinges(character, frames, stance, &self.equilibrium.loads, &mut self.hinges);
        if self.hinges.is_empty() {
            return None;
        }
        self.directions.clear();
        self.directions.extend(displacement_directions(character, DIRECTIONS));
        let first_displacement = self.fill_tableau(character, frames);
        let tableau = &mut self.equilibrium.tableau;
        if tableau.find_feasible() > MAX_MISSING {
            return None;
        }
        let ratio = first_displacement + self.directions.len() + self.equilibrium.loads.limits.len();
        let cost = |column: usize| match column {
            _ if column == ratio => -1.0,
            _ if (first_displacement..first_displacement + self.directions.len()).contains(&column) => {
                -DISPLACEMENT_COST
            }
            _ => 0.0,
        };
        let effort = -tableau.maximize(cost);
        let (equations, limits) = (self.equilibrium.loads.equations, self.equilibrium.loads.limits.len());
        self.slopes.extend((0..equations).map(|row| -tableau.dual(row, cost)));
        for (number, hinge) in self.hinges.iter().enumerate() {
            let row = equations + limits + 2 * number;
            let [smaller, greater] = [0, 1].map(|side| tableau.dual(row + side, cost) / hinge.strength[side]);
            self.slopes.push(smaller - greater);
        }
        Some(effort)
    }

    /// Fills the program: after the columns of equilibrium the largest ratio, and a slack for either side of each hinge.
    fn fill_tableau(&mut self, character: &Character, frames: &LinkFrames) -> usize {
        let Self { equilibrium, hinges, directions, .. } = self;
        let center = center_of_mass(character, frames).as_dvec3();
        let first_displacement = equilibrium.fill_tableau(character, center, directions, Some(2 * hinges.len()));
        let EquilibriumSolver { loads, tableau } = equilibrium;
        let ratio = first_displacement + directions.len() + loads.limits.len();
        for (number, hinge) in hinges.iter().enumerate() {
            hinge.limit_torque(character, frames, (loads, tableau), number, (ratio, TorqueLimit::Ratio));
        }
        first_displacement
    }

    /// Visits the terms of the gradient of the last effort, if there was one, while the contacts stay where they are.
    pub fn visit_gradient(&self, character: &Character, frames: &LinkFrames, mut add: impl FnMut(JacobianTerm)) {
        let EquilibriumSolver { loads, tableau } = &self.equilibrium;
        if self.slopes.is_empty() {
            return;
        }
        let mut center = double::Vec3::ZERO;
        for (axis, slope) in character.root_joint.axes().iter().zip(&self.slopes) {
            if let RootAxis::Turn(axis) = axis {
                center += *slope / loads.length * double::Vec3::Y.cross(axis.as_dvec3());
            }
        }
        add(JacobianTerm::CenterOfMass(center.as_vec3()));
        for (hinge, slope) in
            self.hinges.iter().zip(&self.slopes[loads.equations..]).filter(|(_, slope)| **slope != 0.0)
        {
            let (mut force, mut moment) = (double::Vec3::ZERO, double::Vec3::ZERO);
            for (column, load) in loads.columns.iter().enumerate() {
                let amount = tableau.value(column);
                if amount > 0.0 && moves(character, hinge.link, load.link) {
                    force += amount * load.force;
                    moment += (load.arm - hinge.arm).cross(amount * load.force);
                }
            }
            let scale = slope / loads.length;
            for (link, at, weight) in weights_beyond(character, frames, hinge.link) {
                force += weight;
                moment += (loads.arm(at) - hinge.arm).cross(weight);
                let gradient = (scale * weight.cross(hinge.axis)).as_vec3();
                add(JacobianTerm::Point { link, at: at.as_vec3(), gradient });
            }
            let at = frames.world_from_link[hinge.link].translation;
            add(JacobianTerm::Point { link: hinge.link, at, gradient: (scale * hinge.axis.cross(force)).as_vec3() });
            // The axis turns with the links and hinges before it.
            let gradient = (*slope * hinge.axis.cross(moment)).as_vec3();
            if let Some(parent) = character.links[hinge.link].parent {
                add(JacobianTerm::Rotation { link: parent, gradient });
            }
            let before = character.links[hinge.link].hinges.iter().take_while(|&before| before < hinge.hinge);
            for before in before {
                let slope = gradient.dot(frames.hinge_axis(character, before));
                add(JacobianTerm::Hinge { hinge: before, slope });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::{Jacobian, forward};
    use clamber_model::math::Vec3;
    use clamber_model::world::HoldType;
    use clamber_testing::{ground_world, hold, touching};

    /// The figure with one hand and one foot on a wall before it, and some angles.
    fn on_a_wall(angles: &[(&str, f32)]) -> (Character, World, Configuration, Vec<Contact>) {
        let character = clamber_testing::character("figure");
        let mut configuration = Configuration::rest(&character);
        for (hinge, degrees) in
            [("left_shoulder", 120.0), ("left_hip", 70.0), ("left_knee", -60.0)].iter().chain(angles)
        {
            configuration.angles[character.find_hinge(hinge).unwrap()] = degrees.to_radians();
        }
        let mut contacts = ["left_hand", "left_foot"].map(|name| touching(&character, &configuration, name)).to_vec();
        let mut holds = Vec::new();
        for contact in &mut contacts {
            contact.normal = Vec3::NEG_X;
            contact.hold = clamber_model::id::HoldId::new(holds.len());
            holds.push(hold("wall", [contact.point.x, contact.point.y], Vec3::NEG_X, HoldType::Hybrid));
        }
        (character, ground_world(Vec::new(), holds, 1.0), configuration, contacts)
    }

    #[test]
    fn a_body_farther_from_the_wall_needs_more_effort() {
        let effort = |hip: f32| {
            let (character, world, mut configuration, contacts) = on_a_wall(&[]);
            configuration.root.translation.x += hip;
            let mut frames = LinkFrames::default();
            forward(&character, &configuration, &mut frames);
            EffortSolver::default().effort(&character, &world, &frames, &contacts).unwrap()
        };
        let [near, far] = [0.0, -0.2].map(effort);
        assert!(near > 0.0 && far > near + 0.1, "{near} {far}");
    }

    #[test]
    fn gradients_match_finite_differences() {
        const CHANGE: f32 = 1e-3;
        for elbow in [10.0, 40.0, 80.0] {
            let (character, world, at, contacts) = on_a_wall(&[("left_elbow", elbow), ("right_hip", 30.0)]);
            let mut solver = EffortSolver::default();
            let mut frames = LinkFrames::default();
            let mut effort = |configuration: &Configuration, solver: &mut EffortSolver| {
                forward(&character, configuration, &mut frames);
                solver.effort(&character, &world, &frames, &contacts).unwrap()
            };
            let mut slopes = Vec::new();
            for dof in 0..character.degrees_of_freedom() {
                let moved = [CHANGE, -CHANGE].map(|change| {
                    let mut step = vec![0.0; character.degrees_of_freedom()];
                    step[dof] = change;
                    let mut moved = at.clone();
                    moved.displace(&character, &step);
                    effort(&moved, &mut solver)
                });
                slopes.push((moved[0] - moved[1]) / f64::from(2.0 * CHANGE));
            }
            effort(&at, &mut solver);
            forward(&character, &at, &mut frames);
            let mut jacobian = Jacobian::new(&character);
            jacobian.linearize(&character, &frames);
            jacobian.push_row();
            solver.visit_gradient(&character, &frames, |term| jacobian.add_term(1.0, term));
            let row = jacobian.rows().next().unwrap();
            for (dof, (slope, entry)) in slopes.iter().zip(row).enumerate() {
                let error = (slope - f64::from(*entry)).abs();
                assert!(error < 0.02 * (1.0 + slope.abs()), "elbow {elbow}, dof {dof}: {slope}, not {entry}");
            }
        }
    }
}
