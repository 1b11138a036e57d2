//! Random stances of every shipped character, for equilibrium.
//!
//! `CLAMBER_STANCES=100000 cargo test --release -p clamber --test equilibrium -- --nocapture` draws that many per character.

mod stances;

use clamber::Character;
use clamber::io::Scene;

/// Stances per character: 1000, or what the environment says.
fn count() -> u64 {
    std::env::var("CLAMBER_STANCES").ok().and_then(|count| count.parse().ok()).unwrap_or(1000)
}

fn character(scene: &str) -> Character {
    Character::clone(&Scene::builtin(scene).unwrap().problem.character)
}

#[test]
fn stances_are_reproducible_and_varied() {
    for scene in ["walk", "walk-human", "flight-insect"] {
        let character = character(scene);
        let empty = stances::empty_world(&character);
        let mut contacts = [0; 7];
        for number in 0..count().min(500) {
            let drawn = stances::draw(&character, &empty, number);
            assert_eq!(drawn.configuration, stances::draw(&character, &empty, number).configuration);
            drawn.configuration.check(&character).unwrap();
            assert!(drawn.stance.iter().all(|contact| contact.point.is_finite() && contact.normal.is_normalized()));
            assert_eq!(drawn.world.holds.len(), drawn.stance.len());
            contacts[drawn.stance.len()] += 1;
        }
        assert!(contacts[1..].iter().all(|&count| count > 30), "{scene}: {contacts:?}");
    }
}
