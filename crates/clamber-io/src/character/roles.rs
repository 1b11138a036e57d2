//! What the parts of a body are for: the trunk, roles of limbs, landmarks and the symmetry.

use std::collections::BTreeMap;

use clamber_model::character::{BodyRoles, CharacterDescription, Landmark, LimbRole, NamedLandmark};
use clamber_model::id::{LimbId, LinkId};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::error::{FileError, Source};
use crate::parse::in_order;
use crate::suggest_name::{abbreviate, find_named};

/// Most roles, and most landmarks.
pub(super) const MAX_ROLES: usize = 100;

/// Links and roles with a meaning that no table has to state.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a body")]
pub(super) struct BodyEntry {
    /// The link whose orientation is the heading. Default: the root.
    #[schemars(with = "Option<String>")]
    trunk: Option<Spanned<String>>,
    /// The link that carries the eyes, which look along its x axis. Default: none.
    #[schemars(with = "Option<String>")]
    gaze: Option<Spanned<String>>,
    /// The roles at the two ends of the stretched body. Default: any two limbs.
    #[schemars(with = "Option<[String; 2]>")]
    span: Option<[Spanned<String>; 2]>,
}

/// Named sets of limbs.
pub(super) type RoleEntries = BTreeMap<Spanned<String>, Spanned<Vec<Spanned<String>>>>;

/// A point of the body: exactly one key.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { joint = \"head\" } or { middle_of = \"legs\" }")]
pub(super) struct LandmarkEntry {
    /// The joint of this link.
    #[schemars(with = "Option<String>")]
    joint: Option<Spanned<String>>,
    /// The mean of the first joints of the limbs of this role.
    #[schemars(with = "Option<String>")]
    middle_of: Option<Spanned<String>>,
}

/// Named points of the body.
pub(super) type LandmarkEntries = BTreeMap<Spanned<String>, Spanned<LandmarkEntry>>;

/// The symmetry of left and right. Links, hinges and effectors follow from the limbs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { limbs = [[\"left_leg\", \"right_leg\"]] }")]
pub(super) struct SymmetryEntry {
    /// Pairs of limbs that are each other's mirror image. Limbs in no pair are in the middle.
    #[schemars(with = "Vec<[String; 2]>")]
    limbs: Vec<[Spanned<String>; 2]>,
}

/// The keys of a character's file that are not in version 1.
pub(super) struct RoleKeys<'a> {
    pub body: &'a Option<Spanned<BodyEntry>>,
    pub roles: &'a Option<Spanned<RoleEntries>>,
    pub landmarks: &'a Option<Spanned<LandmarkEntries>>,
    pub symmetry: &'a Option<Spanned<SymmetryEntry>>,
}

impl RoleKeys<'_> {
    /// The roles of a version 1 file, which states none: its gaze link is the one named `head`.
    pub fn of_version_1(&self, source: &Source, parts: &CharacterDescription) -> Result<BodyRoles, FileError> {
        let spans = [
            self.body.as_ref().map(|entry| ("body", entry.span())),
            self.roles.as_ref().map(|entry| ("roles", entry.span())),
            self.landmarks.as_ref().map(|entry| ("landmarks", entry.span())),
            self.symmetry.as_ref().map(|entry| ("symmetry", entry.span())),
        ];
        if let Some((key, span)) = spans.into_iter().flatten().next() {
            let message = format!("`{key}` is a key of version 2");
            return Err(source.error(span, message).with_help("set `version` to 2"));
        }
        let gaze_link = parts.links.position(|link| link.name == "head");
        Ok(BodyRoles { gaze_link, ..BodyRoles::unnamed(parts.limbs.len()) })
    }

    /// The roles that a file states.
    pub fn roles(&self, source: &Source, parts: &CharacterDescription) -> Result<BodyRoles, FileError> {
        let links: Vec<&String> = parts.links.iter().map(|link| &link.name).collect();
        let link = |name: &Spanned<String>| find_named::<LinkId, _>(source, "link", name, &links);
        let mut roles = BodyRoles::unnamed(parts.limbs.len());
        for (name, limbs) in self.roles.iter().flat_map(|entries| in_order(entries.get_ref())) {
            let limbs = limbs_of_role(source, name, limbs, parts)?;
            roles.limb_roles.push(LimbRole { name: name.get_ref().clone(), limbs });
        }
        let known: Vec<String> = roles.limb_roles.iter().map(|role| role.name.clone()).collect();
        let limbs_of = |name: &Spanned<String>| {
            let role: usize = find_named(source, "role", name, &known)?;
            Ok::<_, FileError>(roles.limb_roles[role].limbs.clone())
        };
        let mut landmarks = Vec::new();
        for (name, entry) in self.landmarks.iter().flat_map(|entries| in_order(entries.get_ref())) {
            let landmark = match entry.get_ref() {
                LandmarkEntry { joint: Some(name), middle_of: None } => Landmark::Joint(link(name)?),
                LandmarkEntry { joint: None, middle_of: Some(role) } => Landmark::MeanOfFirstJoints(limbs_of(role)?),
                _ => {
                    let help = "write { joint = \"head\" } or { middle_of = \"legs\" }";
                    let message = "a landmark needs either `joint` or `middle_of`";
                    return Err(source.error(entry.span(), message).with_help(help));
                }
            };
            landmarks.push(NamedLandmark { name: name.get_ref().clone(), landmark });
        }
        let mut span_limbs = roles.span_limbs.clone();
        if let Some(BodyEntry { trunk, gaze, span }) = self.body.as_ref().map(Spanned::get_ref) {
            if let Some([one, other]) = span {
                span_limbs = [limbs_of(one)?, limbs_of(other)?];
            }
            roles.trunk_link = trunk.as_ref().map_or(Ok(LinkId::ROOT), link)?;
            roles.gaze_link = gaze.as_ref().map(link).transpose()?;
        }
        let mirrored_limbs = self.symmetry.as_ref().map(|entry| mirrored_limbs(source, entry.get_ref(), parts));
        Ok(BodyRoles { landmarks, span_limbs, mirrored_limbs: mirrored_limbs.transpose()?, ..roles })
    }
}

fn find_limb(source: &Source, name: &Spanned<String>, parts: &CharacterDescription) -> Result<LimbId, FileError> {
    let known: Vec<&String> = parts.limbs.iter().map(|limb| &limb.name).collect();
    find_named(source, "limb", name, &known)
}

fn limbs_of_role(
    source: &Source,
    role: &Spanned<String>,
    names: &Spanned<Vec<Spanned<String>>>,
    parts: &CharacterDescription,
) -> Result<Vec<LimbId>, FileError> {
    let mut limbs = Vec::new();
    for name in names.get_ref() {
        push_once(source, name, find_limb(source, name, parts)?, &mut limbs)?;
    }
    if limbs.is_empty() {
        let message = format!("the role `{}` has no limbs", abbreviate(role.get_ref()));
        return Err(source.error(names.span(), message).with_help("list its limbs, or remove the role"));
    }
    Ok(limbs)
}

fn mirrored_limbs(
    source: &Source,
    entry: &SymmetryEntry,
    parts: &CharacterDescription,
) -> Result<Vec<[LimbId; 2]>, FileError> {
    let (mut pairs, mut paired) = (Vec::new(), Vec::new());
    for [one, other] in &entry.limbs {
        let pair = [find_limb(source, one, parts)?, find_limb(source, other, parts)?];
        push_once(source, one, pair[0], &mut paired)?;
        push_once(source, other, pair[1], &mut paired)?;
        pairs.push(pair);
    }
    Ok(pairs)
}

fn push_once(source: &Source, name: &Spanned<String>, limb: LimbId, limbs: &mut Vec<LimbId>) -> Result<(), FileError> {
    if limbs.contains(&limb) {
        let message = format!("the limb `{}` appears twice", abbreviate(name.get_ref()));
        return Err(source.error(name.span(), message).with_help("list it once"));
    }
    limbs.push(limb);
    Ok(())
}
