//! Quality metrics as text tables.

use std::fmt;

use super::gait::GaitMetric;
use super::metrics::{Comparison, ModeQuality, ModeRatios, Quality};

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<12} {:>8} {:>8} {:>13} {:>9} {:>10} {:>10} {:>9}",
            "mode", "time s", "slip mm", "clearance mm", "top m/s", "mean m/s", "jerk m/s3", "jump m/s"
        )?;
        for mode in &self.modes {
            let ModeQuality {
                mode,
                seconds,
                max_slip_mm: slip,
                min_clearance_mm: clearance,
                root_top_speed: top_speed,
                root_mean_speed: mean_speed,
                root_jerk_rms: jerk,
                velocity_jump: jump,
                ..
            } = mode;
            writeln!(
                f,
                "{mode:<12} {seconds:>8.1} {slip:>8.2} {clearance:>13.1} {top_speed:>9.2} {mean_speed:>10.2} {:>10} {jump:>9.2}",
                or_not_available(*jerk, 1)
            )?;
        }
        writeln!(f)?;
        writeln!(f, "{:<12} {:>8} {:<5} {:>13}  source", "walking", "value", "", "adults")?;
        for GaitMetric { name, value, unit, adults } in &self.gait.metrics {
            let value = or_not_available(*value, 2);
            match adults {
                Some(range) => {
                    let span = format!("{:.2}..{:.2}", range.low, range.high);
                    writeln!(f, "{name:<12} {value:>8} {unit:<5} {span:>13}  {}", range.source)?;
                }
                None => writeln!(f, "{name:<12} {value:>8} {unit:<5} {:>13}", "n/a")?,
            }
        }
        match self.gait.steps {
            1 => write!(f, "1 step measured"),
            steps => write!(f, "{steps} steps measured"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.reference_quality)?;
        write!(f, "{:<12} {:>8} {:>8} {:>9} {:>9}  (this motion / reference)", "mode", "jerk", "slip", "top", "jump")?;
        for ModeRatios { mode, jerk, slip, top_speed, velocity_jump: jump } in &self.ratios {
            let [jerk, slip, top_speed, jump] = [jerk, slip, top_speed, jump].map(|ratio| or_not_available(*ratio, 2));
            write!(f, "\n{mode:<12} {jerk:>8} {slip:>8} {top_speed:>9} {jump:>9}")?;
        }
        Ok(())
    }
}

fn or_not_available(value: Option<f32>, digits: usize) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.digits$}"))
}
