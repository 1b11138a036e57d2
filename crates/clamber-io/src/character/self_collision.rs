//! Which links must stay apart: the `[self_collision]` table of a character file.

use clamber_model::character::{CharacterDescription, CharacterError, RootJoint, SelfCollisionRules};
use clamber_model::id::{LimbId, LinkId};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::error::{FileError, Source};
use crate::suggest_name::{abbreviate, find_named};

/// Most allowed pairs.
pub(super) const MAX_ALLOWED: usize = 10_000;

/// Which links may overlap. Links joined directly always may.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { allowed = [[\"chest\", \"pelvis\"]] }")]
pub(super) struct SelfCollisionEntry {
    /// Pairs of links that may overlap. With [symmetry], their mirror images may, too. Default: none.
    #[serde(default)]
    #[schemars(with = "Vec<[String; 2]>", extend("maxItems" = MAX_ALLOWED))]
    pub(super) allowed: Vec<[Spanned<String>; 2]>,
    /// Limbs that lie in layers beside the trunk; links in different layers pass each other. Default: with a planar root, each
    /// limb has a layer of its own; with a free root, there are no layers.
    #[schemars(with = "Option<Vec<Vec<String>>>")]
    layers: Option<Vec<Vec<Spanned<String>>>>,
}

/// The rules of a file. Files of version 1 state none: all links may overlap.
pub(super) fn rules(
    source: &Source,
    entry: &Option<Spanned<SelfCollisionEntry>>,
    version: u32,
    parts: &CharacterDescription,
) -> Result<Option<SelfCollisionRules>, FileError> {
    if version == 1 {
        return match entry {
            None => Ok(None),
            Some(entry) => Err(source
                .error(entry.span(), "`self_collision` is a key of version 2")
                .with_help("set `version` to 2")),
        };
    }
    let mut rules = match parts.root_joint {
        RootJoint::Planar => SelfCollisionRules::with_layer_per_limb(parts.limbs.len()),
        RootJoint::Free => SelfCollisionRules::default(),
    };
    let Some(SelfCollisionEntry { allowed, layers }) = entry.as_ref().map(Spanned::get_ref) else {
        return Ok(Some(rules));
    };
    let links: Vec<&String> = parts.links.iter().map(|link| &link.name).collect();
    for [one, other] in allowed {
        let pair = [find_named(source, "link", one, &links)?, find_named::<LinkId, _>(source, "link", other, &links)?];
        if pair[0] == pair[1] {
            let message = format!("the link `{}` is paired with itself", abbreviate(one.get_ref()));
            return Err(source.error(other.span(), message).with_help("name two different links"));
        }
        rules.allowed_overlaps.push(pair);
    }
    if let Some(layers) = layers {
        rules.layers = layers.iter().map(|layer| limbs_of_layer(source, layer, parts)).collect::<Result<_, _>>()?;
        reject_repeated_limb(source, layers)?;
    }
    Ok(Some(rules))
}

fn limbs_of_layer(
    source: &Source,
    layer: &[Spanned<String>],
    parts: &CharacterDescription,
) -> Result<Vec<LimbId>, FileError> {
    let limbs: Vec<&String> = parts.limbs.iter().map(|limb| &limb.name).collect();
    layer.iter().map(|name| find_named(source, "limb", name, &limbs)).collect()
}

fn reject_repeated_limb(source: &Source, layers: &[Vec<Spanned<String>>]) -> Result<(), FileError> {
    let mut names: Vec<&Spanned<String>> = layers.iter().flatten().collect();
    names.sort_by_key(|name| (name.get_ref(), name.span().start));
    match names.windows(2).find(|pair| pair[0].get_ref() == pair[1].get_ref()) {
        None => Ok(()),
        Some(pair) => {
            let message = format!("the limb `{}` is in two layers", abbreviate(pair[1].get_ref()));
            Err(source.error(pair[1].span(), message).with_help("list it once"))
        }
    }
}

/// The line that allows the pairs of [`CharacterError::OverlapAtRest`].
pub(super) fn suggest_allowing(error: &CharacterError) -> Option<String> {
    let CharacterError::OverlapAtRest { deepest_pairs, .. } = error else { return None };
    let quoted = |[one, other]: &[String; 2]| format!("[\"{}\", \"{}\"]", abbreviate(one), abbreviate(other));
    let pairs: Vec<String> = deepest_pairs.iter().map(quoted).collect();
    Some(format!(
        "move their capsules apart or, where they may overlap, add to [self_collision]: allowed = [{}]",
        pairs.join(", ")
    ))
}
