//! A character as BVH sees it: names, offsets, and how its links are turned against the file's joints.

use clamber_model::Character;
use clamber_model::math::Vec3;
use clamber_model::math::double::Rotation;

use super::turns::Axis;
use crate::names::plain_names;

/// One joint a link, in the order of the links.
pub(super) struct Skeleton {
    pub joints: Vec<Joint>,
}

pub(super) struct Joint {
    /// The link's name, as one word.
    pub name: String,
    /// From the parent's joint to this one, along the world's axes with all hinges at zero.
    pub offset: Vec3,
    /// How the link is turned with all hinges at zero. The hinges' rotation, seen in the file, is this times it times
    /// the inverse of this.
    pub rest_from_link: Rotation,
    /// The link's hinges.
    pub hinges: Vec<Axis>,
}

impl Skeleton {
    pub fn new(character: &Character) -> Self {
        let mut joints: Vec<Joint> = Vec::with_capacity(character.links.len());
        for (link, name) in character.links.iter().zip(names(character)) {
            let (offset, rest_from_link) = match link.parent {
                // The root's place and rotation are the motion's alone.
                None => (Vec3::ZERO, Rotation::IDENTITY),
                Some(parent) => {
                    let rest_from_parent = joints[parent].rest_from_link;
                    let joint = &link.parent_from_joint;
                    let offset = rest_from_parent * joint.translation.as_dvec3();
                    (offset.as_vec3(), rest_from_parent * joint.rotation.as_dquat().normalize())
                }
            };
            let hinges = character.hinges[link.hinges.clone()].iter();
            let hinges = hinges.map(|hinge| Axis {
                direction: hinge.axis.as_dvec3().normalize(),
                min: hinge.min.into(),
                max: hinge.max.into(),
            });
            let hinges = hinges.collect();
            joints.push(Joint { name, offset, rest_from_link, hinges });
        }
        Self { joints }
    }
}

/// The links' names without what would end a word in the file.
fn names(character: &Character) -> Vec<String> {
    let ends_word = |letter: char| letter.is_whitespace() || letter.is_control() || "{}".contains(letter);
    plain_names(character.links.iter().map(|link| link.name.as_str()), ends_word)
}
