//! What is seen of a world in three dimensions: all of it, less what would hide the motion.
//!
//! A surface is *in the way* where the motion passes behind it: where it is nearer than the nearest cut_group of the path on
//! the picture, and that cut_group is on the inner side of its plane. (Both are needed: the ground before the feet is nearer
//! than the path but the path is above it; the top of a block may be above the path but behind it.) A flat face that is
//! in the way somewhere is taken off as a whole, so that no ragged rests of walls remain, and so is a convex obstacle
//! most of which is in the way. What is taken off is left as a faint ghost. It is put back where nothing is behind it and
//! the path does not pass: the outer face of solid rock stays, and shows the tunnels inside as openings.

use clamber_model::World;
use clamber_model::math::Vec3;

use crate::camera::Camera;
use crate::faces::{Face, Faces};

/// The path is followed at this many places, at most: one bit each in a mask.
const MAX_PATH_POINTS: usize = 64;

/// No surface.
pub(crate) const NO_FACE: u32 = u32::MAX;

/// The motion as far as it must be seen.
pub(crate) struct Subject<'a> {
    /// The way of the centre of mass.
    pub path: &'a [Vec3],
    /// The body's size, in metres.
    pub body: f32,
}

/// The surface at each sample of a picture.
pub(crate) struct SurfaceBuffer {
    /// Numbers of faces.
    pub faces: Vec<u32>,
    /// How near to the viewer each is there, in metres.
    pub nearness: Vec<f32>,
}

/// A world as it is seen from one side.
pub(crate) struct CutawayView {
    pub faces: Vec<Face>,
    /// Samples a side of each pixel.
    pub subsamples: usize,
    /// In samples.
    pub width: usize,
    /// In samples.
    pub height: usize,
    /// What is behind the motion.
    pub shown: SurfaceBuffer,
    /// What was taken off and would be before it.
    pub ghost: SurfaceBuffer,
}

/// What becomes of a convex obstacle, or of a facet of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Keep,
    /// Taken off where something is behind it.
    Open,
    /// Taken off everywhere: half a roof looks odd, and what stands before the path must not stand behind it.
    Remove,
}

impl CutawayView {
    /// The world on a picture of this size, with the motion free to be seen.
    pub fn new(world: &World, camera: &Camera, size: [u32; 2], subject: &Subject) -> Self {
        // Large pictures have pixels enough.
        let subsamples: usize = if u64::from(size[0]) * u64::from(size[1]) <= 3_000_000 { 2 } else { 1 };
        let places = spread(subject.path);
        let faces = Faces::new(world, camera, subsamples, &places);
        let proximity_map = ProximityMap::new(size.map(|pixels| pixels as usize), camera, &places, subject.body);
        let [width, height] = size.map(|pixels| pixels as usize * subsamples);
        let layer = || SurfaceBuffer {
            faces: vec![NO_FACE; width * height],
            nearness: vec![f32::NEG_INFINITY; width * height],
        };
        let mut cutaway = Self { faces: Vec::new(), subsamples, width, height, shown: layer(), ghost: layer() };

        let mut cuts = open_what_hides(&faces, &proximity_map, subsamples);
        let piece_of = |face: &Face| faces.facets[face.facet as usize].cut_group as usize;
        cutaway.draw(&faces.faces, |face| cuts[piece_of(face)] == Cut::Keep, Self::add_to_shown);
        remove_what_stays_open(&mut cuts, &faces, &proximity_map, &cutaway);
        cutaway.draw(&faces.faces, |face| cuts[piece_of(face)] == Cut::Open, Self::add_to_ghost);
        cutaway.restore();
        cutaway.draw(&faces.faces, |face| cuts[piece_of(face)] == Cut::Remove, Self::add_to_ghost);
        cutaway.faces = faces.faces;
        cutaway
    }

    fn draw(&mut self, faces: &[Face], is_drawn: impl Fn(&Face) -> bool, put: fn(&mut Self, usize, u32, f32)) {
        let size = [self.width, self.height];
        for (index, face) in faces.iter().enumerate().filter(|(_, face)| is_drawn(face)) {
            face.visit(size, |[x, y], nearness| put(self, y * size[0] + x, index as u32, nearness));
        }
    }

    /// Of what is shown, the nearest is seen.
    fn add_to_shown(&mut self, at: usize, face: u32, nearness: f32) {
        if nearness > self.shown.nearness[at] {
            (self.shown.faces[at], self.shown.nearness[at]) = (face, nearness);
        }
    }

    /// Of what is taken off, that nearest to the motion makes the ghost: it says most about the way.
    fn add_to_ghost(&mut self, at: usize, face: u32, nearness: f32) {
        let is_nearest = self.ghost.faces[at] == NO_FACE || nearness < self.ghost.nearness[at];
        if is_nearest && nearness > self.shown.nearness[at] {
            (self.ghost.faces[at], self.ghost.nearness[at]) = (face, nearness);
        }
    }

    fn restore(&mut self) {
        for at in 0..self.shown.faces.len() {
            if self.shown.faces[at] == NO_FACE {
                self.shown.faces[at] = std::mem::replace(&mut self.ghost.faces[at], NO_FACE);
                self.shown.nearness[at] = self.ghost.nearness[at];
            }
        }
    }

    /// The face at a pixel of a layer.
    pub fn face_at(&self, layer: &SurfaceBuffer, pixel: usize) -> Option<&Face> {
        self.faces.get(layer.faces[self.sample(pixel)] as usize)
    }

    /// The first sample of a pixel.
    pub fn sample(&self, pixel: usize) -> usize {
        let across = self.width / self.subsamples;
        pixel / across * self.subsamples * self.width + pixel % across * self.subsamples
    }
}

/// Opens what is in the way of seeing the motion, and shows the rest.
fn open_what_hides(faces: &Faces, proximity_map: &ProximityMap, subsamples: usize) -> Vec<Cut> {
    let mut in_the_way = vec![0u32; faces.facets.len()];
    for face in &faces.faces {
        // Convex obstacles come off clean, so there it pays to be generous: a roof also hides the room.
        let zone_needed =
            if faces.facets[face.facet as usize].is_of_convex { Proximity::Near } else { Proximity::Body };
        face.visit(proximity_map.size.map(|pixels| pixels * subsamples), |[x, y], nearness| {
            let is_in_the_way =
                proximity_map.is_in_the_way(face, [x / subsamples, y / subsamples], nearness, zone_needed);
            in_the_way[face.facet as usize] += u32::from(is_in_the_way);
        });
    }
    let mut areas = vec![[0.0f32; 2]; faces.cut_groups as usize];
    for (facet, samples) in faces.facets.iter().zip(in_the_way) {
        // A few samples may be the rounding of an edge.
        areas[facet.cut_group as usize][usize::from(samples > 16)] += facet.seen_area;
    }
    let cut = |[harmless, harmful]: [f32; 2]| if harmful > harmless { Cut::Open } else { Cut::Keep };
    areas.into_iter().map(cut).collect()
}

/// Removes those of the open_what_hides cut_groups that may not be put back, given a cutaway of all that is shown.
fn remove_what_stays_open(cuts: &mut [Cut], faces: &Faces, proximity_map: &ProximityMap, cutaway: &CutawayView) {
    let subsamples = cutaway.subsamples;
    // Samples with nothing and with something behind them, and those with nothing where the path itself is.
    let mut behind = vec![[0usize; 2]; cuts.len()];
    let mut on_path = vec![0usize; cuts.len()];
    for face in &faces.faces {
        let cut_group = faces.facets[face.facet as usize].cut_group as usize;
        if cuts[cut_group] != Cut::Open {
            continue;
        }
        face.visit([cutaway.width, cutaway.height], |[x, y], nearness| {
            let is_something = cutaway.shown.faces[y * cutaway.width + x] != NO_FACE;
            let hides_path =
                || proximity_map.is_in_the_way(face, [x / subsamples, y / subsamples], nearness, Proximity::Path);
            on_path[cut_group] += usize::from(!is_something && hides_path());
            behind[cut_group][usize::from(is_something)] += 1;
        });
    }
    let path_samples = proximity_map.path_pixels() * subsamples * subsamples;
    for facet in &faces.facets {
        let cut_group = facet.cut_group as usize;
        let [nothing, something] = behind[cut_group];
        let is_half_open = facet.is_of_convex && 2 * something > nothing;
        if cuts[cut_group] == Cut::Open && (is_half_open || 20 * on_path[cut_group] > path_samples) {
            cuts[cut_group] = Cut::Remove;
        }
    }
}

/// Places along the path, evenly many samples apart.
fn spread(path: &[Vec3]) -> Vec<Vec3> {
    let count = path.len().min(MAX_PATH_POINTS);
    (0..count).map(|k| path[k * (path.len() - 1) / (count - 1).max(1)]).collect()
}

/// How near a pixel is to the path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Proximity {
    Far,
    Near,
    /// The body itself may be here.
    Body,
    /// The centre of mass passes here.
    Path,
}

/// Where the path is, seen from each pixel.
struct ProximityMap {
    /// In pixels.
    size: [usize; 2],
    /// The nearest place of the path at each pixel; nothing when there is no path.
    place: Vec<(Proximity, u8)>,
    /// How near to the viewer each place is.
    nearness: Vec<f32>,
}

impl ProximityMap {
    fn new(size: [usize; 2], camera: &Camera, places: &[Vec3], body: f32) -> Self {
        let on_picture: Vec<[f32; 2]> = places.iter().map(|place| camera.project(*place)).collect();
        let zones = [(Proximity::Path, 0.05), (Proximity::Body, 0.6), (Proximity::Near, 1.5)]
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
            (zone.map_or(Proximity::Far, |(zone, _)| *zone), nearest.1)
        };
        let pixels = if places.is_empty() { 0 } else { size[0] * size[1] };
        let nearness = places.iter().map(|place| place.dot(camera.axes.toward)).collect();
        Self { size, place: (0..pixels).map(nearest_place).collect(), nearness }
    }

    /// How many pixels the path takes.
    fn path_pixels(&self) -> usize {
        self.place.iter().filter(|(zone, _)| *zone == Proximity::Path).count()
    }

    fn is_in_the_way(&self, face: &Face, [x, y]: [usize; 2], nearness: f32, zone_needed: Proximity) -> bool {
        self.place.get(y * self.size[0] + x).is_some_and(|&(zone, place)| {
            zone >= zone_needed
                && face.path_points_behind >> place & 1 == 1
                && nearness > self.nearness[usize::from(place)]
        })
    }
}

#[cfg(test)]
mod tests {
    use clamber_model::math::Pose;
    use clamber_model::world::{FieldSettings, Obstacle};

    use super::*;
    use crate::camera::{View, ViewAxes};

    const SIZE: [u32; 2] = [120, 80];

    /// What is shown at a point of the picture and what was taken off there, by the obstacles' names.
    fn seen(obstacles: Vec<Obstacle>, view: View, path: [Vec3; 2], at: Vec3) -> [Option<String>; 2] {
        let (min, max) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(6.0, 2.5, 1.0));
        let world = World::new(obstacles, min, max, &FieldSettings { cell: 0.5, flat_cell: 0.5, max_cells: 10_000 });
        let axes = ViewAxes::new(view);
        let [right, up, _] = axes.to_view(0.5 * (min + max));
        let camera = Camera { axes, corner: [right - 4.0, up + 2.7], scale: 15.0 };
        let way: Vec<Vec3> = (0..=20).map(|k| path[0] + (path[1] - path[0]) * (k as f32 / 20.0)).collect();
        let cutaway = CutawayView::new(&world, &camera, SIZE, &Subject { path: &way, body: 1.5 });
        let [x, y] = camera.project(at);
        [&cutaway.shown, &cutaway.ghost].map(|layer| {
            let face = cutaway.face_at(layer, y as usize * SIZE[0] as usize + x as usize)?;
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
        let camera = Camera { axes: ViewAxes::new(View::RIGHT), corner: [-1.0, 4.0], scale: 15.0 };
        let cutaway = CutawayView::new(&world, &camera, SIZE, &Subject { path: &[], body: 0.0 });
        assert!(cutaway.ghost.faces.iter().all(|face| *face == NO_FACE));
        assert!(cutaway.shown.faces.iter().any(|face| *face != NO_FACE));
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
