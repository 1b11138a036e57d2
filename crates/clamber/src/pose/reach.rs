//! Put a limb on this hold: the whole body moves, and the rest of the contacts stay.

use clamber_model::character::{Effector, Hinge};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::ModeTable;
use clamber_model::problem::Posture;
use clamber_model::world::{Hold, HoldShape};
use clamber_model::{Character, Configuration, Contact, Problem};
use clamber_posture::anatomy::Anatomy;
use clamber_posture::equilibrium::TaskForceSolver;
use clamber_posture::solver::{ContactTarget, StanceSolver};
use clamber_posture::{StandError, StandRequest, stand};

use super::error::PoseError;
use super::named_parts::{all_end_effectors, effectors, example_of_effector, holds_of};
use super::posed_body::{Pose, PoseOutcome, PosedBody};
use super::posing_table::posing_table;
use super::tuning;

/// Puts a limb on a hold, or on a hold of an obstacle. Of the postures that it tries, it takes the most comfortable one in balance, or else
/// the one that is nearest to balance.
pub(super) fn reach(problem: &Problem, name: &str, limbs: &[String]) -> Result<Pose, PoseError> {
    let character = &problem.character;
    if problem.start.stance.is_empty() {
        return Err(PoseError::NoStance { example: example_of_effector(character) });
    }
    let holds = holds_of(problem, name)?;
    let mut effectors = effectors(character, &problem.start.stance, limbs)?;
    if effectors.is_empty() {
        effectors = all_end_effectors(character);
    }
    // The first effector of a limb lies flat or grips.
    effectors.dedup_by_key(|effector| character.effectors[*effector].limb);
    let mut search = Search::new(problem);
    let targets_of = |&effector: &EffectorId| search.targets(effector, &holds);
    let mut targets: Vec<Vec<Target>> = effectors.iter().map(targets_of).filter(|list| !list.is_empty()).collect();
    if targets.is_empty() {
        return Err(PoseError::Unusable { hold: name.to_owned() });
    }
    targets.sort_by(|a, b| a[0].distance.total_cmp(&b[0].distance));
    targets.truncate(tuning::MAX_EFFECTORS);
    let (mut best, mut failure): (Option<Reached>, Option<Failure>) = (None, None);
    for target in targets.iter().flatten() {
        match search.try_target(&target.contact) {
            Ok(reached) if best.as_ref().is_none_or(|best| reached.rank < best.rank) => best = Some(reached),
            Ok(_) => {}
            Err(other) if failure.as_ref().is_none_or(|least| other.missing < least.missing) => failure = Some(other),
            Err(_) => {}
        }
    }
    match (best, failure) {
        (Some(Reached { body, contact, .. }), _) => Ok(body.into_pose(problem, PoseOutcome::Reaches(contact))),
        (None, Some(failure)) => Err(failure.error),
        (None, None) => Err(PoseError::NoContact),
    }
}

/// A place for an effector.
struct Target {
    contact: Contact,
    /// Of the effector at the start, in meters.
    distance: f32,
    /// Whether the surface faces away from the body, or is so narrow that the effector is over its edge.
    is_bad: bool,
}

/// A body with an effector on its place.
struct Reached {
    /// The less, the better.
    rank: f64,
    body: PosedBody,
    contact: Contact,
}

/// Why an effector does not get to its place.
struct Failure {
    /// How far it stays away, in meters.
    missing: f32,
    error: PoseError,
}

struct Search<'a> {
    problem: &'a Problem,
    table: ModeTable,
    /// Of the start.
    frames: LinkFrames,
    /// Where the body faces at the start.
    heading: Vec3,
    stances: StanceSolver,
    force: TaskForceSolver,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Self {
        let Problem { character, start, .. } = problem;
        let mut frames = LinkFrames::default();
        forward(character, &start.configuration, &mut frames);
        let table = posing_table(problem);
        let heading = Anatomy::new(character, &table).heading_of_configuration(character, &start.configuration);
        let (stances, force) = (StanceSolver::new(character), TaskForceSolver::default());
        Self { problem, table, frames, heading, stances, force }
    }

    /// The places on the holds that an effector can use, the nearest ones first. Bad ones only if there are no others.
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
            let (point, is_narrow) = nearest_point(&world.holds[hold], effector, center - normal * effector.radius);
            let contact = Contact { effector: id, hold, point, normal };
            let distance = (contact.effector_center(character) - center).length();
            let faces_away = normal.dot(start.configuration.root.translation - point) < 0.0;
            Target { contact, distance, is_bad: faces_away || is_narrow }
        };
        let mut targets: Vec<Target> = holds.iter().filter(is_usable).map(target).collect();
        targets.sort_by(|a, b| a.is_bad.cmp(&b.is_bad).then(a.distance.total_cmp(&b.distance)));
        if let [Target { is_bad: false, .. }, ..] = targets[..] {
            targets.retain(|target| !target.is_bad);
        }
        targets.truncate(tuning::MAX_HOLDS);
        targets
    }

    /// Moves the body so that an effector is at its place.
    fn try_target(&mut self, contact: &Contact) -> Result<Reached, Failure> {
        let Problem { character, world, .. } = self.problem;
        let effector = || character.effectors[contact.effector].name.clone();
        let hold = || world.holds[contact.hold].name.clone();
        let missing = self.missing(contact);
        if missing > 0.0 {
            let error = PoseError::OutOfReach { effector: effector(), hold: hold(), distance: missing };
            return Err(Failure { missing, error });
        }
        let Posture { configuration, stance, .. } = self.stand_on(contact).map_err(|reason| {
            let error = PoseError::NoPosture { effector: effector(), hold: hold(), reason };
            Failure { missing: 0.0, error }
        })?;
        let mut frames = LinkFrames::default();
        forward(character, &configuration, &mut frames);
        let imbalance = self.force.imbalance(character, world, &frames, &stance);
        let relative = imbalance.map_or(f64::from(f32::MAX), |imbalance| imbalance / f64::from(character.body_size()));
        let rank = relative + f64::from(discomfort(character, &configuration));
        // The point moved by rounding.
        let contact = stance.iter().find(|made| made.effector == contact.effector).map_or(*contact, |made| *made);
        Ok(Reached { rank, body: PosedBody { configuration, stance, imbalance }, contact })
    }

    /// A posture on the kept contacts and a new one, in balance if there is one. The body faces as at the start and looks at the new contact.
    fn stand_on(&self, contact: &Contact) -> Result<Posture, StandError> {
        let Problem { character, world, start, .. } = self.problem;
        let with_contact = |request: StandRequest, contact: &Contact| {
            request.contact_at(contact.effector, contact.hold, contact.point)
        };
        let contacts = self.kept(contact.effector).chain([contact]).fold(StandRequest::new(), with_contact);
        let at_ease = contacts.clone().heading(self.heading).looking_at(contact.point);
        let at_ease = at_ease.root_position(start.configuration.root.translation);
        let stand = |request: &StandRequest| stand(world, character, &self.table, request);
        let as_at_start = || stand(&contacts.reference(start.configuration.clone()).in_equilibrium());
        match stand(&at_ease.clone().in_equilibrium()) {
            Err(StandError::NotCarried { .. }) => as_at_start().or_else(|_| stand(&at_ease)),
            Err(_) => as_at_start(),
            posture => posture,
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

    /// How far an effector stays away from a contact on its straight way there, while the body keeps the other contacts. Collisions, balance and
    /// how hands and feet lie do not matter.
    fn missing(&mut self, contact: &Contact) -> f32 {
        let Problem { character, start, .. } = self.problem;
        let from = effector_position(character, &self.frames, contact.effector);
        let to = contact.effector_center(character);
        let anyhow = |kept: &Contact| ContactTarget { facing: None, ..ContactTarget::on(character, kept) };
        let mut targets: Vec<ContactTarget> =
            [contact].into_iter().chain(self.kept(contact.effector)).map(anyhow).collect();
        let mut reaches = |share: f32| {
            targets[0].center = from.lerp(to, share);
            self.stances.settle(character, &mut start.configuration.clone(), &targets)
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

/// The mean square of how far hinges are from rest, as a share of their range.
fn discomfort(character: &Character, configuration: &Configuration) -> f32 {
    let of_hinge = |(hinge, angle): (&Hinge, &f32)| {
        let share = (angle - hinge.rest) / (hinge.max - hinge.min).max(f32::MIN_POSITIVE);
        share * share
    };
    let hinges = &character.hinges;
    hinges.iter().zip(&configuration.angles).map(of_hinge).sum::<f32>() / hinges.len().max(1) as f32
}

/// The point of a hold nearest to a place. On a triangle it is inside of the edges, so that a palm lies on the surface and not over an edge.
///
/// Returns also whether the triangle is too narrow for that.
fn nearest_point(hold: &Hold, effector: &Effector, near: Vec3) -> (Vec3, bool) {
    let HoldShape::Triangle([a, b, c]) = hold.shape else { return (hold.nearest_point(near), false) };
    let extent = effector.ability.patch.map_or(effector.radius, |patch| patch.front.max(patch.back));
    // Toward the center of the inscribed circle, all edges move in by the same distance.
    let sides = [b.distance(c), c.distance(a), a.distance(b)];
    let around: f32 = sides.iter().sum();
    let radius = (b - a).cross(c - a).length() / around;
    if !(radius > 0.0) {
        return (hold.nearest_point(near), true);
    }
    let middle = (a * sides[0] + b * sides[1] + c * sides[2]) / around;
    let shrink = (extent / radius).min(tuning::MAX_SHRINK);
    let inner = HoldShape::Triangle([a, b, c].map(|corner| corner.lerp(middle, shrink)));
    (Hold { shape: inner, ..hold.clone() }.nearest_point(near), extent > radius)
}
