//! The contacts that a limb can make, found among samples of the limb that are computed once for a character.
//!
//! [`LimbDatabase`] holds the samples, [`SurfaceTree`] indexes the holds of a world, and [`ContactFinder`] confronts them.
//! [`StanceChooser`] combines the contacts of several limbs, and [`contacts_along`] finds them along a path of the root.

mod tuning;
mod end_effectors;
mod sequence;
mod limb_chain;
mod sample_tree;
mod database;
mod surface_tree;
mod touch;
mod queue;
mod frontiers;
mod contact_candidates;
mod valid_contact;
mod scan;
mod stance_request;
mod limb_choices;
mod whole_stance;
mod along_path;

#[cfg(test)]
mod tests;

pub use along_path::{ContactPath, PathEnd, PathRequest, PathStep, contacts_along};
pub use contact_candidates::{ContactCandidate, ContactCandidates, ContactFinder, ContactScene};
pub use database::{LimbDatabase, MAX_SAMPLES};
pub use end_effectors::end_effectors;
pub use scan::scan_candidates;
pub use stance_request::StanceRequest;
pub use surface_tree::SurfaceTree;
pub use touch::ContactTask;
pub use whole_stance::{ChosenStance, StanceChooser};
