//! What a check finds.

use std::fmt;

use serde::Serialize;

/// The worst value of one property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Which property: `form`, `penetration`, `limits`, `rotation`, `jumps`, `time`, `bounds`, `start`, `goal`; `plane` of
    /// a planar character; `passages`, `pins` and `forbidden` where the problem has some; `slip`, `holds`, `support` and `balance` of a motion
    /// that does more than fly.
    pub property: &'static str,
    /// Whether the worst value is within the limit.
    pub passed: bool,
    /// The worst value, in the unit.
    pub worst: f32,
    /// What the worst value may be, in the unit: at most, or at least for `time`.
    pub limit: f32,
    /// `m`, `deg`, `s`, or nothing for counts.
    pub unit: &'static str,
    /// When the worst value occurs, in seconds of the motion.
    pub time: f32,
    /// The link, hinge or effector, and the obstacle or hold where there is one; of counted faults, the first.
    pub place: String,
}

/// The findings of all properties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// One a property.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether every property passed.
    pub fn passed(&self) -> bool {
        self.findings.iter().all(|finding| finding.passed)
    }

    /// The finding of this property.
    pub fn finding(&self, property: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.property == property)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            let Finding { property, passed, worst, limit, unit, time, place } = finding;
            let verdict = if *passed { "ok  " } else { "FAIL" };
            write!(f, "{verdict}  {property:<12} {worst:>10.5} {unit:<3} (limit {limit} {unit})")?;
            if !place.is_empty() {
                write!(f, "  at {time:.3} s: {place}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{}", if self.passed() { "the motion is valid" } else { "the motion is invalid" })
    }
}

/// Keeps the worst of many measured values.
pub(crate) struct Worst {
    value: f32,
    time: f32,
    place: String,
}

impl Worst {
    pub fn new() -> Self {
        Self { value: 0.0, time: 0.0, place: String::new() }
    }

    /// Notes a value if it is the greatest so far. What is not a number is worse than anything.
    pub fn note(&mut self, value: f32, time: f32, place: impl FnOnce() -> String) {
        let value = if value.is_nan() { f32::INFINITY } else { value };
        if value > self.value {
            *self = Self { value, time, place: place() };
        }
    }

    /// The finding, when the greatest value is the worst and must not exceed the limit.
    pub fn finding(self, property: &'static str, limit: f32, unit: &'static str) -> Finding {
        let Self { value, time, place } = self;
        Finding { property, passed: value <= limit, worst: value, limit, unit, time, place }
    }
}

/// Counts faults, none of which is tolerated, and keeps the first.
pub(crate) struct Faults {
    count: f32,
    first: Worst,
}

impl Faults {
    pub fn new() -> Self {
        Self { count: 0.0, first: Worst::new() }
    }

    pub fn note(&mut self, time: f32, place: impl FnOnce() -> String) {
        self.count += 1.0;
        self.first.note(1.0, time, place);
    }

    pub fn finding(self, property: &'static str) -> Finding {
        Worst { value: self.count, ..self.first }.finding(property, 0.0, "")
    }
}
