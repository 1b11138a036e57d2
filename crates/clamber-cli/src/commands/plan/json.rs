//! The result of a plan as JSON. docs/files.md describes the format.

use std::path::Path;

use clamber::check::{PropertyResult, Report};
use clamber::plan::{Failure, Impasse, ImpasseCause, MissingSupport, PlanOutcome, Statistics};
use serde::Serialize;

#[derive(Serialize)]
pub struct PlanResultJson<'a> {
    scene: &'a str,
    seed: u64,
    solved: bool,
    valid: bool,
    failure: Option<FailureJson<'a>>,
    /// The picture of the failure.
    picture: Option<&'a Path>,
    world_seconds: f64,
    seconds: f64,
    frames: usize,
    duration: f32,
    statistics: StatisticsJson,
    report: &'a [PropertyResult],
}

impl<'a> PlanResultJson<'a> {
    pub fn new(
        scene: &'a str,
        seed: u64,
        outcome: &'a PlanOutcome,
        report: &'a Report,
        picture: Option<&'a Path>,
        [world_seconds, seconds]: [f64; 2],
    ) -> Self {
        Self {
            scene,
            seed,
            solved: outcome.failure.is_none(),
            valid: outcome.failure.is_none() && report.passed(),
            failure: outcome.failure.as_ref().map(FailureJson::new),
            picture,
            world_seconds,
            seconds,
            frames: outcome.motion.frames.len(),
            duration: outcome.motion.duration(),
            statistics: StatisticsJson::new(&outcome.statistics),
            report: &report.properties,
        }
    }
}

/// Why there is no plan: data for programs, and a message for people.
#[derive(Serialize)]
struct FailureJson<'a> {
    #[serde(flatten)]
    kind: FailureKindJson<'a>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum FailureKindJson<'a> {
    BadSetting { setting: &'a str, limit: &'a str },
    BadProblem,
    BadMotion,
    Collides { posture: &'a str, link: &'a str, obstacle: &'a str, distance: f32 },
    SelfCollides { posture: &'a str, link: &'a str, other: &'a str, depth: f32 },
    BadPosture { posture: &'a str, reason: &'a str },
    NoModes,
    NoPins { hold: &'a str },
    NoContacts { posture: &'a str },
    OutOfBounds { posture: &'a str, place: [f32; 3] },
    NoWay { cell: f32 },
    BudgetSpent { remaining: f32 },
    Impasse { place: [f32; 3], mode: &'a str, cause: CauseJson<'a>, proved: bool },
    Rejected { properties: &'a str },
    Cancelled,
    Other,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum CauseJson<'a> {
    TooFar { group: &'a str, from: &'a str, to: &'a str, hold_type: &'static str, distance: f32, reach: f32 },
    Blocked { obstacle: &'a str, link: &'a str, by: f32, to: &'a str },
    BlockedByBody { link: &'a str, other: &'a str, by: f32, to: &'a str },
    NotCarried { effectors: &'a [String], holds: &'a [String], missing: Vec<MissingJson<'a>> },
    NoEdge { edges: &'a [String], groups: &'a [String] },
    NoPosture { from: &'a str, to: &'a str },
    Other,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum MissingJson<'a> {
    Friction { surfaces: &'a [String], friction: f32, sufficient: f32 },
    Strength { groups: &'a [String], force: f32, factor: f32 },
    Balance { distance: f32 },
    Other,
}

impl<'a> FailureJson<'a> {
    fn new(failure: &'a Failure) -> Self {
        let kind = match failure {
            Failure::InvalidProblem(_) => FailureKindJson::BadProblem,
            Failure::InvalidGivenMotion(_) => FailureKindJson::BadMotion,
            Failure::InvalidSetting { setting, limit } => FailureKindJson::BadSetting { setting, limit },
            Failure::Collides { posture_name: posture, link, obstacle, distance } => {
                FailureKindJson::Collides { posture, link, obstacle, distance: *distance }
            }
            Failure::SelfCollides { posture_name: posture, link, other, depth } => {
                FailureKindJson::SelfCollides { posture, link, other, depth: *depth }
            }
            Failure::InvalidConfiguration { posture_name: posture, reason } => {
                FailureKindJson::BadPosture { posture, reason }
            }
            Failure::MissingModeTable => FailureKindJson::NoModes,
            Failure::RequiredHoldsUnsupported { hold } => FailureKindJson::NoPins { hold },
            Failure::NoContacts { posture_name: posture } => FailureKindJson::NoContacts { posture },
            Failure::CenterOfMassOutsideWorld { posture_name: posture, x, y, z } => {
                FailureKindJson::OutOfBounds { posture, place: [*x, *y, *z] }
            }
            Failure::NoPath { cell_size } => FailureKindJson::NoWay { cell: *cell_size },
            Failure::BudgetSpent { distance_to_goal, .. } => {
                FailureKindJson::BudgetSpent { remaining: *distance_to_goal }
            }
            Failure::Impasse(Impasse { blocked_position, mode, cause, is_proved: proved }) => {
                let (place, cause) = (blocked_position.to_array(), CauseJson::new(cause));
                FailureKindJson::Impasse { place, mode, cause, proved: *proved }
            }
            Failure::CheckFailed { properties } => FailureKindJson::Rejected { properties },
            Failure::Cancelled => FailureKindJson::Cancelled,
            _ => FailureKindJson::Other,
        };
        Self { kind, message: failure.to_string(), mend: failure.suggestion() }
    }
}

impl<'a> CauseJson<'a> {
    fn new(cause: &'a ImpasseCause) -> Self {
        match cause {
            ImpasseCause::TooFar { group, from_hold: from, to_hold: to, hold_type, distance, reach } => {
                let (hold_type, distance, reach) = (hold_type.keyword(), *distance, *reach);
                Self::TooFar { group, from, to, hold_type, distance, reach }
            }
            ImpasseCause::Blocked { obstacle, link, penetration_depth: depth, to_hold } => {
                Self::Blocked { obstacle, link, by: *depth, to: to_hold }
            }
            ImpasseCause::BlockedByBody { link, other, penetration_depth: depth, to_hold } => {
                Self::BlockedByBody { link, other, by: *depth, to: to_hold }
            }
            ImpasseCause::NotCarried { effectors, holds, missing } => {
                Self::NotCarried { effectors, holds, missing: missing.iter().map(MissingJson::new).collect() }
            }
            ImpasseCause::NoModeEdge { inapplicable_edges: edges, groups_in_contact: groups } => {
                Self::NoEdge { edges, groups }
            }
            ImpasseCause::NoPosture { from_hold: from, to_hold: to } => Self::NoPosture { from, to },
            _ => Self::Other,
        }
    }
}

impl<'a> MissingJson<'a> {
    fn new(missing: &'a MissingSupport) -> Self {
        match missing {
            MissingSupport::Friction { surfaces, friction, sufficient } => {
                Self::Friction { surfaces, friction: *friction, sufficient: *sufficient }
            }
            MissingSupport::Strength { groups, force, factor } => {
                Self::Strength { groups, force: *force, factor: *factor }
            }
            MissingSupport::Balance { distance } => Self::Balance { distance: *distance },
            _ => Self::Other,
        }
    }
}

#[derive(Serialize)]
struct StatisticsJson {
    expansions: u64,
    collision_checks: u64,
    engine_queries: u64,
    edges: u64,
    descents: u64,
    walks: u64,
    walks_escaped: u64,
    backtracks: u64,
    raw_frames: u64,
}

impl StatisticsJson {
    fn new(statistics: &Statistics) -> Self {
        let Statistics {
            expansions,
            collision_checks,
            engine_queries,
            mode_edges_taken: edges,
            descent_steps: descents,
            walks,
            walks_escaped,
            backtracks,
            raw_frames,
            frames: _,
            ..
        } = *statistics;
        Self {
            expansions,
            collision_checks,
            engine_queries,
            edges,
            descents,
            walks,
            walks_escaped,
            backtracks,
            raw_frames,
        }
    }
}

#[cfg(test)]
mod tests {
    use clamber::model::math::Vec3;
    use clamber::model::world::HoldType;
    use serde_json::{Value, json};

    use super::*;

    fn impasse(cause: ImpasseCause) -> Value {
        let failure = Failure::Impasse(Impasse {
            blocked_position: Vec3::new(4.5, 0.25, 0.0),
            mode: "walking".to_owned(),
            cause,
            is_proved: true,
        });
        let mut data = serde_json::to_value(FailureJson::new(&failure)).unwrap();
        // The wording may change; the test only requires that there is some.
        for sentence in ["message", "mend"] {
            assert!(data.as_object_mut().unwrap().remove(sentence).is_some_and(|words| words.is_string()));
        }
        data
    }

    #[test]
    fn an_impasse_serializes_its_place_and_cause() {
        let [group, from, to, obstacle, link] = ["feet", "ground 12", "ground 13", "roof", "head"].map(str::to_owned);
        let hold_type = HoldType::LoadBearing;
        let data = impasse(ImpasseCause::TooFar {
            group,
            from_hold: from.clone(),
            to_hold: to.clone(),
            hold_type,
            distance: 1.25,
            reach: 0.5,
        });
        let cause = json!({
            "kind": "too-far", "group": "feet", "from": "ground 12", "to": "ground 13", "hold_type": "load-bearing",
            "distance": 1.25, "reach": 0.5,
        });
        let place = [4.5, 0.25, 0.0];
        assert_eq!(
            data,
            json!({ "kind": "impasse", "place": place, "mode": "walking", "cause": cause, "proved": true })
        );
        let data = impasse(ImpasseCause::Blocked { obstacle, link, penetration_depth: 0.25, to_hold: to.clone() });
        let cause = json!({ "kind": "blocked", "obstacle": "roof", "link": "head", "by": 0.25, "to": "ground 13" });
        assert_eq!(data["cause"], cause);
        let data = impasse(ImpasseCause::NoPosture { from_hold: from, to_hold: to });
        assert_eq!(data["cause"], json!({ "kind": "no-posture", "from": "ground 12", "to": "ground 13" }));
    }

    #[test]
    fn missing_support_serializes_its_amounts() {
        let surfaces = vec!["slab".to_owned()];
        let data = impasse(ImpasseCause::NotCarried {
            effectors: vec!["left_foot".to_owned()],
            holds: vec!["slab 1".to_owned()],
            missing: vec![
                MissingSupport::Friction { surfaces, friction: 0.25, sufficient: 0.5 },
                MissingSupport::Strength { groups: vec!["feet".to_owned()], force: 400.0, factor: 1.5 },
                MissingSupport::Balance { distance: 0.25 },
            ],
        });
        let missing = json!([
            { "kind": "friction", "surfaces": ["slab"], "friction": 0.25, "sufficient": 0.5 },
            { "kind": "strength", "groups": ["feet"], "force": 400.0, "factor": 1.5 },
            { "kind": "balance", "distance": 0.25 },
        ]);
        let cause =
            json!({ "kind": "not-carried", "effectors": ["left_foot"], "holds": ["slab 1"], "missing": missing });
        assert_eq!(data["cause"], cause);
    }

    #[test]
    fn a_failure_without_a_suggestion_has_no_mend_key() {
        let data = serde_json::to_value(FailureJson::new(&Failure::MissingModeTable)).unwrap();
        assert_eq!(data, json!({ "kind": "no-modes", "message": Failure::MissingModeTable.to_string() }));
    }
}
