//! Whether the contacts carry the body at every moment.

use clamber_model::motion::{ContactSpan, FLYING_MODE, TURNING_MODE};
use clamber_model::{Configuration, Motion, Problem};

use crate::active_contacts::{ActiveContacts, describe_contact};
use crate::dense_sampling::for_each_sample;
use crate::equilibrium::StanceEquilibrium;
use crate::kinematics::LinkFrames;
use crate::passage_matching::{PassageFrames, UnplayedFrame};
use crate::progress::ProgressReporter;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// The distance between two samples, in body sizes. The center of mass moves less than the farthest point, so the excess between
/// two samples is that of one of them up to a fraction of this.
const SAMPLE_SPACING: f32 = 0.02;

/// What applies from one frame to the next.
#[derive(Clone, Debug, PartialEq)]
enum Rule {
    /// The center of mass may be this many meters outside of equilibrium.
    Judged { mode: String, max_offset: f64 },
    /// The forces of contacts are not all that acts on the body, or nobody planned them.
    Exempt { reason: String },
}

/// Measures how far the center of mass is outside of where the contacts carry the body, beyond what the mode allows; and the time
/// in which this is not judged: flights, turns, modes without contacts, ready-made passages, and motions without a mode table.
///
/// From one frame to the next, the mode and the contacts of the interval apply, its ends included. So a frame in which a contact
/// ends or begins is judged without it too.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    passages: &[Result<PassageFrames, UnplayedFrame>],
    progress: &mut ProgressReporter,
) -> [PropertyResult; 2] {
    let rules = rules_of_intervals(problem, motion, passages);
    let last_frame = motion.frames.len() - 1;
    let mut contacts = ActiveContacts::new(motion);
    let mut judge = Judge::new(problem);
    let spacing = SAMPLE_SPACING * problem.character.body_size();
    for_each_sample(&problem.character, motion, spacing, progress, |sample, configuration| {
        let before = if sample.is_between_frames() { None } else { sample.first_frame.checked_sub(1) };
        let after = (sample.first_frame < rules.len()).then_some(sample.first_frame);
        judge.begin(configuration);
        for interval in before.into_iter().chain(after) {
            let active = contacts.during(interval, last_frame.min(interval + 1));
            judge.judge(&rules[interval], active, sample.time);
        }
    });
    let within = judge.worst.into_result("equilibrium", settings.max_equilibrium_excess, "m");
    [within, exempt_time(motion, &rules)]
}

/// The rule from each frame to the next. A motion of one frame has one interval that begins and ends with it.
fn rules_of_intervals(
    problem: &Problem,
    motion: &Motion,
    passages: &[Result<PassageFrames, UnplayedFrame>],
) -> Vec<Rule> {
    let count = (motion.frames.len() - 1).max(1);
    let mut rules = vec![Rule::Exempt { reason: "no mode".to_owned() }; count];
    for span in &motion.mode_spans {
        // The only interval of a motion of one frame begins where its span ends.
        let end = span.last_frame.max(usize::from(motion.frames.len() == 1));
        rules[span.first_frame..end].fill(rule_of_mode(problem, &span.mode));
    }
    for (passage, found) in problem.passages.iter().zip(passages) {
        if let Ok(PassageFrames { first, last }) = found {
            rules[*first..*last].fill(Rule::Exempt { reason: format!("passage `{}`", passage.name) });
        }
    }
    rules
}

fn rule_of_mode(problem: &Problem, name: &str) -> Rule {
    let Some(table) = &problem.modes else { return Rule::Exempt { reason: "no mode table".to_owned() } };
    let mode = table.find_mode(name).map(|mode| &table.modes[mode]).filter(|mode| !mode.supporting_groups.is_empty());
    match mode {
        Some(mode) if ![FLYING_MODE, TURNING_MODE].contains(&name) => Rule::Judged {
            mode: name.to_owned(),
            max_offset: f64::from(mode.max_center_offset) * f64::from(problem.character.body_size()),
        },
        _ => Rule::Exempt { reason: format!("mode `{name}`") },
    }
}

/// The time that is not judged, with the reasons.
fn exempt_time(motion: &Motion, rules: &[Rule]) -> PropertyResult {
    let (mut seconds, mut begin) = (0.0, None);
    let mut reasons: Vec<&str> = Vec::new();
    for (pair, rule) in motion.frames.windows(2).zip(rules) {
        if let Rule::Exempt { reason } = rule {
            seconds += pair[1].time - pair[0].time;
            begin = begin.or(Some(pair[0].time));
            if !reasons.contains(&reason.as_str()) {
                reasons.push(reason);
            }
        }
    }
    let mut exempt = WorstValue::new();
    exempt.record(seconds, begin.unwrap_or(0.0), || reasons.join(", "));
    exempt.into_reported("equilibrium-exempt", "s")
}

/// Judges stances and keeps the worst.
struct Judge<'a, 'r> {
    problem: &'a Problem,
    frames: LinkFrames,
    equilibrium: StanceEquilibrium,
    /// The rule and contacts that the present configuration was judged by last.
    judged_by: Option<&'r Rule>,
    judged_on: Vec<&'a ContactSpan>,
    worst: WorstValue,
}

impl<'a, 'r> Judge<'a, 'r> {
    fn new(problem: &'a Problem) -> Self {
        let (frames, equilibrium) = (LinkFrames::default(), StanceEquilibrium::default());
        Self { problem, frames, equilibrium, judged_by: None, judged_on: Vec::new(), worst: WorstValue::new() }
    }

    /// Begins a configuration.
    fn begin(&mut self, configuration: &Configuration) {
        self.frames.set(&self.problem.character, configuration);
        self.judged_by = None;
    }

    /// Judges the configuration on these contacts. Only one that is worse than all before is measured.
    fn judge(&mut self, rule: &'r Rule, contacts: &[&'a ContactSpan], time: f32) {
        let Rule::Judged { mode, max_offset } = rule else { return };
        if self.judged_by == Some(rule) && self.judged_on == contacts {
            return;
        }
        self.judged_by = Some(rule);
        self.judged_on.clear();
        self.judged_on.extend(contacts);
        let Problem { character, world, .. } = self.problem;
        self.equilibrium.set(character, world, &self.frames, contacts.iter().map(|span| &span.contact));
        if self.equilibrium.is_carried(max_offset + f64::from(self.worst.value())) {
            return;
        }
        let excess = self.equilibrium.displacement() - max_offset;
        self.worst.record(excess as f32, time, || describe(self.problem, mode, contacts));
    }
}

fn describe(problem: &Problem, mode: &str, contacts: &[&ContactSpan]) -> String {
    let contacts: Vec<String> = contacts.iter().map(|span| describe_contact(problem, &span.contact)).collect();
    let contacts = if contacts.is_empty() { "no contacts".to_owned() } else { contacts.join(", ") };
    format!("the center of mass in mode `{mode}` on {contacts}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use clamber_model::math::Vec3;
    use clamber_model::motion::ModeSpan;
    use clamber_model::problem::Passage;
    use clamber_model::world::HoldType;
    use clamber_testing::{hold, on_ground, standing, touching};

    use crate::progress::CheckProgress;

    const WALKING_OFFSET: f32 = 0.01;

    /// The figure on the ground. In walking, the center of mass may be outside by [`WALKING_OFFSET`], in other modes not at all.
    fn problem() -> Problem {
        let mut problem = on_ground(vec![hold("ground", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing)]);
        let mut table = problem.modes.as_deref().expect("it has modes").clone();
        let walking = table.find_mode("walking").expect("the figure walks");
        table.modes.iter_mut().for_each(|mode| mode.max_center_offset = 0.0);
        table.modes[walking].max_center_offset = WALKING_OFFSET;
        problem.modes = Some(Arc::new(table));
        problem
    }

    /// The feet, and the frames of their contacts.
    type Feet<'a> = [(&'a str, usize, usize)];

    /// The left foot is 0.2 m behind the center of mass of the first frame, the right foot 0.2 m in front of it.
    const STRIDE: f32 = 0.2;

    /// Four frames, one second apart, that move over the feet by `shift` meters.
    fn motion(problem: &Problem, mode: &str, shift: f32, feet: &Feet) -> Motion {
        let character = &problem.character;
        let start = standing(character, 0.0);
        let frames = (0..4).map(|index| {
            let mut configuration = start.clone();
            configuration.root.translation.x += shift * index as f32 / 3.0;
            configuration
        });
        let mut motion = Motion::from_configurations(&character.name, mode, frames.collect(), 1.0);
        let mut frames = LinkFrames::default();
        frames.set(character, &start);
        let center = frames.center_of_mass(character).x as f32;
        let span = |&(foot, first_frame, last_frame): &(&str, usize, usize)| {
            let mut contact = touching(character, &start, foot);
            contact.point.x = center + if foot == "left_foot" { -STRIDE } else { STRIDE };
            ContactSpan { first_frame, last_frame, contact }
        };
        motion.contacts = feet.iter().map(span).collect();
        motion
    }

    fn measured(problem: &Problem, motion: &Motion) -> [PropertyResult; 2] {
        let settings = CheckSettings::default().in_meters(problem.character.body_size());
        let observer = &mut |_: &CheckProgress| ControlFlow::Continue(());
        let found = Ok(PassageFrames { first: 1, last: 3 });
        measure(problem, motion, &settings, &[found], &mut ProgressReporter::new(observer))
    }

    const BOTH_FEET: [(&str, usize, usize); 2] = [("left_foot", 0, 3), ("right_foot", 0, 3)];

    #[test]
    fn the_worst_moment_is_measured_beyond_what_the_mode_allows() {
        let problem = problem();
        let climbing = motion(&problem, "climbing", 0.6, &BOTH_FEET);
        let [equilibrium, exempt] = measured(&problem, &climbing);
        let expected = 0.6 - STRIDE;
        assert!(!equilibrium.passed && (equilibrium.worst - expected).abs() < 1e-5, "{equilibrium}");
        assert_eq!((equilibrium.time, exempt.worst), (3.0, 0.0));
        assert!(equilibrium.worst_place.contains("mode `climbing` on effector `left_foot` on hold `ground`, "));
        let [walking, _] = measured(&problem, &motion(&problem, "walking", 0.6, &BOTH_FEET));
        let offset = WALKING_OFFSET * problem.character.body_size();
        assert!((walking.worst - (expected - offset)).abs() < 1e-5, "{walking}");
        let [still, _] = measured(&problem, &motion(&problem, "walking", 0.0, &BOTH_FEET));
        assert!(still.passed, "{still}");
    }

    #[test]
    fn a_gap_between_two_contacts_is_found_though_no_sample_lies_in_it() {
        let problem = problem();
        let hops = [("left_foot", 0, 3), ("right_foot", 0, 1), ("right_foot", 2, 3)];
        let [on_one_foot, _] = measured(&problem, &motion(&problem, "climbing", 0.0, &hops));
        assert!((on_one_foot.worst - STRIDE).abs() < 1e-5, "{on_one_foot}");
        assert_eq!(on_one_foot.time, 1.0);
        let [in_the_air, _] = measured(&problem, &motion(&problem, "climbing", 0.0, &hops[1..]));
        assert_eq!((in_the_air.worst, in_the_air.time), (f32::INFINITY, 1.0));
        let mut one_frame = motion(&problem, "climbing", 0.0, &[]);
        one_frame.frames.truncate(1);
        one_frame.mode_spans[0].last_frame = 0;
        assert_eq!(measured(&problem, &one_frame)[0].worst, f32::INFINITY);
    }

    #[test]
    fn flights_turns_slides_and_passages_are_exempt() {
        let mut problem = problem();
        for mode in [FLYING_MODE, TURNING_MODE, "sliding"] {
            let [equilibrium, exempt] = measured(&problem, &motion(&problem, mode, 1.0, &[]));
            assert!(equilibrium.passed && exempt.passed, "{equilibrium}");
            assert_eq!((exempt.worst, exempt.worst_place), (3.0, format!("mode `{mode}`")));
        }
        let mut lands = motion(&problem, FLYING_MODE, 0.0, &[("left_foot", 2, 3), ("right_foot", 2, 3)]);
        lands.mode_spans[0].last_frame = 2;
        lands.mode_spans.push(ModeSpan { first_frame: 2, last_frame: 3, mode: "walking".to_owned() });
        let [equilibrium, exempt] = measured(&problem, &lands);
        assert!(equilibrium.passed && exempt.worst == 2.0, "{equilibrium}\n{exempt}");

        let falling = motion(&problem, "climbing", 0.0, &[("left_foot", 0, 1), ("right_foot", 0, 1)]);
        assert!(!measured(&problem, &falling)[0].passed);
        problem.passages.push(Passage { name: "fall".to_owned(), motion: falling.clone() });
        let [equilibrium, exempt] = measured(&problem, &falling);
        assert!(equilibrium.passed, "{equilibrium}");
        assert_eq!((exempt.worst, exempt.time, exempt.worst_place.as_str()), (2.0, 1.0, "passage `fall`"));

        problem.modes = None;
        let [equilibrium, exempt] = measured(&problem, &motion(&problem, FLYING_MODE, 0.0, &[]));
        assert!(equilibrium.passed && exempt.worst_place.contains("no mode table"), "{exempt}");
    }
}
