//! The planner's and the checker's equilibrium agree on random stances.
//!
//! Both follow the force model that `clamber_model::contact` declares, by different methods: linear programs, and a search for the
//! nearest point of a polytope. `CLAMBER_STANCES=100000 cargo test --release -p clamber --test equilibrium -- --nocapture` draws that
//! many stances per character and prints what was found.

mod random_body;
mod stances;

use clamber::Character;
use clamber::check::equilibrium::{displacement_to_equilibrium, largest_torque_ratio};
use clamber::io::builtin;
use clamber::model::Contact;
use clamber::model::id::LimbId;
use clamber::model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber::model::math::Vec3;
use clamber::posture::equilibrium::{EffortSolver, EquilibriumSolver, SupportRegion};
use stances::DrawnStance;

/// Differences below this share of the body size or of the weight do not count.
const TOLERANCE: f64 = 1e-3;
/// Distance from the border of equilibrium that counts as near, in meters.
const NEAR: f64 = 0.05;

/// Stances per character: 1000, or what the environment says.
fn count() -> u64 {
    std::env::var("CLAMBER_STANCES").ok().and_then(|count| count.parse().ok()).unwrap_or(1000)
}

/// Computes what the planner knows about a stance.
struct Planner<'a> {
    character: &'a Character,
    solver: EquilibriumSolver,
    frames: LinkFrames,
}

impl Planner<'_> {
    fn center(&mut self, drawn: &DrawnStance) -> Vec3 {
        forward(self.character, &drawn.configuration, &mut self.frames);
        center_of_mass(self.character, &self.frames)
    }

    fn distance(&mut self, drawn: &DrawnStance) -> f64 {
        let center = self.center(drawn);
        let Self { character, solver, frames } = self;
        solver.distance_outside(character, &drawn.world, frames, &drawn.stance, center)
    }

    /// How far the center of mass is inside the support region, in meters.
    fn distance_inside(&mut self, drawn: &DrawnStance) -> f64 {
        let center = self.center(drawn);
        let Self { character, solver, frames } = self;
        let SupportRegion { corners } = solver.support_region(character, &drawn.world, frames, &drawn.stance);
        let directions: Vec<Vec3> =
            corners.iter().filter_map(|corner| (*corner - center).with_y(0.0).try_normalize()).collect();
        let extent =
            |direction: &Vec3| corners.iter().map(|corner| direction.dot(*corner - center)).fold(0.0, f32::max);
        f64::from(directions.iter().map(extent).fold(f32::INFINITY, f32::min))
    }
}

/// A character whose links are heavier by a share.
fn heavier(character: &Character, share: f64) -> Character {
    let mut description = character.description();
    for link in &mut description.links {
        link.mass *= (1.0 + share) as f32;
    }
    Character::new(description).unwrap()
}

fn assert_agreement(name: &str) {
    let character = builtin::character(name).unwrap();
    let [heavy, light] = [TOLERANCE, -TOLERANCE].map(|share| heavier(&character, share));
    let empty = random_body::empty_world(&character);
    let planner =
        |character| Planner { character, solver: EquilibriumSolver::default(), frames: LinkFrames::default() };
    let (mut planned, mut heavy, mut light) = (planner(&character), planner(&heavy), planner(&light));
    let tolerance = TOLERANCE * f64::from(character.body_size());
    let (mut inside, mut outside, mut near, mut on_border, mut sensitive) = (0, 0, 0, 0, 0);
    let (mut worst, mut disagreements) = (0.0f64, Vec::new());
    for number in 0..count() {
        let drawn = stances::draw(&character, &empty, number);
        let distance = planned.distance(&drawn);
        let DrawnStance { configuration, world, stance } = &drawn;
        let checked = displacement_to_equilibrium(&character, world, configuration, stance);
        let is_near = match distance > 0.0 {
            true => distance < NEAR,
            false => planned.distance_inside(&drawn) < NEAR,
        };
        *(if distance > 0.0 { &mut outside } else { &mut inside }) += 1;
        near += u64::from(is_near);
        if distance.is_infinite() && checked.is_infinite() {
            continue;
        }
        let difference = (distance - checked).abs();
        if difference <= tolerance {
            worst = worst.max(difference);
        } else if distance > tolerance && checked > tolerance && difference.is_finite() {
            // Both find that the body falls. How far is sensitive to rounding where the contacts hardly hold at all.
            sensitive += 1;
        } else if heavy.distance(&drawn).is_finite() != light.distance(&drawn).is_finite() {
            // A little more or less strength decides.
            on_border += 1;
        } else {
            disagreements.push((number, distance, checked));
        }
    }
    println!(
        "{name}: {} stances, {inside} carried, {outside} not, {near} within {NEAR} m of the border; {} disagreements, {on_border} on the \
         border of strength, {sensitive} falling with distances that differ by more than {tolerance:.1e} m, otherwise by at most {worst:.1e} m",
        count(),
        disagreements.len()
    );
    assert!(disagreements.is_empty(), "{name}: {:?}", &disagreements[..disagreements.len().min(5)]);
    let share = |of: u64| of as f64 / count() as f64;
    assert!(share(inside) >= 0.3 && share(outside) >= 0.3 && share(near) >= 0.2, "{name}: {inside} {outside} {near}");
}

#[test]
fn planner_and_checker_agree_on_stances_of_the_figure() {
    assert_agreement("figure");
}

#[test]
fn planner_and_checker_agree_on_stances_of_the_human() {
    assert_agreement("human");
}

#[test]
fn planner_and_checker_agree_on_stances_of_the_insect() {
    assert_agreement("insect");
}

#[test]
fn planner_and_checker_agree_on_stances_of_the_dog() {
    assert_agreement("dog");
}

/// Planner and checker compute the same efforts where the body is carried.
#[test]
fn planner_and_checker_agree_on_efforts() {
    let figure = builtin::character("figure").unwrap();
    let empty = random_body::empty_world(&figure);
    let (mut solver, mut frames) = (EffortSolver::default(), LinkFrames::default());
    let (mut compared, mut strenuous, mut same) = (0, 0, 0);
    for number in 0..count() {
        let drawn = stances::draw(&figure, &empty, number);
        let DrawnStance { configuration, world, stance } = &drawn;
        if displacement_to_equilibrium(&figure, world, configuration, stance) > 0.0 {
            continue;
        }
        // The planner leaves out limbs without contacts.
        let character = with_strengths_of_limbs_in_contact(&figure, stance);
        forward(&character, configuration, &mut frames);
        let planned = solver.effort(&character, world, &frames, stance);
        let checked = largest_torque_ratio(&character, world, configuration, stance);
        let (Some(planned), Some(checked)) = (planned, checked) else {
            assert_eq!(planned.is_some(), checked.is_some(), "stance {number}");
            continue;
        };
        let tolerance = 1e-3 * (1.0 + checked);
        assert!(planned <= checked + tolerance, "stance {number}: {planned}, not {checked}");
        compared += 1;
        strenuous += u64::from(checked > 1.0);
        same += u64::from(planned >= checked - tolerance);
    }
    assert!(compared > count() / 10 && strenuous > compared / 10, "{compared} compared, {strenuous} strenuous");
    // In the others, the body is jammed between contacts, and the planner would rather displace it.
    assert!(same > compared * 9 / 10, "{same} of {compared} are the same");
}

fn with_strengths_of_limbs_in_contact(character: &Character, stance: &[Contact]) -> Character {
    let holds = |limb: LimbId| stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(limb));
    let mut description = character.description();
    for hinge in &mut description.hinges {
        let is_loaded = character.limb_of_link(hinge.link).is_some_and(holds);
        hinge.strength = hinge.strength.filter(|_| is_loaded);
    }
    Character::new(description).unwrap()
}

#[test]
fn stances_are_reproducible_and_varied() {
    for name in ["figure", "human", "insect", "dog"] {
        let character = builtin::character(name).unwrap();
        let empty = random_body::empty_world(&character);
        let mut contacts = [0; 7];
        for number in 0..500 {
            let drawn = stances::draw(&character, &empty, number);
            assert_eq!(drawn.configuration, stances::draw(&character, &empty, number).configuration);
            drawn.configuration.check(&character).unwrap();
            assert!(drawn.stance.iter().all(|contact| contact.point.is_finite() && contact.normal.is_normalized()));
            assert_eq!(drawn.world.holds.len(), drawn.stance.len());
            contacts[drawn.stance.len()] += 1;
        }
        let most = character.effectors.len().min(6);
        assert!(contacts[1..=most].iter().all(|&count| count > 5), "{name}: {contacts:?}");
    }
}
