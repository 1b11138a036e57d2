//! Whole-body postures: a configuration that keeps a set of contacts, is balanced, touches nothing and is as comfortable as it
//! can be, by damped least squares from a warm start.
//!
//! The published planner samples neighbours and keeps the better ones (thesis 4.3), a few hundred for one posture, and
//! bends a limb to a hold only while the body stays where it is. Here every degree of freedom moves at once towards all that is
//! wanted, so that the body follows a hand or a foot to where it has to go (the full inverse kinematics of 5.6.4).

use clamber_model::character::{Root, RootAxis};
use clamber_model::collision::Links;
use clamber_model::kinematics::{Workspace, center_of_mass, effector_in_world, forward};
use clamber_model::math::{Vec3, solve_cholesky, turn_from_rotation};
use clamber_model::mode::Balance;
use clamber_model::support::horizontal_way_to_hull;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use crate::anatomy::Anatomy;
use crate::comfort::{Listener, PostureState, deviations};
use crate::jacobian::{Jacobian, JacobianRow};

/// What a posture shall be.
#[derive(Clone, Copy)]
pub struct PostureTasks<'a> {
    pub stance: &'a [Contact],
    pub reference: PostureReference<'a>,
    /// Where the centre of mass shall be.
    pub balances: &'a [Balance],
}

/// What a posture shall be like, as far as the rest leaves it open.
#[derive(Clone, Copy)]
pub enum PostureReference<'a> {
    /// Comfortable, by the heuristics of a mode.
    Comfort(usize),
    /// As this one.
    Configuration(&'a Configuration),
}

/// The memory that fitting needs.
pub struct PostureSolver {
    /// The body, as spheres that shall stay outside of obstacles.
    strings: Vec<SphereString>,
    /// Of all the spheres, the ones that the present stance lets touch.
    is_touching: Vec<bool>,
    /// For each effector, the spheres that touch what it touches.
    touching: Vec<Vec<usize>>,
    /// For each link, how much farther from obstacles it is to be kept than the field says.
    room: Vec<f32>,
    /// Whether a contact has nothing to say about depth.
    is_planar: bool,
    residuals: [Residuals; 2],
    slopes: Jacobian,
    gram: Vec<f32>,
    gradient: Vec<f32>,
    factor: Vec<f32>,
    step: Vec<f32>,
    /// For each degree of freedom that is set on a limit, by how much that moves it.
    held: Vec<Option<f32>>,
    next: Option<Configuration>,
}

/// Spheres along the axis of a capsule, from end to end.
struct SphereString {
    link: usize,
    /// The centre of the first.
    at: Vec3,
    /// From each to the next.
    apart: Vec3,
    count: usize,
    radius: f32,
    /// Where its first is among all of the body's.
    begins: usize,
}

/// What is to become 0, and what its changes depend on.
#[derive(Default)]
struct Residuals {
    values: Vec<f32>,
    /// The points that are too near to obstacles, and their links.
    near: Vec<(usize, Vec3)>,
    frames: Workspace,
}

impl PostureSolver {
    pub fn new(character: &Character) -> Self {
        // In metres: so far apart, spheres cover their capsule but for a few millimetres.
        const SPACING: f32 = 0.08;
        let mut strings = Vec::new();
        let mut spheres: Vec<(usize, Vec3)> = Vec::new();
        for (capsule, &link) in character.capsules.iter().zip(&character.capsule_links) {
            let intervals = ((capsule.b - capsule.a).length() / SPACING).ceil();
            let apart = (capsule.b - capsule.a) / intervals.max(1.0);
            let (at, count, begins) = (capsule.a, intervals as usize + 1, spheres.len());
            spheres.extend((0..count).map(|index| (link, at + apart * index as f32)));
            strings.push(SphereString { link, at, apart, count, radius: capsule.radius, begins });
        }
        let touching = (0..character.effectors.len()).map(|effector| spheres_at(character, effector, &spheres));
        Self {
            touching: touching.collect(),
            is_touching: vec![false; spheres.len()],
            strings,
            room: vec![0.0; character.links.len()],
            is_planar: character.root == Root::Planar,
            residuals: Default::default(),
            slopes: Jacobian::new(character),
            gram: Vec::new(),
            gradient: Vec::new(),
            factor: Vec::new(),
            step: Vec::new(),
            held: Vec::new(),
            next: None,
        }
    }
}

/// The spheres, each given by its link and its place there, that touch what an effector touches.
fn spheres_at(character: &Character, effector: usize, spheres: &[(usize, Vec3)]) -> Vec<usize> {
    // In metres.
    const NEAR: f32 = 0.05;
    let effector = &character.effectors[effector];
    let link = &character.links[effector.link];
    let touches = |&(sphere_link, at): &(usize, Vec3)| {
        let on_link = effector.link == sphere_link && (effector.center - at).length() < NEAR;
        // A knee is where two links meet.
        let on_parent =
            link.parent == Some(sphere_link) && (link.parent_from_joint * effector.center - at).length() < NEAR;
        on_link || on_parent
    };
    (0..spheres.len()).filter(|&index| touches(&spheres[index])).collect()
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
pub struct SolverContext<'a> {
    pub world: &'a World,
    pub character: &'a Character,
    pub table: &'a ModeTable,
    pub anatomy: &'a Anatomy,
}

impl PostureSolver {
    /// Brings a configuration near to the posture that is wished for, and returns how many steps that took. How nearly it got
    /// there is left to be looked at.
    pub fn solve(&mut self, context: SolverContext, configuration: &mut Configuration, wish: PostureTasks) -> usize {
        const MAX_STEPS: usize = 16;
        const LEAST_GAIN: f32 = 0.05;
        const LARGEST: f32 = 0.5;
        // How often a step is tried, damped more each time.
        const TRIES: usize = 5;
        let character = context.character;
        self.let_touch(wish.stance);
        let mut next = self.next.take().unwrap_or_else(|| configuration.clone());
        let [mut here, mut there] = std::mem::take(&mut self.residuals);
        let mut cost = self.judge(context, configuration, wish, &mut here);
        let mut damping = 1e-2f32;
        let mut steps = 0;
        let mut is_better = true;
        while is_better && steps < MAX_STEPS {
            steps += 1;
            self.fill_slopes(context, configuration, wish, &here);
            self.slopes.fill_normal_equations(&here.values, &mut self.gram, &mut self.gradient);
            is_better = false;
            for _ in 0..TRIES {
                if !self.damped_step(character, configuration, damping) {
                    damping *= 10.0;
                    continue;
                }
                let largest = self.step.iter().fold(0.0f32, |most, step| most.max(step.abs()));
                let scale = (LARGEST / largest.max(1e-9)).min(1.0);
                self.step.iter_mut().for_each(|step| *step *= scale);
                next.clone_from(configuration);
                next.displace(character, &self.step);
                let after = self.judge(context, &next, wish, &mut there);
                if after < cost {
                    is_better = after < (1.0 - LEAST_GAIN) * cost;
                    cost = after;
                    std::mem::swap(configuration, &mut next);
                    std::mem::swap(&mut here, &mut there);
                    damping = (0.1 * damping).max(1e-4);
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
    pub fn cost(&mut self, context: SolverContext, configuration: &Configuration, wish: PostureTasks) -> f32 {
        self.let_touch(wish.stance);
        let [mut here, there] = std::mem::take(&mut self.residuals);
        let cost = self.judge(context, configuration, wish, &mut here);
        self.residuals = [here, there];
        cost
    }

    /// Fills what is to become 0, and returns the sum of its squares.
    fn judge(
        &self,
        SolverContext { world, character, table, anatomy }: SolverContext,
        at: &Configuration,
        wish: PostureTasks,
        residuals: &mut Residuals,
    ) -> f32 {
        let Residuals { values, near, frames } = residuals;
        forward(character, at, frames);
        values.clear();
        near.clear();
        for contact in wish.stance {
            let miss = effector_in_world(character, frames, contact.effector) - contact.center(character);
            values.extend(miss.to_array()[..self.depth()].iter().map(|miss| CONTACT_WEIGHT * miss));
        }
        match wish.reference {
            PostureReference::Comfort(mode) => {
                let posture = PostureState { character, anatomy, configuration: at, frames, stance: wish.stance };
                for &(heuristic, weight) in &table.modes[mode].heuristics {
                    deviations(heuristic, posture, &mut Values { weight: COMFORT_WEIGHT * weight, values });
                }
            }
            PostureReference::Configuration(other) => {
                let way = at.root.translation - other.root.translation;
                let turn = turn_from_rotation(at.root.rotation * other.root.rotation.inverse());
                let root = character.root.axes().iter().map(|axis| match axis {
                    RootAxis::Move(direction) => direction.dot(way),
                    RootAxis::Turn(axis) => axis.dot(turn),
                });
                let hinges = at.angles.iter().zip(&other.angles).map(|(at, other)| at - other);
                values.extend(root.chain(hinges).map(|off| LIKENESS_WEIGHT * off));
            }
        }
        if !wish.balances.is_empty() {
            let center = center_of_mass(character, frames);
            values.extend(wish.balances.iter().map(|balance| imbalance(table, balance, wish.stance, center).0));
        }
        for string in self.strings.iter().filter(|string| self.room[string.link].is_finite()) {
            let world_from_link = &frames.world_from_link[string.link];
            let (first, apart) = (*world_from_link * string.at, world_from_link.rotation * string.apart);
            let wanted = ROOM + self.room[string.link] + string.radius;
            let spheres = 1.0 / apart.length().max(1e-3);
            let mut index = 0;
            while index < string.count {
                let point = first + apart * index as f32;
                let lack = wanted - world.field.estimate(point);
                if lack > 0.0 && !self.is_touching[string.begins + index] {
                    values.push(OBSTACLE_WEIGHT * lack);
                    near.push((string.link, point));
                }
                // What there is to spare here is enough for the next ones, too.
                index += 1 + (-lack * spheres).clamp(0.0, 1e6) as usize;
            }
        }
        values.iter().map(|value| value * value).sum()
    }

    /// How many coordinates of a point matter.
    fn depth(&self) -> usize {
        if self.is_planar { 2 } else { 3 }
    }

    /// Fills the change of each residual with each degree of freedom, in the order of [`Self::judge`].
    fn fill_slopes(&mut self, context: SolverContext, at: &Configuration, wish: PostureTasks, here: &Residuals) {
        let SolverContext { world, character, table, anatomy } = context;
        let frames = &here.frames;
        let depth = self.depth();
        let slopes = &mut self.slopes;
        slopes.begin(character, at, frames);
        for contact in wish.stance {
            let link = character.effectors[contact.effector].link;
            let at = effector_in_world(character, frames, contact.effector);
            for along in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().take(depth) {
                slopes.push();
                slopes.add(CONTACT_WEIGHT, JacobianRow::Point { link, at, along });
            }
        }
        match wish.reference {
            PostureReference::Comfort(mode) => {
                let posture = PostureState { character, anatomy, configuration: at, frames, stance: wish.stance };
                for &(heuristic, weight) in &table.modes[mode].heuristics {
                    deviations(heuristic, posture, &mut Rows { weight: COMFORT_WEIGHT * weight, slopes });
                }
            }
            PostureReference::Configuration(_) => {
                for dof in 0..character.degrees_of_freedom() {
                    slopes.push();
                    slopes.add_dof(LIKENESS_WEIGHT, dof);
                }
            }
        }
        if !wish.balances.is_empty() {
            let center = center_of_mass(character, frames);
            for balance in wish.balances {
                slopes.push();
                slopes.add(1.0, JacobianRow::Center(imbalance(table, balance, wish.stance, center).1));
            }
        }
        for &(link, at) in &here.near {
            slopes.push();
            let along = world.field.estimate_gradient(at);
            slopes.add(-OBSTACLE_WEIGHT, JacobianRow::Point { link, at, along });
        }
    }

    /// Looks at some of the links, and trusts the field for them.
    pub fn set_collision_links(&mut self, links: Links) {
        for (link, room) in self.room.iter_mut().enumerate() {
            *room = if links.has(link) { 0.0 } else { f32::NEG_INFINITY };
        }
    }

    /// Keeps a link farther from obstacles than the field says.
    pub fn add_clearance(&mut self, link: usize, by: f32) {
        self.room[link] += by;
    }

    /// The ends of links that hold on to something touch it.
    fn let_touch(&mut self, stance: &[Contact]) {
        self.is_touching.fill(false);
        for contact in stance {
            for &sphere in &self.touching[contact.effector] {
                self.is_touching[sphere] = true;
            }
        }
    }

    /// The damped step. A hinge that it would push over a limit is set on the limit, and the step is solved again for the
    /// others, so that they make up for it.
    fn damped_step(&mut self, character: &Character, at: &Configuration, damping: f32) -> bool {
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

/// Appends deviations to values, weighed.
struct Values<'a> {
    weight: f32,
    values: &'a mut Vec<f32>,
}

impl Listener for Values<'_> {
    fn deviation(&mut self, value: f32) {
        self.values.push(self.weight * value);
    }
}

/// Appends the slopes of deviations, weighed.
struct Rows<'a> {
    weight: f32,
    slopes: &'a mut Jacobian,
}

impl Listener for Rows<'_> {
    fn deviation(&mut self, _value: f32) {
        self.slopes.push();
    }

    fn slope(&mut self, slope: impl FnOnce() -> JacobianRow) {
        self.slopes.add(self.weight, slope());
    }
}

/// How far the centre of mass is from where it shall be, weighed, and how that changes with it.
fn imbalance(table: &ModeTable, balance: &Balance, stance: &[Contact], center: Vec3) -> (f32, Vec3) {
    let group = &table.groups[balance.group].effectors;
    let mut points = [Vec3::ZERO; MAX_POINTS];
    let mut count = 0;
    for contact in stance.iter().filter(|contact| group.contains(&contact.effector)).take(MAX_POINTS) {
        points[count] = contact.point;
        count += 1;
    }
    let way = if count == 0 { Vec3::ZERO } else { horizontal_way_to_hull(center, &points[..count]) };
    let outside = way.length();
    let lack = outside - 0.5 * balance.within;
    if lack > 0.0 { (BALANCE_WEIGHT * lack, way * (-BALANCE_WEIGHT / outside)) } else { (0.0, Vec3::ZERO) }
}

#[cfg(test)]
mod tests {

    use super::*;
    use clamber_model::mode::Heuristic;
    use clamber_model::rng::Stream;

    #[test]
    fn slopes_are_what_differences_tend_to() {
        for name in ["figure", "human"] {
            let character = clamber_testing::character(name);
            let problem = clamber_testing::on_ground(Vec::new());
            let mut table = clamber_testing::table_of(name, &character);
            table.modes[0].heuristics = Heuristic::ALL.iter().map(|(heuristic, _)| (*heuristic, 1.0)).collect();
            let anatomy = Anatomy::new(&character, &table);
            let context =
                SolverContext { world: &problem.world, character: &character, table: &table, anatomy: &anatomy };
            let mut standing = Configuration::rest(&character);
            standing.root.translation.y = 0.9;
            let effectors = &table.groups[0].effectors;
            let touching = |&effector: &usize| {
                clamber_testing::touching(&character, &standing, &character.effectors[effector].name)
            };
            let stance: Vec<Contact> = effectors.iter().map(touching).collect();
            let balances = [Balance { group: 0, within: 0.02 }];
            let mut stream = Stream::new(1, "slopes");
            for _ in 0..20 {
                let bend: Vec<f32> = (0..character.degrees_of_freedom()).map(|_| stream.between(-0.4, 0.4)).collect();
                let mut at = standing.clone();
                at.displace(&character, &bend);
                // Off the limits, beyond which nothing changes.
                for (angle, hinge) in at.angles.iter_mut().zip(&character.hinges) {
                    let off = (0.4 * (hinge.max - hinge.min)).min(0.01);
                    *angle = angle.clamp(hinge.min + off, hinge.max - off);
                }
                // Only small turns from what it shall be like add up.
                for reference in [PostureReference::Comfort(0), PostureReference::Configuration(&at)] {
                    assert_slopes(context, &at, PostureTasks { stance: &stance, reference, balances: &balances });
                }
            }
        }
    }

    /// Asserts that the slopes of all but what obstacles say are right: the gradient of those is that of a part of a cell.
    fn assert_slopes(context: SolverContext, at: &Configuration, wish: PostureTasks) {
        const CHANGE: f32 = 2e-3;
        let character = context.character;
        let mut fitting = PostureSolver::new(character);
        let [mut here, mut there] = <[Residuals; 2]>::default();
        fitting.judge(context, at, wish, &mut here);
        fitting.fill_slopes(context, at, wish, &here);
        assert_eq!(fitting.slopes.rows().count(), here.values.len());
        let count = character.degrees_of_freedom();
        for dof in 0..count {
            let mut step = vec![0.0; count];
            step[dof] = CHANGE;
            let mut moved = at.clone();
            moved.displace(character, &step);
            fitting.judge(context, &moved, wish, &mut there);
            for (index, row) in fitting.slopes.rows().take(here.values.len() - here.near.len()).enumerate() {
                let slope = (there.values[index] - here.values[index]) / CHANGE;
                let off = (slope - row[dof]).abs();
                assert!(off < 0.03 * (1.0 + slope.abs()), "{index} with {dof}: {slope}, not {}", row[dof]);
            }
        }
    }
}
