//! Reads and writes scenes, characters, mode tables, meshes and motions.
//!
//! Scenes, characters and mode tables are TOML, motions are JSON or BVH, meshes are OBJ or glTF; for
//! programs that animate, a character, its motion and the level around it are written as glTF or USD. A bad file is answered
//! with a [`FileError`]: the file, the line, what is wrong and what would be right. Lengths are metres and angles are
//! degrees; they become radians here and nowhere else.
//!
//! [`edit`] changes a problem by the names of its holds, as a command or an editor does.
//!
//! Files are not trusted. What would take unreasonable time or memory is refused: more than 3 MB of TOML, characters of
//! more than 1000 links, hinges, capsules, limbs or effectors, polygons of more than 1000 corners, scenes whose meshes
//! have more than a million triangles, that have more than 100 000 holds or 1000 pins, or whose passages have more than
//! 20 000 frames or 1000 postures, postures of more than 50 contacts, tables of more than 100 modes or 1000 edges, numbers
//! beyond 100 000, any file beyond 1 GiB.

// The order of this list is the order of the layers: a module uses only the ones above it.
mod error;
mod file;
mod parse;
mod fields;
mod character;
mod mesh;
mod modes;
mod motion;
mod names;
mod timing;
mod bvh;
mod clip;
mod mannequin;
mod level;
mod glb;
mod usda;
mod edit;
mod scene;
mod schema;

pub use bvh::{parse_bvh, read_bvh, write_bvh};
pub use character::parse_character;
pub use clip::ExportError;
pub use edit::{Edit, EditError, edit};
pub use error::FileError;
pub use glb::write_glb;
pub use modes::parse_modes;
pub use motion::{parse_motion, read_motion, write_motion};
pub use scene::{Broken, BrokenCause, Scene, parse_scene, read_scene};
pub use schema::schemas;
pub use usda::write_usda;
