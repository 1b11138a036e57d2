//! Single postures for a task: which contacts let this body get up, push this, pull that?

use clamber_model::character::{Character, ContactAbility, Effector};
use clamber_model::id::{EffectorId, HoldId, LimbId};
use clamber_model::kinematics::link_pose;
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, FLYING_MODE};
use clamber_model::{Configuration, Contact, Motion, Problem, ProblemError};
use clamber_posture::equilibrium::TaskForce;
use clamber_posture::limb_contacts::{
    ChosenStance, ContactFinder, ContactScene, ContactTask, LimbDatabase, MAX_SAMPLES, StanceChooser, StanceRequest,
    SurfaceTree,
};

/// What to ask [`pose`] for. Start from [`PoseRequest::new`] and change fields.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PoseRequest {
    /// Where the body has to move, or where something has to be pushed or pulled. Any length but zero.
    pub direction: Vec3,
    /// Whether the object is pushed in the direction.
    pub pushes: bool,
    /// The name of the obstacle or hold that is pushed or pulled. Default: none, the body itself moves.
    pub object: Option<String>,
    /// The names of limbs or effectors that may make contact; what they hold at the start they let go. Default: all limbs without
    /// contact at the start, each with the effector that lies flat or grips, or its last one.
    pub limbs: Vec<String>,
    /// How much ease counts. With 1, a limb at rest is worth as much as 2.7 times the force of a limb at the far ends of its hinges. 0 gives
    /// the greatest force. Default 1.5.
    pub comfort: f64,
    /// Samples of each limb, from 1 to 1,000,000. Default 100,000, which take about a second.
    pub samples: usize,
}

impl PoseRequest {
    /// A request to move the body in a direction.
    pub fn new(direction: Vec3) -> Self {
        Self { direction, pushes: false, object: None, limbs: Vec::new(), comfort: 1.5, samples: 100_000 }
    }
}

/// A posture for a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pose {
    /// A motion of one frame, so that it can be drawn and exported like any other.
    pub motion: Motion,
    /// The contacts: those of the start and the new ones.
    pub stance: Vec<Contact>,
    /// The greatest force that these contacts exert for the task; `None` if they cannot carry the body.
    pub force: Option<TaskForce>,
}

/// Why there is no posture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// The problem refers to something that does not exist, or was changed after it was built.
    #[error(transparent)]
    InvalidProblem(#[from] ProblemError),
    /// Something is to be pushed, but nothing is named.
    #[error("pushing needs an object to push")]
    NoObject,
    /// The direction is zero or not finite.
    #[error("the direction has no length")]
    NoDirection,
    /// There is no limb and no effector of this name.
    #[error("`{character}` has no limb and no effector `{name}`; it has the limbs {known}")]
    UnknownLimb {
        /// The character.
        character: String,
        /// The name.
        name: String,
        /// The names of its limbs.
        known: String,
    },
    /// Two of the names are of one limb, which can make one contact.
    #[error("`{name}` is of the same limb as `{other}`; name each limb once")]
    SameLimb {
        /// The name.
        name: String,
        /// The earlier name.
        other: String,
    },
    /// There are no holds on the object.
    #[error("there are no holds on `{name}`: neither an obstacle with holds nor a hold has this name")]
    UnknownObject {
        /// The name.
        name: String,
    },
    /// No limb can make contact from where the body is.
    #[error("no limb can make contact: nothing is within reach, or every contact collides")]
    NoContact,
}

/// Finds the contacts with which the body at the start of a problem exerts the most force for a task, with limbs at ease. Its root stays where
/// it is.
pub fn pose(problem: &Problem, request: &PoseRequest) -> Result<Pose, PoseError> {
    problem.validate_references()?;
    if request.pushes && request.object.is_none() {
        return Err(PoseError::NoObject);
    }
    let (character, world) = (&*problem.character, &*problem.world);
    let finite = Some(request.direction).filter(|direction| direction.is_finite());
    let direction = finite.and_then(Vec3::try_normalize).ok_or(PoseError::NoDirection)?;
    let start = &problem.start;
    let task = ContactTask { direction, pushes: request.pushes };
    let effectors = effectors(character, &start.stance, &request.limbs)?;
    let mut stances = StanceRequest::new(start.configuration.clone(), effectors, task);
    let limb_of = |effector: EffectorId| character.effectors[effector].limb;
    let is_free = |limb| stances.effectors.iter().any(|&effector| limb_of(effector) == limb);
    stances.kept = start.stance.iter().filter(|held| !is_free(limb_of(held.effector))).copied().collect();
    stances.comfort = request.comfort;
    stances.object = request.object.as_ref().map_or(Ok(Vec::new()), |name| holds_of(problem, name))?;
    let database = LimbDatabase::new(character, request.samples.clamp(1, MAX_SAMPLES));
    let surfaces = SurfaceTree::new(world);
    let scene = ContactScene { character, world, database: &database, surfaces: &surfaces };
    let mut finder = ContactFinder::new(character);
    let ChosenStance { configuration, stance, force } = StanceChooser::new(scene, &mut finder, &stances).choose();
    if stance.len() == stances.kept.len() {
        return Err(PoseError::NoContact);
    }
    let table = problem.modes.as_deref();
    let mode = table.and_then(|table| Some(&table.modes[table.first_mode_allowing_stance(&stance, world)?].name));
    let mode = mode.map_or(FLYING_MODE, String::as_str);
    let mut motion = Motion::from_configurations(&character.name, mode, vec![configuration], 1.0);
    let span = |&contact: &Contact| ContactSpan { contact, first_frame: 0, last_frame: 0 };
    motion.contacts = stance.iter().map(span).collect();
    motion.in_equilibrium = force.is_some_and(|force| force.imbalance == 0.0);
    Ok(Pose { motion, stance, force })
}

/// The effectors of named limbs, or of all limbs that are not in contact.
fn effectors(character: &Character, stance: &[Contact], names: &[String]) -> Result<Vec<EffectorId>, PoseError> {
    let is_held = |limb: LimbId| stance.iter().any(|held| character.effectors[held.effector].limb == Some(limb));
    if names.is_empty() {
        let limbs = character.limbs.keys().filter(|&limb| !is_held(limb));
        return Ok(limbs.flat_map(|limb| end_effectors(character, limb)).collect());
    }
    let mut effectors: Vec<(EffectorId, &String)> = Vec::new();
    for name in names {
        let limb = character.limbs.iter_enumerated().find(|(_, limb)| limb.name == *name);
        let of_limb = limb.map_or(Vec::new(), |(limb, _)| end_effectors(character, limb));
        let named = if of_limb.is_empty() { character.find_effector(name).into_iter().collect() } else { of_limb };
        let first = *named.first().ok_or_else(|| PoseError::UnknownLimb {
            character: character.name.clone(),
            name: name.clone(),
            known: character.limbs.iter().map(|limb| limb.name.as_str()).collect::<Vec<_>>().join(", "),
        })?;
        let is_same =
            |(other, _): &&(EffectorId, &String)| character.effectors[*other].limb == character.effectors[first].limb;
        if let Some((_, other)) = effectors.iter().find(is_same) {
            return Err(PoseError::SameLimb { name: name.clone(), other: (*other).clone() });
        }
        effectors.extend(named.into_iter().map(|effector| (effector, name)));
    }
    Ok(effectors.into_iter().map(|(effector, _)| effector).collect())
}

/// The effector of a limb that lies flat or grips, and the one that reaches farthest: a sole, and the ball of the foot for edges.
fn end_effectors(character: &Character, limb: LimbId) -> Vec<EffectorId> {
    let of_limb = || character.effectors.iter_enumerated().filter(|(_, effector)| effector.limb == Some(limb));
    let is_able = |ability: &ContactAbility| ability.patch.is_some() || ability.grip.is_some();
    let able = of_limb().find(|(_, effector)| is_able(&effector.ability));
    let rest = Configuration::rest(character);
    let base = link_pose(character, &rest, character.limbs[limb].links[0]).translation;
    let reach = |effector: &Effector| (link_pose(character, &rest, effector.link) * effector.center - base).length();
    let farthest = of_limb().max_by(|(_, one), (_, other)| reach(one).total_cmp(&reach(other)));
    let mut ends: Vec<EffectorId> = able.into_iter().chain(farthest).map(|(id, _)| id).collect();
    ends.dedup();
    ends
}

/// The holds of an obstacle, or the hold of this name. Holds of an obstacle are named after it, with a number.
fn holds_of(problem: &Problem, name: &str) -> Result<Vec<HoldId>, PoseError> {
    let is_meant = |hold: &str| {
        let number = hold.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        hold == name || number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let holds = problem.world.holds.iter_enumerated().filter(|(_, hold)| is_meant(&hold.name));
    let found: Vec<HoldId> = holds.map(|(id, _)| id).collect();
    if found.is_empty() { Err(PoseError::UnknownObject { name: name.to_owned() }) } else { Ok(found) }
}
