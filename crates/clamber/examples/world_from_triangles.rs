//! Builds a world from triangles, stands a character on it, and plans a walk across.
//!
//! Run: `cargo run --release -p clamber --example world_from_triangles`. No file is read.

use clamber::io::builtin;
use clamber::model::math::Vec3;
use clamber::posture::{StandRequest, stand};
use clamber::{Planner, Problem, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (vertices, triangles) = slab(9.0, 0.5);
    let world = World::planar_builder([-1.0, -0.5], [8.0, 3.0]).mesh("ground", vertices, triangles);
    let world = world.spread_holds("ground", 0.3).build()?;
    let character = builtin::character("figure")?;
    let modes = builtin::mode_table("figure", &character)?;

    let on = |x: f32| world.nearest_hold(Vec3::new(x, 0.0, 0.0)).expect("the world has holds");
    let pose = |x: f32| {
        let request = StandRequest::new().contact("left_foot", on(x)).contact("right_foot", on(x + 0.3));
        stand(&world, &character, &modes, &request.mode("walking").heading(Vec3::X))
    };
    let (start, goal) = (pose(0.0)?, pose(6.0)?);
    let problem = Problem::builder(world, character).modes(modes).start(start).goal(goal).build()?;

    let plan = Planner::new(problem).seed(1).run()?;
    println!("{} frames, {} contacts", plan.motion.frames.len(), plan.motion.contacts.len());
    Ok(())
}

/// The top and bottom, sides and ends of a slab whose top is at y = 0, as a game's level has it.
fn slab(length: f32, depth: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner =
        |i: u32| Vec3::new(-1.0 + length * (i & 1) as f32, -depth * (i >> 1 & 1) as f32, 2.0 * (i >> 2) as f32 - 1.0);
    let quads = [[0, 4, 5, 1], [2, 3, 7, 6], [4, 6, 7, 5], [0, 1, 3, 2], [1, 5, 7, 3], [0, 2, 6, 4]];
    ((0..8).map(corner).collect(), quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}
