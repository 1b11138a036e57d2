//! Collision checks of a character with the world: at a configuration, and along the interpolation between two.

use typed_index_collections::TiVec;

use crate::character::{Capsule, Character, REFERENCE_BODY_SIZE, RootJoint};
pub use crate::checked_links::CheckedLinks;
use crate::configuration::{Configuration, link_motion_bounds};
use crate::id::{LinkId, ObstacleId};
use crate::kinematics::{
    EndpointLinkFrames, LinkFrames, capsule_in_world, forward, joint_in_world, link_pose, prepare, turn_hinges,
};
use crate::math::{Vec3, angle_between_rotations};
use crate::self_collision::SelfCollisionWorkspace;
use crate::world::{MeshInterior, World};

/// The distance kept from obstacles. Settings and the constants here are in body sizes ([`Character::body_size`]), checks in
/// meters; [`scaled`](Self::scaled) converts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// Minimum distance of every checked configuration from obstacles. Negative allows overlap, which contacts need. Default 0.00297 body sizes, 3 mm for the shipped figure.
    pub margin: f32,
    /// How far the margin may be undercut between two checked configurations; at least 0.00001. Smaller is slower.
    /// Default 0.00099 body sizes, 1 mm for the shipped figure.
    pub interpolation_tolerance: f32,
}

impl Clearance {
    /// While the character is on contacts, in body sizes. Allows half a millimeter of overlap for the shipped figure, since a
    /// touching capsule is at distance 0 up to rounding. Capsules are round, so a body that slides over an edge enters it between
    /// two checks by far less than the tolerance.
    pub const ON_CONTACTS: Self =
        Self { margin: -5e-4 / REFERENCE_BODY_SIZE, interpolation_tolerance: 0.01 / REFERENCE_BODY_SIZE };

    /// Returns both lengths multiplied by a factor. With the body size, this converts body sizes to meters.
    pub fn scaled(self, factor: f32) -> Self {
        Self { margin: factor * self.margin, interpolation_tolerance: factor * self.interpolation_tolerance }
    }
}

impl Clearance {
    /// Returns the clearance in meters for a character on contacts in a world: scaled by its body size, with the world's contact
    /// tolerance added to the overlap that it allows.
    pub fn for_contacts_in(self, world: &World, character: &Character) -> Self {
        let scaled = self.scaled(character.body_size());
        Self { margin: scaled.margin - world.contact_tolerance, ..scaled }
    }
}

impl Default for Clearance {
    fn default() -> Self {
        Self { margin: 3e-3 / REFERENCE_BODY_SIZE, interpolation_tolerance: 1e-3 / REFERENCE_BODY_SIZE }
    }
}

/// Memory of the checks, reused between calls, and counters.
#[derive(Clone, Debug, Default)]
pub struct CollisionWorkspace {
    /// Link frames of the configuration checked last; complete only after [`worst_hit`].
    pub link_frames: LinkFrames,
    /// Number of configurations checked.
    pub checked_count: u64,
    /// Number of capsules for which the collision engine was queried.
    pub engine_queries: u64,
    /// Memory of the checks of the character with itself ([`crate::self_collision`]).
    pub self_collision: SelfCollisionWorkspace,
    is_clear: TiVec<LinkId, bool>,
    middle: Option<Configuration>,
    /// Upper bound on the path length of the points of each link, and of each piece.
    link_bounds: TiVec<LinkId, f32>,
    piece_bounds: Vec<f32>,
    /// For each link, upper bounds on its rotation and on the acceleration of its joint and of its points.
    rotation_bounds: TiVec<LinkId, [f32; 3]>,
    /// Link frames at both ends of the step checked last.
    pub end_link_frames: EndpointLinkFrames,
    /// Distances of the pieces at the ends of the open spans.
    distances: Vec<f32>,
}

/// Number of pieces in which capsules are checked: the end of a limb in contact is close and hardly moves, the other end moves
/// and is far.
const PIECES: usize = 3;

/// A link and an obstacle that are too close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The link.
    pub link: LinkId,
    /// The obstacle.
    pub obstacle: ObstacleId,
    /// Distance in meters; negative is the depth of the link inside the obstacle.
    pub distance: f32,
}

/// Returns whether every link keeps the margin at a configuration.
pub fn is_free(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> bool {
    are_links_free(world, character, configuration, CheckedLinks::All, margin, workspace)
}

/// Like [`is_free`], for some of the links.
pub fn are_links_free(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    links: CheckedLinks,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> bool {
    let CollisionWorkspace { link_frames: frames, is_clear, checked_count, engine_queries, .. } = workspace;
    *checked_count += 1;
    visit_near(world, character, configuration, margin, links, (frames, is_clear), |_, mut capsule| {
        *engine_queries += 1;
        let has_volume = capsule.radius + margin > 0.0;
        if has_volume && is_surely_outside(world, &capsule) {
            capsule.radius += margin;
            !world.capsule_touches(&capsule)
        } else {
            world.capsule_distance(&capsule, margin.max(0.0), MeshInterior::Solid).distance >= margin
        }
    })
}

/// Calls `visit` with the index and the world position of every capsule that the distance field does not prove to be at least
/// `enough` away from all obstacles, until it returns false. Returns whether it always returned true.
///
/// Where the field clears a joint by the reach of its subtree, the frames of the subtree are not computed; where it clears the
/// joint by the radius of its link, the capsules of the link are skipped. In open space, a check costs a few lookups.
fn visit_near(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    enough: f32,
    links: CheckedLinks,
    (frames, is_clear): (&mut LinkFrames, &mut TiVec<LinkId, bool>),
    mut visit: impl FnMut(usize, Capsule) -> bool,
) -> bool {
    prepare(character, frames);
    is_clear.clear();
    is_clear.resize(character.links.len(), false);
    for (index, link) in character.links.iter_enumerated() {
        if link.parent.is_some_and(|parent| is_clear[parent]) || links.excludes_subtree(index) {
            is_clear[index] = true;
            continue;
        }
        if !links.has(index) {
            continue;
        }
        if let Some(parent) = link.parent.filter(|&parent| !links.has(parent)) {
            frames.world_from_link[parent] = link_pose(character, configuration, parent);
        }
        let joint = joint_in_world(character, configuration, frames, index);
        let room = world.distance_field.lower_bound(joint.translation) - enough;
        if room >= character.subtree_reach(index) {
            is_clear[index] = true;
            continue;
        }
        turn_hinges(character, configuration, frames, index, joint);
        if room >= character.link_reach(index) {
            continue;
        }
        for number in link.capsules.clone() {
            let capsule = capsule_in_world(character, frames, number);
            if !world.distance_field.proves_clearance(&capsule, enough) && !visit(number, capsule) {
                return false;
            }
        }
    }
    true
}

/// Returns the link closest to an obstacle, or deepest inside, if any is closer than `margin`.
pub fn worst_hit(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> Option<Hit> {
    worst_hit_of_links(world, character, configuration, CheckedLinks::All, margin, workspace)
}

/// Like [`worst_hit`], for some of the links.
pub fn worst_hit_of_links(
    world: &World,
    character: &Character,
    configuration: &Configuration,
    links: CheckedLinks,
    margin: f32,
    workspace: &mut CollisionWorkspace,
) -> Option<Hit> {
    forward(character, configuration, &mut workspace.link_frames);
    let mut worst: Option<Hit> = None;
    for index in (0..character.capsules.len()).filter(|&index| links.has(character.link_of_capsule[index])) {
        let capsule = capsule_in_world(character, &workspace.link_frames, index);
        if world.distance_field.proves_clearance(&capsule, margin) {
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

/// Returns whether no point of the character passes through an obstacle while `from` is interpolated to `to`.
///
/// A point at distance *a* from all obstacles at one end of a span and *b* at the other must move along more than *a + b* to
/// touch anything in between. So a span is free for a piece of the body if the path length of its points is shorter (see
/// `bound_pieces`); any other span is halved (Schwarzer, Saha and Latombe, "Exact collision checking of robot paths", 2002).
/// With the interpolation tolerance added to both distances the recursion ends, and no point is closer to an obstacle than the
/// margin minus the tolerance. This is stricter than the thesis' bound of two cells per step (3.6.1), which misses obstacles
/// thinner than a cell.
pub fn is_free_between(
    world: &World,
    character: &Character,
    from: &Configuration,
    to: &Configuration,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    are_links_free_between(world, character, [from, to], CheckedLinks::All, clearance, workspace)
}

/// Like [`is_free_between`], for a `from` that is known to keep the margin, such as the end of the previous step. Mostly skips its
/// check.
pub fn is_free_after_checked_start(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    is_step_free_from(world, character, [from, to], CheckedLinks::All, true, clearance, workspace)
}

/// Like [`is_free_between`], for some of the links.
pub fn are_links_free_between(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    links: CheckedLinks,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    is_step_free_from(world, character, [from, to], links, false, clearance, workspace)
}

fn is_step_free_from(
    world: &World,
    character: &Character,
    [from, to]: [&Configuration; 2],
    links: CheckedLinks,
    starts_free: bool,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
) -> bool {
    let pieces = PIECES * character.capsules.len();
    bound_pieces(character, [from, to], workspace);
    if workspace.piece_bounds.iter().any(|bound| !bound.is_finite()) {
        return false;
    }
    let bounds = std::mem::take(&mut workspace.piece_bounds);
    let mut distances = std::mem::take(&mut workspace.distances);
    distances.clear();
    // A configuration that keeps the margin is at least that far.
    distances.resize(2 * pieces, clearance.margin);
    let mut middle = workspace.middle.take().unwrap_or_else(|| from.clone());

    // The far end first: of two consecutive configurations it is the new one.
    let mut checker = StepChecker { world, character, from, to, links, clearance, bounds: &bounds, workspace };
    let free = checker.fill_distances(to, 1.0, &mut distances[pieces..])
        && (starts_free && checker.is_resolved(1.0, &distances)
            || checker.fill_distances(from, 1.0, &mut distances[..pieces])
                && checker.is_span_free(0.0, 1.0, 0, &mut distances, &mut middle));

    workspace.piece_bounds = bounds;
    workspace.distances = distances;
    workspace.middle = Some(middle);
    free
}

/// Bounds the path length of the points of each piece of a capsule while `from` is interpolated to `to`.
///
/// A point's path length is at most its chord plus half its greatest acceleration. The acceleration is at most the sum, over the
/// links that move the point, of their length times their rotation squared, and half as much again in space: hinges about different axes
/// turn each other's axes, so that evenly changing angles accelerate the rotation by up to half its square. For limbs in contact, whose rotations compensate each
/// other, this is far less than the sum of rotations times lever arms of [`link_motion_bounds`]; the smaller bound counts. Both are
/// linear in time: over a fraction of the interpolation they are that fraction.
fn bound_pieces(character: &Character, [from, to]: [&Configuration; 2], workspace: &mut CollisionWorkspace) {
    let CollisionWorkspace { end_link_frames: step_frames, link_bounds, piece_bounds, rotation_bounds, .. } = workspace;
    link_motion_bounds(character, from, to, link_bounds);
    let [here, there] = step_frames.update(character, [from, to]);
    rotation_bounds.clear();
    let turns_axes = match character.root_joint {
        RootJoint::Planar => 1.0,
        RootJoint::Free => 1.5,
    };
    for (index, link) in character.links.iter_enumerated() {
        let hinges = link.hinges.range();
        let own: f32 = from.angles[hinges.clone()].iter().zip(&to.angles[hinges]).map(|(a, b)| (b - a).abs()).sum();
        let (rotation, joint) = match link.parent {
            None => (own + angle_between_rotations(from.root.rotation, to.root.rotation), 0.0),
            Some(parent) => {
                let [rotation, joint, _] = rotation_bounds[parent];
                (own + rotation, joint + turns_axes * link.parent_from_joint.translation.length() * rotation * rotation)
            }
        };
        let reach = turns_axes * character.link_reach(index);
        rotation_bounds.push([rotation, joint, joint + reach * rotation * rotation]);
    }
    piece_bounds.clear();
    for (capsule, &link) in character.capsules.iter().zip(&character.link_of_capsule) {
        let displacement = |point: Vec3| there.world_from_link[link] * point - here.world_from_link[link] * point;
        let (first, last) = (displacement(capsule.a), displacement(capsule.b));
        let [_, _, acceleration] = rotation_bounds[link];
        let chord = |piece: usize| first.lerp(last, piece as f32 / PIECES as f32).length();
        let mut previous_chord = chord(0);
        for piece in 1..=PIECES {
            let chord = chord(piece);
            piece_bounds.push((chord.max(previous_chord) + 0.5 * acceleration).min(link_bounds[link]));
            previous_chord = chord;
        }
    }
}

/// Minimum interpolation tolerance, in meters; also replaces NaN.
const MIN_INTERPOLATION_TOLERANCE: f32 = 1e-5;

struct StepChecker<'a> {
    world: &'a World,
    character: &'a Character,
    from: &'a Configuration,
    to: &'a Configuration,
    links: CheckedLinks<'a>,
    clearance: &'a Clearance,
    /// Upper bound on the path length of each piece over the whole step.
    bounds: &'a [f32],
    workspace: &'a mut CollisionWorkspace,
}

/// The shortest part of a step that is checked: distances that do not add up, as in worlds of enormous numbers, end here.
const MIN_SPAN: f32 = 1e-6;

impl StepChecker<'_> {
    /// Checks the span between two times whose distances are rows `row` and `row + 1` of `distances`.
    fn is_span_free(
        &mut self,
        start: f32,
        end: f32,
        row: usize,
        distances: &mut Vec<f32>,
        middle: &mut Configuration,
    ) -> bool {
        let pieces = self.bounds.len();
        let share = end - start;
        if self.is_resolved(share, &distances[row * pieces..]) {
            return true;
        }
        if share < MIN_SPAN {
            return false;
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

    /// Returns whether no piece can touch anything over this share of the step, given its distances at both ends: two rows.
    fn is_resolved(&self, share: f32, distances: &[f32]) -> bool {
        // A tolerance of zero would halve spans without end where something touches.
        let allowance =
            2.0 * (self.clearance.interpolation_tolerance.max(MIN_INTERPOLATION_TOLERANCE) - self.clearance.margin);
        let (start, end) = distances.split_at(self.bounds.len());
        // NaN is not resolved.
        self.bounds
            .iter()
            .zip(start.iter().zip(end))
            .all(|(bound, (start, end))| bound * share < start + end + allowance)
    }

    /// Fills each piece's distance at a configuration, up to the distance that resolves spans of this share of the step. Returns
    /// false when a piece is closer than the margin.
    fn fill_distances(&mut self, at: &Configuration, share: f32, row: &mut [f32]) -> bool {
        let Self { world, character, links, clearance, bounds, workspace, .. } = self;
        let CollisionWorkspace { link_frames: frames, is_clear, checked_count, engine_queries, .. } = &mut **workspace;
        *checked_count += 1;
        // A greater distance resolves a span regardless of its other end. Descendants move farther than their ancestors, so a
        // subtree is cleared by the greatest bound of all.
        let enough = |bound: f32| (clearance.margin + bound * share).max(0.0);
        let farthest = enough(bounds.iter().copied().fold(0.0, f32::max));
        row.fill(farthest);
        visit_near(world, character, at, farthest, *links, (frames, is_clear), |index, capsule| {
            let along = (capsule.b - capsule.a) / PIECES as f32;
            (0..PIECES).all(|piece| {
                let a = capsule.a + along * piece as f32;
                let capsule = Capsule { a, b: a + along, radius: capsule.radius };
                let enough = enough(bounds[PIECES * index + piece]);
                let mut distance = enough;
                if !world.distance_field.proves_clearance(&capsule, enough) {
                    *engine_queries += 1;
                    let outside = is_surely_outside(world, &capsule);
                    let interior = if outside { MeshInterior::Hollow } else { MeshInterior::Solid };
                    distance = world.capsule_distance(&capsule, enough, interior).distance;
                }
                row[PIECES * index + piece] = distance;
                distance >= clearance.margin
            })
        })
    }
}

/// Returns whether the distance field proves that a point of the capsule's axis is outside all solids. If the capsule also
/// touches no surface, it is entirely outside.
#[inline]
fn is_surely_outside(world: &World, capsule: &Capsule) -> bool {
    world.distance_field.lower_bound(capsule.a) > 0.0 || world.distance_field.lower_bound(capsule.b) > 0.0
}
