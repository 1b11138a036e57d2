//! Finds postures: the configurations that a character can take on given contacts.
//!
//! [`stand`] finds a comfortable, balanced and collision-free posture on named holds, and [`lean`] moves the center of mass of such a
//! posture as far as its contacts carry the body. They build on
//! [`PostureSolver`](solver::PostureSolver), the inverse kinematics over weighted tasks (contacts, balance, comfort,
//! obstacles), and on [`ContactProjection`](contact_projection::ContactProjection), which moves a configuration back onto its
//! contacts. [`equilibrium`] tells where the center of mass must be for contacts to carry the body. [`comfort`] rates a posture by the heuristics of its mode. Planning between postures belongs to `clamber-plan`.

// Lowest layer first: a module uses only the modules above it.
pub mod equilibrium;
pub mod anatomy;
pub mod comfort;
pub mod solver;
pub mod limb_contacts;
pub mod contact_projection;
mod free_ends;
pub mod collision_free;
mod stand;
mod lean;

pub use lean::{Lean, LeanError, lean};
pub use stand::{ContactRequest, IdOrName, StandError, StandRequest, stand};
