//! The vocabulary of version 1, whose tables name the body of a biped: a head, arms and legs.
//!
//! It is translated into the names of version 2, so that the rest of the reader knows only these.

use clamber_model::character::{Character, Landmark, RootJoint};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::mode_table::{BodyLine, Condition, Mode, PostureHeuristic, WalkingGait};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::body_names::BodyNames;
use crate::error::{FileError, Source};
use crate::suggest_name::{abbreviate, find_named};

/// How many times as much a lean of the spine backward counts as one forward.
const BACKWARD_LEAN_WEIGHT: f32 = 3.0;

/// Version 1: the parts of the body that its keywords refer to. In version 2 the character's file states them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a body")]
pub(super) struct BodyEntry {
    /// The link that contains the spine.
    #[schemars(with = "String")]
    trunk: Spanned<String>,
    /// The head link.
    #[schemars(with = "String")]
    head: Spanned<String>,
    /// The limbs that are arms.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    arms: Vec<Spanned<String>>,
    /// The limbs that are legs.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    legs: Vec<Spanned<String>>,
}

/// Conditions of version 1 without parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConditionKeyword {
    /// Version 1: there is room to stand upright above the feet.
    RoomToStand,
    /// Version 1: the head is above the hip.
    HeadOverHip,
}

/// What the words of version 1 mean for one body.
pub(super) struct Version1 {
    pub names: BodyNames,
    head: LinkId,
    arms: Vec<LimbId>,
    legs: Vec<LimbId>,
    hip: Landmark,
}

impl Version1 {
    pub fn new(source: &Source, entry: &BodyEntry, character: &Character) -> Result<Self, FileError> {
        let known: Vec<&String> = character.limbs.iter().map(|limb| &limb.name).collect();
        let mut taken: Vec<LimbId> = Vec::new();
        let mut limbs = |names: &[Spanned<String>]| {
            let mut limbs = Vec::new();
            for name in names {
                let limb = find_named(source, "limb", name, &known)?;
                if taken.contains(&limb) {
                    let message = format!("the limb `{}` appears twice", abbreviate(name.get_ref()));
                    let help = "list each limb once, as an arm or as a leg";
                    return Err(source.error(name.span(), message).with_help(help));
                }
                taken.push(limb);
                limbs.push(limb);
            }
            Ok(limbs)
        };
        let mut names = BodyNames::of(character);
        let (trunk, head) = (names.link(source, &entry.trunk)?, names.link(source, &entry.head)?);
        let (arms, legs) = (limbs(&entry.arms)?, limbs(&entry.legs)?);
        let hip = if legs.is_empty() { Landmark::Joint(trunk) } else { Landmark::MeanOfFirstJoints(legs.clone()) };
        names.trunk_link = trunk;
        names.span_limbs = [arms.clone(), legs.clone()];
        names.roles.clear();
        names.landmarks = vec![("head".to_owned(), Landmark::Joint(head)), ("hip".to_owned(), hip.clone())];
        Ok(Self { names, head, arms, legs, hip })
    }

    /// The line that `upright` measures.
    pub fn spine(&self) -> BodyLine {
        BodyLine { from: self.hip.clone(), to: Landmark::Joint(self.head) }
    }

    pub fn walking_gait(&self) -> WalkingGait {
        WalkingGait { swinging_limbs: self.arms.clone(), level_links: vec![self.head] }
    }

    pub fn condition(&self, keyword: ConditionKeyword) -> Condition {
        match keyword {
            ConditionKeyword::RoomToStand => Condition::RoomToStand { on: self.legs.clone(), or_at: self.hip.clone() },
            ConditionKeyword::HeadOverHip => {
                Condition::Higher { landmark: Landmark::Joint(self.head), than: self.hip.clone() }
            }
        }
    }

    /// The predefined heuristics.
    pub fn heuristics(&self) -> Vec<(String, PostureHeuristic)> {
        let Self { head, arms, legs, hip, .. } = self;
        let heuristics = [
            ("head-up", PostureHeuristic::AlignedWithParent(*head)),
            ("comfy-limbs", PostureHeuristic::BendsNearRest([&arms[..], legs].concat())),
            ("balance", PostureHeuristic::Balance),
            ("upright-spine", PostureHeuristic::Upright { line: self.spine(), backward: BACKWARD_LEAN_WEIGHT }),
            ("limb-counter-balance", PostureHeuristic::OppositeSwing { limbs: arms.clone(), against: legs.clone() }),
            (
                "hang-down",
                PostureHeuristic::HangDown {
                    holding: arms.clone(),
                    below_holding: Landmark::Joint(*head),
                    hanging: legs.clone(),
                    above_hanging: hip.clone(),
                },
            ),
            ("knees-down", PostureHeuristic::LevelTips(legs.clone())),
        ];
        heuristics.map(|(name, heuristic)| (name.to_owned(), heuristic)).into()
    }
}

/// How far the center of mass of a mode that states nothing may be outside of static equilibrium, in body sizes. Tables of version 1 are
/// older than the judgment of equilibrium: bodies in space that balance fall a little from contact to contact, as the built-in human does.
pub fn center_offset(character: &Character, mode: &Mode) -> f32 {
    const WALKING: f32 = 0.27;
    if character.root_joint == RootJoint::Free && mode.balance.is_some() { WALKING } else { mode.max_center_offset }
}
