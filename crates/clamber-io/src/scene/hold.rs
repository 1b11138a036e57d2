//! Where effectors may attach: holds spread over obstacles, and holds placed one by one.

use std::collections::BTreeSet;

use clamber_model::World;
use clamber_model::character::Root;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape, HoldType, Spread, spread_at_most};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::obstacle::ObstacleEntry;
use crate::error::{FileError, Source};
use crate::fields::{HoldTypeEntry, Number, Place, hold_types, place_text};
use crate::parse::brief;

/// Scenes of more holds than this are refused: a small file can ask for many.
const MOST_HOLDS: usize = 100_000;

/// Obstacles with holds have no longer names than this, in bytes: each of their holds has it in its own.
const LONGEST_NAME: usize = 200;

/// Holds that are nearer to each other are the same hold to any hand, in metres.
const LEAST_SPACING: f32 = 0.02;

/// A hold without a normal gets that of the surface it is on, if it is on one within this distance, in metres.
const ON_SURFACE: f32 = 0.02;

/// How an obstacle's surface is made into holds: exactly one of `every` and `everywhere`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { every = 0.3 } or { everywhere = true }")]
#[schemars(extend("oneOf" = [{ "required": ["every"] }, { "required": ["everywhere"] }]))]
pub(super) struct SpreadEntry {
    /// Points, this far apart in metres.
    #[schemars(with = "Option<Number>", extend("minimum" = LEAST_SPACING))]
    every: Option<Spanned<Number>>,
    /// Every point of the surface.
    #[schemars(extend("const" = true))]
    everywhere: Option<bool>,
    /// Only the sides of these types; all of them when not given.
    types: Option<Vec<HoldTypeEntry>>,
}

/// A place to hold on to: a point (`at`) or any point of a line (`from` and `to`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { at = [1, 2] }")]
#[schemars(extend("oneOf" = [{ "required": ["at"] }, { "required": ["from", "to"] }]))]
pub(super) struct HoldEntry {
    /// Unique among the holds; `hold 1` for the first of the scene, and so on, when not given.
    #[schemars(with = "Option<String>")]
    name: Option<Spanned<String>>,
    /// A point.
    #[schemars(with = "Option<Place>")]
    at: Option<Spanned<Place>>,
    /// One end of a line.
    #[schemars(with = "Option<Place>")]
    from: Option<Spanned<Place>>,
    /// The other end.
    #[schemars(with = "Option<Place>")]
    to: Option<Spanned<Place>>,
    /// Which way out of the surface is; when not given, that of the obstacle it is on.
    #[schemars(with = "Option<Place>")]
    normal: Option<Spanned<Place>>,
    /// What it is good for; when not given, its normal says so.
    #[serde(rename = "type")]
    hold_type: Option<HoldTypeEntry>,
}

/// The holds of a scene: those of the obstacles first.
pub(super) fn holds(
    source: &Source,
    obstacles: &[ObstacleEntry],
    placed: &[Spanned<HoldEntry>],
    world: &World,
    root: Root,
) -> Result<Vec<Hold>, FileError> {
    let mut holds = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let Some(entry) = &obstacle.holds else { continue };
        let (how, types) = spread(source, entry)?;
        if obstacle.name.get_ref().len() > LONGEST_NAME {
            let message = format!("the name of an obstacle with holds is at most {LONGEST_NAME} bytes long");
            return Err(source.error(obstacle.name.span(), message).with_help("its holds are named after it"));
        }
        let left = MOST_HOLDS - holds.len();
        let Some(spread) = spread_at_most(world, index, how, &types, root == Root::Planar, left) else {
            let message = format!("up to here the scene has more than {MOST_HOLDS} holds");
            let help = "spread them farther apart, or take fewer sides with `types`";
            return Err(source.error(entry.span(), message).with_help(help));
        };
        holds.extend(spread);
    }
    let mut names: BTreeSet<String> = holds.iter().map(|hold: &Hold| hold.name.clone()).collect();
    for (index, entry) in placed.iter().enumerate() {
        let hold = place(source, entry, index, world, root)?;
        if !names.insert(hold.name.clone()) {
            let at = entry.get_ref().name.as_ref().map_or(entry.span(), Spanned::span);
            let message = format!("the name `{}` is taken already", brief(&hold.name));
            let help = "give each hold a name of its own; those of an obstacle are named after it and counted";
            return Err(source.error(at, message).with_help(help));
        }
        holds.push(hold);
        if holds.len() > MOST_HOLDS {
            let message = format!("up to here the scene has more than {MOST_HOLDS} holds");
            return Err(source
                .error(entry.span(), message)
                .with_help("use lines, or obstacles that are holds everywhere"));
        }
    }
    Ok(holds)
}

fn spread(source: &Source, entry: &Spanned<SpreadEntry>) -> Result<(Spread, Vec<HoldType>), FileError> {
    let SpreadEntry { every, everywhere, types } = entry.get_ref();
    let how = match (every, everywhere) {
        (Some(every), None) => {
            let Number(spacing) = *every.get_ref();
            if spacing < LEAST_SPACING {
                let message = format!("holds cannot be {spacing} m apart");
                let help =
                    format!("at least {LEAST_SPACING} m; or take the whole surface with {{ everywhere = true }}");
                return Err(source.error(every.span(), message).with_help(help));
            }
            Spread::Every(spacing)
        }
        (None, Some(true)) => Spread::Everywhere,
        _ => {
            let message = "`holds` needs exactly one of `every` and `everywhere = true`";
            return Err(source.error(entry.span(), message).with_help("leave `holds` out for an obstacle without any"));
        }
    };
    Ok((how, types.as_ref().map_or(HoldType::ALL.to_vec(), |types| hold_types(types))))
}

fn place(
    source: &Source,
    entry: &Spanned<HoldEntry>,
    index: usize,
    world: &World,
    root: Root,
) -> Result<Hold, FileError> {
    let HoldEntry { name, at, from, to, normal, hold_type } = entry.get_ref();
    let name = match name {
        None => format!("hold {}", index + 1),
        Some(name) if name.get_ref().is_empty() => {
            return Err(source.error(name.span(), "a name must not be empty"));
        }
        Some(name) => name.get_ref().clone(),
    };
    for place in [at, from, to, normal].into_iter().flatten() {
        if root == Root::Planar && place.get_ref().xyz.z != 0.0 {
            let message = "the holds of a planar character are in the plane z = 0";
            return Err(source.error(place.span(), message).with_help("give two numbers"));
        }
    }
    let normal = match normal {
        None => None,
        Some(given) => match given.get_ref().xyz.try_normalize() {
            Some(unit) => Some(unit),
            None => {
                let message = "a `normal` of length 0 has no direction";
                return Err(source.error(given.span(), message).with_help("such as [0, 1] for a floor"));
            }
        },
    };
    let (shape, normal) = match (at, from, to) {
        (Some(at), None, None) => point(source, at, normal, world, root)?,
        (None, Some(from), Some(to)) => line(source, from, to, normal, world, root)?,
        _ => {
            let message = format!("hold `{}` needs either `at`, or `from` and `to`", brief(&name));
            return Err(source.error(entry.span(), message));
        }
    };
    let hold_type = hold_type.map_or(HoldType::of_normal(normal), HoldTypeEntry::hold_type);
    Ok(Hold { name, hold_type, normal, shape })
}

/// Where a hold is, and its normal.
type Placed = (HoldShape, Vec3);

fn point(
    source: &Source,
    at: &Spanned<Place>,
    normal: Option<Vec3>,
    world: &World,
    root: Root,
) -> Result<Placed, FileError> {
    let here = at.get_ref().xyz;
    match normal {
        Some(normal) => Ok((HoldShape::Point(here), normal)),
        None => surface(source, at, here, world, root).map(|(point, normal)| (HoldShape::Point(point), normal)),
    }
}

fn line(
    source: &Source,
    from: &Spanned<Place>,
    to: &Spanned<Place>,
    normal: Option<Vec3>,
    world: &World,
    root: Root,
) -> Result<Placed, FileError> {
    let [a, b] = [from, to].map(|end| end.get_ref().xyz);
    if (b - a).length() < 1e-4 {
        let message = "the line begins and ends at the same place";
        return Err(source.error(to.span(), message).with_help("a point is given with `at`"));
    }
    if let Some(normal) = normal {
        return Ok((HoldShape::Segment([a, b]), normal));
    }
    // The middle, because at the ends other sides may be just as near.
    let (middle, normal) = surface(source, from, (a + b) * 0.5, world, root)?;
    for end in [from, to] {
        surface(source, end, end.get_ref().xyz, world, root)?;
    }
    let onto = |end: Vec3| end - normal * normal.dot(end - middle);
    Ok((HoldShape::Segment([onto(a), onto(b)]), normal))
}

/// The point of the surface that a hold without a normal is on, and the normal there.
fn surface(
    source: &Source,
    given: &Spanned<Place>,
    point: Vec3,
    world: &World,
    root: Root,
) -> Result<(Vec3, Vec3), FileError> {
    const HELP: &str = "a hold in the air needs a `normal`, such as [0, 1] for a floor";
    let Some(found) = world.surface_near(point, ON_SURFACE) else {
        let place = place_text(point, root);
        let message = match world.point_distance(point) {
            nearest if nearest.obstacle.is_some() => {
                format!("no surface is at {place}: the nearest is {:.3} m away", nearest.distance.abs())
            }
            _ => format!("no surface is at {place}: the scene has no obstacles"),
        };
        let help = format!("move it to within {ON_SURFACE} m of a surface; {HELP}");
        return Err(source.error(given.span(), message).with_help(help));
    };
    if root == Root::Free {
        return Ok((found.point, found.normal));
    }
    // Sides of solids may lean out of the plane; their section with it has the normal without that.
    match found.normal.with_z(0.0).try_normalize() {
        Some(normal) => Ok((found.point.with_z(0.0), normal)),
        None => Err(source.error(given.span(), "the surface here lies in the plane of the character").with_help(HELP)),
    }
}
