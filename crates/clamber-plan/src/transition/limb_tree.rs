//! The path of a free limb of any number of hinges while the body moves: a tree of its postures with a layer for each keyframe.
//!
//! A layer keeps the few postures that are nearest to where the limb should be. From each, the limb goes on toward where it should be
//! next, stays as it is, or turns its hinges at random.

use std::sync::Arc;

use clamber_model::id::{HingeId, LimbId, LinkId, TiSlice, TiVec};
use clamber_model::obstacle_collision::{CheckedLinks, are_links_free, are_links_free_between};
use clamber_model::self_collision;
use clamber_model::{Character, Configuration, Problem};

use super::tuning;
use crate::local_planner::LocalPlanner;

/// A posture of the limb at a keyframe.
struct LimbNode {
    /// Its index in the layer before.
    parent: usize,
    angles: Vec<f32>,
    /// The greatest turn of a hinge to where it should be.
    distance: f32,
}

/// What a limb must keep free of.
pub(super) struct LimbRoom {
    pub limb: LimbId,
    /// Its links.
    own: Vec<LinkId>,
    /// Its links and those that were placed before it.
    placed: TiVec<LinkId, bool>,
}

impl LimbRoom {
    pub fn new(character: &Character, limb: LimbId, placed: &TiSlice<LinkId, bool>) -> Self {
        let own = character.limbs[limb].links.clone();
        let mut placed = placed.to_vec();
        own.iter().for_each(|&link| placed[link] = true);
        Self { limb, own, placed }
    }
}

impl LocalPlanner {
    /// Moves a limb past obstacles while the body moves, replacing its angles in the keyframes; false when no way is found. A loose limb
    /// may end elsewhere.
    pub(super) async fn pass_by_tree(
        &mut self,
        keyframes: &mut [Configuration],
        room: &LimbRoom,
        is_loose: bool,
    ) -> bool {
        let limb = room.limb;
        if keyframes.iter().all(|keyframe| self.is_limb_free(keyframe, room)) {
            return true;
        }
        let root = LimbNode { parent: 0, angles: self.limb_angles(&keyframes[0], limb), distance: 0.0 };
        let mut layers = vec![vec![root]];
        let ends = self.limb_angles(&keyframes[keyframes.len() - 1], limb);
        for (index, keyframe) in keyframes.iter().enumerate().skip(1) {
            let mut layer = self.grow_layer(&layers[index - 1], keyframe, room).await;
            if !is_loose {
                let farthest = tuning::LIMB_TURN * (keyframes.len() - 1 - index) as f32;
                layer.retain(|node| greatest_turn(&node.angles, &ends) <= farthest);
            }
            if layer.is_empty() {
                return false;
            }
            layers.push(layer);
        }
        let mut node = 0;
        let character = &self.problem.character;
        for (layer, keyframe) in layers.iter().zip(keyframes).rev() {
            let hinges = &character.limbs[limb].hinges;
            hinges.iter().zip(&layer[node].angles).for_each(|(&hinge, &angle)| keyframe.angles[hinge] = angle);
            node = layer[node].parent;
        }
        true
    }

    /// The free postures at a keyframe that follow from those before it, the nearest to the keyframe's first.
    async fn grow_layer(&mut self, before: &[LimbNode], keyframe: &Configuration, room: &LimbRoom) -> Vec<LimbNode> {
        let limb = room.limb;
        let wanted = self.limb_angles(keyframe, limb);
        let mut layer: Vec<LimbNode> = Vec::new();
        let mut configuration = keyframe.clone();
        let character = &*Arc::clone(&self.problem.character);
        let hinges = &character.limbs[limb].hinges;
        for (parent, node) in before.iter().enumerate() {
            for number in 0..tuning::LIMB_BRANCHES {
                let turned =
                    |(&from, &to): (&f32, &f32)| from + (to - from).clamp(-tuning::LIMB_TURN, tuning::LIMB_TURN);
                let angles: Vec<f32> = match number {
                    0 => node.angles.iter().zip(&wanted).map(turned).collect(),
                    1 => node.angles.clone(),
                    _ => {
                        let random = |(&hinge, &angle): (&HingeId, &f32)| {
                            let turn = self.random.between(-tuning::LIMB_TURN, tuning::LIMB_TURN);
                            let hinge = &character.hinges[hinge];
                            (angle + turn).clamp(hinge.min, hinge.max)
                        };
                        hinges.iter().zip(&node.angles).map(random).collect()
                    }
                };
                hinges.iter().zip(&angles).for_each(|(&hinge, &angle)| configuration.angles[hinge] = angle);
                if self.is_limb_free(&configuration, room) {
                    let distance = greatest_turn(&angles, &wanted);
                    layer.push(LimbNode { parent, angles, distance });
                }
            }
        }
        self.budget.count((before.len() * tuning::LIMB_BRANCHES / tuning::LIMB_POSTURES_PER_EXPANSION) as u64).await;
        layer.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        layer.truncate(tuning::LIMB_LAYER);
        layer
    }

    /// Whether the links of a limb are free of obstacles, of each other and of the links that were placed before.
    pub(super) fn is_limb_free(&mut self, configuration: &Configuration, room: &LimbRoom) -> bool {
        let (world, character) = (&self.problem.world, &self.problem.character);
        let (own, placed) = (CheckedLinks::Among(&room.own), CheckedLinks::Only(&room.placed));
        are_links_free(world, character, configuration, own, self.settings.stance_clearance.margin, &mut self.collision)
            && self_collision::is_free(character, configuration, placed, &mut self.collision.self_collision)
    }

    /// Whether the links of a limb are free of obstacles from keyframe to keyframe.
    pub(super) fn is_limb_free_between(&mut self, keyframes: &[Configuration], room: &LimbRoom) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        let (own, clearance) = (CheckedLinks::Among(&room.own), &self.settings.stance_clearance);
        let mut pairs = keyframes.iter().zip(&keyframes[1..]);
        pairs.all(|(a, b)| are_links_free_between(world, character, [a, b], own, clearance, &mut self.collision))
    }

    fn limb_angles(&self, configuration: &Configuration, limb: LimbId) -> Vec<f32> {
        self.problem.character.limbs[limb].hinges.iter().map(|&hinge| configuration.angles[hinge]).collect()
    }
}

fn greatest_turn(from: &[f32], to: &[f32]) -> f32 {
    from.iter().zip(to).map(|(from, to)| (to - from).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use crate::trunk_guide::test_world::{TestBox, problem_with};
    use clamber_model::kinematics::effector_position_at;
    use clamber_model::math::Vec3;

    #[test]
    fn a_limb_inside_an_obstacle_is_not_free_although_the_body_is_not_checked() {
        let is_hand_free = |boxes: &[(usize, TestBox)]| {
            let (problem, _) = problem_with(8.0, boxes);
            let character = &problem.character;
            let mut standing = Configuration::rest(character);
            standing.root.translation += Vec3::new(4.0, 1.0, 0.0);
            let hand = character.effectors.keys().find(|&id| character.effectors[id].name == "left_hand").unwrap();
            let limb = character.effectors[hand].limb.unwrap();
            let nothing = TiVec::from(vec![false; character.links.len()]);
            let room = LimbRoom::new(character, limb, &nothing);
            let at = effector_position_at(character, &standing, hand);
            (at, with_local_planner(&problem, |local| local.is_limb_free(&standing, &room)))
        };
        let (hand, is_free) = is_hand_free(&[]);
        assert!(is_free);
        assert!(!is_hand_free(&[(1, (hand, Vec3::splat(0.1)))]).1);
    }
}
