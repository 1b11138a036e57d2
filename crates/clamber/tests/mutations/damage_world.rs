//! Damage to worlds: directly in their public fields, or by building them again from strange parts.

use clamber::World;
use clamber::model::math::{Pose, Vec3};
use clamber::model::world::{DistanceFieldSettings, Hold, HoldShape, HoldType, Obstacle, ShapeError, Space};

use crate::random_damage::Damage;

/// Damages one part of a world.
pub fn damage_world(damage: &mut Damage, world: &mut World) {
    match damage.below(13) {
        0 => damage.vector("min of the world", &mut world.min),
        1 => damage.vector("max of the world", &mut world.max),
        2 => damage.number("contact_tolerance", &mut world.contact_tolerance),
        3 => damage.list("holds", &mut world.holds.raw),
        4 => damage.list("obstacles", &mut world.obstacles.raw),
        5 | 6 => {
            if let Some(hold) = damage.pick(&mut world.holds.raw) {
                damage_hold(damage, hold);
            }
        }
        7 => {
            world.space = if world.space == Space::Planar { Space::Spatial } else { Space::Planar };
            damage.note("the other space");
        }
        8 => {
            if let Some(obstacle) = damage.pick(&mut world.obstacles.raw) {
                damage.name("an obstacle", &mut obstacle.name);
            }
        }
        9 => {
            let factor = damage.bad_number(1.0);
            damage.note(format!("world scaled by {factor}"));
            if let Ok(scaled) = world.scaled(factor) {
                *world = scaled;
            }
        }
        10 => {
            let mut holds = world.holds.raw.clone();
            damage.list("holds, with a new tree", &mut holds);
            if let Some(hold) = damage.pick(&mut holds) {
                damage_hold(damage, hold);
            }
            *world = world.clone().with_holds(holds);
        }
        _ => build_again(damage, world),
    }
}

fn damage_hold(damage: &mut Damage, hold: &mut Hold) {
    match damage.below(5) {
        4 => damage.number("friction of a hold", &mut hold.friction),
        0 => damage.vector("normal of a hold", &mut hold.normal),
        1 => damage.name("a hold", &mut hold.name),
        2 => {
            hold.hold_type = HoldType::ALL[damage.below(3)];
            damage.note("type of a hold");
        }
        _ => {
            let mut points = [hold.point_at(0.0, 0.0), hold.point_at(1.0, 0.0), hold.point_at(0.0, 1.0)];
            if let Some(point) = damage.pick(&mut points) {
                damage.vector("point of a hold", point);
            }
            hold.shape = match damage.below(3) {
                0 => HoldShape::Point(points[0]),
                1 => HoldShape::Segment([points[0], points[1]]),
                _ => HoldShape::Triangle(points),
            };
            damage.note(format!("shape of a hold -> {:?}", hold.shape));
        }
    }
}

/// Builds the world again with one more obstacle, with other holds or with another distance field.
fn build_again(damage: &mut Damage, world: &mut World) {
    let mut builder = match world.space {
        Space::Planar => World::planar_builder([world.min.x, world.min.y], [world.max.x, world.max.y]),
        Space::Spatial => World::spatial_builder(world.min, world.max),
    };
    for obstacle in &world.obstacles {
        builder = builder.obstacle(obstacle.clone());
    }
    match strange_obstacle(damage) {
        Ok(obstacle) => builder = builder.obstacle(obstacle),
        Err(error) => damage.note(format!("refused: {error}")),
    }
    if damage.chance(0.3) {
        let mut settings = DistanceFieldSettings::default();
        damage.number("cell", &mut settings.cell_size);
        damage.number("planar_cell_size", &mut settings.planar_cell_size);
        settings.max_cells = [0, 1, 1000, 4_000_000][damage.below(4)];
        builder = builder.distance_field_settings(settings);
    }
    match damage.below(4) {
        0 => builder = builder.hold("new", strange_vector(damage)),
        1 => {
            let spacing = damage.bad_number(0.5);
            damage.note(format!("holds every {spacing}"));
            builder = builder.spread_holds("new", spacing);
        }
        2 => builder = builder.hold_everywhere("new"),
        _ => builder = builder.contact_tolerance(damage.bad_number(0.01)),
    }
    match builder.build() {
        Ok(built) if damage.chance(0.5) => *world = built,
        // The contacts of the problem refer to the holds before.
        Ok(built) => *world = built.with_holds(world.holds.raw.clone()),
        Err(error) => damage.note(format!("refused: {error}")),
    }
}

fn strange_vector(damage: &mut Damage) -> Vec3 {
    let mut vector = Vec3::new(1.0, 0.5, 0.25);
    damage.vector("a vector", &mut vector);
    vector
}

fn strange_obstacle(damage: &mut Damage) -> Result<Obstacle, ShapeError> {
    match damage.below(4) {
        0 => {
            let mut pose = Pose::translation(1.0, 2.0, 0.0);
            damage.pose("the new box", &mut pose);
            let size = strange_vector(damage);
            Obstacle::cuboid("new", pose, size)
        }
        1 => {
            let mut corners = vec![[0.0, 3.0], [1.0, 3.0], [1.0, 4.0], [0.5, 3.2], [0.0, 4.0]];
            damage.list("corners of the new polygon", &mut corners);
            if let Some([x, _]) = damage.pick(&mut corners) {
                damage.number("corner of the new polygon", x);
            }
            let (low, high) = (damage.bad_number(-1.0), damage.bad_number(1.0));
            if damage.chance(0.5) {
                Obstacle::polygon("new", &corners, -1.0, 1.0)
            } else {
                Obstacle::polygon("new", &corners, low, high)
            }
        }
        _ => {
            let mut vertices = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
            let mut triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2], [1, 4, 2]];
            damage.list("vertices of the new mesh", &mut vertices);
            damage.list("triangles of the new mesh", &mut triangles);
            if let Some(vertex) = damage.pick(&mut vertices) {
                damage.vector("vertex of the new mesh", vertex);
            }
            if damage.chance(0.3)
                && let Some(corner) = damage.pick(&mut triangles).map(|triangle| &mut triangle[0])
            {
                *corner = [0, 1, 7, u32::MAX][damage.below(4)];
            }
            Obstacle::mesh("new", vertices, triangles)
        }
    }
}
