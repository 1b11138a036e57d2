//! Guards what `benches/postures_from_rest` measures, with fewer stances.

#[path = "../benches/postures_from_rest/feasible_stances.rs"]
mod feasible_stances;
#[path = "../benches/postures_from_rest/judge.rs"]
mod judge;
#[path = "equilibrium/random_body.rs"]
mod random_body;
#[path = "../benches/postures_from_rest/solve.rs"]
mod solve;

use clamber::io::builtin;
use clamber::model::Character;
use clamber::posture::solver::StanceSolver;
use feasible_stances::FeasibleStance;

/// Stances per character.
const STANCES: u64 = 300;

#[test]
fn every_stance_has_a_posture_and_is_reproducible() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let character = builtin::character(name).unwrap();
        let empty = random_body::empty_world(&character);
        for number in 0..STANCES {
            let FeasibleStance { stance, world, witness } = feasible_stances::draw(&character, &empty, None, number);
            assert_eq!(judge::lack(&character, &world, &witness, &stance), None, "{name} {number}");
            assert_eq!(feasible_stances::draw(&character, &empty, None, number).stance, stance);
        }
    }
}

/// The shares of stances that are solved from one start and with restarts.
fn shares(character: &Character) -> [f64; 2] {
    let empty = random_body::empty_world(character);
    let mut solver = StanceSolver::new(character);
    let mut solved = [0; 2];
    for number in 0..STANCES {
        let FeasibleStance { stance, world, .. } = feasible_stances::draw(character, &empty, None, number);
        for (count, restarts) in solved.iter_mut().zip([0, 20]) {
            let posture = solve::solve(&mut solver, character, &world, &stance, restarts);
            *count += u64::from(judge::lack(character, &world, &posture, &stance).is_none());
        }
    }
    solved.map(|count| count as f64 / STANCES as f64)
}

#[test]
fn stances_are_solved_from_rest() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let [one, many] = shares(&builtin::character(name).unwrap());
        assert!(one > 0.87 && many > 0.985, "{name}: {one} from one start, {many} with restarts");
    }
}

#[test]
fn bodies_of_any_size_are_solved_alike() {
    let human = builtin::character("human").unwrap();
    let expected = shares(&human);
    for height in [0.3, 6.0] {
        let found = shares(&human.scaled(height / 1.75).unwrap());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.02, "{height} m: {found}, not {expected}");
        }
    }
}
