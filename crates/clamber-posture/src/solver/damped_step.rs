//! One step of damped least squares within hinge limits.

use clamber_model::character::RootAxis;
use clamber_model::kinematics::Jacobian;
use clamber_model::math::{add_gram, add_scaled, solve_cholesky};
use clamber_model::{Character, Configuration};

use super::tuning;

/// The normal equations and the memory to solve them.
pub(super) struct DampedStep {
    /// The step last computed: meters and radians per degree of freedom.
    pub step: Vec<f32>,
    /// For each degree of freedom, the change that counts as one radian: 1 for rotations, meters for translations.
    units: Vec<f32>,
    gram: Vec<f32>,
    gradient: Vec<f32>,
    factor: Vec<f32>,
    /// For each degree of freedom that is fixed at a limit, its change.
    fixed: Vec<Option<f32>>,
}

impl DampedStep {
    pub fn new(character: &Character) -> Self {
        let translation = tuning::TRANSLATION_PER_RADIAN * character.body_size();
        let root = character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => translation,
            RootAxis::Turn(_) => 1.0,
        });
        Self {
            step: Vec::new(),
            units: root.chain(character.hinges.iter().map(|_| 1.0)).collect(),
            gram: Vec::new(),
            gradient: Vec::new(),
            factor: Vec::new(),
            fixed: Vec::new(),
        }
    }

    /// Sets up the normal equations: `gram` is JᵀJ, of which the upper triangle is enough, and `gradient` is -Jᵀr.
    pub fn linearize(&mut self, jacobian: &Jacobian, residuals: &[f32]) {
        let count = self.units.len();
        self.gram.clear();
        self.gram.resize(count * count, 0.0);
        self.gradient.clear();
        self.gradient.resize(count, 0.0);
        for (row, residual) in jacobian.rows().zip(residuals) {
            add_scaled(&mut self.gradient, -residual, row);
        }
        add_gram(jacobian.entries(), &mut self.gram);
    }

    /// Adds the differences to the rest angles to the normal equations.
    pub fn add_rest(&mut self, character: &Character, at: &Configuration) {
        const SQUARED_WEIGHT: f32 = tuning::REST_WEIGHT * tuning::REST_WEIGHT;
        let (count, root_dofs) = (self.units.len(), character.root_joint.axes().len());
        for (index, hinge) in character.hinges.iter_enumerated() {
            let dof = root_dofs + index.index();
            self.gram[dof * count + dof] += SQUARED_WEIGHT;
            self.gradient[dof] -= SQUARED_WEIGHT * (at.angles[index] - hinge.rest);
        }
    }

    /// Computes the damped step; false when the damped system is not positive definite.
    ///
    /// A hinge that the step would push over a limit is fixed at the limit, and the step is solved again for the others, so
    /// that they compensate.
    pub fn solve(&mut self, character: &Character, at: &Configuration, damping: f32) -> bool {
        let root_dofs = character.root_joint.axes().len();
        self.fixed.clear();
        self.fixed.resize(self.units.len(), None);
        for _ in 0..tuning::MAX_LIMIT_ROUNDS {
            if !self.solve_free_dofs(damping) {
                return false;
            }
            let mut is_over_limit = false;
            for (index, hinge) in character.hinges.iter_enumerated() {
                let (dof, angle) = (root_dofs + index.index(), at.angles[index]);
                let target = angle + self.step[dof];
                if self.fixed[dof].is_none() && (target > hinge.max || target < hinge.min) {
                    self.fixed[dof] = Some(target.clamp(hinge.min, hinge.max) - angle);
                    is_over_limit = true;
                }
            }
            if !is_over_limit {
                break;
            }
        }
        true
    }

    /// Solves for the degrees of freedom that are not fixed.
    fn solve_free_dofs(&mut self, damping: f32) -> bool {
        let Self { step, units, gram, gradient, factor, fixed } = self;
        let count = units.len();
        factor.clone_from(gram);
        step.clone_from(gradient);
        for (dof, unit) in units.iter().enumerate() {
            let diagonal = dof * count + dof;
            factor[diagonal] += (tuning::REGULARIZATION + damping) / (unit * unit) + damping * gram[diagonal];
        }
        for dof in 0..count {
            let Some(amount) = fixed[dof] else { continue };
            for other in 0..count {
                step[other] -= gram[other * count + dof] * amount;
                factor[other * count + dof] = 0.0;
                factor[dof * count + other] = 0.0;
            }
            factor[dof * count + dof] = 1.0;
        }
        for dof in 0..count {
            if let Some(amount) = fixed[dof] {
                step[dof] = amount;
            }
        }
        solve_cholesky(factor, step)
    }

    /// Scales the step down to the largest that is allowed.
    pub fn limit(&mut self) {
        let changes = self.step.iter().zip(&self.units).map(|(step, unit)| (step / unit).abs());
        let scale = (tuning::MAX_STEP / changes.fold(1e-9, f32::max)).min(1.0);
        self.step.iter_mut().for_each(|step| *step *= scale);
    }
}
