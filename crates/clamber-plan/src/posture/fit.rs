//! Whole-body postures: a configuration that keeps a set of contacts, is balanced, touches nothing and is as comfortable as it
//! can be, by damped least squares from a warm start.
//!
//! The published planner samples neighbours and keeps the better ones (thesis 4.3), a few hundred for one posture, and
//! bends a limb to a hold only while the body stays where it is. Here every degree of freedom moves at once towards all that is
//! wanted, so that the body follows a hand or a foot to where it has to go (the full inverse kinematics of 5.6.4).

use clamber_model::character::{Link, Root, RootAxis};
use clamber_model::collision::Links;
use clamber_model::kinematics::{Workspace, center_of_mass, effector_in_world, forward};
use clamber_model::math::{Pose, Rotation, Vec3, solve_cholesky, turn_from_rotation};
use clamber_model::mode::Balance;
use clamber_model::support::horizontal_distance_to_hull;
use clamber_model::{Character, Configuration, Contact, ModeTable, Problem};

use super::anatomy::Anatomy;
use super::discomfort::{Judged, deviations};

/// What a posture shall be.
#[derive(Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub stance: &'a [Contact],
    pub like: Like<'a>,
    /// Where the centre of mass shall be.
    pub balances: &'a [Balance],
}

/// What a posture shall be like, as far as the rest leaves it open.
#[derive(Clone, Copy)]
pub(crate) enum Like<'a> {
    /// Comfortable, by the heuristics of a mode.
    Comfortable(usize),
    /// As this one.
    Other(&'a Configuration),
}

/// The memory that fitting needs.
pub(crate) struct Fitting {
    /// Points of the body whose spheres shall stay outside of obstacles.
    samples: Vec<Sample>,
    /// Of these, the ones that the present stance lets touch.
    is_touching: Vec<bool>,
    /// For each link, how much farther from obstacles it is to be kept than the field says.
    room: Vec<f32>,
    /// For each degree of freedom, the links that it moves.
    moves: Vec<Vec<usize>>,
    /// Whether a contact has nothing to say about depth.
    is_planar: bool,
    residuals: [Residuals; 2],
    /// One row a degree of freedom.
    jacobian: Vec<f32>,
    gram: Vec<f32>,
    gradient: Vec<f32>,
    factor: Vec<f32>,
    step: Vec<f32>,
    /// For each degree of freedom that is set on a limit, by how much that moves it.
    held: Vec<Option<f32>>,
    next: Option<Configuration>,
    /// Frames of a configuration a little changed.
    nearby: Workspace,
}

struct Sample {
    link: usize,
    at: Vec3,
    radius: f32,
}

/// What is to become 0, and what its changes depend on.
#[derive(Default)]
struct Residuals {
    values: Vec<f32>,
    /// The points that are too near to obstacles: their links, places, and the directions away.
    near: Vec<(usize, Vec3, Vec3)>,
    frames: Workspace,
}

impl Fitting {
    pub fn new(character: &Character) -> Self {
        // In metres: so far apart, spheres cover their capsule but for a few millimetres.
        const SPACING: f32 = 0.08;
        let mut samples = Vec::new();
        for (capsule, &link) in character.capsules.iter().zip(&character.capsule_links) {
            let count = ((capsule.b - capsule.a).length() / SPACING).ceil().max(1.0) as usize;
            for index in 0..=count {
                let at = capsule.a.lerp(capsule.b, index as f32 / count as f32);
                samples.push(Sample { link, at, radius: capsule.radius });
            }
        }
        let all: Vec<usize> = (0..character.links.len()).collect();
        let mut moves = vec![all.clone(); character.root.axes().len()];
        for hinge in &character.hinges {
            let is_moved = |&link: &usize| {
                std::iter::successors(Some(link), |&link| character.links[link].parent).any(|link| link == hinge.link)
            };
            moves.push(all.iter().copied().filter(is_moved).collect());
        }
        Self {
            is_touching: vec![false; samples.len()],
            samples,
            room: vec![0.0; character.links.len()],
            moves,
            is_planar: character.root == Root::Planar,
            residuals: Default::default(),
            jacobian: Vec::new(),
            gram: Vec::new(),
            gradient: Vec::new(),
            factor: Vec::new(),
            step: Vec::new(),
            held: Vec::new(),
            next: None,
            nearby: Workspace::default(),
        }
    }
}

/// How much a metre that a contact is missed by weighs, against a deviation of one.
const CONTACT_WEIGHT: f32 = 30.0;
/// How much a metre outside of the balance weighs.
const BALANCE_WEIGHT: f32 = 12.0;
/// How much a metre inside of an obstacle weighs.
const OBSTACLE_WEIGHT: f32 = 20.0;
/// How much a deviation from comfort weighs, squared for its own weight.
const COMFORT_WEIGHT: f32 = 0.35;
/// How much a radian or a metre of unlikeness weighs.
const LIKENESS_WEIGHT: f32 = 0.3;
/// What keeps degrees of freedom that hardly matter from taking great steps.
const CALM: f32 = 0.05;
/// How far outside of obstacles a body would like to be, in metres.
const ROOM: f32 = 0.015;
/// More contacts of a group than this do not change its balance.
const MAX_POINTS: usize = 8;

/// Whose posture it is.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub problem: &'a Problem,
    pub table: &'a ModeTable,
    pub anatomy: &'a Anatomy,
}

impl Fitting {
    /// Brings a configuration near to the posture that is wished for, and returns how many steps that took. How nearly it got
    /// there is left to be looked at.
    pub fn fit(&mut self, subject: Subject, configuration: &mut Configuration, wish: Wish) -> usize {
        const MAX_STEPS: usize = 16;
        const LEAST_GAIN: f32 = 0.05;
        const LARGEST: f32 = 0.5;
        let character = &subject.problem.character;
        self.let_touch(character, wish.stance);
        let mut next = self.next.take().unwrap_or_else(|| configuration.clone());
        let [mut here, mut there] = std::mem::take(&mut self.residuals);
        let mut cost = self.judge(subject, configuration, wish, &mut here);
        let mut damping = 1e-2f32;
        let mut steps = 0;
        let mut is_better = true;
        while is_better && steps < MAX_STEPS {
            steps += 1;
            self.fill_jacobian(subject, configuration, wish, &here);
            self.fill_gram(character.degrees_of_freedom(), &here.values);
            is_better = false;
            for _ in 0..7 {
                if !self.solve(character, configuration, damping) {
                    damping *= 10.0;
                    continue;
                }
                let largest = self.step.iter().fold(0.0f32, |most, step| most.max(step.abs()));
                let scale = (LARGEST / largest.max(1e-9)).min(1.0);
                self.step.iter_mut().for_each(|step| *step *= scale);
                next.clone_from(configuration);
                next.displace(character, &self.step);
                let after = self.judge(subject, &next, wish, &mut there);
                if after < cost {
                    is_better = after < (1.0 - LEAST_GAIN) * cost;
                    cost = after;
                    std::mem::swap(configuration, &mut next);
                    std::mem::swap(&mut here, &mut there);
                    damping = (0.3 * damping).max(1e-4);
                    break;
                }
                damping *= 5.0;
            }
        }
        self.next = Some(next);
        self.residuals = [here, there];
        steps
    }

    /// How far a configuration is from what is wished for.
    pub fn cost(&mut self, subject: Subject, configuration: &Configuration, wish: Wish) -> f32 {
        self.let_touch(&subject.problem.character, wish.stance);
        let [mut here, there] = std::mem::take(&mut self.residuals);
        let cost = self.judge(subject, configuration, wish, &mut here);
        self.residuals = [here, there];
        cost
    }

    /// Fills what is to become 0, and returns the sum of its squares.
    fn judge(
        &self,
        Subject { problem, table, anatomy }: Subject,
        at: &Configuration,
        wish: Wish,
        residuals: &mut Residuals,
    ) -> f32 {
        let Residuals { values, near, frames } = residuals;
        let character = &problem.character;
        forward(character, at, frames);
        values.clear();
        near.clear();
        for contact in wish.stance {
            let miss = effector_in_world(character, frames, contact.effector) - contact.center(character);
            values.extend(miss.to_array()[..self.depth()].iter().map(|miss| CONTACT_WEIGHT * miss));
        }
        match wish.like {
            Like::Comfortable(mode) => {
                let posture = Judged { character, anatomy, configuration: at, frames, stance: wish.stance };
                discomforts(table, mode, posture, &mut |discomfort| values.push(discomfort));
            }
            Like::Other(other) => {
                let way = at.root.translation - other.root.translation;
                let turn = turn_from_rotation(at.root.rotation * other.root.rotation.inverse());
                let root = way.to_array().into_iter().chain(turn.to_array());
                let hinges = at.angles.iter().zip(&other.angles).map(|(at, other)| at - other);
                values.extend(root.chain(hinges).map(|off| LIKENESS_WEIGHT * off));
            }
        }
        if !wish.balances.is_empty() {
            let center = center_of_mass(character, frames);
            values.extend(wish.balances.iter().map(|balance| imbalance(table, balance, wish.stance, center)));
        }
        let field = &problem.world.field;
        for (sample, is_touching) in self.samples.iter().zip(&self.is_touching) {
            let point = frames.world_from_link[sample.link] * sample.at;
            let lack = ROOM + self.room[sample.link] + sample.radius - field.estimate(point);
            if lack > 0.0 && !is_touching {
                values.push(OBSTACLE_WEIGHT * lack);
                near.push((sample.link, point, field.estimate_gradient(point)));
            }
        }
        values.iter().map(|value| value * value).sum()
    }

    /// How many coordinates of a point matter.
    fn depth(&self) -> usize {
        if self.is_planar { 2 } else { 3 }
    }

    /// Fills the change of each residual with each degree of freedom. Points of the body move on known lines; what the heuristics
    /// make of it is found by differences.
    fn fill_jacobian(&mut self, subject: Subject, at: &Configuration, wish: Wish, here: &Residuals) {
        const CHANGE: f32 = 1e-3;
        let Subject { problem, table, anatomy } = subject;
        let character = &problem.character;
        let root_dofs = character.root.axes().len();
        let frames = &here.frames;
        let depth = self.depth();
        let mut jacobian = std::mem::take(&mut self.jacobian);
        let mut nearby = std::mem::take(&mut self.nearby);
        nearby.world_from_link.clone_from(&frames.world_from_link);
        let mut changed = self.next.take().unwrap_or_else(|| at.clone());
        changed.clone_from(at);
        let contacts = depth * wish.stance.len();
        jacobian.clear();
        for (dof, moved) in self.moves.iter().enumerate() {
            let motion = RigidMotion::of(character, at, frames, dof);
            let is_moved = |link: usize| moved.binary_search(&link).is_ok();
            for contact in wish.stance {
                let effector = &character.effectors[contact.effector];
                let way = match is_moved(effector.link) {
                    true => motion.at(frames.world_from_link[effector.link] * effector.center),
                    false => Vec3::ZERO,
                };
                jacobian.extend(way.to_array()[..depth].iter().map(|way| CONTACT_WEIGHT * way));
            }
            match wish.like {
                Like::Comfortable(mode) => {
                    for &link in moved {
                        nearby.world_from_link[link] = motion.moved(&frames.world_from_link[link], CHANGE);
                    }
                    if let Some(hinge) = dof.checked_sub(root_dofs) {
                        changed.angles[hinge] += CHANGE;
                    }
                    let posture =
                        Judged { character, anatomy, configuration: &changed, frames: &nearby, stance: wish.stance };
                    let mut index = contacts;
                    discomforts(table, mode, posture, &mut |discomfort| {
                        jacobian.push((discomfort - here.values[index]) / CHANGE);
                        index += 1;
                    });
                    for &link in moved {
                        nearby.world_from_link[link] = frames.world_from_link[link];
                    }
                    if let Some(hinge) = dof.checked_sub(root_dofs) {
                        changed.angles[hinge] = at.angles[hinge];
                    }
                }
                Like::Other(_) => {
                    let (way, turn) = match character.root.axes().get(dof) {
                        Some(RootAxis::Move(direction)) => (*direction, Vec3::ZERO),
                        Some(RootAxis::Turn(axis)) => (Vec3::ZERO, *axis),
                        None => (Vec3::ZERO, Vec3::ZERO),
                    };
                    let hinges = (0..character.hinges.len()).map(|hinge| f32::from(u8::from(root_dofs + hinge == dof)));
                    let root = way.to_array().into_iter().chain(turn.to_array());
                    jacobian.extend(root.chain(hinges).map(|off| LIKENESS_WEIGHT * off));
                }
            }
            if !wish.balances.is_empty() {
                let center = center_of_mass(character, frames);
                let mut way = Vec3::ZERO;
                for &link in moved {
                    let Link { center_of_mass, mass, .. } = character.links[link];
                    way += motion.at(frames.world_from_link[link] * center_of_mass) * mass;
                }
                let there = center + way * (CHANGE / character.total_mass);
                jacobian.extend(wish.balances.iter().map(|balance| {
                    let [here, there] = [center, there].map(|center| imbalance(table, balance, wish.stance, center));
                    (there - here) / CHANGE
                }));
            }
            jacobian.extend(here.near.iter().map(|&(link, point, away)| match is_moved(link) {
                true => -OBSTACLE_WEIGHT * away.dot(motion.at(point)),
                false => 0.0,
            }));
        }
        self.next = Some(changed);
        (self.jacobian, self.nearby) = (jacobian, nearby);
    }

    /// Looks at some of the links, and trusts the field for them.
    pub fn look_at(&mut self, links: Links) {
        for (link, room) in self.room.iter_mut().enumerate() {
            *room = if links.has(link) { 0.0 } else { f32::NEG_INFINITY };
        }
    }

    /// Keeps a link farther from obstacles than the field says.
    pub fn keep_away(&mut self, link: usize, by: f32) {
        self.room[link] += by;
    }

    /// The ends of links that hold on to something touch it.
    fn let_touch(&mut self, character: &Character, stance: &[Contact]) {
        for (sample, is_touching) in self.samples.iter().zip(&mut self.is_touching) {
            *is_touching = stance.iter().any(|contact| {
                let effector = &character.effectors[contact.effector];
                let on_link = effector.link == sample.link && (effector.center - sample.at).length() < 0.05;
                // A knee is where two links meet.
                let on_parent = character.links[effector.link].parent == Some(sample.link)
                    && (character.links[effector.link].parent_from_joint * effector.center - sample.at).length() < 0.05;
                on_link || on_parent
            });
        }
    }

    /// Fills the normal equations of the present Jacobian.
    fn fill_gram(&mut self, count: usize, residuals: &[f32]) {
        let rows = residuals.len();
        let Self { jacobian, gram, gradient, .. } = self;
        let row = |dof: usize| &jacobian[dof * rows..(dof + 1) * rows];
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        gradient.clear();
        gradient.extend((0..count).map(|dof| -dot(row(dof), residuals)));
        gram.clear();
        gram.resize(count * count, 0.0);
        for dof in 0..count {
            for other in 0..=dof {
                let product = dot(row(dof), row(other));
                gram[dof * count + other] = product;
                gram[other * count + dof] = product;
            }
        }
    }

    /// The damped step. A hinge that it would push over a limit is set on the limit, and the step is solved again for the
    /// others, so that they make up for it.
    fn solve(&mut self, character: &Character, at: &Configuration, damping: f32) -> bool {
        const ROUNDS: usize = 4;
        let count = character.degrees_of_freedom();
        let root_dofs = character.root.axes().len();
        let Self { gram, gradient, factor, step, held, .. } = self;
        held.clear();
        held.resize(count, None);
        for _ in 0..ROUNDS {
            factor.clone_from(gram);
            step.clone_from(gradient);
            for dof in 0..count {
                factor[dof * count + dof] += CALM + damping * (1.0 + gram[dof * count + dof]);
            }
            for dof in 0..count {
                let Some(amount) = held[dof] else { continue };
                for other in 0..count {
                    step[other] -= gram[other * count + dof] * amount;
                    factor[other * count + dof] = 0.0;
                    factor[dof * count + other] = 0.0;
                }
                factor[dof * count + dof] = 1.0;
            }
            for dof in 0..count {
                if let Some(amount) = held[dof] {
                    step[dof] = amount;
                }
            }
            if !solve_cholesky(factor, step) {
                return false;
            }
            let mut is_over = false;
            for (index, hinge) in character.hinges.iter().enumerate() {
                let (dof, angle) = (root_dofs + index, at.angles[index]);
                let there = angle + step[dof];
                if held[dof].is_none() && (there > hinge.max || there < hinge.min) {
                    held[dof] = Some(there.clamp(hinge.min, hinge.max) - angle);
                    is_over = true;
                }
            }
            if !is_over {
                break;
            }
        }
        true
    }
}

/// How a degree of freedom moves the links that it moves.
enum RigidMotion {
    Along(Vec3),
    About { axis: Vec3, origin: Vec3 },
}

impl RigidMotion {
    fn of(character: &Character, at: &Configuration, frames: &Workspace, dof: usize) -> Self {
        match character.root.axes().get(dof) {
            Some(RootAxis::Move(direction)) => Self::Along(*direction),
            Some(RootAxis::Turn(axis)) => Self::About { axis: *axis, origin: at.root.translation },
            None => {
                let hinge = dof - character.root.axes().len();
                let origin = frames.world_from_link[character.hinges[hinge].link].translation;
                Self::About { axis: frames.hinge_axis(character, hinge), origin }
            }
        }
    }

    /// The way of a point, for a change of one.
    fn at(&self, point: Vec3) -> Vec3 {
        match self {
            Self::Along(direction) => *direction,
            Self::About { axis, origin } => axis.cross(point - origin),
        }
    }

    /// A frame after a small change.
    fn moved(&self, frame: &Pose, change: f32) -> Pose {
        let place = frame.translation + self.at(frame.translation) * change;
        match self {
            Self::Along(_) => Pose::from_parts(place, frame.rotation),
            Self::About { axis, .. } => {
                let half = *axis * (0.5 * change);
                let turn = Rotation::from_xyzw(half.x, half.y, half.z, 1.0);
                Pose::from_parts(place, (turn * frame.rotation).normalize())
            }
        }
    }
}

/// What keeps a posture from being comfortable, weighed.
fn discomforts(table: &ModeTable, mode: usize, posture: Judged, tell: &mut dyn FnMut(f32)) {
    for &(heuristic, weight) in &table.modes[mode].heuristics {
        deviations(heuristic, posture, &mut |deviation| tell(COMFORT_WEIGHT * weight * deviation));
    }
}

/// How far the centre of mass is from where it shall be, weighed.
fn imbalance(table: &ModeTable, balance: &Balance, stance: &[Contact], center: Vec3) -> f32 {
    let group = &table.groups[balance.group].effectors;
    let mut points = [Vec3::ZERO; MAX_POINTS];
    let mut count = 0;
    for contact in stance.iter().filter(|contact| group.contains(&contact.effector)).take(MAX_POINTS) {
        points[count] = contact.point;
        count += 1;
    }
    let outside = if count == 0 { 0.0 } else { horizontal_distance_to_hull(center, &points[..count]) };
    BALANCE_WEIGHT * (outside - 0.5 * balance.within).max(0.0)
}
