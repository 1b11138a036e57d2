//! What contacts lack to carry the body is named with amounts that would do.

mod common;

use std::ops::ControlFlow;
use std::sync::Arc;

use clamber::io::Scene;
use clamber::model::{Character, Problem};
use clamber::plan::{Failure, Impasse, ImpasseCause, MissingSupport, PlanOutcome};
use common::{ground, places, plan, read, scene, settings};

fn plan_in_equilibrium(problem: &Problem) -> PlanOutcome {
    plan(problem, &settings(|_| {}), 1, &mut |_| ControlFlow::Continue(()))
}

/// Whether a plan fails. The budget is smaller than what an explanation takes.
fn fails_in_equilibrium(problem: &Problem) -> bool {
    let settings = settings(|settings| settings.max_expansions = 100_000);
    plan(problem, &settings, 1, &mut |_| ControlFlow::Continue(())).failure.is_some()
}

/// The effectors, their holds, and what is missing.
fn not_carried(outcome: &PlanOutcome) -> (&Impasse, [&[String]; 2], &[MissingSupport]) {
    match &outcome.failure {
        Some(Failure::Impasse(impasse)) => match &impasse.cause {
            ImpasseCause::NotCarried { effectors, holds, missing } => (impasse, [effectors, holds], missing),
            _ => panic!("{impasse}"),
        },
        other => panic!("{other:?}"),
    }
}

/// Level ground, and a slab that rises by one half, with this friction.
fn slope(friction: f32) -> Scene {
    read(&format!(
        "version = 2\nname = \"slope\"\ncharacter = \"figure.toml\"\nbounds = {{ min = [-1, -1], max = [8, 6] }}\n\
         [[obstacle]]\nname = \"ground\"\npolygon = [[-2, -1], [2, -1], [2, 0], [-2, 0]]\n\
         holds = {{ every = 0.3, types = [\"load-bearing\"] }}\n\
         [[obstacle]]\nname = \"slab\"\npolygon = [[2, -1], [9, -1], [9, 2.5], [7, 2.5], [2, 0]]\n\
         holds = {{ every = 0.3, types = [\"load-bearing\"] }}\nfriction = {friction}\n\
         [start]\nposition = [0.3, 0.91]\nmode = \"walking\"\ncontacts = {{ left_foot = [0, 0], right_foot = [0.3, 0] }}\n\
         [goal]\nposition = [8, 3.41]\nmode = \"walking\"\ncontacts = {{ left_foot = [7.7, 2.5], right_foot = [8, 2.5] }}\n"
    ))
}

#[test]
fn a_slippery_slab_is_named_with_the_friction_that_would_do() {
    let outcome = plan_in_equilibrium(&slope(0.3).problem);
    let (found, [effectors, holds], missing) = not_carried(&outcome);
    let [MissingSupport::Friction { surfaces, friction, sufficient }] = missing else { panic!("{found}") };
    assert_eq!((surfaces.as_slice(), *friction), (&["slab".to_owned()][..], 0.3), "{found}");
    // The tangent of the slope, and what a bisection adds to it.
    assert!((0.5..0.52).contains(sufficient), "{found}");
    assert!(!effectors.is_empty() && effectors.len() == holds.len(), "{found}");
    assert!(holds.iter().any(|hold| hold.starts_with("slab ")), "{found}");
    assert!((2.0..5.0).contains(&found.blocked_position.x), "{found}");
    assert_eq!(plan_in_equilibrium(&slope(1.01 * sufficient).problem).failure, None);
    assert!(fails_in_equilibrium(&slope(0.97 * sufficient).problem));
}

/// The monkey bars, with the force of the figure's hands.
fn monkey_bars(force: f32) -> Problem {
    let mut problem = scene("swing").problem;
    let mut character = Character::clone(&problem.character);
    for grip in character.effectors.iter_mut().filter_map(|effector| effector.ability.grip.as_mut()) {
        grip.max_force = force;
    }
    problem.character = Arc::new(character);
    problem
}

#[test]
fn weak_hands_are_named_with_the_strength_that_would_do() {
    let outcome = plan_in_equilibrium(&monkey_bars(400.0));
    let (found, [effectors, holds], missing) = not_carried(&outcome);
    let [MissingSupport::Strength { groups, force, factor }] = missing else { panic!("{found}") };
    assert_eq!((groups.as_slice(), *force), (&["hands".to_owned()][..], 400.0), "{found}");
    // One hand carries the weight of 75 kg.
    assert!((1.83..1.9).contains(factor), "{found}");
    assert!(effectors.iter().all(|effector| effector.ends_with("hand")), "{found}");
    assert!(holds.iter().all(|hold| hold.starts_with("bar ")), "{found}");
    assert_eq!(found.mode, "swinging");
    assert_eq!(plan_in_equilibrium(&monkey_bars(400.0 * 1.01 * factor)).failure, None);
    assert!(fails_in_equilibrium(&monkey_bars(400.0 * 0.97 * factor)));
}

#[test]
fn a_wide_step_is_named_with_the_distance_of_the_center_of_mass() {
    let problem = ground(&places(9, 1.45), "").problem;
    let outcome = plan_in_equilibrium(&problem);
    let (found, [effectors, holds], missing) = not_carried(&outcome);
    let [MissingSupport::Balance { distance }] = missing else { panic!("{found}") };
    assert!((0.1..0.6).contains(distance), "{found}");
    assert!(effectors.iter().all(|effector| effector.ends_with("foot")), "{found}");
    assert_eq!((holds, found.mode.as_str()), (&["h3".to_owned()][..], "walking"), "{found}");

    let mut farther = problem.clone();
    let mut table = (**problem.modes.as_ref().unwrap()).clone();
    let walking = table.find_mode("walking").unwrap();
    table.modes[walking].max_center_offset += 1.05 * distance / problem.character.body_size();
    farther.modes = Some(Arc::new(table));
    assert_eq!(plan_in_equilibrium(&farther).failure, None);
}

#[test]
fn without_equilibrium_contacts_need_not_carry_the_body() {
    let settings = settings(|settings| settings.equilibrium = false);
    let mut observer = |_: &_| ControlFlow::Continue(());
    for problem in [slope(0.3).problem, monkey_bars(400.0), ground(&places(9, 1.45), "").problem] {
        assert_eq!(plan(&problem, &settings, 1, &mut observer).failure, None);
    }
    // A hold that is out of reach is the reason in either case. Who keeps balance takes shorter steps.
    let problem = ground(&places(9, 3.0), "").problem;
    let reach = |outcome: PlanOutcome| match outcome.failure {
        Some(Failure::Impasse(Impasse { cause: ImpasseCause::TooFar { distance, reach, .. }, .. })) => {
            assert!((distance - 3.0).abs() < 1e-4, "{distance}");
            reach
        }
        other => panic!("{other:?}"),
    };
    let [balanced, leaning] = [plan_in_equilibrium(&problem), plan(&problem, &settings, 1, &mut observer)].map(reach);
    assert!(1.0 < balanced && balanced < leaning && leaning < 2.0, "{balanced} {leaning}");
}
