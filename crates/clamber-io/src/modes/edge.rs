//! Edges: their conditions, the holds they take and their effects.

use std::collections::BTreeMap;

use clamber_model::id::GroupId;
use clamber_model::mode_table::{Condition, Edge, Effect, HoldToTake, MaxSeparation, MinSeparation};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::edge_condition::{AnyCondition, condition};
use super::edge_effect::{AnyEffect, effect};
use super::keyword_or_table::KnownNames;
use crate::common_field_types::{HoldTypeEntry, Number, non_negative, nonempty_hold_types};
use crate::error::{FileError, Source};
use crate::parse::in_order;
use crate::suggest_name::find_named;

/// Most conditions, holds to take or effects per edge.
const MAX_LIST: usize = 20;

/// A step within a mode, or a transition between two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an edge")]
pub(super) struct EdgeEntry {
    /// Unique among the edges.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The mode before the edge.
    #[schemars(with = "String")]
    from: Spanned<String>,
    /// The mode after the edge.
    #[schemars(with = "String")]
    to: Spanned<String>,
    /// Conditions that must all hold before the search for holds.
    #[serde(default)]
    #[schemars(with = "Vec<AnyCondition>", extend("maxItems" = MAX_LIST))]
    when: Vec<Spanned<AnyCondition>>,
    /// Holds to find, all of them, in order.
    #[serde(default)]
    #[schemars(with = "Vec<TakeEntry>", extend("maxItems" = MAX_LIST))]
    take: Vec<Spanned<TakeEntry>>,
    /// Effects, in order.
    #[serde(default, rename = "do")]
    #[schemars(with = "Vec<AnyEffect>", extend("maxItems" = MAX_LIST))]
    effects: Vec<Spanned<AnyEffect>>,
    /// Conditions that must all hold afterward; otherwise the edge is undone.
    #[serde(default)]
    #[schemars(with = "Vec<AnyCondition>", extend("maxItems" = MAX_LIST))]
    after: Vec<Spanned<AnyCondition>>,
}

/// A hold to find, and the groups that may take it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { with = [\"feet\"], on = [\"load-bearing\"] }")]
struct TakeEntry {
    /// Groups of which a free effector takes the hold.
    #[schemars(with = "Vec<String>")]
    with: Spanned<Vec<Spanned<String>>>,
    /// All free effectors of one of these groups take holds in the same step.
    #[schemars(with = "Option<bool>")]
    together: Option<Spanned<bool>>,
    /// Types of the hold.
    #[schemars(with = "Vec<HoldTypeEntry>")]
    on: Spanned<Vec<HoldTypeEntry>>,
    /// The hold is closer to the goal than the other contacts of the group.
    #[serde(default)]
    nearer: bool,
    /// The body faces the surface of the hold, or the surface is level.
    #[serde(default)]
    faced: bool,
    /// The surface goes on around the contact, unlike a rung or a small ledge. In space only.
    #[serde(default)]
    wide: bool,
    /// Smallest distance between the hold and the contacts of these groups, in meters.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    apart: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// Largest distance between the hold and the nearest contact of each of these groups, in meters.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    close: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// The hold is above this landmark.
    #[schemars(with = "Option<String>")]
    above: Option<Spanned<String>>,
    /// The hold is below this landmark.
    #[schemars(with = "Option<String>")]
    below: Option<Spanned<String>>,
    /// The hold is the one that this group used before `back_up`.
    #[schemars(with = "Option<String>")]
    left_by: Option<Spanned<String>>,
}

impl EdgeEntry {
    pub fn edge(&self, source: &Source, names: &KnownNames) -> Result<Edge, FileError> {
        let counts = [self.when.len(), self.take.len(), self.effects.len(), self.after.len()];
        if counts.into_iter().any(|count| count > MAX_LIST) {
            let message = format!("no list of an edge may have more items than {MAX_LIST}");
            return Err(source.error(self.name.span(), message).with_help("split it into several edges"));
        }
        let conditions = |entries: &[Spanned<AnyCondition>]| {
            entries.iter().map(|entry| condition(source, entry, names)).collect::<Result<Vec<Condition>, FileError>>()
        };
        let edge = Edge {
            name: self.name.get_ref().clone(),
            from: find_named(source, "mode", &self.from, &names.modes)?,
            to: find_named(source, "mode", &self.to, &names.modes)?,
            preconditions: conditions(&self.when)?,
            holds_to_take: self
                .take
                .iter()
                .map(|entry| take(source, entry.get_ref(), names))
                .collect::<Result<_, _>>()?,
            effects: self.effects.iter().map(|entry| effect(source, entry, names)).collect::<Result<_, _>>()?,
            postconditions: conditions(&self.after)?,
        };
        self.reject_contradictions(source, &edge)?;
        Ok(edge)
    }

    /// Rejects combinations that contradict each other.
    fn reject_contradictions(&self, source: &Source, edge: &Edge) -> Result<(), FileError> {
        let places = |wanted: Effect| {
            let places = edge.effects.iter().enumerate().filter(move |(_, effect)| **effect == wanted);
            places.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        let (attach, wander) = (places(Effect::Attach), places(Effect::WanderIntoReach));
        let at = |place: usize| self.effects[place].span();
        let reject = |span, message: &str, help: &str| Err(source.error(span, message).with_help(help));
        for (word, found) in [("attach", &attach), ("wander", &wander)] {
            if let [_, second, ..] = found[..] {
                return reject(
                    at(second),
                    &format!("`{word}` appears twice"),
                    "keep one: it moves all effectors to their holds",
                );
            }
        }
        match (self.take.first(), attach.first()) {
            (Some(take), None) => {
                return reject(take.span(), "the hold is never attached to", "add \"attach\" to `do`");
            }
            (None, Some(&place)) => {
                let help = "add `take` with the holds to find, or remove \"attach\"";
                return reject(at(place), "there is nothing to attach to", help);
            }
            _ => {}
        }
        if let Some(&place) = wander.first()
            && attach.first().is_none_or(|&attach| attach < place)
        {
            let help = "move \"wander\" before \"attach\": it moves the body until the holds of `take` are in reach";
            return reject(at(place), "`wander` must come before `attach`", help);
        }
        for (entry, take) in self.take.iter().zip(&edge.holds_to_take) {
            let (Some(group), Some(given)) = (take.held_before_retracing_by, &entry.get_ref().left_by) else {
                continue;
            };
            let back_up = places(Effect::RetracePath(group)).first().copied();
            if back_up.is_none_or(|back_up| attach.first().is_some_and(|&attach| attach < back_up)) {
                let help = format!("add {{ back_up = \"{}\" }} to `do`, before \"attach\"", given.get_ref());
                return reject(given.span(), "`left_by` needs an edge that backs up", &help);
            }
        }
        Ok(())
    }
}

fn take(source: &Source, entry: &TakeEntry, names: &KnownNames) -> Result<HoldToTake, FileError> {
    let group = |name: &Spanned<String>| find_named::<GroupId, _>(source, "group", name, &names.groups);
    let landmark = |name: &Spanned<String>| names.body.landmark(source, name);
    let mut groups = Vec::new();
    for name in entry.with.get_ref() {
        let found = group(name)?;
        if groups.contains(&found) {
            return Err(source.error(name.span(), "the group appears twice").with_help("remove one"));
        }
        groups.push(found);
    }
    if groups.is_empty() {
        let help = "list at least one group, as in with = [\"feet\"]";
        return Err(source.error(entry.with.span(), "no group takes the hold").with_help(help));
    }
    let together = entry.together.as_ref().filter(|together| *together.get_ref());
    if let Some(together) = together {
        reject_single_movers(source, together, entry, names)?;
    }
    let mut apart = Vec::new();
    for (name, by) in in_order(&entry.apart) {
        apart.push(MinSeparation { from_group: group(name)?, by: non_negative(source, by, "a distance")? });
    }
    let mut close = Vec::new();
    for (name, by) in in_order(&entry.close) {
        close.push(MaxSeparation { to_group: group(name)?, by: non_negative(source, by, "a distance")? });
    }
    Ok(HoldToTake {
        groups,
        together: together.is_some(),
        types: nonempty_hold_types(source, &entry.on)?,
        must_pass_siblings: entry.nearer,
        must_be_faced: entry.faced,
        must_be_wide: entry.wide,
        min_separations: apart,
        max_separations: close,
        above_landmark: entry.above.as_ref().map(landmark).transpose()?,
        below_landmark: entry.below.as_ref().map(landmark).transpose()?,
        held_before_retracing_by: entry.left_by.as_ref().map(group).transpose()?,
    })
}

/// Rejects a take whose effectors cannot move together.
fn reject_single_movers(
    source: &Source,
    together: &Spanned<bool>,
    entry: &TakeEntry,
    names: &KnownNames,
) -> Result<(), FileError> {
    if let Some(left_by) = &entry.left_by {
        let help = "remove `together` or `left_by`: the hold that was left is for one effector";
        return Err(source.error(left_by.span(), "several effectors cannot take one hold").with_help(help));
    }
    for name in entry.with.get_ref() {
        let group: GroupId = find_named(source, "group", name, &names.groups)?;
        if names.group_sizes[group.index()] < 2 {
            let message = format!("the group `{}` has one effector, which moves alone", name.get_ref());
            let help = "remove `together`, or name a group of those that move together";
            return Err(source.error(together.span(), message).with_help(help));
        }
    }
    Ok(())
}
