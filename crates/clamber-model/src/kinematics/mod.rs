//! Where a configuration puts the body: forward kinematics, centre of mass, Jacobians, and their inverse.
//!
//! Every function reads the frames that [`forward`] left in a [`Workspace`].

mod forward;
mod jacobian;
mod inverse;
mod two_link;

pub use forward::{Workspace, capsule_in_world, center_of_mass, effector_in_world, forward, travel};
pub(crate) use forward::{joint_in_world, prepare, turn_hinges};
pub use inverse::{IkOutcome, IkSettings, IkWorkspace, Target, solve};
pub use jacobian::{Jacobian, center_of_mass_jacobian, point_jacobian};
pub use two_link::{TwoLink, solve_two_link};
