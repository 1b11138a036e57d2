//! The default planner: a best-first search over stances.
//!
//! A node is a stance with its mode and a posture on it; its successors are the edges of the mode table, each with the holds
//! that it may take. The priority of a candidate is its estimated cost plus the weighted cost-to-go along a guide over
//! holds ([`HoldGraph`](crate::hold_graph::HoldGraph)). Evaluation is lazy: a candidate's cost is estimated when it enters the open
//! list, and its posture and path are computed when it is popped.
//! [`Algorithm::PlainStance`](crate::settings::Algorithm::PlainStance) does without both, to measure what they are worth.
//!
//! The local planner finds postures and the paths between them; the mode table defines which holds an edge may take.

// Lowest layer first.
mod tuning;
mod candidate;
mod open_list;
mod learned_failure_rates;
mod node;
mod subgoal_sequence;
mod subproblem_state;
mod straight_guide;
mod search_state;
mod heading;
mod contact_progress;
mod blended_posture;
mod nominal_posture;
mod placements;
mod moving_together;
mod edge_cost;
mod successors;
mod known_stance_filter;
mod expansion;

mod comfortable_starts;
mod solve_step;
mod edge_execution_state;
mod shift_weight;
mod make_contacts;
mod execute_mode_edge;
mod goal_arrival;
mod measured_reach;
mod obstructing_obstacle;
mod counterfactual_search;
mod missing_support;
mod explain_in_space;
mod explain_impasse;
mod escape_dead_ends;
mod search;

pub(crate) use search_state::StanceSearch;
