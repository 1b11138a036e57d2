//! Failure rates of steps, learned during the search.
//!
//! A step that failed somewhere is likely to fail again with the same edge at the same offsets from the held contacts, onto the same place, or at
//! the same distance. Its candidates get a higher cost and are tried later. In space, offsets are relative to the direction that the body
//! faces.

use std::collections::BTreeMap;

use clamber_model::id::EdgeId;
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Contact, ModeTable};

use super::tuning::{COARSE_RATE_WEIGHT, Lengths, PLACE_RATE_WEIGHT, PRIOR_TRIALS};

/// The end of a key that tells a place.
const PLACE_MARK: i32 = i32::MIN;

/// Trials and failures of similar steps.
#[derive(Default)]
pub(super) struct FailureRates {
    counts: BTreeMap<Vec<i32>, [u32; 2]>,
}

/// What makes steps similar.
pub(super) struct StepKeys {
    /// The edge, and for each contact its group and the offsets from all held contacts.
    fine: Vec<i32>,
    /// The edge and where its contacts are.
    place: Vec<i32>,
    /// The edge and the least distance from a held contact.
    coarse: Vec<i32>,
}

impl StepKeys {
    /// `heading` is the horizontal direction that offsets are relative to; +x in the plane.
    pub fn new(
        table: &ModeTable,
        lengths: &Lengths,
        edge: EdgeId,
        heading: Vec3,
        stance: &[Contact],
        made: &[Contact],
    ) -> Self {
        let axes = [heading, UP, heading.cross(UP)];
        let group =
            |contact: &Contact| table.group_of_effector(contact.effector).map_or(-1, |group| group.index() as i32);
        let offset = |held: &Contact, contact: &Contact| {
            let offset = contact.point - held.point;
            let [ahead, up, right] = axes.map(|axis| (offset.dot(axis) / lengths.offset_cell).round() as i32);
            [group(held), ahead, up, right]
        };
        let (mut fine, mut place, mut nearest) = (vec![edge.index() as i32], vec![edge.index() as i32], f32::INFINITY);
        for contact in made {
            let mut offsets: Vec<[i32; 4]> = stance.iter().map(|held| offset(held, contact)).collect();
            offsets.sort_unstable();
            fine.push(group(contact));
            fine.extend(offsets.iter().flatten());
            place.extend([contact.effector.index() as i32, contact.hold.index() as i32]);
            place.extend(contact.point.to_array().map(|x| (x / lengths.offset_cell).round() as i32));
            let distances = stance.iter().map(|held| (held.point - contact.point).length());
            nearest = distances.fold(nearest, f32::min);
        }
        // Keys of the three kinds must differ.
        place.push(PLACE_MARK);
        Self { fine, place, coarse: vec![edge.index() as i32, (nearest / lengths.distance_cell) as i32] }
    }
}

impl FailureRates {
    /// The same, where steps onto the same place are similar too.
    pub fn rate_anywhere(&self, keys: &StepKeys) -> f32 {
        self.rate(keys).max(self.share(&keys.place).map_or(0.0, |rate| PLACE_RATE_WEIGHT * rate))
    }

    /// The share of similar steps that failed, from 0 to 1; 0 when none was tried.
    pub fn rate(&self, keys: &StepKeys) -> f32 {
        let rate = |key: &[i32]| self.share(key);
        rate(&keys.fine).or_else(|| rate(&keys.coarse).map(|rate| COARSE_RATE_WEIGHT * rate)).unwrap_or(0.0)
    }

    fn share(&self, key: &[i32]) -> Option<f32> {
        let [tried, failed] = self.counts.get(key).copied().unwrap_or_default();
        (tried > 0).then(|| failed as f32 / (tried as f32 + PRIOR_TRIALS))
    }

    pub fn record(&mut self, keys: StepKeys, has_failed: bool) {
        for key in [keys.fine, keys.place, keys.coarse] {
            let counts = self.counts.entry(key).or_default();
            counts[0] += 1;
            counts[1] += u32::from(has_failed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::{EffectorId, HoldId};
    use clamber_model::math::rotation_about;

    #[test]
    fn a_step_that_failed_is_expected_to_fail_whichever_way_the_body_faces() {
        let character = clamber_testing::character("human");
        let table = clamber_testing::table_of("human", &character);
        let lengths = Lengths::new(character.body_size());
        let keys = |turn: f32, stride: f32| {
            let rotation = rotation_about(UP, turn);
            let contact = |effector: usize, point: Vec3| Contact {
                effector: EffectorId::new(effector),
                hold: HoldId::new(0),
                point: rotation * point + Vec3::X,
                normal: UP,
            };
            let (held, made) = (contact(0, Vec3::ZERO), contact(1, Vec3::new(stride, 0.0, 0.2)));
            StepKeys::new(&table, &lengths, EdgeId::new(0), rotation * Vec3::X, &[held], &[made])
        };
        let mut rates = FailureRates::default();
        rates.record(keys(0.0, 0.5), true);
        let known = rates.rate(&keys(0.0, 0.5));
        assert!(known > 0.5);
        assert_eq!(rates.rate(&keys(2.0, 0.5)), known);
        assert!(rates.rate(&keys(2.0, 0.3)) < known);
    }

    #[test]
    fn a_step_that_failed_is_expected_to_fail_onto_the_same_place_from_elsewhere() {
        let character = clamber_testing::character("human");
        let table = clamber_testing::table_of("human", &character);
        let lengths = Lengths::new(character.body_size());
        let contact = |effector: usize, x: f32| Contact {
            effector: EffectorId::new(effector),
            hold: HoldId::new(0),
            point: Vec3::X * x,
            normal: UP,
        };
        let keys = |held: f32, made: f32| {
            StepKeys::new(&table, &lengths, EdgeId::new(0), Vec3::X, &[contact(0, held)], &[contact(1, made)])
        };
        let mut rates = FailureRates::default();
        rates.record(keys(0.0, 0.5), true);
        let [same, same_place] = [keys(0.0, 0.5), keys(0.2, 0.5)].map(|keys| rates.rate_anywhere(&keys));
        assert!(same > same_place && same_place > 0.4, "{same} {same_place}");
        assert!(rates.rate(&keys(0.2, 0.5)) < same_place);
    }
}
