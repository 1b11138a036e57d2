//! Solves postures with the posture solver, and samples starts for it.

use clamber_model::character::RootAxis;
use clamber_model::id::HingeId;
use clamber_model::kinematics::max_displacement;
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::{Configuration, Contact};
use clamber_posture::collision_free::{PostureConstraints, PostureTools, solve_collision_free};
use clamber_posture::contact_projection::SoleRoll;
use clamber_posture::solver::{PostureTasks, SolverContext};

use super::local_planner_state::LocalPlanner;
use super::tuning;

impl LocalPlanner {
    /// Solves a posture; false when an effector misses its contact. Does not check collisions and balance.
    pub async fn solve(&mut self, configuration: &mut Configuration, tasks: PostureTasks<'_>) -> bool {
        let Self { problem, table, anatomy, projection, solver, budget, .. } = self;
        let context =
            SolverContext { world: &problem.world, character: &problem.character, mode_table: table, anatomy };
        let headings = std::mem::take(&mut projection.patch_headings);
        let iterations = solver.solve(context, configuration, PostureTasks { patch_headings: &headings, ..tasks });
        projection.patch_headings = headings;
        budget.count(iterations as u64).await;
        projection.project_bending_limbs(&problem.character, configuration, tasks.stance, SoleRoll::Least)
    }

    /// Solves a posture without collisions; false when there is none near.
    pub async fn solve_free(&mut self, configuration: &mut Configuration, tasks: PostureTasks<'_>) -> bool {
        self.solve_links_free(configuration, tasks, CheckedLinks::All, tasks.stance).await
    }

    /// The same, where only some links must be free and only some contacts must be met.
    pub async fn solve_links_free(
        &mut self,
        configuration: &mut Configuration,
        tasks: PostureTasks<'_>,
        links: CheckedLinks<'_>,
        required_contacts: &[Contact],
    ) -> bool {
        let Self { problem, table, anatomy, projection, solver, collision, budget, .. } = self;
        let context =
            SolverContext { world: &problem.world, character: &problem.character, mode_table: table, anatomy };
        let constraints = PostureConstraints {
            required_contacts,
            collision_free_links: links,
            obstacle_margin: self.settings.stance_clearance.margin,
        };
        let patch_headings = &projection.patch_headings.clone();
        let tools = PostureTools { solver, projection, collision };
        let tasks = PostureTasks { patch_headings, ..tasks };
        let outcome = solve_collision_free(tools, context, configuration, tasks, constraints);
        budget.count(outcome.solver_iterations as u64).await;
        outcome.result.is_ok()
    }

    /// Whether two postures differ too little to count as two.
    pub fn is_similar(&mut self, one: &Configuration, other: &Configuration) -> bool {
        let distance = max_displacement(&self.problem.character, [one, other], &mut self.collision.end_link_frames);
        distance < tuning::SIMILAR * self.settings.size
    }

    /// Fills `starts` with other postures to solve from: the best of many samples around the contacts.
    pub async fn sample_starts(
        &mut self,
        from: &Configuration,
        tasks: PostureTasks<'_>,
        starts: &mut Vec<Configuration>,
    ) {
        let farthest = tuning::START_DISTANCE * self.settings.size;
        let character = &self.problem.character;
        let middle = tasks.stance.iter().map(|contact| contact.point).sum::<Vec3>() / tasks.stance.len().max(1) as f32;
        let mut samples: Vec<(f32, Configuration)> = Vec::with_capacity(tuning::START_SAMPLES);
        let mut displacement = vec![0.0; character.degrees_of_freedom()];
        let root_dofs = character.root_joint.axes().len();
        for _ in 0..tuning::START_SAMPLES {
            let mut start = from.clone();
            start.root.translation = middle.with_z(from.root.translation.z);
            for (dof, amount) in displacement.iter_mut().enumerate() {
                let far = match character.root_joint.axes().get(dof) {
                    Some(RootAxis::Move(_)) => farthest,
                    Some(RootAxis::Turn(_)) => tuning::START_TURN,
                    None => tuning::START_BEND,
                };
                *amount = self.random.between(-far, far);
                if let Some(index) = dof.checked_sub(root_dofs).map(HingeId::from) {
                    let hinge = &character.hinges[index];
                    // Half of the hinges half-path to rest, half of them anywhere.
                    *amount = match self.random.uniform() < 0.5 {
                        true => *amount + 0.5 * (hinge.rest - start.angles[index]),
                        false => self.random.between(hinge.min, hinge.max) - start.angles[index],
                    };
                }
            }
            start.displace(character, &displacement);
            self.projection.bend_limbs_toward_contacts(character, &mut start, tasks.stance);
            let context = SolverContext {
                world: &self.problem.world,
                character,
                mode_table: &self.table,
                anatomy: &self.anatomy,
            };
            samples.push((self.solver.cost(context, &start, tasks), start));
            self.budget.count(1).await;
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        starts.clear();
        starts.extend(samples.into_iter().take(tuning::STARTS).map(|(_, start)| start));
    }
}
