//! Builds segments, one file per kind of movement. Each begins at the end of the ground and ends with level ground.

mod builder;
mod ground;
mod low_ceilings;
mod wall;
mod bars;
mod dead_end_fork;

pub(super) use builder::SegmentBuilder;

use super::segment_kind::SegmentKind;

/// Adds a segment. Without `may_rise`, a segment that may lead up or not does not.
pub(super) fn build(builder: &mut SegmentBuilder, may_rise: bool) {
    builder.layout.begin_section();
    match builder.kind {
        SegmentKind::Flat => ground::flat(builder),
        SegmentKind::SlopeUp => ground::slope(builder, 1.0),
        SegmentKind::SlopeDown => ground::slope(builder, -1.0),
        SegmentKind::StepUp => ground::steps(builder, 1.0),
        SegmentKind::StepDown => ground::steps(builder, -1.0),
        SegmentKind::Gap => ground::gap(builder),
        SegmentKind::Hurdle => ground::hurdle(builder),
        SegmentKind::Duck => low_ceilings::duck(builder),
        SegmentKind::Crawl => low_ceilings::crawl(builder),
        SegmentKind::WallUp => wall::up(builder),
        SegmentKind::WallDown => wall::down(builder),
        SegmentKind::TwoStageWall => wall::ledges(builder),
        SegmentKind::MonkeyBars => bars::bars(builder),
        SegmentKind::OverhangingWall => wall::overhang(builder),
        SegmentKind::DeadEndFork => dead_end_fork::fork(builder, may_rise),
    }
}
