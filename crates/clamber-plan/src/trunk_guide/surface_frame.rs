//! How a body is turned whose reference posture is relative to the surface that carries it: floors, walls, ceilings and the edges and corners
//! between them are all alike to it.

use clamber_model::math::{Mat3, Rotation, Vec3, rotation_from_rotation_vector};
use clamber_model::world::UP;

use super::tuning;

/// A contact of a body, for the direction that is up on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    /// Where the effector is in the reference posture, relative to the trunk of a body that faces +x.
    pub offset: Vec3,
    pub point: Vec3,
    pub normal: Vec3,
}

/// The rotations that are told apart, that on level ground first: directions up to the faces, edges and corners of a cube and, where they
/// are not vertical, a body that faces up or down there and one that faces across.
pub(super) fn turns() -> Vec<Rotation> {
    let mut turns = vec![frame(Vec3::X, UP), frame(Vec3::X, -UP)];
    for x in -1..=1 {
        for y in -1..=1 {
            for z in -1..=1 {
                let up = Vec3::new(x as f32, y as f32, z as f32).normalize_or_zero();
                if let Some(aside) = up.cross(UP).try_normalize() {
                    turns.extend([UP.cross(aside), aside].map(|heading| frame(-heading, up)));
                }
            }
        }
    }
    turns
}

/// The rotation of a body that faces a horizontal direction on a surface with this direction up: its right side stays as level as the
/// surface allows. On a wall that it faces, it climbs headfirst.
pub(super) fn frame(heading: Vec3, up: Vec3) -> Rotation {
    let ahead = up.cross(heading.cross(UP));
    let ahead = if ahead.length() > tuning::LEAST_LEVEL { ahead.normalize() } else { up.cross(heading).cross(up) };
    let ahead = ahead.try_normalize().unwrap_or(UP);
    Rotation::from_mat3(&Mat3::from_cols(ahead, up, ahead.cross(up)))
}

/// The direction that is up for a body on some contacts: that in which the reference posture fits them best, by least squares. The normals
/// alone would turn it at once where the first foot gets over an edge.
pub(super) fn fitted_up(contacts: &[SurfacePoint], heading: Vec3) -> Vec3 {
    let count = contacts.len().max(1) as f32;
    let normals = contacts.iter().map(|contact| contact.normal).sum::<Vec3>();
    let middle = |of: fn(&SurfacePoint) -> Vec3| contacts.iter().map(of).sum::<Vec3>() / count;
    let [offset, point] = [middle(|contact| contact.offset), middle(|contact| contact.point)];
    let mut rotation = frame(heading, normals.try_normalize().unwrap_or(UP));
    for _ in 0..tuning::FIT_ROUNDS {
        // A small turn moves each effector across its lever; the damping keeps the normals' direction where contacts leave it open.
        let (mut turn, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for contact in contacts {
            let lever = rotation * (contact.offset - offset);
            turn += lever.cross(contact.point - point);
            let outer = Mat3::from_cols(lever * lever.x, lever * lever.y, lever * lever.z);
            inertia += Mat3::IDENTITY * lever.length_squared() - outer;
        }
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        if trace <= f32::MIN_POSITIVE {
            break;
        }
        let damped = inertia + Mat3::IDENTITY * (tuning::FIT_DAMPING * trace);
        rotation = (rotation_from_rotation_vector(damped.inverse() * turn) * rotation).normalize();
    }
    rotation * UP
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the feet of a body on six legs are in its reference posture.
    fn feet() -> Vec<Vec3> {
        let side = |z: f32| [0.4, 0.0, -0.4].map(|x| Vec3::new(x, -0.2, z));
        [side(-0.3), side(0.3)].concat()
    }

    #[test]
    fn a_body_climbs_a_wall_headfirst_and_walks_on_a_ceiling_upside_down() {
        let on_floor = frame(Vec3::X, UP);
        assert!(on_floor.angle_between(Rotation::IDENTITY) < 1e-3);
        let on_wall = frame(Vec3::X, Vec3::NEG_X);
        assert!((on_wall * Vec3::X - UP).length() < 1e-6 && (on_wall * Vec3::Z - Vec3::Z).length() < 1e-6);
        let on_ceiling = frame(Vec3::X, -UP);
        assert!((on_ceiling * Vec3::X - Vec3::NEG_X).length() < 1e-6);
    }

    #[test]
    fn up_is_between_those_of_a_wall_and_of_its_top() {
        // The wall is at x = 0 and its top at y = 0: the front feet are over the edge.
        let at = |offset: Vec3| {
            if offset.x > 0.0 {
                (Vec3::new(0.2, 0.0, offset.z), UP)
            } else {
                (Vec3::new(0.0, -0.2 + offset.x, offset.z), Vec3::NEG_X)
            }
        };
        let on = |offset: Vec3| {
            let (point, normal) = at(offset);
            SurfacePoint { offset, point, normal }
        };
        let contacts: Vec<SurfacePoint> = feet().into_iter().map(on).collect();
        let up = fitted_up(&contacts, Vec3::X);
        assert!(up.y > 0.2 && up.x < -0.5 && up.z.abs() < 1e-3, "{up}");
    }

    #[test]
    fn contacts_tell_the_slope_even_where_their_normals_do_not() {
        // Stairs of 45 degrees.
        let on = |offset: Vec3| SurfacePoint { offset, point: offset + UP * offset.x, normal: UP };
        let contacts: Vec<SurfacePoint> = feet().into_iter().map(on).collect();
        let up = fitted_up(&contacts, Vec3::X);
        assert!(up.angle_between(Vec3::new(-1.0, 1.0, 0.0)) < 0.1, "{up}");
    }
}
