//! A mode that allows every contact. What a body may hold in a single posture does not depend on how it walks or climbs.

use clamber_model::Problem;
use clamber_model::character::Effector;
use clamber_model::id::{EffectorId, GroupId, LinkId, TiVec};
use clamber_model::mode_table::{EffectorGroup, Mode, ModeTable, SupportingGroup};
use clamber_model::world::HoldType;

/// A table with one mode, in which all effectors may use all holds and nothing else matters.
pub(super) fn posing_table(problem: &Problem) -> ModeTable {
    let effectors = problem.character.effectors.iter_enumerated();
    let group =
        |(id, effector): (EffectorId, &Effector)| EffectorGroup { name: effector.name.clone(), effectors: vec![id] };
    let effector_groups: TiVec<GroupId, EffectorGroup> = effectors.map(group).collect();
    let supporting_groups =
        effector_groups.keys().map(|group| SupportingGroup { group, types: HoldType::ALL.to_vec() });
    let mode = Mode {
        name: "posing".to_owned(),
        supporting_groups: supporting_groups.collect(),
        least_contacts: 0,
        posture_heuristics: Vec::new(),
        acceptable_discomfort: 1.0,
        balance: None,
        max_center_offset: 0.0,
        effort: 0.0,
        speed: None,
        walking_gait: None,
        reference_posture: Default::default(),
    };
    let given = problem.modes.as_deref();
    ModeTable {
        trunk_link: given.map_or(LinkId::ROOT, |table| table.trunk_link),
        span_limbs: given.map_or_else(Default::default, |table| table.span_limbs.clone()),
        modes: std::iter::once(mode).collect(),
        edges: TiVec::new(),
        effector_groups,
    }
}
