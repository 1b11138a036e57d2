//! Sudden changes in the velocity of body points.
//!
//! At each frame, the mean velocity over the 1/120 s before it is compared with that over the 1/120 s after it, with linear
//! interpolation between frames. So a corner at a frame counts in full, however far away the next frame is, and a smooth
//! motion with acceleration a has jumps of a / 120 at 120 frames per second and above. Impacts are left out: an effector may
//! stop suddenly at its hold.

use clamber_model::id::LinkId;
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::ModeSpan;
use clamber_model::{Character, Configuration, Motion, Problem};

/// The interval before and after a frame, in seconds.
const INTERVAL: f32 = 1.0 / 120.0;

/// Tolerance of times, in seconds.
const ROUNDING: f32 = 1e-4;

/// A sudden change of velocity.
#[derive(Clone, Copy)]
pub(super) struct VelocityJump {
    /// In meters per second.
    pub change: f32,
    /// In seconds.
    pub time: f32,
    /// The link of the point.
    pub link: LinkId,
}

impl VelocityJump {
    const NONE: Self = Self { change: 0.0, time: 0.0, link: LinkId::ROOT };

    fn greater(self, other: Self) -> Self {
        if other.change > self.change { other } else { self }
    }
}

/// Returns, for each frame, the greatest change in the velocity of any body point. It is zero at impacts and at both ends of
/// the motion.
pub(super) fn measure(problem: &Problem, motion: &Motion) -> Vec<VelocityJump> {
    let frames = &motion.frames;
    let time = |index: usize| frames[index].time;
    let (start, end) = (time(0), motion.duration());
    let mut impacts: Vec<f32> = motion.contacts.iter().map(|span| time(span.first_frame)).collect();
    impacts.sort_by(f32::total_cmp);
    // A contact begins in the first frame at or after the impact.
    let is_impact = |now: f32| {
        let near = impacts.partition_point(|impact| *impact < now - INTERVAL - ROUNDING);
        impacts.get(near).is_some_and(|impact| *impact <= now + INTERVAL + ROUNDING)
    };
    let mut body = BodyPoints::default();
    let points: Vec<Vec<Vec3>> = frames.iter().map(|frame| body.of(&problem.character, &frame.configuration)).collect();
    let links = links_of_points(&problem.character);
    let (mut before, mut after) = (0, 0);
    let jump = |index: usize| {
        let now = time(index);
        while before + 1 < index && time(before + 1) <= now - INTERVAL {
            before += 1;
        }
        while after + 1 < frames.len() && (after <= index || time(after) < now + INTERVAL) {
            after += 1;
        }
        if now - INTERVAL < start - ROUNDING || now + INTERVAL > end + ROUNDING || is_impact(now) {
            return VelocityJump::NONE;
        }
        let at = |from: usize, to: usize, time_at: f32, point: usize| {
            let share = (time_at - time(from)) / (time(to) - time(from)).max(1e-9);
            points[from][point].lerp(points[to][point], share.clamp(0.0, 1.0))
        };
        let change = |point: usize| {
            let here = points[index][point];
            let [from, to] =
                [at(before, before + 1, now - INTERVAL, point), at(after - 1, after, now + INTERVAL, point)];
            let change = ((to - here) - (here - from)).length() / INTERVAL;
            VelocityJump { change, time: now, link: links[point] }
        };
        (0..links.len()).map(change).fold(VelocityJump::NONE, VelocityJump::greater)
    };
    (0..frames.len()).map(jump).collect()
}

/// The greatest jump in the spans of a mode.
pub(super) fn of_mode(jumps: &[VelocityJump], motion: &Motion, mode: &str) -> VelocityJump {
    let spans = motion.mode_spans.iter().filter(|span: &&ModeSpan| span.mode == mode);
    spans
        .flat_map(|span| &jumps[span.first_frame..=span.last_frame])
        .copied()
        .fold(VelocityJump::NONE, VelocityJump::greater)
}

/// The link of each point of [`BodyPoints::of`].
fn links_of_points(character: &Character) -> Vec<LinkId> {
    let capsules = character.link_of_capsule.iter().flat_map(|link| [*link; 2]);
    capsules.chain(character.effectors.iter().map(|effector| effector.link)).collect()
}

#[derive(Default)]
struct BodyPoints {
    workspace: LinkFrames,
}

impl BodyPoints {
    /// The ends of all capsules and the centers of all effectors, in the world.
    fn of(&mut self, character: &Character, configuration: &Configuration) -> Vec<Vec3> {
        forward(character, configuration, &mut self.workspace);
        let capsules = (0..character.capsules.len()).flat_map(|index| {
            let capsule = capsule_in_world(character, &self.workspace, index);
            [capsule.a, capsule.b]
        });
        let effectors = character.effectors.keys().map(|index| effector_position(character, &self.workspace, index));
        capsules.chain(effectors).collect()
    }
}
