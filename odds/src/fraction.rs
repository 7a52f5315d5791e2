//! Fractions of any size, with a sign: what odds, means and variances are told in.

use std::fmt;

use banneret_runtime::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// In lowest terms, and never rounded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fraction(BigRational);

impl Fraction {
    /// The denominator must not be 0.
    pub fn new(num: u128, den: u128) -> Fraction {
        Fraction(BigRational::new(num.into(), den.max(1).into()))
    }

    pub fn zero() -> Fraction {
        Fraction(BigRational::zero())
    }

    pub fn one() -> Fraction {
        Fraction(BigRational::one())
    }

    /// None: not a number. Yes counts as 1.
    pub fn of_value(value: &Value) -> Option<Fraction> {
        let (num, den) = match value {
            Value::Bool(yes) => (i128::from(*yes), 1),
            other => other.parts()?,
        };
        (den != 0).then(|| Fraction(BigRational::new(num.into(), den.into())))
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub fn plus(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 + &other.0)
    }

    pub fn minus(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 - &other.0)
    }

    pub fn times(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 * &other.0)
    }

    /// The divisor must not be 0.
    pub(crate) fn divided_by(&self, other: &Fraction) -> Fraction {
        debug_assert!(!other.is_zero(), "nothing is divided by zero");
        if other.is_zero() { Fraction::zero() } else { Fraction(&self.0 / &other.0) }
    }

    /// Numerator and denominator, if they are short.
    pub fn short(&self) -> Option<(i64, i64)> {
        Some((self.0.numer().to_i64()?, self.0.denom().to_i64()?))
    }

    /// How many bits the denominator has.
    pub(crate) fn bits(&self) -> u64 {
        self.0.denom().bits()
    }

    /// Nearest floating-point number, for display.
    pub fn approximate(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

impl From<i64> for Fraction {
    fn from(n: i64) -> Fraction {
        Fraction(BigRational::from_integer(BigInt::from(n)))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is expected of numbers with these chances. None: they are no numbers.
pub fn mean(spread: &[(Value, Fraction)]) -> Option<Fraction> {
    spread.iter().try_fold(Fraction::zero(), |sum, (value, chance)| Some(sum.plus(&Fraction::of_value(value)?.times(chance))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_in_lowest_terms() {
        let (half, third) = (Fraction::new(1, 2), Fraction::zero().minus(&Fraction::new(1, 3)));
        assert_eq!(half.plus(&third).to_string(), "1/6");
        assert_eq!(half.times(&third).to_string(), "-1/6");
        assert_eq!(half.minus(&half).to_string(), "0");
        assert_eq!(third.divided_by(&half).to_string(), "-2/3");
    }

    #[test]
    fn nothing_is_too_long() {
        let tenth = Fraction::new(1, 10);
        let tiny = (0..100).fold(Fraction::one(), |product, _| product.times(&tenth));
        assert_eq!(tiny.to_string(), format!("1/1{}", "0".repeat(100)));
        assert_eq!((tiny.short(), tiny.approximate()), (None, 1e-100));
    }

    #[test]
    fn means_may_be_below_zero() {
        let spread = [(Value::Int(-3), Fraction::new(1, 2)), (Value::Int(2), Fraction::new(1, 2))];
        assert_eq!(mean(&spread).map(|m| m.to_string()).as_deref(), Some("-1/2"));
        assert_eq!(mean(&[(Value::InPlay, Fraction::one())]), None);
    }
}
