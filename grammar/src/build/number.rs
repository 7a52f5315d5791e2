//! Number tokens, taken apart.

use crate::ast::{DiceLit, Number};

/// Reads a whole token; `negative` is the sign before it.
pub(crate) fn number(text: &str, negative: bool) -> Number {
    if let Some((left, right)) = text.split_once('/') {
        let (right_negative, right) = match right.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, right.strip_prefix('+').unwrap_or(right)),
        };
        let (left, right) = (half(left, negative), half(right, right_negative));
        return if is_half(&left) && is_half(&right) { Number::Pair(Box::new(left), Box::new(right)) } else { Number::Bad };
    }
    half(text, negative)
}

fn is_half(n: &Number) -> bool {
    matches!(n, Number::Int(_) | Number::Target(_) | Number::Dice(_))
}

fn half(text: &str, negative: bool) -> Number {
    let sign = if negative { -1 } else { 1 };
    if let Some(dice) = dice(text) {
        return if negative { Number::Bad } else { Number::Dice(dice) };
    }
    let digits = text.bytes().position(|b| !b.is_ascii_digit() && b != b'.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    match unit {
        "" if !number.contains('.') => number.parse().map_or(Number::Bad, |n: i64| Number::Int(sign * n)),
        "+" => number.parse().map_or(Number::Bad, Number::Target),
        "%" => number.parse().map_or(Number::Bad, |n: i64| Number::Percent(sign * n)),
        "" => thousandths(number).map_or(Number::Bad, |n| Number::Decimal { thousandths: sign * n }),
        unit => thousandths(number).map_or(Number::Bad, |n| Number::Length { thousandths: sign * n, sign: unit.into() }),
    }
}

fn thousandths(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 {
        return None;
    }
    let part = match part.len() {
        0 => 0,
        n => i64::from(part.parse::<u16>().ok()?) * [1, 100, 10, 1][n],
    };
    whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(part)
}

fn dice(text: &str) -> Option<DiceLit> {
    let (count, rest) = text.split_once('d')?;
    let count = if count.is_empty() { 1 } else { count.parse().ok()? };
    let at = rest.find(['+', '-']).unwrap_or(rest.len());
    let (sides, plus) = rest.split_at(at);
    let plus = if plus.is_empty() { 0 } else { plus.parse().ok()? };
    Some(DiceLit { count, sides: sides.parse().ok()?, plus })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        let dice = |count, sides, plus| Number::Dice(DiceLit { count, sides, plus });
        assert_eq!(number("3", true), Number::Int(-3));
        assert_eq!(number("4+", false), Number::Target(4));
        assert_eq!(number("d6", false), dice(1, 6, 0));
        assert_eq!(number("3d3-1", false), dice(3, 3, -1));
        assert_eq!(number("3d3/3", false), Number::Pair(Box::new(dice(3, 3, 0)), Box::new(Number::Int(3))));
        assert_eq!(number("1/-1", true), Number::Pair(Box::new(Number::Int(-1)), Box::new(Number::Int(-1))));
        assert_eq!(number("6\"", false), Number::Length { thousandths: 6000, sign: "\"".into() });
        assert_eq!(number("6.5pt", false), Number::Length { thousandths: 6500, sign: "pt".into() });
        assert_eq!(number("50%", false), Number::Percent(50));
        assert_eq!(number("99999999999999999999", false), Number::Bad);
        assert_eq!(number("1.23456mm", false), Number::Bad);
    }
}
