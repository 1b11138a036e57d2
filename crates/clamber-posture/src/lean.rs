//! Keep these contacts and lean as far as they carry the body.
//!
//! A target for the center of mass is pushed along the direction in steps. After each step the body settles exactly on its contacts, as close
//! to the posture that it started with as the target allows, so the joints that move the most weight turn: ankles and hips, not elbows.
//! A step that ends in a collision or out of equilibrium is halved.

use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{Clearance, CollisionWorkspace};
use clamber_model::problem::Posture;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use crate::anatomy::Anatomy;
use crate::equilibrium::TaskForceSolver;
use crate::solver::{CenterRegion, PostureReference, PostureSolver, PostureTasks, SolverContext, StanceSolver};
use crate::stand::{StandError, StandRequest, resolve, settle_on_contacts, stand};

/// Tuning. Lengths are in body sizes.
mod tuning {
    /// The first step of the target.
    pub const FIRST_STEP: f32 = 0.06;
    /// Steps shorter than this end the search.
    pub const MIN_STEP: f32 = 5e-4;
    /// A step has to move the center of mass by this share of its length; otherwise nothing moves it farther.
    pub const MIN_PROGRESS: f32 = 0.1;
    /// Most steps, with those that are refused.
    pub const MAX_STEPS: usize = 60;
}

/// A body that leans.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lean {
    /// The body, on the contacts of the start.
    pub configuration: Configuration,
    /// How far its center of mass is from that of the start, along the direction, in meters. Negative if only a posture behind the start is
    /// carried.
    pub distance: f32,
}

/// Why a body does not lean.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LeanError {
    /// The direction is not finite, or has no horizontal part.
    #[error("the direction of a lean needs a horizontal part")]
    NoDirection,
    /// The start has no contacts.
    #[error("the start has no contacts to lean on; add `contacts` to its [start]")]
    NoContacts,
    /// There is no posture to begin with.
    #[error("there is no posture on the contacts of the start: {0}")]
    Start(StandError),
    /// The hinges cannot exert the torques that equilibrium needs.
    #[error("the hinges are too weak to carry the body on the contacts of the start")]
    TooWeak,
}

/// Moves the center of mass as far as it can along the horizontal part of a direction. The body keeps the contacts of the start exactly, is
/// within hinge limits, free of collisions, and in static equilibrium within friction cones and the strength of hinges.
///
/// It looks near the start; a posture far from it may lean farther. A mode of the table has to allow the contacts; its heuristics and its
/// balance do not matter.
///
/// # Errors
///
/// Returns what is wrong with the request, or why the body cannot be on the contacts of the start at all.
pub fn lean(
    world: &World,
    character: &Character,
    modes: &ModeTable,
    start: &Posture,
    direction: Vec3,
) -> Result<Lean, LeanError> {
    let finite = Some(direction.with_y(0.0)).filter(|direction| direction.is_finite());
    let direction = finite.and_then(Vec3::try_normalize).ok_or(LeanError::NoDirection)?;
    if start.stance.is_empty() {
        return Err(LeanError::NoContacts);
    }
    let request = request(start);
    let resolved = resolve(world, character, modes, &request).map_err(LeanError::Start)?;
    let anatomy = Anatomy::new(character, modes);
    let mut search = Search {
        context: SolverContext { world, character, mode_table: modes, anatomy: &anatomy },
        stance: &resolved.stance,
        reference: start.configuration.clone(),
        solver: PostureSolver::new(character),
        whole_body: StanceSolver::new(character),
        collision: CollisionWorkspace::default(),
        force: TaskForceSolver::default(),
        frames: LinkFrames::default(),
    };
    let origin = search.center(&start.configuration);
    let mut best = match search.settle(start.configuration.clone(), None) {
        Some(posture) => posture,
        None => {
            search.reference = stand(world, character, modes, &request).map_err(LeanError::Start)?.configuration;
            search.settle(search.reference.clone(), None).ok_or(LeanError::TooWeak)?
        }
    };
    let size = character.body_size();
    let along = |center: Vec3| direction.dot(center - origin);
    let mut reached = along(search.center(&best));
    let (mut pushed, mut step) = (reached, tuning::FIRST_STEP * size);
    for _ in 0..tuning::MAX_STEPS {
        let next = search.settle(best.clone(), Some(origin + direction * (pushed + step)));
        let farther = next.map(|posture| (along(search.center(&posture)), posture));
        match farther.filter(|(distance, _)| *distance > reached + tuning::MIN_PROGRESS * step) {
            Some((distance, posture)) => {
                (reached, best) = (distance, posture);
                pushed += step;
            }
            None if step < tuning::MIN_STEP * size => break,
            None => step *= 0.5,
        }
    }
    Ok(Lean { configuration: best, distance: reached })
}

/// A posture on the contacts of the start that resembles it.
fn request(start: &Posture) -> StandRequest {
    let with_contact =
        |request: StandRequest, contact: &Contact| request.contact_at(contact.effector, contact.hold, contact.point);
    let on_contacts = start.stance.iter().fold(StandRequest::new(), with_contact);
    on_contacts.reference(start.configuration.clone()).in_equilibrium()
}

struct Search<'a> {
    context: SolverContext<'a>,
    stance: &'a [Contact],
    /// What every posture resembles.
    reference: Configuration,
    solver: PostureSolver,
    whole_body: StanceSolver,
    collision: CollisionWorkspace,
    force: TaskForceSolver,
    frames: LinkFrames,
}

impl Search<'_> {
    fn center(&mut self, posture: &Configuration) -> Vec3 {
        forward(self.context.character, posture, &mut self.frames);
        center_of_mass(self.context.character, &self.frames)
    }

    /// Moves a posture so that its center of mass is near a target, if there is one. `None` if the result is no posture to stay in.
    fn settle(&mut self, mut posture: Configuration, target: Option<Vec3>) -> Option<Configuration> {
        let SolverContext { world, character, .. } = self.context;
        let regions = target.map(|target| CenterRegion { corners: vec![target], within: 0.0 });
        let tasks = PostureTasks {
            patch_headings: &[],
            stance: self.stance,
            reference: PostureReference::Configuration(&self.reference),
            conditions: &[],
            center_regions: regions.as_slice(),
            effort: None,
        };
        let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
        let solvers = (&mut self.solver, &mut self.whole_body);
        settle_on_contacts(solvers, &mut self.collision, self.context, &mut posture, tasks, margin).ok()?;
        let is_inside = world.contains(self.center(&posture));
        let is_carried = self.force.imbalance(character, world, &self.frames, self.stance) == Some(0.0);
        (is_inside && is_carried).then_some(posture)
    }
}
