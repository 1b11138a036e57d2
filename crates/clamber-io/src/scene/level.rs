//! Levels: mesh files whose nodes become obstacles with holds.

use std::collections::BTreeSet;
use std::path::Path;

use clamber_model::math::Vec3;
use clamber_model::world::{DEFAULT_FRICTION, HoldSpread, HoldType, MAX_FRICTION, Obstacle, ShapeError};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::mesh_files::{MeshFiles, place_vertices};
use super::obstacle::{ObstacleAndHolds, origin};
use super::obstacle_holds_key::{HoldsOnSurface, MIN_SPACING, SpreadEntry, spread};
use crate::common_field_types::{Number, Orientation, Point, coefficient_of_friction};
use crate::error::{FileError, Source};
use crate::mesh::{Markers, MeshPart, NodeMarkers};
use crate::suggest_name::abbreviate;

/// A file of many obstacles: each node is one, with its name. Markers in the file say which holds a node has.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { file = \"room.glb\" }")]
pub(super) struct LevelEntry {
    /// The path of a .glb, .gltf or .obj file, relative to this file.
    #[schemars(with = "String")]
    file: Spanned<String>,
    /// Position of the level's origin, in meters.
    #[serde(default = "origin")]
    position: Point,
    /// Orientation.
    #[serde(default)]
    turn: Orientation,
    /// Scale factor. Default 1.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    scale: Option<Spanned<Number>>,
    /// The holds of nodes without markers. Default: every point of their load-bearing sides.
    #[schemars(with = "Option<SpreadEntry>")]
    holds: Option<Spanned<SpreadEntry>>,
    /// The coefficient of static friction of nodes without that marker. Default 0.8.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = MAX_FRICTION))]
    friction: Option<Spanned<Number>>,
}

impl LevelEntry {
    /// Moves all points.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        map(&mut self.position.xyz);
    }
}

/// What nodes without markers have.
struct Defaults {
    holds: HoldsOnSurface,
    friction: f32,
}

/// Adds the obstacles of levels.
pub(super) fn add_obstacles(
    source: &Source,
    entries: &[LevelEntry],
    files: &mut MeshFiles,
    obstacles: &mut Vec<ObstacleAndHolds>,
) -> Result<(), FileError> {
    let mut names: BTreeSet<String> = obstacles.iter().map(|known| known.obstacle.name.clone()).collect();
    for entry in entries {
        files.read(source, &entry.file, Markers::Read)?;
        let defaults = Defaults {
            holds: match &entry.holds {
                Some(given) => spread(source, given)?,
                None => HoldsOnSurface {
                    how: HoldSpread::Everywhere,
                    types: vec![HoldType::LoadBearing],
                    asked_at: entry.file.span(),
                },
            },
            friction: match &entry.friction {
                Some(given) => coefficient_of_friction(source, given)?,
                None => DEFAULT_FRICTION,
            },
        };
        let before = obstacles.len();
        let mut mesh = files.get(source, &entry.file, Markers::Read).clone();
        let world_from_level = entry.turn.at(entry.position.xyz);
        place_vertices(source, &entry.file, (world_from_level, entry.scale.as_ref()), &mut mesh.vertices)?;
        let file = source.beside(entry.file.get_ref());
        for part in mesh.split() {
            let Some(obstacle) = of_node(&file, part, &defaults)? else { continue };
            if !names.insert(obstacle.obstacle.name.clone()) {
                let name = abbreviate(&obstacle.obstacle.name);
                let message = format!("node `{name}` of this level has the name of another obstacle");
                let help = "rename the node or the other obstacle; a level can be in a scene once";
                return Err(source.error(entry.file.span(), message).with_help(help));
            }
            obstacles.push(obstacle);
        }
        if obstacles.len() == before {
            let message = "with this placement no triangle of the level has three distinct vertices";
            return Err(source.error(entry.file.span(), message).with_help("check `scale` and the file"));
        }
    }
    Ok(())
}

/// Returns the obstacle of a node; `None` if its triangles have no area.
fn of_node(file: &Path, part: MeshPart, defaults: &Defaults) -> Result<Option<ObstacleAndHolds>, FileError> {
    let MeshPart { mut name, markers, vertices, triangles } = part;
    if name.is_empty() {
        // An OBJ file without objects.
        name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    }
    let error = |message: String, help: String| {
        FileError::without_location(file, format!("node `{}`: {message}", abbreviate(&name))).with_help(help)
    };
    let NodeMarkers { holds, types, every, friction, .. } = markers;
    let friction = friction.unwrap_or(defaults.friction);
    if !(0.0..=MAX_FRICTION).contains(&friction) {
        let message = format!("a coefficient of friction of {friction} is out of range");
        return Err(error(message, format!("use 0 (ice) to {MAX_FRICTION}; dry rock has about 0.8")));
    }
    if let Some(spacing) = every.filter(|spacing| *spacing < MIN_SPACING) {
        let message = format!("holds cannot be {spacing} m apart");
        return Err(error(message, format!("use at least {MIN_SPACING} m")));
    }
    let on_surface = HoldsOnSurface {
        how: every.map_or(defaults.holds.how, HoldSpread::Spaced),
        types: types.unwrap_or_else(|| defaults.holds.types.clone()),
        asked_at: defaults.holds.asked_at.clone(),
    };
    match Obstacle::mesh(&name, vertices, triangles) {
        Ok(obstacle) => Ok(Some(ObstacleAndHolds {
            obstacle: obstacle.with_friction(friction),
            holds: holds.unwrap_or(true).then_some(on_surface),
        })),
        // Other nodes may have triangles.
        Err(ShapeError::EmptyMesh) => Ok(None),
        Err(shape) => Err(error(shape.to_string(), "check the node in the program that made it".to_owned())),
    }
}
