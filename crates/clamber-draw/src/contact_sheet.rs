//! Contact sheets: poses in panels above, modes and contacts below, over one time.

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};

use crate::body::Body;
use crate::camera::{Camera, ViewAxes};
use crate::extent::Extent;
use crate::framing::view_axes;
use crate::labels::INK;
use crate::legend::Legend;
use crate::mode_colors::ModeColors;
use crate::picture::{Color, Picture, Shape};
use crate::pose_times::{contact_times, even_times, thinned};
use crate::sampled_motion::{SampledMotion, Snapshot};
use crate::scene_layers::{BACKGROUND, SceneLayers};
use crate::settings::DrawSettings;
use crate::timeline::{TimeAxis, Timeline, connector};

const WIDTH: u32 = 1600;
const PAPER: Color = Color::rgb(0xffffff);

/// In letters: the width of a second at least, and of a panel about.
const SECOND: f32 = 9.0;
const PANEL: f32 = 17.0;

/// A panel's height beside its width.
const TALL: f32 = 1.1;

/// What a panel is wide, in bodies.
const BODIES: f32 = 1.15;

/// Rows of a sheet, at most: a longer motion has narrower seconds.
const MOST_ROWS: usize = 10;

/// Poses of a sheet, at most.
const MOST: usize = 200;

/// In letters: between a row's panels and its timeline, and between rows.
const TIE: f32 = 1.2;
const GAP: f32 = 1.5;

/// Draws a contact sheet: poses with the world around them, evenly spaced in time or where contacts begin, and below on one
/// axis of time a lane with the modes and a lane for each effector that ever holds on, with a bar for each contact. A
/// line ties each panel to its moment.
///
/// Bars have the names of their holds where there is room, or at least the number of a hold that is counted. A long motion
/// is broken into rows. A motion without frames is an empty sheet.
pub fn contact_sheet(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Picture {
    let axes = view_axes(problem, motion, settings);
    let sampled = SampledMotion::new(&problem.character, motion, &axes, settings);
    let mode_colors = ModeColors::new(sampled.modes().into_iter().map(|(mode, _)| mode));
    let width = settings.width_or(WIDTH);
    let letter_width = if width < 2000 { 8.0 } else { 16.0 };
    let timeline = Timeline::new(&problem.character, &problem.world, &sampled, &mode_colors, letter_width);
    let left = timeline.names_width();
    let across = (width as f32 - left - 2.0 * letter_width).max(letter_width);
    let (start, duration) = sampled.span().unwrap_or((0.0, 0.0));
    let rows = ((duration * SECOND * letter_width / across).ceil() as usize).clamp(1, MOST_ROWS);
    let in_row =
        settings.pose_count.map_or((across / (PANEL * letter_width)) as usize, |poses| poses.min(MOST).div_ceil(rows));
    let panels = Panels::new(problem, &sampled, &mode_colors, axes, across, in_row.max(1), settings);
    let times = match contact_times(&sampled).filter(|_| settings.poses_at_contacts) {
        Some(times) => times,
        None => even_times(&sampled, settings.pose_count.map_or(rows * panels.most, |poses| poses.clamp(1, MOST))),
    };

    let mut shapes = vec![head(problem, start, duration, letter_width)];
    let mut holds: Vec<HoldType> = Vec::new();
    let mut top = 2.5 * letter_width;
    for row in 0..rows {
        let moment = |row: usize| start + duration * row as f32 / rows as f32;
        let axis = TimeAxis { left, across, start: moment(row), end: moment(row + 1) };
        let is_last = row + 1 == rows;
        let is_here = |time: &f32| *time >= axis.start && (*time < axis.end || is_last);
        let here: Vec<f32> = times.iter().copied().filter(is_here).collect();
        let here = thinned(&here, panels.most);
        let below = top + panels.size[1] as f32;
        let lanes_top = below + TIE * letter_width;
        for (index, time) in here.iter().enumerate() {
            let Some(shown) = sampled.snapshot(*time) else { continue };
            let (panel, hold_types) = panels.panel(&shown, *time, letter_width);
            holds.extend(hold_types);
            let x = left + across * (index as f32 + 0.5) / here.len() as f32 - 0.5 * panels.size[0] as f32;
            let foot = axis.x(*time).clamp(x + 1.0, x + panels.size[0] as f32 - 1.0);
            shapes.push(connector([foot, below], [axis.x(*time), lanes_top]));
            shapes.push(Shape::Inset { at: [x.max(0.0) as u32, top as u32], picture: panel });
        }
        shapes.extend(timeline.shapes(axis, lanes_top, &here));
        top = (lanes_top + timeline.height() + GAP * letter_width).ceil();
    }
    let is_marked = |wanted: &HoldType| holds.contains(wanted);
    let legend = Legend {
        modes: mode_colors.modes.clone(),
        holds: HoldType::ALL.into_iter().filter(is_marked).collect(),
        contacts: !sampled.contact_intervals().is_empty(),
    };
    let title = problem.name.clone();
    legend.below(Picture { title, width, height: top as u32, background: PAPER, shapes })
}

/// What the sheet is of.
fn head(problem: &Problem, start: f32, duration: f32, letter_width: f32) -> Shape {
    let words = format!("{}, {start:.1} to {:.1} s", problem.name, start + duration);
    let at = [letter_width * (1.0 + 0.5 * words.chars().count() as f32), 1.3 * letter_width];
    Shape::Text { center: at, text: words, letter_width, color: INK, halo: PAPER }
}

/// Draws panels, all of one size and one scale.
struct Panels<'a> {
    problem: &'a Problem,
    sampled: &'a SampledMotion<'a>,
    mode_colors: &'a ModeColors<'a>,
    axes: ViewAxes,
    settings: &'a DrawSettings,
    /// The most of them in a row.
    most: usize,
    size: [u32; 2],
    /// Pixels a metre.
    scale: f32,
}

impl<'a> Panels<'a> {
    fn new(
        problem: &'a Problem,
        sampled: &'a SampledMotion,
        mode_colors: &'a ModeColors<'a>,
        axes: ViewAxes,
        across: f32,
        in_row: usize,
        settings: &'a DrawSettings,
    ) -> Self {
        let pitch = across / in_row as f32;
        // A few panels do not grow beyond what one looks at.
        let width = (pitch - 4.0).clamp(2.0, 400.0);
        let scale = width / (BODIES * sampled.body_size()).max(1e-3);
        Self {
            problem,
            sampled,
            mode_colors,
            axes,
            settings,
            most: in_row,
            size: [width as u32, (TALL * width) as u32],
            scale,
        }
    }

    /// A panel, and the types of hold that are hold_types in it.
    fn panel(&self, shown: &Snapshot, time: f32, letter_width: f32) -> (Picture, Vec<HoldType>) {
        let body = Body::new(&self.problem.character, shown, self.mode_colors.of(shown.mode));
        let capsules = body.capsules();
        let mut extent = Extent::EMPTY;
        for capsule in &capsules {
            extent.add_disc(self.axes.to_view(capsule.a), capsule.radius);
            extent.add_disc(self.axes.to_view(capsule.b), capsule.radius);
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
        let at = [letter_width * (0.5 + 0.5 * words.chars().count() as f32), letter_width];
        shapes.push(Shape::Text { center: at, text: words, letter_width, color: INK, halo: BACKGROUND });
        (Picture { shapes, ..layers.blank() }, layers.hold_types)
    }
}
