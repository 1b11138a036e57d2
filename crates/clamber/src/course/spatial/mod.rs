//! Generates courses in space: scenes for the built-in human or a body of another size, chained from segments that may turn, rise
//! and fall. They are solvable by construction, or impossible because one segment is broken on purpose.
//!
//! ```
//! use clamber::course::spatial::{SpatialCourseSettings, generate_spatial};
//! use clamber::io::builtin;
//!
//! let human = builtin::character("human")?;
//! let modes = builtin::mode_table("human", &human)?;
//! let course = generate_spatial(7, &SpatialCourseSettings::default(), &human, Some(&modes));
//! assert_eq!(course.segment_kinds.len(), 8);
//! assert!(course.scene_text.contains("[goal]"));
//! # Ok::<(), clamber::FileError>(())
//! ```

// Listed from the lowest layer up: a module uses only the ones above it.
mod segment_kind;
mod dimensions;
mod sampler;
mod rectangle;
mod layout;
mod builder;
mod segment;
mod lay_out;
mod standing;
mod surroundings;
mod scene_text;

pub use self::segment_kind::SpatialSegmentKind;

use clamber_io::InfeasibleSegment;
use clamber_model::Character;
use clamber_model::math::Vec3;
use clamber_model::mode_table::ModeTable;
use clamber_model::rng::Stream;

use self::dimensions::{END_LENGTH, GROUND_DEPTH, HEADROOM, HUMAN_BODY_SIZE, SIDE_ROOM};
use self::lay_out::{LayoutRequest, SpatialLayout, lay_out};
use self::layout::{BrokenPlace, Place, SegmentLayout, heights};
use self::rectangle::extent;
use self::scene_text::SceneParts;
use self::standing::Standing;
use self::surroundings::Surroundings;

/// Settings of a generated course in space.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpatialCourseSettings {
    /// Number of segments, at least 1. Default 8.
    pub segment_count: usize,
    /// Whether one segment is impassable. Default false.
    pub impossible: bool,
    /// The kinds of segments to choose from; all if empty. Default empty.
    pub allowed_kinds: Vec<SpatialSegmentKind>,
    /// The character: a built-in name, or a path relative to the file of the course. Default `human`.
    pub character: String,
    /// Land around the course. Default none.
    pub surroundings: Option<SurroundingsSettings>,
}

impl Default for SpatialCourseSettings {
    fn default() -> Self {
        let character = "human".to_owned();
        Self { segment_count: 8, impossible: false, allowed_kinds: Vec::new(), character, surroundings: None }
    }
}

/// Settings of the land around a course: a mesh that the course does not touch.
#[derive(Clone, Debug, PartialEq)]
pub struct SurroundingsSettings {
    /// Number of triangles, at least 2.
    pub triangles: usize,
    /// The file of the mesh, relative to the file of the course.
    pub file: String,
}

/// A generated course in space.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpatialCourse {
    /// The text of the scene file.
    pub scene_text: String,
    /// The kinds of the segments, in order.
    pub segment_kinds: Vec<SpatialSegmentKind>,
    /// The impassable segment, if the course has one.
    pub infeasible_segment: Option<InfeasibleSegment>,
    /// The text of the mesh file of the surroundings, in OBJ format, if the course has any.
    pub surroundings_obj: Option<String>,
}

/// Generates the course of a seed for a character, which is scaled to its body size. At its ends it stands as in its rest posture, on
/// the effectors of the first mode that bears weight on floors.
pub fn generate_spatial(
    seed: u64,
    settings: &SpatialCourseSettings,
    character: &Character,
    modes: Option<&ModeTable>,
) -> SpatialCourse {
    let segment_count = settings.segment_count.max(1);
    let all = &SpatialSegmentKind::ALL[..];
    let allowed_kinds = if settings.allowed_kinds.is_empty() { all } else { &settings.allowed_kinds };
    let broken = settings.impossible.then(|| {
        // A separate stream, so that it changes nothing else.
        let mut stream = Stream::new(seed, "spatial course broken");
        (stream.below(segment_count), draw_breakable(allowed_kinds, &mut stream))
    });
    let SpatialLayout { segments, kinds } = lay_out(&LayoutRequest { seed, segment_count, allowed_kinds, broken });
    let scale = scale_of(character);
    let (lowest, floors) = heights(&segments);
    let bottom = lowest - GROUND_DEPTH;
    let surroundings = settings
        .surroundings
        .as_ref()
        .map(|settings| (settings, Surroundings::new(seed, &segments, bottom, settings.triangles)));
    let infeasible_segment = infeasible_segment(&segments, &kinds, scale);
    let scene = SceneParts {
        name: format!("course {seed}"),
        title: title(&kinds, scale),
        character: &settings.character,
        segments: &segments,
        bottom,
        bounds: bounds(&segments, floors, surroundings.as_ref().map(|(_, surroundings)| surroundings)),
        scale,
        standing: Standing::new(character, modes),
        ends: [0, segments.len() - 1].map(|end| middle(&segments[end])),
        infeasible_segment: infeasible_segment.as_ref(),
        surroundings: surroundings.as_ref().map(|(settings, _)| settings.file.as_str()),
    };
    SpatialCourse {
        scene_text: scene.text(),
        surroundings_obj: surroundings.as_ref().map(|(_, surroundings)| surroundings.obj(scale)),
        segment_kinds: kinds,
        infeasible_segment,
    }
}

/// The size of a character relative to the built-in human.
fn scale_of(character: &Character) -> f64 {
    // Rounded, so that the built-in human has exactly 1, and its courses lengths that people can read.
    (1e5 * f64::from(character.body_size()) / HUMAN_BODY_SIZE).round() / 1e5
}

/// Draws one of the breakable kinds: of the allowed ones if there are any, otherwise of those that need no climbing.
fn draw_breakable(allowed: &[SpatialSegmentKind], stream: &mut Stream) -> SpatialSegmentKind {
    let breakable = |among: &[SpatialSegmentKind]| -> Vec<SpatialSegmentKind> {
        SpatialSegmentKind::CAN_BE_INFEASIBLE.into_iter().filter(|kind| among.contains(kind)).collect()
    };
    let suitable = breakable(allowed);
    let kinds = if suitable.is_empty() { breakable(SpatialSegmentKind::WALKING) } else { suitable };
    kinds[stream.below(kinds.len())]
}

fn title(kinds: &[SpatialSegmentKind], scale: f64) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.keyword()).collect();
    let course = match names.len() {
        ..=20 => format!("A course in space: {}.", names.join(", ")),
        count => format!("A course in space of {count} segments."),
    };
    if scale == 1.0 {
        course
    } else {
        format!("{course} Comments give lengths for the built-in human; here they are {scale:.3} times that.")
    }
}

/// The middle of the floor of the start or the goal.
fn middle(end: &SegmentLayout) -> Place {
    Place { at: end.entry.point(0.5 * END_LENGTH, 0.0), ..end.entry }
}

/// The corners of the scene's bounds.
fn bounds(segments: &[SegmentLayout], floors: [f64; 2], surroundings: Option<&Surroundings>) -> [[f64; 3]; 2] {
    let [low, high] = extent(segments.iter().flat_map(SegmentLayout::ground));
    let [mut low, mut high] = [low.map(|least| least - SIDE_ROOM), high.map(|most| most + SIDE_ROOM)];
    let [mut bottom, mut top] = [floors[0], floors[1] + HEADROOM];
    if let Some(surroundings) = surroundings {
        let [lowest, highest] = surroundings.heights();
        [low, high] = surroundings.ground;
        [bottom, top] = [bottom.min(lowest), top.max(highest)];
    }
    [[low[0], bottom, low[1]], [high[0], top, high[1]]]
}

/// The impassable segment, in meters of the character.
fn infeasible_segment(
    segments: &[SegmentLayout],
    kinds: &[SpatialSegmentKind],
    scale: f64,
) -> Option<InfeasibleSegment> {
    // The first of the segments is the floor of the start.
    let (number, broken) =
        segments.iter().enumerate().find_map(|(number, segment)| Some((number, segment.broken.as_ref()?)))?;
    let BrokenPlace { cause, ground: [low, high], heights: [bottom, top], description } = broken;
    let corner = |[x, z]: [f64; 2], y: f64| Vec3::from_array([x, y, z].map(|coordinate| (scale * coordinate) as f32));
    Some(InfeasibleSegment {
        segment_number: number,
        kind: kinds[number - 1].keyword().to_owned(),
        cause: *cause,
        box_min: corner(low.to_owned(), *bottom),
        box_max: corner(high.to_owned(), *top),
        description: description.clone(),
    })
}
