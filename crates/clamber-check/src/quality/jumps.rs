//! How suddenly parts of the body change their speed.
//!
//! At each frame, the velocity of a point from one look before it to the frame is compared with that from the frame to one
//! look after it; looks are 1/120 s apart, with straight lines between frames. So what a frame bends counts in full, however
//! far away the next frame is, and a smooth motion that accelerates by a has jumps of a / 120, at 120 frames a second and at
//! more. Impacts are left out: what comes to a hold may stop there.

use clamber_model::kinematics::{Workspace, capsule_in_world, effector_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::Span;
use clamber_model::{Character, Configuration, Motion, Problem};

/// The time between a frame and a look, in seconds.
const LOOK: f32 = 1.0 / 120.0;

/// How far times may be off, in seconds.
const ROUNDING: f32 = 1e-4;

/// A change of velocity.
#[derive(Clone, Copy, Default)]
pub(super) struct Jump {
    /// In metres a second.
    pub change: f32,
    /// When, in seconds.
    pub time: f32,
    /// The link of which a point changes so.
    pub link: usize,
}

impl Jump {
    fn greater(self, other: Self) -> Self {
        if other.change > self.change { other } else { self }
    }
}

/// For each frame, the greatest change of the velocity of any point of the body; none at impacts and at both ends of the
/// motion, which have nothing before or after them.
pub(super) fn measure(problem: &Problem, motion: &Motion) -> Vec<Jump> {
    let frames = &motion.frames;
    let time = |index: usize| frames[index].time;
    let (start, end) = (time(0), motion.duration());
    let mut impacts: Vec<f32> = motion.contacts.iter().map(|span| time(span.first)).collect();
    impacts.sort_by(f32::total_cmp);
    // A contact begins with the first frame that is not before the impact.
    let is_impact = |now: f32| {
        let near = impacts.partition_point(|impact| *impact < now - LOOK - ROUNDING);
        impacts.get(near).is_some_and(|impact| *impact <= now + LOOK + ROUNDING)
    };
    let mut body = Body::default();
    let points: Vec<Vec<Vec3>> =
        frames.iter().map(|frame| body.points(&problem.character, &frame.configuration)).collect();
    let links = point_links(&problem.character);
    let (mut before, mut after) = (0, 0);
    let jump = |index: usize| {
        let now = time(index);
        while before + 1 < index && time(before + 1) <= now - LOOK {
            before += 1;
        }
        while after + 1 < frames.len() && (after <= index || time(after) < now + LOOK) {
            after += 1;
        }
        if now - LOOK < start - ROUNDING || now + LOOK > end + ROUNDING || is_impact(now) {
            return Jump::default();
        }
        let at = |from: usize, to: usize, time_at: f32, point: usize| {
            let share = (time_at - time(from)) / (time(to) - time(from)).max(1e-9);
            points[from][point].lerp(points[to][point], share.clamp(0.0, 1.0))
        };
        let change = |point: usize| {
            let here = points[index][point];
            let [from, to] = [at(before, before + 1, now - LOOK, point), at(after - 1, after, now + LOOK, point)];
            let change = ((to - here) - (here - from)).length() / LOOK;
            Jump { change, time: now, link: links[point] }
        };
        (0..links.len()).map(change).fold(Jump::default(), Jump::greater)
    };
    (0..frames.len()).map(jump).collect()
}

/// The greatest of the jumps in the spans of a mode.
pub(super) fn of_mode(jumps: &[Jump], motion: &Motion, mode: &str) -> Jump {
    let spans = motion.spans.iter().filter(|span: &&Span| span.mode == mode);
    spans.flat_map(|span| &jumps[span.first..=span.last]).copied().fold(Jump::default(), Jump::greater)
}

/// The link of each of the points of [`Body::points`].
fn point_links(character: &Character) -> Vec<usize> {
    let capsules = character.capsule_links.iter().flat_map(|link| [*link; 2]);
    capsules.chain(character.effectors.iter().map(|effector| effector.link)).collect()
}

#[derive(Default)]
struct Body {
    workspace: Workspace,
}

impl Body {
    /// The ends of all capsules and the effectors, in the world.
    fn points(&mut self, character: &Character, configuration: &Configuration) -> Vec<Vec3> {
        forward(character, configuration, &mut self.workspace);
        let capsules = (0..character.capsules.len()).flat_map(|index| {
            let capsule = capsule_in_world(character, &self.workspace, index);
            [capsule.a, capsule.b]
        });
        let effectors =
            (0..character.effectors.len()).map(|index| effector_in_world(character, &self.workspace, index));
        capsules.chain(effectors).collect()
    }
}
