//! Which links of the shipped characters must stay apart, and what files and programs may say of it.

use std::path::Path;

use clamber_io::{builtin, parse_character};
use clamber_model::Configuration;
use clamber_model::character::{Character, CharacterDescription, CharacterError, SelfCollisionRules};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::self_collision::{SelfCollisionWorkspace, is_free, is_free_between, worst_hit};

mod shipped;

/// A trunk with two arms of two links each; the forearms lie across the trunk at rest.
const FOLDED: &str = r#"version = 2
name = "folded"
root = "free"
[[link]]
name = "trunk"
mass = 30
capsules = [{ from = [0, 0, 0], to = [0, 0.5, 0], radius = 0.1 }]
[[link]]
name = "upper_arm"
parent = "trunk"
at = [0, 0.5, 0.2]
hinges = [{ name = "shoulder", axis = "z", min = -60, max = 60 }]
mass = 2
capsules = [{ from = [0, 0, 0], to = [0, -0.3, 0], radius = 0.04 }]
[[link]]
name = "forearm"
parent = "upper_arm"
at = [0, -0.3, 0]
hinges = [{ name = "elbow", axis = "x", min = 0, max = 90, rest = 90 }]
mass = 1
capsules = [{ from = [0, 0, 0], to = [0, -0.25, 0], radius = 0.03 }]
[[limb]]
name = "arm"
from = "upper_arm"
to = "forearm"
"#;

/// The character, or the error in one line.
fn parse(text: &str) -> Result<Character, String> {
    let parsed = parse_character(Path::new("folded.toml"), text.as_bytes());
    parsed.map_err(|error| {
        let printed = format!("{:?}", miette::Report::new(error));
        printed.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

fn names(character: &Character) -> Vec<[&str; 2]> {
    let pairs = character.self_collision_pairs().iter();
    pairs.map(|pair| pair.links.map(|link| character.links[link].name.as_str())).collect()
}

#[test]
fn links_that_overlap_at_rest_are_an_error_that_suggests_the_line_to_add() {
    let error = parse(FOLDED).unwrap_err();
    assert!(error.contains("links `trunk` and `forearm` overlap by 0.1300 m in the rest posture"), "{error}");
    assert!(error.contains("allowed = [[\"trunk\", \"forearm\"]]"), "{error}");
    let allowed = format!("{FOLDED}[self_collision]\nallowed = [[\"trunk\", \"forearm\"]]\n");
    assert!(parse(&allowed).unwrap().self_collision_pairs().is_empty());
    // Another rest posture needs no permission, and the pair is checked.
    let unfolded = parse(&FOLDED.replace("rest = 90", "rest = 0")).unwrap();
    assert_eq!(names(&unfolded), [["trunk", "forearm"]]);
    let layered = format!("{FOLDED}[self_collision]\nlayers = [[\"arm\"]]\n");
    assert!(parse(&layered).unwrap().self_collision_pairs().is_empty());
}

#[test]
fn mistakes_in_the_table_are_errors() {
    let cases = [
        ("allowed = [[\"trunk\", \"forarm\"]]", "there is no link `forarm`"),
        ("allowed = [[\"trunk\", \"trunk\"]]", "the link `trunk` is paired with itself"),
        ("layers = [[\"leg\"]]", "there is no limb `leg`"),
        ("layers = [[\"arm\"], [\"arm\"]]", "the limb `arm` is in two layers"),
    ];
    for (line, expected) in cases {
        let error = parse(&format!("{FOLDED}[self_collision]\n{line}\n")).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let old = format!("{FOLDED}[self_collision]\n").replace("version = 2", "version = 1");
    assert!(parse(&old).unwrap_err().contains("`self_collision` is a key of version 2"));
    assert!(parse(&FOLDED.replace("version = 2", "version = 1")).unwrap().self_collision_pairs().is_empty());
}

#[test]
fn rules_of_programs_are_validated_too() {
    type Damage = fn(&mut CharacterDescription);
    let is_refused = |damage: Damage| {
        let mut description = shipped::character("human").description();
        damage(&mut description);
        Character::new(description).unwrap_err()
    };
    let invalid: [Damage; 3] = [
        |human| human.self_collision.as_mut().unwrap().allowed_overlaps.push([LinkId::ROOT, LinkId::new(99)]),
        |human| human.self_collision.as_mut().unwrap().allowed_overlaps.push([LinkId::ROOT; 2]),
        |human| human.self_collision.as_mut().unwrap().layers = vec![vec![LimbId::new(0)], vec![LimbId::new(0)]],
    ];
    for damage in invalid {
        assert!(matches!(is_refused(damage), CharacterError::InvalidSelfCollision { .. }));
    }
    let overlapping = is_refused(|human| human.self_collision = Some(SelfCollisionRules::default()));
    let CharacterError::OverlapAtRest { deepest_pairs, .. } = &overlapping else { panic!("{overlapping}") };
    assert_eq!(deepest_pairs.len(), 3, "{deepest_pairs:?}");
    let mut changed = shipped::character("human");
    changed.self_collision = None;
    assert_eq!(changed.validate(), Err(CharacterError::ChangedAfterBuild));
}

#[test]
fn shipped_characters_are_free_at_rest_and_keep_their_pairs_when_scaled() {
    let mut workspace = SelfCollisionWorkspace::default();
    for name in builtin::character_names() {
        let character = shipped::character(name);
        assert!(is_free(&character, &Configuration::rest(&character), CheckedLinks::All, &mut workspace), "{name}");
        let scaled = character.scaled(3.0).unwrap();
        assert_eq!(scaled.self_collision_pairs(), character.self_collision_pairs(), "{name}");
        assert_eq!(scaled.self_collision, character.self_collision, "{name}");
        assert!(character.self_collision_pairs().is_sorted_by_key(|pair| pair.links), "{name}");
        // The pairs are as symmetric as the body.
        let symmetry = character.symmetry().unwrap();
        for pair in names(&character) {
            let links = pair.map(|link| symmetry.links[character.find_link(link).unwrap()]);
            let image = [links[0].min(links[1]), links[0].max(links[1])];
            assert!(character.self_collision_pairs().iter().any(|pair| pair.links == image), "{name}: {pair:?}");
        }
    }
}

#[test]
fn in_the_plane_a_limb_collides_only_with_itself() {
    let figure = shipped::character("figure");
    for pair in names(&figure) {
        let limbs = pair.map(|link| figure.limb_of_link(figure.find_link(link).unwrap()));
        assert!(limbs[0].is_some() && limbs[0] == limbs[1], "{pair:?}");
    }
    let human = shipped::character("human");
    for expected in [["left_thigh", "right_thigh"], ["pelvis", "left_hand"], ["chest", "right_forearm"]] {
        assert!(names(&human).contains(&expected), "{expected:?}");
    }
    for allowed in [["pelvis", "chest"], ["abdomen", "right_thigh"], ["left_thigh", "left_shin"]] {
        assert!(!names(&human).contains(&allowed), "{allowed:?}");
    }
}

/// The human with its legs apart by this many radians; negative crosses them.
fn legs_apart(human: &Character, angle: f32) -> Configuration {
    let mut posture = Configuration::rest(human);
    posture.angles[human.find_hinge("left_hip_spread").unwrap()] = angle;
    posture.angles[human.find_hinge("right_hip_spread").unwrap()] = -angle;
    posture
}

#[test]
fn crossed_legs_are_a_collision_and_so_is_what_crosses_them() {
    let human = shipped::character("human");
    let mut workspace = SelfCollisionWorkspace::default();
    let hit = worst_hit(&human, &legs_apart(&human, -0.2), CheckedLinks::All, 0.0, &mut workspace).unwrap();
    assert!(hit.distance < -0.05, "{hit:?}");
    let [apart, wider] = [0.05, 0.4].map(|angle| legs_apart(&human, angle));
    assert!(is_free_between(&human, [&apart, &wider], CheckedLinks::All, &mut workspace));
    // An arm that swings through the trunk, from in front of it to behind it.
    let swing = |angle: f32| {
        let mut posture = Configuration::rest(&human);
        posture.angles[human.find_hinge("left_shoulder_spread").unwrap()] = -0.6;
        posture.angles[human.find_hinge("left_shoulder_swing").unwrap()] = angle;
        posture
    };
    let [front, back] = [1.4, -1.0].map(swing);
    for end in [&front, &back] {
        assert!(is_free(&human, end, CheckedLinks::All, &mut workspace));
    }
    assert!(!is_free_between(&human, [&front, &back], CheckedLinks::All, &mut workspace));
}

#[test]
fn a_free_step_is_free_at_every_sample() {
    let mut random = clamber_model::rng::Stream::new(1, "steps");
    for name in ["human", "insect", "dog"] {
        let character = shipped::character(name);
        let mut workspace = SelfCollisionWorkspace::default();
        let deepest = -0.002 * character.body_size();
        let (mut free, mut blocked, mut between) = (0, 0, Configuration::rest(&character));
        for _ in 0..150 {
            let mut ends = [Configuration::rest(&character), Configuration::rest(&character)];
            for (index, hinge) in character.hinges.iter_enumerated() {
                let share = random.uniform() * random.uniform();
                ends[0].angles[index] += share * (random.between(hinge.min, hinge.max) - hinge.rest);
                let change = random.between(-0.4, 0.4);
                ends[1].angles[index] = (ends[0].angles[index] + change).clamp(hinge.min, hinge.max);
            }
            let is_step_free = is_free_between(&character, ends.each_ref(), CheckedLinks::All, &mut workspace);
            *(if is_step_free { &mut free } else { &mut blocked }) += 1;
            let mut worst: Option<f32> = None;
            for sample in 0..=100 {
                between.interpolate(&ends[0], &ends[1], sample as f32 / 100.0);
                let hit = worst_hit(&character, &between, CheckedLinks::All, deepest, &mut workspace);
                worst = worst.or(hit.map(|hit| hit.distance));
            }
            assert!(!is_step_free || worst.is_none(), "{name}: {worst:?}");
        }
        assert!(free > 10 && blocked > 10, "{name}: {free} and {blocked}");
    }
}
