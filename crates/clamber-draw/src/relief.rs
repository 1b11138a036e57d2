//! What is seen of a world in three dimensions: all of it, less what would hide the motion.
//!
//! A surface is *in the way* where the motion passes behind it: where it is nearer than the nearest piece of the path on
//! the picture, and that piece is on the inner side of its plane. (Both are needed: the ground before the feet is nearer
//! than the path but the path is above it; the top of a block may be above the path but behind it.) A flat face that is
//! in the way somewhere is taken off as a whole, so that no ragged rests of walls remain, and so is a convex obstacle
//! most of which is in the way. What is taken off is left as a faint veil. It is put back where nothing is behind it and
//! the path does not pass: the outer face of solid rock stays, and shows the tunnels inside as openings.

use clamber_model::World;
use clamber_model::math::Vec3;

use crate::camera::Camera;
use crate::faces::{Face, Faces};

/// The path is followed at this many places, at most: one bit each in a mask.
const PLACES: usize = 64;

/// No surface.
pub(crate) const NONE: u32 = u32::MAX;

/// The motion as far as it must be seen.
pub(crate) struct Subject<'a> {
    /// The way of the centre of mass.
    pub path: &'a [Vec3],
    /// The body's size, in metres.
    pub body: f32,
}

/// The surface at each sample of a picture.
pub(crate) struct Layer {
    /// Numbers of faces.
    pub faces: Vec<u32>,
    /// How near to the viewer each is there, in metres.
    pub nearness: Vec<f32>,
}

/// A world as it is seen from one side.
pub(crate) struct Relief {
    pub faces: Vec<Face>,
    /// Samples a side of each pixel.
    pub fine: usize,
    /// In samples.
    pub width: usize,
    /// In samples.
    pub height: usize,
    /// What is behind the motion.
    pub shown: Layer,
    /// What was taken off and would be before it.
    pub veil: Layer,
}

/// What becomes of a convex obstacle, or of a facet of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Shown,
    /// Taken off where something is behind it.
    Opened,
    /// Taken off everywhere: half a roof looks odd, and what stands before the path must not stand behind it.
    Removed,
}

impl Relief {
    /// The world on a picture of this size, with the motion free to be seen.
    pub fn new(world: &World, camera: &Camera, size: [u32; 2], subject: &Subject) -> Self {
        // Large pictures have pixels enough.
        let fine: usize = if u64::from(size[0]) * u64::from(size[1]) <= 3_000_000 { 2 } else { 1 };
        let places = spread(subject.path);
        let parts = Faces::new(world, camera, fine, &places);
        let guide = Guide::new(size.map(|pixels| pixels as usize), camera, &places, subject.body);
        let [width, height] = size.map(|pixels| pixels as usize * fine);
        let layer = || Layer { faces: vec![NONE; width * height], nearness: vec![f32::NEG_INFINITY; width * height] };
        let mut relief = Self { faces: Vec::new(), fine, width, height, shown: layer(), veil: layer() };

        let mut fates = opened(&parts, &guide, fine);
        let piece_of = |face: &Face| parts.facets[face.facet as usize].piece as usize;
        relief.draw(&parts.faces, |face| fates[piece_of(face)] == Fate::Shown, Self::show);
        remove_some(&mut fates, &parts, &guide, &relief);
        relief.draw(&parts.faces, |face| fates[piece_of(face)] == Fate::Opened, Self::take_off);
        relief.put_back();
        relief.draw(&parts.faces, |face| fates[piece_of(face)] == Fate::Removed, Self::take_off);
        relief.faces = parts.faces;
        relief
    }

    fn draw(&mut self, faces: &[Face], is_drawn: impl Fn(&Face) -> bool, put: fn(&mut Self, usize, u32, f32)) {
        let size = [self.width, self.height];
        for (index, face) in faces.iter().enumerate().filter(|(_, face)| is_drawn(face)) {
            face.visit(size, |[x, y], nearness| put(self, y * size[0] + x, index as u32, nearness));
        }
    }

    /// Of what is shown, the nearest is seen.
    fn show(&mut self, at: usize, face: u32, nearness: f32) {
        if nearness > self.shown.nearness[at] {
            (self.shown.faces[at], self.shown.nearness[at]) = (face, nearness);
        }
    }

    /// Of what is taken off, that nearest to the motion makes the veil: it says most about the way.
    fn take_off(&mut self, at: usize, face: u32, nearness: f32) {
        let is_nearest = self.veil.faces[at] == NONE || nearness < self.veil.nearness[at];
        if is_nearest && nearness > self.shown.nearness[at] {
            (self.veil.faces[at], self.veil.nearness[at]) = (face, nearness);
        }
    }

    fn put_back(&mut self) {
        for at in 0..self.shown.faces.len() {
            if self.shown.faces[at] == NONE {
                self.shown.faces[at] = std::mem::replace(&mut self.veil.faces[at], NONE);
                self.shown.nearness[at] = self.veil.nearness[at];
            }
        }
    }

    /// The face at a pixel of a layer.
    pub fn face_at(&self, layer: &Layer, pixel: usize) -> Option<&Face> {
        self.faces.get(layer.faces[self.sample(pixel)] as usize)
    }

    /// The first sample of a pixel.
    pub fn sample(&self, pixel: usize) -> usize {
        let across = self.width / self.fine;
        pixel / across * self.fine * self.width + pixel % across * self.fine
    }
}

/// Opens what is in the way of seeing the motion, and shows the rest.
fn opened(parts: &Faces, guide: &Guide, fine: usize) -> Vec<Fate> {
    let mut in_the_way = vec![0u32; parts.facets.len()];
    for face in &parts.faces {
        // Convex obstacles come off clean, so there it pays to be generous: a roof also hides the room.
        let within = if parts.facets[face.facet as usize].is_of_convex { Zone::Around } else { Zone::Body };
        face.visit(guide.size.map(|pixels| pixels * fine), |[x, y], nearness| {
            let is_in_the_way = guide.is_in_the_way(face, [x / fine, y / fine], nearness, within);
            in_the_way[face.facet as usize] += u32::from(is_in_the_way);
        });
    }
    let mut areas = vec![[0.0f32; 2]; parts.pieces as usize];
    for (facet, samples) in parts.facets.iter().zip(in_the_way) {
        // A few samples may be the rounding of an edge.
        areas[facet.piece as usize][usize::from(samples > 16)] += facet.seen_area;
    }
    let fate = |[harmless, harmful]: [f32; 2]| if harmful > harmless { Fate::Opened } else { Fate::Shown };
    areas.into_iter().map(fate).collect()
}

/// Removes those of the opened pieces that may not be put back, given a relief of all that is shown.
fn remove_some(fates: &mut [Fate], parts: &Faces, guide: &Guide, relief: &Relief) {
    let fine = relief.fine;
    // Samples with nothing and with something behind them, and those with nothing where the path itself is.
    let mut behind = vec![[0usize; 2]; fates.len()];
    let mut on_path = vec![0usize; fates.len()];
    for face in &parts.faces {
        let piece = parts.facets[face.facet as usize].piece as usize;
        if fates[piece] != Fate::Opened {
            continue;
        }
        face.visit([relief.width, relief.height], |[x, y], nearness| {
            let is_something = relief.shown.faces[y * relief.width + x] != NONE;
            let hides_path = || guide.is_in_the_way(face, [x / fine, y / fine], nearness, Zone::Path);
            on_path[piece] += usize::from(!is_something && hides_path());
            behind[piece][usize::from(is_something)] += 1;
        });
    }
    let path_samples = guide.path_pixels() * fine * fine;
    for facet in &parts.facets {
        let piece = facet.piece as usize;
        let [nothing, something] = behind[piece];
        let is_half_open = facet.is_of_convex && 2 * something > nothing;
        if fates[piece] == Fate::Opened && (is_half_open || 20 * on_path[piece] > path_samples) {
            fates[piece] = Fate::Removed;
        }
    }
}

/// Places along the path, evenly many moments apart.
fn spread(path: &[Vec3]) -> Vec<Vec3> {
    let count = path.len().min(PLACES);
    (0..count).map(|k| path[k * (path.len() - 1) / (count - 1).max(1)]).collect()
}

/// How near a pixel is to the path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Zone {
    Elsewhere,
    Around,
    /// The body itself may be here.
    Body,
    /// The centre of mass passes here.
    Path,
}

/// Where the path is, seen from each pixel.
struct Guide {
    /// In pixels.
    size: [usize; 2],
    /// The nearest place of the path at each pixel; nothing when there is no path.
    place: Vec<(Zone, u8)>,
    /// How near to the viewer each place is.
    nearness: Vec<f32>,
}

impl Guide {
    fn new(size: [usize; 2], camera: &Camera, places: &[Vec3], body: f32) -> Self {
        let on_picture: Vec<[f32; 2]> = places.iter().map(|place| camera.project(*place)).collect();
        let zones = [(Zone::Path, 0.05), (Zone::Body, 0.6), (Zone::Around, 1.5)]
            .map(|(zone, bodies)| (zone, bodies * body * camera.scale));
        let nearest_place = |pixel: usize| {
            let (x, y) = ((pixel % size[0]) as f32 + 0.5, (pixel / size[0]) as f32 + 0.5);
            let mut nearest = (f32::INFINITY, 0);
            for (k, [px, py]) in on_picture.iter().enumerate() {
                let distance = (px - x) * (px - x) + (py - y) * (py - y);
                if distance < nearest.0 {
                    nearest = (distance, k as u8);
                }
            }
            let zone = zones.iter().find(|(_, radius)| nearest.0 < radius * radius);
            (zone.map_or(Zone::Elsewhere, |(zone, _)| *zone), nearest.1)
        };
        let pixels = if places.is_empty() { 0 } else { size[0] * size[1] };
        let nearness = places.iter().map(|place| place.dot(camera.sight.toward)).collect();
        Self { size, place: (0..pixels).map(nearest_place).collect(), nearness }
    }

    /// How many pixels the path takes.
    fn path_pixels(&self) -> usize {
        self.place.iter().filter(|(zone, _)| *zone == Zone::Path).count()
    }

    fn is_in_the_way(&self, face: &Face, [x, y]: [usize; 2], nearness: f32, within: Zone) -> bool {
        self.place.get(y * self.size[0] + x).is_some_and(|&(zone, place)| {
            zone >= within && face.is_behind >> place & 1 == 1 && nearness > self.nearness[usize::from(place)]
        })
    }
}

#[cfg(test)]
mod tests {
    use clamber_model::math::Pose;
    use clamber_model::world::{FieldSettings, Obstacle};

    use super::*;
    use crate::camera::{Sight, View};

    const SIZE: [u32; 2] = [120, 80];

    /// What is shown at a point of the picture and what was taken off there, by the obstacles' names.
    fn seen(obstacles: Vec<Obstacle>, view: View, path: [Vec3; 2], at: Vec3) -> [Option<String>; 2] {
        let (min, max) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(6.0, 2.5, 1.0));
        let world = World::new(obstacles, min, max, &FieldSettings { cell: 0.5, flat_cell: 0.5, max_cells: 10_000 });
        let sight = Sight::new(view);
        let [right, up, _] = sight.see(0.5 * (min + max));
        let camera = Camera { sight, corner: [right - 4.0, up + 2.7], scale: 15.0 };
        let way: Vec<Vec3> = (0..=20).map(|k| path[0] + (path[1] - path[0]) * (k as f32 / 20.0)).collect();
        let relief = Relief::new(&world, &camera, SIZE, &Subject { path: &way, body: 1.5 });
        let [x, y] = camera.project(at);
        [&relief.shown, &relief.veil].map(|layer| {
            let face = relief.face_at(layer, y as usize * SIZE[0] as usize + x as usize)?;
            Some(world.obstacles[face.obstacle as usize].name.clone())
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
    fn walls_before_the_motion_are_taken_off_and_what_is_behind_it_is_not() {
        let at = |x, y, z, view| seen(corridor(), view, ALONG, Vec3::new(x, y, z));
        assert_eq!(at(3.0, 1.2, 0.0, View::RIGHT), names("far wall", "near wall"));
        assert_eq!(at(3.0, 1.2, 0.0, View::LEFT), names("near wall", "far wall"));
        assert_eq!(at(3.0, 0.0, 0.3, View::TOP), names("floor", "roof"));
        // The ground, also that nearer to the viewer than the path.
        assert_eq!(at(3.0, 0.0, 0.8, View::OBLIQUE), names("floor", "near wall"));
        // A block behind the path, though it is higher than the ground.
        assert_eq!(at(3.0, 0.5, -0.6, View::RIGHT), names("step", "near wall"));
    }

    #[test]
    fn a_wall_against_the_sky_is_taken_off_too() {
        let wall = || vec![cuboid("wall", [2.0, 1.25, 1.1], [2.0, 2.5, 0.2])];
        assert_eq!(seen(wall(), View::RIGHT, ALONG, Vec3::new(2.0, 0.9, 0.0)), names("", "wall"));
        // From the other side it is behind the motion.
        assert_eq!(seen(wall(), View::LEFT, ALONG, Vec3::new(2.0, 0.9, 0.0)), names("wall", ""));
    }

    #[test]
    fn without_a_motion_nothing_is_taken_off() {
        let world = World::new(corridor(), Vec3::ZERO, Vec3::ONE, &FieldSettings::default());
        let camera = Camera { sight: Sight::new(View::RIGHT), corner: [-1.0, 4.0], scale: 15.0 };
        let relief = Relief::new(&world, &camera, SIZE, &Subject { path: &[], body: 0.0 });
        assert!(relief.veil.faces.iter().all(|face| *face == NONE));
        assert!(relief.shown.faces.iter().any(|face| *face != NONE));
    }

    #[test]
    fn solid_rock_shows_the_tunnel_inside_as_an_opening() {
        // A rock of two halves with a tunnel between; each half is one obstacle that is not convex.
        let low = [[0.0, 0.0], [6.0, 0.0], [6.0, 0.8], [3.0, 0.3], [0.0, 0.8]];
        let high = [[0.0, 2.5], [0.0, 1.6], [3.0, 1.5], [6.0, 1.6], [6.0, 2.5], [3.0, 2.4]];
        let rock = || {
            vec![
                Obstacle::polygon("low", &low, -1.0, 1.0).unwrap(),
                Obstacle::polygon("high", &high, -1.0, 1.0).unwrap(),
                cuboid("behind", [3.0, 1.25, -1.2], [6.0, 1.0, 0.2]),
            ]
        };
        let at = |x, y| seen(rock(), View::RIGHT, ALONG, Vec3::new(x, y, 0.0));
        assert_eq!(at(3.0, 1.0), names("behind", ""));
        assert_eq!(at(3.0, 0.15), names("low", ""));
        assert_eq!(at(3.0, 2.1), names("high", ""));
    }
}
