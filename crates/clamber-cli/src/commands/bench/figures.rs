//! Many figures as a few, and figures as words.

/// The least value that at least this share of the values does not exceed; nothing of nothing.
pub fn quantile<T: Copy>(mut values: Vec<T>, share: f64, order: impl FnMut(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    values.sort_unstable_by(order);
    let index = ((values.len() as f64 * share).ceil() as usize).max(1) - 1;
    values.get(index).copied()
}

/// The quantile of numbers with a fraction.
pub fn quantile_of(values: impl Iterator<Item = f64>, share: f64) -> Option<f64> {
    quantile(values.collect(), share, f64::total_cmp)
}

/// Seconds as the table has them; short times in milliseconds of three digits.
pub fn seconds(seconds: f64) -> String {
    if seconds >= 0.01 || seconds <= 0.0 { format!("{seconds:.2}") } else { format!("{} ms", digits(1000.0 * seconds)) }
}

/// Three digits, or all that are before the point.
pub fn digits(value: f64) -> String {
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
    fn quantiles_are_values_that_occur() {
        let of = |values: &[u64], share| quantile(values.to_vec(), share, u64::cmp);
        assert_eq!(of(&[3, 1, 2], 0.5), Some(2));
        assert_eq!(of(&[4, 3, 1, 2], 0.5), Some(2));
        assert_eq!((of(&[5, 1], 0.0), of(&[5, 1], 0.9), of(&[], 0.9)), (Some(1), Some(5), None));
        assert_eq!(quantile_of([0.5, 0.25].into_iter(), 0.9), Some(0.5));
    }

    #[test]
    fn short_times_keep_three_digits() {
        let times = [12.345, 0.8, 0.0123, 0.01, 0.00987, 0.004, 0.0000456, 0.0];
        let expected = ["12.35", "0.80", "0.01", "0.01", "9.87 ms", "4.00 ms", "0.0456 ms", "0.00"];
        assert_eq!(times.map(seconds), expected);
        assert_eq!([1234.5, 123.4, 12.34, 1.234, 0.1234].map(digits), ["1234", "123", "12.3", "1.23", "0.123"]);
    }
}
