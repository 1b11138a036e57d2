//! Given postures of the shipped characters settle on reachable targets, within the limits and close to where they were.
//!
//! The required success rates are slightly below the measured ones, which the tests print (`--nocapture`).

use clamber_model::character::RootJoint;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration};
use clamber_posture::contact_projection::ContactProjection;
use clamber_posture::solver::{ContactTarget, StanceSolver};
use clamber_testing::{character, figure_without_feet};

const CASES: usize = 500;

/// Greatest distance of a settled effector from its target, in meters, and greatest chord between facings.
const TOLERANCE: f32 = 2e-6;

/// Effectors that get targets at the same time.
const TOGETHER: [(&str, &[&str]); 10] = [
    ("figure without feet", &["left_hand", "right_foot"]),
    ("figure without feet", &["left_hand", "right_hand", "left_foot", "right_foot"]),
    ("figure", &["left_hand", "right_foot"]),
    ("figure", &["left_hand", "right_hand", "left_foot", "right_foot"]),
    ("human", &["left_hand", "right_ball"]),
    ("human", &["left_hand", "right_hand", "left_ball", "right_ball"]),
    ("human", &["left_hand", "right_hand", "left_heel", "left_ball", "right_heel", "right_ball"]),
    ("insect", &["left_fore_foot", "right_hind_foot"]),
    ("insect", &["left_fore_foot", "left_hind_foot", "right_fore_foot", "right_hind_foot"]),
    (
        "insect",
        &["left_fore_foot", "left_mid_foot", "left_hind_foot", "right_fore_foot", "right_mid_foot", "right_hind_foot"],
    ),
];

/// The given posture.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    /// The rest posture.
    Rest,
    /// The target configuration, with each degree of freedom changed by up to 0.3 (radians, meters).
    Near,
}

/// A family of random problems.
struct Trial<'a> {
    character: &'a Character,
    effectors: &'a [EffectorId],
    with_facing: bool,
}

impl Trial<'_> {
    /// Returns the success rate. Targets come from random configurations within the limits, so all are reachable.
    fn share_settled(&self, given: Given) -> f32 {
        let character = self.character;
        let mut stream = Stream::new(1, "targets");
        let (mut solver, mut frames) = (StanceSolver::new(character), LinkFrames::default());
        let mut count = 0;
        for _ in 0..CASES {
            let goal = random_configuration(character, &mut stream);
            forward(character, &goal, &mut frames);
            let targets: Vec<ContactTarget> = self.effectors.iter().map(|&e| self.target(e, &frames)).collect();
            let mut configuration = Configuration::rest(character);
            if given == Given::Near {
                configuration.clone_from(&goal);
                let change = |_| stream.between(-0.3, 0.3);
                let displacement: Vec<f32> = (0..character.degrees_of_freedom()).map(change).collect();
                configuration.displace(character, &displacement);
            }
            let is_settled = solver.settle(character, &mut configuration, &targets);
            assert_eq!(configuration.check(character), Ok(()));
            if is_settled {
                count += 1;
                self.assert_met(&configuration, &targets);
            }
        }
        count as f32 / CASES as f32
    }

    fn target(&self, effector: EffectorId, frames: &LinkFrames) -> ContactTarget {
        let center = effector_position(self.character, frames, effector);
        let effector_of = &self.character.effectors[effector];
        let rotation = frames.world_from_link[effector_of.link].rotation;
        let facing = effector_of.facing.filter(|_| self.with_facing).map(|facing| rotation * facing);
        ContactTarget { effector, center, facing, forward: None }
    }

    /// Checks reported success with forward kinematics.
    fn assert_met(&self, found: &Configuration, targets: &[ContactTarget]) {
        let mut frames = LinkFrames::default();
        forward(self.character, found, &mut frames);
        for target in targets {
            let now = self.target(target.effector, &frames);
            assert!(now.center.distance(target.center) <= TOLERANCE, "{target:?}: {now:?}");
            if let (Some(wanted), Some(facing)) = (target.facing, now.facing) {
                assert!(wanted.distance(facing) <= 5.0 * TOLERANCE, "{target:?}: {now:?}");
            }
        }
    }
}

/// Returns a random configuration within the limits, with the root up to 0.5 m and 40 degrees off.
fn random_configuration(character: &Character, stream: &mut Stream) -> Configuration {
    let mut configuration = Configuration::rest(character);
    let off_plane = if character.root_joint == RootJoint::Planar { 0.0 } else { 1.0 };
    let place = random_vector(stream) * Vec3::new(0.5, 0.5, 0.5 * off_plane);
    let axis = (random_vector(stream) * Vec3::new(off_plane, off_plane, 1.0)).normalize();
    configuration.root = Pose::from_parts(place, rotation_about(axis, stream.between(-0.7, 0.7)));
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle = stream.between(hinge.min, hinge.max);
    }
    configuration
}

fn random_vector(stream: &mut Stream) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| stream.between(-1.0, 1.0)))
}

fn effectors(character: &Character, names: &[&str]) -> Vec<EffectorId> {
    names.iter().map(|name| character.find_effector(name).unwrap()).collect()
}

#[test]
fn several_effectors_reach_their_targets_at_once() {
    for (name, names) in TOGETHER {
        let character = if name == "figure without feet" { figure_without_feet() } else { character(name) };
        let trial = Trial { character: &character, effectors: &effectors(&character, names), with_facing: false };
        let [near, rest] = [Given::Near, Given::Rest].map(|given| trial.share_settled(given));
        println!("{name}, {} effectors: from near {near}, from rest {rest}", names.len());
        assert!(near >= 0.99 && rest >= 0.99, "{name}: {near}, {rest}");
    }
}

#[test]
fn palms_and_soles_turn_toward_their_targets() {
    let character = character("human");
    for (_, names) in TOGETHER.into_iter().filter(|(name, _)| *name == "human") {
        let trial = Trial { character: &character, effectors: &effectors(&character, names), with_facing: true };
        let [near, rest] = [Given::Near, Given::Rest].map(|given| trial.share_settled(given));
        println!("{} facings: from near {near}, from rest {rest}", names.len());
        assert!(near >= 0.99 && rest >= 0.99, "{}: {near}, {rest}", names.len());
    }
}

#[test]
fn a_posture_close_to_its_targets_stays_close() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let character = character(name);
        let mut stream = Stream::new(1, "close");
        let (mut solver, mut frames) = (StanceSolver::new(&character), LinkFrames::default());
        let trial = Trial {
            character: &character,
            effectors: &character.effectors.keys().collect::<Vec<_>>(),
            with_facing: true,
        };
        for _ in 0..50 {
            let goal = random_configuration(&character, &mut stream);
            forward(&character, &goal, &mut frames);
            let targets: Vec<ContactTarget> = trial.effectors.iter().map(|&e| trial.target(e, &frames)).collect();
            let displacement: Vec<f32> =
                (0..character.degrees_of_freedom()).map(|_| stream.between(-0.02, 0.02)).collect();
            let mut given = goal.clone();
            given.displace(&character, &displacement);
            let mut settled = given.clone();
            assert!(solver.settle(&character, &mut settled, &targets), "{name}");
            let mut change = Vec::new();
            given.displacement_to(&character, &settled, &mut change);
            let most = change.iter().fold(0.0, |most: f32, change| most.max(change.abs()));
            assert!(most < 0.2, "{name}: {most}");
            // Nothing is left to do.
            let again = settled.clone();
            assert!(solver.settle(&character, &mut settled, &targets));
            assert_eq!(settled, again);
        }
    }
}

/// Only the limb moves, from angles near those of a reachable place.
#[test]
fn one_limb_reaches_its_target_alone() {
    for name in ["human", "insect", "spider"] {
        let character = character(name);
        let mut projection = ContactProjection::new(&character, 0.1, 0.0);
        let (mut stream, mut frames) = (Stream::new(1, "limbs"), LinkFrames::default());
        for (index, limb) in character.limbs.iter_enumerated() {
            // The first effector of a limb is at its tip.
            let effector = character.effectors.position(|effector| effector.limb == Some(index)).unwrap();
            let mut reached = 0;
            for _ in 0..CASES {
                let mut goal = Configuration::rest(&character);
                let mut given = goal.clone();
                for hinge in limb.hinges.iter().copied() {
                    let limits = &character.hinges[hinge];
                    goal.angles[hinge] = stream.between(limits.min, limits.max);
                    let near = goal.angles[hinge] + stream.between(-0.3, 0.3);
                    given.angles[hinge] = near.clamp(limits.min, limits.max);
                }
                forward(&character, &goal, &mut frames);
                let center = effector_position(&character, &frames, effector);
                let mut found = given.clone();
                reached += usize::from(projection.bend_limb_to(&character, &mut found, effector, center));
                assert_eq!(found.root, given.root);
            }
            let share = reached as f32 / CASES as f32;
            println!("{name}, {}: {share}", limb.name);
            assert!(share >= 0.99, "{name}: {}: {share}", limb.name);
        }
    }
}

/// The human stands on the ground at y = 0 and puts a foot down within a short step.
#[test]
fn a_sole_lies_flat_on_the_ground() {
    let human = character("human");
    let [heel, ball] = ["right_heel", "right_ball"].map(|name| human.find_effector(name).unwrap());
    let sole = human.effectors[heel].center.distance(human.effectors[ball].center);
    let feet = ["right_foot", "right_toes"].map(|name| human.find_link(name).unwrap());
    let mut stream = Stream::new(1, "steps");
    let (mut solver, mut frames) = (StanceSolver::new(&human), LinkFrames::default());
    for _ in 0..CASES {
        let heading = stream.between(-3.0, 3.0);
        let hips = Vec3::new(stream.between(-2.0, 2.0), stream.between(0.83, 0.88), stream.between(-2.0, 2.0));
        let mut configuration = Configuration::rest(&human);
        configuration.root = Pose::from_parts(hips, rotation_about(Vec3::Y, heading));
        let aside = Vec3::new(stream.between(-0.15, 0.05), 0.0, 0.09 + stream.between(-0.02, 0.1));
        let along = rotation_about(Vec3::Y, heading + stream.between(-0.4, 0.1)) * Vec3::X;
        let under_heel = (configuration.root * aside).with_y(0.0);
        let target = |effector: EffectorId, under: Vec3| ContactTarget {
            effector,
            center: clamber_model::contact::center_when_touching(&human.effectors[effector], under, Vec3::Y),
            facing: Some(Vec3::NEG_Y),
            forward: None,
        };
        let targets = [target(heel, under_heel), target(ball, under_heel + along * sole)];
        assert!(solver.settle(&human, &mut configuration, &targets));
        forward(&human, &configuration, &mut frames);
        let bottoms = (0..human.capsules.len()).filter(|&c| feet.contains(&human.link_of_capsule[c])).map(|index| {
            let capsule = capsule_in_world(&human, &frames, index);
            capsule.a.y.min(capsule.b.y) - capsule.radius
        });
        let lowest = bottoms.fold(f32::INFINITY, f32::min);
        assert!(lowest.abs() < 3e-4, "{lowest}");
    }
}

/// The Jacobian of a fully stretched limb cannot shorten it.
#[test]
fn a_stretched_limb_can_bend_again() {
    for (name, hinges) in
        [("figure", ["left_shoulder", "left_elbow"]), ("human", ["left_shoulder_swing", "left_elbow"])]
    {
        let character = character(name);
        let hand = character.find_effector("left_hand").unwrap();
        let [shoulder, elbow] = hinges.map(|name| character.find_hinge(name).unwrap());
        let mut configuration = Configuration::rest(&character);
        configuration.angles.fill(0.0);
        configuration.angles[shoulder] = 2.0;
        assert_eq!(configuration.angles[elbow], character.hinges[elbow].min);
        let mut frames = LinkFrames::default();
        forward(&character, &configuration, &mut frames);
        let at_shoulder = frames.world_from_link[character.hinges[shoulder].link].translation;
        let stretched = effector_position(&character, &frames, hand);
        let center = at_shoulder + (stretched - at_shoulder) * 0.8;
        // The other limbs stay, which keeps the body from following the hand.
        let limb = |effector: EffectorId| character.effectors[effector].limb;
        let other = |effector: &EffectorId| limb(*effector) != limb(hand);
        let stays = |effector| ContactTarget {
            effector,
            center: effector_position(&character, &frames, effector),
            facing: None,
            forward: None,
        };
        let mut targets: Vec<ContactTarget> = character.effectors.keys().filter(other).map(stays).collect();
        targets.push(ContactTarget { effector: hand, center, facing: None, forward: None });
        assert!(StanceSolver::new(&character).settle(&character, &mut configuration, &targets), "{name}");
    }
}

#[test]
fn an_opposite_facing_can_be_corrected() {
    let human = character("human");
    let hand = human.find_effector("right_hand").unwrap();
    let mut configuration = Configuration::rest(&human);
    let mut frames = LinkFrames::default();
    forward(&human, &configuration, &mut frames);
    let rotation = frames.world_from_link[human.effectors[hand].link].rotation;
    let facing = rotation * human.effectors[hand].facing.unwrap();
    let center = effector_position(&human, &frames, hand);
    let target = ContactTarget { effector: hand, center, facing: Some(-facing), forward: None };
    assert!(StanceSolver::new(&human).settle(&human, &mut configuration, &[target]));
}

#[test]
fn unreachable_targets_are_approached() {
    let figure = character("figure");
    let target = |name: &str, x: f32, y: f32| ContactTarget {
        effector: figure.find_effector(name).unwrap(),
        center: Vec3::new(x, y, 0.0),
        facing: None,
        forward: None,
    };
    let targets = [target("left_foot", 0.0, 0.0), target("left_hand", 0.0, 4.0)];
    let settle = || {
        let mut configuration = Configuration::rest(&figure);
        assert!(!StanceSolver::new(&figure).settle(&figure, &mut configuration, &targets));
        configuration
    };
    let approached = settle();
    // Stretched from the ball of its foot to its hand, the body is about 2.1 m long and misses both by the same.
    let miss = |target: &ContactTarget| {
        clamber_testing::effector_center(&figure, &approached, target.effector).distance(target.center)
    };
    println!("{} {}", miss(&targets[0]), miss(&targets[1]));
    assert!((miss(&targets[0]) - miss(&targets[1])).abs() < 0.01 && (miss(&targets[0]) - 0.95).abs() < 0.1);
    assert_eq!(approached, settle(), "the same question has the same answer");
}

#[test]
fn a_target_that_is_not_finite_moves_nothing() {
    let figure = character("figure");
    let good =
        ContactTarget { effector: EffectorId::from(0), center: Vec3::new(0.3, 0.3, 0.0), facing: None, forward: None };
    for center in [Vec3::NAN, Vec3::INFINITY] {
        let bad = ContactTarget { effector: EffectorId::from(2), center, facing: None, forward: None };
        for targets in [&[bad][..], &[good, bad]] {
            let mut configuration = Configuration::rest(&figure);
            assert!(!StanceSolver::new(&figure).settle(&figure, &mut configuration, targets));
            assert_eq!(configuration, Configuration::rest(&figure));
        }
    }
}

#[test]
fn a_scaled_character_takes_the_same_steps() {
    for name in ["figure", "human", "insect", "dog", "spider"] {
        let small = character(name);
        let large = small.scaled(2.0).unwrap();
        let effector = EffectorId::from(0);
        let at_rest = clamber_testing::effector_center(&small, &Configuration::rest(&small), effector);
        let [small, large] = [(&small, 1.0), (&large, 2.0)].map(|(character, factor)| {
            let mut configuration = Configuration::rest(character);
            let center = (at_rest + Vec3::new(0.1, 0.05, 0.0)) * factor;
            let target = ContactTarget { effector, center, facing: None, forward: None };
            assert!(StanceSolver::new(character).settle(character, &mut configuration, &[target]));
            configuration
        });
        assert_eq!(small.angles, large.angles, "{name}");
        assert_eq!(small.root.translation * 2.0, large.root.translation, "{name}");
    }
}
