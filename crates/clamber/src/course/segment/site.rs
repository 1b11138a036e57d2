//! Where a segment is built: the draft it is added to, its dice, and what all segments have in common.

use clamber_io::{InfeasibleCause, InfeasibleSegment};
use clamber_model::math::Vec3;

use super::super::dice::Dice;
use super::super::draft::{Draft, Holds, Outline, Point, centimetres};
use super::super::kind::Kind;

/// The box that a broken place is in is larger than it by this much on each side, in metres.
const GENEROUS: f64 = 0.5;

/// A hold that is farther than this from all before it cannot be reached, in metres. From a foot to a raised hand the
/// figure measures 2.1 m; half a metre more leaves no doubt.
pub(super) const OUT_OF_REACH: f64 = 2.7;

/// Lower than the trunk, of 0.22 m, is thick, in metres: no body gets through.
pub(super) const TOO_LOW: f64 = 0.18;

/// How thick what is climbed is, in metres: so deep are also the holds on its edge.
pub(super) const WALL: f64 = 0.5;

/// A segment that is being built.
pub(crate) struct Site<'a> {
    pub draft: &'a mut Draft,
    pub dice: Dice,
    /// From 1.
    pub number: usize,
    pub kind: Kind,
    /// Whether it is the one that cannot be passed.
    pub is_broken: bool,
}

impl Site<'_> {
    /// The name of one of its obstacles.
    pub fn name(&self, part: &str) -> String {
        format!("{} {} {part}", self.number, self.kind)
    }

    /// Says what it is, for the reader of the file.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        self.draft.note(format!("{} {}: {what}.", self.number, self.kind));
    }

    /// The distance between holds to stand on.
    pub fn spacing(&mut self) -> f64 {
        self.dice.hard(0.25, 0.4)
    }

    /// The same where steps are long for other reasons.
    pub fn close_spacing(&mut self) -> f64 {
        self.dice.hard(0.25, 0.3)
    }

    /// Level ground between this segment and the next; at least 0.8 m.
    pub fn run_out(&mut self) -> f64 {
        self.dice.free(1.0, 1.6)
    }

    /// What is climbed: a plate whose holds on the face begin half a spacing above the lower floor, and end half a
    /// spacing below the upper one; behind it and below it is rock.
    pub fn wall(&mut self, part: &str, [x, foot]: Point, height: f64, thickness: f64, rungs: f64) {
        let every = height / (height / rungs).round();
        // Two spacings are hidden in the ground.
        let bottom = centimetres(foot - 2.0 * every);
        self.rock_below(part, [x, x + thickness], bottom);
        let outline = Outline::Box([[x, bottom], [x + thickness, foot + height]]);
        self.draft.add(self.name(part), outline, Holds::Wall(every));
    }

    /// Fills what is below a wall, so that there is no hollow with holds that nobody reaches.
    pub fn rock_below(&mut self, wall: &str, [from, to]: [f64; 2], top: f64) {
        let name = self.name(&format!("rock below {wall}"));
        self.draft.add(name, Outline::Ground(vec![[from, top], [to, top]]), Holds::Bare);
    }

    /// Level ground from here on.
    pub fn floor_at(&mut self, at: Point, length: f64, spacing: f64) {
        self.draft.at = [centimetres(at[0]), centimetres(at[1])];
        let name = self.name("floor");
        self.draft.floor(name, length, spacing);
    }

    /// Says where it cannot be passed, and why.
    pub fn breaks(&mut self, cause: InfeasibleCause, min: Point, max: Point, why: String) {
        let corner = |[x, y]: Point, wider: f64| Vec3::new((x + wider) as f32, (y + wider) as f32, 0.0);
        let (segment, kind) = (self.number, self.kind.word().to_owned());
        let (mut min, mut max) = (corner(min, -GENEROUS), corner(max, GENEROUS));
        (min.z, max.z) = (f32::NEG_INFINITY, f32::INFINITY);
        self.draft.broken = Some(InfeasibleSegment { segment, kind, cause, min, max, why });
    }
}
