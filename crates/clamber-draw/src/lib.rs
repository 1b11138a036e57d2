//! Pictures of motions: pose overlays, contact timelines and close-ups as SVG or PNG, animations as GIF, from any side.
//!
//! [`pose_overlay`] composes a [`Picture`], a list of shapes that can be written as SVG or rendered as PNG.
//! [`contact_timeline`] shows poses in panels above a timeline of modes and contacts. [`draw_failure`] shows the place
//! where a motion stops before its goal, and the reason. [`render_gif`] animates the motion. Planar scenes seen from
//! the side are drawn as cross sections in the plane of the motion; all other views are shaded orthographic ones in
//! which obstacles in front of the motion are cut away.
//!
//! Text is drawn as outlines of an embedded font, DejaVu Sans (Latin, Greek and Cyrillic; `font/LICENSE`). The crate reads no
//! clocks or files: the same motion gives the same bytes.

// Modules are listed from the lowest up: each uses only those above it.
mod error;
mod vector_picture;
mod font;
mod camera;
mod view_rectangle;
mod settings;
mod base64;
mod raster;
mod svg;
mod mode_colors;
mod sampled_motion;
mod pose_times;
mod hold_marks;
mod draw_body;
mod cross_section;
mod viewer_facing_triangles;
mod cutaway;
mod cutaway_shading;
mod shadow;
mod text_placement;
mod obstacle_labels;
mod legend;
mod camera_framing;
mod scenery;
mod pose_overlay;
mod mode_and_contact_lanes;
mod contact_timeline;
mod failure_annotation;
mod failure_closeup;
mod gif_palette;
mod follow_camera;
mod gif_animation;

pub use camera::{ParseViewError, View};
pub use contact_timeline::contact_timeline;
pub use error::DrawError;
pub use failure_annotation::FailureAnnotation;
pub use failure_closeup::draw_failure;
pub use gif_animation::render_gif;
pub use pose_overlay::pose_overlay;
pub use settings::DrawSettings;
pub use vector_picture::{Color, Image, Picture, Point, Shape};
