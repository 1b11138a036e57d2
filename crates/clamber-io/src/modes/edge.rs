//! Edges: the words of conditions, of holds to take, and of effects.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use clamber_model::mode::{Apart, Balance, Condition, Edge, Effect, Mark, Take};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::{not_negative, some_types};
use crate::error::{FileError, Source};
use crate::fields::{HoldTypeEntry, Number};
use crate::parse::{find_named, in_order};

/// The most conditions, holds to take or effects of an edge.
const MOST: usize = 20;

/// What edges may name.
pub(super) struct Names<'a> {
    pub groups: Vec<&'a str>,
    pub modes: Vec<&'a str>,
    pub edges: Vec<&'a str>,
}

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
    #[schemars(with = "Vec<WordOr<ConditionWord, ConditionEntry>>", extend("maxItems" = MOST))]
    when: Spanneds<WordOr<ConditionWord, ConditionEntry>>,
    /// Holds to be found, all of them, in order.
    #[serde(default)]
    #[schemars(with = "Vec<TakeEntry>", extend("maxItems" = MOST))]
    take: Spanneds<TakeEntry>,
    /// What is done then, in order.
    #[serde(default, rename = "do")]
    #[schemars(with = "Vec<WordOr<EffectWord, EffectEntry>>", extend("maxItems" = MOST))]
    effects: Spanneds<WordOr<EffectWord, EffectEntry>>,
    /// All must be true when it is done; otherwise nothing was done.
    #[serde(default)]
    #[schemars(with = "Vec<WordOr<ConditionWord, ConditionEntry>>", extend("maxItems" = MOST))]
    after: Spanneds<WordOr<ConditionWord, ConditionEntry>>,
}

type Spanneds<T> = Vec<Spanned<T>>;

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

/// A word, or a table for what needs more.
#[derive(Debug)]
enum WordOr<W, T> {
    Word(W),
    Table(Box<T>),
}

/// A table of which exactly one key says what it is; further keys belong to it.
trait Table {
    const KEYS: &[&str];
}

impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + Table> Deserialize<'de> for WordOr<W, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<W, T>(PhantomData<(W, T)>);
        impl<'de, W: Deserialize<'de>, T: Deserialize<'de> + Table> Visitor<'de> for Either<W, T> {
            type Value = WordOr<W, T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a word in quotes or a table in braces")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
                if T::KEYS.contains(&word) {
                    return Err(E::custom(format!("`{word}` needs braces, as in {{ {word} = ... }}")));
                }
                W::deserialize(StrDeserializer::new(word)).map(WordOr::Word)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|table| WordOr::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<W: JsonSchema, T: JsonSchema> JsonSchema for WordOr<W, T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Or{}", W::schema_name(), T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (word, table) = (generator.subschema_for::<W>(), generator.subschema_for::<T>());
        json_schema!({ "anyOf": [word, table] })
    }
}

/// Conditions that need no more than a word.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ConditionWord {
    /// There is room for the character to stand where its feet are.
    RoomToStand,
    /// The head is above the hip.
    HeadOverHip,
}

/// A condition: one of its keys, `failed` with `times`, `center_between` with `within`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a condition in braces")]
struct ConditionEntry {
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
    /// The way to the goal leads backwards, for at least this many metres.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    way_is_behind: Option<Spanned<Number>>,
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
    const KEYS: &[&str] =
        &["no_progress", "advanced", "all_hold", "holds_on", "way_is_behind", "failed", "center_between"];
}

/// Effects that need no more than a word.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum EffectWord {
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
struct EffectEntry {
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

impl EdgeEntry {
    pub fn edge(&self, source: &Source, names: &Names) -> Result<Edge, FileError> {
        let counts = [self.when.len(), self.take.len(), self.effects.len(), self.after.len()];
        if counts.into_iter().any(|count| count > MOST) {
            let message = format!("no list of an edge may be longer than {MOST}");
            return Err(source.error(self.name.span(), message).with_help("make several edges of it"));
        }
        let conditions = |entries: &[Spanned<WordOr<ConditionWord, ConditionEntry>>]| {
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
    Ok(Take {
        groups,
        types: some_types(source, &entry.on)?,
        nearer: entry.nearer,
        apart,
        above: entry.above.map(MarkEntry::mark),
        below: entry.below.map(MarkEntry::mark),
        left_by: entry.left_by.as_ref().map(group).transpose()?,
    })
}

/// Refuses a table of which not exactly one key is given.
fn refuse_all_but_one(
    source: &Source,
    place: Range<usize>,
    what: &str,
    keys: &[&str],
    given: &[bool],
) -> Result<(), FileError> {
    let list = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<String>>().join(", ");
    let found: Vec<&str> = keys.iter().zip(given).filter(|(_, given)| **given).map(|(key, _)| *key).collect();
    match found.as_slice() {
        [_] => Ok(()),
        [] => {
            let message = format!("this says no {what}");
            Err(source.error(place, message).with_help(format!("known here: {}", list(keys))))
        }
        several => {
            let message = format!("these are several {what}s: {}", list(several));
            Err(source.error(place, message).with_help("give each braces of its own"))
        }
    }
}

/// A key that belongs to another one: there with it, and not without.
fn companion<'a, T>(
    source: &Source,
    place: Range<usize>,
    [key, of]: [&str; 2],
    is_wanted: bool,
    given: Option<&'a Spanned<T>>,
) -> Result<Option<&'a Spanned<T>>, FileError> {
    match given {
        None if is_wanted => {
            let message = format!("`{of}` needs `{key}`");
            Err(source.error(place, message).with_help(format!("add `{key}` within the braces")))
        }
        Some(given) if !is_wanted => {
            let message = format!("`{key}` belongs to `{of}`, which is not here");
            Err(source.error(given.span(), message).with_help("leave it out"))
        }
        given => Ok(given),
    }
}

fn condition(
    source: &Source,
    entry: &Spanned<WordOr<ConditionWord, ConditionEntry>>,
    names: &Names,
) -> Result<Condition, FileError> {
    let table = match entry.get_ref() {
        WordOr::Word(ConditionWord::RoomToStand) => return Ok(Condition::RoomToStand),
        WordOr::Word(ConditionWord::HeadOverHip) => return Ok(Condition::HeadOverHip),
        WordOr::Table(table) => table,
    };
    let ConditionEntry { no_progress, advanced, all_hold, holds_on, way_is_behind, failed, times, .. } = &**table;
    let ConditionEntry { center_between, within, .. } = &**table;
    let given = [
        no_progress.is_some(),
        advanced.is_some(),
        all_hold.is_some(),
        holds_on.is_some(),
        way_is_behind.is_some(),
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
    if let Some(way) = way_is_behind {
        return length(way).map(Condition::WayIsBehind);
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

fn effect(
    source: &Source,
    entry: &Spanned<WordOr<EffectWord, EffectEntry>>,
    names: &Names,
) -> Result<Effect, FileError> {
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
