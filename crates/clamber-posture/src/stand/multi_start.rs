//! Solves a resolved request from several seeds and keeps the best posture.

use clamber_model::character::RootAxis;
use clamber_model::id::GroupId;
use clamber_model::kinematics::{center_of_mass, effector_position_at, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::Condition;
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, Hit};
use clamber_model::rng::Stream;
use clamber_model::self_collision::SelfHit;
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use super::error::StandError;
use super::request::StandRequest;
use super::resolve_names::{ResolvedRequest, in_front, required_heading};
use super::settle_on_contacts::settle_on_contacts;
use super::support::SupportJudge;
use super::symmetric_stance::MirrorPlane;
use super::tuning;
use crate::anatomy::Anatomy;
use crate::collision_free::{PostureConstraints, PostureFailure, PostureTools, solve_collision_free};
use crate::contact_projection::ContactProjection;
use crate::equilibrium;
use crate::solver::{CenterRegion, Ease, PostureReference, PostureSolver, PostureTasks, SolverContext, StanceSolver};

/// Finds the best posture, or the error of the attempt that came closest.
pub(super) fn search(
    world: &World,
    character: &Character,
    table: &ModeTable,
    resolved: &ResolvedRequest,
    request: &StandRequest,
) -> Result<Configuration, StandError> {
    let anatomy = Anatomy::new(character, table);
    let ResolvedRequest { stance, mode, bases } = resolved;
    let reference = request.reference.as_ref();
    let mut support = request.equilibrium.then(|| SupportJudge::new(character));
    let conditions = table.modes[*mode].balance.map(Condition::CenterBetween);
    // Soles turn with the base, and so does where they carry the body.
    let region = |base| support.as_mut().map(|support| support.region_to_aim_for(world, character, base, stance));
    let regions: Vec<Option<CenterRegion>> = bases.iter().map(region).collect();
    let mut search = Search {
        context: SolverContext { world, character, mode_table: table, anatomy: &anatomy },
        tasks: PostureTasks {
            patch_headings: &[],
            stance,
            reference: reference.map_or(PostureReference::Comfort(*mode), PostureReference::Configuration),
            conditions: conditions.as_slice(),
            center_regions: &[],
            effort: None,
        },
        solver: PostureSolver::new(character),
        projection: ContactProjection::new(character, 0.0, 0.0),
        whole_body: StanceSolver::new(character),
        collision: CollisionWorkspace::default(),
        random: Stream::new(0, "stand"),
        holds_heading: required_heading(request, stance).is_some(),
        support,
    };
    let mut best: Option<(f32, Configuration)> = None;
    let mut closest: Option<Shortfall> = None;
    for (base, region) in bases.iter().zip(&regions) {
        search.tasks.center_regions = region.as_slice();
        search.take_ease(base, request.gaze);
        for seed in search.seeds(base, tuning::DRAWS / bases.len()) {
            match search.refine(seed) {
                Ok((value, posture)) => {
                    if best.as_ref().is_none_or(|(least, _)| value < *least) {
                        best = Some((value, posture));
                    }
                }
                Err(shortfall) => {
                    if closest.is_none_or(|closest| shortfall.rank() < closest.rank()) {
                        closest = Some(shortfall);
                    }
                }
            }
        }
    }
    match (best, closest) {
        (Some((_, posture)), _) => Ok(posture),
        (None, Some(shortfall)) => Err(search.error(shortfall)),
        (None, None) => Err(StandError::NoContacts),
    }
}

/// What a posture lacks.
#[derive(Clone, Copy)]
enum Shortfall {
    /// A contact is missed by this distance.
    Contact(Contact, f32),
    Collision(Hit),
    SelfCollision(SelfHit),
    /// The center of mass is this far outside the support of a group.
    Balance(GroupId, f32),
    /// The contacts do not carry the body.
    Support(equilibrium::Shortfall),
    Bounds,
}

impl Shortfall {
    /// Less is closer to a posture: first what is wrong, then by how much.
    fn rank(self) -> (u8, f32) {
        match self {
            Self::Bounds => (0, 0.0),
            Self::Support(lack) => (1, lack.balance.unwrap_or(f32::INFINITY)),
            Self::Balance(_, distance) => (2, distance),
            Self::Collision(hit) => (3, -hit.distance),
            Self::SelfCollision(hit) => (3, -hit.distance),
            Self::Contact(_, distance) => (4, distance),
        }
    }
}

struct Search<'a> {
    context: SolverContext<'a>,
    tasks: PostureTasks<'a>,
    solver: PostureSolver,
    projection: ContactProjection,
    /// Lays patches flat.
    whole_body: StanceSolver,
    collision: CollisionWorkspace,
    random: Stream,
    /// Whether the trunk has to face as the base does.
    holds_heading: bool,
    /// `None` where the contacts need not carry the body.
    support: Option<SupportJudge>,
}

impl Search<'_> {
    /// Makes the body be at ease with the heading of the base, looking at a point or ahead.
    fn take_ease(&mut self, base: &Configuration, gaze: Option<Vec3>) {
        if let PostureReference::Comfort(_) = self.tasks.reference {
            let SolverContext { character, anatomy, .. } = self.context;
            let mut ease = Ease::new(character, self.tasks.stance);
            ease.heading = anatomy.heading_of_configuration(character, base);
            ease.holds_heading = self.holds_heading;
            ease.gaze = gaze;
            self.solver.set_ease(Some(ease));
        }
    }

    /// The base and the drawn configurations of least cost.
    fn seeds(&mut self, base: &Configuration, draws: usize) -> Vec<Configuration> {
        let Self { context, tasks, solver, .. } = self;
        solver.set_collision_links(CheckedLinks::All);
        let (context, tasks) = (*context, *tasks);
        let mut drawn: Vec<(f32, Configuration)> = Vec::with_capacity(draws);
        let SolverContext { character, anatomy, .. } = context;
        let heading = anatomy.heading_of_configuration(character, base);
        let plane = MirrorPlane::of_stance(character, tasks.stance, heading);
        for _ in 0..draws {
            let mut seed = self.draw(base);
            if let Some(symmetric) = plane.as_ref().and_then(|plane| plane.symmetric(character, &seed)) {
                seed = symmetric;
            }
            self.projection.bend_limbs_toward_contacts(context.character, &mut seed, tasks.stance);
            drawn.push((self.solver.cost(context, &seed, tasks), seed));
        }
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        let kept = drawn.into_iter().take(tuning::SEEDS_PER_HEADING).map(|(_, seed)| seed);
        std::iter::once(base.clone()).chain(kept).collect()
    }

    /// A random configuration around the contacts, with the heading of the base.
    fn draw(&mut self, base: &Configuration) -> Configuration {
        let character = self.context.character;
        let points = self.tasks.stance.iter().map(|contact| contact.point);
        let middle = points.sum::<Vec3>() / self.tasks.stance.len() as f32 + in_front(character, self.tasks.stance);
        let offset = tuning::ROOT_OFFSET * character.body_size();
        let mut seed = base.clone();
        seed.root.translation = middle.with_z(if character.root_joint.axes().len() == 3 { 0.0 } else { middle.z });
        let root = character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(_) => self.random.between(-offset, offset),
            RootAxis::Turn(_) => self.random.between(-tuning::ROOT_TURN, tuning::ROOT_TURN),
        });
        let mut displacement: Vec<f32> = root.collect();
        for (hinge, angle) in character.hinges.iter().zip(&base.angles) {
            let is_at_rest = self.random.uniform() < tuning::REST_CHANCE;
            let anywhere = self.random.between(hinge.min, hinge.max);
            displacement.push(if is_at_rest { hinge.rest } else { anywhere } - angle);
        }
        seed.displace(character, &displacement);
        seed
    }

    /// Solves from a seed until the result no longer improves. Returns it with its cost: discomfort and unease, or the distance from the
    /// reference.
    fn refine(&mut self, seed: Configuration) -> Result<(f32, Configuration), Shortfall> {
        let mut posture = seed;
        let mut best: Option<(f32, Configuration)> = None;
        for _ in 0..tuning::POLISH_ROUNDS {
            self.face_as(&posture);
            let value = match self.solve(&mut posture) {
                Ok(value) => value,
                Err(shortfall) => return best.ok_or(shortfall),
            };
            if best.as_ref().is_some_and(|(least, _)| value >= *least) {
                break;
            }
            best = Some((value, posture.clone()));
        }
        best.ok_or(Shortfall::Bounds)
    }

    /// Makes the body look where its trunk faces, unless a heading is required.
    fn face_as(&mut self, posture: &Configuration) {
        let SolverContext { character, anatomy, .. } = self.context;
        if let Some(ease) = self.solver.ease_mut().filter(|ease| !ease.holds_heading) {
            ease.heading = anatomy.heading_of_configuration(character, posture);
        }
    }

    fn solve(&mut self, posture: &mut Configuration) -> Result<f32, Shortfall> {
        let Self { context, tasks, solver, whole_body, collision, .. } = self;
        let (context, tasks) = (*context, *tasks);
        let margin = Clearance::ON_CONTACTS.for_contacts_in(context.world, context.character).margin;
        let start = posture.clone();
        let mut result = settle_on_contacts((solver, whole_body), collision, context, posture, tasks, margin);
        if let Err(PostureFailure::Contacts) = result {
            *posture = start;
            result = self.solve_rolling_soles(posture, margin);
        }
        match result {
            Ok(()) => {}
            Err(PostureFailure::Contacts) => return Err(self.worst_contact(posture)),
            Err(PostureFailure::Collision(hit)) => return Err(Shortfall::Collision(hit)),
            Err(PostureFailure::SelfCollision(hit)) => return Err(Shortfall::SelfCollision(hit)),
        }
        let SolverContext { world, character, mode_table: table, .. } = context;
        forward(character, posture, &mut self.projection.link_frames);
        let frames = &self.projection.link_frames;
        let center = center_of_mass(character, frames);
        for balance in tasks.balances() {
            let group = &table.effector_groups[balance.group].effectors;
            let support = tasks.stance.iter().filter(|contact| group.contains(&contact.effector));
            let points: Vec<Vec3> = support.flat_map(|contact| contact.pressing_ends(character, frames)).collect();
            let distance = horizontal_distance_to_hull(center, &points);
            if !points.is_empty() && !(distance <= balance.within) {
                return Err(Shortfall::Balance(balance.group, distance));
            }
        }
        if let Some(support) = &mut self.support
            && let Some(lack) = support.shortfall(world, character, frames, tasks.stance)
        {
            return Err(Shortfall::Support(lack));
        }
        if !world.contains(center) {
            return Err(Shortfall::Bounds);
        }
        // Postures may keep different distances from obstacles, but this one is free: only comfort counts.
        self.solver.set_collision_links(CheckedLinks::Among(&[]));
        Ok(self.solver.cost(context, posture, tasks))
    }

    /// Solves where soles cannot lie flat: they roll onto their effectors as little as possible.
    fn solve_rolling_soles(&mut self, posture: &mut Configuration, margin: f32) -> Result<(), PostureFailure> {
        let Self { context, tasks, solver, projection, collision, .. } = self;
        let constraints = PostureConstraints {
            required_contacts: tasks.stance,
            collision_free_links: CheckedLinks::All,
            obstacle_margin: margin,
        };
        let ease = solver.set_ease(None);
        let tools = PostureTools { solver, projection, collision };
        let outcome = solve_collision_free(tools, *context, posture, *tasks, constraints);
        self.solver.set_ease(ease);
        outcome.result
    }

    /// The contact that is missed by the largest distance.
    fn worst_contact(&self, posture: &Configuration) -> Shortfall {
        let character = self.context.character;
        let miss = |contact: &Contact| {
            (effector_position_at(character, posture, contact.effector) - contact.effector_center(character)).length()
        };
        let misses = self.tasks.stance.iter().map(|contact| (*contact, miss(contact)));
        let worst = misses.reduce(|worst, other| if other.1 > worst.1 { other } else { worst });
        worst.map_or(Shortfall::Bounds, |(contact, distance)| Shortfall::Contact(contact, distance))
    }

    fn error(&self, shortfall: Shortfall) -> StandError {
        let SolverContext { world, character, mode_table: table, .. } = self.context;
        match shortfall {
            Shortfall::Contact(contact, distance) => StandError::OutOfReach {
                effector: character.effectors[contact.effector].name.clone(),
                hold: world.holds[contact.hold].name.clone(),
                distance,
            },
            Shortfall::Collision(hit) => StandError::Collision {
                link: character.links[hit.link].name.clone(),
                obstacle: world.obstacles[hit.obstacle].name.clone(),
                depth: -hit.distance,
            },
            Shortfall::SelfCollision(hit) => {
                let [link, other] = hit.links.map(|link| character.links[link].name.clone());
                StandError::SelfCollision { link, other, depth: -hit.distance }
            }
            Shortfall::Balance(group, distance) => {
                StandError::Unbalanced { group: table.effector_groups[group].name.clone(), distance }
            }
            Shortfall::Support(equilibrium::Shortfall { balance, strength, friction }) => {
                StandError::NotCarried { balance, strength, friction }
            }
            Shortfall::Bounds => StandError::CenterOfMassOutsideWorld,
        }
    }
}
