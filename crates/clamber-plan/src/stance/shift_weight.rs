//! Moves the body to where fewer contacts carry it, before the others are released.

use clamber_model::contact::Stance;
use clamber_model::mode_table::Edge;
use clamber_model::{Configuration, Contact};

use super::edge_execution_state::{EdgeProgress, final_conditions, mode_after_releases};
use super::search_state::StanceSearch;
use super::solve_step::{NextSupport, Step};
use crate::mode::released_contacts::is_leaving;
use crate::waypoint::{Locomotion, Waypoint};

impl StanceSearch {
    /// How far the center of mass may be outside of where the contacts carry the body; `None` where that is not required.
    pub(super) fn center_allowance(&self, locomotion: Locomotion, is_thorough: bool) -> Option<f32> {
        match locomotion {
            Locomotion::Mode(mode) => self.local.center_allowance(mode, is_thorough),
            Locomotion::Turning | Locomotion::Flying => None,
        }
    }

    /// The contacts that remain after the releases that an edge makes next; all of them if it makes none.
    pub(super) fn remaining(&self, edge: &Edge, index: usize, stance: &[Contact], made: &[Contact]) -> Stance {
        let releases = edge.effects[index..].iter().take_while(|effect| is_leaving(effect));
        releases.fold(stance.to_vec(), |stance, effect| self.local.kept(*effect, &stance, made, self.guide()))
    }

    /// Moves the body to where the contacts that remain after the next releases carry it in the mode that follows.
    pub(super) async fn shift_before_releases(
        &mut self,
        edge: &Edge,
        progress: &mut EdgeProgress,
        index: usize,
    ) -> Option<()> {
        let mode = mode_after_releases(edge, index);
        let Some(allowance) = self.local.center_allowance(mode, progress.is_thorough) else { return Some(()) };
        let remaining = self.remaining(edge, index, &progress.stance, &progress.made);
        let EdgeProgress { configuration, stance, path, locomotion, is_thorough, .. } = progress;
        let step = Step {
            stance,
            adds: &[],
            mode: None,
            after: final_conditions(edge, index),
            next: Some(NextSupport { stance: &remaining, allowance, is_required: true, pivot: None }),
            is_thorough: *is_thorough,
        };
        self.step(configuration, path, *locomotion, step).await
    }

    /// Moves the body to where its contacts carry it in the edge's last mode, while it is in the first.
    pub(super) async fn shift_before_mode(&mut self, edge: &Edge, progress: &mut EdgeProgress) -> Option<()> {
        let Some(allowance) = self.local.center_allowance(edge.to, progress.is_thorough) else { return Some(()) };
        let EdgeProgress { configuration, stance, path, locomotion, is_thorough, .. } = progress;
        let next = Some(NextSupport { stance: &stance.clone(), allowance, is_required: true, pivot: None });
        let step = Step { stance, adds: &[], mode: None, after: &[], next, is_thorough: *is_thorough };
        self.step(configuration, path, *locomotion, step).await
    }

    /// Moves the body to where some of its contacts carry it alone, in the same mode.
    pub(super) async fn shift_onto(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        [stance, remaining]: [&[Contact]; 2],
        locomotion: Locomotion,
        is_thorough: bool,
    ) -> Option<()> {
        let Some(allowance) = self.center_allowance(locomotion, is_thorough) else { return Some(()) };
        let next = Some(NextSupport { stance: remaining, allowance, is_required: true, pivot: None });
        let step = Step { stance, adds: &[], mode: None, after: &[], next, is_thorough };
        self.step(configuration, path, locomotion, step).await
    }

    /// Moves the body above the contact that it is going to turn on, into a comfortable posture if there is one.
    pub(super) async fn shift_above(
        &mut self,
        configuration: &mut Configuration,
        path: &mut Vec<Waypoint>,
        (stance, pivot): (&[Contact], Contact),
        locomotion: Locomotion,
        is_thorough: bool,
    ) -> Option<()> {
        let remaining = [pivot];
        if let (Some(allowance), Locomotion::Mode(mode)) = (self.center_allowance(locomotion, is_thorough), locomotion)
        {
            let next = Some(NextSupport { stance: &remaining, allowance, is_required: true, pivot: Some(pivot) });
            let step = Step { stance, adds: &[], mode: Some(mode), after: &[], next, is_thorough: false };
            if self.step(configuration, path, locomotion, step).await.is_some() {
                return Some(());
            }
        }
        self.shift_onto(configuration, path, [stance, &remaining], locomotion, is_thorough).await
    }
}
