//! Reads motions and writes outputs. The extension of a file decides its format.

use std::path::{Path, PathBuf};

use clamber::draw::{DrawSettings, contact_timeline, pose_overlay, render_gif};
use clamber::io::{ExportError, read_motion, to_bvh, to_glb, to_motion_json, to_usda};
use clamber::model::{Motion, Problem};
use clamber::{problem_with_hands_and_feet, read_bvh_without_hands_and_feet};
use miette::Diagnostic;

use crate::progress::ProgressMonitor;

/// File formats, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Motion,
    Bvh,
    Glb,
    Usda,
    Svg,
    Png,
    Gif,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [Self::Motion, Self::Bvh, Self::Glb, Self::Usda, Self::Svg, Self::Png, Self::Gif];

    fn extension(self) -> &'static str {
        match self {
            Self::Motion => "json",
            Self::Bvh => "bvh",
            Self::Glb => "glb",
            Self::Usda => "usda",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
        }
    }
}

/// A file to write.
#[derive(Clone, Debug)]
pub struct Output {
    pub file: PathBuf,
    pub format: FileFormat,
}

#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum OutputError {
    #[error("`{}` has no extension", .file.display())]
    #[diagnostic(help("add {allowed}"))]
    NoExtension { file: PathBuf, allowed: String },
    #[error("`{}` has the extension .{extension}, which is not supported for {role}", .file.display())]
    #[diagnostic(help("use {allowed}"))]
    UnsupportedExtension { file: PathBuf, role: &'static str, extension: String, allowed: String },
    #[error("cannot write `{}`: the folder `{}` does not exist", .file.display(), .folder.display())]
    #[diagnostic(help("create the folder or choose another"))]
    NoFolder { file: PathBuf, folder: PathBuf },
    #[error("cannot write `{}`", .file.display())]
    Unwritable { file: PathBuf, source: std::io::Error },
    #[error("cannot write `{}`: {error}", .file.display())]
    #[diagnostic(forward(error))]
    Unsupported { file: PathBuf, error: ExportError },
    #[error("drawing was cancelled")]
    Cancelled,
}

/// Determines the formats and checks that the folders exist, before any work is done.
pub fn parse_outputs(files: &[PathBuf], allowed: &[FileFormat]) -> Result<Vec<Output>, OutputError> {
    let output = |file: &PathBuf| {
        let format = format_of(file, "this output", allowed)?;
        match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                Err(OutputError::NoFolder { file: file.clone(), folder: folder.to_owned() })
            }
            _ => Ok(Output { file: file.clone(), format }),
        }
    };
    files.iter().map(output).collect()
}

/// Reads a motion from JSON or BVH. A file without an extension, such as a pipe, is read as JSON.
pub fn read_motion_file(file: &Path, problem: &Problem) -> miette::Result<Motion> {
    let format = match file.extension() {
        Some(_) => format_of(file, "motions", &[FileFormat::Motion, FileFormat::Bvh])?,
        None => FileFormat::Motion,
    };
    Ok(if format == FileFormat::Bvh {
        read_bvh_without_hands_and_feet(file, problem)?
    } else {
        read_motion(file, problem)?
    })
}

fn format_of(file: &Path, role: &'static str, allowed: &[FileFormat]) -> Result<FileFormat, OutputError> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    allowed.iter().copied().find(|format| format.extension() == extension).ok_or_else(|| {
        let allowed: Vec<String> = allowed.iter().map(|format| format!(".{}", format.extension())).collect();
        let (file, allowed) = (file.to_owned(), one_of(&allowed));
        match file.extension() {
            None => OutputError::NoExtension { file, allowed },
            Some(_) => OutputError::UnsupportedExtension { file, role, extension, allowed },
        }
    })
}

/// Joins choices as in `a, b or c`.
fn one_of(choices: &[String]) -> String {
    match choices {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => choices.concat(),
    }
}

/// Writes one file.
pub fn write_output(
    output: &Output,
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
    monitor: &ProgressMonitor,
) -> Result<(), OutputError> {
    // Motion files keep the planned motion, for replanning. All others are for display.
    let displayed = (output.format != FileFormat::Motion).then(|| problem_with_hands_and_feet(problem, motion));
    let (problem, motion) = displayed.as_ref().map_or((problem, motion), |(problem, motion)| (problem, motion));
    let Problem { character, world, .. } = problem;
    let unsupported = |error| OutputError::Unsupported { file: output.file.clone(), error };
    let bytes = match output.format {
        FileFormat::Motion => to_motion_json(problem, motion).into_bytes(),
        FileFormat::Bvh => to_bvh(character, motion).into_bytes(),
        FileFormat::Glb => to_glb(character, world, motion).map_err(unsupported)?,
        FileFormat::Usda => to_usda(character, world, motion).map_err(unsupported)?.into_bytes(),
        FileFormat::Svg => pose_overlay(problem, motion, settings).to_svg().into_bytes(),
        FileFormat::Png => pose_overlay(problem, motion, settings).to_png(),
        FileFormat::Gif => render_gif(problem, motion, settings, &mut |share| monitor.report_drawing(share))
            .ok_or(OutputError::Cancelled)?,
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
    let (problem, motion) = problem_with_hands_and_feet(problem, motion);
    let picture = contact_timeline(&problem, &motion, settings);
    let bytes = if output.format == FileFormat::Svg { picture.to_svg().into_bytes() } else { picture.to_png() };
    write_bytes(&output.file, &bytes)
}

/// Writes a file.
pub fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    std::fs::write(file, bytes).map_err(|source| OutputError::Unwritable { file: file.to_owned(), source })
}
