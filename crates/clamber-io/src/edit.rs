//! Changes to a problem that are said with the names of holds: what must be held on to, and what must not.

use std::collections::BTreeMap;

use clamber_model::problem::Pin;
use clamber_model::{Character, ModeTable, Problem, World};
use miette::Diagnostic;

use crate::parse::{brief, nearest_word, suggest};

/// A change to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing may hold on to the hold of this name.
    Forbid {
        /// The hold's name.
        hold: String,
    },
    /// At some moment an effector must hold on to the hold of this name.
    Pin {
        /// The effector's name; any will do when not given.
        effector: Option<String>,
        /// The hold's name.
        hold: String,
    },
}

/// A change that cannot be: why not, and what could.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[error("{message}")]
#[diagnostic(help("{help}"))]
pub struct EditError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl EditError {
    fn new(message: String, help: impl Into<String>) -> Self {
        Self { message, help: help.into() }
    }
}

/// The problem with these changes.
pub fn edit(problem: &Problem, edits: &[Edit]) -> Result<Problem, EditError> {
    let mut edited = problem.clone();
    let Problem { world, character, modes, .. } = problem;
    let holds = holds_by_name(world);
    for edit in edits {
        match edit {
            Edit::Forbid { hold } => edited.forbidden.push(hold_named(world, &holds, hold, "")?),
            Edit::Pin { effector, hold } => {
                let hold = hold_named(world, &holds, hold, "")?;
                let effector = effector.as_ref().map(|name| effector_named(character, name)).transpose()?;
                let pin = Pin { effector, hold, point: None };
                refuse_useless(&pin, character, world, modes.as_deref())?;
                edited.pins.push(pin);
            }
        }
    }
    edited.forbidden.sort_unstable();
    edited.forbidden.dedup();
    refuse_clash(&edited).map_err(|(_, error)| error)?;
    Ok(edited)
}

/// The world's holds by their names.
pub(crate) fn holds_by_name(world: &World) -> BTreeMap<&str, usize> {
    world.holds.iter().enumerate().map(|(index, hold)| (hold.name.as_str(), index)).collect()
}

/// What a scene without holds lacks.
pub(crate) const NO_HOLDS: &str = "add `holds` to an obstacle, or a [[hold]]";

/// The hold of this name. `otherwise` is what else could be given, such as "; or give a point".
pub(crate) fn hold_named(
    world: &World,
    holds: &BTreeMap<&str, usize>,
    name: &str,
    otherwise: &str,
) -> Result<usize, EditError> {
    holds.get(name).copied().ok_or_else(|| {
        // Of very many, a few will do: the names of one obstacle's holds differ by their numbers alone.
        let known: Vec<&String> = world.holds.iter().take(1000).map(|hold| &hold.name).collect();
        let help = match (nearest_word(name, &known), world.holds.first()) {
            (Some(word), _) => format!("did you mean `{word}`?"),
            (None, Some(first)) => format!("there are such as `{}`{otherwise}", brief(&first.name)),
            (None, None) => NO_HOLDS.to_owned(),
        };
        EditError::new(format!("there is no hold `{}`", brief(name)), help)
    })
}

fn effector_named(character: &Character, name: &str) -> Result<usize, EditError> {
    character.effector(name).ok_or_else(|| {
        let known: Vec<&String> = character.effectors.iter().map(|effector| &effector.name).collect();
        EditError::new(format!("there is no effector `{}`", brief(name)), suggest(name, &known))
    })
}

/// Refuses a pin that no way of moving could hold.
pub(crate) fn refuse_useless(
    pin: &Pin,
    character: &Character,
    world: &World,
    modes: Option<&ModeTable>,
) -> Result<(), EditError> {
    let Some(table) = modes else {
        let message = "pins need a mode table, and this character has none".to_owned();
        let help = "name one with `modes`, or put one beside the character's file, as in figure.modes.toml";
        return Err(EditError::new(message, help));
    };
    if let Some(effector) = pin.effector
        && !table.groups.iter().any(|group| group.effectors.contains(&effector))
    {
        let name = brief(&character.effectors[effector].name);
        let message = format!("effector `{name}` is in no group of the mode table, so it never holds on to anything");
        let known = table.groups.iter().flat_map(|group| &group.effectors);
        let known: Vec<String> = known.map(|&effector| format!("`{}`", character.effectors[effector].name)).collect();
        return Err(EditError::new(message, format!("these do: {}", known.join(", "))));
    }
    let hold = &world.holds[pin.hold];
    let can_hold = |effectors: &[usize]| pin.effector.is_none_or(|effector| effectors.contains(&effector));
    let mut carriers = table.modes.iter().flat_map(|mode| &mode.carriers);
    if carriers
        .any(|carrier| carrier.types.contains(&hold.hold_type) && can_hold(&table.groups[carrier.group].effectors))
    {
        return Ok(());
    }
    let who = pin
        .effector
        .map_or("anything".to_owned(), |effector| format!("`{}`", brief(&character.effectors[effector].name)));
    let (word, name) = (hold.hold_type.word(), brief(&hold.name));
    let message = format!("no mode lets {who} hold on to what is {word}, as `{name}` is");
    Err(EditError::new(message, "pin another hold, or add the type to a mode's `carry`"))
}

/// Refuses that what is forbidden is wanted elsewhere: says which hold it is, and where.
pub(crate) fn refuse_clash(problem: &Problem) -> Result<(), (usize, EditError)> {
    let Problem { world, start, goal, .. } = problem;
    let postures = [("start".to_owned(), start), ("goal".to_owned(), goal)];
    let of_postures = postures
        .into_iter()
        .flat_map(|(what, posture)| posture.stance.iter().map(move |contact| (what.clone(), contact)));
    let of_passages = problem.passages.iter().flat_map(|passage| {
        let what = format!("passage `{}`", brief(&passage.name));
        passage.motion.contacts.iter().map(move |span| (what.clone(), &span.contact))
    });
    let mut contacts = of_postures.chain(of_passages);
    if let Some((what, contact)) = contacts.find(|(_, contact)| problem.is_forbidden(contact.hold)) {
        let (hold, effector) = (contact.hold, brief(&problem.character.effectors[contact.effector].name));
        let name = brief(&world.holds[hold].name);
        let message = format!("hold `{name}` is forbidden, and the {what} has `{effector}` on it");
        return Err((hold, EditError::new(message, "allow it, or let the posture hold on to another")));
    }
    match problem.pins.iter().find(|pin| problem.is_forbidden(pin.hold)) {
        None => Ok(()),
        Some(pin) => {
            let message = format!("hold `{}` is pinned and forbidden", brief(&world.holds[pin.hold].name));
            Err((pin.hold, EditError::new(message, "leave one of the two out")))
        }
    }
}
