//! The layout of a course while its segments are chained: obstacles, holds, start and goal.
//!
//! Lengths are in double precision, because a long course adds up many of them, and in whole centimeters, because people read
//! the scene file.

use clamber_io::InfeasibleSegment;

/// A point in the plane, in meters.
pub(super) type Point = [f64; 2];

/// The holds on an obstacle's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Holds {
    /// None.
    Bare,
    /// Holds to stand on, with this spacing in meters.
    Floor(f64),
    /// Holds to climb, and to stand on at the top, with this spacing in meters.
    Wall(f64),
    /// One hold to hang from.
    Bar,
}

/// An obstacle's outline.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outline {
    /// The region below a line, which runs to the right, down to the bottom of the course.
    Ground(Vec<Point>),
    /// A box between two corners.
    Box([Point; 2]),
    /// A box above this lower side, up to the top of the course.
    Closing([Point; 2]),
    /// A polygon.
    Polygon(Vec<Point>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    pub name: String,
    pub outline: Outline,
    pub holds: Holds,
}

/// The obstacles of one segment, of the start or of the goal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayoutSection {
    /// A comment for the scene file.
    pub note: String,
    pub solids: Vec<Solid>,
}

/// The positions of the feet at the start or the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FootPlacement {
    pub feet: [Point; 2],
}

/// The layout so far.
#[derive(Clone, Debug, Default)]
pub(super) struct CourseLayout {
    /// The end of the ground, where the next segment begins.
    pub at: Point,
    /// Distance of the last hold to stand on from that end.
    pub last_hold_distance: f64,
    pub sections: Vec<LayoutSection>,
    pub start: FootPlacement,
    pub goal: FootPlacement,
    pub broken: Option<InfeasibleSegment>,
}

impl CourseLayout {
    /// Begins a section. Obstacles are added to the last section.
    pub fn begin_section(&mut self) {
        self.sections.push(LayoutSection { note: String::new(), solids: Vec::new() });
    }

    /// Sets the comment of the last section.
    pub fn set_note(&mut self, note: String) {
        if let Some(section) = self.sections.last_mut() {
            section.note = note;
        }
    }

    pub fn add_obstacle(&mut self, name: String, outline: Outline, holds: Holds) {
        if let Some(section) = self.sections.last_mut() {
            section.solids.push(Solid { name, outline, holds });
        }
    }

    /// Adds ground under a line that may begin anywhere. The course continues from the line's end; its last side is level.
    pub fn add_ground(&mut self, name: String, line: Vec<Point>, spacing: f64) {
        if let [.., from, to] = line[..] {
            self.at = to;
            self.last_hold_distance = 0.5 * even_spacing(to[0] - from[0], spacing);
        }
        self.add_obstacle(name, Outline::Ground(line), Holds::Floor(spacing));
    }

    /// Adds level ground of this length at the end of the course. Returns the x coordinates of its holds.
    pub fn add_floor(&mut self, name: String, length: f64, spacing: f64) -> Vec<f64> {
        let [x, y] = self.at;
        self.add_ground(name, vec![[x, y], [round_to_centimeters(x + length), y]], spacing);
        hold_positions(x, length, spacing)
    }

    /// The lowest and the highest ground, in meters.
    pub fn heights(&self) -> (f64, f64) {
        let solids = self.sections.iter().flat_map(|section| &section.solids);
        let lines = solids.filter_map(|solid| match (&solid.outline, solid.holds) {
            (Outline::Ground(line), Holds::Floor(_)) => Some(line),
            _ => None,
        });
        let heights = lines.flatten().map(|point| point[1]);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
    }
}

/// The positions of the holds on a level side, as scenes place them: evenly, half a spacing from the ends.
pub(super) fn hold_positions(from: f64, length: f64, spacing: f64) -> Vec<f64> {
    let even = even_spacing(length, spacing);
    let count = (length / even).round() as usize;
    (0..count).map(|i| from + (i as f64 + 0.5) * even).collect()
}

/// The spacing nearest to the given one that divides the length evenly.
pub(super) fn even_spacing(length: f64, spacing: f64) -> f64 {
    length / (length / spacing).round().max(1.0)
}

/// Rounds a length in meters to whole centimeters.
pub(super) fn round_to_centimeters(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}
