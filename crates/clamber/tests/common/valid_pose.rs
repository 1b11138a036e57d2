//! Judges postures with the checker.

use std::sync::Arc;

use clamber::check::{CheckSettings, check_motion};
use clamber::model::character::Effector;
use clamber::model::id::{EffectorId, GroupId, TiVec};
use clamber::model::mode_table::{EffectorGroup, SupportingGroup};
use clamber::model::world::HoldType;
use clamber::{Motion, Problem};

/// Asserts that a motion of one frame passes the checks. A mode that allows all contacts makes the checker judge equilibrium, without any tolerance.
pub fn assert_valid(problem: &Problem, motion: &Motion) {
    let (mut problem, mut motion) = (problem.clone(), motion.clone());
    let mut table = problem.modes.as_deref().unwrap().clone();
    let every =
        |(id, effector): (EffectorId, &Effector)| EffectorGroup { name: effector.name.clone(), effectors: vec![id] };
    let groups: TiVec<GroupId, EffectorGroup> = problem.character.effectors.iter_enumerated().map(every).collect();
    let mode = &mut table.modes.raw[0];
    let carrier = |group| SupportingGroup { group, types: HoldType::ALL.to_vec() };
    mode.supporting_groups = groups.keys().map(carrier).collect();
    (mode.balance, mode.max_center_offset, mode.least_contacts) = (None, 0.0, 1);
    motion.mode_spans[0].mode = mode.name.clone();
    (table.effector_groups, problem.modes) = (groups, None);
    table.modes.truncate(1);
    table.edges.clear();
    problem.modes = Some(Arc::new(table));
    let report = check_motion(&problem, &motion, &CheckSettings::default());
    for property in ["penetration", "slip", "self-collision", "equilibrium"] {
        let result = report.property(property).unwrap_or_else(|| panic!("no {property} in {report}"));
        assert!(result.passed, "{}: {result}", problem.name);
    }
    motion.frames[0].configuration.check(&problem.character).unwrap();
}
