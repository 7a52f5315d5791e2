//! Greatest common divisors. Most numbers are small, and division of 128 bits is slow.

pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return small_gcd(a, b) as u128;
        }
        (a, b) = (b, a % b);
    }
    a
}

/// By halving and taking away: a division takes longer than a dozen of such steps.
pub(crate) fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 && a != 1 {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
    }
    a << twos
}
