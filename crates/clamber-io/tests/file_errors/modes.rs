//! Mistakes in mode tables.

use crate::files::check;

#[test]
fn the_table_is_of_the_character() {
    check(
        |files| &mut files.modes,
        &[
            (
                "version = 1",
                "version = 2",
                "scenes/walker.modes.toml:1:11: version 2 of this format is not known | this program reads version \
                 1",
            ),
            (
                "character = \"walker.toml\"",
                "character = \"runner\"",
                "scenes/walker.modes.toml:2:13: the table is for `runner`, and the character is `walker` | give \
                 the character's name, or that of its file",
            ),
            (
                "trunk = \"trunk\"",
                "trunk = \"trnk\"",
                "scenes/walker.modes.toml:5:9: there is no link `trnk` | did you mean `trunk`?",
            ),
            (
                "head = \"trunk\"",
                "head = \"skull\"",
                "scenes/walker.modes.toml:6:8: there is no link `skull` | known here: `trunk`, `left_thigh`, \
                 `left_shin`, `right_thigh`, `right_shin`",
            ),
            (
                "\"left_leg\", \"right_leg\"",
                "\"left_leg\", \"left_arm\"",
                "scenes/walker.modes.toml:7:21: there is no limb `left_arm` | did you mean `left_leg`?",
            ),
            (
                "\"left_leg\", \"right_leg\"",
                "\"left_leg\", \"left_leg\"",
                "scenes/walker.modes.toml:7:21: the limb `left_leg` is named already | a limb is an arm or a leg, \
                 and only once",
            ),
            (
                "legs = [",
                "wings = [",
                "scenes/walker.modes.toml:7:1: unknown key `wings` | known here: `trunk`, `head`, `arms`, `legs`",
            ),
        ],
    );
}

#[test]
fn groups_are_of_effectors_that_stand_in_for_each_other() {
    check(
        |files| &mut files.modes,
        &[
            (
                "\"left_foot\", \"right_foot\"",
                "\"left_foot\", \"right_fot\"",
                "scenes/walker.modes.toml:10:22: there is no effector `right_fot` | did you mean `right_foot`?",
            ),
            (
                "\"left_foot\", \"right_foot\"",
                "\"left_foot\", \"left_shin_bone\"",
                "scenes/walker.modes.toml:10:22: the effectors `left_foot` and `left_shin_bone` are on one limb | \
                 effectors of a group stand in for each other; put them into groups of their own",
            ),
            (
                "\"left_foot\", \"right_foot\"",
                "\"left_foot\", \"left_foot\"",
                "scenes/walker.modes.toml:10:22: the effector `left_foot` is named twice | effectors of a group \
                 stand in for each other; put them into groups of their own",
            ),
            (
                "\"left_foot\", \"right_foot\"",
                "\"belly\"",
                "scenes/walker.modes.toml:10:9: the effector `belly` is on no limb | a group is of effectors at \
                 the ends of limbs, which reach for holds",
            ),
            (
                "[\"left_shin_bone\"]",
                "[]",
                "scenes/walker.modes.toml:11:9: the group `bones` is empty | name its effectors, or leave it out",
            ),
        ],
    );
}

#[test]
fn modes_carry_with_groups_on_holds() {
    check(
        |files| &mut files.modes,
        &[
            (
                "name = \"kneeling\"",
                "name = \"walking\"",
                "scenes/walker.modes.toml:22:8: the name `walking` is taken already | give each a name of its own",
            ),
            (
                "name = \"kneeling\"",
                "name = \"flying\"",
                "scenes/walker.modes.toml:22:8: `flying` is a mode that every character has | give it another name",
            ),
            (
                "carry = { feet = [\"load-bearing\"] }",
                "carry = { foot = [\"load-bearing\"] }",
                "scenes/walker.modes.toml:15:11: there is no group `foot` | did you mean `feet`?",
            ),
            (
                "carry = { feet = [\"load-bearing\"] }",
                "carry = { feet = [\"loadbearing\"] }",
                "scenes/walker.modes.toml:15:19: unknown value `loadbearing` | did you mean `load-bearing`?",
            ),
            (
                "carry = { feet = [\"load-bearing\"] }",
                "carry = { feet = [] }",
                "scenes/walker.modes.toml:15:18: no type of hold is named | name at least one of `load-bearing`, \
                 `pendent`, `hybrid`",
            ),
            (
                "upright-spine = 2",
                "upright_spine = 2",
                "scenes/walker.modes.toml:17:29: there is no heuristic `upright_spine` | did you mean \
                 `upright-spine`?",
            ),
            (
                "upright-spine = 2",
                "upright-spine = -2",
                "scenes/walker.modes.toml:17:45: a weight must not be less than 0",
            ),
            (
                "comfort = 1.5",
                "comfort = 0.5",
                "scenes/walker.modes.toml:18:11: `comfort` must not be less than 1 | the discomfort of the most \
                 comfortable posture is 1",
            ),
            (
                "comfort = 1.5",
                "comfot = 1.5",
                "scenes/walker.modes.toml:18:1: unknown key `comfot` | did you mean `comfort`?",
            ),
            (
                "between = \"feet\", within = 0.05",
                "between = \"foot\", within = 0.05",
                "scenes/walker.modes.toml:19:23: there is no group `foot` | did you mean `feet`?",
            ),
            (
                "between = \"feet\", within = 0.05",
                "between = \"bones\", within = 0.05",
                "scenes/walker.modes.toml:19:23: `bones` do not carry in this mode | the centre of mass is \
                 balanced between groups that `carry` names",
            ),
            (
                "between = \"feet\", within = 0.05",
                "between = \"feet\", within = -0.05",
                "scenes/walker.modes.toml:19:40: a distance must not be less than 0",
            ),
            (
                "least_contacts = 2",
                "least_contacts = 4",
                "scenes/walker.modes.toml:24:18: 4 contacts cannot be the fewest | what `carry` names can hold on \
                 with 1 to 3 effectors",
            ),
            (
                "least_contacts = 2",
                "least_contacts = 0",
                "scenes/walker.modes.toml:24:18: 0 contacts cannot be the fewest | what `carry` names can hold on \
                 with 1 to 3 effectors",
            ),
            (
                "name = \"sliding\"",
                "name = \"sliding\"\nleast_contacts = 1",
                "scenes/walker.modes.toml:28:18: 1 contacts cannot be the fewest | a mode without `carry` has \
                 none; leave `least_contacts` out",
            ),
            (
                "least_contacts = 2",
                "least_contacts = -1",
                "scenes/walker.modes.toml:24:18: found the number -1 where a whole number from 0 up should be",
            ),
        ],
    );
}

#[test]
fn edges_lead_from_mode_to_mode() {
    check(
        |files| &mut files.modes,
        &[
            (
                "to = \"kneeling\"",
                "to = \"kneling\"",
                "scenes/walker.modes.toml:40:6: there is no mode `kneling` | did you mean `kneeling`?",
            ),
            (
                "from = \"kneeling\"",
                "from = \"standing\"",
                "scenes/walker.modes.toml:47:8: there is no mode `standing` | did you mean `sliding`?",
            ),
            (
                "name = \"kneel\"",
                "name = \"step\"",
                "scenes/walker.modes.toml:38:8: the name `step` is taken already | give each a name of its own",
            ),
            ("name = \"kneel\"\n", "", "scenes/walker.modes.toml:37:1: the key `name` is missing | add `name` here"),
            ("name = \"kneel\"", "name = \"\"", "scenes/walker.modes.toml:38:8: a name must not be empty"),
            (
                "do = [{ back_up",
                "od = [{ back_up",
                "scenes/walker.modes.toml:43:1: unknown key `od` | did you mean `do`?",
            ),
        ],
    );
}

#[test]
fn conditions_are_words_of_the_table() {
    check(
        |files| &mut files.modes,
        &[
            (
                "\"head_over_hip\"",
                "\"head-over-hip\"",
                "scenes/walker.modes.toml:41:63: unknown value `head-over-hip` | did you mean `head_over_hip`?",
            ),
            (
                "\"head_over_hip\"",
                "3",
                "scenes/walker.modes.toml:41:63: found the number 3 where a word in quotes or a table in braces \
                 should be",
            ),
            (
                "failed = \"step\", times = 2",
                "failed = \"stp\", times = 2",
                "scenes/walker.modes.toml:41:20: there is no edge `stp` | did you mean `step`?",
            ),
            (
                "failed = \"step\", times = 2",
                "failed = \"step\"",
                "scenes/walker.modes.toml:41:9: `failed` needs `times` | add `times` within the braces",
            ),
            (
                "failed = \"step\", times = 2",
                "times = 2",
                "scenes/walker.modes.toml:41:9: this says no condition | known here: `no_progress`, `advanced`, \
                 `all_hold`, `holds_on`, `upright`, `way_is_behind`, `way_goes_down`, `failed`, `center_between`",
            ),
            (
                "no_progress = 10",
                "no_progress = 10, times = 2",
                "scenes/walker.modes.toml:41:69: `times` belongs to `failed`, which is not here | leave it out",
            ),
            ("no_progress = 10", "no_progress = 0", "scenes/walker.modes.toml:41:57: this must be at least 1"),
            (
                "no_progress = 10",
                "no_progress = -10",
                "scenes/walker.modes.toml:41:57: found the number -10 where a whole number from 0 up should be",
            ),
            (
                "no_progress = 10",
                "no_progress = 10, advanced = 1",
                "scenes/walker.modes.toml:41:41: these are several conditions: `no_progress`, `advanced` | give \
                 each braces of its own",
            ),
            (
                "no_progress = 10",
                "progress = 10",
                "scenes/walker.modes.toml:41:43: unknown key `progress` | did you mean `no_progress`?",
            ),
            (
                "{ no_progress = 10 }",
                "{}",
                "scenes/walker.modes.toml:41:41: this says no condition | known here: `no_progress`, `advanced`, \
                 `all_hold`, `holds_on`, `upright`, `way_is_behind`, `way_goes_down`, `failed`, `center_between`",
            ),
            ("advanced = 0.5", "advanced = -0.5", "scenes/walker.modes.toml:49:22: a distance must not be less than 0"),
            (
                "all_hold = \"feet\"",
                "all_hold = \"hands\"",
                "scenes/walker.modes.toml:49:42: there is no group `hands` | known here: `feet`, `bones`",
            ),
            (
                "holds_on = \"load-bearing\"",
                "holds_on = \"load\"",
                "scenes/walker.modes.toml:49:65: unknown value `load` | known here: `load-bearing`, `pendent`, \
                 `hybrid`",
            ),
            (
                "way_is_behind = 0.3",
                "way_is_behind = \"far\"",
                "scenes/walker.modes.toml:49:101: found the text \"far\" where a number from -100000 to 100000 \
                 should be",
            ),
            (
                "center_between = \"feet\", within = 0.02",
                "center_between = \"feet\"",
                "scenes/walker.modes.toml:35:10: `center_between` needs `within` | add `within` within the braces",
            ),
            (
                "center_between = \"feet\", within = 0.02",
                "center_between = \"feet\", within = -1",
                "scenes/walker.modes.toml:35:46: a distance must not be less than 0",
            ),
        ],
    );
}

#[test]
fn takes_name_groups_and_holds() {
    check(
        |files| &mut files.modes,
        &[
            (
                "with = [\"feet\"], on",
                "with = [\"foot\"], on",
                "scenes/walker.modes.toml:33:19: there is no group `foot` | did you mean `feet`?",
            ),
            (
                "with = [\"feet\"], on",
                "with = [], on",
                "scenes/walker.modes.toml:33:18: nothing takes the hold | name at least one group, as in with = \
                 [\"feet\"]",
            ),
            (
                "with = [\"feet\"], on",
                "with = [\"feet\", \"feet\"], on",
                "scenes/walker.modes.toml:33:27: the group is named twice | leave one out",
            ),
            (
                "with = [\"feet\"], on = [\"load-bearing\"]",
                "with = [\"feet\"], on = []",
                "scenes/walker.modes.toml:33:33: no type of hold is named | name at least one of `load-bearing`, \
                 `pendent`, `hybrid`",
            ),
            (
                "apart = { feet = 0.2 }",
                "apart = { hands = 0.2 }",
                "scenes/walker.modes.toml:33:76: there is no group `hands` | known here: `feet`, `bones`",
            ),
            (
                "apart = { feet = 0.2 }",
                "apart = { feet = -0.2 }",
                "scenes/walker.modes.toml:33:83: a distance must not be less than 0",
            ),
            (
                "below = \"hip\"",
                "below = \"hips\"",
                "scenes/walker.modes.toml:33:98: unknown value `hips` | did you mean `hip`?",
            ),
            (
                "nearer = true",
                "near = true",
                "scenes/walker.modes.toml:33:51: unknown key `near` | did you mean `nearer`?",
            ),
            (
                "left_by = \"feet\"",
                "left_by = \"foot\"",
                "scenes/walker.modes.toml:42:62: there is no group `foot` | did you mean `feet`?",
            ),
            (
                "left_by = \"feet\"",
                "left_by = \"bones\"",
                "scenes/walker.modes.toml:42:62: `left_by` is for edges that back up | add { back_up = \"bones\" } \
                 to `do`, before \"attach\"",
            ),
        ],
    );
}

#[test]
fn effects_are_words_of_the_table() {
    check(
        |files| &mut files.modes,
        &[
            (
                "correct = \"walking\"",
                "correct = \"waking\"",
                "scenes/walker.modes.toml:34:29: there is no mode `waking` | did you mean `walking`?",
            ),
            (
                "{ detach = \"feet\" }",
                "{ detach = \"foot\" }",
                "scenes/walker.modes.toml:34:53: there is no group `foot` | did you mean `feet`?",
            ),
            (
                "{ detach = \"feet\" }",
                "\"detach\"",
                "scenes/walker.modes.toml:34:42: `detach` needs braces, as in { detach = ... }",
            ),
            (
                "{ detach = \"feet\" }",
                "{ detatch = \"feet\" }",
                "scenes/walker.modes.toml:34:44: unknown key `detatch` | did you mean `detach`?",
            ),
            (
                "{ detach = \"feet\" }",
                "{ detach = \"feet\", then = \"feet\" }",
                "scenes/walker.modes.toml:34:68: `then` belongs to `detach_stretched`, which is not here | leave \
                 it out",
            ),
            (
                "{ correct = \"walking\" }, { detach = \"feet\" }",
                "{ correct = \"walking\", detach = \"feet\" }",
                "scenes/walker.modes.toml:34:17: these are several effects: `correct`, `detach` | give each braces \
                 of its own",
            ),
            (
                ", otherwise = \"feet\"",
                "",
                "scenes/walker.modes.toml:50:7: `detach_stretched` needs `otherwise` | add `otherwise` within the \
                 braces",
            ),
            (
                "detach_stretched = 0.7",
                "detach_stretched = 1.7",
                "scenes/walker.modes.toml:50:28: a share is a number from 0 to 1 | 1 is as far apart as hands and \
                 feet can be",
            ),
            (
                "do = [\"attach\", {",
                "do = [{",
                "scenes/walker.modes.toml:33:9: the hold is found and not taken | add \"attach\" to `do`",
            ),
            (
                "take = [{ with = [\"feet\"], on = [\"load-bearing\"], nearer = true, apart = { feet = 0.2 }, \
                 below = \"hip\" }]\n",
                "",
                "scenes/walker.modes.toml:33:7: there is nothing to attach to | add `take`, the holds to be found, \
                 or leave \"attach\" out",
            ),
            (
                "\"wander\", \"attach\"]",
                "\"attach\", \"wander\"]",
                "scenes/walker.modes.toml:43:39: `wander` must come before `attach` | it wanders until the holds \
                 of `take` can be reached, so \"attach\" comes after it",
            ),
            (
                "\"wander\", \"attach\"]",
                "\"wander\", \"attach\", \"attach\"]",
                "scenes/walker.modes.toml:43:49: `attach` is there twice | one brings all effectors to their holds",
            ),
            (
                "do = [{ back_up = \"feet\" }, \"wander\", \"attach\"]",
                "do = [\"attach\", { back_up = \"feet\" }]",
                "scenes/walker.modes.toml:42:62: `left_by` is for edges that back up | add { back_up = \"feet\" } \
                 to `do`, before \"attach\"",
            ),
            (
                "{ detach_rear = \"feet\" }]",
                "{ detach_rear = \"feet\" }, \"wander\"]",
                "scenes/walker.modes.toml:50:97: `wander` must come before `attach` | it wanders until the holds \
                 of `take` can be reached, so \"attach\" comes after it",
            ),
        ],
    );
}
