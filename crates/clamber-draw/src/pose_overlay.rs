//! Pose overlays: one picture of a whole motion.

use clamber_model::character::Capsule;
use clamber_model::{Motion, Problem};

use crate::camera_framing::{scene_extent, view_axes};
use crate::draw_body::Body;
use crate::error::{DrawError, check};
use crate::legend::Legend;
use crate::mode_colors::{BodyColors, ModeColors};
use crate::pose_times::pose_times;
use crate::sampled_motion::{SampledMotion, Snapshot};
use crate::scenery::SceneLayers;
use crate::settings::DrawSettings;
use crate::vector_picture::{Color, Picture, Shape};

/// Default width, in pixels.
const WIDTH: u32 = 1600;

/// Color of the gaps between panels.
const GAP_COLOR: Color = Color::from_hex(0xffffff);

/// Margin around the motion in a panel, in body sizes.
const PANEL_MARGIN: f32 = 0.35;

/// Draws the world with its holds, the character at poses along the motion, and the path of its center of mass.
///
/// Poses are colored by mode; a legend below names the modes, unless the motion only flies. If the motion hardly
/// travels, the poses would overlap; they are then drawn in panels side by side. A motion of one frame has one pose,
/// and a motion without frames gives a picture of the world.
///
/// # Errors
/// When the problem's character or world is not valid.
pub fn pose_overlay(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Result<Picture, DrawError> {
    check(problem)?;
    let axes = view_axes(problem, motion, settings);
    let sampled = SampledMotion::new(&problem.character, motion, &axes, settings);
    let mode_colors = ModeColors::new(sampled.modes().into_iter().map(|(mode, _)| mode));
    let width = settings.width_or(WIDTH);
    let times = pose_times(&sampled, &axes, settings);
    let shown: Vec<Snapshot> = times.iter().filter_map(|time| sampled.snapshot(*time)).collect();
    let is_shown = |(mode, _): &(&str, BodyColors)| shown.iter().any(|pose| pose.mode == *mode);
    let mut legend = Legend {
        modes: mode_colors.modes.iter().copied().filter(is_shown).collect(),
        holds: Vec::new(),
        contacts: shown.iter().any(|pose| !pose.contact_points.is_empty()),
    };
    let picture = if sampled.pose_capacity(&axes) > 1 || shown.len() < 2 {
        let extent = scene_extent(problem, &sampled, &axes);
        let layers = SceneLayers::new(problem, &sampled, axes, extent, width, settings);
        legend.holds.clone_from(&layers.hold_types);
        draw_poses(problem, &mode_colors, &layers, &shown)
    } else {
        let panel_width = width / shown.len() as u32;
        let extent = sampled.extent().expanded(PANEL_MARGIN * sampled.body_size());
        let layers = SceneLayers::new(problem, &sampled, axes, extent, panel_width.max(2) - 1, settings);
        legend.holds.clone_from(&layers.hold_types);
        let panel = |(index, pose): (usize, &Snapshot)| {
            let picture = draw_poses(problem, &mode_colors, &layers, std::slice::from_ref(pose));
            Shape::Inset { at: [index as u32 * panel_width, 0], picture }
        };
        let shapes = shown.iter().enumerate().map(panel).collect();
        Picture { width, background: GAP_COLOR, shapes, ..layers.blank() }
    };
    Ok(Picture { title: problem.name.clone(), ..legend.below(picture) })
}

/// Draws these poses between the layers.
fn draw_poses(problem: &Problem, mode_colors: &ModeColors, layers: &SceneLayers, shown: &[Snapshot]) -> Picture {
    let bodies: Vec<Body> =
        shown.iter().map(|pose| Body::new(&problem.character, pose, mode_colors.of(pose.mode))).collect();
    let capsules: Vec<Vec<Capsule>> = bodies.iter().map(Body::capsules).collect();
    let mut shapes = layers.behind.clone();
    shapes.extend(layers.shadows(&capsules));
    shapes.extend(bodies.iter().map(|body| Shape::Group { name: "pose", shapes: body.shapes(&layers.camera) }));
    shapes.push(Shape::Group { name: "path", shapes: layers.path.clone() });
    shapes.extend(layers.in_front.iter().cloned());
    Picture { shapes, ..layers.blank() }
}
