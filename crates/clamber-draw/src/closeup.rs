//! Close-ups: the place where a motion ends before its goal, and what is wrong there.

use clamber_model::character::{Capsule, Root};
use clamber_model::math::Vec3;
use clamber_model::{Motion, Problem};

use crate::body::Body;
use crate::camera::Sight;
use crate::legend::Legend;
use crate::picture::{Picture, Shape};
use crate::settings::DrawSettings;
use crate::stage::{BACKGROUND, Stage, sight};
use crate::tint::{Tint, Tints};
use crate::track::{Extent, Snapshot, Track};
use crate::trouble::{Trouble, ringed};

const WIDTH: u32 = 1200;

/// The least that is shown, in bodies: about 4 m by 3 m for a human.
const BODIES: [f32; 2] = [2.2, 1.65];

/// What is shown where no body is known, in metres.
const UNKNOWN_BODY: f32 = 1.8;

/// Poses shown, the last included, and the way between them, in bodies.
const POSES: usize = 4;
const APART: f32 = 0.35;

/// How much of the ground's colour earlier poses have.
const FADED: f32 = 0.6;

/// Draws the last poses of a motion around a place, the obstacles and holds there, and the trouble: of a gap the distance
/// and how much of it is reached, of an obstacle its outline, of two holds a ring each. Without trouble the place is ringed.
///
/// The window grows from about two bodies until the place, the holds meant and the last pose are all in it.
pub fn closeup(
    problem: &Problem,
    motion: &Motion,
    place: Vec3,
    trouble: Option<&Trouble>,
    settings: &DrawSettings,
) -> Picture {
    let sight = sight(problem, motion, settings);
    let track = Track::new(&problem.character, motion, &sight, settings);
    let tints = Tints::new(track.modes().into_iter().map(|(mode, _)| mode));
    let shown: Vec<Snapshot> = last_times(&track).into_iter().filter_map(|time| track.snapshot(time)).collect();

    let mut points = trouble.map_or_else(Vec::new, |trouble| trouble.points(&problem.world, place));
    points.push(place);
    let extent = window(&track, &sight, &points);
    let stage = Stage::new(problem, &track, sight, extent, settings.width_or(WIDTH), settings);
    let is_shown = |(mode, _): &(&str, Tint)| shown.iter().any(|pose| pose.mode == *mode);
    let legend = Legend {
        modes: tints.modes.iter().copied().filter(is_shown).collect(),
        holds: stage.marked.clone(),
        contacts: shown.iter().any(|pose| !pose.touches.is_empty()),
    };

    let last = shown.len().saturating_sub(1);
    let tint = |index: usize, tint: Tint| if index < last { tint.faded(BACKGROUND, FADED) } else { tint };
    let tints = shown.iter().enumerate().map(|(index, pose)| tint(index, tints.of(pose.mode)));
    let bodies: Vec<Body> =
        shown.iter().zip(tints).map(|(pose, tint)| Body::new(&problem.character, pose, tint)).collect();
    let capsules: Vec<Vec<Capsule>> = bodies.iter().map(Body::capsules).collect();
    let is_section = problem.character.root == Root::Planar && sight.is_from_side();
    let mut shapes = stage.behind.clone();
    shapes.extend(trouble.and_then(|trouble| trouble.below(&problem.world, &stage.camera, stage.size, is_section)));
    shapes.extend(stage.shadows(&capsules));
    shapes.extend(bodies.iter().map(|body| Shape::Group { name: "pose", shapes: body.shapes(&stage.camera) }));
    shapes.push(Shape::Group { name: "path", shapes: stage.path.clone() });
    shapes.extend(stage.before.iter().cloned());
    shapes.push(match trouble {
        Some(trouble) => trouble.above(&problem.world, place, &stage.camera, stage.size),
        None => ringed(place, &stage.camera),
    });
    Picture { title: problem.name.clone(), ..legend.below(Picture { shapes, ..stage.blank() }) }
}

/// The times of the last poses, in order: the end, and before it where the body was some way off.
fn last_times(track: &Track) -> Vec<f32> {
    let apart = APART * track.body_size();
    let mut times = Vec::new();
    let mut from: Option<Vec3> = None;
    for moment in track.moments.iter().rev() {
        if from.is_none_or(|from| (moment.center_of_mass - from).length() >= apart.max(1e-3)) {
            times.push(moment.time);
            from = Some(moment.center_of_mass);
        }
        if times.len() == POSES {
            break;
        }
    }
    times.reverse();
    times
}

/// What is shown: the last pose and the points, with room around them.
fn window(track: &Track, sight: &Sight, points: &[Vec3]) -> Extent {
    let body = track.moments.last().map_or(UNKNOWN_BODY, |_| track.body_size().max(1e-3));
    let mut extent = Extent::EMPTY;
    for point in points.iter().filter(|point| point.is_finite()) {
        extent.add(sight.see(*point), 0.25 * body);
    }
    if let Some(last) = track.moments.last() {
        extent = extent.joined(last.extent.grown(0.1 * body));
    }
    let [width, height] = extent.size();
    // The proportions stay the same however far apart things are.
    let bodies = (width / BODIES[0]).max(height / BODIES[1]).max(body);
    let middle: [f32; 2] = std::array::from_fn(|k| 0.5 * (extent.low[k] + extent.high[k]));
    let end = |sign: f32| std::array::from_fn(|k| middle[k] + sign * 0.5 * bodies * BODIES[k]);
    Extent { low: end(-1.0), high: end(1.0) }
}
