//! What a scene that cannot be solved says about itself: where it was broken, and how.
//!
//! It is for those who judge an answer. The planner never sees it.

use clamber_model::character::Root;
use clamber_model::math::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::error::{FileError, Source};
use crate::fields::Place;

/// Why no motion can exist: the place at which the way was broken on purpose.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a broken place")]
pub(super) struct BrokenEntry {
    /// The number of the course's segment, from 1.
    segment: usize,
    /// The segment's kind.
    kind: String,
    /// What is wrong there.
    cause: BrokenCause,
    /// The corner with the least coordinates of the box that it is in.
    min: Place,
    /// The corner with the greatest coordinates.
    #[schemars(with = "Place")]
    max: Spanned<Place>,
    /// The same in words.
    why: String,
}

/// What keeps a character from going on at a broken place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BrokenCause {
    /// The next hold is out of reach.
    TooFar,
    /// There is no room for the body.
    Blocked,
}

impl BrokenCause {
    /// As files say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::TooFar => "too-far",
            Self::Blocked => "blocked",
        }
    }
}

/// Where and how a scene was broken on purpose, so that no motion can exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The number of the course's segment, from 1.
    pub segment: usize,
    /// The segment's kind.
    pub kind: String,
    /// What is wrong there.
    pub cause: BrokenCause,
    /// The corner with the least coordinates of the box that it is in.
    pub min: Vec3,
    /// The corner with the greatest coordinates.
    pub max: Vec3,
    /// The same in words.
    pub why: String,
}

impl Broken {
    /// Whether a place is in the box.
    pub fn contains(&self, place: Vec3) -> bool {
        (0..3).all(|axis| (self.min[axis]..=self.max[axis]).contains(&place[axis]))
    }
}

pub(super) fn broken(source: &Source, entry: &BrokenEntry, root: Root) -> Result<Broken, FileError> {
    let BrokenEntry { segment, kind, cause, min, max, why } = entry;
    let (mut low, mut high) = (min.xyz, max.get_ref().xyz);
    if root == Root::Planar {
        (low.z, high.z) = (f32::NEG_INFINITY, f32::INFINITY);
    }
    if (0..3).any(|axis| low[axis] > high[axis]) {
        let help = "no number of `max` may be less than that of `min`";
        return Err(source.error(max.span(), "the box of the broken place is empty").with_help(help));
    }
    Ok(Broken { segment: *segment, kind: kind.clone(), cause: *cause, min: low, max: high, why: why.clone() })
}
