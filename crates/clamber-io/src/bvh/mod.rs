//! Motions as BVH, for programs that animate.
//!
//! A link is a joint. The joints' frames are aligned with the world's axes while all hinges are at zero, because BVH has
//! offsets and no turns of its own: so the skeleton that a program shows before the motion begins is the character
//! with all hinges at zero. A joint's rotation in the file is that of its hinges, seen in those frames.
//!
//! Rotations are written about z, then x, then y, each in the frame made by those before. It is the order that most
//! programs write; a planar character turns about z and faces by a half turn about y, which needs no third angle; and
//! the shipped human's hinges turn in it too. Any order is read.

mod turns;
mod skeleton;
mod write;
mod read;

pub use read::{parse_bvh, read_bvh};
pub use write::write_bvh;
