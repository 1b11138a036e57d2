//! Finds the frames of a motion that violate an edited problem.

use clamber_model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Frame};
use clamber_model::obstacle_collision::{CollisionWorkspace, is_free_after_checked_start, is_free_between};
use clamber_model::problem::Pin;
use clamber_model::{Configuration, Contact, Motion, Problem};

use super::split_at_frame::{is_same, passed, unheld};
use super::tuning;

/// The frames of a motion that violate the problem.
pub(crate) struct InvalidRange {
    /// The first such frame.
    pub first: usize,
    /// The last one; `None` when the motion misses the goal or a passage, so that nothing after the first frame can stay.
    pub last: Option<usize>,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckScope {
    All,
    /// Everything but collisions, where the search has checked these.
    WithoutCollisions,
}

/// Finds the frames of a motion that violate the problem; `None` when it solves it. For a missing passage, goal or pin, that is
/// the frame nearest to it.
pub(crate) fn invalid_range(problem: &Problem, motion: &Motion, scope: CheckScope) -> Option<InvalidRange> {
    if !belongs_to(problem, motion) || !begins_at_start(problem, motion) {
        return Some(InvalidRange { first: 0, last: None });
    }
    let (count, from) = passed(problem, motion);
    let passage = problem.passages.get(count).map(|passage| &passage.motion.frames[0].configuration);
    let goal = (!ends_at_goal(problem, motion)).then_some(&problem.goal.configuration);
    let ends_valid = passage.is_none() && goal.is_none();
    let missed = passage.into_iter().chain(goal).map(|wanted| nearest_to_posture(problem, motion, from, wanted));
    let pins = unheld(problem, motion);
    let pins = pins.iter().map(|pin| nearest_to_pin(problem, motion, pin));
    let contacts = motion.contacts.iter().filter(|span| is_lost(problem, &span.contact));
    let left = contacts.map(|span| [leaves_for(motion, span), span.last_frame]);
    let inside = if scope == CheckScope::All { steps_inside(problem, motion) } else { Vec::new() };
    let places = missed.chain(pins).chain(inside).map(|frame| [frame; 2]).chain(left);
    let [first, last] = places.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
    Some(InvalidRange { first, last: ends_valid.then_some(last) })
}

/// The frame `count` contact changes before another; `None` when there are fewer.
pub(crate) fn changes_before(motion: &Motion, frame: usize, count: usize) -> Option<usize> {
    let changes = changes(motion);
    let before = changes.partition_point(|&change| change <= frame);
    before.checked_sub(count).map(|index| changes[index])
}

/// The frame `count` contact changes after another; `None` when there are fewer.
pub(crate) fn changes_after(motion: &Motion, frame: usize, count: usize) -> Option<usize> {
    let changes = changes(motion);
    let after = changes.partition_point(|&change| change <= frame);
    changes[after..].get(count - 1).copied()
}

/// The frames in which contacts change, in order, without the first and the last frame.
fn changes(motion: &Motion) -> Vec<usize> {
    let last = motion.frames.len() - 1;
    let ends = motion.contacts.iter().flat_map(|span| [span.first_frame, span.last_frame]);
    let mut changes: Vec<usize> = ends.filter(|&end| end > 0 && end < last).collect();
    changes.sort_unstable();
    changes.dedup();
    changes
}

/// Whether the frames and contacts are of the problem's character and world.
fn belongs_to(problem: &Problem, motion: &Motion) -> bool {
    let Problem { character, world, .. } = problem;
    let is_known =
        |contact: &Contact| contact.effector < character.effectors.next_key() && contact.hold < world.holds.next_key();
    motion.character == character.name
        && !motion.frames.is_empty()
        && motion.frames.iter().all(|frame| frame.configuration.angles.len() == character.hinges.len())
        && motion.contacts.iter().all(|span| is_known(&span.contact))
}

fn begins_at_start(problem: &Problem, motion: &Motion) -> bool {
    let start = &problem.start;
    is_same(problem, &motion.frames[0].configuration, &start.configuration)
        && start.stance.iter().all(|wanted| is_held_at(motion, 0, wanted))
}

fn ends_at_goal(problem: &Problem, motion: &Motion) -> bool {
    let (last, goal) = (motion.frames.len() - 1, &problem.goal);
    is_same(problem, &motion.frames[last].configuration, &goal.configuration)
        && goal.stance.iter().all(|wanted| is_held_at(motion, last, wanted))
}

fn is_held_at(motion: &Motion, frame: usize, wanted: &Contact) -> bool {
    let is_wanted = |held: &Contact| held.effector == wanted.effector && held.hold == wanted.hold;
    motion.stance_at_frame(frame).iter().any(is_wanted)
}

/// Whether a contact is invalid: its hold is forbidden or has moved.
fn is_lost(problem: &Problem, contact: &Contact) -> bool {
    let hold = &problem.world.holds[contact.hold];
    problem.forbids_hold(contact.hold)
        || (hold.nearest_point(contact.point) - contact.point).length() > tuning::SAME * problem.character.body_size()
        || (hold.normal - contact.normal).length() > tuning::SAME_DIRECTION
}

/// The frame in which the limb leaves for a contact: the last before it in which contacts change.
fn leaves_for(motion: &Motion, next: &ContactSpan) -> usize {
    changes_before(motion, next.first_frame.saturating_sub(1), 1).unwrap_or(0)
}

/// From a frame on, the frame whose center of mass is nearest to that of a configuration.
fn nearest_to_posture(problem: &Problem, motion: &Motion, from: usize, wanted: &Configuration) -> usize {
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let mut center = |configuration: &Configuration| {
        forward(character, configuration, &mut frames);
        center_of_mass(character, &frames)
    };
    let wanted = center(wanted);
    least(motion, from, |configuration| (center(configuration) - wanted).length())
}

/// The frame in which a suitable effector is nearest to a pinned hold.
fn nearest_to_pin(problem: &Problem, motion: &Motion, pin: &Pin) -> usize {
    let Problem { character, world, .. } = problem;
    let mut frames = LinkFrames::default();
    least(motion, 0, |configuration| {
        forward(character, configuration, &mut frames);
        let away =
            |center: Vec3| (pin.point.unwrap_or_else(|| world.holds[pin.hold].nearest_point(center)) - center).length();
        let effectors = character.effectors.keys();
        let suitable = effectors.filter(|&effector| pin.effector.is_none_or(|wanted| wanted == effector));
        suitable.map(|effector| away(effector_position(character, &frames, effector))).fold(f32::INFINITY, f32::min)
    })
}

/// From a frame on, the first frame with the least value.
fn least(motion: &Motion, from: usize, mut value: impl FnMut(&Configuration) -> f32) -> usize {
    let values = motion.frames.iter().enumerate().skip(from).map(|(index, frame)| (index, value(&frame.configuration)));
    values.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(from, |(index, _)| index)
}

/// The frames after which the body enters an obstacle.
fn steps_inside(problem: &Problem, motion: &Motion) -> Vec<usize> {
    let Problem { character, world, .. } = problem;
    let clearance = tuning::COLLISION.for_contacts_in(world, character);
    let mut collision = CollisionWorkspace::default();
    let mut begins_free = false;
    let mut is_free = |pair: &[Frame]| {
        let step = [&pair[0].configuration, &pair[1].configuration];
        begins_free = match begins_free {
            true => is_free_after_checked_start(world, character, step, &clearance, &mut collision),
            false => is_free_between(world, character, step[0], step[1], &clearance, &mut collision),
        };
        begins_free
    };
    let steps = motion.frames.windows(2).enumerate();
    steps.filter(|(_, pair)| !is_free(pair)).map(|(index, _)| index).collect()
}
