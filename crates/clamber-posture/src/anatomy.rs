//! Lengths, joints and directions of a character.
//!
//! Heuristics and conditions of a mode table refer to limbs, links and landmarks; their geometry is here.

use clamber_model::character::Landmark;
use clamber_model::id::{HingeId, LimbId, LinkId, TiVec};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, forward, link_pose};
use clamber_model::math::{Pose, Rotation, Vec3, atan2, rotation_vector_from_rotation};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact, ModeTable};

/// Lengths and joints of a character.
pub struct Anatomy {
    /// The thesis' unit of length, in meters. Its figure spans 4.3 units (5.3.1). Formulas that raise a length to a power, or add
    /// a length to a plain number, measure lengths in this unit.
    pub(crate) thesis_unit: f32,
    /// The largest possible distance between the tips of the span's limbs (`ModeTable::span_limbs`), in meters.
    pub span: f32,
    /// Height of the body in the rest posture, in meters.
    pub body_height: f32,
    /// The radius of the thickest capsule of the trunk, in meters.
    pub trunk_radius: f32,
    /// The limbs of the character.
    pub limbs: TiVec<LimbId, LimbGeometry>,
    trunk_link: LinkId,
    /// The rotation of each link relative to its parent in the rest posture.
    parent_from_link_at_rest: TiVec<LinkId, Rotation>,
}

/// A point fixed in a link.
#[derive(Clone, Copy)]
pub(crate) struct LinkPoint {
    pub link: LinkId,
    /// In the world.
    pub position: Vec3,
}

/// The joints and lengths of a limb.
pub struct LimbGeometry {
    /// The link at whose joint the limb starts.
    first_link: LinkId,
    /// The link that starts at the second joint; `None` for a limb of one link.
    second_link: Option<LinkId>,
    tip_link: LinkId,
    /// The tip in the frame of `tip_link`.
    tip_in_link: Vec3,
    /// Distance from the first joint to the tip when stretched, in meters. A leg with a foot ends at its ankle.
    pub length: f32,
    /// The hinges of the second joint.
    pub(crate) bend_hinges: Vec<HingeId>,
    /// Where the limb points with every hinge in the middle of its range, in the frame of the link that it starts at.
    middle_in_parent: Vec3,
    /// The link that the limb starts at.
    parent: LinkId,
}

impl LimbGeometry {
    /// The distance from the first joint to the tip, as a share of the length.
    pub fn stretch(&self, frames: &LinkFrames) -> f32 {
        (self.tip_position(frames) - self.root_position(frames)).length() / self.length
    }

    fn new(character: &Character, limb: LimbId) -> Self {
        let links = &character.limbs[limb].links;
        let (first_link, tip_link) = (links[0], links[links.len() - 1]);
        let effectors = character.effectors.iter().filter(|effector| effector.link == tip_link);
        let capsules = &character.capsules[character.links[tip_link].capsules.clone()];
        let farthest = |best: Vec3, point: Vec3| if point.length() > best.length() { point } else { best };
        // A foot stands across its leg, which ends at the ankle.
        let has_sole = links.len() > 2 && effectors.clone().any(|effector| effector.ability.patch.is_some());
        let mut tip_in_link = effectors.map(|effector| effector.center).fold(Vec3::ZERO, farthest);
        if has_sole {
            tip_in_link = Vec3::ZERO;
        } else if tip_in_link == Vec3::ZERO {
            tip_in_link = capsules.iter().flat_map(|capsule| [capsule.a, capsule.b]).fold(Vec3::ZERO, farthest);
        }
        let joint_distance = |link: &LinkId| character.links[*link].parent_from_joint.translation.length();
        let length = links[1..].iter().map(joint_distance).sum::<f32>() + tip_in_link.length();
        let second_link = links.get(1).copied();
        let hinges = character.limbs[limb].hinges.iter().copied();
        let bend_hinges = hinges.filter(|&hinge| Some(character.hinges[hinge].link) == second_link).collect();
        let parent = character.links[first_link].parent.unwrap_or(first_link);
        let middle_in_parent = middle_direction(character, [parent, first_link, tip_link], tip_in_link);
        Self { first_link, second_link, tip_link, tip_in_link, length, bend_hinges, middle_in_parent, parent }
    }

    /// The first joint, in the world.
    pub fn root_position(&self, frames: &LinkFrames) -> Vec3 {
        self.root_point(frames).position
    }

    pub(crate) fn root_point(&self, frames: &LinkFrames) -> LinkPoint {
        LinkPoint { link: self.first_link, position: frames.world_from_link[self.first_link].translation }
    }

    /// The second joint.
    pub(crate) fn bend_point(&self, frames: &LinkFrames) -> Option<LinkPoint> {
        self.second_link.map(|link| LinkPoint { link, position: frames.world_from_link[link].translation })
    }

    /// The tip, in the world.
    pub fn tip_position(&self, frames: &LinkFrames) -> Vec3 {
        self.tip_point(frames).position
    }

    pub(crate) fn tip_point(&self, frames: &LinkFrames) -> LinkPoint {
        LinkPoint { link: self.tip_link, position: frames.world_from_link[self.tip_link] * self.tip_in_link }
    }

    /// Where the limb points with every hinge in the middle of its range, in the world.
    pub(crate) fn middle_direction(&self, frames: &LinkFrames) -> Vec3 {
        frames.world_from_link[self.parent].rotation * self.middle_in_parent
    }
}

fn middle_direction(character: &Character, [parent, first, tip]: [LinkId; 3], tip_in_link: Vec3) -> Vec3 {
    let mut configuration = Configuration::rest(character);
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle = 0.5 * (hinge.min + hinge.max);
    }
    let mut frames = LinkFrames::default();
    forward(character, &configuration, &mut frames);
    let pose = &frames.world_from_link;
    let extent = pose[tip] * tip_in_link - pose[first].translation;
    (pose[parent].rotation.inverse() * extent).normalize_or_zero()
}

impl Anatomy {
    /// Measures a character for a mode table.
    pub fn new(character: &Character, table: &ModeTable) -> Self {
        let limbs: TiVec<LimbId, LimbGeometry> =
            character.limbs.keys().map(|limb| LimbGeometry::new(character, limb)).collect();
        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let rotation = |link: LinkId| frames.world_from_link[link].rotation;
        let relative_rotation =
            |link: LinkId| rotation(character.links[link].parent.unwrap_or(link)).inverse() * rotation(link);
        let span = span(character, &limbs, &frames, &table.span_limbs);
        let trunk = &character.capsules[character.links[table.trunk_link].capsules.clone()];
        let trunk_radius = trunk.iter().map(|capsule| capsule.radius).fold(0.0, f32::max);
        Self {
            thesis_unit: span / 4.3,
            span,
            body_height: height(character, &frames),
            trunk_radius,
            limbs,
            trunk_link: table.trunk_link,
            parent_from_link_at_rest: character.links.keys().map(relative_rotation).collect(),
        }
    }

    /// The position of a landmark, in the world.
    pub fn landmark_position(&self, landmark: &Landmark, frames: &LinkFrames) -> Vec3 {
        match landmark {
            Landmark::Joint(link) => frames.world_from_link[*link].translation,
            Landmark::MeanOfFirstJoints(limbs) => {
                let joints = limbs.iter().map(|&limb| self.limbs[limb].root_position(frames));
                joints.sum::<Vec3>() / limbs.len() as f32
            }
        }
    }

    /// The joint of the trunk, in the world.
    pub fn trunk_position(&self, frames: &LinkFrames) -> Vec3 {
        frames.world_from_link[self.trunk_link].translation
    }

    /// The horizontal unit vector that the character faces, also when it bends forward.
    pub fn heading_direction(&self, frames: &LinkFrames) -> Vec3 {
        trunk_heading(&frames.world_from_link[self.trunk_link])
    }

    /// The heading of a configuration whose frames are not computed.
    pub fn heading_of_configuration(&self, character: &Character, configuration: &Configuration) -> Vec3 {
        trunk_heading(&link_pose(character, configuration, self.trunk_link))
    }

    /// Of these limbs, the one in contact that is stretched the most.
    pub fn most_stretched(
        &self,
        character: &Character,
        limbs: &[LimbId],
        stance: &[Contact],
        frames: &LinkFrames,
    ) -> Option<LimbId> {
        let holds =
            |limb: &&LimbId| stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(**limb));
        let stretch = |limb: &LimbId| self.limbs[*limb].stretch(frames);
        limbs.iter().filter(holds).max_by(|a, b| stretch(a).total_cmp(&stretch(b))).copied()
    }

    /// The horizontal unit vector to the character's right.
    pub fn right_direction(&self, frames: &LinkFrames) -> Vec3 {
        self.heading_direction(frames).cross(UP)
    }

    /// The trunk's link.
    pub(crate) fn trunk(&self) -> LinkId {
        self.trunk_link
    }

    /// A link's rotation away from its rest orientation on its parent, as a rotation vector in the world (radians).
    pub(crate) fn rotation_from_rest(&self, link: LinkId, parent: LinkId, frames: &LinkFrames) -> Vec3 {
        let at_rest = frames.world_from_link[parent].rotation * self.parent_from_link_at_rest[link];
        rotation_vector_from_rotation(frames.world_from_link[link].rotation * at_rest.inverse())
    }
}

/// The greatest possible distance between a tip of one and a tip of the other set of limbs. Limbs that the table does not
/// name cannot be stretched, so a body without them spans twice its size.
fn span(
    character: &Character,
    limbs: &TiVec<LimbId, LimbGeometry>,
    frames: &LinkFrames,
    [one, other]: &[Vec<LimbId>; 2],
) -> f32 {
    let longest = |set: &[LimbId]| set.iter().map(|&limb| limbs[limb].length).fold(0.0, f32::max);
    let mut between_roots: f32 = 0.0;
    for &a in one {
        for &b in other {
            let offset = limbs[a].root_position(frames) - limbs[b].root_position(frames);
            between_roots = between_roots.max(offset.length());
        }
    }
    let span = longest(one) + between_roots + longest(other);
    if span > 0.0 { span } else { 2.0 * character.body_size() }
}

/// The vertical extent of all capsules.
fn height(character: &Character, frames: &LinkFrames) -> f32 {
    let mut low = f32::INFINITY;
    let mut high = f32::NEG_INFINITY;
    for index in 0..character.capsules.len() {
        let capsule = capsule_in_world(character, frames, index);
        for end in [capsule.a, capsule.b] {
            low = low.min(UP.dot(end) - capsule.radius);
            high = high.max(UP.dot(end) + capsule.radius);
        }
    }
    high - low
}

/// The angle by which one horizontal direction is turned to the left from another, in radians.
pub fn turn_between(from: Vec3, to: Vec3) -> f32 {
    atan2(UP.dot(from.cross(to)), from.dot(to))
}

/// The horizontal unit vector that a trunk faces.
fn trunk_heading(trunk: &Pose) -> Vec3 {
    UP.cross(trunk.rotation * Vec3::Z).try_normalize().unwrap_or(Vec3::X)
}
