//! Forward kinematics, center of mass, Jacobians and the inverse kinematics of one limb.
//!
//! Most functions read the link frames that [`forward`] stores in a [`LinkFrames`].

mod forward;
mod jacobian;
mod two_link;

pub use forward::{
    EndpointLinkFrames, LinkFrames, capsule_in_world, center_of_mass, effector_position, effector_position_at, forward,
    link_pose, max_displacement,
};
pub(crate) use forward::{joint_in_world, prepare, turn_hinges};
pub use jacobian::{Jacobian, JacobianTerm};
pub use two_link::{TwoLink, solve_two_link, solve_two_link_facing, turn_tip_toward};
