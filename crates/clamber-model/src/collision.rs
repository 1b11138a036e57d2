//! Whether a character is free of the world: at a configuration, and on the way between two.

use typed_index_collections::{TiSlice, TiVec};

use crate::character::{Capsule, Character, REFERENCE_BODY_SIZE};
use crate::configuration::{Configuration, bound_motion};
use crate::id::{LinkId, ObstacleId};
use crate::kinematics::{StepFrames, Workspace, capsule_in_world, forward, joint_in_world, prepare, turn_hinges};
use crate::math::{Vec3, angle_between};
use crate::world::{MeshInterior, World};

/// The distance kept from obstacles. Settings have it in body sizes ([`Character::body_size`]), as the constants here; the checks in
/// meters: see [`scaled`](Self::scaled).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The distance that every checked configuration keeps from obstacles. Negative allows overlap, as touching contacts
    /// need. Default 0.003226 body sizes, 3 mm for the shipped figure.
    pub margin: f32,
    /// By how much the margin may be undercut between two checked configurations; at least 0.00001. Less costs more.
    /// Default 0.001075 body sizes, 1 mm for the shipped figure.
    pub interpolation_tolerance: f32,
}

impl Clearance {
    /// On contacts, in body sizes: half a millimeter of overlap passes for the shipped figure, since a touching capsule is at
    /// distance 0, give or take rounding. Capsules are round, so between two checks a body that slides over an edge dips far
    /// less than the slack.
    pub const ON_CONTACTS: Self =
        Self { margin: -5e-4 / REFERENCE_BODY_SIZE, interpolation_tolerance: 0.01 / REFERENCE_BODY_SIZE };

    /// Both lengths multiplied by a factor: from body sizes to meters with the body size.
    pub fn scaled(self, factor: f32) -> Self {
        Self { margin: factor * self.margin, interpolation_tolerance: factor * self.interpolation_tolerance }
    }
}

impl Default for Clearance {
    fn default() -> Self {
        Self { margin: 3e-3 / REFERENCE_BODY_SIZE, interpolation_tolerance: 1e-3 / REFERENCE_BODY_SIZE }
    }
}

/// The memory that checking needs, reused between calls, and counts of what was done.
#[derive(Clone, Debug, Default)]
pub struct CollisionWorkspace {
    /// Frames of the configuration last looked at; after [`worst_hit`] all of them are filled.
    pub frames: Workspace,
    /// Configurations looked at.
    pub checked_count: u64,
    /// Capsules for which the collision engine was asked.
    pub engine_queries: u64,
    is_clear: TiVec<LinkId, bool>,
    middle: Option<Configuration>,
    /// For each link and for each piece, at least as much as its points move along.
    ways: TiVec<LinkId, f32>,
    piece_ways: Vec<f32>,
    /// For each link, how much it turns at most, and how far its points leave the even way at most.
    turns: TiVec<LinkId, [f32; 3]>,
    /// Frames at the ends of the step last looked at.
    pub step_frames: StepFrames,
    /// Distances of pieces at the ends of the spans under examination.
    distances: Vec<f32>,
}

/// Long capsules are looked at in so many pieces: the end of a limb that holds on is near and hardly moves, the other end
/// moves and is far.
const PIECES: usize = 3;

/// A link and an obstacle that are too near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The link.
    pub link: LinkId,
    /// The obstacle.
    pub obstacle: ObstacleId,
    /// In metres; negative is how deep the link is inside.
    pub distance: f32,
}

/// The links that are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Links<'a> {
    /// Every one.
    All,
    /// Those whose entry is true. What hangs on a link that is not looked at is not looked at either.
    Only(&'a TiSlice<LinkId, bool>),
}

impl Links<'_> {
    /// Whether a link is looked at.
    #[inline]
    pub fn has(&self, link: LinkId) -> bool {
        match self {
            Self::All => true,
            Self::Only(links) => links[link],
        }
    }
}

/// Whether every link keeps the margin at this configuration.
pub fn is_free(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> bool {
    are_links_free(world, character, configuration, Links::All, margin, workspace)
}

/// The same, of some of the links.
pub fn are_links_free(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    links: Links,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> bool {
    let CollisionWorkspace { frames, is_clear, checked_count: configurations, engine_queries, .. } = workspace;
    *configurations += 1;
    visit_near(world, character, configuration, margin, links, (frames, is_clear), |_, mut capsule| {
        *engine_queries += 1;
        let fat_enough = capsule.radius + margin > 0.0;
        if fat_enough && is_surely_outside(world, &capsule) {
            capsule.radius += margin;
            !world.capsule_touches(&capsule)
        } else {
            world.capsule_distance(&capsule, margin.max(0.0), MeshInterior::Solid).distance >= margin
        }
    })
}

/// Calls `visit` with the index and the place in the world of every capsule that the field does not show to be at least
/// `enough` away from everything, as long as it answers true. Returns whether it always did.
///
/// Where the field clears a joint by the reach of all that it carries, the limb's frames are not even computed, and where
/// it clears it by the extent of its own link, that link's capsules are not: in the open, a check costs a few look-ups.
fn visit_near(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    enough: f32,
    links: Links,
    (frames, is_clear): (&mut Workspace, &mut TiVec<LinkId, bool>),
    mut visit: impl FnMut(usize, Capsule) -> bool,
) -> bool {
    prepare(character, frames);
    is_clear.clear();
    is_clear.resize(character.links.len(), false);
    for (index, link) in character.links.iter_enumerated() {
        if link.parent.is_some_and(|parent| is_clear[parent]) || !links.has(index) {
            is_clear[index] = true;
            continue;
        }
        let joint = joint_in_world(character, configuration, frames, index);
        let room = world.field.lower_bound(joint.translation) - enough;
        if room >= character.subtree_reach(index) {
            is_clear[index] = true;
            continue;
        }
        turn_hinges(character, configuration, frames, index, joint);
        if room >= character.link_radius(index) {
            continue;
        }
        for number in link.capsules.clone() {
            let capsule = capsule_in_world(character, frames, number);
            if !world.field.clears(&capsule, enough) && !visit(number, capsule) {
                return false;
            }
        }
    }
    true
}

/// The link that is nearest to an obstacle, or deepest inside, if any is nearer than `margin`.
pub fn worst_hit(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> Option<Hit> {
    worst_hit_of_links(world, character, configuration, Links::All, margin, workspace)
}

/// The same, of some of the links.
pub fn worst_hit_of_links(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    links: Links,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> Option<Hit> {
    forward(character, configuration, &mut workspace.frames);
    let mut worst: Option<Hit> = None;
    for index in (0..character.capsules.len()).filter(|&index| links.has(character.link_of_capsule[index])) {
        let capsule = capsule_in_world(character, &workspace.frames, index);
        if world.field.clears(&capsule, margin) {
            continue;
        }
        let nearest = world.capsule_distance(&capsule, margin.max(0.0), MeshInterior::Solid);
        let Some(obstacle) = nearest.obstacle else { continue };
        if nearest.distance < margin && worst.is_none_or(|hit| nearest.distance < hit.distance) {
            worst = Some(Hit { link: character.link_of_capsule[index], obstacle, distance: nearest.distance });
        }
    }
    worst
}

/// Whether no point of the character passes through anything while `from` is interpolated to `to`.
///
/// A point that is a distance *a* from everything at one end of a span and *b* at the other must travel more than
/// *a + b* to have touched anything between; so a span on which no point of a piece of the body can travel so far (see
/// `bound_pieces`) is free for that piece, and any other span is halved (Schwarzer, Saha and Latombe, "Exact collision
/// checking of robot paths", 2002). With the slack added to both distances this ends, and no point comes nearer to an
/// obstacle than the margin less the slack. That is stricter than the thesis' bound of two cells a step (3.6.1),
/// which lets through what is thinner than a cell.
pub fn is_step_free(
    world: &World,
    character: &Character,
    from: &Configuration,
    to: &Configuration,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    is_step_of_links_free(world, character, [from, to], Links::All, clearance, workspace)
}

/// The same where `from` is known to keep the margin, as where the last step ended does: mostly nothing needs to be asked there.
pub fn is_step_free_from_free_start(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    is_step_free_from(world, character, [from, to], Links::All, true, clearance, workspace)
}

/// The same, of some of the links.
pub fn is_step_of_links_free(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    looked_at: Links,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    is_step_free_from(world, character, [from, to], looked_at, false, clearance, workspace)
}

fn is_step_free_from(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    looked_at: Links,
    begins_free: bool,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    let pieces = PIECES * character.capsules.len();
    bound_pieces(character, [from, to], workspace);
    if workspace.piece_ways.iter().any(|way| !way.is_finite()) {
        return false;
    }
    let ways = std::mem::take(&mut workspace.piece_ways);
    let mut distances = std::mem::take(&mut workspace.distances);
    distances.clear();
    // What keeps the margin is at least that far.
    distances.resize(2 * pieces, clearance.margin);
    let mut middle = workspace.middle.take().unwrap_or_else(|| from.clone());

    // The far end first: of two neighbouring configurations it is the one that may be new.
    let mut checker = StepChecker { world, character, from, to, looked_at, clearance, ways: &ways, workspace };
    let free = checker.fill_distances(to, 1.0, &mut distances[pieces..])
        && (begins_free && checker.is_resolved(1.0, &distances)
            || checker.fill_distances(from, 1.0, &mut distances[..pieces])
                && checker.is_span_free(0.0, 1.0, 0, &mut distances, &mut middle));

    workspace.piece_ways = ways;
    workspace.distances = distances;
    workspace.middle = Some(middle);
    free
}

/// Fills, for each piece of a capsule, at least as much as any of its points moves along while `from` is interpolated to `to`.
///
/// A point that turns about joints is carried along its chord, and faster or slower than evenly by at most half of its greatest
/// acceleration, which is at most the sum, over the parts between joints that carry it, of their lengths times the square of how
/// much they turn. For limbs that hold on, whose turns make up for each other, that is far less than the sum of turns times
/// levers, which [`bound_motion`] knows of; the smaller counts. Both are linear in time: over a part of the interpolation they
/// shrink in proportion.
fn bound_pieces(character: &Character, [from, to]: [&Configuration; 2], workspace: &mut CollisionWorkspace) {
    let CollisionWorkspace { step_frames: ends, ways, piece_ways, turns, .. } = workspace;
    bound_motion(character, from, to, ways);
    let [here, there] = ends.update(character, [from, to]);
    turns.clear();
    for (index, link) in character.links.iter_enumerated() {
        let hinges = link.hinges.range();
        let own: f32 = from.angles[hinges.clone()].iter().zip(&to.angles[hinges]).map(|(a, b)| (b - a).abs()).sum();
        let (turn, joint) = match link.parent {
            None => (own + angle_between(from.root.rotation, to.root.rotation), 0.0),
            Some(parent) => {
                let [turn, joint, _] = turns[parent];
                (own + turn, joint + link.parent_from_joint.translation.length() * turn * turn)
            }
        };
        turns.push([turn, joint, joint + character.link_radius(index) * turn * turn]);
    }
    piece_ways.clear();
    for (capsule, &link) in character.capsules.iter().zip(&character.link_of_capsule) {
        let off = |point: Vec3| there.world_from_link[link] * point - here.world_from_link[link] * point;
        let (first, last) = (off(capsule.a), off(capsule.b));
        let [_, _, acceleration] = turns[link];
        let chord = |piece: usize| first.lerp(last, piece as f32 / PIECES as f32).length();
        let mut chord_before = chord(0);
        for piece in 1..=PIECES {
            let chord = chord(piece);
            piece_ways.push((chord.max(chord_before) + 0.5 * acceleration).min(ways[link]));
            chord_before = chord;
        }
    }
}

/// A slack that is smaller, or not a number, is taken as this.
const MIN_SLACK: f32 = 1e-5;

struct StepChecker<'a> {
    world: &'a World,
    character: &'a Character,
    from: &'a Configuration,
    to: &'a Configuration,
    looked_at: Links<'a>,
    clearance: &'a Clearance,
    ways: &'a [f32],
    workspace: &'a mut CollisionWorkspace,
}

impl StepChecker<'_> {
    /// Checks the span between two moments whose distances are rows `row` and `row + 1` of `distances`.
    fn is_span_free(
        &mut self,
        start: f32,
        end: f32,
        row: usize,
        distances: &mut Vec<f32>,
        middle: &mut Configuration,
    ) -> bool {
        let pieces = self.ways.len();
        let share = end - start;
        if self.is_resolved(share, &distances[row * pieces..]) {
            return true;
        }
        // Rows: start, end, [middle, end] for the second half, then [start, middle] for the first.
        let top = distances.len();
        let half = 0.5 * (start + end);
        middle.interpolate(self.from, self.to, half);
        distances.resize(top + 2 * pieces, 0.0);
        {
            let (below, above) = distances.split_at_mut(top);
            let middle_row = &mut above[pieces..];
            if !self.fill_distances(middle, 0.5 * share, middle_row) {
                return false;
            }
            above[..pieces].copy_from_slice(&below[row * pieces..(row + 1) * pieces]);
        }
        if !self.is_span_free(start, half, top / pieces, distances, middle) {
            return false;
        }
        // The second half: its rows are the middle and the end.
        distances.truncate(top + 2 * pieces);
        distances.copy_within(top + pieces..top + 2 * pieces, top);
        distances.copy_within((row + 1) * pieces..(row + 2) * pieces, top + pieces);
        let free = self.is_span_free(half, end, top / pieces, distances, middle);
        distances.truncate(top);
        free
    }

    /// Whether no piece can have touched anything over this share of the way, by its distances at both ends: two rows.
    fn is_resolved(&self, share: f32, distances: &[f32]) -> bool {
        // A slack of zero would halve spans for ever where something touches.
        let spare = 2.0 * (self.clearance.interpolation_tolerance.max(MIN_SLACK) - self.clearance.margin);
        let (start, end) = distances.split_at(self.ways.len());
        // What is not a number is not resolved.
        self.ways.iter().zip(start.iter().zip(end)).all(|(way, (start, end))| way * share < start + end + spare)
    }

    /// Fills each piece's distance at a configuration, as far as it is needed for spans of this share of the whole;
    /// false when a piece is nearer than the margin.
    fn fill_distances(&mut self, at: &Configuration, share: f32, row: &mut [f32]) -> bool {
        let Self { world, character, looked_at, clearance, ways, workspace, .. } = self;
        let CollisionWorkspace { frames, is_clear, checked_count: configurations, engine_queries, .. } =
            &mut **workspace;
        *configurations += 1;
        // More than this settles a span by itself, whatever its other end. A limb's links travel farther than the link
        // that carries it, so the farthest way of all is what a limb is cleared by.
        let enough = |way: f32| (clearance.margin + way * share).max(0.0);
        let farthest = enough(ways.iter().copied().fold(0.0, f32::max));
        row.fill(farthest);
        visit_near(world, character, at, farthest, *looked_at, (frames, is_clear), |index, capsule| {
            let along = (capsule.b - capsule.a) / PIECES as f32;
            (0..PIECES).all(|piece| {
                let a = capsule.a + along * piece as f32;
                let capsule = Capsule { a, b: a + along, radius: capsule.radius };
                let enough = enough(ways[PIECES * index + piece]);
                let mut distance = enough;
                if !world.field.clears(&capsule, enough) {
                    *engine_queries += 1;
                    let outside = is_surely_outside(world, &capsule);
                    let solid = if outside { MeshInterior::Hollow } else { MeshInterior::Solid };
                    distance = world.capsule_distance(&capsule, enough, solid).distance;
                }
                row[PIECES * index + piece] = distance;
                distance >= clearance.margin
            })
        })
    }
}

/// Whether the field already says that a capsule is not hidden inside a solid: a point of its axis is surely outside.
/// A capsule that also touches no surface is then outside altogether.
#[inline]
fn is_surely_outside(world: &World, capsule: &Capsule) -> bool {
    world.field.lower_bound(capsule.a) > 0.0 || world.field.lower_bound(capsule.b) > 0.0
}
