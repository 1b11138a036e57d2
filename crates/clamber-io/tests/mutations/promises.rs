//! Promises that hold for every file, however corrupted.

use std::path::Path;

use clamber_check::{CheckSettings, check_motion};
use clamber_io::{FileError, parse_bvh, parse_motion, parse_scene, to_bvh, to_motion_json};
use clamber_model::{Motion, Problem};
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::seeds::{Files, Kind, Seed, plain_path, read, straight};

/// The outcome of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Accepted,
    Refused,
}

/// Reads these bytes in place of the seed's file and uses the result. Errors describe the broken promise.
pub fn examine(files: &Files, seed: &Seed, bytes: &[u8]) -> Result<Verdict, String> {
    let bring = |path: &Path| if plain_path(path) == seed.file { Ok(bytes.to_vec()) } else { read(files, path) };
    let lines = |path: &Path| bring(path).map(|bytes| 1 + bytes.iter().filter(|&&byte| byte == b'\n').count());
    let scene = parse_scene(&seed.scene, &bring(&seed.scene).unwrap(), &bring);
    let scene = match scene {
        Ok(scene) => scene,
        Err(error) => return judge(&error, lines).map(|()| Verdict::Refused),
    };
    let problem = &scene.problem;
    if seed.kind == Kind::Motion {
        let is_bvh = seed.file.extension().is_some_and(|ending| ending == "bvh");
        let motion = match is_bvh {
            true => parse_bvh(&seed.file, bytes, &problem.character),
            false => parse_motion(&seed.file, bytes, problem),
        };
        return match motion {
            Ok(motion) => use_motion(problem, &motion),
            Err(error) => judge(&error, lines).map(|()| Verdict::Refused),
        };
    }
    let motion = straight(problem, 3);
    let bvh = to_bvh(&problem.character, &motion).unwrap();
    if let Err(error) = parse_bvh(Path::new("written.bvh"), bvh.as_bytes(), &problem.character) {
        return Err(format!("a written BVH cannot be read: {error}"));
    }
    let text = to_motion_json(problem, &motion).unwrap();
    match parse_motion(Path::new("written.json"), text.as_bytes(), problem) {
        Ok(again) if again == motion => use_motion(problem, &motion),
        Ok(_) => Err("a motion is not read as it was written".to_owned()),
        Err(error) => Err(format!("a written motion cannot be read: {error}")),
    }
}

fn use_motion(problem: &Problem, motion: &Motion) -> Result<Verdict, String> {
    // Coarser than usual: a mutated motion may jump far, and each sample checks every capsule.
    let mut settings = CheckSettings::default();
    settings.max_sample_spacing = 0.25;
    let report = check_motion(problem, motion, &settings);
    if report.properties.iter().any(|result| result.worst.is_nan()) {
        return Err(format!("a worst value is not a number:\n{report}"));
    }
    Ok(Verdict::Accepted)
}

/// An error names a file that was read, a line in it and the problem, in one legible line.
fn judge(error: &FileError, lines: impl Fn(&Path) -> std::io::Result<usize>) -> Result<(), String> {
    let said = error.to_string();
    let complain = |problem: &str| Err(format!("{problem}: {error:?}"));
    let Ok(lines) = lines(&error.file) else { return complain("the error is about a file that was not read") };
    if !said.starts_with(&error.file.display().to_string()) {
        return complain("the error does not begin with its file");
    }
    if error.message.trim().is_empty() || error.help.as_ref().is_some_and(|help| help.trim().is_empty()) {
        return complain("the error says nothing");
    }
    if said.chars().any(char::is_control) || said.len() > 1200 {
        return complain("the error is not one legible line");
    }
    match error.line {
        Some(line) if !(1..=lines).contains(&line) => return complain("the line is not in the file"),
        Some(_) => {}
        None if error.file.extension().is_some_and(|ending| ending == "gltf" || ending == "glb") => {
            // glTF consists of numbered items: the item is the location.
            const THINGS: [&str; 7] = ["buffer ", "accessor ", "node ", "scene", " part", "header", "glTF: `"];
            if !THINGS.iter().any(|thing| error.message.contains(thing)) {
                return complain("the error names no item of the glTF file");
            }
        }
        None => return complain("the error names no line"),
    }
    // Printing the error with its source must not fail either.
    let mut shown = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .render_report(&mut shown, error)
        .map_err(|_| format!("the error cannot be shown: {error:?}"))
}
