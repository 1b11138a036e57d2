//! Steps: a new posture, and the path to it.
//!
//! The checks go from cheap to expensive: the posture solver, balance and the trunk's conditions, then the path. The solver
//! starts from the current posture, then with the moving limbs tucked, since a straight limb may not find the direction in which
//! it bends, or, where weight is shifted, with the body lowered. A thorough attempt starts from the likeliest of many random
//! postures instead. In space, a quick attempt at a contact starts from the nominal posture alone, and a thorough one from all of these but
//! the random ones. A step without a mode changes the posture as little as possible: drawn to comfort, a climber would hang
//! down from every hold.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::math::Vec3;
use clamber_model::mode_table::Condition;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::node::add_contacts;
use super::search_state::StanceSearch;
use super::tuning;
use crate::transition::transition_problem::{PostureChange, Thoroughness};
use crate::waypoint::{Locomotion, Waypoint};
use clamber_posture::solver::{CenterRegion, EffortTask, PatchHeading, PostureReference, PostureTasks};

/// A change of posture, with or without new contacts.
pub(super) struct Step<'a> {
    /// The contacts held throughout.
    pub stance: &'a [Contact],
    /// The contacts that the step makes, all at its end.
    pub adds: &'a [Contact],
    /// The mode whose comfort the posture aims for; without one, the posture changes as little as possible.
    pub mode: Option<ModeId>,
    /// Conditions at the end; only those on the center of mass and the trunk count here.
    pub after: &'a [Condition],
    /// What carries the body after the step.
    pub next: Option<NextSupport<'a>>,
    /// Whether to try random initial postures and a thorough path search.
    pub is_thorough: bool,
}

/// The contacts that carry the body after a step.
#[derive(Clone, Copy)]
pub(super) struct NextSupport<'a> {
    pub stance: &'a [Contact],
    /// How far the center of mass may be outside of where they carry it, in meters.
    pub allowance: f32,
    /// Whether the step must end there. Otherwise it only aims for it.
    pub is_required: bool,
    /// A contact that the center of mass must be above, so that a turn on it does not move it.
    pub pivot: Option<Contact>,
}

/// Where the center of mass must be.
#[derive(Default)]
struct CenterGoals {
    /// Regions to aim for: of the contacts held during the step, and of those that carry the body afterward.
    regions: Vec<CenterRegion>,
    /// How far it may be outside of where the contacts held during the step carry the body, in meters.
    allowance: Option<f32>,
}

impl StanceSearch {
    /// Finds the end posture of a step and a path to it. On success, updates the configuration and appends the path.
    pub(super) async fn step(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        locomotion: Locomotion,
        step: Step<'_>,
    ) -> Option<()> {
        let is_good = step.adds.is_empty()
            && self.is_posture_good(configuration, &step)
            && !self.is_off_nominal(configuration, &step, locomotion);
        let effort = self.effort_task(&step, locomotion);
        if is_good && !effort.is_some_and(|task| self.is_strenuous(configuration, task.carried_by)) {
            return Some(());
        }
        let changed = self.change_posture(configuration, path, locomotion, step, effort).await;
        // A posture that needs no correction may stay strenuous.
        changed.or(is_good.then_some(()))
    }

    async fn change_posture(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        locomotion: Locomotion,
        mut step: Step<'_>,
        effort: Option<EffortTask<'_>>,
    ) -> Option<()> {
        step.is_thorough |= self.leaves_mode(&step, locomotion);
        let mut stance = step.stance.to_vec();
        add_contacts(&mut stance, step.adds);
        let before = configuration.clone();
        self.local.plant(&before, step.stance);
        self.plant_at_goal(step.adds);
        let center = self.center_goals(&before, &step, locomotion)?;
        let nominal = self.nominal_mode(&step, &stance, locomotion).and_then(|mode| {
            let heading = self.next_heading(self.heading_of(&before), &stance, mode);
            let nominal = self.nominal_posture_with_room(&stance, heading, mode, &center.regions)?;
            // Where it is in the way of something, as over the end of a ladder, the body changes as little as possible.
            let is_on_wall = self.trunk_guide.as_ref().is_some_and(|guide| !guide.stands_on(&stance, mode));
            Some(if is_on_wall && !self.has_room_here(&nominal) { before.clone() } else { nominal })
        });
        let reference = match (&nominal, step.mode) {
            (Some(nominal), _) => PostureReference::Configuration(nominal),
            (None, Some(mode)) => PostureReference::Comfort(mode),
            (None, None) => PostureReference::Configuration(&before),
        };
        let tasks = PostureTasks {
            patch_headings: &[],
            stance: &stance,
            reference,
            conditions: step.after,
            center_regions: &center.regions,
            effort,
        };
        let rise_to = self.height_on_held(&before, &step, &stance, locomotion);
        let mut failed: Vec<Configuration> = Vec::new();
        for start in self.initial_postures(&before, &step, tasks).await {
            let Some(posture) = self.end_posture(start, &step, tasks, &center).await else {
                continue;
            };
            for posture in self.with_more_comfortable(posture, &step, tasks, &center).await {
                // Several initial postures often lead to one solution, and a path that was not found once is not found again.
                if failed.iter().any(|failed| self.local.is_similar(failed, &posture)) {
                    continue;
                }
                let Some(between) = self.path_to([&before, &posture], &step, &center, rise_to).await else {
                    failed.push(posture);
                    continue;
                };
                *configuration = between.last().cloned().unwrap_or(posture);
                append_path(path, between, &step, &stance, locomotion);
                return Some(());
            }
        }
        None
    }

    /// Whether the trunk is far from where the reference posture of a mode that a step aims for has it.
    fn is_off_nominal(&mut self, configuration: &Configuration, step: &Step, locomotion: Locomotion) -> bool {
        let heading = self.heading_of(configuration);
        let nominal = step
            .mode
            .and_then(|_| self.nominal_mode(step, step.stance, locomotion))
            .and_then(|mode| self.nominal_posture_with_room(step.stance, heading, mode, &[]));
        nominal.is_some_and(|nominal| {
            let distance = (nominal.root.translation - configuration.root.translation).length();
            distance > tuning::MAX_OFF_NOMINAL * self.reach.body_size
        })
    }

    /// Whether a step in space makes a contact that does not carry in the present mode. The reference posture of that mode is then far from
    /// where the step ends, and such steps are few: they are worth more than a quick attempt. Over an edge they are many.
    fn leaves_mode(&self, step: &Step, locomotion: Locomotion) -> bool {
        let (Some(guide), Locomotion::Mode(mode)) = (&self.trunk_guide, locomotion) else { return false };
        let Some(shape) = guide.shape(mode).filter(|_| guide.stands_on(step.stance, mode)) else { return false };
        step.adds.iter().any(|contact| !shape.is_carried_by(contact.effector))
    }

    /// The mode whose reference posture a step onto a stance in space aims for.
    fn nominal_mode(&self, step: &Step, stance: &[Contact], locomotion: Locomotion) -> Option<ModeId> {
        let mode = match locomotion {
            Locomotion::Mode(mode) => Some(step.mode.unwrap_or(mode)),
            Locomotion::Turning | Locomotion::Flying => step.mode,
        };
        Some(self.trunk_guide.as_ref()?.resembled_mode(stance, mode?))
    }

    /// Lets the patches of contacts that are made point as in the posture of the goal, if they are the goal's.
    fn plant_at_goal(&mut self, adds: &[Contact]) {
        let (Some(_), Some(goal)) = (&self.trunk_guide, self.goal()) else { return };
        let character = &self.local.problem.character;
        let of_goal = adds.iter().filter(|contact| goal.stance.contains(contact));
        let headings: Vec<PatchHeading> =
            of_goal.filter_map(|contact| PatchHeading::of_contact(character, &goal.configuration, contact)).collect();
        self.local.projection.patch_headings.extend(headings);
    }

    /// The effort that a step should spare: that of the contacts which carry the body when it ends.
    fn effort_task<'s>(&self, step: &Step<'s>, locomotion: Locomotion) -> Option<EffortTask<'s>> {
        let Locomotion::Mode(mode) = locomotion else { return None };
        let weight = tuning::EFFORT_WEIGHT * self.local.table.modes[mode].effort;
        let carried_by = step.next.filter(|next| next.is_required).map_or(step.stance, |next| next.stance);
        (self.local.settings.equilibrium && weight > 0.0).then_some(EffortTask { carried_by, weight })
    }

    /// Whether contacts carry a posture with more effort than is easy.
    fn is_strenuous(&mut self, configuration: &Configuration, stance: &[Contact]) -> bool {
        self.local.effort(configuration, stance).is_some_and(|ratio| ratio > tuning::EASY)
    }

    /// Returns the postures to try for the one that the solver found, most comfortable first: it or a bowed one and, far from comfort,
    /// the one that is found from the body at rest.
    async fn with_more_comfortable(
        &mut self,
        found: Configuration,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
        center: &CenterGoals,
    ) -> Vec<Configuration> {
        let Some(mode) = step.mode.filter(|_| self.trunk_guide.is_none()) else { return vec![found] };
        let (discomfort, posture) = self.prefer_bowed(found, mode, step, tasks, center).await;
        if discomfort > self.local.table.modes[mode].acceptable_discomfort + tuning::POOR_COMFORT
            && let Some(start) = self.at_rest_above(tasks.stance, &posture, mode)
            && let Some(other) = self.end_posture(start, step, tasks, center).await
        {
            let (from_rest, other) = self.prefer_bowed(other, mode, step, tasks, center).await;
            return if from_rest < discomfort { vec![other, posture] } else { vec![posture] };
        }
        vec![posture]
    }

    /// Replaces a posture that leans back by one that is bowed forward, if there is one in which the body is as comfortable. Returns it
    /// with its discomfort.
    async fn prefer_bowed(
        &mut self,
        posture: Configuration,
        mode: ModeId,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
        center: &CenterGoals,
    ) -> (f32, Configuration) {
        let bowed = match self.bowed(&posture, mode) {
            Some(start) => self.end_posture(start, step, tasks, center).await,
            None => None,
        };
        let mut rate = |posture: &Configuration| {
            self.local.center_of(posture);
            self.local.discomfort_here(posture, tasks.stance, mode)
        };
        let discomfort = rate(&posture);
        match bowed.map(|bowed| (rate(&bowed), bowed)) {
            Some(bowed) if bowed.0 <= discomfort => bowed,
            _ => (discomfort, posture),
        }
    }

    /// Finds a path to the posture at the end of a step.
    async fn path_to(
        &mut self,
        [from, to]: [&Configuration; 2],
        step: &Step<'_>,
        center: &CenterGoals,
        rise_to: Option<f32>,
    ) -> Option<Vec<Configuration>> {
        let rise = rise_to.map_or(0.0, |height| self.reachable_rise([from, to], step.stance, height));
        let lean = if rise_to.is_some() { Vec3::ZERO } else { self.lean_off_wall(from, step) };
        let change = PostureChange {
            bulge: UP * rise,
            lean,
            from,
            to,
            held: step.stance,
            adds: step.adds,
            center_allowance: center.allowance,
            // Limbs that end elsewhere would move the center of mass.
            is_loose: step.next.is_none_or(|next| !next.is_required),
        };
        let thoroughness = if step.is_thorough { Thoroughness::Thorough } else { Thoroughness::Quick };
        let path = self.local.swing(change, thoroughness).await?;
        let last = path.last().unwrap_or(to);
        step.adds.iter().all(|contact| self.lands_on(contact, last)).then_some(path)
    }

    /// How far a body leans away from the wall that carries it to make room for a limb.
    fn lean_off_wall(&mut self, from: &Configuration, step: &Step<'_>) -> Vec3 {
        let is_on_wall =
            step.mode.is_none_or(|mode| self.trunk_guide.as_ref().is_some_and(|guide| !guide.only_stands(mode)));
        if self.trunk_guide.is_none() || step.adds.is_empty() || !is_on_wall {
            return Vec3::ZERO;
        }
        let away = self.local.problem.world.distance_field.estimate_gradient(from.root.translation);
        (away - UP * UP.dot(away)) * (tuning::LEAN_OFF_WALL * self.reach.body_size)
    }

    /// The height of the body in the reference posture above the contacts held during a step in space, in meters: it rises over them while other
    /// limbs swing. `None` where it stays low or changes its mode.
    fn height_on_held(
        &mut self,
        from: &Configuration,
        step: &Step,
        stance: &[Contact],
        locomotion: Locomotion,
    ) -> Option<f32> {
        let mode = self.nominal_mode(step, stance, locomotion).filter(|_| !step.adds.is_empty())?;
        let only_stands = self.trunk_guide.as_ref().is_none_or(|guide| guide.only_stands(mode));
        if !only_stands || self.nominal_mode(step, step.stance, locomotion) != Some(mode) {
            return None;
        }
        let heading = self.heading_of(from);
        let posture = self.nominal_posture(step.stance, heading, mode)?;
        self.has_room_around(&posture, heading).then(|| UP.dot(posture.root.translation))
    }

    /// Whether an effector is where it makes a contact. A stretched limb may end short of it.
    fn lands_on(&mut self, contact: &Contact, posture: &Configuration) -> bool {
        let center = contact.effector_center(&self.local.problem.character);
        let miss = self.local.effector_of(posture, contact.effector) - center;
        miss.length() <= self.lengths.max_landing_miss
    }

    /// Where the center of mass must be during and after a step; `None` if contacts cannot carry the body.
    fn center_goals(&mut self, from: &Configuration, step: &Step, locomotion: Locomotion) -> Option<CenterGoals> {
        let mut goals = CenterGoals::default();
        if let Some(allowance) = self.center_allowance(locomotion, step.is_thorough) {
            // A given posture may be farther out: it must not get worse.
            let outside = self.local.distance_outside(from, step.stance);
            goals.allowance = Some(allowance.max(outside));
            goals.regions.push(self.local.region_to_aim_for(from, step.stance, allowance)?);
        }
        if let Some(next) = step.next {
            goals.regions.push(match next.pivot {
                Some(pivot) => CenterRegion { corners: vec![pivot.point], within: 0.0 },
                None => self.local.region_to_aim_for(from, next.stance, next.allowance)?,
            });
        }
        Some(goals)
    }

    /// Solves the posture at the end of a step; `None` when there is none near.
    async fn end_posture(
        &mut self,
        start: Configuration,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
        center: &CenterGoals,
    ) -> Option<Configuration> {
        let mut posture = start.clone();
        if self.solve_end(&mut posture, step, tasks, center).await {
            return Some(posture);
        }
        // The contacts that carry the body during the step come first; it may move over the next ones later.
        let next = step.next.filter(|next| !next.is_required && center.regions.len() > 1)?;
        let rounding = self.local.center_rounding();
        let is_drawn = self.local.distance_outside(&posture, next.stance) > next.allowance - rounding
            || !self.local.is_carried(&posture, step.stance, center.allowance);
        if !is_drawn {
            return None;
        }
        // First as near to the next contacts as the others allow, then anywhere.
        for region in [self.local.nearest_in_region(&center.regions[0], &center.regions[1]), center.regions[0].clone()]
        {
            posture.clone_from(&start);
            let tasks = PostureTasks { center_regions: &[region], ..tasks };
            if self.solve_end(&mut posture, step, tasks, center).await {
                return Some(posture);
            }
        }
        None
    }

    /// Solves. In equilibrium, while the posture is free but its conditions are not met, goes on from there: the reference keeps
    /// the body from where it must be. Other searches find more comfortable postures elsewhere.
    async fn solve_end(
        &mut self,
        posture: &mut Configuration,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
        center: &CenterGoals,
    ) -> bool {
        if !self.local.solve_free(posture, tasks).await {
            return false;
        }
        let more = if self.local.settings.equilibrium { tuning::MORE_SOLVES } else { 0 };
        for _ in 0..more {
            if self.is_end_met(posture, step, tasks.stance, center) {
                return true;
            }
            let reference = posture.clone();
            let tasks = PostureTasks { reference: PostureReference::Configuration(&reference), ..tasks };
            if !self.local.solve_free(posture, tasks).await {
                return false;
            }
        }
        self.is_end_met(posture, step, tasks.stance, center)
    }

    /// Whether a posture at the end of a step meets its conditions and is in equilibrium.
    fn is_end_met(&mut self, posture: &Configuration, step: &Step, stance: &[Contact], center: &CenterGoals) -> bool {
        self.local.center_of(posture);
        self.are_body_conditions_met(step.after, stance)
            && self.local.is_carried(posture, step.stance, center.allowance)
            && self.is_next_support_met(posture, step)
    }

    fn is_next_support_met(&mut self, posture: &Configuration, step: &Step) -> bool {
        let Some(next) = step.next.filter(|next| next.is_required) else { return true };
        let is_above = |pivot: Contact| {
            let offset = self.local.center_of(posture) - pivot.point;
            (offset - UP * UP.dot(offset)).length() <= self.lengths.pivot_offset
        };
        next.pivot.is_none_or(is_above) && self.local.is_carried(posture, next.stance, Some(next.allowance))
    }

    /// The postures from which the solver starts.
    async fn initial_postures(
        &mut self,
        from: &Configuration,
        step: &Step<'_>,
        tasks: PostureTasks<'_>,
    ) -> Vec<Configuration> {
        let mut postures = Vec::new();
        match tasks.reference {
            PostureReference::Configuration(nominal) if self.trunk_guide.is_some() => {
                let mut bent = nominal.clone();
                let character = &*Arc::clone(&self.local.problem.character);
                self.local.projection.bend_limbs_toward_contacts(character, &mut bent, tasks.stance);
                postures.push(bent);
                // What does not work from there mostly does not work at all.
                if !step.is_thorough && !step.adds.is_empty() {
                    return postures;
                }
            }
            _ if step.is_thorough => {
                self.local.sample_starts(from, tasks, &mut postures).await;
                return postures;
            }
            _ => {}
        }
        postures.push(from.clone());
        if !step.adds.is_empty() {
            let mut tucked = from.clone();
            step.adds.iter().for_each(|contact| self.local.tuck(&mut tucked, contact.effector));
            postures.push(tucked);
        }
        if let Some(next) = step.next.filter(|next| step.adds.is_empty() && next.is_required) {
            postures.extend(self.lowered(from, next));
        }
        postures
    }

    /// A posture with the body over the contacts that carry it next, and lower by as much: stretched legs keep the hips back, so
    /// that only the trunk could lean there.
    fn lowered(&mut self, from: &Configuration, next: NextSupport) -> Option<Configuration> {
        let missing = self.local.displacement_to_allowed(from, next.stance, next.allowance);
        let mut lowered = from.clone();
        lowered.root.translation += missing - UP * missing.length();
        missing.is_finite().then_some(lowered)
    }

    /// Whether the conditions on the center of mass and the trunk hold for the configuration whose frames were computed last.
    /// The path hardly changes where they end, so they are checked before it is searched for.
    pub(super) fn are_body_conditions_met(&self, conditions: &[Condition], stance: &[Contact]) -> bool {
        conditions.iter().all(|condition| match condition {
            Condition::CenterBetween(balance) => self.local.is_between(balance, stance),
            Condition::Higher { landmark, than } => self.local.is_higher(landmark, than),
            Condition::Upright { line, max_lean } => self.local.is_upright(line, *max_lean),
            Condition::Stretched { limbs, share } => self.local.is_any_stretched(limbs, *share, stance),
            _ => true,
        })
    }

    /// Whether a posture needs no correction.
    fn is_posture_good(&mut self, configuration: &Configuration, step: &Step) -> bool {
        self.local.center_of(configuration);
        if !self.is_next_support_met(configuration, step) {
            return false;
        }
        let Some(mode) = step.mode else { return true };
        let comfort = self.local.table.modes[mode].acceptable_discomfort;
        self.are_body_conditions_met(step.after, step.stance)
            && self.local.discomfort_here(configuration, step.stance, mode) <= comfort
    }
}

/// Appends the path of a step, at whose end the contacts that it makes are held.
fn append_path(
    path: &mut Vec<Waypoint>,
    between: Vec<Configuration>,
    step: &Step,
    stance: &[Contact],
    locomotion: Locomotion,
) {
    let held: Arc<[Contact]> = step.stance.into();
    path.extend(between.into_iter().map(|configuration| Waypoint::found(configuration, held.clone(), locomotion)));
    if !step.adds.is_empty()
        && let Some(last) = path.last_mut()
    {
        last.stance = stance.into();
    }
}
