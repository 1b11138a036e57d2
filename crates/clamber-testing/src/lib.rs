//! What the tests of several modules are made of: shipped characters, and a small world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_io::{parse_character, parse_modes};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::{Workspace, effector_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::problem::Posture;
use clamber_model::world::{FieldSettings, Hold, HoldShape, HoldType, Obstacle};
use clamber_model::{Character, Configuration, Contact, ModeTable, Problem, World};

fn characters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../characters")
}

/// A shipped character.
pub fn character(name: &str) -> Character {
    let file = characters().join(format!("{name}.toml"));
    parse_character(&file, &std::fs::read(&file).expect("it is shipped")).expect("shipped characters are good")
}

/// The figure's mode table.
pub fn table(figure: &Character) -> ModeTable {
    table_of("figure", figure)
}

/// The mode table of a shipped character.
pub fn table_of(name: &str, character: &Character) -> ModeTable {
    let file = characters().join(format!("{name}.modes.toml"));
    let bytes = std::fs::read(&file).expect("it is shipped");
    parse_modes(&file, &bytes, character, Path::new("it.toml")).expect("shipped tables are good")
}

/// A hold at a point.
pub fn hold(name: &str, at: [f32; 2], normal: Vec3, hold_type: HoldType) -> Hold {
    let shape = HoldShape::Point(Vec3::new(at[0], at[1], 0.0));
    Hold { name: name.to_owned(), hold_type, normal, shape }
}

/// The figure on level ground from x = -4 to x = 4 with these holds, standing at x = 0. The goal is to stand at x = 3.
pub fn on_ground(holds: Vec<Hold>) -> Problem {
    let ground = Obstacle::polygon("ground", &[[-5.0, -1.0], [5.0, -1.0], [5.0, 0.0], [-5.0, 0.0]], -1.0, 1.0);
    let (min, max) = (Vec3::new(-4.0, -0.2, 0.0), Vec3::new(4.0, 3.0, 0.0));
    let world = World::new(vec![ground.expect("a box")], min, max, &FieldSettings::default()).with_holds(holds);
    let figure = character("figure");
    let at = |x: f32| Posture::flying(standing(&figure, x));
    Problem {
        name: "on the ground".to_owned(),
        world: Arc::new(world),
        modes: Some(Arc::new(table(&figure))),
        start: at(0.0),
        passages: Vec::new(),
        goal: at(3.0),
        pins: Vec::new(),
        forbidden: Vec::new(),
        character: Arc::new(figure),
    }
}

/// The figure with the angles of rest, its feet on the ground side by side.
pub fn standing(figure: &Character, x: f32) -> Configuration {
    let mut configuration = Configuration::rest(figure);
    configuration.root.translation.x = x;
    let foot = figure.effector("left_foot").expect("it has feet");
    let sole = place(figure, &configuration, foot).y - figure.effectors[foot].radius;
    configuration.root.translation.y -= sole;
    configuration
}

/// Where an effector's centre is.
pub fn place(character: &Character, configuration: &Configuration, effector: EffectorId) -> Vec3 {
    let mut frames = Workspace::default();
    forward(character, configuration, &mut frames);
    effector_in_world(character, &frames, effector)
}

/// A contact of an effector on level ground right where it is.
pub fn touching(character: &Character, configuration: &Configuration, effector: &str) -> Contact {
    let effector = character.effector(effector).expect("a name of the character's");
    let point = place(character, configuration, effector) - Vec3::Y * character.effectors[effector].radius;
    Contact { effector, hold: HoldId::new(0), point, normal: Vec3::Y }
}

/// The farthest that a contact's effector is from where the contact keeps it, in metres.
pub fn slip(character: &Character, configuration: &Configuration, stance: &[Contact]) -> f32 {
    let slip =
        |contact: &Contact| (place(character, configuration, contact.effector) - contact.center(character)).length();
    stance.iter().map(slip).fold(0.0, f32::max)
}
