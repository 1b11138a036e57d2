//! File errors with their location, and the source text they refer to.

use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};

/// Longer messages are truncated, in bytes. A message can quote a name of any length.
const LONGEST_MESSAGE: usize = 1000;

/// Files with longer lines, in bytes, or with control characters are not printed with an error: no terminal can show them.
const LONGEST_LINE: usize = 2000;

/// A file that cannot be read: its path, the location, the problem and a fix.
#[derive(Debug, thiserror::Error)]
#[error("{}{message}", location(.file, .line, .column))]
#[non_exhaustive]
pub struct FileError {
    /// The path as the caller gave it.
    pub file: PathBuf,
    /// Line, counted from 1; `None` if the error concerns the whole file.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    snippet: Option<Box<(NamedSource<String>, SourceSpan)>>,
}

fn location(file: &Path, line: &Option<usize>, column: &Option<usize>) -> String {
    let numbers: String = [line, column].into_iter().flatten().map(|number| format!(":{number}")).collect();
    format!("{}{numbers}: ", file.display())
}

impl Diagnostic for FileError {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.snippet.as_ref().map(|snippet| &snippet.0 as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let span = self.snippet.as_ref()?.1;
        Some(Box::new(std::iter::once(miette::LabeledSpan::underline(span))))
    }
}

impl FileError {
    /// An error that concerns the whole file: it cannot be opened, or it is not text.
    pub(crate) fn without_location(file: &Path, message: impl Into<String>) -> Self {
        let message = clip(message.into());
        Self { file: file.to_owned(), line: None, column: None, message, help: None, snippet: None }
    }

    /// An error for a file that cannot be opened.
    pub(crate) fn unreadable(file: &Path, what: &str, error: &std::io::Error) -> Self {
        Self::without_location(file, format!("cannot read {what}: {}", reason(error)))
    }

    /// Adds the fix.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(clip(help.into()));
        self
    }
}

/// Describes an I/O error without the operating system's error number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// Shortens text to one legible line. Messages quote the file, and a name in it may be a megabyte long or contain line
/// breaks.
fn clip(mut text: String) -> String {
    if text.len() > LONGEST_MESSAGE {
        text.truncate(text.floor_char_boundary(LONGEST_MESSAGE));
        text.push_str(" ...");
    }
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => line.push(' '),
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

/// The path and text of a file, for locating errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub file: &'a Path,
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Decodes the bytes of a file as UTF-8.
    pub fn new(file: &'a Path, bytes: &'a [u8]) -> Result<Self, FileError> {
        match std::str::from_utf8(bytes) {
            // Some editors write a byte order mark, which not every parser skips.
            Ok(text) => Ok(Self { file, text: text.strip_prefix('\u{feff}').unwrap_or(text) }),
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
                let error = FileError::without_location(file, "the file is not UTF-8 text");
                Err(FileError { line: Some(line), ..error }.with_help("save it as UTF-8 text"))
            }
        }
    }

    /// Creates an error at a byte range.
    pub fn error(&self, bytes: Range<usize>, message: impl Into<String>) -> FileError {
        let floor = |at: usize| self.text.floor_char_boundary(at);
        let (start, end) = (floor(bytes.start), floor(bytes.end.max(bytes.start)));
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let is_printable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
        let is_legible =
            self.text.lines().all(|line| line.len() <= LONGEST_LINE) && self.text.chars().all(is_printable);
        let snippet = is_legible.then(|| {
            let name = self.file.display().to_string();
            Box::new((NamedSource::new(name, self.text.to_owned()), (start..end).into()))
        });
        FileError {
            file: self.file.to_owned(),
            line: Some(1 + before.matches('\n').count()),
            column: Some(1 + before[line_start..].chars().count()),
            message: clip(message.into()),
            help: None,
            snippet,
        }
    }

    /// Resolves a path written in this file, relative to this file's folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(name)
    }

    /// Returns the byte range of a slice that borrows from the text.
    pub fn range_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        start..start + part.len()
    }

    /// Creates an error at a line and a column in bytes, both counted from 1.
    pub fn error_at_line(&self, line: usize, column: usize, message: impl Into<String>) -> FileError {
        let line_start: usize = self.text.split_inclusive('\n').take(line.max(1) - 1).map(str::len).sum();
        let start = line_start + column.max(1) - 1;
        self.error(start..start + 1, message)
    }
}
