//! The room that a body needs to get from the reference posture of one mode into that of another: one that goes down on its hands sweeps
//! its head forward.

use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::Vec3;
use clamber_model::world::UP;
use clamber_model::{Character, ModeTable, World};

use super::mode_shape::{BodySphere, ModeShape, push_body_spheres};
use super::tile_surfaces::{TypeBits, type_bits};
use super::tuning;

/// Where a trunk is relative to where it is after a change of modes, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrunkOffset {
    pub up: i32,
    pub ahead: i32,
}

impl TrunkOffset {
    /// The cells from where the trunk is afterward to where it is before, for a body with a heading.
    pub fn cells(self, heading: Vec3) -> [i32; 3] {
        let along = heading * self.ahead as f32;
        [along.x.round() as i32, self.up, along.z.round() as i32]
    }

    /// In cells.
    pub fn length(self) -> f32 {
        if self.ahead == 0 {
            self.up.unsigned_abs() as f32
        } else {
            Vec3::new(self.ahead as f32, self.up as f32, 0.0).length()
        }
    }
}

/// A change from one mode to another.
#[derive(Clone, Debug)]
pub(super) struct ModeChange {
    /// The shape of the mode before, an index into `Places::shapes`.
    pub from: usize,
    /// Where the trunk is before: how many cells higher than afterward, and how many farther along the heading.
    pub offsets: Vec<TrunkOffset>,
    /// How many times as long a way takes as in the fastest mode, where the body moves on meanwhile.
    pub slowness: f32,
    /// Whether the body faces what carries it before or afterward, so that its heading there tells where the trunk is.
    pub depends_on_heading: bool,
    /// The types of the holds with which it begins; none if it takes none.
    pub entry_types: TypeBits,
    /// The body between the two postures, but for limbs that carry in one of them: relative to the trunk afterward, facing +x.
    between: Vec<BodySphere>,
}

impl ModeChange {
    pub fn new(
        character: &Character,
        table: &ModeTable,
        (from, shape): (usize, &ModeShape),
        to: &ModeShape,
        cell_side: f32,
    ) -> Self {
        let drop = shape.height - to.height;
        let (offsets, depends_on_heading) = trunk_offsets(shape, to, cell_side, character.body_size());
        let ends = [shape, to].map(|shape| table.modes[shape.mode].reference_posture.configuration(character));
        let is_carrying = |limb| shape.is_carried_by_limb(character, limb) || to.is_carried_by_limb(character, limb);
        let (mut between, mut frames) = (Vec::new(), LinkFrames::default());
        // Over an edge, the trunk moves around it, and not from one posture straight into the other.
        let steps = if shape.only_stands() && to.only_stands() { tuning::CHANGE_STEPS } else { 0 };
        for step in 1..steps {
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
        let moves_on = !(shape.only_stands() && to.only_stands());
        let slowness = if moves_on { shape.slowness.max(to.slowness) } else { 1.0 };
        Self { from, offsets, slowness, depends_on_heading, entry_types: entry_types.unwrap_or(0), between }
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

/// Where the trunk may be before a change of modes, and whether that depends on a heading. Bodies that stand go up or down where they are.
/// Others keep what they hold, and get over an edge where they face what carries them in one of the modes alone.
fn trunk_offsets(from: &ModeShape, to: &ModeShape, cell_side: f32, body_size: f32) -> (Vec<TrunkOffset>, bool) {
    let cells = |length: f32| (length / cell_side).round() as i32;
    if from.only_stands() && to.only_stands() {
        let drop = cells(from.height - to.height);
        return ((drop - 1..=drop + 1).map(|up| TrunkOffset { up, ahead: 0 }).collect(), false);
    }
    let kept: Vec<Vec3> = from.trunk_offsets_from(to).collect();
    let up = kept.iter().map(|offset| UP.dot(*offset)).sum::<f32>() / kept.len().max(1) as f32;
    let slack = tuning::CHANGE_SLACK * body_size;
    let over_edge = (cells(tuning::OVER_EDGE * body_size), !kept.is_empty());
    let aheads = match (from.faces_surfaces(), to.faces_surfaces(), over_edge) {
        (true, false, (far, true)) => -far..=0,
        (false, true, (far, true)) => 0..=far,
        _ => 0..=0,
    };
    let depends_on_heading = aheads != (0..=0);
    let ups = cells(up - slack)..=cells(up + slack);
    let step = tuning::OVER_EDGE_STEP;
    let offsets = aheads.step_by(step).flat_map(|ahead| ups.clone().map(move |up| TrunkOffset { up, ahead }));
    (offsets.collect(), depends_on_heading)
}
