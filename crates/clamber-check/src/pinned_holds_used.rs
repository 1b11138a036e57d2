//! Whether the motion uses every pinned hold.

use clamber_model::problem::Pin;
use clamber_model::{Motion, Problem};

use crate::kinematics::LinkFrames;
use crate::report::{PropertyResult, Violations};

/// Counts the pins that no contact satisfies, or returns `None` if the problem has no pins.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Option<PropertyResult> {
    if problem.pins.is_empty() {
        return None;
    }
    let is_held = |pin: &&Pin| motion.contacts.iter().any(|span| pin.is_held_by(&span.contact));
    let missed: Vec<&Pin> = problem.pins.iter().filter(|pin| !is_held(pin)).collect();
    let mut violations = Violations::new();
    for (pin, ClosestApproach { distance, time }) in missed.iter().zip(closest_approaches(problem, motion, &missed)) {
        violations
            .record(time, || format!("{} is never held; closest approach {distance:.3} m", describe_pin(problem, pin)));
    }
    Some(violations.into_result("pins"))
}

/// The smallest distance of an allowed effector from a pinned hold.
#[derive(Clone, Copy)]
struct ClosestApproach {
    /// In meters.
    distance: f32,
    /// In seconds.
    time: f32,
}

fn closest_approaches(problem: &Problem, motion: &Motion, pins: &[&Pin]) -> Vec<ClosestApproach> {
    let Problem { character, world, .. } = problem;
    let mut frames = LinkFrames::default();
    let mut approaches = vec![ClosestApproach { distance: f32::INFINITY, time: 0.0 }; pins.len()];
    for frame in motion.frames.iter().filter(|_| !pins.is_empty()) {
        frames.set(character, &frame.configuration);
        for (pin, closest) in pins.iter().zip(&mut approaches) {
            let effectors = character.effectors.keys();
            for effector in effectors.filter(|&effector| pin.effector.is_none_or(|allowed| allowed == effector)) {
                let center = frames.effector_center(character, effector);
                let point = pin.point.unwrap_or_else(|| world.holds[pin.hold].nearest_point(center));
                let distance = ((point - center).length() - character.effectors[effector].radius).max(0.0);
                if distance < closest.distance {
                    *closest = ClosestApproach { distance, time: frame.time };
                }
            }
        }
    }
    approaches
}

/// A pin's description for reports.
fn describe_pin(problem: &Problem, pin: &Pin) -> String {
    let hold = &problem.world.holds[pin.hold].name;
    let at = pin.point.map_or(String::new(), |point| format!(" at ({:.3}, {:.3}, {:.3})", point.x, point.y, point.z));
    let by = pin.effector.map_or(String::new(), |effector| {
        format!(", pinned for effector `{}`,", problem.character.effectors[effector].name)
    });
    format!("hold `{hold}`{at}{by}")
}
