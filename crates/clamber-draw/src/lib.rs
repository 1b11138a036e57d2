//! Pictures of motions: a filmstrip, a contact sheet or a close-up as SVG or PNG, an animation as GIF, from any side.
//!
//! [`filmstrip`] composes a [`Picture`], a list of shapes that is written as SVG or drawn as PNG: one list, so both
//! show the same. [`contact_sheet`] shows poses in panels, and the modes and contacts over time. [`closeup`] shows the place where
//! a motion ends before its goal, and what is wrong there. [`animation`] draws such pictures one after the other into a
//! GIF. Planar scenes seen from their side are drawn as the section through the plane of the motion; every other view is
//! a shaded orthographic one in which obstacles in front of the motion are cut away.
//!
//! Nothing here reads fonts, clocks or files: the same motion gives the same bytes.

// The order of this list is the order of the layers: a module uses only the ones above it.
mod picture;
mod camera;
mod extent;
mod settings;
mod base64;
mod raster;
mod svg;
mod mode_colors;
mod sampled_motion;
mod pose_times;
mod hold_marks;
mod body;
mod cross_section;
mod faces;
mod cutaway;
mod shading;
mod shadow;
mod labels;
mod legend;
mod framing;
mod scene_layers;
mod filmstrip;
mod timeline;
mod contact_sheet;
mod failure;
mod closeup;
mod palette;
mod follow_camera;
mod animation;

pub use animation::animation;
pub use camera::{View, ViewError};
pub use closeup::closeup;
pub use contact_sheet::contact_sheet;
pub use failure::Failure;
pub use filmstrip::filmstrip;
pub use picture::{Color, Image, Picture, Point, Shape};
pub use settings::DrawSettings;
