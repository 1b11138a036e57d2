//! Effects of edges.

use clamber_model::id::GroupId;
use clamber_model::mode_table::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::keyword_or_table::{KeywordOrTable, KnownNames, VariantTable, require_companion, require_one_key};
use crate::common_field_types::{Number, fraction};
use crate::error::{FileError, Source};
use crate::suggest_name::find_named;

/// An effect in either notation.
pub(super) type AnyEffect = KeywordOrTable<EffectKeyword, EffectEntry>;

/// Effects without parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EffectKeyword {
    /// Moves the free effectors to the holds of `take`.
    Attach,
    /// Moves the body at random until the holds of `take` are in reach.
    Wander,
    /// Makes a half turn about the vertical on the current contacts.
    TurnAround,
}

/// An effect: exactly one key; `detach_stretched` also needs `then` and `otherwise`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an effect in braces")]
pub(super) struct EffectEntry {
    /// Corrects the posture with the heuristics of this mode.
    #[schemars(with = "Option<String>")]
    correct: Option<Spanned<String>>,
    /// Releases all contacts of the group except those just made.
    #[schemars(with = "Option<String>")]
    detach: Option<Spanned<String>>,
    /// Releases the contact of the group that is farthest from the goal.
    #[schemars(with = "Option<String>")]
    detach_rear: Option<Spanned<String>>,
    /// If the distance between contacts at the two ends of the body's span exceeds this fraction of the span, releases the
    /// rear contact of `then`, otherwise that of `otherwise`.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = 1))]
    detach_stretched: Option<Spanned<Number>>,
    /// Group to release from when stretched.
    #[schemars(with = "Option<String>")]
    then: Option<Spanned<String>>,
    /// Group to release from otherwise.
    #[schemars(with = "Option<String>")]
    otherwise: Option<Spanned<String>>,
    /// Rewinds the motion until every effector of the group is on another hold than now.
    #[schemars(with = "Option<String>")]
    back_up: Option<Spanned<String>>,
}

impl VariantTable for EffectEntry {
    const KEYS: &[&str] = &["correct", "detach", "detach_rear", "detach_stretched", "back_up"];
}

pub(super) fn effect(source: &Source, entry: &Spanned<AnyEffect>, names: &KnownNames) -> Result<Effect, FileError> {
    let table = match entry.get_ref() {
        KeywordOrTable::Keyword(EffectKeyword::Attach) => return Ok(Effect::Attach),
        KeywordOrTable::Keyword(EffectKeyword::Wander) => return Ok(Effect::WanderIntoReach),
        KeywordOrTable::Keyword(EffectKeyword::TurnAround) => return Ok(Effect::TurnAround),
        KeywordOrTable::Table(table) => table,
    };
    let EffectEntry { correct, detach, detach_rear, detach_stretched, then, otherwise, back_up } = &**table;
    let given =
        [correct.is_some(), detach.is_some(), detach_rear.is_some(), detach_stretched.is_some(), back_up.is_some()];
    require_one_key(source, entry.span(), "effect", EffectEntry::KEYS, &given)?;
    let is_stretched = detach_stretched.is_some();
    let then = require_companion(source, entry.span(), ["then", "detach_stretched"], is_stretched, then.as_ref())?;
    let otherwise =
        require_companion(source, entry.span(), ["otherwise", "detach_stretched"], is_stretched, otherwise.as_ref())?;
    let group = |name: &Spanned<String>| find_named::<GroupId, _>(source, "group", name, &names.groups);
    if let Some(mode) = correct {
        return find_named(source, "mode", mode, &names.modes).map(Effect::CorrectPosture);
    }
    if let Some(name) = detach {
        return group(name).map(Effect::Detach);
    }
    if let Some(name) = detach_rear {
        return group(name).map(Effect::DetachRear);
    }
    if let Some(name) = back_up {
        return group(name).map(Effect::RetracePath);
    }
    if let (Some(share), Some(then), Some(otherwise)) = (detach_stretched, then, otherwise) {
        return Ok(Effect::DetachRearBySpan {
            span_fraction: fraction(source, share, "1 is the span of the body, its greatest possible stretch")?,
            if_stretched: group(then)?,
            if_bent: group(otherwise)?,
        });
    }
    Err(source.error(entry.span(), "the effect is empty"))
}
