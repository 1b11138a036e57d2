//! The report of a check: one result per property.

use std::fmt;

/// The worst value of one property.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PropertyResult {
    /// The property: `form`, `penetration`, `limits`, `rotation`, `speed`, `time`, `bounds`, `start` or `goal`; `plane`
    /// and `facing` for planar characters; `passages`, `passage-stance`, `pins` and `forbidden` if the problem has any;
    /// `slip`, `holds`, `support`, `balance`, `start-stance`, `goal-stance` and, with a mode table, `edges`, unless the
    /// motion only flies; with [`CheckSettings::equilibrium`](crate::CheckSettings::equilibrium) also `equilibrium`, and
    /// `equilibrium-exempt`, the time in which it is not judged; with
    /// [`CheckSettings::self_collision`](crate::CheckSettings::self_collision) also `self-collision`. Clips have `joint-speed` instead of `speed`, and `penetration-between`,
    /// `self-collision-between` and `slip-between` for what happens between their frames.
    pub property: &'static str,
    /// Whether the worst value is within the limit.
    pub passed: bool,
    /// The worst value, in `unit`.
    pub worst: f32,
    /// The limit that the worst value is compared with, in `unit`; infinite if the value is only reported.
    pub limit: f32,
    /// `m`, `m/s`, `deg`, `s` or `%`; empty for counts.
    pub unit: &'static str,
    /// Time of the worst value in the motion, in seconds.
    pub time: f32,
    /// The link, hinge or effector of the worst value, with the obstacle or hold if there is one. For counts, the first
    /// violation.
    #[cfg_attr(feature = "serde", serde(rename = "place"))]
    pub worst_place: String,
    /// What the limit means.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub limit_comparison: LimitComparison,
}

/// How the worst value of a property is compared with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitComparison {
    /// The value must not exceed the limit.
    Maximum,
    /// The value must not be less than the limit.
    Minimum,
    /// The value counts violations and must be zero.
    NoViolations,
    /// The value is only reported and cannot fail.
    Reported,
}

/// The results of all properties.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// One result per property.
    #[cfg_attr(feature = "serde", serde(rename = "findings"))]
    pub properties: Vec<PropertyResult>,
}

impl Report {
    /// Whether every property passed.
    pub fn passed(&self) -> bool {
        self.properties.iter().all(|result| result.passed)
    }

    /// Returns the result of a property, if it was measured.
    pub fn property(&self, property: &str) -> Option<&PropertyResult> {
        self.properties.iter().find(|result| result.property == property)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.properties {
            writeln!(f, "{result}")?;
        }
        write!(f, "{}", if self.passed() { "the motion is valid" } else { "the motion is invalid" })
    }
}

impl fmt::Display for PropertyResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { property, passed, worst, limit, unit, time, worst_place: description, limit_comparison: limit_kind } =
            self;
        let verdict = if *passed { "ok  " } else { "FAIL" };
        write!(f, "{verdict}  {property:<19} ")?;
        match limit_kind {
            LimitComparison::Maximum => write!(f, "{worst:>10.5} {unit:<3} (at most {limit} {unit})")?,
            LimitComparison::Minimum => write!(f, "{worst:>10.5} {unit:<3} (at least {limit} {unit})")?,
            LimitComparison::NoViolations if *worst == 1.0 => write!(f, "{worst:>10} violation")?,
            LimitComparison::NoViolations => write!(f, "{worst:>10} violations")?,
            LimitComparison::Reported => write!(f, "{worst:>10.5} {unit:<3}")?,
        }
        if description.is_empty() { Ok(()) } else { write!(f, "  at {time:.3} s: {description}") }
    }
}

/// Accumulates the greatest of many values, with its time and description.
pub(crate) struct WorstValue {
    value: f32,
    time: f32,
    description: String,
}

impl WorstValue {
    pub fn new() -> Self {
        Self { value: 0.0, time: 0.0, description: String::new() }
    }

    /// The greatest value so far.
    pub fn value(&self) -> f32 {
        self.value
    }

    /// Keeps a value if it is the greatest so far. NaN counts as infinite.
    pub fn record(&mut self, value: f32, time: f32, describe: impl FnOnce() -> String) {
        let value = if value.is_nan() { f32::INFINITY } else { value };
        if value > self.value {
            *self = Self { value, time, description: describe() };
        }
    }

    /// The result for a property whose value must not exceed the limit.
    pub fn into_result(self, property: &'static str, limit: f32, unit: &'static str) -> PropertyResult {
        let Self { value, time, description } = self;
        let limit_kind = LimitComparison::Maximum;
        PropertyResult {
            property,
            passed: value <= limit,
            worst: value,
            limit,
            unit,
            time,
            worst_place: description,
            limit_comparison: limit_kind,
        }
    }

    /// The result for a value that has no limit.
    pub fn into_reported(self, property: &'static str, unit: &'static str) -> PropertyResult {
        let limit_comparison = LimitComparison::Reported;
        PropertyResult { limit_comparison, ..self.into_result(property, f32::INFINITY, unit) }
    }
}

/// Accumulates the worst of many values that have limits of their own: the greatest fraction of its limit.
pub(crate) struct WorstFraction {
    fraction: WorstValue,
    value: f32,
    limit: f32,
}

impl WorstFraction {
    /// `limit` is reported if there are no values.
    pub fn new(limit: f32) -> Self {
        Self { fraction: WorstValue::new(), value: 0.0, limit }
    }

    pub fn record(&mut self, value: f32, limit: f32, time: f32, describe: impl FnOnce() -> String) {
        let before = self.fraction.value;
        self.fraction.record(value / limit.max(f32::MIN_POSITIVE), time, describe);
        if self.fraction.value > before {
            (self.value, self.limit) = (value, limit);
        }
    }

    /// The result for a property whose value must not exceed its limit.
    pub fn into_result(self, property: &'static str, unit: &'static str) -> PropertyResult {
        let value = if self.value.is_nan() { f32::INFINITY } else { self.value };
        WorstValue { value, ..self.fraction }.into_result(property, self.limit, unit)
    }
}

/// Counts violations and keeps the first.
pub(crate) struct Violations {
    count: f32,
    first: WorstValue,
}

impl Violations {
    pub fn new() -> Self {
        Self { count: 0.0, first: WorstValue::new() }
    }

    pub fn record(&mut self, time: f32, describe: impl FnOnce() -> String) {
        self.count += 1.0;
        self.first.record(1.0, time, describe);
    }

    /// The result for a property that tolerates no violation.
    pub fn into_result(self, property: &'static str) -> PropertyResult {
        let count = WorstValue { value: self.count, ..self.first };
        PropertyResult { limit_comparison: LimitComparison::NoViolations, ..count.into_result(property, 0.0, "") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_lines_state_the_kind_of_limit() {
        let mut depth = WorstValue::new();
        depth.record(0.0125, 1.5, || "link `head` in obstacle `wall`".to_owned());
        let depth = depth.into_result("penetration", 0.002, "m");
        let step = PropertyResult { passed: true, limit_comparison: LimitComparison::Minimum, ..depth.clone() };
        let step = PropertyResult {
            property: "time",
            worst: 0.25,
            limit: 0.001,
            unit: "s",
            worst_place: String::new(),
            ..step
        };
        let mut support = Violations::new();
        support.record(0.5, || "first place".to_owned());
        let one = Violations { count: 1.0, first: WorstValue { description: "place".to_owned(), ..WorstValue::new() } };
        support.record(0.75, || "second place".to_owned());
        let mut exempt = WorstValue::new();
        exempt.record(2.5, 0.25, || "mode `flying`".to_owned());
        let properties = vec![
            Violations::new().into_result("form"),
            depth,
            step,
            support.into_result("support"),
            one.into_result("holds"),
            exempt.into_reported("equilibrium-exempt", "s"),
        ];
        let expected = "ok    form                         0 violations\n\
                        FAIL  penetration            0.01250 m   (at most 0.002 m)  at 1.500 s: link `head` in obstacle `wall`\n\
                        ok    time                   0.25000 s   (at least 0.001 s)\n\
                        FAIL  support                      2 violations  at 0.500 s: first place\n\
                        FAIL  holds                        1 violation  at 0.000 s: place\n\
                        ok    equilibrium-exempt     2.50000 s    at 0.250 s: mode `flying`\n\
                        the motion is invalid";
        assert_eq!(Report { properties }.to_string(), expected);
    }
}
