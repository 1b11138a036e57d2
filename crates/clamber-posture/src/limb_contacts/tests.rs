use clamber_model::character::{Effector, RootJoint};
use clamber_model::id::EffectorId;
use clamber_model::kinematics::link_pose;
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::obstacle_collision::{self, Clearance, CollisionWorkspace};
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration, World};

use super::contact_candidates::{ContactFinder, ContactScene};
use super::database::LimbDatabase;
use super::scan::scan_candidates;
use super::stance_request::StanceRequest;
use super::surface_tree::SurfaceTree;
use super::touch::ContactTask;
use super::whole_stance::StanceChooser;

/// A room with a table and a slanted board, in sizes of the body.
fn room(character: &Character) -> World {
    let size = character.body_size();
    let at = |x: f32, y: f32, z: f32| Pose::from_translation(Vec3::new(x, y, z) * size);
    let board = Pose::from_parts(Vec3::new(-0.7, 0.5, 0.3) * size, rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7));
    World::spatial_builder(Vec3::splat(-3.0) * size, Vec3::splat(3.0) * size)
        .cuboid("floor", at(0.0, -0.1, 0.0), Vec3::new(4.0, 0.2, 4.0) * size)
        .cuboid("wall", at(0.8, 1.0, 0.0), Vec3::new(0.2, 2.0, 3.0) * size)
        .cuboid("table", at(0.4, 0.6, -0.6), Vec3::new(0.6, 0.1, 0.5) * size)
        .cuboid("board", board, Vec3::new(0.5, 0.05, 0.9) * size)
        .hold_everywhere("floor")
        .hold_everywhere("wall")
        .hold_everywhere("table")
        .hold_everywhere("board")
        .build()
        .unwrap()
}

/// The body at rest, its lowest effector on the floor, displaced and turned at random.
fn random_placement(character: &Character, stream: &mut Stream) -> Configuration {
    let mut configuration = Configuration::rest(character);
    let bottom = |effector: EffectorId| {
        let Effector { link, center, radius, .. } = &character.effectors[effector];
        (link_pose(character, &configuration, *link) * *center).y - radius
    };
    let lowest = character.effectors.keys().map(bottom).fold(f32::INFINITY, f32::min);
    let size = character.body_size();
    let offset = Vec3::new(stream.between(-0.3, 0.3), stream.between(-0.1, 0.1), stream.between(-0.3, 0.3));
    configuration.root.translation = offset * size - Vec3::Y * lowest;
    let heading = stream.between(-3.0, 3.0);
    if character.root_joint == RootJoint::Planar {
        configuration.root.translation.z = 0.0;
    } else {
        configuration.root.rotation = rotation_about(Vec3::Y, heading);
    }
    configuration
}
const TASKS: [ContactTask; 4] = [
    ContactTask { direction: Vec3::Y, pushes: false },
    ContactTask { direction: Vec3::X, pushes: false },
    ContactTask { direction: Vec3::X, pushes: true },
    ContactTask { direction: Vec3::NEG_Y, pushes: false },
];

#[test]
fn the_index_returns_what_a_scan_returns_in_the_same_order() {
    let mut total = 0;
    for name in ["human", "insect", "dog", "spider", "figure"] {
        let character = clamber_testing::character(name);
        let world = room(&character);
        let surfaces = SurfaceTree::new(&world);
        let (count, more) = (1500, 700);
        let database = LimbDatabase::new(&character, count);
        let scene = ContactScene { character: &character, world: &world, database: &database, surfaces: &surfaces };
        let mut finder = ContactFinder::new(&character);
        let mut stream = Stream::new(7, name);
        for effector in character.effectors.keys().filter(|&effector| character.effectors[effector].limb.is_some()) {
            for task in TASKS {
                let configuration = random_placement(&character, &mut stream);
                let mut candidates = finder.candidates(scene, &configuration, effector, task).unwrap();
                let found: Vec<_> = std::iter::from_fn(|| candidates.next_touching()).collect();
                let expected = scan_candidates(scene, &configuration, effector, task, count as u32);
                assert_eq!(found, expected, "{name} {effector:?} {task:?}");
                total += found.len();
                // Samples beyond those of the database.
                let mut candidates = finder.candidates(scene, &configuration, effector, task).unwrap();
                candidates.consider_more(more);
                let found: Vec<_> = std::iter::from_fn(|| candidates.next_touching()).collect();
                assert_eq!(
                    found,
                    scan_candidates(scene, &configuration, effector, task, count as u32 + more),
                    "{name}"
                );
            }
        }
    }
    assert!(total > 5000, "{total}");
}

#[test]
fn valid_candidates_are_on_their_holds_and_free_of_collisions() {
    for name in ["human", "insect", "figure"] {
        let character = clamber_testing::character(name);
        let world = room(&character);
        let surfaces = SurfaceTree::new(&world);
        let database = LimbDatabase::new(&character, 3000);
        let scene = ContactScene { character: &character, world: &world, database: &database, surfaces: &surfaces };
        let mut finder = ContactFinder::new(&character);
        let mut collision = CollisionWorkspace::default();
        let margin = Clearance::ON_CONTACTS.for_contacts_in(&world, &character).margin;
        let (mut stream, mut total) = (Stream::new(3, name), 0);
        for effector in character.effectors.keys() {
            let Some(limb) = character.effectors[effector].limb else { continue };
            let given = random_placement(&character, &mut stream);
            let mut candidates = finder.candidates(scene, &given, effector, ContactTask::moving(Vec3::Y)).unwrap();
            let mut last = f32::INFINITY;
            for _ in 0..10 {
                let Some(candidate) = candidates.next_valid() else { break };
                let configuration = candidates.configuration();
                assert!(candidate.ratio <= last);
                last = candidate.ratio;
                configuration.check(&character).unwrap();
                let slip = clamber_testing::slip(&character, configuration, &[candidate.contact]);
                assert!(slip <= 1e-3 * character.body_size(), "{name}: {slip}");
                for (hinge, angle) in configuration.angles.iter_enumerated() {
                    let is_of_limb = character.limbs[limb].links.contains(&character.hinges[hinge].link);
                    assert!(is_of_limb || *angle == given.angles[hinge]);
                }
                let hit = obstacle_collision::worst_hit(&world, &character, configuration, margin, &mut collision);
                let is_of_limb = |link| character.limbs[limb].links.contains(&link);
                assert!(!hit.is_some_and(|hit| is_of_limb(hit.link)), "{name}: {hit:?}");
                total += 1;
            }
        }
        assert!(total > 10, "{name}: {total}");
    }
}

#[test]
fn unknown_effectors_other_characters_and_worlds_without_holds_have_no_candidates() {
    let human = clamber_testing::character("human");
    let world = World::spatial_builder(Vec3::splat(-3.0), Vec3::splat(3.0)).build().unwrap();
    let (surfaces, database) = (SurfaceTree::new(&world), LimbDatabase::new(&human, 100));
    let scene = ContactScene { character: &human, world: &world, database: &database, surfaces: &surfaces };
    let mut finder = ContactFinder::new(&human);
    let rest = Configuration::rest(&human);
    for (effector, described) in human.effectors.iter_enumerated() {
        let candidates = finder.candidates(scene, &rest, effector, ContactTask::moving(Vec3::Y));
        assert_eq!(candidates.is_some(), described.limb.is_some());
        let Some(mut candidates) = candidates else { continue };
        candidates.consider_more(100);
        assert_eq!(candidates.next_valid(), None);
    }
    assert_eq!(database.sample_count(EffectorId::new(99)), 0);
    assert!(finder.candidates(scene, &rest, EffectorId::new(99), ContactTask::moving(Vec3::Y)).is_none());
    let insect = LimbDatabase::new(&clamber_testing::character("insect"), 100);
    let scene = ContactScene { database: &insect, ..scene };
    assert!(finder.candidates(scene, &rest, EffectorId::new(0), ContactTask::moving(Vec3::Y)).is_none());
}

#[test]
fn chosen_stances_exert_nearly_as_much_as_the_best_of_all_combinations() {
    let human = clamber_testing::character("human");
    let world = room(&human);
    let (surfaces, database) = (SurfaceTree::new(&world), LimbDatabase::new(&human, 5000));
    let scene = ContactScene { character: &human, world: &world, database: &database, surfaces: &surfaces };
    let mut finder = ContactFinder::new(&human);
    let effectors: Vec<EffectorId> =
        ["left_hand", "left_sole", "right_sole"].map(|name| human.find_effector(name).unwrap()).to_vec();
    let mut stream = Stream::new(5, "stances");
    let mut compared = 0;
    for task in TASKS {
        for _ in 0..2 {
            let mut request = StanceRequest::new(random_placement(&human, &mut stream), effectors.clone(), task);
            request.candidates_per_effector = 4;
            request.comfort = 0.0;
            let mut chooser = StanceChooser::new(scene, &mut finder, &request);
            let [chosen, best] = [chooser.choose(), chooser.choose_exhaustively()];
            let rank = |found: super::ChosenStance| found.force.map_or(f64::NEG_INFINITY, |force| force.rank(&human));
            let [chosen, best] = [chosen, best].map(rank);
            assert!(chosen >= best - 0.05 * best.abs(), "{task:?}: {chosen} {best}");
            compared += usize::from(best > 0.0);
        }
    }
    assert!(compared >= 2, "{compared}");
}
