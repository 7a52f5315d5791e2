//! Chances on the way: short fractions that are only brought to lowest terms when they must be. Where they outgrow their 128 bits, whoever adds them up goes on
//! with fractions of any size.

use num_integer::Integer;

use crate::fraction::Fraction;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight {
    num: u128,
    den: u128,
}

/// A weight outgrew 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outgrown;

/// Most numbers are small, and division of 128 bits is slow.
pub(crate) fn gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => a.gcd(&b).into(),
        _ => a.gcd(&b),
    }
}

impl Weight {
    pub const ZERO: Weight = Weight { num: 0, den: 1 };
    pub const ONE: Weight = Weight { num: 1, den: 1 };

    /// The denominator must not be 0.
    pub fn new(num: u128, den: u128) -> Weight {
        Weight { num, den: den.max(1) }
    }

    pub fn is_zero(self) -> bool {
        self.num == 0
    }

    pub fn exact(self) -> Fraction {
        Fraction::new(self.num, self.den)
    }

    fn lowest(self) -> Weight {
        let common = gcd(self.num, self.den).max(1);
        // Division of 128 bits is slow, and most numbers are small.
        match (u64::try_from(self.num), u64::try_from(self.den), u64::try_from(common)) {
            (Ok(num), Ok(den), Ok(common)) => Weight { num: (num / common).into(), den: (den / common).into() },
            _ => Weight { num: self.num / common, den: self.den / common },
        }
    }

    #[inline(always)]
    pub fn plus(self, other: Weight) -> Result<Weight, Outgrown> {
        if self.num == 0 {
            return Ok(other);
        }
        // Ways of as many dice of one kind have one denominator.
        match self.num.checked_add(other.num) {
            Some(num) if self.den == other.den => Ok(Weight { num, den: self.den }),
            _ => self.sum(other),
        }
    }

    #[inline(never)]
    fn sum(self, other: Weight) -> Result<Weight, Outgrown> {
        match self.scaled_sum(other) {
            Some(sum) => Ok(sum),
            None => self.lowest().sum_of_lowest(other.lowest()).ok_or(Outgrown),
        }
    }

    fn sum_of_lowest(self, other: Weight) -> Option<Weight> {
        let common = gcd(self.den, other.den).max(1);
        let (left, right) = (other.den / common, self.den / common);
        let num = self.num.checked_mul(left)?.checked_add(other.num.checked_mul(right)?)?;
        Some(Weight { num, den: self.den.checked_mul(left)? }.lowest())
    }

    fn scaled_sum(self, other: Weight) -> Option<Weight> {
        let (small, large) = if self.den < other.den { (self, other) } else { (other, self) };
        // Dice of one kind: one denominator is a multiple of the other.
        if let (Ok(a), Ok(b)) = (u64::try_from(small.den), u64::try_from(large.den))
            && b % a == 0
        {
            let times = (b / a) as u128;
            let scaled = if small.num >> 64 == 0 { small.num * times } else { small.num.checked_mul(times)? };
            let num = scaled.checked_add(large.num)?;
            return Some(Weight { num, den: large.den });
        }
        let times = large.den / small.den;
        if times * small.den == large.den {
            let num = small.num.checked_mul(times)?.checked_add(large.num)?;
            return Some(Weight { num, den: large.den });
        }
        None
    }

    #[inline(always)]
    pub fn times(self, other: Weight) -> Result<Weight, Outgrown> {
        // Most numbers are small, and so are their products.
        if (self.num | self.den | other.num | other.den) >> 64 == 0 {
            let product = |a: u128, b: u128| u128::from(a as u64) * u128::from(b as u64);
            return Ok(Weight { num: product(self.num, other.num), den: product(self.den, other.den) });
        }
        self.large_product(other)
    }

    #[inline(never)]
    fn large_product(self, other: Weight) -> Result<Weight, Outgrown> {
        match (self.num.checked_mul(other.num), self.den.checked_mul(other.den)) {
            (Some(num), Some(den)) => Ok(Weight { num, den }),
            _ => self.product_across(other).ok_or(Outgrown),
        }
    }

    /// Reduced across first: the products stay as small as they can be.
    fn product_across(self, other: Weight) -> Option<Weight> {
        let (one, two) = (self.lowest(), other.lowest());
        let (a, b) = (Weight::new(one.num, two.den).lowest(), Weight::new(two.num, one.den).lowest());
        Some(Weight { num: a.num.checked_mul(b.num)?, den: a.den.checked_mul(b.den)? })
    }

    pub fn divided_by(self, other: Weight) -> Result<Weight, Outgrown> {
        let other = other.lowest();
        if other.num == 0 {
            return Err(Outgrown);
        }
        Ok(self.times(Weight { num: other.den, den: other.num })?.lowest())
    }

    pub fn approximate(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_those_of_fractions() {
        let (a, b, c) = (Weight::new(3, 12), Weight::new(5, 36), Weight::new(1, 7));
        assert_eq!(a.plus(b).expect("fits").exact(), Fraction::new(7, 18));
        assert_eq!(a.plus(c).expect("fits").exact(), Fraction::new(11, 28));
        assert_eq!(a.times(b).expect("fits").exact(), Fraction::new(5, 144));
        assert_eq!(a.divided_by(b).expect("fits").exact(), Fraction::new(9, 5));
    }

    #[test]
    fn what_only_seems_to_outgrow_is_reduced() {
        let large = Weight::new(6u128.pow(40), 6u128.pow(41));
        assert_eq!(large.times(large).expect("a 36th").exact(), Fraction::new(1, 36));
        assert_eq!(large.plus(Weight::new(1, 5)).expect("fits").exact(), Fraction::new(11, 30));
    }

    #[test]
    fn what_outgrows_its_bits_says_so() {
        let small = Weight::new(1, 3u128.pow(80));
        assert_eq!(small.times(Weight::new(1, 7)), Err(Outgrown));
        assert_eq!(small.plus(Weight::new(1, 7)), Err(Outgrown));
    }
}
