//! Character files: TOML with links, hinges, limbs and effectors.

mod effector;
mod extremity;
mod roles;
mod self_collision;

use std::collections::BTreeMap;
use std::path::Path;

use clamber_model::character::{
    BodyRoles, Capsule, Character, CharacterDescription, CharacterError, Hinge, Limb, Link, RootJoint,
    RootMotionLimits, Side,
};
use clamber_model::id::{LinkId, TiVec};
use clamber_model::math::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use self::effector::{EffectorEntry, effector};
use self::extremity::{ExtremityEntry, extremity};
use self::roles::{BodyEntry, LandmarkEntries, LandmarkEntry, MAX_ROLES, RoleEntries, RoleKeys, SymmetryEntry};
use self::self_collision::{MAX_ALLOWED, SelfCollisionEntry, suggest_allowing};
use crate::common_field_types::{Number, Numbers, Orientation, Triple, positive, vec3};
use crate::error::{FileError, Source};
use crate::parse::parse_toml;
use crate::suggest_name::{abbreviate, reject_duplicate_name, suggest};

/// The version of shipped files. In version 1, effectors state no patches, grips and forces, and there are no roles.
const VERSION: u32 = 2;

/// Most links, hinges, capsules, limbs, effectors or extremities: derived tables grow with the square.
const MAX_ITEMS: usize = 1000;

/// An articulated character: a tree of links, each attached to its parent by hinges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber character")]
pub(crate) struct CharacterFile {
    /// The version of this format: 2, or 1 for files without patches, grips and roles.
    #[schemars(extend("minimum" = 1, "maximum" = VERSION))]
    version: u32,
    /// The character's name.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// How the root link moves in the world.
    root: RootEntry,
    /// Speed limits of the root link.
    #[serde(default)]
    limits: RootLimitsEntry,
    /// Rigid links, parents before children; the first is the root.
    #[schemars(extend("maxItems" = MAX_ITEMS))]
    link: Vec<LinkEntry>,
    /// Kinematic chains from the trunk to a tip.
    #[serde(default)]
    #[schemars(extend("maxItems" = MAX_ITEMS))]
    limb: Vec<LimbEntry>,
    /// Spheres that may make contact with the world.
    #[serde(default)]
    #[schemars(extend("maxItems" = MAX_ITEMS))]
    effector: Vec<EffectorEntry>,
    /// Hands and feet that are added to a motion after planning.
    #[serde(default)]
    #[schemars(extend("maxItems" = MAX_ITEMS))]
    extremity: Vec<ExtremityEntry>,
    /// The trunk, the link that carries the eyes, and the roles that span the body. Not in version 1.
    #[schemars(with = "Option<BodyEntry>")]
    body: Option<Spanned<BodyEntry>>,
    /// Named sets of limbs that mode tables refer to. Not in version 1.
    #[schemars(with = "Option<BTreeMap<String, Vec<String>>>", extend("maxProperties" = MAX_ROLES))]
    roles: Option<Spanned<RoleEntries>>,
    /// Named points of the body that mode tables refer to. Not in version 1.
    #[schemars(with = "Option<BTreeMap<String, LandmarkEntry>>", extend("maxProperties" = MAX_ROLES))]
    landmarks: Option<Spanned<LandmarkEntries>>,
    /// Which limbs mirror each other. Not in version 1.
    #[schemars(with = "Option<SymmetryEntry>")]
    symmetry: Option<Spanned<SymmetryEntry>>,
    /// Which links may overlap. Not in version 1.
    #[schemars(with = "Option<SelfCollisionEntry>")]
    self_collision: Option<Spanned<SelfCollisionEntry>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RootEntry {
    /// In the plane z = 0; all hinges turn about z.
    Planar,
    /// Any position and orientation.
    Free,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { speed = 6, acceleration = 20 }")]
struct RootLimitsEntry {
    /// Greatest speed along each axis, in m/s. Default 6.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    speed: Option<Spanned<Number>>,
    /// Greatest acceleration along each axis, in m/s². Default 5.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    acceleration: Option<Spanned<Number>>,
    /// Greatest angular speed, in degrees/s. Default 400.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    turn_speed: Option<Spanned<Number>>,
    /// Greatest angular acceleration, in degrees/s². Default 4000.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    turn_acceleration: Option<Spanned<Number>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a link")]
struct LinkEntry {
    /// Unique among the links.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The parent link; the root has none.
    #[schemars(with = "Option<String>")]
    parent: Option<Spanned<String>>,
    /// Position of the joint in the parent's frame, in meters.
    #[serde(default)]
    at: Triple,
    /// Orientation of the joint in the parent's frame, with all hinges at zero.
    #[serde(default)]
    turn: Orientation,
    /// The hinges of the joint, applied in order; several make a ball joint.
    #[serde(default)]
    hinges: Vec<HingeEntry>,
    /// Mass in kilograms.
    #[schemars(with = "Number", extend("minimum" = 0))]
    mass: Spanned<Number>,
    /// Center of mass in the link's frame, in meters.
    #[serde(default)]
    center_of_mass: Triple,
    /// The link's collision shape.
    #[serde(default)]
    capsules: Vec<CapsuleEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"knee\", axis = \"z\", min = -150, max = 0 }")]
struct HingeEntry {
    /// Unique among the hinges.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// Rotation axis: x is forward, y up, z to the right. Positive angles are counter-clockwise seen against the axis.
    axis: AxisEntry,
    /// Lower limit, in degrees.
    min: Number,
    /// Upper limit, in degrees.
    max: Number,
    /// Angle of the rest posture, in degrees.
    #[serde(default)]
    rest: Number,
    /// Greatest angular speed, in degrees/s. Default 700.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    speed: Option<Spanned<Number>>,
    /// Greatest angular acceleration, in degrees/s². Default 25000.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    acceleration: Option<Spanned<Number>>,
    /// Greatest torques toward smaller and toward greater angles, in newton meters. Effort is measured at hinges that have them.
    strength: Option<Numbers<2>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AxisEntry {
    X,
    Y,
    Z,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { from = [0, 0, 0], to = [0, 1, 0], radius = 0.1 }")]
struct CapsuleEntry {
    /// One end of the axis, in the link's frame, in meters.
    from: Triple,
    /// The other end.
    to: Triple,
    /// Radius in meters.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    radius: Spanned<Number>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a limb")]
struct LimbEntry {
    /// Unique among the limbs.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The first link of the chain, next to the trunk.
    #[schemars(with = "String")]
    from: Spanned<String>,
    /// The last link of the chain.
    #[schemars(with = "String")]
    to: Spanned<String>,
    /// The side of the body.
    #[serde(default)]
    side: SideEntry,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SideEntry {
    Left,
    Right,
    #[default]
    Middle,
}

/// Parses a character file. Errors name `file`.
pub fn parse_character(file: &Path, bytes: &[u8]) -> Result<Character, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: CharacterFile = parse_toml(&source, 1..=VERSION)?;
    if entries.name.get_ref().is_empty() {
        return Err(source
            .error(entries.name.span(), "the character has no name")
            .with_help("write a name between the quotes"));
    }
    let mut parts = CharacterDescription {
        name: entries.name.get_ref().clone(),
        root_joint: match entries.root {
            RootEntry::Planar => RootJoint::Planar,
            RootEntry::Free => RootJoint::Free,
        },
        root_motion_limits: RootMotionLimits {
            speed: positive_or(&source, &entries.limits.speed, 6.0)?,
            acceleration: positive_or(&source, &entries.limits.acceleration, 5.0)?,
            turn_speed: positive_or(&source, &entries.limits.turn_speed, 400.0)?.to_radians(),
            turn_acceleration: positive_or(&source, &entries.limits.turn_acceleration, 4000.0)?.to_radians(),
        },
        links: TiVec::new(),
        hinges: TiVec::new(),
        capsules: Vec::new(),
        limbs: TiVec::new(),
        effectors: TiVec::new(),
        extremities: Vec::new(),
        roles: BodyRoles::unnamed(0),
        self_collision: None,
    };
    reject_oversized(&source, &entries)?;
    for entry in &entries.link {
        add_link(&source, entry, &entries, &mut parts)?;
    }
    for entry in &entries.limb {
        let limb = limb(&source, entry, &parts)?;
        parts.limbs.push(limb);
    }
    for entry in &entries.effector {
        let effector = effector(&source, entry, entries.version, &parts)?;
        parts.effectors.push(effector);
    }
    for entry in &entries.extremity {
        let extremity = extremity(&source, entry, &parts)?;
        parts.extremities.push(extremity);
    }
    let CharacterFile { body, roles, landmarks, symmetry, .. } = &entries;
    let keys = RoleKeys { body, roles, landmarks, symmetry };
    parts.roles = if entries.version == 1 { keys.of_version_1(&source, &parts)? } else { keys.roles(&source, &parts)? };
    parts.self_collision = self_collision::rules(&source, &entries.self_collision, entries.version, &parts)?;
    Character::new(parts).map_err(|error| {
        let placed = source.error(span_of(&error, &entries), error.to_string());
        match help_for(&error) {
            Some(help) => placed.with_help(help),
            None => placed,
        }
    })
}

fn reject_oversized(source: &Source, entries: &CharacterFile) -> Result<(), FileError> {
    let counts = [
        ("links", entries.link.len(), MAX_ITEMS),
        ("hinges", entries.link.iter().map(|link| link.hinges.len()).sum(), MAX_ITEMS),
        ("capsules", entries.link.iter().map(|link| link.capsules.len()).sum(), MAX_ITEMS),
        ("limbs", entries.limb.len(), MAX_ITEMS),
        ("effectors", entries.effector.len(), MAX_ITEMS),
        ("extremities", entries.extremity.len(), MAX_ITEMS),
        (
            "allowed pairs",
            entries.self_collision.as_ref().map_or(0, |entry| entry.get_ref().allowed.len()),
            MAX_ALLOWED,
        ),
        ("roles", entries.roles.as_ref().map_or(0, |roles| roles.get_ref().len()), MAX_ROLES),
        ("landmarks", entries.landmarks.as_ref().map_or(0, |landmarks| landmarks.get_ref().len()), MAX_ROLES),
    ];
    match counts.into_iter().find(|(_, count, most)| count > most) {
        None => Ok(()),
        Some((what, count, most)) => {
            let message = format!("the character has {count} {what}; at most {most} are allowed");
            Err(source.error(entries.name.span(), message))
        }
    }
}

fn add_link(
    source: &Source,
    entry: &LinkEntry,
    entries: &CharacterFile,
    parts: &mut CharacterDescription,
) -> Result<(), FileError> {
    let index = parts.links.next_key();
    reject_duplicate_name(source, &entry.name, parts.links.iter().map(|link| &link.name))?;
    let parent = match &entry.parent {
        None if index == LinkId::ROOT => None,
        None => {
            let message = format!("link `{}` has no parent", abbreviate(entry.name.get_ref()));
            let help = "add `parent` with the name of a link; only the first link has none";
            return Err(source.error(entry.name.span(), message).with_help(help));
        }
        Some(name) if index == LinkId::ROOT => {
            let message = "the first link is the root and must not have a parent";
            return Err(source.error(name.span(), message).with_help("remove `parent`, or put the parent link first"));
        }
        Some(name) => match find_link(source, name, parts) {
            Err(error) if entries.link.iter().any(|link| link.name.get_ref() == name.get_ref()) => {
                return Err(error.with_help("the link comes later in the file; list parents before their children"));
            }
            found => Some(found?),
        },
    };
    let first_hinge = parts.hinges.next_key();
    for hinge in &entry.hinges {
        reject_duplicate_name(source, &hinge.name, parts.hinges.iter().map(|hinge| &hinge.name))?;
        parts.hinges.push(Hinge {
            name: hinge.name.get_ref().clone(),
            link: index,
            axis: match hinge.axis {
                AxisEntry::X => Vec3::X,
                AxisEntry::Y => Vec3::Y,
                AxisEntry::Z => Vec3::Z,
            },
            min: hinge.min.radians(),
            max: hinge.max.radians(),
            rest: hinge.rest.radians(),
            max_speed: positive_or(source, &hinge.speed, 700.0)?.to_radians(),
            max_acceleration: positive_or(source, &hinge.acceleration, 25_000.0)?.to_radians(),
            strength: hinge.strength.map(|Numbers(torques)| torques),
        });
    }
    let Number(mass) = *entry.mass.get_ref();
    if mass < 0.0 {
        return Err(source.error(entry.mass.span(), "a mass must not be negative").with_help("write 0 or more"));
    }
    let first_capsule = parts.capsules.len();
    for capsule in &entry.capsules {
        let radius = positive(source, &capsule.radius, "a radius")?;
        parts.capsules.push(Capsule { a: vec3(capsule.from), b: vec3(capsule.to), radius });
    }
    parts.links.push(Link {
        name: entry.name.get_ref().clone(),
        parent,
        parent_from_joint: entry.turn.at(vec3(entry.at)),
        hinges: (first_hinge..parts.hinges.next_key()).into(),
        capsules: first_capsule..parts.capsules.len(),
        mass,
        center_of_mass: vec3(entry.center_of_mass),
    });
    Ok(())
}

fn limb(source: &Source, entry: &LimbEntry, parts: &CharacterDescription) -> Result<Limb, FileError> {
    reject_duplicate_name(source, &entry.name, parts.limbs.iter().map(|limb| &limb.name))?;
    let first = find_link(source, &entry.from, parts)?;
    let tip = find_link(source, &entry.to, parts)?;
    let mut links = vec![tip];
    while links[links.len() - 1] != first {
        match parts.links[links[links.len() - 1]].parent {
            Some(parent) => links.push(parent),
            None => {
                let (from, to) = (entry.from.get_ref(), entry.to.get_ref());
                let message = format!("link `{to}` is not a descendant of link `{from}`");
                return Err(source
                    .error(entry.to.span(), message)
                    .with_help("`from` must be `to` or one of its ancestors"));
            }
        }
    }
    links.reverse();
    let hinges = links.iter().flat_map(|&link| parts.links[link].hinges.iter()).collect();
    let side = match entry.side {
        SideEntry::Left => Side::Left,
        SideEntry::Right => Side::Right,
        SideEntry::Middle => Side::Middle,
    };
    Ok(Limb { name: entry.name.get_ref().clone(), links, hinges, side })
}

fn positive_or(source: &Source, number: &Option<Spanned<Number>>, otherwise: f32) -> Result<f32, FileError> {
    number.as_ref().map_or(Ok(otherwise), |number| positive(source, number, "a limit"))
}

fn find_link(source: &Source, name: &Spanned<String>, parts: &CharacterDescription) -> Result<LinkId, FileError> {
    parts.links.position(|link| link.name == *name.get_ref()).ok_or_else(|| {
        let known: Vec<&String> = parts.links.iter().map(|link| &link.name).collect();
        let message = format!("there is no link `{}` before this line", abbreviate(name.get_ref()));
        source.error(name.span(), message).with_help(suggest(name.get_ref(), &known))
    })
}

/// Help for errors whose message does not imply the fix.
fn help_for(error: &CharacterError) -> Option<String> {
    let help = match error {
        CharacterError::NoLinks => "add a table [[link]]",
        CharacterError::Limits { .. } => "`rest` defaults to 0",
        CharacterError::InvalidMass => "give at least one link a `mass` greater than 0",
        CharacterError::NotSymmetric { .. } => {
            "correct it or its mirror image, pair other limbs in [symmetry], or remove [symmetry]"
        }
        CharacterError::NoShape => "add `capsules` to a link: they are its collision shape",
        _ => return suggest_allowing(error),
    };
    Some(help.to_owned())
}

/// Returns the location of the item that a model error names.
fn span_of(error: &CharacterError, entries: &CharacterFile) -> std::ops::Range<usize> {
    let link_named = |name: &String| entries.link.iter().map(|link| &link.name).find(|link| link.get_ref() == name);
    let hinge_named = |name: &String| {
        entries.link.iter().flat_map(|link| &link.hinges).map(|hinge| &hinge.name).find(|hinge| hinge.get_ref() == name)
    };
    let named = match error {
        CharacterError::ParentOrder { link }
        | CharacterError::InvalidIndexRange { link }
        | CharacterError::InvalidShape { link }
        | CharacterError::OverlapAtRest { link, .. }
        | CharacterError::JointOffPlane { link } => link_named(link),
        CharacterError::DanglingReference { referrer: name } => entries
            .limb
            .iter()
            .map(|limb| &limb.name)
            .chain(entries.effector.iter().map(|effector| &effector.name))
            .find(|named| named.get_ref() == name),
        CharacterError::InvalidContactAbility { effector } => {
            entries.effector.iter().map(|entry| &entry.name).find(|named| named.get_ref() == effector)
        }
        CharacterError::InvalidExtremity { effector } => {
            entries.extremity.iter().map(|entry| &entry.effector).find(|named| named.get_ref() == effector)
        }
        CharacterError::NotPlanar { hinge }
        | CharacterError::Axis { hinge }
        | CharacterError::Limits { hinge }
        | CharacterError::InvalidStrength { hinge }
        | CharacterError::TooManyTurns { hinge } => hinge_named(hinge),
        CharacterError::InvalidSpeedLimit { joint } => hinge_named(joint),
        CharacterError::NotSymmetric { part, .. } => {
            let limbs = entries.limb.iter().map(|limb| &limb.name);
            let others = limbs.chain(entries.effector.iter().map(|effector| &effector.name));
            let named = |name: &&Spanned<String>| name.get_ref() == part;
            link_named(part).or_else(|| hinge_named(part)).or_else(|| others.into_iter().find(named))
        }
        _ => None,
    };
    named.unwrap_or(&entries.name).span()
}
