//! Holds: the places of the world where an effector may attach (Kalisiak 1999, 4.1 and 6.2.2).

use parry3d::bounding_volume::Aabb;
use parry3d::query::PointQuery;
use parry3d::shape::{Segment, Triangle};

use crate::math::Vec3;

/// The direction against gravity.
pub const UP: Vec3 = Vec3::Y;

/// What a hold is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HoldType {
    /// To stand on.
    LoadBearing,
    /// To hang from.
    Pendent,
    /// Either.
    Hybrid,
}

impl HoldType {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::LoadBearing, Self::Pendent, Self::Hybrid];

    /// The type that a surface with this outer unit normal gives a hold.
    ///
    /// The thesis prints the inequality of hybrid holds the wrong way round, so that none could exist; they are what
    /// lies between the other two.
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

    /// The word that files and reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::LoadBearing => "load-bearing",
            Self::Pendent => "pendent",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Where a hold is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldShape {
    /// One point.
    Point(Vec3),
    /// Any point of a line.
    Segment([Vec3; 2]),
    /// Any point of a triangle.
    Triangle([Vec3; 3]),
}

/// A place where an effector may attach.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// Unique in the world.
    pub name: String,
    /// What it is good for.
    pub hold_type: HoldType,
    /// The outer unit normal of the surface it is on: an effector's centre stands off along it by its radius.
    pub normal: Vec3,
    /// Where it is.
    pub shape: HoldShape,
}

impl Hold {
    /// The point of the hold that is nearest to a point.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        match self.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => Segment::new(a, b).project_local_point(point, true).point,
            HoldShape::Triangle([a, b, c]) => Triangle::new(a, b, c).project_local_point(point, true).point,
        }
    }

    /// The point of the hold for two numbers from 0 to 1; over all pairs of numbers the points are evenly spread.
    pub fn point_at(&self, u: f32, v: f32) -> Vec3 {
        match self.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => a + (b - a) * u,
            HoldShape::Triangle([a, b, c]) => {
                // The half of the parallelogram beyond the diagonal is folded back.
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

    /// Whether any point of it may be taken, rather than one.
    pub fn has_many_points(&self) -> bool {
        !matches!(self.shape, HoldShape::Point(_))
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
    fn the_type_follows_the_normal() {
        let at = |degrees: f32| {
            let (sin, cos) = crate::math::sin_cos(degrees.to_radians());
            HoldType::of_normal(Vec3::new(sin, cos, 0.0))
        };
        assert_eq!([at(0.0), at(44.0), at(-44.0)], [HoldType::LoadBearing; 3]);
        assert_eq!([at(46.0), at(90.0), at(134.0), at(-90.0)], [HoldType::Hybrid; 4]);
        assert_eq!([at(136.0), at(180.0)], [HoldType::Pendent; 2]);
    }

    #[test]
    fn points_of_a_surface_lie_on_it() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.0, 2.0)];
        let shape = HoldShape::Triangle(corners);
        let hold = Hold { name: "top".to_owned(), hold_type: HoldType::LoadBearing, normal: UP, shape };
        for (u, v) in [(0.0, 0.0), (0.9, 0.9), (0.5, 0.2), (1.0, 0.0)] {
            let point = hold.point_at(u, v);
            assert!((hold.nearest(point) - point).length() < 1e-6, "{u} {v}");
        }
    }
}
