//! The `holds` key of an obstacle: turns its surface into holds.

use std::ops::Range;

use clamber_model::world::{HoldSpread, HoldType};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::common_field_types::{HoldTypeEntry, Number, hold_types};
use crate::error::{FileError, Source};

/// Smallest spacing of holds, in meters. Closer holds are equivalent for any hand.
pub(super) const MIN_SPACING: f32 = 0.02;

/// How an obstacle's surface becomes holds: exactly one of `every` and `everywhere`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { every = 0.3 } or { everywhere = true }")]
#[schemars(extend("oneOf" = [{ "required": ["every"] }, { "required": ["everywhere"] }]))]
pub(super) struct SpreadEntry {
    /// Point holds with this spacing, in meters.
    #[schemars(with = "Option<Number>", extend("minimum" = MIN_SPACING))]
    every: Option<Spanned<Number>>,
    /// Every point of the surface is a hold.
    #[schemars(extend("const" = true))]
    everywhere: Option<bool>,
    /// Use only sides of these types. Default: all.
    types: Option<Vec<HoldTypeEntry>>,
}

/// Which holds the surface of an obstacle has.
#[derive(Clone, Debug)]
pub(super) struct HoldsOnSurface {
    pub how: HoldSpread,
    /// The types of the sides that have holds.
    pub types: Vec<HoldType>,
    /// What asks for them, for errors.
    pub asked_at: Range<usize>,
}

pub(super) fn spread(source: &Source, entry: &Spanned<SpreadEntry>) -> Result<HoldsOnSurface, FileError> {
    let SpreadEntry { every, everywhere, types } = entry.get_ref();
    let how = match (every, everywhere) {
        (Some(every), None) => {
            let Number(spacing) = *every.get_ref();
            if spacing < MIN_SPACING {
                let message = format!("holds cannot be {spacing} m apart");
                let help = format!("use at least {MIN_SPACING} m, or the whole surface with {{ everywhere = true }}");
                return Err(source.error(every.span(), message).with_help(help));
            }
            HoldSpread::Spaced(spacing)
        }
        (None, Some(true)) => HoldSpread::Everywhere,
        _ => {
            let message = "`holds` needs exactly one of `every` and `everywhere = true`";
            return Err(source.error(entry.span(), message).with_help("remove `holds` from an obstacle without holds"));
        }
    };
    let types = types.as_ref().map_or(HoldType::ALL.to_vec(), |types| hold_types(types));
    Ok(HoldsOnSurface { how, types, asked_at: entry.span() })
}
