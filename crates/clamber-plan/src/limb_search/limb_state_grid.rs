//! The states of the limb search: keyframes of the body, and a grid over the two angles.

use super::tuning::{ANGLE_STEP, HINGE_COSTS};
use super::two_hinge_limb::TwoHingeLimb;

/// A grid over the angles that contains those where the search begins.
pub(super) struct AngleGrid {
    begins: [f32; 2],
    /// The cell of the angles where the search begins.
    pub origin: [i32; 2],
    pub size: [usize; 2],
}

impl AngleGrid {
    pub fn new(limb: &TwoHingeLimb, begins: [f32; 2]) -> Self {
        let cells = |range: f32| (range / ANGLE_STEP).max(0.0) as i32;
        let origin = [0, 1].map(|hinge| cells(begins[hinge] - limb.limits[hinge][0]));
        let size = [0, 1].map(|hinge| (origin[hinge] + cells(limb.limits[hinge][1] - begins[hinge]) + 1) as usize);
        Self { begins, origin, size }
    }

    pub fn contains(&self, cell: [i32; 2]) -> bool {
        (0..2).all(|hinge| (0..self.size[hinge] as i32).contains(&cell[hinge]))
    }

    /// The index of a cell at a keyframe.
    pub fn state(&self, keyframe: usize, cell: [i32; 2]) -> usize {
        (keyframe * self.size[0] + cell[0] as usize) * self.size[1] + cell[1] as usize
    }

    /// The keyframe and the cell of a state.
    pub fn cell(&self, state: usize) -> (usize, [i32; 2]) {
        let (rows, second) = (state / self.size[1], state % self.size[1]);
        (rows / self.size[0], [(rows % self.size[0]) as i32, second as i32])
    }

    pub fn angles(&self, cell: [i32; 2]) -> [f32; 2] {
        [0, 1].map(|hinge| self.begins[hinge] + (cell[hinge] - self.origin[hinge]) as f32 * ANGLE_STEP)
    }
}

/// Steps to a cell itself and to its eight neighbors.
pub(super) const NEIGHBORS: [(i32, i32); 9] =
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Cost of turning the hinges by these angles.
pub(super) fn turn_cost(turns: [f32; 2]) -> f32 {
    let [first, second] = [HINGE_COSTS[0] * turns[0], HINGE_COSTS[1] * turns[1]];
    (first * first + second * second).sqrt()
}
