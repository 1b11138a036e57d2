//! Cutaway views of worlds in three dimensions: all surfaces except those that would hide the motion.
//!
//! A surface hides the motion where it is nearer to the viewer than the closest point of the path on the picture, and
//! that point is behind the surface's plane. (Both conditions are needed: the ground in front of the feet is nearer
//! than the path, but the path is above it; the top of a block may be above the path but behind it.) A flat facet that
//! hides the motion somewhere is cut away as a whole, so that no ragged remains of walls are left, and so is a convex
//! obstacle most of which hides the motion. Cut surfaces remain as a faint ghost. They are restored where nothing is
//! behind them and the path does not pass: the outer face of solid rock stays, and tunnels inside appear as openings.

use clamber_model::World;
use clamber_model::math::Vec3;

use crate::camera::Camera;
use crate::vector_picture::Point;
use crate::viewer_facing_triangles::{Face, Faces};

/// Maximum number of path points to test: one bit each in a mask.
const MAX_PATH_POINTS: usize = 64;

/// Maximum number of pixels of a picture with 2 by 2 subsamples per pixel; larger pictures have one per pixel.
const MAX_SUBSAMPLED_PIXELS: u64 = 3_000_000;

/// Distance from the path within which a pixel has each proximity, in body sizes.
const PROXIMITY_RADII: [(Proximity, f32); 3] =
    [(Proximity::Path, 0.05), (Proximity::Body, 0.6), (Proximity::Near, 1.5)];

/// A facet hides the motion if more than this many of its subsamples do; fewer may be rounding at an edge.
const MIN_HIDING_SAMPLES: u32 = 16;

/// An open group is removed if it would hide more than one in this many subsamples of the path when restored.
const HIDDEN_PATH_DIVISOR: usize = 20;

/// No face at this subsample.
pub(crate) const NO_FACE: u32 = u32::MAX;

/// The motion that must stay visible.
pub(crate) struct Subject<'a> {
    /// The path of the center of mass.
    pub path: &'a [Vec3],
    /// Body size, in meters.
    pub body_size: f32,
}

/// The face at each subsample of a picture.
pub(crate) struct SurfaceBuffer {
    /// Indices of faces.
    pub faces: Vec<u32>,
    /// Coordinate toward the viewer, in meters; larger is nearer.
    pub nearness: Vec<f32>,
}

/// A world seen from one side, with surfaces cut away.
pub(crate) struct CutawayView {
    pub faces: Vec<Face>,
    /// Subsamples per pixel along each axis.
    pub subsamples: usize,
    /// In subsamples.
    pub width: usize,
    /// In subsamples.
    pub height: usize,
    /// Surfaces behind the motion.
    pub shown: SurfaceBuffer,
    /// Cut surfaces in front of the motion.
    pub ghost: SurfaceBuffer,
}

/// How a convex obstacle, or a facet of another obstacle, is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Keep,
    /// Cut away where something is behind it.
    Open,
    /// Cut away everywhere: half a roof looks odd, and a surface in front of the path must not appear behind it.
    Remove,
}

impl CutawayView {
    /// Draws the world into buffers of this size and cuts away what hides the motion.
    pub fn new(world: &World, camera: &Camera, size: [u32; 2], subject: &Subject) -> Self {
        // Large pictures need no antialiasing.
        let subsamples: usize = if u64::from(size[0]) * u64::from(size[1]) <= MAX_SUBSAMPLED_PIXELS { 2 } else { 1 };
        let path_points = sample_path(subject.path);
        let faces = Faces::new(world, camera, subsamples, &path_points);
        let proximity_map =
            ProximityMap::new(size.map(|pixels| pixels as usize), camera, &path_points, subject.body_size);
        let [width, height] = size.map(|pixels| pixels as usize * subsamples);
        let buffer = || SurfaceBuffer {
            faces: vec![NO_FACE; width * height],
            nearness: vec![f32::NEG_INFINITY; width * height],
        };
        let mut cutaway = Self { faces: Vec::new(), subsamples, width, height, shown: buffer(), ghost: buffer() };

        let mut cuts = open_hiding_groups(&faces, &proximity_map, subsamples);
        let group_of = |face: &Face| faces.facets[face.facet as usize].cut_group as usize;
        cutaway.draw(&faces.faces, |face| cuts[group_of(face)] == Cut::Keep, Self::add_to_shown);
        remove_half_open(&mut cuts, &faces, &proximity_map, &cutaway);
        cutaway.draw(&faces.faces, |face| cuts[group_of(face)] == Cut::Open, Self::add_to_ghost);
        cutaway.restore();
        cutaway.draw(&faces.faces, |face| cuts[group_of(face)] == Cut::Remove, Self::add_to_ghost);
        cutaway.faces = faces.faces;
        cutaway
    }

    fn draw(&mut self, faces: &[Face], is_drawn: impl Fn(&Face) -> bool, put: fn(&mut Self, usize, u32, f32)) {
        let size = [self.width, self.height];
        for (index, face) in faces.iter().enumerate().filter(|(_, face)| is_drawn(face)) {
            face.visit(size, |[x, y], nearness| put(self, y * size[0] + x, index as u32, nearness));
        }
    }

    /// The nearest of the shown surfaces wins.
    fn add_to_shown(&mut self, at: usize, face: u32, nearness: f32) {
        if nearness > self.shown.nearness[at] {
            (self.shown.faces[at], self.shown.nearness[at]) = (face, nearness);
        }
    }

    /// The ghost is the cut surface nearest to the motion: it says most about the path.
    fn add_to_ghost(&mut self, at: usize, face: u32, nearness: f32) {
        let is_nearest = self.ghost.faces[at] == NO_FACE || nearness < self.ghost.nearness[at];
        if is_nearest && nearness > self.shown.nearness[at] {
            (self.ghost.faces[at], self.ghost.nearness[at]) = (face, nearness);
        }
    }

    /// Moves the ghost back where nothing is shown behind it.
    fn restore(&mut self) {
        for at in 0..self.shown.faces.len() {
            if self.shown.faces[at] == NO_FACE {
                self.shown.faces[at] = std::mem::replace(&mut self.ghost.faces[at], NO_FACE);
                self.shown.nearness[at] = self.ghost.nearness[at];
            }
        }
    }

    /// Returns the pixel at a point of the picture; `None` outside of it.
    pub fn pixel_at(&self, [x, y]: Point) -> Option<usize> {
        let [columns, rows] = [self.width / self.subsamples, self.height / self.subsamples];
        let is_on_picture = x >= 0.0 && y >= 0.0 && x < columns as f32 && y < rows as f32;
        is_on_picture.then(|| y as usize * columns + x as usize)
    }

    /// Returns the face at a pixel of a buffer.
    pub fn face_at(&self, buffer: &SurfaceBuffer, pixel: usize) -> Option<&Face> {
        self.faces.get(buffer.faces[self.first_subsample(pixel)] as usize)
    }

    /// Returns the first subsample of a pixel.
    pub fn first_subsample(&self, pixel: usize) -> usize {
        let columns = self.width / self.subsamples;
        pixel / columns * self.subsamples * self.width + pixel % columns * self.subsamples
    }
}

/// Opens the groups that hide the motion and keeps the rest.
fn open_hiding_groups(faces: &Faces, proximity_map: &ProximityMap, subsamples: usize) -> Vec<Cut> {
    let mut hiding_samples = vec![0u32; faces.facets.len()];
    for face in &faces.faces {
        // Convex obstacles can be removed without ragged edges, so they are cut from farther away: a roof hides the
        // whole room.
        let at_least = if faces.facets[face.facet as usize].is_of_convex { Proximity::Near } else { Proximity::Body };
        face.visit(proximity_map.size.map(|pixels| pixels * subsamples), |[x, y], nearness| {
            let hides = proximity_map.hides(face, [x / subsamples, y / subsamples], nearness, at_least);
            hiding_samples[face.facet as usize] += u32::from(hides);
        });
    }
    let mut areas = vec![[0.0f32; 2]; faces.cut_groups as usize];
    for (facet, samples) in faces.facets.iter().zip(hiding_samples) {
        areas[facet.cut_group as usize][usize::from(samples > MIN_HIDING_SAMPLES)] += facet.seen_area;
    }
    let cut = |[clear, hiding]: [f32; 2]| if hiding > clear { Cut::Open } else { Cut::Keep };
    areas.into_iter().map(cut).collect()
}

/// Removes the open groups that must not be restored, given the buffers of all kept surfaces.
fn remove_half_open(cuts: &mut [Cut], faces: &Faces, proximity_map: &ProximityMap, cutaway: &CutawayView) {
    let subsamples = cutaway.subsamples;
    // Subsamples with nothing and with something behind them, and those with nothing behind them on the path.
    let mut behind = vec![[0usize; 2]; cuts.len()];
    let mut on_path = vec![0usize; cuts.len()];
    for face in &faces.faces {
        let cut_group = faces.facets[face.facet as usize].cut_group as usize;
        if cuts[cut_group] != Cut::Open {
            continue;
        }
        face.visit([cutaway.width, cutaway.height], |[x, y], nearness| {
            let is_something = cutaway.shown.faces[y * cutaway.width + x] != NO_FACE;
            let hides_path = || proximity_map.hides(face, [x / subsamples, y / subsamples], nearness, Proximity::Path);
            on_path[cut_group] += usize::from(!is_something && hides_path());
            behind[cut_group][usize::from(is_something)] += 1;
        });
    }
    let path_samples = proximity_map.path_pixels() * subsamples * subsamples;
    for facet in &faces.facets {
        let cut_group = facet.cut_group as usize;
        let [nothing, something] = behind[cut_group];
        let is_half_open = facet.is_of_convex && 2 * something > nothing;
        if cuts[cut_group] == Cut::Open && (is_half_open || HIDDEN_PATH_DIVISOR * on_path[cut_group] > path_samples) {
            cuts[cut_group] = Cut::Remove;
        }
    }
}

/// Returns points of the path at equal index steps.
fn sample_path(path: &[Vec3]) -> Vec<Vec3> {
    let count = path.len().min(MAX_PATH_POINTS);
    (0..count).map(|k| path[k * (path.len() - 1) / (count - 1).max(1)]).collect()
}

/// How close a pixel is to the path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Proximity {
    Far,
    Near,
    /// The body may cover this pixel.
    Body,
    /// The center of mass passes here.
    Path,
}

/// Distance from every pixel to the path.
struct ProximityMap {
    /// In pixels.
    size: [usize; 2],
    /// Proximity and index of the closest path point for each pixel; empty without a path.
    nearest: Vec<(Proximity, u8)>,
    /// Coordinate of each path point toward the viewer, in meters.
    nearness: Vec<f32>,
}

impl ProximityMap {
    fn new(size: [usize; 2], camera: &Camera, path_points: &[Vec3], body_size: f32) -> Self {
        let on_picture: Vec<[f32; 2]> = path_points.iter().map(|point| camera.project(*point)).collect();
        let zones = PROXIMITY_RADII.map(|(zone, bodies)| (zone, bodies * body_size * camera.scale));
        let nearest_point = |pixel: usize| {
            let (x, y) = ((pixel % size[0]) as f32 + 0.5, (pixel / size[0]) as f32 + 0.5);
            let mut nearest = (f32::INFINITY, 0);
            for (k, [px, py]) in on_picture.iter().enumerate() {
                let distance = (px - x) * (px - x) + (py - y) * (py - y);
                if distance < nearest.0 {
                    nearest = (distance, k as u8);
                }
            }
            let zone = zones.iter().find(|(_, radius)| nearest.0 < radius * radius);
            (zone.map_or(Proximity::Far, |(zone, _)| *zone), nearest.1)
        };
        let pixels = if path_points.is_empty() { 0 } else { size[0] * size[1] };
        let nearness = path_points.iter().map(|point| point.dot(camera.axes.toward)).collect();
        Self { size, nearest: (0..pixels).map(nearest_point).collect(), nearness }
    }

    /// Returns the number of pixels on the path.
    fn path_pixels(&self) -> usize {
        self.nearest.iter().filter(|(zone, _)| *zone == Proximity::Path).count()
    }

    /// Whether a face hides the motion at a pixel that is at least this close to the path.
    fn hides(&self, face: &Face, [x, y]: [usize; 2], nearness: f32, at_least: Proximity) -> bool {
        self.nearest.get(y * self.size[0] + x).is_some_and(|&(zone, nearest)| {
            zone >= at_least
                && face.path_points_behind >> nearest & 1 == 1
                && nearness > self.nearness[usize::from(nearest)]
        })
    }
}

#[cfg(test)]
mod tests {
    use clamber_model::math::Pose;
    use clamber_model::world::{DistanceFieldSettings, Obstacle, Space};

    use super::*;
    use crate::camera::{View, ViewAxes};

    const SIZE: [u32; 2] = [120, 80];

    /// Names the obstacles that are shown and cut away at a point of the picture.
    fn seen(obstacles: Vec<Obstacle>, view: View, path: [Vec3; 2], at: Vec3) -> [Option<String>; 2] {
        let (min, max) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(6.0, 2.5, 1.0));
        let mut field = DistanceFieldSettings::default();
        field.cell_size = 0.5;
        let world = World::from_obstacles(Space::Spatial, obstacles, min, max, &field);
        let axes = ViewAxes::new(view);
        let [right, up, _] = axes.coordinates(0.5 * (min + max));
        let camera = Camera { axes, corner: [right - 4.0, up + 2.7], scale: 15.0 };
        let points: Vec<Vec3> = (0..=20).map(|k| path[0] + (path[1] - path[0]) * (k as f32 / 20.0)).collect();
        let cutaway = CutawayView::new(&world, &camera, SIZE, &Subject { path: &points, body_size: 1.5 });
        let [x, y] = camera.project(at);
        [&cutaway.shown, &cutaway.ghost].map(|layer| {
            let face = cutaway.face_at(layer, y as usize * SIZE[0] as usize + x as usize)?;
            Some(world.obstacles.raw[face.obstacle as usize].name.clone())
        })
    }

    fn cuboid(name: &str, center: [f32; 3], size: [f32; 3]) -> Obstacle {
        Obstacle::cuboid(name, Pose::from_translation(Vec3::from_array(center)), Vec3::from_array(size)).unwrap()
    }

    fn corridor() -> Vec<Obstacle> {
        vec![
            cuboid("floor", [3.0, -0.1, 0.0], [6.0, 0.2, 2.0]),
            cuboid("far wall", [3.0, 1.25, -1.1], [6.0, 2.5, 0.2]),
            cuboid("near wall", [3.0, 1.25, 1.1], [6.0, 2.5, 0.2]),
            cuboid("roof", [3.0, 2.6, 0.0], [6.0, 0.2, 2.4]),
            cuboid("step", [3.0, 0.3, -0.8], [0.8, 0.6, 0.4]),
        ]
    }

    const ALONG: [Vec3; 2] = [Vec3::new(1.0, 0.9, 0.0), Vec3::new(5.0, 0.9, 0.0)];

    fn names(shown: &str, taken_off: &str) -> [Option<String>; 2] {
        [shown, taken_off].map(|name| (!name.is_empty()).then(|| name.to_owned()))
    }

    #[test]
    fn walls_in_front_of_the_motion_are_cut_and_surfaces_behind_it_stay() {
        let at = |x, y, z, view| seen(corridor(), view, ALONG, Vec3::new(x, y, z));
        assert_eq!(at(3.0, 1.2, 0.0, View::FROM_RIGHT), names("far wall", "near wall"));
        assert_eq!(at(3.0, 1.2, 0.0, View::FROM_LEFT), names("near wall", "far wall"));
        assert_eq!(at(3.0, 0.0, 0.3, View::FROM_TOP), names("floor", "roof"));
        // The floor stays even where it is nearer to the viewer than the path.
        assert_eq!(at(3.0, 0.0, 0.8, View::OBLIQUE), names("floor", "near wall"));
        // A block behind the path stays even though it is higher than the floor.
        assert_eq!(at(3.0, 0.5, -0.6, View::FROM_RIGHT), names("step", "near wall"));
    }

    #[test]
    fn a_wall_with_nothing_behind_it_is_cut_too() {
        let wall = || vec![cuboid("wall", [2.0, 1.25, 1.1], [2.0, 2.5, 0.2])];
        assert_eq!(seen(wall(), View::FROM_RIGHT, ALONG, Vec3::new(2.0, 0.9, 0.0)), names("", "wall"));
        // From the other side it is behind the motion.
        assert_eq!(seen(wall(), View::FROM_LEFT, ALONG, Vec3::new(2.0, 0.9, 0.0)), names("wall", ""));
    }

    #[test]
    fn without_a_motion_nothing_is_cut() {
        let world =
            World::from_obstacles(Space::Spatial, corridor(), Vec3::ZERO, Vec3::ONE, &DistanceFieldSettings::default());
        let camera = Camera { axes: ViewAxes::new(View::FROM_RIGHT), corner: [-1.0, 4.0], scale: 15.0 };
        let cutaway = CutawayView::new(&world, &camera, SIZE, &Subject { path: &[], body_size: 0.0 });
        assert!(cutaway.ghost.faces.iter().all(|face| *face == NO_FACE));
        assert!(cutaway.shown.faces.iter().any(|face| *face != NO_FACE));
    }

    #[test]
    fn solid_rock_shows_the_tunnel_inside_as_an_opening() {
        // A rock of two halves with a tunnel between them; each half is one nonconvex obstacle.
        let low = [[0.0, 0.0], [6.0, 0.0], [6.0, 0.8], [3.0, 0.3], [0.0, 0.8]];
        let high = [[0.0, 2.5], [0.0, 1.6], [3.0, 1.5], [6.0, 1.6], [6.0, 2.5], [3.0, 2.4]];
        let rock = || {
            vec![
                Obstacle::polygon("low", &low, -1.0, 1.0).unwrap(),
                Obstacle::polygon("high", &high, -1.0, 1.0).unwrap(),
                cuboid("behind", [3.0, 1.25, -1.2], [6.0, 1.0, 0.2]),
            ]
        };
        let at = |x, y| seen(rock(), View::FROM_RIGHT, ALONG, Vec3::new(x, y, 0.0));
        assert_eq!(at(3.0, 1.0), names("behind", ""));
        assert_eq!(at(3.0, 0.15), names("low", ""));
        assert_eq!(at(3.0, 2.1), names("high", ""));
    }
}
