//! The grasp-based planner as published (Kalisiak 1999, 4.8; Kalisiak and van de Panne 2001): edges of the mode table first,
//! then a step of descent, then random walks, then backtracking. It is the yardstick for the stance search.
//!
//! It differs from the papers where they leave a question open or fail on longer courses:
//!
//! - *Edges are tried after every random walk*, not only after one that ended lower. Descent pulls the hips away from the hold
//!   that the next foot needs; the path over an edge is found on the way back up.
//! - *Backtracking begins nearby*, over a window that doubles after each four backtracks without progress. Over the whole path, as
//!   published, none of 6 seeds solved the gauntlet within 6 million configurations; with the window, five did.
//! - *A limb whose straight path to a hold is blocked is lifted over the obstacle.* A foot on the ground has no straight path
//!   to the ground.
//! - *Wandering toward a hold keeps the steps that bring it nearer.* The thesis calls plain Brownian motion a poor transition.
//! - *A body on its knees has room to stand where its hips are*: its feet may still be under what it crawled out of.
//! - *Standing up requires balance*, from a wall, a bar and all fours. Otherwise the figure lets go and lies in the air.
//! - *The figure's hips bend to 160 degrees*: its trunk is one link, so the hips also bend for the back. With 125 degrees no
//!   posture was found in which hand and foot are on the edge of a wall.
//! - *A hand and a foot count as stretched at 55% of their largest distance*, not at 65%: a leg fully stretched to the rear
//!   leaves a crawl no next step.
//! - *A low wall* (below the head) may be climbed when nothing else helps.
//! - *Walking is upright*: a step in which the spine leans by more than 40 degrees is rejected. In a low tunnel the figure would
//!   otherwise lie in the air above one foot, balanced, and never crawl.
//! - *Crawling uses knees*, and so does the edge of a wall. The published edges come first in the mode table, so this planner
//!   still prefers them.
//! - *A turn is a half turn about the vertical on the carrying foot*, through the third dimension and past its obstacles.

mod tuning;
mod search_state;
mod execute_mode_edges;
mod reach_for_hold;
mod goal_arrival;
mod main_loop;

pub(crate) use self::search_state::RppSearch;
