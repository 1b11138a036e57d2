use clamber_model::character::GRAVITY;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::link_pose;
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::Posture;
use clamber_model::self_collision;
use clamber_model::world::{Hold, HoldShape, HoldType};
use clamber_model::{Character, Configuration, ModeTable, World};
use clamber_testing::{character, figure_without_feet, ground_world, hold, scaled, slip, table, table_of};

use super::{StandError, StandRequest, stand};

fn step(name: &str, x: f32, y: f32) -> Hold {
    hold(name, [x, y], Vec3::Y, HoldType::LoadBearing)
}

fn bar(name: &str, x: f32, y: f32) -> Hold {
    hold(name, [x, y], -Vec3::Y, HoldType::Pendent)
}

/// Ground with two holds, a beam to hang from and a hold that is out of reach, all scaled.
fn world(factor: f32) -> World {
    let holds = vec![
        step("left", -0.15, 0.0),
        step("right", 0.15, 0.0),
        bar("bar", 0.0, 2.4),
        bar("next bar", 0.3, 2.4),
        step("far", 3.5, 0.0),
    ];
    ground_world(vec![("beam", [[-1.0, 2.4], [1.0, 2.6]])], holds, factor)
}

/// The figure, scaled, and its mode table with scaled lengths.
fn figure(factor: f32) -> (Character, ModeTable) {
    let figure = character("figure");
    let mut table = table(&figure);
    for balance in table.modes.iter_mut().filter_map(|mode| mode.balance.as_mut()) {
        balance.within *= factor;
    }
    (scaled(&figure, factor), table)
}

fn stand_scaled(request: &StandRequest, factor: f32) -> Result<Posture, StandError> {
    let (figure, table) = figure(factor);
    stand(&world(factor), &figure, &table, request)
}

/// Asserts that a posture keeps its contacts and touches nothing else, not even itself.
fn assert_valid(world: &World, character: &Character, posture: &Posture) {
    posture.configuration.check(character).unwrap();
    let slip = slip(character, &posture.configuration, &posture.stance);
    assert!(slip < 1e-4 * character.body_size(), "slip {slip}");
    let margin = Clearance::ON_CONTACTS.scaled(character.body_size()).margin;
    let mut workspace = CollisionWorkspace::default();
    assert_eq!(worst_hit(world, character, &posture.configuration, margin, &mut workspace), None);
    let links = CheckedLinks::All;
    assert!(self_collision::is_free(character, &posture.configuration, links, &mut workspace.self_collision));
}

fn feet() -> StandRequest {
    StandRequest::new().contact("left_foot", "left").contact("right_foot", "right")
}

fn hands() -> StandRequest {
    StandRequest::new().contact("left_hand", "bar").contact("right_hand", "next bar")
}

#[test]
fn the_figure_stands_upright_on_two_holds() {
    let posture = stand_scaled(&feet(), 1.0).unwrap();
    assert_valid(&world(1.0), &figure(1.0).0, &posture);
    assert_eq!(posture.mode_name, "walking");
    assert!(posture.configuration.root.translation.y > 0.75, "{:?}", posture.configuration.root);
}

#[test]
fn the_figure_hangs_from_a_bar() {
    let posture = stand_scaled(&hands().mode("swinging"), 1.0).unwrap();
    assert_valid(&world(1.0), &figure(1.0).0, &posture);
    assert!(posture.configuration.root.translation.y < 1.6, "{:?}", posture.configuration.root);
}

#[test]
fn the_human_stands_on_a_ground_hold_with_each_foot() {
    let human = character("human");
    let table = table_of("human", &human);
    let at_depth = |name, z: f32| Hold { shape: HoldShape::Point(Vec3::Z * z), ..step(name, 0.0, 0.0) };
    let world = ground_world(Vec::new(), vec![at_depth("left", -0.1), at_depth("right", 0.1)], 1.0);
    let request = StandRequest::new().contact("left_toe", "left").contact("right_toe", HoldId::new(1)).heading(Vec3::X);
    let posture = stand(&world, &human, &table, &request).unwrap();
    assert_valid(&world, &human, &posture);
}

#[test]
fn feet_on_one_point_are_in_each_other() {
    let human = character("human");
    let table = table_of("human", &human);
    let world = ground_world(Vec::new(), vec![step("left", 0.0, 0.0), step("right", 0.0, 0.0)], 1.0);
    let request = StandRequest::new().contact("left_toe", "left").contact("right_toe", "right").heading(Vec3::X);
    let error = stand(&world, &human, &table, &request).unwrap_err();
    let StandError::SelfCollision { link, other, depth } = &error else { panic!("{error}") };
    assert!(link.starts_with("left_") && other.starts_with("right_") && *depth > 0.05, "{error}");
}

#[test]
fn a_body_of_twice_the_size_stands_with_the_same_angles() {
    let [small, large] = [1.0, 2.0].map(|factor| stand_scaled(&feet(), factor).unwrap().configuration);
    assert_eq!(small.angles, large.angles);
    assert_eq!(small.root.rotation, large.root.rotation);
    assert_eq!(small.root.translation * 2.0, large.root.translation);
}

#[test]
fn a_body_of_twice_the_size_hangs_with_nearly_the_same_angles() {
    // Stretched arms need the general inverse kinematics, whose damping is not relative to the size of the body.
    let [small, large] = [1.0, 2.0].map(|factor| stand_scaled(&hands(), factor).unwrap().configuration);
    for (small, large) in small.angles.iter().zip(&large.angles) {
        assert!((small - large).abs() < 1e-2, "{small} {large}");
    }
}

#[test]
fn a_hold_out_of_reach_is_named_with_its_distance() {
    for factor in [1.0, 2.0] {
        let request = StandRequest::new().contact("left_foot", "left").contact("right_foot", "far");
        let Err(StandError::OutOfReach { effector, distance, .. }) = stand_scaled(&request, factor) else {
            panic!("3.65 m apart");
        };
        assert!(effector.ends_with("foot"), "{effector}");
        assert!((0.5 * factor..3.65 * factor).contains(&distance), "{distance}");
    }
}

#[test]
fn a_link_inside_an_obstacle_is_named() {
    let figure = figure_without_feet();
    let table = table(&figure);
    let ceiling = ("ceiling", [[-3.0, 0.5], [3.0, 3.0]]);
    let world = ground_world(vec![ceiling], vec![step("left", -0.15, 0.0), step("right", 0.15, 0.0)], 1.0);
    match stand(&world, &figure, &table, &feet()) {
        Err(StandError::Collision { obstacle, depth, .. }) => {
            assert!(obstacle == "ceiling" && depth > 0.0, "{obstacle} {depth}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_posture_resembles_its_reference() {
    let (figure, _) = figure(1.0);
    let shoulder = figure.find_hinge("left_shoulder").unwrap();
    let mut reference = clamber_testing::standing(&figure, 0.0);
    reference.angles[shoulder] = 1.0;
    let posture = stand_scaled(&feet().reference(reference), 1.0).unwrap();
    assert!((posture.configuration.angles[shoulder] - 1.0).abs() < 0.2, "{:?}", posture.configuration.angles);
}

#[test]
fn the_heading_decides_where_the_figure_faces() {
    for heading in [Vec3::X, -Vec3::X] {
        let posture = stand_scaled(&feet().heading(heading), 1.0).unwrap();
        let facing = posture.configuration.root.rotation * Vec3::X;
        assert!(facing.dot(heading) > 0.5, "{facing}");
    }
}

/// The human on two holds on the ground, on either side of a heading that is turned from +x by an angle.
fn human_on_ground(turn: f32, request: StandRequest) -> (Character, Posture) {
    let human = character("human");
    let table = table_of("human", &human);
    let aside = rotation_about(Vec3::Y, turn) * Vec3::Z * 0.1;
    let at = |name, point| Hold { shape: HoldShape::Point(point), ..step(name, 0.0, 0.0) };
    let world = ground_world(Vec::new(), vec![at("left", -aside), at("right", aside)], 1.0);
    let request = request.contact("left_toe", "left").contact("right_toe", "right");
    let posture = stand(&world, &human, &table, &request).unwrap();
    assert_valid(&world, &human, &posture);
    (human, posture)
}

#[test]
fn the_head_looks_at_a_point() {
    for point in [Vec3::new(1.0, 2.4, 0.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.5, 1.5, -2.0)] {
        let (human, posture) = human_on_ground(0.0, StandRequest::new().heading(Vec3::X).looking_at(point));
        let head = link_pose(&human, &posture.configuration, human.find_link("head").unwrap());
        let off = (head.rotation * Vec3::X).angle_between(point - head.translation);
        assert!(off < 0.3, "{point}: {off}");
    }
}

#[test]
fn without_a_heading_the_body_faces_as_its_contacts_do() {
    for turn in [0.0, 0.8, -2.2] {
        let (human, posture) = human_on_ground(turn, StandRequest::new());
        let facing = posture.configuration.root.rotation * Vec3::X;
        assert!(facing.angle_between(rotation_about(Vec3::Y, turn) * Vec3::X) < 0.1, "{turn}: {facing}");
        let angles = posture.configuration.angles.iter().zip(&human.hinges);
        let turned = angles.map(|(angle, hinge)| (angle - hinge.rest).abs()).sum::<f32>() / human.hinges.len() as f32;
        assert!(turned < 0.1, "{turn}: hinges are turned by {turned} on average");
    }
}

#[test]
fn mistakes_in_a_request_are_errors() {
    let error = |request: StandRequest| stand_scaled(&request, 1.0).unwrap_err();
    let (figure, _) = figure(1.0);
    assert_eq!(error(StandRequest::new()), StandError::NoContacts);
    let unknown = StandRequest::new().contact("third_foot", "left");
    assert_eq!(error(unknown), StandError::UnknownEffector { effector: "third_foot".to_owned() });
    let unknown = StandRequest::new().contact(EffectorId::new(0), HoldId::new(99));
    assert_eq!(error(unknown), StandError::UnknownHold { hold: "99".to_owned() });
    let twice = feet().contact("left_foot", "right");
    assert_eq!(error(twice), StandError::DuplicateEffector { effector: "left_foot".to_owned() });
    assert_eq!(error(feet().mode("flying high")), StandError::UnknownMode { mode: "flying high".to_owned() });
    assert_eq!(error(feet().mode("swinging")), StandError::ModeMismatch { mode: "swinging".to_owned() });
    assert_eq!(error(feet().heading(Vec3::Y)), StandError::InvalidVector { field: "heading" });
    assert_eq!(error(feet().looking_at(Vec3::INFINITY)), StandError::InvalidVector { field: "gaze" });
    assert_eq!(error(feet().root_position(Vec3::NAN)), StandError::InvalidVector { field: "root_position" });
    let mut reference = Configuration::rest(&figure);
    reference.angles.pop();
    assert!(matches!(error(feet().reference(reference)), StandError::InvalidReferenceConfiguration { .. }));
}

/// A character file and a mode table are enough: no code knows of paws or of eight legs.
#[test]
fn characters_with_four_six_and_eight_legs_stand_on_the_ground() {
    let corners = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    let ground = Hold { shape: HoldShape::Triangle(corners.map(Vec3::from_array)), ..step("ground", 0.0, 0.0) };
    for name in ["dog", "insect", "spider"] {
        let (character, world) = (character(name), ground_world(Vec::new(), vec![ground.clone()], 1.0));
        let table = table_of(name, &character);
        let request = character
            .effectors
            .iter()
            .fold(StandRequest::new().heading(Vec3::X), |request, effector| request.contact(&*effector.name, "ground"));
        let posture = stand(&world, &character, &table, &request).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((posture.mode_name.as_str(), posture.stance.len()), ("walking", character.effectors.len()));
        assert_valid(&world, &character, &posture);
    }
}

/// The figure on one foot on a hold of this steepness and friction, to be carried by it.
fn stand_on_slope(rise: f32, friction: f32) -> Result<Posture, StandError> {
    let normal = Vec3::new(-rise, 1.0, 0.0).normalize();
    let foothold = Hold { friction, ..hold("slab", [0.0, 0.0], normal, HoldType::LoadBearing) };
    let (figure, table) = figure(1.0);
    let world = World::planar_builder([-3.0, -3.0], [3.0, 3.0]).build().unwrap().with_holds(vec![foothold]);
    stand(&world, &figure, &table, &StandRequest::new().contact("left_foot", "slab").in_equilibrium())
}

#[test]
fn what_the_contacts_lack_to_carry_the_body_is_named() {
    let posture = stand_on_slope(0.5, 0.6).unwrap();
    assert_eq!(posture.stance.len(), 1);
    let error = stand_on_slope(0.5, 0.25).unwrap_err();
    let StandError::NotCarried { balance: None, strength: None, friction: Some(factor) } = error else {
        panic!("{error:?}")
    };
    assert!((factor - 2.0).abs() < 0.02, "{error}");
    assert!(error.to_string().contains(" times the friction would do"), "{error}");
    stand_on_slope(0.5, 0.25 * 1.01 * factor).unwrap();

    let (mut figure, table) = figure(1.0);
    let hang = StandRequest::new().contact("left_hand", "bar").in_equilibrium();
    stand(&world(1.0), &figure, &table, &hang).unwrap();
    for grip in figure.effectors.iter_mut().filter_map(|effector| effector.ability.grip.as_mut()) {
        grip.max_force = 400.0;
    }
    let error = stand(&world(1.0), &figure, &table, &hang).unwrap_err();
    let StandError::NotCarried { balance: None, strength: Some(factor), friction: None } = error else {
        panic!("{error:?}")
    };
    let weight = GRAVITY * figure.total_mass;
    assert!((400.0 * factor - weight).abs() < 0.01 * weight, "{error}");
}
