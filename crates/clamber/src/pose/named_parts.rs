//! Limbs, effectors and holds by name.

use clamber_model::character::Character;
use clamber_model::id::{EffectorId, HoldId, LimbId};
use clamber_model::{Contact, Problem};
use clamber_posture::limb_contacts::end_effectors;

use super::error::PoseError;

/// The effectors of named limbs, or of all limbs that are not in contact.
pub(super) fn effectors(
    character: &Character,
    stance: &[Contact],
    names: &[String],
) -> Result<Vec<EffectorId>, PoseError> {
    let is_held = |limb: LimbId| stance.iter().any(|held| character.effectors[held.effector].limb == Some(limb));
    if names.is_empty() {
        let limbs = character.limbs.keys().filter(|&limb| !is_held(limb));
        return Ok(limbs.flat_map(|limb| end_effectors(character, limb)).collect());
    }
    let mut effectors: Vec<(EffectorId, &String)> = Vec::new();
    for name in names {
        let limb = character.limbs.iter_enumerated().find(|(_, limb)| limb.name == *name);
        let of_limb = limb.map_or(Vec::new(), |(limb, _)| end_effectors(character, limb));
        let named = if of_limb.is_empty() { character.find_effector(name).into_iter().collect() } else { of_limb };
        let first = *named.first().ok_or_else(|| PoseError::UnknownLimb {
            character: character.name.clone(),
            name: name.clone(),
            known: character.limbs.iter().map(|limb| limb.name.as_str()).collect::<Vec<_>>().join(", "),
        })?;
        let is_same =
            |(other, _): &&(EffectorId, &String)| character.effectors[*other].limb == character.effectors[first].limb;
        if let Some((_, other)) = effectors.iter().find(is_same) {
            return Err(PoseError::SameLimb { name: name.clone(), other: (*other).clone() });
        }
        effectors.extend(named.into_iter().map(|effector| (effector, name)));
    }
    Ok(effectors.into_iter().map(|(effector, _)| effector).collect())
}

/// The effectors of all limbs.
pub(super) fn all_end_effectors(character: &Character) -> Vec<EffectorId> {
    character.limbs.keys().flat_map(|limb| end_effectors(character, limb)).collect()
}

/// The name of an effector that bodies stand on, to show in an error.
pub(super) fn example_of_effector(character: &Character) -> String {
    character.effectors.first().map_or_else(|| "foot".to_owned(), |effector| effector.name.clone())
}

/// The holds of an obstacle, or the hold of this name. Holds of an obstacle are named after it, with a number.
pub(super) fn holds_of(problem: &Problem, name: &str) -> Result<Vec<HoldId>, PoseError> {
    let is_meant = |hold: &str| {
        let number = hold.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        hold == name || number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let holds = problem.world.holds.iter_enumerated().filter(|(_, hold)| is_meant(&hold.name));
    let found: Vec<HoldId> = holds.map(|(id, _)| id).collect();
    if found.is_empty() { Err(PoseError::UnknownObject { name: name.to_owned() }) } else { Ok(found) }
}
