//! Mistakes in roles, landmarks, the symmetry, and what mode tables of version 2 say of them.

use std::path::Path;

use clamber_io::{FileError, parse_character, parse_modes};

const HOPPER: &str = r#"version = 2
name = "hopper"
root = "free"
[body]
trunk = "trunk"
span = ["legs", "legs"]
[roles]
legs = ["left_leg", "right_leg"]
[landmarks]
hip = { middle_of = "legs" }
top = { joint = "trunk" }
[symmetry]
limbs = [["left_leg", "right_leg"]]
[[link]]
name = "trunk"
mass = 30
capsules = [{ from = [0, 0, 0], to = [0, 0.5, 0], radius = 0.1 }]
[[link]]
name = "left_thigh"
parent = "trunk"
at = [0, 0, -0.1]
hinges = [{ name = "left_hip", axis = "x", min = -20, max = 60 }]
mass = 5
[[link]]
name = "right_thigh"
parent = "trunk"
at = [0, 0, 0.1]
hinges = [{ name = "right_hip", axis = "x", min = -60, max = 20 }]
mass = 5
[[limb]]
name = "left_leg"
from = "left_thigh"
to = "left_thigh"
side = "left"
[[limb]]
name = "right_leg"
from = "right_thigh"
to = "right_thigh"
side = "right"
[[effector]]
name = "left_foot"
link = "left_thigh"
center = [0, -0.4, 0]
radius = 0.05
[[effector]]
name = "right_foot"
link = "right_thigh"
center = [0, -0.4, 0]
radius = 0.05
"#;

const MODES: &str = r#"version = 2
character = "hopper"
[heuristics]
upright = { upright = ["hip", "top"] }
knees = { bent = ["legs"] }
swing = { swing = "legs", against = "legs" }
hang = { hold = "legs", above = "top", hang = "legs", below = "hip" }
[groups]
feet = ["left_foot", "right_foot"]
[[mode]]
name = "hopping"
carry = { feet = ["load-bearing"] }
heuristics = { upright = 1, knees = 2 }
walking_gait = { swing = "legs", level = ["trunk"] }
[[edge]]
name = "hop"
from = "hopping"
to = "hopping"
when = [{ higher = "top", than = "hip" }, { room_above = "legs", or_at = "hip" }]
take = [{ with = ["feet"], on = ["load-bearing"], above = "top" }]
do = ["attach"]
after = [{ upright = 40, line = ["hip", "top"] }]
"#;

fn read(character: &str, modes: &str) -> Result<(), FileError> {
    let hopper = parse_character(Path::new("hopper.toml"), character.as_bytes())?;
    parse_modes(Path::new("hopper.modes.toml"), modes.as_bytes(), &hopper, Path::new("hopper.toml")).map(drop)
}

fn answer(error: &FileError) -> String {
    format!("{error} | {}", error.help.as_deref().unwrap_or_default())
}

#[test]
fn good_files_of_version_2_are_accepted() {
    read(HOPPER, MODES).unwrap_or_else(|error| panic!("{}", answer(&error)));
}

#[test]
fn mistakes_in_the_roles_of_a_character_are_placed() {
    for (good, bad, expected) in [
        ("version = 2", "version = 1", "hopper.toml:4:1: `body` is a key of version 2 | set `version` to 2"),
        ("trunk = \"trunk\"", "trunk = \"trnk\"", "hopper.toml:5:9: there is no link `trnk` | did you mean `trunk`?"),
        (
            "[\"legs\", \"legs\"]",
            "[\"legs\", \"arms\"]",
            "hopper.toml:6:17: there is no role `arms` | expected one of `legs`",
        ),
        (
            "legs = [\"left_leg\", ",
            "legs = [\"left_lag\", ",
            "hopper.toml:8:9: there is no limb `left_lag` | did you mean `left_leg`?",
        ),
        (
            "legs = [\"left_leg\", ",
            "legs = [\"right_leg\", ",
            "hopper.toml:8:22: the limb `right_leg` appears twice | list it once",
        ),
        (
            "legs = [\"left_leg\", \"right_leg\"]\n[l",
            "legs = []\n[l",
            "hopper.toml:8:8: the role `legs` has no limbs | list its limbs, or remove the role",
        ),
        (
            "{ joint = \"trunk\" }",
            "{ joint = \"trunk\", middle_of = \"legs\" }",
            "hopper.toml:11:7: a landmark needs either `joint` or `middle_of` | write { joint = \"head\" } or { middle_of = \
             \"legs\" }",
        ),
        (
            "[[\"left_leg\", \"right_leg\"]]",
            "[[\"left_leg\", \"left_leg\"]]",
            "hopper.toml:13:23: the limb `left_leg` appears twice | list it once",
        ),
        (
            "max = 60",
            "max = 50",
            "hopper.toml:22:20: `left_hip` is not symmetric: its mirror image has other limits or another rest angle | \
             correct it or its mirror image, pair other limbs in [symmetry], or remove [symmetry]",
        ),
    ] {
        assert_eq!(HOPPER.matches(good).count(), 1, "{good}");
        let error = read(&HOPPER.replace(good, bad), MODES).expect_err(bad);
        assert_eq!(answer(&error), expected);
    }
}

fn assert_error_of_table(good: &str, bad: &str, expected: &str) {
    assert_eq!(MODES.matches(good).count(), 1, "{good}");
    let error = read(HOPPER, &MODES.replace(good, bad)).expect_err(bad);
    assert_eq!(answer(&error), expected);
}

#[test]
fn leans_backward_count_no_less_than_forward() {
    assert_error_of_table(
        "{ upright = [\"hip\", \"top\"] }",
        "{ upright = [\"hip\", \"top\"], backward = 0.5 }",
        "hopper.modes.toml:4:50: `backward` must not be less than 1 | 1 is as much as forward",
    );
    assert_error_of_table(
        "{ bent = [\"legs\"] }",
        "{ bent = [\"legs\"], backward = 2 }",
        "hopper.modes.toml:5:39: `backward` belongs to `upright`, which is missing | remove it",
    );
}

#[test]
fn a_table_refers_to_what_its_character_states() {
    for (good, bad, expected) in [
        (
            "version = 2",
            "version = 1",
            "hopper.modes.toml:1:11: the key `body` is missing | add [body], or set `version` to 2 and state the body in the \
             character's file",
        ),
        (
            "[groups]",
            "[body]\ntrunk = \"trunk\"\nhead = \"trunk\"\n[groups]",
            "hopper.modes.toml:8:1: `body` is a key of version 1 | move it to [body], [roles] and [landmarks] of the \
             character's file",
        ),
        (
            "{ upright = [\"hip\", \"top\"] }",
            "{ upright = [\"hip\", \"tip\"] }",
            "hopper.modes.toml:4:31: there is no landmark `tip` | did you mean `hip`?",
        ),
        (
            "{ bent = [\"legs\"] }",
            "{ aligned = \"trunk\" }",
            "hopper.modes.toml:5:21: the root has no parent that it could be aligned with | name another link",
        ),
        ("[\"legs\"]", "[\"lags\"]", "hopper.modes.toml:5:19: there is no role `lags` | did you mean `legs`?"),
        (
            ", against = \"legs\"",
            "",
            "hopper.modes.toml:6:9: `swing` needs `against` | add `against` inside the braces",
        ),
        ("knees = 2", "knee = 2", "hopper.modes.toml:13:29: there is no heuristic `knee` | did you mean `knees`?"),
        (
            "walking_gait = { swing = \"legs\", level = [\"trunk\"] }",
            "gait = true",
            "hopper.modes.toml:14:8: `gait` is a key of version 1 | write walking_gait = { swing = \"arms\", level = \
             [\"head\"] }, with a role and links of the character",
        ),
        (
            "{ higher = \"top\", than = \"hip\" }",
            "\"head_over_hip\"",
            "hopper.modes.toml:19:9: this is a condition of version 1 | write { room_above = \"legs\", or_at = \"hip\" } or \
             { higher = \"head\", than = \"hip\" }, with roles and landmarks of the character",
        ),
        (
            ", line = [\"hip\", \"top\"]",
            "",
            "hopper.modes.toml:22:10: `upright` needs `line` | add `line` inside the braces",
        ),
        (
            "above = \"top\" }]",
            "above = \"head\" }]",
            "hopper.modes.toml:20:59: there is no landmark `head` | expected one of `hip`, `top`",
        ),
    ] {
        assert_error_of_table(good, bad, expected);
    }
    let start = HOPPER.find("[body]").unwrap();
    let end = HOPPER.find("[[link]]").unwrap();
    let error = read(&[&HOPPER[..start], &HOPPER[end..]].concat(), MODES).unwrap_err();
    assert_eq!(
        answer(&error),
        "hopper.modes.toml:4:24: there is no landmark `hip` | state it in [landmarks] of the character's file"
    );
}
