//! Reads and writes scenes, characters, mode tables, meshes and motions.
//!
//! Scenes, characters and mode tables are TOML, motions are JSON or BVH, meshes are OBJ or glTF; a character, its
//! motion and the level around it can also be exported as glTF or USD. Reading a bad file returns a [`FileError`] with
//! the file, the line, the problem and a fix. Files use meters and degrees; degrees become radians here and nowhere
//! else.
//!
//! [`stand_at`] finds a posture for a place. [`apply_hold_edits`] pins and forbids holds of a problem by name. [`builtin`] embeds the shipped scenes and characters.
//!
//! Files are untrusted. These limits bound time and memory: 3 MB of TOML; 1000 links, hinges, capsules, limbs,
//! effectors or extremities per character; 1000 vertices per polygon; per scene one million triangles, 100 000 holds,
//! 1000 pins, and 20 000 frames or 1000 postures in its passages; 50 contacts per posture; 100 modes and 1000 edges per
//! mode table; numbers up to 100 000; 1 GiB per file.

// Listed from the lowest layer up: a module uses only the ones above it.
mod error;
mod read_from_disk;
mod embedded_files;
mod reject_control_characters;
mod suggest_name;
mod parse;
mod common_field_types;
mod character;
mod mesh;
mod modes;
mod export_error;
mod motion;
mod unique_export_names;
mod uniform_timing;
mod bvh;
mod skeletal_animation;
mod skinned_body;
mod obstacle_triangles;
mod write_glb;
mod write_usda;
mod pin_or_forbid_holds;
mod stand_at;
mod scene;
pub mod builtin;
mod schema;

pub use bvh::{parse_bvh, read_bvh, to_bvh};
pub use character::parse_character;
pub use error::FileError;
pub use export_error::ExportError;
pub use modes::parse_modes;
pub use motion::{parse_motion, read_motion, to_motion_json};
pub use pin_or_forbid_holds::{HoldEdit, HoldEditError, apply_hold_edits};
pub use scene::{
    InfeasibleCause, InfeasibleSegment, Scene, SnappedContact, parse_scene, read_jittered_scene, read_scene,
};
pub use schema::schemas;
pub use stand_at::{NearestHold, Place, StandAtError, stand_at};
pub use suggest_name::nearest_word;
pub use write_glb::to_glb;
pub use write_usda::to_usda;
