//! Linear programs: the simplex method on a dense tableau, in double precision.
//!
//! The programs of equilibrium and effort have some tens of rows (equations, and limits per effector and hinge) and some hundred
//! columns, so a dense tableau is small, and every objective after the first starts from the basis of the one before. The choice of pivots depends
//! on the numbers alone: the greatest reduced cost and the greatest pivot, ties by the lowest index; after many pivots Bland's rule,
//! which cannot cycle.

/// A reduced cost below this is zero.
const MIN_REDUCED_COST: f64 = 1e-10;
/// A pivot below this is zero. Coefficients are near 1 and come from single precision, so less is rounding.
const MIN_PIVOT: f64 = 1e-7;
/// Ratios that differ by less limit a column equally.
const SAME_RATIO: f64 = 1e-11;
/// Pivots with the greatest reduced cost, per row and column, before Bland's rule.
const FAST_PIVOTS: usize = 2;
/// Most pivots per row and column. Bland's rule ends in practice long before.
const MAX_PIVOTS: usize = 20;

/// The constraints `A x = b`, `x >= 0`, with `b >= 0`, in the form of a simplex tableau.
#[derive(Clone, Debug, Default)]
pub struct Tableau {
    rows: usize,
    columns: usize,
    /// Row by row: the columns, one artificial column per row, the right-hand side.
    entries: Vec<f64>,
    /// The basic column of each row.
    basis: Vec<usize>,
    /// The slack column of each row, if it has one.
    slacks: Vec<Option<usize>>,
    reduced_costs: Vec<f64>,
    /// For each row, -1 if it was negated to make its right-hand side positive, otherwise 1.
    signs: Vec<f64>,
}

impl Tableau {
    /// Makes all coefficients 0.
    pub fn reset(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.entries.clear();
        self.entries.resize(rows * self.width(), 0.0);
        self.slacks.clear();
        self.slacks.resize(rows, None);
        self.signs.clear();
        self.signs.resize(rows, 1.0);
    }

    fn width(&self) -> usize {
        self.columns + self.rows + 1
    }

    /// Appends a column of zeros, before the equations have been solved.
    pub fn insert_column(&mut self) {
        let former_width = self.width();
        self.columns += 1;
        let width = self.width();
        self.entries.resize(self.rows * width, 0.0);
        for row in (0..self.rows).rev() {
            let (from, to) = (row * former_width, row * width);
            let right_hand_side = self.entries[from + former_width - 1];
            self.entries.copy_within(from..from + self.columns - 1, to);
            self.entries[to + self.columns - 1..to + width].fill(0.0);
            self.entries[to + width - 1] = right_hand_side;
        }
    }

    /// Sets a coefficient.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        let width = self.width();
        self.entries[row * width + column] = value;
    }

    /// Makes a column the slack of a row whose right-hand side is not negative.
    pub fn set_slack(&mut self, row: usize, column: usize) {
        self.set(row, column, 1.0);
        self.slacks[row] = Some(column);
    }

    /// Makes a row an inequality: the sum of its other columns is at most `limit`, which may be negative.
    pub fn set_at_most(&mut self, row: usize, slack: usize, limit: f64) {
        if limit >= 0.0 {
            self.set_slack(row, slack);
        } else {
            self.set(row, slack, 1.0);
        }
        self.set_right_hand_side(row, limit);
    }

    /// Sets the right-hand side of a row.
    pub fn set_right_hand_side(&mut self, row: usize, value: f64) {
        let width = self.width();
        self.entries[row * width + width - 1] = value;
    }

    fn row(&self, row: usize) -> &[f64] {
        let width = self.width();
        &self.entries[row * width..(row + 1) * width]
    }

    fn right_hand_side(&self, row: usize) -> f64 {
        self.row(row)[self.width() - 1]
    }

    /// Finds a feasible basis. Returns the sum of what is missing in the equations: 0 when they have a solution.
    pub fn find_feasible(&mut self) -> f64 {
        let (width, columns) = (self.width(), self.columns);
        self.basis.clear();
        for row in 0..self.rows {
            if let Some(slack) = self.slacks[row] {
                self.basis.push(slack);
                continue;
            }
            let entries = &mut self.entries[row * width..(row + 1) * width];
            if entries[width - 1] < 0.0 {
                entries.iter_mut().for_each(|entry| *entry = -*entry);
                self.signs[row] = -1.0;
            }
            entries[columns + row] = 1.0;
            self.basis.push(columns + row);
        }
        let missing = -self.optimize(|column| if column < columns { 0.0 } else { -1.0 }, width - 1);
        self.drive_out_artificial_columns();
        missing.max(0.0)
    }

    /// Maximizes an objective from the present feasible basis and returns its value; infinite when it has no bound.
    pub fn maximize(&mut self, objective: impl Fn(usize) -> f64) -> f64 {
        let columns = self.columns;
        self.optimize(|column| if column < columns { objective(column) } else { 0.0 }, columns)
    }

    /// The present value of a column's variable.
    pub fn value(&self, column: usize) -> f64 {
        self.basis.iter().position(|&basic| basic == column).map_or(0.0, |row| self.right_hand_side(row))
    }

    /// The change of the greatest value of an objective per unit of a row's right-hand side, after it was [maximized](Self::maximize).
    pub fn dual(&self, row: usize, objective: impl Fn(usize) -> f64) -> f64 {
        // The column that was a unit vector in the beginning now shows how the basic variables depend on the right-hand side.
        let unit = self.slacks[row].unwrap_or(self.columns + row);
        let cost = |column: usize| if column < self.columns { objective(column) } else { 0.0 };
        let sum: f64 = (0..self.rows).map(|basic| cost(self.basis[basic]) * self.row(basic)[unit]).sum();
        self.signs[row] * sum
    }

    /// Maximizes over the first `eligible` columns.
    fn optimize(&mut self, objective: impl Fn(usize) -> f64, eligible: usize) -> f64 {
        self.reduced_costs.clear();
        for column in 0..eligible {
            let covered: f64 = (0..self.rows).map(|row| objective(self.basis[row]) * self.row(row)[column]).sum();
            self.reduced_costs.push(objective(column) - covered);
        }
        let size = self.rows + self.columns;
        for pivots in 0..MAX_PIVOTS * size {
            let takes_greatest = pivots < FAST_PIVOTS * size;
            let Some(entering) = self.entering_column(takes_greatest) else { break };
            let Some(leaving) = self.leaving_row(entering, takes_greatest) else { return f64::INFINITY };
            self.pivot(leaving, entering);
        }
        (0..self.rows).map(|row| objective(self.basis[row]) * self.right_hand_side(row)).sum()
    }

    fn entering_column(&self, takes_greatest: bool) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (column, &cost) in self.reduced_costs.iter().enumerate() {
            if cost > best.map_or(MIN_REDUCED_COST, |(_, greatest)| greatest) {
                best = Some((column, cost));
                if !takes_greatest {
                    break;
                }
            }
        }
        best.map(|(column, _)| column)
    }

    /// The row that limits the entering column first. Of rows that limit it equally, up to rounding, the one with the greatest
    /// pivot, since small pivots magnify rounding; by Bland's rule, the one with the lowest basic column.
    fn leaving_row(&self, entering: usize, takes_greatest: bool) -> Option<usize> {
        let slope = |row: usize| self.row(row)[entering];
        let ratio = |row: usize| self.right_hand_side(row).max(0.0) / slope(row);
        let limiting = || (0..self.rows).filter(|&row| slope(row) > MIN_PIVOT);
        let least = limiting().map(ratio).fold(f64::INFINITY, f64::min);
        let mut best: Option<usize> = None;
        for row in limiting().filter(|&row| ratio(row) <= least + SAME_RATIO) {
            let is_better = best.is_none_or(|best| match takes_greatest {
                true => slope(row) > slope(best),
                false => self.basis[row] < self.basis[best],
            });
            if is_better {
                best = Some(row);
            }
        }
        best
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        let width = self.width();
        let scale = 1.0 / self.row(leaving)[entering];
        self.entries[leaving * width..(leaving + 1) * width].iter_mut().for_each(|entry| *entry *= scale);
        let (before, rest) = self.entries.split_at_mut(leaving * width);
        let (pivot_row, after) = rest.split_at_mut(width);
        for row in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = row[entering];
            if factor != 0.0 {
                row.iter_mut().zip(&*pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
        let factor = self.reduced_costs[entering];
        self.reduced_costs.iter_mut().zip(&*pivot_row).for_each(|(cost, pivot)| *cost -= factor * pivot);
        self.basis[leaving] = entering;
    }

    /// Exchanges artificial columns in the basis, which are 0 now, so that they stay 0. A row without other columns is redundant.
    fn drive_out_artificial_columns(&mut self) {
        for row in 0..self.rows {
            if self.basis[row] < self.columns {
                continue;
            }
            let replacement = (0..self.columns).find(|&column| self.row(row)[column].abs() > MIN_PIVOT);
            if let Some(column) = replacement {
                self.reduced_costs.resize(self.columns, 0.0);
                self.pivot(row, column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tableau(rows: &[(&[f64], f64)]) -> Tableau {
        let mut tableau = Tableau::default();
        tableau.reset(rows.len(), rows[0].0.len());
        for (row, (coefficients, right)) in rows.iter().enumerate() {
            coefficients.iter().enumerate().for_each(|(column, &value)| tableau.set(row, column, value));
            tableau.set_right_hand_side(row, *right);
        }
        tableau
    }

    #[test]
    fn a_small_program_has_its_known_optimum() {
        // Maximize 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6).
        let mut program = tableau(&[
            (&[1.0, 0.0, 1.0, 0.0, 0.0], 4.0),
            (&[0.0, 2.0, 0.0, 1.0, 0.0], 12.0),
            (&[3.0, 2.0, 0.0, 0.0, 1.0], 18.0),
        ]);
        assert!(program.find_feasible() < 1e-12);
        let objective = |column: usize| [3.0, 5.0, 0.0, 0.0, 0.0][column];
        assert!((program.maximize(objective) - 36.0).abs() < 1e-9);
        assert!((program.value(0) - 2.0).abs() < 1e-9 && (program.value(1) - 6.0).abs() < 1e-9);
        // A unit more of each right-hand side: 0, 1.5 and 1 more.
        let duals = [0, 1, 2].map(|row| program.dual(row, objective));
        assert!(duals.iter().zip([0.0, 1.5, 1.0]).all(|(dual, known)| (dual - known).abs() < 1e-9), "{duals:?}");
        // Another objective starts from there: minimize x.
        assert!(program.maximize(|column| if column == 0 { -1.0 } else { 0.0 }).abs() < 1e-9);
    }

    #[test]
    fn what_is_missing_is_the_least_violation() {
        // x + y = 1 and x + y = 3.
        let mut program = tableau(&[(&[1.0, 1.0], 1.0), (&[1.0, 1.0], 3.0)]);
        assert!((program.find_feasible() - 2.0).abs() < 1e-9);
        // Redundant equations and negative right-hand sides are fine: x - y = -1, twice.
        let mut program = tableau(&[(&[1.0, -1.0], -1.0), (&[2.0, -2.0], -2.0)]);
        assert!(program.find_feasible() < 1e-12);
        assert_eq!(program.maximize(|column| if column == 0 { 1.0 } else { 0.0 }), f64::INFINITY);
    }
}
