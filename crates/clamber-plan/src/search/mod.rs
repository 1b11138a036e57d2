//! The searches, and the one call that leads to them.

mod stance_plan;

use clamber_model::character::Root;
use clamber_model::collision::{Clearance, CollisionWorkspace, is_step_free, worst_hit};
use clamber_model::configuration::longest_way;
use clamber_model::kinematics::center_of_mass;
use clamber_model::math::Vec3;
use clamber_model::motion::{FLYING, Frame};
use clamber_model::problem::{Pin, Posture};
use clamber_model::rng::Stream;
use clamber_model::{Configuration, ModeTable, Motion, Problem};

use crate::bounds::stays_in_bounds;
use crate::budget::{EXPANSIONS_BETWEEN_REPORTS, Meter, Observer, Phase, Progress};
use crate::failure::{Failure, Outcome, Statistics};
use crate::local_planner::LocalPlanner;
use crate::replan::{change, cut};
use crate::settings::{PlanSettings, Planner};
use crate::smoothing::body::{self, smooth_bodies};
use crate::smoothing::limb::smooth_limbs;
use crate::smoothing::shortcut::{Line, resample, smooth};
use crate::waypoint::motion_of;
use crate::{flight, rpp};
pub use stance_plan::StancePlan;

/// Looks for a motion from the problem's start to its goal.
///
/// ```no_run
/// # fn example(problem: &clamber_model::Problem) {
/// use std::ops::ControlFlow;
/// let outcome = clamber_plan::plan(problem, &Default::default(), 1, &mut |_| ControlFlow::Continue(()));
/// match &outcome.failure {
///     None => println!("{} frames", outcome.motion.frames.len()),
///     Some(failure) => println!("no plan: {failure}"),
/// }
/// # }
/// ```
pub fn plan(problem: &Problem, settings: &PlanSettings, seed: u64, observer: &mut Observer) -> Outcome {
    let mut collision = CollisionWorkspace::default();
    if let Some(failure) = refuse(problem, settings, &mut collision) {
        return Outcome {
            // At any rate of frames, since the settings' own may be what is senseless.
            motion: Motion::evenly_timed(
                &problem.character.name,
                FLYING,
                vec![problem.start.configuration.clone()],
                1.0,
            ),
            failure: Some(failure),
            statistics: Statistics { frames: 1, ..Default::default() },
        };
    }
    match &problem.modes {
        Some(table) if chosen(problem, settings) == Planner::Rpp => {
            plan_on_contacts(problem, table, settings, seed, collision, observer)
        }
        Some(table) if !flies(problem, settings) => plan_on_stances(problem, table, settings, seed, observer),
        _ => plan_flight(problem, settings, seed, &mut collision, observer),
    }
}

/// The search that the settings ask for, or the one that suits the problem.
fn chosen(problem: &Problem, settings: &PlanSettings) -> Planner {
    match settings.planner {
        Planner::Auto if problem.start.stance.is_empty() => Planner::Flight,
        // In space, fitted postures have no heading to keep yet, and few ways are found.
        Planner::Auto if problem.character.root != Root::Planar => Planner::Rpp,
        Planner::Auto => Planner::Stance,
        named => named,
    }
}

/// Whether the motion is looked for in the air rather than on holds.
fn flies(problem: &Problem, settings: &PlanSettings) -> bool {
    chosen(problem, settings) == Planner::Flight
}

/// Whether the search sees to it that pinned holds are held.
fn looks_for_pins(problem: &Problem, settings: &PlanSettings) -> bool {
    chosen(problem, settings) == Planner::Stance
}

/// Keeps a motion up to a moment, in seconds, and looks for the rest of it anew (thesis 5.6.3).
///
/// What is kept ends with the last frame up to then at which the character moves in a mode of its table: a turn and a
/// ready-made sequence are kept or left as a whole. Passages that are in what is kept are not gone through again, and
/// pins that it holds need not be held again.
pub fn plan_from(
    problem: &Problem,
    motion: &Motion,
    seconds: f32,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> Outcome {
    plan_rest(problem, cut::cut(problem, motion, seconds), settings, seed, observer)
}

/// Makes a motion answer a problem that was edited since it was found: keeps it up to a little before the place from which
/// on it must change, and from a little after it where it is good again, and looks for the rest anew. A motion that answers
/// the problem already is returned as it is.
///
/// What is noticed is a contact on a hold that is forbidden now or has moved, a pin that is not held, a passage that is not
/// gone through, another goal, an obstacle in the way; and another start, from which all is found anew. When there is no
/// way on from there, less and less is kept, and at last nothing. All tries together spend what one plan may.
pub fn replan(
    problem: &Problem,
    motion: &Motion,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> Outcome {
    // With how many changes of contacts before the place a piece is looked for; mostly it is found with the first.
    const GAPS: [usize; 3] = [2 * change::ROOM, change::ROOM, 4 * change::ROOM];
    // It is small, so what is not found with this part of the budget is not looked for any longer.
    const PIECE: u64 = 64;
    let Some(change) = change::change(problem, motion, change::Look::Everywhere) else {
        let statistics = Statistics { frames: motion.frames.len() as u64, ..Default::default() };
        return Outcome { motion: motion.clone(), failure: None, statistics };
    };
    let back = |count: usize| cut::cut_at(problem, motion, change::changes_before(motion, change.first, count)?);
    let counts = std::iter::successors(Some(change::ROOM), |count| count.checked_mul(2));
    let mut cuts: Vec<(Motion, Problem)> = counts.map_while(back).collect();
    cuts.dedup_by_key(|(kept, _)| kept.frames.len());
    let mut earlier = Statistics::default();
    let tries = cuts.len();
    // Most edits are of one place, and what is beyond it stays as it was.
    let after = change.last.and_then(|last| change::changes_after(motion, last, change::ROOM));
    let around = |count: usize| Some([change::changes_before(motion, change.first, count)?, after?]);
    for ends in GAPS.into_iter().filter_map(around) {
        let Some(gap) = cut::Gap::new(problem, motion, ends) else { continue };
        let share = PlanSettings { max_expansions: settings.max_expansions / PIECE, ..*settings };
        let mut outcome = plan(&gap.problem, &share, seed, observer);
        outcome.statistics.add_effort(&earlier);
        let whole = gap.closed_by(&outcome.motion);
        if outcome.failure.is_none() && change::change(problem, &whole, change::Look::PastObstacles).is_none() {
            outcome.statistics.frames = whole.frames.len() as u64;
            outcome.motion = whole;
            return outcome;
        }
        earlier = outcome.statistics;
    }
    for (done, cut) in cuts.into_iter().enumerate() {
        let left = settings.max_expansions.saturating_sub(earlier.expansions);
        // The more is kept, the less is to be found: each try may spend about twice what the one before may.
        let share = PlanSettings { max_expansions: left >> (tries - done), ..*settings };
        let mut outcome = plan_rest(problem, Some(cut), &share, seed, observer);
        outcome.statistics.add_effort(&earlier);
        if matches!(outcome.failure, None | Some(Failure::Cancelled)) {
            return outcome;
        }
        earlier = outcome.statistics;
    }
    let left = settings.max_expansions.saturating_sub(earlier.expansions);
    let mut outcome = plan(problem, &PlanSettings { max_expansions: left, ..*settings }, seed, observer);
    outcome.statistics.add_effort(&earlier);
    outcome
}

/// Plans on from what is kept of a motion, or from the start when nothing is.
fn plan_rest(
    problem: &Problem,
    cut: Option<(Motion, Problem)>,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> Outcome {
    let Some((mut kept, rest)) = cut else {
        return plan(problem, settings, seed, observer);
    };
    let mut outcome = plan(&rest, settings, seed, observer);
    kept.append(&outcome.motion);
    outcome.statistics.frames = kept.frames.len() as u64;
    outcome.motion = kept;
    outcome
}

fn plan_flight(
    problem: &Problem,
    settings: &PlanSettings,
    seed: u64,
    collision: &mut CollisionWorkspace,
    observer: &mut Observer,
) -> Outcome {
    let mut found = flight::search(problem, settings, seed, collision, observer);
    let mut statistics = found.statistics;
    statistics.raw_frames = found.path.len() as u64;
    let mut line = FlightLine { problem, settings, collision };
    if settings.smooth && found.failure != Some(Failure::Cancelled) {
        let mut go_on = |share: f32| {
            let (expansions, backtracks) = (statistics.expansions, statistics.backtracks);
            observer(&Progress { phase: Phase::Smooth, share, expansions, backtracks }).is_continue()
        };
        found.path = smooth(&problem.character, found.path, settings.step, &mut line, &mut go_on);
    }
    let path = resample(&problem.character, &found.path, settings.frame_step, &mut line);
    let motion = Motion::evenly_timed(&problem.character.name, FLYING, path, settings.frames_per_second);
    outcome(motion, found.failure, statistics, collision)
}

fn plan_on_contacts(
    problem: &Problem,
    table: &ModeTable,
    settings: &PlanSettings,
    seed: u64,
    collision: CollisionWorkspace,
    observer: &mut Observer,
) -> Outcome {
    let meter = Meter::new(observer, settings.max_expansions);
    let mut mover = LocalPlanner::new(problem, table, settings, Stream::new(seed, "rpp"), collision, meter);
    let rpp::Found { mut way, failure, mut statistics } = rpp::search(&mut mover);
    statistics.raw_frames = way.len() as u64;
    let mut is_smoothed = settings.smooth && failure != Some(Failure::Cancelled);
    if is_smoothed {
        // Who has said stop is not asked again.
        let mut go_on = |mover: &mut LocalPlanner, share| {
            is_smoothed = mover.meter.report(Phase::Smooth, 0.5 * share).is_ok();
            is_smoothed
        };
        way = smooth_bodies(&mut mover, way, &mut go_on);
    }
    let mut ways = Vec::new();
    let mut measure = |[from, to]: [&Configuration; 2]| longest_way(&problem.character, from, to, &mut ways);
    way = body::resample(&problem.character, &way, settings.frame_step, &mut measure);
    if is_smoothed {
        // When it is stopped here, the limbs done so far are smooth.
        let _stopped = smooth_limbs(&mut mover, &mut way);
    }
    let motion = motion_of(&problem.character, table, &way, settings.frames_per_second);
    outcome(motion, failure, statistics, &mover.collision)
}

fn plan_on_stances(
    problem: &Problem,
    table: &ModeTable,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> Outcome {
    let mut plan = StancePlan::begin(problem, table, settings, seed);
    while !plan.advance(EXPANSIONS_BETWEEN_REPORTS) {
        if observer(&plan.progress()).is_break() {
            break;
        }
    }
    plan.finish()
}

/// Straight lines through the air.
struct FlightLine<'a> {
    problem: &'a Problem,
    settings: &'a PlanSettings,
    collision: &'a mut CollisionWorkspace,
}

impl Line for FlightLine<'_> {
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Problem { world, character, .. } = self.problem;
        stays_in_bounds(self.problem, from, to, &mut self.collision.ends)
            && is_step_free(world, character, from, to, &self.settings.clearance, self.collision)
    }

    fn at(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let mut between = from.clone();
        between.interpolate(from, to, t);
        Some(between)
    }
}

fn outcome(
    motion: Motion,
    failure: Option<Failure>,
    mut statistics: Statistics,
    collision: &CollisionWorkspace,
) -> Outcome {
    statistics.frames = motion.frames.len() as u64;
    statistics.collision_checks = collision.configurations;
    statistics.engine_queries = collision.engine_queries;
    Outcome { motion, failure, statistics }
}

/// Why no search is worth beginning: a setting is senseless, or the start or the goal is itself impossible.
fn refuse(problem: &Problem, settings: &PlanSettings, collision: &mut CollisionWorkspace) -> Option<Failure> {
    if let Some((setting, limit)) = settings.out_of_limits() {
        return Some(Failure::BadSetting { setting, limit });
    }
    let Problem { world, character, .. } = problem;
    let flies = flies(problem, settings);
    if !flies && problem.modes.is_none() {
        return Some(Failure::NoModes);
    }
    // What start and goal hold on to is held without being looked for.
    let ends_hold = |pin: &Pin| {
        let mut contacts = problem.start.stance.iter().chain(&problem.goal.stance);
        !flies && contacts.any(|contact| pin.is_held_by(contact))
    };
    if let Some(pin) = problem.pins.iter().find(|pin| !looks_for_pins(problem, settings) && !ends_hold(pin)) {
        return Some(Failure::NoPins { hold: world.holds[pin.hold].name.clone() });
    }
    let ends = [("start", &problem.start), ("goal", &problem.goal)];
    for (posture, Posture { configuration, stance, .. }) in ends {
        if !flies && stance.is_empty() {
            return Some(Failure::NoContacts { posture });
        }
        if let Err(reason) = configuration.check(character) {
            return Some(Failure::BadPosture { posture, reason });
        }
        let clearance = if flies { &settings.clearance } else { &settings.contact_clearance };
        if let Some(failure) = collides(problem, posture.to_owned(), configuration, clearance, collision) {
            return Some(failure);
        }
        let center = center_of_mass(character, &collision.frames);
        if !world.contains(center) {
            return Some(Failure::OutOfBounds { posture, x: center.x, y: center.y, z: center.z });
        }
    }
    for passage in problem.passages.iter().filter(|_| !flies) {
        for (frame, Frame { configuration, .. }) in passage.motion.frames.iter().enumerate() {
            if let Err(reason) = configuration.check_hinges(character) {
                return Some(Failure::BadPosture { posture: "passage's", reason });
            }
            let posture = format!("passage's `{}` (frame {frame})", passage.name);
            let failure = collides(problem, posture, configuration, &settings.contact_clearance, collision);
            if failure.is_some() {
                return failure;
            }
        }
    }
    // In its plane a character turns about z alone, which keeps the side that it shows.
    let shown = |configuration: &Configuration| (configuration.root.rotation * Vec3::Z).z;
    if flies
        && character.root == Root::Planar
        && shown(&problem.start.configuration) * shown(&problem.goal.configuration) < 0.0
    {
        let reason = "it looks the other way than the start, and cannot turn around in the air".to_owned();
        return Some(Failure::BadPosture { posture: "goal", reason });
    }
    None
}

fn collides(
    problem: &Problem,
    posture: String,
    configuration: &Configuration,
    clearance: &Clearance,
    collision: &mut CollisionWorkspace,
) -> Option<Failure> {
    let Problem { world, character, .. } = problem;
    let hit = worst_hit(world, character, configuration, clearance.margin, collision)?;
    Some(Failure::Collides {
        posture,
        link: character.links[hit.link].name.clone(),
        obstacle: world.obstacles[hit.obstacle].name.clone(),
        distance: hit.distance,
    })
}
