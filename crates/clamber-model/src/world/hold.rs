//! Holds: points and surfaces of the world that an effector may touch (Kalisiak 1999, 4.1 and 6.2.2).

use parry3d::bounding_volume::Aabb;
use parry3d::query::PointQuery;
use parry3d::shape::{Segment, Triangle};

use crate::math::Vec3;

/// The direction against gravity.
pub const UP: Vec3 = Vec3::Y;

/// How a hold can support the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HoldType {
    /// Supports from below: to stand on.
    LoadBearing,
    /// Supports from above: to hang from.
    Pendent,
    /// Both.
    Hybrid,
}

impl HoldType {
    /// All types.
    pub const ALL: [Self; 3] = [Self::LoadBearing, Self::Pendent, Self::Hybrid];

    /// Returns the type of holds on a surface with this outer unit normal.
    ///
    /// The thesis prints the inequality for hybrid holds reversed, so that none could exist; here they are the range between the
    /// other two.
    pub fn of_normal(normal: Vec3) -> Self {
        const STEEP: f32 = std::f32::consts::FRAC_1_SQRT_2;
        let rise = UP.dot(normal);
        if rise > STEEP {
            Self::LoadBearing
        } else if rise < -STEEP {
            Self::Pendent
        } else {
            Self::Hybrid
        }
    }

    /// Returns whether an effector can press on it, with a point or a patch.
    pub fn allows_pressing(self) -> bool {
        self != Self::Pendent
    }

    /// Returns whether an effector can grip it, and so pull.
    pub fn allows_grip(self) -> bool {
        self != Self::LoadBearing
    }

    /// Returns the keyword in files and reports.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::LoadBearing => "load-bearing",
            Self::Pendent => "pendent",
            Self::Hybrid => "hybrid",
        }
    }
}

/// The geometry of a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldShape {
    /// One point.
    Point(Vec3),
    /// Any point of a line segment.
    Segment([Vec3; 2]),
    /// Any point of a triangle.
    Triangle([Vec3; 3]),
}

/// A point or surface that an effector may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// The name, unique in the world.
    pub name: String,
    /// How it can support the body.
    pub hold_type: HoldType,
    /// The outer unit normal of its surface. An effector's center is one radius away along it.
    pub normal: Vec3,
    /// Its geometry.
    pub shape: HoldShape,
    /// The coefficient of static friction: the greatest force along the surface per force into it.
    pub friction: f32,
}

/// The coefficient of friction of surfaces that state none: shoes and hands on dry rock, wood or concrete.
pub const DEFAULT_FRICTION: f32 = 0.8;

/// The greatest coefficient of friction. Rubber on rough rock reaches 1.5; more would be glue.
pub const MAX_FRICTION: f32 = 10.0;

/// How far the length of a normal may be from 1.
const UNIT_TOLERANCE: f32 = 1e-3;

impl Hold {
    /// Whether the points are finite, the normal has length 1 and the friction is in range.
    pub(super) fn is_valid(&self) -> bool {
        let is_unit = (self.normal.length() - 1.0).abs() < UNIT_TOLERANCE;
        let has_friction = (0.0..=MAX_FRICTION).contains(&self.friction);
        is_unit && has_friction && self.corners().iter().all(|point| point.is_finite())
    }

    /// The points that span the shape.
    pub(super) fn corners(&self) -> &[Vec3] {
        match &self.shape {
            HoldShape::Point(point) => std::slice::from_ref(point),
            HoldShape::Segment(ends) => ends,
            HoldShape::Triangle(corners) => corners,
        }
    }

    /// Returns the point of the hold nearest to a point.
    pub fn nearest_point(&self, point: Vec3) -> Vec3 {
        match self.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => Segment::new(a, b).project_local_point(point, true).point,
            HoldShape::Triangle([a, b, c]) => Triangle::new(a, b, c).project_local_point(point, true).point,
        }
    }

    /// Returns the point of the hold for two parameters from 0 to 1. Uniform parameters give uniform points.
    pub fn point_at(&self, u: f32, v: f32) -> Vec3 {
        match self.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => a + (b - a) * u,
            HoldShape::Triangle([a, b, c]) => {
                // Fold the half of the parallelogram beyond the diagonal back.
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                a + (b - a) * u + (c - a) * v
            }
        }
    }

    pub(super) fn scaled(&self, by: f32) -> Self {
        let shape = match self.shape {
            HoldShape::Point(at) => HoldShape::Point(at * by),
            HoldShape::Segment(ends) => HoldShape::Segment(ends.map(|end| end * by)),
            HoldShape::Triangle(corners) => HoldShape::Triangle(corners.map(|corner| corner * by)),
        };
        Self { shape, ..self.clone() }
    }

    /// Returns whether it is a segment or a triangle, any point of which may be touched.
    pub fn has_extent(&self) -> bool {
        !matches!(self.shape, HoldShape::Point(_))
    }

    /// Returns the least and the greatest corner of its bounding box.
    pub fn bounds(&self) -> [Vec3; 2] {
        let bounds = self.aabb();
        [bounds.mins, bounds.maxs]
    }

    pub(super) fn aabb(&self) -> Aabb {
        match &self.shape {
            HoldShape::Point(at) => Aabb::new(*at, *at),
            HoldShape::Segment(ends) => Aabb::from_points(ends.iter().copied()),
            HoldShape::Triangle(corners) => Aabb::from_points(corners.iter().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hold_type_follows_the_surface_normal() {
        let at = |degrees: f32| {
            let (sin, cos) = crate::math::sin_cos(degrees.to_radians());
            HoldType::of_normal(Vec3::new(sin, cos, 0.0))
        };
        assert_eq!([at(0.0), at(44.0), at(-44.0)], [HoldType::LoadBearing; 3]);
        assert_eq!([at(46.0), at(90.0), at(134.0), at(-90.0)], [HoldType::Hybrid; 4]);
        assert_eq!([at(136.0), at(180.0)], [HoldType::Pendent; 2]);
    }

    #[test]
    fn points_of_a_hold_lie_on_it() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.0, 2.0)];
        let shape = HoldShape::Triangle(corners);
        let name = "top".to_owned();
        let hold = Hold { name, hold_type: HoldType::LoadBearing, normal: UP, shape, friction: DEFAULT_FRICTION };
        for (u, v) in [(0.0, 0.0), (0.9, 0.9), (0.5, 0.2), (1.0, 0.0)] {
            let point = hold.point_at(u, v);
            assert!((hold.nearest_point(point) - point).length() < 1e-6, "{u} {v}");
        }
    }
}
