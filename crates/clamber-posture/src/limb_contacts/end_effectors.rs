//! The effectors at the end of a limb.

use clamber_model::character::{ContactAbility, Effector};
use clamber_model::id::{EffectorId, LimbId};
use clamber_model::kinematics::link_pose;
use clamber_model::{Character, Configuration};

/// Returns the effector of a limb that lies flat or grips, and the one that reaches farthest: a sole, and the ball of the foot for edges.
pub fn end_effectors(character: &Character, limb: LimbId) -> Vec<EffectorId> {
    let of_limb = || character.effectors.iter_enumerated().filter(|(_, effector)| effector.limb == Some(limb));
    let is_able = |ability: &ContactAbility| ability.patch.is_some() || ability.grip.is_some();
    let able = of_limb().find(|(_, effector)| is_able(&effector.ability));
    let rest = Configuration::rest(character);
    let base = link_pose(character, &rest, character.limbs[limb].links[0]).translation;
    let reach = |effector: &Effector| (link_pose(character, &rest, effector.link) * effector.center - base).length();
    let farthest = of_limb().max_by(|(_, one), (_, other)| reach(one).total_cmp(&reach(other)));
    let mut ends: Vec<EffectorId> = able.into_iter().chain(farthest).map(|(id, _)| id).collect();
    ends.dedup();
    ends
}
