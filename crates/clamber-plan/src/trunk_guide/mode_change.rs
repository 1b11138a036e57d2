//! The room that a body needs to get from the reference posture of one mode into that of another: one that goes down on its hands sweeps
//! its head forward.

use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Character, ModeTable, World};

use super::mode_shape::{BodySphere, ModeShape, push_body_spheres};
use super::tile_surfaces::{TypeBits, type_bits};
use super::tuning;

/// A change from one mode to another.
#[derive(Clone, Debug)]
pub(super) struct ModeChange {
    /// The shape of the mode before, an index into `Places::shapes`.
    pub from: usize,
    /// How much higher the trunk is before, in meters.
    pub drop: f32,
    /// The types of the holds with which it begins; none if it takes none.
    pub entry_types: TypeBits,
    /// The body between the two postures, but for limbs that carry in one of them: relative to the trunk afterward, facing +x.
    between: Vec<BodySphere>,
}

impl ModeChange {
    pub fn new(character: &Character, table: &ModeTable, (from, shape): (usize, &ModeShape), to: &ModeShape) -> Self {
        let drop = shape.height - to.height;
        let ends = [shape, to].map(|shape| table.modes[shape.mode].reference_posture.configuration(character));
        let is_carrying = |limb| shape.is_carried_by_limb(character, limb) || to.is_carried_by_limb(character, limb);
        let (mut between, mut frames) = (Vec::new(), LinkFrames::default());
        for step in 1..tuning::CHANGE_STEPS {
            let t = step as f32 / tuning::CHANGE_STEPS as f32;
            let mut configuration = ends[0].clone();
            configuration.interpolate(&ends[0], &ends[1], t);
            forward(character, &configuration, &mut frames);
            let trunk = frames.world_from_link[table.trunk_link].translation;
            configuration.root.translation += UP * ((1.0 - t) * drop) - trunk;
            forward(character, &configuration, &mut frames);
            push_body_spheres(character, &frames, is_carrying, &mut between);
        }
        let mut edges = table.edges.iter().filter(|edge| edge.from == shape.mode && edge.to == to.mode);
        let entry_types = edges.try_fold(0, |types, edge| Some(types | type_bits(&edge.holds_to_take.first()?.types)));
        Self { from, drop, entry_types: entry_types.unwrap_or(0), between }
    }

    /// Whether holds of these types may be all that a world needs for it.
    pub fn may_begin_on(&self, types: TypeBits) -> bool {
        self.entry_types == 0 || self.entry_types & types != 0
    }

    /// How much of the room for it is missing at a place where the body faces a direction, from 0 to 1.
    pub fn missing_room(&self, world: &World, trunk: Vec3, heading: Vec3) -> f32 {
        let right = heading.cross(UP);
        let overlap = |sphere: &BodySphere| {
            let Vec3 { x, y, z } = sphere.center;
            let distance = world.distance_field.estimate(trunk + heading * x + UP * y + right * z);
            (1.0 - distance / sphere.radius).clamp(0.0, 1.0)
        };
        self.between.iter().map(overlap).fold(0.0, f32::max)
    }
}
