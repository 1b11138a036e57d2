//! Ctrl-C: the command ends soon, with status 130 and without half-written files.
#![cfg(unix)]

mod common;

use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{clamber, scene, status, unwrapped};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clamber"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts")
}

fn interrupt(process: &Child) {
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Starts the command, interrupts it after a while, and expects it to end with status 130 within a second.
fn assert_ends_when_interrupted(arguments: &[&str], after: Duration) {
    let mut process = start(arguments);
    std::thread::sleep(after);
    assert_eq!(process.try_wait().unwrap(), None, "the command ended before it was interrupted");
    let interrupted = Instant::now();
    interrupt(&process);
    let ended = process.wait().unwrap();
    assert_eq!(ended.code(), Some(130), "{ended}");
    let seconds = interrupted.elapsed().as_secs_f64();
    assert!(seconds < 1.0, "ended {seconds} s after Ctrl-C");
}

/// Writes a scene on a bumpy ground of this many cells along x and z, of two triangles each.
fn write_large_scene(folder: &Path, cells: [usize; 2]) -> String {
    let [along, across] = cells;
    let mut obj = String::new();
    for x in 0..=along {
        for z in 0..=across {
            let height = 0.01 * ((x * 7 + z * 13) % 5) as f32;
            writeln!(obj, "v {} {height} {}", 0.05 * x as f32 - 2.0, 0.05 * z as f32 - 2.0).unwrap();
        }
    }
    for x in 0..along {
        for z in 0..across {
            let at = |x: usize, z: usize| x * (across + 1) + z + 1;
            let [a, b, c, d] = [at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)];
            writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
        }
    }
    std::fs::write(folder.join("ground.obj"), obj).unwrap();
    let walk = std::fs::read_to_string(scene("walk")).unwrap().replace("../characters/figure.toml", "figure");
    let obstacle = "\n[[obstacle]]\nname = \"scan\"\nmesh = { file = \"ground.obj\", position = [0, -5, 0] }\n";
    let file = folder.join("large.toml");
    std::fs::write(&file, walk + obstacle).unwrap();
    file.display().to_string()
}

#[test]
fn reading_a_large_scene_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let large = write_large_scene(folder.path(), [500, 200]);
    let motion = folder.path().join("out.json").display().to_string();
    assert_ends_when_interrupted(&["plan", &large, "-o", &motion], Duration::from_millis(150));
    assert!(!Path::new(&motion).exists());
}

#[test]
fn refining_and_adding_hands_and_feet_are_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (planned, clip) = (at("gauntlet.json"), at("clip.bvh"));
    let output = clamber(&["plan", &scene("gauntlet"), "-o", &planned]);
    assert_eq!(status(&output), 0, "{}", unwrapped(&output.stderr));
    for milliseconds in [150, 600] {
        let arguments = ["refine", &scene("gauntlet"), &planned, "--frames-per-second", "1000", "-o", &clip];
        assert_ends_when_interrupted(&arguments, Duration::from_millis(milliseconds));
        assert!(!Path::new(&clip).exists());
    }
}

#[test]
fn a_partial_motion_is_written_after_planning_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let motion = folder.path().join("out.json").display().to_string();
    let arguments = ["plan", &scene("gauntlet"), "--partial", "-o", &motion];
    assert_ends_when_interrupted(&arguments, Duration::from_millis(300));
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&motion).unwrap()).unwrap();
    assert!(written["frames"].as_array().is_some_and(|frames| !frames.is_empty()));
}
