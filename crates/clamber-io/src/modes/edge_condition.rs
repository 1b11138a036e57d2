//! Conditions of edges.

use std::ops::Range;

use clamber_model::id::GroupId;
use clamber_model::mode_table::{Balance, Condition};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::keyword_or_table::{KeywordOrTable, KnownNames, VariantTable, require_companion, require_one_key};
use super::version_1::ConditionKeyword;
use crate::common_field_types::{HoldTypeEntry, Number, fraction, non_negative};
use crate::error::{FileError, Source};
use crate::suggest_name::find_named;

/// A condition in either notation.
pub(super) type AnyCondition = KeywordOrTable<ConditionKeyword, ConditionEntry>;

/// A condition: exactly one key; `failed` also needs `times`, `center_between` needs `within`, `higher` needs `than`,
/// `room_above` needs `or_at`, `stretched` needs `limbs`, and `upright` needs `line`.
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
    /// Some effector of the group is in contact.
    #[schemars(with = "Option<String>")]
    any_hold: Option<Spanned<String>>,
    /// Some effector is in contact with a hold of this type.
    holds_on: Option<HoldTypeEntry>,
    /// A line of the body leans at most this far from the vertical, in degrees.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    upright: Option<Spanned<Number>>,
    /// The landmarks at the lower and the upper end of the line; not in version 1, where it is the spine.
    #[schemars(with = "Option<[String; 2]>")]
    line: Option<Spanned<[Spanned<String>; 2]>>,
    /// Of the limbs of a role, one in contact is stretched to at least this share of its length.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = 1))]
    stretched: Option<Spanned<Number>>,
    /// The role of the limbs.
    #[schemars(with = "Option<String>")]
    limbs: Option<Spanned<String>>,
    /// This landmark is higher than another.
    #[schemars(with = "Option<String>")]
    higher: Option<Spanned<String>>,
    /// The lower landmark.
    #[schemars(with = "Option<String>")]
    than: Option<Spanned<String>>,
    /// There is room for the body at its rest height above the tips of the limbs of this role.
    #[schemars(with = "Option<String>")]
    room_above: Option<Spanned<String>>,
    /// The room may as well be at this landmark.
    #[schemars(with = "Option<String>")]
    or_at: Option<Spanned<String>>,
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
    /// Whether the motion has to be in static equilibrium at every moment, which is a setting of the planner.
    equilibrium: Option<RequiredEntry>,
}

/// The value of `equilibrium`.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
enum RequiredEntry {
    #[serde(rename = "required")]
    Required,
    #[serde(rename = "not-required")]
    NotRequired,
}

impl RequiredEntry {
    fn condition(self) -> Condition {
        match self {
            Self::Required => Condition::EquilibriumRequired,
            Self::NotRequired => Condition::EquilibriumNotRequired,
        }
    }
}

impl VariantTable for ConditionEntry {
    const KEYS: &[&str] = &[
        "no_progress",
        "advanced",
        "all_hold",
        "any_hold",
        "holds_on",
        "upright",
        "stretched",
        "way_is_behind",
        "way_goes_down",
        "failed",
        "center_between",
        "higher",
        "room_above",
        "equilibrium",
    ];
}

/// Makes a condition of a distance in meters.
type OfDistance = fn(f32) -> Condition;

/// The distance of a condition that consists of one, and what it becomes.
fn distance_condition(table: &ConditionEntry) -> Option<(&Spanned<Number>, OfDistance)> {
    let ConditionEntry { advanced, way_is_behind, way_goes_down, .. } = table;
    let kinds: [(&Option<Spanned<Number>>, OfDistance); 3] = [
        (advanced, Condition::AdvancedSinceModeBegan),
        (way_is_behind, Condition::RouteIsBehind),
        (way_goes_down, Condition::RouteGoesDown),
    ];
    kinds.into_iter().find_map(|(distance, condition)| Some((distance.as_ref()?, condition)))
}

/// Makes a condition of a group.
type OfGroup = fn(GroupId) -> Condition;

/// The group of a condition on what is in contact, and what it becomes.
fn contact_condition(table: &ConditionEntry) -> Option<(&Spanned<String>, OfGroup)> {
    let kinds: [(&Option<Spanned<String>>, OfGroup); 2] =
        [(&table.all_hold, Condition::AllInContact), (&table.any_hold, Condition::AnyInContact)];
    kinds.into_iter().find_map(|(name, condition)| Some((name.as_ref()?, condition)))
}

pub(super) fn condition(
    source: &Source,
    entry: &Spanned<AnyCondition>,
    names: &KnownNames,
) -> Result<Condition, FileError> {
    let table = match (entry.get_ref(), names.version_1) {
        (KeywordOrTable::Keyword(keyword), Some(version_1)) => return Ok(version_1.condition(*keyword)),
        (KeywordOrTable::Keyword(_), None) => return Err(old_keyword(source, entry.span())),
        (KeywordOrTable::Table(table), _) => table,
    };
    let ConditionEntry { no_progress, advanced, all_hold, any_hold, holds_on, failed, times, .. } = &**table;
    let ConditionEntry { upright, stretched, way_is_behind, way_goes_down, center_between, within, .. } = &**table;
    let ConditionEntry { higher, room_above, equilibrium, .. } = &**table;
    let given = [
        no_progress.is_some(),
        advanced.is_some(),
        all_hold.is_some(),
        any_hold.is_some(),
        holds_on.is_some(),
        upright.is_some(),
        stretched.is_some(),
        way_is_behind.is_some(),
        way_goes_down.is_some(),
        failed.is_some(),
        center_between.is_some(),
        higher.is_some(),
        room_above.is_some(),
        equilibrium.is_some(),
    ];
    require_one_key(source, entry.span(), "condition", ConditionEntry::KEYS, &given)?;
    if let Some(condition) = body_condition(source, table, entry.span(), names)? {
        return Ok(condition);
    }
    let times = require_companion(source, entry.span(), ["times", "failed"], failed.is_some(), times.as_ref())?;
    let is_centered = center_between.is_some();
    let within = require_companion(source, entry.span(), ["within", "center_between"], is_centered, within.as_ref())?;
    let count = |number: &Spanned<usize>| match *number.get_ref() {
        0 => Err(source.error(number.span(), "this must be at least 1").with_help("write a positive whole number")),
        count => Ok(count),
    };
    let length = |number: &Spanned<Number>| non_negative(source, number, "a distance");
    let group = |name: &Spanned<String>| find_named::<GroupId, _>(source, "group", name, &names.groups);
    if let Some(steps) = no_progress {
        return count(steps).map(Condition::NoProgress);
    }
    if let Some((name, condition)) = contact_condition(table) {
        return group(name).map(condition);
    }
    if let Some(hold_type) = holds_on {
        return Ok(Condition::AnyContactOnType(hold_type.hold_type()));
    }
    if let Some((distance, condition)) = distance_condition(table) {
        return length(distance).map(condition);
    }
    if let (Some(name), Some(times)) = (failed, times) {
        let edge = find_named(source, "edge", name, &names.edges)?;
        return Ok(Condition::EdgeFailed { edge, times: count(times)? });
    }
    if let Some(equilibrium) = equilibrium {
        return Ok(equilibrium.condition());
    }
    if let (Some(name), Some(within)) = (center_between, within) {
        return Ok(Condition::CenterBetween(Balance { group: group(name)?, within: length(within)? }));
    }
    Err(source.error(entry.span(), "the condition is empty"))
}

fn old_keyword(source: &Source, place: Range<usize>) -> FileError {
    let help = "write { room_above = \"legs\", or_at = \"hip\" } or { higher = \"head\", than = \"hip\" }, with roles and \
                landmarks of the character";
    source.error(place, "this is a condition of version 1").with_help(help)
}

/// A condition on landmarks and limbs.
fn body_condition(
    source: &Source,
    ConditionEntry { upright, line, stretched, limbs, higher, than, room_above, or_at, .. }: &ConditionEntry,
    place: Range<usize>,
    names: &KnownNames,
) -> Result<Option<Condition>, FileError> {
    let companion = |key, of, is_wanted, given| require_companion(source, place.clone(), [key, of], is_wanted, given);
    let than = companion("than", "higher", higher.is_some(), than.as_ref())?;
    let or_at = companion("or_at", "room_above", room_above.is_some(), or_at.as_ref())?;
    let limbs = companion("limbs", "stretched", stretched.is_some(), limbs.as_ref())?;
    let needs_line = upright.is_some() && (names.version_1.is_none() || line.is_some());
    let line = require_companion(source, place.clone(), ["line", "upright"], needs_line, line.as_ref())?;
    if let Some(angle) = upright {
        let line = match (line, names.version_1) {
            (Some(line), _) => names.body.line(source, line.get_ref())?,
            (None, Some(version_1)) => version_1.spine(),
            (None, None) => return Ok(None),
        };
        let max_lean = non_negative(source, angle, "an angle")?.to_radians();
        return Ok(Some(Condition::Upright { line, max_lean }));
    }
    if let (Some(share), Some(role)) = (stretched, limbs) {
        let share = fraction(source, share, "1 is the length of the limb")?;
        return Ok(Some(Condition::Stretched { limbs: names.body.limbs(source, role)?, share }));
    }
    if let (Some(higher), Some(than)) = (higher, than) {
        let (landmark, than) = (names.body.landmark(source, higher)?, names.body.landmark(source, than)?);
        return Ok(Some(Condition::Higher { landmark, than }));
    }
    if let (Some(role), Some(or_at)) = (room_above, or_at) {
        let (on, or_at) = (names.body.limbs(source, role)?, names.body.landmark(source, or_at)?);
        return Ok(Some(Condition::RoomToStand { on, or_at }));
    }
    Ok(None)
}
