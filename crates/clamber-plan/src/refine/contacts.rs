//! Ways on contacts: body smoothing that keeps them (thesis 4.5), and more frames.

use clamber_model::configuration::longest_way;
use clamber_model::kinematics::{effector_in_world, forward};
use clamber_model::{Character, Configuration, Contact};

use super::smooth::{Line, smooth};
use crate::posture::holding::Holding;
use crate::posture::mover::Mover;
use crate::trail::{Waypoint, held_between};

/// Straight lines on which every contact is kept.
struct HeldLine<'m, 'a, 'o> {
    mover: &'m mut Mover<'a, 'o>,
    stance: Vec<Contact>,
}

impl Line for HeldLine<'_, '_, '_> {
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        self.mover.way_on_contacts(from, to, &self.stance).is_some()
    }

    fn at(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let character = &self.mover.problem.character;
        let mut between = from.clone();
        self.mover.holding.interpolate(character, [from, to], t, &self.stance, &mut between).then_some(between)
    }
}

/// Straightens the stretches of a way between changes of contact or mode. Stops early when `go_on`, told the share that
/// is done, answers false.
pub(crate) fn smooth_bodies(
    mover: &mut Mover,
    way: Vec<Waypoint>,
    go_on: &mut dyn FnMut(&mut Mover, f32) -> bool,
) -> Vec<Waypoint> {
    let count = way.len();
    let mut smoothed: Vec<Waypoint> = Vec::with_capacity(count);
    let mut stretch: Vec<Waypoint> = Vec::new();
    let mut running = true;
    for (index, waypoint) in way.into_iter().enumerate() {
        // The waypoint at which a contact is made ends the stretch of the limb's way to it: on that stretch the others
        // alone are kept, which its first waypoint knows.
        let continues = stretch.last().is_none_or(|last| {
            last.stance == waypoint.stance && last.moving == waypoint.moving && !waypoint.is_fixed && !last.is_fixed
        });
        if !continues {
            running = running && go_on(mover, index as f32 / count as f32);
            close(mover, &mut stretch, Some(&waypoint), running, &mut smoothed);
        }
        stretch.push(waypoint);
    }
    close(mover, &mut stretch, None, running, &mut smoothed);
    smoothed
}

/// Smooths a stretch of waypoints with the same contacts. When the next waypoint only adds a contact, it ends the stretch:
/// the way to the hold and what was before it are one.
fn close(
    mover: &mut Mover,
    stretch: &mut Vec<Waypoint>,
    next: Option<&Waypoint>,
    running: bool,
    smoothed: &mut Vec<Waypoint>,
) {
    let Some(first) = stretch.first().cloned() else { return };
    let mut configurations: Vec<Configuration> = stretch.drain(..).map(|waypoint| waypoint.configuration).collect();
    let is_attach = |next: &&Waypoint| {
        next.stance.len() > first.stance.len() && first.stance.iter().all(|contact| next.stance.contains(contact))
    };
    let attached = next.filter(is_attach).filter(|next| next.moving == first.moving && !next.is_fixed);
    configurations.extend(attached.map(|next| next.configuration.clone()));
    if running && configurations.len() > 2 {
        let (character, step) = (&mover.problem.character, mover.settings.step);
        let mut line = HeldLine { stance: first.stance.to_vec(), mover };
        configurations = smooth(character, configurations, step, &mut line, &mut |_| true);
    }
    // The next waypoint comes by itself.
    if attached.is_some() {
        configurations.pop();
    }
    smoothed.extend(configurations.into_iter().map(|configuration| Waypoint { configuration, ..first.clone() }));
}

/// The way with waypoints added, on the contacts, so that no point moves farther than `spacing` between two.
pub(crate) fn resample(character: &Character, way: &[Waypoint], spacing: f32) -> Vec<Waypoint> {
    let mut holding = Holding::new(character, spacing, 0.0);
    let mut between = Vec::new();
    let mut ways = Vec::new();
    let mut sampled: Vec<Waypoint> = Vec::with_capacity(2 * way.len());
    for pair in way.windows(2) {
        let [from, to] = [&pair[0], &pair[1]];
        sampled.push(from.clone());
        if to.is_fixed {
            continue;
        }
        let length = longest_way(character, &from.configuration, &to.configuration, &mut ways);
        let count = (length / spacing).ceil() as usize;
        let stance = held_between(from, to);
        let ends = [&from.configuration, &to.configuration];
        between.clear();
        for i in 1..count {
            let mut configuration = to.configuration.clone();
            let t = i as f32 / count as f32;
            if holding.interpolate(character, ends, t, &stance, &mut configuration) {
                between.push(configuration);
            }
        }
        between.push(to.configuration.clone());
        let mut here = from.configuration.clone();
        for next in between.drain(..) {
            let mut add = |configuration: Configuration| {
                sampled.push(Waypoint { configuration, stance: stance.clone().into(), ..to.clone() });
            };
            keep_still(character, &mut holding, [&here, &next], &stance, MOST_HALVINGS, &mut add);
            add(next.clone());
            here = next;
        }
        // The waypoint itself comes next.
        sampled.pop();
    }
    sampled.extend(way.last().cloned());
    sampled
}

/// How often a step between two frames is halved.
const MOST_HALVINGS: usize = 4;

/// Adds configurations between two, on the contacts, where these would slip on the straight line. A limb with more hinges
/// than it needs may bend one way in a frame and another way in the next.
fn keep_still(
    character: &Character,
    holding: &mut Holding,
    [from, to]: [&Configuration; 2],
    stance: &[Contact],
    halvings: usize,
    add: &mut dyn FnMut(Configuration),
) {
    // In metres.
    const SLIP: f32 = 6e-4;
    let mut middle = from.clone();
    middle.interpolate(from, to, 0.5);
    forward(character, &middle, &mut holding.frames);
    let slip = |contact: &Contact| {
        (effector_in_world(character, &holding.frames, contact.effector) - contact.center(character)).length()
    };
    let worst = stance.iter().map(slip).fold(0.0, f32::max);
    if worst <= SLIP || halvings == 0 || !holding.restore(character, &mut middle, stance) {
        return;
    }
    keep_still(character, holding, [from, &middle], stance, halvings - 1, add);
    add(middle.clone());
    keep_still(character, holding, [&middle, to], stance, halvings - 1, add);
}
