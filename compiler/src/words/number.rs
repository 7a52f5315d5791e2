//! Numbers as they are printed.

pub(super) const MINUS: char = '−';

/// With a proper minus sign.
pub(super) fn number(v: i64) -> String {
    if v < 0 { format!("{MINUS}{}", v.unsigned_abs()) } else { v.to_string() }
}

/// Always with a sign: what is added.
pub(super) fn signed(v: i64) -> String {
    if v < 0 { number(v) } else { format!("+{v}") }
}

/// Thousandths as a decimal without idle zeros.
pub(super) fn decimal(thousandths: i64) -> String {
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    let sign = if thousandths < 0 { MINUS.to_string() } else { String::new() };
    let rest = format!("{rest:03}");
    match rest.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        rest => format!("{sign}{whole}.{rest}"),
    }
}

pub(super) fn dice(count: i64, sides: i64, plus: i64) -> String {
    // a number where dice could stand
    if count == 0 {
        return number(plus);
    }
    let mut out = if count == 1 { format!("d{sides}") } else { format!("{count}d{sides}") };
    if plus != 0 {
        out.push_str(&signed(plus));
    }
    out
}
