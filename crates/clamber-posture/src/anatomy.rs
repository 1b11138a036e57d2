//! Lengths, joints and directions of a character by anatomical role.
//!
//! A mode table names the trunk, the head, the arms and the legs; heuristics and conditions ask for them here.

use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, forward, link_pose};
use clamber_model::math::{Pose, Rotation, Vec3, rotation_vector_from_rotation};
use clamber_model::mode_table::{BodyLandmark, BodyRoles};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, ModeTable};

/// Lengths and landmarks of a character, by the body parts that its mode table names.
pub struct Anatomy {
    /// The thesis' unit of length, in meters. Its figure's hands and feet can be 4.3 units apart (5.3.1). Formulas that
    /// raise a length to a power, or add a length to a plain number, measure lengths in this unit.
    pub(crate) thesis_unit: f32,
    /// The largest possible distance between a hand and a foot, in meters.
    pub max_hand_foot_distance: f32,
    /// Height from the soles to the top of the head in the rest posture, in meters.
    pub body_height: f32,
    /// The radius of the thickest capsule of the trunk, in meters.
    pub trunk_radius: f32,
    /// The arms, in the order of the mode table.
    pub arms: Vec<LimbGeometry>,
    /// The legs, in the order of the mode table.
    pub legs: Vec<LimbGeometry>,
    body: BodyRoles,
    parent_from_head_at_rest: Rotation,
}

/// A point fixed in a link.
#[derive(Clone, Copy)]
pub(crate) struct LinkPoint {
    pub link: LinkId,
    /// In the world.
    pub position: Vec3,
}

/// The joints and lengths of an arm or a leg.
pub struct LimbGeometry {
    /// Index into `Character::limbs`.
    pub(crate) limb: LimbId,
    /// The link at whose joint the limb starts.
    first_link: LinkId,
    /// The link that starts at the knee or elbow; `None` for a limb of one link.
    second_link: Option<LinkId>,
    tip_link: LinkId,
    /// The tip in the frame of `tip_link`.
    tip_in_link: Vec3,
    /// Distance from the first joint to the tip when stretched, in meters.
    pub(crate) length: f32,
    /// The hinges of the knee or elbow.
    pub(crate) bend_hinges: Vec<HingeId>,
}

impl LimbGeometry {
    fn new(character: &Character, limb: LimbId) -> Self {
        let links = &character.limbs[limb].links;
        let (first_link, tip_link) = (links[0], links[links.len() - 1]);
        let effectors = character.effectors.iter().filter(|effector| effector.link == tip_link);
        let capsules = &character.capsules[character.links[tip_link].capsules.clone()];
        let farthest = |best: Vec3, point: Vec3| if point.length() > best.length() { point } else { best };
        let mut tip_in_link = effectors.map(|effector| effector.center).fold(Vec3::ZERO, farthest);
        if tip_in_link == Vec3::ZERO {
            tip_in_link = capsules.iter().flat_map(|capsule| [capsule.a, capsule.b]).fold(Vec3::ZERO, farthest);
        }
        let joint_distance = |link: &LinkId| character.links[*link].parent_from_joint.translation.length();
        let length = links[1..].iter().map(joint_distance).sum::<f32>() + tip_in_link.length();
        let second_link = links.get(1).copied();
        let hinges = character.limbs[limb].hinges.iter().copied();
        let bend_hinges = hinges.filter(|&hinge| Some(character.hinges[hinge].link) == second_link).collect();
        Self { limb, first_link, second_link, tip_link, tip_in_link, length, bend_hinges }
    }

    /// The shoulder or hip, in the world.
    pub fn root_position(&self, frames: &LinkFrames) -> Vec3 {
        self.root_point(frames).position
    }

    pub(crate) fn root_point(&self, frames: &LinkFrames) -> LinkPoint {
        LinkPoint { link: self.first_link, position: frames.world_from_link[self.first_link].translation }
    }

    /// The elbow or knee.
    pub(crate) fn bend_point(&self, frames: &LinkFrames) -> Option<LinkPoint> {
        self.second_link.map(|link| LinkPoint { link, position: frames.world_from_link[link].translation })
    }

    /// The hand or foot, in the world.
    pub fn tip_position(&self, frames: &LinkFrames) -> Vec3 {
        self.tip_point(frames).position
    }

    pub(crate) fn tip_point(&self, frames: &LinkFrames) -> LinkPoint {
        LinkPoint { link: self.tip_link, position: frames.world_from_link[self.tip_link] * self.tip_in_link }
    }
}

impl Anatomy {
    /// Measures a character whose body parts are named by this table.
    pub fn new(character: &Character, table: &ModeTable) -> Self {
        let body = table.body_roles.clone();
        let limbs = |limbs: &[LimbId]| limbs.iter().map(|&limb| LimbGeometry::new(character, limb)).collect::<Vec<_>>();
        let (arms, legs) = (limbs(&body.arm_limbs), limbs(&body.leg_limbs));

        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let head_parent = character.links[body.head_link].parent.unwrap_or(body.head_link);
        let rotation = |link: LinkId| frames.world_from_link[link].rotation;
        let parent_from_head_at_rest = rotation(head_parent).inverse() * rotation(body.head_link);

        let longest = |limbs: &[LimbGeometry]| limbs.iter().map(|limb| limb.length).fold(0.0, f32::max);
        let mut shoulder_to_hip: f32 = 0.0;
        for arm in &arms {
            for leg in &legs {
                shoulder_to_hip =
                    shoulder_to_hip.max((arm.root_position(&frames) - leg.root_position(&frames)).length());
            }
        }
        let max_contact_span = longest(&arms) + shoulder_to_hip + longest(&legs);
        let trunk = &character.capsules[character.links[body.trunk_link].capsules.clone()];
        let trunk_radius = trunk.iter().map(|capsule| capsule.radius).fold(0.0, f32::max);
        Self {
            thesis_unit: max_contact_span / 4.3,
            max_hand_foot_distance: max_contact_span,
            body_height: height(character, &frames),
            trunk_radius,
            arms,
            legs,
            body,
            parent_from_head_at_rest,
        }
    }

    /// The joint of the head, in the world.
    pub fn neck_position(&self, frames: &LinkFrames) -> Vec3 {
        self.neck_point(frames).position
    }

    pub(crate) fn neck_point(&self, frames: &LinkFrames) -> LinkPoint {
        LinkPoint { link: self.body.head_link, position: frames.world_from_link[self.body.head_link].translation }
    }

    /// The mean of the hip joints, in the world; the trunk's joint for a character without legs.
    pub fn hip_position(&self, frames: &LinkFrames) -> Vec3 {
        if self.legs.is_empty() {
            return frames.world_from_link[self.body.trunk_link].translation;
        }
        self.legs.iter().map(|leg| leg.root_position(frames)).sum::<Vec3>() / self.legs.len() as f32
    }

    /// The position of a landmark that mode tables name, in the world.
    pub fn landmark_position(&self, mark: BodyLandmark, frames: &LinkFrames) -> Vec3 {
        match mark {
            BodyLandmark::Head => self.neck_position(frames),
            BodyLandmark::Hip => self.hip_position(frames),
        }
    }

    /// The horizontal unit vector that the character faces, also when it bends forward.
    pub fn heading_direction(&self, frames: &LinkFrames) -> Vec3 {
        trunk_heading(&frames.world_from_link[self.body.trunk_link])
    }

    /// The heading of a configuration whose frames are not computed.
    pub fn heading_of_configuration(&self, character: &Character, configuration: &Configuration) -> Vec3 {
        trunk_heading(&link_pose(character, configuration, self.body.trunk_link))
    }

    /// The horizontal unit vector to the character's right.
    pub fn right_direction(&self, frames: &LinkFrames) -> Vec3 {
        self.heading_direction(frames).cross(UP)
    }

    /// The head's link and its parent; `None` when the head is the root.
    pub(crate) fn head_and_parent(&self, character: &Character) -> Option<[LinkId; 2]> {
        Some([self.body.head_link, character.links[self.body.head_link].parent?])
    }

    /// The trunk's link.
    pub(crate) fn trunk(&self) -> LinkId {
        self.body.trunk_link
    }

    /// The head's rotation away from its rest orientation on its parent, as a rotation vector in the world (radians).
    pub(crate) fn head_rotation(&self, character: &Character, frames: &LinkFrames) -> Vec3 {
        let Some(parent) = character.links[self.body.head_link].parent else { return Vec3::ZERO };
        let at_rest = frames.world_from_link[parent].rotation * self.parent_from_head_at_rest;
        rotation_vector_from_rotation(frames.world_from_link[self.body.head_link].rotation * at_rest.inverse())
    }
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

/// The horizontal unit vector that a trunk faces.
fn trunk_heading(trunk: &Pose) -> Vec3 {
    UP.cross(trunk.rotation * Vec3::Z).try_normalize().unwrap_or(Vec3::X)
}
