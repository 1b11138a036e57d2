//! Which modes' reference postures a body on a stance resembles.

use clamber_model::Contact;
use clamber_model::id::ModeId;

use super::guide::TrunkGuide;
use super::mode_shape::ModeShape;
use super::tuning;

impl TrunkGuide {
    /// The mode whose reference posture a body on a stance can resemble: the one in which most of its contacts carry. Of several, the given
    /// one comes first.
    pub fn resembled_mode(&self, stance: &[Contact], mode: ModeId) -> ModeId {
        let Some(given) = self.shape(mode) else { return mode };
        let is_better = |shape: &ModeShape| self.misfit_of(shape, stance) < self.misfit_of(given, stance);
        self.most_alike(stance, is_better).unwrap_or(given).mode
    }

    /// Whether a body on a stance resembles a mode not much less than any other.
    pub fn resembles(&self, stance: &[Contact], mode: ModeId) -> bool {
        let (Some(given), Some(best)) = (self.shape(mode), self.most_alike(stance, |_| true)) else { return true };
        self.misfit_of(given, stance) <= self.misfit_of(best, stance) + tuning::MAX_MISFIT_MORE
    }

    /// The other mode that a body on a stance is in, if it is between two: the one in which contacts carry that do not carry in this one. Bodies
    /// that stand in both get up or down, and are in neither.
    pub fn other_mode(&self, stance: &[Contact], mode: ModeId) -> Option<ModeId> {
        let shape = self.shape(mode)?;
        let is_foreign = |contact: &&Contact| !shape.is_carried_by(contact.effector);
        let has_foreign = |other: &ModeShape| {
            let mut foreign = stance.iter().filter(is_foreign);
            foreign.any(|contact| other.is_carried_by(contact.effector))
        };
        let other = self.most_alike(stance, has_foreign)?;
        let only_stands = shape.only_stands() && other.only_stands();
        (!only_stands).then_some(other.mode)
    }

    /// Of some shapes, the one in which the most contacts of a stance carry, and agree the most about where the trunk is: hands may hang a
    /// climber or press on an edge. Of several, the first.
    pub(super) fn most_alike(
        &self,
        stance: &[Contact],
        is_candidate: impl Fn(&ModeShape) -> bool,
    ) -> Option<&ModeShape> {
        let candidates = self.places.shapes.iter().filter(|shape| is_candidate(shape));
        candidates.min_by(|a, b| self.misfit_of(a, stance).total_cmp(&self.misfit_of(b, stance)))
    }

    /// How little a stance is one of a shape: the number of contacts that do not carry in it, and more where the others disagree.
    fn misfit_of(&self, shape: &ModeShape, stance: &[Contact]) -> f32 {
        let foreign = stance.len() - shape.count_carrying(stance);
        foreign as f32 + shape.disagreement(stance) / (tuning::DISAGREEMENT * self.body_size)
    }
}
