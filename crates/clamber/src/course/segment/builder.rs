//! What all segments share: the layout, the sampler of dimensions, and common obstacles.

use clamber_io::{InfeasibleCause, InfeasibleSegment};
use clamber_model::math::Vec3;

use super::super::dimension_sampler::DimensionSampler;
use super::super::layout::{CourseLayout, Holds, Outline, Point, round_to_centimeters};
use super::super::segment_kind::SegmentKind;

/// The reported box around an impassable place is larger than the place by this on each side, in meters.
const BROKEN_BOX_MARGIN: f64 = 0.5;

/// A hold farther than this from all earlier ones cannot be reached, in meters. The figure measures 2.1 m from a foot to a
/// raised hand; the rest is margin.
pub(super) const OUT_OF_REACH: f64 = 2.7;

/// Height of a passage that no body fits through, in meters. The trunk is 0.22 m thick.
pub(super) const TOO_LOW: f64 = 0.18;

/// Thickness of walls, in meters, which is also the depth of the holds on their top edge.
pub(super) const WALL_THICKNESS: f64 = 0.5;

/// Builds one segment.
pub(crate) struct SegmentBuilder<'a> {
    pub layout: &'a mut CourseLayout,
    pub dimensions: DimensionSampler,
    /// The segment's number, from 1.
    pub number: usize,
    pub kind: SegmentKind,
    /// Whether the segment must be impassable.
    pub is_broken: bool,
}

impl SegmentBuilder<'_> {
    /// The name of an obstacle of the segment.
    pub fn obstacle_name(&self, name: &str) -> String {
        format!("{} {} {name}", self.number, self.kind)
    }

    /// Describes the segment in a comment of the scene file.
    pub fn describe(&mut self, description: impl std::fmt::Display) {
        self.layout.set_note(format!("{} {}: {description}.", self.number, self.kind));
    }

    /// Samples the distance between holds to stand on.
    pub fn sample_spacing(&mut self) -> f64 {
        self.dimensions.by_difficulty(0.25, 0.4)
    }

    /// The same for segments whose steps are long for other reasons.
    pub fn sample_close_spacing(&mut self) -> f64 {
        self.dimensions.by_difficulty(0.25, 0.3)
    }

    /// Samples the length of level ground after the segment.
    pub fn sample_run_out(&mut self) -> f64 {
        self.dimensions.uniform(1.0, 1.6)
    }

    /// Adds a wall to climb. The holds on its face begin half a spacing above the lower floor and end half a spacing below the
    /// upper one. Rock fills the space below it.
    pub fn add_wall(&mut self, name: &str, [x, foot]: Point, height: f64, thickness: f64, spacing: f64) {
        let spacing = height / (height / spacing).round();
        // The wall extends two spacings into the ground.
        let bottom = round_to_centimeters(foot - 2.0 * spacing);
        self.add_rock_below(name, [x, x + thickness], bottom);
        let outline = Outline::Box([[x, bottom], [x + thickness, foot + height]]);
        self.layout.add_obstacle(self.obstacle_name(name), outline, Holds::Wall(spacing));
    }

    /// Fills the space below a wall, which would otherwise be a cave with unreachable holds.
    pub fn add_rock_below(&mut self, wall: &str, [from, to]: [f64; 2], top: f64) {
        let name = self.obstacle_name(&format!("rock below {wall}"));
        self.layout.add_obstacle(name, Outline::Ground(vec![[from, top], [to, top]]), Holds::Bare);
    }

    /// Adds level ground that begins at a point.
    pub fn add_floor_at(&mut self, at: Point, length: f64, spacing: f64) {
        self.layout.at = [round_to_centimeters(at[0]), round_to_centimeters(at[1])];
        let name = self.obstacle_name("floor");
        self.layout.add_floor(name, length, spacing);
    }

    /// Records where and why the segment is impassable.
    pub fn set_broken(&mut self, cause: InfeasibleCause, min: Point, max: Point, description: String) {
        let corner = |[x, y]: Point, wider: f64| Vec3::new((x + wider) as f32, (y + wider) as f32, 0.0);
        let (segment, kind) = (self.number, self.kind.keyword().to_owned());
        let (mut min, mut max) = (corner(min, -BROKEN_BOX_MARGIN), corner(max, BROKEN_BOX_MARGIN));
        (min.z, max.z) = (f32::NEG_INFINITY, f32::INFINITY);
        self.layout.broken =
            Some(InfeasibleSegment { segment_number: segment, kind, cause, box_min: min, box_max: max, description });
    }
}
