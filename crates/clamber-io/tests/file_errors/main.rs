//! Errors of bad files: the file, the line, the problem and the fix.
//!
//! Each row is a mistake: the text to replace in a good file, its replacement, and the expected error. ` | ` precedes
//! the help.

mod files;
mod holds;
mod modes;
mod pins;
mod roles;

use crate::files::{Files, check};

#[test]
fn good_files_are_accepted() {
    Files::good().read().unwrap_or_else(|error| panic!("{error} | {:?}", error.help));
}

#[test]
fn unknown_keys_suggest_the_nearest_key() {
    check(
        |files| &mut files.scene,
        &[
            ("bounds =", "bound =", "scenes/gate.toml:4:1: unknown key `bound` | did you mean `bounds`?"),
            ("max =", "mx =", "scenes/gate.toml:4:26: unknown key `mx` | did you mean `max`?"),
            ("polygon", "poligon", "scenes/gate.toml:12:1: unknown key `poligon` | did you mean `polygon`?"),
            ("center", "centre", "scenes/gate.toml:8:9: unknown key `centre` | did you mean `center`?"),
            (
                "[start]\nposition",
                "[start]\npositon",
                "scenes/gate.toml:19:1: unknown key `positon` | did you mean `position`?",
            ),
            (
                "[goal]\n",
                "[goal]\ncolour = 3\n",
                "scenes/gate.toml:23:1: unknown key `colour` | expected one of `position`, `at`, `facing`, `pitch`, \
                 `heading`, `roll`, `angles`, `contacts`, `mode`",
            ),
        ],
    );
    check(
        |files| &mut files.character,
        &[
            ("mass = 5", "mas = 5", "scenes/figure.toml:7:1: unknown key `mas` | did you mean `mass`?"),
            ("axis =", "axes =", "scenes/figure.toml:14:28: unknown key `axes` | did you mean `axis`?"),
            (
                "axis = \"z\"",
                "axis = \"w\"",
                "scenes/figure.toml:14:35: unknown value `w` | expected one of `x`, `y`, `z`",
            ),
        ],
    );
}

#[test]
fn control_characters_in_names_are_refused() {
    check(
        |files| &mut files.scene,
        &[
            (
                "name = \"gate\"",
                "name = \"a\\nb\\u001b[31mred\"",
                "scenes/gate.toml:2:8: the text contains the control character \\n | remove it, or replace it with a space",
            ),
            (
                "name = \"gate\"",
                "name = \"\\u001b[31mred\"",
                "scenes/gate.toml:2:8: the text contains the control character \\u{1b} | remove it, or replace it with \
                 a space",
            ),
            (
                "name = \"gate\"",
                "name = \"\"\"\na\u{2028}\"\"\"",
                "scenes/gate.toml:2:8: the text contains the control character \\u{2028} | remove it, or replace it \
                 with a space",
            ),
        ],
    );
}

#[test]
fn values_of_the_wrong_type_report_the_expected_type() {
    check(
        |files| &mut files.scene,
        &[
            ("name = \"gate\"", "name = 7", "scenes/gate.toml:2:8: expected text in quotes, found the number 7"),
            (
                "name = \"gate\"",
                "name = gate",
                "scenes/gate.toml:2:8: this is neither a number nor text in quotes | \
                 put quotes around text, as in name = \"cave\"",
            ),
            (
                "center = [2, 2]",
                "center = 2",
                "scenes/gate.toml:8:18: expected two or three numbers in brackets (such as [1.0, 2.5]), found the \
                 number 2",
            ),
            ("[4, 0], ", "[4, 0, 0], ", "scenes/gate.toml:12:20: expected a list of 2 numbers, found a list of 3"),
            (
                "box = { center = [2, 2], size = [1, 0.2] }",
                "box = 2",
                "scenes/gate.toml:8:7: expected a table such as { center = [0, 1], size = [2, 1] }, found the number 2",
            ),
            (
                "[3.5, 1.5]",
                "[3.5, 1e9]",
                "scenes/gate.toml:23:18: expected a number from -100000 to 100000, found the number 1000000000.0",
            ),
        ],
    );
    check(
        |files| &mut files.character,
        &[(
            "[[limb]]",
            "[limb]",
            "scenes/figure.toml:18:1: expected a list, found a table | \
             a list of tables has double brackets, as in [[obstacle]]",
        )],
    );
}

#[test]
fn missing_and_duplicate_keys_and_names_are_reported() {
    check(
        |files| &mut files.scene,
        &[
            ("version = 1\n", "", "scenes/gate.toml:1:1: the key `version` is missing | add `version = ...` here"),
            (", size = [1, 0.2]", "", "scenes/gate.toml:8:7: the key `size` is missing | add `size = ...` here"),
            ("name = \"gate\"", "version = 1", "scenes/gate.toml:2:1: this key appears twice | remove one of the two"),
            (
                "name = \"hill\"",
                "name = \"beam\"",
                "scenes/gate.toml:11:8: the name `beam` is already in use | give each obstacle a unique name",
            ),
            (
                "polygon = [[0, 0], [4, 0], [2, 1]]\n",
                "",
                "scenes/gate.toml:11:8: obstacle `hill` needs exactly one of `box`, `polygon` and `mesh` | keep one of \
                 the three keys",
            ),
        ],
    );
    check(
        |files| &mut files.character,
        &[(
            "name = \"shin\"",
            "name = \"thigh\"",
            "scenes/figure.toml:11:8: the name `thigh` is already in use | choose a unique name",
        )],
    );
}

#[test]
fn unsupported_versions_are_reported_first() {
    check(
        |files| &mut files.scene,
        &[(
            "version = 1",
            "version = 3\ngravity = 9.8",
            "scenes/gate.toml:1:11: version 3 of this format is not supported | this program reads versions 1 to 2",
        )],
    );
    check(
        |files| &mut files.motion,
        &[(
            "\"version\": 1",
            "\"version\": 3, \"gravity\": 9.8",
            "gate.json:2:12: version 3 of this format is not supported | this program reads versions 1 to 2",
        )],
    );
}

#[test]
fn missing_files_are_reported_at_their_reference() {
    check(
        |files| &mut files.scene,
        &[
            (
                "figure.toml",
                "figur.toml",
                "scenes/gate.toml:3:13: cannot read scenes/figur.toml: there is no such file | \
                 paths are relative to the folder of this file",
            ),
            (
                "rocks.obj",
                "stones.obj",
                "scenes/gate.toml:16:17: cannot read scenes/stones.obj: there is no such file | \
                 paths are relative to the folder of this file",
            ),
            (
                "rocks.obj",
                "rocks.fbx",
                "scenes/gate.toml:16:17: `rocks.fbx` is not a supported mesh format | \
                 use an .obj, .gltf or .glb file",
            ),
        ],
    );
}

#[test]
fn mesh_errors_name_the_line() {
    check(
        |files| &mut files.mesh,
        &[
            (
                "f 1 2 3",
                "f 1 2 4",
                "scenes/rocks.obj:4:1: `4` refers to a missing vertex: 3 precede this line | \
                 a face is `f a b c ...` with vertex numbers from 1, or negative numbers from the end",
            ),
            (
                "v 1 0 0",
                "v 1 x 0",
                "scenes/rocks.obj:2:1: `x` is not a number | \
                 a vertex is `v x y z` in meters, within 100 km of the origin",
            ),
            (
                "v 1 0 0",
                "v 1 0",
                "scenes/rocks.obj:2:1: the vertex has 2 coordinates | \
                 a vertex is `v x y z` in meters, within 100 km of the origin",
            ),
            (
                "f 1 2 3\n",
                "",
                "scenes/rocks.obj:3:8: the file ends without a face | \
                 a face is `f a b c ...` with vertex numbers from 1, or negative numbers from the end",
            ),
        ],
    );
    check(
        |files| &mut files.scene,
        &[
            (
                "position = [3, 0]",
                "scale = -1",
                "scenes/gate.toml:16:38: a scale must be greater than 0 | write a positive number",
            ),
            (
                "position = [3, 0]",
                "scale = 1e5, position = [3, 0]",
                "scenes/gate.toml:16:17: with this placement the mesh extends more than 100 km from the origin | \
                 check `position` and `scale`",
            ),
        ],
    );
}

#[test]
fn invalid_shapes_and_postures_are_rejected() {
    check(
        |files| &mut files.scene,
        &[
            (
                "[[0, 0], [4, 0], [2, 1]]",
                "[[0, 0], [4, 1], [4, 0], [0, 1]]",
                "scenes/gate.toml:12:11: sides 1 and 3 of the polygon cross or touch (the first side is 1)",
            ),
            (
                "[2, 1]]",
                "[2, 1], [0, 0]]",
                "scenes/gate.toml:12:11: vertices 4 and 1 of the polygon coincide | \
                 remove one of them; the polygon closes without repeating its first vertex",
            ),
            (
                "max = [4, 3]",
                "max = [4, 0]",
                "scenes/gate.toml:4:32: the region is empty | each coordinate of `max` must exceed that of `min`",
            ),
            (
                "size = [1, 0.2]",
                "size = [1, 0]",
                "scenes/gate.toml:8:33: a box needs a size greater than zero in every direction | write positive \
                 lengths",
            ),
            (
                "knee = -20",
                "knee = 20",
                "scenes/gate.toml:20:19: hinge `knee` cannot turn to 20 degrees | its limits are -150.0 and 0.0 \
                 degrees",
            ),
            (
                "knee = -20",
                "kne = -20",
                "scenes/gate.toml:20:12: the character has no hinge `kne` | did you mean `knee`?",
            ),
            (
                "[goal]\n",
                "[goal]\nheading = 90\n",
                "scenes/gate.toml:23:11: a planar character has no `heading` or `roll` | use `facing` and `pitch`",
            ),
            (
                "[3.5, 1.5]",
                "[3.5, 1.5, 1]",
                "scenes/gate.toml:23:12: a planar character stays in the plane z = 0 | give `position` two coordinates",
            ),
        ],
    );
}

#[test]
fn character_errors_name_the_link_or_hinge() {
    check(
        |files| &mut files.character,
        &[
            (
                "parent = \"thigh\"",
                "parent = \"thih\"",
                "scenes/figure.toml:12:10: there is no link `thih` before this line | did you mean `thigh`?",
            ),
            (
                "parent = \"thigh\"",
                "parent = \"shin\"",
                "scenes/figure.toml:12:10: there is no link `shin` before this line | \
                 the link comes later in the file; list parents before their children",
            ),
            (
                "parent = \"thigh\"\n",
                "",
                "scenes/figure.toml:11:8: link `shin` has no parent | add `parent` with the name of a link; only the \
                 first link has none",
            ),
            (
                "max = 0",
                "max = -160",
                "scenes/figure.toml:14:20: hinge `knee` needs min <= rest <= max | `rest` defaults to 0",
            ),
            (
                "radius = 0.1 ",
                "radius = 0 ",
                "scenes/figure.toml:8:61: a radius must be greater than 0 | write a positive number",
            ),
            (
                "axis = \"z\"",
                "axis = \"x\"",
                "scenes/figure.toml:14:20: hinge `knee` of a planar character must rotate about z",
            ),
            ("mass = 5", "mass = -5", "scenes/figure.toml:7:8: a mass must not be negative | write 0 or more"),
        ],
    );
}

#[test]
fn motion_errors_name_the_line_of_the_frame() {
    check(
        |files| &mut files.motion,
        &[
            (
                "\"hopper\"",
                "\"figure\"",
                "gate.json:3:14: the motion is for character `figure`, but the scene has `hopper` | \
                 use the scene that the motion was planned for",
            ),
            (
                "[\"knee\"]",
                "[\"hip\"]",
                "gate.json:4:11: the motion's hinges differ from those of `hopper` | \
                 the character has changed since the motion was planned; plan it again",
            ),
            (
                "[-10.0]",
                "[-10.0,5.0]",
                "gate.json:11:1: frame 1: 2 angles for 1 hinges | list one angle for each of `hinges`",
            ),
            (
                "[0.0,0.0,0.0,1.0],\"angles\":[0.0]",
                "[0.0,0.0,0.0,1.1],\"angles\":[0.0]",
                "gate.json:12:1: frame 2: the rotation is a quaternion of length 1.100 | \
                 normalize it: the squares of x, y, z and w must add up to 1",
            ),
            ("\"time\":0.1", "\"tim\":0.1", "gate.json:11:6: unknown key `tim` | did you mean `time`?"),
            ("\"time\":0.1", "\"time\":null", "gate.json:11:12: expected a number from -100000 to 100000, found null"),
            (
                "{\"first\":1,\"last\":2",
                "{\"first\":2,\"last\":2",
                "gate.json:7:1: span 1 begins with frame 2, expected frame 1 | \
                 spans must cover all frames; each begins with the last frame of the previous one",
            ),
            (
                "{\"first\":1,\"last\":2",
                "{\"first\":1,\"last\":1",
                "gate.json:7:1: the spans end with frame 1, but the motion ends with frame 2 | \
                 spans must cover all frames; each begins with the last frame of the previous one",
            ),
        ],
    );
}

/// A table [broken] before [start], with these last lines.
macro_rules! broken {
    ($last:literal) => {
        concat!("[broken]\nsegment = 4\nkind = \"gap\"\nmin = [1, 0]\nwhy = \"too wide\"\n", $last, "\n\n[start]\n")
    };
}

#[test]
fn the_broken_table_needs_a_box_and_a_cause() {
    let mut files = Files::good();
    files.scene = files.scene.replacen("[start]\n", broken!("max = [3, 1]\ncause = \"too-far\""), 1);
    files.read().unwrap_or_else(|error| panic!("{error} | {:?}", error.help));
    check(
        |files| &mut files.scene,
        &[
            (
                "[start]\n",
                broken!("max = [3, 1]\ncause = \"too-wide\""),
                "scenes/gate.toml:24:9: unknown value `too-wide` | expected one of `too-far`, `blocked`",
            ),
            (
                "[start]\n",
                broken!("max = [0, 1]\ncause = \"too-far\""),
                "scenes/gate.toml:23:7: the box of [broken] is empty | no coordinate of `max` may be less than that of \
                 `min`",
            ),
            (
                "[start]\n",
                broken!("max = [3, 1]\ncauses = \"too-far\""),
                "scenes/gate.toml:24:1: unknown key `causes` | did you mean `cause`?",
            ),
        ],
    );
}

#[test]
fn hands_and_feet_need_the_lengths_of_their_kind() {
    /// The end of the good file, followed by this extremity.
    macro_rules! extremity {
        ($keys:literal) => {
            concat!("radius = 0.05\n\n[[extremity]]\n", $keys)
        };
    }
    const END: &str = "radius = 0.05\n";
    check(
        |files| &mut files.character,
        &[
            (
                END,
                extremity!(
                    "effector = \"fot\"\nkind = \"foot\"\nheel = 0.06\nball = 0.1\ntoes = 0.05\nthickness = 0.06\n"
                ),
                "scenes/figure.toml:30:12: there is no effector `fot` | did you mean `foot`?",
            ),
            (
                END,
                extremity!("effector = \"foot\"\nkind = \"fin\"\nthickness = 0.06\n"),
                "scenes/figure.toml:31:8: unknown value `fin` | expected one of `foot`, `hand`",
            ),
            (
                END,
                extremity!("effector = \"foot\"\nkind = \"foot\"\nheel = 0.06\ntoes = 0.05\nthickness = 0.06\n"),
                "scenes/figure.toml:31:8: a foot needs `ball` | add `ball` in meters",
            ),
            (
                END,
                extremity!(
                    "effector = \"foot\"\nkind = \"hand\"\nheel = 0.06\npalm = 0.1\nfingers = 0.05\nthickness = 0.06\n"
                ),
                "scenes/figure.toml:32:8: a hand has no `heel` | remove it, or set `kind` to \"foot\"",
            ),
            (
                END,
                extremity!("effector = \"foot\"\nkind = \"hand\"\npalm = 0\nfingers = 0.05\nthickness = 0.06\n"),
                "scenes/figure.toml:32:8: a length must be greater than 0 | write a positive number",
            ),
            (
                END,
                extremity!("effector = \"foot\"\nkind = \"hand\"\npalm = 0.1\nfingers = 0.05\nthickness = 0.2\n"),
                "scenes/figure.toml:34:13: a hand of effector `foot` can be at most 0.1 m thick | \
                 the limit is the diameter of the effector's sphere, which rests on the hold",
            ),
            (
                END,
                extremity!(
                    "effector = \"foot\"\nkind = \"hand\"\npalm = 0.1\nfingers = 0.05\nthickness = 0.05\n\n\
                     [[extremity]]\neffector = \"foot\"\nkind = \"hand\"\npalm = 0.1\nfingers = 0.05\nthickness = \
                     0.05\n"
                ),
                "scenes/figure.toml:37:12: effector `foot` already has a hand or foot | remove one of the two",
            ),
        ],
    );
}
