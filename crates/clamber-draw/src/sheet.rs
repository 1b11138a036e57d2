//! Contact sheets: poses in panels above, modes and contacts below, over one time.

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};

use crate::body::Body;
use crate::camera::{Camera, Sight};
use crate::labels::INK;
use crate::lanes::{Axis, Lanes, tie};
use crate::legend::Legend;
use crate::picture::{Color, Picture, Shape};
use crate::poses::{contact_times, even_times, thinned};
use crate::settings::DrawSettings;
use crate::stage::{BACKGROUND, Stage, sight};
use crate::tint::Tints;
use crate::track::{Extent, Snapshot, Track};

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

/// In letters: between a row's panels and its lanes, and between rows.
const TIE: f32 = 1.2;
const GAP: f32 = 1.5;

/// Draws a contact sheet: poses with the world around them, evenly spaced in time or where contacts begin, and below on one
/// axis of time a lane with the modes and a lane for each effector that ever holds on, with a bar for each contact. A
/// line ties each panel to its moment.
///
/// Bars have the names of their holds where there is room, or at least the number of a hold that is counted. A long motion
/// is broken into rows. A motion without frames is an empty sheet.
pub fn sheet(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Picture {
    let sight = sight(problem, motion, settings);
    let track = Track::new(&problem.character, motion, &sight, settings);
    let tints = Tints::new(track.modes().into_iter().map(|(mode, _)| mode));
    let width = settings.width_or(WIDTH);
    let letter = if width < 2000 { 8.0 } else { 16.0 };
    let lanes = Lanes::new(&problem.character, &problem.world, &track, &tints, letter);
    let left = lanes.names_width();
    let across = (width as f32 - left - 2.0 * letter).max(letter);
    let (start, duration) = track.span().unwrap_or((0.0, 0.0));
    let rows = ((duration * SECOND * letter / across).ceil() as usize).clamp(1, MOST_ROWS);
    let in_row = settings.poses.map_or((across / (PANEL * letter)) as usize, |poses| poses.min(MOST).div_ceil(rows));
    let panels = Panels::new(problem, &track, &tints, sight, across, in_row.max(1), settings);
    let times = match contact_times(&track).filter(|_| settings.at_contacts) {
        Some(times) => times,
        None => even_times(&track, settings.poses.map_or(rows * panels.most, |poses| poses.clamp(1, MOST))),
    };

    let mut shapes = vec![head(problem, start, duration, letter)];
    let mut holds: Vec<HoldType> = Vec::new();
    let mut top = 2.5 * letter;
    for row in 0..rows {
        let moment = |row: usize| start + duration * row as f32 / rows as f32;
        let axis = Axis { left, across, since: moment(row), until: moment(row + 1) };
        let is_last = row + 1 == rows;
        let is_here = |time: &f32| *time >= axis.since && (*time < axis.until || is_last);
        let here: Vec<f32> = times.iter().copied().filter(is_here).collect();
        let here = thinned(&here, panels.most);
        let below = top + panels.size[1] as f32;
        let lanes_top = below + TIE * letter;
        for (index, time) in here.iter().enumerate() {
            let Some(shown) = track.snapshot(*time) else { continue };
            let (panel, marked) = panels.panel(&shown, *time, letter);
            holds.extend(marked);
            let x = left + across * (index as f32 + 0.5) / here.len() as f32 - 0.5 * panels.size[0] as f32;
            let foot = axis.x(*time).clamp(x + 1.0, x + panels.size[0] as f32 - 1.0);
            shapes.push(tie([foot, below], [axis.x(*time), lanes_top]));
            shapes.push(Shape::Inset { at: [x.max(0.0) as u32, top as u32], picture: panel });
        }
        shapes.extend(lanes.shapes(axis, lanes_top, &here));
        top = (lanes_top + lanes.height() + GAP * letter).ceil();
    }
    let is_marked = |wanted: &HoldType| holds.contains(wanted);
    let legend = Legend {
        modes: tints.modes.clone(),
        holds: HoldType::ALL.into_iter().filter(is_marked).collect(),
        contacts: !track.grips().is_empty(),
    };
    let title = problem.name.clone();
    legend.below(Picture { title, width, height: top as u32, background: PAPER, shapes })
}

/// What the sheet is of.
fn head(problem: &Problem, start: f32, duration: f32, letter: f32) -> Shape {
    let words = format!("{}, {start:.1} to {:.1} s", problem.name, start + duration);
    let at = [letter * (1.0 + 0.5 * words.chars().count() as f32), 1.3 * letter];
    Shape::Text { at, words, letter, color: INK, halo: PAPER }
}

/// Draws panels, all of one size and one scale.
struct Panels<'a> {
    problem: &'a Problem,
    track: &'a Track<'a>,
    tints: &'a Tints<'a>,
    sight: Sight,
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
        track: &'a Track,
        tints: &'a Tints<'a>,
        sight: Sight,
        across: f32,
        in_row: usize,
        settings: &'a DrawSettings,
    ) -> Self {
        let pitch = across / in_row as f32;
        // A few panels do not grow beyond what one looks at.
        let width = (pitch - 4.0).clamp(2.0, 400.0);
        let scale = width / (BODIES * track.body_size()).max(1e-3);
        Self {
            problem,
            track,
            tints,
            sight,
            settings,
            most: in_row,
            size: [width as u32, (TALL * width) as u32],
            scale,
        }
    }

    /// A panel, and the types of hold that are marked in it.
    fn panel(&self, shown: &Snapshot, time: f32, letter: f32) -> (Picture, Vec<HoldType>) {
        let body = Body::new(&self.problem.character, shown, self.tints.of(shown.mode));
        let capsules = body.capsules();
        let mut extent = Extent::EMPTY;
        for capsule in &capsules {
            extent.add(self.sight.see(capsule.a), capsule.radius);
            extent.add(self.sight.see(capsule.b), capsule.radius);
        }
        let half = self.size.map(|pixels| 0.5 * pixels as f32 / self.scale);
        let middle: [f32; 2] = std::array::from_fn(|k| 0.5 * (extent.low[k] + extent.high[k]));
        let corner = [middle[0] - half[0], middle[1] + half[1]];
        let camera = Camera { sight: self.sight, corner, scale: self.scale };
        let stage = Stage::seen_by(self.problem, self.track, camera, self.size, self.settings);
        let mut shapes = stage.behind.clone();
        shapes.extend(stage.shadows(&[capsules]));
        shapes.push(Shape::Group { name: "pose", shapes: body.shapes(&camera) });
        shapes.extend(stage.before.iter().cloned());
        let words = format!("{time:.1}");
        let at = [letter * (0.5 + 0.5 * words.chars().count() as f32), letter];
        shapes.push(Shape::Text { at, words, letter, color: INK, halo: BACKGROUND });
        (Picture { shapes, ..stage.blank() }, stage.marked)
    }
}
