//! What a mode needs at a place: room for the body in its reference posture, and surfaces within the reach of its limbs.

use std::f32::consts::FRAC_PI_4;

use clamber_model::character::{Capsule, Effector, REFERENCE_BODY_SIZE};
use clamber_model::id::{EffectorId, LimbId, ModeId, TiVec};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::{Rotation, Vec3, rotation_about};
use clamber_model::mode_table::{HoldToTake, Mode, SupportingGroup};
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Contact, ModeTable};

use super::surface_frame::{self, SurfacePoint};
use super::surface_window::SurfaceWindow;
use super::tile_surfaces::{ROOMY, TypeBits, WIDE, type_bits};
use super::tuning;
use crate::max_contact_distances::Reach;

/// Headings that are told apart where the body fits: half a turn in four steps, since forward and backward are alike there.
pub(super) const AXES: usize = 4;
/// Headings that are told apart where the body faces what carries it.
pub(super) const HEADINGS: usize = 2 * AXES;

/// A sphere of the body in its reference posture, relative to the trunk, facing +x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodySphere {
    pub center: Vec3,
    pub radius: f32,
}

/// The room that a body takes in its reference posture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BodyRoom {
    /// Spheres of the trunk, for each axis: they have to fit.
    pub required: [Vec<BodySphere>; AXES],
    /// Spheres of the rest of the body but for limbs that carry: they should.
    pub preferred: [Vec<BodySphere>; AXES],
    /// Spheres on the vertical through the trunk that contain the body, whichever way it faces.
    pub slices: Vec<BodySphere>,
}

/// Where the effectors of a limb can be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimbReach {
    /// Which limb it is; several of its effectors may carry, one at a time.
    pub limb: Option<LimbId>,
    /// The types of hold that carry it.
    pub types: TypeBits,
    /// Those that cells must have: a sole that stands needs room, and the tip of a foot does not.
    surfaces: TypeBits,
    /// The cells that it reaches, the most comfortable first.
    cells: Vec<ReachedCell>,
}

/// A cell that an effector reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ReachedCell {
    /// Its index in a window, relative to that of the trunk's cell.
    index: isize,
    /// Its center relative to that of the trunk's cell, in meters.
    pub offset: Vec3,
    /// The distance of the limb from its reference posture, from 0 to 1.
    pub strain: f32,
}

/// A mode on its reference posture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModeShape {
    pub mode: ModeId,
    pub(super) least_contacts: usize,
    /// How many times as long a way takes as in the fastest mode.
    pub(super) slowness: f32,
    /// The room that the body takes, for each direction that is up for it.
    pub(super) rooms: Vec<BodyRoom>,
    /// How the body may be turned: more than one rotation if its posture turns with the surface that carries it.
    pub(super) turns: Vec<Rotation>,
    /// For each heading or direction up that the limbs tell apart, what each of them reaches: one for all in modes that only stand.
    reaches: Vec<Vec<LimbReach>>,
    /// The place of each effector relative to the trunk, facing +x: the point of its surface that is lowest.
    offsets: TiVec<EffectorId, Vec3>,
    /// How far ahead or behind of its place each effector is without extra cost because the trunk has to be lower, in meters.
    pub easy_strides: TiVec<EffectorId, f32>,
    /// The effectors that carry.
    carriers: Vec<EffectorId>,
    /// Those of them that stand only where there is room for a leg, in a mode in which the body only stands.
    standing: Vec<EffectorId>,
    /// How far the trunk is above them.
    pub height: f32,
    /// How far ahead on a path a body looks to face along it, in meters: a long one has to be straight for longer.
    pub(super) heading_lookahead: f32,
    /// How far the trunk may be to a side of what it stands on; infinite in a mode that does not only stand.
    pub(super) max_lean: f32,
    /// How far it may be without extra cost.
    pub(super) easy_lean: f32,
}

impl ModeShape {
    /// The shapes of the modes of a table that have contacts.
    pub fn of_table(character: &Character, table: &ModeTable, reach: &Reach, cell_side: f32) -> Vec<Self> {
        let with_contacts = table.modes.iter_enumerated().filter(|(_, mode)| !mode.supporting_groups.is_empty());
        with_contacts.map(|(mode, _)| Self::new(character, table, reach, mode, cell_side)).collect()
    }

    /// The most cells that limbs reach away from the trunk along an axis.
    pub fn window_margin(reach: &Reach, cell_side: f32) -> i32 {
        (reach.max_from_root() / cell_side).ceil().min(tuning::MAX_MARGIN) as i32
    }

    fn new(character: &Character, table: &ModeTable, reach: &Reach, id: ModeId, cell_side: f32) -> Self {
        let mode = &table.modes[id];
        let mut configuration = mode.reference_posture.configuration(character);
        let mut frames = LinkFrames::default();
        forward(character, &configuration, &mut frames);
        configuration.root.translation -= frames.world_from_link[table.trunk_link].translation;
        forward(character, &configuration, &mut frames);
        let offset = |id: EffectorId| effector_position(character, &frames, id) - UP * character.effectors[id].radius;
        let offsets: TiVec<EffectorId, Vec3> = character.effectors.keys().map(offset).collect();
        let easy_strides = character.effectors.keys().map(|id| easy_stride(character, reach, &frames, id)).collect();
        let carriers = carriers(character, table, mode);
        let height = carriers.iter().map(|(effector, _)| -UP.dot(offsets[*effector])).fold(0.0, f32::max);
        let ahead = carriers.iter().map(|(effector, _)| offsets[*effector].x);
        let [front, back] = [ahead.clone().fold(f32::NEG_INFINITY, f32::max), ahead.fold(f32::INFINITY, f32::min)];
        let carrying: Vec<LimbId> =
            carriers.iter().filter_map(|(effector, _)| character.effectors[*effector].limb).collect();
        let (required, preferred) = body_spheres(character, table, &frames, &carrying);
        let slices = slices(&preferred, tuning::SLICE_HEIGHT * character.body_size());
        let upright = BodyRoom { required: turned(&required), preferred: turned(&preferred), slices };
        let turns = match mode.reference_posture.turns_with_surface {
            true => surface_frame::turns(),
            false => vec![Rotation::IDENTITY],
        };
        let rooms = turns.iter().map(|turn| upright.turned(*turn)).collect();
        let [easy_lean, max_lean] = leans(character, mode, carriers.iter().map(|(effector, _)| offsets[*effector]));
        let middle =
            carriers.iter().map(|(effector, _)| offsets[*effector].x).sum::<f32>() / carriers.len().max(1) as f32;
        let faces_surfaces =
            turns.len() == 1 && max_lean.is_infinite() && middle > tuning::FACING_DISTANCE * character.body_size();
        let margin = Self::window_margin(reach, cell_side);
        let limb_reach = |facing: Facing, &(effector, types): &(EffectorId, TypeBits)| {
            let surfaces = needed_surfaces(character, table, (id, max_lean.is_finite()), (effector, types));
            let length = reach.limb_length(effector) + character.effectors[effector].radius;
            let points = [limb_root(character, &frames, effector), offsets[effector]];
            let mut cells = reachable_cells(points, length, facing, cell_side, margin);
            // Cells are coarse, and a limb that is out of the window is far from its reference posture.
            cells.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let count = tuning::TILE_CELLS + 2 * margin;
            let reached = |([x, y, z], strain): ([i32; 3], f32)| ReachedCell {
                index: SurfaceWindow::index_offset(count, [x, y, z]),
                offset: Vec3::new(x as f32, y as f32, z as f32) * cell_side,
                strain,
            };
            LimbReach {
                limb: character.effectors[effector].limb,
                types,
                surfaces,
                cells: cells.into_iter().map(reached).collect(),
            }
        };
        let facings = facings(faces_surfaces, &turns);
        let of_facing = |facing: &Facing| carriers.iter().map(|carrier| limb_reach(*facing, carrier)).collect();
        let reaches = facings.iter().map(of_facing).collect();
        Self {
            mode: id,
            least_contacts: mode.least_contacts.max(1),
            slowness: slowness(table, id),
            rooms,
            turns,
            reaches,
            height,
            heading_lookahead: tuning::HEADING_LOOKAHEAD * character.body_size() + (front - back).max(0.0),
            max_lean,
            easy_lean,
            offsets,
            easy_strides,
            standing: if max_lean.is_finite() { standing_in_room(character, &carriers) } else { Vec::new() },
            carriers: carriers.into_iter().map(|(effector, _)| effector).collect(),
        }
    }

    /// Whether the body faces what carries it, as on a wall, and not where it goes.
    pub fn faces_surfaces(&self) -> bool {
        self.reaches.len() > 1 && !self.turns_with_surface()
    }

    /// Whether the posture is relative to the surface that carries the body, so that any direction may be up for it.
    pub fn turns_with_surface(&self) -> bool {
        self.turns.len() > 1
    }

    /// Whether nothing but what the body stands on carries it.
    pub fn only_stands(&self) -> bool {
        self.max_lean.is_finite()
    }

    /// What each limb reaches, with a heading that they tell apart.
    pub(super) fn limbs_facing(&self, number: usize) -> &[LimbReach] {
        self.reaches.get(number).map_or(&[], Vec::as_slice)
    }

    /// Whether surfaces of these types carry the body, if there are enough of them.
    pub(super) fn is_supported_by(&self, types: TypeBits) -> bool {
        self.limbs_facing(0).iter().filter(|limb| limb.types & types != 0).count() >= self.least_contacts
    }

    /// Whether it is carried by surfaces of other types than these too.
    pub(super) fn is_carried_by_more_than(&self, types: TypeBits) -> bool {
        self.limbs_facing(0).iter().any(|limb| limb.types & !types != 0)
    }

    /// How much farther ahead and up the trunk is in this mode than in another while an effector that carries in both stays where it is,
    /// for each such effector.
    pub(super) fn trunk_offsets_from<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = Vec3> + 's {
        let shared = self.carriers.iter().filter(|effector| other.is_carried_by(**effector));
        shared.map(|&effector| other.offsets[effector] - self.offsets[effector])
    }

    /// Whether an effector carries the body in this mode.
    pub fn is_carried_by(&self, effector: EffectorId) -> bool {
        self.carriers.contains(&effector)
    }

    /// Whether an effector stands in this mode, and needs room for a leg where it does.
    pub fn needs_room(&self, effector: EffectorId) -> bool {
        self.standing.contains(&effector)
    }

    /// The effectors that carry the body in this mode.
    pub fn carriers(&self) -> &[EffectorId] {
        &self.carriers
    }

    /// Whether an effector of a limb does.
    pub(super) fn is_carried_by_limb(&self, character: &Character, limb: LimbId) -> bool {
        self.carriers.iter().any(|&effector| character.effectors[effector].limb == Some(limb))
    }

    /// How many contacts of a stance carry the body in this mode.
    pub fn count_carrying(&self, stance: &[Contact]) -> usize {
        stance.iter().filter(|contact| self.is_carried_by(contact.effector)).count()
    }

    /// How far apart the heights of the trunk are that the contacts of a stance which carry in this mode suggest, in meters.
    pub(super) fn disagreement(&self, stance: &[Contact]) -> f32 {
        let carrying = stance.iter().filter(|contact| self.is_carried_by(contact.effector));
        let heights = carrying.map(|contact| UP.dot(contact.point - self.offsets[contact.effector]));
        let [low, high] =
            heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| [low.min(height), high.max(height)]);
        (high - low).max(0.0)
    }

    /// How far from the trunk surfaces and distances matter, given the clearance beyond which nothing is close.
    pub(super) fn extent(&self, close: f32) -> f32 {
        let limbs = self.reaches.iter().flatten().flat_map(|limb| &limb.cells).map(|cell| cell.offset.length());
        let of_room =
            |room: &'_ BodyRoom| [room.preferred.concat(), room.required.concat(), room.slices.clone()].concat();
        let spheres = self.rooms.iter().flat_map(of_room);
        let spheres = spheres.map(|sphere| sphere.center.length() + sphere.radius + close);
        limbs.chain(spheres).fold(0.0, f32::max)
    }

    /// Where an effector is in the reference posture of a body with its trunk at a place, facing a horizontal direction on a surface with
    /// this direction up.
    pub fn effector_place(&self, trunk: Vec3, heading: Vec3, up: Vec3, effector: EffectorId) -> Vec3 {
        trunk + self.offset(heading, up, effector)
    }

    /// Where the trunk is when an effector is at a point in the reference posture.
    pub fn trunk_place(&self, point: Vec3, heading: Vec3, up: Vec3, effector: EffectorId) -> Vec3 {
        point - self.offset(heading, up, effector)
    }

    fn offset(&self, heading: Vec3, up: Vec3, effector: EffectorId) -> Vec3 {
        match self.turns_with_surface() {
            true => surface_frame::frame(heading, up) * self.offsets[effector],
            false => turned_to(heading, self.offsets[effector]),
        }
    }

    /// The direction that is up for a body with a heading on a stance.
    pub fn up_on(&self, stance: &[Contact], heading: Vec3) -> Vec3 {
        if !self.turns_with_surface() {
            return UP;
        }
        let on = |&Contact { effector, point, normal, .. }: &Contact| SurfacePoint {
            offset: self.offsets[effector],
            point,
            normal,
        };
        let contacts: Vec<SurfacePoint> = stance.iter().map(on).collect();
        surface_frame::fitted_up(&contacts, heading)
    }
}

/// The effectors that carry in a mode, each with the types of hold that it does on; those of one limb in a row.
fn carriers(character: &Character, table: &ModeTable, mode: &Mode) -> Vec<(EffectorId, TypeBits)> {
    let of_group = |group: &SupportingGroup| {
        let types = type_bits(&group.types);
        table.effector_groups[group.group].effectors.iter().map(move |&effector| (effector, types))
    };
    let mut carriers: Vec<(EffectorId, TypeBits)> = mode.supporting_groups.iter().flat_map(of_group).collect();
    carriers.sort_by_key(|(effector, _)| character.effectors[*effector].limb);
    carriers
}

/// Whether what an effector stands on must have room for more of its limb's end, as for a foot above its heel. Tips of feet stand on ledges.
fn needs_room(character: &Character, effector: EffectorId) -> bool {
    let Effector { link, limb, facing, ability, .. } = &character.effectors[effector];
    let is_tip = limb.is_some_and(|limb| character.limbs[limb].links.last() == Some(link));
    facing.is_some() && !(is_tip && ability.patch.is_none())
}

/// Those effectors that carry which stand only where there is room for a leg.
fn standing_in_room(character: &Character, carriers: &[(EffectorId, TypeBits)]) -> Vec<EffectorId> {
    let effectors = carriers.iter().map(|(effector, _)| *effector);
    effectors.filter(|effector| needs_room(character, *effector)).collect()
}

/// Whether an effector is in the middle of a limb: not on its tip, nor on what carries the tip, such as a foot above its toes.
pub(crate) fn is_mid_limb(character: &Character, effector: EffectorId) -> bool {
    let Effector { link, limb, .. } = &character.effectors[effector];
    limb.is_some_and(|limb| character.limbs[limb].links.iter().rev().take(2).all(|tip| tip != link))
}

/// The surfaces that cells must have for an effector to carry on holds of some types in a mode in which the body only stands, or not.
fn needed_surfaces(
    character: &Character,
    table: &ModeTable,
    (mode, only_stands): (ModeId, bool),
    (effector, types): (EffectorId, TypeBits),
) -> TypeBits {
    if only_stands && is_mid_limb(character, effector) {
        return WIDE;
    }
    let stands_in_room = only_stands && needs_room(character, effector);
    if stands_in_room || is_on_wide_surfaces(table, mode, effector) { ROOMY } else { types }
}

/// Whether an effector gets into a mode only on surfaces that go on around it: hands do not press a body up on rungs.
fn is_on_wide_surfaces(table: &ModeTable, mode: ModeId, effector: EffectorId) -> bool {
    let entries = table.edges.iter().filter(|edge| edge.to == mode && edge.from != mode);
    let has_effector = |take: &&HoldToTake| {
        take.groups.iter().any(|&group| table.effector_groups[group].effectors.contains(&effector))
    };
    let mut takes = entries.flat_map(|edge| &edge.holds_to_take).filter(has_effector).peekable();
    takes.peek().is_some() && takes.all(|take| take.must_be_wide)
}

/// One of the headings that are told apart where the body faces what carries it.
pub(super) fn heading(number: usize) -> Vec3 {
    rotation_about(UP, number as f32 * FRAC_PI_4) * Vec3::X
}

/// An offset of a body that faces +x, for one that faces a horizontal direction.
fn turned_to(heading: Vec3, Vec3 { x, y, z }: Vec3) -> Vec3 {
    heading * x + UP * y + heading.cross(UP) * z
}

/// How far ahead or behind of its place a limb reaches when the trunk is a little lower, given the frames of a body that faces +x: a body on
/// stretched legs does not go down for a longer step.
fn easy_stride(character: &Character, reach: &Reach, frames: &LinkFrames, effector: EffectorId) -> f32 {
    let Effector { link, center, facing, .. } = &character.effectors[effector];
    let (mut end, mut length) = (effector_position(character, frames, effector), reach.limb_length(effector));
    if facing.is_some() {
        // A sole that lies flat leaves the joint above it where it is.
        end -= frames.world_from_link[*link].rotation * *center;
        length -= center.length();
    }
    let offset = end - limb_root(character, frames, effector);
    let rise = -UP.dot(offset) - tuning::EASY_DROP * character.body_size();
    let length = tuning::EASY_STRETCH * length;
    ((length * length - rise * rise - offset.z * offset.z).max(0.0).sqrt() - offset.x.abs()).max(0.0)
}

/// How many times as long a way takes in a mode as in the fastest one.
fn slowness(table: &ModeTable, mode: ModeId) -> f32 {
    let fastest = table.modes.iter().filter_map(|mode| mode.speed).fold(0.0, f32::max);
    match table.modes[mode].speed {
        Some(speed) => fastest / speed,
        None if fastest > 0.0 => tuning::UNKNOWN_SLOWNESS,
        None => 1.0,
    }
}

/// How far the trunk may be to a side of what limbs reach best, without extra cost and at most, given where effectors that carry are
/// relative to it. Which way the body faces is not known there, so the surfaces may all be on one side, as far away as the nearest effector.
fn leans(character: &Character, mode: &Mode, carriers: impl Iterator<Item = Vec3>) -> [f32; 2] {
    if !mode.supporting_groups.iter().all(|group| group.types == [HoldType::LoadBearing]) {
        return [f32::INFINITY; 2];
    }
    let nearest = carriers.map(|offset| (offset - UP * UP.dot(offset)).length()).fold(f32::INFINITY, f32::min);
    let size = character.body_size();
    let [easy, slack] = [tuning::EASY_LEAN, tuning::LEAN_SLACK].map(|share| nearest + share * size);
    [easy, slack + size / REFERENCE_BODY_SIZE * mode.max_center_offset]
}

/// The spheres of the trunk, thinner than it is, and of the other links but for those of carrying limbs.
fn body_spheres(
    character: &Character,
    table: &ModeTable,
    frames: &LinkFrames,
    carrying: &[LimbId],
) -> (Vec<BodySphere>, Vec<BodySphere>) {
    let (mut required, mut preferred) = (Vec::new(), Vec::new());
    let spacing = tuning::SPHERE_SPACING * character.body_size();
    for index in character.links[table.trunk_link].capsules.clone() {
        push_spheres(&capsule_in_world(character, frames, index), spacing, tuning::REQUIRED_SHARE, &mut required);
    }
    push_body_spheres(character, frames, |limb| carrying.contains(&limb), &mut preferred);
    // However far the body bows, this much of it is above the trunk.
    let mut rest = Vec::new();
    push_body_spheres(character, frames, |_| true, &mut rest);
    let highest = rest.into_iter().max_by(|a, b| UP.dot(a.center).total_cmp(&UP.dot(b.center)));
    let bowed = |BodySphere { center, radius }: BodySphere| BodySphere {
        center: UP * (tuning::BOWED_SHARE * UP.dot(center)),
        radius: tuning::REQUIRED_SHARE * radius,
    };
    required.extend(highest.filter(|sphere| UP.dot(sphere.center) > 0.0).map(bowed));
    (required, preferred)
}

/// Appends the spheres of the links but for those of carrying limbs.
pub(super) fn push_body_spheres(
    character: &Character,
    frames: &LinkFrames,
    is_carrying: impl Fn(LimbId) -> bool,
    spheres: &mut Vec<BodySphere>,
) {
    let spacing = tuning::SPHERE_SPACING * character.body_size();
    for (link, description) in character.links.iter_enumerated() {
        if character.limb_of_link(link).is_some_and(&is_carrying) {
            continue;
        }
        for index in description.capsules.clone() {
            push_spheres(&capsule_in_world(character, frames, index), spacing, 1.0, spheres);
        }
    }
}

/// Spheres on the vertical that contain others, one for each slice of a height.
fn slices(spheres: &[BodySphere], height: f32) -> Vec<BodySphere> {
    let slice_of = |sphere: &BodySphere| (UP.dot(sphere.center) / height).floor() as i32;
    let mut numbers: Vec<i32> = spheres.iter().map(slice_of).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let slice = |number: i32| {
        let center = UP * ((number as f32 + 0.5) * height);
        let inside = spheres.iter().filter(|sphere| slice_of(sphere) == number);
        let radius = inside.map(|sphere| (sphere.center - center).length() + sphere.radius).fold(0.0, f32::max);
        BodySphere { center, radius }
    };
    numbers.into_iter().map(slice).collect()
}

fn push_spheres(capsule: &Capsule, spacing: f32, share: f32, spheres: &mut Vec<BodySphere>) {
    let count = ((capsule.b - capsule.a).length() / spacing).ceil() as usize;
    for index in 0..=count {
        let center = capsule.a.lerp(capsule.b, index as f32 / count.max(1) as f32);
        spheres.push(BodySphere { center, radius: share * capsule.radius });
    }
}

fn turned(spheres: &[BodySphere]) -> [Vec<BodySphere>; AXES] {
    std::array::from_fn(|axis| {
        let turn = rotation_about(UP, axis as f32 * FRAC_PI_4);
        spheres.iter().map(|sphere| BodySphere { center: turn * sphere.center, ..*sphere }).collect()
    })
}

fn limb_root(character: &Character, frames: &LinkFrames, effector: EffectorId) -> Vec3 {
    let link = character.effectors[effector]
        .limb
        .map_or(character.effectors[effector].link, |limb| character.limbs[limb].links[0]);
    frames.world_from_link[link].translation
}

/// How a body is turned for which a limb reaches cells.
#[derive(Clone, Copy)]
enum Facing {
    /// Whichever way it faces on level ground.
    Any,
    /// The same upside down.
    Below,
    /// Turned like this from one that faces +x on level ground.
    Turned(Rotation),
    Heading(Vec3),
}

impl Facing {
    /// Whichever way it faces on a floor or a ceiling is alike.
    fn of_turn(turn: &Rotation) -> Self {
        let rise = UP.dot(*turn * UP);
        match () {
            () if rise > tuning::LEVEL_COSINE => Self::Any,
            () if rise < -tuning::LEVEL_COSINE => Self::Below,
            () => Self::Turned(*turn),
        }
    }
}

impl BodyRoom {
    /// The same for a body that is turned.
    fn turned(&self, turn: Rotation) -> Self {
        let turned = |spheres: &Vec<BodySphere>| -> Vec<BodySphere> {
            let turned = |sphere: &BodySphere| BodySphere { center: turn * sphere.center, ..*sphere };
            spheres.iter().map(turned).collect()
        };
        Self {
            required: self.required.each_ref().map(turned),
            preferred: self.preferred.each_ref().map(turned),
            slices: turned(&self.slices),
        }
    }
}

/// How bodies are turned for which limbs reach cells of their own.
fn facings(faces_surfaces: bool, turns: &[Rotation]) -> Vec<Facing> {
    match (faces_surfaces, turns.len()) {
        (true, _) => (0..HEADINGS).map(|number| Facing::Heading(heading(number))).collect(),
        (false, 1) => vec![Facing::Any],
        (false, _) => turns.iter().map(Facing::of_turn).collect(),
    }
}

/// The cells relative to the trunk's that an effector reaches, each with its strain.
fn reachable_cells(
    [root, place]: [Vec3; 2],
    reach: f32,
    facing: Facing,
    side: f32,
    margin: i32,
) -> Vec<([i32; 3], f32)> {
    let horizontal = |vector: Vec3| vector - UP * UP.dot(vector);
    let ahead = horizontal(place).try_normalize().unwrap_or(Vec3::X);
    let mut cells = Vec::new();
    let mut push = |offset: [i32; 3]| {
        let [x, y, z] = offset.map(|at| at as f32 * side);
        let center = Vec3::new(x, y, z);
        // Most cells of a window are out of reach however the body is turned.
        if center.length() > root.length() + reach + side {
            return;
        }
        // The body faces so that the effector is on the side of the cell.
        let turned = match facing {
            Facing::Heading(heading) => Vec3::new(heading.dot(center), y, heading.cross(UP).dot(center)),
            Facing::Any => horizontal(center).length() * ahead + UP * y,
            Facing::Below => horizontal(center).length() * ahead - UP * y,
            Facing::Turned(turn) => turn.inverse() * center,
        };
        let strain = strain([turned - root, place - root], (turned - place).length(), reach, side);
        if strain.is_finite() {
            cells.push((offset, strain));
        }
    };
    for x in -margin..=margin {
        for y in -margin..=margin {
            (-margin..=margin).for_each(|z| push([x, y, z]));
        }
    }
    cells
}

/// How far a limb is from its reference posture when its effector is in a cell, from 0 to 1; infinite if it cannot be there.
fn strain([from_root, at_reference]: [Vec3; 2], off_place: f32, reach: f32, side: f32) -> f32 {
    // Cells are coarse: a part of one more than the limb reaches.
    let length = from_root.length();
    let least = tuning::MIN_REACH * at_reference.length() - 0.5 * side;
    let is_in_reach = length <= reach + 0.25 * side && length >= least;
    if !is_in_reach {
        return f32::INFINITY;
    }
    let is_in_cone = from_root.angle_between(at_reference) <= tuning::LIMB_CONE;
    if is_in_cone { (off_place / reach).min(1.0) } else { f32::INFINITY }
}

impl LimbReach {
    /// The surface that the limb reaches with the least strain from the cell of this index, past obstacles; `None` if it reaches none.
    pub fn nearest_surface(
        &self,
        window: &SurfaceWindow,
        index: usize,
        is_seen: impl Fn(Vec3) -> bool,
    ) -> Option<ReachedCell> {
        self.nearest_surface_of(self.surfaces, window, index, is_seen)
    }

    /// The same for surfaces of given types.
    pub fn nearest_surface_of(
        &self,
        types: TypeBits,
        window: &SurfaceWindow,
        index: usize,
        is_seen: impl Fn(Vec3) -> bool,
    ) -> Option<ReachedCell> {
        let near = self.cells.iter().filter(|cell| window.has_types_at(index, cell.index, types));
        near.take(tuning::MAX_HIDDEN_CELLS).find(|cell| is_seen(cell.offset)).copied()
    }
}
