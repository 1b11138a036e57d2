//! Support regions of recent stances.

use clamber_model::contact::Stance;
use clamber_model::kinematics::LinkFrames;
use clamber_model::{Character, Contact, World};

use super::contact_loads::pressing_direction;
use super::solver::{EquilibriumSolver, SupportRegion};

/// The number of regions that are kept: the stances of a few steps, each with its patches flat or not.
const CAPACITY: usize = 64;

/// Directions that differ by less than this have the same region: less than a millimeter at the end of a patch.
const DIRECTION_CELL: f32 = 2e-3;

/// Computes support regions and keeps those of recent stances. A search asks for the same few again and again.
#[derive(Default)]
pub struct SupportRegionCache {
    solver: EquilibriumSolver,
    entries: Vec<Entry>,
    /// The entry found last.
    last: usize,
    /// The entry that is replaced next.
    oldest: usize,
    /// The directions of the stance asked for, reused.
    directions: Vec<[i32; 3]>,
}

struct Entry {
    stance: Stance,
    /// Of the patches and grips in contact, in cells. Only these make a region depend on the posture.
    directions: Vec<[i32; 3]>,
    region: SupportRegion,
}

impl SupportRegionCache {
    /// Returns the support region of a stance, like [`EquilibriumSolver::support_region`].
    pub fn region(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
    ) -> &SupportRegion {
        self.directions.clear();
        let directions = stance.iter().filter_map(|contact| pressing_direction(character, frames, contact));
        let cell = |direction: [f32; 3]| direction.map(|entry| (entry / DIRECTION_CELL).round() as i32);
        self.directions.extend(directions.map(cell));
        let is_same = |entry: &Entry| entry.stance == stance && entry.directions == self.directions;
        if !self.entries.get(self.last).is_some_and(is_same) {
            let found = self.entries.iter().position(is_same);
            self.last = found.unwrap_or_else(|| self.compute(character, world, frames, stance));
        }
        &self.entries[self.last].region
    }

    /// Computes a region and returns the index of its entry.
    fn compute(&mut self, character: &Character, world: &World, frames: &LinkFrames, stance: &[Contact]) -> usize {
        let region = self.solver.support_region(character, world, frames, stance);
        let entry = Entry { stance: stance.to_vec(), directions: self.directions.clone(), region };
        if self.entries.len() < CAPACITY {
            self.entries.push(entry);
            return self.entries.len() - 1;
        }
        let index = self.oldest;
        self.entries[index] = entry;
        self.oldest = (index + 1) % CAPACITY;
        index
    }
}
