//! Two small random trees that grow toward each other on given contacts, where no simple path is free (Kuffner and LaValle,
//! "RRT-Connect", 2000).

use std::sync::Arc;

use clamber_model::character::RootAxis;
use clamber_model::configuration::max_motion_bound;
use clamber_model::id::{HingeId, LinkId, TiSlice};
use clamber_model::math::angle_between_rotations;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::{Configuration, Contact};
use clamber_posture::contact_projection::SoleRoll;

use super::transition_problem::PostureChange;
use super::tuning;
use crate::local_planner::LocalPlanner;

struct Tree {
    /// Configurations and their parents.
    nodes: Vec<(Configuration, usize)>,
    /// Body size in meters.
    size: f32,
}

impl Tree {
    fn nearest(&self, to: &Configuration) -> usize {
        let squared_distance = |(node, _): &(Configuration, usize)| {
            let turns: f32 = node.angles.iter().zip(&to.angles).map(|(a, b)| (a - b) * (a - b)).sum();
            let turn = angle_between_rotations(node.root.rotation, to.root.rotation);
            let displacement = (node.root.translation - to.root.translation) / self.size;
            turns
                + tuning::ROOT_TURN_WEIGHT * turn * turn
                + tuning::ROOT_DISTANCE_WEIGHT * displacement.length_squared()
        };
        let nearest = self.nodes.iter().map(squared_distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(index, _)| index)
    }

    /// From the root to a node.
    fn branch(&self, node: usize) -> Vec<Configuration> {
        let parents = std::iter::successors(Some(node), |&node| (node > 0).then(|| self.nodes[node].1));
        let mut branch: Vec<Configuration> = parents.map(|node| self.nodes[node].0.clone()).collect();
        branch.reverse();
        branch
    }
}

impl LocalPlanner {
    /// A free path of the links of `body`, without the first configuration; `None` when the trees do not meet.
    pub async fn connect(
        &mut self,
        change: PostureChange<'_>,
        body: &TiSlice<LinkId, bool>,
        growths: usize,
    ) -> Option<Vec<Configuration>> {
        let PostureChange { from, to, held, .. } = change;
        let mut trees = [from, to].map(|root| Tree { nodes: vec![(root.clone(), 0)], size: self.settings.size });
        for growth in 0..growths {
            let [grows, waits] = if growth % 2 == 0 { [0, 1] } else { [1, 0] };
            let target = self.target(from, to);
            let begins = trees[grows].nearest(&target);
            let (reached, _) = self.grow(&mut trees[grows], begins, &target, held, body, tuning::STEPS_TO_TARGET).await;
            if reached == begins {
                continue;
            }
            let target = trees[grows].nodes[reached].0.clone();
            let begins = trees[waits].nearest(&target);
            let (met, is_there) =
                self.grow(&mut trees[waits], begins, &target, held, body, tuning::STEPS_TO_TREE).await;
            if is_there {
                let ends = if grows == 0 { [reached, met] } else { [met, reached] };
                let mut path = trees[0].branch(ends[0]);
                // Both branches contain the configuration where they meet.
                path.extend(trees[1].branch(ends[1]).into_iter().rev().skip(1));
                path.remove(0);
                return Some(path);
            }
        }
        None
    }

    /// A random configuration near the straight path. Limbs in contact follow later, and the others do not matter here.
    fn target(&mut self, from: &Configuration, to: &Configuration) -> Configuration {
        let farthest = tuning::TARGET_DISTANCE * self.settings.size;
        let character = &*Arc::clone(&self.problem.character);
        let mut target = from.clone();
        target.interpolate(from, to, self.random.uniform());
        let displacement: Vec<f32> = (0..character.degrees_of_freedom())
            .map(|dof| match character.root_joint.axes().get(dof) {
                Some(RootAxis::Move(_)) => self.random.between(-farthest, farthest),
                Some(RootAxis::Turn(_)) => self.random.between(-tuning::TARGET_TURN, tuning::TARGET_TURN),
                None if self.is_in_limb(dof) => 0.0,
                None => self.random.between(-tuning::TARGET_BEND, tuning::TARGET_BEND),
            })
            .collect();
        target.displace(character, &displacement);
        target
    }

    fn is_in_limb(&self, dof: usize) -> bool {
        let character = &self.problem.character;
        let hinge = HingeId::from(dof - character.root_joint.axes().len());
        character.limb_of_link(character.hinges[hinge].link).is_some()
    }

    /// Grows a tree from a node toward a target by at most `most` steps. Returns the last node and whether it is the target.
    async fn grow(
        &mut self,
        tree: &mut Tree,
        from: usize,
        target: &Configuration,
        held: &[Contact],
        body: &TiSlice<LinkId, bool>,
        most: usize,
    ) -> (usize, bool) {
        let character = &*Arc::clone(&self.problem.character);
        let mut here = from;
        let mut bounds = std::mem::take(&mut self.bounds);
        let mut is_there = false;
        for _ in 0..most {
            self.budget.count(1).await;
            let length = max_motion_bound(character, &tree.nodes[here].0, target, &mut bounds);
            let mut next = target.clone();
            is_there = length <= self.settings.max_frame_displacement;
            if !is_there {
                next.interpolate(&tree.nodes[here].0, target, self.settings.max_frame_displacement / length);
            }
            let is_kept = self.projection.project_bending_limbs(character, &mut next, held, SoleRoll::AsGiven);
            let is_target =
                is_there && max_motion_bound(character, &next, target, &mut bounds) < tuning::SAME * self.settings.size;
            if is_target {
                next.clone_from(target);
            }
            is_there = is_target;
            if !is_kept || !self.is_step_of_links_free([&tree.nodes[here].0, &next], CheckedLinks::Only(body)) {
                is_there = false;
                break;
            }
            tree.nodes.push((next, here));
            here = tree.nodes.len() - 1;
            if is_there {
                break;
            }
        }
        self.bounds = bounds;
        (here, is_there)
    }
}
