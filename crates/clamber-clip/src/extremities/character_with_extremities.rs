//! The links of hands and feet.

use clamber_model::Character;
use clamber_model::character::{Capsule, CharacterDescription, ExtremityShape, Hinge, Link};
use clamber_model::id::{EffectorId, HingeId, LinkId};
use clamber_model::math::{Pose, Vec3};

use super::tuning::{
    ANKLE, ANKLE_REST, FINGERS, FINGERS_REST, HINGE_ACCELERATION, HINGE_SPEED, TOES, TOES_REST, WRIST, WRIST_REST,
};
use crate::body_units::BodyScale;

/// A character with its hands and feet as links.
pub(crate) struct ExtendedCharacter {
    pub character: Character,
    /// In the order of their links and hinges, which come after all others.
    pub extremities: Vec<ExtremityLinks>,
}

/// A hand or a foot of an extended character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtremityLinks {
    /// Index into [`Character::effectors`].
    pub effector: EffectorId,
    pub shape: ExtremityShape,
    /// Foot and toes, or palm and fingers.
    pub links: [LinkId; 2],
    /// Ankle and toes, or wrist and fingers.
    pub hinges: [HingeId; 2],
}

/// Adds the links of a character's extremities; `None` if it has none.
pub(crate) fn extend_character(character: &Character) -> Option<ExtendedCharacter> {
    if character.extremities.is_empty() {
        return None;
    }
    // Hands and feet are only shown, so they may overlap.
    let mut parts = CharacterDescription { extremities: Vec::new(), self_collision: None, ..character.description() };
    let scale = BodyScale::of(character);
    let mut extremities = Vec::new();
    for extremity in &character.extremities {
        let effector = &character.effectors[extremity.effector];
        let mut added = ExtremityLinks {
            effector: extremity.effector,
            shape: extremity.shape,
            links: [LinkId::ROOT; 2],
            hinges: [HingeId::new(0); 2],
        };
        let mut parent = effector.link;
        for (half, segment) in segments(&extremity.shape, effector.radius).into_iter().enumerate() {
            let (link, hinge) = (parts.links.next_key(), parts.hinges.next_key());
            let joint = if half == 0 { effector.center } else { segment.joint };
            push_segment(&mut parts, segment, &effector.name, parent, joint, scale);
            if let Some(limb) = effector.limb {
                parts.limbs[limb].links.push(link);
                parts.limbs[limb].hinges.push(hinge);
            }
            added.links[half] = link;
            added.hinges[half] = hinge;
            parent = link;
        }
        extremities.push(added);
    }
    // A valid character stays valid when extended. If it did not, it would be shown without hands and feet.
    Character::new(parts).ok().map(|character| ExtendedCharacter { character, extremities })
}

/// Appends a link and its hinge.
fn push_segment(
    parts: &mut CharacterDescription,
    segment: Segment,
    effector: &str,
    parent: LinkId,
    joint: Vec3,
    scale: BodyScale,
) {
    let (link, hinge, first_capsule) = (parts.links.next_key(), parts.hinges.next_key(), parts.capsules.len());
    parts.capsules.extend(segment.capsules);
    parts.hinges.push(Hinge {
        name: format!("{effector}{}", segment.hinge_suffix),
        link,
        axis: Vec3::Z,
        min: segment.limits[0].to_radians(),
        max: segment.limits[1].to_radians(),
        rest: segment.rest.to_radians(),
        max_speed: HINGE_SPEED / scale.time,
        max_acceleration: HINGE_ACCELERATION / (scale.time * scale.time),
        strength: None,
    });
    parts.links.push(Link {
        name: format!("{effector}{}", segment.link_suffix),
        parent: Some(parent),
        parent_from_joint: Pose::from_translation(joint),
        hinges: (hinge..parts.hinges.next_key()).into(),
        capsules: first_capsule..parts.capsules.len(),
        // The limb's last link already includes this mass.
        mass: 0.0,
        center_of_mass: Vec3::ZERO,
    });
}

/// One link of an extremity.
struct Segment {
    /// The joint in the frame of the segment before; zero for the first.
    joint: Vec3,
    capsules: Vec<Capsule>,
    /// Appended to the effector's name for the link.
    link_suffix: &'static str,
    /// Appended to the effector's name for the hinge.
    hinge_suffix: &'static str,
    /// In degrees.
    limits: [f32; 2],
    /// In degrees.
    rest: f32,
}

/// Both links of an extremity whose effector has this radius.
fn segments(shape: &ExtremityShape, radius: f32) -> [Segment; 2] {
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    match *shape {
        ExtremityShape::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness } => {
            let thick = 0.5 * thickness;
            // The sole is flush with the effector's sphere, which rests on the ground.
            let low = thick - radius;
            let back = (thick - heel).min(0.0);
            let thin = 0.75 * thick;
            let toe = (toes - thin).max(0.0);
            let sole = Capsule { a: at(back, low), b: at(ball, low), radius: thick };
            let instep = Capsule { a: at(0.0, 0.0), b: at(0.8 * ball, low), radius: thick };
            let toe = Capsule { a: at(0.0, thin - thick), b: at(toe, thin - thick), radius: thin };
            [
                segment(Vec3::ZERO, vec![sole, instep], ["", "_ankle"], ANKLE, ANKLE_REST),
                segment(at(ball, low), vec![toe], ["_toes", "_toes"], TOES, TOES_REST),
            ]
        }
        ExtremityShape::Hand { palm_length: palm, finger_length: fingers, thickness } => {
            let thick = 0.5 * thickness;
            let thin = 0.65 * thick;
            let straight = |length: f32, radius: f32| vec![Capsule { a: Vec3::ZERO, b: at(0.0, -length), radius }];
            let fingers = straight((fingers - thin).max(0.0), thin);
            [
                segment(Vec3::ZERO, straight(palm, thick), ["", "_wrist"], WRIST, WRIST_REST),
                segment(at(0.0, -palm), fingers, ["_fingers", "_fingers"], FINGERS, FINGERS_REST),
            ]
        }
    }
}

fn segment(joint: Vec3, capsules: Vec<Capsule>, suffixes: [&'static str; 2], limits: [f32; 2], rest: f32) -> Segment {
    let [link_suffix, hinge_suffix] = suffixes;
    Segment { joint, capsules, link_suffix, hinge_suffix, limits, rest }
}
