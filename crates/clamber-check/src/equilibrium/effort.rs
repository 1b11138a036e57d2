//! The effort of a posture: the torques that its hinges need for equilibrium, relative to their strength.
//!
//! The contacts share the weight so that the largest of these ratios is as small as possible. That is a linear program over the
//! loads of the contacts. Where no loads carry the body, its center of mass is first displaced as little as possible, as for
//! [`displacement_to_equilibrium`](super::displacement_to_equilibrium): a body that moves is carried by its inertia too.

use clamber_model::id::{HingeId, LinkId};
use clamber_model::math::double::Vec3;
use clamber_model::simplex::Tableau;
use clamber_model::{Character, Configuration, Contact, World};

use super::stance_equilibrium::StanceEquilibrium;
use super::wrench::Wrench;
use crate::kinematics::{LinkFrames, hinge_axis};

/// What a displacement by one body size costs, in ratios of torque: far more than it can save.
const DISPLACEMENT_COST: f64 = 1e4;
/// What may be missing in the equations, in weights and weights times body sizes: rounding.
const MAX_MISSING: f64 = 1e-6;

/// Computes efforts. Reused from stance to stance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effort {
    frames: LinkFrames,
    equilibrium: StanceEquilibrium,
    tableau: Tableau,
    /// The wrench of each unit load, and the link that it acts on.
    loads: Vec<(Wrench, LinkId)>,
}

/// A hinge whose strength is known, in the world.
struct StrongHinge {
    link: LinkId,
    origin: Vec3,
    axis: Vec3,
    /// Toward smaller and greater angles, in weights times body sizes.
    strength: [f64; 2],
}

impl Effort {
    /// Returns the largest ratio of torque to strength of any hinge; `None` if nothing carries the body or no hinge has a strength.
    pub fn largest_ratio<'c>(
        &mut self,
        character: &Character,
        world: &World,
        configuration: &Configuration,
        stance: impl IntoIterator<Item = &'c Contact>,
    ) -> Option<f64> {
        self.frames.set(character, configuration);
        self.equilibrium.set(character, world, &self.frames, stance);
        let equilibrium = &self.equilibrium;
        let hinges = strong_hinges(character, configuration, &self.frames, equilibrium.weight * equilibrium.body_size);
        if !equilibrium.is_usable || hinges.is_empty() {
            return None;
        }
        let ratio_column = self.fill_tableau(character, &hinges);
        if self.tableau.find_feasible() > MAX_MISSING {
            return None;
        }
        let first_displacement = self.loads.len();
        let cost = |column: usize| match column {
            _ if column == ratio_column => -1.0,
            _ if (first_displacement..ratio_column).contains(&column) => -DISPLACEMENT_COST,
            _ => 0.0,
        };
        self.tableau.maximize(cost);
        Some(self.tableau.value(ratio_column))
    }

    /// Columns: loads, displacements, the largest ratio, slacks of limits and of hinges. Returns the column of the ratio.
    fn fill_tableau(&mut self, character: &Character, hinges: &[StrongHinge]) -> usize {
        let Self { frames, equilibrium, tableau, loads } = self;
        let sets = equilibrium.unit_loads(loads);
        let displacements = equilibrium.displacement_wrenches();
        let ratio = loads.len() + displacements.len();
        let axes = equilibrium.equations();
        let (first_limit, first_hinge) = (axes.len(), axes.len() + sets.len());
        tableau.reset(first_hinge + 2 * hinges.len(), ratio + 1 + sets.len() + 2 * hinges.len());
        for (row, axis) in axes.iter().enumerate() {
            let wrenches = loads.iter().map(|(wrench, _)| wrench).chain(&displacements);
            for (column, wrench) in wrenches.enumerate() {
                tableau.set(row, column, axis.dot(wrench));
            }
            tableau.set_right_hand_side(row, -axis.dot(&equilibrium.weight_wrench));
        }
        for (set, (columns, limit)) in sets.iter().enumerate() {
            columns.clone().for_each(|column| tableau.set(first_limit + set, column, 1.0));
            tableau.set_slack(first_limit + set, ratio + 1 + set);
            tableau.set_right_hand_side(first_limit + set, *limit);
        }
        for (number, hinge) in hinges.iter().enumerate() {
            let about = equilibrium.moment_about(hinge.origin, hinge.axis);
            let weight =
                about.dot(&equilibrium.weight_of(character, frames, |link| moves(character, hinge.link, link)));
            // The hinge exerts what loads and weight beyond it do not cancel, toward smaller angles where they turn it ahead.
            for (side, toward) in [1.0, -1.0].into_iter().enumerate() {
                let row = first_hinge + 2 * number + side;
                let per_strength = toward / hinge.strength[side];
                for (column, (wrench, link)) in loads.iter().enumerate() {
                    if moves(character, hinge.link, *link) {
                        tableau.set(row, column, per_strength * about.dot(wrench));
                    }
                }
                tableau.set(row, ratio, -1.0);
                let slack = ratio + 1 + sets.len() + 2 * number + side;
                tableau.set_at_most(row, slack, -per_strength * weight);
            }
        }
        ratio
    }
}

/// Whether the hinges of one link move the other.
fn moves(character: &Character, hinged: LinkId, link: LinkId) -> bool {
    let mut ancestors = std::iter::successors(Some(link), |&link| character.links[link].parent);
    ancestors.any(|ancestor| ancestor == hinged)
}

fn strong_hinges(
    character: &Character,
    configuration: &Configuration,
    frames: &LinkFrames,
    unit: f64,
) -> Vec<StrongHinge> {
    let hinges = character.hinges.iter_enumerated();
    let known = hinges.filter_map(|(id, hinge): (HingeId, _)| Some((id, hinge, hinge.strength?)));
    let strong = known.map(|(id, hinge, strength)| StrongHinge {
        link: hinge.link,
        origin: frames.of(hinge.link).origin,
        axis: hinge_axis(character, configuration, frames, id),
        strength: strength.map(|torque| f64::from(torque) / unit),
    });
    strong.collect()
}

#[cfg(test)]
mod tests {
    use super::super::largest_torque_ratio;
    use super::*;
    use clamber_model::math::Vec3;
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, standing, touching};

    /// The ratio of the figure that stands on both feet with an arm straight ahead, where only these hinges have a strength.
    fn ratio(strengths: &[(&str, [f32; 2])]) -> Option<f64> {
        let problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let mut description = problem.character.description();
        for hinge in &mut description.hinges {
            hinge.strength = strengths.iter().find(|(name, _)| *name == hinge.name).map(|(_, strength)| *strength);
        }
        let character = Character::new(description).unwrap();
        let mut configuration = standing(&character, 0.0);
        for (hinge, degrees) in [("left_shoulder", 90.0), ("left_elbow", 0.0)] {
            configuration.angles[character.find_hinge(hinge).unwrap()] = f32::to_radians(degrees);
        }
        let contacts = ["left_foot", "right_foot"].map(|foot| touching(&character, &configuration, foot));
        largest_torque_ratio(&character, &problem.world, &configuration, &contacts)
    }

    #[test]
    fn an_arm_straight_ahead_needs_the_torque_of_its_weight() {
        // 2.1 kg at 0.14 m and 1.65 kg at 0.495 m.
        let torque = 9.81 * (2.1 * 0.14 + 1.65 * 0.495);
        for (strength, expected) in [([10.0, 50.0], torque / 50.0), ([10.0, 91.0], torque / 91.0)] {
            let found = ratio(&[("left_shoulder", strength)]).unwrap();
            assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
        }
        // The largest ratio counts: here, that of the elbow.
        let elbow = 9.81 * 1.65 * 0.17;
        let found = ratio(&[("left_shoulder", [1e3, 1e3]), ("left_elbow", [1.0, 2.0 * elbow as f32])]).unwrap();
        assert!((found - 0.5).abs() < 1e-4, "{found}");
    }

    #[test]
    fn contacts_share_the_weight_so_that_the_largest_ratio_is_least() {
        let strong = ("right_knee", [200.0, 200.0]);
        let alone = ratio(&[("left_knee", [20.0, 20.0])]).unwrap();
        let both = ratio(&[("left_knee", [20.0, 20.0]), strong]).unwrap();
        // A leg whose knee has no stated strength carries all that the other one would have to.
        assert!(alone <= both + 1e-9, "{alone} {both}");
        assert_eq!(ratio(&[]), None);
    }
}
