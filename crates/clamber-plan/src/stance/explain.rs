//! Why there is no way on: what is missing or in the way where the best way ends.
//!
//! Two reasons are certain and are looked for as soon as the search makes no headway: holds that are farther apart than any body
//! reaches, and a way that is narrower than the trunk. Where neither is so, what the search tried last is tried once more
//! by itself, with and without the obstacles.

use std::collections::BTreeSet;
use std::sync::Arc;

use clamber_model::collision::{Hit, Links, worst_hit};
use clamber_model::id::{EdgeId, EffectorId, GroupId, HoldId};
use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::mode::{Edge, Effect};
use clamber_model::problem::Posture;
use clamber_model::world::{FieldSettings, Hold, HoldShape, HoldType, Obstacle};
use clamber_model::{Configuration, Contact, Problem, World};

use super::{Attempt, StanceSearch, What};
use crate::bottleneck::narrowest;
use crate::failure::{Impasse, ImpasseCause};
use crate::guide::Guide;
use crate::hold_graph::{Leap, Metres, Place};
use clamber_posture::solver::{PostureReference, PostureTasks};

/// How far ahead of where the search ends it is looked, along the guide, in metres.
const AHEAD: f32 = 5.0;

impl StanceSearch {
    /// Why nobody gets from here to the goal, if that is certain.
    pub(super) fn certain_impasse(&mut self) -> Option<Impasse> {
        match self.leap_ahead() {
            Some(leap) if leap.is_too_far => Some(self.too_far(leap.from, leap.to)),
            Some(leap) => Some(self.narrow().unwrap_or_else(|| self.closed(leap))),
            None => self.narrow(),
        }
    }

    /// The likeliest reason why no way on was found.
    pub(super) fn impasse(&mut self) -> Impasse {
        let [from, to] = self.frontier();
        let distance = (self.map.places[to].point - self.map.places[from].point).length();
        // Along one surface there is always a nearer point.
        let is_along = self.map.places[from].hold == self.map.places[to].hold;
        if let Some(taking) = self.taking(from, to).filter(|_| !is_along) {
            let reach = self.practical_reach(&taking, from, to);
            // None at all says that the edge is not one to be tried by itself.
            if reach > 0.0 && distance > reach {
                return self.too_far(from, to);
            }
        }
        let names = [from, to].map(|place| self.name(place));
        let hit = self.taking(from, to).and_then(|taking| self.least_hit(&taking, from, to));
        let [from_name, to_name] = names;
        let cause = match hit {
            Some(hit) => self.blocked_by(&hit, to),
            None => ImpasseCause::NoPosture { from: from_name, to: to_name },
        };
        self.impasse_at(self.map.places[to].point, cause)
    }

    fn impasse_at(&self, place: Vec3, cause: ImpasseCause) -> Impasse {
        let mode = self.part.nodes[self.part.nearest].mode;
        Impasse { place, mode: self.local.table.modes[mode].name.clone(), cause }
    }

    fn name(&self, place: usize) -> String {
        self.local.problem.world.holds[self.map.places[place].hold].name.clone()
    }

    fn hold_type(&self, place: usize) -> HoldType {
        self.local.problem.world.holds[self.map.places[place].hold].hold_type
    }

    /// The places on the way from where the search came nearest to the goal.
    pub(super) fn way_ahead(&self) -> impl Iterator<Item = usize> + '_ {
        let nearest = &self.part.nodes[self.part.nearest];
        let first = nearest.stance.iter().min_by(|a, b| self.map.at(a).total_cmp(&self.map.at(b)));
        let first = first.and_then(|contact| self.map.place_of(contact));
        std::iter::successors(first, |&place| self.map.next(place))
    }

    /// Whether all that could be gone was gone.
    pub(super) fn is_at_leap(&self) -> bool {
        let mut way = self.way_ahead();
        let (here, next) = (way.next(), way.next());
        here.zip(next).is_some_and(|(here, next)| self.map.leap(here, next).is_some())
    }

    /// The first leap on the way.
    fn leap_ahead(&self) -> Option<Leap> {
        let mut way = self.way_ahead();
        let mut here = way.next()?;
        way.find_map(|next| self.map.leap(std::mem::replace(&mut here, next), next))
    }

    fn too_far(&mut self, from: usize, to: usize) -> Impasse {
        let [from_at, to_at] = [from, to].map(|place| self.map.places[place].point);
        let hold_type = self.hold_type(to);
        let table = &*self.local.table;
        // An edge that reaches nowhere is not one to be tried by itself; another one may be.
        let mut tried =
            self.takings(from, to).into_iter().map(|taking| (taking.taker, self.practical_reach(&taking, from, to)));
        let (group, reach) = match tried.find(|(_, reach)| *reach > 0.0) {
            Some(found) => found,
            None => {
                let takes = |take: &&clamber_model::mode::Take| take.types.contains(&hold_type);
                let take = table.edges.iter().flat_map(|edge| &edge.take).find(takes);
                let group = take.and_then(|take| take.groups.first()).copied().unwrap_or(GroupId::new(0));
                (group, self.reach.between_types(table, self.hold_type(from), hold_type))
            }
        };
        let cause = ImpasseCause::TooFar {
            group: table.groups[group].name.clone(),
            from: self.name(from),
            to: self.name(to),
            hold_type,
            distance: (to_at - from_at).length(),
            reach,
        };
        self.impasse_at(to_at, cause)
    }

    /// Where the way ahead is too narrow for the trunk.
    fn narrow(&mut self) -> Option<Impasse> {
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let trunk = self.local.table.body.trunk;
        let capsules = &character.capsules[character.links[trunk].capsules.clone()];
        let capsule = capsules.iter().max_by(|a, b| a.radius.total_cmp(&b.radius))?;
        let middle = 0.5 * (capsule.a + capsule.b);
        let middle_of = |configuration: &Configuration| {
            let mut frames = Workspace::default();
            forward(character, configuration, &mut frames);
            frames.world_from_link[trunk] * middle
        };
        let reach = self.reach.of_trunk(middle_of(&Configuration::rest(character)));
        // As far as the guide leads within sight, or to the goal.
        let begins = self.part.nodes[self.part.nearest].distance;
        let ahead = self.way_ahead().take_while(|&place| begins - self.map.distance(place) < AHEAD).last()?;
        let from = middle_of(&self.part.nodes[self.part.nearest].configuration);
        let goal = self.goal().filter(|_| self.map.next(ahead).is_none());
        // On the way, anywhere from which the place is within reach.
        let on_the_way = (self.map.places[ahead].point, reach);
        let (to, near) = goal.map_or(on_the_way, |goal| (middle_of(&goal.configuration), 0.1));
        // A body that holds on is never farther from a hold than its limbs are long.
        let is_in_reach = |at: Vec3| {
            let is_near = |&place: &usize| (self.map.places[place].point - at).length() < reach;
            self.map.beside(at.x, reach).iter().any(is_near)
        };
        let narrow = narrowest(world, capsule.radius, from, to, near, is_in_reach)?;
        let off = |place: &usize| (self.map.places[*place].point - narrow.place).length();
        let beyond = self.way_ahead().min_by(|a, b| off(a).total_cmp(&off(b)))?;
        // Between a floor and a roof, the roof is in the way: what is farther off the holds.
        let above = world.point_distance(narrow.place + self.map.places[beyond].normal * capsule.radius);
        let above = above.obstacle.filter(|_| above.distance < capsule.radius);
        let obstacle = above.or(world.point_distance(narrow.place).obstacle)?;
        let cause = ImpasseCause::Blocked {
            obstacle: world.obstacles[obstacle].name.clone(),
            link: character.links[trunk].name.clone(),
            by: 2.0 * (capsule.radius - narrow.clearance),
            to: self.name(beyond),
        };
        Some(self.impasse_at(narrow.place, cause))
    }

    /// The obstacle between two places that are not too far from each other.
    fn closed(&self, leap: Leap) -> Impasse {
        const LOOKS: usize = 32;
        let (character, world) = (&self.local.problem.character, &self.local.problem.world);
        let [from, to] = [leap.from, leap.to].map(|place| self.map.places[place]);
        let at = |look: usize| from.point.lerp(to.point, look as f32 / LOOKS as f32);
        let looks = (1..LOOKS).map(|look| (world.point_distance(at(look)), at(look)));
        let deepest = looks.min_by(|a, b| a.0.distance.total_cmp(&b.0.distance));
        let (place, cause) = match deepest {
            Some((deepest, place)) if let Some(obstacle) = deepest.obstacle => {
                let cause = ImpasseCause::Blocked {
                    obstacle: world.obstacles[obstacle].name.clone(),
                    link: character.links[self.local.table.body.trunk].name.clone(),
                    by: (-deepest.distance).max(0.01),
                    to: self.name(leap.to),
                };
                (place, cause)
            }
            _ => (to.point, ImpasseCause::NoPosture { from: self.name(leap.from), to: self.name(leap.to) }),
        };
        self.impasse_at(place, cause)
    }

    /// The pair of places, one that was held on to and one that was not, that are nearest to each other of all that would have led
    /// nearer to the goal than anything held: who does not get from the one to the other does not
    /// get farther elsewhere.
    fn frontier(&self) -> [usize; 2] {
        const APART: f32 = 0.2;
        let held = self.part.nodes.iter().flat_map(|node| node.stance.iter().chain(node.held.iter()));
        let held: BTreeSet<usize> = held.filter_map(|contact| self.map.place_of(contact)).collect();
        let ahead = |place: &usize| Metres(self.map.distance(*place));
        let Some(&first) = held.iter().min_by_key(|place| ahead(place)) else { return [0; 2] };
        let span = |[from, to]: [usize; 2]| (self.map.places[to].point - self.map.places[from].point).length();
        let pairs = held.iter().flat_map(|&from| self.map.near(from).map(move |to| [from, to]));
        let leads_on = |&[from, to]: &[usize; 2]| ahead(&to) < ahead(&first) && span([from, to]) > APART;
        let nearest = pairs.filter(leads_on).min_by_key(|pair| Metres(span(*pair)));
        // Where all of the goal's holds were held, what is missing is the way between two of them.
        let goal = self.goal().into_iter().flat_map(|goal| &goal.stance);
        let mut goal = goal.filter_map(|contact| self.map.place_of(contact));
        nearest.unwrap_or_else(|| [first, goal.find(|place| *place != first).unwrap_or(first)])
    }

    /// The edge by which a hold would be taken from another, and with what: one of the mode that the search ended in, if it has
    /// one.
    fn taking(&self, from: usize, to: usize) -> Option<Taking> {
        self.takings(from, to).into_iter().next()
    }

    /// All such edges, the likeliest first.
    fn takings(&self, from: usize, to: usize) -> Vec<Taking> {
        let table = &*self.local.table;
        let [from, to] = [from, to].map(|place| self.hold_type(place));
        let mode = self.part.nodes[self.part.nearest].mode;
        let is_plain = |edge: &Edge| !edge.effects.iter().any(|effect| matches!(effect, Effect::BackUp(_)));
        let taking = |(number, edge): (EdgeId, &Edge)| {
            let take = edge.take.first().filter(|take| take.types.contains(&to) && is_plain(edge))?;
            let carries = table.modes[edge.from].carriers.iter().filter(|carrier| carrier.types.contains(&from));
            let holders: Vec<GroupId> = carries.map(|carrier| carrier.group).collect();
            let taker = *take.groups.first()?;
            (!holders.is_empty()).then_some(Taking { edge: number, holders, taker })
        };
        let mut takings: Vec<Taking> = table.edges.iter_enumerated().filter_map(taking).collect();
        takings.sort_by_key(|taking| {
            let edge = &table.edges[taking.edge];
            (edge.from != mode, edge.to != edge.from, taking.edge)
        });
        takings
    }

    /// How far a hold may be from another, in the direction of these two, to be taken from it where nothing is in the way: found by
    /// trying.
    fn practical_reach(&self, taking: &Taking, from: usize, to: usize) -> f32 {
        const TRIES: usize = 8;
        let table = &*self.local.table;
        let free = self.two_places([from, to]);
        let mut farthest: f32 = 0.0;
        for &holder in &taking.holders {
            let held = table.groups[holder].effectors[0];
            let limb = |effector: EffectorId| self.local.problem.character.effectors[effector].limb;
            let takers = &table.groups[taking.taker].effectors;
            let Some(&taker) = takers.iter().find(|taker| limb(**taker) != limb(held)) else { continue };
            let [mut near, mut far] = [0.0, self.reach.hold_to_hold(held, taker)];
            for _ in 0..TRIES {
                let middle = 0.5 * (near + far);
                let is_taken = self.is_taken_at(&free, taking.edge, [held, taker], [from, to], middle);
                *(if is_taken { &mut near } else { &mut far }) = middle;
            }
            farthest = farthest.max(near);
        }
        farthest
    }

    /// Two places as they would be if nothing were around them but the floor or wall that both are on, where they are on one.
    fn two_places(&self, [from, to]: [usize; 2]) -> Problem {
        // Half of the sides of the space, in metres: more than a body reaches.
        const SPACE: f32 = 4.0;
        const THICK: f32 = 0.5;
        let problem = &*self.local.problem;
        let [from, to] = [from, to].map(|place| self.map.places[place]);
        let along = (to.point - from.point).normalize_or_zero();
        let is_on_one = from.normal.dot(to.normal) > 0.9 && along.dot(from.normal).abs() < 0.5;
        let floor = is_on_one.then(|| {
            let turn = Rotation::from_rotation_arc(Vec3::Y, from.normal);
            let middle = from.point - from.normal * (0.5 * THICK);
            Obstacle::cuboid("floor", Pose::from_parts(middle, turn), Vec3::new(4.0 * SPACE, THICK, 4.0 * SPACE))
        });
        let depth = 0.5 * (problem.world.max.z - problem.world.min.z).min(2.0 * SPACE);
        let space = Vec3::splat(SPACE).with_z(depth);
        let obstacles = floor.and_then(Result::ok).into_iter().collect();
        let world = World::new(obstacles, from.point - space, from.point + space, &FieldSettings::default());
        let (pins, passages, forbidden) = Default::default();
        Problem { world: Arc::new(world), pins, passages, forbidden, ..problem.clone() }
    }

    /// Whether an edge takes a hold at this distance from another one.
    fn is_taken_at(
        &self,
        free: &Problem,
        edge: EdgeId,
        [held, taker]: [EffectorId; 2],
        [from, to]: [usize; 2],
        distance: f32,
    ) -> bool {
        let [from, to] = [from, to].map(|place| self.map.places[place]);
        let there = from.point + (to.point - from.point).normalize_or_zero() * distance;
        let places = [from, Place { point: there, ..to }];
        let hold_at = |place: Place| Hold {
            shape: HoldShape::Point(place.point),
            ..self.local.problem.world.holds[place.hold].clone()
        };
        let world = Arc::new(World::clone(&free.world).with_holds(places.map(hold_at).to_vec()));
        let first = Contact { effector: held, hold: HoldId::new(0), point: from.point, normal: from.normal };
        let second = Contact { effector: taker, hold: HoldId::new(1), point: there, normal: to.normal };
        let mut stance = vec![first, second];
        stance.sort_by_key(|contact| contact.effector);

        let table = &*self.local.table;
        let mode = table.edges[edge].from;
        let name = &table.modes[mode].name;
        let balances: Vec<_> = table.modes[mode].balance.into_iter().collect();
        let wish = |stance| PostureTasks { stance, reference: PostureReference::Comfort(mode), balances: &balances };
        let nearest = &self.part.nodes[self.part.nearest];
        let mut start =
            Posture { configuration: nearest.configuration.clone(), stance: vec![first], mode: name.clone() };
        let moved = from.point - nearest.stance.first().map_or(from.point, |held| held.point);
        start.configuration.root.translation += moved;
        let goal = Posture { stance: vec![second], ..start.clone() };
        let mut problem = Problem { world, start, goal, ..free.clone() };
        let mut configuration = problem.start.configuration.clone();
        let begin = |problem: Problem| {
            let (table, budget) = (Arc::clone(&self.local.table), self.local.budget.renewed());
            Self::new(Arc::new(problem), table, self.local.settings, 1, budget)
        };
        let mut search = begin(problem.clone());
        let alone = [first];
        if !search.local.solve_free(&mut configuration, wish(&alone)) {
            return false;
        }
        if table.modes[mode].least_contacts > 1 {
            return search.local.solve_free(&mut configuration, wish(&stance));
        }
        problem.start.configuration = configuration;
        let mut search = begin(problem);
        let attempt = Attempt::new(0, What::Edge(edge, Some(second)), 0.0);
        search.take_edge(&attempt, edge, Some(second)).is_some()
    }

    /// What a body that holds on to two places touches the least that it must; nothing when it need not touch anything, or does
    /// not get there at all.
    fn least_hit(&mut self, taking: &Taking, from: usize, to: usize) -> Option<Hit> {
        // In metres: who touches something by less gets out of its way by other means than cutting it back.
        const DEEP: f32 = 0.02;
        let table = &*Arc::clone(&self.local.table);
        let edge = &table.edges[taking.edge];
        let contact = |place: Place, group: GroupId, other: Option<EffectorId>| {
            let effectors = &table.groups[group].effectors;
            let effector = effectors.iter().copied().find(|effector| Some(*effector) != other)?;
            Some(Contact { effector, hold: place.hold, point: place.point, normal: place.normal })
        };
        let nearest = self.part.nodes[self.part.nearest].configuration.clone();
        let mut least: Option<Hit> = None;
        for &holder in &taking.holders {
            let first = contact(self.map.places[from], holder, None)?;
            let second = contact(self.map.places[to], taking.taker, Some(first.effector))?;
            let mut stance = vec![first, second];
            stance.sort_by_key(|contact| contact.effector);
            let wish = PostureTasks { stance: &stance, reference: PostureReference::Comfort(edge.to), balances: &[] };
            let mut starts = Vec::new();
            self.local.sample_starts(&nearest, wish, &mut starts);
            starts.push(nearest.clone());
            for mut posture in starts {
                self.local.solver.set_collision_links(Links::All);
                if !self.local.solve(&mut posture, wish) {
                    continue;
                }
                let Problem { world, character, .. } = &*self.local.problem;
                let margin = self.local.settings.contact_clearance.margin;
                let hit = worst_hit(world, character, &posture, margin, &mut self.local.collision)?;
                if least.is_none_or(|least| hit.distance > least.distance) {
                    least = Some(hit);
                }
            }
        }
        least.filter(|hit| hit.distance < -DEEP)
    }

    fn blocked_by(&self, hit: &Hit, to: usize) -> ImpasseCause {
        let Problem { world, character, .. } = &*self.local.problem;
        ImpasseCause::Blocked {
            obstacle: world.obstacles[hit.obstacle].name.clone(),
            link: character.links[hit.link].name.clone(),
            by: -hit.distance,
            to: self.name(to),
        }
    }
}

/// How a hold would be taken.
struct Taking {
    /// Index into the table's edges.
    edge: EdgeId,
    /// The groups that may hold on to the one before.
    holders: Vec<GroupId>,
    /// The group that takes it.
    taker: GroupId,
}
