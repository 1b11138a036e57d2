//! Filmstrips: one picture of a whole motion.

use clamber_model::character::Capsule;
use clamber_model::{Motion, Problem};

use crate::body::Body;
use crate::legend::Legend;
use crate::picture::{Color, Picture, Shape};
use crate::poses::pose_times;
use crate::settings::DrawSettings;
use crate::stage::{Stage, sight, whole};
use crate::tint::{Tint, Tints};
use crate::track::{Snapshot, Track};

const WIDTH: u32 = 1600;

/// The colour of the lines between panels.
const GAP: Color = Color::rgb(0xffffff);

/// Draws the world once with its holds, the character at poses along the motion, and the path of its centre of mass.
///
/// The poses are coloured by their modes, which are named below the picture; a motion that only flies needs no names. A
/// motion that hardly travels would put its poses over each other; they then stand side by side, a panel each. A
/// motion of one moment has one pose, and a motion without frames is a picture of the world.
pub fn filmstrip(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Picture {
    let sight = sight(problem, motion, settings);
    let track = Track::new(&problem.character, motion, &sight, settings);
    let tints = Tints::new(track.modes().into_iter().map(|(mode, _)| mode));
    let width = settings.width_or(WIDTH);
    let times = pose_times(&track, &sight, settings);
    let shown: Vec<Snapshot> = times.iter().filter_map(|time| track.snapshot(*time)).collect();
    let is_shown = |(mode, _): &(&str, Tint)| shown.iter().any(|pose| pose.mode == *mode);
    let mut legend = Legend {
        modes: tints.modes.iter().copied().filter(is_shown).collect(),
        holds: Vec::new(),
        contacts: shown.iter().any(|pose| !pose.touches.is_empty()),
    };
    let picture = if track.poses_that_fit(&sight) > 1 || shown.len() < 2 {
        let extent = whole(problem, &track, &sight);
        let stage = Stage::new(problem, &track, sight, extent, width, settings);
        legend.holds.clone_from(&stage.marked);
        strip(problem, &tints, &stage, &shown)
    } else {
        let across = width / shown.len() as u32;
        let extent = track.extent().grown(0.35 * track.body_size());
        let stage = Stage::new(problem, &track, sight, extent, across.max(2) - 1, settings);
        legend.holds.clone_from(&stage.marked);
        let panel = |(index, pose): (usize, &Snapshot)| {
            let picture = strip(problem, &tints, &stage, std::slice::from_ref(pose));
            Shape::Inset { at: [index as u32 * across, 0], picture }
        };
        let shapes = shown.iter().enumerate().map(panel).collect();
        Picture { width, background: GAP, shapes, ..stage.blank() }
    };
    Picture { title: problem.name.clone(), ..legend.below(picture) }
}

/// The stage with these poses.
fn strip(problem: &Problem, tints: &Tints, stage: &Stage, shown: &[Snapshot]) -> Picture {
    let bodies: Vec<Body> = shown.iter().map(|pose| Body::new(&problem.character, pose, tints.of(pose.mode))).collect();
    let capsules: Vec<Vec<Capsule>> = bodies.iter().map(Body::capsules).collect();
    let mut shapes = stage.behind.clone();
    shapes.extend(stage.shadows(&capsules));
    shapes.extend(bodies.iter().map(|body| Shape::Group { name: "pose", shapes: body.shapes(&stage.camera) }));
    shapes.push(Shape::Group { name: "path", shapes: stage.path.clone() });
    shapes.extend(stage.before.iter().cloned());
    Picture { shapes, ..stage.blank() }
}
