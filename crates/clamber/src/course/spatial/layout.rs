//! The layout of a course: its segments, and the obstacles of each.
//!
//! Lengths are in double precision, because a long course adds up many of them.

use clamber_io::InfeasibleCause;

use super::rectangle::{GroundPoint, Rectangle, directions, extent};

/// Where a segment begins or ends: the middle of the floor's edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub at: GroundPoint,
    /// Height of the floor.
    pub height: f64,
    /// Degrees, from +x counter-clockwise seen from above.
    pub heading: f64,
}

impl Place {
    /// A point so far forward and so far to the right.
    pub fn point(&self, forward: f64, right: f64) -> GroundPoint {
        let [ahead, aside] = directions(self.heading);
        [0, 1].map(|axis| self.at[axis] + forward * ahead[axis] + right * aside[axis])
    }
}

/// The vertical extent of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extent {
    /// From the bottom of the course up to this height.
    Ground { top: f64 },
    /// Between two heights.
    Between { bottom: f64, top: f64 },
    /// A plate whose top begins at this height and is inclined by so many degrees, up along the heading.
    Ramp { from: f64, degrees: f64, length: f64 },
}

/// Which sides of an obstacle are holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// None.
    Bare,
    /// The top, to stand on.
    Floor,
    /// The top, and the sides, against which feet can press.
    RoughBlock,
    /// All sides, as of a rung.
    Everywhere,
    /// The bottom, to hang from.
    Bar,
}

impl Holds {
    pub fn is_floor(self) -> bool {
        matches!(self, Self::Floor | Self::RoughBlock)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    pub name: String,
    pub footprint: Rectangle,
    pub extent: Extent,
    pub holds: Holds,
}

/// Where and why a segment is impassable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BrokenPlace {
    pub cause: InfeasibleCause,
    /// A box around it: its extent on the ground and its lowest and highest point.
    pub ground: [GroundPoint; 2],
    pub heights: [f64; 2],
    pub description: String,
}

/// A segment, or the floor of the start or the goal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SegmentLayout {
    /// A comment for the scene file.
    pub note: String,
    pub solids: Vec<Solid>,
    pub entry: Place,
    pub exit: Place,
    pub broken: Option<BrokenPlace>,
    /// The extent of its footprints.
    ground: [GroundPoint; 2],
}

impl SegmentLayout {
    pub fn new(note: String, solids: Vec<Solid>, ends: [Place; 2], broken: Option<BrokenPlace>) -> Self {
        let ground = extent(solids.iter().flat_map(|solid| solid.footprint.corners()));
        let [entry, exit] = ends;
        Self { note, solids, entry, exit, broken, ground }
    }

    pub fn ground(&self) -> [GroundPoint; 2] {
        self.ground
    }

    /// Whether an obstacle of the segment comes nearer than `margin` to one of the other.
    pub fn is_within(&self, margin: f64, other: &Self) -> bool {
        let [low, high] = self.ground;
        let [other_low, other_high] = other.ground;
        let is_apart =
            (0..2).any(|axis| low[axis] - other_high[axis] > margin || other_low[axis] - high[axis] > margin);
        let nears = |solid: &Solid, other: &Solid| solid.footprint.is_within(margin, &other.footprint);
        !is_apart && self.solids.iter().any(|solid| other.solids.iter().any(|other| nears(solid, other)))
    }

    /// From where the segment begins to where it ends, as the crow flies.
    pub fn distance_across(&self) -> f64 {
        let [x, z] = [0, 1].map(|axis| self.exit.at[axis] - self.entry.at[axis]);
        (x * x + z * z).sqrt()
    }
}

/// The lowest top of the ground, pits included, and the lowest and the highest floor.
pub(super) fn heights(segments: &[SegmentLayout]) -> (f64, [f64; 2]) {
    let solids = segments.iter().flat_map(|segment| &segment.solids);
    let tops = solids.filter_map(|solid| match solid.extent {
        Extent::Ground { top } => Some((top, solid.holds.is_floor())),
        _ => None,
    });
    tops.fold((f64::INFINITY, [f64::INFINITY, f64::NEG_INFINITY]), |(pit, [low, high]), (top, is_floor)| {
        (pit.min(top), if is_floor { [low.min(top), high.max(top)] } else { [low, high] })
    })
}
