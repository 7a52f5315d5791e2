//! Time on the processor, not on the wall: the machine may be busy with other things.

use std::time::Instant;

/// Nanoseconds this thread has run (Linux), or those since the first call elsewhere.
fn now() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.as_deref().and_then(|t| t.split_whitespace().next()).and_then(|n| n.parse().ok());
    ran.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_nanos() as u64)
}

/// Nanoseconds that one of `times` rounds takes, the best of seven. What it gives is looked at, so that the work cannot be left out.
pub fn best<T>(times: u64, mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..7 {
        let start = now();
        for _ in 0..times {
            std::hint::black_box(work());
        }
        least = least.min((now() - start) as f64 / times as f64);
    }
    least
}
