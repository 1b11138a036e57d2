//! Body smoothing and resampling of paths on contacts (thesis 4.5).

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::kinematics::{EndpointLinkFrames, max_displacement};
use clamber_model::{Character, Configuration, Contact};

use super::shortcut::{SteeringMethod, smooth};
use super::tuning;
use crate::local_planner::LocalPlanner;
use crate::resumable_search::checkpoint;
use crate::waypoint::{Waypoint, held_between};
use clamber_posture::contact_projection::ContactProjection;

/// Steers straight on contacts.
struct ContactSteering<'m> {
    local: &'m mut LocalPlanner,
    stance: Vec<Contact>,
}

impl SteeringMethod for ContactSteering<'_> {
    async fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        self.local.path_on_contacts(from, to, &self.stance).await.is_some()
    }

    /// Stretches are short; their progress is that of the whole path.
    async fn continues(&mut self, _: f32) -> bool {
        self.local.budget.checkpoint().await;
        true
    }

    fn interpolate(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let character = &self.local.problem.character;
        let mut between = from.clone();
        self.local.projection.interpolate(character, [from, to], t, &self.stance, &mut between).then_some(between)
    }
}

/// Shortens a path between changes of contact or mode, up to a cancellation. It counts as the first half of the smoothing.
pub(crate) async fn smooth_bodies(local: &mut LocalPlanner, path: Vec<Waypoint>) -> Vec<Waypoint> {
    let count = path.len();
    let mut smoothed: Vec<Waypoint> = Vec::with_capacity(count);
    let mut stretch: Vec<Waypoint> = Vec::new();
    let mut running = true;
    for (index, waypoint) in path.into_iter().enumerate() {
        // A stretch keeps the contacts of its first waypoint. The limb's path to a new contact ends with the waypoint that
        // makes it.
        let is_same_stretch = stretch.last().is_none_or(|last| {
            last.stance == waypoint.stance
                && last.locomotion == waypoint.locomotion
                && !waypoint.is_fixed
                && !last.is_fixed
        });
        if !is_same_stretch {
            running = running && local.budget.continues_smoothing(0.5 * index as f32 / count as f32).await;
            smooth_stretch(local, &mut stretch, Some(&waypoint), running, &mut smoothed).await;
        }
        stretch.push(waypoint);
    }
    smooth_stretch(local, &mut stretch, None, running, &mut smoothed).await;
    smoothed
}

/// Smooths a stretch of waypoints with the same contacts. A next waypoint that only adds a contact ends the stretch, so that the
/// limb's path to the hold is smoothed with what is before it.
async fn smooth_stretch(
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
        let mut steering = ContactSteering { stance: first.stance.to_vec(), local };
        configurations = smooth(character, configurations, step, &mut steering).await;
    }
    // The next waypoint is added later.
    if attached.is_some() {
        configurations.pop();
    }
    smoothed.extend(configurations.into_iter().map(|configuration| Waypoint { configuration, ..first.clone() }));
}

/// The path with waypoints added on the contacts, so that no point moves farther than `spacing` meters between two, and no
/// effector in contact slips between them.
///
/// Waypoints are left out where a step between them would not be `is_free`: the step of the path is, and slips a little more.
/// `measure` returns how far points move: the bound that the published planner's steps keep, or the actual displacement.
pub(crate) async fn resample(
    character: &Character,
    path: &[Waypoint],
    spacing: f32,
    measure: &mut (impl FnMut([&Configuration; 2]) -> f32 + Send),
    is_free: &mut (impl FnMut([&Configuration; 2]) -> bool + Send),
) -> Vec<Waypoint> {
    let mut projection = ContactProjection::new(character, spacing, 0.0);
    let max_slip = tuning::MAX_SLIP * character.body_size();
    let mut sampled: Vec<Waypoint> = Vec::with_capacity(2 * path.len());
    for (index, pair) in path.windows(2).enumerate() {
        if index % tuning::WAYPOINTS_PER_CHECKPOINT == 0 {
            checkpoint().await;
        }
        let [from, to] = [&pair[0], &pair[1]];
        let first = sampled.len();
        sampled.push(from.clone());
        if to.is_fixed {
            continue;
        }
        let stance = held_between(from, to);
        let ends = [&from.configuration, &to.configuration];
        let length = measure(ends);
        // Most steps need no more waypoints.
        if length <= spacing && projection.midpoint_slip(character, ends, &stance) <= max_slip {
            continue;
        }
        let count = (length / spacing).ceil() as usize;
        let mut steps = vec![from.configuration.clone()];
        for i in 1..count {
            let mut between = from.configuration.clone();
            let t = i as f32 / count as f32;
            if projection.interpolate_moving_body(character, ends, t, &stance, &mut between)
                && !is_astray(character, (ends, t), &between)
            {
                steps.push(between);
            }
        }
        steps.push(to.configuration.clone());
        let held: Arc<[Contact]> = stance.into();
        let mut add = |configuration| sampled.push(Waypoint { configuration, stance: held.clone(), ..to.clone() });
        for (index, step) in steps.windows(2).enumerate() {
            if index > 0 {
                add(step[0].clone());
            }
            let mut is_short = |ends: [&Configuration; 2]| measure(ends) <= 1.001 * spacing;
            let mut refinement = Refinement { character, projection: &mut projection, held: &held, max_slip };
            refinement.refine([&step[0], &step[1]], tuning::MAX_HALVINGS, &mut is_short, &mut add);
        }
        let are_steps_free = {
            let nexts = sampled[first + 1..].iter().chain([to]);
            let mut steps = sampled[first..].iter().zip(nexts);
            steps.all(|(from, to)| is_free([&from.configuration, &to.configuration]))
        };
        if !are_steps_free {
            sampled.truncate(first + 1);
        }
    }
    sampled.extend(path.last().cloned());
    sampled
}

/// Refines steps on contacts.
struct Refinement<'a> {
    character: &'a Character,
    projection: &'a mut ContactProjection,
    held: &'a [Contact],
    /// In meters.
    max_slip: f32,
}

impl Refinement<'_> {
    /// Adds configurations on the contacts between two where a point moves too far or a contact slips between them: a long step
    /// leaves the arc that it approximates, and a limb with redundant hinges may bend differently from one frame to the next.
    fn refine(
        &mut self,
        [from, to]: [&Configuration; 2],
        halvings: usize,
        is_short: &mut dyn FnMut([&Configuration; 2]) -> bool,
        add: &mut dyn FnMut(Configuration),
    ) {
        let Self { character, projection, held, max_slip } = self;
        let mut middle = from.clone();
        if halvings == 0
            || (is_short([from, to]) && projection.midpoint_slip(character, [from, to], held) <= *max_slip)
            || !projection.interpolate_moving_body(character, [from, to], 0.5, held, &mut middle)
            || is_astray(character, ([from, to], 0.5), &middle)
        {
            return;
        }
        self.refine([from, &middle], halvings - 1, is_short, add);
        add(middle.clone());
        self.refine([&middle, to], halvings - 1, is_short, add);
    }
}

/// Whether a configuration of a body in space is far from a share of the way between two others. Only the straight way between those was checked for
/// collisions, and a body with many hinges may keep its contacts in quite another posture.
fn is_astray(character: &Character, ([from, to], t): ([&Configuration; 2], f32), between: &Configuration) -> bool {
    if character.root_joint == RootJoint::Planar {
        return false;
    }
    let mut straight = from.clone();
    straight.interpolate(from, to, t);
    let off = max_displacement(character, [&straight, between], &mut EndpointLinkFrames::default());
    off > tuning::MAX_ASTRAY * character.body_size()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use crate::resumable_search::run_to_end;
    use crate::waypoint::Locomotion;
    use clamber_model::Problem;
    use clamber_model::configuration::max_motion_bound;
    use clamber_model::id::{ModeId, TiVec};
    use clamber_model::math::{Rotation, Vec3};
    use clamber_model::world::HoldType;
    use clamber_posture::contact_projection::SoleRoll;
    use clamber_testing::{figure_on_ground, figure_without_feet, hold, on_ground, slip, standing, touching};

    fn problem() -> Problem {
        on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)])
    }

    fn waypoint(configuration: Configuration, stance: &[Contact]) -> Waypoint {
        Waypoint::found(configuration, stance.into(), Locomotion::Mode(ModeId::new(0)))
    }

    /// A step with detours: on both feet, on the right one, on both again with the left farther ahead.
    fn wandering(local: &mut LocalPlanner) -> Vec<Waypoint> {
        let character = &local.problem.character;
        let mut here = standing(character, 0.0);
        // Crouched, so that the body can move on its feet.
        let right = touching(character, &here, "right_foot");
        for side in ["left", "right"] {
            here.angles[character.find_hinge(&format!("{side}_hip")).unwrap()] = 0.9;
            here.angles[character.find_hinge(&format!("{side}_knee")).unwrap()] = -1.2;
            // The soles stay flat.
            here.angles[character.find_hinge(&format!("{side}_ankle")).unwrap()] = 0.3;
        }
        assert!(local.projection.project(character, &mut here, &[right], SoleRoll::Least));
        let left = touching(character, &here, "left_foot");
        let mut path = Vec::new();
        let wander = |local: &mut LocalPlanner, from: Configuration, stance: &[Contact], path: &mut Vec<Waypoint>| {
            let mut configurations = vec![from];
            run_to_end(local.walk(&mut configurations, stance, 60)).unwrap();
            assert!(configurations.len() > 20, "{}", configurations.len());
            path.extend(configurations.iter().map(|configuration| waypoint(configuration.clone(), stance)));
            configurations.pop().unwrap()
        };
        here = wander(local, here, &[left, right], &mut path);
        here = wander(local, here, &[right], &mut path);
        let ahead = Contact { point: right.point + Vec3::X * 0.2, ..left };
        let steps = run_to_end(local.path_to_hold(&here, &ahead)).unwrap().expect("the foot reaches the ground ahead");
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
        pairs.map(|pair| max_motion_bound(character, &pair[0].configuration, &pair[1].configuration, &mut bounds)).sum()
    }

    /// Asserts that contacts are kept at the waypoints and between them.
    fn assert_holds(character: &Character, path: &[Waypoint]) {
        for waypoint in path {
            let slip = slip(character, &waypoint.configuration, &waypoint.stance);
            assert!(slip < 1e-4, "{slip}");
            waypoint.configuration.check(character).unwrap();
        }
        let sampled = run_to_end(resample(character, path, 0.02, &mut bound(character), &mut |_| true));
        for pair in sampled.windows(2) {
            let mut middle = pair[0].configuration.clone();
            middle.interpolate(&pair[0].configuration, &pair[1].configuration, 0.5);
            let slip = slip(character, &middle, &held_between(&pair[0], &pair[1]));
            assert!(slip < 1e-3, "{slip}");
        }
    }

    /// The successive stances of a path.
    fn stances(path: &[Waypoint]) -> Vec<Vec<Contact>> {
        let mut stances: Vec<Vec<Contact>> = path.iter().map(|waypoint| waypoint.stance.to_vec()).collect();
        stances.dedup();
        stances
    }

    /// The bound on the displacement of points that the published planner's steps keep.
    fn bound(character: &Character) -> impl FnMut([&Configuration; 2]) -> f32 {
        let mut bounds = TiVec::new();
        move |[from, to]| max_motion_bound(character, from, to, &mut bounds)
    }

    #[test]
    fn smoothing_shortens_the_path_and_keeps_contacts_and_ends() {
        let problem = problem();
        let character = &problem.character;
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let path = wandering(local);
            (path.clone(), run_to_end(smooth_bodies(local, path)))
        });
        assert_holds(character, &path);
        assert_holds(character, &smoothed);
        assert!(length(character, &smoothed) < 0.5 * length(character, &path));
        assert_eq!(stances(&smoothed), stances(&path));
        assert_eq!(smoothed[0].configuration, path[0].configuration);
        assert_eq!(smoothed[smoothed.len() - 1].configuration, path[path.len() - 1].configuration);
        // Where contacts change, the posture stays.
        let changes = |path: &[Waypoint]| -> Vec<Configuration> {
            let pairs = path.windows(2).filter(|pair| pair[0].stance != pair[1].stance);
            pairs.map(|pair| pair[1].configuration.clone()).collect()
        };
        assert_eq!(changes(&smoothed), changes(&path));
    }

    #[test]
    fn smoothing_that_is_cancelled_leaves_the_path_unchanged() {
        let problem = problem();
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let path = wandering(local);
            local.budget.monitor.stop();
            (path.clone(), run_to_end(smooth_bodies(local, path)))
        });
        let configurations = |path: &[Waypoint]| path.iter().map(|w| w.configuration.clone()).collect::<Vec<_>>();
        assert_eq!(configurations(&smoothed)[..20], configurations(&path)[..20]);
        assert_eq!(stances(&smoothed), stances(&path));
    }

    #[test]
    fn fixed_waypoints_are_not_smoothed() {
        let problem = problem();
        let (path, smoothed) = with_local_planner(&problem, |local| {
            let mut path = wandering(local);
            for waypoint in &mut path[10..15] {
                waypoint.is_fixed = true;
            }
            (path.clone(), run_to_end(smooth_bodies(local, path)))
        });
        let fixed = |path: &[Waypoint]| -> Vec<Configuration> {
            path.iter().filter(|waypoint| waypoint.is_fixed).map(|waypoint| waypoint.configuration.clone()).collect()
        };
        assert_eq!(fixed(&smoothed), fixed(&path));
        assert_holds(&problem.character, &smoothed);
    }

    #[test]
    fn resampling_keeps_contacts_waypoints_and_the_spacing() {
        let problem = problem();
        let character = &problem.character;
        let path = with_local_planner(&problem, wandering);
        let sampled = run_to_end(resample(character, &path, 0.05, &mut bound(character), &mut |_| true));
        assert_holds(character, &sampled);
        let mut bounds = TiVec::new();
        let farthest = sampled
            .windows(2)
            .map(|pair| max_motion_bound(character, &pair[0].configuration, &pair[1].configuration, &mut bounds))
            .fold(0.0, f32::max);
        // Limbs bent back to their holds may move slightly more than the rest.
        assert!(farthest < 0.1, "{farthest}");
        let mut rest = sampled.iter();
        for waypoint in &path {
            assert!(
                rest.any(|sample| sample.configuration == waypoint.configuration && sample.stance == waypoint.stance)
            );
        }
    }

    #[test]
    fn resampling_does_not_fail_at_a_stretched_limb() {
        // The right knee is nearly straight, then straight. With the left foot fixed, the right leg is too short in between.
        let ground = hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing);
        let problem = figure_on_ground(figure_without_feet(), vec![ground]);
        let character = &problem.character;
        let configuration = |x: f32, y: f32, angles: [f32; 9]| {
            let mut configuration = Configuration {
                root: Configuration::planar_root_pose(x, y, 0.0, true),
                angles: angles.to_vec().into(),
            };
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
        let sampled = run_to_end(resample(character, &path, 0.05, &mut bound(character), &mut |_| true));
        assert!(sampled.len() >= 6, "{}", sampled.len());
        assert_holds(character, &sampled);
    }
}
