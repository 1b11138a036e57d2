//! Generates courses: scenes for the planar figure, chained from segments. They are solvable by construction, or impossible
//! because one segment is broken on purpose. [`spatial`] generates them for bodies in space.
//!
//! ```
//! use clamber::course::{CourseSettings, generate};
//!
//! let mut settings = CourseSettings::default();
//! settings.segment_count = 3;
//! let course = generate(7, &settings);
//! assert_eq!(course.segment_kinds.len(), 3);
//! assert!(course.scene_text.contains("[goal]"));
//! ```

// Listed from the lowest layer up: a module uses only the ones above it.
mod toml_text;
mod segment_kind;
mod layout;
mod dimension_sampler;
mod segment;
mod scene_text;
pub mod spatial;

pub use self::segment_kind::SegmentKind;

use clamber_io::InfeasibleSegment;
use clamber_model::rng::Stream;

use self::dimension_sampler::DimensionSampler;
use self::layout::{CourseLayout, FootPlacement};
use self::segment::{SegmentBuilder, build};

/// Where the course is higher than this above the start, in meters, no segment leads up; where it is lower than this below the
/// start, none leads down.
const MAX_HEIGHT: f64 = 1.5;

/// Settings of a generated course.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CourseSettings {
    /// Number of segments, at least 1. Default 8.
    pub segment_count: usize,
    /// From 0 (easy) to 1 (hard): how close dimensions come to the figure's limits. Default 0.5.
    pub difficulty: f32,
    /// Whether one segment is impassable. Default false.
    pub impossible: bool,
    /// The kinds of segments to choose from; all if empty. Default empty.
    pub allowed_kinds: Vec<SegmentKind>,
    /// The character: a built-in name, or a path relative to the file of the course. Default `figure`.
    pub character: String,
}

impl Default for CourseSettings {
    fn default() -> Self {
        let character = "figure".to_owned();
        Self { segment_count: 8, difficulty: 0.5, impossible: false, allowed_kinds: Vec::new(), character }
    }
}

/// A generated course.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The text of the scene file.
    pub scene_text: String,
    /// The kinds of the segments, in order.
    pub segment_kinds: Vec<SegmentKind>,
    /// The impassable segment, if the course has one.
    pub infeasible_segment: Option<InfeasibleSegment>,
}

/// Generates the course of a seed.
pub fn generate(seed: u64, settings: &CourseSettings) -> Course {
    let count = settings.segment_count.max(1);
    let difficulty = f64::from(settings.difficulty.clamp(0.0, 1.0));
    let allowed = if settings.allowed_kinds.is_empty() { &SegmentKind::ALL[..] } else { &settings.allowed_kinds };
    let mut stream = Stream::new(seed, "course");
    // A separate stream, so that the course is the same as the possible one up to the broken segment.
    let mut broken_stream = Stream::new(seed, "course broken");
    let broken = settings.impossible.then(|| (broken_stream.below(count), draw_breakable(allowed, &mut broken_stream)));

    let mut layout = CourseLayout::default();
    layout.begin_section();
    let positions = layout.add_floor("start floor".to_owned(), 2.1, 0.3);
    layout.start = foot_placement(&positions, 2, 0.0);
    layout.set_note("Here it starts.".to_owned());
    let mut kinds = Vec::with_capacity(count);
    for index in 0..count {
        let height = layout.at[1];
        let drawn = draw_kind(allowed, height, &mut stream);
        let (kind, is_broken) = match broken {
            Some((broken_index, kind)) if broken_index == index => (kind, true),
            _ => (drawn, false),
        };
        let dimensions = DimensionSampler::new(seed, index + 1, difficulty);
        build(
            &mut SegmentBuilder { layout: &mut layout, dimensions, number: index + 1, kind, is_broken },
            height < MAX_HEIGHT,
        );
        kinds.push(kind);
    }
    layout.begin_section();
    let positions = layout.add_floor("goal floor".to_owned(), 2.1, 0.3);
    layout.goal = foot_placement(&positions, 3, layout.at[1]);
    layout.set_note("Here it ends.".to_owned());

    let kind_names: Vec<&str> = kinds.iter().map(|kind| kind.keyword()).collect();
    let title = match count {
        ..=20 => format!("A course: {}.", kind_names.join(", ")),
        _ => format!("A course of {count} segments."),
    };
    let text = scene_text::scene_text(&layout, &format!("course {seed}"), &title, &settings.character);
    Course { scene_text: text, segment_kinds: kinds, infeasible_segment: layout.broken }
}

/// Draws one of the kinds: none that leads up where the course is high, none that leads down where it is low.
fn draw_kind(allowed: &[SegmentKind], height: f64, stream: &mut Stream) -> SegmentKind {
    let leads_away = |kind: &SegmentKind| f64::from(kind.direction()) * height > MAX_HEIGHT;
    let suitable: Vec<SegmentKind> = allowed.iter().copied().filter(|kind| !leads_away(kind)).collect();
    let kinds = if suitable.is_empty() { allowed } else { &suitable };
    kinds[stream.below(kinds.len())]
}

/// Draws one of the breakable kinds, from the allowed ones if there are any.
fn draw_breakable(allowed: &[SegmentKind], stream: &mut Stream) -> SegmentKind {
    let suitable: Vec<SegmentKind> =
        SegmentKind::CAN_BE_INFEASIBLE.into_iter().filter(|kind| allowed.contains(kind)).collect();
    let kinds = if suitable.is_empty() { &SegmentKind::CAN_BE_INFEASIBLE[..] } else { &suitable };
    kinds[stream.below(kinds.len())]
}

/// The feet on a hold of a floor and the next hold.
fn foot_placement(positions: &[f64], first: usize, height: f64) -> FootPlacement {
    FootPlacement { feet: [[positions[first], height], [positions[first + 1], height]] }
}
