//! The kinds of segments.

use std::fmt;
use std::str::FromStr;

/// The kind of a segment of a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SegmentKind {
    /// Level ground.
    Flat,
    /// A slope up.
    SlopeUp,
    /// A slope down.
    SlopeDown,
    /// One to three steps up.
    StepUp,
    /// One to three steps down.
    StepDown,
    /// A gap to step over.
    Gap,
    /// A thin hurdle to step over.
    Hurdle,
    /// A beam to duck under.
    Duck,
    /// A tunnel too low to walk through.
    Crawl,
    /// A wall to climb.
    WallUp,
    /// A wall to climb down.
    WallDown,
    /// A wall with a ledge, climbed in two stages.
    TwoStageWall,
    /// Bars to swing along over a pit.
    MonkeyBars,
    /// An overhanging wall, or a wall beside an overhanging rock.
    OverhangingWall,
    /// Two routes, the shorter of which is a dead end.
    DeadEndFork,
}

impl SegmentKind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Flat,
        Self::SlopeUp,
        Self::SlopeDown,
        Self::StepUp,
        Self::StepDown,
        Self::Gap,
        Self::Hurdle,
        Self::Duck,
        Self::Crawl,
        Self::WallUp,
        Self::WallDown,
        Self::TwoStageWall,
        Self::MonkeyBars,
        Self::OverhangingWall,
        Self::DeadEndFork,
    ];

    /// The kinds that can be made impassable whatever is beside them.
    pub const CAN_BE_INFEASIBLE: [Self; 4] = [Self::Gap, Self::Crawl, Self::WallUp, Self::MonkeyBars];

    /// The name in files and on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::SlopeUp => "slope-up",
            Self::SlopeDown => "slope-down",
            Self::StepUp => "step-up",
            Self::StepDown => "step-down",
            Self::Gap => "gap",
            Self::Hurdle => "hurdle",
            Self::Duck => "duck",
            Self::Crawl => "crawl",
            Self::WallUp => "wall-up",
            Self::WallDown => "wall-down",
            Self::TwoStageWall => "ledges",
            Self::MonkeyBars => "bars",
            Self::OverhangingWall => "overhang",
            Self::DeadEndFork => "fork",
        }
    }

    /// 1 if the kind always leads up, -1 if it always leads down, otherwise 0.
    pub(super) fn direction(self) -> i32 {
        match self {
            Self::SlopeUp | Self::StepUp | Self::WallUp | Self::TwoStageWall | Self::OverhangingWall => 1,
            Self::SlopeDown | Self::StepDown | Self::WallDown => -1,
            _ => 0,
        }
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

impl FromStr for SegmentKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.keyword() == word).ok_or_else(|| {
            let known = Self::ALL.map(Self::keyword).join(", ");
            format!("there is no segment kind `{word}`; the kinds are {known}")
        })
    }
}
