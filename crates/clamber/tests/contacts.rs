//! The checker on contacts: handmade motions pass, and each property fails if and only if it is violated.

use std::f32::consts::PI;
use std::sync::Arc;

use clamber::check::{CheckSettings, Report, check_motion};
use clamber::model::id::{EffectorId, GroupId, HoldId, LimbId, LinkId, ModeId, ObstacleId, TiVec};
use clamber::model::kinematics::{TwoLink, solve_two_link};
use clamber::model::math::{Pose, Vec3, rotation_about};
use clamber::model::mode_table::{Balance, EffectorGroup, Mode, PostureHeuristic, SupportingGroup};
use clamber::model::motion::{ContactSpan, FLYING_MODE, ModeSpan, TURNING_MODE};
use clamber::model::problem::{Passage, Pin, Posture};
use clamber::model::world::{DistanceFieldSettings, Hold, HoldShape, HoldSpread, HoldType, Obstacle};
use clamber::model::world::{Space, spread_holds};
use clamber::model::{Character, Configuration, Contact, ModeTable, Motion, Problem, World};
use clamber_testing::figure_without_feet;

const WALKING: &str = "walking";
const CLIMBING: &str = "climbing";
/// Height of resting feet above the ground, and of the hips.
const FOOT: f32 = 0.055;
const HIPS: f32 = 0.82;

/// A problem and a motion that passes: each test breaks one thing.
struct Case {
    problem: Problem,
    motion: Motion,
}

/// Its ankles touch, so two links put them where a test wants them.
fn figure() -> Arc<Character> {
    Arc::new(figure_without_feet())
}

/// The ground, and a wall that faces the figure at x = 2.
fn world() -> Arc<World> {
    let ground = Obstacle::polygon("ground", &[[-3.0, -1.0], [5.0, -1.0], [5.0, 0.0], [-3.0, 0.0]], -1.0, 1.0);
    let wall = Obstacle::cuboid("wall", Pose::translation(2.3, 1.1, 0.0), Vec3::new(0.6, 2.2, 2.0));
    let (obstacles, settings) = (vec![ground.unwrap(), wall.unwrap()], DistanceFieldSettings::default());
    let [min, max] = [Vec3::new(-3.0, 0.0, 0.0), Vec3::new(5.0, 3.0, 0.0)];
    let world = World::from_obstacles(Space::Planar, obstacles, min, max, &settings);
    let spread = |on, hold| spread_holds(&world, ObstacleId::new(on), HoldSpread::Everywhere, &[hold], true, 1000);
    let holds = [spread(0, HoldType::LoadBearing).unwrap(), spread(1, HoldType::Hybrid).unwrap()].concat();
    Arc::new(world.with_holds(holds))
}

fn table(character: &Character) -> ModeTable {
    let ids = |names: [&str; 2]| names.map(|name| character.find_effector(name).unwrap()).to_vec();
    let group = |name: &str, names| EffectorGroup { name: name.to_owned(), effectors: ids(names) };
    let mode = |name: &str, supporting_groups: Vec<SupportingGroup>, balance| Mode {
        name: name.to_owned(),
        supporting_groups,
        least_contacts: 1,
        posture_heuristics: vec![(PostureHeuristic::AlignedWithParent(LinkId::new(1)), 1.0)],
        acceptable_discomfort: 1.25,
        balance,
        max_center_offset: 0.27,
        effort: 0.0,
        speed: None,
        walking_gait: None,
        reference_posture: Default::default(),
    };
    let on = |group: usize, hold_type| SupportingGroup { group: GroupId::new(group), types: vec![hold_type] };
    let [hands, feet] = [group("hands", ["left_hand", "right_hand"]), group("feet", ["left_foot", "right_foot"])];
    ModeTable {
        trunk_link: LinkId::ROOT,
        span_limbs: [vec![LimbId::new(0), LimbId::new(1)], vec![LimbId::new(2), LimbId::new(3)]],
        effector_groups: vec![hands, feet].into(),
        modes: TiVec::from(vec![
            mode(WALKING, vec![on(1, HoldType::LoadBearing)], Some(Balance { group: GroupId::new(1), within: 0.02 })),
            mode(CLIMBING, vec![on(0, HoldType::Hybrid), on(1, HoldType::LoadBearing)], None),
        ]),
        edges: TiVec::new(),
    }
}

impl Case {
    /// A motion of postures that place effectors, with a root that faces +x.
    fn new(postures: impl IntoIterator<Item = ([f32; 2], Vec<(&'static str, Vec3)>)>, spans: &[(usize, &str)]) -> Self {
        let character = figure();
        let mut configuration = Configuration::rest(&character);
        let mut configurations = Vec::new();
        for ([x, y], targets) in postures {
            configuration.root = Configuration::planar_root_pose(x, y, 0.0, true);
            for (name, center) in targets {
                let limb = TwoLink::of(&character, character.find_effector(name).unwrap()).unwrap();
                let reached = solve_two_link(&character, limb, center, &mut configuration);
                assert!(reached, "{name} at {center}, frame {}", configurations.len());
            }
            configurations.push(configuration.clone());
        }
        let posture = Posture::without_contacts(configuration.clone());
        let problem = Problem {
            name: "by hand".to_owned(),
            world: world(),
            modes: Some(Arc::new(table(&character))),
            start: posture.clone(),
            passages: Vec::new(),
            goal: posture,
            pins: Vec::new(),
            forbidden_holds: Vec::new(),
            character,
        };
        let motion = Motion::from_configurations(&problem.character.name, FLYING_MODE, configurations, 30.0);
        let mut case = Self { problem, motion };
        case.spans(spans);
        case
    }

    /// Sets spans that end at these frames.
    fn spans(&mut self, ends: &[(usize, &str)]) {
        let firsts = std::iter::once(0).chain(ends.iter().map(|(last, _)| *last));
        let spans = firsts.zip(ends).map(|(first, (last, mode))| ModeSpan {
            first_frame: first,
            last_frame: *last,
            mode: mode.to_string(),
        });
        self.motion.mode_spans = spans.collect();
    }

    fn touch(&mut self, first: usize, last: usize, effector: &str, point: Vec3) {
        let effector = self.problem.character.find_effector(effector).unwrap();
        let mut found = Vec::new();
        self.problem.world.holds_near(point, 1e-3, &mut found);
        let normal = self.problem.world.holds[found[0]].normal;
        let contact = Contact { effector, hold: found[0], point, normal };
        self.motion.contacts.push(ContactSpan { first_frame: first, last_frame: last, contact });
    }

    /// Makes the first and last frame the problem's start and goal.
    fn settle(mut self) -> Self {
        let posture = |frame: usize| Posture {
            configuration: self.motion.frames[frame].configuration.clone(),
            stance: self.motion.stance_at_frame(frame),
            mode_name: self.motion.mode_at_frame(frame).to_owned(),
        };
        let last = self.motion.frames.len() - 1;
        (self.problem.start, self.problem.goal) = (posture(0), posture(last));
        self
    }

    fn table(&mut self) -> &mut ModeTable {
        Arc::make_mut(self.problem.modes.as_mut().unwrap())
    }

    fn world(&mut self) -> &mut World {
        Arc::make_mut(&mut self.problem.world)
    }

    /// Tests break contacts on purpose: start and goal keep only those that the motion has.
    fn report(&self) -> Report {
        let (mut problem, last) = (self.problem.clone(), self.motion.frames.len() - 1);
        problem.start.stance.retain(|contact| self.motion.stance_at_frame(0).contains(contact));
        problem.goal.stance.retain(|contact| self.motion.stance_at_frame(last).contains(contact));
        check_motion(&problem, &self.motion, &CheckSettings::default())
    }

    fn passes(&self) {
        let report = self.report();
        assert!(report.passed(), "{report}");
    }

    /// Requires that only these properties fail and that the place of the first contains the text. Returns its worst value.
    fn fails(&self, properties: &str, place: &str) -> f32 {
        let report = self.report();
        let failed: Vec<&str> = report.properties.iter().filter(|found| !found.passed).map(|f| f.property).collect();
        assert_eq!(failed.join(" "), properties, "{report}");
        let result = report.property(failed[0]).unwrap();
        assert!(result.worst_place.contains(place), "{result:?}");
        result.worst
    }
}

fn ground(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

/// A foot's center during a step between two points on the ground, at frame `now` between `from` and `to`.
fn stepping(now: usize, [from, to]: [usize; 2], [a, b]: [f32; 2]) -> Vec3 {
    let t = (now.clamp(from, to) - from) as f32 / (to - from) as f32;
    Vec3::new(a + (b - a) * t, FOOT + 0.4 * t * (1.0 - t), 0.0)
}

/// Two steps: the left foot leaves the ground in frame 10 and is back in frame 30, the right in 40 and 60. The body moves
/// evenly, this far ahead of the feet.
fn walk_ahead(ahead: f32) -> Case {
    let postures = (0..=60).map(|now| {
        let left = stepping(now, [10, 30], [-0.15, 0.45]);
        let right = stepping(now, [40, 60], [0.15, 0.75]);
        ([ahead + 0.01 * now as f32, HIPS], vec![("left_foot", left), ("right_foot", right)])
    });
    let mut case = Case::new(postures, &[(60, WALKING)]);
    case.touch(0, 10, "left_foot", ground(-0.15));
    case.touch(0, 40, "right_foot", ground(0.15));
    case.touch(30, 60, "left_foot", ground(0.45));
    case.touch(60, 60, "right_foot", ground(0.75));
    case.settle()
}

fn walk() -> Case {
    walk_ahead(0.0)
}

/// Standing on both feet, a hand reaches up to the wall, grasps it in frame 20, and the body rises a little.
fn reach() -> Case {
    let hold = Vec3::new(2.0, 1.5, 0.0);
    let postures = (0..=30).map(|now: usize| {
        let (from, to) = (Vec3::new(1.75, 1.0, 0.0), hold - Vec3::X * 0.04);
        let hand = from + (to - from) * (now.min(20) as f32 / 20.0);
        let rise = 0.002 * now.saturating_sub(20) as f32;
        let feet = [1.45, 1.7].map(|x| Vec3::new(x, FOOT, 0.0));
        ([1.58, HIPS + rise], vec![("left_foot", feet[0]), ("right_foot", feet[1]), ("right_hand", hand)])
    });
    let mut case = Case::new(postures, &[(20, WALKING), (30, CLIMBING)]);
    case.touch(0, 30, "left_foot", ground(1.45));
    case.touch(0, 30, "right_foot", ground(1.7));
    case.touch(20, 30, "right_hand", hold);
    case.settle()
}

/// Half a turn on the right foot, from frame 10 to frame 50.
fn turn() -> Case {
    let (left, right) = (Vec3::new(-0.05, 0.2, 0.0), Vec3::new(0.15, FOOT, 0.0));
    let postures = (0..=60).map(|_| ([0.05, HIPS], vec![("left_foot", left), ("right_foot", right)]));
    let mut case = Case::new(postures, &[(10, WALKING), (50, TURNING_MODE), (60, WALKING)]);
    for (index, frame) in case.motion.frames.iter_mut().enumerate() {
        let angle = PI * (index.clamp(10, 50) - 10) as f32 / 40.0;
        turn_about(&mut frame.configuration, right, Vec3::Y, angle);
    }
    case.touch(0, 60, "right_foot", ground(0.15));
    case.settle()
}

/// Turns the whole body about an axis through a point.
fn turn_about(configuration: &mut Configuration, through: Vec3, axis: Vec3, angle: f32) {
    let rotation = rotation_about(axis, angle);
    let root = &mut configuration.root;
    root.translation = through + rotation * (root.translation - through);
    root.rotation = rotation * root.rotation;
}

#[test]
fn valid_motions_with_contacts_pass() {
    for case in [walk(), reach(), turn()] {
        case.passes();
        let report = case.report();
        for property in ["slip", "holds", "support", "balance", "plane", "facing", "start-stance", "goal-stance"] {
            assert!(report.property(property).is_some(), "{property}");
        }
        assert_eq!(report.properties.len(), 17);
    }
}

// Slip ------------------------------------------------------------------------------------------------------------

#[test]
fn slip_fails_and_names_the_foot() {
    let mut case = walk();
    case.motion.contacts[1].contact.point.x += 0.002;
    let slip = case.fails("slip", "`right_foot` on hold `ground 1`");
    assert!((slip - 0.002).abs() < 2e-4, "{slip}");
    case.motion.contacts[1].contact.point.x -= 0.0015;
    case.passes();
}

#[test]
fn slip_fails_when_a_foot_slips_only_between_frames() {
    // The body sinks from one frame to the next. The feet are in place in both frames but not between them.
    let crouch = |depth: f32| {
        let feet = [-0.15, 0.15].map(|x| Vec3::new(x, FOOT, 0.0));
        let heights = [0.87, 0.87, 0.87 - depth, 0.87 - depth];
        let postures = heights.map(|y| ([0.0, y], vec![("left_foot", feet[0]), ("right_foot", feet[1])]));
        let mut case = Case::new(postures, &[(3, WALKING)]);
        case.touch(0, 3, "left_foot", ground(-0.15));
        case.touch(0, 3, "right_foot", ground(0.15));
        case.settle()
    };
    crouch(0.02).passes();
    let case = crouch(0.046);
    let slip = case.fails("slip", "_foot` on hold `ground 1`");
    assert!((0.0015..0.002).contains(&slip), "{slip}");
    let time = case.report().property("slip").unwrap().time;
    assert!(time > 1.1 / 30.0 && time < 1.9 / 30.0, "{time}");
}

// Holds -----------------------------------------------------------------------------------------------------------

#[test]
fn holds_fails_when_a_contact_is_off_its_hold() {
    let mut case = walk();
    // The ground's hold ends before the last step.
    let hold = case.problem.world.holds.raw[0].clone();
    let holds = |end: f32| {
        let shape = HoldShape::Segment([ground(-3.0), ground(end)]);
        vec![Hold { shape, ..hold.clone() }]
    };
    case.problem.world = Arc::new((*case.problem.world).clone().with_holds(holds(0.7495)));
    case.passes();
    case.problem.world = Arc::new((*case.problem.world).clone().with_holds(holds(0.745)));
    assert_eq!(case.fails("holds", "`right_foot` on hold `ground 1`, 0.005"), 1.0);
}

#[test]
fn holds_fails_when_a_contact_has_another_normal() {
    let mut case = walk();
    case.world().holds.raw[0].normal = Vec3::new(0.02, 1.0, 0.0).normalize();
    assert_eq!(case.fails("holds", "normal"), 4.0);
}

#[test]
fn holds_fails_when_the_mode_does_not_allow_the_hold_type() {
    let mut case = reach();
    case.table().modes[ModeId::new(1)].supporting_groups[0].types = vec![HoldType::LoadBearing, HoldType::Pendent];
    // Permission for feet does not extend to hands.
    case.table().modes[ModeId::new(1)].supporting_groups[1].types = HoldType::ALL.to_vec();
    assert_eq!(case.fails("holds", "`right_hand` on hold `wall 1`, which is hybrid, in mode `climbing`"), 1.0);
}

#[test]
fn holds_fails_when_the_effector_does_not_carry_in_the_mode() {
    let mut case = reach();
    case.spans(&[(30, WALKING)]);
    // The goal's mode is climbing, so the contact belongs to the transition.
    case.passes();
    case.problem.goal.mode_name = WALKING.to_owned();
    case.fails("holds", "`right_hand` on hold `wall 1`, which is hybrid, in mode `walking`");
    // Flight has no supporting groups.
    case.spans(&[(20, WALKING), (30, FLYING_MODE)]);
    case.fails("holds", "in mode `flying`");
    case.problem.modes = None;
    case.spans(&[(30, FLYING_MODE)]);
    assert_eq!(case.fails("holds", "in mode `flying`"), 3.0);
}

#[test]
fn a_contact_may_be_shared_by_two_adjacent_modes() {
    // A contact made before the next mode begins and kept in it.
    let mut case = reach();
    case.spans(&[(25, WALKING), (30, CLIMBING)]);
    case.passes();
    // A contact made in the previous mode and released in a mode that does not allow it.
    let mut case = reach();
    case.table().modes[ModeId::new(1)].supporting_groups.remove(1);
    case.passes();
    // A contact made in that mode is not shared, although it touches the previous one.
    case.motion.contacts[1].last_frame = 20;
    case.motion.contacts.push(ContactSpan { first_frame: 20, last_frame: 30, ..case.motion.contacts[1] });
    case.problem.goal.mode_name = CLIMBING.to_owned();
    case.fails("holds", "`right_foot` on hold `ground 1`, which is load-bearing, in mode `climbing`");
    // Sharing with the mode before the previous one is not enough.
    let mut case = reach();
    case.table().modes[ModeId::new(1)].supporting_groups.remove(1);
    case.spans(&[(20, WALKING), (25, CLIMBING), (30, CLIMBING)]);
    assert_eq!(case.fails("holds", "_foot` on hold `ground 1`, which is load-bearing, in mode `climbing`"), 2.0);
}

#[test]
fn a_turn_keeps_contacts_of_adjacent_modes_and_makes_none() {
    let mut case = turn();
    let whole = case.motion.contacts[0];
    case.motion.contacts = [(0, 20), (20, 40), (40, 60)]
        .map(|(first, last)| ContactSpan { first_frame: first, last_frame: last, ..whole })
        .into();
    case.fails("holds", "in mode `turning`");
}

#[test]
fn holds_fails_when_an_effector_has_two_contacts() {
    let mut case = walk();
    let whole = case.motion.contacts[1];
    case.motion.contacts[1].last_frame = 20;
    case.motion.contacts.push(ContactSpan { first_frame: 20, ..whole });
    case.passes();
    case.motion.contacts[1].last_frame = 21;
    assert_eq!(case.fails("holds", "`right_foot` on hold `ground 1`, while it is on another hold"), 1.0);
}

// Pinned and forbidden holds ---------------------------------------------------------------------------------------

#[test]
fn pins_fails_when_a_pinned_hold_is_not_used() {
    let effector = |case: &Case, name: &str| case.problem.character.find_effector(name);
    let mut case = walk();
    assert!(case.report().property("pins").is_none());
    // The ground is one surface: any foot, this foot, this foot at this point.
    let right = effector(&case, "right_foot");
    let held = [
        Pin { effector: None, hold: HoldId::new(0), point: None },
        Pin { effector: right, hold: HoldId::new(0), point: None },
        Pin { effector: right, hold: HoldId::new(0), point: Some(ground(0.75)) },
    ];
    case.problem.pins = held.to_vec();
    case.passes();
    assert!(case.report().property("pins").is_some());
    case.problem.pins.push(Pin { point: Some(ground(0.45)), ..held[2] });
    let place = "hold `ground 1` at (0.450, 0.000, 0.000), pinned for effector `right_foot`, is never held; closest approach 0.1";
    assert_eq!(case.fails("pins", place), 1.0);
    // The foot passes there between frames 40 and 60.
    let time = case.report().property("pins").unwrap().time;
    assert!((40.0 / 30.0..60.0 / 30.0).contains(&time), "{time}");
    let hand = effector(&case, "right_hand");
    case.problem.pins = vec![Pin { effector: hand, ..held[0] }, Pin { hold: HoldId::new(1), ..held[0] }];
    assert_eq!(case.fails("pins", "hold `ground 1`, pinned for effector `right_hand`, is never held"), 2.0);
}

#[test]
fn forbidden_fails_when_a_contact_is_on_a_forbidden_hold() {
    let mut case = reach();
    assert!(case.report().property("forbidden").is_none());
    let wall = case.motion.contacts[2].contact.hold;
    case.problem.forbidden_holds = case.problem.world.holds.keys().filter(|&hold| hold > wall).collect();
    case.passes();
    case.problem.forbidden_holds = vec![wall];
    assert_eq!(case.fails("forbidden", "effector `right_hand` on hold `wall 1`, which is forbidden"), 1.0);
    assert_eq!(case.report().property("forbidden").unwrap().time, case.motion.frames[20].time);
    case.problem.forbidden_holds = vec![HoldId::new(0), wall];
    assert_eq!(case.fails("forbidden", "effector `left_foot` on hold `ground 1`"), 3.0);
}

// Support ---------------------------------------------------------------------------------------------------------

#[test]
fn support_fails_without_contacts_for_one_interval() {
    let mut case = walk();
    // The right foot touches down in the frame in which the left one leaves.
    case.motion.contacts[1].first_frame = 10;
    case.passes();
    // One frame later, the interval between the two frames has no contact.
    case.motion.contacts[1].first_frame = 11;
    assert_eq!(case.fails("support", "0 contacts where 1 are needed, after frame 10"), 1.0);
    case.motion.contacts[1].first_frame = 12;
    assert_eq!(case.fails("support", "after frame 10"), 3.0);
    // The same foot at the same point, with a gap between two frames.
    let mut case = walk();
    let whole = case.motion.contacts[1];
    case.motion.contacts[1].last_frame = 20;
    case.motion.contacts.push(ContactSpan { first_frame: 21, ..whole });
    assert_eq!(case.fails("support", "after frame 20"), 1.0);
}

#[test]
fn support_fails_below_the_modes_least_contacts() {
    let mut case = walk();
    case.table().modes.raw[0].least_contacts = 2;
    // Twice 19 frames and the 20 intervals around them.
    assert_eq!(case.fails("support", "1 contacts where 2 are needed, after frame 10"), 78.0);
    // An effector counts once, however often it is listed.
    let mut case = walk();
    case.table().modes.raw[0].least_contacts = 2;
    let whole = case.motion.contacts[1];
    case.motion.contacts[1].last_frame = 20;
    case.motion.contacts.push(ContactSpan { first_frame: 20, ..whole });
    assert_eq!(case.fails("support", "after frame 10"), 78.0);
    // A mode without supporting groups needs none.
    let mut case = walk();
    case.motion.contacts.clear();
    case.table().modes.raw[0].supporting_groups.clear();
    case.passes();
}

#[test]
fn modes_without_carriers_need_no_contacts() {
    let mut case = walk();
    case.motion.contacts[1].last_frame = 10;
    case.motion.contacts[2].first_frame = 50;
    case.spans(&[(10, WALKING), (50, FLYING_MODE), (60, WALKING)]);
    case.passes();
    case.spans(&[(10, WALKING), (49, FLYING_MODE), (60, WALKING)]);
    assert_eq!(case.fails("support", "at frame 49"), 2.0);
    case.spans(&[(11, WALKING), (50, FLYING_MODE), (60, WALKING)]);
    assert_eq!(case.fails("support", "after frame 10"), 2.0);
    case.spans(&[(60, WALKING)]);
    assert_eq!(case.fails("support", "after frame 10"), 79.0);
}

#[test]
fn support_fails_when_a_turn_has_no_contact() {
    let mut case = turn();
    let whole = case.motion.contacts[0];
    case.motion.contacts[0].last_frame = 30;
    case.motion.contacts.push(ContactSpan { first_frame: 31, ..whole });
    assert_eq!(case.fails("support", "after frame 30"), 1.0);
}

// Balance ---------------------------------------------------------------------------------------------------------

#[test]
fn balance_fails_when_a_foot_is_released_out_of_balance() {
    let mut case = walk_ahead(0.14);
    let beyond = case.fails("balance", "releasing effector `");
    assert!(beyond > 0.03 && beyond < 0.09, "{beyond}");
    // As far out as the mode allows.
    case.table().modes.raw[0].balance = Some(Balance { group: GroupId::new(1), within: 0.02 + beyond + 1e-4 });
    case.passes();
    case.table().modes.raw[0].balance = Some(Balance { group: GroupId::new(1), within: 0.02 + beyond - 1e-4 });
    case.fails("balance", "releasing effector `");
    // A mode that does not ask for balance.
    case.table().modes.raw[0].balance = None;
    case.passes();
}

#[test]
fn balance_fails_also_when_the_mode_is_split_into_spans() {
    // The contact released out of balance in frame 40 was made in the first span.
    let mut case = walk_ahead(0.14);
    case.motion.contacts.remove(0);
    let cuts: [&[(usize, &str)]; 3] =
        [&[(60, WALKING)], &[(20, WALKING), (60, WALKING)], &[(20, WALKING), (20, CLIMBING), (60, WALKING)]];
    for cut in cuts {
        case.spans(cut);
        case.fails("balance", "releasing effector `right_foot`");
    }
    case.spans(&[(20, WALKING), (25, TURNING_MODE), (60, WALKING)]);
    case.fails("facing balance", "a turn by 0.0 degrees");
    case.spans(&[(20, WALKING), (25, CLIMBING), (60, WALKING)]);
    case.passes();
}

#[test]
fn a_transition_into_a_mode_may_begin_unbalanced() {
    let mut case = walk_ahead(0.14);
    // Both released contacts were made before walking began.
    case.spans(&[(5, CLIMBING), (60, WALKING)]);
    case.passes();
    // The right foot's contact, now made while walking, is released in frame 40.
    case.motion.contacts[1].first_frame = 8;
    case.fails("balance", "releasing effector `right_foot` on hold `ground 1`");
    let time = case.report().property("balance").unwrap().time;
    assert!((time - 40.0 / 30.0).abs() < 1e-4, "{time}");
    // A release in the frame in which another mode begins belongs to the transition.
    case.spans(&[(5, CLIMBING), (40, WALKING), (60, CLIMBING)]);
    case.passes();
}

#[test]
fn a_contact_split_into_two_spans_is_not_released() {
    let mut case = walk_ahead(0.14);
    case.motion.contacts.clear();
    // Walking has one foot at a time, on one point.
    case.touch(0, 5, "left_foot", ground(-0.15));
    case.touch(5, 10, "left_foot", ground(-0.15));
    case.touch(10, 20, "right_foot", ground(0.15));
    case.touch(20, 30, "right_foot", ground(0.15));
    case.touch(30, 60, "left_foot", ground(0.45));
    case.spans(&[(10, WALKING), (30, CLIMBING), (60, WALKING)]);
    case.passes();
}

#[test]
fn balance_counts_releases_at_the_goal() {
    let mut case = walk_ahead(-0.26);
    case.passes();
    // The goal stands on the right foot only, so the left one is released in the last frame.
    case.problem.goal.stance.remove(0);
    case.fails("balance", "releasing effector `left_foot` on hold `ground 1`");
    let mut balanced = walk();
    balanced.problem.goal.stance.remove(0);
    balanced.passes();
}

// Plane -----------------------------------------------------------------------------------------------------------

#[test]
fn plane_fails_when_a_turn_tilts() {
    let case = |tilt: f32| {
        let mut case = turn();
        let foot = Vec3::new(0.15, FOOT, 0.0);
        let configuration = &mut case.motion.frames[30].configuration;
        let forward = configuration.root.rotation * Vec3::X;
        turn_about(configuration, foot, forward, tilt);
        case
    };
    case(0.0005).passes();
    let height = case(0.02).fails("plane", "trunk");
    assert!((height - 0.02 * figure().body_size()).abs() < 1e-3, "{height}");
}

#[test]
fn plane_fails_outside_of_turns() {
    let mut case = turn();
    case.spans(&[(60, WALKING)]);
    case.fails("plane facing", "trunk");
    // A turn begins and ends in the plane.
    for (first, last) in [(11, 50), (10, 49)] {
        let mut case = turn();
        case.spans(&[(first, WALKING), (last, TURNING_MODE), (60, WALKING)]);
        case.fails("plane facing", "trunk");
    }
    // Also at the ends of the motion.
    for frames in [0..41, 20..61] {
        let mut case = turn();
        let configurations = case.motion.frames[frames].iter().map(|frame| frame.configuration.clone()).collect();
        case.motion = Motion::from_configurations(&figure().name, TURNING_MODE, configurations, 30.0);
        let last = case.motion.frames.len() - 1;
        case.touch(0, last, "right_foot", ground(0.15));
        let mut case = case.settle();
        // It is a turn between walks.
        case.problem.start.mode_name = WALKING.to_owned();
        case.fails("plane facing", "trunk");
    }
}

#[test]
fn plane_fails_between_frames_that_face_opposite_directions() {
    let mut case = turn();
    case.motion.frames.drain(11..50);
    let configurations = case.motion.frames.into_iter().map(|frame| frame.configuration).collect();
    case.motion = Motion::from_configurations(&figure().name, FLYING_MODE, configurations, 30.0);
    (case.problem.start.stance, case.problem.goal.stance) = (Vec::new(), Vec::new());
    let mut settings = CheckSettings::default();
    settings.max_point_speed = 1e4;
    let report = check_motion(&case.problem, &case.motion, &settings);
    let failed: Vec<&str> = report.properties.iter().filter(|found| !found.passed).map(|f| f.property).collect();
    assert_eq!(failed, ["plane", "facing"], "{report}");
}

// Passages --------------------------------------------------------------------------------------------------------

fn passage(name: &str, configurations: Vec<Configuration>) -> Passage {
    Passage {
        name: name.to_owned(),
        motion: Motion::from_configurations(&figure().name, FLYING_MODE, configurations, 7.0),
    }
}

/// A walk with some of its own frames as passages.
fn walk_through(passages: &[(&str, &[usize])]) -> Case {
    let mut case = walk();
    let frames = &case.motion.frames;
    let configurations = |indices: &[usize]| indices.iter().map(|i| frames[*i].configuration.clone()).collect();
    case.problem.passages = passages.iter().map(|(name, indices)| passage(name, configurations(indices))).collect();
    case
}

#[test]
fn motions_through_all_passages_pass() {
    // Consecutive, with a shared frame, with frames between, and at the ends.
    let case = walk_through(&[("start", &[0]), ("step", &[12, 13, 14, 18]), ("stand", &[18]), ("goal", &[59, 60])]);
    case.passes();
    assert_eq!(case.report().property("passages").unwrap().worst, 0.0);
    assert!(walk().report().property("passages").is_none());
}

#[test]
fn passages_fails_and_names_the_missing_passage() {
    let mut case = walk_through(&[("step", &[12, 13, 14]), ("wave", &[20, 21, 22]), ("stand", &[35])]);
    let shoulder = case.problem.character.find_hinge("left_shoulder").unwrap();
    case.problem.passages[1].motion.frames[1].configuration.angles[shoulder] += 1.0;
    let miss = case.fails("passages", "frame 1 of passage `wave`");
    assert!(miss > 0.3 && miss < 0.7, "{miss}");
}

#[test]
fn passages_fails_when_the_order_differs() {
    let case = walk_through(&[("later", &[20]), ("earlier", &[10])]);
    case.fails("passages", "passage `earlier`");
    let case = walk_through(&[("back", &[20, 19])]);
    case.fails("passages", "frame 1 of passage `back`");
}

#[test]
fn passages_tolerates_one_millimeter() {
    let mut case = walk_through(&[("stand", &[35])]);
    case.problem.passages[0].motion.frames[0].configuration.root.translation.y += 0.0008;
    case.passes();
    case.problem.passages[0].motion.frames[0].configuration.root.translation.y += 0.0012;
    let miss = case.fails("passages", "frame 0 of passage `stand`");
    assert!((miss - 0.002).abs() < 1e-4, "{miss}");
}

// Form ------------------------------------------------------------------------------------------------------------

#[test]
fn form_fails_for_malformed_contacts_and_unknown_modes() {
    type Break = fn(&mut Case);
    let breaks: [(Break, &str); 8] = [
        (|case| case.motion.contacts[1].first_frame = 41, "contact 1 lasts from frame 41 to 40"),
        (|case| case.motion.contacts[3].last_frame = 61, "contact 3 lasts from frame 60 to 61"),
        (|case| case.motion.contacts[0].contact.effector = EffectorId::new(6), "effector 6"),
        (|case| case.motion.contacts[0].contact.hold = HoldId::new(3), "hold 3"),
        (|case| case.motion.contacts[0].contact.point.x = f32::NAN, "contact 0 has a point or normal that is not"),
        (|case| case.motion.contacts[0].contact.normal.x = f32::INFINITY, "contact 0 has a point or normal"),
        (|case| case.motion.mode_spans[0].mode = "hopping".to_owned(), "mode `hopping`"),
        (|case| case.problem.modes = None, "mode `walking`"),
    ];
    for (change, place) in breaks {
        let mut case = walk();
        change(&mut case);
        assert_eq!(case.fails("form", place), 1.0);
        assert_eq!(case.report().properties.len(), 1);
    }
}

#[test]
fn the_report_names_the_first_of_several_violations() {
    let mut case = walk();
    case.motion.contacts[0].contact.hold = HoldId::new(3);
    case.motion.contacts[1].contact.hold = HoldId::new(9);
    assert_eq!(case.fails("form", "contact 0"), 2.0);
}
