//! Which obstacle, or which part of the body itself, obstructs the body, and by how much.

use std::sync::Arc;

use clamber_model::id::{EffectorId, GroupId, LinkId};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{CheckedLinks, Hit, worst_hit};
use clamber_model::self_collision::{self, SelfHit};
use clamber_model::{Configuration, Contact, Problem};

use super::measured_reach::Transfer;
use super::search_state::StanceSearch;
use super::tuning::SEGMENT_SAMPLES;
use crate::failure::{Impasse, ImpasseCause};
use crate::hold_graph::{Gap, Vertex};
use crate::trunk_ball::TrunkBall;
use crate::widest_path_bottleneck::{BallMotion, Bottleneck, find_bottleneck};
use clamber_posture::solver::{PostureReference, PostureTasks};

/// What leaves no room for a posture.
#[derive(Clone, Copy)]
pub(super) enum Obstruction {
    Obstacle(Hit),
    /// The body itself.
    Body(SelfHit),
}

impl Obstruction {
    fn distance(&self) -> f32 {
        match self {
            Self::Obstacle(hit) => hit.distance,
            Self::Body(hit) => hit.distance,
        }
    }
}

impl StanceSearch {
    /// The bottleneck ahead that is too narrow for the trunk.
    pub(super) async fn bottleneck_impasse(&self) -> Option<Impasse> {
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let ball = TrunkBall::new(character, self.local.table.trunk_link)?;
        let bottleneck = self.trunk_bottleneck(&ball).await?;
        let distance = |vertex: &usize| (self.graph.vertices[*vertex].point - bottleneck.position).length();
        let nearest = self.guide_path().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        // Between a floor and a roof, the roof is the obstruction: the obstacle on the far side from the holds.
        let normal = self.graph.vertices[nearest].normal;
        let above = world.point_distance(bottleneck.position + normal * ball.radius);
        let above = above.obstacle.filter(|_| above.distance < ball.radius);
        let obstacle = above.or(world.point_distance(bottleneck.position).obstacle)?;
        let cause = ImpasseCause::Blocked {
            obstacle: world.obstacles[obstacle].name.clone(),
            link: character.links[ball.link].name.clone(),
            penetration_depth: 2.0 * (ball.radius - bottleneck.clearance),
            to_hold: self.hold_name(nearest),
        };
        Some(self.impasse_at(bottleneck.position, cause))
    }

    /// In space, the obstacle that the trunk is in on the bridge between what can be reached from the start and from the goal.
    pub(super) fn blocked_bridge(&self) -> Option<Impasse> {
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let bridge = self.trunk_guide.as_ref()?.bridge()?;
        let ball = TrunkBall::new(character, self.local.table.trunk_link)?;
        let at = |sample: usize| bridge.from.position.lerp(bridge.to.position, sample as f32 / SEGMENT_SAMPLES as f32);
        let samples = (0..=SEGMENT_SAMPLES).map(|sample| (world.point_distance(at(sample)), at(sample)));
        let (nearest, place) = samples.min_by(|a, b| a.0.distance.total_cmp(&b.0.distance))?;
        let penetration_depth = ball.radius - nearest.distance;
        let obstacle = nearest.obstacle.filter(|_| penetration_depth > 0.0)?;
        let distance = |vertex: &usize| (self.graph.vertices[*vertex].point - place).length();
        let hold = (0..self.graph.vertices.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let cause = ImpasseCause::Blocked {
            obstacle: world.obstacles[obstacle].name.clone(),
            link: character.links[ball.link].name.clone(),
            penetration_depth,
            to_hold: self.hold_name(hold),
        };
        Some(self.impasse_at(place, cause))
    }

    /// Follows the trunk to the goal, or along the guide's path as far as the lookahead.
    async fn trunk_bottleneck(&self, ball: &TrunkBall) -> Option<Bottleneck> {
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let center = |configuration: &Configuration| ball.center(character, configuration);
        let reach = self.reach.max_from_trunk(center(&Configuration::rest(character)));
        let best = self.subproblem.best_node();
        let is_near = |vertex: &usize| {
            // In space, the graph of holds leads only where the explanation looks.
            self.explained_place.is_some()
                || best.cost_to_go - self.graph.vertex_cost_to_go(*vertex) < self.lengths.lookahead
        };
        let ahead = self.guide_path().take_while(is_near).last()?;
        let goal = self.goal().filter(|_| self.graph.next(ahead).is_none());
        // Short of the goal, any position from which the vertex is in reach will do.
        let (to, tolerance) = match (self.explained_place, goal) {
            (Some(place), _) => (place, self.lengths.trunk_tolerance),
            (None, Some(goal)) => (center(&goal.configuration), self.lengths.trunk_tolerance),
            (None, None) => (self.graph.vertices[ahead].point, reach),
        };
        // A body that holds on is never farther from a hold than its limbs are long.
        let is_in_reach = |at: Vec3| {
            let mut vertices = self.graph.near_x(at.x, reach).iter();
            vertices.any(|&vertex| (self.graph.vertices[vertex].point - at).length() < reach)
        };
        let motion = BallMotion { radius: ball.radius, from: center(&best.configuration), to, tolerance };
        find_bottleneck(world, self.reach.body_size, motion, is_in_reach).await
    }

    /// The obstacle between the ends of a gap that is short enough.
    pub(super) fn obstructed_gap(&self, gap: Gap) -> Impasse {
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let [from, to] = [gap.from, gap.to].map(|vertex| self.graph.vertices[vertex]);
        let at = |sample: usize| from.point.lerp(to.point, sample as f32 / SEGMENT_SAMPLES as f32);
        let samples = (1..SEGMENT_SAMPLES).map(|sample| (world.point_distance(at(sample)), at(sample)));
        let deepest = samples.min_by(|a, b| a.0.distance.total_cmp(&b.0.distance));
        let (place, cause) = match deepest {
            Some((deepest, place)) if let Some(obstacle) = deepest.obstacle => {
                let cause = ImpasseCause::Blocked {
                    obstacle: world.obstacles[obstacle].name.clone(),
                    link: character.links[self.local.table.trunk_link].name.clone(),
                    penetration_depth: (-deepest.distance).max(self.lengths.min_overlap),
                    to_hold: self.hold_name(gap.to),
                };
                (place, cause)
            }
            _ => (
                to.point,
                ImpasseCause::NoPosture { from_hold: self.hold_name(gap.from), to_hold: self.hold_name(gap.to) },
            ),
        };
        self.impasse_at(place, cause)
    }

    /// The least overlap of a body that holds both vertices. None when a posture is free, or when none holds both.
    pub(super) async fn least_hit(&mut self, transfer: &Transfer, [from, to]: [usize; 2]) -> Option<Obstruction> {
        let table = &*Arc::clone(&self.local.table);
        let edge = &table.edges[transfer.edge];
        let contact = |vertex: Vertex, group: GroupId, other: Option<EffectorId>| {
            let effectors = &table.effector_groups[group].effectors;
            let effector = effectors.iter().copied().find(|effector| Some(*effector) != other)?;
            Some(Contact { effector, hold: vertex.hold, point: vertex.point, normal: vertex.normal })
        };
        let best = self.subproblem.best_node().configuration.clone();
        let mut least: Option<Obstruction> = None;
        for &holder in &transfer.holding_groups {
            let first = contact(self.graph.vertices[from], holder, None)?;
            let second = contact(self.graph.vertices[to], transfer.group, Some(first.effector))?;
            let mut stance = vec![first, second];
            stance.sort_by_key(|contact| contact.effector);
            let tasks = PostureTasks {
                patch_headings: &[],
                stance: &stance,
                reference: PostureReference::Comfort(edge.to),
                conditions: &[],
                center_regions: &[],
                effort: None,
            };
            let mut postures = Vec::new();
            self.local.sample_starts(&best, tasks, &mut postures).await;
            postures.push(best.clone());
            for mut posture in postures {
                self.local.solver.set_collision_links(CheckedLinks::All);
                if !self.local.solve(&mut posture, tasks).await {
                    continue;
                }
                let Problem { world, character, .. } = &*self.local.problem;
                let margin = self.local.settings.stance_clearance.margin;
                let collision = &mut self.local.collision;
                let hit = match worst_hit(world, character, &posture, margin, collision) {
                    Some(hit) => Obstruction::Obstacle(hit),
                    None => {
                        let margin = self_collision::MARGIN * character.body_size();
                        let memory = &mut collision.self_collision;
                        let hit = self_collision::worst_hit(character, &posture, CheckedLinks::All, margin, memory)?;
                        Obstruction::Body(hit)
                    }
                };
                if least.is_none_or(|least| hit.distance() > least.distance()) {
                    least = Some(hit);
                }
            }
        }
        least.filter(|hit| hit.distance() < -self.lengths.tolerated_overlap)
    }

    pub(super) fn blocked_by(&self, obstruction: &Obstruction, to: usize) -> ImpasseCause {
        let Problem { world, character, .. } = &*self.local.problem;
        let name = |link: LinkId| character.links[link].name.clone();
        let (penetration_depth, to_hold) = (-obstruction.distance(), self.hold_name(to));
        match obstruction {
            Obstruction::Obstacle(Hit { link, obstacle, .. }) => {
                let obstacle = world.obstacles[*obstacle].name.clone();
                ImpasseCause::Blocked { obstacle, link: name(*link), penetration_depth, to_hold }
            }
            Obstruction::Body(SelfHit { links: [link, other], .. }) => {
                ImpasseCause::BlockedByBody { link: name(*link), other: name(*other), penetration_depth, to_hold }
            }
        }
    }
}
