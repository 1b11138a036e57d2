//! Bodies that differ from the human: with one arm, tall, small, with a rucksack.
//!
//! Each is a character file and a mode table, and nothing else. They are derived from the text of the human's files, so that they stay
//! what they are called when the human changes. `cargo run -p clamber-testing --example write_bodies` writes them with their scenes.

use std::path::{Path, PathBuf};

use clamber_io::{parse_character, parse_modes};
use clamber_model::{Character, ModeTable};
use toml::{Table, Value};

/// The body heights of the tall and of the small human relative to the human's 1.75 m.
const TALL: f64 = 1.95 / 1.75;
const SMALL: f64 = 1.5 / 1.75;

/// Where the hips of the human are above the ground that it stands on in the scenes, in meters.
const HIP_HEIGHT: f32 = 0.927;

/// The folder of the shipped characters.
pub(crate) fn characters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../characters")
}

/// The files of a body.
pub struct BodyFiles {
    /// The name of the character, and of its files without their endings.
    pub name: &'static str,
    /// The character file.
    pub character: String,
    /// The mode table.
    pub modes: String,
}

impl BodyFiles {
    /// The character.
    pub fn character(&self) -> Character {
        let file = format!("{}.toml", self.name);
        parse_character(Path::new(&file), self.character.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Its mode table.
    pub fn table(&self) -> ModeTable {
        let [file, character] = ["modes.toml", "toml"].map(|ending| format!("{}.{ending}", self.name));
        let table = parse_modes(Path::new(&file), self.modes.as_bytes(), &self.character(), Path::new(&character));
        table.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// All bodies, the human first.
pub fn all() -> Vec<BodyFiles> {
    vec![human(), one_armed(), tall(), small(), with_rucksack()]
}

/// The human itself.
pub fn human() -> BodyFiles {
    let text = |ending: &str| {
        let file = characters().join(format!("human.{ending}"));
        std::fs::read_to_string(file).expect("it is shipped")
    };
    BodyFiles { name: "human", character: text("toml"), modes: text("modes.toml") }
}

/// The human without its left arm, and so without a symmetry.
///
/// Its mode table has no left hand. While its hand moves on a wall, two toes carry it, and while a limb moves on the ground, a hand and a
/// knee do: what these span is a line. So it moves with momentum there, as everybody does who walks, and two contacts are enough to crawl.
pub fn one_armed() -> BodyFiles {
    let human = human();
    let of_arm = ["left_upper_arm", "left_forearm", "left_hand", "left_arm"];
    let is_of_arm = |block: &&str| {
        let named = |key: &str, name: &str| block.lines().any(|line| line.starts_with(&format!("{key} = \"{name}\"")));
        of_arm.iter().any(|name| named("name", name) || named("link", name)) || block.starts_with("[symmetry]")
    };
    let blocks: Vec<&str> = human.character.split("\n\n").filter(|block| !is_of_arm(block)).collect();
    // Without a symmetry, both sides must be stated.
    let thigh = "[\"abdomen\", \"left_thigh\"]";
    let both = format!("{thigh}, {}", thigh.replace("left", "right"));
    let character = blocks.join("\n\n").replace("\"left_arm\", ", "").replace(thigh, &both);

    let is_kept = |block: &&str| !block.contains("with = [\"left_hand\"]");
    let blocks: Vec<&str> = human.modes.split("\n\n").filter(is_kept).collect();
    let of_arm = ["left_shoulder", "left_elbow", "left_forearm", "left_wrist", "left_hand = "];
    let is_kept = |line: &&str| !of_arm.iter().any(|start| line.starts_with(start));
    let modes = blocks.join("\n\n").lines().filter(is_kept).fold(String::new(), |text, line| text + line + "\n");
    let modes = modes
        .replace("\"left_hand\", ", "")
        .replace("center_offset = 0.1\n", "center_offset = 0.27\n")
        .replace(
            "least_contacts = 3\nheuristics = {}\ncenter_offset",
            "least_contacts = 2\nheuristics = {}\ncenter_offset",
        )
        .replace("least_contacts = 3\n", "least_contacts = 2\ncenter_offset = 0.15\n");
    named("human-one-armed", character, modes)
}

/// The human at 1.95 m.
pub fn tall() -> BodyFiles {
    scaled("human-tall", TALL)
}

/// The human at 1.5 m.
pub fn small() -> BodyFiles {
    scaled("human-small", SMALL)
}

/// The human with 12 kg in a rucksack 0.52 m high that reaches 0.34 m behind the spine and is 0.4 m wide. What it leans on with its back
/// is the rucksack.
pub fn with_rucksack() -> BodyFiles {
    let human = human();
    let mut file = table(&human.character);
    let chest = entry(&mut file, "link", "chest");
    let capsules = "all = [
        { from = [-0.22, 0.02, -0.08], to = [-0.22, 0.3, -0.08], radius = 0.12 },
        { from = [-0.22, 0.02, 0.08], to = [-0.22, 0.3, 0.08], radius = 0.12 },
    ]";
    let Value::Array(capsules) = table(capsules).remove("all").expect("it is there") else { unreachable!() };
    chest["capsules"].as_array_mut().expect("a list").extend(capsules);
    let (body, rucksack) = (chest["mass"].as_float().expect("a number"), 12.0);
    let own = chest["center_of_mass"].as_array().expect("a point").clone();
    let center = [-0.22, 0.16, 0.0].into_iter().zip(own);
    let mean = |(of_rucksack, own): (f64, Value)| {
        let own = own.as_float().expect("a number");
        Value::Float((own * body + of_rucksack * rucksack) / (body + rucksack))
    };
    chest["center_of_mass"] = Value::Array(center.map(mean).collect());
    chest["mass"] = Value::Float(body + rucksack);
    let back = entry(&mut file, "effector", "back");
    back["center"] = Value::Array([-0.22, 0.16, 0.0].map(Value::Float).to_vec());
    back["radius"] = Value::Float(0.12);
    named("human-rucksack", file.to_string(), human.modes)
}

/// The human at another size, scaled like [`Character::scaled`]. The mode table stays: its lengths are a human's.
fn scaled(name: &'static str, factor: f64) -> BodyFiles {
    let human = human();
    let mut file = table(&human.character);
    scale_numbers(&mut file, factor);
    named(name, file.to_string(), human.modes)
}

/// Multiplies what is written below these keys: lengths by the factor, masses and forces by its cube, torques by its fourth power.
fn scale_numbers(entries: &mut Table, factor: f64) {
    for (key, value) in entries.iter_mut() {
        match key.as_str() {
            "at" | "center_of_mass" | "from" | "to" | "center" | "radius" | "front" | "back" | "width"
            | "edge_reach" => {
                multiply(value, factor);
            }
            "mass" | "force" => multiply(value, factor * factor * factor),
            "strength" => multiply(value, factor * factor * factor * factor),
            _ => {}
        }
        scale_tables_in(value, factor);
    }
}

fn scale_tables_in(value: &mut Value, factor: f64) {
    match value {
        Value::Table(entries) => scale_numbers(entries, factor),
        Value::Array(items) => items.iter_mut().for_each(|item| scale_tables_in(item, factor)),
        _ => {}
    }
}

fn multiply(value: &mut Value, by: f64) {
    match value {
        Value::Float(number) => *number *= by,
        Value::Integer(number) => *value = Value::Float(*number as f64 * by),
        Value::Array(items) => items.iter_mut().for_each(|item| multiply(item, by)),
        _ => {}
    }
}

fn table(text: &str) -> Table {
    text.parse().expect("a valid file")
}

/// The entry with this name in a list of tables.
fn entry<'a>(file: &'a mut Table, list: &str, name: &str) -> &'a mut Table {
    let entries = file[list].as_array_mut().expect("a list").iter_mut().filter_map(Value::as_table_mut);
    entries.into_iter().find(|entry| entry["name"].as_str() == Some(name)).expect("an entry with this name")
}

/// Files of a character whose name was `human`.
fn named(name: &'static str, character: String, modes: String) -> BodyFiles {
    let character = character.replace("name = \"human\"", &format!("name = \"{name}\""));
    let modes = modes.replace("character = \"human.toml\"", &format!("character = \"{name}.toml\""));
    BodyFiles { name, character, modes }
}

/// A scene of the human, with the name of the character's body in place of the human's: it starts and ends above the same places,
/// found for it by `at`.
pub fn scene_for(scene: &str, body: &BodyFiles) -> String {
    let line = |line: &str| {
        if line.starts_with("contacts = ") {
            return None;
        }
        if line.starts_with("character = ") {
            return Some(format!("character = \"{}.toml\"", body.name));
        }
        let Some(place) = line.strip_prefix("position = [").and_then(|rest| rest.strip_suffix(']')) else {
            return Some(if line.starts_with("name = ") { line.replace("human", body.name) } else { line.to_owned() });
        };
        let place: Vec<f32> = place.split(',').map(|number| number.trim().parse().expect("a number")).collect();
        Some(format!("at = [{}, {}, {}]", place[0], place[1] - HIP_HEIGHT, place[2]))
    };
    scene.lines().filter_map(line).fold(String::new(), |text, line| text + &line + "\n")
}
