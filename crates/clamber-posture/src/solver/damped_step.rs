//! The step of damped least squares within hinge limits.
//!
//! There are more residuals than degrees of freedom, so the step is solved for in the space of these: `(JᵀJ + D) step = -Jᵀr`, with the damping `D`.

use clamber_model::kinematics::Jacobian;
use clamber_model::math::{add_gram, add_scaled, solve_cholesky};
use clamber_model::{Character, Configuration};

use super::step_limits::{StepEquations, shorten, solve_within_limits, units};
use super::tuning;

/// What is added to the diagonal of the normal equations.
#[derive(Clone, Copy)]
pub(super) struct Damping {
    /// Per squared radian.
    pub constant: f32,
    /// As a share of the diagonal.
    pub relative: f32,
}

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
        Self {
            step: Vec::new(),
            units: units(character, tuning::TRANSLATION_PER_RADIAN * character.body_size()),
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
    pub fn solve_within_limits(&mut self, character: &Character, at: &Configuration, damping: Damping) -> bool {
        self.fixed.clear();
        self.fixed.resize(self.units.len(), None);
        let is_solved = solve_within_limits(self, character, at, damping, tuning::MAX_LIMIT_ROUNDS);
        if is_solved {
            shorten(&mut self.step, &self.units, tuning::MAX_STEP);
        }
        is_solved
    }
}

impl StepEquations for DampedStep {
    type Damping = Damping;

    fn solve(&mut self, Damping { constant, relative }: Damping) -> bool {
        let Self { step, units, gram, gradient, factor, fixed } = self;
        let count = units.len();
        factor.clone_from(gram);
        step.clone_from(gradient);
        for (dof, unit) in units.iter().enumerate() {
            let diagonal = dof * count + dof;
            factor[diagonal] += constant / (unit * unit) + relative * gram[diagonal];
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

    fn step(&self) -> &[f32] {
        &self.step
    }

    fn is_fixed(&self, dof: usize) -> bool {
        self.fixed[dof].is_some()
    }

    fn fix(&mut self, dof: usize, change: f32) {
        self.fixed[dof] = Some(change);
    }
}
