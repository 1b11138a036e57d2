//! Animations: a motion as a looping GIF, at its own speed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clamber_model::world::HoldType;
use clamber_model::{Motion, Problem};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::camera_framing::view_axes;
use crate::draw_body::Body;
use crate::error::{DrawError, check};
use crate::follow_camera::FollowCamera;
use crate::gif_palette::{Palette, Rgb};
use crate::legend::Legend;
use crate::mode_colors::ModeColors;
use crate::raster::{copy_part, draw, render};
use crate::sampled_motion::SampledMotion;
use crate::scenery::{BACKGROUND, SceneLayers};
use crate::settings::DrawSettings;
use crate::vector_picture::Picture;

/// Default width, in pixels.
const WIDTH: u32 = 560;

/// Maximum number of frames; longer animations get a lower frame rate.
const MAX_FRAMES: usize = 3000;

/// How long the last frame stays before the loop restarts, in hundredths of a second.
const LAST_FRAME_DELAY: u16 = 100;

/// Palette size, without the entry for unchanged pixels. Twice as many colors look the same and make files larger.
const PALETTE_SIZE: usize = 127;

/// Palette size for motions with several modes, each of which has its own colors.
const MODES_PALETTE_SIZE: usize = 255;

/// Number of frame intervals from whose ends the palette is computed.
const PALETTE_PROBES: usize = 8;

/// Size of the pre-rendered backdrop, in windows wide and high. The window moves over it until it leaves it.
const BACKDROP_WINDOWS: [u32; 2] = [3, 2];

/// Draws the motion as a looping GIF: the world with its holds, and the moving character, colored by its mode. Along a
/// long path through a planar world the picture follows the character; otherwise it shows the whole world with the path
/// of the center of mass.
///
/// Calls `observe` with the completed share, from 0 to 1, before every frame; returns `None` if it answers
/// [`ControlFlow::Break`]. A motion without frames becomes one frame of the world.
///
/// # Errors
/// When the problem's character or world is not valid.
pub fn render_gif(
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
    observe: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<Option<Vec<u8>>, DrawError> {
    check(problem)?;
    Ok(encode_gif(problem, motion, settings, observe))
}

fn encode_gif(
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
    // In hundredths of a second, the unit of the format: every frame lasts equally long.
    let delay = (100.0 / settings.frame_rate()).round().max((100.0 * duration / MAX_FRAMES as f32).ceil());
    // The remainder is too short for one more frame.
    let steps = (100.0 * duration / delay - 0.01).ceil().max(0.0) as usize;
    let time = |step: usize| start + duration.min(0.01 * delay * step as f32);

    let probes = PALETTE_PROBES.min(steps);
    let probe_times = (0..=probes).map(|probe| time(probe * steps / probes.max(1)));
    // A short mode may fall between the probes.
    let mode_times = modes.iter().map(|(_, time)| *time).filter(|_| modes.len() > 1);
    let mut palette = renderer.palette(probe_times.chain(mode_times));
    let unchanged = palette.colors.len() as u8;
    let mut table: Vec<u8> = palette.colors.iter().flatten().copied().collect();
    table.extend([0; 3]);

    let [width, height] = [renderer.canvas.width(), renderer.canvas.height()].map(|pixels| pixels as u16);
    // Writing into memory cannot fail; `ok` only converts the type.
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
            // Pixels that differ invisibly from the previous frame stay unchanged: smaller files.
            Some(before) => (colors(&picture).zip(before))
                .map(|(color, &index)| if palette.is_close(index, color) { index } else { palette.index_of(color) })
                .collect(),
        };
        let mut frame = changes(shown.as_deref(), &pixels, usize::from(width), unchanged);
        frame.delay = if step == steps { LAST_FRAME_DELAY } else { delay.min(60_000.0) as u16 };
        encoder.write_frame(&frame).ok()?;
        shown = Some(pixels);
    }
    encoder.into_inner().ok()
}

/// Renders the frames of one motion.
struct FrameRenderer<'a> {
    problem: &'a Problem,
    sampled: &'a SampledMotion<'a>,
    follow_camera: &'a FollowCamera,
    mode_colors: &'a ModeColors<'a>,
    settings: &'a DrawSettings,
    /// The whole picture with its legend, without the scene.
    canvas: Pixmap,
    backdrop: Option<Backdrop>,
}

/// A pre-rendered region of the world.
struct Backdrop {
    /// Its upper left corner, in the pixel coordinates of the follow camera.
    corner: [i32; 2],
    layers: SceneLayers,
    /// Everything that does not change with time.
    ground: Pixmap,
}

impl Backdrop {
    /// Returns the position of the window with this corner in the backdrop; `None` if the window is not entirely
    /// inside.
    fn window_in(&self, corner: [i32; 2], window: [u32; 2]) -> Option<[u32; 2]> {
        let position: [i32; 2] = std::array::from_fn(|k| corner[k] - self.corner[k]);
        let is_inside = (0..2).all(|k| position[k] >= 0 && position[k] as u32 + window[k] <= self.layers.size[k]);
        is_inside.then(|| position.map(|pixels| pixels as u32))
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
        let is_in_world = |wanted: &HoldType| problem.world.holds.iter().any(|hold| hold.hold_type == *wanted);
        let all_types = || HoldType::ALL.into_iter().filter(is_in_world).collect();
        let legend = Legend {
            modes: mode_colors.modes.clone(),
            // Holds that become visible later need an entry too.
            holds: if follow_camera.is_moving() && settings.show_holds {
                all_types()
            } else {
                first.layers.hold_types.clone()
            },
            contacts: !sampled.contact_intervals().is_empty(),
        };
        renderer.canvas = render(&legend.below(blank(follow_camera)));
        renderer.backdrop = Some(first);
        renderer
    }

    /// Renders a backdrop centered on the window; a window that does not move is the whole backdrop.
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
        let position = backdrop.window_in(corner, self.follow_camera.size).unwrap_or_default();
        let mut picture = backdrop.ground.clone();
        if let Some(shown) = self.sampled.snapshot(time) {
            let body = Body::new(&self.problem.character, &shown, self.mode_colors.of(shown.mode));
            draw(&mut picture, backdrop.layers.shadows(&[body.capsules()]).as_slice());
            draw(&mut picture, &body.shapes(&backdrop.layers.camera));
        }
        draw(&mut picture, &backdrop.layers.in_front);
        self.backdrop = Some(backdrop);
        let mut canvas = self.canvas.clone();
        copy_part(&mut canvas, &picture, position, self.follow_camera.size);
        canvas
    }

    /// Computes the palette from the frames at these times.
    fn palette(&mut self, times: impl Iterator<Item = f32>) -> Palette {
        let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
        for time in times {
            for color in colors(&self.render_frame(time)) {
                *counts.entry(color).or_default() += 1;
            }
        }
        let has_modes = self.mode_colors.modes.len() > 1;
        Palette::new(&counts, if has_modes { MODES_PALETTE_SIZE } else { PALETTE_SIZE })
    }
}

/// The scene area without content.
fn blank(follow_camera: &FollowCamera) -> Picture {
    let [width, height] = follow_camera.size;
    Picture { title: String::new(), width, height, background: BACKGROUND, shapes: Vec::new() }
}

fn colors(picture: &Pixmap) -> impl Iterator<Item = Rgb> {
    picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
}

/// Returns the smallest rectangle in which the frame differs from the previous one, with `unchanged` for equal pixels
/// in it.
fn changes(before: Option<&[u8]>, pixels: &[u8], width: usize, unchanged: u8) -> Frame<'static> {
    let whole = Frame { dispose: DisposalMethod::Keep, width: width as u16, ..Frame::default() };
    let Some(before) = before else {
        return Frame { height: (pixels.len() / width) as u16, buffer: Cow::Owned(pixels.to_vec()), ..whole };
    };
    // A frame without changes still takes time: it stores one pixel.
    let (mut low, mut high) = ([width, usize::MAX], [0, 0]);
    for at in (0..pixels.len()).filter(|&at| pixels[at] != before[at]) {
        let position = [at % width, at / width];
        low = std::array::from_fn(|k| low[k].min(position[k]));
        high = std::array::from_fn(|k| high[k].max(position[k]));
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
