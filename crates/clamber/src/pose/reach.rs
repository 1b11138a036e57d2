//! Put a limb on this hold: the whole body moves, and the rest of the contacts stay.

use clamber_model::character::{Effector, Hinge};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::ModeTable;
use clamber_model::problem::Posture;
use clamber_model::world::{Hold, HoldShape};
use clamber_model::{Configuration, Contact, Problem};
use clamber_posture::equilibrium::TaskForceSolver;
use clamber_posture::solver::{ContactTarget, StanceSolver};
use clamber_posture::{StandError, StandRequest, stand};

use super::error::PoseError;
use super::named_parts::{effectors, example_of_effector, holds_of, main_effectors};
use super::posing_table::posing_table;
use super::tuning;
use super::{Pose, PoseOutcome, PosedBody};

/// Puts a limb on a hold, or on a hold of an obstacle. Of the effectors that get there in balance, or else of those that get there, it takes
/// the one with the most comfortable posture.
pub(super) fn reach(problem: &Problem, name: &str, limbs: &[String]) -> Result<Pose, PoseError> {
    let character = &problem.character;
    if problem.start.stance.is_empty() {
        return Err(PoseError::NoStance { example: example_of_effector(character) });
    }
    let holds = holds_of(problem, name)?;
    let mut effectors = effectors(character, &problem.start.stance, limbs)?;
    if effectors.is_empty() {
        effectors = main_effectors(character);
    }
    let search = Search::new(problem);
    let targets_of = |&effector: &EffectorId| search.targets(effector, &holds);
    let mut targets: Vec<Vec<Target>> = effectors.iter().map(targets_of).filter(|list| !list.is_empty()).collect();
    if targets.is_empty() {
        return Err(PoseError::Unusable { hold: name.to_owned() });
    }
    targets.sort_by(|a, b| a[0].order().total_cmp(&b[0].order()));
    targets.truncate(tuning::MAX_EFFECTORS);
    let mut best: Option<(f64, PosedBody, Contact)> = None;
    let mut failures: Vec<(Target, StandError)> = Vec::new();
    for target in targets.iter().filter_map(|targets| search.first_reached(targets, &mut failures)) {
        let (rank, body, contact) = target;
        if best.as_ref().is_none_or(|(least, ..)| rank < *least) {
            best = Some((rank, body, contact));
        }
    }
    match best {
        Some((_, body, contact)) => Ok(body.into_pose(problem, PoseOutcome::Reaches(contact))),
        None => Err(search.error(failures)),
    }
}

/// A place for an effector.
#[derive(Clone, Copy)]
struct Target {
    contact: Contact,
    /// Of the effector at the start, in meters.
    distance: f32,
    /// Whether the surface faces away from the body.
    faces_away: bool,
}

impl Target {
    /// Less is tried earlier.
    fn order(&self) -> f32 {
        if self.faces_away { f32::MAX } else { self.distance }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    table: ModeTable,
    /// Of the start.
    frames: LinkFrames,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Self {
        let mut frames = LinkFrames::default();
        forward(&problem.character, &problem.start.configuration, &mut frames);
        Self { problem, table: posing_table(problem), frames }
    }

    /// The places on the holds that an effector can use, the nearest ones first and those that face away last.
    fn targets(&self, id: EffectorId, holds: &[HoldId]) -> Vec<Target> {
        let Problem { character, world, start, .. } = self.problem;
        let effector = &character.effectors[id];
        let center = effector_position(character, &self.frames, id);
        let is_usable = |hold: &&HoldId| {
            let hold_type = world.holds[**hold].hold_type;
            hold_type.allows_pressing() || (effector.ability.grip.is_some() && hold_type.allows_grip())
        };
        let target = |&hold: &HoldId| {
            let Hold { normal, .. } = world.holds[hold];
            let point = nearest_point(&world.holds[hold], effector, center - normal * effector.radius);
            let contact = Contact { effector: id, hold, point, normal };
            let distance = (contact.effector_center(character) - center).length();
            Target { contact, distance, faces_away: normal.dot(start.configuration.root.translation - point) < 0.0 }
        };
        let mut targets: Vec<Target> = holds.iter().filter(is_usable).map(target).collect();
        targets.sort_by(|a, b| a.faces_away.cmp(&b.faces_away).then(a.distance.total_cmp(&b.distance)));
        targets.truncate(tuning::MAX_HOLDS);
        targets
    }

    /// The body on the first of these places that it gets to, with its rank: the less, the better.
    fn first_reached(
        &self,
        targets: &[Target],
        failures: &mut Vec<(Target, StandError)>,
    ) -> Option<(f64, PosedBody, Contact)> {
        for target in targets {
            match self.stand_on(&target.contact) {
                Ok(Posture { configuration, stance, .. }) => {
                    let imbalance = self.imbalance(&configuration, &stance);
                    let out_of_balance = imbalance.unwrap_or(f64::from(f32::MAX)) / f64::from(self.size());
                    let rank = f64::from(self.discomfort(&configuration)) + out_of_balance;
                    return Some((rank, PosedBody { configuration, stance, imbalance }, target.contact));
                }
                Err(error) => failures.push((*target, error)),
            }
        }
        None
    }

    fn size(&self) -> f32 {
        self.problem.character.body_size()
    }

    /// The posture on the kept contacts and a new one that resembles the start most: in balance if there is one.
    fn stand_on(&self, contact: &Contact) -> Result<Posture, StandError> {
        let Problem { character, world, start, .. } = self.problem;
        let with_contact = |request: StandRequest, contact: &Contact| {
            request.contact_at(contact.effector, contact.hold, contact.point)
        };
        let request = self.kept(contact.effector).chain([contact]).fold(StandRequest::new(), with_contact);
        let request = request.reference(start.configuration.clone());
        match stand(world, character, &self.table, &request.clone().in_equilibrium()) {
            Err(StandError::NotCarried { .. }) => stand(world, character, &self.table, &request),
            other => other,
        }
    }

    /// The contacts of the start that stay when an effector moves.
    fn kept(&self, effector: EffectorId) -> impl Iterator<Item = &'a Contact> {
        let Problem { character, start, .. } = self.problem;
        let limb = character.effectors[effector].limb;
        start.stance.iter().filter(move |held| {
            let is_of_limb = limb.is_some() && character.effectors[held.effector].limb == limb;
            held.effector != effector && !is_of_limb
        })
    }

    fn imbalance(&self, configuration: &Configuration, stance: &[Contact]) -> Option<f64> {
        let Problem { character, world, .. } = self.problem;
        let mut frames = LinkFrames::default();
        forward(character, configuration, &mut frames);
        TaskForceSolver::default().imbalance(character, world, &frames, stance)
    }

    /// The mean square of how far hinges are from rest, as a share of their range.
    fn discomfort(&self, configuration: &Configuration) -> f32 {
        let hinges = &self.problem.character.hinges;
        let of_hinge = |(hinge, angle): (&Hinge, &f32)| {
            let share = (angle - hinge.rest) / (hinge.max - hinge.min).max(f32::MIN_POSITIVE);
            share * share
        };
        hinges.iter().zip(&configuration.angles).map(of_hinge).sum::<f32>() / hinges.len().max(1) as f32
    }

    /// What is wrong with the attempt that came closest.
    fn error(&self, failures: Vec<(Target, StandError)>) -> PoseError {
        let Problem { character, world, .. } = self.problem;
        let names = |contact: &Contact| {
            (character.effectors[contact.effector].name.clone(), world.holds[contact.hold].name.clone())
        };
        let mut least: Option<(f32, Contact)> = None;
        for (Target { contact, .. }, reason) in failures {
            let missing = if let StandError::OutOfReach { .. } = reason { self.missing(&contact) } else { 0.0 };
            if missing == 0.0 {
                let (effector, hold) = names(&contact);
                return PoseError::NoPosture { effector, hold, reason };
            }
            if least.is_none_or(|(least, _)| missing < least) {
                least = Some((missing, contact));
            }
        }
        let Some((distance, contact)) = least else { return PoseError::NoContact };
        let (effector, hold) = names(&contact);
        PoseError::OutOfReach { effector, hold, distance }
    }

    /// How far an effector stays away from a contact on its straight way there, while the body keeps the other contacts. Collisions and balance
    /// do not matter.
    fn missing(&self, contact: &Contact) -> f32 {
        let Problem { character, start, .. } = self.problem;
        let from = effector_position(character, &self.frames, contact.effector);
        let to = contact.effector_center(character);
        let mut targets: Vec<ContactTarget> =
            self.kept(contact.effector).map(|kept| ContactTarget::on(character, kept)).collect();
        targets.push(ContactTarget { effector: contact.effector, center: to, facing: None });
        let moved = targets.len() - 1;
        let mut solver = StanceSolver::new(character);
        let mut reaches = |share: f32| {
            targets[moved].center = from.lerp(to, share);
            solver.settle(character, &mut start.configuration.clone(), &targets)
        };
        if reaches(1.0) {
            return 0.0;
        }
        let (mut reached, mut missed) = (0.0, 1.0);
        for _ in 0..tuning::REACH_HALVINGS {
            let middle = 0.5 * (reached + missed);
            *(if reaches(middle) { &mut reached } else { &mut missed }) = middle;
        }
        (1.0 - reached) * from.distance(to)
    }
}

/// The point of a hold nearest to a place. On a triangle it is inside of the edges, so that a palm lies on the surface and not over an edge.
fn nearest_point(hold: &Hold, effector: &Effector, near: Vec3) -> Vec3 {
    let HoldShape::Triangle([a, b, c]) = hold.shape else { return hold.nearest_point(near) };
    let extent = effector.ability.patch.map_or(effector.radius, |patch| patch.front.max(patch.back));
    // Toward the center of the inscribed circle, all edges move in by the same distance.
    let sides = [b.distance(c), c.distance(a), a.distance(b)];
    let around: f32 = sides.iter().sum();
    let radius = (b - a).cross(c - a).length() / around;
    if !(radius > 0.0) {
        return hold.nearest_point(near);
    }
    let middle = (a * sides[0] + b * sides[1] + c * sides[2]) / around;
    let shrink = (extent / radius).min(tuning::MAX_SHRINK);
    let inner = HoldShape::Triangle([a, b, c].map(|corner| corner.lerp(middle, shrink)));
    Hold { shape: inner, ..hold.clone() }.nearest_point(near)
}
