//! Tuning of the hold graph.
//!
//! Lengths are relative to the body size ([`Character::body_size`](clamber_model::Character::body_size)). They are written as
//! meters of a body of [`REFERENCE_BODY_SIZE`].

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Vertices whose edges are followed between two checkpoints.
pub const VERTICES_PER_CHECKPOINT: usize = 64;
/// Cost per length of a gap: a path with shorter gaps is better, however long it is.
pub const GAP_WEIGHT: f32 = 20.0;
/// Cost per height of a step between floors beyond [`Lengths::easy_height`].
pub const HEIGHT_WEIGHT: f32 = 2.0;
/// Cost per horizontal length of a step beyond [`EASY_SIDE_STEP`].
pub const SIDE_STEP_WEIGHT: f32 = 6.0;
/// Horizontal length of a step without extra cost, as a share of the largest distance between holds.
pub const EASY_SIDE_STEP: f32 = 0.45;
/// Least cosine between the normal of a floor and the vertical.
pub const FLOOR_COSINE: f32 = 0.7;

/// Most samples between two vertices: a gap may be thousands of body sizes wide.
pub const MAX_SAMPLES: f32 = 1000.0;
/// Most vertices of a graph: 15 km of the figure's planar surface, 4,500 square meters in space. Larger worlds get fewer
/// vertices per length, so that time and memory stay bounded.
pub const MAX_VERTICES: usize = 50_000;

/// The lengths of the graph for a body of one size, in meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// Distance between the vertices of a hold surface.
    pub spacing: f32,
    /// Cost of every edge: of two paths of one length, the one with fewer holds is easier.
    pub edge_cost: f32,
    /// Added to the largest distance between effectors when neighbors are collected: more than two effectors are thick.
    pub neighbor_margin: f32,
    /// No two neighbors are farther apart.
    pub max_edge: f32,
    /// Range along x in which the vertex nearest to a point is searched for.
    pub nearest_range: f32,
    /// Height of a step between floors without extra cost.
    pub easy_height: f32,
    /// The middle of a step along a floor is at most this far from an obstacle.
    pub floor_clearance: f32,
    /// Distance from the surfaces at which a limb moves from one vertex to another.
    pub limb_offset: f32,
    /// Heights of the arcs on which a limb may move around an obstacle.
    pub arcs: [f32; 3],
    /// Distance between the samples on such an arc.
    pub sample_step: f32,
    /// Depth inside an obstacle that a sample may have: the distance field is approximate.
    pub tolerated_depth: f32,
}

impl Lengths {
    pub fn new(size: f32) -> Self {
        let meters = size / REFERENCE_BODY_SIZE;
        Self {
            spacing: 0.3 * meters,
            edge_cost: 0.02 * meters,
            neighbor_margin: 0.5 * meters,
            max_edge: 3.0 * meters,
            nearest_range: 1.5 * meters,
            easy_height: 0.5 * meters,
            floor_clearance: 0.3 * meters,
            limb_offset: 0.1 * meters,
            arcs: [0.0, 0.4 * meters, 0.9 * meters],
            sample_step: 0.15 * meters,
            tolerated_depth: 0.02 * meters,
        }
    }
}
