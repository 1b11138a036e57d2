//! BVH: reads and writes motions for animation programs.
//!
//! Each link becomes a joint. BVH joints have offsets but no rest rotation, so joint frames are aligned with the world
//! axes at zero hinge angles, and the rest pose of the file is the character with all hinges at zero. A joint's
//! rotation in the file is the rotation of its hinges expressed in that frame.
//!
//! Rotations are written as intrinsic z, x, y angles. Most programs write this order; a planar character then needs no
//! x angle, because it turns about z and faces left by a half turn about y; and the hinges of the built-in human use it
//! too. Any order can be read.

mod euler_angles;
mod skeleton;
mod write;
mod read;

pub use read::{parse_bvh, read_bvh};
pub use write::to_bvh;
