//! What is up for bodies whose reference posture turns with the surface that carries them, and which way they face there.

use clamber_model::Contact;
use clamber_model::id::ModeId;
use clamber_model::math::{Rotation, Vec3, atan2, rotation_about};
use clamber_model::world::UP;

use super::guide::{GuidePoint, TrunkGuide};
use super::mode_shape::ModeShape;
use super::place::{PlaceId, Status};
use super::surface_frame::frame;
use super::tuning;

impl TrunkGuide {
    /// The direction that is up for a body with its trunk at a place: between those of the cells around it.
    pub fn up_at(&self, at: GuidePoint) -> Vec3 {
        let Some(shape) = self.shape_of_mode[at.mode] else { return UP };
        let turning = &self.places.shapes[shape];
        if !turning.turns_with_surface() {
            return UP;
        }
        let cell = self.places.cell_at(at.position);
        let mut sum = Vec3::ZERO;
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let id = PlaceId { cell: cell.offset([x, y, z]), shape };
                    let place = self.places.known(id);
                    let distance = (self.places.position(id) - at.position).length() / self.places.side;
                    if place.status == Status::Open {
                        sum += turning.turns[usize::from(place.facing)] * UP * (tuning::UP_RANGE - distance).max(0.0);
                    }
                }
            }
        }
        let nearest = || {
            let (id, _) = self.least(at, |cost, _| cost)?;
            Some(turning.turns[usize::from(self.places.known(id).facing)] * UP)
        };
        sum.try_normalize().or_else(nearest).unwrap_or(UP)
    }

    /// The direction that is up for a body with a heading on a stance in a mode.
    pub fn up_on(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> Vec3 {
        self.shape(mode).map_or(UP, |shape| shape.up_on(stance, heading))
    }

    /// The direction that is up at a place, or as far toward it as a body on a stance can turn in a step.
    pub(super) fn up_toward(&self, stance: &[Contact], at: GuidePoint, heading: Vec3) -> Vec3 {
        if !self.turns_with_surface(at.mode) {
            return UP;
        }
        let [here, there] = [self.up_on(stance, heading, at.mode), self.up_at(at)];
        let angle = here.angle_between(there);
        let axis = here.cross(there).try_normalize();
        axis.map_or(here, |axis| rotation_about(axis, angle.min(tuning::MAX_UP_TURN)) * here)
    }

    /// Whether any direction may be up for a body in a mode.
    pub fn turns_with_surface(&self, mode: ModeId) -> bool {
        self.shape(mode).is_some_and(ModeShape::turns_with_surface)
    }

    /// How a body in a mode that faces a horizontal direction on a stance is turned from one that faces +x on level ground.
    pub fn turn_on(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> Rotation {
        match self.turns_with_surface(mode) {
            true => frame(heading, self.up_on(stance, heading, mode)),
            false => rotation_about(UP, atan2(-heading.z, heading.x)),
        }
    }

    /// Where the trunk is in the reference posture for a contact of a stance.
    pub fn trunk_place_by(&self, contact: &Contact, stance: &[Contact], heading: Vec3, mode: ModeId) -> Option<Vec3> {
        let shape = self.shape(mode).filter(|shape| shape.turns_with_surface());
        match shape {
            Some(shape) => {
                Some(shape.trunk_place(contact.point, heading, shape.up_on(stance, heading), contact.effector))
            }
            None => self.trunk_place(&[*contact], heading, mode),
        }
    }

    /// The horizontal direction that a body faces at a place so that it moves headfirst along its path, with its right side level. Where the path
    /// leads across a wall, it stays as it is.
    pub(super) fn heading_on_surface(&self, at: GuidePoint, facing: Vec3) -> Option<Vec3> {
        let up = self.up_at(at);
        if let Some((goal, heading)) = self.goal_heading
            && (goal - at.position).length() < tuning::GOAL_HEADING_DISTANCE * self.body_size
        {
            return Some(heading);
        }
        let lookahead = self.shape(at.mode)?.heading_lookahead;
        let mut path = self.path(at);
        let begin = path.next()?.position;
        let mut end = begin;
        for point in path {
            end = point.position;
            if (end - begin).length() >= lookahead {
                break;
            }
        }
        let right = (end - begin).normalize_or_zero().cross(up);
        let level = right - UP * UP.dot(right);
        let turns = level.length() >= tuning::LEAST_TURNING_SHARE;
        Some(if turns { UP.cross(level).normalize_or(facing) } else { facing })
    }
}
