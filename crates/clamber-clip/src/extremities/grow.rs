//! The links of hands and feet.

use clamber_model::Character;
use clamber_model::character::{Capsule, ExtremityShape, Hinge, Link, Parts};
use clamber_model::id::{EffectorId, HingeId, LinkId};
use clamber_model::math::{Pose, Vec3};

/// A character with its hands and feet.
pub(crate) struct Grown {
    pub character: Character,
    /// The hands and feet, in the order of their links and hinges, which come after all others.
    pub members: Vec<Member>,
}

/// A hand or a foot of a grown character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// Index into [`Character::effectors`].
    pub effector: EffectorId,
    pub shape: ExtremityShape,
    /// The foot and its toes, or the palm and its fingers.
    pub links: [LinkId; 2],
    /// The hinges of these: ankle and toes, wrist and fingers.
    pub hinges: [HingeId; 2],
}

/// How far hinges turn, in degrees. Ankles and wrists turn farther than living ones do: the planner bends knees and elbows with
/// no thought of feet and hands, and those in the rock would look worse. Positive lifts the toes.
const ANKLE: [f32; 2] = [-95.0, 90.0];
const TOES: [f32; 2] = [-30.0, 65.0];
/// Positive bends the back of the hand to the forearm.
const WRIST: [f32; 2] = [-80.0, 150.0];
/// Negative closes the fingers.
const FINGERS: [f32; 2] = [-110.0, 40.0];

/// What hinges are at when nothing is asked of them, in degrees.
pub(crate) const ANKLE_REST: f32 = -12.0;
pub(crate) const TOES_REST: f32 = 6.0;
pub(crate) const WRIST_REST: f32 = 12.0;
pub(crate) const FINGERS_REST: f32 = -30.0;

/// How fast wrists, ankles and what they carry turn at most, in radians a second, and how fast that changes.
const SPEED: f32 = 12.0;
const ACCELERATION: f32 = 350.0;

/// The character with the links of its extremities; `None` where it has none.
pub(crate) fn grow(character: &Character) -> Option<Grown> {
    if character.extremities.is_empty() {
        return None;
    }
    let mut parts = Parts {
        name: character.name.clone(),
        root: character.root,
        root_limits: character.root_limits,
        links: character.links.clone(),
        hinges: character.hinges.clone(),
        capsules: character.capsules.clone(),
        limbs: character.limbs.clone(),
        effectors: character.effectors.clone(),
        extremities: Vec::new(),
    };
    let mut members = Vec::new();
    for extremity in &character.extremities {
        let effector = &character.effectors[extremity.effector];
        let Bones { second_joint, capsules, names, limits, rests } = bones(&extremity.shape, effector.radius);
        let mut parent = effector.link;
        let mut member = Member {
            effector: extremity.effector,
            shape: extremity.shape,
            links: [LinkId::ROOT; 2],
            hinges: [HingeId::new(0); 2],
        };
        for half in 0..2 {
            let (link, hinge) = (parts.links.next_key(), parts.hinges.next_key());
            let first_capsule = parts.capsules.len();
            parts.capsules.extend(capsules[half].iter().copied());
            parts.hinges.push(Hinge {
                name: format!("{}{}", effector.name, names[half].1),
                link,
                axis: Vec3::Z,
                min: limits[half][0].to_radians(),
                max: limits[half][1].to_radians(),
                rest: rests[half].to_radians(),
                speed: SPEED,
                acceleration: ACCELERATION,
            });
            parts.links.push(Link {
                name: format!("{}{}", effector.name, names[half].0),
                parent: Some(parent),
                parent_from_joint: Pose::from_translation(if half == 0 { effector.center } else { second_joint }),
                hinges: (hinge..parts.hinges.next_key()).into(),
                capsules: first_capsule..parts.capsules.len(),
                // The limb's last link weighs what the whole weighs.
                mass: 0.0,
                center_of_mass: Vec3::ZERO,
            });
            if let Some(limb) = effector.limb {
                parts.limbs[limb].links.push(link);
                parts.limbs[limb].hinges.push(hinge);
            }
            member.links[half] = link;
            member.hinges[half] = hinge;
            parent = link;
        }
        members.push(member);
    }
    // A character that was checked grows into one that passes; if it does not, it has no extremities to show.
    Character::new(parts).ok().map(|character| Grown { character, members })
}

/// What both links of an extremity are made of.
struct Bones {
    /// The second joint in the first link's frame.
    second_joint: Vec3,
    capsules: [Vec<Capsule>; 2],
    /// What is added to the effector's name: for the link, and for its hinge.
    names: [(&'static str, &'static str); 2],
    limits: [[f32; 2]; 2],
    rests: [f32; 2],
}

fn bones(shape: &ExtremityShape, radius: f32) -> Bones {
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    match *shape {
        ExtremityShape::Foot { heel, ball, toes, thickness } => {
            let thick = 0.5 * thickness;
            // All that is flush with the sole is so to the effector's sphere, which rests on the ground.
            let low = thick - radius;
            let back = (thick - heel).min(0.0);
            let thin = 0.75 * thick;
            let toe = (toes - thin).max(0.0);
            let sole = Capsule { a: at(back, low), b: at(ball, low), radius: thick };
            let instep = Capsule { a: at(0.0, 0.0), b: at(0.8 * ball, low), radius: thick };
            let toe = Capsule { a: at(0.0, thin - thick), b: at(toe, thin - thick), radius: thin };
            Bones {
                second_joint: at(ball, low),
                capsules: [vec![sole, instep], vec![toe]],
                names: [("", "_ankle"), ("_toes", "_toes")],
                limits: [ANKLE, TOES],
                rests: [ANKLE_REST, TOES_REST],
            }
        }
        ExtremityShape::Hand { palm, fingers, thickness } => {
            let thick = 0.5 * thickness;
            let thin = 0.65 * thick;
            let straight = |length: f32, radius: f32| Capsule { a: Vec3::ZERO, b: at(0.0, -length), radius };
            Bones {
                second_joint: at(0.0, -palm),
                capsules: [vec![straight(palm, thick)], vec![straight((fingers - thin).max(0.0), thin)]],
                names: [("", "_wrist"), ("_fingers", "_fingers")],
                limits: [WRIST, FINGERS],
                rests: [WRIST_REST, FINGERS_REST],
            }
        }
    }
}
