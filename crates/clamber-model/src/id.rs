//! Typed indices into the lists of characters, worlds and mode tables.
//!
//! Each list has its own id type, so a hinge id cannot index the links. Lists are [`TiVec`]s, which only their own id indexes.

use std::fmt;
use std::ops::Range;

pub use typed_index_collections::{TiSlice, TiVec};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(usize);

        impl $name {
            /// Returns the id of this position in the list.
            #[inline]
            pub const fn new(index: usize) -> Self {
                Self(index)
            }

            /// Returns the position in the list.
            #[inline]
            pub const fn index(self) -> usize {
                self.0
            }
        }

        impl From<usize> for $name {
            #[inline]
            fn from(index: usize) -> Self {
                Self(index)
            }
        }

        impl From<$name> for usize {
            #[inline]
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )*};
}

ids! {
    /// Index into [`Character::links`](crate::Character::links).
    LinkId
    /// Index into [`Character::hinges`](crate::Character::hinges).
    HingeId
    /// Index into [`Character::limbs`](crate::Character::limbs).
    LimbId
    /// Index into [`Character::effectors`](crate::Character::effectors).
    EffectorId
    /// Index into [`World::obstacles`](crate::World::obstacles).
    ObstacleId
    /// Index into [`World::holds`](crate::World::holds).
    HoldId
    /// Index into [`ModeTable::modes`](crate::ModeTable::modes).
    ModeId
    /// Index into [`ModeTable::effector_groups`](crate::ModeTable::effector_groups).
    GroupId
    /// Index into [`ModeTable::edges`](crate::ModeTable::edges).
    EdgeId
}

impl LinkId {
    /// The first link of every character.
    pub const ROOT: Self = Self(0);
}

/// Consecutive ids. Unlike [`Range`], it is `Copy` and iterates over ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange<Id> {
    /// The first id.
    pub start: Id,
    /// The id after the last.
    pub end: Id,
}

impl<Id: Copy + From<usize> + Into<usize>> IdRange<Id> {
    /// Returns the number of ids.
    pub fn len(self) -> usize {
        self.end.into().saturating_sub(self.start.into())
    }

    /// Returns whether the range is empty.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Iterates over the ids in ascending order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Id> + ExactSizeIterator + Clone {
        (self.start.into()..self.end.into()).map(Id::from)
    }

    /// Returns the standard range, which slices lists.
    #[inline]
    pub fn range(self) -> Range<Id> {
        self.start..self.end
    }
}

impl<Id> From<Range<Id>> for IdRange<Id> {
    fn from(Range { start, end }: Range<Id>) -> Self {
        Self { start, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_converts_to_and_from_its_index() {
        let hold = HoldId::from(7);
        assert_eq!((hold.index(), usize::from(hold)), (7, 7));
        assert_eq!(format!("{hold:?}"), "HoldId(7)");
        assert!(HoldId::from(6) < hold);
    }

    #[test]
    fn a_range_iterates_over_ids_and_slices_lists() {
        let hinges = IdRange::from(HingeId::from(1)..HingeId::from(3));
        assert_eq!(hinges.iter().map(HingeId::index).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((hinges.len(), hinges.is_empty()), (2, false));
        let angles: typed_index_collections::TiVec<HingeId, f32> = vec![0.0, 0.1, 0.2, 0.3].into();
        assert_eq!(angles[hinges.range()].raw, [0.1, 0.2]);
    }
}
