//! What to ask for a stance.

use clamber_model::id::{EffectorId, HoldId};
use clamber_model::{Configuration, Contact};

use super::touch::ContactTask;

/// Which limbs may make contact, and what for. Start from [`StanceRequest::new`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StanceRequest {
    /// Where the body is. Its root and its other limbs stay there.
    pub configuration: Configuration,
    /// Contacts that the body already has, and keeps.
    pub kept: Vec<Contact>,
    /// The effectors that may make contact. Of several effectors of a limb, one does.
    pub effectors: Vec<EffectorId>,
    /// What the contacts are for.
    pub task: ContactTask,
    /// The holds of the object that is pushed or pulled in the direction of the task. If there are none, the body itself is moved.
    pub object: Vec<HoldId>,
    /// Number of candidates of each effector for each way to use it, such as to press and to grip; at most 64. Default 8.
    pub candidates_per_effector: usize,
    /// Number of contacts of an effector among which its candidates are chosen. Default 1000.
    pub considered_contacts: usize,
    /// How much ease counts. With 1, a limb at rest is worth as much as 2.7 times the force of a limb at the far ends of its hinges; being as
    /// its mirror image counts, too, and not having to cling. 0 gives the greatest force. Default 2.5.
    pub comfort: f64,
}

impl StanceRequest {
    /// A request to move the body.
    pub fn new(configuration: Configuration, effectors: Vec<EffectorId>, task: ContactTask) -> Self {
        Self {
            configuration,
            kept: Vec::new(),
            effectors,
            task,
            object: Vec::new(),
            candidates_per_effector: 8,
            considered_contacts: 1000,
            comfort: 2.5,
        }
    }
}
