//! What all pictures of one motion share: the view, the frame, the world, the path of the centre of mass.

use clamber_model::character::{Capsule, Root};
use clamber_model::math::{Vec3, atan2};
use clamber_model::world::{HoldType, Part};
use clamber_model::{Motion, Problem, World};

use crate::camera::{Camera, Sight, View};
use crate::holds::hold_marks;
use crate::labels::{Seen, labels};
use crate::picture::{Color, Picture, Point, Shape};
use crate::relief::{Layer, Relief, Subject};
use crate::section::Section;
use crate::settings::DrawSettings;
use crate::shadow::{Ground, shadow};
use crate::track::{Extent, Track};

pub(crate) const BACKGROUND: Color = Color::rgb(0xfbf8f2);
const PATH: Color = Color::rgb(0xc8452f);
const START: Color = Color::rgb(0x3d9a50);

/// A world wider than this many bodies is shown around the motion alone, or the body would be too small to see.
const MOST_BODIES: f32 = 30.0;

/// A picture's height is at most this many times its width.
const TALLEST: f32 = 1.5;

/// Pixels of a picture, at most: memory stays bounded.
const MOST_PIXELS: f32 = 12e6;

/// Everything but the bodies.
pub(crate) struct Stage {
    pub camera: Camera,
    pub size: [u32; 2],
    /// The world, below the bodies.
    pub behind: Vec<Shape>,
    /// The path of the centre of mass with its beginning and its end.
    pub path: Vec<Shape>,
    /// What stands between the viewer and the bodies, and names.
    pub before: Vec<Shape>,
    /// The types of hold that are marked.
    pub marked: Vec<HoldType>,
    /// Where shadows fall; nowhere in a section.
    ground: Option<Ground>,
}

/// From where the motion is seen.
pub(crate) fn sight(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Sight {
    let default = || match problem.character.root {
        Root::Planar => View::RIGHT,
        Root::Free => {
            // Turned by quarters, so that walls look alike in all pictures, until the motion goes to the right.
            let ends = motion.frames.first().zip(motion.frames.last());
            let way = ends.map_or(Vec3::ZERO, |(first, last)| {
                last.configuration.root.translation - first.configuration.root.translation
            });
            let quarter = std::f32::consts::FRAC_PI_2;
            let quarters = (atan2(-way.z, way.x) / quarter).round();
            let quarters = if quarters.is_finite() { quarters } else { 0.0 };
            View { heading: View::OBLIQUE.heading + quarters * quarter, ..View::OBLIQUE }
        }
    };
    Sight::new(settings.view.unwrap_or_else(default))
}

/// What a picture shows: the world and all of the motion, or the motion alone where the world is too large.
pub(crate) fn whole(problem: &Problem, track: &Track, sight: &Sight) -> Extent {
    let world = worth_showing(problem, sight);
    if track.moments.is_empty() {
        return world;
    }
    let body = track.body_size().max(1e-3);
    let motion = track.extent();
    let around = motion.grown(0.1 * body);
    let all = world.joined(around);
    let [width, height] = all.size();
    let [motion_width, motion_height] = motion.size();
    let longest = motion_width.max(motion_height);
    if width.max(height) > (MOST_BODIES * body).max(2.0 * longest) {
        motion.grown(2.0 * body + 0.1 * longest)
    } else {
        all
    }
}

/// The obstacles as far as they are in the region, or the region where there are none.
fn worth_showing(problem: &Problem, sight: &Sight) -> Extent {
    let world = &problem.world;
    // In three dimensions, with the walls around the region: a room without walls is hard to read.
    let walls = if problem.character.root == Root::Free { 0.06 * (world.max - world.min).max_element() } else { 0.0 };
    let (min, max) = (world.min - Vec3::splat(walls), world.max + Vec3::splat(walls));
    let flat = if problem.character.root == Root::Planar { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE };
    let mut extent = Extent::EMPTY;
    let mut add = |low: Vec3, high: Vec3| {
        for corner in 0..8 {
            let pick = |k: usize| if corner >> k & 1 == 1 { high[k] } else { low[k] };
            extent.add(sight.see(Vec3::new(pick(0), pick(1), pick(2)) * flat), 0.0);
        }
    };
    let boxes = world.obstacles.iter().flat_map(|obstacle| &obstacle.parts).map(Part::aabb);
    let inside = boxes.map(|wall| (wall.mins.max(min), wall.maxs.min(max)));
    let inside: Vec<(Vec3, Vec3)> = inside.filter(|(low, high)| (*high - *low).min_element() >= 0.0).collect();
    inside.iter().for_each(|(low, high)| add(*low, *high));
    if inside.is_empty() {
        add(world.min, world.max);
    }
    extent
}

impl Stage {
    /// Sets the scene: what is within `extent`, on a picture of this width.
    pub fn new(
        problem: &Problem,
        track: &Track,
        sight: Sight,
        extent: Extent,
        width: u32,
        settings: &DrawSettings,
    ) -> Self {
        let (camera, size) = frame(sight, extent, width);
        Self::seen_by(problem, track, camera, size, settings)
    }

    /// Sets the scene: what this camera sees on a picture of this size.
    pub fn seen_by(problem: &Problem, track: &Track, camera: Camera, size: [u32; 2], settings: &DrawSettings) -> Self {
        let sight = camera.sight;
        let (behind, path, before, marked) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut stage = Self { camera, size, behind, path, before, marked, ground: None };
        let path: Vec<Vec3> = track.moments.iter().map(|moment| moment.center_of_mass).collect();
        let world = &problem.world;
        let names = if problem.character.root == Root::Planar && sight.is_from_side() {
            let limits = size.map(|pixels| pixels as f32);
            let sections: Vec<Section> =
                world.obstacles.iter().map(|obstacle| Section::new(obstacle, &camera, limits)).collect();
            stage.behind = sections.iter().flat_map(Section::shapes).collect();
            stage.mark_holds(world, settings, &|_| true);
            let at = |point: Point| sections.iter().position(|section| section.contains(point));
            if settings.labels { labels(world, size, &[&at]) } else { Vec::new() }
        } else {
            let subject = Subject { path: &path, body: track.body_size() };
            let relief = Relief::new(world, &camera, size, &subject);
            stage.behind = vec![Shape::Image(relief.backdrop(&camera, BACKGROUND))];
            stage.mark_holds(world, settings, &|point| is_seen(&relief, &camera, point));
            stage.before = vec![Shape::Image(relief.veil(&camera))];
            stage.ground = Some(Ground::new(&relief, size));
            let at = |[x, y]: Point, layer: &Layer| {
                let face = relief.face_at(layer, y as usize * size[0] as usize + x as usize)?;
                Some(face.obstacle as usize)
            };
            let layers: [&Seen; 2] = [&|point| at(point, &relief.shown), &|point| at(point, &relief.veil)];
            if settings.labels { labels(world, size, &layers) } else { Vec::new() }
        };
        stage.before.extend(names);
        stage.path = path_shapes(&path, &camera);
        stage
    }

    fn mark_holds(&mut self, world: &World, settings: &DrawSettings, is_seen: &dyn Fn(Vec3) -> bool) {
        let marks = if settings.holds { hold_marks(world, &self.camera, self.size, is_seen) } else { Vec::new() };
        let is_marked = |wanted: &HoldType| marks.iter().any(|(hold_type, _)| hold_type == wanted);
        self.marked = HoldType::ALL.into_iter().filter(is_marked).collect();
        if !marks.is_empty() {
            let shapes = marks.into_iter().map(|(_, mark)| mark).collect();
            self.behind.push(Shape::Group { name: "holds", shapes });
        }
    }

    /// The shadows of bodies, where there is ground for them.
    pub fn shadows(&self, bodies: &[Vec<Capsule>]) -> Option<Shape> {
        self.ground.as_ref().map(|ground| shadow(ground, &self.camera, bodies))
    }

    /// A picture of the stage's size with nothing on it.
    pub fn blank(&self) -> Picture {
        let [width, height] = self.size;
        Picture { title: String::new(), width, height, background: BACKGROUND, shapes: Vec::new() }
    }
}

/// Whether a point of a surface is on the picture with nothing shown before it.
fn is_seen(relief: &Relief, camera: &Camera, point: Vec3) -> bool {
    // A pixel of a surface seen at a slant spans some depth.
    let slack = 0.02 + 3.0 / camera.scale;
    let [x, y] = camera.project(point);
    let [columns, rows] = [relief.width / relief.fine, relief.height / relief.fine];
    let is_on_picture = x >= 0.0 && y >= 0.0 && x < columns as f32 && y < rows as f32;
    is_on_picture && {
        let sample = relief.sample(y as usize * columns + x as usize);
        point.dot(camera.sight.toward) > relief.shown.nearness[sample] - slack
    }
}

/// The camera that shows this extent on a picture of this width, and the picture's size.
pub(crate) fn frame(sight: Sight, extent: Extent, width: u32) -> (Camera, [u32; 2]) {
    let positive = |length: f32| if length.is_finite() { length.max(1e-3) } else { 1.0 };
    let [across, high] = extent.size().map(positive);
    let pixels = width as f32;
    let margin = 0.01 * pixels;
    let tallest = (TALLEST * pixels).min(MOST_PIXELS / pixels);
    let scale = ((pixels - 2.0 * margin) / across).min((tallest - 2.0 * margin) / high);
    let height = (high * scale + 2.0 * margin).ceil().clamp(0.1 * pixels, tallest) as u32;
    let half = [0.5 * pixels / scale, 0.5 * height as f32 / scale];
    let middle: [f32; 2] = std::array::from_fn(|k| {
        let middle = 0.5 * (extent.low[k] + extent.high[k]);
        if middle.is_finite() { middle } else { 0.0 }
    });
    (Camera { sight, corner: [middle[0] - half[0], middle[1] + half[1]], scale }, [width, height.max(1)])
}

fn path_shapes(path: &[Vec3], camera: &Camera) -> Vec<Shape> {
    let mut points: Vec<Point> = Vec::new();
    for point in path.iter().map(|point| camera.project(*point)) {
        // Steps smaller than can be seen only make files larger.
        if points.last().is_none_or(|last: &Point| (last[0] - point[0]).abs() + (last[1] - point[1]).abs() > 0.7) {
            points.push(point);
        }
    }
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Vec::new() };
    let dot = |at: Vec3, color: Color| {
        let points = vec![camera.project(at)];
        [
            Shape::Line { points: points.clone(), width: 8.0, color: BACKGROUND },
            Shape::Line { points, width: 6.0, color },
        ]
    };
    let mut shapes = Vec::new();
    if points.len() > 1 {
        shapes.push(Shape::Line { points, width: 1.6, color: PATH.with_alpha(220) });
    }
    shapes.extend(dot(*first, START));
    shapes.extend(dot(*last, PATH));
    shapes
}
