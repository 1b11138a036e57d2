//! Edges: when they may be taken, the holds that they take, and what they do.

use std::collections::BTreeMap;

use clamber_model::mode::{Apart, Close, Condition, Edge, Effect, Mark, Take};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::condition::{AnyCondition, condition};
use super::effect::{AnyEffect, effect};
use super::word::Names;
use super::{not_negative, some_types};
use crate::error::{FileError, Source};
use crate::fields::{HoldTypeEntry, Number};
use crate::parse::{find_named, in_order};

/// The most conditions, holds to take or effects of an edge.
const MOST: usize = 20;

/// A step within a mode, or a transition between two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an edge")]
pub(super) struct EdgeEntry {
    /// Unique among the edges.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The mode it begins in.
    #[schemars(with = "String")]
    from: Spanned<String>,
    /// The mode it ends in.
    #[schemars(with = "String")]
    to: Spanned<String>,
    /// All must be true before anything is looked for.
    #[serde(default)]
    #[schemars(with = "Vec<AnyCondition>", extend("maxItems" = MOST))]
    when: Vec<Spanned<AnyCondition>>,
    /// Holds to be found, all of them, in order.
    #[serde(default)]
    #[schemars(with = "Vec<TakeEntry>", extend("maxItems" = MOST))]
    take: Vec<Spanned<TakeEntry>>,
    /// What is done then, in order.
    #[serde(default, rename = "do")]
    #[schemars(with = "Vec<AnyEffect>", extend("maxItems" = MOST))]
    effects: Vec<Spanned<AnyEffect>>,
    /// All must be true when it is done; otherwise nothing was done.
    #[serde(default)]
    #[schemars(with = "Vec<AnyCondition>", extend("maxItems" = MOST))]
    after: Vec<Spanned<AnyCondition>>,
}

/// A hold to be found, and the free effector that shall take it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { with = [\"feet\"], on = [\"load-bearing\"] }")]
struct TakeEntry {
    /// The groups of which an effector must be free.
    #[schemars(with = "Vec<String>")]
    with: Spanned<Vec<Spanned<String>>>,
    /// The types of hold that are looked for.
    #[schemars(with = "Vec<HoldTypeEntry>")]
    on: Spanned<Vec<HoldTypeEntry>>,
    /// The hold is nearer to the goal than what the others of the group hold on to.
    #[serde(default)]
    nearer: bool,
    /// The hold is farther than this from what these groups hold on to, in metres.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    apart: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// The hold is no farther than this from something that each of these groups holds on to, in metres.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    close: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// The hold is higher than this.
    above: Option<MarkEntry>,
    /// The hold is lower than this.
    below: Option<MarkEntry>,
    /// It is the hold that this group held on to before `back_up`.
    #[schemars(with = "Option<String>")]
    left_by: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MarkEntry {
    /// The joint of the head.
    Head,
    /// The middle of the joints of the legs.
    Hip,
}

impl MarkEntry {
    fn mark(self) -> Mark {
        match self {
            Self::Head => Mark::Head,
            Self::Hip => Mark::Hip,
        }
    }
}

impl EdgeEntry {
    pub fn edge(&self, source: &Source, names: &Names) -> Result<Edge, FileError> {
        let counts = [self.when.len(), self.take.len(), self.effects.len(), self.after.len()];
        if counts.into_iter().any(|count| count > MOST) {
            let message = format!("no list of an edge may be longer than {MOST}");
            return Err(source.error(self.name.span(), message).with_help("make several edges of it"));
        }
        let conditions = |entries: &[Spanned<AnyCondition>]| {
            entries.iter().map(|entry| condition(source, entry, names)).collect::<Result<Vec<Condition>, FileError>>()
        };
        let edge = Edge {
            name: self.name.get_ref().clone(),
            from: find_named(source, "mode", &self.from, &names.modes)?,
            to: find_named(source, "mode", &self.to, &names.modes)?,
            when: conditions(&self.when)?,
            take: self.take.iter().map(|entry| take(source, entry.get_ref(), names)).collect::<Result<_, _>>()?,
            effects: self.effects.iter().map(|entry| effect(source, entry, names)).collect::<Result<_, _>>()?,
            after: conditions(&self.after)?,
        };
        self.refuse_nonsense(source, &edge)?;
        Ok(edge)
    }

    /// Refuses words that are each right and mean nothing together.
    fn refuse_nonsense(&self, source: &Source, edge: &Edge) -> Result<(), FileError> {
        let places = |wanted: Effect| {
            let places = edge.effects.iter().enumerate().filter(move |(_, effect)| **effect == wanted);
            places.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        let (attach, wander) = (places(Effect::Attach), places(Effect::Wander));
        let at = |place: usize| self.effects[place].span();
        let refuse = |span, message: &str, help: &str| Err(source.error(span, message).with_help(help));
        for (word, found) in [("attach", &attach), ("wander", &wander)] {
            if let [_, second, ..] = found[..] {
                return refuse(
                    at(second),
                    &format!("`{word}` is there twice"),
                    "one brings all effectors to their holds",
                );
            }
        }
        match (self.take.first(), attach.first()) {
            (Some(take), None) => {
                return refuse(take.span(), "the hold is found and not taken", "add \"attach\" to `do`");
            }
            (None, Some(&place)) => {
                let help = "add `take`, the holds to be found, or leave \"attach\" out";
                return refuse(at(place), "there is nothing to attach to", help);
            }
            _ => {}
        }
        if let Some(&place) = wander.first()
            && attach.first().is_none_or(|&attach| attach < place)
        {
            let help = "it wanders until the holds of `take` can be reached, so \"attach\" comes after it";
            return refuse(at(place), "`wander` must come before `attach`", help);
        }
        for (entry, take) in self.take.iter().zip(&edge.take) {
            let (Some(group), Some(given)) = (take.left_by, &entry.get_ref().left_by) else { continue };
            let back_up = places(Effect::BackUp(group)).first().copied();
            if back_up.is_none_or(|back_up| attach.first().is_some_and(|&attach| attach < back_up)) {
                let help = format!("add {{ back_up = \"{}\" }} to `do`, before \"attach\"", given.get_ref());
                return refuse(given.span(), "`left_by` is for edges that back up", &help);
            }
        }
        Ok(())
    }
}

fn take(source: &Source, entry: &TakeEntry, names: &Names) -> Result<Take, FileError> {
    let group = |name: &Spanned<String>| find_named(source, "group", name, &names.groups);
    let mut groups = Vec::new();
    for name in entry.with.get_ref() {
        let found = group(name)?;
        if groups.contains(&found) {
            return Err(source.error(name.span(), "the group is named twice").with_help("leave one out"));
        }
        groups.push(found);
    }
    if groups.is_empty() {
        let help = "name at least one group, as in with = [\"feet\"]";
        return Err(source.error(entry.with.span(), "nothing takes the hold").with_help(help));
    }
    let mut apart = Vec::new();
    for (name, by) in in_order(&entry.apart) {
        apart.push(Apart { group: group(name)?, by: not_negative(source, by, "a distance")? });
    }
    let mut close = Vec::new();
    for (name, by) in in_order(&entry.close) {
        close.push(Close { group: group(name)?, by: not_negative(source, by, "a distance")? });
    }
    Ok(Take {
        groups,
        types: some_types(source, &entry.on)?,
        nearer: entry.nearer,
        apart,
        close,
        above: entry.above.map(MarkEntry::mark),
        below: entry.below.map(MarkEntry::mark),
        left_by: entry.left_by.as_ref().map(group).transpose()?,
    })
}
