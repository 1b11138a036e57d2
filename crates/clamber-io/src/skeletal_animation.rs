//! A motion as animation formats store it: the rotation of each joint relative to its parent, the translation of the
//! root joint, and timed labels for contacts and modes.
//!
//! Motions that the formats cannot represent are rejected first, so that the writers need no checks.

use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Rotation, Vec3, double};
use clamber_model::{Character, Configuration, Motion, World};

use crate::export_error::{ExportError, check_motion};

/// The tracks of a motion, one per joint.
pub(crate) struct SkeletalAnimation<'a> {
    /// Key times in seconds from the first frame, strictly increasing.
    pub times: Vec<f32>,
    /// Translation of the root joint at each key.
    pub root_translations: Vec<Vec3>,
    /// For each link, its rotation relative to its parent at each key. Consecutive quaternions lie in one hemisphere,
    /// so that programs may interpolate componentwise.
    pub rotations: TiVec<LinkId, Vec<Rotation>>,
    /// Contacts in the order of the motion.
    pub contacts: Vec<ContactLabel<'a>>,
    /// Modes in order.
    pub modes: Vec<ModeLabel<'a>>,
}

/// An effector on a hold between two times, in seconds.
pub(crate) struct ContactLabel<'a> {
    pub effector: &'a str,
    pub hold: &'a str,
    pub point: Vec3,
    pub normal: Vec3,
    pub first: f32,
    pub last: f32,
}

/// A mode between two times, in seconds.
pub(crate) struct ModeLabel<'a> {
    pub mode: &'a str,
    pub first: f32,
    pub last: f32,
}

impl<'a> SkeletalAnimation<'a> {
    pub fn new(character: &'a Character, world: &'a World, motion: &'a Motion) -> Result<Self, ExportError> {
        check_motion(character, motion)?;
        let start_time = motion.frames[0].time;
        let time = |frame: usize| motion.frames.get(frame).map(|frame| frame.time - start_time);
        let mut animation = Self {
            times: Vec::with_capacity(motion.frames.len()),
            root_translations: Vec::with_capacity(motion.frames.len()),
            rotations: vec![Vec::with_capacity(motion.frames.len()); character.links.len()].into(),
            contacts: Vec::with_capacity(motion.contacts.len()),
            modes: Vec::with_capacity(motion.mode_spans.len()),
        };
        for frame in &motion.frames {
            let time = frame.time - start_time;
            // No format has two keys at one time: keep the first.
            if animation.times.last().is_some_and(|last| time <= *last) {
                continue;
            }
            animation.times.push(time);
            animation.root_translations.push(frame.configuration.root.translation);
            for (link, rotations) in animation.rotations.iter_mut_enumerated() {
                let rotation = local_rotation(character, link, &frame.configuration);
                rotations.push(if rotations.last().is_some_and(|last| last.dot(rotation) < 0.0) {
                    -rotation
                } else {
                    rotation
                });
            }
        }
        for (index, span) in motion.contacts.iter().enumerate() {
            let contact = span.contact;
            let label = || {
                Some(ContactLabel {
                    effector: &character.effectors.get(contact.effector)?.name,
                    hold: &world.holds.get(contact.hold)?.name,
                    point: contact.point,
                    normal: contact.normal,
                    first: time(span.first_frame)?,
                    last: time(span.last_frame)?,
                })
            };
            animation.contacts.push(label().ok_or(ExportError::DanglingReference { referrer: "contact", index })?);
        }
        for (index, span) in motion.mode_spans.iter().enumerate() {
            let label =
                || Some(ModeLabel { mode: &span.mode, first: time(span.first_frame)?, last: time(span.last_frame)? });
            animation.modes.push(label().ok_or(ExportError::DanglingReference { referrer: "span", index })?);
        }
        Ok(animation)
    }
}

/// Returns the rotation of a link relative to its parent, or to the world for the root.
fn local_rotation(character: &Character, link: LinkId, configuration: &Configuration) -> Rotation {
    let link = &character.links[link];
    let joint = match link.parent {
        None => configuration.root.rotation,
        Some(_) => link.parent_from_joint.rotation,
    };
    let hinges = character.hinges[link.hinges.range()].iter().zip(&configuration.angles[link.hinges.range()]);
    let rotation = hinges.fold(joint.as_dquat(), |rotation, (hinge, angle)| {
        rotation * double::rotation_about(hinge.axis.as_dvec3(), f64::from(*angle))
    });
    rotation.normalize().as_quat()
}

/// Returns the bind pose of each link: the root at the origin, all hinges at zero.
pub(crate) fn bind_poses(character: &Character) -> TiVec<LinkId, Pose> {
    let mut workspace = LinkFrames::default();
    let configuration = Configuration { root: Pose::IDENTITY, angles: vec![0.0; character.hinges.len()].into() };
    forward(character, &configuration, &mut workspace);
    workspace.world_from_link
}
