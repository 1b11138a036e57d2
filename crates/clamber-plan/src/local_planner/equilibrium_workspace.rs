//! The memory of computations of static equilibrium.

use clamber_model::Character;
use clamber_model::kinematics::LinkFrames;
use clamber_posture::equilibrium::{EffortSolver, SupportRegionCache};

/// The memory of the computations.
pub(crate) struct EquilibriumWorkspace {
    /// The character without patches: soles press with their balls alone. A sole that rolls between two frames does not
    /// lie flat in all of the time between them, so its heel must not be needed.
    pub(super) pointed: Character,
    pub(super) regions: SupportRegionCache,
    pub(super) effort: EffortSolver,
    pub(super) frames: LinkFrames,
}

impl EquilibriumWorkspace {
    pub fn new(character: &Character) -> Self {
        let mut pointed = character.clone();
        pointed.effectors.iter_mut().for_each(|effector| effector.ability.patch = None);
        Self {
            pointed,
            regions: SupportRegionCache::default(),
            effort: EffortSolver::default(),
            frames: LinkFrames::default(),
        }
    }
}
