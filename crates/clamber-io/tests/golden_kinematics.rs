//! Forward kinematics, centers of mass and Jacobians agree with Pinocchio.
//!
//! `tools/golden_kinematics.py` computed the reference values. It documents the file layout, and why an error in any
//! column of a Jacobian would show.

mod shipped;

use std::path::Path;

use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::{Character, Configuration};

/// In meters; for Jacobians in m/s, with every degree of freedom moving by at most 1 per second.
const TOLERANCE: f64 = 1e-5;
const CONFIGURATIONS: usize = 1000;
const ANGLE_UNIT: f32 = 1.0 / 4096.0;
const PROBES: [Vec3; 4] = [Vec3::ZERO, Vec3::new(0.25, 0.0, 0.0), Vec3::new(0.0, 0.25, 0.0), Vec3::new(0.0, 0.0, 0.25)];

#[test]
fn the_planar_figure_agrees_with_pinocchio() {
    assert_agreement("figure");
}

#[test]
fn the_human_agrees_with_pinocchio() {
    assert_agreement("human");
}

#[test]
fn the_insect_agrees_with_pinocchio() {
    assert_agreement("insect");
}

fn assert_agreement(name: &str) {
    let character = shipped::character(name);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.bin"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut golden = Reader { bytes: &bytes };

    let counts: [usize; 6] = std::array::from_fn(|_| u32::from_le_bytes(golden.take()) as usize);
    let [version, configurations, links, hinges, effectors, velocities] = counts;
    assert_eq!(version, 1);
    assert_eq!(
        [links, hinges, effectors],
        [character.links.len(), character.hinges.len(), character.effectors.len()],
        "{name} has changed since its figures were written: run tools/golden_kinematics.py"
    );
    let velocities: Vec<Vec<f32>> =
        (0..velocities).map(|_| (0..character.degrees_of_freedom()).map(|_| golden.f32()).collect()).collect();

    let mut worst = Differences::default();
    let mut workspace = LinkFrames::default();
    for index in 0..configurations {
        let velocity = &velocities[index % velocities.len()];
        compare(&character, index, velocity, &mut golden, &mut workspace, &mut worst);
    }
    assert_eq!(configurations, CONFIGURATIONS);
    assert!(golden.bytes.is_empty(), "{} bytes are left over", golden.bytes.len());
    println!("{name}: worst differences over {configurations} configurations: {worst:#?}");
    assert!(worst.all().iter().all(|worst| worst.size <= TOLERANCE), "{name}: worst differences: {worst:#?}");
}

/// Reads one configuration with its reference values, and records the differences.
fn compare(
    character: &Character,
    index: usize,
    velocity: &[f32],
    golden: &mut Reader,
    workspace: &mut LinkFrames,
    worst: &mut Differences,
) {
    let place = golden.vec3();
    let rotation = Rotation::from_array(std::array::from_fn(|_| golden.f32()));
    let angles = character.hinges.iter().map(|_| f32::from(i16::from_le_bytes(golden.take())) * ANGLE_UNIT).collect();
    let configuration = Configuration { root: Pose::from_parts(place, rotation), angles };
    forward(character, &configuration, workspace);

    let mut jacobian = Jacobian::new(character);
    let mut velocity_of = |term: &dyn Fn(Vec3) -> JacobianTerm| {
        jacobian.linearize(character, workspace);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            jacobian.push_row();
            jacobian.add_term(1.0, term(axis));
        }
        product(&jacobian, velocity)
    };
    worst.center_of_mass.note(center_of_mass(character, workspace), golden.vec3(), index, "the whole body");
    let found = velocity_of(&JacobianTerm::CenterOfMass);
    worst.center_of_mass_velocity.note(found, golden.vec3(), index, "the whole body");
    for (number, effector) in character.effectors.iter_enumerated() {
        let center = effector_position(character, workspace, number);
        worst.effector.note(center, golden.vec3(), index, &effector.name);
        let found = velocity_of(&|gradient| JacobianTerm::Point { link: effector.link, at: center, gradient });
        worst.effector_velocity.note(found, golden.vec3(), index, &effector.name);
    }
    for (link, world_from_link) in character.links.iter().zip(&workspace.world_from_link) {
        worst.link.note(*world_from_link * PROBES[index % PROBES.len()], golden.vec3(), index, &link.name);
    }
}

/// Returns the velocity of the Jacobian's three rows, summed in double precision so that only the Jacobian is compared.
fn product(jacobian: &Jacobian, velocity: &[f32]) -> Vec3 {
    let rate = |row: &[f32]| {
        assert_eq!(row.len(), velocity.len());
        row.iter().zip(velocity).map(|(&entry, &amount)| f64::from(entry) * f64::from(amount)).sum::<f64>() as f32
    };
    Vec3::from_array(jacobian.rows().map(rate).collect::<Vec<f32>>().try_into().unwrap())
}

/// The largest difference of each kind.
#[derive(Debug, Default)]
struct Differences {
    center_of_mass: Difference,
    center_of_mass_velocity: Difference,
    effector: Difference,
    effector_velocity: Difference,
    link: Difference,
}

impl Differences {
    fn all(&self) -> [&Difference; 5] {
        let Self { center_of_mass, center_of_mass_velocity, effector, effector_velocity, link } = self;
        [center_of_mass, center_of_mass_velocity, effector, effector_velocity, link]
    }
}

#[derive(Debug, Default)]
#[expect(dead_code, reason = "what and configuration are for the message")]
struct Difference {
    size: f64,
    what: String,
    configuration: usize,
}

impl Difference {
    fn note(&mut self, ours: Vec3, golden: Vec3, configuration: usize, what: &str) {
        let difference = ours.to_array().map(f64::from).into_iter().zip(golden.to_array().map(f64::from));
        let size = difference.map(|(ours, golden)| (ours - golden) * (ours - golden)).sum::<f64>().sqrt();
        // NaN counts as the largest difference.
        if size > self.size || size.is_nan() {
            *self = Self { size, what: what.to_owned(), configuration };
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.bytes.split_first_chunk().expect("the file ends too early");
        self.bytes = rest;
        *taken
    }

    fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.f32()))
    }
}
