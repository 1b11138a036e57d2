//! A motion as programs that animate keep it: for each joint how it is turned against its parent, for the first where it
//! is, and marks of what is held on to and how it moves.
//!
//! What a format cannot hold is refused here, so that the writers need not look.

use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::{Pose, Rotation, Vec3, double};
use clamber_model::{Character, Configuration, Motion, World};
use miette::Diagnostic;

/// Why a motion cannot be written for other programs.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Diagnostic)]
pub enum ExportError {
    /// There is nothing to write.
    #[error("the motion has no frames")]
    #[diagnostic(help("plan it first; `--partial` writes what was found when the goal was not reached"))]
    Empty,
    /// It is another character's.
    #[error("the motion is of `{motion}`, and the character is `{character}`")]
    #[diagnostic(help("give the scene that the motion was planned for"))]
    OtherCharacter {
        /// Whose motion it is.
        motion: String,
        /// Who was given.
        character: String,
    },
    /// A frame is not one of the character's.
    #[error("frame {frame} has {angles} angles, and the character {hinges} hinges")]
    #[diagnostic(help("the character has changed since; plan the motion again"))]
    Angles {
        /// The frame, counted from 0.
        frame: usize,
        /// How many angles it has.
        angles: usize,
        /// How many it should have.
        hinges: usize,
    },
    /// A frame is nowhere.
    #[error("frame {frame} is not at a finite place, turned by a quaternion of length 1 and finite angles")]
    #[diagnostic(help("plan the motion again; `clamber check` names what else is wrong with it"))]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// Time goes back.
    #[error("frame {frame} is earlier than the one before")]
    #[diagnostic(help("frames are in the order of their times"))]
    Time {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// A contact or a span names what is not there.
    #[error("{what} {index} names a frame, an effector or a hold that is not there")]
    #[diagnostic(help("give the scene that the motion was planned for"))]
    Mark {
        /// Contact or span.
        what: &'static str,
        /// Which one, counted from 0.
        index: usize,
    },
    /// The format counts its bytes in 32 bits.
    #[error("the file would have more than 4 GiB")]
    #[diagnostic(help("cut the motion into shorter ones"))]
    TooLarge,
}

/// A motion, joint by joint.
pub(crate) struct Clip<'a> {
    /// In seconds from the first frame, each later than the one before.
    pub times: Vec<f32>,
    /// Where the first link's joint is, a time each.
    pub places: Vec<Vec3>,
    /// For each link, how it is turned against its parent, a time each; neighbours are in one hemisphere, so that programs may
    /// interpolate number by number.
    pub turns: Vec<Vec<Rotation>>,
    /// What is held on to, in the motion's order.
    pub contacts: Vec<ContactMark<'a>>,
    /// How it moves, in order.
    pub modes: Vec<ModeMark<'a>>,
}

/// An effector on a hold, from one moment to another, in seconds.
pub(crate) struct ContactMark<'a> {
    pub effector: &'a str,
    pub hold: &'a str,
    pub point: Vec3,
    pub normal: Vec3,
    pub first: f32,
    pub last: f32,
}

/// A way of moving, from one moment to another, in seconds.
pub(crate) struct ModeMark<'a> {
    pub mode: &'a str,
    pub first: f32,
    pub last: f32,
}

impl<'a> Clip<'a> {
    pub fn new(character: &'a Character, world: &'a World, motion: &'a Motion) -> Result<Self, ExportError> {
        check(character, motion)?;
        let began = motion.frames[0].time;
        let time = |frame: usize| motion.frames.get(frame).map(|frame| frame.time - began);
        let mut clip = Self {
            times: Vec::with_capacity(motion.frames.len()),
            places: Vec::with_capacity(motion.frames.len()),
            turns: vec![Vec::with_capacity(motion.frames.len()); character.links.len()],
            contacts: Vec::with_capacity(motion.contacts.len()),
            modes: Vec::with_capacity(motion.spans.len()),
        };
        for frame in &motion.frames {
            let time = frame.time - began;
            // Of frames at one time, which no format has, the first is kept.
            if clip.times.last().is_some_and(|last| time <= *last) {
                continue;
            }
            clip.times.push(time);
            clip.places.push(frame.configuration.root.translation);
            for (link, turns) in clip.turns.iter_mut().enumerate() {
                let turn = turn_of(character, link, &frame.configuration);
                turns.push(if turns.last().is_some_and(|last| last.dot(turn) < 0.0) { -turn } else { turn });
            }
        }
        for (index, span) in motion.contacts.iter().enumerate() {
            let contact = span.contact;
            let mark = || {
                Some(ContactMark {
                    effector: &character.effectors.get(contact.effector)?.name,
                    hold: &world.holds.get(contact.hold)?.name,
                    point: contact.point,
                    normal: contact.normal,
                    first: time(span.first)?,
                    last: time(span.last)?,
                })
            };
            clip.contacts.push(mark().ok_or(ExportError::Mark { what: "contact", index })?);
        }
        for (index, span) in motion.spans.iter().enumerate() {
            let mark = || Some(ModeMark { mode: &span.mode, first: time(span.first)?, last: time(span.last)? });
            clip.modes.push(mark().ok_or(ExportError::Mark { what: "span", index })?);
        }
        Ok(clip)
    }
}

fn check(character: &Character, motion: &Motion) -> Result<(), ExportError> {
    if motion.character != character.name {
        let (motion, character) = (motion.character.clone(), character.name.clone());
        return Err(ExportError::OtherCharacter { motion, character });
    }
    let mut before = f32::NEG_INFINITY;
    for (frame, at) in motion.frames.iter().enumerate() {
        let Configuration { root, angles } = &at.configuration;
        if angles.len() != character.hinges.len() {
            return Err(ExportError::Angles { frame, angles: angles.len(), hinges: character.hinges.len() });
        }
        // As much as a motion file may be off by.
        let is_rotation = (root.rotation.length() - 1.0).abs() < 2e-3;
        let is_finite = root.translation.is_finite() && at.time.is_finite() && angles.iter().all(|a| a.is_finite());
        if !(is_rotation && is_finite) {
            return Err(ExportError::NotFinite { frame });
        }
        if at.time < before {
            return Err(ExportError::Time { frame });
        }
        before = at.time;
    }
    if motion.frames.is_empty() { Err(ExportError::Empty) } else { Ok(()) }
}

/// How a link is turned against its parent; the first, against the world.
fn turn_of(character: &Character, link: usize, configuration: &Configuration) -> Rotation {
    let link = &character.links[link];
    let joint = match link.parent {
        None => configuration.root.rotation,
        Some(_) => link.parent_from_joint.rotation,
    };
    let hinges = character.hinges[link.hinges.clone()].iter().zip(&configuration.angles[link.hinges.clone()]);
    let turn = hinges.fold(joint.as_dquat(), |turn, (hinge, angle)| {
        turn * double::rotation_about(hinge.axis.as_dvec3(), f64::from(*angle))
    });
    turn.normalize().as_quat()
}

/// Where each link is in the posture that skins are made in: the first link at the origin, all hinges at zero.
pub(crate) fn bind_poses(character: &Character) -> Vec<Pose> {
    let mut workspace = Workspace::default();
    let configuration = Configuration { root: Pose::IDENTITY, angles: vec![0.0; character.hinges.len()] };
    forward(character, &configuration, &mut workspace);
    workspace.world_from_link
}
