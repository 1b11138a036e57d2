//! What keeps a motion from going on, marked on a picture: a distance with what is reached of it, an obstacle, two holds.

use clamber_model::World;
use clamber_model::math::{Vec3, atan2, sin_cos};
use clamber_model::world::Hold;

use crate::camera::Camera;
use crate::cross_section::CrossSection;
use crate::labels::free_place;
use crate::picture::{Color, Point, Shape};

/// What is wrong at a place. Holds and obstacles are indices into the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// A hold is farther from another than the character reaches.
    TooFar {
        /// From here.
        from: usize,
        /// To here.
        to: usize,
        /// From hold to hold, in metres.
        distance: f32,
        /// How much of it the character reaches, in metres.
        reach: f32,
    },
    /// An obstacle leaves too little room.
    Blocked {
        /// What is in the way.
        obstacle: usize,
        /// How much room is missing, in metres.
        missing_clearance: f32,
        /// The hold beyond, if there is one.
        to: Option<usize>,
    },
    /// The character gets from neither of two holds to the other.
    NoPosture {
        /// From here.
        from: usize,
        /// To here.
        to: usize,
    },
}

const WRONG: Color = Color::rgb(0xc2103f);
const REACHED: Color = Color::rgb(0x1747a6);
const HALO: Color = Color::rgb(0xfffdf8);

/// The side of a letter_width, in pixels: bitmaps of 8 by 8, doubled.
const LETTER: f32 = 16.0;

/// From a hold to the line that measures the distance from it, in pixels.
const OFFSET: f32 = 46.0;

/// An obstacle of more triangles on the picture than this is named and not coloured: the file would be huge.
const MOST_TRIANGLES: usize = 5000;

impl Failure {
    /// The points of the world that a picture of it must show.
    pub(crate) fn points(&self, world: &World, place: Vec3) -> Vec<Vec3> {
        match *self {
            Self::TooFar { from, to, .. } | Self::NoPosture { from, to } => {
                ends(world, from, to, place).map_or_else(Vec::new, |[from, to]| vec![from.0, to.0])
            }
            Self::Blocked { to, .. } => {
                to.and_then(|to| world.holds.get(to)).map(|to| to.nearest(place)).into_iter().collect()
            }
        }
    }

    /// The obstacle that is in the way, coloured: below the bodies.
    pub(crate) fn below(&self, world: &World, camera: &Camera, size: [u32; 2], is_section: bool) -> Option<Shape> {
        let Self::Blocked { obstacle, .. } = *self else { return None };
        let limits = size.map(|pixels| pixels as f32);
        let obstacle = world.obstacles.get(obstacle)?;
        let (seen, outline) = if is_section {
            (CrossSection::new(obstacle, camera, limits), Some((WRONG, 2.5)))
        } else {
            (CrossSection::silhouette(obstacle, camera, limits), None)
        };
        let area = |loops| Shape::Polygon { loops, fill: WRONG.with_alpha(70), outline };
        let is_drawable = seen.loops.len() <= MOST_TRIANGLES;
        is_drawable.then(|| Shape::Group { name: "in-the-way", shapes: vec![area(seen.loops)] })
    }

    /// Rings, lines and words: above all else.
    pub(crate) fn above(&self, world: &World, place: Vec3, camera: &Camera, size: [u32; 2]) -> Shape {
        let mut annotations =
            Annotations { size: size.map(|pixels| pixels as f32), shapes: Vec::new(), taken: Vec::new() };
        match *self {
            Self::TooFar { from, to, distance, reach } => {
                if let Some(ends) = ends(world, from, to, place) {
                    annotations.gap(ends, distance, reach, camera);
                }
            }
            Self::Blocked { obstacle, missing_clearance, to } => {
                let at = camera.project(place);
                annotations.ring(at, 34.0);
                let name = world.obstacles.get(obstacle).map_or("", |obstacle| obstacle.name.as_str());
                annotations.words(format!("{name}: {missing_clearance:.2} m"), at, [0.0, -1.0], 46.0, WRONG);
                if let Some(to) = to.and_then(|to| world.holds.get(to)) {
                    let (at, inward) = (camera.project(to.nearest(place)), inward(&[to], camera));
                    annotations.ring(at, 13.0);
                    annotations.words(to.name.clone(), at, inward, 22.0, WRONG);
                }
            }
            Self::NoPosture { from, to } => {
                if let Some(ends) = ends(world, from, to, place) {
                    let points = ends.map(|(point, _)| camera.project(point));
                    let aside = beside(points, inward(&ends.map(|(_, hold)| hold), camera));
                    annotations.dashed(points);
                    for ((_, hold), at) in ends.into_iter().zip(points) {
                        annotations.ring(at, 18.0);
                        annotations.words(hold.name.clone(), at, aside, 30.0, WRONG);
                    }
                }
            }
        }
        Shape::Group { name: "trouble", shapes: annotations.shapes }
    }
}

/// The place alone, where nothing more is known.
pub(crate) fn ringed(place: Vec3, camera: &Camera) -> Shape {
    let mut annotations = Annotations { size: [0.0; 2], shapes: Vec::new(), taken: Vec::new() };
    annotations.ring(camera.project(place), 34.0);
    Shape::Group { name: "trouble", shapes: annotations.shapes }
}

/// The two holds, each with its point that is meant: of a surface, the one nearest to the place and to the other's.
fn ends(world: &World, from: usize, to: usize, place: Vec3) -> Option<[(Vec3, &Hold); 2]> {
    let (from, to) = (world.holds.get(from)?, world.holds.get(to)?);
    let there = to.nearest(place);
    let here = from.nearest(there);
    Some([(here, from), (to.nearest(here), to)])
}

/// Into the surface that holds are on, on the picture: bodies are on its other side, so there is room for words.
fn inward(holds: &[&Hold], camera: &Camera) -> Point {
    let normal: Vec3 = holds.iter().map(|hold| hold.normal).sum();
    unit([-normal.dot(camera.axes.right), normal.dot(camera.axes.up)]).unwrap_or([0.0, 1.0])
}

/// Perpendicular to the way between two points, on this side of it.
fn beside([from, to]: [Point; 2], side: Point) -> Point {
    let [x, y] = unit([to[0] - from[0], to[1] - from[1]]).unwrap_or([1.0, 0.0]);
    if -y * side[0] + x * side[1] < 0.0 { [y, -x] } else { [-y, x] }
}

fn unit([x, y]: Point) -> Option<Point> {
    let length = (x * x + y * y).sqrt();
    (length > 0.1).then_some([x / length, y / length])
}

fn moved([x, y]: Point, [along_x, along_y]: Point, by: f32) -> Point {
    [x + along_x * by, y + along_y * by]
}

/// What is drawn, and where words already stand.
struct Annotations {
    size: [f32; 2],
    shapes: Vec<Shape>,
    taken: Vec<(Point, f32)>,
}

impl Annotations {
    /// The distance between two holds beside them, as in a drawing of a machine: what is reached of it in one colour, what
    /// is missing in another; and an arc around the first, as far as the character reaches.
    fn gap(&mut self, ends: [(Vec3, &Hold); 2], distance: f32, reach: f32, camera: &Camera) {
        let [from, to] = ends.map(|(point, _)| camera.project(point));
        let along = unit([to[0] - from[0], to[1] - from[1]]).unwrap_or([1.0, 0.0]);
        let aside = beside([from, to], inward(&ends.map(|(_, hold)| hold), camera));

        // The distance may be along the line of axes in part; its share on the picture is what is reached.
        let share = if distance > 0.0 { (reach / distance).clamp(0.0, 1.0) } else { 1.0 };
        let off = |at: Point| moved(at, aside, OFFSET);
        let limit: Point = std::array::from_fn(|k| from[k] + (to[k] - from[k]) * share);
        for at in [from, to] {
            self.line(vec![at, moved(at, aside, OFFSET + 8.0)], 1.5, WRONG);
        }
        self.line(vec![off(from), off(limit)], 4.0, REACHED);
        self.line(vec![off(limit), off(to)], 4.0, WRONG);
        self.arrow(off(from), along.map(|part| -part), REACHED);
        self.arrow(off(to), along, WRONG);
        self.line(vec![limit, moved(limit, aside, OFFSET + 12.0)], 3.0, REACHED);

        let around = atan2(along[1], along[0]);
        let to_side = |degrees: f32| {
            // Away from the line that measures, whichever side that is on.
            let turned = if along[0] * aside[1] > along[1] * aside[0] { -degrees } else { degrees };
            let (sin, cos) = sin_cos(around + turned.to_radians());
            moved(from, [cos, sin], reach * camera.scale)
        };
        self.line((0..=24).map(|step| to_side(2.0 * step as f32)).collect(), 3.0, REACHED);

        for at in [from, to] {
            self.ring(at, 13.0);
        }
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        self.words(format!("{distance:.2} m"), off(middle), aside, 8.0, WRONG);
        let out = unit([to_side(48.0)[0] - from[0], to_side(48.0)[1] - from[1]]).unwrap_or([0.0, -1.0]);
        self.words(format!("reach {reach:.2} m"), to_side(48.0), out, 8.0, REACHED);
        for ((_, hold), at) in ends.into_iter().zip([from, to]) {
            self.words(hold.name.clone(), off(at), aside, 34.0, WRONG);
        }
    }

    /// A line with a rim.
    fn line(&mut self, points: Vec<Point>, width: f32, color: Color) {
        self.shapes.push(Shape::Polyline { points: points.clone(), width: width + 2.5, color: HALO.with_alpha(200) });
        self.shapes.push(Shape::Polyline { points, width, color });
    }

    fn ring(&mut self, at: Point, radius: f32) {
        let corner = |step: i32| {
            let (sin, cos) = sin_cos((10 * step) as f32 * std::f32::consts::PI / 180.0);
            moved(at, [cos, sin], radius)
        };
        self.line((0..=36).map(corner).collect(), 3.5, WRONG);
    }

    /// The head of an arrow whose tip is here.
    fn arrow(&mut self, tip: Point, [x, y]: Point, color: Color) {
        let back = |aside: f32| moved(moved(tip, [x, y], -14.0), [-y, x], aside);
        self.shapes.push(Shape::Polygon { loops: vec![vec![tip, back(6.0), back(-6.0)]], fill: color, outline: None });
    }

    fn dashed(&mut self, [from, to]: [Point; 2]) {
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
        let Some(along) = unit(way) else { return };
        let dashes = ((length / 18.0) as usize).min(400);
        for dash in 0..dashes {
            let begin = moved(from, along, 18.0 * dash as f32);
            self.line(vec![begin, moved(begin, along, 9.0)], 3.0, WRONG);
        }
    }

    /// Words on one side of a point, this far from it, whole on the picture and over no others.
    fn words(&mut self, words: String, at: Point, side: Point, away: f32, color: Color) {
        let half = [0.5 * LETTER * (words.chars().count() as f32 + 0.5), 0.7 * LETTER];
        let away = away + side[0].abs() * half[0] + side[1].abs() * half[1];
        let at = free_place(moved(at, side, away), half, self.size, &self.taken);
        self.taken.push((at, half[0]));
        self.shapes.push(Shape::Text { center: at, text: words, letter_width: LETTER, color, halo: HALO });
    }
}
