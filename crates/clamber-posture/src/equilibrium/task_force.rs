//! The greatest force that a stance can exert in a direction, within friction cones and the strength of hinges.
//!
//! A linear program: the loads of equilibrium, the torque of each hinge at most its strength, and the force as the objective. Where the
//! contacts do not carry the body, its center of mass is displaced at a cost, so that stances that nearly carry it can be compared.

use clamber_model::character::GRAVITY;
use clamber_model::kinematics::{LinkFrames, center_of_mass};
use clamber_model::math::{Vec3, double};
use clamber_model::world::UP;
use clamber_model::{Character, Contact, World};

use super::loaded_hinge::{LoadedHinge, TorqueLimit, find_loaded_hinges};
use super::solver::{EquilibriumSolver, MAX_MISSING, displacement_directions};

/// What a displacement of the center of mass by one body size costs, in body weights.
const DISPLACEMENT_COST: f64 = 30.0;
/// Directions of displacements in space.
const DIRECTIONS: usize = 8;
/// A displacement shorter than this, in body sizes, is rounding.
const MAX_DISPLACEMENT: f64 = 1e-6;

/// Computes forces. Reused for any number of stances.
#[derive(Default)]
pub struct TaskForceSolver {
    equilibrium: EquilibriumSolver,
    hinges: Vec<LoadedHinge>,
    directions: Vec<double::Vec3>,
}

/// What a stance is for.
#[derive(Clone, Copy)]
pub struct ForceTask<'a> {
    /// The direction of the force, a unit vector.
    pub direction: Vec3,
    /// Without it, the force moves the body, in addition to carrying it. With it, it is the force that the contacts for which this is true
    /// exert on what they touch, while the body stays in equilibrium: pushing or pulling.
    pub on: Option<&'a dyn Fn(&Contact) -> bool>,
    /// What the force of other grips costs: 0 gives the greatest force. A hand that leans on something tires less than one that clings to it.
    pub grip_cost: f64,
}

/// What a stance can exert.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskForce {
    /// The force along the direction, in newtons.
    pub force: f64,
    /// The force with which grips hold on to other things than those that are pushed or pulled, in newtons.
    pub grip: f64,
    /// How far the center of mass is from where the stance carries the body, in meters: 0 in equilibrium.
    pub imbalance: f64,
}

impl TaskForce {
    /// The force less what it costs that the body is not carried. The greater, the better.
    pub fn rank(&self, character: &Character) -> f64 {
        let weight = f64::from(character.total_mass * GRAVITY);
        self.force - DISPLACEMENT_COST * weight * self.imbalance / f64::from(character.body_size())
    }
}

impl TaskForceSolver {
    /// Returns how far the center of mass is, in meters, from where a stance carries the body within friction cones and the strength of
    /// hinges: 0 in equilibrium. `None` if the contacts cannot carry the body wherever its center of mass is.
    pub fn imbalance(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
    ) -> Option<f64> {
        // A force on nothing is no objective: only the displacement counts.
        let task = ForceTask { direction: UP, on: Some(&|_| false), grip_cost: 0.0 };
        let force = self.greatest_force(character, world, frames, stance, task)?;
        Some(force.imbalance)
    }

    /// Returns the greatest force for a task; `None` if the contacts cannot carry the body wherever its center of mass is.
    pub fn greatest_force(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
        ForceTask { direction, on, grip_cost }: ForceTask,
    ) -> Option<TaskForce> {
        let Self { equilibrium, hinges, directions } = self;
        equilibrium.loads.fill(character, world, frames, stance, 1.0);
        find_loaded_hinges(character, frames, stance, &equilibrium.loads, hinges);
        directions.clear();
        directions.extend(displacement_directions(character, DIRECTIONS));
        let center = center_of_mass(character, frames).as_dvec3();
        let first_displacement = equilibrium.fill_tableau(character, center, directions, Some(2 * hinges.len()));
        let EquilibriumSolver { loads, tableau } = equilibrium;
        let common = first_displacement + directions.len() + loads.limits.len();
        for (number, hinge) in hinges.iter().enumerate() {
            hinge.limit_torque(character, frames, (loads, tableau), number, (common, TorqueLimit::Strength));
        }
        let direction = direction.as_dvec3();
        let pushed: Vec<_> = stance.iter().filter(|contact| on.is_some_and(|on| on(contact))).collect();
        if on.is_none() {
            let wrench = loads.wrench(character.root_joint, center, direction);
            for (row, entry) in wrench[..loads.equations].iter().enumerate() {
                tableau.set(row, common, -entry);
            }
        }
        if tableau.find_feasible() > MAX_MISSING {
            return None;
        }
        let is_pushing = |column: usize| {
            let link_of = |contact: &Contact| character.effectors.get(contact.effector).map(|effector| effector.link);
            pushed.iter().any(|contact| link_of(contact) == Some(loads.columns[column].link))
        };
        let force = |column: usize| match column {
            _ if column == common && on.is_none() => 1.0,
            _ if column < loads.columns.len() && is_pushing(column) => -direction.dot(loads.columns[column].force),
            _ => 0.0,
        };
        let is_grip = |column: usize| loads.columns.get(column).is_some_and(|load| load.is_grip) && !is_pushing(column);
        let displacements = first_displacement..first_displacement + directions.len();
        let total = tableau.maximize(|column| match column {
            _ if displacements.contains(&column) => -DISPLACEMENT_COST,
            _ if is_grip(column) => force(column) - grip_cost,
            _ => force(column),
        });
        let displacement: f64 = displacements.clone().map(|column| tableau.value(column)).sum();
        let grip: f64 = (0..loads.columns.len()).filter(|&load| is_grip(load)).map(|load| tableau.value(load)).sum();
        let weight = f64::from(character.total_mass * GRAVITY);
        let imbalance = if displacement > MAX_DISPLACEMENT { displacement * loads.length } else { 0.0 };
        let force = total + DISPLACEMENT_COST * displacement + grip_cost * grip;
        total.is_finite().then_some(TaskForce { force: weight * force, grip: weight * grip, imbalance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::forward;
    use clamber_model::world::{DEFAULT_FRICTION, HoldType};
    use clamber_testing::{ground_world, hold, touching};

    /// The figure on both feet, and the force that it exerts along a direction with its hinges this many times as strong.
    fn standing(direction: Vec3, strength: f32) -> TaskForce {
        let mut description = clamber_testing::character("figure").description();
        for hinge in &mut description.hinges {
            hinge.strength = hinge.strength.map(|torques| torques.map(|torque| torque * strength));
        }
        let character = Character::new(description).unwrap();
        let mut configuration = clamber_testing::standing(&character, 0.0);
        configuration.angles[character.find_hinge("left_hip").unwrap()] += 0.2;
        configuration.angles[character.find_hinge("right_hip").unwrap()] -= 0.2;
        let contacts = ["left_foot", "right_foot"].map(|name| touching(&character, &configuration, name));
        let ground = hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing);
        let world = ground_world(Vec::new(), vec![ground], 1.0);
        let force = |configuration: &Configuration| {
            let mut frames = LinkFrames::default();
            forward(&character, configuration, &mut frames);
            let task = ForceTask { direction, on: None, grip_cost: 0.0 };
            TaskForceSolver::default().greatest_force(&character, &world, &frames, &contacts, task).unwrap()
        };
        force(&configuration)
    }

    #[test]
    fn strong_legs_lift_what_the_soles_bear_and_push_as_hard_as_friction_allows() {
        let up = standing(Vec3::Y, 1000.0);
        let weight = f64::from(clamber_testing::character("figure").total_mass * GRAVITY);
        assert_eq!(up.imbalance, 0.0);
        // Both soles bear at most 2200 N, and carry the body; the center of mass is not in the middle between them.
        assert!(2000.0 < up.force && up.force <= 4400.0 - weight, "{up:?}");
        let ahead = standing(Vec3::X, 1000.0);
        assert!(ahead.force > 0.05 * weight && ahead.force <= f64::from(DEFAULT_FRICTION) * weight + 1.0, "{ahead:?}");
    }

    #[test]
    fn weak_legs_exert_less() {
        let [weak, strong] = [1.0, 3.0].map(|strength| standing(Vec3::Y, strength));
        assert!(0.0 < weak.force && weak.force < strong.force, "{weak:?} {strong:?}");
        // Too weak to stand: nothing is feasible, or only with the body elsewhere.
        let character = clamber_testing::character("figure");
        assert!(strong.rank(&character) > weak.rank(&character));
    }
}
