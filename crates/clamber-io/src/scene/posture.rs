//! Start, goal and the postures between: where the character is, how it is bent, and what it holds on to.

use std::collections::BTreeMap;

use clamber_model::Configuration;
use clamber_model::character::{Character, Root};
use clamber_model::contact::Stance;
use clamber_model::math::Pose;
use clamber_model::problem::Posture;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::contact::{ContactEntry, Contacts, Surroundings, mode_of, reach, stance};
use crate::error::{FileError, Source};
use crate::fields::{Number, Place, Turn};
use crate::parse::{brief, suggest};

/// Where the character is and how it is bent. Hinges that are not named are at rest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a posture")]
pub(super) struct PostureEntry {
    /// Where the first link's joint is.
    #[schemars(with = "Place")]
    position: Spanned<Place>,
    /// Which way a planar character looks.
    #[schemars(with = "Option<FacingEntry>")]
    facing: Option<Spanned<FacingEntry>>,
    /// How far it leans back, in degrees.
    #[serde(default)]
    pitch: Number,
    /// Which way a free character looks: from +x counter-clockwise seen from above, in degrees.
    #[schemars(with = "Option<Number>")]
    heading: Option<Spanned<Number>>,
    /// How far a free character leans to its right, in degrees.
    #[schemars(with = "Option<Number>")]
    roll: Option<Spanned<Number>>,
    /// Hinge angles by name, in degrees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    angles: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// What the effectors hold on to, by the effectors' names: a hold's name, or a point that a hold is at. The posture is
    /// then what the character should look like, and changed so that it reaches.
    #[schemars(with = "Option<BTreeMap<String, ContactEntry>>")]
    contacts: Option<Contacts>,
    /// The way of moving it belongs to; when not given, the first of the mode table that allows the contacts.
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
    fn facing_or_right(&self) -> FacingEntry {
        self.facing.as_ref().map_or(FacingEntry::Right, |facing| *facing.get_ref())
    }
}

/// Reads a posture; errors call it `what`, such as "the start".
pub(super) fn posture(around: &Surroundings, entry: &PostureEntry, what: &str) -> Result<Posture, FileError> {
    let mut configuration = configuration(around.source, entry, around.character)?;
    let stance = match &entry.contacts {
        None => Stance::new(),
        Some(contacts) => stance(around, contacts, &configuration)?,
    };
    let mode = mode_of(around, entry.mode.as_ref(), entry.contacts.as_ref(), &stance)?;
    if let Some(contacts) = &entry.contacts {
        reach(around, contacts, &stance, &mut configuration, what)?;
    }
    Ok(Posture { configuration, stance, mode })
}

fn configuration(source: &Source, posture: &PostureEntry, character: &Character) -> Result<Configuration, FileError> {
    let place = posture.position.get_ref().xyz;
    let root = match character.root {
        Root::Planar => {
            if let Some(given) = posture.heading.as_ref().or(posture.roll.as_ref()) {
                let message = "a planar character has no heading and no roll";
                return Err(source.error(given.span(), message).with_help("use `facing` and `pitch`"));
            }
            if place.z != 0.0 {
                let message = "a planar character stays in the plane z = 0";
                return Err(source.error(posture.position.span(), message).with_help("give `position` two numbers"));
            }
            let looks_right = posture.facing_or_right() == FacingEntry::Right;
            Configuration::planar_root(place.x, place.y, posture.pitch.radians(), looks_right)
        }
        Root::Free => {
            if let Some(facing) = &posture.facing {
                let message = "only planar characters have a `facing`";
                return Err(source.error(facing.span(), message).with_help("use `heading`, in degrees"));
            }
            let number = |given: &Option<Spanned<Number>>| given.as_ref().map_or(Number(0.0), |n| *n.get_ref());
            let turn = Turn { heading: number(&posture.heading), pitch: posture.pitch, roll: number(&posture.roll) };
            Pose::from_parts(place, turn.rotation())
        }
    };
    let mut configuration = Configuration { root, ..Configuration::rest(character) };
    for (name, angle) in &posture.angles {
        let Some(index) = character.hinge(name.get_ref()) else {
            let known: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
            let message = format!("the character has no hinge `{}`", brief(name.get_ref()));
            return Err(source.error(name.span(), message).with_help(suggest(name.get_ref(), &known)));
        };
        let hinge = &character.hinges[index];
        let radians = angle.get_ref().radians();
        // Degrees and back may round by a hair.
        if radians < hinge.min - 1e-4 || radians > hinge.max + 1e-4 {
            let limits =
                format!("it turns from {:.1} to {:.1} degrees", hinge.min.to_degrees(), hinge.max.to_degrees());
            let message = format!("hinge `{}` does not reach {} degrees", brief(&hinge.name), angle.get_ref().0);
            return Err(source.error(angle.span(), message).with_help(limits));
        }
        configuration.angles[index] = radians.clamp(hinge.min, hinge.max);
    }
    Ok(configuration)
}
