//! Postures of the human on named holds are at ease: balanced, symmetric where the holds are, with the head up and hinges near rest.
//! Each is asked for in three sizes of the body, with other distances between the holds for each.

use clamber_model::character::REFERENCE_BODY_SIZE;
use clamber_model::id::HingeId;
use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::math::{Pose, Vec3};
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::Posture;
use clamber_model::self_collision;
use clamber_model::world::WorldBuilder;
use clamber_model::{Character, Configuration, ModeTable, World};
use clamber_posture::equilibrium::EquilibriumSolver;
use clamber_posture::{StandRequest, stand};
use clamber_testing::{character, parse_table, scaled, slip};

const MODES: &str = r#"
version = 2
character = "human.toml"

[heuristics]
balance = "center-over-contacts"
upright-spine = { upright = ["hip", "head"] }
hang-down = { hold = "arms", above = "head", hang = "legs", below = "hip" }

[groups]
hands = ["left_hand", "right_hand"]
soles = ["left_sole", "right_sole"]
knees = ["left_knee", "right_knee"]

[[mode]]
name = "upright"
carry = { soles = ["load-bearing"] }
heuristics = { upright-spine = 2 }

[[mode]]
name = "on all fours"
carry = { hands = ["load-bearing"], knees = ["load-bearing"] }

[[mode]]
name = "climbing"
carry = { hands = ["hybrid"], soles = ["load-bearing"] }
heuristics = { balance = 3, upright-spine = 1 }

[[mode]]
name = "hanging"
carry = { hands = ["pendent"] }
heuristics = { balance = 1, upright-spine = 2, hang-down = 3 }
"#;

/// The sizes of the body: an adult, a body 0.3 m tall and a giant of 6 m.
const SIZES: [f32; 3] = [1.0, 0.3 / 1.75, 6.0 / 1.75];

/// What a posture may differ by from a body at rest.
struct Bounds {
    /// The mean over all hinges of the turn from rest, as a share of the hinge's range on that side.
    strain: f32,
    /// The angle between the head's axis and the vertical, in degrees.
    head: f32,
    /// The mean over all hinges of the difference to the mirrored hinge, in degrees; `None` where the holds are not symmetric.
    asymmetry: Option<f32>,
}

/// A world for an adult, and what to ask for.
type Scene = (WorldBuilder, StandRequest);

/// Asks for a posture in all sizes and measures it. `scene` takes the number of the size.
fn assert_at_ease(bounds: &Bounds, scene: impl Fn(usize) -> Scene) {
    let human = character("human");
    let modes = table(&human);
    for (number, &size) in SIZES.iter().enumerate() {
        let (world, mut request) = scene(number);
        let world = world.build().unwrap().scaled(size).unwrap();
        request.root_position = request.root_position.map(|position| size * position);
        let (human, request) = (scaled(&human, size), request.heading(Vec3::X).in_equilibrium());
        let posture = stand(&world, &human, &modes, &request).unwrap_or_else(|error| panic!("size {size}: {error}"));
        assert_valid(&world, &human, &posture);
        assert_within(bounds, &human, &posture, size);
    }
}

/// The mode table, in which soles and the seat may bear the same. A file allows only effectors that reach for holds, those on limbs.
fn table(human: &Character) -> ModeTable {
    let mut modes = parse_table(MODES, human, "human");
    let soles = modes.find_effector_group("soles").unwrap();
    modes.effector_groups[soles].effectors.extend(human.find_effector("seat"));
    modes
}

/// The contacts hold and carry the body, and nothing else touches.
fn assert_valid(world: &World, human: &Character, posture: &Posture) {
    let Posture { configuration, stance, .. } = posture;
    let size = human.body_size();
    configuration.check(human).unwrap();
    assert!(slip(human, configuration, stance) < 1e-4 * size);
    let margin = Clearance::ON_CONTACTS.scaled(size).margin;
    let mut workspace = CollisionWorkspace::default();
    assert_eq!(worst_hit(world, human, configuration, margin, &mut workspace), None);
    assert!(self_collision::is_free(human, configuration, CheckedLinks::All, &mut workspace.self_collision));
    let frames = frames(human, configuration);
    let center = center_of_mass(human, &frames);
    let outside = EquilibriumSolver::default().distance_outside(human, world, &frames, stance, center);
    assert!(outside <= 2e-3 * f64::from(size / REFERENCE_BODY_SIZE), "{outside} m outside of the support");
}

fn assert_within(bounds: &Bounds, human: &Character, posture: &Posture, size: f32) {
    let Posture { configuration, stance, .. } = posture;
    let frames = frames(human, configuration);
    let rotation = |name: &str| frames.world_from_link[human.find_link(name).unwrap()].rotation;
    let strain = mean(human, |hinge| strain(human, configuration, hinge));
    assert!(strain < bounds.strain, "size {size}: strain {strain}");
    let head = (rotation("head") * Vec3::Y).angle_between(Vec3::Y).to_degrees();
    assert!(head < bounds.head, "size {size}: the head is tilted by {head}");
    let right = rotation("pelvis") * Vec3::Z;
    assert!(right.angle_between(Vec3::Z).to_degrees() < 15.0, "size {size}: the pelvis is turned, {right}");
    for contact in stance {
        let Some(flat) = contact.flat_facing(human) else { continue };
        let effector = &human.effectors[contact.effector];
        let world_from_link = frames.world_from_link[effector.link].rotation;
        let tilt = (world_from_link * effector.facing.unwrap()).angle_between(flat).to_degrees();
        assert!(tilt < 1.0, "size {size}: `{}` is tilted by {tilt}", effector.name);
        let ahead = world_from_link * effector.ability.patch.unwrap().forward;
        assert!(ahead.angle_between(Vec3::X).to_degrees() < 30.0, "size {size}: `{}` points {ahead}", effector.name);
    }
    let asymmetry = mean(human, |hinge| asymmetry(human, configuration, hinge)).to_degrees();
    assert!(bounds.asymmetry.is_none_or(|bound| asymmetry < bound), "size {size}: asymmetry {asymmetry}");
}

fn frames(human: &Character, configuration: &Configuration) -> LinkFrames {
    let mut frames = LinkFrames::default();
    forward(human, configuration, &mut frames);
    frames
}

fn mean(human: &Character, of_hinge: impl Fn(HingeId) -> f32) -> f32 {
    human.hinges.keys().map(of_hinge).sum::<f32>() / human.hinges.len() as f32
}

/// The turn of a hinge from rest, as a share of its range on that side.
fn strain(human: &Character, configuration: &Configuration, id: HingeId) -> f32 {
    let hinge = &human.hinges[id];
    let turn = configuration.angles[id] - hinge.rest;
    let range = if turn < 0.0 { hinge.rest - hinge.min } else { hinge.max - hinge.rest };
    turn.abs() / range.max(0.2)
}

/// The difference of a hinge to its mirror image, in radians.
fn asymmetry(human: &Character, configuration: &Configuration, hinge: HingeId) -> f32 {
    let image = human.symmetry().unwrap().hinges[hinge];
    (image.sign * configuration.angles[hinge] - configuration.angles[image.hinge]).abs()
}

fn cuboid(world: WorldBuilder, name: &str, low: [f32; 3], high: [f32; 3]) -> WorldBuilder {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    world.cuboid(name, Pose::from_translation(0.5 * (low + high)), high - low)
}

fn ground() -> Scene {
    let world = World::spatial_builder(Vec3::new(-2.0, -1.0, -2.0), Vec3::new(2.0, 4.0, 2.0));
    (cuboid(world, "ground", [-1.0, -0.1, -1.0], [1.0, 0.0, 1.0]), StandRequest::new())
}

/// The ground with a box on it.
fn ground_and(name: &str, low: [f32; 3], high: [f32; 3]) -> Scene {
    let (world, request) = ground();
    (cuboid(world, name, low, high), request)
}

/// Adds a contact.
fn on((world, request): Scene, effector: &str, point: [f32; 3]) -> Scene {
    let hold = format!("for {effector}");
    (world.hold(&hold, Vec3::from(point)), request.contact(effector, hold))
}

/// Adds a contact on the left and one on the right.
fn on_both(scene: Scene, part: &str, [x, y]: [f32; 2], apart: f32) -> Scene {
    let left = on(scene, &format!("left_{part}"), [x, y, -0.5 * apart]);
    on(left, &format!("right_{part}"), [x, y, 0.5 * apart])
}

#[test]
fn standing() {
    let bounds = Bounds { strain: 0.05, head: 3.0, asymmetry: Some(1.0) };
    assert_at_ease(&bounds, |number| on_both(ground(), "sole", [0.0, 0.0], [0.2, 0.15, 0.35][number]));
}

#[test]
fn squatting() {
    let bounds = Bounds { strain: 0.32, head: 45.0, asymmetry: Some(4.0) };
    assert_at_ease(&bounds, |number| {
        let ceiling = [1.2, 1.0, 1.3][number];
        let (world, request) = ground_and("ceiling", [-1.0, ceiling, -1.0], [1.0, ceiling + 0.1, 1.0]);
        let request = request.root_position(Vec3::new(-0.1, 0.4, 0.0));
        on_both((world, request), "sole", [0.0, 0.0], [0.3, 0.4, 0.2][number])
    });
}

#[test]
fn on_hands_and_knees() {
    let bounds = Bounds { strain: 0.35, head: 40.0, asymmetry: Some(4.0) };
    assert_at_ease(&bounds, |number| {
        let knees = on_both(ground(), "knee", [0.0, 0.0], [0.2, 0.25, 0.3][number]);
        on_both(knees, "hand", [[0.5, 0.6, 0.42][number], 0.0], [0.4, 0.35, 0.45][number])
    });
}

/// A ladder with this distance between its rungs, which leans by a share of its height. Feet are on the first two rungs, hands on these.
fn ladder(spacing: f32, lean: f32, hands: [i32; 2]) -> Scene {
    let (world, request) = ground();
    let rung = |number: i32| [lean * spacing * number as f32, spacing * number as f32];
    let world = (1..9).fold(world, |world, number| {
        let [x, y] = rung(number);
        cuboid(world, &format!("rung {number}"), [x - 0.015, y - 0.03, -0.25], [x + 0.015, y, 0.25])
    });
    let foothold = |number, z| [rung(number)[0], rung(number)[1], z];
    let handhold = |number, z| [rung(number)[0] - 0.015, rung(number)[1] - 0.015, z];
    let feet = on((world, request), "left_sole", foothold(2, -0.1));
    let feet = on(feet, "right_sole", foothold(1, 0.1));
    on(on(feet, "left_hand", handhold(hands[0], -0.16)), "right_hand", handhold(hands[1], 0.16))
}

#[test]
fn on_a_ladder_that_leans() {
    let bounds = Bounds { strain: 0.25, head: 12.0, asymmetry: None };
    assert_at_ease(&bounds, |number| ladder([0.3, 0.25, 0.35][number], 0.25, [[5, 6], [6, 5], [5, 4]][number]));
}

#[test]
fn on_an_upright_ladder() {
    let bounds = Bounds { strain: 0.3, head: 12.0, asymmetry: None };
    assert_at_ease(&bounds, |number| ladder([0.3, 0.25, 0.28][number], 0.0, [[5, 6], [6, 5], [5, 4]][number]));
}

/// Nor do its legs go through the ladder.
#[test]
fn a_body_on_a_ladder_faces_it_unasked() {
    let human = character("human");
    let (world, request) = ladder(0.3, 0.0, [5, 6]);
    let request = request.in_equilibrium();
    let posture = stand(&world.build().unwrap(), &human, &table(&human), &request).unwrap();
    let frames = frames(&human, &posture.configuration);
    let pelvis = frames.world_from_link[human.find_link("pelvis").unwrap()].rotation;
    assert!((pelvis * Vec3::Z).angle_between(Vec3::Z).to_degrees() < 15.0, "{pelvis}");
    for knee in ["left_shin", "right_shin"] {
        let at = frames.world_from_link[human.find_link(knee).unwrap()].translation;
        assert!(at.x < 0.0, "`{knee}` at {at}");
    }
}

#[test]
fn hanging_from_a_bar() {
    let bounds = Bounds { strain: 0.16, head: 8.0, asymmetry: Some(4.0) };
    assert_at_ease(&bounds, |number| {
        let bar = ground_and("bar", [-0.015, 2.4, -0.6], [0.015, 2.43, 0.6]);
        on_both(bar, "hand", [0.0, 2.4], [0.45, 0.3, 0.9][number])
    });
}

#[test]
fn sitting_on_a_box() {
    let bounds = Bounds { strain: 0.18, head: 5.0, asymmetry: Some(2.0) };
    assert_at_ease(&bounds, |number| {
        let height = [0.42, 0.3, 0.36][number];
        let seat = ground_and("box", [-0.25, 0.0, -0.25], [0.2, height, 0.25]);
        let seat = on(seat, "seat", [0.0, height, 0.0]);
        on_both(seat, "sole", [[0.45, 0.5, 0.4][number], 0.0], 0.25)
    });
}

#[test]
fn one_foot_on_a_high_step() {
    let bounds = Bounds { strain: 0.15, head: 5.0, asymmetry: None };
    assert_at_ease(&bounds, |number| {
        let height = [0.45, 0.25, 0.65][number];
        let step = ground_and("step", [0.2, 0.0, -0.4], [0.8, height, 0.4]);
        let foot = on(step, "left_sole", [0.35, height, -0.1]);
        on(foot, "right_sole", [0.0, 0.0, 0.1])
    });
}
