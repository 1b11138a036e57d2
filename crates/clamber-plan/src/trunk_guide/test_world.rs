//! A world for tests in space.

use std::sync::Arc;

use clamber_model::math::{Pose, Vec3};
use clamber_model::world::{DistanceFieldSettings, HoldSpread, HoldType, Obstacle, Space, spread_holds};
use clamber_model::{Configuration, ModeTable, Problem, World, id::ObstacleId, problem::Posture};

/// The center and the size of a box.
pub(crate) type TestBox = (Vec3, Vec3);

/// The human on level ground before a block, 2 meters high and from 4 meters on, with ledges on its front.
pub(crate) fn problem_with_ledges() -> (Arc<Problem>, ModeTable) {
    let block = (Vec3::new(6.0, 1.0, 0.0), Vec3::new(4.0, 2.0, 6.0));
    let ledge = |number: usize| {
        let (row, column) = (number / 9, number % 9);
        let center = Vec3::new(3.96, 0.4 + 0.4 * row as f32, -1.2 + 0.3 * column as f32);
        (number + 2, (center, Vec3::new(0.08, 0.05, 0.15)))
    };
    let boxes: Vec<(usize, TestBox)> = std::iter::once((1, block)).chain((0..36).map(ledge)).collect();
    problem_on(8.0, &boxes, |_| true)
}

/// The human on level ground, 6 meters wide and so long, with boxes on it that are named after their numbers. Only the ground has holds.
pub(crate) fn problem_with(length: f32, boxes: &[(usize, TestBox)]) -> (Arc<Problem>, ModeTable) {
    problem_on(length, boxes, |number| number == 0)
}

/// The same, with holds on the ground, which has number 0, and on some of the boxes.
fn problem_on(length: f32, boxes: &[(usize, TestBox)], has_holds: impl Fn(usize) -> bool) -> (Arc<Problem>, ModeTable) {
    let ground = (Vec3::new(0.5 * length, -0.1, 0.0), Vec3::new(length, 0.2, 6.0));
    let cuboid = |(number, (center, size)): &(usize, TestBox)| {
        Obstacle::cuboid(&format!("box {number}"), Pose::from_translation(*center), *size).unwrap()
    };
    let obstacles = std::iter::once(&(0, ground)).chain(boxes).map(cuboid).collect();
    let [min, max] = [Vec3::new(0.0, -1.0, -3.0), Vec3::new(length, 5.0, 3.0)];
    let world = World::from_obstacles(Space::Spatial, obstacles, min, max, &DistanceFieldSettings::default());
    let spread = |number: usize| {
        let (block, types) =
            (ObstacleId::new(number), &HoldType::ALL[..if number < 2 { 1 } else { HoldType::ALL.len() }]);
        spread_holds(&world, block, HoldSpread::Everywhere, types, false, 1000).unwrap()
    };
    let holds = (0..=boxes.len()).filter(|number| has_holds(*number)).flat_map(spread).collect();
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
