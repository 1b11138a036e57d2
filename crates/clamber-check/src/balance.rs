//! Whether the character is balanced when it leaves a contact.

use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::mode::Balance;
use clamber_model::motion::{ContactSpan, TURNING};
use clamber_model::support::horizontal_distance_to_hull;
use clamber_model::{Motion, Problem};

use crate::contacts::{Stances, in_words};
use crate::report::{Finding, Worst};
use crate::settings::CheckSettings;

/// Frames in one mode, turns between them included.
struct Stretch<'a> {
    first: usize,
    last: usize,
    mode: &'a str,
}

/// How much farther than its mode allows the centre of mass is from the space between the contacts of a group, each time
/// one of them is left while another goes on.
///
/// Both must have been made in the mode, since a transition into it may begin unbalanced, and what happens in the frame
/// in which another mode begins is a transition out of it.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let character = &problem.character;
    let end = motion.frames.len() - 1;
    let mut stances = Stances::new(motion);
    let mut frames = Workspace::default();
    let mut worst = Worst::new();
    for stretch in stretches(motion) {
        let Some((balance, group)) = balance_of(problem, stretch.mode) else { continue };
        let after = if stretch.last == end { end + 1 } else { stretch.last };
        for frame in stretch.first..after {
            let stance = stances.lasting(frame, frame);
            let stance: Vec<&ContactSpan> =
                stance.iter().copied().filter(|span| group.contains(&span.contact.effector)).collect();
            let Some(left) = left_contact(problem, &stance, frame, end, stretch.first) else { continue };
            forward(character, &motion.frames[frame].configuration, &mut frames);
            let points: Vec<Vec3> = stance.iter().map(|span| span.contact.point).collect();
            let outside = horizontal_distance_to_hull(center_of_mass(character, &frames), &points);
            let place = || format!("the centre of mass, leaving {}", in_words(problem, &left.contact));
            worst.note(outside - balance.within, motion.frames[frame].time, place);
        }
    }
    worst.finding("balance", settings.balance, "m")
}

/// The contact, made since the frame `since`, that is left in a frame while another one of them goes on.
fn left_contact<'a>(
    problem: &Problem,
    stance: &[&'a ContactSpan],
    frame: usize,
    end: usize,
    since: usize,
) -> Option<&'a ContactSpan> {
    // After the last frame, what the goal holds on to goes on.
    let at_goal = |span: &ContactSpan| {
        let same = |(effector, hold)| (effector, hold) == (span.contact.effector, span.contact.hold);
        problem.goal.stance.iter().any(|contact| same((contact.effector, contact.hold)))
    };
    let goes_on = |span: &ContactSpan| span.last > frame || (frame == end && at_goal(span));
    let holds_on = |effector: usize| stance.iter().any(|span| span.contact.effector == effector && goes_on(span));
    let is_left = |span: &&ContactSpan| span.first >= since && !holds_on(span.contact.effector);
    let stays = stance.iter().any(|span| span.first >= since && goes_on(span));
    stance.iter().copied().find(is_left).filter(|_| stays)
}

/// The balance that a mode asks for, and the effectors of its group.
fn balance_of<'a>(problem: &'a Problem, mode: &str) -> Option<(Balance, &'a [usize])> {
    let table = problem.modes.as_ref()?;
    let balance = table.modes[table.mode(mode)?].balance?;
    Some((balance, &table.groups[balance.group].effectors))
}

fn stretches(motion: &Motion) -> Vec<Stretch<'_>> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for span in motion.spans.iter().filter(|span| span.mode != TURNING && span.first < span.last) {
        match stretches.last_mut() {
            Some(former) if former.mode == span.mode => former.last = span.last,
            _ => stretches.push(Stretch { first: span.first, last: span.last, mode: &span.mode }),
        }
    }
    stretches
}
