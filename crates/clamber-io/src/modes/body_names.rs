//! The names by which a mode table speaks of the body: roles, landmarks and links.
//!
//! They are resolved on reading, so the model's table refers to limbs and links and not to names.

use clamber_model::character::{Character, Landmark};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::mode_table::BodyLine;
use toml::Spanned;

use crate::error::{FileError, Source};
use crate::suggest_name::find_named;

/// Roles, landmarks and links of the body that a table is for.
pub(super) struct BodyNames {
    pub trunk_link: LinkId,
    pub span_limbs: [Vec<LimbId>; 2],
    pub links: Vec<String>,
    pub roles: Vec<(String, Vec<LimbId>)>,
    pub landmarks: Vec<(String, Landmark)>,
}

impl BodyNames {
    /// The names that a character's file states.
    pub fn of(character: &Character) -> Self {
        let roles = &character.roles;
        Self {
            trunk_link: roles.trunk_link,
            span_limbs: roles.span_limbs.clone(),
            links: character.links.iter().map(|link| link.name.clone()).collect(),
            roles: roles.limb_roles.iter().map(|role| (role.name.clone(), role.limbs.clone())).collect(),
            landmarks: roles.landmarks.iter().map(|known| (known.name.clone(), known.landmark.clone())).collect(),
        }
    }

    pub fn link(&self, source: &Source, name: &Spanned<String>) -> Result<LinkId, FileError> {
        find_named(source, "link", name, &self.links)
    }

    /// The limbs of a role.
    pub fn limbs(&self, source: &Source, role: &Spanned<String>) -> Result<Vec<LimbId>, FileError> {
        find_stated(source, "role", "roles", role, &self.roles)
    }

    /// The limbs of several roles, each once.
    pub fn limbs_of_all(&self, source: &Source, roles: &[Spanned<String>]) -> Result<Vec<LimbId>, FileError> {
        let mut limbs = Vec::new();
        for role in roles {
            let of_role = self.limbs(source, role)?;
            limbs.extend(of_role.into_iter().filter(|limb| !limbs.contains(limb)).collect::<Vec<LimbId>>());
        }
        Ok(limbs)
    }

    pub fn landmark(&self, source: &Source, name: &Spanned<String>) -> Result<Landmark, FileError> {
        find_stated(source, "landmark", "landmarks", name, &self.landmarks)
    }

    pub fn line(&self, source: &Source, [from, to]: &[Spanned<String>; 2]) -> Result<BodyLine, FileError> {
        Ok(BodyLine { from: self.landmark(source, from)?, to: self.landmark(source, to)? })
    }
}

/// What a name means that the character's file states in `table`.
fn find_stated<T: Clone>(
    source: &Source,
    what: &str,
    table: &str,
    name: &Spanned<String>,
    known: &[(String, T)],
) -> Result<T, FileError> {
    let names: Vec<&String> = known.iter().map(|(name, _)| name).collect();
    let found = find_named::<usize, _>(source, what, name, &names).map(|index| known[index].1.clone());
    match known.is_empty() {
        false => found,
        true => found.map_err(|error| error.with_help(format!("state it in [{table}] of the character's file"))),
    }
}
