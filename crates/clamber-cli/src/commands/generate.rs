//! `clamber generate`: generates a course and writes it as a scene.

use std::path::{Path, PathBuf};

use clamber::course::spatial::SurroundingsSettings;
use miette::Diagnostic;

use super::generated_course::{CourseMaker, CourseShape, surroundings_file};
use crate::args::GenerateArgs;
use crate::exit_status::Status;
use crate::file_format::OutputError;

#[derive(Debug, thiserror::Error, Diagnostic)]
enum GenerateError {
    #[error("`{}` is not a scene file", .file.display())]
    #[diagnostic(help("use the extension .toml"))]
    UnsupportedExtension { file: PathBuf },
}

pub fn run(args: &GenerateArgs) -> miette::Result<Status> {
    let file = &args.output;
    if file.extension().is_none_or(|extension| extension != "toml") {
        return Err(GenerateError::UnsupportedExtension { file: file.clone() }.into());
    }
    let folder = folder_of(file);
    if !folder.is_dir() {
        return Err(OutputError::NoFolder { file: file.clone(), folder: folder.to_owned() }.into());
    }
    let maker = CourseMaker::new(folder, &args.character, &args.kinds, args.space)?;
    let surroundings = args.surroundings.map(|triangles| {
        let file = surroundings_file(file)?;
        Ok::<_, miette::Report>(SurroundingsSettings { triangles, file })
    });
    let shape = CourseShape {
        segment_count: args.segments as usize,
        difficulty: args.difficulty,
        impossible: args.impossible,
        surroundings: surroundings.transpose()?,
    };
    let course = maker.make(args.seed, &shape);
    // Report a character that does not fit the course now, not when somebody plans.
    course.scene(file)?;
    course.write(file)?;
    println!("course {}: {}", args.seed, course.kinds.join(", "));
    if let Some(broken) = &course.infeasible_segment {
        println!("segment {}, {}, is impassable: {}", broken.segment_number, broken.kind, broken.description);
    }
    Ok(Status::Success)
}

/// The folder of a file.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
