//! Lengths: the compiler gives thousandths of a millimetre, everything that is drawn is in points.

/// Points in a millimetre.
pub const MM: f32 = 72.0 / 25.4;

/// Thousandths of a millimetre in a point, as the language reads `pt`.
const POINT: f32 = 353.0;

/// A length on paper, in points.
pub fn points(thousandths: i64) -> f32 {
    thousandths as f32 / 1000.0 * MM
}

/// A size of type, in points, rounded so that `6.5pt` is 6.5.
pub fn type_size(thousandths: i64) -> f32 {
    (thousandths as f32 / POINT * 20.0).round() / 20.0
}

/// Points as millimetres, for people.
pub fn millimetres(points: f32) -> f32 {
    points / MM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_sizes_are_what_was_written() {
        // as the compiler reads 6.5pt, 8pt and 9pt
        for (read, written) in [(2294, 6.5), (2824, 8.0), (3177, 9.0)] {
            assert_eq!(type_size(read), written);
        }
        assert!((points(25_400) - 72.0).abs() < 1e-3);
    }
}
