//! Reads and writes motions and draws pictures; what a file is follows from its ending.

use std::path::{Path, PathBuf};

use clamber::draw::{DrawSettings, animation, contact_sheet, filmstrip};
use clamber::io::{ExportError, read_motion, write_bvh, write_glb, write_motion, write_usda};
use clamber::model::{Motion, Problem};
use clamber::{read_bvh_of, with_hands_and_feet};
use miette::Diagnostic;

use crate::progress::Watch;

/// What a file's ending asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Motion,
    Bvh,
    Glb,
    Usda,
    Svg,
    Png,
    Gif,
}

impl Kind {
    /// All that there is.
    pub const EVERY: [Self; 7] = [Self::Motion, Self::Bvh, Self::Glb, Self::Usda, Self::Svg, Self::Png, Self::Gif];
}

/// A file to write, and what to write.
#[derive(Clone, Debug)]
pub struct Output {
    pub file: PathBuf,
    pub kind: Kind,
}

#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum OutputError {
    #[error("{}: {what} cannot end in `{ending}`", .file.display())]
    #[diagnostic(help("it may end in {known}"))]
    UnknownEnding { file: PathBuf, what: &'static str, ending: String, known: String },
    #[error("{}: the folder {} is not there", .file.display(), .folder.display())]
    #[diagnostic(help("make it first, or write elsewhere"))]
    NoFolder { file: PathBuf, folder: PathBuf },
    #[error("{}: cannot write", .file.display())]
    Unwritable { file: PathBuf, source: std::io::Error },
    #[error("{}: cannot be written: {error}", .file.display())]
    #[diagnostic(forward(error))]
    Unfit { file: PathBuf, error: ExportError },
    #[error("the drawing was stopped")]
    Stopped,
}

/// Reads the kinds off the endings and looks for the folders, before any work is done for them.
pub fn outputs(files: &[PathBuf], allowed: &[Kind]) -> Result<Vec<Output>, OutputError> {
    let output = |file: &PathBuf| {
        let kind = kind_of(file, "an output", allowed)?;
        match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                Err(OutputError::NoFolder { file: file.clone(), folder: folder.to_owned() })
            }
            _ => Ok(Output { file: file.clone(), kind }),
        }
    };
    files.iter().map(output).collect()
}

/// Reads a motion of either format. What has no ending, such as a pipe, is a motion file.
pub fn read(file: &Path, problem: &Problem) -> miette::Result<Motion> {
    let kind = match file.extension() {
        Some(_) => kind_of(file, "a motion", &[Kind::Motion, Kind::Bvh])?,
        None => Kind::Motion,
    };
    Ok(if kind == Kind::Bvh { read_bvh_of(file, problem)? } else { read_motion(file, problem)? })
}

fn kind_of(file: &Path, what: &'static str, allowed: &[Kind]) -> Result<Kind, OutputError> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    let known = [
        ("json", Kind::Motion),
        ("bvh", Kind::Bvh),
        ("glb", Kind::Glb),
        ("usda", Kind::Usda),
        ("svg", Kind::Svg),
        ("png", Kind::Png),
        ("gif", Kind::Gif),
    ];
    let known = known.into_iter().filter(|(_, kind)| allowed.contains(kind));
    known.clone().find(|(word, _)| *word == ending).map(|(_, kind)| kind).ok_or_else(|| {
        let known: Vec<String> = known.map(|(word, _)| format!(".{word}")).collect();
        let (file, ending) = (file.to_owned(), format!(".{ending}"));
        OutputError::UnknownEnding { file, what, ending, known: known.join(", ") }
    })
}

/// Writes one file.
pub fn write(
    output: &Output,
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
    watch: &Watch,
) -> Result<(), OutputError> {
    // Everything but the motion file, from which one plans on, is to be looked at.
    let shown = (output.kind != Kind::Motion).then(|| with_hands_and_feet(problem, motion));
    let (problem, motion) = shown.as_ref().map_or((problem, motion), |(problem, motion)| (problem, motion));
    let Problem { character, world, .. } = problem;
    let unfit = |error| OutputError::Unfit { file: output.file.clone(), error };
    let bytes = match output.kind {
        Kind::Motion => write_motion(problem, motion).into_bytes(),
        Kind::Bvh => write_bvh(character, motion).into_bytes(),
        Kind::Glb => write_glb(character, world, motion).map_err(unfit)?,
        Kind::Usda => write_usda(character, world, motion).map_err(unfit)?.into_bytes(),
        Kind::Svg => filmstrip(problem, motion, settings).to_svg().into_bytes(),
        Kind::Png => filmstrip(problem, motion, settings).to_png(),
        Kind::Gif => {
            animation(problem, motion, settings, &mut |share| watch.draw(share)).ok_or(OutputError::Stopped)?
        }
    };
    write_bytes(&output.file, &bytes)
}

/// Writes a contact sheet.
pub fn write_sheet(
    output: &Output,
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
) -> Result<(), OutputError> {
    let (problem, motion) = with_hands_and_feet(problem, motion);
    let picture = contact_sheet(&problem, &motion, settings);
    let bytes = if output.kind == Kind::Svg { picture.to_svg().into_bytes() } else { picture.to_png() };
    write_bytes(&output.file, &bytes)
}

/// Writes a file.
pub fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    std::fs::write(file, bytes).map_err(|source| OutputError::Unwritable { file: file.to_owned(), source })
}
