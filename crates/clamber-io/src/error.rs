//! What is wrong with a file, and where.

use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};

/// Something is wrong with a file: which one, where, what, and what would be right.
#[derive(Debug, thiserror::Error)]
#[error("{}{message}", place(.file, .line, .column))]
pub struct FileError {
    /// The file as it was named.
    pub file: PathBuf,
    /// Counted from 1; `None` when the file as a whole is wrong.
    pub line: Option<usize>,
    /// In characters, counted from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    snippet: Option<Box<(NamedSource<String>, SourceSpan)>>,
}

fn place(file: &Path, line: &Option<usize>, column: &Option<usize>) -> String {
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
    /// An error about a file as a whole: it cannot be read, or it is not text.
    pub fn whole(file: &Path, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { file: file.to_owned(), line: None, column: None, message, help: None, snippet: None }
    }

    /// Adds what would be right.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A text file that is being read, to place errors in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub file: &'a Path,
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// The text of a file's bytes.
    pub fn new(file: &'a Path, bytes: &'a [u8]) -> Result<Self, FileError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { file, text }),
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
                let mut error = FileError::whole(file, "the file is not text in UTF-8");
                error.line = Some(line);
                Err(error)
            }
        }
    }

    /// An error at a range of bytes.
    pub fn error(&self, bytes: Range<usize>, message: impl Into<String>) -> FileError {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (floor(bytes.start), floor(bytes.end.max(bytes.start)));
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let name = self.file.display().to_string();
        FileError {
            file: self.file.to_owned(),
            line: Some(1 + before.matches('\n').count()),
            column: Some(1 + before[line_start..].chars().count()),
            message: message.into(),
            help: None,
            snippet: Some(Box::new((NamedSource::new(name, self.text.to_owned()), (start..end).into()))),
        }
    }

    /// An error at a line and column, both counted from 1, the column in bytes.
    pub fn error_at_line(&self, line: usize, column: usize, message: impl Into<String>) -> FileError {
        let line_start: usize = self.text.split_inclusive('\n').take(line.max(1) - 1).map(str::len).sum();
        let start = line_start + column.max(1) - 1;
        self.error(start..start + 1, message)
    }
}
