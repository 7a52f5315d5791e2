//! Fractions with a sign, for means and variances. What outgrows them is only told as a decimal.

use banneret_odds::Chance;
use banneret_runtime::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    num: i128,
    den: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1).max(1)
}

impl Fraction {
    pub const ZERO: Self = Self { num: 0, den: 1 };

    fn new(num: i128, den: i128) -> Self {
        let common = gcd(num, den);
        Self { num: num / common, den: den / common }
    }

    /// None: not a number.
    pub fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(n) => Some(Self { num: i128::from(*n), den: 1 }),
            Value::Ratio(r) if r.den > 0 => Some(Self::new(i128::from(r.num), i128::from(r.den))),
            Value::Bool(yes) => Some(Self { num: i128::from(*yes), den: 1 }),
            _ => None,
        }
    }

    pub fn of_chance(chance: Chance) -> Option<Self> {
        Some(Self { num: i128::try_from(chance.num).ok()?, den: i128::try_from(chance.den).ok()? })
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        let common = gcd(self.den, other.den);
        let (left, right) = (other.den / common, self.den / common);
        let num = self.num.checked_mul(left)?.checked_add(other.num.checked_mul(right)?)?;
        Some(Self::new(num, self.den.checked_mul(left)?))
    }

    pub fn times(self, other: Self) -> Option<Self> {
        let (a, b) = (Self::new(self.num, other.den), Self::new(other.num, self.den));
        Some(Self::new(a.num.checked_mul(b.num)?, a.den.checked_mul(b.den)?))
    }

    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { num: other.num.checked_neg()?, den: other.den })
    }

    pub fn decimal(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.den {
            1 => write!(f, "{}", self.num),
            den => write!(f, "{}/{den}", self.num),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_in_lowest_terms() {
        let half = Fraction::new(1, 2);
        let third = Fraction::new(-1, 3);
        assert_eq!(half.plus(third).unwrap().to_string(), "1/6");
        assert_eq!(half.times(third).unwrap().to_string(), "-1/6");
        assert_eq!(half.minus(half).unwrap().to_string(), "0");
        let huge = Fraction { num: i128::MAX, den: 1 };
        assert_eq!(huge.plus(huge), None);
    }
}
