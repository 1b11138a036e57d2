//! Tuning of the stance search.
//!
//! Lengths and costs are relative to the body size ([`Character::body_size`](clamber_model::Character::body_size)), so a problem whose
//! lengths are all doubled has the same search. They are written as meters of a body of
//! [`REFERENCE_BODY_SIZE`].

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Weight of the cost-to-go relative to the cost so far, as in weighted A*. More finds a path sooner, less a better one.
pub const HEURISTIC_WEIGHT: f32 = 8.0;

/// Most holds on surfaces that face one way for which one edge of one node becomes a candidate.
pub const MAX_HOLDS_PER_DIRECTION: usize = 10;

/// A posture that leans back by more than this is compared with one that is bowed, in radians.
pub const MAX_BACKWARD_LEAN: f32 = 0.17;
/// How far forward a bowed posture leans at first, in radians.
pub const BOW: f32 = 1.0;

/// The farthest that a body in space turns in a step, in radians.
pub const MAX_STEP_TURN: f32 = 0.7;
/// How far a body on a wall leans away from it while a limb moves, in body sizes.
pub const LEAN_OFF_WALL: f32 = 0.08 / REFERENCE_BODY_SIZE;
/// The farthest that a body may be turned away from what carries it in a mode or soon afterward when it changes to that mode, in radians.
pub const MAX_CHANGE_TURN: f32 = 0.8;
/// Places that the guide in space evaluates in the time of a configuration.
pub const PLACES_PER_EXPANSION: usize = 32;
/// What finding the candidates of a node again counts as, in configurations.
pub const EXPANSIONS_PER_REQUEUE: u64 = 4;
/// Headings of stances that differ by less count as one, in radians.
pub const HEADING_STEP: f32 = 0.35;
/// Cost-to-go of a body that faces away from where the guide leads, in meters per radian of the reference body.
pub const TURN_COST: f32 = 0.25 / REFERENCE_BODY_SIZE;
/// Cost-to-go of a body that faces in a direction in which it hardly fits, per how many times slower it is there, in body sizes: with less, it
/// enters narrow places before it has turned.
pub const MISFIT_COST: f32 = 1.5 / REFERENCE_BODY_SIZE;
/// The most that limbs are stretched in the postures that bodies in space aim for, as a share of their length. With 0.97, knees that carry are
/// bent by 28 degrees; with 0.985, the solver of postures finds stretched legs hard to move and bodies lean instead.
pub const MAX_STRETCH: f32 = 0.98;
/// How often such a posture is moved until its center of mass, with its limbs on their contacts, is where it must be.
pub const NOMINAL_ROUNDS: usize = 5;
/// Shares of a step at which a body that rises over its contacts must reach them.
pub const RISE_CHECKS: [f32; 4] = [0.15, 0.3, 0.5, 0.8];
/// The most that limbs are stretched there, as a share of their length: on the way, the solver of postures is not asked.
pub const RISE_STRETCH: f32 = 0.99;
/// How bodies in space bow and how much lower they are where there is little room above, in radians and body sizes.
pub const BOWS: [[f32; 2]; 5] = [
    [0.35, 0.03 / REFERENCE_BODY_SIZE],
    [0.6, 0.1 / REFERENCE_BODY_SIZE],
    [0.8, 0.2 / REFERENCE_BODY_SIZE],
    [1.0, 0.3 / REFERENCE_BODY_SIZE],
    [1.1, 0.4 / REFERENCE_BODY_SIZE],
];
/// Where that room is needed: here, ahead and behind as far as a step leads, in body sizes.
pub const ROOM_AROUND: [f32; 7] = [
    0.0,
    0.2 / REFERENCE_BODY_SIZE,
    -0.2 / REFERENCE_BODY_SIZE,
    0.4 / REFERENCE_BODY_SIZE,
    -0.4 / REFERENCE_BODY_SIZE,
    0.6 / REFERENCE_BODY_SIZE,
    -0.6 / REFERENCE_BODY_SIZE,
];
/// How far ahead of its place effectors are put down, in body sizes.
pub const STRIDES: [f32; 7] = [
    0.55 / REFERENCE_BODY_SIZE,
    0.5 / REFERENCE_BODY_SIZE,
    0.42 / REFERENCE_BODY_SIZE,
    0.33 / REFERENCE_BODY_SIZE,
    0.22 / REFERENCE_BODY_SIZE,
    0.11 / REFERENCE_BODY_SIZE,
    0.0,
];
/// The same for a body that has its back to the path: also away from where it leads.
pub const BACKING_STRIDES: [f32; 7] = [
    0.42 / REFERENCE_BODY_SIZE,
    0.33 / REFERENCE_BODY_SIZE,
    0.22 / REFERENCE_BODY_SIZE,
    0.11 / REFERENCE_BODY_SIZE,
    0.0,
    -0.25 / REFERENCE_BODY_SIZE,
    -0.5 / REFERENCE_BODY_SIZE,
];
/// The same between two modes, when a body gets down or up more or less where it is.
pub const CHANGE_STRIDES: [f32; 9] = [
    0.4 / REFERENCE_BODY_SIZE,
    0.3 / REFERENCE_BODY_SIZE,
    0.2 / REFERENCE_BODY_SIZE,
    0.1 / REFERENCE_BODY_SIZE,
    0.0,
    -0.1 / REFERENCE_BODY_SIZE,
    -0.2 / REFERENCE_BODY_SIZE,
    -0.3 / REFERENCE_BODY_SIZE,
    -0.4 / REFERENCE_BODY_SIZE,
];
/// Shares of the way from one reference posture to another at which a body between two modes may be.
pub const BLENDS: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// How far effectors in the posture that a body aims for between two modes may be from their contacts, in body sizes.
pub const MAX_NOMINAL_MISS: f32 = 0.05 / REFERENCE_BODY_SIZE;
/// How far they may be tilted there, in radians.
pub const MAX_NOMINAL_TILT: f32 = 0.3;
/// How far the trunk may be from where it is in the posture that a body in space aims for, in body sizes.
pub const MAX_OFF_NOMINAL: f32 = 0.15 / REFERENCE_BODY_SIZE;
/// The farthest contact of the goal from the others of its group that bodies in space try to make, in body sizes.
pub const MAX_LAST_STRIDE: f32 = 0.75 / REFERENCE_BODY_SIZE;
/// How far to a side of it, in body sizes.
pub const SIDE_OFFSETS: [f32; 3] = [0.0, -0.12 / REFERENCE_BODY_SIZE, 0.12 / REFERENCE_BODY_SIZE];
/// The least distance of an effector from the contact of the mirrored limb, to its own side, in body sizes.
pub const LEAST_SIDE_DISTANCE: f32 = 0.11 / REFERENCE_BODY_SIZE;
/// The least distance between the contacts of limbs on one side that move together with others, in the direction between their places in the
/// reference posture, as a share of the distance there.
pub const LEAST_ORDER: f32 = 0.3;
/// How far a contact of effectors that move together may be from its place beside the first one, in body sizes.
pub const MAX_DISTORTION: f32 = 0.16 / REFERENCE_BODY_SIZE;
/// How far limbs turn about the vertical while the body passes the contacts that they made together, in radians.
pub const PASSING_TURNS: [f32; 3] = [0.0, -0.35, 0.35];
/// How far a contact is from its place in the posture above a stance without extra cost, in body sizes, for the highest mode.
pub const EASY_SPREAD: f32 = 0.3 / REFERENCE_BODY_SIZE;
/// The same where a body does not only stand, and reaches for holds where they are.
pub const EASY_REACH: f32 = 0.3 / REFERENCE_BODY_SIZE;
/// Cost per distance beyond that, relative to what a step brings nearer.
pub const REACH_WEIGHT: f32 = 2.0;
/// How far ahead a path tells which of the contacts of such a body are ahead of others, in body sizes.
pub const PROGRESS_DISTANCE: f32 = 0.5 / REFERENCE_BODY_SIZE;
/// Cost per distance beyond it, relative to what a step brings nearer.
pub const SPREAD_WEIGHT: f32 = 6.0;
/// How far surfaces may be from there, in body sizes.
pub const SNAP_DISTANCE: f32 = 0.4 / REFERENCE_BODY_SIZE;

/// Discomfort beyond a mode's comfort at which a posture is compared with one solved from the body at rest.
pub const POOR_COMFORT: f32 = 0.5;

/// How often a posture is solved on from where it got, while it is free but misses its conditions.
pub const MORE_SOLVES: usize = 2;

/// Candidates tried without progress after which the subproblem restarts some meters back.
pub const MAX_STALLED: usize = 1500;
/// Candidates tried without progress after which the search checks once for a certain impasse.
pub const IMPASSE_CHECK: usize = 140;
/// The same in space where the guide finds no way and the search is at the end of what it can reach.
pub const BRIDGE_CHECK: usize = 40;
/// Candidates tried without a better node after which the guide gets a dead-end penalty.
pub const MAX_SINCE_BEST: usize = 80;
/// The same in equilibrium: a stance takes more small changes to get on from, and penalties that come too soon lead the search away
/// from where there is a path.
pub const MAX_SINCE_BEST_IN_EQUILIBRIUM: usize = 320;
/// The same in space, where candidates are few and chosen, and each takes long.
pub const MAX_SINCE_BEST_IN_SPACE: usize = 40;
/// Most restarts some meters back without progress between them.
pub const MAX_RESTARTS: usize = 5;
/// Most attempts at a subproblem from its beginning.
pub const MAX_ATTEMPTS: usize = 6;

/// Candidates tried without progress in space after which deferred ones are deferred half as long.
pub const DEFERRAL_PATIENCE: f32 = 30.0;

/// Candidates of one class that are tried without progress before the class loses priority.
pub const FREE_REPETITIONS: u32 = 40;

/// Weight of a failure rate at the same place, relative to one at the same offsets.
pub const PLACE_RATE_WEIGHT: f32 = 0.8;
/// Weight of a failure rate at the same distance, relative to one at the same offsets.
pub const COARSE_RATE_WEIGHT: f32 = 0.5;
/// Trials added to the count of a failure rate, so that one failure does not make it 1.
pub const PRIOR_TRIALS: f32 = 0.5;

/// Preferred stride as a share of the stretched lengths of both limbs, without their feet.
pub const PREFERRED_STRIDE: f32 = 0.45;
/// How much farther than at rest effectors may be apart after a stride, as a share of it.
pub const SPRAWLING_STRIDE: f32 = 0.5;
/// Cost per length by which a step exceeds the preferred stride: more than the step brings nearer.
pub const STRIDE_WEIGHT: f32 = 2.0 * HEURISTIC_WEIGHT;
/// Least cosine between a hold's normal and the heading at which the hold is on a wall behind the back.
pub const BEHIND_COSINE: f32 = 0.5;
/// Largest discomfort beyond a mode's comfort that adds to the cost.
pub const MAX_DISCOMFORT: f32 = 4.0;

/// Slower modes, relative to the fastest, do not cost more. Where there is no other way, their cost only delays the search.
pub const MAX_SLOWNESS: f32 = 2.0;

/// Weight of the largest ratio of torque to strength when postures are solved, times that of the mode.
pub const EFFORT_WEIGHT: f32 = 0.3;
/// A ratio of torque to strength that is easy.
pub const EASY: f32 = 0.5;
/// Greater ratios are not penalized more.
pub const MAX_EFFORT: f32 = 10.0;

/// Candidates tried without progress after which efforts are ignored until there is some.
pub const EFFORT_PATIENCE: usize = 150;

/// Bisection steps that measure the practical reach between two holds.
pub const REACH_BISECTIONS: usize = 8;
/// Samples on the segment between two vertices that find the obstacle between them.
pub const SEGMENT_SAMPLES: usize = 32;
/// Least cosine between the normals of two holds on surfaces that face one way.
pub const SAME_DIRECTION_COSINE: f32 = 0.9;
/// Largest cosine between a surface's normal and the direction from one of its holds to another.
pub const ALONG_SURFACE_COSINE: f32 = 0.5;

/// Candidates after which a counterfactual search has not continued.
pub const COUNTERFACTUAL_CANDIDATES: usize = 400;
/// Bisection steps that measure the least change with which the search continues: to about 2% of it.
pub const COUNTERFACTUAL_BISECTIONS: usize = 7;
/// The greatest coefficient of friction that is tried: rubber on rough rock reaches 1.5.
pub const MAX_HELPFUL_FRICTION: f32 = 2.0;
/// The least coefficient of friction that a bisection begins at.
pub const MIN_FRICTION: f32 = 0.01;
/// The greatest factor on strength that is tried.
pub const MAX_HELPFUL_STRENGTH: f32 = 8.0;

/// The lengths and costs of the search for a body of one size, in meters.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Cost of every change of contacts: of two paths, the one with fewer steps is better.
    pub step_cost: f32,
    /// Cost of turning around to face as the goal does.
    pub turn_cost: f32,
    /// Cost of making a contact of the goal with another effector of the same group.
    pub substitute_cost: f32,
    /// Largest random addition to a candidate's cost. Seeds differ by it.
    pub cost_noise: f32,
    /// Largest random cost of a hold, with the greatest variety.
    pub dislike: f32,
    /// Cost per step that a `no_progress` condition waits for.
    pub no_progress_cost: f32,
    /// Cost of a `failed` condition.
    pub failed_cost: f32,
    /// Cost of a step that always failed before.
    pub failure_cost: f32,
    /// The same where a body does not only stand: there, a try takes longer, and one that fails is followed by many like it.
    pub failure_cost_on_walls: f32,
    /// How much more a candidate must cost because of failures that were learned since to be put back.
    pub worthwhile_repricing: f32,
    /// Cost of a hold on a wall behind the back.
    pub behind_cost: f32,
    /// Cost of a foot on a wall without a ledge.
    pub smear_cost: f32,
    /// Cost of going on in a slow mode where there is room for a faster one.
    pub slow_cost: f32,
    /// Cost per unit of discomfort beyond the mode's comfort.
    pub discomfort_cost: f32,
    /// Priority penalty per ratio of torque to strength beyond [`EASY`].
    pub effort_penalty: f32,

    /// Priority penalty per repetition of a class beyond [`FREE_REPETITIONS`].
    pub repetition_penalty: f32,
    /// Priority penalty for deferred candidates, as a cost-to-go.
    pub deferral: f32,
    /// Largest addition to it for nodes that are farther from the goal than the best one.
    pub max_deferral_behind: f32,
    /// How far an effector may be from where it makes a contact.
    pub max_landing_miss: f32,
    /// How far the center of mass may be beside a contact that the body turns on.
    pub pivot_offset: f32,

    /// Radius around a dead end within which the guide is penalized.
    pub penalty_radius: f32,
    /// Distance of the penalized ball's center from where the search is stuck.
    pub penalty_ahead: f32,
    /// Dead-end penalty: addition to every edge of the guide through the ball.
    pub dead_end_penalty: f32,
    /// Distance that each restart goes farther back.
    pub restart_distance: f32,
    /// Penalty on the step that was not found, per restart.
    pub restart_penalty: f32,
    /// Nodes that are farther behind the best one get no candidates when the open list is rebuilt.
    pub requeue_range: f32,

    /// Largest cost-to-go from which contacts of the goal are tried.
    pub arrival_range: f32,
    /// Cost-to-go within which it matters which effector of a group is where.
    pub near_goal: f32,
    /// Contact points on a surface count as one within a cell of this side.
    pub stance_cell: f32,
    /// Side of the cells in which contacts of similar stances in space are.
    pub similar_stance_cell: f32,
    /// Cell of the offsets by which failures are counted.
    pub offset_cell: f32,
    /// Cell of the distances by which failures are counted.
    pub distance_cell: f32,
    /// Points on a pinned surface within this distance move onto the pinned point.
    pub pin_snap: f32,
    /// Stands for an infinite distance where distances are added up.
    pub unreachable: f32,

    /// Length of the guide's path that is checked for a bottleneck.
    pub lookahead: f32,
    /// In space, distance around the explained way up to which holds are looked at.
    pub explained_margin: f32,
    /// In space, distance of the trunk from where the guide ends within which it has arrived there.
    pub at_bridge: f32,
    /// Distance from the goal's trunk position at which the trunk has arrived.
    pub trunk_tolerance: f32,
    /// Shorter steps do not explain an impasse.
    pub min_explained_step: f32,
    /// Least overlap that is reported for an obstacle.
    pub min_overlap: f32,
    /// Overlaps up to this do not explain an impasse: other postures avoid them.
    pub tolerated_overlap: f32,
    /// How much nearer to the goal a counterfactual search must get.
    pub counterfactual_progress: f32,
    /// The least and the greatest distance by which the center of mass is allowed farther out to see whether that helps.
    pub min_center_change: f32,
    pub max_center_change: f32,
    /// A distance of the center of mass that counts as much as half the friction or half the strength missing.
    pub doubling_center_change: f32,
    /// Half the side of the empty world in which a single step is tried: more than a body reaches.
    pub trial_world: f32,
    /// Thickness of the floor in it.
    pub trial_floor: f32,
    /// Cell of its distance field in space.
    pub trial_cell: f32,
    /// Cell of its distance field in the plane.
    pub trial_flat_cell: f32,
}

impl Lengths {
    pub fn new(size: f32) -> Self {
        let meters = size / REFERENCE_BODY_SIZE;
        let of_cost_to_go = HEURISTIC_WEIGHT * meters;
        Self {
            step_cost: 0.1 * meters,
            turn_cost: 0.3 * meters,
            substitute_cost: 0.5 * meters,
            cost_noise: 0.1 * meters,
            dislike: 6.0 * meters,
            no_progress_cost: 0.01 * of_cost_to_go,
            failed_cost: 1.0 * of_cost_to_go,
            failure_cost: 0.5 * of_cost_to_go,
            failure_cost_on_walls: 1.5 * of_cost_to_go,
            worthwhile_repricing: 0.1 * of_cost_to_go,
            behind_cost: 1.0 * of_cost_to_go,
            smear_cost: 0.2 * of_cost_to_go,
            slow_cost: 0.4 * of_cost_to_go,
            discomfort_cost: 0.5 * meters,
            effort_penalty: 1.0 * meters,

            repetition_penalty: 0.02 * of_cost_to_go,
            deferral: 0.8 * meters,
            max_deferral_behind: 0.6 * meters,

            max_landing_miss: 5e-4 * meters,
            pivot_offset: 0.03 * meters,

            penalty_radius: 0.6 * meters,
            penalty_ahead: 0.3 * meters,
            dead_end_penalty: 1.5 * meters,
            restart_distance: 2.0 * meters,
            restart_penalty: 2.0 * meters,
            requeue_range: 6.0 * meters,

            arrival_range: 1.5 * meters,
            near_goal: 2.0 * meters,
            stance_cell: 0.05 * meters,
            similar_stance_cell: 0.15 * meters,
            offset_cell: 0.1 * meters,
            distance_cell: 0.15 * meters,
            pin_snap: 0.25 * meters,
            unreachable: 1e6 * meters,

            lookahead: 5.0 * meters,
            explained_margin: 2.5 * meters,
            at_bridge: 0.8 * meters,
            trunk_tolerance: 0.1 * meters,
            min_explained_step: 0.2 * meters,
            min_overlap: 0.01 * meters,
            tolerated_overlap: 0.02 * meters,
            counterfactual_progress: 0.6 * meters,
            min_center_change: 0.01 * meters,
            max_center_change: 1.0 * meters,
            doubling_center_change: 0.25 * meters,
            trial_world: 4.0 * meters,
            trial_floor: 0.5 * meters,
            trial_cell: 0.1 * meters,
            trial_flat_cell: 0.04 * meters,
        }
    }
}
