//! Postures of the start, the goal and passages: root position, hinge angles and contacts.

use std::collections::BTreeMap;

use clamber_model::Configuration;
use clamber_model::character::{Character, RootJoint};
use clamber_model::contact::Stance;
use clamber_model::math::{Pose, Vec3};
use clamber_model::problem::Posture;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::resolve_contacts::{ContactEntry, Contacts, SceneContext, Soles, mode_of, reach, stance};
use super::snap_contacts::{fits, on_other_holds, record};
use crate::common_field_types::{Number, Orientation, Point};
use crate::error::{FileError, Source};
use crate::suggest_name::{abbreviate, suggest};

/// A posture: root position, hinge angles and contacts. Unlisted hinges have their rest angles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a posture")]
pub(super) struct PostureEntry {
    /// Position of the root link's joint, in meters.
    #[schemars(with = "Point")]
    position: Spanned<Point>,
    /// Facing direction of a planar character.
    #[schemars(with = "Option<FacingEntry>")]
    facing: Option<Spanned<FacingEntry>>,
    /// Backward lean, in degrees.
    #[serde(default)]
    pitch: Number,
    /// Heading of a free character: from +x counter-clockwise seen from above, in degrees.
    #[schemars(with = "Option<Number>")]
    heading: Option<Spanned<Number>>,
    /// Lean of a free character to its right, in degrees.
    #[schemars(with = "Option<Number>")]
    roll: Option<Spanned<Number>>,
    /// Hinge angles by name, in degrees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    angles: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// Contacts by effector name: the name of a hold, or a point near one. The posture is adjusted so that the
    /// effectors reach their contacts.
    #[schemars(with = "Option<BTreeMap<String, ContactEntry>>")]
    contacts: Option<Contacts>,
    /// The mode. Default: the first mode of the mode table that allows the contacts.
    #[schemars(with = "Option<String>")]
    mode: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FacingEntry {
    /// Along -x.
    Left,
    /// Along +x.
    Right,
}

impl PostureEntry {
    pub(super) fn position(&self) -> Vec3 {
        self.position.get_ref().xyz
    }

    pub(super) fn has_contacts(&self) -> bool {
        self.contacts.is_some()
    }

    /// Moves the root and the contacts.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        map(&mut self.position.get_mut().xyz);
        let contacts = self.contacts.iter_mut().flat_map(|contacts| contacts.get_mut().values_mut());
        for contact in contacts {
            if let ContactEntry::Point(point) = contact.get_mut() {
                map(&mut point.xyz);
            }
        }
    }

    fn facing_or_right(&self) -> FacingEntry {
        self.facing.as_ref().map_or(FacingEntry::Right, |facing| *facing.get_ref())
    }
}

/// Reads a posture. Errors call it `what`, such as "the start".
pub(super) fn posture(context: &SceneContext, entry: &PostureEntry, what: &str) -> Result<Posture, FileError> {
    let configuration = configuration(context.source, entry, context.character)?;
    let Some(contacts) = &entry.contacts else {
        return on_contacts(context, entry, (Stance::new(), configuration), Soles::AsGiven, what);
    };
    let stance = stance(context, contacts, &configuration)?;
    let solve =
        |stance: Stance, soles: Soles| on_contacts(context, entry, (stance, configuration.clone()), soles, what);
    // Mostly the posture fits as it is given, on flat soles. A foot whose sole is not flat may enter the floor.
    let fitting = |stance: Stance| {
        let solved = [Soles::FlatPatches, Soles::AsGiven, Soles::Flat]
            .into_iter()
            .filter_map(|soles| solve(stance.clone(), soles).ok());
        solved.into_iter().find(|posture| fits(context, posture))
    };
    let posture = match fitting(stance.clone()).or_else(|| on_other_holds(context, contacts, &stance, fitting)) {
        Some(posture) => posture,
        None => solve(stance, Soles::AsGiven)?,
    };
    record(context, contacts, &posture.stance, what);
    Ok(posture)
}

/// Solves for a posture on these contacts, close to a configuration.
fn on_contacts(
    context: &SceneContext,
    entry: &PostureEntry,
    (stance, mut configuration): (Stance, Configuration),
    soles: Soles,
    what: &str,
) -> Result<Posture, FileError> {
    let mode_name = mode_of(context, entry.mode.as_ref(), entry.contacts.as_ref(), &stance, &configuration)?;
    if let Some(contacts) = &entry.contacts {
        reach(context, contacts, &stance, (&mut configuration, soles), what)?;
    }
    Ok(Posture { configuration, stance, mode_name })
}

fn configuration(source: &Source, posture: &PostureEntry, character: &Character) -> Result<Configuration, FileError> {
    let place = posture.position.get_ref().xyz;
    let root = match character.root_joint {
        RootJoint::Planar => {
            if let Some(given) = posture.heading.as_ref().or(posture.roll.as_ref()) {
                let message = "a planar character has no `heading` or `roll`";
                return Err(source.error(given.span(), message).with_help("use `facing` and `pitch`"));
            }
            if place.z != 0.0 {
                let message = "a planar character stays in the plane z = 0";
                return Err(source
                    .error(posture.position.span(), message)
                    .with_help("give `position` two coordinates"));
            }
            let faces_right = posture.facing_or_right() == FacingEntry::Right;
            Configuration::planar_root_pose(place.x, place.y, posture.pitch.radians(), faces_right)
        }
        RootJoint::Free => {
            if let Some(facing) = &posture.facing {
                let message = "only planar characters have a `facing`";
                return Err(source.error(facing.span(), message).with_help("use `heading`, in degrees"));
            }
            let number = |given: &Option<Spanned<Number>>| given.as_ref().map_or(Number(0.0), |n| *n.get_ref());
            let turn =
                Orientation { heading: number(&posture.heading), pitch: posture.pitch, roll: number(&posture.roll) };
            Pose::from_parts(place, turn.rotation())
        }
    };
    let mut configuration = Configuration { root, ..Configuration::rest(character) };
    for (name, angle) in &posture.angles {
        let Some(index) = character.find_hinge(name.get_ref()) else {
            let known: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
            let message = format!("the character has no hinge `{}`", abbreviate(name.get_ref()));
            return Err(source.error(name.span(), message).with_help(suggest(name.get_ref(), &known)));
        };
        let hinge = &character.hinges[index];
        let radians = angle.get_ref().radians();
        // Allow for rounding between degrees and radians.
        if radians < hinge.min - 1e-4 || radians > hinge.max + 1e-4 {
            let limits =
                format!("its limits are {:.1} and {:.1} degrees", hinge.min.to_degrees(), hinge.max.to_degrees());
            let message = format!("hinge `{}` cannot turn to {} degrees", abbreviate(&hinge.name), angle.get_ref().0);
            return Err(source.error(angle.span(), message).with_help(limits));
        }
        configuration.angles[index] = radians.clamp(hinge.min, hinge.max);
    }
    Ok(configuration)
}
