//! Solves a stance from the rest posture, as the solvers of the library are used elsewhere.

use clamber::model::character::RootAxis;
use clamber::model::kinematics::{LinkFrames, forward};
use clamber::model::obstacle_collision::{CheckedLinks, CollisionWorkspace};
use clamber::model::rng::Stream;
use clamber::model::{Character, Configuration, Contact, ModeTable, World};
use clamber::posture::anatomy::Anatomy;
use clamber::posture::collision_free::{PostureConstraints, PostureTools, solve_collision_free};
use clamber::posture::contact_projection::ContactProjection;
use clamber::posture::equilibrium::EquilibriumSolver;
use clamber::posture::solver::{
    CenterRegion, PostureReference, PostureSolver, PostureTasks, SolverContext, rest_on_contacts,
};

use crate::judge::lack;

/// Solves stances of one character.
pub struct StanceSolver<'a> {
    character: &'a Character,
    table: &'a ModeTable,
    anatomy: Anatomy,
    solver: PostureSolver,
    projection: ContactProjection,
    collision: CollisionWorkspace,
    equilibrium: EquilibriumSolver,
}

impl<'a> StanceSolver<'a> {
    pub fn new(character: &'a Character, table: &'a ModeTable) -> Self {
        Self {
            character,
            table,
            anatomy: Anatomy::new(character, table),
            solver: PostureSolver::new(character),
            projection: ContactProjection::new(character, 0.0, 0.0),
            collision: CollisionWorkspace::default(),
            equilibrium: EquilibriumSolver::default(),
        }
    }

    /// Returns the posture found, with at most so many restarts from random postures.
    pub fn solve(&mut self, world: &World, stance: &[Contact], restarts: u64) -> Configuration {
        let start = rest_on_contacts(self.character, stance);
        let mut found = self.solve_from(start.clone(), world, stance);
        for restart in 0..restarts {
            if lack(self.character, world, &found, stance).is_none() {
                break;
            }
            found = self.solve_from(self.drawn(&start, restart), world, stance);
        }
        found
    }

    fn drawn(&self, start: &Configuration, restart: u64) -> Configuration {
        let (mut stream, offset) = (Stream::new(restart, "restarts"), 0.5 * self.character.body_size());
        let root = self.character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => stream.between(-offset, offset),
            RootAxis::Turn(_) => stream.between(-0.8, 0.8),
        });
        let mut displacement: Vec<f32> = root.collect();
        for (hinge, angle) in self.character.hinges.iter().zip(&start.angles) {
            displacement.push(0.5 * (stream.between(hinge.min, hinge.max) - angle));
        }
        let mut drawn = start.clone();
        drawn.displace(self.character, &displacement);
        drawn
    }

    fn solve_from(&mut self, start: Configuration, world: &World, stance: &[Contact]) -> Configuration {
        let Self { character, table, anatomy, solver, projection, collision, equilibrium } = self;
        let mut frames = LinkFrames::default();
        forward(character, &start, &mut frames);
        let corners = equilibrium.support_region(character, world, &frames, stance).corners;
        let tasks = PostureTasks {
            stance,
            reference: PostureReference::Configuration(&start),
            balance_requirements: &[],
            center_regions: &[CenterRegion { corners, within: 0.0 }],
        };
        let context = SolverContext { world, character, mode_table: table, anatomy };
        let constraints = PostureConstraints {
            required_contacts: stance,
            collision_free_links: CheckedLinks::All,
            obstacle_margin: 0.0,
        };
        let mut found = start.clone();
        solve_collision_free(PostureTools { solver, projection, collision }, context, &mut found, tasks, constraints);
        found
    }
}
