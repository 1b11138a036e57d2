//! Lets a planner in another process fly a scene's character: says which configurations and straight motions are free.
//!
//! Run: `cargo run --release -p clamber --example validity_server -- scenes/flight.toml`; `tools/ompl_yardstick.py` does. It first writes
//! the problem as one line of JSON, then answers requests on standard input until it ends. Numbers are little-endian.
//!
//! | request | answer |
//! |---|---|
//! | `f`, a count (u32), that many configurations | a byte for each, 1 if it is free; the work so far |
//! | `m`, a count (u32), that many pairs of configurations | a byte for each, 1 if the straight motion is free; the work so far |
//! | `v`, a count (u32), that many configurations | a byte, 1 if they are the frames of a motion that Clamber's checker accepts; the work so far |
//! | `p`, a seed (u64) | a byte, 1 if Clamber's flight planner finds a path; the work of that search, without smoothing |
//!
//! A configuration is the root's position and quaternion (x, y, z, w) and all angles in radians, as f32. Work is the number of configurations
//! that were checked for collisions (u64) and seconds (f64).

use std::error::Error;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::time::Instant;

use clamber::model::character::RootJoint;
use clamber::model::id::LinkId;
use clamber::model::math::{Pose, Rotation, Vec3};
use clamber::model::motion::FLYING_MODE;
use clamber::plan::{FlightValidity, PlanOutcome, PlanSettings, Planner};
use clamber::{Algorithm, CheckSettings, Configuration, Motion, Problem, Scene, check_motion};
use serde_json::json;

/// Most configurations or motions of a request.
const MAX_COUNT: u32 = 1 << 20;

/// Frame rate of motions to be judged. How fast they are does not matter.
const FRAMES_PER_SECOND: f32 = 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = std::env::args().nth(1).ok_or("name a scene: validity_server scenes/flight.toml")?;
    let problem = Scene::read(&scene)?.problem;
    serve(&problem, &mut BufReader::new(io::stdin().lock()), &mut BufWriter::new(io::stdout().lock()))
}

/// Describes the problem and answers requests until the input ends.
fn serve(problem: &Problem, input: &mut impl Read, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut server = Server {
        problem,
        validity: FlightValidity::new(problem.clone(), &PlanSettings::default()),
        configurations: [problem.start.configuration.clone(), problem.start.configuration.clone()],
        seconds: 0.0,
    };
    writeln!(output, "{}", description(problem))?;
    output.flush()?;
    loop {
        let mut request = [0; 1];
        match input.read_exact(&mut request) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
            result => result?,
        }
        match request[0] {
            b'f' => server.check(1, input, output)?,
            b'm' => server.check(2, input, output)?,
            b'v' => server.verify(input, output)?,
            b'p' => server.plan(input, output)?,
            other => return Err(format!("unknown request {other}").into()),
        }
        output.flush()?;
    }
}

/// The problem as JSON, with the distance that each hinge can move a point per radian, from which metrics can be made.
fn description(problem: &Problem) -> serde_json::Value {
    let Problem { world, character, .. } = problem;
    let hinges = character.hinges.iter().map(
        |hinge| json!({ "name": hinge.name, "min": hinge.min, "max": hinge.max, "reach": character.subtree_reach(hinge.link) }),
    );
    json!({
        "scene": problem.name,
        "degrees_of_freedom": character.root_joint.axes().len() + character.hinges.len(),
        "is_planar": character.root_joint == RootJoint::Planar,
        "bounds": [world.min.to_array(), world.max.to_array()],
        "root_reach": character.subtree_reach(LinkId::ROOT),
        "hinges": hinges.collect::<Vec<_>>(),
        "start": numbers(&problem.start.configuration),
        "goal": numbers(&problem.goal.configuration),
    })
}

/// A configuration as it is sent.
fn numbers(configuration: &Configuration) -> Vec<f32> {
    let Pose { translation, rotation, .. } = configuration.root;
    let root = translation.to_array().into_iter().chain(rotation.to_array());
    root.chain(configuration.angles.iter().copied()).collect()
}

struct Server<'a> {
    problem: &'a Problem,
    validity: FlightValidity,
    /// The configurations of the request, reused.
    configurations: [Configuration; 2],
    /// Time spent in checks.
    seconds: f64,
}

impl Server<'_> {
    /// Answers for single configurations or for pairs.
    fn check(&mut self, size: usize, input: &mut impl Read, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        for _ in 0..read_count(input)? {
            for index in 0..size {
                read_configuration(input, &mut self.configurations[index])?;
            }
            let begin = Instant::now();
            let [first, second] = &self.configurations;
            let is_free = match size {
                1 => self.validity.is_free(first),
                _ => self.validity.is_free_between(first, second),
            };
            self.seconds += begin.elapsed().as_secs_f64();
            output.write_all(&[u8::from(is_free)])?;
        }
        write_work(self.validity.collision_checks(), self.seconds, output)
    }

    /// Judges a motion with the checker, which shares no code with the planner.
    fn verify(&mut self, input: &mut impl Read, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let mut frames = Vec::new();
        for _ in 0..read_count(input)? {
            read_configuration(input, &mut self.configurations[0])?;
            frames.push(self.configurations[0].clone());
        }
        let name = &self.problem.character.name;
        let is_valid = !frames.is_empty() && {
            let motion = Motion::from_configurations(name, FLYING_MODE, frames, FRAMES_PER_SECOND);
            check_motion(self.problem, &motion, &CheckSettings::default()).passed()
        };
        output.write_all(&[u8::from(is_valid)])?;
        write_work(self.validity.collision_checks(), self.seconds, output)
    }

    /// Plans with Clamber's own flight planner.
    fn plan(&self, input: &mut impl Read, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let seed = u64::from_le_bytes(read(input)?);
        let begin = Instant::now();
        let planner = Planner::new(self.problem.clone()).algorithm(Algorithm::Flight).smoothing(false).seed(seed);
        let outcome = PlanOutcome::from(planner.run());
        let seconds = begin.elapsed().as_secs_f64();
        output.write_all(&[u8::from(outcome.failure.is_none())])?;
        write_work(outcome.statistics.collision_checks, seconds, output)
    }
}

fn write_work(checks: u64, seconds: f64, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    output.write_all(&checks.to_le_bytes())?;
    output.write_all(&seconds.to_le_bytes())?;
    Ok(())
}

/// The number of configurations or motions that follow.
fn read_count(input: &mut impl Read) -> Result<u32, Box<dyn Error>> {
    let count = u32::from_le_bytes(read(input)?);
    match count <= MAX_COUNT {
        true => Ok(count),
        false => Err(format!("{count} in a request; at most {MAX_COUNT}").into()),
    }
}

fn read<const SIZE: usize>(input: &mut impl Read) -> io::Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_configuration(input: &mut impl Read, configuration: &mut Configuration) -> io::Result<()> {
    let mut root = [0.0; 7];
    for number in root.iter_mut().chain(configuration.angles.iter_mut()) {
        *number = f32::from_le_bytes(read(input)?);
    }
    let [x, y, z, rotation @ ..] = root;
    configuration.root = Pose::from_parts(Vec3::new(x, y, z), Rotation::from_array(rotation));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to some requests, after the description.
    fn answers(requests: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let problem = Scene::builtin("flight")?.problem;
        let mut output = Vec::new();
        serve(&problem, &mut &*requests, &mut output)?;
        let end = output.iter().position(|byte| *byte == b'\n').ok_or("no description")?;
        Ok(output.split_off(end + 1))
    }

    fn request(kind: u8, count: u32, configurations: &[&[f32]]) -> Vec<u8> {
        let numbers = configurations.iter().flat_map(|configuration| configuration.iter());
        let numbers = numbers.flat_map(|number| number.to_le_bytes());
        [kind].into_iter().chain(count.to_le_bytes()).chain(numbers).collect()
    }

    fn checks(answer: &[u8]) -> u64 {
        u64::from_le_bytes(answer[..8].try_into().unwrap())
    }

    /// The start, the goal, and the start moved into the floor, beyond the bounds and with a bent-back knee.
    fn configurations() -> (Vec<f32>, Vec<f32>, [Vec<f32>; 3]) {
        let problem = Scene::builtin("flight").unwrap().problem;
        let [start, goal] = [&problem.start, &problem.goal].map(|posture| numbers(&posture.configuration));
        let changed = |index: usize, value: f32| {
            let mut changed = start.clone();
            changed[index] = value;
            changed
        };
        let beyond_limit = problem.character.hinges.iter().next().unwrap().max + 0.1;
        let refused = [changed(1, 0.6), changed(1, 100.0), changed(7, beyond_limit)];
        (start, goal, refused)
    }

    #[test]
    fn the_description_has_the_ends_and_a_range_for_each_hinge() {
        let problem = Scene::builtin("flight").unwrap().problem;
        let described = description(&problem);
        let length = |key: &str| described[key].as_array().unwrap().len();
        assert_eq!(length("start"), 7 + length("hinges"));
        assert_eq!(described["degrees_of_freedom"], 3 + length("hinges"));
        assert_eq!(described["is_planar"], true);
    }

    #[test]
    fn start_and_goal_are_free_and_what_is_not_is_refused() {
        let (start, goal, [inside, outside, bent]) = configurations();
        let answer = answers(&request(b'f', 5, &[&start, &goal, &inside, &outside, &bent])).unwrap();
        assert_eq!(answer[..5], [1, 1, 0, 0, 0]);
        // What is out of bounds or limits takes no collision check.
        assert_eq!(checks(&answer[5..]), 3);
        assert_eq!(answer.len(), 5 + 16);
    }

    #[test]
    fn the_straight_motion_hits_the_cave_and_a_short_one_does_not() {
        let (start, goal, _) = configurations();
        let mut near = start.clone();
        near[0] += 0.05;
        let answer = answers(&request(b'm', 2, &[&start, &goal, &start, &near])).unwrap();
        assert_eq!(answer[..2], [0, 1]);
        assert!(checks(&answer[2..]) > 2);
    }

    #[test]
    fn the_flight_planner_answers_with_its_own_work() {
        let mut requests = vec![b'p'];
        requests.extend(1_u64.to_le_bytes());
        let answer = answers(&requests).unwrap();
        let problem = Scene::builtin("flight").unwrap().problem;
        let plan = Planner::new(problem).smoothing(false).seed(1).run().unwrap();
        assert_eq!((answer[0], checks(&answer[1..])), (1, plan.statistics.collision_checks));
    }

    #[test]
    fn the_checker_accepts_a_planned_motion_and_not_its_two_ends() {
        let problem = Scene::builtin("flight").unwrap().problem;
        let motion = Planner::new(problem).seed(1).run().unwrap().motion;
        let frames: Vec<Vec<f32>> = motion.frames.iter().map(|frame| numbers(&frame.configuration)).collect();
        let verify = |frames: &[&[f32]]| answers(&request(b'v', frames.len() as u32, frames)).unwrap()[0];
        let all: Vec<&[f32]> = frames.iter().map(Vec::as_slice).collect();
        assert_eq!(verify(&all), 1);
        assert_eq!(verify(&[all[0], all[all.len() - 1]]), 0);
        assert_eq!(verify(&[]), 0);
    }

    #[test]
    fn damaged_requests_are_errors() {
        assert!(answers(b"x").is_err());
        assert!(answers(&request(b'f', 1, &[&[0.0; 3]])).is_err());
        assert!(answers(&request(b'f', u32::MAX, &[])).is_err());
        assert!(answers(&[]).unwrap().is_empty());
    }
}
