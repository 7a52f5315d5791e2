//! What this process has taken, where the system tells: for those who bound it.

use std::path::Path;
use std::time::Duration;

use crate::files;

/// Bytes of memory that the process holds.
pub fn memory() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:")
}

/// Bytes of memory that the machine has.
pub fn memory_of_machine() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemTotal:")
}

/// A line `NAME 1234 kB`, in bytes.
fn kilobytes(path: &str, name: &str) -> Option<u64> {
    let text = files::read(Path::new(path), 10_000).ok()?;
    let line = std::str::from_utf8(&text).ok()?.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Time that the processors worked for the process.
pub fn worked() -> Option<Duration> {
    let text = files::read(Path::new("/proc/self/stat"), 4000).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    // behind the name, which may have anything in it; in hundredths of a second
    let mut numbers = text.rsplit(')').next()?.split_whitespace().skip(11);
    let (own, system): (u64, u64) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    Some(Duration::from_millis((own + system) * 10))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_the_process_took_is_known() {
        let before = memory().unwrap();
        let more = vec![1_u8; 50_000_000];
        assert!(memory().unwrap() > before + 40_000_000 && more.iter().all(|byte| *byte == 1));
        assert!(memory_of_machine().unwrap() > memory().unwrap());
        worked().unwrap();
    }
}
