//! Finds postures: which configuration, on which contacts, a character can take.
//!
//! [`PostureSolver`](solver::PostureSolver) is the inverse kinematics over weighted tasks: contacts, balance, comfort and
//! obstacles. [`ContactProjection`](contact_projection::ContactProjection) moves a configuration back onto its contacts.
//! [`comfort`] rates a posture by the heuristics of its mode. Planning between postures belongs to `clamber-plan`.

// Lowest layer first: a module uses only the modules above it.
pub mod anatomy;
pub mod jacobian;
pub mod comfort;
pub mod contact_projection;
pub mod solver;
