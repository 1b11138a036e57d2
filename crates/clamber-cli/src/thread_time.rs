//! Processor time of the calling thread, which other programs on the machine do not change.

use std::time::Duration;

/// Returns the processor time that this thread has used; the time since the first call where the system does not tell.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_time_increases_with_work() {
        let before = thread_time();
        let sum = (0..10_000_000_u64).fold(0, |sum, value| std::hint::black_box(sum ^ value));
        assert!(thread_time() > before, "{sum}");
    }
}
