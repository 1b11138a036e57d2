//! Mistakes in holds, contacts and passages.

use crate::files::check;

#[test]
fn spread_holds_need_a_valid_spacing() {
    check(
        |files| &mut files.walk,
        &[
            (
                "every = 0.5",
                "every = 0.01",
                "scenes/walk.toml:11:19: holds cannot be 0.01 m apart | use at least 0.02 m, or the whole surface with \
                 { everywhere = true }",
            ),
            (
                "every = 0.5, ",
                "everywhere = false, ",
                "scenes/walk.toml:11:9: `holds` needs exactly one of `every` and `everywhere = true` | remove `holds` \
                 from an obstacle without holds",
            ),
            (
                "every = 0.5, ",
                "every = 0.5, everywhere = true, ",
                "scenes/walk.toml:11:9: `holds` needs exactly one of `every` and `everywhere = true` | remove `holds` \
                 from an obstacle without holds",
            ),
            ("every = 0.5", "evry = 0.5", "scenes/walk.toml:11:11: unknown key `evry` | did you mean `every`?"),
            (
                "types = [\"load-bearing\"]",
                "types = [\"loadbearing\"]",
                "scenes/walk.toml:11:33: unknown value `loadbearing` | did you mean `load-bearing`?",
            ),
            (
                "size = [6, 1] }\nholds = { every = 0.5",
                "size = [60000, 1] }\nholds = { every = 0.05",
                "scenes/walk.toml:11:9: with this entry the scene has more than 1000000 holds | increase `every`, or \
                 use fewer sides with `types`",
            ),
            (
                "holds = { every = 0.5, types = [\"load-bearing\"] }",
                "holds = 0.5",
                "scenes/walk.toml:11:9: expected a table such as { every = 0.3 } or { everywhere = true }, found the \
                 number 0.5",
            ),
        ],
    );
}

#[test]
fn placed_holds_need_a_surface_or_a_normal() {
    check(
        |files| &mut files.walk,
        &[
            (
                "at = [1, 0.01]",
                "at = [1, 0.25]",
                "scenes/walk.toml:15:6: no surface at [1.000, 0.250]: the nearest is 0.250 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            (
                "at = [1, 0.01]",
                "at = [1, 0.01, 1]",
                "scenes/walk.toml:15:6: holds of a planar character lie in the plane z = 0 | give two coordinates",
            ),
            (
                "at = [1, 0.01]",
                "to = [1, 0.01]",
                "scenes/walk.toml:13:1: hold `stone` needs either `at`, or `from` and `to` | `at` is a point, `from` \
                 and `to` a line segment",
            ),
            (
                "at = [1.5, 1]\nnormal = [-1, 0]",
                "at = [1.5, 1]",
                "scenes/walk.toml:18:6: no surface at [1.500, 1.000]: the nearest is 1.000 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            (
                "normal = [-1, 0]",
                "normal = [0, 0]",
                "scenes/walk.toml:19:10: a `normal` of length 0 has no direction | give a direction, such as [0, 1] \
                 for a floor",
            ),
            (
                "to = [5, 0]",
                "to = [5, 0.2]",
                "scenes/walk.toml:23:8: no surface at [4.500, 0.100]: the nearest is 0.100 m away | move it to \
                 within 0.02 m of a surface; a hold in the air needs a `normal`, such as [0, 1] for a floor",
            ),
            ("to = [5, 0]", "to = [4, 0]", "scenes/walk.toml:24:6: the segment has no length | use `at` for a point"),
            (
                "type = \"hybrid\"",
                "type = \"hibrid\"",
                "scenes/walk.toml:25:8: unknown value `hibrid` | did you mean `hybrid`?",
            ),
            (
                "name = \"rail\"",
                "name = \"stone\"",
                "scenes/walk.toml:22:8: the name `stone` is already in use | give each hold a unique name; holds of an \
                 obstacle get its name and a number",
            ),
            (
                "name = \"rail\"",
                "name = \"floor 3\"",
                "scenes/walk.toml:22:8: the name `floor 3` is already in use | give each hold a unique name; holds of \
                 an obstacle get its name and a number",
            ),
            (
                "name = \"rail\"",
                "name = \"hold 2\"",
                "scenes/walk.toml:22:8: the name `hold 2` is already in use | give each hold a unique name; holds of \
                 an obstacle get its name and a number",
            ),
        ],
    );
}

#[test]
fn contacts_need_known_effectors_and_holds_in_reach() {
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
                "scenes/walk.toml:29:26: there is no hold `somewhere else` | hold names look like `floor 1`; or give \
                 a point",
            ),
            (
                "left_foot = \"stone\"",
                "left_foot = 3",
                "scenes/walk.toml:29:26: expected a hold's name in quotes, or a point (such as [1.0, 2.5]), found the \
                 number 3",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [1.25, 0.3]",
                "scenes/walk.toml:29:48: no hold is near this point: the nearest, `floor 10` at [1.250, 0.000], is \
                 0.300 m \
                 away | give a point within 0.2 m of a hold, or add a hold",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [1.2, 0, 1]",
                "scenes/walk.toml:29:48: holds of a planar character lie in the plane z = 0 | give two coordinates",
            ),
            (
                "right_foot = [1.2, 0]",
                "right_foot = [5.8, 0]",
                "scenes/walk.toml:29:35: the start does not reach its contacts: `right_foot` is off by 1.575 m | \
                 move `position` closer, or choose holds that are closer together",
            ),
            (
                "right_foot = [1.2, 0]",
                "left_shin_bone = [1.5, 1]",
                "scenes/walk.toml:29:12: no mode allows these contacts | in `walking`, `left_shin_bone` makes no \
                 contact; in `kneeling`, `left_shin_bone` cannot use hybrid holds such as `hold 2`; `sliding` has no \
                 contacts",
            ),
        ],
    );
}

#[test]
fn contacts_need_a_mode_that_allows_them() {
    check(
        |files| &mut files.walk,
        &[
            (
                "right_foot = [1.2, 0]",
                "belly = [1.2, 0]",
                "scenes/walk.toml:29:12: no mode allows these contacts | in `walking`, `belly` makes no contact; in \
                 `kneeling`, `belly` makes no contact; `sliding` has no contacts",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneling\"",
                "scenes/walk.toml:47:8: there is no mode `kneling` | did you mean `kneeling`?",
            ),
            (
                "mode = \"kneeling\"",
                "mode = \"walking\"",
                "scenes/walk.toml:47:8: in `walking`, `left_foot` cannot use hybrid holds such as `rail` | change the \
                 contacts, the mode, or `carry` in the mode table",
            ),
            (
                "mode = \"kneeling\"",
                "mode = \"flying\"",
                "scenes/walk.toml:47:8: mode `flying` has no contacts | remove `mode` or `contacts`",
            ),
            (
                ", right_foot = [4.6, 0]",
                "",
                "scenes/walk.toml:47:8: `kneeling` needs at least 2 contacts, not 1 | change the contacts, the mode, \
                 or `carry` in the mode table",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "mode = \"walking\"",
                "scenes/walk.toml:46:8: `walking` needs contacts | add a line such as `contacts = { left_foot = \
                 [3.750, 0.000], right_foot = [4.250, 0.000] }`",
            ),
            (
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"kneeling\"",
                "contacts = { left_foot = [4.2, 0], right_foot = [4.6, 0] }\nmode = \"sliding\"",
                "scenes/walk.toml:47:8: `sliding` has no contacts | change the contacts, the mode, or `carry` in the \
                 mode table",
            ),
        ],
    );
}

#[test]
fn missing_mode_tables_are_reported() {
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
fn contacts_need_holds_and_a_mode_table() {
    check(
        |files| &mut files.scene,
        &[
            (
                "[goal]\n",
                "[goal]\nmode = \"walking\"\n",
                "scenes/gate.toml:23:8: contacts and modes need a mode table, but this character has none | set \
                 `modes` to the path of a mode table, or save one next to the character file, as in figure.modes.toml",
            ),
            (
                "[goal]\n",
                "[goal]\ncontacts = { foot = [1, 0] }\n",
                "scenes/gate.toml:23:21: the scene has no holds | add `holds` to an obstacle, or add a [[hold]]",
            ),
            (
                "[goal]\n",
                "[goal]\ncontacts = { foot = \"stone\" }\n",
                "scenes/gate.toml:23:21: there is no hold `stone` | add `holds` to an obstacle, or add a [[hold]]",
            ),
            (
                "[goal]\n",
                "[[hold]]\nat = [1, 2]\nnormal = [0, 1]\n[goal]\ncontacts = { foot = [1, 2] }\n",
                "scenes/gate.toml:26:12: contacts and modes need a mode table, but this character has none | set \
                 `modes` to the path of a mode table, or save one next to the character file, as in figure.modes.toml",
            ),
        ],
    );
}

#[test]
fn passages_need_consistent_modes_and_durations() {
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
                "scenes/walk.toml:34:12: the postures have different modes, `walking` and `flying` | set the passage's \
                 `mode`",
            ),
            (
                "seconds = 1\n",
                "seconds = 0\n",
                "scenes/walk.toml:34:11: `seconds` must be greater than 0 | write a positive number",
            ),
            (
                "seconds = 1\n",
                "seconds = 10000\n",
                "scenes/walk.toml:32:8: with this passage the scene has more than 20000 passage frames | shorten the \
                 passages",
            ),
            (
                "    { position = [3, 0.8] },\n",
                "",
                "scenes/walk.toml:33:8: `mode` applies between postures, but there is only one | remove it; a posture \
                 can have its own `mode`",
            ),
            (
                "    { position = [3, 0.8] },\n",
                "    { position = [3, 0.8], facing = \"left\" },\n",
                "scenes/walk.toml:35:12: the postures face different directions, but a planar character turns around \
                 only in mode `turning` | make the turn a separate passage with `mode = \"turning\"`, or use one \
                 facing direction",
            ),
        ],
    );
}

#[test]
fn passages_need_postures_in_reach_or_a_motion() {
    check(
        |files| &mut files.walk,
        &[
            (
                "    { position = [2, 0.8], contacts = { left_foot = [2.2, 0] } },\n",
                "    { position = [2, 1.8], contacts = { left_foot = [2.2, 0], right_foot = \"rail\" } },\n",
                "scenes/walk.toml:36:63: posture 1 of passage `glide` does not reach its contacts: `right_foot` \
                 is off by 0.075 m | move `position` closer, or choose holds that are closer together",
            ),
            (
                "motion = \"ready.json\"",
                "postures = []",
                "scenes/walk.toml:42:12: passage `ready-made` has no postures | list one posture for a milestone or \
                 several for a sequence",
            ),
            (
                "motion = \"ready.json\"",
                "motion = \"ready.json\"\nseconds = 2",
                "scenes/walk.toml:43:11: `seconds` applies to `postures`; a motion file has its own | remove it",
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
                "scenes/walk.toml:41:8: passage `ready-made` needs exactly one of `motion` and `postures` | keep one \
                 of the two keys",
            ),
            (
                "name = \"ready-made\"",
                "name = \"glide\"",
                "scenes/walk.toml:41:8: the name `glide` is already in use | choose a unique name",
            ),
        ],
    );
}

#[test]
fn contacts_of_a_motion_refer_to_its_scene() {
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
                "scenes/ready.json:10:1: contact 1: the scene has no hold `stoen` | did you mean `stone`? If the scene \
                 has changed, plan again",
            ),
            (
                "\"stone\"",
                "\"another scene's\"",
                "scenes/ready.json:10:1: contact 1: the scene has no hold `another scene's` | use the scene that the \
                 motion was planned for; if it has changed, plan again",
            ),
            (
                "\"first\":0,\"last\":0",
                "\"first\":1,\"last\":0",
                "scenes/ready.json:9:1: contact 0: it lasts from frame 1 to frame 0, but the motion has 2 frames | \
                 count frames from 0, with `last` at or after `first`",
            ),
            (
                "\"first\":0,\"last\":0",
                "\"first\":0,\"last\":2",
                "scenes/ready.json:9:1: contact 0: it lasts from frame 0 to frame 2, but the motion has 2 frames | \
                 count frames from 0, with `last` at or after `first`",
            ),
            (
                "[0.0,1.0,0.0],\"first\":0,\"last\":0",
                "[0.0,2.0,0.0],\"first\":0,\"last\":0",
                "scenes/ready.json:9:1: contact 0: the normal has length 2.000 | scale the normal to length 1",
            ),
            (
                "\"mode\":\"walking\"",
                "\"mode\":\"dancing\"",
                "scenes/walk.toml:42:10: the motion uses the mode `dancing`, which is not in the mode table | \
                 add the mode to the table; it may have no contacts",
            ),
            (
                "\"hold\":\"stone\"",
                "\"holds\":\"stone\"",
                "scenes/ready.json:10:32: unknown key `holds` | did you mean `hold`?",
            ),
        ],
    );
}
