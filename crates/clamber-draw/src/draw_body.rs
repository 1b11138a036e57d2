//! Bodies: shaded capsules, with far limbs behind and darker, near limbs in front and lighter.

use clamber_model::Character;
use clamber_model::character::{Capsule, RootJoint, Side};
use clamber_model::id::LinkId;
use clamber_model::kinematics::{LinkFrames, capsule_in_world, forward};
use clamber_model::math::Vec3;

use crate::camera::Camera;
use crate::hold_marks::contact_dot;
use crate::mode_colors::BodyColors;
use crate::sampled_motion::Snapshot;
use crate::vector_picture::{Color, Point, Shape};

const DARK: Color = Color::from_hex(0x10243c);
const LIGHT: Color = Color::from_hex(0xffffff);

/// Shading of a round body as nested capsules: thickness and shift toward the light (both as shares of the radius),
/// tone and share of the tone.
const TONES: [(f32, f32, Color, f32); 4] =
    [(1.0, 0.0, DARK, 0.22), (0.86, 0.10, DARK, 0.0), (0.58, 0.22, LIGHT, 0.10), (0.30, 0.32, LIGHT, 0.20)];

/// Outline width as a share of the radius, and its limits in pixels.
const OUTLINE_SHARE: f32 = 0.16;
const OUTLINE_LIMITS: [f32; 2] = [0.3, 1.1];

/// Minimum radius of a capsule with inner tones, in pixels.
const MIN_TONED_RADIUS: f32 = 2.5;

/// Direction toward the light on the picture: up and slightly left.
const LIGHT_FROM: Point = [-0.45, -0.89];

/// Capsules with one common outline.
struct OutlinedCapsules {
    nearness: f32,
    color: Color,
    outline: Color,
    /// Axis ends and radius of each capsule, in pixels.
    capsules: Vec<(Point, Point, f32)>,
}

/// A character at one time.
pub(crate) struct Body<'a> {
    character: &'a Character,
    snapshot: &'a Snapshot<'a>,
    body_colors: BodyColors,
    workspace: LinkFrames,
}

impl<'a> Body<'a> {
    pub fn new(character: &'a Character, snapshot: &'a Snapshot, body_colors: BodyColors) -> Self {
        let mut workspace = LinkFrames::default();
        forward(character, &snapshot.configuration, &mut workspace);
        Self { character, snapshot, body_colors, workspace }
    }

    /// Returns its capsules in world coordinates.
    pub fn capsules(&self) -> Vec<Capsule> {
        (0..self.character.capsules.len()).map(|index| self.capsule(index)).collect()
    }

    fn capsule(&self, index: usize) -> Capsule {
        capsule_in_world(self.character, &self.workspace, index)
    }

    /// Returns the shapes of the body and its contact dots.
    pub fn shapes(&self, camera: &Camera) -> Vec<Shape> {
        let breadth = breadth(self.character);
        let mut groups: Vec<OutlinedCapsules> = Vec::new();
        // The limbs, and then the trunk.
        for limb in self.character.limbs.keys().map(Some).chain([None]) {
            let in_limb = |link: &LinkId| self.character.limb_of_link(*link) == limb;
            let links: Vec<LinkId> = self.character.links.keys().filter(in_limb).collect();
            let side = limb.map_or(Side::Middle, |limb| self.character.limbs[limb].side);
            // The trunk and planar limbs are drawn as one; a limb in space may be partly in front of the trunk and
            // partly behind it.
            let is_undivided = limb.is_none() || self.character.root_joint == RootJoint::Planar;
            let link_groups: Vec<&[LinkId]> = if is_undivided { vec![&links] } else { links.chunks(1).collect() };
            let color = self.color(&links, side, breadth, camera);
            for link_group in link_groups {
                let capsules: Vec<Capsule> = self.capsules_of(link_group).collect();
                let shift = self.shift(side, breadth).dot(camera.axes.toward);
                let nearness = middle(&capsules).dot(camera.axes.toward) + shift;
                let on_picture = |c: &Capsule| (camera.project(c.a), camera.project(c.b), c.radius * camera.scale);
                let capsules = capsules.iter().map(on_picture).collect();
                groups.push(OutlinedCapsules { nearness, color, outline: self.body_colors.outline, capsules });
            }
        }
        groups.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
        let mut shapes: Vec<Shape> = groups.iter().flat_map(shapes_of).collect();
        shapes
            .extend(self.snapshot.contact_points.iter().map(|point| contact_dot(camera.project(*point), camera.scale)));
        shapes
    }

    fn capsules_of(&self, links: &[LinkId]) -> impl Iterator<Item = Capsule> {
        links.iter().flat_map(|&link| self.character.links[link].capsules.clone()).map(|index| self.capsule(index))
    }

    /// Depth offset of a planar limb, which has no depth of its own.
    fn shift(&self, side: Side, breadth: f32) -> Vec3 {
        let to_right = self.snapshot.configuration.root.rotation * Vec3::Z;
        match (self.character.root_joint, side) {
            (RootJoint::Free, _) | (_, Side::Middle) => Vec3::ZERO,
            (RootJoint::Planar, Side::Right) => to_right * breadth,
            (RootJoint::Planar, Side::Left) => to_right * -breadth,
        }
    }

    /// Returns the color of a limb: lighter in front of the trunk, darker behind it. Offsets along the trunk do not
    /// count, or legs would look far because they are low.
    fn color(&self, links: &[LinkId], side: Side, breadth: f32, camera: &Camera) -> Color {
        let capsules: Vec<Capsule> = self.capsules_of(links).collect();
        let root = &self.snapshot.configuration.root;
        let offset = middle(&capsules) + self.shift(side, breadth) - root.translation;
        let along_trunk = root.rotation * Vec3::Y;
        let depth = (offset - along_trunk * offset.dot(along_trunk)).dot(camera.axes.toward) / breadth;
        let is_limb = links.iter().any(|link| self.character.limb_of_link(*link).is_some());
        let BodyColors { far, middle, near, .. } = self.body_colors;
        match depth {
            _ if !is_limb => middle,
            depth if depth < 0.0 => middle.mix(far, -depth),
            depth => middle.mix(near, depth),
        }
    }
}

fn middle(capsules: &[Capsule]) -> Vec3 {
    let sum: Vec3 = capsules.iter().map(|capsule| 0.5 * (capsule.a + capsule.b)).sum();
    sum / capsules.len().max(1) as f32
}

/// Typical distance of the limbs from the median plane, in meters: the diameter of the thickest capsule.
fn breadth(character: &Character) -> f32 {
    2.0 * character.capsules.iter().fold(1e-3, |thickest: f32, capsule| thickest.max(capsule.radius))
}

/// Returns the width of the outline of a capsule with this radius, in pixels.
fn outline_width(radius: f32) -> f32 {
    (OUTLINE_SHARE * radius).clamp(OUTLINE_LIMITS[0], OUTLINE_LIMITS[1])
}

fn shapes_of(group: &OutlinedCapsules) -> Vec<Shape> {
    let stadium = |&(a, b, _): &(Point, Point, f32), radius: f32, shift: f32, color: Color| {
        let moved = |[x, y]: Point| [x + LIGHT_FROM[0] * shift, y + LIGHT_FROM[1] * shift];
        // A capsule seen end-on is a disc.
        let has_length = (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 0.01;
        let points = if has_length { vec![moved(a), moved(b)] } else { vec![moved(a)] };
        Shape::Polyline { points, width: 2.0 * radius, color }
    };
    let mut shapes = Vec::new();
    for capsule in &group.capsules {
        // Half of the outline lies inside: the body does not look thicker than it is.
        let line = outline_width(capsule.2);
        shapes.push(stadium(capsule, capsule.2 + 0.5 * line, 0.0, group.outline));
    }
    for (thickness, shift, tone, share) in TONES {
        for capsule in &group.capsules {
            let radius = capsule.2;
            // Small bodies have no room for tones.
            if radius < MIN_TONED_RADIUS && thickness < 1.0 {
                continue;
            }
            let inner = (radius - 0.5 * outline_width(radius)) * thickness;
            shapes.push(stadium(capsule, inner, shift * radius, group.color.mix(tone, share)));
        }
    }
    shapes
}
