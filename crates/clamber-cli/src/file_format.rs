//! Reads scenes and motions and writes outputs. The extension of a file decides its format.

use std::path::{Path, PathBuf};

use clamber::draw::{DrawError, DrawSettings, contact_timeline, pose_overlay, render_gif};
use clamber::io::{ExportError, Scene, read_motion, read_scene, to_bvh, to_glb, to_motion_json, to_usda};
use clamber::model::{Motion, Problem};
use clamber::read_bvh_without_hands_and_feet;
use miette::Diagnostic;

use crate::cancellable_work::add_hands_and_feet;
use crate::ctrl_c::finish_before_exit;
use crate::exit_status::Cancelled;
use crate::progress::{ProgressMonitor, show_while_reading};

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
    #[error("cannot draw the motion: {0}")]
    Undrawable(#[from] DrawError),
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

/// Reads a scene.
pub fn read_scene_file(file: &Path) -> miette::Result<Scene> {
    Ok(show_while_reading("the scene", || read_scene(file))?)
}

/// Reads a motion from JSON or BVH. A file without an extension, such as a pipe, is read as JSON.
pub fn read_motion_file(file: &Path, problem: &Problem) -> miette::Result<Motion> {
    let format = match file.extension() {
        Some(_) => format_of(file, "motions", &[FileFormat::Motion, FileFormat::Bvh])?,
        None => FileFormat::Motion,
    };
    let motion = show_while_reading("the motion", || {
        if format == FileFormat::Bvh {
            read_bvh_without_hands_and_feet(file, problem)
        } else {
            read_motion(file, problem)
        }
    });
    Ok(motion?)
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
) -> miette::Result<()> {
    // Motion files keep the planned motion, for replanning. All others are for display.
    let is_displayed = output.format != FileFormat::Motion;
    let displayed = is_displayed.then(|| add_hands_and_feet(problem, motion, monitor)).transpose()?;
    let (problem, motion) = displayed.as_ref().map_or((problem, motion), |(problem, motion)| (problem, motion));
    let Problem { character, world, .. } = problem;
    let unsupported = |error| OutputError::Unsupported { file: output.file.clone(), error };
    let overlay = || pose_overlay(problem, motion, settings).map_err(OutputError::from);
    let bytes = match output.format {
        FileFormat::Motion => {
            monitor.run_without_progress(|| to_motion_json(problem, motion)).map_err(unsupported)?.into_bytes()
        }
        FileFormat::Bvh => {
            monitor.run_without_progress(|| to_bvh(character, motion)).map_err(unsupported)?.into_bytes()
        }
        FileFormat::Glb => monitor.run_without_progress(|| to_glb(character, world, motion)).map_err(unsupported)?,
        FileFormat::Usda => {
            monitor.run_without_progress(|| to_usda(character, world, motion)).map_err(unsupported)?.into_bytes()
        }
        FileFormat::Svg => monitor.run_without_progress(|| overlay().map(|picture| picture.to_svg().into_bytes()))?,
        FileFormat::Png => monitor.run_without_progress(|| overlay().map(|picture| picture.to_png()))?,
        FileFormat::Gif => render_gif(problem, motion, settings, &mut |fraction| monitor.report_drawing(fraction))
            .map_err(OutputError::from)?
            .ok_or(Cancelled { what: "drawing" })?,
    };
    Ok(write_bytes(&output.file, &bytes)?)
}

/// Writes a contact sheet.
pub fn write_sheet(
    output: &Output,
    problem: &Problem,
    motion: &Motion,
    settings: &DrawSettings,
    monitor: &ProgressMonitor,
) -> miette::Result<()> {
    let (problem, motion) = add_hands_and_feet(problem, motion, monitor)?;
    let bytes = monitor.run_without_progress(|| {
        let picture = contact_timeline(&problem, &motion, settings)?;
        Ok::<_, OutputError>(if output.format == FileFormat::Svg {
            picture.to_svg().into_bytes()
        } else {
            picture.to_png()
        })
    })?;
    Ok(write_bytes(&output.file, &bytes)?)
}

/// Writes a file to its end, even if Ctrl-C is pressed meanwhile.
pub fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let written = finish_before_exit(|| std::fs::write(file, bytes));
    written.map_err(|source| OutputError::Unwritable { file: file.to_owned(), source })
}
