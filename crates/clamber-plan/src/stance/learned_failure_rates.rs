//! Failure rates of steps, learned during the search.
//!
//! A step that failed somewhere is likely to fail again with the same edge at the same offsets from the held contacts, or at
//! the same distance. Its candidates get a higher cost and are tried later.

use std::collections::BTreeMap;

use clamber_model::id::EdgeId;
use clamber_model::{Contact, ModeTable};

use super::tuning::{COARSE_RATE_WEIGHT, Lengths, PRIOR_TRIALS};

/// Trials and failures of similar steps.
#[derive(Default)]
pub(super) struct FailureRates {
    counts: BTreeMap<Vec<i32>, [u32; 2]>,
}

/// What makes steps similar.
pub(super) struct StepKeys {
    /// The edge, and for each contact its group and the offsets from all held contacts.
    fine: Vec<i32>,
    /// The edge and the least distance from a held contact.
    coarse: Vec<i32>,
}

impl StepKeys {
    pub fn new(table: &ModeTable, lengths: &Lengths, edge: EdgeId, stance: &[Contact], made: &[Contact]) -> Self {
        let group =
            |contact: &Contact| table.group_of_effector(contact.effector).map_or(-1, |group| group.index() as i32);
        let offset = |held: &Contact, contact: &Contact| {
            let offset = (contact.point - held.point).to_array();
            let [x, y, z] = offset.map(|offset| (offset / lengths.offset_cell).round() as i32);
            [group(held), x, y, z]
        };
        let (mut fine, mut nearest) = (vec![edge.index() as i32], f32::INFINITY);
        for contact in made {
            let mut offsets: Vec<[i32; 4]> = stance.iter().map(|held| offset(held, contact)).collect();
            offsets.sort_unstable();
            fine.push(group(contact));
            fine.extend(offsets.iter().flatten());
            let distances = stance.iter().map(|held| (held.point - contact.point).length());
            nearest = distances.fold(nearest, f32::min);
        }
        Self { fine, coarse: vec![edge.index() as i32, (nearest / lengths.distance_cell) as i32] }
    }
}

impl FailureRates {
    /// The share of similar steps that failed, from 0 to 1; 0 when none was tried.
    pub fn rate(&self, keys: &StepKeys) -> f32 {
        let rate = |key: &[i32]| {
            let [tried, failed] = self.counts.get(key).copied().unwrap_or_default();
            (tried > 0).then(|| failed as f32 / (tried as f32 + PRIOR_TRIALS))
        };
        rate(&keys.fine).or_else(|| rate(&keys.coarse).map(|rate| COARSE_RATE_WEIGHT * rate)).unwrap_or(0.0)
    }

    pub fn record(&mut self, keys: StepKeys, has_failed: bool) {
        for key in [keys.fine, keys.coarse] {
            let counts = self.counts.entry(key).or_default();
            counts[0] += 1;
            counts[1] += u32::from(has_failed);
        }
    }
}
