//! Explains a failed plan in words and in a picture.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clamber::draw::DrawSettings;
use clamber::draw_impasse;
use clamber::model::{Motion, Problem};
use clamber::plan::Failure;

use crate::file_format::{Output, OutputError, write_bytes};

/// Draws an impasse into a file beside the first output: for `out.json`, `out.why.png`. Draws nothing for other failures,
/// which have no place, and nothing without outputs.
pub fn draw(
    problem: &Problem,
    motion: &Motion,
    failure: &Failure,
    outputs: &[Output],
) -> Result<Option<PathBuf>, OutputError> {
    let (Failure::Impasse(impasse), Some(output)) = (failure, outputs.first()) else { return Ok(None) };
    let file = output.file.with_extension("why.png");
    write_bytes(&file, &draw_impasse(problem, motion, impasse, &DrawSettings::default())?.to_png())?;
    Ok(Some(file))
}

/// The reason, the suggested fix, and the files that were written.
pub fn text(
    problem: &Problem,
    motion: &Motion,
    failure: &Failure,
    written: &[&Output],
    picture: Option<&Path>,
) -> String {
    let mut text = format!("no plan for {}: {failure}", problem.name);
    // Writing into a string cannot fail.
    if let Some(mend) = failure.suggestion() {
        let _ = write!(text, "\n  help: {mend}");
    }
    if !written.is_empty() {
        let files: Vec<String> = written.iter().map(|output| output.file.display().to_string()).collect();
        let _ = write!(text, "\n  partial motion, {:.1} s: {}", motion.duration(), files.join(", "));
    }
    if let Some(picture) = picture {
        let _ = write!(text, "\n  picture: {}", picture.display());
    }
    text
}

#[cfg(test)]
mod tests {
    use clamber::io::read_scene;
    use clamber::model::math::Vec3;
    use clamber::model::world::HoldType;
    use clamber::plan::{Impasse, ImpasseCause};

    use super::*;
    use crate::file_format::FileFormat;

    fn stuck() -> (Problem, Motion, Failure) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/walk.toml");
        let problem = read_scene(&file).expect("shipped scenes are valid").problem;
        let configuration = problem.start.configuration.clone();
        let motion = Motion::from_configurations("figure", "walking", vec![configuration; 31], 30.0);
        let [group, from, to] = ["feet", "ground 3", "ground 7"].map(str::to_owned);
        let (hold_type, distance, reach) = (HoldType::LoadBearing, 1.31, 0.98);
        let cause = ImpasseCause::TooFar { group, from_hold: from, to_hold: to, hold_type, distance, reach };
        let impasse =
            Impasse { blocked_position: Vec3::new(2.4, 0.0, 0.0), mode: "walking".to_owned(), cause, is_proved: false };
        (problem, motion, Failure::Impasse(impasse))
    }

    #[test]
    fn an_impasse_is_reported_with_a_fix_and_the_files() {
        let (problem, motion, failure) = stuck();
        let output = Output { file: PathBuf::from("out.json"), format: FileFormat::Motion };
        let picture = PathBuf::from("out.why.png");
        let report = text(&problem, &motion, &failure, &[&output], Some(&picture));
        let expected = "no plan for walk: stuck at (2.40, 0.00) in mode `walking`: the next load-bearing hold, `ground 7`, is 1.31 m \
                        from `ground 3`, but the feet reach only 0.98 m; no other way was found\n  help: add a load-bearing hold within 0.98 m of both \
                        `ground 3` and `ground 7`, or move these at least 0.33 m nearer to each other\n  partial motion, 1.0 s: \
                        out.json\n  picture: out.why.png";
        assert_eq!(report, expected);
        assert_eq!(text(&problem, &motion, &failure, &[], None).lines().count(), 2);
        let cancelled = text(&problem, &motion, &Failure::Cancelled, &[], None);
        assert_eq!(cancelled, "no plan for walk: planning was cancelled");
    }

    #[test]
    fn the_picture_is_written_beside_the_first_output() {
        let folder = tempfile::tempdir().unwrap();
        let output = |name: &str, format| Output { file: folder.path().join(name), format };
        let outputs = [output("a.b.json", FileFormat::Motion), output("other.gif", FileFormat::Gif)];
        let (problem, motion, failure) = stuck();
        let picture = draw(&problem, &motion, &failure, &outputs).unwrap();
        assert_eq!(picture, Some(folder.path().join("a.b.why.png")));
        assert!(std::fs::read(picture.unwrap()).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(draw(&problem, &motion, &failure, &[]).unwrap(), None);
        assert_eq!(draw(&problem, &motion, &Failure::Cancelled, &outputs).unwrap(), None);
    }
}
