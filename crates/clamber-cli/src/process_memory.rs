//! Memory use of this process. Linux only; elsewhere nothing is reported.

use std::fs;

/// Returns the bytes in use now.
pub fn in_use() -> Option<u64> {
    status("VmRSS:")
}

/// Returns the most bytes in use since `reset_peak`.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Resets the peak to the memory in use now. Without permission, the peak stays the highest so far.
pub fn reset_peak() {
    const PEAK: &str = "5";
    let _unchanged = fs::write("/proc/self/clear_refs", PEAK);
}

/// Reads a value of `/proc/self/status`, which is in units of 1024 bytes.
fn status(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_includes_memory_that_was_freed() {
        const SIZE: u64 = 64 << 20;
        let before = peak().unwrap();
        drop(std::hint::black_box(vec![1_u8; SIZE as usize]));
        assert!(peak().unwrap() >= before.max(SIZE));
        assert!(in_use().unwrap() > 0);
    }
}
