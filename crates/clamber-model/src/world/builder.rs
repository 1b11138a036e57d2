//! Builds and validates worlds.

use std::collections::BTreeSet;

use super::distance_field::DistanceFieldSettings;
use super::hold::{Hold, HoldShape, HoldType};
use super::obstacle::{Obstacle, ShapeError};
use super::spread_holds::{HoldSpread, MAX_HOLDS, spread_holds};
use super::world_data::{Space, World};
use crate::math::{Pose, Vec3};

/// Maximum distance of a placed hold from the surface it belongs to, in meters.
const MAX_SURFACE_DISTANCE: f32 = 0.1;

/// How far the polygons of a planar world extend to either side of the plane, in meters.
const POLYGON_DEPTH: f32 = 1.0;

/// Why a world cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The region is empty or not finite.
    #[error("the region from {min} to {max} is empty or not finite; each maximum must be greater than its minimum")]
    InvalidBounds {
        /// The corner with the least coordinates, in meters.
        min: Vec3,
        /// The corner with the greatest coordinates, in meters.
        max: Vec3,
    },
    /// An obstacle has an invalid shape.
    #[error("obstacle `{obstacle}`: {error}")]
    Shape {
        /// The obstacle's name.
        obstacle: String,
        /// The error of the shape.
        error: ShapeError,
    },
    /// Two obstacles or two holds have the same name.
    #[error("the name `{name}` is used twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Holds are to be spread over an obstacle that does not exist.
    #[error("there is no obstacle `{obstacle}` to spread holds over")]
    UnknownObstacle {
        /// The name.
        obstacle: String,
    },
    /// A hold is not finite, or too far from every surface.
    #[error("hold `{hold}` is not within {MAX_SURFACE_DISTANCE} m of a surface")]
    HoldOffSurface {
        /// The hold's name.
        hold: String,
    },
    /// A hold is inside a solid obstacle, where nothing can touch it.
    #[error("hold `{hold}` is inside an obstacle, where nothing can touch it; move it to the outside")]
    HoldInsideObstacle {
        /// The hold's name.
        hold: String,
    },
    /// The spacing of spread holds is not positive, or yields too many holds.
    #[error("holds spread over `{obstacle}` need a positive spacing and may be at most {MAX_HOLDS}")]
    InvalidHoldSpacing {
        /// The obstacle's name.
        obstacle: String,
    },
}

/// Builds a [`World`]: obstacles, then holds on them.
///
/// ```
/// use clamber_model::World;
/// use clamber_model::math::Vec3;
///
/// let world = World::planar_builder([0.0, -0.5], [8.0, 4.0])
///     .polygon("ground", &[[0.0, -0.5], [8.0, -0.5], [8.0, 0.0], [0.0, 0.0]])
///     .spread_holds("ground", 0.3)
///     .hold("edge", Vec3::new(7.9, 0.0, 0.0))
///     .build()?;
/// assert!(world.holds.len() > 20);
/// # Ok::<(), clamber_model::world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct WorldBuilder {
    space: Space,
    min: Vec3,
    max: Vec3,
    field: DistanceFieldSettings,
    contact_tolerance: f32,
    obstacles: Vec<Result<Obstacle, WorldError>>,
    holds: Vec<HoldRequest>,
}

#[derive(Clone, Debug)]
enum HoldRequest {
    Placed { name: String, point: Vec3 },
    Spread { obstacle: String, spread: HoldSpread },
}

impl World {
    /// Starts a planar world in z = 0; motions stay between two corners.
    pub fn planar_builder(min: [f32; 2], max: [f32; 2]) -> WorldBuilder {
        let [min, max] = [min, max].map(|[x, y]| Vec3::new(x, y, 0.0));
        WorldBuilder::new(Space::Planar, min, max)
    }

    /// Starts a spatial world; motions stay between two corners.
    pub fn spatial_builder(min: Vec3, max: Vec3) -> WorldBuilder {
        WorldBuilder::new(Space::Spatial, min, max)
    }
}

impl WorldBuilder {
    fn new(space: Space, min: Vec3, max: Vec3) -> Self {
        let field = DistanceFieldSettings::default();
        Self { space, min, max, field, contact_tolerance: 0.0, obstacles: Vec::new(), holds: Vec::new() }
    }

    /// Adds a box around a pose.
    pub fn cuboid(self, name: &str, world_from_box: Pose, size: Vec3) -> Self {
        self.shape(name, Obstacle::cuboid(name, world_from_box, size))
    }

    /// Adds a simple polygon in the plane, extruded to both sides of it.
    pub fn polygon(self, name: &str, corners: &[[f32; 2]]) -> Self {
        self.shape(name, Obstacle::polygon(name, corners, -POLYGON_DEPTH, POLYGON_DEPTH))
    }

    /// Adds a triangle mesh in world coordinates; closed shells are solid.
    pub fn mesh(self, name: &str, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        self.shape(name, Obstacle::mesh(name, vertices, triangles))
    }

    fn shape(mut self, name: &str, obstacle: Result<Obstacle, ShapeError>) -> Self {
        let error = |error| WorldError::Shape { obstacle: name.to_owned(), error };
        self.obstacles.push(obstacle.map_err(error));
        self
    }

    /// Adds an existing obstacle.
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(Ok(obstacle));
        self
    }

    /// Adds a hold at the surface nearest to a point; its type follows from the normal.
    pub fn hold(mut self, name: &str, point: Vec3) -> Self {
        self.holds.push(HoldRequest::Placed { name: name.to_owned(), point });
        self
    }

    /// Adds holds spread over an obstacle, this far apart in meters. They are named after it and numbered from 1.
    pub fn spread_holds(mut self, obstacle: &str, spacing: f32) -> Self {
        self.holds.push(HoldRequest::Spread { obstacle: obstacle.to_owned(), spread: HoldSpread::Spaced(spacing) });
        self
    }

    /// Makes every point of an obstacle's surface a hold.
    pub fn hold_everywhere(mut self, obstacle: &str) -> Self {
        self.holds.push(HoldRequest::Spread { obstacle: obstacle.to_owned(), spread: HoldSpread::Everywhere });
        self
    }

    /// Sets the resolution of the distance field.
    pub fn distance_field_settings(self, field: DistanceFieldSettings) -> Self {
        Self { field, ..self }
    }

    /// Sets the [contact tolerance](World::contact_tolerance), in meters: for scans, about the greatest error of their surfaces.
    pub fn contact_tolerance(self, contact_tolerance: f32) -> Self {
        Self { contact_tolerance, ..self }
    }

    /// Validates everything and builds the world.
    pub fn build(self) -> Result<World, WorldError> {
        let Self { space, min, max, field, contact_tolerance, obstacles, holds } = self;
        let is_flat = space == Space::Planar;
        let is_proper = |axis: usize| max[axis] > min[axis] || (is_flat && axis == 2);
        if !min.is_finite() || !max.is_finite() || !(0..3).all(is_proper) {
            return Err(WorldError::InvalidBounds { min, max });
        }
        let obstacles = obstacles.into_iter().collect::<Result<Vec<_>, _>>()?;
        check_unique(obstacles.iter().map(|obstacle| obstacle.name.as_str()))?;
        let world = World::from_obstacles(space, obstacles, min, max, &field);
        let mut list = Vec::new();
        for request in &holds {
            list.extend(request.holds(&world, MAX_HOLDS - list.len())?);
        }
        check_unique(list.iter().map(|hold| hold.name.as_str()))?;
        Ok(world.with_holds(list).with_contact_tolerance(contact_tolerance))
    }
}

impl HoldRequest {
    fn holds(&self, world: &World, most: usize) -> Result<Vec<Hold>, WorldError> {
        match self {
            Self::Placed { name, point } => Ok(vec![place(world, name, *point)?]),
            Self::Spread { obstacle, spread } => {
                let name = || obstacle.clone();
                let found = world.obstacles.iter_enumerated().find(|(_, known)| known.name == *obstacle);
                let (id, _) = found.ok_or_else(|| WorldError::UnknownObstacle { obstacle: name() })?;
                let is_valid =
                    !matches!(spread, HoldSpread::Spaced(spacing) if !(*spacing > 0.0 && spacing.is_finite()));
                let holds = is_valid
                    .then(|| spread_holds(world, id, *spread, &HoldType::ALL, world.space == Space::Planar, most));
                holds.flatten().ok_or_else(|| WorldError::InvalidHoldSpacing { obstacle: name() })
            }
        }
    }
}

fn place(world: &World, name: &str, point: Vec3) -> Result<Hold, WorldError> {
    let off_surface = || WorldError::HoldOffSurface { hold: name.to_owned() };
    let surface = Some(point).filter(|point| point.is_finite());
    let surface =
        surface.and_then(|point| world.nearest_surface_point(point, MAX_SURFACE_DISTANCE)).ok_or_else(off_surface)?;
    let (point, normal) = match world.space {
        Space::Spatial => (surface.point, surface.normal),
        // Sides of solids may tilt out of the plane; the normal is projected into it.
        Space::Planar => {
            let normal = surface.normal.with_z(0.0).try_normalize().ok_or_else(off_surface)?;
            (surface.point.with_z(0.0), normal)
        }
    };
    if world.is_buried(point, normal) {
        return Err(WorldError::HoldInsideObstacle { hold: name.to_owned() });
    }
    let friction = world.obstacles[surface.obstacle].friction;
    let (name, shape) = (name.to_owned(), HoldShape::Point(point));
    Ok(Hold { name, hold_type: HoldType::of_normal(normal), normal, shape, friction })
}

fn check_unique<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), WorldError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(WorldError::DuplicateName { name: name.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: [[f32; 2]; 4] = [[0.0, -0.5], [8.0, -0.5], [8.0, 0.0], [0.0, 0.0]];

    fn builder() -> WorldBuilder {
        World::planar_builder([0.0, -0.5], [8.0, 4.0]).polygon("ground", &GROUND)
    }

    #[test]
    fn spread_and_placed_holds_lie_on_the_surface() {
        let world = builder().hold("here", Vec3::new(2.0, 0.04, 0.0)).spread_holds("ground", 1.0).build().unwrap();
        assert_eq!(world.holds.iter().next().unwrap().nearest_point(Vec3::ZERO), Vec3::new(2.0, 0.0, 0.0));
        assert!(world.holds.len() > 8);
        assert_eq!(world.space, Space::Planar);
    }

    #[test]
    fn invalid_input_returns_typed_errors() {
        let error = |builder: WorldBuilder| builder.build().unwrap_err();
        assert!(matches!(error(World::planar_builder([0.0; 2], [0.0, 1.0])), WorldError::InvalidBounds { .. }));
        assert!(matches!(error(World::planar_builder([f32::NAN; 2], [1.0; 2])), WorldError::InvalidBounds { .. }));
        assert!(matches!(error(builder().polygon("ground", &GROUND)), WorldError::DuplicateName { .. }));
        assert!(matches!(error(builder().spread_holds("sky", 1.0)), WorldError::UnknownObstacle { .. }));
        for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-6] {
            assert!(
                matches!(error(builder().spread_holds("ground", spacing)), WorldError::InvalidHoldSpacing { .. }),
                "{spacing}"
            );
        }
        for point in [Vec3::new(4.0, 2.0, 0.0), Vec3::splat(f32::NAN)] {
            assert!(matches!(error(builder().hold("far", point)), WorldError::HoldOffSurface { .. }));
        }
        let step = Pose::translation(4.0, 0.25, 0.0);
        let under_a_step =
            builder().cuboid("step", step, Vec3::new(2.0, 0.5, 2.0)).hold("low", Vec3::new(4.0, 0.0, 0.0));
        assert!(matches!(error(under_a_step), WorldError::HoldInsideObstacle { .. }));
        let not_finite = builder().mesh("m", vec![Vec3::splat(f32::NAN); 3], vec![[0, 1, 2]]);
        assert!(matches!(error(not_finite), WorldError::Shape { error: ShapeError::NotFinite, .. }));
        let infinite = builder().cuboid("box", Pose::IDENTITY, Vec3::splat(f32::INFINITY));
        assert!(matches!(error(infinite), WorldError::Shape { .. }));
    }
}
