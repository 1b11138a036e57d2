//! Decides whether a convex polytope of wrenches contains zero, with Wolfe's algorithm for the point nearest to it.
//!
//! P. Wolfe, "Finding the nearest point in a polytope", Mathematical Programming 11 (1976). The polytope is known by its support
//! function alone, so a sum of many polytopes is no larger than its parts. The algorithm keeps a few vertices and the point
//! of their convex hull that is nearest to zero. It adds the vertex that lies farthest against this point, and drops the
//! vertices that the new nearest point does not need. Both answers have a proof: a combination of vertices that is zero, or a
//! direction in which all vertices lie on one side.

use super::wrench::Wrench;

/// A wrench counts as zero up to this length. It is far above the rounding errors of the algorithm and below those of contact
/// points and normals in single precision.
const ZERO_TOLERANCE: f64 = 1e-7;

/// Bounds the work. Stances need some tens of iterations.
const MAX_ITERATIONS: usize = 1000;

/// In six dimensions, seven vertices surround zero.
const MAX_VERTICES: usize = 7;

/// A vertex is dropped when its weight is at most this.
const LEAST_WEIGHT: f64 = 1e-13;

/// Vertices are affinely dependent when one is this close to the hull of the others, relative to its distance from one of them.
const DEPENDENCE: f64 = 1e-14;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Some vertices surround zero.
    Contains,
    /// All vertices lie on one side of zero.
    Separate,
    /// Rounding prevents progress. It happens with lever arms and forces that differ by many orders of magnitude.
    Undecided,
}

/// Decides whether a polytope contains zero. `vertex` is one of its vertices; `farthest_against` returns the vertex whose product
/// with a direction is least.
pub(super) fn contains_zero(vertex: Wrench, farthest_against: impl Fn(&Wrench) -> Wrench) -> Answer {
    let mut hull = Hull::of_vertex(vertex);
    let mut nearest = vertex;
    for _ in 0..MAX_ITERATIONS {
        let distance = nearest.length();
        if distance <= ZERO_TOLERANCE {
            return Answer::Contains;
        }
        let vertex = farthest_against(&nearest);
        if nearest.dot(&vertex) > 0.5 * ZERO_TOLERANCE * distance {
            return Answer::Separate;
        }
        if !hull.add(vertex) || !hull.reduce_to_nearest_face() {
            return Answer::Undecided;
        }
        nearest = hull.point();
        // Negated so that NaN ends the search.
        if !(nearest.length() < distance) {
            return Answer::Undecided;
        }
    }
    Answer::Undecided
}

/// Affinely independent vertices, and a point of their convex hull.
struct Hull {
    vertices: [Wrench; MAX_VERTICES],
    /// The weights of the vertices in the point. They add up to 1.
    weights: [f64; MAX_VERTICES],
    count: usize,
}

impl Hull {
    fn of_vertex(vertex: Wrench) -> Self {
        let mut hull = Self { vertices: [Wrench::default(); MAX_VERTICES], weights: [0.0; MAX_VERTICES], count: 1 };
        (hull.vertices[0], hull.weights[0]) = (vertex, 1.0);
        hull
    }

    fn point(&self) -> Wrench {
        let mut point = Wrench::default();
        for (vertex, weight) in self.vertices[..self.count].iter().zip(self.weights) {
            point.add_scaled(weight, vertex);
        }
        point
    }

    /// Adds a vertex and keeps the point. Returns whether there was room.
    fn add(&mut self, vertex: Wrench) -> bool {
        if self.count == MAX_VERTICES {
            return false;
        }
        (self.vertices[self.count], self.weights[self.count]) = (vertex, 0.0);
        self.count += 1;
        true
    }

    fn remove(&mut self, index: usize) {
        self.vertices[index..self.count].rotate_left(1);
        self.weights[index..self.count].rotate_left(1);
        self.count -= 1;
    }

    /// Moves the point toward the nearest point of the vertices' affine hull, and drops a vertex each time the point leaves the
    /// convex hull. Returns false if rounding makes the vertices dependent.
    fn reduce_to_nearest_face(&mut self) -> bool {
        while self.count > 0 {
            let Some(target) = self.nearest_affine_weights() else { return false };
            // The share of the way to the target at which the first weight becomes zero.
            let mut first_to_vanish = None;
            let mut share = 1.0;
            for (index, (&from, &to)) in self.weights[..self.count].iter().zip(&target).enumerate() {
                if to <= LEAST_WEIGHT {
                    let vanishes_at = if from > to { (from / (from - to)).clamp(0.0, 1.0) } else { 0.0 };
                    if first_to_vanish.is_none() || vanishes_at < share {
                        (first_to_vanish, share) = (Some(index), vanishes_at);
                    }
                }
            }
            for (weight, to) in self.weights[..self.count].iter_mut().zip(target) {
                *weight += share * (to - *weight);
            }
            match first_to_vanish {
                None => return true,
                Some(index) => self.remove(index),
            }
        }
        false
    }

    /// The weights of the point of the vertices' affine hull that is nearest to zero; `None` if the vertices are dependent.
    ///
    /// A least squares problem in the edges from the first vertex, solved by Gram-Schmidt orthogonalization with a second pass
    /// against rounding.
    fn nearest_affine_weights(&self) -> Option<[f64; MAX_VERTICES]> {
        let first = &self.vertices[0];
        let edges = self.count - 1;
        let mut basis = [Wrench::default(); MAX_VERTICES - 1];
        let mut triangle = [[0.0; MAX_VERTICES - 1]; MAX_VERTICES - 1];
        let mut right_side = [0.0; MAX_VERTICES - 1];
        for column in 0..edges {
            let mut edge = self.vertices[column + 1];
            edge.add_scaled(-1.0, first);
            let full_length = edge.length();
            for _ in 0..2 {
                for row in 0..column {
                    let along = basis[row].dot(&edge);
                    triangle[row][column] += along;
                    edge.add_scaled(-along, &basis[row]);
                }
            }
            let length = edge.length();
            // Negated so that NaN counts as dependent.
            if !(length > DEPENDENCE * full_length) {
                return None;
            }
            triangle[column][column] = length;
            basis[column].add_scaled(1.0 / length, &edge);
            right_side[column] = -basis[column].dot(first);
        }
        let mut weights = [0.0; MAX_VERTICES];
        weights[0] = 1.0;
        for column in (0..edges).rev() {
            let known: f64 = (column + 1..edges).map(|other| triangle[column][other] * weights[other + 1]).sum();
            weights[column + 1] = (right_side[column] - known) / triangle[column][column];
            weights[0] -= weights[column + 1];
        }
        Some(weights)
    }
}
