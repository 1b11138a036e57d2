//! Conditions of edges.

use clamber_model::id::GroupId;
use clamber_model::mode_table::{Balance, Condition};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::keyword_or_table::{KeywordOrTable, KnownNames, VariantTable, require_companion, require_one_key};
use crate::common_field_types::{HoldTypeEntry, Number, non_negative};
use crate::error::{FileError, Source};
use crate::suggest_name::find_named;

/// A condition in either notation.
pub(super) type AnyCondition = KeywordOrTable<ConditionKeyword, ConditionEntry>;

/// Conditions without parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConditionKeyword {
    /// There is room to stand upright above the feet.
    RoomToStand,
    /// The head is above the hip.
    HeadOverHip,
}

/// A condition: exactly one key; `failed` also needs `times`, and `center_between` needs `within`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a condition in braces")]
pub(super) struct ConditionEntry {
    /// No progress toward the goal during this many planner steps.
    #[schemars(with = "Option<usize>", extend("minimum" = 1))]
    no_progress: Option<Spanned<usize>>,
    /// Progress toward the goal since the mode began, in meters.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    advanced: Option<Spanned<Number>>,
    /// Every effector of the group is in contact.
    #[schemars(with = "Option<String>")]
    all_hold: Option<Spanned<String>>,
    /// Some effector is in contact with a hold of this type.
    holds_on: Option<HoldTypeEntry>,
    /// The spine leans at most this far from the vertical, in degrees.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    upright: Option<Spanned<Number>>,
    /// The path to the goal leads backward for at least this many meters.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    way_is_behind: Option<Spanned<Number>>,
    /// The path to the goal descends by at least this many meters before it has gone twice as far sideways.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    way_goes_down: Option<Spanned<Number>>,
    /// The conditions `after` this edge failed this many `times` in a row, although its holds were found.
    #[schemars(with = "Option<String>")]
    failed: Option<Spanned<String>>,
    /// Number of consecutive failures.
    #[schemars(with = "Option<usize>", extend("minimum" = 1))]
    times: Option<Spanned<usize>>,
    /// The center of mass is between the contacts of this group.
    #[schemars(with = "Option<String>")]
    center_between: Option<Spanned<String>>,
    /// Largest distance outside the support, in meters.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    within: Option<Spanned<Number>>,
}

impl VariantTable for ConditionEntry {
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

pub(super) fn condition(
    source: &Source,
    entry: &Spanned<AnyCondition>,
    names: &KnownNames,
) -> Result<Condition, FileError> {
    let table = match entry.get_ref() {
        KeywordOrTable::Keyword(ConditionKeyword::RoomToStand) => return Ok(Condition::RoomToStand),
        KeywordOrTable::Keyword(ConditionKeyword::HeadOverHip) => return Ok(Condition::HeadOverHip),
        KeywordOrTable::Table(table) => table,
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
    require_one_key(source, entry.span(), "condition", ConditionEntry::KEYS, &given)?;
    let times = require_companion(source, entry.span(), ["times", "failed"], failed.is_some(), times.as_ref())?;
    let within = require_companion(
        source,
        entry.span(),
        ["within", "center_between"],
        center_between.is_some(),
        within.as_ref(),
    )?;
    let count = |number: &Spanned<usize>| match *number.get_ref() {
        0 => Err(source.error(number.span(), "this must be at least 1").with_help("write a positive whole number")),
        count => Ok(count),
    };
    let length = |number: &Spanned<Number>| non_negative(source, number, "a distance");
    let group = |name: &Spanned<String>| find_named::<GroupId, _>(source, "group", name, &names.groups);
    if let Some(steps) = no_progress {
        return count(steps).map(Condition::NoProgress);
    }
    if let Some(distance) = advanced {
        return length(distance).map(Condition::AdvancedSinceModeBegan);
    }
    if let Some(name) = all_hold {
        return group(name).map(Condition::AllInContact);
    }
    if let Some(hold_type) = holds_on {
        return Ok(Condition::AnyContactOnType(hold_type.hold_type()));
    }
    if let Some(angle) = upright {
        return Ok(Condition::Upright(non_negative(source, angle, "an angle")?.to_radians()));
    }
    if let Some(distance) = way_is_behind {
        return length(distance).map(Condition::RouteIsBehind);
    }
    if let Some(distance) = way_goes_down {
        return length(distance).map(Condition::RouteGoesDown);
    }
    if let (Some(name), Some(times)) = (failed, times) {
        let edge = find_named(source, "edge", name, &names.edges)?;
        return Ok(Condition::EdgeFailed { edge, times: count(times)? });
    }
    if let (Some(name), Some(within)) = (center_between, within) {
        return Ok(Condition::CenterBetween(Balance { group: group(name)?, within: length(within)? }));
    }
    Err(source.error(entry.span(), "the condition is empty"))
}
