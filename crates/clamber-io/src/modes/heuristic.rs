//! Heuristics of comfort: a table defines each once, by a name, and modes give them weights.

use clamber_model::id::LinkId;
use clamber_model::mode_table::PostureHeuristic;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::body_names::BodyNames;
use super::keyword_or_table::{KeywordOrTable, VariantTable, require_companion, require_one_key};
use crate::common_field_types::Number;
use crate::error::{FileError, Source};

/// A heuristic in either notation.
pub(super) type AnyHeuristic = KeywordOrTable<HeuristicKeyword, HeuristicEntry>;

/// Heuristics without parameters.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum HeuristicKeyword {
    /// The center of mass is above the middle of the contacts.
    CenterOverContacts,
}

/// A heuristic: exactly one key; `upright` may have `backward`, `swing` also needs `against`, and `hold` needs `above`, `hang` and `below`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a heuristic in braces")]
pub(super) struct HeuristicEntry {
    /// This link has the orientation relative to its parent that it has at rest.
    #[schemars(with = "Option<String>")]
    aligned: Option<Spanned<String>>,
    /// The second joints of the limbs of these roles are bent as at rest.
    #[schemars(with = "Option<Vec<String>>")]
    bent: Option<Vec<Spanned<String>>>,
    /// The line from the first to the second landmark is vertical.
    #[schemars(with = "Option<[String; 2]>")]
    upright: Option<[Spanned<String>; 2]>,
    /// How many times as much a lean of `upright` backward counts as one forward, at least 1. Default: 1.
    #[schemars(with = "Option<f32>")]
    backward: Option<Spanned<Number>>,
    /// The limbs of this role swing opposite to those of another one on the same side.
    #[schemars(with = "Option<String>")]
    swing: Option<Spanned<String>>,
    /// The role that they swing against.
    #[schemars(with = "Option<String>")]
    against: Option<Spanned<String>>,
    /// The body hangs from limbs of this role.
    #[schemars(with = "Option<String>")]
    hold: Option<Spanned<String>>,
    /// The contacts of `hold` are far above this landmark.
    #[schemars(with = "Option<String>")]
    above: Option<Spanned<String>>,
    /// The limbs of this role hang down.
    #[schemars(with = "Option<String>")]
    hang: Option<Spanned<String>>,
    /// The tips of `hang` are far below this landmark.
    #[schemars(with = "Option<String>")]
    below: Option<Spanned<String>>,
    /// The tips of the limbs of this role are as high as their second joints.
    #[schemars(with = "Option<String>")]
    level: Option<Spanned<String>>,
}

impl VariantTable for HeuristicEntry {
    const KEYS: &[&str] = &["aligned", "bent", "upright", "swing", "hold", "level"];
}

pub(super) fn heuristic(
    source: &Source,
    entry: &Spanned<AnyHeuristic>,
    body: &BodyNames,
) -> Result<PostureHeuristic, FileError> {
    let table = match entry.get_ref() {
        KeywordOrTable::Keyword(HeuristicKeyword::CenterOverContacts) => return Ok(PostureHeuristic::Balance),
        KeywordOrTable::Table(table) => table,
    };
    let HeuristicEntry { aligned, bent, upright, backward, swing, against, hold, above, hang, below, level } = &**table;
    let given =
        [aligned.is_some(), bent.is_some(), upright.is_some(), swing.is_some(), hold.is_some(), level.is_some()];
    require_one_key(source, entry.span(), "heuristic", HeuristicEntry::KEYS, &given)?;
    let companion = |key, of, is_wanted, given| require_companion(source, entry.span(), [key, of], is_wanted, given);
    let against = companion("against", "swing", swing.is_some(), against.as_ref())?;
    let above = companion("above", "hold", hold.is_some(), above.as_ref())?;
    let hang = companion("hang", "hold", hold.is_some(), hang.as_ref())?;
    let below = companion("below", "hold", hold.is_some(), below.as_ref())?;
    if upright.is_none() {
        require_companion(source, entry.span(), ["backward", "upright"], false, backward.as_ref())?;
    }
    if let Some(name) = aligned {
        let link = body.link(source, name)?;
        if link == LinkId::ROOT {
            let message = "the root has no parent that it could be aligned with";
            return Err(source.error(name.span(), message).with_help("name another link"));
        }
        return Ok(PostureHeuristic::AlignedWithParent(link));
    }
    if let Some(roles) = bent {
        return body.limbs_of_all(source, roles).map(PostureHeuristic::BendsNearRest);
    }
    if let Some(line) = upright {
        let backward = backward.as_ref().map_or(Ok(1.0), |given| backward_factor(source, given))?;
        return Ok(PostureHeuristic::Upright { line: body.line(source, line)?, backward });
    }
    if let (Some(swing), Some(against)) = (swing, against) {
        let (limbs, against) = (body.limbs(source, swing)?, body.limbs(source, against)?);
        return Ok(PostureHeuristic::OppositeSwing { limbs, against });
    }
    if let (Some(hold), Some(above), Some(hang), Some(below)) = (hold, above, hang, below) {
        return Ok(PostureHeuristic::HangDown {
            holding: body.limbs(source, hold)?,
            below_holding: body.landmark(source, above)?,
            hanging: body.limbs(source, hang)?,
            above_hanging: body.landmark(source, below)?,
        });
    }
    match level {
        Some(role) => body.limbs(source, role).map(PostureHeuristic::LevelTips),
        None => Err(source.error(entry.span(), "the heuristic is empty")),
    }
}

fn backward_factor(source: &Source, given: &Spanned<Number>) -> Result<f32, FileError> {
    match given.get_ref().0 {
        factor if factor >= 1.0 => Ok(factor),
        _ => Err(source.error(given.span(), "`backward` must not be less than 1").with_help("1 is as much as forward")),
    }
}
