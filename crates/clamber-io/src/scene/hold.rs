//! Holds: spread over obstacles or placed one by one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use clamber_model::World;
use clamber_model::character::RootJoint;
use clamber_model::id::ObstacleId;
use clamber_model::math::Vec3;
use clamber_model::world::{DEFAULT_FRICTION, Hold, HoldShape, HoldType, MAX_FRICTION, MAX_HOLDS, spread_holds};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::obstacle_holds_key::HoldsOnSurface;
use crate::common_field_types::{HoldTypeEntry, Number, Point, coefficient_of_friction, point_text};
use crate::error::{FileError, Source};
use crate::suggest_name::abbreviate;

/// A hold without a normal takes the normal of a surface within this distance, in meters.
const MAX_SURFACE_DISTANCE: f32 = 0.02;

/// A hold: a point (`at`) or any point of a line segment (`from` and `to`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { at = [1, 2] }")]
#[schemars(extend("oneOf" = [{ "required": ["at"] }, { "required": ["from", "to"] }]))]
pub(super) struct HoldEntry {
    /// Unique among the holds. Default: `hold 1` for the first [[hold]] of the scene, and so on.
    #[schemars(with = "Option<String>")]
    name: Option<Spanned<String>>,
    /// The hold's position, in meters.
    #[schemars(with = "Option<Point>")]
    at: Option<Spanned<Point>>,
    /// One end of the segment, in meters.
    #[schemars(with = "Option<Point>")]
    from: Option<Spanned<Point>>,
    /// The other end.
    #[schemars(with = "Option<Point>")]
    to: Option<Spanned<Point>>,
    /// Outward direction of the surface. Default: the normal of the obstacle's surface there.
    #[schemars(with = "Option<Point>")]
    normal: Option<Spanned<Point>>,
    /// The hold's type. Default: follows from the normal.
    #[serde(rename = "type")]
    hold_type: Option<HoldTypeEntry>,
    /// The coefficient of static friction. Default: that of the obstacle there, or 0.8.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = MAX_FRICTION))]
    friction: Option<Spanned<Number>>,
}

impl HoldEntry {
    /// Moves all points.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        let places = [&mut self.at, &mut self.from, &mut self.to];
        places.into_iter().flatten().for_each(|place| map(&mut place.get_mut().xyz));
    }
}

/// Returns the holds of a scene, those of obstacles first. `on_surfaces` has the holds on the surface of each obstacle of the world.
pub(super) fn holds(
    source: &Source,
    on_surfaces: &[Option<HoldsOnSurface>],
    placed: &[Spanned<HoldEntry>],
    world: &World,
    root: RootJoint,
) -> Result<Vec<Hold>, FileError> {
    let mut holds = Vec::new();
    for (index, on_surface) in on_surfaces.iter().enumerate() {
        let Some(HoldsOnSurface { how, types, asked_at }) = on_surface else { continue };
        let left = MAX_HOLDS - holds.len();
        let Some(spread) = spread_holds(world, ObstacleId::from(index), *how, types, root == RootJoint::Planar, left)
        else {
            let message = format!("with this entry the scene has more than {MAX_HOLDS} holds");
            let help = "increase `every`, or use fewer sides with `types`";
            return Err(source.error(asked_at.clone(), message).with_help(help));
        };
        holds.extend(spread);
    }
    // A scan has a million names, which are only compared with those of placed holds.
    let to_compare: &[Hold] = if placed.is_empty() { &[] } else { &holds };
    let mut names: BTreeSet<Cow<str>> = to_compare.iter().map(|hold| Cow::from(&hold.name)).collect();
    let mut placed_holds = Vec::new();
    for (index, entry) in placed.iter().enumerate() {
        let hold = place(source, entry, index, world, root)?;
        if !names.insert(Cow::from(hold.name.clone())) {
            let at = entry.get_ref().name.as_ref().map_or(entry.span(), Spanned::span);
            let message = format!("the name `{}` is already in use", abbreviate(&hold.name));
            let help = "give each hold a unique name; holds of an obstacle get its name and a number";
            return Err(source.error(at, message).with_help(help));
        }
        placed_holds.push(hold);
        if holds.len() + placed_holds.len() > MAX_HOLDS {
            let message = format!("with this entry the scene has more than {MAX_HOLDS} holds");
            return Err(source
                .error(entry.span(), message)
                .with_help("use line segments, or obstacles with `everywhere = true`"));
        }
    }
    drop(names);
    holds.append(&mut placed_holds);
    Ok(holds)
}

fn place(
    source: &Source,
    entry: &Spanned<HoldEntry>,
    index: usize,
    world: &World,
    root: RootJoint,
) -> Result<Hold, FileError> {
    let HoldEntry { name, at, from, to, normal, hold_type, friction } = entry.get_ref();
    let name = match name {
        None => format!("hold {}", index + 1),
        Some(name) if name.get_ref().is_empty() => {
            return Err(source.error(name.span(), "the name is empty").with_help("write a name between the quotes"));
        }
        Some(name) => name.get_ref().clone(),
    };
    for place in [at, from, to, normal].into_iter().flatten() {
        if root == RootJoint::Planar && place.get_ref().xyz.z != 0.0 {
            let message = "holds of a planar character lie in the plane z = 0";
            return Err(source.error(place.span(), message).with_help("give two coordinates"));
        }
    }
    let normal = match normal {
        None => None,
        Some(given) => match given.get_ref().xyz.try_normalize() {
            Some(unit) => Some(unit),
            None => {
                let message = "a `normal` of length 0 has no direction";
                return Err(source
                    .error(given.span(), message)
                    .with_help("give a direction, such as [0, 1] for a floor"));
            }
        },
    };
    let (shape, normal) = match (at, from, to) {
        (Some(at), None, None) => point(source, at, normal, world, root)?,
        (None, Some(from), Some(to)) => line(source, from, to, normal, world, root)?,
        _ => {
            let message = format!("hold `{}` needs either `at`, or `from` and `to`", abbreviate(&name));
            return Err(source
                .error(entry.span(), message)
                .with_help("`at` is a point, `from` and `to` a line segment"));
        }
    };
    let is_buried = match shape {
        HoldShape::Segment([a, b]) => [a, a.midpoint(b), b].iter().all(|point| world.is_buried(*point, normal)),
        HoldShape::Point(at) | HoldShape::Triangle([at, ..]) => world.is_buried(at, normal),
    };
    if is_buried {
        let message = format!("hold `{}` is inside an obstacle, where nothing can touch it", abbreviate(&name));
        return Err(source.error(entry.span(), message).with_help("move it to the outside, or check its `normal`"));
    }
    let hold_type = hold_type.map_or(HoldType::of_normal(normal), HoldTypeEntry::hold_type);
    let friction = match friction {
        Some(given) => coefficient_of_friction(source, given)?,
        None => friction_at(world, shape),
    };
    Ok(Hold { name, hold_type, normal, shape, friction })
}

/// Returns the friction of the obstacle that a hold lies on.
fn friction_at(world: &World, shape: HoldShape) -> f32 {
    let (HoldShape::Point(at) | HoldShape::Segment([at, _]) | HoldShape::Triangle([at, ..])) = shape;
    let surface = world.nearest_surface_point(at, MAX_SURFACE_DISTANCE);
    surface.map_or(DEFAULT_FRICTION, |surface| world.obstacles[surface.obstacle].friction)
}

/// The shape and normal of a hold.
type ShapeAndNormal = (HoldShape, Vec3);

fn point(
    source: &Source,
    at: &Spanned<Point>,
    normal: Option<Vec3>,
    world: &World,
    root: RootJoint,
) -> Result<ShapeAndNormal, FileError> {
    let here = at.get_ref().xyz;
    match normal {
        Some(normal) => Ok((HoldShape::Point(here), normal)),
        None => surface(source, at, here, world, root).map(|(point, normal)| (HoldShape::Point(point), normal)),
    }
}

fn line(
    source: &Source,
    from: &Spanned<Point>,
    to: &Spanned<Point>,
    normal: Option<Vec3>,
    world: &World,
    root: RootJoint,
) -> Result<ShapeAndNormal, FileError> {
    let [a, b] = [from, to].map(|end| end.get_ref().xyz);
    if (b - a).length() < 1e-4 {
        let message = "the segment has no length";
        return Err(source.error(to.span(), message).with_help("use `at` for a point"));
    }
    if let Some(normal) = normal {
        return Ok((HoldShape::Segment([a, b]), normal));
    }
    // At the middle, because near the ends other sides may be equally close.
    let (middle, normal) = surface(source, from, (a + b) * 0.5, world, root)?;
    for end in [from, to] {
        surface(source, end, end.get_ref().xyz, world, root)?;
    }
    let onto = |end: Vec3| end - normal * normal.dot(end - middle);
    Ok((HoldShape::Segment([onto(a), onto(b)]), normal))
}

/// Returns the surface point nearest to a hold without a normal, and its normal.
fn surface(
    source: &Source,
    given: &Spanned<Point>,
    point: Vec3,
    world: &World,
    root: RootJoint,
) -> Result<(Vec3, Vec3), FileError> {
    const HELP: &str = "a hold in the air needs a `normal`, such as [0, 1] for a floor";
    let Some(found) = world.nearest_surface_point(point, MAX_SURFACE_DISTANCE) else {
        let place = point_text(point, root);
        let message = match world.point_distance(point) {
            nearest if nearest.obstacle.is_some() => {
                format!("no surface at {place}: the nearest is {:.3} m away", nearest.distance.abs())
            }
            _ => format!("no surface at {place}: the scene has no obstacles"),
        };
        let help = format!("move it to within {MAX_SURFACE_DISTANCE} m of a surface; {HELP}");
        return Err(source.error(given.span(), message).with_help(help));
    };
    if root == RootJoint::Free {
        return Ok((found.point, found.normal));
    }
    // Sides of solids may tilt out of the plane; project the normal into it.
    match found.normal.with_z(0.0).try_normalize() {
        Some(normal) => Ok((found.point.with_z(0.0), normal)),
        None => {
            Err(source.error(given.span(), "the surface here is parallel to the character's plane").with_help(HELP))
        }
    }
}
