//! Compares equilibrium with reference values of a conic solver.
//!
//! `tools/golden_equilibrium.py` computed them, with the declared force model and with round cones.

use clamber_model::character::{
    BodyRoles, Capsule, Character, CharacterDescription, ContactAbility, Effector, Grip, Link, Patch, RootJoint,
    RootMotionLimits,
};
use clamber_model::contact::Stance;
use clamber_model::id::{EffectorId, HoldId, TiVec};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Vec3};
use clamber_model::world::{Hold, HoldShape, HoldType, Space};
use clamber_model::{Configuration, Contact, World};
use clamber_posture::equilibrium::EquilibriumSolver;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    planar: bool,
    mass: f32,
    center: [f32; 3],
    contacts: Vec<ContactCase>,
    /// With the declared force model.
    distance: Option<f64>,
    /// With friction cones, round grips and a round displacement.
    round_distance: Option<f64>,
}

#[derive(Deserialize)]
struct ContactCase {
    hold: String,
    point: [f32; 3],
    normal: [f32; 3],
    friction: f32,
    max_push: f32,
    patch: Option<PatchCase>,
    grip: Option<GripCase>,
}

#[derive(Deserialize)]
struct PatchCase {
    forward: [f32; 3],
    front: f32,
    back: f32,
    width: f32,
}

#[derive(Deserialize)]
struct GripCase {
    axis: [f32; 3],
    width: f32,
    max_force: f32,
}

impl Case {
    /// A rigid body whose links' axes are those of the world.
    fn character(&self) -> Character {
        let effector = |(index, contact): (usize, &ContactCase)| Effector {
            name: format!("effector {index}"),
            link: 0.into(),
            limb: None,
            center: Vec3::ZERO,
            radius: 0.05,
            facing: Some(-Vec3::from_array(contact.normal)),
            ability: ContactAbility {
                patch: contact.patch.as_ref().map(|patch| Patch {
                    forward: Vec3::from_array(patch.forward),
                    front: patch.front,
                    back: patch.back,
                    width: patch.width,
                }),
                grip: contact.grip.as_ref().map(|grip| Grip {
                    axis: Vec3::from_array(grip.axis),
                    width: grip.width,
                    edge_reach: None,
                    max_force: grip.max_force,
                }),
                max_push: contact.max_push,
            },
        };
        let link = Link {
            name: "body".to_owned(),
            parent: None,
            parent_from_joint: Pose::IDENTITY,
            hinges: (0.into()..0.into()).into(),
            capsules: 0..1,
            mass: self.mass,
            center_of_mass: Vec3::ZERO,
        };
        Character::new(CharacterDescription {
            name: "block".to_owned(),
            root_joint: if self.planar { RootJoint::Planar } else { RootJoint::Free },
            root_motion_limits: RootMotionLimits {
                speed: 1.0,
                acceleration: 1.0,
                turn_speed: 1.0,
                turn_acceleration: 1.0,
            },
            links: vec![link].into(),
            hinges: TiVec::new(),
            capsules: vec![Capsule { a: Vec3::ZERO, b: Vec3::Y, radius: 0.1 }],
            limbs: TiVec::new(),
            effectors: self.contacts.iter().enumerate().map(effector).collect(),
            extremities: Vec::new(),
            roles: BodyRoles::unnamed(0),
            self_collision: None,
        })
        .unwrap()
    }

    fn world(&self) -> World {
        let hold = |(index, contact): (usize, &ContactCase)| Hold {
            name: format!("hold {index}"),
            hold_type: *HoldType::ALL.iter().find(|known| known.keyword() == contact.hold).unwrap(),
            normal: Vec3::from_array(contact.normal),
            shape: HoldShape::Point(Vec3::from_array(contact.point)),
            friction: contact.friction,
        };
        let space = if self.planar { Space::Planar } else { Space::Spatial };
        let world = World::from_obstacles(space, Vec::new(), Vec3::splat(-2.0), Vec3::splat(2.0), &Default::default());
        world.with_holds(self.contacts.iter().enumerate().map(hold).collect())
    }

    fn stance(&self) -> Stance {
        let contact = |(index, contact): (usize, &ContactCase)| Contact {
            effector: EffectorId::from(index),
            hold: HoldId::from(index),
            point: Vec3::from_array(contact.point),
            normal: Vec3::from_array(contact.normal),
        };
        self.contacts.iter().enumerate().map(contact).collect()
    }
}

#[test]
fn distances_agree_with_a_conic_solver() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("golden/equilibrium.json")).unwrap();
    let mut solver = EquilibriumSolver::default();
    let mut frames = LinkFrames::default();
    let mut kinds = [0; 3];
    for (number, case) in cases.iter().enumerate() {
        let (character, world, stance) = (case.character(), case.world(), case.stance());
        forward(&character, &Configuration::rest(&character), &mut frames);
        let center = Vec3::from_array(case.center);
        let distance = solver.distance_outside(&character, &world, &frames, &stance, center);
        let region = solver.support_region(&character, &world, &frames, &stance);
        match case.distance {
            None => {
                kinds[0] += 1;
                assert!(distance.is_infinite() && region.corners.is_empty(), "{number}: {distance}");
            }
            Some(expected) => {
                kinds[if expected < 1e-6 { 1 } else { 2 }] += 1;
                assert!((distance - expected).abs() < 1e-5, "{number}: {distance} instead of {expected}");
                // The region's corners are exact, its sides inside. So it is at most a little farther away.
                let to_region = f64::from(region.displacement_from(center).length());
                assert!(to_region > 0.98 * distance - 1e-4, "{number}: {to_region} and {distance}");
                // Polyhedra are inside the round cones.
                assert!(case.round_distance.is_some_and(|round| round <= expected + 1e-6), "{number}");
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
}
