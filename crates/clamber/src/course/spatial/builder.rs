//! What all segments share: the place that the segment has reached, the sampler of dimensions, and common obstacles.

use std::fmt::Display;
use std::ops::RangeInclusive;

use clamber_io::InfeasibleCause;

use super::dimensions::{BROKEN_BOX_MARGIN, BROKEN_FLAT_LENGTH, FLAT_LENGTH, FLAT_WIDTH, Span};
use super::layout::{BrokenPlace, Extent, Holds, Place, SegmentLayout, Solid};
use super::rectangle::{Rectangle, extent};
use super::sampler::Sampler;
use super::segment_kind::SpatialSegmentKind;

/// Builds one segment.
pub(super) struct SegmentBuilder {
    /// The middle of the end of the floor so far.
    pub at: Place,
    pub sampler: Sampler,
    /// Whether the segment must be impassable.
    pub is_broken: bool,
    /// The length of the level floor at either end of an impassable segment.
    pub broken_flat_length: f64,
    /// Whether turns are small and alternate.
    pub is_calm: bool,
    /// The width of the floors at either end.
    pub width: f64,
    number: usize,
    kind: SpatialSegmentKind,
    entry: Place,
    solids: Vec<Solid>,
    note: String,
    broken: Option<BrokenPlace>,
}

/// Positions across the course: meters to the right of its middle.
pub(super) type Across = RangeInclusive<f64>;

impl SegmentBuilder {
    /// `number` counts from 1.
    pub fn new(number: usize, kind: SpatialSegmentKind, entry: Place, mut sampler: Sampler) -> Self {
        let width = sampler.length(&FLAT_WIDTH);
        Self {
            at: entry,
            sampler,
            is_broken: false,
            broken_flat_length: BROKEN_FLAT_LENGTH,
            is_calm: false,
            width,
            number,
            kind,
            entry,
            solids: Vec::new(),
            note: String::new(),
            broken: None,
        }
    }

    pub fn finish(self) -> SegmentLayout {
        SegmentLayout::new(self.note, self.solids, [self.entry, self.at], self.broken)
    }

    /// Samples a length.
    pub fn length(&mut self, span: &Span) -> f64 {
        self.sampler.length(span)
    }

    /// Samples the length of the level floor at an end.
    pub fn flat_length(&mut self) -> f64 {
        if self.is_broken { self.broken_flat_length } else { self.sampler.length(&FLAT_LENGTH) }
    }

    /// Describes the segment in a comment of the scene file.
    pub fn describe(&mut self, description: impl Display) {
        self.note = format!("{} {}: {description}.", self.number, self.kind);
    }

    /// Adds level floor, and continues at its end.
    pub fn add_floor(&mut self, name: &str, length: f64, width: f64) {
        self.add_ground(name, length, width, self.at.height, Holds::Floor);
        self.advance(length);
    }

    /// Adds level floor of sampled length and of the width of the ends.
    pub fn add_flat(&mut self, name: &str) {
        self.add_flat_with(name, Holds::Floor);
    }

    /// The same with other holds.
    pub fn add_flat_with(&mut self, name: &str, holds: Holds) {
        let length = self.flat_length();
        self.add_ground(name, length, self.width, self.at.height, holds);
        self.advance(length);
    }

    /// Adds level floor of this length and, beyond it, of sampled length.
    pub fn add_far_floor(&mut self, length: f64) {
        let flat = self.flat_length();
        self.add_floor("far floor", length + flat, self.width);
    }

    /// Adds ground ahead that is so long and so wide.
    pub fn add_ground(&mut self, name: &str, length: f64, width: f64, top: f64, holds: Holds) {
        let across = -0.5 * width..=0.5 * width;
        self.add_solid(name, 0.0..=length, across, Extent::Ground { top }, holds);
    }

    /// Adds a block without holds. `along` counts from the end of the floor so far, heights from the floor.
    pub fn add_block(&mut self, name: &str, along: Across, across: Across, [bottom, top]: [f64; 2]) {
        let extent = Extent::Between { bottom: self.at.height + bottom, top: self.at.height + top };
        self.add_solid(name, along, across, extent, Holds::Bare);
    }

    /// Adds an obstacle.
    pub fn add_solid(&mut self, name: &str, along: Across, across: Across, extent: Extent, holds: Holds) {
        let center = self.at.point(0.5 * (along.start() + along.end()), 0.5 * (across.start() + across.end()));
        let (length, width) = (along.end() - along.start(), across.end() - across.start());
        let footprint = Rectangle { center, heading: self.at.heading, length, width };
        self.add_turned(name, footprint, extent, holds);
    }

    /// Adds an obstacle on a footprint of any heading.
    pub fn add_turned(&mut self, name: &str, footprint: Rectangle, extent: Extent, holds: Holds) {
        let name = format!("{} {} {name}", self.number, self.kind);
        self.solids.push(Solid { name, footprint, extent, holds });
    }

    /// Continues so much farther ahead.
    pub fn advance(&mut self, length: f64) {
        self.at.at = self.at.point(length, 0.0);
    }

    /// Records why the segment is impassable, and a box around that place: ahead of the end of the floor so far, and above it.
    pub fn set_broken(&mut self, cause: InfeasibleCause, length: f64, height: f64, description: String) {
        let margin = BROKEN_BOX_MARGIN;
        let width = self.width + 2.0 * margin;
        let center = self.at.point(0.5 * length, 0.0);
        let place = Rectangle { center, heading: self.at.heading, length: length + 2.0 * margin, width };
        let heights = [self.at.height - margin, self.at.height + height + margin];
        self.broken = Some(BrokenPlace { cause, ground: extent(place.corners()), heights, description });
    }
}
