//! Random damage to numbers, ids, names and lists, with a record of what was damaged.

use clamber::model::math::{Pose, Rotation, Vec3};
use clamber::model::rng::Stream;

/// Numbers that no valid input has, and some that only a strange one has.
const NUMBERS: [f32; 12] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -1.0, 1e30, -1e30, 1e-30, f32::MAX, 1e6, -1e6, 1e4];

/// Draws random damage and records it.
pub struct Damage {
    random: Stream,
    /// What was damaged, and how.
    pub record: Vec<String>,
}

impl Damage {
    /// The damage of a case.
    pub fn new(case: u64) -> Self {
        Self { random: Stream::new(case, "damage"), record: Vec::new() }
    }

    /// An integer below `count`, or 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.random.below(count.max(1))
    }

    pub fn chance(&mut self, share: f32) -> bool {
        self.random.uniform() < share
    }

    /// A random element, if there is one.
    pub fn pick<'a, T>(&mut self, list: &'a mut [T]) -> Option<&'a mut T> {
        let index = self.below(list.len());
        list.get_mut(index)
    }

    pub fn note(&mut self, what: impl Into<String>) {
        self.record.push(what.into());
    }

    /// A number that is seldom valid.
    pub fn bad_number(&mut self, before: f32) -> f32 {
        match self.below(NUMBERS.len() + 3) {
            0 => -before,
            1 => 1000.0 * before,
            2 => before * self.random.between(0.5, 1.5),
            other => NUMBERS[other - 3],
        }
    }

    pub fn number(&mut self, what: &str, number: &mut f32) {
        let before = *number;
        *number = self.bad_number(before);
        self.note(format!("{what}: {before} -> {number}"));
    }

    pub fn vector(&mut self, what: &str, vector: &mut Vec3) {
        let axis = self.below(4);
        match axis {
            3 => *vector = Vec3::splat(self.bad_number(1.0)),
            _ => vector[axis] = self.bad_number(vector[axis]),
        }
        self.note(format!("{what} -> {vector}"));
    }

    pub fn pose(&mut self, what: &str, pose: &mut Pose) {
        if self.chance(0.5) {
            self.vector(what, &mut pose.translation);
            return;
        }
        let mut numbers = pose.rotation.to_array();
        let index = self.below(4);
        numbers[index] = self.bad_number(numbers[index]);
        pose.rotation = Rotation::from_array(numbers);
        self.note(format!("rotation of {what} -> {}", pose.rotation));
    }

    /// An index that seldom exists in a list of this length.
    pub fn index(&mut self, length: usize) -> usize {
        let indices = [length, length + 1, usize::MAX, usize::MAX / 2, 1 << 32, 99_999, length / 2, 0];
        indices[self.below(indices.len())]
    }

    pub fn id<Id: From<usize> + std::fmt::Debug>(&mut self, what: &str, id: &mut Id, length: usize) {
        *id = Id::from(self.index(length));
        self.note(format!("{what} -> {id:?}"));
    }

    pub fn count(&mut self, what: &str, count: &mut usize) {
        *count = self.index(*count);
        self.note(format!("{what} -> {count}"));
    }

    pub fn name(&mut self, what: &str, name: &mut String) {
        *name = match self.below(4) {
            0 => String::new(),
            1 => "left_foot".to_owned(),
            2 => "\u{0}\n\"{}\u{1F9D7}".to_owned(),
            _ => "a".repeat(3000),
        };
        self.note(format!("name of {what} -> {:.12}", name.escape_debug()));
    }

    /// Empties, shortens, lengthens or reorders a list.
    pub fn list<T: Clone>(&mut self, what: &str, list: &mut Vec<T>) {
        let (first, second) = (self.below(list.len()), self.below(list.len()));
        let how = match self.below(7) {
            0 => {
                list.clear();
                "emptied"
            }
            1 => {
                list.truncate(first);
                "truncated"
            }
            2 if !list.is_empty() => {
                list.insert(second, list[first].clone());
                "one repeated"
            }
            3 if !list.is_empty() => {
                list.swap(first, second);
                "two swapped"
            }
            4 if !list.is_empty() => {
                list.remove(first);
                "one removed"
            }
            5 => {
                list.extend_from_slice(&list.clone());
                "doubled"
            }
            _ => {
                list.reverse();
                "reversed"
            }
        };
        self.note(format!("{what} {how}"));
    }
}
