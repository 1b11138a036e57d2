//! A skinned body made of a character's capsules, so that the picture shows the planner's collision shapes.
//!
//! Each vertex is bound to one link. Capsules end in spheres at the joints, so a bent elbow is round and nothing
//! stretches.

use clamber_model::Character;
use clamber_model::character::{Capsule, RootJoint, Side};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::math::{Vec3, sin_cos};

use crate::skeletal_animation::bind_poses;

/// Number of vertices around a capsule.
const SEGMENTS: u32 = 24;

/// Rows of vertices from the pole of a capsule to its cylinder.
const CAP_ROWS: u32 = 6;

/// A region of the body with its own material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyRegion {
    Trunk,
    Left,
    Right,
    /// The link that carries the eyes.
    Gaze,
    Visor,
}

impl BodyRegion {
    pub const ALL: [Self; 5] = [Self::Trunk, Self::Left, Self::Right, Self::Gaze, Self::Visor];

    pub fn name(self) -> &'static str {
        match self {
            Self::Trunk => "trunk",
            Self::Left => "left side",
            Self::Right => "right side",
            Self::Gaze => "head",
            Self::Visor => "visor",
        }
    }

    /// Linear RGB from 0 to 1.
    pub fn color(self) -> [f32; 3] {
        match self {
            Self::Trunk => [0.62, 0.56, 0.47],
            Self::Left => [0.03, 0.22, 0.42],
            Self::Right => [0.85, 0.24, 0.03],
            Self::Gaze => [0.78, 0.66, 0.52],
            Self::Visor => [0.02, 0.025, 0.035],
        }
    }
}

/// The mesh of all parts with one material, in the pose of [`bind_poses`].
pub(crate) struct RegionMesh {
    pub region: BodyRegion,
    pub points: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// The link that each point is bound to.
    pub links: Vec<LinkId>,
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Returns the body of a character, one mesh per material.
pub(crate) fn mannequin(character: &Character) -> Vec<RegionMesh> {
    let bind_poses = bind_poses(character);
    let mut meshes: Vec<RegionMesh> = BodyRegion::ALL.map(RegionMesh::new).into();
    for (link, pose) in bind_poses.iter_enumerated() {
        let side = side_of(character, link);
        let has_eyes = character.roles.gaze_link == Some(link);
        let region = match side {
            Some((_, Side::Left)) => BodyRegion::Left,
            Some((_, Side::Right)) => BodyRegion::Right,
            _ if has_eyes => BodyRegion::Gaze,
            _ => BodyRegion::Trunk,
        };
        let capsules = &character.capsules[character.links[link].capsules.clone()];
        let mut parts: Vec<(BodyRegion, Capsule)> = capsules.iter().map(|capsule| (region, *capsule)).collect();
        if has_eyes {
            parts.extend(visor(capsules).map(|visor| (BodyRegion::Visor, visor)));
        }
        let shift = Vec3::Z * side.map_or(0.0, |(limb, _)| sideways(character, limb));
        for (region, capsule) in parts {
            let placed = |end: Vec3| *pose * end + shift;
            let capsule = Capsule { a: placed(capsule.a), b: placed(capsule.b), ..capsule };
            mesh_of(&mut meshes, region).add(link, capsule);
        }
    }
    for (limb, first) in character.limbs.iter_enumerated().map(|(index, limb)| (index, limb.links[0])) {
        // Girdles connect the trunk with limbs that were moved sideways.
        let shift = sideways(character, limb);
        if let Some(parent) = character.links[first].parent.filter(|_| shift != 0.0) {
            let joint = bind_poses[first].translation;
            // Thinner than the limb, so that the limb's end hides it.
            let radius = 0.9 * thickest(character, first);
            let girdle = Capsule { a: joint, b: joint + Vec3::Z * shift, radius };
            mesh_of(&mut meshes, BodyRegion::Trunk).add(parent, girdle);
        }
    }
    meshes.retain(|mesh| !mesh.points.is_empty());
    meshes
}

fn mesh_of(meshes: &mut [RegionMesh], region: BodyRegion) -> &mut RegionMesh {
    meshes.iter_mut().find(|mesh| mesh.region == region).expect("there is a mesh for every region")
}

/// Returns the limb that a link or one of its ancestors belongs to, and its side.
fn side_of(character: &Character, link: LinkId) -> Option<(LimbId, Side)> {
    let supporting_groups = std::iter::successors(Some(link), |link| character.links[*link].parent);
    let limb = supporting_groups.filter_map(|link| character.limb_of_link(link)).next()?;
    Some((limb, character.limbs[limb].side))
}

/// Returns how far a limb is moved along z. Both limbs of a pair of a planar character would otherwise coincide. Its hinges turn
/// about z, so joints and contacts change only in z.
fn sideways(character: &Character, limb: LimbId) -> f32 {
    let sign = match (character.root_joint, character.limbs[limb].side) {
        (RootJoint::Free, _) | (_, Side::Middle) => return 0.0,
        (RootJoint::Planar, Side::Left) => -1.0,
        (RootJoint::Planar, Side::Right) => 1.0,
    };
    let first = character.limbs[limb].links[0];
    let own = thickest(character, first);
    let Some(parent) = character.links[first].parent else { return 0.0 };
    // Limbs beside the trunk must clear it, limbs below it each other.
    let at = character.links[first].parent_from_joint;
    let capsules = &character.capsules[character.links[first].capsules.clone()];
    let middles = capsules.iter().map(|capsule| at * (0.5 * (capsule.a + capsule.b)));
    let beside = middles.flat_map(|middle| {
        character.capsules[character.links[parent].capsules.clone()].iter().map(move |trunk| {
            let (apart, clear) = (distance(trunk, middle), trunk.radius + own);
            if apart < clear { (clear * clear - apart * apart).sqrt() } else { 0.0 }
        })
    });
    sign * beside.fold(1.2 * own, f32::max)
}

/// Returns the distance from a capsule's axis to a point.
fn distance(capsule: &Capsule, point: Vec3) -> f32 {
    let (along, to) = (capsule.b - capsule.a, point - capsule.a);
    let share = if along.length_squared() > 0.0 { to.dot(along) / along.length_squared() } else { 0.0 };
    (to - along * share.clamp(0.0, 1.0)).length()
}

fn thickest(character: &Character, link: LinkId) -> f32 {
    let capsules = &character.capsules[character.links[link].capsules.clone()];
    capsules.iter().fold(0.0, |thickest, capsule| thickest.max(capsule.radius))
}

/// Returns a band over the eyes that shows the gaze direction, +x.
fn visor(capsules: &[Capsule]) -> Option<Capsule> {
    let skull = capsules.iter().max_by(|a, b| a.radius.total_cmp(&b.radius))?;
    let eyes = skull.a.lerp(skull.b, 0.5) + Vec3::X * (0.62 * skull.radius);
    let half = Vec3::Z * (0.42 * skull.radius);
    Some(Capsule { a: eyes - half, b: eyes + half, radius: 0.45 * skull.radius })
}

impl RegionMesh {
    fn new(region: BodyRegion) -> Self {
        Self { region, points: Vec::new(), normals: Vec::new(), links: Vec::new(), triangles: Vec::new() }
    }

    /// Adds a capsule that is bound to a link.
    fn add(&mut self, link: LinkId, capsule: Capsule) {
        let along = capsule.b - capsule.a;
        let axis = if along.length() > 1e-6 { along.normalize() } else { Vec3::Y };
        let across = axis.any_orthonormal_vector();
        let third = axis.cross(across);
        let begin = self.points.len() as u32;
        let mut put = |center: Vec3, normal: Vec3| {
            let normal = normal.normalize();
            self.points.push(center + normal * capsule.radius);
            self.normals.push(normal);
            self.links.push(link);
        };
        put(capsule.b, axis);
        // From the pole at `b` to the pole at `a`; in the middle there is one row around each end.
        let rows =
            (1..=CAP_ROWS).map(|row| (capsule.b, row)).chain((CAP_ROWS..2 * CAP_ROWS).map(|row| (capsule.a, row)));
        let count = rows.clone().count() as u32;
        for (center, row) in rows {
            let (sin, cos) = sin_cos(std::f32::consts::FRAC_PI_2 * row as f32 / CAP_ROWS as f32);
            for corner in 0..SEGMENTS {
                let (east, north) = sin_cos(std::f32::consts::TAU * corner as f32 / SEGMENTS as f32);
                put(center, axis * cos + (across * north + third * east) * sin);
            }
        }
        put(capsule.a, -axis);

        let at = |row: u32, corner: u32| begin + 1 + row * SEGMENTS + corner % SEGMENTS;
        let end = at(count - 1, SEGMENTS - 1) + 1;
        for corner in 0..SEGMENTS {
            self.triangles.push([begin, at(0, corner), at(0, corner + 1)]);
            for row in 0..count - 1 {
                self.triangles.push([at(row, corner), at(row + 1, corner), at(row + 1, corner + 1)]);
                self.triangles.push([at(row, corner), at(row + 1, corner + 1), at(row, corner + 1)]);
            }
            self.triangles.push([end, at(count - 1, corner + 1), at(count - 1, corner)]);
        }
    }
}
