//! Annotations that show why a motion cannot continue: a distance and its reached share, an obstacle, two holds, or a hold that does
//! not carry the body.

use clamber_model::World;
use clamber_model::id::{HoldId, ObstacleId};
use clamber_model::math::{Vec3, atan2, sin_cos};
use clamber_model::world::Hold;

use crate::camera::Camera;
use crate::cross_section::CrossSection;
use crate::text_placement::Label;
use crate::vector_picture::{Color, Point, Shape};

/// Why a motion cannot continue at a place. Holds and obstacles are indices into the world's lists.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FailureAnnotation {
    /// The distance between two holds exceeds the character's reach.
    TooFar {
        /// The hold that is reached.
        from_hold: HoldId,
        /// The hold that is out of reach.
        to_hold: HoldId,
        /// Distance between the holds, in meters.
        distance: f32,
        /// The character's reach, in meters.
        reach: f32,
    },
    /// An obstacle leaves too little room.
    Blocked {
        /// The blocking obstacle.
        obstacle: ObstacleId,
        /// Missing clearance, in meters.
        missing_clearance: f32,
        /// The hold behind the obstacle, if any.
        to_hold: Option<HoldId>,
    },
    /// No posture leads from one hold to the other.
    NoPosture {
        /// The hold that is reached.
        from_hold: HoldId,
        /// The hold that is not reached.
        to_hold: HoldId,
    },
    /// A hold is too slippery to carry the body.
    TooSlippery {
        /// The hold.
        hold: HoldId,
        /// Its coefficient of friction.
        friction: f32,
        /// The coefficient that would do.
        sufficient: f32,
    },
    /// What is on a hold is too weak to carry the body.
    TooWeak {
        /// The hold.
        hold: HoldId,
        /// The force that it bears, in newtons.
        force: f32,
        /// The force that would do, in newtons.
        sufficient: f32,
    },
    /// The center of mass is too far from where a hold carries it.
    OutOfBalance {
        /// The hold.
        hold: HoldId,
        /// How much nearer the center of mass would have to be, in meters.
        distance: f32,
    },
}

const FAILURE_COLOR: Color = Color::from_hex(0xc2103f);
const REACHED_COLOR: Color = Color::from_hex(0x1747a6);
const HALO: Color = Color::from_hex(0xfffdf8);

/// Font size, in pixels.
const FONT_SIZE: f32 = 22.0;

/// Distance from a hold to its dimension line, in pixels.
const DIMENSION_OFFSET: f32 = 46.0;

/// Layout, in pixels: ring radii, and distances of text from a ringed point.
const PLACE_RING: f32 = 34.0;
const PLACE_TEXT: f32 = 46.0;
const HOLD_RING: f32 = 18.0;
const HOLD_TEXT: f32 = 30.0;
const SMALL_HOLD_RING: f32 = 13.0;
const SMALL_HOLD_TEXT: f32 = 22.0;

/// Distances of the length and of the hold names from the dimension line, in pixels.
const LENGTH_TEXT: f32 = 8.0;
const NAME_TEXT: f32 = 34.0;

/// Line widths, in pixels.
const RING_WIDTH: f32 = 3.5;
const DIMENSION_WIDTH: f32 = 4.0;
const EXTENSION_WIDTH: f32 = 1.5;
const LINE_WIDTH: f32 = 3.0;
const HALO_WIDTH: f32 = 2.5;
const OUTLINE_WIDTH: f32 = 2.5;

/// How far extension lines and the mark of the reach go beyond the dimension line, in pixels.
const EXTENSION_OVERHANG: f32 = 8.0;
const REACH_OVERHANG: f32 = 12.0;

/// Angle of the arc that shows the reach, in degrees.
const REACH_ARC: f32 = 48.0;

/// Length and half width of an arrowhead, in pixels.
const ARROW: [f32; 2] = [14.0, 6.0];

/// Length of a dash, distance between starts of dashes, in pixels, and maximum number of dashes.
const DASH: f32 = 9.0;
const DASH_PERIOD: f32 = 18.0;
const MAX_DASHES: usize = 400;

/// Maximum number of polygons of a highlighted obstacle; larger ones are only named, or the file would be huge.
const MAX_POLYGONS: usize = 5000;

impl FailureAnnotation {
    /// Returns the points that the picture must show.
    pub(crate) fn points(&self, world: &World, place: Vec3) -> Vec<Vec3> {
        match *self {
            Self::TooFar { from_hold: from, to_hold: to, .. } | Self::NoPosture { from_hold: from, to_hold: to } => {
                ends(world, from, to, place).map_or_else(Vec::new, |[from, to]| vec![from.0, to.0])
            }
            Self::Blocked { to_hold: to, .. } => {
                to.and_then(|to| world.holds.get(to)).map(|to| to.nearest_point(place)).into_iter().collect()
            }
            Self::TooSlippery { hold, .. } | Self::TooWeak { hold, .. } | Self::OutOfBalance { hold, .. } => {
                world.holds.get(hold).map(|hold| hold.nearest_point(place)).into_iter().collect()
            }
        }
    }

    /// Highlights the blocking obstacle, below the bodies.
    pub(crate) fn below(&self, world: &World, camera: &Camera, size: [u32; 2], is_section: bool) -> Option<Shape> {
        let Self::Blocked { obstacle, .. } = *self else { return None };
        let limits = size.map(|pixels| pixels as f32);
        let obstacle = world.obstacles.get(obstacle)?;
        let (seen, outline) = if is_section {
            (CrossSection::new(obstacle, camera, limits), Some((FAILURE_COLOR, OUTLINE_WIDTH)))
        } else {
            (CrossSection::silhouette(obstacle, camera, limits), None)
        };
        let area = |loops| Shape::Polygon { loops, fill: FAILURE_COLOR.with_alpha(70), outline };
        let is_drawable = seen.loops.len() <= MAX_POLYGONS;
        is_drawable.then(|| Shape::Group { name: "in-the-way", shapes: vec![area(seen.loops)] })
    }

    /// Draws rings, lines and text, above everything else.
    pub(crate) fn above(&self, world: &World, place: Vec3, camera: &Camera, size: [u32; 2]) -> Shape {
        let mut annotations =
            Annotations { size: size.map(|pixels| pixels as f32), shapes: Vec::new(), occupied: Vec::new() };
        match *self {
            Self::TooFar { from_hold: from, to_hold: to, distance, reach } => {
                if let Some(ends) = ends(world, from, to, place) {
                    annotations.too_far(ends, distance, reach, camera);
                }
            }
            Self::Blocked { obstacle, missing_clearance, to_hold: to } => {
                let at = camera.project(place);
                annotations.ring(at, PLACE_RING);
                let name = world.obstacles.get(obstacle).map_or("", |obstacle| obstacle.name.as_str());
                annotations.text(
                    &format!("{name}: {missing_clearance:.2} m"),
                    at,
                    [0.0, -1.0],
                    PLACE_TEXT,
                    FAILURE_COLOR,
                );
                if let Some(to) = to.and_then(|to| world.holds.get(to)) {
                    let (at, inward) = (camera.project(to.nearest_point(place)), inward(&[to], camera));
                    annotations.ring(at, SMALL_HOLD_RING);
                    annotations.text(&to.name, at, inward, SMALL_HOLD_TEXT, FAILURE_COLOR);
                }
            }
            Self::NoPosture { from_hold: from, to_hold: to } => {
                if let Some(ends) = ends(world, from, to, place) {
                    let points = ends.map(|(point, _)| camera.project(point));
                    let sideways = beside(points, inward(&ends.map(|(_, hold)| hold), camera));
                    annotations.dashed(points);
                    for ((_, hold), at) in ends.into_iter().zip(points) {
                        annotations.ring(at, HOLD_RING);
                        annotations.text(&hold.name, at, sideways, HOLD_TEXT, FAILURE_COLOR);
                    }
                }
            }
            Self::TooSlippery { hold, friction, sufficient } => {
                let amounts = format!("friction {friction:.2}, {sufficient:.2} would do");
                annotations.unsupporting(world.holds.get(hold), place, &amounts, camera);
            }
            Self::TooWeak { hold, force, sufficient } => {
                let amounts = format!("{force:.0} N, {sufficient:.0} N would do");
                annotations.unsupporting(world.holds.get(hold), place, &amounts, camera);
            }
            Self::OutOfBalance { hold, distance } => {
                // Rounded up, as in the message.
                let amounts = format!("{:.2} m out of balance", (100.0 * distance - 1e-3).ceil() * 0.01);
                annotations.unsupporting(world.holds.get(hold), place, &amounts, camera);
            }
        }
        Shape::Group { name: "trouble", shapes: annotations.shapes }
    }
}

/// Rings a place without a known failure.
pub(crate) fn ring_place(place: Vec3, camera: &Camera) -> Shape {
    let mut annotations = Annotations { size: [0.0; 2], shapes: Vec::new(), occupied: Vec::new() };
    annotations.ring(camera.project(place), PLACE_RING);
    Shape::Group { name: "trouble", shapes: annotations.shapes }
}

/// Returns two holds and the point of each that is meant: the closest to the place and to the other hold.
fn ends(world: &World, from: HoldId, to: HoldId, place: Vec3) -> Option<[(Vec3, &Hold); 2]> {
    let (from, to) = (world.holds.get(from)?, world.holds.get(to)?);
    let there = to.nearest_point(place);
    let here = from.nearest_point(there);
    Some([(here, from), (to.nearest_point(here), to)])
}

/// Returns the picture direction into the surface of the holds: bodies are on the other side, so there is room for
/// text.
fn inward(holds: &[&Hold], camera: &Camera) -> Point {
    let normal: Vec3 = holds.iter().map(|hold| hold.normal).sum();
    unit([-normal.dot(camera.axes.right), normal.dot(camera.axes.up)]).unwrap_or([0.0, 1.0])
}

/// Returns the unit vector perpendicular to the line between two points, on the given side.
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

/// Shapes and the areas that text already occupies.
struct Annotations {
    size: [f32; 2],
    shapes: Vec<Shape>,
    occupied: Vec<Label>,
}

impl Annotations {
    /// Draws the distance between two holds as a dimension line beside them, with the reached and the missing share in
    /// different colors, and an arc of the character's reach around the first hold.
    fn too_far(&mut self, ends: [(Vec3, &Hold); 2], distance: f32, reach: f32, camera: &Camera) {
        let [from, to] = ends.map(|(point, _)| camera.project(point));
        let along = unit([to[0] - from[0], to[1] - from[1]]).unwrap_or([1.0, 0.0]);
        let sideways = beside([from, to], inward(&ends.map(|(_, hold)| hold), camera));

        // The distance may have a component along the viewing direction; the reached share is the same on the picture.
        let share = if distance > 0.0 { (reach / distance).clamp(0.0, 1.0) } else { 1.0 };
        let off = |at: Point| moved(at, sideways, DIMENSION_OFFSET);
        let limit: Point = std::array::from_fn(|k| from[k] + (to[k] - from[k]) * share);
        for at in [from, to] {
            self.line(
                vec![at, moved(at, sideways, DIMENSION_OFFSET + EXTENSION_OVERHANG)],
                EXTENSION_WIDTH,
                FAILURE_COLOR,
            );
        }
        self.line(vec![off(from), off(limit)], DIMENSION_WIDTH, REACHED_COLOR);
        self.line(vec![off(limit), off(to)], DIMENSION_WIDTH, FAILURE_COLOR);
        self.arrow(off(from), along.map(|x| -x), REACHED_COLOR);
        self.arrow(off(to), along, FAILURE_COLOR);
        self.line(vec![limit, moved(limit, sideways, DIMENSION_OFFSET + REACH_OVERHANG)], LINE_WIDTH, REACHED_COLOR);

        let around = atan2(along[1], along[0]);
        let to_side = |degrees: f32| {
            // On the side opposite the dimension line.
            let turned = if along[0] * sideways[1] > along[1] * sideways[0] { -degrees } else { degrees };
            let (sin, cos) = sin_cos(around + turned.to_radians());
            moved(from, [cos, sin], reach * camera.scale)
        };
        self.line((0..=24).map(|step| to_side(REACH_ARC / 24.0 * step as f32)).collect(), LINE_WIDTH, REACHED_COLOR);

        for at in [from, to] {
            self.ring(at, SMALL_HOLD_RING);
        }
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        self.text(&format!("{distance:.2} m"), off(middle), sideways, LENGTH_TEXT, FAILURE_COLOR);
        let out = unit([to_side(REACH_ARC)[0] - from[0], to_side(REACH_ARC)[1] - from[1]]).unwrap_or([0.0, -1.0]);
        self.text(&format!("reach {reach:.2} m"), to_side(REACH_ARC), out, LENGTH_TEXT, REACHED_COLOR);
        for ((_, hold), at) in ends.into_iter().zip([from, to]) {
            self.text(&hold.name, off(at), sideways, NAME_TEXT, FAILURE_COLOR);
        }
    }

    /// Rings a hold that does not carry the body, with its name and the amounts.
    fn unsupporting(&mut self, hold: Option<&Hold>, place: Vec3, amounts: &str, camera: &Camera) {
        let Some(hold) = hold else { return };
        let (at, inward) = (camera.project(hold.nearest_point(place)), inward(&[hold], camera));
        self.ring(at, HOLD_RING);
        self.text(&format!("{}: {amounts}", hold.name), at, inward, HOLD_TEXT, FAILURE_COLOR);
    }

    /// A line with a halo.
    fn line(&mut self, points: Vec<Point>, width: f32, color: Color) {
        self.shapes.push(Shape::Polyline {
            points: points.clone(),
            width: width + HALO_WIDTH,
            color: HALO.with_alpha(200),
        });
        self.shapes.push(Shape::Polyline { points, width, color });
    }

    fn ring(&mut self, at: Point, radius: f32) {
        let corner = |step: i32| {
            let (sin, cos) = sin_cos((10 * step) as f32 * std::f32::consts::PI / 180.0);
            moved(at, [cos, sin], radius)
        };
        self.line((0..=36).map(corner).collect(), RING_WIDTH, FAILURE_COLOR);
    }

    /// An arrowhead with this tip.
    fn arrow(&mut self, tip: Point, [x, y]: Point, color: Color) {
        let back = |sideways: f32| moved(moved(tip, [x, y], -ARROW[0]), [-y, x], sideways);
        self.shapes.push(Shape::Polygon {
            loops: vec![vec![tip, back(ARROW[1]), back(-ARROW[1])]],
            fill: color,
            outline: None,
        });
    }

    fn dashed(&mut self, [from, to]: [Point; 2]) {
        let displacement = [to[0] - from[0], to[1] - from[1]];
        let length = (displacement[0] * displacement[0] + displacement[1] * displacement[1]).sqrt();
        let Some(along) = unit(displacement) else { return };
        let dashes = ((length / DASH_PERIOD) as usize).min(MAX_DASHES);
        for dash in 0..dashes {
            let begin = moved(from, along, DASH_PERIOD * dash as f32);
            self.line(vec![begin, moved(begin, along, DASH)], LINE_WIDTH, FAILURE_COLOR);
        }
    }

    /// Places text beside a point at this distance, inside the picture and clear of other text.
    fn text(&mut self, text: &str, at: Point, side: Point, away: f32, color: Color) {
        let preferred = |half: [f32; 2]| moved(at, side, away + side[0].abs() * half[0] + side[1].abs() * half[1]);
        let label = Label::place(text, FONT_SIZE, preferred, self.size, &self.occupied);
        self.shapes.push(label.shape(color, HALO));
        self.occupied.push(label);
    }
}
