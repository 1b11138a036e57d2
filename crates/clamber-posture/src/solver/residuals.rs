//! The weighted residuals of the tasks, and their Jacobian.

use clamber_model::character::RootAxis;
use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, center_of_mass, forward};
use clamber_model::math::{Vec3, rotation_vector_from_rotation};
use clamber_model::mode_table::Balance;
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

use super::condition_residuals::visit_condition;
use super::contact_target::{dimensions, tangents};
use super::ease::Ease;
use super::ease_tuning;
use super::obstacle_planes::ObstaclePlanes;
use super::self_clearance::{CloseLinks, SelfClearance};
use super::spheres::BodySpheres;
use super::tasks::{CenterRegion, EffortTask, PostureReference, PostureTasks, SolverContext};
use super::tuning;
use crate::comfort::{PostureState, ResidualVisitor, visit_residuals};
use crate::equilibrium::EffortSolver;

/// Evaluates residuals for one character. Its weights are per meter, for the character's size.
pub(super) struct ResidualModel {
    pub spheres: BodySpheres,
    pub self_clearance: SelfClearance,
    pub obstacle_planes: ObstaclePlanes,
    contact_weight: f32,
    balance_weight: f32,
    obstacle_weight: f32,
    /// Weight of root translations relative to a reference configuration.
    translation_weight: f32,
    /// The body at ease, where comfort is the reference; `None` leaves that to the heuristics of the mode.
    pub ease: Option<Ease>,
}

/// The residuals at a configuration.
#[derive(Default)]
pub(super) struct Residuals {
    pub values: Vec<f32>,
    /// The sphere centers closer to obstacles than their clearance, with their links.
    pub near_obstacles: Vec<(LinkId, Vec3)>,
    /// The links closer to each other than their clearance.
    pub close_links: CloseLinks,
    /// The frames of the configuration.
    pub frames: LinkFrames,
    /// Of the contacts of [`PostureTasks::effort`].
    effort: EffortSolver,
}

impl ResidualModel {
    pub fn new(character: &Character) -> Self {
        let size = character.body_size();
        Self {
            spheres: BodySpheres::new(character),
            self_clearance: SelfClearance::new(character),
            obstacle_planes: ObstaclePlanes::new(character),
            contact_weight: tuning::CONTACT_WEIGHT / size,
            balance_weight: tuning::BALANCE_WEIGHT / size,
            obstacle_weight: tuning::OBSTACLE_WEIGHT / size,
            translation_weight: tuning::REFERENCE_WEIGHT / (tuning::TRANSLATION_PER_RADIAN * size),
            ease: None,
        }
    }

    /// The weight of the tilt of a sole, per radian.
    fn sole_weight(&self) -> f32 {
        if self.ease.is_some() { ease_tuning::SOLE } else { tuning::SOLE_WEIGHT }
    }

    /// Fills the residuals and returns the cost: the sum of their squares and, where comfort is the reference, of the differences
    /// to the rest angles.
    pub fn evaluate(
        &self,
        SolverContext { world, character, mode_table: table, anatomy }: SolverContext,
        at: &Configuration,
        tasks: PostureTasks,
        residuals: &mut Residuals,
    ) -> f32 {
        let Residuals { values, near_obstacles, close_links, frames, effort } = residuals;
        forward(character, at, frames);
        values.clear();
        near_obstacles.clear();
        for contact in tasks.stance {
            let target = tasks.target_on(character, contact);
            let miss = target.miss(character, frames);
            values.extend(miss.to_array()[..dimensions(character)].iter().map(|miss| self.contact_weight * miss));
            if let Some([facing, wanted]) = target.facings(character, frames) {
                let tilt = |tangent| self.sole_weight() * facing.dot(tangent);
                values.extend(tangents(character, wanted).map(tilt));
            }
            if let Some([forward, across]) = target.forwards(character, frames) {
                values.push(tuning::PATCH_HEADING_WEIGHT * across.dot(forward));
            }
        }
        let posture = PostureState { character, anatomy, configuration: at, link_frames: frames, stance: tasks.stance };
        match tasks.reference {
            PostureReference::Comfort(mode) => {
                for (heuristic, weight) in &table.modes[mode].posture_heuristics {
                    let weight = tuning::COMFORT_WEIGHT * weight;
                    visit_residuals(heuristic, posture, &mut ValueCollector { weight, values });
                }
                if let Some(ease) = &self.ease {
                    ease.visit_residuals(posture, &mut ValueCollector { weight: 1.0, values });
                }
            }
            PostureReference::Configuration(reference) => {
                self.push_difference(character, at, reference, (tasks.stance, frames), values);
            }
        }
        for condition in tasks.conditions {
            visit_condition(condition, posture, &mut ValueCollector { weight: tuning::CONDITION_WEIGHT, values });
        }
        if tasks.constrains_center() {
            let center = center_of_mass(character, frames);
            let residual = |balance| self.imbalance((character, table), balance, (tasks.stance, frames), center).0;
            values.extend(tasks.balances().map(residual));
            let residual = |region: &CenterRegion| self.excess(&region.corners, region.within, center).0;
            values.extend(tasks.center_regions.iter().map(residual));
        }
        if let Some(EffortTask { carried_by, weight }) = tasks.effort {
            let ratio = effort.effort(character, world, frames, carried_by);
            values.push(ratio.map_or(0.0, |ratio| weight * ratio as f32));
        }
        self.push_obstacles(world, frames, values, near_obstacles);
        let is_checked = |link: LinkId| self.spheres.extra_clearance[link].is_finite();
        self.self_clearance.push_residuals(character, frames, is_checked, close_links, values);
        self.obstacle_planes.push_residuals(frames, values);
        let cost: f32 = values.iter().map(|value| value * value).sum();
        match tasks.reference {
            PostureReference::Comfort(_) => cost + rest_cost(character, at),
            PostureReference::Configuration(_) => cost,
        }
    }

    /// Appends the difference of each degree of freedom to a reference configuration. A limb without contact keeps its direction in the
    /// world and not to the trunk: a free leg hangs when the body bows.
    fn push_difference(
        &self,
        character: &Character,
        at: &Configuration,
        reference: &Configuration,
        (stance, frames): (&[Contact], &LinkFrames),
        values: &mut Vec<f32>,
    ) {
        let translation = at.root.translation - reference.root.translation;
        let turn = rotation_vector_from_rotation(at.root.rotation * reference.root.rotation.inverse());
        values.extend(character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(direction) => self.translation_weight * direction.dot(translation),
            RootAxis::Turn(axis) => tuning::REFERENCE_WEIGHT * axis.dot(turn),
        }));
        for (hinge, angle) in at.angles.iter_enumerated() {
            let difference = angle - reference.angles[hinge];
            let of_body =
                if hangs(character, stance, hinge) { frames.hinge_axis(character, hinge).dot(turn) } else { 0.0 };
            values.push(tuning::REFERENCE_WEIGHT * (difference + of_body));
        }
    }

    /// Appends the rows of [`Self::push_difference`].
    fn push_difference_rows(
        &self,
        character: &Character,
        (stance, frames): (&[Contact], &LinkFrames),
        jacobian: &mut Jacobian,
    ) {
        let root = character.root_joint.axes();
        for (dof, axis) in root.iter().enumerate() {
            let is_translation = matches!(axis, RootAxis::Move(_));
            jacobian.push_row();
            jacobian.add_dof(if is_translation { self.translation_weight } else { tuning::REFERENCE_WEIGHT }, dof);
        }
        for hinge in character.hinges.keys() {
            jacobian.push_row();
            jacobian.add_dof(tuning::REFERENCE_WEIGHT, root.len() + hinge.index());
            if hangs(character, stance, hinge) {
                let gradient = frames.hinge_axis(character, hinge);
                let turn = JacobianTerm::Rotation { link: LinkId::ROOT, gradient };
                jacobian.add_term(tuning::REFERENCE_WEIGHT, turn);
            }
        }
    }

    /// Appends the spheres that are closer to obstacles than their clearance.
    fn push_obstacles(
        &self,
        world: &World,
        frames: &LinkFrames,
        values: &mut Vec<f32>,
        near_obstacles: &mut Vec<(LinkId, Vec3)>,
    ) {
        let BodySpheres { chains, extra_clearance, clearance, may_touch, .. } = &self.spheres;
        for chain in chains.iter().filter(|chain| extra_clearance[chain.link].is_finite()) {
            let world_from_link = &frames.world_from_link[chain.link];
            let (first, spacing) = (*world_from_link * chain.first, world_from_link.rotation * chain.spacing);
            let required = clearance + extra_clearance[chain.link] + chain.radius;
            let mut index = 0;
            while index < chain.count {
                let center = first + spacing * index as f32;
                let violation = required - world.distance_field.estimate(center);
                if violation > 0.0 && !may_touch[chain.offset + index] {
                    values.push(self.obstacle_weight * violation);
                    near_obstacles.push((chain.link, center));
                }
                // A sphere with distance to spare clears the next ones too.
                index += 1 + (-violation * chain.density).clamp(0.0, 1e6) as usize;
            }
        }
    }

    /// Fills the Jacobian of the residuals, in the order of [`Self::evaluate`].
    pub fn fill_jacobian(
        &self,
        SolverContext { world, character, mode_table: table, anatomy }: SolverContext,
        at: &Configuration,
        tasks: PostureTasks,
        here: &Residuals,
        jacobian: &mut Jacobian,
    ) {
        let frames = &here.frames;
        jacobian.linearize(character, frames);
        for contact in tasks.stance {
            let target = tasks.target_on(character, contact);
            target.push_miss_rows(character, frames, self.contact_weight, jacobian);
            if let Some([facing, wanted]) = target.facings(character, frames) {
                let link = character.effectors[contact.effector].link;
                for tangent in tangents(character, wanted) {
                    jacobian.push_row();
                    let gradient = facing.cross(tangent);
                    jacobian.add_term(self.sole_weight(), JacobianTerm::Rotation { link, gradient });
                }
            }
            if let Some([forward, across]) = target.forwards(character, frames) {
                let (link, gradient) = (character.effectors[contact.effector].link, forward.cross(across));
                jacobian.push_row();
                jacobian.add_term(tuning::PATCH_HEADING_WEIGHT, JacobianTerm::Rotation { link, gradient });
            }
        }
        let posture = PostureState { character, anatomy, configuration: at, link_frames: frames, stance: tasks.stance };
        match tasks.reference {
            PostureReference::Comfort(mode) => {
                for (heuristic, weight) in &table.modes[mode].posture_heuristics {
                    let weight = tuning::COMFORT_WEIGHT * weight;
                    visit_residuals(heuristic, posture, &mut RowCollector { weight, jacobian });
                }
                if let Some(ease) = &self.ease {
                    ease.visit_residuals(posture, &mut RowCollector { weight: 1.0, jacobian });
                }
            }
            PostureReference::Configuration(_) => {
                self.push_difference_rows(character, (tasks.stance, frames), jacobian);
            }
        }
        for condition in tasks.conditions {
            visit_condition(condition, posture, &mut RowCollector { weight: tuning::CONDITION_WEIGHT, jacobian });
        }
        if tasks.constrains_center() {
            let center = center_of_mass(character, frames);
            let (body, contacts) = ((character, table), (tasks.stance, frames));
            let gradients = tasks.balances().map(|balance| self.imbalance(body, balance, contacts, center).1);
            let regions = tasks.center_regions.iter();
            for gradient in gradients.chain(regions.map(|region| self.excess(&region.corners, region.within, center).1))
            {
                jacobian.push_row();
                jacobian.add_term(1.0, JacobianTerm::CenterOfMass(gradient));
            }
        }
        if let Some(EffortTask { weight, .. }) = tasks.effort {
            jacobian.push_row();
            here.effort.visit_gradient(character, frames, |term| jacobian.add_term(weight, term));
        }
        for &(link, at) in &here.near_obstacles {
            let gradient = world.distance_field.estimate_gradient(at);
            jacobian.push_row();
            jacobian.add_term(-self.obstacle_weight, JacobianTerm::Point { link, at, gradient });
        }
        self.self_clearance.push_rows(&here.close_links, jacobian);
        self.obstacle_planes.push_rows(frames, jacobian);
    }

    /// The weighted distance of the center of mass from the tolerated region, and its gradient.
    fn imbalance(
        &self,
        (character, table): (&Character, &ModeTable),
        balance: &Balance,
        (stance, frames): (&[Contact], &LinkFrames),
        center: Vec3,
    ) -> (f32, Vec3) {
        let group = &table.effector_groups[balance.group].effectors;
        let mut points = [Vec3::ZERO; tuning::MAX_SUPPORT_POINTS];
        let mut count = 0;
        let contacts = stance.iter().filter(|contact| group.contains(&contact.effector));
        for (slots, contact) in points.chunks_exact_mut(2).zip(contacts) {
            slots.copy_from_slice(&contact.pressing_ends(character, frames));
            count += 2;
        }
        self.excess(&points[..count], tuning::BALANCE_AIM * balance.within, center)
    }

    /// The weighted distance of the center of mass from a hull beyond a tolerated distance, and its gradient.
    fn excess(&self, hull: &[Vec3], within: f32, center: Vec3) -> (f32, Vec3) {
        let to_hull = if hull.is_empty() { Vec3::ZERO } else { horizontal_displacement_to_hull(center, hull) };
        let outside = to_hull.length();
        let excess = outside - within;
        let weight = if self.ease.is_some() { ease_tuning::CENTER * self.balance_weight } else { self.balance_weight };
        if excess > 0.0 { (weight * excess, to_hull * (-weight / outside)) } else { (0.0, Vec3::ZERO) }
    }
}

/// Whether a hinge is the first of a limb without contact.
fn hangs(character: &Character, stance: &[Contact], hinge: HingeId) -> bool {
    let link = character.hinges[hinge].link;
    let begins = |limb: LimbId| character.limbs[limb].links.first() == Some(&link);
    let is_free = |limb: LimbId| stance.iter().all(|contact| character.effectors[contact.effector].limb != Some(limb));
    character.limb_of_link(link).is_some_and(|limb| begins(limb) && is_free(limb))
}

/// The cost of the differences to the rest angles. It has no rows in the Jacobian: [`DampedStep`](super::damped_step::DampedStep) adds
/// it to the diagonal of the normal equations.
fn rest_cost(character: &Character, at: &Configuration) -> f32 {
    let differences = at.angles.iter().zip(&character.hinges).map(|(angle, hinge)| angle - hinge.rest);
    tuning::REST_WEIGHT * tuning::REST_WEIGHT * differences.map(|difference| difference * difference).sum::<f32>()
}

/// Appends weighted residuals.
struct ValueCollector<'a> {
    weight: f32,
    values: &'a mut Vec<f32>,
}

impl ResidualVisitor for ValueCollector<'_> {
    fn residual(&mut self, value: f32) {
        self.values.push(self.weight * value);
    }
}

/// Appends the weighted Jacobian rows of residuals.
struct RowCollector<'a> {
    weight: f32,
    jacobian: &'a mut Jacobian,
}

impl ResidualVisitor for RowCollector<'_> {
    fn residual(&mut self, _value: f32) {
        self.jacobian.push_row();
    }

    fn derivative(&mut self, term: impl FnOnce() -> JacobianTerm) {
        self.jacobian.add_term(self.weight, term());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anatomy::Anatomy;
    use clamber_model::id::{EffectorId, GroupId, ModeId};
    use clamber_model::mode_table::{BodyLine, Condition};
    use clamber_model::rng::Stream;

    #[test]
    fn jacobian_matches_finite_differences() {
        for name in ["figure", "human"] {
            let character = clamber_testing::character(name);
            let problem = clamber_testing::on_ground(Vec::new());
            let mut table = clamber_testing::table_of(name, &character);
            let heuristics = clamber_testing::heuristics(&character).into_values();
            table.modes.raw[0].posture_heuristics = heuristics.map(|heuristic| (heuristic, 1.0)).collect();
            let anatomy = Anatomy::new(&character, &table);
            let context =
                SolverContext { world: &problem.world, character: &character, mode_table: &table, anatomy: &anatomy };
            let mut standing = Configuration::rest(&character);
            standing.root.translation.y = 0.9;
            let effectors = &table.effector_groups.raw[0].effectors;
            let touching = |&effector: &EffectorId| {
                clamber_testing::touching(&character, &standing, &character.effectors[effector].name)
            };
            let stance: Vec<Contact> = effectors.iter().map(touching).collect();
            let mut conditions = vec![Condition::CenterBetween(Balance { group: GroupId::new(0), within: 0.02 })];
            conditions.extend(landmark_conditions(&character));
            let corners = vec![stance[0].point + Vec3::X, stance[0].point + 1.2 * Vec3::X];
            let regions = [CenterRegion { corners, within: 0.1 }];
            let mut stream = Stream::new(1, "slopes");
            for _ in 0..20 {
                let at = random_posture(&character, &standing, &mut stream);
                // Not where the head is turned around, and not where a hinge is at rest: there the slope jumps.
                for gaze in [None, Some(Vec3::new(30.0, 20.0, 10.0))] {
                    let mut ease = Ease::new(&character, &stance[1..]);
                    (ease.heading, ease.holds_heading, ease.gaze) = (Vec3::new(0.96, 0.0, 0.28), true, gaze);
                    let tasks = PostureTasks {
                        patch_headings: &[],
                        stance: &stance[1..],
                        reference: PostureReference::Comfort(ModeId::new(0)),
                        conditions: &[],
                        center_regions: &[],
                        effort: None,
                    };
                    assert_jacobian(context, &at, tasks, Some(ease));
                }
                // Rotations add up only when small, so the reference is the configuration itself.
                for reference in [PostureReference::Comfort(ModeId::new(0)), PostureReference::Configuration(&at)] {
                    let tasks = PostureTasks {
                        patch_headings: &[],
                        stance: &stance,
                        reference,
                        conditions: &conditions,
                        center_regions: &regions,
                        effort: None,
                    };
                    assert_jacobian(context, &at, tasks, None);
                }
            }
        }
    }

    #[test]
    fn a_free_leg_differs_least_when_it_keeps_its_direction_in_the_world() {
        let character = clamber_testing::character("figure");
        let model = ResidualModel::new(&character);
        let standing = Configuration::rest(&character);
        let contact = clamber_testing::touching(&character, &standing, "left_foot");
        let [left, right] = ["left_hip", "right_hip"].map(|hip| character.find_hinge(hip).unwrap());
        let mut bowed = standing.clone();
        bowed.root = Configuration::planar_root_pose(0.0, 0.0, -0.6, true);
        bowed.angles[right] += 0.6;
        let mut frames = LinkFrames::default();
        forward(&character, &bowed, &mut frames);
        let mut values = Vec::new();
        model.push_difference(&character, &bowed, &standing, (&[contact], &frames), &mut values);
        let of = |hinge: HingeId| values[character.root_joint.axes().len() + hinge.index()];
        assert!(of(right).abs() < 1e-5, "the free leg hangs: {}", of(right));
        assert_eq!(of(left), 0.0, "the leg in contact keeps its angle");
    }

    /// Conditions on landmarks that random postures mostly violate.
    fn landmark_conditions(character: &Character) -> [Condition; 3] {
        let [head, hip] = ["head", "hip"].map(|name| clamber_testing::landmark(character, name));
        let line = BodyLine { from: hip.clone(), to: head.clone() };
        let limbs = character.limbs.keys().collect();
        [
            Condition::Upright { line, max_lean: 0.1 },
            Condition::Higher { landmark: hip, than: head },
            Condition::Stretched { limbs, share: 1.0 },
        ]
    }

    /// A random posture near another one, away from the hinge limits, beyond which nothing changes.
    fn random_posture(character: &Character, near: &Configuration, stream: &mut Stream) -> Configuration {
        let change: Vec<f32> = (0..character.degrees_of_freedom()).map(|_| stream.between(-0.4, 0.4)).collect();
        let mut posture = near.clone();
        posture.displace(character, &change);
        for (angle, hinge) in posture.angles.iter_mut().zip(&character.hinges) {
            let off = (0.4 * (hinge.max - hinge.min)).min(0.01);
            *angle = angle.clamp(hinge.min + off, hinge.max - off);
        }
        posture
    }

    /// Compares all rows but those of obstacles, whose gradient is that of an interpolated field, and of links of the body, which
    /// have a test of their own.
    fn assert_jacobian(context: SolverContext, at: &Configuration, tasks: PostureTasks, ease: Option<Ease>) {
        const CHANGE: f32 = 2e-3;
        let character = context.character;
        let model = ResidualModel { ease, ..ResidualModel::new(character) };
        let mut jacobian = Jacobian::new(character);
        let [mut here, mut there] = <[Residuals; 2]>::default();
        model.evaluate(context, at, tasks, &mut here);
        model.fill_jacobian(context, at, tasks, &here, &mut jacobian);
        assert_eq!(jacobian.rows().count(), here.values.len());
        let skipped = here.near_obstacles.len() + here.close_links.near.len();
        let count = character.degrees_of_freedom();
        for dof in 0..count {
            let mut step = vec![0.0; count];
            step[dof] = CHANGE;
            let mut moved = at.clone();
            moved.displace(character, &step);
            model.evaluate(context, &moved, tasks, &mut there);
            for (index, row) in jacobian.rows().take(here.values.len() - skipped).enumerate() {
                let slope = (there.values[index] - here.values[index]) / CHANGE;
                let error = (slope - row[dof]).abs();
                assert!(error < 0.03 * (1.0 + slope.abs()), "residual {index}, dof {dof}: {slope}, not {}", row[dof]);
            }
        }
    }
}
