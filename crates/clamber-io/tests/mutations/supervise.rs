//! Runs cases with supervision of panics, time and memory.

use std::alloc::System;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cap::Cap;

use crate::promises::{Verdict, examine};
use crate::seeds::{Files, Kind, Seed};

/// Limits of a case.
pub struct Limits {
    /// A case that takes longer counts as hanging. Generous, for slow and busy machines.
    pub time: Duration,
    /// In bytes. Beyond it the allocator aborts the process with "memory allocation failed"; the responsible file is
    /// then `current` in [`folder`].
    pub memory: usize,
}

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

static ALONE: Mutex<()> = Mutex::new(());

/// Waits until no other test runs: memory is measured for the whole process.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file to examine.
pub struct Case {
    pub name: String,
    pub seed: Seed,
    pub bytes: Vec<u8>,
}

/// Statistics over all cases.
pub struct Tally {
    /// Verdicts by case name.
    pub verdicts: BTreeMap<String, Verdict>,
    counts: BTreeMap<(Kind, Verdict), usize>,
    total: Duration,
    slowest: (Duration, String),
    peak: usize,
}

impl Tally {
    pub fn count(&self, kind: Kind, verdict: Verdict) -> usize {
        self.counts.get(&(kind, verdict)).copied().unwrap_or(0)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in [Kind::Scene, Kind::Character, Kind::Modes, Kind::Mesh, Kind::Motion] {
            let (accepted, refused) = (self.count(kind, Verdict::Accepted), self.count(kind, Verdict::Refused));
            writeln!(f, "{:<10} {accepted:>5} accepted {refused:>5} refused", format!("{kind:?}"))?;
        }
        let seconds = self.total.as_secs_f64();
        writeln!(f, "{seconds:.1} s in all; slowest {:.3} s: {}", self.slowest.0.as_secs_f64(), self.slowest.1)?;
        write!(f, "at most {:.1} MB of memory in use since the process began", self.peak as f64 / 1e6)
    }
}

/// The folder that keeps failing files.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("clamber-mutations-{}", std::process::id()))
}

/// Examines all cases. Panics if one breaks a promise, and reports where its bytes are.
pub fn watch(
    _alone: &MutexGuard<()>,
    limits: Limits,
    files: Files,
    cases: impl IntoIterator<Item = Case> + Send + 'static,
) -> Tally {
    ALLOCATOR.set_limit(limits.memory).expect("little memory is in use before");
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    let current = folder.join("current");
    let (sender, receiver) = channel();
    let worker = spawn_worker(&current, files, cases, sender);
    let mut tally = Tally {
        verdicts: BTreeMap::new(),
        counts: BTreeMap::new(),
        total: Duration::ZERO,
        slowest: (Duration::ZERO, String::new()),
        peak: 0,
    };
    let mut failures: Vec<String> = Vec::new();
    let mut last = "the first".to_owned();
    loop {
        match receiver.recv_timeout(limits.time) {
            Ok((case, result, time)) => {
                tally.total += time;
                if time > tally.slowest.0 {
                    tally.slowest = (time, case.name.clone());
                }
                match result {
                    Ok(verdict) => {
                        *tally.counts.entry((case.seed.kind, verdict)).or_default() += 1;
                        tally.verdicts.insert(case.name.clone(), verdict);
                    }
                    Err(problem) => failures.push(report(&folder, failures.len(), &case, &problem)),
                }
                last = format!("the one after {}", case.name);
            }
            Err(RecvTimeoutError::Timeout) => {
                panic!("{last} took longer than {:?}; its bytes are in {}", limits.time, current.display());
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if failures.len() >= 20 {
            break;
        }
    }
    drop(receiver);
    worker.join().expect("the worker catches every panic of a case");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    std::fs::remove_dir_all(&folder).unwrap();
    tally.peak = ALLOCATOR.max_allocated();
    ALLOCATOR.set_limit(usize::MAX).expect("no limit is less");
    tally
}

type Outcome = (Case, Result<Verdict, String>, Duration);

/// Examines the cases on another thread, so that a hanging case can be reported.
fn spawn_worker(
    current: &Path,
    files: Files,
    cases: impl IntoIterator<Item = Case> + Send + 'static,
    sender: Sender<Outcome>,
) -> JoinHandle<()> {
    let mut current = std::fs::File::create(current).unwrap();
    std::thread::spawn(move || {
        for case in cases {
            // Written before it is read: after a stack overflow only this file is left. One handle, truncated afterward:
            // some file systems wait for the disk when a file is created.
            current.rewind().and_then(|()| current.write_all(&case.bytes)).unwrap();
            current.set_len(case.bytes.len() as u64).unwrap();
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| examine(&files, &case.seed, &case.bytes)))
                .unwrap_or_else(|panic| Err(format!("panicked: {}", panic_message(panic.as_ref()))));
            if sender.send((case, result, start.elapsed())).is_err() {
                return;
            }
        }
    })
}

fn report(folder: &Path, number: usize, case: &Case, problem: &str) -> String {
    let name = case.seed.file.file_name().unwrap().to_string_lossy();
    let file = folder.join(format!("{number}-{name}"));
    std::fs::write(&file, &case.bytes).unwrap();
    let problem: String = problem.chars().take(2000).collect();
    format!("{}: {problem}\n    its bytes are in {}", case.name, file.display())
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
