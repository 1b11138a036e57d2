//! The `[broken]` table: where and why a generated scene is infeasible on purpose.
//!
//! Tests compare a planner's explanation with it. The planner never sees it.

use clamber_model::character::RootJoint;
use clamber_model::math::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::common_field_types::Point;
use crate::error::{FileError, Source};

/// Why no motion exists: a course segment that was made infeasible on purpose.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of [broken]")]
pub(super) struct InfeasibleEntry {
    /// The index of the course segment, from 1.
    segment: usize,
    /// The segment's kind.
    kind: String,
    /// Why it is infeasible.
    cause: InfeasibleCause,
    /// The smallest coordinates of a box around it, in meters.
    min: Point,
    /// The corner with the largest coordinates, in meters.
    #[schemars(with = "Point")]
    max: Spanned<Point>,
    /// A description.
    why: String,
}

impl InfeasibleEntry {
    /// Moves the box.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        map(&mut self.min.xyz);
        map(&mut self.max.get_mut().xyz);
    }
}

/// Why a segment is infeasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InfeasibleCause {
    /// The next hold is out of reach.
    TooFar,
    /// The body does not fit.
    Blocked,
}

impl InfeasibleCause {
    /// The keyword in scene files.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::TooFar => "too-far",
            Self::Blocked => "blocked",
        }
    }
}

/// A course segment that was made infeasible on purpose, so that no motion exists.
#[derive(Clone, Debug, PartialEq)]
pub struct InfeasibleSegment {
    /// The index of the course segment, from 1.
    pub segment_number: usize,
    /// The segment's kind.
    pub kind: String,
    /// Why it is infeasible.
    pub cause: InfeasibleCause,
    /// The smallest coordinates of a box around it, in meters.
    pub box_min: Vec3,
    /// The corner with the largest coordinates, in meters.
    pub box_max: Vec3,
    /// A description.
    pub description: String,
}

impl InfeasibleSegment {
    /// Whether a point is in the box.
    pub fn contains(&self, place: Vec3) -> bool {
        (0..3).all(|axis| (self.box_min[axis]..=self.box_max[axis]).contains(&place[axis]))
    }
}

pub(super) fn infeasible_segment(
    source: &Source,
    entry: &InfeasibleEntry,
    root: RootJoint,
) -> Result<InfeasibleSegment, FileError> {
    let InfeasibleEntry { segment, kind, cause, min, max, why } = entry;
    let (mut low, mut high) = (min.xyz, max.get_ref().xyz);
    if root == RootJoint::Planar {
        (low.z, high.z) = (f32::NEG_INFINITY, f32::INFINITY);
    }
    if (0..3).any(|axis| low[axis] > high[axis]) {
        let help = "no coordinate of `max` may be less than that of `min`";
        return Err(source.error(max.span(), "the box of [broken] is empty").with_help(help));
    }
    Ok(InfeasibleSegment {
        segment_number: *segment,
        kind: kind.clone(),
        cause: *cause,
        box_min: low,
        box_max: high,
        description: why.clone(),
    })
}
