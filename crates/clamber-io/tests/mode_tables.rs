//! Mode tables: one with every keyword, the shipped one, and the example in the documentation.

mod shipped;

use std::f32::consts::FRAC_PI_4;
use std::path::{Path, PathBuf};

use clamber_io::parse_modes;
use clamber_model::ModeTable;
use clamber_model::mode_table::{
    Balance, BodyLandmark, BodyRoles, Condition, Effect, EffectorGroup, MaxSeparation, MinSeparation, Mode,
    PostureHeuristic, SupportingGroup,
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

/// A fixture that tuning does not change.
fn words() -> ModeTable {
    table(&fixture("words.modes.toml"))
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
    let limb = |name: &str| figure.limbs.position(|limb| limb.name == name).unwrap();
    let effector = |name: &str| figure.effectors.position(|effector| effector.name == name).unwrap();
    let body = BodyRoles {
        trunk_link: link("trunk"),
        head_link: link("head"),
        arm_limbs: vec![limb("left_arm"), limb("right_arm")],
        leg_limbs: vec![limb("left_leg"), limb("right_leg")],
    };
    assert_eq!(table.body_roles, body);
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
    let [hands, feet] = ["hands", "feet"].map(|name| table.find_effector_group(name).unwrap());
    let [walking, climbing, crawling, sliding] =
        ["walking", "climbing", "crawling", "sliding"].map(|name| &table.modes[table.find_mode(name).unwrap()]);
    assert_eq!(walking.supporting_groups, [SupportingGroup { group: feet, types: vec![LoadBearing] }]);
    assert_eq!((walking.least_contacts, walking.acceptable_discomfort), (1, 1.25));
    assert_eq!(walking.balance, Some(Balance { group: feet, within: 0.03 }));
    assert_eq!(
        walking.posture_heuristics,
        [
            (PostureHeuristic::Balance, 1.0),
            (PostureHeuristic::UprightSpine, 2.0),
            (PostureHeuristic::ArmsSwingOppositeLegs, 0.5),
            (PostureHeuristic::SlightlyBentLimbs, 3.0),
            (PostureHeuristic::HeadAlongSpine, 0.0)
        ]
    );
    let of_hands = SupportingGroup { group: hands, types: vec![LoadBearing, Pendent, Hybrid] };
    assert_eq!(
        climbing.supporting_groups,
        [of_hands, SupportingGroup { group: feet, types: vec![LoadBearing, Hybrid] }]
    );
    assert_eq!((climbing.balance, climbing.least_contacts, climbing.acceptable_discomfort), (None, 1, 1.7));
    assert_eq!(climbing.posture_heuristics, [(PostureHeuristic::LevelShins, 1.0), (PostureHeuristic::HangDown, 1.0)]);
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
    assert_eq!((take.above_landmark, take.below_landmark), (None, None));
    assert_eq!(step.effects, [Effect::Attach, Effect::CorrectPosture(mode("walking")), Effect::Detach(feet)]);
    let balance = Condition::CenterBetween(Balance { group: feet, within: 0.04 });
    assert_eq!(step.postconditions, [balance, Condition::Upright(FRAC_PI_4)]);

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
    assert_eq!(wall.preconditions, [Condition::NoProgress(41), Condition::HeadOverHip, Condition::RouteGoesDown(0.8)]);
    assert_eq!(
        (wall.holds_to_take[0].above_landmark, wall.holds_to_take[0].below_landmark),
        (Some(BodyLandmark::Head), None)
    );
    // A set, whatever its order in the file.
    assert_eq!(wall.holds_to_take[0].types, [Pendent, Hybrid]);
    assert_eq!(
        (wall.holds_to_take[1].above_landmark, wall.holds_to_take[1].below_landmark),
        (None, Some(BodyLandmark::Hip))
    );
    assert_eq!(wall.holds_to_take[1].max_separations, [MaxSeparation { to_group: hands, by: 1.2 }]);
    assert_eq!(
        wall.holds_to_take[1].min_separations,
        [MinSeparation { from_group: hands, by: 0.4 }, MinSeparation { from_group: feet, by: 0.1 }]
    );

    let up = edge("up");
    let holds_on = Condition::AnyContactOnType(LoadBearing);
    assert_eq!(
        up.preconditions,
        [Condition::AdvancedSinceModeBegan(1.1), Condition::AllInContact(feet), holds_on, Condition::RoomToStand]
    );
    assert_eq!(up.effects, [Effect::Detach(hands), Effect::DetachRear(feet)]);
    let stretched = Effect::DetachRearBySpan { span_fraction: 0.6, if_stretched: feet, if_bent: hands };
    assert_eq!(edge("crawl").effects, [Effect::Attach, stretched]);
    assert_eq!(edge("crawl").holds_to_take[0].groups, [hands, feet]);
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
