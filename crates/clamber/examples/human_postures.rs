//! Asks for seven postures of a human, says whether the contacts carry the body, and draws them.
//!
//! Run: `cargo run --release -p clamber --example human_postures -- pictures`. The folder gets a picture from the right, one from the
//! front and a BVH file of each posture.

use std::error::Error;
use std::path::Path;

use clamber::draw::{DrawSettings, View, pose_overlay};
use clamber::io::{builtin, parse_modes, to_bvh};
use clamber::model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber::model::math::{Pose, Vec3, rotation_about};
use clamber::model::problem::Posture;
use clamber::model::world::WorldBuilder;
use clamber::posture::equilibrium::EquilibriumSolver;
use clamber::posture::{StandRequest, stand};
use clamber::{Character, ModeTable, Motion, Problem, World};

/// With what the human may touch the world, and what matters there besides a body at ease. The built-in table is for motions: it walks on points of the
/// feet and knows no seat.
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

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "pictures".into());
    std::fs::create_dir_all(&folder)?;
    let human = builtin::character("human")?;
    let modes = modes(&human)?;
    for (name, (world, request)) in [
        ("standing", standing()),
        ("squatting", squatting()),
        ("hands-and-knees", hands_and_knees()),
        ("ladder", ladder()),
        ("hanging", hanging()),
        ("sitting", sitting()),
        ("high-step", high_step()),
    ] {
        let world = world.build()?;
        match stand(&world, &human, &modes, &request.heading(Vec3::X).in_equilibrium()) {
            Ok(posture) => {
                println!("{name}: the contacts carry the body, margin {:.3} m", margin(&world, &human, &posture));
                write(folder.as_ref(), name, world, (&human, &modes), posture)?;
            }
            Err(reason) => println!("{name}: {reason}"),
        }
    }
    Ok(())
}

/// The mode table, in which soles and the seat may bear the same. A file allows only effectors that reach for holds, those on limbs.
fn modes(human: &Character) -> Result<ModeTable, Box<dyn Error>> {
    let mut modes = parse_modes("postures.modes.toml".as_ref(), MODES.as_bytes(), human, "human.toml".as_ref())?;
    let soles = modes.effector_groups.iter_mut().find(|group| group.name == "soles");
    soles.ok_or("no group `soles`")?.effectors.extend(human.find_effector("seat"));
    Ok(modes)
}

/// The ground.
fn ground() -> WorldBuilder {
    let world = World::spatial_builder(Vec3::new(-2.0, -1.0, -2.0), Vec3::new(2.0, 4.0, 2.0));
    cuboid(world, "ground", [-1.0, -0.1, -1.0], [1.0, 0.0, 1.0])
}

/// Adds the box between two corners.
fn cuboid(world: WorldBuilder, name: &str, low: [f32; 3], high: [f32; 3]) -> WorldBuilder {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    world.cuboid(name, Pose::from_translation(0.5 * (low + high)), high - low)
}

/// Adds a pair of holds and the contacts of a left and a right effector on them. The right side is at +z.
fn pair(
    (world, request): (WorldBuilder, StandRequest),
    part: &str,
    x: f32,
    y: f32,
    apart: f32,
) -> (WorldBuilder, StandRequest) {
    let world_and_request = one((world, request), &format!("left_{part}"), [x, y, -0.5 * apart]);
    one(world_and_request, &format!("right_{part}"), [x, y, 0.5 * apart])
}

/// Adds a hold and the contact of an effector on it.
fn one(
    (world, request): (WorldBuilder, StandRequest),
    effector: &str,
    point: [f32; 3],
) -> (WorldBuilder, StandRequest) {
    let hold = format!("for {effector}");
    (world.hold(&hold, Vec3::from(point)), request.contact(effector, hold))
}

fn standing() -> (WorldBuilder, StandRequest) {
    pair((ground(), StandRequest::new()), "sole", 0.0, 0.0, 0.2)
}

/// A low ceiling leaves no other posture on two feet.
fn squatting() -> (WorldBuilder, StandRequest) {
    let world = cuboid(ground(), "ceiling", [-1.0, 1.2, -1.0], [1.0, 1.3, 1.0]);
    let request = StandRequest::new().root_position(Vec3::new(-0.1, 0.4, 0.0));
    pair((world, request), "sole", 0.0, 0.0, 0.3)
}

fn hands_and_knees() -> (WorldBuilder, StandRequest) {
    let on_knees = pair((ground(), StandRequest::new()), "knee", 0.0, 0.0, 0.2);
    pair(on_knees, "hand", 0.5, 0.0, 0.4)
}

/// A ladder that leans by a quarter of its height, hands and feet on rungs.
fn ladder() -> (WorldBuilder, StandRequest) {
    let at = |y: f32| 0.25 * y;
    let rail = |world: WorldBuilder, name, z| {
        let world_from_rail = Pose::from_parts(Vec3::new(at(1.5), 1.5, z), rotation_about(Vec3::Z, -0.245));
        world.cuboid(name, world_from_rail, Vec3::new(0.04, 3.08, 0.04))
    };
    let mut world = rail(rail(ground(), "left rail", -0.25), "right rail", 0.25);
    let rung = |number: i32| 0.3 * number as f32;
    for number in 1..10 {
        let (x, y) = (at(rung(number)), rung(number));
        world = cuboid(world, &format!("rung {number}"), [x - 0.015, y - 0.03, -0.23], [x + 0.015, y, 0.23]);
    }
    let foothold = |number, z| [at(rung(number)), rung(number), z];
    let handhold = |number, z| [at(rung(number)) - 0.015, rung(number) - 0.015, z];
    let feet = one((world, StandRequest::new()), "left_sole", foothold(2, -0.1));
    let feet = one(feet, "right_sole", foothold(1, 0.1));
    let hand = one(feet, "left_hand", handhold(5, -0.16));
    one(hand, "right_hand", handhold(6, 0.16))
}

fn hanging() -> (WorldBuilder, StandRequest) {
    let world = cuboid(ground(), "bar", [-0.015, 2.4, -0.6], [0.015, 2.43, 0.6]);
    pair((world, StandRequest::new()), "hand", 0.0, 2.4, 0.45)
}

fn sitting() -> (WorldBuilder, StandRequest) {
    let world = cuboid(ground(), "box", [-0.25, 0.0, -0.25], [0.2, 0.42, 0.25]);
    let seat = one((world, StandRequest::new()), "seat", [0.0, 0.42, 0.0]);
    pair(seat, "sole", 0.45, 0.0, 0.25)
}

fn high_step() -> (WorldBuilder, StandRequest) {
    let world = cuboid(ground(), "step", [0.2, 0.0, -0.4], [0.8, 0.45, 0.4]);
    let foot = one((world, StandRequest::new()), "left_sole", [0.35, 0.45, -0.1]);
    one(foot, "right_sole", [0.0, 0.0, 0.1])
}

/// How far the center of mass is inside of where the contacts carry the body, in meters.
fn margin(world: &World, human: &Character, posture: &Posture) -> f32 {
    let mut frames = LinkFrames::default();
    forward(human, &posture.configuration, &mut frames);
    let region = EquilibriumSolver::default().support_region(human, world, &frames, &posture.stance);
    let center = center_of_mass(human, &frames);
    // The corners are in the order of their directions.
    let ends = region.corners.iter().cycle().skip(1);
    let distance = |(from, to): (&Vec3, &Vec3)| {
        let normal = Vec3::Y.cross(*to - *from).try_normalize()?;
        Some((center - *from).dot(normal).abs())
    };
    region.corners.iter().zip(ends).filter_map(distance).fold(f32::INFINITY, f32::min)
}

fn write(
    folder: &Path,
    name: &str,
    world: World,
    (human, modes): (&Character, &ModeTable),
    posture: Posture,
) -> Result<(), Box<dyn Error>> {
    let motion =
        Motion::from_configurations(&human.name, &posture.mode_name, vec![posture.configuration.clone()], 30.0);
    let problem =
        Problem::builder(world, human.clone()).modes(modes.clone()).start(posture.clone()).goal(posture).build()?;
    for (side, view) in [("side", View::FROM_RIGHT), ("front", View::from_degrees(-25.0, 10.0))] {
        let mut settings = DrawSettings::default();
        settings.view = Some(view);
        settings.width = Some(700);
        let picture = pose_overlay(&problem, &motion, &settings)?;
        std::fs::write(folder.join(format!("{name}-{side}.png")), picture.to_png())?;
    }
    std::fs::write(folder.join(format!("{name}.bvh")), to_bvh(human, &motion)?)?;
    Ok(())
}
