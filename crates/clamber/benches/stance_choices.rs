//! How much force stances exert for a task: those that `clamber::pose` chooses, and those of simpler choices.
//!
//! `cargo bench -p clamber --bench stance_choices [-- SCENE...]`
//!
//! For each scene of Tonneau, Pettré and Multon (2014) and each character that fits into it: the choice with limbs at ease (the default), the
//! choice of the greatest force, the best contact of each limb for itself (the paper), the nearest contact of each limb, and a random
//! one, mean of several. A dash stands for a stance that does not carry the body.

use std::path::PathBuf;
use std::sync::Arc;

use clamber::io::read_scene;
use clamber::model::id::{EffectorId, HoldId, LimbId};
use clamber::model::kinematics::{LinkFrames, forward, link_pose};
use clamber::model::math::Vec3;
use clamber::model::obstacle_collision::{CheckedLinks, CollisionWorkspace, are_links_free};
use clamber::model::rng::Stream;
use clamber::model::{Character, Configuration, Contact, Problem};
use clamber::posture::equilibrium::{ForceTask, TaskForceSolver};
use clamber::posture::limb_contacts::{
    ContactFinder, ContactScene, ContactTask, LimbDatabase, SurfaceTree, end_effectors,
};
use clamber::{PoseOutcome, PoseRequest, PoseTask, pose};

const SAMPLES: usize = 20_000;
/// Valid contacts of an effector among which the simpler choices choose.
const CONTACTS: usize = 1000;
/// Random choices.
const DRAWS: u64 = 5;
/// How far a character may stand back from where the human starts, in meters, to fit.
const MAX_STEP_BACK: f32 = 1.0;

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let characters: Vec<Character> = ["human", "insect", "dog", "spider"].map(clamber_testing::character).into();
    let characters = characters.into_iter().map(|character| (character.name.clone(), character));
    let one_armed = ("one-armed".to_owned(), clamber_testing::one_armed_human());
    let characters: Vec<(String, Character)> = characters.chain([one_armed]).collect();
    println!("force along the task, in newtons");
    println!("scene           character      at ease  greatest  limb by limb   nearest    random");
    for (scene, task) in scenes() {
        if named.is_empty() || named.iter().any(|other| other == scene) {
            for (name, character) in &characters {
                compare(scene, &task, name, character);
            }
        }
    }
}

fn scenes() -> Vec<(&'static str, PoseTask)> {
    let push = |object: &str| PoseTask::Push { direction: Vec3::X, object: object.to_owned() };
    let pull = |object: &str| PoseTask::Pull { direction: Vec3::NEG_X, object: object.to_owned() };
    vec![
        ("sofa", PoseTask::Move { direction: Vec3::Y }),
        ("chair", PoseTask::Move { direction: Vec3::Y }),
        ("books", PoseTask::Move { direction: Vec3::X }),
        ("push", push("cupboard")),
        ("push-wall", push("cupboard")),
        ("pull", pull("handle")),
        ("pull-wall", pull("handle")),
        ("pull-rope", pull("rope")),
        ("climbing-wall", PoseTask::Move { direction: Vec3::Y }),
    ]
}

fn compare(scene: &str, task: &PoseTask, name: &str, character: &Character) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let problem =
        read_scene(&root.join(format!("scenes/poses/{scene}.toml"))).expect("shipped scenes are good").problem;
    let Some(problem) = with_character(problem, character) else {
        println!("{scene:15} {name:10}  does not fit");
        return;
    };
    let chosen = [PoseRequest::new(task.clone()).comfort, 0.0].map(|comfort| {
        let mut request = PoseRequest::new(task.clone());
        (request.comfort, request.samples) = (comfort, SAMPLES);
        let found = pose(&problem, &request).ok().filter(|found| found.imbalance == Some(0.0));
        found.and_then(|found| if let PoseOutcome::Exerts(force) = found.outcome { force } else { None })
    });
    let choices = Choices::new(&problem, task);
    let [best, nearest] = [choices.force(&mut best_ratio), choices.force(&mut nearest)];
    let draws: Vec<f64> = (0..DRAWS).map(|seed| choices.force(&mut random(seed)).unwrap_or(0.0)).collect();
    let random = Some(draws.iter().sum::<f64>() / draws.len() as f64);
    let [ease, greatest] = chosen;
    let show = |force: Option<f64>| force.map_or("-".to_owned(), |force| format!("{force:.0}"));
    println!(
        "{scene:15} {name:10} {:>11} {:>9} {:>13} {:>9} {:>9}",
        show(ease),
        show(greatest),
        show(best),
        show(nearest),
        show(random)
    );
}

/// The problem with another character, on the ground and as near to the start of the first as it fits; `None` if it does not.
fn with_character(problem: Problem, character: &Character) -> Option<Problem> {
    if character.name == problem.character.name && character.limbs.len() == problem.character.limbs.len() {
        return Some(problem);
    }
    let mut start = Configuration::rest(character);
    let given = &problem.start.configuration;
    start.root = given.root;
    if character.name == problem.character.name {
        // A variant of it, in the same posture.
        for (hinge, angle) in start.angles.iter_mut_enumerated() {
            let same = problem.character.find_hinge(&character.hinges[hinge].name);
            *angle = same.map_or(*angle, |same| given.angles[same]);
        }
    } else {
        let bottom = |effector: EffectorId| {
            let effector = &character.effectors[effector];
            (link_pose(character, &start, effector.link) * effector.center).y - effector.radius
        };
        let lowest = character.effectors.keys().map(bottom).fold(f32::INFINITY, f32::min);
        start.root.translation.y -= lowest;
    }
    let mut collision = CollisionWorkspace::default();
    let is_of_limb = |link| character.limbs.iter().any(|limb| limb.links.contains(&link));
    let trunk: Vec<_> = character.links.keys().filter(|&link| !is_of_limb(link)).collect();
    let mut fits = |start: &Configuration| {
        are_links_free(&problem.world, character, start, CheckedLinks::Among(&trunk), 0.0, &mut collision)
    };
    let from = start.root.translation.x;
    while !fits(&start) {
        start.root.translation.x -= 0.05;
        if start.root.translation.x < from - MAX_STEP_BACK {
            return None;
        }
    }
    let mut problem = problem;
    problem.character = Arc::new(character.clone());
    problem.modes = None;
    problem.start.configuration = start;
    problem.start.stance.clear();
    problem.goal = problem.start.clone();
    Some(problem)
}

/// A contact of a limb.
struct Choice {
    contact: Contact,
    configuration: Configuration,
    ratio: f32,
    /// From where the effector is, in meters.
    distance: f32,
}

/// Picks one of several choices.
type Pick<'a> = &'a mut dyn FnMut(&[Choice]) -> usize;

fn best_ratio(choices: &[Choice]) -> usize {
    let by_ratio = |a: &usize, b: &usize| choices[*a].ratio.total_cmp(&choices[*b].ratio);
    (0..choices.len()).max_by(by_ratio).expect("there are some")
}

fn nearest(choices: &[Choice]) -> usize {
    let by_distance = |a: &usize, b: &usize| choices[*a].distance.total_cmp(&choices[*b].distance);
    (0..choices.len()).min_by(by_distance).expect("there are some")
}

fn random(seed: u64) -> impl FnMut(&[Choice]) -> usize {
    let mut stream = Stream::new(seed, "choices");
    move |choices| stream.below(choices.len())
}

/// The choices of simpler methods: limb by limb.
struct Choices<'a> {
    problem: &'a Problem,
    database: LimbDatabase,
    surfaces: SurfaceTree,
    direction: Vec3,
    pushes: bool,
    object: Vec<HoldId>,
}

impl<'a> Choices<'a> {
    fn new(problem: &'a Problem, task: &PoseTask) -> Self {
        let (direction, object, pushes) = match task {
            PoseTask::Push { direction, object } => (*direction, Some(object), true),
            PoseTask::Pull { direction, object } => (*direction, Some(object), false),
            PoseTask::Move { direction } => (*direction, None, false),
            _ => unreachable!("tasks are those of `scenes`"),
        };
        let is_meant = |name: &str| object.is_some_and(|object| name.starts_with(object.as_str()));
        let holds = problem.world.holds.iter_enumerated().filter(|(_, hold)| is_meant(&hold.name));
        Self {
            problem,
            database: LimbDatabase::new(&problem.character, SAMPLES),
            surfaces: SurfaceTree::new(&problem.world),
            direction,
            pushes,
            object: holds.map(|(id, _)| id).collect(),
        }
    }

    /// The force of the stance that results from a choice for each limb; `None` if it does not carry the body.
    fn force(&self, pick: Pick) -> Option<f64> {
        let (character, world) = (&*self.problem.character, &*self.problem.world);
        let mut finder = ContactFinder::new(character);
        let mut configuration = self.problem.start.configuration.clone();
        let mut stance = self.problem.start.stance.clone();
        let is_held = |limb: LimbId| {
            self.problem.start.stance.iter().any(|held| character.effectors[held.effector].limb == Some(limb))
        };
        for limb in character.limbs.keys().filter(|&limb| !is_held(limb)) {
            let mut choices = self.choices(&mut finder, &configuration, limb);
            if !choices.is_empty() {
                let chosen = choices.swap_remove(pick(&choices));
                stance.push(chosen.contact);
                configuration = chosen.configuration;
            }
        }
        let mut frames = LinkFrames::default();
        forward(character, &configuration, &mut frames);
        let is_on_object = |contact: &Contact| self.object.contains(&contact.hold);
        let on: Option<&dyn Fn(&Contact) -> bool> = if self.object.is_empty() { None } else { Some(&is_on_object) };
        let task = ForceTask { direction: self.direction, on, grip_cost: 0.0 };
        let force = TaskForceSolver::default().greatest_force(character, world, &frames, &stance, task);
        force.filter(|force| force.imbalance == 0.0).map(|force| force.force)
    }

    /// Hands push the object where there is one; other limbs carry the body.
    fn choices(&self, finder: &mut ContactFinder, configuration: &Configuration, limb: LimbId) -> Vec<Choice> {
        let (character, world) = (&*self.problem.character, &*self.problem.world);
        let scene = ContactScene { character, world, database: &self.database, surfaces: &self.surfaces };
        let mut choices = Vec::new();
        for effector in end_effectors(character, limb) {
            let described = &character.effectors[effector];
            let is_hand = described.ability.grip.is_some();
            let task = ContactTask { direction: self.direction, pushes: self.pushes && is_hand };
            let at = link_pose(character, configuration, described.link) * described.center;
            let Some(mut candidates) = finder.candidates(scene, configuration, effector, task) else { continue };
            for _ in 0..CONTACTS {
                let Some(candidate) = candidates.next_valid() else { break };
                let contact = candidate.contact;
                let distance = (contact.point - at).length();
                let configuration = candidates.configuration().clone();
                choices.push(Choice { contact, configuration, ratio: candidate.ratio, distance });
            }
        }
        let is_on_object = |choice: &Choice| self.object.contains(&choice.contact.hold);
        let grips = |choice: &Choice| character.effectors[choice.contact.effector].ability.grip.is_some();
        if choices.iter().any(|choice| grips(choice) && is_on_object(choice)) {
            choices.retain(is_on_object);
        }
        choices
    }
}
