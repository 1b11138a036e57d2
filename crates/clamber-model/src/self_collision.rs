//! Collision checks of a character with itself: at a configuration, and along the interpolation between two.
//!
//! Only the pairs of [`Character::self_collision_pairs`] are checked. Touching is allowed: a hand may rest on a knee.

use typed_index_collections::TiVec;

use crate::character::{Character, LinkPair, REFERENCE_BODY_SIZE};
use crate::checked_links::CheckedLinks;
use crate::configuration::Configuration;
use crate::id::LinkId;
use crate::kinematics::{EndpointLinkFrames, LinkFrames, capsule_in_world, forward};
use crate::math::Vec3;
use crate::segment_distance::nearest_points;

/// Least distance of two links at every checked configuration, in body sizes. Allows half a millimeter of overlap for the shipped
/// figure, since touching links are at distance 0 up to rounding.
pub const MARGIN: f32 = -5e-4 / REFERENCE_BODY_SIZE;
/// How far the margin may be undercut between two checked configurations, in body sizes: 1 mm for the shipped figure.
pub const INTERPOLATION_TOLERANCE: f32 = 1e-3 / REFERENCE_BODY_SIZE;

/// The shortest part of a step that is checked: distances that do not add up, as with enormous numbers, end here.
const MIN_SPAN: f32 = 1e-6;

/// Two links that are too close to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfHit {
    /// The links, in the order of their ids.
    pub links: [LinkId; 2],
    /// Distance in meters; negative is the depth of one in the other.
    pub distance: f32,
}

/// Memory of the checks, reused between calls.
#[derive(Clone, Debug, Default)]
pub struct SelfCollisionWorkspace {
    frames: LinkFrames,
    end_frames: EndpointLinkFrames,
    /// The centers of the links' bounding spheres in the world.
    centers: TiVec<LinkId, Vec3>,
    /// The rotation of each link relative to its parent during the step, in radians.
    turns: TiVec<LinkId, f32>,
    /// The pairs that are not known to stay apart, of all open spans.
    open: Vec<OpenPair>,
    middle: Option<Configuration>,
}

/// A pair of links in a span.
#[derive(Clone, Copy, Debug)]
struct OpenPair {
    pair: LinkPair,
    /// Upper bound on how far the links approach each other during the whole step.
    approach: f32,
    /// Distances at the start and the end of the span.
    distances: [f32; 2],
}

/// The least distance between two links, in meters, if it is less than `enough`; otherwise `enough` or more.
///
/// The bounding spheres of both are compared first.
fn pair_distance(
    character: &Character,
    frames: &LinkFrames,
    centers: &TiVec<LinkId, Vec3>,
    [first, second]: [LinkId; 2],
    enough: f32,
) -> f32 {
    let radii = character.bounding_sphere(first).radius + character.bounding_sphere(second).radius;
    let apart = (centers[first] - centers[second]).length() - radii;
    if apart >= enough {
        return apart;
    }
    nearest_capsules(character, frames, [first, second]).0
}

/// The least distance between two links, and the nearest points on the axes of the nearest capsules.
fn nearest_capsules(character: &Character, frames: &LinkFrames, [first, second]: [LinkId; 2]) -> (f32, [Vec3; 2]) {
    let mut nearest = (f32::INFINITY, [Vec3::ZERO; 2]);
    for one in character.links[first].capsules.clone() {
        let one = capsule_in_world(character, frames, one);
        for other in character.links[second].capsules.clone() {
            let other = capsule_in_world(character, frames, other);
            let points = nearest_points([one.a, one.b], [other.a, other.b]);
            let distance = (points[0] - points[1]).length() - (one.radius + other.radius);
            // Negated so that NaN is kept.
            if !(distance >= nearest.0) {
                nearest = (distance, points);
            }
        }
    }
    nearest
}

fn place_spheres(character: &Character, frames: &LinkFrames, centers: &mut TiVec<LinkId, Vec3>) {
    centers.clear();
    let links = character.links.keys().zip(&frames.world_from_link);
    centers.extend(links.map(|(link, frame)| *frame * character.bounding_sphere(link).center));
}

/// The pairs of which both links are checked.
fn checked_pairs<'a>(character: &'a Character, links: CheckedLinks<'a>) -> impl Iterator<Item = &'a LinkPair> {
    character.self_collision_pairs().iter().filter(move |pair| pair.links.iter().all(|&link| links.has(link)))
}

/// Two links that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearLinks {
    /// Their index in [`Character::self_collision_pairs`].
    pub pair: usize,
    /// The links.
    pub links: [LinkId; 2],
    /// On each of them, the point of a capsule's axis that is nearest to the other link, in the world.
    pub axis_points: [Vec3; 2],
    /// Distance in meters; negative is the depth of one in the other.
    pub distance: f32,
}

/// Fills `near` with the pairs of links that are closer than `within`, a function of the pair and its index, in meters. `centers`
/// is memory of the function.
pub fn collect_near_links(
    character: &Character,
    frames: &LinkFrames,
    within: impl Fn(usize, &LinkPair) -> f32,
    centers: &mut TiVec<LinkId, Vec3>,
    near: &mut Vec<NearLinks>,
) {
    near.clear();
    if character.self_collision_pairs().is_empty() {
        return;
    }
    place_spheres(character, frames, centers);
    for (index, pair) in character.self_collision_pairs().iter().enumerate() {
        let ([first, second], within) = (pair.links, within(index, pair));
        let radii = character.bounding_sphere(first).radius + character.bounding_sphere(second).radius;
        if (centers[first] - centers[second]).length() - radii >= within {
            continue;
        }
        let (distance, axis_points) = nearest_capsules(character, frames, pair.links);
        if distance < within {
            near.push(NearLinks { pair: index, links: pair.links, axis_points, distance });
        }
    }
}

/// Returns the two links that are closest to each other or deepest in each other, if any are closer than `margin`, in meters.
pub fn worst_hit(
    character: &Character,
    configuration: &Configuration,
    links: CheckedLinks,
    margin: f32,
    workspace: &mut SelfCollisionWorkspace,
) -> Option<SelfHit> {
    let SelfCollisionWorkspace { frames, centers, .. } = workspace;
    if character.self_collision_pairs().is_empty() {
        return None;
    }
    forward(character, configuration, frames);
    place_spheres(character, frames, centers);
    let mut worst: Option<SelfHit> = None;
    for pair in checked_pairs(character, links) {
        let enough = worst.map_or(margin, |worst| worst.distance);
        let distance = pair_distance(character, frames, centers, pair.links, enough);
        if distance < enough {
            worst = Some(SelfHit { links: pair.links, distance });
        }
    }
    worst
}

/// Returns whether all checked links keep the [`MARGIN`] from each other.
pub fn is_free(
    character: &Character,
    configuration: &Configuration,
    links: CheckedLinks,
    workspace: &mut SelfCollisionWorkspace,
) -> bool {
    worst_hit(character, configuration, links, MARGIN * character.body_size(), workspace).is_none()
}

/// Like [`is_free`] for all links, but allows what [`is_free_between`] allows between two checked configurations: for
/// configurations along a path that was checked.
pub fn is_free_on_checked_path(
    character: &Character,
    configuration: &Configuration,
    workspace: &mut SelfCollisionWorkspace,
) -> bool {
    let margin = (MARGIN - INTERPOLATION_TOLERANCE) * character.body_size();
    worst_hit(character, configuration, CheckedLinks::All, margin, workspace).is_none()
}

/// Returns whether no two checked links enter each other while `from` is interpolated to `to`.
///
/// The argument is that of [`obstacle_collision::is_free_between`](crate::obstacle_collision::is_free_between): two links whose
/// distances at the ends of a span add up to more than they can approach each other during the span stay apart; any other span is
/// halved. Seen from their nearest common ancestor, links approach by no more than the rotations of the joints between them times
/// the lever arms, so the motion of the body as a whole costs nothing. Between checks, no two links are closer than the margin
/// minus the tolerance.
pub fn is_free_between(
    character: &Character,
    ends: [&Configuration; 2],
    links: CheckedLinks,
    workspace: &mut SelfCollisionWorkspace,
) -> bool {
    if character.self_collision_pairs().is_empty() {
        return true;
    }
    let [from, to] = ends;
    bound_turns(character, ends, &mut workspace.turns);
    let size = character.body_size();
    let limits = Limits { margin: MARGIN * size, tolerance: INTERPOLATION_TOLERANCE * size };
    workspace.open.clear();
    let SelfCollisionWorkspace { end_frames, centers, turns, open, .. } = workspace;
    let frames = end_frames.update(character, ends);
    // The far end first: of two consecutive configurations it is the new one.
    place_spheres(character, frames[1], centers);
    for pair in checked_pairs(character, links) {
        let approach = approach_bound(character, pair, turns);
        // NaN fails.
        if !approach.is_finite() {
            return false;
        }
        let enough = limits.margin + approach;
        let distance = pair_distance(character, frames[1], centers, pair.links, enough);
        if !(distance >= limits.margin) {
            return false;
        }
        if distance < enough {
            open.push(OpenPair { pair: *pair, approach, distances: [0.0, distance] });
        }
    }
    if open.is_empty() {
        return true;
    }
    place_spheres(character, frames[0], centers);
    for open in open.iter_mut() {
        let enough = limits.margin + open.approach;
        open.distances[0] = pair_distance(character, frames[0], centers, open.pair.links, enough);
        if !(open.distances[0] >= limits.margin) {
            return false;
        }
    }
    open.retain(|open| !limits.is_resolved(open, 1.0));
    let mut middle = workspace.middle.take().unwrap_or_else(|| from.clone());
    let is_free = is_span_free(character, [from, to], [0.0, 1.0], 0, &limits, &mut middle, workspace);
    workspace.middle = Some(middle);
    is_free
}

/// Lengths in meters.
struct Limits {
    margin: f32,
    tolerance: f32,
}

impl Limits {
    /// Whether two links stay apart over this share of the step.
    fn is_resolved(&self, open: &OpenPair, share: f32) -> bool {
        let [start, end] = open.distances;
        open.approach * share < start + end + 2.0 * (self.tolerance - self.margin)
    }
}

/// Checks the pairs from index `first` of the open ones on, in the span between two times. If they are free, leaves
/// the list as long as it was.
fn is_span_free(
    character: &Character,
    ends: [&Configuration; 2],
    [start, end]: [f32; 2],
    first: usize,
    limits: &Limits,
    middle: &mut Configuration,
    workspace: &mut SelfCollisionWorkspace,
) -> bool {
    let last = workspace.open.len();
    if first == last {
        return true;
    }
    let share = 0.5 * (end - start);
    if share < MIN_SPAN {
        return false;
    }
    let half = 0.5 * (start + end);
    middle.interpolate(ends[0], ends[1], half);
    let SelfCollisionWorkspace { frames, centers, open, .. } = workspace;
    forward(character, middle, frames);
    place_spheres(character, frames, centers);
    // First the pairs of the second half, then those of the first that are not resolved.
    for index in first..last {
        let OpenPair { pair, approach, distances } = open[index];
        let enough = limits.margin + approach * share;
        let distance = pair_distance(character, frames, centers, pair.links, enough);
        if !(distance >= limits.margin) {
            return false;
        }
        open.push(OpenPair { pair, approach, distances: [distance, distances[1]] });
    }
    let first_half = open.len();
    for (before, after) in (first..last).zip(last..first_half) {
        let distances = [open[before].distances[0], open[after].distances[0]];
        let halved = OpenPair { distances, ..open[before] };
        if !limits.is_resolved(&halved, share) {
            open.push(halved);
        }
    }
    if !is_span_free(character, ends, [start, half], first_half, limits, middle, workspace) {
        return false;
    }
    let open = &mut workspace.open;
    let mut kept = last;
    for index in last..first_half {
        if !limits.is_resolved(&open[index], share) {
            open[kept] = open[index];
            kept += 1;
        }
    }
    open.truncate(kept);
    let is_free = is_span_free(character, ends, [half, end], last, limits, middle, workspace);
    workspace.open.truncate(last);
    is_free
}

/// Fills the rotation of each link relative to its parent between two configurations.
fn bound_turns(character: &Character, [from, to]: [&Configuration; 2], turns: &mut TiVec<LinkId, f32>) {
    turns.clear();
    turns.extend(character.links.iter().map(|link| {
        let hinges = link.hinges.range();
        from.angles[hinges.clone()].iter().zip(&to.angles[hinges]).map(|(a, b)| (b - a).abs()).sum::<f32>()
    }));
}

/// Upper bound on how far two links approach each other. It is linear in time: over a fraction of the step it is that fraction.
fn approach_bound(character: &Character, pair: &LinkPair, turns: &TiVec<LinkId, f32>) -> f32 {
    let of_link = |(&link, &joints): (&LinkId, &usize)| {
        character.lever_arms(link)[..joints].iter().map(|arm| turns[arm.link] * arm.length).sum::<f32>()
    };
    pair.links.iter().zip(&pair.joints_apart).map(of_link).sum()
}
