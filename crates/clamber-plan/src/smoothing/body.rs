//! Ways on contacts: body smoothing that keeps them (thesis 4.5), and more frames.

use std::sync::Arc;

use clamber_model::{Character, Configuration, Contact};

use super::shortcut::{SteeringMethod, smooth};
use crate::local_planner::LocalPlanner;
use crate::waypoint::{Waypoint, held_between};
use clamber_posture::contact_projection::ContactProjection;

/// Straight lines on which every contact is kept.
struct ContactSteering<'m> {
    local: &'m mut LocalPlanner,
    stance: Vec<Contact>,
}

impl SteeringMethod for ContactSteering<'_> {
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        self.local.path_on_contacts(from, to, &self.stance).is_some()
    }

    fn at(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let character = &self.local.problem.character;
        let mut between = from.clone();
        self.local.projection.interpolate(character, [from, to], t, &self.stance, &mut between).then_some(between)
    }
}

/// Straightens the stretches of a path between changes of contact or mode. Stops early when `continues`, given the finished
/// share, returns false.
pub(crate) fn smooth_bodies(
    local: &mut LocalPlanner,
    path: Vec<Waypoint>,
    continues: &mut dyn FnMut(f32) -> bool,
) -> Vec<Waypoint> {
    let count = path.len();
    let mut smoothed: Vec<Waypoint> = Vec::with_capacity(count);
    let mut stretch: Vec<Waypoint> = Vec::new();
    let mut running = true;
    for (index, waypoint) in path.into_iter().enumerate() {
        // The waypoint at which a contact is made ends the stretch of the limb's path to it: on that stretch the others
        // alone are kept, which its first waypoint knows.
        let is_same_stretch = stretch.last().is_none_or(|last| {
            last.stance == waypoint.stance
                && last.locomotion == waypoint.locomotion
                && !waypoint.is_fixed
                && !last.is_fixed
        });
        if !is_same_stretch {
            running = running && continues(index as f32 / count as f32);
            close(local, &mut stretch, Some(&waypoint), running, &mut smoothed);
        }
        stretch.push(waypoint);
    }
    close(local, &mut stretch, None, running, &mut smoothed);
    smoothed
}

/// Smooths a stretch of waypoints with the same contacts. When the next waypoint only adds a contact, it ends the stretch:
/// the path to the hold and what was before it are one.
fn close(
    local: &mut LocalPlanner,
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
    let attached = next.filter(is_attach).filter(|next| next.locomotion == first.locomotion && !next.is_fixed);
    configurations.extend(attached.map(|next| next.configuration.clone()));
    if running && configurations.len() > 2 {
        let (character, step) = (&*Arc::clone(&local.problem.character), local.settings.step);
        let mut line = ContactSteering { stance: first.stance.to_vec(), local };
        configurations = smooth(character, configurations, step, &mut line, &mut |_| true);
    }
    // The next waypoint comes by itself.
    if attached.is_some() {
        configurations.pop();
    }
    smoothed.extend(configurations.into_iter().map(|configuration| Waypoint { configuration, ..first.clone() }));
}

/// The path with waypoints added, on the contacts, so that no point moves farther than `spacing` between two, and no
/// effector in contact slips on the straight line between them.
///
/// `measure` says how far points move: the bound that the published planner's steps keep, or what they really move.
pub(crate) fn resample(
    character: &Character,
    path: &[Waypoint],
    spacing: f32,
    measure: &mut dyn FnMut([&Configuration; 2]) -> f32,
) -> Vec<Waypoint> {
    let mut projection = ContactProjection::new(character, spacing, 0.0);
    let mut sampled: Vec<Waypoint> = Vec::with_capacity(2 * path.len());
    for pair in path.windows(2) {
        let [from, to] = [&pair[0], &pair[1]];
        sampled.push(from.clone());
        if to.is_fixed {
            continue;
        }
        let stance = held_between(from, to);
        let ends = [&from.configuration, &to.configuration];
        let length = measure(ends);
        // Most steps are as they should be.
        if length <= spacing && projection.midpoint_slip(character, ends, &stance) <= MOST_SLIP {
            continue;
        }
        let count = (length / spacing).ceil() as usize;
        let mut line = vec![from.configuration.clone()];
        for i in 1..count {
            let mut between = from.configuration.clone();
            if projection.interpolate_with_body(character, ends, i as f32 / count as f32, &stance, &mut between) {
                line.push(between);
            }
        }
        line.push(to.configuration.clone());
        let held: Arc<[Contact]> = stance.into();
        let mut add = |configuration| sampled.push(Waypoint { configuration, stance: held.clone(), ..to.clone() });
        for (index, step) in line.windows(2).enumerate() {
            if index > 0 {
                add(step[0].clone());
            }
            let mut is_even = |ends: [&Configuration; 2]| measure(ends) <= 1.001 * spacing;
            let ends = [&step[0], &step[1]];
            keep_still(character, &mut projection, ends, &held, MOST_HALVINGS, &mut is_even, &mut add);
        }
    }
    sampled.extend(path.last().cloned());
    sampled
}

/// How often a step between two frames is halved.
const MOST_HALVINGS: usize = 4;

/// How far an effector in contact may slip between two frames, in meters.
const MOST_SLIP: f32 = 4e-4;

/// Adds configurations between two, on the contacts, where something moves too far at once or these would slip on the
/// straight line: a long step leaves the
/// arc that it stands for, and a limb with more hinges than it needs may bend one path in a frame and another path in the next.
fn keep_still(
    character: &Character,
    projection: &mut ContactProjection,
    [from, to]: [&Configuration; 2],
    stance: &[Contact],
    halvings: usize,
    is_even: &mut dyn FnMut([&Configuration; 2]) -> bool,
    add: &mut dyn FnMut(Configuration),
) {
    let mut middle = from.clone();
    if halvings == 0
        || (is_even([from, to]) && projection.midpoint_slip(character, [from, to], stance) <= MOST_SLIP)
        || !projection.interpolate_with_body(character, [from, to], 0.5, stance, &mut middle)
    {
        return;
    }
    keep_still(character, projection, [from, &middle], stance, halvings - 1, is_even, add);
    add(middle.clone());
    keep_still(character, projection, [&middle, to], stance, halvings - 1, is_even, add);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use crate::waypoint::Locomotion;
    use clamber_model::Problem;
    use clamber_model::configuration::longest_way;
    use clamber_model::id::{ModeId, TiVec};
    use clamber_model::math::{Rotation, Vec3};
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, slip, standing, touching};

    fn problem() -> Problem {
        on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)])
    }

    fn waypoint(configuration: Configuration, stance: &[Contact]) -> Waypoint {
        Waypoint::found(configuration, stance.into(), Locomotion::Mode(ModeId::new(0)))
    }

    /// A step found by much wandering about: on both feet, on the right one, on both again, the left farther ahead.
    fn wandering(local: &mut LocalPlanner) -> Vec<Waypoint> {
        let character = &local.problem.character;
        let mut here = standing(character, 0.0);
        // Crouched, so that the body can move on its feet.
        let right = touching(character, &here, "right_foot");
        for side in ["left", "right"] {
            here.angles[character.hinge(&format!("{side}_hip")).unwrap()] = 0.9;
            here.angles[character.hinge(&format!("{side}_knee")).unwrap()] = -1.2;
        }
        assert!(local.projection.project(character, &mut here, &[right]));
        let left = touching(character, &here, "left_foot");
        let mut path = Vec::new();
        let wander = |local: &mut LocalPlanner, from: Configuration, stance: &[Contact], path: &mut Vec<Waypoint>| {
            let mut configurations = vec![from];
            local.walk(&mut configurations, stance, 60).unwrap();
            assert!(configurations.len() > 20, "{}", configurations.len());
            path.extend(configurations.iter().map(|configuration| waypoint(configuration.clone(), stance)));
            configurations.pop().unwrap()
        };
        here = wander(local, here, &[left, right], &mut path);
        here = wander(local, here, &[right], &mut path);
        let ahead = Contact { point: right.point + Vec3::X * 0.2, ..left };
        let steps = local.path_to_hold(&here, &ahead).unwrap().expect("the foot reaches the ground ahead");
        path.extend(steps.into_iter().map(|configuration| waypoint(configuration, &[right])));
        let last = path.len() - 1;
        path[last].stance = [ahead, right].into();
        here = path[last].configuration.clone();
        wander(local, here, &[ahead, right], &mut path);
        path
    }

    fn length(character: &Character, path: &[Waypoint]) -> f32 {
        let mut bounds = TiVec::new();
        let pairs = path.windows(2);
        pairs.map(|pair| longest_way(character, &pair[0].configuration, &pair[1].configuration, &mut bounds)).sum()
    }

    /// Contacts are kept at the waypoints and between them.
    fn assert_holds(character: &Character, path: &[Waypoint]) {
        for waypoint in path {
            let slip = slip(character, &waypoint.configuration, &waypoint.stance);
            assert!(slip < 1e-4, "{slip}");
            waypoint.configuration.check(character).unwrap();
        }
        let sampled = resample(character, path, 0.02, &mut bound(character));
        for pair in sampled.windows(2) {
            let mut middle = pair[0].configuration.clone();
            middle.interpolate(&pair[0].configuration, &pair[1].configuration, 0.5);
            let slip = slip(character, &middle, &held_between(&pair[0], &pair[1]));
            assert!(slip < 1e-3, "{slip}");
        }
    }

    /// The stances of a path, one after the other.
    fn stances(path: &[Waypoint]) -> Vec<Vec<Contact>> {
        let mut stances: Vec<Vec<Contact>> = path.iter().map(|waypoint| waypoint.stance.to_vec()).collect();
        stances.dedup();
        stances
    }

    /// The bound on how far points move that the published planner's steps keep.
    fn bound(character: &Character) -> impl FnMut([&Configuration; 2]) -> f32 {
        let mut bounds = TiVec::new();
        move |[from, to]| longest_way(character, from, to, &mut bounds)
    }

    #[test]
    fn smoothing_shortens_the_way_and_keeps_contacts_and_ends() {
        let problem = problem();
        let character = &problem.character;
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let path = wandering(local);
            (path.clone(), smooth_bodies(local, path, &mut |_| true))
        });
        assert_holds(character, &path);
        assert_holds(character, &smoothed);
        assert!(length(character, &smoothed) < 0.5 * length(character, &path));
        assert_eq!(stances(&smoothed), stances(&path));
        assert_eq!(smoothed[0].configuration, path[0].configuration);
        assert_eq!(smoothed[smoothed.len() - 1].configuration, path[path.len() - 1].configuration);
        // Where contacts change, the posture stays as it was found.
        let changes = |path: &[Waypoint]| -> Vec<Configuration> {
            let pairs = path.windows(2).filter(|pair| pair[0].stance != pair[1].stance);
            pairs.map(|pair| pair[1].configuration.clone()).collect()
        };
        assert_eq!(changes(&smoothed), changes(&path));
    }

    #[test]
    fn smoothing_that_is_stopped_leaves_the_way_as_it_was() {
        let problem = problem();
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let path = wandering(local);
            (path.clone(), smooth_bodies(local, path, &mut |_| false))
        });
        let configurations = |path: &[Waypoint]| path.iter().map(|w| w.configuration.clone()).collect::<Vec<_>>();
        assert_eq!(configurations(&smoothed)[..20], configurations(&path)[..20]);
        assert_eq!(stances(&smoothed), stances(&path));
    }

    #[test]
    fn what_is_ready_made_is_not_smoothed() {
        let problem = problem();
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let mut path = wandering(local);
            for waypoint in &mut path[10..15] {
                waypoint.is_fixed = true;
            }
            (path.clone(), smooth_bodies(local, path, &mut |_| true))
        });
        let fixed = |path: &[Waypoint]| -> Vec<Configuration> {
            path.iter().filter(|waypoint| waypoint.is_fixed).map(|waypoint| waypoint.configuration.clone()).collect()
        };
        assert_eq!(fixed(&smoothed), fixed(&path));
        assert_holds(&problem.character, &smoothed);
    }

    #[test]
    fn more_frames_keep_contacts_and_waypoints_and_the_spacing() {
        let problem = problem();
        let character = &problem.character;
        let path = with_local_planner(&problem, wandering);
        let sampled = resample(character, &path, 0.05, &mut bound(character));
        assert_holds(character, &sampled);
        let mut bounds = TiVec::new();
        let farthest = sampled
            .windows(2)
            .map(|pair| longest_way(character, &pair[0].configuration, &pair[1].configuration, &mut bounds))
            .fold(0.0, f32::max);
        // Limbs that are bent back to their holds may move a little more than the rest.
        assert!(farthest < 0.1, "{farthest}");
        let mut rest = sampled.iter();
        for waypoint in &path {
            assert!(
                rest.any(|sample| sample.configuration == waypoint.configuration && sample.stance == waypoint.stance)
            );
        }
    }

    #[test]
    fn more_frames_do_not_fail_at_a_stretched_limb() {
        // The right knee, nearly straight, becomes straight. Rooted at the left foot, the right leg is short between.
        let problem = problem();
        let character = &problem.character;
        let configuration = |x: f32, y: f32, angles: [f32; 9]| {
            let mut configuration =
                Configuration { root: Configuration::planar_root(x, y, 0.0, true), angles: angles.to_vec().into() };
            configuration.root.rotation = Rotation::from_xyzw(0.0, 0.0, -0.3550113, 0.9348621);
            configuration
        };
        let from =
            [-0.24513792, 0.0, 0.8095921, -0.07092199, 0.6780132, 0.9956651, -0.23235726, 0.5448092, -0.018631041];
        let to = [-0.24513792, 0.141844, 1.0727501, -0.07092199, 0.9411711, 0.97184753, -0.16792297, 0.5448092, 0.0];
        let ends = [configuration(1.8838717, 0.91413075, from), configuration(1.8757308, 0.9156994, to)];
        let stance = ["left_foot", "right_foot"].map(|effector| touching(character, &ends[0], effector));
        assert!(slip(character, &ends[1], &stance) < 1e-4);
        let path = ends.map(|configuration| waypoint(configuration, &stance));
        let sampled = resample(character, &path, 0.05, &mut bound(character));
        assert!(sampled.len() >= 6, "{}", sampled.len());
        assert_holds(character, &sampled);
    }
}
