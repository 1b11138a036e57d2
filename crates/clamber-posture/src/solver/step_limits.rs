//! What limits a step: hinge limits, and the largest change of a degree of freedom.

use clamber_model::character::RootAxis;
use clamber_model::{Character, Configuration};

/// Linear equations for a step, in which degrees of freedom can be fixed.
pub(super) trait StepEquations {
    /// What keeps the step short.
    type Damping: Copy;
    /// Computes the step of the degrees of freedom that are not fixed; false when the equations are singular.
    fn solve(&mut self, damping: Self::Damping) -> bool;
    /// The step last computed: meters and radians per degree of freedom.
    fn step(&self) -> &[f32];
    /// Whether the change of a degree of freedom is fixed.
    fn is_fixed(&self, dof: usize) -> bool;
    /// Fixes the change of a degree of freedom.
    fn fix(&mut self, dof: usize, change: f32);
}

/// Solves for a step; false when its equations are singular.
///
/// A hinge that the step would push over a limit is fixed at the limit, and the step is solved again for the others, so that they
/// compensate: as often as `max_rounds` allows, since each round fixes more.
pub(super) fn solve_within_limits<E: StepEquations>(
    equations: &mut E,
    character: &Character,
    at: &Configuration,
    damping: E::Damping,
    max_rounds: usize,
) -> bool {
    let root_dofs = character.root_joint.axes().len();
    for _ in 0..max_rounds {
        if !equations.solve(damping) {
            return false;
        }
        let mut is_over_limit = false;
        for (index, hinge) in character.hinges.iter_enumerated() {
            let (dof, angle) = (root_dofs + index.index(), at.angles[index]);
            let target = angle + equations.step()[dof];
            if !equations.is_fixed(dof) && (target > hinge.max || target < hinge.min) {
                equations.fix(dof, target.clamp(hinge.min, hinge.max) - angle);
                is_over_limit = true;
            }
        }
        if !is_over_limit {
            break;
        }
    }
    true
}

/// For each degree of freedom, the change that counts as one radian: 1 for rotations, this length for translations.
pub(super) fn units(character: &Character, translation: f32) -> Vec<f32> {
    let root = character.root_joint.axes().iter().map(|axis| match axis {
        RootAxis::Move(_) => translation,
        RootAxis::Turn(_) => 1.0,
    });
    root.chain(character.hinges.iter().map(|_| 1.0)).collect()
}

/// Scales a step down so that no degree of freedom changes by more than `most` of its unit.
pub(super) fn shorten(step: &mut [f32], units: &[f32], most: f32) {
    let changes = step.iter().zip(units).map(|(step, unit)| (step / unit).abs());
    let scale = (most / changes.fold(1e-9, f32::max)).min(1.0);
    step.iter_mut().for_each(|step| *step *= scale);
}
