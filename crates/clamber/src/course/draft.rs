//! A course while it is being chained: what stands where, and where it goes on.
//!
//! In double precision and whole centimetres: a long course adds up many lengths, and people read the numbers.

use clamber_io::InfeasibleSegment;

/// A place in the plane, in metres.
pub(super) type Point = [f64; 2];

/// The ways in which an obstacle's surface becomes holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Holds {
    /// None.
    Bare,
    /// To stand on, this far apart.
    Floor(f64),
    /// To climb and, where it ends, to stand on.
    Wall(f64),
    /// To hang from, one a bar.
    Bar,
}

/// An obstacle's outline.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outline {
    /// What is under this line, which runs to the right, down to the bottom of the course.
    Ground(Vec<Point>),
    /// A box between two corners.
    Box([Point; 2]),
    /// A box whose lower side is this one, and that closes everything above it.
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

/// What one segment adds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    /// What it is, for the reader of the file.
    pub note: String,
    pub solids: Vec<Solid>,
}

/// Two places to stand on, for the start or the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stand {
    pub feet: [Point; 2],
}

/// The course so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Where the ground ends and the next segment begins.
    pub at: Point,
    /// How far before that the last hold to stand on is.
    pub before_end: f64,
    pub stretches: Vec<Stretch>,
    pub start: Stand,
    pub goal: Stand,
    pub broken: Option<InfeasibleSegment>,
}

impl Draft {
    /// Begins what the next obstacles belong to.
    pub fn begin(&mut self) {
        self.stretches.push(Stretch { note: String::new(), solids: Vec::new() });
    }

    /// Says what the present stretch is.
    pub fn note(&mut self, note: String) {
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.note = note;
        }
    }

    pub fn add(&mut self, name: String, outline: Outline, holds: Holds) {
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.solids.push(Solid { name, outline, holds });
        }
    }

    /// Ground under a line that begins anywhere; the course goes on from its end. Its last side is level.
    pub fn ground(&mut self, name: String, line: Vec<Point>, spacing: f64) {
        if let [.., from, to] = line[..] {
            self.at = to;
            self.before_end = 0.5 * even_spacing(to[0] - from[0], spacing);
        }
        self.add(name, Outline::Ground(line), Holds::Floor(spacing));
    }

    /// Level ground of this length, from where the course is. Returns the holds' x.
    pub fn floor(&mut self, name: String, length: f64, spacing: f64) -> Vec<f64> {
        let [x, y] = self.at;
        self.ground(name, vec![[x, y], [centimetres(x + length), y]], spacing);
        hold_places(x, length, spacing)
    }

    /// The lowest and the highest that the ground is, in metres.
    pub fn heights(&self) -> (f64, f64) {
        let solids = self.stretches.iter().flat_map(|stretch| &stretch.solids);
        let lines = solids.filter_map(|solid| match (&solid.outline, solid.holds) {
            (Outline::Ground(line), Holds::Floor(_)) => Some(line),
            _ => None,
        });
        let heights = lines.flatten().map(|point| point[1]);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
    }
}

/// The places of the holds on a level side, as scenes spread them: evenly, half a spacing from the ends.
pub(super) fn hold_places(from: f64, length: f64, spacing: f64) -> Vec<f64> {
    let even = even_spacing(length, spacing);
    let count = (length / even).round() as usize;
    (0..count).map(|i| from + (i as f64 + 0.5) * even).collect()
}

/// The spacing that a side of this length gets when it is asked for this one.
pub(super) fn even_spacing(length: f64, spacing: f64) -> f64 {
    length / (length / spacing).round().max(1.0)
}

/// A length in whole centimetres.
pub(super) fn centimetres(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}
