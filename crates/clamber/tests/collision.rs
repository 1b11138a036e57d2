//! Collision checks of configurations and of motions between them.

mod common;

use clamber::model::character::Capsule;
use clamber::model::configuration::link_motion_bounds;
use clamber::model::id::TiVec;
use clamber::model::kinematics::{LinkFrames, capsule_in_world, forward};
use clamber::model::math::{Pose, Vec3};
use clamber::model::obstacle_collision::{
    Clearance, CollisionWorkspace, is_free, is_free_after_checked_start, is_free_between, worst_hit,
};
use clamber::model::rng::Stream;
use clamber::model::world::{DistanceFieldSettings, MeshInterior, Obstacle, Space};
use clamber::model::{Character, Configuration, Problem, World};
use common::scene;

fn displaced(problem: &Problem, from: &Configuration, random: &mut Stream, amount: f32) -> Configuration {
    let mut to = from.clone();
    let displacement: Vec<f32> =
        (0..problem.character.degrees_of_freedom()).map(|_| random.between(-amount, amount)).collect();
    to.displace(&problem.character, &displacement);
    to
}

fn nearest(world: &World, character: &Character, frames: &LinkFrames) -> f32 {
    (0..character.capsules.len())
        .map(|index| capsule_in_world(character, frames, index))
        .map(|capsule| world.capsule_distance(&capsule, 1.0, MeshInterior::Solid).distance)
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn a_step_through_a_thin_wall_is_not_free() {
    // The thesis' bound of two cells per step would let a limb pass through walls thinner than a cell.
    let problem = scene("flight").problem;
    let wall = Obstacle::cuboid("sheet", Pose::translation(3.0, 2.0, 0.0), Vec3::new(0.001, 4.0, 2.0)).unwrap();
    let world = World::from_obstacles(
        Space::Planar,
        vec![wall],
        Vec3::ZERO,
        Vec3::new(6.0, 4.0, 0.0),
        &DistanceFieldSettings::default(),
    );
    let mut workspace = CollisionWorkspace::default();
    let at = |x: f32| Configuration {
        root: Configuration::planar_root_pose(x, 2.0, 0.0, true),
        ..Configuration::rest(&problem.character)
    };
    let (left, right) = (at(2.5), at(3.5));
    let clearance = Clearance::default().scaled(problem.character.body_size());
    for side in [&left, &right] {
        assert!(is_free(&world, &problem.character, side, clearance.margin, &mut workspace));
    }
    assert!(!is_free_between(&world, &problem.character, &left, &right, &clearance, &mut workspace));
    assert!(is_free_between(&world, &problem.character, &left, &at(2.2), &clearance, &mut workspace));
}

#[test]
fn a_capsule_deep_inside_a_solid_mesh_is_not_free() {
    // A capsule entirely inside a mesh touches none of its triangles.
    let problem = scene("flight").problem;
    let mut workspace = CollisionWorkspace::default();
    let inside = Configuration {
        root: Configuration::planar_root_pose(3.0, 5.0, 1.5, true),
        ..Configuration::rest(&problem.character)
    };
    assert!(!is_free(&problem.world, &problem.character, &inside, 0.0, &mut workspace));
    let hit = worst_hit(&problem.world, &problem.character, &inside, 0.0, &mut workspace).unwrap();
    assert_eq!(problem.world.obstacles[hit.obstacle].name, "ceiling");
    assert!(hit.distance < -0.2, "{hit:?}");
}

#[test]
fn a_free_step_keeps_the_margin_minus_the_slack_everywhere() {
    for (name, steps) in [("flight", 1500), ("flight-human", 300), ("flight-insect", 300)] {
        let problem = scene(name).problem;
        let Problem { world, character, .. } = &problem;
        let clearance = Clearance::default().scaled(character.body_size());
        let mut random = Stream::new(3, "steps");
        let mut workspace = CollisionWorkspace::default();
        let mut frames = LinkFrames::default();
        let mut between = problem.start.configuration.clone();
        let mut here = problem.start.configuration.clone();
        let (mut free_steps, mut least) = (0, f32::INFINITY);
        for _ in 0..steps {
            let there = displaced(&problem, &here, &mut random, 0.15);
            let is_free = is_free_between(world, character, &here, &there, &clearance, &mut workspace);
            let is_next_free =
                is_free_after_checked_start(world, character, [&here, &there], &clearance, &mut workspace);
            assert_eq!(
                is_next_free, is_free,
                "{name}: where a step begins that is known to be free changes the answer"
            );
            if !is_free {
                continue;
            }
            free_steps += 1;
            for i in 0..=20 {
                between.interpolate(&here, &there, i as f32 / 20.0);
                forward(character, &between, &mut frames);
                least = least.min(nearest(world, character, &frames));
            }
            here = there;
        }
        assert!(free_steps > steps / 20, "{name}: only {free_steps} of {steps} steps were free");
        // Allows for rounding errors of exact distances.
        assert!(
            least >= clearance.margin - clearance.interpolation_tolerance - 1e-5,
            "{name}: came as near as {least}"
        );
        assert!(least < 0.05, "{name}: the walk never came near anything, so it shows nothing ({least})");
    }
}

#[test]
fn a_configuration_is_free_exactly_when_exact_distances_allow_it() {
    for name in ["flight", "cave", "flight-human", "flight-insect"] {
        let problem = scene(name).problem;
        let Problem { world, character, .. } = &problem;
        let mut random = Stream::new(5, "free");
        let mut workspace = CollisionWorkspace::default();
        let mut frames = LinkFrames::default();
        let (mut free, mut count) = (0, 0);
        for _ in 0..400 {
            let mut at = displaced(&problem, &problem.start.configuration, &mut random, 0.6);
            let part = |random: &mut Stream, k: usize| random.between(world.min[k], world.max[k]);
            at.root.translation = Vec3::new(part(&mut random, 0), part(&mut random, 1), part(&mut random, 2));
            forward(character, &at, &mut frames);
            let distance = nearest(world, character, &frames);
            if (distance - 0.003).abs() < 1e-4 {
                continue;
            }
            count += 1;
            free += usize::from(distance > 0.003);
            assert_eq!(
                is_free(world, character, &at, 0.003, &mut workspace),
                distance > 0.003,
                "{name}: {distance} at {at:?}"
            );
        }
        assert!(free > count / 20 && free < count, "{name}: {free} of {count} are free, which tries one side only");
    }
}

#[test]
fn the_distance_field_never_overestimates_clearance() {
    for name in ["flight", "flight-human", "flight-insect"] {
        let world = scene(name).problem.world;
        let mut random = Stream::new(9, "field");
        let mut place = || Vec3::from_array([0, 1, 2].map(|k| random.between(world.min[k], world.max[k] + 1e-6)));
        let mut useful = 0;
        for _ in 0..3000 {
            let (a, b) = (place(), place());
            let capsule = Capsule { a, b: a + (b - a).clamp_length_max(0.4), radius: 0.05 };
            let promised = world.distance_field.capsule_lower_bound(&capsule);
            let true_distance = world.capsule_distance(&capsule, 10.0, MeshInterior::Solid).distance;
            // Deep inside solids the exact depth is an estimate too, so only the sign matters.
            let bound = if true_distance < 0.0 { 0.0 } else { true_distance };
            // Exact distances are rounded down by their accuracy.
            let accuracy = 1e-4 + 1.2e-3 * (bound + capsule.radius);
            assert!(promised <= bound + accuracy, "{name}: {promised} > {true_distance} for {capsule:?}");
            useful += usize::from(promised > 0.0);
        }
        assert!(useful > 300, "{name}: the field answers only {useful} of 3000");
    }
}

#[test]
fn no_point_moves_farther_than_the_bound() {
    for name in ["flight", "flight-human", "flight-insect"] {
        let problem = scene(name).problem;
        let character = &problem.character;
        let mut random = Stream::new(11, "bound");
        let mut frames = LinkFrames::default();
        let mut bounds = TiVec::new();
        let mut tightest = f32::INFINITY;
        for _ in 0..100 {
            let from = displaced(&problem, &problem.start.configuration, &mut random, 1.0);
            let to = displaced(&problem, &from, &mut random, 0.5);
            link_motion_bounds(character, &from, &to, &mut bounds);
            let mut ways = vec![[0.0; 2]; character.capsules.len()];
            let mut before: Vec<Capsule> = Vec::new();
            let mut between = from.clone();
            for i in 0..=50 {
                between.interpolate(&from, &to, i as f32 / 50.0);
                forward(character, &between, &mut frames);
                let now: Vec<Capsule> =
                    (0..ways.len()).map(|index| capsule_in_world(character, &frames, index)).collect();
                for ((way, before), now) in ways.iter_mut().zip(&before).zip(&now) {
                    way[0] += (now.a - before.a).length();
                    way[1] += (now.b - before.b).length();
                }
                before = now;
            }
            for (index, way) in ways.iter().enumerate() {
                let bound = bounds[character.link_of_capsule[index]];
                let way = way[0].max(way[1]);
                assert!(way <= bound * 1.001 + 1e-4, "{name}: capsule {index} moved {way}, bound {bound}");
                tightest = tightest.min(bound / way);
            }
        }
        assert!(tightest < 1.5, "{name}: the bound is never tight ({tightest}), and so costs needless work");
    }
}

/// The vertices and outward triangles of a cube with this half side.
fn cube(center: Vec3, half: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corners: Vec<Vec3> = (0..8)
        .map(|bits| Vec3::new((bits & 1) as f32, (bits >> 1 & 1) as f32, (bits >> 2 & 1) as f32))
        .map(|corner| center + half * (2.0 * corner - Vec3::ONE))
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (corners, quads.iter().flat_map(|q: &[u32; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect())
}

fn joined((mut vertices, mut triangles): (Vec<Vec3>, Vec<[u32; 3]>), other: (Vec<Vec3>, Vec<[u32; 3]>)) -> Obstacle {
    let first = vertices.len() as u32;
    vertices.extend(other.0);
    triangles.extend(other.1.iter().map(|t| t.map(|index| first + index)));
    Obstacle::mesh("mesh", vertices, triangles).unwrap()
}

fn cells_of(side: f32) -> DistanceFieldSettings {
    let mut settings = DistanceFieldSettings::default();
    settings.cell_size = side;
    settings
}

fn distance_to(obstacle: &Obstacle, place: Vec3) -> f32 {
    let settings = cells_of(1.0);
    let world =
        World::from_obstacles(Space::Spatial, vec![obstacle.clone()], Vec3::splat(-4.0), Vec3::splat(4.0), &settings);
    world.point_distance(place).distance
}

#[test]
fn overlapping_shells_of_one_mesh_are_solid_throughout() {
    // Near a face that lies inside the other shell, that face alone would say "outside".
    let heap = joined(cube(Vec3::ZERO, 1.0), cube(Vec3::new(1.2, 0.0, 0.0), 1.0));
    assert!(heap.is_solid() && heap.bounding_boxes().count() == 2);
    for x in [-0.9, 0.1, 0.3, 0.9, 1.1, 2.1] {
        assert!(distance_to(&heap, Vec3::new(x, 0.0, 0.0)) < 0.0, "at x = {x}");
    }
    assert!(distance_to(&heap, Vec3::new(2.3, 0.0, 0.0)) > 0.0);
}

#[test]
fn a_cavity_is_free_and_an_inverted_shell_is_flipped() {
    let (vertices, mut triangles) = cube(Vec3::ZERO, 1.0);
    triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let room = joined(cube(Vec3::ZERO, 2.0), (vertices.clone(), triangles.clone()));
    assert!(distance_to(&room, Vec3::ZERO) > 0.9);
    assert!(distance_to(&room, Vec3::new(1.5, 0.0, 0.0)) < 0.0);
    let turned = Obstacle::mesh("mesh", vertices, triangles).unwrap();
    assert!(distance_to(&turned, Vec3::ZERO) < -0.9);
}

#[test]
fn blocks_that_share_a_face_or_an_edge_stay_solid() {
    // Merged at their common corners, every side on the shared edges belongs to four triangles.
    for second in [Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 2.0, 0.0), Vec3::new(2.0, 2.0, 2.0)] {
        let blocks = joined(cube(Vec3::ZERO, 1.0), cube(second, 1.0));
        assert!(blocks.is_solid() && blocks.bounding_boxes().count() == 2, "{second}: {blocks:?}");
        assert!(distance_to(&blocks, Vec3::ZERO) < -0.9, "{second}");
        assert!(distance_to(&blocks, second) < -0.9, "{second}");
        assert!(distance_to(&blocks, Vec3::new(-1.5, 0.0, 0.0)) > 0.4, "{second}");
    }
}

#[test]
fn an_inverted_shell_outside_a_concave_mesh_is_no_cavity() {
    // Its box lies in the box of the L, but not in the L.
    let ell = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let ell = Obstacle::polygon("ell", &ell, -1.0, 1.0).unwrap();
    let vertices: Vec<Vec3> = ell.triangles().into_iter().flatten().collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let (boulder, mut inside_out) = cube(Vec3::new(2.0, 2.0, 0.0), 0.5);
    inside_out.iter_mut().for_each(|t| t.swap(1, 2));
    let both = joined((vertices, triangles), (boulder, inside_out));
    assert!(distance_to(&both, Vec3::new(2.0, 2.0, 0.0)) < -0.4);
    assert!(distance_to(&both, Vec3::new(1.25, 2.0, 0.0)) > 0.2);
}

#[test]
fn the_deepest_solid_counts_whatever_the_order() {
    let shallow = || Obstacle::cuboid("shallow", Pose::translation(-0.95, 0.0, 0.0), Vec3::splat(2.0)).unwrap();
    let (vertices, triangles) = cube(Vec3::ZERO, 2.0);
    let deep = || Obstacle::mesh("deep", vertices.clone(), triangles.clone()).unwrap();
    let settings = cells_of(0.5);
    let capsule = Capsule { a: Vec3::new(3.0, 0.0, 0.0), b: Vec3::ZERO, radius: 0.1 };
    for obstacles in [vec![shallow(), deep()], vec![deep(), shallow()]] {
        let world = World::from_obstacles(Space::Spatial, obstacles, Vec3::splat(-4.0), Vec3::splat(4.0), &settings);
        let nearest = world.capsule_distance(&capsule, 0.0, MeshInterior::Solid);
        assert!(nearest.distance < -1.9, "{nearest:?}");
        assert_eq!(world.obstacles[nearest.obstacle.unwrap()].name, "deep");
        let at_origin = world.point_distance(Vec3::ZERO);
        assert!((at_origin.distance + 2.0).abs() < 1e-3, "{at_origin:?}");
        assert!(!world.distance_field.proves_clearance(&Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: 0.1 }, -1.0));
    }
}

#[test]
fn nan_configurations_are_not_free() {
    let problem = scene("flight").problem;
    let Problem { world, character, start, .. } = &problem;
    let start = &start.configuration;
    let mut workspace = CollisionWorkspace::default();
    let mut lost = start.clone();
    lost.root.translation.x = f32::NAN;
    for clearance in [Clearance::default(), Clearance { margin: -0.01, interpolation_tolerance: f32::NAN }] {
        assert!(!is_free_between(world, character, start, &lost, &clearance, &mut workspace));
    }
}

#[test]
fn an_open_mesh_is_a_surface() {
    let (vertices, mut triangles) = cube(Vec3::ZERO, 1.0);
    triangles.pop();
    let open = Obstacle::mesh("mesh", vertices, triangles).unwrap();
    assert!(!open.is_solid());
    assert!(distance_to(&open, Vec3::ZERO) > 0.9);
}

#[test]
fn a_box_and_its_mesh_have_equal_distances() {
    let (corners, triangles) = cube(Vec3::ZERO, 1.0);
    let settings = cells_of(0.5);
    let world = |obstacle| {
        World::from_obstacles(Space::Spatial, vec![obstacle], Vec3::splat(-4.0), Vec3::splat(4.0), &settings)
    };
    let mesh = Obstacle::mesh("mesh", corners, triangles).unwrap();
    assert!(mesh.is_solid());
    let (boxed, meshed) = (world(Obstacle::cuboid("box", Pose::IDENTITY, Vec3::splat(2.0)).unwrap()), world(mesh));
    let mut random = Stream::new(1, "capsules");
    let mut overlapping = 0;
    for _ in 0..2000 {
        let mut point = || Vec3::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0), random.between(-3.0, 3.0));
        let a = point();
        let capsule = Capsule { a, b: a + 0.2 * point(), radius: 0.3 };
        let of = |world: &World| world.capsule_distance(&capsule, 5.0, MeshInterior::Solid).distance;
        let (box_distance, mesh_distance) = (of(&boxed), of(&meshed));
        let tolerance = 1e-4 + 1.2e-3 * (box_distance.abs() + capsule.radius);
        assert!((box_distance - mesh_distance).abs() < tolerance, "{box_distance} {mesh_distance} {capsule:?}");
        overlapping += usize::from(box_distance < 0.0);
    }
    assert!(overlapping > 100);
}
