//! Stand here, on these holds: a posture for named contacts.

mod tuning;
mod request;
mod error;
mod resolve_names;
mod support;
mod symmetric_stance;
mod settle_on_contacts;
mod multi_start;

pub use error::StandError;
pub use request::{ContactRequest, IdOrName, StandRequest};
pub(crate) use resolve_names::resolve;
pub(crate) use settle_on_contacts::settle_on_contacts;

use clamber_model::problem::Posture;
use clamber_model::{Character, ModeTable, World};

/// Finds a comfortable, balanced and collision-free posture on given holds.
///
/// Tries several start configurations, the same in every call, and returns the most comfortable of the postures found.
///
/// # Errors
///
/// Returns what is wrong with the request, or why the attempt that came closest failed: which effector does not reach its hold
/// and by how much, which link is inside which obstacle, or what the contacts lack to carry the body.
pub fn stand(
    world: &World,
    character: &Character,
    modes: &ModeTable,
    request: &StandRequest,
) -> Result<Posture, StandError> {
    let resolved = resolve_names::resolve(world, character, modes, request)?;
    let configuration = multi_start::search(world, character, modes, &resolved, request)?;
    Ok(Posture { configuration, stance: resolved.stance, mode_name: modes.modes[resolved.mode].name.clone() })
}

#[cfg(test)]
mod tests;
