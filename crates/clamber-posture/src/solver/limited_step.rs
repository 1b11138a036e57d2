//! The damped step of least length that removes residuals, within hinge limits.
//!
//! There are fewer residuals than degrees of freedom, so the step is solved for in the space of residuals: `(J Jᵀ + d) y = -r`, step `Jᵀ y`,
//! with the damping `d`.

use clamber_model::character::RootAxis;
use clamber_model::kinematics::Jacobian;
use clamber_model::math::{add_scaled, dot, solve_cholesky};
use clamber_model::{Character, Configuration};

use super::stance_tuning as tuning;

/// Memory and units of the step.
pub(super) struct LimitedStep {
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
            is_fixed: Vec::new(),
            drift: Vec::new(),
        }
    }

    /// Computes the step; false when its equations are singular.
    ///
    /// `movable` lists the degrees of freedom that may move; all if it is `None`. `rest` is the share of the way to its rest angle that a
    /// hinge takes where no residual objects. A hinge that the step would push over a limit is fixed at the limit, and the step is solved again for the others, so that they compensate.
    pub fn solve(
        &mut self,
        character: &Character,
        at: &Configuration,
        (jacobian, residuals): (&Jacobian, &[f32]),
        movable: Option<&[usize]>,
        [damping, rest]: [f32; 2],
    ) -> bool {
        self.linearize(character, at, (jacobian, residuals), movable, rest);
        let root_dofs = character.root_joint.axes().len();
        for _ in 0..tuning::MAX_LIMIT_ROUNDS {
            if !self.solve_mobile(damping) {
                return false;
            }
            let mut is_over_limit = false;
            for (index, hinge) in character.hinges.iter_enumerated() {
                let (dof, angle) = (root_dofs + index.index(), at.angles[index]);
                let target = angle + self.step[dof];
                if !self.is_fixed[dof] && (target > hinge.max || target < hinge.min) {
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
        let Self { units, rows, mobile_rows, residuals, gram, is_fixed, drift, .. } = self;
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
        is_fixed[dof] = true;
    }

    /// Scales the step down to the largest that is allowed.
    fn limit(&mut self) {
        let changes = self.step.iter().zip(&self.units).map(|(step, unit)| (step / unit).abs());
        let scale = (tuning::MAX_STEP / changes.fold(1e-9, f32::max)).min(1.0);
        self.step.iter_mut().for_each(|step| *step *= scale);
    }
}
