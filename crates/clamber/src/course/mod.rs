//! Makes courses: scenes for the planar figure, chained from segments, that can be solved by construction, or that are
//! broken at one place on purpose.
//!
//! ```
//! use clamber::course::{CourseSettings, generate};
//!
//! let settings = CourseSettings { segments: 3, ..CourseSettings::default() };
//! let course = generate(7, &settings);
//! assert_eq!(course.kinds.len(), 3);
//! assert!(course.text.contains("[goal]"));
//! ```

// The order of this list is the order of the layers: a module uses only the ones above it.
mod kind;
mod draft;
mod dice;
mod segment;
mod write;

pub use self::kind::Kind;

use clamber_io::InfeasibleSegment;
use clamber_model::rng::Stream;

use self::dice::Dice;
use self::draft::{Draft, Stand};
use self::segment::{Site, build};

/// Beyond this height above the start, in metres, nothing leads farther up, and below its negative nothing farther down.
const NO_FARTHER: f64 = 1.5;

/// What a course is to be like.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseSettings {
    /// How many segments it has, at least 1. Default 8.
    pub segments: usize,
    /// From 0, easy, to 1, hard: how near its dimensions are to what the figure can just do. Default 0.5.
    pub difficulty: f32,
    /// Whether one segment is broken, so that there is no way. Default false.
    pub impossible: bool,
    /// The kinds to choose from; all when empty. Default empty.
    pub kinds: Vec<Kind>,
    /// The character: a built-in name, or a path relative to the file that the course is written to. Default `figure`.
    pub character: String,
}

impl Default for CourseSettings {
    fn default() -> Self {
        let character = "figure".to_owned();
        Self { segments: 8, difficulty: 0.5, impossible: false, kinds: Vec::new(), character }
    }
}

/// A course.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The scene file.
    pub text: String,
    /// The segments' kinds, in order.
    pub kinds: Vec<Kind>,
    /// Where it is broken, if it is.
    pub broken: Option<InfeasibleSegment>,
}

/// Makes the course of this seed.
pub fn generate(seed: u64, settings: &CourseSettings) -> Course {
    let count = settings.segments.max(1);
    let difficulty = f64::from(settings.difficulty.clamp(0.0, 1.0));
    let known = if settings.kinds.is_empty() { &Kind::ALL[..] } else { &settings.kinds };
    let mut stream = Stream::new(seed, "course");
    // From a stream of its own: up to where it is broken, the course is the one that is not.
    let mut breaks = Stream::new(seed, "course broken");
    let broken = settings.impossible.then(|| (breaks.below(count), breakable(known, &mut breaks)));

    let mut draft = Draft::default();
    draft.begin();
    let places = draft.floor("start floor".to_owned(), 2.1, 0.3);
    draft.start = stand(&places, 2, 0.0);
    draft.note("Here it starts.".to_owned());
    let mut kinds = Vec::with_capacity(count);
    for index in 0..count {
        let height = draft.at[1];
        let drawn = draw(known, height, &mut stream);
        let (kind, is_broken) = match broken {
            Some((place, kind)) if place == index => (kind, true),
            _ => (drawn, false),
        };
        let dice = Dice::new(seed, index + 1, difficulty);
        build(&mut Site { draft: &mut draft, dice, number: index + 1, kind, is_broken }, height < NO_FARTHER);
        kinds.push(kind);
    }
    draft.begin();
    let places = draft.floor("goal floor".to_owned(), 2.1, 0.3);
    draft.goal = stand(&places, 3, draft.at[1]);
    draft.note("Here it ends.".to_owned());

    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    let title = match count {
        ..=20 => format!("A course: {}.", words.join(", ")),
        _ => format!("A course of {count} segments."),
    };
    let text = write::scene_text(&draft, &format!("course {seed}"), &title, &settings.character);
    Course { text, kinds, broken: draft.broken }
}

/// One of the kinds; where the course is high none that leads up, where it is low none that leads down.
fn draw(known: &[Kind], height: f64, stream: &mut Stream) -> Kind {
    let leads_away = |kind: &Kind| f64::from(kind.direction()) * height > NO_FARTHER;
    let near: Vec<Kind> = known.iter().copied().filter(|kind| !leads_away(kind)).collect();
    let kinds = if near.is_empty() { known } else { &near };
    kinds[stream.below(kinds.len())]
}

/// One of the kinds that can be broken, of those to choose from if there is any.
fn breakable(known: &[Kind], stream: &mut Stream) -> Kind {
    let wanted: Vec<Kind> = Kind::BREAKABLE.into_iter().filter(|kind| known.contains(kind)).collect();
    let kinds = if wanted.is_empty() { &Kind::BREAKABLE[..] } else { &wanted };
    kinds[stream.below(kinds.len())]
}

/// Who stands on a hold of a floor and the next.
fn stand(places: &[f64], first: usize, height: f64) -> Stand {
    Stand { feet: [[places[first], height], [places[first + 1], height]] }
}
