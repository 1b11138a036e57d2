//! How far apart the contacts of one body can be.

use clamber_model::character::Character;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::Vec3;
use clamber_model::mode::ModeTable;
use clamber_model::world::HoldType;
use clamber_model::{Configuration, Contact};

/// The farthest that the centres of two effectors can be apart: both limbs stretched, in opposite directions. What limits,
/// balance and obstacles leave of it is less.
pub(crate) struct Reach {
    effectors: usize,
    between: Vec<f32>,
    /// Of each effector: the limb's length up to it, and where the limb begins, in the character at rest.
    limbs: Vec<(f32, Vec3)>,
    /// The radius of the thickest effector.
    thickest: f32,
}

impl Reach {
    pub fn new(character: &Character) -> Self {
        let mut frames = Workspace::default();
        forward(character, &Configuration::rest(character), &mut frames);
        // The limb's length up to the effector, and where it begins.
        let ends: Vec<_> = character
            .effectors
            .iter()
            .map(|effector| {
                let mut length = effector.center.length();
                let mut link = effector.link;
                if let Some(limb) = effector.limb {
                    while link != character.limbs[limb].links[0] {
                        length += character.links[link].parent_from_joint.translation.length();
                        let Some(parent) = character.links[link].parent else { break };
                        link = parent;
                    }
                }
                (length, frames.world_from_link[link].translation)
            })
            .collect();
        let thickest = character.effectors.iter().map(|effector| effector.radius).fold(0.0, f32::max);
        let pair = |&(a, root_a): &(f32, Vec3), &(b, root_b): &(f32, Vec3)| a + b + (root_a - root_b).length();
        let between = ends.iter().flat_map(|a| ends.iter().map(move |b| pair(a, b))).collect();
        Self { effectors: ends.len(), between, limbs: ends, thickest }
    }

    /// In metres.
    pub fn between(&self, a: EffectorId, b: EffectorId) -> f32 {
        self.between[a.index() * self.effectors + b.index()]
    }

    /// How far apart two holds can be at most, in metres: more than the centres of what is on them where they face each other.
    pub fn hold_to_hold(&self, a: EffectorId, b: EffectorId) -> f32 {
        self.between(a, b) + 2.0 * self.thickest
    }

    /// How far apart the centres of two effectors on two surface points are at least, each given with its normal: between a floor and
    /// a bar above it, hand and foot reach as far as they are thick.
    pub fn least_span(&self, [a, normal_a]: [Vec3; 2], [b, normal_b]: [Vec3; 2]) -> f32 {
        let off = |thick: f32| ((b + normal_b * thick) - (a + normal_a * thick)).length();
        off(0.0).min(off(self.thickest))
    }

    /// The farthest that any effector's centre can be from a point of the trunk, given where it is in the character at rest.
    pub fn of_trunk(&self, at_rest: Vec3) -> f32 {
        self.limbs.iter().map(|&(length, root)| length + (root - at_rest).length()).fold(0.0, f32::max)
    }

    /// Whether a contact could be made while these are held, as far as lengths tell.
    pub fn allows(&self, character: &Character, stance: &[Contact], contact: &Contact) -> bool {
        let center = contact.center(character);
        stance
            .iter()
            .all(|held| (held.center(character) - center).length() <= self.between(held.effector, contact.effector))
    }

    /// The farthest from a hold of one type that a hold of another type can be taken, by any edge of a table.
    pub fn between_types(&self, table: &ModeTable, from: HoldType, to: HoldType) -> f32 {
        let mut farthest: f32 = 0.0;
        for edge in &table.edges {
            let carriers = table.modes[edge.from].carriers.iter().filter(|carrier| carrier.types.contains(&from));
            for carrier in carriers {
                for take in edge.take.iter().filter(|take| take.types.contains(&to)) {
                    for &held in &table.groups[carrier.group].effectors {
                        let takers = take.groups.iter().flat_map(|&group| &table.groups[group].effectors);
                        for &taker in takers.filter(|taker| **taker != held) {
                            farthest = farthest.max(self.between(held, taker));
                        }
                    }
                }
            }
        }
        farthest
    }
}
