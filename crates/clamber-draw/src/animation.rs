//! Animations: a motion as a looping GIF, at its own pace.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clamber_model::{Motion, Problem};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::body::Body;
use crate::legend::Legend;
use crate::palette::{Palette, Rgb};
use crate::picture::Picture;
use crate::raster::{draw, render};
use crate::settings::DrawSettings;
use crate::stage::{Stage, sight, whole};
use crate::tint::Tints;
use crate::track::Track;

const WIDTH: u32 = 480;

/// Longer animations are shown at fewer pictures a second.
const MOST_FRAMES: usize = 3000;

/// The last picture stays for this long before the first comes again, in hundredths of a second.
const PAUSE: u32 = 100;

/// Colours of an animation, with one more for "as before". Twice as many look the same and make files larger.
const COLORS: usize = 127;

/// Colours of an animation of several modes, each of which has its own.
const COLORS_OF_MODES: usize = 255;

/// Pictures from which the colours of the animation are taken.
const COLOR_PROBES: usize = 8;

/// Draws the motion as a looping GIF: the whole world with its holds, the path of the centre of mass, and the character
/// as it moves, coloured by its mode.
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
    let track = Track::new(&problem.character, motion, &sight);
    let extent = whole(problem, &track, &sight);
    let stage = Stage::new(problem, &track, sight, extent, settings.width_or(WIDTH), settings);
    let modes = track.modes();
    let tints = Tints::new(modes.iter().map(|(mode, _)| *mode));
    let legend =
        Legend { modes: tints.modes.clone(), holds: stage.marked.clone(), contacts: !motion.contacts.is_empty() };
    let painter = Painter::new(problem, &track, &stage, &tints, &legend);
    let (start, duration) = track.span().unwrap_or((0.0, 0.0));
    let steps = ((duration * settings.rate()).round() as usize).clamp(usize::from(duration > 0.0), MOST_FRAMES);
    let time = |step: usize| start + duration * step as f32 / steps.max(1) as f32;

    let probes = COLOR_PROBES.min(steps);
    let probe_times = (0..=probes).map(|probe| time(probe * steps / probes.max(1)));
    // One of several modes may be too short for any probe.
    let mode_times = modes.iter().map(|(_, time)| *time).filter(|_| modes.len() > 1);
    let mut palette = painter.palette(probe_times.chain(mode_times));
    let unchanged = palette.colors.len() as u8;
    let mut table: Vec<u8> = palette.colors.iter().flatten().copied().collect();
    table.extend([0; 3]);

    let [width, height] = [painter.ground.width(), painter.ground.height()].map(|pixels| pixels as u16);
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
        // Delays are whole hundredths; rounding each moment, not each delay, keeps the pace.
        let moment = |step: usize| (100.0 * (time(step) - start)).round() as u32;
        let delay = if step == steps { PAUSE } else { moment(step + 1).saturating_sub(moment(step)) };
        frame.delay = delay.min(60_000) as u16;
        encoder.write_frame(&frame).ok()?;
        shown = Some(pixels);
    }
    encoder.into_inner().ok()
}

/// Draws the moments of one motion.
struct Painter<'a> {
    problem: &'a Problem,
    track: &'a Track<'a>,
    stage: &'a Stage,
    tints: &'a Tints<'a>,
    /// What all moments have in common.
    ground: Pixmap,
}

impl<'a> Painter<'a> {
    fn new(problem: &'a Problem, track: &'a Track, stage: &'a Stage, tints: &'a Tints<'a>, legend: &Legend) -> Self {
        let mut shapes = stage.behind.clone();
        shapes.extend(stage.path.clone());
        let ground = render(&legend.below(Picture { shapes, ..stage.blank() }));
        Self { problem, track, stage, tints, ground }
    }

    fn paint(&self, time: f32) -> Pixmap {
        let mut picture = self.ground.clone();
        if let Some(shown) = self.track.snapshot(time) {
            let body = Body::new(&self.problem.character, &shown, self.tints.of(shown.mode));
            draw(&mut picture, self.stage.shadows(&[body.capsules()]).as_slice());
            draw(&mut picture, &body.shapes(&self.stage.camera));
        }
        draw(&mut picture, &self.stage.before);
        picture
    }

    /// The colours of the pictures at these times.
    fn palette(&self, times: impl Iterator<Item = f32>) -> Palette {
        let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
        for picture in times.map(|time| self.paint(time)) {
            for color in colors(&picture) {
                *counts.entry(color).or_default() += 1;
            }
        }
        let is_colorful = self.tints.modes.len() > 1;
        Palette::new(&counts, if is_colorful { COLORS_OF_MODES } else { COLORS })
    }
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
