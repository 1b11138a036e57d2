//! The command as a shell sees it: output, files and exit status.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{clamber, root, scene, status, text, unwrapped};

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

/// Plans the flight scene and writes the motion into a folder.
fn plan_flight(folder: &Path) -> String {
    let motion = folder.join("flight.json").display().to_string();
    let output = clamber(&["plan", &scene("flight"), "-o", &motion]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    motion
}

#[test]
fn plan_check_and_draw_work_together() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let motion = plan_flight(folder.path());
    let check = clamber(&["check", &scene("flight"), &motion]);
    assert_eq!(status(&check), 0, "{}", text(&check.stdout));
    assert!(text(&check.stdout).ends_with("the motion is valid\n"));
    let drawn = [at("a.svg"), at("a.png"), at("a.gif")];
    let [svg, png, gif] = &drawn;
    let draw = clamber(&["draw", &scene("flight"), &motion, "-o", svg, "-o", png, "-o", gif, "--width", "300"]);
    assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
    let begins: [&[u8]; 3] = [b"<svg", b"\x89PNG", b"GIF89a"];
    for (file, begins) in drawn.iter().zip(begins) {
        assert!(std::fs::read(file).unwrap().starts_with(begins), "{file}");
    }
    // These options change nothing for a flight in a world without holds.
    let same = at("b.svg");
    let options = ["--width", "300", "--at-contacts", "--no-holds"];
    let draw = clamber(&[&["draw", &scene("flight"), &motion, "-o", &same], &options[..]].concat());
    assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
    assert!(std::fs::read(svg).unwrap() == std::fs::read(&same).unwrap());
}

#[test]
fn a_pose_is_written_like_a_motion() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (chair, json, glb) = (scene("poses/chair"), at("pose.json"), at("pose.glb"));
    let pose = clamber(&["pose", &chair, "--task", "up", "--samples", "10000", "-o", &json, "-o", &glb]);
    assert_eq!(status(&pose), 0, "{}", text(&pose.stderr));
    let lines = text(&pose.stdout);
    assert!(lines.contains("left_hand on `table ") && lines.contains("in balance; exerts "), "{lines}");
    assert!(std::fs::read(&glb).unwrap().starts_with(b"glTF"));
    let draw = clamber(&["draw", &chair, &json, "-o", &at("pose.svg")]);
    assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
}

#[test]
fn poses_that_reach_and_lean_say_how_far() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let cases: [(&[&str], &str); 2] = [
        (&["--reach", "cup", "--limbs", "left_hand"], "left_hand reaches `cup`; in balance"),
        (&["--lean", "forward"], "in balance; the center of mass moves by 0.1"),
    ];
    for (arguments, words) in cases {
        let json = at("pose.json");
        let pose = clamber(&[&["pose", &scene("poses/reach"), "-o", &json], arguments].concat());
        assert_eq!(status(&pose), 0, "{}", text(&pose.stderr));
        assert!(text(&pose.stdout).contains(words), "{}", text(&pose.stdout));
        let draw = clamber(&["draw", &scene("poses/reach"), &json, "-o", &at("pose.svg")]);
        assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
    }
}

#[test]
fn draw_makes_contact_sheets_and_parts_of_animations() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (motion, sheet, part) = (at("walk.json"), at("sheet.svg"), at("part.gif"));
    let plan = clamber(&["plan", &scene("walk"), "-o", &motion]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    let draw = clamber(&["draw", &scene("walk"), &motion, "--sheet", "-o", &sheet]);
    assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
    let drawn = std::fs::read_to_string(&sheet).unwrap();
    assert!(["left_foot", "walking", "seconds"].iter().all(|word| drawn.contains(word)), "{drawn}");
    let options = ["--from", "0.5", "--to", "1", "--whole", "--width", "200"];
    let draw = clamber(&[&["draw", &scene("walk"), &motion, "-o", &part], &options[..]].concat());
    assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
    let errors: [(&[&str], &[&str]); 3] = [
        (&["--sheet", "-o", &part], &[".gif", ".svg or .png"]),
        (&["--from", "3", "--to", "2", "-o", &sheet], &["no frames from 3 s to 2 s", "lasts"]),
        (&["--from", "-1", "-o", &sheet], &["must be a number of seconds, 0 or more"]),
    ];
    for (options, words) in errors {
        let draw = clamber(&[&["draw", &scene("walk"), &motion], options].concat());
        assert_eq!(status(&draw), 2);
        let message = text(&draw.stderr);
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}

#[test]
fn a_motion_stays_valid_through_bvh_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (planned, converted, back) = (at("planned.bvh"), at("converted.bvh"), at("back.json"));
    let motion = at("flight.json");
    let plan = clamber(&["plan", &scene("flight"), "-o", &motion, "-o", &planned]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    for (from, to) in [(&motion, &converted), (&converted, &back)] {
        let output = clamber(&["convert", &scene("flight"), from, "-o", to]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "");
    }
    assert!(std::fs::read(&planned).unwrap() == std::fs::read(&converted).unwrap(), "the same motion, the same file");
    for motion in [&converted, &back] {
        let check = clamber(&["check", &scene("flight"), motion]);
        assert_eq!(status(&check), 0, "{motion}: {}{}", text(&check.stdout), text(&check.stderr));
    }
    // Both files give the same picture.
    let [of_bvh, of_json] = [(&converted, at("bvh.svg")), (&back, at("json.svg"))].map(|(motion, picture)| {
        let draw = clamber(&["draw", &scene("flight"), motion, "-o", &picture]);
        assert_eq!(status(&draw), 0, "{}", text(&draw.stderr));
        std::fs::read(picture).unwrap()
    });
    assert!(of_bvh == of_json);
}

#[test]
fn a_plan_on_holds_is_written_as_json_and_bvh() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (motion, bvh) = (at("walk.json"), at("walk.bvh"));
    let plan = clamber(&["plan", &scene("walk"), "--planner", "rpp", "-o", &motion, "-o", &bvh]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    let check = clamber(&["check", &scene("walk"), &motion]);
    assert_eq!(status(&check), 0, "{}", text(&check.stdout));
    for property in ["slip", "holds", "support", "balance"] {
        assert!(text(&check.stdout).contains(property), "{property}");
    }
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&motion).unwrap()).unwrap();
    assert_eq!(written["spans"][0]["mode"], "walking");
    assert!(written["contacts"].as_array().unwrap().iter().any(|contact| contact["effector"] == "left_foot"));
    let frames = written["frames"].as_array().unwrap().len();
    let bvh = std::fs::read_to_string(&bvh).unwrap();
    assert!(bvh.starts_with("HIERARCHY") && bvh.contains(&format!("Frames: {frames}\n")));
    // The grasp-based planner refuses a start without contacts.
    let refused = clamber(&["plan", &scene("flight"), "--planner", "rpp", "--json"]);
    assert_eq!(status(&refused), 3);
    assert_eq!(json(&refused)["solved"], false);
}

#[test]
fn bench_reports_the_worst_findings_and_the_mode_transitions() {
    let arguments = ["bench", &scene("swing"), "--seeds", "2", "--threads", "2", "--report"];
    let output = clamber(&[&arguments[..], &["--json"]].concat());
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let row = &json(&output)[0];
    assert_eq!((&row["solved"], &row["valid"]), (&2.into(), &2.into()));
    assert_eq!(row["transitions"]["walking to swinging"], 2);
    assert_eq!(row["transitions"]["swinging to walking"], 2);
    let worst = row["worst"].as_array().unwrap();
    let of = |property: &str| worst.iter().find(|worst| worst["property"] == property).unwrap();
    for property in ["penetration", "slip", "balance"] {
        let (value, limit) = (of(property)["value"].as_f64().unwrap(), of(property)["limit"].as_f64().unwrap());
        assert!(value <= limit, "{property}: {value} of {limit}");
    }
    assert_eq!((&of("slip")["unit"], of("slip")["value"].as_f64().unwrap() > 0.0), (&"m".into(), true));
    let output = clamber(&arguments);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    for words in ["worst: form 0 violations", "transitions: swinging to walking 2; walking to swinging 2"] {
        assert!(text(&output.stdout).contains(words), "{words:?} is not in {}", text(&output.stdout));
    }
}

#[test]
fn bench_compares_planning_time_with_duration_checks_and_another_planner() {
    let arguments = ["bench", &scene("walk"), "--seeds", "2", "--planner", "rpp", "--against", "auto"];
    let output = clamber(&[&arguments[..], &["--json"]].concat());
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let row = &json(&output)[0];
    let of = |key: &str| row["speed"][key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
    let frames = row["frames_median"].as_f64().unwrap();
    assert!((of("plays_median") - (frames - 1.0) / 30.0).abs() < 0.01);
    assert!(of("plays_by_planned_90") <= of("plays_by_planned_median"));
    assert!(of("planned_by_collision_check_90") >= of("planned_by_collision_check_median"));
    assert!(of("contacts_30_90") >= of("contacts_30_median"));
    // A collision check takes from a tenth of a microsecond to a millisecond on any machine.
    let each = of("collision_check_median") / frames;
    assert!((1e-7..1e-3).contains(&each), "{each}");
    let against = &row["speed"]["against"];
    assert_eq!(against["solved"], 2);
    let ratio = against["seconds_median"].as_f64().unwrap() / row["seconds_median"].as_f64().unwrap();
    assert!((against["ratio"].as_f64().unwrap() - ratio).abs() < 1e-6 * ratio);

    let output = clamber(&["bench", &scene("flight"), "--seeds", "1", "--speed"]);
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[3].contains("plays/planned (median, 90%)"), "{lines:?}");
    assert!(lines[4].starts_with("flight ") && lines[4].trim_end().ends_with('-'), "{lines:?}");
    // The second table is optional.
    let plain = clamber(&["bench", &scene("flight"), "--seeds", "1"]);
    assert_eq!(text(&plain.stdout).lines().count(), 2);
}

#[test]
fn slices_do_not_change_the_motions() {
    let digests = |options: &[&str]| {
        let output =
            clamber(&[&["bench", &scene("walk"), "--planner", "stance", "--seeds", "2", "--json"], options].concat());
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        json(&output)[0]["digest"].clone()
    };
    let unsliced = digests(&[]);
    assert!(unsliced.is_string());
    assert_eq!(unsliced, digests(&["--slices", "1"]));
    assert_eq!(unsliced, digests(&["--slices", "1000"]));
}

#[test]
fn contacts_and_modes_do_not_survive_bvh() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (motion, bvh, back) = (at("walk.json"), at("walk.bvh"), at("back.json"));
    let plan = clamber(&["plan", &scene("walk"), "-o", &motion, "-o", &bvh]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    let convert = clamber(&["convert", &scene("walk"), &bvh, "-o", &back]);
    assert_eq!(status(&convert), 0, "{}", text(&convert.stderr));
    let read = |file: &str| serde_json::from_slice::<serde_json::Value>(&std::fs::read(file).unwrap()).unwrap();
    assert!(!read(&motion)["contacts"].as_array().unwrap().is_empty());
    assert!(read(&back)["contacts"].as_array().unwrap().is_empty());
    assert_eq!(read(&back)["spans"][0]["mode"], "flying");
}

#[test]
fn plans_and_converted_motions_are_written_as_gltf_and_usd() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (motion, bvh) = (at("walk.json"), at("walk.bvh"));
    let [planned, converted, poorer] =
        ["planned", "converted", "poorer"].map(|name| ["glb", "usda"].map(|ending| at(&format!("{name}.{ending}"))));
    let plan = clamber(&["plan", &scene("walk"), "-o", &motion, "-o", &bvh, "-o", &planned[0], "-o", &planned[1]]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    for (from, to) in [(&motion, &converted), (&bvh, &poorer)] {
        let convert = clamber(&["convert", &scene("walk"), from, "-o", &to[0], "-o", &to[1]]);
        assert_eq!(status(&convert), 0, "{}", text(&convert.stderr));
    }
    let read = |file: &String| std::fs::read(file).unwrap();
    assert!(read(&planned[0]).starts_with(b"glTF") && read(&planned[1]).starts_with(b"#usda"));
    for (planned, converted) in planned.iter().zip(&converted) {
        // A motion file rounds angles, so the files differ slightly.
        let (planned, converted) = (read(planned).len(), read(converted).len());
        assert!(planned.abs_diff(converted) * 100 < planned, "{planned} and {converted} bytes");
    }
    let marks = |file: &[String; 2]| String::from_utf8(read(&file[1])).unwrap().matches("left_foot").count();
    assert!(marks(&converted) > marks(&poorer), "BVH has lost the contacts");
}

#[test]
fn json_output_is_the_only_output() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("m.json").display().to_string();
    let output = clamber(&["plan", &scene("flight"), "-o", &motion, "--json"]);
    assert_eq!(status(&output), 0);
    assert_eq!(text(&output.stderr), "");
    let outcome = json(&output);
    assert_eq!(outcome["solved"], true);
    assert_eq!(outcome["valid"], true);
    assert_eq!(outcome["seed"], 1);
    assert!(outcome["statistics"]["expansions"].as_u64().unwrap() > 100);
    assert_eq!(outcome["report"].as_array().unwrap().len(), 12);
    assert!(Path::new(&motion).exists());
}

#[test]
fn an_invalid_motion_exits_with_1_and_names_the_failed_properties() {
    let folder = tempfile::tempdir().unwrap();
    let motion = plan_flight(folder.path());
    // The motion of one scene is invalid in another.
    let output = clamber(&["check", &scene("cave"), &motion, "--json"]);
    assert_eq!(status(&output), 1);
    let report = json(&output);
    assert_eq!(report["valid"], false);
    let failed: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["passed"] == false)
        .map(|finding| finding["property"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["penetration", "start", "goal"]);
    assert_eq!(status(&clamber(&["check", &scene("cave"), &motion])), 1);
}

#[test]
fn usage_and_input_errors_exit_with_2_and_suggest_a_fix() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let good = std::fs::read_to_string(scene("flight")).unwrap();
    let misspelt = at("misspelt.toml");
    std::fs::write(&misspelt, good.replacen("[[obstacle]]", "[[obstcale]]", 1)).unwrap();
    let cases: [(&[&str], &[&str]); 15] = [
        (
            &["plan", &scene("flight"), "-o", "nowhere/x.json"],
            &["nowhere/x.json", "the folder `nowhere` does not exist"],
        ),
        (&["plan", &misspelt], &["unknown key `obstcale`", "did you mean `obstacle`?", ":8:"]),
        (&["plan", "nowhere.toml"], &["nowhere.toml", "cannot read the scene"]),
        (&["plan", &scene("flight"), "-o", "x.mp4"], &[".mp4", ".json, .bvh, .glb, .usda, .svg, .png or .gif"]),
        (&["draw", &scene("flight"), "nowhere.json", "-o", "x.png"], &["nowhere.json", "cannot read the motion"]),
        (&["draw", &scene("flight"), "m.json", "-o", "x.png", "--view", "sideways"], &["sideways", "oblique"]),
        (
            &["convert", &scene("flight"), "m.fbx", "-o", "x.bvh"],
            &["`m.fbx` has the extension .fbx, which is not supported for motions", ".json or .bvh"],
        ),
        (
            &["check", &scene("flight"), "m.fbx"],
            &["`m.fbx` has the extension .fbx, which is not supported for motions", ".json or .bvh"],
        ),
        (
            &["convert", &scene("flight"), "m.bvh", "-o", "x.png"],
            &["`x.png` has the extension .png, which is not supported for this output", ".json, .bvh, .glb or .usda"],
        ),
        (&["fly"], &["unrecognized subcommand"]),
        (&["plan", &scene("flight"), "-o", "x"], &["`x` has no extension", "add .json, .bvh, .glb"]),
        (&["plan", &scene("walk"), "--raw"], &["--raw does not apply to the stance planner", "--planner rpp"]),
        (&["plan", &scene("flight"), "--seed", "-5"], &["must be a whole number from 0 to"]),
        (&["draw", &scene("flight"), "m.json", "-o", "x.png", "--width", "-5"], &["a whole number from 64 to 4096"]),
        (&["refine", &scene("walk"), "m.json", "--speed", "-5"], &["must be a number from 0.05 to 20, or pairs"]),
    ];
    for (arguments, expected) in cases {
        let output = clamber(arguments);
        let message = unwrapped(&output.stderr);
        assert_eq!(status(&output), 2, "{arguments:?}: {message}");
        for words in expected {
            assert!(message.contains(words), "{arguments:?}: {words:?} is not in {message}");
        }
    }
}

#[test]
fn replanning_keeps_the_valid_part_of_a_motion() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (motion, same, other) = (at("a.json"), at("b.json"), at("c.json"));
    let plan = |options: &[&str]| clamber(&[&["plan", &scene("walk"), "--planner", "rpp", "--json"], options].concat());
    assert_eq!(status(&plan(&["-o", &motion])), 0);
    assert_eq!(status(&plan(&["--from", &motion, "-o", &same])), 0);
    assert!(std::fs::read(&motion).unwrap() == std::fs::read(&same).unwrap());
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&motion).unwrap()).unwrap();
    let contacts = written["contacts"].as_array().unwrap();
    let hold = contacts[2 * contacts.len() / 3]["hold"].as_str().unwrap();
    let output = plan(&["--from", &motion, "--forbid", hold, "-o", &other]);
    assert_eq!(status(&output), 0, "{}", text(&output.stdout));
    let report = json(&output)["report"].as_array().unwrap().clone();
    assert!(report.iter().any(|finding| finding["property"] == "forbidden" && finding["passed"] == true));
    assert!(!std::fs::read_to_string(&other).unwrap().contains(&format!("\"{hold}\"")));
    // The motion already uses the pinned hold. The grasp-based planner cannot plan for pins.
    assert_eq!(status(&plan(&["--from", &motion, "--pin", hold])), 0);
    let refused = plan(&["--pin", hold]);
    assert_eq!((status(&refused), &json(&refused)["failure"]["kind"]), (3, &"no-pins".into()));
    let mistakes: [(&[&str], &str); 5] = [
        (&["--forbid", "grund 3"], "there is no hold `grund 3`"),
        (&["--pin", "grund 3"], "did you mean `ground"),
        (&["--pin", "left_fot=ground 9"], "did you mean `left_foot`?"),
        (&["--pin", hold, "--forbid", hold], "is pinned and forbidden"),
        (&["--at", "3"], "--from"),
    ];
    for (options, words) in mistakes {
        let output = plan(options);
        assert_eq!(status(&output), 2, "{options:?}");
        assert!(text(&output.stderr).contains(words), "{options:?}: {}", text(&output.stderr));
    }
}

#[test]
fn without_a_plan_it_exits_with_3_and_writes_files_only_with_partial() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("m.json").display().to_string();
    let short = ["plan", &scene("cave"), "-o", &motion, "--max-expansions", "3000"];
    let output = clamber(&short);
    assert_eq!(status(&output), 3);
    assert!(text(&output.stderr).contains("no path found after 3"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("\n  help: try another seed"), "{}", text(&output.stderr));
    assert!(!Path::new(&motion).exists());
    // A spent budget has no place to draw.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let output = clamber(&[&short[..], &["--partial"]].concat());
    assert_eq!(status(&output), 3);
    let said = text(&output.stderr);
    assert!(said.contains("\n  partial motion, ") && said.contains(&motion), "{said}");
    std::fs::remove_file(&motion).unwrap();

    let output = clamber(&[&short[..], &["--partial", "--json", "--no-picture"]].concat());
    assert_eq!(status(&output), 3);
    assert_eq!(text(&output.stderr), "");
    let outcome = json(&output);
    assert!(outcome["failure"]["mend"].as_str().unwrap().contains("another seed"));
    assert_eq!((&outcome["solved"], &outcome["picture"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(outcome["failure"]["kind"], "budget-spent");
    assert!(outcome["failure"]["remaining"].as_f64().unwrap() > 1.0);
    assert!(Path::new(&motion).exists());
}

#[test]
fn one_seed_gives_one_file_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |name: &str, seed: &str, file: &str| {
        let file = folder.path().join(file);
        let output = clamber(&["plan", &scene(name), "--seed", seed, "-o", &file.display().to_string()]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        std::fs::read(file).unwrap()
    };
    for name in ["flight", "flight-insect"] {
        let first = plan(name, "4", "a.json");
        assert!(first == plan(name, "4", "b.json"), "{name}: two runs differ");
        assert!(first != plan(name, "5", "c.json"), "{name}: the seed makes no difference");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_motions() {
    let bench = |threads: &str| {
        let output = clamber(&["bench", &scene("flight"), "--seeds", "4", "--threads", threads, "--json"]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        json(&output)
    };
    let (one, two) = (bench("1"), bench("2"));
    assert_eq!(one[0]["solved"], 4);
    assert_eq!(one[0]["digest"], two[0]["digest"]);
    assert_eq!(one[0]["frames_median"], two[0]["frames_median"]);
}

fn figure() -> String {
    root().join("characters/figure.toml").display().to_string()
}

#[test]
fn a_generated_course_can_be_planned() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (course, again) = (at("course.toml"), at("again.toml"));
    for file in [&course, &again] {
        let arguments =
            ["generate", "--seed", "2", "--segments", "2", "--kinds", "flat,step-up", "--character", &figure()];
        let output = clamber(&[&arguments[..], &["-o", file]].concat());
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with("course 2: "), "{}", text(&output.stdout));
    }
    assert!(std::fs::read(&course).unwrap() == std::fs::read(&again).unwrap(), "two runs differ");
    let plan = clamber(&["plan", &course, "--planner", "rpp"]);
    assert_eq!(status(&plan), 0, "{}", text(&plan.stderr));
    // In the character's folder, the scene refers to it by name only.
    let beside = at("figure.toml");
    std::fs::copy(figure(), &beside).unwrap();
    std::fs::copy(root().join("characters/figure.modes.toml"), at("figure.modes.toml")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_clamber"));
    let command =
        command.current_dir(folder.path()).args(["generate", "--character", "figure.toml", "-o", "course.toml"]);
    assert_eq!(status(&command.output().unwrap()), 0);
    assert!(std::fs::read_to_string(&course).unwrap().contains("character = \"figure.toml\"\n"));
    let cases: [(&[&str], &str); 5] = [
        (&["generate", "-o", "course.json"], "use the extension .toml"),
        (&["generate", "-o", &at("nowhere/course.toml")], "create the folder"),
        (&["generate", "-o", &course, "--character", "nobody.toml"], "--character"),
        (&["generate", "-o", &course, "--kinds", "moat"], "there is no segment kind `moat`"),
        (&["generate", "-o", &course, "--difficulty", "2"], "must be a number from 0 to 1"),
    ];
    for (arguments, expected) in cases {
        let output = clamber(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// Runs the program in an empty folder, as after an installation.
fn clamber_in(folder: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clamber")).current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn built_in_scenes_work_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 6] = [
        &["plan", "flight", "-o", "flight.json"],
        &["check", "flight", "flight.json"],
        &["draw", "flight", "flight.json", "-o", "flight.svg"],
        &["convert", "flight", "flight.json", "-o", "flight.bvh"],
        &["refine", "flight", "flight.json", "-o", "clip.json"],
        &["bench", "flight", "--seeds", "1"],
    ];
    for arguments in commands {
        let output = clamber_in(folder.path(), arguments);
        assert_eq!(status(&output), 0, "{arguments:?}: {}", text(&output.stderr));
    }
    let output = clamber_in(folder.path(), &["plan", "flihgt"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("`flight-human`"), "{}", text(&output.stderr));
}

#[test]
fn refine_names_the_limit_that_slows_a_clip_and_refuses_clips() {
    let folder = tempfile::tempdir().unwrap();
    let clamber = |arguments: &[&str]| clamber_in(folder.path(), arguments);
    assert_eq!(status(&clamber(&["plan", "flight", "-o", "plan.json"])), 0);
    let fast = ["refine", "flight", "plan.json", "--speed", "20", "--frames-per-second", "30", "-o", "clip.json"];
    let output = clamber(&fast);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\nlimited by the "), "{}", text(&output.stdout));
    let output = clamber(&["refine", "flight", "clip.json"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("a clip already"), "{}", text(&output.stderr));
}

#[test]
fn courses_are_generated_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let generate = ["generate", "--segments", "1", "--kinds", "flat", "-o", "course.toml"];
    let output = clamber_in(folder.path(), &generate);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let course = std::fs::read_to_string(folder.path().join("course.toml")).unwrap();
    assert!(course.contains("character = \"figure\"\n"), "{course}");
    let output = clamber_in(folder.path(), &["plan", "course.toml"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn courses_in_space_are_generated_for_the_human() {
    let folder = tempfile::tempdir().unwrap();
    let generate = |extra: &[&str]| {
        let first = ["generate", "--space", "--segments", "2", "-o", "course.toml"];
        clamber_in(folder.path(), &[&first, extra].concat())
    };
    let output = generate(&["--kinds", "beam,hurdle", "--surroundings", "51", "--impossible"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("beam, is impassable: the pit is "), "{}", text(&output.stdout));
    let course = std::fs::read_to_string(folder.path().join("course.toml")).unwrap();
    for words in ["character = \"human\"\n", "[broken]", "file = \"course-surroundings.obj\""] {
        assert!(course.contains(words), "{course}");
    }
    let mesh = std::fs::read_to_string(folder.path().join("course-surroundings.obj")).unwrap();
    assert_eq!(mesh.lines().filter(|line| line.starts_with("f ")).count(), 51);
    for (extra, help) in [
        (&["--kinds", "overhang"][..], "there is no segment kind `overhang` in space"),
        (&["--character", "figure"][..], "moves in a plane"),
        (&["--difficulty", "1"][..], "--space"),
    ] {
        let output = generate(extra);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(help), "{}", text(&output.stderr));
    }
    // `walking` and `climbing` stand for all of their kinds.
    let kinds_of = |group: &str| {
        let words = ["generate", "--space", "--segments", "40", "--kinds", group, "-o", "long.toml"];
        let output = clamber_in(folder.path(), &words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let (walking, climbing) = (kinds_of("walking"), kinds_of("climbing"));
    assert!(walking.contains("stairs-up") && !walking.contains("ladder") && !walking.contains("bars"), "{walking}");
    assert!(climbing.contains("ladder-up") && climbing.contains("bars") && !climbing.contains("stairs"), "{climbing}");
    let bench = ["bench", "--generated", "1", "--space", "--kinds", "beam", "--keep", ".", "--max-expansions", "1"];
    let output = clamber_in(folder.path(), &bench);
    for words in ["of 1 solvable courses solved", "passed by kind: beam 0/1\n"] {
        assert!(text(&output.stdout).contains(words), "{}", text(&output.stdout));
    }
    let course = std::fs::read_to_string(folder.path().join("course-1.toml")).unwrap();
    assert!(course.starts_with("# A course in space: beam, beam, "), "{course}");
}

#[test]
fn a_bench_of_generated_courses_counts_impossible_courses_separately() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let figure = figure();
    let options = ["--segments", "1..2", "--kinds", "flat,gap", "--planner", "rpp", "--max-expansions", "100000"];
    let bench = |more: &[&str]| {
        let first = ["bench", "--generated", "3", "--seeds-from", "3", "--character", &figure];
        clamber(&[&first[..], &options, more].concat())
    };
    let output = bench(&["--json", "--keep", &keep, "--threads", "2"]);
    // The grasp-based planner gives no reason for its failure.
    assert_eq!(status(&output), 3, "{}", text(&output.stderr));
    let summary = json(&output);
    for (key, count) in [("solvable", 2), ("solved", 2), ("impossible", 1), ("right_reasons", 0)] {
        assert_eq!(summary[key], count, "{key}: {summary}");
    }
    assert_eq!(summary["wrong_reason_seeds"], serde_json::json!([5]));
    assert_eq!(summary["impossible_solved_seeds"], serde_json::json!([]));
    for (seed, is_broken) in [(3, false), (4, false), (5, true)] {
        let course = std::fs::read_to_string(folder.path().join(format!("course-{seed}.toml"))).unwrap();
        assert_eq!(course.contains("[broken]"), is_broken, "{seed}");
    }
    let output = bench(&["--report"]);
    for words in [
        "2 of 2 solvable courses solved",
        "0 of 1 impossible courses solved",
        "passed by kind: flat ",
        "    5 (impossible): near segment ",
        ": no path found",
    ] {
        assert!(text(&output.stdout).contains(words), "{words:?} is not in {}", text(&output.stdout));
    }
}

#[test]
fn a_bench_of_growth_compares_time_per_segment() {
    let figure = figure();
    let bench = |more: &[&str]| clamber(&[&["bench", "--growth", "10,2", "--character", &figure][..], more].concat());
    let output = bench(&["--kinds", "flat", "--json"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let rows = json(&output);
    for (row, segments, courses) in [(&rows[0], 2, 5), (&rows[1], 10, 1)] {
        for (key, count) in [("segments", segments), ("courses", courses), ("solved", courses), ("valid", courses)] {
            assert_eq!(row[key], count, "{key}: {row}");
        }
        for part in ["world", "plan", "check"] {
            assert!(row[part]["seconds"].as_f64().unwrap() > 0.0, "{part}: {row}");
        }
    }
    assert_eq!(rows[1]["plan"]["ratio"], 1.0);
    assert!(rows[0]["plan"]["ratio"].as_f64().unwrap() > 0.0, "{rows}");
    let output = clamber(&["bench", "--growth", "0"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("must be a whole number from 1 to 2000"), "{}", text(&output.stderr));
}
