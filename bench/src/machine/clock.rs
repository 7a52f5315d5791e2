//! Measuring on a machine that has other things to do.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A run this long is told from the clock's own noise, and short enough that some of them are not disturbed.
const RUN: Duration = Duration::from_micros(300);
/// As long as this, or as many runs, whichever comes first.
const ALTOGETHER: Duration = Duration::from_millis(1_500);
const RUNS: u32 = 400;

/// Nanoseconds that the work takes, in the best of many short runs. What it gives is looked at, so that it cannot be left out.
pub fn best<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut times = 1u32;
    let mut run = |times: u32| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(work());
        }
        start.elapsed()
    };
    while run(times) < RUN && times < 1 << 24 {
        times *= 2;
    }
    let start = Instant::now();
    let mut least = run(times);
    for _ in 1..RUNS {
        if start.elapsed() > ALTOGETHER {
            break;
        }
        least = least.min(run(times));
    }
    least.as_nanos() as f64 / f64::from(times)
}
