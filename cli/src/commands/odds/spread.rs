//! What was measured: outcomes with their chances, exact or counted.

use std::cmp::Ordering;

use banneret_odds::{Fraction, mean};
use banneret_runtime::value::Value;

#[derive(Clone, Debug)]
pub enum Likely {
    Exact(Fraction),
    /// So many of so many samples.
    Counted(u64, u64),
}

impl Likely {
    pub fn decimal(&self) -> f64 {
        match self {
            Likely::Exact(chance) => chance.approximate(),
            Likely::Counted(n, all) => *n as f64 / (*all).max(1) as f64,
        }
    }

    /// The interval that holds the true chance in 95 of 100 cases (Wilson's).
    pub fn interval(&self) -> Option<(f64, f64)> {
        let Likely::Counted(n, all) = self else { return None };
        const Z: f64 = 1.959_964;
        let (p, all) = (*n as f64 / (*all).max(1) as f64, (*all).max(1) as f64);
        let scale = 1.0 + Z * Z / all;
        let middle = (p + Z * Z / (2.0 * all)) / scale;
        let half = Z * (p * (1.0 - p) / all + Z * Z / (4.0 * all * all)).sqrt() / scale;
        Some(((middle - half).max(0.0), (middle + half).min(1.0)))
    }
}

#[derive(Clone, Debug)]
pub struct Spread {
    pub measure: String,
    /// Sorted by value.
    pub outcomes: Vec<(Value, Likely)>,
}

/// An exact number, unless it was only counted, and its decimal.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub exact: Option<Fraction>,
    pub decimal: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub mean: Figure,
    pub variance: Figure,
}

impl Spread {
    pub fn new(measure: String, mut outcomes: Vec<(Value, Likely)>) -> Self {
        let number = |v: &Value| Fraction::of_value(v).map(|n| n.approximate());
        outcomes.sort_by(|(a, _), (b, _)| match (number(a), number(b)) {
            (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            _ => Ordering::Equal,
        });
        Self { measure, outcomes }
    }

    /// None: the outcomes are not numbers.
    pub fn figures(&self) -> Option<Figures> {
        let values: Vec<(Fraction, &Likely)> =
            self.outcomes.iter().map(|(v, l)| Some((Fraction::of_value(v)?, l))).collect::<Option<_>>()?;
        let decimal = values.iter().map(|(v, l)| v.approximate() * l.decimal()).sum::<f64>();
        let spread = values.iter().map(|(v, l)| (v.approximate() - decimal).powi(2) * l.decimal()).sum::<f64>();
        let (mean, variance) = exact(&self.outcomes).unzip();
        let figure = |exact: Option<Fraction>, decimal| Figure { decimal: exact.as_ref().map_or(decimal, Fraction::approximate), exact };
        Some(Figures { mean: figure(mean, decimal), variance: figure(variance, spread) })
    }
}

/// Mean and variance. None: only counted.
fn exact(outcomes: &[(Value, Likely)]) -> Option<(Fraction, Fraction)> {
    let chances = outcomes.iter().map(|(value, likely)| match likely {
        Likely::Exact(chance) => Some((value.clone(), chance.clone())),
        Likely::Counted(..) => None,
    });
    let chances: Vec<(Value, Fraction)> = chances.collect::<Option<_>>()?;
    let mean = mean(&chances)?;
    let squares = chances.iter().try_fold(Fraction::zero(), |sum, (value, chance)| {
        let value = Fraction::of_value(value)?;
        Some(sum.plus(&value.times(&value).times(chance)))
    })?;
    let variance = squares.minus(&mean.times(&mean));
    Some((mean, variance))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_die_has_its_mean_and_variance() {
        let faces = (1..=6).rev().map(|n| (Value::Int(n), Likely::Exact(Fraction::new(1, 6)))).collect();
        let die = Spread::new("die".to_owned(), faces);
        let figures = die.figures().unwrap();
        assert_eq!(figures.mean.exact.unwrap().to_string(), "7/2");
        assert_eq!(figures.variance.exact.unwrap().to_string(), "35/12");
        assert_eq!(die.outcomes.first().unwrap().0, Value::Int(1));
    }

    #[test]
    fn the_interval_holds_what_was_counted() {
        let (low, high) = Likely::Counted(50, 100).interval().unwrap();
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
        let (low, high) = Likely::Counted(0, 100).interval().unwrap();
        assert!(low == 0.0 && high > 0.03);
    }
}
