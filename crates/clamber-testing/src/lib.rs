//! Fixtures for tests: shipped characters, scaled characters and a small world.

pub mod bodies;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_io::{parse_character, parse_modes};
use clamber_model::character::{Capsule, CharacterDescription, ExtremityShape, Landmark};
use clamber_model::id::{EffectorId, HoldId, LimbId};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::{BodyLine, PostureHeuristic};
use clamber_model::problem::Posture;
use clamber_model::world::{DEFAULT_FRICTION, DistanceFieldSettings, Hold, HoldShape, HoldType, Obstacle, Space};
use clamber_model::{Character, Configuration, Contact, ModeTable, Problem, World};

use bodies::characters;

/// A shipped character.
pub fn character(name: &str) -> Character {
    let file = characters().join(format!("{name}.toml"));
    parse_character(&file, &std::fs::read(&file).expect("it is shipped")).expect("shipped characters are valid")
}

/// The human without its left arm, and so without a symmetry.
pub fn one_armed_human() -> Character {
    bodies::one_armed().character()
}

/// The figure with legs that end in their ankles, to which clips add feet. The figure's mode table fits it.
pub fn figure_without_feet() -> Character {
    let file = figure_without_feet_file();
    parse_character(&file, &std::fs::read(&file).expect("it is in the repository")).expect("the fixture is valid")
}

/// The file of [`figure_without_feet`].
pub fn figure_without_feet_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/figure_without_feet.toml")
}

/// The figure's mode table.
pub fn table(figure: &Character) -> ModeTable {
    table_of("figure", figure)
}

/// The mode table of a shipped character.
pub fn table_of(name: &str, character: &Character) -> ModeTable {
    let file = characters().join(format!("{name}.modes.toml"));
    let bytes = std::fs::read(&file).expect("it is shipped");
    // A table names the file of its character. A variant of that character has another name.
    parse_modes(&file, &bytes, character, Path::new(&format!("{name}.toml"))).expect("shipped tables are valid")
}

/// The mode table in a text, for a variant of a shipped character.
pub fn parse_table(text: &str, character: &Character, name: &str) -> ModeTable {
    let file = Path::new("test.modes.toml");
    parse_modes(file, text.as_bytes(), character, Path::new(&format!("{name}.toml"))).expect("the text is valid")
}

/// The limbs of a role.
pub fn limbs(character: &Character, role: &str) -> Vec<LimbId> {
    let role = character.roles.limb_roles.iter().find(|known| known.name == role);
    role.expect("a name of one of its roles").limbs.clone()
}

/// A landmark.
pub fn landmark(character: &Character, name: &str) -> Landmark {
    let landmark = character.roles.landmarks.iter().find(|known| known.name == name);
    landmark.expect("a name of one of its landmarks").landmark.clone()
}

/// The heuristics of the figure and the human, by the names in their mode tables.
pub fn heuristics(character: &Character) -> BTreeMap<&'static str, PostureHeuristic> {
    let [arms, legs] = ["arms", "legs"].map(|role| limbs(character, role));
    let [head, hip] = ["head", "hip"].map(|name| landmark(character, name));
    BTreeMap::from([
        ("head-up", PostureHeuristic::AlignedWithParent(character.find_link("head").expect("it has a head"))),
        ("comfy-limbs", PostureHeuristic::BendsNearRest([&arms[..], &legs].concat())),
        ("balance", PostureHeuristic::Balance),
        (
            "upright-spine",
            PostureHeuristic::Upright { line: BodyLine { from: hip.clone(), to: head.clone() }, backward: 3.0 },
        ),
        ("limb-counter-balance", PostureHeuristic::OppositeSwing { limbs: arms.clone(), against: legs.clone() }),
        ("knees-down", PostureHeuristic::LevelTips(legs.clone())),
        (
            "hang-down",
            PostureHeuristic::HangDown { holding: arms, below_holding: head, hanging: legs, above_hanging: hip },
        ),
    ])
}

/// A character whose lengths are multiplied by `factor` and whose masses are multiplied by its cube.
pub fn scaled(character: &Character, factor: f32) -> Character {
    let mut links = character.links.clone();
    for link in &mut links {
        link.parent_from_joint.translation *= factor;
        link.center_of_mass *= factor;
        link.mass *= factor * factor * factor;
    }
    let capsule = |c: &Capsule| Capsule { a: c.a * factor, b: c.b * factor, radius: c.radius * factor };
    let mut effectors = character.effectors.clone();
    for effector in &mut effectors {
        effector.center *= factor;
        effector.radius *= factor;
        let (ability, force) = (&mut effector.ability, factor * factor * factor);
        ability.max_push *= force;
        if let Some(grip) = &mut ability.grip {
            grip.width *= factor;
            grip.edge_reach = grip.edge_reach.map(|reach| reach * factor);
            grip.max_force *= force;
        }
        if let Some(patch) = &mut ability.patch {
            patch.front *= factor;
            patch.back *= factor;
            patch.width *= factor;
        }
    }
    let mut extremities = character.extremities.clone();
    for extremity in &mut extremities {
        extremity.shape = match extremity.shape {
            ExtremityShape::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness } => {
                ExtremityShape::Foot {
                    ankle_to_heel: heel * factor,
                    ankle_to_ball: ball * factor,
                    toe_length: toes * factor,
                    thickness: thickness * factor,
                }
            }
            ExtremityShape::Hand { palm_length: palm, finger_length: fingers, thickness } => ExtremityShape::Hand {
                palm_length: palm * factor,
                finger_length: fingers * factor,
                thickness: thickness * factor,
            },
        };
    }
    Character::new(CharacterDescription {
        name: character.name.clone(),
        root_joint: character.root_joint,
        root_motion_limits: character.root_motion_limits,
        links,
        hinges: character.hinges.clone(),
        capsules: character.capsules.iter().map(capsule).collect(),
        limbs: character.limbs.clone(),
        effectors,
        extremities,
        roles: character.roles.clone(),
        self_collision: character.self_collision.clone(),
    })
    .expect("a scaled character is as valid as the original")
}

/// A hold at a point.
pub fn hold(name: &str, at: [f32; 2], normal: Vec3, hold_type: HoldType) -> Hold {
    let shape = HoldShape::Point(Vec3::new(at[0], at[1], 0.0));
    Hold { name: name.to_owned(), hold_type, normal, shape, friction: DEFAULT_FRICTION }
}

/// A planar world of level ground from x = -4 to x = 4, more obstacles and holds. All lengths, also those of the distance field
/// and of the given obstacles and holds, are multiplied by `factor`.
pub fn ground_world(boxes: Vec<(&str, [[f32; 2]; 2])>, holds: Vec<Hold>, factor: f32) -> World {
    let ground = ("ground", [[-5.0, -1.0], [5.0, 0.0]]);
    let obstacle = |(name, [[left, low], [right, high]]): (&str, [[f32; 2]; 2])| {
        let corners = [[left, low], [right, low], [right, high], [left, high]].map(|corner| corner.map(|c| c * factor));
        Obstacle::polygon(name, &corners, -factor, factor).expect("a box")
    };
    let obstacles = std::iter::once(ground).chain(boxes).map(obstacle).collect();
    let scaled_hold = |hold: Hold| {
        let shape = match hold.shape {
            HoldShape::Point(point) => HoldShape::Point(point * factor),
            HoldShape::Segment(ends) => HoldShape::Segment(ends.map(|end| end * factor)),
            HoldShape::Triangle(corners) => HoldShape::Triangle(corners.map(|corner| corner * factor)),
        };
        Hold { shape, ..hold }
    };
    let mut field = DistanceFieldSettings::default();
    field.cell_size *= factor;
    field.planar_cell_size *= factor;
    let (min, max) = (Vec3::new(-4.0, -0.2, 0.0) * factor, Vec3::new(4.0, 3.0, 0.0) * factor);
    World::from_obstacles(Space::Planar, obstacles, min, max, &field)
        .with_holds(holds.into_iter().map(scaled_hold).collect())
}

/// The figure on level ground from x = -4 to x = 4 with these holds, standing at x = 0. The goal is to stand at x = 3.
pub fn on_ground(holds: Vec<Hold>) -> Problem {
    figure_on_ground(character("figure"), holds)
}

/// [`on_ground`] with a figure with or without feet.
pub fn figure_on_ground(figure: Character, holds: Vec<Hold>) -> Problem {
    let world = ground_world(Vec::new(), holds, 1.0);
    let at = |x: f32| Posture::without_contacts(standing(&figure, x));
    Problem {
        name: "on the ground".to_owned(),
        world: Arc::new(world),
        modes: Some(Arc::new(table(&figure))),
        start: at(0.0),
        passages: Vec::new(),
        goal: at(3.0),
        pins: Vec::new(),
        forbidden_holds: Vec::new(),
        character: Arc::new(figure),
    }
}

/// The figure in its rest posture, feet on the ground at y = 0.
pub fn standing(figure: &Character, x: f32) -> Configuration {
    let mut configuration = Configuration::rest(figure);
    configuration.root.translation.x = x;
    let foot = figure.find_effector("left_foot").expect("the figure has feet");
    let sole = effector_center(figure, &configuration, foot).y - figure.effectors[foot].radius;
    configuration.root.translation.y -= sole;
    configuration
}

/// The center of an effector, in the world.
pub fn effector_center(character: &Character, configuration: &Configuration, effector: EffectorId) -> Vec3 {
    let mut frames = LinkFrames::default();
    forward(character, configuration, &mut frames);
    effector_position(character, &frames, effector)
}

/// A contact of an effector with level ground where it is.
pub fn touching(character: &Character, configuration: &Configuration, effector: &str) -> Contact {
    let effector = character.find_effector(effector).expect("a name of one of its effectors");
    let point = effector_center(character, configuration, effector) - Vec3::Y * character.effectors[effector].radius;
    Contact { effector, hold: HoldId::new(0), point, normal: Vec3::Y }
}

/// The largest distance of an effector from its contact, in meters.
pub fn slip(character: &Character, configuration: &Configuration, stance: &[Contact]) -> f32 {
    let slip = |contact: &Contact| {
        (effector_center(character, configuration, contact.effector) - contact.effector_center(character)).length()
    };
    stance.iter().map(slip).fold(0.0, f32::max)
}
