//! Solves a stance from the rest posture.

use clamber::model::{Character, Configuration, Contact, World};
use clamber::posture::solver::{StanceSettings, StanceSolver};

/// Returns the posture found, with at most so many restarts.
pub fn solve(
    solver: &mut StanceSolver,
    character: &Character,
    world: &World,
    stance: &[Contact],
    restarts: usize,
) -> Configuration {
    let mut settings = StanceSettings::default();
    settings.restarts = restarts;
    solver.solve_from_rest(character, world, stance, &settings).0
}
