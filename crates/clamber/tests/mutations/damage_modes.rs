//! Damage to mode tables.

use clamber::ModeTable;
use clamber::model::character::Landmark;
use clamber::model::id::{EdgeId, GroupId, LimbId, LinkId, ModeId};
use clamber::model::mode_table::{
    Balance, BodyLine, Condition, Edge, Effect, HoldToTake, MaxSeparation, MinSeparation, Mode, PostureHeuristic,
    WalkingGait,
};

use crate::random_damage::Damage;

/// Damages one part of a mode table.
pub fn damage_modes(damage: &mut Damage, table: &mut ModeTable) {
    match damage.below(13) {
        0 => damage.list("modes", &mut table.modes.raw),
        1 => damage.list("edges", &mut table.edges.raw),
        2 => damage.list("groups", &mut table.effector_groups.raw),
        3 => damage_body(damage, table),
        4 => {
            if let Some(group) = damage.pick(&mut table.effector_groups.raw) {
                damage.list("effectors of a group", &mut group.effectors);
                if let Some(effector) = damage.pick(&mut group.effectors) {
                    damage.id("effector of a group", effector, 6);
                }
            }
        }
        5..=7 => {
            if let Some(mode) = damage.pick(&mut table.modes.raw) {
                damage_mode(damage, mode);
            }
        }
        _ => {
            if let Some(edge) = damage.pick(&mut table.edges.raw) {
                damage_edge(damage, edge);
            }
        }
    }
}

fn damage_body(damage: &mut Damage, table: &mut ModeTable) {
    match damage.below(3) {
        0 => damage.id("trunk", &mut table.trunk_link, 9),
        1 => damage.list("limbs of the span", &mut table.span_limbs[0]),
        _ => damage.list("limbs of the span", &mut table.span_limbs[1]),
    }
}

fn strange_limbs(damage: &mut Damage) -> Vec<LimbId> {
    (0..damage.below(3)).map(|_| LimbId::new(damage.index(4))).collect()
}

/// A landmark that may not exist.
pub fn strange_landmark(damage: &mut Damage) -> Landmark {
    match damage.below(2) {
        0 => Landmark::Joint(LinkId::new(damage.index(9))),
        _ => Landmark::MeanOfFirstJoints(strange_limbs(damage)),
    }
}

fn strange_line(damage: &mut Damage) -> BodyLine {
    BodyLine { from: strange_landmark(damage), to: strange_landmark(damage) }
}

fn strange_heuristic(damage: &mut Damage) -> PostureHeuristic {
    match damage.below(7) {
        0 => PostureHeuristic::Balance,
        1 => PostureHeuristic::AlignedWithParent(LinkId::new(damage.index(9))),
        2 => PostureHeuristic::BendsNearRest(strange_limbs(damage)),
        3 => PostureHeuristic::Upright { line: strange_line(damage), backward: damage.bad_number(3.0) },
        4 => PostureHeuristic::OppositeSwing { limbs: strange_limbs(damage), against: strange_limbs(damage) },
        5 => PostureHeuristic::HangDown {
            holding: strange_limbs(damage),
            below_holding: strange_landmark(damage),
            hanging: strange_limbs(damage),
            above_hanging: strange_landmark(damage),
        },
        _ => PostureHeuristic::LevelTips(strange_limbs(damage)),
    }
}

fn damage_mode(damage: &mut Damage, mode: &mut Mode) {
    match damage.below(12) {
        0 => damage.name("a mode", &mut mode.name),
        1 => damage.list("groups of a mode", &mut mode.supporting_groups),
        2 => damage.count("least_contacts", &mut mode.least_contacts),
        3 => damage.list("heuristics", &mut mode.posture_heuristics),
        4 => {
            if let Some((_, weight)) = damage.pick(&mut mode.posture_heuristics) {
                damage.number("weight of a heuristic", weight);
            }
        }
        5 => damage.number("acceptable_discomfort", &mut mode.acceptable_discomfort),
        6 => {
            mode.balance = Some(Balance { group: GroupId::new(damage.index(4)), within: damage.bad_number(0.1) });
            damage.note(format!("{:?}", mode.balance));
        }
        7 => {
            let level_links = vec![LinkId::new(damage.index(9))];
            mode.walking_gait = Some(WalkingGait { swinging_limbs: strange_limbs(damage), level_links });
            damage.note(format!("{:?}", mode.walking_gait));
        }
        8 => {
            let heuristic = strange_heuristic(damage);
            damage.note(format!("{heuristic:?}"));
            mode.posture_heuristics.push((heuristic, 1.0));
        }
        9 => damage.number("max_center_offset", &mut mode.max_center_offset),
        10 => damage.number("effort", &mut mode.effort),
        _ => {
            if let Some(group) = damage.pick(&mut mode.supporting_groups) {
                damage.list("types of a group", &mut group.types);
                damage.id("group of a mode", &mut group.group, 4);
            }
        }
    }
}

fn damage_edge(damage: &mut Damage, edge: &mut Edge) {
    match damage.below(9) {
        0 => damage.id("from", &mut edge.from, 6),
        1 => damage.id("to", &mut edge.to, 6),
        2 => damage.list("preconditions", &mut edge.preconditions),
        3 => damage.list("takes", &mut edge.holds_to_take),
        4 => damage.list("effects", &mut edge.effects),
        5 => {
            let condition = strange_condition(damage);
            damage.note(format!("{condition:?}"));
            let conditions = if damage.chance(0.5) { &mut edge.preconditions } else { &mut edge.postconditions };
            conditions.push(condition);
        }
        6 => {
            let effect = strange_effect(damage);
            damage.note(format!("{effect:?}"));
            edge.effects.push(effect);
        }
        7 => {
            if let Some(take) = damage.pick(&mut edge.holds_to_take) {
                damage_take(damage, take);
            }
        }
        _ => damage.name("an edge", &mut edge.name),
    }
}

fn damage_take(damage: &mut Damage, take: &mut HoldToTake) {
    match damage.below(8) {
        0 => damage.list("groups to take", &mut take.groups),
        1 => damage.list("types to take", &mut take.types),
        2 => take
            .min_separations
            .push(MinSeparation { from_group: GroupId::new(damage.index(4)), by: damage.bad_number(0.3) }),
        3 => take
            .max_separations
            .push(MaxSeparation { to_group: GroupId::new(damage.index(4)), by: damage.bad_number(0.3) }),
        4 => take.above_landmark = Some(strange_landmark(damage)),
        5 => take.below_landmark = Some(strange_landmark(damage)),
        6 => take.together = !take.together,
        _ => take.held_before_retracing_by = Some(GroupId::new(damage.index(4))),
    }
    damage.note(format!("{take:?}"));
}

fn strange_condition(damage: &mut Damage) -> Condition {
    let number = damage.bad_number(0.3);
    match damage.below(12) {
        12 => Condition::Stretched { limbs: strange_limbs(damage), share: number },
        11 => Condition::EquilibriumNotRequired,
        10 => Condition::EquilibriumRequired,
        0 => Condition::NoProgress(damage.index(3)),
        1 => Condition::AdvancedSinceModeBegan(number),
        2 => Condition::AllInContact(GroupId::new(damage.index(4))),
        3 => Condition::Upright { line: strange_line(damage), max_lean: number },
        4 => Condition::RouteIsBehind(number),
        5 => Condition::RouteGoesDown(number),
        6 => Condition::EdgeFailed { edge: EdgeId::new(damage.index(9)), times: damage.index(3) },
        7 => Condition::Higher { landmark: strange_landmark(damage), than: strange_landmark(damage) },
        8 => Condition::RoomToStand { on: strange_limbs(damage), or_at: strange_landmark(damage) },
        _ => Condition::CenterBetween(Balance { group: GroupId::new(damage.index(4)), within: number }),
    }
}

fn strange_effect(damage: &mut Damage) -> Effect {
    let group = GroupId::new(damage.index(4));
    match damage.below(8) {
        0 => Effect::Attach,
        1 => Effect::CorrectPosture(ModeId::new(damage.index(6))),
        2 => Effect::Detach(group),
        3 => Effect::DetachRear(group),
        4 => {
            let span_fraction = damage.bad_number(0.5);
            Effect::DetachRearBySpan { span_fraction, if_stretched: group, if_bent: GroupId::new(0) }
        }
        5 => Effect::RetracePath(group),
        6 => Effect::WanderIntoReach,
        _ => Effect::TurnAround,
    }
}
