//! Mistakes in mode tables.

use crate::files::check;

#[test]
fn the_table_matches_the_character() {
    check(
        |files| &mut files.modes,
        &[
            (
                "version = 1",
                "version = 3",
                "scenes/walker.modes.toml:1:11: version 3 of this format is not supported | this program reads versions \
                 1 to 2",
            ),
            (
                "character = \"walker.toml\"",
                "character = \"runner\"",
                "scenes/walker.modes.toml:2:13: the table is for character `runner`, not `walker` | set `character` to \
                 the name of the character or of its file",
            ),
            (
                "trunk = \"trunk\"",
                "trunk = \"trnk\"",
                "scenes/walker.modes.toml:5:9: there is no link `trnk` | did you mean `trunk`?",
            ),
            (
                "head = \"trunk\"",
                "head = \"skull\"",
                "scenes/walker.modes.toml:6:8: there is no link `skull` | expected one of `trunk`, `left_thigh`, \
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
                "scenes/walker.modes.toml:7:21: the limb `left_leg` appears twice | list each limb once, as an arm or \
                 as a leg",
            ),
            (
                "legs = [",
                "wings = [",
                "scenes/walker.modes.toml:7:1: unknown key `wings` | expected one of `trunk`, `head`, `arms`, `legs`",
            ),
        ],
    );
}

#[test]
fn groups_hold_effectors_on_different_limbs() {
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
                "scenes/walker.modes.toml:10:22: the effectors `left_foot` and `left_shin_bone` are on the same limb | \
                 effectors of a group are interchangeable and on different limbs; use separate groups",
            ),
            (
                "\"left_foot\", \"right_foot\"",
                "\"left_foot\", \"left_foot\"",
                "scenes/walker.modes.toml:10:22: the effector `left_foot` appears twice | effectors of a group are \
                 interchangeable and on different limbs; use separate groups",
            ),
            (
                "\"left_foot\", \"right_foot\"",
                "\"belly\"",
                "scenes/walker.modes.toml:10:9: the effector `belly` belongs to no limb | use effectors on limbs: only \
                 limbs reach for holds",
            ),
            (
                "[\"left_shin_bone\"]",
                "[]",
                "scenes/walker.modes.toml:11:9: the group `bones` is empty | list its effectors, or remove the group",
            ),
        ],
    );
}

#[test]
fn modes_need_unique_names_known_groups_and_valid_weights() {
    check(
        |files| &mut files.modes,
        &[
            (
                "name = \"kneeling\"",
                "name = \"walking\"",
                "scenes/walker.modes.toml:22:8: the name `walking` is already in use | choose a unique name",
            ),
            (
                "name = \"kneeling\"",
                "name = \"flying\"",
                "scenes/walker.modes.toml:22:8: `flying` is a predefined mode | choose another name",
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
                "scenes/walker.modes.toml:15:18: the list of hold types is empty | list at least one of \
                 `load-bearing`, `pendent`, `hybrid`",
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
                "scenes/walker.modes.toml:17:45: a weight must not be negative | write 0 or more",
            ),
            (
                "comfort = 1.5",
                "comfort = 0.5",
                "scenes/walker.modes.toml:18:11: `comfort` must not be less than 1 | the most comfortable posture has \
                 discomfort 1",
            ),
        ],
    );
}

#[test]
fn modes_need_valid_comfort_balance_and_contact_counts() {
    check(
        |files| &mut files.modes,
        &[
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
                "scenes/walker.modes.toml:19:23: the group `bones` is not in `carry` | balance on a group that `carry` \
                 lists",
            ),
            (
                "between = \"feet\", within = 0.05",
                "between = \"feet\", within = -0.05",
                "scenes/walker.modes.toml:19:40: a distance must not be negative | write 0 or more",
            ),
            (
                "least_contacts = 2",
                "least_contacts = 4",
                "scenes/walker.modes.toml:24:18: `least_contacts` cannot be 4 | the groups in `carry` allow 1 to 3 \
                 contacts",
            ),
            (
                "least_contacts = 2",
                "least_contacts = 0",
                "scenes/walker.modes.toml:24:18: `least_contacts` cannot be 0 | the groups in `carry` allow 1 to 3 \
                 contacts",
            ),
            (
                "name = \"sliding\"",
                "name = \"sliding\"\nleast_contacts = 1",
                "scenes/walker.modes.toml:28:18: `least_contacts` cannot be 1 | a mode without `carry` has no \
                 contacts; remove `least_contacts`",
            ),
            (
                "least_contacts = 2",
                "least_contacts = -1",
                "scenes/walker.modes.toml:24:18: expected a whole number that is not negative, found the number -1",
            ),
        ],
    );
}

#[test]
fn edges_connect_known_modes() {
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
                "scenes/walker.modes.toml:38:8: the name `step` is already in use | choose a unique name",
            ),
            (
                "name = \"kneel\"\n",
                "",
                "scenes/walker.modes.toml:37:1: the key `name` is missing | add `name = ...` here",
            ),
            (
                "name = \"kneel\"",
                "name = \"\"",
                "scenes/walker.modes.toml:38:8: the name is empty | write a name between the quotes",
            ),
            (
                "do = [{ back_up",
                "od = [{ back_up",
                "scenes/walker.modes.toml:43:1: unknown key `od` | did you mean `do`?",
            ),
        ],
    );
}

#[test]
fn conditions_need_known_keywords_and_companion_keys() {
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
                "scenes/walker.modes.toml:41:63: expected a keyword in quotes or a table in braces, found the number 3",
            ),
            (
                "failed = \"step\", times = 2",
                "failed = \"stp\", times = 2",
                "scenes/walker.modes.toml:41:20: there is no edge `stp` | did you mean `step`?",
            ),
            (
                "failed = \"step\", times = 2",
                "failed = \"step\"",
                "scenes/walker.modes.toml:41:9: `failed` needs `times` | add `times` inside the braces",
            ),
            (
                "failed = \"step\", times = 2",
                "times = 2",
                "scenes/walker.modes.toml:41:9: the condition is empty | expected one of `no_progress`, `advanced`, \
                 `all_hold`, `any_hold`, `holds_on`, `upright`, `stretched`, `way_is_behind`, `way_goes_down`, `failed`, `center_between`, \
                 `higher`, `room_above`, `equilibrium`",
            ),
            (
                "no_progress = 10",
                "no_progress = 10, times = 2",
                "scenes/walker.modes.toml:41:69: `times` belongs to `failed`, which is missing | remove it",
            ),
            (
                "no_progress = 10",
                "stretched = 0.6",
                "scenes/walker.modes.toml:41:41: `stretched` needs `limbs` | add `limbs` inside the braces",
            ),
            (
                "no_progress = 10",
                "stretched = 1.6, limbs = \"legs\"",
                "scenes/walker.modes.toml:41:55: a fraction must be from 0 to 1 | 1 is the length of the limb",
            ),
            (
                "comfort = 1.5",
                "speed = 0",
                "scenes/walker.modes.toml:18:9: a speed must be greater than 0 | write a positive number",
            ),
            (
                "no_progress = 10",
                "no_progress = 0",
                "scenes/walker.modes.toml:41:57: this must be at least 1 | write a positive whole number",
            ),
            (
                "no_progress = 10",
                "no_progress = -10",
                "scenes/walker.modes.toml:41:57: expected a whole number that is not negative, found the number -10",
            ),
            (
                "no_progress = 10",
                "no_progress = 10, advanced = 1",
                "scenes/walker.modes.toml:41:41: several conditions in one table: `no_progress`, `advanced` | put each \
                 into its own braces",
            ),
        ],
    );
}

#[test]
fn conditions_need_one_key_and_values_in_range() {
    check(
        |files| &mut files.modes,
        &[
            (
                "no_progress = 10",
                "progress = 10",
                "scenes/walker.modes.toml:41:43: unknown key `progress` | did you mean `no_progress`?",
            ),
            (
                "{ no_progress = 10 }",
                "{}",
                "scenes/walker.modes.toml:41:41: the condition is empty | expected one of `no_progress`, `advanced`, \
                 `all_hold`, `any_hold`, `holds_on`, `upright`, `stretched`, `way_is_behind`, `way_goes_down`, `failed`, `center_between`, \
                 `higher`, `room_above`, `equilibrium`",
            ),
            (
                "advanced = 0.5",
                "advanced = -0.5",
                "scenes/walker.modes.toml:49:22: a distance must not be negative | write 0 or more",
            ),
            (
                "all_hold = \"feet\"",
                "all_hold = \"hands\"",
                "scenes/walker.modes.toml:49:42: there is no group `hands` | expected one of `feet`, `bones`",
            ),
            (
                "holds_on = \"load-bearing\"",
                "holds_on = \"load\"",
                "scenes/walker.modes.toml:49:65: unknown value `load` | expected one of `load-bearing`, `pendent`, \
                 `hybrid`",
            ),
            (
                "way_is_behind = 0.3",
                "way_is_behind = \"far\"",
                "scenes/walker.modes.toml:49:101: expected a number from -100000 to 100000, found the text \"far\"",
            ),
            (
                "center_between = \"feet\", within = 0.02",
                "center_between = \"feet\"",
                "scenes/walker.modes.toml:35:10: `center_between` needs `within` | add `within` inside the braces",
            ),
            (
                "center_between = \"feet\", within = 0.02",
                "center_between = \"feet\", within = -1",
                "scenes/walker.modes.toml:35:46: a distance must not be negative | write 0 or more",
            ),
        ],
    );
}

#[test]
fn several_effectors_of_a_group_take_holds_together() {
    check(
        |files| &mut files.modes,
        &[
            (
                "with = [\"feet\"], on",
                "with = [\"bones\"], together = true, on",
                "scenes/walker.modes.toml:33:40: the group `bones` has one effector, which moves alone | remove \
                 `together`, or name a group of those that move together",
            ),
            (
                "with = [\"feet\"], on",
                "with = [\"feet\"], together = \"yes\", on",
                "scenes/walker.modes.toml:33:39: expected a boolean, found the text \"yes\"",
            ),
            (
                "with = [\"feet\"], on",
                "with = [\"feet\"], together = true, left_by = \"feet\", on",
                "scenes/walker.modes.toml:33:55: several effectors cannot take one hold | remove `together` or `left_by`: \
                 the hold that was left is for one effector",
            ),
        ],
    );
}

#[test]
fn takes_need_known_groups_and_hold_types() {
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
                "scenes/walker.modes.toml:33:18: no group takes the hold | list at least one group, as in with = \
                 [\"feet\"]",
            ),
            (
                "with = [\"feet\"], on",
                "with = [\"feet\", \"feet\"], on",
                "scenes/walker.modes.toml:33:27: the group appears twice | remove one",
            ),
            (
                "with = [\"feet\"], on = [\"load-bearing\"]",
                "with = [\"feet\"], on = []",
                "scenes/walker.modes.toml:33:33: the list of hold types is empty | list at least one of \
                 `load-bearing`, `pendent`, `hybrid`",
            ),
            (
                "apart = { feet = 0.2 }",
                "apart = { hands = 0.2 }",
                "scenes/walker.modes.toml:33:76: there is no group `hands` | expected one of `feet`, `bones`",
            ),
            (
                "apart = { feet = 0.2 }",
                "apart = { feet = -0.2 }",
                "scenes/walker.modes.toml:33:83: a distance must not be negative | write 0 or more",
            ),
            (
                "below = \"hip\"",
                "below = \"hips\"",
                "scenes/walker.modes.toml:33:98: there is no landmark `hips` | did you mean `hip`?",
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
                "scenes/walker.modes.toml:42:62: `left_by` needs an edge that backs up | add { back_up = \"bones\" } \
                 to `do`, before \"attach\"",
            ),
        ],
    );
}

#[test]
fn effects_need_known_names_and_one_key() {
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
                "scenes/walker.modes.toml:34:68: `then` belongs to `detach_stretched`, which is missing | remove it",
            ),
            (
                "{ correct = \"walking\" }, { detach = \"feet\" }",
                "{ correct = \"walking\", detach = \"feet\" }",
                "scenes/walker.modes.toml:34:17: several effects in one table: `correct`, `detach` | put each into its \
                 own braces",
            ),
            (
                ", otherwise = \"feet\"",
                "",
                "scenes/walker.modes.toml:50:7: `detach_stretched` needs `otherwise` | add `otherwise` inside the \
                 braces",
            ),
            (
                "detach_stretched = 0.7",
                "detach_stretched = 1.7",
                "scenes/walker.modes.toml:50:28: a fraction must be from 0 to 1 | 1 is the span of the \
                 body, its greatest possible stretch",
            ),
        ],
    );
}

#[test]
fn effects_must_not_contradict_each_other() {
    check(
        |files| &mut files.modes,
        &[
            (
                "do = [\"attach\", {",
                "do = [{",
                "scenes/walker.modes.toml:33:9: the hold is never attached to | add \"attach\" to `do`",
            ),
            (
                "take = [{ with = [\"feet\"], on = [\"load-bearing\"], nearer = true, apart = { feet = 0.2 }, \
                 below = \"hip\" }]\n",
                "",
                "scenes/walker.modes.toml:33:7: there is nothing to attach to | add `take` with the holds to find, or \
                 remove \"attach\"",
            ),
            (
                "\"wander\", \"attach\"]",
                "\"attach\", \"wander\"]",
                "scenes/walker.modes.toml:43:39: `wander` must come before `attach` | move \"wander\" before \
                 \"attach\": it moves the body until the holds of `take` are in reach",
            ),
            (
                "\"wander\", \"attach\"]",
                "\"wander\", \"attach\", \"attach\"]",
                "scenes/walker.modes.toml:43:49: `attach` appears twice | keep one: it moves all effectors to their \
                 holds",
            ),
            (
                "do = [{ back_up = \"feet\" }, \"wander\", \"attach\"]",
                "do = [\"attach\", { back_up = \"feet\" }]",
                "scenes/walker.modes.toml:42:62: `left_by` needs an edge that backs up | add { back_up = \"feet\" } \
                 to `do`, before \"attach\"",
            ),
            (
                "{ detach_rear = \"feet\" }]",
                "{ detach_rear = \"feet\" }, \"wander\"]",
                "scenes/walker.modes.toml:50:97: `wander` must come before `attach` | move \"wander\" before \
                 \"attach\": it moves the body until the holds of `take` are in reach",
            ),
        ],
    );
}
