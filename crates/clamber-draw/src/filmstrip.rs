//! Filmstrips: one picture of a whole motion.

use clamber_model::character::Capsule;
use clamber_model::{Configuration, Motion, Problem};

use crate::body::Body;
use crate::picture::{Color, Picture, Shape};
use crate::settings::DrawSettings;
use crate::stage::{Stage, sight, whole};
use crate::track::Track;

const WIDTH: u32 = 1600;

/// Panels of a motion that hardly travels.
const PANELS: usize = 5;

/// The colour of the lines between panels.
const GAP: Color = Color::rgb(0xffffff);

/// Draws the world once, the character at poses along the motion, and the path of its centre of mass.
///
/// A motion that hardly travels would put its poses over each other; they then stand side by side, a panel each. A
/// motion of one moment has one pose, and a motion without frames is a picture of the world.
pub fn filmstrip(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Picture {
    let sight = sight(problem, motion, settings);
    let track = Track::new(&problem.character, motion, &sight);
    let width = settings.width_or(WIDTH);
    let fitting = track.poses_that_fit(&sight);
    let asked = settings.poses.map(|poses| poses.clamp(1, 200));
    let poses = asked.unwrap_or(if fitting > 1 || track.is_still() { fitting } else { PANELS });
    let times = track.pose_times(&sight, poses);
    if fitting > 1 || times.len() < 2 {
        let extent = whole(problem, &track, &sight);
        let stage = Stage::new(problem, &track, sight, extent, width, settings.labels);
        return Picture { title: problem.name.clone(), ..strip(problem, &track, &stage, &times) };
    }
    let across = width / times.len() as u32;
    let extent = track.extent().grown(0.35 * track.body_size());
    let stage = Stage::new(problem, &track, sight, extent, across.max(2) - 1, settings.labels);
    let panel = |(index, time): (usize, f32)| {
        let picture = strip(problem, &track, &stage, &[time]);
        Shape::Inset { at: [index as u32 * across, 0], picture }
    };
    let shapes = times.into_iter().enumerate().map(panel).collect();
    Picture { title: problem.name.clone(), width, background: GAP, shapes, ..stage.blank() }
}

/// The stage with the poses of these times.
fn strip(problem: &Problem, track: &Track, stage: &Stage, times: &[f32]) -> Picture {
    let configurations: Vec<Configuration> = times.iter().filter_map(|time| track.at(*time)).collect();
    let bodies: Vec<Body> =
        configurations.iter().map(|configuration| Body::new(&problem.character, configuration)).collect();
    let capsules: Vec<Vec<Capsule>> = bodies.iter().map(Body::capsules).collect();
    let mut shapes = stage.behind.clone();
    shapes.extend(stage.shadows(&capsules));
    shapes.extend(bodies.iter().map(|body| Shape::Group { name: "pose", shapes: body.shapes(&stage.camera) }));
    shapes.push(Shape::Group { name: "path", shapes: stage.path.clone() });
    shapes.extend(stage.before.iter().cloned());
    Picture { shapes, ..stage.blank() }
}
