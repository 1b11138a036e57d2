//! Tuning of the stance search.
//!
//! Lengths and costs are relative to the body size ([`Character::size`](clamber_model::Character::size)), so a problem whose
//! lengths are all doubled has the same search. In the comments, meters are those of the shipped figure, whose size is 0.93 m.

/// Weight of the cost-to-go relative to the cost so far, as in weighted A*. More finds a path sooner, less a better one.
pub const HEURISTIC_WEIGHT: f32 = 8.0;

/// Most holds for which one edge of one node becomes a candidate.
pub const MAX_HOLDS_PER_EDGE: usize = 10;

/// Candidates tried without progress after which the subproblem restarts some meters back.
pub const MAX_STALLED: usize = 1500;
/// Candidates tried without progress after which the search checks once for a certain impasse.
pub const IMPASSE_CHECK: usize = 140;
/// Candidates tried without a better node after which the guide gets a dead-end penalty.
pub const MAX_SINCE_BEST: usize = 80;
/// Most restarts some meters back without progress between them.
pub const MAX_RESTARTS: usize = 5;
/// Most attempts at a subproblem from its beginning.
pub const MAX_ATTEMPTS: usize = 3;

/// Candidates of one class that are tried without progress before the class loses priority.
pub const FREE_REPETITIONS: u32 = 40;

/// Weight of a failure rate at the same distance, relative to one at the same offsets.
pub const COARSE_RATE_WEIGHT: f32 = 0.5;
/// Trials added to the count of a failure rate, so that one failure does not make it 1.
pub const PRIOR_TRIALS: f32 = 0.5;

/// Preferred stride as a share of the largest distance between the two effectors.
pub const PREFERRED_STRIDE: f32 = 0.45;
/// Cost per length by which a step exceeds the preferred stride: more than the step brings nearer.
pub const STRIDE_WEIGHT: f32 = 2.0 * HEURISTIC_WEIGHT;
/// Least cosine between a hold's normal and the heading at which the hold is on a wall behind the back.
pub const BEHIND_COSINE: f32 = 0.5;
/// Largest discomfort beyond a mode's comfort that adds to the cost.
pub const MAX_DISCOMFORT: f32 = 4.0;

/// Bisection steps that measure the practical reach between two holds.
pub const REACH_BISECTIONS: usize = 8;
/// Samples on the segment between two vertices that find the obstacle between them.
pub const SEGMENT_SAMPLES: usize = 32;
/// Least cosine between the normals of two holds on one surface.
pub const SAME_SURFACE_COSINE: f32 = 0.9;
/// Largest cosine between a surface's normal and the direction from one of its holds to another.
pub const ALONG_SURFACE_COSINE: f32 = 0.5;

/// The lengths and costs of the search for a body of one size, in meters.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Cost of every change of contacts (0.1 m): of two paths, the one with fewer steps is better.
    pub step_cost: f32,
    /// Cost of turning around to face as the goal does (0.3 m).
    pub turn_cost: f32,
    /// Cost of making a contact of the goal with another effector of the same group (0.5 m).
    pub substitute_cost: f32,
    /// Largest random addition to a candidate's cost (0.1 m). Seeds differ by it.
    pub cost_noise: f32,
    /// Cost per step that a `no_progress` condition waits for (1 cm of cost-to-go).
    pub no_progress_cost: f32,
    /// Cost of a `failed` condition (1 m of cost-to-go).
    pub failed_cost: f32,
    /// Cost of a step that always failed before (0.5 m of cost-to-go).
    pub failure_cost: f32,
    /// Cost of a hold on a wall behind the back (1 m of cost-to-go).
    pub behind_cost: f32,
    /// Cost per unit of discomfort beyond the mode's comfort (0.5 m).
    pub discomfort_cost: f32,

    /// Priority penalty per repetition of a class beyond [`FREE_REPETITIONS`] (2 cm of cost-to-go).
    pub repetition_penalty: f32,
    /// Priority penalty for deferred candidates, as a cost-to-go (2 m).
    pub deferral: f32,
    /// Largest addition to it for nodes that are farther from the goal than the best one (0.6 m).
    pub max_deferral_behind: f32,

    /// Radius around a dead end within which the guide is penalized (0.6 m).
    pub penalty_radius: f32,
    /// Distance of the penalized ball's center from where the search is stuck (0.3 m).
    pub penalty_ahead: f32,
    /// Dead-end penalty: addition to every edge of the guide through the ball (1.5 m).
    pub dead_end_penalty: f32,
    /// Distance that each restart goes farther back (2 m).
    pub restart_distance: f32,
    /// Penalty on the step that was not found, per restart (2 m).
    pub restart_penalty: f32,
    /// Nodes that are farther behind the best one get no candidates when the open list is rebuilt (6 m).
    pub requeue_range: f32,

    /// Largest cost-to-go from which contacts of the goal are tried (1.5 m).
    pub arrival_range: f32,
    /// Cost-to-go within which it matters which effector of a group is where (2 m).
    pub near_goal: f32,
    /// Contact points on a surface count as one within a cell of this side (5 cm).
    pub stance_cell: f32,
    /// Cell of the offsets by which failures are counted (0.1 m).
    pub offset_cell: f32,
    /// Cell of the distances by which failures are counted (0.15 m).
    pub distance_cell: f32,
    /// Points on a pinned surface within this distance move onto the pinned point (0.25 m).
    pub pin_snap: f32,
    /// Stands for an infinite distance where distances are added up (1000 km).
    pub unreachable: f32,

    /// Length of the guide's path that is checked for a bottleneck (5 m).
    pub lookahead: f32,
    /// Distance from the goal's trunk position at which the trunk has arrived (0.1 m).
    pub trunk_tolerance: f32,
    /// Shorter steps do not explain an impasse (0.2 m).
    pub min_explained_step: f32,
    /// Least overlap that is reported for an obstacle (1 cm).
    pub min_overlap: f32,
    /// Overlaps up to this do not explain an impasse: other postures avoid them (2 cm).
    pub tolerated_overlap: f32,
    /// Half the side of the empty world in which a single step is tried (4 m): more than a body reaches.
    pub trial_world: f32,
    /// Thickness of the floor in it (0.5 m).
    pub trial_floor: f32,
    /// Cell of its distance field in space (0.1 m).
    pub trial_cell: f32,
    /// Cell of its distance field in the plane (4 cm).
    pub trial_flat_cell: f32,
}

impl Lengths {
    pub fn new(size: f32) -> Self {
        let of_cost_to_go = HEURISTIC_WEIGHT * size;
        Self {
            step_cost: 0.1075 * size,
            turn_cost: 0.3226 * size,
            substitute_cost: 0.5376 * size,
            cost_noise: 0.1075 * size,
            no_progress_cost: 0.01075 * of_cost_to_go,
            failed_cost: 1.075 * of_cost_to_go,
            failure_cost: 0.5376 * of_cost_to_go,
            behind_cost: 1.075 * of_cost_to_go,
            discomfort_cost: 0.5376 * size,

            repetition_penalty: 0.0215 * of_cost_to_go,
            deferral: 2.151 * size,
            max_deferral_behind: 0.6452 * size,

            penalty_radius: 0.6452 * size,
            penalty_ahead: 0.3226 * size,
            dead_end_penalty: 1.613 * size,
            restart_distance: 2.151 * size,
            restart_penalty: 2.151 * size,
            requeue_range: 6.452 * size,

            arrival_range: 1.613 * size,
            near_goal: 2.151 * size,
            stance_cell: 0.05376 * size,
            offset_cell: 0.1075 * size,
            distance_cell: 0.1613 * size,
            pin_snap: 0.2688 * size,
            unreachable: 1.075e6 * size,

            lookahead: 5.376 * size,
            trunk_tolerance: 0.1075 * size,
            min_explained_step: 0.2151 * size,
            min_overlap: 0.01075 * size,
            tolerated_overlap: 0.0215 * size,
            trial_world: 4.301 * size,
            trial_floor: 0.5376 * size,
            trial_cell: 0.1075 * size,
            trial_flat_cell: 0.04301 * size,
        }
    }
}
