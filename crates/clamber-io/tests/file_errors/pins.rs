//! Mistakes in pinned and forbidden holds.

use crate::files::check;

#[test]
fn forbidden_holds_exist_and_are_not_used_elsewhere() {
    check(
        |files| &mut files.walk,
        &[
            ("\"floor 5\"", "\"flor 5\"", "scenes/walk.toml:6:14: there is no hold `flor 5` | did you mean `floor 5`?"),
            (
                "\"floor 5\"",
                "\"somewhere else\"",
                "scenes/walk.toml:6:14: there is no hold `somewhere else` | hold names look like `floor 1`; or give a \
                 point with `near`",
            ),
            (
                "\"floor 5\"",
                "5",
                "scenes/walk.toml:6:14: expected a hold's name in quotes, or a table such as { near = [1.0, 2.5] }, \
                 found the number 5",
            ),
            ("{ near = [5.3", "{ nar = [5.3", "scenes/walk.toml:6:27: unknown key `nar` | did you mean `near`?"),
            (
                "near = [5.3, 0.1]",
                "near = [5.3, 0.7]",
                "scenes/walk.toml:6:25: no hold is near this point: the nearest, `floor 2` at [5.250, 0.000], is 0.702 \
                 m away \
                 | give a point within 0.2 m of a hold, or add a hold",
            ),
            (
                "\"floor 5\"",
                "\"stone\"",
                "scenes/walk.toml:6:14: hold `stone` is forbidden, but the start has `left_foot` on it | allow the \
                 hold, or choose another contact",
            ),
            (
                "\"floor 5\"",
                "{ near = [4.2, 0] }",
                "scenes/walk.toml:6:14: hold `rail` is forbidden, but the goal has `left_foot` on it | allow the hold, \
                 or choose another contact",
            ),
            (
                "\"floor 5\"",
                "\"floor 8\"",
                "scenes/walk.toml:6:14: hold `floor 8` is forbidden, but the passage `glide` has `left_foot` on \
                 it | allow the hold, or choose another contact",
            ),
        ],
    );
}

#[test]
fn pins_need_a_hold_that_an_effector_can_use() {
    check(
        |files| &mut files.walk,
        &[
            (
                "\"floor 5\"",
                "\"floor 7\"",
                "scenes/walk.toml:6:14: hold `floor 7` is pinned and forbidden | remove one of the two",
            ),
            (
                "hold = \"floor 7\"\n",
                "",
                "scenes/walk.toml:49:1: a pin needs exactly one of `hold` and `near` | `hold` is the name of a hold, \
                 `near` a point",
            ),
            (
                "hold = \"floor 7\"",
                "hold = \"floor77\"",
                "scenes/walk.toml:50:8: there is no hold `floor77` | did you mean `floor 7`?",
            ),
            (
                "near = [4.5, 0]",
                "near = [4.5, 0, 1]",
                "scenes/walk.toml:54:8: holds of a planar character lie in the plane z = 0 | give two coordinates",
            ),
            (
                "effector = \"right_foot\"",
                "effector = \"right_fot\"",
                "scenes/walk.toml:51:12: there is no effector `right_fot` | did you mean `right_foot`?",
            ),
            (
                "effector = \"right_foot\"",
                "effector = \"belly\"",
                "scenes/walk.toml:51:12: effector `belly` is in no group of the mode table, so it never makes contact \
                 | use one of `left_foot`, `right_foot`, `left_shin_bone`",
            ),
            (
                "near = [4.5, 0]",
                "near = [4.5, 0]\neffector = \"left_shin_bone\"",
                "scenes/walk.toml:55:12: no mode lets `left_shin_bone` use a hybrid hold such as `rail` | \
                 pin another hold, or add the type to a mode's `carry`",
            ),
            ("near = [4.5, 0]", "nea = [4.5, 0]", "scenes/walk.toml:54:1: unknown key `nea` | did you mean `near`?"),
        ],
    );
}

#[test]
fn pins_need_a_mode_table() {
    check(
        |files| &mut files.scene,
        &[(
            "[goal]\n",
            "[[hold]]\nat = [1, 2]\nnormal = [0, 1]\n[[pin]]\nhold = \"hold 1\"\n[goal]\n",
            "scenes/gate.toml:25:1: pins need a mode table, but this character has none | set `modes` to the path of a \
             mode table, or save one next to the character file, as in figure.modes.toml",
        )],
    );
}
