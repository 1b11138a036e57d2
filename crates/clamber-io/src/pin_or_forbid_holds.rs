//! Edits to a problem by the names of its holds: pin a hold or forbid it.

use std::collections::BTreeMap;

use clamber_model::id::{EffectorId, HoldId};
use clamber_model::problem::Pin;
use clamber_model::world::HoldShape;
use clamber_model::{Character, ModeTable, Problem, World};
use miette::Diagnostic;

use crate::suggest_name::{abbreviate, nearest_word, suggest};

/// An edit to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HoldEdit {
    /// No effector may use this hold.
    Forbid {
        /// The hold's name.
        hold: String,
    },
    /// An effector must use this hold at some time.
    Pin {
        /// The effector's name; `None` allows any effector.
        effector: Option<String>,
        /// The hold's name.
        hold: String,
    },
}

/// Why an edit is rejected, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[error("{message}")]
#[diagnostic(help("{help}"))]
#[non_exhaustive]
pub struct HoldEditError {
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

impl HoldEditError {
    fn new(message: String, help: impl Into<String>) -> Self {
        Self { message, help: help.into() }
    }
}

/// Returns the problem with these edits applied.
pub fn apply_hold_edits(problem: &Problem, edits: &[HoldEdit]) -> Result<Problem, HoldEditError> {
    let mut edited = problem.clone();
    let Problem { world, character, modes, .. } = problem;
    let holds = holds_by_name(world);
    for edit in edits {
        match edit {
            HoldEdit::Forbid { hold } => edited.forbidden_holds.push(hold_named(world, &holds, hold, "")?),
            HoldEdit::Pin { effector, hold } => {
                let hold = hold_named(world, &holds, hold, "")?;
                let effector = effector.as_ref().map(|name| effector_named(character, name)).transpose()?;
                let pin = Pin { effector, hold, point: None };
                reject_unusable_pin(&pin, character, world, modes.as_deref())?;
                edited.pins.push(pin);
            }
        }
    }
    edited.forbidden_holds.sort_unstable();
    edited.forbidden_holds.dedup();
    reject_conflicts(&edited).map_err(|(_, error)| error)?;
    Ok(edited)
}

/// Returns the indices of the world's holds by name.
pub(crate) fn holds_by_name(world: &World) -> BTreeMap<&str, HoldId> {
    world.holds.iter_enumerated().map(|(index, hold)| (hold.name.as_str(), index)).collect()
}

/// How to fix a scene without holds.
pub(crate) const NO_HOLDS: &str = "add `holds` to an obstacle, or add a [[hold]]";

/// Returns the index of the hold with this name. `otherwise` is appended to the help, such as "; or give a point".
pub(crate) fn hold_named(
    world: &World,
    holds: &BTreeMap<&str, HoldId>,
    name: &str,
    otherwise: &str,
) -> Result<HoldId, HoldEditError> {
    holds.get(name).copied().ok_or_else(|| {
        // The first thousand suffice: names of one obstacle's holds differ only by a number.
        let known: Vec<&String> = world.holds.iter().take(1000).map(|hold| &hold.name).collect();
        let help = match (nearest_word(name, &known), world.holds.first()) {
            (Some(word), _) => format!("did you mean `{word}`?"),
            (None, Some(first)) => format!("hold names look like `{}`{otherwise}", abbreviate(&first.name)),
            (None, None) => NO_HOLDS.to_owned(),
        };
        HoldEditError::new(format!("there is no hold `{}`", abbreviate(name)), help)
    })
}

fn effector_named(character: &Character, name: &str) -> Result<EffectorId, HoldEditError> {
    character.find_effector(name).ok_or_else(|| {
        let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
        HoldEditError::new(format!("there is no effector `{}`", abbreviate(name)), suggest(name, &known))
    })
}

/// Rejects a pin that no mode can satisfy, or that is inside an obstacle.
pub(crate) fn reject_unusable_pin(
    pin: &Pin,
    character: &Character,
    world: &World,
    modes: Option<&ModeTable>,
) -> Result<(), HoldEditError> {
    let Some(table) = modes else {
        let message = "pins need a mode table, but this character has none".to_owned();
        let help =
            "set `modes` to the path of a mode table, or save one next to the character file, as in figure.modes.toml";
        return Err(HoldEditError::new(message, help));
    };
    if let Some(effector) = pin.effector
        && !table.effector_groups.iter().any(|group| group.effectors.contains(&effector))
    {
        let name = abbreviate(&character.effectors[effector].name);
        let message = format!("effector `{name}` is in no group of the mode table, so it never makes contact");
        let known = table.effector_groups.iter().flat_map(|group| &group.effectors);
        let known: Vec<String> = known.map(|&effector| format!("`{}`", character.effectors[effector].name)).collect();
        return Err(HoldEditError::new(message, format!("use one of {}", known.join(", "))));
    }
    let hold = &world.holds[pin.hold];
    let point = match hold.shape {
        HoldShape::Point(at) => Some(at),
        HoldShape::Segment(_) | HoldShape::Triangle(_) => pin.point,
    };
    if point.is_some_and(|point| world.is_buried(point, hold.normal)) {
        let message = format!(
            "this place on hold `{}` is inside an obstacle, where nothing can touch it",
            abbreviate(&hold.name)
        );
        return Err(HoldEditError::new(message, "pin a place on the outside of the obstacles"));
    }
    let can_hold = |effectors: &[EffectorId]| pin.effector.is_none_or(|effector| effectors.contains(&effector));
    let mut supporting_groups = table.modes.iter().flat_map(|mode| &mode.supporting_groups);
    if supporting_groups.any(|carrier| {
        carrier.types.contains(&hold.hold_type) && can_hold(&table.effector_groups[carrier.group].effectors)
    }) {
        return Ok(());
    }
    let who = pin
        .effector
        .map_or("any effector".to_owned(), |effector| format!("`{}`", abbreviate(&character.effectors[effector].name)));
    let (word, name) = (hold.hold_type.keyword(), abbreviate(&hold.name));
    let message = format!("no mode lets {who} use a {word} hold such as `{name}`");
    Err(HoldEditError::new(message, "pin another hold, or add the type to a mode's `carry`"))
}

/// Rejects forbidden holds that are pinned or in contact elsewhere. The error carries the hold's index.
pub(crate) fn reject_conflicts(problem: &Problem) -> Result<(), (HoldId, HoldEditError)> {
    let Problem { world, start, goal, .. } = problem;
    let postures = [("start".to_owned(), start), ("goal".to_owned(), goal)];
    let of_postures = postures
        .into_iter()
        .flat_map(|(what, posture)| posture.stance.iter().map(move |contact| (what.clone(), contact)));
    let of_passages = problem.passages.iter().flat_map(|passage| {
        let what = format!("passage `{}`", abbreviate(&passage.name));
        passage.motion.contacts.iter().map(move |span| (what.clone(), &span.contact))
    });
    let mut contacts = of_postures.chain(of_passages);
    if let Some((what, contact)) = contacts.find(|(_, contact)| problem.forbids_hold(contact.hold)) {
        let (hold, effector) = (contact.hold, abbreviate(&problem.character.effectors[contact.effector].name));
        let name = abbreviate(&world.holds[hold].name);
        let message = format!("hold `{name}` is forbidden, but the {what} has `{effector}` on it");
        return Err((hold, HoldEditError::new(message, "allow the hold, or choose another contact")));
    }
    match problem.pins.iter().find(|pin| problem.forbids_hold(pin.hold)) {
        None => Ok(()),
        Some(pin) => {
            let message = format!("hold `{}` is pinned and forbidden", abbreviate(&world.holds[pin.hold].name));
            Err((pin.hold, HoldEditError::new(message, "remove one of the two")))
        }
    }
}
