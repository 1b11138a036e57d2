//! Mode tables: the shipped one word by word, and the example of the pages.

mod shipped;

use std::path::{Path, PathBuf};

use clamber_io::parse_modes;
use clamber_model::ModeTable;
use clamber_model::mode::{Apart, Balance, Body, Carrier, Condition, Effect, Group, Heuristic, Mark};
use clamber_model::world::HoldType::{Hybrid, LoadBearing, Pendent};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table(file: &Path) -> ModeTable {
    let bytes = std::fs::read(file).unwrap();
    parse_modes(file, &bytes, &shipped::character("figure"), Path::new("figure.toml"))
        .unwrap_or_else(|error| panic!("{error} | {:?}", error.help))
}

fn of_figure() -> ModeTable {
    table(&repository().join("characters/figure.modes.toml"))
}

#[test]
fn names_become_places_in_the_character_and_the_table() {
    let (table, figure) = (of_figure(), shipped::character("figure"));
    let link = |name: &str| figure.links.iter().position(|link| link.name == name).unwrap();
    let limb = |name: &str| figure.limbs.iter().position(|limb| limb.name == name).unwrap();
    let effector = |name: &str| figure.effectors.iter().position(|effector| effector.name == name).unwrap();
    let body = Body {
        trunk: link("trunk"),
        head: link("head"),
        arms: vec![limb("left_arm"), limb("right_arm")],
        legs: vec![limb("left_leg"), limb("right_leg")],
    };
    assert_eq!(table.body, body);
    let group = |name: &str, of: [&str; 2]| Group { name: name.to_owned(), effectors: of.map(effector).to_vec() };
    // In the order of the file, not of the alphabet.
    assert_eq!(table.groups, [group("hands", ["left_hand", "right_hand"]), group("feet", ["left_foot", "right_foot"])]);
}

#[test]
fn modes_are_as_written_and_what_is_not_written_has_its_default() {
    let table = of_figure();
    let [hands, feet] = ["hands", "feet"].map(|name| table.group(name).unwrap());
    let [walking, climbing, crawling, sliding] =
        ["walking", "climbing", "crawling", "sliding"].map(|name| &table.modes[table.mode(name).unwrap()]);
    assert_eq!(walking.carriers, [Carrier { group: feet, types: vec![LoadBearing] }]);
    assert_eq!((walking.least_contacts, walking.comfort), (1, 1.25));
    assert_eq!(walking.balance, Some(Balance { group: feet, within: 0.02 }));
    let words: Vec<Heuristic> = walking.heuristics.iter().map(|(heuristic, _)| *heuristic).collect();
    assert_eq!(
        words,
        [
            Heuristic::Balance,
            Heuristic::UprightSpine,
            Heuristic::LimbCounterBalance,
            Heuristic::ComfyLimbs,
            Heuristic::HeadUp
        ]
    );
    let of_hands = Carrier { group: hands, types: vec![LoadBearing, Pendent, Hybrid] };
    assert_eq!(climbing.carriers, [of_hands, Carrier { group: feet, types: vec![LoadBearing, Hybrid] }]);
    assert_eq!((climbing.balance, climbing.least_contacts), (None, 1));
    assert_eq!((crawling.least_contacts, crawling.comfort), (2, 1.15));
    assert_eq!((sliding.carriers.len(), sliding.least_contacts, sliding.comfort), (0, 0, 1.25));
    assert_eq!(sliding.heuristics, []);
}

#[test]
fn edges_keep_their_order_and_every_word_of_them() {
    let table = of_figure();
    let [hands, feet] = ["hands", "feet"].map(|name| table.group(name).unwrap());
    let mode = |name: &str| table.mode(name).unwrap();
    let edge = |name: &str| table.edges.iter().find(|edge| edge.name == name).unwrap();
    let names: Vec<&str> = table.edges.iter().map(|edge| edge.name.as_str()).take(4).collect();
    assert_eq!(names, ["turn around", "reach up a wall", "step", "go down on hands and feet"]);

    let turn = edge("turn around");
    assert_eq!((turn.from, turn.to), (mode("walking"), mode("walking")));
    assert_eq!(turn.when, [Condition::WayIsBehind(0.6)]);
    assert_eq!((turn.effects.as_slice(), turn.take.len()), ([Effect::TurnAround].as_slice(), 0));

    let step = edge("step");
    assert_eq!(step.take.len(), 1);
    let take = &step.take[0];
    assert_eq!(
        (take.groups.as_slice(), take.types.as_slice(), take.nearer),
        ([feet].as_slice(), [LoadBearing].as_slice(), true)
    );
    assert_eq!((take.apart.as_slice(), take.left_by), ([Apart { group: feet, by: 0.2 }].as_slice(), None));
    assert_eq!(step.effects, [Effect::Attach, Effect::Correct(mode("walking")), Effect::Detach(feet)]);
    assert_eq!(step.after, [Condition::CenterBetween(Balance { group: feet, within: 0.02 })]);

    let down = edge("go down on hands and feet");
    let failed = table.edges.iter().position(|edge| edge.name == "step").unwrap();
    assert_eq!(down.when, [Condition::Failed { edge: failed, times: 2 }]);
    assert_eq!(down.take[0].left_by, Some(feet));
    assert_eq!(down.effects, [Effect::BackUp(feet), Effect::Wander, Effect::Attach]);

    assert_eq!(edge("reach up a wall").take[0].above, Some(Mark::Head));
    assert_eq!(edge("feet to the wall").take[1].below, Some(Mark::Hip));
    assert_eq!(edge("feet to the wall").when, [Condition::HeadOverHip]);
    assert_eq!(edge("jump to a bar").when, [Condition::NoProgress(40)]);
    assert_eq!(edge("stand up on the edge").when, [Condition::HoldsOn(LoadBearing)]);
    let up = edge("stand up");
    assert_eq!(up.when, [Condition::Advanced(1.0), Condition::AllHold(feet), Condition::RoomToStand]);
    assert_eq!(up.effects[2], Effect::DetachRear(feet));
    let stretched = Effect::DetachStretched { share: 0.65, then: feet, otherwise: hands };
    assert_eq!(edge("crawl").effects[2], stretched);
    assert_eq!(edge("crawl").take[0].groups, [hands, feet]);
}

/// What the pages say is what is read here.
#[test]
fn the_example_of_the_pages_is_a_mode_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sidling.modes.toml");
    let example = table(&file);
    assert_eq!(example.modes[1].name, "sidling");
    assert_eq!(example.edges.iter().filter(|edge| edge.to == 1).count(), 3);

    let (text, page) = (std::fs::read_to_string(&file).unwrap(), repository().join("docs/files.md"));
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("### A mode of your own").expect("the page has the example");
    let blocks: Vec<&str> = section.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2, "the mode and its edges");
    for block in blocks {
        assert!(text.contains(block), "not in the fixture:\n{block}");
    }
}
