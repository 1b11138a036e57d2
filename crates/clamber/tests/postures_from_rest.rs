//! The random stances with which `benches/postures_from_rest` measures the posture solver.

#[path = "../benches/postures_from_rest/feasible_stances.rs"]
mod feasible_stances;
#[path = "../benches/postures_from_rest/judge.rs"]
mod judge;
#[path = "equilibrium/random_body.rs"]
mod random_body;

use clamber::io::builtin;
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
