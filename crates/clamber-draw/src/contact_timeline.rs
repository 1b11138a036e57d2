//! Contact timelines: poses in panels above a timeline of modes and contacts.

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};

use crate::camera::{Camera, ViewAxes};
use crate::camera_framing::view_axes;
use crate::draw_body::Body;
use crate::error::{DrawError, check};
use crate::font::text_width;
use crate::legend::Legend;
use crate::mode_and_contact_lanes::{TimeAxis, Timeline, connector};
use crate::mode_colors::ModeColors;
use crate::obstacle_labels::{INK, small_font_size};
use crate::pose_times::{contact_times, even_times, thin_out};
use crate::sampled_motion::{SampledMotion, Snapshot};
use crate::scenery::{BACKGROUND, SceneLayers};
use crate::settings::DrawSettings;
use crate::vector_picture::{Color, Picture, Shape};
use crate::view_rectangle::Extent;

/// Default width, in pixels.
const WIDTH: u32 = 1600;
const PAPER: Color = Color::from_hex(0xffffff);

/// Minimum width of a second and approximate width of a panel, in font sizes.
const MIN_SECOND_WIDTH: f32 = 5.5;
const PANEL_WIDTH: f32 = 10.5;

/// Height of a panel relative to its width.
const PANEL_ASPECT: f32 = 1.1;

/// Width of a panel, in body sizes.
const PANEL_BODY_SIZES: f32 = 1.15;

/// Maximum number of rows; longer motions get narrower seconds.
const MAX_ROWS: usize = 10;

/// Maximum number of poses.
const MAX_POSES: usize = 200;

/// Distances between the panels of a row and its timeline, and between rows, in font sizes.
const CONNECTOR_HEIGHT: f32 = 0.8;
const ROW_GAP: f32 = 1.0;

/// Gap between panels, and limits of their width, in pixels.
const PANEL_GAP: f32 = 4.0;
const PANEL_WIDTH_LIMITS: [f32; 2] = [2.0, 400.0];

/// Draws a contact timeline: poses with the world around them, evenly spaced in time or where contacts begin, above a
/// timeline with a lane of modes and a lane for each effector that makes contact, with a bar per contact. A line
/// connects each panel to its time.
///
/// Bars show the names of their holds if there is room, or else the numbers of numbered holds. A long motion is split
/// into rows. A motion without frames gives an empty sheet.
///
/// # Errors
/// When the problem's character or world is not valid.
pub fn contact_timeline(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Result<Picture, DrawError> {
    check(problem)?;
    let axes = view_axes(problem, motion, settings);
    let sampled = SampledMotion::new(&problem.character, motion, &axes, settings);
    let mode_colors = ModeColors::new(sampled.modes().into_iter().map(|(mode, _)| mode));
    let width = settings.width_or(WIDTH);
    let font_size = small_font_size(width);
    let timeline = Timeline::new(&problem.character, &problem.world, &sampled, &mode_colors, font_size);
    let left = timeline.names_width();
    let axis_width = (width as f32 - left - 1.5 * font_size).max(font_size);
    let (start, duration) = sampled.span().unwrap_or((0.0, 0.0));
    let rows = ((duration * MIN_SECOND_WIDTH * font_size / axis_width).ceil() as usize).clamp(1, MAX_ROWS);
    let in_row = settings
        .pose_count
        .map_or((axis_width / (PANEL_WIDTH * font_size)) as usize, |poses| poses.min(MAX_POSES).div_ceil(rows));
    let panels = Panels::new(problem, &sampled, &mode_colors, axes, axis_width, in_row.max(1), settings);
    let times = match contact_times(&sampled).filter(|_| settings.poses_at_contacts) {
        Some(times) => times,
        None => even_times(
            &sampled,
            settings.pose_count.map_or(rows * panels.max_in_row, |poses| poses.clamp(1, MAX_POSES)),
        ),
    };

    let mut shapes = vec![heading(problem, start, duration, font_size)];
    let mut holds: Vec<HoldType> = Vec::new();
    let mut top = 1.8 * font_size;
    for row in 0..rows {
        let row_start = |row: usize| start + duration * row as f32 / rows as f32;
        let axis = TimeAxis { left, width: axis_width, start: row_start(row), end: row_start(row + 1) };
        let is_last = row + 1 == rows;
        let is_here = |time: &f32| *time >= axis.start && (*time < axis.end || is_last);
        let here: Vec<f32> = times.iter().copied().filter(is_here).collect();
        let here = thin_out(&here, panels.max_in_row);
        let below = top + panels.size[1] as f32;
        let lanes_top = below + CONNECTOR_HEIGHT * font_size;
        for (index, time) in here.iter().enumerate() {
            let Some(shown) = sampled.snapshot(*time) else { continue };
            let (panel, hold_types) = panels.panel(&shown, *time, font_size);
            holds.extend(hold_types);
            let x = left + axis_width * (index as f32 + 0.5) / here.len() as f32 - 0.5 * panels.size[0] as f32;
            let panel_end = axis.x(*time).clamp(x + 1.0, x + panels.size[0] as f32 - 1.0);
            shapes.push(connector([panel_end, below], [axis.x(*time), lanes_top]));
            shapes.push(Shape::Inset { at: [x.max(0.0) as u32, top as u32], picture: panel });
        }
        shapes.extend(timeline.shapes(axis, lanes_top, &here));
        top = (lanes_top + timeline.height() + ROW_GAP * font_size).ceil();
    }
    let is_marked = |wanted: &HoldType| holds.contains(wanted);
    let legend = Legend {
        modes: mode_colors.modes.clone(),
        holds: HoldType::ALL.into_iter().filter(is_marked).collect(),
        contacts: !sampled.contact_intervals().is_empty(),
    };
    let title = problem.name.clone();
    Ok(legend.below(Picture { title, width, height: top as u32, background: PAPER, shapes }))
}

/// The heading: scene name and time range.
fn heading(problem: &Problem, start: f32, duration: f32, font_size: f32) -> Shape {
    let words = format!("{}, {start:.1} to {:.1} s", problem.name, start + duration);
    let at = [0.6 * font_size + 0.5 * text_width(&words, font_size), 0.9 * font_size];
    Shape::Text { center: at, text: words, font_size, color: INK, halo: PAPER }
}

/// Draws panels of equal size and scale.
struct Panels<'a> {
    problem: &'a Problem,
    sampled: &'a SampledMotion<'a>,
    mode_colors: &'a ModeColors<'a>,
    axes: ViewAxes,
    settings: &'a DrawSettings,
    /// Maximum number of panels in a row.
    max_in_row: usize,
    size: [u32; 2],
    /// Pixels per meter.
    scale: f32,
}

impl<'a> Panels<'a> {
    fn new(
        problem: &'a Problem,
        sampled: &'a SampledMotion,
        mode_colors: &'a ModeColors<'a>,
        axes: ViewAxes,
        axis_width: f32,
        in_row: usize,
        settings: &'a DrawSettings,
    ) -> Self {
        let pitch = axis_width / in_row as f32;
        // A few panels should not fill the sheet.
        let width = (pitch - PANEL_GAP).clamp(PANEL_WIDTH_LIMITS[0], PANEL_WIDTH_LIMITS[1]);
        let scale = width / (PANEL_BODY_SIZES * sampled.body_size()).max(1e-3);
        Self {
            problem,
            sampled,
            mode_colors,
            axes,
            settings,
            max_in_row: in_row,
            size: [width as u32, (PANEL_ASPECT * width) as u32],
            scale,
        }
    }

    /// Returns a panel and the hold types that are marked in it.
    fn panel(&self, shown: &Snapshot, time: f32, font_size: f32) -> (Picture, Vec<HoldType>) {
        let body = Body::new(&self.problem.character, shown, self.mode_colors.of(shown.mode));
        let capsules = body.capsules();
        let mut extent = Extent::EMPTY;
        for capsule in &capsules {
            extent.add_disc(self.axes.coordinates(capsule.a), capsule.radius);
            extent.add_disc(self.axes.coordinates(capsule.b), capsule.radius);
        }
        let half = self.size.map(|pixels| 0.5 * pixels as f32 / self.scale);
        let middle: [f32; 2] = std::array::from_fn(|k| 0.5 * (extent.low[k] + extent.high[k]));
        let corner = [middle[0] - half[0], middle[1] + half[1]];
        let camera = Camera { axes: self.axes, corner, scale: self.scale };
        let layers = SceneLayers::from_camera(self.problem, self.sampled, camera, self.size, self.settings);
        let mut shapes = layers.behind.clone();
        shapes.extend(layers.shadows(&[capsules]));
        shapes.push(Shape::Group { name: "pose", shapes: body.shapes(&camera) });
        shapes.extend(layers.in_front.iter().cloned());
        let words = format!("{time:.1}");
        let at = [0.4 * font_size + 0.5 * text_width(&words, font_size), 0.8 * font_size];
        shapes.push(Shape::Text { center: at, text: words, font_size, color: INK, halo: BACKGROUND });
        (Picture { shapes, ..layers.blank() }, layers.hold_types)
    }
}
