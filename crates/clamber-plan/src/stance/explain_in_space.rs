//! What an explanation needs in space: the graph of the holds around the impasse, and the proof that there is no way.
//!
//! The graph of all holds would take time and memory that grow with the world, so it is built around the best node and where the guide
//! leads from there: over the bridge, if no path connects start and goal, otherwise some way ahead.

use clamber_model::Contact;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::Vec3;
use clamber_model::world::UP;

use super::search_state::StanceSearch;
use super::subgoal_sequence::Subgoal;
use crate::failure::{Impasse, ImpasseCause};
use crate::hold_graph::HoldGraph;
use crate::no_way_proof::is_no_way_proved;
use crate::trunk_guide::GuidePoint;

impl StanceSearch {
    /// Whether the best node is where the guide's bridge begins.
    pub(super) fn is_at_bridge(&self) -> bool {
        let bridge = self.trunk_guide.as_ref().and_then(|guide| guide.bridge());
        let here = self.guide_point(self.subproblem.best_node());
        here.zip(bridge)
            .is_some_and(|(here, bridge)| (bridge.from.position - here.position).length() < self.lengths.at_bridge)
    }

    /// Whether it is proved that no motion leads to the subgoal. Computed once for each subgoal.
    pub(super) async fn is_no_way_proved(&mut self) -> bool {
        if let Some(is_proved) = self.earlier.is_no_way_proved {
            return is_proved;
        }
        let is_proved = match self.subgoal() {
            Subgoal::Posture(goal, _) => {
                let start = &self.path[self.path.len() - 1].configuration;
                let ends = [start, &goal.configuration];
                let is_cancelled = || self.local.budget.is_cancelled();
                is_no_way_proved(&self.local.problem, &self.local.table, ends, is_cancelled).await
            }
            Subgoal::Pin(_) => false,
        };
        self.earlier.is_no_way_proved = Some(is_proved);
        is_proved
    }

    /// Says of an impasse whether it is proved that there is no way.
    pub(super) async fn with_certainty(&mut self, impasse: Impasse) -> Impasse {
        // No posture and no holds would help.
        let has_no_edge = self.subproblem.nodes.len() == 1 && matches!(impasse.cause, ImpasseCause::NoModeEdge { .. });
        let is_proved = has_no_edge || self.is_no_way_proved().await;
        Impasse { is_proved, ..impasse }
    }

    /// In space, builds the graph of the holds around the impasse.
    pub(super) async fn build_explanation_graph(&mut self) {
        let Some((from, to)) = self.explained_way() else { return };
        let problem = self.local.problem.clone();
        let table = self.local.table.clone();
        let middle = from.midpoint(to.position);
        let radius = 0.5 * (to.position - from).length() + self.lengths.explained_margin;
        let mut holds: Vec<HoldId> = Vec::new();
        problem.world.holds_near(middle, radius, &mut holds);
        holds.retain(|hold| problem.may_hold(*hold));
        let is_near = move |point: Vec3| (point - middle).length() <= radius;
        self.graph = HoldGraph::new(&problem.world, &table, &self.reach, &holds, is_near).await;
        let height = self.trunk_guide.as_ref().and_then(|guide| guide.shape(to.mode)).map_or(0.0, |shape| shape.height);
        let below = to.position - UP * height;
        let carries = |hold: &&HoldId| {
            let hold_type = problem.world.holds[**hold].hold_type;
            table.modes[to.mode].supporting_groups.iter().any(|group| group.types.contains(&hold_type))
        };
        let distance = |hold: &HoldId| (problem.world.holds[*hold].nearest_point(below) - below).length();
        let nearest = holds.iter().filter(carries).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let contact = |&hold: &HoldId| {
            let surface = &problem.world.holds[hold];
            // The graph ignores which effector makes the contact.
            Contact { effector: EffectorId::new(0), hold, point: surface.nearest_point(below), normal: surface.normal }
        };
        let goal: Vec<Contact> = nearest.map(contact).into_iter().collect();
        let stance = self.subproblem.best_node().stance.clone();
        self.explained_place = Some(to.position);
        self.set_graph_goal(&stance, &goal).await;
    }

    /// Where the trunk of the best node is, and where it should get next.
    fn explained_way(&self) -> Option<(Vec3, GuidePoint)> {
        let guide = self.trunk_guide.as_ref()?;
        let here = self.guide_point(self.subproblem.best_node())?;
        let distance = |point: &GuidePoint| (point.position - here.position).length();
        let bridge = guide.bridge().filter(|bridge| distance(&bridge.from) < self.lengths.lookahead);
        let ahead = || guide.path(here).take_while(|point| distance(point) < self.lengths.lookahead).last();
        Some((here.position, bridge.map(|bridge| bridge.to).or_else(ahead).unwrap_or(here)))
    }
}
