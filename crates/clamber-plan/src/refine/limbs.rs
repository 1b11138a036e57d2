//! Limb smoothing: between its key poses, a limb moves evenly (thesis 4.6).

use clamber_model::mode::Heuristic;
use clamber_model::{Configuration, Contact};

use crate::observe::Stop;
use crate::posture::mover::Mover;
use crate::trail::{Moving, Waypoint};

/// Smooths each limb of a way by itself. Waypoints are not added or taken away.
pub(crate) fn smooth_limbs(mover: &mut Mover, way: &mut [Waypoint]) -> Result<(), Stop> {
    let limbs = mover.problem.character.limbs.len();
    for limb in 0..limbs {
        let mut first = 0;
        for index in 1..way.len() {
            if is_key(mover, way, limb, index) {
                mover.meter.report(
                    crate::observe::Phase::Smooth,
                    (limb as f32 + index as f32 / way.len() as f32) / limbs as f32,
                )?;
                smooth_limb(mover, &mut way[first..=index], limb);
                first = index;
            }
        }
    }
    Ok(())
}

/// The contact that a limb has at a waypoint.
fn contact_of<'w>(mover: &Mover, waypoint: &'w Waypoint, limb: usize) -> Option<&'w Contact> {
    let effectors = &mover.problem.character.effectors;
    waypoint.stance.iter().find(|contact| effectors[contact.effector].limb == Some(limb))
}

/// Whether a limb's pose at a waypoint must stay: it makes or leaves a contact there, or it is an arm that swings with the
/// legs and a leg makes or leaves one, or the waypoint is ready-made, or the last.
fn is_key(mover: &Mover, way: &[Waypoint], limb: usize, index: usize) -> bool {
    let here = &way[index];
    let Some(next) = way.get(index + 1) else { return true };
    let before = &way[index - 1];
    let contact = |waypoint| contact_of(mover, waypoint, limb);
    let regrasps = contact(before) != contact(here) || contact(here) != contact(next);
    let swings = match here.moving {
        Moving::Mode(mode) => {
            let heuristics = &mover.table.modes[mode].heuristics;
            heuristics.iter().any(|(heuristic, _)| *heuristic == Heuristic::LimbCounterBalance)
        }
        Moving::Turning | Moving::Flying => false,
    };
    let is_arm = mover.table.body.arms.contains(&limb);
    let support_changes = next.stance.len() < here.stance.len();
    regrasps || here.is_fixed || (swings && is_arm && support_changes) || here.moving != next.moving
}

/// Tries ever shorter stretches of a limb's way between two key poses; in a contact it cannot move by itself.
fn smooth_limb(mover: &mut Mover, way: &mut [Waypoint], limb: usize) {
    const SHRINK: f32 = 0.6;
    let is_held = way[1..way.len() - 1].iter().any(|waypoint| contact_of(mover, waypoint, limb).is_some());
    let is_fixed = way[1..].iter().any(|waypoint| waypoint.is_fixed);
    if way.len() < 3 || is_held || is_fixed {
        return;
    }
    let mut stretch = way.len() as f32 - 1.0;
    while stretch >= 2.0 {
        let length = stretch as usize;
        let mut start = 0;
        while start + length < way.len() {
            straighten_limb(mover, &mut way[start..=start + length], limb);
            start += (length / 4).max(1);
        }
        stretch *= SHRINK;
    }
}

/// Makes a limb move evenly over a stretch, if that is free, shorter, and keeps the balance where it matters.
fn straighten_limb(mover: &mut Mover, way: &mut [Waypoint], limb: usize) {
    let hinges = mover.problem.character.limbs[limb].hinges.clone();
    let crookedness: f32 = way
        .windows(2)
        .flat_map(|pair| {
            hinges.iter().map(move |&hinge| pair[1].configuration.angles[hinge] - pair[0].configuration.angles[hinge])
        })
        .map(f32::abs)
        .sum();
    let (first, last) = (&way[0].configuration, &way[way.len() - 1].configuration);
    let straight: f32 = hinges.iter().map(|&hinge| (last.angles[hinge] - first.angles[hinge]).abs()).sum();
    if crookedness < straight + 1e-3 {
        return;
    }
    // Waypoints in a row that differ in their contacts alone are one moment.
    let mut moments = vec![0.0f32; way.len()];
    for index in 1..way.len() {
        let is_same = way[index].configuration == way[index - 1].configuration;
        moments[index] = moments[index - 1] + if is_same { 0.0 } else { 1.0 };
    }
    let count = moments[way.len() - 1];
    if count == 0.0 {
        return;
    }
    let mut bent: Vec<Configuration> = way.iter().map(|waypoint| waypoint.configuration.clone()).collect();
    for (configuration, moment) in bent.iter_mut().zip(&moments) {
        let t = moment / count;
        for &hinge in &hinges {
            configuration.angles[hinge] = first.angles[hinge] + (last.angles[hinge] - first.angles[hinge]) * t;
        }
    }
    let is_free = (1..bent.len())
        .all(|index| moments[index] == moments[index - 1] || mover.is_step_free(&bent[index - 1], &bent[index]));
    let keeps_balance = |mover: &mut Mover, index: usize| match (way[index].moving, way.get(index + 1)) {
        (Moving::Mode(mode), Some(next)) if next.stance.len() < way[index].stance.len() => {
            mover.center_of(&bent[index]);
            mover.table.modes[mode].balance.is_none_or(|balance| mover.is_between(&balance, &way[index].stance))
        }
        _ => true,
    };
    if is_free && (1..bent.len() - 1).all(|index| keeps_balance(mover, index)) {
        for (waypoint, configuration) in way.iter_mut().zip(bent) {
            waypoint.configuration = configuration;
        }
    }
}
