//! The damped step of least length that removes residuals, within hinge limits.
//!
//! There are fewer residuals than degrees of freedom, so the step is solved for in the space of residuals: `(J Jᵀ + d) y = -r`, step `Jᵀ y`,
//! with the damping `d`.

use clamber_model::kinematics::Jacobian;
use clamber_model::math::{add_scaled, dot, solve_cholesky};
use clamber_model::{Character, Configuration};

use super::stance_tuning as tuning;
use super::step_limits::{StepEquations, shorten, solve_within_limits, units};

/// Memory and units of the step.
pub(super) struct ShortestStep {
    /// The step last computed: meters and radians per degree of freedom.
    pub step: Vec<f32>,
    /// For each degree of freedom, the change that counts as one radian: 1 for rotations, meters for translations.
    units: Vec<f32>,
    /// The rows of the Jacobian, per unit of each degree of freedom.
    rows: Vec<f32>,
    /// The rows, zero where a degree of freedom is fixed.
    mobile_rows: Vec<f32>,
    residuals: Vec<f32>,
    /// J Jᵀ, row by row.
    gram: Vec<f32>,
    factor: Vec<f32>,
    solution: Vec<f32>,
    /// Whether each degree of freedom is fixed, at a limit or from the beginning.
    is_fixed: Vec<bool>,
    /// For each degree of freedom, the step that it takes besides, in its unit: toward rest, or to its limit.
    drift: Vec<f32>,
}

impl ShortestStep {
    pub fn new(character: &Character) -> Self {
        Self {
            step: Vec::new(),
            units: units(character, character.body_size()),
            rows: Vec::new(),
            mobile_rows: Vec::new(),
            residuals: Vec::new(),
            gram: Vec::new(),
            factor: Vec::new(),
            solution: Vec::new(),
            is_fixed: Vec::new(),
            drift: Vec::new(),
        }
    }

    /// Computes the step; false when its equations are singular.
    ///
    /// `movable` lists the degrees of freedom that may move; all if it is `None`. `rest` is the share of the way to its rest angle that a
    /// hinge takes where no residual objects.
    pub fn solve_within_limits(
        &mut self,
        character: &Character,
        at: &Configuration,
        (jacobian, residuals): (&Jacobian, &[f32]),
        movable: Option<&[usize]>,
        [damping, rest]: [f32; 2],
    ) -> bool {
        self.linearize(character, at, (jacobian, residuals), movable, rest);
        let is_solved = solve_within_limits(self, character, at, damping, tuning::MAX_LIMIT_ROUNDS);
        if is_solved {
            shorten(&mut self.step, &self.units, tuning::MAX_STEP);
        }
        is_solved
    }

    fn linearize(
        &mut self,
        character: &Character,
        at: &Configuration,
        (jacobian, residuals): (&Jacobian, &[f32]),
        movable: Option<&[usize]>,
        rest: f32,
    ) {
        let Self { units, rows, mobile_rows, residuals: remaining, gram, is_fixed, drift, .. } = self;
        let count = units.len();
        is_fixed.clear();
        is_fixed.resize(count, movable.is_some());
        movable.unwrap_or_default().iter().for_each(|&dof| is_fixed[dof] = false);
        rows.clear();
        for row in jacobian.rows() {
            let entries = row.iter().zip(&*units).zip(&*is_fixed);
            rows.extend(entries.map(|((entry, unit), is_fixed)| if *is_fixed { 0.0 } else { entry * unit }));
        }
        drift.clear();
        drift.resize(count - character.hinges.len(), 0.0);
        let hinges = at.angles.iter().zip(&character.hinges).zip(&is_fixed[drift.len()..]);
        drift
            .extend(hinges.map(|((angle, hinge), is_fixed)| if *is_fixed { 0.0 } else { rest * (hinge.rest - angle) }));
        remaining.clear();
        remaining.extend(rows.chunks_exact(count).zip(residuals).map(|(row, residual)| residual + dot(row, drift)));
        mobile_rows.clone_from(rows);
        gram.clear();
        for (index, row) in rows.chunks_exact(count).enumerate() {
            gram.resize(gram.len() + index, 0.0);
            gram.extend(rows.chunks_exact(count).skip(index).map(|other| dot(row, other)));
        }
    }
}

impl StepEquations for ShortestStep {
    type Damping = f32;

    fn solve(&mut self, damping: f32) -> bool {
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

    fn step(&self) -> &[f32] {
        &self.step
    }

    fn is_fixed(&self, dof: usize) -> bool {
        self.is_fixed[dof]
    }

    fn fix(&mut self, dof: usize, change: f32) {
        let Self { units, rows, mobile_rows, residuals, gram, is_fixed, drift, .. } = self;
        let (dofs, count) = (units.len(), residuals.len());
        let more = change - drift[dof];
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
        drift[dof] = change;
        is_fixed[dof] = true;
    }
}
