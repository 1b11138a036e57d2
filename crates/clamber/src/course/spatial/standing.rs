//! How a character stands on level floor: from its rest posture, and from the effectors that bear its weight.

use clamber_model::kinematics::effector_position_at;
use clamber_model::mode_table::ModeTable;
use clamber_model::world::HoldType;
use clamber_model::{Character, Configuration};

/// A standing body that faces +x, relative to the point of the floor below its root. In meters of the character.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Standing {
    /// Height of the root above the floor.
    pub root_height: f64,
    /// Where each effector touches the floor: its name, forward, to the right.
    pub contacts: Vec<(String, [f64; 2])>,
    /// The mode.
    pub mode: Option<String>,
}

impl Standing {
    /// The body stands on the first effectors of the first mode whose effectors bear weight on load-bearing holds. Without such a mode,
    /// it has no contacts, and its lowest effector is at the floor.
    pub fn new(character: &Character, modes: Option<&ModeTable>) -> Self {
        let rest = Configuration::rest(character);
        let supports = modes.into_iter().flat_map(|table| {
            let groups = table.modes.iter().filter_map(|mode| {
                let on_floor =
                    mode.supporting_groups.iter().find(|group| group.types.contains(&HoldType::LoadBearing))?;
                Some((mode, &table.effector_groups[on_floor.group].effectors))
            });
            groups.collect::<Vec<_>>()
        });
        let support = supports.into_iter().next();
        let feet = support.map_or(Vec::new(), |(_, effectors)| effectors.clone());
        let bottom = |effector| {
            let center = effector_position_at(character, &rest, effector);
            (center, f64::from(center.y - character.effectors[effector].radius))
        };
        let lowest_of = |heights: &mut dyn Iterator<Item = f64>| heights.fold(f64::INFINITY, f64::min);
        let mut lowest = lowest_of(&mut feet.iter().map(|foot| bottom(*foot).1));
        if !lowest.is_finite() {
            lowest = lowest_of(&mut character.effectors.keys().map(|effector| bottom(effector).1)).min(0.0);
        }
        let contacts = feet.iter().map(|&foot| {
            let center = bottom(foot).0;
            (character.effectors[foot].name.clone(), [f64::from(center.x), f64::from(center.z)])
        });
        Self { root_height: -lowest, contacts: contacts.collect(), mode: support.map(|(mode, _)| mode.name.clone()) }
    }
}
