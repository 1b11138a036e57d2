//! A posture given by a place to stand at and a direction to face.

use clamber_model::math::Vec3;
use clamber_model::problem::Posture;
use clamber_posture::StandError;
use toml::Spanned;

use super::resolve_contacts::SceneContext;
use crate::common_field_types::{Point, point_text};
use crate::error::FileError;
use crate::pin_or_forbid_holds::NO_HOLDS;
use crate::stand_at::{Place, StandAtError, stand_at};
use crate::suggest_name::{abbreviate, find_named};

/// Finds the posture at a place. Errors call it `what`, such as "the start".
pub(super) fn at_place(
    context: &SceneContext,
    at: &Spanned<Point>,
    facing: Vec3,
    mode: Option<&Spanned<String>>,
    what: &str,
) -> Result<Posture, FileError> {
    let SceneContext { source, character, world, .. } = context;
    let Some(table) = context.modes else {
        let message = "a place to stand at needs a mode table, but this character has none";
        let help = "set `modes` to the path of a mode table, or use `position`";
        return Err(source.error(at.span(), message).with_help(help));
    };
    if let Some(name) = mode {
        let known: Vec<&String> = table.modes.iter().map(|mode| &mode.name).collect();
        let _: usize = find_named(source, "mode", name, &known)?;
    }
    let place = Place { at: at.get_ref().xyz, facing, mode_name: mode.map(|name| name.get_ref().clone()) };
    stand_at(world, character, table, &place).map_err(|error| {
        let span = match (&error, mode) {
            (StandAtError::ModeWithoutContacts { .. }, Some(mode)) => mode.span(),
            _ => at.span(),
        };
        let message = match &error {
            StandAtError::Posture(_) => format!("{what} has no posture here: {error}"),
            _ => error.to_string(),
        };
        source.error(span, message).with_help(help(context, &error))
    })
}

/// Returns how to mend a place.
fn help(context: &SceneContext, error: &StandAtError) -> String {
    let near = |point: Vec3| format!("such as {}", point_text(point, context.character.root_joint));
    match error {
        StandAtError::NothingToStandOn { nearest: Some(nearest), .. }
        | StandAtError::NoFooting { nearest: Some(nearest), .. } => {
            format!("move `at` to a place on a hold, {}, or add holds there", near(nearest.point))
        }
        StandAtError::NothingToStandOn { nearest: None, .. } | StandAtError::NoFooting { nearest: None, .. } => {
            NO_HOLDS.to_owned()
        }
        StandAtError::NoRoom { obstacle, .. } | StandAtError::Posture(StandError::Collision { obstacle, .. }) => {
            format!("move `at` away from `{}`, or move the obstacle", abbreviate(obstacle))
        }
        StandAtError::Posture(StandError::CenterOfMassOutsideWorld) => {
            "move `at` into the bounds, or enlarge them".to_owned()
        }
        StandAtError::ModeWithoutContacts { .. } | StandAtError::NoModeWithContacts => {
            "use a mode with `carry`, or `position` instead of `at`".to_owned()
        }
        _ => "move `at`, or give `position` and `contacts`".to_owned(),
    }
}
