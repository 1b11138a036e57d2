//! Shades a cutaway view: surfaces by the light they receive, lines where surfaces end or bend.

use crate::camera::Camera;
use crate::cutaway::{CutawayView, NO_FACE, SurfaceBuffer};
use crate::vector_picture::{Color, Image};

/// Direction to the light along the view's up, left and toward axes.
const LIGHT: [f32; 3] = [0.75, 0.45, 0.48];

/// Brightness of a surface parallel to the light, and how much it gains facing the light.
const AMBIENT: f32 = 0.35;
const DIFFUSE: f32 = 0.65;

/// Share of haze in the farthest surface.
const MAX_HAZE: f32 = 0.3;

/// Opacity of ghost surfaces and of ghost lines, 0 to 1.
const GHOST_FILL: f32 = 0.09;
const GHOST_LINE: f32 = 0.6;

/// Line strengths at silhouettes and at creases, 0 to 1.
const SILHOUETTE: f32 = 0.8;
const CREASE: f32 = 0.45;

/// Faces meet in a crease if the cosine of the angle between their normals is smaller.
const CREASE_COSINE: f32 = 0.8;

/// Minimum jump in nearness at a silhouette: in meters, plus in subsamples.
const MIN_JUMP: f32 = 0.03;
const MIN_JUMP_SAMPLES: f32 = 4.0;

const LIT: Color = Color::from_hex(0xf0e0c8);
const SHADED: Color = Color::from_hex(0x8a7054);
const LINE: Color = Color::from_hex(0x5f4a36);
const HAZE: Color = Color::from_hex(0xf6f2ea);
const GHOST: Color = Color::from_hex(0xa98d6e);

impl CutawayView {
    /// Renders the surfaces behind the motion.
    pub fn backdrop(&self, camera: &Camera, background: Color) -> Image {
        let seen = || self.shown.nearness.iter().copied().filter(|nearness| nearness.is_finite());
        let (nearest, farthest) = (seen().fold(f32::NEG_INFINITY, f32::max), seen().fold(f32::INFINITY, f32::min));
        let axes = &camera.axes;
        let light = (axes.up * LIGHT[0] - axes.right * LIGHT[1] + axes.toward * LIGHT[2]).normalize_or_zero();
        let edges = self.edges(&self.shown, camera);
        self.image(|at| {
            let Some(face) = self.faces.get(self.shown.faces[at] as usize) else {
                return background.mix(LINE, edges[at]);
            };
            let distance_share = (nearest - self.shown.nearness[at]) / (nearest - farthest).max(1e-6);
            let brightness = AMBIENT + DIFFUSE * face.normal.dot(light);
            SHADED.mix(LIT, brightness).mix(HAZE, MAX_HAZE * distance_share).mix(LINE, edges[at])
        })
    }

    /// Renders the ghost of the cut surfaces, to be drawn over the motion.
    pub fn ghost(&self, camera: &Camera) -> Image {
        let edges = self.edges(&self.ghost, camera);
        self.image(|at| {
            let fill = if self.ghost.faces[at] == NO_FACE { 0.0 } else { GHOST_FILL };
            GHOST.mix(LINE, edges[at]).with_alpha((255.0 * (GHOST_LINE * edges[at]).max(fill)) as u8)
        })
    }

    /// Returns the line strength at each subsample, 0 to 1: strong at silhouettes, weak at creases.
    fn edges(&self, layer: &SurfaceBuffer, camera: &Camera) -> Vec<f32> {
        // Neighboring subsamples with a larger gap in nearness belong to different objects.
        let gap = MIN_JUMP + MIN_JUMP_SAMPLES / (camera.scale * self.subsamples as f32);
        let faces = &self.faces;
        let strength = |at: usize, beside: usize, axis: usize| {
            let (a, b) = (layer.faces[at], layer.faces[beside]);
            if a == b {
                return 0.0;
            }
            let (Some(face), Some(other)) = (faces.get(a as usize), faces.get(b as usize)) else { return SILHOUETTE };
            // A jump is a difference in nearness that the slope of neither face explains.
            let jump = layer.nearness[beside] - layer.nearness[at];
            let slopes = [face, other].map(|face| face.nearness[1 + axis] as f32);
            let unexplained = slopes.map(|slope| (jump - slope).abs()).into_iter().fold(f32::INFINITY, f32::min);
            if unexplained > gap {
                SILHOUETTE
            } else if face.normal.dot(other.normal) < CREASE_COSINE {
                CREASE
            } else {
                0.0
            }
        };
        let mut edges = vec![0.0f32; layer.faces.len()];
        for y in 0..self.height {
            for x in 0..self.width {
                let at = y * self.width + x;
                let neighbors = [(0, x + 1 < self.width, at + 1), (1, y + 1 < self.height, at + self.width)];
                for (axis, _, beside) in neighbors.into_iter().filter(|(_, exists, _)| *exists) {
                    let found = strength(at, beside, axis);
                    edges[at] = edges[at].max(found);
                    edges[beside] = edges[beside].max(found);
                }
            }
        }
        edges
    }

    /// Averages the subsamples of each pixel.
    fn image(&self, color: impl Fn(usize) -> Color) -> Image {
        let (width, height) = (self.width / self.subsamples, self.height / self.subsamples);
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0u32; 4];
                for sample in 0..self.subsamples * self.subsamples {
                    let (row, column) = (
                        y * self.subsamples + sample / self.subsamples,
                        x * self.subsamples + sample % self.subsamples,
                    );
                    let Color { red, green, blue, alpha } = color(row * self.width + column);
                    // Weight colors by opacity: transparent subsamples have no color.
                    let [red, green, blue] = [red, green, blue].map(|channel| u32::from(channel) * u32::from(alpha));
                    sum = [sum[0] + red, sum[1] + green, sum[2] + blue, sum[3] + u32::from(alpha)];
                }
                let channel = |k: usize| (sum[k] + sum[3] / 2).checked_div(sum[3]).unwrap_or(0) as u8;
                let alpha = (sum[3] / (self.subsamples * self.subsamples) as u32) as u8;
                pixels.push(Color { red: channel(0), green: channel(1), blue: channel(2), alpha });
            }
        }
        Image { width: width as u32, height: height as u32, pixels }
    }
}
