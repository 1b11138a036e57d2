//! Builds segments, one file per kind of movement. Each begins and ends with level floor.

mod corridor;
mod stairs_and_slopes;
mod over_pits;
mod passages;
mod rough_floor;
mod obstacle_field;
mod climbs;
mod bars;

use self::climbs::Direction;
use super::builder::SegmentBuilder;
use super::segment_kind::SpatialSegmentKind;

/// Builds a segment of a kind.
pub(super) fn build(builder: &mut SegmentBuilder, kind: SpatialSegmentKind) {
    match kind {
        SpatialSegmentKind::Corridor => corridor::corridor(builder),
        SpatialSegmentKind::StairsUp => stairs_and_slopes::stairs(builder, 1.0),
        SpatialSegmentKind::StairsDown => stairs_and_slopes::stairs(builder, -1.0),
        SpatialSegmentKind::SlopeUp => stairs_and_slopes::slope(builder, 1.0),
        SpatialSegmentKind::SlopeDown => stairs_and_slopes::slope(builder, -1.0),
        SpatialSegmentKind::Beam => over_pits::beam(builder),
        SpatialSegmentKind::Stones => over_pits::stones(builder),
        SpatialSegmentKind::Duck => passages::duck(builder),
        SpatialSegmentKind::Crawl => passages::crawl(builder),
        SpatialSegmentKind::Sidle => passages::sidle(builder),
        SpatialSegmentKind::Rubble => rough_floor::rubble(builder),
        SpatialSegmentKind::Hurdle => rough_floor::hurdle(builder),
        SpatialSegmentKind::Field => obstacle_field::field(builder),
        SpatialSegmentKind::LadderUp => climbs::ladder(builder, Direction::Up),
        SpatialSegmentKind::LadderDown => climbs::ladder(builder, Direction::Down),
        SpatialSegmentKind::WallUp => climbs::wall(builder, Direction::Up),
        SpatialSegmentKind::WallDown => climbs::wall(builder, Direction::Down),
        SpatialSegmentKind::LedgeUp => climbs::ledge(builder, Direction::Up),
        SpatialSegmentKind::LedgeDown => climbs::ledge(builder, Direction::Down),
        SpatialSegmentKind::Bars => bars::bars(builder),
    }
}
