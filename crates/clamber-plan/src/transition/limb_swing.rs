//! The path of a free limb while the body moves: an arc, or a search over its angles.

use std::sync::Arc;

use clamber_model::character::{RootJoint, Side};
use clamber_model::id::{EffectorId, LimbId, LinkId, TiSlice};
use clamber_model::kinematics::link_pose;
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact, Problem};

use super::limb_tree::LimbRoom;
use super::swing_curve::SwingCurve;
use super::tip_path::LimbTip;
use super::tuning;
use crate::limb_search::{LimbGoal, LimbSearch, LimbState, TwoHingeLimb};
use crate::local_planner::LocalPlanner;
use clamber_posture::solver::{ContactTarget, front_of};

impl LocalPlanner {
    /// Moves a limb past obstacles while the body moves, replacing its angles in the keyframes; false when it cannot. An
    /// effector that moves to a contact takes an arc if that is free. `placed` are the links whose way is found.
    pub(super) async fn pass_limb(
        &mut self,
        keyframes: &mut Vec<Configuration>,
        limb: LimbId,
        adds: Option<&Contact>,
        is_loose: bool,
        placed: &TiSlice<LinkId, bool>,
    ) -> bool {
        let Some(model) = self.limbs[limb].take() else {
            // Only limbs of two hinges can be searched on a grid.
            let room = LimbRoom::new(&self.problem.character, limb, placed);
            return match adds {
                Some(contact) => {
                    self.pass_in_space(keyframes, &room, contact).await;
                    true
                }
                None => self.pass_by_tree(keyframes, &room, is_loose).await,
            };
        };
        let mut search = std::mem::take(&mut self.limb_search);
        search.set_keyframes(&self.problem.character, &model, keyframes);
        let mut is_free = self.try_arcs(&mut search, &model, keyframes, adds);
        if !is_free {
            if let Some((_, [between @ .., _])) = keyframes.split_first_mut().filter(|_| adds.is_some()) {
                between.iter_mut().for_each(|keyframe| model.rest_tip(keyframe));
                search.set_keyframes(&self.problem.character, &model, keyframes);
            }
            is_free = self.search_limb(&mut search, &model, keyframes, adds.is_none() && is_loose).await;
        }
        self.limb_search = search;
        self.limbs[limb] = Some(model);
        is_free
    }

    /// Moves a limb in space along the lowest arc to its contact on which it does not collide or, if there is none, past obstacles near the
    /// lowest one.
    async fn pass_in_space(&mut self, keyframes: &mut [Configuration], room: &LimbRoom, contact: &Contact) {
        let given = keyframes.to_vec();
        let outward = self.outward(&given[0], room.limb);
        let leading = self.leading_contact(&given, room.limb, contact);
        // A knee moves around the hip, so it is lower between two keyframes than at them.
        let dips = self.is_mid_limb(contact.effector);
        let lifts = self.lifts(&tuning::LIFTS_IN_SPACE).iter();
        let mut arcs: Vec<[f32; 2]> = lifts.flat_map(|&lift| tuning::ASIDE.map(|aside| [lift, aside])).collect();
        // A thigh is too long to pass straight below a hip that is low: it swings aside rather than up to the hip.
        if !dips {
            arcs.sort_by(|[_, a], [_, b]| a.total_cmp(b));
        }
        // A knee that gets up onto something goes first, and what is below it follows.
        let others = (leading != *contact).then_some(*contact);
        for leading in std::iter::once(leading).chain(others) {
            for &[lift, aside] in &arcs {
                keyframes.clone_from_slice(&given);
                self.arc(keyframes, &leading, lift, outward * aside);
                self.budget.count(tuning::EXPANSIONS_PER_ARC).await;
                if keyframes.iter().all(|keyframe| self.is_limb_free(keyframe, room))
                    && self.is_limb_free_between(keyframes, room)
                {
                    return;
                }
            }
        }
        keyframes.clone_from_slice(&given);
        match self.path_of_tip(&given, &leading).await {
            Some(path) => self.swing_along(keyframes, &leading, |t| path.at(t)),
            None => self.arc(keyframes, &leading, tuning::LIFTS_IN_SPACE[0], Vec3::ZERO),
        }
        self.pass_by_tree(keyframes, room, false).await;
    }

    /// The path of the end of a limb to its contact past obstacles.
    async fn path_of_tip(&mut self, keyframes: &[Configuration], contact: &Contact) -> Option<SwingCurve> {
        let Problem { character, world, .. } = &*Arc::clone(&self.problem);
        let ends = [&keyframes[0], &keyframes[keyframes.len() - 1]];
        let tip = LimbTip::new(character, contact.effector, ends, &mut self.projection.link_frames);
        let (path, cells) = tip.path(world);
        self.budget.count((cells / tuning::TIP_CELLS_PER_EXPANSION) as u64).await;
        path.map(SwingCurve::through)
    }

    /// The contact along whose way a limb swings: the one that it makes or, if another part of it stands, where that part ends. A knee that
    /// goes down would lead the foot of its leg through the ground.
    fn leading_contact(&mut self, keyframes: &[Configuration], limb: LimbId, contact: &Contact) -> Contact {
        if !self.is_mid_limb(contact.effector) {
            return *contact;
        }
        let Problem { character, world, .. } = &*Arc::clone(&self.problem);
        let field = &world.distance_field;
        let mut clearance =
            |id: EffectorId| field.estimate(self.effector_of(&keyframes[0], id)) - character.effectors[id].radius;
        let of_limb = character.effectors.keys().filter(|&id| character.effectors[id].limb == Some(limb));
        let rated = of_limb.map(|id| (clearance(id), id));
        let nearest = rated.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(contact.effector, |(_, id)| id);
        if nearest == contact.effector {
            return *contact;
        }
        let ends = self.effector_of(&keyframes[keyframes.len() - 1], nearest);
        let point = ends - contact.normal * character.effectors[nearest].radius;
        Contact { effector: nearest, point, ..*contact }
    }

    /// The horizontal direction to a limb's side of the body; zero for limbs in the middle.
    fn outward(&self, configuration: &Configuration, limb: LimbId) -> Vec3 {
        let character = &self.problem.character;
        let right = self.anatomy.heading_of_configuration(character, configuration).cross(UP);
        match character.limbs[limb].side {
            Side::Left => -right,
            Side::Middle => Vec3::ZERO,
            Side::Right => right,
        }
    }

    /// Tries the limb as it is, or arcs to its contact.
    fn try_arcs(
        &mut self,
        search: &mut LimbSearch,
        limb: &TwoHingeLimb,
        keyframes: &mut [Configuration],
        adds: Option<&Contact>,
    ) -> bool {
        let field = &Arc::clone(&self.problem.world).distance_field;
        let path_of = |keyframes: &[Configuration]| -> Vec<LimbState> {
            keyframes.iter().map(|keyframe| angles(limb, keyframe)).enumerate().collect()
        };
        let Some(contact) = adds else { return search.is_free(limb, field, &path_of(keyframes)) };
        self.lifts(&tuning::LIFTS).iter().any(|&lift| {
            self.arc(keyframes, contact, lift, Vec3::ZERO);
            search.set_keyframes(&self.problem.character, limb, keyframes);
            search.is_free(limb, field, &path_of(keyframes))
        })
    }

    /// The heights of arcs that are tried. A body that stays over its contacts cannot lean away from an obstacle below the arc.
    fn lifts<'l>(&self, lifts: &'l [f32]) -> &'l [f32] {
        if self.settings.equilibrium { lifts } else { &lifts[..tuning::LEANING_LIFTS] }
    }

    /// Searches over the limb's angles. A loose limb may end elsewhere.
    async fn search_limb(
        &mut self,
        search: &mut LimbSearch,
        limb: &TwoHingeLimb,
        keyframes: &mut Vec<Configuration>,
        is_loose: bool,
    ) -> bool {
        let last = keyframes.len() - 1;
        let [begins, ends] = [0, last].map(|index| angles(limb, &keyframes[index]));
        let world = &self.problem.world;
        let (path, expansions) = if is_loose {
            search.find(limb, world, begins, LimbGoal::Near(ends)).await
        } else {
            // Places next to a hold are tighter than those that the limb leaves, so searching from there ends sooner.
            search.reverse();
            let (path, expansions) = search.find(limb, world, ends, LimbGoal::At(begins)).await;
            let reverse =
                |path: Vec<LimbState>| path.into_iter().rev().map(|(at, angles)| (last - at, angles)).collect();
            (path.map(reverse), expansions)
        };
        self.budget.count((expansions / tuning::LIMB_STATES_PER_EXPANSION) as u64).await;
        let Some(path) = path else { return false };
        let at = |(keyframe, angles): LimbState| {
            let mut configuration = keyframes[keyframe].clone();
            limb.hinges.iter().zip(angles).for_each(|(&hinge, angle)| configuration.angles[hinge] = angle);
            configuration
        };
        *keyframes = path.into_iter().map(at).collect();
        true
    }

    /// Moves an effector along an arc from its place in the first keyframe to its contact. `lift` is the height of the arc and `aside` how
    /// far it leads to a side, in body sizes.
    fn arc(&mut self, keyframes: &mut [Configuration], contact: &Contact, lift: f32, aside: Vec3) {
        let character = &*Arc::clone(&self.problem.character);
        let begins = self.effector_of(&keyframes[0], contact.effector);
        let ends = contact.effector_center(character);
        // Away from the surfaces at both ends, which leads around an edge between the two.
        let leaving = self.problem.world.distance_field.estimate_gradient(begins);
        let off: Vec3 =
            lift * self.settings.size * (leaving + contact.normal).try_normalize().unwrap_or(contact.normal);
        // In the plane, limbs are searched for a way around obstacles.
        let curve = (character.root_joint == RootJoint::Free).then(|| {
            let field = &self.problem.world.distance_field;
            SwingCurve::over(character, field, contact.effector, [begins, ends], off.normalize_or_zero())
        });
        let off = off + self.settings.size * aside;
        self.swing_along(keyframes, contact, |t| {
            let on_curve = curve.as_ref().map_or_else(|| begins.lerp(ends, t), |curve| curve.at(t));
            on_curve + off * (4.0 * t * (1.0 - t))
        });
    }

    /// Moves an effector from its place in the first keyframe to its contact, by where it is at each share of the time. Where the limb is too
    /// short, it stays.
    fn swing_along(&mut self, keyframes: &mut [Configuration], contact: &Contact, place_at: impl Fn(f32) -> Vec3) {
        let character = &*Arc::clone(&self.problem.character);
        let count = keyframes.len();
        let postures = [0, count - 1].map(|index| keyframes[index].clone());
        // A shin that is level at both ends stays level between.
        let beyond = match character.root_joint == RootJoint::Free && self.is_mid_limb(contact.effector) {
            true => Some(postures.each_ref().map(|end| self.beyond(end, contact.effector))),
            false => None,
        };
        for (index, keyframe) in keyframes.iter_mut().enumerate().take(count - 1).skip(1) {
            let t = index as f32 / (count - 1) as f32;
            let target = self.swing_target(postures.each_ref(), contact.effector, place_at(t), t);
            self.projection.swing_limb_to_target(character, keyframe, target);
            if let Some([begins, ends]) = beyond {
                self.point_beyond(keyframe, contact.effector, begins.lerp(ends, t));
            }
        }
    }

    /// Where a swinging effector is between two configurations. A foot turns evenly in the world, so that it does not drag its toes.
    pub(super) fn swing_target(
        &self,
        ends: [&Configuration; 2],
        effector: EffectorId,
        center: Vec3,
        t: f32,
    ) -> ContactTarget {
        let between = |[from, to]: [Option<Vec3>; 2]| Some(Vec3::lerp(from?, to?, t));
        let facing = between(ends.map(|end| self.facing_of(end, effector)));
        let forward = between(ends.map(|end| self.forward_of(end, effector)));
        // In the plane, the facing alone decides, and its length does not matter.
        let facing = if forward.is_some() { facing.and_then(Vec3::try_normalize) } else { facing };
        ContactTarget { effector, center, facing, forward: forward.and_then(Vec3::try_normalize) }
    }

    /// The direction that an effector faces, in the world.
    fn facing_of(&self, configuration: &Configuration, effector: EffectorId) -> Option<Vec3> {
        let effector = &self.problem.character.effectors[effector];
        Some(link_pose(&self.problem.character, configuration, effector.link).rotation * effector.facing?)
    }

    /// The direction in which the front of an effector's patch points, in the world; `None` in the plane, where it follows from the facing.
    fn forward_of(&self, configuration: &Configuration, effector: EffectorId) -> Option<Vec3> {
        let character = &self.problem.character;
        let effector = &character.effectors[effector];
        let front = front_of(effector).filter(|_| character.root_joint == RootJoint::Free)?;
        Some(link_pose(character, configuration, effector.link).rotation * front)
    }
}

fn angles(limb: &TwoHingeLimb, configuration: &Configuration) -> [f32; 2] {
    limb.hinges.map(|hinge| configuration.angles[hinge])
}
