//! Whether the motion makes use of what is pinned.

use clamber_model::kinematics::{Workspace, effector_in_world, forward};
use clamber_model::problem::Pin;
use clamber_model::{Motion, Problem};

use crate::report::{Faults, Finding};

/// How many pins are never held; nothing where there are none.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Option<Finding> {
    if problem.pins.is_empty() {
        return None;
    }
    let is_held = |pin: &&Pin| motion.contacts.iter().any(|span| pin.is_held_by(&span.contact));
    let missed: Vec<&Pin> = problem.pins.iter().filter(|pin| !is_held(pin)).collect();
    let mut faults = Faults::new();
    for (pin, Nearest { away, time }) in missed.iter().zip(nearest(problem, motion, &missed)) {
        faults.note(time, || format!("{} is never held, {away:.3} m away at the nearest", in_words(problem, pin)));
    }
    Some(faults.finding("pins"))
}

/// How far the effectors that would do stay away from a pinned hold, in metres, and when they are nearest to it.
#[derive(Clone, Copy)]
struct Nearest {
    away: f32,
    time: f32,
}

fn nearest(problem: &Problem, motion: &Motion, pins: &[&Pin]) -> Vec<Nearest> {
    let Problem { character, world, .. } = problem;
    let mut frames = Workspace::default();
    let mut all = vec![Nearest { away: f32::INFINITY, time: 0.0 }; pins.len()];
    for frame in motion.frames.iter().filter(|_| !pins.is_empty()) {
        forward(character, &frame.configuration, &mut frames);
        for (pin, nearest) in pins.iter().zip(&mut all) {
            let effectors = 0..character.effectors.len();
            for effector in effectors.filter(|&effector| pin.effector.is_none_or(|wanted| wanted == effector)) {
                let center = effector_in_world(character, &frames, effector);
                let point = pin.point.unwrap_or_else(|| world.holds[pin.hold].nearest(center));
                let away = ((point - center).length() - character.effectors[effector].radius).max(0.0);
                if away < nearest.away {
                    *nearest = Nearest { away, time: frame.time };
                }
            }
        }
    }
    all
}

/// A pin as reports say it.
fn in_words(problem: &Problem, pin: &Pin) -> String {
    let hold = &problem.world.holds[pin.hold].name;
    let at = pin.point.map_or(String::new(), |point| format!(" at ({:.3}, {:.3}, {:.3})", point.x, point.y, point.z));
    let by = pin.effector.map_or(String::new(), |effector| {
        format!(", pinned for effector `{}`,", problem.character.effectors[effector].name)
    });
    format!("hold `{hold}`{at}{by}")
}
