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
    /// A ladder up to a platform.
    LadderUp,
    /// A ladder down from a platform.
    LadderDown,
    /// A wall with scattered ledges to climb up on.
    WallUp,
    /// A wall with scattered ledges to climb down on.
    WallDown,
    /// An edge to get onto.
    LedgeUp,
    /// An edge to get down from.
    LedgeDown,
    /// Bars to hang from, over a pit.
    Bars,
}

impl SpatialSegmentKind {
    /// All kinds.
    pub const ALL: [Self; 20] = [
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
        Self::LadderUp,
        Self::LadderDown,
        Self::WallUp,
        Self::WallDown,
        Self::LedgeUp,
        Self::LedgeDown,
        Self::Bars,
    ];

    /// The kinds that need no climbing: where a body walks, steps and crawls.
    pub const WALKING: &'static [Self] = Self::ALL.split_at(13).0;

    /// The other kinds: where a body climbs and hangs.
    pub const CLIMBING: &'static [Self] = Self::ALL.split_at(13).1;

    /// The kinds that can be made impassable whatever is beside them.
    pub const CAN_BE_INFEASIBLE: [Self; 8] =
        [Self::StairsUp, Self::Beam, Self::Crawl, Self::Sidle, Self::LadderUp, Self::WallUp, Self::LedgeUp, Self::Bars];

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
            Self::LadderUp => "ladder-up",
            Self::LadderDown => "ladder-down",
            Self::WallUp => "wall-up",
            Self::WallDown => "wall-down",
            Self::LedgeUp => "ledge-up",
            Self::LedgeDown => "ledge-down",
            Self::Bars => "bars",
        }
    }

    /// 1 if the kind leads up, -1 if it leads down, otherwise 0.
    pub(super) fn direction(self) -> i32 {
        match self {
            Self::StairsUp | Self::SlopeUp | Self::LadderUp | Self::WallUp | Self::LedgeUp => 1,
            Self::StairsDown | Self::SlopeDown | Self::LadderDown | Self::WallDown | Self::LedgeDown => -1,
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
