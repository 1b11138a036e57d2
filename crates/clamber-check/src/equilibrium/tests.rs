//! Stances whose border of equilibrium has a closed form.

use clamber_model::character::{
    BodyRoles, Capsule, CharacterDescription, ContactAbility, Effector, GRAVITY, Grip, Link, Patch, RootJoint,
    RootMotionLimits,
};
use clamber_model::contact::FRICTION_PYRAMID_SIDES;
use clamber_model::id::{EffectorId, HingeId, HoldId, IdRange, LinkId, TiVec};
use clamber_model::math::{Pose, Vec3, rotation_about, sin_cos};
use clamber_model::rng::Stream;
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::world::{DistanceFieldSettings, Hold, HoldShape, HoldType, Space};
use clamber_model::{Character, Configuration, Contact, World};

use super::nearest_point::Answer;
use super::{displacement_to_equilibrium, is_in_equilibrium, stance_equilibrium};

/// The body is a rod of 2 m about its center of mass, of 10 kg.
const MASS: f32 = 10.0;
const WEIGHT: f32 = MASS * GRAVITY;
const UP: Vec3 = Vec3::Y;
const HOLD_TYPES: [HoldType; 3] = [HoldType::LoadBearing, HoldType::Pendent, HoldType::Hybrid];

/// A rigid body with these effectors, and a world with a hold of each type.
struct Case {
    character: Character,
    world: World,
}

impl Case {
    fn new(root_joint: RootJoint, friction: f32, abilities: &[ContactAbility]) -> Self {
        let capsule = Capsule { a: Vec3::new(0.0, -1.0, 0.0), b: UP, radius: 0.1 };
        let link = Link {
            name: "body".to_owned(),
            parent: None,
            parent_from_joint: Pose::IDENTITY,
            hinges: IdRange::from(HingeId::new(0)..HingeId::new(0)),
            capsules: 0..1,
            mass: MASS,
            center_of_mass: Vec3::ZERO,
        };
        let effector = |(index, &ability): (usize, &ContactAbility)| Effector {
            name: format!("effector {index}"),
            link: LinkId::ROOT,
            limb: None,
            center: Vec3::ZERO,
            radius: 0.01,
            facing: Some(-UP),
            ability,
        };
        let limits = RootMotionLimits { speed: 1.0, acceleration: 1.0, turn_speed: 1.0, turn_acceleration: 1.0 };
        let character = Character::new(CharacterDescription {
            name: "rod".to_owned(),
            root_joint,
            root_motion_limits: limits,
            links: TiVec::from(vec![link]),
            hinges: TiVec::new(),
            capsules: vec![capsule],
            limbs: TiVec::new(),
            effectors: abilities.iter().enumerate().map(effector).collect(),
            extremities: Vec::new(),
            roles: BodyRoles::unnamed(0),
            self_collision: None,
        });
        let hold = |hold_type: HoldType| Hold {
            name: hold_type.keyword().to_owned(),
            hold_type,
            normal: UP,
            shape: HoldShape::Point(Vec3::ZERO),
            friction,
        };
        let (min, max) = (Vec3::splat(-1.0), Vec3::ONE);
        let world = World::from_obstacles(Space::Spatial, Vec::new(), min, max, &DistanceFieldSettings::default());
        Self { character: character.expect("a rod"), world: world.with_holds(HOLD_TYPES.map(hold).to_vec()) }
    }

    fn at(&self, center: Vec3) -> Configuration {
        let mut configuration = Configuration::rest(&self.character);
        configuration.root.translation = center;
        configuration
    }

    fn displacement(&self, center: Vec3, contacts: &[Contact]) -> f64 {
        let configuration = self.at(center);
        let displacement = displacement_to_equilibrium(&self.character, &self.world, &configuration, contacts);
        let carried =
            |by: f64| is_in_equilibrium(&self.character, &self.world, &configuration, contacts, displacement + by);
        assert!(displacement == f64::INFINITY || carried(0.0), "{center} {contacts:?}: {displacement}");
        assert!(displacement == 0.0 || !carried(-1e-5) || displacement == f64::INFINITY);
        displacement
    }
}

fn contact(effector: usize, hold_type: HoldType, point: Vec3, normal: Vec3) -> Contact {
    let hold = HOLD_TYPES.iter().position(|known| *known == hold_type).unwrap_or(usize::MAX);
    Contact { effector: EffectorId::new(effector), hold: HoldId::new(hold), point, normal }
}

fn standing(effector: usize, point: Vec3) -> Contact {
    contact(effector, HoldType::LoadBearing, point, UP)
}

fn sole() -> ContactAbility {
    let patch = Patch { forward: Vec3::X, front: 0.2, back: 0.1, width: 0.08 };
    ContactAbility { patch: Some(patch), grip: None, max_push: 3.0 * WEIGHT }
}

fn hand(width: f32, max_force: f32) -> ContactAbility {
    let grip = Grip { axis: Vec3::Z, width, edge_reach: None, max_force };
    ContactAbility { patch: None, grip: Some(grip), max_push: WEIGHT }
}

fn assert_near(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-5, "{actual} is not {expected}");
}

#[test]
fn a_body_on_one_patch_falls_over_its_edge() {
    for root in [RootJoint::Planar, RootJoint::Free] {
        let case = Case::new(root, 0.5, &[sole()]);
        let feet = [standing(0, Vec3::ZERO)];
        let displacement = |x: f32, z: f32| case.displacement(Vec3::new(x, 1.0, z), &feet);
        for x in [-0.099_99, 0.0, 0.1, 0.199_99] {
            assert_eq!(displacement(x, 0.0), 0.0, "{x}");
        }
        assert_near(displacement(0.3, 0.0), 0.1);
        assert_near(displacement(-0.15, 0.0), 0.05);
        // A planar body does not fall sideways.
        assert_near(displacement(0.0, 0.05), if root == RootJoint::Free { 0.01 } else { 0.0 });
        assert_near(displacement(0.2001, 0.0), 1e-4);
    }
}

#[test]
fn a_tilted_patch_presses_with_its_point() {
    let case = Case::new(RootJoint::Free, 0.8, &[sole()]);
    let feet = [standing(0, Vec3::ZERO)];
    for (tilt, expected) in [(0.0999, 0.0), (0.1001, 0.05)] {
        let mut configuration = case.at(Vec3::new(0.05, 1.0, 0.0));
        configuration.root.rotation = rotation_about(Vec3::X, tilt);
        assert_near(displacement_to_equilibrium(&case.character, &case.world, &configuration, &feet), expected);
    }
}

#[test]
fn on_level_ground_the_border_is_the_support_polygon() {
    let mut random = Stream::new(1, "feet");
    let (mut inside, mut outside) = (0, 0);
    for index in 0..600 {
        let root = if index % 2 == 0 { RootJoint::Planar } else { RootJoint::Free };
        let is_planar = root == RootJoint::Planar;
        let mut draw = |size: f32| random.between(-size, size);
        let forward = if is_planar { Vec3::X } else { rotation_about(UP, draw(3.0)) * Vec3::X };
        let sizes = [0.2 + draw(0.1), 0.1 + draw(0.1), 0.1 + draw(0.05)];
        let [front, back, width] = sizes;
        let patch = Some(Patch { forward, front, back, width });
        let ability = ContactAbility { patch, grip: None, max_push: 2.0 * WEIGHT };
        let case = Case::new(root, 0.4, &[ability, ability]);
        let depth = if is_planar { 0.0 } else { 0.5 };
        let points: [Vec3; 2] = std::array::from_fn(|_| Vec3::new(draw(0.5), 0.0, draw(depth)));
        let center = Vec3::new(draw(1.0), 1.0 + draw(0.3), draw(depth));
        let feet = [standing(0, points[0]), standing(1, points[1])];
        let side = UP.cross(forward) * if is_planar { 0.0 } else { 0.5 * width };
        let corners: Vec<Vec3> = points
            .iter()
            .flat_map(|&point| [front, -back].map(|reach| point + forward * reach))
            .flat_map(|middle| [middle + side, middle - side])
            .collect();
        let expected = f64::from(horizontal_distance_to_hull(center, &corners));
        let actual = case.displacement(center, &feet);
        // In space, the directions of displacement are 16; between two of them, it is longer.
        let longest = if is_planar { 1.0 } else { 1.0 / f64::from(sin_cos(std::f32::consts::PI / 16.0).1) };
        assert!(
            actual > expected - 1e-5 && actual < expected * longest + 1e-5,
            "case {index}: {actual} is not {expected}"
        );
        *(if expected > 0.0 { &mut outside } else { &mut inside }) += 1;
    }
    assert!(inside > 100 && outside > 100, "{inside} {outside}");
}

#[test]
fn a_foot_that_bears_half_the_weight_needs_the_other_one() {
    let foot = ContactAbility::point(0.5001 * WEIGHT);
    let case = Case::new(RootJoint::Planar, 0.5, &[foot, foot]);
    let feet = [standing(0, Vec3::NEG_X), standing(1, Vec3::X)];
    assert_near(case.displacement(Vec3::new(0.0, 1.0, 0.0), &feet), 0.0);
    // The share of the weight on a foot is (1 + x) / 2.
    assert_near(case.displacement(Vec3::new(0.5, 1.0, 0.0), &feet), 0.4998);
    assert_eq!(case.displacement(Vec3::Y, &feet[..1]), f64::INFINITY);
}

#[test]
fn a_block_on_a_slope_slides_at_the_angle_of_friction_and_tips_over_its_edge() {
    let block = ContactAbility {
        patch: Some(Patch { forward: Vec3::X, front: 0.1, back: 0.1, width: 0.2 }),
        grip: None,
        max_push: 3.0 * WEIGHT,
    };
    for root in [RootJoint::Planar, RootJoint::Free] {
        for angle in [0.1f32, 0.3, 0.6] {
            let (sin, cos) = sin_cos(angle);
            let normal = Vec3::new(-sin, cos, 0.0);
            // The height of the center above the slope at which the weight passes through the lower edge.
            let tipping = 0.1 * cos / sin;
            for (friction, height, stays) in [
                (sin / cos * 1.00001, 0.9 * tipping, true),
                (sin / cos * 0.99999, 0.9 * tipping, false),
                (sin / cos * 1.5, 0.9999 * tipping, true),
                (sin / cos * 1.5, 1.0001 * tipping, false),
            ] {
                let case = Case::new(root, friction, &[block]);
                let mut configuration = case.at(normal * height);
                configuration.root.rotation = rotation_about(Vec3::Z, angle);
                let contacts = [contact(0, HoldType::LoadBearing, Vec3::ZERO, normal)];
                let carried = is_in_equilibrium(&case.character, &case.world, &configuration, &contacts, 0.0);
                assert_eq!(carried, stays, "{root:?} {angle} {friction} {height}");
            }
        }
    }
}

#[test]
fn between_two_edges_the_pyramid_is_inside_the_cone() {
    let foot = ContactAbility::point(3.0 * WEIGHT);
    let half_side = std::f32::consts::PI / FRICTION_PYRAMID_SIDES as f32;
    let inscribed = sin_cos(half_side).1;
    for (factor, stays) in [(1.0001, true), (0.9999, false)] {
        // A slope that falls halfway between two edges of the pyramid.
        let down = rotation_about(UP, half_side) * Vec3::X;
        let (sin, cos) = sin_cos(0.4);
        let normal = UP * cos + down * sin;
        // The angle within the slope differs slightly from that in the horizontal plane.
        let tangent = clamber_model::contact::contact_tangent(normal);
        let fall = (down * cos - UP * sin).normalize();
        let in_slope = clamber_model::math::acos(tangent.dot(fall)) % (2.0 * half_side);
        let inscribed = inscribed / sin_cos(in_slope - half_side).1;
        let case = Case::new(RootJoint::Free, sin / cos / inscribed * factor, &[foot]);
        let contacts = [contact(0, HoldType::LoadBearing, Vec3::ZERO, normal)];
        assert_eq!(case.displacement(UP, &contacts) == 0.0, stays);
    }
}

#[test]
fn a_body_hangs_below_its_grips() {
    for root in [RootJoint::Planar, RootJoint::Free] {
        let case = Case::new(root, 0.5, &[hand(0.0, 2.0 * WEIGHT), hand(0.1, 0.6 * WEIGHT), hand(0.1, 0.6 * WEIGHT)]);
        let hang = |index: usize, at: Vec3| contact(index, HoldType::Pendent, at, -UP);
        let below = |x: f32, z: f32| Vec3::new(x, -1.0, z);
        let one = [hang(0, Vec3::ZERO)];
        assert_near(case.displacement(below(0.0, 0.0), &one), 0.0);
        assert_near(case.displacement(below(0.25, 0.0), &one), 0.25);
        // Above the grip the body is in equilibrium too, if unstably.
        assert_near(case.displacement(UP, &one), 0.0);
        // A grip that is too weak carries the weight nowhere; two do, if the center is not too far toward one.
        let two = [hang(1, Vec3::NEG_X), hang(2, Vec3::X)];
        assert_eq!(case.displacement(below(-1.0, 0.0), &two[..1]), f64::INFINITY);
        assert_near(case.displacement(below(0.0, 0.0), &two), 0.0);
        assert!(case.displacement(below(0.9, 0.0), &two) > 0.5);
        if root == RootJoint::Free {
            assert_near(case.displacement(below(0.0, 0.049), &two), 0.0);
            // The strength that is left, 0.2 weights, presses down at one end of the grips and pulls more at the other.
            assert_near(case.displacement(below(0.0, 0.15), &two), 0.09);
        }
    }
}

#[test]
fn hold_types_decide_what_an_effector_can_do() {
    let case = Case::new(RootJoint::Free, 0.5, &[hand(0.0, 2.0 * WEIGHT)]);
    for (hold_type, normal, carries) in [
        (HoldType::LoadBearing, UP, true),
        (HoldType::LoadBearing, -UP, false),
        (HoldType::Pendent, -UP, true),
        (HoldType::Hybrid, Vec3::X, true),
    ] {
        let contacts = [contact(0, hold_type, Vec3::ZERO, normal)];
        assert_eq!(case.displacement(-UP, &contacts) == 0.0, carries, "{hold_type:?}");
    }
}

#[test]
fn a_chimney_needs_friction_and_strength() {
    let walls = [Vec3::NEG_X, Vec3::X];
    let contacts: Vec<Contact> =
        (0..2).map(|index| contact(index, HoldType::Hybrid, walls[index], -walls[index])).collect();
    for root in [RootJoint::Planar, RootJoint::Free] {
        // Each wall carries half the weight with friction, so the push is half the weight by the friction.
        let least_push = 0.5 * WEIGHT / 0.3;
        for (friction, max_push, carries) in [
            (0.3, 1.0001 * least_push, true),
            (0.3, 0.9999 * least_push, false),
            (0.2, 1.0001 * least_push, false),
            (0.0, 1e9, false),
        ] {
            let foot = ContactAbility::point(max_push);
            let case = Case::new(root, friction, &[foot, foot]);
            let displacement = case.displacement(Vec3::ZERO, &contacts);
            assert_eq!(displacement == 0.0, carries, "{root:?} {friction} {max_push}: {displacement}");
        }
    }
}

#[test]
fn damaged_and_empty_stances_carry_nothing() {
    let case = Case::new(RootJoint::Free, 0.5, &[sole()]);
    let good = standing(0, Vec3::ZERO);
    assert_eq!(case.displacement(UP, &[]), f64::INFINITY);
    assert_eq!(case.displacement(Vec3::NAN, &[good]), f64::INFINITY);
    let unknown_effector = Contact { effector: EffectorId::new(7), ..good };
    let unknown_hold = Contact { hold: HoldId::new(99), ..good };
    let far = Contact { point: Vec3::splat(3e38), ..good };
    for bad in [f32::NAN, f32::INFINITY, 0.0] {
        let bad_normal = Contact { normal: UP * bad, ..good };
        assert_eq!(case.displacement(UP, &[bad_normal, unknown_effector, unknown_hold]), f64::INFINITY);
        // Contacts that bear nothing do not disturb one that does.
        assert_near(case.displacement(Vec3::new(0.3, 1.0, 0.0), &[bad_normal, unknown_hold, good]), 0.1);
    }
    let bad_point = Contact { point: Vec3::new(f32::NAN, 0.0, 0.0), ..good };
    assert_eq!(case.displacement(UP, &[bad_point]), f64::INFINITY);
    assert_eq!(case.displacement(UP, &[far]), f64::INFINITY);
    assert!(is_in_equilibrium(&case.character, &case.world, &case.at(UP), &[good], f64::NAN));
    let mut other = case.at(UP);
    other.angles.push(0.0);
    assert!(!is_in_equilibrium(&case.character, &case.world, &other, &[good], 1.0));
    let mut changed = case.character.clone();
    changed.effectors[EffectorId::new(0)].link = LinkId::new(9);
    assert!(!is_in_equilibrium(&changed, &case.world, &case.at(UP), &[good], 1.0));
}

/// Stances of up to twelve contacts in any direction, with any strength: every answer is proven, and more contacts never carry
/// less.
#[test]
fn random_stances_are_decided() {
    let mut random = Stream::new(2, "stances");
    let (mut carried, mut fell) = (0, 0);
    for index in 0..400 {
        let root = if index % 2 == 0 { RootJoint::Planar } else { RootJoint::Free };
        let strength = WEIGHT * [0.2, 1.0, 3.0, 1e6][random.below(4)];
        let grip =
            Some(Grip { axis: Vec3::Z, width: [0.0, 0.1][random.below(2)], edge_reach: None, max_force: strength });
        let ability = ContactAbility { grip, max_push: strength, ..sole() };
        let case = Case::new(root, [0.0, 0.5, random.between(0.0, 1.5)][random.below(3)], &[ability; 12]);
        let count = 1 + random.below(if index % 10 == 0 { 12 } else { 4 });
        let depth = if root == RootJoint::Planar { 0.0 } else { 1.0 };
        let mut draw = || [1.0, 1.0, depth].map(|size| random.between(-size, size));
        let center = Vec3::from(draw());
        let contacts: Vec<Contact> = (0..count)
            .map(|effector| {
                // Some stances are along the axes, where forces are parallel and moments vanish.
                let round = |vector: Vec3| if index % 3 == 0 { vector.round() } else { vector };
                let normal = round(Vec3::from(draw()).normalize()).normalize_or(UP);
                contact(effector, HoldType::of_normal(normal), round(Vec3::from(draw())), normal)
            })
            .collect();
        let mut before = f64::INFINITY;
        for count in 1..=count {
            let displacement = case.displacement(center, &contacts[..count]);
            assert!(displacement <= before + 1e-5, "case {index}: {displacement} > {before}");
            before = displacement;
            let equilibrium = stance_equilibrium(&case.character, &case.world, &case.at(center), &contacts[..count]);
            for by in [0.0, 0.1, 1.0, 10.0] {
                let answer = equilibrium.as_ref().map(|equilibrium| equilibrium.answer(by));
                assert!(answer.is_some_and(|answer| answer != Answer::Undecided), "case {index}, {count} contacts");
            }
        }
        *(if before == 0.0 { &mut carried } else { &mut fell }) += 1;
    }
    assert!(carried > 50 && fell > 50, "{carried} {fell}");
}
