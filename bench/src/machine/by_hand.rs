//! The cases of exact odds calculated by hand, each for its own numbers: what a programmer would write who needs just this one.

/// Chances by outcome.
pub type Spread = Vec<(i64, f64)>;

/// How many of `n` succeed.
fn binomial(n: usize, p: f64) -> [f64; 21] {
    let mut chances = [0.0; 21];
    chances[0] = 1.0;
    for done in 0..n.min(20) {
        for k in (0..=done).rev() {
            chances[k + 1] += chances[k] * p;
            chances[k] *= 1.0 - p;
        }
    }
    chances
}

fn kept(spread: impl Iterator<Item = (i64, f64)>) -> Spread {
    spread.filter(|(_, chance)| *chance > 0.0).collect()
}

pub fn j1() -> Spread {
    let chances = binomial(20, 1.0 / 2.0 * 2.0 / 3.0);
    kept((0..=20).map(|n| (2 * n as i64, chances[n])))
}

pub fn j2() -> Spread {
    let mut health = [0.0; 13];
    health[12] = 1.0;
    for _ in 0..5 {
        let mut next = [0.0; 13];
        for (left, chance) in health.iter().enumerate() {
            next[left.saturating_sub(5)] += chance * 5.0 / 6.0;
            next[left] += chance / 6.0;
        }
        health = next;
    }
    kept((0..=12).map(|left| (left as i64, health[left])))
}

pub fn j3() -> Spread {
    // One die: a hard hit for 3, a hit for 2 that is not saved, or nothing.
    let (hard, hit) = (1.0 / 6.0, 2.0 / 6.0 * 3.0 / 6.0);
    let mut health = [0.0; 31];
    health[30] = 1.0;
    for _ in 0..12 {
        let mut next = [0.0; 31];
        for (left, chance) in health.iter().enumerate() {
            next[left.saturating_sub(3)] += chance * hard;
            next[left.saturating_sub(2)] += chance * hit;
            next[left] += chance * (1.0 - hard - hit);
        }
        health = next;
    }
    kept((0..=30).map(|left| (left as i64, health[left])))
}

pub fn j4() -> Spread {
    let falls: Vec<[f64; 21]> = (0..=10).map(|n| binomial(n, 1.0 / 2.0 * 2.0 / 3.0)).collect();
    let mut standing = [[0.0; 11]; 11];
    standing[10][10] = 1.0;
    for _ in 0..5 {
        let mut next = [[0.0; 11]; 11];
        for (a, row) in standing.iter().enumerate() {
            for (b, chance) in row.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                if a == 0 || b == 0 {
                    next[a][b] += chance;
                    continue;
                }
                for (fallen, p) in falls[a].iter().enumerate().take(a + 1) {
                    let b = b.saturating_sub(fallen);
                    for (fallen, q) in falls[b].iter().enumerate().take(b + 1) {
                        next[a.saturating_sub(fallen)][b] += chance * p * q;
                    }
                }
            }
        }
        standing = next;
    }
    kept((0..=10).flat_map(|a| (0..=10).map(move |b| (a, b))).map(|(a, b)| (11 * a as i64 + b as i64, standing[a][b])))
}

pub fn j5() -> Spread {
    let (power, resistance) = std::hint::black_box((4, 5));
    let needed = match () {
        () if power == resistance => 4,
        () if power >= 2 * resistance => 2,
        () if power > resistance => 3,
        () if resistance >= 2 * power => 6,
        () => 5,
    };
    let fails = f64::from(needed - 1) / 6.0;
    kept([(0, fails * fails), (1, 1.0 - fails * fails)].into_iter())
}
