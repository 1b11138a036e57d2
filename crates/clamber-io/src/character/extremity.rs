//! Hands and feet: the `[[extremity]]` tables of a character file.

use clamber_model::character::{CharacterDescription, Extremity, ExtremityShape};
use clamber_model::id::EffectorId;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::common_field_types::{Number, positive};
use crate::error::{FileError, Source};
use crate::suggest_name::{abbreviate, find_named};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an extremity")]
pub(super) struct ExtremityEntry {
    /// The effector that it extends: the ankle, or the middle of the palm. At most one extremity per effector.
    #[schemars(with = "String")]
    pub(super) effector: Spanned<String>,
    /// Foot or hand.
    #[schemars(with = "ExtremityKind")]
    kind: Spanned<ExtremityKind>,
    /// Foot: length from the ankle back to the end of the heel, in meters.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    heel: Option<Spanned<Number>>,
    /// Foot: length from the ankle forward to the ball, in meters.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    ball: Option<Spanned<Number>>,
    /// Foot: length from the ball to the tips of the toes, in meters.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    toes: Option<Spanned<Number>>,
    /// Hand: length from the effector to the knuckles, in meters.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    palm: Option<Spanned<Number>>,
    /// Hand: length from the knuckles to the fingertips, in meters.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    fingers: Option<Spanned<Number>>,
    /// Thickness in meters, at most twice the effector's radius.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    thickness: Spanned<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ExtremityKind {
    /// Perpendicular to the limb: heel, ball and toes.
    Foot,
    /// In line with the limb: palm and fingers.
    Hand,
}

pub(super) fn extremity(
    source: &Source,
    entry: &ExtremityEntry,
    parts: &CharacterDescription,
) -> Result<Extremity, FileError> {
    let names: Vec<&String> = parts.effectors.iter().map(|effector| &effector.name).collect();
    let effector: EffectorId = find_named(source, "effector", &entry.effector, &names)?;
    let name = abbreviate(entry.effector.get_ref());
    if parts.extremities.iter().any(|other| other.effector == effector) {
        let message = format!("effector `{name}` already has a hand or foot");
        return Err(source.error(entry.effector.span(), message).with_help("remove one of the two"));
    }
    let kind = *entry.kind.get_ref();
    let (word, other) = match kind {
        ExtremityKind::Foot => ("foot", "hand"),
        ExtremityKind::Hand => ("hand", "foot"),
    };
    let keys = [
        ("heel", &entry.heel, ExtremityKind::Foot),
        ("ball", &entry.ball, ExtremityKind::Foot),
        ("toes", &entry.toes, ExtremityKind::Foot),
        ("palm", &entry.palm, ExtremityKind::Hand),
        ("fingers", &entry.fingers, ExtremityKind::Hand),
    ];
    let mut measures = Vec::new();
    for (key, number, of) in keys {
        match (number, of == kind) {
            (Some(number), true) => measures.push(positive(source, number, "a length")?),
            (None, false) => {}
            (Some(number), false) => {
                let help = format!("remove it, or set `kind` to \"{other}\"");
                return Err(source.error(number.span(), format!("a {word} has no `{key}`")).with_help(help));
            }
            (None, true) => {
                let help = format!("add `{key}` in meters");
                return Err(source.error(entry.kind.span(), format!("a {word} needs `{key}`")).with_help(help));
            }
        }
    }
    let thickness = positive(source, &entry.thickness, "a length")?;
    let room = 2.0 * parts.effectors[effector].radius;
    if thickness > room {
        let message = format!("a {word} of effector `{name}` can be at most {room} m thick");
        let help = "the limit is the diameter of the effector's sphere, which rests on the hold";
        return Err(source.error(entry.thickness.span(), message).with_help(help));
    }
    let shape = match (kind, measures.as_slice()) {
        (ExtremityKind::Foot, &[heel, ball, toes]) => {
            ExtremityShape::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness }
        }
        (_, measures) => ExtremityShape::Hand { palm_length: measures[0], finger_length: measures[1], thickness },
    };
    Ok(Extremity { effector, shape })
}
