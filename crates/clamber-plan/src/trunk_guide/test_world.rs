//! A world for tests in space.

use std::sync::Arc;

use clamber_model::math::{Pose, Vec3};
use clamber_model::world::{DistanceFieldSettings, HoldSpread, HoldType, Obstacle, Space, spread_holds};
use clamber_model::{Configuration, ModeTable, Problem, World, id::ObstacleId, problem::Posture};

/// The center and the size of a box.
pub(crate) type TestBox = (Vec3, Vec3);

/// The human on level ground, 6 meters wide and so long, with boxes on it that are named after their numbers.
pub(crate) fn problem_with(length: f32, boxes: &[(usize, TestBox)]) -> (Arc<Problem>, ModeTable) {
    let ground = (Vec3::new(0.5 * length, -0.1, 0.0), Vec3::new(length, 0.2, 6.0));
    let cuboid = |(number, (center, size)): &(usize, TestBox)| {
        Obstacle::cuboid(&format!("box {number}"), Pose::from_translation(*center), *size).unwrap()
    };
    let obstacles = std::iter::once(&(0, ground)).chain(boxes).map(cuboid).collect();
    let [min, max] = [Vec3::new(0.0, -1.0, -3.0), Vec3::new(length, 3.0, 3.0)];
    let world = World::from_obstacles(Space::Spatial, obstacles, min, max, &DistanceFieldSettings::default());
    let types = [HoldType::LoadBearing];
    let holds = spread_holds(&world, ObstacleId::new(0), HoldSpread::Everywhere, &types, false, 1000).unwrap();
    let character = Arc::new(clamber_testing::character("human"));
    let table = clamber_testing::table_of("human", &character);
    let nowhere = Posture::without_contacts(Configuration::rest(&character));
    let problem = Problem {
        name: "guide".to_owned(),
        world: Arc::new(world.with_holds(holds)),
        character,
        modes: Some(Arc::new(table.clone())),
        start: nowhere.clone(),
        passages: Vec::new(),
        goal: nowhere,
        pins: Vec::new(),
        forbidden_holds: Vec::new(),
    };
    (Arc::new(problem), table)
}
