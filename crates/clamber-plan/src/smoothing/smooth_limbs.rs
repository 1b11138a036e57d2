//! Limb smoothing: a limb moves evenly between its key poses (thesis 4.6).

use clamber_model::id::LimbId;
use clamber_model::mode_table::PostureHeuristic;
use clamber_model::{Configuration, Contact};

use super::tuning;
use crate::local_planner::LocalPlanner;
use crate::waypoint::{Locomotion, Waypoint};

/// Smooths each limb of a path separately, without adding or removing waypoints, up to a cancellation. It counts as the second
/// half of the smoothing.
pub(crate) async fn smooth_limbs(local: &mut LocalPlanner, path: &mut [Waypoint]) {
    let limbs = local.problem.character.limbs.len();
    for limb in local.problem.character.limbs.keys() {
        let mut first = 0;
        for index in 1..path.len() {
            if is_key(local, path, limb, index) {
                let share = (limb.index() as f32 + index as f32 / path.len() as f32) / limbs as f32;
                if !local.budget.continues_smoothing(0.5 + 0.5 * share).await {
                    return;
                }
                smooth_limb(local, &mut path[first..=index], limb).await;
                first = index;
            }
        }
    }
}

/// The contact of a limb at a waypoint.
fn contact_of<'w>(local: &LocalPlanner, waypoint: &'w Waypoint, limb: LimbId) -> Option<&'w Contact> {
    let effectors = &local.problem.character.effectors;
    waypoint.stance.iter().find(|contact| effectors[contact.effector].limb == Some(limb))
}

/// Whether a limb's pose at a waypoint must stay: the limb makes or releases a contact there, it swings against others
/// and a contact is released, the mode changes, or the waypoint is fixed or the last.
fn is_key(local: &LocalPlanner, path: &[Waypoint], limb: LimbId, index: usize) -> bool {
    let here = &path[index];
    let Some(next) = path.get(index + 1) else { return true };
    let before = &path[index - 1];
    let contact = |waypoint| contact_of(local, waypoint, limb);
    let regrasps = contact(before) != contact(here) || contact(here) != contact(next);
    let swings = match here.locomotion {
        Locomotion::Mode(mode) => {
            let mut heuristics = local.table.modes[mode].posture_heuristics.iter();
            heuristics.any(
                |(heuristic, _)| matches!(heuristic, PostureHeuristic::OppositeSwing { limbs, .. } if limbs.contains(&limb)),
            )
        }
        Locomotion::Turning | Locomotion::Flying => false,
    };
    let support_changes = next.stance.len() < here.stance.len();
    regrasps || here.is_fixed || (swings && support_changes) || here.locomotion != next.locomotion
}

/// Straightens ever shorter stretches of a limb's path between two key poses. A limb in contact cannot move alone.
async fn smooth_limb(local: &mut LocalPlanner, path: &mut [Waypoint], limb: LimbId) {
    let is_held = path[1..path.len() - 1].iter().any(|waypoint| contact_of(local, waypoint, limb).is_some());
    let is_fixed = path[1..].iter().any(|waypoint| waypoint.is_fixed);
    if path.len() < 3 || is_held || is_fixed {
        return;
    }
    let mut stretch = path.len() as f32 - 1.0;
    while stretch >= 2.0 {
        let length = stretch as usize;
        let mut start = 0;
        while start + length < path.len() {
            straighten_limb(local, &mut path[start..=start + length], limb);
            local.budget.checkpoint().await;
            start += (length / 4).max(1);
        }
        stretch *= tuning::LIMB_SHRINK;
    }
}

/// Makes a limb move evenly over a stretch if that is free, shorter, and keeps the balance where a contact is released.
fn straighten_limb(local: &mut LocalPlanner, path: &mut [Waypoint], limb: LimbId) {
    let hinges = local.problem.character.limbs[limb].hinges.clone();
    let current: f32 = path
        .windows(2)
        .flat_map(|pair| {
            hinges.iter().map(move |&hinge| pair[1].configuration.angles[hinge] - pair[0].configuration.angles[hinge])
        })
        .map(f32::abs)
        .sum();
    let (first, last) = (&path[0].configuration, &path[path.len() - 1].configuration);
    let straight: f32 = hinges.iter().map(|&hinge| (last.angles[hinge] - first.angles[hinge]).abs()).sum();
    if current < straight + tuning::MIN_LIMB_GAIN {
        return;
    }
    // Successive waypoints that differ only in their contacts share a keyframe.
    let mut keyframes = vec![0.0f32; path.len()];
    for index in 1..path.len() {
        let is_same = path[index].configuration == path[index - 1].configuration;
        keyframes[index] = keyframes[index - 1] + if is_same { 0.0 } else { 1.0 };
    }
    let count = keyframes[path.len() - 1];
    if count == 0.0 {
        return;
    }
    let mut bent: Vec<Configuration> = path.iter().map(|waypoint| waypoint.configuration.clone()).collect();
    for (configuration, keyframe) in bent.iter_mut().zip(&keyframes) {
        let t = keyframe / count;
        for &hinge in &hinges {
            let [begins, ends] = [first, last].map(|end| end.angles[hinge]);
            // The last pose stays as it is: rounding would miss the goal.
            configuration.angles[hinge] = if t == 1.0 { ends } else { begins + (ends - begins) * t };
        }
    }
    let is_free = (1..bent.len())
        .all(|index| keyframes[index] == keyframes[index - 1] || local.is_step_free(&bent[index - 1], &bent[index]));
    let keeps_balance = |local: &mut LocalPlanner, index: usize| match (path[index].locomotion, path.get(index + 1)) {
        (Locomotion::Mode(mode), Some(next)) if next.stance.len() < path[index].stance.len() => {
            local.center_of(&bent[index]);
            local.table.modes[mode].balance.is_none_or(|balance| local.is_between(&balance, &path[index].stance))
        }
        _ => true,
    };
    if is_free && (1..bent.len() - 1).all(|index| keeps_balance(local, index)) {
        for (waypoint, configuration) in path.iter_mut().zip(bent) {
            waypoint.configuration = configuration;
        }
    }
}

#[cfg(test)]
mod tests {
    use clamber_model::id::{GroupId, ModeId};
    use std::sync::Arc;

    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use crate::resumable_search::run_to_end;
    use clamber_model::math::{Pose, Rotation, Vec3};
    use clamber_model::mode_table::Balance;
    use clamber_model::support_polygon::horizontal_distance_to_hull;
    use clamber_model::world::{DistanceFieldSettings, HoldType, Obstacle, Space};
    use clamber_model::{Problem, World};
    use clamber_testing::{heuristics, hold, on_ground, standing, touching};

    const WALKING: ModeId = ModeId::new(0);
    const FEET: GroupId = GroupId::new(1);

    /// A problem in which arms do not swing with the legs, so that only their own contacts make key poses.
    fn problem() -> Problem {
        let mut problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let table = Arc::make_mut(problem.modes.as_mut().unwrap());
        table.modes[WALKING]
            .posture_heuristics
            .retain(|(heuristic, _)| !matches!(heuristic, PostureHeuristic::OppositeSwing { .. }));
        table.modes[WALKING].balance = None;
        problem
    }

    /// The figure stands on both feet and, from waypoint 10 on, on the right one only. Its left shoulder is at these degrees.
    fn path(problem: &Problem, shoulder: impl Fn(usize) -> f32) -> Vec<Waypoint> {
        let character = &problem.character;
        let rest = standing(character, 0.0);
        let [left, right] = ["left_foot", "right_foot"].map(|effector| touching(character, &rest, effector));
        let at = |index: usize| {
            let mut configuration = rest.clone();
            // Waypoints 9 and 10 share a keyframe.
            let keyframe = if index < 10 { index } else { index - 1 };
            configuration.angles[character.find_hinge("left_shoulder").unwrap()] = shoulder(keyframe).to_radians();
            let stance = if index < 10 { vec![left, right] } else { vec![right] };
            Waypoint::found(configuration, stance.into(), Locomotion::Mode(WALKING))
        };
        (0..21).map(at).collect()
    }

    fn shoulders(problem: &Problem, path: &[Waypoint]) -> Vec<f32> {
        let hinge = problem.character.find_hinge("left_shoulder").unwrap();
        path.iter().map(|waypoint| waypoint.configuration.angles[hinge].to_degrees()).collect()
    }

    fn smoothed(problem: &Problem, path: &[Waypoint]) -> Vec<Waypoint> {
        let mut path = path.to_vec();
        with_local_planner(problem, |local| run_to_end(smooth_limbs(local, &mut path)));
        path
    }

    /// Swings to and fro.
    fn shaking(keyframe: usize) -> f32 {
        [0.0, 40.0, -20.0, 60.0][keyframe % 4] + 2.0 * keyframe as f32
    }

    #[test]
    fn a_free_limb_moves_evenly_from_end_to_end() {
        let problem = problem();
        let path = path(&problem, shaking);
        let smooth = smoothed(&problem, &path);
        let (before, after) = (shoulders(&problem, &path), shoulders(&problem, &smooth));
        for (index, angle) in after.iter().enumerate() {
            let keyframe = if index < 10 { index } else { index - 1 } as f32;
            let even = before[0] + (before[20] - before[0]) * keyframe / 19.0;
            assert!((angle - even).abs() < 1e-3, "waypoint {index}: {angle}, not {even}");
        }
        // Nothing else moved, and shared keyframes are still shared.
        let hinge = problem.character.find_hinge("left_shoulder").unwrap();
        for (before, after) in path.iter().zip(&smooth) {
            let mut expected = before.configuration.clone();
            expected.angles[hinge] = after.configuration.angles[hinge];
            assert_eq!(after.configuration, expected);
            assert_eq!(after.stance, before.stance);
        }
        assert_eq!(smooth[9].configuration, smooth[10].configuration);
    }

    #[test]
    fn key_poses_stay_to_the_last_bit() {
        let problem = problem();
        let hinge = problem.character.find_hinge("left_shoulder").unwrap();
        for shift in 0..20 {
            // A hand that is in contact from waypoint 7 to 13 has key poses there.
            let mut path = path(&problem, |keyframe| shaking(keyframe) + 0.37 * shift as f32);
            let held = path[7].configuration.angles[hinge];
            for waypoint in &mut path[7..=13] {
                waypoint.configuration.angles[hinge] = held;
                let hand = touching(&problem.character, &waypoint.configuration, "left_hand");
                waypoint.stance = [&[hand], &*waypoint.stance].concat().into();
            }
            let smooth = smoothed(&problem, &path);
            for index in [0, 7, 8, 9, 10, 11, 12, 13, 20] {
                assert_eq!(smooth[index].configuration, path[index].configuration, "waypoint {index}, shift {shift}");
            }
            assert_ne!(shoulders(&problem, &smooth)[3], shoulders(&problem, &path)[3]);
            assert_ne!(shoulders(&problem, &smooth)[17], shoulders(&problem, &path)[17]);
        }
    }

    #[test]
    fn an_arm_that_swings_with_the_legs_keeps_its_pose_where_a_foot_is_lifted() {
        let mut problem = problem();
        let swing = heuristics(&problem.character)["limb-counter-balance"].clone();
        let table = Arc::make_mut(problem.modes.as_mut().unwrap());
        table.modes[WALKING].posture_heuristics.push((swing, 1.0));
        let path = path(&problem, shaking);
        let smooth = smoothed(&problem, &path);
        assert_eq!(smooth[9].configuration, path[9].configuration);
        assert_ne!(smooth[5].configuration, path[5].configuration);
    }

    #[test]
    fn fixed_waypoints_are_not_smoothed() {
        let problem = problem();
        let mut path = path(&problem, shaking);
        for waypoint in &mut path[4..=16] {
            waypoint.is_fixed = true;
        }
        let smooth = smoothed(&problem, &path);
        for index in 4..=16 {
            assert_eq!(smooth[index].configuration, path[index].configuration, "waypoint {index}");
        }
        assert_ne!(smooth[18].configuration, path[18].configuration);
    }

    #[test]
    fn a_limb_is_not_smoothed_through_an_obstacle() {
        let problem = problem();
        let character = &problem.character;
        // The arm rises past a beam in front of the shoulder with a bent elbow.
        let mut path = path(&problem, |keyframe| 20.0 + 5.8 * keyframe as f32);
        let elbow = character.find_hinge("left_elbow").unwrap();
        for (index, waypoint) in path.iter_mut().enumerate() {
            let keyframe = if index < 10 { index } else { index - 1 };
            waypoint.configuration.angles[elbow] = (22.0 * keyframe.min(19 - keyframe).min(5) as f32).to_radians();
        }
        let shoulder = standing(character, 0.0).root.translation + Vec3::Y * 0.46;
        let beam = Pose::from_parts(shoulder + Vec3::X * 0.62, Rotation::IDENTITY);
        let beam = Obstacle::cuboid("beam", beam, Vec3::new(0.08, 0.08, 2.0)).unwrap();
        let World { obstacles, min, max, holds, .. } = (*problem.world).clone();
        let world = World::from_obstacles(
            Space::Planar,
            [obstacles.raw, vec![beam]].concat(),
            min,
            max,
            &DistanceFieldSettings::default(),
        );
        let blocked = Problem { world: Arc::new(world.with_holds(holds.into())), ..problem.clone() };
        let is_free = |path: &[Waypoint]| {
            with_local_planner(&blocked, |local| {
                path.windows(2).all(|pair| local.is_step_free(&pair[0].configuration, &pair[1].configuration))
            })
        };
        assert!(is_free(&path));
        assert!(!is_free(&smoothed(&problem, &path)), "without the beam, the arm stays straight");
        assert!(is_free(&smoothed(&blocked, &path)));
    }

    #[test]
    fn smoothing_keeps_balance_where_a_contact_is_released() {
        // In front, behind where the left foot is lifted, in front again. An even arm would stay in front.
        let swing = |keyframe: usize| 90.0 - 15.0 * (10 - 9_usize.abs_diff(keyframe).min(10)) as f32;
        let mut problem = problem();
        let path = path(&problem, swing);
        let outside = |problem: &Problem, waypoint: &Waypoint| {
            with_local_planner(problem, |local| {
                let center = local.center_of(&waypoint.configuration);
                let points: Vec<Vec3> = waypoint.stance.iter().map(|contact| contact.point).collect();
                horizontal_distance_to_hull(center, &points)
            })
        };
        let before = outside(&problem, &path[9]);
        let even = outside(&problem, &smoothed(&problem, &path)[9]);
        assert!(even > before + 0.01, "an even arm moves the center of mass from {before} to {even} m");
        let within = before + 0.003;
        let table = Arc::make_mut(problem.modes.as_mut().unwrap());
        table.modes[WALKING].balance = Some(Balance { group: FEET, within });
        let smooth = smoothed(&problem, &path);
        let after = outside(&problem, &smooth[9]);
        assert!(after <= within, "{after} m, where {within} m are allowed");
    }
}
