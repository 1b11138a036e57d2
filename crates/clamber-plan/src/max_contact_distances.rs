//! How far apart the contacts of one body can be.

use clamber_model::character::Character;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::ModeTable;
use clamber_model::world::HoldType;
use clamber_model::{Configuration, Contact};

/// Upper bounds on the distances between effectors, in meters: both limbs stretched, in opposite directions. Joint limits,
/// balance and obstacles allow less.
#[derive(Clone)]
pub(crate) struct Reach {
    /// The unit of all tuned lengths: [`Character::body_size`].
    pub body_size: f32,
    effectors: usize,
    /// Largest distances between the centers of two effectors, row by row.
    distances: Vec<f32>,
    /// For each effector, the limb's length up to it, and the limb's root in the rest posture.
    limbs: Vec<(f32, Vec3)>,
    /// For each effector, its place in the rest posture.
    at_rest: Vec<Vec3>,
    /// The radius of the thickest effector.
    max_radius: f32,
}

impl Reach {
    pub fn new(character: &Character) -> Self {
        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let limbs: Vec<_> = character
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
        let max_radius = character.effectors.iter().map(|effector| effector.radius).fold(0.0, f32::max);
        let pair = |&(a, root_a): &(f32, Vec3), &(b, root_b): &(f32, Vec3)| a + b + (root_a - root_b).length();
        let distances = limbs.iter().flat_map(|a| limbs.iter().map(move |b| pair(a, b))).collect();
        let at_rest = character.effectors.keys().map(|effector| effector_position(character, &frames, effector));
        let at_rest = at_rest.collect();
        Self { body_size: character.body_size(), effectors: limbs.len(), distances, limbs, at_rest, max_radius }
    }

    /// The distance between the centers of two effectors in the rest posture.
    pub fn rest_distance(&self, effectors: [EffectorId; 2]) -> f32 {
        let [a, b] = effectors.map(|effector| self.at_rest[effector.index()]);
        (a - b).length()
    }

    /// The largest distance between the centers of two effectors.
    pub fn max_distance(&self, a: EffectorId, b: EffectorId) -> f32 {
        self.distances[a.index() * self.effectors + b.index()]
    }

    /// The largest distance between the holds of two effectors. It exceeds that of the centers where the holds face each
    /// other.
    pub fn max_hold_distance(&self, a: EffectorId, b: EffectorId) -> f32 {
        self.max_distance(a, b) + 2.0 * self.max_radius
    }

    /// The least distance between the centers of effectors on two surface points, each given with its normal. Effectors on a
    /// floor and on a bar above it are nearer to each other than their holds, by their radii.
    pub fn min_center_distance(&self, [a, normal_a]: [Vec3; 2], [b, normal_b]: [Vec3; 2]) -> f32 {
        let distance = |radius: f32| ((b + normal_b * radius) - (a + normal_a * radius)).length();
        distance(0.0).min(distance(self.max_radius))
    }

    /// The length of a limb from its first joint to an effector.
    pub fn limb_length(&self, effector: EffectorId) -> f32 {
        self.limbs[effector.index()].0
    }

    /// The largest distance of any effector's center from the root of the rest posture.
    pub fn max_from_root(&self) -> f32 {
        self.max_from_trunk(Vec3::ZERO)
    }

    /// The largest distance of any effector's center from a point of the trunk, given by its position in the rest posture.
    pub fn max_from_trunk(&self, at_rest: Vec3) -> f32 {
        self.limbs.iter().map(|&(length, root)| length + (root - at_rest).length()).fold(0.0, f32::max)
    }

    /// Whether the lengths of the limbs allow a contact while these are held.
    pub fn allows(&self, character: &Character, stance: &[Contact], contact: &Contact) -> bool {
        let center = contact.effector_center(character);
        stance.iter().all(|held| {
            (held.effector_center(character) - center).length() <= self.max_distance(held.effector, contact.effector)
        })
    }

    /// The largest distance at which any edge of a table takes a hold of one type from a hold of another type.
    pub fn max_between_types(&self, table: &ModeTable, from: HoldType, to: HoldType) -> f32 {
        let mut farthest: f32 = 0.0;
        for edge in &table.edges {
            let supporting_groups =
                table.modes[edge.from].supporting_groups.iter().filter(|carrier| carrier.types.contains(&from));
            for carrier in supporting_groups {
                for take in edge.holds_to_take.iter().filter(|take| take.types.contains(&to)) {
                    for &held in &table.effector_groups[carrier.group].effectors {
                        let takers = take.groups.iter().flat_map(|&group| &table.effector_groups[group].effectors);
                        for &taker in takers.filter(|taker| **taker != held) {
                            farthest = farthest.max(self.max_distance(held, taker));
                        }
                    }
                }
            }
        }
        farthest
    }

    /// The same for each pair of types in either direction, since either may be held while the other is taken.
    pub fn type_table(&self, table: &ModeTable) -> TypeTable {
        let max = |from, to| self.max_between_types(table, from, to).max(self.max_between_types(table, to, from));
        TypeTable(HoldType::ALL.map(|from| HoldType::ALL.map(|to| max(from, to))))
    }
}

/// The largest distance between two holds for each pair of hold types, in meters; 0 where no edge leads from one to the other.
pub(crate) struct TypeTable([[f32; HoldType::ALL.len()]; HoldType::ALL.len()]);

impl TypeTable {
    pub fn between(&self, from: HoldType, to: HoldType) -> f32 {
        let index = |wanted: HoldType| HoldType::ALL.iter().position(|other| *other == wanted).unwrap_or(0);
        self.0[index(from)][index(to)]
    }

    /// The largest of all.
    pub fn max(&self) -> f32 {
        self.0.iter().flatten().copied().fold(0.0, f32::max)
    }
}
