//! Postures of the start, the goal and passages: root position, hinge angles and contacts, or a place to stand at.

use std::collections::BTreeMap;

use clamber_model::Configuration;
use clamber_model::character::{Character, RootJoint};
use clamber_model::contact::Stance;
use clamber_model::math::{Pose, Vec3};
use clamber_model::problem::Posture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use toml::Spanned;

use super::at_place::at_place;
use super::facing::{FacingEntry, direction, heading_of};
use super::resolve_contacts::{ContactEntry, Contacts, SceneContext, Soles, mode_of, reach, stance};
use super::snap_contacts::{fits, on_other_holds, record};
use crate::common_field_types::{Number, Orientation, Point};
use crate::error::{FileError, Source};
use crate::suggest_name::{abbreviate, suggest};

/// A posture: root position, hinge angles and contacts, or a place to stand at. Unlisted hinges have their rest angles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields, expecting = "a table with the keys of a posture")]
#[schemars(extend("oneOf" = [{ "required": ["position"] }, { "required": ["at"] }]))]
pub(super) struct PostureEntry {
    /// Position of the root link's joint, in meters.
    #[schemars(with = "Option<Point>")]
    position: Option<Spanned<Point>>,
    /// A place to stand at, on a surface or a little above it, in meters. The posture and its contacts are found.
    #[schemars(with = "Option<Point>")]
    at: Option<Spanned<Point>>,
    /// The direction that the character faces. Its horizontal part counts.
    #[schemars(with = "Option<FacingEntry>")]
    facing: Option<Spanned<FacingEntry>>,
    /// Backward lean, in degrees. Default 0.
    #[schemars(with = "Option<Number>")]
    pitch: Option<Spanned<Number>>,
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

impl<'de> Deserialize<'de> for PostureEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The keys are checked here, where the error gets the place of the table.
        let entry = Self::deserialize(deserializer)?;
        match (&entry.position, &entry.at) {
            (None, None) => Err(D::Error::custom("a posture needs `position`, or `at` for a place to stand at")),
            (Some(_), Some(_)) => Err(D::Error::custom(
                "`position` and `at` exclude each other: keep `position` for a given posture, or `at` for one that is found",
            )),
            _ => Ok(entry),
        }
    }
}

impl PostureEntry {
    /// The position of the root, or the place to stand at.
    pub(super) fn place(&self) -> Vec3 {
        self.position.iter().chain(&self.at).map(|place| place.get_ref().xyz).next().unwrap_or_default()
    }

    pub(super) fn is_on_contacts(&self) -> bool {
        self.contacts.is_some() || self.at.is_some()
    }

    /// The place to stand at, if the posture is to be found.
    pub(super) fn at(&self) -> Option<&Spanned<Point>> {
        self.at.as_ref()
    }

    /// Moves the root and the contacts.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        self.position.iter_mut().chain(&mut self.at).for_each(|place| map(&mut place.get_mut().xyz));
        let contacts = self.contacts.iter_mut().flat_map(|contacts| contacts.get_mut().values_mut());
        for contact in contacts {
            if let ContactEntry::Point(point) = contact.get_mut() {
                map(&mut point.xyz);
            }
        }
    }
}

/// Reads a posture. Errors call it `what`, such as "the start".
pub(super) fn posture(context: &SceneContext, entry: &PostureEntry, what: &str) -> Result<Posture, FileError> {
    if let Some(at) = &entry.at {
        return found_posture(context, entry, at, what);
    }
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

/// Finds the posture at a place.
fn found_posture(
    context: &SceneContext,
    entry: &PostureEntry,
    at: &Spanned<Point>,
    what: &str,
) -> Result<Posture, FileError> {
    let SceneContext { source, character, .. } = context;
    let root = character.root_joint;
    reject_turns_in_the_plane(source, entry, root)?;
    reject_place_outside_the_plane(source, at, "at", root)?;
    let given = [
        ("pitch", entry.pitch.as_ref().map(Spanned::span)),
        ("roll", entry.roll.as_ref().map(Spanned::span)),
        ("angles", entry.angles.keys().next().map(Spanned::span)),
        ("contacts", entry.contacts.as_ref().map(Spanned::span)),
    ];
    if let Some((key, span)) = given.into_iter().find_map(|(key, span)| Some((key, span?))) {
        let message = format!("`at` finds the posture and its contacts, so `{key}` has no use");
        return Err(source.error(span, message).with_help("remove it, or use `position` instead of `at`"));
    }
    let facing = direction(source, entry.facing.as_ref(), entry.heading.as_ref(), root)?;
    at_place(context, at, facing, entry.mode.as_ref(), what)
}

fn reject_turns_in_the_plane(source: &Source, entry: &PostureEntry, root: RootJoint) -> Result<(), FileError> {
    match entry.heading.as_ref().or(entry.roll.as_ref()).filter(|_| root == RootJoint::Planar) {
        Some(given) => {
            let message = "a planar character has no `heading` or `roll`";
            Err(source.error(given.span(), message).with_help("use `facing` and `pitch`"))
        }
        None => Ok(()),
    }
}

fn reject_place_outside_the_plane(
    source: &Source,
    place: &Spanned<Point>,
    key: &str,
    root: RootJoint,
) -> Result<(), FileError> {
    if root == RootJoint::Free || place.get_ref().xyz.z == 0.0 {
        return Ok(());
    }
    let message = "a planar character stays in the plane z = 0";
    Err(source.error(place.span(), message).with_help(format!("give `{key}` two coordinates")))
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
    reject_turns_in_the_plane(source, posture, character.root_joint)?;
    if let Some(position) = &posture.position {
        reject_place_outside_the_plane(source, position, "position", character.root_joint)?;
    }
    let place = posture.place();
    let number = |given: &Option<Spanned<Number>>| given.as_ref().map_or(Number(0.0), |n| *n.get_ref());
    let (facing, heading) = (posture.facing.as_ref(), posture.heading.as_ref());
    let direction = direction(source, facing, heading, character.root_joint)?;
    let pitch = number(&posture.pitch);
    let root = match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(place.x, place.y, pitch.radians(), direction.x > 0.0),
        RootJoint::Free => {
            let heading = if facing.is_some() { heading_of(direction) } else { number(&posture.heading) };
            Pose::from_parts(place, Orientation { heading, pitch, roll: number(&posture.roll) }.rotation())
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
