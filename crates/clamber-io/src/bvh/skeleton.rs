//! The skeleton of a character in a BVH file: names, offsets, and the rotations between links and joints.

use clamber_model::Character;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::math::Vec3;
use clamber_model::math::double::Rotation;

use super::euler_angles::Axis;
use crate::unique_export_names::unique_names;

/// One joint per link, in the order of the links.
pub(super) struct Skeleton {
    pub joints: TiVec<LinkId, Joint>,
}

pub(super) struct Joint {
    /// The link's name without whitespace or braces.
    pub name: String,
    /// Offset from the parent's joint, along the world axes at zero hinge angles.
    pub offset: Vec3,
    /// Rotation of the link at zero hinge angles. The joint's rotation in the file is this, times the rotation of the
    /// hinges, times the inverse of this.
    pub rest_from_link: Rotation,
    /// The axes of the link's hinges.
    pub hinges: Vec<Axis>,
}

impl Skeleton {
    pub fn new(character: &Character) -> Self {
        let mut joints: TiVec<LinkId, Joint> = TiVec::with_capacity(character.links.len());
        for (link, name) in character.links.iter().zip(names(character)) {
            let (offset, rest_from_link) = match link.parent {
                // The root's position and rotation come from the motion alone.
                None => (Vec3::ZERO, Rotation::IDENTITY),
                Some(parent) => {
                    let rest_from_parent = joints[parent].rest_from_link;
                    let joint = &link.parent_from_joint;
                    let offset = rest_from_parent * joint.translation.as_dvec3();
                    (offset.as_vec3(), rest_from_parent * joint.rotation.as_dquat().normalize())
                }
            };
            let hinges = character.hinges[link.hinges.range()].iter();
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

/// Returns the names of the links without whitespace and braces.
fn names(character: &Character) -> Vec<String> {
    let ends_word = |letter: char| letter.is_whitespace() || letter.is_control() || "{}".contains(letter);
    unique_names(character.links.iter().map(|link| link.name.as_str()), ends_word)
}
