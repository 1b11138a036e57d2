//! Chains segments so that none overlaps another.

use clamber_model::rng::Stream;

use super::builder::SegmentBuilder;
use super::dimensions::{
    BROKEN_FLAT_LENGTH_BESIDE_HEIGHTS, CLEARANCE, CORRIDOR_WEIGHT, END_LENGTH, END_WIDTH, MAX_HEIGHT,
};
use super::layout::{Extent, Holds, Place, SegmentLayout, Solid};
use super::rectangle::Rectangle;
use super::sampler::Sampler;
use super::segment::build;
use super::segment_kind::SpatialSegmentKind;

/// How often a segment that overlaps earlier ones is drawn anew.
const SEGMENT_DRAWS: usize = 12;

/// How often a course is begun anew because a segment does not fit.
const COURSE_DRAWS: usize = 20;

/// Neighbors touch where one ends and the next begins; they may overlap by rounding.
const TOUCH: f64 = -0.001;

/// What to lay out.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutRequest<'a> {
    pub seed: u64,
    pub segment_count: usize,
    /// Not empty.
    pub allowed_kinds: &'a [SpatialSegmentKind],
    /// The impassable segment: its index, and its kind.
    pub broken: Option<(usize, SpatialSegmentKind)>,
}

/// A course that was laid out.
#[derive(Clone, Debug)]
pub(super) struct SpatialLayout {
    /// The floor of the start, the segments in order, the floor of the goal.
    pub segments: Vec<SegmentLayout>,
    pub kinds: Vec<SpatialSegmentKind>,
}

/// Lays out a course. If a segment does not fit after some draws, the course is begun anew. After some courses, it leads on almost
/// straight: its corridors turn left and right in turn by at most 40 degrees, so no segment can come near another, and nothing is
/// drawn anew.
pub(super) fn lay_out(request: &LayoutRequest) -> SpatialLayout {
    let winding = (0..COURSE_DRAWS).find_map(|draw| lay_out_once(request, draw, false));
    let calm = || lay_out_once(request, COURSE_DRAWS, true);
    winding.or_else(calm).expect("a calm course always fits")
}

fn lay_out_once(request: &LayoutRequest, draw: usize, is_calm: bool) -> Option<SpatialLayout> {
    let mut segments = vec![end_floor("start floor", "Here it starts.", Place::default())];
    let mut kinds = Vec::with_capacity(request.segment_count);
    for index in 0..request.segment_count {
        let entry = segments.last().map_or(Place::default(), |segment| segment.exit);
        let draws = if is_calm { 1 } else { SEGMENT_DRAWS };
        let (segment, kind) = (0..draws).find_map(|again| {
            // A stream of its own for each draw: up to its impassable segment, a course is mostly the same as the possible one.
            let name = format!("spatial course {draw} segment {} draw {again}", index + 1);
            let mut sampler = Sampler(Stream::new(request.seed, &name));
            let drawn = draw_kind(request.allowed_kinds, entry.height, &mut sampler.0);
            let broken = request.broken.filter(|(broken, _)| *broken == index);
            let kind = broken.map_or(drawn, |(_, kind)| kind);
            let mut builder = SegmentBuilder::new(index + 1, kind, entry, sampler);
            builder.is_broken = broken.is_some();
            builder.is_calm = is_calm;
            if request.allowed_kinds.iter().any(|kind| SpatialSegmentKind::CLIMBING.contains(kind)) {
                builder.broken_flat_length = BROKEN_FLAT_LENGTH_BESIDE_HEIGHTS;
            }
            build(&mut builder, kind);
            let segment = builder.finish();
            (is_calm || fits(&segments, &segment)).then_some((segment, kind))
        })?;
        segments.push(segment);
        kinds.push(kind);
    }
    let entry = segments.last().map_or(Place::default(), |segment| segment.exit);
    let goal = end_floor("goal floor", "Here it ends.", entry);
    if !is_calm && !fits(&segments, &goal) {
        return None;
    }
    segments.push(goal);
    Some(SpatialLayout { segments, kinds })
}

/// Draws one of the kinds: none that leads up where the course is high, none that leads down where it is low.
fn draw_kind(allowed: &[SpatialSegmentKind], height: f64, stream: &mut Stream) -> SpatialSegmentKind {
    let leads_away = |kind: &SpatialSegmentKind| f64::from(kind.direction()) * height > MAX_HEIGHT;
    let suitable: Vec<SpatialSegmentKind> = allowed.iter().copied().filter(|kind| !leads_away(kind)).collect();
    let kinds = if suitable.is_empty() { allowed } else { &suitable };
    let weight = |kind: SpatialSegmentKind| if kind == SpatialSegmentKind::Corridor { CORRIDOR_WEIGHT } else { 1 };
    let weighted: Vec<SpatialSegmentKind> =
        kinds.iter().flat_map(|&kind| std::iter::repeat_n(kind, weight(kind))).collect();
    weighted[stream.below(weighted.len())]
}

/// Whether a segment can follow these.
fn fits(segments: &[SegmentLayout], next: &SegmentLayout) -> bool {
    segments.iter().rev().enumerate().all(|(back, earlier)| !next.is_within(clearance(segments, back), earlier))
}

/// How far a segment must be from the one that is `back` segments before the last of these.
fn clearance(segments: &[SegmentLayout], back: usize) -> f64 {
    match back {
        0 => TOUCH,
        // Only the last segment is in between, and it may be short.
        1 => {
            let between = segments.last().map_or(CLEARANCE, SegmentLayout::distance_across);
            CLEARANCE.min(between + TOUCH)
        }
        _ => CLEARANCE,
    }
}

/// The floor of the start or the goal.
fn end_floor(name: &str, note: &str, entry: Place) -> SegmentLayout {
    let center = entry.point(0.5 * END_LENGTH, 0.0);
    let footprint = Rectangle { center, heading: entry.heading, length: END_LENGTH, width: END_WIDTH };
    let extent = Extent::Ground { top: entry.height };
    let solid = Solid { name: name.to_owned(), footprint, extent, holds: Holds::Floor };
    let exit = Place { at: entry.point(END_LENGTH, 0.0), ..entry };
    SegmentLayout::new(note.to_owned(), vec![solid], [entry, exit], None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(seed: u64, segment_count: usize, allowed_kinds: &[SpatialSegmentKind]) -> SpatialLayout {
        lay_out(&LayoutRequest { seed, segment_count, allowed_kinds, broken: None })
    }

    fn assert_apart(SpatialLayout { segments, .. }: &SpatialLayout, what: &str) {
        for later in 1..segments.len() {
            assert_eq!(segments[later].entry, segments[later - 1].exit, "{what}");
            assert!(fits(&segments[..later], &segments[later]), "{what}: segment {later}");
        }
    }

    #[test]
    fn segments_follow_each_other_and_do_not_overlap() {
        for seed in 1..=200 {
            let layout = layout(seed, 5 + seed as usize % 6, &SpatialSegmentKind::ALL);
            assert_apart(&layout, &format!("seed {seed}"));
        }
        assert_apart(&layout(1, 300, &SpatialSegmentKind::ALL), "long");
        assert_apart(&layout(1, 40, &[SpatialSegmentKind::Corridor]), "corridors");
    }

    #[test]
    fn a_calm_course_fits() {
        use SpatialSegmentKind::{Corridor, Field, Hurdle};
        for seed in 1..=100 {
            let (all, climbing) = (&SpatialSegmentKind::ALL[..], SpatialSegmentKind::CLIMBING);
            for allowed_kinds in [all, climbing, &[Corridor], &[Corridor, Field], &[Corridor, Hurdle]] {
                let request = LayoutRequest { seed, segment_count: 10, allowed_kinds, broken: None };
                let calm = lay_out_once(&request, 0, true).expect("nothing is drawn anew");
                assert_apart(&calm, &format!("seed {seed}, {allowed_kinds:?}"));
            }
        }
    }

    #[test]
    fn every_segment_begins_and_ends_with_level_floor() {
        for seed in 1..=50 {
            for segment in &layout(seed, 10, &SpatialSegmentKind::ALL).segments {
                for (place, ahead) in [(segment.entry, 1.0), (segment.exit, -1.0)] {
                    let holds_corner = |forward: f64, right: f64| {
                        let point = place.point(ahead * forward, right);
                        segment.solids.iter().any(|solid| {
                            let is_floor =
                                solid.holds.is_floor() && solid.extent == Extent::Ground { top: place.height };
                            is_floor && solid.footprint.distance_to(point) < 1e-9
                        })
                    };
                    let corners = [(0.01, 0.599), (0.01, -0.599), (0.799, 0.599), (0.799, -0.599)];
                    assert!(corners.iter().all(|(forward, right)| holds_corner(*forward, *right)), "{}", segment.note);
                }
            }
        }
    }
}
