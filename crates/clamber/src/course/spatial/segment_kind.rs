//! The kinds of segments in space.

use std::fmt;
use std::str::FromStr;

/// The kind of a segment of a course in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpatialSegmentKind {
    /// A corridor with one turn.
    Corridor,
    /// Stairs up.
    StairsUp,
    /// Stairs down.
    StairsDown,
    /// A slope up.
    SlopeUp,
    /// A slope down.
    SlopeDown,
    /// A beam over a pit.
    Beam,
    /// Stepping stones in a pit.
    Stones,
    /// A low passage to duck under.
    Duck,
    /// A duct to crawl through.
    Crawl,
    /// A narrow passage to sidle through.
    Sidle,
    /// Boxes half sunk into the floor.
    Rubble,
    /// A bar or a low wall to step over.
    Hurdle,
    /// A floor with posts, boxes and tables on it.
    Field,
}

impl SpatialSegmentKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Corridor,
        Self::StairsUp,
        Self::StairsDown,
        Self::SlopeUp,
        Self::SlopeDown,
        Self::Beam,
        Self::Stones,
        Self::Duck,
        Self::Crawl,
        Self::Sidle,
        Self::Rubble,
        Self::Hurdle,
        Self::Field,
    ];

    /// The kinds that can be made impassable whatever is beside them.
    pub const CAN_BE_INFEASIBLE: [Self; 4] = [Self::StairsUp, Self::Beam, Self::Crawl, Self::Sidle];

    /// The name in files and on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Corridor => "corridor",
            Self::StairsUp => "stairs-up",
            Self::StairsDown => "stairs-down",
            Self::SlopeUp => "slope-up",
            Self::SlopeDown => "slope-down",
            Self::Beam => "beam",
            Self::Stones => "stones",
            Self::Duck => "duck",
            Self::Crawl => "crawl",
            Self::Sidle => "sidle",
            Self::Rubble => "rubble",
            Self::Hurdle => "hurdle",
            Self::Field => "field",
        }
    }

    /// 1 if the kind leads up, -1 if it leads down, otherwise 0.
    pub(super) fn direction(self) -> i32 {
        match self {
            Self::StairsUp | Self::SlopeUp => 1,
            Self::StairsDown | Self::SlopeDown => -1,
            _ => 0,
        }
    }
}

impl fmt::Display for SpatialSegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

impl FromStr for SpatialSegmentKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.keyword() == word).ok_or_else(|| {
            let known = Self::ALL.map(Self::keyword).join(", ");
            format!("there is no segment kind `{word}` in space; the kinds are {known}")
        })
    }
}
