//! Effectors: the `[[effector]]` tables of a character file.

use clamber_model::character::{CharacterDescription, ContactAbility, Effector, GRAVITY, Grip, Patch};
use clamber_model::math::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::common_field_types::{Number, Triple, positive, vec3};
use crate::error::{FileError, Source};
use crate::suggest_name::{find_named, reject_duplicate_name};

/// The force that an effector bears if the file states none, in body weights.
const DEFAULT_FORCE: f32 = 3.0;

/// The width of a patch or a grip, if the file states none, in radii of the effector.
const DEFAULT_WIDTH: f32 = 2.0;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an effector")]
pub(super) struct EffectorEntry {
    /// Unique among the effectors.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// The link that carries it.
    #[schemars(with = "String")]
    link: Spanned<String>,
    /// Center of its sphere in the link's frame, in meters.
    center: Triple,
    /// Radius of its sphere, in meters: the distance of the center from a touched surface.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    radius: Spanned<Number>,
    /// Direction in the link's frame that points into the touched surface.
    #[schemars(with = "Option<Triple>")]
    facing: Option<Spanned<Triple>>,
    /// The greatest force with which it presses on a surface, in newtons. Default: 3 times the body's weight.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    force: Option<Spanned<Number>>,
    /// The flat area that it lays on a surface: a sole or a palm. Needs `facing`. Default: it touches at one point.
    patch: Option<PatchEntry>,
    /// How it grips bars and edges. Default: it cannot grip; in files of version 1, it can, in any direction.
    grip: Option<GripEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { forward = [1, 0, 0], front = 0.15, back = 0.06 }")]
struct PatchEntry {
    /// Direction in the link's frame toward the front edge, at right angles to `facing`.
    #[schemars(with = "Triple")]
    forward: Spanned<Triple>,
    /// From below the center to the front edge, in meters.
    #[schemars(extend("minimum" = 0))]
    front: Number,
    /// From below the center to the back edge, in meters.
    #[schemars(extend("minimum" = 0))]
    back: Number,
    /// Width in meters. Default: the diameter of the sphere.
    #[schemars(extend("minimum" = 0))]
    width: Option<Number>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { axis = [1, 0, 0], force = 600 }")]
struct GripEntry {
    /// Direction in the link's frame along the gripped bar or edge.
    #[schemars(with = "Triple")]
    axis: Spanned<Triple>,
    /// Extent along the axis, in meters. Default: the diameter of the sphere.
    #[schemars(extend("minimum" = 0))]
    width: Option<Number>,
    /// The greatest distance from a sharp edge at which it grips a surface, in meters, as hands do. Default: it needs no edge, as claws.
    #[schemars(extend("minimum" = 0))]
    edge_reach: Option<Number>,
    /// The greatest force in any direction, in newtons. Default: 3 times the body's weight.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    force: Option<Spanned<Number>>,
}

/// Returns the effector of an entry. In files of version 1, which have no grips, every effector can grip.
pub(super) fn effector(
    source: &Source,
    entry: &EffectorEntry,
    version: u32,
    parts: &CharacterDescription,
) -> Result<Effector, FileError> {
    reject_duplicate_name(source, &entry.name, parts.effectors.iter().map(|effector| &effector.name))?;
    let links: Vec<&String> = parts.links.iter().map(|link| &link.name).collect();
    let link = find_named(source, "link", &entry.link, &links)?;
    let facing = entry.facing.as_ref().map(|facing| direction(source, facing, "facing")).transpose()?;
    let radius = positive(source, &entry.radius, "a radius")?;
    let default_width = DEFAULT_WIDTH * radius;
    let weight = GRAVITY * parts.links.iter().map(|link| link.mass).sum::<f32>();
    let force = |given: &Option<Spanned<Number>>| match given {
        Some(given) => positive(source, given, "a force"),
        // A body without mass is rejected later, by a message of its own.
        None => Ok((DEFAULT_FORCE * weight).max(f32::MIN_POSITIVE)),
    };
    let patch = match &entry.patch {
        None => None,
        Some(patch) => Some(Patch {
            forward: direction(source, &patch.forward, "forward")?,
            front: patch.front.0,
            back: patch.back.0,
            width: patch.width.map_or(default_width, |width| width.0),
        }),
    };
    let grip = match &entry.grip {
        None if version == 1 => Some(Grip { axis: Vec3::Z, width: 0.0, edge_reach: None, max_force: force(&None)? }),
        None => None,
        Some(grip) => Some(Grip {
            axis: direction(source, &grip.axis, "axis")?,
            width: grip.width.map_or(default_width, |width| width.0),
            edge_reach: grip.edge_reach.map(|reach| reach.0),
            max_force: force(&grip.force)?,
        }),
    };
    Ok(Effector {
        name: entry.name.get_ref().clone(),
        link,
        limb: parts.limbs.position(|limb| limb.links.contains(&link)),
        center: vec3(entry.center),
        radius,
        facing,
        ability: ContactAbility { patch, grip, max_push: force(&entry.force)? },
    })
}

fn direction(source: &Source, given: &Spanned<Triple>, key: &str) -> Result<Vec3, FileError> {
    vec3(*given.get_ref()).try_normalize().ok_or_else(|| {
        let message = format!("a `{key}` of length 0 has no direction");
        source.error(given.span(), message).with_help("give a direction, such as [0, -1, 0] for down")
    })
}
