//! Runs the command, for all tests.

use std::path::PathBuf;
use std::process::{Command, Output};

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn scene(name: &str) -> String {
    root().join(format!("scenes/{name}.toml")).display().to_string()
}

pub fn clamber(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clamber")).args(arguments).output().expect("the binary starts")
}

pub fn status(output: &Output) -> i32 {
    output.status.code().expect("the process was not killed")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The words of a message. Long messages are wrapped behind a bar.
pub fn unwrapped(bytes: &[u8]) -> String {
    text(bytes).split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}
