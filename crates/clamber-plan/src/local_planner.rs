//! A character in its world, and the memory that locomotion it needs: what every search over contacts is made of.

use std::sync::Arc;

use clamber_model::character::RootAxis;
use clamber_model::collision::{CollisionWorkspace, Links, is_free, is_next_step_free, is_step_of_links_free};
use clamber_model::configuration::longest_way;
use clamber_model::id::{EffectorId, HingeId, LimbId, LinkId, ModeId, TiVec};
use clamber_model::kinematics::{center_of_mass, effector_in_world, forward, travel};
use clamber_model::math::Vec3;
use clamber_model::rng::Stream;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact, ModeTable, Problem};

use crate::bounds::stays_in_bounds;
use crate::budget::{Budget, Interrupt};
use crate::limb_search::{LimbSearch, TwoHingeLimb};
use crate::settings::PlanSettings;
use clamber_posture::anatomy::Anatomy;
use clamber_posture::collision_free::{PostureConstraints, PostureTools, solve_collision_free};
use clamber_posture::comfort::{PostureState, discomfort};
use clamber_posture::contact_projection::ContactProjection;
use clamber_posture::solver::{PostureSolver, PostureTasks, SolverContext};

pub(crate) struct LocalPlanner {
    pub problem: Arc<Problem>,
    pub table: Arc<ModeTable>,
    pub settings: PlanSettings,
    pub anatomy: Anatomy,
    pub projection: ContactProjection,
    pub solver: PostureSolver,
    /// For each limb, what its search needs to know, where it is of the kind that can be searched.
    pub limbs: TiVec<LimbId, Option<TwoHingeLimb>>,
    pub limb_search: LimbSearch,
    pub collision: CollisionWorkspace,
    pub random: Stream,
    pub bounds: TiVec<LinkId, f32>,
    pub budget: Budget,
}

impl LocalPlanner {
    pub fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: PlanSettings,
        random: Stream,
        budget: Budget,
    ) -> Self {
        let anatomy = Anatomy::new(&problem.character, &table);
        let projection = ContactProjection::new(&problem.character, settings.step, settings.relax);
        let solver = PostureSolver::new(&problem.character);
        let limbs = problem.character.limbs.keys().map(|limb| TwoHingeLimb::of(&problem.character, limb)).collect();
        Self {
            problem,
            table,
            settings,
            anatomy,
            projection,
            solver,
            limbs,
            limb_search: LimbSearch::default(),
            collision: CollisionWorkspace::default(),
            random,
            bounds: TiVec::new(),
            budget,
        }
    }

    /// The center of mass of a configuration, whose frames are then those of [`ContactProjection::frames`].
    pub fn center_of(&mut self, configuration: &Configuration) -> Vec3 {
        forward(&self.problem.character, configuration, &mut self.projection.frames);
        center_of_mass(&self.problem.character, &self.projection.frames)
    }

    /// Where an effector's center is.
    pub fn effector_of(&mut self, configuration: &Configuration, effector: EffectorId) -> Vec3 {
        forward(&self.problem.character, configuration, &mut self.projection.frames);
        effector_in_world(&self.problem.character, &self.projection.frames, effector)
    }

    /// Where an effector's limb begins, in the configuration that was last looked at.
    pub fn limb_root(&self, effector: EffectorId) -> Option<Vec3> {
        let character = &self.problem.character;
        let first = character.limbs[character.effectors[effector].limb?].links[0];
        Some(self.projection.frames.world_from_link[first].translation)
    }

    /// Whether a small step touches nothing but what it may and stays in bounds.
    pub fn is_step_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        self.is_step_of_links_free([from, to], Links::All)
    }

    /// The same, of some of the links.
    pub fn is_step_of_links_free(&mut self, ends: [&Configuration; 2], links: Links) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        is_step_of_links_free(world, character, ends, links, &self.settings.contact_clearance, &mut self.collision)
            && stays_in_bounds(&self.problem, ends[0], ends[1], &mut self.collision.ends)
    }

    /// The same of all links, where `from` is the end of a step that was free.
    pub fn is_next_step_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        is_next_step_free(world, character, [from, to], &self.settings.contact_clearance, &mut self.collision)
            && stays_in_bounds(&self.problem, from, to, &mut self.collision.ends)
    }

    pub fn is_free(&mut self, configuration: &Configuration) -> bool {
        let Problem { world, character, .. } = &*self.problem;
        is_free(world, character, configuration, self.settings.contact_clearance.margin, &mut self.collision)
    }

    /// Makes `to` a random neighbor that keeps the contacts and can be reached freely; false when the draw is neither.
    pub fn draw_free(&mut self, from: &Configuration, stance: &[Contact], to: &mut Configuration) -> bool {
        let character = &self.problem.character;
        self.projection.sample_neighbor(character, from, stance, &mut self.random, to) && self.is_step_free(from, to)
    }

    /// The discomfort of the configuration that [`ContactProjection::frames`] are of.
    pub fn discomfort_here(&self, configuration: &Configuration, stance: &[Contact], mode: ModeId) -> f32 {
        let (character, anatomy, frames) = (&*self.problem.character, &self.anatomy, &self.projection.frames);
        discomfort(&self.table.modes[mode], PostureState { character, anatomy, configuration, frames, stance })
    }

    fn discomfort_of(&mut self, configuration: &Configuration, stance: &[Contact], mode: ModeId) -> f32 {
        forward(&self.problem.character, configuration, &mut self.projection.frames);
        self.discomfort_here(configuration, stance, mode)
    }

    /// Posture correction (thesis Figure 4.8): descends through the discomfort of a mode, and walks out of its local
    /// minima, until the mode's comfort is reached or nothing helps. Returns the path, without where it began.
    pub fn correct(
        &mut self,
        from: &Configuration,
        stance: &[Contact],
        mode: ModeId,
    ) -> Result<Vec<Configuration>, Interrupt> {
        let comfort = self.table.modes[mode].comfort;
        let mut path = vec![from.clone()];
        let mut value = self.descend_discomfort(&mut path, stance, mode)?;
        'better: while value >= comfort {
            let length = path.len();
            for _ in 0..self.settings.comfort_walks {
                self.walk(&mut path, stance, self.settings.comfort_walk_length)?;
                let walked = self.descend_discomfort(&mut path, stance, mode)?;
                if walked < value {
                    value = walked;
                    continue 'better;
                }
                path.truncate(length);
            }
            break;
        }
        path.remove(0);
        Ok(path)
    }

    /// Descends through the discomfort (thesis Figure 4.7) from the end of a path; returns the discomfort at its new end.
    fn descend_discomfort(
        &mut self,
        path: &mut Vec<Configuration>,
        stance: &[Contact],
        mode: ModeId,
    ) -> Result<f32, Interrupt> {
        // A smaller gain is not progress, only noise of the sampling.
        const LEAST_GAIN: f32 = 2e-4;
        let comfort = self.table.modes[mode].comfort;
        let mut here = path[path.len() - 1].clone();
        let mut next = here.clone();
        let mut value = self.discomfort_of(&here, stance, mode);
        let mut samples = 0;
        while value >= comfort && samples < self.settings.max_samples {
            self.budget.spend(1)?;
            samples += 1;
            let character = &self.problem.character;
            if !self.projection.sample_neighbor(character, &here, stance, &mut self.random, &mut next) {
                continue;
            }
            let drawn = self.discomfort_here(&next, stance, mode);
            if drawn < value - LEAST_GAIN && self.is_step_free(&here, &next) {
                value = drawn;
                std::mem::swap(&mut here, &mut next);
                path.push(here.clone());
                samples = 0;
            }
        }
        Ok(value)
    }

    /// Makes a configuration the posture that is tasksed for; false when the contacts cannot be kept. Whether it touches
    /// anything and is balanced is left to be looked at.
    pub fn solve(&mut self, configuration: &mut Configuration, tasks: PostureTasks) -> bool {
        let Self { problem, table, anatomy, projection, solver, budget, .. } = self;
        let context = SolverContext { world: &problem.world, character: &problem.character, table, anatomy };
        budget.expansions += solver.solve(context, configuration, tasks) as u64;
        projection.project_in_place(&problem.character, configuration, tasks.stance)
    }

    /// The same, until it touches nothing: where the field has not seen well, links are kept farther away. False when
    /// that does not help.
    pub fn solve_free(&mut self, configuration: &mut Configuration, tasks: PostureTasks) -> bool {
        self.solve_links_free(configuration, tasks, Links::All, tasks.stance)
    }

    /// The same, of some of the links; the others may be anywhere. Only these of the contacts must be kept.
    pub fn solve_links_free(
        &mut self,
        configuration: &mut Configuration,
        tasks: PostureTasks,
        links: Links,
        kept: &[Contact],
    ) -> bool {
        let Self { problem, table, anatomy, projection, solver, collision, budget, settings, .. } = self;
        let context = SolverContext { world: &problem.world, character: &problem.character, table, anatomy };
        let constraints = PostureConstraints { kept, links, margin: settings.contact_clearance.margin };
        let tools = PostureTools { solver, projection, collision };
        let outcome = solve_collision_free(tools, context, configuration, tasks, constraints);
        budget.expansions += outcome.iterations as u64;
        outcome.result.is_ok()
    }

    /// Whether two postures are as good as one.
    pub fn is_similar(&mut self, one: &Configuration, other: &Configuration) -> bool {
        // In meters that any point of the body moves.
        const NEAR: f32 = 0.05;
        travel(&self.problem.character, [one, other], &mut self.collision.ends) < NEAR
    }

    /// Fills `starts` with other postures to fit from: the likeliest of many drawn around the contacts.
    pub fn sample_starts(&mut self, from: &Configuration, tasks: PostureTasks, starts: &mut Vec<Configuration>) {
        const DRAWS: usize = 120;
        const KEPT: usize = 4;
        const FAR: f32 = 0.9;
        const TURN: f32 = 1.6;
        const BEND: f32 = 0.6;
        let character = &self.problem.character;
        let middle = tasks.stance.iter().map(|contact| contact.point).sum::<Vec3>() / tasks.stance.len().max(1) as f32;
        let mut drawn: Vec<(f32, Configuration)> = Vec::with_capacity(DRAWS);
        let mut displacement = vec![0.0; character.degrees_of_freedom()];
        let root_dofs = character.root.axes().len();
        for _ in 0..DRAWS {
            let mut start = from.clone();
            start.root.translation = middle.with_z(from.root.translation.z);
            for (dof, amount) in displacement.iter_mut().enumerate() {
                let far = match character.root.axes().get(dof) {
                    Some(RootAxis::Move(_)) => FAR,
                    Some(RootAxis::Turn(_)) => TURN,
                    None => BEND,
                };
                *amount = self.random.between(-far, far);
                if let Some(index) = dof.checked_sub(root_dofs).map(HingeId::from) {
                    let hinge = &character.hinges[index];
                    // Half of the hinges half-path to rest, half of them anywhere.
                    *amount = match self.random.unit() < 0.5 {
                        true => *amount + 0.5 * (hinge.rest - start.angles[index]),
                        false => self.random.between(hinge.min, hinge.max) - start.angles[index],
                    };
                }
            }
            start.displace(character, &displacement);
            self.projection.project_limbs(character, &mut start, tasks.stance);
            let context =
                SolverContext { world: &self.problem.world, character, table: &self.table, anatomy: &self.anatomy };
            drawn.push((self.solver.cost(context, &start, tasks), start));
        }
        self.budget.expansions += DRAWS as u64;
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        starts.clear();
        starts.extend(drawn.into_iter().take(KEPT).map(|(_, start)| start));
    }

    /// A random walk of so many draws from the end of a path, keeping the contacts.
    pub fn walk(&mut self, path: &mut Vec<Configuration>, stance: &[Contact], draws: usize) -> Result<(), Interrupt> {
        let mut here = path[path.len() - 1].clone();
        let mut next = here.clone();
        for _ in 0..draws {
            self.budget.spend(1)?;
            if self.draw_free(&here, stance, &mut next) {
                std::mem::swap(&mut here, &mut next);
                path.push(here.clone());
            }
        }
        Ok(())
    }

    /// The path of a free limb to a hold, the body staying where it is, if there is one: straight if possible, otherwise
    /// lifted off the surfaces between. Returns the path, without where it began.
    ///
    /// The thesis goes straight and does not say what happens when that is blocked, as it is for a foot on the ground
    /// that is to come down on the ground.
    pub fn path_to_hold(
        &mut self,
        from: &Configuration,
        contact: &Contact,
    ) -> Result<Option<Vec<Configuration>>, Interrupt> {
        const LIFTS: [f32; 4] = [0.08, 0.18, 0.32, 0.5];
        let character = &self.problem.character;
        let (effector, there) = (contact.effector, contact.center(character));
        self.budget.spend(1)?;
        let mut goal = from.clone();
        if !self.projection.reach(character, &mut goal, effector, there) || !self.is_free(&goal) {
            return Ok(None);
        }
        let here = self.effector_of(from, effector);
        if let Some(path) = self.path_via(from, effector, &[there])? {
            return Ok(Some(path));
        }
        let directions = if UP.dot(contact.normal) > 0.9 { &[UP][..] } else { &[contact.normal, UP][..] };
        for lift in LIFTS {
            for &direction in directions {
                let off = direction * lift;
                let middle = 0.5 * (here + there) + off;
                for places in
                    [&[middle, there][..], &[here + off, there + off, there], &[here + off, middle, there + off, there]]
                {
                    if let Some(path) = self.path_via(from, effector, places)? {
                        return Ok(Some(path));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The path of a limb that brings its effector from place to place, if it is free.
    fn path_via(
        &mut self,
        from: &Configuration,
        effector: EffectorId,
        places: &[Vec3],
    ) -> Result<Option<Vec<Configuration>>, Interrupt> {
        let character = &*Arc::clone(&self.problem.character);
        let mut path: Vec<Configuration> = Vec::with_capacity(places.len());
        for &place in places {
            self.budget.spend(1)?;
            let mut next = path.last().unwrap_or(from).clone();
            if !self.projection.reach(character, &mut next, effector, place) {
                return Ok(None);
            }
            let here = path.last().unwrap_or(from);
            if !self.is_step_free(here, &next) {
                return Ok(None);
            }
            path.push(next);
        }
        Ok(Some(path))
    }

    /// The straight path between two configurations that keeps the contacts, if it is free; without where it began.
    pub fn path_on_contacts(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        stance: &[Contact],
    ) -> Option<Vec<Configuration>> {
        let Problem { character, .. } = &*Arc::clone(&self.problem);
        let mut bounds = TiVec::new();
        let length = longest_way(character, from, to, &mut bounds);
        let count = (length / self.settings.step).ceil().max(1.0) as usize;
        let mut path: Vec<Configuration> = Vec::with_capacity(count);
        for i in 1..=count {
            let mut next = to.clone();
            if i < count {
                let t = i as f32 / count as f32;
                if !self.projection.interpolate(character, [from, to], t, stance, &mut next) {
                    return None;
                }
            }
            let here = path.last().unwrap_or(from);
            if !self.is_step_free(here, &next) {
                return None;
            }
            path.push(next);
        }
        Some(path)
    }
}

/// What tests of the modules above need.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::budget::CancelToken;

    /// Calls `then` with a local of the problem, with the default settings.
    pub(crate) fn with_local_planner<T>(problem: &Problem, then: impl FnOnce(&mut LocalPlanner) -> T) -> T {
        let problem = Arc::new(problem.clone());
        let budget = Budget::new(u64::MAX, CancelToken::default());
        let table = problem.modes.clone().expect("problems of tests have a table");
        then(&mut LocalPlanner::new(problem, table, PlanSettings::default(), Stream::new(1, "tests"), budget))
    }
}
