//! Exact chances: fractions of 128 bits that say so when they outgrow them.

use std::fmt;

use crate::gcd::{gcd, small_gcd};

/// Between 0 and 1 for chances; expected visits and means may be larger. In lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chance {
    pub num: u128,
    pub den: u128,
}

/// A fraction outgrew 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown;

impl Chance {
    pub const ZERO: Chance = Chance { num: 0, den: 1 };
    pub const ONE: Chance = Chance { num: 1, den: 1 };

    pub fn new(num: u128, den: u128) -> Chance {
        // Division of 128 bits is slow, and most numbers are small.
        if let (Ok(num), Ok(den)) = (u64::try_from(num), u64::try_from(den)) {
            let common = small_gcd(num, den).max(1);
            return Chance { num: (num / common).into(), den: (den / common).max(1).into() };
        }
        let common = gcd(num, den).max(1);
        Chance { num: num / common, den: (den / common).max(1) }
    }

    pub fn plus(self, other: Chance) -> Result<Chance, Outgrown> {
        if self.den == other.den {
            return Ok(Chance::new(self.num.checked_add(other.num).ok_or(Outgrown)?, self.den));
        }
        let common = gcd(self.den, other.den).max(1);
        let (left, right) = (other.den / common, self.den / common);
        let a = self.num.checked_mul(left).ok_or(Outgrown)?;
        let b = other.num.checked_mul(right).ok_or(Outgrown)?;
        let den = self.den.checked_mul(left).ok_or(Outgrown)?;
        Ok(Chance::new(a.checked_add(b).ok_or(Outgrown)?, den))
    }

    pub fn times(self, other: Chance) -> Result<Chance, Outgrown> {
        // Across first: the products stay as small as they can be.
        let (a, b) = (Chance::new(self.num, other.den), Chance::new(other.num, self.den));
        let num = a.num.checked_mul(b.num).ok_or(Outgrown)?;
        let den = a.den.checked_mul(b.den).ok_or(Outgrown)?;
        Ok(Chance { num, den })
    }

    pub fn divided_by(self, other: Chance) -> Result<Chance, Outgrown> {
        if other.num == 0 {
            return Err(Outgrown);
        }
        self.times(Chance { num: other.den, den: other.num })
    }

    /// The fraction that a floating-point number between 0 and 1 is; 0 if it is too small for one.
    pub(crate) fn rounded(chance: f64) -> Chance {
        let scale = 1u128 << 126;
        Chance::new((chance.clamp(0.0, 1.0) * scale as f64) as u128, scale)
    }

    /// Nearest floating-point number, for display.
    pub fn approximate(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}
