//! Limbs, effectors and holds by name.

use clamber_model::character::{Character, ContactAbility};
use clamber_model::id::{EffectorId, HoldId, LimbId};
use clamber_model::{Contact, Problem};

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
        return Ok(limbs.filter_map(|limb| main_effector(character, limb)).collect());
    }
    let named = |name: &String| {
        let limb = character.limbs.iter_enumerated().find(|(_, limb)| limb.name == *name);
        let effector = limb.and_then(|(limb, _)| main_effector(character, limb));
        effector.or_else(|| character.find_effector(name)).ok_or_else(|| PoseError::UnknownLimb {
            character: character.name.clone(),
            name: name.clone(),
            known: character.limbs.iter().map(|limb| limb.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    };
    let effectors = names.iter().map(named).collect::<Result<Vec<EffectorId>, PoseError>>()?;
    for (index, &effector) in effectors.iter().enumerate() {
        let is_same = |&other: &EffectorId| character.effectors[other].limb == character.effectors[effector].limb;
        if let Some(other) = effectors[..index].iter().position(is_same) {
            return Err(PoseError::SameLimb { name: names[index].clone(), other: names[other].clone() });
        }
    }
    Ok(effectors)
}

/// One effector of each limb.
pub(super) fn main_effectors(character: &Character) -> Vec<EffectorId> {
    character.limbs.keys().filter_map(|limb| main_effector(character, limb)).collect()
}

/// The name of an effector that bodies stand on, to show in an error.
pub(super) fn example_of_effector(character: &Character) -> String {
    character.effectors.first().map_or_else(|| "foot".to_owned(), |effector| effector.name.clone())
}

/// The effector of a limb that lies flat or grips, or its last one.
fn main_effector(character: &Character, limb: LimbId) -> Option<EffectorId> {
    let of_limb = || character.effectors.iter_enumerated().filter(|(_, effector)| effector.limb == Some(limb));
    let is_able = |ability: &ContactAbility| ability.patch.is_some() || ability.grip.is_some();
    let able = of_limb().find(|(_, effector)| is_able(&effector.ability));
    able.or_else(|| of_limb().max_by_key(|(_, effector)| effector.link)).map(|(id, _)| id)
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
