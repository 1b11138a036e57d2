//! Animations: a motion as a looping GIF, at its own pace.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::body::Body;
use crate::legend::Legend;
use crate::palette::{Palette, Rgb};
use crate::picture::Picture;
use crate::raster::{draw, lay_part, render};
use crate::settings::DrawSettings;
use crate::shot::Shot;
use crate::stage::{BACKGROUND, Stage, sight};
use crate::tint::Tints;
use crate::track::Track;

const WIDTH: u32 = 560;

/// Longer animations are shown at fewer pictures a second.
const MOST_FRAMES: usize = 3000;

/// The last picture stays for this long before the first comes again, in hundredths of a second.
const PAUSE: u16 = 100;

/// Colours of an animation, with one more for "as before". Twice as many look the same and make files larger.
const COLORS: usize = 127;

/// Colours of an animation of several modes, each of which has its own.
const COLORS_OF_MODES: usize = 255;

/// Pictures from which the colours of the animation are taken.
const COLOR_PROBES: usize = 8;

/// A stretch of the way is drawn once and the window moved over it: this many windows wide and high.
const STRETCH: [u32; 2] = [3, 2];

/// Draws the motion as a looping GIF: the world with its holds, and the character as it moves, coloured by its mode. Where
/// the way through a planar world is long, the picture goes along with the character; otherwise it shows all of the
/// world, with the path of the centre of mass.
///
/// `observe` hears the share that is done, from 0 to 1, before every picture; when it answers
/// [`ControlFlow::Break`], the drawing stops and there is no animation. A motion without frames is one picture of the
/// world.
pub fn animation(
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
    observe: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Option<Vec<u8>> {
    let sight = sight(problem, motion, settings);
    let track = Track::new(&problem.character, motion, &sight, settings);
    let shot = Shot::new(problem, &track, sight, settings.width_or(WIDTH), settings);
    let modes = track.modes();
    let tints = Tints::new(modes.iter().map(|(mode, _)| *mode));
    let mut painter = Painter::new(problem, &track, &shot, &tints, settings);
    let (start, duration) = track.span().unwrap_or((0.0, 0.0));
    // In hundredths of a second, which is what the format counts in: every picture stays equally long.
    let delay = (100.0 / settings.rate()).round().max((100.0 * duration / MOST_FRAMES as f32).ceil());
    // What is left of a whole picture's time is too short for one more.
    let steps = (100.0 * duration / delay - 0.01).ceil().max(0.0) as usize;
    let time = |step: usize| start + duration.min(0.01 * delay * step as f32);

    let probes = COLOR_PROBES.min(steps);
    let probe_times = (0..=probes).map(|probe| time(probe * steps / probes.max(1)));
    // One of several modes may be too short for any probe.
    let mode_times = modes.iter().map(|(_, time)| *time).filter(|_| modes.len() > 1);
    let mut palette = painter.palette(probe_times.chain(mode_times));
    let unchanged = palette.colors.len() as u8;
    let mut table: Vec<u8> = palette.colors.iter().flatten().copied().collect();
    table.extend([0; 3]);

    let [width, height] = [painter.sheet.width(), painter.sheet.height()].map(|pixels| pixels as u16);
    // Writing into memory cannot fail: every `ok` below is for the signature's sake.
    let mut encoder = Encoder::new(Vec::new(), width, height, &table).ok()?;
    encoder.set_repeat(Repeat::Infinite).ok()?;
    let mut shown: Option<Vec<u8>> = None;
    for step in 0..=steps {
        if observe(step as f32 / (steps + 1) as f32).is_break() {
            return None;
        }
        let picture = painter.paint(time(step));
        let pixels: Vec<u8> = match &shown {
            None => colors(&picture).map(|color| palette.index_of(color)).collect(),
            // A colour that no eye could tell from the one there is left as it is: less changes.
            Some(before) => (colors(&picture).zip(before))
                .map(|(color, &number)| if palette.is_like(number, color) { number } else { palette.index_of(color) })
                .collect(),
        };
        let mut frame = changes(shown.as_deref(), &pixels, usize::from(width), unchanged);
        frame.delay = if step == steps { PAUSE } else { delay.min(60_000.0) as u16 };
        encoder.write_frame(&frame).ok()?;
        shown = Some(pixels);
    }
    encoder.into_inner().ok()
}

/// Draws the moments of one motion.
struct Painter<'a> {
    problem: &'a Problem,
    track: &'a Track<'a>,
    shot: &'a Shot,
    tints: &'a Tints<'a>,
    settings: &'a DrawSettings,
    /// The whole picture with its legend, without what the shot shows.
    sheet: Pixmap,
    stretch: Option<Stretch>,
}

/// A stretch of the world that is drawn.
struct Stretch {
    /// Its upper left corner, as the shot counts.
    corner: [i32; 2],
    stage: Stage,
    /// What all moments have in common.
    ground: Pixmap,
}

impl Stretch {
    /// Where in it the window with this corner is; nothing when it is not all in it.
    fn place_of(&self, corner: [i32; 2], window: [u32; 2]) -> Option<[u32; 2]> {
        let place: [i32; 2] = std::array::from_fn(|k| corner[k] - self.corner[k]);
        let is_inside = (0..2).all(|k| place[k] >= 0 && place[k] as u32 + window[k] <= self.stage.size[k]);
        is_inside.then(|| place.map(|pixels| pixels as u32))
    }
}

impl<'a> Painter<'a> {
    fn new(
        problem: &'a Problem,
        track: &'a Track,
        shot: &'a Shot,
        tints: &'a Tints<'a>,
        settings: &'a DrawSettings,
    ) -> Self {
        let mut painter = Self { problem, track, shot, tints, settings, sheet: render(&blank(shot)), stretch: None };
        let start = track.span().map_or(0.0, |(start, _)| start);
        let first = painter.stretch_around(shot.corner(start));
        let is_there = |wanted: &HoldType| problem.world.holds.iter().any(|hold| hold.hold_type == *wanted);
        let everywhere = || HoldType::ALL.into_iter().filter(is_there).collect();
        let legend = Legend {
            modes: tints.modes.clone(),
            // What comes into sight later is explained as well.
            holds: if shot.follows() && settings.holds { everywhere() } else { first.stage.marked.clone() },
            contacts: !track.grips().is_empty(),
        };
        painter.sheet = render(&legend.below(blank(shot)));
        painter.stretch = Some(first);
        painter
    }

    /// Draws the stretch with the window in its middle; where the window does not move, they are the same.
    fn stretch_around(&self, window: [i32; 2]) -> Stretch {
        let windows = if self.shot.follows() { STRETCH } else { [1, 1] };
        let size: [u32; 2] = std::array::from_fn(|k| windows[k] * self.shot.size[k]);
        let corner = std::array::from_fn(|k| window[k] - ((size[k] - self.shot.size[k]) / 2) as i32);
        let stage = Stage::seen_by(self.problem, self.track, self.shot.camera(corner), size, self.settings);
        let mut shapes = stage.behind.clone();
        if !self.shot.follows() {
            shapes.extend(stage.path.clone());
        }
        let ground = render(&Picture { shapes, ..stage.blank() });
        Stretch { corner, stage, ground }
    }

    fn paint(&mut self, time: f32) -> Pixmap {
        let corner = self.shot.corner(time);
        let known = self.stretch.take().filter(|stretch| stretch.place_of(corner, self.shot.size).is_some());
        let stretch = known.unwrap_or_else(|| self.stretch_around(corner));
        let place = stretch.place_of(corner, self.shot.size).unwrap_or_default();
        let mut picture = stretch.ground.clone();
        if let Some(shown) = self.track.snapshot(time) {
            let body = Body::new(&self.problem.character, &shown, self.tints.of(shown.mode));
            draw(&mut picture, stretch.stage.shadows(&[body.capsules()]).as_slice());
            draw(&mut picture, &body.shapes(&stretch.stage.camera));
        }
        draw(&mut picture, &stretch.stage.before);
        self.stretch = Some(stretch);
        let mut sheet = self.sheet.clone();
        lay_part(&mut sheet, &picture, place, self.shot.size);
        sheet
    }

    /// The colours of the pictures at these times.
    fn palette(&mut self, times: impl Iterator<Item = f32>) -> Palette {
        let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
        for time in times {
            for color in colors(&self.paint(time)) {
                *counts.entry(color).or_default() += 1;
            }
        }
        let is_colorful = self.tints.modes.len() > 1;
        Palette::new(&counts, if is_colorful { COLORS_OF_MODES } else { COLORS })
    }
}

/// The shot with nothing to see.
fn blank(shot: &Shot) -> Picture {
    let [width, height] = shot.size;
    Picture { title: String::new(), width, height, background: BACKGROUND, shapes: Vec::new() }
}

fn colors(picture: &Pixmap) -> impl Iterator<Item = Rgb> {
    picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
}

/// The smallest rectangle in which the picture differs from the one before; where it does not, `unchanged`.
fn changes(before: Option<&[u8]>, pixels: &[u8], width: usize, unchanged: u8) -> Frame<'static> {
    let whole = Frame { dispose: DisposalMethod::Keep, width: width as u16, ..Frame::default() };
    let Some(before) = before else {
        return Frame { height: (pixels.len() / width) as u16, buffer: Cow::Owned(pixels.to_vec()), ..whole };
    };
    // A picture like the one before still takes its time: one pixel of it.
    let (mut low, mut high) = ([width, usize::MAX], [0, 0]);
    for at in (0..pixels.len()).filter(|&at| pixels[at] != before[at]) {
        let place = [at % width, at / width];
        low = std::array::from_fn(|k| low[k].min(place[k]));
        high = std::array::from_fn(|k| high[k].max(place[k]));
    }
    if low[0] == width {
        (low, high) = ([0, 0], [0, 0]);
    }
    let mut buffer = Vec::new();
    for y in low[1]..=high[1] {
        for at in y * width + low[0]..=y * width + high[0] {
            buffer.push(if pixels[at] == before[at] { unchanged } else { pixels[at] });
        }
    }
    Frame {
        left: low[0] as u16,
        top: low[1] as u16,
        width: (high[0] - low[0] + 1) as u16,
        height: (high[1] - low[1] + 1) as u16,
        transparent: Some(unchanged),
        buffer: Cow::Owned(buffer),
        ..whole
    }
}
