//! Mode tables: one with every keyword, the shipped one, and the example in the documentation.

mod shipped;

use std::f32::consts::FRAC_PI_4;
use std::path::{Path, PathBuf};

use clamber_io::{parse_character, parse_modes};
use clamber_model::ModeTable;
use clamber_model::character::Landmark;
use clamber_model::id::LimbId;
use clamber_model::mode_table::{
    Balance, BodyLine, Condition, Effect, EffectorGroup, MaxSeparation, MinSeparation, Mode, PostureHeuristic,
    SupportingGroup, WalkingGait,
};
use clamber_model::world::HoldType::{Hybrid, LoadBearing, Pendent};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table(file: &Path) -> ModeTable {
    let bytes = std::fs::read(file).unwrap();
    parse_modes(file, &bytes, &shipped::character("figure"), Path::new("figure.toml"))
        .unwrap_or_else(|error| panic!("{error} | {:?}", error.help))
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A fixture that tuning does not change, in version 2.
fn words() -> ModeTable {
    table(&fixture("words.modes.toml"))
}

/// The arms and the legs of the figure.
fn arms_and_legs() -> [Vec<LimbId>; 2] {
    let figure = shipped::character("figure");
    [["left_arm", "right_arm"], ["left_leg", "right_leg"]]
        .map(|names| names.map(|name| figure.limbs.position(|limb| limb.name == name).unwrap()).to_vec())
}

/// The joint of the figure's head, and the middle of its hip joints.
fn head_and_hip() -> [Landmark; 2] {
    let [_, legs] = arms_and_legs();
    let head = shipped::character("figure").find_link("head").unwrap();
    [Landmark::Joint(head), Landmark::MeanOfFirstJoints(legs)]
}

fn spine() -> BodyLine {
    let [head, hip] = head_and_hip();
    BodyLine { from: hip, to: head }
}

/// The heuristics that the fixture defines.
fn heuristic(name: &str) -> PostureHeuristic {
    let [arms, legs] = arms_and_legs();
    let [head, hip] = head_and_hip();
    match name {
        "balance" => PostureHeuristic::Balance,
        "head-up" => PostureHeuristic::AlignedWithParent(shipped::character("figure").find_link("head").unwrap()),
        "comfy-limbs" => PostureHeuristic::BendsNearRest([arms, legs].concat()),
        "upright-spine" => PostureHeuristic::Upright { line: spine(), backward: 3.0 },
        "limb-counter-balance" => PostureHeuristic::OppositeSwing { limbs: arms, against: legs },
        "hang-down" => {
            PostureHeuristic::HangDown { holding: arms, below_holding: head, hanging: legs, above_hanging: hip }
        }
        "knees-down" => PostureHeuristic::LevelTips(legs),
        name => panic!("{name}"),
    }
}

#[test]
fn the_shipped_table_has_the_published_modes_and_edges_between_them() {
    let table = table(&repository().join("characters/figure.modes.toml"));
    let names: Vec<&str> = table.modes.iter().map(|mode| mode.name.as_str()).collect();
    assert_eq!(names, ["walking", "climbing", "swinging", "crawling", "sliding"]);
    // Each mode has a step within it, and each but the last, which is for passages, has edges to and from it.
    for (mode, Mode { name, .. }) in table.modes.iter_enumerated().take(4) {
        assert!(table.edges.iter().any(|edge| (edge.from, edge.to) == (mode, mode)), "{name}");
        assert!(table.edges.iter().any(|edge| edge.from != mode && edge.to == mode), "{name}");
        assert!(table.edges.iter().any(|edge| edge.from == mode && edge.to != mode), "{name}");
    }
    assert!(table.edges.iter().all(|edge| edge.from.index() < 4 && edge.to.index() < 4));
}

#[test]
fn names_become_indices_into_the_character_and_the_table() {
    let (table, figure) = (words(), shipped::character("figure"));
    let link = |name: &str| figure.links.position(|link| link.name == name).unwrap();
    let effector = |name: &str| figure.effectors.position(|effector| effector.name == name).unwrap();
    assert_eq!(table.trunk_link, link("trunk"));
    assert_eq!(table.span_limbs, arms_and_legs());
    let group =
        |name: &str, of: [&str; 2]| EffectorGroup { name: name.to_owned(), effectors: of.map(effector).to_vec() };
    // In file order, not alphabetical.
    assert_eq!(
        table.effector_groups.raw,
        [group("hands", ["left_hand", "right_hand"]), group("feet", ["left_foot", "right_foot"])]
    );
}

#[test]
fn modes_are_read_and_missing_keys_get_defaults() {
    let table = words();
    let weighted = |name: &str, weight: f32| (heuristic(name), weight);
    let [hands, feet] = ["hands", "feet"].map(|name| table.find_effector_group(name).unwrap());
    let [walking, climbing, crawling, sliding] =
        ["walking", "climbing", "crawling", "sliding"].map(|name| &table.modes[table.find_mode(name).unwrap()]);
    assert_eq!(walking.supporting_groups, [SupportingGroup { group: feet, types: vec![LoadBearing] }]);
    assert_eq!((walking.least_contacts, walking.acceptable_discomfort), (1, 1.25));
    assert_eq!(walking.balance, Some(Balance { group: feet, within: 0.03 }));
    assert_eq!(
        walking.posture_heuristics,
        [
            weighted("balance", 1.0),
            weighted("upright-spine", 2.0),
            weighted("limb-counter-balance", 0.5),
            weighted("comfy-limbs", 3.0),
            weighted("head-up", 0.0)
        ]
    );
    let of_hands = SupportingGroup { group: hands, types: vec![LoadBearing, Pendent, Hybrid] };
    assert_eq!(
        climbing.supporting_groups,
        [of_hands, SupportingGroup { group: feet, types: vec![LoadBearing, Hybrid] }]
    );
    let [arms, _] = arms_and_legs();
    let head = shipped::character("figure").find_link("head").unwrap();
    assert_eq!(walking.walking_gait, Some(WalkingGait { swinging_limbs: arms, level_links: vec![head] }));
    assert_eq!(climbing.walking_gait, None);
    assert_eq!((climbing.balance, climbing.least_contacts, climbing.acceptable_discomfort), (None, 1, 1.7));
    assert_eq!(climbing.posture_heuristics, [weighted("knees-down", 1.0), weighted("hang-down", 1.0)]);
    assert_eq!((crawling.least_contacts, crawling.acceptable_discomfort), (3, 1.25));
    assert_eq!((sliding.supporting_groups.len(), sliding.least_contacts, sliding.acceptable_discomfort), (0, 0, 1.25));
    assert_eq!(sliding.posture_heuristics, []);
}

#[test]
fn edges_keep_their_order_and_all_keys() {
    let table = words();
    let [hands, feet] = ["hands", "feet"].map(|name| table.find_effector_group(name).unwrap());
    let mode = |name: &str| table.find_mode(name).unwrap();
    let edge = |name: &str| table.edges.iter().find(|edge| edge.name == name).unwrap();
    let names: Vec<&str> = table.edges.iter().map(|edge| edge.name.as_str()).collect();
    assert_eq!(names, ["turn", "step", "down", "to the wall", "up", "crawl"]);

    let turn = edge("turn");
    assert_eq!((turn.from, turn.to), (mode("walking"), mode("walking")));
    assert_eq!(turn.preconditions, [Condition::RouteIsBehind(0.7)]);
    assert_eq!((turn.effects.as_slice(), turn.holds_to_take.len()), ([Effect::TurnAround].as_slice(), 0));

    let step = edge("step");
    assert_eq!(step.holds_to_take.len(), 1);
    let take = &step.holds_to_take[0];
    assert_eq!(
        (take.groups.as_slice(), take.types.as_slice(), take.must_pass_siblings),
        ([feet].as_slice(), [LoadBearing].as_slice(), true)
    );
    assert_eq!(
        (take.min_separations.as_slice(), take.held_before_retracing_by),
        ([MinSeparation { from_group: feet, by: 0.21 }].as_slice(), None)
    );
    assert_eq!((&take.above_landmark, &take.below_landmark), (&None, &None));
    assert_eq!(step.effects, [Effect::Attach, Effect::CorrectPosture(mode("walking")), Effect::Detach(feet)]);
    let balance = Condition::CenterBetween(Balance { group: feet, within: 0.04 });
    assert_eq!(step.postconditions, [balance, Condition::Upright { line: spine(), max_lean: FRAC_PI_4 }]);

    let down = edge("down");
    let failed = table.edges.position(|edge| edge.name == "step").unwrap();
    assert_eq!((down.from, down.to), (mode("walking"), mode("crawling")));
    assert_eq!(down.preconditions, [Condition::EdgeFailed { edge: failed, times: 5 }]);
    assert_eq!(
        (down.holds_to_take[0].held_before_retracing_by, down.holds_to_take[0].must_pass_siblings),
        (Some(feet), false)
    );
    assert_eq!(down.effects, [Effect::RetracePath(feet), Effect::WanderIntoReach, Effect::Attach]);
    assert_eq!(down.postconditions, []);

    let wall = edge("to the wall");
    let [head, hip] = head_and_hip();
    let is_higher = Condition::Higher { landmark: head.clone(), than: hip.clone() };
    assert_eq!(wall.preconditions, [Condition::NoProgress(41), is_higher, Condition::RouteGoesDown(0.8)]);
    assert_eq!((&wall.holds_to_take[0].above_landmark, &wall.holds_to_take[0].below_landmark), (&Some(head), &None));
    // A set, whatever its order in the file.
    assert_eq!(wall.holds_to_take[0].types, [Pendent, Hybrid]);
    assert_eq!(
        (&wall.holds_to_take[1].above_landmark, &wall.holds_to_take[1].below_landmark),
        (&None, &Some(hip.clone()))
    );
    assert_eq!(wall.holds_to_take[1].max_separations, [MaxSeparation { to_group: hands, by: 1.2 }]);
    assert_eq!(
        wall.holds_to_take[1].min_separations,
        [MinSeparation { from_group: hands, by: 0.4 }, MinSeparation { from_group: feet, by: 0.1 }]
    );

    let up = edge("up");
    let holds_on = Condition::AnyContactOnType(LoadBearing);
    let [_, legs] = arms_and_legs();
    let has_room = Condition::RoomToStand { on: legs, or_at: hip };
    assert_eq!(
        up.preconditions,
        [Condition::AdvancedSinceModeBegan(1.1), Condition::AllInContact(feet), holds_on, has_room]
    );
    assert_eq!(up.effects, [Effect::Detach(hands), Effect::DetachRear(feet)]);
    let stretched = Effect::DetachRearBySpan { span_fraction: 0.6, if_stretched: feet, if_bent: hands };
    assert_eq!(edge("crawl").effects, [Effect::Attach, stretched]);
    assert_eq!(edge("crawl").holds_to_take[0].groups, [hands, feet]);
}

#[test]
fn the_feet_of_a_tripod_take_holds_together() {
    let insect = shipped::character("insect");
    let file = repository().join("characters/insect.modes.toml");
    let table = parse_modes(&file, &std::fs::read(&file).unwrap(), &insect, Path::new("insect.toml")).unwrap();
    let take = |name: &str| {
        let edge = table.edges.iter().find(|edge| edge.name == name).unwrap();
        assert_eq!(edge.holds_to_take.len(), 1);
        edge.holds_to_take[0].clone()
    };
    let [step, foot] = [take("step"), take("put a foot down")];
    assert_eq!((step.together, foot.together), (true, false));
    let tripods = ["tripod_a", "tripod_b"].map(|name| table.find_effector_group(name).unwrap());
    assert_eq!(step.groups, tripods);
    // A tripod is complete when its last foot is in contact; a single foot is complete by itself.
    let [first, second, third] = table.effector_groups[tripods[0]].effectors[..] else { panic!("three feet") };
    assert!(!table.completes_take(&step, first, |other| other == second));
    assert!(table.completes_take(&step, third, |other| [first, second].contains(&other)));
    assert!(table.completes_take(&foot, first, |_| false));
}

#[test]
fn modes_have_speeds_and_steps_stretch_a_leg() {
    let table = table(&repository().join("characters/figure.modes.toml"));
    let speed = |name: &str| table.modes[table.find_mode(name).unwrap()].speed;
    assert_eq!(["walking", "crawling", "swinging"].map(speed), [Some(1.3), Some(0.5), None]);
    let step = table.edges.iter().find(|edge| edge.name == "step").unwrap();
    let [_, legs] = arms_and_legs();
    assert!(step.postconditions.contains(&Condition::Stretched { limbs: legs, share: 0.6 }));
    let larger = table.scaled(4.0).unwrap();
    assert_eq!(larger.modes[larger.find_mode("crawling").unwrap()].speed, Some(1.0));
}

/// Files of version 1 name the parts of the body in the mode table, those of version 2 in the character. The model is the same.
#[test]
fn both_versions_of_a_table_give_the_same_data() {
    assert_eq!(table(&fixture("version-1/words.modes.toml")), words());
    let characters = repository().join("characters");
    for (name, new_tables) in [("figure", characters.clone()), ("human", fixture("version-2"))] {
        let [mut old, mut new] =
            [[fixture("version-1"), fixture("version-1")], [characters.clone(), new_tables]].map(|[folder, tables]| {
                let (file, modes) = (folder.join(format!("{name}.toml")), tables.join(format!("{name}.modes.toml")));
                let character = parse_character(&file, &std::fs::read(&file).unwrap()).unwrap();
                parse_modes(&modes, &std::fs::read(&modes).unwrap(), &character, &file).unwrap()
            });
        // Version 1 stated neither how far the center of mass may be out of equilibrium nor efforts nor speeds. In space, a body that
        // balances may be out as far as the built-in human.
        assert_eq!(old.modes.raw[0].max_center_offset, if name == "human" { 0.27 } else { 0.0 });
        for mode in old.modes.iter_mut().chain(&mut new.modes) {
            (mode.max_center_offset, mode.effort, mode.speed) = (0.0, 0.0, None);
        }
        // Nor did it know equilibrium, for which there are edges now.
        new.edges.retain(|edge| !edge.preconditions.contains(&Condition::EquilibriumRequired));
        for edge in &mut new.edges {
            edge.preconditions.retain(|condition| *condition != Condition::EquilibriumNotRequired);
            edge.postconditions.retain(|condition| !matches!(condition, Condition::Stretched { .. }));
        }
        assert_eq!(old, new, "{name}");
        // A table of version 1 also fits a character of version 2.
        let file = fixture("version-1").join(format!("{name}.modes.toml"));
        let character = shipped::character(name);
        let mut mixed = parse_modes(&file, &std::fs::read(&file).unwrap(), &character, Path::new("it.toml")).unwrap();
        mixed.modes.iter_mut().for_each(|mode| mode.max_center_offset = 0.0);
        assert_eq!(mixed, new, "{name}");
    }
}

/// The documentation shows the fixture.
#[test]
fn the_example_in_the_documentation_is_a_valid_mode_table() {
    let file = fixture("sidling.modes.toml");
    let example = table(&file);
    assert_eq!(example.modes.raw[1].name, "sidling");
    assert_eq!(example.edges.iter().filter(|edge| edge.to.index() == 1).count(), 3);

    let (text, page) = (std::fs::read_to_string(&file).unwrap(), repository().join("docs/files.md"));
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("### Writing a mode").expect("the page has the example");
    let blocks: Vec<&str> = section.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2, "the mode and its edges");
    for block in blocks {
        assert!(text.contains(block), "not in the fixture:\n{block}");
    }
}
