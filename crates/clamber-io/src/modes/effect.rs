//! Effects: what an edge does.

use clamber_model::mode::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::word::{Names, Table, WordOr, companion, refuse_all_but_one};
use crate::error::{FileError, Source};
use crate::fields::Number;
use crate::parse::find_named;

/// An effect as it is written.
pub(super) type AnyEffect = WordOr<EffectWord, EffectEntry>;

/// Effects that need no more than a word.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EffectWord {
    /// The free effectors are brought to the holds that `take` found.
    Attach,
    /// Wanders about until what `take` names can be reached.
    Wander,
    /// Turns half around about the vertical, on the contacts.
    TurnAround,
}

/// An effect: one of its keys, `detach_stretched` with `then` and `otherwise`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an effect in braces")]
pub(super) struct EffectEntry {
    /// Posture correction by the heuristics of this mode.
    #[schemars(with = "Option<String>")]
    correct: Option<Spanned<String>>,
    /// All contacts of the group are left but those just made.
    #[schemars(with = "Option<String>")]
    detach: Option<Spanned<String>>,
    /// The contact of the group that is farthest from the goal is left.
    #[schemars(with = "Option<String>")]
    detach_rear: Option<Spanned<String>>,
    /// When hands and feet are farther apart than this share of the most that is possible, the rear contact of `then` is
    /// left, otherwise that of `otherwise`.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = 1))]
    detach_stretched: Option<Spanned<Number>>,
    /// A group.
    #[schemars(with = "Option<String>")]
    then: Option<Spanned<String>>,
    /// A group.
    #[schemars(with = "Option<String>")]
    otherwise: Option<Spanned<String>>,
    /// Goes back along the way so far until all effectors of the group hold on to something else than now.
    #[schemars(with = "Option<String>")]
    back_up: Option<Spanned<String>>,
}

impl Table for EffectEntry {
    const KEYS: &[&str] = &["correct", "detach", "detach_rear", "detach_stretched", "back_up"];
}

pub(super) fn effect(source: &Source, entry: &Spanned<AnyEffect>, names: &Names) -> Result<Effect, FileError> {
    let table = match entry.get_ref() {
        WordOr::Word(EffectWord::Attach) => return Ok(Effect::Attach),
        WordOr::Word(EffectWord::Wander) => return Ok(Effect::Wander),
        WordOr::Word(EffectWord::TurnAround) => return Ok(Effect::TurnAround),
        WordOr::Table(table) => table,
    };
    let EffectEntry { correct, detach, detach_rear, detach_stretched, then, otherwise, back_up } = &**table;
    let given =
        [correct.is_some(), detach.is_some(), detach_rear.is_some(), detach_stretched.is_some(), back_up.is_some()];
    refuse_all_but_one(source, entry.span(), "effect", EffectEntry::KEYS, &given)?;
    let is_stretched = detach_stretched.is_some();
    let then = companion(source, entry.span(), ["then", "detach_stretched"], is_stretched, then.as_ref())?;
    let otherwise =
        companion(source, entry.span(), ["otherwise", "detach_stretched"], is_stretched, otherwise.as_ref())?;
    let group = |name: &Spanned<String>| find_named(source, "group", name, &names.groups);
    if let Some(mode) = correct {
        return find_named(source, "mode", mode, &names.modes).map(Effect::Correct);
    }
    if let Some(name) = detach {
        return group(name).map(Effect::Detach);
    }
    if let Some(name) = detach_rear {
        return group(name).map(Effect::DetachRear);
    }
    if let Some(name) = back_up {
        return group(name).map(Effect::BackUp);
    }
    if let (Some(share), Some(then), Some(otherwise)) = (detach_stretched, then, otherwise) {
        let Number(value) = *share.get_ref();
        if !(0.0..=1.0).contains(&value) {
            let help = "1 is as far apart as hands and feet can be";
            return Err(source.error(share.span(), "a share is a number from 0 to 1").with_help(help));
        }
        return Ok(Effect::DetachStretched { share: value, then: group(then)?, otherwise: group(otherwise)? });
    }
    Err(source.error(entry.span(), "this says no effect"))
}
