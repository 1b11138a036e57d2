//! Making the contacts of an edge.
//!
//! When an edge takes two holds in a row, postures on both must exist before the search tries to find a path to the first.

use clamber_model::contact::Stance;
use clamber_model::id::ModeId;
use clamber_model::mode_table::{Edge, HoldToTake};
use clamber_model::{Configuration, Contact};

use super::contact_progress::ContactProgress;
use super::edge_execution_state::{EdgeProgress, final_conditions};
use super::node::add_contacts;
use super::search_state::StanceSearch;
use super::solve_step::{NextSupport, Step};
use super::tuning::SNAP_DISTANCE;
use crate::cost_to_go_guide::Guide;
use crate::mode::hold_selection::{MAX_HOLDS, SearchRange};
use clamber_posture::solver::{PostureReference, PostureTasks};

impl StanceSearch {
    /// Takes the holds of an edge: those of the first take are given, the search chooses the others. `corrects` is the mode of a posture
    /// correction that follows, and `index` the effect after it.
    pub(super) async fn attach(
        &mut self,
        edge: &Edge,
        progress: &mut EdgeProgress,
        first: &[Contact],
        corrects: Option<ModeId>,
        index: usize,
    ) -> Option<()> {
        let checks_second = edge.holds_to_take.len() > 1 && !progress.is_thorough;
        let mut second = match checks_second {
            true => Some(self.feasible_second_holds(edge, progress, first, corrects).await),
            false => None,
        };
        if second.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        for (number, take) in edge.holds_to_take.iter().enumerate() {
            let is_last = number + 1 == edge.holds_to_take.len();
            let mode = corrects.filter(|_| is_last);
            let after = if is_last { final_conditions(edge, index) } else { &[] };
            let sets = match (number, second.take_if(|_| number > 0)) {
                (0, _) => vec![first.to_vec()],
                (_, Some(second)) => second,
                (_, None) => self.holds_for(take, &progress.configuration, &progress.stance, edge.to),
            };
            let allowance = self.local.center_allowance(edge.to, progress.is_thorough).filter(|_| is_last);
            let mut made = None;
            for adds in sets.into_iter().take(MAX_HOLDS) {
                let remaining = match allowance {
                    Some(_) => self.remaining_after_attach(edge, progress, &adds, index),
                    None => Stance::new(),
                };
                let EdgeProgress { configuration, stance, path, locomotion, is_thorough, .. } = &mut *progress;
                let next = allowance.map(|allowance| NextSupport {
                    stance: &remaining,
                    allowance,
                    is_required: false,
                    pivot: None,
                });
                let step = Step { stance, adds: &adds, mode, after, next, is_thorough: *is_thorough };
                if self.step(configuration, path, *locomotion, step).await.is_some() {
                    made = Some(adds);
                    break;
                }
            }
            let made = made?;
            add_contacts(&mut progress.stance, &made);
            progress.made.extend(made);
        }
        self.shift_before_mode(edge, progress).await?;
        progress.push_waypoint(edge.to);
        progress.before_release.clone_from(&progress.stance);
        Some(())
    }

    /// The contacts that carry the body after some are made and the next ones are released.
    fn remaining_after_attach(&self, edge: &Edge, progress: &EdgeProgress, adds: &[Contact], index: usize) -> Stance {
        let (mut stance, mut made) = (progress.stance.clone(), progress.made.clone());
        add_contacts(&mut stance, adds);
        made.extend_from_slice(adds);
        self.remaining(edge, index, &stance, &made)
    }

    /// The sets of contacts that a take may make at once while others are held, on the way to a mode.
    pub(super) fn holds_for(
        &mut self,
        take: &HoldToTake,
        configuration: &Configuration,
        stance: &[Contact],
        mode: ModeId,
    ) -> Vec<Vec<Contact>> {
        let placements = self.placements(take, configuration, stance, mode);
        let heading = self.heading_of(configuration);
        let size = self.reach.body_size;
        let progress =
            self.trunk_guide.as_ref().and_then(|guide| ContactProgress::new(guide, stance, heading, mode, size));
        let range = match &self.trunk_guide {
            Some(_) => SearchRange::Places {
                reach: &self.reach,
                places: &placements,
                within: SNAP_DISTANCE * size,
                is_scattered: progress.is_some(),
                stays_off_edges: self.trunk_guide.as_ref().is_some_and(|guide| guide.turns_with_surface(mode)),
            },
            None => SearchRange::Body(&self.reach),
        };
        let guide: &dyn Guide = match (&progress, &self.trunk_guide) {
            (Some(progress), _) => progress,
            (None, Some(guide)) => guide,
            (None, None) => self.straight_guide.as_ref().map_or(&self.graph, |guide| guide as &dyn Guide),
        };
        let contacts = self.local.candidates(take, configuration, stance, None, range, guide);
        self.contact_sets(take, contacts, configuration, stance, mode)
    }

    /// The second sets of contacts of an edge for which a posture exists together with the first.
    async fn feasible_second_holds(
        &mut self,
        edge: &Edge,
        progress: &EdgeProgress,
        first: &[Contact],
        corrects: Option<ModeId>,
    ) -> Vec<Vec<Contact>> {
        let mut stance = progress.stance.clone();
        add_contacts(&mut stance, first);
        let mut posture = progress.configuration.clone();
        let reference = PostureReference::Configuration(&progress.configuration);
        if !self
            .solve_with_new_contacts(
                &mut posture,
                PostureTasks {
                    patch_headings: &[],
                    stance: &stance,
                    reference,
                    conditions: &[],
                    center_regions: &[],
                    effort: None,
                },
                first,
            )
            .await
        {
            return Vec::new();
        }
        let sets = self.holds_for(&edge.holds_to_take[1], &posture, &stance, edge.to);
        let mode = corrects.filter(|_| edge.holds_to_take.len() == 2);
        let mut evaluated: Vec<(Vec<Contact>, bool)> = Vec::new();
        for set in sets.into_iter().take(MAX_HOLDS) {
            let known = evaluated.iter().find(|(other, _)| self.are_sets_equivalent(other, &set));
            let is_feasible = match known {
                Some((_, is_feasible)) => *is_feasible,
                None => {
                    let mut stance = stance.clone();
                    add_contacts(&mut stance, &set);
                    let reference = mode.map_or(PostureReference::Configuration(&posture), PostureReference::Comfort);
                    let tasks = PostureTasks {
                        patch_headings: &[],
                        stance: &stance,
                        reference,
                        conditions: &[],
                        center_regions: &[],
                        effort: None,
                    };
                    self.solve_with_new_contacts(&mut posture.clone(), tasks, &set).await
                }
            };
            evaluated.push((set, is_feasible));
        }
        evaluated.into_iter().filter(|(_, is_feasible)| *is_feasible).map(|(set, _)| set).collect()
    }

    /// Solves for a posture on a stance with new contacts; where that fails, starts again with their limbs tucked.
    async fn solve_with_new_contacts(
        &mut self,
        posture: &mut Configuration,
        tasks: PostureTasks<'_>,
        contacts: &[Contact],
    ) -> bool {
        let mut tucked = posture.clone();
        if self.local.solve_free(posture, tasks).await {
            return true;
        }
        contacts.iter().for_each(|contact| self.local.tuck(&mut tucked, contact.effector));
        *posture = tucked;
        self.local.solve_free(posture, tasks).await
    }
}
