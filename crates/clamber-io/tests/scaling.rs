//! Scaled problems are the same problems at another size.

use clamber_io::Scene;
use clamber_model::Problem;
use clamber_model::character::CharacterError;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::Vec3;

const FACTOR: f32 = 2.5;

fn is_close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs()))
}

fn scaled(name: &str) -> [Problem; 2] {
    let problem = Scene::builtin(name).unwrap().problem;
    let scaled = problem.scaled(FACTOR).unwrap();
    [problem, scaled]
}

#[test]
fn a_scaled_character_has_scaled_lengths_masses_and_limits() {
    let [problem, scaled] = scaled("climb");
    let (small, large) = (&problem.character, &scaled.character);
    assert!(is_close(large.body_size(), FACTOR * small.body_size()));
    assert!(is_close(large.total_mass, FACTOR * FACTOR * FACTOR * small.total_mass));
    assert!(is_close(large.root_motion_limits.acceleration, small.root_motion_limits.acceleration));
    assert!(is_close(large.root_motion_limits.speed, FACTOR.sqrt() * small.root_motion_limits.speed));
    for (small, large) in small.hinges.iter().zip(&large.hinges) {
        assert_eq!([small.min, small.max, small.rest], [large.min, large.max, large.rest]);
        assert!(is_close(large.max_speed, small.max_speed / FACTOR.sqrt()), "{}", small.name);
    }
    let mut frames = [LinkFrames::default(), LinkFrames::default()];
    for (problem, frames) in [&problem, &scaled].into_iter().zip(&mut frames) {
        forward(&problem.character, &problem.start.configuration, frames);
    }
    for (small, large) in frames[0].world_from_link.iter().zip(&frames[1].world_from_link) {
        assert!((large.translation - small.translation * FACTOR).length() < 1e-4);
    }
}

#[test]
fn distances_in_a_scaled_world_are_scaled() {
    for name in ["climb", "cave", "flight-human"] {
        let [problem, scaled] = scaled(name);
        let (small, large) = (&problem.world, &scaled.world);
        assert_eq!(small.holds.len(), large.holds.len(), "{name}");
        assert_eq!((large.min, large.max), (small.min * FACTOR, small.max * FACTOR), "{name}");
        for step in 0..50 {
            let share = Vec3::new(step as f32 / 50.0, (step * 7 % 50) as f32 / 50.0, (step * 3 % 50) as f32 / 50.0);
            let point = small.min + (small.max - small.min) * share;
            let [near, far] = [small.point_distance(point), large.point_distance(point * FACTOR)];
            assert!(is_close(far.distance, FACTOR * near.distance), "{name}: {near:?} and {far:?} at {point}");
        }
        for (contact, other) in problem.start.stance.iter().zip(&scaled.start.stance) {
            let off = (other.effector_center(&scaled.character) - contact.effector_center(&problem.character) * FACTOR)
                .length();
            assert!(off < 1e-4, "{name}: {off}");
        }
    }
}

#[test]
fn scaling_there_and_back_restores_the_mode_table() {
    let table = Scene::builtin("climb").unwrap().problem.modes.unwrap();
    assert_ne!(table.scaled(4.0).unwrap(), *table);
    // Speeds scale with the square root, which is exact here.
    assert_eq!(table.scaled(4.0).unwrap().scaled(0.25).unwrap(), *table);
}

#[test]
fn factors_that_are_not_positive_numbers_are_errors() {
    let [problem, _] = scaled("climb");
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(problem.scaled(factor), Err(CharacterError::InvalidScale(_))), "{factor}");
        assert!(matches!(problem.character.scaled(factor), Err(CharacterError::InvalidScale(_))), "{factor}");
    }
}
