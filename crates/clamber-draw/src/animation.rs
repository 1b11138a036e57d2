//! Animations: a motion as a looping GIF, at its own pace.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::body::Body;
use crate::follow_camera::FollowCamera;
use crate::framing::view_axes;
use crate::legend::Legend;
use crate::mode_colors::ModeColors;
use crate::palette::{Palette, Rgb};
use crate::picture::Picture;
use crate::raster::{draw, lay_part, render};
use crate::sampled_motion::SampledMotion;
use crate::scene_layers::{BACKGROUND, SceneLayers};
use crate::settings::DrawSettings;

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

/// A backdrop of the way is drawn once and the window moved over it: this many windows wide and high.
const BACKDROP_WINDOWS: [u32; 2] = [3, 2];

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
    let axes = view_axes(problem, motion, settings);
    let sampled = SampledMotion::new(&problem.character, motion, &axes, settings);
    let follow_camera = FollowCamera::new(problem, &sampled, axes, settings.width_or(WIDTH), settings);
    let modes = sampled.modes();
    let mode_colors = ModeColors::new(modes.iter().map(|(mode, _)| *mode));
    let mut renderer = FrameRenderer::new(problem, &sampled, &follow_camera, &mode_colors, settings);
    let (start, duration) = sampled.span().unwrap_or((0.0, 0.0));
    // In hundredths of a second, which is what the format counts in: every picture stays equally long.
    let delay = (100.0 / settings.frame_rate()).round().max((100.0 * duration / MOST_FRAMES as f32).ceil());
    // What is left of a whole picture's time is too short for one more.
    let steps = (100.0 * duration / delay - 0.01).ceil().max(0.0) as usize;
    let time = |step: usize| start + duration.min(0.01 * delay * step as f32);

    let probes = COLOR_PROBES.min(steps);
    let probe_times = (0..=probes).map(|probe| time(probe * steps / probes.max(1)));
    // One of several modes may be too short for any probe.
    let mode_times = modes.iter().map(|(_, time)| *time).filter(|_| modes.len() > 1);
    let mut palette = renderer.palette(probe_times.chain(mode_times));
    let unchanged = palette.colors.len() as u8;
    let mut table: Vec<u8> = palette.colors.iter().flatten().copied().collect();
    table.extend([0; 3]);

    let [width, height] = [renderer.canvas.width(), renderer.canvas.height()].map(|pixels| pixels as u16);
    // Writing into memory cannot fail: every `ok` below is for the signature's sake.
    let mut encoder = Encoder::new(Vec::new(), width, height, &table).ok()?;
    encoder.set_repeat(Repeat::Infinite).ok()?;
    let mut shown: Option<Vec<u8>> = None;
    for step in 0..=steps {
        if observe(step as f32 / (steps + 1) as f32).is_break() {
            return None;
        }
        let picture = renderer.render_frame(time(step));
        let pixels: Vec<u8> = match &shown {
            None => colors(&picture).map(|color| palette.index_of(color)).collect(),
            // A colour that no eye could tell from the one there is left as it is: less changes.
            Some(before) => (colors(&picture).zip(before))
                .map(|(color, &number)| if palette.is_close(number, color) { number } else { palette.index_of(color) })
                .collect(),
        };
        let mut frame = changes(shown.as_deref(), &pixels, usize::from(width), unchanged);
        frame.delay = if step == steps { PAUSE } else { delay.min(60_000.0) as u16 };
        encoder.write_frame(&frame).ok()?;
        shown = Some(pixels);
    }
    encoder.into_inner().ok()
}

/// Draws the samples of one motion.
struct FrameRenderer<'a> {
    problem: &'a Problem,
    sampled: &'a SampledMotion<'a>,
    follow_camera: &'a FollowCamera,
    mode_colors: &'a ModeColors<'a>,
    settings: &'a DrawSettings,
    /// The whole picture with its legend, without what the follow_camera shows.
    canvas: Pixmap,
    backdrop: Option<Backdrop>,
}

/// A backdrop of the world that is drawn.
struct Backdrop {
    /// Its upper left corner, as the follow_camera counts.
    corner: [i32; 2],
    layers: SceneLayers,
    /// What all samples have in common.
    ground: Pixmap,
}

impl Backdrop {
    /// Where in it the window with this corner is; nothing when it is not all in it.
    fn window_in(&self, corner: [i32; 2], window: [u32; 2]) -> Option<[u32; 2]> {
        let place: [i32; 2] = std::array::from_fn(|k| corner[k] - self.corner[k]);
        let is_inside = (0..2).all(|k| place[k] >= 0 && place[k] as u32 + window[k] <= self.layers.size[k]);
        is_inside.then(|| place.map(|pixels| pixels as u32))
    }
}

impl<'a> FrameRenderer<'a> {
    fn new(
        problem: &'a Problem,
        sampled: &'a SampledMotion,
        follow_camera: &'a FollowCamera,
        mode_colors: &'a ModeColors<'a>,
        settings: &'a DrawSettings,
    ) -> Self {
        let mut renderer = Self {
            problem,
            sampled,
            follow_camera,
            mode_colors,
            settings,
            canvas: render(&blank(follow_camera)),
            backdrop: None,
        };
        let start = sampled.span().map_or(0.0, |(start, _)| start);
        let first = renderer.backdrop_around(follow_camera.corner_at(start));
        let is_there = |wanted: &HoldType| problem.world.holds.iter().any(|hold| hold.hold_type == *wanted);
        let everywhere = || HoldType::ALL.into_iter().filter(is_there).collect();
        let legend = Legend {
            modes: mode_colors.modes.clone(),
            // What comes into axes later is explained as well.
            holds: if follow_camera.is_moving() && settings.show_holds {
                everywhere()
            } else {
                first.layers.hold_types.clone()
            },
            contacts: !sampled.contact_intervals().is_empty(),
        };
        renderer.canvas = render(&legend.below(blank(follow_camera)));
        renderer.backdrop = Some(first);
        renderer
    }

    /// Draws the backdrop with the window in its middle; where the window does not move, they are the same.
    fn backdrop_around(&self, window: [i32; 2]) -> Backdrop {
        let windows = if self.follow_camera.is_moving() { BACKDROP_WINDOWS } else { [1, 1] };
        let size: [u32; 2] = std::array::from_fn(|k| windows[k] * self.follow_camera.size[k]);
        let corner = std::array::from_fn(|k| window[k] - ((size[k] - self.follow_camera.size[k]) / 2) as i32);
        let layers = SceneLayers::from_camera(
            self.problem,
            self.sampled,
            self.follow_camera.camera_at(corner),
            size,
            self.settings,
        );
        let mut shapes = layers.behind.clone();
        if !self.follow_camera.is_moving() {
            shapes.extend(layers.path.clone());
        }
        let ground = render(&Picture { shapes, ..layers.blank() });
        Backdrop { corner, layers, ground }
    }

    fn render_frame(&mut self, time: f32) -> Pixmap {
        let corner = self.follow_camera.corner_at(time);
        let known =
            self.backdrop.take().filter(|backdrop| backdrop.window_in(corner, self.follow_camera.size).is_some());
        let backdrop = known.unwrap_or_else(|| self.backdrop_around(corner));
        let place = backdrop.window_in(corner, self.follow_camera.size).unwrap_or_default();
        let mut picture = backdrop.ground.clone();
        if let Some(shown) = self.sampled.snapshot(time) {
            let body = Body::new(&self.problem.character, &shown, self.mode_colors.of(shown.mode));
            draw(&mut picture, backdrop.layers.shadows(&[body.capsules()]).as_slice());
            draw(&mut picture, &body.shapes(&backdrop.layers.camera));
        }
        draw(&mut picture, &backdrop.layers.in_front);
        self.backdrop = Some(backdrop);
        let mut canvas = self.canvas.clone();
        lay_part(&mut canvas, &picture, place, self.follow_camera.size);
        canvas
    }

    /// The colours of the pictures at these times.
    fn palette(&mut self, times: impl Iterator<Item = f32>) -> Palette {
        let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
        for time in times {
            for color in colors(&self.render_frame(time)) {
                *counts.entry(color).or_default() += 1;
            }
        }
        let is_colorful = self.mode_colors.modes.len() > 1;
        Palette::new(&counts, if is_colorful { COLORS_OF_MODES } else { COLORS })
    }
}

/// The follow_camera with nothing to see.
fn blank(follow_camera: &FollowCamera) -> Picture {
    let [width, height] = follow_camera.size;
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
