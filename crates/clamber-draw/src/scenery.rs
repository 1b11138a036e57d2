//! Everything in a picture except the bodies: the world, the path of the center of mass, labels.

use clamber_model::character::{Capsule, RootJoint};
use clamber_model::math::Vec3;
use clamber_model::world::HoldType;
use clamber_model::{Problem, World};

use crate::camera::{Camera, ViewAxes};
use crate::camera_framing::camera_for_extent;
use crate::cross_section::CrossSection;
use crate::cutaway::{CutawayView, Subject, SurfaceBuffer};
use crate::hold_marks::hold_marks;
use crate::obstacle_labels::{ObstacleAt, labels};
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;
use crate::shadow::{Ground, shadow};
use crate::vector_picture::{Color, Picture, Point, Shape};
use crate::view_rectangle::Extent;

pub(crate) const BACKGROUND: Color = Color::from_hex(0xfbf8f2);
const PATH_COLOR: Color = Color::from_hex(0xc8452f);
const START_COLOR: Color = Color::from_hex(0x3d9a50);

/// Width of the path, and diameters of its end dots without and with their halo, in pixels.
const PATH_WIDTH: f32 = 1.6;
const DOT_DIAMETER: f32 = 6.0;
const DOT_HALO_DIAMETER: f32 = 8.0;

/// Minimum distance between points of the path, in pixels; smaller steps are invisible and make files larger.
const MIN_PATH_STEP: f32 = 0.7;

/// A point is visible if it is at most this far behind the visible surface: in meters, plus in pixels, because a pixel of
/// an inclined surface spans some depth.
const DEPTH_TOLERANCE: f32 = 0.02;
const DEPTH_TOLERANCE_PIXELS: f32 = 3.0;

/// The shapes below and above the bodies.
pub(crate) struct SceneLayers {
    pub camera: Camera,
    pub size: [u32; 2],
    /// The world, below the bodies.
    pub behind: Vec<Shape>,
    /// The path of the center of mass, with its start and end.
    pub path: Vec<Shape>,
    /// Surfaces between the viewer and the bodies, and labels.
    pub in_front: Vec<Shape>,
    /// The marked hold types.
    pub hold_types: Vec<HoldType>,
    /// Where shadows fall; `None` in a cross section.
    ground: Option<Ground>,
}

impl SceneLayers {
    /// Composes the layers that show `extent` on a picture of this width.
    pub fn new(
        problem: &Problem,
        sampled: &SampledMotion,
        axes: ViewAxes,
        extent: Extent,
        width: u32,
        settings: &DrawSettings,
    ) -> Self {
        let (camera, size) = camera_for_extent(axes, extent, width);
        Self::from_camera(problem, sampled, camera, size, settings)
    }

    /// Composes the layers that this camera sees on a picture of this size.
    pub fn from_camera(
        problem: &Problem,
        sampled: &SampledMotion,
        camera: Camera,
        size: [u32; 2],
        settings: &DrawSettings,
    ) -> Self {
        let axes = camera.axes;
        let (behind, path, in_front, hold_types) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut layers = Self { camera, size, behind, path, in_front, hold_types, ground: None };
        let path: Vec<Vec3> = sampled.samples.iter().map(|sample| sample.center_of_mass).collect();
        let world = &problem.world;
        let names = if problem.character.root_joint == RootJoint::Planar && axes.is_from_side() {
            let limits = size.map(|pixels| pixels as f32);
            let sections: Vec<CrossSection> =
                world.obstacles.iter().map(|obstacle| CrossSection::new(obstacle, &camera, limits)).collect();
            layers.behind = sections.iter().flat_map(CrossSection::shapes).collect();
            layers.mark_holds(world, settings, &|_| true);
            let at = |point: Point| sections.iter().position(|section| section.contains(point));
            if settings.show_obstacle_names { labels(world, &camera, size, &[&at]) } else { Vec::new() }
        } else {
            let subject = Subject { path: &path, body_size: sampled.body_size() };
            let cutaway = CutawayView::new(world, &camera, size, &subject);
            layers.behind = vec![Shape::Image(cutaway.backdrop(&camera, BACKGROUND))];
            layers.mark_holds(world, settings, &|point| is_seen(&cutaway, &camera, point));
            layers.in_front = vec![Shape::Image(cutaway.ghost(&camera))];
            layers.ground = Some(Ground::new(&cutaway, size));
            let at = |point: Point, layer: &SurfaceBuffer| {
                let face = cutaway.face_at(layer, cutaway.pixel_at(point)?)?;
                Some(face.obstacle as usize)
            };
            let layers: [&ObstacleAt; 2] = [&|point| at(point, &cutaway.shown), &|point| at(point, &cutaway.ghost)];
            if settings.show_obstacle_names { labels(world, &camera, size, &layers) } else { Vec::new() }
        };
        layers.in_front.extend(names);
        layers.path = path_shapes(&path, &camera);
        layers
    }

    fn mark_holds(&mut self, world: &World, settings: &DrawSettings, is_seen: &dyn Fn(Vec3) -> bool) {
        let marks = if settings.show_holds { hold_marks(world, &self.camera, self.size, is_seen) } else { Vec::new() };
        let is_marked = |wanted: &HoldType| marks.iter().any(|(hold_type, _)| hold_type == wanted);
        self.hold_types = HoldType::ALL.into_iter().filter(is_marked).collect();
        if !marks.is_empty() {
            let shapes = marks.into_iter().map(|(_, mark)| mark).collect();
            self.behind.push(Shape::Group { name: "holds", shapes });
        }
    }

    /// Returns the shadows of bodies, if there is ground for them.
    pub fn shadows(&self, bodies: &[Vec<Capsule>]) -> Option<Shape> {
        self.ground.as_ref().map(|ground| shadow(ground, &self.camera, bodies))
    }

    /// Returns an empty picture of this size.
    pub fn blank(&self) -> Picture {
        let [width, height] = self.size;
        Picture { title: String::new(), width, height, background: BACKGROUND, shapes: Vec::new() }
    }
}

/// Whether a surface point is on the picture and not hidden.
fn is_seen(cutaway: &CutawayView, camera: &Camera, point: Vec3) -> bool {
    let tolerance = DEPTH_TOLERANCE + DEPTH_TOLERANCE_PIXELS / camera.scale;
    cutaway.pixel_at(camera.project(point)).is_some_and(|pixel| {
        let nearness = cutaway.shown.nearness[cutaway.first_subsample(pixel)];
        point.dot(camera.axes.toward) > nearness - tolerance
    })
}

fn path_shapes(path: &[Vec3], camera: &Camera) -> Vec<Shape> {
    let mut points: Vec<Point> = Vec::new();
    for point in path.iter().map(|point| camera.project(*point)) {
        if points
            .last()
            .is_none_or(|last: &Point| (last[0] - point[0]).abs() + (last[1] - point[1]).abs() > MIN_PATH_STEP)
        {
            points.push(point);
        }
    }
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Vec::new() };
    let dot = |at: Vec3, color: Color| {
        let points = vec![camera.project(at)];
        [
            Shape::Polyline { points: points.clone(), width: DOT_HALO_DIAMETER, color: BACKGROUND },
            Shape::Polyline { points, width: DOT_DIAMETER, color },
        ]
    };
    let mut shapes = Vec::new();
    if points.len() > 1 {
        shapes.push(Shape::Polyline { points, width: PATH_WIDTH, color: PATH_COLOR.with_alpha(220) });
    }
    shapes.extend(dot(*first, START_COLOR));
    shapes.extend(dot(*last, PATH_COLOR));
    shapes
}
