//! Quantiles, and numbers as text.

/// The smallest value that is at least as great as this fraction of the values; `None` without values.
pub fn quantile<T: Copy>(
    mut values: Vec<T>,
    fraction: f64,
    order: impl FnMut(&T, &T) -> std::cmp::Ordering,
) -> Option<T> {
    values.sort_unstable_by(order);
    let index = ((values.len() as f64 * fraction).ceil() as usize).max(1) - 1;
    values.get(index).copied()
}

/// The quantile of floating-point numbers.
pub fn quantile_of(values: impl Iterator<Item = f64>, fraction: f64) -> Option<f64> {
    quantile(values.collect(), fraction, f64::total_cmp)
}

/// Seconds for a table; short times in milliseconds with three digits.
pub fn format_seconds(seconds: f64) -> String {
    if seconds >= 0.01 || seconds <= 0.0 {
        format!("{seconds:.2}")
    } else {
        format!("{} ms", format_digits(1000.0 * seconds))
    }
}

/// A number with three significant digits, or all digits before the decimal point.
pub fn format_digits(value: f64) -> String {
    let (mut decimals, mut least) = (2, 1.0);
    while value.abs() < least && decimals < 9 && value != 0.0 {
        (decimals, least) = (decimals + 1, 0.1 * least);
    }
    while value.abs() >= 10.0 * least && decimals > 0 {
        (decimals, least) = (decimals - 1, 10.0 * least);
    }
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let of = |values: &[u64], fraction| quantile(values.to_vec(), fraction, u64::cmp);
        assert_eq!(of(&[3, 1, 2], 0.5), Some(2));
        assert_eq!(of(&[4, 3, 1, 2], 0.5), Some(2));
        assert_eq!((of(&[5, 1], 0.0), of(&[5, 1], 0.9), of(&[], 0.9)), (Some(1), Some(5), None));
        assert_eq!(quantile_of([0.5, 0.25].into_iter(), 0.9), Some(0.5));
    }

    #[test]
    fn short_times_keep_three_digits() {
        let times = [12.345, 0.8, 0.0123, 0.01, 0.00987, 0.004, 0.0000456, 0.0];
        let expected = ["12.35", "0.80", "0.01", "0.01", "9.87 ms", "4.00 ms", "0.0456 ms", "0.00"];
        assert_eq!(times.map(format_seconds), expected);
        assert_eq!([1234.5, 123.4, 12.34, 1.234, 0.1234].map(format_digits), ["1234", "123", "12.3", "1.23", "0.123"]);
    }
}
