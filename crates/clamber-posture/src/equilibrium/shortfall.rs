//! Why a stance does not carry the body: what would have to change, and by how much.

use clamber_model::kinematics::LinkFrames;
use clamber_model::math::Vec3;
use clamber_model::{Character, Contact, World};

use super::solver::{EquilibriumSolver, MAX_MISSING};

/// What a stance lacks to carry the body. Each amount alone would suffice; `None` where no amount does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The horizontal distance that the center of mass would have to move, in meters.
    pub balance: Option<f32>,
    /// The factor by which all effectors would have to be stronger, with the center of mass where it is.
    pub strength: Option<f32>,
    /// The factor by which all coefficients of friction would have to be greater, with the center of mass where it is.
    pub friction: Option<f32>,
}

/// The greatest factor on friction that is tried: more would be glue.
const MAX_FRICTION_FACTOR: f64 = 16.0;
/// Halvings of the interval that contains the least factor on friction.
const FRICTION_HALVINGS: usize = 12;

impl EquilibriumSolver {
    /// Returns what a stance lacks to carry the body with its center of mass at a point; `None` if it carries the body.
    pub fn shortfall(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
        center_of_mass: Vec3,
    ) -> Option<Shortfall> {
        let distance = self.distance_outside(character, world, frames, stance, center_of_mass);
        if distance <= MAX_MISSING * f64::from(character.body_size()) {
            return None;
        }
        self.loads.fill(character, world, frames, stance, 1.0);
        let strength = self.least_strength(character, center_of_mass);
        let mut carries_with = |factor: f64| {
            self.loads.fill(character, world, frames, stance, factor);
            self.fill_tableau(character, center_of_mass.as_dvec3(), &[], None);
            self.tableau.find_feasible() <= MAX_MISSING
        };
        let friction = carries_with(MAX_FRICTION_FACTOR).then(|| {
            let (mut slips, mut holds) = (1.0, MAX_FRICTION_FACTOR);
            for _ in 0..FRICTION_HALVINGS {
                let middle = 0.5 * (slips + holds);
                *(if carries_with(middle) { &mut holds } else { &mut slips }) = middle;
            }
            holds as f32
        });
        Some(Shortfall { balance: distance.is_finite().then_some(distance as f32), strength, friction })
    }

    /// The least factor on all limits with which the loads carry the body.
    fn least_strength(&mut self, character: &Character, center_of_mass: Vec3) -> Option<f32> {
        let first_slack = self.fill_tableau(character, center_of_mass.as_dvec3(), &[], None);
        let Self { loads, tableau } = self;
        // One more column for the factor: the sum of an effector's loads minus the factor times its limit is at most 0.
        let (equations, limits) = (loads.equations, loads.limits.len());
        let factor = first_slack + limits;
        tableau.insert_column();
        for (limit, &greatest) in loads.limits.iter().enumerate() {
            tableau.set(equations + limit, factor, -greatest);
            tableau.set_right_hand_side(equations + limit, 0.0);
        }
        if tableau.find_feasible() > MAX_MISSING {
            return None;
        }
        let least = -tableau.maximize(|column| if column == factor { -1.0 } else { 0.0 });
        Some(least as f32)
    }
}
