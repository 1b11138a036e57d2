//! The damped step of least length that removes residuals, within hinge limits.
//!
//! There are fewer residuals than degrees of freedom, so the step is solved for in the space of residuals: `(J W Jᵀ + d) y = -r`,
//! step `W Jᵀ y`, with the damping `d` and the mobilities `W` of the degrees of freedom.

use clamber_model::character::RootAxis;
use clamber_model::math::{add_scaled, dot, solve_cholesky};
use clamber_model::{Character, Configuration};

use super::stance_tuning as tuning;
use crate::jacobian::Jacobian;

/// Memory and units of the step.
pub(super) struct LimitedStep {
    /// The step last computed: meters and radians per degree of freedom.
    pub step: Vec<f32>,
    /// For each degree of freedom, the change that counts as one radian: 1 for rotations, meters for translations.
    units: Vec<f32>,
    /// The rows of the Jacobian, per unit of each degree of freedom.
    rows: Vec<f32>,
    /// The rows times the mobilities.
    mobile_rows: Vec<f32>,
    residuals: Vec<f32>,
    /// J W Jᵀ, row by row.
    gram: Vec<f32>,
    factor: Vec<f32>,
    solution: Vec<f32>,
    /// For each degree of freedom, how easily it moves: 0 where it is fixed at a limit.
    mobilities: Vec<f32>,
    /// For each degree of freedom, the step that it takes besides, in its unit: toward rest, or to its limit.
    drift: Vec<f32>,
}

impl LimitedStep {
    pub fn new(character: &Character) -> Self {
        let size = character.body_size();
        let root = character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => size,
            RootAxis::Turn(_) => 1.0,
        });
        Self {
            step: Vec::new(),
            units: root.chain(character.hinges.iter().map(|_| 1.0)).collect(),
            rows: Vec::new(),
            mobile_rows: Vec::new(),
            residuals: Vec::new(),
            gram: Vec::new(),
            factor: Vec::new(),
            solution: Vec::new(),
            mobilities: Vec::new(),
            drift: Vec::new(),
        }
    }

    /// Computes the step; false when its equations are singular.
    ///
    /// `rest` is the share of the way to its rest angle that a hinge takes where no residual objects. A hinge that the step would
    /// push over a limit is fixed at the limit, and the step is solved again for the others, so that they compensate.
    pub fn solve(
        &mut self,
        character: &Character,
        at: &Configuration,
        (jacobian, residuals): (&Jacobian, &[f32]),
        damping: f32,
        rest: f32,
    ) -> bool {
        self.linearize(character, at, jacobian, residuals, rest);
        let root_dofs = character.root_joint.axes().len();
        for _ in 0..tuning::MAX_LIMIT_ROUNDS {
            if !self.solve_mobile(damping) {
                return false;
            }
            let mut is_over_limit = false;
            for (index, hinge) in character.hinges.iter_enumerated() {
                let (dof, angle) = (root_dofs + index.index(), at.angles[index]);
                let target = angle + self.step[dof];
                if self.mobilities[dof] > 0.0 && (target > hinge.max || target < hinge.min) {
                    self.fix(dof, target.clamp(hinge.min, hinge.max) - angle);
                    is_over_limit = true;
                }
            }
            if !is_over_limit {
                break;
            }
        }
        self.limit();
        true
    }

    fn linearize(
        &mut self,
        character: &Character,
        at: &Configuration,
        jacobian: &Jacobian,
        residuals: &[f32],
        rest: f32,
    ) {
        let Self { units, rows, mobile_rows, residuals: remaining, gram, mobilities, drift, .. } = self;
        let count = units.len();
        rows.clear();
        for row in jacobian.rows() {
            rows.extend(row.iter().zip(&*units).map(|(entry, unit)| entry * unit));
        }
        mobilities.clear();
        mobilities.resize(count, 1.0);
        drift.clear();
        drift.resize(count - character.hinges.len(), 0.0);
        let hinges = at.angles.iter().zip(&character.hinges);
        drift.extend(hinges.map(|(angle, hinge)| rest * (hinge.rest - angle)));
        remaining.clear();
        remaining.extend(rows.chunks_exact(count).zip(residuals).map(|(row, residual)| residual + dot(row, drift)));
        mobile_rows.clone_from(rows);
        gram.clear();
        for (index, row) in rows.chunks_exact(count).enumerate() {
            gram.resize(gram.len() + index, 0.0);
            gram.extend(rows.chunks_exact(count).skip(index).map(|other| dot(row, other)));
        }
    }

    /// Solves for the degrees of freedom that are mobile.
    fn solve_mobile(&mut self, damping: f32) -> bool {
        let Self { step, units, mobile_rows, residuals, gram, factor, solution, drift, .. } = self;
        let count = residuals.len();
        factor.clone_from(gram);
        for diagonal in (0..count).map(|row| row * count + row) {
            factor[diagonal] += damping;
        }
        solution.clone_from(residuals);
        if !solve_cholesky(factor, solution) {
            return false;
        }
        step.clone_from(drift);
        for (row, amount) in mobile_rows.chunks_exact(units.len()).zip(solution.iter()) {
            add_scaled(step, -amount, row);
        }
        step.iter_mut().zip(units).for_each(|(step, unit)| *step *= *unit);
        step.iter().all(|step| step.is_finite())
    }

    /// Fixes the change of a hinge.
    fn fix(&mut self, dof: usize, amount: f32) {
        let Self { units, rows, mobile_rows, residuals, gram, mobilities, drift, .. } = self;
        let (dofs, count) = (units.len(), residuals.len());
        let more = amount - drift[dof];
        for row in 0..count {
            let entry = rows[row * dofs + dof];
            residuals[row] += entry * more;
            if entry != 0.0 {
                for other in row..count {
                    gram[row * count + other] -= entry * rows[other * dofs + dof];
                }
            }
            mobile_rows[row * dofs + dof] = 0.0;
        }
        drift[dof] = amount;
        mobilities[dof] = 0.0;
    }

    /// Scales the step down to the largest that is allowed.
    fn limit(&mut self) {
        let changes = self.step.iter().zip(&self.units).map(|(step, unit)| (step / unit).abs());
        let scale = (tuning::MAX_STEP / changes.fold(1e-9, f32::max)).min(1.0);
        self.step.iter_mut().for_each(|step| *step *= scale);
    }
}
