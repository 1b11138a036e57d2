//! What is wrong with a file, and where.

use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, NamedSource, SourceSpan};

/// Messages that quote more of a file than this are cut, in bytes.
const LONGEST_MESSAGE: usize = 1000;

/// Files with longer lines than this are not shown around an error, in bytes: no terminal could.
const LONGEST_LINE: usize = 2000;

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
        let message = clip(message.into());
        Self { file: file.to_owned(), line: None, column: None, message, help: None, snippet: None }
    }

    /// An error about a file that could not be read at all.
    pub(crate) fn unreadable(file: &Path, what: &str, error: &std::io::Error) -> Self {
        Self::whole(file, format!("cannot read {what}: {}", reason(error)))
    }

    /// Adds what would be right.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(clip(help.into()));
        self
    }
}

/// Why a file cannot be read, without the numbers of the operating system.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// One line of text. Messages quote what they found, and a file may hold a name of a megabyte, or of line ends.
fn clip(mut text: String) -> String {
    if text.len() > LONGEST_MESSAGE {
        text.truncate(text.floor_char_boundary(LONGEST_MESSAGE));
        text.push_str(" ...");
    }
    text.replace(char::is_control, " ")
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
            // Some editors put a byte order mark before UTF-8, which not every parser skips.
            Ok(text) => Ok(Self { file, text: text.strip_prefix('\u{feff}').unwrap_or(text) }),
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
                let error = FileError::whole(file, "the file is not text in UTF-8");
                Err(FileError { line: Some(line), ..error }.with_help("save it as text, encoded as UTF-8"))
            }
        }
    }

    /// An error at a range of bytes.
    pub fn error(&self, bytes: Range<usize>, message: impl Into<String>) -> FileError {
        let floor = |at: usize| self.text.floor_char_boundary(at);
        let (start, end) = (floor(bytes.start), floor(bytes.end.max(bytes.start)));
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let is_legible = self.text.lines().all(|line| line.len() <= LONGEST_LINE);
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

    /// The path of a file that this one names: relative to its own folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(name)
    }

    /// Where a part of the text, borrowed from it, stands in it.
    pub fn range_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        start..start + part.len()
    }

    /// An error at a line and column, both counted from 1, the column in bytes.
    pub fn error_at_line(&self, line: usize, column: usize, message: impl Into<String>) -> FileError {
        let line_start: usize = self.text.split_inclusive('\n').take(line.max(1) - 1).map(str::len).sum();
        let start = line_start + column.max(1) - 1;
        self.error(start..start + 1, message)
    }
}
