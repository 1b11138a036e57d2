//! A cutaway as pixels: surfaces shaded by the light they get, lines where they end or bend.

use crate::camera::Camera;
use crate::cutaway::{CutawayView, NO_FACE, SurfaceBuffer};
use crate::picture::{Color, Image};

const LIT: Color = Color::rgb(0xf0e0c8);
const SHADED: Color = Color::rgb(0x8a7054);
const LINE: Color = Color::rgb(0x5f4a36);
const HAZE: Color = Color::rgb(0xf6f2ea);
const VEIL: Color = Color::rgb(0xa98d6e);

impl CutawayView {
    /// All that is behind the motion.
    pub fn backdrop(&self, camera: &Camera, background: Color) -> Image {
        let seen = || self.shown.nearness.iter().copied().filter(|nearness| nearness.is_finite());
        let (nearest, farthest) = (seen().fold(f32::NEG_INFINITY, f32::max), seen().fold(f32::INFINITY, f32::min));
        let axes = &camera.axes;
        let light = (axes.up * 0.75 - axes.right * 0.45 + axes.toward * 0.48).normalize_or_zero();
        let edges = self.edges(&self.shown, camera);
        self.image(|at| {
            let Some(face) = self.faces.get(self.shown.faces[at] as usize) else {
                return background.mix(LINE, edges[at]);
            };
            let far = (nearest - self.shown.nearness[at]) / (nearest - farthest).max(1e-6);
            let bright = 0.35 + 0.65 * face.normal.dot(light);
            SHADED.mix(LIT, bright).mix(HAZE, 0.3 * far).mix(LINE, edges[at])
        })
    }

    /// What was taken off, to be laid over the motion.
    pub fn ghost(&self, camera: &Camera) -> Image {
        let edges = self.edges(&self.ghost, camera);
        self.image(|at| {
            let fill = if self.ghost.faces[at] == NO_FACE { 0.0 } else { 0.09 };
            VEIL.mix(LINE, edges[at]).with_alpha((255.0 * (0.6 * edges[at]).max(fill)) as u8)
        })
    }

    /// How strong a line is at each sample, from 0 to 1: strong where a thing ends, weak where a surface bends.
    fn edges(&self, layer: &SurfaceBuffer, camera: &Camera) -> Vec<f32> {
        // Farther apart than this, neighbouring samples are of different things.
        let gap = 0.03 + 4.0 / (camera.scale * self.subsamples as f32);
        let faces = &self.faces;
        let strength = |at: usize, beside: usize, axis: usize| {
            let (a, b) = (layer.faces[at], layer.faces[beside]);
            if a == b {
                return 0.0;
            }
            let (Some(face), Some(other)) = (faces.get(a as usize), faces.get(b as usize)) else { return 0.8 };
            // A jump is what neither surface's own slope explains.
            let jump = layer.nearness[beside] - layer.nearness[at];
            let slopes = [face, other].map(|face| face.nearness[1 + axis] as f32);
            let unexplained = slopes.map(|slope| (jump - slope).abs()).into_iter().fold(f32::INFINITY, f32::min);
            if unexplained > gap {
                0.8
            } else if face.normal.dot(other.normal) < 0.8 {
                0.45
            } else {
                0.0
            }
        };
        let mut edges = vec![0.0f32; layer.faces.len()];
        for y in 0..self.height {
            for x in 0..self.width {
                let at = y * self.width + x;
                let neighbours = [(0, x + 1 < self.width, at + 1), (1, y + 1 < self.height, at + self.width)];
                for (axis, _, beside) in neighbours.into_iter().filter(|(_, exists, _)| *exists) {
                    let found = strength(at, beside, axis);
                    edges[at] = edges[at].max(found);
                    edges[beside] = edges[beside].max(found);
                }
            }
        }
        edges
    }

    /// The mean of the samples of each pixel.
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
                    // Colours count by their opacity: what is not there has none.
                    let [red, green, blue] = [red, green, blue].map(|part| u32::from(part) * u32::from(alpha));
                    sum = [sum[0] + red, sum[1] + green, sum[2] + blue, sum[3] + u32::from(alpha)];
                }
                let part = |k: usize| (sum[k] + sum[3] / 2).checked_div(sum[3]).unwrap_or(0) as u8;
                let alpha = (sum[3] / (self.subsamples * self.subsamples) as u32) as u8;
                pixels.push(Color { red: part(0), green: part(1), blue: part(2), alpha });
            }
        }
        Image { width: width as u32, height: height as u32, pixels }
    }
}
