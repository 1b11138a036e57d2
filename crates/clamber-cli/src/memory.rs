//! How much memory the command has in use, where the system tells.

use std::fs;

/// Bytes in use now.
pub fn in_use() -> Option<u64> {
    status("VmRSS:")
}

/// The most bytes that were in use since `forget_peak`.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Lets the peak begin anew from what is in use now; where that is not allowed, it stays the highest so far.
pub fn forget_peak() {
    const PEAK: &str = "5";
    let _stays = fs::write("/proc/self/clear_refs", PEAK);
}

/// A line of what Linux says of a process, which is in units of 1024 bytes.
fn status(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_in_use_for_a_moment_is_in_the_peak() {
        const SIZE: u64 = 64 << 20;
        let before = peak().unwrap();
        drop(std::hint::black_box(vec![1_u8; SIZE as usize]));
        assert!(peak().unwrap() >= before.max(SIZE));
        assert!(in_use().unwrap() > 0);
    }
}
