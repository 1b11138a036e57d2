//! Mistakes in holds, contacts and passages.

use crate::files::check;

#[test]
fn spread_holds_say_how() {
    check(
        |files| &mut files.walk,
        &[
            (
                "every = 0.5",
                "every = 0.01",
                "scenes/walk.toml:11:19: holds cannot be 0.01 m apart | at least 0.02 m; or take the whole surface \
                 with { everywhere = true }",
            ),
            (
                "every = 0.5, ",
                "everywhere = false, ",
                "scenes/walk.toml:11:9: `holds` needs exactly one of `every` and `everywhere = true` | leave \
                 `holds` out for an obstacle without any",
            ),
            (
                "every = 0.5, ",
                "every = 0.5, everywhere = true, ",
                "scenes/walk.toml:11:9: `holds` needs exactly one of `every` and `everywhere = true` | leave \
                 `holds` out for an obstacle without any",
            ),
            ("every = 0.5", "evry = 0.5", "scenes/walk.toml:11:11: unknown key `evry` | did you mean `every`?"),
            (
                "types = [\"load-bearing\"]",
                "types = [\"loadbearing\"]",
                "scenes/walk.toml:11:33: unknown value `loadbearing` | did you mean `load-bearing`?",
            ),
            (
                "size = [6, 1] }\nholds = { every = 0.5",
                "size = [60000, 1] }\nholds = { every = 0.1",
                "scenes/walk.toml:11:9: up to here the scene has more than 100000 holds | spread them farther \
                 apart, or take fewer sides with `types`",
            ),
            (
                "holds = { every = 0.5, types = [\"load-bearing\"] }",
                "holds = 0.5",
                "scenes/walk.toml:11:9: found the number 0.5 where a table such as { every = 0.3 } or { everywhere \
                 = true } should be",
            ),
        ],
    );
}

#[test]
fn placed_holds_say_where_they_are() {
    check(
        |files| &mut files.walk,
        &[
            (
                "at = [1, 0.01]",
                "at = [1, 0.25]",
                "scenes/walk.toml:15:6: no surface is at [1.000, 0.250]: the nearest is 0.250 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            (
                "at = [1, 0.01]",
                "at = [1, 0.01, 1]",
                "scenes/walk.toml:15:6: the holds of a planar character are in the plane z = 0 | give two numbers",
            ),
            (
                "at = [1, 0.01]",
                "to = [1, 0.01]",
                "scenes/walk.toml:13:1: hold `stone` needs either `at`, or `from` and `to`",
            ),
            (
                "at = [1.5, 1]\nnormal = [-1, 0]",
                "at = [1.5, 1]",
                "scenes/walk.toml:18:6: no surface is at [1.500, 1.000]: the nearest is 1.000 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            (
                "normal = [-1, 0]",
                "normal = [0, 0]",
                "scenes/walk.toml:19:10: a `normal` of length 0 has no direction | such as [0, 1] for a floor",
            ),
            (
                "to = [5, 0]",
                "to = [5, 0.2]",
                "scenes/walk.toml:23:8: no surface is at [4.500, 0.100]: the nearest is 0.100 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            (
                "to = [5, 0]",
                "to = [4, 0]",
                "scenes/walk.toml:24:6: the line begins and ends at the same place | a point is given with `at`",
            ),
            (
                "type = \"hybrid\"",
                "type = \"hibrid\"",
                "scenes/walk.toml:25:8: unknown value `hibrid` | did you mean `hybrid`?",
            ),
            (
                "name = \"rail\"",
                "name = \"stone\"",
                "scenes/walk.toml:22:8: the name `stone` is taken already | give each hold a name of its own; \
                 those of an obstacle are named after it and counted",
            ),
            (
                "name = \"rail\"",
                "name = \"floor 3\"",
                "scenes/walk.toml:22:8: the name `floor 3` is taken already | give each hold a name of its own; \
                 those of an obstacle are named after it and counted",
            ),
            (
                "name = \"rail\"",
                "name = \"hold 2\"",
                "scenes/walk.toml:22:8: the name `hold 2` is taken already | give each hold a name of its own; \
                 those of an obstacle are named after it and counted",
            ),
        ],
    );
}

#[test]
fn contacts_say_what_they_miss() {
    check(
        |files| &mut files.walk,
        &[
            (
                "left_foot = \"stone\"",
                "left_fot = \"stone\"",
                "scenes/walk.toml:29:14: there is no effector `left_fot` | did you mean `left_foot`?",
            ),
            (
                "left_foot = \"stone\"",
                "left_foot = \"stones\"",
                "scenes/walk.toml:29:26: there is no hold `stones` | did you mean `stone`?",
            ),
            (
                "left_foot = \"stone\"",
                "left_foot = \"somewhere else\"",
                "scenes/walk.toml:29:26: there is no hold `somewhere else` | there are such as `floor 1`; or give \
                 a point",
            ),
            (
                "left_foot = \"stone\"",
                "left_foot = 3",
                "scenes/walk.toml:29:26: found the number 3 where a hold's name in quotes, or a point (such as \
                 [1.0, 2.5]) should be",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [1.25, 0.3]",
                "scenes/walk.toml:29:48: no hold is here: the nearest, `floor 10` at [1.250, 0.000], is 0.300 m \
                 away | give a point within 0.2 m of a hold, or add one",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [1.2, 0, 1]",
                "scenes/walk.toml:29:48: the holds of a planar character are in the plane z = 0 | give two numbers",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [5.8, 0]",
                "scenes/walk.toml:29:14: the start does not reach its contacts: `left_foot` misses by 1.575 m | \
                 move `position` nearer, or choose holds that are nearer to each other",
            ),
            (
                "right_foot = [1.2, 0]",
                "left_shin_bone = [1.5, 1]",
                "scenes/walk.toml:29:12: no mode allows these contacts | in `walking`, `left_shin_bone` holds on \
                 to nothing; in `kneeling`, `left_shin_bone` holds on to nothing hybrid, as `hold 2` is; `sliding` \
                 is without contacts",
            ),
            (
                "right_foot = [1.2, 0]",
                "belly = [1.2, 0]",
                "scenes/walk.toml:29:12: no mode allows these contacts | in `walking`, `belly` holds on to \
                 nothing; in `kneeling`, `belly` holds on to nothing; `sliding` is without contacts",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneling\"",
                "scenes/walk.toml:47:8: there is no mode `kneling` | did you mean `kneeling`?",
            ),
            (
                "mode = \"kneeling\"",
                "mode = \"walking\"",
                "scenes/walk.toml:47:8: in `walking`, `left_foot` holds on to nothing hybrid, as `rail` is | look \
                 at the mode table",
            ),
            (
                "mode = \"kneeling\"",
                "mode = \"flying\"",
                "scenes/walk.toml:47:8: what is `flying` holds on to nothing | leave `mode` out, or `contacts`",
            ),
            (
                ", right_foot = [4.6, 0]",
                "",
                "scenes/walk.toml:47:8: `kneeling` needs at least 2 contacts, not 1 | look at the mode table",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "mode = \"walking\"",
                "scenes/walk.toml:46:8: `walking` needs contacts | look at the mode table",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"sliding\"",
                "scenes/walk.toml:47:8: `sliding` is without contacts | look at the mode table",
            ),
        ],
    );
}

#[test]
fn tables_that_are_not_there_are_named() {
    check(
        |files| &mut files.walk,
        &[(
            "modes = \"walker.modes.toml\"\n",
            "modes = \"runner.modes.toml\"\n",
            "scenes/walk.toml:4:9: cannot read scenes/runner.modes.toml: there is no such file | paths are \
                 relative to the folder of this file",
        )],
    );
}

#[test]
fn without_holds_or_a_table_nothing_holds_on() {
    check(
        |files| &mut files.scene,
        &[
            (
                "[goal]\n",
                "[goal]\nmode = \"walking\"\n",
                "scenes/gate.toml:23:8: contacts and modes need a mode table, and this character has none | name \
                 one with `modes`, or put one beside the character's file, as in figure.modes.toml",
            ),
            (
                "[goal]\n",
                "[goal]\ncontacts = { foot = [1, 0] }\n",
                "scenes/gate.toml:23:21: the scene has no holds | add `holds` to an obstacle, or a [[hold]]",
            ),
            (
                "[goal]\n",
                "[goal]\ncontacts = { foot = \"stone\" }\n",
                "scenes/gate.toml:23:21: there is no hold `stone` | add `holds` to an obstacle, or a [[hold]]",
            ),
            (
                "[goal]\n",
                "[[hold]]\nat = [1, 0]\nnormal = [0, 1]\n[goal]\ncontacts = { foot = [1, 0] }\n",
                "scenes/gate.toml:26:12: contacts and modes need a mode table, and this character has none | name \
                 one with `modes`, or put one beside the character's file, as in figure.modes.toml",
            ),
        ],
    );
}

#[test]
fn passages_say_what_they_are() {
    check(
        |files| &mut files.walk,
        &[
            (
                "mode = \"sliding\"",
                "mode = \"slidin\"",
                "scenes/walk.toml:33:8: there is no mode `slidin` | did you mean `sliding`?",
            ),
            (
                "mode = \"sliding\"\n",
                "",
                "scenes/walk.toml:34:12: the postures are of different modes, `walking` and `flying` | say with \
                 the passage's `mode` how the character moves from one to the next",
            ),
            ("seconds = 1\n", "seconds = 0\n", "scenes/walk.toml:34:11: a passage takes more than 0 seconds"),
            (
                "seconds = 1\n",
                "seconds = 10000\n",
                "scenes/walk.toml:32:8: up to here the passages have more than 20000 frames | make them shorter",
            ),
            (
                "    { position = [3, 0.8] },\n",
                "",
                "scenes/walk.toml:33:8: `mode` is about the way between postures, and there is only one | leave it \
                 out; a posture may have a `mode` of its own",
            ),
            (
                "    { position = [3, 0.8] },\n",
                "    { position = [3, 0.8], facing = \"left\" },\n",
                "scenes/walk.toml:35:12: the postures look different ways, and a planar character turns around \
                 only in the mode `turning` | make the turn a passage of its own with `mode = \"turning\"`, or let \
                 the postures look one way",
            ),
            (
                "    { position = [2, 0.8], contacts = { left_foot = [2.2, 0] } },\n",
                "    { position = [2, 1.8], contacts = { left_foot = [2.2, 0], right_foot = \"rail\" } },\n",
                "scenes/walk.toml:36:63: posture 1 of passage `glide` does not reach its contacts: `right_foot` \
                 misses by 0.075 m | move `position` nearer, or choose holds that are nearer to each other",
            ),
            (
                "motion = \"ready.json\"",
                "postures = []",
                "scenes/walk.toml:42:12: passage `ready-made` has no postures | one is a milestone, several a \
                 sequence",
            ),
            (
                "motion = \"ready.json\"",
                "motion = \"ready.json\"\nseconds = 2",
                "scenes/walk.toml:43:11: `seconds` belongs to `postures`; a motion file has its own | leave it out",
            ),
            (
                "motion = \"ready.json\"",
                "motion = \"raedy.json\"",
                "scenes/walk.toml:42:10: cannot read scenes/raedy.json: there is no such file | paths are relative \
                 to the folder of this file",
            ),
            (
                "motion = \"ready.json\"\n",
                "",
                "scenes/walk.toml:41:8: passage `ready-made` needs exactly one of `motion` and `postures`",
            ),
            (
                "name = \"ready-made\"",
                "name = \"glide\"",
                "scenes/walk.toml:41:8: the name `glide` is taken already | give each a name of its own",
            ),
        ],
    );
}

#[test]
fn the_contacts_of_a_motion_are_of_its_scene() {
    check(
        |files| &mut files.ready,
        &[
            (
                "\"left_foot\"",
                "\"left_fot\"",
                "scenes/ready.json:9:1: contact 0: there is no effector `left_fot` | did you mean `left_foot`?",
            ),
            (
                "\"stone\"",
                "\"stoen\"",
                "scenes/ready.json:10:1: contact 1: the scene has no hold `stoen` | did you mean `stone`? If the \
                 scene has changed since, plan again",
            ),
            (
                "\"stone\"",
                "\"another scene's\"",
                "scenes/ready.json:10:1: contact 1: the scene has no hold `another scene's` | give the scene that \
                 the motion was planned for; if it has changed since, plan again",
            ),
            (
                "\"first\":0,\"last\":0",
                "\"first\":1,\"last\":0",
                "scenes/ready.json:9:1: contact 0: it lasts from frame 1 to frame 0, and the motion has 2 frames | \
                 frames are counted from 0, and the last is not before the first",
            ),
            (
                "\"first\":0,\"last\":0",
                "\"first\":0,\"last\":2",
                "scenes/ready.json:9:1: contact 0: it lasts from frame 0 to frame 2, and the motion has 2 frames | \
                 frames are counted from 0, and the last is not before the first",
            ),
            (
                "[0.0,1.0,0.0],\"first\":0,\"last\":0",
                "[0.0,2.0,0.0],\"first\":0,\"last\":0",
                "scenes/ready.json:9:1: contact 0: the normal has the length 2.000 | a normal has the length 1",
            ),
            (
                "\"mode\":\"walking\"",
                "\"mode\":\"dancing\"",
                "scenes/walk.toml:42:10: the motion has the mode `dancing`, which the mode table does not have | \
                 add the mode to the table; it may be without contacts",
            ),
            (
                "\"hold\":\"stone\"",
                "\"holds\":\"stone\"",
                "scenes/ready.json:10:32: unknown key `holds` | did you mean `hold`?",
            ),
        ],
    );
}

#[test]
fn pins_and_forbidden_holds_are_there_and_do_not_clash() {
    check(
        |files| &mut files.walk,
        &[
            ("\"floor 5\"", "\"flor 5\"", "scenes/walk.toml:6:14: there is no hold `flor 5` | did you mean `floor 5`?"),
            (
                "\"floor 5\"",
                "\"somewhere else\"",
                "scenes/walk.toml:6:14: there is no hold `somewhere else` | there are such as `floor 1`; or say \
                 where it is with `near`",
            ),
            (
                "\"floor 5\"",
                "5",
                "scenes/walk.toml:6:14: found the number 5 where a hold's name in quotes, or a table such as \
                 { near = [1.0, 2.5] } should be",
            ),
            ("{ near = [5.3", "{ nar = [5.3", "scenes/walk.toml:6:27: unknown key `nar` | did you mean `near`?"),
            (
                "near = [5.3, 0.1]",
                "near = [5.3, 0.7]",
                "scenes/walk.toml:6:25: no hold is here: the nearest, `floor 2` at [5.250, 0.000], is 0.702 m away \
                 | give a point within 0.2 m of a hold, or add one",
            ),
            (
                "\"floor 5\"",
                "\"stone\"",
                "scenes/walk.toml:6:14: hold `stone` is forbidden, and the start has `left_foot` on it | allow it, \
                 or let the posture hold on to another",
            ),
            (
                "\"floor 5\"",
                "{ near = [4.2, 0] }",
                "scenes/walk.toml:6:14: hold `rail` is forbidden, and the goal has `left_foot` on it | allow it, \
                 or let the posture hold on to another",
            ),
            (
                "\"floor 5\"",
                "\"floor 8\"",
                "scenes/walk.toml:6:14: hold `floor 8` is forbidden, and the passage `glide` has `left_foot` on \
                 it | allow it, or let the posture hold on to another",
            ),
            (
                "\"floor 5\"",
                "\"floor 7\"",
                "scenes/walk.toml:6:14: hold `floor 7` is pinned and forbidden | leave one of the two out",
            ),
            (
                "hold = \"floor 7\"\n",
                "",
                "scenes/walk.toml:49:1: a pin needs exactly one of `hold` and `near` | `hold` is a hold's name, \
                 `near` a place",
            ),
            (
                "hold = \"floor 7\"",
                "hold = \"floor77\"",
                "scenes/walk.toml:50:8: there is no hold `floor77` | did you mean `floor 7`?",
            ),
            (
                "near = [4.5, 0]",
                "near = [4.5, 0, 1]",
                "scenes/walk.toml:54:8: the holds of a planar character are in the plane z = 0 | give two numbers",
            ),
            (
                "effector = \"right_foot\"",
                "effector = \"right_fot\"",
                "scenes/walk.toml:51:12: there is no effector `right_fot` | did you mean `right_foot`?",
            ),
            (
                "effector = \"right_foot\"",
                "effector = \"belly\"",
                "scenes/walk.toml:51:12: effector `belly` is in no group of the mode table, so it never holds on \
                 to anything | these do: `left_foot`, `right_foot`, `left_shin_bone`",
            ),
            (
                "near = [4.5, 0]",
                "near = [4.5, 0]\neffector = \"left_shin_bone\"",
                "scenes/walk.toml:55:12: no mode lets `left_shin_bone` hold on to what is hybrid, as `rail` is | \
                 pin another hold, or add the type to a mode's `carry`",
            ),
            ("near = [4.5, 0]", "nea = [4.5, 0]", "scenes/walk.toml:54:1: unknown key `nea` | did you mean `near`?"),
        ],
    );
    check(
        |files| &mut files.scene,
        &[(
            "[goal]\n",
            "[[hold]]\nat = [1, 0]\nnormal = [0, 1]\n[[pin]]\nhold = \"hold 1\"\n[goal]\n",
            "scenes/gate.toml:25:1: pins need a mode table, and this character has none | name one with `modes`, \
             or put one beside the character's file, as in figure.modes.toml",
        )],
    );
}
