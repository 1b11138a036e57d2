//! Close-ups: the place where a motion stops before its goal, and the reason.

use clamber_model::character::{Capsule, RootJoint};
use clamber_model::math::Vec3;
use clamber_model::{Motion, Problem};

use crate::camera::ViewAxes;
use crate::camera_framing::view_axes;
use crate::draw_body::Body;
use crate::error::{DrawError, check};
use crate::failure_annotation::{FailureAnnotation, ring_place};
use crate::legend::Legend;
use crate::mode_colors::{BodyColors, ModeColors};
use crate::sampled_motion::{SampledMotion, Snapshot};
use crate::scenery::{BACKGROUND, SceneLayers};
use crate::settings::DrawSettings;
use crate::vector_picture::{Picture, Shape};
use crate::view_rectangle::Extent;

/// Default width, in pixels.
const WIDTH: u32 = 1200;

/// Minimum width and height of the visible region, in body sizes: about 4 m by 3 m for a human.
const MIN_REGION: [f32; 2] = [2.2, 1.65];

/// Body size when the motion has no frames, in meters.
const DEFAULT_BODY_SIZE: f32 = 1.8;

/// Number of poses, including the last, and their distance, in body sizes.
const POSE_COUNT: usize = 4;
const POSE_DISTANCE: f32 = 0.35;

/// Margins around the failure points and around the last pose, in body sizes.
const POINT_MARGIN: f32 = 0.25;
const POSE_MARGIN: f32 = 0.1;

/// Share of the background color in the earlier poses.
const FADE_SHARE: f32 = 0.6;

/// Draws the last poses of a motion around a place, the obstacles and holds there, and the failure: the distance and
/// the reached share of it, the outline of a blocking obstacle, or a ring around each of two holds. Without a failure
/// the place is ringed.
///
/// The visible region grows from about two body sizes until it contains the place, the holds of the failure and the
/// last pose.
///
/// # Errors
/// When the problem's character or world is not valid.
pub fn draw_failure(
    problem: &Problem,
    motion: &Motion,
    place: Vec3,
    failure: Option<&FailureAnnotation>,
    settings: &DrawSettings,
) -> Result<Picture, DrawError> {
    check(problem)?;
    let axes = view_axes(problem, motion, settings);
    let sampled = SampledMotion::new(&problem.character, motion, &axes, settings);
    let mode_colors = ModeColors::new(sampled.modes().into_iter().map(|(mode, _)| mode));
    let shown: Vec<Snapshot> = last_times(&sampled).into_iter().filter_map(|time| sampled.snapshot(time)).collect();

    let mut points = failure.map_or_else(Vec::new, |failure| failure.points(&problem.world, place));
    points.push(place);
    let extent = visible_region(&sampled, &axes, &points);
    let layers = SceneLayers::new(problem, &sampled, axes, extent, settings.width_or(WIDTH), settings);
    let is_shown = |(mode, _): &(&str, BodyColors)| shown.iter().any(|pose| pose.mode == *mode);
    let legend = Legend {
        modes: mode_colors.modes.iter().copied().filter(is_shown).collect(),
        holds: layers.hold_types.clone(),
        contacts: shown.iter().any(|pose| !pose.contact_points.is_empty()),
    };

    let last = shown.len().saturating_sub(1);
    let body_colors = |index: usize, body_colors: BodyColors| {
        if index < last { body_colors.faded(BACKGROUND, FADE_SHARE) } else { body_colors }
    };
    let mode_colors = shown.iter().enumerate().map(|(index, pose)| body_colors(index, mode_colors.of(pose.mode)));
    let bodies: Vec<Body> = shown
        .iter()
        .zip(mode_colors)
        .map(|(pose, body_colors)| Body::new(&problem.character, pose, body_colors))
        .collect();
    let capsules: Vec<Vec<Capsule>> = bodies.iter().map(Body::capsules).collect();
    let is_section = problem.character.root_joint == RootJoint::Planar && axes.is_from_side();
    let mut shapes = layers.behind.clone();
    shapes.extend(failure.and_then(|failure| failure.below(&problem.world, &layers.camera, layers.size, is_section)));
    shapes.extend(layers.shadows(&capsules));
    shapes.extend(bodies.iter().map(|body| Shape::Group { name: "pose", shapes: body.shapes(&layers.camera) }));
    shapes.push(Shape::Group { name: "path", shapes: layers.path.clone() });
    shapes.extend(layers.in_front.iter().cloned());
    shapes.push(match failure {
        Some(failure) => failure.above(&problem.world, place, &layers.camera, layers.size),
        None => ring_place(place, &layers.camera),
    });
    Ok(Picture { title: problem.name.clone(), ..legend.below(Picture { shapes, ..layers.blank() }) })
}

/// Returns the times of the last poses in order: the end, and earlier times at which the body was some distance away.
fn last_times(sampled: &SampledMotion) -> Vec<f32> {
    let distance = POSE_DISTANCE * sampled.body_size();
    let mut times = Vec::new();
    let mut from: Option<Vec3> = None;
    for sample in sampled.samples.iter().rev() {
        if from.is_none_or(|from| (sample.center_of_mass - from).length() >= distance.max(1e-3)) {
            times.push(sample.time);
            from = Some(sample.center_of_mass);
        }
        if times.len() == POSE_COUNT {
            break;
        }
    }
    times.reverse();
    times
}

/// Returns the visible region: the last pose and the points, with a margin.
fn visible_region(sampled: &SampledMotion, axes: &ViewAxes, points: &[Vec3]) -> Extent {
    let body = sampled.samples.last().map_or(DEFAULT_BODY_SIZE, |_| sampled.body_size().max(1e-3));
    let mut extent = Extent::EMPTY;
    for point in points.iter().filter(|point| point.is_finite()) {
        extent.add_disc(axes.coordinates(*point), POINT_MARGIN * body);
    }
    if let Some(last) = sampled.samples.last() {
        extent = extent.union(last.extent.expanded(POSE_MARGIN * body));
    }
    let [width, height] = extent.size();
    // The aspect ratio stays the same for any distance.
    let bodies = (width / MIN_REGION[0]).max(height / MIN_REGION[1]).max(body);
    let middle: [f32; 2] = std::array::from_fn(|k| 0.5 * (extent.low[k] + extent.high[k]));
    let end = |symbol: f32| std::array::from_fn(|k| middle[k] + symbol * 0.5 * bodies * MIN_REGION[k]);
    Extent { low: end(-1.0), high: end(1.0) }
}
