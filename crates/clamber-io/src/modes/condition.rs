//! Conditions: what is true or false of the moment.

use clamber_model::mode::{Balance, Condition};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::not_negative;
use super::word::{Names, Table, WordOr, companion, refuse_all_but_one};
use crate::error::{FileError, Source};
use crate::fields::{HoldTypeEntry, Number};
use crate::parse::find_named;

/// A condition as it is written.
pub(super) type AnyCondition = WordOr<ConditionWord, ConditionEntry>;

/// Conditions that need no more than a word.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConditionWord {
    /// There is room for the character to stand where its feet are.
    RoomToStand,
    /// The head is above the hip.
    HeadOverHip,
}

/// A condition: one of its keys, `failed` with `times`, `center_between` with `within`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a condition in braces")]
pub(super) struct ConditionEntry {
    /// For so many steps of the planner, the character has come no nearer to the goal.
    #[schemars(with = "Option<usize>", extend("minimum" = 1))]
    no_progress: Option<Spanned<usize>>,
    /// Since the mode began, the character has come nearer to the goal by so many metres.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    advanced: Option<Spanned<Number>>,
    /// Every effector of the group holds on to something.
    #[schemars(with = "Option<String>")]
    all_hold: Option<Spanned<String>>,
    /// Some effector holds on to a hold of this type.
    holds_on: Option<HoldTypeEntry>,
    /// The spine leans from the vertical by no more than this, in degrees.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    upright: Option<Spanned<Number>>,
    /// The way to the goal leads backwards, for at least this many metres.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    way_is_behind: Option<Spanned<Number>>,
    /// The way to the goal leads down, by at least this many metres, before it has led twice as far to a side.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    way_goes_down: Option<Spanned<Number>>,
    /// This edge found its holds, but what must be true afterwards was not, so many `times` in a row.
    #[schemars(with = "Option<String>")]
    failed: Option<Spanned<String>>,
    /// How many times.
    #[schemars(with = "Option<usize>", extend("minimum" = 1))]
    times: Option<Spanned<usize>>,
    /// The centre of mass is between the contacts of this group.
    #[schemars(with = "Option<String>")]
    center_between: Option<Spanned<String>>,
    /// How far outside it may be, in metres.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    within: Option<Spanned<Number>>,
}

impl Table for ConditionEntry {
    const KEYS: &[&str] = &[
        "no_progress",
        "advanced",
        "all_hold",
        "holds_on",
        "upright",
        "way_is_behind",
        "way_goes_down",
        "failed",
        "center_between",
    ];
}

pub(super) fn condition(source: &Source, entry: &Spanned<AnyCondition>, names: &Names) -> Result<Condition, FileError> {
    let table = match entry.get_ref() {
        WordOr::Word(ConditionWord::RoomToStand) => return Ok(Condition::RoomToStand),
        WordOr::Word(ConditionWord::HeadOverHip) => return Ok(Condition::HeadOverHip),
        WordOr::Table(table) => table,
    };
    let ConditionEntry { no_progress, advanced, all_hold, holds_on, way_is_behind, failed, times, .. } = &**table;
    let ConditionEntry { upright, way_goes_down, center_between, within, .. } = &**table;
    let given = [
        no_progress.is_some(),
        advanced.is_some(),
        all_hold.is_some(),
        holds_on.is_some(),
        upright.is_some(),
        way_is_behind.is_some(),
        way_goes_down.is_some(),
        failed.is_some(),
        center_between.is_some(),
    ];
    refuse_all_but_one(source, entry.span(), "condition", ConditionEntry::KEYS, &given)?;
    let times = companion(source, entry.span(), ["times", "failed"], failed.is_some(), times.as_ref())?;
    let within =
        companion(source, entry.span(), ["within", "center_between"], center_between.is_some(), within.as_ref())?;
    let count = |number: &Spanned<usize>| match *number.get_ref() {
        0 => Err(source.error(number.span(), "this must be at least 1")),
        count => Ok(count),
    };
    let length = |number: &Spanned<Number>| not_negative(source, number, "a distance");
    let group = |name: &Spanned<String>| find_named(source, "group", name, &names.groups);
    if let Some(steps) = no_progress {
        return count(steps).map(Condition::NoProgress);
    }
    if let Some(way) = advanced {
        return length(way).map(Condition::Advanced);
    }
    if let Some(name) = all_hold {
        return group(name).map(Condition::AllHold);
    }
    if let Some(hold_type) = holds_on {
        return Ok(Condition::HoldsOn(hold_type.hold_type()));
    }
    if let Some(angle) = upright {
        return Ok(Condition::Upright(not_negative(source, angle, "an angle")?.to_radians()));
    }
    if let Some(way) = way_is_behind {
        return length(way).map(Condition::WayIsBehind);
    }
    if let Some(way) = way_goes_down {
        return length(way).map(Condition::WayGoesDown);
    }
    if let (Some(name), Some(times)) = (failed, times) {
        let edge = find_named(source, "edge", name, &names.edges)?;
        return Ok(Condition::Failed { edge, times: count(times)? });
    }
    if let (Some(name), Some(within)) = (center_between, within) {
        return Ok(Condition::CenterBetween(Balance { group: group(name)?, within: length(within)? }));
    }
    Err(source.error(entry.span(), "this says no condition"))
}
