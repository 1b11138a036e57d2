//! Messages that tell a user what to change.

mod common;

use std::path::Path;

use common::{clamber, root, scene, status, text, unwrapped};

/// Writes a scene without obstacles for the figure; `more` is appended.
fn open_scene(folder: &Path, more: &str) -> String {
    let file = folder.join("scene.toml");
    let scene = format!(
        "version = 1\nname = \"open\"\ncharacter = \"figure\"\nbounds = {{ min = [0, 0], max = [8, 4] }}\n\
         goal = {{ position = [6.5, 1.5] }}\n{more}"
    );
    std::fs::write(&file, scene).unwrap();
    file.display().to_string()
}

#[test]
fn a_mode_without_contacts_is_refused_with_the_line_to_add() {
    let folder = tempfile::tempdir().unwrap();
    let start = "start = { position = [1.5, 0.9], mode = \"walking\" }\n";
    let output = clamber(&["plan", &open_scene(folder.path(), start)]);
    let message = unwrapped(&output.stderr);
    assert_eq!(status(&output), 2, "{message}");
    for words in ["`walking` needs contacts", "add a [[hold]]", "`contacts = { left_foot = [1."] {
        assert!(message.contains(words), "{words:?} is not in {message}");
    }
}

#[test]
fn a_blocked_scene_is_refused_with_changes_that_the_user_can_make() {
    let folder = tempfile::tempdir().unwrap();
    let more = "start = { position = [1.5, 1.5] }\n\
                [[obstacle]]\nname = \"wall\"\nbox = { center = [4, 2], size = [0.4, 6] }\n";
    let output = clamber(&["plan", &open_scene(folder.path(), more)]);
    let message = text(&output.stderr);
    assert_eq!(status(&output), 3, "{message}");
    assert!(message.contains("help: open a gap between the obstacles") && message.contains("`bounds`"), "{message}");
}

#[test]
fn times_outside_the_motion_are_refused_with_its_duration() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("walk.json").display().to_string();
    let plan = clamber(&["plan", &scene("walk"), "-o", &motion]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&motion).unwrap()).unwrap();
    let duration = written["frames"].as_array().unwrap().last().unwrap()["time"].as_f64().unwrap();
    for time in ["--at=2000", "--at=-3", "--at=nan", "--at=inf"] {
        let output = clamber(&["plan", &scene("walk"), "--from", &motion, time]);
        let message = unwrapped(&output.stderr);
        assert_eq!(status(&output), 2, "{time}: {message}");
        assert!(message.contains(&format!("which lasts {duration:.2} s")), "{time}: {message}");
    }
    for time in ["0", &duration.to_string()] {
        let output = clamber(&["plan", &scene("walk"), "--from", &motion, "--at", time]);
        assert_eq!(status(&output), 0, "{time}: {}", text(&output.stderr));
    }
}

#[test]
fn plan_and_refine_without_outputs_say_that_nothing_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("walk.json").display().to_string();
    for (arguments, is_written) in [
        (vec!["plan", "walk"], false),
        (vec!["plan", "walk", "-o", &motion], true),
        (vec!["refine", "walk", &motion], false),
    ] {
        let output = clamber(&arguments);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr).contains("nothing was written; add -o FILE"), !is_written, "{arguments:?}");
    }
    let refine = text(&clamber(&["refine", "walk", &motion]).stdout);
    assert!(refine.contains("obstacles and limits reduced smoothing in "), "{refine}");
}

#[test]
fn a_report_says_whether_a_limit_is_a_minimum_or_a_maximum() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("walk.json").display().to_string();
    assert_eq!(status(&clamber(&["plan", "walk", "-o", &motion])), 0);
    let report = text(&clamber(&["check", "walk", &motion]).stdout);
    let line = |property: &str| report.lines().find(|line| line.contains(property)).unwrap();
    assert!(line(" time ").contains("(at least 0.001 s)"), "{report}");
    assert!(line(" penetration ").contains("(at most "), "{report}");
    assert!(line(" form ").ends_with(" 0 violations"), "{report}");
}

#[test]
fn a_pose_says_what_is_wrong_with_its_request() {
    let chair = scene("poses/chair");
    let cases: [(&[&str], &str); 4] = [
        (&["--task", "sideways"], "`sideways` is no direction"),
        (&["--task", "0,0,0"], "`0,0,0` is no direction"),
        (&["--task", "up", "--limbs", "tail"], "has no limb and no effector `tail`; it has the limbs left_arm"),
        (&["--task", "forward", "--push", "--object", "cupboard"], "there are no holds on `cupboard`"),
    ];
    for (arguments, words) in cases {
        let output = clamber(&[&["pose", &chair], arguments].concat());
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(unwrapped(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
    let reach = scene("poses/reach");
    let cases: [(&str, &[&str], i32, &str); 8] = [
        (&reach, &["--reach", "shelv"], 2, "did you mean `shelf`?"),
        (&reach, &["--reach", "cup", "--lean", "left"], 2, "cannot be used with"),
        (&reach, &["--reach", "cup", "--task", "up"], 2, "cannot be used with"),
        (&reach, &["--lean", "forward", "--object", "cup"], 2, "cannot be used with"),
        (&reach, &["--lean", "up"], 2, "needs a horizontal part"),
        (&reach, &["--lean", "NaN,0,0"], 2, "`NaN,0,0` is no direction"),
        (&chair, &["--lean", "forward"], 2, "the start has no contacts to keep; add them to the scene's [start]"),
        (&reach, &["--reach", "hook", "--limbs", "left_hand"], 3, "`left_hand` does not reach `hook`: it stays 0."),
    ];
    for (scene, arguments, expected, words) in cases {
        let output = clamber(&[&["pose", scene], arguments].concat());
        assert_eq!(status(&output), expected, "{arguments:?}: {}", text(&output.stderr));
        assert!(unwrapped(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
    let output = clamber(&["pose", &reach]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("--task <DIRECTION>"), "{}", text(&output.stderr));
    let output = clamber(&["plan", &chair]);
    assert_eq!(status(&output), 2);
    assert!(unwrapped(&output.stderr).contains("the scene has no goal"), "{}", text(&output.stderr));
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let walk = root().join("scenes/walk.toml").display().to_string();
    let cases: [(&[&str], &str); 4] = [
        (&["bench", &walk, "--scale", "-5"], "must be a number from 0.01 to 100"),
        (&["bench", &walk, "--seeds", "-5"], "must be a whole number from 1 to"),
        (&["refine", &walk, "m.json", "--frames-per-second", "-5"], "must be a number from 1 to 1000"),
        (&["generate", "-o", "x.toml", "--difficulty", "-5"], "must be a number from 0 to 1"),
    ];
    for (arguments, words) in cases {
        let output = clamber(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let motion = at("walk.json");
    assert_eq!(status(&clamber(&["plan", "walk", "-o", &motion])), 0);
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    let walk = read(&scene("walk")).replace("../characters/figure.toml", "figure");
    let (escaped, raw, mode) = (at("escaped.toml"), at("raw.toml"), at("mode.json"));
    std::fs::write(&escaped, walk.replacen("name = \"", "name = \"a\\nb\\u001b[31mred", 1)).unwrap();
    std::fs::write(&raw, walk.replacen("name = \"", "name = \"\u{1b}[31mred", 1)).unwrap();
    std::fs::write(&mode, read(&motion).replace("\"walking\"", "\"\\u001b[31mwalking\"")).unwrap();
    let cases: [&[&str]; 3] = [&["plan", &escaped], &["plan", &raw], &["check", "walk", &mode]];
    for arguments in cases {
        let output = clamber(arguments);
        let message = text(&output.stderr);
        assert_eq!(status(&output), 2, "{arguments:?}: {message}");
        assert!(!message.contains('\u{1b}'), "{message:?}");
        assert!(arguments[1] == raw || message.contains("the control character"), "{message}");
    }
}
